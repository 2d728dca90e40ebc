//! `other_column` for what is replied: "Reply with the name of the director", where the key is the title.

use model::suite::{ColumnId, RelationId};

use super::answers::{Leaf, find_sole_leaf};
use super::column::{is_column_read, is_same_kind};
use super::tokens::{Kind, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, ExprKind};
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::{GENERIC_NAMES, REQUESTS};
use syntax::prompts::has_listed;

/// The largest number of words between "reply" and what is replied.
const MAX_BEFORE: usize = 8;

/// Compares the column after "reply with" with the column that the only answer is.
pub(super) fn report_asked_columns<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let Some(leaf) = find_sole_leaf(leaves).filter(|_| !wording.can_vary()) else { return };
    let Some((relation, column)) = find_replied(cx, leaf) else { return };
    let Some(table) = cx.task.relations.get(relation) else { return };
    let Some(own) = table.columns.get(column) else { return };
    let names = |name: &str| -> Vec<String> { split_words(name).iter().map(|word| to_singular(word)).collect() };
    let mut asked = None;
    for at in 0..wording.text.tokens.len() {
        let Some(token) = wording.text.tokens.get(at).filter(|_| is_of_reply(wording, at)) else { continue };
        let word = read_word(token);
        // "The name of the guide" asks for the guide.
        let is_of_other = word == "name" && wording.text.match_phrase(at + 1, "of the").is_some();
        if names(&own.name).contains(&word) && !is_of_other {
            return;
        }
        let is_asked = |name: &str| matches!(names(name).as_slice(), [only] if *only == word);
        let mut others = table.columns.iter_enumerated().filter(|(id, other)| *id != column && !other.helper);
        let named = others.find(|(_, other)| is_asked(&other.name));
        asked = asked.or(named.map(|(id, other)| (at, id, other)));
    }
    let Some((at, id, other)) = asked else { return };
    let is_generic =
        has_listed(GENERIC_NAMES, &other.name.to_lowercase()) || has_listed(REQUESTS, &other.name.to_lowercase());
    if is_generic || !is_same_kind(&other.ty, &own.ty) || is_column_read(cx, leaf, (relation, id)) {
        return;
    }
    let words = wording.quote(at, at + 1);
    let message = format!("the prompt asks for the `{words}`, but the key is `{}`", own.name);
    let new = Diagnostic::new(
        Code::OTHER_COLUMN,
        message,
        leaf.value.resolve_name(cx.task).span,
        format!("returns `{}`", own.name),
    )
    .label(wording.locate(at, at + 1), "asked here")
    .help(format!("return `{}` in the key, or ask for `{}` in the prompt", other.name, own.name));
    report_once(new, said);
}

/// Whether a token is near the beginning of a sentence that begins with "reply".
fn is_of_reply(wording: &Wording<'_, '_>, at: usize) -> bool {
    let tokens = &wording.text.tokens;
    let Some(token) = tokens.get(at).filter(|token| matches!(token.kind, Kind::Word)) else { return false };
    let start = tokens.iter().position(|other| other.sentence == token.sentence).unwrap_or(at);
    let begins = tokens.get(start).is_some_and(|first| first.is_any(wording.language.replying));
    begins && at > start && at - start <= MAX_BEFORE
}

/// A word in the singular, without the ending of an owner.
fn read_word(token: &Token<'_>) -> String {
    to_singular(token.lower.trim_end_matches("'s").trim_end_matches('\''))
}

/// The column that an answer is, unchanged.
fn find_replied(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> Option<(RelationId, ColumnId)> {
    let ExprKind::Call(function, args) = &leaf.value.resolve_name(cx.task).kind else { return None };
    match args.as_slice() {
        [.., Arg::Sql(sql)] => match sql.analysis.columns.as_slice() {
            [only] => only.origin,
            _ => None,
        },
        [Arg::Column { relation, column, .. }] if function.picks.is_some() || function.is_value_list() => {
            Some((*relation, *column))
        }
        _ => None,
    }
}
