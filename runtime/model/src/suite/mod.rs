//! A suite as the compiler's checker leaves it, and the compiled suite: everything that generation and scoring need, and nothing else.
//!
//! Both have parts of the same shapes (`names`, `draws`, `relations`, `files`, `tasks`); what is in the shapes is what a [`Phase`] says. Where
//! nothing else is said, it is the compiled one. Each shape knows how to visit its expressions (`visit_exprs`) and how to compile itself (`compile_with`).
//!
//! What compiling drops: types that no one asks for at run time, and what only lints and editors ask for. What it adds: concrete
//! domains, each once. Everything is in source order and in vectors, so that printing and hashing are reproducible. Spans are kept where
//! a failure at build time must be shown in the source. No promise on the form of a [`Plan`]: it is printed by `picardc build --emit plan`
//! for snapshots and curious people.

mod agent_tools;
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
    agent_tools::*, draws::*, each::*, exprs::*, extras::*, files::*, form::*, keys::*, lakes::*, matchers::Matcher,
    matching::*, names::*, phase::*, relations::*, stages::*, tasks::*,
};
pub use crate::ids::{ColumnId, DomainId, FileId, LakeId, NameId, RelationId, StageId};
use crate::{Domain, TiVec, answer_key};

/// A compiled suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    /// Which frozen standard library, streams, generators and writers it is built with.
    pub edition: u32,
    /// The suite's own facts.
    pub suite: SuiteInfo,
    /// Every fixed domain that the tasks draw from, each once.
    pub domains: TiVec<DomainId, Domain>,
    /// The lakes that tasks hand out, by name.
    #[serde(skip_serializing_if = "is_empty", serialize_with = "serialize_lakes")]
    pub lakes: TiVec<LakeId, Arc<Lake>>,
    /// The tasks in source order.
    pub tasks: Vec<Task>,
    /// How their stages are asked.
    #[serde(skip_serializing_if = "StageMode::is_whole")]
    pub asked: StageMode,
}

/// What `suite NAME { … }` says.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SuiteInfo {
    pub name: String,
    pub title: String,
    pub version: String,
    pub description: Option<String>,
    pub license: Option<String>,
    pub authors: Vec<String>,
    /// A text that marks the bundle so that training sets can be searched for it.
    pub canary: Option<String>,
    pub tags: Vec<String>,
}

/// What an instance expects, before it is computed.
pub type Expect = answer_key::Expect<Expr>;

/// Plans without lakes are printed as before there were any.
fn is_empty(lakes: &TiVec<LakeId, Arc<Lake>>) -> bool {
    lakes.is_empty()
}

/// Shared lakes, written as the lakes.
fn serialize_lakes<S: Serializer>(lakes: &TiVec<LakeId, Arc<Lake>>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(lakes.iter().map(Arc::as_ref))
}
