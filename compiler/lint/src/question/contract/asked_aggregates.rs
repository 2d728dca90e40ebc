//! The words of a wording that say what to compute: an aggregate, or one of two ends.

use std::ops::Range;

use super::tokens::{Found, Kind, Text, Token};
use hir::{Relation, Task};
use syntax::prompts::english::aggregates::{PACE_ORDERS, PACES};
use syntax::prompts::english::lints::WEAK;
use syntax::prompts::english::rows;
use syntax::prompts::{Aggregate, End, Language};

/// The number of words of a clause that are read after a phrase.
const MAX_CLAUSE: usize = 8;

/// Phrases that ask for a count.
const COUNTS: &[&str] = &["total number of", "total count of", "number of"];

/// What a phrase asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// An aggregate.
    Aggregate(Aggregate),
    /// An end of any values.
    End(End),
    /// An end of dates.
    Age(End),
    /// An end of durations: the fastest has the lowest.
    Pace(End),
    /// Nothing: the phrase only looks like one of these.
    Nothing,
}

impl Wish {
    /// What it is for dates, or for other values.
    pub fn to_aggregate(self, of_dates: Option<bool>) -> Option<Aggregate> {
        match (self, of_dates) {
            (Wish::Aggregate(aggregate), _) => Some(aggregate),
            (Wish::End(End::High), _) | (Wish::Age(End::High), Some(true)) => Some(Aggregate::High),
            (Wish::End(End::Low), _) | (Wish::Age(End::Low), Some(true)) => Some(Aggregate::Low),
            (Wish::Age(_) | Wish::Pace(_) | Wish::Nothing, _) => None,
        }
    }
}

/// Finds the only thing that a wording asks to compute. `None` if it asks for several.
pub(super) fn find_wish(task: &Task, text: &Text<'_>, language: &Language) -> Option<Found<Wish>> {
    find_wish_in(task, text, language, 0..text.tokens.len())
}

/// Finds the only thing that some words of a wording ask to compute.
pub(super) fn find_wish_in(
    task: &Task,
    text: &Text<'_>,
    language: &Language,
    words: Range<usize>,
) -> Option<Found<Wish>> {
    let mut found = list_wishes(task, text, language, words)?;
    let is = |aggregate: Aggregate| move |found: &Found<Wish>| found.means == Wish::Aggregate(aggregate);
    if found.iter().any(is(Aggregate::Distinct)) {
        found.retain(|found| found.means != Wish::Aggregate(Aggregate::Count));
    }
    let is_weak = |found: &Found<Wish>| text.tokens.get(found.start).is_some_and(|token| token.is_any(WEAK));
    if found.iter().any(|found| !is_weak(found)) {
        found.retain(|found| !is_weak(found));
    }
    let (first, rest) = found.split_first()?;
    rest.iter().all(|other| other.means == first.means).then_some(*first)
}

/// Finds an end of groups: "the highest mean", "the lowest total". Nothing else is asked for.
pub(super) fn find_end_of_groups(task: &Task, text: &Text<'_>, language: &Language) -> Option<Found<Wish>> {
    let found = list_wishes(task, text, language, 0..text.tokens.len())?;
    let [end, aggregate] = found.as_slice() else { return None };
    let is_plain = matches!(aggregate.means, Wish::Aggregate(aggregate) if aggregate != Aggregate::Count);
    (matches!(end.means, Wish::End(_)) && is_plain && aggregate.start == end.end).then_some(*end)
}

/// Whether "longest" is about a time that has not ended: "has been waiting longest". The longest one then has the earliest date.
pub(super) fn is_about_stay<M>(text: &Text<'_>, found: &Found<M>) -> bool {
    let Some(first) = text.tokens.get(found.start).filter(|first| first.is_any(rows::LENGTHS)) else { return false };
    let near = text.tokens.iter().take(found.end + 1).skip(found.start.saturating_sub(MAX_CLAUSE));
    near.filter(|token| token.sentence == first.sentence).any(|token| token.is_any(rows::STAYS))
}

