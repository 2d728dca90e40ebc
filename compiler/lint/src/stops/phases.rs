//! What is known before all `require`s hold, and what after that.

use std::collections::{BTreeMap, BTreeSet};

use model::Span;
use model::suite::{FileId, NameId, RelationId, Step};

use hir::facts::Facts;
use hir::order::find_int_ends;
use hir::{Expr, Task};

/// The facts of a task before its `require`s, and where all of them hold.
pub(super) struct Phases<'f, 'a> {
    early: &'f Facts<'a>,
    late: &'f Facts<'a>,
    conditions: Vec<&'a Expr>,
    names: BTreeSet<NameId>,
    relations: BTreeSet<RelationId>,
    files: BTreeSet<FileId>,
    /// The expressions that are computed before a `require`, with the conditions of those that hold there.
    spans: BTreeMap<Span, Vec<&'a Expr>>,
}

/// The facts that follow from `require`s, too.
pub(super) struct DeepFacts<'a> {
    early: Facts<'a>,
    late: Facts<'a>,
}

impl<'a> DeepFacts<'a> {
    /// Infers the facts of a task.
    pub(super) fn new(task: &'a Task) -> DeepFacts<'a> {
        let conditions: Vec<&'a Expr> = task.iter_conditions().collect();
        DeepFacts {
            early: Facts::with_conditions(task, &[], find_int_ends),
            late: Facts::with_conditions(task, &conditions, find_int_ends),
        }
    }

    /// The facts before and after the `require`s.
    pub(super) fn phases(&self) -> Phases<'_, 'a> {
        Phases::new(&self.early, &self.late)
    }
}

impl<'f, 'a> Phases<'f, 'a> {
    /// Puts together facts that hold before the `require`s of a task, and those that hold after them.
    pub(super) fn new(early: &'f Facts<'a>, late: &'f Facts<'a>) -> Phases<'f, 'a> {
        let task = early.task();
        let last = task.steps.iter().rposition(|step| matches!(step, Step::Require(_))).unwrap_or(0);
        let mut phases = Phases {
            early,
            late,
            conditions: task.iter_conditions().collect(),
            names: BTreeSet::new(),
            relations: BTreeSet::new(),
            files: BTreeSet::new(),
            spans: BTreeMap::new(),
        };
        let mut met = Vec::new();
        for step in task.steps.iter().take(last) {
            match step {
                Step::Require(at) => met.extend(task.requires.get(*at as usize).map(|require| &require.condition)),
                step => phases.add_step(task, *step, &met),
            }
        }
        task.iter_conditions().for_each(|condition| phases.add_span(condition.span, &[]));
        let cells = task.axes.iter().flat_map(|axis| &axis.cells);
        cells.for_each(|(_, value)| phases.add_span(value.span, &[]));
        phases
    }

    fn add_step(&mut self, task: &'a Task, step: Step, met: &[&'a Expr]) {
        let mut spans = Vec::new();
        match step {
            Step::Name(id) => {
                self.names.insert(id);
                if let Some(name) = task.names.get(id) {
                    name.source.visit_exprs(&mut |_, expr, _| spans.push(expr.span));
                }
            }
            Step::Relation(id) => {
                self.relations.insert(id);
                if let Some(relation) = task.relations.get(id) {
                    relation.visit_exprs(id, &mut |_, expr, _| spans.push(expr.span));
                }
            }
            Step::File(id) => {
                self.files.insert(id);
                if let Some(file) = task.files.get(id) {
                    file.visit_exprs(&mut |_, expr, _| spans.push(expr.span));
                }
            }
            Step::Require(_) => {}
        }
        spans.into_iter().for_each(|span| self.add_span(span, met));
    }

    fn add_span(&mut self, span: Span, met: &[&'a Expr]) {
        self.spans.insert(span, met.to_vec());
    }

    /// The task.
    pub(super) fn task(&self) -> &'a Task {
        self.early.task()
    }

    /// The facts before the `require`s.
    pub(super) fn early(&self) -> &'f Facts<'a> {
        self.early
    }

    /// The facts after the `require`s.
    pub(super) fn late(&self) -> &'f Facts<'a> {
        self.late
    }

    /// The conditions of all `require`s.
    pub(super) fn conditions(&self) -> &[&'a Expr] {
        &self.conditions
    }

    /// Whether a name is made before a `require`.
    pub(super) fn is_early_name(&self, id: NameId) -> bool {
        self.names.contains(&id)
    }

    /// Whether a table is made before a `require`.
    pub(super) fn is_early_relation(&self, id: RelationId) -> bool {
        self.relations.contains(&id)
    }

    /// The facts where a table is made.
    pub(super) fn facts_of_relation(&self, id: RelationId) -> &'f Facts<'a> {
        if self.is_early_relation(id) { self.early } else { self.late }
    }

    /// The facts where a file is made.
    pub(super) fn facts_of_file(&self, id: FileId) -> &'f Facts<'a> {
        if self.files.contains(&id) { self.early } else { self.late }
    }

    /// The facts where a whole expression is computed, and the conditions that hold there.
    pub(super) fn facts_of_expr(&self, expr: &Expr) -> (&'f Facts<'a>, &[&'a Expr]) {
        match self.spans.get(&expr.span) {
            Some(met) => (self.early, met),
            None => (self.late, &self.conditions),
        }
    }
}
