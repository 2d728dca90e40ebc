//! Is it the task or the packaging that fails? Variants of a task ask the same of the same files, and differ in how the answer is to be given (PICARD
//! paper, appendix C, tables 7 and 8).

use std::collections::BTreeMap;

use records::Score;
use serde::Serialize;
use statistics::Interval;
use statistics::multiple_testing::adjust_by_holm;
use statistics::paired::{Pairs, compute_paired_interval};
use statistics::permutation_test::compute_sign_flip_p;
use statistics::proportion::compute_newcombe_interval;

use super::lines::{Line, group_by};
use super::share::{Share, compute_share};

/// A task with variants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Formats {
    /// The task.
    pub task: String,
    /// Its variants, in the suite's order.
    pub variants: Vec<Variant>,
    /// Variants whose answer goes into files. `None` if there are none.
    pub file: Option<Share>,
    /// Variants whose answer is the reply. `None` if there are none.
    pub direct: Option<Share>,
    /// All of them.
    pub overall: Share,
    /// Where the weakness lies. `None` unless both kinds of output are there.
    pub pattern: Option<Pattern>,
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Where its answer goes.
    pub output: Output,
    /// How much is right.
    #[serde(flatten)]
    pub share: Share,
    /// What it costs against the best variant; `None` of that one itself.
    pub cost: Option<Cost>,
}

/// Where an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// Into files.
    File,
    /// Into the reply.
    Direct,
    /// Into both.
    Mixed,
}

/// The same samples in the best variant and in this one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The best variant.
    pub best: String,
    /// The best one's accuracy less this one's, 0 to 1.
    pub accuracy: f64,
    /// The 95% confidence interval of that difference over the samples that both have: Tango's.
    pub interval: Interval,
    /// Samples that are right in the best one alone.
    pub lost: u64,
    /// Samples that are right in this one alone.
    pub won: u64,
    /// p of the permutation test over samples (McNemar's exact p where a sample has one pair), after Holm over the task's variants.
    pub p: f64,
}

/// Where the weakness lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Everything is right.
    None,
    /// Answers in the reply are right more rarely.
    Direct,
    /// Answers in files are right more rarely.
    File,
    /// No difference between them is shown.
    Balanced,
    /// Even the better one is right in fewer than a quarter: formats do not explain that.
    BothOrTask,
}

impl Pattern {
    /// Judges (correct, total) of both kinds: a difference is shown if its 95% confidence interval (Newcombe's)
    /// excludes 0. These rules reproduce all ten rows of the paper's table 8.
    pub fn from_counts(file: (u64, u64), direct: (u64, u64)) -> Pattern {
        let under_a_quarter = |(correct, of): (u64, u64)| correct * 4 < of;
        let difference = compute_newcombe_interval(file, direct);
        if file.0 == file.1 && direct.0 == direct.1 {
            Pattern::None
        } else if under_a_quarter(file) && under_a_quarter(direct) {
            Pattern::BothOrTask
        } else if difference.low > 0.0 {
            Pattern::File
        } else if difference.high < 0.0 {
            Pattern::Direct
        } else {
            Pattern::Balanced
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Pattern::None => "none",
            Pattern::Direct => "direct output",
            Pattern::File => "file output",
            Pattern::Balanced => "balanced",
            Pattern::BothOrTask => "both, or task",
        }
    }
}

