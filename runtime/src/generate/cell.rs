//! The state of one cell in one attempt at a sample: the names, tables, and files made until now.

use std::cell::RefCell;
use std::rc::Rc;

use model::schema_description::Description;
use model::suite::{DomainId, FileId, NameId, Relation, RelationId, Task};
use model::{Domain, Span, TiSlice, TiVec, Value};

use super::failures::{Res, fail_computation};
use super::fixture_content::GivenContent;
use super::rendered::Rendered;
use super::sampler::Sampler;
use super::scratch::ScratchSlot;
use super::sqlite::{Database, TableSql};
use super::streams::Keys;
use super::table::Tables;
use super::work::WorkMeter;

/// A description of a database, made for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MadeDescription {
    /// The call that made it.
    pub span: Span,
    /// The database.
    pub file: FileId,
    /// Maximum number of tokens.
    pub budget: i64,
    /// The description.
    pub description: Description,
}

/// The SQL statements of the tables of a database, by file; empty for other files.
pub(crate) type DatabaseSql = Vec<(RelationId, TableSql)>;

/// An instance during generation: the names, tables, and files made until now.
pub(crate) struct InstanceDraft<'a> {
    /// The task.
    pub task: &'a Task,
    /// All fixed domains of the plan.
    pub domains: &'a TiSlice<DomainId, Domain>,
    /// The samplers of these domains, which draw from them.
    pub samplers: &'a TiSlice<DomainId, Sampler<'a>>,
    /// SQL statements of tables, by file.
    pub databases: &'a [DatabaseSql],
    /// The content of fixtures.
    pub given: &'a GivenContent,
    /// The path by which prompts name the sandbox.
    pub sandbox_root: &'a str,
    /// The random keys of this sample and attempt.
    pub keys: Keys,
    /// The index of the cell of the axes (the last axis varies fastest).
    pub index: u32,
    /// The values of names; null until they are made.
    pub names: TiVec<NameId, Value>,
    /// The tables, by relation.
    pub tables: Tables,
    /// The rendered files, by file.
    pub files: TiVec<FileId, Option<Rc<Rendered>>>,
    /// Copies of relations for SQL.
    pub scratch: ScratchSlot,
    /// Maximum number of threads that write its files. The content does not depend on it.
    pub threads: usize,
    /// Counts and limits the work, if the caller asks for that.
    pub meter: Option<&'a WorkMeter>,
    /// The descriptions of databases, each made once.
    pub described: RefCell<Vec<MadeDescription>>,
}

impl<'a> InstanceDraft<'a> {
    /// Returns a database that is made.
    pub fn find_database(&self, file: FileId) -> Option<&Database> {
        self.files.get(file)?.as_ref()?.database()
    }

    /// Returns a declared relation.
    pub fn find_relation(&self, id: RelationId) -> Res<&'a Relation> {
        self.task.relations.get(id).map_or_else(|| fail_computation("a relation is not declared"), Ok)
    }
}
