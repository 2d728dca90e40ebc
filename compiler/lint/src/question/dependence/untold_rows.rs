//! `untold_literal` in data sets: the SQL of a row has another number, or another quoted text, than its question. A heuristic.

use std::collections::BTreeSet;

use model::suite::NameId;
use model::{Span, Value};

use super::hints::{Hints, is_near, read_day};
use crate::context::TaskCx;
use crate::question::prompt_content::{Telling, Way};
use hir::{Arg, Expr, ExprKind, Task};
use sql::lex;
use syntax::diagnostics::{Code, Diagnostic};

/// The number of rows that a message names.
const SHOWN: usize = 3;
/// Numbers up to this one are often not those of the question: positions, flags, and units.
const MAX_PLAIN: f64 = 12.0;

pub(super) fn report_untold_rows<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let Some(each) = &cx.task.each else { return };
    let mut known: BTreeSet<Span> = BTreeSet::new();
    for way in ways {
        let readable = way.tellings.iter().find(|telling| !telling.opaque);
        let Some(telling) = readable.or(way.tellings.first()) else { continue };
        for answer in way.asked.iter_answers() {
            let Some((id, place)) = find_gold_cell(cx.task, answer).filter(|(_, place)| known.insert(*place)) else {
                continue;
            };
            let Some(queries) = each.find_values(id) else { continue };
            let mut found: Vec<(String, String)> = Vec::new();
            for (at, (row, query)) in each.rows.iter().zip(queries.iter()).enumerate() {
                let question = join_row_cells(cx.task, telling, id, at);
                let mismatch = query.as_text().and_then(|query| find_mismatch(&question, query));
                // What cannot be read here, such as a schema, can explain everything but another year.
                let mismatch = mismatch.filter(|mismatch| !telling.opaque || mismatch.is_of_years);
                let mismatch = mismatch.map(|mismatch| mismatch.note);
                found.extend(mismatch.map(|mismatch| (row.key.clone(), mismatch)));
            }
            said.extend(build_diagnostic(&found, place));
        }
    }
}

/// Finds the cell with the SQL that an answer runs.
pub(super) fn find_gold_cell(task: &Task, answer: &Expr) -> Option<(NameId, Span)> {
    let mut found = None;
    answer.visit_through_names(task, &mut |part| {
        if let ExprKind::Call(function, args) = &part.kind
            && function.can_run_sql()
        {
            found = args.iter().find_map(|arg| match arg {
                Arg::Value(sql) => match sql.resolve_name(task).kind {
                    ExprKind::Name(id) => Some((id, part.span)),
                    _ => None,
                },
                _ => None,
            });
        }
    });
    found
}

/// Joins the cells of a row that a wording renders.
fn join_row_cells(task: &Task, telling: &Telling, query: NameId, row: usize) -> String {
    let Some(each) = &task.each else { return String::new() };
    let mut text = String::new();
    for id in telling.names.iter().filter(|id| **id != query) {
        if let Some(cell) = each.find_values(*id).and_then(|cells| cells.get(row)) {
            cell.render_into(&mut text);
            text.push('\n');
        }
    }
    text
}

/// A constant of a query in the place of another one of its question.
struct Mismatch {
    note: String,
    /// Whether both are years.
    is_of_years: bool,
}

fn is_year(number: f64) -> bool {
    (1800.0..2100.0).contains(&number) && number.fract() == 0.0
}

/// Describes the only constant of a query that its question does not have, if the question has another one instead.
fn find_mismatch(question: &str, query: &str) -> Option<Mismatch> {
    let hints = Hints::from_text(question);
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for token in lex::tokenize_sql(query) {
        match token.kind {
            lex::Kind::Number => numbers.extend(token.text.parse::<f64>().ok()),
            lex::Kind::Text => texts.push(token.to_unquoted()),
            _ => {}
        }
    }
    // Dates and codes have numbers of their own.
    let has_codes = texts.iter().any(|text| text.chars().any(|c| c.is_ascii_digit()) || read_day(text).is_some());
    let untold: Vec<&f64> =
        numbers.iter().filter(|number| **number > MAX_PLAIN && !hints.has_number(**number)).collect();
    let all = Hints::from_numbers(numbers.clone());
    let mut strange: Vec<f64> = Vec::new();
    for number in hints.numbers.iter().filter(|number| **number > MAX_PLAIN && !all.has_number(**number)) {
        if !strange.iter().any(|known| is_near(*known, *number)) {
            strange.push(*number);
        }
    }
    if let ([mine], [theirs], false) = (untold.as_slice(), strange.as_slice(), has_codes) {
        let is_of_years = [**mine, *theirs].iter().all(|number| is_year(*number));
        return Some(Mismatch { note: format!("the SQL has {mine}, and the question {theirs}"), is_of_years });
    }
    let untold: Vec<&String> = texts
        .iter()
        .filter(|text| {
            text.chars().count() > 3 && !text.contains('%') && !hints.has_value(&Value::from_text(text.as_str()))
        })
        .collect();
    let quoted =
        list_quoted(question).into_iter().filter(|quoted| !query.to_lowercase().contains(&quoted.to_lowercase()));
    match (untold.as_slice(), quoted.collect::<Vec<_>>().as_slice()) {
        ([mine], [theirs]) => {
            Some(Mismatch { note: format!("the SQL has '{mine}', and the question '{theirs}'"), is_of_years: false })
        }
        _ => None,
    }
}

/// Lists the texts in quotes.
fn list_quoted(text: &str) -> Vec<&str> {
    let marked = text.split('"').skip(1).step_by(2);
    marked.filter(|part| !part.is_empty() && part.chars().count() < 40 && !part.contains('\n')).collect()
}

fn build_diagnostic(found: &[(String, String)], place: Span) -> Option<Diagnostic> {
    let (_, first) = found.first()?;
    let count = if found.len() == 1 { "1 row".to_owned() } else { format!("{} rows", found.len()) };
    let keys: Vec<String> = found.iter().take(SHOWN).map(|(key, _)| format!("`{key}`")).collect();
    let more = if found.len() > SHOWN { ", and others" } else { "" };
    let message = format!("in {count}, the SQL probably has another value than the question");
    Some(
        Diagnostic::new(Code::UNTOLD_LITERAL, message, place, "run here")
            .note(format!("the keys of these rows: {}{more}; in the first, {first}", keys.join(", ")))
            .help("correct the data, or exclude these rows with `where` after `each`"),
    )
}
