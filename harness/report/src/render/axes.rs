//! Tables of accuracy by axis.

use super::run_columns::build_group_table;
use super::section::Section;
use super::words::format_list;
use crate::model::RunReport;
use crate::model::curves::Point;
use crate::model::lines::collect_unique;
use crate::model::share::Group;

/// The key of a chart and its table: an axis, and the tasks that have it with the same values.
pub type Key<'a> = (&'a str, &'a [String]);

/// Lists every axis of the runs, in the order of first occurrence.
pub fn list_axis_keys(runs: &[RunReport]) -> Vec<Key<'_>> {
    collect_unique(runs.iter().flat_map(|run| &run.sweeps).map(|sweep| (sweep.axis.as_str(), sweep.tasks.as_slice())))
}

/// Returns the values of an axis in a run, over these tasks; empty if the run does not have them.
pub fn find_points<'a>(run: &'a RunReport, (axis, tasks): Key<'_>) -> &'a [Point] {
    let sweep = run.sweeps.iter().find(|sweep| sweep.axis == axis && sweep.tasks == tasks);
    sweep.map_or(&[], |sweep| sweep.points.as_slice())
}

/// Returns the values of an axis of one task in a run.
pub fn find_task_points<'a>(run: &'a RunReport, task: &str, axis: &str) -> &'a [Point] {
    let curve = run.axes.iter().find(|curve| curve.task == task && curve.axis == axis);
    curve.map_or(&[], |curve| curve.points.as_slice())
}

/// Renders `Accuracy by mess: orders and visits`.
pub fn build_title((axis, tasks): Key<'_>) -> String {
    let tasks: Vec<&str> = tasks.iter().map(String::as_str).collect();
    format!("Accuracy by {axis}: {}", format_list(&tasks))
}

/// Builds one table for each of [`list_axis_keys`].
pub fn build_tables(runs: &[RunReport]) -> Vec<Section> {
    let table = |key: Key<'_>| {
        let section = build_table(&build_title(key), key.0, runs, |run| find_points(run, key))?;
        let several =
            "Accuracy over all responses of these tasks. Its 95% CI generalizes to new samples of the same tasks.";
        Some(if key.1.len() > 1 { section.with_note(several) } else { section })
    };
    list_axis_keys(runs).into_iter().filter_map(table).collect()
}

/// Builds one table for each task that shares an axis with other tasks.
pub fn build_task_tables(runs: &[RunReport]) -> Vec<Section> {
    let shared = list_axis_keys(runs).into_iter().filter(|(_, tasks)| tasks.len() > 1);
    let pairs = collect_unique(shared.flat_map(|(axis, tasks)| tasks.iter().map(move |task| (axis, task.as_str()))));
    let table = |(axis, task): (&str, &str)| {
        build_table(&format!("Accuracy by {axis}: {task}"), axis, runs, |run| find_task_points(run, task, axis))
    };
    pairs.into_iter().filter_map(table).collect()
}

fn build_table(title: &str, axis: &str, runs: &[RunReport], of: impl Fn(&RunReport) -> &[Point]) -> Option<Section> {
    let group = |point: &Point| Group { name: point.to_label(), share: point.share.clone() };
    build_group_table(title, &format!("<{axis}"), runs, |run| of(run).iter().map(group).collect())
}
