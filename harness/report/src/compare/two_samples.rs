//! As two samples, over the tasks that both have.

use std::collections::BTreeSet;

use statistics::accuracy::Over;
use statistics::clustered::{Cluster, share_interval};
use statistics::exact::fisher;
use statistics::proportion::mover;

use super::{Asked, Difference, Parts, count, left_out, mean};
use crate::model::lines::groups;

/// `None` if no task is in both.
pub(super) fn compare(
    a: &[Asked<'_>],
    b: &[Asked<'_>],
    over: Option<Over>,
    because: &mut Vec<String>,
) -> Option<Parts> {
    let tasks = |side: &[Asked<'_>]| -> Vec<String> {
        let all: Vec<&Asked<'_>> = side.iter().collect();
        groups(&all, |one| vec![one.score.task.clone()]).into_iter().map(|(task, _)| task).collect()
    };
    let (tasks_a, tasks_b) = (tasks(a), tasks(b));
    let in_a: BTreeSet<&str> = tasks_a.iter().map(String::as_str).collect();
    let in_b: BTreeSet<&str> = tasks_b.iter().map(String::as_str).collect();
    let common: Vec<&str> = tasks_a.iter().map(String::as_str).filter(|task| in_b.contains(task)).collect();
    if common.is_empty() {
        return None;
    }
    left_out(["task", "tasks"], &in_a, &in_b, because);
    if over == Some(Over::Tasks) {
        because.push("the interval is over samples: two samples say nothing of other tasks".to_owned());
    }
    let of = |side: &'_ [Asked<'_>], wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        side.iter().enumerate().filter(|(_, one)| wanted(&one.score.task)).map(|(at, _)| at).collect()
    };
    let pick = |wanted: &dyn Fn(&str) -> bool, name: &str| {
        let first: Vec<&Asked<'_>> = of(a, wanted).into_iter().filter_map(|at| a.get(at)).collect();
        let second: Vec<&Asked<'_>> = of(b, wanted).into_iter().filter_map(|at| b.get(at)).collect();
        difference(name, &first, &second)
    };
    let weights = |side: &[Asked<'_>]| -> Vec<u64> {
        common.iter().map(|task| side.iter().filter(|one| one.score.task == *task).count() as u64).collect()
    };
    if !proportional(&weights(a), &weights(b)) {
        because.push(
            "their tasks have different shares of the instances, so the overall difference also reflects the mix: read it by task"
                .to_owned(),
        );
    }
    Some(Parts {
        over: Over::Samples,
        whole: pick(&|task| common.contains(&task), "all"),
        tasks: common.iter().map(|task| pick(&|other| other == *task, task)).collect(),
        discordant: Vec::new(),
    })
}

/// Whether each task has the same share of both.
fn proportional(a: &[u64], b: &[u64]) -> bool {
    let (all_a, all_b) = (a.iter().sum::<u64>(), b.iter().sum::<u64>());
    a.iter().zip(b).all(|(a, b)| u128::from(*a) * u128::from(all_b) == u128::from(*b) * u128::from(all_a))
}

fn difference(name: &str, a: &[&Asked<'_>], b: &[&Asked<'_>]) -> Difference {
    let (right_a, right_b) = (count(a), count(b));
    let part = |weight: f64, side: &[&Asked<'_>]| (weight, mean(side), share_interval(&clusters(side)));
    let (accuracy_a, accuracy_b) = (mean(a), mean(b));
    Difference {
        name: name.to_owned(),
        a: right_a,
        b: right_b,
        accuracy_a,
        accuracy_b,
        difference: accuracy_b - accuracy_a,
        interval: mover(&[part(-1.0, a), part(1.0, b)]),
        only_a: None,
        only_b: None,
        p_exact: fisher(right_a, right_b),
        p_permutation: None,
        p_holm: None,
    }
}

/// One cluster a sample: its variants and trials hang together. Without variants and with one trial, Newcombe's interval comes of it.
fn clusters(side: &[&Asked<'_>]) -> Vec<Cluster> {
    let sample = |one: &Asked<'_>| vec![(one.score.task.clone(), one.unit())];
    groups(side, sample)
        .into_iter()
        .map(|(_, all)| {
            let (sum, n) = all.iter().fold((0, 0), |(sum, n), one| (sum + one.right, n + one.trials));
            Cluster { sum: sum as f64, n }
        })
        .collect()
}
