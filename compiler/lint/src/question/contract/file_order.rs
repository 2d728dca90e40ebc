//! `other_order` of files: the prompt says that the oldest row is first, and the file is written with the newest first.

use model::suite::OrderBy;

use super::tokens::Found;
use super::wording::Wording;
use crate::context::report_once;
use hir::types::TyKind;
use hir::{Column, Relation};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::End;
use syntax::prompts::english::rows::SORTED;

/// Compares what a wording says of the order of the only sorted file with how it is written.
pub(super) fn report_file_orders(wording: &Wording<'_, '_>, said: &mut Vec<Diagnostic>) {
    let mut sorted = wording.cx.task.relations.iter().filter_map(|relation| Some((relation, relation.by?)));
    let Some((relation, by)) = sorted.next().filter(|_| sorted.next().is_none() && !wording.can_vary()) else { return };
    let is_shown = relation.file.is_some_and(|file| wording.telling.files.contains(&file));
    let Some(column) = relation.columns.get(by.column).filter(|_| is_shown) else { return };
    let Some(asked) = find_order(wording, column) else { return };
    let first = if by.descending { End::High } else { End::Low };
    if asked.means != first {
        report_once(build_diagnostic(wording, (asked, by), (relation, column)), said);
    }
}

/// The only order that a sentence about sorted rows says, if it is not about the reply.
fn find_order(wording: &Wording<'_, '_>, column: &Column) -> Option<Found<End>> {
    let text = &wording.text;
    let is_date = matches!(column.ty.kind, TyKind::Date | TyKind::DateTime);
    let phrases = if is_date { wording.language.date_orders } else { wording.language.orders };
    let about_rows = |found: &Found<End>| {
        let sentence = text.tokens.get(found.start).map(|token| token.sentence);
        let mut words = text.tokens.iter().filter(|token| Some(token.sentence) == sentence);
        words.any(|token| token.is_any(SORTED)) && !wording.is_about_reply(found.start)
    };
    let found: Vec<Found<End>> = text.find_phrases(phrases).into_iter().filter(about_rows).collect();
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

fn build_diagnostic(
    wording: &Wording<'_, '_>,
    (asked, by): (Found<End>, OrderBy),
    (relation, column): (&Relation, &Column),
) -> Diagnostic {
    let words = wording.quote(asked.start, asked.end);
    let own = if by.descending { "the largest" } else { "the smallest" };
    let message = format!("the prompt says `{words}`, but `{}` has {own} `{}` first", relation.name, column.name);
    let help = if by.descending { "remove `desc` after `rows by`" } else { "write `desc` after `rows by`" };
    Diagnostic::new(Code::OTHER_ORDER, message, relation.span, "written in the other direction")
        .label(wording.locate(asked.start, asked.end), "said here")
        .help(format!("{help}, or change the prompt"))
}
