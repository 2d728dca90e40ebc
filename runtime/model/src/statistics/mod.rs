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

pub use chi2::{MAX_FREEDOM, compute_chi2_p};
pub use moments::Moments;
pub use points::{compare_points, compute_quantile, interpolate_points};
