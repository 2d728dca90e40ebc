//! Formats of files, and how they are written and read.

use super::Class::{self, Reading, Writing};
use super::{Head, Word};
use crate::ast::Format;

const fn format(format: Format, snippet: &'static str, doc: &'static str) -> Word {
    Word::new(Class::Format, format.word(), snippet, doc).head(Head::Path)
}

pub(super) const WORDS: &[Word] = &[
    format(
        Format::Csv,
        "csv ${1:name} at \"${2:name.csv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "A CSV file: rows and columns, a fixture, or a reusable table's columns.",
    ),
    format(
        Format::Tsv,
        "tsv ${1:name} at \"${2:name.tsv}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "A file of cells between tabs.",
    ),
    format(
        Format::Sqlite,
        "sqlite ${1:db} at \"${2:data.db}\" {\n  table ${3:orders} {\n    rows ${4:50}\n    ${5:ID} : serial\n  }\n}",
        "An SQLite database of one or more tables.",
    ),
    format(
        Format::Json,
        "json ${1:name} at \"${2:name.json}\" {\n  ${3:key} : ${4:word}\n}",
        "A JSON file of declared shape, or computed.",
    ),
    format(
        Format::Yaml,
        "yaml ${1:name} at \"${2:name.yaml}\" {\n  ${3:key} : ${4:word}\n}",
        "A YAML file of declared shape, or computed.",
    ),
    format(
        Format::Xml,
        "xml ${1:name} at \"${2:name.xml}\" ${3:root} {\n  ${4:element} : ${5:word}\n}",
        "An XML file of declared shape.",
    ),
    format(
        Format::Text,
        "text ${1:name} at \"${2:notes.txt}\" : ${3:lorem lines 100}",
        "A text: drawn, computed, or a line for each row.",
    ),
    format(
        Format::Xlsx,
        "xlsx ${1:name} at \"${2:book.xlsx}\" {\n  rows ${3:75}\n  ${4:COLUMN} : ${5:word}\n}",
        "An Excel workbook, one sheet a table.",
    ),
    format(
        Format::File,
        "file ${1:name} at \"${2:name}\" from \"${3:fixtures/name}\"",
        "A file that is copied in as it is.",
    ),
    Word::new(Writing, "delimiter", "delimiter \"${1:;}\"", "The character between cells."),
    Word::plain(Writing, "quoted", "Every cell in quotes."),
    Word::plain(Writing, "crlf", "Lines end in `\\r\\n`."),
    Word::plain(Writing, "bom", "The file begins with a byte order mark."),
    Word::new(Reading, "delimiter", "delimiter \"${1:;}\"", "The character between cells."),
    Word::new(Reading, "sheet", "sheet \"${1:Sheet1}\"", "Which sheet of a workbook."),
];
