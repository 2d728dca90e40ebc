//! Makes instances on several threads and writes them in order.
//!
//! Makers claim chunks of instances, write their files, and render their lines. The calling thread appends the lines in order, hashes them, and
//! reports progress. Memory holds a few chunks, regardless of the number of instances. The first failure in the bundle's order (not in time) ends the
//! build, so the same mistake causes the same message on any number of threads.

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
use super::window::{Place, Window};
use super::{Progress, Settings, Source, Summary, failures};
use crate::Failure;
use crate::generate::{Instance, SandboxFile};

/// Number of instances in a chunk.
const CHUNK: u64 = 16;

/// Number of bytes of lines after which a chunk is passed on in parts.
const PART: usize = 1 << 20;

/// Builds the bundle and moves it to `out`. When `cancel` becomes true, it stops and removes what it wrote.
pub fn write_bundle(
    source: &dyn Source,
    settings: &Settings,
    out: &Path,
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Summary, Failure> {
    let staging = Staging::new(out, settings.force)?;
    let count = source.count_instances();
    let range = settings.shard.map_or(0..count, |shard| shard.compute_range(count));
    let mut manifest = Manifest::new(source.plan(), source.options(), settings);
    manifest.tasks = count_instances(source, &range);
    manifest.instances = range.end - range.start;
    let files = write_lines(source, settings, staging.folder(), &range, progress, cancel, &mut manifest)?;
    manifest.set_bundle_digest();
    fs::write(staging.folder().join("manifest.json"), manifest.to_text())
        .map_err(|error| failures::new_io("write manifest.json", &error))?;
    if cancel.load(Ordering::Relaxed) {
        return Err(failures::new_interrupted());
    }
    staging.commit_folder()?;
    Ok(Summary { instances: manifest.instances, files, bundle_sha256: manifest.bundle_sha256 })
}

/// Counts the instances of each selected task in `range`.
fn count_instances(source: &dyn Source, range: &Range<u64>) -> Map<String, serde_json::Value> {
    let mut start = 0u64;
    let mut counts = Map::new();
    for (task, samples) in source.list_sample_counts() {
        let Some(task) = source.plan().tasks.get(task as usize) else { continue };
        let end = start + u64::from(samples) * u64::from(task.count_instances());
        let here = end.min(range.end).saturating_sub(start.max(range.start));
        counts.insert(task.name.clone(), here.into());
        start = end;
    }
    counts
}

/// Lines and files of some instances, passed to the writer.
#[derive(Default)]
struct Part {
    instances: u64,
    lines: Vec<u8>,
    keys: Vec<u8>,
    /// Digest and path of each written file.
    files: Vec<(String, String)>,
}

impl Part {
    fn clear_buffers(&mut self) {
        self.instances = 0;
        self.lines.clear();
        self.keys.clear();
        self.files.clear();
    }
}

/// Writes `instances.jsonl`, `keys.jsonl`, `files/`, and `static/`, and sets their digests in the manifest. Returns the number of files.
fn write_lines(
    source: &dyn Source,
    settings: &Settings,
    folder: &Path,
    range: &Range<u64>,
    progress: &dyn Progress,
    cancel: &AtomicBool,
    manifest: &mut Manifest,
) -> Result<u64, Failure> {
    let mut lines = create_file(folder, "instances.jsonl")?;
    let mut keys = if settings.split_keys { Some(create_file(folder, "keys.jsonl")?) } else { None };
    let mut digests = FileDigests::new(folder);
    let (makers, each) = choose_thread_counts(settings, range);
    let window = Window::new((range.end - range.start).div_ceil(CHUNK), makers, 2 * makers as u64 + 2);
    let mut recorder = Recorder::new(source.plan());
    recorder.split_keys = settings.split_keys;
    let maker = Maker {
        source,
        folder,
        range,
        layout: Layout::new(&source.list_sample_counts()),
        recorder,
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
            match std::thread::Builder::new().spawn_scoped(scope, || maker.make_chunks()) {
                Ok(_) => started += 1,
                // The other threads do its work; the writer must not wait for a maker that never started.
                Err(_) if started > 0 => drop(window.register_maker()),
                Err(error) => return Err(failures::new_io("start a thread", &error)),
            }
        }
        // However the writer ends, the makers must not wait for it.
        let _stop = StopOnDrop(&window);
        while let Some(mut part) = window.take_part() {
            lines.write_bytes(&part.lines).map_err(|error| failures::new_io("write instances.jsonl", &error))?;
            if let Some(keys) = &mut keys {
                keys.write_bytes(&part.keys).map_err(|error| failures::new_io("write keys.jsonl", &error))?;
            }
            for (sha256, path) in &part.files {
                digests.add_file(sha256, path).map_err(|error| failures::new_io("note a file's digest", &error))?;
            }
            progress.report_written(part.instances);
            part.clear_buffers();
            maker.give_back(part);
        }
        Ok(())
    });
    // An interrupted query is not a failure of the suite.
    if cancel.load(Ordering::Relaxed) {
        return Err(failures::new_interrupted());
    }
    if let Some((_, failure)) = maker.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    written?;
    maker.statics.copy_files(folder, &mut digests, cancel)?;
    let files = digests.file_count();
    manifest.instances_sha256 = lines.into_digest();
    manifest.keys_sha256 = keys.map(HashingFile::into_digest);
    manifest.files_sha256 =
        digests.compute_digest().map_err(|error| failures::new_io("sort the files' digests", &error))?;
    Ok(files)
}

