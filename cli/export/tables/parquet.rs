//! Writes rows to Parquet, one row group at a time. The output is not compressed, because compressed bytes depend on the version of the compressor and the
//! machine.

use std::fmt::Write as _;
use std::fs::File;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use records::Error;
use records::columns::{Column, Kind};

use super::Cell;
use crate::build::describe_compiler;

/// The maximum number of rows in a row group …
const ROWS: usize = 1000;

/// … and the number of bytes after which it ends.
const BYTES: usize = 32 << 20;

/// A table that is being written.
pub(super) struct Table {
    columns: Vec<Column>,
    writer: SerializedFileWriter<File>,
    waiting: Vec<Vec<Cell>>,
    bytes: usize,
}

impl Table {
    /// Creates an empty table in a new file, with metadata for its footer.
    pub(super) fn new(file: File, columns: Vec<Column>, footer: Vec<(String, String)>) -> Result<Table, Error> {
        let compiler = describe_compiler();
        let footer = footer.into_iter().map(|(name, text)| KeyValue::new(name, Some(text))).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_created_by(format!("{} version {}", compiler.name, compiler.version))
            .set_key_value_metadata(Some(footer));
        let schema = parse_message_type(&render_schema(&columns)).map_err(build_error)?;
        let writer =
            SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build())).map_err(build_error)?;
        Ok(Table { columns, writer, waiting: Vec::new(), bytes: 0 })
    }

    /// Adds a row: one cell of the right type for each column.
    pub(super) fn add_row(&mut self, row: Vec<Cell>) -> Result<(), Error> {
        self.bytes += row.iter().map(measure_cell).sum::<usize>();
        self.waiting.push(row);
        if self.waiting.len() < ROWS && self.bytes < BYTES {
            Ok(())
        } else {
            self.write_row_group().map_err(build_error)
        }
    }

    /// Writes the rest.
    pub(super) fn finish_table(mut self) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            self.write_row_group().map_err(build_error)?;
        }
        self.writer.close().map_err(build_error)?;
        Ok(())
    }

    fn write_row_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        let rows = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        for (at, column) in self.columns.iter().enumerate() {
            let cells: Vec<&Cell> = rows.iter().filter_map(|row| row.get(at)).collect();
            // A list of files has a Parquet column for the paths, and one for the contents.
            let leaves = if column.kind == Kind::Files { 2 } else { 1 };
            for leaf in 0..leaves {
                let missing = || ParquetError::General(format!("column {} has no place", column.name));
                let mut writer = group.next_column()?.ok_or_else(missing)?;
                write_leaf(&cells, leaf, &mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

fn build_error(error: ParquetError) -> Error {
    Error::new_outside(format!("cannot write a Parquet file: {error}"))
}

fn measure_cell(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.len(),
        Cell::Nullable(text) => text.as_ref().map_or(0, String::len),
        Cell::Int(_) => 8,
        Cell::Texts(texts) => texts.iter().map(String::len).sum(),
        Cell::Files(files) => files.iter().map(|(path, content)| path.len() + content.len()).sum(),
    }
}

/// Renders the schema in Parquet's own notation. Lists have the three levels that the format requires.
fn render_schema(columns: &[Column]) -> String {
    let mut text = String::from("message instances {\n");
    for Column { name, kind, .. } in columns {
        // Writing to a String cannot fail.
        let _ = match kind {
            Kind::Text => writeln!(text, "required binary {name} (UTF8);"),
            Kind::Nullable => writeln!(text, "optional binary {name} (UTF8);"),
            Kind::Int => writeln!(text, "required int64 {name};"),
            Kind::Texts => {
                writeln!(
                    text,
                    "required group {name} (LIST) {{ repeated group list {{ required binary element (UTF8); }} }}"
                )
            }
            Kind::Files => writeln!(
                text,
                "required group {name} (LIST) {{ repeated group list {{ required group element {{ required binary path (UTF8); required binary content; }} }} }}"
            ),
        };
    }
    text.push('}');
    text
}

/// Writes one Parquet column. In lists, repetition level 0 marks the start of a row, and definition level 0 an empty list.
fn write_leaf(cells: &[&Cell], leaf: usize, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
    if let Some(Cell::Int(_)) = cells.first() {
        let numbers: Vec<i64> =
            cells.iter().filter_map(|cell| if let Cell::Int(n) = cell { Some(*n) } else { None }).collect();
        writer.typed::<Int64Type>().write_batch(&numbers, None, None)?;
        return Ok(());
    }
    let mut values: Vec<ByteArray> = Vec::new();
    let (mut defined, mut repeated): (Vec<i16>, Vec<i16>) = (Vec::new(), Vec::new());
    for cell in cells {
        match cell {
            Cell::Int(_) => {}
            Cell::Text(text) => values.push(text.as_str().into()),
            Cell::Nullable(text) => {
                defined.push(i16::from(text.is_some()));
                values.extend(text.as_deref().map(ByteArray::from));
            }
            Cell::Texts(texts) => {
                push_levels(texts.len(), &mut defined, &mut repeated);
                values.extend(texts.iter().map(|text| ByteArray::from(text.as_str())));
            }
            Cell::Files(files) => {
                push_levels(files.len(), &mut defined, &mut repeated);
                values.extend(files.iter().map(|(path, content)| match leaf {
                    0 => ByteArray::from(path.as_str()),
                    _ => ByteArray::from(content.clone()),
                }));
            }
        }
    }
    let of = |levels: &Vec<i16>| !levels.is_empty();
    let (defined, repeated) = (of(&defined).then_some(&defined[..]), of(&repeated).then_some(&repeated[..]));
    writer.typed::<ByteArrayType>().write_batch(&values, defined, repeated)?;
    Ok(())
}

/// Adds the levels of a list with this number of items.
fn push_levels(items: usize, defined: &mut Vec<i16>, repeated: &mut Vec<i16>) {
    if items == 0 {
        defined.push(0);
        repeated.push(0);
    }
    for item in 0..items {
        defined.push(1);
        repeated.push(i16::from(item > 0));
    }
}
