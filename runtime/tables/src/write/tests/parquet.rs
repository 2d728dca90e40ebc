//! Parquet files: what is written is read, the bytes are frozen, and no change of them ends the program.

use model::{Date, DateTime, Decimal, Format, Val, Value, ValueType};

use crate::write::{ParquetRefusal, write_parquet};
use crate::{Layout, Raw, read_records};

fn columns() -> Vec<(String, ValueType)> {
    [
        ("I", ValueType::Int),
        ("X", ValueType::Decimal(2)),
        ("F", ValueType::Float),
        ("a text", ValueType::Text),
        ("B", ValueType::Bool),
        ("D", ValueType::Date),
        ("AT", ValueType::DateTime),
    ]
    .map(|(name, ty)| (name.to_owned(), ty))
    .to_vec()
}

fn value(row: usize, column: usize) -> Value {
    let number = row as i64 * 7919 - 3000;
    match column {
        _ if (row + column).is_multiple_of(5) => Value::Null,
        0 => Value::Int(number),
        1 => Value::Decimal(Decimal::new(i128::from(number) * 13, 2).expect("a decimal")),
        2 => Value::Float(number as f64 / 7.0),
        3 => Value::from_text(format!("„ü\n{row}")),
        4 => Value::Bool(row.is_multiple_of(2)),
        5 => Value::Date(Date((number % 900_000) as i32)),
        _ => Value::DateTime(DateTime(number % 2_000_000 * 86_399)),
    }
}

fn write(rows: usize) -> Vec<u8> {
    write_parquet(&columns(), rows, |row, column| Val::Own(value(row, column))).expect("a file")
}

fn read(bytes: &[u8]) -> Option<Vec<Vec<Value>>> {
    let records = read_records(&Layout::from_format(Format::Parquet), "a.parquet", bytes).ok()?;
    let cell = |cell: &Raw<'_>| match cell {
        Raw::Text(text) => Value::from_text(text.clone().into_owned()),
        Raw::Value(value) => value.clone(),
        Raw::Odd(_) => Value::from_text("odd"),
    };
    Some(records.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect())
}

#[test]
fn what_is_written_is_read() {
    for rows in [0, 1, 4, 9000] {
        let wanted: Vec<Vec<Value>> = (0..rows).map(|row| (0..7).map(|column| value(row, column)).collect()).collect();
        assert_eq!(read(&write(rows)), Some(wanted), "{rows}");
    }
}

/// New bytes need a new number of the format, and a line in the changelog.
#[test]
fn the_bytes_are_frozen() {
    let mut crc = flate2::Crc::new();
    crc.update(&write(100));
    assert_eq!((write(100).len(), crc.sum()), (5197, 3_929_615_402));
}

#[test]
fn a_changed_file_is_refused_or_read() {
    let whole = write(30);
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            bytes[at] = next(256) as u8;
        }
        if next(4) == 0 {
            bytes.truncate(next(whole.len()));
        }
        // Whatever it says, it comes back.
        read(&bytes);
    }
    for bytes in [&b""[..], b"PAR1", b"PAR1PAR1", b"A,B\n1,2\n"] {
        assert_eq!(read(bytes), None);
    }
}

#[test]
fn what_has_no_type_is_refused() {
    let write = |ty, value: Value| write_parquet(&[("A".to_owned(), ty)], 1, |_, _| Val::Own(value.clone()));
    assert_eq!(write(ValueType::Duration, Value::Null), Err(ParquetRefusal::Duration(0)));
    assert_eq!(write(ValueType::Int, Value::from_text("x")), Err(ParquetRefusal::Mixed(0, 0)));
}
