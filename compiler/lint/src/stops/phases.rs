//! What is known before all `require`s hold, and what after that.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{FileId, NameId, Op, RelationId, Scope, Step};

use hir::facts::Facts;
use hir::order::find_int_ends;
use hir::{Arg, Expr, ExprKind, Task};

/// The facts of a task before its `require`s, and where all of them hold.
pub(super) struct Phases<'f, 'a> {
    early: &'f Facts<'a>,
    late: &'f Facts<'a>,
    conditions: Vec<&'a Expr>,
    names: BTreeSet<NameId>,
    relations: BTreeSet<RelationId>,
    files: BTreeSet<FileId>,
    /// The expressions that are computed before a `require`.
    spans: BTreeSet<(u32, u32)>,
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
            spans: BTreeSet::new(),
        };
        for step in task.steps.iter().take(last) {
            phases.add_step(task, *step);
        }
        task.iter_conditions().for_each(|condition| phases.add_span(condition.span));
        let cells = task.axes.iter().flat_map(|axis| &axis.cells);
        cells.for_each(|(_, value)| phases.add_span(value.span));
        phases
    }

    fn add_step(&mut self, task: &'a Task, step: Step) {
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
        spans.into_iter().for_each(|span| self.add_span(span));
    }

    fn add_span(&mut self, span: Span) {
        self.spans.insert((span.start, span.end));
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
        if self.spans.contains(&(expr.span.start, expr.span.end)) {
            (self.early, &[])
        } else {
            (self.late, &self.conditions)
        }
    }
}

/// Calls `visit` for all parts of an expression, each with its scope, where the conditions around it hold.
pub(super) fn visit_guarded<'a>(
    facts: &Facts<'a>,
    (expr, scope): (&'a Expr, Scope),
    visit: &mut dyn FnMut(&'a Expr, Scope),
) {
    visit(expr, scope);
    match &expr.kind {
        ExprKind::If(parts) => {
            visit_guarded(facts, (&parts.0, scope), visit);
            facts.under((&parts.0, scope), true, || visit_guarded(facts, (&parts.1, scope), visit));
            facts.under((&parts.0, scope), false, || visit_guarded(facts, (&parts.2, scope), visit));
        }
        ExprKind::Binary(op @ (Op::And | Op::Or), sides) => {
            visit_guarded(facts, (&sides.0, scope), visit);
            facts.under((&sides.0, scope), *op == Op::And, || visit_guarded(facts, (&sides.1, scope), visit));
        }
        ExprKind::Call(_, args) if args.iter().any(|arg| matches!(arg, Arg::Each { filter: Some(_), .. })) => {
            expr.visit_children(&mut |child, rows| {
                let inner = rows.map_or(scope, |rows| scope.enter_filter(rows));
                let each = args.iter().find_map(|arg| match arg {
                    Arg::Each { value, filter: Some(filter), .. } if std::ptr::eq(value, child) => Some(filter),
                    _ => None,
                });
                match each {
                    Some(filter) => {
                        facts.under((filter, inner), true, || visit_guarded(facts, (child, inner), visit));
                    }
                    None => visit_guarded(facts, (child, inner), visit),
                }
            });
        }
        _ => expr.visit_children(&mut |child, rows| {
            visit_guarded(facts, (child, rows.map_or(scope, |rows| scope.enter_filter(rows))), visit);
        }),
    }
}
