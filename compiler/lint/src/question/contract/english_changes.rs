//! English words for changes of files and rows.

use super::language::Changes;

/// English.
pub(super) const CHANGES: Changes = Changes {
    moving: &["move", "rename", "relocate"],
    copying: &["copy", "duplicate"],
    removing: &["delete", "remove", "erase", "drop", "discard", "purge"],
    adding: &["add", "insert", "append", "enter"],
    updating: &[
        "raise", "increase", "lower", "reduce", "decrease", "set", "update", "multiply", "double", "halve", "cut", "rename",
        "mark", "round", "replace", "reset",
    ],
    sequence: &["then", "afterwards", "afterward", "thereafter", "next", "finally", "second", "subsequently"],
    rows: &["row", "rows", "record", "records", "entry", "entries", "line", "lines"],
    tables: &["table", "tables"],
    refusing: &["not", "never", "without", "don't", "no", "nor", "neither"],
    articles: &["the", "a", "an", "file", "of", "and", "its", "this", "document", "log"],
};
