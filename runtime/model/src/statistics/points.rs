//! Quantiles, and the value between two points.

use std::cmp::Ordering;

use super::StatisticsError;

/// Compares points in the order in which they must be sorted.
pub fn compare_points(a: &[f64; 2], b: &[f64; 2]) -> Ordering {
    a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Computes the quantile at `share` of sorted numbers (the first of each point) with linear interpolation: definition 7 of R. J. Hyndman and Y. Fan,
/// Sample Quantiles in Statistical Packages, The American Statistician 50 (1996), which NumPy and spreadsheets use. `None` without numbers.
///
/// ```
/// use model::statistics::{StatisticsError, compute_quantile};
///
/// let sorted = [1.0, 2.0, 3.0, 10.0].map(|number| [number, 0.0]);
/// // The median is between the two in the middle, as in NumPy.
/// assert_eq!(compute_quantile(&sorted, 0.5), Ok(Some(2.5)));
/// assert_eq!(compute_quantile(&sorted, 0.9).map(|value| value.map(|value| (value * 10.0).round())), Ok(Some(79.0)));
/// assert_eq!(compute_quantile(&[], 0.5), Ok(None));
/// assert_eq!(compute_quantile(&sorted, 50.0), Err(StatisticsError::Share(50.0)));
/// ```
///
/// # Errors
/// The share is not between 0 and 1.
pub fn compute_quantile(sorted: &[[f64; 2]], share: f64) -> Result<Option<f64>, StatisticsError> {
    if !(0.0..=1.0).contains(&share) {
        return Err(StatisticsError::Share(share));
    }
    let Some(last) = sorted.len().checked_sub(1) else { return Ok(None) };
    let rank = last as f64 * share;
    let below = (rank.floor() as usize).min(last);
    let (Some([low, _]), Some([high, _])) = (sorted.get(below), sorted.get((below + 1).min(last))) else {
        return Ok(None);
    };
    Ok(Some(interpolate_between(*low, *high, rank - rank.floor())))
}

/// Interpolates the value at `at` on the lines between sorted points; `None` outside of them.
///
/// ```
/// use model::statistics::interpolate_points;
///
/// let points = [[0.0, 100.0], [10.0, 200.0]];
/// assert_eq!(interpolate_points(&points, 2.5), Ok(Some(125.0)));
/// // Nothing is extrapolated.
/// assert_eq!(interpolate_points(&points, 11.0), Ok(None));
/// let error = interpolate_points(&[[1.0, 2.0], [1.0, 3.0]], 1.0).expect_err("no function");
/// assert_eq!(error.to_string(), "one y for each x, but at 1 there are 2 and 3");
/// ```
///
/// # Errors
/// Two points have the same x and different y.
pub fn interpolate_points(sorted: &[[f64; 2]], at: f64) -> Result<Option<f64>, StatisticsError> {
    if let Some([[x, a], [_, b]]) = sorted.windows(2).find_map(|pair| match pair {
        [one, other] if one[0] == other[0] && one[1] != other[1] => Some([*one, *other]),
        _ => None,
    }) {
        return Err(StatisticsError::SeveralY { x, values: [a, b] });
    }
    let after = sorted.partition_point(|[x, _]| *x < at);
    Ok(match (after.checked_sub(1).and_then(|before| sorted.get(before)), sorted.get(after)) {
        (_, Some([x, y])) if *x == at => Some(*y),
        (Some([x0, y0]), Some([x1, y1])) => {
            // Halves, because the difference could overflow.
            Some(interpolate_between(*y0, *y1, (at / 2.0 - x0 / 2.0) / (x1 / 2.0 - x0 / 2.0)))
        }
        _ => None,
    })
}

/// Interpolates between two numbers; the result is never outside of them.
fn interpolate_between(low: f64, high: f64, share: f64) -> f64 {
    let step = high - low;
    let value = match share {
        _ if !step.is_finite() => low * (1.0 - share) + high * share,
        0.5.. => high - step * (1.0 - share),
        _ => low + step * share,
    };
    value.clamp(low.min(high), low.max(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f64]) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = values.iter().map(|value| [*value, 0.0]).collect();
        points.sort_by(compare_points);
        points
    }

    #[test]
    fn quantiles_are_linear_between_ranks() {
        let points = numbers(&[40.0, 10.0, 30.0, 20.0]);
        let at = |share| compute_quantile(&points, share).expect("a share");
        assert_eq!([at(0.0), at(0.25), at(0.5), at(1.0)], [Some(10.0), Some(17.5), Some(25.0), Some(40.0)]);
        assert_eq!(compute_quantile(&[], 0.5), Ok(None));
        assert_eq!(compute_quantile(&numbers(&[-f64::MAX, f64::MAX]), 0.5), Ok(Some(0.0)));
        for share in [-0.1, 1.1, f64::NAN] {
            assert!(compute_quantile(&points, share).is_err());
        }
    }

    #[test]
    fn values_are_between_the_points() {
        let points = [[1.0, 10.0], [3.0, 30.0], [3.0, 30.0], [4.0, 0.0]];
        let at = |x| interpolate_points(&points, x).expect("a function");
        assert_eq!([at(0.9), at(1.0), at(2.0), at(3.0)], [None, Some(10.0), Some(20.0), Some(30.0)]);
        assert_eq!([at(3.5), at(4.0), at(4.1)], [Some(15.0), Some(0.0), None]);
        assert_eq!(interpolate_points(&[], 1.0), Ok(None));
        let twice = interpolate_points(&[[1.0, 2.0], [1.0, 3.0]], 5.0);
        assert_eq!(twice, Err(StatisticsError::SeveralY { x: 1.0, values: [2.0, 3.0] }));
    }
}
