//! What an instance's record tells about the task it asks: the row, the stages, and descriptions of databases.

use serde::{Deserialize, Serialize};

use crate::answer_key::Expected;

/// A row of a data set that an instance asks about, without its cells, which may contain the answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedRow {
    /// The task's name for a row.
    pub name: String,
    /// The row's name in ids.
    pub key: String,
    /// Its cluster, such as the database that the question is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<String>,
}

/// A stage, with its place in the graph of its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// The stages that precede it, in source order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Its own tags, without those of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// A stage with its answer key.
#[derive(Clone, Debug, PartialEq)]
pub struct StageKey {
    /// The stage.
    pub stage: Stage,
    /// Its answer key.
    pub expects: Vec<Expected>,
}

/// A description of a database for which a query must be written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Described {
    /// Maximum number of tokens.
    pub budget: u64,
    /// Actual number of tokens.
    pub tokens: u64,
    /// Share of the tables and columns read by the expected query that it names: 0 to 1, rounded to four decimal places.
    pub visible: f64,
}
