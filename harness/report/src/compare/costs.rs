//! Compares the costs of two runs of one bundle, instance by instance.

use records::{Score, Unit};
use serde::Serialize;
use statistics::accuracy::SamplingUnit;
use statistics::means::compute_mean_interval;

use crate::data::RunData;
use crate::model::measure::Measure;
use crate::model::pairs::{Paired, PlaceSums, compare_pairs, sum_by_place};

/// The difference of B and A in one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostDifference {
    /// The measure.
    pub what: Measure,
    /// A's mean over the instances that report the measure in both runs. An instance counts with the mean of its trials.
    pub a: f64,
    /// B's mean over the same instances.
    pub b: f64,
    /// B minus A.
    #[serde(flatten)]
    pub paired: Paired,
}

/// An instance, and its cluster: its task, and its sample unless tasks are the clusters.
type Instances<'a> = PlaceSums<&'a str, (&'a str, Option<Unit>)>;

/// Compares every measure that some instance reports in both runs.
pub(super) fn compare_costs(a: &RunData, b: &RunData, over: SamplingUnit) -> Vec<CostDifference> {
    let one = |what: Measure| {
        let place = |score| build_place(score, over);
        let value = |score: &Score| what.extract_value(score);
        let (a, b) = (sum_by_place(&a.scores, value, place), sum_by_place(&b.scores, value, place));
        let paired = compare_pairs(&a, &b, what.parts_per_unit(), compute_mean_interval)?;
        let mean = |these: &Instances<'_>, those: &Instances<'_>| {
            let both = these.iter().filter(|(place, _)| those.contains_key(*place));
            both.map(|(_, (sum, n))| *sum as f64 / *n as f64).sum::<f64>()
                / paired.pairs as f64
                / what.parts_per_unit() as f64
        };
        Some(CostDifference { what, a: mean(&a, &b), b: mean(&b, &a), paired })
    };
    Measure::COSTS.into_iter().filter_map(one).collect()
}

fn build_place(score: &Score, over: SamplingUnit) -> (&str, (&str, Option<Unit>)) {
    (&score.id, (&score.task, (over == SamplingUnit::Samples).then(|| score.to_unit())))
}
