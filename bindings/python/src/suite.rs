//! `compile`, `check`, and `Suite`.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use analysis::{Analysis, FEWEST, RunOptions, Times};
use api::Options;
use pyo3::exceptions::{PyKeyboardInterrupt, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyMapping, PyString};

use crate::errors::{build_api_error, build_type_error};
use crate::instances::{Instances, parse_count};
use crate::json;
use crate::loaded::{Loaded, SuiteAddress, check_suite, parse_stage_mode};
use crate::select::Axes;

/// The maximum number of threads of an analysis.
const MAX_THREADS: u32 = 1024;

#[doc = documented!(Suite)]
#[pyclass(frozen, module = "picardc")]
pub struct Suite(pub Arc<Loaded>);

#[doc = documented!(compile)]
#[pyfunction]
#[pyo3(signature = (path, *, stages = "whole", sha256 = None))]
pub fn compile(py: Python<'_>, path: std::path::PathBuf, stages: &str, sha256: Option<&str>) -> PyResult<Suite> {
    let loaded = Loaded::compile_suite(py, decode_path(&path)?, parse_stage_mode(stages)?)?;
    if let Some(sha256) = sha256 {
        loaded.check_digest(sha256)?;
    }
    Ok(Suite(Arc::new(loaded)))
}

#[doc = documented!(check)]
#[pyfunction]
pub fn check(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Py<PyAny>> {
    let path = decode_path(&path)?;
    let suite = check_suite(py, path)?;
    json::to_python(py, &suite.locate_diagnostics().collect::<Vec<_>>())
}

fn decode_path(path: &std::path::Path) -> PyResult<&str> {
    path.to_str().ok_or_else(|| PyUnicodeError::new_err(format!("the path {} is not Unicode", path.display())))
}

/// Parses a seed, a number or a text: `7` is the same as "7".
fn parse_seed(seed: &Bound<'_, PyAny>) -> PyResult<String> {
    let is_number = seed.is_instance_of::<PyInt>() && !seed.is_instance_of::<PyBool>();
    if !is_number && !seed.is_instance_of::<PyString>() {
        return Err(build_type_error("a seed is an int or a str", seed));
    }
    let text = seed.str()?.to_str()?.to_owned();
    if text.is_empty() { Err(PyValueError::new_err("a seed must not be empty")) } else { Ok(text) }
}

/// Parses a number in a range; `advice` continues "give a number".
fn parse_allowed(value: &Bound<'_, PyAny>, what: &str, range: RangeInclusive<u32>, advice: &str) -> PyResult<u32> {
    let number = parse_count(value)?.filter(|number| range.contains(number));
    number.ok_or_else(|| PyValueError::new_err(format!("{what} is {value}; give a number {advice}")))
}

/// Parses a number of samples.
fn parse_samples(samples: &Bound<'_, PyAny>) -> PyResult<u32> {
    parse_allowed(samples, "samples", 1..=u32::MAX, &format!("from 1 to {}", u32::MAX))
}

/// Parses a number of samples for an analysis.
fn parse_analysis_samples(samples: &Bound<'_, PyAny>) -> PyResult<u32> {
    let advice = format!("to {}: fewer than {FEWEST} tell nothing", u32::MAX);
    parse_allowed(samples, "samples", FEWEST..=u32::MAX, &advice)
}

/// Parses a number of threads; 0 is the number of cores.
fn parse_threads(threads: &Bound<'_, PyAny>) -> PyResult<usize> {
    let advice = format!("from 1 to {MAX_THREADS}, or 0 for that of the cores");
    Ok(parse_allowed(threads, "threads", 0..=MAX_THREADS, &advice)? as usize)
}

/// Parses the wanted values of axes to texts: one value, or a list of values for each.
fn parse_axes(given: Option<&Bound<'_, PyAny>>) -> PyResult<Axes> {
    let mut axes = Axes::new();
    let one = |value: &Bound<'_, PyAny>| -> PyResult<String> {
        // Booleans are written as in the language.
        if let Ok(truth) = value.cast::<PyBool>() {
            return Ok(truth.is_true().to_string());
        }
        Ok(value.str()?.to_str()?.to_owned())
    };
    let Some(given) = given else { return Ok(axes) };
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Err(build_type_error("axes is a mapping from names to values", given));
    };
    for pair in mapping.items()?.iter() {
        let (name, wanted): (String, Bound<'_, PyAny>) = pair.extract()?;
        let wanted = match wanted.try_iter() {
            Ok(several) if !wanted.is_instance_of::<PyString>() => {
                several.map(|value| one(&value?)).collect::<PyResult<Vec<_>>>()?
            }
            _ => vec![one(&wanted)?],
        };
        axes.insert(name, wanted);
    }
    Ok(axes)
}

fn parse_options(
    seed_: &Bound<'_, PyAny>,
    samples: Option<&Bound<'_, PyAny>>,
    task: Option<String>,
    sandbox_root: Option<String>,
    traps: bool,
) -> PyResult<Options> {
    let samples = samples.map(self::parse_samples).transpose()?;
    if sandbox_root.as_deref() == Some("") {
        return Err(PyValueError::new_err("sandbox_root is empty; give a folder such as \"/work\", or leave it out"));
    }
    let options = Options::new(parse_seed(seed_)?);
    Ok(Options { samples, task, traps, sandbox_root: sandbox_root.unwrap_or(options.sandbox_root), seed: options.seed })
}

