//! Draws samples of a suite while it is checked, within a budget of work, and lets two agents answer each: one knows the answer key, one does nothing.
//!
//! `schedule` decides which samples are drawn in which order, `trial` draws one of them, and `tally` gathers what they show. Work is counted, not time, and
//! all samples are drawn in one order on one thread, so the result is the same on every machine.

mod schedule;
mod tally;
mod trial;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use compiler::host::{Observations, Observer};
use model::Plan;
use model::observe::JudgedExample;
use model::suite::StageMode;

use crate::Instances;
use runtime::generate::{Address, Options};
use schedule::Schedule;
use tally::Tally;
use trial::{Trial, try_instance};

/// The seed of the samples.
pub const SEED: &str = "check";

/// The number of samples of each task and cell, if the work allows it.
pub const SAMPLES: u32 = 4;

/// The work for a suite, with up to [`SAMPLES`] samples of each task and cell. A step of SQLite is 1. A second sample of a cell is drawn only while half of
/// it is left.
const WORK: u64 = 24_000_000;

/// The maximum work for one sample.
const WORK_OF_SAMPLE: u64 = 4_000_000;

/// The work of a sample apart from its tables, files, and queries.
const SAMPLE: u64 = 4_000;

/// With less work left than this, nothing more is drawn.
const MIN_WORK: u64 = 20_000;

/// Reads a file of the project by its path below the suite's folder.
type Read = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

/// The observer of a check: draws samples with a fixed seed.
///
/// ```
/// use api::{Memory, Net, Suite};
///
/// let source = "suite s { title \"S\" version \"1\" }\ntask t {\n  n : int 0..1\n  prompt \"Share 12 among <<n>>.\"\n  expect reply number \
///               (12 + n) / mod(n + 1, 2)\n}\n";
/// let files = || Memory::new([("s.pcd", source)]);
/// // Without an observer, a check reports what the source proves.
/// assert!(Suite::compile("s.pcd", &files()).drawn().is_none());
/// let suite = Suite::compile("s.pcd", &files().with_observer(Net::new(Net::SAMPLES)));
/// assert!(suite.locate_diagnostics().any(|said| said.observed.is_some() || said.code == "W0405"));
/// ```
#[derive(Clone)]
pub struct Net {
    samples: u32,
    read: Option<Arc<Read>>,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({})", self.samples)
    }
}

impl Net {
    /// The default number of samples of each task and cell.
    pub const SAMPLES: u32 = SAMPLES;

    /// Creates an observer that draws up to this number of samples of each task and cell.
    pub fn new(samples: u32) -> Net {
        Net { samples: samples.max(1), read: None }
    }

    /// Adds the files of lakes, as [`Instances::with_reader`] does.
    #[must_use]
    pub fn with_reader(self, read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Net {
        Net { read: Some(Arc::new(read)), ..self }
    }

    /// Returns the work for a suite: more samples than by default may take more.
    fn compute_work(&self) -> u64 {
        WORK / u64::from(SAMPLES) * u64::from(self.samples.max(SAMPLES))
    }

    /// Prepares the instances of a plan; `None` if it has no tasks.
    fn prepare_instances<'p>(&self, plan: &'p Plan, samples: u32, seed: &str) -> Option<Instances<'p>> {
        let options = Options { samples: Some(samples), traps: false, ..Options::new(seed) };
        let instances = Instances::new(plan, options).ok()?;
        let Some(read) = self.read.clone() else { return Some(instances) };
        Some(instances.with_reader(move |path| read(path)))
    }
}

impl Observer for Net {
    fn observe_suite(&self, plan: &Plan, stop: &dyn Fn() -> bool) -> Option<Observations> {
        let of_stages = build_stage_plan(plan);
        let plans: Vec<&Plan> = [plan].into_iter().chain(of_stages.as_ref()).collect();
        let schedule = Schedule::new(&plans, self.samples);
        let runs = plans.iter().map(|plan| self.prepare_instances(plan, schedule.count_samples(), SEED)).collect();
        let work = self.compute_work();
        let mut drawing = Drawing { runs, stop, left: work, too_large: BTreeSet::new(), tally: Tally::new(plan) };
        drawing.draw_samples(schedule.iter_first(), 0)?;
        drawing.draw_samples(schedule.iter_more(), work / 2)?;
        Some(drawing.tally.into_observations())
    }

    fn judge_examples(&self, plan: &Plan, task: u32, seed: &str) -> Vec<JudgedExample> {
        let of_stages = build_stage_plan(plan);
        let mut judged: Vec<JudgedExample> = Vec::new();
        for plan in [plan].into_iter().chain(of_stages.as_ref()) {
            let Some(instances) = self.prepare_instances(plan, 1, seed) else { continue };
            let variants = plan.tasks.get(task as usize).map_or(0, |task| task.variants.len().max(1));
            for variant in 0..u32::try_from(variants).unwrap_or(u32::MAX) {
                let address = Address { task, cell: 0, variant, sample: 0 };
                judged.extend(trial::judge_examples(&instances, address, WORK_OF_SAMPLE));
            }
        }
        judged.sort_by_key(|example| example.span);
        judged.dedup_by_key(|example| example.span);
        judged
    }
}

/// Builds a plan in which stages are asked one by one, in the place of variants; `None` for a plan without stages, and for one that asks them so already.
fn build_stage_plan(plan: &Plan) -> Option<Plan> {
    let has_stages = plan.asked.is_whole() && plan.tasks.iter().any(|task| !task.stages.is_empty());
    has_stages.then(|| plan.with_stage_mode(StageMode::Each))
}

/// A suite whose samples are being drawn.
struct Drawing<'d> {
    /// The instances of each plan.
    runs: Vec<Option<Instances<'d>>>,
    stop: &'d dyn Fn() -> bool,
    /// The remaining work.
    left: u64,
    /// The cells of which a sample was too large, by plan, task, and cell.
    too_large: BTreeSet<(usize, u32, u32)>,
    tally: Tally,
}

impl Drawing<'_> {
    /// Draws samples while more work is left than `reserve`. `None` if the result is not needed any more.
    fn draw_samples(&mut self, addresses: impl Iterator<Item = (usize, Address)>, reserve: u64) -> Option<()> {
        for (run, address) in addresses {
            let Some(left) = self.left.checked_sub(reserve + MIN_WORK) else { break };
            let cell = (run, address.task, address.cell);
            let Some(Some(instances)) = self.runs.get(run) else { continue };
            if self.too_large.contains(&cell) {
                continue;
            }
            if (self.stop)() {
                return None;
            }
            let (trial, spent) = try_instance(instances, address, WORK_OF_SAMPLE.min(left + MIN_WORK - SAMPLE));
            if sqlite::is_stopped() {
                return None;
            }
            self.left = self.left.saturating_sub(SAMPLE + spent);
            if matches!(trial, Trial::TooLarge(_)) {
                self.too_large.insert(cell);
            }
            if let Some(task) = instances.generator().plan().tasks.get(address.task as usize) {
                self.tally.add_trial(task, address.cell, trial);
            }
        }
        Some(())
    }
}
