//! The record of calls that a program makes over MCP: the environment variables that tell its server what to record, and the reading of the record.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use model::tools::Tool;
use records::calls::{NO_CALLS_LEFT, count_calls};
use records::{Instance, Response};
use serde_json::Value as Json;

/// Environment variable: the tools that a task states, separated by commas.
pub const TOOLS: &str = "PICARDC_TOOLS";

/// Environment variable: the number of calls that a task states.
pub const CALLS: &str = "PICARDC_CALLS";

/// Environment variable: the file to which `picardc tools` appends the calls.
pub const RECORD: &str = "PICARDC_RECORD";

/// The name of the file, in the folder for temporary files.
const FILE: &str = "picardc-tools.jsonl";

/// The maximum size of the file that is read, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// Returns the path of the record.
pub fn build_log_path(temporary: &Path) -> PathBuf {
    temporary.join(FILE)
}

/// Returns the environment variables for a program.
pub fn build_environment(instance: &Instance, temporary: &Path) -> Vec<(String, String)> {
    let mut all = vec![(RECORD.to_owned(), build_log_path(temporary).display().to_string())];
    if let Some(tools) = &instance.tools {
        let names: Vec<&str> = tools.iter().map(|tool| tool.word()).collect();
        all.push((TOOLS.to_owned(), names.join(",")));
    }
    if let Some(calls) = instance.calls {
        all.push((CALLS.to_owned(), calls.to_string()));
    }
    all
}

/// The record of one server; several servers may append to the same file.
pub struct Log {
    file: File,
    /// How far it was read, in bytes.
    read: u64,
    calls: u32,
}

impl Log {
    /// Opens or creates the file.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open_or_create(path: &Path) -> io::Result<Log> {
        let file = File::options().read(true).append(true).create(true).open(path)?;
        Ok(Log { file, read: 0, calls: 0 })
    }

    /// Returns the number of calls that all servers of the question have recorded. Called before each call.
    ///
    /// Locks the file until the call is recorded, so servers together make no more calls than allowed. If files cannot be locked, simultaneous calls are all
    /// made.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn count_recorded(&mut self) -> io::Result<u32> {
        let _ = self.file.lock();
        self.file.seek(SeekFrom::Start(self.read))?;
        let mut more = Vec::new();
        (&self.file).take(MAX_BYTES).read_to_end(&mut more)?;
        let whole = more.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        more.truncate(whole);
        let messages: Vec<Json> =
            more.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        self.read += whole as u64;
        self.calls = self.calls.saturating_add(count_calls(&messages));
        Ok(self.calls)
    }

    /// Records the messages of a call. Writes both at once, so those of several servers do not mix even if files cannot be locked.
    ///
    /// # Errors
    /// The messages cannot be written.
    pub fn record_messages(&mut self, messages: &[Json; 2]) -> io::Result<()> {
        let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
        let written = self.file.write_all(lines.as_bytes());
        let _ = self.file.unlock();
        written
    }
}

/// The content of a record.
#[derive(Debug, Default, PartialEq)]
pub struct Recorded {
    /// The readable messages, in order.
    pub messages: Vec<Json>,
    /// The number of unreadable lines: not JSON, or cut off. A file that is too large or unreadable counts as one.
    pub damaged: u32,
}

/// Reads the record. A program can also write to it, so its content changes no score.
pub fn read_recorded(temporary: &Path) -> Recorded {
    let path = build_log_path(temporary);
    let Ok(bytes) = disk::read_within(&path, MAX_BYTES) else {
        return Recorded { messages: Vec::new(), damaged: u32::from(path.symlink_metadata().is_ok()) };
    };
    let mut found = Recorded::default();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<Json>(line) {
            Ok(message) if message.is_object() => found.messages.push(message),
            _ => found.damaged = found.damaged.saturating_add(1),
        }
    }
    found
}

