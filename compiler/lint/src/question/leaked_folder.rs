//! `leaked_answer`: a folder or file that exists from the beginning has the name that the agent must find, and must put into the path of its own file.

use model::Span;

use super::leaked::{Extent, is_found};
use super::leaked_parts::{is_answer, list_pieces};
use super::prompt_content::Way;
use crate::context::{TaskCx, report_once};
use hir::{Expr, ExprKind, Subject, Task};
use model::suite::{Extra, PathKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_folder<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let given = list_given_paths(task);
    for expect in ways.iter().flat_map(|way| &way.asked.expects) {
        let Subject::File(path) = &expect.subject else { continue };
        if !expect.matcher.record().leaves || matches!(path.kind, ExprKind::FilePath(_)) {
            continue;
        }
        let found = list_pieces(task, path).into_iter().filter(|piece| is_computed(task, piece)).find_map(|piece| {
            let telling = |(what, given): &(&str, &Expr)| {
                let place = list_pieces(task, given).into_iter().find(|part| is_answer(task, piece, part))?;
                Some(((*what).to_owned(), place.span, piece.span))
            };
            // Of several places with computed names, none is told.
            let places: Vec<(String, Span, Span)> = given.iter().filter_map(telling).collect();
            let others = given
                .iter()
                .filter(|(_, given)| list_pieces(task, given).into_iter().any(|part| is_computed(task, part)));
            (others.count() == places.len()).then(|| places.into_iter().next())?
        });
        if let Some((what, place, span)) = found {
            let message = format!("the path of a {what} that the agent is given has the name that it must find");
            let new = Diagnostic::new(Code::LEAKED_ANSWER, message, span, "expected here")
                .label(place, format!("a {what} has it"))
                .help("make such places for all possible names, or let the agent make this one");
            report_once(new, said);
        }
    }
}

/// Checks whether a part of a path is computed from files.
fn is_computed(task: &Task, piece: &Expr) -> bool {
    matches!(piece.resolve_name(task).kind, ExprKind::Call(..) | ExprKind::If(_)) && is_found(task, piece, Extent::Part)
}

/// Lists the paths of the folders and files of a task that do not depend on rows, with what they are.
fn list_given_paths(task: &Task) -> Vec<(&'static str, &Expr)> {
    let extras = task.extras.iter().filter_map(Extra::given_path).map(|(path, kind)| (kind.noun(), path));
    let files = task.files.iter().filter(|file| !file.split).map(|file| (PathKind::File.noun(), &file.path));
    extras.chain(files).collect()
}
