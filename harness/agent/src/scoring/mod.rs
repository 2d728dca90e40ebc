//! Scores a run from its saved responses: the same responses give the same bytes.

mod attempts;
mod threads;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use model::Decimal;
use records::jsonl::{Lines, visit_values};
use records::responses::ResponseFilter;
use records::{Bundle, Error, Ignored, Instance, Money, Response, RunInfo, Score, Status, Unit, run as names};
use serde::Deserialize;
use statistics::accuracy::{Accuracy, Numbering, Observation};

use attempts::Calls;
use threads::run_in_order;

use crate::atomic::Pending;
use crate::runner::folder::note_unverified;
use crate::sandbox::Lazy;

/// The summary of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The accuracy and its intervals, as a report computes them.
    pub accuracy: Accuracy,
    /// The number of trials by status.
    pub ends: BTreeMap<Status, u64>,
    /// Responses that do not count.
    pub ignored: Ignored,
    /// The sum of the known costs, and the number of responses that report one; `None` if no response does.
    pub cost: Option<(Decimal, u64)>,
    /// Failed trials that were repeated.
    pub asked_again: u64,
    /// Responses whose record of MCP calls is partly unreadable.
    pub damaged: u64,
    /// Responses in which secrets are masked.
    pub masked: u64,
}

impl Summary {
    /// Returns the number of instances times that of trials.
    pub fn count_expected(&self) -> u64 {
        self.accuracy.share.of
    }
}

/// The id of a line; other fields are skipped.
#[derive(Deserialize)]
struct Id {
    id: String,
}

/// Scores a run of the bundle: writes its `scores.jsonl`, with one line for each instance and trial in the bundle's order, including missing ones.
///
/// # Errors
/// The run is of another bundle, its files are inconsistent, or reading or writing fails.
pub fn score_run(bundle: &Bundle, run: &Path) -> Result<Summary, Error> {
    let info = RunInfo::read_folder(run)?;
    if info.bundle.sha256 != bundle.manifest.bundle_sha256 {
        let message = format!(
            "the run in `{}` is of another bundle: {}, not {}",
            disk::show_path(&run),
            info.bundle.sha256,
            bundle.manifest.bundle_sha256
        );
        return Err(Error::new_usage(message).help("give the bundle that was run"));
    }
    let (trials, expected) = (info.trials, info.expected);
    let asked = read_asked_ids(run, &info)?;
    let (responses, counted) = read_responses(&run.join(names::RESPONSES), &asked, trials)?;

    let calls = Calls::new(run, &info, &bundle.manifest.options.sandbox_root);
    let mut pending = Pending::new(&run.join(names::SCORES))?;
    let (mut numbering, mut rows): (Numbering<Unit>, Vec<Observation>) = (Numbering::default(), Vec::new());
    let mut ends: BTreeMap<Status, u64> = BTreeMap::new();
    let mut cost: Option<(i128, u64)> = None;
    let of = |instance: &Instance| -> Result<Vec<Score>, Error> {
        let scored = (1..=trials).map(|trial| {
            let start = Lazy::new(bundle, instance);
            let response = responses.get(&(instance.id.clone(), trial));
            let mut score = score::score_response(instance, response, trial, &start);
            if let Some(response) = response {
                calls.score_sql(&mut score, instance, response, &start)?;
            }
            if let Some(error) = start.into_error() {
                return Err(error);
            }
            if sqlite::is_stopped() {
                // An interrupted query has no verdict.
                return Err(Error::new_outside("interrupted while the responses were scored")
                    .help("every response is in the run: `picardc score` scores it"));
            }
            Ok(score)
        });
        scored.collect()
    };
    let instances = bundle.open_instances()?.filter(|one| one.as_ref().map_or(true, |one| asked.contains(&one.id)));
    run_in_order(instances, of, |scores| {
        for score in scores {
            rows.push(numbering.number_row(&score.task, score.to_unit(), score.correct, score.score));
            *ends.entry(score.status).or_default() += 1;
            if let Some(one) = score.cost {
                let (sum, told) = cost.get_or_insert((0, 0));
                *sum += i128::from(one.units());
                *told += 1;
            }
            pending.write_line(&score)?;
        }
        Ok(())
    })?;
    if rows.len() as u64 != expected {
        let lacking = asked.len() - rows.len() / trials.max(1) as usize;
        let message = format!(
            "the bundle lacks {lacking} of the {} instances that the run in `{}` asked",
            asked.len(),
            disk::show_path(&run)
        );
        return Err(Error::new_usage(message).help("give the bundle as it was when it was run"));
    }
    if !bundle.is_verified() {
        note_unverified(run, info)?;
    }
    pending.finish_file()?;
    let ResponseFilter { ignored, asked_again, .. } = counted;
    let cost = cost.and_then(|(sum, told)| Some((Decimal::new(sum, Money::PLACES)?, told)));
    let count = |is: fn(&Response) -> bool| responses.values().filter(|response| is(response)).count() as u64;
    let damaged = count(|response| response.damaged_calls.is_some());
    let masked = count(|response| response.masked.is_some());
    Ok(Summary { accuracy: Accuracy::from_rows(&rows, None), ends, cost, ignored, asked_again, damaged, masked })
}

/// Reads the ids of the instances that a run selects. Returns an error if their number is not the one that `run.json` states.
fn read_asked_ids(run: &Path, info: &RunInfo) -> Result<HashSet<String>, Error> {
    let mut asked = HashSet::new();
    let mut lines = Lines::open_growing(&run.join(names::INSTANCES))?;
    while let Some(line) = lines.next_value::<Id>() {
        asked.insert(line?.id);
    }
    let stated = info.expected / u64::from(info.trials);
    if asked.len() as u64 != stated {
        let message = format!(
            "`{}` has {} instances, but `{}` states {stated}",
            disk::show_path(&run.join(names::INSTANCES)),
            asked.len(),
            names::RUN
        );
        return Err(Error::new_usage(message).help("run the bundle again, into a new folder"));
    }
    Ok(asked)
}

/// The responses that count, by id and trial.
type Responses = HashMap<(String, u32), Response>;

fn read_responses(path: &Path, asked: &HashSet<String>, trials: u32) -> Result<(Responses, ResponseFilter), Error> {
    let (mut responses, mut counted) = (HashMap::new(), ResponseFilter::new(trials));
    visit_values(path, |response: Response| {
        if counted.register_line(asked.contains(&response.id), &response.id, response.trial, response.status) {
            responses.insert((response.id.clone(), response.trial), response);
        }
    })?;
    Ok((responses, counted))
}
