//! Sets of texts that may be too large to list. A reader gets them character by character, so a reader with few
//! states decides about all texts at once.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use model::domain::TemplatePart;
use model::{Domain, SharedList, Value};

/// The states of a reader.
pub type States = BTreeSet<usize>;

/// The states of a reader after a character of `low..=high`, from the state before it.
pub type Step<'s> = dyn Fn(usize, char, char) -> States + 's;

/// The maximum number of values of a part of a template that are read one by one.
const MAX_LISTED: u128 = 2000;

/// The maximum number of characters that are counted.
const MAX_COUNTED: usize = 500;

/// The maximum number of states that a question about texts may visit.
const MAX_WORK: usize = 250_000;

/// How much work a question about texts may still take.
pub struct Work {
    left: Cell<usize>,
}

impl Default for Work {
    fn default() -> Work {
        Work { left: Cell::new(MAX_WORK) }
    }
}

impl Work {
    /// Takes this much of the work that is left. Returns whether some is left after it.
    pub fn take_work(&self, work: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(work));
        work < left
    }

    /// Whether any work is left.
    fn is_left(&self) -> bool {
        self.left.get() > 0
    }
}

/// The largest number of texts that is looked at as a number, and the most digits of a larger one.
const MAX_NUMBER: usize = 2000;
const MAX_DIGITS: usize = 17;

