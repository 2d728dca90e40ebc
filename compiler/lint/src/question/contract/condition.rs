//! `other_condition`: the prompt leaves something out that the key keeps, or joins two conditions with "or" where the key has "and".

use model::suite::Op;
use model::{Span, Value};

use hir::types::TyKind;
use hir::{Expr, ExprKind};

use super::key::{Bound, Condition, Join, Key};
use super::tokens::{Kind, Text, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Language;
use syntax::prompts::english::lints::LEFT_OUT;

/// The largest distance between two values that one word joins, in words.
const MAX_DISTANCE: usize = 10;
/// The number of words between a negation and its value.
const MAX_BETWEEN: usize = 3;
/// The largest number of values that are categories.
const MAX_CATEGORIES: usize = 30;

/// The tokens of a value in a wording.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
}

/// Compares negations and joined conditions of a wording with those of the key.
pub(super) fn report_conditions<'a>(wording: &Wording<'_, 'a>, key: &Key<'a>, said: &mut Vec<Diagnostic>) {
    if wording.can_vary() || key.twisted || key.removes {
        return;
    }
    for condition in &key.conditions {
        let others = key.find_conditions(wording.cx.task, &condition.value);
        if let ([_], Some(place)) = (others.as_slice(), find_place(wording, &condition.value))
            && let Some(new) = check_negation(wording, condition, place)
        {
            report_once(new, said);
        }
    }
    for join in &key.joins {
        if let Some(new) = check_join(wording, key, join) {
            report_once(new, said);
        }
    }
}

