//! `other_unit`: the prompt asks for kilometers or percent, and the key computes meters or a share from 0 to 1.

use std::ops::Range;

use model::{Decimal, Span};

use super::answers::{Leaf, find_computed, find_sole_leaf};
use super::arithmetic::{Arithmetic, collect_arithmetic};
use super::described_keys::list_described_values;
use super::measured;
use super::per_many;
use super::shown::FileColumns;
use super::tokens::{Found, Kind, Token};
use super::told_unit;
use super::wording::Wording;
use super::written_unit::{AskedUnit, find_how_many, report_written_units};
use crate::context::report_once;
use hir::{Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::units::{UNIT_LINKS, WHOLE};
use syntax::prompts::{Aggregate, Language, Unit};

/// The number of words from a negation to "percent": "not as a percentage".
const MAX_NEGATION_DISTANCE: usize = 3;

/// Compares the unit that a wording asks for with that of the only value that is expected.
pub(super) fn report_units<'a>(
    wording: &Wording<'_, 'a>,
    leaves: &[Leaf<'a>],
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    if wording.can_vary() {
        return;
    }
    let all = 0..wording.text.tokens.len();
    let described = match find_sole_leaf(leaves) {
        Some(leaf) => vec![(leaf, all)],
        None => list_described_values(wording, leaves),
    };
    for (leaf, words) in described.into_iter().filter(|(leaf, _)| leaf.value.ty.is_number()) {
        report_unit(wording, leaf, words, columns, said);
    }
}

/// Compares the unit that some words ask for with that of the value that they describe.
fn report_unit<'a>(
    wording: &Wording<'_, 'a>,
    leaf: &Leaf<'a>,
    words: Range<usize>,
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    let arithmetic = collect_arithmetic(wording.cx, leaf.value);
    report_percent(wording, leaf, &words, &arithmetic, said);
    let rate = per_many::check_rate(wording, leaf, &words, &arithmetic);
    rate.into_iter().for_each(|new| report_once(new, said));
    let asked = find_units(wording, &words);
    let Some((first, rest)) = asked.split_first() else {
        // The words of one key do not have the unit of another one.
        let how_many = || find_how_many(wording).filter(|_| words.len() == wording.text.tokens.len());
        let asked = find_option_unit(wording, leaf).or_else(how_many);
        if let Some(asked) = asked.filter(|_| arithmetic.is_plain()) {
            report_written_units(wording, leaf, &asked, columns, said);
        }
        return;
    };
    if rest.iter().any(|other| !std::ptr::eq(other.means, first.means)) {
        return;
    }
    if let Some(new) = check_unit_option(wording, leaf, first) {
        return report_once(new, said);
    }
    let own = leaf.value.resolve_name(wording.cx.task).span;
    let label = Some((own, "computed here")).filter(|_| own != leaf.value.span);
    let new = check_column_unit(wording, leaf, first, &arithmetic).map(|said| said.with_labels(label));
    let new = new.or_else(|| check_measured_unit(wording, leaf, first));
    if let Some(new) = new.or_else(|| told_unit::check_told_unit(wording, leaf, first, &arithmetic)) {
        return report_once(new, said);
    }
    if arithmetic.is_plain() {
        let (start, end) = (first.start, first.end);
        let said_so = format!("the prompt says `{}`", wording.quote(start, end));
        let asked = AskedUnit { unit: first.means, said: said_so, place: wording.locate(start, end) };
        report_written_units(wording, leaf, &asked, columns, said);
    }
}

/// The unit after `unit` of an expectation.
fn find_option_unit(wording: &Wording<'_, '_>, leaf: &Leaf<'_>) -> Option<AskedUnit> {
    let option = leaf.expect.whole_options().units.into_iter().next()?;
    let unit = find_unit(wording.language, &option)?;
    Some(AskedUnit { unit, said: format!("the expected unit is `{option}`"), place: leaf.value.span })
}

