//! `counted_condition`: `COUNT` of a condition, which counts rows in which it is false, too.

use sqlparser::ast::{BinaryOperator, Expr, Value};

use super::calls::{Call, collect_calls};
use super::example;
use super::findings::Finding;
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, is_comparison};
use crate::parse::find_expr_bytes;
use crate::scope::resolve_place;
use model::ValueType;
use syntax::diagnostics::{Applicability, Code, Diagnostic};

/// Reports `COUNT(QTY > 5)` and `COUNT(CASE WHEN QTY > 5 THEN 1 ELSE 0 END)`.
pub fn check_counted_conditions(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    let calls = collect_calls(analyser, scene);
    for call in calls.iter().filter(|call| call.name == "count" && !call.distinct) {
        found.extend(check_call(analyser, call));
    }
}

fn check_call(analyser: &Analyser<'_>, call: &Call) -> Option<Finding> {
    let argument = call.argument()?;
    if !is_condition(analyser, argument) {
        return None;
    }
    let query = analyser.query;
    let (text, inner) = (query.slice_text(call.bytes), query.slice_text(find_expr_bytes(query.tokens, argument)?));
    let instead = format!("SUM({inner})");
    let said = Diagnostic::new(
        Code::COUNTED_CONDITION,
        format!("`{text}` counts rows in which the condition is false, too"),
        query.to_span(call.bytes),
        "0 is counted as well as 1",
    )
    .note("`COUNT` counts every value that is not null, and a condition is 1 or 0")
    .help(format!("add the 1s with `{instead}`, or count rows with `COUNT(*) FILTER (WHERE …)`"))
    .replace(Applicability::Unsafe, query.to_span(call.bytes), instead.clone());
    Some(Finding::new_unconditional(said).with_reading(Reading::new_shown(call.bytes, instead)))
}

/// Whether the value of an expression is 1 where a condition holds, and otherwise 0.
fn is_condition(analyser: &Analyser<'_>, expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_condition(analyser, inner),
        Expr::BinaryOp { op, .. } => is_comparison(op) || matches!(op, BinaryOperator::And | BinaryOperator::Or),
        Expr::Like { .. }
        | Expr::InList { .. }
        | Expr::InSubquery { .. }
        | Expr::Between { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::Exists { .. } => true,
        Expr::Case { conditions, else_result: Some(otherwise), .. } => {
            let is_number = |expr: &Expr| as_number_literal::<i64>(expr).is_some();
            is_zero(otherwise) && conditions.iter().all(|when| is_number(&when.result))
        }
        // A column of conditions that is null nowhere.
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => resolve_place(&analyser.frames, expr)
            .and_then(|place| example::find_request_column(analyser, place))
            .is_some_and(|column| column.value_type == Some(ValueType::Bool) && !column.nullable),
        _ => false,
    }
}

fn is_zero(expr: &Expr) -> bool {
    let is_false = matches!(expr, Expr::Value(value) if value.value == Value::Boolean(false));
    is_false || as_number_literal::<i64>(expr) == Some(0)
}
