//! The result of one comparison.

use model::Value;
use model::answer_key::{Answer, Expected};
use records::Reason;
use records::verdict::Difference;

/// The maximum number of differences in a finding.
pub const MAX_DIFFERENCES: usize = 5;
/// The maximum length of a value that is shown, in characters.
const SHOWN: usize = 120;

/// A score with its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The score, 0 to 1.
    pub score: f64,
    /// The reason.
    pub reason: Reason,
    /// The places that differ.
    pub differences: Vec<Difference>,
}

impl Finding {
    /// A correct answer.
    pub fn right() -> Finding {
        Finding { score: 1.0, reason: Reason::Right, differences: Vec::new() }
    }

    /// A wrong answer, with the expected and the found value.
    pub fn wrong(reason: Reason, expected: impl AsRef<str>, got: impl AsRef<str>) -> Finding {
        Finding { score: 0.0, reason, differences: vec![new_difference("", expected, got)] }
    }

    /// Correct without differences, otherwise wrong.
    pub fn from_differences(mut differences: Vec<Difference>) -> Finding {
        if differences.is_empty() {
            return Finding::right();
        }
        differences.truncate(MAX_DIFFERENCES);
        Finding { score: 0.0, reason: Reason::Differs, differences }
    }

    /// Keeps the better of two findings: the first one unless the next has a higher score.
    pub fn keep_better(best: &mut Option<Finding>, next: Finding) {
        if best.as_ref().is_none_or(|best| next.score > best.score) {
            *best = Some(next);
        }
    }

    /// Whether the score is full.
    pub fn is_right(&self) -> bool {
        self.reason == Reason::Right
    }
}

/// Returns the best finding over the accepted answers, the first of equals.
pub fn choose_best(expect: &Expected, mut one: impl FnMut(&Value, Option<usize>) -> Finding) -> Finding {
    match &expect.answer {
        Some(Answer::One(value)) => one(value, None),
        Some(Answer::AnyOf(values)) => {
            let mut best: Option<Finding> = None;
            for (at, value) in values.iter().enumerate() {
                Finding::keep_better(&mut best, one(value, Some(at)));
            }
            best.unwrap_or_else(|| Finding::wrong(Reason::BadKey, "`any_of` lists no answer", ""))
        }
        Some(Answer::Content(_)) => Finding::wrong(Reason::BadKey, "the content of a file is for `bytes`", ""),
        None => Finding::wrong(Reason::BadKey, format!("`{}` without an answer", expect.matcher.word()), ""),
    }
}

/// Creates a difference, shortened for people.
pub fn new_difference(at: impl Into<String>, expected: impl AsRef<str>, got: impl AsRef<str>) -> Difference {
    Difference { at: at.into(), expected: truncate_text(expected.as_ref()), got: truncate_text(got.as_ref()) }
}

/// Cuts a text to at most `SHOWN` characters; the last is `…` if some were cut.
fn truncate_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some(_) => text.chars().take(SHOWN - 1).chain(['…']).collect(),
    }
}
