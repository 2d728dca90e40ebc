//! What the checks of answers in files share, for one way of asking a task.

use std::collections::BTreeSet;

use model::suite::{NameId, RelationId};

use super::files::{KnownColumns, Rendering};
use super::needed::Reading;
use crate::context::{Asked, TaskCx};
use hir::Rows;

/// The context of the checks for one way of asking a task.
pub(super) struct Reach<'r, 'a> {
    pub cx: &'r TaskCx<'a>,
    pub asked: &'r Asked<'a>,
    /// The columns that the answers read.
    pub readings: Vec<Reading<'a>>,
    /// Files that are written from other tables.
    pub renderings: Vec<Rendering>,
    /// The columns that are known without these files.
    pub known: KnownColumns,
    /// Names whose values a prompt contains.
    pub told: BTreeSet<NameId>,
}

impl<'a> Reach<'_, 'a> {
    /// Iterates over the files that are written from a table.
    pub fn iter_renderings(&self, relation: RelationId) -> impl Iterator<Item = &Rendering> {
        self.renderings.iter().filter(move |file| file.from == relation)
    }

    /// Iterates over the reads of generated tables that are in no file themselves but from which files are written.
    pub fn iter_hidden_readings(&self) -> impl Iterator<Item = (&Reading<'a>, &'a hir::Relation)> {
        let task = self.cx.task;
        self.readings.iter().filter_map(move |reading| {
            let relation = task.relations.get(reading.relation)?;
            let hidden = relation.file.is_none() && matches!(relation.rows, Rows::Count(..));
            (hidden && self.iter_renderings(reading.relation).next().is_some()).then_some((reading, relation))
        })
    }
}
