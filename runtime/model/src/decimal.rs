//! Exact decimals: an integer number of units of 10⁻ᵖ. Sums, differences, and products stay exact, without binary rounding errors in amounts of money.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maximum number of digits after the point.
pub const MAX_PLACES: u8 = 18;

/// The number `units` × 10^−`places`. Equality and order are by value (`1.50 == 1.5`); the places affect only the rendering.
///
/// ```
/// use model::Decimal;
///
/// let parse = |text: &str| text.parse::<Decimal>();
/// let (tenth, fifth) = (parse("0.1").unwrap(), parse("0.20").unwrap());
/// // The sum is exact, which that of doubles is not, and has the places of the finer one.
/// let sum = tenth.checked_add(fifth).unwrap();
/// assert_eq!((sum, sum.to_string().as_str()), (parse("0.3").unwrap(), "0.30"));
/// assert_ne!(0.1 + 0.2, 0.3);
/// for other in ["", ".5", "1.", "1e3", "+1", "1,000", "0.1234567890123456789"] {
///     assert!(parse(other).is_err(), "{other}");
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Decimal {
    units: i128,
    places: u8,
}

impl Decimal {
    /// Creates the decimal `units` × 10^−`places`; `None` if `places` is greater than [`MAX_PLACES`].
    pub const fn new(units: i128, places: u8) -> Option<Decimal> {
        if places > MAX_PLACES { None } else { Some(Decimal { units, places }) }
    }

    /// Converts an integer.
    pub const fn from_int(value: i64) -> Decimal {
        Decimal { units: value as i128, places: 0 }
    }

    /// Returns the integer that is divided by 10 to the power of [`Decimal::places`].
    pub const fn units(self) -> i128 {
        self.units
    }

    /// Returns the number of digits after the point, 0 to [`MAX_PLACES`].
    pub const fn places(self) -> u8 {
        self.places
    }

    /// Returns the same value with exactly `places` digits after the point; `None` if nonzero digits would be lost or on overflow.
    ///
    /// ```
    /// use model::Decimal;
    ///
    /// let price: Decimal = "12.50".parse().unwrap();
    /// assert_eq!(price.with_places(3).map(|same| same.to_string()).as_deref(), Some("12.500"));
    /// assert_eq!(price.with_places(1).map(|same| same.to_string()).as_deref(), Some("12.5"));
    /// // Nothing is rounded.
    /// assert_eq!(price.with_places(0), None);
    /// ```
    pub fn with_places(self, places: u8) -> Option<Decimal> {
        if places > MAX_PLACES {
            return None;
        }
        let units = match places.cmp(&self.places) {
            Ordering::Equal => self.units,
            Ordering::Greater => self.units.checked_mul(pow10(places - self.places))?,
            Ordering::Less => {
                let by = pow10(self.places - places);
                if self.units % by != 0 {
                    return None;
                }
                self.units / by
            }
        };
        Some(Decimal { units, places })
    }

    /// Rounds to `places` digits, half away from zero; pads with zeros if it has fewer. `None` on overflow.
    ///
    /// ```
    /// use model::Decimal;
    ///
    /// let round = |text: &str, places| text.parse::<Decimal>().unwrap().round_to(places).unwrap().to_string();
    /// assert_eq!(round("2.345", 2), "2.35");
    /// // Half away from zero, not to the nearest even digit.
    /// assert_eq!([round("0.5", 0), round("1.5", 0), round("2.5", 0), round("-2.5", 0)], ["1", "2", "3", "-3"]);
    /// assert_eq!(round("2", 2), "2.00");
    /// ```
    pub fn round_to(self, places: u8) -> Option<Decimal> {
        if places >= self.places {
            return self.with_places(places);
        }
        let by = pow10(self.places - places);
        let (quotient, rest) = (self.units / by, self.units % by);
        let up = i128::from(rest.abs() * 2 >= by) * self.units.signum();
        Some(Decimal { units: quotient + up, places })
    }

    /// Adds; `None` on overflow.
    pub fn checked_add(self, other: Decimal) -> Option<Decimal> {
        let (a, b) = self.align_places(other)?;
        Some(Decimal { units: a.units.checked_add(b.units)?, places: a.places })
    }

    /// Subtracts; `None` on overflow.
    pub fn checked_sub(self, other: Decimal) -> Option<Decimal> {
        self.checked_add(other.checked_neg()?)
    }

