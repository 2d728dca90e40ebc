//! The lines of a text.

use memchr::memchr2;

/// Splits a text into lines, without their ends (`\n`, `\r\n`, or `\r`). A line end after the last line does not begin another one.
///
/// ```
/// use model::lines::split_lines;
///
/// let lines: Vec<&str> = split_lines("a\r\nb\rc\n\nd\n").collect();
/// assert_eq!(lines, ["a", "b", "c", "", "d"]);
/// assert_eq!(split_lines("").count(), 0);
/// ```
pub fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr2(b'\n', b'\r', text.as_bytes()) else {
            rest = None;
            return Some(text);
        };
        let after = if text[end..].starts_with("\r\n") { end + 2 } else { end + 1 };
        rest = Some(&text[after..]).filter(|text| !text.is_empty());
        Some(&text[..end])
    })
}
