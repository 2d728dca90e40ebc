//! The words of the language, by what they do.

/// Reserved everywhere (but for column names and JSON keys).
pub(crate) const RESERVED: &[&str] = &[
    "and", "or", "not", "in", "if", "then", "else", "where", "except", "true", "false", "null", "at", "from", "within",
    "rounded", "ignore", "ordered", "weight",
];

/// What starts a statement of a task.
pub(super) const STATEMENTS: &[&str] = &[
    "csv", "tsv", "sqlite", "json", "yaml", "xml", "text", "xlsx", "file", "table", "prompt", "require", "expect",
    "variant", "axis", "samples", "clutter", "folder", "tags", "allow",
];

/// What starts an item of a file.
pub(super) const ITEMS: &[&str] = &["suite", "use", "domain", "table", "task"];

/// The formats of a file.
pub(crate) const FORMATS: &[&str] = &["csv", "tsv", "sqlite", "json", "yaml", "xml", "text", "xlsx", "file"];

/// What says that columns of a table belong together.
pub(super) const CONSTRAINTS: &[&str] = &["unique", "key", "index"];

/// Forms that are planned.
pub(super) const LATER: &[&str] = &["lake", "stage", "trials"];

/// Whether a word starts a statement or item, now or later.
pub(super) fn is_head(word: &str) -> bool {
    STATEMENTS.contains(&word) || ITEMS.contains(&word) || LATER.contains(&word)
}

/// Whether a line of text clearly starts a statement or item: a keyword and what only it has behind it. Prose hardly ever looks so.
pub(crate) fn starts_statement(line: &str) -> bool {
    let (head, rest) = first_word(line);
    let rest = rest.trim_start();
    let (second, behind) = first_word(rest);
    let behind = behind.trim_start();
    match head {
        "prompt" => rest.starts_with('"') || second == "one_of",
        "expect" => matches!(second, "reply" | "file" | "files" | "tree"),
        "task" | "suite" | "variant" => !second.is_empty() && behind.starts_with('{'),
        "table" => !second.is_empty() && (behind.starts_with(['{', ':']) || behind.starts_with("from ")),
        "axis" | "domain" => !second.is_empty() && behind.starts_with('='),
        "use" | "folder" => rest.starts_with('"'),
        "tags" => rest.starts_with('['),
        "samples" | "clutter" => rest.starts_with(|c: char| c.is_ascii_digit()),
        "allow" => !second.is_empty() && behind.starts_with('"'),
        _ if FORMATS.contains(&head) => !second.is_empty() && (behind.starts_with("at ") || behind.starts_with(": ")),
        _ => false,
    }
}

/// Splits the word at the start of a text from what stands behind it.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at(end)
}

/// Words that may start a line without starting a statement.
pub(crate) const CONTINUE: &[&str] = &[
    "unordered",
    "open",
    "unit",
    "gate",
    "step",
    "blank",
    "mean",
    "sd",
    "one_of",
    "any_of",
    "words",
    "sentences",
    "paragraphs",
    "lines",
    "line",
    "last",
    "after",
    "fenced",
    "contains",
    "matches",
    "number",
    "list",
    "rows",
    "bytes",
    "sql",
    "database",
    "exists",
    "absent",
    "unchanged",
    "unique",
    "distinct",
    "sorted",
];

/// The settings of a suite.
pub(super) const SETTINGS: &[&str] =
    &["title", "version", "description", "license", "authors", "samples", "canary", "tags", "edition", "allow"];

/// What is followed by a name and a block.
pub(super) const BLOCKS: &[&str] = &["suite", "table", "task", "variant"];