    /// Multiplies exactly: the places add up (beyond [`MAX_PLACES`], trailing zeros are dropped). `None` if the product does not fit.
    ///
    /// ```
    /// use model::Decimal;
    ///
    /// let parse = |text: &str| text.parse::<Decimal>().unwrap();
    /// assert_eq!(parse("19.99").checked_mul(parse("0.07")).unwrap().to_string(), "1.3993");
    /// // 10⁻¹⁰ · 10⁻¹⁰ has 20 places: more than the 18 that are kept.
    /// assert_eq!(parse("0.0000000001").checked_mul(parse("0.0000000001")), None);
    /// assert_eq!(parse("0.0000000010").checked_mul(parse("0.0000000010")).unwrap().to_string(), "0.000000000000000001");
    /// ```
    pub fn checked_mul(self, other: Decimal) -> Option<Decimal> {
        let mut units = self.units.checked_mul(other.units)?;
        let mut places = self.places + other.places;
        while places > MAX_PLACES {
            if units % 10 != 0 {
                return None;
            }
            units /= 10;
            places -= 1;
        }
        Some(Decimal { units, places })
    }

    /// Divides exactly by a number that is not 0; `None` if the quotient needs more than `places` digits after the point, or does not fit.
    ///
    /// ```
    /// use model::Decimal;
    ///
    /// let parse = |text: &str| text.parse::<Decimal>().unwrap();
    /// assert_eq!(parse("1500").divide_exactly(parse("1000"), 1).unwrap().to_string(), "1.5");
    /// assert_eq!(parse("0.7").divide_exactly(parse("0.001"), 0).unwrap().to_string(), "700");
    /// assert_eq!(parse("1").divide_exactly(parse("3"), 18), None);
    /// assert_eq!(parse("1").divide_exactly(parse("0"), 2), None);
    /// ```
    pub fn divide_exactly(self, by: Decimal, places: u8) -> Option<Decimal> {
        // Zeros at the ends of both would only make the numbers larger.
        let (own, by) = (self.without_trailing_zeros(), by.without_trailing_zeros());
        let power = i32::from(places) + i32::from(by.places) - i32::from(own.places);
        let scale = |units: i128, power: i32| units.checked_mul(10i128.checked_pow(u32::try_from(power.max(0)).ok()?)?);
        let (above, below) = (scale(own.units, power)?, scale(by.units, -power)?);
        if above.checked_rem(below)? != 0 {
            return None;
        }
        Decimal::new(above.checked_div(below)?, places)
    }

    /// Negates; `None` on overflow.
    pub fn checked_neg(self) -> Option<Decimal> {
        Some(Decimal { units: self.units.checked_neg()?, places: self.places })
    }

    /// Returns the nearest double.
    pub fn to_f64(self) -> f64 {
        // Converted through text, which rounds correctly for every value; a division of two rounded doubles does not.
        if self.places == 0 {
            return self.units as f64;
        }
        if self.units.unsigned_abs() < (1 << 53) && self.places <= 22 {
            return self.units as f64 / pow10(self.places) as f64; // both exact, one rounding
        }
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Returns the decimal with `places` digits nearest to `value` (half away from zero, in the shortest decimal form that reads back as `value`);
    /// `None` if it is not finite or does not fit.
    ///
    /// ```
    /// use model::Decimal;
    ///
    /// let round = |value: f64, places| Decimal::from_f64(value, places).map(|decimal| decimal.to_string());
    /// // The double nearest to 1.005 is a little less, but it is written `1.005`.
    /// assert_eq!(round(1.005, 2).as_deref(), Some("1.01"));
    /// assert_eq!(round(0.1 + 0.2, 2).as_deref(), Some("0.30"));
    /// assert_eq!((round(f64::NAN, 2), round(1e40, 0)), (None, None));
    /// ```
    pub fn from_f64(value: f64, places: u8) -> Option<Decimal> {
        if !value.is_finite() || places > MAX_PLACES {
            return None;
        }
        let text = format!("{value}");
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let keep = fraction.len().min(usize::from(places) + 1);
        // The next digit decides the rounding, so `kept` may have one place too many until it is rounded.
        let kept: i128 = format!("{whole}{}", fraction.get(..keep)?).parse().ok()?;
        Decimal { units: kept, places: keep as u8 }.round_to(places)
    }

    /// Checks whether all digits after the point are zeros.
    pub fn is_whole(self) -> bool {
        self.units % pow10(self.places) == 0
    }

    /// Converts it to an int; `None` if it is not whole or does not fit.
    pub fn to_int(self) -> Option<i64> {
        i64::try_from(self.with_places(0)?.units).ok()
    }

    /// Returns its digits as written.
    pub fn to_digits(self) -> Digits {
        let mut digits = Digits { bytes: [b'0'; MAX_DIGITS], start: MAX_DIGITS, places: usize::from(self.places) };
        let mut rest = self.units.unsigned_abs();
        // Numbers of 64 bits are divided faster, and most numbers are small.
        while rest > u128::from(u64::MAX) {
            digits.push_front((rest % 10) as u8);
            rest /= 10;
        }
        let mut rest = rest as u64;
        while rest > 0 {
            digits.push_front((rest % 10) as u8);
            rest /= 10;
        }
        // At least one digit before the point.
        digits.start = digits.start.min(MAX_DIGITS - digits.places - 1);
        digits
    }

    /// Returns the same number with as few places as it needs.
    pub fn without_trailing_zeros(mut self) -> Decimal {
        while self.places > 0 && self.units % 10 == 0 {
            self = Decimal { units: self.units / 10, places: self.places - 1 };
        }
        self
    }

    fn align_places(self, other: Decimal) -> Option<(Decimal, Decimal)> {
        let places = self.places.max(other.places);
        Some((self.with_places(places)?, other.with_places(places)?))
    }
}

/// Maximum number of digits of an i128.
const MAX_DIGITS: usize = 39;

/// The digits of a decimal, without a sign.
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    /// Its digits, after leading zeros.
    bytes: [u8; MAX_DIGITS],
    start: usize,
    places: usize,
}

