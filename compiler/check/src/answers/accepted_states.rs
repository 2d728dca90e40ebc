//! `database any_of [a, b]`: several accepted states of one database.

use crate::answers::AnswerChecker;
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks a list of states. Another value is reported with the type that it has.
    pub(super) fn check_states(&mut self, value: &'a ast::Expr) -> Expr {
        let ast::ExprKind::List(items) = &value.kind else { return self.task.check_expr_or_state(value) };
        let states: Vec<Expr> = items.iter().map(|item| self.task.check_expr_or_state(item)).collect();
        let first = states.first().map(|state| state.ty.clone());
        let is_same = states.iter().all(|state| Some(&state.ty) == first.as_ref());
        // Items of several types are checked one by one.
        let item = first.filter(|_| is_same).unwrap_or(Ty::UNKNOWN);
        Expr { kind: ExprKind::List(states), ty: Ty::new(TyKind::List(Box::new(item))), span: value.span }
    }

    /// Checks that all accepted states are of the database that is compared, and that no two are the same.
    pub(super) fn check_accepted_states(&mut self, subject: &'a ast::Subject, states: &Expr) {
        let ExprKind::List(states) = &states.kind else { return };
        for (at, state) in states.iter().enumerate() {
            self.task.scope.check_expected_state(self.task.cx, subject, state);
            let is_same = |other: &&Expr| {
                let [one, other] = [state, *other].map(|state| self.task.scope.follow_names(state).without_spans());
                one == other
            };
            let Some(first) = states.iter().take(at).find(is_same).filter(|_| !state.is_broken()) else { continue };
            let message = "two accepted states are the same in every instance";
            let said = Diagnostic::new(Code::BAD_OPTION, message, state.span, "the same state");
            self.task.cx.report(said.label(first.span, "the first one").help("remove one of the two"));
        }
    }
}
