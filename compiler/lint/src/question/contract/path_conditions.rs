//! The comparisons with literals in a JSONPath or XPath, as far as its text shows them.

use model::suite::Op;
use model::{Decimal, Value};

const OPERATORS: [(&str, Op); 7] =
    [(">=", Op::Ge), ("<=", Op::Le), ("==", Op::Eq), ("!=", Op::Ne), (">", Op::Gt), ("<", Op::Lt), ("=", Op::Eq)];

/// Finds operators that are followed by a literal. None in a path that turns conditions around.
pub(super) fn find_conditions(path: &str) -> Vec<(Op, Value)> {
    let mut found = Vec::new();
    if ["!(", "! (", "not(", "not ("].iter().any(|negation| path.contains(negation)) {
        return found;
    }
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        if let Some((sign, op)) = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            rest = rest.get(sign.len()..).unwrap_or_default();
            found.extend(parse_literal(rest.trim_start()).map(|value| (*op, value)));
        } else if first == '\'' || first == '"' {
            let inner = rest.get(1..).unwrap_or_default();
            rest = inner.find(first).and_then(|end| inner.get(end + 1..)).unwrap_or_default();
        } else {
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
    found
}

/// The literal at the start of a text, unless an expression continues it.
fn parse_literal(text: &str) -> Option<Value> {
    let first = text.chars().next()?;
    if first == '\'' || first == '"' {
        let inner = text.get(1..)?;
        return Some(Value::from_text(inner.get(..inner.find(first)?)?));
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-'))).unwrap_or(text.len());
    let (digits, rest) = (text.get(..end)?, text.get(end..)?.trim_start());
    if rest.starts_with(['*', '+', '/']) || rest.starts_with("div") {
        return None;
    }
    match digits.parse::<i64>() {
        Ok(number) => Some(Value::Int(number)),
        Err(_) => digits.parse::<Decimal>().ok().map(Value::Decimal),
    }
}
