//! Accuracy along an axis over all tasks that have it. Tasks with other values of the axis are not combined: each value would otherwise be about different
//! tasks.

use serde::Serialize;
use statistics::accuracy::{Accuracy, SamplingUnit};

use super::curves::{AxisCurve, Point, build_points};
use super::lines::{Line, collect_unique, extract_rows, group_by};
use super::share::Share;

/// An axis of one task, or of several tasks that have it with the same values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// The axis.
    pub axis: String,
    /// The tasks, in the suite's order.
    pub tasks: Vec<String>,
    /// Its values, in the order of the first task. Intervals generalize to new samples of these tasks.
    pub points: Vec<Point>,
}

/// Builds the sweeps of every axis; `axes` are the curves of these tasks.
pub fn build_sweeps(tasks: &[(String, Vec<Line<'_>>)], axes: &[AxisCurve]) -> Vec<Sweep> {
    let all: Vec<&AxisCurve> = axes.iter().collect();
    let alike = group_by(&all, |curve| {
        let mut values: Vec<&str> = curve.points.iter().map(|point| point.name.as_str()).collect();
        values.sort_unstable();
        vec![(curve.axis.as_str(), values)]
    });
    let over_samples =
        |lines: &[Line<'_>]| Accuracy::from_rows(&extract_rows(lines), Some(SamplingUnit::Samples)).share;
    let sweep = |((axis, _), curves): ((&str, Vec<&str>), Vec<&AxisCurve>)| {
        let names: Vec<String> = curves.iter().map(|curve| curve.task.clone()).collect();
        let lines: Vec<Line<'_>> = tasks
            .iter()
            .filter(|(task, _)| names.contains(task))
            .flat_map(|(_, lines)| lines.iter().copied())
            .collect();
        Sweep { axis: axis.to_owned(), tasks: names, points: build_points(axis, &lines, over_samples) }
    };
    alike.into_iter().map(sweep).collect()
}

/// One value of an axis in several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<'a> {
    /// Its label and value.
    pub words: String,
    /// The value as a number, if it is one in every run.
    pub number: Option<f64>,
    /// The accuracy in each run; `None` if a run does not have the value.
    pub shares: Vec<Option<&'a Share>>,
}

/// Combines the points of several runs, in the order of first occurrence.
pub fn build_cells<'a>(runs: &[&'a [Point]]) -> Vec<Cell<'a>> {
    let names = collect_unique(runs.iter().copied().flatten().map(Point::to_label));
    let cell = |words: String| {
        let points: Vec<Option<&Point>> =
            runs.iter().map(|points| points.iter().find(|point| point.to_label() == words)).collect();
        let number = points.iter().flatten().next().and_then(|point| point.number);
        let agreed = points.iter().flatten().all(|point| point.number == number);
        Cell {
            words,
            number: number.filter(|_| agreed),
            shares: points.into_iter().map(|point| point.map(|point| &point.share)).collect(),
        }
    };
    names.into_iter().map(cell).collect()
}
