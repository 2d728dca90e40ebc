//! The SQL that an agent ran before its answer: read from its transcript or from the output of its program, and scored.

use std::path::Path;

use model::answer_key::Expected;
use model::tools::Tool;
use records::attempt::find_first_right;
use records::calls::{ToolCall, list_calls};
use records::jsonl::read_all;
use records::{Error, Instance, Response, RunInfo, Score, run as names};
use score::{AgentAction, StartFiles};
use serde_json::Value as Json;

use crate::sandbox;
use crate::spec::Spec;

/// Finds the calls of a run.
pub struct Calls<'a> {
    /// The folder of the run.
    run: &'a Path,
    /// The prefix of the answer key's paths in the sandbox: empty, or ends with `/`.
    below: String,
    /// Whether each response has a transcript with all of its calls.
    is_chat: bool,
}

impl<'a> Calls<'a> {
    /// Finds the calls of a run whose prompts have `sandbox_root` before each path.
    pub fn new(run: &'a Path, info: &RunInfo, sandbox_root: &str) -> Calls<'a> {
        let below = sandbox::parse_sandbox_root(sandbox_root).unwrap_or_default();
        Calls { run, below, is_chat: matches!(info.agent.parse(), Ok(Spec::OpenAi { .. })) }
    }

    /// Adds the classes of the agent's SQL attempts and of the answer's query to a score.
    ///
    /// # Errors
    /// The transcript cannot be read.
    pub fn score_sql(
        &self,
        score: &mut Score,
        instance: &Instance,
        response: &Response,
        start: &dyn StartFiles,
    ) -> Result<(), Error> {
        let Some(expect) = score::find_sql_expectation(instance) else { return Ok(()) };
        score.answer_class = score::classify_answer(instance, expect, response, start);
        let tried = match &response.sql {
            Some(sql) => Some((1..).zip(sql).map(|(number, sql)| AgentAction::Here(number, sql.clone())).collect()),
            None => self.read_attempts(expect, instance, response)?,
        };
        let attempts = tried.map(|tried: Vec<AgentAction>| score::score_attempts(instance, expect, &tried, start));
        score.first_right = attempts.as_deref().and_then(find_first_right);
        score.attempts = attempts;
        Ok(())
    }

    /// Reads the SQL actions from the transcript of a response; `None` if it does not contain calls of picardc's tools.
    fn read_attempts(
        &self,
        expect: &Expected,
        instance: &Instance,
        response: &Response,
    ) -> Result<Option<Vec<AgentAction>>, Error> {
        let name = format!("{}.{}.jsonl", response.id, response.trial);
        let path = self.run.join(names::TRANSCRIPTS).join(name);
        if !path.exists() {
            return Ok(None);
        }
        let messages: Vec<Json> = read_all(&path)?;
        if !self.is_chat && !messages.iter().any(|message| message.get("tool_calls").is_some()) {
            return Ok(None);
        }
        let database = expect.database.as_deref().and_then(|path| normalize_path(&format!("{}{path}", self.below)));
        let offered = crate::tools::list_offered(instance);
        let made = list_calls(&messages).into_iter().filter(|call| offered.contains(&call.tool));
        let is_it = |path: Option<&str>| database.is_some() && path.and_then(normalize_path) == database;
        let tried = made.filter_map(|call| {
            let ToolCall { number, tool, .. } = call;
            match tool {
                Tool::RunSql if call.lacks_database => Some(AgentAction::Nowhere(number)),
                Tool::RunSql => Some(match call.find_text("sql") {
                    Some(sql) if is_it(call.find_text("database")) => AgentAction::Here(number, sql.to_owned()),
                    _ => AgentAction::Elsewhere(number),
                }),
                Tool::WriteFile | Tool::RemoveFile if is_it(call.find_text("path")) => Some(AgentAction::Overwritten),
                _ => None,
            }
        });
        Ok(Some(tried.collect()))
    }
}

/// Normalizes a path of the sandbox; `None` for one that the tools refuse: an absolute path, or one that leaves the sandbox.
fn normalize_path(path: &str) -> Option<String> {
    let path = path.trim();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!path.starts_with('/')).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_are_the_same() {
        for path in ["shop.db", "./shop.db", " shop.db ", "a/../shop.db", ".//shop.db"] {
            assert_eq!(normalize_path(path).as_deref(), Some("shop.db"));
        }
        assert_eq!(normalize_path("a/shop.db").as_deref(), Some("a/shop.db"));
        // These are refused by the tools, so nothing was tried on the database.
        for path in ["/shop.db", "../shop.db", "a/../../shop.db", " /shop.db"] {
            assert_eq!(normalize_path(path), None);
        }
    }
}
