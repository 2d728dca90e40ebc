//! What samples of a suite tell: the measures and verdicts of `picardc analyze`, and the trials of `picardc selftest`.
//!
//! `samples` makes instances in memory. `measure` keeps what is looked at of each, `answers` tells answers apart, `row` sums up by task with
//! `statistics` and `count`, `verdict` judges, `table` writes for people and `json` for programs. `selftest` lets three agents answer every instance.
//!
//! The crate reads no file and no clock, and prints nothing: the caller says in [`RunOptions`] how many threads work, who measures time, and who is told
//! of progress. With one thread no other is started.

pub mod answers;
pub mod count;
mod json;
pub mod measure;
pub mod row;
pub mod samples;
pub mod selftest;
mod table;
pub mod verdict;

use model::Plan;
use runtime::Failure;
use runtime::generate::{Generator, Options};
use serde_json::Value as Json;

pub use samples::RunOptions;

/// Fewer samples tell nothing of shares and entropies.
pub const FEWEST: u32 = 30;

/// What the samples of a suite tell.
#[derive(Debug)]
pub struct Analysis {
    /// Each task, in source order; variants with different answers have a row each.
    pub rows: Vec<row::Row>,
    /// All tasks together.
    pub whole: row::Whole,
}

impl Analysis {
    /// Makes every instance of the generator, and sums up. The same generator gives the same analysis with any number of threads, except for times.
    ///
    /// # Errors
    /// An instance cannot be made; of several such, the first in the bundle's order.
    pub fn from_generator(generator: &Generator<'_>, effort: RunOptions<'_>) -> Result<Analysis, Failure> {
        let (seen, same) = measure::measure_instances(generator, effort)?;
        let rows = row::build_rows(generator.plan(), &generator.list_sample_counts(), &seen, &same);
        let whole = row::summarize_rows(&rows);
        Ok(Analysis { rows, whole })
    }

    /// Whether no task has a reason to be called weak.
    pub fn is_good(&self) -> bool {
        self.rows.iter().all(|row| verdict::find_reasons(row).is_empty())
    }

    /// The report for people: a table, and notes for each task. It is plain text, and may have characters that terminals act on.
    pub fn render_table(&self, seed: &str) -> String {
        table::render_table(&self.rows, &self.whole, seed)
    }

    /// The report for programs (docs: reference/analyze.md). `samples`: how many of every task were asked for; `timing`: with times in milliseconds,
    /// which differ from run to run.
    pub fn build_document(&self, suite: &str, seed: &str, samples: u32, timing: bool) -> Json {
        json::build_document(suite, seed, samples, &self.rows, &self.whole, timing)
    }
}

/// The report on one task, for people, from `samples` samples of seed 1.
///
/// # Errors
/// A sample cannot be made.
pub fn analyze_task(plan: &Plan, task: &str, samples: u32, effort: RunOptions<'_>) -> Result<String, Failure> {
    let seed = "1";
    // A task's name holds no `*` and no `?`: as a pattern it matches itself.
    let options = Options { samples: Some(samples), task: Some(task.to_owned()), ..Options::new(seed) };
    Ok(Analysis::from_generator(&Generator::new(plan, options)?, effort)?.render_table(seed))
}
