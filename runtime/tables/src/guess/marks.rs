//! The usual marks of missing fields: a frozen list. Words that may be values of some column are excluded: `None` of a count is 0, `X` is a
//! chromosome, and `Max` may be a name.

/// The marks, in lower case.
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

/// Checks whether a text, in any letter case, is a usual mark of a missing field; the empty text is.
pub fn is_mark(text: &str) -> bool {
    let text = text.trim();
    // All marks are shorter.
    text.len() <= 16 && MARKS.contains(&text.to_lowercase().as_str())
}
