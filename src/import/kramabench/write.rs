//! The suite that a workload becomes: a lake without views, and a task for each question.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::LeftOut;
use crate::import::source::{Names, block, doc, escaped, string};

use super::answer::Lost;
use super::lake::{Files, Given};
use super::workload::{Part, Question};

/// Where the suite and its lake are.
pub struct Place<'a> {
    /// The name of the suite.
    pub suite: &'a str,
    /// The name of the workload.
    pub title: &'a str,
    /// The lake's folder, relative to that of the suite.
    pub folder: &'a str,
    pub files: &'a Files,
}

/// A task of the suite.
pub struct Task {
    /// The id of its question.
    pub id: String,
    /// Its comment, head, and statements.
    body: String,
    /// The `allow` statements that it needs.
    pub allows: String,
}

impl Task {
    /// The task in source text.
    pub fn source(&self) -> String {
        format!("{}{}}}\n\n", self.body, self.allows)
    }
}

/// Words of ids that say how hard a question is.
const DIFFICULTIES: [&str; 3] = ["easy", "medium", "hard"];

/// The settings and the lake of a suite, and its tasks; what cannot be asked goes to `left_out`.
pub fn write(place: &Place<'_>, questions: &[Question], left_out: &mut Vec<LeftOut>) -> (String, Vec<Task>) {
    let mut names = Names::default();
    let folder = place.folder.rsplit('/').next().unwrap_or(place.folder);
    let lake = names.take(folder, "files");
    let head = [
        format!("suite {} {{\n", place.suite),
        format!("  title {}\n", string(&format!("KramaBench: {}", place.title))),
        "  version \"1.0.0\"\n".to_owned(),
        "  description \"Questions of KramaBench with their published answers\"\n".to_owned(),
        "  samples 1\n  tags [kramabench]\n}\n\n".to_owned(),
        format!("lake {lake} from {} {{}}\n\n", string(place.folder)),
    ]
    .concat();
    let mut lost: BTreeMap<Lost, Vec<&str>> = BTreeMap::new();
    let mut tasks = Vec::new();
    for question in questions {
        match task(question, &lake, place.files, &mut names) {
            Ok((body, without)) => {
                if let Some(without) = without {
                    lost.entry(without).or_default().push(&question.id);
                }
                tasks.push(Task { id: question.id.clone(), body, allows: String::new() });
            }
            Err(why) => left_out.push(LeftOut { what: question.id.clone(), why }),
        }
    }
    for (without, ids) in lost {
        let what = format!("{} of {}", without.what(), ids.join(", "));
        left_out.push(LeftOut { what, why: without.why().to_owned() });
    }
    (head, tasks)
}

/// The task of a question, but for its end, and what of its score is lost; or why it cannot be asked.
fn task(question: &Question, lake: &str, files: &Files, names: &mut Names) -> Result<(String, Option<Lost>), String> {
    let expected = question.answer_type.expected(&question.answer)?;
    let sources = question.sources.as_deref().unwrap_or_default();
    let given = files.given(sources).map_err(|missing| no_file(&missing))?;
    let place = match &question.part {
        None => question.id.clone(),
        Some(part) => format!("{}, step {} of a larger question", question.id, part.number),
    };
    let note = expected.note.map(|note| format!(" {note}")).unwrap_or_default();
    let needed = match given {
        Given::All => String::new(),
        Given::Globs(globs) => {
            format!(" needed [{}]", globs.iter().map(|glob| string(glob)).collect::<Vec<_>>().join(", "))
        }
    };
    let body = [
        doc(&format!("{place}. The answer key is the published answer; nothing here computes it.{note}")),
        format!("task {} {{\n", names.take(&question.id, "question")),
        format!("  tags [{}]\n", tags(question, sources).join(", ")),
        format!("  lake {lake}{needed}\n"),
        format!("  prompt {}\n", prompt(question, lake)),
        format!("  expect reply {}\n", expected.matched),
    ];
    Ok((body.concat(), expected.lost))
}

fn no_file(missing: &[String]) -> String {
    let shown: Vec<String> = missing.iter().take(3).map(|source| format!("`{source}`")).collect();
    let more = match missing.len() - shown.len() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let these = shown.join(" or ");
    format!("the lake has no file for {these}{more}; add the file to the lake, or correct `data_sources`")
}

/// Difficulty, type of the answer, where the key is from, and the sources as they are published.
fn tags(question: &Question, sources: &[String]) -> Vec<String> {
    let difficulty = question.id.split('-').find(|word| DIFFICULTIES.contains(word)).map(str::to_owned);
    let fixed = [question.answer_type.word().to_owned(), "published".to_owned()];
    let step = question.part.as_ref().map(|_| "step".to_owned());
    let named = sources.iter().map(|source| source.trim()).filter(|source| !matches!(*source, "" | "." | "./"));
    let mut seen = BTreeSet::new();
    let all = difficulty.into_iter().chain(fixed).chain(step).chain(named.map(string));
    all.filter(|tag| seen.insert(tag.clone())).collect()
}

/// What an agent is asked. A step has the whole question and what precedes it, so that it can be asked alone.
fn prompt(question: &Question, lake: &str) -> String {
    let asked = escaped(&question.query);
    let request = question.answer_type.request();
    let text = match &question.part {
        None => format!(
            r"The folder <<{lake}>> contains data files. Answer this question from them:\n\n{asked}\n\n{request}"
        ),
        Some(part) => {
            let (whole, steps) = (escaped(&part.whole), steps(part));
            format!(
                r"The folder <<{lake}>> contains data files. This is a larger question about them:\n\n{whole}\n\n{steps}\n\n{asked}\n\n{request}"
            )
        }
    };
    block(&text)
}

/// The steps up to the one that is asked about.
fn steps(part: &Part) -> String {
    if part.steps.is_empty() {
        return "Answer only this question, which is about a part of it:".to_owned();
    }
    let lines: String = part.steps.iter().map(|(number, step)| format!(r"{number}. {}\n", escaped(step))).collect();
    let number = part.number;
    format!(r"The answer is found in steps:\n\n{lines}\nAnswer only this question, which is about step {number}:")
}
