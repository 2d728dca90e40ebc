//! Shows the parts of an instance: values of names, first rows of relations, and the values of any expressions.

use std::rc::Rc;

use model::schema_description::Omissions;
use model::suite::{ColumnId, Expr, FileId, NameId, RelationId};
use model::{Span, TiVec, Value};

use super::cell::InstanceDraft;
use super::column::SharedColumn;
use super::context::Eval;
use super::derived_rows;
use super::dirt::{Dirt, RowCopy};
use super::making::Making;
use super::readback;
use super::rendered::{Content, Rendered};
use super::table::Table;
use super::table_file::TableFile;
use super::{Address, Generator};
use crate::Failure;

/// Number of lines shown of a file.
const LINES: usize = 6;
/// Number of rows searched for cells that are not written like their values.
const SEARCHED: usize = 200;

/// The visible parts of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// The task's names in source order; names of variants are null.
    pub names: TiVec<NameId, Value>,
    /// The task's relations in source order.
    pub relations: TiVec<RelationId, LookedAt>,
    /// The paths of the task's files in source order; for many files, the path of the first.
    pub paths: TiVec<FileId, String>,
    /// The first lines of the task's text files in source order, as written, including tables that are text; for many files, those of the first one,
    /// decoded as UTF-8.
    pub heads: TiVec<FileId, String>,
    /// The written cells of columns that have styles.
    pub cells: Vec<WrittenCells>,
    /// The values of the requested expressions; `None` if an evaluation failed.
    pub values: Vec<Option<Value>>,
    /// The descriptions of databases made for the instance.
    pub described: Vec<DescribedAt>,
}

/// A description of a database, and its call.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedAt {
    /// The place of the call in the source.
    pub span: Span,
    /// Maximum number of tokens.
    pub budget: i64,
    /// Actual number of tokens.
    pub tokens: usize,
    /// The parts left out.
    pub lost: Omissions,
}

/// Cells of a column of a file: their values and their written forms.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenCells {
    /// The file.
    pub file: FileId,
    /// The column of its relation.
    pub column: ColumnId,
    /// Each value with the content of its cell; cells that differ from their value come first.
    pub cells: Vec<(Value, String)>,
}

/// A relation of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookedAt {
    /// Number of rows.
    pub rows: usize,
    /// The first values of each column, including helpers.
    pub columns: TiVec<ColumnId, Vec<Value>>,
}

/// Returns the first rows of a table.
fn inspect_table(table: &Table, rows: usize) -> LookedAt {
    let cells = |column: &SharedColumn| (0..column.len().min(rows)).map(|row| column.get(row).into_value()).collect();
    LookedAt { rows: table.rows, columns: table.columns.iter().map(cells).collect() }
}

impl Generator<'_> {
    /// Returns the rows of a file of an instance (or of all files of a file group), read from the bytes by the reader for the form in which they are
    /// written. The columns are those of the file's relation; columns that are not in the file are empty.
    pub fn read_back_file(&self, address: Address, file: FileId) -> Result<LookedAt, Failure> {
        let (cell, _) = self.make_cell(address)?;
        readback::read_back_rows(&cell, file).map(|table| inspect_table(&table, usize::MAX)).map_err(|failure| *failure)
    }

    /// Makes the complete cell of an instance, with the number of its attempt.
    pub(super) fn make_cell(&self, address: Address) -> Result<(InstanceDraft<'_>, u32), Failure> {
        let ready = self.find_task(address)?;
        let made =
            ready.make_accepted_cell(&self.samplers, &self.options.sandbox_root, address, Making::ALONE, |_, _| ());
        made.map_err(|failure| *failure)
    }

    /// Returns the parts of an instance: at most `rows` rows of every relation, and the values of `wanted`, computed as in a prompt.
    pub fn inspect_instance(&self, address: Address, rows: usize, wanted: &[Expr]) -> Result<Look, Failure> {
        let (cell, _) = self.make_cell(address)?;
        let relation = |table: &Option<Rc<Table>>| table.as_ref().map(|table| inspect_table(table, rows));
        let eval = Eval { prompt: true, ..Eval::new(&cell) };
        let values = wanted.iter().map(|expr| eval.evaluate(expr).ok().map(|value| value.into_value())).collect();
        let described = cell.described.borrow();
        let made = described.iter().map(|made| DescribedAt {
            span: made.span,
            budget: made.budget,
            tokens: made.description.tokens,
            lost: made.description.lost,
        });
        Ok(Look {
            relations: cell.tables.iter().map(|table| relation(table).unwrap_or_default()).collect(),
            paths: cell
                .files
                .iter()
                .map(|file| file.as_ref().map_or_else(String::new, |file| file.path.clone()))
                .collect(),
            heads: cell.files.iter().map(|file| file.as_deref().map(read_head).unwrap_or_default()).collect(),
            cells: collect_written_cells(&cell, rows),
            values,
            described: made.collect(),
            names: cell.names.clone(),
        })
    }
}

/// Returns the first lines of a file.
fn read_head(file: &Rendered) -> String {
    let first = |text: &str| text.lines().take(LINES).collect::<Vec<_>>().join("\n");
    match &file.content {
        Content::Text(text) | Content::Encoded { text, .. } => first(text),
        Content::Files(files) => {
            files.first().map(|(_, bytes)| first(&String::from_utf8_lossy(bytes))).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Returns at most `most` cells of each column that has styles.
fn collect_written_cells(cell: &InstanceDraft<'_>, most: usize) -> Vec<WrittenCells> {
    let mut found = Vec::new();
    for file in cell.task.files.keys() {
        let Ok(Some(rowed)) = TableFile::from_file(cell, file) else { continue };
        let Ok(roots) = derived_rows::resolve_roots(cell, rowed.relation, rowed.table) else { continue };
        let dirt = Dirt::new(cell, &rowed.file.name, rowed.form, rowed.relation, RowCopy::First, roots.all);
        let Ok(dirt) = dirt else { continue };
        for styled in &rowed.form.styled {
            let (Some(dirt), Some(column)) = (dirt.find_column(styled.column), rowed.table.columns.get(styled.column))
            else {
                continue;
            };
            let (mut other, mut same) = (Vec::new(), Vec::new());
            for row in 0..column.len().min(SEARCHED) {
                let value = column.get(row);
                let style = dirt.choose_style(roots.rows.get(row).copied().unwrap_or_default());
                let Ok(cell) = style.render_cell(&value) else { continue };
                let cell = cell.map(std::borrow::Cow::into_owned).unwrap_or_default();
                let mut plain = String::new();
                value.render_into(&mut plain);
                let pair = (value.into_value(), cell);
                if pair.1 == plain { same.push(pair) } else { other.push(pair) }
            }
            other.extend(same);
            other.truncate(most);
            found.push(WrittenCells { file, column: styled.column, cells: other });
        }
    }
    found
}
