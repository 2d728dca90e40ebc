//! `sql_integer_division`: `/` between integers drops the fraction.

use model::ValueType;
use sqlparser::ast::{BinaryOperator, Expr};

use super::asked::Asked;
use super::findings::{Finding, ReportCondition};
use crate::analyser::Analyser;
use crate::expressions::as_number_literal;
use crate::parse::find_expr_bytes;
use crate::scope::ExprType;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::prompts::english::queries::WHOLE_PARTS;

impl Analyser<'_> {
    /// Checks `left / right`, both already visited.
    pub fn check_division(&mut self, (left, dividend): (&Expr, &ExprType), (right, divisor): (&Expr, &ExprType)) {
        let whole = |value: &ExprType| matches!(value.ty, Some(ValueType::Int | ValueType::Bool));
        let Some(lints) = &self.lints else { return };
        // A chain such as `a / b / c` is reported only at its first division.
        if !whole(dividend)
            || !whole(divisor)
            || lints.whole.contains(&to_node_address(right))
            || find_divisor(left).is_some()
        {
            return;
        }
        if let (Some(a), Some(b)) = (as_number_literal::<i64>(left), as_number_literal::<i64>(right))
            && a.checked_rem(b) == Some(0)
        {
            return;
        }
        let tokens = self.query.tokens;
        let (Some(a), Some(b)) = (find_expr_bytes(tokens, left), find_expr_bytes(tokens, right)) else {
            return;
        };
        let (text, by) = (self.query.slice_text(a), self.query.slice_text(b));
        let said = Diagnostic::new(
            Code::SQL_INTEGER_DIVISION,
            "integer division in SQL drops the fraction: 7 / 2 is 3",
            self.query.to_span((a.0, b.1)),
            "both sides are whole numbers",
        )
        .help(format!(
            "write `1.0 * {text} / {by}`; if you want the whole part, write `CAST({text} / {by} AS INTEGER)`"
        ))
        .fix("insert `1.0 * `", Applicability::Unsafe, self.query.to_span((a.0, a.0)), "1.0 * ");
        self.note_finding(Finding::new_if(ReportCondition::Asked(Asked::Without(WHOLE_PARTS)), said));
    }

    /// Notes `CAST(a / b AS INTEGER)` and `floor(a / b)`, which drop the fraction intentionally.
    pub fn note_intended_truncation(&mut self, expr: &Expr) {
        if let (Some(lints), Some(divisor)) = (&mut self.lints, find_divisor(expr)) {
            lints.whole.insert(to_node_address(divisor));
        }
    }

    /// Notes `a / 10 * 10`, which drops the fraction intentionally; with a fraction, it would equal `a`.
    pub fn note_rounding_down(&mut self, left: &Expr, by: &Expr) {
        if find_divisor(left) == Some(by) {
            self.note_intended_truncation(left);
        }
    }
}

/// The divisor of a division.
fn find_divisor(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Nested(inner) => find_divisor(inner),
        Expr::BinaryOp { op: BinaryOperator::Divide, right, .. } => Some(right),
        _ => None,
    }
}

/// The address of a node, which identifies it because the tree does not move while it is visited.
fn to_node_address(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}
