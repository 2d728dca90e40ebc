//! Values at equal distances, counted in the units of their type.

use crate::{Date, DateTime, Decimal, Value, ValueType};

/// `low`, `low + step`, …: ints, the last places of decimals, days of dates, or seconds of datetimes.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The type of the values.
    pub of: ValueType,
    /// The least, in units.
    pub low: i128,
    /// The distance, in units.
    pub step: i128,
    /// How many they are; 0 where no value is within the bounds.
    pub n: u128,
}

impl Steps {
    /// The values from `low` to at most `high`. Their number saturates.
    pub fn new(of: ValueType, low: impl Into<i128>, high: impl Into<i128>, step: impl Into<i128>) -> Steps {
        let (low, high, step) = (low.into(), high.into(), step.into());
        let none = high < low || step < 1;
        let n = if none { 0 } else { (high.abs_diff(low) / step.unsigned_abs()).saturating_add(1) };
        Steps { of, low, step, n }
    }

    /// The decimals from `low` to at most `high`, with these places; `None` where that loses digits or overflows.
    pub fn new_decimal(places: u8, low: Decimal, high: Decimal, step: Decimal) -> Option<Steps> {
        let units = |value: Decimal| Some(value.with_places(places)?.units());
        Some(Steps::new(ValueType::Decimal(places), units(low)?, units(high)?, units(step)?))
    }

    /// The multiples of `step` from `low` to `high`, as decimals with the places of the one that has the most.
    pub fn new_multiples(low: Decimal, high: Decimal, step: Decimal) -> Option<Steps> {
        let places = low.places().max(high.places()).max(step.places());
        let Steps { of, low, step, .. } = Steps::new_decimal(places, low, high, step)?;
        if step < 1 {
            return None;
        }
        let up = i128::from(low.rem_euclid(step) != 0);
        let first = low.div_euclid(step).checked_add(up)?.checked_mul(step)?;
        Some(Steps::new(of, first, high.with_places(places)?.units(), step))
    }

    /// The value at `index`; `None` where it does not fit the type.
    #[inline]
    pub fn value_at(&self, index: u128) -> Option<Value> {
        let units = self.low.checked_add_unsigned(index.checked_mul(self.step.unsigned_abs())?)?;
        Some(match self.of {
            ValueType::Int => Value::Int(i64::try_from(units).ok()?),
            ValueType::Decimal(places) => Value::Decimal(Decimal::new(units, places)?),
            ValueType::Date => Value::Date(Date(i32::try_from(units).ok()?)),
            ValueType::DateTime => Value::DateTime(DateTime(i64::try_from(units).ok()?)),
            _ => return None,
        })
    }

    /// The index of `value`, if it is one of them.
    pub fn index_of(&self, value: &Value) -> Option<u128> {
        let units = to_units(self.of, value).filter(|units| *units >= self.low && self.step >= 1)?;
        let (offset, step) = (units.abs_diff(self.low), self.step.unsigned_abs());
        (offset % step == 0 && offset / step < self.n).then(|| offset / step)
    }
}

/// Converts a value to the units of a type; `None` if it is not of that type, or has more places.
pub fn to_units(of: ValueType, value: &Value) -> Option<i128> {
    match (of, value) {
        (ValueType::Int, value) => value.as_decimal()?.to_int().map(i128::from),
        (ValueType::Decimal(places), value) => value.as_decimal()?.with_places(places).map(Decimal::units),
        (ValueType::Date, Value::Date(day)) => Some(day.0.into()),
        (ValueType::DateTime, Value::DateTime(moment)) => Some(moment.0.into()),
        _ => None,
    }
}
