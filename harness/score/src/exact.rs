//! Exact decimal numbers of any size: bounds of accepted numbers, and comparisons with them.

use std::cmp::Ordering;

use model::{Decimal, Value};

/// `digits` × 10^`exponent`. Always in lowest form, so equal numbers are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exact {
    negative: bool,
    /// Digits from 0 to 9, the most significant first; no 0 at either end; empty for zero.
    digits: Vec<u8>,
    /// The exponent of the last digit; 0 for zero.
    exponent: i64,
}

/// The maximum exponent; larger ones are clamped. No number of a key is near it.
const MAX_EXPONENT: i64 = 1 << 40;

impl Exact {
    /// Creates `whole`.`fraction` × 10^`exponent`; both are ASCII digits or empty (other characters are skipped).
    pub fn from_parts(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Exact {
        let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        let exponent = exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT) - fraction.len() as i64;
        Exact::new(negative, digits, exponent)
    }

    /// Converts an integer.
    pub fn from_int(value: i64) -> Exact {
        Exact::from_parts(value < 0, &value.unsigned_abs().to_string(), "", 0)
    }

    /// Converts a decimal.
    pub fn from_decimal(value: Decimal) -> Exact {
        let units = value.units();
        Exact::from_parts(units < 0, &units.unsigned_abs().to_string(), "", -i64::from(value.places()))
    }

    /// Returns the shortest decimal that reads back as this double; `None` if it is not finite.
    pub fn from_f64(value: f64) -> Option<Exact> {
        if !value.is_finite() {
            return None;
        }
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let unsigned = mantissa.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        Some(Exact::from_parts(value < 0.0, whole, fraction, exponent.parse().ok()?))
    }

    /// Returns the nearest double; infinite if it is too large.
    pub fn to_f64(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let text = if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}e{}", self.exponent) };
        text.parse().unwrap_or(f64::NAN)
    }

    /// Creates `digit` × 10^`exponent`.
    pub fn from_digit(digit: u8, exponent: i64) -> Exact {
        Exact::new(false, vec![digit.min(9)], exponent)
    }

    fn new(negative: bool, mut digits: Vec<u8>, mut exponent: i64) -> Exact {
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..zeros);
        if digits.is_empty() {
            return Exact::default();
        }
        Exact { negative, digits, exponent }
    }

    /// Returns the absolute value.
    pub fn abs(&self) -> Exact {
        Exact { negative: false, ..self.clone() }
    }

    /// Returns the negated number.
    pub fn neg(&self) -> Exact {
        Exact { negative: !self.negative && !self.digits.is_empty(), ..self.clone() }
    }

    /// Multiplies by 10^`by`.
    pub fn shift_exponent(&self, by: i64) -> Exact {
        Exact::new(self.negative, self.digits.clone(), self.exponent + by)
    }

    /// Adds numbers of keys: the work grows with the difference of their exponents.
    pub fn add(&self, other: &Exact) -> Exact {
        if self.digits.is_empty() {
            return other.clone();
        }
        if other.digits.is_empty() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.align_digits(exponent), other.align_digits(exponent));
        if self.negative == other.negative {
            return Exact::new(self.negative, add_digits(&a, &b), exponent);
        }
        match self.compare_size(other) {
            Ordering::Equal => Exact::default(),
            Ordering::Greater => Exact::new(self.negative, subtract_digits(&a, &b), exponent),
            Ordering::Less => Exact::new(other.negative, subtract_digits(&b, &a), exponent),
        }
    }

    /// Subtracts; see [`Exact::add`].
    pub fn sub(&self, other: &Exact) -> Exact {
        self.add(&other.neg())
    }

    /// Multiplies.
    pub fn mul(&self, other: &Exact) -> Exact {
        let mut sums = vec![0u32; self.digits.len() + other.digits.len()];
        for (i, a) in self.digits.iter().enumerate() {
            for (j, b) in other.digits.iter().enumerate() {
                if let Some(sum) = sums.get_mut(i + j + 1) {
                    *sum += u32::from(*a) * u32::from(*b);
                }
            }
        }
        let mut carry = 0;
        for sum in sums.iter_mut().rev() {
            let all = *sum + carry;
            *sum = all % 10;
            carry = all / 10;
        }
        let digits = sums.into_iter().map(|digit| (digit % 10) as u8).collect();
        Exact::new(self.negative != other.negative, digits, self.exponent + other.exponent)
    }

    /// Returns the number with at most `most` digits (an additional one represents the omitted ones), and at most `most` powers of ten away from `other`. Its
    /// sign, and on which side of `other` it is, do not change. This bounds the work with both.
    pub fn limit_near(&self, other: &Exact, most: usize) -> Exact {
        if self.digits.is_empty() || other.digits.is_empty() {
            return self.clone();
        }
        let top = |number: &Exact| number.digits.len() as i64 + number.exponent;
        let away = (top(self) - top(other)).clamp(-(most as i64), most as i64);
        if top(self) != top(other) + away {
            return Exact::new(self.negative, vec![1], top(other) + away - 1);
        }
        match self.digits.get(..most) {
            Some(first) if first.len() < self.digits.len() => {
                let digits: Vec<u8> = first.iter().copied().chain([1]).collect();
                Exact::new(self.negative, digits, top(self) - most as i64 - 1)
            }
            _ => self.clone(),
        }
    }

    /// Returns the digits from the least significant, aligned to `exponent` (which is not above its own).
    fn align_digits(&self, exponent: i64) -> Vec<u8> {
        let zeros = usize::try_from(self.exponent - exponent).unwrap_or(0);
        std::iter::repeat_n(0, zeros).chain(self.digits.iter().rev().copied()).collect()
    }

    fn compare_size(&self, other: &Exact) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => {
                let top = |number: &Exact| number.digits.len() as i64 + number.exponent;
                top(self).cmp(&top(other)).then_with(|| self.digits.cmp(&other.digits))
            }
        }
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Adds digits that begin with the least significant; the sum begins with the most significant.
fn add_digits(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(a.len().max(b.len()) + 1);
    let mut carry = 0;
    for at in 0..a.len().max(b.len()) {
        let sum = a.get(at).unwrap_or(&0) + b.get(at).unwrap_or(&0) + carry;
        out.push(sum % 10);
        carry = sum / 10;
    }
    out.push(carry);
    out.reverse();
    out
}

