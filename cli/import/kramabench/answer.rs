//! The six types of answers, and the expectation on a reply for each: exactly the paper's score where the paper defines one.

use model::{Date, Decimal, Value};
use serde_json::{Number, Value as Json};

use crate::import::Obstacle;
use crate::import::source::{render_string, spell_key};

model::worded! {
    /// The type of an answer, which determines the comparison, with the word for it in a workload.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum AnswerType {
        NumericExact = "numeric_exact",
        NumericApproximate = "numeric_approximate",
        StringExact = "string_exact",
        StringApproximate = "string_approximate",
        ListExact = "list_exact",
        ListApproximate = "list_approximate",
    }
}

/// An expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The matcher with its value and options, as written after `expect reply`.
    pub matched: String,
    /// How the published value was converted to its type, as a sentence.
    pub note: Option<String>,
    /// The part of the published score that is lost.
    pub lost: Option<Lost>,
}

/// A part of the published score that is lost in the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// A model judges whether a text is a paraphrase.
    Paraphrase,
    /// The score of approximate lists is defined for numbers only.
    ApproximateTexts,
}

impl Lost {
    /// Names the lost part, in words that are followed by the names of tasks, and explains why it is lost, and what the suite does instead.
    pub fn describe_loss(self) -> (&'static str, &'static str) {
        match self {
            Lost::Paraphrase => (
                "the judgment of paraphrases (`string_approximate`)",
                "a model would have to judge them; the text must be the published one, but letter case, spaces, and punctuation do not count; a date, and yes or no, is read in its usual forms",
            ),
            Lost::ApproximateTexts => (
                "near matches of texts in lists (`list_approximate`)",
                "they are defined for numbers only; an item that is a text is correct if letter case, spaces, and punctuation are all that differs",
            ),
        }
    }
}

/// The differences that a text may have if it need not be exact.
const LENIENT: &str = "ignore case, space, punctuation";

impl AnswerType {
    /// The request in a prompt.
    pub fn describe_request(self) -> &'static str {
        match self {
            AnswerType::NumericExact | AnswerType::NumericApproximate => "Reply with the number only.",
            AnswerType::StringExact | AnswerType::StringApproximate => "Reply with the answer only.",
            AnswerType::ListExact | AnswerType::ListApproximate => "Reply with a JSON array only.",
        }
    }

    /// Builds the expectation for an answer. An error explains why the answer does not fit its type, and how to correct it.
    pub fn build_expected(self, answer: &Json) -> Result<Expected, Obstacle> {
        let plain = |matched: String| Expected { matched, note: None, lost: None };
        match (self, answer) {
            (AnswerType::NumericExact | AnswerType::NumericApproximate, _) => {
                let (value, note) = self.parse_number(answer)?;
                let graded = if self == AnswerType::NumericApproximate { " graded" } else { "" };
                Ok(Expected { note, ..plain(format!("number {value}{graded}")) })
            }
            (AnswerType::StringExact | AnswerType::StringApproximate, Json::String(text)) if text.trim().is_empty() => {
                Err(Obstacle::new("its answer is an empty text, which an empty reply would match")
                    .suggest("write an answer"))
            }
            (AnswerType::StringExact, Json::String(text)) => Ok(plain(format!("text {}", render_string(text)))),
            (AnswerType::StringApproximate, Json::String(text)) => {
                let lost = Some(Lost::Paraphrase);
                let matched = match (read_truth(text), Date::parse_iso(text.trim())) {
                    (Some(truth), _) => format!("bool {truth}"),
                    (None, Some(date)) => format!("date {}", Value::Date(date).render_text()),
                    (None, None) => format!("text {} {LENIENT}", render_string(text)),
                };
                Ok(Expected { lost, ..plain(matched) })
            }
            (AnswerType::ListExact, Json::Array(items)) => Ok(plain(format!("list {}", render_list(items)))),
            (AnswerType::ListApproximate, Json::Array(items)) => {
                let numbers = if items.iter().any(Json::is_number) { " graded above 0.9" } else { "" };
                let texts = items.iter().any(|item| !item.is_number());
                let lenient = if texts { format!(" {LENIENT}") } else { String::new() };
                let lost = texts.then_some(Lost::ApproximateTexts);
                Ok(Expected { lost, ..plain(format!("list {}{numbers}{lenient}", render_list(items))) })
            }
            _ => Err(self.explain_misfit(answer)),
        }
    }

    /// Parses an answer that is a number, or a text with a number.
    fn parse_number(self, answer: &Json) -> Result<(String, Option<String>), Obstacle> {
        match answer {
            Json::Number(number) => Ok((render_number(number), None)),
            Json::String(text) if is_plain_number(text.trim()) => {
                let note = format!("The published answer is the text {}.", render_string(text));
                Ok((text.trim().to_owned(), Some(note)))
            }
            _ => Err(self.explain_misfit(answer)),
        }
    }

    fn explain_misfit(self, answer: &Json) -> Obstacle {
        let (what, fitting) = match answer {
            Json::Null => ("null", "an answer"),
            Json::Bool(_) => ("a bool", "`string_exact` and a text"),
            Json::Number(_) => ("a number", "`numeric_exact`"),
            Json::String(_) => ("a text", "`string_exact`"),
            Json::Array(_) => ("a list", "`list_exact`"),
            Json::Object(_) => ("an object", "an answer that is a number, a text, or a list"),
        };
        Obstacle::new(format!("its type is `{}`, but its answer is {what}", self.word()))
            .suggest(format!("correct the workload: write {fitting}"))
    }
}

