//! What each design computes of two runs.

use std::collections::BTreeSet;

use statistics::accuracy::SamplingUnit;

use super::comparison::{Difference, Discordant};

/// The results of a design.
pub struct Parts {
    pub over: SamplingUnit,
    pub whole: Difference,
    pub tasks: Vec<Difference>,
    pub discordant: Vec<Discordant>,
}

/// Adds sentences on the items that only one of two lists has.
pub fn add_left_out(what: [&str; 2], in_a: &BTreeSet<String>, in_b: &BTreeSet<String>, because: &mut Vec<String>) {
    for (only, run) in [(in_a.difference(in_b).count(), "the first"), (in_b.difference(in_a).count(), "the second")] {
        if only > 0 {
            let (what, are) = if only == 1 { (what[0], "is") } else { (what[1], "are") };
            because.push(format!("{only} {what} of {run} run alone {are} left out"));
        }
    }
}
