//! `other_column`: the prompt names a column after "highest" or "sum of", and the key computes another one.

use std::ops::Range;

use model::suite::{ColumnId, RelationId};

use super::answers::{Computed, Leaf, find_computed, find_sole_leaf};
use super::asked_aggregates::{Wish, find_wish_in};
use super::described_keys::list_described_values;
use super::glossary::find_described;
use super::tokens::{Text, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::Ty;
use hir::{Arg, Column, ColumnSource};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;

/// The shortest name of a column that is recognized in prose.
const MIN_WORD: usize = 3;

/// Compares the columns after aggregate words with the columns of the values that they describe.
pub(super) fn report_columns<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    if wording.can_vary() {
        return;
    }
    let described = match find_sole_leaf(leaves) {
        Some(leaf) => vec![(leaf, 0..wording.text.tokens.len())],
        None => list_described_values(wording, leaves),
    };
    for (leaf, words) in described {
        let new = check_column(wording, leaf, words);
        new.into_iter().for_each(|new| report_once(new, said));
    }
}

/// Compares the column after an aggregate word among some words with the column of the value that they describe.
fn check_column(wording: &Wording<'_, '_>, leaf: &Leaf<'_>, words: Range<usize>) -> Option<Diagnostic> {
    let cx = wording.cx;
    let text = &wording.text;
    let wish = find_wish_in(cx.task, text, wording.language, words.clone())?;
    let is_of_values = !matches!(wish.means, Wish::Aggregate(Aggregate::Count) | Wish::Nothing);
    let computed = find_computed(cx, leaf.value).filter(|_| is_of_values)?;
    let Computed { column: Some((relation, column)), span, .. } = computed else { return None };
    let columns = &cx.task.relations.get(relation)?.columns;
    // What a computed column means is not in its name.
    let is_plain = |column: &&Column| !matches!(column.source, ColumnSource::Compute(_));
    let own = columns.get(column).filter(is_plain)?;
    let mut start = skip_links(text, wish.end, wording.language.links);
    let find_named = |start: usize| {
        let ends = columns
            .iter_enumerated()
            .filter_map(|(id, column)| Some((id, column, match_name(text, start, &column.name)?)));
        ends.filter(|(_, _, end)| *end <= words.end).max_by_key(|(_, _, end)| *end)
    };
    let mut named = find_named(start);
    // The name of a column before what is computed: "the net total".
    if named.is_none() && matches!(wish.means, Wish::Aggregate(_)) {
        let before = wish.start.checked_sub(1).filter(|before| words.contains(before));
        named = before.and_then(&find_named).filter(|(_, _, end)| *end == wish.start);
        start = named.and(before).unwrap_or(start);
    }
    let described = || {
        let own = cx.task.relations.get(relation).filter(|_| words.len() == text.tokens.len())?;
        let (id, end) = find_described(text, own, start, column)?;
        Some((id, columns.get(id)?, end))
    };
    // The meaning of the key's column is told, too.
    let is_mentioned = || named.is_some() && is_mentioned(text, &words, own);
    let (other, asked, end) = named.or_else(described)?;
    let is_read = || is_column_read(cx, leaf, (relation, other));
    if other == column || !is_same_kind(&asked.ty, &own.ty) || is_mentioned() || is_read() {
        return None;
    }
    let message = format!("the prompt asks for `{}`, but the key computes `{}`", asked.name, own.name);
    Some(
        Diagnostic::new(Code::OTHER_COLUMN, message, span, format!("computes `{}`", own.name))
            .label(wording.locate(start, end), "asked here")
            .help(format!("compute `{}` in the key, or ask for `{}` in the prompt", asked.name, own.name)),
    )
}

fn skip_links(text: &Text<'_>, mut at: usize, links: &[&str]) -> usize {
    while text.tokens.get(at).is_some_and(|token| token.is_any(links)) {
        at += 1;
    }
    at
}

/// The end of the name of a column that begins at a token: as it is, or as words.
pub(super) fn match_name(text: &Text<'_>, start: usize, name: &str) -> Option<usize> {
    let first = text.tokens.get(start)?;
    if first.text == name && (first.quoted || !name.chars().all(char::is_lowercase) || name.len() >= MIN_WORD) {
        return Some(start + 1);
    }
    let words = split_name(name);
    if words.iter().map(String::len).sum::<usize>() < MIN_WORD {
        return None;
    }
    let mut at = start;
    for word in &words {
        text.tokens.get(at).filter(|token| is_word(token, word))?;
        at += 1;
    }
    Some(at)
}

fn split_name(name: &str) -> Vec<String> {
    name.split(['_', ' ']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a token is a word, in the singular or the plural.
fn is_word(token: &Token<'_>, word: &str) -> bool {
    let singular = |word: &str| match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    };
    !token.is_operand() && (token.lower == word || singular(&token.lower) == singular(word))
}

pub(super) fn is_same_kind(one: &Ty, other: &Ty) -> bool {
    one.is_number() && other.is_number() || one.kind == other.kind
}

/// Whether all words of the column's name are among some words of the wording.
fn is_mentioned(text: &Text<'_>, words: &Range<usize>, column: &Column) -> bool {
    let near = || text.tokens.iter().take(words.end).skip(words.start);
    let is_known = |word: &String| {
        near().any(|token| is_word(token, word) || word.len() > 2 && token.lower.starts_with(word.as_str()))
    };
    near().any(|token| token.text == column.name) || split_name(&column.name).iter().all(is_known)
}

/// Whether the answer reads a column anywhere.
pub(super) fn is_column_read(cx: &TaskCx<'_>, leaf: &Leaf<'_>, sought: (RelationId, ColumnId)) -> bool {
    let mut found = false;
    leaf.value.visit_through_names(cx.task, &mut |part| {
        found |= part.as_column_id() == Some(sought.1);
        let hir::ExprKind::Call(_, args) = &part.kind else { return };
        found |= args.iter().any(|arg| match arg {
            Arg::Column { relation, column, .. } => (*relation, *column) == sought,
            Arg::Sql(sql) => sql.analysis.reads.contains(&sought),
            _ => false,
        });
    });
    found
}
