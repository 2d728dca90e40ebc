//! The search for rows on which two queries return different results.

use model::Value;
use syntax::host::{Example, Sqlite};

use super::draft::{Dice, Draft};
use super::reading::{Change, Reading};
use super::setting::{SampleColumn, Setting};

/// The maximum number of drafts that are tried, before those of the removal of what does not matter.
const MAX_DRAFTS: usize = 200;

/// The maximum number of drafts that may fail before one does not: then the other query is wrong.
const MAX_FAILURES: usize = 20;

/// The maximum number of drafts that are tried in all.
const MAX_RUNS: usize = 600;

/// The rows of a result.
pub type Rows = Vec<Vec<Value>>;

/// A cell: its table, row, and column.
type Cell = (usize, usize, usize);

/// Rows on which the queries differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The rows of the tables.
    pub draft: Draft,
    /// The results.
    pub results: [Rows; 2],
    /// For each table, the columns whose values decide the results.
    pub deciding: Vec<Vec<usize>>,
    /// The parameters whose values decide the results.
    pub params: Vec<usize>,
}

impl Difference {
    /// Whether both results have rows, and no nulls.
    fn is_plain(&self) -> bool {
        self.results.iter().all(|rows| !rows.is_empty() && rows.iter().flatten().all(|value| !value.is_null()))
    }
}

/// Finds the simplest rows that tell two readings apart, if any are found.
pub fn find_difference(setting: &Setting, reading: &Reading, sqlite: &dyn Sqlite) -> Option<Difference> {
    if setting.tables.is_empty() {
        return None;
    }
    let queries = [change_text(&setting.text, &reading.one)?, change_text(&setting.text, &reading.other)?];
    let mut search = Search { setting, sqlite, queries, is_open: reading.instead.is_none(), runs: 0 };
    let mut dice = Dice::START;
    let mut best: Option<Difference> = None;
    let mut is_sound = false;
    for _ in 0..MAX_DRAFTS {
        let Some(draft) = Draft::draw(setting, &mut dice) else { continue };
        let ran = search.run(draft);
        is_sound |= ran.is_ok();
        if !is_sound && search.runs >= MAX_FAILURES {
            return None;
        }
        let Ok(Some(found)) = ran else { continue };
        let is_plain = found.is_plain();
        if is_plain || best.is_none() {
            best = Some(found);
        }
        if is_plain {
            break;
        }
    }
    let mut best = search.remove_rows(best?);
    best = search.simplify_values(best);
    best.deciding = search.find_deciding(&best);
    best.params = search.find_deciding_params(&best);
    Some(best)
}

/// The text with its changes; `None` if they overlap.
fn change_text(text: &str, changes: &[Change]) -> Option<String> {
    let mut sorted: Vec<&Change> = changes.iter().collect();
    sorted.sort_by_key(|(bytes, _)| *bytes);
    let (mut out, mut end) = (String::new(), 0);
    for ((start, stop), new) in sorted {
        out.push_str(text.get(end..*start)?);
        out.push_str(new);
        end = *stop;
    }
    out.push_str(text.get(end..)?);
    Some(out)
}

struct Search<'s> {
    setting: &'s Setting,
    sqlite: &'s dyn Sqlite,
    queries: [String; 2],
    /// Whether the order of rows is a part of the results.
    is_open: bool,
    runs: usize,
}

