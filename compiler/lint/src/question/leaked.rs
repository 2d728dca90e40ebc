//! `leaked_answer`: the prompt contains the value that should be found in the data.

use std::collections::BTreeSet;

use model::Span;
use model::suite::matchers::{Reads, Takes};
use model::suite::{NameId, Op};

use super::dependence::value_number::{number_value, strip_layout};
use super::leaked_parts::{can_be_name, list_pieces};
use super::prompt_content::{Telling, Way};
use super::reads::collect_read_files;
use crate::context::TaskCx;
use hir::types::TyKind;
use hir::{ColumnSource, DrawDomain, Expr, ExprKind, Rows};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaked_answers<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    report_leaks_by_id(cx.task, ways, said);
    if cx.task.files.is_empty() && cx.task.each.is_none() {
        return;
    }
    let mut known: Vec<(Span, Span)> = Vec::new();
    for way in ways {
        let answers = list_answers(cx.task, way);
        for expect in &way.asked.expects {
            let record = expect.matcher.record();
            // A value that must not be in the reply is no answer.
            let is_asked = record.reads != Reads::Query && record.takes != Takes::Texts && !expect.is_any_of();
            let Some(value) = expect.answer_expr().filter(|_| is_asked) else {
                continue;
            };
            let leaves = if record.keys { value.list_leaves() } else { vec![(value, String::new())] };
            for (leaf, _) in leaves {
                let extent = Extent::new(leaf, value);
                let leak = way.tellings.iter().find_map(|telling| find_leak(cx.task, telling, leaf, extent, &answers));
                // A stage can state what the stages before it ask for.
                let tellings = way.tellings.iter().filter(|_| !way.asked.is_stage);
                let leak = leak
                    .or_else(|| tellings.into_iter().find_map(|telling| find_told_operands(cx.task, telling, leaf)));
                let Some(leak) = leak.filter(|leak| !known.contains(&(*leak, leaf.span))) else { continue };
                known.push((leak, leaf.span));
                let what = match extent {
                    Extent::Whole => "the expected value",
                    Extent::Part => "a part of the expected value",
                };
                let message = match is_count_of_drawn_rows(cx.task, leaf) {
                    true => format!("the prompt states the number of rows, which is {what}"),
                    false => format!("the prompt contains {what}"),
                };
                let new = Diagnostic::new(Code::LEAKED_ANSWER, message, leaf.span, "expected here");
                said.push(new.label(leak, "told here").help("ask for something that the agent must find in the data"));
                // An example tells all parts of an answer at once.
                if extent == Extent::Part {
                    break;
                }
            }
        }
    }
}

