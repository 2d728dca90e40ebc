//! Renders a key's value as text, with all digits.

use model::answer_key::Read;
use model::format::strip_gzip;
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};
use model::value::RowSet;
use model::{Format, Value};

use super::example;
use crate::got::{quote_json, render_array, render_object};
use crate::matchers::json::build_object;
use crate::read::lines::is_json_lines;

/// Renders texts that this matcher reads as the value, the best first. `path` is that of the file, or empty.
pub fn render_forms(matcher: Matcher, value: &Value, path: &str) -> Vec<String> {
    let record = matcher.record();
    match (record.takes, value) {
        (Takes::Texts, _) => ["done", "ok", "yes", "1"].map(str::to_owned).to_vec(),
        (Takes::Pattern, value) => example::generate_examples(&value.render_text()),
        (Takes::Json, value) | (Takes::List, value @ Value::Rows(_)) => vec![render_json(value)],
        (Takes::List, Value::List(items)) => {
            let nested = items.iter().any(|item| matches!(item, Value::List(_) | Value::Object(_) | Value::Rows(_)));
            let lines: Vec<String> = items.iter().map(|item| item.render_text().into_owned()).collect();
            let one_a_line = (items.len() > 1 && !nested).then(|| lines.join("\n"));
            [Some(render_json(value)), one_a_line].into_iter().flatten().collect()
        }
        (Takes::Rows, Value::Rows(set)) if record.reads == Reads::Query => vec![render_sql(set)],
        (Takes::Rows, Value::Rows(set)) => {
            let (csv, json) = (render_csv(set), render_arrays(set));
            if strip_gzip(path).ends_with(".json") || is_json_lines(path) {
                vec![json]
            } else {
                csv.into_iter().chain([json]).collect()
            }
        }
        (_, value) => vec![value.render_text().into_owned()],
    }
}

/// Renders JSON without losing digits.
fn render_json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Int(_) | Value::Decimal(_) | Value::Float(_) => value.render_text().into_owned(),
        Value::List(items) => render_array(items.iter().map(render_json)),
        Value::Object(fields) => render_object(fields.iter().map(|(name, value)| (name, render_json(value)))),
        Value::Rows(set) => render_array(set.rows.iter().map(|row| render_json(&build_object(set, row)))),
        text => quote_json(&text.render_text()),
    }
}

fn render_arrays(set: &RowSet) -> String {
    render_json(&Value::List(set.rows.iter().map(|row| Value::List(row.clone())).collect()))
}

/// Renders the rows as CSV; `None` if that is impossible.
fn render_csv(set: &RowSet) -> Option<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&set.columns).ok()?;
    for row in &set.rows {
        writer.write_record(row.iter().map(|cell| cell.render_text().into_owned())).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

/// Renders the rows as a file with this layout: the lines that are skipped, the header, the rows, and the line after them. `None` if that is impossible.
pub fn render_laid_out(set: &RowSet, read: &Read, path: &str) -> Option<String> {
    let of_name = if Format::from_path(strip_gzip(path)) == Some(Format::Tsv) { b'\t' } else { b',' };
    let delimiter = read.delimiter.and_then(|delimiter| u8::try_from(delimiter).ok()).unwrap_or(of_name);
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).flexible(true).from_writer(Vec::new());
    for _ in 0..read.skip.unwrap_or_default() {
        writer.write_record(["-"]).ok()?;
    }
    match read.header {
        Some(0) => {}
        // The upper row of the header has nothing to add.
        Some(2) => {
            writer.write_record(set.columns.iter().map(|_| "")).ok()?;
            writer.write_record(&set.columns).ok()?;
        }
        _ => writer.write_record(&set.columns).ok()?,
    }
    // A null is an empty cell, too, but an empty line may be none.
    let null = read.missing.first().map_or("", String::as_str);
    for row in &set.rows {
        let write = |cell: &Value| if cell.is_null() { null.to_owned() } else { cell.render_text().into_owned() };
        writer.write_record(row.iter().map(write)).ok()?;
    }
    if let Some(end) = &read.until {
        writer.write_record([end]).ok()?;
    } else if read.until_blank {
        writer.write_record([" "]).ok()?;
        writer.write_record(["-"]).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

fn render_sql(set: &RowSet) -> String {
    if set.rows.is_empty() {
        let nulls = vec!["NULL"; set.columns.len()];
        return format!("SELECT {} WHERE 0", nulls.join(", "));
    }
    let row = |row: &Vec<Value>| format!("({})", row.iter().map(render_literal).collect::<Vec<_>>().join(", "));
    format!("VALUES {}", set.rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

fn render_literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(value) => i32::from(*value).to_string(),
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) => value.render_text().into_owned(),
        // A query cannot contain a NUL character.
        text => format!("'{}'", text.render_text().replace('\'', "''").replace('\0', "' || char(0) || '")),
    }
}
