//! The scores of KramaBench's six types of answers, as its paper has them (arXiv 2506.06541, table 3), where `.pcd` has no form of its own.
//!
//! | type | in `.pcd` | partial credit |
//! | --- | --- | --- |
//! | exact string, exact number | `text`, `number` | none |
//! | approximate number | `number … within P%`, all or nothing | [`approximate_number`] |
//! | exact list | `list` (F1) | the same |
//! | approximate list | `list … within P%` (F1) | [`approximate_list`] |
//! | approximate string | none: a judge tells a paraphrase | none |

use crate::matching::pairs;

/// 1 / (1 + RAE), RAE = |ŷ − y| / |y|, 0 to 1. Where the expected number is 0, 1 for 0 and else 0; 0 for what is not finite.
pub fn approximate_number(expected: f64, got: f64) -> f64 {
    if expected == got && expected.is_finite() {
        return 1.0;
    }
    if expected == 0.0 || !expected.is_finite() || !got.is_finite() {
        return 0.0;
    }
    1.0 / (1.0 + ((got - expected) / expected).abs())
}

/// F1 of two lists of numbers, paired one to one so that most pairs match; two numbers match where [`approximate_number`] is more than 0.9. Two empty
/// lists are the same.
pub fn approximate_list(expected: &[f64], got: &[f64]) -> f64 {
    let partners = pairs(expected.len(), got.len(), |a, b| approximate_number(expected[a], got[b]) > 0.9);
    f1(partners.iter().flatten().count(), expected.len(), got.len())
}

/// 2·`right` / (`expected` + `got`); 1 where there is nothing on both sides.
pub fn f1(right: usize, expected: usize, got: usize) -> f64 {
    if expected + got == 0 { 1.0 } else { 2.0 * right as f64 / (expected + got) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_their_relative_error() {
        assert_eq!(approximate_number(10.0, 10.0), 1.0);
        assert_eq!(approximate_number(10.0, 20.0), 0.5);
        assert_eq!(approximate_number(-10.0, -15.0), 1.0 / 1.5);
        assert_eq!(approximate_number(0.0, 0.0), 1.0);
        assert_eq!(approximate_number(0.0, 1e-9), 0.0);
        assert_eq!(approximate_number(1.0, f64::NAN), 0.0);
        assert_eq!(approximate_number(f64::INFINITY, f64::INFINITY), 0.0);
    }

    #[test]
    fn lists_by_pairs_one_to_one() {
        assert_eq!(approximate_list(&[1.0, 2.0], &[2.1, 1.0]), 1.0);
        // One number answers one.
        assert_eq!(approximate_list(&[1.0, 1.0], &[1.0]), 2.0 / 3.0);
        // A greedy pairing would give 10.5 to 10 and leave 11 without one.
        assert_eq!(approximate_list(&[10.0, 11.5], &[10.5, 9.5]), 1.0);
        // 1 / (1 + 1/9) is 0.9, and not more.
        assert_eq!(approximate_list(&[9.0], &[10.0]), 0.0);
        assert_eq!(approximate_list(&[], &[]), 1.0);
        assert_eq!(approximate_list(&[1.0], &[]), 0.0);
    }
}
