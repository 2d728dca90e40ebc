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

/// Words after a verb that refer to the file of the sentence before.
pub const BACK_TO_FILE: &[&str] = &["this file", "that file", "the file", "this document", "that document"];

/// The same, and a word that can also refer to something in the file.
pub const BACK_TO_IT: &[&str] = &["this file", "that file", "the file", "this document", "that document", "it"];

/// Words of prompts that ask what a change would do, without making it.
pub const HYPOTHETICAL: &str = "would, if, suppose, supposing, assume, assuming, imagine, hypothetical, hypothetically, dry run, simulate, plan, planned, \
    without changing, without writing, do not change, don't change, do not write, do not modify, do not touch, must not change, leave the database";

/// Phrases that leave rows out of a change.
pub const SPARING: &[&str] = &[
    "but not",
    "except",
    "excepting",
    "excluding",
    "unless",
    "other than",
    "apart from",
    "aside from",
    "spare",
    "with no",
    "have no",
    "has no",
    "without a",
    "without an",
    "without any",
    "do not have",
    "don't have",
];

/// Phrases before rows that are left out of a change.
pub const SPARING_ROWS: &[&str] =
    &["but not", "except", "excepting", "excluding", "other than", "apart from", "aside from", "but spare", "but skip"];

/// Words between such a phrase and a value.
pub const SPARED_ARTICLES: &[&str] = &["the", "those", "for", "that", "which", "are", "any", "all", "ones", "of"];

/// Phrases that ask for a replacement of all digits, wherever they are.
pub const EVERYWHERE: &str = "every, each, all, any, everywhere, wherever, anywhere, digit, digits, character, characters, occurrence, occurrences, throughout, \
    find and replace, search and replace, literally";

/// Words for rows that stay.
pub const STAYING: &[&str] = &[
    "keep",
    "keeps",
    "keeping",
    "kept",
    "stay",
    "stays",
    "remain",
    "remains",
    "leave",
    "leaving",
    "left",
    "retain",
    "except",
    "excepting",
    "excluding",
    "but",
    "other",
    "others",
    "unless",
    "apart",
    "only",
    "instead",
    "still",
    "older",
    "newer",
    "younger",
];

/// Words by which a moment is moved to the future.
pub const POSTPONING: &[&str] = &[
    "later",
    "postpone",
    "postponed",
    "extend",
    "extended",
    "delay",
    "delayed",
    "defer",
    "deferred",
    "prolong",
    "prolonged",
];

/// Words by which a moment is moved to the past.
pub const ADVANCING: &[&str] = &["earlier", "advance", "advanced", "forward", "sooner"];

/// Words around them where they compare: "later than", "or later".
pub const COMPARING: &[&str] = &["than", "or", "and", "if", "no", "not"];

/// Beginnings of words for what is deleted.
pub const REMOVALS: &[&str] = &[
    "delet", "remov", "eras", "drop", "discard", "purg", "clear", "retir", "weed", "prun", "cancel", "rid", "scrap",
    "withdraw", "destroy", "wip", "clean", "dispos", "expir", "gone", "longer", "forget", "strike", "struck", "empt",
    "away", "throw", "keep", "kept", "only", "take", "trim", "evict", "dedup", "duplicat", "out", "revok", "unlist",
    "leave", "merge", "move", "cut",
];

/// Words between a column and its new value.
pub const BECOMING: &[&str] = &["becomes", "become", "to", "as"];

/// Words between a column and its value in a new row.
pub const VALUE_LINKS: &[&str] = &["is", "=", ":", "of", "as"];

/// Parts of names and values that mark a deleted row.
pub const REMOVAL_MARKS: &[&str] =
    &["delet", "remov", "archiv", "hidden", "gone", "activ", "valid", "flag", "void", "cancel"];
