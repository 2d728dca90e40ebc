//! Stages: the steps of a task, each with a question and an answer of its own, and how a bundle asks them.

use serde::{Deserialize, Serialize};

use super::{Compile, Compiled, Expects, LakeSelection, LakeUse, Phase, Plan, Printed, Prompt, StageId, Task, Variant};
use crate::TiVec;
use crate::answer_key::{Answer, Expect, Expression, Subject};

/// Where an agent writes the answers of the stages, next to that of the task, with [`StageMode::Trace`].
pub const STEPS: &str = "steps.json";

/// How a bundle asks the stages of its tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageMode {
    /// Not at all: the tasks as if they had none.
    #[default]
    Whole,
    /// One by one, instead of the task.
    Each,
    /// The same, with the answers of the stages that precede each.
    Given,
    /// With the task, which is to write down the answer of each.
    Trace,
}

impl StageMode {
    /// All of them.
    pub const ALL: [StageMode; 4] = [StageMode::Whole, StageMode::Each, StageMode::Given, StageMode::Trace];

    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            StageMode::Whole => "whole",
            StageMode::Each => "each",
            StageMode::Given => "given",
            StageMode::Trace => "trace",
        }
    }

    /// Whether tasks are asked as if they had no stages.
    pub fn is_whole(&self) -> bool {
        *self == StageMode::Whole
    }

    /// Whether stages are asked one by one.
    pub const fn is_single(self) -> bool {
        matches!(self, StageMode::Each | StageMode::Given)
    }
}

/// `stage NAME [after NAME, …] { … }`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Stage<S: Phase = Compiled> {
    /// What a variant has, too: its name, prompt, answers, tags, and computed names. Its prompt is alone, without that of the task, and so are its answers.
    #[serde(flatten)]
    pub way: Variant<S>,
    /// The stages that precede it, in source order: those that it names, or those that its answers build on.
    pub after: Vec<StageId>,
}

impl<S: Phase> Stage<S> {
    /// The same, compiled.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Stage {
        Stage { way: self.way.compile_with(&[], by), after: self.after.clone() }
    }
}

/// The answers of a stage that a later one can be told: one value each. What is a part of the reply is one of them only where nothing else is expected,
/// since a value alone does not say which part it is.
pub fn list_tellable<E: Expression>(expects: &[Expect<E>]) -> impl Iterator<Item = &Expect<E>> {
    let is_value = |expect: &&Expect<E>| {
        let answered = matches!(expect.answer, Some(Answer::One(_) | Answer::AnyOf(_)));
        answered && expect.at.is_none() && matches!(expect.subject, Subject::Reply(_) | Subject::File(_))
    };
    let alone = expects.len() == 1;
    expects.iter().filter(is_value).filter(move |expect| alone || !matches!(expect.subject, Subject::Reply(Some(_))))
}

/// The stages in the order of their graph: each after those that precede it, else as in the source. `None` where the graph has a cycle.
pub fn sort_stages<S: Phase>(stages: &TiVec<StageId, Stage<S>>) -> Option<Vec<StageId>> {
    let mut order: Vec<StageId> = Vec::with_capacity(stages.len());
    while order.len() < stages.len() {
        let ready = |id: &StageId| {
            let after = stages.get(*id).map_or(&[][..], |stage| stage.after.as_slice());
            !order.contains(id) && after.iter().all(|before| order.contains(before))
        };
        order.push(stages.keys().find(ready)?);
    }
    Some(order)
}

impl Plan {
    /// The same suite, with its stages asked in another way. Where they are asked one by one, tasks without any are left out.
    pub fn with_stage_mode(&self, mode: StageMode) -> Plan {
        let mut plan = Plan { asked: mode, ..self.clone() };
        if mode.is_single() {
            plan.tasks.retain(|task| !task.stages.is_empty());
        }
        plan.tasks.iter_mut().for_each(|task| task.apply_stage_mode(mode));
        plan
    }
}

impl Task {
    fn apply_stage_mode(&mut self, mode: StageMode) {
        if self.stages.is_empty() {
            return;
        }
        self.asked = mode;
        if mode.is_single() {
            self.variants = self.stages.iter().map(|stage| stage.way.clone()).collect();
            (self.prompt, self.expects) = (Prompt::default(), Expects::<Compiled>::default());
        } else if mode == StageMode::Trace {
            // Whoever answers the stages needs the files that they are read from, too.
            let own = self.variants.iter_mut().flat_map(|variant| &mut variant.lakes);
            for used in self.lakes.iter_mut().chain(own) {
                self.stages.iter().flat_map(|stage| &stage.way.lakes).for_each(|lake| add_needed_files(used, lake));
            }
        }
    }

    /// The stage that the instances of a variant ask, where stages are asked one by one.
    pub fn find_asked_stage(&self, variant: u32) -> Option<&Stage> {
        self.stages.get(StageId(variant)).filter(|_| self.asked.is_single())
    }
}

/// Adds the files that `other` needs of the same lake.
fn add_needed_files(used: &mut LakeUse, other: &LakeUse) {
    if used.lake != other.lake {
        return;
    }
    match (&mut used.files, &other.files) {
        (LakeSelection::Needed { files, .. }, LakeSelection::Needed { files: more, .. }) => {
            files.extend(more);
            files.sort_unstable();
            files.dedup();
        }
        (files, LakeSelection::All) => *files = LakeSelection::All,
        (LakeSelection::All, _) => {}
    }
}
