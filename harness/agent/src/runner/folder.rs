//! The folder of a run: a run is started once, resumed with the same options only, and used by one process at a time.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use disk::temporary_files;
use records::parameters::{Change, Parameters};
use records::run::Lakes;
use records::{Bundle, Error, Price, RunInfo, run as names};

use super::limit::{Place, choose_instances};
use super::options::{Observer, Options};
use crate::atomic::{Pending, STARTS};
use crate::sandbox::{Demand, Workshop};

/// Locked while a run works in the folder. It names the folder of the sandboxes, so a later run can remove what a killed run left.
const LOCK: &str = ".lock";

/// The maximum length of a path, in bytes.
const MAX_OF_A_PATH: u64 = 4096;

/// The instances that a run selects.
#[derive(Default)]
pub struct SelectedIds {
    /// Their ids.
    pub ids: HashSet<String>,
    /// Whether one of them states tools or a number of calls.
    pub limited: bool,
}

/// The folder of a run, locked by this process.
pub struct RunFolder {
    path: PathBuf,
    lock: File,
}

impl RunFolder {
    /// Opens a new or empty folder, or that of an earlier run, and locks it. Removes what a killed run left.
    pub fn open_or_create(path: &Path) -> Result<RunFolder, Error> {
        fs::create_dir_all(path).map_err(|error| Error::new_io("make", path, &error))?;
        if !path.join(names::RUN).exists() {
            let entries = fs::read_dir(path).map_err(|error| Error::new_io("read", path, &error))?;
            for entry in entries {
                let name = entry.map_err(|error| Error::new_io("read", path, &error))?.file_name();
                // Files of a run that was killed before its first question.
                let begun =
                    [LOCK, names::BUNDLE, names::INSTANCES, names::TRANSCRIPTS].iter().any(|known| name == *known);
                if !begun && !STARTS.iter().any(|start| name.to_string_lossy().starts_with(start)) {
                    let message = format!("`{}` is not empty and holds no run", disk::show_path(&path));
                    return Err(
                        Error::new_usage(message).help("give -o a new or empty folder, or that of a run to go on with")
                    );
                }
            }
        }
        let lock = path.join(LOCK);
        let lock = open_lock(&lock).map_err(|error| Error::new_io("write", &lock, &error))?;
        if !take_lock(&lock) {
            let message = format!("another picardc is running in `{}`", disk::show_path(&path));
            return Err(Error::new_usage(message).help("wait until it is done, or give -o another folder"));
        }
        let mut left = String::new();
        // An unreadable lock file names no folder to remove.
        if (&lock).take(MAX_OF_A_PATH).read_to_string(&mut left).is_ok() && !left.is_empty() {
            Workshop::remove_leftover(Path::new(&left));
        }
        let transcripts = path.join(names::TRANSCRIPTS);
        fs::create_dir_all(&transcripts).map_err(|error| Error::new_io("make", &transcripts, &error))?;
        for folder in [path, &transcripts] {
            // Files that were being written when a run was killed.
            temporary_files::remove_leftovers(folder, &STARTS, Duration::ZERO);
        }
        Ok(RunFolder { path: path.to_owned(), lock })
    }

