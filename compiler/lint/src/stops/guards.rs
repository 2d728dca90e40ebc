//! The conditions around an expression, and what follows from them for the values that it is computed from: the other samples never get there.

use model::suite::{Op, Scope};

use hir::facts::{Fact, Facts, Outcome, narrow_fact, negate_comparison};
use hir::{Arg, Expr, ExprKind, Sql, Task};

/// A condition around an expression, and whether it is met there. One that is not met can be null.
#[derive(Clone, Copy)]
pub(super) struct Guard<'a> {
    /// The condition.
    pub condition: &'a Expr,
    /// The rows that it sees.
    pub scope: Scope,
    /// Whether it is met.
    pub is_met: bool,
}

/// Calls `visit` for an expression and all within it, each with the conditions around it, where the facts are those under these conditions.
pub(super) fn visit_guarded<'a>(
    facts: &Facts<'a>,
    (expr, scope): (&'a Expr, Scope),
    guards: &mut Vec<Guard<'a>>,
    visit: &mut dyn FnMut(&'a Expr, Scope, &[Guard<'a>]),
) {
    visit(expr, scope, guards);
    match &expr.kind {
        ExprKind::If(parts) => {
            let guard = |is_met: bool| Guard { condition: &parts.0, scope, is_met };
            visit_guarded(facts, (&parts.0, scope), guards, visit);
            visit_where(facts, &parts.1, guard(true), guards, visit);
            visit_where(facts, &parts.2, guard(false), guards, visit);
        }
        ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
            visit_guarded(facts, (&sides.0, scope), guards, visit);
            let guard = Guard { condition: &sides.0, scope, is_met: *op == Op::And };
            visit_where(facts, &sides.1, guard, guards, visit);
        }
        _ => expr.visit_children(&mut |child, rows| {
            let inner = rows.map_or(scope, |rows| scope.enter_filter(rows));
            match find_filter(expr, child) {
                Some(condition) => {
                    visit_where(facts, child, Guard { condition, scope: inner, is_met: true }, guards, visit);
                }
                None => visit_guarded(facts, (child, inner), guards, visit),
            }
        }),
    }
}

/// The same for a part that is computed only where a condition is met, or is not.
fn visit_where<'a>(
    facts: &Facts<'a>,
    part: &'a Expr,
    guard: Guard<'a>,
    guards: &mut Vec<Guard<'a>>,
    visit: &mut dyn FnMut(&'a Expr, Scope, &[Guard<'a>]),
) {
    guards.push(guard);
    let known = if guard.is_met { Outcome::True } else { Outcome::NotTrue };
    facts.under((guard.condition, guard.scope), known, || {
        visit_guarded(facts, (part, guard.scope), guards, visit);
    });
    guards.pop();
}

/// The filter of the rows for which a call computes a value.
fn find_filter<'a>(call: &'a Expr, computed: &Expr) -> Option<&'a Expr> {
    let ExprKind::Call(_, args) = &call.kind else { return None };
    args.iter().find_map(|arg| match arg {
        Arg::Each { value, filter: Some(filter), .. } if std::ptr::eq(value, computed) => Some(filter),
        _ => None,
    })
}

/// The fact of a value where conditions that compare it hold.
pub(super) fn narrow_value<'a>(
    facts: &Facts<'a>,
    (value, scope): (&'a Expr, Scope),
    guards: &[Guard<'a>],
) -> Option<Fact<'a>> {
    let task = facts.task();
    let own = value.resolve_name(task).without_spans();
    let is_own = |side: &Expr| side.resolve_name(task).without_spans() == own;
    let mut tests = Vec::new();
    guards.iter().filter(|guard| guard.scope == scope).for_each(|guard| collect_tests(task, *guard, &mut tests));
    let mut narrowed = None;
    // An end that one of them moves can be one that another one moves again.
    for (op, sides) in tests.iter().chain(&tests) {
        let fact = || narrowed.clone().unwrap_or_else(|| facts.infer_expr(value, scope));
        let (op, other) = match () {
            () if is_own(&sides.0) => (*op, &sides.1),
            () if is_own(&sides.1) => (op.swap_sides(), &sides.0),
            () => continue,
        };
        narrowed = Some(narrow_fact(&fact(), op, &facts.infer_expr(other, scope)));
    }
    narrowed
}

/// Collects the comparisons that hold where a condition is met, or is not.
fn collect_tests<'a>(task: &'a Task, guard: Guard<'a>, tests: &mut Vec<(Op, &'a (Expr, Expr))>) {
    let condition = guard.condition.resolve_name(task);
    match &condition.kind {
        // What is null is neither met nor not met.
        ExprKind::Not(inner) if guard.is_met || !inner.ty.nullable => {
            collect_tests(task, Guard { condition: inner, is_met: !guard.is_met, ..guard }, tests);
        }
        ExprKind::Binary(op @ (Op::And | Op::Or), sides) if (*op == Op::And) == guard.is_met => {
            for side in [&sides.0, &sides.1] {
                collect_tests(task, Guard { condition: side, ..guard }, tests);
            }
        }
        ExprKind::Binary(op, sides) => {
            let is_null = || sides.0.ty.nullable || sides.1.ty.nullable;
            let op = if guard.is_met { Some(*op) } else { negate_comparison(*op).filter(|_| !is_null()) };
            tests.extend(op.map(|op| (op, sides.as_ref())));
        }
        _ => {}
    }
}

/// The queries of an expression.
pub(super) fn find_sql(args: &[Arg]) -> Option<&Sql> {
    args.iter().find_map(|arg| match arg {
        Arg::Sql(sql) => Some(sql),
        _ => None,
    })
}
