//! Accuracy along something: an axis of a task, or the number of samples.

use serde::Serialize;

use super::lines::{Line, groups};
use super::share::{Group, Share, shares};

/// Accuracy at each value of an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxisCurve {
    /// The task.
    pub task: String,
    /// The axis.
    pub axis: String,
    /// Its values, in the suite's order.
    pub points: Vec<Group>,
}

/// Every axis of every task.
pub fn axes(tasks: &[(String, Vec<Line<'_>>)]) -> Vec<AxisCurve> {
    let mut curves = Vec::new();
    for (task, lines) in tasks {
        let names = groups(lines, |line| line.score.axis.iter().map(|(name, _)| name.as_str()).collect());
        for (axis, lines) in names {
            let value = |line: Line<'_>| -> Vec<String> {
                line.score.axis.iter().filter(|(name, _)| name == axis).map(|(_, value)| value.clone()).collect()
            };
            curves.push(AxisCurve { task: task.clone(), axis: axis.to_owned(), points: shares(groups(&lines, value)) });
        }
    }
    curves
}

/// Accuracy with its interval after the first n samples (PICARD paper, §6.3).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// After 1, 2, … or 5, 10, … samples of each task and cell, at most twenty points and the last.
    pub points: Vec<After>,
    /// From this many samples on, no estimate was further than 2.5 points from the last one.
    pub settled: u32,
}

/// One point of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct After {
    /// The number of samples.
    pub samples: u32,
    /// What they gave.
    #[serde(flatten)]
    pub share: Share,
}

/// How far an estimate may be from the last one.
const NEAR: f64 = 0.025;
/// The most points of a curve.
const POINTS: u32 = 20;

/// Of these lines; `whole` gives the share of some of them.
pub fn progress(lines: &[Line<'_>], whole: impl Fn(&[Line<'_>]) -> Share) -> Progress {
    let most = lines.iter().map(|line| line.score.sample).max().unwrap_or(0);
    let step = (0u32..9)
        .flat_map(|power| [1, 2, 5].map(|digit| digit * 10u32.pow(power)))
        .find(|step| most / step <= POINTS)
        .unwrap_or(most.max(1));
    let mut stops: Vec<u32> = (1..).map(|times| times * step).take_while(|stop| *stop < most).collect();
    stops.push(most);
    let after = |samples: u32| {
        let first: Vec<Line<'_>> = lines.iter().filter(|line| line.score.sample <= samples).copied().collect();
        After { samples, share: whole(&first) }
    };
    let points: Vec<After> = stops.into_iter().map(after).collect();
    let last = points.last().map_or(0.0, |point| point.share.accuracy);
    let near = |point: &&After| (point.share.accuracy - last).abs() <= NEAR;
    let settled = points.iter().rev().take_while(near).last().map_or(most, |point| point.samples);
    Progress { points, settled }
}
