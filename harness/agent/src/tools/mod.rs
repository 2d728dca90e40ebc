//! The tools of picardc for files, folders, and SQL. They cannot leave the sandbox. Chat models call them in a conversation, other agents over MCP.
//!
//! Their names and descriptions are in `model::tools`. A mistake of the model is reported to the model and is not an error of picardc:
//! every result is text.

pub mod call_log;
mod error;
mod files;
pub mod mcp;
mod output;
mod resolve;
pub mod served;
mod sql;

use std::time::{Duration, Instant};

use model::tools::{Kind, Parameter, Tool};
use records::Instance;
use serde_json::{Map, Value as Json, json};

use crate::sandbox::Sandbox;
use error::ToolError;
pub use output::shorten_output;

/// The result of a call beyond the limit.
pub use records::calls::NO_CALLS_LEFT;

/// The tools for one question.
pub struct Tools<'a> {
    sandbox: &'a Sandbox,
    began: Instant,
    timeout: Duration,
    offered: Vec<Tool>,
    /// The maximum number of calls; `None` for no limit.
    allowed: Option<u32>,
    /// The number of calls, without those beyond the limit.
    pub calls: u32,
    /// The number of failed SQL calls that were followed by another.
    pub sql_retries: u32,
    /// Milliseconds until the first call.
    pub first_ms: Option<u64>,
    /// Milliseconds until the first SQL call.
    pub first_sql_ms: Option<u64>,
    sql_failed: bool,
}

/// The result of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The text for the model.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

/// The tools that an instance offers.
pub fn list_offered(instance: &Instance) -> Vec<Tool> {
    instance.tools.clone().unwrap_or_else(Tool::list_defaults)
}

impl<'a> Tools<'a> {
    /// Creates the tools before the first call. They work until `timeout` after `began`.
    pub fn new(
        sandbox: &'a Sandbox,
        began: Instant,
        timeout: Duration,
        offered: Vec<Tool>,
        allowed: Option<u32>,
    ) -> Tools<'a> {
        Tools {
            sandbox,
            began,
            timeout,
            offered,
            allowed,
            calls: 0,
            sql_retries: 0,
            first_ms: None,
            first_sql_ms: None,
            sql_failed: false,
        }
    }

    /// The tools that can be called.
    pub fn offered(&self) -> &[Tool] {
        &self.offered
    }

    /// Takes into account the calls that all servers of the question have recorded, including this one.
    pub fn note_recorded_calls(&mut self, calls: u32) {
        self.calls = self.calls.max(calls);
    }

    /// Calls a tool and returns its result. `arguments` is JSON as the model wrote it.
    pub fn call_tool(&mut self, name: &str, arguments: &str) -> ToolResult {
        if self.allowed.is_some_and(|allowed| self.calls >= allowed) {
            return ToolResult { text: NO_CALLS_LEFT.to_owned(), is_error: true };
        }
        let elapsed = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.calls = self.calls.saturating_add(1);
        self.first_ms.get_or_insert(elapsed);
        let tool = Tool::from_word(name).filter(|tool| self.offered.contains(tool));
        let is_sql = tool == Some(Tool::RunSql);
        if is_sql {
            self.first_sql_ms.get_or_insert(elapsed);
            self.sql_retries = self.sql_retries.saturating_add(u32::from(self.sql_failed));
        }
        let unknown = || ToolError::Call(format!("unknown tool `{name}`"));
        let done = tool.ok_or_else(unknown).and_then(|tool| self.run_tool(tool, arguments));
        if is_sql {
            self.sql_failed = done.is_err();
        }
        let is_error = done.is_err();
        ToolResult { text: shorten_output(&done.unwrap_or_else(|why| format!("error: {why}"))), is_error }
    }

    fn run_tool(&self, tool: Tool, arguments: &str) -> Result<String, ToolError> {
        let text = if arguments.trim().is_empty() { "{}" } else { arguments };
        let given: Json = serde_json::from_str(text)
            .map_err(|error| ToolError::Call(format!("the arguments are not JSON: {error}")))?;
        let text = |name: &str| match given.get(name) {
            Some(Json::String(text)) => Ok(text.as_str()),
            Some(_) => Err(ToolError::Call(format!("`{name}` must be a text"))),
            None => Err(ToolError::Call(format!("`{name}` is missing"))),
        };
        let sandbox = self.sandbox;
        match tool {
            Tool::ListFiles => files::list_folder(sandbox, given.get("path").and_then(Json::as_str).unwrap_or(".")),
            Tool::ReadFile => {
                let from = given.get("from").and_then(Json::as_u64).unwrap_or(1);
                let encoding = given.get("encoding").map(|_| text("encoding")).transpose()?;
                files::read_text(sandbox, text("path")?, from, encoding)
            }
            Tool::WriteFile => files::write_text(sandbox, text("path")?, text("content")?),
            Tool::MakeFolder => files::make_folder(sandbox, text("path")?),
            Tool::RemoveFile => files::remove_file(sandbox, text("path")?),
            Tool::RunSql => {
                let left = self.timeout.saturating_sub(self.began.elapsed());
                sql::run_statements(sandbox, text("database")?, text("sql")?, left)
            }
            Tool::ResolveColumn => {
                // Models write null if they do not know the table.
                let table = match given.get("table") {
                    None | Some(Json::Null) => None,
                    Some(_) => Some(text("table")?),
                };
                let left = self.timeout.saturating_sub(self.began.elapsed());
                resolve::resolve_column(sandbox, text("database")?, table, text("name")?, left)
            }
        }
    }
}

/// Returns the parameters of a tool as a JSON Schema.
pub fn build_tool_schema(tool: Tool) -> Json {
    let record = tool.record();
    let properties: Map<String, Json> =
        record.parameters.iter().map(|one| (one.name.to_owned(), build_parameter_schema(one))).collect();
    let required: Vec<&str> = record.parameters.iter().filter(|one| one.required).map(|one| one.name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn build_parameter_schema(parameter: &Parameter) -> Json {
    let mut schema = match parameter.kind {
        Kind::Text => json!({"type": "string"}),
        Kind::OneOf(words) => json!({"type": "string", "enum": words}),
        Kind::Int => json!({"type": "integer"}),
    };
    if !parameter.description.is_empty() {
        schema["description"] = json!(parameter.description);
    }
    schema
}

#[cfg(test)]
mod tests {
    use tables::encoding::Encoding;

    #[test]
    fn every_encoding_of_a_suite_can_be_read() {
        let known: Vec<&str> = Encoding::ALL.iter().map(|encoding| encoding.word()).collect();
        assert_eq!(model::tools::ENCODINGS, known);
    }
}
