//! `unshared_rounding`: an answer rounded as the prompt asks can be wrong, because the expected value is not rounded, or rounded by one of several rules.

use std::collections::BTreeSet;
use syntax::prompts::english::lints::{HALF_PHRASES, HALF_RULES, ROUNDING};

use model::functions::{self, Fraction};
use model::suite::{NameId, Op};
use model::{Span, Value};

use super::precision::{find_inexact_leaves, has_decimal_example, is_endless};
use super::prompt_content::{Telling, Way, has_any_word};
use crate::context::{TaskCx, report_once};
use hir::types::{Ty, TyKind};
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_unshared_rounding<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        let asks = way.tellings.iter().find(|telling| !telling.opaque && has_rounding_request(telling));
        let tells_the_rule = way.tellings.iter().all(|telling| telling.opaque || has_rounding_rule(telling));
        for expect in &way.asked.expects {
            // With `graded`, a rounded number gets almost the full score.
            let graded = expect.options.iter().any(|(_, options)| options.graded.is_some());
            let Some(value) = expect.answer_expr().filter(|_| !graded) else { continue };
            for leaf in find_inexact_leaves(expect.matcher, value, &expect.options) {
                let found = match (find_rounding(cx.task, leaf, &mut BTreeSet::new()), asks) {
                    (Some(_), _) if tells_the_rule => continue,
                    (Some(rounded), _) => build_rule_diagnostic(leaf, &rounded),
                    (None, Some(telling)) if is_endless(cx.task, leaf) => build_unrounded_diagnostic(leaf, telling),
                    _ => continue,
                };
                report_once(found, said);
            }
        }
    }
}

/// The function that rounds an answer.
struct Rounded {
    span: Span,
    /// The name of a function of the language, or SQL's `ROUND`.
    function: &'static str,
    /// The number of decimal places, if it is known.
    places: Option<i64>,
}

fn build_rule_diagnostic(leaf: &Expr, rounded: &Rounded) -> Diagnostic {
    let Rounded { span, function, places } = rounded;
    let message = format!("`{function}` has a rule for halves that the prompt does not state");
    let places = places.unwrap_or(2);
    let diagnostic = Diagnostic::new(Code::UNSHARED_ROUNDING, message, leaf.span, "rounded here");
    let diagnostic = if *span == leaf.span { diagnostic } else { diagnostic.label(*span, "by this") };
    diagnostic.help(format!(
        "expect the value without `{function}`, and write `rounded {places}` after it: it accepts every rule for halves"
    ))
}

fn build_unrounded_diagnostic(leaf: &Expr, telling: &Telling) -> Diagnostic {
    Diagnostic::new(
        Code::UNSHARED_ROUNDING,
        "the prompt asks for a rounded number, and the expected value is not rounded",
        leaf.span,
        "has all its digits",
    )
    .label(telling.span, "asked here")
    .help("write `rounded 2` after the value, with the number of places that the prompt names")
}