/// Reads an answer that is yes or no.
fn read_truth(text: &str) -> Option<bool> {
    let word = text.trim().trim_end_matches('.').to_lowercase();
    match word.as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// Renders a value in the language.
fn render_json(json: &Json) -> String {
    match json {
        Json::Null | Json::Bool(_) => json.to_string(),
        Json::Number(number) => render_number(number),
        Json::String(text) => render_string(text),
        Json::Array(items) => render_list(items),
        Json::Object(fields) => {
            let field = |(key, field): (&String, &Json)| format!("{}: {}", spell_key(key), render_json(field));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Renders a list in the language.
fn render_list(items: &[Json]) -> String {
    format!("[{}]", items.iter().map(render_json).collect::<Vec<_>>().join(", "))
}

/// Renders a number. It becomes a float if it does not fit into a decimal.
fn render_number(number: &Number) -> String {
    match number.to_string().parse::<Decimal>() {
        _ if number.is_i64() => number.to_string(),
        Ok(decimal) if number.is_f64() => Value::Decimal(decimal).render_text().into_owned(),
        _ => format!("{:e}", number.as_f64().unwrap_or_default()),
    }
}

/// Whether a text consists of an optional minus sign, digits, and an optional fraction, which is also a literal of the language.
fn is_plain_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn matched(answer_type: AnswerType, answer: Json) -> String {
        answer_type.build_expected(&answer).expect("fits").matched
    }

    #[test]
    fn each_type_has_the_matcher_of_its_score() {
        use AnswerType::*;
        let lenient = "ignore case, space, punctuation";
        for (answer_type, answer, expected) in [
            (NumericExact, json!(13427.5676), "number 13427.5676".to_owned()),
            (NumericExact, json!("-0.50"), "number -0.50".to_owned()),
            (NumericApproximate, json!(3), "number 3 graded".to_owned()),
            (StringExact, json!("a \"<<b>>\""), "text \"a \\\"\\<<b>>\\\"\"".to_owned()),
            (StringApproximate, json!("Yes we can"), format!("text \"Yes we can\" {lenient}")),
            (StringApproximate, json!("Yes"), "bool true".to_owned()),
            (StringApproximate, json!(" FALSE. "), "bool false".to_owned()),
            (StringApproximate, json!("2024-02-29"), "date 2024-02-29".to_owned()),
            (StringApproximate, json!("2023-02-29"), format!("text \"2023-02-29\" {lenient}")),
            // The paper's score of exact texts is exact.
            (StringExact, json!("2024-02-29"), "text \"2024-02-29\"".to_owned()),
            (StringExact, json!("Yes"), "text \"Yes\"".to_owned()),
            (ListExact, json!(["a", 1, 2.0, null, true, [1]]), "list [\"a\", 1, 2.0, null, true, [1]]".to_owned()),
            (ListExact, json!([]), "list []".to_owned()),
            (ListExact, json!([{"a b": 1}]), "list [{ \"a b\": 1 }]".to_owned()),
            (ListApproximate, json!([1.5, -2]), "list [1.5, -2] graded above 0.9".to_owned()),
            (ListApproximate, json!(["a"]), format!("list [\"a\"] {lenient}")),
            (ListApproximate, json!(["a", 1]), format!("list [\"a\", 1] graded above 0.9 {lenient}")),
        ] {
            assert_eq!(matched(answer_type, answer.clone()), expected, "{answer_type:?} {answer}");
        }
    }

    #[test]
    fn numbers_that_are_too_fine_or_too_large_for_a_decimal_are_floats() {
        for (number, expected) in [
            ("0.000123456789012345678", "1.2345678901234567e-4"),
            ("1e300", "1e300"),
            ("12345678901234567890", "1.2345678901234567e19"),
            ("9223372036854775807", "9223372036854775807"),
            ("414.16640468021706", "414.16640468021706"),
        ] {
            let json: Json = serde_json::from_str(number).expect("JSON");
            assert_eq!(render_list(&[json]), format!("[{expected}]"), "{number}");
        }
    }

    #[test]
    fn an_answer_of_another_type_is_a_misfit() {
        use AnswerType::*;
        for (answer_type, answer) in [
            (NumericExact, json!("Wollaston Beach")),
            (NumericExact, json!("1,000")),
            (NumericExact, json!(true)),
            (NumericApproximate, json!([1.5])),
            (StringExact, json!(["a"])),
            (StringExact, json!(3)),
            (StringExact, json!(" ")),
            (StringApproximate, json!({"a": 1})),
            (ListExact, json!("a")),
            (ListApproximate, json!(1)),
        ] {
            assert!(answer_type.build_expected(&answer).is_err(), "{answer_type:?} {answer}");
        }
        let said = StringExact.build_expected(&json!(["a"])).expect_err("a misfit");
        assert_eq!(
            said.to_string(),
            "its type is `string_exact`, but its answer is a list; correct the workload: write `list_exact`"
        );
    }

    #[test]
    fn the_words_of_types_lead_back_to_them() {
        for one in AnswerType::ALL {
            assert_eq!(AnswerType::from_word(one.word()), Some(*one));
        }
        assert_eq!(AnswerType::from_word("numeric"), None);
    }
}
