//! Checks a suite with the compiler before it is written: rejected tasks are left out, and lints are silenced with a reason.

use std::collections::{BTreeMap, BTreeSet};

use api::{Severity, Suite};
use model::suite::StageMode;
use model::{SourceId, Span};

use crate::import::LeftOut;
use crate::import::judge;
use crate::import::source::render_string;
use crate::overlay::{Overlay, Texts};
use host::Disk;

use super::write::Task;

/// The reason for silencing a lint: the text is that of the benchmark.
const REASON: &str = "The question is as it was published";

/// A candidate for a task of the suite.
struct Draft {
    task: Task,
    /// The lints that it silences.
    allowed: BTreeSet<&'static str>,
    /// Why its steps were removed.
    stepless: Option<String>,
}

/// Selects the tasks that the compiler accepts in a suite at `path` and whose keys can be met; the others are added to `left_out`.
///
/// All tasks are compiled together, and diagnostics are assigned to tasks by their places, so the time is linear in the number of tasks, not quadratic. One
/// error can hide others, so this is repeated until the compiler reports nothing: each time, tasks get `allow` statements, lose their steps, or are left out.
pub fn select_accepted(path: &str, head: &str, tasks: Vec<Task>, left_out: &mut Vec<LeftOut>) -> Vec<Task> {
    let disk = Disk::new(path);
    let draft = |task| Draft { task, allowed: BTreeSet::new(), stepless: None };
    let mut drafts: Vec<Draft> = tasks.into_iter().map(draft).collect();
    let mut refused: Vec<LeftOut> = Vec::new();
    while !drafts.is_empty() {
        let (mut text, mut ends) = (head.to_owned(), Vec::new());
        for draft in &drafts {
            text.push_str(&draft.task.to_source());
            ends.push(text.len());
        }
        let mut texts = Texts::default();
        texts.put_text(path, "", text);
        let suite = Suite::compile(path, &Overlay { disk: &disk, texts: &texts });
        let Some(without) = find_refused(suite, |span| find_task(span, head.len(), &ends), &mut drafts) else {
            continue;
        };
        if without.is_empty() {
            break;
        }
        let mut left = Vec::new();
        for (at, mut draft) in drafts.into_iter().enumerate() {
            match without.get(&at) {
                None => left.push(draft),
                // One of its steps may be the reason.
                Some(why) if !draft.task.stages.is_empty() => {
                    draft.task.stages.clear();
                    draft.stepless = Some(why.clone());
                    left.push(draft);
                }
                Some(why) => refused.push(LeftOut { what: draft.task.id, why: why.clone() }),
            }
        }
        drafts = left;
    }
    left_out.extend(drafts.iter().filter_map(|draft| {
        let why = draft.stepless.clone()?;
        Some(LeftOut { what: format!("the steps of {}", draft.task.id), why })
    }));
    // If all tasks are rejected for the same reason, it lies in the lake.
    match refused.split_first() {
        Some((first, others))
            if drafts.is_empty() && !others.is_empty() && others.iter().all(|one| one.why == first.why) =>
        {
            left_out.push(LeftOut { what: format!("all {} questions", refused.len()), why: first.why.clone() });
        }
        _ => left_out.extend(refused),
    }
    drafts.into_iter().map(|draft| draft.task).collect()
}

/// Finds the task at a place. The first task begins after the head, and `ends` contains the end of each.
fn find_task(span: Span, head: usize, ends: &[usize]) -> Option<usize> {
    let start = span.start as usize;
    let at = ends.partition_point(|end| *end <= start);
    (span.file == SourceId(0) && start >= head && at < ends.len()).then_some(at)
}

/// Finds the tasks that cannot be asked, with the reasons, in the suite of these tasks. `None` if tasks got new `allow` statements, so it must be compiled again.
fn find_refused(
    suite: Suite,
    place: impl Fn(Span) -> Option<usize>,
    drafts: &mut [Draft],
) -> Option<BTreeMap<usize, String>> {
    let (mut without, mut elsewhere) = (BTreeMap::new(), None);
    for said in suite.diagnostics().iter().filter(|said| said.severity() == Severity::Error) {
        match place(said.primary.span) {
            Some(at) => drop(without.entry(at).or_insert_with(|| judge::explain_diagnostic(said))),
            None => drop(elsewhere.get_or_insert_with(|| judge::explain_diagnostic(said))),
        }
    }
    if let (true, Some(why)) = (without.is_empty(), elsewhere) {
        without = (0..drafts.len()).map(|at| (at, why.clone())).collect();
    }
    if !without.is_empty() {
        return Some(without);
    }
    let mut is_new = false;
    for said in suite.diagnostics() {
        if let Some(draft) = place(said.primary.span).and_then(|at| drafts.get_mut(at)) {
            is_new |= draft.allowed.insert(said.code.name);
            let allow = |name: &&str| format!("  allow {name} {}\n", render_string(REASON));
            draft.task.allows = draft.allowed.iter().map(allow).collect();
        }
    }
    if is_new {
        return None;
    }
    let places: BTreeMap<String, usize> = suite.tasks().iter().map(|task| task.name.clone()).zip(0..).collect();
    let mut unmet = judge::list_refused_tasks(&suite);
    if drafts.iter().any(|draft| !draft.task.stages.is_empty()) {
        unmet.extend(judge::list_refused_tasks(&suite.with_stages(StageMode::Each)));
    }
    for (task, why) in unmet {
        match places.get(&task) {
            Some(at) => drop(without.entry(*at).or_insert(why)),
            None => without.extend((0..drafts.len()).map(|at| (at, why.clone()))),
        }
    }
    Some(without)
}
