//! Computes an accuracy and its interval from scored responses: the one function that every command uses.
//!
//! Variants, axis values and trials of one sample share its drawn values (no random key holds a variant or an axis value), so they are one cluster: a run of
//! one sample in twelve variants has the information of one sample. In a data set, a cluster is a row, or the rows that the suite groups: rows on one database
//! are similar.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Interval;
use crate::clustered::{
    Cluster, FEWEST_CLUSTERS, compute_few_clusters_interval, compute_mean, compute_share_interval,
    compute_standard_error,
};
use crate::proportion::combine_by_mover;

/// With fewer tasks, a test over tasks cannot be significant, because tasks are its clusters.
pub const FEWEST_TASKS: usize = FEWEST_CLUSTERS;

/// One scored response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// The number of its task, from 0.
    pub task: usize,
    /// The number of its sample among those of all tasks, from 0; it identifies its cluster.
    pub sample: usize,
    /// Whether the response is correct.
    pub correct: bool,
    /// Its score, 0 to 1.
    pub score: f64,
}

/// Numbers tasks and clusters, in the order in which they first occur. The caller chooses the key of a cluster: a sample by its number.
#[derive(Clone, Debug)]
pub struct Numbering<C = u32> {
    tasks: BTreeMap<String, usize>,
    /// The numbers of the clusters of each task.
    samples: Vec<BTreeMap<C, u32>>,
    /// The number of all clusters.
    count: u32,
}

impl<C> Default for Numbering<C> {
    fn default() -> Numbering<C> {
        Numbering { tasks: BTreeMap::new(), samples: Vec::new(), count: 0 }
    }
}

impl<C: Ord> Numbering<C> {
    /// Returns the observation of a response to `sample` (from 1, or another cluster) of `task`, in any cell, variant, and trial.
    ///
    /// ```
    /// use statistics::accuracy::{Numbering, Share};
    ///
    /// // Two samples in two variants: four rows, but two clusters.
    /// let mut numbering = Numbering::default();
    /// let rows = [("sums", 1, true), ("sums", 1, true), ("sums", 2, false), ("sums", 2, true)]
    ///     .map(|(task, sample, correct)| numbering.number_row(task, sample, correct, 1.0));
    /// assert_eq!(rows.map(|row| row.sample), [0, 0, 1, 1]);
    /// let share = Share::from_rows(&rows);
    /// assert_eq!((share.correct, share.of, share.accuracy), (3, 4, 0.75));
    /// ```
    pub fn number_row(&mut self, task: &str, sample: C, correct: bool, score: f64) -> Observation {
        let next = self.tasks.len();
        let task = match self.tasks.get(task) {
            Some(task) => *task,
            None => *self.tasks.entry(task.to_owned()).or_insert(next),
        };
        if self.samples.len() <= task {
            self.samples.resize_with(task + 1, BTreeMap::new);
        }
        let next = self.count;
        let sample = self.samples.get_mut(task).map_or(next, |known| *known.entry(sample).or_insert(next));
        self.count += u32::from(sample == next);
        Observation { task, sample: sample as usize, correct, score }
    }
}

/// The accuracy of some responses, with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The number of correct ones …
    pub correct: u64,
    /// … of this number in total.
    pub of: u64,
    /// Their share, 0 to 1; 0 without responses.
    pub accuracy: f64,
    /// The 95% confidence interval for fresh samples: Wilson's, with the effective number of independent observations ([`compute_share_interval`]).
    pub interval: Interval,
    /// The mean score, 0 to 1.
    pub score: f64,
}

impl Share {
    /// Computes the share of these rows.
    pub fn from_rows(rows: &[Observation]) -> Share {
        Share::compute(rows.iter())
    }

    fn compute<'r>(rows: impl Iterator<Item = &'r Observation> + Clone) -> Share {
        let sum = |value: fn(&Observation) -> f64| sum_by_cluster(rows.clone().map(|row| (row.sample, value(row))));
        let clusters = sum(to_indicator);
        Share {
            correct: rows.clone().filter(|row| row.correct).count() as u64,
            of: rows.clone().count() as u64,
            accuracy: compute_mean(&clusters),
            interval: compute_share_interval(&clusters),
            score: compute_mean(&sum(|row| row.score)),
        }
    }
}

/// The unit that counts as sampled at random: it determines what the suite's interval generalizes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplingUnit {
    /// Tasks: the interval is for other tasks like these.
    Tasks,
    /// Samples: the interval is for fresh samples of the same tasks.
    Samples,
}

