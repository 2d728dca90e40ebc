//! What depends on no draw, computed while a suite is checked: with the evaluator that makes instances, but without making one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ::sqlite::StepBudget;
use model::compute::{Budget, Compute, Evaluation, FailedRow, GoldQuery, Known, ResultVisitor, Rows};
use model::suite::{ColumnId, Expr, FileId, NameId, RelationId, Step, Task};
use model::uses::Uses;
use model::{Plan, TiVec, Value, ValueType};

use super::cell::{InstanceDraft, Table};
use super::column::Column;
use super::constant_cache::{ConstantKey, Cost};
use super::eval::{Eval, Res};
use super::scratch::Scratch;
use super::streams::Keys;
use super::task::ReadyTask;
use super::{Address, Generator, Options};
use crate::Failure;
use crate::failure::FailureKind;

/// No more cells of axes are looked at.
const MAX_CELLS: u32 = 1000;

/// The same for a task with a data set, whose rows are cells.
const MAX_CELLS_OF_ROWS: u32 = 100_000;

/// How often a sample is drawn that only shows whether one can be made.
const TRIALS: u32 = 100;

/// The evaluator of instances, for what depends on no draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Computer;

impl Compute for Computer {
    /// Each relation is made once for each cell of the axes, and enters SQLite once. No query takes more than [`sqlite::CHECKED`] allows, and all that are asked
    /// for together no more than is left of the budget: else none of what needs a query is computed. What is known already is paid as if it were not, so that
    /// it depends on the suite alone what is computed.
    fn evaluate_fixed(&self, plan: &Plan, task: usize, wanted: &[Expr], budget: &mut Budget) -> Vec<Evaluation> {
        let mut found = vec![Evaluation::Unknown; wanted.len()];
        let Some(declared) = plan.tasks.get(task).filter(|task| task.count_cells() <= choose_max_cells(task)) else {
            return found;
        };
        let uses: Vec<Uses<'_>> = wanted.iter().map(|expr| Uses::from_value(declared, expr)).collect();
        let mut asked: Vec<Asked<'_>> = Vec::new();
        let mut paid = Paid::default();
        let mut queried = vec![false; wanted.len()];
        for (((slot, expr), uses), at) in found.iter_mut().zip(wanted).zip(&uses).zip(0..) {
            // Where a file is, is known when it is made.
            if uses.is_drawn() || !uses.paths.is_empty() {
                continue;
            }
            let basis = ConstantKey::try_new(plan, declared, expr, uses);
            match basis.as_ref().and_then(ConstantKey::find_known) {
                Some((known, cost)) => {
                    *slot = known;
                    if let Some(queried) = queried.get_mut(at) {
                        *queried = paid.pay_cost(&cost, budget);
                    }
                }
                None => asked.push(Asked { at, expr, uses, basis, found: Evaluation::Values(Vec::new()), own: 0 }),
            }
        }
        if !asked.is_empty() {
            compute_values(plan, (task, declared), &mut asked, &mut paid, budget);
        }
        for Asked { at, uses, basis, found: computed, own, .. } in asked {
            let cost = Cost { own, parts: paid.list_parts(uses) };
            if let (Some(slot), Some(queried)) = (found.get_mut(at), queried.get_mut(at)) {
                *queried = cost.own > 0 || !cost.parts.is_empty();
                *slot = computed.clone();
            }
            // What ended because the process or the budget ends is not what it is.
            if let Some(basis) = basis.filter(|_| !::sqlite::is_stopped() && budget.left > 0) {
                basis.keep_value(&computed, cost);
            }
        }
        if budget.left == 0 {
            let without = found.iter_mut().zip(queried).filter(|(_, queried)| *queried);
            without.for_each(|(slot, _)| *slot = Evaluation::TooMuch);
        }
        found
    }

    /// The first sample of the seed `0`, drawn [`TRIALS`] times at most.
    fn try_sample(&self, plan: &Plan, task: usize) -> Option<Failure> {
        let name = plan.tasks.get(task)?.name.clone();
        let options = Options { samples: Some(1), task: Some(name), traps: false, ..Options::new("0") };
        let generator = match Generator::new(plan, options) {
            Ok(generator) => generator.with_attempts(TRIALS),
            Err(why) => return Some(why),
        };
        let address = generator.address(0)?;
        generator.instance(address).err()
    }

    fn run_queries(&self, asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>) {
        super::gold::run_queries(asked, look);
    }

    fn new_table(&self, columns: usize, rows: usize) -> Box<dyn Rows> {
        let columns = (0..columns).map(|_| Column::new(ValueType::Text, 0).into()).collect();
        Box::new(Table { rows, starts: Vec::new(), origins: Vec::new(), columns })
    }
}

fn choose_max_cells(task: &Task) -> u32 {
    if task.each.is_some() { MAX_CELLS_OF_ROWS } else { MAX_CELLS }
}

impl Rows for Table {
    fn set_column(&mut self, column: ColumnId, known: &Known) {
        if let Some(place) = self.columns.get_mut(column) {
            *place = Column::from_values(known.value_type, &known.values).into();
        }
    }

    fn evaluate_rows(&self, expr: &Expr) -> Result<Vec<Value>, FailedRow> {
        let (task, plan) = (Task::default(), Plan::default());
        let ready = ReadyTask::new(0, &task, &plan, &Keys::new(plan.edition, ""), Some(1), &Arc::default());
        let samplers = TiVec::new();
        let failed = |row: usize, why: Box<Failure>| FailedRow { row, why };
        let at = Address { task: 0, cell: 0, variant: 0, sample: 0 };
        let cell = ready.new_cell(&samplers, Options::SANDBOX_ROOT, at, 0).map_err(|why| failed(0, why))?;
        let eval = Eval::new(&cell);
        (0..self.rows)
            .map(|row| Ok(eval.with_row(self, row).evaluate(expr).map_err(|why| failed(row, why))?.into_value()))
            .collect()
    }
}

