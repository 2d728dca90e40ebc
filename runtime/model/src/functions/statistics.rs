//! Functions of statistics. What they compute is in [`crate::statistics`], and SQL has them under the same names. Rows with a null in one of the
//! columns are left out.

use super::record::{Fraction, Made, Points, Record, Results, points, values};
use super::{FunctionId, Inputs};
use crate::Value;
use crate::statistics::{self, Moments};
use crate::val::Val;

functions! {
    CHI2_P = Record { fraction: Fraction::Made, ..values("chi2_p", chi2_p) };
    CORR = Record {
        also: &["correl", "correlation", "pearson", "pearsonr"],
        ..points("corr", 2, |pairs, _| Ok(moments(&pairs).correlation()))
    };
    INTERCEPT = Record {
        also: &["regr_intercept"],
        ..points("intercept", 2, |pairs, _| Ok(moments(&pairs).intercept()))
    };
    INTERPOLATE = Record { also: &["interp"], ..points("interpolate", 2, interpolate) };
    QUANTILE = Record {
        also: &["percentile", "percentile_cont"],
        results: Results::Mean,
        least: Some(1),
        share: Some(1),
        ..points("quantile", 1, quantile)
    };
    SLOPE = Record { also: &["regr_slope"], ..points("slope", 2, |pairs, _| Ok(moments(&pairs).slope())) };
}

impl FunctionId {
    /// A number that is not null as a double that is finite.
    pub fn number(self, value: &Val<'_>) -> Result<f64, String> {
        match value.value().and_then(Value::as_f64) {
            Some(number) if number.is_finite() => Ok(number),
            _ => Err(format!("`{self}` needs numbers, not {}", super::said(value))),
        }
    }

    /// What this function of points gives for them, and for the value after them.
    pub fn of_points<'a>(self, kernel: Points, points: Vec<[f64; 2]>, last: Option<&Val<'_>>) -> Made<'a> {
        let last = match last {
            Some(value) if value.is_null() => return Ok(Val::NULL),
            Some(value) => self.number(value)?,
            None => 0.0,
        };
        match kernel(points, last).map_err(|needs| format!("`{self}` needs {needs}"))? {
            None => Ok(Val::NULL),
            Some(result) if result.is_finite() => Ok(Val::Own(Value::Float(result))),
            Some(_) => Err(format!("`{self}` overflows")),
        }
    }
}

fn moments(pairs: &[[f64; 2]]) -> Moments {
    let mut moments = Moments::default();
    pairs.iter().for_each(|pair| moments.add(*pair));
    moments
}

fn quantile(mut numbers: Vec<[f64; 2]>, share: f64) -> Result<Option<f64>, String> {
    numbers.sort_unstable_by(statistics::order);
    statistics::quantile(&numbers, share)
}

fn interpolate(mut points: Vec<[f64; 2]>, at: f64) -> Result<Option<f64>, String> {
    points.sort_unstable_by(statistics::order);
    statistics::interpolate(&points, at)
}

fn chi2_p(inputs: Inputs<'_>) -> Made<'_> {
    let function = inputs.function;
    let (x, freedom) = (inputs.value(0)?, inputs.value(1)?);
    if x.is_null() || freedom.is_null() {
        return Ok(Val::NULL);
    }
    let tail = statistics::chi2_p(function.number(x)?, function.number(freedom)?);
    tail.map(|tail| Val::Own(Value::Float(tail))).map_err(|needs| format!("`{function}` needs {needs}"))
}
