//! How long writing and reading back take, next to the bytes alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::super::CellKind;
use super::*;

fn least(times: usize, mut run: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..times).map(once).min().unwrap_or_default()
}

/// Run with `CARGO_PROFILE_DEV_OPT_LEVEL=3 cargo test -p picard-tables --lib write::tests::speed -- --ignored --nocapture`.
#[test]
#[ignore = "measures an optimized build"]
fn a_large_table_is_written_and_read_back_fast() {
    let dress = csv(&["ID", "NAME", "PLACE", "AMOUNT"]);
    let columns = [CellType::Int, CellType::Text, CellType::Text, CellType::Int];
    let rows: Vec<[Value; 4]> = (0..250_000_i64)
        .map(|row| {
            [
                Value::Int(row),
                Value::from_text(format!("name {row}")),
                Value::from_text("New Jersey, south"),
                Value::Int(row * 37 % 1000),
            ]
        })
        .collect();
    let write = || {
        let mut writer = Writer::new(&dress).expect("a writer");
        for row in &rows {
            for cell in row {
                let kind = if matches!(cell, Value::Int(_)) { CellKind::Number } else { CellKind::Text };
                writer.write_cell(kind, |out| cell.render_into(out));
            }
            writer.end_row().expect("a row");
        }
        writer.finish().expect("a file")
    };
    let bytes = write();
    let raw = least(5, || {
        let mut out = String::new();
        for row in &rows {
            for cell in row {
                cell.render_into(&mut out);
                out.push(',');
            }
        }
        black_box(out);
    });
    let writing = least(5, || drop(black_box(write())));
    let checked = columns.map(|ty| Checked { reading: Reading::from_type(ty), folds: Folds::default() });
    let reading = least(5, || {
        let clean = |row: usize, column: usize| Val::Ref(&rows[row][column]);
        let same =
            |row: usize, column: usize, folds: Folds, read: &Val<'_>| folds.is_same_val(&clean(row, column), read);
        check_back(&dress, &checked, (rows.len(), clean, same), &bytes).expect("the same");
    });
    eprintln!("{} MB: raw {raw:?}, written {writing:?}, read back {reading:?}", bytes.len() >> 20);
    assert!(writing < raw * 8, "{writing:?} is long next to {raw:?}");
    assert!(reading < Duration::from_secs(2), "{reading:?}");
}
