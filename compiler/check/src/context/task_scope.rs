//! The declarations of a task, and the place of the current expression among them: data, and questions that need no further checks.

use std::collections::{BTreeMap, BTreeSet};

use hir::Entity;
use model::TiVec;
use model::suite::NameId;

use super::{EachDecl, LakeDecl, NameDecl, Relations, RequiredFacts, RowScope};

/// The declarations of a task, and the rows and facts around the expression that is being checked.
#[derive(Default)]
pub(crate) struct TaskScope<'a> {
    /// The declarations that bare names refer to.
    pub entities: BTreeMap<&'a str, Entity>,
    pub names: TiVec<NameId, NameDecl<'a>>,
    pub relations: Relations<'a>,
    pub axes: Vec<hir::Axis>,
    /// The rows that `each` selects.
    pub each: Option<EachDecl<'a>>,
    /// The suite's lakes.
    pub lakes: Vec<LakeDecl<'a>>,
    /// Declarations that something reads.
    pub used: BTreeSet<Entity>,
    /// The names and calls that a `require` proves not to be null.
    pub required: RequiredFacts,
    /// The rows and conditions around the expression that is being checked.
    pub here: RowScope,
    /// An expression or domain at top level is being checked: no name of a task is in scope, and `sandbox` is not defined.
    pub in_global: bool,
}

impl TaskScope<'_> {
    /// Creates the scope of expressions and domains at top level, which is empty.
    pub fn new_global() -> Self {
        TaskScope { in_global: true, ..TaskScope::default() }
    }
}
