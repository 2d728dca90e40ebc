//! The summary of what was tried on a row's instances.

use std::collections::BTreeMap;

use api::misreadings::Sameness;
use model::suite::Task;
use statistics::Interval;
use statistics::accuracy::sum_by_cluster;
use statistics::clustered::compute_share_interval;
use statistics::proportion::compute_wilson_interval;

use crate::difficulty::{Difficulty, measure_difficulty};
use crate::guess::find_constant_reply;
use crate::measure::Seen;
use crate::readings::{Reading, list_readings};
use crate::shortcuts::find_shortcuts;
use crate::trial::Told;

/// The minimum number of instances for which a misreading must have a result.
const FEWEST: u64 = 30;

/// The summary of the trials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trials {
    /// The best constant reply, if more instances accept it than have the commonest answer.
    pub best: Option<Shortcut>,
    /// Replies that need little work, and are accepted more often than chance explains.
    pub shortcuts: Vec<Shortcut>,
    /// The misreadings of the answer key.
    pub misreadings: Vec<MisreadCount>,
    /// Properties that make the task difficult.
    pub difficulty: Difficulty,
}

/// A reply that needs little work.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortcut {
    /// Its text, or how it is found.
    pub name: String,
    /// The number of instances that accept it.
    pub times: u64,
    /// The number of instances on which it was tried.
    pub of: u64,
    /// The 95% confidence interval of the share.
    pub interval: Interval,
}

impl Shortcut {
    /// The share of instances that accept it.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.times as f64 / self.of as f64 }
    }
}

/// How often the data tells a misreading from the answer key.
#[derive(Clone, Debug, PartialEq)]
pub struct MisreadCount {
    /// What is read in another way.
    pub name: String,
    /// The number of instances in which its answer is wrong.
    pub differs: u64,
    /// The number of instances in which it has an answer.
    pub of: u64,
    /// The first instance in which its answer is wrong.
    pub witness: Option<String>,
    /// The number of instances in which it is wrong although the prompt does not exclude it.
    pub open: u64,
    /// What it means if its answer is always correct.
    pub sameness: Sameness,
}

impl MisreadCount {
    /// The share of instances in which its answer is wrong.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.differs as f64 / self.of as f64 }
    }
}

/// The data tells a misreading from the answer too rarely below this share of instances.
const UNTESTED_SHARE: f64 = 0.10;

/// Whether the data rarely tells a misreading from the answer, and that is not usual.
pub fn is_untested(count: &MisreadCount) -> bool {
    count.share() < UNTESTED_SHARE && count.sameness != Sameness::Usual
}

/// Summarizes the trials of a row. `units`: the observation of each instance; `commonest`: how many instances have the commonest answer.
pub fn summarize_trials(task: &Task, seen: &[&Seen], units: &[usize], commonest: u64) -> Trials {
    let best = find_best_reply(seen, units, commonest);
    let share = commonest as f64 / seen.len().max(1) as f64;
    let constant = best.as_ref().map_or(share, Shortcut::share);
    Trials {
        shortcuts: find_shortcuts(seen, constant),
        misreadings: count_misreadings(task, seen),
        difficulty: measure_difficulty(task, seen),
        best,
    }
}

fn find_best_reply(seen: &[&Seen], units: &[usize], commonest: u64) -> Option<Shortcut> {
    let keys: Vec<_> = seen.iter().map(|one| one.key.as_deref()).collect::<Option<_>>()?;
    let reply = find_constant_reply(&keys)?;
    let times = reply.accepted.iter().filter(|is| **is).count() as u64;
    let accepted = reply.accepted.iter().map(|is| f64::from(u8::from(*is)));
    let interval = compute_share_interval(&sum_by_cluster(units.iter().copied().zip(accepted)));
    let name = reply.texts.join(" | ");
    (times > commonest).then_some(Shortcut { name, times, of: seen.len() as u64, interval })
}

/// Creates a shortcut with Wilson's interval.
pub fn build_shortcut(name: &str, times: u64, of: u64) -> Shortcut {
    Shortcut { name: name.to_owned(), times, of, interval: compute_wilson_interval(times, of) }
}

/// Counts the misreadings by name, in the order of the first variant that has them.
fn count_misreadings(task: &Task, seen: &[&Seen]) -> Vec<MisreadCount> {
    let mut known: BTreeMap<u32, Vec<Reading>> = BTreeMap::new();
    let mut found: Vec<MisreadCount> = Vec::new();
    for one in seen {
        let Some(trial) = &one.trial else { continue };
        let readings = known.entry(one.address.variant).or_insert_with(|| {
            let variant = task.variants.get(one.address.variant as usize);
            list_readings(task, variant.map_or(&task.expects, |variant| &variant.expects)).all
        });
        for (reading, told) in readings.iter().zip(&trial.readings) {
            if *told == Told::Unknown {
                continue;
            }
            let at = found.iter().position(|count| count.name == reading.name).unwrap_or_else(|| {
                let (name, sameness) = (reading.name.clone(), reading.sameness);
                found.push(MisreadCount { name, differs: 0, of: 0, witness: None, open: 0, sameness });
                found.len() - 1
            });
            let Some(count) = found.get_mut(at) else { continue };
            count.of += 1;
            if matches!(told, Told::Other(_)) {
                count.differs += 1;
                count.open += u64::from(trial.is_between_open && reading.sameness == Sameness::Ends);
                count.witness.get_or_insert_with(|| one.id.clone());
            }
        }
    }
    found.retain(|count| count.of >= FEWEST);
    found
}
