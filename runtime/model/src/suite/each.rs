//! `each NAME in REL`: the rows of a data set, of which each is asked. They are the slowest part of a cell: the axes are asked for every row.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{NameId, RelationId};
use crate::Value;

/// The rows that a task is asked for, and the cells that it reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Each {
    /// The name of a row in the task.
    pub name: String,
    /// The table that they are rows of.
    pub relation: RelationId,
    /// The rows, at least one in a suite without mistakes, in the order of their table.
    pub rows: Vec<EachRow>,
    /// The columns that the task reads: the slot of each among the names, and a value for each row.
    pub columns: Vec<EachColumn>,
    /// Cells that are tags of their instance: of `tags [q.level]` the slot of `q.level`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<NameId>,
}

/// A row that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EachRow {
    /// What it is called in ids, `[A-Za-z0-9_]{1,64}`: the cell of the key, or its number in the table, from 1.
    pub key: String,
    /// Its cluster for statistics, where one is declared and the cell is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A column of the rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EachColumn {
    /// Its slot among the names.
    pub slot: NameId,
    /// By row.
    #[serde(serialize_with = "serialize_values")]
    pub values: Arc<[Value]>,
}

impl Each {
    /// How many clusters its rows belong to: a row without one is its own.
    pub fn count_clusters(&self) -> usize {
        let mut seen: BTreeSet<(bool, &str)> = BTreeSet::new();
        seen.extend(self.rows.iter().map(|row| match &row.by {
            Some(by) => (true, by.as_str()),
            None => (false, row.key.as_str()),
        }));
        seen.len()
    }

    /// The cells of a column that the task reads, by row.
    pub fn find_values(&self, slot: NameId) -> Option<&Arc<[Value]>> {
        self.columns.iter().find(|column| column.slot == slot).map(|column| &column.values)
    }
}

fn serialize_values<S: Serializer>(values: &Arc<[Value]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter())
}