/// Adds facts about the recorded calls to a response, unless the program reported them. `elapsed` is the time since the question was asked.
pub fn add_to_response(response: &mut Response, Recorded { messages, damaged }: &Recorded, elapsed: Duration) {
    response.damaged_calls = (*damaged > 0).then_some(*damaged);
    let calls = count_calls(messages);
    if calls == 0 {
        return;
    }
    response.tool_calls = response.tool_calls.or(Some(calls));
    let began = SystemTime::now() - elapsed;
    let began = began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let first = |wanted: &dyn Fn(&str) -> bool| {
        messages.iter().find_map(|message| {
            let name = find_tool_name(message)?;
            let at = message.get("at_ms")?.as_u64()?;
            wanted(name).then(|| at.saturating_sub(began))
        })
    };
    let is_sql = |name: &str| Tool::from_word(name) == Some(Tool::RunSql);
    response.first_tool_ms = response.first_tool_ms.or_else(|| first(&|_| true));
    response.first_sql_ms = response.first_sql_ms.or_else(|| first(&is_sql));
    response.sql_retries = response.sql_retries.or_else(|| Some(count_retries(messages, is_sql)));
}

/// Returns the name of the tool that a message calls.
fn find_tool_name(message: &Json) -> Option<&str> {
    message.get("tool_calls")?.get(0)?.get("function")?.get("name")?.as_str()
}

/// Counts the failed SQL calls that were followed by another one.
fn count_retries(messages: &[Json], is_sql: impl Fn(&str) -> bool) -> u32 {
    let (mut retries, mut failed) = (0, false);
    for pair in messages.windows(2) {
        let [call, result] = pair else { continue };
        let content = result.get("content").and_then(Json::as_str).unwrap_or_default();
        if find_tool_name(call).is_some_and(&is_sql) && content != NO_CALLS_LEFT {
            retries += u32::from(failed);
            failed = content.starts_with("error: ");
        }
    }
    retries
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, text: &str) -> [Json; 2] {
        [
            json!({"role": "assistant", "content": "", "at_ms": 1, "tool_calls": [
                {"id": id, "type": "function", "function": {"name": "run_sql", "arguments": "{}"}}]}),
            json!({"role": "tool", "tool_call_id": id, "content": text}),
        ]
    }

    /// Finding: one line that is not JSON hid all calls, and nobody was told.
    #[test]
    fn a_damaged_line_is_counted_and_hides_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read_recorded(folder.path()), Recorded::default(), "no record is none that is damaged");
        let mut log = Log::open_or_create(&build_log_path(folder.path())).expect("opened");
        assert_eq!(log.count_recorded().expect("read"), 0);
        log.record_messages(&call("mcp_1", "error: no such table: t")).expect("written");
        let mut other = Log::open_or_create(&build_log_path(folder.path())).expect("opened");
        assert_eq!(other.count_recorded().expect("read"), 1);
        other.record_messages(&call("mcp_1", "[\"a\"]")).expect("written");
        std::fs::File::options()
            .append(true)
            .open(build_log_path(folder.path()))
            .and_then(|mut file| file.write_all(b"{\"role\": \"assist\n[1]\n"))
            .expect("written");
        log.count_recorded().expect("read");
        log.record_messages(&call("mcp_2", NO_CALLS_LEFT)).expect("written");
        assert_eq!(log.count_recorded().expect("read"), 2, "those of both, without what was too many");
        let found = read_recorded(folder.path());
        assert_eq!((found.messages.len(), found.damaged), (6, 2));
        let mut response = Response::default();
        add_to_response(&mut response, &found, Duration::ZERO);
        assert_eq!((response.tool_calls, response.sql_retries, response.damaged_calls), (Some(2), Some(1), Some(2)));
    }

    #[test]
    fn a_record_that_is_too_large_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        File::create(build_log_path(folder.path())).and_then(|file| file.set_len(MAX_BYTES + 1)).expect("made");
        assert_eq!(read_recorded(folder.path()), Recorded { messages: Vec::new(), damaged: 1 });
    }
}
