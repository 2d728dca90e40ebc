//! Rendering of source text. It is not aligned, because `fmt` formats it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use compiler::syntax::words;
use model::Value;

use super::Obstacle;

/// The maximum width of comments.
const WIDTH: usize = 120;

/// Renders the text between the quotes of a string, without placeholders: escapes every character that has a meaning.
pub fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '<' if rest.peek() == Some(&'<') => {
                rest.next();
                out.push_str("\\<<");
            }
            // Writing to a String cannot fail.
            c if c.is_control() => drop(write!(out, "\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Renders a string.
pub fn render_string(text: &str) -> String {
    format!("\"{}\"", escape_text(text))
}

/// Renders a string of several lines from the text between its quotes ([`escape_text`], with placeholders). A text of one line stays on one line.
pub fn render_block(inner: &str) -> String {
    let mut lines = split_lines(inner);
    while lines.len() > 1 && lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    if let [line] = lines.as_slice() {
        return format!("\"{line}\"");
    }
    let mut text = String::from("\"\"\"\n");
    for line in lines {
        let line = line.trim_end();
        // A quote must be escaped only where three quotes would end the string.
        let line = if line.contains("\\\"\\\"") { line.to_owned() } else { line.replace("\\\"", "\"") };
        text.push_str(&line);
        text.push('\n');
    }
    text + "\"\"\""
}

/// Splits the text at `\n`; a preceding backslash escapes it.
fn split_lines(inner: &str) -> Vec<&str> {
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = inner.as_bytes();
    while at < bytes.len() {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'\\'), Some(b'n')) => {
                lines.push(inner.get(start..at).unwrap_or_default());
                at += 2;
                start = at;
            }
            (Some(b'\\'), Some(_)) => at += 2,
            _ => at += 1,
        }
    }
    lines.push(inner.get(start..).unwrap_or_default());
    lines
}

/// Renders a name, in backticks if necessary; `None` if it cannot be a name.
pub fn spell_name(text: &str) -> Option<String> {
    if is_identifier(text) && !words::is_reserved(text) {
        return Some(text.to_owned());
    }
    let writable = !text.is_empty() && !text.contains(['`', '\n', '\r']) && !text.chars().any(char::is_control);
    writable.then(|| format!("`{text}`"))
}

/// Renders a name; if it cannot be one, the obstacle states that it cannot be `what`.
pub fn require_name(text: &str, what: &str) -> Result<String, Obstacle> {
    spell_name(text).ok_or_else(|| Obstacle::new(format!("`{text}` cannot be {what}")).suggest("rename it"))
}

/// Renders a key of an object as a word, or else as a string.
pub fn spell_key(text: &str) -> String {
    if is_identifier(text) { text.to_owned() } else { render_string(text) }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Converts any text to an identifier: letters, digits, and `_`, with a letter first.
pub fn to_identifier(text: &str, otherwise: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => otherwise.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("{otherwise}_{name}"),
        Some(_) => name.to_owned(),
    }
}

/// Renders a literal; `None` if the language has no literal for the value.
pub fn render_literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Text(text) => render_string(text),
        Value::Int(_) | Value::Decimal(_) | Value::Bool(_) | Value::Date(_) => value.render_text().into_owned(),
        Value::Float(number) => format!("{number:e}"),
        Value::List(items) => {
            format!("[{}]", items.iter().map(render_literal).collect::<Option<Vec<String>>>()?.join(", "))
        }
        Value::Object(fields) => {
            let field =
                |(name, value): &(String, Value)| Some(format!("{}: {}", spell_key(name), render_literal(value)?));
            format!("{{ {} }}", fields.iter().map(field).collect::<Option<Vec<String>>>()?.join(", "))
        }
        Value::DateTime(_) | Value::Duration(_) | Value::Rows(_) => return None,
    })
}

/// Renders a comment, wrapped to a maximum width.
pub fn render_comment(text: &str) -> String {
    wrap_words("#", "#  ", text)
}

/// Renders a documentation comment for the following item.
pub fn render_doc_comment(text: &str) -> String {
    wrap_words("##", "##", text)
}

/// Wraps words to lines. The first line begins with `first`, and the others begin with `others`.
fn wrap_words(first: &str, others: &str, text: &str) -> String {
    let (mut out, mut width) = (first.to_owned(), first.len());
    for word in text.split_whitespace() {
        if width > first.len() && width + 1 + word.chars().count() > WIDTH {
            out.push('\n');
            out.push_str(others);
            width = others.len();
        }
        out.push(' ');
        out.push_str(word);
        width += 1 + word.chars().count();
    }
    out + "\n"
}

/// Generates unique names. Letter case is ignored, as in SQL.
#[derive(Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
    /// The next number to try for a name.
    next: BTreeMap<String, u32>,
}

impl Names {
    /// Makes a name unavailable.
    pub fn reserve_name(&mut self, name: &str) {
        self.used.insert(name.to_ascii_lowercase());
    }

    /// Returns an unused identifier that is as close to `wanted` as possible, and not a word of the language.
    pub fn take_name(&mut self, wanted: &str, otherwise: &str) -> String {
        let base = to_identifier(wanted, otherwise);
        let free = |name: &String| {
            !self.used.contains(name)
                && !words::is_reserved(name)
                && words::find_head(name).is_none()
                && name != "sandbox"
        };
        // Names never become free again, so numbers that were tried for the same name are not tried again.
        let first = self.next.get(&base).copied().unwrap_or(1);
        let numbered = |number| (number, if number == 1 { base.clone() } else { format!("{base}_{number}") });
        let found = (first..).map(numbered).find(|(_, name)| free(name));
        let (number, name) = found.unwrap_or_else(|| numbered(first));
        self.next.insert(base, number + 1);
        self.reserve_name(&name);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_not_words_of_the_language() {
        let mut names = Names::default();
        names.reserve_name("CITY");
        let taken =
            ["city", "csv", "from", "sandbox", "2024 plan", "ä", "city"].map(|wanted| names.take_name(wanted, "v"));
        assert_eq!(taken, ["city_2", "csv_2", "from_2", "sandbox_2", "v_2024_plan", "v", "city_3"]);
    }

    #[test]
    fn strings_mean_what_they_say() {
        assert_eq!(render_string("a\"b\\ <<c>>\n"), r#""a\"b\\ \<<c>>\n""#);
        assert_eq!(render_block(r"one\\n"), r#""one\\n""#);
        assert_eq!(render_block(r"one\ntwo\n"), "\"\"\"\none\ntwo\n\"\"\"");
    }
}
