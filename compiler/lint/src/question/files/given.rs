//! The tables that answers read from existing files.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::suite::{ColumnId, RelationId};

use crate::context::Asked;
use crate::reach::needed::collect_answer_readings;
use hir::read_tables::{ReadAs, ReadFiles};
use hir::{Column, ColumnSource, Expr, Relation, Task};

/// A table of existing files.
pub(super) struct GivenTable<'a> {
    /// The table.
    pub own: &'a Relation,
    /// Its files.
    pub files: Arc<ReadFiles>,
    /// The columns that answers read.
    pub read: BTreeSet<ColumnId>,
}

impl<'a> GivenTable<'a> {
    /// Iterates over the columns that are declared with how they are read.
    pub fn iter_columns(&self) -> impl Iterator<Item = (ColumnId, &'a Column, &'a ReadAs)> {
        self.own.columns.iter_enumerated().filter_map(|(id, column)| match &column.source {
            ColumnSource::Given(given) => Some((id, column, given.read.as_deref()?)),
            _ => None,
        })
    }
}

/// Lists the tables that the answers read.
pub(super) fn list_given_tables<'a>(task: &'a Task, asked: &Asked<'a>) -> Vec<GivenTable<'a>> {
    let is_given = |own: &Relation| {
        own.columns.iter().any(|column| matches!(&column.source, ColumnSource::Given(given) if given.read.is_some()))
    };
    if !task.relations.iter().any(is_given) {
        return Vec::new();
    }
    let answers: Vec<&'a Expr> = asked.iter_answers().collect();
    let readings = collect_answer_readings(task, &answers, &BTreeSet::new(), BTreeSet::new());
    let relations: BTreeSet<RelationId> = readings.iter().map(|reading| reading.relation).collect();
    let table = |id: &RelationId| {
        let own = task.relations.get(*id)?;
        let files = own.columns.iter().find_map(|column| match &column.source {
            ColumnSource::Given(given) => Some(Arc::clone(&given.read.as_ref()?.files)),
            _ => None,
        })?;
        let read = readings
            .iter()
            .filter(|reading| reading.relation == *id)
            .flat_map(|reading| reading.columns.iter().copied());
        Some(GivenTable { own, files, read: read.collect() })
    };
    relations.iter().filter_map(table).collect()
}
