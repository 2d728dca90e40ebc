//! Tables of cells as text: CSV, TSV, and what other programs make of them.

use plan::Format;
use plan::suite::{ColumnId, Relation};
use tabular::write::{Dress, Unwritable, Writer};

use super::cell::Table;
use super::column::Made;
use super::eval::{Res, no_result};
use super::size::bounded;

/// How cells are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// The character between cells.
    pub delimiter: char,
    /// Every cell in quotes, but for null.
    pub quoted: bool,
    /// Lines end in `\r\n`.
    pub crlf: bool,
    /// U+FEFF in front.
    pub bom: bool,
}

/// A header, and one line for each row, as [`tabular::write`] has it.
pub(crate) fn delimited(relation: &Relation, table: &Table, form: Form) -> Res<String> {
    let columns: Vec<(&str, &Made)> = (0..)
        .map(ColumnId)
        .zip(&relation.columns)
        .filter(|(_, column)| !column.helper)
        .filter_map(|(id, column)| Some((column.name.as_str(), table.columns.get(id)?)))
        .collect();
    let names = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let dress = Dress {
        // Delimiters are ASCII.
        delimiter: form.delimiter as u8,
        quoted: form.quoted,
        crlf: form.crlf,
        bom: form.bom,
        ..Dress::of(Format::Csv, names)
    };
    let mut writer = Writer::new(&dress).or_else(refused)?;
    writer.reserve((table.rows + 1) * columns.len() * 12);
    let columns: Vec<(&Made, bool)> = columns.into_iter().map(|(_, column)| (column, column.is_plain())).collect();
    for row in 0..table.rows {
        for (column, plain) in &columns {
            if column.is_null(row) {
                writer.null();
            } else {
                writer.cell(*plain, |out| column.render_into(row, out));
            }
        }
        writer.end_row().or_else(refused)?;
        bounded(writer.len())?;
    }
    writer.finish_text().or_else(refused)
}

/// Of UTF-8 with a header of one row, everything can be written.
fn refused<T>(unwritable: Unwritable) -> Res<T> {
    no_result(format!("a table cannot be written: {unwritable:?}"))
}

#[cfg(test)]
mod tests {
    use plan::suite::{self, Cells, ColumnSource, Expr, Rows};
    use plan::{SourceId, Span, Value, ValueType};
    use proptest::prelude::*;

    use super::super::column::Column;
    use super::*;
    use plan::Val;

    /// A relation of text columns, and its rows.
    fn table(cells: &[Vec<Option<String>>], columns: usize) -> (Relation, Table) {
        let span = Span::new(SourceId(0), 0, 0);
        let declared = (0..columns).map(|at| suite::Column {
            name: format!("C {at}"),
            span,
            helper: false,
            ty: (),
            cells: Cells { value_type: ValueType::Text, nullable: true, primary_key: false, unique: false },
            references: None,
            source: ColumnSource::Compute(Expr::Const(Value::Null)),
        });
        let count = |rows: usize| Expr::Const(Value::Int(rows as i64));
        let relation = Relation {
            name: "t".to_owned(),
            table: "t".to_owned(),
            span,
            file: None,
            rows: Rows::Count(count(cells.len()), count(cells.len())),
            columns: declared.collect(),
            order: Vec::new(),
            constraints: Vec::new(),
        };
        let made = (0..columns).map(|at| {
            let mut column = Column::new(ValueType::Text, cells.len());
            for row in cells {
                column.push(row[at].as_deref().map_or(Val::NULL, Val::text));
            }
            column
        });
        (relation, Table { rows: cells.len(), starts: Vec::new(), columns: made.map(Made::from).collect() })
    }

    fn rows() -> impl Strategy<Value = (usize, Vec<Vec<Option<String>>>)> {
        (1usize..4).prop_flat_map(|columns| {
            let cell = proptest::option::of("[a-z0-9 ,;|\t\"'\r\n.äß🦀-]{0,6}");
            (Just(columns), proptest::collection::vec(proptest::collection::vec(cell, columns), 0..6))
        })
    }

    proptest! {
        /// Another program reads back every cell, however the file is written.
        #[test]
        fn every_form_reads_back(
            (columns, cells) in rows(),
            delimiter in proptest::sample::select(vec![',', ';', '|', '\t', '.', '-', ' ', ':']),
            quoted: bool,
            crlf: bool,
            bom: bool,
        ) {
            let (relation, table) = table(&cells, columns);
            let text = delimited(&relation, &table, Form { delimiter, quoted, crlf, bom }).unwrap();
            prop_assert_eq!(text.starts_with('\u{FEFF}'), bom);
            let end = if crlf { "\r\n" } else { "\n" };
            prop_assert!(text.ends_with(end));
            let text = text.trim_start_matches('\u{FEFF}');
            let mut reader = csv::ReaderBuilder::new().delimiter(delimiter as u8).from_reader(text.as_bytes());
            let header: Vec<String> = (0..columns).map(|at| format!("C {at}")).collect();
            prop_assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), header);
            let read: Vec<Vec<String>> =
                reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
            let meant: Vec<Vec<String>> =
                cells.iter().map(|row| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect()).collect();
            prop_assert_eq!(read, meant);
        }

        /// In quotes or not, null differs from an empty text; if quotes are asked for, every cell but null has them.
        #[test]
        fn quotes_stand_around_every_cell_but_null(cells in proptest::collection::vec(proptest::option::of("[a-z]{0,3}"), 2..5)) {
            let (relation, table) = table(std::slice::from_ref(&cells), cells.len());
            let text =
                delimited(&relation, &table, Form { delimiter: ';', quoted: true, crlf: false, bom: false }).unwrap();
            let written: Vec<&str> = text.lines().nth(1).unwrap().split(';').collect();
            for (cell, written) in cells.iter().zip(written) {
                match cell {
                    Some(cell) => prop_assert_eq!(written, format!("\"{cell}\"")),
                    None => prop_assert_eq!(written, ""),
                }
            }
        }
    }
}
