//! Cells that are correct by an option: matches each remaining row to a row of the goal or of the start.

use std::cmp::Ordering;
use std::collections::{BTreeMap, VecDeque};

use sqlite::state::{Cell, Difference, Real, diff_rows};

use super::cells::{CellRules, read_cell};
use super::table_versions::{Rows, TableVersions, extract_key};
use crate::got::ResponseValue;
use crate::index::find_edges;
use crate::key::Leaf;
use crate::matching::{MAX_PAIRS, match_edges, match_pairs};

/// Removes the rounding noise of doubles from the goal: a number that is the same as at the start without options (`plain`) is not a change.
pub(super) fn remove_noise(table: &mut TableVersions, plain: &CellRules<'_>) {
    if table.key.is_empty() {
        let Difference { removed, mut added } = diff_rows(&table.before, &table.goal);
        let rest = diff_rows(&table.goal, &added).removed;
        let all: Vec<usize> = (0..added.len()).collect();
        assign_rows(&removed, &mut added, &all, plain);
        table.goal = rest.into_iter().chain(added).collect();
        return;
    }
    let befores = index_by_key(&table.before, &table.key);
    for goal in &mut table.goal {
        let before = befores.get(&extract_key(goal, &table.key)).copied().flatten();
        for (at, (cell, before)) in goal.iter_mut().zip(before.into_iter().flatten()).enumerate() {
            if plain.is_match(at, cell, before) {
                *cell = before.clone();
            }
        }
    }
}

/// In the remaining rows, replaces each cell by the goal's, or else the start's, if the options accept it for that.
///
/// A cell that the goal changes and that still has its starting value counts as the start's, even if the options accept it for the goal's: it was not
/// changed. More than a text is accepted only where the goal writes the text.
/// The goal is [quiet](remove_noise).
pub(super) fn replace_near_cells(table: &mut TableVersions, rules: &CellRules<'_>) {
    let (plain, kept) = (rules.without_options(), rules.without_parts());
    if table.key.is_empty() {
        let all: Vec<usize> = (0..table.left.len()).collect();
        let Difference { removed: gone, added } = diff_rows(&table.before, &table.goal);
        let (free, open) = assign_same_rows(&table.goal, &table.left, &all);
        let open = assign_rows(&gone, &mut table.left, &open, &plain);
        let (free, open) = match rules.has_parts() {
            true => {
                let old = diff_rows(&added, &free).added;
                let new = diff_rows(&old, &free).added;
                (old, assign_near_rows(new, &mut table.left, &open, rules))
            }
            false => (free, open),
        };
        let open = assign_near_rows(free, &mut table.left, &open, &kept);
        assign_rows(&table.before, &mut table.left, &open, &kept);
        return;
    }
    let (goals, befores) = (index_by_key(&table.goal, &table.key), index_by_key(&table.before, &table.key));
    for row in &mut table.left {
        let place = extract_key(row, &table.key);
        let [goal, before] = [&goals, &befores].map(|known| known.get(&place).copied().flatten());
        for (at, cell) in row.iter_mut().enumerate() {
            let [goal, before] = [goal, before].map(|row| row.and_then(|row| row.get(at).cloned()));
            let is_change = matches!((&goal, &before), (Some(goal), Some(before)) if goal != before);
            let is_left = is_change && before.as_ref().is_some_and(|before| plain.is_match(at, before, cell));
            let of_goal = if is_change || before.is_none() { rules } else { &kept };
            let goal = goal.filter(|goal| !is_left && of_goal.is_match(at, goal, cell));
            if let Some(same) = goal.or_else(|| before.filter(|before| kept.is_match(at, before, cell))) {
                *cell = same;
            }
        }
    }
}

/// Counts the changes from the start to the goal, which is [quiet](remove_noise), that a tolerance covers: it does not distinguish the goal from the start. A
/// row of a table without a key that changes counts as two.
pub(super) fn count_covered(table: &TableVersions, rules: &CellRules<'_>) -> usize {
    if table.key.is_empty() {
        let Difference { mut removed, added } = diff_rows(&table.before, &table.goal);
        let all: Vec<usize> = (0..removed.len()).collect();
        let open = assign_rows(&added, &mut removed, &all, rules);
        return 2 * (all.len() - open.len());
    }
    let befores = index_by_key(&table.before, &table.key);
    let is_covered = |goal: &&Vec<Cell>| {
        let before = befores.get(&extract_key(goal, &table.key)).copied().flatten();
        let cells = before.into_iter().flat_map(|before| goal.iter().zip(before)).enumerate();
        cells.filter(|(_, (a, b))| a != b).any(|(at, (goal, before))| rules.is_match(at, goal, before))
    };
    table.goal.iter().filter(is_covered).count()
}

