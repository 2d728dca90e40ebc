//! The places that expectations compare: the reply or a part of it, or a file. Two expectations of one place must hold for the same text.

use super::paths::{Template, resolve_path_list};
use hir::{Expect, Expr, Slice, Subject, Task};

/// The place that an expectation compares.
pub(super) enum Place {
    /// The reply.
    Reply(Option<Slice>),
    /// The file at a path.
    File(Template),
}

impl Place {
    /// The place of an expectation; `None` for several files.
    pub fn from_expect(task: &Task, expect: &Expect) -> Option<Place> {
        match &expect.subject {
            Subject::Reply(slice) => Some(Place::Reply(slice.as_ref().map(without_spans))),
            Subject::File(path) => Some(Place::File(Template::from_expr(task, path))),
            Subject::Files(_) | Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_) => None,
        }
    }

    /// Whether both are surely the same place.
    pub fn is_same(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::Reply(a), Place::Reply(b)) => a == b,
            (Place::File(a), Place::File(b)) => a.is_same_file(b),
            _ => false,
        }
    }

    /// What it is, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Place::Reply(None) => "the reply",
            Place::Reply(Some(Slice::LastLine)) => "the last line",
            Place::Reply(Some(_)) => "the same part of the reply",
            Place::File(_) => "the same file",
        }
    }
}

fn without_spans(slice: &Slice) -> Slice {
    slice.map_texts(&mut Expr::without_spans)
}

/// The paths of files that must exist after the agent, as templates.
pub(super) fn list_needed_files(task: &Task, expect: &Expect) -> Vec<Template> {
    let of = |paths: &Expr| resolve_path_list(task, paths).unwrap_or_default();
    let paths = match &expect.subject {
        Subject::File(path) if expect.matcher.record().leaves => vec![path.clone()],
        Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => of(paths),
        _ => Vec::new(),
    };
    paths.iter().map(|path| Template::from_expr(task, path)).collect()
}
