//! The words of the language, each once: its class, the tokens after it, the text that an editor inserts, and its documentation.
//!
//! The parser's error recovery, the formatter, the checker's suggestions, completion, hover, and the grammars of editors use this table. If a class has records
//! ([`crate::ast::Format`], [`model::suite::Matcher`], …), its rows are generated from them. A test compares the table with enums, the grammar, and the
//! editors' files.

mod domains;
mod expects;
mod files;
mod heads;
mod items;
mod values;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use heads::{Head, split_first_word};

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
    /// A word, which begins the text that an editor inserts.
    const fn new(class: Class, snippet: &'static str, doc: &'static str) -> Word {
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

    const fn head(self, head: Head) -> Word {
        Word { head: Some(head), ..self }
    }

    const fn label(self, label: &'static str) -> Word {
        Word { label, ..self }
    }

    const fn takes(self) -> Word {
        Word { takes: true, ..self }
    }

    const fn reserved(self) -> Word {
        Word { reserved: true, ..self }
    }

    const fn in_variant(self) -> Word {
        Word { in_variant: true, ..self }
    }

    const fn in_stage(self) -> Word {
        Word { in_stage: true, ..self }
    }

    const fn names_values(self) -> Word {
        Word { names_values: true, ..self }
    }

    const fn files_only(self) -> Word {
        Word { files_only: true, ..self }
    }
}

/// The table, by class.
static WORDS: [&[Word]; 11] = [
    items::WORDS,
    files::FORMATS,
    files::WORDS,
    files::TEXT_STYLES,
    files::UNPIVOT,
    domains::WORDS,
    domains::DISTRIBUTIONS,
    expects::SUBJECTS,
    expects::MATCHERS,
    expects::OPTIONS,
    values::WORDS,
];

/// All uses of all words.
pub fn iter_words() -> impl Iterator<Item = &'static Word> + Clone {
    WORDS.iter().copied().flatten()
}

/// The words of one class, in the order of the table.
pub fn iter_class(class: Class) -> impl Iterator<Item = &'static Word> + Clone {
    iter_words().filter(move |word| word.class == class)
}

/// The words of one class, without duplicates.
pub fn list_names(class: Class) -> Vec<&'static str> {
    let mut names: Vec<&str> = iter_class(class).map(|word| word.text).collect();
    names.dedup();
    names
}

/// The words that begin a statement of a task, including formats of files.
pub fn list_statements() -> Vec<&'static str> {
    [list_names(Class::Format), list_names(Class::Statement)].concat()
}

/// The uses of each word, indexed because every name of a source is looked up.
static USES: LazyLock<HashMap<&'static str, Vec<&'static Word>>> = LazyLock::new(|| {
    let mut uses: HashMap<&str, Vec<&Word>> = HashMap::new();
    iter_words().for_each(|word| uses.entry(word.text).or_default().push(word));
    uses
});

/// All uses of one word, in the order of the table.
pub fn iter_uses(text: &str) -> impl Iterator<Item = &'static Word> + use<> {
    USES.get(text).map_or(&[][..], Vec::as_slice).iter().copied()
}

/// Whether a word belongs to a class.
pub fn is_of_class(class: Class, text: &str) -> bool {
    iter_uses(text).any(|word| word.class == class)
}

/// Whether a word belongs to one of these classes.
pub fn is_any(classes: &[Class], text: &str) -> bool {
    iter_uses(text).any(|word| classes.contains(&word.class))
}

/// The words that are reserved everywhere except as columns and keys of objects.
pub fn iter_reserved() -> impl Iterator<Item = &'static str> + Clone {
    iter_words().filter(|word| word.reserved).map(|word| word.text)
}

/// Whether a word is reserved everywhere except as a column or a key of an object.
pub fn is_reserved(text: &str) -> bool {
    iter_uses(text).any(|word| word.reserved)
}

/// Whether a value, a name, or a domain must follow a word.
pub fn must_be_followed(text: &str) -> bool {
    iter_uses(text).any(|word| word.takes)
}

/// The tokens after a word that begins a statement or item, now or in a future version; `None` for any other word, including `rows` and settings.
pub fn find_head(text: &str) -> Option<Head> {
    iter_uses(text).find_map(|word| word.head)
}

/// Whether a word begins a statement or item, now or in a future version.
pub fn is_head(text: &str) -> bool {
    find_head(text).is_some()
}

/// Whether a word begins a statement or item and cannot be the name of a value.
pub fn is_taken_name(text: &str) -> bool {
    iter_uses(text).any(|word| word.head.is_some() && !word.names_values)
}

/// Whether a word begins a statement of a task, including formats of files.
pub fn is_statement(text: &str) -> bool {
    is_any(&[Class::Statement, Class::Format], text)
}

/// Whether a word at the start of a line may continue the preceding line and does not begin a statement.
pub fn can_continue(text: &str) -> bool {
    use Class as C;
    let inside = [
        C::Format,
        C::Body,
        C::Modifier,
        C::Suffix,
        C::Form,
        C::Argument,
        C::Unit,
        C::Slice,
        C::Matcher,
        C::State,
        C::Option,
        C::Reading,
        C::Writing,
        C::Style,
        C::Link,
        C::Second,
    ];
    is_reserved(text) || is_any(&inside, text)
}

/// Whether a word is a domain of the language.
pub fn is_domain(text: &str) -> bool {
    is_any(&[Class::Constructor, Class::Form], text)
}

/// The domains of the language, each with an example as its snippet.
pub fn iter_domains() -> impl Iterator<Item = &'static Word> + Clone {
    iter_words().filter(|word| matches!(word.class, Class::Constructor | Class::Form))
}

/// The use of a word that is meant at a position. `around` contains the words before and after it; `in_expect` is set inside an expectation, but outside its
/// values. Two words that belong together (`tree only`) are one use.
pub fn find_meant_use(around: (Option<&str>, Option<&str>), text: &str, in_expect: bool) -> Option<&'static Word> {
    let joined = |first: Option<&str>, second: Option<&str>| {
        let (first, second) = first.zip(second)?;
        iter_documented(first).find(|word| word.label.split_once(' ') == Some((first, second)))
    };
    let expects = |word: &&Word| {
        use Class as C;
        matches!(word.class, C::Subject | C::Slice | C::Matcher | C::State | C::Option | C::Ignored) == in_expect
    };
    joined(Some(text), around.1)
        .or_else(|| joined(around.0, Some(text)))
        .or_else(|| iter_documented(text).find(|word| expects(word) && word.label == word.text))
        .or_else(|| iter_documented(text).find(expects))
        .or_else(|| iter_documented(text).next())
}

/// The uses of a word with documentation, except as a domain constructor.
fn iter_documented(text: &str) -> impl Iterator<Item = &'static Word> + use<> {
    iter_uses(text).filter(|word| word.class != Class::Constructor && !word.doc.is_empty())
}
