//! Classifies the result of a query in more detail than correct or wrong.

use model::Value;
use model::answer_key::Expected;
use records::Reason;
use records::attempt::Class;

use super::rows;
use crate::finding::choose_best;
use crate::key::Key;
use crate::read::limit::Limit;
use crate::read::sql;
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// Classifies the result of a query on the starting database.
pub fn classify_query(text: &str, expect: &Expected, rules: &'static Rules, start: &dyn StartFiles) -> Class {
    let Some(bytes) = expect.database.as_deref().and_then(|path| start.read_file(path)) else { return Class::Unscored };
    let found = match sql::run_query(&bytes, text, &Limit::without_bound()) {
        Ok(found) => found,
        Err(refused) => return classify_refusal(refused.reason, &refused.why),
    };
    let is_empty = found.rows.is_empty();
    let mut wants_rows = true;
    let finding = choose_best(expect, |value, alternative| {
        if let Value::Rows(set) = value {
            wants_rows &= !set.rows.is_empty();
        }
        rows::check_query_rows(found.clone(), &Key::new(expect, value, alternative, rules))
    });
    match (finding.is_right(), is_empty && wants_rows) {
        (true, _) => Class::Right,
        (false, true) => Class::Empty,
        (false, false) => Class::Differs,
    }
}

/// Classifies an error by the text of SQLite's messages (version 3.54), which this list freezes.
fn classify_refusal(reason: Reason, why: &str) -> Class {
    const SYNTAX: [&str; 3] = ["syntax error", "incomplete input", "unrecognized token"];
    if reason == Reason::SqlLimit {
        Class::Limit
    } else if why.starts_with("no such table:") {
        Class::UnknownTable
    } else if why.starts_with("no such column:") || why.contains(" has no column named ") {
        Class::UnknownColumn
    } else if SYNTAX.iter().any(|words| why.contains(words)) {
        Class::Syntax
    } else {
        Class::Refused
    }
}
