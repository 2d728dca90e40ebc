//! Project files that instances get unchanged. Each one is in the bundle once, at `static/<path in the project>`, regardless of the number of
//! instances that have it. They are copied as streams and never read into memory, except with `--inline`, for at most [`MAX_INLINE_BYTES`].

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use disk::Folder;
use model::suite::{Lake, LakeFile};

use super::digest::FileDigests;
use super::{failures, layout};
use crate::Failure;
use crate::generate::{HandedOut, Instance};

/// The folder of these files in a bundle.
pub(super) const FOLDER: &str = "static";

/// Maximum number of bytes of such files in a bundle with `--inline`.
const MAX_INLINE_BYTES: u64 = 16 << 20;

/// The project files that the instances of a bundle get.
pub(super) struct Statics {
    /// The folder of the suite.
    project: Option<Folder>,
    /// The lakes in the order of their first use, and a flag for each of their files that an instance gets.
    wanted: Mutex<Vec<(Arc<Lake>, Vec<bool>)>>,
    /// The fixtures of rows of data sets, which are in memory, by path in the project.
    lent: Mutex<Contents>,
    /// The files inside the lines, by path in the project.
    inline: Mutex<Inline>,
}

/// Contents by path in the project.
type Contents = BTreeMap<String, Arc<[u8]>>;

#[derive(Default)]
struct Inline {
    files: Contents,
    bytes: u64,
}

impl Statics {
    /// Creates an empty collection.
    pub fn new(project: Option<Folder>) -> Statics {
        Statics { project, wanted: Mutex::default(), lent: Mutex::default(), inline: Mutex::default() }
    }

    /// Records the files of an instance.
    pub fn note_files(&self, instance: &Instance) {
        for lent in instance.files.iter().filter_map(|file| file.bytes.as_lent()) {
            let mut known = self.lent.lock().unwrap_or_else(PoisonError::into_inner);
            if !known.contains_key(&lent.source) {
                known.insert(lent.source.clone(), Arc::clone(&lent.bytes));
            }
        }
        for handed in &instance.lakes {
            let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let at = wanted.iter().position(|(lake, _)| Arc::ptr_eq(lake, &handed.lake)).unwrap_or_else(|| {
                wanted.push((Arc::clone(&handed.lake), vec![false; handed.lake.files.len()]));
                wanted.len() - 1
            });
            let Some((_, flags)) = wanted.get_mut(at) else { continue };
            for file in &handed.files {
                if let Some(flag) = flags.get_mut(*file as usize) {
                    *flag = true;
                }
            }
        }
    }

    /// Reads every file of the instance's lakes; returns the contents by path in the project.
    pub fn read_contents(&self, instance: &Instance) -> Result<Contents, Failure> {
        let mut contents = Contents::new();
        for HandedOut { lake, files, .. } in &instance.lakes {
            for file in files.iter().filter_map(|at| lake.files.get(*at as usize)) {
                let source = lake.build_project_path(file);
                let content = self.read_content(lake, file, &source)?;
                contents.insert(source, content);
            }
        }
        Ok(contents)
    }

    fn read_content(&self, lake: &Lake, file: &LakeFile, source: &str) -> Result<Arc<[u8]>, Failure> {
        let mut inline = self.inline.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inline.files.get(source) {
            return Ok(Arc::clone(known));
        }
        if inline.bytes + file.size > MAX_INLINE_BYTES {
            let message =
                format!("lake `{}` is too large for --inline: all files of lakes may have 16 MiB at most", lake.name);
            let failure = failures::new_usage(message).with_default_span(lake.span);
            return Err(failure.help("build without --inline: its files then lie once in the bundle, in `static/`"));
        }
        let mut content = Vec::new();
        let mut from = self.open_source(lake, source)?.take(file.size + 1);
        from.read_to_end(&mut content).map_err(|error| build_read_failure(lake, source, &error))?;
        self.require_unchanged(lake, file, source, content.len() as u64, &disk::digest::hash_sha256(&content))?;
        inline.bytes += file.size;
        let content: Arc<[u8]> = content.into();
        inline.files.insert(source.to_owned(), Arc::clone(&content));
        Ok(content)
    }

