//! Texts of a domain that represent all others: a condition that reads texts character by character, and compares them with constants, cannot tell other
//! texts from them.
//!
//! The characters of the constants, and the ends of the ranges of characters in the domain, divide the characters into cells. In each range, all
//! characters that are such ends are taken, with one or two others.

use std::collections::{BTreeMap, BTreeSet};

use model::domain::TemplatePart;
use model::{Domain, Value, ValueType};

/// The maximum number of texts that represent a domain.
const MAX_SAMPLES: usize = 2_500;

/// The number of listed texts that are kept of those that differ only within cells.
const KEPT_ALIKE: usize = 2;

/// What a condition reads in texts.
pub enum Reading {
    /// Characters, their places, and their order: texts that represent others suffice.
    Characters(Ends),
    /// The whole text, for example as a number.
    Whole,
}

/// The texts that represent a domain. `None` if they are too many, or if they are not known.
pub fn sample_texts(domain: &Domain, reading: &Reading) -> Option<Vec<Value>> {
    if domain.value_type() != ValueType::Text {
        return None;
    }
    match reading {
        Reading::Characters(ends) => {
            let texts =
                sample_domain(domain, ends, Others::Two).or_else(|| sample_domain(domain, ends, Others::One))?;
            Some(texts.into_iter().map(Value::Text).collect())
        }
        Reading::Whole => {
            domain.list_values().filter(|values| values.len() <= MAX_SAMPLES).map(|values| values.to_vec())
        }
    }
}

/// How many characters of a range are taken that are not ends of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    One,
    Two,
}

fn sample_domain(domain: &Domain, ends: &Ends, others: Others) -> Option<Vec<String>> {
    match domain {
        Domain::Pattern(pattern) => {
            pattern.list_texts(&|low, high| choose_characters(low, high, &ends.all, others), MAX_SAMPLES)
        }
        Domain::Template { parts } => parts.iter().try_fold(vec![String::new()], |before, part| {
            let next = match part {
                TemplatePart::Text(text) => vec![text.clone()],
                TemplatePart::Domain(domain) => sample_domain(domain, ends, others)?,
            };
            if before.len().saturating_mul(next.len()) > MAX_SAMPLES {
                return None;
            }
            Some(before.iter().flat_map(|start| next.iter().map(move |end| format!("{start}{end}"))).collect())
        }),
        other => {
            let texts = other.list_values()?;
            let texts: Vec<String> = texts.iter().map(|value| value.render_text().into_owned()).collect();
            Some(keep_different(texts, ends)).filter(|kept| kept.len() <= MAX_SAMPLES)
        }
    }
}

/// The characters of a range that represent the others.
fn choose_characters(low: char, high: char, ends: &BTreeSet<char>, others: Others) -> Vec<char> {
    let mut chosen: BTreeSet<char> = ends.range(low..=high).copied().collect();
    chosen.extend([low, high]);
    if others == Others::Two {
        chosen.extend(step(low, 1).filter(|c| *c <= high));
    }
    chosen.into_iter().collect()
}

/// Keeps some of the texts that differ only within cells.
fn keep_different(texts: Vec<String>, ends: &Ends) -> Vec<String> {
    let mut counts: BTreeMap<Vec<(usize, char)>, usize> = BTreeMap::new();
    let cell = |c: char| match ends.literals.contains(&c) {
        true => (0, c),
        false => (1 + ends.literals.range(..c).count(), find_class(c)),
    };
    let is_new = |text: &String| {
        let count = counts.entry(text.chars().map(cell).collect()).or_insert(0);
        *count += 1;
        *count <= KEPT_ALIKE
    };
    texts.into_iter().filter(is_new).collect()
}

/// A character that represents the letters, or the digits, of a cell.
fn find_class(c: char) -> char {
    match c {
        '0'..='9' => '0',
        'A'..='Z' => 'A',
        'a'..='z' => 'a',
        c if c.is_alphanumeric() => 'ä',
        c => c,
    }
}

/// The characters at which cells end.
pub struct Ends {
    /// The characters of constants.
    literals: BTreeSet<char>,
    /// These, their neighbors, and the ends of ranges.
    all: BTreeSet<char>,
}

impl Ends {
    pub fn new() -> Ends {
        Ends { literals: BTreeSet::new(), all: BTreeSet::from([' ', '0', '9', 'A', 'Z', 'a', 'z']) }
    }

    /// Adds the characters of a constant in both letter cases, with their neighbors. An int may be the code of a character.
    pub fn add_literal(&mut self, literal: &Value) {
        let characters: Vec<char> = match literal {
            Value::Text(text) => text.chars().collect(),
            Value::Int(code @ 32..) => u32::try_from(*code).ok().and_then(char::from_u32).into_iter().collect(),
            _ => Vec::new(),
        };
        for c in characters {
            self.literals.extend(c.to_lowercase().chain(c.to_uppercase()));
            self.all.extend(c.to_lowercase().chain(c.to_uppercase()));
            self.all.extend(step(c, 1).into_iter().chain(step(c, -1)));
        }
    }

    /// Adds the ends of the ranges of characters in a domain.
    pub fn add_ranges(&mut self, domain: &Domain) {
        match domain {
            Domain::Pattern(pattern) => self.all.extend(pattern.iter_ranges().flat_map(|(low, high)| [low, high])),
            Domain::Template { parts } => {
                for part in parts {
                    match part {
                        TemplatePart::Text(text) => self.all.extend(text.chars()),
                        TemplatePart::Domain(domain) => self.add_ranges(domain),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether the texts of a domain consist of ranges of characters, without lists.
pub fn has_ranges_only(domain: &Domain) -> bool {
    match domain {
        Domain::Pattern(_) => true,
        Domain::Template { parts } => parts.iter().all(|part| match part {
            TemplatePart::Text(_) => true,
            TemplatePart::Domain(domain) => has_ranges_only(domain),
        }),
        _ => false,
    }
}

fn step(c: char, by: i32) -> Option<char> {
    char::from_u32(u32::from(c).checked_add_signed(by)?)
}
