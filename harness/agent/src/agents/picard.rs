//! `picard:`: a server with the protocol of PICARD's agentic server. It has its own tools, and works in its own folder.
//!
//! The question is one POST; the answer is a stream of JSON lines: pieces of the assistant's messages (`chunk`), their ends (`done`), and calls
//! of tools (`tool_call`). The last message is the reply.

use records::run::LimitEnforcement;
use records::{Parameters, Status};
use serde_json::{Map, Value as Json, json};

use super::openai::exclude_names;
use crate::agent::{Agent, Answer, Attempt, Profile, Question};
use crate::http::{Client, RequestError, end_answer};
use crate::secrets::{Secrets, mask_query};
use crate::settings::Settings;

/// PICARD's default temperature.
const TEMPERATURE: f64 = 0.4;

/// PICARD's default maximum number of tokens.
const TOKENS: u64 = 4000;

/// A server with PICARD's protocol.
#[derive(Debug)]
pub struct Picard {
    client: Client,
    url: String,
    /// The parameters of each request besides the message.
    asked: Map<String, Json>,
    fixed_sandbox: bool,
    profile: Profile,
}

/// PICARD's name for the maximum number of tokens of a message.
const MAX_TOKENS: &str = "max_output_tokens";

/// Parameters of a request that picardc itself sets.
pub const OURS: [&str; 1] = ["messages"];

impl Picard {
    /// Creates the agent. `settings` says whether all sandboxes are the folder in which the server works.
    pub fn new(url: &str, settings: &Settings) -> Picard {
        let Settings { temperature, max_tokens, request, fixed_sandbox, .. } = settings;
        let mut asked = Map::new();
        asked.insert("temperature".to_owned(), json!(temperature.unwrap_or(TEMPERATURE)));
        asked.insert(MAX_TOKENS.to_owned(), json!(max_tokens.unwrap_or(TOKENS)));
        asked.extend(request.clone());
        let profile = Profile {
            tool_enforcement: Some(LimitEnforcement::Ignored),
            parameters: collect_parameters(url, &asked),
            secrets: Secrets::from_settings(settings, Some(url)),
            concurrency: 1,
            ..Profile::default()
        };
        Picard { client: Client::new(), url: url.to_owned(), asked, fixed_sandbox: *fixed_sandbox, profile }
    }
}

impl Agent for Picard {
    fn answer_question(&self, question: &Question) -> Attempt {
        let mut answer = Answer::from_prompt(&question.instance.prompt);
        if !self.fixed_sandbox && must_have_files(question) {
            let why =
                "the instance has files, and the server works in a folder of its own: give that folder with --sandbox";
            return Attempt::Over(answer.end_with_status(Status::Failed, why));
        }
        let ended = self.exchange_messages(question, &mut answer);
        end_answer(answer, ended, question)
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }
}

fn collect_parameters(url: &str, asked: &Map<String, Json>) -> Parameters {
    let mut parameters = Parameters::default();
    for (name, asked_as) in [("temperature", "temperature"), ("max_tokens", MAX_TOKENS)] {
        parameters.set(name, asked.get(asked_as).cloned().unwrap_or_default());
    }
    parameters.set("request", exclude_names(asked, &["temperature", MAX_TOKENS]));
    parameters.set("query", mask_query(url).map_or(Json::Null, Json::String));
    parameters
}

impl Picard {
    fn exchange_messages(&self, question: &Question, answer: &mut Answer) -> Result<Status, RequestError> {
        let mut body = json!({"messages": [{"role": "user", "content": question.instance.prompt}]});
        for (name, value) in &self.asked {
            body[name] = value.clone();
        }
        let lines = self.client.post_json(&self.url, None, &body, &self.profile.secrets, question);
        answer.response.rounds = Some(0);
        answer.response.tool_calls = Some(0);
        let mut message = String::new();
        while let Some(line) = lines.next(question)? {
            if line.trim().is_empty() {
                continue;
            }
            match parse_event(&line, &self.profile.secrets)? {
                Event::Piece(text) => message.push_str(&text),
                Event::Done => {
                    finish_message(answer, std::mem::take(&mut message));
                    if answer.response.rounds >= Some(question.max_rounds) {
                        return Ok(Status::MaxRounds);
                    }
                }
                Event::Tool(content) => {
                    let elapsed = question.elapsed_ms();
                    answer.response.first_tool_ms.get_or_insert(elapsed);
                    answer.response.tool_calls = answer.response.tool_calls.map(|calls| calls.saturating_add(1));
                    answer.transcript.push(json!({"role": "tool_call", "content": content}));
                }
                Event::Other => {}
            }
        }
        // A last message without its `done` counts, too.
        finish_message(answer, message);
        if answer.response.rounds == Some(0) {
            return Err(RequestError::Lasting("the server's stream held no message".to_owned()));
        }
        Ok(Status::Done)
    }
}

/// Adds a complete message of the assistant to the answer.
fn finish_message(answer: &mut Answer, message: String) {
    if message.trim().is_empty() {
        return;
    }
    answer.response.rounds = answer.response.rounds.map(|rounds| rounds.saturating_add(1));
    answer.transcript.push(json!({"role": "assistant", "content": message}));
    answer.response.reply = message;
}

fn must_have_files(question: &Question) -> bool {
    let instance = question.instance;
    !instance.files.is_empty() || !instance.folders.is_empty() || !instance.list_key_paths().is_empty()
}

/// An event of the stream: one line.
#[derive(Debug, PartialEq)]
enum Event {
    Piece(String),
    Done,
    Tool(Json),
    Other,
}

/// Parses one line of the stream.
///
/// # Errors
/// The line is not an event of the protocol: the stream is broken, which may be temporary.
fn parse_event(line: &str, secrets: &Secrets) -> Result<Event, RequestError> {
    let broken = |why| RequestError::new_broken(why, line, secrets);
    let json: Json = serde_json::from_str(line).map_err(|_| broken("no JSON"))?;
    let text = |field: &str| json.get(field).and_then(Json::as_str);
    let role = text("role").ok_or_else(|| broken("no `role`"))?;
    Ok(match (role, text("type")) {
        ("assistant", Some("chunk")) => {
            Event::Piece(text("content").ok_or_else(|| broken("a chunk without `content`"))?.to_owned())
        }
        ("assistant", Some("done")) => Event::Done,
        ("tool_call", _) => Event::Tool(json.get("content").cloned().unwrap_or_default()),
        _ => Event::Other,
    })
}
