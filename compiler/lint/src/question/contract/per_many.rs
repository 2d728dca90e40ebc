//! `other_unit` for rates: the prompt asks for crashes per 1,000 sessions, and the key computes them per 100.

use std::ops::Range;

use model::{Decimal, Value};

use super::answers::Leaf;
use super::arithmetic::Arithmetic;
use super::tokens::{Found, Kind};
use super::wording::Wording;
use crate::context::TaskCx;
use hir::{Arg, Expr, ExprKind};
use names::words::split_words;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::units::{MANY, PER, RATES};

/// The sizes of rates.
const POWERS: [i64; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// Compares "per 1,000" with the factor of a quotient.
pub(super) fn check_rate(
    wording: &Wording<'_, '_>,
    leaf: &Leaf<'_>,
    words: &Range<usize>,
    arithmetic: &Arithmetic,
) -> Option<Diagnostic> {
    if !arithmetic.is_ratio {
        return None;
    }
    let found: Vec<Found<i64>> = words.clone().filter_map(|at| read_rate(wording, at)).collect();
    let (first, rest) = found.split_first()?;
    let is_other = rest.iter().any(|other| other.means != first.means);
    if is_other || arithmetic.has_factor(&first.means.to_string()) || reads_rate(wording.cx, leaf) {
        return None;
    }
    let factors: Vec<&Decimal> = arithmetic.factors.iter().filter(|factor| **factor != Decimal::from_int(1)).collect();
    let what = match factors.as_slice() {
        [] => "the key does not multiply the quotient".to_owned(),
        [factor] if is_power_of_ten(factor) => format!("the key multiplies the quotient by {factor}"),
        _ => return None,
    };
    let own = leaf.value.resolve_name(wording.cx.task).span;
    Some(
        wording
            .contradict(Code::OTHER_UNIT, first, &what, (leaf.value.span, "another rate"))
            .with_labels(Some((own, "computed here")).filter(|_| own != leaf.value.span))
            .help(format!("multiply by {} in the key, or change the prompt", first.means)),
    )
}

/// Reads "per 1,000 sessions" and "per thousand sessions" at a token.
fn read_rate(wording: &Wording<'_, '_>, at: usize) -> Option<Found<i64>> {
    let tokens = &wording.text.tokens;
    tokens.get(at).filter(|token| token.is_any(PER) && !token.quoted)?;
    let number = tokens.get(at + 1)?;
    let means = match &number.kind {
        Kind::Literal(Value::Int(many)) => *many,
        Kind::Word => MANY.iter().find(|(word, _)| number.is_word(word))?.1,
        _ => return None,
    };
    let is_noun = tokens.get(at + 2).is_some_and(|noun| matches!(noun.kind, Kind::Word) && !noun.quoted);
    (is_noun && means >= 100 && POWERS.contains(&means)).then_some(Found { start: at, end: at + 2, means })
}

fn is_power_of_ten(number: &Decimal) -> bool {
    POWERS.iter().any(|power| *number == Decimal::from_int(*power))
}

/// Whether a column that the value reads already is a rate.
fn reads_rate(cx: &TaskCx<'_>, leaf: &Leaf<'_>) -> bool {
    let is_rate = |name: &str| split_words(name).iter().any(|word| RATES.contains(&word.as_str()));
    let reads = |part: &Expr| match &part.kind {
        ExprKind::Call(_, args) => args.iter().any(|arg| match arg {
            Arg::Column { relation, column, .. } => {
                cx.task.find_column((*relation, *column)).is_some_and(|column| is_rate(&column.name))
            }
            Arg::Sql(sql) => {
                sql::lex::tokenize_sql(&sql.text).iter().any(|token| token.is_name() && is_rate(&token.to_unquoted()))
            }
            _ => false,
        }),
        _ => false,
    };
    leaf.value.has_part_through_names(cx.task, reads)
}
