//! `stage NAME [after NAME, …] { … }`: the stages of a task and the graph that they form.
//!
//! A stage that names others after `after` is preceded by these, all and only. Any other is preceded by the stages that its answer builds on: stage A precedes
//! stage B if a computed name that A's expected values read is read by B's, directly or through other computed names, and not the other way round.

use std::collections::{BTreeMap, BTreeSet};

use model::answer_key::Subject;
use model::path::folded;
use model::suite::matchers::Reads;
use model::suite::{Means, NameId, STEPS, StageId, in_order};
use model::uses::Uses;
use model::{Span, TiVec};

use crate::ast;
use crate::check::model::{TaskChecker, WayKind};
use crate::check::say::{duplicate, suggest_name, twice};
use crate::check::task::parts::Parts;
use crate::diagnostics::{Code, Diagnostic};
use crate::hir;

impl<'a> TaskChecker<'_, 'a> {
    /// The stages of a task, so far without what precedes them. Their names differ from each other and from those of variants, which are `taken`.
    pub fn stages(
        &mut self,
        (parts, means): (&Parts<'a>, &Means),
        taken: &mut BTreeMap<String, (Span, WayKind)>,
    ) -> TiVec<StageId, hir::Stage> {
        let mut stages = TiVec::new();
        for written in &parts.stages {
            if let Some((first, kind)) =
                taken.insert(written.name.text.to_lowercase(), (written.name.span, WayKind::Stage))
            {
                self.cx.say(duplicate(written.name, "stage", first, kind.word()));
            }
            let way = self.way(written, WayKind::Stage, (&[], means));
            for expect in &way.expects {
                if expect.matcher.record().reads == Reads::Query {
                    let said = Diagnostic::new(
                        Code::MISPLACED,
                        "`sql` cannot be in a stage: an answer in `steps.json` is a value, not a query",
                        expect.span,
                        "not in a stage",
                    );
                    self.cx
                        .say(said.help("ask for the value that the query finds, or move the question into a variant"));
                }
            }
            stages.push(hir::Stage { way, after: Vec::new() });
        }
        stages
    }

    /// Completes the stages of a task that is checked otherwise: which precede which.
    pub fn finish_stages(&mut self, task: &mut hir::Task, parts: &Parts<'a>) {
        if task.stages.is_empty() {
            return;
        }
        let lowered = crate::lower::task(task);
        let direct: Vec<BTreeSet<NameId>> =
            lowered.stages.iter().map(|stage| Uses::computed(&lowered, &stage.way.expects, false)).collect();
        let all: Vec<BTreeSet<NameId>> =
            lowered.stages.iter().map(|stage| Uses::computed(&lowered, &stage.way.expects, true)).collect();
        let builds_on = |stage: usize, other: usize| match (direct.get(other), all.get(stage)) {
            (Some(other), Some(stage)) => !other.is_disjoint(stage),
            _ => false,
        };
        for (at, written) in parts.stages.iter().enumerate() {
            let after = if written.after.is_empty() {
                let precedes = |other: &usize| *other != at && builds_on(at, *other) && !builds_on(*other, at);
                (0..parts.stages.len()).filter(precedes).map(StageId::from).collect()
            } else {
                self.named_stages(written.after, parts)
            };
            if let Some(stage) = task.stages.get_mut(StageId::from(at)) {
                stage.after = after;
            }
        }
        if in_order(&task.stages).is_none() {
            self.cycle_of_stages(task, parts);
        }
        self.steps_file(task);
    }

    /// The stages that follow `after`, in source order.
    fn named_stages(&mut self, after: &'a [ast::Ident], parts: &Parts<'a>) -> Vec<StageId> {
        let mut found: BTreeMap<StageId, Span> = BTreeMap::new();
        for name in after {
            let Some(at) = parts.stages.iter().position(|stage| stage.name.text == name.text) else {
                let message = format!("stage `{}` is not defined", name.text);
                let said = Diagnostic::new(Code::UNKNOWN_NAME, message, name.span, "no such stage").unknown(&name.text);
                let known = parts.stages.iter().map(|stage| stage.name.text.as_str());
                self.cx.say(suggest_name(said, name.span, &name.text, known));
                continue;
            };
            if let Some(stage) = parts.stages.get(at) {
                self.cx.refer(name.span, stage.name.span);
            }
            if let Some(first) = found.insert(StageId::from(at), name.span) {
                self.cx.say(twice(&name.text, name.span, first));
            }
        }
        found.into_keys().collect()
    }

    /// Says that stages precede each other, and leaves them without an order.
    fn cycle_of_stages(&mut self, task: &mut hir::Task, parts: &Parts<'a>) {
        // From a stage of the cycle, each step goes to one that precedes it, until a stage comes again.
        let on_cycle = |id: StageId| reaches(task, id, id);
        let Some(first) = task.stages.keys().find(|id| on_cycle(*id)) else { return };
        let mut way = vec![first];
        while let Some(next) = way.last().and_then(|at| {
            let stage = task.stages.get(*at)?;
            let back = stage.after.iter().copied().find(|id| *id == first);
            back.or_else(|| stage.after.iter().copied().find(|id| !way.contains(id) && reaches(task, *id, first)))
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
        self.cx.say(said.help("remove one of the names after `after`, or state the order with `after`"));
        task.stages.iter_mut().for_each(|stage| stage.after.clear());
    }

    /// Says where a task with stages makes or expects the file to which their answers are written.
    fn steps_file(&mut self, task: &hir::Task) {
        let first = task.stages.first().map_or(Span::default(), |stage| stage.way.span);
        for expect in task.all_expects() {
            let Subject::File(path) = &expect.subject else { continue };
            if path.value().is_some_and(|path| folded(&path.render()) == STEPS) {
                let message = format!("`expect` reads `{STEPS}`, where the answers of the stages are");
                let said = Diagnostic::new(Code::PATH_CLASH, message, path.span, "the same path");
                self.cx.say(said.label(first, "a stage").help("expect another file"));
            }
        }
    }
}

/// Whether a stage is preceded by another, directly or through others.
fn reaches(task: &hir::Task, from: StageId, to: StageId) -> bool {
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