/// Every task with two variants or more.
pub fn compare_formats(tasks: &[(String, Vec<Line<'_>>)]) -> Vec<Formats> {
    tasks.iter().filter_map(|(task, lines)| compare_in_task(task, lines)).collect()
}

fn compare_in_task(task: &str, lines: &[Line<'_>]) -> Option<Formats> {
    let by_variant = group_by(lines, |line| line.score.variant.iter().map(String::as_str).collect());
    if by_variant.len() < 2 {
        return None;
    }
    let outputs: Vec<Output> = by_variant.iter().map(|(_, lines)| classify_output(lines)).collect();
    let pick = |wanted: Output| -> Option<Share> {
        let chosen = by_variant.iter().zip(&outputs).filter(|(_, output)| **output == wanted);
        let lines: Vec<Line<'_>> = chosen.flat_map(|((_, lines), _)| lines.iter().copied()).collect();
        (!lines.is_empty()).then(|| compute_share(&lines))
    };
    let (file, direct) = (pick(Output::File), pick(Output::Direct));
    let pattern = match (&file, &direct) {
        (Some(file), Some(direct)) => Some(Pattern::from_counts((file.correct, file.of), (direct.correct, direct.of))),
        _ => None,
    };
    let shares: Vec<Share> = by_variant.iter().map(|(_, lines)| compute_share(lines)).collect();
    let costs = compare_variant_costs(&by_variant, &shares);
    let variants = by_variant
        .iter()
        .zip(outputs)
        .zip(shares.into_iter().zip(costs))
        .map(|(((name, _), output), (share, cost))| Variant { name: (*name).to_owned(), output, share, cost })
        .collect();
    Some(Formats { task: task.to_owned(), variants, file, direct, overall: compute_share(lines), pattern })
}

fn classify_output(lines: &[Line<'_>]) -> Output {
    let direct = |subject: &str| subject == "reply" || subject.starts_with("reply ");
    let mut subjects = lines.iter().flat_map(|line| &line.score.verdicts).map(|verdict| direct(&verdict.subject));
    let Some(first) = subjects.next() else { return Output::Mixed };
    match (subjects.all(|next| next == first), first) {
        (false, _) => Output::Mixed,
        (true, true) => Output::Direct,
        (true, false) => Output::File,
    }
}

/// What each variant costs, over samples that both it and the best one have.
fn compare_variant_costs(variants: &[(&str, Vec<Line<'_>>)], shares: &[Share]) -> Vec<Option<Cost>> {
    // The first of the best: strictly greater only, in integers.
    let mut best = 0;
    for (at, share) in shares.iter().enumerate() {
        if u128::from(share.correct) * u128::from(shares[best].of)
            > u128::from(shares[best].correct) * u128::from(share.of)
        {
            best = at;
        }
    }
    let key = |score: &Score| (score.each.clone(), score.axis.clone(), score.sample, score.trial);
    let of_best: BTreeMap<_, bool> =
        variants[best].1.iter().map(|line| (key(line.score), line.score.correct)).collect();
    let mut costs: Vec<Option<Cost>> = variants
        .iter()
        .enumerate()
        .map(|(at, (_, lines))| {
            // By sample: what this variant gains over the best one, and the pairs that it is made of.
            let mut samples: BTreeMap<usize, (i64, Pairs)> = BTreeMap::new();
            let (mut lost, mut won) = (0, 0);
            for line in lines {
                let Some(best) = of_best.get(&key(line.score)) else { continue };
                let gain = i64::from(line.score.correct) - i64::from(*best);
                lost += u64::from(gain < 0);
                won += u64::from(gain > 0);
                let (sum, pairs) = samples.entry(line.row.sample).or_default();
                *sum += gain;
                // The accuracy lost: the best one less this one.
                pairs.add_pair(-gain as f64);
            }
            let (sums, pairs): (Vec<i64>, Vec<Pairs>) = samples.into_values().unzip();
            (at != best).then(|| Cost {
                best: variants[best].0.to_owned(),
                accuracy: shares[best].accuracy - shares[at].accuracy,
                interval: compute_paired_interval(&pairs, 1),
                lost,
                won,
                p: compute_sign_flip_p(&sums).0,
            })
        })
        .collect();
    let adjusted = adjust_by_holm(&costs.iter().flatten().map(|cost| cost.p).collect::<Vec<_>>());
    for (cost, p) in costs.iter_mut().flatten().zip(adjusted) {
        cost.p = p;
    }
    costs
}
