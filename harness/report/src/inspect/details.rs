//! Reads prompt and replies of a trial from a log.

use records::{Captured, Error};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::archive::Archive;
use crate::details::{Detail, MESSAGES, build_message, split_target};
use crate::model::Failure;

/// The key under which `picardc.inspect` stores the files that the answer key reads.
const FILES: &str = "picard:files";
/// Prefix of a reference to a text that a log stores only once.
const ATTACHMENT: &str = "attachment://";
/// Fields of a message that are irrelevant to a reader.
const INTERNAL: [&str; 4] = ["id", "source", "model", "metadata"];

/// The messages of a trial.
#[derive(Deserialize)]
struct SampleRecord {
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

/// Reads the details of a failure.
///
/// # Errors
/// Its part of the log cannot be read.
pub fn read_detail(log: &mut Archive, failure: &Failure) -> Result<Detail, Error> {
    let name = format!("samples/{}_epoch_{}.json", failure.id, failure.trial);
    let detail = Detail { failure: failure.clone(), ..Detail::default() };
    let told: Option<SampleRecord> = log.read_json(&name)?;
    let Some(mut told) = told else { return Ok(detail) };
    let attachments = std::mem::take(&mut told.attachments);
    let text = |json: &Json| extract_text(&resolve_attachments(json.clone(), &attachments));
    let earlier = told.messages.len().saturating_sub(MESSAGES);
    let shown = told.messages.into_iter().skip(earlier);
    Ok(Detail {
        prompt: Some(extract_prompt(&told.input, &text)),
        expected: split_target(&told.target, failure.verdicts.len()),
        reply: told.output.completion.map(|reply| text(&Json::String(reply))),
        files: parse_files(told.store.remove(FILES)),
        messages: shown.map(|said| build_message(simplify_message(resolve_attachments(said, &attachments)))).collect(),
        earlier,
        ..detail
    })
}

/// Returns the prompt: a text, or the last of several messages.
fn extract_prompt(input: &Json, text: &impl Fn(&Json) -> String) -> String {
    let last = input.as_array().and_then(|messages| messages.last()).and_then(|message| message.get("content"));
    text(last.unwrap_or(input))
}

fn parse_files(stored: Option<Json>) -> Vec<(String, Captured)> {
    stored.and_then(|files| Vec::deserialize(files).ok()).unwrap_or_default()
}

/// Replaces references by the texts of attachments.
fn resolve_attachments(json: Json, attachments: &Map<String, Json>) -> Json {
    match json {
        Json::String(text) => {
            let named = text.strip_prefix(ATTACHMENT).and_then(|name| attachments.get(name));
            named.cloned().unwrap_or(Json::String(text))
        }
        Json::Array(items) => items.into_iter().map(|item| resolve_attachments(item, attachments)).collect(),
        Json::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, resolve_attachments(value, attachments)))
            .collect::<Map<_, _>>()
            .into(),
        other => other,
    }
}

/// Returns a content as text: for a list of parts, the texts among them.
fn extract_text(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        other => other.to_string(),
    }
}

fn simplify_message(mut message: Json) -> Json {
    if let Some(fields) = message.as_object_mut() {
        fields.retain(|name, _| !INTERNAL.contains(&name.as_str()));
        let parts = fields.get("content").filter(|content| content.is_array()).map(extract_text);
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
        assert_eq!(
            simplify_message(resolve_attachments(said, attachments)),
            json!({"role": "tool", "content": "a long text"})
        );
        assert_eq!(resolve_attachments(json!("attachment://cd"), attachments), json!("attachment://cd"));
    }
}
