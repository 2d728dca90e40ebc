//! Diagnostics for people: miette draws the snippets, and picardc writes the text around them.

use std::ops::Range;

use compiler::diagnostics::{Diagnostic, Fix, Severity};
use compiler::sources::{Source, Sources};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource};
use model::Span;

use super::Tally;
use crate::console::{Console, Style, WIDTH};

/// The maximum number of shown diagnostics. Further ones are only counted: most have the same cause, and drawing takes time.
const MAX_SHOWN: usize = 50;

/// A range of this number of lines or more is reduced to its first line.
const TALL: usize = 8;

/// Renders all diagnostics up to the limit.
pub fn render_all(diagnostics: &[&Diagnostic], sources: &Sources, console: &Console, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count_diagnostic(said);
        if tally.shown < MAX_SHOWN {
            tally.shown += 1;
            out.push_str(&render_diagnostic(said, sources, console.style));
            out.push('\n');
        }
    }
    out
}

/// The input for drawing: a diagnostic, or a failure at build time.
pub struct Report<'a> {
    /// The headline, such as `error[E0203] unknown_column`.
    pub head: String,
    /// The severity, which determines the colour.
    pub severity: Severity,
    /// The message.
    pub message: &'a str,
    /// Places with their labels, the most important first.
    pub labels: Vec<(Span, &'a str)>,
    /// Notes, such as `help: …`, `fix: …`, and `note: …`.
    pub notes: Vec<(&'static str, String)>,
}

fn render_diagnostic(said: &Diagnostic, sources: &Sources, style: Style) -> String {
    let labels =
        std::iter::once(&said.primary).chain(&said.secondary).map(|label| (label.span, label.message.as_str()));
    let notes = said.iter_notes().map(|(word, text)| (word, text.to_owned()));
    let fixes = said.fixes.iter().filter_map(|fix| Some(("fix", fix_words(fix, sources)?)));
    let drawn = Report {
        head: format!("{}[{}] {}", said.severity().as_str(), said.code.id, said.code.name),
        severity: said.severity(),
        message: &said.message,
        labels: labels.collect(),
        notes: notes.chain(fixes).collect(),
    };
    draw_report(&drawn, sources, style)
}

/// Describes a fix by its edit, such as ``replace `AEG` with `AGE` ``; a larger fix by its own message.
fn fix_words(fix: &Fix, sources: &Sources) -> Option<String> {
    let short = |text: &str| !text.is_empty() && !text.contains('\n') && text.chars().count() <= 60;
    let [edit] = fix.edits.as_slice() else { return (!fix.message.is_empty()).then(|| fix.message.clone()) };
    let old = sources.text(edit.span);
    match (short(old), short(&edit.text)) {
        (true, true) => Some(format!("replace `{old}` with `{}`", edit.text)),
        (true, false) if edit.text.is_empty() => Some(format!("remove `{old}`")),
        (false, true) if old.is_empty() => Some(format!("insert `{}`", edit.text)),
        _ => (!fix.message.is_empty()).then(|| fix.message.clone()),
    }
}

/// Draws a report: the headline, the message, a snippet for each file with labels, and the notes.
pub fn draw_report(drawn: &Report<'_>, sources: &Sources, style: Style) -> String {
    let theme = match style {
        Style::Ansi => GraphicalTheme::unicode(),
        Style::Plain => GraphicalTheme::unicode_nocolor(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(WIDTH).without_cause_chain();
    let mut out = String::new();
    let home = drawn.labels.first().map(|(span, _)| span.file);
    let here = drawn.labels.iter().filter(|(span, _)| Some(span.file) == home);
    draw_snippet(&mut out, &handler, drawn, Some(&drawn.head), drawn.message, here, sources);
    let mut others: Vec<_> =
        drawn.labels.iter().map(|(span, _)| span.file).filter(|file| Some(*file) != home).collect();
    others.sort();
    others.dedup();
    for file in others {
        let there = drawn.labels.iter().filter(|(span, _)| span.file == file);
        draw_snippet(&mut out, &handler, drawn, None, "see also", there, sources);
    }
    for (word, text) in &drawn.notes {
        write_note(&mut out, word, text, style);
    }
    out
}

fn draw_snippet<'a>(
    out: &mut String,
    handler: &GraphicalReportHandler,
    drawn: &Report<'_>,
    head: Option<&str>,
    message: &str,
    labels: impl Iterator<Item = &'a (Span, &'a str)>,
    sources: &Sources,
) {
    let mut labels = labels.peekable();
    let source = labels.peek().and_then(|(span, _)| sources.get(span.file));
    let shown = source.map_or_else(Vec::new, |source| {
        let mut shown =
            labels.map(|(span, words)| ((!words.is_empty()).then(|| (*words).to_owned()), clamp_span(source, *span)));
        let first = shown.next().map(|(words, range)| LabeledSpan::new_primary_with_span(words, range));
        first.into_iter().chain(shown.map(|(words, range)| LabeledSpan::new_with_span(words, range))).collect()
    });
    let severity = match (head, drawn.severity) {
        (None, _) => miette::Severity::Advice,
        (Some(_), Severity::Error) => miette::Severity::Error,
        (Some(_), Severity::Warning) => miette::Severity::Warning,
    };
    let mut diagnostic = MietteDiagnostic::new(message).with_severity(severity);
    diagnostic.code = head.map(str::to_owned);
    diagnostic.labels = (!shown.is_empty()).then_some(shown);
    let mut report = miette::Report::new(diagnostic);
    if let Some(source) = source {
        let path = disk::show_path(&source.path).to_string();
        report = report.with_source_code(NamedSource::new(path, source.text.clone()));
    }
    // Writing to a String cannot fail. miette fails only on labels outside the text, and those are clamped.
    let _ = handler.render_report(out, &*report);
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Clamps a range to the text, to character boundaries, and to a few lines.
fn clamp_span(source: &Source, span: Span) -> Range<usize> {
    let text = source.text.as_str();
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let mut end = text.floor_char_boundary((span.end as usize).clamp(start, text.len()));
    if text[start..end].matches('\n').count() >= TALL {
        end = text[start..end].find('\n').map_or(end, |at| start + at);
    }
    start..end
}

/// Writes a note, such as `  help: …`, wrapped and aligned with its first word.
fn write_note(out: &mut String, word: &str, text: &str, style: Style) {
    let (cyan, off) = if style == Style::Ansi { ("\u{1b}[36m", "\u{1b}[0m") } else { ("", "") };
    let indent = " ".repeat(word.len() + 4);
    let room = WIDTH.saturating_sub(indent.len());
    for (at, line) in text.lines().flat_map(|line| wrap_line(line, room)).enumerate() {
        let start = if at == 0 { format!("  {cyan}{word}:{off} ") } else { indent.clone() };
        out.push_str(&format!("{start}{line}\n"));
    }
}

/// Wraps a line that is longer than `room` characters at spaces.
fn wrap_line(line: &str, room: usize) -> Vec<String> {
    if line.chars().count() <= room {
        return vec![line.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let Some(last) = lines.last_mut() else { break };
        let length = last.chars().count();
        if length > 0 && length + 1 + word.chars().count() > room {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
#[path = "human_tests.rs"]
mod tests;