impl Search<'_> {
    /// Runs both queries. Returns nothing if their results are the same.
    fn run(&mut self, draft: Draft) -> Result<Option<Difference>, ()> {
        let results = self.read_results(&draft).ok_or(())?;
        let differs = match (self.is_open, &results) {
            (true, [one, other]) => one != other,
            (false, [one, other]) => sort_rows(one) != sort_rows(other),
        };
        Ok(differs.then_some(Difference { draft, results, deciding: Vec::new(), params: Vec::new() }))
    }

    fn read_results(&mut self, draft: &Draft) -> Option<[Rows; 2]> {
        self.runs += 1;
        let params = self.setting.params.iter().map(|param| param.name.clone()).zip(draft.params.iter().cloned());
        let (inserts, params) = (draft.build_inserts(self.setting), params.collect::<Vec<_>>());
        let example = Example { inserts: &inserts, queries: &self.queries, params: &params };
        let mut results = self.sqlite.run_example(&self.setting.ddl, &example).ok()?;
        results.iter_mut().flatten().flatten().for_each(unify_number);
        results.try_into().ok()
    }

    /// A changed draft, if it still tells the readings apart as plainly as another one.
    fn accept(&mut self, draft: Draft, other: &Difference) -> Option<Difference> {
        if self.runs >= MAX_RUNS || !draft.is_possible(self.setting) {
            return None;
        }
        self.run(draft).ok().flatten().filter(|found| !other.is_plain() || found.is_plain())
    }

    /// Removes rows that do not matter; rows that refer to others first.
    fn remove_rows(&mut self, mut best: Difference) -> Difference {
        let tables: Vec<usize> = (0..self.setting.tables.len()).rev().filter(|table| self.is_read(*table)).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &table in &tables {
                let count = best.draft.tables.get(table).map_or(0, Vec::len);
                for row in (0..count).rev() {
                    let mut draft = best.draft.clone();
                    if let Some(rows) = draft.tables.get_mut(table) {
                        rows.remove(row);
                    }
                    if let Some(found) = self.accept(draft, &best) {
                        (best, is_changed) = (found, true);
                    }
                }
            }
        }
        best
    }

    /// Gives cells the simplest values with which the readings still differ.
    fn simplify_values(&mut self, mut best: Difference) -> Difference {
        for (table, row, column) in self.list_cells(&best.draft) {
            for value in self.list_simpler_values(&best.draft, (table, row, column)) {
                let draft = self.replace_cell(&best.draft, (table, row, column), &value);
                if let Some(found) = self.accept(draft, &best) {
                    best = found;
                    break;
                }
            }
        }
        best
    }

    /// The columns of which another value changes a result.
    fn find_deciding(&mut self, best: &Difference) -> Vec<Vec<usize>> {
        let mut deciding: Vec<Vec<usize>> = vec![Vec::new(); self.setting.tables.len()];
        for (table, row, column) in self.list_cells(&best.draft) {
            if deciding.get(table).is_some_and(|columns| columns.contains(&column)) {
                continue;
            }
            let cell = (table, row, column);
            let is_deciding = self.list_other_values(&best.draft, cell).iter().any(|value| {
                let draft = self.replace_cell(&best.draft, cell, value);
                draft.is_possible(self.setting)
                    && (self.runs >= MAX_RUNS
                        || self.read_results(&draft).is_none_or(|results| results != best.results))
            });
            if is_deciding && let Some(columns) = deciding.get_mut(table) {
                columns.push(column);
            }
        }
        deciding.iter_mut().for_each(|columns| columns.sort_unstable());
        deciding
    }

    /// The parameters of which another value changes a result.
    fn find_deciding_params(&mut self, best: &Difference) -> Vec<usize> {
        let setting = self.setting;
        let is_deciding = |at: &usize| {
            let values = setting.params.get(*at).map_or(&[][..], |param| param.values.as_slice());
            values.iter().any(|value| {
                let mut draft = best.draft.clone();
                draft.params.get_mut(*at).into_iter().for_each(|own| own.clone_from(value));
                self.runs >= MAX_RUNS || self.read_results(&draft).is_none_or(|results| results != best.results)
            })
        };
        (0..setting.params.len()).filter(is_deciding).collect()
    }

    fn is_read(&self, table: usize) -> bool {
        self.setting.tables.get(table).is_some_and(|table| table.read)
    }

    /// The cells that the query reads, and that do not refer to other rows that it reads.
    fn list_cells(&self, draft: &Draft) -> Vec<Cell> {
        let tables = self.setting.tables.iter().zip(&draft.tables).enumerate();
        tables
            .flat_map(|(at, (table, rows))| {
                let is_link = |(to, _): (usize, usize)| self.is_read(to);
                let is_own = |column: &SampleColumn| column.read && !column.refers.is_some_and(is_link);
                let read = table.columns.iter().enumerate().filter(|(_, column)| is_own(column));
                let columns: Vec<usize> = read.map(|(column, _)| column).collect();
                (0..rows.len()).flat_map(move |row| columns.clone().into_iter().map(move |column| (at, row, column)))
            })
            .collect()
    }

    /// The values that a cell can have, besides its own.
    fn list_other_values(&self, draft: &Draft, cell: Cell) -> Vec<Value> {
        let own = get_cell(draft, cell);
        self.list_values(cell).iter().filter(|value| Some(*value) != own).cloned().collect()
    }

    /// Those that are simpler than its own.
    fn list_simpler_values(&self, draft: &Draft, cell: Cell) -> Vec<Value> {
        let own = get_cell(draft, cell);
        self.list_values(cell).iter().take_while(|value| Some(*value) != own).cloned().collect()
    }

    /// Another value in a cell, and in the cells that refer to it.
    fn replace_cell(&self, draft: &Draft, cell: Cell, value: &Value) -> Draft {
        let mut draft = draft.clone();
        let (table, row, column) = cell;
        let Some(old) = get_cell(&draft, cell).cloned() else { return draft };
        for (sample, rows) in self.setting.tables.iter().zip(&mut draft.tables) {
            let links = sample.columns.iter().enumerate().filter(|(_, link)| link.refers == Some((table, column)));
            for (at, _) in links {
                let cells = rows.iter_mut().filter_map(|row| row.get_mut(at)).filter(|cell| **cell == old);
                cells.for_each(|cell| cell.clone_from(value));
            }
        }
        let own = draft.tables.get_mut(table).and_then(|rows| rows.get_mut(row)?.get_mut(column));
        own.into_iter().for_each(|own| own.clone_from(value));
        draft
    }

    fn list_values(&self, (table, _, column): Cell) -> &[Value] {
        let column = self.setting.tables.get(table).and_then(|known| known.columns.get(column));
        column.map_or(&[], |column| column.values.as_slice())
    }
}

fn get_cell(draft: &Draft, (table, row, column): Cell) -> Option<&Value> {
    draft.tables.get(table)?.get(row)?.get(column)
}

/// Makes a whole number an int: 2.0 and 2 are one result.
fn unify_number(value: &mut Value) {
    if let Value::Float(number) = value
        && number.fract() == 0.0
        && number.abs() < 1e15
    {
        *value = Value::Int(*number as i64);
    }
}

/// Rows in an order that does not depend on the query.
pub fn sort_rows(rows: &Rows) -> Vec<String> {
    let mut texts: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    texts.sort_unstable();
    texts
}
