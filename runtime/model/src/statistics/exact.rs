//! Sums without rounding: an accumulator that covers the range of all doubles (U. Kulisch, Computer Arithmetic and Validity, 2008, chapter 8; R. M.
//! Neal, Fast exact summation using small and large superaccumulators, 2015, arXiv:1505.05571). An added number can be subtracted again without a
//! trace.

use num_bigint::{BigInt, Sign};

/// A sum of integers in two's complement, lowest limb first. The caller chooses the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum<const LIMBS: usize>([u64; LIMBS]);

/// A sum of up to 2⁶⁴ doubles, in units of 2⁻¹⁰⁷⁴.
pub type OfDoubles = Sum<34>;

/// A sum of up to 2⁶⁴ products of two doubles, in units of 2⁻²¹⁴⁸.
pub type OfProducts = Sum<67>;

/// A finite double as an integer times a power of 2.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    negative: bool,
    /// Less than 2⁵³.
    mantissa: u64,
    /// Exponent of the power of 2, in units of 2⁻¹⁰⁷⁴.
    shift: u32,
}

/// The smallest positive double is 2 to this power.
pub const UNIT: i64 = -1074;

impl Parts {
    /// Splits a finite double.
    pub fn from_double(value: f64) -> Parts {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
        let negative = value.is_sign_negative();
        match exponent {
            0 => Parts { negative, mantissa: fraction, shift: 0 },
            exponent => Parts { negative, mantissa: fraction | (1 << 52), shift: exponent as u32 - 1 },
        }
    }

    /// Returns the number with the opposite sign.
    pub fn with_opposite_sign(self) -> Parts {
        Parts { negative: !self.negative, ..self }
    }
}

impl<const LIMBS: usize> Sum<LIMBS> {
    /// The empty sum.
    pub const ZERO: Sum<LIMBS> = Sum([0; LIMBS]);

    /// Adds a magnitude less than 2¹⁰⁶, shifted to the left.
    fn add_shifted(&mut self, negative: bool, magnitude: u128, shift: u32) {
        let (from, by) = ((shift / 64) as usize, shift % 64);
        let low = magnitude << by;
        let high = if by == 0 { 0 } else { (magnitude >> (128 - by)) as u64 };
        let parts = [low as u64, (low >> 64) as u64, high];
        let mut carry = false;
        for (at, limb) in self.0.iter_mut().skip(from).enumerate() {
            let part = parts.get(at).copied().unwrap_or(0);
            if at >= parts.len() && !carry {
                return;
            }
            let step = if negative { u64::overflowing_sub } else { u64::overflowing_add };
            let (first, over) = step(*limb, part);
            let (value, again) = step(first, u64::from(carry));
            *limb = value;
            carry = over || again;
        }
    }

    /// Converts the sum to an integer.
    pub fn to_integer(&self) -> BigInt {
        BigInt::from_signed_bytes_le(&self.0.map(u64::to_le_bytes).concat())
    }
}

impl OfDoubles {
    /// Adds a double.
    pub fn add_double(&mut self, value: Parts) {
        self.add_shifted(value.negative, u128::from(value.mantissa), value.shift);
    }
}

impl OfProducts {
    /// Adds the product of two doubles.
    pub fn add_product(&mut self, a: Parts, b: Parts) {
        let magnitude = u128::from(a.mantissa) * u128::from(b.mantissa);
        self.add_shifted(a.negative != b.negative, magnitude, a.shift + b.shift);
    }
}

/// A double times a power of 2, for numbers outside of the range of doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// The double, rounded once to the nearest.
    pub mantissa: f64,
    /// The exponent of 2.
    pub exponent: i64,
}

impl Scaled {
    /// Returns the nearest number with the 53 bits of a double.
    pub fn from_integer(value: &BigInt) -> Scaled {
        let exponent = value.bits().saturating_sub(64);
        // The top 64 bits; the lowest of them is also set if any lower bit is.
        let top = (value.magnitude() >> exponent).iter_u64_digits().next().unwrap_or(0);
        let below = value.trailing_zeros().is_some_and(|zeros| zeros < exponent);
        let magnitude = (top | u64::from(below)) as f64;
        let mantissa = if value.sign() == Sign::Minus { -magnitude } else { magnitude };
        Scaled { mantissa, exponent: exponent as i64 }
    }

    /// Converts it to a double; infinite or 0 if it is out of range.
    pub fn to_double(self) -> f64 {
        libm::scalbn(self.mantissa, self.exponent.clamp(-10_000, 10_000) as i32)
    }

    /// Divides by another number.
    pub fn divide_by(self, by: Scaled) -> Scaled {
        Scaled { mantissa: self.mantissa / by.mantissa, exponent: self.exponent - by.exponent }
    }

    /// Multiplies by a power of 2.
    pub fn shift_exponent(self, exponent: i64) -> Scaled {
        Scaled { exponent: self.exponent + exponent, ..self }
    }

    /// Computes the square root.
    pub fn extract_root(self) -> Scaled {
        let odd = self.exponent.rem_euclid(2);
        Scaled {
            mantissa: libm::sqrt(if odd == 1 { self.mantissa * 2.0 } else { self.mantissa }),
            exponent: (self.exponent - odd) / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum_of(values: &[f64]) -> f64 {
        let mut sum = OfDoubles::ZERO;
        values.iter().for_each(|value| sum.add_double(Parts::from_double(*value)));
        Scaled::from_integer(&sum.to_integer()).shift_exponent(UNIT).to_double()
    }

    #[test]
    fn nothing_is_lost() {
        assert_eq!(sum_of(&[1e300, 1.0, -1e300]), 1.0);
        assert_eq!(sum_of(&[0.1; 10]), 1.0);
        assert_eq!(sum_of(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum_of(&[5e-324, -1e308, 1e308]), 5e-324);
        assert_eq!(sum_of(&[]), 0.0);
        assert_eq!(sum_of(&[-0.0, -2.5]), -2.5);
    }

    #[test]
    fn products_of_the_widest_doubles_fit() {
        let mut sum = OfProducts::ZERO;
        let (most, least) = (Parts::from_double(f64::MAX), Parts::from_double(5e-324));
        for _ in 0..1000 {
            sum.add_product(most, most.with_opposite_sign());
            sum.add_product(least, least);
        }
        for _ in 0..1000 {
            sum.add_product(most, most);
        }
        assert_eq!(sum.to_integer(), BigInt::from(1000));
    }

    proptest! {
        #[test]
        fn integers_are_rounded_once(value in any::<i128>(), shift in 0..127u32) {
            let value = value >> shift;
            prop_assert_eq!(Scaled::from_integer(&BigInt::from(value)).to_double(), value as f64);
        }

        #[test]
        fn what_is_taken_away_is_gone(values in proptest::collection::vec(any::<f64>(), 0..20)) {
            let values: Vec<Parts> = values.into_iter().filter(|value| value.is_finite()).map(Parts::from_double).collect();
            let (mut doubles, mut products) = (OfDoubles::ZERO, OfProducts::ZERO);
            for value in &values {
                doubles.add_double(*value);
                products.add_product(*value, *value);
            }
            for value in values.iter().rev() {
                doubles.add_double(value.with_opposite_sign());
                products.add_product(*value, value.with_opposite_sign());
            }
            prop_assert_eq!(doubles, OfDoubles::ZERO);
            prop_assert_eq!(products, OfProducts::ZERO);
        }
    }
}
