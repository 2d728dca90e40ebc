//! `openai:`: a chat endpoint with picardc's tools. The model calls tools and gets their results until it answers without a call.

mod stream;

use model::tools::Tool;
use records::run::LimitEnforcement;
use records::{Money, Parameters, Price, Status};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, Answer, Attempt, Profile, Question};
use crate::http::{Client, RequestError, check_open, end_answer};
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
    profile: Profile,
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
        let profile = Profile {
            tool_enforcement: Some(LimitEnforcement::Enforced),
            parameters: collect_parameters(&url, &asked, system.as_deref()),
            secrets,
            // Its tools do not write to lakes.
            can_only_read_links: true,
            concurrency: CONCURRENCY,
            ..Profile::default()
        };
        OpenAi { client: Client::new(), url, model: model.to_owned(), key, asked, system, price: *price, profile }
    }

    fn build_body(&self, messages: &[Json], offered: &[Tool]) -> Json {
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        // Endpoints refuse an empty list.
        if !offered.is_empty() {
            body["tools"] = offered.iter().map(|tool| describe_tool(*tool)).collect();
        }
        for (name, value) in &self.asked {
            body[name] = value.clone();
        }
        body
    }

    fn compute_cost(&self, message: &Message) -> Option<Money> {
        message.cost.or_else(|| self.price?.compute_cost(message.prompt_tokens?, message.completion_tokens?))
    }

    /// Runs the conversation. Everything is recorded in `answer` at once, so it is kept if an error follows.
    fn run_conversation(&self, question: &Question, answer: &mut Answer) -> Result<Status, RequestError> {
        let instance = question.instance;
        let offered = tools::list_offered(instance);
        let mut tools = Tools::new(question.sandbox, question.began, question.timeout, offered, instance.calls);
        let secrets = self.profile.secrets.exclude_known(instance);
        let mut messages = Vec::new();
        let default = if tools.offered().is_empty() { SYSTEM_ALONE } else { SYSTEM };
        // It may be empty.
        let system = self.system.as_deref().unwrap_or(default);
        if !system.is_empty() {
            messages.push(json!({"role": "system", "content": system}));
        }
        messages.push(json!({"role": "user", "content": question.instance.prompt}));
        let (mut rounds, mut size) = (0, 0);
        // The cost of the whole conversation; unknown as soon as that of one message is.
        let mut cost = Some(Money::NOTHING);
        loop {
            let body = self.build_body(&messages, tools.offered());
            let lines = self.client.post_json(&self.url, self.key.as_deref(), &body, &self.profile.secrets, question);
            let mut message = stream::read_message(&lines, question, &self.profile.secrets)?;
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
                check_open(question)?;
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
        let ended = self.run_conversation(question, &mut answer);
        end_answer(answer, ended, question)
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }
}

fn collect_parameters(url: &str, asked: &Map<String, Json>, system: Option<&str>) -> Parameters {
    let mut parameters = Parameters::default();
    for name in OWN {
        parameters.set(name, asked.get(name).cloned().unwrap_or_default());
    }
    parameters.set("request", exclude_names(asked, &OWN));
    let (with_tools, without_tools) = (system.unwrap_or(SYSTEM), system.unwrap_or(SYSTEM_ALONE));
    parameters.set("system", json!({"with_tools": with_tools, "without_tools": without_tools}));
    let offered: Json = Tool::ALL.iter().map(|tool| describe_tool(*tool)).collect();
    parameters.set("tools", disk::digest::hash_sha256(offered.to_string().as_bytes()));
    parameters.set("query", mask_query(url).map_or(Json::Null, Json::String));
    parameters
}

/// Returns the parameters of a request that do not have one of these names.
pub fn exclude_names(asked: &Map<String, Json>, own: &[&str]) -> Map<String, Json> {
    let further = asked.iter().filter(|(name, _)| !own.contains(&name.as_str()));
    further.map(|(name, value)| (name.clone(), value.clone())).collect()
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
    if !message.calls.is_empty() {
        let call = |call: &Call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}});
        said["tool_calls"] = message.calls.iter().map(call).collect();
    }
    said
}
