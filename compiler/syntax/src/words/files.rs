//! Formats of files, and options for reading and writing them.

use super::heads::Head;
use super::word::Class::{self, Body, Reading, Style, Writing};
use super::word::{Word, words_of};
use crate::ast::Format;
use model::text_style::TextStyle;

/// The formats, from their records.
pub(super) const FORMATS: &[Word] = words_of!(Format::ALL, |format| {
    Word::new(Class::Format, format.record().snippet, format.record().doc).head(Head::Path)
});

/// The styles of texts, from their records.
pub(super) const TEXT_STYLES: &[Word] =
    words_of!(TextStyle::ALL, |style| Word::new(Style, style.record().snippet, style.record().doc));

pub(super) const WORDS: &[Word] = &[
    Word::new(Writing, "delimiter \"${1:;}\"", "The character between cells."),
    Word::new(Writing, "encoding \"${1:windows-1252}\"", "How characters are written as bytes; UTF-8 without it."),
    Word::new(Writing, "above \"${1:Title}\\n\"", "Lines before the table."),
    Word::new(Writing, "below \"\\n${1:Source: …}\"", "Lines after the table."),
    Word::new(Writing, "header ${1:2}", "How many rows the header has: 0, 1, or 2."),
    Word::new(Writing, "quoted", "Every cell in quotes."),
    Word::new(Writing, "crlf", "Lines end in `\\r\\n`."),
    Word::new(Writing, "bom", "The file begins with a byte order mark."),
    Word::new(Reading, "delimiter \"${1:;}\"", "The character between cells."),
    Word::new(Reading, "encoding \"${1:windows-1252}\"", "How characters are written as bytes; UTF-8 without it."),
    Word::new(Reading, "header ${1:2}", "How many rows the header has: 0, 1, or 2."),
    Word::new(Reading, "skip ${1:2}", "What precedes the header: N records, or all up to the one with this field."),
    Word::new(
        Reading,
        "until ${1:blank}",
        "Where the rows end: before a blank record, or before one that begins with this text.",
    ),
    Word::new(Reading, "sheet \"${1:Sheet1}\"", "Which sheet of a workbook."),
    Word::new(Reading, "missing [${1:\"NA\", \"\"}]", "The fields that are null, in every column."),
    // The styles and positions of a column's fields.
    Word::new(
        Style,
        "written \"${1:#,##0.00}\"",
        "How the fields of a column are written. `0.00;(0.00)` has a form for numbers below 0, and `times 1_000` multiplies what is read. `%` after the digits divides by 100: `0%` reads `50%` as 0.5. `yy` is a year between the bounds, or of 1970 to 2069.",
    ),
    Word::new(Style, "missing [${1:\"NA\"}]", "The fields of a column that are null."),
];

/// What else is in the body of a table that is read.
pub(super) const UNPIVOT: &[Word] = &[Word::new(
    Body,
    "unpivot ${1:MONTH}, ${2:VALUE} : ${3:decimal} from \"${4:January}\"..\"${5:December}\"",
    "A row for each of several headers: the header in one column, the field below it in another.",
)];
