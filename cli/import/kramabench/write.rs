//! The suite of a workload: a lake without views, and a task for each question, with a stage for each of its steps.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::source::{Names, escape_text, render_block, render_doc_comment, render_string};
use crate::import::{LeftOut, Obstacle};

use super::answer::Lost;
use super::lake::{FileSelection, Files};
use super::workload::{Part, Question};

/// The locations of the suite and its lake.
pub struct Place<'a> {
    /// The name of the suite.
    pub suite: &'a str,
    /// The name of the workload.
    pub title: &'a str,
    /// The lake's folder, relative to the suite's.
    pub folder: &'a str,
    pub files: &'a Files,
}

/// A task of the suite.
pub struct Task {
    /// The ID of its question.
    pub id: String,
    /// The comment, the head, and the statements.
    body: String,
    /// The source texts of the stages.
    pub stages: Vec<String>,
    /// The `allow` statements.
    pub allows: String,
}

impl Task {
    /// Renders the source text of the task.
    pub fn to_source(&self) -> String {
        format!("{}{}{}}}\n\n", self.body, self.stages.concat(), self.allows)
    }
}

/// The words in IDs that state the difficulty of a question.
const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

/// Renders the settings and the lake of a suite, and builds its tasks. Questions that cannot be asked are added to `left_out`.
pub fn build_suite(place: &Place<'_>, questions: &[Question], left_out: &mut Vec<LeftOut>) -> (String, Vec<Task>) {
    let mut names = Names::default();
    let folder = place.folder.rsplit('/').next().unwrap_or(place.folder);
    let lake = names.take_name(folder, "files");
    let head = [
        format!("suite {} {{\n", place.suite),
        format!("  title {}\n", render_string(&format!("KramaBench: {}", place.title))),
        "  version \"1.0.0\"\n".to_owned(),
        "  description \"Questions of KramaBench with their published answers\"\n".to_owned(),
        "  samples 1\n  tags [kramabench]\n}\n\n".to_owned(),
        format!("lake {lake} from {} {{}}\n\n", render_string(place.folder)),
    ]
    .concat();
    let mut lost: BTreeMap<Lost, Vec<&str>> = BTreeMap::new();
    let mut tasks = Vec::new();
    // If a task cannot be asked, its steps become separate tasks.
    let mut left: Vec<&Question> = questions.iter().rev().collect();
    while let Some(question) = left.pop() {
        let steps = || question.steps.iter().map(|step| (step, check_askable(step, place.files)));
        let asked: Vec<&Question> = steps().filter(|(_, askable)| askable.is_ok()).map(|(step, _)| step).collect();
        match build_task(question, &asked, &lake, place.files, &mut names) {
            Ok((body, without)) => {
                left_out.extend(steps().filter_map(|(step, askable)| {
                    Some(LeftOut { what: step.id.clone(), why: askable.err()?.to_string() })
                }));
                if let Some(without) = without {
                    lost.entry(without).or_default().push(&question.id);
                }
                let stages = build_stages(&asked, &lake, &mut names, &mut lost);
                tasks.push(Task { id: question.id.clone(), body, stages, allows: String::new() });
            }
            Err(why) => {
                left_out.push(LeftOut { what: question.id.clone(), why: why.to_string() });
                left.extend(question.steps.iter().rev());
            }
        }
    }
    for (without, ids) in lost {
        let (what, why) = without.describe_loss();
        left_out.push(LeftOut { what: format!("{what} of {}", ids.join(", ")), why: why.to_owned() });
    }
    (head, tasks)
}

/// Renders the stages of a task. Each depends on all stages before it in the workload.
fn build_stages<'q>(
    steps: &[&'q Question],
    lake: &str,
    names: &mut Names,
    lost: &mut BTreeMap<Lost, Vec<&'q str>>,
) -> Vec<String> {
    let mut before: Vec<String> = Vec::new();
    let mut stages = Vec::new();
    for step in steps {
        let Ok(expected) = step.answer_type.build_expected(&step.answer) else { continue };
        if let Some(without) = expected.lost {
            lost.entry(without).or_default().push(&step.id);
        }
        let name = names.take_name(&step.id, "step");
        let after = if before.is_empty() { String::new() } else { format!(" after {}", before.join(", ")) };
        let number = step.part.as_ref().map_or(0, |part| part.number);
        let note = expected.note.map_or_else(String::new, |note| format!(" {note}"));
        let comment = render_doc_comment(&format!("{}, step {number}.{note}", step.id));
        let comment: String = comment.lines().map(|line| format!("  {line}\n")).collect();
        stages.push(format!(
            "{comment}  stage {name}{after} {{\n    tags [{}, step]\n    prompt {}\n    expect reply {}\n  }}\n",
            step.answer_type.word(),
            render_prompt(step, lake),
            expected.matched
        ));
        before.push(name);
    }
    stages
}