impl SamplingUnit {
    /// Returns the requested unit; by default, tasks if there are enough of them. A single task gives no information about others.
    ///
    /// ```
    /// use statistics::accuracy::SamplingUnit;
    ///
    /// // Few tasks say too little about other tasks; many do, and the author can decide.
    /// assert_eq!(SamplingUnit::choose(None, 5), SamplingUnit::Samples);
    /// assert_eq!(SamplingUnit::choose(None, 6), SamplingUnit::Tasks);
    /// assert_eq!(SamplingUnit::choose(Some(SamplingUnit::Tasks), 2), SamplingUnit::Tasks);
    /// assert_eq!(SamplingUnit::choose(Some(SamplingUnit::Tasks), 1), SamplingUnit::Samples);
    /// ```
    pub fn choose(asked: Option<SamplingUnit>, tasks: usize) -> SamplingUnit {
        match asked {
            Some(SamplingUnit::Tasks) if tasks < 2 => SamplingUnit::Samples,
            Some(over) => over,
            None if tasks >= FEWEST_TASKS => SamplingUnit::Tasks,
            None => SamplingUnit::Samples,
        }
    }
}

/// The accuracy of a whole run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// The share of all rows. Its interval is over the unit in `over`.
    #[serde(flatten)]
    pub share: Share,
    /// The unit that the interval generalizes to.
    pub over: SamplingUnit,
    /// The interval for other tasks like these, with tasks as clusters. `None` for a single task.
    pub over_tasks: Option<Interval>,
    /// The interval for fresh samples of these tasks.
    pub over_samples: Interval,
    /// The standard error of the accuracy, clustered by task. `None` for a single task.
    pub error_over_tasks: Option<f64>,
    /// The standard error of the mean score, clustered by task. `None` for a single task.
    pub score_error_over_tasks: Option<f64>,
    /// The number of tasks.
    pub tasks: u64,
    /// The number of independent samples over all tasks.
    pub samples: u64,
}

impl Accuracy {
    /// Computes the accuracy of all rows of a run. `asked` is the unit that its interval generalizes to; without it, [`SamplingUnit::choose`] decides.
    ///
    /// ```
    /// use statistics::accuracy::{Accuracy, Observation, SamplingUnit};
    ///
    /// // Three tasks with ten samples each, of which one is always wrong.
    /// let rows: Vec<Observation> = (0..30)
    ///     .map(|at| Observation { task: at / 10, sample: at, correct: at >= 10, score: 1.0 })
    ///     .collect();
    /// let accuracy = Accuracy::from_rows(&rows, None);
    /// assert_eq!((accuracy.share.correct, accuracy.tasks, accuracy.samples), (20, 3, 30));
    /// // For fresh samples of these tasks the result is fairly certain; for other tasks it says little.
    /// assert_eq!(accuracy.over, SamplingUnit::Samples);
    /// let other_tasks = accuracy.over_tasks.expect("several tasks");
    /// assert!(other_tasks.width() > 2.0 * accuracy.over_samples.width());
    /// ```
    pub fn from_rows(rows: &[Observation], asked: Option<SamplingUnit>) -> Accuracy {
        let share = Share::from_rows(rows);
        // The rows of each task, in their order.
        let mut by_task: Vec<&Observation> = rows.iter().collect();
        by_task.sort_by_key(|row| row.task);
        let tasks: Vec<&[&Observation]> = by_task.chunk_by(|row, next| row.task == next.task).collect();
        let over = SamplingUnit::choose(asked, tasks.len());
        let sum_tasks = |value: fn(&Observation) -> f64| -> Vec<Cluster> {
            let sum = |rows: &&[&Observation]| rows.iter().map(|row| value(row)).sum();
            tasks.iter().map(|rows| Cluster { sum: sum(rows), n: rows.len() as u64 }).collect()
        };
        let parts: Vec<(f64, f64, Interval)> = tasks
            .iter()
            .map(|part| {
                let of_task = Share::compute(part.iter().copied());
                (part.len() as f64 / rows.len() as f64, of_task.accuracy, of_task.interval)
            })
            .collect();
        let over_samples = if tasks.len() <= 1 { share.interval } else { combine_by_mover(&parts) };
        let clusters = sum_tasks(to_indicator);
        let over_tasks = compute_few_clusters_interval(&clusters);
        let interval = match over {
            SamplingUnit::Tasks => over_tasks.unwrap_or(over_samples),
            SamplingUnit::Samples => over_samples,
        };
        Accuracy {
            share: Share { interval, ..share },
            over,
            over_tasks,
            over_samples,
            error_over_tasks: compute_standard_error(&clusters),
            score_error_over_tasks: compute_standard_error(&sum_tasks(|row| row.score)),
            tasks: tasks.len() as u64,
            samples: sum_by_sample(rows, to_indicator).len() as u64,
        }
    }
}

/// Returns the sums of `value` by sample, one cluster for each.
pub fn sum_by_sample(rows: &[Observation], value: impl Fn(&Observation) -> f64) -> Vec<Cluster> {
    sum_by_cluster(rows.iter().map(|row| (row.sample, value(row))))
}

