//! `nulls_left_out`: `COUNT(x)` where the prompt counts rows, `AVG(x)` where it says that a missing value counts as 0,
//! and `AVG(COALESCE(x, 0))` where it does not.

use sqlparser::ast::{BinaryOperator, Expr};

use super::asked::Asked;
use super::calls::{Call, collect_calls};
use super::example;
use super::findings::{Finding, Need, ReportCondition};
use super::nulls::{is_rejecting_null, label_blank};
use super::scene::Scene;
use super::witness::Reading;
use crate::analyser::Analyser;
use crate::expressions::{as_number_literal, find_argument, find_last_name, list_arguments, split_conjuncts};
use crate::parse::find_expr_bytes;
use crate::request::{SqlColumn, SqlTable};
use crate::scope::{Place, ROW_ID, resolve_place};
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::prompts::english::queries::LEFT_OUT;

/// Reports aggregates that skip nulls which the prompt counts.
pub fn check_null_aggregates(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, found: &mut Vec<Finding>) {
    for call in collect_calls(analyser, scene).iter().filter(|call| !call.distinct) {
        found.extend(check_call(analyser, scene, call));
    }
}

fn check_call(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, call: &Call) -> Option<Finding> {
    if let Some(finding) =
        check_dropped_term(analyser, scene, call).or_else(|| check_filled_mean(analyser, scene, call))
    {
        return Some(finding);
    }
    let place = resolve_place(&analyser.frames, call.argument()?).filter(|place| place.1 != ROW_ID)?;
    let column = example::find_request_column(analyser, place)?;
    let relation = analyser.frames.last()?.relations.get(place.0)?;
    let table = relation.find_table(analyser.query.request)?;
    if !column.nullable || relation.outer || has_no_null(analyser, scene, place) {
        return None;
    }
    let (said, asked) = match call.name.as_str() {
        "count" if !column.primary_key && !column.unique => describe_count(analyser, call, table, column),
        "avg" => describe_mean(analyser, call, column),
        _ => return None,
    };
    let need = Need::Nullable(table.id, column.id);
    let reading =
        said.fixes.first().and_then(|fix| fix.edits.first()).map(|edit| Reading::new_shown(call.bytes, &*edit.text));
    let found = Finding::new_if(ReportCondition::Asked(asked), label_blank(analyser, said, column));
    Some(found.with_needs([need]).with_reading(reading))
}

/// Reports `SUM(PAID - REFUND)`, which leaves out rows in which only `REFUND` is null.
fn check_dropped_term(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, call: &Call) -> Option<Finding> {
    let Expr::BinaryOp { left, op: BinaryOperator::Plus | BinaryOperator::Minus, right } = call.argument()? else {
        return None;
    };
    if !["sum", "total", "avg"].contains(&call.name.as_str()) {
        return None;
    }
    let find = |expr: &Expr| {
        let place = resolve_place(&analyser.frames, expr).filter(|place| place.1 != ROW_ID)?;
        Some((place, example::find_request_column(analyser, place)?))
    };
    // One side has a value in every row.
    let (left, right) = match find(left)?.1.nullable {
        true => (right, left),
        false => (left, right),
    };
    let ((_, first), (place, second)) = (find(left)?, find(right)?);
    let relation = analyser.frames.last()?.relations.get(place.0)?;
    let table = relation.find_table(analyser.query.request)?;
    if first.nullable || !second.nullable || relation.outer || has_no_null(analyser, scene, place) {
        return None;
    }
    let tokens = analyser.query.tokens;
    let (text, span) = (analyser.query.slice_text(call.bytes), analyser.query.to_span(call.bytes));
    let term = analyser.query.slice_text(find_expr_bytes(tokens, right)?);
    let said = Diagnostic::new(
        Code::NULLS_LEFT_OUT,
        format!("`{text}` leaves out rows in which `{}` is null, with their `{}`", second.name, first.name),
        span,
        "null with one null",
    )
    .note("a sum or difference with a null is null, and the aggregate skips it")
    .help(format!("write `COALESCE({term}, 0)`, or say in the prompt that these rows do not count"))
    .fix(
        format!("replace with `COALESCE({term}, 0)`"),
        Applicability::Unsafe,
        analyser.query.to_span(find_expr_bytes(tokens, right)?),
        format!("COALESCE({term}, 0)"),
    );
    let heard = ReportCondition::Asked(Asked::Without(LEFT_OUT));
    let need = Need::Nullable(table.id, second.id);
    let reading = Reading::new_shown(find_expr_bytes(tokens, right)?, format!("COALESCE({term}, 0)"));
    Some(Finding::new_if(heard, label_blank(analyser, said, second)).with_needs([need]).with_reading(reading))
}

