//! Counts the tokens of a text.
//!
//! Tokens are those of cl100k_base. The table is in the crate `tiktoken`, whose version is fixed, so the count is the same in every build of an edition.

/// Counts the cl100k_base tokens of a text; special tokens are treated as text. Takes time in proportion to the text's length, and about 30 ms more
/// for the first call.
///
/// ```
/// use model::tokens::count_tokens;
///
/// assert_eq!(count_tokens("hello world"), 2);
/// // What other texts mean as a mark is a text here.
/// assert!(count_tokens("<|endoftext|>") > 1);
/// ```
pub fn count_tokens(text: &str) -> usize {
    // This is the only table that is compiled in, so it always exists.
    tiktoken::get_encoding("cl100k_base").map_or(usize::MAX, |encoding| encoding.count(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by OpenAI's own tiktoken 0.14.0 for Python, over the table as OpenAI publishes it: names, prose, SQL, scripts, and random
    /// characters.
    #[test]
    fn as_many_as_openai_counts() {
        let known: Vec<(String, usize)> = serde_json::from_str(include_str!("tokens.json")).expect("JSON");
        assert!(known.len() >= 200, "{}", known.len());
        for (text, count) in known {
            assert_eq!(count_tokens(&text), count, "{text:?}");
        }
    }

    #[test]
    fn long_words_take_no_longer() {
        assert_eq!(count_tokens(&"a".repeat(1_000_000)), 125_000);
    }
}
