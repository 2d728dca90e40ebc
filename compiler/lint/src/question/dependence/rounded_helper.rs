//! Helper columns that a file shows only rounded, where the answer compares them exactly: `_RAW > 5` next to `SCORE = floor(_RAW)`.

use model::functions::{CEIL, FLOOR, FunctionId, Restates};
use model::suite::{ColumnId, Op, RelationId};

use crate::question::prompt_content::Way;
use crate::reach::files::collect_renderings;
use hir::{Arg, ColumnSource, Expr, ExprKind, Task};

/// Checks whether a column is a helper of which only rounded values are written, and an answer compares it in a way that these do not tell.
pub(super) fn is_only_rounded(task: &Task, way: &Way<'_>, (relation, column): (RelationId, ColumnId)) -> bool {
    let Some(own) = task.relations.get(relation) else { return false };
    let is_helper = own.columns.get(column).is_some_and(|own| own.helper && own.ty.is_number());
    if !is_helper || own.file.is_none() || collect_renderings(task).iter().any(|file| file.from == relation) {
        return false;
    }
    let reads = |value: &Expr| has_cell(value, column);
    let computed = own.columns.iter().filter_map(|other| match &other.source {
        ColumnSource::Compute(value) => Some(value),
        _ => None,
    });
    let readers: Vec<&Expr> = computed.filter(|value| reads(value)).collect();
    // What else reads the column can show it.
    let is_drawn_by = own.columns.iter().any(|other| {
        let mut found = false;
        if let ColumnSource::Draw { draw, .. } = &other.source {
            draw.visit_exprs(model::suite::Scope::with_row(relation), &mut |_, value, _| found |= reads(value));
        }
        found
    });
    let is_rounded = !readers.is_empty() && readers.iter().all(|value| find_rounding(value, column).is_some());
    let is_sorted = own.by.is_some_and(|by| by.column == column);
    if !is_rounded || is_drawn_by || is_sorted || is_shown_elsewhere(task, (relation, column)) {
        return false;
    }
    let functions: Vec<FunctionId> = readers.iter().filter_map(|value| find_rounding(value, column)).collect();
    way.asked.iter_answers().any(|answer| is_compared_exactly(task, answer, (relation, column), &functions))
}

/// Whether an expression reads a cell of a column.
fn has_cell(value: &Expr, column: ColumnId) -> bool {
    let mut found = false;
    value.visit_exprs(&mut |part| found |= part.as_column_id() == Some(column));
    found
}

/// The function that rounds the column, if a value is nothing else.
fn find_rounding(value: &Expr, column: ColumnId) -> Option<FunctionId> {
    match &value.kind {
        ExprKind::Call(function, args) if function.restates == Some(Restates::Rounded) => match args.first() {
            Some(Arg::Value(inner)) if inner.as_column_id() == Some(column) => Some(*function),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a file or a name that is computed for one reads the column.
fn is_shown_elsewhere(task: &Task, (relation, column): (RelationId, ColumnId)) -> bool {
    let reads = |part: &Expr| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Column { relation: of, column: at, .. } => (*of, *at) == (relation, column),
            Arg::Each { relation: of, value, .. } => *of == relation && has_cell(value, column),
            Arg::Sql(sql) => sql.analysis.reads.contains(&(relation, column)),
            Arg::Relation { .. } | Arg::Value(_) | Arg::File(_) | Arg::Path(_) => false,
        }),
        _ => false,
    };
    let mut found = false;
    for file in &task.files {
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, value, scope| {
            let is_line = scope.row == Some(relation) && has_cell(value, column);
            found |= is_line || value.has_part_through_names(task, reads);
        });
    }
    found
}

/// Whether an answer compares the column in a way that its rounded values do not decide. The value that `floor` gives decides `>=` and `<` of a whole number,
/// and that of `ceil` decides `>` and `<=`.
fn is_compared_exactly(task: &Task, answer: &Expr, place: (RelationId, ColumnId), by: &[FunctionId]) -> bool {
    let is_decided = |op: Op| match op {
        Op::Ge | Op::Lt => by.contains(&FLOOR),
        Op::Gt | Op::Le => by.contains(&CEIL),
        _ => false,
    };
    let is_exact = |part: &Expr| {
        let ExprKind::Binary(op @ (Op::Lt | Op::Le | Op::Gt | Op::Ge), sides) = &part.kind else { return false };
        let is_cell = |side: &Expr| side.as_column_id() == Some(place.1);
        is_cell(&sides.0) && !is_decided(*op) || is_cell(&sides.1) && !is_decided(op.swap_sides())
    };
    answer.has_part_through_names(task, |part| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Relation { relation, filter: Some(filter) }
            | Arg::Column { relation, filter: Some(filter), .. }
            | Arg::Each { relation, filter: Some(filter), .. } => {
                let mut found = false;
                filter.visit_exprs(&mut |part| found |= is_exact(part));
                *relation == place.0 && found
            }
            _ => false,
        }),
        _ => false,
    })
}
