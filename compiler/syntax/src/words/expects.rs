//! Words of `expect`: subjects, matchers, and options.

use super::word::Class::{self, Ignored, Option, PlannedOption, Slice, Subject};
use super::word::{Word, words_of};
use model::suite::Matcher;
use model::suite::matchers::Takes;

/// The table row of a matcher.
const fn matcher(matcher: Matcher) -> Word {
    let record = matcher.record();
    let class = if matches!(record.takes, Takes::Nothing) { Class::State } else { Class::Matcher };
    let word = Word::new(class, record.snippet, record.doc);
    if matcher.needs_file() { word.files_only() } else { word }
}

/// The matchers, in the order of their table.
pub(super) const MATCHERS: &[Word] = words_of!(Matcher::ALL, |one| matcher(*one));

pub(super) const SUBJECTS: &[Word] = &[
    Word::new(Subject, "reply ", "The whole reply, or a part: `last line`, `after \"…\"`, `fenced`, `in \"…\"`."),
    Word::new(Subject, "file \"${1:answer.txt}\" ", "A file's content."),
    Word::new(Subject, "files [\"${1:a.txt}\"]", "All these files are there; takes no matcher."),
    Word::new(Subject, "tree [\"${1:folder/}\"]", "All these files and folders are there; takes no matcher."),
    Word::new(
        Subject,
        "tree only [\"${1:out.txt}\"]",
        "These files and folders are there, and no other new ones; takes no matcher.",
    )
    .label("tree only"),
    Word::new(Slice, "last line ", "The last line that is not blank.").label("last line"),
    Word::new(Slice, "after \"${1:Answer:}\" ", "The text after the last occurrence of this text."),
    Word::new(Slice, "fenced ", "The last fenced block, of a language with `fenced \"sql\"`."),
    Word::new(Slice, "in \"${1:answer}\" ", "What is in this tag, or between two texts: `in \"[[\"..\"]]\"`."),
    Word::new(Slice, "at \"\\$.${1:key}\" ", "The one value at this place of the JSON."),
];

pub(super) const OPTIONS: &[Word] = &[
    Word::new(
        Option,
        "within ${1:0.01}",
        "This far off is right, ends included; a share is one of the expected value.",
    )
    .takes()
    .reserved(),
    Word::new(Option, "rounded ${1:2}", "Right within half a unit of this place; the target shows it rounded.")
        .takes()
        .reserved(),
    Word::new(
        Option,
        "graded ",
        "A number that is not right earns 1 / (1 + its relative error); in a list, `above 0.9` says which grade is right.",
    ),
    Word::new(Option, "written \"${1:dd.MM.yyyy}\"", "Another form in which a number or date may be written.").takes(),
    Word::new(Option, "unit \"${1:%}\"", "The number may carry this unit, and no other.").takes(),
    Word::new(
        Option,
        "ignore ${1:case}",
        "Differences in `case`, `space`, `punctuation` do not count; of a `database`, these tables and columns.",
    )
    .takes()
    .reserved(),
    Word::new(Option, "trap ", "The values that mistakes give: scores name the one that a wrong answer is equal to.")
        .takes(),
    Word::new(
        Option,
        "among ${1:TABLE.COLUMN}",
        "No other value of this list or column is in the text; a longer value hides a shorter one in it.",
    )
    .takes(),
    Word::new(Option, "contains in ${1:COLUMN}", "A cell of these columns is right if it contains the expected text.")
        .label("contains in"),
    Word::new(Option, "matches in ${1:COLUMN}", "A cell of these columns is right if it matches the expected pattern.")
        .label("matches in"),
    Word::new(Option, "accepts ", "Tests of the expectation: these answers must be right. A text is the whole reply.")
        .takes(),
    Word::new(Option, "rejects ", "Tests of the expectation: these answers must be wrong. A text is the whole reply.")
        .takes(),
    Word::new(Option, "ordered", "Order counts.").reserved(),
    Word::new(
        Option,
        "ordered by ${1:COLUMN}",
        "The rows are ordered by these columns (`desc`: the largest first); equal ones may be in any order.",
    )
    .label("ordered by"),
    Word::new(Option, "unordered", "Order does not count."),
    Word::new(Option, "open", "Objects may hold keys, and rows columns, that are not expected."),
    Word::new(Option, "weight ${1:2}", "Its share of the score; 1 without it.").takes().reserved(),
    Word::new(Option, "gate", "If it fails, the score is 0."),
    Word::new(Option, "schema", "Types, constraints, keys, and indexes of a `database` must be as at the start, too."),
    Word::new(Ignored, "case", ""),
    Word::new(Ignored, "space", ""),
    Word::new(Ignored, "punctuation", ""),
    // Planned.
    Word::new(PlannedOption, "judged", ""),
];
