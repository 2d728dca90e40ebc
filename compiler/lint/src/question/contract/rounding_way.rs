//! `other_precision` for the way of rounding: the prompt asks to round down or up, and the key is rounded to the nearest number.

use super::answers::{Leaf, find_sole_leaf};
use super::tokens::Found;
use super::wording::Wording;
use crate::context::{TaskCx, report_once};
use hir::types::TyKind;
use hir::{Arg, Expr, ExprKind};
use model::functions::{MOD, Restates};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::aggregates::{CUTTING, ONE_WAY};
use syntax::prompts::english::lints::CASES;

/// Compares "rounded down" with the only value that is expected.
pub(super) fn report_rounding_ways<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let Some(found) = find_way(wording) else { return };
    let Some(leaf) = find_sole_leaf(leaves).filter(|leaf| leaf.value.ty.kind == TyKind::Float) else { return };
    let options = super::super::precision::iter_options_around(&leaf.expect.options, &leaf.pointer);
    if options.filter_map(|options| options.rounded).next().is_none() || is_cut(wording.cx, leaf.value) {
        return;
    }
    let (but, place) = ("the key is rounded to the nearest number", (leaf.value.span, "rounded up or down"));
    let new = wording.contradict(Code::OTHER_PRECISION, &found, but, place);
    report_once(new.help("write `floor(…)` or `ceil(…)` in the key, or ask for a rounded number"), said);
}

/// Finds the only way of rounding that a wording asks for.
fn find_way(wording: &Wording<'_, '_>) -> Option<Found<()>> {
    let tokens = &wording.text.tokens;
    let found = wording.text.find_any(ONE_WAY).or_else(|| {
        let found = wording.text.find_any(CUTTING)?;
        let mut after = tokens.iter().skip(found.end).take(3);
        after.any(|token| token.is_any(&["cents", "decimals", "digits", "fraction", "places"])).then_some(found)
    })?;
    let sentence = tokens.get(found.start)?.sentence;
    let own = || tokens.iter().enumerate().filter(|(_, token)| token.sentence == sentence);
    // "Do not round up", and "round half up".
    let is_open = own().any(|(at, token)| {
        token.is_any(&["half", "halves", "nearest"])
            || token.is_any(CASES)
            || at < found.start && token.is_any(wording.language.negations)
    });
    let begins = own().next().is_some_and(|(at, _)| at == found.start);
    (!is_open && (begins || wording.is_in_request(found.start))).then_some(found)
}

/// Whether something in a value cuts off its fraction.
fn is_cut(cx: &TaskCx<'_>, value: &Expr) -> bool {
    const WORDS: [&str; 5] = ["FLOOR", "CEIL", "TRUNC", "CAST", "ROUND"];
    let cuts = |part: &Expr| match &part.kind {
        ExprKind::Call(function, args) => {
            let of_query = |arg: &Arg| matches!(arg, Arg::Sql(sql) if WORDS.iter().any(|word| sql.text.to_uppercase().contains(word)));
            function.restates == Some(Restates::Rounded) || *function == MOD || args.iter().any(of_query)
        }
        _ => false,
    };
    value.has_part_through_names(cx.task, cuts)
}
