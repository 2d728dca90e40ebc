//! Estimates how many samples are sufficient, from the results so far.

use serde::Serialize;
use statistics::accuracy::{sum_by_sample, to_indicator};
use statistics::clustered::{compute_design_effect, compute_mean};
use statistics::sample_size::{compute_interval_at, find_size_for_half_width};

use super::lines::{Line, extract_rows};

/// Advice on the number of samples, for fresh samples of these tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sizes {
    /// The number of lines that have the information of one independent line: more than 1 if variants, axis values, and trials of one sample agree.
    pub design_effect: f64,
    /// The interval widths for other numbers of instances, at this accuracy.
    pub widths: Vec<Width>,
    /// The numbers of instances for intervals of ±5, ±2, and ±1 points.
    pub wanted: Vec<Wanted>,
}

/// The width of an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Width {
    /// The number of instances, each with the run's trials.
    pub instances: u64,
    /// The width from end to end, 0 to 1.
    pub width: f64,
}

/// The size for an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wanted {
    /// Half its width, 0 to 1.
    pub half_width: f64,
    /// The number of instances, each with the run's trials.
    pub instances: Option<u64>,
    /// `samples` of the suite, if it is the same for all tasks.
    pub samples: Option<u64>,
}

/// Estimates sizes from all lines of a run, which has `trials` lines for each instance.
pub fn estimate_sizes(lines: &[Line<'_>], trials: u32) -> Sizes {
    let clusters = sum_by_sample(&extract_rows(lines), to_indicator);
    let (share, effect, trials) = (compute_mean(&clusters), compute_design_effect(&clusters), u64::from(trials.max(1)));
    let n = lines.len() as u64 / trials;
    let most = u64::from(lines.iter().map(|line| line.score.sample).max().unwrap_or(1)).max(1);
    let widths = [(1, 4), (1, 2), (1, 1), (2, 1), (4, 1), (10, 1)]
        .into_iter()
        .map(|(times, over)| (n * times / over).max(1))
        .map(|instances| Width { instances, width: compute_interval_at(share, instances * trials, effect).width() })
        .collect();
    let wanted = [0.05, 0.02, 0.01]
        .into_iter()
        .map(|half_width| {
            let instances =
                find_size_for_half_width(share, half_width, effect).map(|responses| responses.div_ceil(trials));
            let samples = instances
                .map(|instances| (u128::from(instances) * u128::from(most)).div_ceil(u128::from(n.max(1))) as u64);
            Wanted { half_width, instances, samples }
        })
        .collect();
    Sizes { design_effect: effect, widths, wanted }
}
