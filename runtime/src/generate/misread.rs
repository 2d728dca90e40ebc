//! Relations as read by an agent that ignores one kind of dirt.

use std::collections::HashSet;
use std::rc::Rc;

use model::reads::Reads;
use model::suite::{ColumnId, FARTHEST, File, FileId, Relation, RelationId, Rows, Style, Styled, Task};
use model::text_style::TextStyle;
use model::{Value, ValueType};

use super::cell::InstanceDraft;
use super::column::{Column, SharedColumn};
use super::context::Eval;
use super::derived_rows::{self, Roots};
use super::dirt::{ColumnDirt, Repeats, RowCopy};
use super::failures::{Res, fail_computation};
use super::readback::find_source_column;
use super::table::Table;
use super::table_file::TableFile;

/// Number of rows that are searched first if one dirty row is enough.
const FEW: usize = 4096;

/// The kinds of dirt in the cells of a column, whose words are part of trap names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text(TextStyle),
    Written,
    Missing,
}

/// A mistake in reading files: the rows of a relation as a reader who makes it sees them.
#[derive(Clone)]
pub(crate) struct Misreading {
    /// Name of the mistake.
    pub name: String,
    /// The misread relation.
    pub relation: RelationId,
    /// The only column whose cells are misread; `None` if rows are.
    pub column: Option<ColumnId>,
    /// Its rows as misread; `None` if the mistake cannot change any requested value.
    pub table: Option<Rc<Table>>,
}

/// The mistakes that files can cause, by the treatment of dirt that is not cleaned.
#[derive(Default)]
pub(crate) struct Misread {
    /// The dirt stays in the data; traps are computed from these.
    pub kept: Vec<Misreading>,
    /// The rows with the dirt are lost, for example in a join or a failed conversion.
    pub dropped: Vec<Misreading>,
}

/// Collects the mistakes that any file of the task can cause in the data that is read, one kind of dirt at a time, in the order of files and columns.
/// Kinds of dirt without a dirty cell or row are omitted. [`Misread::dropped`] is filled in only with `drops`.
pub(crate) fn collect_misreadings<'a>(cell: &'a InstanceDraft<'a>, reads: &Reads, drops: bool) -> Res<Misread> {
    let mut found = Found { cell, reads, drops, all: Misread::default() };
    for id in cell.task.files.keys() {
        if let Some(of) = TableFile::from_file(cell, id)? {
            found.add_file(of)?;
        }
    }
    Ok(found.all)
}

/// The mistakes found until now.
struct Found<'a, 'r> {
    cell: &'a InstanceDraft<'a>,
    /// The columns and relations that the computations read.
    reads: &'r Reads,
    /// Whether the relations without dirty rows are needed.
    drops: bool,
    all: Misread,
}

/// A relation that is misread: that of a file, or the source from which its rows are taken.
#[derive(Clone, Copy)]
struct Taken<'a> {
    id: RelationId,
    table: &'a Table,
    is_source: bool,
}

impl Taken<'_> {
    /// Returns its column that has the cells of a column of the file.
    fn find_column(self, of: TableFile<'_>, column: ColumnId) -> Option<ColumnId> {
        if self.is_source { find_source_column(of.relation, column) } else { Some(column) }
    }

    /// Returns its row that is a row of the file.
    fn find_row(self, of: TableFile<'_>, row: usize) -> Option<usize> {
        if self.is_source { of.table.origins.get(row).map(|row| *row as usize) } else { Some(row) }
    }
}

