//! The effect of errors at earlier stages on later ones: compares the same stages asked without (`--stages each`) and with the answers of the stages before
//! (`--stages given`).

use std::collections::BTreeMap;

use model::suite::StageMode;
use records::{Score, Stage};
use serde::Serialize;
use statistics::Interval;
use statistics::multiple_testing::adjust_by_holm;
use statistics::paired::{Pairs, compute_paired_interval};
use statistics::permutation_test::compute_sign_flip_p;

use super::lines::{build_lines, group_by};
use crate::data::RunData;

/// Two runs of one suite and seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Propagation {
    /// The run in which stages are asked without the answers of the stages before.
    pub each: String,
    /// The run in which they are asked with these answers.
    pub given: String,
    /// The stages that depend on others, in the bundle's order.
    pub stages: Vec<Gain>,
}

/// One stage in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// Its task.
    pub task: String,
    /// The stage.
    #[serde(flatten)]
    pub stage: Stage,
    /// The number of correct responses without the answers of the stages before, and their total number.
    pub alone: (u64, u64),
    /// The number of correct responses with these answers, and their total number.
    pub given: (u64, u64),
    /// The accuracy that these answers add, −1 to 1.
    pub difference: f64,
    /// Its 95% confidence interval over samples: Tango's.
    pub interval: Interval,
    /// The number that is correct only without the answers.
    pub lost: u64,
    /// The number that is correct only with the answers.
    pub won: u64,
    /// The p of the permutation test over samples, adjusted by Holm over the stages.
    pub p: f64,
}

/// Compares every pair of runs in the two modes.
pub fn measure_propagation(runs: &[RunData]) -> Vec<Propagation> {
    let of = |mode: StageMode| runs.iter().filter(move |run| run.info.bundle.stages == mode);
    let pairs = of(StageMode::Each).flat_map(|each| of(StageMode::Given).map(move |given| (each, given)));
    pairs.filter_map(|(each, given)| compare_stage_runs(each, given)).collect()
}

/// Compares two runs if they have the same suite and seed, and stages in common.
pub fn compare_stage_runs(each: &RunData, given: &RunData) -> Option<Propagation> {
    let (a, b) = (&each.info.bundle, &given.info.bundle);
    let same = (&a.suite, &a.version, &a.seed) == (&b.suite, &b.version, &b.seed);
    if !same || a.stages != StageMode::Each || b.stages != StageMode::Given {
        return None;
    }
    let of_given: BTreeMap<(&str, u32), bool> =
        given.scores.iter().map(|score| ((score.id.as_str(), score.trial), score.correct)).collect();
    let all = build_lines(&each.scores);
    let key = |score: &Score| score.stage.as_ref().map(|stage| (score.task.clone(), stage.name.clone()));
    let mut stages: Vec<Gain> = group_by(&all, |line| key(line.score).into_iter().collect())
        .into_iter()
        .filter_map(|((task, _), lines)| {
            let stage = lines.first()?.score.stage.clone().filter(|stage| !stage.after.is_empty())?;
            // By sample: the gain from the answers, and its pairs.
            let mut samples: BTreeMap<usize, (i64, Pairs)> = BTreeMap::new();
            let (mut alone, mut with, mut of, mut lost, mut won) = (0u64, 0u64, 0u64, 0u64, 0u64);
            for line in &lines {
                let Some(right) = of_given.get(&(line.score.id.as_str(), line.score.trial)) else { continue };
                let gain = i64::from(*right) - i64::from(line.score.correct);
                of += 1;
                alone += u64::from(line.score.correct);
                with += u64::from(*right);
                lost += u64::from(gain < 0);
                won += u64::from(gain > 0);
                let (sum, pairs) = samples.entry(line.row.sample).or_default();
                *sum += gain;
                pairs.add_pair(gain as f64);
            }
            let (sums, pairs): (Vec<i64>, Vec<Pairs>) = samples.into_values().unzip();
            (of > 0).then(|| Gain {
                task,
                stage,
                alone: (alone, of),
                given: (with, of),
                difference: (with as f64 - alone as f64) / of as f64,
                interval: compute_paired_interval(&pairs, 1),
                lost,
                won,
                p: compute_sign_flip_p(&sums).0,
            })
        })
        .collect();
    let adjusted = adjust_by_holm(&stages.iter().map(|gain| gain.p).collect::<Vec<_>>());
    for (gain, p) in stages.iter_mut().zip(adjusted) {
        gain.p = p;
    }
    (!stages.is_empty()).then(|| Propagation { each: each.name.clone(), given: given.name.clone(), stages })
}
