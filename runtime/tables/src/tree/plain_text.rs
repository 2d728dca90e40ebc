//! The text of a file of JSON or YAML, which is UTF-8.

use crate::encoding::{BYTE_ORDER_MARK, find_line_after};
use crate::{Encoding, Unreadable};

/// Decodes the bytes as plain UTF-8 text, without a byte order mark; the error names the first invalid line.
pub(super) fn decode_plain_text(bytes: &[u8]) -> Result<&str, Unreadable> {
    let text = decode_utf8(bytes)?;
    if let Some(at) = text.find('\0') {
        let line = find_line_after(text.get(..at).unwrap_or_default());
        return Err(Unreadable::new(format!("line {line} has a NUL character"), "remove it: this is not plain text"));
    }
    Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
}

/// Decodes the bytes as UTF-8; the error names the first invalid line.
///
/// # Errors
/// They are not UTF-8.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, Unreadable> {
    const HELP: &str = "save the file as UTF-8";
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Unreadable::new("the file is UTF-16", HELP));
    }
    std::str::from_utf8(bytes).map_err(|_| {
        let line = Encoding::Utf8.decode(bytes).map_or_else(|fault| fault.line, |_| 1);
        Unreadable::new(format!("line {line} is not UTF-8"), HELP)
    })
}
