//! `ambiguous_precision`: a fraction is expected, but its precision is not defined.

use std::collections::BTreeSet;
use syntax::prompts::english::lints::PRECISION;

use model::Value;
use model::functions::Fraction;
use model::pointer::escape_step;
use model::suite::matchers::{Reads, Takes};
use model::suite::{Graded, Matcher, NameId, Options};

use super::prompt_content::{Telling, Way, has_any_word};
use crate::context::{TaskCx, report_once};
use hir::types::{Ty, TyKind};
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_ambiguous_precision<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        if way.tellings.iter().any(|telling| telling.opaque || has_precision_words(telling)) {
            continue;
        }
        for expect in &way.asked.expects {
            let Some(value) = expect.answer_expr() else { continue };
            for leaf in find_inexact_leaves(expect.matcher, value, &expect.options) {
                if is_endless(cx.task, leaf) {
                    report_once(build_diagnostic(cx.task, leaf), said);
                }
            }
        }
    }
}

/// Finds the parts of an answer that are compared as numbers without an option for their precision.
pub(super) fn find_inexact_leaves<'e>(
    matcher: Matcher,
    value: &'e Expr,
    options: &[(String, Options)],
) -> Vec<&'e Expr> {
    let record = matcher.record();
    let leaves = match record.takes {
        _ if record.reads != Reads::Text || !record.numbers || has_column_precisions(options, &value.ty) => Vec::new(),
        Takes::Json => value.list_leaves(),
        Takes::List if !is_float(&value.ty) => value.list_leaves(),
        _ => vec![(value, String::new())],
    };
    leaves.into_iter().filter(|(_, pointer)| !has_precision_option(options, pointer)).map(|(leaf, _)| leaf).collect()
}

/// Checks whether a part of an answer is a fraction that can have more digits than people write.
pub(super) fn is_endless(task: &hir::Task, leaf: &Expr) -> bool {
    is_float(&leaf.ty) && may_be_endless(task, leaf, &mut BTreeSet::new())
}

fn build_diagnostic(task: &hir::Task, leaf: &Expr) -> Diagnostic {
    let name = match leaf.kind {
        ExprKind::Name(id) => task.names.get(id),
        _ => None,
    };
    Diagnostic::new(
        Code::AMBIGUOUS_PRECISION,
        "the required precision is not defined",
        leaf.span,
        "can have infinitely many digits",
    )
    .help("ask for 2 decimal places in the prompt, and write `rounded 2` or `within 0.01` after the value")
    .with_labels(name.map(|name| (name.span, "computed here")))
}

fn is_float(ty: &Ty) -> bool {
    match &ty.kind {
        TyKind::Float => true,
        TyKind::List(item) | TyKind::Map(item) => item.kind == TyKind::Float,
        TyKind::Rows(columns) => columns.iter().any(|(_, ty)| ty.kind == TyKind::Float),
        _ => false,
    }
}

/// Checks whether the value at `pointer`, or a value that contains it, has the option `within`, `rounded`, or `graded above`.
fn has_precision_option(options: &[(String, Options)], pointer: &str) -> bool {
    iter_options_around(options, pointer).any(|options| {
        options.within.is_some() || options.rounded.is_some() || matches!(options.graded, Some(Graded::Above(_)))
    })
}

/// Checks whether each column of fractions has a precision of its own.
fn has_column_precisions(options: &[(String, Options)], ty: &Ty) -> bool {
    let TyKind::Rows(columns) = &ty.kind else { return false };
    let is_precise = |(name, ty): &(String, Ty)| {
        let pointer = format!("/*/{}", escape_step(name));
        ty.kind != TyKind::Float || has_precision_option(options, &pointer)
    };
    columns.iter().all(is_precise)
}

/// Iterates over the options of the value at `pointer`, and of the values that contain it.
pub(crate) fn iter_options_around<'o>(
    options: &'o [(String, Options)],
    pointer: &str,
) -> impl Iterator<Item = &'o Options> {
    let is_around =
        |place: &str| pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    options.iter().filter(move |(place, _)| is_around(place)).map(|(_, options)| options)
}

/// Checks whether a float can have more digits than people write.
fn may_be_endless(task: &hir::Task, expr: &Expr, seen: &mut BTreeSet<NameId>) -> bool {
    match &expr.kind {
        // A name that has been checked before has none.
        ExprKind::Name(id) if !seen.insert(*id) => false,
        ExprKind::Name(id) => task.find_computed(*id).is_some_and(|source| may_be_endless(task, source, seen)),
        ExprKind::Neg(inner) => may_be_endless(task, inner, seen),
        ExprKind::Binary(model::suite::Op::Div, sides) => {
            !is_terminating_divisor(&sides.1) || may_be_endless(task, &sides.0, seen)
        }
        ExprKind::Binary(_, sides) => may_be_endless(task, &sides.0, seen) || may_be_endless(task, &sides.1, seen),
        ExprKind::If(parts) => may_be_endless(task, &parts.1, seen) || may_be_endless(task, &parts.2, seen),
        ExprKind::List(items) => items.iter().any(|item| may_be_endless(task, item, seen)),
        ExprKind::Call(function, args) => match function.fraction {
            Fraction::Made => true,
            Fraction::Kept => args.iter().any(|arg| match arg {
                Arg::Value(value) | Arg::Each { value, .. } => may_be_endless(task, value, seen),
                // The analysis of the query tells whether it computes fractions without rounding them.
                Arg::Sql(sql) => sql.analysis.columns.iter().any(|column| column.endless),
                _ => false,
            }),
            Fraction::Rounded | Fraction::Never => false,
        },
        _ => false,
    }
}

/// Checks whether division by this number, such as 2, 4, 5, or 10, ends after a few decimal places.
fn is_terminating_divisor(by: &Expr) -> bool {
    matches!(by.as_constant(), Some(Value::Int(by)) if sql::has_finite_quotients(by.unsigned_abs()))
}

fn has_precision_words(telling: &Telling) -> bool {
    let text = &telling.lower_text;
    has_any_word(text, PRECISION) || has_decimal_example(telling)
}

/// Checks whether the prompt shows a number with its decimal places, as in "as 0.00".
pub(super) fn has_decimal_example(telling: &Telling) -> bool {
    let example = |word: &str| {
        word.trim_end_matches('.').split_once('.').is_some_and(|(whole, places)| {
            let digits =
                |part: &str| !part.is_empty() && part.chars().all(|c| matches!(c, '0'..='9' | 'x' | 'd' | '#'));
            digits(whole) && digits(places)
        })
    };
    telling.prompt.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '#'))).any(example)
}
