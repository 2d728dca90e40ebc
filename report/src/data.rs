//! A run's folder, read.

use std::collections::BTreeSet;
use std::path::Path;

use records::jsonl::{Lines, read_all};
use records::run::{Confined, RESPONSES, RUN, SCORES};
use records::{Error, RunInfo, Score, Status};
use serde::Deserialize;

/// A scored run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunData {
    /// How tables call it: the folder's name, as given.
    pub name: String,
    /// Which bundle was run, and by whom.
    pub info: RunInfo,
    /// One line an instance and trial, in the bundle's order.
    pub scores: Vec<Score>,
    /// What the reader must know.
    pub warnings: Vec<String>,
}

/// What of a response says which one it is.
#[derive(Deserialize)]
struct Answered {
    id: String,
    trial: u32,
}

impl RunData {
    /// Reads `run.json` and `scores.jsonl` of a folder. Scores that are not all there are refused: what is missing must count as wrong, not as absent.
    pub fn read(folder: &Path, name: String) -> Result<RunData, Error> {
        let info = read_info(folder)?;
        let path = folder.join(SCORES);
        if !path.exists() {
            let message = format!("`{}` has no `{SCORES}`: its responses have not been scored", folder.display());
            return Err(Error::usage(message).help(score_again(folder)));
        }
        let scores: Vec<Score> = read_all(&path)?;
        let mut seen = BTreeSet::new();
        for score in &scores {
            if !seen.insert((score.id.as_str(), score.trial)) {
                let message = format!("`{}` has two lines for `{}`, trial {}", path.display(), score.id, score.trial);
                return Err(Error::usage(message).help(score_again(folder)));
            }
            if !(0.0..=1.0).contains(&score.score) {
                let message =
                    format!("`{}`: the score of `{}` is {}, not 0 to 1", path.display(), score.id, score.score);
                return Err(Error::usage(message).help(score_again(folder)));
            }
        }
        if scores.len() as u64 != info.expected || scores.is_empty() {
            let lines = scores.len();
            let message =
                format!("`{}` has {lines} of the {} lines that `{RUN}` promises", path.display(), info.expected);
            return Err(Error::usage(message).help(score_again(folder)));
        }
        let late = late(folder, &scores)?;
        let mut warnings = Vec::new();
        if late > 0 {
            let were = if late == 1 { "1 response has" } else { &format!("{late} responses have") };
            warnings.push(format!(
                "{name}: {were} come since it was scored, and count as missing; {}",
                score_again(folder)
            ));
        }
        if let Some(sandbox) = info.sandbox.as_ref().filter(|sandbox| sandbox.confined != Confined::All) {
            warnings.push(format!("{name}: the agent was {sandbox}"));
        }
        Ok(RunData { name, info, scores, warnings })
    }
}

fn score_again(folder: &Path) -> String {
    format!("run `picardc score BUNDLE {}`", folder.display())
}

fn read_info(folder: &Path) -> Result<RunInfo, Error> {
    let path = folder.join(RUN);
    let advice = "give a folder that `picardc run … -o` wrote";
    let bytes = std::fs::read(&path)
        .map_err(|error| Error { help: Some(advice.into()), ..Error::io("read", &path, &error) })?;
    let info: RunInfo = serde_json::from_slice(&bytes)
        .map_err(|error| Error::usage(format!("`{}`: {error}", path.display())).help(advice))?;
    if info.schema != 1 {
        let message = format!("`{}` is of schema {}, this picardc reads 1", path.display(), info.schema);
        return Err(Error::usage(message).help("report it with the picardc that wrote it"));
    }
    Ok(info)
}

/// How many responses are there whose score says that they are missing.
fn late(folder: &Path, scores: &[Score]) -> Result<usize, Error> {
    let missing = scores.iter().filter(|score| score.status == Status::Missing);
    let missing: BTreeSet<(&str, u32)> = missing.map(|score| (score.id.as_str(), score.trial)).collect();
    let path = folder.join(RESPONSES);
    if missing.is_empty() || !path.exists() {
        return Ok(0);
    }
    let mut lines = Lines::open(&path)?;
    let mut late = BTreeSet::new();
    while let Some(answered) = lines.next_value::<Answered>() {
        let answered = answered?;
        if missing.contains(&(answered.id.as_str(), answered.trial)) {
            late.insert((answered.id, answered.trial));
        }
    }
    Ok(late.len())
}
