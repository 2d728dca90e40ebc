//! `score`: what a response is worth. What the answer key reads and nobody gave is an error, never a wrong answer.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use api::{Captured, Key, Response, Start, Status};
use plan::answer_key::{Expected, Subject, WHOLE};
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
    let (mut asked, is_known) = asked(py, instance, key)?;
    let response = response(&asked, reply, files, status)?;
    let begun = start.map(begun).transpose()?;
    if let (false, Some(begun)) = (is_known, &begun) {
        // A line of a run has no files: what is given is all that there was.
        asked.files = begun.iter().map(|(path, bytes)| (path.clone(), Content::Inline(bytes.clone()))).collect();
    }
    let is_unknown = !is_known && begun.is_none();
    let given = Given { asked: &asked, files: begun.unwrap_or_default(), is_unknown, missing: RefCell::new(None) };
    let lists = |expect: &Expected| matches!(expect.subject, Subject::Only(_));
    if is_unknown && response.status.is_scored() && asked.all_expects().any(lists) {
        return Err(unknown(&asked, "the list of files"));
    }
    let (score, missing) = py.detach(|| {
        let score = api::grade(&asked, &response, &given);
        (score, given.missing.into_inner())
    });
    missing.map_or(Ok(Score(score)), |path| Err(unknown(&asked, &format!("`{path}`"))))
}

fn unknown(asked: &Key, what: &str) -> PyErr {
    ScoreError::new_err(format!(
        "the answer key of `{}` reads {what} as it was at the start, but `start` does not have it; \
         give the starting files, such as start=instance.files",
        asked.id
    ))
}

#[doc = documented!(key_paths)]
#[pyfunction]
#[pyo3(signature = (instance, *, key = None))]
pub fn key_paths(py: Python<'_>, instance: &Bound<'_, PyAny>, key: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    Ok(asked(py, instance, key)?.0.key_paths())
}

/// An `Instance`, or a line of `instances.jsonl` as dict or text; `key` is its line of `keys.jsonl`, where keys are split. Also, whether it says which files
/// its sandbox has at the start.
fn asked(py: Python<'_>, instance: &Bound<'_, PyAny>, key: Option<&Bound<'_, PyAny>>) -> PyResult<(Key, bool)> {
    if let Ok(instance) = instance.cast::<Instance>() {
        if key.is_some() {
            return Err(PyValueError::new_err(
                "an Instance has its answer key: give `key` only with a line of instances.jsonl",
            ));
        }
        return Ok((instance.get().keyed(py)?.key().clone(), true));
    }
    let line = line(instance)?;
    let key = key.map(self::line).transpose()?;
    let asked = Key::from_json(&line, key.as_ref()).map_err(|error| {
        let help = error.help.map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        PyValueError::new_err(format!("{}{help}", error.message))
    })?;
    Ok((asked, line.get("files").is_some()))
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
        return Ok(kept(bytes, left));
    }
    if value.is_instance_of::<PyList>() {
        let mut paths: Vec<String> = value.extract()?;
        paths.sort_unstable();
        return Ok(Captured::Paths { paths });
    }
    if value.is_instance_of::<PyDict>() {
        let captured: Captured = serde_json::from_str(&json::dumped(value)?).map_err(|error| {
            PyValueError::new_err(format!("files[\"{path}\"] is not what was captured of a file: {error}"))
        })?;
        return Ok(captured.bytes().map_or(captured, |bytes| kept(bytes, left)));
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "files[\"{path}\"] is bytes, str, None, or a dict such as {{\"kind\": \"folder\"}}, not {kind}"
    )))
}

/// As of a sandbox of `picardc run`: what is larger is not kept, and so not scored.
fn kept(bytes: Vec<u8>, left: &mut u64) -> Captured {
    let size = bytes.len() as u64;
    if size > FILE_LIMIT.min(*left) {
        return Captured::TooLarge { size };
    }
    *left -= size;
    Captured::file(bytes)
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
fn begun(start: &Bound<'_, PyAny>) -> PyResult<BTreeMap<String, Vec<u8>>> {
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
    asked: &'k Key,
    files: BTreeMap<String, Vec<u8>>,
    /// Nobody said which files there were.
    is_unknown: bool,
    missing: RefCell<Option<String>>,
}

impl Start for Given<'_> {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let given = self.files.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()));
        if given.is_none() && (self.is_unknown || self.asked.files.iter().any(|(known, _)| known == path)) {
            self.missing.borrow_mut().get_or_insert_with(|| path.to_owned());
        }
        given
    }
}
