//! `other_comparison`: the prompt says "above" or "at least", and the key compares with another operator.

use model::suite::Op;
use model::{Span, Value};

use super::key::{Bound, Key};
use super::mentions::{Mention, find_mentions};
use super::tokens::{Found, Token};
use super::wording::Wording;
use crate::context::report_once;
use hir::types::TyKind;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Asks;
use syntax::prompts::english::changes::STAYING;
use syntax::prompts::english::comparisons::{BACK_REFERENCES, TOLD_LIMITS};

/// How the key differs from the prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slip {
    /// The key also counts the value itself.
    Counts,
    /// The key leaves out the value itself.
    LeavesOut,
    /// The key selects smaller values.
    Smaller,
    /// The key selects larger values.
    Larger,
    /// The key selects only the value itself.
    Equal,
}

/// Compares the comparison words of a wording with the conditions of the key.
pub(super) fn report_comparisons<'a>(wording: &Wording<'_, 'a>, key: &Key<'a>, said: &mut Vec<Diagnostic>) {
    let cx = wording.cx;
    if key.conditions.is_empty() && key.scaled.is_empty() || wording.can_vary() {
        return;
    }
    if wording.text.find_any(BACK_REFERENCES).or_else(|| wording.text.find_any(TOLD_LIMITS)).is_some() {
        return;
    }
    let mentions = find_mentions(&wording.text, wording.language);
    for mention in &mentions {
        let Some(asks) = mention.asks.filter(|_| !mention.unclear) else { continue };
        let same = |other: &&Mention<'_>| other.bound.is_same(cx.task, &mention.bound);
        let others: Vec<&Mention<'_>> = mentions.iter().filter(same).collect();
        let is_literal = matches!(mention.bound, Bound::Literal(_));
        let agrees = |other: &&Mention<'_>| !other.unclear && other.asks.is_none_or(|other| other.means == asks.means);
        if !others.iter().all(agrees) || is_literal && others.len() > 1 {
            continue;
        }
        let conditions = key.find_conditions(cx.task, &mention.bound);
        let scaled = key.find_scaled(cx.task, &mention.bound);
        let condition = match (conditions.as_slice(), scaled.as_slice()) {
            ([only], _) | ([], [only]) => only,
            _ => continue,
        };
        let comparison = Comparison {
            asks: asks.means,
            op: condition.op,
            kind: find_kind(cx.task, &mention.bound),
            is_placeholder: !is_literal,
            is_twisted: key.twisted
                || match key.removes {
                    true => !is_about_removal(wording, mention.at),
                    false => wording.text.has_word_beginning(wording.language.leaving_out),
                },
            is_of_ages: cx.sources.text(condition.subject).to_lowercase().contains("age"),
        };
        let Some(slip) = comparison.find_slip() else { continue };
        // What is multiplied can be negative, but it does not change whether the value itself counts.
        if conditions.is_empty() && !matches!(slip, Slip::Counts | Slip::LeavesOut) {
            continue;
        }
        let end = asks.end.max(mention.at + 1);
        // The comparison word and its value.
        let phrase = Found { start: asks.start.min(mention.at), end, means: () };
        report_once(build_diagnostic(wording, mention, &phrase, condition.span, slip), said);
    }
}

/// Whether a value is in a sentence about the rows to delete, and not about those that stay.
fn is_about_removal(wording: &Wording<'_, '_>, at: usize) -> bool {
    let tokens = &wording.text.tokens;
    let Some(sentence) = tokens.get(at).map(|token| token.sentence) else { return false };
    let of_sentence = || tokens.iter().filter(|token| token.sentence == sentence);
    let changes = &wording.language.changes;
    let is_turned = |token: &Token<'_>| token.is_any(STAYING) || token.is_any(changes.refusing);
    of_sentence().any(|token| token.is_any(changes.removing)) && !of_sentence().any(is_turned)
}

/// The kinds of values that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Number,
    Date,
    Other,
}

