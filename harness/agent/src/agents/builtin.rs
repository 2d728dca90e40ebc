//! Agents that need nobody: they show what a suite is worth before a model is asked.

use std::collections::BTreeMap;

use model::answer_key::Answer as Right;
use records::{Bundle, Error, Instance, Status};

use crate::agent::{Agent, Answer, Attempt, Question};

/// How many are asked at once: their time goes into waiting for the disk.
const AT_ONCE: usize = 8;

/// Answers everything right. Where it does not get full marks, the suite or the scorer is wrong.
#[derive(Debug)]
pub struct Oracle;

impl Agent for Oracle {
    fn answer_question(&self, question: &Question) -> Attempt {
        write_solution(question, question.instance)
    }

    fn must_keep_prompt_paths(&self) -> bool {
        false
    }

    fn default_concurrency(&self) -> usize {
        AT_ONCE
    }

    fn can_defer_cleanup(&self) -> bool {
        true
    }

    fn can_only_read_links(&self) -> bool {
        true
    }
}

/// Does nothing and says nothing. What it passes, anyone passes.
#[derive(Debug)]
pub struct Null;

impl Agent for Null {
    fn answer_question(&self, question: &Question) -> Attempt {
        Attempt::Over(Answer::from_prompt(&question.instance.prompt))
    }

    fn must_keep_prompt_paths(&self) -> bool {
        false
    }

    fn default_concurrency(&self) -> usize {
        AT_ONCE
    }

    fn can_defer_cleanup(&self) -> bool {
        true
    }

    fn can_only_read_links(&self) -> bool {
        true
    }
}

/// Answers, whatever is asked, the commonest answer of the task (and variant or stage), on the instance's own paths.
#[derive(Debug)]
pub struct Guess {
    commonest: BTreeMap<(String, Option<String>), Vec<Option<Right>>>,
}

impl Guess {
    /// Looks through the keys of a bundle. Of answers equally common it takes the one that comes first.
    pub fn from_bundle(bundle: &Bundle) -> Result<Guess, Error> {
        // Answers as text → how often, where first, and the answers.
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
        Ok(Guess { commonest: commonest.collect() })
    }
}

impl Agent for Guess {
    fn answer_question(&self, question: &Question) -> Attempt {
        let mut guessed = question.instance.clone();
        let way = guessed.stage.as_ref().map(|stage| stage.name.clone()).or(guessed.variant.clone());
        let task = (guessed.task.clone(), way);
        // Of the steps of a task it has no idea.
        guessed.stages.clear();
        for (expect, answer) in guessed.expects.iter_mut().zip(self.commonest.get(&task).into_iter().flatten()) {
            expect.answer.clone_from(answer);
        }
        write_solution(question, &guessed)
    }

    fn must_keep_prompt_paths(&self) -> bool {
        false
    }

    fn default_concurrency(&self) -> usize {
        AT_ONCE
    }

    fn can_defer_cleanup(&self) -> bool {
        true
    }

    fn can_only_read_links(&self) -> bool {
        true
    }
}

/// Leaves what `instance`'s key accepts in the sandbox of `question`.
fn write_solution(question: &Question, instance: &Instance) -> Attempt {
    let answer = Answer::from_prompt(&question.instance.prompt);
    let solution = match score::solve_instance(instance, question.files) {
        Ok(solution) => solution,
        Err(why) => return Attempt::Over(answer.end_with_status(Status::Failed, why)),
    };
    let sandbox = question.sandbox;
    let leave = || -> std::io::Result<()> {
        for path in &solution.removed {
            let path = sandbox.to_dir_path(path);
            match sandbox.dir.symlink_metadata(&path) {
                Ok(found) if found.is_dir() => sandbox.dir.remove_dir_all(&path)?,
                Ok(_) => sandbox.dir.remove_file(&path)?,
                // Gone with the folder around it.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        for folder in &solution.folders {
            sandbox.dir.create_dir_all(sandbox.to_dir_path(folder))?;
        }
        for (path, bytes) in &solution.files {
            let path = sandbox.to_dir_path(path);
            if let Some((folder, _)) = path.rsplit_once('/') {
                sandbox.dir.create_dir_all(folder)?;
            }
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
