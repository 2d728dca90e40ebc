//! Functions of columns of tables, and of lists. They receive the values that are not null, in order.

use std::cmp::Ordering;

use super::record::{
    Aggregate, Fraction, FunctionId, Order, Pick, QueryResult, Record, Results, Values, fold, functions,
};
use super::totals::{Extreme, Sum, Total};
use super::{FunctionError, Made, read_number};
use crate::Value;
use crate::statistics::Moments;
use crate::val::Val;

functions! {
    /// The mean of the values.
    AVG = Record {
        also: &["average", "mean"],
        results: Results::Mean,
        aggregate: Some(Aggregate::Mean),
        fraction: Fraction::Made,
        // The exact sum is divided once.
        ..fold("avg", |function, values| build_total(function, values)?.into_mean())
    };
    /// The number of values or rows.
    COUNT = Record {
        total: true,
        results: Results::Count,
        least: Some(0),
        aggregate: Some(Aggregate::Count),
        ..fold("count", |_, values| Ok(Val::from_int(values.count() as i64)))
    };
    CSV_AVG = Record { name: "csv_avg", also: &[], general: Some(AVG), ..*AVG.0 };
    CSV_COLUMN = Record { name: "csv_column", also: &[], general: Some(LIST), query: None, ..*LIST.0 };
    CSV_COUNT = Record { name: "csv_count", also: &[], general: Some(COUNT), ..*COUNT.0 };
    CSV_SUM = Record { name: "csv_sum", also: &[], general: Some(SUM), ..*SUM.0 };
    /// The number of different values.
    DISTINCT_COUNT = Record {
        total: true,
        results: Results::Distinct,
        least: Some(0),
        aggregate: Some(Aggregate::Distinct),
        ..fold("distinct_count", count_distinct)
    };
    /// The first value in order.
    FIRST = Record {
        total: true,
        picks: Some(Pick::First),
        order: Order::Picked,
        fraction: Fraction::Kept,
        ..fold("first", take_first)
    };
    /// The last value in order.
    LAST = Record {
        total: true,
        picks: Some(Pick::Last),
        order: Order::Picked,
        fraction: Fraction::Kept,
        ..fold("last", |_, values| Ok(values.last().unwrap_or(Val::NULL)))
    };
    /// All values in order.
    LIST = Record {
        total: true,
        results: Results::Values,
        least: Some(0),
        query: Some(QueryResult::List),
        order: Order::Kept,
        fraction: Fraction::Kept,
        ..fold("list", |_, values| Ok(Val::Own(Value::List(values.map(Val::into_value).collect()))))
    };
    /// The largest value.
    MAX = Record {
        total: true,
        also: &["maximum", "largest"],
        aggregate: Some(Aggregate::High),
        picks: Some(Pick::Greatest),
        fraction: Fraction::Kept,
        ..fold("max", |_, values| find_extreme(Ordering::Greater, values))
    };
    /// The value in the middle, or the mean of the two in the middle.
    MEDIAN = Record {
        results: Results::Mean,
        aggregate: Some(Aggregate::Median),
        fraction: Fraction::Kept,
        ..fold("median", find_median)
    };
    /// The smallest value.
    MIN = Record {
        total: true,
        also: &["minimum", "smallest"],
        aggregate: Some(Aggregate::Low),
        picks: Some(Pick::Least),
        fraction: Fraction::Kept,
        ..fold("min", |_, values| find_extreme(Ordering::Less, values))
    };
    /// The most common value.
    MODE = Record {
        total: true,
        aggregate: Some(Aggregate::Mode),
        picks: Some(Pick::Commonest),
        fraction: Fraction::Kept,
        ..fold("mode", find_mode)
    };
    /// The standard deviation of a population.
    PSTDEV = Record {
        also: &["stddev_pop", "stdevp"],
        least: Some(1),
        aggregate: Some(Aggregate::Deviation),
        fraction: Fraction::Made,
        ..fold("pstdev", |function, values| compute_spread(function, values, Moments::compute_population_deviation))
    };
    /// The standard deviation of a sample.
    STDEV = Record {
        also: &["std", "stddev", "stdev_samp"],
        least: Some(2),
        aggregate: Some(Aggregate::Deviation),
        fraction: Fraction::Made,
        ..fold("stdev", |function, values| compute_spread(function, values, Moments::compute_deviation))
    };
    /// The sum of the values.
    SUM = Record {
        also: &["total"],
        results: Results::Sum,
        aggregate: Some(Aggregate::Sum),
        fraction: Fraction::Kept,
        // Ints stay ints and decimals exact; floats are added in order.
        ..fold("sum", |function, values| build_total(function, values)?.into_sum())
    };
}

