//! From (plan, seed, address) to an instance: a pure function. No files, no clock; threads only where the caller says how many may write its files.
//!
//! The way of a value: `streams` gives each value path its random words, `sampler` and `choice` say what a word means, `draw` fills names and
//! columns, `eval` and `functions` compute, `cell` does the plan's steps in order, `files`, `tree`, `sqlite` and `workbook` render, `assemble` puts the
//! instance together. `constants` does the same for what depends on no draw, while a suite is checked.

mod answers;
mod arithmetic;
mod assemble;
mod cell;
mod choice;
mod clutter;
mod column;
mod constant_cache;
mod constants;
mod derived_rows;
mod dirt;
mod distributions;
mod draw;
mod eval;
mod extras;
mod files;
mod fill;
mod fixture_content;
mod functions;
mod gold;
#[cfg(test)]
mod golden;
mod ignored_differences;
mod inspect;
mod instance;
mod lakes;
mod lorem;
mod misread;
mod path_columns;
mod paths;
mod permutation;
mod readback;
mod reader;
mod recovered_rows;
mod rows;
mod sampler;
mod scratch;
mod size;
mod sqlite;
mod stage_conflicts;
mod stages;
mod streams;
mod table_file;
mod table_writer;
mod task;
mod traps;
mod tree;
mod tuples;
mod workbook;

use std::sync::Arc;

pub use constants::Computer;
pub use inspect::{DescribedAt, Look, LookedAt, WrittenCells};
pub use instance::*;
pub use lorem::compute_lorem_size;
pub use reader::{Believed, BelievedKey};

use model::suite::DomainId;
use model::{Plan, TiVec};

use crate::Failure;
use crate::failure::FailureKind;
use assemble::Making;
use sampler::Sampler;
use task::ReadyTask;

/// How prompts are rendered and how many samples there are: the build options that change content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed, as text (`7` is the text "7").
    pub seed: String,
    /// Overrides every task's own number.
    pub samples: Option<u32>,
    /// Only tasks whose names match this glob (`q3*`); the others keep their random streams, being keyed by name.
    pub task: Option<String>,
    /// What `<<sandbox>>` renders as; `.` by default. Files render as paths below it (`.`: the bare relative path).
    pub sandbox_root: String,
    /// Whether answer keys have traps.
    pub traps: bool,
}

impl Options {
    /// What prompts call the root of the sandbox unless an option says otherwise.
    pub const SANDBOX_ROOT: &str = ".";

    /// All tasks with their own numbers of samples, and prompts that name files by their relative paths.
    pub fn new(seed: impl Into<String>) -> Options {
        let sandbox_root = Options::SANDBOX_ROOT.to_owned();
        Options { seed: seed.into(), samples: None, task: None, sandbox_root, traps: true }
    }
}

/// A plan made ready to generate from. Shared by all threads.
pub struct Generator<'p> {
    plan: &'p Plan,
    options: Options,
    /// The plan's domains, ready.
    samplers: TiVec<DomainId, Sampler<'p>>,
    /// The tasks asked for, in source order.
    tasks: Vec<ReadyTask<'p>>,
}

impl<'p> Generator<'p> {
    /// Makes a plan ready: domains are counted, schemas are written. Fails (usage) if no task matches the glob.
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

    /// The same, which draws a sample no more than this often.
    fn with_attempts(mut self, attempts: u32) -> Generator<'p> {
        self.tasks.iter_mut().for_each(|task| task.attempts = attempts);
        self
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// How many instances there are.
    pub fn count(&self) -> u64 {
        self.tasks.iter().map(ReadyTask::count_instances).sum()
    }

    /// The address of the `index`-th instance (from 0), in the bundle's order: task (source order), cell, variant, sample.
    pub fn address(&self, index: u64) -> Option<Address> {
        let mut left = index;
        for task in &self.tasks {
            if left < task.count_instances() {
                return Some(task.resolve_address(left));
            }
            left -= task.count_instances();
        }
        None
    }

    /// Samples of each selected task: (index of the task, samples).
    pub fn samples(&self) -> Vec<(u32, u32)> {
        self.tasks.iter().map(|task| (task.index, task.samples)).collect()
    }

    /// Makes an instance. Whatever order and thread they are asked for in, the same address gives the same instance.
    pub fn instance(&self, address: Address) -> Result<Instance, Failure> {
        self.instance_by(address, 1)
    }

    /// The same instance, made by this number of threads.
    pub fn instance_by(&self, address: Address, threads: usize) -> Result<Instance, Failure> {
        self.made(address, Making { threads, judging: false })
    }

    /// The same instance, which also has [`Instance::dropped`]: for those that judge a suite.
    pub fn judged(&self, address: Address) -> Result<Instance, Failure> {
        self.made(address, Making { threads: 1, judging: true })
    }

    fn made(&self, address: Address, making: Making) -> Result<Instance, Failure> {
        match self.tasks.binary_search_by_key(&address.task, |task| task.index) {
            Ok(at) => assemble::generate_instance(self, &self.tasks[at], address, making).map_err(|failure| *failure),
            Err(_) => {
                Err(Failure::new(FailureKind::Usage, format!("task {} does not exist in this build", address.task)))
            }
        }
    }
}
