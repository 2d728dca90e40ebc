//! `other_notation`: the prompt says that a file is separated by semicolons, encoded in UTF-8, or without a header, and no file is.

use super::notation::is_about_files;
use super::tokens::{Found, Kind};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{ExprKind, FileContent};
use model::Span;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::files::{DELIMITERS, ENCODINGS, FILE_WORDS, HEADERS};

/// The form of a file of rows.
struct Written<'a> {
    name: &'a str,
    delimiter: char,
    encoding: &'a str,
    is_text: bool,
    has_header: bool,
    at: Span,
}

/// Compares what a wording says of the form of files with how all files of the task are written.
pub(super) fn report_file_forms(wording: &Wording<'_, '_>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    let files = list_written(cx);
    // Of existing files the form is only what the suite says of them.
    let is_other =
        |file: &hir::File| file.content.form().is_none() && matches!(file.content, FileContent::Fixture { .. });
    if files.is_empty() || cx.task.files.iter().any(is_other) || !cx.task.lakes.is_empty() {
        return;
    }
    let delimiters: Vec<&Written<'_>> = files.iter().filter(|file| !file.is_text).collect();
    if let Some((found, file)) = find_told(wording, DELIMITERS, is_of_file).zip(delimiters.first())
        && delimiters.iter().all(|file| file.delimiter != found.means)
    {
        let words = format!("`{}`", wording.quote(found.start, found.end));
        let is = format!("separated by {}", describe_delimiter(file.delimiter));
        report_once(build_diagnostic(&words, wording.locate(found.start, found.end), file, &is), said);
    }
    if let Some((found, file)) = find_told(wording, HEADERS, is_statement).zip(delimiters.first())
        && delimiters.iter().all(|file| file.has_header != found.means)
    {
        let words = format!("`{}`", wording.quote(found.start, found.end));
        let is = if file.has_header { "written with a header" } else { "written without a header" };
        report_once(build_diagnostic(&words, wording.locate(found.start, found.end), file, is), said);
    }
    if let Some((found, file)) = find_told(wording, ENCODINGS, is_of_file).zip(files.first())
        && files.iter().all(|file| !file.encoding.starts_with(found.means))
    {
        let words = format!("that files are encoded in {}", found.means);
        let is = format!("encoded in {}", file.encoding);
        report_once(build_diagnostic(&words, wording.locate(found.start, found.end), file, &is), said);
    }
}

fn list_written<'a>(cx: &TaskCx<'a>) -> Vec<Written<'a>> {
    let mut found = Vec::new();
    for file in &cx.task.files {
        let Some(form) = file.content.form() else { continue };
        let is_text = matches!(file.content, FileContent::TextLines { .. });
        let (name, delimiter, encoding) = (file.name.as_str(), form.delimiter, form.encoding.as_str());
        found.push(Written { name, delimiter, encoding, is_text, has_header: form.header > 0, at: file.span });
    }
    found
}

/// Finds the only form of this kind of which a wording speaks, in sentences that are not about the reply.
fn find_told<M: Copy + PartialEq>(
    wording: &Wording<'_, '_>,
    phrases: &[(&str, M)],
    is_meant: fn(&Wording<'_, '_>, &Found<M>) -> bool,
) -> Option<Found<M>> {
    let found = wording.text.find_phrases(phrases);
    let first = *found.first()?;
    let is_told = found.iter().all(|other| other.means == first.means)
        && found.iter().all(|other| is_about_files(wording, other.start) && is_meant(wording, other));
    is_told.then_some(first)
}

/// Whether a phrase is in a sentence that tells something.
fn is_statement<M>(wording: &Wording<'_, '_>, found: &Found<M>) -> bool {
    !wording.is_in_request(found.start)
}

/// Whether a phrase is followed by a word for a file, or is in a sentence that tells something of a file.
fn is_of_file<M>(wording: &Wording<'_, '_>, found: &Found<M>) -> bool {
    let tokens = &wording.text.tokens;
    if tokens.iter().skip(found.end).take(2).any(|token| token.is_any(FILE_WORDS)) {
        return true;
    }
    let Some(sentence) = tokens.get(found.start).map(|token| token.sentence) else { return false };
    let is_file =
        |kind: &Kind<'_>| matches!(kind, Kind::Placeholder(expr) if matches!(expr.kind, ExprKind::FilePath(_)));
    let mut own = tokens.iter().filter(|token| token.sentence == sentence);
    !wording.is_in_request(found.start) && own.any(|token| token.is_any(FILE_WORDS) || is_file(&token.kind))
}

fn describe_delimiter(delimiter: char) -> String {
    match delimiter {
        ',' => "commas".to_owned(),
        ';' => "semicolons".to_owned(),
        '\t' => "tabs".to_owned(),
        other => format!("`{other}`"),
    }
}

/// Builds the diagnostic for a place where the prompt says `words` of a file, which `is` written otherwise.
fn build_diagnostic(words: &str, place: Span, file: &Written<'_>, is: &str) -> Diagnostic {
    let message = format!("the prompt says {words}, but `{}` is {is}", file.name);
    Diagnostic::new(Code::OTHER_NOTATION, message, place, "said here")
        .label(file.at, "written so here")
        .help("say in the prompt how the file is written, or write it as the prompt says")
}
