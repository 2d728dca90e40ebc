//! A deterministic finite automaton (DFA) without cycles: subset construction, equal states merged, texts counted.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::error::{PatternError, build_size_error};
use super::nfa::{Node, count_characters};

/// The maximum number of states before equal ones are merged.
const MAX_STATES: usize = 10_000;
/// The maximum number of steps of the subset construction: a hostile pattern ends in a message and not in a wait.
const MAX_WORK: usize = 20_000_000;

/// Ranges of characters, ascending and apart, and where they lead.
type Transitions = Vec<(char, char, u32)>;

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// A text may end here.
    pub(crate) accepts: bool,
    /// The characters that may come next.
    pub(crate) transitions: Transitions,
    /// The number of texts that lead from here to an end; saturating.
    pub(crate) count: u128,
}

/// Builds the automaton by subset construction. A state is the set of nodes that take a character (or accept), reachable without one.
pub(crate) fn build_dfa(nodes: &[Node], start: usize) -> Result<Vec<State>, PatternError> {
    let mut work = 0;
    let mut known: HashMap<Vec<usize>, u32> = HashMap::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![usize::MAX; nodes.len()];
    let mut round = 0;
    let mut state_of = |from: &[usize], sets: &mut Vec<Vec<usize>>, work: &mut usize| {
        round += 1;
        let mut stack = from.to_vec();
        let mut set = Vec::new();
        while let Some(at) = stack.pop() {
            *work += 1;
            if std::mem::replace(&mut seen[at], round) == round {
                continue;
            }
            match &nodes[at] {
                Node::Either(ways) => stack.extend(ways),
                Node::Accept | Node::Chars(..) => set.push(at),
            }
        }
        set.sort_unstable();
        if let Some(&state) = known.get(&set) {
            return Ok(state);
        }
        if sets.len() >= MAX_STATES || *work > MAX_WORK {
            return Err(build_size_error());
        }
        let state = sets.len() as u32;
        known.insert(set.clone(), state);
        sets.push(set);
        Ok(state)
    };

    let mut states = Vec::new();
    state_of(&[start], &mut sets, &mut work)?;
    while let Some(set) = sets.get(states.len()).cloned() {
        let mut accepts = false;
        // (first, one past the last, target)
        let mut ranges: Vec<(u32, u32, usize)> = Vec::new();
        for &at in &set {
            match &nodes[at] {
                Node::Accept => accepts = true,
                Node::Chars(chars, next) => {
                    ranges.extend(chars.iter().map(|&(low, high)| (u32::from(low), u32::from(high) + 1, *next)));
                }
                Node::Either(_) => {}
            }
        }
        let cuts: BTreeSet<u32> = ranges.iter().flat_map(|&(low, past, _)| [low, past]).collect();
        let cuts: Vec<u32> = cuts.into_iter().collect();
        ranges.sort_unstable();
        let mut transitions = Transitions::new();
        let mut open: Vec<(u32, usize)> = Vec::new(); // one past the last, target
        let mut upcoming = ranges.into_iter().peekable();
        for pair in cuts.windows(2) {
            let &[low, past] = pair else { continue };
            open.retain(|&(end, _)| end > low);
            while let Some((_, end, target)) = upcoming.next_if(|&(first, ..)| first == low) {
                open.push((end, target));
            }
            work += open.len() + 1;
            if open.is_empty() {
                continue;
            }
            let mut targets: Vec<usize> = open.iter().map(|&(_, target)| target).collect();
            targets.sort_unstable();
            targets.dedup();
            let to = state_of(&targets, &mut sets, &mut work)?;
            let (Some(low), Some(high)) = (char::from_u32(low), char::from_u32(past - 1)) else { continue };
            push_range(&mut transitions, low, high, to);
        }
        states.push(State { accepts, transitions, count: 0 });
    }
    Ok(states)
}

/// Adds a range after the others, as part of the last one if it continues it.
fn push_range(transitions: &mut Transitions, low: char, high: char, to: u32) {
    match transitions.last_mut() {
        Some((_, end, target)) if *target == to && u32::from(*end) + 1 == u32::from(low) => *end = high,
        _ => transitions.push((low, high, to)),
    }
}

/// Orders the states such that each leads only to later ones. The start is the only state that nothing leads to.
fn sort_topologically(states: &[State]) -> Vec<usize> {
    let mut entries = vec![0usize; states.len()];
    for (_, _, to) in states.iter().flat_map(|state| &state.transitions) {
        entries[*to as usize] += 1;
    }
    let mut order = vec![0];
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        for (_, _, to) in &states[state].transitions {
            let to = *to as usize;
            entries[to] -= 1;
            if entries[to] == 0 {
                order.push(to);
            }
        }
        at += 1;
    }
    order
}

/// Merges equal states; the start comes first. No state is dead: every class has a character, and every node leads on.
pub(crate) fn merge_equal_states(states: Vec<State>) -> Vec<State> {
    let order = sort_topologically(&states);
    // From the ends backwards: the targets of a state are merged before it.
    let mut known: HashMap<(bool, Transitions), u32> = HashMap::new();
    let mut merged: Vec<State> = Vec::new();
    let mut became = vec![0u32; states.len()];
    for &at in order.iter().rev() {
        let state = &states[at];
        let mut transitions = Vec::with_capacity(state.transitions.len());
        for &(low, high, to) in &state.transitions {
            push_range(&mut transitions, low, high, became[to as usize]);
        }
        became[at] = *known.entry((state.accepts, transitions.clone())).or_insert_with(|| {
            merged.push(State { accepts: state.accepts, transitions, count: 0 });
            merged.len() as u32 - 1
        });
    }
    // The start leads to all others, so it was merged last: turned around, it is first.
    merged.reverse();
    let last = merged.len() as u32 - 1;
    for (_, _, to) in merged.iter_mut().flat_map(|state| &mut state.transitions) {
        *to = last - *to;
    }
    merged
}

/// Fills in the counts; each state leads only to later ones.
pub(crate) fn fill_counts(mut states: Vec<State>) -> Vec<State> {
    for at in (0..states.len()).rev() {
        let total = states[at].transitions.iter().fold(u128::from(states[at].accepts), |sum, &(low, high, to)| {
            sum.saturating_add(states[to as usize].count.saturating_mul(count_characters(low, high)))
        });
        states[at].count = total;
    }
    states
}
