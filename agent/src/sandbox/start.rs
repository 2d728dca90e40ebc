//! What a sandbox holds before an agent comes.

use std::borrow::Cow;
use std::cell::RefCell;

use records::{Bundle, Error, Instance};

/// The starting files of one instance, read from its bundle.
#[derive(Debug, Default)]
pub struct Files<'a>(Vec<(&'a str, Cow<'a, [u8]>)>);

impl<'a> Files<'a> {
    /// Reads all of them.
    pub fn read(bundle: &Bundle, instance: &'a Instance) -> Result<Files<'a>, Error> {
        let read = |(path, content): &'a (String, _)| Ok((path.as_str(), bundle.content(content)?));
        instance.files.iter().map(read).collect::<Result<_, Error>>().map(Files)
    }

    /// Path and content.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(path, bytes)| (*path, bytes.as_ref()))
    }
}

impl score::Start for Files<'_> {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.iter().find(|(known, _)| *known == path).map(|(_, bytes)| Cow::Borrowed(bytes))
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
    pub fn failed(self) -> Option<Error> {
        self.failed.into_inner()
    }
}

impl score::Start for Lazy<'_> {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let (_, content) = self.instance.files.iter().find(|(known, _)| known == path)?;
        self.bundle.content(content).map_err(|error| self.failed.replace(Some(error))).ok()
    }
}
