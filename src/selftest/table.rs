//! The report for people.

use std::fmt::Write as _;

use plan::value::grouped;
use statistics::proportion::percent;

use super::row::Row;

/// A line a task, what is wrong below it, and the suite's own line. Writing to a String cannot fail.
pub fn table(rows: &[Row], seed: &str) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|row| row.task.chars().count()).max().unwrap_or(0).max("task".len());
    let _ = writeln!(out, "{:<width$}  instances   oracle     null", "task");
    for row in rows {
        let share = |right: u64| format!("{}%", percent(right, row.instances));
        let (oracle, null) = (share(row.oracle), share(row.null));
        let _ = writeln!(out, "{:<width$}  {:>9}  {oracle:>7}  {null:>7}", row.task, grouped(row.instances));
        if let Some((id, why)) = &row.unmet {
            let why = why.strip_prefix(&format!("{id}: ")).unwrap_or(why);
            let _ = writeln!(out, "  {id} cannot be met: {why}");
        }
        if let Some(id) = &row.idle {
            let _ = writeln!(
                out,
                "  {id} is correct if the agent does nothing: add an `expect` that is not met at the start"
            );
        } else if row.null_score > 0.0 {
            let _ =
                writeln!(out, "  doing nothing earns {:.1}% of the score but is never correct", 100.0 * row.null_score);
        }
    }
    let sound = rows.iter().filter(|row| row.is_sound()).count();
    let instances: u64 = rows.iter().map(|row| row.instances).sum();
    let _ = writeln!(
        out,
        "\n{} instance{} built with seed {seed}; {sound} of {} tasks sound",
        grouped(instances),
        if instances == 1 { "" } else { "s" },
        rows.len()
    );
    out
}
