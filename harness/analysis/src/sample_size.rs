//! The number of samples of an analysis if the caller gives none: as many as its work allows, which is counted and not timed, so it is the same on every machine.

use std::ops::RangeInclusive;

use runtime::generate::{Generator, WorkMeter};
use sqlite::StepBudget;

/// The numbers of samples that are chosen.
const SAMPLES: RangeInclusive<u64> = 100..=1000;
/// The work of all samples, in steps of SQLite.
const WORK: u64 = 1_300_000_000;
/// The number of instances of one sample whose work is counted.
const MAX_COUNTED: u64 = 48;

/// Chooses the number of samples of every task by the work of the instances of one sample. `generator` makes one sample of every task.
pub fn choose_sample_size(generator: &Generator<'_>) -> u32 {
    let count = generator.count_instances();
    let counted = count.min(MAX_COUNTED);
    let work: u64 = (0..counted).map(|at| count_work(generator, at * count / counted)).sum();
    let of_sample = u128::from(work) * u128::from(count) / u128::from(counted.max(1));
    let samples = u64::try_from(u128::from(WORK) / of_sample.max(1)).unwrap_or(u64::MAX);
    samples.clamp(*SAMPLES.start(), *SAMPLES.end()) as u32
}

/// Counts the work of an instance; 0 if it cannot be made, which the analysis reports.
fn count_work(generator: &Generator<'_>, index: u64) -> u64 {
    const LIMIT: u64 = u64::MAX / 2;
    let Some(address) = generator.resolve_address(index) else { return 0 };
    let (meter, queries) = (WorkMeter::with_limit(LIMIT), StepBudget::with_steps(LIMIT));
    match generator.generate_metered(address, &meter) {
        Ok(_) => (LIMIT - meter.left()) + (LIMIT - queries.left()),
        Err(_) => 0,
    }
}
