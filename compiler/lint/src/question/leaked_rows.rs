//! `leaked_answer` in data sets and in questions that ask for SQL: the prompt contains the expected query, or questions contain their answers.

use std::collections::BTreeSet;
use syntax::prompts::english::lints::CHOICES;

use model::suite::matchers::Reads;
use model::suite::{FixtureKind, NameId};
use model::{Span, Value};

use super::dependence::value_number::number_value;
use super::leaked_parts::list_values;
use super::prompt_content::{Telling, Way, has_word};
use crate::context::TaskCx;
use hir::{Arg, Expr, ExprKind, FileContent, Task};
use names::prose::DRAWN;
use sql::without_layout;
use syntax::diagnostics::{Code, Diagnostic};

/// The number of rows that a message names.
const SHOWN: usize = 3;
/// The shortest answer that is looked for in questions: shorter ones are part of other words and phrases.
const SHORTEST: usize = 6;
/// The number of pieces after which a text is abandoned, because names composed of names can double each time.
const MAX_PIECES: usize = 2000;

pub(super) fn report_leaked_rows<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let mut known: BTreeSet<Span> =
        said.iter().filter(|said| said.code == Code::LEAKED_ANSWER).map(|said| said.primary.span).collect();
    for way in ways {
        for expect in &way.asked.expects {
            let Some(value) = expect.answer_expr().filter(|value| !known.contains(&value.span)) else { continue };
            let asks_for_query = expect.matcher.record().reads == Reads::Query;
            let found = way.tellings.iter().find_map(|telling| match asks_for_query {
                true => find_query(cx.task, telling, value),
                false => find_answers(cx.task, telling, value),
            });
            let found = found.or_else(|| match asks_for_query {
                true => find_query_in_texts(cx, value, &way.asked.prompts),
                false => None,
            });
            if let Some(found) = found {
                known.insert(value.span);
                said.push(found);
            }
        }
    }
}

/// Finds the expected query in a wording.
fn find_query(task: &Task, telling: &Telling, value: &Expr) -> Option<Diagnostic> {
    let value = value.resolve_name(task);
    let ExprKind::Call(function, args) = &value.kind else { return None };
    let said = |place: Span| {
        Diagnostic::new(Code::LEAKED_ANSWER, "the prompt contains the expected query", value.span, "expected here")
            .label(place, "told here")
            .help("remove the query from the prompt")
    };
    for arg in args {
        let text = match arg {
            Arg::Sql(sql) => sql.text.clone(),
            Arg::Value(sql) if function.can_run_sql() => {
                let wanted = number_value(task, sql);
                if let Some(place) = telling.rendered.iter().find(|piece| number_value(task, piece) == wanted) {
                    return Some(said(place.span));
                }
                if let ExprKind::Name(id) = sql.resolve_name(task).kind
                    && let Some(rows) = list_telling_rows(task, telling, id, is_query_in)
                {
                    let message = format!("in {}, the question contains its SQL", describe_rows(&rows));
                    return Some(build_row_diagnostic(message, &rows, value.span));
                }
                sql.as_constant().and_then(Value::as_text).unwrap_or_default().to_owned()
            }
            _ => continue,
        };
        if is_query_in(&telling.prompt, &text) {
            return Some(said(telling.span));
        }
    }
    None
}

/// Finds the expected query in a wording or a text of the task, with placeholders where it has parameters.
fn find_query_in_texts(cx: &TaskCx<'_>, value: &Expr, prompts: &[&Expr]) -> Option<Diagnostic> {
    let task = cx.task;
    let value = value.resolve_name(task);
    let written = &value.find_query()?.text;
    let query = pack_query(task, written);
    if !query.starts_with("select") || !query.contains("from") {
        return None;
    }
    let has = |text: &Expr| pack_query(task, &render_template(task, text)).contains(&query);
    if let Some(prompt) = prompts.iter().find(|prompt| has(prompt)) {
        let said =
            Diagnostic::new(Code::LEAKED_ANSWER, "the prompt contains the expected query", value.span, "expected here");
        let place = find_beginning(cx, prompt.span, written);
        return Some(said.label(place, "told here").help("remove the query from the prompt"));
    }
    task.files.iter().find_map(|file| {
        let place = match &file.content {
            FileContent::ComputedText(text) | FileContent::ComputedTree(text) => list_texts(task, text)
                .into_iter()
                .find(|text| has(text))
                .map(|text| find_beginning(cx, text.span, written)),
            FileContent::Fixture { bytes, kind: FixtureKind::Text | FixtureKind::Tree(_) } => {
                let text = String::from_utf8_lossy(&bytes.0);
                pack_query(task, &text).contains(&query).then_some(file.span)
            }
            _ => None,
        };
        let message = format!("`{}` contains the expected query", file.name);
        let said = Diagnostic::new(Code::LEAKED_ANSWER, message, value.span, "expected here");
        Some(said.label(place?, "the same query").help("remove the query from the file"))
    })
}

