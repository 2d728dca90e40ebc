//! `nothing_expected`: an agent that does nothing is right.

use model::Span;
use model::functions::{Kernel, Reader};
use model::suite::Placed;
use model::suite::{FileId, Matcher};

use super::paths::{self, Part, Template, listed};
use super::told::Way;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Arg, Expr, ExprKind, Extra, Subject};
use crate::lint::TaskCx;

pub(super) fn check(cx: &TaskCx<'_>, ways: &[Way<'_>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<Span> = Vec::new();
    for way in ways {
        let met: Option<Vec<(Span, &str)>> =
            way.asked.expects.iter().map(|expect| met(cx.task, expect).map(|why| (expect.span, why))).collect();
        let Some([(first, why), rest @ ..]) = met.as_deref() else { continue };
        if known.contains(first) {
            continue;
        }
        known.push(*first);
        let mut diagnostic = Diagnostic::new(
            Code::NOTHING_EXPECTED,
            match (way.asked.whose(), rest) {
                (Some(whose), _) => format!("an agent that does nothing passes in {whose}"),
                (None, _) => "an agent that does nothing passes".to_owned(),
            },
            *first,
            *why,
        )
        .help("also expect something that the agent must do: a reply, or the content of a file");
        for (span, why) in rest {
            diagnostic = diagnostic.label(*span, *why);
        }
        said.push(diagnostic);
    }
}

/// Why an empty reply and an untouched sandbox meet the key, if they surely do.
fn met(task: &hir::Task, expect: &hir::Expect) -> Option<&'static str> {
    match (&expect.subject, expect.matcher) {
        _ if expect.at.is_some() => None,
        (Subject::File(_), Matcher::Unchanged) => Some("it is unchanged at the start"),
        (Subject::File(path), Matcher::Absent) => {
            absent(task, &Template::of(task, path)).then_some("it does not exist at the start")
        }
        (Subject::File(path), Matcher::Exists) => {
            there(task, &Template::of(task, path)).then_some("it exists at the start")
        }
        (Subject::File(path), Matcher::Text) => {
            own_content(task, &Template::of(task, path), expect.expr()?).then_some("this is already its content")
        }
        (Subject::File(path), Matcher::Bytes) => {
            let path = Template::of(task, path);
            let same = match (expect.content(), expect.expr()) {
                (Some(file), _) => at(task, *file, &path),
                (None, Some(value)) => own_content(task, &path, value) || written(task, &path, value),
                (None, None) => false,
            };
            same.then_some("this is already its content")
        }
        (Subject::Files(list) | Subject::Tree(list), _) => {
            let paths = listed(task, list)?;
            let all = !paths.is_empty() && paths.iter().all(|path| there(task, &Template::of(task, path)));
            all.then_some("all exist at the start")
        }
        (Subject::Only(list), _) => {
            let paths = listed(task, list)?;
            let all = paths.iter().all(|path| there(task, &Template::of(task, path)));
            all.then_some("nothing else exists at the start")
        }
        _ => None,
    }
}

/// Whether a file or folder is surely there before the agent comes.
fn there(task: &hir::Task, path: &Template) -> bool {
    let (folders, files): (Vec<_>, Vec<_>) = made(task).partition(|(_, what)| *what == Placed::Folder);
    let of = |(made, _): (&Expr, Placed)| Template::of(task, made);
    let mut files = files.into_iter().map(of);
    if !path.folder {
        return files.any(|file| file.same(path));
    }
    let mut beginning = |whole: Template| {
        (1..=whole.components.len()).any(|length| {
            let components = whole.components.iter().take(length).cloned().collect();
            Template { components, folder: true }.same(path)
        })
    };
    let mut above = files.map(|mut file| {
        file.components.pop();
        file
    });
    above.any(&mut beginning) || folders.into_iter().map(of).any(beginning)
}

/// The paths that the suite puts something at.
fn made(task: &hir::Task) -> impl Iterator<Item = (&Expr, Placed)> {
    let files = task.files.iter().map(|file| (&file.path, Placed::File));
    files.chain(task.extras.iter().filter_map(Extra::placed))
}

/// Whether nothing is surely there: every generated path differs, whatever is drawn.
fn absent(task: &hir::Task, path: &Template) -> bool {
    made(task).map(|(made, _)| Template::of(task, made)).all(|made| {
        made.components.len() < path.components.len()
            || made.components.iter().zip(&path.components).any(|(a, b)| differ(a, b))
    })
}

/// Whether two components can never be equal: fixed texts that differ, or ends that do.
fn differ(a: &[Part], b: &[Part]) -> bool {
    if let (Some(a), Some(b)) = (paths::constant(a), paths::constant(b)) {
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

/// `expect file "<<notes>>" text content(notes)`
fn own_content(task: &hir::Task, path: &Template, value: &Expr) -> bool {
    let ExprKind::Call(function, args) = &value.kind else { return false };
    let [Arg::File(file)] = args.as_slice() else { return false };
    matches!(function.kernel, Kernel::Reads(Reader::Content)) && at(task, *file, path)
}

/// Whether a declared file is at a path.
fn at(task: &hir::Task, file: FileId, path: &Template) -> bool {
    task.files.get(file).is_some_and(|file| Template::of(task, &file.path).same(path))
}

/// Whether the file at a path is generated from the same value: `text note at "n.txt" = old` and `bytes old`.
fn written(task: &hir::Task, path: &Template, value: &Expr) -> bool {
    task.files.iter().any(|file| {
        let same = matches!(&file.content, hir::FileContent::ComputedText(content) if content.bare() == value.bare());
        same && Template::of(task, &file.path).same(path)
    })
}
