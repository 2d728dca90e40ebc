//! The comparisons of a query whose sides are columns, literals and parameters, so that a lint can hold them against what is known of the
//! data. They are noted while names are resolved: so each column is surely the one that SQLite reads.

use plan::{Decimal, Value, span::Span};
use sqlparser::ast::{BinaryOperator as Op, Expr, UnaryOperator, Value as Literal};

use super::scope::{Found, lookup};
use super::select::{self, Analyser};
use super::{Query, SqlRequest, lex, parse};
use crate::host::Sqlite;

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom {
    /// What is asked.
    pub test: Test,
    /// The whole comparison.
    pub span: Span,
}

/// What a comparison asks.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Test {
    /// `a op b`
    Compare(plan::suite::Op, Operand, Operand),
    /// `x BETWEEN low AND high`
    Between { value: Operand, low: Operand, high: Operand, negated: bool },
    /// `x IN (…)`
    In { value: Operand, items: Vec<Operand>, negated: bool },
    /// `x LIKE 'text'` without wildcards: equal, letters of ASCII taken without their case.
    Like { value: Operand, text: String, pattern: Span, negated: bool },
    /// `x IS NULL`; negated: `x IS NOT NULL`
    Null { value: Operand, negated: bool },
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// What stands there.
    pub value: Side,
    /// Its place.
    pub span: Span,
}

/// What stands on a side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// A column of a table of the request, unchanged.
    Column {
        /// The table, an index into the request's.
        table: usize,
        /// Its column.
        column: usize,
        /// An outer join, or the column itself, may put a null there.
        nullable: bool,
    },
    /// Written out.
    Literal(Value),
    /// `:name`
    Param(String),
    /// Anything else.
    Other,
}

/// The comparisons of a query in the order of the text, where every name in it is understood; else none.
pub fn predicates(request: &SqlRequest<'_>, sqlite: &dyn Sqlite) -> Vec<Atom> {
    let query = Query { request, text: &request.raw.text, tokens: lex::tokens(&request.raw.text), sqlite };
    let Some(tree) = parse::query(&query.tokens) else { return Vec::new() };
    let meaning = select::analyse(&query, &tree);
    if !meaning.complete || !meaning.names.is_empty() || !meaning.certain.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Atom> = Vec::new();
    // A part that is looked at twice must look alike both times.
    for atom in &meaning.atoms {
        let alike = meaning.atoms.iter().filter(|other| other.span == atom.span).all(|other| other == atom);
        if alike && !found.contains(atom) {
            found.push(atom.clone());
        }
    }
    found.sort_by_key(|atom| (atom.span.start, atom.span.end));
    found
}

