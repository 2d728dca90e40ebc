//! How a file is read that an answer key looks at.

use serde::Serialize;
use serde_json::{Map, Value as Json};

/// What is known of a file when its instance is built, besides its path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The word of the encoding that the declared file at its path has, where that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// It may be a database at the start: then SQLite's log and journal are read with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub database: bool,
}

impl Read {
    /// Whether nothing is said of it.
    pub fn is_plain(&self) -> bool {
        *self == Read::default()
    }

    /// As a key says it.
    pub(super) fn to_json(&self) -> Json {
        let mut fields = Map::new();
        if let Some(encoding) = &self.encoding {
            fields.insert("encoding".to_owned(), encoding.as_str().into());
        }
        if self.database {
            fields.insert("database".to_owned(), true.into());
        }
        Json::Object(fields)
    }

    /// Reads what [`Read::to_json`] made. What a later version adds is refused: a file that is read in another way is scored in another way.
    pub(super) fn from_json(json: &Json) -> Result<Read, String> {
        let wrong = || format!("the way to read a file, {json}, is unknown");
        let mut read = Read::default();
        for (name, value) in json.as_object().ok_or_else(wrong)? {
            match (name.as_str(), value) {
                ("encoding", Json::String(word)) => read.encoding = Some(word.clone()),
                ("database", Json::Bool(is)) => read.database = *is,
                _ => return Err(wrong()),
            }
        }
        Ok(read)
    }
}
