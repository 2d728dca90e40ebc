//! What a task puts into the sandbox besides the files that have names.

use serde::Serialize;

use super::{Compile, Compiled, Phase, Printed, Role, Scope, Visit};

/// A statement that does so.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Extra<S: Phase = Compiled> {
    /// `folder PATH`: an empty folder.
    Folder(S::Expr),
    /// `clutter N [in PATH]`: noise files.
    Clutter {
        /// An int.
        count: S::Expr,
        /// A folder below the sandbox.
        within: Option<S::Expr>,
    },
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PathKind {
    File,
    Folder,
}

impl PathKind {
    /// What it is called.
    pub fn noun(self) -> &'static str {
        match self {
            PathKind::File => "file",
            PathKind::Folder => "folder",
        }
    }
}

impl<S: Phase> Extra<S> {
    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        let mut value = |expr: &'a S::Expr| visit(Role::Value, expr, Scope::default());
        match self {
            Extra::Folder(path) => value(path),
            Extra::Clutter { count, within } => {
                value(count);
                within.iter().for_each(value);
            }
        }
    }

    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Extra {
        match self {
            Extra::Folder(path) => Extra::Folder(by.compile_expr(path)),
            Extra::Clutter { count, within } => Extra::Clutter {
                count: by.compile_expr(count),
                within: within.as_ref().map(|path| by.compile_expr(path)),
            },
        }
    }

    /// The path that the author chose, and what is there.
    pub fn placed_path(&self) -> Option<(&S::Expr, PathKind)> {
        match self {
            Extra::Folder(path) => Some((path, PathKind::Folder)),
            Extra::Clutter { .. } => None,
        }
    }

    /// Whether it is drawn anew for each sample.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Extra::Clutter { .. })
    }
}
