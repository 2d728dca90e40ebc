//! `score`: scores a response. If the answer key reads a file that the caller did not provide, an error is raised; the answer does not count as wrong.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use api::{Key, Response, StartFiles, Status};
use model::answer_key::{Expected, Subject};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use records::instance::Content;

use crate::errors::{ScoreError, build_type_error, render_help};
use crate::instance::Instance;
use crate::sandbox::{capture_paths, read_start};
use crate::{json, text};

#[doc = documented!(Score)]
#[pyclass(frozen, module = "picardc")]
pub struct Score(pub api::Score);

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
        json::to_python(py, &self.0.verdicts)
    }

    #[doc = documented!(Score.to_dict)]
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.0)
    }

    fn __repr__(&self) -> String {
        format!(
            "<picardc.Score {}: {}, {}>",
            self.0.id,
            if self.0.correct { "correct" } else { "not correct" },
            self.0.score
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let written = serde_json::to_string(&self.0).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((py.import("picardc._picardc")?.getattr("_restored_score")?, (written,)))
    }
}

/// The score of a pickle.
#[pyfunction]
#[pyo3(name = "_restored_score")]
pub fn restored_score(written: &str) -> PyResult<Score> {
    let score = serde_json::from_str(written);
    score.map(Score).map_err(|error| PyValueError::new_err(format!("the pickle does not have a score: {error}")))
}

#[doc = documented!(score)]
#[pyfunction]
#[pyo3(signature = (instance, reply, *, files = None, start = None, status = "done", key = None))]
pub fn score(
    py: Python<'_>,
    instance: &Bound<'_, PyAny>,
    reply: &Bound<'_, PyAny>,
    files: Option<&Bound<'_, PyAny>>,
    start: Option<&Bound<'_, PyAny>>,
    status: &str,
    key: Option<&Bound<'_, PyAny>>,
) -> PyResult<Score> {
    let (mut asked, is_known) = parse_instance(py, instance, key)?;
    let response = build_response(&asked, reply, files, status)?;
    let begun = start.map(read_start).transpose()?;
    if let (false, Some(begun)) = (is_known, &begun) {
        // A line of a run has no files, so the given ones are all files at the start.
        asked.files = begun.iter().map(|(path, bytes)| (path.clone(), Content::Inline(bytes.clone()))).collect();
    }
    let is_unknown = !is_known && begun.is_none();
    let given = Given { asked: &asked, files: begun.unwrap_or_default(), is_unknown, missing: RefCell::new(None) };
    let lists = |expect: &Expected| matches!(expect.subject, Subject::Only(_) | Subject::Unchanged(_));
    if is_unknown && response.status.is_scored() && asked.iter_expects().any(lists) {
        return Err(report_unknown_start(&asked, "the list of files"));
    }
    let (score, missing) = py.detach(|| {
        let score = api::grade_response(&asked, &response, &given);
        (score, given.missing.into_inner())
    });
    missing.map_or(Ok(Score(score)), |path| Err(report_unknown_start(&asked, &format!("`{path}`"))))
}

fn report_unknown_start(asked: &Key, what: &str) -> PyErr {
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
    Ok(parse_instance(py, instance, key)?.0.list_key_paths())
}

/// Parses an `Instance`, or a line of `instances.jsonl` as dict or str; `key` is its line of `keys.jsonl`, if keys are split. Also returns whether it lists
/// the files of its sandbox at the start.
fn parse_instance(
    py: Python<'_>,
    instance: &Bound<'_, PyAny>,
    key: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Key, bool)> {
    if let Ok(instance) = instance.cast::<Instance>() {
        if key.is_some() {
            return Err(PyValueError::new_err(
                "an Instance has its answer key: give `key` only with a line of instances.jsonl",
            ));
        }
        return Ok((instance.get().ensure_key(py)?.key().clone(), true));
    }
    let line = parse_line(instance, "an instance is an Instance, or a line of instances.jsonl")?;
    let key = key.map(|key| self::parse_line(key, "a key is a line of keys.jsonl")).transpose()?;
    let asked = Key::from_json(&line, key.as_ref())
        .map_err(|error| PyValueError::new_err(format!("{}{}", error.message, render_help(error.help.as_deref()))))?;
    Ok((asked, line.get("files").is_some()))
}

/// Parses a line given as a dict or a str; `what` describes it in errors.
fn parse_line(given: &Bound<'_, PyAny>, what: &str) -> PyResult<serde_json::Value> {
    let written = if let Ok(written) = given.cast::<PyString>() {
        text::decode_text(written)?.0
    } else if given.is_instance_of::<PyDict>() {
        json::dump_json(given)?
    } else {
        return Err(build_type_error(&format!("{what} as a dict or a str"), given));
    };
    serde_json::from_str(&written)
        .map_err(|error| PyValueError::new_err(format!("{what}, and this cannot be read: {error}")))
}

/// Builds a response from a reply and the captured contents of a sandbox.
pub fn build_response(
    key: &Key,
    reply: &Bound<'_, PyAny>,
    files: Option<&Bound<'_, PyAny>>,
    status: &str,
) -> PyResult<Response> {
    let Ok(reply) = reply.cast::<PyString>() else {
        let kind = reply.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a reply is a str, not {kind}; give \"\" for an agent that did not reply"
        )));
    };
    let known = [Status::Done, Status::MaxRounds, Status::Timeout, Status::Failed];
    let Some(status) = known.into_iter().find(|known| known.word() == status) else {
        let words: Vec<&str> = known.iter().map(|status| status.word()).collect();
        return Err(PyValueError::new_err(format!(
            "status=\"{status}\" is unknown; the words are {}",
            words.join(", ")
        )));
    };
    let paths = key.list_key_paths();
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
        Some(files) => capture_paths(key, paths, files)?,
    };
    Ok(Response {
        id: key.id.clone(),
        trial: 1,
        attempts: 1,
        status,
        reply: text::decode_text(reply)?.0,
        files,
        ..Response::default()
    })
}

/// The starting files that a caller provided, and the first file that the key read but the caller did not provide.
struct Given<'k> {
    asked: &'k Key,
    files: BTreeMap<String, Vec<u8>>,
    /// Whether the starting files are unknown.
    is_unknown: bool,
    missing: RefCell<Option<String>>,
}

impl StartFiles for Given<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let given = self.files.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()));
        if given.is_none() && (self.is_unknown || self.asked.files.iter().any(|(known, _)| known == path)) {
            self.missing.borrow_mut().get_or_insert_with(|| path.to_owned());
        }
        given
    }
}
