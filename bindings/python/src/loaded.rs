//! Suites and their instances, as all objects of Python that name the same ones share them.
//!
//! A pickle has an address: the path of the suite, the digest of all that it was compiled from and hands out, the options, and which instances. Who reads it compiles the suite
//! again, once a process, and is refused if the digest is another one.

use std::sync::{Arc, Mutex, PoisonError};

use api::{Options, OwnedInstances, Suite};
use host::Disk;
use model::suite::StageMode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{StaleError, build_api_error, build_compile_error, build_failure_error, build_read_error};
use crate::instance::Instance;
use crate::instances::{Instances, View};
use crate::select::Axes;

/// How many suites a process keeps for pickles to come, and how many sets of options a suite keeps instances ready for.
const MAX_KEPT: usize = 8;

/// The suites that pickles named, the latest last.
static RESTORED: Mutex<Vec<Arc<Loaded>>> = Mutex::new(Vec::new());

/// A compiled suite.
pub struct Loaded {
    /// The suite.
    pub suite: Arc<Suite>,
    /// Its path, absolute.
    pub path: String,
    /// How its stages are asked.
    pub stages: StageMode,
    /// The digest of all that it was compiled from, and of what its lakes hand out.
    pub sha256: String,
    /// The same as earlier versions of picardc computed it: their pickles, logs, and traces name it.
    named_sha256: String,
    ready: Mutex<Vec<Arc<BoundInstances>>>,
}

/// The instances of a suite under some options, ready to be made.
pub struct BoundInstances {
    /// What they are of.
    pub loaded: Arc<Loaded>,
    /// The options.
    pub options: Options,
    /// The instances.
    pub owned: OwnedInstances,
}

/// What a pickle has of a suite: path, digest, how stages are asked.
pub type SuiteAddress = (String, String, String);

/// What a pickle has of options: seed, samples, task, root of the sandbox, traps.
pub type OptionsAddress = (String, Option<u32>, Option<String>, String, bool);

impl Loaded {
    /// Compiles the suite at `path`, whose errors are an exception.
    pub fn compile_suite(py: Python<'_>, path: &str, stages: StageMode) -> PyResult<Loaded> {
        let (suite, absolute) = read_suite(py, path)?;
        if suite.plan().is_none() {
            return Err(build_compile_error(py, path, &suite));
        }
        if !stages.is_whole() && suite.tasks().iter().all(|task| task.stages.is_empty()) {
            let message = format!("no task of the suite has a stage, so stages=\"{}\" asks nothing", stages.word());
            return Err(PyValueError::new_err(message));
        }
        let known =
            py.detach(|| host::add_lake_digests(suite, path)).map_err(|failure| build_failure_error(&failure))?;
        let (suite, sha256, named_sha256) = py.detach(|| {
            let (sha256, named_sha256) = (known.compute_sha256(), known.compute_named_sha256());
            (Arc::new(known.with_stages(stages)), sha256, named_sha256)
        });
        Ok(Loaded { suite, path: absolute, stages, sha256, named_sha256, ready: Mutex::default() })
    }

    /// The suite that a pickle names.
    pub fn from_address(py: Python<'_>, (path, sha256, stages): &SuiteAddress) -> PyResult<Arc<Loaded>> {
        let stages = parse_stage_mode(stages)?;
        let is_it = |known: &&Arc<Loaded>| known.path == *path && known.has_digest(sha256) && known.stages == stages;
        if let Some(known) = lock_kept(&RESTORED).iter().find(is_it) {
            return Ok(Arc::clone(known));
        }
        let loaded = Arc::new(Loaded::compile_suite(py, path, stages)?);
        loaded.check_digest(sha256)?;
        keep_recent(&RESTORED, &loaded);
        Ok(loaded)
    }

    /// Whether this is its digest.
    fn has_digest(&self, sha256: &str) -> bool {
        self.sha256 == sha256 || self.named_sha256 == sha256
    }

    /// Refuses another suite than the one with this digest.
    pub fn check_digest(&self, sha256: &str) -> PyResult<()> {
        if self.has_digest(sha256) {
            return Ok(());
        }
        let short = |digest: &str| digest.get(..12).unwrap_or(digest).to_owned();
        Err(StaleError::new_err(format!(
            "{} was edited: its digest is {}, but {} is asked for. Compile it and make the instances again",
            self.path,
            short(&self.sha256),
            short(sha256)
        )))
    }

