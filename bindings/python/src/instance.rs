//! `Instance`: the input of an agent, and its answer key, which is read only when needed.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, OnceLock};

use api::FileBytes;
use model::Value;
use model::tools::Tool;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyBytes, PyDict, PyList};
use runtime::generate::Instance as Made;

use crate::errors::{Error, build_api_error};
use crate::json;
use crate::loaded::{BoundInstances, OptionsAddress, SuiteAddress};
use crate::scoring::{self, Score};

#[doc = documented!(Instance)]
#[pyclass(frozen, module = "picardc")]
pub struct Instance {
    /// The instances from which it was made.
    pub ready: Arc<BoundInstances>,
    made: Made,
    /// The index in the suite.
    pub index: u64,
    key: OnceLock<api::Instance>,
}

impl Instance {
    /// Makes the instance at an index of the suite.
    pub fn from_index(py: Python<'_>, ready: &Arc<BoundInstances>, index: u64) -> PyResult<Instance> {
        let made = ready.run_detached(py, |instances| {
            let none = api::Error::NoInstance { index, count: instances.count() };
            let generator = instances.generator();
            Ok(generator.generate_instance(generator.resolve_address(index).ok_or(none)?)?)
        })?;
        Ok(Instance { ready: Arc::clone(ready), made, index, key: OnceLock::new() })
    }

    /// Returns the instance with its answer key, which is read at the first call.
    pub fn ensure_key(&self, py: Python<'_>) -> PyResult<&api::Instance> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let key = self.ready.run_detached(py, |instances| instances.with_key(self.made.clone()))?;
        Ok(self.key.get_or_init(|| key))
    }

    /// Whether both are the same instance of the same suite with the same options.
    pub fn is_same(&self, other: &Instance) -> bool {
        self.index == other.index && self.ready.is_same(&other.ready)
    }

    fn render_line(&self, py: Python<'_>) -> PyResult<String> {
        self.ready.run_detached(py, |instances| instances.render_inline(&self.made))
    }

    /// Returns the paths and bytes of all files of its sandbox at the start.
    pub fn collect_start_files(&self, py: Python<'_>) -> PyResult<Vec<(String, FileBytes)>> {
        self.ready.run_detached(py, |instances| instances.collect_files(&self.made))
    }
}

fn build_dict<'a>(py: Python<'_>, values: impl IntoIterator<Item = (&'a String, &'a Value)>) -> PyResult<Py<PyAny>> {
    let dict = PyDict::new(py);
    for (name, value) in values {
        dict.set_item(name, json::to_python(py, &value.to_key_json())?)?;
    }
    Ok(dict.into_any().unbind())
}

#[pymethods]
impl Instance {
    #[doc = documented!(Instance.id)]
    #[getter]
    fn id(&self) -> &str {
        &self.made.id
    }

    #[doc = documented!(Instance.index)]
    #[getter]
    fn index(&self) -> u64 {
        self.index
    }

    #[doc = documented!(Instance.task)]
    #[getter]
    fn task(&self) -> &str {
        &self.made.task
    }

    #[doc = documented!(Instance.variant)]
    #[getter]
    fn variant(&self) -> Option<&str> {
        self.made.variant.as_deref()
    }

    #[doc = documented!(Instance.stage)]
    #[getter]
    fn stage(&self) -> Option<&str> {
        self.made.stage.as_ref().map(|stage| stage.name.as_str())
    }

    #[doc = documented!(Instance.sample)]
    #[getter]
    fn sample(&self) -> u32 {
        self.made.sample
    }

    #[doc = documented!(Instance.seed)]
    #[getter]
    fn seed(&self) -> &str {
        &self.ready.options.seed
    }

    #[doc = documented!(Instance.prompt)]
    #[getter]
    fn prompt(&self) -> &str {
        &self.made.prompt
    }

