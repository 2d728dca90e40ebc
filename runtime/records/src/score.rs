//! The scores of responses: one line of `scores.jsonl` for each instance and trial of a run, including those without a response.

use model::asked::{AskedRow, Described, Stage};
use serde::{Deserialize, Serialize};

use crate::attempt::{Attempt, Class};
use crate::money::Money;
use crate::response::Status;
use crate::stage::StageScore;
use crate::unit::Unit;
use crate::verdict::Verdict;

/// The score of one instance in one trial, with all data that reports use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The instance.
    pub id: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// Its task.
    pub task: String,
    /// Its variant.
    pub variant: Option<String>,
    /// The row of a data set that the question is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub each: Option<AskedRow>,
    /// Its axis values by name, as texts.
    pub axis: Vec<(String, String)>,
    /// Number of the sample, from 1.
    pub sample: u32,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its descriptions, as in the instance.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub described: Vec<Described>,
    /// The status of the response.
    pub status: Status,
    /// The reason why the response failed, for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Whether every `expect` is met.
    pub correct: bool,
    /// The weighted mean of the scores of the `expect`s, from 0 to 1; 0 if a gate failed.
    pub score: f64,
    /// One verdict for each `expect`, in the key's order.
    pub verdicts: Vec<Verdict>,
    /// The stage that is asked instead of the task itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<Stage>,
    /// The scores of the response at each stage of the task, in source order; they are not part of its own score.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<StageScore>,
    /// If exactly one expectation asks for SQL: each call of `run_sql`, as run by the scorer on the starting database; `None` if the calls are unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub attempts: Option<Vec<Attempt>>,
    /// The number of the first correct attempt among the scored ones, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_right: Option<u32>,
    /// The class of the answer's query; `None` without a query.
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
    /// Returns the unit of statistics to which the response belongs.
    pub fn to_unit(&self) -> Unit {
        Unit::new(self.sample, self.each.as_ref())
    }

    /// Returns the share of the tables and columns read by the expected query that the descriptions of its database name, from 0 to 1; with several
    /// descriptions, the best share. `None` without one.
    pub fn find_visible_share(&self) -> Option<f64> {
        self.described.iter().map(|one| one.visible).max_by(f64::total_cmp)
    }

    /// Returns the total number of tokens of its descriptions; `None` without one.
    pub fn sum_described_tokens(&self) -> Option<u64> {
        (!self.described.is_empty()).then(|| self.described.iter().map(|one| one.tokens).sum())
    }
}