    /// Copies all recorded files into the bundle in `folder`, and adds their digests.
    pub fn copy_files(self, folder: &Path, digests: &mut FileDigests, cancel: &AtomicBool) -> Result<(), Failure> {
        let wanted = std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        let lent = std::mem::take(&mut *self.lent.lock().unwrap_or_else(PoisonError::into_inner));
        // Two lakes may share a folder, which may contain lent files too.
        let mut sources: BTreeMap<String, Option<(&Lake, &LakeFile)>> =
            lent.keys().map(|source| (source.clone(), None)).collect();
        for (lake, flags) in &wanted {
            let files = lake.files.iter().zip(flags).filter(|(_, wanted)| **wanted);
            sources.extend(files.map(|(file, _)| (lake.build_project_path(file), Some((lake.as_ref(), file)))));
        }
        let mut made = String::new();
        for (source, of_lake) in sources {
            failures::check_cancelled(cancel)?;
            layout::check_path(&source)?;
            let path = build_bundle_path(&source);
            let inner = path.rsplit_once('/').map_or("", |(inner, _)| inner);
            if inner != made {
                fs::create_dir_all(folder.join(inner))
                    .map_err(|error| failures::new_io(format!("create {inner}"), &error))?;
                inner.clone_into(&mut made);
            }
            let to = folder.join(&path);
            let wrong = |error: io::Error| failures::new_io(format!("write {path}"), &error);
            let sha256 = match (of_lake, lent.get(&source)) {
                (Some((lake, file)), _) => {
                    let (bytes, sha256) = copy_file(self.open_source(lake, &source)?, &to).map_err(wrong)?;
                    self.require_unchanged(lake, file, &source, bytes, &sha256)?;
                    sha256
                }
                (None, bytes) => {
                    let bytes = bytes.map_or(&[][..], |bytes| bytes);
                    fs::write(&to, bytes).map_err(wrong)?;
                    disk::digest::hash_sha256(bytes)
                }
            };
            digests.add_file(&sha256, &path)?;
        }
        Ok(())
    }

    fn open_source(&self, lake: &Lake, source: &str) -> Result<File, Failure> {
        let project = self.project.as_ref().ok_or_else(|| {
            failures::new_usage(format!("the files of lake `{}` are not there", lake.name)).with_default_span(lake.span)
        })?;
        project.open_file(source).map_err(|error| build_read_failure(lake, source, &error))
    }

    /// Checks that a file did not change after the suite was compiled.
    fn require_unchanged(
        &self,
        lake: &Lake,
        file: &LakeFile,
        source: &str,
        bytes: u64,
        sha256: &str,
    ) -> Result<(), Failure> {
        if bytes == file.size && file.sha256.as_ref().is_none_or(|known| known == sha256) {
            return Ok(());
        }
        let failure =
            failures::new_usage(format!("`{source}` changed while the suite was built")).with_default_span(lake.span);
        Err(failure.help("build again when nothing writes to it"))
    }
}

fn build_read_failure(lake: &Lake, source: &str, error: &io::Error) -> Failure {
    failures::new_io(format!("read {source}"), error).with_default_span(lake.span)
}

/// Returns the path of a project file in a bundle.
pub(super) fn build_bundle_path(source: &str) -> String {
    format!("{FOLDER}/{source}")
}

/// Copies a file to a new path; the file system may let both share their blocks until one is written to. Returns the size in bytes and the digest,
/// both of the copy.
pub(super) fn copy_file(mut from: File, to: &Path) -> io::Result<(u64, String)> {
    let mut file = File::options().read(true).write(true).create_new(true).open(to)?;
    io::copy(&mut from, &mut file)?;
    digest_file(&mut file)
}

/// Returns the size of a file in bytes, and its digest.
pub(super) fn digest_file(file: &mut File) -> io::Result<(u64, String)> {
    disk::digest::digest_file(file).map(|(bytes, sha256)| (bytes, disk::digest::encode_hex(&sha256)))
}

/// Lists every file of the instance's lakes: its path in the sandbox, and its path in the project.
pub(super) fn list_places(instance: &Instance) -> impl Iterator<Item = (String, String)> {
    instance.lakes.iter().flat_map(|handed| {
        let paths = move |file| (handed.lake.build_sandbox_path(file), handed.lake.build_project_path(file));
        handed.files().map(paths)
    })
}
