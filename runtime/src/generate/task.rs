//! A task prepared for generation: everything that is the same for all its instances.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use model::suite::{DomainId, FileContent, RelationId, Step, Task};
use model::uses::{is_drawn, is_static};
use model::{Domain, Plan, Span, TiSlice, Value};

use super::Address;
use super::cell::{DatabaseSql, InstanceDraft};
use super::failures::{OrSpan, Res, fail_with_help};
use super::fixture_content::GivenContent;
use super::lakes::collect_lake_paths;
use super::making::Making;
use super::paths::Fixed;
use super::sampler::Sampler;
use super::scratch::{Scratch, Shelf};
use super::sqlite;
use super::streams::Keys;
use crate::Failure;
use crate::failure::FailureKind;

/// Maximum number of attempts at a sample before its `require`s count as impossible.
const ATTEMPTS: u32 = 1000;
/// Marks an attempt that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// A task and the data computed for it once.
pub(crate) struct ReadyTask<'p> {
    /// Index in the plan.
    pub index: u32,
    /// The task.
    pub task: &'p Task,
    /// Number of samples to build.
    pub samples: u32,
    /// Maximum number of attempts at a sample.
    pub attempts: u32,
    /// The plan's fixed domains.
    domains: &'p TiSlice<DomainId, Domain>,
    /// The random keys up to the task's name.
    keys: Keys,
    /// SQL statements of tables, by file.
    databases: Vec<DatabaseSql>,
    /// The content of fixtures, which all instances share.
    given: GivenContent,
    /// Databases with the given relations.
    shelf: Arc<Shelf>,
    /// The sandbox paths of its lakes.
    pub lakes: Vec<Arc<Fixed>>,
    /// Number of steps up to the last `require`.
    required: usize,
    /// `require`s that do not depend on any draw.
    fixed: Vec<Span>,
    /// By sample and row: the attempt at which all `require`s hold in all cells of the row. Empty if repeating the attempts costs nothing.
    accepted: Vec<AtomicU32>,
}

