//! What follows the words that begin statements and items, in a line of text.

use super::{Class, is};

/// What follows a word that begins a statement or item, and so tells it from prose and from a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// A text in quotes.
    Text,
    /// A text in quotes, or `one_of` with several.
    Wording,
    /// A name and `{`.
    Block,
    /// A name, and `{`, `:`, or `from`.
    Columns,
    /// A name, and `at` or `:`.
    Path,
    /// A name and `=`.
    Equals,
    /// A name alone, and what the form goes on with.
    Name,
    /// The name of a lint, and a text.
    Lint,
    /// `[`.
    List,
    /// A number.
    Number,
    /// A condition.
    Condition,
    /// A subject of `expect`.
    Subject,
}

/// Whether a line of text clearly begins a statement or item: a keyword and what only it has after it. Prose hardly ever looks so.
pub fn starts_statement(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let Some(head) = super::head(word) else { return false };
    let rest = rest.trim_start();
    let (second, after) = first_word(rest);
    let after = after.trim_start();
    let named = !second.is_empty();
    match head {
        Head::Text => rest.starts_with('"'),
        Head::Wording => rest.starts_with('"') || second == "one_of",
        Head::Block => named && after.starts_with('{'),
        Head::Columns => named && (after.starts_with(['{', ':']) || after.starts_with("from ")),
        Head::Path => named && (after.starts_with("at ") || after.starts_with(": ")),
        Head::Equals => named && after.starts_with('='),
        Head::Lint => named && after.starts_with('"'),
        Head::List => rest.starts_with('['),
        Head::Number => rest.starts_with(|c: char| c.is_ascii_digit()),
        Head::Subject => is(Class::Subject, second),
        Head::Name | Head::Condition => false,
    }
}

/// Splits the word at the start of a text from what follows it.
pub fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at(end)
}
