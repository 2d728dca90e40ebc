//! `leaked_answer`: of many files with names from a column, only the one with the answer is written, so its name tells the answer.

use model::suite::matchers::Reads;
use model::suite::{ColumnId, Op, RelationId};

use super::leaked_parts::{is_answer, list_pieces};
use super::prompt_content::Way;
use crate::context::{TaskCx, report_once};
use hir::{ColumnSource, Expr, ExprKind, Rows, Task};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_leaks_by_split_files<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let chosen = list_chosen_files(cx.task);
    if chosen.is_empty() {
        return;
    }
    for expect in ways.iter().flat_map(|way| &way.asked.expects) {
        let Some(value) = expect.answer_expr().filter(|_| expect.matcher.record().reads != Reads::Query) else {
            continue;
        };
        let leak = chosen.iter().find(|chosen| {
            let is_computed = matches!(chosen.value.resolve_name(cx.task).kind, ExprKind::Call(..) | ExprKind::If(_));
            is_computed && is_answer(cx.task, value, chosen.value)
        });
        if let Some(chosen) = leak {
            let message = format!("the only name of a file of `{}` is the expected value", chosen.name);
            let new = Diagnostic::new(Code::LEAKED_ANSWER, message, value.span, "expected here")
                .label(chosen.value.span, "only these rows are written")
                .help("write the files of the other values, too: leave this condition out");
            report_once(new, said);
        }
    }
}

/// Files with names from a column, of which only one is written.
struct ChosenFiles<'a> {
    name: &'a str,
    /// The value of the column in its rows.
    value: &'a Expr,
}

fn list_chosen_files(task: &Task) -> Vec<ChosenFiles<'_>> {
    let mut found = Vec::new();
    for file in task.files.iter().filter(|file| file.split) {
        for id in file.content.relations() {
            let Some(own) = task.relations.get(*id) else { continue };
            let Rows::Taken { filter: Some(filter), .. } = &own.rows else { continue };
            for condition in filter.list_conjuncts() {
                let Some((column, value)) = read_equality(condition) else { continue };
                let is_name = |piece: &&Expr| is_column_of(task, *id, piece, column);
                if list_pieces(task, &file.path).iter().any(is_name) {
                    found.push(ChosenFiles { name: &file.name, value });
                }
            }
        }
    }
    found
}

/// Reads `COLUMN == value`.
fn read_equality(condition: &Expr) -> Option<(ColumnId, &Expr)> {
    let ExprKind::Binary(Op::Eq, sides) = &condition.kind else { return None };
    match (sides.0.as_column_id(), sides.1.as_column_id()) {
        (Some(column), None) => Some((column, &sides.1)),
        (None, Some(column)) => Some((column, &sides.0)),
        _ => None,
    }
}

/// Checks whether a part of a path is a column of the table from which a file is written, or the column of the file that shows it.
fn is_column_of(task: &Task, relation: RelationId, piece: &Expr, column: ColumnId) -> bool {
    let Some(own) = piece.as_column_id() else { return false };
    let shown = task.find_column((relation, own)).map(|column| &column.source);
    own == column || matches!(shown, Some(ColumnSource::Taken(of)) if *of == column)
}