/// Returns the row of each key; `None` if several rows have it.
fn index_by_key<'r>(rows: &'r Rows, key: &[usize]) -> BTreeMap<Vec<Cell>, Option<&'r Vec<Cell>>> {
    let mut known = BTreeMap::new();
    for row in rows {
        known.entry(extract_key(row, key)).and_modify(|known| *known = None).or_insert(Some(row));
    }
    known
}

/// Assigns the open rows of `left` to different rows of `target`. Returns those that stay open.
fn assign_rows(target: &Rows, left: &mut Rows, open: &[usize], rules: &CellRules<'_>) -> Vec<usize> {
    // First rows that are exactly equal, then those that are equal by the options.
    let (free, rest) = assign_same_rows(target, left, open);
    assign_near_rows(free, left, &rest, rules)
}

/// Returns the rows of `target` without an equal open row of `left`, and the open rows that stay open.
fn assign_same_rows(target: &Rows, left: &Rows, open: &[usize]) -> (Rows, Vec<usize>) {
    let mut exact: BTreeMap<&Vec<Cell>, usize> = BTreeMap::new();
    target.iter().for_each(|row| *exact.entry(row).or_default() += 1);
    let mut rest: Vec<usize> = Vec::new();
    for at in open {
        match exact.get_mut(&left[*at]).filter(|free| **free > 0) {
            Some(free) => *free -= 1,
            None => rest.push(*at),
        }
    }
    (exact.into_iter().flat_map(|(row, free)| std::iter::repeat_n(row.clone(), free)).collect(), rest)
}

/// Assigns the open rows of `left` to different rows that are equal by the options. Returns those that stay open.
fn assign_near_rows(free: Rows, left: &mut Rows, open: &[usize], rules: &CellRules<'_>) -> Vec<usize> {
    let mut groups: BTreeMap<Vec<Cell>, (Rows, Vec<usize>)> = BTreeMap::new();
    for row in free {
        groups.entry(rules.hide_open_cells(&row)).or_default().0.push(row);
    }
    for at in open {
        groups.entry(rules.hide_open_cells(&left[*at])).or_default().1.push(*at);
    }
    let mut still = Vec::new();
    for (rows, places) in groups.into_values() {
        let partners = pair_rows(&rows, &places.iter().map(|place| &left[*place]).collect::<Vec<_>>(), rules);
        let mut settled = vec![false; places.len()];
        for (row, partner) in rows.into_iter().zip(partners) {
            if let Some(partner) = partner {
                settled[partner] = true;
                left[places[partner]] = row;
            }
        }
        still.extend(places.iter().zip(settled).filter(|(_, settled)| !settled).map(|(place, _)| *place));
    }
    still.sort_unstable();
    still
}

/// Pairs the rows that are equal by the options: as many as possible of those with the same cells except for open ones. Returns the positions in
/// `wanted` and `found`.
pub(super) fn pair_near_rows(wanted: &Rows, found: &Rows, rules: &CellRules<'_>) -> Vec<(usize, usize)> {
    let mut groups: BTreeMap<Vec<Cell>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, row) in wanted.iter().enumerate() {
        groups.entry(rules.hide_open_cells(row)).or_default().0.push(at);
    }
    for (at, row) in found.iter().enumerate() {
        groups.entry(rules.hide_open_cells(row)).or_default().1.push(at);
    }
    let pair = |(rows, places): (Vec<usize>, Vec<usize>)| -> Vec<(usize, usize)> {
        let wanted: Rows = rows.iter().map(|at| wanted[*at].clone()).collect();
        let partners = pair_rows(&wanted, &places.iter().map(|at| &found[*at]).collect::<Vec<_>>(), rules);
        rows.into_iter().zip(partners).filter_map(|(at, partner)| Some((at, places[partner?]))).collect()
    };
    groups.into_values().flat_map(pair).collect()
}

