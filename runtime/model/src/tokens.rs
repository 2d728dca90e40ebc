//! How many tokens a text has.
//!
//! Tokens are those of cl100k_base. The table is in the crate `tiktoken`, whose version is fixed, so that a text has as many tokens in
//! every build of an edition.

/// The number of cl100k_base tokens of a text; what looks like a special token is text. It takes time in proportion to the text's length,
/// and about 30 ms more when it is first asked.
pub fn count_tokens(text: &str) -> usize {
    // The only table that is compiled in: it is always there.
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
