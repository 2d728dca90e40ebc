//! Compares two runs of one bundle, instance by instance.

use std::collections::BTreeMap;

use statistics::accuracy::SamplingUnit;
use statistics::exact_tests::compute_mcnemar_p;
use statistics::paired::{Pairs, compute_few_paired_interval, compute_stratified_interval};
use statistics::permutation_test::{UNIT, compute_sign_flip_p};

use super::comparison::{Difference, Discordant, Which};
use super::parts::{Parts, add_left_out};
use super::trials::{InstanceTrials, compute_accuracy, count_right};
use crate::model::lines::group_by;

/// One instance in both runs.
#[derive(Clone, Copy)]
struct Pair<'a> {
    a: &'a InstanceTrials<'a>,
    b: &'a InstanceTrials<'a>,
}

impl Pair<'_> {
    /// Returns B's mean over trials minus A's, in units.
    fn compute_difference(self) -> i64 {
        let mean = |one: &InstanceTrials<'_>| {
            let (right, trials) = (i128::from(one.right), i128::from(one.trials.max(1)));
            // Rounded to the nearest unit; exact up to 16 trials.
            (2 * right * i128::from(UNIT) + trials).div_euclid(2 * trials) as i64
        };
        mean(self.b) - mean(self.a)
    }
}

/// Compares the instances that both runs have; `None` if they have none in common.
pub(super) fn compare_paired(
    a: &[InstanceTrials<'_>],
    b: &[InstanceTrials<'_>],
    over: Option<SamplingUnit>,
    because: &mut Vec<String>,
) -> Option<Parts> {
    let of_b: BTreeMap<&str, &InstanceTrials<'_>> = b.iter().map(|one| (one.score.id.as_str(), one)).collect();
    let pairs: Vec<Pair<'_>> =
        a.iter().filter_map(|one| Some(Pair { a: one, b: of_b.get(one.score.id.as_str())? })).collect();
    if pairs.is_empty() {
        return None;
    }
    because.push("they answered the same bundle: they are compared instance by instance".to_owned());
    let ids = |side: &'_ [InstanceTrials<'_>]| side.iter().map(|one| one.score.id.clone()).collect();
    add_left_out(["instance", "instances"], &ids(a), &ids(b), because);
    let tasks: Vec<(String, Vec<Pair<'_>>)> = group_by(&pairs, |pair| vec![pair.a.score.task.clone()]);
    let over = SamplingUnit::choose(over, tasks.len());
    let strata: Vec<Stratum> = match over {
        SamplingUnit::Tasks => vec![tasks.iter().map(|(_, pairs)| Cluster::from_pairs(pairs)).collect()],
        SamplingUnit::Samples => tasks.iter().map(|(_, pairs)| cluster_samples(pairs)).collect(),
    };
    Some(Parts {
        over,
        whole: build_difference("all", &pairs, &strata, over),
        tasks: tasks
            .iter()
            .map(|(task, pairs)| build_difference(task, pairs, &[cluster_samples(pairs)], SamplingUnit::Samples))
            .collect(),
        discordant: pairs.iter().filter_map(find_discordant).collect(),
    })
}

/// The clusters of a task, or all tasks as clusters.
type Stratum = Vec<Cluster>;

/// Dependent pairs, summarized for statistics.
struct Cluster {
    /// The sum of their differences, in units.
    sum: i64,
    pairs: Pairs,
}

impl Cluster {
    fn from_pairs(pairs: &[Pair<'_>]) -> Cluster {
        let mut sums = Pairs::default();
        for pair in pairs {
            sums.add_pair(pair.compute_difference() as f64 / UNIT as f64);
        }
        Cluster { sum: pairs.iter().map(|pair| pair.compute_difference()).sum(), pairs: sums }
    }
}

/// Returns the clusters of a task: all pairs of one sample are dependent.
fn cluster_samples(pairs: &[Pair<'_>]) -> Stratum {
    group_by(pairs, |pair| vec![pair.a.score.to_unit()]).iter().map(|(_, pairs)| Cluster::from_pairs(pairs)).collect()
}

fn build_difference(name: &str, pairs: &[Pair<'_>], strata: &[Stratum], over: SamplingUnit) -> Difference {
    let (a, b): (Vec<&InstanceTrials<'_>>, Vec<&InstanceTrials<'_>>) =
        pairs.iter().map(|pair| (pair.a, pair.b)).unzip();
    let only = |right: fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| right(pair)).count() as u64;
    let only_a = only(|pair| pair.a.is_right() && !pair.b.is_right());
    let only_b = only(|pair| pair.b.is_right() && !pair.a.is_right());
    let clusters: Vec<i64> = strata.iter().flatten().map(|cluster| cluster.sum).collect();
    let (total, n) = (clusters.iter().sum::<i64>(), pairs.len() as u64);
    let trials = pairs.iter().map(|pair| pair.a.trials.min(pair.b.trials)).min().unwrap_or(1);
    let sums: Vec<Vec<Pairs>> = strata.iter().map(|stratum| stratum.iter().map(|one| one.pairs).collect()).collect();
    let over_tasks = sums
        .first()
        .filter(|_| over == SamplingUnit::Tasks)
        .and_then(|tasks| compute_few_paired_interval(tasks, trials));
    let interval = over_tasks.unwrap_or_else(|| compute_stratified_interval(&sums, trials));
    Difference {
        name: name.to_owned(),
        a: count_right(&a),
        b: count_right(&b),
        accuracy_a: compute_accuracy(&a),
        accuracy_b: compute_accuracy(&b),
        difference: total as f64 / UNIT as f64 / n as f64,
        interval,
        only_a: Some(only_a),
        only_b: Some(only_b),
        p_exact: compute_mcnemar_p(only_a, only_b),
        p_permutation: Some(compute_sign_flip_p(&clusters).0),
        p_holm: None,
    }
}

fn find_discordant(pair: &Pair<'_>) -> Option<Discordant> {
    let (right_in, other) = match (pair.a.is_right(), pair.b.is_right()) {
        (true, false) => (Which::A, pair.b),
        (false, true) => (Which::B, pair.a),
        _ => return None,
    };
    let score = pair.a.score;
    Some(Discordant { id: score.id.clone(), task: score.task.clone(), right_in, status: other.worst })
}
