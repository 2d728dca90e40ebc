//! Exact sums of pairs of numbers and of their products, and the statistics computed from them: Pearson's correlation, the line of least squares, and
//! the standard deviation of a sample and of a population. Each is a quotient of exact integers (W. H. Press and others, Numerical Recipes, 3rd edition, 14.5.1 and
//! 15.2.6), rounded at the end, so nothing cancels and the order of the pairs does not matter.

use num_bigint::BigInt;

use super::exact::{OfDoubles, OfProducts, Parts, Scaled, UNIT};

/// The sums.
///
/// ```
/// use model::statistics::Moments;
///
/// let mut moments = Moments::default();
/// [[1.0, 3.0], [2.0, 5.0], [3.0, 7.0]].into_iter().for_each(|pair| moments.add_pair(pair));
/// assert_eq!((moments.compute_slope(), moments.compute_intercept()), (Some(2.0), Some(1.0)));
/// assert_eq!((moments.compute_correlation(), moments.compute_deviation()), (Some(1.0), Some(1.0)));
/// // Sums are exact: an outlier that is removed leaves no trace.
/// moments.add_pair([1e300, -1e-300]);
/// moments.remove_pair([1e300, -1e-300]);
/// assert_eq!(moments.compute_slope(), Some(2.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    x: OfDoubles,
    y: OfDoubles,
    xx: OfProducts,
    yy: OfProducts,
    xy: OfProducts,
}

impl Default for Moments {
    fn default() -> Moments {
        let (one, two) = (OfDoubles::ZERO, OfProducts::ZERO);
        Moments { count: 0, x: one.clone(), y: one, xx: two.clone(), yy: two.clone(), xy: two }
    }
}

impl Moments {
    /// Adds a pair of finite numbers.
    pub fn add_pair(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (Parts::from_double(x), Parts::from_double(y));
        self.count += 1;
        self.x.add_double(x);
        self.y.add_double(y);
        self.xx.add_product(x, x);
        self.yy.add_product(y, y);
        self.xy.add_product(x, y);
    }