/// Finds the first words of a query in the source of a text.
fn find_beginning(cx: &TaskCx<'_>, text: Span, query: &str) -> Span {
    let source = cx.sources.text(text).to_ascii_lowercase();
    let words: Vec<String> = query.split_whitespace().take(2).map(str::to_ascii_lowercase).collect();
    let Some(at) = source.find(&words.join(" ")) else { return text };
    let start = text.start + at as u32;
    Span::new(text.file, start, start + words.join(" ").len() as u32)
}

/// Lists a text, and the texts in a tree.
fn list_texts<'e>(task: &'e Task, expr: &'e Expr) -> Vec<&'e Expr> {
    let is_tree = matches!(expr.resolve_name(task).kind, ExprKind::Object(_) | ExprKind::List(_));
    if is_tree { list_values(task, expr) } else { vec![expr] }
}

/// Renders a text, with `:name` for a drawn value.
fn render_template(task: &Task, text: &Expr) -> String {
    let mut out = String::new();
    let mut open = vec![text];
    let mut left = MAX_PIECES;
    while let Some(expr) = open.pop()
        && left > 0
    {
        left -= 1;
        match &expr.kind {
            ExprKind::Const(value) => value.render_into(&mut out),
            ExprKind::Concat(pieces) => open.extend(pieces.iter().rev()),
            ExprKind::Name(id) => match task.find_computed(*id) {
                Some(inner) if matches!(inner.kind, ExprKind::Concat(_) | ExprKind::Const(_)) => open.push(inner),
                _ => {
                    out.push(':');
                    out.push_str(task.names.get(*id).map_or("", |name| name.name.as_str()));
                }
            },
            _ => out.push(DRAWN),
        }
    }
    out
}

/// Writes a text in lower case, without blanks, the names of databases before their tables, and the end of a query.
fn pack_query(task: &Task, text: &str) -> String {
    let text = text.to_lowercase();
    let mut out: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for file in task.files.iter().filter(|file| matches!(file.content, FileContent::Sqlite { .. })) {
        let prefix = format!("{}.", file.name.to_lowercase());
        out = ["from", "join", ","].iter().fold(out, |out, word| out.replace(&format!("{word}{prefix}"), word));
    }
    out.trim_end_matches(';').to_owned()
}

/// Checks whether a text contains a query, except for layout and letter case.
fn is_query_in(text: &str, query: &str) -> bool {
    let fold = |text: &str| without_layout(text).to_lowercase();
    let query = fold(query);
    let query = query.trim_end_matches([';', ' ']);
    query.starts_with("select") && query.contains(" from ") && fold(text).contains(query)
}

/// Finds rows whose question contains the answer.
fn find_answers(task: &Task, telling: &Telling, value: &Expr) -> Option<Diagnostic> {
    let ExprKind::Name(id) = value.resolve_name(task).kind else { return None };
    let rows = list_telling_rows(task, telling, id, is_answer_in)?;
    let message = format!("in {}, the question probably contains its answer", describe_rows(&rows));
    Some(build_row_diagnostic(message, &rows, value.span))
}

/// Checks whether a question contains an answer that is not one of several.
fn is_answer_in(question: &str, answer: &str) -> bool {
    let (question, answer) = (question.to_lowercase(), answer.to_lowercase());
    let is_choice = question.contains('\n') || CHOICES.split(", ").any(|word| has_word(&question, word));
    let is_telling = answer.chars().count() >= SHORTEST && answer.chars().any(char::is_alphabetic);
    is_telling && !is_choice && has_word(&question, &answer)
}

/// Lists the keys of the rows in which a cell that the wording renders contains the cell `id`. `None` if there are none.
fn list_telling_rows(
    task: &Task,
    telling: &Telling,
    id: NameId,
    contains: fn(&str, &str) -> bool,
) -> Option<Vec<String>> {
    let each = task.each.as_ref()?;
    let wanted = each.find_values(id)?;
    let is_other = |piece: &Expr| matches!(piece.kind, ExprKind::Name(other) if other != id);
    let shown: Vec<_> = telling
        .rendered
        .iter()
        .filter(|piece| is_other(piece))
        .filter_map(|piece| match piece.kind {
            ExprKind::Name(other) => each.find_values(other),
            _ => None,
        })
        .collect();
    let rows = each.rows.iter().zip(wanted.iter()).enumerate();
    let found = rows.filter(|(at, (_, cell))| {
        let answer = cell.render_text();
        !cell.is_null()
            && shown
                .iter()
                .any(|cells| cells.get(*at).and_then(Value::as_text).is_some_and(|text| contains(text, &answer)))
    });
    let keys: Vec<String> = found.map(|(_, (row, _))| row.key.clone()).collect();
    (!keys.is_empty()).then_some(keys)
}

fn describe_rows(rows: &[String]) -> String {
    match rows.len() {
        1 => "1 row".to_owned(),
        many => format!("{many} rows"),
    }
}

fn build_row_diagnostic(message: String, rows: &[String], span: Span) -> Diagnostic {
    let shown: Vec<String> = rows.iter().take(SHOWN).map(|key| format!("`{key}`")).collect();
    let more = if rows.len() > SHOWN { ", and others" } else { "" };
    Diagnostic::new(Code::LEAKED_ANSWER, message, span, "expected here")
        .note(format!("the keys of these rows: {}{more}", shown.join(", ")))
        .help("change the question, or exclude these rows with `where` after `each`")
}
