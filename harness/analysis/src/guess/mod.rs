//! The best reply of an agent that always gives the same: the one that the scorer accepts for the most instances. Tolerances, patterns, and several
//! accepted answers count as they are scored.
//!
//! | file | concept |
//! | --- | --- |
//! | `intervals` | the number that the most intervals contain |
//! | `texts` | texts that may be accepted without work |
//! | `leaves` | a JSON answer, put together leaf by leaf |

mod intervals;
mod leaves;
mod texts;

use std::collections::BTreeSet;

use model::Scorer;
use model::answer_key::{Expected, Subject};
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};

use intervals::{find_deepest, render_round_number};

/// The number of instances on which a text is tried first.
const SCREENED: usize = 64;
/// The number of texts that are tried on all instances.
const FINALISTS: usize = 2;

/// A constant reply.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantReply {
    /// Its text; if several parts are expected, one text for each, in order.
    pub texts: Vec<String>,
    /// For each instance, whether it is accepted.
    pub accepted: Vec<bool>,
}

/// Finds the best constant reply for the answer keys of instances. `None` if a key is not about texts that an agent can write without its files.
pub fn find_constant_reply(keys: &[&[Expected]]) -> Option<ConstantReply> {
    let first = keys.first()?;
    if keys.iter().any(|key| key.len() != first.len()) {
        return None;
    }
    let groups = group_by_place(first)?;
    let mut alive: Vec<usize> = (0..keys.len()).collect();
    let mut texts = Vec::new();
    for group in &groups {
        let of_alive: Vec<Part<'_>> = alive.iter().filter_map(|at| Part::new(keys.get(*at)?, group)).collect();
        let (text, accepted) = choose_text(&of_alive);
        alive = alive.into_iter().zip(accepted).filter(|(_, is)| *is).map(|(at, _)| at).collect();
        texts.push(text);
    }
    let alive: BTreeSet<usize> = alive.into_iter().collect();
    let accepted = (0..keys.len()).map(|at| alive.contains(&at)).collect();
    (!texts.is_empty()).then_some(ConstantReply { texts, accepted })
}

/// Groups the expectations that read the same text. `None` if one is not about a text.
fn group_by_place(key: &[Expected]) -> Option<Vec<Vec<usize>>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, expect) in key.iter().enumerate() {
        let record = expect.matcher.record();
        // What only has to be there is there.
        if matches!(expect.matcher, Matcher::Exists | Matcher::Unchanged) {
            continue;
        }
        let is_text = record.reads == Reads::Text && record.takes != Takes::Nothing;
        if !is_text || !matches!(expect.subject, Subject::Reply(_) | Subject::File(_)) {
            return None;
        }
        let is_same = |group: &&mut Vec<usize>| {
            let other = group.first().and_then(|first| key.get(*first));
            other.is_some_and(|other| other.subject == expect.subject && other.at == expect.at)
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    Some(groups)
}

/// The expectations of one instance on one text.
struct Part<'k> {
    expects: Vec<&'k Expected>,
    /// The numbers that the only expectation accepts; empty if it does not compare numbers.
    ranges: Vec<(f64, f64)>,
}

impl<'k> Part<'k> {
    fn new(key: &'k [Expected], group: &[usize]) -> Option<Part<'k>> {
        let expects: Vec<&Expected> = group.iter().map(|at| key.get(*at)).collect::<Option<_>>()?;
        let ranges = match expects.as_slice() {
            [one] if one.matcher == Matcher::Number => score::list_number_ranges(one, Scorer::CURRENT),
            _ => Vec::new(),
        };
        Some(Part { expects, ranges })
    }

    /// Whether all of them accept a text.
    fn is_accepted(&self, text: &str) -> bool {
        self.may_accept(text)
            && self.expects.iter().all(|expect| score::is_text_accepted(expect, text, Scorer::CURRENT))
    }

    /// Excludes numbers that are far from the accepted ones.
    fn may_accept(&self, text: &str) -> bool {
        let Ok(number) = text.parse::<f64>() else { return true };
        let is_near = |(low, high): &(f64, f64)| {
            let slack = 1e-6 * (1.0 + low.abs().max(high.abs()));
            low - slack <= number && number <= high + slack
        };
        self.ranges.is_empty() || self.ranges.iter().any(is_near)
    }
}

/// Chooses the text that the most parts accept, and returns for each whether it does.
fn choose_text(parts: &[Part<'_>]) -> (String, Vec<bool>) {
    let judge = |text: &str| parts.iter().map(|part| part.is_accepted(text)).collect::<Vec<bool>>();
    if parts.iter().all(|part| !part.ranges.is_empty()) {
        let ranges: Vec<Vec<(f64, f64)>> = parts.iter().map(|part| part.ranges.clone()).collect();
        let deepest = find_deepest(&ranges);
        let text = deepest.map_or_else(String::new, |found| render_round_number(found.low, found.high));
        let accepted = judge(&text);
        return (text, accepted);
    }
    let count = parts.iter().map(|part| part.expects.len()).max().unwrap_or(0);
    let nth = |at: usize| parts.iter().filter_map(|part| part.expects.get(at).copied()).collect::<Vec<_>>();
    let lists: Vec<Vec<String>> = (0..count).map(|at| texts::list_candidates(&nth(at))).collect();
    // One text has to please several expectations.
    let joined = lists.iter().filter_map(|list| list.first().cloned()).collect::<Vec<_>>().join(" ");
    let candidates = lists.into_iter().flatten().chain((count > 1).then_some(joined));
    let screened: Vec<&Part<'_>> = parts.iter().step_by(parts.len().div_ceil(SCREENED).max(1)).collect();
    let hits = |text: &str| screened.iter().filter(|part| part.is_accepted(text)).count();
    let mut ranked: Vec<(usize, String)> = candidates.map(|text| (hits(&text), text)).collect();
    // The sort is stable: among equals, the likelier one is first.
    ranked.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
    let finalists = ranked.into_iter().take(FINALISTS).map(|(_, text)| {
        let accepted = judge(&text);
        (accepted.iter().filter(|is| **is).count(), text, accepted)
    });
    // The first of the best.
    let best = finalists.fold(None, |best: Option<(usize, String, Vec<bool>)>, one| match best {
        Some(best) if best.0 >= one.0 => Some(best),
        _ => Some(one),
    });
    best.map_or_else(|| (String::new(), vec![false; parts.len()]), |(_, text, accepted)| (text, accepted))
}