    /// What a pickle has of it.
    pub fn to_address(&self) -> SuiteAddress {
        (self.path.clone(), self.sha256.clone(), self.stages.word().to_owned())
    }

    /// Its instances under these options.
    pub fn prepare_instances(self: &Arc<Self>, py: Python<'_>, options: Options) -> PyResult<Arc<BoundInstances>> {
        if let Some(known) = lock_kept(&self.ready).iter().find(|known| known.options == options) {
            // It refers to an equal suite, of which it may be another copy: what is kept must not refer to what keeps it.
            return Ok(Arc::clone(known));
        }
        let made = py.detach(|| {
            let read = host::build_reader(&self.suite, &self.path)?;
            OwnedInstances::new(Arc::clone(&self.suite), options.clone(), read)
        });
        let owned = made.map_err(|error| build_api_error(py, error, &self.suite))?;
        let loaded = Loaded {
            suite: Arc::clone(&self.suite),
            path: self.path.clone(),
            stages: self.stages,
            sha256: self.sha256.clone(),
            named_sha256: self.named_sha256.clone(),
            ready: Mutex::default(),
        };
        let ready = Arc::new(BoundInstances { loaded: Arc::new(loaded), options, owned });
        keep_recent(&self.ready, &ready);
        Ok(ready)
    }
}

impl BoundInstances {
    /// Whether both make the same instances.
    pub fn is_same(&self, other: &BoundInstances) -> bool {
        let (ours, theirs) = (&self.loaded, &other.loaded);
        ours.sha256 == theirs.sha256 && ours.stages == theirs.stages && self.options == other.options
    }

    /// What a pickle has of the options.
    pub fn to_address(&self) -> OptionsAddress {
        let Options { seed, samples, task, sandbox_root, traps } = self.options.clone();
        (seed, samples, task, sandbox_root, traps)
    }
}

fn lock_kept<T>(all: &Mutex<Vec<T>>) -> std::sync::MutexGuard<'_, Vec<T>> {
    // What another thread left is whole: a value is put in at once.
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_recent<T>(all: &Mutex<Vec<Arc<T>>>, one: &Arc<T>) {
    let mut all = lock_kept(all);
    if all.len() >= MAX_KEPT {
        all.remove(0);
    }
    all.push(Arc::clone(one));
}

/// The suite at `path` as it is found, and its absolute path.
pub fn read_suite(py: Python<'_>, path: &str) -> PyResult<(Suite, String)> {
    // A byte tells whether it can be read: a folder opens, and fails only when read.
    use std::io::Read as _;
    std::fs::File::open(path)
        .and_then(|mut file| file.read(&mut [0]))
        .map_err(|error| build_read_error(py, path, &error))?;
    let absolute = std::path::absolute(path)?.to_string_lossy().into_owned();
    Ok((py.detach(|| Suite::compile(path, &Disk::new(path))), absolute))
}

/// The way to ask stages that a word names.
pub fn parse_stage_mode(word: &str) -> PyResult<StageMode> {
    let known = StageMode::ALL.into_iter().find(|mode| mode.word() == word);
    known.ok_or_else(|| {
        let words: Vec<&str> = StageMode::ALL.iter().map(|mode| mode.word()).collect();
        PyValueError::new_err(format!("stages=\"{word}\" is unknown; the words are {}", words.join(", ")))
    })
}

/// The options of a pickle.
fn to_options((seed, samples, task, sandbox_root, traps): OptionsAddress) -> Options {
    Options { seed, samples, task, sandbox_root, traps }
}

/// The suite of a pickle.
#[pyfunction]
#[pyo3(name = "_restored_suite")]
pub fn restored_suite(py: Python<'_>, suite: SuiteAddress) -> PyResult<crate::suite::Suite> {
    Ok(crate::suite::Suite(Loaded::from_address(py, &suite)?))
}

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
    let ready = Loaded::from_address(py, &suite)?.prepare_instances(py, to_options(of))?;
    Ok(Instances { view: View::from_pickle(view), ..Instances::from_axes(ready, axes)? })
}

/// The instance of a pickle, made again.
#[pyfunction]
#[pyo3(name = "_restored_instance")]
pub fn restored_instance(py: Python<'_>, suite: SuiteAddress, of: OptionsAddress, index: u64) -> PyResult<Instance> {
    let ready = Loaded::from_address(py, &suite)?.prepare_instances(py, to_options(of))?;
    Instance::from_index(py, &ready, index)
}
