//! `Instances`: a sequence that keeps none of its elements. An index always returns the same instance.

use std::sync::Arc;

use api::Shard;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySlice};

use crate::errors::build_type_error;
use crate::instance::Instance;
use crate::loaded::{BoundInstances, OptionsAddress, SuiteAddress};
use crate::select::{self, Axes, Run};
use crate::suite::Suite;

#[doc = documented!(Instances)]
#[pyclass(frozen, sequence, module = "picardc")]
pub struct Instances {
    /// The instances of the whole suite.
    pub ready: Arc<BoundInstances>,
    /// The wanted values of axes.
    pub axes: Axes,
    /// The selected ranges of the suite.
    pub runs: Arc<Vec<Run>>,
    /// The number of selected instances.
    pub selected: u64,
    /// The part of the selection.
    pub view: View,
}

/// Some positions in a selection: the first, the step to the next, and the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub start: u64,
    pub step: i64,
    pub len: u64,
}

impl View {
    /// Returns the position in the selection of element `at`, which must be below `len`.
    fn find_place(self, at: u64) -> u64 {
        let away = (at as i128) * i128::from(self.step);
        (i128::from(self.start) + away) as u64
    }

    /// Returns the element at a position of the selection, if it is in the view.
    fn find_position(self, place: u64) -> Option<u64> {
        let away = i128::from(place) - i128::from(self.start);
        let step = i128::from(self.step);
        let at = u64::try_from(away.checked_div(step)?).ok()?;
        (away % step == 0 && at < self.len).then_some(at)
    }

    /// Selects `len` elements of the view, from element `start`.
    fn select_part(self, start: u64, step: i64, len: u64) -> View {
        let first = if len == 0 { self.start } else { self.find_place(start) };
        View { start: first, step: self.step.saturating_mul(step), len }
    }
}

impl Instances {
    /// Selects all instances that have these values of axes.
    pub fn from_axes(ready: Arc<BoundInstances>, axes: Axes) -> PyResult<Instances> {
        let (runs, len) = ready.owned.with_instances(|instances| select::find_runs(instances, &axes))?;
        Ok(Instances { ready, axes, runs: Arc::new(runs), selected: len, view: View { start: 0, step: 1, len } })
    }

    fn with_view(&self, view: View) -> Instances {
        let (ready, runs) = (Arc::clone(&self.ready), Arc::clone(&self.runs));
        Instances { ready, axes: self.axes.clone(), runs, selected: self.selected, view }
    }

    /// Returns the index in the suite of element `at`.
    fn find_whole_index(&self, at: u64) -> u64 {
        select::find_index(&self.runs, self.view.find_place(at))
    }

    /// Returns the position of a value among the elements, from 0.
    fn find_value(&self, value: &Bound<'_, PyAny>) -> Option<u64> {
        let instance = value.cast::<Instance>().ok()?.get();
        let place = || select::find_place(&self.runs, self.selected, instance.index);
        self.ready.is_same(&instance.ready).then(place).flatten().and_then(|place| self.view.find_position(place))
    }

    /// Computes the identity of these instances from `whole`, the identity of all instances.
    fn compute_identity(&self, whole: String) -> String {
        if self.is_whole() {
            return whole;
        }
        let View { start, step, len } = self.view;
        let selection = serde_json::json!({ "of": whole, "axes": self.axes, "start": start, "step": step, "len": len });
        api::hash_sha256(selection.to_string().as_bytes())
    }

    fn is_whole(&self) -> bool {
        let View { start, step, len } = self.view;
        self.axes.is_empty()
            && (start, step) == (0, 1)
            && len == self.ready.owned.with_instances(|instances| instances.count())
    }
}

