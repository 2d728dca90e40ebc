//! An instance: one line of `instances.jsonl`, with its line of `keys.jsonl` if keys are split.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::answer_key::{Expected, codec};
use model::asked::{AskedRow, Described, Stage, StageKey};
use model::tools::Tool;
use model::{Scorer, Value};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::Error;
use crate::error::build_version_error;
use crate::line::{Key, LakeLine, Line, Pairs};
use crate::stage;

/// The supported versions of the form of bundles; 2 adds unchanged files of the project.
pub(crate) const SCHEMAS: std::ops::RangeInclusive<u32> = 1..=2;

/// The prefix of the paths of project files that instances get unchanged, each stored once.
pub(crate) const STATIC: &str = "static/";

/// One question: prompt, sandbox, and answer key.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// `<task>[-<row's key>][-<axis labels>…][-<variant or stage>]-<sample>`
    pub id: String,
    /// The prompt for the agent.
    pub prompt: String,
    /// The expected answer for people: one, or several alternatives.
    pub target: Vec<String>,
    /// The path of each file in the sandbox, with the source of its content.
    pub files: Vec<(String, Content)>,
    /// Its lakes, whose files are in `files` too.
    pub lakes: Vec<Lake>,
    /// Empty folders of the sandbox.
    pub folders: Vec<String>,
    /// The version of the scoring rules with which the bundle was made.
    pub scorer: Scorer,
    /// The suite's name.
    pub suite: String,
    /// The suite's version.
    pub version: String,
    /// The task's name.
    pub task: String,
    /// The variant's name.
    pub variant: Option<String>,
    /// The row of a data set that the question is about.
    pub each: Option<AskedRow>,
    /// Axis values by name, in source order.
    pub axis: Vec<(String, Value)>,
    /// Number of the sample, from 1.
    pub sample: u32,
    /// Drawn names and their values.
    pub draws: Vec<(String, Value)>,
    /// The descriptions in this instance of the databases for which a query is expected.
    pub described: Vec<Described>,
    /// The tags of suite, task, and variant.
    pub tags: Vec<String>,
    /// The tools of the agent, if the suite declares them; may be empty.
    pub tools: Option<Vec<Tool>>,
    /// Maximum number of tool calls, if the suite declares it.
    pub calls: Option<u32>,
    /// The suite's canary.
    pub canary: Option<String>,
    /// The answer key.
    pub expects: Vec<Expected>,
    /// The stage of the task that is asked instead of the task itself.
    pub stage: Option<Stage>,
    /// The stages that are scored next to the task's answer, in source order.
    pub stages: Vec<StageKey>,
}

/// A lake of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lake {
    /// Its folder in the sandbox.
    pub at: String,
    /// Whether it contains all its files.
    pub is_whole: bool,
}

/// The source of a file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The line itself.
    Inline(Vec<u8>),
    /// A path relative to the bundle.
    Below(String),
}

impl Content {
    /// Parses a value of `files`: a `data:` URI, or a path relative to the bundle. `None` for a `data:` URI that is not base64.
    pub fn from_source(source: &str) -> Option<Content> {
        let Some(uri) = source.strip_prefix("data:") else { return Some(Content::Below(source.to_owned())) };
        uri.split_once(";base64,").and_then(|(_, encoded)| STANDARD.decode(encoded).ok()).map(Content::Inline)
    }

    /// Returns its path relative to the bundle, if it is a file of the project, which may be large.
    pub fn as_static(&self) -> Option<&str> {
        match self {
            Content::Below(path) if path.starts_with(STATIC) => Some(path),
            _ => None,
        }
    }
}

impl Instance {
    /// Parses a line of `instances.jsonl`; `key` is its line of `keys.jsonl`, if keys are split.
    pub fn from_json(line: &Json, key: Option<&Json>) -> Result<Instance, Error> {
        let unreadable = |error: serde_json::Error| build_format_error(error.to_string());
        let key = key.map(Key::deserialize).transpose().map_err(unreadable)?;
        Instance::from_lines(Line::deserialize(line).map_err(unreadable)?, key)
    }

    /// Makes an instance of its lines.
    pub(crate) fn from_lines(mut line: Line, key: Option<Key>) -> Result<Instance, Error> {
        let id = line.id.take().ok_or_else(|| build_missing_error("id"))?;
        if let Some(other) = key.as_ref().and_then(|key| key.id.as_ref()).filter(|other| **other != id) {
            let error = Error::new_usage(format!("its answer key is that of `{other}`"))
                .help("give the line of `keys.jsonl` with its id");
            return Err(error.name_instance(&id));
        }
        Instance::read_fields(id.clone(), line, key).map_err(|error| error.name_instance(&id))
    }

