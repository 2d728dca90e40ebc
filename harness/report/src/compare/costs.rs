//! What two runs of one bundle cost, instance by instance.

use records::{Score, Unit};
use serde::Serialize;
use statistics::accuracy::Over;

use crate::data::RunData;
use crate::model::measure::Measure;
use crate::model::pairs::{Paired, Told, pair, told};

/// B against A on one measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dearer {
    /// Which.
    pub what: Measure,
    /// A's mean over the instances that tell it in both; trials count with their mean.
    pub a: f64,
    /// B's mean over the same.
    pub b: f64,
    /// B's less A's.
    #[serde(flatten)]
    pub paired: Paired,
}

/// An instance, and its cluster: its task, and its sample unless tasks are the clusters.
type Instances<'a> = Told<&'a str, (&'a str, Option<Unit>)>;

/// Every measure that some instance tells in both runs.
pub(super) fn compare(a: &RunData, b: &RunData, over: Over) -> Vec<Dearer> {
    let one = |what: Measure| {
        let place = |score| place(score, over);
        let value = |score: &Score| what.of(score);
        let (a, b) = (told(&a.scores, value, place), told(&b.scores, value, place));
        let paired = pair(&a, &b, what.parts())?;
        let mean = |these: &Instances<'_>, those: &Instances<'_>| {
            let both = these.iter().filter(|(place, _)| those.contains_key(*place));
            both.map(|(_, (sum, n))| *sum as f64 / *n as f64).sum::<f64>() / paired.pairs as f64 / what.parts() as f64
        };
        Some(Dearer { what, a: mean(&a, &b), b: mean(&b, &a), paired })
    };
    Measure::ALL.into_iter().filter_map(one).collect()
}

fn place(score: &Score, over: Over) -> (&str, (&str, Option<Unit>)) {
    (&score.id, (&score.task, (over == Over::Samples).then(|| score.unit())))
}
