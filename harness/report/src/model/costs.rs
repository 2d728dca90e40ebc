//! The cost of answers: rounds, calls, retries, tokens, money, time (PICARD paper, tables 2 to 5; schemadex's metrics).
//!
//! Arms (variants of a task, values of an axis) are kept apart and never pooled: the mean would hide that an agent needs twice the tokens in one of two arms.

use serde::Serialize;
use statistics::summary::Spread;

use super::arms::{Arms, compare_arms};
use super::lines::{Line, group_by};
use super::measure::{Measure, compute_spread};

/// One measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The measure.
    pub what: Measure,
    /// The distribution over all lines that report it; `None` if a task has several arms.
    pub whole: Option<Spread>,
    /// By task; `None` if no line of a task reports it, or if the task has several arms.
    #[serde(serialize_with = "super::as_map")]
    pub tasks: Vec<(String, Option<Spread>)>,
    /// The arms of tasks, compared.
    pub arms: Vec<Arms>,
}

/// Summarizes every measure that some line reports.
pub fn summarize_costs(lines: &[Line<'_>], tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Cost> {
    let several: Vec<bool> = tasks.iter().map(|(_, lines)| has_arms(lines)).collect();
    let cost = |what: Measure| {
        let whole = compute_spread(lines, what)?;
        let of_task = |((task, lines), several): (&(String, Vec<Line<'_>>), &bool)| {
            (task.clone(), if *several { None } else { compute_spread(lines, what) })
        };
        Some(Cost {
            what,
            whole: (!several.contains(&true)).then_some(whole),
            tasks: tasks.iter().zip(&several).map(of_task).collect(),
            arms: tasks.iter().flat_map(|(task, lines)| compare_arms(task, lines, what)).collect(),
        })
    };
    Measure::COSTS.into_iter().filter_map(cost).collect()
}

/// Whether a task has variants, or an axis with several values.
fn has_arms(lines: &[Line<'_>]) -> bool {
    group_by(lines, |line| vec![(&line.score.variant, &line.score.axis)]).len() > 1
}
