//! Where pipelines break first: the correct stages of tasks, in order.
//!
//! A *pipeline* is one sample of a task (in one cell of its axes, one variant, one trial) with all of its stages: those in one response of a bundle that
//! was built with `--stages trace`, or the instances that ask them one by one (`each`, `given`). The stages of a pipeline are in the order of their
//! graph: each after those that precede it, else as in the source. A pipeline *reaches* a stage if every earlier one is right, and *breaks* at the first
//! that is not.

use std::collections::BTreeMap;

use records::{Reason, Stage};
use serde::Serialize;

use super::lines::{Line, collect_unique, group_by};
use super::share::Part;

/// The stages of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stages {
    /// Whether the stages are parts of whole answers (`--stages trace`), not asked one by one.
    pub traced: bool,
    /// The tasks that have stages, in the bundle's order.
    pub tasks: Vec<TaskStages>,
    /// Where pipelines break, by the tags of stages, over all tasks.
    pub tags: Vec<TagBreaks>,
}

/// The stages of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskStages {
    /// The task.
    pub task: String,
    /// The number of pipelines.
    pub pipelines: u64,
    /// Pipelines in which every stage is right.
    pub complete: Part,
    /// The stage at which most pipelines break, if any does; the first of equals.
    pub weakest: Option<String>,
    /// Its stages, in the order of the graph.
    pub stages: Vec<StageRow>,
}

/// One stage of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageRow {
    /// The stage.
    #[serde(flatten)]
    pub stage: Stage,
    /// Pipelines in which it is right, regardless of the others.
    pub right: Part,
    /// Pipelines in which it and every earlier stage are right: the remaining part of the funnel.
    pub passed: Part,
    /// The number of pipelines that reach it: every earlier stage is right.
    pub reached: u64,
    /// Pipelines that break here first, among all.
    pub broken: Part,
    /// How often it is right if every stage that precedes it is; `None` without such a pipeline.
    pub after_right: Option<Part>,
    /// How often it is right if one that precedes it is not; `None` without such a pipeline.
    pub after_wrong: Option<Part>,
    /// Why pipelines break here, the most frequent first.
    pub reasons: Vec<(Reason, u64)>,
}

/// Where stages of one tag break pipelines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TagBreaks {
    /// The tag.
    pub tag: String,
    /// The stages with this tag that are right, among all with it.
    pub right: Part,
    /// The pipelines that break first at a stage with this tag, among all that have one.
    pub broken: Part,
}

/// One sample of a task, with the results of its stages.
struct Pipeline<'a> {
    /// The number of its sample.
    sample: usize,
    /// The result of each stage, in the graph's order; `None` for a stage that was not asked.
    found: Vec<Option<(bool, Reason)>>,
    /// The stages with their tags, which may differ between cells.
    stages: &'a [&'a Stage],
}

impl Pipeline<'_> {
    fn is_right(&self, at: usize) -> bool {
        self.found.get(at).copied().flatten().is_some_and(|(right, _)| right)
    }

    /// Returns the first stage that is not right.
    fn find_break(&self) -> Option<usize> {
        (0..self.stages.len()).find(|at| !self.is_right(*at))
    }
}

/// For each sample, an outcome.
type Outcomes = Vec<(usize, bool)>;

/// Summarizes the stages of a run; `None` if no task has any.
pub fn summarize_stages(tasks: &[(String, Vec<Line<'_>>)]) -> Option<Stages> {
    let traced = tasks.iter().flat_map(|(_, lines)| lines).any(|line| !line.score.stages.is_empty());
    let mut found = Vec::new();
    let mut by_tag: Vec<(String, Outcomes, Outcomes)> = Vec::new();
    for (task, lines) in tasks {
        let graph =
            sort_stages(&collect_unique(lines.iter().flat_map(|line| list_line_stages(line).map(|(stage, ..)| stage))));
        if graph.is_empty() {
            continue;
        }
        let pipelines = build_pipelines(lines, &graph);
        found.push(summarize_task(task, &graph, &pipelines));
        for tag in collect_unique(graph.iter().flat_map(|stage| &stage.tags)) {
            let at = by_tag.iter().position(|(known, ..)| known == tag).unwrap_or_else(|| {
                by_tag.push((tag.clone(), Vec::new(), Vec::new()));
                by_tag.len() - 1
            });
            let Some((_, right, broken)) = by_tag.get_mut(at) else { continue };
            let tagged = |at: usize| graph.get(at).is_some_and(|stage| stage.tags.contains(tag));
            for pipeline in &pipelines {
                let own = (0..graph.len()).filter(|at| tagged(*at));
                right.extend(own.map(|at| (pipeline.sample, pipeline.is_right(at))));
                broken.push((pipeline.sample, pipeline.find_break().is_some_and(tagged)));
            }
        }
    }
    let tags = by_tag
        .into_iter()
        .map(|(tag, right, broken)| TagBreaks {
            tag,
            right: Part::from_outcomes(right.into_iter()),
            broken: Part::from_outcomes(broken.into_iter()),
        })
        .collect();
    (!found.is_empty()).then_some(Stages { traced, tasks: found, tags })
}

/// Lists the stages of a line, each with whether it is right, and the reason.
fn list_line_stages<'a>(line: &Line<'a>) -> impl Iterator<Item = (&'a Stage, bool, Reason)> + use<'a> {
    let score = line.score;
    let own = score.stage.iter().map(|stage| {
        let failed = score.verdicts.iter().find(|verdict| verdict.reason != Reason::Right);
        (stage, score.correct, failed.map_or(Reason::Right, |verdict| verdict.reason))
    });
    own.chain(score.stages.iter().map(|one| (&one.stage, one.correct, one.reason)))
}

/// Sorts stages by their graph: each after those that precede it, otherwise in the given order.
fn sort_stages<'a>(stages: &[&'a Stage]) -> Vec<&'a Stage> {
    let known = |name: &String| stages.iter().any(|stage| stage.name == *name);
    let mut left: Vec<&Stage> = stages.to_vec();
    let mut order: Vec<&Stage> = Vec::new();
    while !left.is_empty() {
        let done = |name: &String| order.iter().any(|stage| stage.name == *name);
        // A graph has no cycles; if the scores contradict that, the first stage is next.
        let next = left.iter().position(|stage| stage.after.iter().all(|name| done(name) || !known(name)));
        order.push(left.remove(next.unwrap_or(0)));
    }
    order
}

