//! Two comparisons of the same value, joined by `and` or `or`, that decide each other.

use std::borrow::Cow;

use model::suite::{Op, Scope};
use model::{Span, Value};

use super::conditions::Condition;
use super::predicates::Lint;
use hir::facts::{Fact, is_contradiction};
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Lint<'_, 'a> {
    /// Reports two comparisons of the same value that cannot both hold.
    pub(super) fn check_conjunction(&self, parts: &[&'a Expr], at: Condition<'a>) -> Option<(Diagnostic, Span)> {
        let bounds: Vec<Bound<'a>> = parts.iter().filter_map(|part| self.extract_bound(part, at.scope)).collect();
        let (first, later) = find_disjoint(&bounds)?;
        let (a, b) = (self.quote_source(first), self.quote_source(later));
        let message = match at.of_rows {
            true => format!("no row meets both `{a}` and `{b}`"),
            false => format!("never both of `{a}` and `{b}` hold"),
        };
        let said = Diagnostic::new(Code::IMPOSSIBLE_PREDICATE, message, later, "excludes the other");
        let said = said.label(first, "the other one").help("fix one of the two bounds, or write `or` between them");
        Some((said, later))
    }

    /// Returns the bound that a comparison sets for a column or name.
    fn extract_bound(&self, expr: &'a Expr, scope: Scope) -> Option<Bound<'a>> {
        let is_bound = |bound: &Bound<'a>| matches!(bound.op, Op::Eq | Op::Lt | Op::Le | Op::Gt | Op::Ge);
        self.extract_any_bound(expr, scope).filter(is_bound)
    }

    fn extract_any_bound(&self, expr: &'a Expr, scope: Scope) -> Option<Bound<'a>> {
        let ExprKind::Binary(op, sides) = &expr.kind else { return None };
        let is_place = |expr: &Expr| match &expr.kind {
            ExprKind::Name(_) | ExprKind::Column(_) | ExprKind::OuterColumn(_) => true,
            // The same function of the same values has the same result: `hour(AT)`.
            ExprKind::Call(_, args) => !args.is_empty() && args.iter().all(is_plain_argument),
            _ => false,
        };
        let (place, op, value) = match (is_place(&sides.0), is_place(&sides.1)) {
            (true, false) => (&sides.0, *op, &sides.1),
            (false, true) => (&sides.1, op.swap_sides(), &sides.0),
            // Between two columns, the left one is bounded.
            (true, true) => (&sides.0, *op, &sides.1),
            (false, false) => return None,
        };
        let other = is_place(value).then(|| bare_kind(value));
        Some(Bound { whole: expr, place: bare_kind(place), op, other, value: self.cx.facts().infer_expr(value, scope) })
    }

    /// Reports two comparisons of the same value of which one always holds.
    pub(super) fn check_disjunction(&self, parts: &[&'a Expr], at: Condition<'a>) -> Option<(Diagnostic, Span)> {
        let bounds: Vec<Bound<'a>> = parts.iter().filter_map(|part| self.extract_opposite(part, at.scope)).collect();
        let (first, later) = find_disjoint(&bounds)?;
        let (a, b) = (self.quote_source(first), self.quote_source(later));
        let message = match at.of_rows {
            true => format!("every row meets `{a}` or `{b}`"),
            false => format!("one of `{a}` and `{b}` always holds"),
        };
        let said = Diagnostic::new(Code::VACUOUS_PREDICATE, message, later, "holds wherever the other does not");
        let said = said.label(first, "the other one").help("write `and` between them, or fix one of the two bounds");
        Some((said, later))
    }

    /// Returns the bound that a comparison of values without nulls sets where it does not hold.
    fn extract_opposite(&self, expr: &'a Expr, scope: Scope) -> Option<Bound<'a>> {
        let ExprKind::Binary(_, sides) = &expr.kind else { return None };
        let may_be_null = |side: &'a Expr| self.cx.facts().infer_expr(side, scope).nullable;
        if may_be_null(&sides.0) || may_be_null(&sides.1) {
            return None;
        }
        let bound = self.extract_any_bound(expr, scope)?;
        let op = match bound.op {
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
            Op::Ne => Op::Eq,
            _ => return None,
        };
        Some(Bound { op, ..bound })
    }
}

/// Whether an argument is a column, a name, or a constant.
fn is_plain_argument(arg: &Arg) -> bool {
    let Arg::Value(value) = arg else { return false };
    matches!(value.kind, ExprKind::Name(_) | ExprKind::Column(_) | ExprKind::OuterColumn(_) | ExprKind::Const(_))
}

/// What an expression is, wherever it is written.
fn bare_kind(expr: &Expr) -> Cow<'_, ExprKind> {
    match &expr.kind {
        ExprKind::Call(..) => Cow::Owned(expr.without_spans().kind),
        kind => Cow::Borrowed(kind),
    }
}

/// A bound `place op value`.
struct Bound<'a> {
    whole: &'a Expr,
    place: Cow<'a, ExprKind>,
    op: Op,
    other: Option<Cow<'a, ExprKind>>,
    value: Fact<'a>,
}

impl Bound<'_> {
    /// Checks whether no value satisfies both bounds.
    fn is_disjoint_from(&self, other: &Bound<'_>) -> bool {
        if self.place != other.place {
            return false;
        }
        // Both bounds have the same other side, so its value is the same, whatever it is.
        let any = Fact::from_value(&Value::Int(0));
        let (a, b) =
            if self.other.is_some() && self.other == other.other { (&any, &any) } else { (&self.value, &other.value) };
        is_contradiction((self.op, a), (other.op, b))
    }
}

/// Finds the first bound that excludes an earlier one. Returns the places of both.
fn find_disjoint(bounds: &[Bound<'_>]) -> Option<(Span, Span)> {
    bounds.iter().enumerate().find_map(|(index, later)| {
        let first = bounds.iter().take(index).find(|first| first.is_disjoint_from(later))?;
        Some((first.whole.span, later.whole.span))
    })
}
