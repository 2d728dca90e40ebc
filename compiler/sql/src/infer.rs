//! Inference of the types and nullability of expressions.

use std::collections::BTreeSet;

use model::ValueType;
use sqlparser::ast::{BinaryOperator as Op, Expr, Ident, UnaryOperator, Value};

use super::analyser::Analyser;
use super::compare::Side;
use super::expressions::{as_number_literal, is_comparison};
use super::functions;
use super::output::Use;
use super::request::ParamKind;
use super::risks::Risk;
use super::scope::{ExprType, Of, ROW_ID, Resolution, Source, lookup_expr, lookup_name};

impl Analyser<'_> {
    /// Infers the type of an expression, and checks its names.
    pub fn infer_expr(&mut self, expr: &Expr) -> ExprType {
        let around = std::mem::take(&mut self.letters);
        let mut value = self.infer_expr_kind(expr);
        let own = std::mem::replace(&mut self.letters, around);
        // A number or Boolean has no letters, even if it is computed from a text.
        value.letters = if value.may_be_text() { own } else { BTreeSet::new() };
        self.letters.extend(value.letters.iter().cloned());
        match self.frames.last() {
            Some(frame) => frame.narrow_nullability(expr, value),
            None => value,
        }
    }

    fn infer_expr_kind(&mut self, expr: &Expr) -> ExprType {
        let compared = self.compared.take();
        self.note_test(expr);
        self.note_risk(expr);
        match expr {
            Expr::Identifier(name) => self.infer_name(std::slice::from_ref(name), compared),
            Expr::CompoundIdentifier(parts) => self.infer_name(parts, compared),
            Expr::Value(value) => self.infer_literal(&value.value),
            Expr::Nested(inner) => {
                self.compared = compared;
                self.infer_expr(inner)
            }
            Expr::Collate { expr, .. } => {
                self.compared = compared;
                self.infer_expr(expr).into_computed()
            }
            Expr::BinaryOp { .. } => self.infer_binary(expr),
            Expr::UnaryOp { op, expr } => {
                let value = self.infer_expr(expr);
                match op {
                    UnaryOperator::Not => ExprType::with_type(ValueType::Bool, value.nullable),
                    UnaryOperator::BitwiseNot => ExprType::with_type(ValueType::Int, value.nullable),
                    // In arithmetic, a bool is 1 or 0.
                    _ if value.ty == Some(ValueType::Bool) => ExprType::with_type(ValueType::Int, value.nullable),
                    _ if value.ty.is_some_and(ValueType::is_number) => value.into_computed(),
                    _ => ExprType { nullable: value.nullable, ..ExprType::unknown() },
                }
            }
            Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsNotFalse(inner) => {
                self.infer_expr(inner);
                self.note_null_told(inner);
                ExprType::with_type(ValueType::Bool, false)
            }
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.infer_pair(left, right);
                ExprType::with_type(ValueType::Bool, false)
            }
            Expr::Between { expr, low, high, .. } => self.infer_membership(expr, [low.as_ref(), high]),
            Expr::InList { expr, list, .. } => self.infer_membership(expr, list),
            Expr::InSubquery { expr: left, subquery, .. } => {
                let value = self.infer_expr(left);
                let first = self.infer_inner_query(subquery).take_first_value();
                self.check_not_in(expr, &first);
                if !matches!(left.as_ref(), Expr::Tuple(_)) {
                    self.report_mixed_comparison(Side { expr: left, value: &value }, Side { expr, value: &first });
                }
                ExprType::with_type(ValueType::Bool, value.nullable || first.nullable)
            }
            Expr::Like { expr, pattern, escape_char, .. } => {
                let mut nullable = self.infer_expr(expr).nullable | self.infer_expr(pattern).nullable;
                if let Some(escape) = escape_char {
                    nullable |= self.infer_expr(escape).nullable;
                }
                ExprType::with_type(ValueType::Bool, nullable)
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                self.infer_case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Cast { expr, data_type, .. } => {
                let to = data_type.to_string();
                if to.to_ascii_uppercase().contains("INT") {
                    self.note_intended_truncation(expr);
                }
                let value = self.infer_expr(expr);
                functions::infer_cast(&to, &value)
            }
            Expr::Exists { subquery, .. } => {
                self.set_row_use(Use::Counted);
                self.infer_inner_query(subquery);
                ExprType::with_type(ValueType::Bool, false)
            }
            Expr::Subquery(subquery) => {
                let output = self.infer_inner_query(subquery);
                let least = output.least;
                // The first row is taken.
                if output.most.is_none_or(|most| most > 1) {
                    self.add_risk(Risk::Order);
                }
                let mut value = output.take_first_value().into_computed();
                self.letters.extend(value.letters.iter().cloned());
                value.nullable |= least == 0;
                value
            }
            Expr::Tuple(items) => {
                for item in items {
                    self.infer_expr(item);
                }
                ExprType::unknown()
            }
            Expr::Function(function) => self.infer_function(function),
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let parts = [Some(expr), substring_from.as_ref(), substring_for.as_ref()];
                self.infer_text(parts.into_iter().flatten().map(AsRef::as_ref))
            }
            Expr::Trim { expr, trim_characters, trim_what, .. } => {
                let parts =
                    std::iter::once(expr.as_ref()).chain(trim_what.as_deref()).chain(trim_characters.iter().flatten());
                self.infer_text(parts)
            }
            Expr::Ceil { expr: inner, .. } | Expr::Floor { expr: inner, .. } => {
                if matches!(expr, Expr::Floor { .. }) {
                    self.note_intended_truncation(inner);
                }
                functions::infer_truncation(&self.infer_expr(inner))
            }
            Expr::TypedString(_) | Expr::Interval(_) | Expr::Wildcard(_) => ExprType::unknown(),
            _ => {
                self.give_up();
                ExprType::unknown()
            }
        }
    }

    /// Infers the type of a test that compares an expression with several others.
    fn infer_membership<'e>(&mut self, expr: &Expr, others: impl IntoIterator<Item = &'e Expr>) -> ExprType {
        let value = self.infer_expr(expr);
        let mut nullable = value.nullable;
        for other in others {
            nullable |= self.infer_compared(expr, &value, other).nullable;
        }
        ExprType::with_type(ValueType::Bool, nullable)
    }

    fn infer_text<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>) -> ExprType {
        let mut nullable = false;
        for part in parts {
            nullable |= self.infer_expr(part).nullable;
        }
        ExprType::with_type(ValueType::Text, nullable)
    }

    fn infer_name(&mut self, parts: &[Ident], compared: Option<(usize, usize)>) -> ExprType {
        match lookup_name(&self.frames, parts) {
            Resolution::Column(value, (frame, relation, place)) => {
                self.met.insert((frame, relation, place));
                self.innermost = self.innermost.max(Some(frame));
                self.note_read(&value);
                if let Some(origin) = value.origin {
                    self.note_column_meaning(parts, origin);
                }
                self.letters.extend(value.collect_letters());
                value
            }
            Resolution::Alias(value, frame) => {
                self.met.insert((frame, ROW_ID, ROW_ID));
                self.letters.extend(value.collect_letters());
                value
            }
            Resolution::RowId(value, (frame, relation)) => {
                self.innermost = self.innermost.max(Some(frame));
                self.met.insert((frame, relation, ROW_ID));
                if let Some(name) = parts.last() {
                    self.report_file_row_id(name, (frame, relation));
                }
                value
            }
            Resolution::Perhaps => {
                self.met.extend((0..self.frames.len()).map(|frame| (frame, ROW_ID, ROW_ID)));
                self.give_up();
                ExprType::unknown()
            }
            Resolution::Ambiguous(depth, relations) => {
                if let Some(name) = parts.last() {
                    self.report_ambiguous_column(name, depth, &relations);
                }
                ExprType::unknown()
            }
            Resolution::Missing => {
                self.report_unknown_column(parts, compared);
                ExprType::unknown()
            }
            Resolution::NoRelation => {
                if let Some(relation) = parts.len().checked_sub(2).and_then(|index| parts.get(index)) {
                    self.report_unknown_relation(relation);
                }
                ExprType::unknown()
            }
        }
    }

    fn infer_literal(&mut self, value: &Value) -> ExprType {
        match value {
            Value::Number(digits, _) => {
                let whole = digits.starts_with("0x") || digits.starts_with("0X") || digits.parse::<i64>().is_ok();
                ExprType::with_type(if whole { ValueType::Int } else { ValueType::Float }, false)
            }
            Value::SingleQuotedString(_) => ExprType::with_type(ValueType::Text, false),
            Value::Boolean(_) => ExprType::with_type(ValueType::Bool, false),
            Value::Null => ExprType::null(),
            Value::Placeholder(name) => match name.strip_prefix(':').map(|name| (self.query.request.param)(name)) {
                Some(ParamKind::Value { value_type, nullable }) => {
                    let param = name.trim_start_matches(':').to_owned();
                    self.letters.insert(Source { of: Of::Param(param), cased: false });
                    ExprType { ty: value_type, nullable, ..ExprType::default() }
                }
                _ => ExprType::unknown(),
            },
            _ => ExprType { nullable: false, ..ExprType::unknown() },
        }
    }

    /// Infers a chain of operators from the left without recursion, because chains may reach SQLite's limit of 1000.
    fn infer_binary(&mut self, expr: &Expr) -> ExprType {
        let mut chain = Vec::new();
        let mut first = expr;
        while let Expr::BinaryOp { left, op, right } = first {
            chain.push((left.as_ref(), op, right.as_ref()));
            first = left;
        }
        if let Some((_, op, right)) = chain.last()
            && is_comparison(op)
        {
            self.compared = self.find_plain_column(right);
        }
        let mut around = None;
        let mut at = expr;
        for (left, op, right) in &chain {
            self.note_operator_risk(op);
            if **op == Op::Multiply {
                self.note_rounding_down(left, right);
            }
            if **op == Op::And && around != Some(&Op::And) {
                self.note_conjunction(at);
            }
            (around, at) = (Some(*op), *left);
        }
        let mut value = self.infer_expr(first);
        for (left, op, right) in chain.into_iter().rev() {
            if is_comparison(op) {
                let other = self.infer_compared(left, &value, right);
                self.note_comparison(left, op, right);
                value = ExprType::with_type(ValueType::Bool, value.nullable || other.nullable);
            } else {
                let other = self.infer_expr(right);
                if *op == Op::Glob {
                    self.note_glob(left, &value, right);
                }
                if matches!(op, Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo) {
                    self.report_text_arithmetic(left, &value);
                    self.report_text_arithmetic(right, &other);
                }
                if *op == Op::Minus {
                    self.note_difference(left, right);
                }
                if matches!(op, Op::Divide | Op::Modulo) {
                    self.note_divisor(right);
                }
                if *op == Op::Divide {
                    self.check_division((left, &value), (right, &other));
                }
                value = self.infer_operator(&value, op, &other, right);
            }
        }
        value
    }

    fn infer_pair(&mut self, left: &Expr, right: &Expr) {
        self.compared = self.find_plain_column(right);
        let value = self.infer_expr(left);
        self.infer_compared(left, &value, right);
    }

    /// Infers the type of `right`, which is compared with `left`.
    fn infer_compared(&mut self, left: &Expr, value: &ExprType, right: &Expr) -> ExprType {
        self.compared = value.origin;
        let other = self.infer_expr(right);
        self.report_mixed_comparison(Side { expr: left, value }, Side { expr: right, value: &other });
        self.without_colon(left, right);
        other
    }

    /// The column of the request, if the expression consists only of its name.
    fn find_plain_column(&self, expr: &Expr) -> Option<(usize, usize)> {
        match lookup_expr(&self.frames, expr)? {
            Resolution::Column(value, _) => value.origin,
            _ => None,
        }
    }

    fn infer_case(
        &mut self,
        operand: Option<&Expr>,
        conditions: &[sqlparser::ast::CaseWhen],
        otherwise: Option<&Expr>,
    ) -> ExprType {
        // Operands that are only compared are not part of the result.
        let letters = self.letters.clone();
        let subject = operand.map(|operand| (operand, self.infer_expr(operand)));
        let mut results = letters.clone();
        let mut result: Option<ExprType> = None;
        for case in conditions {
            self.letters.clone_from(&letters);
            match &subject {
                Some((operand, value)) => {
                    self.note_when(operand, &case.condition);
                    self.infer_compared(operand, value, &case.condition);
                }
                None => {
                    self.infer_expr(&case.condition);
                    self.note_conditions(&case.condition);
                }
            }
            self.letters = results;
            let value = self.infer_expr(&case.result);
            results = std::mem::take(&mut self.letters);
            result = Some(result.map_or_else(|| value.clone(), |result| result.join_with(&value)));
        }
        self.letters = results;
        if subject.is_none() {
            self.note_branches(conditions);
        }
        let last = otherwise.map_or_else(ExprType::null, |otherwise| self.infer_expr(otherwise));
        result.map_or_else(ExprType::unknown, |result| result.join_with(&last)).into_computed()
    }
}

