//! Reads written bytes again, with the shape derived from their layout, and compares the result with the original values.

use model::{Val, Value};

use super::fold::Folds;
use super::table_layout::{TableLayout, build_shape};
use crate::header::normalize_blanks;
use crate::read::{Beside, Rows, read_rows};
use crate::{Fault, FaultKind, Misfit, Reading, Shape, read_records};

/// The reader of a column for this check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The way in which its cells are read.
    pub reading: Reading,
    /// The differences that its texts may have.
    pub folds: Folds,
}

/// A loss in a file. Its places are those of the table: rows and columns from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadbackLoss {
    /// The row; `None` for the header, and for the file as a whole.
    pub row: Option<usize>,
    /// The column; `None` for a whole row.
    pub column: Option<usize>,
    /// The reason.
    pub why: LossReason,
}

/// The reason for a loss.
#[derive(Clone, Debug, PartialEq)]
pub enum LossReason {
    /// The cell is read as this value.
    Reads(Value),
    /// The cell cannot be read.
    Misfit(Misfit),
    /// The name of the column is read as this text.
    Header(String),
    /// The row is not read: the rows seem to end before it, or its line does not match the pattern of lines.
    Unread,
    /// A row is read that was never written.
    Unwritten,
    /// It contains a NUL character, which readers reject.
    Nul,
    /// The file, or this row, cannot be read.
    Fault(FaultKind),
}

/// Checks whether the bytes contain the values of a table: they are read, and compared row by row in the order written. The table consists of its
/// number of rows, its values by row and column, and a function that checks whether a value read there is equal ([`Folds::is_same_val`] of both, or a
/// faster equivalent).
///
/// # Errors
/// The first loss.
pub fn check_back<'v>(
    dress: &TableLayout,
    columns: &[Checked],
    (rows, clean, same): (usize, impl Fn(usize, usize) -> Val<'v>, impl Fn(usize, usize, Folds, &Val<'_>) -> bool),
    bytes: &[u8],
) -> Result<(), ReadbackLoss> {
    let readings: Vec<Reading> = columns.iter().map(|column| column.reading.clone()).collect();
    let shape = build_shape(dress, &readings);
    let mut compared = Compared { columns, rows, same, record: dress.count_before(), row: 0, lost: None };
    let header = match read_rows(&shape, "", bytes, &mut compared) {
        Ok(Beside { header, .. }) => header,
        Err(faults) => return Err(locate_fault(dress, &shape, (rows, columns.len()), clean, bytes, faults)),
    };
    if !dress.is_composed() && dress.header > 0 {
        check_headers(dress, &header)?;
    }
    match compared {
        Compared { lost: Some(lost), .. } => Err(lost),
        Compared { row, .. } if row < rows => {
            Err(ReadbackLoss { row: Some(row), column: None, why: LossReason::Unread })
        }
        Compared { row, .. } if row > rows => {
            Err(ReadbackLoss { row: Some(rows), column: None, why: LossReason::Unwritten })
        }
        _ => Ok(()),
    }
}

/// Compares the rows read with those of the table.
struct Compared<'c, F> {
    columns: &'c [Checked],
    /// Number of rows of the table; `same` checks whether a value read is equal.
    rows: usize,
    same: F,
    /// Number of the last record.
    record: u32,
    /// Number of rows read.
    row: usize,
    /// The first loss.
    lost: Option<ReadbackLoss>,
}

impl<F: Fn(usize, usize, Folds, &Val<'_>) -> bool> Rows for Compared<'_, F> {
    fn push_row(&mut self, record: u32, _: u32, values: &mut Vec<Val<'_>>) {
        let row = self.row;
        self.row += 1;
        self.record = self.record.saturating_add(1);
        if self.lost.is_some() || row >= self.rows {
            return;
        }
        if record != self.record {
            self.lost = Some(ReadbackLoss { row: Some(row), column: None, why: LossReason::Unread });
            return;
        }
        let mut cells = self.columns.iter().zip(values.iter()).enumerate();
        // Values are compared without a copy.
        let wrong = cells.find(|(column, (Checked { folds, .. }, read))| !(self.same)(row, *column, *folds, read));
        self.lost = wrong.map(|(column, (_, read))| ReadbackLoss {
            row: Some(row),
            column: Some(column),
            why: LossReason::Reads(read.clone().into_value()),
        });
    }
}

/// Checks whether the names of the columns are read back unchanged.
fn check_headers(dress: &TableLayout, header: &[String]) -> Result<(), ReadbackLoss> {
    for (at, name) in dress.columns.iter().enumerate() {
        let read = header.get(at).map_or("", String::as_str);
        if normalize_blanks(name) != read {
            return Err(ReadbackLoss { row: None, column: Some(at), why: LossReason::Header(read.to_owned()) });
        }
    }
    Ok(())
}

/// Finds the place in the table of its file's fault.
fn locate_fault<'v>(
    dress: &TableLayout,
    shape: &Shape,
    (rows, columns): (usize, usize),
    clean: impl Fn(usize, usize) -> Val<'v>,
    bytes: &[u8],
    faults: Vec<Fault>,
) -> ReadbackLoss {
    let Some(Fault { line, kind, .. }) = faults.into_iter().min_by_key(|fault| fault.line) else {
        return ReadbackLoss { row: None, column: None, why: LossReason::Unread };
    };
    match kind {
        FaultKind::Nul => {
            let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let nul =
                |(row, column): &(usize, usize)| clean(*row, *column).as_text().is_some_and(|text| text.contains('\0'));
            let found = cells.into_iter().find(nul);
            ReadbackLoss {
                row: found.map(|(row, _)| row),
                column: found.map(|(_, column)| column),
                why: LossReason::Nul,
            }
        }
        FaultKind::NoHeader { header, headers } => {
            let column = dress.columns.iter().position(|name| *name == header);
            let read = column.and_then(|column| headers.get(column)).cloned().unwrap_or_default();
            ReadbackLoss { row: None, column, why: LossReason::Header(read) }
        }
        FaultKind::TwoHeaders { positions, header } => {
            let column = positions.get(1).and_then(|position| usize::try_from(*position).ok()?.checked_sub(1));
            ReadbackLoss { row: None, column, why: LossReason::Header(header) }
        }
        FaultKind::Misfits { column, misfits } => {
            let first = misfits.first.into_iter().next();
            let why = first.map_or(LossReason::Unread, |(_, _, misfit)| LossReason::Misfit(misfit));
            ReadbackLoss { row: find_row(dress, shape, line, bytes), column: Some(column), why }
        }
        kind => ReadbackLoss { row: find_row(dress, shape, line, bytes), column: None, why: LossReason::Fault(kind) },
    }
}

/// Returns the row that is written on a line of the file.
fn find_row(dress: &TableLayout, shape: &Shape, line: u32, bytes: &[u8]) -> Option<usize> {
    if dress.is_text() {
        return usize::try_from(line.checked_sub(dress.count_before())?.checked_sub(1)?).ok();
    }
    let records = read_records(&shape.layout, "", bytes).ok()?;
    records.rows.iter().position(|record| record.line == line)
}
