//! For `tied`: a value by its place in a sorted list, such as the second highest, where several rows can have the highest.

use model::Value;
use model::functions::Arranges;

use super::context::TaskCx;
use super::taken_rows::Rows;
use hir::{Arg, Expr, ExprKind, Task};
use syntax::diagnostics::{Code, Diagnostic};

/// Checks `nth(sort(list(t.SCORE)), 2)`: of equal values, it counts each. Returns the rows from which it takes, too.
pub(super) fn check_sorted_place<'a>(cx: &TaskCx<'a>, args: &'a [Arg], call: &Expr) -> Option<(Rows<'a>, Diagnostic)> {
    let [Arg::Value(list), Arg::Value(place)] = args else { return None };
    let Some(Value::Int(2..)) = place.resolve_name(cx.task).as_constant() else { return None };
    let rows = find_sorted_rows(cx.task, list, None)?;
    let relation = cx.task.relations.get(rows.relation)?;
    let column = relation.columns.get(rows.column)?;
    let fact = cx.facts().lookup_column(rows.relation, rows.column);
    if fact.unique || cx.facts().count_rows(rows.relation).most <= 1 {
        return None;
    }
    let name = format!("{}.{}", relation.name, column.name);
    let said = Diagnostic::new(
        Code::TIED_ANSWER,
        format!("equal values of `{name}` count separately here, but the prompt does not say whether they do"),
        call.span,
        "values can be equal",
    )
    .label(column.span, "not unique")
    .note("of 9, 9, and 7, the second highest can be 9 or 7")
    .help("say in the prompt that equal values count separately, or count them once: `dedupe(…)`");
    Some((rows, said))
}

/// The column whose values a list has in order, each as often as it occurs.
fn find_sorted_rows<'a>(task: &'a Task, list: &'a Expr, arranged: Option<Arranges>) -> Option<Rows<'a>> {
    let ExprKind::Call(function, args) = &list.resolve_name(task).kind else { return None };
    match (function.arranges, args.as_slice()) {
        (Some(Arranges::Sorted), [Arg::Value(inner)]) => find_sorted_rows(task, inner, Some(Arranges::Sorted)),
        (Some(Arranges::Reversed), [Arg::Value(inner)]) => find_sorted_rows(task, inner, arranged),
        (None, [Arg::Column { relation, column, filter }])
            if arranged == Some(Arranges::Sorted) && function.is_value_list() =>
        {
            Some(Rows { relation: *relation, column: *column, filter: filter.as_ref() })
        }
        _ => None,
    }
}
