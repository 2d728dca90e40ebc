//! The suite's accuracy, and of what its interval speaks.

use serde::Serialize;

use super::lines::{Line, groups, right, units};
use super::share::Share;
use crate::statistics::Interval;
use crate::statistics::clustered::{Cluster, few_clusters_interval, mean, standard_error};
use crate::statistics::proportion::mover;

/// With fewer tasks no test over tasks can refute anything: the least p of n signs is 2^(1−n), under 5 % from 6 on.
pub const FEWEST_TASKS: usize = 6;

/// What is taken to be drawn at random: what an interval of the whole speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Tasks: how it would do at other tasks like these.
    Tasks,
    /// Samples: how it would do at fresh samples of these very tasks.
    Samples,
}

impl Over {
    /// As asked; without, over tasks if there are enough of them. A single task tells nothing of others.
    pub fn choose(asked: Option<Over>, tasks: usize) -> Over {
        match asked {
            Some(Over::Tasks) if tasks < 2 => Over::Samples,
            Some(over) => over,
            None if tasks >= FEWEST_TASKS => Over::Tasks,
            None => Over::Samples,
        }
    }
}

/// The whole run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Whole {
    /// All lines. Its interval is of the kind that `over` tells.
    #[serde(flatten)]
    pub share: Share,
    /// What the interval speaks of.
    pub over: Over,
    /// The interval for other tasks like these: tasks are clusters. `None` for a single task.
    pub over_tasks: Option<Interval>,
    /// The interval for fresh samples of these tasks.
    pub over_samples: Interval,
    /// The standard error of the accuracy, clustered by task. `None` for a single task.
    pub error_over_tasks: Option<f64>,
    /// The standard error of the mean score, clustered by task. `None` for a single task.
    pub score_error_over_tasks: Option<f64>,
    /// How many tasks there are.
    pub tasks: u64,
    /// How many independent samples there are over all tasks.
    pub samples: u64,
}

impl Whole {
    /// Of all lines of a run.
    pub fn of(lines: &[Line<'_>], asked: Option<Over>) -> Whole {
        let share = Share::of(lines);
        let tasks = groups(lines, |line| vec![line.score.task.as_str()]);
        let over = Over::choose(asked, tasks.len());
        let by_task = |value: fn(&records::Score) -> f64| -> Vec<Cluster> {
            let sum = |lines: &[Line<'_>]| lines.iter().map(|line| value(line.score)).sum();
            tasks.iter().map(|(_, lines)| Cluster { sum: sum(lines), n: lines.len() as u64 }).collect()
        };
        let clusters = by_task(right);
        let parts: Vec<(f64, f64, Interval)> = tasks
            .iter()
            .map(|(_, part)| {
                let weight = part.len() as f64 / lines.len() as f64;
                (weight, mean(&units(part, right)), Share::of(part).interval)
            })
            .collect();
        let over_samples = if tasks.len() == 1 { share.interval } else { mover(&parts) };
        let over_tasks = few_clusters_interval(&clusters);
        let interval = match over {
            Over::Tasks => over_tasks.unwrap_or(over_samples),
            Over::Samples => over_samples,
        };
        Whole {
            share: Share { interval, ..share },
            over,
            over_tasks,
            over_samples,
            error_over_tasks: standard_error(&clusters),
            score_error_over_tasks: standard_error(&by_task(|score| score.score)),
            tasks: tasks.len() as u64,
            samples: units(lines, right).len() as u64,
        }
    }
}
