//! Questions about sets of texts, each asked by a reader of characters.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use sql::terms::MatchKind;

use super::texts::{States, Texts, Work};

/// The maximum length of a text or pattern that is compared with texts that are not listed.
const MAX_LENGTH: usize = 120;

/// The maximum number of lengths that are told apart.
const MAX_COUNTED: usize = 500;

/// The maximum number of occurrences of a character that are counted.
const MAX_MARKS: usize = 100;

/// The possible orders of the texts and another text. `None` if that one is too long, or it takes too much work.
pub fn compare_with_text(texts: &Texts<'_>, other: &str) -> Option<Vec<Ordering>> {
    let letters: Vec<char> = other.chars().collect();
    let (less, greater) = (letters.len() + 1, letters.len() + 2);
    if letters.len() > MAX_LENGTH {
        return None;
    }
    let ends = texts.read(&[0].into(), &Work::default(), &|state, low, high| {
        if state > letters.len() {
            return [state].into();
        }
        let Some(letter) = letters.get(state).copied() else { return [greater].into() };
        let ways = [
            (low < letter).then_some(less),
            (low <= letter && letter <= high).then_some(state + 1),
            (high > letter).then_some(greater),
        ];
        ways.into_iter().flatten().collect()
    })?;
    let order = |state: usize| match state {
        state if state == letters.len() => Ordering::Equal,
        state if state == greater => Ordering::Greater,
        _ => Ordering::Less,
    };
    Some(ends.into_iter().map(order).collect())
}

/// The possible lengths of the texts, in characters. `None` if a text may be too long to be counted, or it takes too much work.
pub fn measure_lengths(texts: &Texts<'_>) -> Option<Vec<usize>> {
    let count = |count: usize, _, _| [(count + 1).min(MAX_COUNTED)].into();
    let ends = texts.read(&[0].into(), &Work::default(), &count)?;
    (!ends.contains(&MAX_COUNTED)).then(|| ends.into_iter().collect())
}

/// The least and the greatest first character of the texts, and whether a text may be empty. `None` if all are empty, or it takes too much work.
pub fn bound_first_character(texts: &Texts<'_>) -> Option<(char, char, bool)> {
    let bounds: RefCell<Option<(char, char)>> = RefCell::default();
    let ends = texts.read(&[0].into(), &Work::default(), &|state, low, high| {
        if state == 0 {
            let mut bounds = bounds.borrow_mut();
            *bounds = Some(bounds.map_or((low, high), |(least, greatest)| (low.min(least), high.max(greatest))));
        }
        [1].into()
    })?;
    let (low, high) = bounds.into_inner()?;
    Some((low, high, ends.contains(&0)))
}

/// Whether a pattern may match a text, and whether it may fail to. `None` if it is too long or not understood, or it takes too much work.
pub fn match_pattern(texts: &Texts<'_>, pattern: &str, kind: MatchKind) -> Option<(bool, bool)> {
    let pattern = Pattern::parse(pattern, kind)?;
    let reader = SetReader::default();
    let start = reader.number(pattern.close([0].into()));
    let work = Work::default();
    let ends = texts.read(&[start].into(), &work, &|state, low, high| {
        let places = reader.lookup(state);
        let chars = pattern.list_representatives(low, high);
        let step = |c: char| work.take_work(places.len()).then(|| reader.number(pattern.step(&places, c)));
        chars.into_iter().filter_map(step).collect()
    })?;
    let matched = |state: &usize| reader.lookup(*state).contains(&pattern.parts.len());
    Some((ends.iter().any(matched), !ends.iter().all(matched)))
}

/// The least and the greatest number of occurrences of a character. `None` if there may be too many, or it takes too much work.
pub fn count_marks(texts: &Texts<'_>, mark: char) -> Option<(usize, usize)> {
    let ends = texts.read(&[0].into(), &Work::default(), &|count, low, high| {
        let more = (low <= mark && mark <= high).then(|| (count + 1).min(MAX_MARKS));
        let others = (low != mark || high != mark).then_some(count);
        more.into_iter().chain(others).collect()
    })?;
    let (low, high) = (*ends.first()?, *ends.last()?);
    (high < MAX_MARKS).then_some((low, high))
}

/// A text as a part of a pattern of GLOB.
pub fn quote_for_glob(text: &str) -> String {
    text.chars().map(|c| if "*?[".contains(c) { format!("[{c}]") } else { c.to_string() }).collect()
}

