//! The options of an expectation.

use serde::Serialize;

use crate::Decimal;

/// What governs a value, or a leaf of it.
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
    /// `ordered` true, `unordered` false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordered: Option<bool>,
    /// `unit "kg"`: the unit that a number may carry, without blanks around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// `open`: objects may hold keys that are not expected.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// `ignore TABLE, TABLE.COLUMN`: parts of a database that do not count, as `TABLE` or `TABLE.COLUMN`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

impl Options {
    /// They, as an author writes them, separated by commas; empty if nothing is governed.
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
        parts.extend(self.ordered.map(|ordered| if ordered { "ordered".to_owned() } else { "unordered".to_owned() }));
        parts.join(", ")
    }
}

/// A tolerance, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// In the value's own unit.
    Absolute(Decimal),
    /// In hundredths of the expected value.
    Percent(Decimal),
}

/// What the grade of a number is for: 1 / (1 + relative error), which is |x| / (|x| + |x − y|) for the expected x and the found y.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Graded {
    /// It is the score of a number that is not right.
    Score,
    /// A number is right if its grade is above this, between 0 and 1.
    Above(Decimal),
}

crate::worded! {
    /// What a comparison may overlook.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Ignore {
        Case = "case",
        Space = "space",
        Punctuation = "punctuation",
    }
}

crate::words_in_json!(Ignore);
