//! Tables whose columns are not declared: the names come from the file, and the types are inferred.

use model::format::Holds;
use model::{Value, ValueType};
use tables::guess;
use tables::limits::MAX_CELLS;
use tables::{CellType, Fault, FaultKind, Raw, Reading, Records, UnreadRegions};

use super::faults::build_fault_diagnostic;
use super::sources::Source;
use super::table::Table;
use crate::context::Checker;
use hir::fixture::{self, InferredTable, TableKey};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> Checker<'a> {
    /// Infers the columns of files, with names and types as for fixtures. Returns `None` after reporting an error.
    pub(super) fn infer_undeclared(
        &mut self,
        layout: &tables::Layout,
        sources: &[Source],
        table: &Table<'a>,
        name: &str,
    ) -> Option<InferredTable> {
        let in_text = layout.format.holds == Holds::Text;
        let mut header: Vec<String> = Vec::new();
        let mut columns: Vec<Cells> = Vec::new();
        let mut rows = 0u32;
        let mut cuts: Vec<(UnreadRegions, usize)> = Vec::new();
        let mut digests: Vec<[u8; 32]> = Vec::new();
        // The files are read again, because the cache must be keyed by exactly these bytes.
        let mut contents = TableKey::with_layout(layout);
        for (index, source) in sources.iter().enumerate() {
            let bytes = self.read_source(source, layout.format, table.from.path.span)?;
            contents.add_file(&source.inner, &bytes);
            digests.push(fixture::compute_sha256(&bytes));
            let records = match tables::read_records(layout, &source.inner, &bytes) {
                Ok(records) => records,
                Err(fault) => {
                    self.report(build_fault_diagnostic(&fault, None, layout.format, table.from));
                    return None;
                }
            };
            let all = (rows as usize).saturating_add(records.rows.len());
            if all.saturating_mul(records.header.len()) > MAX_CELLS {
                self.report_too_many_cells(name, table.from);
                return None;
            }
            cuts.push((records.cut.clone(), records.rows.len()));
            if let Some(fault) = find_unread_cell(&records, &layout.missing, &source.inner) {
                self.report(build_fault_diagnostic(&fault, None, layout.format, table.from));
                return None;
            }
            let own: Vec<String> = match () {
                () if in_text => vec![crate::files::result_sets::LINE.to_owned()],
                () if layout.header == 0 => (1..=records.header.len()).map(|at| format!("C{at}")).collect(),
                () => records.header,
            };
            if index == 0 {
                if let Err(error) = fixture::check_header_names(&own) {
                    let message = format!("`{}` cannot be read without its columns: {}", source.inner, error.message);
                    let said = Diagnostic::new(Code::BAD_HEADER, message, table.from.path.span, "read from here");
                    self.report(
                        said.help(
                            "declare the columns that you need, some by position: { AREA : text  N : int from 3 }",
                        ),
                    );
                    return None;
                }
                columns = vec![Cells::default(); own.len()];
                header.clone_from(&own);
            } else if own.iter().collect::<std::collections::BTreeSet<_>>() != header.iter().collect() {
                let message = format!("`{}` and `{}` have different columns", sources.first()?.inner, source.inner);
                let said = Diagnostic::new(Code::BAD_HEADER, message, table.from.path.span, "read as one table");
                self.report(said.help("declare the columns that all of them have: { AREA : text }"));
                return None;
            }
            // The same columns can be in another order.
            let places: Vec<usize> = header.iter().filter_map(|name| own.iter().position(|own| own == name)).collect();
            for row in &records.rows {
                for (to, place) in columns.iter_mut().zip(&places) {
                    to.push_cell(row.cells.get(*place), &layout.missing);
                }
            }
            rows += records.rows.len() as u32;
        }
        if header.is_empty() {
            let message = format!("`{}` has no rows from which its columns could be known", sources.first()?.inner);
            let said = Diagnostic::new(Code::REGION_NOT_FOUND, message, table.from.path.span, "read from here");
            self.report(said.help("declare the columns: { AREA : text }"));
            return None;
        }
        let columns = header.into_iter().zip(columns.into_iter().map(Cells::with_midnights));
        let columns = columns.map(|(name, cells)| match in_text {
            true => fixture::build_column(name, ValueType::Text, cells.texts.iter().map(Value::from_text).collect()),
            false => fixture::infer_column(name, &cells.texts),
        });
        let read = InferredTable { rows, columns: columns.collect(), cuts: cuts.into(), digests: digests.into() };
        contents.keep_table(read.clone());
        Some(read)
    }
}

/// Finds the first cell that cannot be read and is not a null mark.
fn find_unread_cell(records: &Records<'_>, missing: &[String], path: &str) -> Option<Fault> {
    let reading = Reading { missing: missing.to_vec(), ..Reading::from_type(CellType::Text) };
    records.rows.iter().find_map(|row| {
        let (at, odd) = row.cells.iter().enumerate().find_map(|(at, cell)| match cell {
            Raw::Odd(odd) if reading.read(cell).is_err() => Some((at, odd.as_ref().clone())),
            _ => None,
        })?;
        let column = records.header.get(at).filter(|name| !name.is_empty()).cloned();
        let column = column.unwrap_or_else(|| format!("column {}", at + 1));
        Some(Fault { path: path.to_owned(), line: row.line, kind: FaultKind::OddCell { column, odd } })
    })
}

/// The cells of a column from which its type is inferred.
#[derive(Clone, Default)]
struct Cells {
    texts: Vec<String>,
    /// The indexes of cells that a typed file marks as dates.
    days: Vec<usize>,
    /// Some of its cells are datetimes.
    moments: bool,
}

impl Cells {
    fn push_cell(&mut self, cell: Option<&Raw<'_>>, missing: &[String]) {
        let text = to_cell_text(cell, missing);
        match cell {
            Some(Raw::Value(Value::Date(_))) if !text.is_empty() => self.days.push(self.texts.len()),
            Some(Raw::Value(Value::DateTime(_))) => self.moments = true,
            _ => {}
        }
        self.texts.push(text);
    }

    /// A workbook stores a datetime at midnight as a date, so in a column with datetimes, dates are converted to datetimes.
    fn with_midnights(mut self) -> Cells {
        for at in std::mem::take(&mut self.days).into_iter().filter(|_| self.moments) {
            if let Some(text) = self.texts.get_mut(at)
                && let Some(day) = model::Date::parse_iso(text)
            {
                *text = guess::to_midnight(&Value::Date(day)).render_text().into_owned();
            }
        }
        self
    }
}

/// Converts a cell to the text from which its type is inferred; null is empty.
fn to_cell_text(cell: Option<&Raw<'_>>, missing: &[String]) -> String {
    let text = match cell {
        // A cell that cannot be read is a null mark here, because all others have been reported.
        None | Some(Raw::Value(Value::Null)) | Some(Raw::Odd(_)) => return String::new(),
        Some(cell) => cell.render_cell().into_owned(),
    };
    if missing.iter().any(|mark| mark.trim() == text.trim()) { String::new() } else { text }
}
