//! `idle_axis` for rows that no file has: an axis only makes a table longer, and the files that are written from it have its first rows, as many in each cell.

use model::Value;
use model::suite::{Op, RelationId};

use crate::context::TaskCx;
use hir::{Arg, Axis, ColumnSource, DrawDomain, Expr, ExprKind, Relation, Rows, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports an axis that is used only in the number of rows of a table, of which all files have the first ones. `roots` are all expressions of the task.
pub(super) fn check_capped_rows<'a>(cx: &TaskCx<'a>, axis: &Axis, roots: &[&'a Expr]) -> Option<Diagnostic> {
    let task = cx.task;
    let names_axis = |expr: &Expr| expr.has_part_through_names(task, |part| part.kind == ExprKind::Name(axis.slot));
    let mut users = roots.iter().filter(|root| names_axis(root));
    let first = users.next()?;
    let (of, own) = task.relations.iter_enumerated().find(|(_, own)| is_count(own, first))?;
    if own.file.is_some() || !users.all(|user| is_count(own, user)) || is_read(task, roots, of) {
        return None;
    }
    let least = cx.facts().count_rows(of).least;
    let taken = || task.relations.iter().filter(|other| matches!(other.rows, Rows::Taken { from, .. } if from == of));
    let caps: Option<Vec<(&Relation, &Expr)>> = taken().map(|file| Some((file, find_cap(own, file, least)?))).collect();
    let caps = caps?;
    let (file, cap) = caps.first()?;
    let declared = task.names.get(axis.slot)?;
    let message = format!(
        "axis `{}` changes nothing: `{}` has the same rows of `{}` in every cell",
        axis.name, file.name, own.name
    );
    Some(
        Diagnostic::new(Code::IDLE_AXIS, message, cap.span, "only the first rows")
            .label(declared.span, "all cells are alike")
            .help(format!("compare with `{}`, or write all rows of `{}`", axis.name, own.name)),
    )
}

/// Whether an expression is the number of rows of a table.
fn is_count(own: &Relation, expr: &Expr) -> bool {
    matches!(&own.rows, Rows::Count(low, high) if [low.span, high.span].contains(&expr.span))
}

/// Whether something other than files that are written from it reads a table.
fn is_read(task: &Task, roots: &[&Expr], of: RelationId) -> bool {
    let is_own = |arg: &Arg| match arg {
        Arg::Relation { relation, .. } | Arg::Column { relation, .. } | Arg::Each { relation, .. } => *relation == of,
        Arg::Sql(sql) => sql.analysis.tables.contains(&of),
        Arg::Value(_) | Arg::File(_) | Arg::Path(_) => false,
    };
    let reads = |part: &Expr| matches!(&part.kind, ExprKind::Call(_, args) if args.iter().any(is_own));
    let refers = |draw: &hir::Draw| matches!(draw.domain, DrawDomain::Ref { relation, .. } if relation == of);
    let mut columns = task.relations.iter().flat_map(|own| &own.columns).filter_map(|column| column.source.draw());
    let mut names = task.names.iter().filter_map(|name| name.source.draw());
    let is_nested = |own: &Relation| matches!(own.rows, Rows::PerRow { parent, .. } if parent == of);
    roots.iter().any(|root| root.has_part_through_names(task, reads))
        || columns.any(refers)
        || names.any(refers)
        || task.relations.iter().any(is_nested)
}

/// Finds the condition by which a file has at most as many of the first rows as the table always has.
fn find_cap<'f>(own: &Relation, file: &'f Relation, least: u64) -> Option<&'f Expr> {
    let Rows::Taken { filter: Some(filter), .. } = &file.rows else { return None };
    let is_serial = |expr: &Expr| {
        let column = expr.as_column_id().and_then(|id| own.columns.get(id));
        matches!(column.map(|column| &column.source), Some(ColumnSource::Draw { draw, .. }) if draw.is_serial())
    };
    filter.list_conjuncts().into_iter().find(|part| {
        let ExprKind::Binary(op, sides) = &part.kind else { return false };
        let (op, limit) = match op {
            _ if is_serial(&sides.0) => (*op, &sides.1),
            Op::Ge if is_serial(&sides.1) => (Op::Le, &sides.0),
            Op::Gt if is_serial(&sides.1) => (Op::Lt, &sides.0),
            _ => return false,
        };
        let Some(Value::Int(limit)) = limit.as_constant() else { return false };
        let most = match op {
            Op::Le | Op::Eq => *limit,
            Op::Lt => limit.saturating_sub(1),
            _ => return false,
        };
        u64::try_from(most).is_ok_and(|most| most <= least)
    })
}