/// Checks that a step has an answer of its type, and its sources are in the lake.
fn check_askable(step: &Question, files: &Files) -> Result<(), Obstacle> {
    step.answer_type.build_expected(&step.answer)?;
    let sources = step.sources.as_deref().unwrap_or_default();
    files.resolve_sources(sources).map(drop).map_err(|missing| explain_missing_files(&missing))
}

/// Renders the task of a question without its stages and its end, and returns the lost part of its score. The task gets the files of its steps, too. An error
/// explains why it cannot be asked.
fn build_task(
    question: &Question,
    steps: &[&Question],
    lake: &str,
    files: &Files,
    names: &mut Names,
) -> Result<(String, Option<Lost>), Obstacle> {
    let expected = question.answer_type.build_expected(&question.answer)?;
    let sources = question.sources.as_deref().unwrap_or_default();
    let mut given = files.resolve_sources(sources).map_err(|missing| explain_missing_files(&missing))?;
    let all: Vec<&[String]> =
        [sources].into_iter().chain(steps.iter().map(|step| step.sources.as_deref().unwrap_or_default())).collect();
    let union = if all.iter().any(|sources| sources.is_empty()) { Vec::new() } else { all.concat() };
    if !steps.is_empty() {
        given = files.resolve_sources(&union).map_err(|missing| explain_missing_files(&missing))?;
    }
    let place = match &question.part {
        None => question.id.clone(),
        Some(part) => format!("{}, step {} of a larger question", question.id, part.number),
    };
    let note = expected.note.map(|note| format!(" {note}")).unwrap_or_default();
    let needed = match given {
        FileSelection::All => String::new(),
        FileSelection::Globs(globs) => {
            format!(" needed [{}]", globs.iter().map(|glob| render_string(glob)).collect::<Vec<_>>().join(", "))
        }
    };
    let body = [
        render_doc_comment(&format!(
            "{place}. The answer key is the published answer; nothing here computes it.{note}"
        )),
        format!("task {} {{\n", names.take_name(&question.id, "question")),
        format!("  tags [{}]\n", collect_tags(question, sources).join(", ")),
        format!("  lake {lake}{needed}\n"),
        format!("  prompt {}\n", render_prompt(question, lake)),
        format!("  expect reply {}\n", expected.matched),
    ];
    Ok((body.concat(), expected.lost))
}

fn explain_missing_files(missing: &[String]) -> Obstacle {
    let short = |source: &String| match source.char_indices().nth(80) {
        Some((end, _)) => format!("`{}…`", source.get(..end).unwrap_or_default()),
        None => format!("`{source}`"),
    };
    let shown: Vec<String> = missing.iter().take(3).map(short).collect();
    let more = match missing.len() - shown.len() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let these = shown.join(" or ");
    Obstacle::new(format!("the lake has no file for {these}{more}"))
        .suggest("add the file to the lake, or correct `data_sources`")
}

/// Collects the tags: difficulty, type of the answer, origin of the key, whether it is a step, and the sources as published.
fn collect_tags(question: &Question, sources: &[String]) -> Vec<String> {
    let difficulty = question.id.split('-').find(|word| DIFFICULTIES.contains(word)).map(str::to_owned);
    let fixed = [question.answer_type.word().to_owned(), "published".to_owned()];
    let step = question.part.as_ref().map(|_| "step".to_owned());
    let named = sources.iter().map(|source| source.trim()).filter(|source| !matches!(*source, "" | "." | "./"));
    let mut seen = BTreeSet::new();
    let all = difficulty.into_iter().chain(fixed).chain(step).chain(named.map(render_string));
    all.filter(|tag| seen.insert(tag.clone())).collect()
}

/// Renders the prompt. For a step, it contains the whole question and the steps before it, so the step can be asked separately.
fn render_prompt(question: &Question, lake: &str) -> String {
    let asked = escape_text(&question.query);
    let request = question.answer_type.describe_request();
    let text = match &question.part {
        None => format!(
            r"The folder <<{lake}>> contains data files. Answer this question from them:\n\n{asked}\n\n{request}"
        ),
        Some(part) => {
            let (whole, steps) = (escape_text(&part.whole), render_steps(part));
            format!(
                r"The folder <<{lake}>> contains data files. This is a larger question about them:\n\n{whole}\n\n{steps}\n\n{asked}\n\n{request}"
            )
        }
    };
    render_block(&text)
}

/// Renders the steps up to the one that is asked.
fn render_steps(part: &Part) -> String {
    if part.steps.is_empty() {
        return "Answer only this question, which is about a part of it:".to_owned();
    }
    let lines: String = part.steps.iter().map(|(number, step)| format!(r"{number}. {}\n", escape_text(step))).collect();
    let number = part.number;
    format!(r"The answer is found in steps:\n\n{lines}\nAnswer only this question, which is about step {number}:")
}
