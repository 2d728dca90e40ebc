//! `openai:`: a chat endpoint with picardc's tools. The model calls tools and gets their results until it answers without a call.

mod stream;

use model::tools::Tool;
use records::run::LimitEnforcement;
use records::{Money, Parameters, Price, Status};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, Answer, Attempt, Question, State};
use crate::http::{Client, RequestError};
use crate::secrets::{Secrets, mask_query};
use crate::settings::Settings;
use stream::{Call, Message};

use crate::tools::{self, Tools};

/// The default system prompt.
const SYSTEM: &str = "You are in a folder of files. Use the tools to look at it and to change it; every path is relative to this folder. \
                      When you are done, answer without calling a tool: your last message is your reply.";

/// The default system prompt for an instance without tools.
const SYSTEM_ALONE: &str = "Answer the question. Your message is your reply.";

/// The maximum size of the arguments and results of all tool calls, in bytes: they are sent again in every round.
const CONVERSATION: usize = 32 << 20;

/// The default number of instances that are asked in parallel: the work is the server's.
const CONCURRENCY: usize = 8;

/// A chat endpoint with a model.
pub struct OpenAi {
    client: Client,
    url: String,
    model: String,
    key: Option<String>,
    /// The parameters of each request besides the messages and the tools.
    asked: Map<String, Json>,
    /// Replaces the default system prompt.
    system: Option<String>,
    price: Option<Price>,
    secrets: Secrets,
}

impl OpenAi {
    /// Creates the agent. `url` may end with `/chat/completions`, or have a query; otherwise `/chat/completions` is added.
    pub fn new(url: &str, model: &str, settings: &Settings) -> OpenAi {
        let secrets = Secrets::from_settings(settings, Some(url));
        let url = url.trim_end_matches('/');
        let whole = url.contains('?') || url.ends_with("/chat/completions");
        let url = if whole { url.to_owned() } else { format!("{url}/chat/completions") };
        let Settings { api_key, system, price, .. } = settings;
        let (key, system) = (api_key.clone(), system.clone());
        let asked = build_request_options(settings);
        OpenAi { client: Client::new(), url, model: model.to_owned(), key, asked, system, price: *price, secrets }
    }

    fn build_body(&self, messages: &[Json], offered: &[Tool]) -> Json {
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        if let Some(object) = body.as_object_mut() {
            // Endpoints refuse an empty list.
            if !offered.is_empty() {
                object.insert("tools".to_owned(), offered.iter().map(|tool| describe_tool(*tool)).collect());
            }
            object.extend(self.asked.clone());
        }
        body
    }

    /// Returns the system prompt; it may be empty. `default` is the one for this selection of tools.
    fn system_prompt<'a>(&'a self, default: &'a str) -> &'a str {
        self.system.as_deref().unwrap_or(default)
    }

    /// Returns the cost of a message: the server's own figure, or else the price of its tokens. `None` if neither is known.
    fn compute_cost(&self, message: &Message) -> Option<Money> {
        message.cost.or_else(|| self.price?.compute_cost(message.prompt_tokens?, message.completion_tokens?))
    }

    /// Runs the conversation. Everything is recorded in `answer` at once, so it is kept if an error follows.
    fn run_conversation(&self, question: &Question, answer: &mut Answer) -> Result<Status, RequestError> {
        let instance = question.instance;
        let time = (question.began, question.timeout);
        let mut tools = Tools::new(question.sandbox, time, tools::list_offered(instance), instance.calls);
        let secrets = self.secrets.exclude_known(instance);
        let mut messages = Vec::new();
        let system = self.system_prompt(if tools.offered().is_empty() { SYSTEM_ALONE } else { SYSTEM });
        if !system.is_empty() {
            messages.push(json!({"role": "system", "content": system}));
        }
        messages.push(json!({"role": "user", "content": question.instance.prompt}));
        let (mut rounds, mut size) = (0, 0);
        // The cost of the whole conversation; unknown as soon as that of one message is.
        let mut cost = Some(Money::NOTHING);
        loop {
            let body = self.build_body(&messages, tools.offered());
            let lines = self.client.post_json(&self.url, self.key.as_deref(), &body, &self.secrets, question);
            let mut message = stream::read_message(&lines, question, &self.secrets)?;
            let masked = message.mask_secrets(&secrets);
            if masked > 0 {
                *answer.response.masked.get_or_insert(0) += masked;
            }
            rounds += 1;
            let said = to_assistant_message(&message);
            answer.transcript.push(said.clone());
            record_message(answer, &message, rounds);
            cost = cost.zip(self.compute_cost(&message)).and_then(|(sum, one)| sum.checked_add(one));
            answer.response.cost = cost;
            if message.calls.is_empty() {
                return Ok(Status::Done);
            }
            if rounds >= question.max_rounds {
                return Ok(Status::MaxRounds);
            }
            messages.push(said);
            for call in &message.calls {
                match question.state() {
                    State::Open => {}
                    State::TimeUp => return Err(RequestError::TimeUp),
                    State::Stopped => return Err(RequestError::Stopped),
                }
                let result = tools.call_tool(&call.name, &call.arguments).text;
                size += result.len() + call.arguments.len();
                if size > CONVERSATION {
                    return Err(RequestError::Lasting(format!(
                        "calls of tools and their results came to more than {CONVERSATION} bytes"
                    )));
                }
                answer.response.tool_calls = Some(tools.calls);
                answer.response.sql_retries = Some(tools.sql_retries);
                answer.response.first_tool_ms = tools.first_ms;
                answer.response.first_sql_ms = tools.first_sql_ms;
                let result = json!({"role": "tool", "tool_call_id": call.id, "content": result});
                answer.transcript.push(result.clone());
                messages.push(result);
            }
        }
    }
}

