//! Collects the comparisons of a query while it is visited, and names are resolved.

use model::suite::Op;
use model::{Decimal, Value, span::Span};
use sqlparser::ast::{BinaryOperator as BinaryOp, CaseWhen, Expr, UnaryOperator, Value as Literal, ValueWithSpan};

use super::analyser::Analyser;
use super::expressions::{find_last_name, split_conjuncts};
use super::parse;
use super::predicates::{Atom, Bounded, Compound, Difference, Operand, Side, Test};
use super::scope::lookup_expr;
use super::terms::{Operator, Term};

/// The maximum number of parts of a condition that is looked at as a whole.
const MAX_PARTS: usize = 12;

impl Analyser<'_> {
    /// Notes `left op right`.
    pub(super) fn note_comparison(&mut self, left: &Expr, op: &BinaryOp, right: &Expr) {
        let rows = self.build_row_comparison(left, op, right);
        let Some(op) = to_comparison_op(op) else { return };
        let (Some(left), Some(right)) = (self.resolve_operand(left), self.resolve_operand(right)) else { return };
        let span = left.span.extend_to(right.span);
        let term = Term::Compare(op, Term::pair(left.to_term(), right.to_term()));
        let term = rows.unwrap_or(term);
        self.note_atom(Atom { test: Test::Compare(op, left, right), negated: false, span, term });
    }

    /// Notes `CASE value WHEN item`.
    pub(super) fn note_when(&mut self, value: &Expr, item: &Expr) {
        let (Some(value), Some(item)) = (self.resolve_operand(value), self.resolve_operand(item)) else { return };
        let span = item.span;
        let term = Term::Compare(Op::Eq, Term::pair(value.to_term(), item.to_term()));
        self.note_atom(Atom { test: Test::When { value, item }, negated: false, span, term });
    }

    /// Notes any other comparison.
    pub(super) fn note_test(&mut self, expr: &Expr) {
        let Some((test, negated)) = self.extract_test(expr) else { return };
        let Some(bytes) = self.find_bytes(expr) else { return };
        let span = self.query.to_span(bytes);
        let term = self.build_term(expr);
        self.note_atom(Atom { test, negated, span, term });
    }

    /// Notes the parts of a condition that are neither comparisons nor tests, and what its disjunctions exclude. The condition has been visited.
    pub(super) fn note_conditions(&mut self, condition: &Expr) {
        self.note_compounds(condition);
        let mut open = vec![condition];
        while let Some(part) = open.pop() {
            match part {
                Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => open.push(inner),
                Expr::BinaryOp { left, op: BinaryOp::And, right } => open.extend([right.as_ref(), left]),
                Expr::BinaryOp { op: BinaryOp::Or, .. } => {
                    let parts = split_disjuncts(part);
                    self.note_disjunction(&parts);
                    open.extend(parts);
                }
                Expr::BinaryOp { op, .. } if to_comparison_op(op).is_some() => {}
                other if self.extract_test(other).is_some() => {}
                // What is not true is false or null, which others tell apart.
                Expr::IsTrue(_) | Expr::IsNotTrue(_) | Expr::IsFalse(_) | Expr::IsNotFalse(_) => {}
                other => self.note_other(other),
            }
        }
    }

    /// Notes the conditions that combine others by AND and OR.
    fn note_compounds(&mut self, condition: &Expr) {
        match condition {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => self.note_compounds(inner),
            Expr::BinaryOp { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => {
                let parts = split_chain(condition, op);
                if parts.len() > MAX_PARTS {
                    return;
                }
                parts.into_iter().for_each(|part| self.note_compounds(part));
                let term = self.build_term(condition);
                if let Some(bytes) = self.find_bytes(condition).filter(|_| !term.has_unknown()) {
                    let span = self.query.to_span(bytes);
                    self.meaning.predicates.wholes.push(Compound { term, span });
                }
            }
            _ => {}
        }
    }

    fn note_other(&mut self, condition: &Expr) {
        let Some(bytes) = self.find_bytes(condition) else { return };
        let (term, span) = (self.build_term(condition), self.query.to_span(bytes));
        let value = Operand { value: Side::Other, span };
        self.note_atom(Atom { test: Test::Other { value }, negated: false, span, term });
    }

    /// Notes that null and false are told apart where this is a condition.
    pub(super) fn note_null_told(&mut self, expr: &Expr) {
        let mut condition = expr;
        while let Expr::Nested(inner) = condition {
            condition = inner;
        }
        let span = self.find_bytes(condition).map(|bytes| self.query.to_span(bytes));
        self.meaning.predicates.nulls_told.extend(span);
    }

    /// Notes a divisor that depends on rows.
    pub(super) fn note_divisor(&mut self, divisor: &Expr) {
        let Some(operand) = self.resolve_operand(divisor).filter(|operand| is_bounded(&operand.value)) else { return };
        if !self.meaning.predicates.divisors.contains(&operand) {
            self.meaning.predicates.divisors.push(operand);
        }
    }

    /// Notes `julianday(a) - julianday(b)`, unless its sign is changed.
    pub(super) fn note_difference(&mut self, left: &Expr, right: &Expr) {
        if !is_moment_call(left) || !is_moment_call(right) {
            return;
        }
        let (Some(later), Some(earlier)) = (self.resolve_operand(left), self.resolve_operand(right)) else { return };
        let start = self.to_offset(later.span);
        let mut before = self.query.tokens.iter().rev().filter(|token| token.end() <= start);
        let sign = before.find(|token| !token.is_punct("("));
        if sign.is_some_and(|token| token.is_any("ABS") || token.is_punct("-") || token.is_punct("*")) {
            return;
        }
        let term = Term::Operator(Operator::Subtract, Term::pair(later.to_term(), earlier.to_term()));
        let difference = Difference { later, earlier, term };
        if !self.meaning.predicates.differences.contains(&difference) {
            self.meaning.predicates.differences.push(difference);
        }
    }

    fn note_atom(&mut self, atom: Atom) {
        self.meaning.predicates.atoms.push(atom);
    }

    /// The test of a value that an expression is, and whether it is written with NOT.
    fn extract_test(&self, expr: &Expr) -> Option<(Test, bool)> {
        match expr {
            Expr::Between { expr, negated, low, high } => {
                let (value, low) = (self.resolve_operand(expr)?, self.resolve_operand(low)?);
                Some((Test::Between { value, low, high: self.resolve_operand(high)? }, *negated))
            }
            Expr::InList { expr, list, negated } => {
                Some((Test::In { value: self.resolve_operand(expr)?, items: self.resolve_operands(list)? }, *negated))
            }
            Expr::Like { expr, pattern, escape_char: None, negated, any: false } => {
                let (value, pattern) = (self.resolve_operand(expr)?, self.resolve_operand(pattern)?);
                let Side::Literal(Value::Text(text)) = pattern.value else { return None };
                // `sqlparser` represents NOT GLOB as NOT LIKE.
                let between = self.query.tokens.iter().rev().find(|token| token.end() <= self.to_offset(pattern.span));
                between.filter(|token| token.is_keyword("LIKE"))?;
                Some((Test::Like { value, text, pattern: pattern.span }, *negated))
            }
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                Some((Test::Null { value: self.resolve_operand(inner)? }, matches!(expr, Expr::IsNotNull(_))))
            }
            _ => None,
        }
    }

    /// Notes the comparisons that must all be true for the conjunction `all` to be true.
    pub(super) fn note_conjunction(&mut self, all: &Expr) {
        let parts = split_conjuncts(all);
        let mut found: Vec<Bounded> = parts.into_iter().filter_map(|part| self.extract_bounded(part)).collect();
        found.sort_by_key(|part| part.span.start);
        if found.len() > 1 && !self.meaning.predicates.conjunctions.contains(&found) {
            self.meaning.predicates.conjunctions.push(found);
        }
    }

    /// Notes the opposites of the comparisons of a disjunction: if two of them cannot both be true, it is always true.
    fn note_disjunction(&mut self, parts: &[&Expr]) {
        let opposite = |part: &&Expr| self.extract_bounded_with(part, Sense::Opposite);
        let mut found: Vec<Bounded> = parts.iter().filter_map(opposite).collect();
        found.sort_by_key(|part| part.span.start);
        if found.len() > 1 && !self.meaning.predicates.disjunctions.contains(&found) {
            self.meaning.predicates.disjunctions.push(found);
        }
    }

    /// Notes the conditions of a CASE without an operand, in order.
    pub(super) fn note_branches(&mut self, conditions: &[CaseWhen]) {
        let found: Vec<Option<Bounded>> = conditions.iter().map(|case| self.extract_bounded(&case.condition)).collect();
        if found.iter().flatten().count() > 1 && !self.meaning.predicates.cases.contains(&found) {
            self.meaning.predicates.cases.push(found);
        }
    }

    fn extract_bounded(&self, expr: &Expr) -> Option<Bounded> {
        self.extract_bounded_with(expr, Sense::AsWritten)
    }

    fn extract_bounded_with(&self, expr: &Expr, sense: Sense) -> Option<Bounded> {
        let (subject, bounds, span) = match expr {
            Expr::Nested(inner) => return self.extract_bounded_with(inner, sense),
            Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => {
                let bounded = self.extract_bounded_with(inner, sense.invert())?;
                return Some(Bounded { whole: self.query.to_span(self.find_bytes(expr)?), ..bounded });
            }
            Expr::BinaryOp { left, op, right } => {
                let op = sense.apply(to_comparison_op(op)?).filter(|op| *op != Op::Ne)?;
                let (a, b) = (self.resolve_operand(left)?, self.resolve_operand(right)?);
                let span = a.span.extend_to(b.span);
                match (is_bounded(&a.value), is_bounded(&b.value)) {
                    // Between two columns, the left one is bounded.
                    (true, _) => (left, vec![(op, vec![b])], span),
                    (_, true) => (right, vec![(op.swap_sides(), vec![a])], span),
                    _ => return None,
                }
            }
            Expr::Between { expr: value, negated: false, low, high } if sense == Sense::AsWritten => {
                let bounds =
                    vec![(Op::Ge, vec![self.resolve_operand(low)?]), (Op::Le, vec![self.resolve_operand(high)?])];
                (value, bounds, self.query.to_span(self.find_bytes(expr)?))
            }
            Expr::InList { expr: value, list, negated } if *negated == (sense == Sense::Opposite) => {
                let items = self.resolve_operands(list)?;
                (value, vec![(Op::Eq, items)], self.query.to_span(self.find_bytes(expr)?))
            }
            _ => return None,
        };
        let column = self.resolve_operand(subject)?;
        let term = column.to_term();
        (!term.has_unknown() && term.is_of_rows()).then_some(Bounded { term, column, span, whole: span, bounds })
    }

    /// The bytes of an expression.
    fn find_bytes(&self, expr: &Expr) -> Option<(usize, usize)> {
        let plain = matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_));
        let tokens = self.query.tokens;
        let whole = if plain { None } else { parse::find_expr_bytes(tokens, expr) };
        whole.or_else(|| parse::find_node_bytes(tokens, expr))
    }

    /// The first byte of a span, relative to the query.
    fn to_offset(&self, span: Span) -> usize {
        span.start.saturating_sub(self.query.whole_span().start) as usize
    }

    fn resolve_operands(&self, exprs: &[Expr]) -> Option<Vec<Operand>> {
        exprs.iter().map(|expr| self.resolve_operand(expr)).collect()
    }

    fn resolve_operand(&self, expr: &Expr) -> Option<Operand> {
        let span = self.query.to_span(self.find_bytes(expr)?);
        let value = match expr {
            Expr::Nested(inner) => return self.resolve_operand(inner).map(|operand| Operand { span, ..operand }),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => self.resolve_column_side(expr),
            Expr::Value(value) => match &value.value {
                Literal::Number(digits, _) => parse_number(digits).map(Side::Literal),
                Literal::SingleQuotedString(text) => Some(Side::Literal(Value::from_text(text.as_str()))),
                Literal::Null => Some(Side::Literal(Value::Null)),
                Literal::Boolean(value) => Some(Side::Literal(Value::Int(i64::from(*value)))),
                Literal::Placeholder(name) => name.strip_prefix(':').map(|name| Side::Param(name.to_owned())),
                _ => None,
            },
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match expr.as_ref() {
                Expr::Value(ValueWithSpan { value: Literal::Number(digits, _), .. }) => {
                    parse_number(&format!("-{digits}")).map(Side::Literal)
                }
                _ => None,
            },
            _ => None,
        };
        let computed = || {
            let term = self.build_term(expr);
            if term == Term::Unknown { Side::Other } else { Side::Computed(Box::new(term)) }
        };
        Some(Operand { value: value.unwrap_or_else(computed), span })
    }

    /// The column that a name refers to. Its nullability ignores WHERE, because the noted comparison may itself exclude null.
    fn resolve_column_side(&self, name: &Expr) -> Option<Side> {
        let at = lookup_expr(&self.frames, name)?.as_column()?;
        let (frame, relation, place) = at;
        let frame = self.frames.get(frame)?;
        let value = frame.relations.get(relation)?.infer_column(place);
        let (relation, column) = self.query.request.resolve_column(value.origin?)?;
        let nullable = value.nullable || frame.may_have_no_rows();
        Some(Side::Column { relation, column, nullable, at })
    }
}

