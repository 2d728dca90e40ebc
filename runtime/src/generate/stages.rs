//! The contribution of a task's stages to an instance: additions to its prompt, and answer keys for its responses.

use model::answer_key::{Answer, At, Expected, Subject};
use model::asked::{self, StageKey};
use model::suite::{Expect, Matcher, STEPS, Stage, StageMode, Task, list_tellable};
use model::{Singular, Value};

use serde_json::Value as Json;

use super::answers;
use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::{OrSpan, Res, fail_computation};
use super::prompt::render_wording;
use super::stage_conflicts;
use super::traps::AnswerKeys;

/// The addition of stages to the question.
#[derive(Default)]
pub(crate) struct Asked {
    /// The stage that the instance asks.
    pub stage: Option<asked::Stage>,
    /// The text about stages in the prompt, with a line break before each line.
    pub prompt: String,
}

/// Checks whether agents write the answers of stages to a file.
pub(crate) fn has_steps(task: &Task) -> bool {
    task.asked == StageMode::Trace && !task.stages.is_empty()
}

/// Builds the addition for the instance of a variant, or of the stage with that index.
pub(crate) fn build_stage_prompt(cell: &mut InstanceDraft<'_>, variant: u32) -> Res<Asked> {
    let task = cell.task;
    match task.asked {
        StageMode::Whole => Ok(Asked::default()),
        StageMode::Trace => build_trace_prompt(cell),
        StageMode::Each | StageMode::Given => {
            let Some(stage) = task.find_asked_stage(variant) else { return Ok(Asked::default()) };
            let prompt =
                if task.asked == StageMode::Given { render_given_answers(cell, stage)? } else { String::new() };
            Ok(Asked { stage: Some(build_stage_info(task, stage)), prompt })
        }
    }
}

fn build_stage_info(task: &Task, stage: &Stage) -> asked::Stage {
    let names = stage.after.iter().filter_map(|id| task.stages.get(*id));
    asked::Stage {
        name: stage.way.name.clone(),
        after: names.map(|before| before.way.name.clone()).collect(),
        tags: stage.way.tags.clone(),
    }
}

/// Renders the answers of the stages that precede a stage.
fn render_given_answers(cell: &mut InstanceDraft<'_>, stage: &Stage) -> Res<String> {
    let task = cell.task;
    let mut lines = String::new();
    for before in stage.after.iter().filter_map(|id| task.stages.get(*id)) {
        make_names(cell, before)?;
        for expect in list_tellable(&before.way.expects) {
            let expected = answers::evaluate_expect(Eval::new(cell), expect)?;
            let value = match &expected.answer {
                Some(Answer::One(value)) => Some(value),
                Some(Answer::AnyOf(values)) => values.first(),
                _ => None,
            };
            let Some(value) = value else { continue };
            let label = expect.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
            // For a stage that asks for a reply and a file, the prompt must make clear whose value it is.
            let place = if let Subject::File(path) = &expected.subject { format!(" ({path})") } else { String::new() };
            lines.push_str(&format!("\n- `{}{label}`{place}: {}", before.way.name, value.to_json()));
        }
    }
    Ok(if lines.is_empty() { lines } else { format!("\nThese answers to earlier questions are right:{lines}") })
}

/// Renders every stage as a question that is answered next to the task's. [`build_stage_keys`] computes their answer keys.
fn build_trace_prompt(cell: &mut InstanceDraft<'_>) -> Res<Asked> {
    let task = cell.task;
    if task.stages.is_empty() {
        return Ok(Asked::default());
    }
    let root = Eval { prompt: true, ..Eval::new(cell) }.evaluate_text(&model::suite::Expr::Sandbox)?;
    let mut prompt = format!("\nWrite {root}/{STEPS} too, a JSON object with a key for each of these questions:");
    for stage in &task.stages {
        make_names(cell, stage)?;
        let name = &stage.way.name;
        let (question, _) = render_wording(cell, &stage.way.prompt, &["prompt", name]).or_span(stage.way.span)?;
        prompt.push_str(&format!("\n- `{name}`: {question}"));
    }
    Ok(Asked { stage: None, prompt })
}

/// Returns the stages that are scored next to the task's answer, in source order.
pub(crate) fn list_scored_stages(task: &Task) -> impl Iterator<Item = &Stage> {
    task.stages.iter().filter(|_| has_steps(task))
}

