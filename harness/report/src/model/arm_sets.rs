//! Arms side by side: the variants of tasks, or the values of an axis, over the instances that all of them have. Each is compared with one of them.
//!
//! A *place* is an instance without its arm: the same task, sample, and other axes. A place counts with the mean of its trials. Places of one cluster
//! are dependent, so resampling and sign flips apply to whole clusters.

use std::collections::{BTreeMap, BTreeSet};

use records::run::LimitEnforcement;
use records::{AskedRow, Error, Score, Unit};
use serde::Serialize;
use statistics::Interval;
use statistics::accuracy::Observation;
use statistics::bootstrap::{self, Pair};
use statistics::clustered::compute_mean;
use statistics::exact_tests::compute_mcnemar_p;
use statistics::multiple_testing::adjust_in_place;
use statistics::paired::{
    Pairs, compute_few_stratified_interval, compute_stratified_design_effect, compute_stratified_interval,
};
use statistics::permutation_test::compute_sign_flip_p;
use statistics::sample_size::find_pairs_for;
use statistics::summary::Spread;

use super::descriptions::{self, DescribedOf};
use super::lines::{Line, build_lines, collect_unique, group_by};
use super::measure::Measure;
use super::pairs::{self, Paired, PlaceSums};
use super::share::{Part, Share, compute_share};
use crate::data::RunData;

/// The maximum number of attempts with their own column.
const MAX_ATTEMPTS: u32 = 10;

/// The name of arms that are variants; otherwise, arms are the values of an axis.
pub const VARIANT: &str = "variant";

/// The arms of one run, over the tasks that have the same arms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmSet {
    /// The run.
    pub run: String,
    /// `variant`, or the name of an axis.
    pub by: String,
    /// The tasks.
    pub tasks: Vec<String>,
    /// The arm with which the others are compared.
    pub against: String,
    /// The number of instances that all arms have.
    pub instances: u64,
    /// The number of their clusters.
    pub clusters: u64,
    /// How tools that tasks state were enforced, if arms have different ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<LimitEnforcement>,
    /// The arms, in the suite's order.
    pub arms: Vec<ArmOf>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmOf {
    /// The variant, or the axis value.
    pub name: String,
    /// The share of correct responses; missing and failed ones count as wrong.
    pub right: Share,
    /// The comparison with the other arm; `None` for that arm itself.
    pub against: Option<RightAgainst>,
    /// Amounts of completed responses, each with its mean. Amounts that no response reports are left out.
    pub means: Vec<MeanOf>,
    /// Times of completed responses.
    pub times: Vec<TimeOf>,
    /// Attempts at SQL; `None` if they are unknown.
    pub attempts: Option<AttemptsOf>,
    /// Descriptions of databases; `None` if no arm has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub described: Option<DescribedOf>,
}

/// The accuracy of one arm compared with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RightAgainst {
    /// This arm's accuracy minus the other's, −1 to 1.
    pub difference: f64,
    /// Its 95% confidence interval: Tango's over clusters, which never has a width of 0.
    pub interval: Interval,
    /// The number of places that only this arm has right, in most trials.
    pub won: u64,
    /// The number of places that only the other arm has right.
    pub lost: u64,
    /// How p is computed.
    pub test: Test,
    /// The two-sided p.
    pub p: f64,
    /// The p adjusted by Holm over the arms.
    pub p_holm: f64,
    /// The number of pairs that show a difference as large at 5% with a power of 80%; `None` if the difference is 0, and above 10⁹.
    pub pairs_needed: Option<u64>,
}

/// How a p value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// McNemar's exact test: every place is a separate cluster, asked once.
    Mcnemar,
    /// The permutation of signs by cluster, over all sign vectors.
    Signs,
    /// The same over random sign vectors.
    RandomSigns,
}

/// An amount in one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanOf {
    /// The amount.
    pub what: Measure,
    /// The number of responses that report it.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// The comparison with the other arm, over the places that report it in both.
    pub against: Option<MeanAgainst>,
}

/// The mean of one arm compared with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanAgainst {
    /// The comparison of the means.
    #[serde(flatten)]
    pub paired: Paired,
    /// The p adjusted by Holm over the arms.
    pub p_holm: f64,
}

/// A time in one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeOf {
    /// The time.
    pub what: Measure,
    /// The number of responses that report it.
    pub n: u64,
    /// The median, in milliseconds (nearest rank).
    pub p50: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The comparison with the other arm, over the places that report it in both.
    pub against: Option<MedianAgainst>,
}

