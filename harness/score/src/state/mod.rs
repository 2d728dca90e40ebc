//! `database`: compares the database that an agent left with the goal.
//!
//! The goal is the start without some rows and with others, so no SQL of the suite runs here. The remaining database is not trusted: it is read by
//! `sqlite::state`, together with its log or journal.
//!
//! The score is |G ∩ A| / |G ∪ A|: G the changes from the start to the goal, A those from the start to what is left. A change is a row that was added or
//! removed, or, identified by its key, a row with the altered cells and their new values.
//!
//! `unchanged` allows other bytes in the file, but the content and schema of the database must be the same as at the start.

mod cells;
mod new_keys;
mod rows;
mod table_versions;
mod tolerance;
mod unchanged;

use std::collections::{BTreeMap, BTreeSet};

use model::Value;
use model::answer_key::{Answer, Expected};
use model::suite::Matcher;
use records::verdict::Difference;
use records::{Captured, Reason};
use sqlite::state::{
    Cell, Declaration, Goal, GoalTable, MAX_BYTES, Reference, SchemaChange, SchemaPart, State, Table,
    UnreadableDatabase, find_schema_change, read_schema, read_state, recover_database, restore_database,
};

use crate::captured;
use crate::finding::{Finding, choose_best};
use crate::key::Key;
use crate::rules::Rules;
use crate::start_files::StartFiles;
use cells::CellRules;
use new_keys::{Cycle, Link, replace_new_keys};
use table_versions::{Rows, TableVersions, group_by_key};
use tolerance::replace_near_cells;
pub use unchanged::check_unchanged;

/// The captured files of a database.
pub struct Files<'c> {
    /// The file.
    pub database: &'c Captured,
    /// Its write-ahead log.
    pub log: &'c Captured,
    /// Its rollback journal.
    pub journal: &'c Captured,
}

/// Compares the remaining database with the goal; the score is partial if some changes are correct.
pub fn judge_database(
    expect: &Expected,
    path: &str,
    files: &Files<'_>,
    start: &dyn StartFiles,
    rules: &'static Rules,
) -> Finding {
    let refuse = |unread| match unread {
        UnreadableDatabase::Broken(why) => Finding::wrong(Reason::NotADatabase, "a database", why),
        UnreadableDatabase::TooLarge(why) => Finding::wrong(Reason::TooLarge, "a database", why),
        // After the user stopped the process, scores are not kept.
        UnreadableDatabase::Interrupted => Finding::wrong(Reason::TooLarge, "a database", "reading it was interrupted"),
    };
    let left = || {
        let bytes = read_left_bytes(files)?;
        let state = read_state(&bytes).map_err(refuse)?;
        let schema = if rules.compares_schemas { read_schema(&bytes).map_err(refuse)? } else { Vec::new() };
        Ok(Left { state, schema })
    };
    let left = match left() {
        Ok(left) => left,
        Err(finding) => return finding,
    };
    choose_best(expect, |value, _| {
        let mut compared = Compared::default();
        let add = |table: TableVersions, rules: &CellRules<'_>| compared.add_table(table, rules);
        match visit_tables((expect, value), path, &left, start, rules, add) {
            Ok(()) => compared.into_finding(),
            Err(finding) => finding,
        }
    })
}

/// The number of expected changes that a tolerance covers: it does not distinguish their result from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// The covered changes.
    pub covered: usize,
    /// All expected changes.
    pub of: usize,
}

/// Counts the expected changes that a tolerance covers; `None` if it covers no change. With several accepted states, the first with such changes counts.
pub fn count_covered_changes(expect: &Expected, start: &dyn StartFiles, rules: &'static Rules) -> Option<Covered> {
    let path = expect.compared_database()?;
    let bytes = start.read_file(path)?;
    let left = Left { state: read_state(&bytes).ok()?, schema: read_schema(&bytes).ok()? };
    expect.answer.iter().flat_map(Answer::accepted_values).find_map(|value| {
        let mut found = Covered::default();
        let each = |table: TableVersions, rules: &CellRules<'_>| {
            found.covered += tolerance::count_covered(&table, rules);
            found.of += collect_changes(&table.before, &table.goal, &table.key).values().sum::<usize>();
        };
        visit_tables((expect, value), path, &left, start, rules, each).ok()?;
        (found.covered > 0).then_some(found)
    })
}

