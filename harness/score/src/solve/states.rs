//! Databases next to the oracle's: other representations of the same state, which are right, and one that will behave in another way, which is wrong.

use std::collections::{BTreeMap, BTreeSet};

use model::answer_key::{Answer, Expected, build_wal_path};
use model::ddl::quote_name;
use model::suite::{CellMatch, Matcher};
use sqlite::state::{
    Cell, Goal, MAX_BYTES, Reference, State, is_database_file, read_state, restore_database, run_on_copy, write_log,
};

use super::Solution;
use super::variant::{Variant, VariantKind};
use crate::describe::describe_subject;
use crate::key::Key;
use crate::rules::Rules;
use crate::start_files::StartFiles;
use crate::state::list_ignored_keys;

/// The name of the trigger that is added.
const TRIGGER: &str = "picardc_selftest";

/// Lists the variants of the database that an expectation compares. What cannot be made of a database is left out: statistics where an index needs a function that only
/// its program has, a trigger if it has only virtual tables, keys that a constraint refuses.
pub(super) fn list_states<'e>(
    expect: &'e Expected,
    solution: &Solution,
    start: &dyn StartFiles,
    rules: &'static Rules,
) -> Vec<Variant<'e>> {
    let is_compared = expect.matcher == Matcher::Database || rules.unchanged_states;
    let Some(path) = expect.compared_database().filter(|_| is_compared) else { return Vec::new() };
    let Some(before) = start.read_file(path).filter(|bytes| is_database_file(bytes)) else { return Vec::new() };
    let written = solution.files.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.as_slice());
    let goal = written.unwrap_or(&before);
    let who = format!("{} {}", describe_subject(expect), expect.matcher.word());
    let mut variants = Vec::new();
    let mut add = |kind: VariantKind, what: &str, files: Vec<(String, Vec<u8>)>| {
        if files.iter().any(|(_, bytes)| bytes.len() > MAX_BYTES) {
            return;
        }
        let solution = Solution { files, ..Solution::default() };
        variants.push(Variant { kind, expect, who: who.clone(), what: what.to_owned(), solution });
    };
    let in_file = |bytes: Vec<u8>| vec![(path.to_owned(), bytes)];
    if let Some(bytes) = build_other_keys(expect, &before, rules) {
        add(VariantKind::State, "the goal with other new keys", in_file(bytes));
    }
    if let Some(bytes) = build_other_texts(expect, &before, rules) {
        add(VariantKind::State, "the goal with texts around those that its cells contain", in_file(bytes));
    }
    if let Ok(bytes) = run_on_copy(goal, "ANALYZE") {
        add(VariantKind::State, "the right database after `ANALYZE`", in_file(bytes));
    }
    if let Some((database, log)) = write_log(&before, goal) {
        let files = vec![(path.to_owned(), database), (build_wal_path(path), log)];
        add(VariantKind::State, "the right database with its changes in the write-ahead log", files);
    }
    if rules.compares_schemas
        && let Some(bytes) = add_trigger(goal)
    {
        add(VariantKind::Trigger, "the right database with a trigger more", in_file(bytes));
    }
    variants
}

/// Adds a trigger to the first table that can have one.
fn add_trigger(database: &[u8]) -> Option<Vec<u8>> {
    let state = read_state(database).ok()?;
    // Virtual tables have no columns here.
    let tables = state.tables.iter().filter(|table| !table.columns.is_empty()).map(|table| quote_name(&table.name));
    tables
        .map(|table| format!("CREATE TRIGGER {TRIGGER} AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"))
        .find_map(|statement| run_on_copy(database, &statement).ok())
}

/// Builds the goal, or the first of several, with other keys in its new rows; `None` if no key is ignored or no row is new.
fn build_other_keys(expect: &Expected, start: &[u8], rules: &Rules) -> Option<Vec<u8>> {
    let goal = read_goal(expect)?;
    let ignored = list_ignored_keys(expect, &goal, rules);
    restore_goal(&replace_keys(&goal, &ignored, &read_state(start).ok()?)?, start)
}

/// Builds the goal, or the first of several, with other text around the texts that cells must contain (`contains in`); `None` if it changes no such cell.
fn build_other_texts(expect: &Expected, start: &[u8], rules: &'static Rules) -> Option<Vec<u8>> {
    let value = expect.answer.as_ref().and_then(|answer: &Answer| answer.accepted_values().first())?;
    let (key, mut goal) = (Key::new(expect, value, None, rules), read_goal(expect)?);
    let before = read_state(start).ok()?;
    let mut is_changed = false;
    for table in &mut goal.tables {
        let known = before.tables.iter().find(|known| known.name == table.name).map_or(&[][..], |known| &known.rows);
        let is_free = |column: &usize| {
            let name = table.columns.get(*column).map_or("", String::as_str);
            let options = key.resolve_table_options(&table.name, name);
            !table.key.contains(column) && options.cells == Some(CellMatch::Contains)
        };
        let free: Vec<usize> = (0..table.columns.len()).filter(is_free).collect();
        for row in &mut table.difference.added {
            let old = known.iter().find(|old| pick(old, &table.key) == pick(row, &table.key));
            for column in &free {
                // A text that was there at the start stays as it is.
                let is_new = old.and_then(|old| old.get(*column)) != row.get(*column);
                if let Some(Cell::Text(text)) = row.get_mut(*column).filter(|_| is_new) {
                    *text = format!("As asked: {text} (done).");
                    is_changed = true;
                }
            }
        }
    }
    is_changed.then(|| restore_goal(&goal, start))?
}