fn build_pipelines<'a>(lines: &[Line<'a>], graph: &'a [&'a Stage]) -> Vec<Pipeline<'a>> {
    let key = |line: &Line<'a>| {
        let score = line.score;
        (score.each.clone(), score.axis.clone(), score.variant.clone(), score.sample, score.trial)
    };
    let places: BTreeMap<&str, usize> = graph.iter().enumerate().map(|(at, stage)| (stage.name.as_str(), at)).collect();
    group_by(lines, |line| vec![key(&line)])
        .into_iter()
        .filter_map(|(_, lines)| {
            let mut found = vec![None; graph.len()];
            for line in &lines {
                for (stage, right, reason) in list_line_stages(line) {
                    if let Some(place) = places.get(stage.name.as_str()).and_then(|at| found.get_mut(*at)) {
                        *place = Some((right, reason));
                    }
                }
            }
            // If only some instances of a task are stages, the others have no results here.
            let asked = found.iter().any(Option::is_some);
            Some(Pipeline { sample: lines.first()?.row.sample, found, stages: graph }).filter(|_| asked)
        })
        .collect()
}

fn summarize_task(task: &str, graph: &[&Stage], pipelines: &[Pipeline<'_>]) -> TaskStages {
    let rows: Vec<StageRow> = (0..graph.len()).filter_map(|at| build_stage_row(at, graph, pipelines)).collect();
    let most = rows.iter().map(|row| row.broken.count).max().filter(|most| *most > 0);
    TaskStages {
        task: task.to_owned(),
        pipelines: pipelines.len() as u64,
        complete: Part::from_outcomes(pipelines.iter().map(|one| (one.sample, one.find_break().is_none()))),
        weakest: rows.iter().find(|row| Some(row.broken.count) == most).map(|row| row.stage.name.clone()),
        stages: rows,
    }
}

fn build_stage_row(at: usize, graph: &[&Stage], pipelines: &[Pipeline<'_>]) -> Option<StageRow> {
    let stage = *graph.get(at)?;
    let before: Vec<usize> = (0..graph.len())
        .filter(|other| graph.get(*other).is_some_and(|other| stage.after.contains(&other.name)))
        .collect();
    let ready = |one: &&Pipeline<'_>| before.iter().all(|before| one.is_right(*before));
    let part = |ready_ones: bool| {
        let chosen = pipelines.iter().filter(|one| ready(one) == ready_ones);
        let part = Part::from_outcomes(chosen.map(|one| (one.sample, one.is_right(at))));
        Some(part).filter(|part| part.of > 0 && !before.is_empty())
    };
    let mut reasons: BTreeMap<Reason, u64> = BTreeMap::new();
    for one in pipelines.iter().filter(|one| one.find_break() == Some(at)) {
        let reason = one.found.get(at).copied().flatten().map_or(Reason::NoResponse, |(_, reason)| reason);
        *reasons.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(Reason, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let count =
        |is: &dyn Fn(&Pipeline<'_>) -> bool| Part::from_outcomes(pipelines.iter().map(|one| (one.sample, is(one))));
    Some(StageRow {
        stage: stage.clone(),
        right: count(&|one| one.is_right(at)),
        passed: count(&|one| one.find_break().is_none_or(|first| first > at)),
        reached: count(&|one| one.find_break().is_none_or(|first| first >= at)).count,
        broken: count(&|one| one.find_break() == Some(at)),
        after_right: part(true),
        after_wrong: part(false),
        reasons,
    })
}
