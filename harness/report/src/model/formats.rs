//! Does the task or the output format fail? Variants of a task ask the same question about the same files, and differ in the form of the answer (PICARD
//! paper, appendix C, tables 7 and 8).

use std::collections::BTreeMap;

use records::Score;
use serde::Serialize;
use statistics::Interval;
use statistics::multiple_testing::adjust_in_place;
use statistics::proportion::compute_newcombe_interval;

use super::lines::{Line, group_by};
use super::pairs::Gains;
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
    /// All variants.
    pub overall: Share,
    /// The cause of a weakness. `None` unless there are variants of both kinds.
    pub pattern: Option<Pattern>,
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The place of its answer.
    pub output: Output,
    /// Its accuracy.
    #[serde(flatten)]
    pub share: Share,
    /// Its cost compared with the best variant; `None` for that variant itself.
    pub cost: Option<Cost>,
}

/// The place of an answer.
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

/// The comparison of a variant with the best one over the same samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The best variant.
    pub best: String,
    /// The best variant's accuracy minus this one's, 0 to 1.
    pub accuracy: f64,
    /// The 95% confidence interval of that difference over the samples that both have: Tango's.
    pub interval: Interval,
    /// The number of samples that only the best variant has right.
    pub lost: u64,
    /// The number of samples that only this variant has right.
    pub won: u64,
    /// The p of the permutation test over samples (McNemar's exact p if each sample has one pair), adjusted by Holm over the task's variants.
    pub p: f64,
}

/// The cause of a weakness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Everything is correct.
    None,
    /// Answers in the reply are less often correct.
    Direct,
    /// Answers in files are less often correct.
    File,
    /// No significant difference.
    Balanced,
    /// Even the better kind is correct in less than a quarter: formats do not explain that.
    BothOrTask,
}

impl Pattern {
    /// Classifies (correct, total) of both kinds: a difference is significant if its 95% confidence interval (Newcombe's)
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

/// Compares the variants of every task that has at least two.
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

/// Compares each variant with the best one, over the samples that both have.
fn compare_variant_costs(variants: &[(&str, Vec<Line<'_>>)], shares: &[Share]) -> Vec<Option<Cost>> {
    // Among equally good variants, the first; compared in integers.
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
            let mut gains = Gains::default();
            for line in lines {
                if let Some(best) = of_best.get(&key(line.score)) {
                    gains.add_pair(line.row.sample, line.score.correct, *best);
                }
            }
            let (lost, won) = (gains.won, gains.lost);
            let (interval, p) = gains.compute_interval_and_p();
            let accuracy = shares[best].accuracy - shares[at].accuracy;
            (at != best).then(|| Cost { best: variants[best].0.to_owned(), accuracy, interval, lost, won, p })
        })
        .collect();
    adjust_in_place(costs.iter_mut().flatten().map(|cost| &mut cost.p));
    costs
}
