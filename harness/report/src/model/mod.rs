//! The content of a report, independent of its format: a pure function of scored runs.

pub mod arm_sets;
pub mod arms;
pub mod costs;
pub mod curves;
pub mod descriptions;
pub mod formats;
pub mod lines;
pub mod measure;
pub mod pairs;
pub mod propagation;
pub mod share;
pub mod sizes;
pub mod stages;
pub mod sweeps;
pub mod traps;
pub mod trials;

use records::verdict::Verdict;
use records::{Ignored, Score, Status};
use serde::{Serialize, Serializer};
use statistics::Interval;
use statistics::accuracy::{Accuracy, SamplingUnit};

use crate::data::{RunData, explain_lake_difference};
use arm_sets::ArmSet;
use curves::{AxisCurve, Progress};
use formats::Formats;
use lines::{Line, build_lines, extract_rows, group_by};
use propagation::Propagation;
use share::{Group, Part, compute_group_shares, compute_share};
use sizes::Sizes;
use stages::Stages;
use sweeps::Sweep;
use traps::Trap;
use trials::Trials;

/// A report on one run or several.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of this format: 1.
    pub schema: u32,
    /// The runs, as given.
    pub runs: Vec<RunReport>,
    /// The effect of errors at earlier stages on later ones, if two runs show it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub propagation: Vec<Propagation>,
    /// Arms side by side (`--by`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<ArmSet>,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

/// The report on one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunReport {
    /// The name of its folder.
    pub name: String,
    /// The agent.
    pub agent: String,
    /// The suite's name.
    pub suite: String,
    /// The suite's title.
    pub title: String,
    /// The suite's version.
    pub version: String,
    /// The bundle's seed.
    pub seed: String,
    /// The bundle's identity.
    pub bundle_sha256: String,
    /// The number of trials of each instance.
    pub trials: u32,
    /// Whether its bundle was used at least once without a check of its digests.
    pub unverified: bool,
    /// Responses that do not count.
    pub ignored: Ignored,
    /// The suite's accuracy.
    pub whole: Accuracy,
    /// The number of trials by status: all five, in this order. Failed, timed out, and missing trials count as wrong.
    #[serde(serialize_with = "as_map")]
    pub statuses: Vec<(Status, u64)>,
    /// By task.
    pub tasks: Vec<Group>,
    /// By variant, named `task variant`.
    pub variants: Vec<Group>,
    /// By matcher: each `expect` counts, and is correct if its score is 1.
    pub matchers: Vec<MatcherStats>,
    /// By the names of expectations, over all tasks that have an `expect` of that name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<ExpectationStats>,
    /// The mistakes that explain wrong answers, by task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<Trap>,
    /// By tag.
    pub tags: Vec<Group>,
    /// By axis.
    pub axes: Vec<AxisCurve>,
    /// By axis, over all tasks that have it with the same values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sweeps: Vec<Sweep>,
    /// Tasks with variants.
    pub formats: Vec<Formats>,
    /// Where pipelines break first, if tasks have stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<Stages>,
    /// pass@k and pass^k.
    pub pass: Vec<Trials>,
    /// Rounds, tokens, time.
    pub costs: Vec<costs::Cost>,
    /// The accuracy after the first n samples.
    pub progress: Progress,
    /// The accuracy after the first n samples, by task.
    #[serde(serialize_with = "as_map")]
    pub progress_of_tasks: Vec<(String, Progress)>,
    /// How many samples are sufficient.
    pub sizes: Sizes,
    /// All incorrect trials, in the bundle's order.
    pub failures: Vec<Failure>,
}

/// How often expectations were met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Met {
    /// The number of verdicts that are fully correct …
    pub correct: u64,
    /// … of this number in total.
    pub of: u64,
    /// Wilson's interval, with the effective number of independent verdicts.
    pub interval: Interval,
}

/// How often a matcher was met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatcherStats {
    /// Its keyword.
    pub matcher: String,
    /// How often.
    #[serde(flatten)]
    pub met: Met,
}

/// How often the expectations with one name were met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectationStats {
    /// The name.
    pub name: String,
    /// How often.
    #[serde(flatten)]
    pub met: Met,
    /// The mean of their scores, 0 to 1.
    pub score: f64,
}

/// An incorrect trial of an instance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Failure {
    /// The instance.
    pub id: String,
    /// The number of the trial, from 1.
    pub trial: u32,
    /// Its task.
    pub task: String,
    /// How the response ended.
    pub status: Status,
    /// Why it failed.
    pub error: Option<String>,
    /// Its partial score.
    pub score: f64,
    /// The verdict of each `expect`.
    pub verdicts: Vec<Verdict>,
}

