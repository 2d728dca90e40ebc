//! `null_answer`: the answer is a result set whose only row contains null in some samples. (`check` rejects values that can be null.)

use model::functions::QueryResult;

use super::super::TaskCx;
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind, NameSource, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports every such answer that is the result set of a query.
pub fn report_null_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects() {
        let Some(value) = expect.answer_expr() else { continue };
        value.visit_exprs(&mut |expr| {
            if let Some(query) = find_query(task, expr)
                && !is_guarded(task)
                && let Some(column) = find_null_column(cx, query, &expr.ty.kind)
            {
                let mut diagnostic = Diagnostic::new(
                    Code::NULL_ANSWER,
                    format!("`{column}` is null if no row meets the condition"),
                    expr.span,
                    "can be null",
                );
                if matches!(expr.kind, ExprKind::Name(_)) {
                    diagnostic = diagnostic.label(query.span, "an aggregate over possibly no rows");
                }
                said.push(diagnostic.help(
                    "redraw such samples: require count(…) > 0; or write COALESCE(…, 0) and state the default in the prompt",
                ));
            }
        });
    }
}

/// Returns the query whose result set an expression is.
fn find_query<'a>(task: &'a Task, expr: &'a Expr) -> Option<&'a hir::Sql> {
    match &expr.kind {
        ExprKind::Call(function, _) if function.query == Some(QueryResult::Rows) => expr.find_query(),
        ExprKind::Name(id) => match &task.names.get(*id)?.source {
            NameSource::Compute(value) => find_query(task, value),
            _ => None,
        },
        _ => None,
    }
}

/// Checks whether a `require` could exclude such samples, because it reads data in any way.
fn is_guarded(task: &Task) -> bool {
    fn is_data_dependent(task: &Task, expr: &Expr) -> bool {
        let mut found = false;
        expr.visit_exprs(&mut |expr| match &expr.kind {
            ExprKind::Call(_, args) => found |= args.iter().any(|arg| !matches!(arg, Arg::Value(_))),
            ExprKind::Name(id) => {
                if let Some(NameSource::Compute(value)) = task.names.get(*id).map(|name| &name.source) {
                    found |= is_data_dependent(task, value);
                }
            }
            _ => {}
        });
        found
    }
    task.iter_conditions().any(|condition| is_data_dependent(task, condition))
}

/// Finds the first column in which the only row of a query can be null because an aggregate has no rows.
fn find_null_column(cx: &TaskCx<'_>, query: &hir::Sql, ty: &TyKind) -> Option<String> {
    // A value drawn from the data itself always occurs in a row.
    let refers = |expr: &Expr| match &expr.kind {
        ExprKind::Const(_) => false,
        ExprKind::Name(id) => !matches!(
            cx.task.names.get(*id).map(|name| &name.source),
            Some(
                NameSource::Draw { draw: hir::Draw { domain: hir::DrawDomain::Fixed(_), .. }, .. }
                    | NameSource::Axis
                    | NameSource::Row
            )
        ),
        _ => true,
    };
    if query.params.iter().any(|(_, value)| refers(value)) {
        return None;
    }
    let TyKind::Rows(columns) = ty else { return None };
    // Only a condition can exclude all rows. A column that is nullable itself does not count.
    let ((column, _), _) =
        columns.iter().zip(&query.analysis.columns).find(|(_, column)| column.nullable && column.empty)?;
    query.analysis.is_one_row().then(|| column.clone())
}