    /// Records the folder of the sandboxes in the lock file; with `None`, that it was removed.
    pub fn record_sandboxes(&self, sandboxes: Option<&Path>) -> Result<(), Error> {
        let mut lock = &self.lock;
        let text = sandboxes.map(|path| path.display().to_string()).unwrap_or_default();
        let written = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| lock.write_all(text.as_bytes()));
        written.map_err(|error| Error::new_io("write", &self.path.join(LOCK), &error))
    }

    /// Writes the selected instances without their files, counts them in `demand`, and returns their ids. A resumed run must select the same instances.
    pub fn write_instances(
        &self,
        bundle: &Bundle,
        options: &Options,
        demand: &mut Demand,
    ) -> Result<SelectedIds, Error> {
        let path = self.path.join(names::INSTANCES);
        let limited = options.limit.map(|limit| apply_limit(bundle, options, limit)).transpose()?;
        let mut pending = Pending::new(&path)?;
        let mut asked = SelectedIds::default();
        let mut instances = bundle.open_instances()?;
        let mut selected = 0;
        while let Some(next) = instances.next_line() {
            let (mut line, instance) = next?;
            check_id(&instance.id)?;
            if !(options.select)(&instance) {
                continue;
            }
            let chosen = limited.as_ref().is_none_or(|chosen| chosen.get(selected) == Some(&true));
            selected += 1;
            if chosen {
                if let Some(object) = line.as_object_mut() {
                    object.shift_remove("files");
                }
                pending.write_line(&line)?;
                demand.add_instance(&instance)?;
                asked.limited |= instance.tools.is_some() || instance.calls.is_some();
                asked.ids.insert(instance.id);
            }
        }
        if !self.path.join(names::RUN).exists() {
            pending.finish_file()?;
        } else if fs::read(&path).ok() != Some(pending.read_so_far()?) {
            let message = format!("the run in `{}` asks other instances", disk::show_path(&self.path));
            return Err(Error::new_usage(message).help("give the same bundle, --task and --limit, or -o a new folder"));
        }
        Ok(asked)
    }

    /// Removes the files and folders of [`RunFolder::open_or_create`] and [`RunFolder::write_instances`] if no run was started. The folder itself is removed if
    /// it is then empty.
    pub fn discard_unstarted(self) {
        if self.path.join(names::RUN).exists() {
            return;
        }
        // A file that cannot be removed stays, and a later run reuses it.
        let _ = fs::remove_file(self.path.join(names::INSTANCES));
        let _ = fs::remove_dir(self.path.join(names::TRANSCRIPTS));
        let _ = fs::remove_file(self.path.join(LOCK));
        let _ = fs::remove_dir(&self.path);
    }

    /// Compares `info` with the existing `run.json`, and returns the latter, if there is one. With `--allow-changed`, files of the agent's program may differ.
    pub fn check_existing(
        &self,
        info: &RunInfo,
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Option<RunInfo>, Error> {
        if !self.path.join(names::RUN).exists() {
            return Ok(None);
        }
        let was = RunInfo::read_folder(&self.path)?;
        let changed = check_same_run(&self.path, &was, info, options)?;
        let Some(now) = &info.parameters else { return Ok(Some(was)) };
        let unknown = Parameters::list_unknown(was.parameters.as_ref(), now);
        if !unknown.is_empty() {
            observer.report_note(&format!(
                "warning: run `{}` was started by {}, which did not record these: {}. If they were different, the run mixes both",
                self.path.display(),
                was.picardc,
                unknown.join(", ")
            ));
        }
        if changed.is_empty() {
            return Ok(Some(was));
        }
        observer.report_note(&format!(
            "warning: run `{}` goes on with other files of the program than before: {}. run.json and reports record this",
            self.path.display(),
            changed.join(", ")
        ));
        // The run is resumed with the new files.
        let known = was.changed.iter().filter(|name| !changed.contains(name)).cloned();
        let changed = known.chain(changed.iter().cloned()).collect();
        Ok(Some(RunInfo { parameters: info.parameters.clone(), changed, ..was }))
    }

    /// Writes `run.json`, unless it is already the same.
    pub fn write_run_info(&self, was: Option<RunInfo>, info: &RunInfo) -> Result<(), Error> {
        let Some(was) = was else { return write_info(&self.path, info) };
        let is = RunInfo { unverified: was.unverified || info.unverified, ..was };
        if RunInfo::read_folder(&self.path)? == is { Ok(()) } else { write_info(&self.path, &is) }
    }

    /// Records in `run.json` that an agent changed files of the bundle: the run then counts as one of an unverified bundle.
    pub fn note_changed(&self) -> Result<(), Error> {
        note_unverified(&self.path, RunInfo::read_folder(&self.path)?)
    }
}

/// Opens or creates the lock file. Anything but a regular file is an error, and is not opened.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    match disk::open_regular(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => options.create_new(true).open(path),
        Err(error) => Err(error),
        Ok(_) => options.open(path),
    }
}

