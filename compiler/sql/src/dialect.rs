//! The SQLite dialect of `sqlparser`, with SQLite's own operator precedence.

use std::any::TypeId;

use sqlparser::ast::Expr;
use sqlparser::dialect::{Dialect, SQLiteDialect};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// `||`, `->`, and `->>` bind more tightly than `*` and `/` (<https://sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes>), which have
/// precedence 40. The sign before an operand has 50 and binds more tightly than these.
const CONCATENATION: u8 = 45;

/// `&`, `|`, `<<`, and `>>` bind less tightly than `+` and `-`, which have precedence 30, and more tightly than comparisons.
const BITS: u8 = 23;

/// [`SQLiteDialect`] with another operator precedence.
#[derive(Debug)]
pub struct Sqlite;

/// The dialect that answers all other questions, except those of the tokenizer and of statements other than queries, which are never asked.
const BASE: SQLiteDialect = SQLiteDialect {};

impl Dialect for Sqlite {
    fn dialect(&self) -> TypeId {
        BASE.dialect()
    }

    fn get_next_precedence(&self, parser: &Parser) -> Option<Result<u8, ParserError>> {
        match parser.peek_token_ref().token {
            Token::StringConcat | Token::Arrow | Token::LongArrow => Some(Ok(CONCATENATION)),
            // Equal in SQLite, and applied from the left.
            Token::Ampersand | Token::Pipe | Token::ShiftLeft | Token::ShiftRight => Some(Ok(BITS)),
            _ => None,
        }
    }

    fn supports_bitwise_shift_operators(&self) -> bool {
        true
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        BASE.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        BASE.is_identifier_part(ch)
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        BASE.supports_filter_during_aggregation()
    }

    fn parse_infix(&self, parser: &mut Parser, expr: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        BASE.parse_infix(parser, expr, precedence)
    }

    fn supports_in_empty_list(&self) -> bool {
        BASE.supports_in_empty_list()
    }

    fn supports_limit_comma(&self) -> bool {
        BASE.supports_limit_comma()
    }

    fn supports_notnull_operator(&self) -> bool {
        BASE.supports_notnull_operator()
    }

    fn supports_comma_separated_trim(&self) -> bool {
        BASE.supports_comma_separated_trim()
    }
}
