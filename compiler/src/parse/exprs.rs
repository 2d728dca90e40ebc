//! Expressions, apart from the order of operators.

use super::chain::{DEEPEST, LONGEST_CHAIN, Link};
use super::grammar::{Pair, Rule};
use super::walk::Walker;
use crate::ast::{Expr, ExprKind, Field, Ident};
use crate::diagnostics::{Code, Diagnostic};

impl Walker<'_> {
    /// `expr`, `arith`, or any rule that is an expression.
    pub fn expr(&mut self, pair: Pair<'_>) -> Expr {
        match pair.as_rule() {
            Rule::expr | Rule::arith | Rule::lone => {}
            _ => return self.atom(pair),
        }
        let whole = self.span(&pair);
        let inner = pair.into_inner();
        if inner.len() > 4 * LONGEST_CHAIN {
            return self.too_long(whole, "values in one expression", LONGEST_CHAIN);
        }
        let mut branches = Vec::new();
        let mut links = Vec::new();
        for inner in inner {
            match inner.as_rule() {
                Rule::branch => {
                    let start = self.span(&inner);
                    let mut parts = inner.into_inner().filter(|part| part.as_rule() == Rule::expr);
                    let condition = parts.next().map(|part| self.expr(part));
                    let then = parts.next().map(|part| self.expr(part));
                    branches.push((start, condition, then));
                }
                Rule::prefix | Rule::minus => links.push(self.prefix(&inner)),
                Rule::infix | Rule::arith_infix => links.extend(self.infix(inner)),
                _ => links.push(Link::Operand(self.atom(inner))),
            }
        }
        let chain_span = match links.first() {
            Some(Link::Prefix(_, span) | Link::Infix(_, span)) => self.at(span.start as usize, whole.end as usize),
            Some(Link::Operand(expr)) => self.at(expr.span.start as usize, whole.end as usize),
            None => whole.after(),
        };
        if branches.len() > DEEPEST {
            return self.too_long(whole, "branches in one `if`", DEEPEST);
        }
        let mut result = self.chain(links, chain_span);
        for (start, condition, then) in branches.into_iter().rev() {
            let condition = condition.unwrap_or_else(|| self.hole(start));
            let then = then.unwrap_or_else(|| self.hole(start));
            let span = start.to(result.span);
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

    fn atom(&mut self, pair: Pair<'_>) -> Expr {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::placeholder => return self.placeholder(pair),
            Rule::string => return self.string_expr(pair),
            Rule::quoted_wrongly => ExprKind::String(self.single_quoted(&pair)),
            Rule::list => ExprKind::List(self.exprs(pair)),
            Rule::object => ExprKind::Object(self.fields(pair)),
            Rule::call => ExprKind::Call(self.call(pair)),
            Rule::path => ExprKind::Path(self.path(pair)),
            Rule::paren => match pair.into_inner().next() {
                Some(inner) => ExprKind::Paren(Box::new(self.expr(inner))),
                None => ExprKind::Missing,
            },
            _ => return self.literal(&pair),
        };
        Expr { kind, span }
    }

    /// Expressions with commas between: of a list, or the arguments of a domain.
    pub fn exprs(&mut self, pair: Pair<'_>) -> Vec<Expr> {
        let mut exprs: Vec<Expr> = Vec::new();
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::comma => self.comma(&inner, exprs.last().map(|expr| expr.span)),
                _ => exprs.push(self.expr(inner)),
            }
        }
        exprs
    }

    /// `a`, `a.b`, `a.b.c`
    pub fn path(&mut self, pair: Pair<'_>) -> Vec<Ident> {
        pair.into_inner().map(|part| self.ident(&part)).collect()
    }

    fn fields(&mut self, pair: Pair<'_>) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut end = None;
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::field => {
                    end = Some(self.span(&inner));
                    fields.extend(self.field(inner));
                }
                _ => self.comma(&inner, end),
            }
        }
        fields
    }

    fn field(&mut self, pair: Pair<'_>) -> Option<Field> {
        let mut parts = pair.into_inner();
        let key = self.field_key(parts.next()?)?;
        let first = parts.next()?;
        let value = match first.as_rule() {
            Rule::field_hole => {
                let colon = self.span(&first);
                self.missing(colon, &format!("the value of `{}`", key.text))
            }
            _ => self.expr(first),
        };
        let options = parts.filter_map(|part| self.option(part)).collect();
        Some(Field { key, value, options })
    }

    fn field_key(&mut self, pair: Pair<'_>) -> Option<Ident> {
        let inner = pair.into_inner().next()?;
        if inner.as_rule() != Rule::string {
            return Some(self.ident(&inner));
        }
        let string = self.string(inner);
        let text = match Walker::plain_text(&string) {
            Some(text) => text,
            None => {
                self.report(Diagnostic::new(
                    Code::SYNTAX,
                    "the key of an object cannot hold a placeholder",
                    string.span,
                    "",
                ));
                self.text(string.span).trim_matches('"').to_owned()
            }
        };
        Some(Ident { text, span: string.span, quoted: false })
    }
}