#[pymethods]
impl Instances {
    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.view.len).map_err(|_| PyValueError::new_err("there are more instances than len() can say"))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let of = slice.indices(isize::try_from(self.view.len).unwrap_or(isize::MAX))?;
            let view = self.view.select_part(of.start.max(0) as u64, of.step as i64, of.slicelength as u64);
            return Ok(Bound::new(py, self.with_view(view))?.into_any());
        }
        let Ok(at) = index.extract::<i64>() else {
            if index.is_instance_of::<PyInt>() {
                let len = self.view.len;
                return Err(PyIndexError::new_err(format!("instance {index} does not exist: there are {len}")));
            }
            return Err(build_type_error("an index of instances is a whole number or a slice", index));
        };
        let len = self.view.len;
        let from_start = if at < 0 { len.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) };
        let Some(at) = from_start.filter(|at| *at < len) else {
            return Err(PyIndexError::new_err(format!("instance {at} does not exist: there are {len}")));
        };
        Ok(Bound::new(py, Instance::from_index(py, &self.ready, self.find_whole_index(at))?)?.into_any())
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        self.find_value(value).is_some()
    }

    #[doc = documented!(Instances.count)]
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        usize::from(self.find_value(value).is_some())
    }

    #[doc = documented!(Instances.index)]
    #[pyo3(signature = (value, start = 0, stop = None))]
    fn index(
        &self,
        value: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = parse_clamped)] start: i64,
        #[pyo3(from_py_with = parse_optional_clamped)] stop: Option<i64>,
    ) -> PyResult<u64> {
        let len = self.view.len;
        let bound =
            |bound: i64| if bound < 0 { len.saturating_sub(bound.unsigned_abs()) } else { bound.unsigned_abs() };
        let range = bound(start)..stop.map_or(len, bound);
        let found = self.find_value(value).filter(|at| range.contains(at));
        found.ok_or_else(|| {
            PyValueError::new_err(format!(
                "{} is not one of these instances",
                value.repr().map_or_else(|_| "it".to_owned(), |text| text.to_string())
            ))
        })
    }

    fn __iter__(&self) -> Iterator {
        Iterator { of: self.with_view(self.view), next: 0 }
    }

    #[doc = documented!(Instances.shard)]
    fn shard(&self, index: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>) -> PyResult<Instances> {
        let (index, of) = match (parse_count(index)?, parse_count(of)?) {
            (Some(part), Some(parts)) if part < parts => (part, parts),
            _ => {
                let message =
                    format!("shard({index}, {of}) does not exist: the first number counts from 0 to below the second");
                return Err(PyValueError::new_err(message));
            }
        };
        let range = Shard { index: index + 1, of }.compute_range(self.view.len);
        Ok(self.with_view(self.view.select_part(range.start, 1, range.end - range.start)))
    }

    #[doc = documented!(Instances.suite)]
    #[getter]
    fn suite(&self) -> Suite {
        Suite(Arc::clone(&self.ready.loaded))
    }

    #[doc = documented!(Instances.seed)]
    #[getter]
    fn seed(&self) -> &str {
        &self.ready.options.seed
    }

    #[doc = documented!(Instances.axes)]
    #[getter]
    fn axes(&self) -> Axes {
        self.axes.clone()
    }

    #[doc = documented!(Instances.identity)]
    #[getter]
    fn identity(&self, py: Python<'_>) -> String {
        self.compute_identity(py.detach(|| self.ready.loaded.suite.compute_identity(&self.ready.options)))
    }

    /// Whether this is their identity, as it is computed now or as earlier versions of picardc computed it: their logs name it.
    fn _has_identity(&self, py: Python<'_>, identity: &str) -> bool {
        let named =
            || self.compute_identity(py.detach(|| self.ready.loaded.suite.compute_named_identity(&self.ready.options)));
        self.identity(py) == identity || named() == identity
    }

    #[doc = documented!(Instances.indexes)]
    fn indexes(&self) -> Vec<u64> {
        (0..self.view.len).map(|at| self.find_whole_index(at)).collect()
    }

    fn __repr__(&self) -> String {
        let name = self.ready.loaded.suite.name();
        format!("<picardc.Instances: {} of {name}, seed {:?}>", self.view.len, self.ready.options.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, InstancesAddress)> {
        let View { start, step, len } = self.view;
        let address = (self.ready.loaded.to_address(), self.ready.to_address(), self.axes.clone(), (start, step, len));
        Ok((py.import("picardc._picardc")?.getattr("_restored_instances")?, address))
    }
}

/// The address of `Instances` in a pickle: the suite, its options, the values of axes, and the range of positions (start, step, length).
type InstancesAddress = (SuiteAddress, OptionsAddress, Axes, (u64, i64, u64));

/// The instances of a pickle.
#[pyfunction]
#[pyo3(name = "_restored_instances")]
pub fn restored_instances(
    py: Python<'_>,
    suite: SuiteAddress,
    of: OptionsAddress,
    axes: Axes,
    view: (u64, i64, u64),
) -> PyResult<Instances> {
    let (start, step, len) = view;
    let ready = BoundInstances::from_address(py, &suite, of)?;
    Ok(Instances { view: View { start, step, len }, ..Instances::from_axes(ready, axes)? })
}

/// Goes through `Instances` once.
#[pyclass(module = "picardc", name = "InstanceIterator")]
pub struct Iterator {
    of: Instances,
    next: u64,
}

#[pymethods]
impl Iterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Instance>> {
        if self.next >= self.of.view.len {
            return Ok(None);
        }
        let index = self.of.find_whole_index(self.next);
        // The iteration continues after an instance that cannot be made.
        self.next += 1;
        Instance::from_index(py, &self.of.ready, index).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        usize::try_from(self.of.view.len - self.next).unwrap_or(usize::MAX)
    }
}

/// Parses a number that fits into a `u32`; `None` for other numbers.
///
/// # Errors
/// If it is not a whole number.
pub fn parse_count(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    match value.extract::<i64>() {
        Ok(number) => Ok(u32::try_from(number).ok()),
        Err(_) if value.is_instance_of::<PyInt>() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Parses a bound of `index`. A number that is too large becomes the largest number with its sign.
fn parse_clamped(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    match value.extract::<i64>() {
        Err(_) if value.is_instance_of::<PyInt>() => Ok(if value.lt(0)? { i64::MIN } else { i64::MAX }),
        number => Ok(number?),
    }
}

fn parse_optional_clamped(value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if value.is_none() { Ok(None) } else { parse_clamped(value).map(Some) }
}