fn report_percent(
    wording: &Wording<'_, '_>,
    leaf: &Leaf<'_>,
    words: &Range<usize>,
    arithmetic: &Arithmetic,
    said: &mut Vec<Diagnostic>,
) {
    let (text, language) = (&wording.text, wording.language);
    let find = |phrases: &[&str]| {
        words.clone().find_map(|start| {
            let end = phrases.iter().filter_map(|phrase| text.match_phrase(start, phrase)).max()?;
            Some(Found { start, end, means: () })
        })
    };
    let is_hundredfold = arithmetic.has_factor("100");
    let of_ratio =
        arithmetic.is_ratio && !matches!(find_computed(wording.cx, leaf.value), Some(found) if !found.of_order);
    if !of_ratio {
        return;
    }
    let percent = find(language.percent).filter(|found| {
        let before = found.start.checked_sub(1).and_then(|at| text.tokens.get(at));
        let mut nearest = text.tokens.iter().take(found.start).rev().take(MAX_NEGATION_DISTANCE);
        !before.is_some_and(|token| token.is_operand() || token.is_any(language.numbers))
            && !nearest.any(|token| token.is_any(language.negations))
    });
    let found = match (percent, find(language.shares)) {
        (Some(found), _) if !arithmetic.is_scaled() => {
            (found, "computes a share from 0 to 1", "from 0 to 1", "multiply by 100 in the key")
        }
        (None, Some(found))
            if is_hundredfold
                && !text.has_word_beginning(language.hundred)
                && !text.tokens.iter().any(|token| token.text == "%") =>
        {
            (found, "multiplies it by 100", "from 0 to 100", "remove the factor 100 from the key")
        }
        _ => return,
    };
    let (found, what, label, help) = found;
    let words = wording.quote(found.start, found.end);
    let message = format!("the prompt asks for a `{words}`, but the key {what}");
    let own = leaf.value.resolve_name(wording.cx.task).span;
    let new = Diagnostic::new(Code::OTHER_UNIT, message, leaf.value.span, label)
        .label(wording.locate(found.start, found.end), "asked here")
        .with_labels(Some((own, "computed here")).filter(|_| own != leaf.value.span))
        .help(format!("{help}, or change the prompt"));
    report_once(new, said);
}

/// Finds the units that some words of a wording ask for: "in km".
fn find_units(wording: &Wording<'_, '_>, words: &Range<usize>) -> Vec<Found<&'static Unit>> {
    let (text, language) = (&wording.text, wording.language);
    // What describes a key is asked for.
    let is_described = words.len() < text.tokens.len();
    let mut found = find_counted_units(wording);
    found.retain(|found| words.contains(&found.start));
    for (at, token) in text.tokens.iter().enumerate().filter(|(at, _)| words.contains(at)) {
        if token.quoted || !token.is_any(language.unit_leads) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| text.tokens.get(at));
        let start = skip_whole(wording, at + 1);
        // "The sum of SECS in whole minutes" asks for minutes.
        let is_name = |before: &Token<'_>| is_column(before) && !(is_described && start > at + 1);
        if before.is_some_and(|before| before.is_any(language.unit_given) || is_name(before) || before.text == "(") {
            continue;
        }
        let is_letter = text.tokens.get(at + 1).is_some_and(|token| token.text.len() == 1 && token.text != token.lower);
        if is_letter || !(is_described || wording.is_in_request(at)) {
            continue;
        }
        let unit = language.units.iter().find_map(|unit| {
            let end = unit.words.iter().filter_map(|word| text.match_phrase(start, word)).max()?;
            Some(Found { start: at, end, means: unit })
        });
        found.extend(unit);
    }
    found
}

/// The index after "whole" before a unit: "in whole minutes".
fn skip_whole(wording: &Wording<'_, '_>, at: usize) -> usize {
    let is_whole = wording.text.tokens.get(at).is_some_and(|token| token.is_any(WHOLE));
    if is_whole { at + 1 } else { at }
}

/// Finds the units that a wording counts: "how many kilometers".
fn find_counted_units(wording: &Wording<'_, '_>) -> Vec<Found<&'static Unit>> {
    let (text, language) = (&wording.text, wording.language);
    let counted = (0..text.tokens.len()).filter_map(|start| {
        let lead = language.how_many.iter().filter_map(|phrase| text.match_phrase(start, phrase)).max()?;
        let lead = skip_whole(wording, lead);
        let is_long = text.tokens.get(lead).is_some_and(|token| token.text.len() > 1 && !token.quoted);
        let unit = language.units.iter().filter(|_| is_long).find_map(|unit| {
            let end = unit.words.iter().filter_map(|word| text.match_phrase(lead, word)).max()?;
            Some(Found { start, end, means: unit })
        });
        // "`dwell` is how many seconds it stood there" describes the data.
        let before = start.checked_sub(1).and_then(|at| text.tokens.get(at));
        let is_given = before.is_some_and(|before| before.is_any(language.unit_given) || before.is_any(UNIT_LINKS));
        unit.filter(|_| wording.is_in_request(start) && !is_given)
    });
    counted.collect()
}

/// Whether a token is a name in capital letters: "DIST in meters" describes the data.
fn is_column(token: &Token<'_>) -> bool {
    token.quoted
        || matches!(token.kind, Kind::Word)
            && token.text.len() > 1
            && token.text.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit())
}

