//! What one comparison found.

use records::Reason;
use records::score::Difference;

/// The most differences that are told.
pub const MAX_DIFFERENCES: usize = 5;
/// The most characters of a value that are shown.
const SHOWN: usize = 120;

/// A score with its why.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// 0 to 1; 1 is full.
    pub score: f64,
    /// Why.
    pub reason: Reason,
    /// Where it is not as expected.
    pub differences: Vec<Difference>,
}

impl Finding {
    /// As expected.
    pub fn right() -> Finding {
        Finding { score: 1.0, reason: Reason::Right, differences: Vec::new() }
    }

    /// Not as expected, with what was expected and found.
    pub fn wrong(reason: Reason, expected: impl AsRef<str>, got: impl AsRef<str>) -> Finding {
        Finding { score: 0.0, reason, differences: vec![new_difference("", expected, got)] }
    }

    /// As expected if nothing differs.
    pub fn from_differences(mut differences: Vec<Difference>) -> Finding {
        if differences.is_empty() {
            return Finding::right();
        }
        differences.truncate(MAX_DIFFERENCES);
        Finding { score: 0.0, reason: Reason::Differs, differences }
    }

    /// Whether it is full.
    pub fn is_right(&self) -> bool {
        self.reason == Reason::Right
    }
}

/// One place, shortened for people.
pub fn new_difference(at: impl Into<String>, expected: impl AsRef<str>, got: impl AsRef<str>) -> Difference {
    Difference { at: at.into(), expected: truncate_text(expected.as_ref()), got: truncate_text(got.as_ref()) }
}

/// At most `SHOWN` characters; if some were cut, the last is `…`.
fn truncate_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some(_) => text.chars().take(SHOWN - 1).chain(['…']).collect(),
    }
}
