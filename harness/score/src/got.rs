//! Values of a response, before they are compared.

use std::borrow::Cow;

use model::singular::{Singular, Step};
use model::wrapping::list_unwrapped;

use crate::exact::Exact;
use crate::read::{clean, number};
use crate::rules::Rules;
use crate::text::compose_letters;

/// The maximum size in bytes of an item or cell that is also read without the marks around it.
const MAX_UNWRAPPED: usize = 1 << 14;

/// A value of the response.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ResponseValue {
    /// An explicit null.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
    /// A piece of a form that has only texts (a line, a cell of CSV): the key decides whether it is a number, a text, or null.
    Plain(Plain),
    /// Values in order.
    Array(Vec<ResponseValue>),
    /// Named values in order, without duplicate names.
    Object(Vec<(String, ResponseValue)>),
}

/// A number in a response.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its value.
    pub exact: Exact,
    /// Its origin.
    pub source: Source,
    /// As it was written, for people.
    pub shown: String,
}

/// The origin of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It was written, digit by digit.
    Written,
    /// An INTEGER of SQL: 1 and 0 also count as true and false.
    Integer,
    /// A REAL of SQL: it has the rounding noise of a double.
    Real,
}

/// A piece of text in a form without types, such as CSV, which may also be read as a number or another scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// The text, trimmed.
    pub text: String,
    /// Its value if it is a number.
    pub number: Option<Exact>,
    /// Its value if it is true or false.
    pub truth: Option<bool>,
    /// The piece without its outermost mark, if it has one and the rules read it so, too.
    pub inner: Option<Box<Plain>>,
}

impl Plain {
    fn new(text: Cow<'_, str>, rules: &Rules) -> Plain {
        let is_short = text.len() <= MAX_UNWRAPPED;
        let inside = if rules.unwraps_answers && is_short { list_unwrapped(&text) } else { Vec::new() };
        let read = |inner, text| Some(Box::new(Plain { inner, ..Plain::read(text, rules) }));
        Plain { inner: inside.into_iter().rev().fold(None, read), ..Plain::read(text.into_owned(), rules) }
    }

    /// Reads a text as it is.
    fn read(text: String, rules: &Rules) -> Plain {
        // In a reply, a cell or item is a number of its own.
        let with_separators = || number::parse_number(&number::read_separators(&text)?, rules);
        let number = number::parse_number(&text, rules).or_else(|| with_separators().filter(|_| rules.unwraps_answers));
        let truth = parse_bool(&text, rules);
        Plain { text, number, truth, inner: None }
    }

    /// Whether the piece is empty or `null`, in any letter case.
    pub fn is_null(&self) -> bool {
        self.text.is_empty() || self.text.eq_ignore_ascii_case("null")
    }

    /// Returns true for `1`, false for `0`, and `None` for anything else.
    pub fn find_digit(&self) -> Option<bool> {
        match self.text.as_str() {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        }
    }

    /// Iterates over the ways in which the piece is read: as it is, and without each of the marks around it.
    pub fn iter_readings(&self) -> impl Iterator<Item = &Plain> {
        std::iter::successors(Some(self), |outer| outer.inner.as_deref())
    }
}

/// Reads a text as true or false: by the words of JSON, and, if the rules say so, by `yes`, `no`, and first letters. Letter case does not count.
pub fn parse_bool(text: &str, rules: &Rules) -> Option<bool> {
    const FALSE: [&str; 4] = ["false", "no", "n", "f"];
    const TRUE: [&str; 4] = ["true", "yes", "y", "t"];
    let words = if rules.written_bools { FALSE.len() } else { 1 };
    let is_any = |known: [&str; 4]| known.iter().take(words).any(|word| text.eq_ignore_ascii_case(word));
    if is_any(TRUE) { Some(true) } else { is_any(FALSE).then_some(false) }
}

impl ResponseValue {
    /// Creates a piece of a form that has only texts.
    pub fn from_plain_text(text: &str, rules: &Rules) -> ResponseValue {
        let text = if rules.canonical_texts { clean::normalize_text(text) } else { text.trim().into() };
        ResponseValue::Plain(Plain::new(text, rules))
    }

    /// Returns the value at a place; `None` if the place does not exist.
    pub fn find_at(&self, path: &Singular) -> Option<&ResponseValue> {
        path.steps().iter().try_fold(self, |value, step| match (value, step) {
            (ResponseValue::Object(fields), Step::Name(name)) => {
                // The field with exactly this name, or else the one whose name is canonically equivalent.
                let exact = fields.iter().find(|(known, _)| known == name);
                let same = || fields.iter().find(|(known, _)| compose_letters(known) == compose_letters(name));
                exact.or_else(same).map(|(_, value)| value)
            }
            (ResponseValue::Array(items), Step::Index(index)) => items.get(Step::resolve_index(*index, items.len())?),
            _ => None,
        })
    }

    /// Renders the value for people, on one line.
    pub fn render_line(&self) -> String {
        match self {
            ResponseValue::Null => "null".to_owned(),
            ResponseValue::Bool(value) => value.to_string(),
            ResponseValue::Number(number) => number.shown.clone(),
            ResponseValue::Text(text) => quote_json(text),
            ResponseValue::Plain(plain) => plain.text.clone(),
            ResponseValue::Array(items) => render_array(items.iter().map(ResponseValue::render_line)),
            ResponseValue::Object(fields) => {
                render_object(fields.iter().map(|(name, value)| (name, value.render_line())))
            }
        }
    }
}

/// Renders an array of JSON on one line.
pub fn render_array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Renders an object of JSON on one line.
pub fn render_object<'n>(fields: impl Iterator<Item = (&'n String, String)>) -> String {
    let fields: Vec<String> = fields.map(|(name, value)| format!("{}: {value}", quote_json(name))).collect();
    format!("{{{}}}", fields.join(", "))
}

/// Quotes a text as JSON.
pub fn quote_json(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a String cannot fail.
            control if control < ' ' => drop(write!(out, "\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
