//! Axes: `repeated_cells`, cells with the same value; `idle_axis`, an axis on which neither the data nor the answer depends.
//!
//! | file | what |
//! | --- | --- |
//! | `capped_rows` | `idle_axis` for axes of rows that no file has |
//! | `equal_cells` | `repeated_cells` for cells that make the same task |
//! | `idle_dirt` | `idle_axis` for axes of dirty cells |
//! | `idle_repeats` | `idle_axis` for axes of repeated rows |
//! | `idle_unread` | `idle_axis` for axes of data that nobody sees |
//! | `swapped_labels` | `idle_axis` for labels on the wrong values |

mod capped_rows;
mod equal_cells;
mod idle_dirt;
mod idle_repeats;
mod idle_unread;
mod swapped_labels;

use std::collections::BTreeSet;
use syntax::prompts::english::lints::REPLY_LENGTHS;

use model::Value;
use model::suite::{Calls, NameId, Role, Scope};

use super::context::TaskCx;
use hir::types::TyKind;
use hir::{Axis, Expr, ExprKind, NameSource, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_axes(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    if task.axes.is_empty() {
        return;
    }
    let needed = collect_needed_names(cx);
    let mut roots = list_roots(task);
    roots.extend(&task.prompt.wordings);
    roots.extend(task.iter_ways().flat_map(|way| &way.prompt.wordings));
    for axis in &task.axes {
        let repeated = check_cells(axis);
        if repeated.is_none() && !needed.limits.contains(&axis.slot) {
            said.extend(equal_cells::check_equal_cells(cx, axis, &roots));
        }
        said.extend(repeated);
        if axis.cells.len() > 1 {
            said.extend(match needed.names.contains(&axis.slot) {
                true if needed.limits.contains(&axis.slot) => None,
                true => swapped_labels::check_swapped_labels(cx, axis)
                    .or_else(|| idle_dirt::check_idle_dirt(cx, axis, &roots))
                    .or_else(|| capped_rows::check_capped_rows(cx, axis, &roots))
                    .or_else(|| idle_repeats::check_idle_repeats(cx, axis, &roots))
                    .or_else(|| idle_unread::check_unread_axis(cx, axis, &roots)),
                false => check_use(cx, axis, &needed),
            });
        }
    }
}

/// Reports the first cell with the same value as an earlier one.
fn check_cells(axis: &Axis) -> Option<Diagnostic> {
    let (label, cell, (first_label, first)) = axis.cells.iter().enumerate().find_map(|(at, (label, cell))| {
        let value = cell.as_constant()?;
        let is_same = |(_, other): &&(String, Expr)| other.as_constant().is_some_and(|other| other.is_same(value));
        Some((label, cell, axis.cells.iter().take(at).find(is_same)?))
    })?;
    let message = format!("cells `{first_label}` and `{label}` of axis `{}` have the same value", axis.name);
    let said = Diagnostic::new(Code::REPEATED_CELLS, message, cell.span, "the same value again");
    Some(said.label(first.span, "first here").help("give each cell its own value, or remove one of them"))
}

/// What data, answers, and the rest of the sandbox depend on: everything but the prompts.
#[derive(Default)]
struct Needed<'a> {
    names: BTreeSet<NameId>,
    /// The axes that limit the calls of tools.
    limits: BTreeSet<NameId>,
    /// Values that name an axis and are the same in every cell.
    equal: Vec<(&'a Expr, Value)>,
}

impl<'a> Needed<'a> {
    /// Adds the names of an expression, and to `open` the definitions of those that are computed. Names in a part with only one possible value do not count.
    fn add_expr(&mut self, cx: &TaskCx<'a>, expr: &'a Expr, open: &mut Vec<&'a Expr>) {
        let task = cx.task;
        let names_axis = |part: &Expr| matches!(part.kind, ExprKind::Name(id) if is_axis(task, id));
        if !matches!(expr.kind, ExprKind::Name(_)) && expr.has_part(names_axis) {
            let fact = cx.facts().infer_expr(expr, Scope::default());
            if let Some(value) = fact.as_single_value() {
                self.equal.push((expr, value.clone()));
                return;
            }
        }
        if let ExprKind::Name(id) = expr.kind
            && self.names.insert(id)
        {
            open.extend(task.find_computed(id));
        }
        expr.visit_children(&mut |child, _| self.add_expr(cx, child, open));
    }
}

fn is_axis(task: &Task, id: NameId) -> bool {
    task.axes.iter().any(|axis| axis.slot == id)
}

/// The expressions of data, answers, and the rest of the sandbox, without the definitions of names.
fn list_roots(task: &Task) -> Vec<&Expr> {
    let mut open: Vec<&Expr> = Vec::new();
    task.axes.iter().flat_map(|axis| &axis.cells).for_each(|(_, value)| open.push(value));
    let mut add = |_: Role, expr, _| open.push(expr);
    task.names.iter().filter_map(|name| name.source.draw()).for_each(|draw| {
        draw.visit_exprs(model::suite::Scope::default(), &mut add);
    });
    task.relations.iter_enumerated().for_each(|(id, relation)| relation.visit_exprs(id, &mut add));
    task.files.iter().for_each(|file| file.visit_exprs(&mut add));
    task.extras.iter().for_each(|extra| extra.visit_exprs(&mut add));
    task.lakes.iter().for_each(|lake| lake.visit_exprs(&mut add));
    task.iter_ways().flat_map(|way| &way.lakes).for_each(|lake| lake.visit_exprs(&mut add));
    open.extend(task.iter_conditions());
    for expect in task.iter_expects() {
        expect.visit_exprs(&mut |expr| open.push(expr));
    }
    open
}

fn collect_needed_names<'a>(cx: &TaskCx<'a>) -> Needed<'a> {
    let task = cx.task;
    let mut found = Needed::default();
    let mut open = list_roots(task);
    while let Some(expr) = open.pop() {
        found.add_expr(cx, expr, &mut open);
    }
    let limits = task.iter_ways().map(|way| &way.means).chain([&task.means]);
    found.limits.extend(limits.filter_map(|means| match means.calls {
        Some(Calls::Axis(id)) => Some(id),
        _ => None,
    }));
    found.names.extend(&found.limits);
    found
}