impl Analyser<'_> {
    /// Notes `left op right`.
    pub(super) fn note_comparison(&mut self, left: &Expr, op: &Op, right: &Expr) {
        let op = match op {
            Op::Eq => plan::suite::Op::Eq,
            Op::NotEq => plan::suite::Op::Ne,
            Op::Lt => plan::suite::Op::Lt,
            Op::LtEq => plan::suite::Op::Le,
            Op::Gt => plan::suite::Op::Gt,
            Op::GtEq => plan::suite::Op::Ge,
            _ => return,
        };
        let (Some(left), Some(right)) = (self.operand(left), self.operand(right)) else { return };
        let span = left.span.to(right.span);
        self.note(Test::Compare(op, left, right), span);
    }

    /// Notes the other comparisons.
    pub(super) fn note_test(&mut self, expr: &Expr) {
        let test = match expr {
            Expr::Between { expr, negated, low, high } => {
                match (self.operand(expr), self.operand(low), self.operand(high)) {
                    (Some(value), Some(low), Some(high)) => Test::Between { value, low, high, negated: *negated },
                    _ => return,
                }
            }
            Expr::InList { expr, list, negated } => {
                let items: Option<Vec<Operand>> = list.iter().map(|item| self.operand(item)).collect();
                match (self.operand(expr), items) {
                    (Some(value), Some(items)) => Test::In { value, items, negated: *negated },
                    _ => return,
                }
            }
            Expr::Like { expr, pattern, escape_char: None, negated, any: false } => {
                let (Some(value), Some(pattern)) = (self.operand(expr), self.operand(pattern)) else { return };
                let Side::Literal(Value::Text(text)) = &pattern.value else { return };
                // NOT GLOB comes as NOT LIKE.
                let between = self.query.tokens.iter().rev().find(|token| token.end() <= self.offset(pattern.span));
                if text.contains(['%', '_']) || !between.is_some_and(|token| token.is("LIKE")) {
                    return;
                }
                Test::Like { value, text: text.clone(), pattern: pattern.span, negated: *negated }
            }
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => match self.operand(inner) {
                Some(value) => Test::Null { value, negated: matches!(expr, Expr::IsNotNull(_)) },
                None => return,
            },
            _ => return,
        };
        if let Some((start, end)) = parse::node(&self.query.tokens, expr) {
            // The tree ends `x IS NULL` with x.
            let ends = |token: &lex::Token<'_>| ["NULL", "ISNULL", "NOTNULL"].iter().any(|word| token.is(word));
            let null = matches!(test, Test::Null { .. });
            let behind = self.query.tokens.iter().filter(|token| null && token.start >= end).take(3);
            let end = behind.into_iter().find(|token| ends(token)).map_or(end, lex::Token::end);
            let span = self.query.span((start, end));
            self.note(test, span);
        }
    }

    fn note(&mut self, test: Test, span: Span) {
        self.meaning.atoms.push(Atom { test, span });
    }

    /// The first byte of a place, counted in the query.
    fn offset(&self, span: Span) -> usize {
        span.start.saturating_sub(self.query.request.raw.span.start) as usize
    }

    fn operand(&self, expr: &Expr) -> Option<Operand> {
        let span = self.query.span(parse::node(&self.query.tokens, expr)?);
        let value = match expr {
            Expr::Nested(inner) => return self.operand(inner).map(|operand| Operand { span, ..operand }),
            Expr::Identifier(name) => self.column(&[&name.value]),
            Expr::CompoundIdentifier(parts) => {
                self.column(&parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>())
            }
            Expr::Value(value) => match &value.value {
                Literal::Number(digits, _) => number(digits, false).map(Side::Literal),
                Literal::SingleQuotedString(text) => Some(Side::Literal(Value::text(text.as_str()))),
                Literal::Null => Some(Side::Literal(Value::Null)),
                Literal::Boolean(value) => Some(Side::Literal(Value::Int(i64::from(*value)))),
                Literal::Placeholder(name) => name.strip_prefix(':').map(|name| Side::Param(name.to_owned())),
                _ => None,
            },
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match expr.as_ref() {
                Expr::Value(value) => match &value.value {
                    Literal::Number(digits, _) => number(digits, true).map(Side::Literal),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        Some(Operand { value: value.unwrap_or(Side::Other), span })
    }

    /// The column that a name is; what WHERE shows not to be null may be what is noted here, so it does not count.
    fn column(&self, name: &[&str]) -> Option<Side> {
        let Found::Column(_, (frame, relation, place)) = lookup(&self.frames, name) else { return None };
        let frame = self.frames.get(frame)?;
        let value = frame.relations.get(relation)?.value(place);
        let (table, column) = value.origin?;
        let nullable = value.nullable || (frame.whole && !frame.in_aggregate && !frame.some_row);
        Some(Side::Column { table, column, nullable })
    }
}

/// A number as written.
fn number(digits: &str, negative: bool) -> Option<Value> {
    let text = if negative { format!("-{digits}") } else { digits.to_owned() };
    if let Ok(whole) = text.parse::<i64>() {
        return Some(Value::Int(whole));
    }
    match text.parse::<Decimal>() {
        Ok(decimal) => Some(Value::Decimal(decimal)),
        Err(_) => text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Value::Float),
    }
}
