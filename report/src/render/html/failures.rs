//! What went wrong, one folding a trial: prompt, expected, got, transcript.

use std::fmt::Write as _;

use super::escape::{cut, escape};
use crate::details::{Detail, Details};
use crate::model::RunReport;
use crate::render::words::{points, reason};

/// So many characters of a prompt or a reply are shown.
const TEXT: usize = 4_000;
/// So many of a message of a transcript.
const MESSAGE: usize = 1_500;
/// So many of an expected or found value.
const VALUE: usize = 1_000;

/// The foldings of a run. Writing to a String cannot fail.
pub fn write(out: &mut String, run: &RunReport, details: &Details) {
    if run.failures.is_empty() {
        out.push_str("<p>Everything is right.</p>");
        return;
    }
    let _ = write!(out, "<p>{} of {} are not right.", run.failures.len(), run.whole.share.of);
    if details.more > 0 {
        let _ = write!(
            out,
            " {} of them are shown, task by task in turn; {} more are in <code>--json</code>.",
            details.shown.len(),
            details.more
        );
    }
    out.push_str("</p>");
    for detail in &details.shown {
        folding(out, detail, run.trials > 1);
    }
}

fn folding(out: &mut String, detail: &Detail, several: bool) {
    let failure = &detail.failure;
    let trial = if several { format!(", trial {}", failure.trial) } else { String::new() };
    let wrong = failure.verdicts.iter().find(|verdict| verdict.score < 1.0);
    let why = match (failure.status.is_scored(), wrong) {
        (true, Some(verdict)) => format!("{}: {}", verdict.subject, reason(verdict.reason)),
        _ => failure.status.word().replace('_', " "),
    };
    let _ = write!(out, "<details><summary><b>{}</b>{trial}: {}", escape(&failure.id), escape(&why));
    if failure.score > 0.0 {
        let _ = write!(out, " (score {})", points(failure.score));
    }
    out.push_str("</summary>");
    if let Some(error) = &failure.error {
        let _ = write!(out, "<p>{}</p>", cut(error, TEXT));
    }
    part(out, "Prompt", detail.prompt.as_deref(), "The run does not have it.");
    if !detail.target.is_empty() {
        part(out, "Right answer", Some(&detail.target.join("\n")), "");
    }
    differences(out, detail);
    part(out, "Reply", detail.reply.as_deref(), "There is none.");
    transcript(out, detail);
    out.push_str("</details>");
}

fn part(out: &mut String, title: &str, text: Option<&str>, none: &str) {
    let _ = write!(out, "<h4>{title}</h4>");
    let _ = match text {
        Some("") => write!(out, "<p>It is empty.</p>"),
        Some(text) => write!(out, "<pre tabindex=\"0\">{}</pre>", cut(text, TEXT)),
        None => write!(out, "<p>{none}</p>"),
    };
}

fn differences(out: &mut String, detail: &Detail) {
    let wrong: Vec<_> = detail.failure.verdicts.iter().filter(|verdict| verdict.score < 1.0).collect();
    if wrong.is_empty() {
        return;
    }
    out.push_str("<div class=\"wide\"><table><caption>What was expected and what came</caption><thead><tr>");
    for head in ["read", "matcher", "verdict", "at", "expected", "got"] {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for verdict in wrong {
        let head = format!(
            "<th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
            escape(&verdict.subject),
            escape(&verdict.matcher),
            reason(verdict.reason)
        );
        if verdict.differences.is_empty() {
            let _ = write!(out, "<tr>{head}<td></td><td></td><td></td></tr>");
        }
        for difference in &verdict.differences {
            let _ = write!(
                out,
                "<tr>{head}<td>{}</td><td><code>{}</code></td><td><code>{}</code></td></tr>",
                cut(&difference.at, VALUE),
                cut(&difference.expected, VALUE),
                cut(&difference.got, VALUE)
            );
        }
    }
    out.push_str("</tbody></table></div>");
}

fn transcript(out: &mut String, detail: &Detail) {
    if detail.messages.is_empty() {
        return;
    }
    out.push_str("<h4>Transcript</h4>");
    if detail.earlier > 0 {
        let _ = write!(out, "<p>{} earlier messages are in the run's folder.</p>", detail.earlier);
    }
    let _ = write!(out, "<ol start=\"{}\">", detail.earlier + 1);
    for message in &detail.messages {
        let _ = write!(
            out,
            "<li><b>{}</b><pre tabindex=\"0\">{}</pre></li>",
            cut(&message.role, 40),
            cut(&message.content, MESSAGE)
        );
    }
    out.push_str("</ol>");
}
