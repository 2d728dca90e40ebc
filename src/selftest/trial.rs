//! Two agents answer an instance in memory: the oracle, who knows the key, and null, who does nothing.

use api::Instances;
use records::Score;
use runtime::Failure;
use runtime::bundle::Progress;
use score::Solution;

use crate::samples::{Made, fold};

/// What came of an instance.
pub struct Tried {
    /// Its place in the bundle's order.
    pub index: u64,
    /// Of the oracle; the sentence says why it has no answer.
    pub oracle: Result<Score, String>,
    /// Of null.
    pub null: Score,
}

/// Lets both answer every instance, in the bundle's order.
pub fn all(
    instances: &Instances<'_>,
    threads: usize,
    progress: &(impl Progress + Sync),
) -> Result<Vec<Tried>, Failure> {
    let made = fold(instances.generator(), threads, progress, |tried: &mut Vec<_>, made| {
        let index = made.index;
        tried.push(one(instances, made).map_err(|failure| (index, failure)));
    })?;
    let mut all: Vec<_> = made.into_iter().flatten().collect();
    all.sort_unstable_by_key(|tried| match tried {
        Ok(tried) => tried.index,
        Err((index, _)) => *index,
    });
    all.into_iter().map(|tried| tried.map_err(|(_, failure)| failure)).collect()
}

fn one(instances: &Instances<'_>, made: Made) -> Result<Tried, Failure> {
    let instance = instances.with_key(made.instance)?;
    Ok(Tried {
        index: made.index,
        oracle: instance.oracle().map(|solution| instance.grade(&solution)),
        null: instance.grade(&Solution::default()),
    })
}
