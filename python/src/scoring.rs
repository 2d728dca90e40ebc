//! `score`: what a response is worth. What the answer key reads and nobody gave is an error, never a wrong answer.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use api::{Captured, Key, Response, Start, Status};
use plan::answer_key::WHOLE;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMapping, PyString};
use records::instance::Content;
use records::{FILE_LIMIT, TOTAL_LIMIT};

use crate::errors::ScoreError;
use crate::instance::Instance;
use crate::json;

#[doc = documented!(Score)]
#[pyclass(frozen, module = "picardc")]
pub struct Score(api::Score);

impl Score {
    /// Of a response.
    pub fn new(score: api::Score) -> Score {
        Score(score)
    }
}

#[pymethods]
impl Score {
    #[doc = documented!(Score.id)]
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    #[doc = documented!(Score.correct)]
    #[getter]
    fn correct(&self) -> bool {
        self.0.correct
    }

    #[doc = documented!(Score.score)]
    #[getter]
    fn score(&self) -> f64 {
        self.0.score
    }

    #[doc = documented!(Score.verdicts)]
    #[getter]
    fn verdicts(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::of(py, &self.0.verdicts)
    }

    #[doc = documented!(Score.to_dict)]
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::of(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!(
            "<picardc.Score {}: {}, {}>",
            self.0.id,
            if self.0.correct { "correct" } else { "not correct" },
            self.0.score
        )
    }
}

#[doc = documented!(score)]
#[pyfunction]
#[pyo3(signature = (instance, reply, *, files = None, start = None, status = "done", key = None))]
pub fn score(
    py: Python<'_>,
    instance: &Bound<'_, PyAny>,
    reply: &str,
    files: Option<&Bound<'_, PyAny>>,
    start: Option<&Bound<'_, PyAny>>,
    status: &str,
    key: Option<&Bound<'_, PyAny>>,
) -> PyResult<Score> {
    let asked = asked(py, instance, key)?;
    let response = response(&asked, reply, files, status)?;
    let given = Given { known: &asked, files: begun(start)?, missing: RefCell::new(None) };
    let (score, missing) = py.detach(|| {
        let score = api::grade(&asked, &response, &given);
        (score, given.missing.into_inner())
    });
    match missing {
        None => Ok(Score(score)),
        Some(path) => Err(ScoreError::new_err(format!(
            "the answer key of `{}` reads `{path}` as it was at the start, but `start` does not have it; \
             give the starting files, such as start=instance.files",
            asked.id
        ))),
    }
}

#[doc = documented!(key_paths)]
#[pyfunction]
#[pyo3(signature = (instance, *, key = None))]
pub fn key_paths(py: Python<'_>, instance: &Bound<'_, PyAny>, key: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    Ok(asked(py, instance, key)?.key_paths())
}

/// An `Instance`, or a line of `instances.jsonl` as dict or text; `key` is its line of `keys.jsonl`, where keys are split.
fn asked(py: Python<'_>, instance: &Bound<'_, PyAny>, key: Option<&Bound<'_, PyAny>>) -> PyResult<Key> {
    if let Ok(instance) = instance.cast::<Instance>() {
        return Ok(instance.get().keyed(py)?.key().clone());
    }
    let line = line(instance)?;
    let key = key.map(line_of_keys).transpose()?;
    Key::from_json(&line, key.as_ref()).map_err(|error| {
        let help = error.help.map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        PyValueError::new_err(format!("{}{help}", error.message))
    })
}

fn line_of_keys(key: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    line(key)
}

fn line(given: &Bound<'_, PyAny>) -> PyResult<serde_json::Value> {
    let text = if given.is_instance_of::<PyString>() {
        given.extract()?
    } else if given.is_instance_of::<PyDict>() {
        json::dumped(given)?
    } else {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "an instance is an Instance, or a line of instances.jsonl as a dict or a str, not {kind}"
        )));
    };
    serde_json::from_str(&text).map_err(|error| PyValueError::new_err(format!("the instance cannot be read: {error}")))
}

/// A response: a reply, and what was captured of a sandbox.
pub fn response(key: &Key, reply: &str, files: Option<&Bound<'_, PyAny>>, status: &str) -> PyResult<Response> {
    let known = [Status::Done, Status::MaxRounds, Status::Timeout, Status::Failed];
    let Some(status) = known.into_iter().find(|known| known.word() == status) else {
        let words: Vec<&str> = known.iter().map(|status| status.word()).collect();
        return Err(PyValueError::new_err(format!(
            "status=\"{status}\" is unknown; the words are {}",
            words.join(", ")
        )));
    };
    let paths = key.key_paths();
    let files = match files {
        None => match (paths.first(), status.is_scored()) {
            (Some(first), true) => {
                return Err(ScoreError::new_err(format!(
                    "the answer key of `{}` reads `{first}`, but `files` is missing; \
                     give what was in the sandbox in the end at each path of `key_paths`",
                    key.id
                )));
            }
            _ => Vec::new(),
        },
        Some(files) => captured(key, paths, files)?,
    };
    Ok(Response {
        id: key.id.clone(),
        trial: 1,
        attempts: 1,
        status,
        reply: reply.to_owned(),
        files,
        ..Response::default()
    })
}

