//! Instances, each with its answer key.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use model::Plan;
use model::suite::LakeFile;
use records::{Response, Score};
use runtime::bundle::{FilesAs, Recorder};
use runtime::failure::{Failure, FailureKind};
use runtime::generate::{Address, FileBytes, Generator, HandedOut, Options, SandboxFile};
use score::{Covered, NoSolution, Solution, StartFiles};

use crate::Error;

/// The instances of a suite under some options, generated one at a time. The same index always returns the same instance, in any order of calls.
pub struct Instances<'s> {
    generator: Generator<'s>,
    recorder: Recorder,
    project: Option<Project>,
}

/// Reads files of the project by their paths below the suite's folder.
#[derive(Clone)]
struct Project(Arc<Read>);

/// Returns the content of the file at a path; `None` if it cannot be read.
type Read = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Project")
    }
}

impl<'s> Instances<'s> {
    /// Creates the instances of a plan.
    ///
    /// # Errors
    /// If no task matches the options.
    pub fn new(plan: &'s Plan, options: Options) -> Result<Instances<'s>, Error> {
        let generator = Generator::new(plan, options)?;
        Ok(Instances { generator, recorder: Recorder::new(plan), project: None })
    }

    /// Adds the files of lakes: `read` returns the content of a file by its path below the suite's folder. Without it, an answer key that reads a file of a
    /// lake in the sandbox does not find it.
    #[must_use]
    pub fn with_reader(self, read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Instances<'s> {
        Instances { project: Some(Project(Arc::new(read))), ..self }
    }

    /// The number of instances.
    pub fn count(&self) -> u64 {
        self.generator.count_instances()
    }

    /// The generator of the instances.
    pub fn generator(&self) -> &Generator<'s> {
        &self.generator
    }

    /// Returns the instance at an index from 0, in the order of a bundle: by task, cell of the axes, variant, sample.
    ///
    /// # Errors
    /// If no instance has this index, or it cannot be generated (for example, because an expected value is null).
    pub fn get(&self, index: u64) -> Result<Instance, Error> {
        let none = Error::NoInstance { index, count: self.count() };
        self.get_at(self.generator.resolve_address(index).ok_or(none)?)
    }

    /// Returns the instance at an address. Its sample can be beyond those of [`Instances::count`] only if [`Options::samples`] is at least as large.
    ///
    /// # Errors
    /// As [`Instances::get`].
    pub fn get_at(&self, address: Address) -> Result<Instance, Error> {
        self.with_key(self.generator.generate_instance(address)?)
    }

    /// Adds the answer key to an instance of [`Instances::generator`], in the form in which scorers read it from a bundle.
    ///
    /// # Errors
    /// Only through a defect of picardc.
    pub fn with_key(&self, made: runtime::generate::Instance) -> Result<Instance, Error> {
        let unreadable = |why: String| Error::Unreadable { id: made.id.clone(), why };
        let line = self.record_instance(&made, FilesAs::Below("files/it"));
        let json = serde_json::from_slice(&line).map_err(|error| unreadable(error.to_string()))?;
        let key = records::Instance::from_json(&json, None).map_err(|error| unreadable(error.message))?;
        Ok(Instance { made, key, project: self.project.clone() })
    }

    /// Renders an instance of [`Instances::generator`] as one line of `instances.jsonl`, with a newline. All of its files are included as `data:` URIs, also
    /// those of lakes. This is the line of `picardc build --inline`.
    ///
    /// # Errors
    /// If a file of a lake cannot be read, or differs from the one with which the suite was compiled.
    pub fn render_inline(&self, made: &runtime::generate::Instance) -> Result<String, Error> {
        let mut contents = BTreeMap::new();
        for (handed, file) in list_lake_files(made) {
            if let Entry::Vacant(place) = contents.entry(handed.lake.build_project_path(file)) {
                let bytes: Arc<[u8]> = read_lent(self.project.as_ref(), handed, file)?.into();
                place.insert(bytes);
            }
        }
        Ok(String::from_utf8_lossy(&self.record_instance(made, FilesAs::Inline(&contents))).into_owned())
    }

