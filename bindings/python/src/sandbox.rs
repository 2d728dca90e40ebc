//! The sandbox of a response, as described by callers: `files` and `start` of `score`. Values that are not understood are rejected, never treated as absent.

use std::collections::BTreeMap;

use api::{Captured, Key};
use model::answer_key::{DIGESTS, WHOLE};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMapping, PyString, PyTuple};
use records::instance::Content;
use records::stated_paths::{DIGESTS_FORM, StatedPaths, describe_misfit, normalize_path};
use records::{FILE_LIMIT, TOTAL_LIMIT};

use crate::errors::{ScoreError, build_type_error};
use crate::{json, text};

/// Captures the contents of each path that the key reads.
pub fn capture_paths(key: &Key, paths: Vec<String>, files: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Captured)>> {
    let told = read_mapping(files, "files")?;
    let refused = |why: String| PyValueError::new_err(format!("files: {why}"));
    let mut left = TOTAL_LIMIT;
    let mut all = Vec::new();
    for path in paths {
        let found = match told.find_path(&path).map_err(|error| refused(error.to_string()))? {
            Some((written, value)) => {
                let found = capture_value(written, value, &mut left)?;
                if let Some(why) = describe_misfit(&path, written, &found) {
                    return Err(refused(why));
                }
                found
            }
            None if path == WHOLE => {
                return Err(ScoreError::new_err(format!(
                    "the answer key of `{}` reads the list of all paths in the sandbox; \
                     give it as files[\"{WHOLE}\"]: a list of str, folders with a \"/\" at the end",
                    key.id
                )));
            }
            None if path == DIGESTS => {
                return Err(ScoreError::new_err(format!(
                    "the answer key of `{}` reads the content of all files in the sandbox, but files[\"{DIGESTS}\"] is missing; {DIGESTS_FORM}",
                    key.id
                )));
            }
            None if path.ends_with('/') && has_something(told.iter_below(&path))? => Captured::Folder,
            None => Captured::Absent,
        };
        all.push((path, found));
    }
    Ok(all)
}

/// Reads `start`: contents by path. A str must be a `data:` URI, as in lines of `picardc build --inline`; any other str would be the path of a file.
pub fn read_start(start: &Bound<'_, PyAny>) -> PyResult<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for (written, value) in list_pairs(start, "start")? {
        let content = if let Ok(text) = value.cast::<PyString>() {
            match Content::from_source(&text::decode_text(text)?.0) {
                Some(Content::Inline(bytes)) => bytes,
                _ => {
                    return Err(PyTypeError::new_err(format!(
                        "start[\"{written}\"] is a str that is not a data: URI; give the content as bytes"
                    )));
                }
            }
        } else if let Some(bytes) = extract_bytes(&value)? {
            bytes
        } else {
            return Err(build_type_error(&format!("start[\"{written}\"] is bytes"), &value));
        };
        let path = normalize_path(&written).map_err(|why| PyValueError::new_err(format!("start: {why}")))?;
        if files.insert(path, content).is_some() {
            return Err(PyValueError::new_err(format!("start: `{written}` is there in two spellings; give it once")));
        }
    }
    Ok(files)
}

/// Reads a mapping from paths to values.
fn read_mapping<'py>(files: &Bound<'py, PyAny>, name: &str) -> PyResult<StatedPaths<Bound<'py, PyAny>>> {
    let mut told = StatedPaths::default();
    for (written, value) in list_pairs(files, name)? {
        told.add_path(&written, value).map_err(|why| PyValueError::new_err(format!("{name}: {why}")))?;
    }
    Ok(told)
}