/// What was at each path that the key reads.
fn captured(key: &Key, paths: Vec<String>, files: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Captured)>> {
    let mapping = mapping(files, "files")?;
    let mut left = TOTAL_LIMIT;
    let mut folders: Option<Vec<String>> = None;
    let mut all = Vec::new();
    for path in paths {
        let found = if mapping.contains(&path)? {
            found(&path, &mapping.get_item(&path)?, &mut left)?
        } else if path == WHOLE {
            return Err(ScoreError::new_err(format!(
                "the answer key of `{}` reads the list of all paths in the sandbox; \
                 give it as files[\"{WHOLE}\"]: a list of str, folders with a \"/\" at the end",
                key.id
            )));
        } else if path.ends_with('/') {
            if folders.is_none() {
                let keys = mapping.keys()?;
                folders = Some(keys.iter().map(|path| path.extract()).collect::<PyResult<_>>()?);
            }
            let is_there = folders.iter().flatten().any(|known: &String| known.starts_with(&path));
            if is_there { Captured::Folder } else { Captured::Absent }
        } else {
            Captured::Absent
        };
        all.push((path, found));
    }
    Ok(all)
}

/// One value of `files`.
fn found(path: &str, value: &Bound<'_, PyAny>, left: &mut u64) -> PyResult<Captured> {
    if value.is_none() {
        return Ok(Captured::Absent);
    }
    if let Some(bytes) = bytes(value)? {
        let size = bytes.len() as u64;
        // As of a sandbox of `picardc run`: what is larger is not kept, and so not scored.
        if size > FILE_LIMIT.min(*left) {
            return Ok(Captured::TooLarge { size });
        }
        *left -= size;
        return Ok(Captured::file(bytes));
    }
    if value.is_instance_of::<PyList>() {
        let mut paths: Vec<String> = value.extract()?;
        paths.sort_unstable();
        return Ok(Captured::Paths { paths });
    }
    if value.is_instance_of::<PyDict>() {
        let text = json::dumped(value)?;
        return serde_json::from_str(&text).map_err(|error| {
            PyValueError::new_err(format!("files[\"{path}\"] is not what was captured of a file: {error}"))
        });
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "files[\"{path}\"] is bytes, str, None, or a dict such as {{\"kind\": \"folder\"}}, not {kind}"
    )))
}

fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_str()?.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Some(bytes.to_vec()));
    }
    Ok(None)
}

fn mapping<'a, 'py>(value: &'a Bound<'py, PyAny>, name: &str) -> PyResult<&'a Bound<'py, PyMapping>> {
    value.cast::<PyMapping>().map_err(|_| {
        let kind = value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!("{name} is a mapping from paths to contents, not {kind}"))
    })
}

/// `start`: contents by path. A text is a `data:` URI, as in lines of `picardc build --inline`; anything else would be the path of a file.
fn begun(start: Option<&Bound<'_, PyAny>>) -> PyResult<BTreeMap<String, Vec<u8>>> {
    let Some(start) = start else { return Ok(BTreeMap::new()) };
    let mut files = BTreeMap::new();
    for pair in mapping(start, "start")?.items()?.iter() {
        let (path, value): (String, Bound<'_, PyAny>) = pair.extract()?;
        let content = if let Ok(text) = value.cast::<PyString>() {
            match Content::of(text.to_str()?) {
                Some(Content::Inline(bytes)) => bytes,
                _ => {
                    return Err(PyTypeError::new_err(format!(
                        "start[\"{path}\"] is a str that is not a data: URI; give the content as bytes"
                    )));
                }
            }
        } else if let Some(bytes) = bytes(&value)? {
            bytes
        } else {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("start[\"{path}\"] is bytes, not {kind}")));
        };
        files.insert(path, content);
    }
    Ok(files)
}

/// The starting files that a caller gave, and the first one that the key read and was not among them.
struct Given<'k> {
    known: &'k Key,
    files: BTreeMap<String, Vec<u8>>,
    missing: RefCell<Option<String>>,
}

impl Start for Given<'_> {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let given = self.files.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()));
        if given.is_none() && self.known.files.iter().any(|(known, _)| known == path) {
            self.missing.borrow_mut().get_or_insert_with(|| path.to_owned());
        }
        given
    }
}
