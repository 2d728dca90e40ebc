//! Domains, and the words before, in, and after them.

use super::Class::{self, Argument, Constructor, Form};
use super::Word;
use crate::ast::{Modifier, SuffixKind};
use model::distribution::FAMILIES;
use model::domain::LoremUnit;

const fn modifier(modifier: Modifier, snippet: &'static str, doc: &'static str) -> Word {
    Word::new(Class::Modifier, modifier.word(), snippet, doc).takes()
}

const fn suffix(suffix: SuffixKind, snippet: &'static str, doc: &'static str) -> Word {
    Word::new(Class::Suffix, suffix.word(), snippet, doc).takes()
}

const fn unit(unit: LoremUnit) -> Word {
    Word::plain(Class::Unit, unit.word(), "")
}

pub(super) const WORDS: &[Word] = &[
    modifier(Modifier::Unique, "unique ", "No value twice in the column."),
    modifier(Modifier::Distinct, "distinct ", "The names drawn together differ."),
    modifier(Modifier::Sorted, "sorted ", "The column ascends."),
    suffix(SuffixKind::Blank, "blank ${1:5}%", "The share of values that are null."),
    suffix(SuffixKind::Except, "except ${1:\"value\"}", "All values but these.").reserved(),
    suffix(SuffixKind::Step, "step ${1:10}", "Only values this far apart."),
    // The domains, each with an example.
    Word::new(Constructor, "int", "int 1..100 step 5", "").takes(),
    Word::new(Constructor, "decimal", "decimal 0.50..99.99", "").takes(),
    Word::new(Constructor, "date", "date 2024-01-01..2024-12-31", ""),
    Word::new(Constructor, "datetime", "datetime 2024-01-01T00:00..2024-12-31T23:59 step 1 hours", "").takes(),
    Word::new(Constructor, "bool", "bool 80%", ""),
    Word::new(Form, "one_of", "one_of [\"a\", \"b\"]", "One value of a list, each as likely.").takes(),
    Word::new(Form, "weighted", "weighted [\"a\": 3, \"b\": 1]", "One value of a list, each with its weight.").takes(),
    Word::new(Form, "pattern", "pattern \"[A-Z]{3}-[0-9]{4}\"", "A text that fits a regular expression.").takes(),
    Word::new(
        Form,
        "template",
        "template \"<<first_name>> <<last_name>>\"",
        "A text whose placeholders are drawn from domains.",
    )
    .takes(),
    Word::new(Constructor, "serial", "serial", ""),
    Word::new(Form, "ref", "ref customers.ID", "A value of a column of another table.").takes(),
    Word::new(Form, "lorem", "lorem lines 20..40", "Prose of as many words, sentences, paragraphs, or lines.").takes(),
    Word::new(Constructor, "zipf", "zipf 100", ""),
    Word::plain(Argument, "mean", "").takes(),
    Word::plain(Argument, "sd", "").takes(),
    Word::plain(Argument, "exactly", "The number of rows of the table that are true; the others are false.").takes(),
    unit(LoremUnit::Words),
    unit(LoremUnit::Sentences),
    unit(LoremUnit::Paragraphs),
    unit(LoremUnit::Lines),
];

/// The distributions, from their records.
pub(super) const DISTRIBUTIONS: &[Word] = &{
    let mut words = [Word::plain(Constructor, "", ""); FAMILIES.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = Word::new(Constructor, FAMILIES[at].name, FAMILIES[at].example, "");
        at += 1;
    }
    words
};
