//! The rows of a Parquet file, each of which is a record: its columns have names and types, and its cells have values. All standard encodings are read, and data
//! that Snappy, gzip, or zstd has compressed.
//!
//! Format: <https://parquet.apache.org/docs/file-format/>.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use model::{Date, DateTime, Decimal, Value};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, RowGroupReader, SerializedFileReader};
use parquet::schema::types::{ColumnDescriptor, Type};

use crate::fault::{SizeLimit, Wrong};
use crate::limits::{MAX_CELLS, MAX_TEXTS, MAX_WIDTH};
use crate::{FaultKind, Raw, Record, Records, Unreadable};

/// Number of cells that are read at once.
const BATCH: usize = 4096;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// Reads all rows of a file. The cells of a nested column cannot be read.
pub(super) fn read_records(bytes: &[u8]) -> Result<Records<'static>, Wrong> {
    // The reader of another crate works with sizes that the file names, which may be wrong.
    let read = catch_unwind(AssertUnwindSafe(|| read_file(bytes)));
    read.unwrap_or_else(|_| Err(refuse_file("its parts do not fit together")))
}

fn read_file(bytes: &[u8]) -> Result<Records<'static>, Wrong> {
    let broken = |error: ParquetError| refuse_file(&describe_error(&error));
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).map_err(broken)?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let fields = schema.root_schema().get_fields();
    SizeLimit::Columns.check_size(fields.len(), MAX_WIDTH, 0)?;
    let groups = file.metadata().row_groups();
    let rows = groups.iter().try_fold(0_usize, |sum, group| sum.checked_add(usize::try_from(group.num_rows()).ok()?));
    let rows = rows.unwrap_or(usize::MAX);
    SizeLimit::Cells.check_size(rows.saturating_mul(fields.len().max(1)), MAX_CELLS, 0)?;
    let header = fields.iter().map(|field| crate::header::normalize_blanks(field.name())).collect();
    let record = |number: usize| {
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        Record { number, line: number, cells: Vec::with_capacity(fields.len()) }
    };
    let mut records = Records { header, rows: (0..rows).map(record).collect(), ..Records::default() };
    let mut texts = Texts { left: MAX_TEXTS };
    let mut first = 0;
    for index in 0..groups.len() {
        let group = file.get_row_group(index).map_err(broken)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let into = records.rows.get_mut(first..first + count).unwrap_or_default();
        for (place, field) in fields.iter().enumerate() {
            let leaf = (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == place);
            match leaf.filter(|_| is_flat(field)) {
                Some(leaf) => read_cells(group.as_ref(), leaf, into, &mut texts)?,
                None => into.iter_mut().for_each(|record| record.cells.push(refuse_nested(field))),
            }
        }
        first += count;
    }
    Ok(records)
}

/// Checks whether each row has at most one value in a column.
fn is_flat(field: &Type) -> bool {
    use parquet::basic::Repetition;
    let info = field.get_basic_info();
    field.is_primitive() && (!info.has_repetition() || info.repetition() != Repetition::REPEATED)
}

fn refuse_nested(field: &Type) -> Raw<'static> {
    let message = format!("the cells of `{}` are lists or objects", field.name());
    Raw::Odd(Box::new(Unreadable::new(
        message,
        "read a column with single values, or write the file with flat columns",
    )))
}

fn refuse_file(why: &str) -> Wrong {
    let message = format!("it is not a whole Parquet file: {why}");
    (
        0,
        FaultKind::Unreadable(Unreadable::new(
            message,
            "write the file again, compressed with Snappy, gzip, zstd, or nothing",
        )),
    )
}

/// Describes an error of the reader without the name of its kind.
fn describe_error(error: &ParquetError) -> String {
    let text = error.to_string();
    text.split_once(": ").map_or(text.as_str(), |(_, why)| why).to_owned()
}

/// The bytes that texts may still take.
struct Texts {
    left: usize,
}

impl Texts {
    fn take_bytes(&mut self, bytes: usize, line: u32) -> Result<(), Wrong> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => return Err((line, FaultKind::TooMuch { of: SizeLimit::Bytes, most: MAX_TEXTS })),
        }
        Ok(())
    }
}

