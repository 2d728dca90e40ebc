//! The conditions in the filters of a path, as far as facts about the values decide them.

use model::Value;
use model::suite::Op;

use super::leaf::Leaf;

/// A condition in a filter: a comparison, a test of existence, or a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<L = (usize, usize)> {
    /// Its range: in bytes of the path.
    pub place: L,
    /// The language of the path, which decides how values are compared.
    pub language: Language,
    /// What is asked.
    pub test: Test,
}

/// The language of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JSONPath: values of different types are never equal, and never less or greater.
    Json,
    /// XPath 1.0: values are converted, and only numbers are less or greater.
    XPath,
}

/// What a condition asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `a op b`
    Compare(Op, Operand, Operand),
    /// Whether something is there.
    Exists(Operand),
    /// Whether a text meets a pattern.
    Matches(Operand, Pattern, String),
}

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `match`: a regular expression for the whole text.
    Whole,
    /// `search`: a regular expression for a part of it.
    Part,
    /// `contains`
    Contains,
    /// `starts-with`
    Start,
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A literal.
    Literal(Value),
    /// The values at the positions that a path reaches.
    Values(Reached),
    /// The lengths of these values, in characters.
    Lengths(Reached),
    /// The characters of these values from one index, counted from 1, as many as this.
    Part(Reached, i64, i64),
    /// A number between two.
    Count(u64, u64),
    /// Nothing is known.
    Unknown,
}

/// The values at the positions that a path reaches from each context.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The values, one for each kind of position.
    pub leaves: Vec<Leaf>,
    /// Whether there may be none.
    pub optional: bool,
    /// Whether there may be several.
    pub several: bool,
}
