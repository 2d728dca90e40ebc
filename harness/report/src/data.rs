//! Reads the folder of a run.

use std::collections::BTreeSet;
use std::path::Path;

use records::id_table::IdTable;
use records::jsonl::{read_all, visit_values};
use records::responses::ResponseFilter;
use records::run::{BUNDLE, Confined, Lakes, RESPONSES, RUN, SCORES};
use records::verdict::combine_verdicts;
use records::{Bundle, Error, Ignored, RunInfo, Score, Status};
use serde::Deserialize;

use crate::inspect;

/// A scored run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunData {
    /// Its name in tables: the folder's name, as given.
    pub name: String,
    /// The bundle and the agent.
    pub info: RunInfo,
    /// One line for each instance and trial, in the bundle's order.
    pub scores: Vec<Score>,
    /// Responses that do not count.
    pub ignored: Ignored,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

/// The check of a bundle in a run's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// It must match its manifest, unless the run itself was made with `--unverified`.
    Required,
    /// `--unverified`: it is not checked, and the reader is warned.
    Waived,
}

/// The fields of a response that identify it.
#[derive(Deserialize)]
struct Answered {
    id: String,
    trial: u32,
    status: Status,
}

impl RunData {
    /// Reads `run.json` and `scores.jsonl` of a folder, or a log of Inspect AI. Incomplete scores are an error: a missing trial must count as wrong.
    pub fn read_run(folder: &Path, name: String, verification: Verification) -> Result<RunData, Error> {
        if inspect::is_log(folder) {
            return inspect::read_log(folder, name);
        }
        let info = RunInfo::read_folder(folder)?;
        let unverified = info.unverified || verification == Verification::Waived;
        let bundle = folder.join(BUNDLE);
        if bundle.exists() && !unverified {
            Bundle::open_verified(&bundle)?;
        }
        let path = folder.join(SCORES);
        if !path.exists() {
            let message =
                format!("`{}` has no `{SCORES}`: its responses have not been scored", disk::show_path(&folder));
            return Err(Error::new_usage(message).help(score_again(folder)));
        }
        let scores: Vec<Score> = read_all(&path)?;
        check_scores(&scores, &path, &score_again(folder))?;
        if scores.len() as u64 != info.expected || scores.is_empty() {
            let lines = scores.len();
            let message = format!(
                "`{}` has {lines} of the {} lines that `{RUN}` promises",
                disk::show_path(&path),
                info.expected
            );
            return Err(Error::new_usage(message).help(score_again(folder)));
        }
        let (late, ignored) = count_late_responses(folder, &info, &scores)?;
        let mut warnings = Vec::new();
        if unverified {
            warnings.push(format!(
                "{name}: its bundle was not verified (--unverified): its questions and keys may not be those that were built"
            ));
        }
        if !info.changed.is_empty() {
            let files = info.changed.join(", ");
            warnings.push(format!(
                "{name}: files of the agent's program were changed during the run (--allow-changed): {files}"
            ));
        }
        if let Some(sandbox) = info.sandbox.as_ref().filter(|sandbox| sandbox.confined != Confined::All) {
            warnings.push(format!("{name}: the agent was {sandbox}"));
        }
        if late > 0 {
            let were = if late == 1 { "1 response has" } else { &format!("{late} responses have") };
            warnings
                .push(format!("{name}: {were} come since it was scored, and did not count; {}", score_again(folder)));
        }
        warnings.extend(ignored.describe_lines().map(|sentence| format!("{name}: {sentence}")));
        Ok(RunData { name, info, scores, ignored, warnings })
    }
}

/// Refuses scores that no scorer wrote: a duplicate trial, a score out of range, or one that does not follow from its verdicts. `again` tells the user how to
/// score again.
pub(crate) fn check_scores(scores: &[Score], path: &Path, again: &str) -> Result<(), Error> {
    let path = disk::show_path(&path);
    let wrong = |message: String| Err(Error::new_usage(message).help(again));
    let mut seen = BTreeSet::new();
    for score in scores {
        if !seen.insert((score.id.as_str(), score.trial)) {
            return wrong(format!("`{path}` has two lines for `{}`, trial {}", score.id, score.trial));
        }
        if !(0.0..=1.0).contains(&score.score) {
            return wrong(format!("`{path}`: the score of `{}` is {}, not 0 to 1", score.id, score.score));
        }
        let (correct, worth) = combine_verdicts(&score.verdicts);
        let of_stage = score.stages.iter().find(|stage| !stage.is_consistent());
        if score.correct != correct || (score.score - worth).abs() > 1e-9 || of_stage.is_some() {
            let stage = of_stage.map_or_else(String::new, |stage| format!(", stage `{}`", stage.stage.name));
            return wrong(format!(
                "`{path}` was changed: the verdicts of `{}`, trial {}{stage}, do not give its score",
                score.id, score.trial
            ));
        }
    }
    Ok(())
}

/// Returns a sentence if some runs had copies of lakes and others links: an agent can find fewer files through links.
pub fn explain_lake_difference(runs: &[&RunData]) -> Option<String> {
    let first = |form: Lakes| runs.iter().find(|run| run.info.lakes == Some(form));
    let (copied, linked) = (first(Lakes::Copied)?, first(Lakes::Linked)?);
    Some(format!(
        "sandboxes had copies of lakes in {} and links in {} (--link-lakes): programs that do not follow links found fewer files there",
        copied.name, linked.name
    ))
}

/// Lists the instances of scores, each once.
pub fn list_asked(scores: &[Score]) -> IdTable {
    let firsts = scores.iter().enumerate().filter(|(at, score)| *at == 0 || scores[at - 1].id != score.id);
    firsts.map(|(_, score)| score.id.as_str()).collect()
}

fn score_again(folder: &Path) -> String {
    format!("run `picardc score BUNDLE {}`", disk::show_path(&folder))
}

/// Counts the trials that were scored as missing or failed and have a later response, and the lines that do not count.
fn count_late_responses(folder: &Path, info: &RunInfo, scores: &[Score]) -> Result<(usize, Ignored), Error> {
    let asked = list_asked(scores);
    let mut counted = ResponseFilter::new(&asked, info.trials);
    visit_values(&folder.join(RESPONSES), |Answered { id, trial, status }| {
        counted.register_line(&id, trial, status);
    })?;
    let unsure = scores.iter().filter(|score| matches!(score.status, Status::Missing | Status::Failed));
    let now = |score: &&Score| counted.find_status(&score.id, score.trial).is_some_and(|end| end != score.status);
    Ok((unsure.filter(now).count(), counted.ignored))
}
