//! Accuracy curves: along an axis of a task, or over the number of samples.

use records::Score;
use serde::Serialize;

use super::lines::{Line, group_by};
use super::share::{Share, compute_share};

/// Accuracy at each value of an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AxisCurve {
    /// The task.
    pub task: String,
    /// The axis.
    pub axis: String,
    /// Its values, in the suite's order.
    pub points: Vec<Point>,
}

/// One value of an axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The value, as text.
    pub name: String,
    /// The author's label, if it is not the value itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The value as a number, if all values of the axis are different numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// Its accuracy.
    #[serde(flatten)]
    pub share: Share,
}

impl Point {
    /// `some (10)`, or `10` without a label.
    pub fn to_label(&self) -> String {
        match &self.label {
            Some(label) => format!("{label} ({})", self.name),
            None => self.name.clone(),
        }
    }
}

/// Builds the curves of every axis of every task.
pub fn build_axis_curves(tasks: &[(String, Vec<Line<'_>>)]) -> Vec<AxisCurve> {
    let mut curves = Vec::new();
    for (task, lines) in tasks {
        let names = group_by(lines, |line| line.score.axis.iter().map(|(name, _)| name.as_str()).collect());
        for (axis, lines) in names {
            curves.push(AxisCurve {
                task: task.clone(),
                axis: axis.to_owned(),
                points: build_points(axis, &lines, compute_share),
            });
        }
    }
    curves
}

/// Builds the points of an axis; `whole` computes the share of some lines.
pub fn build_points(axis: &str, lines: &[Line<'_>], whole: impl Fn(&[Line<'_>]) -> Share) -> Vec<Point> {
    let cells = group_by(lines, |line| find_axis_value(axis, line.score).into_iter().collect());
    let point = |((name, label), lines): ((&str, Option<&str>), Vec<Line<'_>>)| Point {
        name: name.to_owned(),
        label: label.map(str::to_owned),
        number: None,
        share: whole(&lines),
    };
    let mut points: Vec<Point> = cells.into_iter().map(point).collect();
    let numbers: Option<Vec<f64>> = points.iter().map(|point| parse_number(&point.name)).collect();
    let mut sorted = numbers.clone().unwrap_or_default();
    sorted.sort_by(f64::total_cmp);
    if let Some(numbers) = numbers.filter(|_| sorted.windows(2).all(|pair| pair[0] < pair[1])) {
        for (point, number) in points.iter_mut().zip(numbers) {
            point.number = Some(number);
        }
    }
    points
}

fn parse_number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the value of an axis, and its label if it differs.
fn find_axis_value<'s>(axis: &str, score: &'s Score) -> Option<(&'s str, Option<&'s str>)> {
    let at = score.axis.iter().position(|(name, _)| name == axis)?;
    let value = score.axis.get(at)?.1.as_str();
    Some((value, find_axis_label(score, at).filter(|label| *label != value)))
}

/// Extracts the label of an axis from the id of the instance: `<task>[-<row's key>][-<axis labels>…][-<variant or stage>]-<sample>`. A label has only letters,
/// digits, and `_`.
fn find_axis_label(score: &Score, at: usize) -> Option<&str> {
    let rest = score.id.strip_prefix(score.task.as_str())?.strip_prefix('-')?;
    let parts: Vec<&str> = rest.split('-').collect();
    let own = usize::from(score.each.is_some());
    let expected = own + score.axis.len() + usize::from(score.variant.is_some() || score.stage.is_some()) + 1;
    parts.get(own + at).copied().filter(|_| parts.len() == expected)
}

/// Accuracy with its interval after the first n samples (PICARD paper, §6.3).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// After 1, 2, … or 5, 10, … samples of each task and cell, at most twenty points and the last.
    pub points: Vec<After>,
    /// From this number of samples on, no estimate differed by more than 2.5 points from the last one.
    pub settled: u32,
}

/// A point of the curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct After {
    /// The number of samples.
    pub samples: u32,
    /// The share of correct responses up to there.
    #[serde(flatten)]
    pub share: Share,
}

/// The maximum difference of an estimate from the last one.
const NEAR: f64 = 0.025;
/// The maximum number of points of a curve.
const POINTS: u32 = 20;

/// Computes the curve of these lines; `whole` computes the share of some of them.
pub fn compute_progress(lines: &[Line<'_>], whole: impl Fn(&[Line<'_>]) -> Share) -> Progress {
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

#[cfg(test)]
mod tests {
    use records::Status;

    use super::*;

    fn score(id: &str, axis: &[(&str, &str)], variant: Option<&str>) -> Score {
        Score {
            id: id.to_owned(),
            trial: 1,
            task: "orders".to_owned(),
            variant: variant.map(str::to_owned),
            each: None,
            axis: axis.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            sample: 1,
            tags: Vec::new(),
            described: Vec::new(),
            status: Status::Done,
            error: None,
            correct: true,
            score: 1.0,
            verdicts: Vec::new(),
            stage: None,
            stages: Vec::new(),
            attempts: None,
            first_right: None,
            answer_class: None,
            rounds: None,
            tool_calls: None,
            sql_retries: None,
            prompt_tokens: None,
            completion_tokens: None,
            cost: None,
            wall_ms: None,
            first_tool_ms: None,
            first_sql_ms: None,
        }
    }

    #[test]
    fn labels_are_read_from_ids() {
        let axes = [("mess", "10"), ("size", "50")];
        let plain = score("orders-some-50-1", &axes, None);
        assert_eq!(
            (find_axis_value("mess", &plain), find_axis_value("size", &plain)),
            (Some(("10", Some("some"))), Some(("50", None)))
        );
        let variant = score("orders-some-50-json-1", &axes, Some("json"));
        assert_eq!(find_axis_value("mess", &variant), Some(("10", Some("some"))));
        // An id of another form has no labels.
        assert_eq!(find_axis_value("mess", &score("orders-1", &axes, None)), Some(("10", None)));
        assert_eq!(find_axis_value("lines", &plain), None);
    }

    #[test]
    fn values_are_numbers_only_together() {
        let numbers = |values: &[&str]| -> Vec<Option<f64>> {
            let scores: Vec<Score> = values.iter().map(|value| score("orders", &[("a", value)], None)).collect();
            let lines = crate::model::lines::build_lines(&scores);
            build_points("a", &lines, compute_share).iter().map(|point| point.number).collect()
        };
        assert_eq!(numbers(&["0", "-2.5"]), [Some(0.0), Some(-2.5)]);
        assert_eq!(numbers(&["0", "north"]), [None, None]);
        assert_eq!(numbers(&["1", "1.0"]), [None, None]);
        assert_eq!(numbers(&["1", "inf"]), [None, None]);
    }
}
