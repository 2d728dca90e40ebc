//! The sentence that shows a witness.

use model::Value;

use super::super::sample::describe_value;
use super::reading::Reading;
use super::search::{Difference, Rows, sort_rows};
use super::setting::{SampleColumn, SampleTable, Setting};

/// The maximum number of rows that are shown.
const MAX_SHOWN: usize = 3;

/// The maximum length of the shown rows, of a result, and of a value.
const MAX_LENGTHS: (usize, usize, usize) = (160, 60, 32);

/// Describes the rows and both results; `None` if they are too long to be read.
pub fn describe(setting: &Setting, reading: &Reading, found: &Difference) -> Option<String> {
    let mut parts = Vec::new();
    let mut shown = 0;
    for (table, sample) in setting.tables.iter().enumerate().filter(|(_, sample)| sample.read) {
        let rows = found.draft.tables.get(table)?;
        let columns = list_columns(setting, reading, found, table)?;
        if is_implied(setting, found, table) {
            continue;
        }
        shown += rows.len();
        parts.push(describe_rows(sample, rows, &columns)?);
    }
    for at in &found.params {
        let (param, value) = (setting.params.get(*at)?, found.draft.params.get(*at)?);
        if !param.known {
            return None;
        }
        parts.push(format!("`{}` {}", param.name, show_value(value)?));
    }
    let [one, other] = &found.results;
    let is_turned = sort_rows(one) == sort_rows(other);
    let (one, other) = (describe_result(one)?, describe_result(other)?);
    let rows = join(&parts);
    if shown > MAX_SHOWN || rows.len() > MAX_LENGTHS.0 || one == other {
        return None;
    }
    Some(match &reading.instead {
        Some(instead) => format!("with {rows}, the query returns {one}; with {instead}, it returns {other}"),
        None if is_turned => format!("with {rows}, the query can return {one}, or these in another order"),
        None => format!("with {rows}, the query can return {one} or {other}"),
    })
}

/// The columns of a table to show: those whose values decide, and those that join its rows with others.
fn list_columns(setting: &Setting, reading: &Reading, found: &Difference, table: usize) -> Option<Vec<usize>> {
    let (sample, deciding) = (setting.tables.get(table)?, found.deciding.get(table)?);
    let is_used = |column: &SampleColumn| column.read || reading.names(&column.name);
    let is_target = |at: usize| {
        let mut all = setting.tables.iter().filter(|other| other.read).flat_map(|other| &other.columns);
        all.any(|column| is_used(column) && column.refers == Some((table, at)))
    };
    let is_link = |column: &SampleColumn| {
        column.refers.is_some_and(|(to, _)| setting.tables.get(to).is_some_and(|target| target.read))
    };
    let is_shown = |(at, column): &(usize, &SampleColumn)| {
        let is_new = !column.read && reading.names(&column.name);
        is_new || deciding.contains(at) || is_used(column) && (is_link(column) || is_target(*at))
    };
    Some(sample.columns.iter().enumerate().filter(is_shown).map(|(at, _)| at).collect())
}

/// Whether the rows of a table need not be shown: no value of theirs decides, and shown rows refer to each of them.
fn is_implied(setting: &Setting, found: &Difference, table: usize) -> bool {
    let rows = found.draft.tables.get(table).map_or(&[][..], Vec::as_slice);
    let links: Vec<(usize, usize, usize)> = setting
        .tables
        .iter()
        .enumerate()
        .filter(|(of, _)| *of != table)
        .flat_map(|(of, other)| {
            other.columns.iter().enumerate().filter_map(move |(at, column)| match column.refers {
                Some((to, key)) if to == table && column.read => Some((of, at, key)),
                _ => None,
            })
        })
        .collect();
    let is_key = |column: &usize| links.iter().any(|(_, _, key)| key == column);
    let is_referred = |row: &Vec<Value>| {
        links.iter().any(|(of, at, key)| {
            let others = found.draft.tables.get(*of).map_or(&[][..], Vec::as_slice);
            others.iter().any(|other| other.get(*at).is_some_and(|value| row.get(*key) == Some(value)))
        })
    };
    let decides = found.deciding.get(table).is_none_or(|columns| !columns.iter().all(is_key));
    !rows.is_empty() && !decides && rows.iter().all(is_referred)
}

/// `` `orders` (ID 1, AMOUNT 5), (ID 2, AMOUNT 7) ``
fn describe_rows(table: &SampleTable, rows: &[Vec<Value>], columns: &[usize]) -> Option<String> {
    let name = &table.name;
    if rows.is_empty() {
        return Some(format!("no row of `{name}`"));
    }
    if columns.is_empty() {
        return Some(if rows.len() == 1 {
            format!("1 row of `{name}`")
        } else {
            format!("{} rows of `{name}`", rows.len())
        });
    }
    let cell =
        |row: &Vec<Value>, at: usize| Some(format!("{} {}", table.columns.get(at)?.name, show_value(row.get(at)?)?));
    let row = |row: &Vec<Value>| {
        let cells: Vec<String> = columns.iter().map(|at| cell(row, *at)).collect::<Option<_>>()?;
        Some(format!("({})", cells.join(", ")))
    };
    let rows: Vec<String> = rows.iter().map(row).collect::<Option<_>>()?;
    Some(format!("`{name}` {}", rows.join(", ")))
}

/// The rows of a result; only how many they are if they are long.
fn describe_result(rows: &Rows) -> Option<String> {
    let row = |row: &Vec<Value>| {
        let cells: Vec<String> = row.iter().map(show_value).collect::<Option<_>>()?;
        Some(if cells.len() == 1 { cells.concat() } else { format!("({})", cells.join(", ")) })
    };
    let shown: Option<Vec<String>> = rows.iter().map(row).collect();
    let text = shown.map(|shown| join(&shown)).filter(|text| text.len() <= MAX_LENGTHS.1);
    match rows.len() {
        0 => Some("no row".to_owned()),
        1 => text,
        count => text.or_else(|| Some(format!("{count} rows"))),
    }
}

/// A value, as SQL has it; `None` if it is long.
fn show_value(value: &Value) -> Option<String> {
    let text = match value {
        Value::Bool(value) => i64::from(*value).to_string(),
        Value::Float(number) => {
            let text = format!("{number:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        other => describe_value(other),
    };
    (text.chars().count() <= MAX_LENGTHS.2).then_some(text)
}

fn join(parts: &[String]) -> String {
    match parts {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => parts.concat(),
    }
}
