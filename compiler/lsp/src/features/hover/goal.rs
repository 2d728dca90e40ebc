//! The rows that a goal state changes in its database, in the first instance.

use std::fmt::Write as _;

use model::Value;
use model::value::group_digits;

use crate::analysis::Analysis;
use crate::render::{render_inline_code, render_value};
use crate::sample::inspect_first;

/// The maximum number of rows that are shown.
const ROWS: usize = 3;

/// The maximum number of cells that are shown of a row.
const CELLS: usize = 6;

/// Renders the number of rows that a state removes and adds, and the first of them.
pub fn render_state_change(valued: &Analysis, task: &str, name: &str) -> Option<String> {
    let (task, look) = inspect_first(valued, task)?;
    let at = task.names.position(|known| known.name == name)?;
    let Value::List(tables) = look.names.get(at)?.find_field("tables")? else { return None };
    let mut rows = Vec::new();
    for table in tables {
        let Some(Value::Text(name)) = table.find_field("name") else { continue };
        for (sign, which) in [("−", "removed"), ("+", "added")] {
            let Some(Value::List(found)) = table.find_field(which) else { continue };
            rows.extend(found.iter().map(|row| (sign, name, table, row)));
        }
    }
    let mut text =
        format!("\n\nin the first instance, rows that go (−) and come (+): {}\n", group_digits(rows.len() as u64));
    for (sign, name, table, row) in rows.iter().take(ROWS) {
        let (Some(Value::List(columns)), Value::List(cells)) = (table.find_field("columns"), row) else { continue };
        let cells: Vec<String> = columns
            .iter()
            .zip(cells)
            .take(CELLS)
            .map(|(column, cell)| format!("{} = {}", column.render_text(), render_value(cell)))
            .collect();
        let _ = write!(text, "\n- {sign} {}: {}", render_inline_code(name), cells.join(", "));
    }
    Some(text)
}