impl Analyser<'_> {
    fn infer_operator(&self, left: &ExprType, op: &Op, right: &ExprType, by: &Expr) -> ExprType {
        match op {
            Op::Plus | Op::Minus | Op::Multiply => infer_arithmetic(left, right),
            // Division by zero returns null.
            Op::Divide => {
                let value = infer_arithmetic(left, right);
                let fraction = value.ty == Some(ValueType::Float) && !is_terminating_divisor(by);
                let value = ExprType { endless: value.endless || fraction, ..value };
                if self.is_never_zero(by) { value } else { ExprType { nullable: true, empty: false, ..value } }
            }
            // Both operands are truncated to integers first.
            Op::Modulo => {
                let value = ExprType { endless: false, ..infer_arithmetic(left, right) };
                let whole = as_number_literal::<f64>(by).is_some_and(|by| by.trunc() != 0.0);
                if whole { value } else { ExprType { nullable: true, empty: false, ..value } }
            }
            _ => infer_other_operator(left, op, right),
        }
    }

    /// Whether a divisor is a number other than 0, or a count of at least one row.
    fn is_never_zero(&self, by: &Expr) -> bool {
        match by {
            Expr::Nested(inner) => self.is_never_zero(inner),
            Expr::Function(function) if functions::is_count_star(function) => {
                self.frames.last().is_some_and(|frame| frame.grouped || frame.some_row)
            }
            _ => as_number_literal::<f64>(by).is_some_and(|by| by != 0.0),
        }
    }
}

