//! How much of a group is right, and how sure that is.

use serde::Serialize;

use super::lines::{Line, right, units};
use crate::statistics::Interval;
use crate::statistics::clustered::{mean, share_interval};

/// Right ones of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// So many are right …
    pub correct: u64,
    /// … of so many.
    pub of: u64,
    /// Their share, 0 to 1.
    pub accuracy: f64,
    /// Wilson's interval of 95 %; where several lines are of one sample, of the size that they are worth.
    pub interval: Interval,
    /// The mean score, 0 to 1.
    pub score: f64,
}

/// A group with its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// How much of it is right.
    #[serde(flatten)]
    pub share: Share,
}

impl Share {
    /// Of these lines.
    pub fn of(lines: &[Line<'_>]) -> Share {
        let correct = lines.iter().filter(|line| line.score.correct).count() as u64;
        let clusters = units(lines, right);
        let (accuracy, interval) = (mean(&clusters), share_interval(&clusters));
        Share { correct, of: lines.len() as u64, accuracy, interval, score: mean(&units(lines, |score| score.score)) }
    }
}

/// Each group's share.
pub fn shares(groups: Vec<(String, Vec<Line<'_>>)>) -> Vec<Group> {
    groups.into_iter().map(|(name, lines)| Group { name, share: Share::of(&lines) }).collect()
}

/// `times` of `of` in per cent to one place, halves rounded up, from the integers themselves. `-` of nothing.
pub fn percent(times: u64, of: u64) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    let tenths = (u128::from(times) * 2_000 + u128::from(of)) / (2 * u128::from(of));
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn halves_go_up() {
        assert_eq!(
            [percent(45, 80), percent(49, 80), percent(39, 80), percent(7, 80)],
            ["56.3", "61.3", "48.8", "8.8"]
        );
        assert_eq!([percent(0, 20), percent(20, 20), percent(0, 0), percent(1, 3)], ["0.0", "100.0", "-", "33.3"]);
    }
}
