//! Compares runs side by side, the largest differences first. A page shows it before the details; it is not in the JSON document.

use std::collections::BTreeMap;

use records::Score;
use statistics::Interval;
use statistics::summary::Spread;

use crate::compare::compare_runs;
use crate::data::RunData;
use crate::model::formats::Pattern;
use crate::model::lines::{build_lines, collect_unique};
use crate::model::measure::{Measure, compute_spread};
use crate::model::share::{Group, Share};
use crate::model::{Report, RunReport};

/// Runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    /// One for each run, as given.
    pub sides: Vec<Side>,
    /// The indexes of runs, the most accurate first; equal ones in the given order.
    pub ranked: Vec<usize>,
    /// Tasks: several runs by spread, one run by accuracy, the weakest first.
    pub tasks: Vec<Row>,
    /// Tags, in the same order, except those that every response has.
    pub tags: Vec<Row>,
    /// The trials in which only one run is wrong: (run, instance, trial).
    pub alone: Vec<(usize, String, u32)>,
}

/// Facts about one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// The number of trials that timed out, failed, or are missing.
    pub unfinished: u64,
    /// Each measure that some trial reports, over all trials of the run.
    pub spreads: Vec<(Measure, Spread)>,
    /// The best run, and this run's accuracy minus that one's, −1 to 1, with its 95% interval. `None` for the best run, and if they have nothing in common.
    pub behind: Option<(usize, f64, Interval)>,
}

/// A group of instances in every run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its name: a task, a variant, an axis value, a tag.
    pub name: String,
    /// Its share in each run; `None` if a run does not have it.
    pub shares: Vec<Option<Share>>,
    /// The greatest accuracy minus the least, 0 to 1; `None` for fewer than two runs that have it.
    pub spread: Option<f64>,
    /// For a task: the pattern of each run's weakness; otherwise empty.
    pub patterns: Vec<Option<Pattern>>,
    /// For a task: its variants and axes.
    pub parts: Vec<Parts>,
}

/// The variants of a task, or the values of one of its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// `variant`, or the name of the axis.
    pub by: String,
    /// The rows, in the suite's order.
    pub rows: Vec<Row>,
}

/// Compares runs side by side. `report` is the report on the same runs.
pub fn build_overview(runs: &[RunData], report: &Report) -> Overview {
    let mut ranked: Vec<usize> = (0..report.runs.len()).collect();
    ranked.sort_by(|a, b| lookup_accuracy(&report.runs, *b).total_cmp(&lookup_accuracy(&report.runs, *a)));
    let best = ranked.first().copied();
    let sides = runs.iter().zip(&report.runs).enumerate();
    let sides =
        sides.map(|(at, (run, told))| build_side(run, told, best.filter(|best| *best != at).map(|at| (at, &runs[at]))));
    let mut tasks = build_rows(&report.runs, |run| run.tasks.clone());
    for row in &mut tasks {
        row.patterns = report.runs.iter().map(|run| find_pattern(run, &row.name)).collect();
        row.parts = build_parts(&report.runs, &row.name);
    }
    let mut tags = build_rows(&report.runs, |run| run.tags.clone());
    // A tag of every response repeats the overall accuracy.
    tags.retain(|row| {
        let wholes = row.shares.iter().zip(&report.runs);
        !wholes.into_iter().all(|(share, run)| share.as_ref().is_some_and(|share| share.of == run.whole.share.of))
    });
    sort_rows(&mut tasks);
    sort_rows(&mut tags);
    Overview { sides: sides.collect(), ranked, tasks, tags, alone: find_sole_failures(runs) }
}

fn lookup_accuracy(runs: &[RunReport], at: usize) -> f64 {
    runs.get(at).map_or(0.0, |run| run.whole.share.accuracy)
}

fn build_side(run: &RunData, told: &RunReport, best: Option<(usize, &RunData)>) -> Side {
    let all = build_lines(&run.scores);
    let unfinished = told.statuses.iter().filter(|(status, _)| !status.is_scored()).map(|(_, count)| count).sum();
    let spreads = Measure::COSTS.into_iter().filter_map(|what| Some((what, compute_spread(&all, what)?))).collect();
    let behind = best.and_then(|(at, best)| {
        let whole = compare_runs(best, run, Some(told.whole.over)).ok()?.whole;
        Some((at, whole.difference, whole.interval))
    });
    Side { unfinished, spreads, behind }
}

