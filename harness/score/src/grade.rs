//! The grade of a number: 1 / (1 + RAE) with the relative error RAE = |ŷ − y| / |y|, which is |y| / (|y| + |ŷ − y|). It is 1 for the expected number
//! itself, 1/2 for 0, and approaches 0 far away. If the expected number is 0, it is 1 for 0, otherwise 0.
//!
//! Computed from exact decimals, and rounded once, to the nearest double.

use crate::exact::Exact;

/// The maximum number of digits of a response's number, and its maximum distance from the expected number in powers of ten. Further ones do not change a
/// double.
const MAX_DIGITS: usize = 1000;
/// The number of digits of a quotient that determine its rounding: a number halfway between two doubles has fewer.
const DECIDING_DIGITS: usize = 800;

/// Returns the grade of a number that is not correct: at least 0 and below 1.
pub fn grade_number(expected: &Exact, got: &Exact) -> f64 {
    let (part, whole) = compute_fraction(expected, got);
    compute_quotient(&part, &whole).min(1f64.next_down())
}

/// Whether the grade of a number is above `least`.
pub fn is_above(expected: &Exact, got: &Exact, least: &Exact) -> bool {
    let (part, whole) = compute_fraction(expected, got);
    part > whole.mul(least) || whole == Exact::default()
}

/// Returns the grade as a fraction; 0 of 0 if both numbers are 0.
fn compute_fraction(expected: &Exact, got: &Exact) -> (Exact, Exact) {
    let part = expected.abs();
    let away = expected.sub(&got.limit_near(expected, MAX_DIGITS)).abs();
    let whole = part.add(&away);
    (part, whole)
}

/// Returns `part` / `whole`, rounded to the nearest double; `part` must not be greater than `whole`.
fn compute_quotient(part: &Exact, whole: &Exact) -> f64 {
    if *whole == Exact::default() {
        return 1.0;
    }
    let mut digits = String::from("0.");
    let mut rest = part.clone();
    let (mut deciding, mut places) = (0, 0);
    // The first digit is the one before the point: 0, or 1 if both are equal.
    while rest != Exact::default() && deciding < DECIDING_DIGITS && places <= 2 * MAX_DIGITS {
        let mut digit = 0;
        while rest >= *whole {
            rest = rest.sub(whole);
            digit += 1;
        }
        match places {
            0 if digit > 0 => return 1.0,
            0 => {}
            _ => digits.push(char::from(b'0' + digit)),
        }
        deciding += usize::from(deciding > 0 || digit > 0);
        places += 1;
        rest = rest.shift_exponent(1);
    }
    if rest != Exact::default() {
        // The quotient has further digits, so it is not halfway between two doubles.
        digits.push('1');
    }
    // Rust rounds a decimal of any length to the nearest double.
    digits.parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Exact {
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Exact::from_parts(negative, whole, fraction, exponent.parse().expect("an exponent"))
    }

    #[test]
    fn a_grade_is_one_over_one_and_the_relative_error() {
        for (expected, got, is) in [
            ("10", "20", 0.5),
            ("10", "0", 0.5),
            ("-10", "-15", 1.0 / 1.5),
            ("10", "-10", 1.0 / 3.0),
            ("9", "10", 0.9),
            ("0", "5", 0.0),
            ("0.1", "0.3", 1.0 / 3.0),
            ("1", "1e1000000000", 0.0),
            ("1", "-1e1000000000", 0.0),
            ("1", "1e-1000000000", 0.5),
            ("1", "1e307", 1e-307),
            ("1", "1e323", 1e-323),
            ("1", "5e323", 0.0),
        ] {
            assert_eq!(grade_number(&of(expected), &of(got)), is, "{expected} {got}");
        }
        // Nearer than any double tells, and still not right.
        assert_eq!(grade_number(&of("1000000000000000000"), &of("1000000000000000001")), 1.0 - f64::EPSILON / 2.0);
        assert!(grade_number(&of("1"), &of(&format!("1.{}1", "0".repeat(100_000)))) < 1.0);
    }

    #[test]
    fn a_grade_is_above_what_it_exceeds_and_not_what_it_is() {
        let nine = of("0.9");
        for (expected, got, is) in [
            ("9", "10", false),
            ("9", "9.9999999999999999999", true),
            ("9", "8", false),
            ("9", "8.00000000000000000001", true),
            ("-9", "-10", false),
            ("-9", "-9.5", true),
            ("0", "0", true),
            ("0", "1e-300", false),
            ("1", "1e1000000000", false),
        ] {
            assert_eq!(is_above(&of(expected), &of(got), &nine), is, "{expected} {got}");
        }
        assert!(is_above(&of("1"), &of("1e-1000000000"), &of("0.5")));
        assert!(!is_above(&of("1"), &of("-1e-1000000000"), &of("0.5")));
    }

    proptest! {
        /// |y| / (|y| + |ŷ − y|) of whole numbers below 2⁵² is one rounding of two doubles that are exact.
        #[test]
        fn grades_are_rounded_once(expected in -(1i64 << 50)..1i64 << 50, got in -(1i64 << 50)..1i64 << 50, places in 0i64..12) {
            prop_assume!(expected != got && expected != 0);
            let (part, away) = (expected.unsigned_abs(), (expected - got).unsigned_abs());
            let wanted = part as f64 / (part + away) as f64;
            let exact = |value: i64| Exact::from_int(value).shift_exponent(-places);
            prop_assert_eq!(grade_number(&exact(expected), &exact(got)), wanted);
        }
    }
}
