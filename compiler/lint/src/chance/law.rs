//! A law: the possible values with their probabilities, or a mean and a standard deviation.

use model::domain::iter_drawn;
use model::{Domain, Value};

/// The maximum number of values of a law. Larger ranges are represented by evenly spaced values.
pub const MAX_VALUES: usize = 1000;

/// How probable the values of an expression are.
#[derive(Clone, Debug)]
pub enum Law {
    /// Each value with its probability. The probabilities sum to 1.
    Listed(Vec<(Value, f64)>),
    /// A number that is nearly normally distributed, such as the sum of many draws.
    Bell(Moments),
}

/// The mean and the variance of a number.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    pub mean: f64,
    pub variance: f64,
}

impl Moments {
    /// The moments of `factor` times the number.
    pub fn scale(self, factor: f64) -> Moments {
        Moments { mean: self.mean * factor, variance: self.variance * factor * factor }
    }

    /// The moments of the sum with an independent number.
    pub fn add(self, other: Moments) -> Moments {
        Moments { mean: self.mean + other.mean, variance: self.variance + other.variance }
    }

    /// The probability that a normally distributed number with these moments is at most `bound`.
    pub fn share_below(self, bound: f64) -> f64 {
        if self.variance <= 0.0 {
            return if self.mean <= bound { 1.0 } else { 0.0 };
        }
        libm::erfc((self.mean - bound) / libm::sqrt(2.0 * self.variance)) / 2.0
    }
}

impl Law {
    /// The law of a known value.
    pub fn from_value(value: Value) -> Law {
        Law::Listed(vec![(value, 1.0)])
    }

    /// The law of a condition that holds with this probability.
    pub fn from_truth(share: f64) -> Law {
        let share = share.clamp(0.0, 1.0);
        Law::Listed(vec![(Value::Bool(true), share), (Value::Bool(false), 1.0 - share)])
    }

    /// The law of a draw from a domain. `None` if its values are not known.
    pub fn from_domain(domain: &Domain) -> Option<Law> {
        let listed = match domain {
            Domain::Weighted { items } => {
                let total = items.iter().map(|(_, weight)| *weight as f64).sum::<f64>();
                let drawn = items.iter().filter(|(_, weight)| *weight > 0);
                drawn.map(|(item, weight)| (item.clone(), *weight as f64 / total)).collect()
            }
            Domain::Bool { per_million } => return Some(Law::from_truth(f64::from(*per_million) / 1e6)),
            Domain::Zipf { n } if *n as usize <= MAX_VALUES => {
                let total: f64 = (1..=*n).map(|k| 1.0 / f64::from(k)).sum();
                (1..=*n).map(|k| (Value::Int(i64::from(k)), 1.0 / f64::from(k) / total)).collect()
            }
            Domain::Distributed { distribution, .. } => {
                let values = space_values(domain)?;
                let z_scores: Option<Vec<f64>> =
                    values.iter().map(|value| Some(distribution.to_z_score(value.as_f64()?))).collect();
                let z_scores = z_scores?;
                let below = |z: f64| libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0;
                let middle = |at: usize| Some((z_scores.get(at)? + z_scores.get(at + 1)?) / 2.0);
                let weights: Vec<f64> = (0..values.len())
                    .map(|at| {
                        let from = at.checked_sub(1).and_then(middle).map_or(0.0, below);
                        middle(at).map_or(1.0, below) - from
                    })
                    .collect();
                let total: f64 = weights.iter().sum();
                values.into_iter().zip(weights).map(|(value, weight)| (value, weight / total)).collect()
            }
            domain if domain.is_uniform() => {
                let values = space_values(domain)?;
                let share = 1.0 / values.len() as f64;
                values.into_iter().map(|value| (value, share)).collect()
            }
            _ => return None,
        };
        Some(Law::Listed(listed)).filter(|law| !law.is_empty())
    }

    fn is_empty(&self) -> bool {
        matches!(self, Law::Listed(values) if values.is_empty() || values.iter().any(|(_, share)| !share.is_finite()))
    }

    /// The same value, but null with a probability.
    pub fn with_null(self, share: f64) -> Option<Law> {
        match self {
            law if share <= 0.0 => Some(law),
            Law::Listed(mut values) => {
                values.iter_mut().for_each(|(_, own)| *own *= 1.0 - share);
                values.push((Value::Null, share));
                Some(Law::Listed(values))
            }
            Law::Bell(_) => None,
        }
    }

    /// The probability of the condition that has this law.
    pub fn as_truth(&self) -> Option<f64> {
        let Law::Listed(values) = self else { return None };
        let is_condition = values.iter().all(|(value, _)| matches!(value, Value::Bool(_) | Value::Null));
        let holds = values.iter().filter(|(value, _)| matches!(value, Value::Bool(true)));
        is_condition.then(|| holds.map(|(_, share)| share).sum())
    }

