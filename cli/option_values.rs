//! Values of options that the parsers of clap do not cover.

use std::borrow::Cow;
use std::{error, fmt};

/// Why the value of an option is rejected. clap adds the value and the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidValue(Cow<'static, str>);

impl InvalidValue {
    /// Creates the error with what the value must be, or what is wrong with it: a sentence without a period.
    pub fn new(expected: impl Into<Cow<'static, str>>) -> InvalidValue {
        InvalidValue(expected.into())
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for InvalidValue {}

/// Returns a text that is allowed.
pub fn require_text(
    text: &str,
    is_allowed: impl Fn(&str) -> bool,
    expected: &'static str,
) -> Result<String, InvalidValue> {
    if is_allowed(text) { Ok(text.to_owned()) } else { Err(InvalidValue::new(expected)) }
}

/// Parses a number that is allowed.
pub fn parse_number(
    text: &str,
    is_allowed: impl Fn(&f64) -> bool,
    expected: &'static str,
) -> Result<f64, InvalidValue> {
    text.parse().ok().filter(is_allowed).ok_or(InvalidValue::new(expected))
}
