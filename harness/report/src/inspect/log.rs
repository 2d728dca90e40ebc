//! What of a log is read: the shapes that Inspect AI writes, and what `picardc.inspect` adds to them.

use std::path::Path;

use model::suite::StageMode;
use records::{Error, Score};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

use super::archive::Archive;

/// The name of our facts in every `metadata` of a log.
const OURS: &str = "picard";
/// The version of their form.
const SCHEMA: u32 = 1;

/// `header.json`, or `_journal/start.json` of a log that is not finished.
#[derive(Debug, Deserialize)]
pub struct Header {
    /// `success`, `error`, `cancelled`, or `started`.
    #[serde(default = "default_status")]
    pub status: String,
    /// What was evaluated.
    pub eval: Eval,
    /// Whether samples, or all of it, were declared invalid.
    #[serde(default)]
    pub invalidated: bool,
}

fn default_status() -> String {
    "started".to_owned()
}

/// What was evaluated, by whom.
#[derive(Debug, Deserialize)]
pub struct Eval {
    pub created: String,
    pub model: String,
    pub solver: Option<String>,
    pub dataset: Dataset,
    pub config: Config,
    #[serde(default)]
    pub packages: Map<String, Json>,
    pub metadata: Option<Map<String, Json>>,
}

/// The samples that were asked.
#[derive(Debug, Deserialize)]
pub struct Dataset {
    pub sample_ids: Option<Vec<Json>>,
}

/// Within which limits.
#[derive(Debug, Deserialize)]
pub struct Config {
    pub epochs: Option<u32>,
    pub time_limit: Option<u64>,
    pub turn_limit: Option<u32>,
}

/// What `picardc.inspect` says of the suite, in the metadata of the task.
#[derive(Debug, Deserialize)]
pub struct Suite {
    schema: u32,
    /// The digest of source, seed, and options.
    pub identity: String,
    /// The suite's name.
    pub suite: String,
    pub title: String,
    pub version: String,
    pub seed: String,
    /// How many instances it has.
    pub instances: u64,
    pub picardc: String,
    #[serde(default)]
    pub stages: StageMode,
    /// How many instances state tools or a number of calls, which was ignored.
    #[serde(default)]
    pub tools_ignored: u64,
}

/// What `picardc.inspect` says of an instance, in the metadata of the sample.
#[derive(Debug, Deserialize)]
pub struct Asked {
    /// From 0, in the order of a bundle.
    pub index: u64,
    /// The score of an instance without a response.
    pub unanswered: Score,
}

/// What `picardc.inspect` says in the metadata of a score.
#[derive(Debug, Deserialize)]
pub struct Scored {
    /// The digest of the suite that scored.
    pub identity: String,
    pub score: Score,
}

/// One trial, without what was said in it.
#[derive(Debug, Deserialize)]
pub struct Sample {
    pub id: Json,
    pub epoch: u32,
    #[serde(default)]
    metadata: Map<String, Json>,
    /// By the name of the scorer, in the order in which they were added.
    #[serde(default)]
    scores: Option<Map<String, Json>>,
    #[serde(default)]
    pub messages: Vec<Said>,
    #[serde(default)]
    pub model_usage: Map<String, Json>,
    pub total_time: Option<f64>,
    pub error: Option<Failed>,
    pub limit: Option<Limit>,
    pub invalidation: Option<IgnoredAny>,
}

/// A message, as far as it is counted.
#[derive(Debug, Deserialize)]
pub struct Said {
    pub role: String,
    #[serde(default)]
    pub tool_calls: Option<Vec<IgnoredAny>>,
}

/// Why a trial failed.
#[derive(Debug, Deserialize)]
pub struct Failed {
    pub message: String,
}

/// What stopped a trial.
#[derive(Debug, Deserialize)]
pub struct Limit {
    /// `time`, `working`, `message`, `token`, …
    #[serde(rename = "type")]
    pub kind: String,
}

