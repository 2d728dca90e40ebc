//! JSON written straight into a buffer. Lines of a bundle can be large (inline files), so no tree is built for them.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plan::Value;

/// A text, quoted and escaped.
pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    value(out, &text);
}

/// Anything that serialises, compact.
pub(super) fn value(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing to a Vec does not fail, and what we serialise has text keys and finite numbers.
    let _ = serde_json::to_writer(&mut *out, value);
}

/// A value as it stands in the answer key.
pub(super) fn key_value(out: &mut Vec<u8>, key: &Value) {
    match key {
        Value::Text(content) => text(out, content),
        other => value(out, &other.to_key_json()),
    }
}

/// A whole number.
pub(super) fn number(out: &mut Vec<u8>, number: u64) {
    let _ = write!(out, "{number}");
}

/// `[a,b]`
pub(super) fn array<T>(out: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (index, each) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(out, each);
    }
    out.push(b']');
}

/// `{"a":1,"b":2}`: `entry` writes the value, and gives the key beforehand.
pub(super) fn object<T>(
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

/// Appends `data:<mime>;base64,…` (no character in it needs escaping). The type follows from the path's ending.
pub fn data_uri(out: &mut Vec<u8>, path: &str, bytes: &[u8]) {
    out.extend_from_slice(b"data:");
    out.extend_from_slice(mime(path).as_bytes());
    out.extend_from_slice(b";base64,");
    let start = out.len();
    // `encoded_len` is exact and only `None` beyond the address space.
    let room = base64::encoded_len(bytes.len(), true).unwrap_or(0);
    out.resize(start + room, 0);
    let written = STANDARD.encode_slice(bytes, &mut out[start..]).unwrap_or(0);
    out.truncate(start + written);
}

/// Without parameters: readers of data URIs (Inspect's among them) do not all take them.
fn mime(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "csv" => "text/csv",
        "tsv" => "text/tab-separated-values",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "xml" => "application/xml",
        "html" | "htm" => "text/html",
        "md" => "text/markdown",
        "txt" | "log" => "text/plain",
        "db" | "sqlite" | "sqlite3" => "application/vnd.sqlite3",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &str, bytes: &[u8]) -> String {
        let mut out = Vec::new();
        data_uri(&mut out, path, bytes);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn data_uris() {
        assert_eq!(uri("a/b.CSV", b"x,y\n"), "data:text/csv;base64,eCx5Cg==");
        assert_eq!(uri("empty", b""), "data:application/octet-stream;base64,");
        assert_eq!(uri("shop.db", &[0xff, 0, 0x10]), "data:application/vnd.sqlite3;base64,/wAQ");
    }

    #[test]
    fn control_characters_are_escaped() {
        let mut out = Vec::new();
        text(&mut out, "a\"b\\\n\u{1}\u{7f}é");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "\"a\\\"b\\\\\\n\\u0001\u{7f}é\"");
    }
}