impl Digits {
    /// Returns the digits before the point.
    pub fn integer_part(&self) -> &str {
        self.slice_text(self.start, MAX_DIGITS - self.places)
    }

    /// Returns the digits after the point.
    pub fn fraction_part(&self) -> &str {
        self.slice_text(MAX_DIGITS - self.places, MAX_DIGITS)
    }

    fn push_front(&mut self, digit: u8) {
        self.start = self.start.saturating_sub(1);
        if let Some(byte) = self.bytes.get_mut(self.start) {
            *byte = b'0' + digit;
        }
    }

    fn slice_text(&self, start: usize, end: usize) -> &str {
        std::str::from_utf8(self.bytes.get(start..end).unwrap_or_default()).unwrap_or_default()
    }
}

/// Computes 10ⁿ for n ≤ 38.
pub(crate) const fn pow10(n: u8) -> i128 {
    10i128.pow(n as u32)
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let places = self.places.max(other.places);
        match (self.with_places(places), other.with_places(places)) {
            (Some(a), Some(b)) => a.units.cmp(&b.units),
            // A number too large for the other's places is further from 0 than the other, so its sign decides.
            (None, _) => self.units.cmp(&0),
            (_, None) => 0.cmp(&other.units),
        }
    }
}

impl std::hash::Hash for Decimal {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let value = self.without_trailing_zeros();
        (value.units, value.places).hash(state);
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.to_digits();
        let sign = if self.units < 0 { "-" } else { "" };
        let point = if self.places > 0 { "." } else { "" };
        let parts = [sign, digits.integer_part(), point, digits.fraction_part()];
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&parts.concat());
        }
        parts.into_iter().try_for_each(|part| f.write_str(part))
    }
}

/// The error for text that is not a decimal, or has too many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDecimalError;

impl FromStr for Decimal {
    type Err = ParseDecimalError;

    /// Parses `-12.50`: an optional minus, digits, and optionally a point and at most [`MAX_PLACES`] digits.
    fn from_str(text: &str) -> Result<Decimal, ParseDecimalError> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) || unsigned.ends_with('.') {
            return Err(ParseDecimalError);
        }
        let places = u8::try_from(fraction.len()).map_err(|_| ParseDecimalError)?;
        let sign = if text.starts_with('-') { "-" } else { "" };
        let units = format!("{sign}{whole}{fraction}").parse().map_err(|_| ParseDecimalError)?;
        Decimal::new(units, places).ok_or(ParseDecimalError)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom("not a decimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn writes_what_it_reads() {
        for text in ["0", "-0.05", "12.50", "100", "-7", "0.001"] {
            assert_eq!(d(text).to_string(), text);
        }
        let of = |units: i128, places: u8| Decimal::new(units, places).unwrap().to_string();
        assert_eq!(of(i128::MIN, 0), i128::MIN.to_string());
        assert_eq!(of(i128::MAX, 18), "170141183460469231731.687303715884105727");
        assert_eq!(of(-i128::from(u64::MAX), 2), "-184467440737095516.15");
        assert_eq!(of(5, 18), "0.000000000000000005");
        assert_eq!(format!("[{:>7}] [{:<4}]", d("-1.50"), d("3")), "[  -1.50] [3   ]");
    }

    #[test]
    fn compares_by_value() {
        assert_eq!(d("1.50"), d("1.5"));
        assert!(d("-1.5") < d("-1.49"));
    }

    #[test]
    fn rounds_half_away_from_zero() {
        assert_eq!(d("2.345").round_to(2).unwrap().to_string(), "2.35");
        assert_eq!(d("-2.345").round_to(2).unwrap().to_string(), "-2.35");
        assert_eq!(d("2").round_to(2).unwrap().to_string(), "2.00");
    }

    #[test]
    fn comes_from_doubles_by_their_shortest_form() {
        assert_eq!(Decimal::from_f64(0.1 + 0.2, 2).unwrap().to_string(), "0.30");
        assert_eq!(Decimal::from_f64(-0.4, 0).unwrap().to_string(), "0");
        assert_eq!(Decimal::from_f64(-0.5, 0).unwrap().to_string(), "-1");
        assert_eq!(Decimal::from_f64(1.005, 2).unwrap().to_string(), "1.01");
        assert_eq!(Decimal::from_f64(f64::NAN, 2), None);
    }
}
