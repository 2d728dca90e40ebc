//! `nothing_expected`: an agent that does nothing is correct.

use model::Span;
use model::functions::{Kernel, Reader};
use model::suite::PathKind;
use model::suite::{FileId, Matcher};

use super::paths::{self, Part, Template, resolve_path_list};
use super::prompt_content::Way;
use crate::context::{TaskCx, report_once};
use hir::{Arg, Expr, ExprKind, Extra, Subject};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_nothing_expected<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        let met: Option<Vec<(Span, &str)>> = way
            .asked
            .expects
            .iter()
            .map(|expect| explain_trivial_pass(cx.task, expect).map(|why| (expect.span, why)))
            .collect();
        let Some([(first, why), rest @ ..]) = met.as_deref() else { continue };
        let who = match way.asked.expects.iter().any(|expect| expect.matcher == Matcher::Lacks) {
            true => "an agent that says anything else passes",
            false => "an agent that does nothing passes",
        };
        let message = match way.asked.describe_variant() {
            Some(whose) => format!("{who} in {whose}"),
            None => who.to_owned(),
        };
        let new = Diagnostic::new(Code::NOTHING_EXPECTED, message, *first, *why)
            .with_labels(rest.iter().copied())
            .help("also expect something that the agent must do: a reply, or the content of a file");
        report_once(new, said);
    }
}

/// Explains why an unchanged sandbox, and any reply without values that are forbidden, always meet the expectation, if they do.
fn explain_trivial_pass(task: &hir::Task, expect: &hir::Expect) -> Option<&'static str> {
    let is_present = |path: &Expr| is_present_initially(task, &Template::from_expr(task, path));
    match (&expect.subject, expect.matcher) {
        (_, Matcher::Lacks) => Some("every text without these values passes"),
        _ if expect.at.is_some() => None,
        (Subject::File(_), Matcher::Unchanged) => Some("it is unchanged at the start"),
        (Subject::File(path), Matcher::Absent) => {
            is_absent_initially(task, &Template::from_expr(task, path)).then_some("it does not exist at the start")
        }
        (Subject::File(path), Matcher::Exists) => is_present(path).then_some("it exists at the start"),
        (Subject::File(path), Matcher::Text) => {
            is_own_content(task, &Template::from_expr(task, path), expect.answer_expr()?)
                .then_some("this is already its content")
        }
        (Subject::File(path), Matcher::Bytes) => {
            let path = Template::from_expr(task, path);
            let same = match (expect.content_file(), expect.answer_expr()) {
                (Some(file), _) => is_file_at(task, *file, &path),
                (None, Some(value)) => is_own_content(task, &path, value) || is_generated_from(task, &path, value),
                (None, None) => false,
            };
            same.then_some("this is already its content")
        }
        (Subject::Files(list) | Subject::Tree(list), _) => {
            let paths = resolve_path_list(task, list)?;
            (!paths.is_empty() && paths.iter().all(is_present)).then_some("all exist at the start")
        }
        (Subject::Unchanged(_), _) => Some("all is unchanged at the start"),
        (Subject::Only(list), _) => {
            resolve_path_list(task, list)?.iter().all(is_present).then_some("nothing else exists at the start")
        }
        _ => None,
    }
}

/// Checks whether a file or folder always exists at the start.
pub(super) fn is_present_initially(task: &hir::Task, path: &Template) -> bool {
    let (folders, files): (Vec<_>, Vec<_>) =
        list_generated_paths(task).partition(|(_, what)| *what == PathKind::Folder);
    let of = |(made, _): (&Expr, PathKind)| Template::from_expr(task, made);
    let mut files = files.into_iter().map(of);
    if !path.folder {
        return files.any(|file| file.is_same_file(path));
    }
    let mut beginning = |whole: Template| {
        (1..=whole.components.len()).any(|length| {
            let components = whole.components.iter().take(length).cloned().collect();
            Template { components, folder: true }.is_same_file(path)
        })
    };
    let mut above = files.map(|mut file| {
        file.components.pop();
        file
    });
    above.any(&mut beginning) || folders.into_iter().map(of).any(beginning)
}

/// Lists the paths at which the suite generates something.
fn list_generated_paths(task: &hir::Task) -> impl Iterator<Item = (&Expr, PathKind)> {
    let files = task.files.iter().map(|file| (&file.path, PathKind::File));
    files.chain(task.extras.iter().filter_map(Extra::placed_path))
}

/// Checks whether nothing ever exists at a path at the start, because every generated path differs from it, whatever is drawn.
pub(super) fn is_absent_initially(task: &hir::Task, path: &Template) -> bool {
    list_generated_paths(task).map(|(made, _)| Template::from_expr(task, made)).all(|made| {
        made.components.len() < path.components.len()
            || made.components.iter().zip(&path.components).any(|(a, b)| is_never_equal(a, b))
    })
}

/// Checks whether two components can never be equal: constants that differ, or templates with different ends.
fn is_never_equal(a: &[Part], b: &[Part]) -> bool {
    if let (Some(a), Some(b)) = (paths::as_constant(a), paths::as_constant(b)) {
        return a.to_lowercase() != b.to_lowercase();
    }
    match (a.last(), b.last()) {
        (Some(Part::Text(a)), Some(Part::Text(b))) => {
            let (a, b) = (a.to_lowercase(), b.to_lowercase());
            !a.ends_with(&b) && !b.ends_with(&a)
        }
        _ => false,
    }
}

/// Checks for `expect file "<<notes>>" text content(notes)`.
fn is_own_content(task: &hir::Task, path: &Template, value: &Expr) -> bool {
    let ExprKind::Call(function, args) = &value.kind else { return false };
    let [Arg::File(file)] = args.as_slice() else { return false };
    matches!(function.kernel, Kernel::Reads(Reader::Content)) && is_file_at(task, *file, path)
}

/// Checks whether a declared file has this path.
fn is_file_at(task: &hir::Task, file: FileId, path: &Template) -> bool {
    task.files.get(file).is_some_and(|file| Template::from_expr(task, &file.path).is_same_file(path))
}

/// Checks whether the file at a path is generated from the same value: `text note at "n.txt" = old` and `bytes old`.
fn is_generated_from(task: &hir::Task, path: &Template, value: &Expr) -> bool {
    task.files.iter().any(|file| {
        let same = matches!(&file.content, hir::FileContent::ComputedText(content) if content.without_spans() == value.without_spans());
        same && Template::from_expr(task, &file.path).is_same_file(path)
    })
}
