//! The summary of a task's instances. Variants that always have the same answers share one row.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use model::Plan;
use model::suite::{FileContent, Task};
use model::uses::is_static;
use statistics::Interval;
use statistics::accuracy::sum_by_cluster;
use statistics::clustered::{FEWEST_CLUSTERS, compute_share_interval};
use statistics::entropy::{estimate_birthday_bound, estimate_entropy};
use statistics::proportion::compute_wilson_interval;

use crate::count::{Count, count_instances};
use crate::measure::{SameParts, Seen};
use crate::trials::{Shortcut, Trials, summarize_trials};

/// The summary of a task, or of some of its variants.
#[derive(Debug)]
pub struct Row {
    /// The task's name.
    pub task: String,
    /// Its variants; empty if the task has none.
    pub variants: Vec<String>,
    /// Whether nothing in it is drawn: then it has one sample.
    pub is_static: bool,
    /// The rows of its data set, and how many of them share a file; `None` without a data set.
    pub rows: Option<AskedRows>,
    /// The number of its instances in a build with the suite's own number of samples.
    pub weight: u64,
    /// The number of instances that were made.
    pub instances: u64,
    /// The number of possible instances.
    pub count: Count,
    /// The number of different answers.
    pub answers: u64,
    /// The entropy of the answers, in bits.
    pub entropy: f64,
    /// The best guess.
    pub commonest: Commonest,
    /// What was tried on its instances.
    pub trials: Trials,
    /// Parts of answers that were always the same, with place and value, if answers have several parts.
    pub constants: Vec<(String, String)>,
    /// Instances whose answer has a null.
    pub nulls: u64,
    /// Instances whose answer has an empty value.
    pub empties: u64,
    /// The number of instances on which mistakes were tried.
    pub judged: u64,
    /// The traps, each with the number of these instances in which its value is not correct.
    pub traps: Vec<(String, u64)>,
    /// The kinds of dirt in files on which answers can depend.
    pub dirt: Vec<Dirt>,
    /// The number of instances whose descriptions of databases name nothing that the expected query reads, and the number of those with descriptions.
    pub blind: (u64, u64),
    /// Instances with the prompt and files of an earlier one.
    pub duplicates: u64,
    /// The share of draws that all `require`s accept; `None` without `require`.
    pub acceptance: Option<f64>,
    /// The mean size of an instance's files, in bytes.
    pub mean_bytes: u64,
    /// The size of the largest instance's files, in bytes.
    pub most_bytes: u64,
    /// The mean time to make an instance, in nanoseconds.
    pub nanos: u64,
}

impl Row {
    /// The accuracy of an agent that always gives the best constant reply: the commonest answer, or one that the scorer accepts more often.
    pub fn guess_share(&self) -> f64 {
        self.trials.best.as_ref().map_or(self.commonest.share(), Shortcut::share)
    }

    /// The 95% confidence interval of that accuracy.
    pub fn guess_interval(&self) -> Interval {
        self.trials.best.as_ref().map_or(self.commonest.interval, |best| best.interval)
    }
}

/// The rows of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRows {
    /// The number of rows.
    pub rows: u64,
    /// The number of their clusters; `None` if none are declared.
    pub clusters: Option<u64>,
    /// The sandbox files that rows share: the name, the number of different files, and the maximum number of rows with the same file.
    pub files: Vec<(String, u64, u64)>,
}

impl AskedRows {
    /// Whether clusters are declared, but fewer than a test over clusters needs.
    pub fn has_few_clusters(&self) -> bool {
        self.clusters.is_some_and(|clusters| (clusters as usize) < FEWEST_CLUSTERS)
    }

