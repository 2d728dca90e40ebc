//! `each NAME in REL`: a data set whose rows are asked one by one. Rows vary slowest in a cell: all axis combinations are asked for each row.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::{NameId, RelationId};
use crate::Value;

/// The rows that a task asks, and the cells that it reads.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Each {
    /// The task's name for a row.
    pub name: String,
    /// The table of the rows.
    pub relation: RelationId,
    /// The rows in the order of their table; at least one in a suite without mistakes.
    pub rows: Vec<EachRow>,
    /// The columns that the task reads: the slot of each among the names, and a value for each row.
    pub columns: Vec<EachColumn>,
    /// Cells that are tags of their instance: the slot of `q.level` for `tags [q.level]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<NameId>,
}

/// A row that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EachRow {
    /// Its name in ids, `[A-Za-z0-9_]{1,64}`: the cell of the key, or its number in the table, from 1.
    pub key: String,
    /// Its cluster for statistics, if one is declared and the cell is not null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A column of the rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EachColumn {
    /// Its slot among the names.
    pub slot: NameId,
    /// The values, by row.
    #[serde(serialize_with = "serialize_values")]
    pub values: Arc<[Value]>,
}

impl Each {
    /// Counts the clusters of its rows; a row without a cluster is its own.
    pub fn count_clusters(&self) -> usize {
        let mut seen: BTreeSet<(bool, &str)> = BTreeSet::new();
        seen.extend(self.rows.iter().map(|row| match &row.by {
            Some(by) => (true, by.as_str()),
            None => (false, row.key.as_str()),
        }));
        seen.len()
    }

    /// Returns the cells of a column that the task reads, by row.
    pub fn find_values(&self, slot: NameId) -> Option<&Arc<[Value]>> {
        self.columns.iter().find(|column| column.slot == slot).map(|column| &column.values)
    }
}

fn serialize_values<S: Serializer>(values: &Arc<[Value]>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter())
}
