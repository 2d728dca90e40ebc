//! The answer of an instance, in a form that is equal for answers that scoring does not distinguish: one key for all its `expect`s.
//!
//! The value of each `expect` is normalized as its matcher compares it: numbers rounded by `rounded`, texts without ignored characters, unordered lists sorted.
//! If an `expect` has no value (`exists`, `absent`), the paths it names are the answer. Tolerances (`within`) do not form classes of equal answers, and do not
//! count here.

use model::Value;
use model::answer_key::{Answer as Right, Expected, Subject};
use model::pointer::escape_step;
use model::suite::matchers::Takes;
use model::suite::{Ignore, Matcher, Options};
use runtime::bundle::{Target, build_target};
use runtime::generate::SandboxFile;
use serde_json::Value as Json;

/// The maximum length of an answer that is kept for display, in characters.
const SHOWN: usize = 200;

/// The answer of an instance.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The key: equal answers have equal keys.
    pub key: String,
    /// The answer for people, cut if it is long.
    pub shown: String,
    /// Whether a value is null, or contains null in its JSON.
    pub null: bool,
    /// Whether a value is an empty text, list, object, or result set.
    pub empty: bool,
    /// The parts that can be scored separately, with place and value: JSON leaves, and whole values if several are expected.
    pub parts: Vec<(String, String)>,
}

/// Computes the answer of an instance with these files.
pub fn compute_answer(expects: &[Expected], files: &[SandboxFile]) -> Answer {
    let mut parts = Vec::new();
    let (mut null, mut empty) = (false, false);
    let several = expects.len() > 1;
    let keys: Vec<Json> = (1..)
        .zip(expects)
        .map(|(at, expect)| {
            let place = if several { format!("expect {at} ") } else { String::new() };
            let json = match &expect.answer {
                Some(Right::One(value)) => canonicalize_value(expect, value),
                Some(Right::AnyOf(values)) => {
                    let mut items: Vec<Json> = values.iter().map(|value| canonicalize_value(expect, value)).collect();
                    items.sort_by_key(Json::to_string);
                    Json::Array(items)
                }
                Some(Right::Content(path)) => {
                    return find_file_content(path, files).unwrap_or_else(|| list_expected_paths(expect));
                }
                None => return list_expected_paths(expect),
            };
            match &json {
                Json::Object(_) | Json::Array(_)
                    if expect.matcher.record().takes == Takes::Json && expect.single_value().is_some() =>
                {
                    visit_leaves(&json, &mut place.clone(), &mut |place, leaf| parts.push((place, leaf.to_string())));
                }
                whole if several => parts.push((place.trim_end().to_owned(), whole.to_string())),
                _ => {}
            }
            let values = expect.answer.iter().flat_map(Right::accepted_values);
            null |= values.clone().any(|value| has_null(value, expect.matcher));
            empty |= values.clone().all(is_empty) && expect.matcher.record().takes != Takes::Content;
            json
        })
        .collect();
    let key = match <[Json; 1]>::try_from(keys) {
        Ok([one]) => one.to_string(),
        Err(several) => Json::from(several).to_string(),
    };
    let shown = match build_target(expects) {
        Target::One(text) => text,
        Target::AnyOf(texts) => texts.join(" | "),
    };
    Answer { key, shown: truncate_text(&shown, SHOWN), null, empty, parts }
}

/// Cuts a text to at most `most` characters; the last is `…` if some were cut.
pub fn truncate_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Returns the content of an expected starting file as an answer: its text, or its bytes.
fn find_file_content(path: &str, files: &[SandboxFile]) -> Option<Json> {
    let bytes = &files.iter().find(|file| file.path == path)?.bytes;
    Some(match std::str::from_utf8(bytes) {
        Ok(text) => Json::from(text),
        Err(_) => Json::from(&bytes[..]),
    })
}

fn list_expected_paths(expect: &Expected) -> Json {
    match &expect.subject {
        // An expectation that a file is unchanged has no answer.
        _ if expect.matcher == Matcher::Unchanged => Json::Null,
        Subject::Unchanged(_) | Subject::Reply(_) => Json::Null,
        Subject::File(path) => Json::from(path.as_str()),
        Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => {
            let mut paths = paths.clone();
            paths.sort_unstable();
            Json::from(paths)
        }
    }
}

fn has_null(value: &Value, matcher: Matcher) -> bool {
    match value {
        Value::Null => true,
        Value::List(items) if matcher.record().keys => items.iter().any(|item| has_null(item, matcher)),
        Value::Object(fields) => fields.iter().any(|(_, field)| has_null(field, matcher)),
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.trim().is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Rows(set) => set.rows.is_empty(),
        _ => false,
    }
}

fn canonicalize_value(expect: &Expected, value: &Value) -> Json {
    canonicalize_at(&expect.round_value(value), &mut String::new(), expect, &expect.whole_options())
}

