//! Keys as bundles write them, and what the scorer says of replies.

use std::collections::BTreeMap;

use records::{Captured, Instance, Response, Score, Verdict};
use score::score_response;
use serde_json::{Value as Json, json};

/// The rules that the tests ask: the newest.
pub const SCORER: u32 = model::Scorer::CURRENT.number();

pub type Files = BTreeMap<String, Vec<u8>>;

/// An instance with this answer key: a list of `expect`s, or one.
pub fn instance(expect: &Json) -> Instance {
    instance_of(expect, u64::from(SCORER))
}

/// The same of a bundle that was made with this scorer.
pub fn instance_of(expect: &Json, scorer: u64) -> Instance {
    let expects = if expect.is_array() { expect.clone() } else { json!([expect]) };
    let line = json!({
        "id": "task-1", "input": "?", "target": "", "files": {},
        "metadata": {"picard": {
            "schema": 1, "scorer": scorer, "suite": "s", "version": "1.0.0", "task": "task", "variant": null, "axis": {}, "sample": 1,
            "draws": {}, "folders": [], "expect": expects, "tags": [], "canary": null
        }}
    });
    Instance::from_json(&line, None).expect("an instance")
}

/// A reply without files.
pub fn reply(text: &str) -> Response {
    Response { id: "task-1".into(), trial: 1, reply: text.into(), ..Response::default() }
}

/// A response that left files.
pub fn files(files: &[(&str, Captured)]) -> Response {
    let files = files.iter().map(|(path, found)| ((*path).to_owned(), found.clone())).collect();
    Response { files, ..reply("") }
}

pub fn text(text: &str) -> Captured {
    Captured::Text { text: text.into() }
}

pub fn scored(expect: &Json, response: &Response, start: &Files) -> Score {
    score_response(&instance(expect), Some(response), response.trial, start)
}

/// What one `expect` says of a reply.
pub fn verdict(expect: &Json, said: &str) -> Verdict {
    let score = scored(expect, &reply(said), &Files::new());
    score.verdicts.into_iter().next().expect("a verdict")
}

/// `right`, or why not, as it is written in `scores.jsonl`.
pub fn word(verdict: &Verdict) -> String {
    let word = serde_json::to_value(verdict.reason).expect("a word");
    word.as_str().expect("a word").to_owned()
}
