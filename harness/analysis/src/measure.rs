//! Makes the samples in memory, on several threads, and keeps facts about each instance.

use std::collections::BTreeMap;

use disk::digest::hash_sha256;
use model::Scorer;
use model::answer_key::{Expected, Trap};
use model::suite::LakeFile;
use runtime::Failure;
use runtime::bundle::compute_source_digest;
use runtime::generate::{Address, Generator, HandedOut, Instance};

use super::answers::compute_answer;
use crate::samples::{Made, RunOptions, fold_samples};
use crate::trial::{Plans, Trial};

/// The maximum length of an answer key that is kept, in bytes; of a longer one, the digest is kept.
const KEPT: usize = 64;
/// The maximum length of an answer key for which constant replies are tried, in bytes.
const TRIED_KEY: usize = 1024;

/// The facts about an instance.
pub struct Seen {
    /// Its ID.
    pub id: String,
    /// Its address.
    pub address: Address,
    /// Its answer key; `None` if it is long.
    pub key: Option<Vec<Expected>>,
    /// The results of what was tried on it.
    pub trial: Option<Trial>,
    /// A digest: the same for the same prompt, files, and folders.
    pub question: String,
    /// The key or digest: the same for the same answer.
    pub answer: String,
    /// The answer for people.
    pub shown: String,
    /// How often the sample was drawn again.
    pub attempt: u32,
    /// Whether the answer has a null.
    pub null: bool,
    /// Whether the answer has an empty value.
    pub empty: bool,
    /// Whether mistakes were tried on it, and the traps and kinds of dirt are known.
    pub judged: bool,
    /// The traps whose values the matchers distinguish from the correct answer, in the key's order.
    pub traps: Vec<String>,
    /// The labels of its cell of the axes.
    pub axis: Vec<String>,
    /// The kinds of dirt on which the answer can depend.
    pub dirt: Vec<String>,
    /// The kinds of dirt that also change the answer if the dirty rows are left out.
    pub dropped: Vec<String>,
    /// Whether no description of a database that it was given names anything that the expected query reads; `None` without descriptions.
    pub blind: Option<bool>,
    /// The total size of its files.
    pub bytes: u64,
    /// The time to make it, in nanoseconds.
    pub nanos: u64,
}

/// The parts of answers, with place and value, that are the same in all instances, by (task, variant).
pub type SameParts = BTreeMap<(u32, u32), BTreeMap<String, String>>;

/// Makes all instances of the generator. The result is in its order, with any number of threads.
///
/// # Errors
/// An instance cannot be made; the error is that of the first one in that order.
pub fn measure_instances(generator: &Generator<'_>, effort: RunOptions<'_>) -> Result<(Vec<Seen>, SameParts), Failure> {
    type Gathered = (Vec<(u64, Seen)>, SameParts);
    let plans = Plans::from_generator(generator);
    let make = |generator: &Generator<'_>, address: Address| {
        let inquiry = plans.find_inquiry(address.task, address.variant, address.sample);
        match inquiry {
            Some(inquiry) => generator.generate_for_judging(address, inquiry),
            None => generator.generate_without_traps(address),
        }
    };
    let made = fold_samples(generator, make, effort, |(seen, same): &mut Gathered, made| {
        let judged = plans.find_inquiry(made.address.task, made.address.variant, made.address.sample).is_some();
        let trial = plans.try_instance(made.address.task, made.address.variant, &made.instance);
        seen.push((made.index, inspect_instance(&made, (trial, judged), same)));
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

fn inspect_instance(made: &Made, (trial, judged): (Option<Trial>, bool), same: &mut SameParts) -> Seen {
    let Made { instance, address, nanos, .. } = made;
    let (address, nanos) = (*address, *nanos);
    let key = instance.expects.iter().map(|expect| Expected { traps: Vec::new(), ..expect.clone() });
    let answer = compute_answer(&instance.expects, &instance.files);
    narrow_parts(same, (address.task, address.variant), answer.parts.into_iter().collect());
    Seen {
        id: instance.id.clone(),
        address,
        key: (answer.key.len() <= TRIED_KEY).then(|| key.collect()),
        trial,
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
        judged,
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

/// Returns the names of the traps whose values are not correct by the matcher, without duplicates.
fn list_wrong_traps<'e>(traps: impl IntoIterator<Item = (&'e Expected, &'e [Trap])>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (expect, traps) in traps {
        for trap in traps {
            // A value that cannot be computed is null.
            let is_right = !trap.value.is_null() && score::is_right(expect, trap, Scorer::CURRENT);
            if !is_right && !names.contains(&trap.name) {
                names.push(trap.name.clone());
            }
        }
    }
    names
}

/// Returns the digest of the prompt, and of files and folders in source order, as named contents.
fn digest_question(instance: &Instance) -> String {
    let files = (0..).zip(instance.files.iter()).map(|(at, file)| (format!("{at} {}", file.path), &file.bytes[..]));
    // Files of lakes do not depend on draws, so their names are sufficient to distinguish questions.
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

/// Removes the parts of a row that are missing from `parts` or have another value there.
fn narrow_parts(same: &mut SameParts, row: (u32, u32), parts: BTreeMap<String, String>) {
    match same.get_mut(&row) {
        None => {
            same.insert(row, parts);
        }
        Some(kept) => kept.retain(|place, value| parts.get(place) == Some(value)),
    }
}
