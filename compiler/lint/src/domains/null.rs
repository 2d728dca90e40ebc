//! `null_answer`: the answer is a result set whose only row contains null in some samples. (`check` rejects values that can be null.)

use model::functions::QueryResult;

use super::super::idle::reads_data;
use crate::context::TaskCx;
use hir::types::TyKind;
use hir::{Expr, ExprKind, NameSource};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports every such answer that is the result set of a query.
pub fn report_null_answers(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for expect in task.iter_expects() {
        let Some(value) = expect.answer_expr() else { continue };
        value.visit_exprs(&mut |expr| {
            // A `require` that reads data in any way could exclude such samples.
            if let Some(query) = find_query(expr.resolve_name(task))
                && !task.iter_conditions().any(|condition| reads_data(task, condition))
                && let Some(column) = find_null_column(cx, query, &expr.ty.kind)
            {
                let message = format!("`{column}` is null if no row meets the condition");
                let elsewhere = matches!(expr.kind, ExprKind::Name(_));
                said.push(
                    Diagnostic::new(Code::NULL_ANSWER, message, expr.span, "can be null")
                        .with_labels(elsewhere.then_some((query.span, "an aggregate over possibly no rows")))
                        .help("redraw such samples: require count(…) > 0; or write COALESCE(…, 0) and state the default in the prompt"),
                );
            }
        });
    }
}

/// Returns the query whose result set an expression is.
fn find_query(expr: &Expr) -> Option<&hir::Sql> {
    match &expr.kind {
        ExprKind::Call(function, _) if function.query == Some(QueryResult::Rows) => expr.find_query(),
        _ => None,
    }
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
