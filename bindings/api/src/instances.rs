//! Instances, each with its answer key.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use model::suite::LakeFile;
use model::{Plan, Value};
use records::{Response, Score};
use runtime::bundle::{FilesAs, Recorder};
use runtime::failure::{Failure, FailureKind};
use runtime::generate::{Address, FileBytes, Generator, HandedOut, Options, SandboxFile};
use score::{Covered, Solution, StartFiles};

use crate::Error;

/// The instances of a suite under some options, made one at a time. The same index gives the same instance, in whatever order they are asked for.
pub struct Instances<'s> {
    generator: Generator<'s>,
    recorder: Recorder,
    project: Option<Project>,
}

/// Reads files of the project, by path below the suite's folder.
#[derive(Clone)]
struct Project(Arc<Read>);

/// The content of the file at a path; `None` where it cannot be read.
type Read = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Project")
    }
}

impl<'s> Instances<'s> {
    /// From a plan.
    ///
    /// # Errors
    /// No task matches the options.
    pub fn new(plan: &'s Plan, options: Options) -> Result<Instances<'s>, Error> {
        let generator = Generator::new(plan, options)?;
        Ok(Instances { generator, recorder: Recorder::new(plan, false), project: None })
    }

    /// The same, with the files of lakes: `read` gives the content of a file by its path below the suite's folder. Without it, an answer key that reads
    /// a file of a lake in the sandbox finds none.
    #[must_use]
    pub fn with_reader(self, read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Instances<'s> {
        Instances { project: Some(Project(Arc::new(read))), ..self }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.generator.count_instances()
    }

    /// What makes them.
    pub fn generator(&self) -> &Generator<'s> {
        &self.generator
    }

    /// The instance at an index from 0, in the order of a bundle: by task, cell of the axes, variant, sample.
    ///
    /// # Errors
    /// No instance has this index, or it cannot be generated (for example, an expected value is null).
    pub fn get(&self, index: u64) -> Result<Instance, Error> {
        let none = Error::NoInstance { index, count: self.count() };
        self.get_at(self.generator.resolve_address(index).ok_or(none)?)
    }

    /// The instance at an address. Its sample can be beyond those of [`Instances::count`] only if [`Options::samples`] says so.
    ///
    /// # Errors
    /// As [`Instances::get`].
    pub fn get_at(&self, address: Address) -> Result<Instance, Error> {
        self.with_key(self.generator.generate_instance(address)?)
    }

    /// An instance of [`Instances::generator`] with its answer key, in the form in which scorers read it from a bundle.
    ///
    /// # Errors
    /// Only a defect of picardc.
    pub fn with_key(&self, made: runtime::generate::Instance) -> Result<Instance, Error> {
        let unreadable = |why: String| Error::Unreadable { id: made.id.clone(), why };
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record_instance(&mut line, &mut keys, &made, FilesAs::Below("files/it"));
        let json = serde_json::from_slice(&line).map_err(|error| unreadable(error.to_string()))?;
        let key = records::Instance::from_json(&json, None).map_err(|error| unreadable(error.message))?;
        Ok(Instance { made, key, project: self.project.clone() })
    }

    /// An instance of [`Instances::generator`] as one line of `instances.jsonl`, with a newline; all of its files are in it as `data:` URIs, those of lakes too: the
    /// line of `picardc build --inline`.
    ///
    /// # Errors
    /// A file of a lake cannot be read, or is not the one that the suite was compiled with.
    pub fn render_inline(&self, made: &runtime::generate::Instance) -> Result<String, Error> {
        let mut contents = BTreeMap::new();
        for (handed, file) in list_lake_files(made) {
            if let Entry::Vacant(place) = contents.entry(handed.lake.build_project_path(file)) {
                let bytes: Arc<[u8]> = read_lent(self.project.as_ref(), handed, file)?.into();
                place.insert(bytes);
            }
        }
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record_instance(&mut line, &mut keys, made, FilesAs::Inline(&contents));
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// All files of a sandbox at the start: those that were made in source order, and then those of lakes. Paths with `/`, below the sandbox.
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

    /// The instance as one line of a bundle's `instances.jsonl`, with a newline; its files are in it as `data:` URIs, but for
    /// those of lakes: they are named as a bundle names them.
    pub fn render_line(&self, instance: &Instance) -> String {
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record_instance(&mut line, &mut keys, &instance.made, FilesAs::Inline(&BTreeMap::new()));
        String::from_utf8_lossy(&line).into_owned()
    }
}

/// The content of a file of a lake: the one that the suite was compiled with, as far as the compiler knows it.
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

/// The files of its lakes.
fn list_lake_files(made: &runtime::generate::Instance) -> impl Iterator<Item = (&HandedOut, &LakeFile)> {
    made.lakes.iter().flat_map(|handed| handed.files().map(move |file| (handed, file)))
}

/// The score of a response to the instance that `key` is the record of. `start` has the files of its sandbox at the start. A path that the answer key
/// reads and the response does not name counts as absent.
pub fn grade_response(key: &records::Instance, response: &Response, start: &dyn StartFiles) -> Score {
    score::score_response(key, Some(response), response.trial, start)
}

/// One instance: what an agent is given, and its answer key.
#[derive(Clone, Debug)]
pub struct Instance {
    made: runtime::generate::Instance,
    key: records::Instance,
    project: Option<Project>,
}

impl Instance {
    /// `<task>[-<axis labels>…][-<variant>]-<sample>`
    pub fn id(&self) -> &str {
        &self.made.id
    }

