//! `other_order` and `tied_answer`: the prompt asks for the latest row, and the key takes the last row of a table that is in no order of time, or in which
//! several rows can be the latest.

use model::functions::{Aggregate, FunctionId, Pick};
use model::suite::{ColumnId, Op, RelationId};
use model::{Span, Value};

use super::answers::Leaf;
use super::tokens::{Found, Text};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Column, ColumnSource, Expr, ExprKind, Relation, Rows};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::rows as words;

/// The least number of expected ties at which they are told.
const SELDOM: f64 = 0.01;

/// A row that the key takes by its place.
struct Taken<'a> {
    function: FunctionId,
    relation: RelationId,
    filter: Option<&'a Expr>,
    span: Span,
}

/// How the rows of a table are ordered in time.
enum TimeOrder<'a> {
    /// In no order; this column has the time.
    None(&'a Column),
    /// In the order of this column, in which values repeat.
    Tied(&'a Column),
}

/// Compares "latest" with the place of the row that the key takes.
pub(super) fn report_moments<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    if wording.can_vary() || wording.text.tokens.iter().any(|token| token.is_any(words::ORDERED)) {
        return;
    }
    let mut taken: Vec<Taken<'a>> = Vec::new();
    for leaf in leaves {
        leaf.value.visit_through_names(cx.task, &mut |part| taken.extend(read_taken(part)));
    }
    for taken in taken.iter().filter(|taken| !is_selected(cx, taken)) {
        let Some(asked) = find_time_words(&wording.text, taken.function.picks) else { continue };
        let order = cx.task.relations.get(taken.relation).and_then(|relation| find_time_order(cx, taken, relation));
        if let Some(order) =
            order.filter(|_| wording.is_in_request(asked.start) && !is_about_place(&wording.text, asked))
        {
            report_once(build_diagnostic(cx, wording, taken, (asked, order)), said);
        }
    }
}

/// Whether the words are in a sentence about places in a file.
fn is_about_place(text: &Text<'_>, asked: Found<()>) -> bool {
    let sentence = text.tokens.get(asked.start).map(|token| token.sentence);
    text.tokens.iter().any(|token| Some(token.sentence) == sentence && token.is_any(words::PLACES))
}

fn read_taken(expr: &Expr) -> Option<Taken<'_>> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    let [Arg::Column { relation, filter, .. }] = args.as_slice() else { return None };
    let is_by_place = matches!(function.picks, Some(Pick::First | Pick::Last));
    is_by_place.then_some(Taken { function: *function, relation: *relation, filter: filter.as_ref(), span: expr.span })
}

/// Whether the filter already selects one row, or rows by their time or by an extreme.
fn is_selected(cx: &TaskCx<'_>, taken: &Taken<'_>) -> bool {
    let column = |id: ColumnId| cx.task.find_column((taken.relation, id));
    let Some(filter) = taken.filter else { return false };
    filter.has_part_through_names(cx.task, |part| match &part.kind {
        ExprKind::Column(id) => column(*id).is_some_and(is_time),
        ExprKind::Binary(Op::Eq, sides) => [&sides.0, &sides.1]
            .into_iter()
            .any(|side| side.as_column_id().is_some_and(|id| cx.facts().lookup_column(taken.relation, id).unique)),
        ExprKind::Call(function, args) => {
            matches!(function.aggregate, Some(Aggregate::High | Aggregate::Low))
                || args.iter().any(|arg| matches!(arg, Arg::Sql(_)))
        }
        _ => false,
    })
}

fn is_time(column: &Column) -> bool {
    matches!(column.ty.kind, TyKind::Date | TyKind::DateTime)
}

/// Finds the words that ask for the latest or the earliest row.
fn find_time_words(text: &Text<'_>, pick: Option<Pick>) -> Option<Found<()>> {
    let (phrases, place) = match pick {
        Some(Pick::Last) => (words::LATEST, words::LAST),
        _ => (words::EARLIEST, words::FIRST),
    };
    let happened = |at: usize| {
        let token = text.tokens.get(at)?;
        let is_participle = token.lower.len() > 3 && token.lower.ends_with("ed");
        (is_participle || token.is_any(words::HAPPENED)).then_some(at)
    };
    let of_place = || {
        let mut places = text.tokens.iter().enumerate().filter(|(_, token)| token.is_word(place));
        places.find_map(|(at, _)| {
            let event = || text.tokens.get(at + 1).filter(|token| token.is_any(words::EVENTS)).map(|_| at + 1);
            let behind = happened(at + 1).or_else(event).map(|end| Found { start: at, end: end + 1, means: () });
            let before = || at.checked_sub(1).and_then(happened).map(|start| Found { start, end: at + 1, means: () });
            behind.or_else(before)
        })
    };
    text.find_any(phrases).or_else(of_place)
}

