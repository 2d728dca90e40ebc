//! The functions that an XPath calls: XPath 1.0 has 27, and a call of any other would fail every build.

use super::PathError;
use crate::types::{Ty, TyKind};

/// The type of a function's result; unknown for numbers that may have a fraction. `None` for nodes.
pub fn infer_result(name: &str) -> Option<Ty> {
    Some(match name {
        "count" | "string-length" | "position" | "last" => Ty::new(TyKind::Int),
        "boolean" | "contains" | "false" | "lang" | "not" | "starts-with" | "true" => Ty::new(TyKind::Bool),
        "ceiling" | "floor" | "number" | "round" | "sum" => Ty::UNKNOWN,
        "id" => return None,
        _ => Ty::new(TyKind::Text),
    })
}

/// The functions of XPath 1.0.
const KNOWN: [&str; 27] = [
    "boolean",
    "ceiling",
    "concat",
    "contains",
    "count",
    "false",
    "floor",
    "id",
    "lang",
    "last",
    "local-name",
    "name",
    "namespace-uri",
    "normalize-space",
    "not",
    "number",
    "position",
    "round",
    "starts-with",
    "string",
    "string-length",
    "substring",
    "substring-after",
    "substring-before",
    "sum",
    "translate",
    "true",
];

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
                if let Some((start, end, called)) = called
                    && !KNOWN.contains(&called)
                    && !OTHERS.contains(&called.rsplit(':').next().unwrap_or(called))
                {
                    return Some(PathError {
                        start,
                        end,
                        message: format!("XPath 1.0 has no function `{called}`"),
                        label: "not a function".to_owned(),
                        names: Some((called.to_owned(), KNOWN.map(str::to_owned).to_vec())),
                        syntax: true,
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