    /// What the agent is told.
    pub fn prompt(&self) -> &str {
        &self.made.prompt
    }

    /// The files of its sandbox at the start that were made for it, in source order. Those of its lakes are in [`Instance::lakes`].
    pub fn files(&self) -> &[SandboxFile] {
        &self.made.files
    }

    /// The lakes that it is given, in source order.
    pub fn lakes(&self) -> &[HandedOut] {
        &self.made.lakes
    }

    /// The empty folders of its sandbox at the start, without a `/` at the end.
    pub fn folders(&self) -> &[String] {
        &self.made.folders
    }

    /// The drawn values by name, in source order.
    pub fn draws(&self) -> &[(String, Value)] {
        &self.made.draws
    }

    /// The expected answer as a person would write it; several texts if any of them is accepted.
    pub fn target(&self) -> &[String] {
        &self.key.target
    }

    /// As it was generated.
    pub fn made(&self) -> &runtime::generate::Instance {
        &self.made
    }

    /// As a bundle records it, with the answer key.
    pub fn key(&self) -> &records::Instance {
        &self.key
    }

    /// The score of an agent that replies and leaves its sandbox as `solution` says: 0 to 1 and correct or not, with a verdict for each expectation.
    pub fn grade_solution(&self, solution: &Solution) -> Score {
        self.score_response(&solution.to_response(&self.key, self))
    }

    /// The score of a response that was captured elsewhere, as [`grade_response()`] gives it.
    pub fn score_response(&self, response: &Response) -> Score {
        grade_response(&self.key, response, self)
    }

    /// The content of a file of its sandbox at the start; `None` where there was none.
    ///
    /// # Errors
    /// It is a file of a lake, which cannot be read, or is not the one that the suite was compiled with.
    pub fn read_at_start(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, Error> {
        if let Some(file) = self.made.files.iter().find(|file| file.path == path) {
            return Ok(Some(Cow::Borrowed(&file.bytes[..])));
        }
        let handed = self.made.lakes.iter().find_map(|handed| Some((handed, handed.find_file(path)?)));
        handed.map(|(handed, file)| read_lent(self.project.as_ref(), handed, file).map(Cow::Owned)).transpose()
    }

    /// The same, where files of lakes may be others than those that the suite was compiled with.
    ///
    /// # Errors
    /// The answer key reads such a file, as [`Instance::read_at_start`] says.
    pub fn try_score(&self, response: &Response) -> Result<Score, Error> {
        let reading = Reading { instance: self, failed: RefCell::new(None) };
        let score = grade_response(&self.key, response, &reading);
        reading.failed.into_inner().map_or(Ok(score), Err)
    }

    /// What a tolerance covers of the changes that an expectation of `database` asks for: it does not tell them from what was there at the start.
    pub fn find_covered_changes(&self) -> Option<Covered> {
        score::find_covered_changes(&self.key, self)
    }

    /// A solution that is correct, made from the answer key.
    ///
    /// # Errors
    /// None was found: the key cannot be met, or only in a way that is not tried. The text says which expectation. Or the key reads a file of a lake that
    /// cannot be read.
    pub fn build_oracle_solution(&self) -> Result<Solution, String> {
        let reading = Reading { instance: self, failed: RefCell::new(None) };
        let solution = score::solve_instance(&self.key, &reading);
        reading.failed.into_inner().map_or(solution, |error| Err(error.to_string()))
    }
}

/// Where it matters that a file of a lake cannot be read, ask [`Instance::read_at_start`].
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