    /// Its mean and variance, if it is a law of numbers.
    pub fn find_moments(&self) -> Option<Moments> {
        let values = match self {
            Law::Bell(moments) => return Some(*moments),
            Law::Listed(values) => values,
        };
        let (mut mean, mut square) = (0.0, 0.0);
        for (value, share) in values {
            let value = value.as_f64()?;
            mean += value * share;
            square += value * value * share;
        }
        Some(Moments { mean, variance: (square - mean * mean).max(0.0) })
    }

    /// The mixture of laws, each with its probability. `None` if there are too many values.
    pub fn mix(parts: Vec<(Law, f64)>) -> Option<Law> {
        let mut listed: Vec<(Value, f64)> = Vec::new();
        for (law, share) in &parts {
            let Law::Listed(values) = law else { return mix_moments(&parts) };
            listed.extend(values.iter().map(|(value, own)| (value.clone(), own * share)));
            if listed.len() > 20 * MAX_VALUES {
                return None;
            }
        }
        Some(Law::Listed(merge_values(listed)))
    }

    /// The law of a function of the value; `None` if the function has no result for one of the values.
    pub fn map_values(&self, function: impl Fn(&Value) -> Option<Value>) -> Option<Law> {
        let Law::Listed(values) = self else { return None };
        let mapped: Option<Vec<_>> = values.iter().map(|(value, share)| Some((function(value)?, *share))).collect();
        Some(Law::Listed(merge_values(mapped?)))
    }

    /// The law of a function of two independent values.
    pub fn combine(&self, other: &Law, function: impl Fn(&Value, &Value) -> Option<Value>) -> Option<Law> {
        let (Law::Listed(a), Law::Listed(b)) = (self, other) else { return None };
        let (a, b) = (thin_values(a, b.len()), thin_values(b, a.len()));
        if a.len().saturating_mul(b.len()) > MAX_VALUES {
            return None;
        }
        let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
        let mapped: Option<Vec<_>> = pairs.map(|(x, y)| Some((function(&x.0, &y.0)?, x.1 * y.1))).collect();
        Some(Law::Listed(merge_values(mapped?)))
    }
}

/// All values of a domain in order, or evenly spaced ones.
fn space_values(domain: &Domain) -> Option<Vec<Value>> {
    if let Domain::OneOf { items } = domain {
        return Some(items.iter().cloned().collect());
    }
    if let Domain::Weighted { items } = domain {
        return Some(iter_drawn(items).cloned().collect());
    }
    let size = domain.cardinality().filter(|size| *size > 0)?;
    if size <= MAX_VALUES as u128 {
        return (0..size).map(|index| domain.value_at(index)).collect();
    }
    // Only values in order can represent those between them.
    domain.find_range()?;
    let last = size - 1;
    let count = MAX_VALUES as u128;
    (0..count).map(|at| domain.value_at(last.checked_mul(at)? / (count - 1))).collect()
}

/// The moments of a mixture of laws of numbers.
fn mix_moments(parts: &[(Law, f64)]) -> Option<Law> {
    let (mut mean, mut square) = (0.0, 0.0);
    for (law, share) in parts {
        let own = law.find_moments()?;
        mean += own.mean * share;
        square += (own.variance + own.mean * own.mean) * share;
    }
    Some(Law::Bell(Moments { mean, variance: (square - mean * mean).max(0.0) }))
}

/// Sorts values: null, numbers, and then the others by their text, which orders dates and datetimes too.
pub(super) fn sort_values(values: &mut [(Value, f64)]) {
    values.sort_by_cached_key(|(value, _)| match (value, value.as_f64()) {
        (Value::Null, _) => (0, 0, String::new()),
        // The bits of doubles are in the order of their values, apart from the sign.
        (_, Some(number)) => {
            let bits = (number + 0.0).to_bits() as i64;
            (1, if bits < 0 { bits ^ i64::MAX } else { bits }, String::new())
        }
        _ => (2, 0, value.render_text().into_owned()),
    });
}

/// Adds the probabilities of equal values. Too many numbers are represented by fewer.
fn merge_values(mut values: Vec<(Value, f64)>) -> Vec<(Value, f64)> {
    sort_values(&mut values);
    let mut merged: Vec<(Value, f64)> = Vec::new();
    for (value, share) in values {
        match merged.last_mut() {
            Some((last, all)) if last.is_same(&value) => *all += share,
            _ => merged.push((value, share)),
        }
    }
    thin_values(&merged, 1)
}

/// Represents numbers by fewer ones: there are at most [`MAX_VALUES`] combinations with `others` values. Other values stay as they are.
fn thin_values(values: &[(Value, f64)], others: usize) -> Vec<(Value, f64)> {
    const FEWEST: usize = 30;
    let most = (MAX_VALUES / others.max(1)).clamp(FEWEST, MAX_VALUES);
    if values.len() <= most || values.iter().any(|(value, _)| value.as_f64().is_none()) {
        return values.to_vec();
    }
    let each = values.len().div_ceil(most);
    let of_part = |part: &[(Value, f64)]| {
        let (middle, _) = part.get(part.len() / 2)?;
        Some((middle.clone(), part.iter().map(|(_, share)| share).sum()))
    };
    values.chunks(each).filter_map(of_part).collect()
}
