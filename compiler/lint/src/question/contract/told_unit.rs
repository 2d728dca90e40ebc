//! `other_unit`, where only the prompt tells the unit of the data: "the energy in kWh. How many kWh …", and the key divides by 1000.

use super::answers::Leaf;
use super::arithmetic::Arithmetic;
use super::tokens::{Found, Token};
use super::unit::build_diagnostic;
use super::wording::Wording;
use model::Decimal;
use syntax::diagnostics::Diagnostic;
use syntax::prompts::Unit;

/// Compares the only unit of a wording, which it also states for the data, with a factor of the key that converts it.
pub(super) fn check_told_unit(
    wording: &Wording<'_, '_>,
    leaf: &Leaf<'_>,
    asked: &Found<&'static Unit>,
    arithmetic: &Arithmetic,
) -> Option<Diagnostic> {
    let [factor] = arithmetic.factors.as_slice() else { return None };
    let (text, units) = (&wording.text, wording.language.units);
    let of_measure = || units.iter().filter(|unit| unit.measure == asked.means.measure);
    let converts = |unit: &Unit| {
        let (large, small) = (unit.size.max(asked.means.size), unit.size.min(asked.means.size));
        large != small && large % small == 0 && *factor == Decimal::from_int(large / small)
    };
    if arithmetic.other || !of_measure().any(converts) {
        return None;
    }
    let has_word = |at: usize, unit: &Unit| unit.words.iter().any(|word| text.match_phrase(at, word).is_some());
    let is_told = |at: usize| {
        let lead = at.checked_sub(1).and_then(|at| text.tokens.get(at));
        lead.is_some_and(|lead| lead.is_any(wording.language.unit_leads) || lead.text == "(")
            && has_word(at, asked.means)
            && !(asked.start..asked.end).contains(&at)
    };
    let number = factor.to_string();
    let says_factor = |token: &Token<'_>| {
        token.text.replace([',', '_'], "") == number || token.lower.starts_with("thousand") || token.is_word("per")
    };
    let names_other =
        (0..text.tokens.len()).any(|at| of_measure().any(|unit| unit.size != asked.means.size && has_word(at, unit)));
    if names_other || !(0..text.tokens.len()).any(is_told) || text.tokens.iter().any(says_factor) {
        return None;
    }
    let what = format!("the data has this unit, and the key converts it with the factor {number}");
    let help = "remove the factor from the key, or change the prompt";
    Some(build_diagnostic(wording, asked, leaf.value.resolve_name(wording.cx.task).span, &what, help))
}