/// What a model read and wrote.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Usage {
    pub input_tokens: u64,
    pub input_tokens_cache_read: Option<u64>,
    pub input_tokens_cache_write: Option<u64>,
    pub output_tokens: u64,
    pub total_cost: Option<Json>,
}

impl Sample {
    /// Its id as text: Inspect has numbers, too.
    pub fn name(&self) -> String {
        format_id(&self.id)
    }

    /// What was asked; `None` in logs of other tasks.
    pub fn parse_asked(&self) -> Result<Option<Asked>, serde_json::Error> {
        self.metadata.get(OURS).map(Asked::deserialize).transpose()
    }

    /// The names of all scores that are ours, in the order in which they were added.
    pub fn list_scorers(&self) -> Vec<&str> {
        let ours = |score: &Json| score.get("metadata").is_some_and(|metadata| metadata.get(OURS).is_some());
        self.scores.iter().flatten().filter(|(_, score)| ours(score)).map(|(name, _)| name.as_str()).collect()
    }

    /// A score, and whether the value next to it is still the one that it gave; `None` if the sample has none of this name.
    pub fn parse_score(&self, name: &str) -> Result<Option<(Scored, bool)>, serde_json::Error> {
        let score = self.scores.as_ref().and_then(|scores| scores.get(name));
        let ours = score.and_then(|score| score.get("metadata")?.get(OURS));
        let (Some(score), Some(ours)) = (score, ours) else { return Ok(None) };
        let scored = Scored::deserialize(ours)?;
        let value = |field: &str| score.get("value").and_then(|value| value.get(field)).and_then(Json::as_f64);
        let is_same = value("correct") == Some(f64::from(u8::from(scored.score.correct)))
            && value("score").is_some_and(|value| (value - scored.score.score).abs() < 1e-9);
        Ok(Some((scored, is_same)))
    }
}

/// An id as text.
pub fn format_id(id: &Json) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// A log of Inspect AI.
pub struct Log {
    pub archive: Archive,
    pub header: Header,
}

impl Log {
    /// Opens a log.
    ///
    /// # Errors
    /// It cannot be read, or is not a log.
    pub fn open(path: &Path) -> Result<Log, Error> {
        let mut archive = Archive::open(path)?;
        let header = match archive.read_json("header.json")? {
            Some(header) => header,
            None => archive.read_json("_journal/start.json")?.ok_or_else(|| {
                let message = format!("`{}` is a zip file, but not a log of Inspect AI", disk::show_path(&path));
                Error::new_usage(message).help("give the folder of a run, or a log of Inspect AI (`.eval`)")
            })?,
        };
        Ok(Log { archive, header })
    }

    /// What `picardc.inspect` says of the suite.
    ///
    /// # Errors
    /// The log is of a task that is not ours, or of another version.
    pub fn parse_suite(&self) -> Result<Suite, Error> {
        let path = disk::show_path(self.archive.path());
        let ours = self.header.eval.metadata.as_ref().and_then(|metadata| metadata.get(OURS));
        let Some(ours) = ours else {
            let message = format!("`{path}` is a log of a task that picardc did not make");
            return Err(
                Error::new_usage(message).help("run the suite with `inspect eval picardc/suite -T path=FILE.pcd`")
            );
        };
        let suite = Suite::deserialize(ours)
            .map_err(|error| Error::new_usage(format!("`{path}`: the metadata `{OURS}` of the task: {error}")))?;
        if suite.schema != SCHEMA {
            let message = format!("`{path}` is of schema {}, this picardc reads {SCHEMA}", suite.schema);
            return Err(Error::new_usage(message).help("use the picardc that wrote it, or run the suite again"));
        }
        Ok(suite)
    }

    /// The names of the parts that are samples.
    pub fn list_samples(&self) -> Vec<String> {
        let is_sample = |name: &String| name.starts_with("samples/") && name.ends_with(".json");
        self.archive.list_parts().into_iter().filter(is_sample).collect()
    }
}
