//! Prompts and replies of trials that are not correct: read from the folder of a run or from a log of Inspect AI, for the failures that are shown.

use std::collections::BTreeMap;
use std::path::Path;

use records::id_table::IdTable;
use records::jsonl::{read_all, visit_values};
use records::response::Captured;
use records::responses::ResponseFilter;
use records::run::{INSTANCES, RESPONSES, TRANSCRIPTS};
use records::{Error, Status};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::inspect;
use crate::model::{Failure, RunReport};

/// The number of messages at the end of a transcript that are shown.
pub(crate) const MESSAGES: usize = 20;

/// A failure with all details for the reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// The failure itself.
    pub failure: Failure,
    /// The prompt; `None` if the run does not have it.
    pub prompt: Option<String>,
    /// The expected values of each expectation, for people; several if any of them is accepted. Empty if keys are split.
    pub expected: Vec<Vec<String>>,
    /// The reply; `None` without a response.
    pub reply: Option<String>,
    /// The paths that the answer key reads, with the captured content.
    pub files: Vec<(String, Captured)>,
    /// The last messages; empty without a transcript.
    pub messages: Vec<Message>,
    /// The number of earlier messages.
    pub earlier: usize,
}

/// One message of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// `user`, `assistant`, `tool` …
    pub role: String,
    /// Its text, and its other fields as JSON.
    pub content: String,
}

/// The details of a run's failures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// The failures shown.
    pub shown: Vec<Detail>,
    /// The number of further failures.
    pub more: usize,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    input: Option<String>,
    target: Option<Json>,
}

#[derive(Deserialize)]
struct Answer {
    id: String,
    trial: u32,
    status: Status,
    reply: String,
    #[serde(default)]
    files: Vec<(String, Captured)>,
}

impl Details {
    /// Reads the details of at most `most` failures of a run: the first of every task, the second of every task, and so on.
    pub fn read_details(folder: &Path, run: &RunReport, most: usize) -> Result<Details, Error> {
        let chosen = choose_failures(&run.failures, most);
        if inspect::is_log(folder) {
            let mut log = inspect::Archive::open(folder)?;
            let shown: Vec<Detail> =
                chosen.iter().map(|failure| inspect::read_detail(&mut log, failure)).collect::<Result<_, _>>()?;
            return Ok(Details { more: run.failures.len() - shown.len(), shown });
        }
        let mut prompts: BTreeMap<&str, Question> = BTreeMap::new();
        let mut answers: BTreeMap<(&str, u32), Answer> = BTreeMap::new();
        let ids: BTreeMap<&str, ()> = chosen.iter().map(|failure| (failure.id.as_str(), ())).collect();
        visit_values(&folder.join(INSTANCES), |question: Question| {
            if let Some((id, ())) = ids.get_key_value(question.id.as_str()) {
                prompts.insert(id, question);
            }
        })?;
        let asked: IdTable = ids.keys().collect();
        let mut counted = ResponseFilter::new(&asked, run.trials);
        visit_values(&folder.join(RESPONSES), |answer: Answer| {
            let counts = counted.register_line(&answer.id, answer.trial, answer.status).is_some();
            if let Some((id, ())) = ids.get_key_value(answer.id.as_str()).filter(|_| counts) {
                answers.insert((id, answer.trial), answer);
            }
        })?;
        let mut shown = Vec::new();
        for failure in &chosen {
            let (messages, earlier) = read_messages(folder, failure)?;
            let question = prompts.get(failure.id.as_str());
            let (reply, files) = match answers.remove(&(failure.id.as_str(), failure.trial)) {
                Some(answer) => (Some(answer.reply), answer.files),
                None => (None, Vec::new()),
            };
            shown.push(Detail {
                failure: (*failure).clone(),
                prompt: question.and_then(|question| question.input.clone()),
                expected: question
                    .and_then(|question| question.target.as_ref())
                    .map(|target| split_target(target, failure.verdicts.len()))
                    .unwrap_or_default(),
                reply,
                files,
                messages,
                earlier,
            });
        }
        Ok(Details { more: run.failures.len() - shown.len(), shown })
    }
}

fn choose_failures(failures: &[Failure], most: usize) -> Vec<&Failure> {
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = failures
        .iter()
        .enumerate()
        .map(|(at, failure)| {
            let turn = turns.entry(&failure.task).or_default();
            *turn += 1;
            (*turn, at)
        })
        .collect();
    ranked.sort_unstable();
    let mut places: Vec<usize> = ranked.into_iter().take(most).map(|(_, at)| at).collect();
    places.sort_unstable();
    places.into_iter().filter_map(|at| failures.get(at)).collect()
}

/// Splits the target of an instance into the values of each expectation. With several expectations, the target is a JSON array as text.
pub(crate) fn split_target(target: &Json, expectations: usize) -> Vec<Vec<String>> {
    if expectations > 1
        && let Json::String(text) = target
        && let Ok(Json::Array(items)) = serde_json::from_str(text)
        && items.len() == expectations
    {
        return items.iter().map(list_alternatives).collect();
    }
    vec![list_alternatives(target)]
}

fn list_alternatives(target: &Json) -> Vec<String> {
    match target {
        Json::String(text) => vec![text.clone()],
        Json::Array(items) => items.iter().flat_map(list_alternatives).collect(),
        other => vec![other.to_string()],
    }
}

fn read_messages(folder: &Path, failure: &Failure) -> Result<(Vec<Message>, usize), Error> {
    // An id consists of names, so it is never a path.
    if failure.id.contains(['/', '\\']) {
        return Ok((Vec::new(), 0));
    }
    let path = folder.join(TRANSCRIPTS).join(format!("{}.{}.jsonl", failure.id, failure.trial));
    if !path.exists() {
        return Ok((Vec::new(), 0));
    }
    let all: Vec<Json> = read_all(&path)?;
    let earlier = all.len().saturating_sub(MESSAGES);
    Ok((all.into_iter().skip(earlier).map(build_message).collect(), earlier))
}

pub(crate) fn build_message(json: Json) -> Message {
    let role = json.get("role").and_then(Json::as_str).unwrap_or("message").to_owned();
    let Json::Object(mut fields) = json else { return Message { role, content: json.to_string() } };
    fields.shift_remove("role");
    let text = fields.get("content").and_then(Json::as_str).map(str::to_owned);
    // Tool calls and similar fields are next to the content.
    if text.is_some() || fields.get("content").is_some_and(Json::is_null) {
        fields.shift_remove("content");
    }
    let rest = if fields.is_empty() { String::new() } else { Json::Object(fields).to_string() };
    let parts: Vec<String> = text.into_iter().chain([rest]).filter(|part| !part.is_empty()).collect();
    Message { role, content: parts.join("\n") }
}