/// Reports `AVG(COALESCE(HOURS, 0))`, which counts rows in which `HOURS` is null.
fn check_filled_mean(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, call: &Call) -> Option<Finding> {
    let filled = call.argument().filter(|_| call.name == "avg" || call.name == "median")?;
    let bytes = find_expr_bytes(analyser.query.tokens, filled)?;
    let inner = find_filled(filled)?;
    let place = resolve_place(&analyser.frames, inner).filter(|place| place.1 != ROW_ID)?;
    let column = example::find_request_column(analyser, place)?;
    let relation = analyser.frames.last()?.relations.get(place.0)?;
    let table = relation.find_table(analyser.query.request)?;
    if !column.nullable || relation.outer || has_no_null(analyser, scene, place) {
        return None;
    }
    let name = analyser.query.slice_text(find_expr_bytes(analyser.query.tokens, inner)?);
    let (text, span) = (analyser.query.slice_text(call.bytes), analyser.query.to_span(bytes));
    let said = Diagnostic::new(
        Code::NULLS_LEFT_OUT,
        format!("`{text}` counts rows in which `{}` is null as 0, and the prompt does not say so", column.name),
        span,
        "0 where it is null",
    )
    .note(format!("2 rows with {} 4 and null: `{text}` is 2, and the mean of the known values is 4", column.name))
    .help(format!("leave them out, or say in the prompt that a missing `{}` counts as 0", column.name))
    .fix(format!("replace with `{name}`"), Applicability::Unsafe, span, name.to_owned());
    let need = Need::Nullable(table.id, column.id);
    let found = Finding::new_if(ReportCondition::Asked(Asked::BlankIsNotZero), label_blank(analyser, said, column));
    Some(found.with_needs([need]).with_reading(Reading::new_shown(bytes, name)))
}

/// The first argument of `COALESCE(…, 0)`.
fn find_filled(expr: &Expr) -> Option<&Expr> {
    let Expr::Function(function) = expr else { return None };
    let name = find_last_name(&function.name)?.value.to_lowercase();
    let is_zero = list_arguments(function).len() == 2
        && find_argument(function, 1).and_then(as_number_literal::<f64>).is_some_and(|zero| zero == 0.0);
    find_argument(function, 0).filter(|_| is_zero && ["coalesce", "ifnull"].contains(&name.as_str()))
}

/// Whether WHERE keeps no row in which a column is null.
fn has_no_null(analyser: &Analyser<'_>, scene: &Scene<'_, '_, '_>, place: Place) -> bool {
    let is_tested = |condition: &Expr| match condition {
        Expr::IsNotNull(inner) => resolve_place(&analyser.frames, inner) == Some(place),
        _ => false,
    };
    let mut conditions = scene.select.selection.iter().flat_map(split_conjuncts);
    conditions.any(|condition| is_tested(condition) || is_rejecting_null(analyser, condition, place))
}

fn describe_count(
    analyser: &Analyser<'_>,
    call: &Call,
    table: &SqlTable<'_>,
    column: &SqlColumn<'_>,
) -> (Diagnostic, Asked) {
    let (text, span) = (analyser.query.slice_text(call.bytes), analyser.query.to_span(call.bytes));
    let said = Diagnostic::new(
        Code::NULLS_LEFT_OUT,
        format!(
            "`{text}` leaves out rows in which `{}` is null, but the prompt asks for all rows of `{}`",
            column.name, table.name
        ),
        span,
        "counts values, not rows",
    )
    .note(format!("2 rows, one with {} null: `{text}` is 1, and `COUNT(*)` is 2", column.name))
    .help("count rows with `COUNT(*)`, or say in the prompt which rows count")
    .replace(Applicability::Unsafe, span, "COUNT(*)".to_owned());
    (said, Asked::CountsRows(table.name.to_owned(), column.name.to_owned()))
}

fn describe_mean(analyser: &Analyser<'_>, call: &Call, column: &SqlColumn<'_>) -> (Diagnostic, Asked) {
    let (text, span) = (analyser.query.slice_text(call.bytes), analyser.query.to_span(call.bytes));
    let argument = call
        .argument()
        .and_then(|argument| find_expr_bytes(analyser.query.tokens, argument))
        .map_or(column.name, |bytes| analyser.query.slice_text(bytes));
    let instead = format!("AVG(COALESCE({argument}, 0))");
    let said = Diagnostic::new(
        Code::NULLS_LEFT_OUT,
        format!("`{text}` skips rows in which `{}` is null, but the prompt says that these count as 0", column.name),
        span,
        "the mean of the other rows",
    )
    .note(format!("2 rows with {} 4 and null: `{text}` is 4, and with 0 for the null the mean is 2", column.name))
    .help(format!("write `{instead}`"))
    .replace(Applicability::Unsafe, span, instead);
    (said, Asked::BlankIsZero(column.name.to_owned()))
}
