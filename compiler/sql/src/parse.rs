//! Parsing of tokens to `sqlparser`'s tree.
//!
//! The tree is built from our own tokens, whose "columns" are byte offsets, so every span in it is exact without counting characters. Syntax of SQLite that
//! `sqlparser` does not support is translated to equivalent syntax of the same type. If parsing still fails, fewer checks are possible; SQLite decides what is
//! valid SQL.

use sqlparser::ast::{Expr, Ident, Query, Spanned, Statement};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Location, Span, Token as Out, TokenWithSpan};

use super::brackets::find_closing_bracket;
use super::dialect::Sqlite;
use super::lex::{Kind, Token};

/// The maximum number of tokens, more than any hand-written query has. The tree of a longer query may be too deep to visit.
const MAX_TOKENS: usize = 20_000;

/// Parses the query; `None` if `sqlparser` does not support it.
pub fn parse_query(tokens: &[Token<'_>]) -> Option<Box<Query>> {
    if tokens.len() > MAX_TOKENS {
        return None;
    }
    let dialect = Sqlite;
    let mut parser = Parser::new(&dialect).with_tokens_with_locations(translate_tokens(tokens)?);
    let statement = parser.parse_statement().ok()?;
    if !matches!(parser.peek_token().token, Out::EOF | Out::SemiColon) {
        return None;
    }
    match statement {
        Statement::Query(query) => Some(query),
        _ => None,
    }
}

/// The byte range of a span of the tree; `None` for an empty span.
pub fn find_span_bytes(span: Span) -> Option<(usize, usize)> {
    let place = |location: Location| (location.line == 1).then_some(location.column as usize);
    let (start, end) = (place(span.start)?, place(span.end)?);
    (start <= end).then_some((start, end))
}

/// The byte range of a name.
pub fn find_ident_bytes(ident: &Ident) -> (usize, usize) {
    find_span_bytes(ident.span).unwrap_or((0, 0))
}

/// The byte range of a node. `sqlparser` omits closing brackets and `END`, so these are added by counting.
pub fn find_node_bytes(tokens: &[Token<'_>], node: &impl Spanned) -> Option<(usize, usize)> {
    let (start, end) = find_span_bytes(node.span())?;
    let first = tokens.partition_point(|token| token.start < start);
    let (mut depth, mut last) = (0_i32, end);
    for token in tokens.get(first..)? {
        if token.start >= end
            && depth <= 0
            && !(token.is_punct("(") && last == end && is_call_bracket(tokens, first, token))
        {
            break;
        }
        if token.is_punct("(") || token.is_keyword("CASE") {
            depth += 1;
        } else if token.is_punct(")") || token.is_keyword("END") {
            depth -= 1;
        }
        if depth < 0 {
            break;
        }
        last = token.end();
    }
    Some((start, last.max(end)))
}

/// The byte range of an expression with all its brackets.
pub fn find_expr_bytes(tokens: &[Token<'_>], expr: &Expr) -> Option<(usize, usize)> {
    let first = find_first_token(tokens, expr)?;
    let last = find_last_token(tokens, expr)?;
    Some((tokens.get(first)?.start, tokens.get(last)?.end()))
}

fn find_first_token(tokens: &[Token<'_>], expr: &Expr) -> Option<usize> {
    let mut expr = expr;
    while let Some(left) = find_left_side(expr) {
        expr = left;
    }
    let first_of = |inner: &Expr, before: usize| find_first_token(tokens, inner)?.checked_sub(before);
    let at = |before: usize| {
        let (start, _) = find_span_bytes(expr.span())?;
        tokens.partition_point(|token| token.start < start).checked_sub(before)
    };
    match expr {
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => first_of(inner, 1),
        Expr::Tuple(items) => first_of(items.first()?, 1),
        Expr::Cast { expr, .. }
        | Expr::Ceil { expr, .. }
        | Expr::Floor { expr, .. }
        | Expr::Substring { expr, .. }
        | Expr::Trim { expr, .. } => first_of(expr, 2),
        Expr::Subquery(_) => at(1),
        Expr::Exists { negated, .. } => at(if *negated { 3 } else { 2 }),
        _ => at(0),
    }
}

/// The part with which an expression begins, unless it begins with a word, a sign, or a bracket of its own.
fn find_left_side(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::BinaryOp { left, .. } | Expr::IsDistinctFrom(left, _) | Expr::IsNotDistinctFrom(left, _) => Some(left),
        Expr::Between { expr, .. }
        | Expr::InList { expr, .. }
        | Expr::InSubquery { expr, .. }
        | Expr::Like { expr, .. }
        | Expr::Collate { expr, .. } => Some(expr),
        other => find_tested(other),
    }
}

/// The value of a test whose tree node ends with it: `x IS NULL`, `x IS NOT TRUE`.
fn find_tested(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::IsNull(expr)
        | Expr::IsNotNull(expr)
        | Expr::IsTrue(expr)
        | Expr::IsNotTrue(expr)
        | Expr::IsFalse(expr)
        | Expr::IsNotFalse(expr) => Some(expr),
        _ => None,
    }
}

fn find_last_token(tokens: &[Token<'_>], expr: &Expr) -> Option<usize> {
    let bracket_after = |from: usize| {
        let open = (from..tokens.len()).find(|at| tokens.get(*at).is_some_and(|token| token.is_punct("(")))?;
        find_closing_bracket(tokens, open)
    };
    match expr {
        Expr::BinaryOp { right, .. } | Expr::IsDistinctFrom(_, right) | Expr::IsNotDistinctFrom(_, right) => {
            find_last_token(tokens, right)
        }
        Expr::UnaryOp { expr, .. } => find_last_token(tokens, expr),
        Expr::Between { high, .. } => find_last_token(tokens, high),
        Expr::Like { pattern, escape_char, .. } => find_last_token(tokens, escape_char.as_ref().unwrap_or(pattern)),
        Expr::InList { expr, list, .. } => match list.last() {
            Some(item) => Some(find_last_token(tokens, item)? + 1),
            None => bracket_after(find_last_token(tokens, expr)?),
        },
        Expr::InSubquery { expr: value, .. } => {
            let behind = find_last_token(tokens, value)? + 1;
            let negated = tokens.get(behind).is_some_and(|token| token.is_keyword("NOT"));
            let open = behind + 1 + usize::from(negated);
            match tokens.get(open).is_some_and(|token| token.is_punct("(")) {
                true => find_closing_bracket(tokens, open),
                false => find_last_of_node(tokens, expr),
            }
        }
        Expr::Function(call) if call.over.is_some() || call.filter.is_some() => {
            let mut last = bracket_after(find_first_token(tokens, expr)?)?;
            while tokens.get(last + 1).is_some_and(|next| next.is_any("FILTER OVER")) {
                // A window can be named instead of described.
                let is_named = tokens.get(last + 2).is_some_and(|next| !next.is_punct("("));
                last = if is_named { last + 2 } else { find_closing_bracket(tokens, last + 2)? };
            }
            Some(last)
        }
        Expr::Nested(_)
        | Expr::Tuple(_)
        | Expr::Cast { .. }
        | Expr::Ceil { .. }
        | Expr::Floor { .. }
        | Expr::Subquery(_)
        | Expr::Exists { .. }
        | Expr::Substring { .. }
        | Expr::Trim { .. } => bracket_after(find_first_token(tokens, expr)?),
        other => match find_tested(other) {
            Some(tested) => {
                let last = find_last_token(tokens, tested)?;
                let ends = |token: &Token<'_>| token.is_any("NULL ISNULL NOTNULL TRUE FALSE");
                (last + 1..last + 4).find(|at| tokens.get(*at).is_some_and(ends)).or(Some(last))
            }
            None => find_last_of_node(tokens, other),
        },
    }
}

fn find_last_of_node(tokens: &[Token<'_>], expr: &Expr) -> Option<usize> {
    let (_, end) = find_node_bytes(tokens, expr)?;
    Some(tokens.partition_point(|token| token.end() < end))
}

/// Whether this bracket opens the arguments of a call that is the whole node.
fn is_call_bracket(tokens: &[Token<'_>], first: usize, open: &Token<'_>) -> bool {
    let name = tokens.get(first);
    name.is_some_and(|name| name.kind == Kind::Word)
        && tokens.get(first + 1).is_some_and(|next| next.start == open.start)
}

fn translate_tokens(tokens: &[Token<'_>]) -> Option<Vec<TokenWithSpan>> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len() + 8);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1);
        let push = |out: &mut Vec<TokenWithSpan>, words: &[&str]| {
            for word in words {
                out.push(wrap_with_span(token, Out::make_word(word, None)));
            }
        };
        let next_is = |words: &str| next.is_some_and(|next| next.is_any(words));
        let third = tokens.get(at + 2);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let used = if token.is_keyword("IS") && next_is("NOT") {
            let known = third.is_some_and(|third| third.is_any("NULL TRUE FALSE DISTINCT"));
            push(&mut out, if known { &["IS", "NOT"] } else { &["IS", "DISTINCT", "FROM"] });
            2
        } else if token.is_keyword("IS") && !next_is("NULL TRUE FALSE DISTINCT") {
            push(&mut out, &["IS", "NOT", "DISTINCT", "FROM"]);
            1
        } else if token.is_keyword("ISNULL") && before.is_some_and(is_operand_end) {
            push(&mut out, &["IS", "NULL"]);
            1
        } else if token.is_keyword("NOT") && next_is("GLOB MATCH REGEXP") && before.is_some_and(is_operand_end) {
            push(&mut out, &["NOT", "LIKE"]);
            2
        } else if token.is_keyword("MATERIALIZED") && before.is_some_and(|before| before.is_keyword("AS")) {
            1
        } else if (token.is_keyword("INDEXED") && next_is("BY"))
            || (token.is_keyword("EXCLUDE") && next_is("NO CURRENT"))
        {
            3
        } else if (token.is_keyword("NOT") && next_is("INDEXED MATERIALIZED"))
            || (token.is_keyword("EXCLUDE") && next_is("GROUP TIES"))
        {
            2
        } else if token.is_punct(",") && is_join_comma(tokens, at) {
            push(&mut out, &["JOIN"]);
            1
        } else if token.is_keyword("IN") && next.is_some_and(|next| next.is_name() && !next.is_keyword("SELECT")) {
            translate_in_table(&mut out, tokens, at)?
        } else {
            out.push(wrap_with_span(token, translate_token(token)?));
            1
        };
        at += used;
    }
    Some(out)
}

/// Whether the comma at `at` is a join with a condition: `FROM a, b USING (c)`.
fn is_join_comma(tokens: &[Token<'_>], at: usize) -> bool {
    const ENDS: &str = "FROM SELECT WHERE GROUP ORDER HAVING LIMIT WINDOW UNION EXCEPT INTERSECT JOIN LEFT CROSS INNER \
    NATURAL";
    let mut depth = 0_u32;
    for token in tokens.get(at + 1..).unwrap_or_default() {
        if token.is_punct("(") {
            depth += 1;
        } else if token.is_punct(")") {
            let Some(outer) = depth.checked_sub(1) else { return false };
            depth = outer;
        } else if depth == 0 && token.is_any("ON USING") {
            return true;
        } else if depth == 0 {
            let named = token.is_name() || token.is_punct(".");
            if !named || token.is_any(ENDS) {
                return false;
            }
        }
    }
    false
}

/// Translates `x IN table` to `x IN (SELECT * FROM table)`. Returns the number of tokens that it consumed.
fn translate_in_table(out: &mut Vec<TokenWithSpan>, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let token = tokens.get(at)?;
    let qualified = tokens.get(at + 2).is_some_and(|dot| dot.is_punct("."));
    let length = if qualified { 4 } else { 2 };
    out.push(wrap_with_span(token, translate_token(token)?));
    out.push(wrap_with_span(token, Out::LParen));
    out.push(wrap_with_span(token, Out::make_word("SELECT", None)));
    out.push(wrap_with_span(token, Out::Mul));
    out.push(wrap_with_span(token, Out::make_word("FROM", None)));
    for name in tokens.get(at + 1..at + length)? {
        out.push(wrap_with_span(name, translate_token(name)?));
    }
    out.push(wrap_with_span(token, Out::RParen));
    Some(length)
}

/// Whether a value may end with this token, and an operator may follow.
fn is_operand_end(token: &Token<'_>) -> bool {
    const HEADS: &str = "SELECT WHERE AND OR NOT ON HAVING WHEN THEN ELSE BY CASE";
    match token.kind {
        Kind::Word => !token.is_any(HEADS),
        Kind::Punct => token.text == ")",
        Kind::Unclosed | Kind::Stray => false,
        _ => true,
    }
}

fn wrap_with_span(token: &Token<'_>, out: Out) -> TokenWithSpan {
    let place = |offset: usize| Location { line: 1, column: offset as u64 };
    TokenWithSpan { token: out, span: Span { start: place(token.start), end: place(token.end()) } }
}

fn translate_token(token: &Token<'_>) -> Option<Out> {
    Some(match token.kind {
        Kind::Word => Out::make_word(token.text, None),
        Kind::Quoted => Out::make_word(&token.to_unquoted(), Some(token.text.chars().next()?)),
        Kind::Text => Out::SingleQuotedString(token.to_unquoted()),
        Kind::Blob => Out::HexStringLiteral(token.text.get(2..token.text.len().saturating_sub(1))?.to_owned()),
        Kind::Number => Out::Number(token.text.replace('_', ""), false),
        Kind::Param => Out::Placeholder(token.text.to_owned()),
        Kind::Blank | Kind::Comment | Kind::Unclosed | Kind::Stray => return None,
        Kind::Punct => match token.text {
            "->>" => Out::LongArrow,
            "->" => Out::Arrow,
            "||" => Out::StringConcat,
            "<>" | "!=" => Out::Neq,
            "==" => Out::DoubleEq,
            "<=" => Out::LtEq,
            ">=" => Out::GtEq,
            "&" => Out::Ampersand,
            "<<" => Out::ShiftLeft,
            ">>" => Out::ShiftRight,
            "+" => Out::Plus,
            "-" => Out::Minus,
            "*" => Out::Mul,
            "/" => Out::Div,
            "%" => Out::Mod,
            "=" => Out::Eq,
            "<" => Out::Lt,
            ">" => Out::Gt,
            "|" => Out::Pipe,
            "~" => Out::Tilde,
            "(" => Out::LParen,
            ")" => Out::RParen,
            "," => Out::Comma,
            "." => Out::Period,
            ";" => Out::SemiColon,
            _ => return None,
        },
    })
}