/// Reports answers that are the value of an axis with labels that say it: the id of the instance has them.
fn report_leaks_by_label(task: &hir::Task, ways: &[Way<'_>], said: &mut Vec<Diagnostic>) {
    let mut known: Vec<Span> = Vec::new();
    for value in ways.iter().flat_map(|way| way.asked.iter_answers()) {
        let ExprKind::Name(id) = value.resolve_name(task).kind else { continue };
        let Some(axis) = task.axes.iter().find(|axis| axis.slot == id && axis.cells.len() > 1) else { continue };
        let is_said = |(label, cell): &(String, Expr)| {
            let text = cell.as_constant().and_then(|cell| cell.as_text().map(str::to_owned));
            text.is_some_and(|text| has_same_letters(label, &text))
        };
        let is_told = ways.iter().any(|way| way.tellings.iter().any(|telling| telling.names.contains(&id)));
        if is_told || known.contains(&value.span) || !axis.cells.iter().all(is_said) {
            continue;
        }
        known.push(value.span);
        let declared = task.names.get(id).map(|name| (name.span, "its labels are in the id"));
        let message = format!("the id of the instance contains the expected value, the value of axis `{}`", axis.name);
        said.push(
            Diagnostic::new(Code::LEAKED_ANSWER, message, value.span, "expected here")
                .with_labels(declared)
                .note("agents are told the id, which has the labels of axes")
                .help(format!(
                    "draw the value instead, or give the cells other labels: axis {} = {{ a: …, b: … }}",
                    axis.name
                )),
        );
    }
}

/// Checks whether two texts have the same letters and digits.
fn has_same_letters(one: &str, other: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    letters(one) == letters(other)
}

/// Reports answers that are the key of the row: the agent knows it from the id of the instance.
fn report_leaks_by_id(task: &hir::Task, ways: &[Way<'_>], said: &mut Vec<Diagnostic>) {
    report_leaks_by_label(task, ways, said);
    let Some(each) = &task.each else { return };
    let is_key = |id: NameId| {
        let cells = each.find_values(id).filter(|cells| !cells.is_empty());
        cells.is_some_and(|cells| cells.iter().zip(&each.rows).all(|(cell, row)| *cell.render_text() == *row.key))
    };
    let mut known: Vec<Span> = Vec::new();
    for expect in ways.iter().flat_map(|way| &way.asked.expects) {
        let Some(value) = expect.answer_expr().filter(|value| !known.contains(&value.span)) else { continue };
        if matches!(value.resolve_name(task).kind, ExprKind::Name(id) if is_key(id)) {
            known.push(value.span);
            let message = "the id of the instance contains the expected value";
            said.push(
                Diagnostic::new(Code::LEAKED_ANSWER, message, value.span, "the key of the row")
                    .note("agents are told the id, which has the key of the row")
                    .help("use another column as the `key` of `each`, or remove `key`"),
            );
        }
    }
}

/// How much of an expected value an answer is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// One of its values.
    Part,
}

impl Extent {
    /// Compares an answer with the expected value that it belongs to.
    pub fn new(answer: &Expr, expected: &Expr) -> Extent {
        if answer.span == expected.span { Extent::Whole } else { Extent::Part }
    }
}

/// Lists the values that a way of asking expects, without names and layout.
fn list_answers(task: &hir::Task, way: &Way<'_>) -> Vec<Expr> {
    let leaves = way.asked.expects.iter().filter_map(|expect| {
        let value = expect.answer_expr()?;
        Some(if expect.matcher.record().keys { value.list_leaves() } else { vec![(value, String::new())] })
    });
    leaves.flatten().map(|(leaf, _)| strip_layout(&number_value(task, leaf)).clone()).collect()
}

/// Returns the span where a wording renders the value, if that reveals the answer. The other `answers` are not alternatives to it.
fn find_leak(task: &hir::Task, telling: &Telling, answer: &Expr, extent: Extent, answers: &[Expr]) -> Option<Span> {
    if matches!(answer.kind, ExprKind::Const(_) | ExprKind::FilePath(_) | ExprKind::Folder(_) | ExprKind::Sandbox) {
        return None;
    }
    let value = number_value(task, answer);
    let wanted = strip_layout(&value).clone();
    if matches!(wanted.kind, ExprKind::Concat(_) | ExprKind::List(_)) {
        return find_told_pieces(task, telling, answer);
    }
    if matches!(wanted.kind, ExprKind::Const(_) | ExprKind::FilePath(_) | ExprKind::Folder(_)) {
        return None;
    }
    if !is_found(task, answer, extent) {
        return None;
    }
    let same = |piece: &&Expr| {
        let piece = number_value(task, piece);
        piece == value || *strip_layout(&piece) == wanted
    };
    let place = telling.rendered.iter().find(same)?;
    // The prompt lists several values for the agent to choose from.
    let plain = resolve_names(task, answer);
    let choice = telling.rendered.iter().any(|other| {
        let number = number_value(task, other);
        // What is listed besides the answer leaves its place as it is.
        let is_beside = || match answer.kind {
            // Several wordings can have different orders.
            _ if task.prompt.wordings.len() > 1 => false,
            ExprKind::Name(id) => other.has_part_through_names(task, |part| part.kind == ExprKind::Name(id)),
            _ => false,
        };
        !is_beside()
            && !answers.contains(strip_layout(&number))
            && is_alternative(task, &plain, &resolve_names(task, other))
    });
    (!choice).then_some(place.span)
}

/// Returns the span where a wording renders the first of the values of which an answer is composed, if it renders all of them: an example that is the answer.
fn find_told_pieces(task: &hir::Task, telling: &Telling, answer: &Expr) -> Option<Span> {
    let pieces = match &answer.resolve_name(task).kind {
        ExprKind::List(items) => items.iter().collect(),
        _ => list_pieces(task, answer),
    };
    let values = pieces.iter().filter(|piece| !matches!(piece.resolve_name(task).kind, ExprKind::Const(_)));
    let places: Option<Vec<(&Expr, Span)>> = values
        .map(|piece| {
            let wanted = number_value(task, piece);
            let place = telling.rendered.iter().find(|told| number_value(task, told) == wanted)?;
            Some((*piece, place.span))
        })
        .collect();
    let places = places?;
    // A drawn value is told more often than not: what is computed from the files is not.
    places
        .iter()
        .any(|(piece, _)| is_found(task, piece, Extent::Part))
        .then(|| places.first().map(|(_, span)| *span))?
}

/// Returns the span where a wording renders the first operand of an answer, if it renders all of them, and several are computed from files.
fn find_told_operands(task: &hir::Task, telling: &Telling, answer: &Expr) -> Option<Span> {
    let (mut open, mut operands) = (vec![answer], Vec::new());
    while let Some(part) = open.pop() {
        let part = part.resolve_name(task);
        match &part.kind {
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div, sides) => open.extend([&sides.1, &sides.0]),
            ExprKind::Call(function, args) if function.places.is_some() => match args.first() {
                Some(hir::Arg::Value(inner)) => open.push(inner),
                _ => return None,
            },
            ExprKind::Const(_) => {}
            _ => operands.push(part),
        }
    }
    let find = |wanted: &&Expr| {
        let wanted = number_value(task, wanted);
        telling.rendered.iter().find(|told| number_value(task, told) == wanted).map(|told| told.span)
    };
    let places: Vec<Span> = operands.iter().map(find).collect::<Option<_>>()?;
    let computed = operands.iter().filter(|operand| is_found(task, operand, Extent::Part)).count();
    places.first().copied().filter(|_| computed > 1)
}

