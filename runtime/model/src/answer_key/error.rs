//! The reasons why an answer key cannot be read.

use std::fmt;

use serde_json::Value as Json;

use crate::Decimal;

/// The part of an answer key that cannot be read. The message is one sentence without a final period.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyError {
    /// A field is missing or has the wrong JSON type, as a sentence.
    Form(&'static str),
    /// A matcher, subject, or slice that this version does not have.
    Unknown(&'static str, Json),
    /// A weight that is not a number.
    Weight(Json),
    /// A weight that is not greater than 0.
    NotPositive(Decimal),
    /// An expected value that is not in the form of [`crate::Value::to_key_json`].
    Value(Json),
    /// The path of a slice.
    Path(Json),
    /// The way to read a file.
    Read(Json),
    /// A trap.
    Trap(Json),
    /// An option of the comparison.
    Option {
        /// Its name.
        name: &'static str,
        /// Its value.
        json: Json,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Form(why) => f.write_str(why),
            KeyError::Unknown(part, json) => write!(f, "unknown {part} {json}"),
            KeyError::Weight(json) => write!(f, "the weight {json} is not a number"),
            KeyError::NotPositive(weight) => write!(f, "the weight {weight} is not greater than 0"),
            KeyError::Value(json) => write!(f, "{json} is not a value of an answer key"),
            KeyError::Path(json) => write!(f, "the path {json} of a slice cannot be read"),
            KeyError::Read(json) => write!(f, "the way to read a file, {json}, is unknown"),
            KeyError::Trap(json) => write!(f, "the trap {json} cannot be read"),
            KeyError::Option { name, json, why } => write!(f, "`{name}` {json} {why}"),
        }
    }
}

impl std::error::Error for KeyError {}
