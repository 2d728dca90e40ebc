//! Axes: `repeated_cells`, cells with the same value; `idle_axis`, an axis on which neither the data nor the answer depends.

use std::collections::BTreeSet;

use model::Value;
use model::suite::{NameId, Role};

use super::context::TaskCx;
use hir::types::TyKind;
use hir::{Axis, Expr, ExprKind, NameSource, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Words after a number in a prompt that say how long the reply should be: nothing else has to depend on such a number.
const UNITS: &str = "word words sentence sentences character characters letter letters line lines token tokens paragraph paragraphs bullet bullets step steps minute minutes second seconds call calls";

pub(super) fn report_axes(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    if task.axes.is_empty() {
        return;
    }
    let needed = collect_needed_names(task);
    for axis in &task.axes {
        said.extend(check_cells(axis));
        if axis.cells.len() > 1 && !needed.contains(&axis.slot) {
            said.extend(check_use(cx, axis));
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

/// The names on which data, answers, or the rest of the sandbox depend: everything but the prompts.
fn collect_needed_names(task: &Task) -> BTreeSet<NameId> {
    let mut found = BTreeSet::new();
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
    for expr in open {
        expr.visit_through_names(task, &mut |part| {
            if let ExprKind::Name(id) = part.kind {
                found.insert(id);
            }
        });
    }
    found
}

/// Reports an axis whose value is only a number in a prompt, or a text that the data has.
fn check_use(cx: &TaskCx<'_>, axis: &Axis) -> Option<Diagnostic> {
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
    let place = shown.first()?;
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
        piece.kind == ExprKind::Name(name) && word.is_some_and(|word| UNITS.split(' ').any(|unit| unit == word))
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
