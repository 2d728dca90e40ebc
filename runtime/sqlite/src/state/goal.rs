//! The expected state of a database in an answer key: the rows to remove and those to add.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::Value;

use super::{Cell, Changed, Difference, Real, State, Table, diff_rows};

/// The start of a database, without some rows and with others added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// All tables, including unchanged ones.
    pub tables: Vec<GoalTable>,
}

/// A table of a [`Goal`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoalTable {
    /// Its name.
    pub name: String,
    /// Its columns in order.
    pub columns: Vec<String>,
    /// Its key, as in [`Table::key`].
    pub key: Vec<usize>,
    /// Its changed rows.
    pub difference: Difference,
}

/// The field for a BLOB.
const BLOB: &str = "blob";

impl Goal {
    /// Creates the goal from the effect of statements.
    pub fn from_changed(changed: &Changed) -> Goal {
        let before = |table: &Table| changed.before.tables.iter().find(|before| before.name == table.name);
        let table = |table: &Table| GoalTable {
            name: table.name.clone(),
            columns: table.columns.clone(),
            key: table.key.clone(),
            difference: diff_rows(before(table).map_or(&[], |before| &before.rows), &table.rows),
        };
        Goal { tables: changed.after.tables.iter().map(table).collect() }
    }

    /// Counts the rows that are added, removed, or changed, each once.
    pub fn count_rows(&self) -> usize {
        let altered = |table: &GoalTable| {
            let key = |row: &Vec<Cell>| table.key.iter().filter_map(|at| row.get(*at).cloned()).collect::<Vec<Cell>>();
            let mut removed: BTreeMap<Vec<Cell>, usize> = BTreeMap::new();
            for row in table.difference.removed.iter().filter(|_| !table.key.is_empty()) {
                *removed.entry(key(row)).or_default() += 1;
            }
            table.difference.added.iter().filter(|row| take_one(&mut removed, &key(row))).count()
        };
        let count = |table: &GoalTable| table.difference.removed.len() + table.difference.added.len() - altered(table);
        self.tables.iter().map(count).sum()
    }

    /// Returns the state that results from a start. Missing rows that should be removed are skipped.
    pub fn apply_to(&self, start: &State) -> State {
        let table = |goal: &GoalTable| {
            let before = start.tables.iter().find(|table| table.name == goal.name);
            let mut rows: Vec<Vec<Cell>> = before.map(|before| before.rows.clone()).unwrap_or_default();
            if !goal.difference.removed.is_empty() {
                let mut gone: BTreeMap<&[Cell], usize> = BTreeMap::new();
                goal.difference.removed.iter().for_each(|row| *gone.entry(row.as_slice()).or_default() += 1);
                rows.retain(|row| !take_one(&mut gone, row));
            }
            rows.extend(goal.difference.added.iter().cloned());
            Table {
                name: goal.name.clone(),
                columns: goal.columns.clone(),
                key: goal.key.clone(),
                rows,
                ..Table::default()
            }
        };
        State { tables: self.tables.iter().map(table).collect() }
    }

    /// Converts it to the value in an answer key: `{"tables": [{"name", "columns", "key", "added", "removed"}]}`. A blob is `{"blob": BASE64}`.
    ///
    /// # Errors
    /// A key cannot represent a cell, for this reason.
    pub fn to_value(&self) -> Result<Value, &'static str> {
        let tables = self.tables.iter().map(|table| -> Result<Value, &'static str> {
            let text = |name: &String| Value::from_text(name.as_str());
            let row = |row: &Vec<Cell>| row.iter().map(encode_cell).collect::<Result<_, _>>().map(Value::List);
            let rows = |rows: &[Vec<Cell>]| rows.iter().map(row).collect::<Result<_, _>>().map(Value::List);
            let key = table.key.iter().filter_map(|at| table.columns.get(*at));
            Ok(Value::Object(vec![
                ("name".to_owned(), text(&table.name)),
                ("columns".to_owned(), Value::List(table.columns.iter().map(text).collect())),
                ("key".to_owned(), Value::List(key.map(text).collect())),
                ("added".to_owned(), rows(&table.difference.added)?),
                ("removed".to_owned(), rows(&table.difference.removed)?),
            ]))
        });
        Ok(Value::Object(vec![("tables".to_owned(), tables.collect::<Result<_, _>>().map(Value::List)?)]))
    }

    /// Reads the output of [`Goal::to_value`]; `None` for any other value.
    pub fn from_value(value: &Value) -> Option<Goal> {
        let tables = value.find_field("tables")?.as_list()?.iter().map(|table| {
            let columns = to_texts(table.find_field("columns")?)?;
            let width = columns.len();
            let rows = |name: &str| {
                let rows = table.find_field(name)?.as_list()?.iter();
                rows.map(|row| {
                    let row: Vec<Cell> = row.as_list()?.iter().map(decode_cell).collect::<Option<_>>()?;
                    (row.len() == width).then_some(row)
                })
                .collect::<Option<Vec<_>>>()
            };
            let key = to_texts(table.find_field("key")?)?;
            let key = key.iter().map(|name| columns.iter().position(|column| column == name));
            Some(GoalTable {
                name: table.find_field("name")?.as_text()?.to_owned(),
                key: key.collect::<Option<_>>()?,
                difference: Difference { removed: rows("removed")?, added: rows("added")? },
                columns,
            })
        });
        Some(Goal { tables: tables.collect::<Option<_>>()? })
    }
}

