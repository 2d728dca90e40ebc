//! Lets agents answer an instance in memory: the oracle knows the answer key, null does nothing, and the reader knows the files and how they are written.

use api::{InstanceTests, Instances};
use model::answer_key::Expected;
use model::asked::StageKey;
use model::observe::JudgedExample;
use records::Score;
use runtime::Failure;
use runtime::generate::{Believed, BelievedKey, Generator, Instance};
use score::{Covered, Solution, Variants, try_variants};

use super::row::explain_wrong_score;
use crate::samples::{Made, RunOptions, fold_samples};

/// The result of the trials of an instance.
pub struct Tried {
    /// Its place in the bundle's order.
    pub index: u64,
    /// The oracle's score, or why it has no answer.
    pub oracle: Result<Score, String>,
    /// What was tried next to the oracle's answer.
    pub variants: Variants,
    /// The null agent's score.
    pub null: Score,
    /// The expected changes that a tolerance covers.
    pub covered: Option<Covered>,
    /// The result of the reader.
    pub reader: Reader,
    /// The instance as scorers read it, for what is tried with the answers of others.
    pub key: records::Instance,
    /// What is tried with each of its expectations.
    pub tests: Vec<InstanceTests>,
    /// The author's examples that need no other instance.
    pub examples: Vec<JudgedExample>,
}

/// The result of an agent that has only the files.
pub enum Reader {
    /// It was not asked: every table that the answer needs can be read without further knowledge.
    NotAsked,
    /// Its answer is correct.
    Right,
    /// Its answer is wrong.
    Wrong {
        /// Its answer and the correct one.
        why: String,
        /// Columns that the answer reads, and that are in no file.
        absent: Vec<String>,
    },
    /// It cannot know the answer: files have these columns only in computed form.
    CannotKnow(Vec<String>),
}

/// Lets all agents answer every instance, in the bundle's order.
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
    let tests = instances.compute_tests(made.address)?;
    let reader = believed.map_or(Ok(Reader::NotAsked), |believed| judge_reader(instances, &instance, believed))?;
    let mut variants = Variants::default();
    let oracle = instance.build_oracle_solution().and_then(|solution| {
        let score = instance.grade_solution(&solution);
        if score.correct {
            variants = try_variants(instance.key(), &solution, &instance);
        }
        variants.misjudged.clone().map_or(Ok(score), Err)
    });
    Ok(Tried {
        index: made.index,
        oracle,
        variants,
        null: instance.grade_solution(&Solution::default()),
        covered: instance.find_covered_changes(),
        reader,
        examples: instance.judge_examples(&tests),
        key: instance.key().clone(),
        tests,
    })
}

/// Compares the reader's answer with the answer key.
fn judge_reader(instances: &Instances<'_>, instance: &api::Instance, believed: Believed) -> Result<Reader, Failure> {
    let Some(why) = explain_wrong_answer(instances, instance, believed.key)? else { return Ok(Reader::Right) };
    if let Some(told) = believed.told
        && explain_wrong_answer(instances, instance, told)?.is_none()
    {
        return Ok(Reader::CannotKnow(believed.computed));
    }
    Ok(Reader::Wrong { why, absent: believed.absent })
}

/// Explains why an answer that is correct by `key` is wrong; `None` if it is correct.
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
        // The keys are equal, and the oracle tests whether they can be met.
        return Ok(None);
    }
    let stages = made.stages.iter().zip(key.stages).map(|(stage, expects)| StageKey { expects, ..stage.clone() });
    let other = Instance { stages: stages.collect(), expects: key.expects, ..made.clone() };
    let solution = instances.with_key(other)?.build_oracle_solution();
    Ok(explain_wrong_score(&solution.map(|solution| instance.grade_solution(&solution))))
}
