//! Writes JSON directly into a buffer. Lines of a bundle can be large (inline files), so no tree is built for them.

use std::io::Write as _;

use serde::de::DeserializeOwned;

/// Appends a text, quoted and escaped.
pub fn write_text(out: &mut Vec<u8>, text: &str) {
    write_value(out, &text);
}

/// Appends a serializable value as compact JSON.
pub fn write_value(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to a Vec never fails, and our values have text keys and finite numbers.
    let _ = serde_json::to_writer(&mut *out, value);
}

/// Appends the name of a field that is not the first: `,"name":`. The name needs no escapes.
pub fn write_key(out: &mut Vec<u8>, name: &str) {
    [",\"", name, "\":"].iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
}

/// Appends a field that is not the first.
pub fn write_field(out: &mut Vec<u8>, name: &str, value: &impl serde::Serialize) {
    write_key(out, name);
    write_value(out, value);
}

/// Appends an integer.
pub fn write_number(out: &mut Vec<u8>, number: u64) {
    let _ = write!(out, "{number}");
}

/// Appends an array: `[a,b]`.
pub fn write_array<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (index, each) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(out, each);
    }
    out.push(b']');
}

/// Appends an object: `{"a":1,"b":2}`. `key` returns the key of an entry, and `entry` writes its value.
pub fn write_object<T>(
    out: &mut Vec<u8>,
    entries: impl IntoIterator<Item = T>,
    key: impl for<'a> Fn(&'a T) -> &'a str,
    mut entry: impl FnMut(&mut Vec<u8>, &T),
) {
    out.push(b'{');
    for (index, each) in entries.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_text(out, key(&each));
        out.push(b':');
        entry(out, &each);
    }
    out.push(b'}');
}

/// Whether a text is JSON.
///
/// ```
/// use model::json::is_json_text;
///
/// assert!(is_json_text("{\"a\": [1, null]}") && is_json_text("5"));
/// assert!(!is_json_text("{") && !is_json_text("") && !is_json_text("{a: 1}"));
/// ```
pub fn is_json_text(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Parses JSON written by another program. Half a surrogate pair (written by Python for undecodable text, and by servers for truncated text) becomes
/// U+FFFD, because our texts cannot contain it.
///
/// ```
/// use model::json::parse_lenient;
///
/// // Python writes undecodable bytes as half a surrogate pair.
/// assert_eq!(parse_lenient::<String>(br#""caf\udce9""#).expect("JSON"), "caf\u{fffd}");
/// assert_eq!(parse_lenient::<String>(br#""\ud83d\ude00""#).expect("JSON"), "😀");
/// assert!(parse_lenient::<String>(b"\"open").is_err());
/// ```
///
/// # Errors
/// The text is not JSON, or not of this type.
pub fn parse_lenient<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    parse_borrowed(json, |json| serde_json::from_slice(json))
}

/// Parses JSON in the same way with `parse`, whose result may be made of parts that it borrows meanwhile.
///
/// # Errors
/// That of `parse`.
pub fn parse_borrowed<T>(json: &[u8], parse: impl Fn(&[u8]) -> serde_json::Result<T>) -> serde_json::Result<T> {
    parse(json).or_else(|error| match replace_lone_surrogates(json) {
        Some(mended) => parse(&mended),
        None => Err(error),
    })
}

/// Returns the same JSON without halves of surrogate pairs; `None` if it has none.
fn replace_lone_surrogates(json: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| -> Option<u16> {
        let digits =
            json.get(at..at + 6)?.strip_prefix(b"\\u").filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut out = Vec::with_capacity(json.len());
    let (mut at, mut found) = (0, false);
    while let Some(byte) = json.get(at) {
        let length = match (byte, unit(at)) {
            (b'\\', Some(0xd800..=0xdbff)) if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => 12,
            (b'\\', Some(0xd800..=0xdfff)) => {
                found = true;
                out.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // A character after a backslash is not a backslash of its own.
            (b'\\', _) => 2,
            _ => 1,
        };
        let end = json.len().min(at + length);
        out.extend_from_slice(json.get(at..end).unwrap_or_default());
        at = end;
    }
    found.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let mut out = Vec::new();
        write_text(&mut out, "a\"b\\\n\u{1}\u{7f}é");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "\"a\\\"b\\\\\\n\\u0001\u{7f}é\"");
    }
}

#[cfg(test)]
mod surrogates {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn half_a_pair_is_a_replacement_character() {
        for (json, text) in [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\udc80b""#, "\u{fffd}b"),
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\\ud83d""#, "\\ud83d"),
            (r#""\\\ud83d""#, "\\\u{fffd}"),
            (r#""\uD83Dx""#, "\u{fffd}x"),
        ] {
            assert_eq!(parse_lenient::<String>(json.as_bytes()).expect("JSON"), text, "{json}");
        }
        assert!(parse_lenient::<String>(b"\"\\ud8").is_err() && parse_lenient::<String>(br#""\ud83d" 1"#).is_err());
    }

    proptest! {
        /// Whatever UTF-16 a program writes unit by unit, it is read as Rust decodes it.
        #[test]
        fn units_are_read_as_they_are_decoded(units in prop::collection::vec(prop_oneof![0xd7f0u16..0xe010, 0x20u16..0x60], 0..12)) {
            let json: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            let text: String = char::decode_utf16(units).map(|char| char.unwrap_or('\u{fffd}')).collect();
            prop_assert_eq!(parse_lenient::<String>(format!("\"{json}\"").as_bytes()).expect("JSON"), text);
        }
    }
}
