//! The tool calls in a transcript, for scoring after the run.

use std::collections::{BTreeMap, BTreeSet};

use model::tools::Tool;
use serde_json::Value as Json;

/// The answer to a call that exceeds the maximum number; it had no effect.
pub const NO_CALLS_LEFT: &str = "no calls left";

/// The start of the answer of `run_sql` if the database does not exist.
pub const NO_DATABASE: &str = "the database does not exist";

/// A tool call, in the order of the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// Its number among the calls of the transcript, from 1, not counting those that exceeded the maximum.
    pub number: u32,
    /// The tool.
    pub tool: Tool,
    /// Its arguments, an object.
    pub arguments: Json,
    /// Whether the answer was that its database does not exist.
    pub lacks_database: bool,
}

impl ToolCall {
    /// Returns an argument, if it is a text.
    pub fn find_text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Json::as_str)
    }
}

/// Lists the calls in the messages of a transcript: those of chat endpoints, and of the MCP server, which writes the same form. Calls of tools that
/// picardc lacks, calls that exceeded the maximum, and calls whose arguments are not JSON have no effect and are omitted; all except those that
/// exceeded the maximum are counted.
///
/// ```
/// use records::calls::{count_calls, list_calls};
/// use serde_json::json;
///
/// let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "function": {"name": name, "arguments": arguments}});
/// let messages = [json!({"role": "assistant", "tool_calls": [
///     call("a", "search_web", "{}"),
///     call("b", "run_sql", r#"{"database": "shop.db", "sql": "SELECT 1"}"#),
///     call("c", "run_sql", "not JSON"),
/// ]})];
/// // All three count, but only one is a call that can have an effect.
/// let calls = list_calls(&messages);
/// assert_eq!((count_calls(&messages), calls.len(), calls[0].number), (3, 1, 2));
/// assert_eq!(calls[0].find_text("sql"), Some("SELECT 1"));
/// ```
pub fn list_calls(messages: &[Json]) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    let mut number = 0;
    let too_many = find_excess_calls(messages);
    let without = find_answered_calls(messages, |answer| {
        answer.strip_prefix("error: ").is_some_and(|why| why.starts_with(NO_DATABASE))
    });
    for (place, message) in messages.iter().enumerate() {
        for (id, call) in iter_calls(message) {
            if too_many.contains(&(place, id)) {
                continue;
            }
            number += 1;
            let function = call.get("function");
            let text = |field: &str| function.and_then(|function| function.get(field)).and_then(Json::as_str);
            let tool = text("name").and_then(Tool::from_word);
            let arguments = text("arguments").and_then(|arguments| serde_json::from_str(arguments).ok());
            if let (Some(tool), Some(arguments)) = (tool, arguments) {
                let lacks_database = without.contains(&(place, id));
                calls.push(ToolCall { number, tool, arguments, lacks_database });
            }
        }
    }
    calls
}

/// Counts the calls in the messages of a transcript, without those that exceeded the maximum.
pub fn count_calls(messages: &[Json]) -> u32 {
    let too_many = find_excess_calls(messages);
    let calls =
        messages.iter().enumerate().flat_map(|(place, message)| iter_calls(message).map(move |(id, _)| (place, id)));
    let counted = calls.filter(|call| !too_many.contains(call)).count();
    u32::try_from(counted).unwrap_or(u32::MAX)
}

/// Iterates over the calls of a message, with their ids.
fn iter_calls(message: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let all = message.get("tool_calls").and_then(Json::as_array);
    all.into_iter().flatten().map(|call| (call.get("id").and_then(Json::as_str).unwrap_or_default(), call))
}

/// Returns the calls that exceeded the maximum.
fn find_excess_calls(messages: &[Json]) -> BTreeSet<(usize, &str)> {
    find_answered_calls(messages, |answer| answer == NO_CALLS_LEFT)
}

/// Returns the calls, by the index of their message and their id, whose first answer after them meets the condition. Servers reuse ids.
fn find_answered_calls(messages: &[Json], is_such: impl Fn(&str) -> bool) -> BTreeSet<(usize, &str)> {
    let mut found = BTreeSet::new();
    // From the end, the next answer of each id is known. A program may write anything, so each message is visited only once.
    let mut next: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (place, message) in messages.iter().enumerate().rev() {
        for (id, _) in iter_calls(message) {
            if next.get(id).copied().flatten().is_some_and(&is_such) {
                found.insert((place, id));
            }
        }
        if let Some(id) = message.get("tool_call_id").and_then(Json::as_str) {
            next.insert(id, message.get("content").and_then(Json::as_str));
        }
    }
    found
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
            asks("c3", "run_sql", "{\"database\": \"shop\"}"),
            answers("c3", "error: the database does not exist: `shop`"),
            asks("c0", "run_sql", "{}"),
            answers("c0", NO_CALLS_LEFT),
        ];
        let found = list_calls(&messages);
        let short: Vec<(u32, Tool)> = found.iter().map(|call| (call.number, call.tool)).collect();
        assert_eq!(short, [(1, Tool::ListFiles), (2, Tool::RunSql), (5, Tool::RunSql)]);
        assert_eq!(found.get(1).and_then(|call| call.find_text("sql")), Some("SELECT 1"));
        assert_eq!(found.iter().map(|call| call.lacks_database).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!((count_calls(&messages), count_calls(&[])), (5, 0));
        assert!(list_calls(&[]).is_empty());
    }
}
