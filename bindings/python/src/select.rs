//! Which instances have some values of axes: ranges of indexes, so that nothing is made to find them.

use std::collections::BTreeMap;

use api::Instances;
use model::names::find_closest;
use model::suite::{Expr, Task};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Names of axes, and the labels or values that are wanted of each, as texts.
pub type Axes = BTreeMap<String, Vec<String>>;

/// Consecutive instances of a suite: `(where they begin in the selection, where they begin in the suite)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many of the selection precede it.
    pub at: u64,
    /// The index of its first one in the suite.
    pub first: u64,
}

/// The instances that have one of the wanted values of every wanted axis: their runs, and how many they are.
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

/// The index in the suite of the one at this place of the selection, which must be below its size.
pub fn find_index(runs: &[Run], place: u64) -> u64 {
    let run = runs.partition_point(|run| run.at <= place).checked_sub(1).and_then(|run| runs.get(run));
    run.map_or(place, |run| run.first + (place - run.at))
}

/// The place of an index of the suite in a selection of `len` instances; `None` if it is not selected.
pub fn find_place(runs: &[Run], len: u64, index: u64) -> Option<u64> {
    let at = runs.partition_point(|run| run.first <= index).checked_sub(1)?;
    let run = runs.get(at)?;
    let end = runs.get(at + 1).map_or(len, |next| next.at);
    Some(run.at + (index - run.first)).filter(|place| *place < end)
}

/// Whether a cell of a task has the wanted value of every wanted axis.
fn has_values(task: &Task, cell: u32, axes: &Axes) -> bool {
    let positions = task.find_axis_positions(cell);
    axes.iter().all(|(name, wanted)| {
        let found = task.axes.iter().zip(&positions).find(|(axis, _)| axis.name == *name);
        let cell = found.and_then(|(axis, at)| axis.cells.get(*at));
        cell.is_some_and(|(label, value)| wanted.iter().any(|wanted| is_meant(label, value, wanted)))
    })
}

/// Whether a value is meant by a text: by its label, or as it is rendered.
fn is_meant(label: &str, value: &Expr, wanted: &str) -> bool {
    label == wanted || matches!(value, Expr::Const(value) if value.render_text() == wanted)
}

/// Refuses axes and values that no task has.
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
