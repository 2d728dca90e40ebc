//! Sums without rounding: an accumulator that covers the range of all doubles (U. Kulisch, Computer Arithmetic and Validity, 2008, chapter 8; R. M.
//! Neal, Fast exact summation using small and large superaccumulators, 2015, arXiv:1505.05571). An added number can be subtracted again without a
//! trace.

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
    pub fn to_integer(&self) -> Integer {
        let negative = self.0.last().is_some_and(|last| last >> 63 == 1);
        if !negative {
            return Integer::new(false, self.0.to_vec());
        }
        Integer::new(true, combine_limbs(&[], &self.0, u64::overflowing_sub).0)
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

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    negative: bool,
    /// The lowest limb first; the last is not 0.
    limbs: Vec<u64>,
}

/// A double times a power of 2, for numbers outside of the range of doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// The double, rounded once to the nearest.
    pub mantissa: f64,
    /// The exponent of 2.
    pub exponent: i64,
}

impl Integer {
    fn new(negative: bool, mut limbs: Vec<u64>) -> Integer {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Integer { negative: negative && !limbs.is_empty(), limbs }
    }

    /// Checks whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Multiplies by another integer.
    pub fn multiply_by(&self, other: &Integer) -> Integer {
        let mut product = vec![0u64; self.limbs.len() + other.limbs.len()];
        for (at, a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            let mut limbs = product.iter_mut().skip(at);
            for (b, limb) in other.limbs.iter().zip(limbs.by_ref()) {
                let sum = u128::from(*limb) + u128::from(*a) * u128::from(*b) + carry;
                *limb = sum as u64;
                carry = sum >> 64;
            }
            if let Some(limb) = limbs.next() {
                *limb = carry as u64;
            }
        }
        Integer::new(self.negative != other.negative, product)
    }

    /// Multiplies by a count.
    pub fn multiply_by_count(&self, count: u64) -> Integer {
        self.multiply_by(&Integer::new(false, vec![count]))
    }

    /// Subtracts another integer.
    pub fn subtract_integer(&self, other: &Integer) -> Integer {
        if self.negative != other.negative {
            let (mut limbs, carry) = combine_limbs(&self.limbs, &other.limbs, u64::overflowing_add);
            limbs.push(u64::from(carry));
            return Integer::new(self.negative, limbs);
        }
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        let order = by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()));
        let (greater, less) = if order.is_lt() { (other, self) } else { (self, other) };
        let (limbs, _) = combine_limbs(&greater.limbs, &less.limbs, u64::overflowing_sub);
        Integer::new(self.negative != order.is_lt(), limbs)
    }

    /// Returns the nearest number with the 53 bits of a double.
    pub fn to_scaled(&self) -> Scaled {
        let Some(last) = self.limbs.last() else { return Scaled { mantissa: 0.0, exponent: 0 } };
        let bits = self.limbs.len() as i64 * 64 - i64::from(last.leading_zeros());
        let (lead, count) = (last.leading_zeros(), self.limbs.len());
        // The top 64 bits; the lowest of them is also set if any lower bit is.
        let next = count.checked_sub(2).and_then(|at| self.limbs.get(at)).copied().unwrap_or(0);
        let top = if lead == 0 { *last } else { last << lead | next >> (64 - lead) };
        let cut = if lead == 0 { next } else { next << lead };
        let below = cut != 0 || self.limbs.iter().take(count.saturating_sub(2)).any(|limb| *limb != 0);
        let magnitude = (top | u64::from(below)) as f64;
        Scaled { mantissa: if self.negative { -magnitude } else { magnitude }, exponent: bits - 64 }
    }
}

/// Adds or subtracts numbers limb by limb, as `step` does. Returns the limbs, and whether the last step carried.
fn combine_limbs(a: &[u64], b: &[u64], step: fn(u64, u64) -> (u64, bool)) -> (Vec<u64>, bool) {
    let limb = |limbs: &[u64], at: usize| limbs.get(at).copied().unwrap_or(0);
    let mut carry = false;
    let limbs = (0..a.len().max(b.len())).map(|at| {
        let (first, over) = step(limb(a, at), limb(b, at));
        let (value, again) = step(first, u64::from(carry));
        carry = over || again;
        value
    });
    (limbs.collect(), carry)
}

impl Scaled {
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
        sum.to_integer().to_scaled().shift_exponent(UNIT).to_double()
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
        assert_eq!(sum.to_integer(), Integer::new(false, vec![1000]));
    }

    proptest! {
        #[test]
        fn integers_agree_with_128_bits(a in any::<i64>(), b in any::<i64>(), c in any::<i64>(), d in any::<u32>()) {
            let big = |value: i128| Integer::new(value < 0, vec![value.unsigned_abs() as u64, (value.unsigned_abs() >> 64) as u64]);
            let (product, less) = (i128::from(a) * i128::from(b), i128::from(c) * i128::from(d));
            prop_assert_eq!(big(a.into()).multiply_by(&big(b.into())), big(product));
            prop_assert_eq!(big(c.into()).multiply_by_count(d.into()), big(less));
            if let Some(left) = product.checked_sub(less) {
                prop_assert_eq!(big(product).subtract_integer(&big(less)), big(left));
                prop_assert_eq!(big(left).to_scaled().to_double(), left as f64);
            }
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