/// Subtracts as [`add_digits`]; `a` must not be the smaller one.
fn subtract_digits(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(a.len());
    let mut borrow = 0;
    for at in 0..a.len().max(b.len()) {
        let (digit, less) = (*a.get(at).unwrap_or(&0), b.get(at).unwrap_or(&0) + borrow);
        borrow = u8::from(digit < less);
        out.push(digit + 10 * borrow - less);
    }
    out.reverse();
    out
}

/// Returns the value of a number; `None` for other values.
pub fn to_exact(value: &Value) -> Option<Exact> {
    match value {
        Value::Int(value) => Some(Exact::from_int(*value)),
        Value::Decimal(value) => Some(Exact::from_decimal(*value)),
        Value::Float(value) => Exact::from_f64(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(units: i64, exponent: i64) -> Exact {
        Exact::from_int(units).shift_exponent(exponent)
    }

    #[test]
    fn sizes_beyond_any_machine_word_compare() {
        assert!(Exact::from_parts(false, "1", "", i64::MAX) > of(i64::MAX, 300));
        assert!(Exact::from_parts(false, "1", "", i64::MIN) > Exact::default());
        assert_eq!(Exact::from_f64(1e300), Some(of(1, 300)));
        assert_eq!(Exact::from_f64(-0.0), Some(Exact::default()));
        assert_eq!(Exact::from_parts(true, "000", "00", 7), Exact::default());
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_integers(a in -1_000_000i64..1_000_000, b in -1_000_000i64..1_000_000, e in 0i64..6) {
            prop_assert_eq!(of(a, e).add(&of(b, 0)), of(a * 10i64.pow(e as u32) + b, 0));
            prop_assert_eq!(of(a, -e).sub(&of(b, -e)), of(a - b, -e));
            prop_assert_eq!(of(a, e).mul(&of(b, -2 * e)), of(a * b, -e));
            prop_assert_eq!(of(a, e).cmp(&of(b, 0)), (a * 10i64.pow(e as u32)).cmp(&b));
        }

        #[test]
        fn doubles_come_by_their_shortest_form(value in proptest::num::f64::NORMAL) {
            let exact = Exact::from_f64(value).expect("finite");
            let text: String = exact.digits.iter().map(|digit| char::from(digit + b'0')).collect();
            let back: f64 = format!("{}{text}e{}", if exact.negative { "-" } else { "" }, exact.exponent).parse().expect("a double");
            prop_assert_eq!(back, value);
        }
    }
}