/// Sums values by the number of their cluster.
pub fn sum_by_cluster(values: impl IntoIterator<Item = (usize, f64)>) -> Vec<Cluster> {
    let mut values: Vec<(usize, f64)> = values.into_iter().collect();
    // The values of a cluster keep their order, and so its sum its last digit.
    values.sort_by_key(|(at, _)| *at);
    let sum = |own: &[(usize, f64)]| own.iter().fold(0.0, |sum, (_, value)| sum + value);
    let clusters = values.chunk_by(|(at, _), (next, _)| at == next);
    clusters.map(|own| Cluster { sum: sum(own), n: own.len() as u64 }).collect()
}

/// Returns 1 if the response is correct, otherwise 0.
pub fn to_indicator(row: &Observation) -> f64 {
    f64::from(u8::from(row.correct))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::proportion::compute_wilson_interval;

    fn rows(
        numbering: &mut Numbering,
        task: &str,
        samples: u32,
        each: u32,
        right: impl Fn(u32) -> bool,
    ) -> Vec<Observation> {
        let mut all = Vec::new();
        for sample in 1..=samples {
            for _ in 0..each {
                let correct = right(sample);
                all.push(numbering.number_row(task, sample, correct, f64::from(u8::from(correct))));
            }
        }
        all
    }

    #[test]
    fn variants_of_a_sample_are_one_cluster() {
        let mut numbering = Numbering::default();
        let once = Accuracy::from_rows(&rows(&mut numbering, "t", 20, 1, |sample| sample <= 10), None);
        let thrice = Accuracy::from_rows(&rows(&mut Numbering::default(), "t", 20, 3, |sample| sample <= 10), None);
        assert_eq!(once.share.interval, compute_wilson_interval(10, 20));
        // 20 samples know as much in three equal variants as in one, but for the correction of 20/19 and Student's t with 19 degrees of freedom.
        let (wide, narrow) = (thrice.share.interval.width(), once.share.interval.width());
        assert!(narrow < wide && wide < 1.08 * narrow, "{wide} {narrow}");
        assert_eq!((thrice.samples, thrice.share.of), (20, 60));
    }

    #[test]
    fn tasks_count_from_six_on() {
        let mut numbering = Numbering::default();
        let names = ["a", "b", "c", "d", "e", "f"];
        let all: Vec<Observation> =
            names.iter().flat_map(|task| rows(&mut numbering, task, 5, 1, |sample| sample < 3)).collect();
        assert_eq!(Accuracy::from_rows(&all, None).over, SamplingUnit::Tasks);
        assert_eq!(Accuracy::from_rows(&all[..25], None).over, SamplingUnit::Samples);
        assert_eq!(Accuracy::from_rows(&all[..5], Some(SamplingUnit::Tasks)).over, SamplingUnit::Samples);
        assert_eq!(Accuracy::from_rows(&[], None).share.interval, Interval { low: 0.0, high: 1.0 });
    }

    /// Of 600 runs of 40 samples in three variants that agree with each other, about 95% of the intervals contain the
    /// truth; with variants taken as independent, it would be three quarters.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut bits = 3u64;
        let mut below = |share: f64| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 11) as f64 / (1u64 << 53) as f64 <= share
        };
        let (mut held, mut naive) = (0, 0);
        for _ in 0..600 {
            let drawn: Vec<bool> = (0..40).map(|_| below(0.3)).collect();
            let all = rows(&mut Numbering::default(), "t", 40, 3, |sample| drawn[sample as usize - 1]);
            let share = Share::from_rows(&all);
            held += u32::from(share.interval.has_value(0.3));
            naive += u32::from(compute_wilson_interval(share.correct, share.of).has_value(0.3));
        }
        assert!((558..=588).contains(&held), "{held} of 600");
        assert!(naive < 500, "{naive} of 600");
    }

    proptest! {
        /// Any rows at all: one sample, all equal, all right, none.
        #[test]
        fn no_interval_has_no_width(
            tasks in prop::collection::vec((1u32..5, 1u32..4, 0u8..4), 1..9),
            bits in any::<u64>(),
            asked in prop::option::of(prop_oneof![Just(SamplingUnit::Tasks), Just(SamplingUnit::Samples)]),
        ) {
            let mut numbering = Numbering::default();
            let mut bits = bits | 1;
            let mut all = Vec::new();
            for (at, (samples, each, kind)) in tasks.into_iter().enumerate() {
                for sample in 1..=samples {
                    for _ in 0..each {
                        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                        let correct = match kind { 0 => false, 1 => true, _ => bits >> 63 == 1 };
                        all.push(numbering.number_row(&format!("t{at}"), sample, correct, f64::from(u8::from(correct))));
                    }
                }
            }
            let whole = Accuracy::from_rows(&all, asked);
            for interval in [Some(whole.share.interval), Some(whole.over_samples), whole.over_tasks].into_iter().flatten() {
                prop_assert!(interval.width() > 1e-9, "{interval:?}");
                prop_assert!(interval.low >= 0.0 && interval.high <= 1.0 + 1e-12);
                prop_assert!(interval.low <= whole.share.accuracy + 1e-9 && whole.share.accuracy <= interval.high + 1e-9);
            }
        }
    }
}
