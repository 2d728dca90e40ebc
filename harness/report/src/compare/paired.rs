//! Instance by instance.

use std::collections::{BTreeMap, BTreeSet};

use statistics::accuracy::Over;
use statistics::exact::mcnemar;
use statistics::paired::{Pairs, few_paired_interval, stratified_interval};
use statistics::signs::{UNIT, sign_flip};

use super::{Asked, Difference, Discordant, Parts, Which, count, left_out, mean};
use crate::model::lines::groups;

/// One instance in both runs.
#[derive(Clone, Copy)]
struct Pair<'a> {
    a: &'a Asked<'a>,
    b: &'a Asked<'a>,
}

impl Pair<'_> {
    /// B's mean over trials less A's, in units.
    fn difference(self) -> i64 {
        let mean = |one: &Asked<'_>| {
            let (right, trials) = (i128::from(one.right), i128::from(one.trials.max(1)));
            // To the nearest unit; exact up to 16 trials.
            (2 * right * i128::from(UNIT) + trials).div_euclid(2 * trials) as i64
        };
        mean(self.b) - mean(self.a)
    }
}

/// `None` if there is nothing in common.
pub(super) fn compare(
    a: &[Asked<'_>],
    b: &[Asked<'_>],
    over: Option<Over>,
    because: &mut Vec<String>,
) -> Option<Parts> {
    let of_b: BTreeMap<&str, &Asked<'_>> = b.iter().map(|one| (one.score.id.as_str(), one)).collect();
    let pairs: Vec<Pair<'_>> =
        a.iter().filter_map(|one| Some(Pair { a: one, b: of_b.get(one.score.id.as_str())? })).collect();
    if pairs.is_empty() {
        return None;
    }
    because.push("they answered the same bundle: they are compared instance by instance".to_owned());
    let ids = |side: &[Asked<'_>]| -> BTreeSet<String> { side.iter().map(|one| one.score.id.clone()).collect() };
    let (ids_a, ids_b) = (ids(a), ids(b));
    let texts = |ids: &BTreeSet<String>| -> Vec<String> { ids.iter().cloned().collect() };
    let (texts_a, texts_b) = (texts(&ids_a), texts(&ids_b));
    left_out(
        ["instance", "instances"],
        &texts_a.iter().map(String::as_str).collect(),
        &texts_b.iter().map(String::as_str).collect(),
        because,
    );
    let tasks: Vec<(String, Vec<Pair<'_>>)> = groups(&pairs, |pair| vec![pair.a.score.task.clone()]);
    let over = Over::choose(over, tasks.len());
    let strata: Vec<Stratum> = match over {
        Over::Tasks => vec![tasks.iter().map(|(_, pairs)| Cluster::of(pairs)).collect()],
        Over::Samples => tasks.iter().map(|(_, pairs)| samples(pairs)).collect(),
    };
    Some(Parts {
        over,
        whole: difference("all", &pairs, &strata, over),
        tasks: tasks.iter().map(|(task, pairs)| difference(task, pairs, &[samples(pairs)], Over::Samples)).collect(),
        discordant: pairs.iter().filter_map(discordant).collect(),
    })
}

/// The clusters of a task, or all tasks as clusters.
type Stratum = Vec<Cluster>;

/// Pairs that hang together: what statistics see of them.
struct Cluster {
    /// The sum of their differences, in units.
    sum: i64,
    pairs: Pairs,
}

impl Cluster {
    fn of(pairs: &[Pair<'_>]) -> Cluster {
        let mut sums = Pairs::default();
        for pair in pairs {
            sums.add(pair.difference() as f64 / UNIT as f64);
        }
        Cluster { sum: pairs.iter().map(|pair| pair.difference()).sum(), pairs: sums }
    }
}

/// The clusters of a task: all of one sample hang together.
fn samples(pairs: &[Pair<'_>]) -> Stratum {
    groups(pairs, |pair| vec![pair.a.unit()]).iter().map(|(_, pairs)| Cluster::of(pairs)).collect()
}

fn difference(name: &str, pairs: &[Pair<'_>], strata: &[Stratum], over: Over) -> Difference {
    let (a, b): (Vec<&Asked<'_>>, Vec<&Asked<'_>>) = pairs.iter().map(|pair| (pair.a, pair.b)).unzip();
    let only = |right: fn(&Pair<'_>) -> bool| pairs.iter().filter(|pair| right(pair)).count() as u64;
    let only_a = only(|pair| pair.a.is_right() && !pair.b.is_right());
    let only_b = only(|pair| pair.b.is_right() && !pair.a.is_right());
    let clusters: Vec<i64> = strata.iter().flatten().map(|cluster| cluster.sum).collect();
    let (total, n) = (clusters.iter().sum::<i64>(), pairs.len() as u64);
    let trials = pairs.iter().map(|pair| pair.a.trials.min(pair.b.trials)).min().unwrap_or(1);
    let sums: Vec<Vec<Pairs>> = strata.iter().map(|stratum| stratum.iter().map(|one| one.pairs).collect()).collect();
    let over_tasks = sums.first().filter(|_| over == Over::Tasks).and_then(|tasks| few_paired_interval(tasks, trials));
    let interval = over_tasks.unwrap_or_else(|| stratified_interval(&sums, trials));
    Difference {
        name: name.to_owned(),
        a: count(&a),
        b: count(&b),
        accuracy_a: mean(&a),
        accuracy_b: mean(&b),
        difference: total as f64 / UNIT as f64 / n as f64,
        interval,
        only_a: Some(only_a),
        only_b: Some(only_b),
        p_exact: mcnemar(only_a, only_b),
        p_permutation: Some(sign_flip(&clusters).0),
        p_holm: None,
    }
}

fn discordant(pair: &Pair<'_>) -> Option<Discordant> {
    let (right_in, other) = match (pair.a.is_right(), pair.b.is_right()) {
        (true, false) => (Which::A, pair.b),
        (false, true) => (Which::B, pair.a),
        _ => return None,
    };
    let score = pair.a.score;
    Some(Discordant { id: score.id.clone(), task: score.task.clone(), right_in, status: other.worst })
}
