//! JSON written straight into a buffer. Lines of a bundle can be large (inline files), so no tree is built for them.

use std::io::Write as _;

/// A text, quoted and escaped.
pub fn text(out: &mut Vec<u8>, text: &str) {
    value(out, &text);
}

/// Anything that serializes, compact.
pub fn value(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to a Vec does not fail, and what we serialize has text keys and finite numbers.
    let _ = serde_json::to_writer(&mut *out, value);
}

/// A whole number.
pub fn number(out: &mut Vec<u8>, number: u64) {
    let _ = write!(out, "{number}");
}

/// `[a,b]`
pub fn array<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (index, each) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(out, each);
    }
    out.push(b']');
}

/// `{"a":1,"b":2}`: `key` gives the key of an entry, and `entry` writes its value.
pub fn object<T>(
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
        text(out, key(&each));
        out.push(b':');
        entry(out, &each);
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let mut out = Vec::new();
        text(&mut out, "a\"b\\\n\u{1}\u{7f}é");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "\"a\\\"b\\\\\\n\\u0001\u{7f}é\"");
    }
}
