//! Interprets unquoted YAML scalars in the core schema of YAML 1.2, and detects those that YAML 1.1 parsers such as PyYAML interpret differently.

use model::Value;
use model::numeral::is_all_digits;

use super::number::parse_fractional;

/// The meaning of a plain scalar.
pub(super) enum Plain {
    /// All parsers agree on the value.
    Is(Value),
    /// Parsers disagree; contains the alternative interpretation.
    Disputed(&'static str),
    /// A number that does not fit 64 bits, or is not finite.
    Unfit,
}

/// Reads a plain scalar.
pub(super) fn parse_plain_scalar(text: &str) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Plain::Is(Value::Null),
        "true" | "True" | "TRUE" => return Plain::Is(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Plain::Is(Value::Bool(false)),
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => return Plain::Disputed("true"),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => return Plain::Disputed("false"),
        "=" => return Plain::Disputed("an error"),
        ".nan" | ".NaN" | ".NAN" => return Plain::Unfit,
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Plain::Unfit;
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Plain::Is(Value::from_text(text));
    }
    parse_prefixed(text, unsigned)
        .or_else(|| parse_sexagesimal(unsigned))
        .or_else(|| parse_underscored(unsigned))
        .or_else(|| parse_number(text, unsigned))
        .unwrap_or_else(|| Plain::Is(Value::from_text(text)))
}

/// Parses `0x1F`, `0o17`, `0b101`.
fn parse_prefixed(text: &str, unsigned: &str) -> Option<Plain> {
    let digits = |prefix: &str, radix: u32| {
        let digits = unsigned.strip_prefix(prefix)?;
        let good = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix) || c == '_');
        good.then_some(digits)
    };
    if let Some(digits) = digits("0x", 16) {
        return Some(match i64::from_str_radix(digits, 16) {
            _ if text != unsigned || digits.contains('_') => Plain::Disputed("a number in base 16"),
            Ok(value) => Plain::Is(Value::Int(value)),
            Err(_) => Plain::Unfit,
        });
    }
    if digits("0o", 8).is_some() {
        return Some(Plain::Disputed("a number in base 8"));
    }
    digits("0b", 2).map(|_| Plain::Disputed("a number in base 2"))
}

/// Parses `12:30:45`, a base-60 number in YAML 1.1.
fn parse_sexagesimal(unsigned: &str) -> Option<Plain> {
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let mut parts = whole.split(':');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let first = parts.next().filter(|first| digits(first))?;
    let minute = |part: &str| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    let mut rest = parts.peekable();
    rest.peek()?;
    // Without a fraction, all parsers treat a number with a leading zero as text.
    let good = rest.all(minute)
        && match fraction {
            Some(fraction) => fraction.is_empty() || digits(fraction),
            None => !first.starts_with('0'),
        };
    good.then_some(Plain::Disputed("a number in base 60"))
}

/// Parses `1_000`.
fn parse_underscored(unsigned: &str) -> Option<Plain> {
    let digits = unsigned.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'));
    let number = digits && unsigned.matches('.').count() <= 1 && unsigned.contains('_');
    number.then_some(Plain::Disputed("a number without its underscores"))
}

fn parse_number(text: &str, unsigned: &str) -> Option<Plain> {
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent_digits = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let good = is_all_digits(whole)
        && fraction.is_none_or(is_all_digits)
        && exponent_digits.is_none_or(|part| !part.is_empty() && is_all_digits(part))
        && !(whole.is_empty() && fraction.is_none_or(str::is_empty));
    if !good {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        if whole.len() > 1 && whole.starts_with('0') {
            return Some(Plain::Disputed("a number in base 8"));
        }
        return Some(text.parse().map_or(Plain::Unfit, |value| Plain::Is(Value::Int(value))));
    }
    let bare = exponent.is_some_and(|exponent| fraction.is_none() || !exponent.starts_with(['-', '+']));
    if bare || text != unsigned && whole.is_empty() {
        return Some(Plain::Disputed("a text"));
    }
    Some(parse_fractional(text).map_or(Plain::Unfit, Plain::Is))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Value {
        Value::Decimal(text.parse().expect("a decimal"))
    }

    #[test]
    fn what_all_readers_agree_on_is_read() {
        for (text, value) in [
            ("~", Value::Null),
            ("True", Value::Bool(true)),
            ("0", Value::Int(0)),
            ("-12", Value::Int(-12)),
            ("+12", Value::Int(12)),
            ("0x1F", Value::Int(31)),
            ("1.5", decimal("1.5")),
            ("01.5", decimal("1.5")),
            ("1.", decimal("1")),
            (".5", decimal("0.5")),
            ("1.0e+3", Value::Float(1000.0)),
            ("y", Value::from_text("y")),
            ("tRue", Value::from_text("tRue")),
            ("08:30", Value::from_text("08:30")),
            ("12:75", Value::from_text("12:75")),
            ("2024-01-31", Value::from_text("2024-01-31")),
            ("1.2.3", Value::from_text("1.2.3")),
            ("-", Value::from_text("-")),
            (".", Value::from_text(".")),
            ("1e", Value::from_text("1e")),
            ("10 apples", Value::from_text("10 apples")),
        ] {
            assert!(matches!(parse_plain_scalar(text), Plain::Is(is) if is == value), "{text}");
        }
    }

    #[test]
    fn what_readers_of_1_1_take_otherwise_is_disputed() {
        for text in [
            "yes", "No", "ON", "off", "017", "-017", "00", "08", "0o17", "0b101", "-0x1F", "12:30:45", "1:30",
            "1:30.5", "1_000", "1_0.5", "1e3", "1.0e3", "-.5", "=",
        ] {
            assert!(matches!(parse_plain_scalar(text), Plain::Disputed(_)), "{text}");
        }
        for text in ["9223372036854775808", ".inf", "-.INF", ".nan", "1.0e+999", "0x8000000000000000"] {
            assert!(matches!(parse_plain_scalar(text), Plain::Unfit), "{text}");
        }
    }
}
