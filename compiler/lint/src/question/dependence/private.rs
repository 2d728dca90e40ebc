//! Tables that no agent gets: numbers from them with which an answer computes, although nothing shows them.
//!
//! Silent if the number is general knowledge: a unit, or the whole answer of a question without files.

use std::collections::BTreeSet;

use model::Value;
use model::suite::{ColumnId, FixtureKind, NameId, Op, RelationId};

use super::documents::collect_documents;
use super::flow::Flow;
use super::hints::{Hints, is_structural};
use crate::context::TaskCx;
use crate::question::prompt_content::Way;
use crate::question::reads::collect_read_files;
use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, FileContent, NameSource, Rows, Sql, Task};
use sql::predicates::{Atom, Side, Test};

/// The number of rows of a table whose values are compared with texts.
const MAX_ROWS: usize = 500;

/// Checks whether a table has known rows and is in no file.
pub(super) fn is_given_table(task: &Task, relation: RelationId) -> bool {
    task.relations.get(relation).is_some_and(|own| own.file.is_none() && matches!(own.rows, Rows::Given(_)))
}

/// Checks whether a name is a number from a table that no agent gets, and the answer computes with it.
pub(super) fn is_private_name(cx: &TaskCx<'_>, way: &Way<'_>, id: NameId, shown: &Flow<'_>) -> bool {
    let Some(NameSource::Draw { draw, .. }) = cx.task.names.get(id).map(|name| &name.source) else { return false };
    let DrawDomain::Ref { relation, column, .. } = &draw.domain else { return false };
    let is_answer = way.asked.iter_answers().any(|answer| answer.resolve_name(cx.task).kind == ExprKind::Name(id));
    let place = (*relation, *column);
    let is_needed = || is_limit(cx.task, way, id) || has_telling_numbers(cx.task, place);
    !is_answer && is_given_table(cx.task, *relation) && is_needed() && is_hidden_column(cx, way, place, shown)
}

/// Checks whether a column of a table that no agent gets has numbers that nothing shows, and the answer reads files, too.
pub(super) fn is_private_column(
    cx: &TaskCx<'_>,
    way: &Way<'_>,
    place: (RelationId, ColumnId),
    shown: &Flow<'_>,
) -> bool {
    has_telling_numbers(cx.task, place) && is_hidden_column(cx, way, place, shown)
}

/// Checks whether an answer compares cells with a name: no reader knows such a limit, however small it is.
fn is_limit(task: &Task, way: &Way<'_>, id: NameId) -> bool {
    let is_name = |expr: &Expr| expr.resolve_name(task).kind == ExprKind::Name(id);
    let is_atom = |sql: &Sql, atom: &Atom| {
        let Test::Compare(Op::Lt | Op::Le | Op::Gt | Op::Ge, left, right) = &atom.test else { return false };
        [left, right].into_iter().any(|side| match &side.value {
            Side::Param(name) => sql.find_param(name).is_some_and(is_name),
            _ => false,
        })
    };
    let compares = |part: &Expr| match &part.kind {
        ExprKind::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge, sides) => {
            let (left, right) = (&sides.0, &sides.1);
            left.as_column_id().is_some() && is_name(right) || right.as_column_id().is_some() && is_name(left)
        }
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Sql(sql) => sql.analysis.predicates.atoms.iter().any(|atom| is_atom(sql, atom)),
            _ => false,
        }),
        _ => false,
    };
    way.asked.iter_answers().any(|answer| answer.has_part_through_names(task, compares))
}

/// Checks whether a column of known cells has numbers apart from units.
fn has_telling_numbers(task: &Task, place: (RelationId, ColumnId)) -> bool {
    match task.find_column(place).map(|column| &column.source) {
        Some(ColumnSource::Given(given)) => has_telling_number(&given.cells.values),
        _ => false,
    }
}

/// Checks whether nothing shows a column of numbers, and the answer reads files, too.
fn is_hidden_column(
    cx: &TaskCx<'_>,
    way: &Way<'_>,
    (relation, column): (RelationId, ColumnId),
    shown: &Flow<'_>,
) -> bool {
    let task = cx.task;
    let is_each = task.each.as_ref().is_some_and(|each| each.relation == relation);
    let Some(declared) = task.find_column((relation, column)).filter(|column| column.ty.is_number()) else {
        return false;
    };
    let ColumnSource::Given(given) = &declared.source else { return false };
    let cells = &given.cells.values;
    if is_each || shown.columns.contains(&(relation, column)) || has_unread_file(task) || cells.len() > MAX_ROWS {
        return false;
    }
    let reads_file =
        way.asked.iter_answers().any(|answer| !collect_read_files(task, answer, &BTreeSet::new()).is_empty());
    reads_file && !is_copied(task, relation, cells) && !is_documented(task, way, cells)
}

/// Checks whether a column has a number with another meaning than a unit, and two different ones.
fn has_telling_number(cells: &[Value]) -> bool {
    let is_telling = |value: &Value| value.as_decimal().is_some_and(|number| !is_structural(number));
    let first = cells.first();
    cells.iter().any(is_telling) && cells.iter().any(|cell| first.is_some_and(|first| !first.is_same(cell)))
}

/// Checks whether a file has the same cells.
fn is_copied(task: &Task, relation: RelationId, cells: &[Value]) -> bool {
    let has_same = |own: &hir::Relation| {
        own.columns.iter().any(|column| match &column.source {
            ColumnSource::Given(other) => {
                let other = &other.cells.values;
                other.len() == cells.len() && other.iter().zip(cells).all(|(one, other)| one.is_same(other))
            }
            _ => false,
        })
    };
    let written_from = |own: &hir::Relation| matches!(own.rows, Rows::Taken { from, .. } if from == relation);
    task.relations.iter().any(|own| written_from(own) || own.file.is_some() && has_same(own))
}

/// Checks whether texts in the sandbox, or the prompt, tell all numbers.
fn is_documented(task: &Task, way: &Way<'_>, cells: &[Value]) -> bool {
    let mut text = collect_documents(task);
    way.tellings.iter().for_each(|telling| text.push_str(&telling.prompt));
    let hints = Hints::from_text(&text);
    cells.iter().filter(|cell| !cell.is_null()).all(|cell| hints.has_value(cell))
}

/// Checks whether the agent gets a file whose content is not read here.
fn has_unread_file(task: &Task) -> bool {
    let is_unread = |content: &FileContent| match content {
        FileContent::Fixture { kind, .. } => {
            !matches!(kind, FixtureKind::Text | FixtureKind::Tree(_) | FixtureKind::Elements(_))
        }
        FileContent::FixtureByRow(_) | FileContent::Unknown(()) => true,
        _ => false,
    };
    !task.lakes.is_empty()
        || task.iter_ways().any(|way| !way.lakes.is_empty())
        || task.files.iter().any(|file| is_unread(&file.content))
}
