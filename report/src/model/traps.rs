//! Which mistakes agents make: wrong answers that are equal to the value of a trap.

use std::collections::BTreeSet;

use serde::Serialize;
use statistics::Interval;
use statistics::accuracy::clusters;
use statistics::clustered::share_interval;

use super::lines::{Line, groups};

/// A trap of a task, and how many answers are equal to its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trap {
    /// Its name.
    pub trap: String,
    /// The task.
    pub task: String,
    /// The number of wrong answers that are equal to its value …
    pub times: u64,
    /// … of this number of wrong answers to the task.
    pub wrong: u64,
    /// The share, 0 to 1.
    pub share: f64,
    /// Wilson's interval of it, of the size that answers to one sample are worth.
    pub interval: Interval,
}

/// The traps of tasks: in the order of the tasks, the most frequent first.
pub fn traps(tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Trap> {
    tasks.iter().flat_map(|(task, lines)| of_task(task, lines)).collect()
}

fn of_task(task: &str, lines: &[Line<'_>]) -> Vec<Trap> {
    let wrong: Vec<Line<'_>> = lines.iter().filter(|line| !line.score.correct).copied().collect();
    let mut found: Vec<Trap> = groups(&wrong, |line| names(line).map(str::to_owned).collect())
        .into_iter()
        .map(|(trap, fallen)| {
            let is_equal = |line: &Line<'_>| names(*line).any(|name| name == trap);
            let each = wrong.iter().map(|line| (line.row.sample, f64::from(u8::from(is_equal(line)))));
            let (times, of) = (fallen.len() as u64, wrong.len() as u64);
            let interval = share_interval(&clusters(each));
            Trap { trap, task: task.to_owned(), times, wrong: of, share: times as f64 / of as f64, interval }
        })
        .collect();
    found.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.trap.cmp(&b.trap)));
    found
}

/// The traps that an answer is equal to, each once.
fn names<'s>(line: Line<'s>) -> impl Iterator<Item = &'s str> {
    let all: BTreeSet<&str> = line.score.verdicts.iter().filter_map(|verdict| verdict.trap.as_deref()).collect();
    all.into_iter()
}
