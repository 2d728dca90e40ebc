//! A key's value as a text that says it, with every digit.

use model::Value;
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};
use model::value::RowSet;

use super::example;
use crate::got::quoted;

/// Texts that say the value to this matcher, the best first. `path` is the file's, or empty.
pub fn forms(matcher: Matcher, value: &Value, path: &str) -> Vec<String> {
    let record = matcher.record();
    match (record.takes, value) {
        (Takes::Pattern, value) => example::of(&value.render()),
        (Takes::Json, value) | (Takes::List, value @ Value::Rows(_)) => vec![json(value)],
        (Takes::List, Value::List(items)) => {
            let nested = items.iter().any(|item| matches!(item, Value::List(_) | Value::Object(_) | Value::Rows(_)));
            let lines: Vec<String> = items.iter().map(|item| item.render().into_owned()).collect();
            let one_a_line = (items.len() > 1 && !nested).then(|| lines.join("\n"));
            [Some(json(value)), one_a_line].into_iter().flatten().collect()
        }
        (Takes::Rows, Value::Rows(set)) if record.reads == Reads::Query => vec![sql(set)],
        (Takes::Rows, Value::Rows(set)) => {
            let (csv, json) = (csv(set), arrays(set));
            if path.ends_with(".json") { vec![json] } else { csv.into_iter().chain([json]).collect() }
        }
        (_, value) => vec![value.render().into_owned()],
    }
}

/// JSON that loses no digit.
fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Int(_) | Value::Decimal(_) | Value::Float(_) => value.render().into_owned(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(json).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", quoted(name), json(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Rows(set) => {
            let object = |row: &Vec<Value>| {
                let mut fields: Vec<(String, Value)> = Vec::new();
                for (name, cell) in set.columns.iter().zip(row) {
                    match fields.iter_mut().find(|(known, _)| known == name) {
                        Some(field) => field.1 = cell.clone(),
                        None => fields.push((name.clone(), cell.clone())),
                    }
                }
                json(&Value::Object(fields))
            };
            let rows: Vec<String> = set.rows.iter().map(object).collect();
            format!("[{}]", rows.join(", "))
        }
        text => quoted(&text.render()),
    }
}

fn arrays(set: &RowSet) -> String {
    json(&Value::List(set.rows.iter().map(|row| Value::List(row.clone())).collect()))
}

/// `None` if the rows cannot be written so.
fn csv(set: &RowSet) -> Option<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&set.columns).ok()?;
    for row in &set.rows {
        writer.write_record(row.iter().map(|cell| cell.render().into_owned())).ok()?;
    }
    String::from_utf8(writer.into_inner().ok()?).ok()
}

fn sql(set: &RowSet) -> String {
    if set.rows.is_empty() {
        let nulls = vec!["NULL"; set.columns.len()];
        return format!("SELECT {} WHERE 0", nulls.join(", "));
    }
    let row = |row: &Vec<Value>| format!("({})", row.iter().map(literal).collect::<Vec<_>>().join(", "));
    format!("VALUES {}", set.rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Bool(value) => i32::from(*value).to_string(),
        Value::Int(_) | Value::Decimal(_) | Value::Float(_) => value.render().into_owned(),
        // A query has no NUL character.
        text => format!("'{}'", text.render().replace('\'', "''").replace('\0', "' || char(0) || '")),
    }
}