/// The median of one arm compared with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MedianAgainst {
    /// The number of places that report it in both arms.
    pub pairs: u64,
    /// This arm's median minus the other's, over these places.
    pub difference: f64,
    /// Its 95% confidence interval by the bootstrap of clusters; `None` for few clusters, or if nothing varies.
    pub interval: Option<Interval>,
}

/// Attempts at SQL in one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptsOf {
    /// The number of responses with known attempts.
    pub responses: u64,
    /// Responses in which the k-th attempt or an earlier one is right, for k from 1.
    pub by_attempt: Vec<Part>,
    /// Responses in which some attempt is right.
    pub ever: Part,
}

/// The key that is the same in all arms: task, other axes, variant (unless it is the arm), row, and sample.
type Same = (String, Vec<(String, String)>, Option<String>, Option<AskedRow>, u32);

/// A cluster: the task, and the unit of dependent instances in it.
type Cluster = (String, Unit);

/// A place with its cluster.
type Place = (Same, Cluster);

/// The lines of a task.
type OfTask<'a> = (String, Vec<Line<'a>>);

/// Builds the arm sets of all runs. `against` is the name of the arm with which others are compared; by default, it is the first of each set.
///
/// # Errors
/// No run has such arms, or no set has an arm of that name.
pub fn build_arm_sets(runs: &[RunData], by: &str, against: Option<&str>) -> Result<Vec<ArmSet>, Error> {
    let mut sets = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for run in runs {
        let all = build_lines(&run.scores);
        // Tasks are grouped by their arms: arms are compared over the tasks that have all of them.
        let tasks = group_by(&all, |line| vec![line.score.task.clone()]);
        let arms: Vec<(Vec<String>, OfTask<'_>)> =
            tasks.into_iter().map(|(task, lines)| (list_arms(&lines, by), (task, lines))).collect();
        for set in collect_unique(arms.iter().map(|(names, _)| names.clone()).filter(|names| names.len() > 1)) {
            names.extend(set.iter().cloned());
            let first = match against {
                Some(name) if set.iter().any(|arm| arm == name) => name.to_owned(),
                Some(_) => continue,
                None => set.first().cloned().unwrap_or_default(),
            };
            let of_set = arms.iter().filter(|(names, _)| *names == set).map(|(_, task)| task);
            sets.push(build_arm_set(run, by, (&set, first), &of_set.cloned().collect::<Vec<_>>()));
        }
    }
    if !sets.is_empty() {
        return Ok(sets);
    }
    let known: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Err(match against.filter(|_| !names.is_empty()) {
        Some(name) => Error::new_usage(format!("`{name}` is not an arm by {by}"))
            .help(format!("give --against one of {}", known.join(", "))),
        None if by == VARIANT => Error::new_usage("no task of these runs has several variants")
            .help("give --by AXIS for the values of an axis"),
        None => {
            let axes =
                runs.iter().flat_map(|run| &run.scores).flat_map(|score| score.axis.iter().map(|(name, _)| name));
            let axes: Vec<String> = collect_unique(axes).into_iter().map(|name| format!("`{name}`")).collect();
            let known =
                if axes.is_empty() { "they have no axes".to_owned() } else { format!("axes are {}", axes.join(", ")) };
            Error::new_usage(format!("no task of these runs has an axis `{by}` with several values"))
                .help(format!("give --by variant, or the name of an axis; {known}"))
        }
    })
}

/// Returns the arm of a line.
fn find_arm<'a>(score: &'a Score, by: &str) -> Option<&'a str> {
    if by == VARIANT {
        return score.variant.as_deref();
    }
    score.axis.iter().find(|(name, _)| name == by).map(|(_, value)| value.as_str())
}

