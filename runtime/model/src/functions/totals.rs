//! Sums that stay exact, and what is made of them: shared by the aggregates over columns and those over files.

use std::cmp::Ordering;

use super::{FunctionId, Made, describe_value};
use crate::val::Val;
use crate::{Decimal, Value};

/// A sum that stays exact as long as no float comes.
pub enum Sum {
    /// Of ints.
    Int(i128),
    /// Of decimals.
    Decimal(Decimal),
    /// Of floats.
    Float(f64),
}

/// Numbers added up for a function.
pub struct Total {
    function: FunctionId,
    sum: Sum,
    /// How many.
    count: u64,
}

impl Total {
    /// Nothing yet.
    pub fn new(function: FunctionId) -> Total {
        Total { function, sum: Sum::Int(0), count: 0 }
    }

    fn report_overflow<T>(&self) -> Result<T, String> {
        Err(format!("the sum in `{}` overflows", self.function))
    }

    /// Adds a number that is not null.
    pub fn add_value(&mut self, value: &Val<'_>) -> Result<(), String> {
        self.count += 1;
        self.sum = match (&self.sum, value.as_value()) {
            // No column is so long that 64-bit numbers overflow 128 bits.
            (Sum::Int(sum), Some(Value::Int(value))) => Sum::Int(sum + i128::from(*value)),
            (Sum::Int(sum), Some(Value::Decimal(value))) => {
                match Decimal::new(*sum, 0).and_then(|sum| sum.checked_add(*value)) {
                    Some(sum) => Sum::Decimal(sum),
                    None => return self.report_overflow(),
                }
            }
            (Sum::Decimal(sum), Some(Value::Int(_) | Value::Decimal(_))) => {
                match value.as_value().and_then(Value::as_decimal).and_then(|value| sum.checked_add(value)) {
                    Some(sum) => Sum::Decimal(sum),
                    None => return self.report_overflow(),
                }
            }
            (sum, Some(other)) => match other.as_f64() {
                Some(value) => Sum::Float(sum.to_f64() + value),
                None => return Err(format!("`{}` cannot add {}", self.function, describe_value(&Val::Ref(other)))),
            },
            (_, None) => return Err(format!("`{}` cannot add a text", self.function)),
        };
        Ok(())
    }

    /// The sum, which must be finite.
    pub fn check_finite(self) -> Result<(Sum, u64), String> {
        match self.sum {
            Sum::Float(sum) if !sum.is_finite() => self.report_overflow(),
            sum => Ok((sum, self.count)),
        }
    }

    /// Ints stay ints, decimals exact; null for nothing.
    pub fn into_sum(self) -> Made<'static> {
        match self.check_finite()? {
            (_, 0) => Ok(Val::NULL),
            (Sum::Int(sum), _) => match i64::try_from(sum) {
                Ok(sum) => Ok(Val::from_int(sum)),
                Err(_) => Err(format!("the sum {sum} overflows the 64 bits of an int")),
            },
            (Sum::Decimal(sum), _) => Ok(Val::Own(Value::Decimal(sum))),
            (Sum::Float(sum), _) => Ok(Val::Own(Value::Float(sum))),
        }
    }

    /// The exact sum, divided once; null for nothing.
    pub fn into_mean(self) -> Made<'static> {
        match self.check_finite()? {
            (_, 0) => Ok(Val::NULL),
            (sum, count) => Ok(Val::Own(Value::Float(sum.compute_mean(count)))),
        }
    }
}

/// Of values that compare, the least or the greatest so far.
pub struct Extreme<'a> {
    wanted: Ordering,
    best: Option<Val<'a>>,
}

impl<'a> Extreme<'a> {
    /// Nothing yet. `Less` for the least, `Greater` for the greatest.
    pub fn new(wanted: Ordering) -> Extreme<'a> {
        Extreme { wanted, best: None }
    }

    /// Looks at a value that is not null.
    pub fn add_value(&mut self, value: Val<'a>) {
        if self.best.as_ref().is_none_or(|best| value.compare_with(best) == Some(self.wanted)) {
            self.best = Some(value);
        }
    }

    /// Null for nothing.
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

    /// Divided once: where both sides are exact as doubles, the nearest double to the true mean.
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

/// The double nearest to `a / b`, `b` not 0 and below 10³⁷.
fn divide_to_nearest(a: i128, b: u128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let magnitude = a.unsigned_abs();
    if magnitude <= EXACT && b <= EXACT {
        return a as f64 / b as f64; // both exact, one rounding
    }
    // Written out in decimal, far beyond where a quotient of such numbers can still lie between two doubles; the parser rounds correctly.
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
