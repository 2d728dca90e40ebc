//! Agents answer an instance in memory: the oracle, who knows the key, null, who does nothing, and the reader, who knows the files and how they are written.

use api::Instances;
use model::answer_key::Expected;
use records::Score;
use runtime::Failure;
use runtime::generate::{Believed, BelievedKey, Generator, Instance, StageKey};
use score::{Covered, Solution};

use super::row::explain_wrong_score;
use crate::samples::{Made, RunOptions, fold_samples};

/// What came of an instance.
pub struct Tried {
    /// Its place in the bundle's order.
    pub index: u64,
    /// Of the oracle; the sentence says why it has no answer.
    pub oracle: Result<Score, String>,
    /// Of null.
    pub null: Score,
    /// What a tolerance covers of the changes that are asked for.
    pub covered: Option<Covered>,
    /// What came of the reader.
    pub reader: Reader,
}

/// What came of a reader who has the files alone.
pub enum Reader {
    /// Nothing has to be read: no table of the answer is written in a way that has to be known.
    NotAsked,
    /// It is right.
    Right,
    /// It is not: why, and the columns that it looked for in vain.
    Wrong {
        /// What it says, and what is right.
        why: String,
        /// Columns of what the answer reads that are not in a file.
        absent: Vec<String>,
    },
    /// It cannot know: these columns are in files only as something else is computed from them.
    CannotKnow(Vec<String>),
}

/// Lets all answer every instance, in the bundle's order.
pub fn run_trials(instances: &Instances<'_>, effort: RunOptions<'_>) -> Result<Vec<Tried>, Failure> {
    let made =
        fold_samples(instances.generator(), Generator::generate_instance, effort, |tried: &mut Vec<_>, made| {
            let index = made.index;
            tried.push(run_trial(instances, made).map_err(|failure| (index, failure)));
        })?;
    let mut all: Vec<_> = made.into_iter().flatten().collect();
    all.sort_unstable_by_key(|tried| match tried {
        Ok(tried) => tried.index,
        Err((index, _)) => *index,
    });
    all.into_iter().map(|tried| tried.map_err(|(_, failure)| failure)).collect()
}

fn run_trial(instances: &Instances<'_>, made: Made) -> Result<Tried, Failure> {
    let believed = instances.generator().compute_believed(made.address, &[&made.instance.prompt])?;
    let instance = instances.with_key(made.instance)?;
    let reader = believed.map_or(Ok(Reader::NotAsked), |believed| judge_reader(instances, &instance, believed))?;
    Ok(Tried {
        index: made.index,
        oracle: instance.build_oracle_solution().map(|solution| instance.grade_solution(&solution)),
        null: instance.grade_solution(&Solution::default()),
        covered: instance.find_covered_changes(),
        reader,
    })
}

/// Lets the reader answer.
fn judge_reader(instances: &Instances<'_>, instance: &api::Instance, believed: Believed) -> Result<Reader, Failure> {
    let Some(why) = explain_wrong_answer(instances, instance, believed.key)? else { return Ok(Reader::Right) };
    if let Some(told) = believed.told
        && explain_wrong_answer(instances, instance, told)?.is_none()
    {
        return Ok(Reader::CannotKnow(believed.computed));
    }
    Ok(Reader::Wrong { why, absent: believed.absent })
}

/// Why an answer that is right by this key is wrong; `None` if it is right.
fn explain_wrong_answer(
    instances: &Instances<'_>,
    instance: &api::Instance,
    key: Result<BelievedKey, Failure>,
) -> Result<Option<String>, Failure> {
    let key = match key {
        Ok(key) => key,
        Err(failure) => return Ok(Some(failure.message)),
    };
    let made = instance.made();
    let answers = |expects: &[Expected]| {
        expects.iter().map(|expect| (expect.subject.clone(), expect.answer.clone())).collect::<Vec<_>>()
    };
    let stages = made.stages.iter().map(|stage| answers(&stage.expects));
    if answers(&made.expects) == answers(&key.expects) && stages.eq(key.stages.iter().map(|stage| answers(stage))) {
        // Whether such an answer can be right is the oracle's to say.
        return Ok(None);
    }
    let stages = made.stages.iter().zip(key.stages).map(|(stage, expects)| StageKey { expects, ..stage.clone() });
    let other = Instance { stages: stages.collect(), expects: key.expects, ..made.clone() };
    let solution = instances.with_key(other)?.build_oracle_solution();
    Ok(explain_wrong_score(&solution.map(|solution| instance.grade_solution(&solution))))
}
