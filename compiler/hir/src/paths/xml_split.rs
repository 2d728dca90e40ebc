//! The parts of an XPath predicate that `and`, `or`, and `not` join, each with its byte range: the tree of `xpath-eval` has no places.

use std::ops::Range;

/// The range of the predicate that begins at `from`, perhaps after blanks, without its brackets. `None` if there is none.
pub fn find_predicate(text: &str, from: usize) -> Option<Range<usize>> {
    let tokens = Tokens::new(text);
    let open = tokens.list.iter().position(|(at, c)| *at >= from && !c.is_whitespace())?;
    tokens.list.get(open).filter(|(_, c)| *c == '[')?;
    let mut depth = 0_u32;
    for (at, c) in tokens.list.iter().skip(open) {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            let (start, _) = tokens.list.get(open)?;
            return Some(start + 1..*at);
        }
    }
    None
}

/// A part of a predicate.
pub struct Part {
    /// Its byte range.
    pub range: Range<usize>,
    /// What it is.
    pub kind: PartKind,
}

/// What a part of a predicate is.
pub enum PartKind {
    /// `a and b`
    And(Vec<Part>),
    /// `a or b`
    Or(Vec<Part>),
    /// `not(a)`
    Not(Box<Part>),
    /// Anything else.
    Whole,
}

/// The deepest nesting of brackets that is split.
const MAX_DEPTH: u32 = 40;

/// Splits a condition at `or`, `and`, and `not`.
pub fn split_condition(text: &str, range: Range<usize>) -> Part {
    split_part(text, range, MAX_DEPTH)
}

fn split_part(text: &str, range: Range<usize>, depth: u32) -> Part {
    let range = trim_range(text, range);
    if depth == 0 {
        return Part { range, kind: PartKind::Whole };
    }
    for word in ["or", "and"] {
        let parts = split_at_word(text, range.clone(), word);
        if parts.len() > 1 {
            let parts = parts.into_iter().map(|part| split_part(text, part, depth - 1)).collect();
            return Part { range, kind: if word == "or" { PartKind::Or(parts) } else { PartKind::And(parts) } };
        }
    }
    match strip_brackets(text, range.clone()) {
        Some(inner) if slice(text, range.clone()).starts_with('(') => split_part(text, inner, depth - 1),
        Some(inner) => Part { range, kind: PartKind::Not(Box::new(split_part(text, inner, depth - 1))) },
        None => Part { range, kind: PartKind::Whole },
    }
}

fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn trim_range(text: &str, range: Range<usize>) -> Range<usize> {
    let all = slice(text, range.clone());
    let start = range.start + (all.len() - all.trim_start().len());
    start..start + all.trim().len()
}

/// The parts between this word outside brackets.
fn split_at_word(text: &str, range: Range<usize>, word: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), range.start, 0_u32);
    let is_word =
        |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@' | '/'));
    for (at, c) in Tokens::new(text).list.into_iter().filter(|(at, _)| range.contains(at)) {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ => {
                let before = slice(text, range.start..at);
                // A name at the beginning of a part is a path.
                if is_word(before.chars().next_back()) || slice(text, start..at).trim().is_empty() {
                    continue;
                }
                let rest = slice(text, at..range.end);
                if rest
                    .strip_prefix(word)
                    .is_some_and(|rest| !is_word(rest.chars().next()) || rest.starts_with(['@', '/', '.']))
                {
                    parts.push(start..at);
                    start = at + word.len();
                }
            }
        }
    }
    parts.push(start..range.end);
    parts
}

/// What is within `( … )` or `not( … )`, if that is all.
fn strip_brackets(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let all = slice(text, range.clone());
    let rest = all.strip_prefix("not").unwrap_or(all).trim_start();
    let open = range.start + (all.len() - rest.len());
    if !rest.starts_with('(') || !rest.ends_with(')') {
        return None;
    }
    let mut depth = 0_u32;
    for (at, c) in Tokens::new(text).list.into_iter().filter(|(at, _)| (open..range.end).contains(at)) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at + 1 == range.end).then_some(open + 1..at);
        }
    }
    None
}

/// The characters outside quotes.
struct Tokens {
    list: Vec<(usize, char)>,
}

impl Tokens {
    fn new(text: &str) -> Tokens {
        let mut quote = None;
        let mut list = Vec::new();
        for (at, c) in text.char_indices() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => {}
                None if matches!(c, '\'' | '"') => quote = Some(c),
                None => list.push((at, c)),
            }
        }
        Tokens { list }
    }
}
