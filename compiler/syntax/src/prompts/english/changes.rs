//! English words for changes of files and rows.

use crate::prompts::Changes;

/// English.
pub const CHANGES: Changes = Changes {
    moving: &["move", "rename", "relocate"],
    copying: &["copy", "duplicate"],
    removing: &["delete", "remove", "erase", "drop", "discard", "purge"],
    adding: &["add", "insert", "append", "enter"],
    updating: &[
        "raise", "increase", "lower", "reduce", "decrease", "set", "update", "multiply", "double", "halve", "cut",
        "rename", "mark", "round", "replace", "reset", "scale", "bump", "adjust", "resize", "correct",
    ],
    raising: &["raise", "raised", "increase", "increased"],
    lowering: &["lower", "reduce", "reduced", "decrease", "decreased", "subtract", "deduct"],
    more: &[
        "add", "added", "plus", "higher", "more", "up", "later", "credit", "grow", "double", "above", "rise", "extend",
    ],
    less: &[
        "minus", "cut", "discount", "less", "down", "debit", "withdraw", "fewer", "earlier", "remove", "below", "drop",
        "negative", "shrink", "halve", "loss",
    ],
    setting: &["set"],
    marks: &["delet", "remov", "archiv", "activ", "hidden", "stat", "end", "until", "left", "gone", "valid", "flag"],
    every: &["all", "every", "each", "those", "any"],
    sequence: &["then", "afterwards", "afterward", "thereafter", "next", "finally", "second", "subsequently"],
    rows: &["row", "rows", "record", "records", "entry", "entries", "line", "lines"],
    tables: &["table", "tables"],
    refusing: &["not", "never", "without", "don't", "no", "nor", "neither"],
    rest: &[
        "change nothing else",
        "touch nothing else",
        "alter nothing else",
        "nothing else changes",
        "nothing else may change",
        "leave everything else",
        "keep everything else",
        "leave all else",
        "leave all other",
        "keep all other",
        "leave the rest",
        "keep the rest",
        "without changing anything else",
        "do not change anything else",
        "don't change anything else",
    ],
    articles: &["the", "a", "an", "file", "of", "and", "its", "this", "document", "log"],
};

/// Phrases of a sentence about rows that are not changed.
pub const KEPT_ROWS: &str = "stay as they are, remain as they are, are left as they are, leave them as they are, are not changed, stay unchanged, remain unchanged, \
    are left alone, are not touched, remain untouched, stay untouched, are left untouched, are skipped";
