//! What is written, and what is read of it.

mod golden;
mod many;
mod parquet;
mod peers;
mod speed;
mod styles;

use model::{Format, Val, Value};

use super::{Checked, Folds, ReadbackLoss, TableLayout, Writer, check_back};
use crate::{CellType, Line, Piece, Reading};

/// A CSV file with these columns.
fn csv(columns: &[&str]) -> TableLayout {
    TableLayout::new(Format::Csv, columns.iter().map(|name| (*name).to_owned()).collect())
}

/// A text whose lines are written so, with columns of these types.
fn lines(pattern: &str, columns: &[(&str, CellType)]) -> TableLayout {
    let mut pieces = Vec::new();
    for part in pattern.split("<<") {
        let (name, text) = part.split_once(">>").unwrap_or(("", part));
        if let Some(at) = columns.iter().position(|(column, _)| *column == name) {
            pieces.push(Piece::Column(at, columns[at].1));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
    }
    let names = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    TableLayout { line: Some(Line::new(&pieces).expect("a pattern of lines")), ..TableLayout::new(Format::Text, names) }
}

/// Cells as they are written.
type Cells = Vec<Vec<Option<String>>>;

fn cells(rows: &[&[Option<&str>]]) -> Cells {
    rows.iter().map(|row| row.iter().map(|cell| cell.map(str::to_owned)).collect()).collect()
}

fn written(dress: &TableLayout, cells: &Cells) -> Result<Vec<u8>, super::Unwritable> {
    let mut writer = Writer::new(dress)?;
    for row in cells {
        writer.write_row(row.iter().map(Option::as_deref))?;
    }
    writer.finish()
}

/// Reads what is written of texts, null where a cell is empty.
fn back(dress: &TableLayout, rows: &Cells, folds: Folds) -> Result<(), ReadbackLoss> {
    let bytes = written(dress, rows).expect("a file");
    let reading = Reading { missing: vec![String::new()], ..Reading::from_type(CellType::Text) };
    let columns = vec![Checked { reading, folds }; dress.columns.len()];
    let clean =
        |row: usize, column: usize| rows[row][column].clone().map_or(Val::NULL, |text| Val::Own(Value::Text(text)));
    let same = |row: usize, column: usize, folds: Folds, read: &Val<'_>| folds.is_same_val(&clean(row, column), read);
    check_back(dress, &columns, (rows.len(), clean, same), &bytes)
}
