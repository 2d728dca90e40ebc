//! `untold_evidence`: the rows of a data set have a column that says what the terms of their questions mean, and the prompt leaves it out.

use model::suite::NameId;
use model::{Span, Value};

use super::hints::Hints;
use super::untold_rows::find_gold_cell;
use crate::context::TaskCx;
use crate::question::prompt_content::{Telling, Way};
use hir::{Column, ColumnSource, ExprKind, NameSource, Task};
use names::words::split_words;
use sql::lex;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::{EVIDENCE, INFORMED};
use syntax::prompts::has_listed;

/// Numbers up to this one are not those of a definition.
const MAX_PLAIN: f64 = 1.0;

pub(super) fn report_untold_evidence<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let Some(each) = &task.each else { return };
    let Some(table) = task.relations.get(each.relation) else { return };
    let evidence = table.columns.iter().find(|column| is_evidence(&column.name) && is_untold(task, ways, &column.name));
    let Some((name, evidence)) = evidence.and_then(|column| Some((&column.name, list_cells(column)?))) else { return };
    for way in ways.iter().filter(|way| !is_shown(task, way, name)) {
        let gold = way.asked.iter_answers().find_map(|answer| find_gold_cell(task, answer));
        let Some((gold, _)) = gold else { continue };
        let Some((telling, question, place)) = way.tellings.iter().find_map(|telling| find_question(cx, telling))
        else {
            continue;
        };
        let cells =
            |id: NameId| table.columns.iter().find(|column| is_cell_of(task, id, &column.name)).and_then(list_cells);
        let (Some(queries), Some(questions)) = (cells(gold), cells(question)) else { continue };
        let rows = evidence.iter().zip(queries.iter()).zip(questions.iter());
        let telling_rows = rows.filter(|((evidence, query), question)| {
            let texts = [evidence, query, question].map(|cell| cell.as_text().unwrap_or_default());
            is_telling(texts, &telling.prompt)
        });
        let count = telling_rows.count();
        if count > 0 {
            let rows = if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
            let message = format!("the prompt leaves out `{name}`, which says what the question means");
            said.push(
                Diagnostic::new(Code::UNTOLD_EVIDENCE, message, place, "the question alone")
                    .note(format!("in {rows}, the SQL has a value that only `{name}` tells"))
                    .help(format!("add <<{}>> to the prompt", build_sibling_name(task, question, name))),
            );
            return;
        }
    }
}

/// Checks whether the name of a column says that it explains a question.
fn is_evidence(name: &str) -> bool {
    split_words(name).last().is_some_and(|word| EVIDENCE.split_ascii_whitespace().any(|known| known == word))
}

/// Checks whether nothing reads the cell of a column, or only the wordings of some variants, and not that of one whose name says so.
fn is_untold(task: &Task, ways: &[Way<'_>], column: &str) -> bool {
    let is_informed = |way: &Way<'_>| {
        let name = way.asked.variant.map_or("", |variant| variant.name.as_str());
        split_words(name).iter().any(|word| has_listed(INFORMED, word))
    };
    let (shown, hidden): (Vec<&Way<'_>>, Vec<&Way<'_>>) = ways.iter().partition(|way| is_shown(task, way, column));
    // With and without it, the same question is asked to compare the two.
    let is_swapped =
        !shown.is_empty() && hidden.iter().all(|way| is_informed(way)) && !shown.iter().any(|way| is_informed(way));
    !task.names.keys().any(|id| is_cell_of(task, id, column)) || is_swapped
}

/// Checks whether a wording shows the cell of a column.
fn is_shown(task: &Task, way: &Way<'_>, column: &str) -> bool {
    way.tellings.iter().any(|telling| telling.names.iter().any(|id| is_cell_of(task, *id, column)))
}

/// Checks whether a name is the cell of a column of the row.
fn is_cell_of(task: &Task, id: NameId, column: &str) -> bool {
    task.names
        .get(id)
        .is_some_and(|name| matches!(name.source, NameSource::Row) && name.name.rsplit('.').next() == Some(column))
}

/// Writes the cell of another column as that of a known one is written: `q.evidence`.
fn build_sibling_name(task: &Task, known: NameId, column: &str) -> String {
    let name = task.names.get(known).map_or("", |name| name.name.as_str());
    match name.rsplit_once('.') {
        Some((row, _)) => format!("{row}.{column}"),
        None => column.to_owned(),
    }
}

fn list_cells(column: &Column) -> Option<&[Value]> {
    match &column.source {
        ColumnSource::Given(given) => Some(&given.cells.values),
        _ => None,
    }
}

/// Finds the cell with the question in a wording, and its place.
fn find_question<'w>(cx: &TaskCx<'_>, telling: &'w Telling) -> Option<(&'w Telling, NameId, Span)> {
    let each = cx.task.each.as_ref()?;
    telling.rendered.iter().find_map(|part| {
        let ExprKind::Name(id) = part.kind else { return None };
        let cells = each.find_values(id)?;
        let is_sentence = |cell: &Value| cell.as_text().is_some_and(|text| text.split(' ').count() > 3);
        cells.iter().any(is_sentence).then_some((telling, id, part.span))
    })
}

/// Checks whether a query has a value that its evidence tells, and neither its question nor the prompt.
fn is_telling([evidence, query, question]: [&str; 3], prompt: &str) -> bool {
    if evidence.trim().is_empty() {
        return false;
    }
    let (told, known) = (Hints::from_text(evidence), Hints::from_text(&format!("{question}\n{prompt}")));
    lex::tokenize_sql(query).iter().any(|token| {
        let value = match token.kind {
            lex::Kind::Number => match token.text.parse::<f64>() {
                Ok(number) if number > MAX_PLAIN => Value::Float(number),
                _ => return false,
            },
            lex::Kind::Text => Value::from_text(token.to_unquoted()),
            _ => return false,
        };
        told.has_value(&value) && !known.has_value(&value)
    })
}
