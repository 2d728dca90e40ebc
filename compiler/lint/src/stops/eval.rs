//! Evaluates expressions in an imagined sample, as a build does.

use model::ops::{self, OpError};
use model::suite::{ColumnId, Op};
use model::{TiVec, Value};

use super::calls;
use super::fault::{Res, Stop, What, fail, join_all, join_both};
use super::world::{Table, World};
use hir::{Expr, ExprKind};
use syntax::fmt::shorten_text;

/// The maximum number of bytes of a text that is imagined.
const MAX_TEXT: usize = 1 << 16;

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Eval<'e, 'a> {
    /// The sample.
    pub world: &'e World<'a>,
    /// The current row.
    pub row: Option<Row<'e>>,
    /// The row for which candidates are looked at.
    pub outer: Option<Row<'e>>,
}

/// A row of an imagined table.
#[derive(Clone, Copy)]
pub(super) enum Row<'e> {
    /// A row of a table.
    Of(&'e Table, usize),
    /// A row that a table could have.
    Alone(&'e TiVec<ColumnId, Res<Value>>),
}

impl Row<'_> {
    fn read_cell(self, column: ColumnId) -> Res<Value> {
        match self {
            Row::Of(table, row) => table.read_cell(column, row),
            Row::Alone(cells) => cells.get(column).cloned().unwrap_or(Err(Stop::Unknown)),
        }
    }
}

impl<'e, 'a> Eval<'e, 'a> {
    /// Evaluates without a row.
    pub(super) fn new(world: &'e World<'a>) -> Eval<'e, 'a> {
        Eval { world, row: None, outer: None }
    }

    /// Evaluates in a row.
    pub(super) fn with_row(self, row: Row<'e>) -> Eval<'e, 'a> {
        Eval { row: Some(row), outer: None, ..self }
    }

    /// Evaluates a filter, or a value for each row, in this candidate.
    pub(super) fn with_candidate(self, row: Row<'e>) -> Eval<'e, 'a> {
        Eval { row: Some(row), outer: self.row, ..self }
    }

    /// Whether a condition is true; null is not.
    pub(super) fn is_true(self, condition: &'a Expr) -> Res<bool> {
        match &condition.kind {
            ExprKind::Binary(Op::And, sides) => match self.is_true(&sides.0) {
                Ok(true) => self.is_true(&sides.1),
                // The right side may not be evaluated at all.
                Err(Stop::Unknown) => match self.is_true(&sides.1) {
                    Ok(false) => Ok(false),
                    _ => Err(Stop::Unknown),
                },
                known => known,
            },
            ExprKind::Binary(Op::Or, sides) => match self.is_true(&sides.0) {
                Ok(false) => self.is_true(&sides.1),
                Err(Stop::Unknown) => match self.is_true(&sides.1) {
                    Ok(true) => Ok(true),
                    _ => Err(Stop::Unknown),
                },
                known => known,
            },
            _ => self.evaluate(condition).map(|value| value == Value::Bool(true)),
        }
    }

    /// Evaluates an expression.
    pub(super) fn evaluate(self, expr: &'a Expr) -> Res<Value> {
        self.world.spend_work(1)?;
        match &expr.kind {
            ExprKind::Unknown | ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox => Err(Stop::Unknown),
            ExprKind::Const(value) => Ok(value.clone()),
            ExprKind::Name(id) => self.world.read_name(*id),
            ExprKind::Column(column) => self.row.map_or(Err(Stop::Unknown), |row| row.read_cell(*column)),
            ExprKind::OuterColumn(column) => self.outer.map_or(Err(Stop::Unknown), |row| row.read_cell(*column)),
            ExprKind::Neg(inner) => {
                let value = self.evaluate(inner)?;
                ops::apply_neg(&value).or_else(|_| fail(What::Computation, expr.span, describe_negation(&value)))
            }
            ExprKind::Not(inner) => self.evaluate(inner).map(|value| ops::apply_not(&value)),
            ExprKind::Binary(op, sides) => self.evaluate_binary(expr, *op, sides),
            ExprKind::If(parts) => match self.is_true(&parts.0)? {
                true => self.evaluate(&parts.1),
                false => self.evaluate(&parts.2),
            },
            ExprKind::List(items) => join_all(items.iter().map(|item| self.evaluate(item))).map(Value::List),
            ExprKind::Object(fields) => {
                let values = join_all(fields.iter().map(|(_, value)| self.evaluate(value)))?;
                Ok(Value::Object(fields.iter().map(|(key, _)| key.clone()).zip(values).collect()))
            }
            ExprKind::Concat(parts) => {
                let values = join_all(parts.iter().map(|part| self.evaluate(part)))?;
                let mut text = String::new();
                for value in values {
                    // That a text can be null is an error of its own.
                    if value.is_null() || text.len() > MAX_TEXT {
                        return Err(Stop::Unknown);
                    }
                    value.render_into(&mut text);
                }
                Ok(Value::Text(text))
            }
            ExprKind::Call(function, args) => match self.world.find_given(expr) {
                Some(value) => Ok(value),
                None => calls::call_function(self, expr, *function, args),
            },
        }
    }

