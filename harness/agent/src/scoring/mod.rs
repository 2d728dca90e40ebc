//! Scores a run from its saved responses: the same responses give the same bytes.

mod attempts;
mod responses;
mod threads;

use std::collections::BTreeMap;
use std::path::Path;

use model::Decimal;
use records::id_table::{IdAdder, IdTable};
use records::instances::InstanceBlock;
use records::jsonl::Lines;
use records::{Bundle, Error, Ignored, Instance, Money, Response, RunInfo, Score, Status, Unit, run as names};
use serde::Deserialize;
use statistics::accuracy::{Accuracy, Numbering, Observation};

use attempts::Calls;
use responses::Responses;
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
    let responses = Responses::index_file(&run.join(names::RESPONSES), read_asked_ids(run, &info)?, trials)?;
    let calls = Calls::new(run, &info, &bundle.manifest.options.sandbox_root);
    let scorer = Scorer { bundle, calls, responses: &responses, trials };
    let mut pending = Pending::new(&run.join(names::SCORES))?;
    let mut sums = Sums::default();
    let mut instances = bundle.open_instances()?;
    run_in_order(
        std::iter::from_fn(|| instances.next_block()),
        |block| scorer.score_block(block),
        |scored| {
            scored.rows.into_iter().for_each(|row| sums.add_row(row));
            pending.write_bytes(&scored.lines)
        },
    )?;
    if sums.rows.len() as u64 != expected {
        let lacking = responses.count_asked() - sums.rows.len() / trials.max(1) as usize;
        let message = format!(
            "the bundle lacks {lacking} of the {} instances that the run in `{}` asked",
            responses.count_asked(),
            disk::show_path(&run)
        );
        return Err(Error::new_usage(message).help("give the bundle as it was when it was run"));
    }
    if !bundle.is_verified() {
        note_unverified(run, info)?;
    }
    pending.finish_file()?;
    Ok(sums.summarize(&responses))
}

/// What all threads need to score instances.
struct Scorer<'a> {
    bundle: &'a Bundle,
    calls: Calls<'a>,
    responses: &'a Responses,
    trials: u32,
}

/// The scores of some instances.
#[derive(Default)]
struct Scored {
    /// Lines of `scores.jsonl`.
    lines: Vec<u8>,
    rows: Vec<Row>,
}

/// What a summary needs of a score.
struct Row {
    task: String,
    unit: Unit,
    correct: bool,
    score: f64,
    status: Status,
    cost: Option<Money>,
    damaged: bool,
    masked: bool,
}

impl Scorer<'_> {
    /// Scores all trials of the instances of a block that are asked.
    fn score_block(&self, block: &InstanceBlock) -> Result<Scored, Error> {
        let mut reader = self.responses.open_reader();
        let mut scored = Scored::default();
        for instance in block.read_instances() {
            let instance = instance?;
            if !self.responses.is_asked(&instance.id) {
                continue;
            }
            for trial in 1..=self.trials {
                let response = reader.read_response(&instance.id, trial)?;
                let score = self.score_trial(&instance, response.as_ref(), trial)?;
                serde_json::to_writer(&mut scored.lines, &score)
                    .map_err(|error| Error::new_outside(error.to_string()))?;
                scored.lines.push(b'\n');
                let has = |is: fn(&Response) -> bool| response.as_ref().is_some_and(is);
                scored.rows.push(Row {
                    unit: score.to_unit(),
                    task: score.task,
                    correct: score.correct,
                    score: score.score,
                    status: score.status,
                    cost: score.cost,
                    damaged: has(|response| response.damaged_calls.is_some()),
                    masked: has(|response| response.masked.is_some()),
                });
            }
        }
        Ok(scored)
    }

    fn score_trial(&self, instance: &Instance, response: Option<&Response>, trial: u32) -> Result<Score, Error> {
        let start = Lazy::new(self.bundle, instance);
        let mut score = score::score_response(instance, response, trial, &start);
        if let Some(response) = response {
            self.calls.score_sql(&mut score, instance, response, &start)?;
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
    }
}

/// Collects the summary of a run, score by score.
#[derive(Default)]
struct Sums {
    numbering: Numbering<Unit>,
    rows: Vec<Observation>,
    ends: BTreeMap<Status, u64>,
    /// The sum of the known costs, in units, and their number.
    cost: Option<(i128, u64)>,
    damaged: u64,
    masked: u64,
}

impl Sums {
    fn add_row(&mut self, row: Row) {
        self.rows.push(self.numbering.number_row(&row.task, row.unit, row.correct, row.score));
        *self.ends.entry(row.status).or_default() += 1;
        if let Some(one) = row.cost {
            let (sum, told) = self.cost.get_or_insert((0, 0));
            *sum += i128::from(one.units());
            *told += 1;
        }
        self.damaged += u64::from(row.damaged);
        self.masked += u64::from(row.masked);
    }

    fn summarize(self, responses: &Responses) -> Summary {
        drop(self.numbering);
        Summary {
            accuracy: Accuracy::from_rows(&self.rows, None),
            ends: self.ends,
            ignored: responses.ignored,
            cost: self.cost.and_then(|(sum, told)| Some((Decimal::new(sum, Money::PLACES)?, told))),
            asked_again: responses.asked_again,
            damaged: self.damaged,
            masked: self.masked,
        }
    }
}

/// Reads the ids of the instances that a run selects. Returns an error if their number is not the one that `run.json` states.
fn read_asked_ids(run: &Path, info: &RunInfo) -> Result<IdTable, Error> {
    let mut asked = IdAdder::default();
    let mut lines = Lines::open_growing(&run.join(names::INSTANCES))?;
    while let Some(line) = lines.next_value::<Id>() {
        asked.add_id(&line?.id);
    }
    let asked = asked.into_table();
    let stated = info.expected / u64::from(info.trials);
    if asked.len() as u64 != stated || asked.find_repeated().is_some() {
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
