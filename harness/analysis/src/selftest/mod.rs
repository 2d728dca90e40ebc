//! Tests whether the answer keys of a suite can be met, are not met by doing nothing, and can be computed from the files.
//!
//! `trial` lets three agents answer every instance in memory, `others` tries what needs the answers of other instances, `row` summarizes each task, `table` writes for people and `json` for programs.

mod json;
mod others;
mod row;
mod table;
mod trial;

use api::Instances;
use runtime::Failure;
use serde_json::Value as Json;

use crate::RunOptions;

pub use row::{Lost, Row};

/// The result of the trials.
#[derive(Debug)]
pub struct Selftest {
    /// Each task, in source order.
    pub rows: Vec<Row>,
}

impl Selftest {
    /// Lets the agents answer every instance. The same instances give the same result with any number of threads.
    ///
    /// # Errors
    /// An instance cannot be made; the error is that of the first one in the bundle's order.
    pub fn from_instances(instances: &Instances<'_>, effort: RunOptions<'_>) -> Result<Selftest, Failure> {
        let mut tried = trial::run_trials(instances, effort)?;
        let panels = others::try_others(instances, &mut tried)?;
        Ok(Selftest { rows: row::build_rows(tried, panels) })
    }

    /// Whether every task is sound.
    pub fn is_sound(&self) -> bool {
        self.rows.iter().all(Row::is_sound)
    }

    /// Renders the report for people. It is plain text, and may contain terminal control characters.
    pub fn render_table(&self, seed: &str) -> String {
        table::render_table(&self.rows, seed)
    }

    /// Builds the report for programs (docs: reference/selftest.md). `samples`: the requested number for each task.
    pub fn build_document(&self, suite: &str, seed: &str, samples: u32) -> Json {
        json::build_document(suite, seed, samples, &self.rows)
    }
}
