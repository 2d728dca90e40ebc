//! `--request KEY=JSON`: a parameter in the form that the endpoint receives. Values that would change on the way are rejected.

use ::agent::secrets::{hide_secrets, is_secret_name};
use serde_json::Value as Json;

use crate::option_values::InvalidValue;

/// Parses a parameter of a request. The text of an error repeats no possible secret.
pub fn parse_parameter(text: &str) -> Result<(String, Json), InvalidValue> {
    let (name, value) = text.split_once('=').ok_or(InvalidValue::new("write KEY=JSON, such as top_k=40"))?;
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err(InvalidValue::new("write KEY=JSON, such as top_k=40: the key is empty or has a space"));
    }
    let too_exact = |number: &str| {
        let number = if is_secret_name(name) { "the number".to_owned() } else { format!("`{number}`") };
        let help = "give fewer, or quote it if the endpoint takes text";
        InvalidValue::new(format!("{number} has more digits than can be sent as a number; {help}"))
    };
    match serde_json::from_str(value) {
        Ok(json) => match iter_numbers(value).find(|number| is_changed(number)) {
            None => Ok((name.to_owned(), json)),
            Some(number) => Err(too_exact(number)),
        },
        Err(error) if error.to_string().starts_with("number out of range") => {
            let number = iter_numbers(value).find(|number| is_changed(number)).unwrap_or("the number");
            Err(too_exact(number))
        }
        Err(_) if is_secret_name(text) => {
            let name = hide_secrets(name);
            Err(InvalidValue::new(format!("the value is not JSON; quote text: --request '{name}=\"…\"'")))
        }
        Err(_) => {
            let value = hide_secrets(value);
            let quoted = value.trim_matches('"');
            Err(InvalidValue::new(format!("`{value}` is not JSON; quote text: --request '{name}=\"{quoted}\"'")))
        }
    }
}

/// Iterates over the numbers of a JSON text as written.
fn iter_numbers(text: &str) -> impl Iterator<Item = &str> {
    let (mut rest, mut quoted) = (text, false);
    std::iter::from_fn(move || {
        loop {
            let c = rest.chars().next()?;
            let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            if !quoted && (c.is_ascii_digit() || c == '-') {
                let (number, after) = rest.split_at(rest.find(|c| !is_digit(c)).unwrap_or(rest.len()));
                rest = after;
                return Some(number);
            }
            let mut after = rest.chars();
            after.next();
            if quoted && c == '\\' {
                after.next();
            }
            quoted ^= c == '"';
            rest = after.as_str();
        }
    })
}

/// Whether a number changes when it is parsed.
fn is_changed(number: &str) -> bool {
    serde_json::from_str::<Json>(number)
        .map_or(true, |read| normalize_number(number) != normalize_number(&read.to_string()))
}

/// Returns the sign, the digits without leading and trailing zeros, and the power of ten of the last digit.
fn normalize_number(number: &str) -> (bool, String, i64) {
    let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let power: i64 = power.parse().unwrap_or(i64::from(i32::MAX));
    let (is_negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let significant = kept.trim_start_matches('0');
    if significant.is_empty() {
        return (false, String::new(), 0);
    }
    let moved = |count: usize| i64::try_from(count).unwrap_or_default();
    let power = power.saturating_add(moved(digits.len() - kept.len())).saturating_sub(moved(fraction.len()));
    (is_negative, significant.to_owned(), power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sent_as_they_are_written() {
        for value in [
            "0",
            "-0",
            "40",
            "0.1",
            "1.50",
            "1e3",
            "1E+2",
            "-7.25e-3",
            "18446744073709551615",
            "-9223372036854775808",
            "100000000000000000000",
            "1e300",
            "\"123456789012345678901234567890\"",
            "[1, {\"a\\\"1\": 2.5}]",
        ] {
            assert!(
                parse_parameter(&format!("x={value}")).is_ok(),
                "{value}: {:?}",
                parse_parameter(&format!("x={value}"))
            );
        }
        for value in [
            "123456789012345678901234567890",
            "[18446744073709551617]",
            "{\"a\": -9223372036854775809}",
            "0.1234567890123456789",
            "1e400",
            "1e-400",
        ] {
            let said = parse_parameter(&format!("x={value}")).expect_err(value).to_string();
            assert!(said.contains("more digits"), "{value}: {said}");
        }
    }

    #[test]
    fn secrets_are_not_repeated() {
        for text in [
            "api_key=hunter2secret",
            "api_key=\"hunter2secret",
            "h={\"Authorization\":\"Bearer hunter2secret\"",
            "secret=12345678901234567890123",
        ] {
            let said = parse_parameter(text).expect_err(text).to_string();
            assert!(!said.contains("hunter2") && !said.contains("1234"), "{said}");
        }
    }
}
