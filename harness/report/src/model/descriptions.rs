//! How much descriptions of databases show, and how it affects accuracy: quartiles by arm, and accuracy by the visible share.

use records::Score;
use serde::Serialize;
use statistics::summary::Quartiles;

use super::lines::Line;
use super::share::{Share, compute_share};

/// The unit of shares is 1/10,000: bundles record four places.
const PARTS: u64 = 10_000;

/// The descriptions in one arm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DescribedOf {
    /// The named share of the tables and columns that the expected query reads, 0 to 1; `None` without descriptions.
    pub visible: Option<Quartiles>,
    /// The tokens of descriptions, by the frozen counting rule.
    pub tokens: Option<Quartiles>,
    /// The tokens that the agent read, by the server's count, for completed responses that report them.
    pub prompt_tokens: Option<Quartiles>,
    /// The accuracy by visible share: for each range between the quartiles over all arms.
    pub right: Vec<RightWithin>,
}

/// The accuracy for a range of visible shares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RightWithin {
    /// The minimum visible share in this range over all arms, 0 to 1 …
    pub from: f64,
    /// … and the maximum.
    pub to: f64,
    /// The accuracy; missing and failed responses count as wrong.
    #[serde(flatten)]
    pub right: Share,
}

/// Returns the visible share, in units of 1/10,000.
fn extract_visible(score: &Score) -> Option<u64> {
    score.find_visible_share().map(|share| (share * PARTS as f64).round() as u64)
}

/// Summarizes each arm; `None` for all if no arm has descriptions.
pub fn summarize_arms(arms: &[Vec<Line<'_>>]) -> Vec<Option<DescribedOf>> {
    let parts = split_by_quartiles(arms.iter().flatten().filter_map(|line| extract_visible(line.score)));
    if parts.is_empty() {
        return vec![None; arms.len()];
    }
    arms.iter().map(|lines| Some(summarize_lines(lines, &parts))).collect()
}

/// Splits shares at their quartiles. Returns the minimum and maximum of each part that is not empty.
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
