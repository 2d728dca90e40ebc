//! Sums of ints that do not fit into 64 bits: `may_fail`. A sum is reported if half of the rows with the greatest value are too much already.

use model::Value;
use model::functions::Results;
use model::suite::{Op, RelationId, Scope};

use crate::context::{TaskCx, report_once};
use hir::facts::{Facts, sum_range};
use hir::{Arg, Expr, ExprKind, Rows};
use syntax::diagnostics::{Code, Diagnostic};

/// Reports sums whose values are too large for the number of rows.
pub(super) fn report_large_sums<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, said: &mut Vec<Diagnostic>) {
    cx.task.visit_exprs(&mut |_, expr, scope| {
        expr.visit_with_scope(scope, &mut |part, _| {
            if let Some(new) = check_sum(cx, facts, part) {
                report_once(new, said);
            }
        });
    });
}

fn check_sum<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, expr: &'a Expr) -> Option<Diagnostic> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    let (relation, filter, fact) = match args.as_slice() {
        _ if function.results != Results::Sum => return None,
        [Arg::Column { relation, column, filter }] => (*relation, filter, facts.lookup_column(*relation, *column)),
        [Arg::Each { relation, value, filter }] => {
            (*relation, filter, facts.infer_expr(value, Scope::with_row(*relation)))
        }
        _ => return None,
    };
    // What is known of the results of a query are limits, which none of them may reach.
    if cx.task.relations.get(relation).is_some_and(|own| matches!(own.rows, Rows::Query(_))) {
        return None;
    }
    let range = fact.range.filter(|(low, high)| matches!((low, high), (Value::Int(_), Value::Int(_))))?;
    let most = facts.count_rows(relation).most;
    if most > u64::from(u32::MAX) || filter.as_ref().is_some_and(|filter| selects_one(facts, relation, filter)) {
        return None;
    }
    if sum_range(&range, most / 2, most / 2).is_some() {
        return None;
    }
    let declared = cx.task.relations.get(relation)?;
    let shown = cx.sources.quote(expr.span);
    let message = format!("`{shown}` can be larger than 64 bits hold");
    let label = format!("up to {most} values of up to {}", range.1.render_text());
    Some(
        Diagnostic::new(Code::MAY_FAIL, message, expr.span, label)
            .label(declared.span, format!("up to {most} rows"))
            .help("the build stops at such a sample: draw smaller values or fewer rows, or sum decimals"),
    )
}

/// Whether a filter compares a column in which no value occurs twice.
fn selects_one(facts: &Facts<'_>, relation: RelationId, filter: &Expr) -> bool {
    filter.has_part(|part| match &part.kind {
        ExprKind::Binary(Op::Eq, sides) => [&sides.0, &sides.1]
            .into_iter()
            .any(|side| side.as_column_id().is_some_and(|column| facts.lookup_column(relation, column).unique)),
        _ => false,
    })
}
