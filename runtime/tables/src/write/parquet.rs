//! Writes tables as Parquet files. The bytes are the same everywhere: values are neither encoded nor compressed, statistics are left out, and groups have a
//! fixed number of rows.

use std::sync::Arc;

use model::{Decimal, Val, Value, ValueType};
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Stored};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, Int32Type,
    Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

/// Number of rows of a group.
const GROUP: usize = 100_000;
/// Digits of a decimal, and the bytes that hold them.
const DIGITS: i32 = 38;
const BYTES: i32 = 16;

/// The reason why a table is not written as Parquet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParquetRefusal {
    /// Parquet has no type for durations. The column, from 0.
    Duration(usize),
    /// The value of this row and column is not of the column's type.
    Mixed(usize, usize),
    /// The writer has failed.
    Failed(String),
}

impl From<ParquetError> for ParquetRefusal {
    fn from(error: ParquetError) -> ParquetRefusal {
        ParquetRefusal::Failed(error.to_string())
    }
}

/// Writes a table: the names and types of its columns, the number of its rows, and their cells by row and column from 0. Integers are INT64, decimals
/// DECIMAL(38), floats DOUBLE, texts UTF8, dates DATE, and datetimes TIMESTAMP in microseconds without a zone; each column can have nulls.
///
/// ```
/// use model::{Format, Val, Value, ValueType};
/// use tables::write::write_parquet;
/// use tables::{Layout, read_records};
///
/// let columns = [("TOWN".to_owned(), ValueType::Text), ("N".to_owned(), ValueType::Int)];
/// let cells = [[Value::from_text("Ulm"), Value::Int(3)], [Value::from_text("Kiel"), Value::Null]];
/// let bytes = write_parquet(&columns, 2, |row, column| Val::Own(cells[row][column].clone())).expect("a file");
/// let records = read_records(&Layout::from_format(Format::Parquet), "towns.parquet", &bytes).expect("rows");
/// assert_eq!(records.header, ["TOWN", "N"]);
/// assert_eq!(records.rows[0].cells[1], tables::Raw::Value(Value::Int(3)));
/// ```
///
/// # Errors
/// A value is not of its column's type, or is a duration.
pub fn write_parquet<'v>(
    columns: &[(String, ValueType)],
    rows: usize,
    cell: impl Fn(usize, usize) -> Val<'v>,
) -> Result<Vec<u8>, ParquetRefusal> {
    let fields = columns.iter().enumerate().map(|(at, (name, ty))| build_field(at, name, *ty).map(Arc::new));
    let schema = Type::group_type_builder("schema").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by("picardc".to_owned())
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))?;
    for first in (0..rows).step_by(GROUP) {
        let group = first..rows.min(first + GROUP);
        let mut into = writer.next_row_group()?;
        for (at, (_, ty)) in columns.iter().enumerate() {
            write_column(&mut into, *ty, group.clone().map(|row| (row, cell(row, at))), at)?;
        }
        into.close()?;
    }
    let mut bytes = writer.into_inner()?;
    simplify_orders(&mut bytes, columns.len());
    Ok(bytes)
}

/// Says of each column that its values have the order of its type. The writer gives doubles the order of IEEE 754, which readers of 2025 refuse (polars 1); without
/// statistics, no reader needs it. The footer ends with a list of these orders, three bytes each: `TypeDefinedOrder` is field 1 of a union, the other field 2.
fn simplify_orders(bytes: &mut [u8], columns: usize) {
    /// The end of the footer's structure, its length, and the magic number.
    const END: usize = 1 + 4 + 4;
    const BY_TYPE: [u8; 3] = [0x1c, 0, 0];
    const IEEE_754: [u8; 3] = [0x2c, 0, 0];
    let Some(end) = bytes.len().checked_sub(END) else { return };
    let Some(orders) = end.checked_sub(BY_TYPE.len() * columns).and_then(|start| bytes.get_mut(start..end)) else {
        return;
    };
    if orders.chunks(BY_TYPE.len()).all(|order| order == BY_TYPE || order == IEEE_754) {
        orders.chunks_mut(BY_TYPE.len()).for_each(|order| order.copy_from_slice(&BY_TYPE));
    }
}

