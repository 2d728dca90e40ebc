//! `idle_goal`: the state that is expected of a database can be the one that it starts in.

use std::collections::BTreeSet;

use model::Value;
use model::functions::CHANGED;
use model::suite::{Matcher, Op, Scope};

use super::TaskCx;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::facts::Facts;
use crate::hir::{Arg, Expect, Expr, ExprKind, NameSource};

pub(super) fn check(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let mut known: Vec<&Expr> = Vec::new();
    for expect in cx.task.all_expects() {
        let Some(goal) = goal(expect).filter(|goal| !known.contains(goal)) else { continue };
        known.push(goal);
        if !changes(cx, goal) && !cx.task.conditions().any(|condition| requires(cx, condition, goal)) {
            said.push(idle(cx, goal));
        }
    }
}

/// The state that is expected, where one is.
fn goal(expect: &Expect) -> Option<&Expr> {
    expect.expr().filter(|goal| expect.matcher == Matcher::Database && !goal.is_broken())
}

/// The value that a name is defined as; other expressions are returned as they are.
fn source<'a>(cx: &TaskCx<'a>, goal: &'a Expr) -> &'a Expr {
    let ExprKind::Name(id) = goal.kind else { return goal };
    match cx.task.names.get(id).map(|name| &name.source) {
        Some(NameSource::Compute(source)) => source,
        _ => goal,
    }
}

/// Whether its statements surely change the start.
fn changes(cx: &TaskCx<'_>, goal: &Expr) -> bool {
    match &source(cx, goal).kind {
        ExprKind::Call(_, args) => matches!(args.as_slice(), [Arg::File(_), Arg::Sql(sql)] if sql.surely_changes),
        _ => false,
    }
}

/// Whether a condition holds only where the state differs from the start.
fn requires(cx: &TaskCx<'_>, condition: &Expr, goal: &Expr) -> bool {
    let ExprKind::Binary(op, sides) = &condition.kind else { return false };
    match op {
        Op::And => requires(cx, &sides.0, goal) || requires(cx, &sides.1, goal),
        Op::Or => requires(cx, &sides.0, goal) && requires(cx, &sides.1, goal),
        _ => compares(cx, *op, &sides.0, &sides.1, goal) || compares(cx, op.mirrored(), &sides.1, &sides.0, goal),
    }
}

fn compares(cx: &TaskCx<'_>, op: Op, changed: &Expr, number: &Expr, goal: &Expr) -> bool {
    let ExprKind::Call(function, args) = &changed.kind else { return false };
    let of_goal = matches!(args.as_slice(), [Arg::Value(value)] if value.bare() == goal.bare());
    if *function != CHANGED || !of_goal {
        return false;
    }
    let fact = Facts::new(cx.task).of(number, Scope::default());
    let (least, most) = match (&fact.range, number.value()) {
        (_, Some(Value::Int(number))) => (Some(*number), Some(*number)),
        (Some((Value::Int(least), Value::Int(most))), _) => (Some(*least), Some(*most)),
        _ => (None, None),
    };
    let above = |bound: i64| least.is_some_and(|least| least >= bound);
    match op {
        Op::Gt => above(0),
        // A number that the data gives, its author has thought of.
        Op::Ge | Op::Eq => above(1) || reads_data(cx, number),
        Op::Ne => least == Some(0) && most == Some(0),
        _ => false,
    }
}

/// Whether a value is computed from tables or files.
fn reads_data(cx: &TaskCx<'_>, value: &Expr) -> bool {
    let (mut found, mut open, mut seen) = (false, vec![value], BTreeSet::new());
    while let Some(value) = open.pop() {
        value.each(&mut |expr| match &expr.kind {
            ExprKind::Call(_, args) => found |= args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
            ExprKind::Name(id) if seen.insert(*id) => open.extend(cx.task.computed(*id)),
            _ => {}
        });
    }
    found
}

fn idle(cx: &TaskCx<'_>, goal: &Expr) -> Diagnostic {
    let place = source(cx, goal);
    let label = "can change no rows";
    let ExprKind::Name(id) = goal.kind else {
        return Diagnostic::new(Code::IDLE_GOAL, "the expected state can equal the starting state", goal.span, label)
            .help("name the state, such as `goal`, and add `require changed(goal) > 0`");
    };
    let name = cx.task.names.get(id).map_or("goal", |name| name.name.as_str());
    let statement = format!("require changed({name}) > 0");
    let mut end = place.span;
    end.start = end.end;
    Diagnostic::new(Code::IDLE_GOAL, format!("`{name}` can equal the starting state"), place.span, label)
        .help(format!("add `{statement}`"))
        .fix(format!("insert `{statement}`"), Applicability::Unsafe, end, format!("\n  {statement}"))
}