/// Whether an expression is a moment as a number.
fn is_moment_call(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_moment_call(inner),
        Expr::Function(function) => find_last_name(&function.name)
            .is_some_and(|name| ["julianday", "unixepoch"].iter().any(|known| name.value.eq_ignore_ascii_case(known))),
        _ => false,
    }
}

/// Whether a comparison is read as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    AsWritten,
    Opposite,
}

impl Sense {
    fn invert(self) -> Sense {
        match self {
            Sense::AsWritten => Sense::Opposite,
            Sense::Opposite => Sense::AsWritten,
        }
    }

    /// The operator of a comparison, for values that are not null.
    fn apply(self, op: Op) -> Option<Op> {
        match self {
            Sense::AsWritten => Some(op),
            Sense::Opposite => Some(match op {
                Op::Eq => Op::Ne,
                Op::Ne => Op::Eq,
                Op::Lt => Op::Ge,
                Op::Le => Op::Gt,
                Op::Gt => Op::Le,
                Op::Ge => Op::Lt,
                _ => return None,
            }),
        }
    }
}

/// Whether a comparison bounds a side: it depends on rows.
fn is_bounded(side: &Side) -> bool {
    match side {
        Side::Column { .. } => true,
        Side::Computed(term) => term.is_of_rows(),
        Side::Literal(_) | Side::Param(_) | Side::Other => false,
    }
}

