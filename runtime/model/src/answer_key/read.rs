//! How the file that an answer key reads is decoded.

use serde::{Deserialize as _, Serialize};
use serde_json::Value as Json;

use super::KeyError;

/// Properties of a file, besides its path, that are known when its instance is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The word for the encoding of the declared file at its path, if that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Whether it may be a database at the start; then SQLite's log and journal are read with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub database: bool,
    /// For a sandbox that must be unchanged: its databases, which may be other bytes with the same content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<String>,
}

impl Read {
    /// Checks whether it has only default values.
    pub fn is_plain(&self) -> bool {
        *self == Read::default()
    }

    /// Reads its form in a key. Rejects unknown fields of later versions, because a file that is read differently is scored differently.
    pub(super) fn from_json(json: &Json) -> Result<Read, KeyError> {
        let wrong = || KeyError::new(format!("the way to read a file, {json}, is unknown"));
        let mut read = Read::default();
        for (name, value) in json.as_object().ok_or_else(wrong)? {
            match (name.as_str(), value) {
                ("encoding", Json::String(word)) => read.encoding = Some(word.clone()),
                ("database", Json::Bool(is)) => read.database = *is,
                ("databases", paths) => read.databases = Vec::deserialize(paths).map_err(|_| wrong())?,
                _ => return Err(wrong()),
            }
        }
        Ok(read)
    }
}
