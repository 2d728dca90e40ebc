//! `stage NAME [after NAME, …] { … }`: the stages of a task and the graph that they form.
//!
//! A stage with `after` is preceded by exactly the stages named there. Any other stage is preceded by the stages on which its answer builds: A precedes
//! B if B's expected values read a computed name that A's expected values read, directly or through other computed names, and A does not build on B.

use std::collections::{BTreeMap, BTreeSet};

use model::answer_key::Subject;
use model::path::fold_path;
use model::suite::matchers::Reads;
use model::suite::{AgentTools, NameId, STEPS, StageId, sort_stages};
use model::uses::Uses;
use model::{Span, TiVec};

use crate::context::{Checker, TaskChecker, WayKind};
use crate::task::parts::Parts;
use syntax::ast;
use syntax::diagnostics::wording::{build_duplicate_diagnostic, build_repeated_diagnostic, build_unknown_diagnostic};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    /// Checks the stages of a task, without their order. Their names must differ from each other and from `taken`, the names of the variants.
    pub fn check_stages(
        &mut self,
        (parts, means): (&Parts<'a>, &AgentTools),
        taken: &mut BTreeMap<String, (Span, WayKind)>,
    ) -> TiVec<StageId, hir::Stage> {
        let mut stages = TiVec::new();
        for written in &parts.stages {
            if let Some((first, kind)) =
                taken.insert(written.name.text.to_lowercase(), (written.name.span, WayKind::Stage))
            {
                self.cx.report(build_duplicate_diagnostic(written.name, "stage", first, kind.word()));
            }
            let way = self.check_way(written, WayKind::Stage, (&[], means));
            for expect in &way.expects {
                if expect.matcher.record().reads == Reads::Query {
                    let message = "`sql` cannot be in a stage: an answer in `steps.json` is a value, not a query";
                    let said = Diagnostic::new(Code::MISPLACED, message, expect.span, "not in a stage");
                    self.cx.report(
                        said.help("ask for the value that the query finds, or move the question into a variant"),
                    );
                }
            }
            stages.push(hir::Stage { way, after: Vec::new() });
        }
        stages
    }
}

impl<'a> Checker<'a> {
    /// Computes which stages precede each stage of a task that has otherwise been checked.
    pub fn finish_stages(&mut self, task: &mut hir::Task, parts: &Parts<'a>) {
        if task.stages.is_empty() {
            return;
        }
        let lowered = hir::lower::lower_task(task);
        let direct: Vec<BTreeSet<NameId>> =
            lowered.stages.iter().map(|stage| Uses::find_direct_names(&lowered, &stage.way.expects)).collect();
        let all: Vec<BTreeSet<NameId>> =
            lowered.stages.iter().map(|stage| Uses::find_computed_names(&lowered, &stage.way.expects)).collect();
        let builds_on = |stage: usize, other: usize| match (direct.get(other), all.get(stage)) {
            (Some(other), Some(stage)) => !other.is_disjoint(stage),
            _ => false,
        };
        for (at, written) in parts.stages.iter().enumerate() {
            let after = if written.after.is_empty() {
                let precedes = |other: &usize| *other != at && builds_on(at, *other) && !builds_on(*other, at);
                (0..parts.stages.len()).filter(precedes).map(StageId::from).collect()
            } else {
                self.resolve_stages(written.after, parts)
            };
            if let Some(stage) = task.stages.get_mut(StageId::from(at)) {
                stage.after = after;
            }
        }
        if sort_stages(&task.stages).is_none() {
            self.check_stage_cycle(task, parts);
        }
        self.check_steps_file(task);
    }

    /// Resolves the stages named after `after`, in source order.
    fn resolve_stages(&mut self, after: &'a [ast::Ident], parts: &Parts<'a>) -> Vec<StageId> {
        let mut found: BTreeMap<StageId, Span> = BTreeMap::new();
        for name in after {
            let Some(at) = parts.stages.iter().position(|stage| stage.name.text == name.text) else {
                let message = format!("stage `{}` is not defined", name.text);
                let known = parts.stages.iter().map(|stage| stage.name.text.as_str());
                self.report(build_unknown_diagnostic(Code::UNKNOWN_NAME, name, message, "no such stage", known));
                continue;
            };
            if let Some(stage) = parts.stages.get(at) {
                self.record_reference(name.span, stage.name.span);
            }
            if let Some(first) = found.insert(StageId::from(at), name.span) {
                self.report(build_repeated_diagnostic(&name.text, name.span, first));
            }
        }
        found.into_keys().collect()
    }

    /// Reports a cycle of stages that precede each other, and removes the order of all stages.
    fn check_stage_cycle(&mut self, task: &mut hir::Task, parts: &Parts<'a>) {
        // Starting from a stage of the cycle, each step leads to a stage that precedes it, until it is back at the start.
        let on_cycle = |id: StageId| is_preceded_by(task, id, id);
        let Some(first) = task.stages.keys().find(|id| on_cycle(*id)) else { return };
        let mut way = vec![first];
        while let Some(next) = way.last().and_then(|at| {
            let stage = task.stages.get(*at)?;
            let back = stage.after.iter().copied().find(|id| *id == first);
            back.or_else(|| {
                stage.after.iter().copied().find(|id| !way.contains(id) && is_preceded_by(task, *id, first))
            })
        }) {
            way.push(next);
            if next == first {
                break;
            }
        }
        let name = |id: &StageId| task.stages.get(*id).map_or("", |stage| stage.way.name.as_str());
        let names: Vec<String> = way.iter().map(|id| format!("`{}`", name(id))).collect();
        let message = match way.as_slice() {
            [_, second] if *second == first => format!("stage {} precedes itself", names[0]),
            _ => format!("stage {} precedes itself: {}", names[0], names.join(" after ")),
        };
        let place = |id: &StageId| {
            let written = parts.stages.get(usize::from(*id));
            written.map_or(Span::default(), |written| written.after.first().map_or(written.name.span, |one| one.span))
        };
        let mut said = Diagnostic::new(Code::CYCLE, message, place(&first), "the cycle begins here");
        for pair in way.windows(2).skip(1) {
            let [stage, before] = pair else { continue };
            said = said.label(place(stage), format!("`{}` comes after `{}`", name(stage), name(before)));
        }
        self.report(said.help("remove one of the names after `after`, or state the order with `after`"));
        task.stages.iter_mut().for_each(|stage| stage.after.clear());
    }

    /// Reports expectations of a task with stages that read the file with the answers of the stages.
    fn check_steps_file(&mut self, task: &hir::Task) {
        let first = task.stages.first().map_or(Span::default(), |stage| stage.way.span);
        for expect in task.iter_expects() {
            let Subject::File(path) = &expect.subject else { continue };
            if path.as_constant().is_some_and(|path| fold_path(&path.render_text()) == STEPS) {
                let message = format!("`expect` reads `{STEPS}`, where the answers of the stages are");
                let said = Diagnostic::new(Code::PATH_CLASH, message, path.span, "the same path");
                self.report(said.label(first, "a stage").help("expect another file"));
            }
        }
    }
}

/// Checks whether a stage is preceded by another one, directly or through others.
fn is_preceded_by(task: &hir::Task, from: StageId, to: StageId) -> bool {
    let mut seen: BTreeSet<StageId> = BTreeSet::new();
    let mut left = vec![from];
    while let Some(stage) = left.pop().and_then(|at| task.stages.get(at)) {
        for before in &stage.after {
            if *before == to {
                return true;
            }
            if seen.insert(*before) {
                left.push(*before);
            }
        }
    }
    false
}