    fn from_task(task: &Task) -> Option<AskedRows> {
        let each = task.each.as_ref()?;
        let file = |file: &model::suite::File| match &file.content {
            FileContent::FixtureByRow(by_row) => {
                let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
                by_row.rows.iter().for_each(|at| *rows.entry(*at).or_default() += 1);
                Some((file.name.clone(), rows.len() as u64, rows.values().max().copied().unwrap_or(0)))
            }
            FileContent::Fixture { .. } => Some((file.name.clone(), 1, each.rows.len() as u64)),
            _ => None,
        };
        Some(AskedRows {
            rows: each.rows.len() as u64,
            clusters: each.rows.iter().any(|row| row.by.is_some()).then(|| each.count_clusters() as u64),
            files: task.files.iter().filter_map(file).collect(),
        })
    }
}

/// Assigns each instance to its observation: its sample, its row, or the cluster of its row.
fn assign_units(task: &Task, seen: &[&Seen]) -> Vec<usize> {
    let mut known: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    seen.iter()
        .map(|one| match task.find_row(one.address.cell) {
            None => one.address.sample as usize,
            Some(row) => {
                let next = known.len();
                let unit = row.by.as_ref().map_or((row.key.as_str(), false), |by| (by.as_str(), true));
                *known.entry(unit).or_insert(next)
            }
        })
        .collect()
}

/// A kind of dirt in files: duplicate rows, or cells of a column in another form.
#[derive(Clone, Debug, PartialEq)]
pub struct Dirt {
    /// The name of its trap: `theft.repeat`, `theft.AREA.case`.
    pub name: String,
    /// The cells of the axes in which a file has it.
    pub cells: Vec<DirtCell>,
}

/// How often a kind of dirt matters in one cell of the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct DirtCell {
    /// The labels of the axes, in order.
    pub axis: Vec<String>,
    /// The number of instances that were made.
    pub instances: u64,
    /// The number of instances in which an agent that ignores this dirt gets a wrong answer.
    pub changes: u64,
    /// The number of these instances in which leaving out the dirty rows is also wrong.
    pub surely: u64,
}

impl DirtCell {
    /// The share of instances in which it matters.
    pub fn share(&self) -> f64 {
        self.changes as f64 / self.instances.max(1) as f64
    }
}

/// The commonest answer; among equally common ones, the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Commonest {
    /// The answer for people.
    pub answer: String,
    /// How often it occurred.
    pub times: u64,
    /// The number of instances in total.
    pub of: u64,
    /// The 95% confidence interval of the share. The cells and variants of one sample are one observation, and so are the rows of a cluster.
    pub interval: Interval,
}

impl Commonest {
    /// The accuracy of an agent that always guesses it.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.times as f64 / self.of as f64 }
    }
}

/// Builds all rows, in source order. `seen`: in the generator's order (task, cell, variant, sample); `samples`: the number for each task.
pub fn build_rows(plan: &Plan, samples: &[(u32, u32)], seen: &[Seen], same: &SameParts) -> Vec<Row> {
    let mut rows = Vec::new();
    for (index, samples) in samples {
        let Some(task) = plan.tasks.get(*index as usize) else { continue };
        let start = seen.partition_point(|seen| seen.address.task < *index);
        let end = seen.partition_point(|seen| seen.address.task <= *index);
        let of_task = seen.get(start..end).unwrap_or_default();
        for variants in group_variants(task, of_task) {
            let of: Vec<&Seen> = of_task.iter().filter(|seen| variants.contains(&seen.address.variant)).collect();
            let first = variants.first().copied().unwrap_or(0);
            let constants = same.get(&(*index, first)).cloned().unwrap_or_default();
            rows.push(build_row(plan, task, &variants, *samples, &of, constants));
        }
    }
    rows
}

