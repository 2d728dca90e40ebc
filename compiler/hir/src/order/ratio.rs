//! Exact numbers.

use std::cmp::Ordering;

use model::Value;

/// The quotient of two ints, in lowest terms; the divisor is above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    up: i128,
    down: i128,
}

impl Ratio {
    pub const ONE: Ratio = Ratio { up: 1, down: 1 };

    pub fn new(up: i128, down: i128) -> Option<Ratio> {
        let common = find_divisor(up.checked_abs()?, down.checked_abs()?).max(1);
        let sign = if down < 0 { -1 } else { 1 };
        (down != 0).then(|| Ratio { up: up / common * sign, down: down / common * sign })
    }

    /// The number that a value is: that of seconds for a moment or a duration. `None` for inexact numbers, and for other values.
    pub fn from_value(value: &Value) -> Option<Ratio> {
        const DAY: i128 = 86_400;
        match value {
            Value::Int(int) => Ratio::new(i128::from(*int), 1),
            Value::Decimal(decimal) => Ratio::new(decimal.units(), 10_i128.checked_pow(u32::from(decimal.places()))?),
            Value::Float(double) if double.fract() == 0.0 && double.abs() < 1e15 => Ratio::new(*double as i128, 1),
            Value::Date(date) => Ratio::new(i128::from(date.0) * DAY, 1),
            Value::DateTime(moment) => Ratio::new(i128::from(moment.0), 1),
            Value::Duration(duration) if duration.months == 0 => Ratio::new(i128::from(duration.seconds), 1),
            _ => None,
        }
    }

    /// The smallest int that is not less.
    pub fn round_up(self) -> Option<i64> {
        let below = self.up.div_euclid(self.down);
        i64::try_from(if below * self.down == self.up { below } else { below + 1 }).ok()
    }

    /// The one that is less.
    pub fn pick_less(self, other: Ratio) -> Option<Ratio> {
        Some(if self.add(other.negate())?.sign().is_lt() { self } else { other })
    }

    pub fn is_zero(self) -> bool {
        self.up == 0
    }

    pub fn sign(self) -> Ordering {
        self.up.cmp(&0)
    }

    pub fn negate(self) -> Ratio {
        Ratio { up: -self.up, ..self }
    }

    pub fn add(self, other: Ratio) -> Option<Ratio> {
        let up = self.up.checked_mul(other.down)?.checked_add(other.up.checked_mul(self.down)?)?;
        Ratio::new(up, self.down.checked_mul(other.down)?)
    }

    pub fn multiply(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.up.checked_mul(other.up)?, self.down.checked_mul(other.down)?)
    }
}

fn find_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { find_divisor(b, a % b) }
}
