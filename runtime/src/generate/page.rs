//! The rows of one file, before they are written: for each row and each part of it, the clean value, and how it is read.

use model::Val;
use model::suite::{File, Form, Relation};
use tables::write::{Checked, Folds};

use super::column::{Column, SharedColumn};
use super::dirt::RowCopy;
use super::table_file::{Group, Part};

/// What the files of a declaration have in common.
pub(crate) struct TableParts<'a> {
    pub file: &'a File,
    pub form: &'a Form,
    pub relation: &'a Relation,
    /// The parts of a row.
    pub parts: Vec<Part<'a>>,
    /// The reader of each part.
    pub checked: Vec<Checked>,
}

/// One file.
pub(crate) struct Page<'s, 'a> {
    pub of: &'s TableParts<'a>,
    pub group: &'s Group<'a>,
    /// Its rows as written, each as an index into the group's rows.
    pub rows: Vec<(u32, RowCopy)>,
    /// The clean cells of each part, by row of the group.
    pub columns: &'s [SharedColumn],
}

impl<'s, 'a> Page<'s, 'a> {
    /// Returns the clean cells of a part, by row of the group.
    pub fn cells(&self, part: usize) -> Option<&'s Column> {
        self.columns.get(part).map(|column| &**column)
    }

    /// Returns the clean value of a part in a row.
    pub fn clean_value(&self, row: usize, part: usize) -> Val<'s> {
        match (self.rows.get(row), self.cells(part)) {
            (Some((at, _)), Some(cells)) => cells.get(*at as usize),
            _ => Val::NULL,
        }
    }

    /// Checks whether the value read for a part in a row is its clean value.
    pub fn is_read_as(&self, (row, part): (usize, usize), folds: Folds, read: &Val<'_>) -> bool {
        match (self.rows.get(row), self.cells(part)) {
            (Some((at, _)), Some(cells)) => cells.is_read_as(*at as usize, folds, read),
            _ => read.is_null(),
        }
    }

    /// Returns the number in the relation of a row.
    pub fn row_number(&self, row: usize) -> u32 {
        let number = self.rows.get(row).and_then(|(at, _)| self.group.rows.get(*at as usize));
        number.copied().unwrap_or_default()
    }
}
