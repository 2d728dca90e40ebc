//! `other_form`: the prompt asks for yes or no, capital letters, a JSON array, or a name, and the key has another form.

use hir::types::TyKind;
use model::answer_key::Subject;
use model::functions::Order;
use model::suite::{Ignore, Matcher};

use super::answers::{Leaf, find_sole_leaf};
use super::clocks;
use super::dates;
use super::json_kinds;
use super::mismatch::Mismatch;
use super::pairs;
use super::possible_texts::has_text_with;
use super::tokens::Found;
use super::wording::Wording;
use crate::context::report_once;
use hir::{Arg, ExprKind};
use model::Value;
use syntax::diagnostics::{Code, Diagnostic};

/// Compares the form that a wording asks for with that of the expected value.
pub(super) fn report_forms<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    if let Some((found, leaf)) = check_shape(wording, leaves).or_else(|| check_bare(wording, leaves)) {
        return report_once(build_diagnostic(wording, &found, leaf), said);
    }
    json_kinds::report_json_kinds(wording, leaves, said);
    let Some(leaf) = find_sole_leaf(leaves) else {
        // Among several values, the only date.
        let mut days = leaves.iter().filter(|leaf| leaf.value.ty.kind == TyKind::Date);
        let day = days.next().filter(|_| days.next().is_none());
        let found = day.and_then(|day| Some((dates::check_date(wording, day)?, day)));
        found.into_iter().for_each(|(found, day)| report_once(build_diagnostic(wording, &found, day), said));
        return;
    };
    let checks =
        [pairs::check_pair, clocks::check_clock, check_kind, check_letters, check_separator, dates::check_date];
    let Some(found) = checks.iter().find_map(|check| check(wording, leaf)) else { return };
    report_once(build_diagnostic(wording, &found, leaf), said);
}

fn build_diagnostic(wording: &Wording<'_, '_>, found: &Mismatch, leaf: &Leaf<'_>) -> Diagnostic {
    let span = if leaf.pointer.is_empty() { leaf.value.span } else { leaf.expect.span };
    let place = (span, found.label.clone());
    wording.contradict(Code::OTHER_FORM, &found.asked, &found.what, place).help(found.help.clone())
}

/// Compares "JSON array" and "JSON object" with the only value that the reply has.
fn check_shape<'l, 'a>(wording: &Wording<'_, '_>, leaves: &'l [Leaf<'a>]) -> Option<(Mismatch, &'l Leaf<'a>)> {
    let (first, rest) = leaves.split_first()?;
    let of_reply = matches!(first.expect.subject, Subject::Reply(_)) && first.expect.at.is_none();
    if !of_reply || rest.iter().any(|other| !std::ptr::eq(other.expect, first.expect)) || first.expect.is_any_of() {
        return None;
    }
    let is_object = match (&first.expect.answer_expr()?.ty.kind, first.expect.matcher) {
        (TyKind::Object(_) | TyKind::Map(_), Matcher::Json) => true,
        // One object on each line is a list.
        (TyKind::List(item), Matcher::Json | Matcher::List) if item.is_scalar() => false,
        _ => return None,
    };
    let language = wording.language;
    let (array, object) = (wording.text.find_any(language.arrays), wording.text.find_any(language.objects));
    let (asked, what, help) = match (array, object) {
        (Some(asked), None) if is_object => (asked, "the key is an object", "expect a list, or ask for an object"),
        (None, Some(asked)) if !is_object => (asked, "the key is a list", "expect an object, or ask for an array"),
        _ => return None,
    };
    if !wording.is_about_reply(asked.start) {
        return None;
    }
    let label = if is_object { "an object" } else { "a list" };
    Some((Mismatch { asked, what: what.to_owned(), label: label.to_owned(), help: help.to_owned() }, first))
}

