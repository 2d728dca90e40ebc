//! `sql_integer_division`: `/` between whole numbers drops the fraction.

use model::ValueType;
use sqlparser::ast::{BinaryOperator, Expr};

use super::{Finding, places};
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::sql::rows::literal_int;
use crate::sql::scope::Typed;
use crate::sql::select::Analyser;

impl Analyser<'_> {
    /// `left / right`: both are walked.
    pub fn divided(&mut self, (left, dividend): (&Expr, &Typed), (right, divisor): (&Expr, &Typed)) {
        let whole = |value: &Typed| matches!(value.ty, Some(ValueType::Int | ValueType::Bool));
        let Some(lints) = &self.lints else { return };
        // One fraction is lost once: `a / b / c` is told at its first division.
        if !whole(dividend) || !whole(divisor) || lints.whole.contains(&place(right)) || division(left).is_some() {
            return;
        }
        if let (Some(a), Some(b)) = (literal_int(left), literal_int(right))
            && a.checked_rem(b) == Some(0)
        {
            return;
        }
        let tokens = self.query.tokens;
        let (Some(a), Some(b)) = (places::whole(tokens, left), places::whole(tokens, right)) else { return };
        let (text, by) = (self.query.slice(a), self.query.slice(b));
        let said = Diagnostic::new(
            Code::SQL_INTEGER_DIVISION,
            "integer division in SQL drops the fraction: 7 / 2 is 3",
            self.query.span((a.0, b.1)),
            "both sides are whole numbers",
        )
        .help(format!(
            "write `1.0 * {text} / {by}`; if you want the whole part, write `CAST({text} / {by} AS INTEGER)`"
        ))
        .fix("insert `1.0 * `", Applicability::Unsafe, self.query.span((a.0, a.0)), "1.0 * ");
        self.find(Finding::always(said));
    }

    /// `CAST(a / b AS INTEGER)`, `floor(a / b)`: the fraction is dropped on purpose.
    pub fn whole_is_meant(&mut self, expr: &Expr) {
        if let (Some(lints), Some(divisor)) = (&mut self.lints, division(expr)) {
            lints.whole.insert(place(divisor));
        }
    }

    /// `a / 10 * 10`: with a fraction it would be nothing but `a`.
    pub fn rounded_down(&mut self, left: &Expr, by: &Expr) {
        if division(left) == Some(by) {
            self.whole_is_meant(left);
        }
    }
}

/// The divisor of a division.
fn division(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Nested(inner) => division(inner),
        Expr::BinaryOp { op: BinaryOperator::Divide, right, .. } => Some(right),
        _ => None,
    }
}

/// Where a node of the tree is: the tree does not move while it is walked.
fn place(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}