/// Reports an axis whose value is only a number in a prompt, or a text that the data has.
fn check_use<'a>(cx: &TaskCx<'a>, axis: &Axis, needed: &Needed<'a>) -> Option<Diagnostic> {
    let task = cx.task;
    let wordings: Vec<&Expr> =
        task.prompt.wordings.iter().chain(task.iter_ways().flat_map(|way| &way.prompt.wordings)).collect();
    let mut shown = Vec::new();
    for wording in &wordings {
        // A name in a condition or a computation can change the whole prompt.
        if !collect_rendered(task, wording, axis.slot, &mut shown) {
            return None;
        }
    }
    let Some(place) = shown.first() else { return check_equal_values(cx, axis, needed) };
    let is_text = axis.cells.iter().any(|(_, cell)| cell.ty.kind == TyKind::Text);
    let limits_reply = wordings.iter().any(|wording| is_followed_by_unit(wording, axis.slot));
    if limits_reply || is_text && !is_in_data(cx, axis) {
        return None;
    }
    let declared = task.names.get(axis.slot)?;
    let message = format!("axis `{}` only changes the prompt", axis.name);
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, declared.span, "neither data nor answer depends on it")
            .label(*place, "only used here")
            .help(format!("use `{}` in the data or in the answer; for another wording, write variants", axis.name)),
    )
}

