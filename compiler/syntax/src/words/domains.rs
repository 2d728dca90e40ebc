//! Domains, and the words before, in, and after them.

use super::word::Class::{Argument, Constructor, Form, Modifier, Suffix, Unit};
use super::word::{Word, words_of};
use model::distribution::{self, FAMILIES};

pub(super) const WORDS: &[Word] = &[
    Word::new(Modifier, "unique ", "No value twice in the column.").takes(),
    Word::new(Modifier, "distinct ", "The names drawn together differ.").takes(),
    Word::new(Modifier, "sorted ", "The column ascends.").takes(),
    Word::new(Suffix, "blank ${1:5}%", "The share of values that are null.").takes(),
    Word::new(Suffix, "except ${1:\"value\"}", "All values but these.").takes().reserved(),
    Word::new(Suffix, "step ${1:10}", "Only values this far apart.").takes(),
    // The domains, each with an example.
    Word::new(Constructor, "int 1..100 step 5", "").takes(),
    Word::new(Constructor, "decimal 0.50..99.99", "").takes(),
    Word::new(Constructor, "date 2024-01-01..2024-12-31", ""),
    Word::new(Constructor, "datetime 2024-01-01T00:00..2024-12-31T23:59 step 1 hours", "").takes(),
    Word::new(Constructor, "bool 80%", ""),
    Word::new(Form, "one_of [\"a\", \"b\"]", "One value of a list, each as likely.").takes(),
    Word::new(Form, "weighted [\"a\": 3, \"b\": 1]", "One value of a list, each with its weight.").takes(),
    Word::new(Form, "pattern \"[A-Z]{3}-[0-9]{4}\"", "A text that fits a regular expression.").takes(),
    Word::new(Form, "template \"<<first_name>> <<last_name>>\"", "A text whose placeholders are drawn from domains.")
        .takes(),
    Word::new(Constructor, "serial", ""),
    Word::new(Form, "ref customers.ID", "A value of a column of another table.").takes(),
    Word::new(Form, "lorem lines 20..40", "Prose of as many words, sentences, paragraphs, or lines.").takes(),
    Word::new(Constructor, "zipf 100", ""),
    Word::new(Argument, "exactly", "The number of rows of the table that are true; the others are false.").takes(),
    Word::new(Unit, "words", ""),
    Word::new(Unit, "sentences", ""),
    Word::new(Unit, "paragraphs", ""),
    Word::new(Unit, "lines", ""),
];

/// The arguments of distributions, from their records.
pub(super) const ARGUMENTS: &[Word] = words_of!(distribution::ARGUMENTS, |name| Word::new(Argument, name, "").takes());

/// The distributions, from their records.
pub(super) const DISTRIBUTIONS: &[Word] = words_of!(FAMILIES, |family| Word::new(Constructor, family.example, ""));
