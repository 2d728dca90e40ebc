//! JUnit XML for build servers: a suite for each run and task, a case for each instance and trial.

use std::fmt::Write as _;

use records::{Score, Status};

use crate::data::RunData;
use crate::model::lines::group_by;

/// Renders all runs as one document. A trial that timed out, failed, or is missing is an `error`, a wrong one a `failure`. Writing to a String cannot fail.
pub fn write_junit(runs: &[RunData]) -> String {
    let (tests, failures, errors, time) = count_totals(runs.iter().flat_map(|run| &run.scores));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, r#"<testsuites tests="{tests}" failures="{failures}" errors="{errors}" time="{time}">"#);
    for run in runs {
        let all: Vec<&Score> = run.scores.iter().collect();
        for (task, scores) in group_by(&all, |score| vec![score.task.as_str()]) {
            write_suite(&mut out, run, task, &scores);
        }
    }
    out.push_str("</testsuites>\n");
    out
}

fn write_suite(out: &mut String, run: &RunData, task: &str, scores: &[&Score]) {
    let (tests, failures, errors, time) = count_totals(scores.iter().copied());
    let name = escape_xml(&format!("{}.{task}", run.name));
    let _ = writeln!(
        out,
        r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}" skipped="0" time="{time}">"#
    );
    for score in scores {
        let case = if run.info.trials > 1 { format!("{} trial {}", score.id, score.trial) } else { score.id.clone() };
        let time = format_seconds(u128::from(score.wall_ms.unwrap_or(0)));
        let _ = write!(out, r#"    <testcase classname="{name}" name="{}" time="{time}""#, escape_xml(&case));
        if score.correct {
            out.push_str("/>\n");
            continue;
        }
        let (element, message) = if score.status.is_scored() {
            ("failure", describe_first_reason(score))
        } else {
            ("error", score.error.clone().unwrap_or_else(|| score.status.word().to_owned()))
        };
        let kind = if score.status.is_scored() { "wrong" } else { score.status.word() };
        let _ = writeln!(out, ">\n      <{element} type=\"{kind}\" message=\"{}\">", escape_xml(&message));
        // Elements, unlike attributes, may contain line ends.
        let lines = escape_xml(&describe_differences(score)).replace("&#10;", "\n");
        let _ = writeln!(out, "{lines}      </{element}>\n    </testcase>");
    }
    out.push_str("  </testsuite>\n");
}

fn count_totals<'a>(scores: impl Iterator<Item = &'a Score>) -> (u64, u64, u64, String) {
    let (mut tests, mut failures, mut errors, mut time) = (0, 0, 0, 0u128);
    for score in scores {
        tests += 1;
        time += u128::from(score.wall_ms.unwrap_or(0));
        match score.status {
            _ if score.correct => {}
            Status::Done | Status::MaxRounds => failures += 1,
            Status::Timeout | Status::Failed | Status::Missing => errors += 1,
        }
    }
    (tests, failures, errors, format_seconds(time))
}

fn format_seconds(ms: u128) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

fn describe_first_reason(score: &Score) -> String {
    let wrong = score.verdicts.iter().find(|verdict| verdict.score < 1.0);
    wrong.map_or_else(
        || "wrong".to_owned(),
        |verdict| format!("{}: {}", verdict.describe_subject(), super::words::describe_reason(verdict.reason)),
    )
}

fn describe_differences(score: &Score) -> String {
    let mut text = String::new();
    for verdict in score.verdicts.iter().filter(|verdict| verdict.score < 1.0) {
        let _ = writeln!(
            text,
            "{} ({}): {}",
            verdict.describe_subject(),
            verdict.matcher,
            super::words::describe_reason(verdict.reason)
        );
        if let Some(sentence) = super::words::describe_evidence(verdict) {
            let _ = writeln!(text, "  {sentence}");
        }
        for difference in &verdict.differences {
            let at = if difference.at.is_empty() { String::new() } else { format!("{}: ", difference.at) };
            let _ = writeln!(text, "  {at}expected {}, got {}", difference.expected, difference.got);
        }
    }
    text
}

/// Escapes a text for XML 1.0. Characters that XML does not allow become U+FFFD.
fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