/// Whether division by this number has finitely many decimals, as for 2, 4, 5, and 10.
fn is_terminating_divisor(by: &Expr) -> bool {
    let Some(by) =
        as_number_literal::<f64>(by).map(f64::abs).filter(|by| by.fract() == 0.0 && (1.0..1e15).contains(by))
    else {
        return false;
    };
    has_finite_quotients(by as u64)
}

/// Whether quotients by a whole number have finitely many decimals: only 2 and 5 divide it.
pub fn has_finite_quotients(by: u64) -> bool {
    let mut rest = by;
    for prime in [2, 5] {
        while rest > 1 && rest.is_multiple_of(prime) {
            rest /= prime;
        }
    }
    rest == 1
}

fn infer_other_operator(left: &ExprType, op: &Op, right: &ExprType) -> ExprType {
    let nullable = left.nullable || right.nullable;
    match op {
        Op::StringConcat => ExprType::with_type(ValueType::Text, nullable),
        Op::And | Op::Or | Op::Match | Op::Regexp | Op::Glob => ExprType::with_type(ValueType::Bool, nullable),
        Op::BitwiseAnd | Op::BitwiseOr | Op::PGBitwiseShiftLeft | Op::PGBitwiseShiftRight => {
            ExprType::with_type(ValueType::Int, nullable)
        }
        Op::Arrow => ExprType::with_type(ValueType::Text, true),
        _ => ExprType::unknown(),
    }
}

fn infer_arithmetic(left: &ExprType, right: &ExprType) -> ExprType {
    use ValueType::{Bool, Int};
    let ty = match (left.ty, right.ty) {
        _ if left.null || right.null => return ExprType::null(),
        (Some(Int | Bool), Some(Int | Bool)) => Some(Int),
        (Some(a), Some(b)) if [a, b].iter().all(|ty| ty.is_number() || *ty == Bool) => Some(ValueType::Float),
        _ => None,
    };
    ExprType { ty, ..ExprType::default() }.with_operands(left, right)
}
