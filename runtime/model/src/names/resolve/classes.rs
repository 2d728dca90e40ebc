//! What a word of a name says: the kind of its value, a unit, what tells columns apart, or next to nothing. As data.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Kinds of values (the first word of a line), and the words for them.
const ROLES: &str = include_str!("data/roles.txt");
/// Units: a line has the words for one.
const UNITS: &str = include_str!("data/units.txt");
/// Words that tell one of several like columns from the others.
const TELLING: &str = include_str!("data/telling.txt");
/// Words that exclude one another: a line is a group.
const OPPOSITES: &str = include_str!("data/opposites.txt");
/// Words that say little.
const LIGHT: &str = include_str!("data/light.txt");
/// Prefixes and endings that notations demand.
const TECHNICAL: &str = include_str!("data/technical.txt");
/// Words that join others.
const JOINING: &[&str] = &["of", "the", "and", "a", "an", "is", "s"];
/// Words that join others if they are between them.
const BETWEEN: &[&str] = &["for", "per", "in", "to", "by", "on", "at", "from", "with"];

/// The numbers of the lines that have a word.
type Lines = HashMap<&'static str, Vec<usize>>;

fn index_lines(text: &'static str) -> Lines {
    let mut lines: Lines = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split(' ') {
            lines.entry(word).or_default().push(number);
        }
    }
    lines
}

static ROLE: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (role, words) = line.split_once(' ').unwrap_or((line, ""));
        words.split(' ').map(move |word| (word, role)).collect::<Vec<_>>()
    };
    ROLES.lines().flat_map(line).collect()
});
static UNIT: LazyLock<Lines> = LazyLock::new(|| index_lines(UNITS));
static TELLS: LazyLock<Lines> = LazyLock::new(|| index_lines(TELLING));
static OPPOSITE: LazyLock<Lines> = LazyLock::new(|| index_lines(OPPOSITES));
static LITTLE: LazyLock<Lines> = LazyLock::new(|| index_lines(LIGHT));
static NOTATION: LazyLock<Lines> = LazyLock::new(|| index_lines(TECHNICAL));

fn has_shared_line(lines: &Lines, a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (lines.get(a), lines.get(b)) else { return false };
    a.iter().any(|line| b.contains(line))
}

/// The kind of value that a word is for.
pub fn find_role(word: &str) -> Option<&'static str> {
    ROLE.get(word).copied()
}

/// Whether it is a unit.
pub fn is_unit(word: &str) -> bool {
    UNIT.contains_key(word)
}

/// Whether both are words for one unit.
pub fn is_same_unit(a: &str, b: &str) -> bool {
    has_shared_line(&UNIT, a, b)
}

/// Whether it tells columns apart.
pub fn is_distinguishing(word: &str) -> bool {
    TELLS.contains_key(word)
}

/// Whether the one excludes the other.
pub fn is_opposite(a: &str, b: &str) -> bool {
    a != b && has_shared_line(&OPPOSITE, a, b)
}

/// Whether it says little.
pub fn is_light(word: &str) -> bool {
    LITTLE.contains_key(word)
}

/// Whether it joins others.
pub fn is_joining(word: &str) -> bool {
    JOINING.contains(&word)
}

/// Whether it joins others if it is between them.
pub fn is_joining_between(word: &str) -> bool {
    BETWEEN.contains(&word)
}

/// Whether notations demand it before or after names.
pub fn is_technical(word: &str) -> bool {
    NOTATION.contains_key(word)
}
