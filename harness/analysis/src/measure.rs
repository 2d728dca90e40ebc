//! Makes the samples in memory, on several threads, and keeps what is looked at of each instance.

use std::collections::BTreeMap;

use disk::digest::hash_sha256;
use model::Scorer;
use model::answer_key::{Expected, Trap};
use model::suite::LakeFile;
use runtime::Failure;
use runtime::bundle::compute_source_digest;
use runtime::generate::{Address, Generator, HandedOut, Instance};

use super::answers::compute_answer;
use crate::samples::{RunOptions, fold_samples};

/// Keys of answers of at most this number of bytes are kept as they are, longer ones as their digest.
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
    /// The traps that an answer can be told from the right one by, in the key's order.
    pub traps: Vec<String>,
    /// The labels of its cell of the axes.
    pub axis: Vec<String>,
    /// The kinds of dirt that the answer could depend on.
    pub dirt: Vec<String>,
    /// Those of them by which the answer would also be wrong if the rows that have it were left out.
    pub dropped: Vec<String>,
    /// Whether it was given descriptions of databases, and all of them name nothing that the expected query reads; none without one.
    pub blind: Option<bool>,
    /// Of its files.
    pub bytes: u64,
    /// What it took to make, in nanoseconds.
    pub nanos: u64,
}

/// Parts of answers, place and value, that are the same in all instances, by (task, variant).
pub type SameParts = BTreeMap<(u32, u32), BTreeMap<String, String>>;

/// Makes all instances of the generator. They come in its order, with any number of threads.
///
/// # Errors
/// An instance cannot be made; of several such, the first in that order.
pub fn measure_instances(generator: &Generator<'_>, effort: RunOptions<'_>) -> Result<(Vec<Seen>, SameParts), Failure> {
    type Gathered = (Vec<(u64, Seen)>, SameParts);
    let made =
        fold_samples(generator, Generator::generate_for_judging, effort, |(seen, same): &mut Gathered, made| {
            seen.push((made.index, inspect_instance(&made.instance, made.address, made.nanos, same)));
        })?;
    let (mut all, mut same) = (Vec::new(), SameParts::new());
    for (seen, parts) in made {
        all.extend(seen);
        for (row, parts) in parts {
            narrow_parts(&mut same, row, parts);
        }
    }
    all.sort_unstable_by_key(|(index, _)| *index);
    Ok((all.into_iter().map(|(_, seen)| seen).collect(), same))
}

fn inspect_instance(instance: &Instance, address: Address, nanos: u64, same: &mut SameParts) -> Seen {
    let answer = compute_answer(&instance.expects, &instance.files);
    narrow_parts(same, (address.task, address.variant), answer.parts.into_iter().collect());
    Seen {
        address,
        question: digest_question(instance),
        answer: if answer.key.len() > KEPT {
            compute_source_digest([("", hash_sha256(answer.key.as_bytes()))])
        } else {
            answer.key
        },
        shown: answer.shown,
        attempt: instance.attempt,
        null: answer.null,
        empty: answer.empty,
        traps: list_wrong_traps(instance.expects.iter().map(|expect| (expect, expect.traps.as_slice()))),
        axis: instance.axis.iter().map(|(_, label, _)| label.clone()).collect(),
        dirt: instance.dirt.clone(),
        dropped: list_wrong_traps(instance.expects.iter().zip(instance.dropped.iter().map(Vec::as_slice))),
        blind: (!instance.described.is_empty()).then(|| instance.described.iter().all(|one| one.visible == 0.0)),
        bytes: instance.files.iter().map(|file| file.bytes.len() as u64).sum::<u64>()
            + instance.lakes.iter().map(HandedOut::count_bytes).sum::<u64>(),
        nanos,
    }
}

/// The names of the traps that are not right by the matcher, each once.
fn list_wrong_traps<'e>(traps: impl IntoIterator<Item = (&'e Expected, &'e [Trap])>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (expect, traps) in traps {
        for trap in traps {
            // What cannot be computed is null.
            let is_right = !trap.value.is_null() && score::is_right(expect, trap, Scorer::CURRENT);
            if !is_right && !names.contains(&trap.name) {
                names.push(trap.name.clone());
            }
        }
    }
    names
}

/// The digest of the prompt, and of files and folders in the order of the source. (The digest of a source is one of named contents, too.)
fn digest_question(instance: &Instance) -> String {
    let files = (0..).zip(instance.files.iter()).map(|(at, file)| (format!("{at} {}", file.path), &file.bytes[..]));
    // Files of a lake are what they are: their names tell two questions apart.
    let lent = instance.lakes.iter().flat_map(|handed| {
        let named = |file: &LakeFile| (format!("lake {}/{}", handed.lake.from, file.path), &[][..]);
        handed.files().map(named).collect::<Vec<_>>()
    });
    let folders = instance.folders.iter().map(|folder| (format!("folder {folder}"), &[][..]));
    let all: Vec<(String, &[u8])> = [("prompt".to_owned(), instance.prompt.as_bytes())]
        .into_iter()
        .chain(files)
        .chain(lent)
        .chain(folders)
        .collect();
    compute_source_digest(all.iter().map(|(name, bytes)| (name.as_str(), hash_sha256(bytes))))
}

/// Keeps of a row's parts those that are in `parts` too, with the same value.
fn narrow_parts(same: &mut SameParts, row: (u32, u32), parts: BTreeMap<String, String>) {
    match same.get_mut(&row) {
        None => {
            same.insert(row, parts);
        }
        Some(kept) => kept.retain(|place, value| parts.get(place) == Some(value)),
    }
}
