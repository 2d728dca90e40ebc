//! The stages of a task that an instance asks, or that are scored next to its own answer.

use model::Scorer;
use model::answer_key::codec;
use model::asked::{Stage, StageKey};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::Error;
use crate::error::build_version_error;
use crate::verdict::{Reason, Verdict, combine_verdicts};

/// The score of a response at a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageScore {
    /// The stage.
    #[serde(flatten)]
    pub stage: Stage,
    /// The weighted mean of the scores of its `expect`s, from 0 to 1; 0 if a gate failed.
    pub score: f64,
    /// Whether every `expect` is met.
    pub correct: bool,
    /// The reason of the first `expect` that is not met.
    pub reason: Reason,
    /// The mistake whose value that answer equals, if the reason is [`Reason::Trapped`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trap: Option<String>,
    /// One verdict for each `expect` of the stage, in the key's order, from which the fields above are computed.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
}

impl StageScore {
    /// Computes the score of a stage from its verdicts.
    pub fn from_verdicts(stage: &Stage, verdicts: Vec<Verdict>) -> StageScore {
        let (correct, score) = combine_verdicts(&verdicts);
        let failed = verdicts.iter().find(|verdict| verdict.reason != Reason::Right);
        let reason = failed.map_or(Reason::Right, |verdict| verdict.reason);
        let trap = failed.and_then(|verdict| verdict.trap.clone());
        StageScore { stage: stage.clone(), score, correct, reason, trap, verdicts }
    }

    /// Checks whether the fields match the verdicts.
    pub fn is_consistent(&self) -> bool {
        let (correct, score) = combine_verdicts(&self.verdicts);
        self.correct == correct && (self.score - score).abs() <= 1e-9
    }
}

/// Parses the object `metadata.picard.stage`, or an element of `stages`.
pub(crate) fn read_stage(json: &Json) -> Result<Stage, Error> {
    Stage::deserialize(json).map_err(|error| build_version_error(format!("a stage cannot be read: {error}")))
}

/// Parses `stages`: each stage with its `expect`.
pub(crate) fn read_keys(list: Option<&Json>, scorer: Scorer) -> Result<Vec<StageKey>, Error> {
    let each = |json: &Json| {
        let expects = json.get("expect").and_then(Json::as_array).filter(|expects| !expects.is_empty());
        let Some(expects) = expects else { return Err(build_version_error("a stage has no `expect`")) };
        let expects = expects.iter().map(|expect| codec::read_expected(expect, scorer));
        let expects = expects.collect::<Result<_, _>>().map_err(build_version_error)?;
        Ok(StageKey { stage: read_stage(json)?, expects })
    };
    match list {
        None => Ok(Vec::new()),
        Some(Json::Array(list)) => list.iter().map(each).collect(),
        Some(_) => Err(build_version_error("the `stages` of an instance are not an array")),
    }
}