/// The maximum number of candidates that are compared with one row, if there are too many pairs to try all.
const MAX_LOOKS: usize = 1000;

/// Pairs each of `rows` with one of `found`; all have the same cells except for open ones. The number of pairs is the maximum if some column has at most
/// [`MAX_PAIRS`] candidates, or there are not more pairs; otherwise both are paired in the order of their numbers.
fn pair_rows(rows: &[Vec<Cell>], found: &[&Vec<Cell>], rules: &CellRules<'_>) -> Vec<Option<usize>> {
    let list_open = |row: &Vec<Cell>| -> Vec<(usize, Cell)> {
        let open = row.iter().enumerate().filter(|(at, cell)| rules.is_open(*at, cell));
        open.map(|(at, cell)| (at, cell.clone())).collect()
    };
    let open_rows: Vec<Vec<(usize, Cell)>> = rows.iter().map(list_open).collect();
    let open_found: Vec<Vec<(usize, Cell)>> = found.iter().map(|row| list_open(row)).collect();
    let leaf = |(at, cell): &(usize, Cell)| rules.build_leaf(*at, cell);
    let leaves: Vec<Vec<Option<Leaf>>> = open_rows.iter().map(|row| row.iter().map(leaf).collect()).collect();
    let gots: Vec<Vec<Option<ResponseValue>>> =
        open_found.iter().map(|row| row.iter().map(|(_, cell)| read_cell(cell)).collect()).collect();
    let same = |leaf: &Option<Leaf>, got: &Option<ResponseValue>| match (leaf, got) {
        (Some(leaf), Some(got)) => leaf.is_match(got),
        _ => false,
    };
    let fits = |a: usize, b: usize| {
        let mut cells = leaves[a].iter().zip(&gots[b]).enumerate();
        cells.all(|(at, (leaf, got))| same(leaf, got) || open_rows[a].get(at) == open_found[b].get(at))
    };
    let wanted: Vec<Vec<Option<&Leaf>>> = leaves.iter().map(|row| row.iter().map(Option::as_ref).collect()).collect();
    let got: Vec<Vec<Option<&ResponseValue>>> =
        gots.iter().map(|row| row.iter().map(Option::as_ref).collect()).collect();
    if let Some(edges) = find_edges(&wanted, &got, fits) {
        return match_edges(edges, found.len());
    }
    if rows.len().saturating_mul(found.len()) <= MAX_PAIRS {
        return match_pairs(rows.len(), found.len(), fits);
    }
    let sorted = |rows: Vec<Vec<f64>>| {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let compare = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        order.sort_by(|a, b| compare(&rows[*a], &rows[*b]).unwrap_or(Ordering::Equal));
        order
    };
    let doubles = |row: &Vec<(usize, Cell)>| row.iter().map(|(_, cell)| to_double(cell)).collect::<Vec<f64>>();
    let first_of = |row: &[(usize, Cell)]| row.first().map(|(_, cell)| to_double(cell));
    let mut free: VecDeque<usize> = sorted(open_found.iter().map(doubles).collect()).into();
    let mut out = vec![None; rows.len()];
    let mut tries = MAX_PAIRS;
    for row in sorted(open_rows.iter().map(doubles).collect()) {
        // A number that is too low for this row is too low for all later rows.
        let first = first_of(&open_rows[row]).unwrap_or(0.0);
        let is_low = |at: usize| {
            let low = first_of(&open_found[at]).is_some_and(|number| number < first);
            low && !leaves[row].iter().zip(&gots[at]).take(1).all(|(leaf, got)| same(leaf, got))
        };
        while free.front().is_some_and(|at| is_low(*at)) {
            free.pop_front();
        }
        let look = free.len().min(tries).min(MAX_LOOKS);
        let at = (0..look).find(|at| fits(row, free[*at]));
        tries = tries.saturating_sub(at.map_or(look, |at| at + 1));
        out[row] = at.and_then(|at| free.remove(at));
    }
    out
}

