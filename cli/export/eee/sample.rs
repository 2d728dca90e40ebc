//! The samples of a run, one for each score.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use disk::digest::hash_sha256;
use records::jsonl::{Lines, read_all};
use records::responses::ResponseFilter;
use records::run::{INSTANCES, RESPONSES, TRANSCRIPTS};
use records::{Captured, Error, Response, Score, Status};
use report::RunData;
use report::data::list_asked;
use serde_json::{Map, Value as Json, json};

use super::super::about::into_fields;
use super::super::folder::Folder;
use super::super::left_out::LeftOut;
use super::model::Model;
use super::record::{Place, SCHEMA};

pub(super) struct Samples<'a> {
    pub(super) run: &'a Path,
    pub(super) data: &'a RunData,
    pub(super) place: &'a Place,
    pub(super) model: &'a Model,
    /// Whether the expected answers are written.
    pub(super) keys: bool,
}

/// The written parts of an instance.
struct Asked {
    prompt: String,
    target: Vec<String>,
}

/// The written parts of a response.
#[derive(Default)]
struct Replied {
    reply: String,
    /// Whether the agent left files that the answer key reads.
    files: bool,
}

impl Samples<'_> {
    /// Writes the samples. Returns their number, and the SHA-256 of the file.
    pub(super) fn write_samples(
        &self,
        folder: &Folder,
        left: &mut LeftOut,
        stop: &AtomicBool,
    ) -> Result<(u64, String), Error> {
        let (asked, replied) = (self.read_asked()?, self.read_replied()?);
        let mut lines = folder.create_lines(&self.place.build_samples_path())?;
        let nothing = Replied::default();
        for score in &self.data.scores {
            let Some(asked) = asked.get(&score.id) else {
                let message =
                    format!("`{}` has no line for `{}`", disk::show_path(&self.run.join(INSTANCES)), score.id);
                return Err(Error::new_usage(message).help("was the run edited? run the bundle again"));
            };
            let replied = match replied.get(&(score.id.clone(), score.trial)) {
                Some(replied) => replied,
                None if score.status == Status::Missing => &nothing,
                None => {
                    let path = self.run.join(RESPONSES);
                    let message = format!("`{}` has no line for `{}`", disk::show_path(&path), score.id);
                    return Err(Error::new_usage(message).help("restore the file, or run the bundle again"));
                }
            };
            if replied.files {
                left.add_reason(&score.id, "the files that the agent left, for which Every Eval Ever has no place");
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Error::new_outside("interrupted, so nothing is written"));
            }
            lines.add_line(&self.build_sample(score, asked, replied)?)?;
        }
        Ok((self.data.scores.len() as u64, lines.finish_lines()?))
    }

    fn read_asked(&self) -> Result<BTreeMap<String, Asked>, Error> {
        let path = self.run.join(INSTANCES);
        let mut all = BTreeMap::new();
        for line in read_all::<Json>(&path)? {
            let text = |name: &str| line.get(name).and_then(Json::as_str).map(str::to_owned);
            let (Some(id), Some(prompt)) = (text("id"), text("input")) else {
                return Err(Error::new_usage(format!(
                    "a line of `{}` has no `id` or no `input`",
                    disk::show_path(&path)
                )));
            };
            let target = match line.get("target") {
                Some(Json::String(one)) => vec![one.clone()],
                Some(Json::Array(any)) => any.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            all.insert(id, Asked { prompt, target });
        }
        Ok(all)
    }

    /// Reads the responses that count.
    fn read_replied(&self) -> Result<BTreeMap<(String, u32), Replied>, Error> {
        let asked = list_asked(&self.data.scores);
        let mut counted = ResponseFilter::new(&asked, self.data.info.trials);
        let mut all = BTreeMap::new();
        let path = self.run.join(RESPONSES);
        if !path.exists() && self.data.scores.iter().all(|score| score.status == Status::Missing) {
            return Ok(all);
        }
        let mut lines = Lines::open_growing(&path)?;
        while let Some(response) = lines.next_value::<Response>() {
            let response = response?;
            if counted.register_line(&response.id, response.trial, response.status).is_some() {
                let files = response.files.iter().any(|(_, found)| *found != Captured::Absent);
                all.insert((response.id, response.trial), Replied { reply: response.reply, files });
            }
        }
        Ok(all)
    }

    fn build_sample(&self, score: &Score, asked: &Asked, replied: &Replied) -> Result<Json, Error> {
        let reference: &[String] = if self.keys { &asked.target } else { &[] };
        let messages = self.read_messages(score)?;
        let last = messages.iter().rposition(|message| message["role"] == "assistant");
        let (kind, at, source) = match last {
            Some(at) => ("agentic", at, format!("messages[{at}].content")),
            None => ("single_turn", 0, "output.raw".to_owned()),
        };
        let mut sample = json!({
            "schema_version": SCHEMA,
            "evaluation_id": self.place.id,
            "model_id": self.model.id(),
            "evaluation_name": self.data.info.bundle.suite,
            "evaluation_result_id": "accuracy",
            "sample_id": score.id,
            "sample_hash": hash_sha256(format!("{}{}", asked.prompt, reference.concat()).as_bytes()),
            "interaction_type": kind,
            "input": {"raw": asked.prompt, "reference": reference},
            "answer_attribution": [{
                "turn_idx": at,
                "source": source,
                "extracted_value": replied.reply,
                "extraction_method": "picardc",
                "is_terminal": true,
            }],
            "evaluation": build_evaluation(score),
            "performance": {"latency_ms": score.wall_ms},
            "metadata": self.build_metadata(score),
        });
        match last {
            Some(_) => sample["messages"] = messages.into(),
            None => sample["output"] = json!({"raw": [replied.reply]}),
        }
        if let (Some(read), Some(wrote)) = (score.prompt_tokens, score.completion_tokens) {
            sample["token_usage"] =
                json!({"input_tokens": read, "output_tokens": wrote, "total_tokens": read.saturating_add(wrote)});
        }
        if score.status != Status::Done {
            let why = score.error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
            sample["error"] = format!("{}{why}", score.status.word()).into();
        }
        Ok(sample)
    }

    /// Reads the transcript of a response, in the format of the schema; empty if it does not exist.
    fn read_messages(&self, score: &Score) -> Result<Vec<Json>, Error> {
        let path = self.run.join(TRANSCRIPTS).join(format!("{}.{}.jsonl", score.id, score.trial));
        if !path.exists() {
            return Ok(Vec::new());
        }
        let messages = read_all::<Json>(&path)?;
        Ok(messages.iter().enumerate().map(|(turn, message)| convert_message(turn, message)).collect())
    }

    /// Builds the fields that the schema lacks. Differences and traps reveal the expected answer, so they are written only with the keys.
    fn build_metadata(&self, score: &Score) -> Json {
        let verdicts: Vec<Json> = score
            .verdicts
            .iter()
            .map(|verdict| {
                let mut fields = into_fields(serde_json::to_value(verdict).unwrap_or_default());
                if !self.keys {
                    fields.shift_remove("differences");
                    fields.shift_remove("trap");
                }
                Json::Object(fields)
            })
            .collect();
        let axis: Map<String, Json> =
            score.axis.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        json!({
            "bundle_sha256": self.data.info.bundle.sha256,
            "task": score.task,
            "variant": score.variant,
            "axis": axis,
            "sample": score.sample,
            "trial": score.trial,
            "tags": score.tags,
            "status": score.status.word(),
            "verdicts": verdicts,
        })
    }
}

