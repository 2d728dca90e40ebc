//! Likely misreadings of answer keys: the expression of an expected value with one part read in another way. The build's evaluator computes each on
//! the same samples, so the report can say how often the data tells it from the key.
//!
//! | file | concept |
//! | --- | --- |
//! | `parts` | the parts of an expression, replaced |
//! | `describe` | an expression in a few words |
//! | `misread` | one expression, misread in each of its parts |
//! | `inline` | computed names, replaced by their expressions |
//! | `paths` | the comparisons in a JSONPath or XPath |

mod describe;
mod inline;
mod misread;
mod parts;
mod paths;

use api::misreadings::Sameness;
use model::suite::matchers::Takes;
use model::suite::{Expect, Expr, NameId, Task};
use model::uses::Uses;

/// Maximum number of misreadings of one answer key.
const MAX_FOUND: usize = 32;
/// Maximum number of parts of an expression that is misread.
const MAX_PARTS: usize = 400;

/// A misreading of an answer key.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The index of the expectation.
    pub expect: usize,
    /// What is read in another way, for people.
    pub name: String,
    /// What it means if the answer is always the same.
    pub sameness: Sameness,
}

/// The misreadings of an answer key, and their expressions in the same order.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// What they are.
    pub all: Vec<Reading>,
    /// How they are computed.
    pub exprs: Vec<Expr>,
}

/// Lists the likely misreadings of expected values.
pub fn list_readings(task: &Task, expects: &[Expect]) -> Readings {
    let mut found = Readings::default();
    for (at, expect) in expects.iter().enumerate() {
        let record = expect.matcher.record();
        let is_compared = record.has_traps() || record.takes == Takes::Rows;
        let Some(expr) = expect.answer_expr().filter(|_| is_compared && !expect.is_any_of()) else { continue };
        for (name, sameness, value) in misread_answer(task, expr) {
            if found.all.len() < MAX_FOUND && found.all.iter().all(|known| known.name != name || known.expect != at) {
                found.all.push(Reading { expect: at, name, sameness });
                found.exprs.push(value);
            }
        }
    }
    found
}

/// Misreads an expression, and the computed names that it reads.
fn misread_answer(task: &Task, expr: &Expr) -> Vec<misread::Misread> {
    let mut all = misread_small(task, expr);
    let names: Vec<NameId> = Uses::from_computation(task, expr).names.into_iter().collect();
    for name in names {
        let Some(value) = task.find_computed(name) else { continue };
        for (label, sameness, other) in misread_small(task, value) {
            // What reads the rows of a named query reads no name.
            let inlined = inline::replace_name(task, expr, name, &other).filter(|inlined| inlined != expr);
            all.extend(inlined.map(|inlined| (label, sameness, inlined)));
        }
    }
    all
}

fn misread_small(task: &Task, expr: &Expr) -> Vec<misread::Misread> {
    if parts::count_parts(expr) > MAX_PARTS { Vec::new() } else { misread::misread_expr(task, expr) }
}
