//! Every cell of the real files of KramaBench, as Python reads it. Skipped without `PICARDC_KRAMA`, the folder they are in.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::workbook::Book;

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
}

/// The files of an ending; none where they are not there.
fn krama(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    match std::env::var_os("PICARDC_KRAMA") {
        Some(folder) => files(Path::new(&folder), ending, &mut found),
        None => eprintln!("skipped: PICARDC_KRAMA names no folder"),
    }
    found
}

/// The records that Python reads from a file, as JSON.
fn python(program: &str, script: &str, arguments: &[&str]) -> Option<serde_json::Value> {
    let output = Command::new(program).args(["-c", script]).args(arguments).output().ok()?;
    if !output.status.success() {
        eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

fn codec(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Windows1252 => "cp1252",
        Encoding::Utf8 => "utf-8-sig",
        other => other.word(),
    }
}

#[test]
fn csv_files_are_read_as_python_reads_them() {
    let script = "import csv, json, sys\ncsv.field_size_limit(1 << 30)\n\
                  rows = csv.reader(open(sys.argv[1], newline='', encoding=sys.argv[2]))\n\
                  print(json.dumps([[c.strip() for c in r] for r in rows]))";
    let (mut count, mut cells) = (0, 0);
    for path in krama("csv") {
        let bytes = fs::read(&path).expect("a file");
        let encoding = *Encoding::list_fitting(&bytes).first().expect("an encoding");
        let text = encoding.decode(&bytes).expect("a text");
        let grid = delimited::read_grid(&text, b',').unwrap_or_else(|wrong| panic!("{}: {wrong:?}", path.display()));
        let mut all: Vec<Vec<String>> = Vec::new();
        for entry in &grid.entries {
            all.extend((0..entry.gap).map(|_| Vec::new()));
            all.push(entry.cells.iter().map(|cell| cell.render_cell().into_owned()).collect());
        }
        all.extend((0..grid.gap).map(|_| Vec::new()));
        let theirs = python("python3", script, &[path.to_str().expect("UTF-8"), codec(encoding)]);
        let Some(theirs) = theirs else { return };
        cells += all.iter().map(Vec::len).sum::<usize>();
        assert!(serde_json::to_value(&all).expect("JSON") == theirs, "{}", path.display());
        count += 1;
    }
    eprintln!("{count} CSV files, {cells} cells");
}

#[test]
fn workbooks_are_read_as_openpyxl_reads_them() {
    // A number is its double; a day its midnight.
    let script = r#"
import datetime, json, sys
import openpyxl
def cell(c):
    v = c.value
    if v is None: return ""
    if isinstance(v, bool): return str(v).lower()
    if isinstance(v, (int, float)): return float(v)
    if isinstance(v, datetime.datetime): return v.isoformat()
    return str(v).strip()
book = openpyxl.load_workbook(sys.argv[1], data_only=True)
print(json.dumps({s.title: [[cell(c) for c in r] for r in s.iter_rows(min_row=1, min_col=1)] for s in book.worksheets}))
"#;
    let venv = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/readers-venv/bin/python");
    let program = if Path::new(venv).exists() { venv } else { "python3" };
    let (mut sheets, mut cells) = (0, 0);
    for path in krama("xlsx") {
        let Some(theirs) = python(program, script, &[path.to_str().expect("UTF-8")]) else { return };
        let bytes = fs::read(&path).expect("a file");
        for name in Book::open(&bytes).expect("a workbook").sheets() {
            let grid = workbook::read_grid(Some(name), &bytes).expect("a sheet");
            let rows = theirs[name].as_array().expect("a sheet");
            let mut line = 0_usize;
            let mut full = 0_usize;
            for entry in &grid.entries {
                line = entry.line as usize;
                for (place, cell) in entry.cells.iter().enumerate() {
                    let theirs = &rows[line - 1][place];
                    let same = match cell {
                        Raw::Text(text) => theirs == text.as_ref(),
                        Raw::Value(model::Value::Bool(_)) => theirs == cell.render_cell().as_ref(),
                        Raw::Value(value) => match value.as_f64() {
                            Some(number) => theirs.as_f64() == Some(number),
                            None => {
                                theirs.as_str().is_some_and(|theirs| theirs.starts_with(cell.render_cell().as_ref()))
                            }
                        },
                        Raw::Odd(_) => theirs.as_str().is_some_and(|theirs| theirs.starts_with('#')),
                    };
                    assert!(same, "{}, {name}, line {line}, place {place}: {cell:?}, {theirs}", path.display());
                    full += usize::from(!cell.is_blank());
                }
            }
            let blank = |cell: &serde_json::Value| cell == "";
            let filled = rows.iter().flat_map(|row| row.as_array().expect("a row")).filter(|cell| !blank(cell)).count();
            assert_eq!(full, filled, "{}, {name}, up to line {line}", path.display());
            (sheets, cells) = (sheets + 1, cells + full);
        }
    }
    eprintln!("{sheets} sheets, {cells} cells");
}
