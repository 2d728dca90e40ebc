//! Did you mean: the declared name that was meant by a wrong one, and whether that is beyond doubt.
//!
//! A name is taken for another if their words agree except for case, number, order, short forms, synonyms, the table's
//! own name before them, or a typing slip ([`kin`]). It is *clear* if no other name fits about as well and nothing is
//! left unexplained: only then may a fix be applied without asking. `created_by` is not a misspelled `created_at`,
//! whatever the letters say.

mod edits;
mod kin;
#[cfg(test)]
mod measured;
mod resolve;
mod spelling;
#[cfg(test)]
mod tests;
mod vocabulary;
pub(crate) mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use resolve::{RESOLVER, Resolved, resolve};
pub use spelling::misspelt;

use kin::{Kin, Name, Prefix};

/// How much better the best must fit than the next, to be clear.
const MARGIN: u32 = 2;

/// The candidate nearest to `word`, if one is near enough to be worth saying.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    best(word, candidates).map(|(candidate, _)| candidate)
}

/// The candidate that is meant, and whether it is clear: then a fix may be applied without asking.
pub fn best<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(String, bool)> {
    best_column(word, candidates.into_iter().map(|candidate| (candidate, "")))
}

/// The column that is meant, and whether it is clear. Candidates are `(column, its table)`: in `orders`, `order_status` may be `status`.
pub fn best_column<'a>(word: &str, columns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<(String, bool)> {
    let name = Name::new(word);
    // Each name once, as it fits best.
    let mut found: BTreeMap<&str, (Kin, Name)> = BTreeMap::new();
    for (column, _, kin, candidate) in near(word, &name, columns) {
        let known = found.entry(column).or_insert((kin, candidate));
        if kin < known.0 {
            known.0 = kin;
        }
    }
    let mut ranked: Vec<(Kin, &str)> = found.iter().map(|(column, (kin, _))| (*kin, *column)).collect();
    ranked.sort();
    let (kin, column) = *ranked.first()?;
    let second = ranked.get(1).map(|(kin, _)| *kin);
    // Several names that merely contain the word: a list of all columns helps more than one of them.
    if kin.part && second.is_some_and(|second| second.part && second.cost == kin.cost) {
        return None;
    }
    let series = kin.short.is_some_and(|at| {
        let mut others = found.iter().filter(|(other, _)| **other != column);
        others.any(|(_, (_, candidate))| candidate.differs_only_at(&name, at))
    });
    Some((column.to_owned(), !kin.doubtful && !rivals(kin, second) && !series))
}

/// The candidates that a name has something to do with, and what: columns, their tables.
fn near<'a>(
    word: &str,
    name: &Name,
    columns: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<(&'a str, &'a str, Kin, Name)> {
    let mut tables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (column, table) in columns {
        tables.entry(table).or_default().insert(column);
    }
    let mut found = Vec::new();
    for (table, columns) in tables {
        let prefix = Prefix::of(table, &columns);
        for column in columns.into_iter().filter(|column| *column != word) {
            let candidate = Name::new(column);
            if let Some(kin) = kin::kin(name, &candidate, &prefix) {
                found.push((column, table, kin, candidate));
            }
        }
    }
    found
}

/// Whether the second fits about as well as the best.
fn rivals(best: Kin, second: Option<Kin>) -> bool {
    second.is_some_and(|second| match best.part {
        true => second.part,
        // What has a word too many, or too few, and a column that has all its words and more: either may be meant.
        false if second.part => best.cost >= kin::UNLISTED,
        false => !second.doubtful && second.cost < best.cost + margin(best.cost),
    })
}

/// How much more the next candidate must cost for this cost to be clear. A name that differs in layout alone (cost 0)
/// is clear if the next differs in more.
fn margin(cost: u32) -> u32 {
    if cost == 0 { 1 } else { MARGIN }
}
