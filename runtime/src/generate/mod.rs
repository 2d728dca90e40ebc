//! Generates an instance from plan, seed, and address as a pure function: it never uses files or the clock, and threads only if the caller allows
//! several to write the instance's files.
//!
//! The modules from the lowest to the highest: `failures`; `work` counts the work of an instance; `streams` derives random words from value paths;
//! `column` and `table` hold rows, `sqlite`, `tree`, and `rendered` files, `sampler` a prepared domain, and `cell` all of one instance; `context` adds the current row, in which `eval` and
//! `functions` compute; `choice` and `draw` map words to values, `fill` and `column_draws` draw columns, and `column_sources` makes each from its
//! source; `making` says how an instance is made; `table_file` and those around it, `shapes`, `workbook`, `parquet`, and `files` render; `steps` executes the plan's steps in order; `answers` and `traps`
//! compute the answer key, `figures` what else is asked of an instance (`inquiry`), `prompt` and `stages` the question, and `assemble` builds the instance. `constants` does the same for values that no draw
//! affects, while a suite is checked.

mod answers;
mod arithmetic;
mod assemble;
mod cell;
mod choice;
mod clutter;
mod column;
mod column_draws;
mod column_sources;
mod constant_cache;
mod constants;
mod context;
mod declared_form;
mod derived_rows;
mod dirt;
mod distributions;
mod draw;
mod eval;
mod examples;
mod extras;
mod failures;
mod figures;
mod files;
mod fill;
mod fixture_content;
mod functions;
mod gold;
#[cfg(test)]
mod golden;
mod ignored_differences;
mod inquiry;
mod inspect;
mod instance;
mod kept_databases;
mod lakes;
mod lorem;
mod making;
mod misread;
mod page;
mod parquet;
mod path_columns;
mod paths;
mod permutation;
mod prompt;
mod readback;
mod reader;
mod recovered_rows;
mod rendered;
mod replaced;
mod rows;
mod sampler;
mod scratch;
mod shapes;
mod size;
mod sqlite;
mod stage_conflicts;
mod stages;
mod steps;
mod streams;
mod table;
mod table_file;
mod table_writer;
mod task;
mod traps;
mod tree;
mod tuples;
mod work;
mod workbook;

use std::sync::Arc;

pub use constants::Computer;
pub use examples::{ComputedExample, InstanceTests, PanelState};
pub use inquiry::{Figure, Findings, Inquiry, Measure};
pub use inspect::{DescribedAt, Look, LookedAt, WrittenCells};
pub use instance::*;
pub use lorem::compute_lorem_size;
pub use reader::{Believed, BelievedKey};
pub use work::WorkMeter;

use model::suite::DomainId;
use model::{Plan, TiVec};

use crate::Failure;
use crate::failure::FailureKind;
use making::Making;
use sampler::Sampler;
use task::ReadyTask;

/// The build options that change content: selection, number of samples, and rendering of prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed, as text (`7` is the text "7").
    pub seed: String,
    /// Overrides the number of samples of every task.
    pub samples: Option<u32>,
    /// Selects the tasks whose names match this glob (`q3*`). Their random streams do not change, because they are keyed by name.
    pub task: Option<String>,
    /// The rendering of `<<sandbox>>`; `.` by default. Files render as paths below it (with `.`, as bare relative paths).
    pub sandbox_root: String,
    /// Whether answer keys have traps.
    pub traps: bool,
}

impl Options {
    /// The default name of the sandbox root in prompts.
    pub const SANDBOX_ROOT: &str = ".";

    /// Selects all tasks with their own numbers of samples, and prompts that name files by their relative paths.
    pub fn new(seed: impl Into<String>) -> Options {
        let sandbox_root = Options::SANDBOX_ROOT.to_owned();
        Options { seed: seed.into(), samples: None, task: None, sandbox_root, traps: true }
    }
}

/// A plan that is prepared for generation. All threads share it.
pub struct Generator<'p> {
    plan: &'p Plan,
    options: Options,
    /// The samplers of the plan's domains.
    samplers: TiVec<DomainId, Sampler<'p>>,
    /// The selected tasks, in source order.
    tasks: Vec<ReadyTask<'p>>,
}

