//! The number that the most intervals contain.

/// The numbers that the most instances accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// The smallest of them.
    pub low: f64,
    /// The largest of them.
    pub high: f64,
    /// The number of instances.
    pub depth: usize,
}

/// Finds the numbers that the most instances accept. Each instance has ranges, ends included; they may overlap. O(n log n).
pub fn find_deepest(instances: &[Vec<(f64, f64)>]) -> Option<Deepest> {
    // Starts before ends at the same number, because both ends are accepted.
    let mut ends: Vec<(f64, bool)> = Vec::new();
    for ranges in instances {
        for (low, high) in merge_ranges(ranges) {
            ends.extend([(low, false), (high, true)]);
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut depth, mut best, mut is_open): (usize, Option<Deepest>, bool) = (0, None, false);
    for (at, is_end) in ends {
        if is_end {
            if let Some(best) = best.as_mut().filter(|_| is_open) {
                best.high = at;
            }
            is_open = false;
            depth -= 1;
        } else {
            depth += 1;
            if best.is_none_or(|best| depth > best.depth) {
                best = Some(Deepest { low: at, high: at, depth });
                is_open = true;
            }
        }
    }
    best
}

/// Merges the ranges of one instance, which counts once.
fn merge_ranges(ranges: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted: Vec<(f64, f64)> = ranges.iter().copied().filter(|(low, high)| low <= high).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (low, high) in sorted {
        match merged.last_mut().filter(|last| low <= last.1) {
            Some(last) => last.1 = last.1.max(high),
            None => merged.push((low, high)),
        }
    }
    merged
}

/// Renders the roundest number of a range.
pub fn render_round_number(low: f64, high: f64) -> String {
    let middle = low + (high - low) / 2.0;
    for places in -15_i32..=15 {
        let Ok(unit) = format!("1e{}", -places).parse::<f64>() else { continue };
        let decimals = usize::try_from(places).unwrap_or(0);
        let text = format!("{:.decimals$}", (middle / unit).round() * unit);
        let text = if text.trim_start_matches(['-', '0', '.']).is_empty() { "0".to_owned() } else { text };
        if text.parse::<f64>().is_ok_and(|number| low <= number && number <= high) {
            return text;
        }
    }
    format!("{low}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_point_is_found() {
        let deepest = |instances: &[&[(f64, f64)]]| {
            let instances: Vec<Vec<(f64, f64)>> = instances.iter().map(|ranges| ranges.to_vec()).collect();
            find_deepest(&instances).map(|it| (it.low, it.high, it.depth))
        };
        assert_eq!(deepest(&[]), None);
        assert_eq!(deepest(&[&[(1.0, 3.0)], &[(2.0, 5.0)], &[(2.5, 2.75)], &[(9.0, 9.0)]]), Some((2.5, 2.75, 3)));
        // Both ends are accepted.
        assert_eq!(deepest(&[&[(1.0, 3.5)], &[(3.5, 5.0)]]), Some((3.5, 3.5, 2)));
        // The ranges of one instance count once.
        assert_eq!(deepest(&[&[(1.0, 3.0), (2.0, 4.0)], &[(8.0, 9.0)], &[(8.0, 8.5)]]), Some((8.0, 8.5, 2)));
    }

    #[test]
    fn round_numbers_are_preferred() {
        assert_eq!(render_round_number(4.0, 6.0), "5");
        assert_eq!(render_round_number(-3.0, 8.0), "0");
        assert_eq!(render_round_number(12_345.0, 13_300.0), "13000");
        assert_eq!(render_round_number(3.5, 3.5), "3.5");
        assert_eq!(render_round_number(0.112, 0.118), "0.115");
        assert_eq!(render_round_number(f64::NEG_INFINITY, f64::NEG_INFINITY), "-inf");
    }
}
