//! `matches`: compares the whole text with a regular expression.

use records::Reason;

use crate::finding::Finding;
use crate::full_match::is_full_match;
use crate::got::quote_json;
use crate::key::Key;
use crate::text::compose_letters;

/// Compares the whole text with the expression, as in a `pattern`: `^` and `$` at its ends change nothing.
pub fn check_pattern(text: &str, key: &Key<'_>) -> Finding {
    let source = key.value.render_text();
    let source = if key.rules.canonical_texts { compose_letters(&source) } else { source.as_ref().into() };
    match is_full_match(&source, text) {
        Ok(true) => Finding::right(),
        Ok(false) => Finding::wrong(Reason::Differs, format!("what fits {source}"), quote_json(text)),
        Err(why) => {
            Finding::wrong(Reason::BadKey, format!("the regular expression {source} cannot be read: {why}"), "")
        }
    }
}