    /// Returns all files of a sandbox at the start: first the generated files in source order, and then the files of lakes. Paths use `/` and are relative to
    /// the sandbox.
    ///
    /// # Errors
    /// As [`Instances::render_inline`].
    pub fn collect_files(&self, made: &runtime::generate::Instance) -> Result<Vec<(String, FileBytes)>, Error> {
        let own = made.files.iter().map(|file| Ok((file.path.clone(), file.bytes.clone())));
        let lent = list_lake_files(made).map(|(handed, file)| {
            let bytes = read_lent(self.project.as_ref(), handed, file)?;
            Ok((handed.lake.build_sandbox_path(file), FileBytes::Own(bytes)))
        });
        own.chain(lent).collect()
    }

    /// Renders the line of a bundle for an instance.
    fn record_instance(&self, made: &runtime::generate::Instance, files: FilesAs<'_>) -> Vec<u8> {
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record_instance(&mut line, &mut keys, made, files);
        line
    }
}

/// Reads a file of a lake. Checks that it is the one with which the suite was compiled, if the compiler knows its digest.
fn read_lent(project: Option<&Project>, handed: &HandedOut, file: &LakeFile) -> Result<Vec<u8>, Error> {
    let source = handed.lake.build_project_path(file);
    let Some(bytes) = project.and_then(|Project(read)| read(&source)) else {
        let message = format!("the file `{source}` of a lake cannot be read");
        return Err(Error::Failed(Failure::new(FailureKind::Io, message)));
    };
    let is_it = |known: &String| *known == disk::digest::hash_sha256(&bytes);
    if bytes.len() as u64 == file.size && file.sha256.as_ref().is_none_or(is_it) {
        return Ok(bytes);
    }
    Err(Error::Stale { source })
}

/// The files of the instance's lakes.
fn list_lake_files(made: &runtime::generate::Instance) -> impl Iterator<Item = (&HandedOut, &LakeFile)> {
    made.lakes.iter().flat_map(|handed| handed.files().map(move |file| (handed, file)))
}

/// Scores a response to the instance that `key` records. `start` has the files of its sandbox at the start. A path that the answer key reads and the
/// response does not list counts as absent.
pub fn grade_response(key: &records::Instance, response: &Response, start: &dyn StartFiles) -> Score {
    score::score_response(key, Some(response), response.trial, start)
}

/// One instance: the input of an agent, and its answer key.
#[derive(Clone, Debug)]
pub struct Instance {
    made: runtime::generate::Instance,
    key: records::Instance,
    project: Option<Project>,
}

impl Instance {
    /// The ID: `<task>[-<axis labels>…][-<variant>]-<sample>`.
    pub fn id(&self) -> &str {
        &self.made.id
    }

    /// The prompt for the agent.
    pub fn prompt(&self) -> &str {
        &self.made.prompt
    }

    /// The generated files of its sandbox at the start, in source order. Those of its lakes, empty folders, and drawn values are in [`Instance::made`].
    pub fn files(&self) -> &[SandboxFile] {
        &self.made.files
    }

    /// The expected answer as a person would write it; several texts if each of them is accepted.
    pub fn target(&self) -> &[String] {
        &self.key.target
    }

    /// The instance as generated.
    pub fn made(&self) -> &runtime::generate::Instance {
        &self.made
    }

    /// The record of the instance in a bundle, with the answer key.
    pub fn key(&self) -> &records::Instance {
        &self.key
    }

    /// Scores an agent that replies and leaves its sandbox as described by `solution`: from 0 to 1, whether it is correct, and a verdict for each expectation.
    pub fn grade_solution(&self, solution: &Solution) -> Score {
        self.score_response(&solution.to_response(&self.key, self))
    }

    /// Scores a response that was captured elsewhere, with [`grade_response()`].
    pub fn score_response(&self, response: &Response) -> Score {
        grade_response(&self.key, response, self)
    }

