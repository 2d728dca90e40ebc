//! `other_aggregate` for deviations: the prompt asks for that of a population, and `stdev` computes that of a sample.

use super::answers::{Leaf, find_computed, find_sole_leaf};
use super::arithmetic::collect_arithmetic;
use super::wording::Wording;
use crate::context::report_once;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;
use syntax::prompts::english::aggregates::OF_POPULATION;

/// Compares "population standard deviation" with what the only expected value is.
pub(super) fn report_deviations<'a>(wording: &Wording<'_, 'a>, leaves: &[Leaf<'a>], said: &mut Vec<Diagnostic>) {
    let Some(asked) = wording.text.find_any(OF_POPULATION).filter(|_| !wording.can_vary()) else { return };
    let Some(leaf) = find_sole_leaf(leaves) else { return };
    let Some(own) = find_computed(wording.cx, leaf.value) else { return };
    let is_of_sample = own.aggregate == Aggregate::Deviation && !own.shown.eq_ignore_ascii_case("pstdev");
    if !is_of_sample || !collect_arithmetic(wording.cx, leaf.value).is_plain() {
        return;
    }
    let words = wording.quote(asked.start, asked.end);
    let message = format!("the prompt asks for the `{words}`, but `{}` computes that of a sample", own.shown);
    let new = Diagnostic::new(Code::OTHER_AGGREGATE, message, own.span, "divides by n - 1")
        .label(wording.locate(asked.start, asked.end), "asked here")
        .help("write `pstdev`, or ask for the sample standard deviation");
    report_once(new, said);
}
