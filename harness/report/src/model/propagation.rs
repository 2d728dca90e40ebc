//! The effect of errors at earlier stages on later ones: compares the same stages asked without (`--stages each`) and with the answers of the stages before
//! (`--stages given`).

use std::collections::BTreeMap;

use model::suite::StageMode;
use records::{Score, Stage};
use serde::Serialize;
use statistics::Interval;
use statistics::multiple_testing::adjust_in_place;

use super::lines::{build_lines, group_by};
use super::pairs::Gains;
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
            let mut gains = Gains::default();
            for line in &lines {
                if let Some(right) = of_given.get(&(line.score.id.as_str(), line.score.trial)) {
                    gains.add_pair(line.row.sample, line.score.correct, *right);
                }
            }
            let Gains { n, before, after, won, lost, .. } = gains;
            let (interval, p) = gains.compute_interval_and_p();
            (n > 0).then(|| Gain {
                task,
                stage,
                alone: (before, n),
                given: (after, n),
                difference: (after as f64 - before as f64) / n as f64,
                interval,
                lost,
                won,
                p,
            })
        })
        .collect();
    adjust_in_place(stages.iter_mut().map(|gain| &mut gain.p));
    (!stages.is_empty()).then(|| Propagation { each: each.name.clone(), given: given.name.clone(), stages })
}
