//! `other_precision`: the prompt asks for another number of decimals than the key has.

use model::functions::Restates;
use model::suite::Within;
use model::{Decimal, Span, Value};

use super::answers::Leaf;
use super::sql_shape::SqlShape;
use super::tokens::{Found, Kind, Text};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// The number of decimals of an expected value.
enum Places {
    /// Rounded to them, by an option or by a function with this name.
    Rounded(i64, &'static str),
    /// All of an exact value.
    All(i64),
    /// A tolerance.
    Tolerance(Decimal),
    /// A whole number.
    Whole,
}

/// Compares the decimals that a wording asks for with those of the expected values.
pub(super) fn report_precision<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let asked = find_precisions(wording);
    let Some((first, rest)) = asked.split_first() else { return };
    if !rest.iter().all(|other| other.means == first.means) || wording.text.find_any(wording.language.digits).is_some()
    {
        return;
    }
    let told = list_precisions(wording);
    let mut known: Vec<(Places, Span)> =
        leaves.iter().filter_map(|leaf| Some((find_places(wording.cx, leaf)?, leaf.value.span))).collect();
    // Decimals are asked of the fractions, and not of the counts next to them.
    if first.means != 0 && known.iter().any(|(places, _)| !matches!(places, Places::Whole)) {
        known.retain(|(places, _)| !matches!(places, Places::Whole));
    }
    // Another sentence can say it, too: "all of them as a whole, in cents" is about no rounding.
    let is_told = |places: &Places| match places {
        Places::Rounded(own, _) => told.iter().any(|other| other.means == *own),
        _ => false,
    };
    let fits = known.iter().any(|(places, _)| is_told(places) || !is_other(places, first.means, leaves.len()));
    let Some((places, span)) = known.first().filter(|_| !fits) else { return };
    report_once(build_diagnostic(wording, first, places, *span), said);
}

/// Finds the numbers of decimals that a wording asks for.
fn find_precisions(wording: &Wording<'_, '_>) -> Vec<Found<i64>> {
    let mut found = list_precisions(wording);
    found.retain(|found| wording.is_in_request(found.start));
    found
}

/// Lists the numbers of decimals of which a wording speaks, in all of its sentences.
fn list_precisions(wording: &Wording<'_, '_>) -> Vec<Found<i64>> {
    let (text, language) = (&wording.text, wording.language);
    let mut found = text.find_phrases(language.precisions);
    // "As a whole percent" is a rounding; "all of them as a whole?" is none.
    let is_word = |at: usize| text.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Word));
    let is_last = |found: &Found<i64>| text.tokens.get(found.end - 1).is_some_and(|token| token.is_word("whole"));
    found.retain(|found| !is_last(found) || is_word(found.end) || !is_before(text, found.end - 1, &["a"]));
    found.retain(|found| {
        let is_nearest = text.tokens.get(found.start).is_some_and(|token| token.is_word("nearest"));
        !is_nearest
            || is_before(text, found.start, &["to"])
            || is_before(text, found.start, &["the"]) && is_before(text, found.start - 1, &["to"])
    });
    for (at, token) in text.tokens.iter().enumerate() {
        let number = match &token.kind {
            Kind::Literal(Value::Int(number)) => Some(*number),
            Kind::Word => language.numbers.iter().position(|word| token.lower == *word).map(|number| number as i64),
            _ => None,
        };
        let number = number.filter(|number| (0..=12).contains(number));
        let fits = |phrase: &&&str| **phrase != "places" || is_before(text, at, &["to"]);
        let end = language.decimals.iter().filter(fits).filter_map(|phrase| text.match_phrase(at + 1, phrase)).max();
        found.extend(number.zip(end).map(|(means, end)| Found { start: at, end, means }));
    }
    found
}

/// Whether one of some words is before a token.
fn is_before(text: &Text<'_>, at: usize, words: &[&str]) -> bool {
    at.checked_sub(1).and_then(|at| text.tokens.get(at)).is_some_and(|token| token.is_any(words))
}