impl Agent for OpenAi {
    fn answer_question(&self, question: &Question) -> Attempt {
        let mut answer = Answer::from_prompt(&question.instance.prompt);
        answer.response.tool_calls = Some(0);
        answer.response.sql_retries = Some(0);
        match self.run_conversation(question, &mut answer) {
            Ok(status) => {
                answer.response.status = status;
                Attempt::Over(answer)
            }
            Err(fault) => fault.into_attempt(answer, question),
        }
    }

    fn default_concurrency(&self) -> usize {
        CONCURRENCY
    }

    fn tool_enforcement(&self) -> Option<LimitEnforcement> {
        Some(LimitEnforcement::Enforced)
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        for name in OWN {
            parameters.set(name, self.asked.get(name).cloned().unwrap_or_default());
        }
        let further = self.asked.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
        parameters.set("request", further.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>());
        let system =
            json!({"with_tools": self.system_prompt(SYSTEM), "without_tools": self.system_prompt(SYSTEM_ALONE)});
        parameters.set("system", system);
        let offered: Json = Tool::ALL.iter().map(|tool| describe_tool(*tool)).collect();
        parameters.set("tools", disk::digest::hash_sha256(offered.to_string().as_bytes()));
        parameters.set("query", mask_query(&self.url).map_or(Json::Null, Json::String));
        parameters
    }

    fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    fn can_only_read_links(&self) -> bool {
        // Its tools do not write to lakes.
        true
    }
}

/// Parameters of a request that picardc itself sets.
pub const OURS: [&str; 6] = ["model", "messages", "n", "stream", "stream_options", "tools"];

/// Parameters of a request that have their own options on the command line.
const OWN: [&str; 4] = ["temperature", "top_p", "max_tokens", "seed"];

/// Returns the parameters of a request besides the messages and the tools.
fn build_request_options(settings: &Settings) -> Map<String, Json> {
    let Settings { temperature, top_p, max_tokens, model_seed, request, .. } = settings;
    let own = [
        ("temperature", temperature.map(|number| json!(number))),
        ("top_p", top_p.map(|number| json!(number))),
        ("max_tokens", max_tokens.map(|number| json!(number))),
        ("seed", model_seed.map(|number| json!(number))),
    ];
    let own = own.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    own.chain(request.clone()).collect()
}

fn record_message(answer: &mut Answer, message: &Message, rounds: u32) {
    let response = &mut answer.response;
    response.rounds = Some(rounds);
    response.reply.clone_from(&message.content);
    for (sum, tokens) in [
        (&mut response.prompt_tokens, message.prompt_tokens),
        (&mut response.completion_tokens, message.completion_tokens),
    ] {
        if let Some(tokens) = tokens {
            *sum = Some(sum.unwrap_or_default().saturating_add(tokens));
        }
    }
}

/// Returns the description of a tool in the form of chat endpoints.
fn describe_tool(tool: Tool) -> Json {
    json!({"type": "function", "function": {
        "name": tool.word(), "description": tool.record().description, "parameters": tools::build_tool_schema(tool),
    }})
}

/// Returns the message in the form in which it is sent back.
fn to_assistant_message(message: &Message) -> Json {
    let mut said = json!({"role": "assistant", "content": message.content});
    if let (false, Some(object)) = (message.calls.is_empty(), said.as_object_mut()) {
        let call = |call: &Call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}});
        object.insert("tool_calls".to_owned(), message.calls.iter().map(call).collect());
    }
    said
}
