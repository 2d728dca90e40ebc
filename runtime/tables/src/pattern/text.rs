//! Patterns of texts: a prefix and a suffix.

use crate::pattern::error::{PatternError, PatternErrorKind};

/// The text around a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Around {
    prefix: String,
    suffix: String,
}

impl Around {
    pub fn parse(source: &str) -> Result<Around, PatternError> {
        let Some((prefix, suffix)) = source.split_once('@') else {
            return Err(PatternError::new(PatternErrorKind::NoPlace, 0..source.len()));
        };
        if let Some(again) = suffix.find('@') {
            let at = prefix.len() + 1 + again;
            return Err(PatternError::new(PatternErrorKind::Places, at..at + 1));
        }
        Ok(Around { prefix: prefix.to_owned(), suffix: suffix.to_owned() })
    }

    /// Returns the inner text. Spaces outside of prefix and suffix are ignored; without both, spaces belong to the text.
    pub fn read<'t>(&self, text: &'t str) -> Option<&'t str> {
        let text = if self.prefix.is_empty() { text } else { text.trim_start() };
        let text = if self.suffix.is_empty() { text } else { text.trim_end() };
        text.strip_prefix(self.prefix.as_str())?.strip_suffix(self.suffix.as_str())
    }

    pub fn write(&self, text: &str, out: &mut String) {
        out.push_str(&self.prefix);
        out.push_str(text);
        out.push_str(&self.suffix);
    }
}