/// Compares "JSON object" with a reply that is a single value, and "number only" with one that is an object.
fn check_bare<'l, 'a>(wording: &Wording<'_, '_>, leaves: &'l [Leaf<'a>]) -> Option<(Mismatch, &'l Leaf<'a>)> {
    let (first, rest) = leaves.split_first()?;
    let of_reply = matches!(first.expect.subject, Subject::Reply(None)) && first.expect.at.is_none();
    if !of_reply || rest.iter().any(|other| !std::ptr::eq(other.expect, first.expect)) || first.expect.is_any_of() {
        return None;
    }
    let language = wording.language;
    let is_json = |phrases: &[&str]| wording.text.find_any(phrases).is_some();
    let (asked, what, label, help) = match first.expect.matcher {
        Matcher::Number | Matcher::Text | Matcher::Date | Matcher::Bool if first.pointer.is_empty() => {
            let asked = wording.text.find_any(language.objects).filter(|_| !is_json(language.number_only))?;
            (
                asked,
                "the expected reply is a single value",
                "a single value",
                "expect `json { … }`, or ask for the value alone",
            )
        }
        Matcher::Json if !first.pointer.is_empty() => {
            let asked =
                wording.text.find_any(language.number_only).filter(|_| !is_json(&["json", "object", "key", "keys"]))?;
            (asked, "the expected reply is an object", "an object", "expect the number, or ask for a JSON object")
        }
        _ => return None,
    };
    let is_about_reply = wording.is_about_reply(asked.start);
    let mismatch = Mismatch { asked, what: what.to_owned(), label: label.to_owned(), help: help.to_owned() };
    is_about_reply.then_some((mismatch, first))
}

/// Compares "number only" and "name only" with the type of the value.
fn check_kind<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let language = wording.language;
    let (number, name) = (wording.text.find_any(language.number_only), wording.text.find_any(language.name_only));
    let is_plain = matches!(leaf.expect.matcher, Matcher::Text | Matcher::Number | Matcher::Contains);
    let is_constant = leaf.value.as_constant().is_some();
    match (number, name) {
        _ if is_constant => None,
        (Some(asked), None) if is_plain && leaf.value.ty.kind == TyKind::Text => {
            has_text_with(wording.cx, leaf.value, |c| c.is_ascii_digit()).is_some_and(|has| !has).then(|| Mismatch {
                asked,
                what: "the expected text is never a number".to_owned(),
                label: "a text without digits".to_owned(),
                help: "expect the number, or ask for the text in the prompt".to_owned(),
            })
        }
        (None, Some(asked)) if leaf.expect.matcher == Matcher::Number => Some(Mismatch {
            asked,
            what: "the expected value is a number".to_owned(),
            label: "a number".to_owned(),
            help: "expect the name, or ask for the number in the prompt".to_owned(),
        }),
        _ => None,
    }
}

/// Compares "in uppercase" with the letters of the possible texts.
fn check_letters<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let language = wording.language;
    let ignores = leaf.expect.options.iter().any(|(_, options)| options.ignore.contains(&Ignore::Case));
    if ignores || leaf.value.ty.kind != TyKind::Text || leaf.expect.matcher.record().numbers {
        return None;
    }
    let (upper, lower) = (wording.text.find_any(language.upper), wording.text.find_any(language.lower));
    let (asked, is_wrong, help): (_, fn(char) -> bool, _) = match (upper, lower) {
        (Some(asked), None) => {
            (asked, char::is_lowercase, "write `upper(…)` around the value, or `ignore case` after it")
        }
        (None, Some(asked)) => {
            (asked, char::is_uppercase, "write `lower(…)` around the value, or `ignore case` after it")
        }
        _ => return None,
    };
    let is_other = wording.is_about_reply(asked.start) && has_text_with(wording.cx, leaf.value, is_wrong)?;
    is_other.then(|| Mismatch {
        asked,
        what: "the expected text has other letters".to_owned(),
        label: "letters of another case".to_owned(),
        help: help.to_owned(),
    })
}

/// Compares "separated by commas" with the separator of `join`.
fn check_separator<'a>(wording: &Wording<'_, 'a>, leaf: &Leaf<'a>) -> Option<Mismatch> {
    let ExprKind::Call(function, args) = &leaf.value.resolve_name(wording.cx.task).kind else { return None };
    let own = match args.as_slice() {
        _ if function.order != Order::Written => return None,
        [_] => "\n".to_owned(),
        [_, Arg::Value(by)] => match by.resolve_name(wording.cx.task).as_constant()? {
            Value::Text(by) => by.clone(),
            _ => return None,
        },
        _ => return None,
    };
    let found = wording.text.find_phrases(wording.language.separators);
    let (first, rest) = found.split_first()?;
    if rest.iter().any(|other| other.means != first.means) || !wording.is_about_reply(first.start) {
        return None;
    }
    let is_same = own == first.means || !own.trim().is_empty() && own.trim() == first.means;
    let ignores = leaf.expect.options.iter().any(|(_, options)| options.ignore.contains(&Ignore::Punctuation));
    (!is_same && !ignores).then(|| Mismatch {
        asked: Found { start: first.start, end: first.end, means: () },
        what: format!("the key joins the items with {own:?}"),
        label: format!("joined with {own:?}"),
        help: "use the same separator in both, or expect a `list`, which accepts several".to_owned(),
    })
}
