//! The functions that an XPath calls: XPath 1.0 has 27, and a call of any other would fail every build.

use super::PathError;
use crate::types::{Ty, TyKind};

/// The functions of XPath 1.0, with the types of their results: unknown for numbers that may have a fraction, and `None` for nodes.
static FUNCTIONS: [(&str, Option<TyKind>); 27] = [
    ("boolean", Some(TyKind::Bool)),
    ("ceiling", Some(TyKind::Unknown)),
    ("concat", Some(TyKind::Text)),
    ("contains", Some(TyKind::Bool)),
    ("count", Some(TyKind::Int)),
    ("false", Some(TyKind::Bool)),
    ("floor", Some(TyKind::Unknown)),
    ("id", None),
    ("lang", Some(TyKind::Bool)),
    ("last", Some(TyKind::Int)),
    ("local-name", Some(TyKind::Text)),
    ("name", Some(TyKind::Text)),
    ("namespace-uri", Some(TyKind::Text)),
    ("normalize-space", Some(TyKind::Text)),
    ("not", Some(TyKind::Bool)),
    ("number", Some(TyKind::Unknown)),
    ("position", Some(TyKind::Int)),
    ("round", Some(TyKind::Unknown)),
    ("starts-with", Some(TyKind::Bool)),
    ("string", Some(TyKind::Text)),
    ("string-length", Some(TyKind::Int)),
    ("substring", Some(TyKind::Text)),
    ("substring-after", Some(TyKind::Text)),
    ("substring-before", Some(TyKind::Text)),
    ("sum", Some(TyKind::Unknown)),
    ("translate", Some(TyKind::Text)),
    ("true", Some(TyKind::Bool)),
];

/// The type of a function's result. `None` for nodes.
pub fn infer_result(name: &str) -> Option<Ty> {
    let (_, result) = FUNCTIONS.iter().find(|(known, _)| *known == name)?;
    result.clone().map(Ty::new)
}

/// Other words before `(`: node tests, and operators that are words.
const OTHERS: [&str; 8] = ["and", "comment", "div", "mod", "node", "or", "processing-instruction", "text"];

/// The first called function that is not in XPath 1.0. `text` must be a valid XPath.
pub fn find_unknown(text: &str) -> Option<PathError> {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let mut quote = None;
    let mut name: Option<(usize, usize)> = None;
    for (at, c) in text.char_indices() {
        if let Some(open) = quote {
            if c == open {
                quote = None;
            }
            continue;
        }
        match c {
            '\'' | '"' => (quote, name) = (Some(c), None),
            '(' => {
                let called = name.take().and_then(|(start, end)| Some((start, end, text.get(start..end)?)));
                // A minus, or a number, is an operator or an operand before brackets.
                if let Some((start, end, called)) = called
                    && called.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && !FUNCTIONS.iter().any(|(known, _)| *known == called)
                    && !OTHERS.contains(&called.rsplit(':').next().unwrap_or(called))
                {
                    let message = format!("XPath 1.0 has no function `{called}`");
                    let known = FUNCTIONS.iter().map(|(known, _)| (*known).to_owned()).collect();
                    let names = Some((called.to_owned(), known));
                    return Some(PathError {
                        names,
                        syntax: true,
                        ..PathError::new(start..end, message, "not a function")
                    });
                }
            }
            _ if c.is_whitespace() => {}
            _ if part_of_name(c) => {
                name = match name {
                    Some((start, end)) if end == at => Some((start, at + c.len_utf8())),
                    _ => Some((at, at + c.len_utf8())),
                };
            }
            _ => name = None,
        }
    }
    None
}
