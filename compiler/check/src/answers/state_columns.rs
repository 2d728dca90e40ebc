//! `OPTION in TABLE.COLUMN`: options for columns of a database whose state is compared.

use model::Span;
use model::pointer::point_at_table_column;
use model::suite::{CellMatch, FileId, Options};

use super::columns::{OptionColumn, is_listed_twice, report_cells_of_other_type};
use crate::context::{Checker, Relations};
use hir::types::TyKind;
use syntax::ast::{self, OptKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Finds the columns of a database after an option; empty if it has none. `None` if it cannot be for columns of a database, or one is not a column of
/// it, which is reported.
pub(super) fn resolve_state_columns<'a>(
    cx: &mut Checker<'a>,
    relations: &Relations<'a>,
    option: &'a ast::Opt,
    file: FileId,
) -> Option<Vec<OptionColumn>> {
    if option.columns.is_empty() {
        return accept_whole_state(cx, option).then(Vec::new);
    }
    if option.kind == OptKind::Cells(CellMatch::Matches) {
        let message = "`matches in` does not work with `database`";
        let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "the goal would contain the pattern");
        cx.report(said.help("statements of `after` write the text itself: compare it with `contains in`"));
        return None;
    }
    let mut found: Vec<OptionColumn> = Vec::new();
    for path in &option.columns {
        let (first, last) = (path.first()?, path.last()?);
        let span = Span { end: last.span.end, ..first.span };
        let [table, column] = path.as_slice() else {
            let message = format!("`{}` is not a column of a table", cx.sources.quote(span));
            let said = Diagnostic::new(Code::BAD_OPTION, message, span, "TABLE.COLUMN is needed");
            cx.report(said.help(suggest_columns(relations, file, &first.text)));
            return None;
        };
        let (relation, at) = relations.resolve_part(cx, table, Some(column), file)?;
        let decl = &relations.checked[relation];
        let known = &decl.columns[at?];
        let name = format!("{}.{}", decl.table, known.name);
        if is_listed_twice(cx, &found, &name, span) {
            continue;
        }
        if relations.find_key_columns(relation).contains(&known.name.as_str()) {
            let message = format!("`{name}` tells the rows of `{}` apart, and is compared exactly", decl.table);
            let said = Diagnostic::new(Code::BAD_OPTION, message, span, "part of the key");
            cx.report(said.help(format!("remove it; to accept any key in new rows, write: ignore {name}")));
            return None;
        }
        let pointer = point_at_table_column(&decl.table, &known.name);
        found.push(OptionColumn { name, pointer, ty: known.ty.clone(), span });
    }
    let is_text = |column: &&OptionColumn| !matches!(column.ty.kind, TyKind::Text | TyKind::Unknown);
    let other = found.iter().find(is_text).filter(|_| matches!(option.kind, OptKind::Ignore(_)));
    if let Some(column) = other {
        report_cells_of_other_type(cx, "ignore", column);
        return None;
    }
    Some(found)
}

/// Reports `written` without columns: a state has values of many types.
fn accept_whole_state(cx: &mut Checker<'_>, option: &ast::Opt) -> bool {
    let is_written = matches!(option.kind, OptKind::Written(..));
    if is_written {
        let message = "`written` after a state needs columns";
        let said = Diagnostic::new(Code::BAD_OPTION, message, option.span, "for which column?");
        cx.report(said.help("write its table and its name: written \"dd.MM.yyyy\" in TABLE.COLUMN"));
    }
    !is_written
}

/// Suggests the columns of a table, or of all tables that have a column of this name.
fn suggest_columns(relations: &Relations<'_>, file: FileId, name: &str) -> String {
    let tables = relations.checked.iter().filter(|decl| decl.file == Some(file));
    let named = tables.filter(|decl| decl.columns.iter().any(|column| !column.helper && column.name == name));
    let paths: Vec<String> = named.map(|decl| format!("in {}.{name}", decl.table)).collect();
    match paths.as_slice() {
        [] => "write the name of the table and that of the column: in TABLE.COLUMN".to_owned(),
        paths => format!("write: {}", paths.join(" or ")),
    }
}

/// Reports an option for a column that is ignored.
pub(super) fn reject_ignored_columns(cx: &mut Checker<'_>, columns: &[(OptionColumn, Options)], ignored: &[String]) {
    let is_ignored = |column: &OptionColumn| {
        ignored.iter().any(|part| {
            *part == column.name || column.name.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    if let Some((column, _)) = columns.iter().find(|(column, _)| is_ignored(column)) {
        let message = format!("`{}` is ignored, and not compared", column.name);
        let said = Diagnostic::new(Code::BAD_OPTION, message, column.span, "has an option of its own");
        cx.report(said.help("keep `ignore`, or the option"));
    }
}