/// Reads the cells of a column in one group of rows.
fn read_cells(
    group: &dyn RowGroupReader,
    leaf: usize,
    into: &mut [Record<'static>],
    texts: &mut Texts,
) -> Result<(), Wrong> {
    let broken = |error: ParquetError| refuse_file(&describe_error(&error));
    let column = group.metadata().column(leaf).column_descr_ptr();
    let form = Form::new(&column);
    match group.get_column_reader(leaf).map_err(broken)? {
        ColumnReader::BoolColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |truth| Raw::Value(Value::Bool(*truth)))
        }
        ColumnReader::Int32ColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |number| form.convert_int(i64::from(*number)))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |number| form.convert_int(*number))
        }
        ColumnReader::Int96ColumnReader(reader) => fill_cells(reader, &column, into, texts, |moment| {
            let rest = moment.to_nanos().rem_euclid(1_000_000_000);
            convert_moment(i128::from(moment.to_seconds()) * 1_000_000_000 + i128::from(rest))
        }),
        ColumnReader::FloatColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |number| convert_float(f64::from(*number)))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |number| convert_float(*number))
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |bytes| form.convert_bytes(bytes.data()))
        }
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            fill_cells(reader, &column, into, texts, |bytes| form.convert_bytes(bytes.data()))
        }
    }
}

/// Adds a cell to each record.
fn fill_cells<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    column: &ColumnDescriptor,
    into: &mut [Record<'static>],
    texts: &mut Texts,
    convert: impl Fn(&T::T) -> Raw<'static>,
) -> Result<(), Wrong> {
    let is_optional = column.max_def_level() > 0;
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < into.len() {
        levels.clear();
        values.clear();
        let wanted = BATCH.min(into.len() - at);
        let read = reader.read_records(wanted, is_optional.then_some(&mut levels), None, &mut values);
        let (count, ..) = read.map_err(|error| refuse_file(&describe_error(&error)))?;
        let mut next = values.iter();
        for row in 0..count {
            let is_null = is_optional && levels.get(row).is_none_or(|level| *level < column.max_def_level());
            let cell = match is_null {
                true => Raw::Value(Value::Null),
                false => next.next().map(&convert).ok_or_else(|| refuse_file("a column has too few values"))?,
            };
            let Some(record) = into.get_mut(at + row) else { break };
            if let Raw::Text(text) = &cell {
                texts.take_bytes(text.len(), record.line)?;
            }
            record.cells.push(cell);
        }
        if count == 0 {
            return Err(refuse_file("a column has too few rows"));
        }
        at += count;
    }
    Ok(())
}

/// The meaning of the stored values of a column.
enum Form {
    /// Integers, doubles, and truths as they are; bytes as UTF-8.
    Plain,
    /// Integers of this many bits without a sign.
    Unsigned(u32),
    /// Digits, with the number of those after the point.
    Decimal(i32),
    Date,
    /// A time of the day, in this many parts of a second.
    Time(i64),
    /// A moment, in this many parts of a second.
    Moment(i64),
    Uuid,
    /// A type without values of ours.
    Other,
}

