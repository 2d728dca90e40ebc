//! Rendering of texts as strings of the language.

use std::fmt::Write as _;

/// Quotes a text as a string of the language.
pub fn quote_string(text: &str) -> String {
    let mut out = String::from("\"");
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '<' if chars.peek() == Some(&'<') => out.push_str("\\<"),
            // Invisible characters are written by their numbers.
            char if char != ' ' && (char.is_control() || char.is_whitespace()) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Renders texts as a list of strings.
pub fn quote_list<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quote_string(text)).collect();
    format!("[{}]", texts.join(", "))
}
