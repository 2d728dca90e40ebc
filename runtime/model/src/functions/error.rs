//! The reasons why a function has no result.

use std::fmt;

use super::FunctionId;
use crate::decimal::MAX_PLACES;
use crate::statistics::StatisticsError;

/// The reason why a function has no result for its arguments. Values are descriptions by [`super::describe_value`].
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionError {
    /// An argument is missing or has a type that `check` should have rejected.
    Misfit(FunctionId, &'static str),
    /// An argument is not what is needed: the function, what is needed, and the value.
    Needs(FunctionId, &'static str, String),
    /// Numbers for which a statistic is not defined.
    Statistics(FunctionId, StatisticsError),
    /// An invalid number of decimal places.
    Places(FunctionId, i64),
    /// A value that cannot be rounded to this number of places.
    Unroundable(String, u8),
    /// A decimal with more places than requested.
    TooManyPlaces(String, u8),
    /// A text that cannot be read: the function, the text, and the form that is needed.
    Unreadable(FunctionId, String, &'static str),
    /// A value without a result: the function, the kind of the result, and the value.
    NoResult(FunctionId, &'static str, String),
    /// A value that cannot be added.
    NotAddable(FunctionId, String),
    /// The result is not finite.
    Overflow(FunctionId),
    /// A sum that is too large for its type.
    SumOverflow(FunctionId),
    /// A sum of ints that is not an int.
    IntOverflow(i128),
    /// A remainder of the division by zero: the dividend.
    ModuloByZero(String),
    /// Two values that cannot be compared.
    Unordered(String, String),
    /// The text to search for is empty.
    EmptyPart(FunctionId),
    /// The text with which another is padded is not one character.
    Fill(String),
    /// A text that exceeds the maximum size.
    TooLarge,
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FunctionError::Misfit(function, needed) => write!(f, "`{function}` needs {needed}"),
            FunctionError::Needs(function, needed, value) => write!(f, "`{function}` needs {needed}, not {value}"),
            FunctionError::Statistics(function, needed) => write!(f, "`{function}` needs {needed}"),
            FunctionError::Places(function, places) => {
                write!(f, "`{function}` takes 0 to {MAX_PLACES} places, not {places}")
            }
            FunctionError::Unroundable(value, places) => write!(f, "{value} cannot be rounded to {places} places"),
            FunctionError::TooManyPlaces(value, places) => {
                write!(f, "`to_decimal` cannot write {value} with {places} decimal places")
            }
            FunctionError::Unreadable(function, text, form) => write!(f, "`{function}` cannot read {text} as {form}"),
            FunctionError::NoResult(function, result, value) => write!(f, "`{function}` has no {result} for {value}"),
            FunctionError::NotAddable(function, value) => write!(f, "`{function}` cannot add {value}"),
            FunctionError::Overflow(function) => write!(f, "`{function}` overflows"),
            FunctionError::SumOverflow(function) => write!(f, "the sum in `{function}` overflows"),
            FunctionError::IntOverflow(sum) => write!(f, "the sum {sum} overflows the 64 bits of an int"),
            FunctionError::ModuloByZero(dividend) => write!(f, "`mod` by zero: mod({dividend}, 0)"),
            FunctionError::Unordered(a, b) => write!(f, "{a} and {b} have no order"),
            FunctionError::EmptyPart(function) => write!(f, "`{function}` cannot look for an empty text"),
            FunctionError::Fill(text) => write!(f, "`pad_left` fills with one character, not with \"{text}\""),
            FunctionError::TooLarge => f.write_str("this text is too large: more than 64 MB"),
        }
    }
}

impl std::error::Error for FunctionError {}