impl<'p> ReadyTask<'p> {
    pub fn new(
        index: u32,
        task: &'p Task,
        plan: &'p Plan,
        keys: &Keys,
        samples: Option<u32>,
        shelf: &Arc<Shelf>,
    ) -> ReadyTask<'p> {
        let samples = if is_static(task) { 1 } else { samples.unwrap_or(task.samples) };
        let required = task.steps.iter().rposition(|step| matches!(step, Step::Require(_))).map_or(0, |at| at + 1);
        let shared = required > 0 && task.count_instances() > task.count_rows();
        ReadyTask {
            index,
            task,
            samples,
            attempts: ATTEMPTS,
            domains: &plan.domains,
            keys: keys.clone().with_part(task.name.as_bytes()),
            databases: build_database_sql(task),
            given: GivenContent::new(task),
            shelf: Arc::clone(shelf),
            lakes: collect_lake_paths(plan, task),
            required,
            fixed: task
                .requires
                .iter()
                .filter(|require| !is_drawn(task, &require.condition))
                .map(|require| require.span)
                .collect(),
            accepted: (0..if shared { samples.saturating_mul(task.count_rows()) } else { 0 })
                .map(|_| AtomicU32::new(UNKNOWN))
                .collect(),
        }
    }

    /// Returns the number of its instances.
    pub fn count_instances(&self) -> u64 {
        u64::from(self.task.count_instances()) * u64::from(self.samples)
    }

    /// Returns the address of its `index`-th instance, ordered by cell, variant, and sample.
    pub fn resolve_address(&self, index: u64) -> Address {
        let samples = u64::from(self.samples.max(1));
        let variants = (self.task.variants.len() as u64).max(1);
        let (rest, sample) = (index / samples, index % samples);
        Address {
            task: self.index,
            cell: (rest / variants) as u32,
            variant: (rest % variants) as u32,
            sample: sample as u32,
        }
    }

    /// Creates the cell of an attempt, in which no name, table, or file is made yet.
    pub fn new_cell<'g>(
        &'g self,
        samplers: &'g TiSlice<DomainId, Sampler<'g>>,
        sandbox_root: &'g str,
        at: Address,
        attempt: u32,
    ) -> InstanceDraft<'g> {
        InstanceDraft {
            task: self.task,
            domains: self.domains,
            samplers,
            databases: &self.databases,
            given: &self.given,
            sandbox_root,
            keys: self.keys.with_attempt(at.sample, self.task.find_row(at.cell).map(|row| row.key.as_str()), attempt),
            index: at.cell,
            names: vec![Value::Null; self.task.names.len()].into(),
            tables: self.task.relations.iter().map(|_| None).collect(),
            files: self.task.files.iter().map(|_| None).collect(),
            scratch: RefCell::new(Scratch::new(&self.shelf, self.index)),
            threads: 1,
            meter: None,
            described: RefCell::default(),
        }
    }

    /// Makes the cell at the accepted attempt: the first at which all `require`s hold in all cells of the sample, or of its row if the task has a
    /// data set. Calls `at_attempt` with the cell and the attempt before each try, which lets a failure name them.
    pub fn make_accepted_cell<'g>(
        &'g self,
        samplers: &'g TiSlice<DomainId, Sampler<'g>>,
        sandbox_root: &'g str,
        at: Address,
        making: Making<'g>,
        mut at_attempt: impl FnMut(u32, u32),
    ) -> Res<(InstanceDraft<'g>, u32)> {
        let row = self.task.find_row_index(at.cell);
        let memo = self.accepted.get(row as usize * self.samples as usize + at.sample as usize);
        let known = memo.map(|memo| memo.load(Ordering::Relaxed)).filter(|attempt| *attempt != UNKNOWN);
        let of_row = self.task.count_cells_per_row();
        let cells = row * of_row..(row + 1) * of_row;
        let (required, rest) = self.task.steps.split_at(self.required);
        let mut failed = None;
        for attempt in known.unwrap_or(0)..self.attempts {
            at_attempt(at.cell, attempt);
            let draft = |at: Address| -> Res<InstanceDraft<'g>> {
                making.meter.map_or(Ok(()), |meter| meter.count_attempt(attempt))?;
                Ok(InstanceDraft { meter: making.meter, ..self.new_cell(samplers, sandbox_root, at, attempt) })
            };
            let mut cell = InstanceDraft { threads: making.threads, ..draft(at)? };
            failed = cell.run_steps(required)?;
            if known.is_none() && self.required > 0 {
                for other in cells.clone().filter(|other| *other != at.cell) {
                    if failed.is_none() {
                        at_attempt(other, attempt);
                        let mut other = draft(Address { cell: other, ..at })?;
                        failed = other.run_steps(required)?;
                    }
                }
            }
            if let Some(require) = failed {
                self.require_satisfiable(require, row)?;
                continue;
            }
            if let Some(memo) = memo {
                // Threads may race here, but all of them write the same value.
                memo.store(attempt, Ordering::Relaxed);
            }
            at_attempt(at.cell, attempt);
            // After the last `require` the attempt cannot be rejected.
            cell.run_steps(rest)?;
            return Ok((cell, attempt));
        }
        let message = format!("`require` held in none of {} draws of sample {}", self.attempts, at.sample + 1);
        let failure = Failure::new(FailureKind::RequireNeverHeld, message)
            .help("loosen the condition, or draw what it depends on from domains that meet it more often");
        Err(Box::new(Failure { span: failed, ..failure }))
    }

    /// Fails if no other draw can make the `require` true.
    fn require_satisfiable(&self, require: Span, row: u32) -> Res<()> {
        if !self.fixed.contains(&require) {
            return Ok(());
        }
        let row = self.task.each.as_ref().and_then(|each| each.rows.get(row as usize));
        let message = "`require` is false, and depends on nothing that is drawn";
        let (message, help) = match row {
            None => (message.to_owned(), "remove it, or let it depend on a drawn value: then another draw can meet it"),
            Some(row) => (format!("{message}: row {}", row.key), "exclude the row with `where` after `each`"),
        };
        fail_with_help(FailureKind::RequireNeverHeld, message, help).or_span(require)
    }
}

fn build_database_sql(task: &Task) -> Vec<DatabaseSql> {
    let statements = |tables: &[RelationId]| {
        tables
            .iter()
            .filter_map(|id| Some((*id, task.relations.get(*id)?)))
            .map(|(id, relation)| (id, sqlite::build_table_sql(task, relation, None, &relation.table)))
            .collect()
    };
    task.files
        .iter()
        .map(|file| match &file.content {
            FileContent::Sqlite { tables, .. } => statements(tables),
            _ => Vec::new(),
        })
        .collect()
}
