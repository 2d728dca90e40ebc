//! How much descriptions of databases show, and what it is worth: quartiles by arm, and what is right where more or less was visible.

use records::Score;
use serde::Serialize;
use statistics::summary::Quartiles;

use super::lines::Line;
use super::share::{Share, compute_share};

/// The parts of a share that are counted: its fourth place, to which bundles have it.
const PARTS: u64 = 10_000;

/// Descriptions in one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DescribedOf {
    /// The share of what the expected query reads that is named, 0 to 1; `None` where nothing is described.
    pub visible: Option<Quartiles>,
    /// The tokens of descriptions, by the frozen count.
    pub tokens: Option<Quartiles>,
    /// The tokens that the agent read, by the server's count, of responses that ended and tell it.
    pub prompt_tokens: Option<Quartiles>,
    /// What is right where this much is visible: in the parts that the quartiles of all arms make.
    pub right: Vec<RightWithin>,
}

/// What is right where the share that is visible is within two bounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RightWithin {
    /// The least share that is visible in any arm, 0 to 1 …
    pub from: f64,
    /// … and the greatest.
    pub to: f64,
    /// How much is right; what is missing or failed is wrong.
    #[serde(flatten)]
    pub right: Share,
}

/// What is visible, in parts.
fn extract_visible(score: &Score) -> Option<u64> {
    score.find_visible_share().map(|share| (share * PARTS as f64).round() as u64)
}

/// Of each arm; nothing where none has descriptions.
pub fn summarize_arms(arms: &[Vec<Line<'_>>]) -> Vec<Option<DescribedOf>> {
    let parts = split_by_quartiles(arms.iter().flatten().filter_map(|line| extract_visible(line.score)));
    if parts.is_empty() {
        return vec![None; arms.len()];
    }
    arms.iter().map(|lines| Some(summarize_lines(lines, &parts))).collect()
}

/// The parts that the quartiles of these shares make: the least and greatest share of each that is not empty.
fn split_by_quartiles(shares: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut shares: Vec<u64> = shares.collect();
    shares.sort_unstable();
    let Some(quartiles) = Quartiles::from_values(shares.iter().copied(), 1) else { return Vec::new() };
    let ends = [quartiles.p25, quartiles.median, quartiles.p75, quartiles.max].map(|end| end as u64);
    let mut parts: Vec<(u64, u64)> = Vec::new();
    let mut rest = shares.as_slice();
    for end in ends {
        let (part, after) = rest.split_at(rest.partition_point(|share| *share <= end));
        rest = after;
        parts.extend(part.first().copied().zip(part.last().copied()));
    }
    parts
}

fn summarize_lines(lines: &[Line<'_>], parts: &[(u64, u64)]) -> DescribedOf {
    let quartiles = |value: &dyn Fn(&Score) -> Option<u64>, parts: u64| {
        Quartiles::from_values(lines.iter().filter_map(|line| value(line.score)), parts)
    };
    let right = |(from, to): &(u64, u64)| {
        let within = |line: &&Line<'_>| extract_visible(line.score).is_some_and(|share| (*from..=*to).contains(&share));
        let lines: Vec<Line<'_>> = lines.iter().filter(within).copied().collect();
        RightWithin { from: *from as f64 / PARTS as f64, to: *to as f64 / PARTS as f64, right: compute_share(&lines) }
    };
    DescribedOf {
        visible: quartiles(&extract_visible, PARTS),
        tokens: quartiles(&Score::sum_described_tokens, 1),
        prompt_tokens: quartiles(&|score| score.prompt_tokens.filter(|_| score.status.is_scored()), 1),
        right: parts.iter().map(right).collect(),
    }
}