/// A set of texts. It may contain more than are possible.
#[derive(Clone, Debug)]
pub enum Texts<'a> {
    /// These values, as texts.
    Listed(SharedList<Value>),
    /// Those of a domain of patterns or templates.
    Domain(&'a Domain),
    /// One of each, in order.
    Joined(Vec<Texts<'a>>),
    /// Those of one of several sets.
    Either(Vec<Texts<'a>>),
    /// With all ASCII letters in this case.
    Cased(Box<Texts<'a>>, Case),
    /// `least` to `most` characters of these ranges.
    Of {
        /// The ranges.
        ranges: &'static [(char, char)],
        /// The least number of characters.
        least: usize,
        /// The most.
        most: usize,
    },
    /// The characters from one index up to another.
    Part(Box<Texts<'a>>, usize, usize),
    /// The characters before the first one of this kind; none where there is none.
    Before(Box<Texts<'a>>, char),
    /// The characters after the first one of this kind; none where there is none.
    After(Box<Texts<'a>>, char),
    /// With characters replaced by others, or removed.
    Translated(Box<Texts<'a>>, Vec<(char, Option<char>)>),
}

/// A letter case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Case {
    Upper,
    Lower,
}

impl<'a> Texts<'a> {
    /// The texts of a domain. `None` if they cannot be read.
    pub fn from_domain(domain: &'a Domain) -> Option<Texts<'a>> {
        is_readable(domain).then_some(Texts::Domain(domain))
    }

    /// The characters from `from` up to `end`.
    pub fn take_part(self, from: usize, end: usize) -> Option<Texts<'a>> {
        (end.max(from) <= MAX_COUNTED).then(|| Texts::Part(Box::new(self), from, end.max(from)))
    }

    /// The states that a reader can be in after a text of the set, from one of the states `from`. `None` if it takes too much work.
    pub fn read(&self, from: &States, work: &Work, step: &Step<'_>) -> Option<States> {
        let counted = |state: usize, low: char, high: char| {
            if work.take_work(1) { step(state, low, high) } else { States::new() }
        };
        let ends = self.feed(from, work, &counted);
        work.is_left().then_some(ends)
    }

    /// The smallest and the largest number that the texts are, if all of them consist of digits. `None` if that is not known.
    pub fn find_number_range(&self) -> Option<(i64, i64)> {
        let digit = |c: char| c.to_digit(10).map(|digit| digit as usize);
        // A state is a number plus 1, and 0 after another character.
        let exact = self.read(&[1].into(), &Work::default(), &|state, low, high| {
            let digits = digit(low).zip(digit(high)).filter(|_| state > 0);
            let next = |digit: usize| ((state - 1).saturating_mul(10) + digit + 1).min(MAX_NUMBER + 1);
            digits.map_or_else(|| [0].into(), |(low, high)| (low..=high).map(next).collect())
        });
        match exact.as_ref().and_then(|ends| Some((*ends.first()?, *ends.last()?))) {
            Some((0, _)) => return None,
            Some((low, high)) if high <= MAX_NUMBER => {
                return Some((i64::try_from(low).ok()? - 1, i64::try_from(high).ok()? - 1));
            }
            _ => {}
        }
        // Large numbers are known by their number of digits.
        let counted = self.read(&[1].into(), &Work::default(), &|state, low, high| {
            let is_digits = state > 0 && digit(low).is_some() && digit(high).is_some();
            [if is_digits { (state + 1).min(MAX_DIGITS + 2) } else { 0 }].into()
        })?;
        let (least, most) = (*counted.first()?, *counted.last()?);
        let is_short = least > 0 && most <= MAX_DIGITS + 1;
        is_short.then(|| u32::try_from(most - 1).ok()).flatten().map(|digits| (0, 10i64.pow(digits) - 1))
    }

    fn feed(&self, from: &States, work: &Work, step: &Step<'_>) -> States {
        match self {
            Texts::Listed(values) => feed_values(values, from, work, step),
            Texts::Domain(domain) => feed_domain(domain, from, work, step),
            Texts::Of { ranges, least, most } => feed_ranges(ranges, (*least, *most), from, work, step),
            Texts::Joined(parts) => parts.iter().fold(from.clone(), |states, part| part.feed(&states, work, step)),
            Texts::Either(sets) => sets.iter().flat_map(|set| set.feed(from, work, step)).collect(),
            Texts::Cased(texts, case) => texts.feed(from, work, &|state, low, high| {
                split_cases(*case, low, high).into_iter().flat_map(|(low, high)| step(state, low, high)).collect()
            }),
            Texts::Part(texts, skip, end) => feed_part(texts, (*skip, *end), from, work, step),
            Texts::Before(texts, mark) => feed_side(texts, (*mark, Side::Before), from, work, step),
            Texts::After(texts, mark) => feed_side(texts, (*mark, Side::After), from, work, step),
            Texts::Translated(texts, map) => texts.feed(from, work, &|state, low, high| {
                let mut next = States::new();
                for (low, high, by) in split_mapped(map, low, high) {
                    match by {
                        Mapped::Kept => next.extend(step(state, low, high)),
                        Mapped::Removed => next.extend([state]),
                        Mapped::By(c) => next.extend(step(state, c, c)),
                    }
                }
                next
            }),
        }
    }
}

/// Whether the texts of a domain can be read.
fn is_readable(domain: &Domain) -> bool {
    match domain {
        Domain::Pattern(_) => true,
        Domain::Template { parts } => parts.iter().all(|part| match part {
            TemplatePart::Text(_) => true,
            TemplatePart::Domain(domain) => is_readable(domain),
        }),
        other => other.cardinality().is_some_and(|size| size <= MAX_LISTED) && other.list_values().is_some(),
    }
}

fn feed_domain(domain: &Domain, from: &States, work: &Work, step: &Step<'_>) -> States {
    match domain {
        Domain::Pattern(pattern) => pattern.find_reachable(from, step),
        Domain::Template { parts } => parts.iter().fold(from.clone(), |states, part| match part {
            TemplatePart::Text(text) => feed_text(text, &states, step),
            TemplatePart::Domain(domain) => feed_domain(domain, &states, work, step),
        }),
        other => other.list_values().map(|values| feed_values(&values, from, work, step)).unwrap_or_default(),
    }
}

fn feed_values(values: &[Value], from: &States, work: &Work, step: &Step<'_>) -> States {
    let read = values.iter().take_while(|_| work.is_left());
    read.flat_map(|value| feed_text(&value.render_text(), from, step)).collect()
}

fn feed_text(text: &str, from: &States, step: &Step<'_>) -> States {
    text.chars().fold(from.clone(), |states, c| states.into_iter().flat_map(|state| step(state, c, c)).collect())
}

fn feed_ranges(
    ranges: &[(char, char)],
    (least, most): (usize, usize),
    from: &States,
    work: &Work,
    step: &Step<'_>,
) -> States {
    let (mut now, mut ends) = (from.clone(), States::new());
    for count in 0..=most {
        if count >= least {
            ends.extend(&now);
        }
        if count == most || !work.is_left() {
            break;
        }
        let next: States =
            now.iter().flat_map(|state| ranges.iter().flat_map(|(low, high)| step(*state, *low, *high))).collect();
        // Further characters change nothing.
        if next == now {
            ends.extend(&now);
            break;
        }
        now = next;
    }
    ends
}

/// Feeds the characters of a part only: the reader waits before it and after it.
fn feed_part(texts: &Texts<'_>, (skip, end): (usize, usize), from: &States, work: &Work, step: &Step<'_>) -> States {
    let counted = Pairs::default();
    let start = from.iter().map(|state| counted.number((0, *state))).collect();
    let ends = texts.feed(&start, work, &|pair, low, high| {
        let (count, state) = counted.lookup(pair);
        if !work.take_work(1) {
            return States::new();
        }
        if count >= end {
            return [pair].into();
        }
        let next = if count < skip { [state].into() } else { step(state, low, high) };
        next.into_iter().map(|state| counted.number((count + 1, state))).collect()
    });
    ends.into_iter().map(|pair| counted.lookup(pair).1).collect()
}

/// A side of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// Feeds the characters on one side of the first `mark`. Where there is none, there is nothing on either side.
fn feed_side(texts: &Texts<'_>, (mark, side): (char, Side), from: &States, work: &Work, step: &Step<'_>) -> States {
    let mut ends = States::new();
    for start in from {
        // Pairs of whether the mark has been met, and a state.
        let pairs = Pairs::default();
        let begin = [pairs.number((0, *start))].into();
        let found = texts.feed(&begin, work, &|pair, low, high| {
            let (met, state) = pairs.lookup(pair);
            if !work.take_work(1) {
                return States::new();
            }
            let read = |low, high| step(state, low, high).into_iter().map(move |next| (met, next));
            let mut next: Vec<(usize, usize)> = Vec::new();
            if met == 1 {
                match side {
                    Side::Before => next.push((1, state)),
                    Side::After => next.extend(read(low, high)),
                }
            } else {
                for (low, high, by) in split_mapped(&[(mark, None)], low, high) {
                    match (by, side) {
                        (Mapped::Removed, _) => next.push((1, state)),
                        (_, Side::Before) => next.extend(read(low, high)),
                        (_, Side::After) => next.push((0, state)),
                    }
                }
            }
            next.into_iter().map(|next| pairs.number(next)).collect()
        });
        ends.extend(found.into_iter().map(|pair| match pairs.lookup(pair) {
            (1, state) => state,
            _ => *start,
        }));
    }
    ends
}

/// The result of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mapped {
    Kept,
    Removed,
    By(char),
}

/// The parts of a range of characters, with their results.
fn split_mapped(map: &[(char, Option<char>)], low: char, high: char) -> Vec<(char, char, Mapped)> {
    let mut inside: Vec<(char, Option<char>)> = map.iter().copied().filter(|(c, _)| (low..=high).contains(c)).collect();
    inside.sort_unstable();
    let (mut out, mut from) = (Vec::new(), Some(low));
    for (c, by) in inside {
        let Some(start) = from else { break };
        if start < c
            && let Some(before) = (start..c).next_back()
        {
            out.push((start, before, Mapped::Kept));
        }
        out.push((c, c, by.map_or(Mapped::Removed, Mapped::By)));
        from = (c..=high).nth(1);
    }
    if let Some(start) = from {
        out.push((start, high, Mapped::Kept));
    }
    out
}

/// Numbers for pairs of a count and a state.
#[derive(Default)]
struct Pairs {
    pairs: RefCell<Vec<(usize, usize)>>,
    numbers: RefCell<BTreeMap<(usize, usize), usize>>,
}

impl Pairs {
    fn number(&self, pair: (usize, usize)) -> usize {
        *self.numbers.borrow_mut().entry(pair).or_insert_with(|| {
            let mut pairs = self.pairs.borrow_mut();
            pairs.push(pair);
            pairs.len() - 1
        })
    }

    fn lookup(&self, number: usize) -> (usize, usize) {
        self.pairs.borrow().get(number).copied().unwrap_or_default()
    }
}

/// The ranges of the characters of a range, once their ASCII letters have a case.
fn split_cases(case: Case, low: char, high: char) -> Vec<(char, char)> {
    let (first, last, convert): (char, char, fn(&char) -> char) = match case {
        Case::Upper => ('a', 'z', char::to_ascii_uppercase),
        Case::Lower => ('A', 'Z', char::to_ascii_lowercase),
    };
    let mut out = Vec::new();
    if low < first {
        out.push((low, high.min(step_char(first, -1))));
    }
    let (from, to) = (low.max(first), high.min(last));
    if from <= to {
        out.push((convert(&from), convert(&to)));
    }
    if high > last {
        out.push((low.max(step_char(last, 1)), high));
    }
    out
}

/// The ASCII character before or after an ASCII character.
fn step_char(c: char, by: i32) -> char {
    char::from_u32((c as u32).saturating_add_signed(by)).unwrap_or(c)
}
