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
mod word;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use heads::{Head, split_first_word};
pub use word::{Class, Word};

/// The table, by class.
static WORDS: [&[Word]; 12] = [
    items::WORDS,
    files::FORMATS,
    files::WORDS,
    files::TEXT_STYLES,
    files::UNPIVOT,
    domains::ARGUMENTS,
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
