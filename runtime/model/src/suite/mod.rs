//! A suite after the compiler's checker, and the compiled suite, which contains only what generation and scoring need.
//!
//! Both consist of the same types (`names`, `draws`, `relations`, `files`, `tasks`), whose content depends on a [`Phase`]; the default phase is the
//! compiled one. Each type can visit its expressions (`visit_exprs`) and compile itself (`compile_with`).
//!
//! Compiling drops types that are not needed at run time, and data for lints and editors. It adds concrete domains, each once. Everything is in
//! source order and in vectors, so printing and hashing are reproducible. Spans are kept where a failure at build time must show the source. The form
//! of a [`Plan`] may change at any time; `picardc build --emit plan` prints it for snapshots and for inspection.

mod agent_tools;
mod compile;
mod draws;
mod each;
mod exprs;
mod extras;
mod files;
mod form;
mod keys;
mod lakes;
pub mod matchers;
mod matching;
mod names;
mod phase;
mod relations;
mod stages;
mod tasks;

use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use self::{
    agent_tools::*, compile::*, draws::*, each::*, exprs::*, extras::*, files::*, form::*, keys::*, lakes::*,
    matchers::Matcher, matching::*, names::*, phase::*, relations::*, stages::*, tasks::*,
};
pub use crate::ids::{ColumnId, DomainId, FileId, LakeId, NameId, RelationId, StageId};
use crate::{Domain, Given, TiVec, answer_key};

impl Phase for Compiled {
    type Expr = Expr;
    type Query = Sql;
    type Domain = DomainId;
    type Mistake = Nothing;
    type Type = ();
    type Cells = Cells;
    type Given = Given;
    type OfTask = ();
    type OfVariant = ();
}

impl Printed for Compiled {}

/// A compiled suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    /// The edition of its standard library, streams, generators, and writers.
    pub edition: u32,
    /// Metadata of the suite.
    pub suite: SuiteInfo,
    /// Every fixed domain that the tasks draw from, each once.
    pub domains: TiVec<DomainId, Domain>,
    /// The lakes that tasks use, by name.
    #[serde(skip_serializing_if = "is_empty", serialize_with = "serialize_lakes")]
    pub lakes: TiVec<LakeId, Arc<Lake>>,
    /// The tasks in source order.
    pub tasks: Vec<Task>,
    /// The mode in which their stages are asked.
    #[serde(skip_serializing_if = "StageMode::is_whole")]
    pub asked: StageMode,
}

/// The settings of `suite NAME { … }`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SuiteInfo {
    pub name: String,
    pub title: String,
    pub version: String,
    pub description: Option<String>,
    pub license: Option<String>,
    pub authors: Vec<String>,
    /// A text that marks the bundle, by which it can be found in training sets.
    pub canary: Option<String>,
    pub tags: Vec<String>,
}

/// An expectation of an instance before evaluation.
pub type Expect = answer_key::Expect<Expr>;

/// Checks for the default, which is omitted: plans without lakes are printed as before lakes existed.
fn is_empty(lakes: &TiVec<LakeId, Arc<Lake>>) -> bool {
    lakes.is_empty()
}

/// Serializes shared lakes as the lakes.
fn serialize_lakes<S: Serializer>(lakes: &TiVec<LakeId, Arc<Lake>>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(lakes.iter().map(Arc::as_ref))
}
