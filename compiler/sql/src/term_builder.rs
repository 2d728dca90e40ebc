//! Builds the terms of a query while it is visited, and names are resolved.

use std::sync::Arc;

use model::Value;
use model::suite::Op;
use sqlparser::ast::{BinaryOperator as BinaryOp, CaseWhen, DataType, Expr, UnaryOperator, Value as Literal};

use super::analyser::Analyser;
use super::expressions::as_text_literal;
use super::lex;
use super::predicate_collector::{parse_number, to_comparison_op};
use super::scope::{At, ExprType, ROW_ID, Resolution, lookup_expr};
use super::terms::{Affinity, MatchKind, Operator, Term};

impl Analyser<'_> {
    /// The term of an expression whose names have been resolved.
    pub(super) fn build_term(&self, expr: &Expr) -> Term {
        match expr {
            Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Plus, expr: inner } => self.build_term(inner),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => self.build_name(expr),
            Expr::Value(value) => build_literal(&value.value),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => self.build_negative(expr),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => Term::Not(Box::new(self.build_term(expr))),
            Expr::BinaryOp { left, op, right } => {
                self.build_row_comparison(left, op, right).unwrap_or_else(|| self.build_binary(left, op, right))
            }
            Expr::IsNull(inner) => self.build_is(inner, Term::NULL),
            Expr::IsNotNull(inner) => Term::Not(Box::new(self.build_is(inner, Term::NULL))),
            Expr::IsTrue(inner) => self.build_is_true(inner, Op::Ne),
            Expr::IsNotTrue(inner) => self.build_is_true(inner, Op::Ne).negate(),
            Expr::IsFalse(inner) => self.build_is_true(inner, Op::Eq),
            Expr::IsNotFalse(inner) => self.build_is_true(inner, Op::Eq).negate(),
            Expr::IsNotDistinctFrom(left, right) => self.build_is(left, self.build_term(right)),
            Expr::IsDistinctFrom(left, right) => Term::Not(Box::new(self.build_is(left, self.build_term(right)))),
            Expr::Between { expr, negated, low, high } => {
                let bound = |op, end| Term::Compare(op, Term::pair(self.build_term(expr), self.build_term(end)));
                let between = Term::And(Term::pair(bound(Op::Ge, low), bound(Op::Le, high)));
                if *negated { between.negate() } else { between }
            }
            Expr::InList { expr, list, negated } => {
                let items = list.iter().map(|item| self.build_term(item)).collect();
                let listed = Term::In(Box::new(self.build_term(expr)), items);
                if *negated { listed.negate() } else { listed }
            }
            Expr::InSubquery { expr, subquery, negated } => {
                let inner = self.find_inner_term(std::ptr::from_ref(subquery.as_ref()).addr());
                let found = self.build_in_query(self.build_term(expr), inner, subquery);
                if *negated { found.negate() } else { found }
            }
            Expr::Exists { subquery, negated } => {
                let found = self.build_exists(subquery);
                if *negated { found.negate() } else { found }
            }
            Expr::Like { .. } => self.build_like(expr),
            Expr::Case { operand, conditions, else_result, .. } => {
                self.build_case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Cast { expr, data_type, .. } => to_affinity(data_type)
                .map_or(Term::Unknown, |affinity| Term::Cast(affinity, Box::new(self.build_term(expr)))),
            Expr::Subquery(query) => self.find_inner_term(std::ptr::from_ref(query.as_ref()).addr()),
            Expr::Function(function) => self.build_call(function),
            Expr::Substring { expr, substring_from: Some(from), substring_for, .. } => {
                let parts = [Some(expr), Some(from), substring_for.as_ref()];
                self.build_named_call("substr", parts.into_iter().flatten().map(AsRef::as_ref))
            }
            Expr::Trim { expr, trim_where: None, trim_what: None, trim_characters } => {
                let parts = std::iter::once(expr.as_ref()).chain(trim_characters.iter().flatten());
                self.build_named_call("trim", parts)
            }
            Expr::Ceil { expr, .. } => self.build_named_call("ceil", [expr.as_ref()]),
            Expr::Floor { expr, .. } => self.build_named_call("floor", [expr.as_ref()]),
            _ => Term::Unknown,
        }
    }

    pub(super) fn build_named_call<'e>(&self, name: &str, args: impl IntoIterator<Item = &'e Expr>) -> Term {
        Term::Call(name.to_owned(), args.into_iter().map(|arg| self.build_term(arg)).collect())
    }

    fn build_negative(&self, expr: &Expr) -> Term {
        if let Expr::Value(value) = expr
            && let Literal::Number(digits, _) = &value.value
        {
            return parse_number(&format!("-{digits}")).map_or(Term::Unknown, |value| Term::Literal(to_double(value)));
        }
        Term::Negative(Box::new(self.build_term(expr)))
    }

    fn build_is(&self, left: &Expr, right: Term) -> Term {
        Term::Is(Term::pair(self.build_term(left), right))
    }

    /// `x IS TRUE`, `x IS FALSE`: not null, and not 0 or 0.
    fn build_is_true(&self, inner: &Expr, op: Op) -> Term {
        let value = self.build_term(inner);
        let zero = Term::Literal(Value::Int(0));
        let present = Term::Is(Term::pair(value.clone(), Term::NULL)).negate();
        Term::And(Term::pair(present, Term::Compare(op, Term::pair(value, zero))))
    }

    /// The term of a chain of operators, from the left without recursion.
    fn build_binary(&self, left: &Expr, op: &BinaryOp, right: &Expr) -> Term {
        let mut chain = vec![(op, right)];
        let mut first = left;
        while let Expr::BinaryOp { left, op, right } = first {
            chain.push((op, right));
            first = left;
        }
        let first = self.build_term(first);
        chain.into_iter().rev().fold(first, |left, (op, right)| self.build_operation(left, op, right))
    }

    fn build_operation(&self, left: Term, op: &BinaryOp, right: &Expr) -> Term {
        let sides = Term::pair(left, self.build_term(right));
        if let Some(op) = to_comparison_op(op) {
            return Term::Compare(op, sides);
        }
        let operator = match op {
            BinaryOp::And => return Term::And(sides),
            BinaryOp::Or => return Term::Or(sides),
            BinaryOp::Glob => {
                let (text, pattern) = *sides;
                return Term::Match { text: Box::new(text), pattern: Box::new(pattern), kind: MatchKind::Glob };
            }
            BinaryOp::Plus => Operator::Add,
            BinaryOp::Minus => Operator::Subtract,
            BinaryOp::Multiply => Operator::Multiply,
            BinaryOp::Divide => Operator::Divide,
            BinaryOp::Modulo => Operator::Remainder,
            BinaryOp::StringConcat => Operator::Concatenate,
            BinaryOp::BitwiseAnd => Operator::BitAnd,
            BinaryOp::BitwiseOr => Operator::BitOr,
            BinaryOp::PGBitwiseShiftLeft => Operator::ShiftLeft,
            BinaryOp::PGBitwiseShiftRight => Operator::ShiftRight,
            _ => return Term::Unknown,
        };
        Term::Operator(operator, sides)
    }

    /// `x LIKE pattern`; `sqlparser` represents NOT GLOB as NOT LIKE.
    fn build_like(&self, whole: &Expr) -> Term {
        let Expr::Like { expr, pattern, escape_char, negated, any: false } = whole else { return Term::Unknown };
        let Some(written) = self.find_match_word(pattern) else { return Term::Unknown };
        let kind = match (written, escape_char.as_deref()) {
            ("LIKE", None) => MatchKind::Like(None),
            ("LIKE", Some(escape)) => {
                let mut chars = as_text_literal(escape).unwrap_or_default().chars();
                let (Some(escape), None) = (chars.next(), chars.next()) else { return Term::Unknown };
                MatchKind::Like(Some(escape))
            }
            ("GLOB", None) => MatchKind::Glob,
            _ => return Term::Unknown,
        };
        let (text, pattern) = (Box::new(self.build_term(expr)), Box::new(self.build_term(pattern)));
        let matched = Term::Match { text, pattern, kind };
        if *negated { matched.negate() } else { matched }
    }

    /// The word before a pattern: `LIKE` or `GLOB`.
    pub(super) fn find_match_word(&self, pattern: &Expr) -> Option<&'static str> {
        let (start, _) = super::parse::find_node_bytes(self.query.tokens, pattern)?;
        let mut before = self.query.tokens.iter().rev().filter(|token: &&lex::Token<'_>| token.end() <= start);
        let word = before.find(|token| !token.is_punct("("))?;
        ["LIKE", "GLOB"].into_iter().find(|known| word.is_keyword(known))
    }

    fn build_case(&self, operand: Option<&Expr>, conditions: &[CaseWhen], otherwise: Option<&Expr>) -> Term {
        let condition = |case: &CaseWhen| match operand {
            Some(operand) => {
                Term::Compare(Op::Eq, Term::pair(self.build_term(operand), self.build_term(&case.condition)))
            }
            None => self.build_term(&case.condition),
        };
        let branches = conditions.iter().map(|case| (condition(case), self.build_term(&case.result))).collect();
        Term::Case(branches, Box::new(otherwise.map_or(Term::NULL, |otherwise| self.build_term(otherwise))))
    }

    /// The column that a name refers to. Its nullability ignores WHERE, because the noted comparison may itself exclude null.
    fn build_name(&self, name: &Expr) -> Term {
        match lookup_expr(&self.frames, name) {
            Some(Resolution::Column(_, at)) => self.build_column(at).unwrap_or(Term::Unknown),
            Some(Resolution::Alias(value, frame)) => {
                self.build_cell(&value, (frame, ROW_ID, ROW_ID)).unwrap_or(Term::Unknown)
            }
            _ => Term::Unknown,
        }
    }

    fn build_column(&self, at: At) -> Option<Term> {
        let (frame, relation, place) = at;
        let frame = self.frames.get(frame)?;
        let value = frame.relations.get(relation)?.infer_column(place);
        let nullable = value.nullable || frame.may_have_no_rows();
        self.build_cell(&ExprType { nullable, ..value }, at)
    }

    /// The term of a column with this value at a place.
    pub(super) fn build_cell(&self, value: &ExprType, at: At) -> Option<Term> {
        let nullable = value.nullable;
        match (value.origin, &value.term) {
            (Some(origin), _) => {
                let (relation, column) = self.query.request.resolve_column(origin)?;
                Some(Term::Column { relation, column, nullable, at })
            }
            (None, Some(of)) => Some(Term::Cell { at, of: Arc::clone(of), nullable }),
            (None, None) => None,
        }
    }

    /// The term of the first column of a query inside an expression that has been visited.
    fn find_inner_term(&self, address: usize) -> Term {
        self.inner_terms.get(&address).cloned().unwrap_or(Term::Unknown)
    }

    /// Attaches its term to the value of an output.
    pub(super) fn with_term(&self, expr: &Expr, value: ExprType) -> ExprType {
        if value.origin.is_some() {
            return value;
        }
        let term = self.build_term(expr);
        let known = !matches!(term, Term::Unknown | Term::Cell { .. });
        match term {
            Term::Cell { of, .. } => ExprType { term: Some(of), ..value },
            term => ExprType { term: known.then(|| Arc::new(term)), ..value },
        }
    }
}

