//! `may_collide`: two paths that are equal in some samples.

use std::cmp::Ordering;

use model::Span;

use super::paths::{Template, find_meeting_names, list_expected_paths};
use crate::context::TaskCx;
use hir::{Expr, Extra};
use syntax::diagnostics::{Code, Diagnostic};

/// A path, and the declaration it belongs to.
struct Placed {
    template: Template,
    span: Span,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    File,
    Folder,
    Expected,
}

pub(super) fn report_path_collisions(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let placed = |path: &Expr, what: What| {
        let template = Template::from_expr(task, path);
        let what = if template.folder && what == What::File { What::Folder } else { what };
        Placed { template, span: path.span, what }
    };
    let mut made: Vec<Placed> = task.files.iter().map(|file| placed(&file.path, What::File)).collect();
    made.extend(task.extras.iter().filter_map(Extra::placed_path).map(|(path, what)| {
        placed(path, if what == model::suite::PathKind::Folder { What::Folder } else { What::File })
    }));
    for (index, second) in made.iter().enumerate() {
        if let Some((first, diagnostic)) =
            made.iter().take(index).find_map(|first| Some((first, check_collision(task, first, second)?)))
        {
            said.push(diagnostic.label(first.span, "the other path"));
        }
    }
    let mut known: Vec<(Span, Span)> = Vec::new();
    for asked in cx.list_questions() {
        let expected: Vec<Placed> = asked
            .expects
            .iter()
            .flat_map(|expect| list_expected_paths(task, expect))
            .map(|path| placed(&path, What::Expected))
            .collect();
        for (index, second) in expected.iter().enumerate() {
            let others = made.iter().filter(|first| first.what == What::File).chain(expected.iter().take(index));
            for first in others {
                // In a constant-folded list, all paths have the same span.
                if first.span == second.span || known.contains(&(first.span, second.span)) {
                    continue;
                }
                if let Some(diagnostic) = check_collision(task, first, second) {
                    known.push((first.span, second.span));
                    said.push(diagnostic.label(first.span, "the other path"));
                    break;
                }
            }
        }
    }
}

fn check_collision(task: &hir::Task, first: &Placed, second: &Placed) -> Option<Diagnostic> {
    let (a, b) = (&first.template, &second.template);
    let folder = |placed: &Placed| placed.template.folder || placed.what == What::Folder;
    let equal = find_meeting_names(task, a, b, Ordering::Equal);
    let (mut names, below) = match equal {
        Some(names) => (names, false),
        None => {
            let is_above = |file: &Placed, one: &Template, other: &Template| {
                (!folder(file)).then(|| find_meeting_names(task, one, other, Ordering::Less)).flatten()
            };
            (is_above(first, a, b).or_else(|| is_above(second, b, a))?, true)
        }
    };
    let message = match (first.what, second.what) {
        _ if below => "in some samples one of these paths is a file where the other needs a folder",
        (What::File, What::Expected) => "in some samples, the agent must overwrite a given file",
        (What::Expected, What::Expected) => "in some samples two expected paths are the same",
        _ => "in some samples two paths are the same, and the build stops there",
    };
    names.sort_unstable();
    names.dedup();
    let names: Vec<&hir::Name> = names.into_iter().filter_map(|id| task.names.get(id)).collect();
    let words: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
    let help = match words.as_slice() {
        [one] => format!("`{one}` can equal the fixed part: draw it with `except`, or change the fixed part"),
        _ => {
            format!("draw them together with `{} : distinct …`, or give each path its own fixed part", words.join(", "))
        }
    };
    let label = format!("`{}` can be `{}`", b.format_path(task), a.format_path(task));
    let drawn = names.iter().map(|name| (name.span, "drawn separately"));
    Some(Diagnostic::new(Code::MAY_COLLIDE, message, second.span, label).help(help).with_labels(drawn))
}
