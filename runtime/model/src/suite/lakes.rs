//! Lakes: folders of the project that instances are given as they are. Their content is not here, only where it is and how much.

use serde::Serialize;

use super::{Compile, Compiled, Phase, Printed, Role, Scope, Visit};
use crate::Span;
use crate::ids::LakeId;

/// A folder of real files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lake {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Span,
    /// Where it lies in the sandbox: a safe path without a `/` at its end.
    pub at: String,
    /// Where it lies in the project: the path of its folder below that of the suite, without a `/` at its end.
    pub from: String,
    /// All of its files, by path in the order of bytes.
    pub files: Vec<LakeFile>,
}

/// A file of a lake.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LakeFile {
    /// Its path in the lake.
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// SHA-256 of its content in hexadecimal digits, where the compiler has read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Lake {
    /// The path of one of its files in the sandbox.
    pub fn build_sandbox_path(&self, file: &LakeFile) -> String {
        format!("{}/{}", self.at, file.path)
    }

    /// The path of one of its files in the project.
    pub fn build_project_path(&self, file: &LakeFile) -> String {
        format!("{}/{}", self.from, file.path)
    }
}

/// `lake NAME [needed [LIST] [+ N]]`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct LakeUse<S: Phase = Compiled> {
    /// Which lake: an index into [`Plan::lakes`](super::Plan::lakes).
    pub lake: LakeId,
    /// Where it says so.
    pub span: Span,
    /// Which of its files.
    pub files: LakeSelection<S>,
}

/// Which files of a lake an instance is given.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", bound(serialize = "S: Printed"))]
pub enum LakeSelection<S: Phase = Compiled> {
    /// All.
    All,
    /// Those that its answer needs, and others.
    Needed {
        /// Their places in [`Lake::files`], ascending.
        files: Vec<u32>,
        /// How many others, an int; none without.
        others: Option<S::Expr>,
    },
}

impl<S: Phase> LakeUse<S> {
    /// How many others there are to be.
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

    /// The same, compiled.
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