/// The number of decimals of an expected value, if it is a number.
fn find_places(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> Option<Places> {
    if !leaf.value.ty.is_number() || leaf.value.ty.is_unknown() || leaf.expect.is_any_of() {
        return None;
    }
    let around: Vec<_> = super::super::precision::iter_options_around(&leaf.expect.options, &leaf.pointer).collect();
    if around.iter().any(|options| options.graded.is_some()) {
        return None;
    }
    if let Some(places) = around.iter().find_map(|options| options.rounded) {
        return Some(Places::Rounded(i64::from(places), "rounded"));
    }
    let rounding = find_rounding(cx, leaf.value, 0);
    match around.iter().find_map(|options| options.within) {
        Some(Within::Absolute(by)) if leaf.value.ty.kind == TyKind::Float => return Some(Places::Tolerance(by)),
        Some(_) => return None,
        None => {}
    }
    match (rounding, &leaf.value.ty.kind) {
        (Some((places, name)), _) => Some(Places::Rounded(places, name)),
        (None, TyKind::Decimal(Some(places))) => Some(Places::All(i64::from(*places))),
        (None, TyKind::Int) => Some(Places::Whole),
        _ => None,
    }
}

/// The decimals to which a function rounds a value, with its name.
fn find_rounding(cx: &TaskCx<'_>, value: &Expr, depth: u32) -> Option<(i64, &'static str)> {
    let value = value.resolve_name(cx.task);
    let ExprKind::Call(function, args) = &value.kind else { return None };
    let is_rounded = function.restates == Some(Restates::Rounded);
    match args.as_slice() {
        _ if depth > 16 => None,
        [Arg::Value(_), Arg::Value(places)] if is_rounded => match places.resolve_name(cx.task).as_constant()? {
            Value::Int(places) => Some((*places, function.name)),
            _ => None,
        },
        [Arg::Value(_)] if is_rounded => Some((0, function.name)),
        [Arg::Value(inner), ..] if function.can_restate() => find_rounding(cx, inner, depth + 1),
        [.., Arg::Sql(sql)] => SqlShape::new(&sql.text)?.find_places().map(|places| (places, "ROUND")),
        _ => None,
    }
}

/// Whether an expected value has another number of decimals than `asked`.
fn is_other(places: &Places, asked: i64, leaves: usize) -> bool {
    match places {
        Places::Rounded(places, _) => *places != asked,
        Places::All(places) => *places > asked,
        Places::Tolerance(by) => is_too_narrow(*by, asked),
        Places::Whole => asked != 0 && leaves == 1,
    }
}

/// Whether a correctly rounded number can be outside of a tolerance.
fn is_too_narrow(by: Decimal, asked: i64) -> bool {
    let half = match asked {
        0 => "0.5".to_owned(),
        1..=12 => format!("0.{}5", "0".repeat(asked.unsigned_abs() as usize)),
        -12..=-1 => format!("5{}", "0".repeat(asked.unsigned_abs() as usize - 1)),
        _ => return false,
    };
    half.parse::<Decimal>().is_ok_and(|half| by < half)
}

fn build_diagnostic(wording: &Wording<'_, '_>, asked: &Found<i64>, places: &Places, span: Span) -> Diagnostic {
    let (what, label, help) = match places {
        Places::Rounded(own, name) => {
            let what = format!("the key is rounded to {}", describe_places(*own));
            let help = match *name {
                "rounded" if asked.means >= 0 => {
                    format!("write `rounded {}` in the key, or ask for {}", asked.means, describe_places(*own))
                }
                _ => format!("round the key to {}, or ask for {}", describe_places(asked.means), describe_places(*own)),
            };
            (what, format!("rounded to {}", describe_places(*own)), help)
        }
        Places::All(own) => (
            format!("the expected value has {} and is not rounded", describe_places(*own)),
            "not rounded".to_owned(),
            if asked.means >= 0 {
                format!("write `rounded {}` after the value", asked.means)
            } else {
                "round the value in the key".to_owned()
            },
        ),
        Places::Tolerance(by) => (
            format!("`within {by}` rejects numbers that are rounded so"),
            "narrower than the rounding".to_owned(),
            format!("write `rounded {}` instead of the tolerance, or ask for more decimals", asked.means.max(0)),
        ),
        Places::Whole if asked.means < 0 => (
            "the expected value is not rounded".to_owned(),
            "not rounded".to_owned(),
            "round the value in the key, or remove the request from the prompt".to_owned(),
        ),
        Places::Whole => (
            "the expected value is always a whole number".to_owned(),
            "has no decimals".to_owned(),
            "remove the decimals from the prompt, or compute the fraction that it asks for".to_owned(),
        ),
    };
    wording.contradict(Code::OTHER_PRECISION, asked, &what, (span, label)).help(help)
}

fn describe_places(places: i64) -> String {
    match places {
        0 => "whole numbers".to_owned(),
        1 => "1 decimal".to_owned(),
        2.. => format!("{places} decimals"),
        -1 => "tens".to_owned(),
        -2 => "hundreds".to_owned(),
        -3 => "thousands".to_owned(),
        _ => format!("{places} places"),
    }
}
