//! Lakes: folders of the project whose files instances get unchanged. Only their paths and sizes are stored here, not their content.

use serde::Serialize;

use super::{Compile, Compiled, Phase, Printed, Role, Scope, Visit};
use crate::Span;
use crate::ids::LakeId;

/// A folder of real files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lake {
    /// Its name.
    pub name: String,
    /// The place of its declaration.
    #[serde(skip)]
    pub span: Span,
    /// Its path in the sandbox, safe and without a trailing `/`.
    pub at: String,
    /// Its path in the project, relative to the folder of the suite and without a trailing `/`.
    pub from: String,
    /// All its files, sorted by the bytes of their paths.
    pub files: Vec<LakeFile>,
}

/// A file of a lake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LakeFile {
    /// Its path in the lake.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content in hexadecimal digits, if the compiler has read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Lake {
    /// Returns the path of one of its files in the sandbox.
    pub fn build_sandbox_path(&self, file: &LakeFile) -> String {
        format!("{}/{}", self.at, file.path)
    }

    /// Returns the path of one of its files in the project.
    pub fn build_project_path(&self, file: &LakeFile) -> String {
        format!("{}/{}", self.from, file.path)
    }
}

/// `lake NAME [needed [LIST] [+ N]]`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct LakeUse<S: Phase = Compiled> {
    /// The lake, as an index into [`Plan::lakes`](super::Plan::lakes).
    pub lake: LakeId,
    /// The place of the statement.
    pub span: Span,
    /// The selected files.
    pub files: LakeSelection<S>,
}

/// The files of a lake that an instance gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum LakeSelection<S: Phase = Compiled> {
    /// All files.
    All,
    /// The files that its answer needs, and optionally others.
    Needed {
        /// Their indexes in [`Lake::files`], ascending.
        files: Vec<u32>,
        /// Number of other files, an int; `None` for none.
        others: Option<S::Expr>,
    },
}

impl<S: Phase> LakeUse<S> {
    /// Returns the number of other files.
    pub fn others(&self) -> Option<&S::Expr> {
        match &self.files {
            LakeSelection::All => None,
            LakeSelection::Needed { others, .. } => others.as_ref(),
        }
    }

    /// Calls `visit` for every whole expression in it.
    pub fn visit_exprs<'a>(&'a self, visit: &mut Visit<'_, 'a, S>) {
        self.others().into_iter().for_each(|others| visit(Role::Value, others, Scope::default()));
    }

    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> LakeUse {
        let files = match &self.files {
            LakeSelection::All => LakeSelection::All,
            LakeSelection::Needed { files, others } => LakeSelection::Needed {
                files: files.clone(),
                others: others.as_ref().map(|others| by.compile_expr(others)),
            },
        };
        LakeUse { lake: self.lake, span: self.span, files }
    }
}
