//! `other_mark`: the prompt names a mark of missing values that the file does not have: `n/a` where it writes `-`, or empty cells where all of them have a mark.

use super::super::prompt_content::{has_any_word, has_delimited_part, has_word};
use super::clauses::split_clauses;
use super::shown::{FileColumn, FileColumns};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::ColumnSource;
use model::Value;
use model::suite::Scope;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::lints::{OF_FILES, WHOLE_REPLY};
use syntax::prompts::english::marks::{EMPTY_CELL, NULL_MARKS};

/// Compares the marks of missing values that a wording names with those of the column that it names next to them.
pub(super) fn report_null_marks<'a>(
    wording: &Wording<'_, 'a>,
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    let cx = wording.cx;
    let mut of_task = cx.task.relations.iter().flat_map(|own| &own.columns);
    if wording.telling.opaque || !of_task.any(|column| column.ty.nullable) {
        return;
    }
    let prompt = wording.telling.lower_prompt.replace('\n', " ");
    if find_mark(&prompt).is_none() {
        return;
    }
    for clause in split_clauses(&prompt).into_iter().filter(|clause| !is_about_output(clause)) {
        let Some(mark) = find_mark(clause) else { continue };
        let is_meant = |column: &&FileColumn<'_>| column.is_read && is_nullable(cx, column) && is_named(clause, column);
        let Some(column) = columns.list().iter().find(is_meant) else { continue };
        // A prompt that names a mark of the file explains it.
        let is_told = |own: &String| {
            let is_word = own.chars().all(char::is_alphanumeric) && has_word(&prompt, own);
            is_word || has_quoted(&prompt, own)
        };
        if column.missing.iter().map(|own| own.to_lowercase()).any(|own| is_told(&own)) {
            continue;
        }
        let is_there = match &mark {
            Mark::Empty => column.missing.is_empty() || column.missing.iter().any(|own| own.trim().is_empty()),
            Mark::Text(text) => {
                columns.list().iter().any(|column| can_have(cx, column, text)) || is_in_source(cx, text)
            }
        };
        if !is_there {
            report_once(build_diagnostic(wording, column, (clause, &mark)), said);
            return;
        }
    }
}

/// A mark of missing values.
enum Mark {
    /// A text.
    Text(&'static str),
    /// Nothing at all.
    Empty,
}

/// Finds the mark of missing values that a clause names: in quotes, or `n/a`.
fn find_mark(clause: &str) -> Option<Mark> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/');
    let (bare, _) = NULL_MARKS.split_first()?;
    let is_bare = has_delimited_part(clause, bare, is_inner, is_inner);
    let text = is_bare.then_some(bare).or_else(|| NULL_MARKS.iter().find(|mark| has_quoted(clause, mark)));
    text.map(|text| Mark::Text(text)).or_else(|| has_any_word(clause, EMPTY_CELL).then_some(Mark::Empty))
}

fn has_quoted(text: &str, mark: &str) -> bool {
    !mark.is_empty() && ['`', '"'].iter().any(|quote| text.contains(&format!("{quote}{mark}{quote}")))
}

/// Whether a clause says how to write the reply or a file.
fn is_about_output(clause: &str) -> bool {
    WHOLE_REPLY.iter().chain(OF_FILES).any(|word| *word != "file" && has_word(clause, word))
}

fn is_nullable(cx: &TaskCx<'_>, column: &FileColumn<'_>) -> bool {
    cx.facts().lookup_column(column.place.0, column.place.1).nullable
}

/// Whether a clause names a column, or its header.
fn is_named(clause: &str, column: &FileColumn<'_>) -> bool {
    let header = match &column.column.source {
        ColumnSource::Given(given) => given.read.as_ref().and_then(|read| read.header.as_deref()),
        _ => None,
    };
    [Some(column.name), header].into_iter().flatten().any(|name| has_word(clause, &name.to_lowercase()))
}

/// Whether cells of a column can have a mark, as far as that is known.
fn can_have<'a>(cx: &TaskCx<'a>, column: &FileColumn<'a>, mark: &str) -> bool {
    let is_mark = |text: &str| text.trim().eq_ignore_ascii_case(mark);
    let has_mark = |values: &[Value]| values.iter().any(|value| value.as_text().is_some_and(is_mark));
    let is_pattern = |pattern: &&str| pattern.to_lowercase().contains(mark);
    column.missing.iter().any(|own| is_mark(own))
        || column.written.iter().any(is_pattern)
        || column.noise.iter().any(|(pattern, _)| is_pattern(pattern))
        || match &column.column.source {
            ColumnSource::Given(given) => has_mark(&given.cells.values),
            ColumnSource::Compute(value) => {
                cx.facts().infer_expr(value, Scope::default()).closed.is_some_and(|closed| has_mark(&closed))
            }
            _ => {
                let fact = cx.facts().lookup_column(column.place.0, column.place.1);
                fact.closed.is_some_and(|closed| has_mark(&closed))
            }
        }
}

/// Whether the task has the mark as a text of its own, which a file can show.
fn is_in_source(cx: &TaskCx<'_>, mark: &str) -> bool {
    cx.sources.text(cx.task.notes.whole).to_lowercase().contains(&format!("\"{mark}\""))
}

fn build_diagnostic(wording: &Wording<'_, '_>, column: &FileColumn<'_>, (clause, mark): (&str, &Mark)) -> Diagnostic {
    let shown: Vec<String> = match column.missing.as_slice() {
        [] => vec!["an empty cell".to_owned()],
        marks => marks
            .iter()
            .map(|own| if own.is_empty() { "an empty cell".to_owned() } else { format!("`{own}`") })
            .collect(),
    };
    let (name, shown) = (column.name, shown.join(" or "));
    let (says, help) = match mark {
        Mark::Text(mark) => (
            format!("`{mark}`"),
            format!("name this mark in the prompt, or declare the other one: as missing [\"{mark}\"]"),
        ),
        Mark::Empty => (
            "that it is empty".to_owned(),
            "name this mark in the prompt, or declare that the cell is empty: as missing [\"\"]".to_owned(),
        ),
    };
    let message = format!("the prompt says {says}, but the file has {shown} where `{name}` is missing");
    Diagnostic::new(Code::OTHER_MARK, message, column.at, format!("{shown} if it is missing"))
        .label(wording.locate_text(clause), "said here")
        .help(help)
}
