//! The words of the language, by what they do.

/// Reserved everywhere (but for column names and JSON keys).
pub(super) const RESERVED: &[&str] = &[
    "and", "or", "not", "in", "if", "then", "else", "where", "except", "true", "false", "null", "at", "from", "within", "rounded", "ignore",
    "ordered", "weight",
];

/// What starts a statement of a task.
pub(super) const STATEMENTS: &[&str] = &[
    "csv", "tsv", "sqlite", "json", "yaml", "xml", "text", "xlsx", "file", "table", "prompt", "require", "expect", "variant", "axis", "samples",
    "clutter", "folder", "tags", "allow",
];

/// What starts an item of a file.
pub(super) const ITEMS: &[&str] = &["suite", "use", "domain", "table", "task"];

/// The formats of a file.
pub(super) const FORMATS: &[&str] = &["csv", "tsv", "sqlite", "json", "yaml", "xml", "text", "xlsx", "file"];

/// Forms that are planned.
pub(super) const LATER: &[&str] = &["lake", "stage", "trials"];

/// Whether a word starts a statement or item, now or later.
pub(super) fn is_head(word: &str) -> bool {
    STATEMENTS.contains(&word) || ITEMS.contains(&word) || LATER.contains(&word)
}