fn create_file(folder: &Path, name: &str) -> Result<HashingFile, Failure> {
    File::create(folder.join(name))
        .map(HashingFile::new)
        .map_err(|error| failures::new_io(format!("write {name}"), &error))
}

/// Returns the number of threads that make instances, and the number for each instance: with few instances, they share the remaining threads.
fn choose_thread_counts(settings: &Settings, range: &Range<u64>) -> (usize, usize) {
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
        self.0.stop_all();
    }
}

/// The state that the makers share.
struct Maker<'a> {
    source: &'a dyn Source,
    folder: &'a Path,
    range: &'a Range<u64>,
    layout: Layout,
    recorder: Recorder,
    inline: bool,
    /// Number of threads that make one instance.
    threads: usize,
    statics: Statics,
    window: &'a Window<Part>,
    /// Buffers for reuse.
    spare: Mutex<Vec<Part>>,
    /// The failure with the lowest index.
    failed: Mutex<Option<(u64, Failure)>>,
    cancel: &'a AtomicBool,
}

impl Maker<'_> {
    /// Makes chunks until none is left to claim; every thread runs this.
    fn make_chunks(&self) {
        let _here = self.window.register_maker();
        // The level folders that this thread has created.
        let mut levels = BTreeSet::new();
        while let Some(chunk) = self.window.claim_chunk() {
            let start = self.range.start + chunk * CHUNK;
            let mut part = self.take_buffer();
            for index in start..(start + CHUNK).min(self.range.end) {
                if self.cancel.load(Ordering::Relaxed) {
                    self.window.stop_after(chunk);
                    return;
                }
                if let Err(failure) = self.make_instance(index, &mut part, &mut levels) {
                    self.record_failure(index, failure);
                    self.window.stop_after(chunk);
                    return;
                }
                if part.lines.len() >= PART {
                    let full = std::mem::replace(&mut part, self.take_buffer());
                    if !self.window.submit_part(chunk, full, Place::Inner) {
                        return;
                    }
                }
            }
            if !self.window.submit_part(chunk, part, Place::Last) {
                return;
            }
        }
    }

    fn take_buffer(&self) -> Part {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, part: Part) {
        // A buffer that one large instance has grown is not kept.
        if part.lines.capacity() <= 4 * PART {
            self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(part);
        }
    }

    fn record_failure(&self, index: u64, failure: Failure) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| index < *first) {
            *failed = Some((index, failure));
        }
    }

    fn make_instance(&self, index: u64, part: &mut Part, levels: &mut BTreeSet<String>) -> Result<(), Failure> {
        let Some(address) = self.source.resolve_address(index) else {
            return Err(failures::new_usage(format!("instance {index} does not exist")));
        };
        let instance = self.source.generate_instance(address, self.threads)?;
        part.instances += 1;
        if self.inline {
            let contents = self.statics.read_contents(&instance)?;
            self.recorder.record_instance(&mut part.lines, &mut part.keys, &instance, FilesAs::Inline(&contents));
            return Ok(());
        }
        self.statics.note_files(&instance);
        let level = self.layout.build_level_path(address, &instance.task);
        let home = format!("{}/{}", level.as_deref().unwrap_or("files"), instance.files_id);
        self.recorder.record_instance(&mut part.lines, &mut part.keys, &instance, FilesAs::Below(&home));
        if instance.files.iter().any(|file| file.bytes.as_lent().is_none())
            && self.layout.is_writer(address, index, self.range)
        {
            let level = level.unwrap_or_else(|| "files".to_owned());
            if !levels.contains(&level) {
                fs::create_dir_all(self.folder.join(&level))
                    .map_err(|error| failures::new_io(format!("create {level}"), &error))?;
                levels.insert(level);
            }
            self.write_files(&home, &instance, part)?;
        }
        Ok(())
    }

    fn write_files(&self, home: &str, instance: &Instance, part: &mut Part) -> Result<(), Failure> {
        let below = self.folder.join(home);
        let wrong = |path: &str, error: &io::Error| failures::new_io(format!("write {home}/{path}"), error);
        fs::create_dir(&below).map_err(|error| wrong("", &error))?;
        let mut made = "";
        let own: Vec<&SandboxFile> = instance.files.iter().filter(|file| file.bytes.as_lent().is_none()).collect();
        for file in &own {
            layout::check_path(&file.path)?;
            let inner = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if inner != made {
                fs::create_dir_all(below.join(inner)).map_err(|error| wrong(&file.path, &error))?;
                made = inner;
            }
        }
        let one = |file: &SandboxFile| {
            // `create_new`, because two files at one path are a mistake that generation should have found.
            let mut to = File::create_new(below.join(&file.path)).map_err(|error| wrong(&file.path, &error))?;
            io::Write::write_all(&mut to, &file.bytes).map_err(|error| wrong(&file.path, &error))?;
            Ok((disk::digest::hash_sha256(&file.bytes), format!("{home}/{}", file.path)))
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