fn build_field(at: usize, name: &str, ty: ValueType) -> Result<Type, ParquetRefusal> {
    let (stored, logical) = match ty {
        ValueType::Int => (Stored::INT64, None),
        ValueType::Float => (Stored::DOUBLE, None),
        ValueType::Bool => (Stored::BOOLEAN, None),
        ValueType::Text => (Stored::BYTE_ARRAY, Some(LogicalType::String)),
        ValueType::Date => (Stored::INT32, Some(LogicalType::Date)),
        ValueType::DateTime => (Stored::INT64, Some(LogicalType::timestamp(false, TimeUnit::MICROS))),
        ValueType::Decimal(places) => {
            (Stored::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::decimal(i32::from(places), DIGITS)))
        }
        ValueType::Duration => return Err(ParquetRefusal::Duration(at)),
    };
    let mut field =
        Type::primitive_type_builder(name, stored).with_repetition(Repetition::OPTIONAL).with_logical_type(logical);
    if let ValueType::Decimal(places) = ty {
        field = field.with_length(BYTES).with_precision(DIGITS).with_scale(i32::from(places));
    }
    Ok(field.build()?)
}

/// Writes the cells of a column in one group of rows.
fn write_column<'v>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    ty: ValueType,
    cells: impl Iterator<Item = (usize, Val<'v>)>,
    at: usize,
) -> Result<(), ParquetRefusal> {
    let missing = || ParquetRefusal::Failed(format!("column {at} has no place"));
    let mut writer = group.next_column()?.ok_or_else(missing)?;
    match ty {
        ValueType::Int => write_cells::<Int64Type>(&mut writer, cells, at, |cell| match cell.as_value()? {
            Value::Int(number) => Some(*number),
            _ => None,
        }),
        ValueType::Float => write_cells::<DoubleType>(&mut writer, cells, at, |cell| match cell.as_value()? {
            Value::Float(number) => Some(*number),
            Value::Decimal(number) => Some(number.to_f64()),
            Value::Int(number) => Some(*number as f64),
            _ => None,
        }),
        ValueType::Bool => write_cells::<BoolType>(&mut writer, cells, at, |cell| match cell.as_value()? {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }),
        ValueType::Text => {
            write_cells::<ByteArrayType>(&mut writer, cells, at, |cell| cell.as_text().map(ByteArray::from))
        }
        ValueType::Date => write_cells::<Int32Type>(&mut writer, cells, at, |cell| match cell.as_value()? {
            Value::Date(day) => Some(day.0),
            _ => None,
        }),
        ValueType::DateTime => write_cells::<Int64Type>(&mut writer, cells, at, |cell| match cell.as_value()? {
            Value::DateTime(moment) => moment.0.checked_mul(1_000_000),
            _ => None,
        }),
        ValueType::Decimal(places) => write_cells::<FixedLenByteArrayType>(&mut writer, cells, at, |cell| {
            let number = match cell.as_value()? {
                Value::Decimal(number) => *number,
                Value::Int(number) => Decimal::from_int(*number),
                _ => return None,
            };
            let units = number.with_places(places)?.units().to_be_bytes();
            Some(FixedLenByteArray::from(ByteArray::from(units.to_vec())))
        }),
        ValueType::Duration => return Err(ParquetRefusal::Duration(at)),
    }?;
    writer.close()?;
    Ok(())
}

fn write_cells<'v, T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = (usize, Val<'v>)>,
    at: usize,
    convert: impl Fn(&Val<'v>) -> Option<T::T>,
) -> Result<(), ParquetRefusal> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for (row, cell) in cells {
        levels.push(i16::from(!cell.is_null()));
        if !cell.is_null() {
            values.push(convert(&cell).ok_or(ParquetRefusal::Mixed(row, at))?);
        }
    }
    writer.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}
