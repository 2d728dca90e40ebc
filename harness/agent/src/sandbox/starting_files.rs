//! What a sandbox holds before an agent comes.

use std::borrow::Cow;
use std::cell::RefCell;

use records::instance::Content;
use records::{Bundle, Error, Instance};

/// The starting files of one instance. Those that were made for it are read from its bundle at once; those of lakes may be large, and are copied or
/// read when they are needed.
pub struct Files<'a> {
    made: Vec<(&'a str, Cow<'a, [u8]>)>,
    lent: Vec<(&'a str, &'a Content)>,
    bundle: &'a Bundle,
}

impl<'a> Files<'a> {
    /// Reads what was made for the instance.
    pub fn from_instance(bundle: &'a Bundle, instance: &'a Instance) -> Result<Files<'a>, Error> {
        let mut files = Files { made: Vec::new(), lent: Vec::new(), bundle };
        for (path, content) in &instance.files {
            match content.as_static() {
                Some(_) => files.lent.push((path, content)),
                None => files.made.push((path, bundle.read_content(content)?)),
            }
        }
        Ok(files)
    }

    /// Path and content of those that were made for it.
    pub fn iter_generated(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.made.iter().map(|(path, bytes)| (*path, bytes.as_ref()))
    }

    /// The others: path in the sandbox, and below the bundle.
    pub fn iter_static(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lent.iter().filter_map(|(path, content)| Some((*path, content.as_static()?)))
    }

    /// Their bundle.
    pub fn bundle(&self) -> &Bundle {
        self.bundle
    }
}

impl score::StartFiles for Files<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if let Some((_, bytes)) = self.iter_generated().find(|(known, _)| *known == path) {
            return Some(Cow::Borrowed(bytes));
        }
        // It was in the bundle a moment ago, when the sandbox was filled. Were it gone, the agent that asks would say that it has no answer.
        let (_, content) = self.lent.iter().find(|(known, _)| *known == path)?;
        self.bundle.read_content(content).ok()
    }
}

/// The starting files of one instance, each read only if a scorer asks for it.
pub struct Lazy<'a> {
    bundle: &'a Bundle,
    instance: &'a Instance,
    failed: RefCell<Option<Error>>,
}

impl<'a> Lazy<'a> {
    /// Of an instance of the bundle.
    pub fn new(bundle: &'a Bundle, instance: &'a Instance) -> Lazy<'a> {
        Lazy { bundle, instance, failed: RefCell::new(None) }
    }

    /// Why a file could not be read, if one could not: a score that was made without it is none.
    pub fn into_error(self) -> Option<Error> {
        self.failed.into_inner()
    }
}

impl score::StartFiles for Lazy<'_> {
    fn read_file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let (_, content) = self.instance.files.iter().find(|(known, _)| known == path)?;
        self.bundle.read_content(content).map_err(|error| self.failed.replace(Some(error))).ok()
    }
}