/// Lists all phrases that ask to compute something. `None` if a name of the data is one of these words.
fn list_wishes(task: &Task, text: &Text<'_>, language: &Language, words: Range<usize>) -> Option<Vec<Found<Wish>>> {
    let mut found = text.find_all(list_phrases(language));
    found.retain(|found| words.contains(&found.start) && found.end <= words.end);
    found.retain(|found| {
        found.means != Wish::Nothing && !is_verb(text, language, found) && !is_about_ties(text, language, found)
    });
    // Names are in backticks or in capital letters.
    let is_name = |found: &Found<Wish>| {
        text.tokens.get(found.start).is_some_and(|token| {
            token.quoted || token.text.len() > 1 && token.text.chars().all(|c| c.is_uppercase() || c == '_')
        })
    };
    found.retain(|found| !is_name(found));
    let words = |found: &Found<Wish>| text.quote(found.start, found.end).to_lowercase();
    let is_part = |name: &str, word: &str| {
        name.to_lowercase().split('_').any(|part| part == word || part == "avg" && word == "average")
    };
    let is_column = |relation: &Relation, word: &str| relation.columns.iter().any(|column| is_part(&column.name, word));
    let clashes = found.iter().any(|found| task.relations.iter().any(|relation| is_column(relation, &words(found))));
    (!clashes).then_some(found)
}

/// Whether a phrase says which of equal rows counts, or comes first: "in case of a tie, the lowest", "alphabetical among equals".
pub(super) fn is_about_equals<M>(text: &Text<'_>, language: &Language, found: &Found<M>) -> bool {
    let tokens = &text.tokens;
    let Some(first) = tokens.get(found.start) else { return false };
    let is_equal = |token: &Token<'_>| token.is_any(language.equals);
    let mut before = tokens.iter().take(found.start).filter(|token| token.sentence == first.sentence);
    let same_clause = |token: &&Token<'_>| token.sentence == first.sentence && !matches!(token.kind, Kind::Mark);
    let mut behind = tokens.iter().skip(found.end).take_while(same_clause).take(MAX_CLAUSE);
    before.any(is_equal) || behind.any(is_equal)
}

/// Whether a phrase is in brackets that say which of equal rows counts.
fn is_about_ties(text: &Text<'_>, language: &Language, found: &Found<Wish>) -> bool {
    let tokens = &text.tokens;
    let Some(before) = tokens.get(..found.start) else { return false };
    let opened = before.iter().rposition(|token| token.text == "(");
    let closed = before.iter().rposition(|token| token.text == ")");
    let Some(start) = opened.filter(|opened| closed.is_none_or(|closed| closed < *opened)) else { return false };
    tokens.iter().skip(start).take_while(|token| token.text != ")").any(|token| token.is_any(language.ties))
}

/// Whether "mean" is a verb: "a dash can mean nothing".
fn is_verb(text: &Text<'_>, language: &Language, found: &Found<Wish>) -> bool {
    let tokens = &text.tokens;
    let before = found.start.checked_sub(1).and_then(|at| tokens.get(at));
    let is_noun = before.is_none_or(|before| before.is_any(language.determiners));
    found.means == Wish::Aggregate(Aggregate::Mean)
        && tokens.get(found.start).is_some_and(|token| token.is_word("mean"))
        && !is_noun
}

fn list_phrases(language: &Language) -> impl Iterator<Item = (&'static str, Wish)> {
    let aggregates = language.aggregates.iter().map(|(phrase, aggregate)| (*phrase, Wish::Aggregate(*aggregate)));
    let ends = language.extremes.iter().map(|(phrase, end)| (*phrase, Wish::End(*end)));
    let ages = language.ages.iter().map(|(phrase, end)| (*phrase, Wish::Age(*end)));
    let paces = PACES.iter().map(|(phrase, end)| (*phrase, Wish::Pace(*end)));
    let counts = COUNTS.iter().map(|phrase| (*phrase, Wish::Aggregate(Aggregate::Count)));
    let idioms = language.idioms.iter().copied().filter(|phrase| !COUNTS.contains(phrase));
    let orders = language.orders.iter().chain(language.date_orders).chain(PACE_ORDERS).map(|(phrase, _)| *phrase);
    let nothing = idioms.chain(orders).map(|phrase| (phrase, Wish::Nothing));
    nothing.chain(counts).chain(aggregates).chain(ends).chain(ages).chain(paces)
}
