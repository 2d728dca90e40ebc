//! Regular expressions of texts that are not listed: the expression becomes a machine whose states a reader follows.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::readers::SetReader;
use super::texts::{States, Texts, Work};

/// The maximum number of states of a machine.
const MAX_STATES: usize = 400;

/// How much of a text an expression has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Extent {
    Whole,
    Part,
}

/// A state of a machine.
#[derive(Clone, Debug)]
enum State {
    /// A character of these ranges leads to the state.
    Char(Vec<(char, char)>, usize),
    /// Without a character to one of these.
    Ways(Vec<usize>),
    /// Only at the start of the text.
    Start(usize),
    /// Only at the end of the text.
    End(usize),
    /// The expression is met.
    Met,
}

/// Whether an expression may match a text, and whether it may fail to: `None` if it is not understood, or it takes too
/// much work.
pub fn match_regex(texts: &Texts<'_>, regex: &str, extent: Extent) -> Option<(bool, bool)> {
    let parsed = regex_syntax::Parser::new().parse(&format!("(?R:{regex})")).ok()?;
    let mut machine = Machine { states: vec![State::Met] };
    let first = machine.add_hir(&parsed, 0)?;
    let reader = SetReader::default();
    let begin = machine.close([first].into(), Side::Start);
    let start = reader.number(begin);
    let work = Work::default();
    let ends = texts.read(&[start].into(), &work, &|state, low, high| {
        let places = reader.lookup(state);
        // A part has been found.
        if extent == Extent::Part && places.contains(&0) {
            return [state].into();
        }
        let step = |c: char| {
            work.take_work(places.len() + 1).then(|| {
                let mut next = machine.step(&places, c);
                if extent == Extent::Part {
                    next.insert(first);
                }
                reader.number(machine.close(next, Side::Inside))
            })
        };
        machine.list_representatives(low, high).into_iter().filter_map(step).collect()
    })?;
    let is_met = |state: &usize| machine.close(reader.lookup(*state), Side::End).contains(&0);
    Some((ends.iter().any(is_met), !ends.iter().all(is_met)))
}

/// Where in the text a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Start,
    Inside,
    End,
}

struct Machine {
    states: Vec<State>,
}

impl Machine {
    fn add(&mut self, state: State) -> Option<usize> {
        self.states.push(state);
        (self.states.len() <= MAX_STATES).then(|| self.states.len() - 1)
    }

    /// Adds the states of an expression that leads to `next`. Returns the first of them.
    fn add_hir(&mut self, hir: &Hir, next: usize) -> Option<usize> {
        match hir.kind() {
            HirKind::Empty => Some(next),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                text.chars().rev().try_fold(next, |next, c| self.add(State::Char(vec![(c, c)], next)))
            }
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.iter().map(|range| (range.start(), range.end())).collect();
                self.add(State::Char(ranges, next))
            }
            HirKind::Class(Class::Bytes(_)) => None,
            HirKind::Look(Look::Start) => self.add(State::Start(next)),
            HirKind::Look(Look::End) => self.add(State::End(next)),
            HirKind::Look(_) => None,
            HirKind::Capture(capture) => self.add_hir(&capture.sub, next),
            HirKind::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.add_hir(part, next)),
            HirKind::Alternation(parts) => {
                let ways = parts.iter().map(|part| self.add_hir(part, next)).collect::<Option<_>>()?;
                self.add(State::Ways(ways))
            }
            HirKind::Repetition(repetition) => {
                let mut next = next;
                match repetition.max {
                    None => {
                        let again = self.add(State::Ways(vec![next]))?;
                        let body = self.add_hir(&repetition.sub, again)?;
                        if let Some(State::Ways(ways)) = self.states.get_mut(again) {
                            ways.push(body);
                        }
                        next = again;
                    }
                    Some(most) => {
                        for _ in repetition.min..most {
                            let body = self.add_hir(&repetition.sub, next)?;
                            next = self.add(State::Ways(vec![next, body]))?;
                        }
                    }
                }
                (0..repetition.min).try_fold(next, |next, _| self.add_hir(&repetition.sub, next))
            }
        }
    }

    /// Adds the states that are reached without a character.
    fn close(&self, states: States, side: Side) -> States {
        let mut open: Vec<usize> = states.into_iter().collect();
        let mut all = States::new();
        while let Some(state) = open.pop() {
            if !all.insert(state) {
                continue;
            }
            match self.states.get(state) {
                Some(State::Ways(ways)) => open.extend(ways),
                Some(State::Start(next)) if side == Side::Start => open.push(*next),
                Some(State::End(next)) if side == Side::End => open.push(*next),
                _ => {}
            }
        }
        all
    }

    fn step(&self, states: &States, c: char) -> States {
        let next = states.iter().filter_map(|state| match self.states.get(*state)? {
            State::Char(ranges, next) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)).then_some(*next),
            _ => None,
        });
        next.collect()
    }

    /// Characters of a range such that the machine treats every other one like one of them.
    fn list_representatives(&self, low: char, high: char) -> Vec<char> {
        let mut found = vec![low];
        let mut add = |c: Option<char>| {
            if let Some(c) = c.filter(|c| (low..=high).contains(c) && !found.contains(c)) {
                found.push(c);
            }
        };
        for state in &self.states {
            let State::Char(ranges, _) = state else { continue };
            for (first, last) in ranges {
                add(Some(*first));
                add(char::from_u32((*last as u32).saturating_add(1)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Domain;

    #[test]
    fn an_expression_is_decided_for_all_texts_of_a_pattern() {
        let domain = Domain::Pattern(model::pattern::Pattern::new("[A-C]{2}-[0-9]{1,3}").expect("a pattern"));
        let texts = Texts::from_domain(&domain).expect("readable");
        for (regex, extent, expected) in [
            ("[A-Z]+-[0-9]+", Extent::Whole, Some((true, false))),
            ("[A-Z]+", Extent::Whole, Some((false, true))),
            ("AB.*", Extent::Whole, Some((true, true))),
            (".{4,6}", Extent::Whole, Some((true, false))),
            (".{4}", Extent::Whole, Some((true, true))),
            ("(AA|AB|[A-C]C)-\\d*", Extent::Whole, Some((true, true))),
            ("a", Extent::Part, Some((false, true))),
            ("-", Extent::Part, Some((true, false))),
            ("^A", Extent::Part, Some((true, true))),
            ("^-", Extent::Part, Some((false, true))),
            ("[0-9]$", Extent::Part, Some((true, false))),
            ("C$", Extent::Part, Some((false, true))),
            ("(", Extent::Whole, None),
        ] {
            assert_eq!(match_regex(&texts, regex, extent), expected, "{regex}");
        }
        let after = Texts::After(Box::new(texts.clone()), '-');
        assert_eq!(match_regex(&after, "[0-9]{1,3}", Extent::Whole), Some((true, false)));
        let before = Texts::Before(Box::new(texts.clone()), '-');
        assert_eq!(match_regex(&before, "[ABC]{2}", Extent::Whole), Some((true, false)));
        // Without the character, nothing is before it.
        let none = Texts::Before(Box::new(texts.clone()), '+');
        assert_eq!(match_regex(&none, "", Extent::Whole), Some((true, false)));
        let translated = Texts::Translated(Box::new(texts), vec![('-', None), ('A', Some('x'))]);
        assert_eq!(match_regex(&translated, "[xBC]{2}[0-9]+", Extent::Whole), Some((true, false)));
    }
}
