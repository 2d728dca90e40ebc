//! `OPTION in COLUMN`, `ordered by COLUMN`: options for columns of a result set.

use model::Span;
use model::pointer::escape_step;
use model::suite::matchers::Takes;
use model::suite::{Matcher, SortKey};

use crate::context::Checker;
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind};
use syntax::ast::{self, Ident};
use syntax::diagnostics::wording::{build_unknown_diagnostic, join_with_or};
use syntax::diagnostics::{Code, Diagnostic};

/// A column that an option is for.
pub(crate) struct OptionColumn {
    /// Its name; in a database, that of its table precedes it.
    pub name: String,
    /// The pointer of its options in the answer key.
    pub pointer: String,
    pub ty: Ty,
    pub span: Span,
}

/// The place of a precision, and its word.
pub(crate) type Precision = (Span, &'static str);

/// The first precision of each column; without a name, that of the whole value.
#[derive(Default)]
pub(crate) struct Precisions {
    targets: Vec<Option<String>>,
    first: Vec<Option<Precision>>,
}

impl Precisions {
    /// Returns the first precision of the first of these columns, or of the whole value.
    pub fn find_first(&mut self, columns: &[OptionColumn]) -> &mut Option<Precision> {
        let target = columns.first().map(|column| column.name.clone());
        let at = self.targets.iter().position(|known| *known == target).unwrap_or_else(|| {
            self.targets.push(target);
            self.first.push(None);
            self.targets.len() - 1
        });
        &mut self.first[at]
    }
}

/// Whether two options are for the whole value, or have a column in common.
pub(crate) fn has_same_target(a: &ast::Opt, b: &ast::Opt) -> bool {
    let is_same = |a: &[Ident], b: &[Ident]| a.iter().map(|name| &name.text).eq(b.iter().map(|name| &name.text));
    match (a.columns.is_empty(), b.columns.is_empty()) {
        (true, true) => true,
        (false, false) => a.columns.iter().any(|a| b.columns.iter().any(|b| is_same(a, b))),
        _ => false,
    }
}

/// Finds the columns after an option; empty if it has none. `None` if one is not a column of the value, which is reported.
pub(super) fn resolve_option_columns<'a>(
    cx: &mut Checker<'a>,
    option: &'a ast::Opt,
    matcher: Matcher,
    ty: &Ty,
) -> Option<Vec<OptionColumn>> {
    let Some(first) = option.columns.first().and_then(|path| path.first()) else { return Some(Vec::new()) };
    if !cx.check_option_supported(first.span, "in", matcher, |record| record.takes == Takes::Rows) {
        return None;
    }
    let mut found: Vec<OptionColumn> = Vec::new();
    for path in &option.columns {
        let [name] = path.as_slice() else {
            let message = "a column of the expected rows has one name, without that of a table";
            let (first, last) = (path.first()?, path.last()?);
            let said = Diagnostic::new(Code::BAD_OPTION, message, Span { end: last.span.end, ..first.span }, "a path");
            cx.report(said.help(format!("write: in {}", last.text)));
            return None;
        };
        if is_listed_twice(cx, &found, &name.text, name.span) {
            continue;
        }
        let ty = find_expected_column(cx, name, ty)?;
        let pointer = format!("/*/{}", escape_step(&name.text));
        found.push(OptionColumn { name: name.text.clone(), pointer, ty, span: name.span });
    }
    Some(found)
}

/// Reports a column that an option lists again.
pub(super) fn is_listed_twice(cx: &mut Checker<'_>, found: &[OptionColumn], name: &str, span: Span) -> bool {
    let is_again = found.iter().any(|known| known.name == name);
    if is_again {
        let message = format!("column `{name}` is listed twice");
        cx.report(Diagnostic::new(Code::DUPLICATE, message, span, "again").help("remove it"));
    }
    is_again
}

/// Returns the type of the first column without numbers, else of the first: the one to which an option for numbers is least likely to fit.
pub(super) fn choose_type_for_numbers(columns: &[OptionColumn]) -> Option<&Ty> {
    let is_other = |column: &&OptionColumn| !column.ty.is_number() && !column.ty.is_unknown();
    columns.iter().find(is_other).or(columns.first()).map(|column| &column.ty)
}

/// Resolves the columns after `ordered by`. Each of several accepted results must have them.
pub(super) fn resolve_sort_keys<'a>(
    cx: &mut Checker<'a>,
    keys: &'a [ast::SortColumn],
    ty: &Ty,
    value: Option<&Expr>,
) -> Vec<SortKey> {
    let accepted: Vec<&Ty> = match value.map(|value| &value.kind) {
        Some(ExprKind::List(items)) => items.iter().map(|item| &item.ty).collect(),
        _ => vec![ty],
    };
    let mut found: Vec<SortKey> = Vec::new();
    for key in keys {
        if accepted.iter().all(|ty| find_expected_column(cx, &key.name, ty).is_some()) {
            found.push(SortKey { column: key.name.text.clone(), is_descending: key.is_descending });
        }
    }
    found
}

/// Returns the type of a column of the expected rows, or of any of several; reports a name that is none.
fn find_expected_column<'a>(cx: &mut Checker<'a>, name: &'a Ident, ty: &Ty) -> Option<Ty> {
    let columns = match &ty.kind {
        TyKind::Rows(columns) => columns,
        TyKind::List(item) => match &item.kind {
            TyKind::Rows(columns) => columns,
            _ => return Some(Ty::UNKNOWN),
        },
        _ => return Some(Ty::UNKNOWN),
    };
    if let Some((_, ty)) = columns.iter().find(|(known, _)| *known == name.text) {
        return Some(ty.clone());
    }
    let known = || columns.iter().map(|(known, _)| known.as_str());
    let message = format!("the expected rows have no column `{}`", name.text);
    let said = build_unknown_diagnostic(Code::UNKNOWN_COLUMN, name, message, "not a column of theirs", known());
    cx.report(said.with_default_help(format!("they have {}", join_with_or(known()))));
    None
}

/// Reports `contains in C`, the option `word` for texts, where C has no texts.
pub(super) fn report_cells_of_other_type(cx: &mut Checker<'_>, word: &str, column: &OptionColumn) {
    let message = format!("`{word} in` needs texts, but `{}` is {}", column.name, column.ty);
    let said = Diagnostic::new(Code::BAD_OPTION, message, column.span, format!("this is {}", column.ty));
    cx.report(said.help("remove it: values of other types are compared as values"));
}

/// Reports two names of expected columns that differ only in letter case, which `open` finds by their names.
pub(super) fn check_open_names(cx: &mut Checker<'_>, ty: &Ty, span: Span) {
    let TyKind::Rows(columns) = &ty.kind else { return };
    let names = || columns.iter().map(|(name, _)| name);
    let same = names().enumerate().find_map(|(at, name)| {
        let other = names().take(at).find(|other| other.to_lowercase() == name.to_lowercase())?;
        Some((other, name))
    });
    if let Some((first, second)) = same {
        let message = format!("`open` finds columns by their names, and `{first}` and `{second}` are one to it");
        let said = Diagnostic::new(Code::BAD_OPTION, message, span, "letter case does not count");
        cx.report(said.help(format!("give one of the two another name: SELECT … AS {second}_2")));
    }
}
