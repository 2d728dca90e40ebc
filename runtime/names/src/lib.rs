//! Finds the declared name that a wrong one probably means, and decides whether that is certain.
//!
//! A name matches another if their words agree except for case, number, order, short forms, synonyms, the table's own name as a prefix, or a typing
//! slip ([`edit_cost`]). The match is *clear* if no other name fits about equally well and nothing is left unexplained; only then may a fix be
//! applied without asking. `created_by` is not a misspelled `created_at`, although the letters are similar. If these signals find nothing, the wider
//! ones of the resolver ([`resolve_column()`]) are used, and their result is never clear.

mod abbreviations;
#[cfg(test)]
mod accuracy_tests;
mod edit_cost;
mod edits;
mod index;
pub mod prose;
mod resolve;
mod spelling;
#[cfg(test)]
mod tests;
mod vocabulary;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use edits::{Slip, detect_slip};
pub use resolve::{RESOLVER, Resolved, resolve_column};
pub use spelling::suggest_keyword;

use edit_cost::{EditCost, Name, Prefix};

/// Minimum cost difference to the next candidate for a clear result.
const MARGIN: u32 = 2;

/// Returns the candidate nearest to `word`, if one is near enough for a suggestion.
pub fn find_closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    find_best(word, candidates).map(|(candidate, _)| candidate)
}

/// Returns the most likely candidate, and whether it is clear; then a fix may be applied without asking.
///
/// ```
/// use names::find_best;
///
/// let columns = ["id", "order_date", "customer_id", "created_at", "updated_at"];
/// let find = |name| find_best(name, columns);
/// // Case, short forms, and order are explained; such a suggestion is clear.
/// assert_eq!(find("OrderDate"), Some(("order_date".to_owned(), true)));
/// assert_eq!(find("cust_id"), Some(("customer_id".to_owned(), true)));
/// // `created_by` is near to `created_at`, but means something else.
/// assert_eq!(find("created_by"), Some(("created_at".to_owned(), false)));
/// assert_eq!(find("colour"), None);
/// ```
pub fn find_best<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(String, bool)> {
    find_best_column(word, candidates.into_iter().map(|candidate| (candidate, "")))
}

/// Returns the most likely column, and whether it is clear. Candidates are `(column, its table)`: in `orders`, `order_status` may be `status`.
pub fn find_best_column<'a>(
    word: &str,
    columns: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<(String, bool)> {
    let columns: BTreeSet<(&str, &str)> = columns.into_iter().collect();
    // The wider signals of the resolver are worth a suggestion, but are never clear.
    let widely = || resolve::suggest_column(word, &columns).map(|column| (column.to_owned(), false));
    match_column(word, &columns).unwrap_or_else(widely)
}

/// Evaluates a name by the signals that leave no part of it unexplained. Returns the column, and whether it is clear; `Some(None)` if several columns fit
/// about equally well.
fn match_column(word: &str, columns: &BTreeSet<(&str, &str)>) -> Option<Option<(String, bool)>> {
    let mut tables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (column, table) in columns {
        tables.entry(table).or_default().insert(column);
    }
    let name = Name::new(word);
    // Each name once, with its lowest cost.
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
    // If several names only contain the word, a list of all columns is more helpful than one of them.
    if kin.part && second.is_some_and(|second| second.part && second.cost == kin.cost) {
        return Some(None);
    }
    let rival = second.is_some_and(|second| !second.doubtful && second.cost < kin.cost + compute_margin(kin.cost));
    let series = kin.short.is_some_and(|at| {
        let mut others = found.iter().filter(|(other, _)| **other != column);
        others.any(|(_, (_, candidate))| candidate.is_same_except(&name, at))
    });
    Some(Some((column.to_owned(), !kin.doubtful && !rival && !series)))
}

/// Returns the cost difference to the next candidate that a clear result needs. A name that differs only in layout (cost 0) is clear if the next one
/// differs in more.
fn compute_margin(cost: u32) -> u32 {
    if cost == 0 { 1 } else { MARGIN }
}
