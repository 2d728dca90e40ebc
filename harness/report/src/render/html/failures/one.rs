//! One failure: a line that expands to expected value and reply side by side, then prompt, files, and transcript.

use std::fmt::Write as _;

use records::response::Captured;
use records::verdict::{Difference, Verdict};

use super::super::escape::{encode_anchor, escape_cut, escape_html, format_prose};
use super::super::marks;
use super::entry::Entry;
use super::side_by_side;
use crate::details::Detail;
use crate::render::words::{describe_evidence, describe_reason, fit_one_line, format_percent};

/// The maximum length of a prompt, a reply, or a file, in characters.
const TEXT: usize = 4_000;
/// The maximum length of a message of a transcript, in characters.
const MESSAGE: usize = 1_500;
/// The maximum length of an expected or found value, in characters.
const VALUE: usize = 1_000;
/// The maximum length of a value in the line, in characters.
const GIST: usize = 48;

/// Writes a failure. Writing to a String cannot fail.
pub fn write_failure(out: &mut String, entry: &Entry<'_>) {
    let (detail, failure) = (entry.detail, &entry.detail.failure);
    let id = format!("f-{}-{}-{}", entry.run, encode_anchor(&failure.id), failure.trial);
    let trial =
        if entry.trials { format!(" <span class=\"dim\">trial {}</span>", failure.trial) } else { String::new() };
    let _ = write!(
        out,
        "<details class=\"failure\" id=\"{id}\" data-run=\"{}\" data-part=\"{}\" data-reason=\"{}\"{}>",
        entry.run,
        escape_html(&entry.part),
        escape_html(&entry.why.code),
        if entry.alone { " data-alone=\"1\"" } else { "" },
    );
    let _ = write!(
        out,
        "<summary><span class=\"id\">{}{trial}</span><span class=\"of\">{}{}</span><span class=\"why\">{}</span><span class=\"gist\">{}</span></summary>",
        escape_html(&failure.id),
        marks::draw_symbol(entry.run),
        escape_html(entry.name),
        escape_html(&explain_failure(entry)),
        summarize_failure(detail)
    );
    let _ = write!(
        out,
        "<div class=\"opened\"><p class=\"dim\"><a href=\"#{id}\">Link to this failure</a>{}</p>",
        if failure.score > 0.0 { format!(" · score {}", format_percent(failure.score)) } else { String::new() }
    );
    if let Some(error) = &failure.error {
        let _ = write!(out, "<p class=\"error\">{}</p>", escape_cut(error, TEXT));
    }
    let mut shown = false;
    for (at, verdict) in failure.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.score < 1.0) {
        shown |= write_verdict(out, detail, at, verdict);
    }
    write_part(out, "Prompt", detail.prompt.as_deref(), "The run's folder does not have the prompt.");
    if !shown || failure.verdicts.iter().all(|verdict| !is_reply(verdict)) {
        write_part(out, "Reply", detail.reply.as_deref(), "No response was recorded.");
    }
    write_files(out, detail);
    write_transcript(out, detail);
    out.push_str("</div></details>");
}

/// Names the subject of the first wrong verdict, and the reason.
fn explain_failure(entry: &Entry<'_>) -> String {
    let failure = &entry.detail.failure;
    match failure.verdicts.iter().find(|verdict| verdict.score < 1.0).filter(|_| failure.status.is_scored()) {
        Some(verdict) => format!("{}: {}", verdict.describe_subject(), entry.why.words),
        None => entry.why.words.to_owned(),
    }
}

/// Renders the error of the agent, or `expected → got`.
fn summarize_failure(detail: &Detail) -> String {
    let failure = &detail.failure;
    if let Some(error) = &failure.error {
        return escape_html(&fit_one_line(error, 2 * GIST));
    }
    let wrong = failure.verdicts.iter().filter(|verdict| verdict.score < 1.0);
    let value = |text: &str| {
        format!("<code>{}</code>", escape_html(&fit_one_line(&side_by_side::normalize_number(text), GIST)))
    };
    if let Some(Difference { expected, got, .. }) = wrong.flat_map(|verdict| &verdict.differences).next() {
        return format!("{} → {}", value(expected), value(got));
    }
    let expected = detail.expected.iter().flatten().next();
    match (expected, detail.reply.as_deref()) {
        (Some(expected), Some(reply)) if !reply.is_empty() => format!("{} → {}", value(expected), value(reply)),
        (Some(expected), _) => format!("{} → nothing", value(expected)),
        _ => String::new(),
    }
}

fn is_reply(verdict: &Verdict) -> bool {
    verdict.subject == "reply" || verdict.subject.starts_with("reply ")
}