    #[doc = documented!(Instance.target)]
    #[getter]
    fn target(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.ensure_key(py)?.target().to_vec())
    }

    #[doc = documented!(Instance.axis)]
    #[getter]
    fn axis(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        build_dict(py, self.made.axis.iter().map(|(name, _, value)| (name, value)))
    }

    #[doc = documented!(Instance.draws)]
    #[getter]
    fn draws(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        build_dict(py, self.made.draws.iter().map(|(name, value)| (name, value)))
    }

    #[doc = documented!(Instance.tags)]
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.made.tags.clone()
    }

    #[doc = documented!(Instance.tools)]
    #[getter]
    fn tools(&self) -> Option<Vec<&'static str>> {
        self.made.tools.as_ref().map(|tools| tools.iter().map(|tool: &Tool| tool.word()).collect())
    }

    #[doc = documented!(Instance.calls)]
    #[getter]
    fn calls(&self) -> Option<u32> {
        self.made.calls
    }

    #[doc = documented!(Instance.files)]
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = self.collect_start_files(py)?;
        files.iter().map(|(path, bytes)| (path, PyBytes::new(py, bytes))).into_py_dict(py)
    }

    #[doc = documented!(Instance.folders)]
    #[getter]
    fn folders(&self) -> Vec<String> {
        self.made.folders.clone()
    }

    #[doc = documented!(Instance.key_paths)]
    #[getter]
    fn key_paths(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.ensure_key(py)?.key().list_key_paths())
    }

    #[doc = documented!(Instance.identity)]
    #[getter]
    fn identity(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let suite = self.ready.loaded.suite.compute_identity(&self.ready.options);
            api::hash_sha256(format!("{suite} {}", self.index).as_bytes())
        })
    }

    #[doc = documented!(Instance.to_dict)]
    fn to_dict(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::load_json(py, self.render_line(py)?.as_bytes())
    }

    #[doc = documented!(Instance.to_json)]
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let mut line = self.render_line(py)?;
        line.truncate(line.trim_end().len());
        Ok(line)
    }

    #[doc = documented!(Instance.score)]
    #[pyo3(signature = (reply, files = None, *, status = "done"))]
    fn score(
        &self,
        py: Python<'_>,
        reply: &Bound<'_, PyAny>,
        files: Option<&Bound<'_, PyAny>>,
        status: &str,
    ) -> PyResult<Score> {
        let instance = self.ensure_key(py)?;
        let response = scoring::build_response(instance.key(), reply, files, status)?;
        let score = py.detach(|| instance.try_score(&response));
        score.map(Score).map_err(|error| build_api_error(py, error, &self.ready.loaded.suite))
    }

    #[doc = documented!(Instance.oracle)]
    fn oracle(&self, py: Python<'_>) -> PyResult<Solution> {
        let instance = self.ensure_key(py)?;
        let solved = py.detach(|| {
            let solution = instance.build_oracle_solution()?;
            let left = solution.to_response(instance.key(), instance).files;
            Ok(Solution { solution, left })
        });
        solved.map_err(|why: String| Error::new_err(why))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Instance>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.ready.loaded.sha256, self.ready.loaded.stages.word(), self.ready.to_address(), self.index)
            .hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<picardc.Instance {}, seed {:?}>", self.made.id, self.ready.options.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (SuiteAddress, OptionsAddress, u64))> {
        let address = (self.ready.loaded.to_address(), self.ready.to_address(), self.index);
        Ok((py.import("picardc._picardc")?.getattr("_restored_instance")?, address))
    }
}

/// The instance of a pickle, made again.
#[pyfunction]
#[pyo3(name = "_restored_instance")]
pub fn restored_instance(py: Python<'_>, suite: SuiteAddress, of: OptionsAddress, index: u64) -> PyResult<Instance> {
    let ready = BoundInstances::from_address(py, &suite, of)?;
    Instance::from_index(py, &ready, index)
}

#[doc = documented!(Solution)]
#[pyclass(frozen, module = "picardc")]
pub struct Solution {
    solution: api::Solution,
    left: Vec<(String, api::Captured)>,
}

#[pymethods]
impl Solution {
    #[doc = documented!(Solution.reply)]
    #[getter]
    fn reply(&self) -> &str {
        &self.solution.reply
    }

    #[doc = documented!(Solution.files)]
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.solution.files.iter().map(|(path, bytes)| (path, PyBytes::new(py, bytes))).into_py_dict(py)
    }

    #[doc = documented!(Solution.folders)]
    #[getter]
    fn folders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.solution.folders)
    }

    #[doc = documented!(Solution.removed)]
    #[getter]
    fn removed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.solution.removed)
    }

    #[doc = documented!(Solution.left)]
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (path, found) in &self.left {
            dict.set_item(path, json::to_python(py, found)?)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<picardc.Solution: reply {:?}, {} files>", self.solution.reply, self.solution.files.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SolutionParts)> {
        let api::Solution { reply, files, folders, removed } = self.solution.clone();
        let left = serde_json::to_string(&self.left).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let files = files.into_iter().map(|(path, bytes)| (path, PyBytes::new(py, &bytes).unbind())).collect();
        let restored = py.import("picardc._picardc")?.getattr("_restored_solution")?;
        Ok((restored, (reply, files, folders, removed, left)))
    }
}

/// The parts of a `Solution` in a pickle: reply, files, folders, removed paths, and the rest as JSON.
type SolutionParts = (String, Vec<(String, Py<PyBytes>)>, Vec<String>, Vec<String>, String);

/// The solution of a pickle.
#[pyfunction]
#[pyo3(name = "_restored_solution")]
pub fn restored_solution(
    reply: String,
    files: Vec<(String, Bound<'_, PyBytes>)>,
    folders: Vec<String>,
    removed: Vec<String>,
    left: &str,
) -> PyResult<Solution> {
    let left = serde_json::from_str(left)
        .map_err(|error| PyValueError::new_err(format!("the pickle does not have a solution: {error}")))?;
    let files = files.into_iter().map(|(path, bytes)| (path, bytes.as_bytes().to_vec())).collect();
    Ok(Solution { solution: api::Solution { reply, files, folders, removed }, left })
}
