//! Suites on disk: how the command line and the Python package read a source and the files that it uses.
//!
//! [`Disk`] is the compiler's access to files. [`open_project`] opens the folder of a suite, and [`open_instances`] makes instances that read the files of
//! lakes there.

mod files;

use std::io;
use std::path::Path;

use ::disk::{Folder, digest};
use api::{Instances, Net, Options, Suite};
use compiler::host::MAX_FIXTURE_BYTES;
use runtime::Failure;
use runtime::failure::FailureKind;

pub use files::{Computer, Disk};

/// The maximum number of bytes of a file of a lake that is read for a drawn sample.
const MAX_BYTES_OF_SAMPLE: u64 = 16 << 20;

/// Creates the observer of the suite at `path`, which draws up to this number of samples of each task and cell, with the files of its lakes.
pub fn build_net(path: &str, samples: u32) -> Net {
    let folder = find_folder(path).to_owned();
    Net::new(samples).with_reader(move |path| Folder::open(&folder).ok()?.read_file(path, MAX_BYTES_OF_SAMPLE).ok())
}

/// Returns the folder of the suite at `path`.
fn find_folder(path: &str) -> &Path {
    Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens the folder of the suite at `path`, which contains the files of its lakes. `None` if the suite has no lakes.
///
/// # Errors
/// If the folder cannot be opened.
pub fn open_project(suite: &Suite, path: &str) -> Result<Option<Folder>, Failure> {
    if suite.plan().is_none_or(|plan| plan.lakes.is_empty()) {
        return Ok(None);
    }
    let folder = find_folder(path);
    let opened = Folder::open(folder);
    opened
        .map(Some)
        .map_err(|error| Failure::new(FailureKind::Io, format!("cannot open `{}`: {error}", folder.display())))
}

/// Adds the digests of all files in the lakes of the suite at `path`.
///
/// # Errors
/// As [`open_project`], or if a file cannot be read.
pub fn add_lake_digests(suite: Suite, path: &str) -> Result<Suite, Failure> {
    let folder = open_project(&suite, path)?;
    suite.with_lake_digests(|source| {
        let cannot = |error| Failure::new(FailureKind::Io, format!("cannot read `{source}`: {error}"));
        let mut file = folder
            .as_ref()
            .ok_or(io::ErrorKind::NotFound.into())
            .and_then(|folder| folder.open_file(source))
            .map_err(cannot)?;
        let (_, sha256) = digest::digest_file(&mut file).map_err(cannot)?;
        Ok(digest::encode_hex(&sha256))
    })
}

/// Builds a function that reads a file of the suite's folder by its path there. It returns `None` if the file cannot be read, or the suite has no lakes.
///
/// # Errors
/// As [`open_project`].
pub fn build_reader(
    suite: &Suite,
    path: &str,
) -> Result<impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static, Failure> {
    let folder = open_project(suite, path)?;
    Ok(move |path: &str| folder.as_ref()?.read_file(path, MAX_FIXTURE_BYTES).ok())
}

/// Creates the instances of a suite, with the files of its lakes.
///
/// # Errors
/// As [`open_project`], or if no task matches the options.
pub fn open_instances<'s>(suite: &'s Suite, path: &str, options: Options) -> Result<Instances<'s>, Failure> {
    Ok(suite.select_instances(options)?.with_reader(build_reader(suite, path)?))
}