impl Term {
    fn negate(self) -> Term {
        Term::Not(Box::new(self))
    }
}

fn build_literal(value: &Literal) -> Term {
    match value {
        Literal::Number(digits, _) => {
            parse_number(digits).map_or(Term::Unknown, |value| Term::Literal(to_double(value)))
        }
        Literal::SingleQuotedString(text) => Term::Literal(Value::from_text(text.as_str())),
        Literal::Null => Term::NULL,
        Literal::Boolean(value) => Term::Literal(Value::Int(i64::from(*value))),
        Literal::Placeholder(name) => name.strip_prefix(':').map_or(Term::Unknown, |name| Term::Param(name.to_owned())),
        _ => Term::Unknown,
    }
}

/// SQLite computes with doubles.
fn to_double(value: Value) -> Value {
    match value {
        Value::Decimal(_) => value.as_f64().map_or(value, Value::Float),
        other => other,
    }
}

fn to_affinity(data_type: &DataType) -> Option<Affinity> {
    let name = data_type.to_string().to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    match () {
        () if has(&["INT"]) => Some(Affinity::Integer),
        () if has(&["CHAR", "CLOB", "TEXT"]) => Some(Affinity::Text),
        () if has(&["BLOB"]) => None,
        () if has(&["REAL", "FLOA", "DOUB"]) => Some(Affinity::Real),
        () => None,
    }
}