impl<'a> Found<'a, '_> {
    /// Adds the mistakes that a file can cause: in the relation from which its rows are taken, and in its own relation.
    fn add_file(&mut self, of: TableFile<'a>) -> Res<()> {
        let mut tables = Vec::new();
        if let Some(id) = find_source_relation(of.relation) {
            tables.push(Taken { id, table: Eval::new(self.cell).find_table(id)?, is_source: true });
        }
        tables.extend(of.file.content.relations().first().map(|id| Taken {
            id: *id,
            table: of.table,
            is_source: false,
        }));
        tables.retain(|taken| self.reads.has_relation(taken.id));
        if !tables.is_empty() && (!of.form.styled.is_empty() || of.form.repeat.is_some()) {
            let roots = derived_rows::resolve_roots(self.cell, of.relation, of.table)?;
            let repeats = |share| Repeats::new(self.cell, &of.file.name, share, roots.all);
            let repeats = of.form.repeat.as_ref().map(repeats).transpose()?;
            let copied = repeats.as_ref().map(|repeats| mark_copied_first(of, &roots, repeats)).transpose()?;
            for styled in &of.form.styled {
                self.add_column(of, (&roots, copied.as_deref()), styled, &tables)?;
            }
            if let Some(repeats) = &repeats {
                self.add_repeats(of, (&roots, repeats), &tables)?;
            }
        }
        // A file that is mistaken for another one loses no rows.
        let taken = collect_lookalikes(of, self.cell, self.reads)?;
        if self.drops {
            self.all.dropped.extend(taken.iter().cloned());
        }
        self.all.kept.extend(taken);
        Ok(())
    }

    /// Adds the mistakes that a column can cause.
    fn add_column(
        &mut self,
        of: TableFile<'a>,
        (roots, copied): (&Roots, Option<&[bool]>),
        styled: &'a Styled,
        tables: &[Taken<'a>],
    ) -> Res<()> {
        let id = styled.column;
        let (Some(column), Some(cells)) = (of.relation.columns.get(id), of.table.columns.get(id)) else {
            return Ok(());
        };
        let tables = tables.iter().filter_map(|taken| Some((*taken, taken.find_column(of, id)?)));
        let tables: Vec<(Taken<'a>, ColumnId)> = tables.collect();
        if tables.is_empty() {
            return Ok(());
        }
        // Rows that are lost change a query that does not name the column, too; other cells do not.
        let is_read = |table: RelationId, column: ColumnId| self.reads.has_column(table, column);
        let is_named = |table: RelationId, column: ColumnId| self.reads.can_change(self.cell.task, table, column);
        let is_needed = |(taken, column): &(Taken<'a>, ColumnId)| {
            if self.drops { is_read(taken.id, *column) } else { is_named(taken.id, *column) }
        };
        for (kind, word) in list_dirt_kinds(&styled.styles, column.cells.value_type) {
            // The same draws as for the file, limited to this number of rows at the root; later rows are clean.
            let dirty = |rows: usize, most: usize| -> Res<Vec<(usize, Value)>> {
                let dirt = |which| {
                    let styles = styled.styles.iter().filter(|style| kind.is_of(style));
                    ColumnDirt::new(self.cell, (&of.file.name, column, which), styles, rows)
                };
                let (of_row, of_copy) = (dirt(RowCopy::First)?, copied.map(|_| dirt(RowCopy::Again)).transpose()?);
                let dirty = roots.rows.iter().enumerate().filter_map(|(row, root)| {
                    let is_copy = copied.is_some_and(|copied| copied.get(row) == Some(&true));
                    let dirt = of_copy.as_ref().filter(|_| is_copy).unwrap_or(&of_row);
                    let read = as_read(kind, cells, row, (dirt, *root), column.cells.value_type);
                    read.transpose().map(|read| Ok((row, read?)))
                });
                dirty.take(most).collect()
            };
            // If no value is computed from the column, one dirty cell is enough, and it is usually among the first.
            let dirty = match tables.iter().any(is_needed) {
                true => dirty(roots.all, usize::MAX)?,
                false => match dirty(roots.all.min(FEW), 1)? {
                    none if none.is_empty() => dirty(roots.all, 1)?,
                    one => one,
                },
            };
            if dirty.is_empty() {
                continue;
            }
            for (taken, id) in &tables {
                let cells: Vec<(usize, &Value)> =
                    dirty.iter().filter_map(|(row, value)| Some((taken.find_row(of, *row)?, value))).collect();
                let name = format!("{}.{}.{word}", of.file.name, column.name);
                if self.drops {
                    let table = is_read(taken.id, *id)
                        .then(|| Rc::new(self.without_rows(*taken, cells.iter().map(|(row, _)| *row))));
                    self.all.dropped.push(Misreading { name: name.clone(), relation: taken.id, column: None, table });
                }
                let is_named = is_named(taken.id, *id);
                let table = is_named.then(|| replace_cells(taken.table, *id, cells).map(Rc::new)).transpose()?;
                self.all.kept.push(Misreading { name, relation: taken.id, column: Some(*id), table });
            }
        }
        Ok(())
    }

    /// Adds the mistake of keeping duplicate rows.
    fn add_repeats(
        &mut self,
        of: TableFile<'a>,
        (roots, repeats): (&Roots, &Repeats),
        tables: &[Taken<'a>],
    ) -> Res<()> {
        let again: Vec<usize> = (0..roots.rows.len())
            .filter(|row| roots.rows.get(*row).is_some_and(|root| repeats.is_repeated(*root)))
            .collect();
        if again.is_empty() {
            return Ok(());
        }
        for taken in tables {
            let copies = again.iter().filter_map(|row| taken.find_row(of, *row));
            let misread = |table: Table| Misreading {
                name: format!("{}.repeat", of.file.name),
                relation: taken.id,
                column: None,
                table: Some(Rc::new(table)),
            };
            if self.drops {
                self.all.dropped.push(misread(self.without_rows(*taken, copies.clone())));
            }
            let mut rows: Vec<u32> = Vec::new();
            if taken.is_source {
                rows.extend((0..taken.table.rows as u32).chain(copies.map(|row| row as u32)));
                rows.sort();
            } else {
                for file in of.list_file_rows()?.iter() {
                    rows.extend(repeats.expand_rows(file, &roots.rows).into_iter().map(|(row, _)| row));
                }
            }
            self.all.kept.push(misread(self.gather_rows(taken.id, taken.table, &rows)));
        }
        Ok(())
    }

    /// Returns a table without some of its rows.
    fn without_rows(&self, Taken { id, table, .. }: Taken<'_>, rows: impl IntoIterator<Item = usize>) -> Table {
        let left_out: HashSet<usize> = rows.into_iter().collect();
        let kept: Vec<u32> = (0..table.rows as u32).filter(|row| !left_out.contains(&(*row as usize))).collect();
        self.gather_rows(id, table, &kept)
    }

    /// Returns these rows of a table, in this order. Columns that are never read are empty.
    fn gather_rows(&self, id: RelationId, table: &Table, rows: &[u32]) -> Table {
        let columns = table.columns.iter_enumerated().map(|(column, cells)| {
            SharedColumn::from(if self.reads.has_column(id, column) {
                cells.gather_rows(rows)
            } else {
                cells.to_empty()
            })
        });
        let origins = rows.iter().filter_map(|row| table.origins.get(*row as usize).copied()).collect();
        Table { origins, ..Table::new(rows.len(), columns.collect()) }
    }
}

/// Marks each row that is duplicated with its copy first. An agent that drops the second of two equal rows has read that copy.
fn mark_copied_first(of: TableFile<'_>, roots: &Roots, repeats: &Repeats) -> Res<Vec<bool>> {
    let (mut seen, mut copied) = (vec![false; roots.rows.len()], vec![false; roots.rows.len()]);
    for rows in of.list_file_rows()?.iter() {
        for (row, which) in repeats.expand_rows(rows, &roots.rows) {
            let (Some(seen), Some(copied)) = (seen.get_mut(row as usize), copied.get_mut(row as usize)) else {
                continue;
            };
            *copied |= !*seen && which == RowCopy::Again;
            *seen = true;
        }
    }
    Ok(copied)
}

/// Collects the mistakes that a file written like another one can cause: its rows are added to those of the other one.
fn collect_lookalikes<'a>(of: TableFile<'a>, cell: &'a InstanceDraft<'a>, reads: &Reads) -> Res<Vec<Misreading>> {
    let (Some(like), Rows::Taken { from, .. }) = (find_first_like(cell.task, of.file), &of.relation.rows) else {
        return Ok(Vec::new());
    };
    let Some(other) = TableFile::from_file(cell, like)? else { return Ok(Vec::new()) };
    let (Some(own), Some(others)) = (cell.task.relations.get(*from), find_source_relation(other.relation)) else {
        return Ok(Vec::new());
    };
    if of.table.rows == 0 {
        return Ok(Vec::new());
    }
    let rows = of.table.origins.as_slice();
    let mut found = Vec::new();
    // Rows of the same table would add nothing new.
    if let Some(relation) = cell.task.relations.get(others).filter(|_| others != *from && reads.has_relation(others)) {
        let (above, below) = (Eval::new(cell).find_table(others)?, Eval::new(cell).find_table(*from)?);
        let table = Some(Rc::new(append_rows((relation, above), (own, below), rows)));
        found.push(Misreading { name: of.file.name.clone(), relation: others, column: None, table });
    }
    if let Some(id) = other.file.content.relations().first().copied().filter(|id| reads.has_relation(*id)) {
        let rows: Vec<u32> = (0..of.table.rows as u32).collect();
        let table = Some(Rc::new(append_rows((other.relation, other.table), (of.relation, of.table), &rows)));
        found.push(Misreading { name: of.file.name.clone(), relation: id, column: None, table });
    }
    Ok(found)
}

/// Returns the last file in the chain of files that are each written like the next one.
fn find_first_like(task: &Task, file: &File) -> Option<FileId> {
    let next = |file: &FileId| task.files.get(*file).and_then(|file| file.like);
    std::iter::successors(file.like, next).take(FARTHEST).last()
}

/// Returns the relation from which the rows of a file's relation are taken.
fn find_source_relation(relation: &Relation) -> Option<RelationId> {
    match &relation.rows {
        Rows::Taken { from, .. } => Some(*from),
        _ => None,
    }
}

/// Appends rows of another table: columns are matched by name, and those that the other table lacks get nulls.
fn append_rows((relation, table): (&Relation, &Table), (other, below): (&Relation, &Table), rows: &[u32]) -> Table {
    let columns = relation.columns.iter_enumerated().map(|(id, column)| {
        let mut made = Column::new(column.cells.value_type, table.rows + rows.len());
        if let Some(cells) = table.columns.get(id) {
            (0..table.rows).for_each(|row| made.push_value(cells.get(row)));
        }
        let same = other.columns.position(|own| own.name == column.name && own.is_taken() == column.is_taken());
        match same.and_then(|same| below.columns.get(same)) {
            Some(cells) => rows.iter().for_each(|row| made.push_value(cells.get(*row as usize))),
            None => rows.iter().for_each(|_| made.push_null()),
        }
        SharedColumn::from(made)
    });
    Table::new(table.rows + rows.len(), columns.collect())
}

/// Lists the kinds of dirt in a column that cause a mistake if they are not cleaned. Patterns of numbers and dates are excluded, because such cells
/// cannot be read at all.
fn list_dirt_kinds(styles: &[Style], value_type: ValueType) -> Vec<(Kind, &'static str)> {
    let mut kinds: Vec<(Kind, &'static str)> = Vec::new();
    for style in styles {
        let kind = match style {
            Style::Text(style, _) => (Kind::Text(*style), style.word()),
            Style::Written { .. } if value_type == ValueType::Text => (Kind::Written, "written"),
            Style::Missing(_) if value_type.is_number() || value_type == ValueType::Text => (Kind::Missing, "missing"),
            Style::Written { .. } | Style::Missing(_) => continue,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

impl Kind {
    /// Checks whether a style produces this kind of dirt.
    fn is_of(self, style: &Style) -> bool {
        match style {
            Style::Text(style, _) => self == Kind::Text(*style),
            Style::Written { .. } => self == Kind::Written,
            Style::Missing(_) => self == Kind::Missing,
        }
    }
}

/// Returns the cell as read if only this kind of dirt exists and is not cleaned; `None` if that is the clean cell.
fn as_read(
    kind: Kind,
    cells: &Column,
    row: usize,
    (dirt, root): (&ColumnDirt<'_>, u32),
    value_type: ValueType,
) -> Res<Option<Value>> {
    if cells.is_null(row) {
        let mark = if kind == Kind::Missing { dirt.choose_null_mark(root) } else { None };
        return Ok(mark.map(|mark| if value_type.is_number() { Value::Int(0) } else { Value::from_text(mark) }));
    }
    let style = dirt.choose_value_style(root);
    if style.is_plain() {
        return Ok(None);
    }
    let value = cells.get(row);
    let Ok(cell) = style.render_cell(&value) else { return fail_computation("a cell cannot be written") };
    Ok(cell.filter(|cell| value.as_text() != Some(cell)).map(|cell| Value::Text(cell.into_owned())))
}

/// Returns a table in which some cells of a column are replaced.
fn replace_cells(table: &Table, id: ColumnId, mut cells: Vec<(usize, &Value)>) -> Res<Table> {
    let Some(column) = table.columns.get(id) else { return fail_computation("a column is not made") };
    cells.sort_by_key(|(row, _)| *row);
    let made = column.with_cells(cells.into_iter());
    let mut table = table.clone();
    table.put_column(id, made.into());
    Ok(table)
}
