//! A `require` that guards against values of a list that its author has not written: `require given != family`. That it is always true is a fact about the
//! words of the library, or of a file, so it is not a mistake. One that guards a divisor, `require sum(…) > 0`, is none, either.

use model::suite::{Op, Scope};
use model::{Span, Value};

use super::conditions::{Condition, split_at};
use super::predicates::Lint;
use super::words::find_nearest_text;
use hir::facts::Truth;
use hir::{Arg, Expr, ExprKind};

/// The maximum number of texts that an author knows.
const MAX_KNOWN: usize = 20;

impl<'a> Lint<'_, 'a> {
    /// Lists the parts of a `require` that are such guards.
    pub(super) fn list_guards(&self, condition: Condition<'a>) -> Vec<Span> {
        if !condition.of_samples {
            return Vec::new();
        }
        let mut parts = split_at(Op::And, condition.expr);
        parts.retain(|part| self.is_guard(part, condition.scope));
        parts.into_iter().map(|part| part.span).collect()
    }

    fn is_guard(&self, part: &'a Expr, scope: Scope) -> bool {
        if self.is_test_of_amount(part) {
            return true;
        }
        let mut words: Vec<&str> = Vec::new();
        let mut lists = Vec::new();
        part.visit_exprs(&mut |inner| match &inner.kind {
            ExprKind::Const(Value::List(items)) => words.extend(items.iter().filter_map(Value::as_text)),
            ExprKind::Const(value) => words.extend(value.as_text()),
            ExprKind::Name(_) | ExprKind::Column(_) => {
                lists.extend(self.cx.facts().infer_expr(inner, scope).closed.filter(|values| {
                    values.len() > MAX_KNOWN && values.iter().all(|value| matches!(value, Value::Text(_)))
                }));
            }
            _ => {}
        });
        let is_misspelt = |word: &&str| lists.iter().any(|values| find_nearest_text(word, values.iter()).is_some());
        !lists.is_empty() && self.cx.facts().infer_truth(part, scope) == Truth::Always && !words.iter().any(is_misspelt)
    }

    /// Checks whether a condition only demands that a sum, a count, or another value of rows is positive, or not 0.
    fn is_test_of_amount(&self, part: &'a Expr) -> bool {
        let ExprKind::Binary(op, sides) = &part.kind else { return false };
        let (amount, op, limit) = match sides.0.as_constant() {
            Some(limit) => (&sides.1, op.swap_sides(), limit),
            None => match sides.1.as_constant() {
                Some(limit) => (&sides.0, *op, limit),
                None => return false,
            },
        };
        let least = match op {
            Op::Gt | Op::Ne => Value::Int(0),
            Op::Ge => Value::Int(1),
            _ => return false,
        };
        let reads_rows = |part: &Expr| match &part.kind {
            ExprKind::Call(_, args) => args.iter().any(|arg| !matches!(arg, Arg::Value(_) | Arg::File(_))),
            _ => false,
        };
        limit.is_same(&least) && amount.has_part_through_names(self.cx.task, reads_rows)
    }
}
