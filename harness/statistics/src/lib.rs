//! Statistics: intervals, tests and estimators, each with its source. `run`, `score`, `report`, `compare`, `analyze` and `selftest` use them, so the
//! results agree.
//!
//! Everything is a pure function. Sums have a fixed order and functions come from libm, so every machine has the same digits; counts are kept as
//! integers. No interval from finite data has a width of 0: without information, it is the whole range or absent.

pub mod accuracy;
pub mod bootstrap;
pub mod clustered;
pub mod entropy;
pub mod exact_tests;
pub mod means;
pub mod multiple_testing;
pub mod paired;
pub mod pass_at_k;
pub mod permutation_test;
pub mod proportion;
pub mod sample_size;
pub mod special;
pub mod summary;

use serde::{Deserialize, Serialize};

/// The 97.5% quantile of the standard normal distribution, for a 95% confidence interval.
pub const Z: f64 = 1.959_963_984_540_054;

/// A 95% confidence interval.
///
/// ```
/// use statistics::Interval;
/// use statistics::proportion::compute_wilson_interval;
///
/// let interval: Interval = compute_wilson_interval(8, 10);
/// assert!(interval.has_value(0.8) && interval.has_value(0.5) && !interval.has_value(0.45));
/// // Four times the responses make about half the width.
/// let ratio = interval.width() / compute_wilson_interval(32, 40).width();
/// assert!((1.8..2.0).contains(&ratio), "{ratio}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Returns its width.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Whether it contains a value.
    pub fn has_value(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
