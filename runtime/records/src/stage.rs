//! The stages of a task: which of them an instance asks, or is scored on next to its own answer.

use model::answer_key::{Expected, codec};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::score::{Reason, Verdict, combine_verdicts};

/// A stage: its place in the graph of its task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// The stages that precede it, in source order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Its own tags, without those of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// A stage with its answer key.
#[derive(Clone, Debug, PartialEq)]
pub struct StageKey {
    /// The stage.
    pub stage: Stage,
    /// Its answer key.
    pub expects: Vec<Expected>,
}

/// What a response is worth at a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageScore {
    /// The stage.
    #[serde(flatten)]
    pub stage: Stage,
    /// The weighted mean of its `expect`s' scores, 0 where a gate failed; 0 to 1.
    pub score: f64,
    /// Every one of its `expect`s is full.
    pub correct: bool,
    /// Why: of the first `expect` that is not full.
    pub reason: Reason,
    /// The mistake whose value that answer is equal to, if the reason is [`Reason::Trapped`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trap: Option<String>,
    /// One for each `expect` of the stage, in the key's order: the figures above follow from them.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
}

impl StageScore {
    /// What the verdicts of a stage come to.
    pub fn from_verdicts(stage: &Stage, verdicts: Vec<Verdict>) -> StageScore {
        let (correct, score) = combine_verdicts(&verdicts);
        let failed = verdicts.iter().find(|verdict| verdict.reason != Reason::Right);
        let reason = failed.map_or(Reason::Right, |verdict| verdict.reason);
        let trap = failed.and_then(|verdict| verdict.trap.clone());
        StageScore { stage: stage.clone(), score, correct, reason, trap, verdicts }
    }

    /// Whether the figures are those of the verdicts.
    pub fn is_consistent(&self) -> bool {
        let (correct, score) = combine_verdicts(&self.verdicts);
        self.correct == correct && (self.score - score).abs() <= 1e-9
    }
}

/// Reads the object that `metadata.picard.stage` is, or an element of `stages`.
pub(crate) fn read_stage(json: &Json) -> Result<Stage, String> {
    Stage::deserialize(json).map_err(|error| format!("a stage cannot be read: {error}"))
}

/// Reads `stages`: each stage with its `expect`.
pub(crate) fn read_keys(list: Option<&Json>) -> Result<Vec<StageKey>, String> {
    let each = |json: &Json| {
        let expects = json.get("expect").and_then(Json::as_array).filter(|expects| !expects.is_empty());
        let Some(expects) = expects else { return Err("a stage has no `expect`".to_owned()) };
        let expects = expects.iter().map(codec::read_expected).collect::<Result<_, _>>()?;
        Ok(StageKey { stage: read_stage(json)?, expects })
    };
    match list {
        None => Ok(Vec::new()),
        Some(Json::Array(list)) => list.iter().map(each).collect(),
        Some(_) => Err("the `stages` of an instance are not an array".to_owned()),
    }
}
