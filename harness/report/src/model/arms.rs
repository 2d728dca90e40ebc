//! Compares the costs of the arms of a task: its variants, and the values of its axes. A sample has the same drawn values in every arm, so arms are
//! compared sample by sample.

use records::{AskedRow, Score, Unit};
use serde::Serialize;
use statistics::means::compute_mean_interval;
use statistics::multiple_testing::adjust_in_place;
use statistics::summary::Spread;

use super::lines::{Line, group_by};
use super::measure::{Measure, compute_spread};
use super::pairs::{self, Paired};

/// The arms of one task, in the suite's order. The others are compared with the first that reports the measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arms {
    /// The task.
    pub task: String,
    /// The axis whose values they are; `None` for variants.
    pub axis: Option<String>,
    /// The variant, for an axis of a task with variants.
    pub variant: Option<String>,
    /// The arms.
    pub arms: Vec<Arm>,
}

/// One arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arm {
    /// The variant, or the axis value.
    pub name: String,
    /// The distribution over its lines that report the measure; `None` if there are none, which differs from 0.
    pub spread: Option<Spread>,
    /// Its cost compared with the first arm; `None` for that arm itself, and if no sample reports both.
    pub against: Option<Against>,
}

/// An arm compared with the first, over the instances that report the measure in both. Clusters are samples, and p is adjusted by Holm over the arms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The first arm.
    pub arm: String,
    /// This arm minus the first one.
    #[serde(flatten)]
    pub paired: Paired,
}

impl Arms {
    /// Renders the owner of the arms: `orders`, `orders by size`, `orders json by size`.
    pub fn to_label(&self) -> String {
        let variant = self.variant.iter().map(|variant| format!(" {variant}"));
        let axis = self.axis.iter().map(|axis| format!(" by {axis}"));
        std::iter::once(self.task.clone()).chain(variant).chain(axis).collect()
    }
}

/// Compares the variants if there are several, and the values of each axis with several values (within each variant).
pub fn compare_arms(task: &str, lines: &[Line<'_>], what: Measure) -> Vec<Arms> {
    let mut all = Vec::new();
    let variants: Vec<(Option<String>, Vec<Line<'_>>)> = group_by(lines, |line| vec![line.score.variant.clone()]);
    let several = variants.len() > 1;
    if several {
        let named = variants.iter().map(|(name, lines)| (name.clone().unwrap_or_default(), lines.clone())).collect();
        // Both must have the same cell of the axes.
        let arms = compare_to_first(named, what, |score| {
            ((score.each.clone(), score.sample, score.axis.clone()), score.to_unit())
        });
        all.extend(arms.map(|arms| Arms { task: task.to_owned(), axis: None, variant: None, arms }));
    }
    for (variant, lines) in &variants {
        let axes = group_by(lines, |line| line.score.axis.iter().map(|(axis, _)| axis.clone()).collect());
        for (axis, lines) in axes {
            let value = |line: Line<'_>| -> Vec<String> {
                line.score.axis.iter().filter(|(name, _)| *name == axis).map(|(_, value)| value.clone()).collect()
            };
            // Both must have the same values of all other axes.
            let others = |score: &Score| {
                let others = score.axis.iter().filter(|(name, _)| *name != axis).cloned().collect::<Vec<_>>();
                ((score.each.clone(), score.sample, others), score.to_unit())
            };
            let arms = compare_to_first(group_by(&lines, value), what, others);
            let variant = variant.clone().filter(|_| several);
            all.extend(arms.map(|arms| Arms { task: task.to_owned(), axis: Some(axis.clone()), variant, arms }));
        }
    }
    all
}

/// The key that is the same in both arms: row, sample, and other axes.
type Same = (Option<AskedRow>, u32, Vec<(String, String)>);

/// A place with its cluster.
type Place = pairs::Place<Same, Unit>;

/// Compares all arms with the first. `None` for fewer than two arms, or if no arm reports the measure.
fn compare_to_first(
    arms: Vec<(String, Vec<Line<'_>>)>,
    what: Measure,
    place: impl Fn(&Score) -> Place,
) -> Option<Vec<Arm>> {
    let spreads: Vec<Option<Spread>> = arms.iter().map(|(_, lines)| compute_spread(lines, what)).collect();
    let first = spreads.iter().position(Option::is_some).filter(|_| arms.len() > 1)?;
    let all: Vec<_> = arms
        .iter()
        .map(|(_, lines)| {
            pairs::sum_by_place(lines.iter().map(|line| line.score), |score| what.extract_value(score), &place)
        })
        .collect();
    let compare = |these| pairs::compare_pairs(&all[first], these, what.parts_per_unit(), compute_mean_interval);
    let compared = all.iter().enumerate().map(|(at, these)| compare(these).filter(|_| at != first));
    let mut against: Vec<Option<Against>> =
        compared.map(|paired| Some(Against { arm: arms[first].0.clone(), paired: paired? })).collect();
    adjust_in_place(against.iter_mut().flatten().map(|one| &mut one.paired.p));
    let arms = arms.into_iter().zip(spreads).zip(against);
    Some(arms.map(|(((name, _), spread), against)| Arm { name, spread, against }).collect())
}
