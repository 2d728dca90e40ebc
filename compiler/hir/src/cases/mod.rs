//! Conditions that are decided case by case.
//!
//! The facts of the two sides of a comparison do not show that both sides depend on the same value. So a condition is judged once for each value of the
//! names and cells that it reads, or for each part of their ranges: within a case, the facts are those of single values, and the condition is evaluated by
//! the functions of the build. Texts of a pattern are represented by some of them (see `samples`). The search ends as soon as two cases differ, which
//! almost every condition of a good suite shows at once.
//!
//! | file | concept |
//! | --- | --- |
//! | `variables` | the names and cells that a condition reads, and what they depend on |
//! | `regions` | the parts into which the values of one of them are divided |
//! | `samples` | texts of a domain that represent all others |
//! | `exprs` | conditions of `where`, `require`, and `if` |
//! | `queries` | conditions of queries |

mod exprs;
mod queries;
mod regions;
mod samples;
mod variables;

use std::cell::Cell;

pub use exprs::decide_condition;
pub use queries::{decide_term, is_met_by_a_row};

use crate::facts::{Fact, Facts, Slot, Truth};
use regions::visit_regions;
use variables::Variables;

/// The maximum number of cases of a condition.
const MAX_CASES: usize = 4_000;

/// The maximum number of names and cells that are told apart by whether they are null.
const MAX_NULLABLE: usize = 4;

/// What the cases that were judged show.
#[derive(Default)]
struct Seen {
    always: Cell<bool>,
    never: Cell<bool>,
    open: Cell<bool>,
    cases: Cell<usize>,
}

impl Seen {
    fn add(&self, truth: Truth) {
        match truth {
            Truth::Always => self.always.set(true),
            Truth::Never => self.never.set(true),
            Truth::Open => self.open.set(true),
        }
    }

    /// Whether no further case can decide the condition.
    fn is_open(&self) -> bool {
        self.open.get() || (self.always.get() && self.never.get())
    }

    fn to_truth(&self) -> Truth {
        match (self.is_open(), self.always.get(), self.never.get()) {
            (false, true, false) => Truth::Always,
            (false, false, true) => Truth::Never,
            _ => Truth::Open,
        }
    }
}

/// Judges a condition in all cases of its variables, from the one at index `next` on.
fn visit_cases(facts: &Facts<'_>, variables: &Variables, next: usize, judge: &dyn Fn() -> Truth, seen: &Seen) {
    if facts.is_contradictory() {
        return;
    }
    seen.cases.set(seen.cases.get() + 1);
    if seen.cases.get() > MAX_CASES {
        return seen.add(Truth::Open);
    }
    let truth = judge();
    let Some(slot) = variables.slots.get(next).filter(|_| truth == Truth::Open) else { return seen.add(truth) };
    let fact = facts.lookup_slot(*slot).with_null_if(variables.nullable.contains(slot));
    visit_regions(&fact, &variables.literals, &variables.reading, &mut |region| {
        facts.assume(*slot, region, || visit_cases(facts, variables, next + 1, judge, seen));
        !seen.is_open()
    });
}

/// Judges a condition where some names and cells are null, and where they are not.
fn visit_nulls(facts: &Facts<'_>, slots: &[Slot], judge: &dyn Fn() -> Truth, seen: &Seen) {
    let truth = judge();
    let Some((slot, rest)) = slots.split_first().filter(|_| truth == Truth::Open) else { return seen.add(truth) };
    let present = Fact { nullable: false, ..facts.lookup_slot(*slot) };
    for fact in [Fact::null(), present] {
        if !seen.is_open() {
            facts.assume(*slot, fact, || visit_nulls(facts, rest, judge, seen));
        }
    }
}

/// Decides a condition by its cases.
fn decide(facts: &Facts<'_>, variables: &Variables, judge: &dyn Fn() -> Truth) -> Truth {
    let nullable = |slot: &&Slot| variables.nullable.contains(*slot) || facts.lookup_slot(**slot).nullable;
    let by_null: Vec<Slot> = variables.slots.iter().filter(nullable).take(MAX_NULLABLE).copied().collect();
    if !by_null.is_empty() {
        let seen = Seen::default();
        visit_nulls(facts, &by_null, judge, &seen);
        if seen.to_truth() != Truth::Open {
            return seen.to_truth();
        }
    }
    let seen = Seen::default();
    visit_cases(facts, variables, 0, judge, &seen);
    seen.to_truth()
}

/// Whether a case of the variables, from the one at index `next` on, meets a condition. They are drawn independently, so each case is possible.
fn is_met(facts: &Facts<'_>, variables: &Variables, next: usize, judge: &dyn Fn() -> Truth, seen: &Seen) -> bool {
    seen.cases.set(seen.cases.get() + 1);
    let truth = judge();
    let Some(slot) = variables.slots.get(next).filter(|_| truth == Truth::Open && seen.cases.get() <= MAX_CASES) else {
        return truth == Truth::Always;
    };
    let mut met = false;
    visit_regions(&facts.lookup_slot(*slot), &variables.literals, &variables.reading, &mut |region| {
        met = facts.assume(*slot, region, || is_met(facts, variables, next + 1, judge, seen));
        !met
    });
    met
}
