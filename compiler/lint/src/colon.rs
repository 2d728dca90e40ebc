//! `sql_name_without_colon`: a query compares a column where the task's value of the same name was probably meant.

use model::suite::NameId;

use super::context::TaskCx;
use sql::Confusion;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Builds the diagnostic for the comparison of a column, unless the task has no value that could be meant.
pub(super) fn check_confusion(cx: &TaskCx<'_>, confusion: &Confusion) -> Option<Diagnostic> {
    let mut meant = confusion.bare.iter().filter(|(name, _)| is_value(cx.task, name));
    let declared = |said: Diagnostic| match &confusion.column {
        Some((name, span)) => said.label_declaration(name, *span),
        None => said,
    };
    if let Some(said) = confusion.describe_itself() {
        let said = declared(said);
        return Some(match meant.next() {
            Some((name, at)) => said.help(format!("did you mean `:{name}`, the value of the task?")).fix(
                "insert the colon",
                Applicability::Safe,
                *at,
                format!(":{name}"),
            ),
            None => said.help("compare it with a value, written `:name`, or with another column"),
        });
    }
    let (name, at) = meant.next()?;
    let said = declared(Diagnostic::new(
        Code::SQL_NAME_WITHOUT_COLON,
        format!("`{}` is a column here, and the task has a value of that name", cx.sources.text(*at)),
        *at,
        "the column",
    ));
    let said = said.help(format!("did you mean the value, `:{name}`? for the column, write its table before it"));
    Some(said.fix("insert the colon", Applicability::Unsafe, *at, format!(":{name}")))
}

/// Checks whether the task has a value with this name that a query can use.
fn is_value(task: &hir::Task, name: &str) -> bool {
    let of_way = |id: NameId| task.iter_ways().any(|way| way.steps.contains(&id));
    let fits = |(id, known): (NameId, &hir::Name)| known.name == name && !of_way(id) && known.ty.is_scalar();
    task.names.iter_enumerated().any(fits)
}
