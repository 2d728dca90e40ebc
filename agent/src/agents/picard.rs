//! `picard:`: a server that speaks the protocol of PICARD's agentic server: it has tools of its own, and works in a folder of its own.
//!
//! The question is one POST; the answer is a stream of JSON lines: pieces of the assistant's messages (`chunk`), their ends (`done`), and calls
//! of tools (`tool_call`). The last message is the reply.

use records::Status;
use records::run::Held;
use serde_json::{Value as Json, json};

use crate::agent::{Agent, Answer, Attempt, Question};
use crate::http::{Client, Fault, words};

/// The temperature that PICARD asks for.
const TEMPERATURE: f64 = 0.4;

/// The most tokens that PICARD asks for.
const TOKENS: u32 = 4000;

/// A server.
#[derive(Debug)]
pub struct Picard {
    client: Client,
    url: String,
    temperature: f64,
    fixed_sandbox: bool,
}

impl Picard {
    /// `fixed_sandbox` says that sandboxes are all in the folder where the server works.
    pub fn new(url: &str, temperature: Option<f64>, fixed_sandbox: bool) -> Picard {
        let temperature = temperature.unwrap_or(TEMPERATURE);
        Picard { client: Client::new(), url: url.to_owned(), temperature, fixed_sandbox }
    }
}

impl Agent for Picard {
    fn answer(&self, question: &Question) -> Attempt {
        let mut answer = Answer::asked(&question.instance.prompt);
        if !self.fixed_sandbox && needs_files(question) {
            let why =
                "the instance has files, and the server works in a folder of its own: give that folder with --sandbox";
            return Attempt::Over(answer.ended(Status::Failed, why));
        }
        match self.exchange(question, &mut answer) {
            Ok(status) => {
                answer.response.status = status;
                Attempt::Over(answer)
            }
            Err(fault) => fault.attempt(answer, question),
        }
    }

    fn tools(&self) -> Option<Held> {
        Some(Held::Ignored)
    }

    fn concurrency(&self) -> usize {
        1
    }
}

impl Picard {
    fn exchange(&self, question: &Question, answer: &mut Answer) -> Result<Status, Fault> {
        let body = json!({
            "messages": [{"role": "user", "content": question.instance.prompt}],
            "temperature": self.temperature,
            "max_output_tokens": TOKENS,
        });
        let lines = self.client.post(&self.url, None, &body, question);
        answer.response.rounds = Some(0);
        answer.response.tool_calls = Some(0);
        let mut message = String::new();
        while let Some(line) = lines.next(question)? {
            if line.trim().is_empty() {
                continue;
            }
            match event(&line)? {
                Event::Piece(text) => message.push_str(&text),
                Event::Done => {
                    end(answer, std::mem::take(&mut message));
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
        // A last message without its `done` is a message all the same.
        end(answer, message);
        if answer.response.rounds == Some(0) {
            return Err(Fault::Lasting("the server's stream held no message".to_owned()));
        }
        Ok(Status::Done)
    }
}

/// The assistant's message is over.
fn end(answer: &mut Answer, message: String) {
    if message.trim().is_empty() {
        return;
    }
    answer.response.rounds = answer.response.rounds.map(|rounds| rounds.saturating_add(1));
    answer.transcript.push(json!({"role": "assistant", "content": message}));
    answer.response.reply = message;
}

fn needs_files(question: &Question) -> bool {
    let instance = question.instance;
    !instance.files.is_empty() || !instance.folders.is_empty() || !instance.key_paths().is_empty()
}

/// One line of the stream.
#[derive(Debug, PartialEq)]
enum Event {
    Piece(String),
    Done,
    Tool(Json),
    Other,
}

/// # Errors
/// A line that is not an event of the protocol means that the stream is broken, which may be temporary.
fn event(line: &str) -> Result<Event, Fault> {
    let broken = |why: &str| Fault::Again(format!("the server's stream is broken: {why}: {}", words(line)), None);
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
