//! The result of a comparison of two runs.

use records::Status;
use serde::Serialize;
use statistics::Interval;
use statistics::accuracy::{Accuracy, SamplingUnit};

use super::costs::CostDifference;
use crate::model::propagation::Propagation;

/// The comparison of run B with run A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The version of this format: 1.
    pub schema: u32,
    /// The first run.
    pub a: Side,
    /// The second run.
    pub b: Side,
    /// How they are compared.
    pub design: Design,
    /// Why this design was chosen, and what was left out, as sentences.
    pub because: Vec<String>,
    /// What the overall interval generalizes to.
    pub over: SamplingUnit,
    /// The overall difference.
    pub whole: Difference,
    /// The differences by task, in the suite's order; their p values are adjusted by Holm, too.
    pub tasks: Vec<Difference>,
    /// Paired: the instances that are correct (in most trials) in one run only.
    pub discordant: Vec<Discordant>,
    /// Paired: B's costs compared with A's, for every measure that both report.
    pub costs: Vec<CostDifference>,
    /// The effect of errors at earlier stages on later ones, if one run asked stages without and the other with the answers of earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation: Option<Propagation>,
    /// The result.
    pub verdict: Verdict,
    /// The result as a sentence.
    pub sentence: String,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl Comparison {
    /// Whether B is worse than A by more than a margin, 0 to 1: the whole interval of the difference is below minus the margin.
    pub fn is_worse(&self, margin: f64) -> bool {
        self.whole.interval.high < -margin
    }
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// The name of its folder.
    pub name: String,
    /// The agent.
    pub agent: String,
    /// The identity of its bundle.
    pub bundle_sha256: String,
    /// Its accuracy over all its instances, as `run` and `report` compute it.
    pub whole: Accuracy,
}

/// The design of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// Instance by instance: both answered the same instances.
    Paired,
    /// As two samples: their instances differ.
    TwoSamples,
}

/// A difference, B minus A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The task, or `all`.
    pub name: String,
    /// The number of A's instances that are correct in most of their trials, and their total number.
    pub a: (u64, u64),
    /// The number of B's instances that are correct in most of their trials, and their total number.
    pub b: (u64, u64),
    /// A's accuracy over trials, 0 to 1.
    pub accuracy_a: f64,
    /// B's accuracy over trials, 0 to 1.
    pub accuracy_b: f64,
    /// B's accuracy minus A's, −1 to 1.
    pub difference: f64,
    /// The 95% confidence interval of the difference: Tango's over clusters for pairs, otherwise Newcombe's.
    pub interval: Interval,
    /// Paired: the number of instances that only A has right.
    pub only_a: Option<u64>,
    /// Paired: the number of instances that only B has right.
    pub only_b: Option<u64>,
    /// McNemar's exact p for pairs, otherwise Fisher's.
    pub p_exact: f64,
    /// Paired: the p of the permutation test over clusters.
    pub p_permutation: Option<f64>,
    /// For a task: the permutation p (paired) or Fisher's, adjusted by Holm over all tasks.
    pub p_holm: Option<f64>,
}

/// An instance on which the two differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Discordant {
    /// Its id.
    pub id: String,
    /// Its task.
    pub task: String,
    /// The run in which it is correct: `a` or `b`.
    pub right_in: Which,
    /// How the other run's response ended.
    pub status: Status,
}

/// One of the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Which {
    A,
    B,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A is better: the interval excludes 0, and p is under 5%.
    ABetter,
    /// B is better: the interval excludes 0, and p is under 5%.
    BBetter,
    /// No significant difference.
    NotShown,
}
