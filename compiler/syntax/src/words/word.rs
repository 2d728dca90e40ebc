//! A word with its class, the tokens after it, and what editors say of it.

use super::heads::{Head, split_first_word};

/// A word of the language in one of its uses: for example, `rows` has one row for tables and another for the matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word itself.
    pub text: &'static str,
    /// Its class.
    pub class: Class,
    /// The label in an editor: the word, with a second one if both belong together (`last line`).
    pub label: &'static str,
    /// The text that an editor inserts, with tab stops `${1:…}`; for a domain, an example.
    pub snippet: &'static str,
    /// Its documentation, in one sentence.
    pub doc: &'static str,
    /// The tokens after it, if it begins a statement or item.
    pub head: Option<Head>,
    /// Whether a value, a name, or a domain must follow it.
    pub takes: bool,
    /// Whether it is reserved everywhere except as a column or a key of an object.
    pub reserved: bool,
    /// Whether the statement is also allowed in a variant.
    pub in_variant: bool,
    /// Whether the statement is also allowed in a stage.
    pub in_stage: bool,
    /// Whether the matcher is only for files.
    pub files_only: bool,
    /// Whether a value can have this name, although the word begins a statement.
    pub names_values: bool,
}

/// The classes of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Begins an item: `task`.
    Item,
    /// Begins an item of the standard library: `fn`.
    Library,
    /// A setting of `suite`: `title`.
    Setting,
    /// Begins a statement of a task: `prompt`. Formats of files do too.
    Statement,
    /// The format of a file: `csv`.
    Format,
    /// An option for writing a file: `quoted`.
    Writing,
    /// An option for reading a file: `sheet`.
    Reading,
    /// A style of a column's fields: `written`.
    Style,
    /// Begins a line in the body of a table other than a column: `rows`.
    Body,
    /// Begins a part of a database other than a table: `view`.
    Stored,
    /// Begins a constraint on columns: `unique (A, B)`.
    Constraint,
    /// Precedes a domain: `sorted`.
    Modifier,
    /// Follows a domain: `blank`.
    Suffix,
    /// A domain with a built-in name: `int`.
    Constructor,
    /// A domain with its own syntax: `one_of`.
    Form,
    /// An argument of a domain: `mean`.
    Argument,
    /// A unit of `lorem`: `words`.
    Unit,
    /// A subject of `expect`: `reply`.
    Subject,
    /// A part of the reply: `fenced`.
    Slice,
    /// Compares the subject with a value: `number`.
    Matcher,
    /// Tests the subject without a value: `exists`.
    State,
    /// An option of an expectation: `within`.
    Option,
    /// An argument of `ignore`: `case`.
    Ignored,
    /// Joins the parts of a statement: `at`.
    Link,
    /// The second of two words: `line` in `last line`.
    Second,
    /// Precedes a value: `not`.
    Prefix,
    /// Between two values: `and`.
    Infix,
    /// Between rows and their condition: `where`.
    Filter,
    /// A value: `true`.
    Literal,
    /// A built-in name of a value: `sandbox`.
    Name,
    /// Follows a number to form a duration, with or without an `s`: `day`.
    Duration,
    /// Begins an item or statement that is planned: `trials`.
    Planned,
    /// An option that is planned: `judged`.
    PlannedOption,
}

impl Word {
    /// A word that is replaced.
    pub(super) const BLANK: Word = Word::new(Class::Name, "", "");

    /// A word, which begins the text that an editor inserts.
    pub(super) const fn new(class: Class, snippet: &'static str, doc: &'static str) -> Word {
        let (text, _) = split_first_word(snippet);
        Word {
            text,
            class,
            label: text,
            snippet,
            doc,
            head: None,
            takes: false,
            reserved: false,
            in_variant: false,
            in_stage: false,
            files_only: false,
            names_values: false,
        }
    }

    pub(super) const fn head(self, head: Head) -> Word {
        Word { head: Some(head), ..self }
    }

    pub(super) const fn label(self, label: &'static str) -> Word {
        Word { label, ..self }
    }

    pub(super) const fn takes(self) -> Word {
        Word { takes: true, ..self }
    }

    pub(super) const fn reserved(self) -> Word {
        Word { reserved: true, ..self }
    }

    pub(super) const fn in_variant(self) -> Word {
        Word { in_variant: true, ..self }
    }

    pub(super) const fn in_stage(self) -> Word {
        Word { in_stage: true, ..self }
    }

    pub(super) const fn names_values(self) -> Word {
        Word { names_values: true, ..self }
    }

    pub(super) const fn files_only(self) -> Word {
        Word { files_only: true, ..self }
    }
}

/// The words of a list of records.
macro_rules! words_of {
    ($records:expr, |$record:ident| $word:expr) => {
        &{
            let mut words = [Word::BLANK; $records.len()];
            let mut at = 0;
            while at < words.len() {
                let $record = &$records[at];
                words[at] = $word;
                at += 1;
            }
            words
        }
    };
}
pub(super) use words_of;
