//! Two scripted agents for the suite `resolver`, as one chat endpoint: one has `resolve_column` and asks it, one guesses by the letters of names.

use serde_json::{Value as Json, json};

use crate::run::chat::{calls, messages, results, says};
use crate::run::server::{Do, Request, stream};

/// A question of the suite.
struct Asked {
    name: String,
    table: Option<String>,
    database: String,
    /// Whether a query is asked for, not a column.
    query: bool,
}

fn asked(prompt: &str) -> Asked {
    let pattern = regex::Regex::new(
        r"(How many different values does|Somebody writes) `([^`]+)` (?:of|and means a column of) (?:any table|the table (\w+)) (?:have )?in the SQLite database (\S+?)[.?]( |$)",
    );
    let found = pattern.expect("a pattern").captures(prompt).expect("a question");
    Asked {
        name: found[2].to_owned(),
        table: found.get(3).map(|table| table.as_str().to_owned()),
        database: found[4].to_owned(),
        query: found[1].starts_with("How"),
    }
}

fn counts(table: &str, column: &str) -> String {
    format!("SELECT COUNT(DISTINCT {column}) FROM {table}")
}

/// The next message of a conversation.
pub fn answer(request: &Request) -> Vec<Do> {
    let said = messages(request);
    let prompt = said.iter().find(|message| message["role"] == "user").expect("a prompt");
    let asked = asked(prompt["content"].as_str().expect("a text"));
    let tools = request.body["tools"].as_array().expect("tools");
    let helped = tools.iter().any(|tool| tool["function"]["name"] == "resolve_column");
    stream(&if helped { asks(&asked, &results(request)) } else { guesses(&asked, &results(request)) })
}

fn sql(asked: &Asked, sql: &str) -> Vec<String> {
    calls(&[("run_sql", json!({"database": asked.database, "sql": sql}))])
}

fn fenced(sql: &str) -> Vec<String> {
    says(&format!("```sql\n{sql}\n```"))
}

/// Asks the tool, and does what it says.
fn asks(asked: &Asked, told: &[String]) -> Vec<String> {
    let Some(first) = told.first() else {
        let asks = json!({"database": asked.database, "name": asked.name, "table": asked.table});
        return calls(&[("resolve_column", asks)]);
    };
    let first: Json = serde_json::from_str(first).expect("what the tool says is JSON");
    let found = first["match"].as_str().and_then(|found| found.split_once('.'));
    match (asked.query, found) {
        (false, _) => says(first["match"].as_str().unwrap_or("none")),
        (true, None) => says("Nobody can tell."),
        (true, Some((table, column))) if told.len() == 1 => sql(asked, &counts(table, column)),
        (true, Some((table, column))) => fenced(&counts(table, column)),
    }
}

/// Tries the name as it is, looks at the schema when that fails, and takes the column that has most letters in common.
fn guesses(asked: &Asked, told: &[String]) -> Vec<String> {
    const SCHEMA: &str =
        "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'";
    let literal = asked.table.as_ref().filter(|_| asked.query);
    let tried = usize::from(literal.is_some());
    match (told.len(), literal) {
        (0, Some(table)) => return sql(asked, &counts(table, &asked.name)),
        (seen, _) if seen == tried => return sql(asked, SCHEMA),
        _ => {}
    }
    let rows = told[tried].lines().skip(1).map(|line| serde_json::from_str::<(String, String)>(line).expect("a row"));
    let rows = rows.filter(|(table, _)| asked.table.as_ref().is_none_or(|wanted| wanted == table));
    let near = |column: &str| strsim::jaro_winkler(&column.to_lowercase(), &asked.name.to_lowercase());
    let (table, column) = rows.max_by(|(_, a), (_, b)| near(a).total_cmp(&near(b))).expect("a column");
    match asked.query {
        false if near(&column) < 0.85 => says("none"),
        false => says(&format!("{table}.{column}")),
        true if told.len() == tried + 1 => sql(asked, &counts(&table, &column)),
        true => fenced(&counts(&table, &column)),
    }
}
