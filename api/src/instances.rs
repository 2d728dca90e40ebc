//! Instances, each with its answer key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use plan::suite::LakeFile;
use plan::{Plan, Value};
use records::{Response, Score};
use runtime::bundle::{FilesAs, Recorder};
use runtime::failure::{Failure, FailureKind};
use runtime::generate::{Address, FileBytes, Generator, HandedOut, Options, SandboxFile};
use score::{Covered, Solution, Start};

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
    pub fn reading(self, read: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Instances<'s> {
        Instances { project: Some(Project(Arc::new(read))), ..self }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.generator.count()
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
        self.at(self.generator.address(index).ok_or(none)?)
    }

    /// The instance at an address. Its sample can be beyond those of [`Instances::count`] only if [`Options::samples`] says so.
    ///
    /// # Errors
    /// As [`Instances::get`].
    pub fn at(&self, address: Address) -> Result<Instance, Error> {
        self.with_key(self.generator.instance(address)?)
    }

    /// An instance of [`Instances::generator`] with its answer key, in the form in which scorers read it from a bundle.
    ///
    /// # Errors
    /// Only a defect of picardc.
    pub fn with_key(&self, made: runtime::generate::Instance) -> Result<Instance, Error> {
        let unreadable = |why: String| Error::Unreadable { id: made.id.clone(), why };
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record(&mut line, &mut keys, &made, FilesAs::Below("files/it"));
        let json = serde_json::from_slice(&line).map_err(|error| unreadable(error.to_string()))?;
        let key = records::Instance::from_json(&json, None).map_err(|error| unreadable(error.message))?;
        Ok(Instance { made, key, project: self.project.clone() })
    }

    /// An instance of [`Instances::generator`] as one line of `instances.jsonl`, with a newline; all of its files are in it as `data:` URIs, those of lakes too: the
    /// line of `picardc build --inline`.
    ///
    /// # Errors
    /// A file of a lake cannot be read.
    pub fn inline(&self, made: &runtime::generate::Instance) -> Result<String, Error> {
        let mut contents = BTreeMap::new();
        for (handed, file) in handed_out(made) {
            let source = handed.lake.source(file);
            if let Entry::Vacant(place) = contents.entry(source) {
                let bytes: Arc<[u8]> = self.lent(place.key())?.into();
                place.insert(bytes);
            }
        }
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record(&mut line, &mut keys, made, FilesAs::Inline(&contents));
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// All files of a sandbox at the start: those that were made in source order, and then those of lakes. Paths with `/`, below the sandbox.
    ///
    /// # Errors
    /// A file of a lake cannot be read.
    pub fn files(&self, made: &runtime::generate::Instance) -> Result<Vec<(String, FileBytes)>, Error> {
        let own = made.files.iter().map(|file| Ok((file.path.clone(), file.bytes.clone())));
        let lent = handed_out(made)
            .map(|(handed, file)| Ok((handed.lake.place(file), FileBytes::Own(self.lent(&handed.lake.source(file))?))));
        own.chain(lent).collect()
    }

    fn lent(&self, source: &str) -> Result<Vec<u8>, Error> {
        let read = self.project.as_ref().and_then(|Project(read)| read(source));
        read.ok_or_else(|| {
            Error::Failed(Failure::new(FailureKind::Io, format!("the file `{source}` of a lake cannot be read")))
        })
    }

    /// The instance as one line of a bundle's `instances.jsonl`, with a newline; its files are in it as `data:` URIs, but for
    /// those of lakes: they are named as a bundle names them.
    pub fn line(&self, instance: &Instance) -> String {
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        self.recorder.record(&mut line, &mut keys, &instance.made, FilesAs::Inline(&BTreeMap::new()));
        String::from_utf8_lossy(&line).into_owned()
    }
}

/// The files of its lakes.
fn handed_out(made: &runtime::generate::Instance) -> impl Iterator<Item = (&HandedOut, &LakeFile)> {
    made.lakes.iter().flat_map(|handed| handed.files().map(move |file| (handed, file)))
}

/// The score of a response to the instance that `key` is the record of. `start` has the files of its sandbox at the start. A path that the answer key
/// reads and the response does not name counts as absent.
pub fn grade(key: &records::Instance, response: &Response, start: &dyn Start) -> Score {
    score::score(key, Some(response), response.trial, start)
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
    pub fn grade(&self, solution: &Solution) -> Score {
        self.score(&solution.response(&self.key, self))
    }

    /// The score of a response that was captured elsewhere, as [`grade()`] gives it.
    pub fn score(&self, response: &Response) -> Score {
        grade(&self.key, response, self)
    }

    /// What a tolerance covers of the changes that an expectation of `database` asks for: it does not tell them from what was there at the start.
    pub fn covered(&self) -> Option<Covered> {
        score::covered(&self.key, self)
    }

    /// A solution that is correct, made from the answer key.
    ///
    /// # Errors
    /// None was found: the key cannot be met, or only in a way that is not tried. The text says which expectation.
    pub fn oracle(&self) -> Result<Solution, String> {
        score::solve(&self.key, self)
    }
}

impl Start for Instance {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if let Some(file) = self.made.files.iter().find(|file| file.path == path) {
            return Some(Cow::Borrowed(&file.bytes[..]));
        }
        let (handed, file) = self.made.lakes.iter().find_map(|handed| Some((handed, handed.at(path)?)))?;
        let Project(read) = self.project.as_ref()?;
        read(&handed.lake.source(file)).map(Cow::Owned)
    }
}
