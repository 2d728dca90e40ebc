//! Words as files have them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use compiler::syntax::words::{self, Class};
use testing::root;

/// Words, sorted, each once.
pub type Words<'t> = BTreeSet<&'t str>;

/// A file's text, by its path from the top of the repository.
pub fn file(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The words of some classes.
pub fn of(classes: &[Class]) -> Words<'static> {
    classes.iter().flat_map(|class| words::iter_class(*class)).map(|word| word.text).collect()
}

/// Fails with the file and the words where two sets differ.
pub fn same(path: &str, what: &str, written: &Words, wanted: &Words) {
    let lacks: Vec<_> = wanted.difference(written).collect();
    let unknown: Vec<_> = written.difference(wanted).collect();
    assert!(
        lacks.is_empty() && unknown.is_empty(),
        "{path} ({what}): lacks {lacks:?}, and {unknown:?} are not in the table"
    );
}

/// The words in double quotes in a text: lower case, two letters or more, not `^"…"`, which is in any case.
pub fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = text.split('"').collect();
    let inside = (1..pieces.len()).step_by(2).filter_map(move |at| {
        let any_case = pieces[at - 1].ends_with('^');
        Some(pieces[at]).filter(|word| !any_case && word.len() > 1 && is_word(word))
    });
    inside.collect::<Vec<_>>().into_iter()
}

/// Whether a text looks like a keyword.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Whether a text has a word.
pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|own| own == word)
}

/// The rules of a pest grammar, by name, comments left out.
pub fn rules(grammar: &str) -> BTreeMap<&str, &str> {
    let mut rules = BTreeMap::new();
    let mut starts: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in grammar.split_inclusive('\n') {
        let name = line.split([' ', '=']).next().unwrap_or("");
        if line.starts_with("//") || !line.trim().is_empty() && is_rule_name(name) && line.contains('=') {
            starts.push((at, if line.starts_with("//") { "" } else { name }));
        }
        at += line.len();
    }
    for (index, (start, name)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(grammar.len(), |(next, _)| *next);
        if !name.is_empty() {
            rules.insert(*name, &grammar[*start..end]);
        }
    }
    rules
}

fn is_rule_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// All pages of the manual, one after another.
pub fn manual() -> String {
    let pages = testing::list_below(root().join("docs/src"), "md");
    pages.iter().map(|path| fs::read_to_string(path).expect("a page")).collect::<Vec<_>>().join("\n")
}

/// What a page shows as code: in fences and between backticks.
pub fn code(page: &str) -> String {
    let mut code = String::new();
    for (at, part) in page.split("```").enumerate() {
        if at % 2 == 1 {
            code.push_str(part);
        } else {
            part.split('`').skip(1).step_by(2).for_each(|span| code.extend([" ", span, " "]));
        }
        code.push('\n');
    }
    code
}
