//! `picard:`: a server with the protocol of PICARD's agentic server. It has its own tools, and works in its own folder.
//!
//! The question is one POST; the answer is a stream of JSON lines: pieces of the assistant's messages (`chunk`), their ends (`done`), and calls
//! of tools (`tool_call`). The last message is the reply.

use records::run::LimitEnforcement;
use records::{Parameters, Status};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, Answer, Attempt, Question};
use crate::http::{Client, RequestError, extract_error_message};
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
    secrets: Secrets,
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
        let secrets = Secrets::from_settings(settings, Some(url));
        Picard { client: Client::new(), url: url.to_owned(), asked, fixed_sandbox: *fixed_sandbox, secrets }
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
        match self.exchange_messages(question, &mut answer) {
            Ok(status) => {
                answer.response.status = status;
                Attempt::Over(answer)
            }
            Err(fault) => fault.into_attempt(answer, question),
        }
    }

    fn tool_enforcement(&self) -> Option<LimitEnforcement> {
        Some(LimitEnforcement::Ignored)
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        let asked = |name: &str| self.asked.get(name).cloned().unwrap_or_default();
        parameters.set("temperature", asked("temperature"));
        parameters.set("max_tokens", asked(MAX_TOKENS));
        let further = self.asked.iter().filter(|(name, _)| !["temperature", MAX_TOKENS].contains(&name.as_str()));
        parameters.set("request", further.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>());
        parameters.set("query", mask_query(&self.url).map_or(Json::Null, Json::String));
        parameters
    }

    fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    fn default_concurrency(&self) -> usize {
        1
    }
}

impl Picard {
    fn exchange_messages(&self, question: &Question, answer: &mut Answer) -> Result<Status, RequestError> {
        let mut body = json!({"messages": [{"role": "user", "content": question.instance.prompt}]});
        if let Some(object) = body.as_object_mut() {
            object.extend(self.asked.clone());
        }
        let lines = self.client.post_json(&self.url, None, &body, &self.secrets, question);
        answer.response.rounds = Some(0);
        answer.response.tool_calls = Some(0);
        let mut message = String::new();
        while let Some(line) = lines.next(question)? {
            if line.trim().is_empty() {
                continue;
            }
            match parse_event(&line, &self.secrets)? {
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
    let broken = |why: &str| {
        RequestError::Again(
            format!("the server's stream is broken: {why}: {}", extract_error_message(line, secrets)),
            None,
        )
    };
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
