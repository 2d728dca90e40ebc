//! What a state changes in the database that it is a state of, in the first instance.

use std::fmt::Write as _;

use model::Value;
use model::value::grouped;

use crate::analysis::Analysis;
use crate::sample::{code, look, shown};

/// So many rows are shown.
const ROWS: usize = 3;

/// The most cells of a row that are shown.
const CELLS: usize = 6;

/// How many rows a state changes, and the first of them: those that go, and those that come.
pub fn of_state(valued: &Analysis, task: &str, name: &str) -> Option<String> {
    let (index, task) = valued.task_named(task)?;
    let at = task.names.position(|known| known.name == name)?;
    let look = look(valued, index, 0)?;
    let Value::List(tables) = field(look.names.get(at)?, "tables")? else { return None };
    let mut rows = Vec::new();
    for table in tables {
        let Some(Value::Text(name)) = field(table, "name") else { continue };
        for (sign, which) in [("−", "removed"), ("+", "added")] {
            let Some(Value::List(found)) = field(table, which) else { continue };
            rows.extend(found.iter().map(|row| (sign, name, table, row)));
        }
    }
    let mut text =
        format!("\n\nin the first instance, rows that go (−) and come (+): {}\n", grouped(rows.len() as u64));
    for (sign, name, table, row) in rows.iter().take(ROWS) {
        let (Some(Value::List(columns)), Value::List(cells)) = (field(table, "columns"), row) else { continue };
        let cells: Vec<String> = columns
            .iter()
            .zip(cells)
            .take(CELLS)
            .map(|(column, cell)| format!("{} = {}", column.render(), shown(cell)))
            .collect();
        let _ = write!(text, "\n- {sign} {}: {}", code(name), cells.join(", "));
    }
    Some(text)
}

fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Object(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, value)| value),
        _ => None,
    }
}
