//! The author's examples of an instance: whether its expectations judge them as they must.

use model::answer_key::{Said, Wanted};
use model::observe::JudgedExample;
use model::{Span, Value};
use records::Verdict;
use runtime::Failure;
use runtime::generate::InstanceTests;
use score::{Attempt, judge_attempt};

use crate::{Address, Instance, Instances};

/// The maximum number of characters of an answer that are shown.
const SHOWN: usize = 100;

/// Judges an answer to the expectation of an instance with this index; `told` is whether it must be correct, and its place in the source.
pub fn judge_example(
    instance: &records::Instance,
    index: usize,
    told: (Wanted, Span),
    attempt: Attempt<'_>,
    start: &dyn score::StartFiles,
) -> Option<JudgedExample> {
    let (verdict, span) = told;
    let judged = judge_attempt(instance, index, attempt, start)?;
    let failure = explain_failure(verdict, &judged);
    Some(JudgedExample { verdict, text: describe_attempt(attempt), failure, span })
}

impl Instances<'_> {
    /// Computes what tests the expectations of an instance.
    ///
    /// # Errors
    /// If the instance cannot be generated.
    pub fn compute_tests(&self, address: Address) -> Result<Vec<InstanceTests>, Failure> {
        self.generator().compute_tests(address)
    }
}

impl Instance {
    /// Judges the examples of its expectations that need no other instance, in source order.
    pub fn judge_examples(&self, tests: &[InstanceTests]) -> Vec<JudgedExample> {
        let mut judged = Vec::new();
        for (index, tests) in tests.iter().enumerate() {
            for example in &tests.examples {
                let told = (example.verdict, example.span);
                let attempt = match &example.said {
                    Ok(Said::Text(text)) => Attempt::Text(text.as_text().unwrap_or_default()),
                    Ok(Said::Value(value)) => Attempt::Value(value),
                    Ok(Said::Others) => continue,
                    Err(failure) => {
                        judged.push(JudgedExample {
                            verdict: example.verdict,
                            text: "a value".to_owned(),
                            failure: Some(failure.message.clone()),
                            span: example.span,
                        });
                        continue;
                    }
                };
                judged.extend(judge_example(self.key(), index, told, attempt, self));
            }
        }
        judged
    }
}

/// Explains why a judgement is not the wanted one; `None` if it is.
fn explain_failure(wanted: Wanted, judged: &Verdict) -> Option<String> {
    let is_correct = judged.score >= 1.0;
    match wanted {
        Wanted::Rejected => is_correct.then(|| "it is correct".to_owned()),
        Wanted::Accepted if is_correct => None,
        Wanted::Accepted => {
            let reason = serde_json::to_value(judged.reason).unwrap_or_default();
            let reason = format!("`{}`", reason.as_str().unwrap_or_default());
            Some(match judged.differences.first() {
                Some(place) if place.at.is_empty() => {
                    format!("{reason}: expected {}, got {}", place.expected, place.got)
                }
                Some(place) => format!("{reason}, at {}: expected {}, got {}", place.at, place.expected, place.got),
                None => reason,
            })
        }
    }
}

/// Shows an answer: a text in quotes, a value as JSON.
fn describe_attempt(attempt: Attempt<'_>) -> String {
    let describe_value = |value: &Value| match value {
        // A state of a database has no short form.
        Value::Object(fields) if fields.iter().any(|(name, _)| name == "tables") => "a state".to_owned(),
        value => value.to_json().to_string(),
    };
    let text = match attempt {
        Attempt::Text(text) => format!("{text:?}"),
        Attempt::Value(value) => describe_value(value),
        Attempt::Answer(answer) => match answer.accepted_values().first() {
            Some(value) => describe_value(value),
            None => "the content of a file".to_owned(),
        },
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
