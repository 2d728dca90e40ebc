//! Places where a build can stop. What is not proved safe is tried: samples are imagined, with draws at the ends of their domains, until one stops. Such a sample
//! is a proof that the build can stop there.
//!
//! | file | concept |
//! | --- | --- |
//! | `safe` | proofs that a place cannot stop a build |
//! | `linear` | for these: differences of expressions, and conditions that hold |
//! | `ranges` | ranges that are empty in every sample |
//! | `needs` | what must be imagined: the places that are not proved safe, and what they depend on |
//! | `search` | imagines samples and looks for those that stop |
//! | `trial` | one sample, step by step in the order of a build |
//! | `world` | the values of one sample |
//! | `tables`, `draws` | its tables and its drawn values |
//! | `eval`, `calls` | expressions and calls in it |
//! | `chance` | how draws are chosen |
//! | `fault` | why a place has no value |
//! | `report` | wording |

mod calls;
mod chance;
mod draws;
mod eval;
mod fault;
mod linear;
mod needs;
mod ranges;
mod report;
mod safe;
mod search;
mod tables;
mod trial;
mod world;

use crate::context::{TaskCx, report_once};
use hir::facts::Facts;
use needs::Wanted;
use search::{Tried, find_witnesses};
use syntax::diagnostics::Diagnostic;

/// Reports the places where the build of a task can stop, each with a sample that does.
pub(super) fn report_stops(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    if cx.task.notes.is_static {
        // What depends on no draw is computed by `check`.
        return;
    }
    let facts = Facts::new(cx.task);
    if ranges::report_empty_ranges(cx, &facts, said) {
        return;
    }
    let wanted = Wanted::new(cx.task, &facts);
    if wanted.needs.is_empty() {
        return;
    }
    let tried = Tried::new(cx.task, &wanted.needs);
    for witness in find_witnesses(cx.task, &wanted, &tried) {
        report_once(report::build_diagnostic(cx, &witness), said);
    }
}
