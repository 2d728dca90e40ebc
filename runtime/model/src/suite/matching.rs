//! The options of an expectation.

use serde::Serialize;

use crate::Decimal;

/// The options of a value, or of a leaf of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options {
    /// `within 0.01`, `within 1%`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
    /// `rounded D`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounded: Option<u8>,
    /// `graded`, `graded above 0.9`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graded: Option<Graded>,
    /// `ignore case, space, punctuation`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<Ignore>,
    /// True for `ordered`, false for `unordered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<bool>,
    /// `unit "kg"`: the unit that may follow a number, without surrounding spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// `open`: objects may contain unexpected keys.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// `ignore TABLE, TABLE.COLUMN`: parts of a database that are not compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// `schema`: the whole schema of a database must be that of the start.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub schema: bool,
}

impl Options {
    /// Renders the options as source, separated by commas; empty without options.
    pub fn to_source(&self) -> String {
        let mut parts = Vec::new();
        match self.within {
            Some(Within::Absolute(by)) => parts.push(format!("within {by}")),
            Some(Within::Percent(by)) => parts.push(format!("within {by}%")),
            None => {}
        }
        parts.extend(self.rounded.map(|places| format!("rounded {places}")));
        if !self.ignore.is_empty() {
            let ignored: Vec<&str> = self.ignore.iter().map(|ignore| ignore.word()).collect();
            parts.push(format!("ignore {}", ignored.join(", ")));
        }
        parts.extend(self.unit.as_ref().map(|unit| format!("unit {unit:?}")));
        parts.extend(self.open.then(|| "open".to_owned()));
        parts.extend(self.schema.then(|| "schema".to_owned()));
        parts.extend(self.ordered.map(|ordered| if ordered { "ordered".to_owned() } else { "unordered".to_owned() }));
        parts.join(", ")
    }
}

/// A tolerance, including both ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// In the value's own unit.
    Absolute(Decimal),
    /// In percent of the expected value.
    Percent(Decimal),
}

/// The use of a number's grade: 1 / (1 + relative error), which is |x| / (|x| + |x − y|) for the expected x and the found y.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Graded {
    /// It is the score of an incorrect number.
    Score,
    /// A number is correct if its grade is greater than this, between 0 and 1.
    Above(Decimal),
}

crate::worded! {
    /// A difference that a comparison may ignore.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Ignore {
        Case = "case",
        Space = "space",
        Punctuation = "punctuation",
    }
}

crate::words_in_json!(Ignore);
