//! Built-in agents without a model: they test a suite before a model is asked.

use std::collections::BTreeMap;

use model::answer_key::Answer as Right;
use records::{Bundle, Error, Instance, Status};

use crate::agent::{Agent, Answer, Attempt, Profile, Question};

/// How many instances are asked in parallel: most of their time is spent on the disk.
const AT_ONCE: usize = 8;

/// The answers by task, and by variant or stage.
type Commonest = BTreeMap<(String, Option<String>), Vec<Option<Right>>>;

/// A built-in agent.
#[derive(Debug)]
pub struct BuiltIn {
    kind: Kind,
    profile: Profile,
}

/// What it answers.
#[derive(Debug)]
enum Kind {
    Oracle,
    Null,
    Guess(Commonest),
}

impl BuiltIn {
    /// Answers everything correctly. If its score is not full, the suite or the scorer is wrong.
    pub fn new_oracle() -> BuiltIn {
        BuiltIn::from_kind(Kind::Oracle)
    }

    /// Does nothing and replies nothing. Any agent passes an instance that it passes.
    pub fn new_null() -> BuiltIn {
        BuiltIn::from_kind(Kind::Null)
    }

    /// Always gives the commonest answer of the task (and variant or stage), at the paths of the instance. Finds these answers in the keys of a bundle;
    /// among equally common answers, it uses the first.
    pub fn new_guess(bundle: &Bundle) -> Result<BuiltIn, Error> {
        Ok(BuiltIn::from_kind(Kind::Guess(find_commonest(bundle)?)))
    }

    fn from_kind(kind: Kind) -> BuiltIn {
        let profile = Profile {
            must_keep_prompt_paths: false,
            can_only_read_links: true,
            can_defer_cleanup: true,
            concurrency: AT_ONCE,
            ..Profile::default()
        };
        BuiltIn { kind, profile }
    }
}

impl Agent for BuiltIn {
    fn answer_question(&self, question: &Question) -> Attempt {
        match &self.kind {
            Kind::Oracle => write_solution(question, question.instance),
            Kind::Null => Attempt::Over(Answer::from_prompt(&question.instance.prompt)),
            Kind::Guess(commonest) => write_solution(question, &guess_answers(question.instance, commonest)),
        }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }
}

fn find_commonest(bundle: &Bundle) -> Result<Commonest, Error> {
    // Answers as text → their number, the first instance that has them, and the answers.
    type Seen = BTreeMap<String, (u64, u64, Vec<Option<Right>>)>;
    let mut tasks: BTreeMap<(String, Option<String>), Seen> = BTreeMap::new();
    for (number, instance) in (0..).zip(bundle.open_instances()?) {
        let instance = instance?;
        let answers: Vec<Option<Right>> = instance.expects.into_iter().map(|expect| expect.answer).collect();
        let seen =
            tasks.entry((instance.task, instance.stage.map(|stage| stage.name).or(instance.variant))).or_default();
        seen.entry(format!("{answers:?}")).or_insert((0, number, answers)).0 += 1;
    }
    let commonest = tasks.into_iter().filter_map(|(task, seen)| {
        let best = seen.into_values().min_by_key(|(often, first, _)| (u64::MAX - often, *first))?;
        Some((task, best.2))
    });
    Ok(commonest.collect())
}

/// Returns the instance with the commonest answers as its key.
fn guess_answers(instance: &Instance, commonest: &Commonest) -> Instance {
    let mut guessed = instance.clone();
    let way = guessed.stage.as_ref().map(|stage| stage.name.clone()).or(guessed.variant.clone());
    let task = (guessed.task.clone(), way);
    // It does not guess the steps of a task.
    guessed.stages.clear();
    for (expect, answer) in guessed.expects.iter_mut().zip(commonest.get(&task).into_iter().flatten()) {
        expect.answer.clone_from(answer);
    }
    guessed
}

/// Writes an answer that `instance`'s key accepts to the sandbox of `question`.
fn write_solution(question: &Question, instance: &Instance) -> Attempt {
    let answer = Answer::from_prompt(&question.instance.prompt);
    let solution = match score::solve_instance(instance, question.files) {
        Ok(solution) => solution,
        Err(why) => return Attempt::Over(answer.end_with_status(Status::Failed, why.to_string())),
    };
    let sandbox = question.sandbox;
    let leave = || -> std::io::Result<()> {
        for path in &solution.removed {
            let path = sandbox.to_dir_path(path);
            match sandbox.dir.symlink_metadata(&path) {
                Ok(found) if found.is_dir() => sandbox.dir.remove_dir_all(&path)?,
                Ok(_) => sandbox.dir.remove_file(&path)?,
                // Already removed with its folder.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        for folder in &solution.folders {
            sandbox.dir.create_dir_all(sandbox.to_dir_path(folder))?;
        }
        for (path, bytes) in &solution.files {
            let path = sandbox.to_dir_path(path);
            sandbox.create_parent(&path)?;
            sandbox.dir.write(&path, bytes)?;
        }
        Ok(())
    };
    Attempt::Over(match leave() {
        Ok(()) => answer.with_reply(solution.reply),
        Err(error) => {
            answer.end_with_status(Status::Failed, format!("the answer cannot be written to the sandbox: {error}"))
        }
    })
}
