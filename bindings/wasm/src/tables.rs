//! The beginning of a file in a sandbox, for people: a text, or the tables of a database.

use serde_json::{Value, json};
use sqlite::render::{TableHead, read_table_heads};
use sqlite::state::is_database_file;

/// The maximum size of a shown text, in bytes.
const MAX_TEXT: usize = 60_000;

/// The maximum number of shown rows of a table.
const MAX_ROWS: u64 = 100;

/// Encodes the contents of a file: `{"kind": "text", "text", "cut"}`, `{"kind": "database", "tables"}`, or `{"kind": "binary"}`.
pub fn encode_content(path: &str, bytes: &[u8]) -> Value {
    if is_database_file(bytes)
        && let Ok(heads) = read_table_heads(bytes, MAX_ROWS)
    {
        let table = |TableHead { name, count, columns, rows }| json!({ "name": name, "count": count, "columns": columns, "rows": rows });
        let tables: Vec<Value> = heads.into_iter().map(table).collect();
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
