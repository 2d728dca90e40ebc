//! Assembles an assistant message from a stream of server-sent events.

use records::Money;
use serde_json::Value as Json;

use crate::agent::Question;
use crate::http::{Lines, RequestError, extract_error_message};
use crate::secrets::{Kind, Secrets};

/// The maximum number of tool calls in one message.
const MAX_CALLS: usize = 1_000;

/// The maximum size of a message's text, and of a call's name and arguments, in bytes.
const MAX_TEXT: usize = 16 << 20;

/// A message of the assistant.
#[derive(Debug, Default, PartialEq)]
pub struct Message {
    pub content: String,
    pub calls: Vec<Call>,
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
    /// The server's own figure: OpenRouter reports it, and LiteLLM if configured so.
    pub cost: Option<Money>,
    /// Whether the server marked the end of the message.
    ended: bool,
}

/// A call of a tool.
#[derive(Debug, Default, PartialEq)]
pub struct Call {
    pub id: String,
    pub name: String,
    /// JSON, exactly as the model wrote it.
    pub arguments: String,
    /// The index of the call in the stream.
    index: u64,
}

/// Reads a whole message. A stream that ends without an end mark was cut off, which is an error. Secrets in the text of an error are masked.
pub fn read_message(lines: &Lines, question: &Question, secrets: &Secrets) -> Result<Message, RequestError> {
    let mut message = Message::default();
    let mut whole = String::new();
    while let Some(line) = lines.next(question)? {
        if !whole.is_empty() || line.trim_start().starts_with('{') {
            // A server that does not stream sends one object.
            whole.push_str(&line);
            whole.push('\n');
        } else if let Some(data) = line.strip_prefix("data:") {
            let data = data.trim();
            if data == "[DONE]" {
                message.ended = true;
                break;
            }
            if !data.is_empty() {
                message.add_chunk(&parse_json(data, secrets)?, "delta", secrets)?;
            }
        }
    }
    if !whole.is_empty() {
        message.add_chunk(&parse_json(&whole, secrets)?, "message", secrets)?;
    }
    if !message.ended {
        return Err(RequestError::Again("the server's stream broke off before its end".to_owned(), None));
    }
    for (number, call) in message.calls.iter_mut().enumerate().filter(|(_, call)| call.id.is_empty()) {
        call.id = format!("call_{number}");
    }
    Ok(message)
}

fn parse_json(data: &str, secrets: &Secrets) -> Result<Json, RequestError> {
    model::json::parse_lenient(data.as_bytes()).map_err(|_| RequestError::new_broken("no JSON", data, secrets))
}

impl Message {
    fn add_chunk(&mut self, chunk: &Json, part: &str, secrets: &Secrets) -> Result<(), RequestError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(RequestError::Again(
                format!(
                    "the server's stream ended with an error: {}",
                    extract_error_message(&error.to_string(), secrets)
                ),
                None,
            ));
        }
        if let Some(usage) = chunk.get("usage") {
            let tokens = |field: &str| usage.get(field).and_then(Json::as_u64);
            self.prompt_tokens = tokens("prompt_tokens").or(self.prompt_tokens);
            self.completion_tokens = tokens("completion_tokens").or(self.completion_tokens);
            self.cost = usage.get("cost").and_then(Money::from_json).or(self.cost);
        }
        let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else { return Ok(()) };
        self.ended |= choice.get("finish_reason").is_some_and(Json::is_string);
        let Some(delta) = choice.get(part) else { return Ok(()) };
        self.content.push_str(delta.get("content").and_then(Json::as_str).unwrap_or_default());
        let calls = delta.get("tool_calls").and_then(Json::as_array);
        for (number, piece) in (0..).zip(calls.into_iter().flatten()) {
            self.add_call_piece(piece, number);
            if self.calls.len() > MAX_CALLS {
                return Err(RequestError::Lasting(format!(
                    "the server sent more than {MAX_CALLS} calls of tools in one message"
                )));
            }
        }
        let longest =
            self.calls.iter().map(|call| call.name.len() + call.arguments.len()).fold(self.content.len(), usize::max);
        if longest > MAX_TEXT {
            return Err(RequestError::Lasting(format!("the server sent a text of more than {MAX_TEXT} bytes")));
        }
        Ok(())
    }

    /// Masks the secrets that a server sends back. Returns the number of masked places. Pieces of a text have been joined before.
    pub fn mask_secrets(&mut self, secrets: &Secrets) -> u32 {
        let of_calls = self.calls.iter_mut().flat_map(|call| [&mut call.id, &mut call.name, &mut call.arguments]);
        std::iter::once(&mut self.content).chain(of_calls).map(|text| secrets.mask_string(text, Kind::Said)).sum()
    }

    /// Adds a piece to the last call with its index, or starts a new call if the piece has another id: some servers number every call 0.
    fn add_call_piece(&mut self, piece: &Json, number: u64) {
        let text = |json: Option<&Json>| json.and_then(Json::as_str).unwrap_or_default().to_owned();
        let index = piece.get("index").and_then(Json::as_u64).unwrap_or(number);
        let id = text(piece.get("id"));
        let function = piece.get("function");
        let known = self
            .calls
            .iter()
            .rposition(|call| call.index == index && (id.is_empty() || call.id.is_empty() || call.id == id));
        let at = known.unwrap_or_else(|| {
            self.calls.push(Call { index, ..Call::default() });
            self.calls.len() - 1
        });
        if let Some(call) = self.calls.get_mut(at) {
            if call.id.is_empty() {
                call.id = id;
            }
            call.name.push_str(&text(function.and_then(|function| function.get("name"))));
            call.arguments.push_str(&text(function.and_then(|function| function.get("arguments"))));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chunk(delta: Json) -> Json {
        json!({"choices": [{"delta": delta}]})
    }

    #[test]
    fn pieces_become_a_message() {
        let mut message = Message::default();
        for delta in [
            json!({"role": "assistant", "content": "Let me "}),
            json!({"content": "look."}),
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "read_file", "arguments": ""}}]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"path\":"}}]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"x\"}"}}]}),
            json!({"tool_calls": [{"index": 0, "id": "b", "function": {"name": "list_files", "arguments": "{}"}}]}),
        ] {
            message.add_chunk(&chunk(delta), "delta", &Secrets::default()).expect("a chunk");
        }
        assert!(!message.ended);
        message
            .add_chunk(
                &json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
                "delta",
                &Secrets::default(),
            )
            .expect("a chunk");
        message
            .add_chunk(
                &json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}),
                "delta",
                &Secrets::default(),
            )
            .expect("usage");
        assert!(message.ended);
        assert_eq!(message.content, "Let me look.");
        let calls: Vec<(&str, &str, &str)> =
            message.calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments)).collect();
        assert_eq!(calls, [("a", "read_file", "{\"path\":\"x\"}"), ("b", "list_files", "{}")]);
        assert_eq!((message.prompt_tokens, message.completion_tokens), (Some(7), Some(3)));
    }

    #[test]
    fn errors_in_the_stream_are_worth_another_attempt() {
        let error = Message::default()
            .add_chunk(&json!({"error": {"message": "overloaded"}}), "delta", &Secrets::default())
            .expect_err("an error");
        assert_eq!(error, RequestError::Again("the server's stream ended with an error: overloaded".into(), None));
    }
}