/// Serializes pairs as an object, in their order.
fn as_map<K: Serialize, V: Serialize, S: Serializer>(pairs: &[(K, V)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}

/// Builds the report on these runs; `over` is what overall intervals generalize to, by default the choice of [`SamplingUnit::choose`].
pub fn build_report(runs: &[RunData], over: Option<SamplingUnit>) -> Report {
    let mut warnings: Vec<String> = runs.iter().flat_map(|run| run.warnings.iter().cloned()).collect();
    if let [first, others @ ..] = runs
        && others.iter().any(|run| run.info.bundle.sha256 != first.info.bundle.sha256)
    {
        warnings.push(
            "these runs are of different bundles: the same question may be harder in one than in another; \
             `picardc compare` tells what that leaves of a difference"
                .to_owned(),
        );
    }
    warnings.extend(explain_lake_difference(&runs.iter().collect::<Vec<_>>()));
    let propagation = propagation::measure_propagation(runs);
    Report {
        schema: 1,
        runs: runs.iter().map(|run| build_run_report(run, over)).collect(),
        propagation,
        by: Vec::new(),
        warnings,
    }
}

fn build_run_report(run: &RunData, over: Option<SamplingUnit>) -> RunReport {
    let all = build_lines(&run.scores);
    let tasks: Vec<(String, Vec<Line<'_>>)> = group_by(&all, |line| vec![line.score.task.clone()]);
    let variant =
        |line: Line<'_>| line.score.variant.iter().map(|name| format!("{} {name}", line.score.task)).collect();
    let bundle = &run.info.bundle;
    let axes = curves::build_axis_curves(&tasks);
    RunReport {
        name: run.name.clone(),
        agent: run.info.agent.clone(),
        suite: bundle.suite.clone(),
        title: bundle.title.clone(),
        version: bundle.version.clone(),
        seed: bundle.seed.clone(),
        bundle_sha256: bundle.sha256.clone(),
        trials: run.info.trials,
        unverified: run.info.unverified,
        ignored: run.ignored,
        whole: Accuracy::from_rows(&extract_rows(&all), over),
        statuses: count_statuses(&run.scores),
        tasks: tasks.iter().map(|(name, lines)| Group { name: name.clone(), share: compute_share(lines) }).collect(),
        variants: compute_group_shares(group_by(&all, variant)),
        matchers: summarize_matchers(&all),
        expectations: summarize_expectations(&all),
        traps: traps::find_traps(&tasks),
        tags: compute_group_shares(group_by(&all, |line| line.score.tags.clone())),
        sweeps: sweeps::build_sweeps(&tasks, &axes),
        axes,
        formats: formats::compare_formats(&tasks),
        stages: stages::summarize_stages(&tasks),
        pass: trials::compute_pass_rates(&all),
        costs: costs::summarize_costs(&all, &tasks),
        progress: curves::compute_progress(&all, |lines| {
            Accuracy::from_rows(&extract_rows(lines), Some(SamplingUnit::Samples)).share
        }),
        progress_of_tasks: tasks
            .iter()
            .map(|(task, lines)| (task.clone(), curves::compute_progress(lines, compute_share)))
            .collect(),
        sizes: sizes::estimate_sizes(&all, run.info.trials),
        failures: run.scores.iter().filter(|score| !score.correct).map(build_failure).collect(),
    }
}

fn count_statuses(scores: &[Score]) -> Vec<(Status, u64)> {
    [Status::Done, Status::MaxRounds, Status::Timeout, Status::Failed, Status::Missing]
        .map(|status| (status, scores.iter().filter(|score| score.status == status).count() as u64))
        .to_vec()
}

/// A verdict with its sample.
type Placed<'s> = (&'s Verdict, usize);

fn collect_verdicts<'s>(lines: &[Line<'s>]) -> Vec<Placed<'s>> {
    lines.iter().flat_map(|line| line.score.verdicts.iter().map(|verdict| (verdict, line.row.sample))).collect()
}

/// Counts the full verdicts.
fn count_full(verdicts: &[Placed<'_>]) -> Met {
    let part = Part::from_outcomes(verdicts.iter().map(|(verdict, sample)| (*sample, verdict.score >= 1.0)));
    Met { correct: part.count, of: part.of, interval: part.interval }
}

fn summarize_matchers(lines: &[Line<'_>]) -> Vec<MatcherStats> {
    let groups = group_by(&collect_verdicts(lines), |(verdict, _)| vec![verdict.matcher.clone()]);
    groups.into_iter().map(|(matcher, verdicts)| MatcherStats { matcher, met: count_full(&verdicts) }).collect()
}

fn summarize_expectations(lines: &[Line<'_>]) -> Vec<ExpectationStats> {
    group_by(&collect_verdicts(lines), |(verdict, _)| verdict.name.iter().cloned().collect())
        .into_iter()
        .map(|(name, verdicts)| {
            let score = verdicts.iter().map(|(verdict, _)| verdict.score).sum::<f64>() / verdicts.len() as f64;
            ExpectationStats { name, met: count_full(&verdicts), score }
        })
        .collect()
}

fn build_failure(score: &Score) -> Failure {
    Failure {
        id: score.id.clone(),
        trial: score.trial,
        task: score.task.clone(),
        status: score.status,
        error: score.error.clone(),
        score: score.score,
        verdicts: score.verdicts.clone(),
    }
}
