//! The classes of words in names, as data: kinds of values, units, words that distinguish columns, and words with little meaning.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::index::Index;

/// Kinds of values: each line has a kind and the words for it.
const ROLES: &str = include_str!("data/roles.txt");
/// Units: each line has the words for one.
const UNITS: &str = include_str!("data/units.txt");
/// Words that distinguish one of several similar columns from the others.
const TELLING: &str = include_str!("data/telling.txt");
/// Words that exclude one another: each line is a group.
const OPPOSITES: &str = include_str!("data/opposites.txt");
/// Words with little meaning.
const LIGHT: &str = include_str!("data/light.txt");
/// Prefixes and suffixes that naming conventions require.
const TECHNICAL: &str = include_str!("data/technical.txt");
/// Words that connect others.
const JOINING: &[&str] = &["of", "the", "and", "a", "an", "is", "s"];
/// Words that connect others if they are between them.
const BETWEEN: &[&str] = &["for", "per", "in", "to", "by", "on", "at", "from", "with"];

static ROLE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (role, words) = line.split_once(' ').unwrap_or((line, ""));
        words.split(' ').map(move |word| (word, role)).collect::<Vec<_>>()
    };
    ROLES.lines().flat_map(line).collect()
});
static UNIT: LazyLock<Index> = LazyLock::new(|| Index::from_lines(UNITS));
static TELLS: LazyLock<Index> = LazyLock::new(|| Index::from_lines(TELLING));
static OPPOSITE: LazyLock<Index> = LazyLock::new(|| Index::from_lines(OPPOSITES));
static LITTLE: LazyLock<Index> = LazyLock::new(|| Index::from_lines(LIGHT));
static NOTATION: LazyLock<Index> = LazyLock::new(|| Index::from_lines(TECHNICAL));

/// Returns the kind of value that a word represents.
pub fn find_role(word: &str) -> Option<&'static str> {
    ROLE.get(word).copied()
}

/// Checks whether a word is a unit.
pub fn is_unit(word: &str) -> bool {
    UNIT.has_word(word)
}

/// Checks whether both words represent the same unit.
pub fn is_same_unit(a: &str, b: &str) -> bool {
    UNIT.has_both(a, b)
}

/// Checks whether a word distinguishes columns.
pub fn is_distinguishing(word: &str) -> bool {
    TELLS.has_word(word)
}

/// Checks whether one word excludes the other.
pub fn is_opposite(a: &str, b: &str) -> bool {
    a != b && OPPOSITE.has_both(a, b)
}

/// Checks whether a word has little meaning.
pub fn is_light(word: &str) -> bool {
    LITTLE.has_word(word)
}

/// Checks whether a word connects others.
pub fn is_joining(word: &str) -> bool {
    JOINING.contains(&word)
}

/// Checks whether a word connects others if it is between them.
pub fn is_joining_between(word: &str) -> bool {
    BETWEEN.contains(&word)
}

/// Checks whether naming conventions require a word as a prefix or suffix.
pub fn is_technical(word: &str) -> bool {
    NOTATION.has_word(word)
}