fn build_evaluation(score: &Score) -> Json {
    let mut evaluation = json!({"score": score.score, "is_correct": score.correct});
    // The schema requires at least one turn.
    if let Some(rounds) = score.rounds.filter(|rounds| *rounds > 0) {
        evaluation["num_turns"] = rounds.into();
    }
    if let Some(calls) = score.tool_calls {
        evaluation["tool_calls_count"] = calls.into();
    }
    evaluation
}

/// Converts a message of a transcript, which has the format of chat endpoints.
fn convert_message(turn: usize, message: &Json) -> Json {
    let content = match message.get("content") {
        None | Some(Json::Null) => Json::Null,
        Some(Json::String(text)) => text.clone().into(),
        Some(other) => other.to_string().into(),
    };
    let role = message.get("role").and_then(Json::as_str).unwrap_or("unknown");
    let mut out = json!({"turn_idx": turn, "role": role, "content": content});
    if let Some(calls) = message.get("tool_calls").and_then(Json::as_array) {
        out["tool_calls"] = calls.iter().enumerate().map(convert_call).collect();
    }
    if let Some(id) = message.get("tool_call_id").and_then(Json::as_str) {
        out["tool_call_id"] = json!([id]);
    }
    out
}

/// Converts a tool call. Arguments must be an object: others become its field `value`, or `text` if they are not JSON.
fn convert_call((number, call): (usize, &Json)) -> Json {
    let function = call.get("function").unwrap_or(call);
    let text = |json: &Json, name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
    let arguments = match function.get("arguments") {
        Some(Json::String(text)) => serde_json::from_str(text).unwrap_or_else(|_| json!({"text": text})),
        Some(other) => other.clone(),
        None => json!({}),
    };
    let arguments = if arguments.is_object() { arguments } else { json!({"value": arguments}) };
    json!({
        "id": text(call, "id").unwrap_or_else(|| number.to_string()),
        "name": text(function, "name").unwrap_or_else(|| "unknown".to_owned()),
        "arguments": arguments,
    })
}
