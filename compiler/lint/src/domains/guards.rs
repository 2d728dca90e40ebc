//! A `require` that guards against values of a list that its author has not written: `require given != family`. That it is always true is a fact about the
//! words of the library, or of a file, so it is not a mistake.

use model::suite::{Op, Scope};
use model::{Span, Value};

use super::conditions::{Condition, split_at};
use super::predicates::Lint;
use super::words::find_nearest_text;
use hir::facts::Truth;
use hir::{Expr, ExprKind};

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
        let mut words: Vec<&str> = Vec::new();
        let mut lists = Vec::new();
        part.visit_exprs(&mut |inner| match &inner.kind {
            ExprKind::Const(Value::List(items)) => words.extend(items.iter().filter_map(Value::as_text)),
            ExprKind::Const(value) => words.extend(value.as_text()),
            ExprKind::Name(_) | ExprKind::Column(_) => {
                lists.extend(self.facts.infer_expr(inner, scope).closed.filter(|values| {
                    values.len() > MAX_KNOWN && values.iter().all(|value| matches!(value, Value::Text(_)))
                }));
            }
            _ => {}
        });
        let is_misspelt = |word: &&str| lists.iter().any(|values| find_nearest_text(word, values.iter()).is_some());
        !lists.is_empty() && self.facts.infer_truth(part, scope) == Truth::Always && !words.iter().any(is_misspelt)
    }
}
