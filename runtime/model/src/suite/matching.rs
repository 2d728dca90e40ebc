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
    /// `unit "kg"`: the units that may follow a number, without surrounding spaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// `written "0.0K" times 1_000`: other forms in which a number or date may be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Told>,
    /// `open`: objects may contain unexpected keys.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// `ignore TABLE, TABLE.COLUMN`: parts of a database that are not compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// `ordered by C desc`: the columns by whose values the rows are ordered, the most significant one first. Rows that are equal in them may be in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sorted_by: Vec<SortKey>,
    /// `contains in C`, `matches in C`: how the cells of a column are compared, if not by their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<CellMatch>,
    /// `schema`: the whole schema of a database must be that of the start.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub schema: bool,
}

/// A column by whose values rows are ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SortKey {
    /// Its name in the result set.
    pub column: String,
    /// Whether the largest value comes first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_descending: bool,
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
        parts.extend(self.units.iter().map(|unit| format!("unit {unit:?}")));
        parts.extend(self.written.iter().map(Told::to_source));
        parts.extend(self.open.then(|| "open".to_owned()));
        parts.extend(self.schema.then(|| "schema".to_owned()));
        parts.extend(self.ordered.map(|ordered| if ordered { "ordered".to_owned() } else { "unordered".to_owned() }));
        if !self.sorted_by.is_empty() {
            let keys = self.sorted_by.iter();
            let keys: Vec<_> =
                keys.map(|key| format!("{}{}", key.column, if key.is_descending { " desc" } else { "" })).collect();
            parts.push(format!("ordered by {}", keys.join(", ")));
        }
        parts.extend(self.cells.map(|cells| cells.word().to_owned()));
        parts.join(", ")
    }

    /// Adds the options of `other` of which these have none of the kind. Units and forms that are written add up.
    pub fn or(self, other: Options) -> Options {
        fn or_list<T>(own: Vec<T>, other: Vec<T>) -> Vec<T> {
            if own.is_empty() { other } else { own }
        }
        Options {
            within: self.within.or(other.within),
            rounded: self.rounded.or(other.rounded),
            graded: self.graded.or(other.graded),
            ignore: or_list(self.ignore, other.ignore),
            ordered: self.ordered.or(other.ordered),
            units: [self.units, other.units].concat(),
            written: [self.written, other.written].concat(),
            open: self.open || other.open,
            parts: or_list(self.parts, other.parts),
            sorted_by: or_list(self.sorted_by, other.sorted_by),
            cells: self.cells.or(other.cells),
            schema: self.schema || other.schema,
        }
    }

    /// Adds the options of the whole answer to those of a column of it: those of cells, and a precision and forms only if the column has none.
    pub fn or_whole(self, whole: &Options) -> Options {
        let written = if self.written.is_empty() { whole.written.clone() } else { Vec::new() };
        let units = if self.units.is_empty() { whole.units.clone() } else { Vec::new() };
        let of_whole = Options { parts: Vec::new(), schema: false, units, ..whole.clone() };
        let cells = Options { ordered: None, open: false, sorted_by: Vec::new(), written, ..of_whole };
        match self.within.is_some() || self.rounded.is_some() || self.graded.is_some() {
            true => self.or(Options { within: None, rounded: None, graded: None, ..cells }),
            false => self.or(cells),
        }
    }
}

/// A form in which a number or date may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// The pattern.
    pub pattern: String,
    /// What the number in the text is multiplied by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Decimal>,
}

impl From<String> for Told {
    fn from(pattern: String) -> Told {
        Told { pattern, times: None }
    }
}

impl Told {
    /// Renders the option as source.
    pub fn to_source(&self) -> String {
        let times = self.times.map(|times| format!(" times {times}")).unwrap_or_default();
        format!("written {:?}{times}", self.pattern)
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

crate::worded! {
    /// How a cell is compared with the expected text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CellMatch {
        /// It contains the text, at word boundaries and in any letter case.
        Contains = "contains",
        /// The whole cell matches the text, a regular expression.
        Matches = "matches",
    }
}

crate::words_in_json!(CellMatch);