/// Reports an axis that is used only in values that are the same in every cell.
fn check_equal_values<'a>(cx: &TaskCx<'a>, axis: &Axis, needed: &Needed<'a>) -> Option<Diagnostic> {
    // Equal cells are told at the cells.
    if cx.facts().lookup_name(axis.slot).as_single_value().is_some() {
        return None;
    }
    let names_axis = |part: &Expr| part.kind == ExprKind::Name(axis.slot);
    let (mut place, mut value) = needed.equal.iter().find(|(expr, _)| expr.has_part(names_axis)).cloned()?;
    // The smallest part shows the cause.
    while let Some(inner) = find_equal_part(cx, place, axis.slot) {
        (place, value) = inner;
    }
    let (shown, value) = (cx.sources.quote(place.span), value.render_text().into_owned());
    let declared = cx.task.names.get(axis.slot)?;
    let message = format!("axis `{}` changes nothing: `{shown}` is {value} in every cell", axis.name);
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, declared.span, "all cells are alike")
            .label(place.span, format!("always {value}"))
            .help("compute a value that differs from cell to cell, such as `greatest` for `least`, or remove the axis"),
    )
}

/// The child of an expression that names an axis and has only one possible value.
fn find_equal_part<'a>(cx: &TaskCx<'a>, expr: &'a Expr, axis: NameId) -> Option<(&'a Expr, Value)> {
    let mut found = None;
    expr.visit_children(&mut |child, _| {
        if !matches!(child.kind, ExprKind::Name(_)) && child.has_part(|part| part.kind == ExprKind::Name(axis)) {
            let fact = cx.facts().infer_expr(child, Scope::default());
            found = fact.as_single_value().map(|value| (child, value.clone()));
        }
    });
    found
}

/// Collects the places at which a text renders a name. Returns `false` if the text depends on the name in another way.
fn collect_rendered(task: &Task, expr: &Expr, name: NameId, found: &mut Vec<model::Span>) -> bool {
    match &expr.kind {
        ExprKind::Name(id) if *id == name => {
            found.push(expr.span);
            true
        }
        ExprKind::Name(id) => match task.names.get(*id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => {
                let mut inner = Vec::new();
                let plain = collect_rendered(task, value, name, &mut inner);
                found.extend(inner.first().map(|_| expr.span));
                plain
            }
            _ => true,
        },
        ExprKind::Concat(pieces) => pieces.iter().all(|piece| collect_rendered(task, piece, name, found)),
        _ => !expr.has_part_through_names(task, |part| part.kind == ExprKind::Name(name)),
    }
}

/// Whether a wording has a unit of length after the name.
fn is_followed_by_unit(wording: &Expr, name: NameId) -> bool {
    let pieces = wording.as_pieces();
    pieces.iter().zip(pieces.iter().skip(1)).any(|(piece, next)| {
        let word = match next.as_constant() {
            Some(Value::Text(text)) => {
                text.trim_start().split(|c: char| !c.is_alphabetic()).next().map(str::to_lowercase)
            }
            _ => None,
        };
        piece.kind == ExprKind::Name(name) && word.is_some_and(|word| REPLY_LENGTHS.split(' ').any(|unit| unit == word))
    })
}

/// Whether a cell is a value that a column or draw of the task can have.
fn is_in_data(cx: &TaskCx<'_>, axis: &Axis) -> bool {
    let (task, facts) = (cx.task, cx.facts());
    let is_cell = |fact: hir::facts::Fact<'_>| {
        let known = fact.closed.as_deref().unwrap_or_default();
        axis.cells
            .iter()
            .filter_map(|(_, cell)| cell.as_constant())
            .any(|cell| known.iter().any(|value| value.is_same(cell)))
    };
    let of_columns = task.relations.iter_enumerated().any(|(id, relation)| {
        relation
            .columns
            .iter_enumerated()
            .any(|(column, declared)| declared.source.draw().is_some() && is_cell(facts.lookup_column(id, column)))
    });
    of_columns
        || task.names.iter_enumerated().any(|(id, name)| name.source.draw().is_some() && is_cell(facts.lookup_name(id)))
}
