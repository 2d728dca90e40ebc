//! Statistics of numbers, shared by the functions of the library and those of an author's SQL. Each depends only on the numbers, not on their order,
//! and each cites its formula.
//!
//! | file | concept |
//! | --- | --- |
//! | `exact` | sums of doubles and of their products, without any rounding |
//! | `moments` | correlation, the line of least squares, standard deviation |
//! | `points` | quantiles, and the value between two points |
//! | `chi2` | the upper tail of the chi-squared distribution |

mod chi2;
mod exact;
mod moments;
mod points;

use std::fmt;

pub use chi2::{MAX_FREEDOM, compute_chi2_p};
pub use moments::Moments;
pub use points::{compare_points, compute_quantile, interpolate_points};

/// The reason why a statistic is not defined for its numbers. The message states what is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatisticsError {
    /// A share that is not between 0 and 1.
    Share(f64),
    /// An x of the chi-squared distribution that is negative or not a number.
    NegativeX(f64),
    /// A number of degrees of freedom that is less than 1 or greater than [`MAX_FREEDOM`].
    Freedom(f64),
    /// Points with the same x and different y.
    SeveralY {
        /// Their x.
        x: f64,
        /// The y of two of them.
        values: [f64; 2],
    },
}

impl fmt::Display for StatisticsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatisticsError::Share(share) => write!(f, "a share from 0 to 1, not {share}"),
            StatisticsError::NegativeX(x) => write!(f, "an x of 0 or more, not {x}"),
            StatisticsError::Freedom(freedom) => write!(f, "1 to 1,000,000,000 degrees of freedom, not {freedom}"),
            StatisticsError::SeveralY { x, values: [a, b] } => {
                write!(f, "one y for each x, but at {x} there are {a} and {b}")
            }
        }
    }
}

impl std::error::Error for StatisticsError {}
