//! Renders the result of a comparison as a sentence.

use statistics::Interval;
use statistics::sample_size::{find_each_side_for, find_pairs_for};

use super::comparison::{Design, Difference, Verdict};
use crate::render::words::{format_p_value, format_points, from_to};

/// The difference for which a larger run is suggested if none is significant.
const SMALL: f64 = 0.02;

/// Renders `B is better than A by 4.2 points (1.1 to 7.3), p 0.012`, or the number of instances that would show a difference.
pub(super) fn build_sentence(a: &str, b: &str, whole: &Difference, verdict: Verdict, design: Design) -> String {
    let p = format_p_value(whole.p_permutation.unwrap_or(whole.p_exact));
    let reversed = Interval { low: -whole.interval.high, high: -whole.interval.low };
    let better = |better: &str, worse: &str, by: f64, ends: Interval| {
        format!("{better} is better than {worse} by {} points ({}), p {p}", format_points(by), from_to(ends))
    };
    match verdict {
        Verdict::BBetter => better(b, a, whole.difference, whole.interval),
        Verdict::ABetter => better(a, b, -whole.difference, reversed),
        Verdict::NotShown => {
            let (words, by, ends) = match whole.difference < 0.0 {
                true => ("below", -whole.difference, reversed),
                false => ("above", whole.difference, whole.interval),
            };
            // With few instances, an interval and a test of the same difference may disagree.
            let unsure = if ends.low > 0.0 {
                ", though the interval is above 0: there are too few instances to be sure"
            } else {
                ""
            };
            format!(
                "no significant difference: {b} is {} points {words} {a} ({}), p {p}{unsure}; to see a difference of {} points, run {}",
                format_points(by),
                from_to(ends),
                format_points(SMALL),
                estimate_needed(whole, design)
            )
        }
    }
}

/// Describes how many instances would show [`SMALL`] with a power of 80%.
fn estimate_needed(whole: &Difference, design: Design) -> String {
    let count = match design {
        Design::Paired => {
            let differ = whole.only_a.unwrap_or(0) + whole.only_b.unwrap_or(0);
            // One more differing pair, and two more in total: a share of 0 is never assumed.
            let discordant = (differ + 1) as f64 / (whole.a.1 + 2) as f64;
            find_pairs_for(SMALL, discordant)
        }
        Design::TwoSamples => find_each_side_for(SMALL, (whole.accuracy_a + whole.accuracy_b) / 2.0),
    };
    let each = if design == Design::Paired { "instances" } else { "instances in each run" };
    match count {
        Some(count) => format!("about {} {each}", round_up(count)),
        None => format!("more {each} than are feasible"),
    }
}

/// Rounds up to two digits, because it is an estimate.
fn round_up(count: u64) -> u64 {
    let mut unit = 1;
    while count / unit >= 100 {
        unit *= 10;
    }
    count.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_digits() {
        assert_eq!([7, 99, 101, 3_921].map(super::round_up), [7, 99, 110, 4_000]);
    }
}