/// Reduces the count of a row by one, and returns whether one was left.
fn take_one<K: Ord + Borrow<[Cell]>>(counts: &mut BTreeMap<K, usize>, row: &[Cell]) -> bool {
    let left = counts.get_mut(row).filter(|left| **left > 0);
    left.map(|left| *left -= 1).is_some()
}

fn to_texts(value: &Value) -> Option<Vec<String>> {
    value.as_list()?.iter().map(|item| item.as_text().map(str::to_owned)).collect()
}

fn encode_cell(cell: &Cell) -> Result<Value, &'static str> {
    Ok(match cell {
        Cell::Null => Value::Null,
        Cell::Int(value) => Value::Int(*value),
        Cell::Real(Real(value)) if value.is_finite() => Value::Float(*value),
        Cell::Real(_) => return Err("a number is not finite"),
        Cell::Text(text) => Value::from_text(text.as_str()),
        Cell::Broken(_) => return Err("a text is not UTF-8"),
        Cell::Blob(blob) => Value::Object(vec![(BLOB.to_owned(), Value::from_text(STANDARD.encode(blob)))]),
    })
}

fn decode_cell(value: &Value) -> Option<Cell> {
    Some(match value {
        Value::Null => Cell::Null,
        Value::Int(value) => Cell::Int(*value),
        Value::Float(value) => Cell::from_real(*value),
        Value::Text(text) => Cell::Text(text.clone()),
        blob => Cell::Blob(STANDARD.decode(blob.find_field(BLOB)?.as_text()?).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_read_as_it_was_written() {
        let row = vec![
            Cell::Null,
            Cell::Int(i64::MIN),
            Cell::from_real(0.1),
            Cell::Text("a\0b".to_owned()),
            Cell::Blob(vec![0, 255]),
            Cell::from_real(5.0),
        ];
        let columns: Vec<String> = ["A", "B", "C", "D", "E", "F"].map(str::to_owned).to_vec();
        let difference = Difference { removed: vec![row.clone()], added: vec![row.clone(), row] };
        let goal = Goal { tables: vec![GoalTable { name: "t".to_owned(), columns, key: vec![1, 0], difference }] };
        let value = goal.to_value().expect("a value");
        let read = Value::from_key_json(&value.to_key_json()).expect("a key");
        assert_eq!(Goal::from_value(&read), Some(goal));
        assert_eq!(Goal::from_value(&Value::Null), None);
    }

    #[test]
    fn a_row_that_is_altered_counts_once() {
        let row = |key: i64, value: i64| vec![Cell::Int(key), Cell::Int(value)];
        let difference = Difference { removed: vec![row(1, 1), row(2, 2)], added: vec![row(1, 5), row(3, 3)] };
        let table = GoalTable { name: "t".to_owned(), columns: vec![], key: vec![0], difference };
        let bag = GoalTable { key: Vec::new(), ..table.clone() };
        assert_eq!(Goal { tables: vec![table] }.count_rows(), 3);
        assert_eq!(Goal { tables: vec![bag] }.count_rows(), 4);
    }
}
