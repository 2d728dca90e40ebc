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
use std::sync::atomic::AtomicBool;

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
use model::threads::try_map_on_threads;

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
    manifest.write_bundle(staging, files, cancel)
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
    let (window, chunks) = Window::new((range.end - range.start).div_ceil(CHUNK), 2 * makers + 2);
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
        window,
        cancel,
    };
    let written = std::thread::scope(|scope| {
        for started in 0..makers {
            match std::thread::Builder::new().spawn_scoped(scope, || maker.make_chunks()) {
                Err(error) if started == 0 => return Err(failures::new_io("start a thread", &error)),
                // The other threads do its work.
                _ => {}
            }
        }
        for part in chunks.into_iter().flatten() {
            let part = part?;
            lines.write_bytes(&part.lines).map_err(|error| failures::new_io("write instances.jsonl", &error))?;
            if let Some(keys) = &mut keys {
                keys.write_bytes(&part.keys).map_err(|error| failures::new_io("write keys.jsonl", &error))?;
            }
            part.files.iter().try_for_each(|(sha256, path)| digests.add_file(sha256, path))?;
            progress.report_written(part.instances);
        }
        Ok(())
    });
    // An interrupted query is not a failure of the suite.
    failures::check_cancelled(cancel)?;
    written?;
    maker.statics.copy_files(folder, &mut digests, cancel)?;
    let files = digests.file_count();
    manifest.instances_sha256 = lines.into_digest();
    manifest.keys_sha256 = keys.map(HashingFile::into_digest);
    manifest.files_sha256 = digests.compute_digest()?;
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
    window: Window<Result<Part, Failure>>,
    cancel: &'a AtomicBool,
}

impl Maker<'_> {
    /// Makes chunks until none is left to claim; every thread runs this.
    fn make_chunks(&self) {
        let _here = self.window.register_maker();
        // The level folders that this thread has created.
        let mut levels = BTreeSet::new();
        while let Some((chunk, parts)) = self.window.claim_chunk() {
            let start = self.range.start + chunk * CHUNK;
            let mut part = Part::default();
            for index in start..(start + CHUNK).min(self.range.end) {
                if part.lines.len() >= PART && parts.send(Ok(std::mem::take(&mut part))).is_err() {
                    return;
                }
                let made = failures::check_cancelled(self.cancel);
                if let Err(failure) = made.and_then(|()| self.make_instance(index, &mut part, &mut levels)) {
                    // If the writer is gone, an earlier chunk failed.
                    let _ = parts.send(Err(failure));
                    return;
                }
            }
            if parts.send(Ok(part)).is_err() {
                return;
            }
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
        let wrong = |path: &str, error: io::Error| failures::new_io(format!("write {home}/{path}"), &error);
        fs::create_dir(&below).map_err(|error| wrong("", error))?;
        let mut made = "";
        let own: Vec<&SandboxFile> = instance.files.iter().filter(|file| file.bytes.as_lent().is_none()).collect();
        for file in &own {
            layout::check_path(&file.path)?;
            let inner = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            if inner != made {
                fs::create_dir_all(below.join(inner)).map_err(|error| wrong(&file.path, error))?;
                made = inner;
            }
        }
        part.files.extend(try_map_on_threads(self.threads, own.len(), |at| -> Result<_, Failure> {
            let file = own[at];
            // `create_new`, because two files at one path are a mistake that generation should have found.
            let mut to = File::create_new(below.join(&file.path)).map_err(|error| wrong(&file.path, error))?;
            io::Write::write_all(&mut to, &file.bytes).map_err(|error| wrong(&file.path, error))?;
            Ok((disk::digest::hash_sha256(&file.bytes), format!("{home}/{}", file.path)))
        })?);
        Ok(())
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
