//! Words of `expect`: what is looked at, how it is compared, and the options of that.

use super::Class::{self, Option, Slice, Subject};
use super::Word;
use plan::suite::{Ignore, Matcher};

const fn matcher(matcher: Matcher, snippet: &'static str, doc: &'static str) -> Word {
    Word::new(Class::Matcher, matcher.word(), snippet, doc)
}

const fn state(matcher: Matcher, doc: &'static str) -> Word {
    Word::plain(Class::State, matcher.word(), doc).files_only()
}

const fn ignored(ignore: Ignore) -> Word {
    Word::plain(Class::Ignored, ignore.word(), "")
}

pub(super) const WORDS: &[Word] = &[
    Word::new(Subject, "reply", "reply ", "The whole reply, or a part: `last line`, `after \"…\"`, `fenced`."),
    Word::new(Subject, "file", "file \"${1:answer.txt}\" ", "A file's content."),
    Word::new(Subject, "files", "files [\"${1:a.txt}\"]", "All these files are there; takes no matcher."),
    Word::new(Subject, "tree", "tree [\"${1:folder/}\"]", "All these files and folders are there; takes no matcher."),
    Word::new(Slice, "last", "last line ", "The last line that is not blank.").label("last line"),
    Word::new(Slice, "after", "after \"${1:Answer:}\" ", "The text after the last occurrence of this text."),
    Word::new(Slice, "fenced", "fenced ", "The last fenced block, of a language with `fenced \"sql\"`."),
    matcher(Matcher::Text, "text ", "The same text after cleaning."),
    matcher(Matcher::Contains, "contains ", "The text appears there, at word boundaries."),
    matcher(Matcher::Matches, "matches \"${1:regular expression}\"", "A regular expression that fits."),
    matcher(Matcher::Number, "number ", "Exactly one number, equal to it."),
    matcher(
        Matcher::Json,
        "json {\n  ${1:key}: ${2:value},\n}",
        "The same JSON: no other keys unless `open`; arrays are ordered unless `unordered`.",
    ),
    matcher(Matcher::List, "list ", "The same items, in any order unless `ordered`."),
    matcher(Matcher::Rows, "rows ", "The same rows, in any order unless `ordered`."),
    matcher(
        Matcher::Bytes,
        "bytes ",
        "The file is this text, byte for byte; the name of a declared file means its content.",
    )
    .files_only(),
    matcher(Matcher::Sql, "sql ${1:database} ", "The reply is SQL that gives these rows."),
    matcher(Matcher::Database, "database ", "The database is in this state, as `<<after: DB, …>>` gives it.")
        .files_only(),
    state(Matcher::Exists, "The file is there."),
    state(Matcher::Absent, "The file is not there."),
    state(Matcher::Unchanged, "The file is as it was given."),
    Word::new(
        Option,
        "within",
        "within ${1:0.01}",
        "This far off is right, ends included; a share is one of the expected value.",
    )
    .takes()
    .reserved(),
    Word::new(
        Option,
        "rounded",
        "rounded ${1:2}",
        "Right within half a unit of this place; the target shows it rounded.",
    )
    .takes()
    .reserved(),
    Word::new(Option, "unit", "unit \"${1:%}\"", "The number may carry this unit, and no other.").takes(),
    Word::new(Option, "ignore", "ignore ${1:case}", "Differences in `case`, `space`, `punctuation` do not count.")
        .takes()
        .reserved(),
    Word::plain(Option, "ordered", "Order counts.").reserved(),
    Word::plain(Option, "unordered", "Order does not count."),
    Word::plain(Option, "open", "Objects may hold keys that are not expected."),
    Word::new(Option, "weight", "weight ${1:2}", "Its share of the score; 1 without it.").takes().reserved(),
    Word::plain(Option, "gate", "If it fails, the score is 0."),
    ignored(Ignore::Case),
    ignored(Ignore::Space),
    ignored(Ignore::Punctuation),
];
