//! The conditions of a task with the rows in scope at each, and the comparisons in them.

use model::suite::{Op, Role, Scope};

use hir::{Arg, Expr, ExprKind, Task};

/// A condition, with its scope and use.
#[derive(Clone, Copy)]
pub struct Condition<'a> {
    pub expr: &'a Expr,
    pub scope: Scope,
    /// Whether it is a `where`, which selects rows.
    pub of_rows: bool,
    /// Whether it is a `require`, which selects samples.
    pub of_samples: bool,
}

impl<'a> Condition<'a> {
    fn new(expr: &'a Expr, scope: Scope) -> Condition<'a> {
        Condition { expr, scope, of_rows: false, of_samples: false }
    }
}

/// Collects the conditions of `where`, `require`, and `if` in a task.
pub fn collect_conditions(task: &Task) -> Vec<Condition<'_>> {
    let mut found = Vec::new();
    task.visit_exprs(&mut |role, expr, scope| {
        match role {
            Role::Require => return found.push(Condition { of_samples: true, ..Condition::new(expr, scope) }),
            Role::Filter => found.push(Condition { of_rows: true, ..Condition::new(expr, scope) }),
            Role::Value => {}
        }
        expr.visit_with_scope(scope, &mut |expr, scope| match &expr.kind {
            ExprKind::If(parts) => found.push(Condition::new(&parts.0, scope)),
            ExprKind::Call(_, args) => {
                for arg in args {
                    if let Arg::Relation { relation, filter: Some(filter) }
                    | Arg::Column { relation, filter: Some(filter), .. }
                    | Arg::Each { relation, filter: Some(filter), .. } = arg
                    {
                        let scope = scope.enter_filter(*relation);
                        found.push(Condition { of_rows: true, ..Condition::new(filter, scope) });
                    }
                }
            }
            _ => {}
        });
    });
    found
}

/// Collects the comparisons in a condition, below `and`, `or`, and `not`.
pub fn collect_comparisons(expr: &Expr) -> Vec<&Expr> {
    let mut open = vec![expr];
    let mut found = Vec::new();
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And | Op::Or, sides) => open.extend([&sides.1, &sides.0]),
            ExprKind::Not(inner) => open.push(inner),
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div, _) => {}
            ExprKind::Binary(..) => found.push(expr),
            _ => {}
        }
    }
    found
}

/// Collects the parts of each `and` in a condition, at any depth: all parts of one must hold together.
pub fn collect_conjunctions(expr: &Expr) -> Vec<Vec<&Expr>> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And, _) => {
                let mut parts = Vec::new();
                let mut left = vec![expr];
                while let Some(part) = left.pop() {
                    match &part.kind {
                        ExprKind::Binary(Op::And, sides) => left.extend([&sides.1, &sides.0]),
                        _ => parts.push(part),
                    }
                }
                open.extend(parts.iter().copied());
                found.push(parts);
            }
            ExprKind::Binary(Op::Or, sides) => open.extend([&sides.0, &sides.1]),
            ExprKind::Not(inner) => open.push(inner),
            _ => {}
        }
    }
    found
}

/// Collects the parts of each `or` in a condition, at any depth: one part of each must hold.
pub fn collect_disjunctions(expr: &Expr) -> Vec<Vec<&Expr>> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::Or, _) => {
                let mut parts = Vec::new();
                let mut left = vec![expr];
                while let Some(part) = left.pop() {
                    match &part.kind {
                        ExprKind::Binary(Op::Or, sides) => left.extend([&sides.1, &sides.0]),
                        _ => parts.push(part),
                    }
                }
                open.extend(parts.iter().copied());
                found.push(parts);
            }
            ExprKind::Binary(Op::And, sides) => open.extend([&sides.0, &sides.1]),
            ExprKind::Not(inner) => open.push(inner),
            _ => {}
        }
    }
    found
}
