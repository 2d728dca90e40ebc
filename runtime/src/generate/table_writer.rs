//! Writes files of rows independently of the cell, so threads can write several at once. The rows of one file are first copied to adjacent memory, in
//! the order of the file.

use std::sync::atomic::{AtomicUsize, Ordering};

use model::suite::{File, Form, Relation, Rows};
use model::{Val, ValueType};
use tables::write::{Checked, Folds, Refusal, Writer};

use super::cell::Content;
use super::column::{Column, SharedColumn};
use super::derived_rows::{self, Roots};
use super::dirt::{ColumnDirt, Dirt, Repeats, RowCopy};
use super::eval::{Eval, OrSpan, Res, fail_computation};
use super::readback;
use super::size::{MAX_BYTES, check_size};
use super::table_file::{Group, Part, TableFile, encode_text};
use crate::threads::try_map_on_threads;

/// The input from which the files of a declaration are written.
pub(crate) struct TableWriter<'a> {
    pub file: &'a File,
    pub form: &'a Form,
    pub relation: &'a Relation,
    /// The parts of a row.
    pub parts: Vec<Part<'a>>,
    /// The reader of each part.
    pub checked: Vec<Checked>,
    /// The clean cells of each part, by row of the relation.
    columns: Vec<SharedColumn>,
    dirty: Dirty<'a>,
}

/// One file.
pub(crate) struct Page<'s, 'a> {
    pub of: &'s TableWriter<'a>,
    pub group: &'s Group<'a>,
    /// Its rows as written, each as an index into the group's rows.
    pub rows: Vec<(u32, RowCopy)>,
    /// The clean cells of each part, by row of the group.
    columns: &'s [SharedColumn],
}

impl<'a> TableWriter<'a> {
    /// Creates the writer of these files, which all have the same parts.
    pub fn new(of: TableFile<'a>, groups: &[Group<'a>], dirty: Dirty<'a>) -> Res<TableWriter<'a>> {
        let parts = groups.first().map_or_else(Vec::new, |group| group.parts.clone());
        let columns = parts.iter().map(|part| collect_cells(of, part)).collect::<Res<_>>().or_span(of.file.span)?;
        let checked = readback::collect_readings(of, &parts)?;
        let TableFile { file, form, relation, .. } = of;
        Ok(TableWriter { file, form, relation, parts, checked, columns, dirty })
    }

    /// Writes the files on this number of threads; returns the bytes of all, or the first failure in the order of files.
    pub fn write_files(&self, groups: &[Group<'a>], threads: usize) -> Res<Vec<Vec<u8>>> {
        let bytes = AtomicUsize::new(0);
        try_map_on_threads(threads, groups.len(), |at| {
            let Some(group) = groups.get(at) else { return Ok(Vec::new()) };
            // Cells that are adjacent in the file become adjacent in memory, and the memory of one file is reused for the next.
            let columns: Vec<SharedColumn> =
                self.columns.iter().map(|column| column.gather_rows(&group.rows).into()).collect();
            let made = self.write_group(group, &columns)?.into_own_bytes()?;
            check_size(bytes.fetch_add(made.len(), Ordering::Relaxed) + made.len())?;
            Ok(made)
        })
    }

    /// Writes the single file with all rows. Fails if the rows could not be read back.
    pub fn write_single_file(&self, group: &Group<'a>) -> Res<Content> {
        self.write_group(group, &self.columns)
    }

    /// Writes a file from the clean cells of each part.
    fn write_group(&self, group: &Group<'a>, columns: &[SharedColumn]) -> Res<Content> {
        let page = Page { of: self, group, rows: self.dirty.expand_places(&group.rows), columns };
        let content = encode_text(group.dress.encoding, page.render_text().or_span(self.file.span)?)?;
        if self.form.is_read_back() || matches!(self.relation.rows, Rows::Taken { .. }) {
            let bytes = match &content {
                Content::Encoded { bytes, .. } => bytes.as_slice(),
                Content::Text(text) => text.as_bytes(),
                _ => &[],
            };
            readback::check_readback(&page, bytes)?;
        }
        Ok(content)
    }
}

/// Returns the clean cells of a part.
fn collect_cells<'a>(of: TableFile<'a>, part: &Part<'a>) -> Res<SharedColumn> {
    let expr = match part {
        Part::Column(id) => match of.table.columns.get(*id) {
            Some(column) => return Ok(SharedColumn::clone(column)),
            None => return fail_computation("a column is not made"),
        },
        Part::Computed(expr) => expr,
    };
    let mut column = Column::new(ValueType::Text, of.table.rows);
    let mut text = String::new();
    for row in 0..of.table.rows {
        text.clear();
        Eval::new(of.cell).with_row(of.table, row).render_into(expr, &mut text)?;
        column.push_value(Val::from_text(text.as_str()));
    }
    Ok(column.into())
}

