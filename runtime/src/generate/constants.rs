//! Computes values that no draw affects while a suite is checked, with the evaluator of instances but without an instance.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ::sqlite::StepBudget;
use model::compute::{Budget, Compute, Evaluation, FailedRow, GoldQuery, Known, ResultVisitor, Rows};
use model::suite::{ColumnId, Expr, Step, Task};
use model::uses::Uses;
use model::{Plan, TiVec, Val, Value, ValueType};

use super::cell::InstanceDraft;
use super::column::Column;
use super::constant_cache::{ConstantKey, Cost};
use super::context::Eval;
use super::failures::Res;
use super::scratch::Scratch;
use super::streams::Keys;
use super::table::Table;
use super::task::ReadyTask;
use super::{Address, Generator, Options};
use crate::Failure;
use crate::failure::FailureKind;

/// Maximum number of axis cells for which expressions are computed.
const MAX_CELLS: u32 = 1000;

/// The same maximum for a task with a data set, whose rows are cells.
const MAX_CELLS_OF_ROWS: u32 = 100_000;

/// Maximum number of attempts at the sample that only shows whether one can be made. A suite with queries over tables needs 20 ms for each.
const TRIALS: u32 = 25;

/// The evaluator of instances, for expressions that no draw affects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Computer;

impl Compute for Computer {
    /// Makes each relation once for each cell of the axes and loads it into SQLite once. A single query takes at most [`sqlite::CHECKED`], and all
    /// requested ones together at most the rest of the budget; otherwise no expression that needs a query is computed. Cached results are charged
    /// like new ones, so the set of computed expressions depends only on the suite.
    fn evaluate_fixed(&self, plan: &Plan, task: usize, wanted: &[Expr], budget: &mut Budget) -> Vec<Evaluation> {
        let mut found = vec![Evaluation::Unknown; wanted.len()];
        let Some(declared) = plan.tasks.get(task).filter(|task| task.count_cells() <= choose_max_cells(task)) else {
            return found;
        };
        let uses: Vec<Uses<'_>> = wanted.iter().map(|expr| Uses::from_value(declared, expr)).collect();
        let mut asked: Vec<Asked<'_>> = Vec::new();
        let mut paid = Paid::default();
        let mut queried = vec![false; wanted.len()];
        for (at, (expr, uses)) in wanted.iter().zip(&uses).enumerate() {
            // The path of a file becomes known only when the file is made.
            if uses.is_drawn() || !uses.paths.is_empty() {
                continue;
            }
            let basis = ConstantKey::try_new(plan, declared, expr, uses);
            match basis.as_ref().and_then(ConstantKey::find_known) {
                Some((known, cost)) => {
                    found[at] = known;
                    queried[at] = paid.pay_cost(&cost, budget);
                }
                None => asked.push(Asked { at, expr, uses, basis, found: Evaluation::Values(Vec::new()), own: 0 }),
            }
        }
        if !asked.is_empty() {
            compute_values(plan, (task, declared), &mut asked, &mut paid, budget);
        }
        for Asked { at, uses, basis, found: computed, own, .. } in asked {
            let cost = Cost { own, parts: paid.list_parts(uses) };
            queried[at] = cost.has_query();
            found[at] = computed.clone();
            // A result is not kept if the end of the process or of the budget caused it.
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

    /// Makes the first sample of the seed `0` with at most [`TRIALS`] attempts; returns its failure.
    fn try_sample(&self, plan: &Plan, task: usize) -> Option<Failure> {
        let name = plan.tasks.get(task)?.name.clone();
        let options = Options { samples: Some(1), task: Some(name), traps: false, ..Options::new("0") };
        let generator = match Generator::new(plan, options) {
            Ok(generator) => generator.with_attempts(TRIALS),
            Err(why) => return Some(why),
        };
        let address = generator.resolve_address(0)?;
        generator.generate_instance(address).err()
    }

    fn run_queries(&self, asked: &[GoldQuery<'_>], look: &ResultVisitor<'_>) {
        super::gold::run_queries(asked, look);
    }

    fn new_table(&self, columns: usize, rows: usize) -> Box<dyn Rows> {
        let columns = (0..columns).map(|_| Column::new(ValueType::Text, 0).into()).collect();
        Box::new(Table::new(rows, columns))
    }
}

fn choose_max_cells(task: &Task) -> u32 {
    if task.each.is_some() { MAX_CELLS_OF_ROWS } else { MAX_CELLS }
}

impl Rows for Table {
    fn set_column(&mut self, column: ColumnId, known: &Known) {
        self.put_column(column, Column::from_values(known.value_type, &known.values).into());
    }

    fn evaluate_rows(&self, expr: &Expr) -> Result<Vec<Value>, FailedRow> {
        let (task, plan) = (Task::default(), Plan::default());
        let ready = ReadyTask::new(0, &task, &plan, &Keys::new(plan.edition, ""), Some(1), &Arc::default());
        let samplers = TiVec::new();
        let at = Address { task: 0, cell: 0, variant: 0, sample: 0 };
        let cell = ready.new_cell(&samplers, Options::SANDBOX_ROOT, at, 0);
        let value = |row: usize| Eval::new(&cell).with_row(self, row).evaluate(expr).map(Val::into_value);
        (0..self.rows).map(|row| value(row).map_err(|why| FailedRow { row, why })).collect()
    }
}

/// An expression whose value is not cached.
struct Asked<'a> {
    /// Its index among the requested expressions.
    at: usize,
    expr: &'a Expr,
    uses: &'a Uses<'a>,
    basis: Option<ConstantKey>,
    found: Evaluation,
    /// The steps of its own queries.
    own: u64,
}

/// The steps of the queries of all parts made for expressions of a task.
#[derive(Default)]
struct Paid {
    parts: BTreeMap<Step, u64>,
    /// The parts that were cached before anything was computed.
    known: BTreeSet<Step>,
}

impl Paid {
    /// Charges the cost of a cached expression to the budget. Returns whether the expression needs a query.
    fn pay_cost(&mut self, cost: &Cost, budget: &mut Budget) -> bool {
        budget.spend_steps(cost.own);
        for (part, steps) in &cost.parts {
            if self.known.insert(*part) {
                self.parts.insert(*part, *steps);
                budget.spend_steps(*steps);
            }
        }
        cost.has_query()
    }

    /// Lists the parts with queries that expressions with these uses need.
    fn list_parts(&self, uses: &Uses<'_>) -> Vec<(Step, u64)> {
        self.parts.iter().filter(|(part, _)| is_needed(part, uses)).map(|(part, steps)| (*part, *steps)).collect()
    }
}

/// Computes expressions, cell by cell.
fn compute_values(
    plan: &Plan,
    (index, task): (usize, &Task),
    asked: &mut [Asked<'_>],
    paid: &mut Paid,
    budget: &mut Budget,
) {
    let Ok(index) = u32::try_from(index) else { return };
    // Nothing is drawn, so the random keys and the domains are never used.
    let ready = ReadyTask::new(index, task, plan, &Keys::new(plan.edition, ""), Some(1), &Arc::default());
    let samplers = TiVec::new();
    let allowance = StepBudget::with_steps(budget.left);
    for cell in 0..task.count_cells() {
        let at = Address { task: index, cell, variant: 0, sample: 0 };
        let cell = ready.new_cell(&samplers, Options::SANDBOX_ROOT, at, 0);
        let cell = InstanceDraft { scratch: Scratch::new_checked().into(), ..cell };
        let mut making = Making { cell, made: BTreeMap::new() };
        for asked in asked.iter_mut() {
            let Evaluation::Values(values) = &mut asked.found else { continue };
            let value = making.make_parts(task, asked.uses, &allowance, paid).and_then(|()| {
                let before = allowance.left();
                let value = Eval::new(&making.cell).evaluate(asked.expr).map(Val::into_value);
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

/// Classifies a failure: a build reports the same one unless time, memory, or a part that only a build makes was missing here.
fn classify_failure(why: Box<Failure>) -> Evaluation {
    match why.kind {
        FailureKind::FailedComputation | FailureKind::SqlAtBuild | FailureKind::TooFewTokens => Evaluation::Fails(why),
        _ => Evaluation::Unknown,
    }
}

/// Checks whether a step makes a part that expressions with these uses need.
fn is_needed(step: &Step, uses: &Uses<'_>) -> bool {
    match step {
        Step::Name(id) => uses.names.contains(id),
        Step::Relation(id) => uses.relations.contains(id),
        Step::File(id) => uses.files.contains(id),
        Step::Require(_) => false,
    }
}

/// A cell in which only the requested parts are made.
struct Making<'a> {
    cell: InstanceDraft<'a>,
    /// The parts already made. Those that failed are not tried again.
    made: BTreeMap<Step, Res<()>>,
}

impl Making<'_> {
    /// Makes the missing parts that an expression needs.
    fn make_parts(&mut self, task: &Task, uses: &Uses<'_>, allowance: &StepBudget, paid: &mut Paid) -> Res<()> {
        let of_ways = task.iter_ways().flat_map(|way| &way.steps).map(|id| Step::Name(*id));
        for part in task.steps.iter().copied().chain(of_ways).filter(|step| is_needed(step, uses)) {
            if let Some(made) = self.made.get(&part) {
                made.clone()?;
                continue;
            }
            let ran = if paid.known.contains(&part) {
                StepBudget::run_unmetered(|| self.cell.run_steps(&[part]))
            } else {
                let before = allowance.left();
                let ran = self.cell.run_steps(&[part]);
                let steps = before - allowance.left();
                if steps > 0 {
                    *paid.parts.entry(part).or_default() += steps;
                }
                ran
            };
            self.made.entry(part).or_insert(ran.map(drop)).clone()?;
        }
        Ok(())
    }
}
