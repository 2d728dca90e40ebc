//! The values in a wording, each with the comparison word next to it.

use model::Value;

use super::key::Bound;
use super::tokens::{Found, Kind, Text, Token};
use model::suite::Op;
use syntax::prompts::english::comparisons::REVERSALS;
use syntax::prompts::{Asks, Language};

/// The longest comparison, in words.
const MAX_PHRASE: usize = 7;
/// The number of words between a value and the comparison after it: "5 full days or more".
const MAX_UNIT: usize = 2;
/// Signs of units.
const UNIT_SIGNS: [&str; 5] = ["%", "°", "€", "$", "£"];
/// The number of words before a comparison that can negate it.
const NEGATION_REACH: usize = 3;

/// A value in a wording.
pub(super) struct Mention<'a> {
    /// The index of its token.
    pub at: usize,
    /// The value.
    pub bound: Bound<'a>,
    /// The comparison word next to it.
    pub asks: Option<Found<Asks>>,
    /// Whether its words can be read in several ways.
    pub unclear: bool,
}

/// Finds the values in a wording.
pub(super) fn find_mentions<'a>(text: &Text<'a>, language: &Language) -> Vec<Mention<'a>> {
    let ranges = find_ranges(text, language);
    let mut found = Vec::new();
    for (at, token) in text.tokens.iter().enumerate() {
        let Some(bound) = read_value(token, language) else { continue };
        let is_word = matches!(token.kind, Kind::Word);
        if let Some((_, asks)) = ranges.iter().find(|(place, _)| *place == at) {
            let asks = asks.map(|means| Found { start: at, end: at + 1, means });
            found.push(Mention { at, bound, asks, unclear: asks.is_none() });
            continue;
        }
        let (before, after) = (find_before(text, language, at), find_after(text, language, at));
        let asks = before.or(after);
        if is_word && asks.is_none() {
            continue;
        }
        let start = asks.map_or(at, |asks| asks.start.min(at));
        let negated = text
            .tokens
            .iter()
            .skip(start.saturating_sub(NEGATION_REACH))
            .take(start.min(NEGATION_REACH))
            .any(|token| token.is_any(language.negations));
        let hinted = asks.is_some() && is_hinted(text, language, token, asks);
        let unclear = before.is_some() && after.is_some() || negated || hinted || is_reversed(text, at);
        found.push(Mention { at, bound, asks, unclear });
    }
    found
}

/// Whether a word before a value in its sentence turns its condition around.
fn is_reversed(text: &Text<'_>, at: usize) -> bool {
    let sentence = text.tokens.get(at).map(|token| token.sentence);
    let mut before = text.tokens.iter().take(at).rev().take_while(|token| Some(token.sentence) == sentence);
    before.any(|token| token.is_any(REVERSALS))
}

/// Whether the sentence of a value says in other words whether the value counts.
fn is_hinted(text: &Text<'_>, language: &Language, token: &Token<'_>, asks: Option<Found<Asks>>) -> bool {
    let mut sentence = text.tokens.iter().filter(|other| other.sentence == token.sentence);
    sentence.any(|other| {
        (other.is_any(language.inclusive) || other.is_any(language.exclusive)) && !is_inside(text, asks, other)
    })
}

/// Whether a token belongs to a phrase.
fn is_inside(text: &Text<'_>, phrase: Option<Found<Asks>>, token: &Token<'_>) -> bool {
    phrase.is_some_and(|phrase| {
        let mut tokens = text.tokens.iter().skip(phrase.start).take(phrase.end.saturating_sub(phrase.start));
        tokens.any(|inner| std::ptr::eq(inner, token))
    })
}

/// The value of a token.
fn read_value<'a>(token: &Token<'a>, language: &Language) -> Option<Bound<'a>> {
    match &token.kind {
        Kind::Placeholder(expr) => Some(Bound::Expr(expr)),
        Kind::Literal(value) => Some(Bound::Literal(value.clone())),
        Kind::Word => {
            let number = language.numbers.iter().position(|word| token.lower == *word).filter(|number| *number > 1)?;
            Some(Bound::Literal(Value::Int(number as i64)))
        }
        Kind::Mark => None,
    }
}