fn list_arms(lines: &[Line<'_>], by: &str) -> Vec<String> {
    collect_unique(lines.iter().filter_map(|line| find_arm(line.score, by))).into_iter().map(str::to_owned).collect()
}

fn build_place(score: &Score, by: &str) -> Place {
    let others = score.axis.iter().filter(|(name, _)| name != by).cloned().collect();
    let variant = score.variant.clone().filter(|_| by != VARIANT);
    ((score.task.clone(), others, variant, score.each.clone(), score.sample), (score.task.clone(), score.to_unit()))
}

fn build_arm_set(
    run: &RunData,
    by: &str,
    (names, against): (&[String], String),
    tasks: &[(String, Vec<Line<'_>>)],
) -> ArmSet {
    let all: Vec<Line<'_>> = tasks.iter().flat_map(|(_, lines)| lines.iter().copied()).collect();
    let of_arm = |name: &str| -> Vec<Line<'_>> {
        all.iter().copied().filter(|line| find_arm(line.score, by) == Some(name)).collect()
    };
    let places =
        |lines: &[Line<'_>]| -> BTreeSet<Place> { lines.iter().map(|line| build_place(line.score, by)).collect() };
    // The places that all arms have.
    let shared = names.iter().map(|name| places(&of_arm(name))).reduce(|all, one| &all & &one).unwrap_or_default();
    let of_arm: Vec<Vec<Line<'_>>> = names
        .iter()
        .map(|name| of_arm(name).into_iter().filter(|line| shared.contains(&build_place(line.score, by))).collect())
        .collect();
    let first = names.iter().position(|name| *name == against).unwrap_or(0);
    let other = of_arm.get(first);
    let arms = names.iter().zip(&of_arm).enumerate();
    let mut arms: Vec<ArmOf> =
        arms.map(|(at, (name, lines))| build_arm(name, lines, other.filter(|_| at != first), by)).collect();
    adjust_p_values(&mut arms);
    arms.iter_mut().zip(descriptions::summarize_arms(&of_arm)).for_each(|(arm, found)| arm.described = found);
    let clusters: BTreeSet<&Cluster> = shared.iter().map(|(_, cluster)| cluster).collect();
    ArmSet {
        run: run.name.clone(),
        by: by.to_owned(),
        tasks: tasks.iter().map(|(task, _)| task.clone()).collect(),
        against,
        instances: shared.len() as u64,
        clusters: clusters.len() as u64,
        tools: run.info.tools,
        arms,
    }
}

/// Adjusts p values by Holm over the arms, for each compared quantity.
fn adjust_p_values(arms: &mut [ArmOf]) {
    adjust_in_place(arms.iter_mut().filter_map(|arm| Some(&mut arm.against.as_mut()?.p_holm)));
    for what in Measure::AMOUNTS {
        let means = arms.iter_mut().flat_map(|arm| &mut arm.means).filter(|mean| mean.what == what);
        adjust_in_place(means.filter_map(|mean| Some(&mut mean.against.as_mut()?.p_holm)));
    }
}

/// Builds an arm; `other` is the arm with which it is compared, if any.
fn build_arm(name: &str, here: &[Line<'_>], other: Option<&Vec<Line<'_>>>, by: &str) -> ArmOf {
    ArmOf {
        name: name.to_owned(),
        right: compute_share(here),
        against: other.map(|other| compare_accuracy(here, other, by)),
        means: Measure::AMOUNTS.into_iter().filter_map(|what| compare_means(what, here, other, by)).collect(),
        times: Measure::TIMES.into_iter().filter_map(|what| compare_times(what, here, other, by)).collect(),
        attempts: count_attempts(here),
        described: None,
    }
}

/// Iterates over the scores of completed responses.
fn iter_ended<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = &'a Score> + use<'a> {
    let scores: Vec<&Score> = lines.iter().map(|line| line.score).filter(|score| score.status.is_scored()).collect();
    scores.into_iter()
}

fn compare_accuracy(here: &[Line<'_>], other: &[Line<'_>], by: &str) -> RightAgainst {
    let told = |lines: &[Line<'_>]| -> PlaceSums<_, _> {
        pairs::sum_by_place(
            lines.iter().map(|line| line.score),
            |score| Some(u64::from(score.correct)),
            |score| build_place(score, by),
        )
    };
    let (there, here) = (told(other), told(here));
    let found = pairs::compute_differences(&there, &here);
    let (mut won, mut lost) = (0, 0);
    let mut strata: BTreeMap<&str, BTreeMap<&Unit, Pairs>> = BTreeMap::new();
    let trials = here.values().map(|(_, n)| *n).max().unwrap_or(1);
    for (at, (right, n)) in &here {
        let Some((before, of)) = there.get(at) else { continue };
        let share = |right: u128, n: u64| right as f64 / n.max(1) as f64;
        let (task, cluster) = (at.1.0.as_str(), &at.1.1);
        strata.entry(task).or_default().entry(cluster).or_default().add_pair(share(*right, *n) - share(*before, *of));
        let most = |right: u128, n: u64| right * 2 > u128::from(n);
        won += u64::from(most(*right, *n) && !most(*before, *of));
        lost += u64::from(!most(*right, *n) && most(*before, *of));
    }
    let strata: Vec<Vec<Pairs>> = strata.into_values().map(|task| task.into_values().collect()).collect();
    let pairs: u64 = found.iter().map(|(_, n)| n).sum();
    let sums: Vec<i128> = found.iter().map(|(sum, _)| *sum).collect();
    let single = trials == 1 && found.iter().all(|(_, n)| *n == 1);
    let (p, test) = match (single, compute_sign_flip_p(&sums)) {
        (true, _) => (compute_mcnemar_p(won, lost), Test::Mcnemar),
        (false, (p, true)) => (p, Test::Signs),
        (false, (p, false)) => (p, Test::RandomSigns),
    };
    let difference = compute_mean(&pairs::to_clusters(&found, 1));
    // Rows of a cluster are similar, and clusters are few: four can never show a difference at 5%, however many rows they have.
    let clustered = here.keys().any(|(_, (_, unit))| matches!(unit, Unit::Cluster(_)));
    let (interval, effect) = match clustered {
        true => (compute_few_stratified_interval(&strata, trials), compute_stratified_design_effect(&strata, trials)),
        false => (compute_stratified_interval(&strata, trials), 1.0),
    };
    let needed = |difference: f64, discordant: f64| {
        find_pairs_for(difference, discordant).map(|pairs| (pairs as f64 * effect).ceil() as u64)
    };
    let discordant = strata.iter().flatten().map(|one| one.won + one.lost).sum::<f64>() / pairs.max(1) as f64;
    RightAgainst {
        difference,
        interval,
        won,
        lost,
        test,
        p,
        p_holm: p,
        pairs_needed: Some(difference).filter(|one| *one != 0.0).and_then(|one| needed(one, discordant)),
    }
}

/// Sums a measure of the responses that ended, by place.
fn sum_measure(what: Measure, lines: &[Line<'_>], by: &str) -> PlaceSums<Same, Cluster> {
    pairs::sum_by_place(iter_ended(lines), |score| what.extract_value(score), |score| build_place(score, by))
}

fn compare_means(what: Measure, here: &[Line<'_>], other: Option<&Vec<Line<'_>>>, by: &str) -> Option<MeanOf> {
    let parts = what.parts_per_unit();
    let told = |lines: &[Line<'_>]| sum_measure(what, lines, by);
    let values: Vec<u64> = iter_ended(here).filter_map(|score| what.extract_value(score)).collect();
    let total: u128 = values.iter().map(|value| u128::from(*value)).sum();
    if values.is_empty() {
        return None;
    }
    let compare = |other: &Vec<Line<'_>>| {
        let paired = pairs::compare_pairs(&told(other), &told(here), parts, bootstrap::compute_mean_interval)?;
        Some(MeanAgainst { p_holm: paired.p, paired })
    };
    let against = other.and_then(compare);
    let mean = total as f64 / values.len() as f64 / parts as f64;
    Some(MeanOf { what, n: values.len() as u64, mean, against })
}

fn compare_times(what: Measure, here: &[Line<'_>], other: Option<&Vec<Line<'_>>>, by: &str) -> Option<TimeOf> {
    let spread = Spread::from_values(iter_ended(here).filter_map(|score| what.extract_value(score)), 1)?;
    let against = other.and_then(|other| {
        let (there, here) = (sum_measure(what, other, by), sum_measure(what, here, by));
        let mut clusters: BTreeMap<&Cluster, Vec<Pair>> = BTreeMap::new();
        let mean = |(sum, n): &(u128, u64)| *sum as f64 / (*n).max(1) as f64;
        for (at, value) in &here {
            if let Some(before) = there.get(at) {
                clusters.entry(&at.1).or_default().push((mean(before), mean(value)));
            }
        }
        let clusters: Vec<Vec<Pair>> = clusters.into_values().collect();
        Some(MedianAgainst {
            pairs: clusters.iter().map(Vec::len).sum::<usize>() as u64,
            difference: bootstrap::compute_median_difference(&clusters)?,
            interval: bootstrap::compute_median_interval(&clusters),
        })
    });
    Some(TimeOf { what, n: spread.n, p50: spread.median, p95: spread.p95, against })
}

fn count_attempts(here: &[Line<'_>]) -> Option<AttemptsOf> {
    let known: Vec<(Observation, Option<u32>)> = here
        .iter()
        .filter(|line| line.score.status.is_scored() && line.score.attempts.is_some())
        .map(|line| (line.row, line.score.first_right))
        .collect();
    if known.is_empty() {
        return None;
    }
    let most = known.iter().filter_map(|(_, first)| *first).max().unwrap_or(0).min(MAX_ATTEMPTS);
    let within = |k: u32| {
        Part::from_outcomes(known.iter().map(|(row, first)| (row.sample, first.is_some_and(|first| first <= k))))
    };
    Some(AttemptsOf {
        responses: known.len() as u64,
        by_attempt: (1..=most).map(within).collect(),
        ever: within(u32::MAX),
    })
}
