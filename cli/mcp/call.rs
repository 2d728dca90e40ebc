//! A call of a tool: its arguments and its result.

use std::fmt;

use serde_json::{Map, Value as Json};

/// The arguments of a call, by name.
pub type Arguments = Map<String, Json>;

/// Returns the text of an argument.
pub fn find_text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Json::as_str)
}

/// The result of a call.
pub struct ToolResult {
    /// The text for people and models.
    pub text: String,
    /// The data for programs.
    pub data: Option<Json>,
    /// Whether the call or the suite is wrong.
    pub is_error: bool,
}

impl ToolResult {
    /// Creates the result of a call that is done.
    pub fn new_success(text: String, data: Option<Json>) -> ToolResult {
        ToolResult { text, data, is_error: false }
    }

    /// Creates the result of a call that is wrong, or whose suite is.
    pub fn new_failure(text: String) -> ToolResult {
        ToolResult { text, data: None, is_error: true }
    }

    /// Creates the result of a call that is wrong, with the reason.
    pub fn new_error(message: impl fmt::Display) -> ToolResult {
        ToolResult::new_failure(format!("error: {message}"))
    }
}
