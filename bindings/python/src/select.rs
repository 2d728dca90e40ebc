//! Selects the instances with given values of axes, as ranges of indexes: no instance is made to find them.

use std::collections::BTreeMap;

use api::Instances;
use model::suite::{Expr, Task};
use names::find_closest;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The wanted labels or values of each axis, as texts.
pub type Axes = BTreeMap<String, Vec<String>>;

/// Consecutive instances of a suite: their start in the selection, and their start in the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of instances in the selection before them.
    pub at: u64,
    /// The index of the first one in the suite.
    pub first: u64,
}

/// Finds the instances that have one of the wanted values of every given axis. Returns their ranges and their number.
pub fn find_runs(instances: &Instances<'_>, axes: &Axes) -> PyResult<(Vec<Run>, u64)> {
    if axes.is_empty() {
        return Ok((vec![Run { at: 0, first: 0 }], instances.count()));
    }
    let generator = instances.generator();
    let tasks: Vec<(&Task, u32)> = generator
        .list_sample_counts()
        .into_iter()
        .filter_map(|(task, samples)| Some((generator.plan().tasks.get(task as usize)?, samples)))
        .collect();
    check_known(&tasks, axes)?;
    let (mut runs, mut at, mut base) = (Vec::<Run>::new(), 0, 0);
    let mut end = None;
    for (task, samples) in tasks {
        let cell = u64::from(samples) * (task.variants.len() as u64).max(1);
        for index in 0..task.count_cells() {
            if has_values(task, index, axes) && cell > 0 {
                if end != Some(base) {
                    runs.push(Run { at, first: base });
                }
                at += cell;
                end = Some(base + cell);
            }
            base += cell;
        }
    }
    if at == 0 {
        return Err(PyValueError::new_err("no task has all of these values of axes together"));
    }
    Ok((runs, at))
}

/// Returns the index in the suite of the instance at a position of the selection, which must be below its size.
pub fn find_index(runs: &[Run], place: u64) -> u64 {
    let run = runs.partition_point(|run| run.at <= place).checked_sub(1).and_then(|run| runs.get(run));
    run.map_or(place, |run| run.first + (place - run.at))
}

/// Returns the position of an index of the suite in a selection of `len` instances; `None` if it is not selected.
pub fn find_place(runs: &[Run], len: u64, index: u64) -> Option<u64> {
    let at = runs.partition_point(|run| run.first <= index).checked_sub(1)?;
    let run = runs.get(at)?;
    let end = runs.get(at + 1).map_or(len, |next| next.at);
    Some(run.at + (index - run.first)).filter(|place| *place < end)
}

/// Whether a cell of a task has a wanted value of every given axis.
fn has_values(task: &Task, cell: u32, axes: &Axes) -> bool {
    let positions = task.find_axis_positions(cell);
    axes.iter().all(|(name, wanted)| {
        let found = task.axes.iter().zip(&positions).find(|(axis, _)| axis.name == *name);
        let cell = found.and_then(|(axis, at)| axis.cells.get(*at));
        cell.is_some_and(|(label, value)| wanted.iter().any(|wanted| is_meant(label, value, wanted)))
    })
}

/// Whether a text denotes a value: by its label, or by its rendered form.
fn is_meant(label: &str, value: &Expr, wanted: &str) -> bool {
    label == wanted || matches!(value, Expr::Const(value) if value.render_text() == wanted)
}

/// Rejects axes and values that no task has.
fn check_known(tasks: &[(&Task, u32)], axes: &Axes) -> PyResult<()> {
    for (name, wanted) in axes {
        let cells: Vec<&(String, Expr)> = tasks
            .iter()
            .flat_map(|(task, _)| &task.axes)
            .filter(|axis| axis.name == *name)
            .flat_map(|axis| &axis.cells)
            .collect();
        if cells.is_empty() {
            let mut names: Vec<&str> =
                tasks.iter().flat_map(|(task, _)| &task.axes).map(|axis| axis.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let hint = match (find_closest(name, names.iter().copied()), names.is_empty()) {
                (Some(near), _) => format!("did you mean \"{near}\"?"),
                (None, false) => format!("the axes are {}", names.join(", ")),
                (None, true) => "the tasks have no axes".to_owned(),
            };
            return Err(PyValueError::new_err(format!("no task has an axis \"{name}\"; {hint}")));
        }
        for wanted in wanted {
            if !cells.iter().any(|(label, value)| is_meant(label, value, wanted)) {
                let mut labels: Vec<&str> = Vec::new();
                for (label, _) in &cells {
                    if !labels.contains(&label.as_str()) {
                        labels.push(label);
                    }
                }
                let message =
                    format!("the axis \"{name}\" has no value \"{wanted}\"; its values are {}", labels.join(", "));
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(())
}