pub(super) fn find_kind(task: &hir::Task, bound: &Bound<'_>) -> ValueKind {
    match bound {
        Bound::Literal(Value::Date(_) | Value::DateTime(_)) => ValueKind::Date,
        // Numbers like these are years.
        Bound::Literal(Value::Int(1700..=2200)) => ValueKind::Date,
        Bound::Literal(Value::Int(_) | Value::Decimal(_) | Value::Float(_)) => ValueKind::Number,
        Bound::Literal(_) => ValueKind::Other,
        Bound::Expr(expr) => match expr.ty.kind {
            TyKind::Date | TyKind::DateTime => ValueKind::Date,
            TyKind::Int if has_year_name(task, expr) => ValueKind::Date,
            TyKind::Int | TyKind::Decimal(_) | TyKind::Float => ValueKind::Number,
            _ => ValueKind::Other,
        },
    }
}

fn has_year_name(task: &hir::Task, expr: &hir::Expr) -> bool {
    match expr.kind {
        hir::ExprKind::Name(id) => task.names.get(id).is_some_and(|name| name.name.to_lowercase().contains("year")),
        _ => false,
    }
}

/// A comparison word, and the condition of the key on the same value.
pub(super) struct Comparison {
    pub asks: Asks,
    pub op: Op,
    pub kind: ValueKind,
    /// Whether the value is a placeholder.
    pub is_placeholder: bool,
    /// Whether the opposite of the condition can be meant.
    pub is_twisted: bool,
    /// Whether ages are compared.
    pub is_of_ages: bool,
}

impl Comparison {
    /// Decides whether the operator contradicts the comparison word.
    pub fn find_slip(&self) -> Option<Slip> {
        if self.kind == ValueKind::Other || self.asks.of_place && self.kind != ValueKind::Date {
            return None;
        }
        let larger = match self.op {
            Op::Gt | Op::Ge => true,
            Op::Lt | Op::Le => false,
            Op::Eq if !self.asks.strict && self.asks.larger.is_some() && self.kind == ValueKind::Number => {
                return (self.is_placeholder && !self.is_twisted).then_some(Slip::Equal);
            }
            _ => return None,
        };
        match self.find_direction() {
            Some(wanted) if wanted != larger => {
                let slip = if larger { Slip::Larger } else { Slip::Smaller };
                (!self.is_twisted).then_some(slip)
            }
            _ => match (self.asks.strict, matches!(self.op, Op::Gt | Op::Lt)) {
                (true, false) => Some(Slip::Counts),
                (false, true) => Some(Slip::LeavesOut),
                _ => None,
            },
        }
    }

    /// Whether the comparison word asks for larger values. An older row has a larger age, and an earlier date.
    fn find_direction(&self) -> Option<bool> {
        let of_ages = self.asks.older.and_then(|older| match self.kind {
            ValueKind::Date => Some(!older),
            _ if self.is_of_ages => Some(older),
            _ => None,
        });
        self.asks.larger.or(of_ages)
    }
}

fn build_diagnostic(
    wording: &Wording<'_, '_>,
    mention: &Mention<'_>,
    phrase: &Found<()>,
    condition: Span,
    slip: Slip,
) -> Diagnostic {
    let value = wording.quote(mention.at, mention.at + 1);
    let (what, label, help) = match slip {
        Slip::Counts => (
            format!("the key also counts `{value}` itself"),
            "includes the value",
            "use `>` or `<` in the key, or say in the prompt that the value itself counts",
        ),
        Slip::LeavesOut => (
            format!("the key leaves out `{value}` itself"),
            "excludes the value",
            "use `>=` or `<=` in the key, or say in the prompt that the value itself does not count",
        ),
        Slip::Smaller => (
            "the key selects smaller values".to_owned(),
            "smaller values",
            "turn the operator around, or change the prompt",
        ),
        Slip::Larger => (
            "the key selects larger values".to_owned(),
            "larger values",
            "turn the operator around, or change the prompt",
        ),
        Slip::Equal => (
            format!("the key selects only `{value}` itself"),
            "equal values only",
            "compare with `>=` or `<=` in the key, or change the prompt",
        ),
    };
    wording.contradict(Code::OTHER_COMPARISON, phrase, &what, (condition, label)).help(help)
}
