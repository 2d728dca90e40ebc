//! The matchers: each compares a text, already cleaned and cut, with one accepted answer.

pub mod json;
mod list;
mod mentions;
pub mod pattern;
pub mod query;
pub mod rows;
mod scalar;

use model::Value;
use model::suite::Matcher;
use records::Reason;

use crate::finding::Finding;
use crate::got::ResponseValue;
use crate::key::{Key, render_expected};
use crate::read::clean;
use crate::read::table::Table;
use crate::start_files::StartFiles;

/// Compares a JSON value with an accepted answer. Matchers that compare texts use a text itself, and the JSON of any other value.
pub fn compare_value(got: ResponseValue, key: &Key<'_>, database: Option<&str>, start: &dyn StartFiles) -> Finding {
    match key.matcher {
        Matcher::Json => json::judge_value(&got, key),
        Matcher::List => list::judge_array(got, key),
        Matcher::Rows => rows::check_row_items(got, key),
        Matcher::Date | Matcher::Bool => scalar::check_value(&got, key),
        // A told form is that of a text: a number of JSON has its value.
        Matcher::Number if matches!(got, ResponseValue::Number(_)) && !key.resolve_options("").written.is_empty() => {
            scalar::check_value(&got, key)
        }
        _ => {
            let text = match got {
                ResponseValue::Text(text) => text,
                other => other.render_line(),
            };
            match clean::normalize_text(&text) {
                text if text.is_empty() => {
                    Finding::wrong(Reason::Empty, render_expected(key.value, &key.resolve_options("")), "nothing")
                }
                text => compare_text(&text, key, database, start),
            }
        }
    }
}

/// Compares the rows of a file with an accepted answer. Matchers of JSON take them as an array of objects, and a list of single values takes the cells of the
/// only column.
pub fn compare_table(table: Table, key: &Key<'_>, database: Option<&str>, start: &dyn StartFiles) -> Finding {
    if key.matcher == Matcher::Rows {
        return rows::check_row_table(table, key);
    }
    let is_nested = |item: &Value| matches!(item, Value::List(_) | Value::Object(_) | Value::Rows(_));
    let is_flat = matches!(key.value, Value::List(items) if !items.iter().any(is_nested));
    let names = table.names.unwrap_or_default();
    if key.matcher == Matcher::List && is_flat && names.len() == 1 {
        return compare_value(ResponseValue::Array(table.rows.into_iter().flatten().collect()), key, database, start);
    }
    if let Some((at, name)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(*name)) {
        let got = format!("column {} is `{name}`, too", at + 1);
        return Finding::wrong(Reason::NotRows, "columns with different names", got);
    }
    let object = |row: Vec<ResponseValue>| ResponseValue::Object(names.iter().cloned().zip(row).collect());
    compare_value(ResponseValue::Array(table.rows.into_iter().map(object).collect()), key, database, start)
}

/// Compares a text with an accepted answer. `database` is the path of the database for a query.
pub fn compare_text(text: &str, key: &Key<'_>, database: Option<&str>, start: &dyn StartFiles) -> Finding {
    match key.matcher {
        Matcher::Text => scalar::check_text(text, key),
        Matcher::Contains => mentions::check_contains(text, key),
        Matcher::Lacks => mentions::check_lacks(text, key),
        Matcher::Matches => pattern::check_pattern(text, key),
        Matcher::Number => scalar::judge_number(text, key),
        Matcher::Date | Matcher::Bool => scalar::check_value(&ResponseValue::from_plain_text(text, key.rules), key),
        Matcher::Json => json::judge_json(text, key),
        Matcher::List => list::judge_list(text, key),
        Matcher::Rows => rows::check_rows(text, key),
        Matcher::Sql => rows::judge_query(text, key, database, start),
        Matcher::Bytes | Matcher::Exists | Matcher::Absent | Matcher::Unchanged | Matcher::Database => {
            Finding::wrong(Reason::BadKey, format!("`{}` is for files", key.matcher.word()), "")
        }
    }
}