/// The parts of a chain of one operator.
fn split_chain<'e>(expr: &'e Expr, operator: &BinaryOp) -> Vec<&'e Expr> {
    let (mut out, mut open) = (Vec::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp { left, op, right } if op == operator => open.extend([right.as_ref(), left]),
            other => out.push(other),
        }
    }
    out
}

/// The conditions of which one must hold.
fn split_disjuncts(expr: &Expr) -> Vec<&Expr> {
    let (mut out, mut open) = (Vec::new(), vec![expr]);
    while let Some(expr) = open.pop() {
        match expr {
            Expr::BinaryOp { left, op: BinaryOp::Or, right } => open.extend([right.as_ref(), left]),
            Expr::Nested(inner) if matches!(inner.as_ref(), Expr::BinaryOp { op: BinaryOp::Or, .. }) => {
                open.push(inner);
            }
            other => out.push(other),
        }
    }
    out
}

/// The comparison operator, if it is one.
pub(super) fn to_comparison_op(op: &BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Eq => Op::Eq,
        BinaryOp::NotEq => Op::Ne,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::LtEq => Op::Le,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::GtEq => Op::Ge,
        _ => return None,
    })
}

/// Parses a number literal and its sign.
pub(super) fn parse_number(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(Value::Int(whole));
    }
    match text.parse::<Decimal>() {
        Ok(decimal) => Some(Value::Decimal(decimal)),
        Err(_) => text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Value::Float),
    }
}
