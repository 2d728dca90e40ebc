//! How the cells of a table are compared: numbers by the options of their columns, texts exactly, unless an option of their column says otherwise.

use model::Value;
use model::suite::Options;
use sqlite::state::{Cell, Real, diff_rows};

use super::table_versions::TableVersions;
use crate::exact::Exact;
use crate::got::{Number, ResponseValue, Source};
use crate::key::{Key, Leaf};

/// The options of the columns of a table that count.
#[derive(Clone, Debug)]
pub struct CellRules<'k> {
    key: Key<'k>,
    columns: Vec<Options>,
}

impl<'k> CellRules<'k> {
    /// Finds the options of a table's columns. The columns of its key are compared exactly.
    pub fn new(key: &Key<'k>, table: &TableVersions) -> CellRules<'k> {
        let find = |(at, column): (usize, &String)| match table.key.contains(&at) {
            true => Options::default(),
            false => key.resolve_table_options(&table.name, column),
        };
        CellRules { key: key.clone(), columns: table.columns.iter().enumerate().map(find).collect() }
    }

    /// Returns the rules without options.
    pub fn without_options(&self) -> CellRules<'k> {
        CellRules { key: self.key.clone(), columns: self.columns.iter().map(|_| Options::default()).collect() }
    }

    /// Returns the rules for cells that the goal does not write: what they have may not be added to.
    pub fn without_parts(&self) -> CellRules<'k> {
        let exact = |own: &Options| match own.cells {
            Some(_) => Options::default(),
            None => own.clone(),
        };
        CellRules { key: self.key.clone(), columns: self.columns.iter().map(exact).collect() }
    }

    /// Returns the rules for rows without these columns.
    pub fn without_columns(&self, columns: &[usize]) -> CellRules<'k> {
        let kept = self.columns.iter().enumerate().filter(|(at, _)| !columns.contains(at));
        CellRules { key: self.key.clone(), columns: kept.map(|(_, own)| own.clone()).collect() }
    }

    /// Whether a cell of some column need only contain the goal's text.
    pub fn has_parts(&self) -> bool {
        self.columns.iter().any(|own| own.cells.is_some())
    }

    /// Whether a text of a column can be correct that is not exactly the goal's.
    fn has_texts(&self, at: usize) -> bool {
        let is_wide = |own: &Options| own.cells.is_some() || !own.ignore.is_empty() || !own.written.is_empty();
        self.columns.get(at).is_some_and(is_wide)
    }

    /// Whether a cell is compared by options: a number, or a text of a column with an option for texts.
    pub fn is_open(&self, at: usize, cell: &Cell) -> bool {
        is_number(cell) || matches!(cell, Cell::Text(_)) && self.has_texts(at)
    }

    /// Returns a row without what is compared by options: rows that can be equal are the same without it.
    pub fn hide_open_cells(&self, row: &[Cell]) -> Vec<Cell> {
        let hide = |(at, cell): (usize, &Cell)| if self.is_open(at, cell) { Cell::Int(0) } else { cell.clone() };
        row.iter().enumerate().map(hide).collect()
    }

    /// Builds what a cell of this column must be; `None` for a cell that is compared exactly.
    pub fn build_leaf(&self, at: usize, cell: &Cell) -> Option<Leaf> {
        let value = match cell {
            Cell::Int(value) => Value::Int(*value),
            Cell::Real(Real(value)) => Value::Float(*value),
            Cell::Text(text) if self.has_texts(at) => Value::from_text(text.as_str()),
            _ => return None,
        };
        let own = self.columns.get(at)?;
        // No cell contains an empty text: it is compared as it is.
        let is_empty = own.cells.is_some() && value.as_text().is_some_and(model::value::is_blank);
        (!is_empty).then(|| self.key.build_leaf_with(&value, own))
    }

    /// Compares cells: NULL, blobs, and texts without options exactly, all others by the options.
    pub fn is_match(&self, at: usize, wanted: &Cell, got: &Cell) -> bool {
        if wanted == got {
            return true;
        }
        if !self.is_open(at, wanted) || !self.is_open(at, got) {
            return false;
        }
        match (self.build_leaf(at, wanted), read_cell(got)) {
            (Some(leaf), Some(got)) => leaf.is_match(&got),
            _ => false,
        }
    }

    /// Lists the texts that the goal writes in each column with an option for texts, the longest first.
    pub fn list_goal_texts(&self, table: &TableVersions) -> Vec<(usize, Vec<Cell>)> {
        let columns: Vec<usize> = (0..self.columns.len()).filter(|at| self.has_texts(*at)).collect();
        if columns.is_empty() {
            return Vec::new();
        }
        let added = diff_rows(&table.before, &table.goal).added;
        let list = |at: usize| {
            let mut texts: Vec<Cell> = added.iter().filter_map(|row| row.get(at).cloned()).collect();
            texts.sort_by_key(|cell| std::cmp::Reverse(count_bytes(cell)));
            texts.dedup();
            (at, texts)
        };
        columns.into_iter().map(list).collect()
    }

    /// Replaces the cells of a row by the longest of the goal's texts that they match.
    pub fn replace_by_goal_texts(&self, row: &mut [Cell], texts: &[(usize, Vec<Cell>)]) {
        for (at, texts) in texts {
            let Some(cell) = row.get_mut(*at) else { continue };
            if let Some(wanted) = texts.iter().find(|wanted| self.is_match(*at, wanted, cell)) {
                *cell = wanted.clone();
            }
        }
    }
}

fn count_bytes(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        _ => 0,
    }
}

/// Whether a cell is a number to which a tolerance can apply.
fn is_number(cell: &Cell) -> bool {
    matches!(cell, Cell::Int(_)) || matches!(cell, Cell::Real(Real(value)) if value.is_finite())
}

/// Reads a cell that is left, for comparisons.
pub fn read_cell(cell: &Cell) -> Option<ResponseValue> {
    let (exact, source) = match cell {
        Cell::Int(value) => (Exact::from_int(*value), Source::Integer),
        Cell::Real(Real(value)) => (Exact::from_f64(*value)?, Source::Real),
        Cell::Text(text) => return Some(ResponseValue::Text(text.clone())),
        _ => return None,
    };
    Some(ResponseValue::Number(Number { exact, source, shown: String::new() }))
}
