//! What a response is worth: one line of `scores.jsonl` for each instance and trial of a run, also where no response came.

use serde::{Deserialize, Serialize};

use crate::attempt::{Attempt, Class};
use crate::instance::Described;
use crate::money::Money;
use crate::response::Status;
use crate::stage::{Stage, StageScore};
use crate::unit::{AskedRow, Unit};

/// The score of one instance in one trial, with all that a report counts by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The instance.
    pub id: String,
    /// From 1.
    pub trial: u32,
    /// Its task.
    pub task: String,
    /// Its variant.
    pub variant: Option<String>,
    /// The row of a data set that it asks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub each: Option<AskedRow>,
    /// Its axis values by name, as texts.
    pub axis: Vec<(String, String)>,
    /// From 1.
    pub sample: u32,
    /// Its tags.
    pub tags: Vec<String>,
    /// As in the instance.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub described: Vec<Described>,
    /// How the response ended.
    pub status: Status,
    /// Why the response failed, for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Every `expect` is full.
    pub correct: bool,
    /// The weighted mean of the `expect`s' scores, 0 where a gate failed; 0 to 1.
    pub score: f64,
    /// One for each `expect`, in the key's order.
    pub verdicts: Vec<Verdict>,
    /// The stage that the instance asks instead of the task itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<Stage>,
    /// What the response is worth at each stage of the task, in source order; not a part of its score.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<StageScore>,
    /// Where exactly one expectation asks for SQL: each call of `run_sql`, as the scorer runs it on the starting database; `None` if the calls are not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempts: Option<Vec<Attempt>>,
    /// The number of the first right one among those that were scored, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_right: Option<u32>,
    /// What the query of the answer comes to, in the same words; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer_class: Option<Class>,
    /// As in the response.
    pub rounds: Option<u32>,
    /// As in the response.
    pub tool_calls: Option<u32>,
    /// As in the response.
    pub sql_retries: Option<u32>,
    /// As in the response.
    pub prompt_tokens: Option<u64>,
    /// As in the response.
    pub completion_tokens: Option<u64>,
    /// As in the response.
    #[serde(default)]
    pub cost: Option<Money>,
    /// As in the response.
    pub wall_ms: Option<u64>,
    /// As in the response.
    pub first_tool_ms: Option<u64>,
    /// As in the response.
    pub first_sql_ms: Option<u64>,
}

impl Score {
    /// What it hangs together by with other responses to its task.
    pub fn to_unit(&self) -> Unit {
        Unit::new(self.sample, self.each.as_ref())
    }

    /// The share of what the expected query reads that the descriptions of its database name, 0 to 1: of several, that of the best. `None` without one.
    pub fn find_visible_share(&self) -> Option<f64> {
        self.described.iter().map(|one| one.visible).max_by(f64::total_cmp)
    }

    /// How many tokens its descriptions have, added up; `None` without one.
    pub fn sum_described_tokens(&self) -> Option<u64> {
        (!self.described.is_empty()).then(|| self.described.iter().map(|one| one.tokens).sum())
    }
}

/// What one `expect` says of a response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What the author calls it, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// What was read, for people: `reply`, `reply last line`, `file out.json`.
    pub subject: String,
    /// The matcher's word.
    pub matcher: String,
    /// 0 to 1; 1 is full.
    pub score: f64,
    /// Its weight.
    pub weight: f64,
    /// Whether the whole score hangs on it.
    pub gate: bool,
    /// Why.
    pub reason: Reason,
    /// The mistake whose value it is equal to, if it is [`Reason::Trapped`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trap: Option<String>,
    /// Where expected and got differ, at most a few; empty where it is full.
    #[serde(default)]
    pub differences: Vec<Difference>,
}

impl Verdict {
    /// What it is about, for people: its name and what was read, or what was read alone.
    pub fn describe_subject(&self) -> String {
        match &self.name {
            Some(name) => format!("{name} ({})", self.subject),
            None => self.subject.clone(),
        }
    }

    /// The path of the file that was read, if it was one.
    pub fn file_path(&self) -> Option<&str> {
        let path = self.subject.strip_prefix("file ")?;
        // A place in it is a JSONPath in quotes.
        let place = path.rfind(" at \"$").filter(|_| path.ends_with('"'));
        place.map_or(Some(path), |place| path.get(..place))
    }
}

/// What verdicts come to: whether the response is correct (every `expect` is full), and its score, 0 to 1: the mean by weights, and 0 where a gate is
/// not full.
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

/// One place where the answer is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// JSON pointer into the answer, `""` for the whole.
    pub at: String,
    /// What was expected there, shortened for people.
    pub expected: String,
    /// What was found there, shortened for people.
    pub got: String,
}

/// Why an `expect` has its score. A stable word of the scorer, version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is as expected.
    Right,
    /// It can be read, and is not as expected.
    Differs,
    /// Some of it is as expected (lists), or it is near (graded numbers).
    Partial,
    /// It is what a known mistake gives.
    Trapped,
    /// The trial has no response, or it failed.
    NoResponse,
    /// What should be read is empty.
    Empty,
    /// The slice of the reply is not there.
    NoSlice,
    /// The file does not exist.
    NoFile,
    /// The path is not a file (or not a folder, where one is expected).
    WrongKind,
    /// It is larger than what is kept.
    TooLarge,
    /// It is not UTF-8 text.
    NotText,
    /// It is not exactly one number.
    NotANumber,
    /// It is not JSON.
    NotJson,
    /// It is not a table of rows.
    NotRows,
    /// It is not a database that can be read.
    NotADatabase,
    /// The database has other tables or columns.
    WrongSchema,
    /// SQLite refuses the query, or it would write.
    SqlError,
    /// The query ran too long, or gave too many rows.
    SqlLimit,
    /// There is something where nothing should be.
    Present,
    /// It was changed.
    Changed,
    /// The key itself cannot be used: a regular expression that cannot be read, a database that is not there. The suite's fault.
    BadKey,
}
