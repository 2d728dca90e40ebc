//! Words of `expect`: subjects, matchers, and options.

use super::Class::{self, Option, PlannedOption, Slice, Subject};
use super::Word;
use model::suite::matchers::{Reads, Takes};
use model::suite::{Ignore, Matcher};

/// The table row of a matcher.
const fn matcher(matcher: Matcher) -> Word {
    let record = matcher.record();
    let class = if matches!(record.takes, Takes::Nothing) { Class::State } else { Class::Matcher };
    let word = Word::new(class, matcher.word(), record.snippet, record.doc);
    if matches!(record.reads, Reads::File) { word.files_only() } else { word }
}

/// The matchers, in the order of their table.
pub(super) const MATCHERS: &[Word] = &{
    let mut rows = [matcher(Matcher::ALL[0]); Matcher::ALL.len()];
    let mut at = 1;
    while at < rows.len() {
        rows[at] = matcher(Matcher::ALL[at]);
        at += 1;
    }
    rows
};

const fn ignored(ignore: Ignore) -> Word {
    Word::plain(Class::Ignored, ignore.word(), "")
}

pub(super) const SUBJECTS: &[Word] = &[
    Word::new(Subject, "reply", "reply ", "The whole reply, or a part: `last line`, `after \"…\"`, `fenced`."),
    Word::new(Subject, "file", "file \"${1:answer.txt}\" ", "A file's content."),
    Word::new(Subject, "files", "files [\"${1:a.txt}\"]", "All these files are there; takes no matcher."),
    Word::new(Subject, "tree", "tree [\"${1:folder/}\"]", "All these files and folders are there; takes no matcher."),
    Word::new(
        Subject,
        "tree",
        "tree only [\"${1:out.txt}\"]",
        "These files and folders are there, and no other new ones; takes no matcher.",
    )
    .label("tree only"),
    Word::new(Slice, "last", "last line ", "The last line that is not blank.").label("last line"),
    Word::new(Slice, "after", "after \"${1:Answer:}\" ", "The text after the last occurrence of this text."),
    Word::new(Slice, "fenced", "fenced ", "The last fenced block, of a language with `fenced \"sql\"`."),
    Word::new(Slice, "at", "at \"\\$.${1:key}\" ", "The one value at this place of the JSON."),
];

pub(super) const OPTIONS: &[Word] = &[
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
    Word::new(
        Option,
        "graded",
        "graded ",
        "A number that is not right earns 1 / (1 + its relative error); in a list, `above 0.9` says which grade is right.",
    ),
    Word::new(Option, "unit", "unit \"${1:%}\"", "The number may carry this unit, and no other.").takes(),
    Word::new(
        Option,
        "ignore",
        "ignore ${1:case}",
        "Differences in `case`, `space`, `punctuation` do not count; of a `database`, these tables and columns.",
    )
    .takes()
    .reserved(),
    Word::new(
        Option,
        "trap",
        "trap ",
        "The values that mistakes give: scores name the one that a wrong answer is equal to.",
    )
    .takes(),
    Word::plain(Option, "ordered", "Order counts.").reserved(),
    Word::plain(Option, "unordered", "Order does not count."),
    Word::plain(Option, "open", "Objects may hold keys that are not expected."),
    Word::new(Option, "weight", "weight ${1:2}", "Its share of the score; 1 without it.").takes().reserved(),
    Word::plain(Option, "gate", "If it fails, the score is 0."),
    ignored(Ignore::Case),
    ignored(Ignore::Space),
    ignored(Ignore::Punctuation),
    // Planned.
    Word::plain(PlannedOption, "judged", ""),
];