/// Finds the function that rounds a fraction in the answer.
fn find_rounding(task: &hir::Task, expr: &Expr, seen: &mut BTreeSet<NameId>) -> Option<Rounded> {
    match &expr.kind {
        ExprKind::Name(id) if !seen.insert(*id) => None,
        ExprKind::Name(id) => find_rounding(task, task.find_computed(*id)?, seen),
        ExprKind::If(parts) => find_rounding(task, &parts.1, seen).or_else(|| find_rounding(task, &parts.2, seen)),
        ExprKind::List(items) => items.iter().find_map(|item| find_rounding(task, item, seen)),
        ExprKind::Call(function, args) => match args.as_slice() {
            [Arg::Value(value), places] if function.fraction == Fraction::Rounded => {
                let places = match places {
                    Arg::Value(places) => as_int(places),
                    _ => None,
                };
                let halves = match value.ty.kind {
                    TyKind::Float if is_never_halfway(task, value, places) => false,
                    TyKind::Decimal(Some(own)) => places.is_none_or(|places| i64::from(own) > places),
                    TyKind::Decimal(None) | TyKind::Float => true,
                    _ => false,
                };
                halves.then_some(Rounded { span: expr.span, function: function.name, places })
            }
            args if function.is_first_known() => args.iter().find_map(|arg| match arg {
                Arg::Value(value) => find_rounding(task, value, seen),
                _ => None,
            }),
            [Arg::Each { value, .. }] if function.is_value_list() => find_rounding(task, value, seen),
            args if function.query.is_some() => args.iter().find_map(|arg| match arg {
                Arg::Sql(sql) if sql.analysis.columns.iter().any(|column| column.rounded) => {
                    Some(Rounded { span: expr.span, function: "ROUND", places: None })
                }
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// Checks whether a value is never halfway between two numbers with this number of decimal places: an int divided by 12 never ends in half a cent.
/// A number with `s` places divided by `d` can only be halfway if `d` has more factors of two than `places - s`.
fn is_never_halfway(task: &hir::Task, value: &Expr, places: Option<i64>) -> bool {
    let (value, Some(most)) = (value.resolve_name(task), places) else { return false };
    if let ExprKind::Call(function, args) = &value.kind
        && function.is_first_known()
    {
        return args.iter().all(|arg| matches!(arg, Arg::Value(value) if is_never_halfway(task, value, places)));
    }
    match (count_places(&value.ty), find_quotient(task, value)) {
        (Some(own), _) => own <= most,
        (None, Some((own, by))) => by != 0 && i64::from(by.trailing_zeros()) + own <= most,
        (None, None) => false,
    }
}

/// Returns the decimal places of a dividend and the divisor, if a value is a quotient of such numbers: a division, the mean of a fixed number of values, or a
/// median, which is half of a sum.
fn find_quotient(task: &hir::Task, value: &Expr) -> Option<(i64, i64)> {
    match &value.kind {
        ExprKind::Binary(Op::Div, sides) => Some((count_places(&sides.0.ty)?, find_fixed_int(task, &sides.1)?)),
        ExprKind::Call(function, args) => {
            let [Arg::Column { relation, column, filter }] = args.as_slice() else { return None };
            let relation = task.relations.get(*relation)?;
            let column = relation.columns.get(*column)?;
            let own = count_places(&column.ty)?;
            if *function == functions::MEDIAN {
                return Some((own, 2));
            }
            let all = *function == functions::AVG && filter.is_none() && !column.ty.nullable;
            all.then(|| count_fixed_rows(relation)).flatten().map(|rows| (own, rows))
        }
        _ => None,
    }
}

/// The number of decimal places of all values of an exact type.
fn count_places(ty: &Ty) -> Option<i64> {
    match ty.kind {
        TyKind::Int => Some(0),
        TyKind::Decimal(Some(own)) => Some(i64::from(own)),
        _ => None,
    }
}

/// Returns a whole number that is the same in every sample: a constant, or the number of rows of a table with a fixed number.
fn find_fixed_int(task: &hir::Task, value: &Expr) -> Option<i64> {
    let value = value.resolve_name(task);
    match &value.kind {
        ExprKind::Call(function, args) if function.is_count() => match args.as_slice() {
            [Arg::Relation { relation, filter: None }] => count_fixed_rows(task.relations.get(*relation)?),
            _ => None,
        },
        _ => as_int(value),
    }
}

fn as_int(value: &Expr) -> Option<i64> {
    match value.as_constant() {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    }
}

fn count_fixed_rows(relation: &hir::Relation) -> Option<i64> {
    match &relation.rows {
        hir::Rows::Given(rows) => Some(i64::from(*rows)),
        hir::Rows::Count(low, high) => as_int(low).filter(|low| as_int(high) == Some(*low)),
        _ => None,
    }
}

fn has_rounding_request(telling: &Telling) -> bool {
    let text = telling.prompt.to_lowercase();
    has_any_word(&text, ROUNDING) || has_decimal_example(telling)
}

fn has_rounding_rule(telling: &Telling) -> bool {
    let text = telling.text.to_lowercase();
    has_any_word(&text, HALF_RULES) || HALF_PHRASES.split(", ").any(|phrase| text.contains(phrase))
}