/// Takes the lock; waits for it for up to a second, because a process that was just killed, or its child, may still hold it.
fn take_lock(lock: &File) -> bool {
    let until = Instant::now() + Duration::from_secs(1);
    loop {
        if lock.try_lock().is_ok() {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns which of the selected instances are chosen within a limit.
fn apply_limit(bundle: &Bundle, options: &Options, limit: u64) -> Result<Vec<bool>, Error> {
    let mut places = Vec::new();
    for instance in bundle.open_instances()? {
        let instance = instance?;
        if (options.select)(&instance) {
            places.push(Place::from_instance(&instance));
        }
    }
    Ok(choose_instances(&places, limit))
}

/// Records in `run.json` that the bundle was used at least once without a check of its digests.
pub fn note_unverified(folder: &Path, was: RunInfo) -> Result<(), Error> {
    if was.unverified { Ok(()) } else { write_info(folder, &RunInfo { unverified: true, ..was }) }
}

fn write_info(folder: &Path, info: &RunInfo) -> Result<(), Error> {
    let json = serde_json::to_vec_pretty(info).map_err(|error| Error::new_outside(error.to_string()))?;
    let mut pending = Pending::new(&folder.join(names::RUN))?;
    pending.write_bytes(&json)?;
    pending.write_bytes(b"\n")?;
    pending.finish_file()
}

/// Checks whether a run can be resumed with these options: bundle, agent, parameters, and limits must be the same. Returns the changed files of the agent's
/// program, which are an error without `--allow-changed`.
fn check_same_run(folder: &Path, was: &RunInfo, is: &RunInfo, options: &Options) -> Result<Vec<String>, Error> {
    let differs = [
        ("bundle", was.bundle.sha256.clone(), is.bundle.sha256.clone()),
        ("--agent", was.agent.clone(), is.agent.clone()),
        ("--trials", was.trials.to_string(), is.trials.to_string()),
        ("--timeout", was.timeout_s.to_string(), is.timeout_s.to_string()),
        ("--max-rounds", was.max_rounds.to_string(), is.max_rounds.to_string()),
        ("--price", describe_price(was.price), describe_price(is.price)),
    ];
    // Older runs did not record these, so they are not compared.
    let confined = was.sandbox.as_ref().zip(is.sandbox.as_ref());
    let confined = confined.map(|(was, is)| ("the sandbox", was.to_string(), is.to_string()));
    let linked = |lakes: Lakes| if lakes == Lakes::Linked { "on" } else { "off" }.to_owned();
    let lakes = was.lakes.zip(is.lakes).map(|(was, is)| ("--link-lakes", linked(was), linked(is)));
    let mut differs: Vec<String> = differs
        .into_iter()
        .chain(confined)
        .chain(lakes)
        .filter(|(_, was, is)| was != is)
        .map(|(what, was, is)| format!("{what} was `{was}` and is `{is}`"))
        .collect();
    let parameters = was.parameters.as_ref().zip(is.parameters.as_ref());
    let changes = parameters.map(|(was, is)| was.list_changes(is)).unwrap_or_default();
    let (files, others): (Vec<Change>, Vec<Change>) = changes.into_iter().partition(|change| change.file.is_some());
    differs.extend(others.into_iter().map(|change| change.sentence));
    if !differs.is_empty() {
        let message =
            format!("run `{}` was started with different options: {}", disk::show_path(&folder), differs.join("; "));
        return Err(Error::new_usage(message).help("use the same options, or give -o a new folder"));
    }
    if !files.is_empty() && !options.allow_changed {
        let sentences: Vec<&str> = files.iter().map(|change| change.sentence.as_str()).collect();
        let message =
            format!("run `{}` was started with another program: {}", disk::show_path(&folder), sentences.join("; "));
        return Err(Error::new_usage(message).help(
            "restore the files, or give -o a new folder; --allow-changed goes on and mixes both, which run.json and reports record",
        ));
    }
    Ok(files.into_iter().filter_map(|change| change.file).collect())
}

/// For messages.
fn describe_price(price: Option<Price>) -> String {
    price.map_or_else(|| "none".to_owned(), |price| price.to_string())
}

/// Checks that an id can be the name of a file.
fn check_id(id: &str) -> Result<(), Error> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if (1..=200).contains(&id.len()) && id.chars().all(fits) {
        return Ok(());
    }
    Err(Error::new_usage(format!("`{id}` is not the id of an instance"))
        .help("is it an `instances.jsonl` of `picardc build`?"))
}
