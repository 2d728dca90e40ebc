//! Expressions of the suite.

use super::types::Kind;

/// The format in which PICARD writes a value in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintStyle {
    /// The format of the suite.
    Same,
    /// The format of a Python float: `118.0`, `44.653333333333336`.
    Float,
    /// The format of a Python bool: `True`.
    Python,
}

/// A function of the content of a file.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The source text.
    pub text: String,
    /// The kind of the result.
    pub kind: Kind,
    /// The format in which PICARD writes the result.
    pub printed: PrintStyle,
    /// Whether the result may be null.
    pub nullable: bool,
    /// For values joined with commas: the list, and the kind of its items.
    pub list: Option<(String, Kind)>,
}

impl Expr {
    /// Creates an expression whose result PICARD writes in the format of the suite.
    pub fn new(text: impl Into<String>, kind: Kind) -> Expr {
        Expr { text: text.into(), kind, printed: PrintStyle::Same, nullable: false, list: None }
    }
}

/// Creates an expression for values joined with commas.
pub fn join_values(list: String, kind: Kind) -> Expr {
    Expr { list: Some((list.clone(), kind)), ..Expr::new(format!("join({list}, \",\")"), Kind::Text) }
}
