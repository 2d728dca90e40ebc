//! Messages of a chat endpoint, as it streams them.

use serde_json::{Value as Json, json};

use super::server::Request;

/// An event of the stream.
pub fn event(chunk: &Json) -> String {
    format!("data: {chunk}\n\n")
}

/// A piece of a message.
pub fn delta(delta: Json) -> String {
    event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

/// A final message, in pieces.
pub fn says(text: &str) -> Vec<String> {
    let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (a, b) = text.split_at(middle);
    vec![
        ": a comment\n\n".to_owned(),
        delta(json!({"role": "assistant", "content": a})),
        delta(json!({"content": b})),
        event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})),
        usage(10, 2),
        "data: [DONE]\n\n".to_owned(),
    ]
}

/// Calls of tools, their arguments in pieces.
pub fn calls(calls: &[(&str, Json)]) -> Vec<String> {
    let mut pieces = Vec::new();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let arguments = arguments.to_string();
        let middle = (0..=arguments.len() / 2).rev().find(|at| arguments.is_char_boundary(*at)).unwrap_or(0);
        let (a, b) = arguments.split_at(middle);
        pieces.push(delta(json!({"tool_calls": [
            {"index": index, "id": format!("c{index}"), "type": "function", "function": {"name": name, "arguments": a}}]})));
        pieces.push(delta(json!({"tool_calls": [{"index": index, "function": {"arguments": b}}]})));
    }
    pieces.push(event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})));
    pieces.push("data: [DONE]\n\n".to_owned());
    pieces
}

/// How many tokens a request took.
pub fn usage(prompt: u64, completion: u64) -> String {
    event(&json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}))
}

/// The messages of a request.
pub fn messages(request: &Request) -> Vec<Json> {
    request.body["messages"].as_array().expect("messages").clone()
}

/// What the tools said to the calls so far.
pub fn results(request: &Request) -> Vec<String> {
    let tools = messages(request).into_iter().filter(|message| message["role"] == "tool");
    tools.map(|message| message["content"].as_str().expect("a text").to_owned()).collect()
}
