//! Compares two runs as two samples, over the tasks that both have.

use statistics::accuracy::SamplingUnit;
use statistics::clustered::{Cluster, compute_share_interval};
use statistics::exact_tests::compute_fisher_p;
use statistics::proportion::combine_by_mover;

use super::comparison::Difference;
use super::parts::{Parts, add_left_out};
use super::trials::{InstanceTrials, compute_accuracy, count_right};
use crate::model::lines::{collect_unique, group_by};

/// Compares the tasks that both runs have; `None` if they have none in common.
pub(super) fn compare_samples(
    a: &[InstanceTrials<'_>],
    b: &[InstanceTrials<'_>],
    over: Option<SamplingUnit>,
    because: &mut Vec<String>,
) -> Option<Parts> {
    let tasks =
        |side: &[InstanceTrials<'_>]| -> Vec<String> { collect_unique(side.iter().map(|one| one.score.task.clone())) };
    let (tasks_a, tasks_b) = (tasks(a), tasks(b));
    let common: Vec<&str> = tasks_a.iter().filter(|task| tasks_b.contains(task)).map(String::as_str).collect();
    if common.is_empty() {
        return None;
    }
    let known = |tasks: &[String]| tasks.iter().cloned().collect();
    add_left_out(["task", "tasks"], &known(&tasks_a), &known(&tasks_b), because);
    if over == Some(SamplingUnit::Tasks) {
        because.push("the interval is over samples: two samples say nothing of other tasks".to_owned());
    }
    let pick = |wanted: &dyn Fn(&str) -> bool, name: &str| {
        let [first, second] = [a, b].map(|side| side.iter().filter(|one| wanted(&one.score.task)).collect::<Vec<_>>());
        build_difference(name, &first, &second)
    };
    let weights = |side: &[InstanceTrials<'_>]| -> Vec<u64> {
        common.iter().map(|task| side.iter().filter(|one| one.score.task == *task).count() as u64).collect()
    };
    if !is_proportional(&weights(a), &weights(b)) {
        because.push(
            "their tasks have different shares of the instances, so the overall difference also reflects the mix: read it by task"
                .to_owned(),
        );
    }
    Some(Parts {
        over: SamplingUnit::Samples,
        whole: pick(&|task| common.contains(&task), "all"),
        tasks: common.iter().map(|task| pick(&|other| other == *task, task)).collect(),
        discordant: Vec::new(),
    })
}

/// Whether each task has the same share of the instances in both runs.
fn is_proportional(a: &[u64], b: &[u64]) -> bool {
    let (all_a, all_b) = (a.iter().sum::<u64>(), b.iter().sum::<u64>());
    a.iter().zip(b).all(|(a, b)| u128::from(*a) * u128::from(all_b) == u128::from(*b) * u128::from(all_a))
}

fn build_difference(name: &str, a: &[&InstanceTrials<'_>], b: &[&InstanceTrials<'_>]) -> Difference {
    let (right_a, right_b) = (count_right(a), count_right(b));
    let part = |weight: f64, side: &[&InstanceTrials<'_>]| {
        (weight, compute_accuracy(side), compute_share_interval(&build_clusters(side)))
    };
    let (accuracy_a, accuracy_b) = (compute_accuracy(a), compute_accuracy(b));
    Difference {
        name: name.to_owned(),
        a: right_a,
        b: right_b,
        accuracy_a,
        accuracy_b,
        difference: accuracy_b - accuracy_a,
        interval: combine_by_mover(&[part(-1.0, a), part(1.0, b)]),
        only_a: None,
        only_b: None,
        p_exact: compute_fisher_p(right_a, right_b),
        p_permutation: None,
        p_holm: None,
    }
}

/// Builds one cluster for each sample: its variants and trials are dependent. Without variants and with one trial, the result is Newcombe's interval.
fn build_clusters(side: &[&InstanceTrials<'_>]) -> Vec<Cluster> {
    let sample = |one: &InstanceTrials<'_>| vec![(one.score.task.clone(), one.score.to_unit())];
    group_by(side, sample)
        .into_iter()
        .map(|(_, all)| {
            let (sum, n) = all.iter().fold((0, 0), |(sum, n), one| (sum + one.right, n + one.trials));
            Cluster { sum: sum as f64, n }
        })
        .collect()
}
