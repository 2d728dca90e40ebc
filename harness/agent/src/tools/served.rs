//! Serves the tools of a sandbox over MCP. A call and its result are recorded as two messages of a transcript.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use model::tools::Tool;
use serde_json::{Value as Json, json};

use super::mcp::{Answer, Cancelled, Offer};
use super::{ToolResult, Tools, build_tool_schema};

/// Records calls.
pub trait CallRecorder {
    /// Returns the number of calls that all servers of the question have recorded. Called before each call.
    ///
    /// # Errors
    /// The record cannot be read.
    fn count_recorded(&mut self) -> io::Result<u32>;

    /// Records the messages of a call.
    ///
    /// # Errors
    /// The messages cannot be written.
    fn record_messages(&mut self, messages: &[Json; 2]) -> io::Result<()>;
}

/// The tools, and the record of their calls.
pub struct ToolServer<'s, 't, R> {
    tools: &'s mut Tools<'t>,
    record: &'s mut R,
    /// The number of calls so far.
    calls: u64,
}

impl<'s, 't, R: CallRecorder> ToolServer<'s, 't, R> {
    /// Creates a server before the first call.
    pub fn new(tools: &'s mut Tools<'t>, record: &'s mut R) -> ToolServer<'s, 't, R> {
        ToolServer { tools, record, calls: 0 }
    }
}

impl<R: CallRecorder> Offer for ToolServer<'_, '_, R> {
    fn list_tools(&self) -> Vec<Json> {
        let tool = |tool: &Tool| json!({"name": tool.word(), "description": tool.record().description, "inputSchema": build_tool_schema(*tool)});
        self.tools.offered().iter().map(tool).collect()
    }

    fn call_tool(&mut self, name: &str, arguments: &str, _cancelled: &Cancelled) -> io::Result<Answer> {
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        self.tools.note_recorded_calls(self.record.count_recorded()?);
        let ToolResult { text, is_error } = self.tools.call_tool(name, arguments);
        self.calls += 1;
        let id = format!("mcp_{}", self.calls);
        let call = json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        let messages = [
            json!({"role": "assistant", "content": "", "tool_calls": [call], "at_ms": at_ms}),
            json!({"role": "tool", "tool_call_id": id, "content": text}),
        ];
        // The call is recorded before its result is sent.
        self.record.record_messages(&messages)?;
        let is_offered = Tool::from_word(name).is_some_and(|tool| self.tools.offered().contains(&tool));
        Ok(if is_offered { Answer::Made { text, data: None, is_error } } else { Answer::Unknown(text) })
    }
}
