//! `contains`, `lacks`: whether values occur in a text, at word boundaries.

use std::borrow::Cow;

use model::Value;
use records::Reason;

use crate::finding::{Finding, MAX_DIFFERENCES};
use crate::got::quote_json;
use crate::key::Key;
use crate::matchers::scalar::build_overlooks;
use crate::read::clean;

/// Whether the answer occurs in the text, and, with `among`, no other one of these values.
pub fn check_contains(text: &str, key: &Key<'_>) -> Finding {
    if key.among.is_empty() {
        let needle = normalize_value(key.value);
        return match build_overlooks(key).has_occurrence(text, &needle) {
            true => Finding::right(),
            false => report_missing(&needle, text),
        };
    }
    let text = &collapse_blanks(text);
    let needle = Cow::Owned(collapse_blanks(&normalize_value(key.value)));
    let overlooks = build_overlooks(key);
    let fold = |value: &Cow<'_, str>| overlooks.fold_text(value).into_owned();
    // The accepted values come first, this one before all.
    let rest = key.accepted.iter().filter(|value| *value != key.value);
    let rest = rest.map(|value| Cow::Owned(collapse_blanks(&normalize_value(value))));
    let mut values: Vec<Cow<'_, str>> = std::iter::once(needle).chain(rest).collect();
    let allowed: Vec<String> = values.iter().map(fold).collect();
    let others = key.among.iter().map(|value| Cow::Owned(collapse_blanks(&normalize_value(value))));
    values.extend(others.filter(|value| !allowed.contains(&fold(value))));
    let found = overlooks.list_uncovered(text, &values);
    let extra: Vec<&str> =
        found.iter().filter(|at| **at >= allowed.len()).filter_map(|at| values.get(*at).map(AsRef::as_ref)).collect();
    match (extra.is_empty(), values.first()) {
        (true, Some(needle)) if !found.contains(&0) => report_missing(needle, text),
        (true, _) => Finding::right(),
        (false, needle) => {
            let expected = format!("{}, and no other value", quote_json(needle.map_or("", AsRef::as_ref)));
            Finding::wrong(Reason::Present, expected, list_quoted(&extra))
        }
    }
}

/// Whether none of the values occurs in the text.
pub fn check_lacks(text: &str, key: &Key<'_>) -> Finding {
    let overlooks = build_overlooks(key);
    let values = match key.value {
        Value::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let text = &collapse_blanks(text);
    let values: Vec<String> = values.iter().map(|value| collapse_blanks(&normalize_value(value))).collect();
    let found: Vec<&str> =
        values.iter().map(String::as_str).filter(|value| overlooks.has_occurrence(text, value)).collect();
    if found.is_empty() {
        return Finding::right();
    }
    Finding::wrong(Reason::Present, "a text without these", list_quoted(&found))
}

/// Makes each run of white space one blank: a value is there also where a line breaks in it.
fn collapse_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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

fn list_quoted(values: &[&str]) -> String {
    values.iter().take(MAX_DIFFERENCES).map(|value| quote_json(value)).collect::<Vec<_>>().join(", ")
}
