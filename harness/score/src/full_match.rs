//! Whether a whole text matches a regular expression. Expressions are kept compiled.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;

/// The maximum number of compiled expressions that a thread keeps.
const KEPT: usize = 256;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Result<Regex, String>>> = RefCell::default();
}

/// Whether the whole `text` matches. Returns an error if the expression is invalid.
pub fn is_full_match(source: &str, text: &str) -> Result<bool, String> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(known) = compiled.get(source) {
            return known.as_ref().map(|regex| regex.is_match(text)).map_err(String::clone);
        }
        if compiled.len() >= KEPT {
            compiled.clear();
        }
        let regex = model::pattern::compile_anchored(source);
        let answer = regex.as_ref().map(|regex| regex.is_match(text)).map_err(String::clone);
        compiled.insert(source.to_owned(), regex);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_text_fits() {
        for (source, text, fit) in [
            ("[A-Z]{3}-\\d{2}", "ABC-12", true),
            ("^[A-Z]{3}-\\d{2}$", "ABC-12", true),
            ("[A-Z]{3}", "xABCx", false),
            ("a|ab", "ab", true),
            ("yes|no", "no", true),
            ("(?i)yes", "YES", true),
            ("(?x) a b # comment", "ab", true),
            (".*b.*", "a\nb", false),
            ("(?s).*b.*", "a\nb", true),
        ] {
            assert_eq!(is_full_match(source, text), Ok(fit), "{source} on {text}");
        }
        assert!(is_full_match("(", "").is_err());
        assert!(is_full_match("(?:\\w{1000}){1000}", "").is_err());
    }
}
