//! How sure a share is.

/// Wilson's interval (1927) of a share, at 95 %: bounds from 0 to 1. Of nothing nothing is known: 0 to 1.
pub fn interval(right: u64, of: u64) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    // The normal distribution's 97.5 % quantile.
    let z = 1.959_963_984_540_054_f64;
    let n = of as f64;
    let p = right as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + z * z / n;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // statsmodels.stats.proportion.proportion_confint(…, method="wilson")
        for (right, of, low, high) in
            [(0, 10, 0.0, 0.277_532_8), (10, 10, 0.722_467_2, 1.0), (45, 50, 0.786_397_4, 0.956_524_2)]
        {
            let (a, b) = interval(right, of);
            assert!((a - low).abs() < 1e-6 && (b - high).abs() < 1e-6, "{right}/{of}: {a} {b}");
        }
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }
}
