//! Numbers with a fraction in JSON and YAML.

use model::{Decimal, Value, decimal::MAX_PLACES};

/// Maximum number of digits on each side of the point of an exact number.
const MAX_DIGITS: usize = MAX_PLACES as usize;

/// Parses a number of digits, point, and exponent: an exact decimal with its places, if it has no exponent and at most 18 digits on each side of the
/// point; otherwise the nearest double. `None` if that is not finite, or if the text is not a number.
pub(super) fn parse_fractional(text: &str) -> Option<Value> {
    parse_exact(text).map(Value::Decimal).or_else(|| {
        let double = text.parse().ok().filter(|value: &f64| value.is_finite());
        double.map(Value::Float)
    })
}

fn parse_exact(text: &str) -> Option<Decimal> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.')?;
    let digits = |part: &str| part.len() <= MAX_DIGITS && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let units: i128 = format!("{whole}{fraction}").parse().ok()?;
    Decimal::new(if text.starts_with('-') { -units } else { units }, u8::try_from(fraction.len()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_up_to_18_digits_on_each_side_of_the_point() {
        for (text, written) in [
            ("0.1", "0.1"),
            ("-0.50", "-0.50"),
            ("+1.5", "1.5"),
            (".5", "0.5"),
            ("1.", "1"),
            ("01.5", "1.5"),
            ("-0.0", "0.0"),
            ("999999999999999999.999999999999999999", "999999999999999999.999999999999999999"),
        ] {
            let Some(Value::Decimal(number)) = parse_fractional(text) else { panic!("{text}") };
            assert_eq!(number.to_string(), written, "{text}");
        }
        for (text, number) in [
            ("1e3", 1000.0),
            ("1.5E-7", 1.5e-7),
            ("0.1234567890123456789", 0.123_456_789_012_345_68),
            ("1234567890123456789.5", 1.234_567_890_123_456_8e18),
        ] {
            assert_eq!(parse_fractional(text), Some(Value::Float(number)), "{text}");
        }
        for text in ["1e999", "x.y", ".", "1.2.3", ""] {
            assert_eq!(parse_fractional(text), None, "{text}");
        }
    }
}
