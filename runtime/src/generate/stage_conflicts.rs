//! Detects answers of a task and its stages that contradict each other, if an agent gives all of them in one sandbox.
//!
//! Only certain conflicts are reported; others fail in `picardc selftest --stages trace`.

use std::collections::BTreeSet;

use model::answer_key::{Answer, Expected, Subject};
use model::path::fold_path;
use model::suite::matchers::{Reads, Takes};
use model::suite::{Expect, Matcher, Options, Stage, Within};
use model::{Decimal, Span, Value};

use super::failures::{OrSpan, Res, fail_with_help};
use crate::failure::FailureKind;

/// Maximum number of characters of a value in a message.
const MAX_SHOWN_CHARS: usize = 40;

/// An expectation and its owner.
struct Asker<'a> {
    key: &'a Expected,
    span: Span,
    /// The stage; `None` for the task.
    stage: Option<&'a str>,
}

/// Fails at the first expectation of a stage that no file can meet together with an earlier one.
pub(super) fn check_conflicts<'a>(
    (asked, own): (&'a [Expect], &'a [Expected]),
    stages: impl Iterator<Item = (&'a Stage, &'a Vec<Expected>)>,
) -> Res<()> {
    let of_task = asked.iter().zip(own).map(|(expect, key)| Asker { key, span: expect.span, stage: None });
    let of_stages = stages.flat_map(|(stage, keys)| {
        let name = Some(stage.way.name.as_str());
        stage.way.expects.iter().zip(keys).map(move |(expect, key)| Asker { key, span: expect.span, stage: name })
    });
    let all: Vec<Asker<'_>> = of_task.chain(of_stages).collect();
    for (at, second) in all.iter().enumerate() {
        let others = all.iter().take(at).filter(|first| first.stage != second.stage);
        if let Some((first, path)) =
            others.filter_map(|first| Some((first, find_conflict_path(first.key, second.key)?))).next()
        {
            let message = format!("{} in `{path}`, where {}", describe_asker(first), describe_asker(second));
            let help = "use another path in one of them, or another mode than `--stages trace`";
            return fail_with_help(FailureKind::PathAtBuild, message, help).or_span(second.span);
        }
    }
    Ok(())
}

fn describe_asker(asker: &Asker<'_>) -> String {
    let who = asker.stage.map_or_else(|| "the task".to_owned(), |stage| format!("stage `{stage}`"));
    let mut value =
        asker.key.answer.iter().flat_map(Answer::accepted_values).next().map_or_else(String::new, |value| {
            let text = value.render_text();
            match text.char_indices().nth(MAX_SHOWN_CHARS) {
                Some((end, _)) => format!(" {:?}…", &text[..end]),
                None if matches!(value, Value::Text(_)) => format!(" {text:?}"),
                None => format!(" {text}"),
            }
        });
    value.insert_str(0, asker.key.matcher.word());
    format!("{who} expects `{value}`")
}

/// Returns the path of a file that cannot meet both expectations.
fn find_conflict_path<'a>(first: &'a Expected, second: &'a Expected) -> Option<&'a str> {
    let (Subject::File(path), Subject::File(other)) = (&first.subject, &second.subject) else { return None };
    if fold_path(path) != fold_path(other) {
        return None;
    }
    let is_gone = |key: &Expected| key.matcher == Matcher::Absent;
    let apart = match (is_gone(first), is_gone(second)) {
        (true, true) => false,
        (true, false) => second.matcher.record().leaves,
        (false, true) => first.matcher.record().leaves,
        (false, false) => resolve_place(first) == resolve_place(second) && has_disjoint_answers(first, second),
    };
    apart.then_some(path)
}

fn resolve_place(key: &Expected) -> &str {
    key.at.as_ref().map_or("$", |at| at.path.as_str())
}

/// Checks whether both expect a single or composed value, and no value meets both.
fn has_disjoint_answers(first: &Expected, second: &Expected) -> bool {
    let is_number = |key: &Expected| key.matcher.record().takes == Takes::Number;
    if is_number(first) && is_number(second) {
        let (one, other) = (list_accepted_numbers(first), list_accepted_numbers(second));
        return one.iter().all(|(a, by)| other.iter().all(|(b, more)| (a - b).abs() > by + more));
    }
    match (normalize_answers(first), normalize_answers(second)) {
        (Some(one), Some(other)) => one.is_disjoint(&other),
        _ => false,
    }
}

/// Lists the accepted numbers, each with the maximum difference of a correct number.
fn list_accepted_numbers(key: &Expected) -> Vec<(f64, f64)> {
    let options = key.whole_options();
    let values = key.answer.iter().flat_map(Answer::accepted_values).filter_map(Value::as_f64);
    values.map(|value| (value, compute_tolerance(value, &options))).collect()
}

fn compute_tolerance(value: f64, options: &Options) -> f64 {
    let within = match options.within {
        Some(Within::Absolute(by)) => by.to_f64(),
        Some(Within::Percent(by)) => value.abs() * by.to_f64() / 100.0,
        None => 0.0,
    };
    let rounded = options.rounded.and_then(|places| Decimal::new(1, places)).map_or(0.0, Decimal::to_f64);
    let graded = if options.graded.is_some() { f64::INFINITY } else { 0.0 };
    within + rounded + graded
}

/// Normalizes the accepted answers: all replies that could match an answer have the same form. `None` if such a form is not known.
fn normalize_answers(key: &Expected) -> Option<BTreeSet<String>> {
    let record = key.matcher.record();
    let strict = |(_, options): &(String, Options)| {
        options.within.is_none() && options.rounded.is_none() && options.graded.is_none() && !options.open
    };
    if record.loose || record.reads != Reads::Text || !key.options.iter().all(strict) {
        return None;
    }
    let answers = match key.answer.as_ref()? {
        Answer::Content(_) => return None,
        answer => answer.accepted_values(),
    };
    Some(answers.iter().map(normalize_value).collect())
}

/// Joins normalized values without any difference that a comparison may ignore: letter case, spaces, punctuation, the order of parts, and the form of numbers.
fn normalize_value(value: &Value) -> String {
    let parts = |parts: Vec<String>| {
        let mut parts = parts;
        parts.sort();
        parts.join(" ")
    };
    match value {
        Value::List(items) => parts(items.iter().map(normalize_value).collect()),
        Value::Object(fields) => parts(fields.iter().map(|(_, value)| normalize_value(value)).collect()),
        Value::Rows(set) => {
            parts(set.rows.iter().map(|row| parts(row.iter().map(normalize_value).collect())).collect())
        }
        value => {
            let text = value.render_text();
            match text.trim().parse::<f64>() {
                Ok(number) => number.to_string(),
                Err(_) => text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect(),
            }
        }
    }
}
