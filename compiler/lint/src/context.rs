//! What all lints share: the task that they look at, the ways of asking it, and a diagnostic that is reported once.

use std::cell::OnceCell;
use std::sync::Arc;

use hir::facts::Facts;
use model::suite::matchers::Reads;
use model::suite::{AgentTools, Lake, LakeId};
use model::{Span, TiVec};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::sources::Sources;

/// A task, and the context of its lints.
pub(crate) struct TaskCx<'a> {
    /// The task.
    pub task: &'a hir::Task,
    /// The lakes that tasks give to the agent.
    pub lakes: &'a TiVec<LakeId, Arc<Lake>>,
    /// The source text.
    pub sources: &'a Sources,
    /// The possible values of its expressions, once a lint asks for them.
    facts: OnceCell<Facts<'a>>,
}

/// One way of asking a task: the task itself, one of its variants, or one of its stages.
pub(crate) struct Asked<'a> {
    /// The variant or stage.
    pub variant: Option<&'a hir::Variant>,
    /// Whether it is a stage, which is asked without the prompt and the answers of the task.
    pub is_stage: bool,
    /// The span of the name of the task, variant, or stage.
    pub span: Span,
    /// All wordings of the task's prompt and of the variant's: any of them can be in the prompt.
    pub prompts: Vec<&'a hir::Expr>,
    /// All expectations that apply.
    pub expects: Vec<&'a hir::Expect>,
    /// The tools that the agent can use.
    pub means: &'a AgentTools,
}

impl<'a> Asked<'a> {
    /// Iterates over the expected values.
    pub fn iter_answers(&self) -> impl Iterator<Item = &'a hir::Expr> {
        self.expects.iter().filter_map(|expect| expect.answer_expr())
    }

    /// Lists the single values that must be found in the data, each after the answer that it belongs to.
    pub fn list_found_values(&self) -> Vec<(&'a hir::Expr, &'a hir::Expr)> {
        let mut found = Vec::new();
        for expect in self.expects.iter().filter(|expect| expect.matcher.record().reads != Reads::Query) {
            let Some(value) = expect.answer_expr().filter(|_| !expect.is_any_of()) else { continue };
            match expect.matcher.record().keys {
                true => found.extend(value.list_leaves().into_iter().map(|(leaf, _)| (value, leaf))),
                false => found.push((value, value)),
            }
        }
        found
    }

    /// Adds a variant or stage to the task: its prompt and expectations apply, too.
    fn with_way(mut self, way: &'a hir::Variant) -> Asked<'a> {
        self.prompts.extend(&way.prompt.wordings);
        self.expects.extend(&way.expects);
        Asked { variant: Some(way), span: way.span, means: &way.means, ..self }
    }

    /// Describes the variant or stage, such as ``variant `x` ``. `None` for the task itself.
    pub fn describe_variant(&self) -> Option<String> {
        let word = if self.is_stage { "stage" } else { "variant" };
        self.variant.map(|variant| format!("{word} `{}`", variant.name))
    }
}

impl<'a> TaskCx<'a> {
    /// Creates the context of a task of this suite.
    pub fn new(suite: &'a hir::Suite, task: &'a hir::Task, sources: &'a Sources) -> TaskCx<'a> {
        TaskCx { task, lakes: &suite.lakes, sources, facts: OnceCell::new() }
    }

    /// The possible values of the task's expressions.
    pub fn facts(&self) -> &Facts<'a> {
        self.facts.get_or_init(|| Facts::new(self.task))
    }

    /// Lists the ways of asking the task: without variants and stages, only the task itself.
    pub fn list_questions(&self) -> Vec<Asked<'a>> {
        let task = self.task;
        let whole = || Asked {
            variant: None,
            is_stage: false,
            span: task.span,
            prompts: task.prompt.wordings.iter().collect(),
            expects: task.expects.iter().collect(),
            means: &task.means,
        };
        let stages = task.stages.iter().map(|stage| Asked {
            is_stage: true,
            prompts: stage.way.prompt.wordings.iter().collect(),
            expects: stage.way.expects.iter().collect(),
            ..whole().with_way(&stage.way)
        });
        let variants = task.variants.iter().map(|variant| whole().with_way(variant));
        task.variants.is_empty().then(whole).into_iter().chain(variants).chain(stages).collect()
    }
}

/// Builds a diagnostic of a lint that compares words of the prompt with what a key changes, and says that it can be wrong.
pub(crate) fn judge_by_words(
    code: &'static Code,
    message: impl Into<String>,
    span: Span,
    label: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(code, message, span, label).note("this is judged by the words of the prompt, which can be wrong")
}

/// Adds a diagnostic, unless this code has been reported at this span: several questions, or tasks, can have the same cause.
pub(crate) fn report_once(new: Diagnostic, said: &mut Vec<Diagnostic>) {
    if !said.iter().any(|known| known.code == new.code && known.primary.span == new.primary.span) {
        said.push(new);
    }
}
