//! Parsing of expressions, without operator precedence.

use super::ast_builder::AstBuilder;
use super::chain::{DEEPEST, LONGEST_CHAIN, Link};
use super::grammar::{Pair, Rule};
use crate::ast::{Expr, ExprKind, Field, Ident};
use crate::diagnostics::{Code, Diagnostic};

impl AstBuilder<'_> {
    /// Parses `expr`, `arith`, or any other rule for an expression.
    pub fn parse_expr(&mut self, pair: Pair<'_>) -> Expr {
        match pair.as_rule() {
            Rule::expr | Rule::arith | Rule::lone => {}
            _ => return self.parse_atom(pair),
        }
        let whole = self.span(&pair);
        let inner = pair.into_inner();
        if inner.len() > 4 * LONGEST_CHAIN {
            return self.report_too_long(whole, "values in one expression", LONGEST_CHAIN);
        }
        let mut branches = Vec::new();
        let mut links = Vec::new();
        for inner in inner {
            match inner.as_rule() {
                Rule::branch => {
                    let start = self.span(&inner);
                    let mut parts = inner.into_inner().filter(|part| part.as_rule() == Rule::expr);
                    let condition = parts.next().map(|part| self.parse_expr(part));
                    let then = parts.next().map(|part| self.parse_expr(part));
                    branches.push((start, condition, then));
                }
                Rule::prefix | Rule::minus => links.push(self.parse_prefix(&inner)),
                Rule::infix | Rule::arith_infix => links.extend(self.parse_infix(inner)),
                _ => links.push(Link::Operand(self.parse_atom(inner))),
            }
        }
        let chain_span = match links.first() {
            Some(Link::Prefix(_, span) | Link::Infix(_, span)) => {
                self.make_span(span.start as usize, whole.end as usize)
            }
            Some(Link::Operand(expr)) => self.make_span(expr.span.start as usize, whole.end as usize),
            None => whole.shrink_to_end(),
        };
        if branches.len() > DEEPEST {
            return self.report_too_long(whole, "branches in one `if`", DEEPEST);
        }
        let mut result = self.build_chain(links, chain_span);
        for (start, condition, then) in branches.into_iter().rev() {
            let condition = condition.unwrap_or_else(|| self.make_hole(start));
            let then = then.unwrap_or_else(|| self.make_hole(start));
            let span = start.extend_to(result.span);
            result = Expr {
                kind: ExprKind::If {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(result),
                },
                span,
            };
        }
        result
    }

    fn parse_atom(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::placeholder => return self.parse_placeholder(pair),
            Rule::string => return self.parse_string_expr(pair),
            Rule::quoted_wrongly => ExprKind::String(self.parse_single_quoted(&pair)),
            Rule::list => ExprKind::List(self.parse_exprs(pair)),
            Rule::object => ExprKind::Object(self.parse_fields(pair)),
            Rule::call | Rule::form => ExprKind::Call(self.parse_call(pair)),
            Rule::path => ExprKind::Path(self.parse_path(pair)),
            Rule::paren => match pair.into_inner().next() {
                Some(inner) => ExprKind::Paren(Box::new(self.parse_expr(inner))),
                None => ExprKind::Missing,
            },
            _ => return self.parse_literal(&pair),
        };
        Expr { kind, span }
    }

    /// Parses expressions separated by commas: the items of a list, or the arguments of a domain.
    pub fn parse_exprs(&mut self, pair: Pair<'_>) -> Vec<Expr> {
        self.parse_separated(pair, |this, item| Some(this.parse_expr(item)))
    }

    /// `a`, `a.b`, `a.b.c`
    pub fn parse_path(&mut self, pair: Pair<'_>) -> Vec<Ident> {
        pair.into_inner().map(|part| self.parse_ident(&part)).collect()
    }

    fn parse_fields(&mut self, pair: Pair<'_>) -> Vec<Field> {
        self.parse_separated(pair, AstBuilder::parse_field)
    }

    fn parse_field(&mut self, pair: Pair<'_>) -> Option<Field> {
        let mut parts = pair.into_inner();
        let key = self.parse_field_key(parts.next()?)?;
        let first = parts.next()?;
        let value = match first.as_rule() {
            Rule::field_hole => self.report_missing_expr(self.span(&first), &format!("the value of `{}`", key.text)),
            _ => self.parse_expr(first),
        };
        let options = parts.filter_map(|part| self.parse_option(part)).collect();
        Some(Field { key, value, options })
    }

    fn parse_field_key(&mut self, pair: Pair<'_>) -> Option<Ident> {
        let inner = pair.into_inner().next()?;
        if inner.as_rule() != Rule::string {
            return Some(self.parse_ident(&inner));
        }
        let string = self.parse_string(inner);
        let text = match AstBuilder::extract_plain_text(&string) {
            Some(text) => text,
            None => {
                let message = "the key of an object cannot hold a placeholder";
                self.report(Diagnostic::new(Code::SYNTAX, message, string.span, ""));
                self.text(string.span).trim_matches('"').to_owned()
            }
        };
        Some(Ident { text, span: string.span, quoted: false })
    }
}