/// How the rows of a table are ordered in time. `None` if they are in the order of distinct times, or if that is not known.
fn find_time_order<'a>(cx: &TaskCx<'a>, taken: &Taken<'_>, relation: &'a Relation) -> Option<TimeOrder<'a>> {
    let times: Vec<(ColumnId, &Column)> = relation
        .columns
        .iter_enumerated()
        .filter(|(_, column)| is_time(column) && !column.name.starts_with('_'))
        .collect();
    let first = times.first()?.1;
    let is_sorted = |column: &Column| column.source.draw().is_some_and(|draw| draw.sorted);
    let by = relation.by.map(|by| by.column);
    if by.is_some() || relation.columns.iter().any(is_sorted) {
        let [(id, column)] = *times.as_slice() else { return None };
        let is_ordered = by.map_or(is_sorted(column), |by| by == id);
        return (is_ordered && can_tie(cx, (taken.relation, id))).then_some(TimeOrder::Tied(column));
    }
    let is_unordered = |column: &Column| match &column.source {
        ColumnSource::Draw { .. } => matches!(relation.rows, Rows::Count(..)),
        ColumnSource::Given(given) => !is_ascending(&given.cells.values),
        _ => false,
    };
    times.iter().all(|(_, column)| is_unordered(column)).then_some(TimeOrder::None(first))
}

fn is_ascending(values: &[Value]) -> bool {
    let texts: Vec<_> = values.iter().filter(|value| !value.is_null()).map(Value::render_text).collect();
    texts.is_sorted() || texts.iter().rev().is_sorted()
}

/// Whether two rows have the same time in some of a hundred samples.
fn can_tie(cx: &TaskCx<'_>, (relation, column): (RelationId, ColumnId)) -> bool {
    let fact = cx.facts().lookup_column(relation, column);
    let size = fact.domain.and_then(|domain| domain.cardinality());
    let rows = cx.facts().count_rows(relation).least as f64;
    !fact.unique && size.is_some_and(|size| rows > 1.0 && rows / size.max(1) as f64 > SELDOM)
}

fn build_diagnostic(
    cx: &TaskCx<'_>,
    wording: &Wording<'_, '_>,
    taken: &Taken<'_>,
    (asked, order): (Found<()>, TimeOrder<'_>),
) -> Diagnostic {
    let words = wording.quote(asked.start, asked.end);
    let place = wording.locate(asked.start, asked.end);
    let table = cx.task.relations.get(taken.relation).map_or("", |relation| relation.name.as_str());
    let function = taken.function;
    let (end, pick) = match function.picks {
        Some(Pick::First) => ("first", "min"),
        _ => ("last", "max"),
    };
    match order {
        TimeOrder::None(time) => {
            let message = format!(
                "the prompt says `{words}`, but `{function}` takes the {end} row, and the rows of `{table}` are in no order of time"
            );
            Diagnostic::new(Code::OTHER_ORDER, message, taken.span, format!("the {end} row of the file"))
                .label(place, "asked here")
                .label(time.span, "not sorted")
                .help(format!(
                    "write `sorted` in the declaration of `{0}`, or select the row by its time: `{0} == {pick}({table}.{0} where …)`",
                    time.name
                ))
        }
        TimeOrder::Tied(time) => {
            let message = format!("several rows of `{table}` can have the {words} `{}`", time.name);
            Diagnostic::new(Code::TIED_ANSWER, message, taken.span, format!("takes the {end} of them"))
                .label(time.span, "not unique")
                .label(place, "asked here")
                .help(format!("write `unique` in the declaration of `{}`, or say in the prompt that the {end} of them in the file counts", time.name))
        }
    }
}