/// Returns the first accepted state.
fn read_goal(expect: &Expected) -> Option<Goal> {
    if expect.matcher != Matcher::Database {
        return None;
    }
    Goal::from_value(expect.answer.as_ref().and_then(|answer: &Answer| answer.accepted_values().first())?)
}

/// Builds a database in this state; `None` if a constraint refuses it.
fn restore_goal(goal: &Goal, start: &[u8]) -> Option<Vec<u8>> {
    let differences: Vec<_> = goal.tables.iter().map(|table| (table.name.as_str(), table.difference.clone())).collect();
    restore_database(start, &differences).ok()
}

/// Replaces the ignored parts of the keys of new rows, and references to them; `None` if there are none.
fn replace_keys(goal: &Goal, ignored: &[Vec<usize>], start: &State) -> Option<Goal> {
    let mut other = goal.clone();
    let mut is_changed = false;
    for ((table, changed), ignored) in goal.tables.iter().zip(&mut other.tables).zip(ignored) {
        let before = start.tables.iter().find(|before| before.name == table.name).map_or(&[][..], |known| &known.rows);
        let known: BTreeSet<Vec<&Cell>> = before.iter().map(|row| pick(row, &table.key)).collect();
        let added = &table.difference.added;
        let new =
            (0..added.len()).filter(|at| added.get(*at).is_some_and(|row| !known.contains(&pick(row, &table.key))));
        let new: Vec<usize> = new.collect();
        for column in ignored {
            let most = before.iter().chain(added).filter_map(|row| match row.get(*column) {
                Some(Cell::Int(number)) => Some(*number),
                _ => None,
            });
            let most = most.max().unwrap_or(0);
            // In the opposite order, and with gaps.
            for (place, at) in (1..).zip(new.iter().rev()) {
                let cell = changed.difference.added.get_mut(*at).and_then(|row| row.get_mut(*column))?;
                *cell = match cell {
                    Cell::Int(_) => Cell::Int(most.checked_add(2 * place)?),
                    Cell::Text(text) => Cell::Text(format!("{text}-{place}")),
                    Cell::Blob(blob) => Cell::Blob([blob.as_slice(), &[0]].concat()),
                    Cell::Null | Cell::Real(_) | Cell::Broken(_) => return None,
                };
                is_changed = true;
            }
        }
    }
    // A key may be a reference to another one: each pass follows one more step.
    for _ in 0..goal.tables.len() {
        for table in &start.tables {
            table.references.iter().for_each(|reference| follow_reference(goal, &mut other, &table.name, reference));
        }
    }
    is_changed.then_some(other)
}

/// Gives the references of a table to new rows of another one their keys.
fn follow_reference(goal: &Goal, other: &mut Goal, child: &str, reference: &Reference) {
    let find = |name: &str| goal.tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
    let (Some(child), Some(parent)) = (find(child), find(&reference.table)) else { return };
    let (Some(from), Some(of)) = (goal.tables.get(child), goal.tables.get(parent)) else { return };
    let Some(columns) = find_columns(&from.columns, &reference.columns) else { return };
    let to = match reference.to.as_slice() {
        [] => Some(of.key.clone()),
        names => find_columns(&of.columns, names),
    };
    let (Some(to), Some(renamed)) = (to, other.tables.get(parent)) else { return };
    let pairs = of.difference.added.iter().zip(&renamed.difference.added);
    let names: BTreeMap<Vec<&Cell>, Vec<Cell>> =
        pairs.map(|(old, new)| (pick(old, &to), pick(new, &to).into_iter().cloned().collect())).collect();
    let Some(changed) = other.tables.get(child) else { return };
    let mut rows = changed.difference.added.clone();
    for (old, new) in from.difference.added.iter().zip(&mut rows) {
        for (column, cell) in columns.iter().zip(names.get(&pick(old, &columns)).into_iter().flatten()) {
            if let Some(slot) = new.get_mut(*column) {
                *slot = cell.clone();
            }
        }
    }
    if let Some(changed) = other.tables.get_mut(child) {
        changed.difference.added = rows;
    }
}

fn find_columns(all: &[String], names: &[String]) -> Option<Vec<usize>> {
    names.iter().map(|name| all.iter().position(|known| known.eq_ignore_ascii_case(name))).collect()
}

/// Returns the cells of a row at these places.
fn pick<'r>(row: &'r [Cell], places: &[usize]) -> Vec<&'r Cell> {
    places.iter().filter_map(|at| row.get(*at)).collect()
}
