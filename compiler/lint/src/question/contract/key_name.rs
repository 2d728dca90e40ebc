//! `other_column` for the keys of a reply: a key reads like one column, and its value is computed from another one.

use super::answers::{Computed, Leaf, find_computed};
use super::column::{is_column_read, is_same_kind};
use syntax::prompts::{Aggregate, Language};
use crate::context::{TaskCx, report_once};
use hir::{Column, ColumnSource};
use names::words::{split_words, to_singular};
use syntax::diagnostics::{Code, Diagnostic};

/// The shortest word that shows which column is meant.
const MIN_WORD: usize = 3;

/// Compares the names of keys with the columns of their values.
pub(super) fn report_key_names<'a>(
    cx: &TaskCx<'a>,
    leaves: &[Leaf<'a>],
    language: &Language,
    said: &mut Vec<Diagnostic>,
) {
    for leaf in leaves {
        let key = leaf.pointer.rsplit('/').next().unwrap_or_default();
        let words = list_telling_words(key, language);
        let Some(computed) = find_computed(cx, leaf.value).filter(|_| !words.is_empty()) else { continue };
        if let Some(new) = check_key(cx, leaf, key, &words, &computed) {
            report_once(new, said);
        }
    }
}

fn check_key(cx: &TaskCx<'_>, leaf: &Leaf<'_>, key: &str, words: &[String], computed: &Computed) -> Option<Diagnostic> {
    let (relation, column) = computed.column?;
    let is_of_values = !computed.of_order && !matches!(computed.aggregate, Aggregate::Count | Aggregate::Distinct);
    let columns = &cx.task.relations.get(relation)?.columns;
    let own = columns.get(column).filter(|_| is_of_values)?;
    let is_named = |column: &Column| list_words(&column.name).iter().any(|word| words.contains(word));
    let is_plain =
        |column: &Column| matches!(column.source, ColumnSource::Draw { .. } | ColumnSource::Given(_)) && !column.helper;
    if is_named(own) || !is_plain(own) {
        return None;
    }
    let mut named = columns
        .iter_enumerated()
        .filter(|(_, other)| is_named(other) && is_plain(other) && is_same_kind(&other.ty, &own.ty));
    let (id, other) = named.next()?;
    // A key with the whole name of a column can be a name of its own.
    if named.next().is_some() || key.eq_ignore_ascii_case(&other.name) || is_column_read(cx, leaf, (relation, id)) {
        return None;
    }
    let message = format!("the key `{key}` reads like `{}`, but it computes `{}`", other.name, own.name);
    Some(
        Diagnostic::new(Code::OTHER_COLUMN, message, computed.span, format!("computes `{}`", own.name))
            .label(leaf.expect.span, "expected here")
            .help(format!("compute `{}`, or give the key another name", other.name)),
    )
}

fn list_words(name: &str) -> Vec<String> {
    split_words(name).iter().map(|word| to_singular(word)).collect()
}

/// The words of a key that can name a column: not those that say what is computed, nor units.
fn list_telling_words(key: &str, language: &Language) -> Vec<String> {
    let is_computing = |word: &str| {
        language.aggregates.iter().any(|(phrase, _)| *phrase == word)
            || language.extremes.iter().chain(language.ages).any(|(phrase, _)| *phrase == word)
            || language.units.iter().any(|unit| unit.words.contains(&word) || unit.column_words.contains(&word))
    };
    let words = list_words(key).into_iter();
    words.filter(|word| word.len() >= MIN_WORD && !is_computing(word)).collect()
}
