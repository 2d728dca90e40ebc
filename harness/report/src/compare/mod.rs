//! Compares two runs: which is better, by how much, and with what uncertainty.

pub mod advice;
pub mod costs;
pub mod paired;
pub mod tables;
pub mod two_samples;

use std::collections::BTreeSet;

use records::run::BundleRef;
use records::{Error, Score, Status};
use serde::Serialize;
use statistics::Interval;
use statistics::accuracy::{Accuracy, SamplingUnit};
use statistics::multiple_testing::adjust_in_place;

use crate::data::{RunData, explain_lake_difference};
use crate::model::lines::{build_lines, extract_rows, group_by};
use crate::model::propagation::{Propagation, compare_stage_runs};

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
    pub costs: Vec<costs::CostDifference>,
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

/// An instance with all its trials in one run.
#[derive(Clone, Debug)]
struct InstanceTrials<'a> {
    score: &'a Score,
    right: u64,
    trials: u64,
    worst: Status,
}

impl InstanceTrials<'_> {
    /// Whether it is correct in most of its trials.
    fn is_right(&self) -> bool {
        self.right * 2 > self.trials
    }
}

fn group_trials(scores: &[Score]) -> Vec<InstanceTrials<'_>> {
    let all: Vec<&Score> = scores.iter().collect();
    group_by(&all, |score| vec![score.id.as_str()])
        .into_iter()
        .filter_map(|(_, trials)| {
            let first = *trials.first()?;
            Some(InstanceTrials {
                score: first,
                right: trials.iter().filter(|score| score.correct).count() as u64,
                trials: trials.len() as u64,
                worst: trials.iter().map(|score| score.status).max().unwrap_or(first.status),
            })
        })
        .collect()
}

fn compute_accuracy(instances: &[&InstanceTrials<'_>]) -> f64 {
    let (right, trials) =
        instances.iter().fold((0, 0), |(right, trials), one| (right + one.right, trials + one.trials));
    if trials == 0 { 0.0 } else { right as f64 / trials as f64 }
}

fn count_right(instances: &[&InstanceTrials<'_>]) -> (u64, u64) {
    (instances.iter().filter(|one| one.is_right()).count() as u64, instances.len() as u64)
}

/// Compares runs A and B; `over` is what the overall interval generalizes to.
pub fn compare_runs(a: &RunData, b: &RunData, over: Option<SamplingUnit>) -> Result<Comparison, Error> {
    let (of_a, of_b) = (group_trials(&a.scores), group_trials(&b.scores));
    let mut because = Vec::new();
    let same_bundle = a.info.bundle.sha256 == b.info.bundle.sha256;
    let mut parts = if same_bundle {
        paired::compare_paired(&of_a, &of_b, over, &mut because)
    } else {
        because.push(explain_different_bundles(a, b));
        two_samples::compare_samples(&of_a, &of_b, over, &mut because)
    }
    .ok_or_else(|| {
        let what = if same_bundle { "instances" } else { "tasks" };
        Error::new_usage(format!("`{}` and `{}` have no {what} in common: there is nothing to compare", a.name, b.name))
            .help("compare two runs of one bundle, or of two bundles of one suite")
    })?;
    adjust_in_place(parts.tasks.iter_mut().map(|task| task.p_holm.insert(task.p_permutation.unwrap_or(task.p_exact))));
    let design = if same_bundle { Design::Paired } else { Design::TwoSamples };
    let verdict = decide_verdict(&parts.whole);
    let sentence = advice::build_sentence(&a.name, &b.name, &parts.whole, verdict, design);
    let side = |run: &RunData| Side {
        name: run.name.clone(),
        agent: run.info.agent.clone(),
        bundle_sha256: run.info.bundle.sha256.clone(),
        whole: Accuracy::from_rows(&extract_rows(&build_lines(&run.scores)), over),
    };
    Ok(Comparison {
        schema: 1,
        a: side(a),
        b: side(b),
        design,
        because,
        over: parts.over,
        whole: parts.whole,
        tasks: parts.tasks,
        discordant: parts.discordant,
        costs: if same_bundle { costs::compare_costs(a, b, parts.over) } else { Vec::new() },
        propagation: compare_stage_runs(a, b).or_else(|| compare_stage_runs(b, a)),
        verdict,
        sentence,
        warnings: a.warnings.iter().chain(&b.warnings).cloned().chain(explain_lake_difference(&[a, b])).collect(),
    })
}

/// The results of a design.
struct Parts {
    over: SamplingUnit,
    whole: Difference,
    tasks: Vec<Difference>,
    discordant: Vec<Discordant>,
}

fn decide_verdict(whole: &Difference) -> Verdict {
    let shown = whole.p_permutation.unwrap_or(whole.p_exact) < 0.05;
    if shown && whole.interval.low > 0.0 {
        Verdict::BBetter
    } else if shown && whole.interval.high < 0.0 {
        Verdict::ABetter
    } else {
        Verdict::NotShown
    }
}

fn explain_different_bundles(a: &RunData, b: &RunData) -> String {
    let (first, second) = (&a.info.bundle, &b.info.bundle);
    if first.stages != second.stages {
        let of = |bundle: &BundleRef| format!("`--stages {}`", bundle.stages.word());
        return format!(
            "they answered different questions ({} and {}), so the difference is not one between agents: compare runs of the same mode",
            of(first),
            of(second)
        );
    }
    let what = if first.suite != second.suite {
        format!("suites `{}` and `{}`", first.suite, second.suite)
    } else if first.version != second.version {
        format!("versions {} and {} of `{}`", first.version, second.version, first.suite)
    } else if first.seed != second.seed {
        format!("seeds {} and {}", first.seed, second.seed)
    } else {
        "other options or another source".to_owned()
    };
    format!(
        "they answered different bundles ({what}), so their instances are not the same: they are compared as two samples, \
         which shows less than pairs of one bundle would"
    )
}

/// Adds sentences on the items that only one of two lists has.
fn add_left_out(what: [&str; 2], in_a: &BTreeSet<String>, in_b: &BTreeSet<String>, because: &mut Vec<String>) {
    for (only, run) in [(in_a.difference(in_b).count(), "the first"), (in_b.difference(in_a).count(), "the second")] {
        if only > 0 {
            let (what, are) = if only == 1 { (what[0], "is") } else { (what[1], "are") };
            because.push(format!("{only} {what} of {run} run alone {are} left out"));
        }
    }
}