/// The only place of a value in a wording.
fn find_place(wording: &Wording<'_, '_>, value: &Bound<'_>) -> Option<Place> {
    let text = &wording.text;
    let mut found: Vec<Place> = Vec::new();
    for (at, token) in text.tokens.iter().enumerate() {
        let known = match &token.kind {
            Kind::Placeholder(expr) => Bound::Expr(expr),
            Kind::Literal(literal) => Bound::Literal(literal.clone()),
            Kind::Word | Kind::Mark => continue,
        };
        if known.is_same(wording.cx.task, value) {
            found.push(Place { start: at, end: at + 1 });
        }
    }
    if let Some(Value::Text(words)) = value.to_literal(wording.cx.task) {
        found.extend(find_words(text, &words));
    }
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The places of a text in a wording, as words.
fn find_words(text: &Text<'_>, words: &str) -> Vec<Place> {
    let phrase = words.to_lowercase().replace(['-', '\n'], " ");
    let is_plain = !phrase.trim().is_empty() && phrase.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_'));
    let starts = (0..text.tokens.len()).filter(|_| is_plain);
    starts.filter_map(|start| Some(Place { start, end: text.match_phrase(start, phrase.trim())? })).collect()
}

fn check_negation(wording: &Wording<'_, '_>, condition: &Condition<'_>, place: Place) -> Option<Diagnostic> {
    let (text, language) = (&wording.text, wording.language);
    let value = wording.quote(place.start, place.end);
    match condition.op {
        Op::Eq => {
            let start = find_exclusion(wording, place.start)?;
            let words = wording.quote(start, place.end);
            let message = format!("the prompt says `{words}`, but the key selects only `{value}`");
            Some(
                Diagnostic::new(Code::OTHER_CONDITION, message, condition.span, "selects only this value")
                    .label(wording.locate(start, place.end), "left out here")
                    .help("compare with `!=` (`<>` in SQL), or change the prompt"),
            )
        }
        Op::Ne if !is_leaving_out(text, language) && is_category(wording.cx, &condition.value) => {
            let message = format!("the key leaves out `{value}`, but the prompt does not say so");
            Some(
                Diagnostic::new(Code::OTHER_CONDITION, message, condition.span, "leaves this value out")
                    .label(wording.locate(place.start, place.end), "mentioned here")
                    .help("compare with `==` (`=` in SQL), or say in the prompt that the value is left out"),
            )
        }
        _ => None,
    }
}

/// Whether a wording leaves something out.
fn is_leaving_out(text: &Text<'_>, language: &Language) -> bool {
    text.has_word_beginning(language.leaving_out) || text.find_any(LEFT_OUT).is_some()
}

/// Whether a value is one of a few: leaving out a single row is a question of its own.
fn is_category(cx: &TaskCx<'_>, value: &Bound<'_>) -> bool {
    match value {
        Bound::Literal(literal) => matches!(literal, Value::Text(_)),
        Bound::Expr(Expr { kind: ExprKind::Name(id), .. }) => {
            let closed = cx.facts().lookup_name(*id).closed;
            closed.is_some_and(|values| values.len() <= MAX_CATEGORIES)
        }
        Bound::Expr(_) => false,
    }
}

/// The first token of an exclusion directly before a value.
fn find_exclusion(wording: &Wording<'_, '_>, at: usize) -> Option<usize> {
    let (text, language) = (&wording.text, wording.language);
    for end in (at.saturating_sub(MAX_BETWEEN - 1)..=at).rev() {
        let found = (end.saturating_sub(MAX_BETWEEN)..end)
            .find(|start| language.exclusions.iter().any(|phrase| text.match_phrase(*start, phrase) == Some(end)));
        if found.is_some() {
            return found;
        }
        let before = end.checked_sub(1).and_then(|at| text.tokens.get(at))?;
        let is_name = matches!(before.kind, Kind::Word) && before.text.chars().all(|c| c.is_uppercase() || c == '_');
        if !before.is_any(language.fillers)
            && !is_name
            && !before.is_any(&["status", "in", "from", "type", "kind", "state", "city"])
        {
            return None;
        }
    }
    None
}

/// Compares the word between two values with the operator between their conditions.
fn check_join(wording: &Wording<'_, '_>, key: &Key<'_>, join: &Join) -> Option<Diagnostic> {
    let (text, language) = (&wording.text, wording.language);
    let sides = [join.left, join.right].map(|side| find_side(wording, key, side));
    let [Some((one, of_one)), Some((other, of_other))] = sides else { return None };
    // "In Sales and Legal" selects both.
    if join.is_or && wording.cx.sources.text(of_one).eq_ignore_ascii_case(wording.cx.sources.text(of_other)) {
        return None;
    }
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    let distance = second.start.checked_sub(first.end)?;
    let between = || text.tokens.iter().skip(first.end).take(distance);
    let same_sentence = text.tokens.get(first.start)?.sentence == text.tokens.get(second.start)?.sentence;
    if !same_sentence || distance > MAX_DISTANCE || between().any(|token| token.is_any(language.groups)) {
        return None;
    }
    let after = |token: usize| text.match_longest(token, language.after).is_some();
    // "Priority 1 or 2" is one condition, unless these are the two values.
    let is_operand = |at: usize| text.tokens.get(at).is_some_and(Token::is_operand);
    let joins_values = |at: usize| at > 0 && is_operand(at - 1) && is_operand(at + 1);
    let is_between = |at: usize| first.end == at && second.start == at + 1;
    let is_alternative = |at: usize| after(at) || joins_values(at) && !is_between(at);
    let ors = text.tokens.iter().enumerate().filter(|(at, token)| token.is_any(language.or) && !is_alternative(*at));
    let (ors, hints): (Vec<usize>, Vec<usize>) = ors
        .map(|(at, _)| at)
        .partition(|at| text.tokens.get(*at).is_some_and(|token| token.is_any(language.or_between)));
    let joined = text.tokens.iter().any(|token| token.is_any(language.joining));
    let and = between().position(|token| token.is_any(language.and)).map(|at| at + first.end);
    let (at, message, help) = match (join.is_or, ors.as_slice(), and) {
        (true, [], Some(at)) if !joined && hints.is_empty() => (
            at,
            "but the key takes rows that meet one of two conditions",
            "join the conditions with `and` in the key, or write \"or\" in the prompt",
        ),
        (false, [at], None) if (first.end..second.start).contains(at) && !joined => (
            *at,
            "but the key takes only rows that meet both conditions",
            "join the conditions with `or` in the key, or write \"and\" in the prompt",
        ),
        _ => return None,
    };
    let words = wording.quote(at, at + 1);
    Some(
        Diagnostic::new(
            Code::OTHER_CONDITION,
            format!("the prompt says `{words}`, {message}"),
            join.left.extend_to(join.right),
            "joined here",
        )
        .label(wording.locate(first.start, second.end), "asked here")
        .help(help),
    )
}

/// The place of the only value in one side of `and` or `or`, and the span of what is compared with it.
fn find_side(wording: &Wording<'_, '_>, key: &Key<'_>, side: Span) -> Option<(Place, Span)> {
    let inside: Vec<&Condition<'_>> =
        key.conditions.iter().filter(|condition| side.is_enclosing(condition.span)).collect();
    if inside.is_empty() {
        return find_flag(wording, side).map(|place| (place, side));
    }
    let is_one = inside.first().is_some_and(|first| inside.iter().all(|other| other.span == first.span));
    if !is_one {
        return None;
    }
    inside.iter().find_map(|condition| Some((find_place(wording, &condition.value)?, condition.subject)))
}

/// The only place of the name of a column that is true or false, if it is all of a side.
fn find_flag(wording: &Wording<'_, '_>, side: Span) -> Option<Place> {
    let name = wording.cx.sources.text(side).trim();
    let mut columns = wording.cx.task.relations.iter().flat_map(|relation| &relation.columns);
    let is_flag = columns.any(|column| column.name == name && column.ty.kind == TyKind::Bool);
    let mut places = wording.text.tokens.iter().enumerate().filter(|(_, token)| token.text == name);
    let (start, _) = places.next().filter(|_| is_flag && places.next().is_none())?;
    Some(Place { start, end: start + 1 })
}
