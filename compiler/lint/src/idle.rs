//! `idle_goal`: the expected state of a database can equal its starting state.

use model::Value;
use model::functions::CHANGED;
use model::suite::{Matcher, Op, Scope};

use super::context::TaskCx;
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Applicability, Code, Diagnostic};

pub(super) fn report_idle_goals(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let mut known: Vec<&Expr> = Vec::new();
    for expect in cx.task.iter_expects() {
        let answer = expect.answer_expr().filter(|_| expect.matcher == Matcher::Database);
        for goal in answer.into_iter().flat_map(list_states).filter(|goal| !goal.is_broken()) {
            if known.contains(&goal) {
                continue;
            }
            known.push(goal);
            if !is_surely_changing(cx, goal)
                && !cx.task.iter_conditions().any(|condition| is_change_required(cx, condition, goal))
            {
                said.push(build_diagnostic(cx, goal));
            }
        }
    }
}

/// The accepted states: one, or those of a list.
fn list_states(answer: &Expr) -> &[Expr] {
    match &answer.kind {
        ExprKind::List(states) => states,
        _ => std::slice::from_ref(answer),
    }
}

/// Resolves a name to its computed value; returns other expressions unchanged.
fn resolve_name<'a>(cx: &TaskCx<'a>, goal: &'a Expr) -> &'a Expr {
    let ExprKind::Name(id) = goal.kind else { return goal };
    cx.task.find_computed(id).unwrap_or(goal)
}

/// Checks whether the statements always change the starting state.
fn is_surely_changing<'a>(cx: &TaskCx<'a>, goal: &'a Expr) -> bool {
    match &resolve_name(cx, goal).kind {
        ExprKind::Call(_, args) => matches!(args.as_slice(), [Arg::File(_), Arg::Sql(sql)] if sql.surely_changes),
        _ => false,
    }
}

/// Checks whether a condition can only hold if the state differs from the starting state.
fn is_change_required<'a>(cx: &TaskCx<'a>, condition: &'a Expr, goal: &'a Expr) -> bool {
    let ExprKind::Binary(op, sides) = &condition.kind else { return false };
    match op {
        Op::And => is_change_required(cx, &sides.0, goal) || is_change_required(cx, &sides.1, goal),
        Op::Or => is_change_required(cx, &sides.0, goal) && is_change_required(cx, &sides.1, goal),
        _ => {
            is_change_comparison(cx, *op, &sides.0, &sides.1, goal)
                || is_change_comparison(cx, op.swap_sides(), &sides.1, &sides.0, goal)
        }
    }
}

fn is_change_comparison<'a>(cx: &TaskCx<'a>, op: Op, changed: &'a Expr, number: &'a Expr, goal: &'a Expr) -> bool {
    let ExprKind::Call(function, args) = &changed.kind else { return false };
    let of_goal = matches!(args.as_slice(), [Arg::Value(value)] if value.without_spans() == goal.without_spans());
    if *function != CHANGED || !of_goal {
        return false;
    }
    let fact = cx.facts().infer_expr(number, Scope::default());
    let (least, most) = match (&fact.range, number.as_constant()) {
        (_, Some(Value::Int(number))) => (Some(*number), Some(*number)),
        (Some((Value::Int(least), Value::Int(most))), _) => (Some(*least), Some(*most)),
        _ => (None, None),
    };
    let above = |bound: i64| least.is_some_and(|least| least >= bound);
    match op {
        Op::Gt => above(0),
        // A number that depends on the data counts as deliberate.
        Op::Ge | Op::Eq => above(1) || reads_data(cx.task, number),
        Op::Ne => least == Some(0) && most == Some(0),
        _ => false,
    }
}

/// Checks whether a value is computed from tables or files.
pub(super) fn reads_data(task: &hir::Task, value: &Expr) -> bool {
    value.has_part_through_names(
        task,
        |expr| matches!(&expr.kind, ExprKind::Call(_, args) if args.iter().any(|arg| !matches!(arg, Arg::Value(_)))),
    )
}

/// Finds a comparison of the number of changed rows that also holds if nothing is changed.
fn find_weak_requirement<'a>(cx: &TaskCx<'a>, goal: &Expr) -> Option<&'a Expr> {
    let is_of_goal = |part: &Expr| match &part.kind {
        ExprKind::Call(function, args) => {
            let of_goal = |value: &Expr| value.without_spans() == goal.without_spans();
            *function == CHANGED && matches!(args.as_slice(), [Arg::Value(value)] if of_goal(value))
        }
        _ => false,
    };
    let mut found = None;
    for condition in cx.task.iter_conditions() {
        condition.visit_exprs(&mut |part| {
            if let ExprKind::Binary(Op::Gt | Op::Ge | Op::Lt | Op::Le | Op::Eq | Op::Ne, sides) = &part.kind
                && (is_of_goal(&sides.0) || is_of_goal(&sides.1))
            {
                found = found.or(Some(part));
            }
        });
    }
    found
}

fn build_diagnostic<'a>(cx: &TaskCx<'a>, goal: &'a Expr) -> Diagnostic {
    let place = resolve_name(cx, goal);
    let label = "can change no rows";
    if let (ExprKind::Name(id), Some(weak)) = (&goal.kind, find_weak_requirement(cx, goal)) {
        let name = cx.task.names.get(*id).map_or("goal", |name| name.name.as_str());
        let instead = format!("changed({name}) > 0");
        return Diagnostic::new(Code::IDLE_GOAL, format!("`{name}` can equal the starting state"), place.span, label)
            .label(weak.span, "also holds if no row is changed")
            .help(format!("write `{instead}`"))
            .fix(format!("replace with `{instead}`"), Applicability::Unsafe, weak.span, instead);
    }
    let ExprKind::Name(id) = goal.kind else {
        return Diagnostic::new(Code::IDLE_GOAL, "the expected state can equal the starting state", goal.span, label)
            .help("name the state, such as `goal`, and add `require changed(goal) > 0`");
    };
    let name = cx.task.names.get(id).map_or("goal", |name| name.name.as_str());
    let statement = format!("require changed({name}) > 0");
    Diagnostic::new(Code::IDLE_GOAL, format!("`{name}` can equal the starting state"), place.span, label)
        .help(format!("add `{statement}`"))
        .fix(
            format!("insert `{statement}`"),
            Applicability::Unsafe,
            place.span.shrink_to_end(),
            format!("\n  {statement}"),
        )
}