impl<'p> Generator<'p> {
    /// Prepares a plan: counts domains and writes schemas. Fails (usage) if the glob matches nothing.
    pub fn new(plan: &'p Plan, options: Options) -> Result<Generator<'p>, Failure> {
        let wanted = |name: &str| options.task.as_deref().is_none_or(|pattern| model::glob::is_match(pattern, name));
        let keys = streams::Keys::new(plan.edition, &options.seed).with_part(plan.suite.name.as_bytes());
        let shelf = Arc::default();
        let tasks: Vec<ReadyTask<'p>> = (0u32..)
            .zip(&plan.tasks)
            .filter(|(_, task)| wanted(&task.name))
            .map(|(index, task)| ReadyTask::new(index, task, plan, &keys, options.samples, &shelf))
            .collect();
        if let (Some(pattern), true) = (&options.task, tasks.is_empty()) {
            let names: Vec<&str> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
            let failure = Failure::new(FailureKind::Usage, format!("no task matches `{pattern}`"));
            return Err(failure.help(format!("the tasks are: {}", names.join(", "))));
        }
        let samplers = plan.domains.iter().map(Sampler::new).collect();
        Ok(Generator { plan, options, samplers, tasks })
    }

    /// Returns the same generator with this maximum number of attempts at a sample.
    fn with_attempts(mut self, attempts: u32) -> Generator<'p> {
        self.tasks.iter_mut().for_each(|task| task.attempts = attempts);
        self
    }

    /// Returns the options of this generator.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Returns the number of instances.
    pub fn count_instances(&self) -> u64 {
        self.tasks.iter().map(ReadyTask::count_instances).sum()
    }

    /// Returns the address of the `index`-th instance (from 0) in the bundle's order: task (source order), cell, variant, sample.
    pub fn resolve_address(&self, index: u64) -> Option<Address> {
        let mut left = index;
        for task in &self.tasks {
            if left < task.count_instances() {
                return Some(task.resolve_address(left));
            }
            left -= task.count_instances();
        }
        None
    }

    /// Returns the number of samples of each selected task: (index of the task, samples).
    pub fn list_sample_counts(&self) -> Vec<(u32, u32)> {
        self.tasks.iter().map(|task| (task.index, task.samples)).collect()
    }

    /// Makes an instance. The same address always results in the same instance, regardless of order and thread.
    pub fn generate_instance(&self, address: Address) -> Result<Instance, Failure> {
        self.generate_with_threads(address, 1)
    }

    /// Makes the same instance on this number of threads.
    pub fn generate_with_threads(&self, address: Address, threads: usize) -> Result<Instance, Failure> {
        self.generate_as(address, Making { threads, ..Making::ALONE })
    }

    /// Makes the same instance with [`Instance::dropped`] and [`Instance::findings`] filled in, for commands that judge a suite.
    pub fn generate_for_judging(&self, address: Address, inquiry: Inquiry<'_>) -> Result<Instance, Failure> {
        self.generate_as(address, Making { judging: Some(inquiry), ..Making::ALONE })
    }

    /// Makes the same instance without traps in its keys.
    pub fn generate_without_traps(&self, address: Address) -> Result<Instance, Failure> {
        self.generate_as(address, Making { traps: false, ..Making::ALONE })
    }

    /// Makes the same instance, or fails with [`FailureKind::TooMuchWork`] as soon as that takes more work than the meter allows. On one thread, and in
    /// the same order of instances, this is the same on every machine.
    pub fn generate_metered(&self, address: Address, meter: &WorkMeter) -> Result<Instance, Failure> {
        self.generate_as(address, Making { meter: Some(meter), ..Making::ALONE })
    }

    fn generate_as(&self, address: Address, making: Making<'_>) -> Result<Instance, Failure> {
        assemble::generate_instance(self, self.find_task(address)?, address, making).map_err(|failure| *failure)
    }

    fn find_task(&self, address: Address) -> Result<&ReadyTask<'p>, Failure> {
        let missing =
            || Failure::new(FailureKind::Usage, format!("task {} does not exist in this build", address.task));
        let at = self.tasks.binary_search_by_key(&address.task, |task| task.index).ok();
        at.and_then(|at| self.tasks.get(at)).ok_or_else(missing)
    }
}
