//! What a wording says that columns mean: "VMAG is the apparent magnitude, AMAG the absolute magnitude".

use std::collections::BTreeSet;

use model::suite::ColumnId;

use super::tokens::{Kind, Text};
use hir::Relation;
use names::words::to_singular;
use syntax::prompts::english::rows::{MEANING_ENDS, MEANING_LINKS};

/// The number of words of a meaning that are read.
const MAX_MEANING: usize = 5;
/// The number of words after an aggregate that say what is computed.
const MAX_ASKED: usize = 4;

/// The words by which a wording describes a column, and the tokens that do so.
struct Meaning {
    column: ColumnId,
    words: BTreeSet<String>,
    /// The token with the name.
    at: usize,
}

/// Finds the column that the words after an aggregate describe, if only its meaning has them, and the token after them. `start` is the first of these words; `computed` is
/// the column of the key, which must have another meaning.
pub(super) fn find_described(
    text: &Text<'_>,
    relation: &Relation,
    start: usize,
    computed: ColumnId,
) -> Option<(ColumnId, usize)> {
    let meanings = list_meanings(text, relation);
    let own = meanings.iter().find(|meaning| meaning.column == computed)?;
    let sentence = text.tokens.get(start)?.sentence;
    let name = &text.tokens.get(own.at)?.text;
    if text.tokens.iter().any(|token| token.sentence == sentence && token.text == *name) {
        return None;
    }
    let asked: Vec<(usize, String)> = (start..start + MAX_ASKED)
        .map_while(|at| {
            let token = text.tokens.get(at)?;
            let is_plain =
                matches!(token.kind, Kind::Word) && token.sentence == sentence && !token.is_any(MEANING_ENDS);
            is_plain.then(|| (at, to_singular(&token.lower)))
        })
        .collect();
    let in_sentence = |word: &String| {
        text.tokens.iter().any(|token| token.sentence == sentence && to_singular(&token.lower) == *word)
    };
    let is_own = |word: &String| meanings.iter().filter(|meaning| meaning.words.contains(word)).count() == 1;
    // A word that only the column of the key has means that it is asked for.
    if own.words.iter().any(|word| is_own(word) && in_sentence(word)) {
        return None;
    }
    let mut described = meanings.iter().filter(|meaning| meaning.column != computed).filter_map(|meaning| {
        let (at, _) = asked.iter().find(|(_, word)| is_own(word) && meaning.words.contains(word))?;
        Some((meaning.column, *at))
    });
    let (column, _) = described.next().filter(|_| described.next().is_none())?;
    Some((column, asked.last()?.0 + 1))
}

fn list_meanings(text: &Text<'_>, relation: &Relation) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for (at, token) in text.tokens.iter().enumerate() {
        let named = relation.columns.iter_enumerated().find(|(_, column)| column.name == token.text);
        let Some((column, _)) = named.filter(|_| !token.is_operand()) else { continue };
        let mut end = at + 1;
        while text.tokens.get(end).is_some_and(|token| token.is_any(MEANING_LINKS)) {
            end += 1;
        }
        let is_word = |at: usize| {
            let token = text.tokens.get(at)?;
            (matches!(token.kind, Kind::Word) && !token.is_any(MEANING_ENDS)).then(|| to_singular(&token.lower))
        };
        let words: BTreeSet<String> = (end..end + MAX_MEANING).map_while(is_word).collect();
        if end > at + 1 && !words.is_empty() && !found.iter().any(|known| known.column == column) {
            found.push(Meaning { column, words, at });
        }
    }
    found
}
