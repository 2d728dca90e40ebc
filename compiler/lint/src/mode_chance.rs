//! The chance that the most common value of a column ties, if its values are drawn with weights.

use hir::{ColumnSource, DrawDomain};
use model::Domain;
use syntax::bounds::Bounds;

/// A tie of this chance is as good as none: one in a billion samples.
const NEGLIGIBLE: f64 = 1e-9;

/// Checks whether one value of a column is so much more likely than each other one that a tie is as good as impossible.
///
/// With chances p > q, the value of chance q is at least as common in n independent draws with a probability of at most (1 − (√p − √q)²)ⁿ (Chernoff).
pub fn is_tie_negligible(column: &hir::Column, rows: Bounds) -> bool {
    let ColumnSource::Draw { draw, .. } = &column.source else { return false };
    // Other modifiers make the draws depend on each other, and blanks leave fewer.
    if draw.unique || draw.may_be_blank() || !draw.except.is_empty() {
        return false;
    }
    let DrawDomain::Fixed(Domain::Weighted { items }) = &draw.domain else { return false };
    let total: u64 = items.iter().map(|(_, weight)| *weight).sum();
    let mut shares: Vec<f64> = items.iter().map(|(_, weight)| *weight as f64 / total.max(1) as f64).collect();
    shares.sort_by(f64::total_cmp);
    let Some(first) = shares.pop() else { return false };
    let chance = |share: f64| {
        let gap = libm::sqrt(first) - libm::sqrt(share);
        libm::pow(1.0 - gap * gap, rows.least as f64)
    };
    shares.into_iter().map(chance).sum::<f64>() < NEGLIGIBLE
}