/// Checks whether the agent must find a value. A computed answer is read from the data. A drawn one is written to the data or was drawn from it.
pub(super) fn is_found(task: &hir::Task, answer: &Expr, extent: Extent) -> bool {
    let answer = answer.resolve_name(task);
    match &answer.kind {
        ExprKind::Name(id) => extent == Extent::Whole && (is_in_data(task, *id) || is_row_cell(task, *id)),
        _ => !collect_read_files(task, answer, &BTreeSet::new()).is_empty(),
    }
}

/// Checks whether a name is a cell of the row that is asked.
fn is_row_cell(task: &hir::Task, id: NameId) -> bool {
    task.names.get(id).is_some_and(|name| matches!(name.source, hir::NameSource::Row))
}

/// Checks whether an answer is the number of rows of a table, and that number is a name.
fn is_count_of_drawn_rows(task: &hir::Task, answer: &Expr) -> bool {
    let is_name = |expr: &Expr| matches!(expr.kind, ExprKind::Name(_));
    !is_name(answer.resolve_name(task)) && is_name(&number_value(task, answer))
}

/// Checks whether two values could be alternatives in the prompt.
fn is_alternative(task: &hir::Task, wanted: &Expr, other: &Expr) -> bool {
    match (&wanted.kind, &other.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => match (find_draw(task, *a), find_draw(task, *b)) {
            (
                Some(DrawDomain::Ref { relation: r, column: c, .. }),
                Some(DrawDomain::Ref { relation: s, column: d, .. }),
            ) => (r, c) == (s, d),
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
        (ExprKind::Call(..) | ExprKind::If(_), _) => {
            matches!(other.ty.kind, TyKind::List(_))
                || wanted.ty.kind == other.ty.kind && !collect_read_files(task, other, &BTreeSet::new()).is_empty()
        }
        _ => false,
    }
}

/// Returns the domain of a drawn name.
fn find_draw(task: &hir::Task, id: NameId) -> Option<&DrawDomain> {
    Some(&task.names.get(id)?.source.draw()?.domain)
}

/// Checks whether a drawn value comes from a file or is written to one.
fn is_in_data(task: &hir::Task, id: NameId) -> bool {
    if let Some(DrawDomain::Ref { relation, .. }) = find_draw(task, id) {
        let relation = *relation;
        let is_written = |rows: &Rows| matches!(rows, Rows::Taken { from, .. } if *from == relation);
        return task.relations.get(relation).is_some_and(|relation| relation.file.is_some())
            || task.relations.iter().any(|other| is_written(&other.rows));
    }
    let mut found = false;
    let mut look = |expr: &Expr| expr.visit_names(&mut |name| found |= name == id);
    for file in &task.files {
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, value, _| look(value));
    }
    // Also counts a computed column that is nothing but the name in some of its rows.
    for column in task.relations.iter().filter(|relation| relation.file.is_some()).flat_map(|known| &known.columns) {
        if let ColumnSource::Compute(value) = &column.source {
            found |= can_be_name(value, id);
        }
    }
    found
}

/// Replaces names by their definitions, and removes spans: equal results mean that the author wrote the same.
pub(super) fn resolve_names(task: &hir::Task, expr: &Expr) -> Expr {
    expr.resolve_name(task).without_spans()
}