impl Aggregate {
    /// Returns the function that computes it, of columns and of lists.
    pub fn to_function(self) -> FunctionId {
        match self {
            Aggregate::Sum => SUM,
            Aggregate::Mean => AVG,
            Aggregate::Median => MEDIAN,
            Aggregate::Count => COUNT,
            Aggregate::Distinct => DISTINCT_COUNT,
            Aggregate::Mode => MODE,
            Aggregate::Deviation => STDEV,
            Aggregate::High => MAX,
            Aggregate::Low => MIN,
        }
    }
}

fn build_total(function: &'static str, values: Values<'_, '_>) -> Result<Total, FunctionError> {
    let mut total = Total::new(function);
    for value in values {
        total.add_value(&value)?;
    }
    Ok(total)
}

fn find_extreme<'a>(wanted: Ordering, values: Values<'_, 'a>) -> Made<'a> {
    let mut extreme = Extreme::new(wanted);
    values.for_each(|value| extreme.add_value(value));
    Ok(extreme.into_value())
}

/// Computes a standard deviation.
fn compute_spread<'a>(
    function: &'static str,
    values: Values<'_, 'a>,
    deviation: fn(&Moments) -> Option<f64>,
) -> Made<'a> {
    let mut moments = Moments::default();
    for value in values {
        moments.add_pair([read_number(function, &value)?, 0.0]);
    }
    match deviation(&moments) {
        None => Ok(Val::NULL),
        Some(deviation) if deviation.is_finite() => Ok(Val::Own(Value::Float(deviation))),
        Some(_) => Err(FunctionError::from_overflow(function)),
    }
}

fn take_first<'a>(_: &str, values: Values<'_, 'a>) -> Made<'a> {
    Ok(values.fold(None, |first: Option<Val<'a>>, value| first.or(Some(value))).unwrap_or(Val::NULL))
}

fn sort_values<'a>(values: Values<'_, 'a>) -> Vec<Val<'a>> {
    let mut all: Vec<Val<'a>> = values.collect();
    all.sort_by(Val::compare_total);
    all
}

/// Returns the median, always as a float, for one or two middle values.
fn find_median<'a>(function: &'static str, values: Values<'_, 'a>) -> Made<'a> {
    let all = sort_values(values);
    if all.is_empty() {
        return Ok(Val::NULL);
    }
    let middle = (&all[(all.len() - 1) / 2], &all[all.len() / 2]);
    let sum = match (middle.0.as_value(), middle.1.as_value()) {
        (Some(Value::Int(a)), Some(Value::Int(b))) => Some(Sum::Int(i128::from(*a) + i128::from(*b))),
        (Some(a), Some(b)) => match (a.as_decimal(), b.as_decimal()) {
            (Some(a), Some(b)) => a.checked_add(b).map(Sum::Decimal),
            // Halves are added, because the sum of two doubles may be infinite.
            _ => a.as_f64().zip(b.as_f64()).map(|(a, b)| Sum::Float(if a == b { a * 2.0 } else { a + b })),
        },
        _ => None,
    };
    match sum.map(|sum| sum.compute_mean(2)) {
        Some(mean) if mean.is_finite() => Ok(Val::Own(Value::Float(mean))),
        _ => Err(FunctionError::new(format!("`{function}` has no result for these values"))),
    }
}

/// Returns the most common value; the smallest one in case of a tie.
fn find_mode<'a>(_: &str, values: Values<'_, 'a>) -> Made<'a> {
    let all = sort_values(values);
    let mut best: Option<(usize, usize)> = None;
    let mut start = 0;
    for at in 0..all.len() {
        if !all[at].is_same(&all[start]) {
            start = at;
        }
        let length = at - start + 1;
        if best.is_none_or(|(most, _)| length > most) {
            best = Some((length, start));
        }
    }
    Ok(best.and_then(|(_, at)| all.into_iter().nth(at)).unwrap_or(Val::NULL))
}

/// Counts the different values; 2 and 2.0 are equal.
fn count_distinct<'a>(_: &str, values: Values<'_, 'a>) -> Made<'a> {
    let all = sort_values(values);
    let mut count = i64::from(!all.is_empty());
    for pair in all.windows(2) {
        count += i64::from(!pair[1].is_same(&pair[0]));
    }
    Ok(Val::from_int(count))
}
