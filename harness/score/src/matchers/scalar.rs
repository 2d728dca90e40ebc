//! `text`, `contains`, `number`: one value against a text.

use std::borrow::Cow;

use model::Value;
use model::suite::Graded;
use records::Reason;

use crate::finding::Finding;
use crate::got::{Got, Number, Source, quoted};
use crate::grade::grade;
use crate::key::{Key, shown};
use crate::read::clean;
use crate::read::number::{number, perhaps_with_unit};
use crate::text::Overlooks;

/// The whole text is the answer.
pub fn equals(text: &str, key: &Key<'_>) -> Finding {
    let expected = key.value.render();
    let overlooks = overlooks(key);
    if overlooks.fold(text) == overlooks.fold(&clean::plain(&expected)) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, quoted(&expected), quoted(text))
}

/// The answer occurs in the text, at word boundaries.
pub fn contains(text: &str, key: &Key<'_>) -> Finding {
    let needle = key.value.render();
    let needle = clean::plain(&needle);
    if overlooks(key).contains(text, &needle) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, format!("a text with {}", quoted(&needle)), quoted(text))
}

/// The text is one number, and the right one. With `graded`, another number has a share of the score.
pub fn is_number(text: &str, key: &Key<'_>) -> Finding {
    let expected = shown(key.value, &key.options(""));
    let plain = if key.rules.canonical_texts { clean::plain(text) } else { Cow::Borrowed(text) };
    let read = match &key.options("").unit {
        None => number(&plain, key.rules),
        Some(unit) => perhaps_with_unit(&plain, unit, key.rules),
    };
    let Some(exact) = read else {
        return Finding::wrong(Reason::NotANumber, expected, quoted(text));
    };
    let got = Number { exact: exact.clone(), source: Source::Written, shown: text.trim().to_owned() };
    if key.leaf(key.value, "").fits(&Got::Number(got)) {
        return Finding::right();
    }
    let wrong = Finding::wrong(Reason::Differs, expected, text.trim());
    match (key.options("").graded, crate::key::exact(key.value)) {
        (Some(Graded::Score), Some(expected)) => match grade(&expected, &exact) {
            0.0 => wrong,
            score => Finding { score, reason: Reason::Partial, ..wrong },
        },
        _ => wrong,
    }
}

/// A truth is said in any case: Python writes `True`, SQL `TRUE`.
fn overlooks(key: &Key<'_>) -> Overlooks {
    let overlooks = Overlooks::new(&key.options("").ignore, key.rules);
    if key.rules.lenient_spellings && matches!(key.value, Value::Bool(_)) { overlooks.and_case() } else { overlooks }
}