impl Form {
    fn new(column: &ColumnDescriptor) -> Form {
        let parts = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        match column.logical_type_ref() {
            Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Unknown) => Form::Plain,
            Some(LogicalType::Integer(int)) if int.is_signed => Form::Plain,
            Some(LogicalType::Integer(int)) => Form::Unsigned(u32::from(int.bit_width.unsigned_abs())),
            Some(LogicalType::Decimal(decimal)) => Form::Decimal(decimal.scale),
            Some(LogicalType::Date) => Form::Date,
            Some(LogicalType::Time(time)) => Form::Time(parts(&time.unit)),
            Some(LogicalType::Timestamp(moment)) => Form::Moment(parts(&moment.unit)),
            Some(LogicalType::Uuid) => Form::Uuid,
            Some(_) => Form::Other,
            // Files of older writers.
            None => match column.converted_type() {
                ConvertedType::UINT_8 => Form::Unsigned(8),
                ConvertedType::UINT_16 => Form::Unsigned(16),
                ConvertedType::UINT_32 => Form::Unsigned(32),
                ConvertedType::UINT_64 => Form::Unsigned(64),
                ConvertedType::DECIMAL => Form::Decimal(column.type_scale()),
                ConvertedType::DATE => Form::Date,
                ConvertedType::TIME_MILLIS => Form::Time(1_000),
                ConvertedType::TIME_MICROS => Form::Time(1_000_000),
                ConvertedType::TIMESTAMP_MILLIS => Form::Moment(1_000),
                ConvertedType::TIMESTAMP_MICROS => Form::Moment(1_000_000),
                ConvertedType::BSON | ConvertedType::INTERVAL => Form::Other,
                _ => Form::Plain,
            },
        }
    }

    fn convert_int(&self, number: i64) -> Raw<'static> {
        match self {
            Form::Plain => Raw::Value(Value::Int(number)),
            Form::Unsigned(64) => match i64::try_from(number as u64) {
                Ok(number) => Raw::Value(Value::Int(number)),
                Err(_) => convert_decimal(i128::from(number as u64), 0),
            },
            Form::Unsigned(bits) => Raw::Value(Value::Int(number & ((1_i64 << bits.min(&32)) - 1))),
            Form::Decimal(places) => convert_decimal(i128::from(number), *places),
            Form::Date => match i32::try_from(number).map(Date) {
                Ok(day) if (Date::MIN..=Date::MAX).contains(&day) => Raw::Value(Value::Date(day)),
                _ => refuse_cell("a day outside of the years 1 to 9999"),
            },
            Form::Time(parts) => {
                let (seconds, rest) = (number.div_euclid(*parts), number.rem_euclid(*parts));
                let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                Raw::from_text(format!("{time}{}", render_fraction(rest, *parts)))
            }
            Form::Moment(parts) => convert_moment(i128::from(number) * i128::from(1_000_000_000 / parts)),
            Form::Uuid | Form::Other => refuse_cell("a value of another type"),
        }
    }

    fn convert_bytes(&self, bytes: &[u8]) -> Raw<'static> {
        match self {
            Form::Plain => match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains('\0') => Raw::from_text(text.to_owned()),
                _ => refuse_cell("bytes that are not a text"),
            },
            Form::Decimal(places) if bytes.len() <= 16 => {
                let negative = bytes.first().is_some_and(|first| *first >= 0x80);
                let start = if negative { -1_i128 } else { 0 };
                convert_decimal(bytes.iter().fold(start, |units, byte| units << 8 | i128::from(*byte)), *places)
            }
            Form::Uuid => {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
                let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, digits.len())];
                Raw::from_text(parts.join("-"))
            }
            _ => refuse_cell("a value of another type"),
        }
    }
}

fn convert_decimal(units: i128, places: i32) -> Raw<'static> {
    match u8::try_from(places).ok().and_then(|places| Decimal::new(units, places)) {
        Some(decimal) => Raw::Value(Value::Decimal(decimal)),
        None => refuse_cell("a number with more than 18 decimal places"),
    }
}

fn convert_float(number: f64) -> Raw<'static> {
    if number.is_finite() {
        return Raw::Value(Value::Float(number));
    }
    let shown = if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "inf"
    } else {
        "-inf"
    };
    let why = Unreadable::new(format!("the cell is {shown}"), format!("declare it as missing: missing [\"{shown}\"]"));
    Raw::Odd(Box::new(why.with_cell(shown)))
}

/// Converts nanoseconds since 1970. A moment with a part of a second is a text.
fn convert_moment(nanos: i128) -> Raw<'static> {
    const PARTS: i64 = 1_000_000_000;
    let (seconds, rest) = (nanos.div_euclid(i128::from(PARTS)), nanos.rem_euclid(i128::from(PARTS)) as i64);
    let range = i64::from(Date::MIN.0) * DAY..(i64::from(Date::MAX.0) + 1) * DAY;
    match i64::try_from(seconds).ok().filter(|seconds| range.contains(seconds)).map(DateTime) {
        Some(moment) if rest == 0 => Raw::Value(Value::DateTime(moment)),
        Some(moment) => Raw::from_text(format!("{moment}{}", render_fraction(rest, PARTS))),
        None => refuse_cell("a moment outside of the years 1 to 9999"),
    }
}

/// Renders a part of a second with the digits that it has; empty for none.
fn render_fraction(rest: i64, parts: i64) -> String {
    if rest == 0 {
        return String::new();
    }
    let width = parts.ilog10() as usize;
    format!(".{rest:0width$}").trim_end_matches('0').to_owned()
}

fn refuse_cell(what: &str) -> Raw<'static> {
    Raw::Odd(Box::new(Unreadable::new(
        format!("the cell has {what}"),
        "read another column, or write the file with other values",
    )))
}
