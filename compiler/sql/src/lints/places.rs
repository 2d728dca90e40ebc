//! The byte range of an expression, including its brackets, which `sqlparser` omits.

use sqlparser::ast::{Expr, Spanned};

use crate::brackets::find_closing_bracket;
use crate::lex::Token;
use crate::parse;

/// The byte range of an expression with all its brackets.
pub fn find_expr_bytes(tokens: &[Token<'_>], expr: &Expr) -> Option<(usize, usize)> {
    let first = find_first_token(tokens, expr)?;
    let last = find_last_token(tokens, expr)?;
    Some((tokens.get(first)?.start, tokens.get(last)?.end()))
}

fn find_first_token(tokens: &[Token<'_>], expr: &Expr) -> Option<usize> {
    let at = |expr: &Expr| {
        let (start, _) = parse::find_span_bytes(expr.span())?;
        Some(tokens.partition_point(|token| token.start < start))
    };
    match expr {
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => find_first_token(tokens, inner)?.checked_sub(1),
        Expr::Cast { expr, .. } | Expr::Ceil { expr, .. } | Expr::Floor { expr, .. } => {
            find_first_token(tokens, expr)?.checked_sub(2)
        }
        Expr::Subquery(_) => at(expr)?.checked_sub(1),
        Expr::Exists { .. } | Expr::Substring { .. } | Expr::Trim { .. } => at(expr)?.checked_sub(2),
        Expr::BinaryOp { left, .. } => {
            let mut left = left;
            while let Expr::BinaryOp { left: next, .. } = left.as_ref() {
                left = next;
            }
            find_first_token(tokens, left)
        }
        _ => at(expr),
    }
}

fn find_last_token(tokens: &[Token<'_>], expr: &Expr) -> Option<usize> {
    match expr {
        Expr::BinaryOp { right, .. } => find_last_token(tokens, right),
        Expr::UnaryOp { expr, .. } => find_last_token(tokens, expr),
        Expr::Nested(_)
        | Expr::Cast { .. }
        | Expr::Ceil { .. }
        | Expr::Floor { .. }
        | Expr::Subquery(_)
        | Expr::Exists { .. }
        | Expr::Substring { .. }
        | Expr::Trim { .. } => {
            let first = find_first_token(tokens, expr)?;
            let open = (first..tokens.len()).find(|at| tokens.get(*at).is_some_and(|token| token.is_punct("(")))?;
            find_closing_bracket(tokens, open)
        }
        _ => {
            let (_, end) = parse::find_node_bytes(tokens, expr)?;
            Some(tokens.partition_point(|token| token.end() < end))
        }
    }
}
