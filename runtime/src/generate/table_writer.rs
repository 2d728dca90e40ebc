//! Writes files of rows independently of the cell, so threads can write several at once. The rows of one file are first copied to adjacent memory, in
//! the order of the file.

use std::sync::atomic::{AtomicUsize, Ordering};

use model::suite::Rows;
use model::{Val, ValueType};
use tables::write::{CellKind, Refusal, Writer};

use super::column::{Column, SharedColumn};
use super::context::Eval;
use super::derived_rows::{self, Roots};
use super::dirt::{ColumnDirt, Dirt, Repeats, RowCopy};
use super::failures::{OrSpan, Res, fail_computation};
use super::page::{Page, TableParts};
use super::path_columns::check_path_columns;
use super::paths::ensure_safe;
use super::readback;
use super::rendered::{Content, Rendered};
use super::size::{MAX_BYTES, check_size};
use super::table_file::{Group, Part, TableFile, encode_text};
use model::threads::try_map_on_threads;

/// Renders the file, or all files of a group.
pub(crate) fn render_files(of: TableFile<'_>) -> Res<Rendered> {
    let TableFile { file, form, relation, table, .. } = of;
    let told_apart = || readback::check_distinguishable((file, form, relation), table);
    // With several threads, another one checks the values while the files are written. Its failure is reported first.
    std::thread::scope(|scope| {
        let many = of.cell.threads > 1 && !form.styled.is_empty();
        let other = many.then(|| std::thread::Builder::new().spawn_scoped(scope, told_apart).ok()).flatten();
        let Some(other) = other else {
            told_apart()?;
            return write_unchecked(of);
        };
        let written = write_unchecked(of);
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        written
    })
}

/// Does the same, without checking the values.
fn write_unchecked(of: TableFile<'_>) -> Res<Rendered> {
    let (groups, writer) = prepare_files(of)?;
    if !of.file.split {
        let Some(group) = groups.into_iter().next() else { return fail_computation("a file has no rows") };
        let content = writer.write_single_file(&group)?;
        return Ok(Rendered { path: group.path, content, source: None, rows: Vec::new() });
    }
    let written = writer.write_files(&groups, of.cell.threads)?;
    let path = groups.first().map_or_else(String::new, |group| group.path.clone());
    let (paths, rows): (Vec<_>, Vec<_>) = groups.into_iter().map(|group| (group.path, group.rows)).unzip();
    let content = Content::Files(paths.into_iter().zip(written).collect());
    Ok(Rendered { path, content, source: None, rows })
}

/// Returns its files and the writer for them.
fn prepare_files(of: TableFile<'_>) -> Res<(Vec<Group<'_>>, TableWriter<'_>)> {
    let dirty = Dirty::new(of)?;
    let path = match of.file.split {
        true => String::new(),
        false => {
            let path = Eval::new(of.cell).evaluate_text(&of.file.path).and_then(|path| ensure_safe(&path));
            path.or_span(of.file.span)?
        }
    };
    let groups = of.list_groups(&path)?;
    if of.file.split {
        check_path_columns(of, &groups)?;
    }
    let writer = TableWriter::new(of, &groups, dirty)?;
    Ok((groups, writer))
}

/// The input from which the files of a declaration are written.
struct TableWriter<'a> {
    of: TableParts<'a>,
    /// The clean cells of each part, by row of the relation.
    columns: Vec<SharedColumn>,
    dirty: Dirty<'a>,
}

impl<'a> TableWriter<'a> {
    /// Creates the writer of these files, which all have the same parts.
    fn new(of: TableFile<'a>, groups: &[Group<'a>], dirty: Dirty<'a>) -> Res<TableWriter<'a>> {
        let parts = groups.first().map_or_else(Vec::new, |group| group.parts.clone());
        let columns = parts.iter().map(|part| collect_cells(of, part)).collect::<Res<_>>().or_span(of.file.span)?;
        let checked = readback::collect_readings(of, &parts)?;
        let TableFile { file, form, relation, .. } = of;
        Ok(TableWriter { of: TableParts { file, form, relation, parts, checked }, columns, dirty })
    }

