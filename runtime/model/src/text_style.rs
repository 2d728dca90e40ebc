//! The styles of texts (`as case 5%`): a share of the cells of a column has other letters or blanks than their values, and means the same. Each has one record.

use std::ops::{Index, IndexMut};

use crate::suite::Ignore;

crate::worded! {
    /// A style of texts. Where several apply to a cell, they do in this order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TextStyle {
        /// Uppercase, lowercase, or capitalized.
        Case = "case",
        /// An additional space.
        Space = "space",
    }
}

/// All about a style that is not an algorithm: how messages name it, and what makes its texts equal again.
pub struct TextStyleRecord {
    /// The text that an editor inserts, with placeholders such as `${1:…}`.
    pub snippet: &'static str,
    /// What is in the file, in one sentence.
    pub doc: &'static str,
    /// What varies: the letter case.
    pub varies: &'static str,
    /// The same, before the name of a column: the letter case of.
    pub varies_in: &'static str,
    /// The option of an expectation that ignores it.
    pub ignore: Ignore,
    /// The flag of a regular expression that ignores it.
    pub flag: Option<&'static str>,
    /// The function whose result is the same for all such texts.
    pub function: Option<&'static str>,
    /// An expression over the cell `Y` for a column that is read.
    pub evened: &'static str,
    /// What a prompt should say.
    pub telling: &'static str,
    /// Beginnings of the words with which a prompt mentions it.
    pub words: &'static [&'static str],
    /// Whether it can add a blank at an end of a text.
    pub pads: bool,
}

const CASE: TextStyleRecord = TextStyleRecord {
    snippet: "case ${1:20}%",
    doc: "This share of the fields in uppercase, in lowercase, or capitalized.",
    varies: "letter case",
    varies_in: "letter case of",
    ignore: Ignore::Case,
    flag: Some("(?i)"),
    function: Some("lower"),
    evened: "lower(Y)",
    telling: "say that capitals and small letters do not matter",
    words: &["case", "capital", "uppercase", "lowercase", "small", "letter"],
    pads: false,
};

const SPACE: TextStyleRecord = TextStyleRecord {
    snippet: "space ${1:10}%",
    doc: "The share of fields with an extra blank.",
    varies: "blanks",
    varies_in: "blanks in",
    ignore: Ignore::Space,
    flag: None,
    function: None,
    evened: "trim(Y)",
    telling: "say that blanks do not matter",
    words: &["space", "blank", "white", "trim"],
    pads: true,
};

impl TextStyle {
    /// How many styles of texts there are.
    pub const COUNT: usize = TextStyle::ALL.len();

    /// Returns the record of the style.
    ///
    /// ```
    /// use model::text_style::TextStyle;
    ///
    /// assert_eq!(TextStyle::from_word("space").map(|style| style.record().evened), Some("trim(Y)"));
    /// ```
    pub const fn record(self) -> &'static TextStyleRecord {
        match self {
            TextStyle::Case => &CASE,
            TextStyle::Space => &SPACE,
        }
    }
}

/// A value for each style of texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByTextStyle<T>([T; TextStyle::COUNT]);

impl<T> ByTextStyle<T> {
    /// Computes the value of each style.
    pub fn from_fn(value: impl FnMut(TextStyle) -> T) -> ByTextStyle<T> {
        let mut styles = TextStyle::ALL.iter().copied().map(value);
        ByTextStyle(std::array::from_fn(|_| styles.next().expect("one for each style")))
    }

    /// Iterates the styles with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (TextStyle, &T)> {
        TextStyle::ALL.iter().copied().zip(&self.0)
    }
}

impl<T> ByTextStyle<Option<T>> {
    /// Checks whether no style has a value.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// Iterates the styles that have a value.
    pub fn iter_present(&self) -> impl Iterator<Item = (TextStyle, &T)> {
        self.iter().filter_map(|(style, value)| Some((style, value.as_ref()?)))
    }
}

impl<T> Index<TextStyle> for ByTextStyle<T> {
    type Output = T;

    fn index(&self, style: TextStyle) -> &T {
        &self.0[style as usize]
    }
}

impl<T> IndexMut<TextStyle> for ByTextStyle<T> {
    fn index_mut(&mut self, style: TextStyle) -> &mut T {
        &mut self.0[style as usize]
    }
}
