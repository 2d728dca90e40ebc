//! Places where a build can stop. What is not proved safe is tried: samples are imagined, with draws at the ends of their domains, until one stops. Such a sample
//! is a proof that the build can stop there.
//!
//! | file | concept |
//! | --- | --- |
//! | `safe` | proofs that a place cannot stop a build |
//! | `room` | for these: draws that have values |
//! | `paths` | for these: paths that can always be stored |
//! | `plain_paths` | for these: paths of plain letters, fast |
//! | `phases` | for these: what holds before and after `require`s, and around a place |
//! | `linear` | for these: differences of expressions, and conditions that hold |
//! | `questions` | for these: what is read from files is there |
//! | `edits` | for these: places that are edited |
//! | `found_rows` | for these: rows that `ref` surely finds |
//! | `changes` | for these: statements that cannot be refused |
//! | `statements` | for these: one of them, and what was changed before it |
//! | `apart` | for these: values that are never the same |
//! | `deleted` | for these: rows to which no other row refers |
//! | `inserted` | for these: rows that a statement inserts |
//! | `guards` | for these: the conditions around a query |
//! | `parameters` | for these: the values that such conditions leave |
//! | `held` | whether `require`s hold often enough |
//! | `shares` | for this: the share of draws that meet them, where it can be counted |
//! | `leaves`, `exhaust` | for these: what a place depends on, and all combinations of few values |
//! | `kernels` | for these: functions of values, and aggregates |
//! | `sql` | for these: queries that have a result |
//! | `ranges` | ranges that are empty in every sample |
//! | `sums` | sums that are too large |
//! | `rare_refs` | `ref … where` without a row in rare samples |
//! | `requires` | `require`s that never, or hardly ever, hold |
//! | `needs`, `wanted` | what a part depends on, and what must be imagined: the places that are not proved safe, and what they depend on |
//! | `search` | imagines samples and looks for those that stop |
//! | `trial` | one sample, step by step in the order of a build |
//! | `world` | the values of one sample |
//! | `names`, `tables`, `draws` | makes its names, its tables, and drawn values |
//! | `eval`, `calls`, `queries`, `trees` | expressions, calls, simple queries, and simple paths in it |
//! | `chance` | how draws are chosen |
//! | `fault` | why a place has no value |
//! | `report` | wording |
//! | `writing` | what can stop while files are written |
//! | `styles` | for this: cells in other letters |
//! | `totality` | what is known of whether a build can stop |

mod apart;
mod calls;
mod chance;
mod changes;
mod deleted;
mod draws;
mod edits;
mod eval;
mod exhaust;
mod fault;
mod found_rows;
mod guards;
mod held;
mod inserted;
mod kernels;
mod leaves;
mod linear;
mod names;
mod needs;
mod parameters;
mod paths;
mod phases;
mod plain_paths;
mod queries;
mod questions;
mod ranges;
mod rare_refs;
mod report;
mod requires;
mod room;
mod safe;
mod search;
mod shares;
mod sql;
mod statements;
mod styles;
mod sums;
mod tables;
mod totality;
mod trees;
mod trial;
mod wanted;
mod world;
mod writing;

use crate::context::{TaskCx, report_once};
use hir::facts::Facts;
use phases::{DeepFacts, Phases};
use search::{Tried, find_witnesses};
use syntax::diagnostics::Diagnostic;
pub use totality::{OpenPlace, TaskTotality, Totality, Why};
use wanted::Wanted;

/// Reports the places where the build of a task can stop, each with a sample that does. Returns what is known of the others.
pub(super) fn report_stops<'a>(cx: &TaskCx<'a>, facts: &Facts<'a>, said: &mut Vec<Diagnostic>) -> TaskTotality {
    let before = said.len();
    let surely = ranges::report_empty_ranges(cx, facts, said) || requires::report_contradictions(cx, facts, said);
    requires::report_rare_requires(cx, facts, said);
    sums::report_large_sums(cx, facts, said);
    let reported = said.len() - before;
    let shallow = Phases::new(facts, facts);
    let mut wanted = Wanted::new(&shallow);
    let is_open = || {
        let known = totality::judge_task(&shallow, &wanted, &[], reported);
        known.open.iter().any(|open| open.why != Why::Require)
    };
    let deep = (!surely && is_open()).then(|| DeepFacts::new(cx.task));
    let phases = deep.as_ref().map_or(shallow, DeepFacts::phases);
    if deep.is_some() {
        wanted = Wanted::new(&phases);
    }
    let mut witnesses = Vec::new();
    // What depends on no draw is computed by `check`.
    if !surely && !cx.task.notes.is_static && !wanted.needs.is_empty() {
        witnesses = find_witnesses(cx.task, &wanted, &Tried::new(cx.task, &wanted.needs));
    }
    rare_refs::add_rare_refs(cx, facts, &mut witnesses);
    for witness in &witnesses {
        report_once(report::build_diagnostic(cx, witness), said);
    }
    let mut known = totality::judge_task(&phases, &wanted, &witnesses, reported);
    if known.open.iter().any(|open| open.why == Why::Require) {
        let share = shares::find_met_share(&phases);
        known.open.retain(|open| open.why != Why::Require || share.is_none_or(|share| share < held::LEAST_SHARE));
    }
    known
}
