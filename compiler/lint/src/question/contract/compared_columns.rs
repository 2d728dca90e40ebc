//! `other_comparison` for two columns: "delivered on or before the promised day" next to `DELIVERED < PROMISED`.

use model::suite::{ColumnId, Op, RelationId};

use super::comparison::{Comparison, Slip, ValueKind};
use super::key::{Key, Pair};
use super::mentions::{find_after, find_before};
use super::tokens::{Found, Text, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use names::words::split_words;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Asks;
use syntax::prompts::english::comparisons::{BACK_REFERENCES, LIMIT_ARTICLES, UNTELLING};
use syntax::prompts::has_listed;

/// The number of first letters that a word and the name of a column share: "promised" and `PROMISE`.
const STEM: usize = 5;
/// The number of words before a comparison that can negate it.
const NEGATION_REACH: usize = 3;

/// Compares the comparison words between the names of two columns with the operator of the key between them.
pub(super) fn report_compared_columns<'a>(wording: &Wording<'_, 'a>, key: &Key<'a>, said: &mut Vec<Diagnostic>) {
    if key.pairs.is_empty() || wording.can_vary() || wording.text.find_any(BACK_REFERENCES).is_some() {
        return;
    }
    for pair in &key.pairs {
        let is_other = |other: &&Pair| {
            let is_same = (other.left, other.right, other.op) == (pair.left, pair.right, pair.op);
            !is_same && [other.left, other.right].iter().any(|place| [pair.left, pair.right].contains(place))
        };
        // Another comparison of one of these columns can be meant.
        if key.pairs.iter().any(|other| is_other(&other)) {
            continue;
        }
        let new = check_pair(wording, key, pair, pair.op).or_else(|| {
            let turned = Pair { op: pair.op.swap_sides(), left: pair.right, right: pair.left, span: pair.span };
            check_pair(wording, key, &turned, pair.op)
        });
        new.into_iter().for_each(|new| report_once(new, said));
    }
}

/// Compares a pair with the words of a wording in which the right column is the limit.
fn check_pair(wording: &Wording<'_, '_>, key: &Key<'_>, pair: &Pair, written: Op) -> Option<Diagnostic> {
    let cx = wording.cx;
    let (left, right) = (cx.task.find_column(pair.left)?, cx.task.find_column(pair.right)?);
    let (subject, limit) = (list_own_words(&left.name, &right.name), list_own_words(&right.name, &left.name));
    let found = find_comparisons(wording, &subject, &limit);
    let (first, rest) = found.split_first()?;
    let is_clear = rest.iter().all(|other| other.means == first.means) && !is_unclear(wording, first.start);
    let comparison = Comparison {
        asks: first.means,
        op: pair.op,
        kind: find_kind(cx, pair.right)?,
        is_placeholder: false,
        is_twisted: key.twisted || key.removes,
        is_of_ages: false,
    };
    let (what, label, sign) = match comparison.find_slip().filter(|_| is_clear)? {
        Slip::Counts => ("also counts rows where both are equal", "includes equal values", to_strict(written)),
        Slip::LeavesOut => ("leaves out rows where both are equal", "excludes equal values", to_inclusive(written)),
        // The prompt can define the opposite of what it asks for.
        Slip::Smaller | Slip::Larger | Slip::Equal => return None,
    };
    let new = wording.contradict(Code::OTHER_COMPARISON, first, &format!("the key {what}"), (pair.span, label));
    Some(new.help(format!("use `{sign}` between `{}` and `{}`, or change the prompt", left.name, right.name)))
}

fn to_strict(op: Op) -> &'static str {
    if matches!(op, Op::Gt | Op::Ge) { ">" } else { "<" }
}

fn to_inclusive(op: Op) -> &'static str {
    if matches!(op, Op::Gt | Op::Ge) { ">=" } else { "<=" }
}

/// The words of the name of a column that another one does not have, and that are not of any column.
fn list_own_words(name: &str, other: &str) -> Vec<String> {
    let others = split_words(other);
    split_words(name).into_iter().filter(|word| !others.contains(word) && !has_listed(UNTELLING, word)).collect()
}

/// Finds the comparisons next to a word of the limit, in sentences that also have a word of what is compared with it.
fn find_comparisons(wording: &Wording<'_, '_>, subject: &[String], limit: &[String]) -> Vec<Found<Asks>> {
    let (text, language) = (&wording.text, wording.language);
    let mut found = Vec::new();
    for (at, token) in text.tokens.iter().enumerate().filter(|(_, token)| is_any_form(token, limit)) {
        let start = skip_back(text, at);
        let asks = find_before(text, language, start)
            .or_else(|| find_after(text, language, at))
            .or_else(|| find_by(text, start, subject));
        let Some(asks) = asks else { continue };
        let (start, end) = (asks.start.min(at), asks.end.max(at + 1));
        let of_sentence = |other: &&Token<'_>| other.sentence == token.sentence;
        let is_about = text.tokens.iter().filter(of_sentence).any(|other| is_any_form(other, subject));
        if is_about {
            found.push(Found { start, end, means: asks.means });
        }
    }
    found
}

/// The index of the first of the words before a limit that only refer to it: "their due date", "they were due".
fn skip_back(text: &Text<'_>, at: usize) -> usize {
    let before = text.tokens.get(..at).unwrap_or_default();
    at - before.iter().rev().take_while(|token| token.is_any(LIMIT_ARTICLES)).count()
}

/// Reads "delivered by the promised day": "by" right after what is compared.
fn find_by(text: &Text<'_>, start: usize, subject: &[String]) -> Option<Found<Asks>> {
    let by = start.checked_sub(1).filter(|at| text.tokens.get(*at).is_some_and(|token| token.is_word("by")))?;
    let before = by.checked_sub(1).and_then(|at| text.tokens.get(at))?;
    is_any_form(before, subject).then(|| Found { start: by, end: start, means: Asks::of_dates(Op::Le) })
}

fn is_any_form(token: &Token<'_>, words: &[String]) -> bool {
    let stem = |word: &str| word.chars().take(STEM).collect::<String>();
    let is_form = |word: &String| {
        let is_long = word.chars().count() >= STEM && token.lower.chars().count() >= STEM;
        token.lower == *word || is_long && stem(&token.lower) == stem(word)
    };
    !token.is_operand() && words.iter().any(is_form)
}

/// Whether words before a comparison turn it around, or belong to it.
fn is_unclear(wording: &Wording<'_, '_>, start: usize) -> bool {
    let before = wording.text.tokens.iter().take(start).skip(start.saturating_sub(NEGATION_REACH));
    let joined = start.checked_sub(1).and_then(|at| wording.text.tokens.get(at));
    // "On or above the line", where only "above" is known.
    let is_joined = joined.is_some_and(|token| token.is_any(wording.language.or_between));
    is_joined || before.into_iter().any(|token| token.is_any(wording.language.negations))
}

fn find_kind(cx: &TaskCx<'_>, place: (RelationId, ColumnId)) -> Option<ValueKind> {
    match cx.task.find_column(place)?.ty.kind {
        TyKind::Date | TyKind::DateTime => Some(ValueKind::Date),
        TyKind::Int | TyKind::Decimal(_) | TyKind::Float => Some(ValueKind::Number),
        _ => None,
    }
}
