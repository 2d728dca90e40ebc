//! The tools of a sandbox as a server offers them. A call and its result are recorded as two messages of a transcript.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use model::tools::Tool;
use serde_json::{Value as Json, json};

use super::mcp::{Answer, Cancelled, Offer};
use super::{ToolResult, Tools, build_tool_schema};

/// Where calls are recorded.
pub trait CallRecorder {
    /// Before a call: how many calls all servers of the question have recorded.
    ///
    /// # Errors
    /// The record cannot be read.
    fn count_recorded(&mut self) -> io::Result<u32>;

    /// The messages of a call that was made.
    ///
    /// # Errors
    /// They cannot be written.
    fn record_messages(&mut self, messages: &[Json; 2]) -> io::Result<()>;
}

/// The tools at work, and where their calls are recorded.
pub struct ToolServer<'s, 't, R> {
    tools: &'s mut Tools<'t>,
    record: &'s mut R,
    /// So many were recorded.
    calls: u64,
}

impl<'s, 't, R: CallRecorder> ToolServer<'s, 't, R> {
    /// None called yet.
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
        // What was done is recorded before anyone is told of it.
        self.record.record_messages(&messages)?;
        let is_offered = Tool::from_word(name).is_some_and(|tool| self.tools.offered().contains(&tool));
        Ok(if is_offered { Answer::Made { text, data: None, is_error } } else { Answer::Unknown(text) })
    }
}
