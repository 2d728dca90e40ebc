//! `leaked_answer`: the prompt states a code that is composed of the expected value: "On which SHELF is <<code>>?" where CODE is `"<<SHELF>>-<<NO>>"`.

use model::Span;
use model::suite::{ColumnId, NameId, Op, RelationId};

use super::leaked_parts::list_pieces;
use super::prompt_content::{Telling, Way};
use crate::context::{TaskCx, report_once};
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, NameSource, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports answers that are a part of a code of the same row that a wording states.
pub(super) fn report_leaks_by_code<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        for answer in way.asked.iter_answers() {
            let leaves = answer.list_leaves().into_iter().flat_map(|(leaf, _)| list_items(cx.task, leaf));
            for leaf in leaves {
                let leak = way.tellings.iter().find_map(|telling| find_code(cx.task, telling, leaf));
                let new = leak.and_then(|leak| build_diagnostic(cx.task, leaf, &leak));
                new.into_iter().for_each(|new| report_once(new, said));
            }
        }
    }
}

/// The items of a list, and the pieces of a text.
fn list_items<'e>(task: &'e Task, leaf: &'e Expr) -> Vec<&'e Expr> {
    match &leaf.resolve_name(task).kind {
        ExprKind::List(items) => items.iter().flat_map(|item| list_pieces(task, item)).collect(),
        ExprKind::Concat(_) => list_pieces(task, leaf),
        _ => vec![leaf],
    }
}

/// A stated code that contains an answer.
struct Leak {
    /// The column of the code.
    code: (RelationId, ColumnId),
    /// Its part that is the answer.
    part: ColumnId,
    /// Where the code is stated.
    told: Span,
}

fn find_code(task: &Task, telling: &Telling, leaf: &Expr) -> Option<Leak> {
    let value = leaf.resolve_name(task);
    let Row { relation, column, names } = find_row(task, value)?;
    names.into_iter().find_map(|(id, code)| {
        let is_told = |told: &&Expr| matches!(told.kind, ExprKind::Name(other) if other == id);
        let told = telling.rendered.iter().find(is_told)?.span;
        let code = (relation, code);
        is_part(task, code, column).then_some(Leak { code, part: column, told })
    })
}

/// An answer that is one cell of a row.
struct Row {
    relation: RelationId,
    column: ColumnId,
    /// Names that are cells of the same row, each with its column.
    names: Vec<(NameId, ColumnId)>,
}

fn find_row(task: &Task, value: &Expr) -> Option<Row> {
    match &value.kind {
        ExprKind::Name(id) => {
            let (relation, column, group) = find_draw(task, *id)?;
            let is_sibling = |(other, _): &(NameId, &hir::Name)| other != id;
            let siblings = task.names.iter_enumerated().filter(is_sibling).filter_map(|(other, _)| {
                let (of, column, own) = find_draw(task, other)?;
                (of == relation && own == group).then_some((other, column))
            });
            Some(Row { relation, column, names: siblings.collect() })
        }
        ExprKind::Call(function, args) if function.picks.is_some() => match args.as_slice() {
            [Arg::Column { relation, column, filter: Some(filter) }, ..] => {
                Some(Row { relation: *relation, column: *column, names: list_equal_names(filter) })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The names to which a filter of rows compares columns.
fn list_equal_names(filter: &Expr) -> Vec<(NameId, ColumnId)> {
    let ExprKind::Binary(Op::Eq, sides) = &filter.kind else { return Vec::new() };
    let read = |cell: &Expr, value: &Expr| match value.kind {
        ExprKind::Name(id) => Some((id, cell.as_column_id()?)),
        _ => None,
    };
    read(&sides.0, &sides.1).or_else(|| read(&sides.1, &sides.0)).into_iter().collect()
}

/// The column of which a name is a cell, with the first name that is drawn with it.
fn find_draw(task: &Task, id: NameId) -> Option<(RelationId, ColumnId, &str)> {
    let NameSource::Draw { draw, group, .. } = &task.names.get(id)?.source else { return None };
    match &draw.domain {
        DrawDomain::Ref { relation, column, .. } => Some((*relation, *column, group.as_str())),
        _ => None,
    }
}

/// Whether a column is a text with another column as it is, and something else.
fn is_part(task: &Task, code: (RelationId, ColumnId), part: ColumnId) -> bool {
    let source = task.find_column(code).map(|column| &column.source);
    let Some(ColumnSource::Compute(text)) = source else { return false };
    matches!(&text.kind, ExprKind::Concat(pieces) if pieces.iter().any(|piece| piece.as_column_id() == Some(part)))
}

fn build_diagnostic(task: &Task, leaf: &Expr, leak: &Leak) -> Option<Diagnostic> {
    let code = task.find_column(leak.code)?;
    let part = &task.find_column((leak.code.0, leak.part))?.name;
    let message = format!("the prompt states `{}`, which contains the expected `{part}`", code.name);
    Some(
        Diagnostic::new(Code::LEAKED_ANSWER, message, leaf.span, "expected here")
            .label(code.span, format!("has `{part}` in it"))
            .label(leak.told, "told here")
            .help(format!("compose `{}` of other values, or ask for another column", code.name)),
    )
}