/// Groups the variants that have the same answer in every cell and sample; a task without variants has the single variant 0. Stages that are asked one by one
/// are not grouped.
fn group_variants(task: &Task, seen: &[Seen]) -> Vec<Vec<u32>> {
    let variants = (task.variants.len() as u32).max(1);
    let mut groups: Vec<(Vec<&str>, Vec<u32>)> = Vec::new();
    for variant in 0..variants {
        let answers: Vec<&str> =
            seen.iter().filter(|seen| seen.address.variant == variant).map(|seen| seen.answer.as_str()).collect();
        let same = groups.iter_mut().find(|(other, _)| !task.asked.is_single() && *other == answers);
        match same {
            Some((_, group)) => group.push(variant),
            None => groups.push((answers, vec![variant])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn build_row(
    plan: &Plan,
    task: &Task,
    variants: &[u32],
    samples: u32,
    seen: &[&Seen],
    constants: BTreeMap<String, String>,
) -> Row {
    let instances = seen.len() as u64;
    let is_static = is_static(task);
    let named: &[u32] = if task.variants.is_empty() { &[] } else { variants };
    // For each answer: how often it occurred, and where first.
    let mut answers: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    for (at, one) in seen.iter().enumerate() {
        answers.entry(&one.answer).or_insert((0, at)).0 += 1;
    }
    let commonest = answers.iter().max_by_key(|(_, (times, first))| (*times, std::cmp::Reverse(*first)));
    let (answer, (times, first)) = commonest.map_or(("", (0, 0)), |(answer, found)| (*answer, *found));
    let units = assign_units(task, seen);
    let guessed = seen.iter().zip(&units).map(|(one, unit)| (*unit, f64::from(u8::from(one.answer == answer))));
    let commonest = Commonest {
        answer: seen.get(first).map_or_else(String::new, |one| one.shown.clone()),
        times,
        of: instances,
        interval: compute_share_interval(&sum_by_cluster(guessed)),
    };
    let counts: Vec<u64> = answers.values().map(|(times, _)| *times).collect();
    let questions: HashSet<&str> = seen.iter().map(|one| one.question.as_str()).collect();
    let duplicates = instances - questions.len() as u64;
    // The cells and variants of a sample are redrawn together.
    let tries: u64 = count_attempts(task, seen);
    let samples = u64::from(samples) * u64::from(task.count_rows());
    let conditional = !task.requires.is_empty();
    let accepted = if conditional { compute_wilson_interval(samples, tries).low } else { 1.0 };
    let sure = if duplicates == 0 { estimate_birthday_bound(samples) } else { 0.0 }
        .max(libm::log10(questions.len().max(1) as f64));
    let count = |is: fn(&Seen) -> bool| seen.iter().filter(|one| is(one)).count() as u64;
    let bytes: u64 = seen.iter().map(|one| one.bytes).sum();
    let nanos: u64 = seen.iter().map(|one| one.nanos).sum();
    Row {
        task: task.name.clone(),
        variants: named
            .iter()
            .filter_map(|at| task.variants.get(*at as usize))
            .map(|variant| variant.name.clone())
            .collect(),
        is_static,
        rows: AskedRows::from_task(task),
        weight: u64::from(if is_static { 1 } else { task.samples })
            * u64::from(task.count_cells())
            * variants.len() as u64,
        instances,
        count: count_instances(plan, task, named, accepted).with_lower_bound(sure),
        answers: counts.len() as u64,
        entropy: estimate_entropy(&counts),
        trials: summarize_trials(task, seen, &units, commonest.times),
        constants: constants.into_iter().collect(),
        commonest,
        nulls: count(|one| one.null),
        empties: count(|one| one.empty),
        judged: count(|one| one.judged),
        traps: count_traps(task, variants, seen),
        dirt: summarize_dirt(seen),
        blind: (count(|one| one.blind == Some(true)), count(|one| one.blind.is_some())),
        duplicates,
        acceptance: conditional.then(|| samples as f64 / tries.max(1) as f64),
        mean_bytes: bytes.checked_div(instances).unwrap_or(0),
        most_bytes: seen.iter().map(|one| one.bytes).max().unwrap_or(0),
        nanos: nanos.checked_div(instances).unwrap_or(0),
    }
}

/// Returns the kinds of dirt in order of first occurrence, each with the cells of the axes in which an instance has it.
fn summarize_dirt(seen: &[&Seen]) -> Vec<Dirt> {
    let mut found: Vec<Dirt> = Vec::new();
    let mut cells: BTreeMap<u32, Vec<&Seen>> = BTreeMap::new();
    for one in seen.iter().filter(|one| one.judged) {
        cells.entry(one.address.cell).or_default().push(one);
    }
    for seen in cells.into_values() {
        let mut names: Vec<&str> = Vec::new();
        for name in seen.iter().flat_map(|one| &one.dirt) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        for name in names {
            let is_in = |names: &[String]| names.iter().any(|own| own == name);
            let changes = seen.iter().filter(|one| is_in(&one.traps)).count() as u64;
            let surely = seen.iter().filter(|one| is_in(&one.traps) && is_in(&one.dropped)).count() as u64;
            let axis = seen.first().map(|one| one.axis.clone()).unwrap_or_default();
            let here = DirtCell { axis, instances: seen.len() as u64, changes, surely };
            match found.iter_mut().find(|dirt| dirt.name == name) {
                Some(dirt) => dirt.cells.push(here),
                None => found.push(Dirt { name: name.to_owned(), cells: vec![here] }),
            }
        }
    }
    found
}

/// Counts for each trap the instances in which its value is not correct. Traps that the source names come first, in its order, then others by name; those of
/// dirt are left out.
fn count_traps(task: &Task, variants: &[u32], seen: &[&Seen]) -> Vec<(String, u64)> {
    let of_variant = |at: &u32| task.variants.get(*at as usize).map_or(&task.expects, |variant| &variant.expects);
    let named = variants.iter().flat_map(of_variant).flat_map(|expect| &expect.traps).map(|trap| trap.name.as_str());
    let of_dirt: BTreeSet<&str> = seen.iter().flat_map(|one| &one.dirt).map(String::as_str).collect();
    let others: BTreeSet<&str> = seen.iter().flat_map(|one| &one.traps).map(String::as_str).collect();
    let others = others.difference(&of_dirt).copied();
    let mut found: Vec<(String, u64)> = Vec::new();
    for name in named.chain(others) {
        if found.iter().all(|(known, _)| known != name) {
            let told = seen.iter().filter(|one| one.traps.iter().any(|trap| trap == name)).count();
            found.push((name.to_owned(), told as u64));
        }
    }
    found
}

/// Counts the draws of all samples, including redraws.
fn count_attempts(task: &Task, seen: &[&Seen]) -> u64 {
    let mut counted = BTreeSet::new();
    seen.iter()
        .filter(|one| counted.insert((one.address.sample, task.find_row_index(one.address.cell))))
        .map(|one| u64::from(one.attempt) + 1)
        .sum()
}

/// The summary of all rows.
#[derive(Debug, PartialEq)]
pub struct Whole {
    /// The number of instances that were made.
    pub instances: u64,
    /// The number of possible instances of all tasks.
    pub count: Count,
    /// The accuracy of an agent that gives every task's commonest answer, in a build with the suite's own numbers of samples.
    pub guessing: f64,
    /// The time to make all instances on one thread, in nanoseconds.
    pub nanos: u64,
}

/// Summarizes all rows.
pub fn summarize_rows(rows: &[Row]) -> Whole {
    let weight: u64 = rows.iter().map(|row| row.weight).sum();
    // The one answer of a static task is unknown to an agent that has not solved it.
    let drawn = rows.iter().filter(|row| !row.is_static || row.rows.is_some());
    let earned: f64 = drawn.map(|row| row.weight as f64 * row.guess_share()).sum();
    let most: Option<Vec<f64>> = rows.iter().map(|row| row.count.most).collect();
    Whole {
        instances: rows.iter().map(|row| row.instances).sum(),
        count: Count {
            least: crate::count::size::sum_logs(rows.iter().map(|row| row.count.least)).max(0.0),
            most: most.map(crate::count::size::sum_logs),
        },
        guessing: if weight == 0 { 0.0 } else { earned / weight as f64 },
        nanos: rows.iter().map(|row| row.nanos.saturating_mul(row.instances)).sum(),
    }
}
