//! Operators: the flat chain of the grammar is converted to a tree by precedence.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{Expr, ExprKind, Op, Span, UnaryOp};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use std::iter::Peekable;
use std::vec::IntoIter;

/// The maximum number of operands in one chain. The tree can be this deep, and it is later visited recursively.
pub(super) const LONGEST_CHAIN: usize = 1_000;
/// The maximum number of consecutive signs or `not`s, and of branches of one `if`.
pub(super) const DEEPEST: usize = 128;

/// An element of a chain.
pub(super) enum Link {
    /// A sign or `not`.
    Prefix(UnaryOp, Span),
    /// An operand.
    Operand(Expr),
    /// A binary operator.
    Infix(Op, Span),
}

type Links = Peekable<IntoIter<Link>>;

const COMPARISON: u8 = 3;
const SIGN: u8 = 6;

fn rank_operator(op: Op) -> u8 {
    match op {
        Op::Or => 0,
        Op::And => 1,
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::In | Op::NotIn => COMPARISON,
        Op::Add | Op::Sub => 4,
        Op::Mul | Op::Div => 5,
    }
}

impl AstBuilder<'_> {
    /// Parses an operator. Operators of other languages are reported and replaced with their equivalents.
    pub fn parse_infix(&mut self, pair: Pair<'_>) -> Option<Link> {
        let span = self.span(&pair);
        let inner = pair.into_inner().next()?;
        let op = match inner.as_rule() {
            Rule::wrong_op => {
                return Some(Link::Infix(self.report_wrong_operator(inner.into_inner().next()?, span), span));
            }
            Rule::mod_op => return Some(Link::Infix(self.report_wrong_operator(inner, span), span)),
            Rule::membership if inner.as_str().starts_with("not") => Op::NotIn,
            Rule::membership => Op::In,
            _ => Op::from_word(inner.as_str())?,
        };
        Some(Link::Infix(op, span))
    }

    fn report_wrong_operator(&mut self, inner: Pair<'_>, span: Span) -> Op {
        let written = inner.as_str();
        let op = match inner.as_rule() {
            Rule::double_and => Op::And,
            Rule::double_or => Op::Or,
            Rule::not_eq => Op::Ne,
            Rule::triple_eq if written.starts_with('!') => Op::Ne,
            Rule::triple_eq => Op::Eq,
            Rule::single_eq => {
                self.report(
                    Diagnostic::new(Code::SYNTAX, "`=` does not compare two values", span, "gives a value to a name")
                        .help("to compare, write `==`")
                        .replace(Applicability::Safe, span, "=="),
                );
                return Op::Eq;
            }
            _ => {
                self.report(
                    Diagnostic::new(Code::SYNTAX, "`%` is not an operator", span, "")
                        .help("use `mod(a, b)` for the remainder"),
                );
                return Op::Div;
            }
        };
        let word = op.word();
        self.report(
            Diagnostic::new(Code::SYNTAX, format!("`{written}` is not an operator"), span, "")
                .help(format!("write `{word}`"))
                .replace(Applicability::Safe, span, word),
        );
        op
    }

    /// Parses a sign, `not`, or `!` (reported).
    pub fn parse_prefix(&mut self, pair: &Pair<'_>) -> Link {
        let span = self.span(pair);
        match pair.as_str() {
            "-" => Link::Prefix(UnaryOp::Neg, span),
            "!" => {
                let said = Diagnostic::new(Code::SYNTAX, "`!` is not an operator", span, "").help("write `not`");
                self.report(said.fix("replace with `not`", Applicability::Safe, span, "not "));
                Link::Prefix(UnaryOp::Not, span)
            }
            _ => Link::Prefix(UnaryOp::Not, span),
        }
    }

    /// Builds the tree of a chain; `whole` is its span.
    pub fn build_chain(&mut self, links: Vec<Link>, whole: Span) -> Expr {
        let operands = links.iter().filter(|link| matches!(link, Link::Operand(_))).count();
        let mut signs = 0;
        let most_signs = links
            .iter()
            .map(|link| {
                signs = if matches!(link, Link::Prefix(..)) { signs + 1 } else { 0 };
                signs
            })
            .max()
            .unwrap_or(0);
        if operands > LONGEST_CHAIN || most_signs > DEEPEST {
            let (what, most) = if operands > LONGEST_CHAIN {
                ("values in one expression", LONGEST_CHAIN)
            } else {
                ("signs or `not`s in a row", DEEPEST)
            };
            return self.report_too_long(whole, what, most);
        }
        let mut links = links.into_iter().peekable();
        let mut last = whole;
        self.climb_precedence(&mut links, 0, &mut last)
    }

    /// Reports an expression with too many parts.
    pub fn report_too_long(&mut self, whole: Span, what: &str, most: usize) -> Expr {
        self.report(
            Diagnostic::new(Code::TOO_COMPLEX, format!("more than {most} {what}"), whole, "")
                .help("give its parts their own names"),
        );
        Expr { kind: ExprKind::Missing, span: whole }
    }

    /// Parses a sequence of operators with a precedence of at least `least`.
    fn climb_precedence(&mut self, links: &mut Links, least: u8, last: &mut Span) -> Expr {
        let mut left = self.parse_operand(links, last);
        let mut compared: Option<Span> = None;
        while let Some(Link::Infix(op, _)) = links.peek() {
            let op = *op;
            if rank_operator(op) < least {
                break;
            }
            let Some(Link::Infix(_, op_span)) = links.next() else { break };
            *last = op_span;
            if rank_operator(op) == COMPARISON {
                if compared.is_some() {
                    self.report_chained(op_span, &left);
                }
                compared = Some(op_span);
            } else {
                compared = None;
            }
            let right = self.climb_precedence(links, rank_operator(op) + 1, last);
            let span = left.span.extend_to(right.span);
            left = Expr { kind: ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) }, span };
        }
        left
    }

    fn parse_operand(&mut self, links: &mut Links, last: &mut Span) -> Expr {
        match links.next() {
            Some(Link::Operand(expr)) => {
                *last = expr.span;
                expr
            }
            Some(Link::Prefix(op, span)) => {
                *last = span;
                let operand = match op {
                    UnaryOp::Neg => self.climb_precedence(links, SIGN, last),
                    UnaryOp::Not => self.climb_precedence(links, COMPARISON, last),
                };
                let span = span.extend_to(operand.span);
                Expr { kind: ExprKind::Unary { op, operand: Box::new(operand) }, span }
            }
            _ => self.make_hole(*last),
        }
    }

    fn report_chained(&mut self, op_span: Span, left: &Expr) {
        let middle = match &left.kind {
            ExprKind::Binary { right, .. } => self.text(right.span),
            _ => "",
        };
        let help = if middle.is_empty() || middle.len() > 30 {
            "compare two at a time, with `and` between".to_owned()
        } else {
            format!("compare two at a time: `… {middle} and {middle} {} …`", self.text(op_span))
        };
        self.report(
            Diagnostic::new(Code::SYNTAX, "comparisons cannot be chained", op_span, "a second comparison").help(help),
        );
    }
}
