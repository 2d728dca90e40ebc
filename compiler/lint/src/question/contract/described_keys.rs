//! Keys of a JSON object that a wording describes one after another: "`guests` (how many guests there were), `last_day` (the day of the last walk)".

use std::ops::Range;

use model::singular::Step;

use super::answers::Leaf;
use super::described_places::list_described_places;
use super::tokens::{Text, Token};
use super::wording::Wording;
use syntax::prompts::english::lints::KEY_LINKS;

/// Words at the beginning of a description.
const ARTICLES: &[&str] = &["the", "a", "an", "its", "their", "his", "her"];

/// Lists several values with the words that describe them: those of an object by their keys, others by their places. None where a key or a place is named
/// twice, or is not named.
pub(super) fn list_described_values<'l, 'a>(
    wording: &Wording<'_, 'a>,
    leaves: &'l [Leaf<'a>],
) -> Vec<(&'l Leaf<'a>, Range<usize>)> {
    let of_keys = list_described_keys(wording, leaves);
    if of_keys.is_empty() { list_described_places(wording, leaves) } else { of_keys }
}

/// Lists the values of an object with the words that describe them.
fn list_described_keys<'l, 'a>(wording: &Wording<'_, 'a>, leaves: &'l [Leaf<'a>]) -> Vec<(&'l Leaf<'a>, Range<usize>)> {
    let text = &wording.text;
    let named = leaves.iter().map(|leaf| find_key(text, leaf));
    let Some(places) = named.collect::<Option<Vec<usize>>>() else { return Vec::new() };
    let describe = |(leaf, place): (&'l Leaf<'a>, &usize)| {
        let words = find_description(text, *place, &places)?;
        Some((leaf, words))
    };
    leaves.iter().zip(&places).filter_map(describe).collect()
}

/// The only place of a key that is named as such.
fn find_key(text: &Text<'_>, leaf: &Leaf<'_>) -> Option<usize> {
    let key = read_key(leaf).filter(|_| !leaf.expect.is_any_of())?;
    let named = text.tokens.iter().enumerate().filter(|(_, token)| token.text == key && token.quoted);
    let named: Vec<usize> = named.map(|(place, _)| place).collect();
    // A table can have the same name: "the tables `patients` and `visits`".
    let is_described = |place: &&usize| {
        let link = text.tokens.get(**place + 1);
        link.is_some_and(|link| link.text == "(" || link.is_any(KEY_LINKS))
    };
    let mut described = named.iter().filter(is_described);
    match (named.as_slice(), described.next(), described.next()) {
        ([only], ..) => Some(*only),
        (_, Some(only), None) => Some(*only),
        _ => None,
    }
}

/// The key of a value: of the object that is expected, or of the path after `at`.
fn read_key<'l>(leaf: &'l Leaf<'_>) -> Option<&'l str> {
    match (leaf.expect.at.as_ref().map(|place| place.path.steps()), leaf.pointer.as_str()) {
        (None, pointer) => pointer.strip_prefix('/').filter(|key| !key.contains('/')),
        (Some([Step::Name(key)]), "") => Some(key),
        _ => None,
    }
}

/// The words from a key to the next one: those in brackets after it, or those after a word or a mark that links them.
fn find_description(text: &Text<'_>, place: usize, keys: &[usize]) -> Option<Range<usize>> {
    let first = text.tokens.get(place)?;
    let link = text.tokens.get(place + 1)?;
    // "`mean` is the mean PRICE, `cheapest` the lowest PRICE".
    let start = place + if link.is_any(ARTICLES) { 1 } else { 2 };
    let of_sentence =
        |token: &Token<'_>| token.sentence == text.tokens.get(start).map_or(first.sentence, |token| token.sentence);
    let is_bracket = link.text == "(";
    // "`late`, the number of late ones".
    let is_apposition = || link.text == "," && text.tokens.get(start).is_some_and(|next| next.is_any(ARTICLES));
    let is_link = is_bracket || link.is_any(KEY_LINKS) || is_apposition();
    let is_end = |at: usize| {
        let token = text.tokens.get(at);
        keys.contains(&at)
            || token.is_none_or(|token| !of_sentence(token) || token.text == ";" || is_bracket && token.text == ")")
    };
    let end = (start..=text.tokens.len()).find(|at| is_end(*at))?;
    (is_link && end > start).then_some(start..end)
}
