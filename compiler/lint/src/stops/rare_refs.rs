//! `ref … where` that finds no row in rare samples: too rare for the imagined ones, and often enough for a large build.

use super::fault::{Fault, What};
use super::search::Witness;
use crate::context::TaskCx;
use crate::domains::estimate_no_match;
use hir::facts::Facts;
use hir::{DrawDomain, NameSource};

/// The least chance of a sample without a row at which it is reported.
const SELDOM: f64 = 1e-5;

/// Adds the draws of names that can be without a row, and that are not among the witnesses yet.
pub(super) fn add_rare_refs<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, witnesses: &mut Vec<Witness>) {
    for name in &cx.task.names {
        let NameSource::Draw { draw, .. } = &name.source else { continue };
        let DrawDomain::Ref { relation, filter: Some(filter), .. } = &draw.domain else { continue };
        let is_known = witnesses.iter().any(|known| known.fault.span == draw.span);
        if is_known || estimate_no_match(cx, facts, filter, *relation).is_none_or(|chance| chance < SELDOM) {
            continue;
        }
        let why = "in rare samples no row meets the `where`".to_owned();
        let fault = Fault { what: What::Exhausted, span: draw.span, why };
        witnesses.push(Witness { fault, values: Vec::new() });
    }
}