    fn read_fields(id: String, mut line: Line, key: Option<Key>) -> Result<Instance, Error> {
        let mut picard = line.take_picard().ok_or_else(|| build_missing_error("metadata.picard"))?;
        let scorer = check_versions(picard.schema, picard.scorer)?;
        let key = key.unwrap_or_else(|| picard.take_key(line.target.take()));
        let expects = key
            .expect
            .ok_or_else(|| build_format_error("it has no `expect`: where keys are split, they are in `keys.jsonl`"))?;
        if expects.is_empty() {
            return Err(build_format_error("its `expect` is empty: nothing says what is right"));
        }
        let required = |text: Option<String>, field: &str| text.ok_or_else(|| build_missing_error(field));
        Ok(Instance {
            id,
            prompt: required(line.input, "input")?,
            target: key.target.ok_or_else(|| build_missing_error("target"))?.0,
            files: read_files(line.files)?,
            lakes: picard.lakes.into_iter().map(read_lake).collect(),
            folders: picard.folders,
            scorer,
            suite: required(picard.suite, "suite")?,
            version: required(picard.version, "version")?,
            task: required(picard.task, "task")?,
            variant: picard.variant,
            each: picard.each,
            axis: read_values(&picard.axis, "axis")?,
            sample: picard.sample.ok_or_else(|| build_missing_error("sample"))?,
            draws: read_values(&key.draws, "draws")?,
            // Other fields are ignored.
            described: picard.described.iter().filter_map(|one| Described::deserialize(one).ok()).collect(),
            tags: picard.tags,
            tools: picard.tools.as_ref().map(read_tools).transpose()?,
            calls: picard.calls.as_ref().map(read_call_limit).transpose()?,
            canary: picard.canary,
            expects: expects
                .iter()
                .map(|expect| codec::read_expected(expect, scorer).map_err(build_version_error))
                .collect::<Result<_, _>>()?,
            stage: picard.stage,
            stages: stage::read_keys(key.stages.as_ref(), scorer)?,
        })
    }

    /// Returns all expectations of a response: those of the instance itself, and of its stages.
    pub fn iter_expects(&self) -> impl Iterator<Item = &Expected> {
        self.expects.iter().chain(self.stages.iter().flat_map(|stage| &stage.expects))
    }

    /// Lists the paths in the sandbox that the answer key reads, each once, in the key's order (folders with a trailing `/`).
    pub fn list_key_paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        let read = self.iter_expects().flat_map(Expected::list_read_paths);
        // Files are kept until they take too much; those that are needed only if they changed come last.
        for path in read.chain(self.iter_expects().flat_map(Expected::list_kept_database_paths)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        paths
    }
}

fn build_format_error(message: impl Into<String>) -> Error {
    Error::new_usage(message).help("is it an `instances.jsonl` of `picardc build`?")
}

/// Returns the scorer with the number that an instance records, if its schema is known too. An unknown number is an error, because other rules would result in
/// other scores.
pub(crate) fn check_versions(schema: Option<u64>, scorer: Option<u64>) -> Result<Scorer, Error> {
    if !schema.and_then(|schema| u32::try_from(schema).ok()).is_some_and(|schema| SCHEMAS.contains(&schema)) {
        return Err(build_format_error("its schema is not 1 or 2"));
    }
    let Some(number) = scorer else {
        return Err(build_format_error("it has no `scorer`"));
    };
    Scorer::from_number(number).ok_or_else(|| {
        let known: Vec<String> = Scorer::ALL.iter().map(|scorer| scorer.number().to_string()).collect();
        let message = format!("it needs scorer {number}, but this picardc has scorers {}", known.join(", "));
        Error::new_usage(message).help("use the picardc that built the bundle, or a newer one")
    })
}

fn build_missing_error(field: &str) -> Error {
    build_format_error(format!("it has no `{field}`"))
}

fn read_values(pairs: &Pairs<Json>, field: &str) -> Result<Vec<(String, Value)>, Error> {
    let value =
        |json: &Json| Value::from_key_json(json).ok_or_else(|| build_format_error(format!("`{field}` holds {json}")));
    pairs.0.iter().map(|(name, json)| Ok((name.clone(), value(json)?))).collect()
}

fn read_lake(lake: LakeLine) -> Lake {
    Lake { at: lake.at, is_whole: lake.files.is_some_and(|files| files == "all") }
}

fn read_tools(names: &Json) -> Result<Vec<Tool>, Error> {
    let tool = |name: &Json| {
        let known = name.as_str().and_then(Tool::from_word);
        known.ok_or_else(|| build_version_error(format!("it has the tool {name}, which this version does not have")))
    };
    let names = names.as_array().ok_or_else(|| build_format_error("its `tools` are not a list"))?;
    names.iter().map(tool).collect()
}

fn read_call_limit(calls: &Json) -> Result<u32, Error> {
    let number = calls.as_u64().and_then(|calls| u32::try_from(calls).ok()).filter(|calls| *calls > 0);
    number.ok_or_else(|| build_format_error(format!("its `calls` is {calls}, not a whole number from 1")))
}

fn read_files(files: Pairs<String>) -> Result<Vec<(String, Content)>, Error> {
    let content = |source: &str| {
        Content::from_source(source).ok_or_else(|| build_format_error("a file's `data:` URI cannot be read"))
    };
    files.0.into_iter().map(|(path, source)| Ok((path, content(&source)?))).collect()
}
