//! Scores of a run, from what was captured: the same responses give the same bytes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use records::jsonl::Lines;
use records::{Bundle, Error, Response, Status, run as names};
use serde::Deserialize;

use crate::atomic::Pending;
use crate::runner::read_info;
use crate::sandbox::Lazy;
use crate::wilson;

/// What a run comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Instances times trials.
    pub expected: u64,
    /// Of these, all right.
    pub correct: u64,
    /// How often each instance was asked.
    pub trials: u32,
    /// The mean score, 0 to 1.
    pub score: f64,
    /// How many ended how.
    pub ends: BTreeMap<Status, u64>,
}

impl Summary {
    /// The share that is right, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        if self.expected == 0 { 0.0 } else { self.correct as f64 / self.expected as f64 }
    }

    /// How sure the accuracy is, at 95 %; `None` where instances were asked several times, for then answers are not independent.
    pub fn interval(&self) -> Option<(f64, f64)> {
        (self.trials == 1).then(|| wilson::interval(self.correct, self.expected))
    }
}

/// Only the id of a line.
#[derive(Deserialize)]
struct Id {
    id: String,
}

/// Scores a run of the bundle: writes its `scores.jsonl`, one line an instance and trial in the bundle's order, missing ones too.
///
/// # Errors
/// It is the run of another bundle, or the disk fails.
pub fn score_run(bundle: &Bundle, run: &Path) -> Result<Summary, Error> {
    let info = read_info(run)?;
    if info.bundle.sha256 != bundle.manifest.bundle_sha256 {
        let message = format!(
            "the run in `{}` is of another bundle: {}, not {}",
            run.display(),
            info.bundle.sha256,
            bundle.manifest.bundle_sha256
        );
        return Err(Error::usage(message).help("give the bundle that was run"));
    }
    let mut asked = HashSet::new();
    let mut lines = Lines::open(&run.join(names::INSTANCES))?;
    while let Some(line) = lines.next_value::<Id>() {
        asked.insert(line?.id);
    }
    let responses = responses(&run.join(names::RESPONSES))?;

    let mut pending = Pending::new(&run.join(names::SCORES))?;
    let mut summary = Summary { expected: 0, correct: 0, trials: info.trials, score: 0.0, ends: BTreeMap::new() };
    for instance in bundle.instances()? {
        let instance = instance?;
        if !asked.contains(&instance.id) {
            continue;
        }
        for trial in 1..=info.trials {
            let start = Lazy::new(bundle, &instance);
            let response = responses.get(&(instance.id.clone(), trial));
            let score = score::score(&instance, response, trial, &start);
            if let Some(error) = start.failed() {
                return Err(error);
            }
            if sqlite::stopped() {
                // A query that was cut short is no verdict.
                return Err(Error::outside("interrupted while the responses were scored")
                    .help("every response is in the run: `picardc score` scores it"));
            }
            summary.expected += 1;
            summary.correct += u64::from(score.correct);
            summary.score += score.score;
            *summary.ends.entry(score.status).or_default() += 1;
            pending.line(&score)?;
        }
    }
    summary.score = if summary.expected == 0 { 0.0 } else { summary.score / summary.expected as f64 };
    pending.finish()?;
    Ok(summary)
}

/// Responses by id and trial. Of several to the same the first counts: a later one cannot mend it.
fn responses(path: &Path) -> Result<HashMap<(String, u32), Response>, Error> {
    let mut responses = HashMap::new();
    if path.exists() {
        let mut lines = Lines::open(path)?;
        while let Some(response) = lines.next_value::<Response>() {
            let response = response?;
            responses.entry((response.id.clone(), response.trial)).or_insert(response);
        }
    }
    Ok(responses)
}
