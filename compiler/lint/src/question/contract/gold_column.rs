//! The column of which a question of a data set speaks, against the one that its SQL reads: `decided_on`, and `filed_on`.

use super::super::dependence::hints::Hints;
use super::super::dependence::sibling::{Named, find_sibling};
use crate::context::TaskCx;
use hir::Relation;
use hir::types::TyKind;
use sql::lex::{Kind, tokenize_sql};

/// Says what a question asks for instead of what its SQL reads.
pub(super) fn check_column(cx: &TaskCx<'_>, question: &str, sql: &str) -> Option<String> {
    let tokens = tokenize_sql(sql);
    // A date that is missing says that something has not happened.
    if tokens.iter().any(|token| token.is_keyword("NULL")) {
        return None;
    }
    let is_named = |name: &str| tokens.iter().any(|token| token.is_named(name));
    let list_texts = || {
        let texts = tokens.iter().filter(|token| token.kind == Kind::Text).map(|token| token.text);
        texts.collect::<Vec<_>>().join(" ")
    };
    let hints = Hints::from_text(question);
    let mut found =
        cx.task.relations.iter().filter(|own| own.file.is_some() && is_named(&own.table)).filter_map(|own| {
            let columns = list_columns(own, &is_named);
            let (asked, read) = find_sibling(&hints, &columns, list_texts)?;
            Some((columns.get(asked)?.name.to_owned(), columns.get(read)?.name.to_owned()))
        });
    let (asked, read) = found.next().filter(|_| found.next().is_none())?;
    Some(format!("speaks of `{asked}`, but its SQL reads `{read}`"))
}

fn list_columns<'a>(own: &'a Relation, is_named: &dyn Fn(&str) -> bool) -> Vec<Named<'a>> {
    let kind = |column: &hir::Column| match column.ty.kind {
        TyKind::Text => 1,
        TyKind::Date | TyKind::DateTime => 2,
        _ if column.ty.is_number() => 3,
        _ => 0,
    };
    own.iter_own_columns()
        .map(|(_, column)| Named { name: &column.name, kind: kind(column), read: is_named(&column.name) })
        .filter(|column| column.kind != 0)
        .collect()
}