#[pymethods]
impl Suite {
    #[doc = documented!(Suite.name)]
    #[getter]
    fn name(&self) -> &str {
        self.0.suite.name()
    }

    #[doc = documented!(Suite.title)]
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.suite.plan().map(|plan| plan.suite.title.as_str())
    }

    #[doc = documented!(Suite.version)]
    #[getter]
    fn version(&self) -> Option<&str> {
        self.0.suite.plan().map(|plan| plan.suite.version.as_str())
    }

    #[doc = documented!(Suite.canary)]
    #[getter]
    fn canary(&self) -> Option<&str> {
        self.0.suite.plan().and_then(|plan| plan.suite.canary.as_deref())
    }

    #[doc = documented!(Suite.path)]
    #[getter]
    fn path(&self) -> &str {
        &self.0.path
    }

    #[doc = documented!(Suite.stages)]
    #[getter]
    fn stages(&self) -> &'static str {
        self.0.stages.word()
    }

    #[doc = documented!(Suite.source_sha256)]
    #[getter]
    fn source_sha256(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.suite.compute_source_sha256())
    }

    #[doc = documented!(Suite.sha256)]
    #[getter]
    fn sha256(&self) -> &str {
        &self.0.sha256
    }

    #[doc = documented!(Suite.tasks)]
    #[getter]
    fn tasks(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let tasks = self.0.suite.tasks().iter().map(|task| {
            let axes: serde_json::Map<String, serde_json::Value> = task
                .axes
                .iter()
                .map(|axis| (axis.name.clone(), axis.cells.iter().map(|(label, _)| label.as_str()).collect()))
                .collect();
            let variants: Vec<&str> = task.variants.iter().map(|variant| variant.name.as_str()).collect();
            serde_json::json!({ "name": task.name, "samples": task.samples, "variants": variants, "axes": axes })
        });
        json::to_python(py, &tasks.collect::<Vec<_>>())
    }

    #[doc = documented!(Suite.diagnostics)]
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.0.suite.locate_diagnostics().collect::<Vec<_>>())
    }

    #[doc = documented!(Suite.identity)]
    #[pyo3(signature = (seed, *, samples = None, task = None, sandbox_root = None, traps = true))]
    fn identity(
        &self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        samples: Option<&Bound<'_, PyAny>>,
        task: Option<String>,
        sandbox_root: Option<String>,
        traps: bool,
    ) -> PyResult<String> {
        let options = parse_options(seed, samples, task, sandbox_root, traps)?;
        Ok(py.detach(|| self.0.suite.compute_identity(&options)))
    }

    #[doc = documented!(Suite.instances)]
    #[pyo3(signature = (seed, *, samples = None, task = None, axes = None, sandbox_root = None, traps = true))]
    #[expect(clippy::too_many_arguments, reason = "arguments of Python, by name")]
    fn instances(
        &self,
        py: Python<'_>,
        seed: &Bound<'_, PyAny>,
        samples: Option<&Bound<'_, PyAny>>,
        task: Option<String>,
        axes: Option<&Bound<'_, PyAny>>,
        sandbox_root: Option<String>,
        traps: bool,
    ) -> PyResult<Instances> {
        let options = parse_options(seed, samples, task, sandbox_root, traps)?;
        Instances::from_axes(self.0.prepare_instances(py, options)?, self::parse_axes(axes)?)
    }

    #[doc = documented!(Suite.analyze)]
    #[pyo3(signature = (seed = None, *, samples = 1000, task = None, threads = 0))]
    fn analyze(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = parse_analysis_samples)] samples: u32,
        task: Option<String>,
        #[pyo3(from_py_with = parse_threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let seed = seed.map_or_else(|| Ok("1".to_owned()), self::parse_seed)?;
        let options = Options { samples: Some(samples), task, ..Options::new(seed.as_str()) };
        let suite = &self.0.suite;
        // Python handles Ctrl-C only in its main thread, which may be this one; the other threads check whether it was pressed.
        let (interrupted, this) = (AtomicBool::new(false), std::thread::current().id());
        let stop = || {
            if std::thread::current().id() == this && Python::attach(|py| py.check_signals().is_err()) {
                interrupted.store(true, Ordering::Relaxed);
            }
            interrupted.load(Ordering::Relaxed)
        };
        let document = py.detach(|| {
            let instances = suite.select_instances(options)?;
            let effort = RunOptions { threads, stop: Some(&stop), ..RunOptions::ALONE };
            let analysis = Analysis::from_generator(instances.generator(), effort)?;
            Ok(analysis.build_document(suite.name(), &seed, samples, Times::Omitted))
        });
        if interrupted.into_inner() {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        json::to_python(py, &document.map_err(|error| build_api_error(py, error, suite))?)
    }

    fn __repr__(&self) -> String {
        format!("<picardc.Suite {} of {}>", self.0.suite.name(), self.0.path)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (SuiteAddress,))> {
        Ok((py.import("picardc._picardc")?.getattr("_restored_suite")?, (self.0.to_address(),)))
    }
}

/// The suite of a pickle.
#[pyfunction]
#[pyo3(name = "_restored_suite")]
pub fn restored_suite(py: Python<'_>, suite: SuiteAddress) -> PyResult<Suite> {
    Ok(Suite(Loaded::from_address(py, &suite)?))
}