    /// Reads a file of its sandbox at the start; `None` if the file does not exist.
    ///
    /// # Errors
    /// If a file of a lake cannot be read, or differs from the one with which the suite was compiled.
    pub fn read_at_start(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if let Some(file) = self.made.files.iter().find(|file| file.path == path) {
            return Ok(Some(Cow::Borrowed(&file.bytes[..])));
        }
        let handed = self.made.lakes.iter().find_map(|handed| Some((handed, handed.find_file(path)?)));
        handed.map(|(handed, file)| read_lent(self.project.as_ref(), handed, file).map(Cow::Owned)).transpose()
    }

    /// Scores a response like [`Instance::score_response`], but reports files of lakes that cannot be read or have changed.
    ///
    /// # Errors
    /// If the answer key reads such a file; see [`Instance::read_at_start`].
    pub fn try_score(&self, response: &Response) -> Result<Score, Error> {
        let reading = Reading { instance: self, failed: RefCell::new(None) };
        let score = grade_response(&self.key, response, &reading);
        reading.failed.into_inner().map_or(Ok(score), Err)
    }

    /// Returns the first expectation that accepts no answer made from the key; `None` if there is an answer that meets all of them.
    ///
    /// # Errors
    /// If the answer key reads a file of a lake that cannot be read, or has changed.
    pub(crate) fn find_unmet_expectation(&self) -> Result<Option<NoSolution>, Error> {
        let reading = Reading { instance: self, failed: RefCell::new(None) };
        let solution = score::solve_instance(&self.key, &reading);
        reading.failed.into_inner().map_or(Ok(solution.err()), Err)
    }

    /// Checks whether an agent is right that does nothing, in the whole or in a stage.
    ///
    /// # Errors
    /// As [`Instance::find_unmet_expectation`].
    pub(crate) fn is_met_by_nothing(&self) -> Result<bool, Error> {
        let score = self.try_score(&Solution::default().to_response(&self.key, self))?;
        Ok(score.correct || score.stages.iter().any(|stage| stage.correct))
    }

    /// The changes expected by a `database` expectation that its tolerance covers: it does not distinguish them from the values at the start.
    pub fn find_covered_changes(&self) -> Option<Covered> {
        score::find_covered_changes(&self.key, self)
    }

    /// Builds a correct solution from the answer key.
    ///
    /// ```
    /// use api::{Memory, Options, Suite};
    ///
    /// let source = "suite s { title \"S\" version \"1\" }\ntask t {\n  n : int 1..9\n  prompt \"Write twice <<n>> to twice.txt.\"\n  \
    ///               expect file \"twice.txt\" number n * 2\n}\n";
    /// let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", source)]));
    /// let instance = suite.select_instances(Options::new("7"))?.get(0)?;
    /// let mut solution = instance.build_oracle_solution().expect("a key that can be met");
    /// assert!(instance.grade_solution(&solution).correct);
    /// // The number is in the file, not in the reply.
    /// solution.files.clear();
    /// let score = instance.grade_solution(&solution);
    /// assert_eq!((score.correct, score.verdicts[0].file_path()), (false, Some("twice.txt")));
    /// # Ok::<(), api::Error>(())
    /// ```
    ///
    /// # Errors
    /// If no solution was found: the key cannot be met, or only in a way that is not tried; the text names the expectation. Also, if the key reads a file of a
    /// lake that cannot be read.
    pub fn build_oracle_solution(&self) -> Result<Solution, String> {
        let reading = Reading { instance: self, failed: RefCell::new(None) };
        let solution = score::solve_instance(&self.key, &reading);
        reading.failed.into_inner().map_or(solution.map_err(|error| error.to_string()), |error| Err(error.to_string()))
    }
}

/// Files of lakes that cannot be read count as absent. Use [`Instance::read_at_start`] to detect them.
impl StartFiles for Instance {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.read_at_start(path).ok().flatten()
    }
}

/// The starting files of an instance, and the first failure to read one.
struct Reading<'i> {
    instance: &'i Instance,
    failed: RefCell<Option<Error>>,
}

impl StartFiles for Reading<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.instance.read_at_start(path).unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            None
        })
    }
}
