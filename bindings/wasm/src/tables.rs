//! The beginning of a file in a sandbox, for people: a text, or the tables of a database.

use serde_json::{Value, json};
use sqlite::render::{TABLES, render_cell};
use sqlite::state::is_database_file;
use sqlite::{Database, FIXTURE, NoResult, run_query};

/// The maximum size of a shown text, in bytes.
const MAX_TEXT: usize = 60_000;

/// The maximum number of shown rows of a table.
const MAX_ROWS: u64 = 100;

/// Encodes the contents of a file: `{"kind": "text", "text", "cut"}`, `{"kind": "database", "tables"}`, or `{"kind": "binary"}`.
pub fn encode_content(path: &str, bytes: &[u8]) -> Value {
    if is_database_file(bytes)
        && let Ok(tables) = read_tables(bytes)
    {
        return json!({ "kind": "database", "tables": tables });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            let cut = text.floor_char_boundary(MAX_TEXT);
            let format = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            json!({ "kind": "text", "format": format, "text": text[..cut], "cut": cut < text.len() })
        }
        _ => json!({ "kind": "binary" }),
    }
}

/// Reads all tables, each with the number of rows and its first rows.
fn read_tables(bytes: &[u8]) -> Result<Vec<Value>, NoResult> {
    let database =
        Database::from_bytes(bytes, &FIXTURE).map_err(|error| NoResult::Database(sqlite::describe_error(&error)))?;
    let ask = |sql: &str| run_query(&database, sql, |value| Ok(render_cell(value)));
    let names = ask(TABLES)?.rows.into_iter().flatten();
    names
        .map(|name| {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            let count = ask(&format!("SELECT count(*) FROM {quoted}"))?;
            let head = ask(&format!("SELECT * FROM {quoted} LIMIT {MAX_ROWS}"))?;
            let count = count.rows.into_iter().flatten().next().unwrap_or_default();
            Ok(json!({ "name": name, "count": count, "columns": head.columns, "rows": head.rows }))
        })
        .collect()
}
