//! `vacuous_expectation`: a file that only has to exist, although the prompt says which columns and rows it has. A heuristic.

use model::suite::Matcher;

use super::paths::{Part, Template, format_parts, resolve_path_list};
use super::prompt_content::{Telling, Way, has_any_word};
use super::unread_data::is_new_file;
use crate::context::{TaskCx, judge_by_words, report_once};
use hir::{Expect, Subject, Task};
use names::prose::DRAWN;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::TABULAR;

/// Reports files that only have to exist although a sentence of each wording says which columns and rows they have.
pub(super) fn report_described_files<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    if task.notes.is_static || task.each.is_some() {
        return;
    }
    for way in ways.iter().filter(|way| !way.tellings.is_empty()) {
        for (expect, template) in list_existing_files(task, way) {
            let is_same = |other: &Expect| match &other.subject {
                Subject::File(path) => Template::from_expr(task, path).components == template.components,
                _ => false,
            };
            let is_compared = way.asked.expects.iter().any(|other| other.span != expect.span && is_same(other));
            let Some(name) = render_name(&template) else { continue };
            let is_described = |telling: &Telling| describes_file(&telling.lower_prompt, &name.to_lowercase());
            let name = format_parts(task, template.last_component());
            if is_compared || !is_new_file(task, &template) || !way.tellings.iter().all(is_described) {
                continue;
            }
            let message = format!("any content of `{name}` is accepted, even none: it only has to exist");
            let new = judge_by_words(Code::VACUOUS_EXPECTATION, message, expect.span, "its content is not compared")
                .with_labels(way.tellings.first().map(|telling| (telling.span, "says what it contains")))
                .help("expect the content, such as `rows`, `csv`, or `json` with the computed answer");
            report_once(new, said);
        }
    }
}

/// Lists the files that only have to exist, each with its expectation.
fn list_existing_files<'a>(task: &'a Task, way: &Way<'a>) -> Vec<(&'a Expect, Template)> {
    let mut found = Vec::new();
    for expect in way.asked.expects.iter().copied() {
        match &expect.subject {
            Subject::File(path) if expect.matcher == Matcher::Exists => {
                found.push((expect, Template::from_expr(task, path)));
            }
            Subject::Files(list) | Subject::Tree(list) | Subject::Only(list) => {
                let paths = resolve_path_list(task, list).unwrap_or_default();
                found.extend(paths.iter().map(|path| (expect, Template::from_expr(task, path))));
            }
            _ => {}
        }
    }
    found
}

/// The name of a file as prompts show it. `None` if a part of it is not known.
fn render_name(template: &Template) -> Option<String> {
    let parts = template.last_component().iter().map(|part| match part {
        Part::Text(text) => Some(text.clone()),
        Part::Name(_) => Some(DRAWN.to_string()),
        Part::Other => None,
    });
    parts.collect::<Option<String>>().filter(|name| name.chars().any(char::is_alphanumeric))
}

/// Checks whether a sentence names a file and the columns or rows that it has.
fn describes_file(prompt: &str, name: &str) -> bool {
    let prompt = prompt.replace("\n\n", ". ").replace('\n', " ");
    [". ", "? ", "! ", "; "].iter().fold(prompt, |prompt, end| prompt.replace(end, "\n")).lines().any(|sentence| {
        let after = sentence.find(name).and_then(|at| sentence.get(at + name.len()..));
        after.is_some_and(|after| has_any_word(after, TABULAR))
    })
}
