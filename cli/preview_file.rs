//! The beginning of a file in a sandbox, for people.

use model::value::group_digits;
use std::fmt::Write as _;

use runtime::generate::SandboxFile;
use sqlite::render::{TableHead, read_table_heads};
use sqlite::state::is_database_file;

/// The number of shown lines or rows.
const HEAD: usize = 5;

/// The number of shown characters of a line or cell.
const WIDE: usize = 96;

/// Appends the path, the size, and the beginning of the file. Writing to a String cannot fail.
pub fn write_file_head(out: &mut String, file: &SandboxFile) {
    let _ = write!(out, "  {}   (", file.path);
    if is_database_file(&file.bytes)
        && let Some(text) = render_database(&file.bytes)
    {
        let _ = writeln!(out, "SQLite, {} bytes)\n{}", group_digits(file.bytes.len() as u64), text.trim_end());
        return;
    }
    if let Some(text) = render_parquet(file) {
        out.push_str(&text);
        return;
    }
    match std::str::from_utf8(&file.bytes) {
        Ok(text) if !text.contains('\0') => {
            let rows = model::Format::from_path(&file.path).is_some_and(|own| own.is_cells() && !own.has_keys());
            let (count, what) =
                if rows { (count_records(text).saturating_sub(1), "row") } else { (text.lines().count(), "line") };
            let _ = writeln!(out, "{}, {} bytes)", count_grouped(count as u64, what), group_digits(text.len() as u64));
            let head = HEAD + usize::from(rows);
            for line in text.lines().take(head) {
                let _ = writeln!(out, "    {}", truncate_line(line));
            }
            if text.lines().nth(head).is_some() {
                out.push_str("    …\n");
            }
        }
        _ => {
            let _ = writeln!(out, "{} bytes)", group_digits(file.bytes.len() as u64));
        }
    }
}

/// Formats a number with grouped digits and its noun, such as `1,200 rows`.
pub fn count_grouped(number: u64, what: &str) -> String {
    format!("{} {what}{}", group_digits(number), if number == 1 { "" } else { "s" })
}

fn truncate_line(line: &str) -> String {
    let line: String = line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
    if line.chars().count() <= WIDE { line } else { line.chars().take(WIDE - 1).chain(['…']).collect() }
}

/// Counts the records of a CSV text: line breaks outside quotes, and a last line without a line break.
fn count_records(text: &str) -> usize {
    let mut quoted = false;
    let breaks = text
        .bytes()
        .filter(|byte| {
            quoted ^= *byte == b'"';
            *byte == b'\n' && !quoted
        })
        .count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Renders the first rows of a Parquet file, by its path; `None` for another one, and if it cannot be read.
fn render_parquet(file: &SandboxFile) -> Option<String> {
    let format = model::Format::from_path(&file.path).filter(|format| *format == model::Format::Parquet)?;
    let records = tables::read_records(&tables::Layout::from_format(format), &file.path, &file.bytes).ok()?;
    let (rows, bytes) = (count_grouped(records.rows.len() as u64, "row"), group_digits(file.bytes.len() as u64));
    let mut out = format!("{rows}, {bytes} bytes)\n");
    let cells = records.rows.iter().take(HEAD).map(|row| {
        let cells = row.cells.iter().map(|cell| cell.render_cell().into_owned());
        cells.collect::<Vec<_>>()
    });
    for cells in std::iter::once(records.header.clone()).chain(cells) {
        let _ = writeln!(out, "    {}", truncate_line(&cells.join(" | ")));
    }
    if records.rows.len() > HEAD {
        out.push_str("    …\n");
    }
    Some(out)
}

/// Renders every table with its number of rows and its first rows; `None` if the file cannot be read, because it may be a copy of anything.
fn render_database(bytes: &[u8]) -> Option<String> {
    let mut out = String::new();
    for TableHead { name, count, columns, rows } in read_table_heads(bytes, HEAD as u64).ok()? {
        let count = count.parse().ok()?;
        let _ = writeln!(out, "    {name}   ({})", count_grouped(count, "row"));
        for cells in [columns].into_iter().chain(rows) {
            let _ = writeln!(out, "      {}", truncate_line(&cells.join(" | ")));
        }
        if count > HEAD as u64 {
            out.push_str("      …\n");
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use sqlite::Database;

    use super::*;

    fn shown(path: &str, bytes: &[u8]) -> String {
        let mut out = String::new();
        write_file_head(&mut out, &SandboxFile { path: path.into(), bytes: bytes.to_vec().into() });
        out
    }

    #[test]
    fn texts_and_rows() {
        assert_eq!(shown("a.txt", b"one\ntwo\n"), "  a.txt   (2 lines, 8 bytes)\n    one\n    two\n");
        let csv = format!("A,B\n{}", "1,\"x\ny\"\n".repeat(1200));
        let text = shown("d/a.csv", csv.as_bytes());
        assert!(text.starts_with("  d/a.csv   (1,200 rows, 9,604 bytes)\n    A,B\n"), "{text}");
        assert!(text.ends_with("    …\n"));
        assert_eq!(shown("x.bin", b"\xff\0"), "  x.bin   (2 bytes)\n");
        assert_eq!(shown("empty", b""), "  empty   (0 lines, 0 bytes)\n");
    }

    #[test]
    fn databases() {
        let mut database = Database::new_empty(&sqlite::TOOL).expect("opens");
        let made =
            "CREATE TABLE \"a b\" (N INTEGER PRIMARY KEY, T TEXT); INSERT INTO \"a b\" VALUES (1, 'x'), (2, NULL)";
        database.connection().execute_batch(made).expect("runs");
        let bytes = database.to_bytes().expect("serializes");
        let text = shown("s.db", &bytes);
        assert!(text.ends_with("bytes)\n    a b   (2 rows)\n      N | T\n      1 | x\n      2 | null\n"), "{text}");
    }
}
