//! Makes instances on several threads and writes them in order.
//!
//! Makers claim chunks of instances, write their files and render their lines; the calling thread appends the lines in order, hashes
//! them and reports progress. Memory holds a few chunks, however many instances there are. The first failure in the bundle's order
//! (not in time) ends it, so the same mistake gives the same message on any number of threads.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use serde_json::Map;

use super::atomic::Staging;
use super::digest::{FileDigests, HashingFile};
use super::layout::{self, Layout};
use super::manifest::Manifest;
use super::record::{FilesAs, Recorder};
use super::statics::Statics;
use super::window::Window;
use super::{Progress, Settings, Source, Summary, failures};
use crate::Failure;
use crate::generate::{Instance, SandboxFile};

/// Instances in a chunk.
const CHUNK: u64 = 16;

/// Bytes of lines after which a chunk is handed over in parts.
const PART: usize = 1 << 20;

/// Builds the bundle and moves it to `out`. When `cancel` becomes true it stops and removes what it wrote.
pub fn write(
    source: &dyn Source,
    settings: &Settings,
    out: &Path,
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Summary, Failure> {
    let staging = Staging::new(out, settings.force)?;
    let count = source.count();
    let range = settings.shard.map_or(0..count, |shard| shard.range(count));
    let mut manifest = Manifest::new(source.plan(), source.options(), settings);
    manifest.tasks = counts(source, &range);
    manifest.instances = range.end - range.start;
    let files = write_lines(source, settings, staging.folder(), &range, progress, cancel, &mut manifest)?;
    manifest.seal();
    fs::write(staging.folder().join("manifest.json"), manifest.to_text())
        .map_err(|error| failures::io("write manifest.json", &error))?;
    if cancel.load(Ordering::Relaxed) {
        return Err(failures::interrupted());
    }
    staging.commit()?;
    Ok(Summary { instances: manifest.instances, files, bundle_sha256: manifest.bundle_sha256 })
}

/// How many instances of each selected task lie in `range`.
fn counts(source: &dyn Source, range: &Range<u64>) -> Map<String, serde_json::Value> {
    let mut start = 0u64;
    let mut counts = Map::new();
    for (task, samples) in source.samples() {
        let Some(task) = source.plan().tasks.get(task as usize) else { continue };
        let end = start + u64::from(samples) * u64::from(task.instances_per_sample());
        let here = end.min(range.end).saturating_sub(start.max(range.start));
        counts.insert(task.name.clone(), here.into());
        start = end;
    }
    counts
}

/// Lines and files of some instances, on their way to the writer.
#[derive(Default)]
struct Part {
    instances: u64,
    lines: Vec<u8>,
    keys: Vec<u8>,
    /// Digest and path of each file written.
    files: Vec<(String, String)>,
}

impl Part {
    fn clear(&mut self) {
        self.instances = 0;
        self.lines.clear();
        self.keys.clear();
        self.files.clear();
    }
}

/// Writes `instances.jsonl`, `keys.jsonl`, `files/` and `static/`, and their digests into the manifest. Gives the number of files.
fn write_lines(
    source: &dyn Source,
    settings: &Settings,
    folder: &Path,
    range: &Range<u64>,
    progress: &dyn Progress,
    cancel: &AtomicBool,
    manifest: &mut Manifest,
) -> Result<u64, Failure> {
    let mut lines = create(folder, "instances.jsonl")?;
    let mut keys = if settings.split_keys { Some(create(folder, "keys.jsonl")?) } else { None };
    let mut digests = FileDigests::new(folder);
    let (makers, each) = threads(settings, range);
    let window = Window::new((range.end - range.start).div_ceil(CHUNK), makers, 2 * makers as u64 + 2);
    let maker = Maker {
        source,
        folder,
        range,
        layout: Layout::new(&source.samples()),
        recorder: Recorder::new(source.plan(), settings.split_keys),
        inline: settings.inline,
        threads: each,
        statics: Statics::new(settings.project.clone()),
        window: &window,
        spare: Mutex::new(Vec::new()),
        failed: Mutex::new(None),
        cancel,
    };
    let written = std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..makers {
            match std::thread::Builder::new().spawn_scoped(scope, || maker.work()) {
                Ok(_) => started += 1,
                // The others do its work; a maker that never came is not waited for.
                Err(_) if started > 0 => drop(window.maker()),
                Err(error) => return Err(failures::io("start a thread", &error)),
            }
        }
        // Whatever ends the writer, the makers must not wait for it.
        let _stop = StopOnDrop(&window);
        while let Some(mut part) = window.take() {
            lines.write(&part.lines).map_err(|error| failures::io("write instances.jsonl", &error))?;
            if let Some(keys) = &mut keys {
                keys.write(&part.keys).map_err(|error| failures::io("write keys.jsonl", &error))?;
            }
            for (sha256, path) in &part.files {
                digests.add(sha256, path).map_err(|error| failures::io("note a file's digest", &error))?;
            }
            progress.advance(part.instances);
            part.clear();
            maker.give_back(part);
        }
        Ok(())
    });
    // A query that was interrupted is not a failure of the suite.
    if cancel.load(Ordering::Relaxed) {
        return Err(failures::interrupted());
    }
    if let Some((_, failure)) = maker.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    written?;
    maker.statics.copy(folder, &mut digests, cancel)?;
    let files = digests.count();
    manifest.instances_sha256 = lines.finish();
    manifest.keys_sha256 = keys.map(HashingFile::finish);
    manifest.files_sha256 = digests.finish().map_err(|error| failures::io("sort the files' digests", &error))?;
    Ok(files)
}

