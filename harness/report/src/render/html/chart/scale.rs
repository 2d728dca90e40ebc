//! The places of values on an axis, from left to right.

/// How values are converted to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// At equal distances.
    Even,
    /// Proportional to their values.
    Linear,
    /// Proportional to the logarithms of their values.
    Logarithmic,
}

/// The places of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// The scale that was chosen.
    pub scale: Scale,
    /// Whether the values are numbers, so a line between them is meaningful.
    pub numbers: bool,
    /// A place for each value, from 0 to 1.
    pub at: Vec<f64>,
    /// The distance of the outermost places from 0 and 1.
    pub margin: f64,
}

/// The minimum distance of values on a scale: closer ones are indistinguishable, and drawn at equal distances instead.
const CLOSEST: f64 = 0.015;
/// The maximum margin at both ends.
const MARGIN: f64 = 0.12;

/// Computes places for values; `None` is a value that is not a number. The scale is logarithmic if that at least doubles the minimum distance.
pub fn place_values(values: &[Option<f64>]) -> Places {
    let count = values.len().max(1) as f64;
    let margin = (0.5 / count).min(MARGIN);
    let numbers: Option<Vec<f64>> = values.iter().copied().collect();
    let spread = |scale: Scale, of: &[f64]| {
        let at = normalize_values(of)?;
        (find_min_distance(&at) >= CLOSEST).then_some((scale, at))
    };
    let chosen = numbers.as_ref().and_then(|numbers| {
        let linear = spread(Scale::Linear, numbers);
        let logarithms: Option<Vec<f64>> =
            numbers.iter().map(|number| (*number > 0.0).then(|| libm::log(*number))).collect();
        let logarithmic = logarithms.and_then(|logarithms| spread(Scale::Logarithmic, &logarithms));
        match (linear, logarithmic) {
            (Some(linear), Some(logarithmic))
                if find_min_distance(&logarithmic.1) < 2.0 * find_min_distance(&linear.1) =>
            {
                Some(linear)
            }
            (linear, logarithmic) => logarithmic.or(linear),
        }
    });
    let numbers = numbers.is_some();
    match chosen {
        Some((scale, at)) => {
            let at = at.into_iter().map(|place| margin + (1.0 - 2.0 * margin) * place).collect();
            Places { scale, numbers, at, margin }
        }
        None => {
            let at = (0..values.len()).map(|place| (place as f64 + 0.5) / count).collect();
            Places { scale: Scale::Even, numbers, at, margin: 0.5 / count }
        }
    }
}

/// Maps the least value to 0 and the greatest to 1; `None` if they are equal or their range is not finite.
fn normalize_values(values: &[f64]) -> Option<Vec<f64>> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    (range.is_finite() && range > 0.0).then(|| values.iter().map(|value| (value - least) / range).collect())
}

/// Returns the minimum distance of two places; 1 for fewer than two.
pub fn find_min_distance(places: &[f64]) -> f64 {
    let mut sorted = places.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.windows(2).map(|pair| pair[1] - pair[0]).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(values: &[f64]) -> Places {
        place_values(&values.iter().copied().map(Some).collect::<Vec<_>>())
    }

    #[test]
    fn scales_are_chosen_by_distances() {
        assert_eq!(of(&[0.0, 10.0, 30.0]).scale, Scale::Linear);
        assert_eq!(of(&[10.0, 100.0, 1000.0]).scale, Scale::Logarithmic);
        assert_eq!(of(&[100.0, 2000.0]).scale, Scale::Linear);
        assert_eq!(of(&[5.0, 50.0, 90.0, 100.0]).scale, Scale::Linear);
        assert_eq!(of(&[0.0, 1.0, 1e6]).scale, Scale::Even);
        assert_eq!(of(&[-1e308, 1e308]).scale, Scale::Even);
        assert!(of(&[0.0, 1.0, 1e6]).numbers);
        assert_eq!(of(&[7.0]).at, [0.5]);
        let labels = place_values(&[None, Some(1.0)]);
        assert_eq!((labels.scale, labels.numbers, labels.at), (Scale::Even, false, vec![0.25, 0.75]));
    }

    proptest! {
        #[test]
        fn places_are_inside_and_in_order(values in prop::collection::btree_set(any::<i32>(), 0..14), power in 0..200i32) {
            let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) * 10f64.powi(power)).collect();
            let places = of(&values);
            prop_assert_eq!(places.at.len(), values.len());
            for at in &places.at {
                prop_assert!((places.margin - 1e-9..=1.0 - places.margin + 1e-9).contains(at), "{places:?}");
            }
            prop_assert!(places.at.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        }
    }
}
