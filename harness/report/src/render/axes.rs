//! The tables of accuracy by axis.

use super::section::Section;
use super::tables::groups;
use super::words::list;
use crate::model::RunReport;
use crate::model::curves::Point;
use crate::model::lines::union;
use crate::model::share::Group;

/// What is drawn and tabulated once: an axis, and the tasks that have it with the same values.
pub type Key<'a> = (&'a str, &'a [String]);

/// Every axis of the runs, in the order in which they first come.
pub fn keys(runs: &[RunReport]) -> Vec<Key<'_>> {
    union(runs.iter().flat_map(|run| &run.sweeps).map(|sweep| (sweep.axis.as_str(), sweep.tasks.as_slice())))
}

/// The values of an axis in a run, over these tasks; empty where the run does not have them.
pub fn points<'a>(run: &'a RunReport, (axis, tasks): Key<'_>) -> &'a [Point] {
    let sweep = run.sweeps.iter().find(|sweep| sweep.axis == axis && sweep.tasks == tasks);
    sweep.map_or(&[], |sweep| sweep.points.as_slice())
}

/// The values of an axis of one task in a run.
pub fn points_of_task<'a>(run: &'a RunReport, task: &str, axis: &str) -> &'a [Point] {
    let curve = run.axes.iter().find(|curve| curve.task == task && curve.axis == axis);
    curve.map_or(&[], |curve| curve.points.as_slice())
}

/// `Accuracy by mess: orders and visits`
pub fn title((axis, tasks): Key<'_>) -> String {
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    format!("Accuracy by {axis}: {}", list(&tasks, false))
}

/// One table for each of [`keys`].
pub fn tables(runs: &[RunReport]) -> Vec<Section> {
    let table = |key: Key<'_>| {
        let section = table(&title(key), key.0, runs, |run| points(run, key))?;
        let several =
            "Accuracy over all responses of these tasks. Its 95% CI generalizes to new samples of the same tasks.";
        Some(if key.1.len() > 1 { section.note(several) } else { section })
    };
    keys(runs).into_iter().filter_map(table).collect()
}

/// One for each task that shares an axis with other tasks.
pub fn tables_of_tasks(runs: &[RunReport]) -> Vec<Section> {
    let shared = keys(runs).into_iter().filter(|(_, tasks)| tasks.len() > 1);
    let pairs = union(shared.flat_map(|(axis, tasks)| tasks.iter().map(move |task| (axis, task.as_str()))));
    let table = |(axis, task): (&str, &str)| {
        table(&format!("Accuracy by {axis}: {task}"), axis, runs, |run| points_of_task(run, task, axis))
    };
    pairs.into_iter().filter_map(table).collect()
}

fn table(title: &str, axis: &str, runs: &[RunReport], of: impl Fn(&RunReport) -> &[Point]) -> Option<Section> {
    let group = |point: &Point| Group { name: point.words(), share: point.share.clone() };
    groups(title, &format!("<{axis}"), runs, |run| of(run).iter().map(group).collect())
}
