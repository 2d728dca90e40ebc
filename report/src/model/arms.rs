//! Arms of a task against each other on what they cost: its variants, and the values of its axes. A sample has the same drawn values in every arm, so arms are
//! compared sample by sample.

use std::collections::BTreeMap;

use records::Score;
use serde::Serialize;
use statistics::Interval;
use statistics::clustered::Cluster;
use statistics::holm::holm;
use statistics::means::mean_interval;
use statistics::signs::{UNIT, sign_flip};
use statistics::spread::Spread;

use super::costs::{Measure, spread};
use super::lines::{Line, groups};

/// Arms of one task, in the suite's order. The first that tells the measure is what the others are held against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arms {
    /// The task.
    pub task: String,
    /// The axis whose values they are; `None` for variants.
    pub axis: Option<String>,
    /// For an axis of a task with variants: the variant.
    pub variant: Option<String>,
    /// The arms.
    pub arms: Vec<Arm>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// The variant, or the axis value.
    pub name: String,
    /// Of its lines that tell the measure; `None` where none does: that is not 0.
    pub spread: Option<Spread>,
    /// What it costs against the first arm; `None` of that one itself, and where no sample tells both.
    pub against: Option<Against>,
}

/// An arm against the first, over the instances that tell the measure in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The first arm.
    pub arm: String,
    /// How many pairs there are.
    pub pairs: u64,
    /// This arm's less the first arm's, in the mean over pairs.
    pub difference: f64,
    /// Its interval of 95 % over samples (Student's t); `None` where it cannot be told: a single sample, or all differences are the same.
    pub interval: Option<Interval>,
    /// p of the permutation test over samples, after Holm over the arms.
    pub p: f64,
}

impl Arms {
    /// `orders`, `orders by size`, `orders json by size`: whose arms they are.
    pub fn words(&self) -> String {
        let variant = self.variant.iter().map(|variant| format!(" {variant}"));
        let axis = self.axis.iter().map(|axis| format!(" by {axis}"));
        std::iter::once(self.task.clone()).chain(variant).chain(axis).collect()
    }
}

/// Of variants if there are several, and of each axis with several values (within each variant).
pub fn arms(task: &str, lines: &[Line<'_>], what: Measure) -> Vec<Arms> {
    let mut all = Vec::new();
    let variants: Vec<(Option<String>, Vec<Line<'_>>)> = groups(lines, |line| vec![line.score.variant.clone()]);
    let several = variants.len() > 1;
    if several {
        let named = variants.iter().map(|(name, lines)| (name.clone().unwrap_or_default(), lines.clone())).collect();
        // The same cell of the axes in both.
        let arms = held(named, what, |score| (score.axis.clone(), score.sample));
        all.extend(arms.map(|arms| Arms { task: task.to_owned(), axis: None, variant: None, arms }));
    }
    for (variant, lines) in &variants {
        let axes = groups(lines, |line| line.score.axis.iter().map(|(axis, _)| axis.clone()).collect());
        for (axis, lines) in axes {
            let value = |line: Line<'_>| -> Vec<String> {
                line.score.axis.iter().filter(|(name, _)| *name == axis).map(|(_, value)| value.clone()).collect()
            };
            // The same value of every other axis in both.
            let others = |score: &Score| {
                let others = score.axis.iter().filter(|(name, _)| *name != axis).cloned().collect::<Vec<_>>();
                (others, score.sample)
            };
            let arms = held(groups(&lines, value), what, others);
            let variant = variant.clone().filter(|_| several);
            all.extend(arms.map(|arms| Arms { task: task.to_owned(), axis: Some(axis.clone()), variant, arms }));
        }
    }
    all
}

/// What is the same in both arms: the other axes, and the sample.
type Place = (Vec<(String, String)>, u32);

/// Each arm, and all but the first held against that. `None` for fewer than two arms, or if none tells the measure.
fn held(arms: Vec<(String, Vec<Line<'_>>)>, what: Measure, place: impl Fn(&Score) -> Place) -> Option<Vec<Arm>> {
    let spreads: Vec<Option<Spread>> = arms.iter().map(|(_, lines)| spread(lines, what)).collect();
    let first = spreads.iter().position(Option::is_some).filter(|_| arms.len() > 1)?;
    let means: Vec<BTreeMap<Place, (u64, u64)>> = arms.iter().map(|(_, lines)| told(lines, what, &place)).collect();
    let mut against: Vec<Option<Against>> = means
        .iter()
        .enumerate()
        .map(|(at, these)| if at == first { None } else { pair(&arms[first].0, &means[first], these) })
        .collect();
    let adjusted = holm(&against.iter().flatten().map(|one| one.p).collect::<Vec<_>>());
    for (one, p) in against.iter_mut().flatten().zip(adjusted) {
        one.p = p;
    }
    let arms = arms.into_iter().zip(spreads).zip(against);
    Some(arms.map(|(((name, _), spread), against)| Arm { name, spread, against }).collect())
}

/// Sum and number of what the trials of each place tell.
fn told(lines: &[Line<'_>], what: Measure, place: impl Fn(&Score) -> Place) -> BTreeMap<Place, (u64, u64)> {
    let mut all: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
    for line in lines {
        if let Some(value) = what.of(line.score) {
            let (sum, n) = all.entry(place(line.score)).or_default();
            *sum = sum.saturating_add(value);
            *n += 1;
        }
    }
    all
}

fn pair(arm: &str, first: &BTreeMap<Place, (u64, u64)>, these: &BTreeMap<Place, (u64, u64)>) -> Option<Against> {
    // Sums of differences, and how many pairs, by sample.
    let mut samples: BTreeMap<u32, (i64, u64)> = BTreeMap::new();
    for (place, here) in these {
        let Some(there) = first.get(place) else { continue };
        let (sum, n) = samples.entry(place.1).or_default();
        *sum = sum.saturating_add(units(*here).saturating_sub(units(*there)));
        *n += 1;
    }
    let pairs: u64 = samples.values().map(|(_, n)| n).sum();
    if pairs == 0 {
        return None;
    }
    let sums: Vec<i64> = samples.values().map(|(sum, _)| *sum).collect();
    let clusters: Vec<Cluster> =
        samples.values().map(|(sum, n)| Cluster { sum: *sum as f64 / UNIT as f64, n: *n }).collect();
    Some(Against {
        arm: arm.to_owned(),
        pairs,
        difference: statistics::clustered::mean(&clusters),
        interval: mean_interval(&clusters),
        p: sign_flip(&sums).0,
    })
}

/// A mean in units, exact up to 16 trials; held within what 64 bits can hold.
fn units((sum, n): (u64, u64)) -> i64 {
    let units = i128::from(sum) * i128::from(UNIT) / i128::from(n.max(1));
    i64::try_from(units).unwrap_or(i64::MAX)
}
