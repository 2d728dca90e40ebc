//! The rows of a file, or of many, as they are written: those of one file after those of another. What is next to each other in a file is next to each other
//! in memory then, and nothing of the cell is needed any more, so that threads can write files at the same time.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use plan::suite::{Expr, File, Form, Relation, Rows};
use plan::{Val, ValueType};
use tabular::write::{Checked, Writer};

use super::back;
use super::cell::Content;
use super::column::{Column, Made};
use super::dirt::{ColumnDirt, Dirt, Repeats, Which};
use super::eval::{Eval, OrSpan, Res, no_result};
use super::size::{MOST_BYTES, bounded};
use super::taken;
use super::written::{Group, Part, Rowed, encoded};

/// The rows of all files.
pub(crate) struct Sheet<'a> {
    pub file: &'a File,
    pub form: &'a Form,
    pub relation: &'a Relation,
    /// What is in a row of a file.
    pub parts: Vec<Part<'a>>,
    /// How each part is read again.
    pub checked: Vec<Checked>,
    /// Which row of the relation each one is.
    pub rows: Vec<(u32, Which)>,
    /// Which row it is at the root.
    roots: Vec<u32>,
    /// The clean cells of each part.
    columns: Vec<Made>,
    /// How each part is written, the first time and again.
    dirt: Dirt<'a>,
    again: Option<Dirt<'a>>,
}

/// The rows of one file.
pub(crate) struct Page<'s, 'a> {
    pub of: &'s Sheet<'a>,
    pub group: &'s Group<'a>,
    /// Where they are among all.
    range: Range<usize>,
}

impl<'a> Sheet<'a> {
    /// Of these files.
    pub fn new(of: Rowed<'a>, groups: &[Group<'a>], dirty: Dirty<'a>) -> Res<(Sheet<'a>, Vec<Range<usize>>)> {
        let Dirty { roots, dirt, repeats } = dirty;
        let mut rows: Vec<(u32, Which)> = Vec::with_capacity(of.table.rows);
        let mut ranges = Vec::with_capacity(groups.len());
        for group in groups {
            let start = rows.len();
            match &repeats {
                None => rows.extend(group.rows.iter().map(|row| (*row, Which::First))),
                Some((repeats, _)) => rows.append(&mut repeats.among(&group.rows, &roots.rows)),
            }
            ranges.push(start..rows.len());
        }
        let parts = groups.first().map_or_else(Vec::new, |group| group.parts.clone());
        let numbers: Vec<u32> = rows.iter().map(|(row, _)| *row).collect();
        let columns = parts.iter().map(|part| cells(of, part, &numbers)).collect::<Res<_>>().or_span(of.file.span)?;
        let checked = back::readings(of, &parts)?;
        let roots = numbers.iter().map(|row| roots.rows.get(*row as usize).copied().unwrap_or_default()).collect();
        let again = repeats.map(|(_, again)| again);
        let Rowed { file, form, relation, .. } = of;
        Ok((Sheet { file, form, relation, parts, checked, rows, roots, columns, dirt, again }, ranges))
    }

    /// The bytes of the files, written by so many threads: all, or the first failure in the order of files.
    pub fn files(&self, groups: &[Group<'a>], ranges: &[Range<usize>], threads: usize) -> Res<Vec<Vec<u8>>> {
        let (next, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let done: Mutex<Vec<(usize, Res<Vec<u8>>)>> = Mutex::new(Vec::with_capacity(groups.len()));
        // Files are begun in their order, so those that are done are the first ones, whoever wrote them.
        let work = || {
            while bytes.load(Ordering::Relaxed) <= MOST_BYTES {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let (Some(group), Some(range)) = (groups.get(at), ranges.get(at)) else { return };
                let made = Page { of: self, group, range: range.clone() }.content().and_then(Content::into_own_bytes);
                match &made {
                    Ok(made) => bytes.fetch_add(made.len(), Ordering::Relaxed),
                    Err(_) => next.fetch_max(groups.len(), Ordering::Relaxed),
                };
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, made));
            }
        };
        std::thread::scope(|scope| {
            // This one works too, so that all gets done where no other can be started.
            let mut others = 1..threads.min(groups.len());
            while others.next().is_some() && std::thread::Builder::new().spawn_scoped(scope, work).is_ok() {}
            work();
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(at, _)| *at);
        let (mut files, mut bytes) = (Vec::with_capacity(done.len()), 0);
        for (_, made) in done {
            let made = made?;
            bytes += made.len();
            bounded(bytes)?;
            files.push(made);
        }
        Ok(files)
    }

    /// What is in the only file.
    pub fn content(&self, group: &Group<'a>) -> Res<Content> {
        Page { of: self, group, range: 0..self.rows.len() }.content()
    }
}

/// The clean cells of a part in these rows.
fn cells<'a>(of: Rowed<'a>, part: &Part<'a>, rows: &[u32]) -> Res<Made> {
    match part {
        Part::Column(id) => {
            let Some(column) = of.table.columns.get(*id) else { return no_result("a column is not made") };
            let as_they_are = rows.len() == column.len() && (0u32..).zip(rows).all(|(at, row)| at == *row);
            Ok(if as_they_are { Made::clone(column) } else { Made::from(column.gathered(rows)) })
        }
        Part::Computed(expr) => computed(of, expr, rows).map(Made::from),
    }
}

