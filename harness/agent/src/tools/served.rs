//! Serves the tools of a sandbox over MCP. A call and its result are recorded as two messages of a transcript.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use model::tools::Tool;
use serde_json::{Value as Json, json};

use super::call_log::Log;
use super::mcp::{Answer, Cancelled, Offer};
use super::{ToolResult, Tools, build_tool_schema};

/// The tools, and the record of their calls.
pub struct ToolServer<'s, 't> {
    tools: &'s mut Tools<'t>,
    /// `None` if calls are not recorded.
    log: Option<Log>,
    /// The number of calls so far.
    calls: u64,
}

impl<'s, 't> ToolServer<'s, 't> {
    /// Creates a server before the first call.
    pub fn new(tools: &'s mut Tools<'t>, log: Option<Log>) -> ToolServer<'s, 't> {
        ToolServer { tools, log, calls: 0 }
    }
}

impl Offer for ToolServer<'_, '_> {
    fn list_tools(&self) -> Vec<Json> {
        let tool = |tool: &Tool| json!({"name": tool.word(), "description": tool.record().description, "inputSchema": build_tool_schema(*tool)});
        self.tools.offered().iter().map(tool).collect()
    }

    fn call_tool(&mut self, name: &str, arguments: &str, _cancelled: &Cancelled) -> io::Result<Answer> {
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        if let Some(log) = &mut self.log {
            self.tools.note_recorded_calls(log.count_recorded()?);
        }
        let ToolResult { text, is_error } = self.tools.call_tool(name, arguments);
        self.calls += 1;
        let id = format!("mcp_{}", self.calls);
        let call = json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        let messages = [
            json!({"role": "assistant", "content": "", "tool_calls": [call], "at_ms": at_ms}),
            json!({"role": "tool", "tool_call_id": id, "content": text}),
        ];
        // The call is recorded before its result is sent.
        if let Some(log) = &mut self.log {
            log.record_messages(&messages)?;
        }
        let is_offered = Tool::from_word(name).is_some_and(|tool| self.tools.offered().contains(&tool));
        Ok(if is_offered { Answer::Made { text, data: None, is_error } } else { Answer::Unknown(text) })
    }
}
