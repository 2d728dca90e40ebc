//! `text`, `contains`, `number`: one value against a text.

use records::Reason;

use crate::finding::Finding;
use crate::got::{Got, Number, Source, quoted};
use crate::key::{Key, shown};
use crate::read::clean;
use crate::read::number::{number, perhaps_with_unit};
use crate::text;

/// The whole text is the answer.
pub fn equals(text: &str, key: &Key<'_>) -> Finding {
    let expected = key.value.render();
    let ignore = key.options("").ignore;
    if text::fold(text, &ignore) == text::fold(&clean::plain(&expected), &ignore) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, quoted(&expected), quoted(text))
}

/// The answer stands in the text, at word boundaries.
pub fn contains(text: &str, key: &Key<'_>) -> Finding {
    let needle = key.value.render();
    let needle = clean::plain(&needle);
    if text::contains(text, &needle, &key.options("").ignore) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, format!("a text with {}", quoted(&needle)), quoted(text))
}

/// The text is one number, and the right one.
pub fn is_number(text: &str, key: &Key<'_>) -> Finding {
    let expected = shown(key.value, &key.options(""));
    let read = match &key.options("").unit {
        None => number(text),
        Some(unit) => perhaps_with_unit(text, unit),
    };
    let Some(exact) = read else {
        return Finding::wrong(Reason::NotANumber, expected, quoted(text));
    };
    let got = Number { exact, source: Source::Written, shown: text.trim().to_owned() };
    if key.leaf(key.value, "").fits(&Got::Number(got)) {
        return Finding::right();
    }
    Finding::wrong(Reason::Differs, expected, text.trim())
}