    /// Removes a pair that was added.
    pub fn remove_pair(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (Parts::from_double(x), Parts::from_double(y));
        self.count = self.count.saturating_sub(1);
        self.x.add_double(x.with_opposite_sign());
        self.y.add_double(y.with_opposite_sign());
        self.xx.add_product(x, x.with_opposite_sign());
        self.yy.add_product(y, y.with_opposite_sign());
        self.xy.add_product(x, y.with_opposite_sign());
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Computes n Σxy − Σx Σy: n² times the covariance.
    fn compute_scaled_covariance(&self, products: &OfProducts, a: &OfDoubles, b: &OfDoubles) -> BigInt {
        products.to_integer() * self.count - a.to_integer() * b.to_integer()
    }

    fn compute_scaled_variance(&self) -> BigInt {
        self.compute_scaled_covariance(&self.xx, &self.x, &self.x)
    }

    /// Computes Pearson's correlation; `None` for fewer than two pairs, or if all x or all y are equal.
    pub fn compute_correlation(&self) -> Option<f64> {
        let spreads = self.compute_scaled_variance() * self.compute_scaled_covariance(&self.yy, &self.y, &self.y);
        if spreads == BigInt::ZERO {
            return None;
        }
        let shared = self.compute_scaled_covariance(&self.xy, &self.x, &self.y);
        let root = Scaled::from_integer(&spreads).extract_root();
        Some(Scaled::from_integer(&shared).divide_by(root).to_double().clamp(-1.0, 1.0))
    }

    /// Computes the slope of the line of least squares of y on x; `None` for fewer than two pairs, or if all x are equal.
    pub fn compute_slope(&self) -> Option<f64> {
        let spread = self.compute_scaled_variance();
        (spread != BigInt::ZERO).then(|| {
            let shared = self.compute_scaled_covariance(&self.xy, &self.x, &self.y);
            Scaled::from_integer(&shared).divide_by(Scaled::from_integer(&spread)).to_double()
        })
    }

    /// Computes the value of that line at x = 0: (Σy Σxx − Σx Σxy) / (n Σxx − Σx Σx).
    pub fn compute_intercept(&self) -> Option<f64> {
        let spread = self.compute_scaled_variance();
        if spread == BigInt::ZERO {
            return None;
        }
        let above = self.y.to_integer() * self.xx.to_integer() - self.x.to_integer() * self.xy.to_integer();
        let at_zero = Scaled::from_integer(&above).divide_by(Scaled::from_integer(&spread));
        Some(at_zero.shift_exponent(UNIT).to_double())
    }

    /// Computes the standard deviation of x as a sample (n − 1); `None` for fewer than two numbers.
    pub fn compute_deviation(&self) -> Option<f64> {
        self.compute_deviation_by(self.count.checked_sub(1)?)
    }

    /// Computes the standard deviation of x as a population (n); `None` without numbers.
    pub fn compute_population_deviation(&self) -> Option<f64> {
        self.compute_deviation_by(self.count)
    }

    /// Computes the root of the sum of squares divided by `divisor`; `None` if that is 0.
    fn compute_deviation_by(&self, divisor: u64) -> Option<f64> {
        if divisor == 0 {
            return None;
        }
        let pairs = Scaled { mantissa: self.count as f64 * divisor as f64, exponent: 0 };
        let variance = Scaled::from_integer(&self.compute_scaled_variance()).divide_by(pairs);
        Some(variance.extract_root().shift_exponent(UNIT).to_double())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(pairs: &[[f64; 2]]) -> Moments {
        let mut moments = Moments::default();
        pairs.iter().for_each(|pair| moments.add_pair(*pair));
        moments
    }

    #[test]
    fn a_line_is_found_exactly() {
        let line = of(&[[1.0, 5.0], [2.0, 7.0], [4.0, 11.0]]);
        assert_eq!(
            (line.compute_correlation(), line.compute_slope(), line.compute_intercept()),
            (Some(1.0), Some(2.0), Some(3.0))
        );
        // Two passes over doubles lose all of it.
        let far = of(&[[1e15 + 1.0, 1.0], [1e15 + 2.0, 3.0], [1e15 + 3.0, 5.0]]);
        assert_eq!(
            (far.compute_slope(), far.compute_correlation(), far.compute_deviation()),
            (Some(2.0), Some(1.0), Some(1.0))
        );
    }

    #[test]
    fn too_few_or_equal_numbers_have_none() {
        for pairs in [vec![], vec![[1.0, 2.0]], vec![[0.1, 2.0], [0.1, 3.0], [0.1, 4.0]]] {
            let moments = of(&pairs);
            assert_eq!(
                (moments.compute_correlation(), moments.compute_slope(), moments.compute_intercept()),
                (None, None, None)
            );
        }
        let flat = of(&[[1.0, 0.1], [2.0, 0.1]]);
        assert_eq!(
            (flat.compute_correlation(), flat.compute_slope(), flat.compute_intercept()),
            (None, Some(0.0), Some(0.1))
        );
        assert_eq!(of(&[[0.1, 0.0]; 3]).compute_deviation(), Some(0.0));
    }

    #[test]
    fn no_square_is_too_large_or_too_small() {
        let large = of(&[[1e300, -1e300], [3e300, -2e300], [2e300, -4e300]]);
        let small = of(&[[1e-300, -1e-300], [3e-300, -2e-300], [2e-300, -4e-300]]);
        let plain = of(&[[1.0, -1.0], [3.0, -2.0], [2.0, -4.0]]);
        for moments in [large, small] {
            let near = |a: Option<f64>, b: Option<f64>| (a.expect("a value") - b.expect("a value")).abs() < 1e-15;
            assert!(near(moments.compute_correlation(), plain.compute_correlation()));
            assert!(near(moments.compute_slope(), plain.compute_slope()));
        }
    }

    proptest! {
        #[test]
        fn order_and_scale_make_no_difference(
            mut pairs in proptest::collection::vec([-1e6..1e6f64, -1e6..1e6f64], 2..30),
            power in -20..20i32,
        ) {
            let before = of(&pairs);
            let scale = libm::scalbn(1.0, power);
            let scaled: Vec<[f64; 2]> = pairs.iter().map(|[x, y]| [x * scale, *y]).collect();
            prop_assert_eq!(of(&scaled).compute_correlation(), before.compute_correlation());
            prop_assert_eq!(of(&scaled).compute_slope().map(|slope| slope * scale), before.compute_slope());
            prop_assert_eq!(of(&scaled).compute_intercept(), before.compute_intercept());
            prop_assert_eq!(of(&scaled).compute_deviation(), before.compute_deviation().map(|deviation| deviation * scale));
            pairs.reverse();
            prop_assert_eq!(&of(&pairs), &before);
            if let Some(pair) = pairs.pop() {
                let mut fewer = before;
                fewer.remove_pair(pair);
                prop_assert_eq!(fewer, of(&pairs));
            }
        }
    }
}
