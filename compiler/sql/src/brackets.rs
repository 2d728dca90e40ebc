//! The brackets among the tokens of a query.

use super::lex::Token;

/// The indexes of the tokens outside brackets; brackets themselves are not included.
pub fn list_top_level(tokens: &[Token<'_>]) -> impl Iterator<Item = usize> {
    let mut depth = 0_i32;
    tokens.iter().enumerate().filter_map(move |(at, token)| {
        depth += i32::from(token.is_punct("(")) - i32::from(token.is_punct(")"));
        (depth == 0 && !token.is_punct(")")).then_some(at)
    })
}

/// The first of these keywords outside brackets.
pub fn find_top_level(tokens: &[Token<'_>], keywords: &str) -> Option<usize> {
    list_top_level(tokens).find(|at| is_any_at(tokens, *at, keywords))
}

/// Whether one of these keywords is at an index.
pub fn is_any_at(tokens: &[Token<'_>], at: usize, keywords: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.is_any(keywords))
}

/// The tokens between the commas outside brackets.
pub fn split_at_commas<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let commas = list_top_level(tokens).filter(|at| tokens.get(*at).is_some_and(|token| token.is_punct(",")));
    let (mut parts, mut start) = (Vec::new(), 0);
    for end in commas.chain([tokens.len()]) {
        parts.push(tokens.get(start..end).unwrap_or_default());
        start = end + 1;
    }
    parts
}

/// Finds the bracket that closes the one at `open`.
pub fn find_closing_bracket(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is_punct("(") {
            depth += 1;
        } else if token.is_punct(")") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}