/// Writes a verdict. Returns whether the found text was shown.
fn write_verdict(out: &mut String, detail: &Detail, at: usize, verdict: &Verdict) -> bool {
    let _ = write!(
        out,
        "<h4><code>{}</code> · <code>{}</code> · {}</h4>",
        escape_html(&verdict.describe_subject()),
        escape_html(&verdict.matcher),
        describe_reason(verdict.reason)
    );
    if let Some(sentence) = describe_evidence(verdict) {
        let _ = write!(out, "<p>{}</p>", format_prose(&sentence));
    }
    let expected = detail.expected.get(at).map(|all| all.join("\nor\n"));
    let file = verdict.file_path().and_then(|path| find_captured(detail, path));
    let came = match file {
        Some(Captured::Text { text }) => Some(text.as_str()),
        Some(_) => None,
        None if is_reply(verdict) => detail.reply.as_deref(),
        None => None,
    };
    if let (Some(expected), Some(came)) = (&expected, came) {
        let title = if file.is_some() { "File" } else { "Reply" };
        side_by_side::write_pair(out, ("Expected", expected), (title, came), TEXT);
    } else if let Some(expected) = &expected {
        let what = file.map_or_else(|| "There is nothing to compare.".to_owned(), describe_captured);
        let _ = write!(
            out,
            "<div class=\"pair\"><div><h5>Expected</h5><pre tabindex=\"0\">{}</pre></div><div><h5>Found</h5><p>{}</p></div></div>",
            escape_cut(&side_by_side::normalize_number(expected), TEXT),
            escape_html(&what)
        );
    }
    write_differences(out, verdict, came.filter(|_| expected.is_some()));
    came.is_some()
}

fn find_captured<'a>(detail: &'a Detail, path: &str) -> Option<&'a Captured> {
    detail.files.iter().find(|(known, _)| known == path).map(|(_, what)| what)
}

/// Describes the captured content of a path that is not a text.
fn describe_captured(what: &Captured) -> String {
    match what {
        Captured::Absent => "The file does not exist.".to_owned(),
        Captured::Folder => "It is a folder.".to_owned(),
        Captured::Text { .. } => "It is a text file.".to_owned(),
        Captured::Bytes { .. } => "The file is not UTF-8 text.".to_owned(),
        Captured::TooLarge { size } => format!("The file has {size} bytes, which is more than a run keeps."),
        Captured::Paths { paths, .. } => format!("There are {} files and folders.", paths.len()),
        Captured::Other { what } => format!("It is not a file: {what}."),
    }
}

/// Writes the table of differences, unless it would only repeat the shown text.
fn write_differences(out: &mut String, verdict: &Verdict, shown: Option<&str>) {
    let repeats = |one: &Difference| {
        one.at.is_empty() && shown.is_some_and(|shown| shown.trim() == one.got.trim().trim_matches('"'))
    };
    if verdict.differences.iter().all(repeats) {
        return;
    }
    out.push_str("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Differences\"><table><caption>Differences, as the matcher reads both</caption><thead><tr>");
    let places = verdict.differences.iter().any(|one| !one.at.is_empty());
    for head in ["at", "expected", "got"].into_iter().skip(usize::from(!places)) {
        let _ = write!(out, "<th scope=\"col\">{head}</th>");
    }
    out.push_str("</tr></thead><tbody>");
    for Difference { at, expected, got } in &verdict.differences {
        out.push_str("<tr>");
        if places {
            let _ = write!(out, "<td><code>{}</code></td>", escape_cut(at, VALUE));
        }
        for value in [expected, got] {
            let _ = write!(out, "<td><code>{}</code></td>", escape_cut(&side_by_side::normalize_number(value), VALUE));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
}

fn write_part(out: &mut String, title: &str, text: Option<&str>, none: &str) {
    let _ = write!(out, "<h4>{title}</h4>");
    let _ = match text {
        Some("") => write!(out, "<p>It is empty.</p>"),
        Some(text) => write!(out, "<pre tabindex=\"0\">{}</pre>", escape_cut(text, TEXT)),
        None => write!(out, "<p>{none}</p>"),
    };
}

/// Writes the files that the answer key reads, except those that were shown.
fn write_files(out: &mut String, detail: &Detail) {
    let wrong = detail.failure.verdicts.iter().filter(|verdict| verdict.score < 1.0);
    let shown: Vec<&str> = wrong.filter_map(Verdict::file_path).collect();
    let others = detail.files.iter().filter(|(path, _)| !shown.contains(&path.as_str()));
    let others: Vec<_> = others.collect();
    if others.is_empty() {
        return;
    }
    out.push_str("<h4>Files read</h4>");
    for (path, what) in others {
        let _ = write!(out, "<h5><code>{}</code></h5>", escape_cut(path, VALUE));
        let _ = match what {
            Captured::Text { text } => write!(out, "<pre tabindex=\"0\">{}</pre>", escape_cut(text, TEXT)),
            other => write!(out, "<p>{}</p>", escape_html(&describe_captured(other))),
        };
    }
}

fn write_transcript(out: &mut String, detail: &Detail) {
    if detail.messages.is_empty() {
        return;
    }
    out.push_str("<h4>Transcript</h4>");
    if detail.earlier > 0 {
        let _ = write!(out, "<p>{} earlier messages are in the run's folder.</p>", detail.earlier);
    }
    let _ = write!(out, "<ol class=\"transcript\" start=\"{}\">", detail.earlier + 1);
    for message in &detail.messages {
        let _ = write!(
            out,
            "<li><b>{}</b><pre tabindex=\"0\">{}</pre></li>",
            escape_cut(&message.role, 40),
            escape_cut(&message.content, MESSAGE)
        );
    }
    out.push_str("</ol>");
}
