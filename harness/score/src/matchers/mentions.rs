//! `contains`, `lacks`: whether values occur in a text, at word boundaries.

use std::borrow::Cow;

use model::Value;
use model::value::is_insignificant_char;
use records::Reason;

use crate::exact::to_exact;
use crate::finding::{Finding, MAX_DIFFERENCES};
use crate::got::quote_json;
use crate::key::Key;
use crate::matchers::scalar::build_overlooks;
use crate::read::clean;
use crate::read::number::list_numbers;

/// Whether the answer occurs in the text, and, with `among`, no other one of these values.
pub fn check_contains(text: &str, key: &Key<'_>) -> Finding {
    if key.among.is_empty() {
        let needle = normalize_value(key.value);
        return match build_overlooks(key).has_occurrence(text, &needle) {
            true => Finding::right(),
            false => report_missing(&needle, text),
        };
    }
    // The accepted values come first, this one before all.
    let rest = key.accepted.iter().filter(|value| *value != key.value);
    let accepted: Vec<&Value> = std::iter::once(key.value).chain(rest).collect();
    let others: Vec<&Value> =
        key.among.iter().filter(|other| !accepted.iter().any(|one| is_equal(one, other))).collect();
    let (is_there, extra) = find_values(text, &accepted, &others, key);
    let needle = collapse_blanks(&normalize_value(key.value));
    if !extra.is_empty() {
        let expected = format!("{}, and no other value", quote_json(&needle));
        return Finding::wrong(Reason::Present, expected, list_quoted(&extra));
    }
    if is_there { Finding::right() } else { report_missing(&needle, &collapse_blanks(text)) }
}

/// Whether none of the values occurs in the text. Numbers are there in every form.
pub fn check_lacks(text: &str, key: &Key<'_>) -> Finding {
    let values = match key.value {
        Value::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (_, found) = find_values(text, &[], &values.iter().collect::<Vec<_>>(), key);
    if found.is_empty() {
        return Finding::right();
    }
    Finding::wrong(Reason::Present, "a text without these", list_quoted(&found))
}

/// Finds values in a text, outside of longer ones: whether it has the first of the allowed ones, and the forbidden ones that it has. Numbers are there in every form.
fn find_values(text: &str, allowed: &[&Value], forbidden: &[&Value], key: &Key<'_>) -> (bool, Vec<String>) {
    let (overlooks, text) = (build_overlooks(key), &collapse_blanks(text));
    let fold = |value: &String| overlooks.fold_text(value).into_owned();
    let write = |value: &&Value| collapse_blanks(&normalize_value(value));
    let mut values: Vec<String> = allowed.iter().map(write).collect();
    let folded: Vec<String> = values.iter().map(fold).collect();
    values.extend(forbidden.iter().map(write).filter(|value| !folded.contains(&fold(value))));
    let found = overlooks.list_uncovered(text, &values);
    let extra = found.iter().filter(|at| **at >= folded.len()).filter_map(|at| values.get(*at).cloned());
    let mut extra: Vec<String> = extra.collect();
    extra.extend(list_numbers_of(text, forbidden, key).filter(|number| !extra.contains(number)).collect::<Vec<_>>());
    (!folded.is_empty() && found.contains(&0), extra)
}

/// Returns the numbers among the values that the text has in any form.
fn list_numbers_of<'v>(text: &str, values: &'v [&Value], key: &Key<'_>) -> impl Iterator<Item = String> + use<'v> {
    let is_number = |value: &&&Value| to_exact(value).is_some();
    let known = if values.iter().any(|value| is_number(&value)) { list_numbers(text, key.rules) } else { Vec::new() };
    let is_there = move |value: &&&Value| to_exact(value).is_some_and(|number| known.contains(&number));
    values.iter().filter(is_number).filter(is_there).map(|value| value.render_text().into_owned())
}

/// Whether two values are equal: as numbers, if they are some.
fn is_equal(one: &Value, other: &Value) -> bool {
    one == other || to_exact(one).is_some_and(|number| Some(number) == to_exact(other))
}

/// Makes each run of white space one blank, and removes characters without width: a value is there also where a line breaks in it.
fn collapse_blanks(text: &str) -> String {
    /// Marks of direction and of variants, joiners, a soft hyphen, and signs of mathematics that are not shown.
    const HIDDEN: &[char] = &[
        '\u{ad}', '\u{34f}', '\u{61c}', '\u{180e}', '\u{200e}', '\u{200f}', '\u{2061}', '\u{2062}', '\u{2063}',
        '\u{2064}', '\u{fe0e}', '\u{fe0f}',
    ];
    let is_hidden = |char: char| !char.is_whitespace() && (is_insignificant_char(char) || HIDDEN.contains(&char));
    let shown: String = text.chars().filter(|char| !is_hidden(*char)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn normalize_value(value: &Value) -> Cow<'_, str> {
    match value.render_text() {
        Cow::Borrowed(text) => clean::normalize_text(text),
        Cow::Owned(text) => Cow::Owned(clean::normalize_text(&text).into_owned()),
    }
}

fn report_missing(needle: &str, text: &str) -> Finding {
    Finding::wrong(Reason::Differs, format!("a text with {}", quote_json(needle)), quote_json(text))
}

fn list_quoted(values: &[String]) -> String {
    values.iter().take(MAX_DIFFERENCES).map(|value| quote_json(value)).collect::<Vec<_>>().join(", ")
}
