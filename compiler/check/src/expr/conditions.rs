//! Conditions: their types, the branches of `if`, and the places that a condition shows not to be null.

use model::Span;
use model::ops;
use model::suite::Op;

use crate::context::{Outcome, Place, TaskChecker, TaskScope};
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks the condition of `if`, `where`, or `require`: a bool or null, where null counts as false.
    pub fn check_decision(&mut self, expr: &'a ast::Expr, what: &str) -> Expr {
        self.decides = true;
        self.check_condition(expr, what)
    }

    /// Checks a condition, or an operand of one: a bool or null.
    pub fn check_condition(&mut self, expr: &'a ast::Expr, what: &str) -> Expr {
        let checked = self.check_expr(expr);
        if !matches!(checked.ty.kind, TyKind::Bool | TyKind::Unknown | TyKind::Null) {
            let help = match checked.ty.kind {
                TyKind::Int | TyKind::Decimal(_) | TyKind::Float => "compare it with something: `> 0`",
                TyKind::Text => "compare it with something: `== \"…\"`",
                _ => "write a comparison",
            };
            let message = format!("{what} needs a condition");
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, checked.span, format!("this is {}", checked.ty));
            self.cx.report(said.help(help));
            return Expr::unknown(checked.span);
        }
        checked
    }

    /// Checks something that is evaluated only if a condition has this outcome, which can prove that values are not null.
    pub(super) fn check_under<T>(
        &mut self,
        condition: &Expr,
        outcome: Outcome,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let known = self.scope.find_not_null_places(condition, outcome);
        let before = self.scope.here.not_null.len();
        self.scope.here.not_null.extend(known);
        let checked = check(self);
        self.scope.here.not_null.truncate(before);
        checked
    }

    pub(super) fn check_if(
        &mut self,
        condition: &'a ast::Expr,
        then: &'a ast::Expr,
        otherwise: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let condition = self.check_decision(condition, "`if`");
        let then = self.check_under(&condition, Outcome::True, |this| this.check_expr(then));
        let otherwise = self.check_under(&condition, Outcome::NotTrue, |this| this.check_expr(otherwise));
        let Some(ty) = then.ty.find_common_type(&otherwise.ty) else {
            let message = "the branches of `if` have different types";
            let label = format!("this is {}", otherwise.ty);
            let help = "use the same type in both branches";
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, otherwise.span, label);
            self.cx.report(said.label(then.span, format!("this is {}", then.ty)).help(help));
            return Expr::unknown(span);
        };
        match condition.as_constant() {
            Some(value) => Expr { ty, span, kind: if ops::is_true(value) { then.kind } else { otherwise.kind } },
            None => Expr { kind: ExprKind::If(Box::new((condition, then, otherwise))), ty, span },
        }
    }
}

impl TaskScope<'_> {
    /// Makes the type of a call not nullable if a condition has shown that the call does not return null.
    pub(super) fn narrow_call_type(&self, call: Expr) -> Expr {
        if !call.ty.nullable || (self.here.not_null.is_empty() && self.required.calls.is_empty()) {
            return call;
        }
        let bare = call.without_spans();
        let known = self.here.row.is_none() && self.required.calls.contains(&bare)
            || self.here.not_null.contains(&Place::Call(Box::new(bare)));
        let ty = Ty { nullable: !known, ..call.ty };
        Expr { ty, ..call }
    }

    /// Finds the places that are not null if a condition has this outcome.
    pub fn find_not_null_places(&self, condition: &Expr, outcome: Outcome) -> Vec<Place> {
        let place = |expr: &Expr| match expr.kind {
            ExprKind::Name(id) => Some(Place::Name(id)),
            ExprKind::Column(column) => self.here.row.map(|row| Place::Column(row, column)),
            ExprKind::OuterColumn(column) => self.here.outer.map(|row| Place::Column(row, column)),
            ExprKind::Call(..) => Some(Place::Call(Box::new(expr.without_spans()))),
            _ => None,
        };
        match &condition.kind {
            ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
                let decided = if *op == Op::And {
                    matches!(outcome, Outcome::True | Outcome::NotFalse)
                } else {
                    matches!(outcome, Outcome::False | Outcome::NotTrue)
                };
                if !decided {
                    return Vec::new();
                }
                [self.find_not_null_places(&sides.0, outcome), self.find_not_null_places(&sides.1, outcome)].concat()
            }
            ExprKind::Not(inner) => self.find_not_null_places(inner, outcome.to_opposite()),
            ExprKind::Binary(op, sides) => {
                // A test for null is never null itself.
                if let Some((op, asked)) = condition.as_null_test() {
                    let holds = matches!(outcome, Outcome::True | Outcome::NotFalse);
                    return if holds == (op == Op::Ne) { place(asked).into_iter().collect() } else { Vec::new() };
                }
                let decided = matches!(outcome, Outcome::True | Outcome::False);
                match op {
                    // Any other comparison that is true or false shows that neither side is null.
                    Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge if decided => {
                        place(&sides.0).into_iter().chain(place(&sides.1)).collect()
                    }
                    Op::In | Op::NotIn if decided => place(&sides.0).into_iter().collect(),
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }
}
