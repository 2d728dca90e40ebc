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
    let is_arithmetic = |op: Op| matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div);
    let mut found = collect_parts(expr);
    found.retain(|part| matches!(part.kind, ExprKind::Binary(op, _) if !is_arithmetic(op)));
    found
}

/// Collects the parts of a condition below `and`, `or`, and `not`.
pub fn collect_parts(expr: &Expr) -> Vec<&Expr> {
    let (mut open, mut found) = (vec![expr], Vec::new());
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(Op::And | Op::Or, sides) => open.extend([&sides.1, &sides.0]),
            ExprKind::Not(inner) => open.push(inner),
            _ => found.push(expr),
        }
    }
    found
}

/// The parts that `and`, or `or`, joins in a condition, in their order.
pub fn split_at(joint: Op, expr: &Expr) -> Vec<&Expr> {
    let (mut open, mut parts) = (vec![expr], Vec::new());
    while let Some(part) = open.pop() {
        match &part.kind {
            ExprKind::Binary(op, sides) if *op == joint => open.extend([&sides.1, &sides.0]),
            _ => parts.push(part),
        }
    }
    parts
}

/// Collects the parts of each `and`, or of each `or`, in a condition, at any depth. All parts of one `and` must hold together, and one part of each `or`.
pub fn collect_joined(joint: Op, expr: &Expr) -> Vec<Vec<&Expr>> {
    let (mut open, mut found) = (vec![expr], Vec::new());
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Binary(op, _) if *op == joint => {
                let parts = split_at(joint, expr);
                open.extend(parts.iter().copied());
                found.push(parts);
            }
            ExprKind::Binary(Op::And | Op::Or, sides) => open.extend([&sides.0, &sides.1]),
            ExprKind::Not(inner) => open.push(inner),
            _ => {}
        }
    }
    found
}
