//! The similarity of two words, from 0 to 1.

use std::cell::RefCell;
use std::collections::HashMap;

use super::super::edits::{self, Slip};
use super::super::words::{is_counterpart, is_number, to_singular};
use super::read::is_several;
use super::{classes, lexicon};

/// Synonyms.
const SYNONYM: f64 = 0.9;
/// Words with similar meanings.
const NEAR: f64 = 0.74;
/// Maximum for a word for a kind of value and another word.
const ROLE_AND_WORD: f64 = 0.7;
/// A word, and some of its letters in order.
const DRAWN: f64 = 0.9;

/// A cache of compared pairs: the names of one database repeat the same words.
#[derive(Default)]
pub struct Compared(RefCell<HashMap<String, HashMap<String, f64>>>);

impl Compared {
    /// Returns the cached result of [`compute_similarity`].
    pub fn find_similarity(&self, word: &str, other: &str) -> f64 {
        if let Some(known) = self.0.borrow().get(word).and_then(|others| others.get(other)) {
            return *known;
        }
        let alike = compute_similarity(word, other);
        self.0.borrow_mut().entry(word.to_owned()).or_default().insert(other.to_owned(), alike);
        alike
    }
}

/// Computes the similarity of two words: 1 if they are the same, 0 if they are unrelated.
pub fn compute_similarity(word: &str, other: &str) -> f64 {
    if word == other {
        return 1.0;
    }
    if is_number(word) || is_number(other) {
        return 0.0;
    }
    let (one, another) = (to_singular(word), to_singular(other));
    if one == another {
        return 0.99;
    }
    if classes::is_same_unit(word, other)
        || lexicon::is_short_form(word, other)
        || lexicon::is_short_form(&one, &another)
    {
        return 0.98;
    }
    if classes::is_opposite(&one, &another) || classes::is_opposite(word, other) {
        return 0.0;
    }
    let roles = match (classes::find_role(word), classes::find_role(other)) {
        (Some(a), Some(b)) if a == b => Some(0.93),
        (Some(a), Some(b)) => Some(compare_roles(a, b).max(compare_roles(b, a))),
        _ => None,
    };
    if !is_counterpart(word, other) && !is_counterpart(other, word) && lexicon::has_same_lemma(&one, &another) {
        return 0.96;
    }
    // Words for two kinds of values are compared by kind: a point in time is not a duration.
    if let Some(roles) = roles {
        return roles;
    }
    // A word for one of these kinds resembles other words less: a name is not the thing that has it.
    let kind =
        |word: &str| classes::find_role(word).is_some_and(|role| ["moment", "name", "number", "key"].contains(&role));
    let most = if kind(word) || kind(other) { ROLE_AND_WORD } else { 1.0 };
    if lexicon::is_synonym(&one, &another) || lexicon::is_synonym(word, other) {
        return SYNONYM.min(most);
    }
    if let Some(slip) = score_slip(word, other)
        .or_else(|| score_slip(&one, &another))
        .or_else(|| score_meaning_slip(word, other))
        .or_else(|| score_meaning_slip(other, word))
    {
        return slip;
    }
    let drawn = |short: &str, long: &str| lexicon::is_letter_abbreviation(short, long) && !is_several(long);
    if drawn(word, &another) || drawn(other, &one) {
        return DRAWN;
    }
    if lexicon::is_near_synonym(&one, &another) { NEAR.min(most) } else { 0.0 }
}

/// Returns how well a value of one kind can replace one of another.
fn compare_roles(a: &str, b: &str) -> f64 {
    match (a, b) {
        ("key", "number") => 0.7,
        ("number", "count") => 0.6,
        ("count", "money") => 0.5,
        ("name", "title") => 0.8,
        ("name", "text") => 0.5,
        ("type", "level") => 0.6,
        ("name", "number") => 0.3,
        _ => 0.0,
    }
}

/// Scores a typing slip in one word. Two words that both exist are never slips of each other; shorter words may differ in fewer letters.
fn score_slip(word: &str, other: &str) -> Option<f64> {
    let known = |word: &str| lexicon::is_known(&to_singular(word)) || lexicon::is_known(word);
    let is_word = |word: &str| lexicon::is_word(&to_singular(word)) || lexicon::is_word(word);
    let longest = word.chars().count().max(other.chars().count());
    let slip = edits::detect_slip(word, other);
    let swapped = slip == Some(Slip::Swapped) && !(is_word(word) && is_word(other));
    // Two spellings of a long word: `specialty` and `speciality`.
    if longest > 7
        && slip == Some(Slip::Dropped)
        && word.get(..2) == other.get(..2)
        && word.get(word.len().saturating_sub(2)..) == other.get(other.len().saturating_sub(2)..)
    {
        return Some(0.95);
    }
    // A word with the prefix `un`, `de`, or `dis` is the opposite.
    let (short, long) = if word.len() < other.len() { (word, other) } else { (other, word) };
    if known(word) && known(other) && !swapped
        || long.ends_with(short)
        || is_counterpart(word, other)
        || is_counterpart(other, word)
    {
        return None;
    }
    match slip {
        Some(Slip::Swapped) => Some(0.94),
        Some(Slip::Dropped) if longest > 3 => Some(0.92),
        Some(Slip::NextKey) if longest > 4 => Some(0.9),
        Some(Slip::OtherKey) if longest > 5 => Some(0.88),
        Some(_) => None,
        None => (longest > 6 && edits::measure_distance(word, other) * 4 <= longest).then_some(0.75),
    }
}

/// Scores a slip in a word that the other one abbreviates: `numbr` and `no`.
fn score_meaning_slip(word: &str, short: &str) -> Option<f64> {
    if lexicon::is_known(word) {
        return None;
    }
    lexicon::expand_short_form(short).find_map(|meaning| score_slip(word, meaning)).map(|slip| slip - 0.02)
}
