//! `unprotected`: the prompt says that nothing else may change, and a file of the task is in no expectation. A heuristic.

use model::suite::{FileId, Matcher};

use super::super::prompt_content::{Way, has_word};
use super::wording::Wording;
use crate::context::report_once;
use hir::{Expr, ExprKind, Subject};
use syntax::diagnostics::{Code, Diagnostic};

/// Compares "change nothing else" with the files that are looked at.
pub(super) fn report_unprotected_files<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    let task = wording.cx.task;
    let prompt = &wording.telling.lower_prompt;
    let Some(phrase) = wording.language.changes.rest.iter().find(|phrase| has_word(prompt, phrase)) else { return };
    let (mut kept, mut changed): (Vec<FileId>, Vec<FileId>) = (Vec::new(), Vec::new());
    for expect in &way.asked.expects {
        match &expect.subject {
            Subject::Reply(_) => {}
            Subject::File(path) => {
                // What has no name here can be any file.
                let Some(file) = find_file(path) else { return };
                if expect.matcher == Matcher::Unchanged { kept.push(file) } else { changed.push(file) }
            }
            // They look at all files, or at what a list says.
            Subject::Files(_) | Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_) => return,
        }
    }
    let is_free = |file: &FileId| !kept.contains(file) && !changed.contains(file);
    let Some(free) = task.files.keys().find(is_free).and_then(|file| task.files.get(file)) else { return };
    let Some(first) = changed.first().and_then(|file| task.files.get(*file)) else { return };
    let names: Vec<&str> =
        changed.iter().filter_map(|file| task.files.get(*file)).map(|file| file.name.as_str()).collect();
    let message = format!("the prompt says `{phrase}`, but nothing checks that `{}` is as before", free.name);
    let written = prompt.find(phrase).and_then(|at| wording.telling.prompt.get(at..at + phrase.len()));
    let asked = wording.locate_text(written.unwrap_or(phrase));
    let new = Diagnostic::new(Code::UNPROTECTED, message, asked, format!("only `{}` is looked at", first.name))
        .label(free.span, "an agent may change or delete it")
        .help(format!("add: expect tree unchanged except [{}]", names.join(", ")));
    report_once(new, said);
}

/// Finds the declared file in the path of an expectation.
fn find_file(path: &Expr) -> Option<FileId> {
    let mut found = None;
    path.has_part(|part| {
        if let ExprKind::FilePath(file) = part.kind {
            found = Some(file);
        }
        found.is_some()
    });
    found
}
