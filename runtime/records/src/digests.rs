//! Checks whether a bundle is unchanged since it was built, by the digests in its manifest.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use disk::digest::encode_hex;
use sha2::{Digest as _, Sha256};

use crate::Error;

/// The remedy for a bundle that has changed.
pub const ADVICE: &str = "build the suite again, or give --unverified to take the bundle as it is";

/// Builds the error for a part that does not match the manifest.
pub fn build_changed_error(part: &Path, manifest: &Path) -> Error {
    let message = format!(
        "`{}` does not match `{}`: it was changed after the build",
        disk::show_path(&part),
        disk::show_path(&manifest)
    );
    Error::new_usage(message).help(ADVICE)
}

/// The files of a verified bundle. The manifest has one digest for all of them, so all are read when the first one is needed; afterwards each of them
/// must stay unchanged.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    paths: BTreeSet<String>,
    sha256: String,
    known: OnceLock<Result<HashMap<String, [u8; 32]>, Error>>,
}

impl Files {
    /// Creates the list of `paths` below `folder`, whose common digest is `sha256`.
    pub fn new(folder: &Path, paths: BTreeSet<String>, sha256: String) -> Files {
        Files { folder: folder.to_owned(), paths, sha256, known: OnceLock::new() }
    }

    /// Checks that `bytes` are the content of the file at `path` in the built bundle.
    pub fn check_bytes(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        self.check_copy(path, &Sha256::digest(bytes).into())
    }

    /// Checks the same for a copy of the file with this digest.
    pub fn check_copy(&self, path: &str, digest: &[u8; 32]) -> Result<(), Error> {
        match self.find_digest(path)? {
            Some(known) if known == *digest => Ok(()),
            _ => Err(self.build_changed_error(&self.folder.join(path))),
        }
    }

    /// Returns the digest of the file at `path` in the built bundle.
    pub fn find_digest(&self, path: &str) -> Result<Option<[u8; 32]>, Error> {
        let known = self.known.get_or_init(|| self.read_digests()).as_ref().map_err(Clone::clone)?;
        Ok(known.get(path).copied())
    }

    fn build_changed_error(&self, part: &Path) -> Error {
        build_changed_error(part, &self.folder.join("manifest.json"))
    }

    /// Computes the digest of every file; fails if together they do not match the manifest.
    fn read_digests(&self) -> Result<HashMap<String, [u8; 32]>, Error> {
        let mut known = HashMap::new();
        let mut lines = Vec::new();
        let open = disk::Folder::open(&self.folder);
        let folder = open.map_err(|error| Error::new_io("read", &self.folder, &error).help(ADVICE))?;
        for path in &self.paths {
            let place = self.folder.join(path);
            let mut hash = Sha256::new();
            let read = folder.open_file(path).and_then(|mut file| std::io::copy(&mut file, &mut hash));
            read.map_err(|error| Error::new_io("read", &place, &error).help(ADVICE))?;
            let digest: [u8; 32] = hash.finalize().into();
            lines.push(format!("{}  {path}\n", encode_hex(&digest)));
            known.insert(path.clone(), digest);
        }
        lines.sort_unstable();
        let mut all = Sha256::new();
        lines.iter().for_each(|line| all.update(line));
        if encode_hex(&all.finalize()) == self.sha256 {
            Ok(known)
        } else {
            Err(self.build_changed_error(&self.folder.join("files")))
        }
    }
}
