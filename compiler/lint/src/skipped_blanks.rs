//! `nulls_left_out` outside of SQL: `mean(t.X)` where the prompt says that a blank counts as 0, `count(t.X)` where it counts rows, sums with a blank term,
//! and `mean(coalesce(t.X, 0))` where it does not say that a blank counts as 0.

use model::functions::{Aggregate, FunctionId};
use model::suite::{ColumnId, Op, RelationId};
use model::{Decimal, Value};

use super::context::{TaskCx, report_once};
use super::uses::Answered;
use hir::{Arg, Expr, ExprKind};
use sql::Asked;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::queries::LEFT_OUT;

/// Reports aggregates of an answer that skip blanks which each prompt counts.
pub(super) fn report_skipped_blanks<'a>(cx: &TaskCx<'a>, answers: &[Answered<'a>], said: &mut Vec<Diagnostic>) {
    for (asked, answer) in cx.list_questions().iter().zip(answers) {
        let mut found: Vec<(Asked, Diagnostic)> = Vec::new();
        for value in asked.iter_answers() {
            value.visit_through_names(cx.task, &mut |part| found.extend(check_call(cx, part)));
        }
        for (_, new) in found.into_iter().filter(|(asked, _)| asked.is_met(&answer.prompt)) {
            report_once(new, said);
        }
    }
}

fn check_call(cx: &TaskCx<'_>, expr: &Expr) -> Option<(Asked, Diagnostic)> {
    let ExprKind::Call(function, args) = &expr.kind else { return None };
    if let [Arg::Each { relation, value, filter }] = args.as_slice() {
        return check_terms(cx, (*function, expr), (*relation, value), filter.as_ref())
            .or_else(|| check_filled(cx, (*function, expr), (*relation, value), filter.as_ref()));
    }
    let [Arg::Column { relation, column, filter }] = args.as_slice() else { return None };
    let aggregate = function.aggregate.filter(|found| matches!(found, Aggregate::Mean | Aggregate::Count))?;
    let reads_column = |filter: &Expr| filter.has_part(|part| part.as_column_id() == Some(*column));
    let is_tested = filter.as_ref().is_some_and(reads_column);
    if is_tested || !cx.facts().lookup_column(*relation, *column).nullable {
        return None;
    }
    build_diagnostic(cx, expr, (*function, aggregate), (*relation, *column))
}

/// Checks `sum(t.PAID - t.REFUND)`, which leaves out rows in which only the second one is blank.
fn check_terms(
    cx: &TaskCx<'_>,
    (function, call): (FunctionId, &Expr),
    (relation, value): (RelationId, &Expr),
    filter: Option<&Expr>,
) -> Option<(Asked, Diagnostic)> {
    let ExprKind::Binary(Op::Add | Op::Sub, sides) = &value.kind else { return None };
    let is_blank = |column: ColumnId| cx.facts().lookup_column(relation, column).nullable;
    // One side has a value in every row.
    let (first, term) = match is_blank(sides.0.as_column_id()?) {
        true => (sides.1.as_column_id()?, &sides.0),
        false => (sides.0.as_column_id()?, &sides.1),
    };
    let second = term.as_column_id()?;
    let is_tested = filter.is_some_and(|filter| filter.has_part(|part| part.as_column_id() == Some(second)));
    let is_sum = matches!(function.aggregate, Some(Aggregate::Sum | Aggregate::Mean));
    if !is_sum || is_tested || is_blank(first) || !is_blank(second) {
        return None;
    }
    let table = cx.task.relations.get(relation)?;
    let (kept, blank) = (table.columns.get(first)?, table.columns.get(second)?);
    let message = format!(
        "`{}` leaves out rows in which `{}` is blank, with their `{}`",
        cx.sources.quote(call.span),
        blank.name,
        kept.name
    );
    let said = Diagnostic::new(Code::NULLS_LEFT_OUT, message, call.span, "null with one null")
        .label(blank.span, "can be blank")
        .help(format!(
            "write `coalesce({}, 0)`, or say in the prompt that these rows do not count",
            cx.sources.quote(term.span)
        ));
    Some((Asked::Without(LEFT_OUT), said))
}

/// Checks `avg(coalesce(t.HOURS, 0))`, which counts rows in which `HOURS` is blank.
fn check_filled(
    cx: &TaskCx<'_>,
    (function, call): (FunctionId, &Expr),
    (relation, value): (RelationId, &Expr),
    filter: Option<&Expr>,
) -> Option<(Asked, Diagnostic)> {
    let ExprKind::Call(filling, args) = &value.kind else { return None };
    let [Arg::Value(cell), Arg::Value(zero)] = args.as_slice() else { return None };
    let column = cell.as_column_id()?;
    let is_zero = zero.as_constant().and_then(Value::as_decimal).is_some_and(|zero| zero == Decimal::from_int(0));
    let is_mean = matches!(function.aggregate, Some(Aggregate::Mean | Aggregate::Median));
    let is_tested = filter.is_some_and(|filter| filter.has_part(|part| part.as_column_id() == Some(column)));
    let is_blank = cx.facts().lookup_column(relation, column).nullable;
    if !filling.is_first_known() || !is_zero || !is_mean || is_tested || !is_blank {
        return None;
    }
    let declared = cx.task.relations.get(relation)?.columns.get(column)?;
    let (shown, name) = (cx.sources.quote(call.span), declared.name.as_str());
    let message = format!("`{shown}` counts rows in which `{name}` is blank as 0, and the prompt does not say so");
    let said = Diagnostic::new(Code::NULLS_LEFT_OUT, message, value.span, "0 where it is blank")
        .label(declared.span, "can be blank")
        .help(format!("leave them out, or say in the prompt that a missing `{name}` counts as 0"));
    Some((Asked::BlankIsNotZero, said))
}

fn build_diagnostic(
    cx: &TaskCx<'_>,
    call: &Expr,
    (function, aggregate): (FunctionId, Aggregate),
    (relation, column): (RelationId, ColumnId),
) -> Option<(Asked, Diagnostic)> {
    let table = cx.task.relations.get(relation)?;
    let declared = table.columns.get(column)?;
    let (shown, name) = (cx.sources.quote(call.span), declared.name.as_str());
    let (asked, message, label, help) = match aggregate {
        Aggregate::Count => (
            Asked::CountsRows(table.table.clone(), declared.name.clone()),
            format!(
                "`{shown}` leaves out rows in which `{name}` is blank, but the prompt asks for all rows of `{}`",
                table.name
            ),
            "counts values, not rows",
            format!("count rows with `{function}({} …)`, or say in the prompt which rows count", table.name),
        ),
        _ => (
            Asked::BlankIsZero(declared.name.clone()),
            format!("`{shown}` skips rows in which `{name}` is blank, but the prompt says that these count as 0"),
            "the value of the other rows",
            format!("write `{function}(coalesce({}.{name}, 0) …)`", table.name),
        ),
    };
    let said = Diagnostic::new(Code::NULLS_LEFT_OUT, message, call.span, label).label(declared.span, "can be blank");
    Some((asked, said.help(help)))
}