/// Lists the paths and values of a mapping. If paths that are not Unicode are equal after decoding, the first one counts.
fn list_pairs<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Ok(mapping) = value.cast::<PyMapping>() else {
        return Err(build_type_error(&format!("{name} is a mapping from paths to contents"), value));
    };
    let mut pairs: Vec<(String, Bound<'py, PyAny>)> = Vec::new();
    let mut mended = Vec::new();
    for pair in mapping.items()?.iter() {
        let (path, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair.extract()?;
        match parse_path(&path, name)? {
            (path, false) => pairs.push((path, value)),
            pair => mended.push((pair.0, value)),
        }
    }
    for (path, value) in mended {
        if !pairs.iter().any(|(known, _)| *known == path) {
            pairs.push((path, value));
        }
    }
    Ok(pairs)
}

/// Parses a path as `open` accepts it: a str, or an object that `os.fspath` converts to one. Also returns whether characters were replaced.
fn parse_path(path: &Bound<'_, PyAny>, name: &str) -> PyResult<(String, bool)> {
    let other = || -> PyResult<PyErr> {
        let (kind, repr) = (path.get_type().name()?, path.repr()?);
        Ok(PyTypeError::new_err(format!("a path in {name} is a str or an os.PathLike of one, not {kind}: {repr}")))
    };
    let plain = match path.cast::<PyString>() {
        Ok(text) => text.clone(),
        Err(_) if path.hasattr("__fspath__")? => {
            let plain = path.py().import("os")?.call_method1("fspath", (path,))?;
            match plain.cast_into::<PyString>() {
                Ok(text) => text,
                Err(_) => return Err(other()?),
            }
        }
        Err(_) => return Err(other()?),
    };
    text::decode_text(&plain)
}

/// Whether any of these values is not marked as absent.
fn has_something<'t, 'py: 't>(mut values: impl Iterator<Item = &'t Bound<'py, PyAny>>) -> PyResult<bool> {
    let is_something = |value: &Bound<'py, PyAny>| -> PyResult<bool> {
        match value.cast::<PyDict>() {
            Ok(dict) => Ok(dict.get_item("kind")?.is_none_or(|kind| !kind.eq("absent").unwrap_or(false))),
            Err(_) => Ok(!value.is_none()),
        }
    };
    values.try_fold(false, |some, value| Ok(some || is_something(value)?))
}

/// Captures one value of `files`.
fn capture_value(path: &str, value: &Bound<'_, PyAny>, left: &mut u64) -> PyResult<Captured> {
    if value.is_none() {
        return Ok(Captured::Absent);
    }
    if let Some(bytes) = extract_bytes(value)? {
        return Ok(capture_bytes(bytes, left));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let mut paths = Vec::new();
        for item in value.try_iter()? {
            let (written, _) = parse_path(&item?, &format!("files[\"{path}\"]"))?;
            let wrong = |why: records::Error| PyValueError::new_err(format!("files[\"{path}\"]: {why}"));
            paths.push(normalize_path(&written).map_err(wrong)?);
        }
        paths.sort_unstable();
        return Ok(Captured::Paths { paths, sha256: Vec::new() });
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return parse_captured(path, dict).map(|captured| match captured.to_bytes() {
            Some(bytes) => capture_bytes(bytes, left),
            None => captured,
        });
    }
    let expected = format!("files[\"{path}\"] is bytes, str, None, or a dict such as {{\"kind\": \"folder\"}}");
    Err(build_type_error(&expected, value))
}

/// Parses a dict in the format of `responses.jsonl`.
fn parse_captured(path: &str, dict: &Bound<'_, PyDict>) -> PyResult<Captured> {
    let not =
        |why: String| PyValueError::new_err(format!("files[\"{path}\"] is not what was captured of a file: {why}"));
    let captured: Captured = serde_json::from_str(&json::dump_json(dict)?).map_err(|error| not(error.to_string()))?;
    let known = serde_json::to_value(&captured).map_err(|error| not(error.to_string()))?;
    for key in dict.keys() {
        let key = key.str()?.to_string();
        if known.get(&key).is_none() {
            let known: Vec<&str> =
                known.as_object().into_iter().flat_map(|fields| fields.keys().map(String::as_str)).collect();
            return Err(not(format!("unknown key `{key}`; its keys are {}", known.join(", "))));
        }
    }
    Ok(captured)
}

/// Captures bytes under the limits of `picardc run`: larger contents are not kept, and thus not scored.
fn capture_bytes(bytes: Vec<u8>, left: &mut u64) -> Captured {
    let size = bytes.len() as u64;
    if size > FILE_LIMIT.min(*left) {
        return Captured::TooLarge { size };
    }
    *left -= size;
    Captured::from_bytes(bytes)
}

fn extract_bytes(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text::decode_text(text)?.0.into_bytes()));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Some(bytes.to_vec()));
    }
    Ok(None)
}
