//! Did you mean: the declared name that was meant by a wrong one, and whether that is beyond doubt.
//!
//! A name is taken for another if their words agree except for case, number, order, short forms, synonyms, the table's
//! own name before them, or a typing slip ([`edit_cost`]). It is *clear* if no other name fits about as well and nothing is
//! left unexplained: only then may a fix be applied without asking. `created_by` is not a misspelled `created_at`,
//! whatever the letters say. What the wider signals of the resolver ([`resolve_column()`]) find is said where these find nothing, and is never clear.

#[cfg(test)]
mod accuracy_tests;
mod edit_cost;
mod edits;
mod index;
mod resolve;
mod spelling;
#[cfg(test)]
mod tests;
mod vocabulary;
pub(crate) mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use resolve::{RESOLVER, Resolved, resolve_column};
pub use spelling::suggest_keyword;

use edit_cost::{EditCost, Name, Prefix};

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
    let columns: BTreeSet<(&str, &str)> = columns.into_iter().collect();
    let said = judged(word, &columns);
    // What the wider signals of the resolver find is worth saying, and is never clear.
    said.map_or_else(|| resolve::suggest_column(word, &columns).map(|column| (column.to_owned(), false)), Known::said)
}

/// What the narrow signals say of a name.
enum Known {
    /// A column, and whether it is clear.
    Column(String, bool),
    /// Several, about as well.
    Several,
}

impl Known {
    fn said(self) -> Option<(String, bool)> {
        match self {
            Known::Column(column, clear) => Some((column, clear)),
            Known::Several => None,
        }
    }
}

/// What is said of a name by the signals that leave nothing unexplained.
fn judged(word: &str, columns: &BTreeSet<(&str, &str)>) -> Option<Known> {
    let mut tables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (column, table) in columns {
        tables.entry(table).or_default().insert(column);
    }
    let name = Name::new(word);
    // Each name once, as it fits best.
    let mut found: BTreeMap<&str, (EditCost, Name)> = BTreeMap::new();
    for (table, columns) in tables {
        let prefix = Prefix::from_table(table, &columns);
        for column in columns.into_iter().filter(|column| *column != word) {
            let candidate = Name::new(column);
            let Some(kin) = edit_cost::compute_edit_cost(&name, &candidate, &prefix) else { continue };
            let known = found.entry(column).or_insert_with(|| (kin, candidate));
            if kin < known.0 {
                known.0 = kin;
            }
        }
    }
    let mut ranked: Vec<(EditCost, &str)> = found.iter().map(|(column, (kin, _))| (*kin, *column)).collect();
    ranked.sort();
    let (kin, column) = *ranked.first()?;
    let second = ranked.get(1).map(|(kin, _)| *kin);
    // Several names that merely contain the word: a list of all columns helps more than one of them.
    if kin.part && second.is_some_and(|second| second.part && second.cost == kin.cost) {
        return Some(Known::Several);
    }
    let rival = second.is_some_and(|second| !second.doubtful && second.cost < kin.cost + margin(kin.cost));
    let series = kin.short.is_some_and(|at| {
        let mut others = found.iter().filter(|(other, _)| **other != column);
        others.any(|(_, (_, candidate))| candidate.is_same_except(&name, at))
    });
    Some(Known::Column(column.to_owned(), !kin.doubtful && !rival && !series))
}

/// How much more the next candidate must cost for this cost to be clear. A name that differs in layout alone (cost 0)
/// is clear if the next differs in more.
fn margin(cost: u32) -> u32 {
    if cost == 0 { 1 } else { MARGIN }
}
