//! Gathers what samples show: each kind of fault at a place once, and the cells that have no sample.

use std::collections::{BTreeMap, BTreeSet};

use model::observe::{Attempts, Drawn, LeftOut, Observation, Observations, Observed};
use model::suite::Task;
use model::uses::is_static;
use model::{Plan, Span};

use super::trial::Trial;

/// Why cells have no sample if other samples took all the work.
const NO_WORK_LEFT: &str = "no work left";

/// What was drawn and seen.
pub struct Tally {
    seen: Vec<Observation>,
    samples: u64,
    tasks: Vec<TaskTally>,
}

/// The samples of a task.
struct TaskTally {
    name: String,
    cells: u64,
    drawn: BTreeSet<u32>,
    samples: u64,
    /// The number of attempts at each sample that was made. Its cells have the same attempts.
    attempts: BTreeMap<u32, u32>,
    /// Whether the chance of an attempt is the same for all samples.
    is_alike: bool,
    is_static: bool,
    /// Why a cell was not drawn.
    left_out: BTreeMap<u32, String>,
}

impl Tally {
    /// Begins with the tasks of a suite.
    pub fn new(plan: &Plan) -> Tally {
        let task = |task: &Task| TaskTally {
            name: task.name.clone(),
            cells: u64::from(task.count_cells()),
            drawn: BTreeSet::new(),
            samples: 0,
            attempts: BTreeMap::new(),
            is_alike: task.each.is_none(),
            is_static: is_static(task),
            left_out: BTreeMap::new(),
        };
        Tally { seen: Vec::new(), samples: 0, tasks: plan.tasks.iter().map(task).collect() }
    }

    /// Adds a sample of a cell.
    pub fn add_trial(&mut self, task: &Task, cell: u32, trial: Trial) {
        let Some(tally) = self.tasks.iter_mut().find(|tally| tally.name == task.name) else { return };
        let (at, faults) = match trial {
            Trial::TooLarge(why) => {
                tally.left_out.entry(cell).or_insert(why);
                return;
            }
            Trial::Drawn(at, faults) => (at, faults),
        };
        self.samples += 1;
        tally.samples += 1;
        tally.drawn.insert(cell);
        if !faults.iter().any(|what| matches!(what, Observed::Stops(_))) {
            tally.attempts.insert(at.sample, at.attempt + 1);
        }
        for what in faults {
            let new = Observation { what, at: at.clone(), count: 1, of: 0 };
            match self.seen.iter_mut().find(|known| identify_fault(known) == identify_fault(&new)) {
                Some(known) => known.count += 1,
                None => self.seen.push(new),
            }
        }
    }

    /// Returns the result.
    pub fn into_observations(self) -> Observations {
        let Tally { mut seen, samples, tasks } = self;
        for one in &mut seen {
            one.of = tasks.iter().find(|task| task.name == one.at.task).map_or(0, |task| task.samples);
        }
        let drawn = tasks.iter().filter(|task| task.samples > 0).count() as u64;
        let attempts = tasks.iter().map(TaskTally::count_attempts).collect();
        let left_out = tasks.into_iter().filter_map(TaskTally::into_left_out).collect();
        Observations { seen, drawn: Drawn { samples, tasks: drawn, left_out, attempts } }
    }
}

impl TaskTally {
    fn count_attempts(&self) -> Attempts {
        let samples = u32::try_from(self.attempts.len()).unwrap_or(u32::MAX);
        let attempts = self.attempts.values().fold(0u32, |sum, own| sum.saturating_add(*own));
        Attempts { task: self.name.clone(), samples, attempts, is_alike: self.is_alike, is_static: self.is_static }
    }

    /// Returns the cells without a sample; `None` if all have one.
    fn into_left_out(self) -> Option<LeftOut> {
        let of = self.cells;
        let cells = of.saturating_sub(self.drawn.len() as u64);
        let first = self.left_out.into_iter().find(|(cell, _)| !self.drawn.contains(cell));
        let why = first.map_or_else(|| NO_WORK_LEFT.to_owned(), |(_, why)| why);
        (cells > 0).then_some(LeftOut { task: self.name, cells, of, why })
    }
}

/// What makes two faults the same: kind, place, and task.
fn identify_fault(seen: &Observation) -> (u32, Option<Span>, &str) {
    let kind = match &seen.what {
        Observed::Unmet { .. } => 0,
        Observed::Idle { .. } => 1,
        Observed::Example { .. } => 2,
        Observed::Stops(failure) => 3 + failure.kind as u32,
    };
    (kind, seen.span(), &seen.at.task)
}