fn create(folder: &Path, name: &str) -> Result<HashingFile, Failure> {
    File::create(folder.join(name)).map(HashingFile::new).map_err(|error| failures::io(format!("write {name}"), &error))
}

/// How many threads make instances, and how many may make one of them: where there are few instances, those that are left.
fn threads(settings: &Settings, range: &Range<u64>) -> (usize, usize) {
    let wanted = match settings.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let chunks = (range.end - range.start).div_ceil(CHUNK);
    let makers = wanted.min(usize::try_from(chunks).unwrap_or(usize::MAX)).max(1);
    (makers, (wanted / makers).max(1))
}

struct StopOnDrop<'w>(&'w Window<Part>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// What the makers share.
struct Maker<'a> {
    source: &'a dyn Source,
    folder: &'a Path,
    range: &'a Range<u64>,
    layout: Layout,
    recorder: Recorder,
    inline: bool,
    /// How many make an instance.
    threads: usize,
    statics: Statics,
    window: &'a Window<Part>,
    /// Buffers to be used again.
    spare: Mutex<Vec<Part>>,
    /// The failure with the lowest index.
    failed: Mutex<Option<(u64, Failure)>>,
    cancel: &'a AtomicBool,
}

impl Maker<'_> {
    /// What each thread does.
    fn work(&self) {
        let _here = self.window.maker();
        // The levels that this thread has made sure of.
        let mut levels = BTreeSet::new();
        while let Some(chunk) = self.window.claim() {
            let start = self.range.start + chunk * CHUNK;
            let mut part = self.fresh();
            for index in start..(start + CHUNK).min(self.range.end) {
                if self.cancel.load(Ordering::Relaxed) {
                    self.window.stop(chunk);
                    return;
                }
                if let Err(failure) = self.make(index, &mut part, &mut levels) {
                    self.fail(index, failure);
                    self.window.stop(chunk);
                    return;
                }
                if part.lines.len() >= PART {
                    let full = std::mem::replace(&mut part, self.fresh());
                    if !self.window.submit(chunk, full, false) {
                        return;
                    }
                }
            }
            if !self.window.submit(chunk, part, true) {
                return;
            }
        }
    }

    fn fresh(&self) -> Part {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, part: Part) {
        // One large instance must not be remembered by every buffer.
        if part.lines.capacity() <= 4 * PART {
            self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(part);
        }
    }

    fn fail(&self, index: u64, failure: Failure) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| index < *first) {
            *failed = Some((index, failure));
        }
    }

    fn make(&self, index: u64, part: &mut Part, levels: &mut BTreeSet<String>) -> Result<(), Failure> {
        let Some(address) = self.source.address(index) else {
            return Err(failures::usage(format!("instance {index} does not exist")));
        };
        let instance = self.source.instance(address, self.threads)?;
        part.instances += 1;
        if self.inline {
            let contents = self.statics.contents(&instance)?;
            self.recorder.record(&mut part.lines, &mut part.keys, &instance, FilesAs::Inline(&contents));
            return Ok(());
        }
        self.statics.want(&instance);
        let level = self.layout.level(address, &instance.task);
        let home = format!("{}/{}", level.as_deref().unwrap_or("files"), instance.files_id);
        self.recorder.record(&mut part.lines, &mut part.keys, &instance, FilesAs::Below(&home));
        if instance.files.iter().any(|file| file.bytes.lent().is_none())
            && self.layout.writes(address, index, self.range)
        {
            let level = level.unwrap_or_else(|| "files".to_owned());
            if !levels.contains(&level) {
                fs::create_dir_all(self.folder.join(&level))
                    .map_err(|error| failures::io(format!("create {level}"), &error))?;
                levels.insert(level);
            }
            self.write_files(&home, &instance, part)?;
        }
        Ok(())
    }

    fn write_files(&self, home: &str, instance: &Instance, part: &mut Part) -> Result<(), Failure> {
        let below = self.folder.join(home);
        let wrong = |path: &str, error: &io::Error| failures::io(format!("write {home}/{path}"), error);
        fs::create_dir(&below).map_err(|error| wrong("", &error))?;
        let mut made = "";
        let own: Vec<&SandboxFile> = instance.files.iter().filter(|file| file.bytes.lent().is_none()).collect();
        for file in &own {
            layout::check_path(&file.path)?;
            let inner = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if inner != made {
                fs::create_dir_all(below.join(inner)).map_err(|error| wrong(&file.path, &error))?;
                made = inner;
            }
        }
        let one = |file: &SandboxFile| {
            // `create_new`: two files at one path would be a mistake that generation should have seen.
            let mut to = File::create_new(below.join(&file.path)).map_err(|error| wrong(&file.path, &error))?;
            io::Write::write_all(&mut to, &file.bytes).map_err(|error| wrong(&file.path, &error))?;
            Ok((disk::digest::sha256(&file.bytes), format!("{home}/{}", file.path)))
        };
        let some = |files: &[&SandboxFile]| files.iter().copied().map(one).collect::<Result<Vec<_>, Failure>>();
        let mut shares = own.chunks(own.len().div_ceil(self.threads).max(1));
        let own = shares.next().unwrap_or_default();
        std::thread::scope(|scope| {
            let start = |files| (files, std::thread::Builder::new().spawn_scoped(scope, move || some(files)));
            let others: Vec<_> = shares.map(start).collect();
            part.files.extend(some(own)?);
            for (files, other) in others {
                part.files.extend(match other.map(ScopedJoinHandle::join) {
                    Ok(Ok(done)) => done?,
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    // A thread that never came.
                    Err(_) => some(files)?,
                });
            }
            Ok(())
        })
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
