//! Makes the samples in memory, on several threads, and keeps what is looked at of each instance.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use runtime::Failure;
use runtime::bundle::{Progress, source_digest};
use runtime::generate::{Address, Generator, Instance};

use super::answers::answer;

/// Keys of answers are kept as they are up to so many bytes, longer ones by their digest.
const KEPT: usize = 64;

/// What is kept of an instance.
pub struct Seen {
    /// Which.
    pub address: Address,
    /// The same for the same prompt, files and folders.
    pub question: String,
    /// The same for the same answer.
    pub answer: String,
    /// The answer as people see it.
    pub shown: String,
    /// How often the sample was drawn again.
    pub attempt: u32,
    /// The answer has a null.
    pub null: bool,
    /// The answer has an empty value.
    pub empty: bool,
    /// Of its files.
    pub bytes: u64,
    /// What it took to make, in nanoseconds.
    pub nanos: u64,
}

/// Parts of answers, place and value, that are the same in all instances, by (task, variant).
pub type SameParts = BTreeMap<(u32, u32), BTreeMap<String, String>>;

/// Makes all instances of the generator. They come in its order, whatever the number of threads (0: as many as cores); of several failures the
/// first in that order is given.
pub fn measure(
    generator: &Generator<'_>,
    threads: usize,
    progress: &(impl Progress + Sync),
) -> Result<(Vec<Seen>, SameParts), Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores() } else { threads };
    let count = generator.count();
    let next = AtomicU64::new(0);
    let failed: Mutex<Option<(u64, Failure)>> = Mutex::new(None);
    // Behind the first failure nothing is made; all before it is, because indexes are taken in order.
    let stop = AtomicU64::new(u64::MAX);
    let work = || {
        let (mut seen, mut same) = (Vec::new(), SameParts::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || index > stop.load(Ordering::Relaxed) {
                return (seen, same);
            }
            let Some(address) = generator.address(index) else { return (seen, same) };
            let started = Instant::now();
            match generator.instance(address) {
                Ok(instance) => {
                    let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
                    seen.push((index, look(&instance, address, nanos, &mut same)));
                }
                Err(failure) => {
                    stop.fetch_min(index, Ordering::Relaxed);
                    let mut first = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(at, _)| index < *at) {
                        *first = Some((index, failure));
                    }
                }
            }
            progress.advance(1);
        }
    };
    let made: Vec<_> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        [own].into_iter().chain(others.into_iter().map(join)).collect()
    });
    if let Some((_, failure)) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    let (mut all, mut same) = (Vec::new(), SameParts::new());
    for (seen, parts) in made {
        all.extend(seen);
        for (row, parts) in parts {
            narrow(&mut same, row, parts);
        }
    }
    all.sort_unstable_by_key(|(index, _)| *index);
    Ok((all.into_iter().map(|(_, seen)| seen).collect(), same))
}

fn look(instance: &Instance, address: Address, nanos: u64, same: &mut SameParts) -> Seen {
    let answer = answer(&instance.expects);
    narrow(same, (address.task, address.variant), answer.parts.into_iter().collect());
    Seen {
        address,
        question: question(instance),
        answer: if answer.key.len() > KEPT { source_digest([("", answer.key.as_bytes())]) } else { answer.key },
        shown: answer.shown,
        attempt: instance.attempt,
        null: answer.null,
        empty: answer.empty,
        bytes: instance.files.iter().map(|file| file.bytes.len() as u64).sum(),
        nanos,
    }
}

/// The digest of the prompt, and of files and folders in the order of the source. (The digest of a source is one of named contents, too.)
fn question(instance: &Instance) -> String {
    let files = (0..).zip(instance.files.iter()).map(|(at, file)| (format!("{at} {}", file.path), &file.bytes[..]));
    let folders = instance.folders.iter().map(|folder| (format!("folder {folder}"), &[][..]));
    let all: Vec<(String, &[u8])> =
        [("prompt".to_owned(), instance.prompt.as_bytes())].into_iter().chain(files).chain(folders).collect();
    source_digest(all.iter().map(|(name, bytes)| (name.as_str(), *bytes)))
}

/// Keeps of a row's parts those that are in `parts` too, with the same value.
fn narrow(same: &mut SameParts, row: (u32, u32), parts: BTreeMap<String, String>) {
    match same.get_mut(&row) {
        None => {
            same.insert(row, parts);
        }
        Some(kept) => kept.retain(|place, value| parts.get(place) == Some(value)),
    }
}
