//! The calls of tools in a transcript, as they are scored after the run.

use plan::tools::Tool;
use serde_json::Value as Json;

/// What a call is answered that is one too many: it did nothing.
pub const NO_CALLS_LEFT: &str = "no calls left";

/// A call of a tool that was made, in the order of the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Its number among the calls of the transcript, from 1. Those that were too many are not counted.
    pub number: u32,
    /// Which tool.
    pub tool: Tool,
    /// Its arguments: an object.
    pub arguments: Json,
}

impl Called {
    /// One of its arguments, if it is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Json::as_str)
    }
}

/// The calls in the messages of a transcript: those of chat endpoints, and of the MCP server, which writes the same form. Calls of tools that picardc does not
/// have, calls that were too many, and calls whose arguments are not JSON have no effect and are left out; all but those that were too many are counted.
pub fn called(messages: &[Json]) -> Vec<Called> {
    let mut calls = Vec::new();
    let mut number = 0;
    for (place, message) in messages.iter().enumerate() {
        let all = message.get("tool_calls").and_then(Json::as_array);
        for call in all.into_iter().flatten() {
            let id = call.get("id").and_then(Json::as_str).unwrap_or_default();
            if answer(messages, place, id) == Some(NO_CALLS_LEFT) {
                continue;
            }
            number += 1;
            let function = call.get("function");
            let text = |field: &str| function.and_then(|function| function.get(field)).and_then(Json::as_str);
            let tool = text("name").and_then(Tool::of);
            let arguments = text("arguments").and_then(|arguments| serde_json::from_str(arguments).ok());
            if let (Some(tool), Some(arguments)) = (tool, arguments) {
                calls.push(Called { number, tool, arguments });
            }
        }
    }
    calls
}

/// What a call of the message at a place was answered: the first answer to its id after it. Servers use ids again.
fn answer<'a>(messages: &'a [Json], place: usize, id: &str) -> Option<&'a str> {
    let after = messages
        .iter()
        .skip(place + 1)
        .find(|message| message.get("tool_call_id").and_then(Json::as_str) == Some(id))?;
    after.get("content").and_then(Json::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asks(id: &str, name: &str, arguments: &str) -> Json {
        json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]})
    }

    fn answers(id: &str, content: &str) -> Json {
        json!({"role": "tool", "tool_call_id": id, "content": content})
    }

    #[test]
    fn calls_that_did_nothing_are_left_out() {
        let messages = [
            asks("c0", "list_files", "{}"),
            answers("c0", "shop.db"),
            asks("c0", "run_sql", "{\"database\": \"shop.db\", \"sql\": \"SELECT 1\"}"),
            answers("c0", "[\"1\"]\n[1]"),
            asks("c1", "run_sql", "not JSON"),
            answers("c1", "error: the arguments are not JSON"),
            asks("c2", "delete_all", "{}"),
            answers("c2", "error: unknown tool `delete_all`"),
            asks("c0", "run_sql", "{}"),
            answers("c0", NO_CALLS_LEFT),
        ];
        let found = called(&messages);
        let short: Vec<(u32, Tool)> = found.iter().map(|call| (call.number, call.tool)).collect();
        assert_eq!(short, [(1, Tool::ListFiles), (2, Tool::RunSql)]);
        assert_eq!(found.last().and_then(|call| call.text("sql")), Some("SELECT 1"));
        assert!(called(&[]).is_empty());
    }
}