/// The comparison before a value.
pub(super) fn find_before(text: &Text<'_>, language: &Language, at: usize) -> Option<Found<Asks>> {
    let mut end = at;
    loop {
        let found = (end.saturating_sub(MAX_PHRASE)..end)
            .find_map(|start| text.match_longest(start, language.before).filter(|found| found.end == end));
        if found.is_some() {
            return found;
        }
        let token = text.tokens.get(end.checked_sub(1)?)?;
        let is_sign = matches!(token.text.as_str(), "$" | "€" | "£" | "(");
        if !(token.is_any(language.fillers) || is_sign) || at - end >= MAX_UNIT {
            return None;
        }
        end -= 1;
    }
}

/// The comparison after a value: not one that belongs to the value after it.
pub(super) fn find_after(text: &Text<'_>, language: &Language, at: usize) -> Option<Found<Asks>> {
    let mut start = at + 1;
    for _ in 0..=MAX_UNIT {
        if let Some(found) = text.match_longest(start, language.after) {
            let mut behind = text.tokens.iter().skip(found.end).take(MAX_UNIT);
            let is_free = !behind.any(|token| token.is_operand() || token.is_any(language.numbers));
            return is_free.then_some(found);
        }
        let token = text.tokens.get(start)?;
        let is_unit = matches!(token.kind, Kind::Word) || UNIT_SIGNS.contains(&token.text.as_str());
        if !is_unit || token.is_any(language.or) || token.is_any(language.and) {
            return None;
        }
        start = skip_quotient(text, start + 1);
    }
    None
}

/// The index after the rest of a unit such as `mmol/mol`.
fn skip_quotient(text: &Text<'_>, mut at: usize) -> usize {
    let is_word = |at: usize| text.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Word));
    while text.tokens.get(at).is_some_and(|token| token.text == "/") && is_word(at + 1) {
        at += 2;
    }
    at
}

/// The ends of ranges, each with its comparison, if the wording says whether it belongs to the range.
fn find_ranges(text: &Text<'_>, language: &Language) -> Vec<(usize, Option<Asks>)> {
    let mut found = Vec::new();
    for start in 0..text.tokens.len() {
        for (first, middle) in language.ranges {
            let Some(low) = text.match_phrase(start, first).and_then(|at| skip_fillers(text, language, at)) else {
                continue;
            };
            let (low_end, after_low) = read_end(text, language, low + 1);
            let behind = (after_low..=after_low + 1).find_map(|at| text.match_phrase(at, middle));
            let Some(high) = behind.and_then(|at| skip_fillers(text, language, at)) else { continue };
            let sentence = text.tokens.get(high).map(|token| token.sentence);
            let of_sentence = || text.tokens.iter().filter(|token| Some(token.sentence) == sentence);
            let includes = of_sentence().any(|token| token.is_any(language.inclusive));
            let excludes = of_sentence().any(|token| token.is_any(language.exclusive));
            let strict = match (includes, excludes) {
                (true, false) => Some(false),
                (false, true) => Some(true),
                _ => None,
            };
            let ends = strict.map(|strict| match strict {
                true => (Asks::new(Op::Gt), Asks::new(Op::Lt)),
                false => (Asks::new(Op::Ge), Asks::new(Op::Le)),
            });
            let ends = match (low_end, read_end(text, language, high + 1).0) {
                (Some(low), Some(high)) => {
                    Some((Asks::new(if low { Op::Gt } else { Op::Ge }), Asks::new(if high { Op::Lt } else { Op::Le })))
                }
                _ => ends,
            };
            found.push((low, ends.map(|ends| ends.0)));
            found.push((high, ends.map(|ends| ends.1)));
        }
    }
    found
}

/// Whether a word in brackets after an end of a range leaves the end out, and the index after it: `(exclusive)`.
fn read_end(text: &Text<'_>, language: &Language, at: usize) -> (Option<bool>, usize) {
    let is_mark = |at: usize, mark: &str| text.tokens.get(at).is_some_and(|token| token.text == mark);
    let word = text.tokens.get(at + 1).filter(|_| is_mark(at, "(") && is_mark(at + 2, ")"));
    match word.map(|word| (word.is_any(language.inclusive), word.is_any(language.exclusive))) {
        Some((true, false)) => (Some(false), at + 3),
        Some((false, true)) => (Some(true), at + 3),
        _ => (None, at),
    }
}

/// The index of the value after some words without meaning.
fn skip_fillers(text: &Text<'_>, language: &Language, mut at: usize) -> Option<usize> {
    loop {
        let token = text.tokens.get(at)?;
        if token.is_operand() {
            return Some(at);
        }
        if !(token.is_any(language.fillers) || matches!(token.text.as_str(), "$" | "€" | "£")) {
            return None;
        }
        at += 1;
    }
}