/// An expression that is not known yet.
struct Asked<'a> {
    /// Its place among those that are wanted.
    at: usize,
    expr: &'a Expr,
    uses: &'a Uses<'a>,
    basis: Option<ConstantKey>,
    found: Evaluation,
    /// The steps of its own queries.
    own: u64,
}

/// The steps of the queries of all that is made for expressions of a task.
#[derive(Default)]
struct Paid {
    parts: BTreeMap<Part, u64>,
    /// Of these, those that were known before anything was computed.
    known: BTreeSet<Part>,
}

impl Paid {
    /// Pays for an expression that is known; whether a query is needed for it.
    fn pay_cost(&mut self, cost: &Cost, budget: &mut Budget) -> bool {
        budget.spend_steps(cost.own);
        for (part, steps) in &cost.parts {
            if self.known.insert(*part) {
                self.parts.insert(*part, *steps);
                budget.spend_steps(*steps);
            }
        }
        cost.own > 0 || !cost.parts.is_empty()
    }

    /// The parts that take queries and are made for something with these uses.
    fn list_parts(&self, uses: &Uses<'_>) -> Vec<(Part, u64)> {
        let used = |part: &Part| match part {
            Part::Name(id) => uses.names.contains(id),
            Part::Relation(id) => uses.relations.contains(id),
            Part::File(id) => uses.files.contains(id),
        };
        self.parts.iter().filter(|(part, _)| used(part)).map(|(part, steps)| (*part, *steps)).collect()
    }
}

/// Works out expressions, cell after cell.
fn compute_values(
    plan: &Plan,
    (index, task): (usize, &Task),
    asked: &mut [Asked<'_>],
    paid: &mut Paid,
    budget: &mut Budget,
) {
    let Ok(index) = u32::try_from(index) else { return };
    // Nothing is drawn: of the random keys and the domains nothing is used.
    let ready = ReadyTask::new(index, task, plan, &Keys::new(plan.edition, ""), Some(1), &Arc::default());
    let samplers = TiVec::new();
    let allowance = StepBudget::with_steps(budget.left);
    for cell in 0..task.count_cells() {
        let at = Address { task: index, cell, variant: 0, sample: 0 };
        let Ok(cell) = ready.new_cell(&samplers, Options::SANDBOX_ROOT, at, 0) else { continue };
        let mut making = Making {
            cell: InstanceDraft { scratch: Scratch::new_checked().into(), ..cell },
            made: BTreeSet::new(),
            failed: BTreeMap::new(),
        };
        for asked in asked.iter_mut() {
            let Evaluation::Values(values) = &mut asked.found else { continue };
            let value = making.make_parts(task, asked.uses, &allowance, paid).and_then(|()| {
                let before = allowance.left();
                let value = Eval::new(&making.cell).evaluate(asked.expr).map(model::Val::into_value);
                asked.own += before - allowance.left();
                value
            });
            match value {
                Ok(value) => values.push(value),
                Err(why) if why.kind == FailureKind::SqlTooMuch && allowance.left() == 0 => {
                    asked.found = Evaluation::TooMuch
                }
                Err(why) => asked.found = classify_failure(why),
            }
        }
    }
    budget.left = allowance.left();
}

/// What failed: a build says the same only if it was not for want of time, of memory, or of something that only a build makes.
fn classify_failure(why: Box<Failure>) -> Evaluation {
    match why.kind {
        FailureKind::FailedComputation | FailureKind::SqlAtBuild | FailureKind::TooFewTokens => Evaluation::Fails(why),
        _ => Evaluation::Unknown,
    }
}

/// Something that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Name(NameId),
    Relation(RelationId),
    File(FileId),
}

/// A cell, of which only what is asked for is made.
struct Making<'a> {
    cell: InstanceDraft<'a>,
    /// What has been made.
    made: BTreeSet<Part>,
    /// What cannot be made: it is not tried again.
    failed: BTreeMap<Part, Box<Failure>>,
}

impl Making<'_> {
    /// Makes what an expression needs and is not there.
    fn make_parts(&mut self, task: &Task, uses: &Uses<'_>, allowance: &StepBudget, paid: &mut Paid) -> Res<()> {
        let steps = task.steps.iter().filter_map(|step| match step {
            Step::Name(id) if uses.names.contains(id) => Some((Part::Name(*id), *step)),
            Step::Relation(id) if uses.relations.contains(id) => Some((Part::Relation(*id), *step)),
            Step::File(id) if uses.files.contains(id) => Some((Part::File(*id), *step)),
            _ => None,
        });
        let of_ways = task.iter_ways().flat_map(|way| &way.steps);
        let of_ways = of_ways.filter(|id| uses.names.contains(id)).map(|id| (Part::Name(*id), Step::Name(*id)));
        for (part, step) in steps.chain(of_ways) {
            if self.made.contains(&part) {
                continue;
            }
            if let Some(why) = self.failed.get(&part) {
                return Err(why.clone());
            }
            let ran = if paid.known.contains(&part) {
                StepBudget::run_unmetered(|| self.cell.run_steps(&[step]))
            } else {
                let before = allowance.left();
                let ran = self.cell.run_steps(&[step]);
                let steps = before - allowance.left();
                if steps > 0 {
                    *paid.parts.entry(part).or_default() += steps;
                }
                ran
            };
            if let Err(why) = ran {
                self.failed.insert(part, why.clone());
                return Err(why);
            }
            self.made.insert(part);
        }
        Ok(())
    }
}
