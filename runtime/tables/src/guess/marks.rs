//! The usual marks of fields that are missing: a frozen list. A word that may be a value of some column is not one of them: `None` of a count is 0,
//! `X` is a chromosome, and `Max` may be a name.

/// In lower case.
const MARKS: [&str; 28] = [
    "",
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "..",
    "...",
    "…",
    "*",
    "?",
    "#n/a",
    "(null)",
    "<na>",
    "k. a.",
    "k.a.",
    "n. a.",
    "n.a.",
    "n/a",
    "n.v.",
    "na",
    "nan",
    "not applicable",
    "not available",
    "not reported",
    "null",
    "tbd",
];

/// Whether a text, in any letter case, is a usual mark of a missing field; the empty one is.
pub fn is_mark(text: &str) -> bool {
    let text = text.trim();
    // No mark is longer.
    text.len() <= 16 && MARKS.contains(&text.to_lowercase().as_str())
}
