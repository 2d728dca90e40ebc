//! The verdicts of the scorer on the expectations of a response.

use serde::{Deserialize, Serialize};

/// The verdict of one `expect` on a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The name in the source, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// The part that was read, for people: `reply`, `reply last line`, `file out.json`.
    pub subject: String,
    /// The matcher's word.
    pub matcher: String,
    /// The score, from 0 to 1; 1 means that the expectation is met.
    pub score: f64,
    /// Its weight.
    pub weight: f64,
    /// Whether the whole score depends on it.
    pub gate: bool,
    /// The reason for the score.
    pub reason: Reason,
    /// The mistake whose value the answer equals, for [`Reason::Trapped`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trap: Option<String>,
    /// A few differences between the expected and the found value; empty if the expectation is met.
    #[serde(default)]
    pub differences: Vec<Difference>,
}

impl Verdict {
    /// Describes it for people: its name and the part that was read, or only that part.
    pub fn describe_subject(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.subject),
            None => self.subject.clone(),
        }
    }

    /// Returns the path of the file that was read, if it was one.
    pub fn file_path(&self) -> Option<&str> {
        let path = self.subject.strip_prefix("file ")?;
        // A place in the file is a quoted JSONPath.
        let place = path.rfind(" at \"$").filter(|_| path.ends_with('"'));
        place.map_or(Some(path), |place| path.get(..place))
    }
}

/// Combines verdicts: whether the response is correct (every `expect` is met), and its score from 0 to 1, which is the weighted mean, or 0 if a gate
/// is not met.
pub fn combine_verdicts(verdicts: &[Verdict]) -> (bool, f64) {
    let full = |verdict: &Verdict| verdict.reason == Reason::Right;
    if !verdicts.is_empty() && verdicts.iter().all(full) {
        return (true, 1.0);
    }
    if verdicts.iter().any(|verdict| verdict.gate && !full(verdict)) {
        return (false, 0.0);
    }
    let all: f64 = verdicts.iter().map(|verdict| verdict.weight).sum();
    let earned: f64 = verdicts.iter().map(|verdict| verdict.weight * verdict.score).sum();
    (false, if all > 0.0 { earned / all } else { 0.0 })
}

/// A difference between the answer and the expected value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// JSON pointer into the answer; `""` for the whole.
    pub at: String,
    /// The expected value there, shortened for people.
    pub expected: String,
    /// The value found there, shortened for people.
    pub got: String,
}

/// The reason for the score of an `expect`. A stable word of the scorer, version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It equals the expected value.
    Right,
    /// It can be read, but differs from the expected value.
    Differs,
    /// A part of it is as expected (lists), or it is near (graded numbers).
    Partial,
    /// It is the result of a known mistake.
    Trapped,
    /// The trial has no response, or it failed.
    NoResponse,
    /// The part to read is empty.
    Empty,
    /// The slice does not exist in the reply.
    NoSlice,
    /// The file does not exist.
    NoFile,
    /// The path is not a file (or not a folder, if one is expected).
    WrongKind,
    /// It exceeds the maximum size.
    TooLarge,
    /// It is not UTF-8 text.
    NotText,
    /// It is not exactly one number.
    NotANumber,
    /// It is not JSON.
    NotJson,
    /// It is not a table of rows.
    NotRows,
    /// It is not a readable database.
    NotADatabase,
    /// The database has other tables or columns.
    WrongSchema,
    /// SQLite rejects the query, or the query would write.
    SqlError,
    /// The query ran too long, or returned too many rows.
    SqlLimit,
    /// Something exists that should not.
    Present,
    /// It was changed.
    Changed,
    /// The key itself is unusable because of the suite: an invalid regular expression, or a missing database.
    BadKey,
}
