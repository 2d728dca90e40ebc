//! What an instance is made of, for those who want to look inside: values of names, first rows of relations, expressions computed at will.

use plan::suite::{ColumnId, Expr, FileId, NameId, RelationId};
use plan::{TiVec, Value};

use super::back;
use super::cell::{Cell, Table};
use super::column::Made;
use super::eval::Eval;
use super::{Address, Generator};
use crate::Failure;
use crate::failure::FailureKind;

/// The values of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// The task's names in source order, those of variants null.
    pub names: TiVec<NameId, Value>,
    /// The task's relations in source order.
    pub relations: TiVec<RelationId, LookedAt>,
    /// The paths of the task's files in source order: where one is many, that of the first of them.
    pub paths: TiVec<FileId, String>,
    /// The values of the expressions asked for; `None` where there is none.
    pub values: Vec<Option<Value>>,
}

/// A relation of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookedAt {
    /// How many rows it has.
    pub rows: usize,
    /// By column, helpers included: its first values.
    pub columns: TiVec<ColumnId, Vec<Value>>,
}

/// The first rows of a table.
fn looked(table: &Table, rows: usize) -> LookedAt {
    let cells = |column: &Made| (0..column.len().min(rows)).map(|row| column.get(row).into_value()).collect();
    LookedAt { rows: table.rows, columns: table.columns.iter().map(cells).collect() }
}

impl Generator<'_> {
    /// The rows of a file of an instance, or of all its files, read from their bytes by the reader that follows from how they are written. By column of the
    /// file's relation: those that are not in the file are empty.
    pub fn reread(&self, address: Address, file: FileId) -> Result<LookedAt, Failure> {
        let (cell, _) = self.cell(address)?;
        back::reread(&cell, file).map(|table| looked(&table, usize::MAX)).map_err(|failure| *failure)
    }

    /// The cell of an instance, all made.
    fn cell(&self, address: Address) -> Result<(Cell<'_>, u32), Failure> {
        let at = self.tasks.binary_search_by_key(&address.task, |task| task.index).ok();
        let Some(ready) = at.and_then(|at| self.tasks.get(at)) else {
            let message = format!("task {} does not exist in this build", address.task);
            return Err(Failure::new(FailureKind::Usage, message));
        };
        let made = ready.accepted(&self.samplers, &self.options.sandbox_root, address, |_, _| ());
        made.map_err(|failure| *failure)
    }

    /// Looks into an instance: at most `rows` rows of every relation, and the values of `wanted`, computed as in a prompt.
    pub fn look(&self, address: Address, rows: usize, wanted: &[Expr]) -> Result<Look, Failure> {
        let (cell, _) = self.cell(address)?;
        let relations = cell.tables.iter();
        let relations = relations.map(|table| table.as_ref().map_or_else(LookedAt::default, |table| looked(table, rows)));
        let relations = relations.collect();
        let eval = Eval { prompt: true, ..Eval::new(&cell) };
        let values = wanted.iter().map(|expr| eval.eval(expr).ok().map(|value| value.into_value())).collect();
        Ok(Look {
            relations,
            paths: cell
                .files
                .iter()
                .map(|file| file.as_ref().map(|file| file.path.clone()).unwrap_or_default())
                .collect(),
            values,
            names: cell.names.clone(),
        })
    }
}