/// Builds a row for each group that some run has, in the order of first occurrence; `groups` has those of each run.
fn build_rows(runs: &[RunReport], groups: impl Fn(&RunReport) -> Vec<Group>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        for Group { name, share } in groups(run) {
            let place = *places.entry(name).or_insert_with_key(|name| {
                rows.push(Row { name: name.clone(), shares: vec![None; runs.len()], ..Row::default() });
                rows.len() - 1
            });
            rows[place].shares[at] = Some(share);
        }
    }
    for row in &mut rows {
        row.spread = compute_range(&row.shares);
    }
    rows
}

fn compute_range(shares: &[Option<Share>]) -> Option<f64> {
    let all = || shares.iter().flatten().map(|share| share.accuracy);
    (all().count() > 1).then(|| all().fold(0.0, f64::max) - all().fold(1.0, f64::min))
}

fn sort_rows(rows: &mut [Row]) {
    let weakest = |row: &Row| row.shares.iter().flatten().map(|share| share.accuracy).fold(1.0, f64::min);
    let spread = |row: &Row| row.spread.unwrap_or(0.0);
    rows.sort_by(|a, b| spread(b).total_cmp(&spread(a)).then(weakest(a).total_cmp(&weakest(b))));
}

fn find_pattern(run: &RunReport, task: &str) -> Option<Pattern> {
    run.formats.iter().find(|formats| formats.task == task).and_then(|formats| formats.pattern)
}

/// Builds the variants of a task, then each of its axes with several values.
fn build_parts(runs: &[RunReport], task: &str) -> Vec<Parts> {
    let variants = build_rows(runs, |run| {
        let formats = run.formats.iter().find(|formats| formats.task == task);
        let variants = formats.into_iter().flat_map(|formats| &formats.variants);
        variants.map(|variant| Group { name: variant.name.clone(), share: variant.share.clone() }).collect()
    });
    let axes = collect_unique(
        runs.iter().flat_map(|run| &run.axes).filter(|curve| curve.task == task).map(|curve| curve.axis.as_str()),
    );
    let of_axis = |axis: &str| {
        let rows = build_rows(runs, |run| {
            let curve = run.axes.iter().find(|curve| curve.task == task && curve.axis == axis);
            let points = curve.into_iter().flat_map(|curve| &curve.points);
            points.map(|point| Group { name: point.to_label(), share: point.share.clone() }).collect()
        });
        Parts { by: axis.to_owned(), rows }
    };
    let variants = Parts { by: "variant".to_owned(), rows: variants };
    std::iter::once(variants).chain(axes.into_iter().map(of_axis)).filter(|parts| parts.rows.len() > 1).collect()
}

/// Finds the trials in which only one run is wrong: every other run has the same instance of the same bundle, and is correct in all of its trials.
fn find_sole_failures(runs: &[RunData]) -> Vec<(usize, String, u32)> {
    let Some(first) = runs.first() else { return Vec::new() };
    if runs.len() < 2 || runs.iter().any(|run| run.info.bundle.sha256 != first.info.bundle.sha256) {
        return Vec::new();
    }
    // For each run: whether an instance is correct in all trials.
    let correct: Vec<BTreeMap<&str, bool>> = runs.iter().map(|run| collect_always_correct(&run.scores)).collect();
    let others = |at: usize, id: &str| {
        correct.iter().enumerate().all(|(other, ids)| other == at || ids.get(id).copied().unwrap_or(false))
    };
    let wrong = |(at, run)| -> Vec<(usize, String, u32)> {
        let run: &RunData = run;
        let scores = run.scores.iter().filter(|score| !score.correct && others(at, &score.id));
        scores.map(|score| (at, score.id.clone(), score.trial)).collect()
    };
    runs.iter().enumerate().flat_map(wrong).collect()
}

fn collect_always_correct(scores: &[Score]) -> BTreeMap<&str, bool> {
    let mut all = BTreeMap::new();
    for score in scores {
        *all.entry(score.id.as_str()).or_insert(true) &= score.correct;
    }
    all
}
