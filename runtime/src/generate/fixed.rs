//! What depends on no draw, computed while a suite is checked: with the evaluator that makes instances, but without making one.

use std::collections::BTreeSet;
use std::sync::Arc;

use plan::suite::{Expr, FileId, NameId, RelationId, Step, Task};
use plan::uses::Uses;
use plan::{Plan, TiVec, Value};

use super::Address;
use super::cell::{Cell, Verdict};
use super::eval::Eval;
use super::known::Basis;
use super::scratch::Scratch;
use super::streams::Keys;
use super::task::ReadyTask;

/// No more cells of axes are looked at.
const MOST_CELLS: u32 = 1000;

/// The values of expressions of a task, each in all cells of its axes. `None` for one that depends on a draw, or whose computation fails, or takes
/// more than [`sqlite::CHECKED`] allows. Each relation is made once for each cell, and enters SQLite once.
pub fn fixed(plan: &Plan, task: usize, wanted: &[Expr]) -> Vec<Option<Vec<Value>>> {
    let mut values: Vec<Option<Vec<Value>>> = vec![None; wanted.len()];
    let Some(declared) = plan.tasks.get(task).filter(|task| task.cells() <= MOST_CELLS) else { return values };
    let uses: Vec<Uses<'_>> = wanted.iter().map(|expr| Uses::of_value(declared, expr)).collect();
    // What is known already, and of what the others are kept.
    let mut bases: Vec<Option<Basis>> = Vec::with_capacity(wanted.len());
    let mut found: Vec<bool> = vec![false; wanted.len()];
    for (((slot, found), uses), expr) in values.iter_mut().zip(&mut found).zip(&uses).zip(wanted) {
        let basis = if uses.is_drawn() { None } else { Basis::of(plan, declared, expr, uses) };
        match basis.as_ref().and_then(Basis::known) {
            Some(known) => (*slot, *found) = (known, true),
            None if !uses.is_drawn() => *slot = Some(Vec::new()),
            None => {}
        }
        bases.push(basis);
    }
    let is_wanted = |(slot, found): (&Option<Vec<Value>>, &bool)| slot.is_some() && !found;
    if !values.iter().zip(&found).any(is_wanted) {
        return values;
    }
    let Ok(index) = u32::try_from(task) else { return values };
    // Nothing is drawn: of the random keys and the domains nothing is used.
    let ready = ReadyTask::new(index, declared, plan, &Keys::new(plan.edition, ""), Some(1), &Arc::default());
    let samplers = TiVec::new();
    for cell in 0..declared.cells() {
        let at = Address { task: index, cell, variant: 0, sample: 0 };
        let Ok(cell) = ready.cell(&samplers, super::Options::SANDBOX_ROOT, at, 0) else { continue };
        let mut making = Making { cell: Cell { scratch: Scratch::checked().into(), ..cell }, made: BTreeSet::new() };
        for (((slot, found), uses), expr) in values.iter_mut().zip(&found).zip(&uses).zip(wanted) {
            let Some(values) = slot.as_mut().filter(|_| !found) else { continue };
            let value = match making.all(declared, uses) {
                true => Eval::new(&making.cell).eval(expr).ok().map(|value| value.into_value()),
                false => None,
            };
            match value {
                Some(value) => values.push(value),
                None => *slot = None,
            }
        }
    }
    // What ended because the process ends is not what it is.
    if !::sqlite::stopped() {
        for ((values, found), basis) in values.iter().zip(found).zip(bases) {
            if let Some(basis) = basis.filter(|_| !found) {
                basis.keep(values);
            }
        }
    }
    values
}

/// Something that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Name(NameId),
    Relation(RelationId),
    File(FileId),
}

/// A cell, of which only what is asked for is made.
struct Making<'a> {
    cell: Cell<'a>,
    /// What has been made.
    made: BTreeSet<Part>,
}

impl Making<'_> {
    /// Makes what an expression needs and is not there; whether that succeeds.
    fn all(&mut self, task: &Task, uses: &Uses<'_>) -> bool {
        let steps = task.steps.iter().filter_map(|step| match step {
            Step::Name(id) if uses.names.contains(id) => Some((Part::Name(*id), *step)),
            Step::Relation(id) if uses.relations.contains(id) => Some((Part::Relation(*id), *step)),
            Step::File(id) if uses.files.contains(id) => Some((Part::File(*id), *step)),
            _ => None,
        });
        let of_variants = task.variants.iter().flat_map(|variant| &variant.steps);
        let of_variants = of_variants.filter(|id| uses.names.contains(id)).map(|id| (Part::Name(*id), Step::Name(*id)));
        for (part, step) in steps.chain(of_variants) {
            if self.made.contains(&part) {
                continue;
            }
            if !matches!(self.cell.run(&[step]), Ok(Verdict::Holds)) {
                return false;
            }
            self.made.insert(part);
        }
        true
    }
}
