//! Statistical functions. [`crate::statistics`] computes them, and SQL provides them under the same names. Rows with a null in one of the columns are skipped.

use super::record::{Fraction, FunctionId, Points, Record, Results, functions, points, values};
use super::{FunctionError, Inputs, Made, read_number};
use crate::Value;
use crate::statistics::{self, Moments, StatisticsError};
use crate::val::Val;

functions! {
    /// The probability of a larger value of a chi-squared distribution.
    CHI2_P = Record { fraction: Fraction::Made, ..values("chi2_p", compute_chi2_p) };
    CORR = Record {
        also: &["correl", "correlation", "pearson", "pearsonr"],
        results: Results::Within(-1, 1),
        ..points("corr", 2, |pairs, _| Ok(collect_moments(&pairs).compute_correlation()))
    };
    INTERCEPT = Record {
        also: &["regr_intercept"],
        ..points("intercept", 2, |pairs, _| Ok(collect_moments(&pairs).compute_intercept()))
    };
    INTERPOLATE = Record { also: &["interp"], ..points("interpolate", 2, interpolate_points) };
    /// A quantile of the values, by linear interpolation.
    QUANTILE = Record {
        also: &["percentile", "percentile_cont"],
        results: Results::Mean,
        least: Some(1),
        share: Some(1),
        ..points("quantile", 1, compute_quantile)
    };
    SLOPE = Record { also: &["regr_slope"], ..points("slope", 2, |pairs, _| Ok(collect_moments(&pairs).compute_slope())) };
}

impl FunctionId {
    /// Evaluates this function for points, and for the value after them.
    pub fn evaluate_points<'a>(self, kernel: Points, points: Vec<[f64; 2]>, last: Option<&Val<'_>>) -> Made<'a> {
        let last = match last {
            Some(value) if value.is_null() => return Ok(Val::NULL),
            Some(value) => read_number(self.name, value)?,
            None => 0.0,
        };
        match kernel(points, last).map_err(|error| FunctionError::from_need(self.name, error))? {
            None => Ok(Val::NULL),
            Some(result) if result.is_finite() => Ok(Val::Own(Value::Float(result))),
            Some(_) => Err(FunctionError::from_overflow(self.name)),
        }
    }
}

fn collect_moments(pairs: &[[f64; 2]]) -> Moments {
    let mut moments = Moments::default();
    pairs.iter().for_each(|pair| moments.add_pair(*pair));
    moments
}

fn compute_quantile(mut numbers: Vec<[f64; 2]>, share: f64) -> Result<Option<f64>, StatisticsError> {
    numbers.sort_unstable_by(statistics::compare_points);
    statistics::compute_quantile(&numbers, share)
}

fn interpolate_points(mut points: Vec<[f64; 2]>, at: f64) -> Result<Option<f64>, StatisticsError> {
    points.sort_unstable_by(statistics::compare_points);
    statistics::interpolate_points(&points, at)
}

fn compute_chi2_p(inputs: Inputs<'_>) -> Made<'_> {
    let function = inputs.function;
    let (x, freedom) = (inputs.read_value(0)?, inputs.read_value(1)?);
    if x.is_null() || freedom.is_null() {
        return Ok(Val::NULL);
    }
    let tail = statistics::compute_chi2_p(read_number(function, x)?, read_number(function, freedom)?);
    tail.map(|tail| Val::Own(Value::Float(tail))).map_err(|error| FunctionError::from_need(function, error))
}