/// The sets of places in a pattern that a reader can be in, numbered.
#[derive(Default)]
pub(super) struct SetReader {
    known: RefCell<(Vec<States>, BTreeMap<States, usize>)>,
}

impl SetReader {
    pub(super) fn number(&self, places: States) -> usize {
        let (sets, numbers) = &mut *self.known.borrow_mut();
        *numbers.entry(places.clone()).or_insert_with(|| {
            sets.push(places);
            sets.len() - 1
        })
    }

    pub(super) fn lookup(&self, number: usize) -> States {
        self.known.borrow().0.get(number).cloned().unwrap_or_default()
    }
}

/// A pattern of LIKE or GLOB.
struct Pattern {
    parts: Vec<Part>,
    /// Whether ASCII letters match in either case.
    folds: bool,
}

enum Part {
    /// Any characters.
    Any,
    /// One character.
    One,
    /// The character itself.
    Char(char),
    /// One of these characters, or none of them.
    Class(Vec<(char, char)>, bool),
}

impl Pattern {
    fn parse(pattern: &str, kind: MatchKind) -> Option<Pattern> {
        if pattern.chars().count() > MAX_LENGTH {
            return None;
        }
        let mut chars = pattern.chars().peekable();
        let mut parts = Vec::new();
        while let Some(c) = chars.next() {
            parts.push(match (kind, c) {
                (MatchKind::Like(Some(escape)), c) if c == escape => Part::Char(chars.next()?),
                (MatchKind::Like(_), '%') | (MatchKind::Glob, '*') => Part::Any,
                (MatchKind::Like(_), '_') | (MatchKind::Glob, '?') => Part::One,
                (MatchKind::Glob, '[') => parse_class(&mut chars)?,
                (_, c) => Part::Char(c),
            });
        }
        Some(Pattern { parts, folds: matches!(kind, MatchKind::Like(_)) })
    }

    /// Adds the places that are reached if a part that takes any characters takes none.
    fn close(&self, places: States) -> States {
        let mut all = States::new();
        for mut place in places {
            while all.insert(place) && matches!(self.parts.get(place), Some(Part::Any)) {
                place += 1;
            }
        }
        all
    }

    fn step(&self, places: &States, c: char) -> States {
        let next = places.iter().filter_map(|place| match self.parts.get(*place)? {
            Part::Any => Some(*place),
            Part::One => Some(place + 1),
            Part::Char(own) => {
                let same = if self.folds { own.eq_ignore_ascii_case(&c) } else { *own == c };
                same.then_some(place + 1)
            }
            Part::Class(ranges, inside) => {
                let met = ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
                (met == *inside).then_some(place + 1)
            }
        });
        self.close(next.collect())
    }

    /// Characters of a range such that the pattern treats every other one like one of them.
    fn list_representatives(&self, low: char, high: char) -> Vec<char> {
        let mut found = vec![low];
        let mut add = |c: char| {
            for c in [Some(c), char::from_u32((c as u32).saturating_add(1))].into_iter().flatten() {
                if (low..=high).contains(&c) && !found.contains(&c) {
                    found.push(c);
                }
            }
        };
        for part in &self.parts {
            match part {
                Part::Char(c) => [*c, c.to_ascii_lowercase(), c.to_ascii_uppercase()].into_iter().for_each(&mut add),
                Part::Class(ranges, _) => ranges.iter().for_each(|(first, last)| {
                    add(*first);
                    add(*last);
                }),
                Part::Any | Part::One => {}
            }
        }
        found
    }
}

/// `[a-z]`, `[^0-9]`, `[]x]`. A `-` is itself at an end, after a range, and after a `]` that comes first.
fn parse_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Part> {
    let inside = chars.next_if_eq(&'^').is_none();
    let mut ranges: Vec<(char, char)> = Vec::new();
    if chars.next_if_eq(&']').is_some() {
        ranges.push((']', ']'));
    }
    let mut before = None;
    loop {
        match (chars.next()?, before) {
            (']', _) => return Some(Part::Class(ranges, inside)),
            ('-', Some(low)) if chars.peek().is_some_and(|next| *next != ']') => {
                ranges.push((low, chars.next()?));
                before = None;
            }
            (c, _) => {
                ranges.push((c, c));
                before = Some(c);
            }
        }
    }
}
