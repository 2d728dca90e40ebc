//! What a program's MCP server records of its calls: the environment that tells it so, and how that is read again.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use plan::tools::Tool;
use records::calls::{NO_CALLS_LEFT, called};
use records::{Instance, Response};
use serde_json::Value as Json;

/// Environment variable: the tools that a task states, separated by commas.
pub const TOOLS: &str = "PICARDC_TOOLS";

/// Environment variable: how many calls a task states.
pub const CALLS: &str = "PICARDC_CALLS";

/// Environment variable: the file to which `picardc tools` appends the calls.
pub const RECORD: &str = "PICARDC_RECORD";

/// The file, in the folder for temporary files.
const FILE: &str = "picardc-tools.jsonl";

/// The most bytes of it that are read.
const MOST: u64 = 32 << 20;

/// Where the calls are recorded.
pub fn file(temporary: &Path) -> PathBuf {
    temporary.join(FILE)
}

/// What a program's environment has of it.
pub fn environment(instance: &Instance, temporary: &Path) -> Vec<(String, String)> {
    let mut all = vec![(RECORD.to_owned(), file(temporary).display().to_string())];
    if let Some(tools) = &instance.tools {
        let names: Vec<&str> = tools.iter().map(|tool| tool.word()).collect();
        all.push((TOOLS.to_owned(), names.join(",")));
    }
    if let Some(calls) = instance.calls {
        all.push((CALLS.to_owned(), calls.to_string()));
    }
    all
}

/// The messages that were recorded, in order; none if the file cannot be read as what the server writes. A program can write to it: what it says
/// changes no score.
pub fn messages(temporary: &Path) -> Vec<Json> {
    let Ok(bytes) = disk::read_within(&file(temporary), MOST) else { return Vec::new() };
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let all: Option<Vec<Json>> = lines.map(|line| serde_json::from_slice(line).ok()).collect();
    all.unwrap_or_default()
}

/// Adds to a response what the recorded calls tell and the program does not. `began` is when it was asked.
pub fn note(response: &mut Response, messages: &[Json], elapsed: Duration) {
    let calls = called(messages);
    let Some(last) = calls.last() else { return };
    response.tool_calls = response.tool_calls.or(Some(last.number));
    let began = SystemTime::now() - elapsed;
    let began = began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let first = |wanted: &dyn Fn(&str) -> bool| {
        messages.iter().find_map(|message| {
            let name = message.get("tool_calls")?.get(0)?.get("function")?.get("name")?.as_str()?;
            let at = message.get("at_ms")?.as_u64()?;
            wanted(name).then(|| at.saturating_sub(began))
        })
    };
    let is_sql = |name: &str| Tool::of(name) == Some(Tool::RunSql);
    response.first_tool_ms = response.first_tool_ms.or_else(|| first(&|_| true));
    response.first_sql_ms = response.first_sql_ms.or_else(|| first(&is_sql));
    response.sql_retries = response.sql_retries.or_else(|| Some(retries(messages, is_sql)));
}

/// Calls of SQL that failed and were followed by another.
fn retries(messages: &[Json], is_sql: impl Fn(&str) -> bool) -> u32 {
    let (mut retries, mut failed) = (0, false);
    for pair in messages.windows(2) {
        let [call, result] = pair else { continue };
        let function = call.get("tool_calls").and_then(|calls| calls.get(0)).and_then(|call| call.get("function"));
        let name = function.and_then(|function| function.get("name")).and_then(Json::as_str);
        let content = result.get("content").and_then(Json::as_str).unwrap_or_default();
        if name.is_some_and(&is_sql) && content != NO_CALLS_LEFT {
            retries += u32::from(failed);
            failed = content.starts_with("error: ");
        }
    }
    retries
}
