//! The tools of a chat model: files, folders and SQL, none of which leaves the sandbox.
//!
//! A mistake of the model is reported to the model and is not an error of picardc: every result is text.

mod files;
mod sql;

use serde_json::{Value as Json, json};

use super::stream::Call;
use crate::agent::Question;

/// The most characters of a result.
const OUTPUT: usize = 32_000;

/// The tools at work on one question.
pub struct Tools<'a> {
    question: &'a Question<'a>,
    /// How many calls there were.
    pub calls: u32,
    /// SQL that failed and was followed by another.
    pub sql_retries: u32,
    /// Milliseconds to the first call.
    pub first_ms: Option<u64>,
    /// Milliseconds to the first SQL.
    pub first_sql_ms: Option<u64>,
    sql_failed: bool,
}

impl<'a> Tools<'a> {
    /// None called yet.
    pub fn new(question: &'a Question<'a>) -> Tools<'a> {
        Tools { question, calls: 0, sql_retries: 0, first_ms: None, first_sql_ms: None, sql_failed: false }
    }

    /// Does what is asked, and says what came of it.
    pub fn call(&mut self, call: &Call) -> String {
        let elapsed = self.question.elapsed_ms();
        self.calls = self.calls.saturating_add(1);
        self.first_ms.get_or_insert(elapsed);
        let is_sql = call.name == "run_sql";
        if is_sql {
            self.first_sql_ms.get_or_insert(elapsed);
            self.sql_retries = self.sql_retries.saturating_add(u32::from(self.sql_failed));
        }
        let done = self.run(call);
        if is_sql {
            self.sql_failed = done.is_err();
        }
        shortened(&done.unwrap_or_else(|why| format!("error: {why}")))
    }

    fn run(&self, call: &Call) -> Result<String, String> {
        let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        let given: Json = serde_json::from_str(text).map_err(|error| format!("the arguments are not JSON: {error}"))?;
        let text = |name: &str| match given.get(name) {
            Some(Json::String(text)) => Ok(text.as_str()),
            Some(_) => Err(format!("`{name}` must be a text")),
            None => Err(format!("`{name}` is missing")),
        };
        let sandbox = self.question.sandbox;
        match call.name.as_str() {
            "list_files" => files::list(sandbox, given.get("path").and_then(Json::as_str).unwrap_or(".")),
            "read_file" => {
                let from = given.get("from").and_then(Json::as_u64).unwrap_or(1);
                files::read(sandbox, text("path")?, from)
            }
            "write_file" => files::write(sandbox, text("path")?, text("content")?),
            "make_folder" => files::make_folder(sandbox, text("path")?),
            "run_sql" => sql::run(sandbox, text("database")?, text("sql")?, self.question.left()),
            other => Err(format!("unknown tool `{other}`")),
        }
    }
}

/// As chat endpoints want them.
pub fn descriptions() -> Json {
    let path = json!({"type": "string", "description": "Relative to the folder you are in"});
    let tool = |name: &str, description: &str, properties: Json, required: &[&str]| {
        json!({"type": "function", "function": {
            "name": name, "description": description,
            "parameters": {"type": "object", "properties": properties, "required": required},
        }})
    };
    json!([
        tool("list_files", "List a folder and all below it", json!({"path": path}), &[]),
        tool(
            "read_file",
            "Read a text file",
            json!({"path": path, "from": {"type": "integer", "description": "First line, from 1"}}),
            &["path"]
        ),
        tool(
            "write_file",
            "Write a text file, in place of what was there; folders are made as needed",
            json!({"path": path, "content": {"type": "string"}}),
            &["path", "content"]
        ),
        tool("make_folder", "Make a folder, and those above it", json!({"path": path}), &["path"]),
        tool(
            "run_sql",
            "Run SQL on a SQLite database; gives the columns and rows of the last query as JSON, a row a line",
            json!({"database": path, "sql": {"type": "string"}}),
            &["database", "sql"]
        ),
    ])
}

/// At most so much, and a note of what was left out.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(OUTPUT) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            format!("{kept}\n[cut: {} characters more]", text.chars().count() - OUTPUT)
        }
    }
}
