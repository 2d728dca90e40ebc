//! Analyzes samples of a suite: the measures and verdicts of `picardc analyze`, and the trials of `picardc selftest`.
//!
//! `sample_size` chooses how many samples, and `samples` makes their instances in memory. `measure` keeps the facts about each, `answers` compares answers, `trial` tries replies that need little work and
//! the misreadings of `readings`, `row` summarizes each task with `statistics`, `count`, and `trials` (`guess`, `shortcuts`, `difficulty`), `verdict` judges, `table` writes for people and `json` for programs. `selftest` lets three agents answer every instance.
//!
//! The crate reads no file and no clock, and prints nothing: with [`RunOptions`], the caller sets the number of threads, the clock, and the receiver
//! of progress. With one thread no other is started.

pub mod answers;
pub mod count;
mod difficulty;
mod guess;
mod json;
pub mod measure;
mod numbers;
mod readings;
pub mod row;
mod sample_size;
pub mod samples;
pub mod selftest;
mod shortcuts;
mod table;
mod trial;
pub mod trials;
pub mod verdict;

use model::Plan;
use runtime::Failure;
use runtime::generate::{Generator, Options};
use serde_json::Value as Json;

pub use json::Times;
pub use sample_size::choose_sample_size;
pub use samples::RunOptions;

/// The minimum number of samples: with fewer, shares and entropies are meaningless.
pub const FEWEST: u32 = 30;

/// The analysis of a suite's samples.
#[derive(Debug)]
pub struct Analysis {
    /// Each task, in source order; variants with different answers have a row each.
    pub rows: Vec<row::Row>,
    /// All tasks together.
    pub whole: row::Whole,
}

impl Analysis {
    /// Makes every instance of the generator, and summarizes them. The result is the same with any number of threads, except for times.
    ///
    /// # Errors
    /// An instance cannot be made; the error is that of the first one in the bundle's order.
    pub fn from_generator(generator: &Generator<'_>, effort: RunOptions<'_>) -> Result<Analysis, Failure> {
        let (seen, same) = measure::measure_instances(generator, effort)?;
        let rows = row::build_rows(generator.plan(), &generator.list_sample_counts(), &seen, &same);
        let whole = row::summarize_rows(&rows);
        Ok(Analysis { rows, whole })
    }

    /// Whether every task is good.
    pub fn is_good(&self) -> bool {
        self.rows.iter().all(|row| verdict::find_reasons(row).is_empty())
    }

    /// Renders the report for people: a table, and notes for each task. It is plain text, and may contain terminal control characters.
    pub fn render_table(&self, seed: &str) -> String {
        table::render_table(&self.rows, &self.whole, seed)
    }

    /// Builds the report for programs (docs: reference/analyze.md). `samples`: the requested number for each task.
    pub fn build_document(&self, suite: &str, seed: &str, samples: u32, times: Times) -> Json {
        json::build_document(suite, seed, samples, &self.rows, &self.whole, times)
    }
}

/// Renders the report on one task, for people, from `samples` samples with seed 1.
///
/// # Errors
/// A sample cannot be made.
pub fn analyze_task(plan: &Plan, task: &str, samples: u32, effort: RunOptions<'_>) -> Result<String, Failure> {
    let seed = "1";
    // The name of a task contains neither `*` nor `?`, so as a pattern it matches only itself.
    let options = Options { samples: Some(samples), task: Some(task.to_owned()), ..Options::new(seed) };
    Ok(Analysis::from_generator(&Generator::new(plan, options)?, effort)?.render_table(seed))
}
