//! An instance: one line of `instances.jsonl`, with its line of `keys.jsonl` if keys are split.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::answer_key::{Expected, codec};
use model::asked::{AskedRow, Described, Stage, StageKey};
use model::tools::Tool;
use model::{Scorer, Value};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::Error;
use crate::error::build_version_error;
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
        let id = read_text(line, "id")?;
        let inside = |error: Error| error.name_instance(&id);
        if let Some(other) = key.and_then(|key| key.get("id")).and_then(Json::as_str).filter(|other| *other != id) {
            return Err(inside(
                Error::new_usage(format!("its answer key is that of `{other}`"))
                    .help("give the line of `keys.jsonl` with its id"),
            ));
        }
        Instance::read_fields(id.clone(), line, key).map_err(inside)
    }

    fn read_fields(id: String, line: &Json, key: Option<&Json>) -> Result<Instance, Error> {
        let picard = line
            .get("metadata")
            .and_then(|metadata| metadata.get("picard"))
            .ok_or_else(|| build_format_error("it has no `metadata.picard`"))?;
        let number = |name: &str| picard.get(name).and_then(Json::as_u64);
        let scorer = check_versions(number("schema"), number("scorer"))?;
        let keys = key.unwrap_or(picard);
        let expects = keys
            .get("expect")
            .and_then(Json::as_array)
            .ok_or_else(|| build_format_error("it has no `expect`: where keys are split, they are in `keys.jsonl`"))?;
        if expects.is_empty() {
            return Err(build_format_error("its `expect` is empty: nothing says what is right"));
        }
        Ok(Instance {
            id,
            prompt: read_text(line, "input")?,
            target: match key.unwrap_or(line).get("target") {
                Some(Json::Array(several)) => several.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
                Some(Json::String(one)) => vec![one.clone()],
                _ => return Err(build_format_error("it has no `target`")),
            },
            files: iter_fields(line, "files")
                .map(|(path, source)| Ok((path.clone(), read_content(source)?)))
                .collect::<Result<_, Error>>()?,
            lakes: read_lakes(picard)?,
            folders: read_texts(picard, "folders"),
            scorer,
            suite: read_text(picard, "suite")?,
            version: read_text(picard, "version")?,
            task: read_text(picard, "task")?,
            variant: picard.get("variant").and_then(Json::as_str).map(str::to_owned),
            each: picard.get("each").map(read_asked_row).transpose()?,
            axis: read_values(picard, "axis")?,
            sample: picard
                .get("sample")
                .and_then(Json::as_u64)
                .and_then(|sample| u32::try_from(sample).ok())
                .ok_or_else(|| build_format_error("it has no `sample`"))?,
            draws: read_values(keys, "draws")?,
            described: read_descriptions(picard),
            tags: read_texts(picard, "tags"),
            tools: read_tools(picard)?,
            calls: read_call_limit(picard)?,
            canary: picard.get("canary").and_then(Json::as_str).map(str::to_owned),
            expects: expects
                .iter()
                .map(|expect| codec::read_expected(expect, scorer).map_err(build_version_error))
                .collect::<Result<_, _>>()?,
            stage: picard.get("stage").map(stage::read_stage).transpose()?,
            stages: stage::read_keys(keys.get("stages"), scorer)?,
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

/// Reads its descriptions; other fields are ignored.
fn read_descriptions(picard: &Json) -> Vec<Described> {
    iter_items(picard, "described").filter_map(|one| Described::deserialize(one).ok()).collect()
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

fn read_text(json: &Json, field: &str) -> Result<String, Error> {
    json.get(field)
        .and_then(Json::as_str)
        .map(str::to_owned)
        .ok_or_else(|| build_format_error(format!("it has no `{field}`")))
}

fn read_texts(json: &Json, field: &str) -> Vec<String> {
    iter_items(json, field).filter_map(Json::as_str).map(str::to_owned).collect()
}

fn iter_items<'a>(json: &'a Json, field: &str) -> impl Iterator<Item = &'a Json> {
    json.get(field).and_then(Json::as_array).into_iter().flatten()
}

fn iter_fields<'a>(json: &'a Json, field: &str) -> impl Iterator<Item = (&'a String, &'a Json)> {
    json.get(field).and_then(Json::as_object).into_iter().flat_map(Map::iter)
}

fn read_values(json: &Json, field: &str) -> Result<Vec<(String, Value)>, Error> {
    let value =
        |json: &Json| Value::from_key_json(json).ok_or_else(|| build_format_error(format!("`{field}` holds {json}")));
    iter_fields(json, field).map(|(name, json)| Ok((name.clone(), value(json)?))).collect()
}

fn read_asked_row(each: &Json) -> Result<AskedRow, Error> {
    let by = each.get("by").and_then(Json::as_str).map(str::to_owned);
    Ok(AskedRow { name: read_text(each, "name")?, key: read_text(each, "key")?, by })
}

fn read_lakes(picard: &Json) -> Result<Vec<Lake>, Error> {
    let lake = |lake: &Json| {
        Ok(Lake { at: read_text(lake, "at")?, is_whole: lake.get("files").is_some_and(|files| files == "all") })
    };
    iter_items(picard, "lakes").map(lake).collect()
}

fn read_tools(picard: &Json) -> Result<Option<Vec<Tool>>, Error> {
    let Some(names) = picard.get("tools") else { return Ok(None) };
    let tool = |name: &Json| {
        let known = name.as_str().and_then(Tool::from_word);
        known.ok_or_else(|| build_version_error(format!("it has the tool {name}, which this version does not have")))
    };
    let names = names.as_array().ok_or_else(|| build_format_error("its `tools` are not a list"))?;
    names.iter().map(tool).collect::<Result<_, _>>().map(Some)
}

fn read_call_limit(picard: &Json) -> Result<Option<u32>, Error> {
    let Some(calls) = picard.get("calls") else { return Ok(None) };
    let number = calls.as_u64().and_then(|calls| u32::try_from(calls).ok()).filter(|calls| *calls > 0);
    number.map(Some).ok_or_else(|| build_format_error(format!("its `calls` is {calls}, not a whole number from 1")))
}

fn read_content(source: &Json) -> Result<Content, Error> {
    let source = source.as_str().ok_or_else(|| build_format_error("a file's content is not text"))?;
    Content::from_source(source).ok_or_else(|| build_format_error("a file's `data:` URI cannot be read"))
}
