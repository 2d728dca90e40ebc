//! What was asked and replied in a trial of a log.

use std::path::Path;

use records::{Captured, Error};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::archive::Archive;
use crate::details::{Detail, MESSAGES, expected, message};
use crate::model::Failure;

/// Where `picardc.inspect` keeps what was at the paths that the answer key reads.
const FILES: &str = "picard:files";
/// How texts are named that a log has once, however often they were said.
const ATTACHMENT: &str = "attachment://";
/// Fields of a message that tell a reader nothing.
const INTERNAL: [&str; 4] = ["id", "source", "model", "metadata"];

/// An open log.
pub struct Source(Archive);

/// What was said in a trial.
#[derive(Deserialize)]
struct Told {
    input: Json,
    target: Json,
    #[serde(default)]
    output: Output,
    #[serde(default)]
    store: Map<String, Json>,
    #[serde(default)]
    messages: Vec<Json>,
    #[serde(default)]
    attachments: Map<String, Json>,
}

#[derive(Default, Deserialize)]
struct Output {
    completion: Option<String>,
}

impl Source {
    /// Opens a log.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Source, Error> {
        Archive::open(path).map(Source)
    }

    /// All that a reader wants to see of a failure.
    ///
    /// # Errors
    /// Its part of the log cannot be read.
    pub fn detail(&mut self, failure: &Failure) -> Result<Detail, Error> {
        let name = format!("samples/{}_epoch_{}.json", failure.id, failure.trial);
        let told: Option<Told> = self.0.json(&name)?;
        let Some(mut told) = told else {
            return Ok(Detail::of(failure.clone()));
        };
        let attachments = std::mem::take(&mut told.attachments);
        let text = |json: &Json| plain(&resolved(json.clone(), &attachments));
        let earlier = told.messages.len().saturating_sub(MESSAGES);
        let shown = told.messages.into_iter().skip(earlier);
        Ok(Detail {
            prompt: Some(asked(&told.input, &text)),
            expected: expected(&told.target, failure.verdicts.len()),
            reply: told.output.completion.map(|reply| text(&Json::String(reply))),
            files: files(told.store.remove(FILES)),
            messages: shown.map(|said| message(said_plainly(resolved(said, &attachments)))).collect(),
            earlier,
            ..Detail::of(failure.clone())
        })
    }
}

/// What the agent was asked: a text, or the last of several messages.
fn asked(input: &Json, text: &impl Fn(&Json) -> String) -> String {
    let last = input.as_array().and_then(|messages| messages.last()).and_then(|message| message.get("content"));
    text(last.unwrap_or(input))
}

fn files(stored: Option<Json>) -> Vec<(String, Captured)> {
    stored.and_then(|files| Vec::deserialize(files).ok()).unwrap_or_default()
}

/// With the texts that it only names.
fn resolved(json: Json, attachments: &Map<String, Json>) -> Json {
    match json {
        Json::String(text) => {
            let named = text.strip_prefix(ATTACHMENT).and_then(|name| attachments.get(name));
            named.cloned().unwrap_or(Json::String(text))
        }
        Json::Array(items) => items.into_iter().map(|item| resolved(item, attachments)).collect(),
        Json::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, resolved(value, attachments))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// A content as text: of a list of parts, those that are text.
fn plain(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        other => other.to_string(),
    }
}

fn said_plainly(mut message: Json) -> Json {
    if let Some(fields) = message.as_object_mut() {
        fields.retain(|name, _| !INTERNAL.contains(&name.as_str()));
        let parts = fields.get("content").filter(|content| content.is_array()).map(plain);
        if let Some(text) = parts.filter(|text| !text.is_empty()) {
            fields.insert("content".to_owned(), text.into());
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_shown_without_what_only_programs_read() {
        let attachments = json!({"ab": "a long text"});
        let attachments = attachments.as_object().expect("an object");
        let said = json!({"id": "1", "role": "tool", "source": "x", "content": [{"type": "text", "text": "attachment://ab"}, {"type": "image"}]});
        assert_eq!(said_plainly(resolved(said, attachments)), json!({"role": "tool", "content": "a long text"}));
        assert_eq!(resolved(json!("attachment://cd"), attachments), json!("attachment://cd"));
    }
}
