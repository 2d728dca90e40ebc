//! The order in which samples are drawn: first one of every cell and variant of every task, task by task in turn, then more of every cell.

use std::ops::Range;

use model::Plan;
use model::suite::Task;
use model::uses::is_static;
use runtime::generate::Address;

/// The number of different samples of a task without `require`. Their cells have different samples, which shows more draws; with a `require`, which has to
/// hold in all cells of a sample, that would take more work.
const DISTINCT: u32 = 64;

/// The samples of some plans.
pub struct Schedule {
    tasks: Vec<Planned>,
    /// The number of samples in the first round of the largest task.
    first: u64,
    /// The number of samples of the largest task.
    most: u64,
}

/// The samples of a task.
struct Planned {
    /// The index of its plan.
    run: usize,
    /// Its index in the plan.
    task: u32,
    cells: u64,
    variants: u64,
    /// The number of samples in the first round, and of all samples.
    first: u64,
    all: u64,
    /// The number of different samples; with 0, all cells of a round have the same one.
    distinct: u64,
}

impl Planned {
    fn new(run: usize, task: u32, declared: &Task, samples: u32) -> Planned {
        let cells = u64::from(declared.count_cells());
        let variants = (declared.variants.len() as u64).max(1);
        let first = cells * variants;
        let fixed = is_static(declared);
        let all = if fixed { first } else { first + cells * u64::from(samples.saturating_sub(1)) };
        let distinct = match (fixed, declared.requires.is_empty()) {
            (true, _) => 1,
            (false, true) => u64::from(DISTINCT.max(samples)),
            (false, false) => 0,
        };
        Planned { run, task, cells, variants, first, all, distinct }
    }

    /// Returns the number of samples that its addresses need.
    fn count_samples(&self) -> u64 {
        if self.distinct > 0 { self.distinct } else { self.all.div_ceil(self.cells.max(1)) }
    }

    /// Returns the address of its `index`-th sample: cells first, each in another variant.
    fn build_address(&self, index: u64) -> Address {
        let cells = self.cells.max(1);
        let (round, cell) = (index / cells, index % cells);
        let sample = if self.distinct > 0 { index % self.distinct } else { round };
        let variant = (round + cell) % self.variants;
        Address { task: self.task, cell: cell as u32, variant: variant as u32, sample: sample as u32 }
    }
}

impl Schedule {
    /// Plans up to `samples` samples of every task and cell, and at least one of every cell and variant.
    pub fn new(plans: &[&Plan], samples: u32) -> Schedule {
        let of_plan = |(run, plan): (usize, &&Plan)| {
            let tasks = (0u32..).zip(&plan.tasks);
            tasks.map(|(index, task)| Planned::new(run, index, task, samples)).collect::<Vec<_>>()
        };
        let tasks: Vec<Planned> = plans.iter().enumerate().flat_map(of_plan).collect();
        let largest = |size: fn(&Planned) -> u64| tasks.iter().map(size).max().unwrap_or(0);
        Schedule { first: largest(|task| task.first), most: largest(|task| task.all), tasks }
    }

    /// Returns the number of samples that all addresses need.
    pub fn count_samples(&self) -> u32 {
        let most = self.tasks.iter().map(Planned::count_samples).max().unwrap_or(1);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// Lists one sample of every cell and variant, each with the index of its plan.
    pub fn iter_first(&self) -> impl Iterator<Item = (usize, Address)> {
        (0..self.first).flat_map(|index| self.list_turn(index, |task| 0..task.first))
    }

    /// Lists the further samples of every cell.
    pub fn iter_more(&self) -> impl Iterator<Item = (usize, Address)> {
        (0..self.most).flat_map(|index| self.list_turn(index, |task| task.first..task.all))
    }

    /// Lists the `index`-th sample of every task for which it is in the range.
    fn list_turn(&self, index: u64, range: fn(&Planned) -> Range<u64>) -> impl Iterator<Item = (usize, Address)> {
        let tasks = self.tasks.iter().filter(move |task| range(task).contains(&index));
        tasks.map(move |task| (task.run, task.build_address(index)))
    }
}
