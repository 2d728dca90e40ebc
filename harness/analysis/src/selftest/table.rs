//! The report for people.

use std::fmt::Write as _;

use model::value::group_digits;
use score::Covered;
use statistics::proportion::render_percent;

use super::row::{Lost, Row};

/// The maximum number of columns that are named.
const NAMED: usize = 4;

/// Lists the names of columns.
fn describe_columns(columns: &[String]) -> String {
    let named: Vec<String> = columns.iter().take(NAMED).map(|column| format!("`{column}`")).collect();
    let more = columns.len().saturating_sub(NAMED);
    if more > 0 { format!("{} and {more} more", named.join(", ")) } else { named.join(", ") }
}

/// The maximum number of characters of a reply that are shown.
const SHOWN: usize = 100;

fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Renders one line for each task with its problems below, and a line for the suite. Writing to a String cannot fail.
pub fn render_table(rows: &[Row], seed: &str) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|row| row.task.chars().count()).max().unwrap_or(0).max("task".len());
    let reads = rows.iter().any(|row| row.read > 0);
    let (reads_head, panels) = (if reads { "   reader" } else { "" }, rows.iter().any(|row| row.panel.tried > 0));
    let head = format!("{reads_head}{}", if panels { "    panel" } else { "" });
    let _ = writeln!(out, "{:<width$}  instances   oracle     null{head}", "task");
    for row in rows {
        let share = |right: u64| format!("{}%", render_percent(right, row.instances));
        let (oracle, null) = (share(row.oracle), share(row.null));
        let judged = row.read - row.unjudged;
        let reader = match judged {
            _ if !reads => String::new(),
            0 => format!("  {:>7}", "-"),
            judged => format!("  {:>7}", format!("{}%", render_percent(row.reader, judged))),
        };
        let panel = match row.panel.tried {
            _ if !panels => String::new(),
            0 => format!("  {:>7}", "-"),
            tried => format!("  {:>7}", format!("{}%", render_percent(row.panel.correct, tried))),
        };
        let count = group_digits(row.instances);
        let _ = writeln!(out, "{:<width$}  {count:>9}  {oracle:>7}  {null:>7}{reader}{panel}", row.task);
        if let Some((id, why)) = &row.unmet {
            let why = why.strip_prefix(&format!("{id}: ")).unwrap_or(why);
            let _ = writeln!(out, "  {id} cannot be met: {why}");
        }
        if let Some(Lost { id, why, absent }) = &row.lost {
            let _ = writeln!(out, "  {id} cannot be answered from its files: {why}");
            if !absent.is_empty() {
                let _ = writeln!(out, "  no file has {}", describe_columns(absent));
            }
        }
        for (id, example) in &row.examples.first {
            let (word, why) = (example.verdict.word(), example.failure.as_deref().unwrap_or_default());
            let _ = writeln!(out, "  {id}: `{word}` {} fails: {why}", example.text);
        }
        let more = row.examples.failed.saturating_sub(row.examples.first.len() as u64);
        if more > 0 {
            let _ = writeln!(out, "  and {more} more failed example{}", if more == 1 { "" } else { "s" });
        }
        if let Some((id, reply)) = row.panel.first.as_ref().filter(|_| !row.panel.is_strict()) {
            let reply = shorten_text(&format!("{reply:?}"));
            let _ = writeln!(
                out,
                "  {id}: a bad reply is correct, {reply}: expect more, or state why not with `allow weak_answer \"…\"`"
            );
        }
        if row.unjudged > 0 {
            let only = if row.unknown.len() == 1 {
                "only a value computed from it is"
            } else {
                "only values computed from them are"
            };
            let _ = writeln!(out, "  {} cannot be read: {only} written", describe_columns(&row.unknown));
        }
        if let Some((id, Covered { covered, of })) = &row.tolerated {
            let are = if covered == of {
                "all changes are".to_owned()
            } else {
                format!("{covered} of {of} changes {}", if *covered == 1 { "is" } else { "are" })
            };
            let _ = writeln!(out, "  {id}: {are} within the tolerance: make it smaller than the smallest change");
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
        group_digits(instances),
        if instances == 1 { "" } else { "s" },
        rows.len()
    );
    out
}
