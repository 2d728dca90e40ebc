//! Replies that need little work: figures of whole tables, and numbers of the prompt. One that is always accepted is the question itself.

use std::collections::BTreeMap;

use crate::measure::Seen;
use crate::trial::Trial;
use crate::trials::{Shortcut, build_shortcut};

/// A reply is a shortcut if at least this share of instances accepts it.
pub const SHORTCUT_SHARE: f64 = 0.20;
/// A reply is the question itself in a group of instances of which at least this share accepts it.
const ASKED_SHARE: f64 = 0.95;
/// The minimum number of instances of such a group.
const ASKED_FEWEST: u64 = 3;
/// The minimum number of instances in which a reply is not the question itself.
const FEWEST: u64 = 30;
/// The maximum number of values of a draw that may choose the question.
const MAX_VALUES: usize = 6;
/// The maximum number of shortcuts of a task.
const MAX_SHORTCUTS: usize = 3;

/// Finds the shortcuts. `constant`: the share of instances that accept the best constant reply.
pub fn find_shortcuts(seen: &[&Seen], constant: f64) -> Vec<Shortcut> {
    let tried: Vec<Tried<'_>> = seen.iter().filter_map(|one| Tried::new(one)).collect();
    let mut names: Vec<&str> = Vec::new();
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, accepted) in tried.iter().flat_map(|one| &one.trial.shortcuts) {
        let count = times.entry(name).or_insert_with(|| {
            names.push(name);
            0
        });
        *count += u64::from(*accepted);
    }
    // Most are never accepted.
    names.retain(|name| times.get(name).is_some_and(|times| *times as f64 >= SHORTCUT_SHARE * tried.len() as f64));
    let mut found: Vec<Shortcut> = names.into_iter().filter_map(|name| judge_shortcut(name, &tried)).collect();
    found.retain(|one| one.share() >= SHORTCUT_SHARE && one.interval.low > constant);
    found.sort_by(|a, b| b.share().total_cmp(&a.share()));
    found.truncate(MAX_SHORTCUTS);
    found
}

/// An instance on which shortcuts were tried.
struct Tried<'s> {
    seen: &'s Seen,
    trial: &'s Trial,
}

impl<'s> Tried<'s> {
    fn new(seen: &'s Seen) -> Option<Tried<'s>> {
        let trial = seen.trial.as_ref().filter(|trial| !trial.shortcuts.is_empty())?;
        Some(Tried { seen, trial })
    }

    fn is_accepted(&self, name: &str) -> bool {
        self.trial.shortcuts.iter().any(|(known, accepted)| *accepted && known == name)
    }
}

/// Counts a shortcut without the instances in which it is the question itself: those of a cell and variant, or with a drawn value, of which nearly all
/// accept it. `None` if too few are left.
fn judge_shortcut(name: &str, tried: &[Tried<'_>]) -> Option<Shortcut> {
    let cell = |one: &Tried<'_>| format!("{} {}", one.seen.address.cell, one.seen.address.variant);
    let mut left: Vec<&Tried<'_>> = tried.iter().collect();
    left = leave_out_asked(name, left, &cell);
    let draws: Vec<&str> =
        tried.first().map(|one| one.trial.draws.iter().map(|(draw, _)| draw.as_str()).collect()).unwrap_or_default();
    for draw in draws {
        let value = |one: &Tried<'_>| {
            let found = one.trial.draws.iter().find(|(known, _)| known == draw);
            found.map_or_else(String::new, |(_, value)| value.clone())
        };
        left = leave_out_asked(name, left, &value);
    }
    let times = left.iter().filter(|one| one.is_accepted(name)).count() as u64;
    let of = left.len() as u64;
    (of >= FEWEST).then(|| build_shortcut(name, times, of))
}

/// Leaves out the groups of which nearly all instances accept a reply, if there are few groups.
fn leave_out_asked<'t, 's>(
    name: &str,
    tried: Vec<&'t Tried<'s>>,
    group: &dyn Fn(&Tried<'s>) -> String,
) -> Vec<&'t Tried<'s>> {
    let mut groups: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for one in &tried {
        let (times, of) = groups.entry(group(one)).or_default();
        *times += u64::from(one.is_accepted(name));
        *of += 1;
    }
    let is_asked = |(times, of): &(u64, u64)| *of >= ASKED_FEWEST && *times as f64 >= ASKED_SHARE * *of as f64;
    if groups.len() > MAX_VALUES && groups.values().filter(|group| is_asked(group)).count() < groups.len() {
        return tried;
    }
    tried.into_iter().filter(|one| !groups.get(&group(one)).is_some_and(is_asked)).collect()
}
