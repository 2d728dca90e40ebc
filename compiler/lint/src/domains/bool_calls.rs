//! Calls that are conditions by themselves and never or always true: `starts_with(CODE, "x")`.

use super::conditions::{Condition, collect_parts};
use super::predicates::Lint;
use super::words;
use hir::facts::Truth;
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use model::suite::Scope;
use syntax::diagnostics::{Code, Diagnostic};

/// Collects the calls in a condition that are conditions by themselves, below `and`, `or`, and `not`.
pub fn collect_bool_calls(expr: &Expr) -> Vec<&Expr> {
    let mut found = collect_parts(expr);
    found.retain(|part| matches!(part.kind, ExprKind::Call(..)) && part.ty.kind == TyKind::Bool);
    found
}

/// The first cell of a row in scope that an expression reads.
fn find_first_cell(expr: &Expr, scope: Scope) -> Option<&Expr> {
    if expr.find_cell(scope).is_some() {
        return Some(expr);
    }
    let mut found = None;
    expr.visit_children(&mut |child, rows| {
        if found.is_none() && rows.is_none() {
            found = find_first_cell(child, scope);
        }
    });
    found
}

impl<'a> Lint<'_, 'a> {
    /// Reports a call of a function of cells that is never or always true.
    pub(super) fn check_bool_call(&self, expr: &'a Expr, at: Condition<'a>) -> Option<Diagnostic> {
        let ExprKind::Call(_, args) = &expr.kind else { return None };
        let first = args.iter().find_map(|arg| match arg {
            Arg::Value(value) => find_first_cell(value, at.scope),
            _ => None,
        })?;
        let (code, message) = match (self.decide(expr, at.scope), at.of_rows) {
            (Truth::Open, _) => return None,
            (Truth::Always, true) => (Code::VACUOUS_PREDICATE, "true for every row"),
            (Truth::Always, false) => (Code::VACUOUS_PREDICATE, "always true"),
            (Truth::Never, true) if !self.cx.facts().infer_expr(expr, at.scope).nullable => {
                (Code::IMPOSSIBLE_PREDICATE, "false for every row")
            }
            (Truth::Never, _) => (Code::IMPOSSIBLE_PREDICATE, "never true"),
        };
        let message = format!("`{}` is {message}", self.quote_source(expr.span));
        let label = if code == Code::VACUOUS_PREDICATE { "always" } else { "never" };
        let said = Diagnostic::new(code, message, expr.span, label);
        let declared = words::find_declaration(self.cx.task, first, at.scope);
        let name = self.quote_source(first.span);
        Some(
            words::label_with_fact(said, declared, &self.cx.facts().infer_expr(first, at.scope))
                .help(format!("write a condition that only some values of `{name}` meet")),
        )
    }
}
