//! Renders the result of a comparison as a sentence.

use statistics::sample_size::{find_each_side_for, find_pairs_for};

use super::{Design, Difference, Verdict};
use crate::render::words::format_points;

/// The difference for which a larger run is suggested if none is significant.
const SMALL: f64 = 0.02;

/// Renders `B is better than A by 4.2 points (1.1 to 7.3), p 0.012`, or the number of instances that would show a difference.
pub(super) fn build_sentence(a: &str, b: &str, whole: &Difference, verdict: Verdict, design: Design) -> String {
    let p = format_p(whole.p_permutation.unwrap_or(whole.p_exact));
    let (low, high) = (whole.interval.low, whole.interval.high);
    match verdict {
        Verdict::BBetter => {
            format!(
                "{b} is better than {a} by {} points ({} to {}), {p}",
                format_points(whole.difference),
                format_points(low),
                format_points(high)
            )
        }
        Verdict::ABetter => {
            format!(
                "{a} is better than {b} by {} points ({} to {}), {p}",
                format_points(-whole.difference),
                format_points(-high),
                format_points(-low)
            )
        }
        Verdict::NotShown => {
            let (wanted, needed) = estimate_needed(whole, design);
            let (words, by, low, high) = match whole.difference < 0.0 {
                true => ("below", -whole.difference, -high, -low),
                false => ("above", whole.difference, low, high),
            };
            format!(
                "no significant difference: {b} is {} points {words} {a} ({} to {}), {p}{}; to see a difference of {} points, run {needed}",
                format_points(by),
                format_points(low),
                format_points(high),
                // With few instances, an interval and a test of the same difference may disagree.
                if low > 0.0 { ", though the interval is above 0: there are too few instances to be sure" } else { "" },
                format_points(wanted)
            )
        }
    }
}

fn format_p(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p {p:.3}") }
}

/// Returns the difference to detect, and the approximate number of instances for it with a power of 80%.
fn estimate_needed(whole: &Difference, design: Design) -> (f64, String) {
    let wanted = SMALL;
    let count = match design {
        Design::Paired => {
            let differ = whole.only_a.unwrap_or(0) + whole.only_b.unwrap_or(0);
            // One more differing pair, and two more in total: a share of 0 is never assumed.
            let discordant = (differ + 1) as f64 / (whole.a.1 + 2) as f64;
            find_pairs_for(wanted, discordant)
        }
        Design::TwoSamples => find_each_side_for(wanted, (whole.accuracy_a + whole.accuracy_b) / 2.0),
    };
    let each = if design == Design::Paired { "instances" } else { "instances in each run" };
    (
        wanted,
        count.map_or_else(
            || format!("more {each} than are feasible"),
            |count| format!("about {} {each}", round_up(count)),
        ),
    )
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
