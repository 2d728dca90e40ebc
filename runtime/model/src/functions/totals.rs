//! Exact sums and the results computed from them, shared by the aggregates of columns and of files.

use std::cmp::Ordering;

use super::{FunctionError, Made, describe_value};
use crate::val::Val;
use crate::{Decimal, Value};

/// A sum that is exact until a float is added.
pub enum Sum {
    /// A sum of ints.
    Int(i128),
    /// A sum of decimals.
    Decimal(Decimal),
    /// A sum of floats.
    Float(f64),
}

/// Numbers added up for the function with this name.
pub struct Total {
    function: &'static str,
    sum: Sum,
    /// The number of values.
    count: u64,
}

impl Total {
    /// Creates an empty total.
    pub fn new(function: &'static str) -> Total {
        Total { function, sum: Sum::Int(0), count: 0 }
    }

    /// Adds a number that is not null.
    pub fn add_value(&mut self, value: &Val<'_>) -> Result<(), FunctionError> {
        let overflow = || FunctionError::from_sum_overflow(self.function);
        let not_addable = |value: &str| FunctionError::new(format!("`{}` cannot add {value}", self.function));
        self.count += 1;
        self.sum = match (&self.sum, value.as_value()) {
            // No column is long enough for 64-bit numbers to overflow 128 bits.
            (Sum::Int(sum), Some(Value::Int(value))) => Sum::Int(sum + i128::from(*value)),
            (Sum::Int(sum), Some(Value::Decimal(value))) => {
                let sum = Decimal::new(*sum, 0).and_then(|sum| sum.checked_add(*value));
                Sum::Decimal(sum.ok_or_else(overflow)?)
            }
            (Sum::Decimal(sum), Some(Value::Int(_) | Value::Decimal(_))) => {
                let value = value.as_value().and_then(Value::as_decimal);
                Sum::Decimal(value.and_then(|value| sum.checked_add(value)).ok_or_else(overflow)?)
            }
            (sum, Some(other)) => match other.as_f64() {
                Some(value) => Sum::Float(sum.to_f64() + value),
                None => return Err(not_addable(&describe_value(&Val::Ref(other)))),
            },
            (_, None) => return Err(not_addable("a text")),
        };
        Ok(())
    }

    /// Returns the sum and the number of values; fails if the sum is not finite.
    pub fn check_finite(self) -> Result<(Sum, u64), FunctionError> {
        match self.sum {
            Sum::Float(sum) if !sum.is_finite() => Err(FunctionError::from_sum_overflow(self.function)),
            sum => Ok((sum, self.count)),
        }
    }

    /// Returns the sum: an int for ints, exact for decimals; null without a value.
    pub fn into_sum(self) -> Made<'static> {
        match self.check_finite()? {
            (_, 0) => Ok(Val::NULL),
            (Sum::Int(sum), _) => match i64::try_from(sum) {
                Ok(sum) => Ok(Val::from_int(sum)),
                Err(_) => Err(FunctionError::new(format!("the sum {sum} overflows the 64 bits of an int"))),
            },
            (Sum::Decimal(sum), _) => Ok(Val::Own(Value::Decimal(sum))),
            (Sum::Float(sum), _) => Ok(Val::Own(Value::Float(sum))),
        }
    }

    /// Returns the exact sum, divided once; null without a value.
    pub fn into_mean(self) -> Made<'static> {
        match self.check_finite()? {
            (_, 0) => Ok(Val::NULL),
            (sum, count) => Ok(Val::Own(Value::Float(sum.compute_mean(count)))),
        }
    }
}

/// The smallest or largest comparable value until now.
pub struct Extreme<'a> {
    wanted: Ordering,
    best: Option<Val<'a>>,
}

impl<'a> Extreme<'a> {
    /// Creates an empty extreme: `Less` for the smallest, `Greater` for the largest value.
    pub fn new(wanted: Ordering) -> Extreme<'a> {
        Extreme { wanted, best: None }
    }

    /// Compares a value that is not null.
    pub fn add_value(&mut self, value: Val<'a>) {
        if self.best.as_ref().is_none_or(|best| value.compare_with(best) == Some(self.wanted)) {
            self.best = Some(value);
        }
    }

    /// Returns the extreme; null without a value.
    pub fn into_value(self) -> Val<'a> {
        self.best.unwrap_or(Val::NULL)
    }
}

impl Sum {
    fn to_f64(&self) -> f64 {
        match self {
            Sum::Int(sum) => *sum as f64,
            Sum::Decimal(sum) => sum.to_f64(),
            Sum::Float(sum) => *sum,
        }
    }

    /// Divides once: if both numbers are exact as doubles, the result is the double nearest to the true mean.
    pub fn compute_mean(&self, count: u64) -> f64 {
        match self {
            Sum::Decimal(sum) => {
                let by = 10i128.pow(u32::from(sum.places())) * i128::from(count);
                divide_to_nearest(sum.units(), by.unsigned_abs())
            }
            Sum::Int(sum) => divide_to_nearest(*sum, u128::from(count)),
            sum => sum.to_f64() / count as f64,
        }
    }
}

/// Returns the double nearest to `a / b`, where `b` is not 0 and is less than 10³⁷.
fn divide_to_nearest(a: i128, b: u128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let magnitude = a.unsigned_abs();
    if magnitude <= EXACT && b <= EXACT {
        return a as f64 / b as f64; // both exact, one rounding
    }
    // The quotient is written in decimal with far more digits than needed to decide between two doubles; the parser rounds correctly.
    const DIGITS: usize = 140;
    let mut text = format!("{}{}.", if a < 0 { "-" } else { "" }, magnitude / b);
    let mut rest = magnitude % b;
    for _ in 0..DIGITS {
        if rest == 0 {
            break;
        }
        rest *= 10;
        text.push(char::from(b'0' + (rest / b) as u8));
        rest %= b;
    }
    text.push(if rest == 0 { '0' } else { '1' });
    text.parse().unwrap_or(f64::NAN)
}
