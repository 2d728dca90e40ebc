//! The parts of a log that are read: in the form that Inspect AI writes, with the additions of `picardc.inspect`.

use std::path::Path;

use model::suite::StageMode;
use records::{Error, Score};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

use super::archive::Archive;

/// The key of picardc's data in every `metadata` of a log.
const OURS: &str = "picard";
/// The version of its format.
const SCHEMA: u32 = 1;

/// `header.json`, or `_journal/start.json` of an unfinished log.
#[derive(Debug, Deserialize)]
pub struct Header {
    /// `success`, `error`, `cancelled`, or `started`.
    #[serde(default = "default_status")]
    pub status: String,
    /// The evaluation.
    pub eval: Eval,
    /// Whether some or all samples were declared invalid.
    #[serde(default)]
    pub invalidated: bool,
}

fn default_status() -> String {
    "started".to_owned()
}

/// The evaluation: task, model, and options.
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

/// The data set and the ids of its samples.
#[derive(Debug, Deserialize)]
pub struct Dataset {
    pub sample_ids: Option<Vec<Json>>,
}

/// The options and limits.
#[derive(Debug, Deserialize)]
pub struct Config {
    pub epochs: Option<u32>,
    pub time_limit: Option<u64>,
    pub turn_limit: Option<u32>,
}

/// The suite, as `picardc.inspect` describes it in the metadata of the task.
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
    /// The number of its instances.
    pub instances: u64,
    pub picardc: String,
    #[serde(default)]
    pub stages: StageMode,
    /// The number of instances that state tools or a number of calls, which were ignored.
    #[serde(default)]
    pub tools_ignored: u64,
}

/// An instance, as `picardc.inspect` describes it in the metadata of the sample.
#[derive(Debug, Deserialize)]
pub struct Asked {
    /// Its index in the order of a bundle, from 0.
    pub index: u64,
    /// Its score without a response.
    pub unanswered: Score,
}

/// The data of `picardc.inspect` in the metadata of a score.
#[derive(Debug, Deserialize)]
pub struct Scored {
    /// The digest of the suite that was used for scoring.
    pub identity: String,
    pub score: Score,
}

/// One trial, without its messages.
#[derive(Debug, Deserialize)]
pub struct Sample {
    pub id: Json,
    pub epoch: u32,
    #[serde(default)]
    metadata: Map<String, Json>,
    /// The scores by the name of the scorer, in the order in which they were added.
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

/// The limit that stopped a trial.
#[derive(Debug, Deserialize)]
pub struct Limit {
    /// `time`, `working`, `message`, `token`, …
    #[serde(rename = "type")]
    pub kind: String,
}

/// The tokens that a model read and wrote.
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
    /// Returns its id as text: Inspect also allows numbers.
    pub fn name(&self) -> String {
        format_id(&self.id)
    }

    /// Parses the data of the instance; `None` in logs of other tasks.
    pub fn parse_asked(&self) -> Result<Option<Asked>, serde_json::Error> {
        self.metadata.get(OURS).map(Asked::deserialize).transpose()
    }

    /// Returns the names of all scores by picardc, in the order in which they were added.
    pub fn list_scorers(&self) -> Vec<&str> {
        let ours = |score: &Json| score.get("metadata").is_some_and(|metadata| metadata.get(OURS).is_some());
        self.scores.iter().flatten().filter(|(_, score)| ours(score)).map(|(name, _)| name.as_str()).collect()
    }

    /// Parses a score, and checks whether the value next to it is unchanged; `None` if the sample does not have a score with this name.
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

/// Converts an id to text.
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
    /// The file cannot be read, or is not a log.
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

    /// Parses the data of the suite.
    ///
    /// # Errors
    /// The log is of a task that is not picardc's, or of another version.
    pub fn parse_suite(&self) -> Result<Suite, Error> {
        let path = disk::show_path(&self.archive.path);
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

    /// Returns the names of the parts that are samples.
    pub fn list_samples(&self) -> Vec<String> {
        let is_sample = |name: &String| name.starts_with("samples/") && name.ends_with(".json");
        self.archive.list_parts().into_iter().filter(is_sample).collect()
    }
}