/// What is computed in the lines of a text.
fn computed<'a>(of: Rowed<'a>, expr: &'a Expr, rows: &[u32]) -> Res<Column> {
    let mut column = Column::new(ValueType::Text, rows.len());
    let mut text = String::new();
    for row in rows {
        text.clear();
        Eval::new(of.cell).at(of.table, *row as usize).render_into(expr, &mut text)?;
        column.push(Val::text(text.as_str()));
    }
    Ok(column)
}

/// What is drawn for the files: which rows are there again, and how cells are written.
pub(crate) struct Dirty<'a> {
    roots: taken::Roots,
    dirt: Dirt<'a>,
    repeats: Option<(Repeats, Dirt<'a>)>,
}

impl<'a> Dirty<'a> {
    pub fn of(of: Rowed<'a>) -> Res<Dirty<'a>> {
        let Rowed { cell, file, form, relation, table, .. } = of;
        let roots = taken::roots(cell, relation, table)?;
        let dirt = |which| Dirt::of(cell, &file.name, form, relation, which, roots.all);
        let repeats = match &form.repeat {
            None => None,
            Some(share) => {
                let repeats = Repeats::of(cell, &file.name, share, roots.all).or_span(file.span)?;
                Some((repeats, dirt(Which::Again)?))
            }
        };
        Ok(Dirty { dirt: dirt(Which::First)?, repeats, roots })
    }
}

impl<'s, 'a> Page<'s, 'a> {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Its rows: which of the relation each one is.
    pub fn rows(&self) -> &'s [(u32, Which)] {
        self.of.rows.get(self.range.clone()).unwrap_or_default()
    }

    /// The clean cells of a part, and the place of its first one.
    pub fn cells(&self, part: usize) -> Option<(&'s Column, usize)> {
        Some((self.of.columns.get(part)?, self.range.start))
    }

    /// The clean value of a part in a row.
    pub fn clean(&self, row: usize, part: usize) -> Val<'s> {
        self.cells(part).map_or(Val::NULL, |(cells, start)| cells.get(start + row))
    }

    /// What is in the file. Where something of its rows would be lost, nothing.
    fn content(&self) -> Res<Content> {
        let text = self.text().or_span(self.of.file.span)?;
        let content = encoded(self.group.dress.encoding, text)?;
        if self.of.form.is_read_back() || matches!(self.of.relation.rows, Rows::Taken { .. }) {
            let bytes = match &content {
                Content::Encoded { bytes, .. } => bytes.as_slice(),
                Content::Text(text) => text.as_bytes(),
                _ => &[],
            };
            back::check(self, bytes)?;
        }
        Ok(content)
    }

    fn text(&self) -> Res<String> {
        let refused = |why| back::refused(self, &why);
        let mut writer = Writer::new(&self.group.dress).map_err(refused)?;
        let parts = self.of.parts.len();
        writer.reserve((self.len() + 1).saturating_mul(parts).saturating_mul(12).min(MOST_BYTES));
        let written: Vec<Cells<'_>> = (0..parts).filter_map(|part| self.written(part)).collect();
        for (row, (at, (_, which))) in self.range.clone().zip(self.rows()).enumerate() {
            let root = self.of.roots.get(at).copied().unwrap_or_default();
            for (part, cells) in written.iter().enumerate() {
                let dirt = if *which == Which::Again { cells.again } else { cells.dirt };
                let done = write(cells.column, at, dirt.map(|dirt| (dirt, root)), &mut writer);
                done.map_err(|why| back::refused_cell(self, (row, Some(part)), &why))?;
            }
            writer.end_row().map_err(refused)?;
            bounded(writer.len())?;
        }
        writer.finish_text().map_err(refused)
    }

    /// How the cells of a part are written.
    fn written(&self, part: usize) -> Option<Cells<'s>> {
        let id = match self.of.parts.get(part)? {
            Part::Column(id) => Some(*id),
            Part::Computed(_) => None,
        };
        let dirt = |dirt: &'s Dirt<'a>| id.and_then(|id| dirt.column(id));
        let again = self.of.again.as_ref().and_then(dirt);
        Some(Cells { column: self.of.columns.get(part)?, dirt: dirt(&self.of.dirt), again })
    }
}

/// The cells of a part, and how they are written the first time and again.
struct Cells<'s> {
    column: &'s Column,
    dirt: Option<&'s ColumnDirt<'s>>,
    again: Option<&'s ColumnDirt<'s>>,
}

/// Writes a cell, with the dirt of the row that it is of at the root.
fn write(
    column: &Column,
    at: usize,
    dirt: Option<(&ColumnDirt<'_>, u32)>,
    writer: &mut Writer<'_>,
) -> Result<(), tabular::write::Refusal> {
    if column.is_null(at) {
        match dirt.and_then(|(dirt, root)| dirt.mark(root)).filter(|mark| !mark.is_empty()) {
            Some(mark) => writer.cell(false, |out| out.push_str(mark)),
            None => writer.null(),
        }
        return Ok(());
    }
    let style = dirt.map(|(dirt, root)| dirt.of_value(root)).filter(|style| !style.is_plain());
    let Some(style) = style else {
        writer.cell(column.is_plain(), |out| column.render_into(at, out));
        return Ok(());
    };
    let mut done = Ok(());
    writer.cell(false, |out| done = style.write(&column.get(at), out));
    done
}
