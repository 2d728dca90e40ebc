//! The tokens after words that begin statements and items.

/// The tokens after a word that begins a statement or item, which distinguish it from prose and from a name.
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
    /// A name and `in`.
    Rows,
    /// Only a name, and the rest of the form.
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

/// Splits the first word of a text from the rest.
pub const fn split_first_word(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && (bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_') {
        end += 1;
    }
    text.split_at(end)
}
