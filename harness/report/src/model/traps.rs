//! The mistakes that agents make: wrong answers that are equal to the value of a trap.

use std::collections::BTreeSet;

use records::StageScore;
use serde::Serialize;
use statistics::Interval;

use super::lines::{Line, collect_unique, group_by};
use super::share::Part;

/// A trap of a task, and the number of answers that are equal to its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trap {
    /// Its name.
    pub trap: String,
    /// The task.
    pub task: String,
    /// The stage whose answer it is about, if it is scored next to the task's own answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// The number of wrong answers that are equal to its value …
    pub times: u64,
    /// … of this number of wrong answers to the task.
    pub wrong: u64,
    /// The share, 0 to 1.
    pub share: f64,
    /// Wilson's interval, with the effective number of independent answers.
    pub interval: Interval,
}

impl Trap {
    /// Renders the question for people: the task, and its stage.
    pub fn describe_question(&self) -> String {
        self.stage.as_ref().map_or_else(|| self.task.clone(), |stage| format!("{}, stage {stage}", self.task))
    }
}

/// Finds the traps of tasks, in the order of the tasks and their stages, the most frequent first.
pub fn find_traps(tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Trap> {
    tasks.iter().flat_map(|(task, lines)| find_in_task(task, lines)).collect()
}

fn find_in_task(task: &str, lines: &[Line<'_>]) -> Vec<Trap> {
    let wrong: Vec<Line<'_>> = lines.iter().filter(|line| !line.score.correct).copied().collect();
    let mut all = count_traps((task, None), &wrong, collect_trap_names);
    for stage in collect_unique(lines.iter().flat_map(|line| &line.score.stages).map(|one| one.stage.name.as_str())) {
        let is_wrong = |line: &&Line<'_>| iter_stage_scores(line, stage).any(|one| !one.correct);
        let wrong: Vec<Line<'_>> = lines.iter().filter(is_wrong).copied().collect();
        let names = |line| iter_stage_scores(&line, stage).filter_map(|one| one.trap.as_deref()).collect();
        all.extend(count_traps((task, Some(stage)), &wrong, names));
    }
    all
}

/// Iterates over the scores of a stage.
fn iter_stage_scores<'s>(line: &Line<'s>, stage: &str) -> impl Iterator<Item = &'s StageScore> {
    line.score.stages.iter().filter(move |one| one.stage.name == stage)
}

/// Counts the traps to which wrong answers to a question are equal.
fn count_traps<'s>(
    (task, stage): (&str, Option<&str>),
    wrong: &[Line<'s>],
    names: impl Fn(Line<'s>) -> BTreeSet<&'s str>,
) -> Vec<Trap> {
    let mut found: Vec<Trap> = group_by(wrong, |line| names(line).into_iter().map(str::to_owned).collect())
        .into_iter()
        .map(|(trap, _)| {
            let is_equal = |line: &Line<'s>| names(*line).contains(trap.as_str());
            let Part { count: times, of: wrong, share, interval } =
                Part::from_outcomes(wrong.iter().map(|line| (line.row.sample, is_equal(line))));
            Trap { trap, task: task.to_owned(), stage: stage.map(str::to_owned), times, wrong, share, interval }
        })
        .collect();
    found.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.trap.cmp(&b.trap)));
    found
}

/// Returns the traps to which an answer is equal, without duplicates.
fn collect_trap_names(line: Line<'_>) -> BTreeSet<&str> {
    line.score.verdicts.iter().filter_map(|verdict| verdict.trap.as_deref()).collect()
}
