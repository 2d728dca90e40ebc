//! The summary of a task: how often each agent was correct, and the first instance where that is not as it must be.

use records::{Score, Verdict};
use score::Covered;

use super::trial::{Reader, Tried};

/// A task.
#[derive(Debug, Default)]
pub struct Row {
    /// Its name.
    pub task: String,
    /// How many instances were tried.
    pub instances: u64,
    /// How many of them the oracle got right.
    pub oracle: u64,
    /// How many of them the null agent got right.
    pub null: u64,
    /// Null's mean score, 0 to 1: what doing nothing earns in part.
    pub null_score: f64,
    /// The first instance that the oracle did not get right, and why.
    pub unmet: Option<(String, String)>,
    /// The first instance that null got right.
    pub idle: Option<String>,
    /// The first instance of which a tolerance covers changes, and what it covers.
    pub tolerated: Option<(String, Covered)>,
    /// How many of them the reader was asked.
    pub read: u64,
    /// How many of those it got right.
    pub reader: u64,
    /// The first instance that it did not get right.
    pub lost: Option<Lost>,
    /// Columns that nobody can read back, and on which answers depend.
    pub unknown: Vec<String>,
    /// How many instances it cannot judge for them.
    pub unjudged: u64,
}

/// What the reader did not get right.
#[derive(Debug)]
pub struct Lost {
    /// The instance.
    pub id: String,
    /// Why.
    pub why: String,
    /// Columns of what the answer reads that are not in a file.
    pub absent: Vec<String>,
}

impl Row {
    /// The oracle is always right, null never, no tolerance covers a change, and the reader is right wherever it can know.
    pub fn is_sound(&self) -> bool {
        self.oracle == self.instances && self.null == 0 && self.tolerated.is_none() && self.lost.is_none()
    }
}

/// One row a task, in the bundle's order.
pub fn build_rows(tried: Vec<Tried>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for Tried { oracle, null, covered, reader, .. } in tried {
        if rows.last().is_none_or(|row| row.task != null.task) {
            rows.push(Row { task: null.task.clone(), ..Row::default() });
        }
        let Some(row) = rows.last_mut() else { continue };
        row.instances += 1;
        match explain_wrong_score(&oracle) {
            None => row.oracle += 1,
            Some(why) => {
                row.unmet.get_or_insert_with(|| (null.id.clone(), why));
            }
        }
        if !matches!(reader, Reader::NotAsked) {
            row.read += 1;
        }
        match reader {
            Reader::NotAsked => {}
            Reader::Right => row.reader += 1,
            Reader::Wrong { why, absent } => {
                row.lost.get_or_insert_with(|| Lost { id: null.id.clone(), why, absent });
            }
            Reader::CannotKnow(columns) => {
                row.unjudged += 1;
                let more = columns.into_iter().filter(|column| !row.unknown.contains(column)).collect::<Vec<_>>();
                row.unknown.extend(more);
            }
        }
        if let Some(covered) = covered {
            row.tolerated.get_or_insert_with(|| (null.id.clone(), covered));
        }
        row.null_score += null.score;
        if null.correct || null.stages.iter().any(|stage| stage.correct) {
            row.null += 1;
            row.idle.get_or_insert(null.id);
        }
    }
    for row in &mut rows {
        row.null_score /= row.instances as f64;
    }
    rows
}

/// Why a score is not that of a right answer; `None` if it is.
pub fn explain_wrong_score(oracle: &Result<Score, String>) -> Option<String> {
    match oracle {
        Err(why) => Some(why.clone()),
        Ok(score) if score.correct => {
            let stage = score.stages.iter().find(|stage| !stage.correct)?;
            Some(format!("stage {}: not met", stage.stage.name))
        }
        Ok(score) => Some(
            score.verdicts.iter().find(|verdict| verdict.score < 1.0).map_or_else(String::new, describe_difference),
        ),
    }
}

/// `reply number: expected 3, got 4`
fn describe_difference(verdict: &Verdict) -> String {
    let head = format!("{} {}", verdict.describe_subject(), verdict.matcher);
    match verdict.differences.first() {
        Some(place) if place.at.is_empty() => format!("{head}: expected {}, got {}", place.expected, place.got),
        Some(place) => format!("{head}, at {}: expected {}, got {}", place.at, place.expected, place.got),
        None => format!("{head}: not met"),
    }
}
