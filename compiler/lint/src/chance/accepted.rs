//! The reply that is correct most often, if all replies within a tolerance of the answer are correct.

use model::Value;
use model::suite::{Graded, Options, Within};

use super::law::{Law, Moments};

/// How far a correct number can be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// At most this much.
    Absolute(f64),
    /// At most this share of the expected number.
    Share(f64),
}

impl Tolerance {
    /// The tolerance that options allow, if any.
    pub fn from_options(options: &Options) -> Option<Tolerance> {
        match (options.within, options.rounded, options.graded) {
            (Some(Within::Absolute(by)), ..) => Some(Tolerance::Absolute(by.to_f64())),
            (Some(Within::Percent(by)), ..) => Some(Tolerance::Share(by.to_f64() / 100.0)),
            (_, Some(places), _) => Some(Tolerance::Absolute(0.5 / libm::pow(10.0, f64::from(places)))),
            // The grade of y for x is |x| / (|x| + |x − y|).
            (.., Some(Graded::Above(grade))) if grade.to_f64() > 0.0 => {
                Some(Tolerance::Share(1.0 / grade.to_f64() - 1.0))
            }
            _ => None,
        }
    }

    /// The smallest and the largest correct number.
    pub fn find_ends(self, expected: f64) -> (f64, f64) {
        let by = match self {
            Tolerance::Absolute(by) => by,
            Tolerance::Share(share) => share * expected.abs(),
        };
        (expected - by, expected + by)
    }

    /// A number that is correct for every expected number from `low` to `high`. The lower ends rise with the expected number, and so do the upper ends, if the
    /// tolerance is at most 100%.
    pub fn find_common(self, low: f64, high: f64) -> Option<f64> {
        if let Tolerance::Share(share) = self
            && share >= 1.0
        {
            // 0 is within 100% of every number.
            return Some(0.0);
        }
        let (_, most) = self.find_ends(low);
        let (least, _) = self.find_ends(high);
        (least <= most).then_some((least + most) / 2.0)
    }
}

/// The reply that is correct most often, with the share of samples in which it is.
#[derive(Clone, Debug)]
pub struct Best {
    pub reply: Value,
    pub share: f64,
}

/// Finds the most probable value of a law.
pub fn find_likeliest(law: &Law) -> Option<Best> {
    let Law::Listed(values) = law else { return None };
    let known = values.iter().filter(|(value, _)| !value.is_null());
    let (reply, share) = known.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(Best { reply: reply.clone(), share: *share })
}

/// Finds the number that is within a tolerance of the answer most often.
pub fn find_best_number(law: &Law, tolerance: Tolerance) -> Option<Best> {
    match law {
        Law::Bell(moments) => Some(find_best_center(*moments, tolerance)),
        Law::Listed(values) => sweep_intervals(values, tolerance),
    }
}

/// The best reply for a number that is nearly normally distributed: one that is correct for the mean.
fn find_best_center(moments: Moments, tolerance: Tolerance) -> Best {
    let reply = moments.mean;
    // The expected numbers for which the reply is correct.
    let (low, high) = match tolerance {
        Tolerance::Absolute(by) => (reply - by, reply + by),
        Tolerance::Share(share) => {
            let low = reply.abs() / (1.0 + share);
            let high = if share < 1.0 { reply.abs() / (1.0 - share) } else { f64::INFINITY };
            if reply < 0.0 { (-high, -low) } else { (low, high) }
        }
    };
    let share = moments.share_below(high) - moments.share_below(low);
    Best { reply: Value::Float(reply), share }
}

/// Finds the number that lies in intervals with the largest total probability.
fn sweep_intervals(values: &[(Value, f64)], tolerance: Tolerance) -> Option<Best> {
    let mut ends: Vec<(f64, bool, f64)> = Vec::new();
    for (value, share) in values.iter().filter(|(value, _)| !value.is_null()) {
        let (low, high) = tolerance.find_ends(value.as_f64()?);
        ends.push((low, false, *share));
        ends.push((high, true, *share));
    }
    // At the same number, intervals begin before others end, because both ends are correct.
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut inside, mut best, mut best_at) = (0.0, 0.0, None);
    for (at, (number, closes, share)) in ends.iter().enumerate() {
        if *closes {
            inside -= share;
            continue;
        }
        inside += share;
        if inside > best {
            let until = ends.iter().skip(at + 1).find(|(_, closes, _)| *closes).map_or(*number, |end| end.0);
            (best, best_at) = (inside, Some((number + until) / 2.0));
        }
    }
    best_at.map(|reply| Best { reply: Value::Float(reply), share: best })
}