fn to_double(cell: &Cell) -> f64 {
    match cell {
        Cell::Int(value) => *value as f64,
        Cell::Real(Real(value)) => *value,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use model::Value;
    use model::answer_key::codec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::key::Key;
    use crate::rules::Rules;

    fn expect(options: serde_json::Value) -> model::answer_key::Expected {
        codec::read_expected(&json!({"subject": {"file": "a.db"}, "match": "database", "value": {"tables": []}, "options": {"": options}}), model::Scorer::CURRENT)
            .expect("a key")
    }

    /// How many rows are paired, and that each pair fits and no row is in two.
    fn paired(rows: &[Vec<Cell>], found: &[Vec<Cell>], within: &str) -> usize {
        let expect = expect(json!({"within": within}));
        let value = Value::Null;
        let key = Key::new(&expect, &value, None, Rules::from_scorer(model::Scorer::CURRENT));
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let table = TableVersions {
            name: "t".to_owned(),
            columns: (0..width).map(|at| format!("c{at}")).collect(),
            key: Vec::new(),
            before: Vec::new(),
            goal: Vec::new(),
            left: Vec::new(),
        };
        let rules = CellRules::new(&key, &table);
        let partners = pair_rows(rows, &found.iter().collect::<Vec<_>>(), &rules);
        let mut seen = vec![false; found.len()];
        for (row, partner) in rows.iter().zip(&partners) {
            if let Some(at) = partner {
                assert!(!std::mem::replace(&mut seen[*at], true), "one row answers two");
                let mut cells = row.iter().zip(&found[*at]).enumerate();
                assert!(cells.all(|(at, (row, found))| rules.is_match(at, row, found)));
            }
        }
        partners.iter().flatten().count()
    }

    fn rows(numbers: &[(i64, i64)], by: f64) -> Vec<Vec<Cell>> {
        numbers.iter().map(|(a, b)| vec![Cell::from_real(*a as f64 + by), Cell::from_real(*b as f64 / 4.0)]).collect()
    }

    /// Finding: a large bag within a tolerance took minutes, or was not matched at all.
    #[test]
    fn a_large_bag_is_paired_in_bounded_time() {
        let numbers: Vec<(i64, i64)> = (0..40_000).map(|at| (at * 7919 % 9, at * 31 % 12_000)).collect();
        let mut turned = numbers.clone();
        turned.reverse();
        let begun = Instant::now();
        assert_eq!(paired(&rows(&numbers, 0.0), &rows(&turned, 0.004), "0.01"), 40_000);
        // No column tells the rows apart: nine values, each thousands of times.
        let few =
            |by: f64| (0..40_000).map(|at| vec![Cell::from_real(f64::from(at * 7919 % 9) + by)]).collect::<Vec<_>>();
        assert_eq!(paired(&few(0.0), &few(0.004), "0.01"), 40_000);
        assert_eq!(paired(&few(0.0), &few(0.02), "0.01"), 0);
        let taken = begun.elapsed();
        assert!(taken.as_secs() < 60, "{taken:?}");
    }

    proptest! {
        /// As many pairs as trying all finds, also where pairing the nearest first would find fewer.
        #[test]
        fn as_many_as_can_be(wanted in prop::collection::vec((0i64..6, 0i64..6), 0..6), found in prop::collection::vec((0i64..6, 0i64..6), 0..6)) {
            let (wanted, found) = (rows(&wanted, 0.0), rows(&found, 0.0));
            let fits = |a: &Vec<Cell>, b: &Vec<Cell>| a.iter().zip(b).all(|(a, b)| (to_double(a) - to_double(b)).abs() <= 1.0);
            fn most(wanted: &[Vec<Cell>], found: &mut Vec<Vec<Cell>>, fits: &dyn Fn(&Vec<Cell>, &Vec<Cell>) -> bool) -> usize {
                let Some((first, rest)) = wanted.split_first() else { return 0 };
                let mut best = most(rest, found, fits);
                for at in 0..found.len() {
                    if fits(first, &found[at]) {
                        let taken = found.remove(at);
                        best = best.max(1 + most(rest, found, fits));
                        found.insert(at, taken);
                    }
                }
                best
            }
            let best = most(&wanted, &mut found.clone(), &fits);
            prop_assert_eq!(paired(&wanted, &found, "1"), best);
        }
    }
}
