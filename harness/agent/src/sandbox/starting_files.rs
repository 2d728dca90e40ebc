//! The starting files of a sandbox.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::{File, FileTimes};
use std::io;
use std::time::{Duration, SystemTime};

use records::instance::Content;
use records::{Bundle, Error, Instance};

/// The modification time of all files of a sandbox, since 1970: 2020-01-01. It is the same for all, so their age does not show which ones an answer needs.
const AGE: Duration = Duration::from_secs(1_577_836_800);

/// Sets the times of a starting file.
pub fn set_fixed_times(file: &File) -> io::Result<()> {
    let time = SystemTime::UNIX_EPOCH + AGE;
    file.set_times(FileTimes::new().set_modified(time).set_accessed(time))
}

/// The starting files of one instance. Generated files are read from the bundle at once; files of lakes may be large, so they are copied or read when they are
/// needed.
pub struct Files<'a> {
    made: Vec<(&'a str, Cow<'a, [u8]>)>,
    instance: &'a Instance,
    bundle: &'a Bundle,
}

impl<'a> Files<'a> {
    /// Reads the generated files of the instance.
    pub fn from_instance(bundle: &'a Bundle, instance: &'a Instance) -> Result<Files<'a>, Error> {
        let generated = instance.files.iter().filter(|(_, content)| content.as_static().is_none());
        let made = generated.map(|(path, content)| Ok((path.as_str(), bundle.read_content(content)?)));
        Ok(Files { made: made.collect::<Result<_, Error>>()?, instance, bundle })
    }

    /// The generated files: path and content.
    pub fn iter_generated(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.made.iter().map(|(path, bytes)| (*path, bytes.as_ref()))
    }

    /// The files of lakes: path in the sandbox, and path below the bundle.
    pub fn iter_static(&self) -> impl Iterator<Item = (&str, &str)> {
        self.instance.files.iter().filter_map(|(path, content)| Some((path.as_str(), content.as_static()?)))
    }

    /// The bundle that has them.
    pub fn bundle(&self) -> &Bundle {
        self.bundle
    }
}

impl score::StartFiles for Files<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if let Some((_, bytes)) = self.iter_generated().find(|(known, _)| *known == path) {
            return Some(Cow::Borrowed(bytes));
        }
        // It was in the bundle when the sandbox was filled. If it is gone now, the agent that asks for it fails with its own error.
        let (_, content) = self.instance.files.iter().find(|(known, _)| known == path)?;
        self.bundle.read_content(content).ok()
    }

    fn digest_file(&self, _path: &str, content: &Content) -> Option<String> {
        self.bundle.digest_content(content).ok()
    }
}

/// The starting files of one instance, each read only when a scorer needs it.
pub struct Lazy<'a> {
    bundle: &'a Bundle,
    instance: &'a Instance,
    failed: RefCell<Option<Error>>,
}

impl<'a> Lazy<'a> {
    /// The files of an instance of the bundle.
    pub fn new(bundle: &'a Bundle, instance: &'a Instance) -> Lazy<'a> {
        Lazy { bundle, instance, failed: RefCell::new(None) }
    }

    /// Returns why a file could not be read, if there is one. A score that was computed without it is not valid.
    pub fn into_error(self) -> Option<Error> {
        self.failed.into_inner()
    }
}

impl score::StartFiles for Lazy<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let (_, content) = self.instance.files.iter().find(|(known, _)| known == path)?;
        self.bundle.read_content(content).map_err(|error| self.failed.replace(Some(error))).ok()
    }

    fn digest_file(&self, _path: &str, content: &Content) -> Option<String> {
        self.bundle.digest_content(content).map_err(|error| self.failed.replace(Some(error))).ok()
    }
}