/// Normalizes a value. `above` are the options that apply here, unless `pointer` has its own.
fn canonicalize_at(value: &Value, pointer: &mut String, expect: &Expected, above: &Options) -> Json {
    let governing = expect.options.iter().find(|(at, _)| at == pointer).map_or(above, |(_, options)| options);
    // Arrays inside a list's items are ordered, regardless of the list's own options.
    let takes = expect.matcher.record().takes;
    let inside = takes == Takes::List && !pointer.is_empty();
    let ordered = governing.ordered.unwrap_or(inside || expect.matcher.record().ordered == Some(true));
    let passed = match takes {
        Takes::List if !inside => Options { ordered: None, ..governing.clone() },
        _ => governing.clone(),
    };
    let mut below = |step: &str, value: &Value| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&escape_step(step));
        let json = canonicalize_at(value, pointer, expect, &passed);
        pointer.truncate(length);
        json
    };
    match value {
        Value::List(items) => {
            let mut items: Vec<Json> =
                items.iter().enumerate().map(|(at, item)| below(&at.to_string(), item)).collect();
            if !ordered {
                items.sort_by_key(Json::to_string);
            }
            Json::Array(items)
        }
        Value::Object(fields) => {
            let mut fields: Vec<(String, Json)> =
                fields.iter().map(|(name, field)| (name.clone(), below(name, field))).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(fields.into_iter().collect())
        }
        Value::Rows(set) => {
            let row =
                |row: &Vec<Value>| Json::Array(row.iter().map(|cell| canonicalize_scalar(cell, governing)).collect());
            let mut rows: Vec<Json> = set.rows.iter().map(row).collect();
            if !ordered {
                rows.sort_by_key(Json::to_string);
            }
            Json::Array(rows)
        }
        one => canonicalize_scalar(one, governing),
    }
}

fn canonicalize_scalar(value: &Value, options: &Options) -> Json {
    match value {
        Value::Text(text) => {
            let mut text = text.trim().to_owned();
            for ignore in &options.ignore {
                text = match ignore {
                    Ignore::Case => text.to_lowercase(),
                    Ignore::Space => text.chars().filter(|c| !c.is_whitespace()).collect(),
                    Ignore::Punctuation => text.chars().filter(|c| !c.is_ascii_punctuation()).collect(),
                };
            }
            Json::from(text)
        }
        other => other.to_json(),
    }
}

fn visit_leaves(json: &Json, place: &mut String, found: &mut impl FnMut(String, &Json)) {
    let length = place.len();
    match json {
        Json::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                place.push('/');
                place.push_str(&escape_step(name));
                visit_leaves(field, place, found);
                place.truncate(length);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                place.push_str(&format!("/{at}"));
                visit_leaves(item, place, found);
                place.truncate(length);
            }
        }
        leaf => found(place.clone(), leaf),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(matcher: Matcher, value: Value) -> Expected {
        Expected {
            name: None,
            at: None,
            subject: Subject::Reply(None),
            matcher,
            answer: Some(Right::One(value)),
            options: Vec::new(),
            weight: model::Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        }
    }

    fn texts(items: &[&str]) -> Value {
        Value::List(items.iter().map(|item| Value::from_text(*item)).collect())
    }

    #[test]
    fn what_scoring_does_not_tell_apart_is_the_same() {
        let key = |matcher, items: &[&str]| compute_answer(&[expect(matcher, texts(items))], &[]).key;
        assert_eq!(key(Matcher::List, &["a", "b"]), key(Matcher::List, &["b", "a"]));
        assert_ne!(key(Matcher::Json, &["a", "b"]), key(Matcher::Json, &["b", "a"]));
        let loud = Options { ignore: vec![Ignore::Case], ..Options::default() };
        let ignoring = |text: &str| {
            let options = vec![(String::new(), loud.clone())];
            compute_answer(&[Expected { options, ..expect(Matcher::Text, Value::from_text(text)) }], &[]).key
        };
        assert_eq!(ignoring("YES"), ignoring("yes"));
        let rounded = |number: f64| {
            let options = vec![(String::new(), Options { rounded: Some(1), ..Options::default() })];
            compute_answer(&[Expected { options, ..expect(Matcher::Number, Value::Float(number)) }], &[]).key
        };
        assert_eq!(rounded(1.23), rounded(1.19));
        assert_ne!(rounded(1.23), rounded(1.31));
    }

    #[test]
    fn parts_of_several_answers_have_their_places() {
        let object = Value::Object(vec![("a/b".into(), Value::Int(3)), ("c".into(), texts(&["x"]))]);
        let made = compute_answer(&[expect(Matcher::Json, object), expect(Matcher::Number, Value::Int(7))], &[]);
        let wanted = [("expect 1 /a~1b", "3"), ("expect 1 /c/0", "\"x\""), ("expect 2", "7")];
        assert_eq!(made.parts, wanted.map(|(place, value)| (place.to_owned(), value.to_owned())));
        assert_eq!(made.key, r#"[{"a/b":3,"c":["x"]},7]"#);
    }

    #[test]
    fn nothing_and_emptiness() {
        let made = |matcher, value| {
            let made = compute_answer(&[expect(matcher, value)], &[]);
            (made.null, made.empty)
        };
        assert_eq!(made(Matcher::Text, Value::from_text(" ")), (false, true));
        assert_eq!(made(Matcher::Number, Value::Int(0)), (false, false));
        assert_eq!(made(Matcher::Json, Value::List(vec![Value::Null])), (true, false));
        assert_eq!(made(Matcher::List, Value::List(vec![])), (false, true));
    }

    #[test]
    fn long_answers_are_cut_at_characters() {
        assert_eq!(truncate_text("äöü", 3), "äöü");
        assert_eq!(truncate_text("äöüß", 3), "äö…");
    }
}
