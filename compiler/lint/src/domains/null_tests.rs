//! `impossible_predicate` and `vacuous_predicate` for comparisons with null.

use model::suite::Op;

use super::conditions::Condition;
use super::predicates::Lint;
use super::words;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Lint<'_, 'a> {
    /// Reports `x == null` for a column that is never null. Names are not reported, because a `require` may be what proves them not null.
    pub(super) fn check_null_test(
        &self,
        op: Op,
        expr: &'a Expr,
        tested: &'a Expr,
        at: Condition<'a>,
    ) -> Option<Diagnostic> {
        if !matches!(tested.kind, ExprKind::Column(_) | ExprKind::OuterColumn(_)) {
            return self.check_null_call(op, expr, tested, at);
        }
        let fact = self.cx.facts().infer_expr(tested, at.scope);
        if fact.nullable || fact.is_empty() {
            return None;
        }
        let (written, name) = (self.quote_source(expr.span), self.quote_source(tested.span));
        let (code, message) = match op {
            Op::Ne => (Code::VACUOUS_PREDICATE, format!("`{written}` is true for every row: `{name}` is never null")),
            _ => (Code::IMPOSSIBLE_PREDICATE, format!("`{written}` is false for every row: `{name}` is never null")),
        };
        let declared = words::find_declaration(self.cx.task, tested, at.scope);
        Some(
            Diagnostic::new(code, message, expr.span, if op == Op::Ne { "always" } else { "never" })
                .with_labels(declared.map(|declared| (declared, "never null")))
                .help("remove the condition, or make some values null: `blank 5%`"),
        )
    }

    /// Reports a test of a call on cells that is always null: `nth(split(MAIL, "@"), 3) != null`.
    fn check_null_call(&self, op: Op, expr: &'a Expr, tested: &'a Expr, at: Condition<'a>) -> Option<Diagnostic> {
        if !at.of_rows
            || !matches!(tested.kind, ExprKind::Call(..))
            || !self.cx.facts().infer_expr(tested, at.scope).is_null_only()
        {
            return None;
        }
        let (written, name) = (self.quote_source(expr.span), self.quote_source(tested.span));
        let (code, what, label) = match op {
            Op::Ne => (Code::IMPOSSIBLE_PREDICATE, "false", "never"),
            _ => (Code::VACUOUS_PREDICATE, "true", "always"),
        };
        let message = format!("`{written}` is {what} for every row: `{name}` is always null");
        Some(Diagnostic::new(code, message, expr.span, label).help("remove the condition, or test another value"))
    }
}