    fn evaluate_binary(self, expr: &'a Expr, op: Op, sides: &'a (Expr, Expr)) -> Res<Value> {
        if matches!(op, Op::And | Op::Or) {
            return self.evaluate_logic(op, sides);
        }
        if let Some((op, asked)) = expr.as_null_test() {
            return self.evaluate(asked).map(|value| Value::Bool(value.is_null() == (op == Op::Eq)));
        }
        let (a, b) = join_both(self.evaluate(&sides.0), self.evaluate(&sides.1))?;
        match ops::apply_binary(op, &a, &b) {
            Ok(value) => Ok(value),
            Err(OpError::DivisionByZero) => fail(What::Divisor, sides.1.span, "0"),
            Err(OpError::Overflow) => fail(What::Computation, expr.span, describe_overflow(op, &a, &b)),
            // A value of another type than `check` knows, such as a number in the result of a query.
            Err(OpError::Types) => Err(Stop::Unknown),
        }
    }

    /// `and`, `or`: the right side is not evaluated if the left side decides.
    fn evaluate_logic(self, op: Op, sides: &'a (Expr, Expr)) -> Res<Value> {
        let left = self.evaluate(&sides.0);
        if left == Ok(Value::Bool(op == Op::Or)) || matches!(left, Err(Stop::Fails(_))) {
            return left;
        }
        let (left, right) = match (left, self.evaluate(&sides.1)) {
            (Ok(left), right) => (left, right?),
            (Err(_), Ok(right)) if right == Value::Bool(op == Op::Or) => return Ok(right),
            _ => return Err(Stop::Unknown),
        };
        Ok(if op == Op::And { ops::apply_and(&left, &right) } else { ops::apply_or(&left, &right) })
    }

    /// Evaluates an int that is not null.
    pub(super) fn evaluate_int(self, expr: &'a Expr) -> Res<i64> {
        let value = self.evaluate(expr)?;
        value.as_decimal().and_then(model::Decimal::to_int).ok_or(Stop::Unknown)
    }
}

/// Formats a value for a reason.
pub(super) fn describe(value: &Value) -> String {
    let short = shorten_text(&value.render_text(), 40);
    if matches!(value, Value::Text(_)) { format!("\"{short}\"") } else { short }
}

fn describe_negation(value: &Value) -> String {
    format!("-({}) overflows", describe(value))
}

fn describe_overflow(op: Op, a: &Value, b: &Value) -> String {
    let is_time = |value: &Value| matches!(value, Value::Date(_) | Value::DateTime(_));
    let limit = match (a, b) {
        (Value::Int(_), Value::Int(_)) => "does not fit the 64 bits of an int",
        _ if is_time(a) || is_time(b) => "is beyond the calendar (years 1 to 9999)",
        (Value::Float(_), _) | (_, Value::Float(_)) => "does not fit a float",
        (Value::Decimal(_), _) | (_, Value::Decimal(_)) => "does not fit a decimal (18 places, 38 digits)",
        _ => "is too large",
    };
    format!("{} {} {} {limit}", describe(a), op.word(), describe(b))
}
