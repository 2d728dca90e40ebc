//! A bundle on disk, read.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use crate::error::Error;
use crate::instance::{Content, Instance};
use crate::jsonl::Lines;
use crate::run::BundleRef;

/// A folder that `picardc build` wrote.
#[derive(Clone, Debug)]
pub struct Bundle {
    folder: PathBuf,
    /// What the manifest says.
    pub manifest: Manifest,
}

/// What of `manifest.json` matters here.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Manifest {
    pub schema: u32,
    pub suite: Suite,
    pub seed: String,
    pub options: Options,
    pub instances: u64,
    pub bundle_sha256: String,
}

/// The suite's own facts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Suite {
    pub name: String,
    pub title: String,
    pub version: String,
}

/// Build options that tell how it is to be read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs)]
pub struct Options {
    pub sandbox_root: String,
    pub split_keys: bool,
}

impl Bundle {
    /// Opens a bundle: reads its manifest.
    pub fn open(folder: &Path) -> Result<Bundle, Error> {
        let path = folder.join("manifest.json");
        let advice = "give the folder that `picardc build … -o` wrote";
        let bytes = std::fs::read(&path)
            .map_err(|error| Error { help: Some(advice.into()), ..Error::io("read", &path, &error) })?;
        let manifest: Manifest = serde_json::from_slice(&bytes)
            .map_err(|error| Error::usage(format!("`{}`: {error}", path.display())).help(advice))?;
        if manifest.schema != 1 {
            let message = format!("`{}` is of schema {}, this picardc reads 1", path.display(), manifest.schema);
            return Err(Error::usage(message).help("build the suite again with this picardc"));
        }
        Ok(Bundle { folder: folder.to_owned(), manifest })
    }

    /// Its identity, for a run.
    pub fn reference(&self) -> BundleRef {
        let Manifest { suite, .. } = &self.manifest;
        BundleRef {
            sha256: self.manifest.bundle_sha256.clone(),
            suite: suite.name.clone(),
            title: suite.title.clone(),
            version: suite.version.clone(),
            seed: self.manifest.seed.clone(),
            instances: self.manifest.instances,
        }
    }

    /// Its instances, one after the other, in the bundle's order.
    pub fn instances(&self) -> Result<Instances, Error> {
        let keys = self.folder.join("keys.jsonl");
        Ok(Instances {
            lines: Lines::open(&self.folder.join("instances.jsonl"))?,
            keys: self.manifest.options.split_keys.then(|| Lines::open(&keys)).transpose()?,
        })
    }

    /// The content of a file of a sandbox.
    pub fn content<'a>(&self, content: &'a Content) -> Result<Cow<'a, [u8]>, Error> {
        match content {
            Content::Inline(bytes) => Ok(Cow::Borrowed(bytes)),
            Content::Below(path) => {
                let outside = path.starts_with('/') || path.split('/').any(|part| part == "..");
                if outside || !path.starts_with("files/") {
                    return Err(Error::usage(format!("`{path}` is no file of the bundle")));
                }
                let path = self.folder.join(path);
                std::fs::read(&path).map(Cow::Owned).map_err(|error| Error::io("read", &path, &error))
            }
        }
    }
}

/// The instances of a bundle.
pub struct Instances {
    lines: Lines,
    keys: Option<Lines>,
}

impl Instances {
    /// The next line as it is, and the instance that it is; `None` at the end.
    pub fn next_line(&mut self) -> Option<Result<(Json, Instance), Error>> {
        let line: Json = match self.lines.next_value()? {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        Some(self.join(&line).map(|instance| (line, instance)))
    }

    fn join(&mut self, line: &Json) -> Result<Instance, Error> {
        let Some(keys) = &mut self.keys else { return Instance::from_json(line, None) };
        let key: Json =
            keys.next_value().ok_or_else(|| Error::usage("`keys.jsonl` ends before `instances.jsonl`"))??;
        if key.get("id") != line.get("id") {
            let message = format!("line {} of `keys.jsonl` and of `instances.jsonl` have other ids", keys.number());
            return Err(Error::usage(message).help("build the bundle again"));
        }
        Instance::from_json(line, Some(&key))
    }
}

impl Iterator for Instances {
    type Item = Result<Instance, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_line()?.map(|(_, instance)| instance))
    }
}
