//! Sums of pairs of numbers and of their products, exact, and what follows from them: Pearson's correlation, the line of least squares, and
//! the standard deviation of a sample. Each is a quotient of exact integers (W. H. Press and others, Numerical Recipes, 3rd edition, 14.5.1 and
//! 15.2.6), rounded at the end, so nothing cancels and the order of the pairs makes no difference.

use super::exact::{Integer, OfDoubles, OfProducts, Parts, Scaled, UNIT};

/// The sums.
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
    pub fn add(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (Parts::of(x), Parts::of(y));
        self.count += 1;
        self.x.add_double(x);
        self.y.add_double(y);
        self.xx.add_product(x, x);
        self.yy.add_product(y, y);
        self.xy.add_product(x, y);
    }

    /// Takes away a pair that was added.
    pub fn remove(&mut self, [x, y]: [f64; 2]) {
        let (x, y) = (Parts::of(x), Parts::of(y));
        self.count = self.count.saturating_sub(1);
        self.x.add_double(x.opposite());
        self.y.add_double(y.opposite());
        self.xx.add_product(x, x.opposite());
        self.yy.add_product(y, y.opposite());
        self.xy.add_product(x, y.opposite());
    }

    /// How many pairs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// n Σxy − Σx Σy: n² times the covariance.
    fn together(&self, products: &OfProducts, a: &OfDoubles, b: &OfDoubles) -> Integer {
        products.integer().times_count(self.count).minus(&a.integer().times(&b.integer()))
    }

    fn spread_of_x(&self) -> Integer {
        self.together(&self.xx, &self.x, &self.x)
    }

    /// Pearson's correlation; `None` for fewer than two pairs, or where all x or all y are the same.
    pub fn correlation(&self) -> Option<f64> {
        let spreads = self.spread_of_x().times(&self.together(&self.yy, &self.y, &self.y));
        if spreads.is_zero() {
            return None;
        }
        let value = self.together(&self.xy, &self.x, &self.y).scaled().over(spreads.scaled().root()).value();
        Some(value.clamp(-1.0, 1.0))
    }

    /// How steep the line of least squares of y on x is; `None` for fewer than two pairs, or where all x are the same.
    pub fn slope(&self) -> Option<f64> {
        let spread = self.spread_of_x();
        (!spread.is_zero()).then(|| self.together(&self.xy, &self.x, &self.y).scaled().over(spread.scaled()).value())
    }

    /// Where that line is at x = 0: (Σy Σxx − Σx Σxy) / (n Σxx − Σx Σx).
    pub fn intercept(&self) -> Option<f64> {
        let spread = self.spread_of_x();
        if spread.is_zero() {
            return None;
        }
        let (x, y) = (self.x.integer(), self.y.integer());
        let above = y.times(&self.xx.integer()).minus(&x.times(&self.xy.integer()));
        Some(above.scaled().over(spread.scaled()).shifted(UNIT).value())
    }

    /// The standard deviation of x as a sample (n − 1); `None` for fewer than two numbers.
    pub fn deviation(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let pairs = Scaled { mantissa: self.count as f64 * (self.count - 1) as f64, exponent: 0 };
        Some(self.spread_of_x().scaled().over(pairs).root().shifted(UNIT).value())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(pairs: &[[f64; 2]]) -> Moments {
        let mut moments = Moments::default();
        pairs.iter().for_each(|pair| moments.add(*pair));
        moments
    }

    #[test]
    fn a_line_is_found_exactly() {
        let line = of(&[[1.0, 5.0], [2.0, 7.0], [4.0, 11.0]]);
        assert_eq!((line.correlation(), line.slope(), line.intercept()), (Some(1.0), Some(2.0), Some(3.0)));
        // Two passes over doubles lose all of it.
        let far = of(&[[1e15 + 1.0, 1.0], [1e15 + 2.0, 3.0], [1e15 + 3.0, 5.0]]);
        assert_eq!((far.slope(), far.correlation(), far.deviation()), (Some(2.0), Some(1.0), Some(1.0)));
    }

    #[test]
    fn too_few_or_equal_numbers_have_none() {
        for pairs in [vec![], vec![[1.0, 2.0]], vec![[0.1, 2.0], [0.1, 3.0], [0.1, 4.0]]] {
            let moments = of(&pairs);
            assert_eq!((moments.correlation(), moments.slope(), moments.intercept()), (None, None, None));
        }
        let flat = of(&[[1.0, 0.1], [2.0, 0.1]]);
        assert_eq!((flat.correlation(), flat.slope(), flat.intercept()), (None, Some(0.0), Some(0.1)));
        assert_eq!(of(&[[0.1, 0.0]; 3]).deviation(), Some(0.0));
    }

    #[test]
    fn no_square_is_too_large_or_too_small() {
        let large = of(&[[1e300, -1e300], [3e300, -2e300], [2e300, -4e300]]);
        let small = of(&[[1e-300, -1e-300], [3e-300, -2e-300], [2e-300, -4e-300]]);
        let plain = of(&[[1.0, -1.0], [3.0, -2.0], [2.0, -4.0]]);
        for moments in [large, small] {
            let near = |a: Option<f64>, b: Option<f64>| (a.expect("a value") - b.expect("a value")).abs() < 1e-15;
            assert!(near(moments.correlation(), plain.correlation()));
            assert!(near(moments.slope(), plain.slope()));
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
            prop_assert_eq!(of(&scaled).correlation(), before.correlation());
            prop_assert_eq!(of(&scaled).slope().map(|slope| slope * scale), before.slope());
            prop_assert_eq!(of(&scaled).intercept(), before.intercept());
            prop_assert_eq!(of(&scaled).deviation(), before.deviation().map(|deviation| deviation * scale));
            pairs.reverse();
            prop_assert_eq!(&of(&pairs), &before);
            if let Some(pair) = pairs.pop() {
                let mut fewer = before;
                fewer.remove(pair);
                prop_assert_eq!(fewer, of(&pairs));
            }
        }
    }
}
