//! `other_aggregate` for quantiles: the prompt asks for the 95th percentile, and the key computes the 90th.

use model::functions::QUANTILE;
use model::{Decimal, Span, Value};

use super::answers::Leaf;
use super::tokens::{Found, Token};
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::{Arg, Expr, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::{ORDINALS, QUANTILES};

/// Compares the only quantile that a wording asks for with the only one that the key computes.
pub(super) fn report_quantiles<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let mut computed: Vec<(Decimal, Span)> = Vec::new();
    for leaf in leaves {
        let Some(shares) = list_shares(wording.cx, leaf.value) else { return };
        computed.extend(shares);
    }
    let Some(&(own, span)) = computed.first() else { return };
    let asked = find_quantiles(wording);
    let Some(first) = asked.first() else { return };
    let is_single =
        computed.iter().all(|(other, _)| *other == own) && asked.iter().all(|other| other.means == first.means);
    let hundredfold = own.checked_mul(Decimal::from_int(100));
    if !is_single || hundredfold.is_none_or(|own| own == first.means) || wording.can_vary() {
        return;
    }
    let words = wording.quote(first.start, first.end);
    let message = format!("the prompt asks for the `{words}`, but the key computes the quantile at {own}");
    let share = "0.01".parse().ok().and_then(|one| first.means.checked_mul(one));
    let help = match share {
        Some(share) => format!("write {share} in the key, or change the prompt"),
        None => "use the same quantile in both".to_owned(),
    };
    let new = Diagnostic::new(Code::OTHER_AGGREGATE, message, span, "another quantile")
        .label(wording.locate(first.start, first.end), "asked here")
        .help(help);
    report_once(new, said);
}

/// Lists the shares of the quantiles in a value. `None` if one is not a constant.
fn list_shares(cx: &TaskCx<'_>, value: &Expr) -> Option<Vec<(Decimal, Span)>> {
    let mut found = Vec::new();
    let mut is_known = true;
    value.visit_through_names(cx.task, &mut |part| {
        let ExprKind::Call(function, args) = &part.kind else { return };
        if function.general.unwrap_or(*function) != QUANTILE {
            return;
        }
        let share = match args.last() {
            Some(Arg::Value(share)) => share.resolve_name(cx.task).as_constant().and_then(Value::as_decimal),
            _ => None,
        };
        is_known &= share.is_some();
        found.extend(share.map(|share| (share, part.span)));
    });
    is_known.then_some(found)
}

/// Finds the quantiles in a wording, in percent: "95th percentile", "upper quartile", "ninth decile".
fn find_quantiles(wording: &Wording<'_, '_>) -> Vec<Found<Decimal>> {
    let tokens = &wording.text.tokens;
    let mut found = Vec::new();
    for (at, noun) in tokens.iter().enumerate() {
        let Some((_, percent)) = QUANTILES.iter().find(|(word, _)| noun.is_word(word)) else { continue };
        let Some(start) = at.checked_sub(1) else { continue };
        let number = tokens.get(start).and_then(|before| read_ordinal(before, *percent));
        let means = number.and_then(|number| number.checked_mul(Decimal::from_int(*percent)));
        found.extend(means.map(|means| Found { start, end: at + 1, means }));
    }
    found
}

/// Reads "95th", "99.9th", "ninth", and "upper" before quartiles.
fn read_ordinal(token: &Token<'_>, percent: i64) -> Option<Decimal> {
    let named = ORDINALS.iter().position(|word| token.is_word(word)).map(|at| Decimal::from_int(at as i64 + 1));
    let of_quartile = match token.lower.as_str() {
        "lower" if percent == 25 => Some(Decimal::from_int(1)),
        "upper" if percent == 25 => Some(Decimal::from_int(3)),
        _ => None,
    };
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| token.lower.strip_suffix(end)?.parse().ok());
    digits.or(named).or(of_quartile)
}
