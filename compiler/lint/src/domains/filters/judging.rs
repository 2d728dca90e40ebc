//! What judges the parts of a predicate, for calls and comparisons, which consist of parts.

use super::cells::Cells;
use super::compare::Possible;
use super::values::Values;
use hir::facts::Facts;
use hir::paths::predicate::{Language, Term};

/// Judges the parts of a predicate in one of its contexts.
pub trait Judging<'a> {
    /// The possible results of a part as a condition.
    fn judge(&self, term: &Term) -> Possible;
    /// The possible values of a part. `None` if they are not known.
    fn infer(&self, term: &Term) -> Option<Values<'a>>;
    /// What is known of values. Without it, only cells are known.
    fn facts(&self) -> Option<&Facts<'a>>;
    /// What is known of some nodes, and of the position.
    fn cells(&self) -> &Cells<'a>;
    /// The language of the predicate.
    fn language(&self) -> Language;
}