/// The draws for the files: duplicate rows, and the style of each cell.
pub(crate) struct Dirty<'a> {
    roots: Roots,
    dirt: Dirt<'a>,
    repeats: Option<(Repeats, Dirt<'a>)>,
}

impl<'a> Dirty<'a> {
    pub fn new(of: TableFile<'a>) -> Res<Dirty<'a>> {
        let TableFile { cell, file, form, relation, table, .. } = of;
        let roots = derived_rows::resolve_roots(cell, relation, table)?;
        let dirt = |which| Dirt::new(cell, &file.name, form, relation, which, roots.all);
        let repeats = match &form.repeat {
            None => None,
            Some(share) => {
                let repeats = Repeats::new(cell, &file.name, share, roots.all).or_span(file.span)?;
                Some((repeats, dirt(RowCopy::Again)?))
            }
        };
        Ok(Dirty { dirt: dirt(RowCopy::First)?, repeats, roots })
    }

    /// Returns all rows of a file, each by its index among the rows without duplicates.
    fn expand_places(&self, rows: &[u32]) -> Vec<(u32, RowCopy)> {
        match &self.repeats {
            None => (0..rows.len() as u32).map(|at| (at, RowCopy::First)).collect(),
            Some((repeats, _)) => repeats.expand_places(rows, &self.roots.rows),
        }
    }
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

    fn render_text(&self) -> Res<String> {
        let refused = |why| readback::build_write_failure(self, &why);
        let mut writer = Writer::new(&self.group.dress).map_err(refused)?;
        let parts = self.of.parts.len();
        writer.reserve((self.rows.len() + 1).saturating_mul(parts).saturating_mul(12).min(MAX_BYTES));
        let written: Vec<Cells<'_>> = (0..parts).filter_map(|part| self.find_part_cells(part)).collect();
        for (row, (at, which)) in self.rows.iter().enumerate() {
            let root = self.of.dirty.roots.rows.get(self.row_number(row) as usize).copied().unwrap_or_default();
            for (part, cells) in written.iter().enumerate() {
                let dirt = if *which == RowCopy::Again { cells.again } else { cells.dirt };
                let done = write_cell(cells.column, *at as usize, dirt.map(|dirt| (dirt, root)), &mut writer);
                done.map_err(|why| readback::build_cell_failure(self, (row, Some(part)), &why))?;
            }
            writer.end_row().map_err(refused)?;
            check_size(writer.len())?;
        }
        writer.finish_text().map_err(refused)
    }

    /// Returns the cells of a part with their dirt.
    fn find_part_cells<'p>(&'p self, part: usize) -> Option<Cells<'p>> {
        let Dirty { dirt, repeats, .. } = &self.of.dirty;
        let of = |dirt: &'p Dirt<'a>| match self.of.parts.get(part)? {
            Part::Column(id) => dirt.find_column(*id),
            Part::Computed(_) => None,
        };
        let again = repeats.as_ref().and_then(|(_, again)| of(again));
        Some(Cells { column: self.cells(part)?, dirt: of(dirt), again })
    }
}

/// The cells of a part, with the dirt of the first copy and of the duplicate.
struct Cells<'p> {
    column: &'p Column,
    dirt: Option<&'p ColumnDirt<'p>>,
    again: Option<&'p ColumnDirt<'p>>,
}

/// Writes a cell with its dirt; the row at the root comes with it.
fn write_cell(
    column: &Column,
    at: usize,
    dirt: Option<(&ColumnDirt<'_>, u32)>,
    writer: &mut Writer<'_>,
) -> Result<(), Refusal> {
    if column.is_null(at) {
        match dirt.and_then(|(dirt, root)| dirt.choose_null_mark(root)).filter(|mark| !mark.is_empty()) {
            Some(mark) => writer.write_cell(false, |out| out.push_str(mark)),
            None => writer.write_null(),
        }
        return Ok(());
    }
    let style = dirt.map(|(dirt, root)| dirt.choose_value_style(root)).filter(|style| !style.is_plain());
    let Some(style) = style else {
        writer.write_cell(column.is_plain(), |out| column.render_into(at, out));
        return Ok(());
    };
    let mut done = Ok(());
    writer.write_cell(false, |out| done = style.write_value(&column.get(at), out));
    done
}