    /// Writes the files on this number of threads; returns the bytes of all, or the first failure in the order of files.
    fn write_files(&self, groups: &[Group<'a>], threads: usize) -> Res<Vec<Vec<u8>>> {
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
    fn write_single_file(&self, group: &Group<'a>) -> Res<Content> {
        self.write_group(group, &self.columns)
    }

    /// Writes a file from the clean cells of each part.
    fn write_group(&self, group: &Group<'a>, columns: &[SharedColumn]) -> Res<Content> {
        let page = Page { of: &self.of, group, rows: self.dirty.expand_places(&group.rows), columns };
        let text = self.render_page(&page).or_span(self.of.file.span)?;
        let content = encode_text(group.dress.encoding, text)?;
        if self.of.form.is_read_back() || matches!(self.of.relation.rows, Rows::Taken { .. }) {
            let bytes = match &content {
                Content::Encoded { bytes, .. } => bytes.as_slice(),
                Content::Text(text) => text.as_bytes(),
                _ => &[],
            };
            readback::check_readback(&page, bytes)?;
        }
        Ok(content)
    }

    fn render_page(&self, page: &Page<'_, 'a>) -> Res<String> {
        let refused = |why| readback::build_write_failure(page, &why);
        let mut writer = Writer::new(&page.group.dress).map_err(refused)?;
        let parts = page.of.parts.len();
        writer.reserve((page.rows.len() + 1).saturating_mul(parts).saturating_mul(12).min(MAX_BYTES));
        let written: Vec<Cells<'_>> = (0..parts).filter_map(|part| self.find_part_cells(page, part)).collect();
        for (row, (at, which)) in page.rows.iter().enumerate() {
            let root = self.dirty.roots.rows.get(page.row_number(row) as usize).copied().unwrap_or_default();
            for (part, cells) in written.iter().enumerate() {
                let dirt = if *which == RowCopy::Again { cells.again } else { cells.dirt };
                let done = write_cell(cells.column, *at as usize, dirt.map(|dirt| (dirt, root)), &mut writer);
                done.map_err(|why| readback::build_cell_failure(page, (row, Some(part)), &why))?;
            }
            writer.end_row().map_err(refused)?;
            check_size(writer.len())?;
        }
        writer.finish_text().map_err(refused)
    }

    /// Returns the cells of a part with their dirt.
    fn find_part_cells<'p>(&'p self, page: &'p Page<'_, 'a>, part: usize) -> Option<Cells<'p>> {
        let Dirty { dirt, repeats, .. } = &self.dirty;
        let of = |dirt: &'p Dirt<'a>| match page.of.parts.get(part)? {
            Part::Column(id) => dirt.find_column(*id),
            Part::Computed(_) => None,
        };
        let again = repeats.as_ref().and_then(|(_, again)| of(again));
        Some(Cells { column: page.cells(part)?, dirt: of(dirt), again })
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
struct Dirty<'a> {
    roots: Roots,
    dirt: Dirt<'a>,
    repeats: Option<(Repeats, Dirt<'a>)>,
}

impl<'a> Dirty<'a> {
    fn new(of: TableFile<'a>) -> Res<Dirty<'a>> {
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
            Some(mark) => writer.write_cell(CellKind::Text, |out| out.push_str(mark)),
            None => writer.write_null(),
        }
        return Ok(());
    }
    let style = dirt.map(|(dirt, root)| dirt.choose_value_style(root)).filter(|style| !style.is_plain());
    let Some(style) = style else {
        writer.write_cell(column.cell_kind(at), |out| column.render_into(at, out));
        return Ok(());
    };
    let mut done = Ok(());
    writer.write_cell(CellKind::Text, |out| done = style.write_value(&column.get(at), out));
    done
}
