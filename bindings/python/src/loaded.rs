//! Suites and instances, shared by all Python objects that refer to the same ones.
//!
//! A pickle contains an address: the path of the suite, the digest of all files from which it was compiled and of its lakes, the options, and the positions of
//! the instances. A process that reads pickles compiles the suite again, once, and rejects it if the digest differs.

use std::sync::{Arc, Mutex, PoisonError};

use api::{Net, Options, OwnedInstances, Suite};
use host::Disk;
use model::suite::StageMode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{StaleError, build_api_error, build_compile_error, build_failure_error, build_read_error};

/// The number of suites that a process keeps for further pickles, and the number of sets of options for which a suite keeps its instances ready.
const MAX_KEPT: usize = 8;

/// The suites from pickles, the latest at the end.
static RESTORED: Mutex<Vec<Arc<Loaded>>> = Mutex::new(Vec::new());

/// A compiled suite.
pub struct Loaded {
    /// The suite.
    pub suite: Arc<Suite>,
    /// The absolute path.
    pub path: String,
    /// How its stages are asked.
    pub stages: StageMode,
    /// The digest of all files from which it was compiled, and of the files in its lakes.
    pub sha256: String,
    /// The digest as in earlier versions of picardc, whose pickles, logs, and traces contain it.
    named_sha256: String,
    ready: Mutex<Vec<Arc<BoundInstances>>>,
}

/// The instances of a suite under some options, ready to be made.
pub struct BoundInstances {
    /// The suite.
    pub loaded: Arc<Loaded>,
    /// The options.
    pub options: Options,
    /// The instances.
    pub owned: OwnedInstances,
}

/// The address of a suite in a pickle: path, digest, and how stages are asked.
pub type SuiteAddress = (String, String, String);

/// The options in a pickle: seed, samples, task, root of the sandbox, and traps.
pub type OptionsAddress = (String, Option<u32>, Option<String>, String, bool);

impl Loaded {
    /// Compiles the suite at `path`. Its errors are raised as an exception.
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

    /// Returns the suite with an address from a pickle. Compiles it unless it is kept.
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

    /// Whether a digest is one of this suite.
    fn has_digest(&self, sha256: &str) -> bool {
        self.sha256 == sha256 || self.named_sha256 == sha256
    }

    /// Raises an exception if the suite does not have this digest.
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

    /// The address for a pickle.
    pub fn to_address(&self) -> SuiteAddress {
        (self.path.clone(), self.sha256.clone(), self.stages.word().to_owned())
    }

    /// Returns the instances under these options.
    pub fn prepare_instances(self: &Arc<Self>, py: Python<'_>, options: Options) -> PyResult<Arc<BoundInstances>> {
        if let Some(known) = lock_kept(&self.ready).iter().find(|known| known.options == options) {
            // They refer to an equal suite, which may be another copy: a kept value must not refer to its owner.
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
    /// Returns the instances with an address from a pickle.
    pub fn from_address(
        py: Python<'_>,
        suite: &SuiteAddress,
        (seed, samples, task, sandbox_root, traps): OptionsAddress,
    ) -> PyResult<Arc<BoundInstances>> {
        let options = Options { seed, samples, task, sandbox_root, traps };
        Loaded::from_address(py, suite)?.prepare_instances(py, options)
    }

    /// Whether both have the same instances.
    pub fn is_same(&self, other: &BoundInstances) -> bool {
        let (ours, theirs) = (&self.loaded, &other.loaded);
        ours.sha256 == theirs.sha256 && ours.stages == theirs.stages && self.options == other.options
    }

    /// Runs work on the instances, without the lock of the interpreter. Its error is raised as an exception.
    pub fn run_detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl for<'s> FnOnce(&api::Instances<'s>) -> Result<R, api::Error> + Send,
    ) -> PyResult<R> {
        let done = py.detach(|| self.owned.with_instances(work));
        done.map_err(|error| build_api_error(py, error, &self.loaded.suite))
    }

    /// The options for a pickle.
    pub fn to_address(&self) -> OptionsAddress {
        let Options { seed, samples, task, sandbox_root, traps } = self.options.clone();
        (seed, samples, task, sandbox_root, traps)
    }
}

fn lock_kept<T>(all: &Mutex<Vec<T>>) -> std::sync::MutexGuard<'_, Vec<T>> {
    // The value is valid even if another thread panicked: an entry is added in one step.
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_recent<T>(all: &Mutex<Vec<Arc<T>>>, one: &Arc<T>) {
    let mut all = lock_kept(all);
    if all.len() >= MAX_KEPT {
        all.remove(0);
    }
    all.push(Arc::clone(one));
}

/// Reads the suite at `path`, with or without errors, and its absolute path.
pub fn read_suite(py: Python<'_>, path: &str) -> PyResult<(Suite, String)> {
    read_with(py, path, Disk::new)
}

/// Reads the suite at `path`, and draws samples of it as `picardc check` does.
pub fn check_suite(py: Python<'_>, path: &str) -> PyResult<Suite> {
    let observing = |path: &str| Disk::new(path).with_observer(host::build_net(path, Net::SAMPLES));
    read_with(py, path, observing).map(|(suite, _)| suite)
}

fn read_with(py: Python<'_>, path: &str, make_host: fn(&str) -> Disk) -> PyResult<(Suite, String)> {
    // Reads one byte to check that the file is readable: a folder can be opened, and fails only when read.
    use std::io::Read as _;
    std::fs::File::open(path)
        .and_then(|mut file| file.read(&mut [0]))
        .map_err(|error| build_read_error(py, path, &error))?;
    let absolute = std::path::absolute(path)?.to_string_lossy().into_owned();
    Ok((py.detach(|| Suite::compile(path, &make_host(path))), absolute))
}

/// Parses the word for a stage mode.
pub fn parse_stage_mode(word: &str) -> PyResult<StageMode> {
    let known = StageMode::from_word(word);
    known.ok_or_else(|| {
        let words: Vec<&str> = StageMode::ALL.iter().map(|mode| mode.word()).collect();
        PyValueError::new_err(format!("stages=\"{word}\" is unknown; the words are {}", words.join(", ")))
    })
}