/// Compares `unit "kg"` of an expectation with the unit that the wording asks for.
fn check_unit_option(wording: &Wording<'_, '_>, leaf: &Leaf<'_>, asked: &Found<&'static Unit>) -> Option<Diagnostic> {
    let option = leaf.expect.whole_options().units.into_iter().next()?;
    let own = find_unit(wording.language, &option)?;
    if own.measure != asked.means.measure || own.size == asked.means.size {
        return None;
    }
    Some(build_diagnostic(
        wording,
        asked,
        leaf.value.span,
        &format!("the key has the unit `{option}`"),
        "name the same unit in both",
    ))
}

fn find_unit(language: &Language, name: &str) -> Option<&'static Unit> {
    let name = name.to_lowercase();
    language.units.iter().find(|unit| unit.words.contains(&name.as_str()))
}

/// Compares the unit in the name of the column with the one that the wording asks for, and with the factor of the key.
fn check_column_unit(
    wording: &Wording<'_, '_>,
    leaf: &Leaf<'_>,
    asked: &Found<&'static Unit>,
    arithmetic: &Arithmetic,
) -> Option<Diagnostic> {
    let cx = wording.cx;
    let computed = find_computed(cx, strip_sign(cx.task, leaf.value))?;
    if arithmetic.other || matches!(computed.aggregate, Aggregate::Count | Aggregate::Distinct) {
        return None;
    }
    let column = computed.column.and_then(|(relation, column)| cx.task.relations.get(relation)?.columns.get(column));
    if asked.means.measure == "scale" {
        let is_other = !arithmetic.is_scaled() && !column.is_some_and(|column| asked.means.is_in_name(&column.name));
        let help = format!("divide by {} in the key, or change the prompt", asked.means.size);
        return is_other.then(|| build_diagnostic(wording, asked, leaf.value.span, "the key is not divided", &help));
    }
    let column = column?;
    let own = wording
        .language
        .units
        .iter()
        .find(|unit| unit.measure == asked.means.measure && unit.is_in_name(&column.name))?;
    if asked.means.measure == "data" && arithmetic.has_factor("1024") {
        return None;
    }
    let (large, small) = (own.size.max(asked.means.size), own.size.min(asked.means.size));
    let ratio = large.checked_div(small).filter(|_| large.checked_rem(small) == Some(0))?;
    let unit = own.words.first().copied().unwrap_or_default();
    if own.size == asked.means.size {
        let what = format!("`{}` has this unit, and the key converts it", column.name);
        let is_converted = arithmetic
            .factors
            .iter()
            .any(|factor| [1_000, 100, 60, 3_600, 24].iter().any(|known| *factor == Decimal::from_int(*known)));
        return is_converted.then(|| {
            build_diagnostic(
                wording,
                asked,
                leaf.value.span,
                &what,
                "remove the factor from the key, or change the prompt",
            )
        });
    }
    if arithmetic.has_factor(&ratio.to_string()) || arithmetic.factors.len() > 1 {
        return None;
    }
    // A fraction such as 0.001 converts, too.
    if arithmetic.factors.iter().any(|factor| *factor < Decimal::from_int(1)) {
        return None;
    }
    let what = format!("`{}` is in {unit}, and the key does not convert it", column.name);
    let verb = if own.size < asked.means.size { "divide" } else { "multiply" };
    Some(build_diagnostic(
        wording,
        asked,
        leaf.value.span,
        &what,
        &format!("{verb} by {ratio} in the key, or ask for {unit}"),
    ))
}

/// Compares the unit that functions, columns, and factors give the value with the one that the wording asks for.
fn check_measured_unit(wording: &Wording<'_, '_>, leaf: &Leaf<'_>, asked: &Found<&'static Unit>) -> Option<Diagnostic> {
    let own = measured::find_unit_of(wording, leaf.value)?;
    if own.measure != asked.means.measure || own.size == asked.means.size {
        return None;
    }
    let unit = own.words.first().copied().unwrap_or_default();
    let what = format!("the key computes {unit}");
    let help = format!("convert the key, or ask for {unit} in the prompt");
    Some(build_diagnostic(wording, asked, leaf.value.resolve_name(wording.cx.task).span, &what, &help))
}

/// A value without a minus before it.
fn strip_sign<'e>(task: &'e hir::Task, value: &'e Expr) -> &'e Expr {
    match &value.resolve_name(task).kind {
        ExprKind::Neg(inner) => strip_sign(task, inner),
        _ => value,
    }
}

pub(super) fn build_diagnostic(
    wording: &Wording<'_, '_>,
    asked: &Found<&'static Unit>,
    span: Span,
    what: &str,
    help: &str,
) -> Diagnostic {
    wording.contradict(Code::OTHER_UNIT, asked, what, (span, "another unit")).help(help)
}
