//! Statistics: intervals, tests and estimators, each with its source. `run`, `score`, `report`, `compare`, `analyze` and `selftest` ask here, so that one
//! question has one answer.
//!
//! Everything is a pure function. Sums run in one order and functions come from libm, so that every machine gives the same digits; what can be
//! counted is counted in integers. No interval made from finite data has a width of 0: where nothing can be said there is none.

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// How wide it is.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Whether a value lies within.
    pub fn has_value(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
