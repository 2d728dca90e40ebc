//! Formats of files, and how they are written and read.

use super::Class::{self, Reading, Writing};
use super::{Head, Word};
use crate::ast::Format;

/// The formats, from their records.
pub(super) const FORMATS: &[Word] = &{
    let mut words = [Word::plain(Class::Format, "", ""); Format::ALL.len()];
    let mut at = 0;
    while at < words.len() {
        let (word, record) = (Format::ALL[at].word(), Format::ALL[at].record());
        words[at] = Word::new(Class::Format, word, record.snippet, record.doc).head(Head::Path);
        at += 1;
    }
    words
};

pub(super) const WORDS: &[Word] = &[
    Word::new(Writing, "delimiter", "delimiter \"${1:;}\"", "The character between cells."),
    Word::plain(Writing, "quoted", "Every cell in quotes."),
    Word::plain(Writing, "crlf", "Lines end in `\\r\\n`."),
    Word::plain(Writing, "bom", "The file begins with a byte order mark."),
    Word::new(Reading, "delimiter", "delimiter \"${1:;}\"", "The character between cells."),
    Word::new(Reading, "sheet", "sheet \"${1:Sheet1}\"", "Which sheet of a workbook."),
];
