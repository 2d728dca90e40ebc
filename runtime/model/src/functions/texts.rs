//! Functions of texts.

use super::lists::has_item;
use super::record::{MAX_COUNT, Record, Results, functions, values};
use super::{FunctionError, Inputs, Made};
use crate::Value;
use crate::val::Val;

functions! {
    /// Whether a text contains another one, or a list an item.
    CONTAINS = Record { by_character: true, total: true, also: &["includes"], ..values("contains", test_contains) };
    /// Whether a text ends with another one.
    ENDS_WITH = Record { by_character: true, total: true, also: &["endswith"], ..values("ends_with", |inputs| test_texts(&inputs, |text, part| text.ends_with(part))) };
    /// A text in small letters.
    LOWER = Record {
        by_character: true, total: true,
        also: &["lowercase", "lcase"],
        keeps_words: true,
        one_case: true,
        ..values("lower", |inputs| map_text(&inputs, str::to_lowercase))
    };
    /// A text with characters before it, up to a width.
    PAD_LEFT = Record { by_character: true, folded: false, ..values("pad_left", pad_left) };
    /// A text with all occurrences of a part replaced.
    REPLACE = Record { by_character: true, folded: false, sought: Some(1), ..values("replace", replace_text) };
    /// The characters between two positions.
    SLICE = Record { by_character: true, total: true, ..values("slice", slice_text) };
    /// The parts of a text between separators.
    SPLIT = Record { by_character: true, sought: Some(1), ..values("split", split_text) };
    /// Whether a text starts with another one.
    STARTS_WITH = Record {
        by_character: true, total: true,
        also: &["startswith"],
        ..values("starts_with", |inputs| test_texts(&inputs, |text, part| text.starts_with(part)))
    };
    TITLE = Record { by_character: true, total: true, keeps_words: true, ..values("title", |inputs| map_text(&inputs, to_title_case)) };
    TOKENS = Record { total: true, results: Results::Within(0, MAX_COUNT), ..values("tokens", count_tokens) };
    TRIM = Record { by_character: true, total: true, keeps_words: true, ..values("trim", |inputs| map_text(&inputs, |text| text.trim().to_owned())) };
    /// A text in capital letters.
    UPPER = Record {
        by_character: true, total: true,
        also: &["uppercase", "ucase"],
        keeps_words: true,
        one_case: true,
        ..values("upper", |inputs| map_text(&inputs, str::to_uppercase))
    };
}

/// Maximum size of a text in bytes; a larger one is a mistake.
const MAX_BYTES: usize = 64 << 20;
const TOO_LARGE: &str = "this text is too large: more than 64 MB";

fn map_text<'a>(inputs: &Inputs<'a>, map: fn(&str) -> String) -> Made<'a> {
    Ok(inputs.read_text(0)?.map_or(Val::NULL, |text| Val::from_text(map(text))))
}

/// Converts the first character of each word to uppercase; the others stay unchanged.
fn to_title_case(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins = true;
    for char in text.chars() {
        match begins {
            true => out.extend(char.to_uppercase()),
            false => out.push(char),
        }
        begins = char.is_whitespace();
    }
    out
}

/// Counts the cl100k_base tokens.
fn count_tokens<'a>(inputs: Inputs<'a>) -> Made<'a> {
    Ok(inputs.read_text(0)?.map_or(Val::NULL, |text| Val::from_int(crate::tokens::count_tokens(text) as i64)))
}

/// Returns a part to search for, which must not be empty; `None` for null.
fn read_part<'i>(inputs: &'i Inputs<'_>, index: usize) -> Result<Option<&'i str>, FunctionError> {
    match inputs.read_text(index)? {
        Some("") => Err(FunctionError::new(format!("`{}` cannot look for an empty text", inputs.function))),
        part => Ok(part),
    }
}

/// Splits a text at a separator; an empty text has one empty part.
fn split_text(inputs: Inputs<'_>) -> Made<'_> {
    let both = inputs.read_text(0)?.zip(read_part(&inputs, 1)?);
    Ok(both.map_or(Val::NULL, |(text, by)| Val::Own(Value::List(text.split(by).map(Value::from_text).collect()))))
}

/// Replaces every occurrence, from the left, but none within a replacement.
fn replace_text(inputs: Inputs<'_>) -> Made<'_> {
    let (text, part, by) = (inputs.read_text(0)?, read_part(&inputs, 1)?, inputs.read_text(2)?);
    let (Some(text), Some(part), Some(by)) = (text, part, by) else { return Ok(Val::NULL) };
    let added = text.matches(part).count().saturating_mul(by.len());
    if added > MAX_BYTES {
        return Err(FunctionError::new(TOO_LARGE));
    }
    Ok(Val::from_text(text.replace(part, by)))
}

/// Returns the characters between two positions, including both; positions outside of the text are ignored.
fn slice_text(inputs: Inputs<'_>) -> Made<'_> {
    let Some(text) = inputs.read_text(0)? else { return Ok(Val::NULL) };
    let (first, last) = (inputs.read_int(1)?.max(1), inputs.read_int(2)?.max(0));
    let before = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    let count = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
    let kept: String = text.chars().skip(before).take(count).collect();
    Ok(Val::from_text(kept))
}

/// Pads a text on the left with one character.
fn pad_left(inputs: Inputs<'_>) -> Made<'_> {
    let (text, width, fill) = (inputs.read_text(0)?, inputs.read_int(1)?, inputs.read_text(2)?);
    let (Some(text), Some(fill)) = (text, fill) else { return Ok(Val::NULL) };
    let mut chars = fill.chars();
    let (Some(one), None) = (chars.next(), chars.next()) else {
        return Err(FunctionError::new(format!("`pad_left` fills with one character, not with \"{fill}\"")));
    };
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(text.chars().count());
    if missing > MAX_BYTES / 4 {
        return Err(FunctionError::new(TOO_LARGE));
    }
    let mut out = String::with_capacity(missing * one.len_utf8() + text.len());
    out.extend(std::iter::repeat_n(one, missing));
    out.push_str(text);
    Ok(Val::from_text(out))
}

/// Applies a test to two texts; false if one is null, as in comparisons.
fn test_texts<'a>(inputs: &Inputs<'a>, test: fn(&str, &str) -> bool) -> Made<'a> {
    let both = inputs.read_text(0)?.zip(inputs.read_text(1)?);
    Ok(Val::Own(Value::Bool(both.is_some_and(|(text, part)| test(text, part)))))
}

/// Checks whether a text or a list contains a value.
fn test_contains(inputs: Inputs<'_>) -> Made<'_> {
    let whole = inputs.read_value(0)?;
    if let Some(Value::List(_)) = whole.as_value() {
        let found = has_item(whole, inputs.read_value(1)?).unwrap_or(false);
        return Ok(Val::Own(Value::Bool(found)));
    }
    test_texts(&inputs, |text, part| text.contains(part))
}
