//! `constant_answer` for one cell of an axis: the answer varies in the other cells, and is the same in every sample of this one.

use model::Value;
use model::suite::Scope;

use super::conditions::{collect_conditions, collect_parts};
use super::constant::Looked;
use super::words;
use crate::context::TaskCx;
use hir::facts::{Fact, Facts, Truth};
use hir::{Axis, Expr, Task};
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};

/// The most cells of an axis that are looked at.
const MAX_CELLS: usize = 24;

/// Reports one cell of each axis, except for answers that contain one of the comparisons `decided`.
pub fn report_constant_cells<'a>(cx: &TaskCx<'a>, decided: &[Span], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let axes = task.axes.iter().filter(|axis| (2..=MAX_CELLS).contains(&axis.cells.len()));
    let axes: Vec<&Axis> = if task.notes.is_static { Vec::new() } else { axes.collect() };
    if axes.is_empty() {
        return;
    }
    let is_open = |leaf: &Leaf<'a>| {
        leaf.looked.varies
            && infer_answer(cx.facts(), leaf.value).as_single_value().is_none()
            && !leaf.looked.places.iter().any(|place| decided.iter().any(|decided| place.is_enclosing(*decided)))
    };
    let leaves: Vec<Leaf<'a>> = list_leaves(task).into_iter().filter(is_open).collect();
    for axis in axes.into_iter().filter(|_| !leaves.is_empty()) {
        let cells: Vec<Facts<'a>> = axis.cells.iter().map(|(_, cell)| Facts::in_cell(task, axis.slot, cell)).collect();
        said.extend(leaves.iter().find_map(|leaf| check_leaf(cx, axis, &cells, leaf)));
    }
}

/// An expected value, or one key of it.
struct Leaf<'a> {
    value: &'a Expr,
    looked: Looked,
}

fn list_leaves(task: &Task) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    for expect in task.iter_expects() {
        let Some(answer) = expect.answer_expr() else { continue };
        let parts = if expect.matcher.record().keys { answer.list_leaves() } else { vec![(answer, String::new())] };
        found.extend(parts.into_iter().map(|(value, _)| Leaf { value, looked: Looked::from_expr(task, value) }));
    }
    found
}

fn infer_answer<'a>(facts: &Facts<'a>, value: &'a Expr) -> Fact<'a> {
    let fact = facts.infer_expr(value, Scope::default());
    // `check` may have proved with a `require` that it is not null.
    if value.ty.nullable { fact } else { Fact { nullable: false, ..fact } }
}

/// Checks one answer in the cells of an axis, whose facts are `cells`.
fn check_leaf<'a>(cx: &TaskCx<'a>, axis: &Axis, cells: &[Facts<'a>], leaf: &Leaf<'a>) -> Option<Diagnostic> {
    let facts = cx.facts();
    let results: Vec<Option<Value>> =
        cells.iter().map(|cell| infer_answer(cell, leaf.value).as_single_value().cloned()).collect();
    // An answer that is the same in all cells is the value of the axis itself.
    if results.iter().all(Option::is_some) {
        return None;
    }
    let mut constant = axis.cells.iter().zip(cells).zip(&results);
    let (label, cell, of_cell, only) = constant.find_map(|(((label, cell), facts), result)| {
        let only = result.as_ref().filter(|only| !only.is_null())?;
        // Of a cell of 0 the author knows that nothing is there.
        (!(is_nothing(only) && cell.as_constant().is_some_and(is_nothing))).then_some((label, cell, facts, only))
    })?;
    let shown = words::format_value(only);
    let message = format!("in cell `{label}` of axis `{}`, the expected value is always {shown}", axis.name);
    let cause = find_cause(cx.task, facts, of_cell, &leaf.looked);
    // A limit below all values can be meant: it asks for all rows.
    if cause.as_ref().is_some_and(|cause| cause.takes_all) {
        return None;
    }
    let declared = words::find_declaration(cx.task, leaf.value, Scope::default());
    Some(
        Diagnostic::new(Code::CONSTANT_ANSWER, message, cell.span, format!("always {shown} in this cell"))
            .label(leaf.value.span, "the expected value")
            .with_labels(declared.filter(|_| cause.is_none()).map(|declared| (declared, "computed here")))
            .with_labels(cause.map(|cause| (cause.place, "decided in this cell")))
            .help("give the cell a value for which the answer varies, or remove it"),
    )
}

/// Whether a value says that there is nothing.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Bool(held) => !held,
        Value::List(items) => items.is_empty(),
        other => other.as_f64() == Some(0.0),
    }
}

/// A part of a condition that is decided in a cell.
struct Cause {
    place: Span,
    /// Whether the whole condition is true for every row there.
    takes_all: bool,
}

/// Finds a part of a condition of the answer that is decided in the cell, and open in the others.
fn find_cause<'a>(task: &'a Task, facts: &Facts<'a>, of_cell: &Facts<'a>, looked: &Looked) -> Option<Cause> {
    collect_conditions(task).into_iter().find_map(|condition| {
        let is_own = |part: &&Expr| looked.places.contains(&part.span);
        let part = collect_parts(condition.expr).into_iter().filter(is_own).find(|part| {
            facts.infer_truth(part, condition.scope) == Truth::Open
                && of_cell.infer_truth(part, condition.scope) != Truth::Open
        })?;
        let takes_all = of_cell.infer_truth(condition.expr, condition.scope) == Truth::Always;
        Some(Cause { place: part.span, takes_all })
    })
}
