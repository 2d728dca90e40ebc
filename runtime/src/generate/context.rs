//! The context in which an expression is evaluated: a cell with its names, tables, and files, and the current row.

use model::suite::{FileId, RelationId};

use super::cell::InstanceDraft;
use super::failures::{Res, fail_computation};
use super::rendered::Rendered;
use super::table::{self, Table};

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct RowAt<'a> {
    /// The table, which may be incomplete.
    pub table: &'a Table,
    /// Index of the row, from 0.
    pub row: usize,
}

/// The context in which an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    /// Names, tables, and files.
    pub cell: &'a InstanceDraft<'a>,
    /// The current row.
    pub row: Option<RowAt<'a>>,
    /// The row for which a filter checks candidates.
    pub outer: Option<RowAt<'a>>,
    /// Whether this is a prompt, in which paths are those that the agent uses; elsewhere they are relative to the sandbox.
    pub prompt: bool,
}

impl<'a> Eval<'a> {
    /// Creates the context outside of rows and prompts.
    pub fn new(cell: &'a InstanceDraft<'a>) -> Eval<'a> {
        Eval { cell, row: None, outer: None, prompt: false }
    }

    /// Returns the context for a row.
    pub fn with_row(self, table: &'a Table, row: usize) -> Eval<'a> {
        Eval { row: Some(RowAt { table, row }), ..self }
    }

    /// Returns the context for a candidate row of a filter; the previous row becomes the outer one.
    pub fn with_candidate(self, table: &'a Table, row: usize) -> Eval<'a> {
        Eval { row: Some(RowAt { table, row }), outer: self.row, ..self }
    }

    /// Counts work of an expression, and fails if that is limited and nothing is left.
    #[inline]
    pub fn count_work(self, work: u64) -> Res<()> {
        match self.cell.meter {
            None => Ok(()),
            Some(meter) => meter.count_expression(work),
        }
    }

    /// Returns a relation that an earlier step made.
    pub fn find_table(self, relation: RelationId) -> Res<&'a Table> {
        table::find_table(&self.cell.tables, relation)
    }

    /// Returns a file that an earlier step made.
    pub fn find_file(self, file: FileId) -> Res<&'a Rendered> {
        match self.cell.files.get(file) {
            Some(Some(file)) => Ok(file.as_ref()),
            _ => fail_computation("a file is read before it is made"),
        }
    }
}
