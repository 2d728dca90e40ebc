//! Stages: the steps of a task, each with its own question and answer, and the modes in which a bundle asks them.

use serde::{Deserialize, Serialize};

use super::{Compile, Compiled, Expects, LakeSelection, LakeUse, Phase, Plan, Printed, Prompt, StageId, Task, Variant};
use crate::TiVec;
use crate::answer_key::{Answer, Expect, Expression, Subject};

/// The file for the answers of the stages, next to the task's answer, with [`StageMode::Trace`].
pub const STEPS: &str = "steps.json";

crate::worded! {
    /// The mode in which a bundle asks the stages of its tasks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum StageMode {
        /// Stages are not asked; tasks are built as if they had none.
        #[default]
        Whole = "whole",
        /// Stages are asked one by one, instead of the task.
        Each = "each",
        /// The same, with the answers of the preceding stages in the prompt.
        Given = "given",
        /// Stages are asked with the task, in which the agent writes down the answer of each.
        Trace = "trace",
    }
}

impl StageMode {
    /// Checks whether tasks are asked as if they had no stages.
    pub fn is_whole(&self) -> bool {
        *self == StageMode::Whole
    }

    /// Checks whether stages are asked one by one.
    pub const fn is_single(self) -> bool {
        matches!(self, StageMode::Each | StageMode::Given)
    }
}

/// `stage NAME [after NAME, …] { … }`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "S: Printed"))]
pub struct Stage<S: Phase = Compiled> {
    /// The properties shared with a variant: name, prompt, answers, tags, and computed names. Its prompt and answers do not include those of the task.
    #[serde(flatten)]
    pub way: Variant<S>,
    /// The stages that precede it, in source order: those that it names, or those on which its answers depend.
    pub after: Vec<StageId>,
}

impl<S: Phase> Stage<S> {
    /// Compiles it.
    pub fn compile_with(&self, by: &mut impl Compile<S>) -> Stage {
        Stage { way: self.way.compile_with(&[], by), after: self.after.clone() }
    }
}

/// Returns the answers of a stage that a later stage can state: one value each. An answer in a part of the reply is included only if it is the only
/// expectation, because the value does not identify the part.
pub fn list_tellable<E: Expression>(expects: &[Expect<E>]) -> impl Iterator<Item = &Expect<E>> {
    let is_value = |expect: &&Expect<E>| {
        let answered = matches!(expect.answer, Some(Answer::One(_) | Answer::AnyOf(_)));
        answered && expect.at.is_none() && matches!(expect.subject, Subject::Reply(_) | Subject::File(_))
    };
    let alone = expects.len() == 1;
    expects.iter().filter(is_value).filter(move |expect| alone || !matches!(expect.subject, Subject::Reply(Some(_))))
}

/// Sorts stages by their graph: each comes after those that precede it, otherwise in source order. `None` if the graph has a cycle.
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
    /// Returns the same suite with another stage mode. If stages are asked one by one, tasks without stages are removed.
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
            // An agent that answers the stages also needs their files.
            let own = self.variants.iter_mut().flat_map(|variant| &mut variant.lakes);
            for used in self.lakes.iter_mut().chain(own) {
                self.stages.iter().flat_map(|stage| &stage.way.lakes).for_each(|lake| add_needed_files(used, lake));
            }
        }
    }

    /// Returns the stage that a variant's instances ask, if stages are asked one by one.
    pub fn find_asked_stage(&self, variant: u32) -> Option<&Stage> {
        self.stages.get(StageId(variant)).filter(|_| self.asked.is_single())
    }
}

/// Adds the files that `other` needs from the same lake.
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
