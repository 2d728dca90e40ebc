//! The summary of a task: how often each agent was correct, and the first instance with an unexpected result.

use std::collections::BTreeMap;

use model::observe::JudgedExample;
use records::{Score, Verdict};
use score::{Bad, BadReply, Covered, VariantKind};

use super::trial::{Reader, Tried};

/// The summary of a task.
#[derive(Debug, Default)]
pub struct Row {
    /// The task's name.
    pub task: String,
    /// The number of instances.
    pub instances: u64,
    /// The number of instances in which the oracle was correct.
    pub oracle: u64,
    /// The number of instances in which the null agent was correct.
    pub null: u64,
    /// The null agent's mean score, 0 to 1.
    pub null_score: f64,
    /// The first instance in which the oracle was not correct, and why.
    pub unmet: Option<(String, String)>,
    /// The first instance in which the null agent was correct.
    pub idle: Option<String>,
    /// The first instance in which a tolerance covers expected changes, and how many.
    pub tolerated: Option<(String, Covered)>,
    /// The number of instances that the reader was asked.
    pub read: u64,
    /// The number of them in which it was correct.
    pub reader: u64,
    /// The first of them in which it was wrong.
    pub lost: Option<Lost>,
    /// Columns on which answers depend, and which cannot be read back.
    pub unknown: Vec<String>,
    /// The number of instances that it cannot judge because of these columns.
    pub unjudged: u64,
    /// How many variants of the oracle's answer were tried, in all instances.
    pub variants: BTreeMap<VariantKind, u64>,
    /// The author's examples.
    pub examples: ExampleRow,
    /// The bad replies.
    pub panel: PanelRow,
}

/// How the author's examples are judged.
#[derive(Debug, Default)]
pub struct ExampleRow {
    /// The number of them, in all instances.
    pub tried: u64,
    /// The number of them that are not judged as they must be.
    pub failed: u64,
    /// The first of these, at most [`MAX_FAILED`], each with its instance.
    pub first: Vec<(String, JudgedExample)>,
}

/// How bad replies are judged.
#[derive(Debug, Default)]
pub struct PanelRow {
    /// The number of them, in all instances.
    pub tried: u64,
    /// The number of them that are correct.
    pub correct: u64,
    /// The number of answers of other instances among them, and of those that are correct.
    pub others: (u64, u64),
    /// The first that is correct, with its instance.
    pub first: Option<(String, String)>,
}

/// The maximum number of failed examples that are shown for a task.
pub const MAX_FAILED: usize = 3;

impl PanelRow {
    /// Whether no bad reply is correct, but for the answer of another instance in at most one instance of five.
    pub fn is_strict(&self) -> bool {
        let (tried, correct) = self.others;
        self.correct == correct && correct * 5 <= tried
    }

    /// Adds the bad replies of an instance.
    fn add_replies(&mut self, id: &str, replies: Vec<BadReply>) {
        for bad in replies {
            self.tried += 1;
            self.correct += u64::from(bad.accepted);
            if bad.kind == Bad::Other {
                self.others.0 += 1;
                self.others.1 += u64::from(bad.accepted);
            }
            // An answer of another instance that happens to be correct is the weakest evidence.
            if bad.accepted && (self.first.is_none() || bad.kind != Bad::Other && self.correct == self.others.1 + 1) {
                self.first = Some((id.to_owned(), bad.reply));
            }
        }
    }
}

/// A wrong answer of the reader.
#[derive(Debug)]
pub struct Lost {
    /// The instance.
    pub id: String,
    /// Why it is wrong.
    pub why: String,
    /// Columns that the answer reads, and that are in no file.
    pub absent: Vec<String>,
}

impl Row {
    /// Whether the oracle is always correct, null never, no tolerance covers a change, the reader is correct wherever it can be, all
    /// examples are judged as they must be, and no bad reply is correct.
    pub fn is_sound(&self) -> bool {
        self.oracle == self.instances
            && self.null == 0
            && self.tolerated.is_none()
            && self.lost.is_none()
            && self.examples.failed == 0
            && self.panel.is_strict()
    }
}

/// Builds one row for each task, in the bundle's order.
/// `panels`: the bad replies to each instance.
pub fn build_rows(tried: Vec<Tried>, panels: Vec<Vec<BadReply>>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (Tried { oracle, variants, null, covered, reader, examples, .. }, panel) in tried.into_iter().zip(panels) {
        if rows.last().is_none_or(|row| row.task != null.task) {
            rows.push(Row { task: null.task.clone(), ..Row::default() });
        }
        let Some(row) = rows.last_mut() else { continue };
        row.instances += 1;
        row.panel.add_replies(&null.id, panel);
        for (kind, tried) in variants.tried {
            *row.variants.entry(kind).or_default() += tried;
        }
        for example in examples {
            row.examples.tried += 1;
            row.examples.failed += u64::from(example.failure.is_some());
            if example.failure.is_some() && row.examples.first.len() < MAX_FAILED {
                row.examples.first.push((null.id.clone(), example));
            }
        }
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

/// Explains why a score is not full; `None` if it is.
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

/// Renders the first difference: `reply number: expected 3, got 4`.
fn describe_difference(verdict: &Verdict) -> String {
    let head = format!("{} {}", verdict.describe_subject(), verdict.matcher);
    match verdict.differences.first() {
        Some(place) if place.at.is_empty() => format!("{head}: expected {}, got {}", place.expected, place.got),
        Some(place) => format!("{head}, at {}: expected {}, got {}", place.at, place.expected, place.got),
        None => format!("{head}: not met"),
    }
}
