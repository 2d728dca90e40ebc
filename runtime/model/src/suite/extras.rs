//! The sandbox content that a task adds to its named files.

use serde::Serialize;

use super::{Compile, Compiled, Phase, Printed, Role, Scope, Visit};

/// A statement that adds such content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum Extra<S: Phase = Compiled> {
    /// `folder PATH`: an empty folder.
    Folder(S::Expr),
    /// `clutter N [in PATH]`: noise files.
    Clutter {
        /// Number of files, an int.
        count: S::Expr,
        /// A folder in the sandbox.
        within: Option<S::Expr>,
    },
}

/// The kind of entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PathKind {
    File,
    Folder,
}

impl PathKind {
    /// Returns the noun for messages.
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

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Extra {
        match self {
            Extra::Folder(path) => Extra::Folder(by.compile_expr(path)),
            Extra::Clutter { count, within } => Extra::Clutter {
                count: by.compile_expr(count),
                within: within.as_ref().map(|path| by.compile_expr(path)),
            },
        }
    }

    /// Returns the path that the author chose, and the kind of entry there.
    pub fn placed_path(&self) -> Option<(&S::Expr, PathKind)> {
        match self {
            Extra::Folder(path) => Some((path, PathKind::Folder)),
            Extra::Clutter { .. } => None,
        }
    }

    /// Returns the path of what exists from the beginning, also that of the folder of noise files, and the kind of entry there.
    pub fn given_path(&self) -> Option<(&S::Expr, PathKind)> {
        match self {
            Extra::Clutter { within, .. } => within.as_ref().map(|path| (path, PathKind::Folder)),
            _ => self.placed_path(),
        }
    }

    /// Checks whether it is drawn for each sample.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Extra::Clutter { .. })
    }
}