/// Calls `each` with every table that counts, its goal without the rounding noise of doubles, and the options of its columns.
fn visit_tables(
    (expect, value): (&Expected, &Value),
    path: &str,
    left: &Left,
    start: &dyn StartFiles,
    rules: &'static Rules,
    mut each: impl FnMut(TableVersions, &CellRules<'_>),
) -> Result<(), Finding> {
    let bad = |why: &str| Finding::wrong(Reason::BadKey, why, "");
    let goal = Goal::from_value(value).ok_or_else(|| bad("the answer of `database` is not a state"))?;
    let begun = start.read_file(path).ok_or_else(|| bad("the database does not exist at the start"))?;
    let Left { state: left, schema } = left;
    let unread = |_| bad("the database cannot be read as it was at the start");
    let before = read_state(&begun).map_err(unread)?;
    let options = expect.whole_options();
    let ignored = Ignored::from_parts(&options.parts, &goal, rules);
    let reached = goal.apply_to(&before);
    if let Some(wrong) = check_schema(&goal, left, &ignored) {
        return Err(wrong);
    }
    if rules.compares_schemas {
        let part = if options.schema { SchemaPart::Whole } else { SchemaPart::Behavior };
        let begun = read_schema(&begun).map_err(unread)?;
        if let Some(change) = find_schema_change(&begun, schema, part, |name| ignored.has_table(name)) {
            return Err(describe_schema_change(&change));
        }
    }
    let key = Key::new(expect, value, None, rules);
    let counted: Vec<(&GoalTable, &Table)> =
        goal.tables.iter().zip(&reached.tables).filter(|(goal, _)| !ignored.has_table(&goal.name)).collect();
    let build_versions = |(goal, reached): &(&'_ GoalTable, &Table)| {
        let rows = |state: &State| {
            let found = state.tables.iter().find(|table| table.name.eq_ignore_ascii_case(&goal.name));
            found.map(|table| ignored.select_counted_cells(table)).unwrap_or_default()
        };
        let mut table = TableVersions {
            columns: ignored.list_counted_columns(goal),
            key: ignored.find_key(goal),
            name: goal.name.clone(),
            before: rows(&before),
            goal: ignored.select_counted_cells(reached),
            left: rows(left),
        };
        let of_cells = CellRules::new(&key, &table);
        tolerance::remove_noise(&mut table, &of_cells.without_options());
        (table, of_cells)
    };
    let (mut tables, of_cells): (Vec<TableVersions>, Vec<CellRules<'_>>) = counted.iter().map(build_versions).unzip();
    let keys: Vec<Vec<usize>> = tables.iter().map(|table| ignored.find_ignored_keys(table)).collect();
    if keys.iter().any(|key| !key.is_empty()) {
        let links = list_links(&tables, &before);
        replace_new_keys(&mut tables, &keys, &links, &of_cells).map_err(|Cycle| bad("ignored keys in a circle"))?;
    }
    tables.into_iter().zip(&of_cells).for_each(|(table, rules)| each(table, rules));
    Ok(())
}

/// Lists the references between tables, by the columns that count.
fn list_links(tables: &[TableVersions], start: &State) -> Vec<Link> {
    let find = |name: &str| tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
    let place =
        |table: &TableVersions, name: &str| table.columns.iter().position(|known| known.eq_ignore_ascii_case(name));
    let link = |child: usize, reference: &Reference| {
        let parent = find(&reference.table)?;
        let columns = reference.columns.iter().map(|name| place(&tables[child], name)).collect::<Option<Vec<_>>>()?;
        let to = match reference.to.as_slice() {
            [] => tables[parent].key.clone(),
            names => names.iter().map(|name| place(&tables[parent], name)).collect::<Option<Vec<_>>>()?,
        };
        (columns.len() == to.len()).then_some(Link { child, columns, parent, to })
    };
    let of_table = |table: &Table| find(&table.name).map(|child| (child, table.references.clone()));
    let all = start.tables.iter().filter_map(of_table);
    all.flat_map(|(child, references)| references.into_iter().filter_map(move |one| link(child, &one))).collect()
}

/// The database as the agent left it. Its schema is read only if it counts.
struct Left {
    state: State,
    schema: Vec<Declaration>,
}

/// Describes the first declaration that is not that of the start.
fn describe_schema_change(change: &SchemaChange) -> Finding {
    let describe = |one: &Option<Declaration>, other: &Option<Declaration>| match (one, other) {
        (Some(one), _) => format!("the {} `{}`: {}", one.kind, one.name, one.sql),
        (None, Some(other)) => format!("no {} `{}`", other.kind, other.name),
        (None, None) => "nothing".to_owned(),
    };
    let SchemaChange { before, after } = change;
    Finding::wrong(Reason::WrongSchema, describe(before, after), describe(after, before))
}

/// Returns the oracle's database: the start with the changes of the goal, or of the first one. `None` if the key is not one of a database, or cannot be applied.
pub fn solve_database(expect: &Expected, path: &str, start: &dyn StartFiles) -> Option<Vec<u8>> {
    if expect.matcher != Matcher::Database {
        return None;
    }
    let goal = Goal::from_value(expect.answer.as_ref()?.accepted_values().first()?)?;
    let differences: Vec<_> = goal.tables.iter().map(|table| (table.name.as_str(), table.difference.clone())).collect();
    restore_database(&start.read_file(path)?, &differences).ok()
}

/// Lists the columns of each table's key that new rows may have otherwise than the goal's.
pub fn list_ignored_keys(expect: &Expected, goal: &Goal, rules: &Rules) -> Vec<Vec<usize>> {
    let Ignored { keys, .. } = Ignored::from_parts(&expect.whole_options().parts, goal, rules);
    let is_ignored = |table: &GoalTable, at: &usize| {
        let column = table.columns.get(*at).map(|column| column.to_ascii_lowercase()).unwrap_or_default();
        keys.contains(&(table.name.to_ascii_lowercase(), column))
    };
    let of_table = |table: &GoalTable| table.key.iter().copied().filter(|at| is_ignored(table, at)).collect();
    goal.tables.iter().map(of_table).collect()
}

/// Returns the bytes of the database as SQLite would see them, after recovery.
fn read_left_bytes(files: &Files<'_>) -> Result<Vec<u8>, Finding> {
    let too_large = |size: u64| Finding::wrong(Reason::TooLarge, "a database", format!("a file of {size} bytes"));
    let beside = |found: &Captured| match found {
        Captured::TooLarge { size } => Err(too_large(*size)),
        other => Ok(other.to_bytes()),
    };
    let bytes = match files.database {
        Captured::Absent => return Err(Finding::wrong(Reason::NoFile, "a database", "nothing")),
        Captured::TooLarge { size } => return Err(too_large(*size)),
        found => match found.to_bytes() {
            Some(bytes) => bytes,
            None => return Err(Finding::wrong(Reason::WrongKind, "a database", captured::describe_kind(found))),
        },
    };
    if bytes.len() > MAX_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    let (log, journal) = (beside(files.log)?, beside(files.journal)?);
    Ok(recover_database(&bytes, log.as_deref(), journal.as_deref()).into_owned())
}

/// The ignored tables, and columns of tables, in lowercase.
struct Ignored {
    tables: BTreeSet<String>,
    columns: BTreeSet<(String, String)>,
    /// Columns of keys, which new rows may have otherwise.
    keys: BTreeSet<(String, String)>,
}

impl Ignored {
    /// Parses `TABLE` or `TABLE.COLUMN`; names may contain periods, so the goal's tables decide which it is.
    fn from_parts(parts: &[String], goal: &Goal, rules: &Rules) -> Ignored {
        let mut ignored = Ignored { tables: BTreeSet::new(), columns: BTreeSet::new(), keys: BTreeSet::new() };
        for part in parts.iter().map(|part| part.to_ascii_lowercase()) {
            let column = goal.tables.iter().find_map(|table| {
                let name = table.name.to_ascii_lowercase();
                let column = part.strip_prefix(&name)?.strip_prefix('.')?;
                let at = table.columns.iter().position(|known| known.eq_ignore_ascii_case(column))?;
                Some(((name, column.to_owned()), table.key.contains(&at)))
            });
            match column {
                Some((column, true)) if rules.pairs_new_rows => drop(ignored.keys.insert(column)),
                Some((column, _)) => drop(ignored.columns.insert(column)),
                None => drop(ignored.tables.insert(part)),
            }
        }
        ignored
    }

    fn has_table(&self, name: &str) -> bool {
        self.tables.contains(&name.to_ascii_lowercase())
    }

    fn has_column(&self, table: &str, column: &str) -> bool {
        self.columns.contains(&(table.to_ascii_lowercase(), column.to_ascii_lowercase()))
    }

    /// Returns the names of the columns that count.
    fn list_counted_columns(&self, table: &GoalTable) -> Vec<String> {
        table.columns.iter().filter(|column| !self.has_column(&table.name, column)).cloned().collect()
    }

    /// Returns the places of the key's columns among those that count.
    fn find_key(&self, table: &GoalTable) -> Vec<usize> {
        let counted: Vec<usize> =
            (0..table.columns.len()).filter(|at| !self.has_column(&table.name, &table.columns[*at])).collect();
        let places = table.key.iter().map(|key| counted.iter().position(|at| at == key));
        places.collect::<Option<_>>().unwrap_or_default()
    }

    /// Returns the places of the ignored columns of a key.
    fn find_ignored_keys(&self, table: &TableVersions) -> Vec<usize> {
        let is_ignored = |at: &usize| {
            let column = table.columns.get(*at).map(|column| column.to_ascii_lowercase()).unwrap_or_default();
            self.keys.contains(&(table.name.to_ascii_lowercase(), column))
        };
        table.key.iter().copied().filter(is_ignored).collect()
    }

    /// Returns the rows with the columns that count.
    fn select_counted_cells(&self, table: &Table) -> Vec<Vec<Cell>> {
        let counts: Vec<bool> = table.columns.iter().map(|column| !self.has_column(&table.name, column)).collect();
        let counted = |row: &Vec<Cell>| {
            row.iter().zip(&counts).filter(|(_, counts)| **counts).map(|(cell, _)| cell.clone()).collect()
        };
        table.rows.iter().map(counted).collect()
    }
}

/// Returns a finding if tables or columns differ from the goal's. Letter case does not count, as in SQL.
fn check_schema(goal: &Goal, left: &State, ignored: &Ignored) -> Option<Finding> {
    let counted: Vec<&Table> = left.tables.iter().filter(|table| !ignored.has_table(&table.name)).collect();
    let names = |names: &mut dyn Iterator<Item = &String>| names.map(String::as_str).collect::<Vec<_>>().join(", ");
    for table in goal.tables.iter().filter(|table| !ignored.has_table(&table.name)) {
        let Some(found) = counted.iter().find(|found| found.name.eq_ignore_ascii_case(&table.name)) else {
            let expected = format!("a table `{}`", table.name);
            return Some(Finding::wrong(Reason::WrongSchema, expected, "no such table"));
        };
        let wanted = ignored.list_counted_columns(table);
        let columns: Vec<String> =
            found.columns.iter().filter(|column| !ignored.has_column(&table.name, column)).cloned().collect();
        let same = wanted.len() == columns.len() && wanted.iter().zip(&columns).all(|(a, b)| a.eq_ignore_ascii_case(b));
        if !same {
            let expected = format!("`{}` with the columns {}", table.name, names(&mut wanted.iter()));
            return Some(Finding::wrong(Reason::WrongSchema, expected, names(&mut columns.iter())));
        }
    }
    let known = |table: &&&Table| !goal.tables.iter().any(|goal| goal.name.eq_ignore_ascii_case(&table.name));
    let more = counted.iter().find(known)?;
    Some(Finding::wrong(Reason::WrongSchema, "no other table", format!("a table `{}`", more.name)))
}

/// The maximum number of differences.
const MAX_ROWS: usize = 20;

/// A row that was added or removed, or altered cells of a row with this key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Added(Vec<Cell>),
    Removed(Vec<Cell>),
    Altered(Vec<Cell>, Vec<(usize, Cell)>),
}

/// The results so far, over all tables.
#[derive(Default)]
struct Compared {
    both: usize,
    either: usize,
    differences: Vec<Difference>,
}

impl Compared {
    fn add_table(&mut self, mut table: TableVersions, rules: &CellRules<'_>) {
        replace_near_cells(&mut table, rules);
        let wanted = collect_changes(&table.before, &table.goal, &table.key);
        let made = collect_changes(&table.before, &table.left, &table.key);
        for change in wanted.keys().chain(made.keys()).collect::<BTreeSet<_>>() {
            let [want, have] = [&wanted, &made].map(|changes| changes.get(change).copied().unwrap_or(0));
            self.both += want.min(have);
            self.either += want.max(have);
        }
        self.differences.extend(rows::list_differences(&table));
        self.differences.truncate(MAX_ROWS);
    }

    fn into_finding(self) -> Finding {
        if self.both == self.either {
            // This includes the case that the goal is the start, and nothing was done.
            return Finding::right();
        }
        let score = self.both as f64 / self.either as f64;
        let reason = if score > 0.0 { Reason::Partial } else { Reason::Differs };
        Finding { score, reason, differences: self.differences }
    }
}

/// Returns the changes between two bags of rows, each with its number.
fn collect_changes(before: &Rows, after: &Rows, key: &[usize]) -> BTreeMap<Change, usize> {
    let gone_and_come = sqlite::state::diff_rows(before, after);
    let mut out: BTreeMap<Change, usize> = BTreeMap::new();
    let mut add = |change: Change| *out.entry(change).or_default() += 1;
    if key.is_empty() {
        gone_and_come.removed.into_iter().for_each(|row| add(Change::Removed(row)));
        gone_and_come.added.into_iter().for_each(|row| add(Change::Added(row)));
        return out;
    }
    for (place, (removed, added)) in group_by_key(gone_and_come, key) {
        if let ([old], [new]) = (removed.as_slice(), added.as_slice()) {
            let altered = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
            add(Change::Altered(place, altered.map(|(at, (_, new))| (at, new.clone())).collect()));
            continue;
        }
        removed.into_iter().for_each(|row| add(Change::Removed(row)));
        added.into_iter().for_each(|row| add(Change::Added(row)));
    }
    out
}