/// Builds the answer keys of the stages that are scored next to the task's key, and completes that key. The names of the stages must be made. Fails
/// if no sandbox can meet all of them.
pub(crate) fn build_stage_keys(
    cell: &InstanceDraft<'_>,
    keys: &AnswerKeys,
    task: (&[Expect], &mut [Expected]),
) -> Res<Vec<StageKey>> {
    let (asked, expects) = task;
    let of_stage = |stage| evaluate_stage(stage, |expect| keys.compute_key(cell, expect));
    let mut all = list_scored_stages(cell.task).map(of_stage).collect::<Res<Vec<_>>>()?;
    stage_conflicts::check_conflicts((asked, expects), list_scored_stages(cell.task).zip(&all))?;
    complete_keys(expects, &mut all);
    let stages = list_scored_stages(cell.task).map(|stage| build_stage_info(cell.task, stage));
    Ok(stages.zip(all).map(|(stage, expects)| StageKey { stage, expects }).collect())
}

/// Evaluates the expectations of a stage; those of the reply become expectations of the steps file.
pub(super) fn evaluate_stage(stage: &Stage, mut key: impl FnMut(&Expect) -> Res<Expected>) -> Res<Vec<Expected>> {
    stage.way.expects.iter().map(|expect| to_step(key(expect)?, &stage.way.name)).collect()
}

/// Completes the keys of a task and its stages, which an agent answers in one sandbox: a list of all files that may be new, or may change, gets the
/// files of the other answers too.
pub(super) fn complete_keys(expects: &mut [Expected], stages: &mut [Vec<Expected>]) {
    if stages.is_empty() {
        return;
    }
    let of_stages = Others::from_expects(stages.iter().flatten());
    let of_all = Others::from_expects(expects.iter().chain(stages.iter().flatten()));
    let lists = expects.iter_mut().map(|expect| (expect, &of_stages));
    for (expect, others) in lists.chain(stages.iter_mut().flatten().map(|expect| (expect, &of_all))) {
        let (paths, others) = match &mut expect.subject {
            Subject::Only(paths) => (paths, &others.made),
            Subject::Unchanged(paths) => (paths, &others.changed),
            _ => continue,
        };
        for path in std::iter::once(STEPS).chain(others.iter().map(String::as_str)) {
            if !paths.iter().any(|known| known == path) {
                paths.push(path.to_owned());
            }
        }
    }
}

/// The paths of other answers.
struct Others {
    /// Those at which a file or folder is expected.
    made: Vec<String>,
    /// Those at which something may change.
    changed: Vec<String>,
}

impl Others {
    fn from_expects<'e>(expects: impl Iterator<Item = &'e Expected> + Clone) -> Others {
        let made = expects.clone().flat_map(list_expected_paths).collect();
        Others { made, changed: expects.flat_map(list_changed_paths).collect() }
    }
}

/// Returns the paths at which an expectation requires a file or folder.
fn list_expected_paths(expect: &Expected) -> Vec<String> {
    match &expect.subject {
        Subject::File(path) if expect.matcher.record().leaves => vec![path.clone()],
        Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => paths.clone(),
        Subject::File(_) | Subject::Unchanged(_) | Subject::Reply(_) => Vec::new(),
    }
}

/// Returns the paths at which an expectation permits a change.
fn list_changed_paths(expect: &Expected) -> Vec<String> {
    match (&expect.subject, expect.matcher) {
        (Subject::File(_), Matcher::Unchanged) => Vec::new(),
        (subject, _) => subject.paths().to_vec(),
    }
}

pub(super) fn make_names(cell: &mut InstanceDraft<'_>, stage: &Stage) -> Res<()> {
    stage.way.steps.iter().try_for_each(|name| cell.make_name(*name))
}

/// Converts an expectation of the reply to one of the stage's key in the steps file.
fn to_step(expected: Expected, stage: &str) -> Res<Expected> {
    if !matches!(expected.subject, Subject::<Value>::Reply(_)) {
        return Ok(expected);
    }
    // The part of a reply becomes the whole value there; a path into the reply becomes a path below it.
    let below = expected.at.as_ref().and_then(|at| at.path.as_str().strip_prefix('$')).unwrap_or_default();
    let plain = Singular::parse(&format!("$.{stage}{below}"));
    let Ok(path) = plain.or_else(|_| Singular::parse(&format!("$[{}]{below}", Json::from(stage)))) else {
        return fail_computation("the name of a stage is not a key");
    };
    Ok(Expected { subject: Subject::File(STEPS.to_owned()), at: Some(At { path, yaml: false }), ..expected })
}
