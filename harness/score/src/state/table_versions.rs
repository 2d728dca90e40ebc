//! A table of a database at the start, in the goal, and as it was left.

use std::collections::BTreeMap;

use sqlite::state::{Cell, Difference};

/// The rows of a table at the start, in the goal, and in the remaining database, with the columns that count.
pub struct TableVersions {
    pub name: String,
    pub columns: Vec<String>,
    pub key: Vec<usize>,
    pub before: Rows,
    pub goal: Rows,
    pub left: Rows,
}

/// The rows of a table.
pub type Rows = Vec<Vec<Cell>>;

/// Returns the cells of a row that are its key.
pub fn extract_key(row: &[Cell], key: &[usize]) -> Vec<Cell> {
    key.iter().filter_map(|at| row.get(*at).cloned()).collect()
}

/// Groups the removed and the added rows of each key.
pub fn group_by_key(rows: Difference, key: &[usize]) -> BTreeMap<Vec<Cell>, (Rows, Rows)> {
    let mut by_key: BTreeMap<Vec<Cell>, (Rows, Rows)> = BTreeMap::new();
    for row in rows.removed {
        by_key.entry(extract_key(&row, key)).or_default().0.push(row);
    }
    for row in rows.added {
        by_key.entry(extract_key(&row, key)).or_default().1.push(row);
    }
    by_key
}
