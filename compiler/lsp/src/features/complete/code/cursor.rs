//! The cursor at which code is completed, and the words before it.

use compiler::query::{TableLocation, TablePreview};
use compiler::syntax::words;

use super::super::scope::Scope;
use crate::analysis::Analysis;
use crate::context::Context;

/// A cursor outside strings.
pub struct CursorContext<'a> {
    pub scope: &'a Scope,
    pub analysis: &'a Analysis,
    pub text: &'a str,
    pub context: &'a Context<'a>,
    /// The location of the table that is read around the cursor; its files are in `glimpse`.
    pub look: Option<&'a TableLocation>,
    pub glimpse: Option<&'a TablePreview>,
}

/// Whether the words end with a value, and an operator fits next instead of an operand.
pub fn is_value_end(words: &[&str]) -> bool {
    let Some(last) = words.last() else { return false };
    match *last {
        "\"" | "(" | "[" | "{" | "<<" | "%" => true,
        word => word.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !words::must_be_followed(word),
    }
}

/// The words around the first of these signs: those before it, the sign, and those after it.
pub fn split_at_sign<'w, 't>(words: &'w [&'t str], signs: &[&str]) -> Option<(&'w [&'t str], &'t str, &'w [&'t str])> {
    let at = words.iter().position(|word| signs.contains(word))?;
    let (before, rest) = words.split_at_checked(at)?;
    let (sign, after) = rest.split_first()?;
    Some((before, sign, after))
}

/// The names of a path `a.b`.
pub fn list_path_names<'t>(words: &[&'t str]) -> Vec<&'t str> {
    words.iter().copied().filter(|word| *word != ".").collect()
}
