//! Rows of the tables of a query.

use model::Value;

use super::super::sample::describe_value;
use super::setting::{SampleColumn, SampleTable, Setting};

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 3;

/// Rows of each table, and values of the parameters, in the order of the setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The rows of each table.
    pub tables: Vec<Vec<Vec<Value>>>,
    /// The values of the parameters.
    pub params: Vec<Value>,
}

/// Numbers that are the same in every search.
pub struct Dice(u64);

impl Dice {
    /// The first state.
    pub const START: Dice = Dice(0x9E37_79B9_7F4A_7C15);

    /// A number below `count`, or 0.
    pub fn roll(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let drawn = (self.0 >> 33) % (count.max(1) as u64);
        usize::try_from(drawn).unwrap_or_default()
    }

    fn pick<'v>(&mut self, values: &'v [Value]) -> Option<&'v Value> {
        values.get(self.roll(values.len()))
    }
}

impl Draft {
    /// Draws rows; `None` if these are not possible.
    pub fn draw(setting: &Setting, dice: &mut Dice) -> Option<Draft> {
        let params = setting.params.iter().map(|param| dice.pick(&param.values).cloned()).collect::<Option<_>>()?;
        let mut draft = Draft { tables: Vec::new(), params };
        for table in &setting.tables {
            let count = if table.read { dice.roll(MAX_ROWS + 1) } else { count_keys(table) };
            draft.tables.push(Vec::new());
            for index in 0..count {
                let row = draft.draw_row(table, index, dice)?;
                draft.tables.last_mut()?.push(row);
            }
        }
        draft.is_possible(setting).then_some(draft)
    }

    fn draw_row(&self, table: &SampleTable, index: usize, dice: &mut Dice) -> Option<Vec<Value>> {
        let draw = |column: &SampleColumn| {
            if let Some((to, at)) = column.refers {
                let targets: Vec<&Value> = self.tables.get(to)?.iter().filter_map(|row| row.get(at)).collect();
                let is_null = column.is_nullable() && (targets.is_empty() || dice.roll(4) == 0);
                return match is_null {
                    true => Some(Value::Null),
                    false => targets.get(dice.roll(targets.len())).copied().cloned(),
                };
            }
            if column.unique {
                return column.values.get(index).cloned();
            }
            if column.read { dice.pick(&column.values).cloned() } else { column.values.first().cloned() }
        };
        table.columns.iter().map(draw).collect()
    }

    /// Whether the declarations of the tables allow these rows.
    pub fn is_possible(&self, setting: &Setting) -> bool {
        setting.tables.iter().zip(&self.tables).all(|(table, rows)| {
            let keys = table.columns.iter().enumerate().filter(|(_, column)| column.unique).map(|(at, _)| vec![at]);
            let are_distinct = |key: &Vec<usize>| {
                let value =
                    |row: &Vec<Value>| -> Vec<Value> { key.iter().filter_map(|at| row.get(*at).cloned()).collect() };
                let values: Vec<Vec<Value>> = rows.iter().map(value).collect();
                let has_null = |value: &Vec<Value>| value.iter().any(Value::is_null);
                values
                    .iter()
                    .enumerate()
                    .all(|(at, value)| has_null(value) || !values.iter().skip(at + 1).any(|v| v == value))
            };
            let is_found = |(column, value): (&SampleColumn, &Value)| match column.refers {
                Some((to, at)) if !value.is_null() => {
                    self.tables.get(to).is_some_and(|rows| rows.iter().any(|row| row.get(at) == Some(value)))
                }
                _ => true,
            };
            keys.chain(table.keys.iter().cloned()).all(|key| are_distinct(&key))
                && rows.iter().all(|row| table.columns.iter().zip(row).all(is_found))
        })
    }

    /// The statements that insert the rows.
    pub fn build_inserts(&self, setting: &Setting) -> Vec<String> {
        let row = |row: &Vec<Value>| {
            let cells: Vec<String> = row.iter().map(write_value).collect();
            format!("({})", cells.join(", "))
        };
        let filled = setting.tables.iter().zip(&self.tables).filter(|(_, rows)| !rows.is_empty());
        filled
            .map(|(table, rows)| {
                let rows: Vec<String> = rows.iter().map(row).collect();
                format!("INSERT INTO {} VALUES {}", table.written, rows.join(", "))
            })
            .collect()
    }
}

/// The number of different rows that a table can have.
fn count_keys(table: &SampleTable) -> usize {
    let keys = table.columns.iter().filter(|column| column.unique && column.refers.is_none());
    keys.map(|column| column.values.iter().filter(|value| !value.is_null()).count()).min().unwrap_or(1)
}

/// A value as a literal of SQL.
fn write_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => i64::from(*value).to_string(),
        Value::Null | Value::Int(_) | Value::Decimal(_) | Value::Float(_) => describe_value(value),
        other => format!("'{}'", other.render_text().replace('\'', "''")),
    }
}
