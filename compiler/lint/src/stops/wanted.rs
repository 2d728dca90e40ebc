//! What of a task must be imagined to find out where its build can stop: the places that are not proved safe, and everything that they and the `require`s
//! around them depend on.

use model::Span;
use model::suite::{RelationId, Scope};

use super::exhaust::{self, Place};
use super::needs::Needs;
use super::phases::Phases;
use super::safe::Safety;
use super::sql::is_unread_view;
use hir::{ColumnSource, Expr, ExprKind, File, Name, NameSource, Rows, Task};

/// The number of names whose values must differ from each other, one of which this is.
fn count_distinct(task: &Task, name: &Name) -> u128 {
    let group = |name: &Name| match &name.source {
        NameSource::Draw { draw, group, .. } if draw.unique => Some(group.clone()),
        _ => None,
    };
    let own = group(name);
    task.names.iter().filter(|other| own.is_some() && group(other) == own).count().max(1) as u128
}

/// Whether an expression has a value; each field of an object by itself, which depends on less.
fn is_text_proved<'a>(safety: &Safety<'_, 'a>, (expr, scope): (&'a Expr, Scope), requires: &[&'a Expr]) -> bool {
    let of_fields =
        |fields: &'a [(String, Expr)]| fields.iter().all(|(_, value)| is_text_proved(safety, (value, scope), requires));
    safety.is_safe_expr(expr, scope)
        || matches!(&expr.kind, ExprKind::Object(fields) if of_fields(fields))
        || scope.outer.is_none() && exhaust::is_proved(safety, (Place::Value(expr), scope.row), requires)
}

/// The parts of a task that are imagined.
pub(super) struct Wanted<'a> {
    /// Everything that is imagined.
    pub needs: Needs,
    /// The expressions outside of names and tables: paths, prompts, answers.
    pub texts: Vec<(&'a Expr, Scope)>,
    /// The `require`s that matter, with what they depend on.
    pub requires: Vec<(usize, Needs)>,
    /// The places that are not proved safe.
    pub unproved: Vec<Span>,
    /// The names and columns among them.
    pub open: Needs,
}

impl<'a> Wanted<'a> {
    /// Collects the places that are not proved safe, and what they depend on.
    pub(super) fn new(phases: &Phases<'_, 'a>) -> Wanted<'a> {
        let task = phases.task();
        let mut wanted = Wanted {
            needs: Needs::default(),
            texts: Vec::new(),
            requires: Vec::new(),
            unproved: Vec::new(),
            open: Needs::default(),
        };
        let early = Safety::new(phases.early());
        let late = Safety::new(phases.late()).with_required(task.iter_conditions());
        let all = phases.conditions();
        for (id, name) in task.names.iter_enumerated() {
            let (safety, requires) = if phases.is_early_name(id) { (&early, [].as_slice()) } else { (&late, all) };
            let is_proved = |place: Place<'a>| exhaust::is_proved(safety, (place, None), requires);
            let safe = match &name.source {
                NameSource::Compute(value) => {
                    safety.is_safe_expr(value, Scope::default()) || is_proved(Place::Value(value))
                }
                NameSource::Draw { draw, .. } => {
                    safety.is_safe_draw(draw, Scope::default())
                        || is_proved(Place::Draw(draw, count_distinct(task, name)))
                }
                NameSource::Axis | NameSource::Row => true,
            };
            if !safe {
                wanted.unproved.push(name.span);
                wanted.open.names.insert(id);
                wanted.needs.add_name(task, id);
            }
        }
        for (id, relation) in task.relations.iter_enumerated().filter(|(_, own)| !is_unread_view(task, own)) {
            let (safety, requires) = if phases.is_early_relation(id) { (&early, [].as_slice()) } else { (&late, all) };
            let is_proved =
                |place: Place<'a>, row: Option<RelationId>| exhaust::is_proved(safety, (place, row), requires);
            let counts_are_proved = || match &relation.rows {
                Rows::Count(low, high) | Rows::PerRow { low, high, .. } => is_proved(Place::Count(low, high), None),
                _ => false,
            };
            if !safety.is_safe_count(&relation.rows) && !counts_are_proved() {
                wanted.unproved.push(relation.span);
                wanted.open.relations.insert(id);
                wanted.needs.add_relation(task, id);
            }
            for (column, declared) in relation.columns.iter_enumerated() {
                let is_column_proved = || match &declared.source {
                    ColumnSource::Draw { draw, .. } => !draw.unique && is_proved(Place::Draw(draw, 1), Some(id)),
                    ColumnSource::Compute(value) => is_proved(Place::Value(value), Some(id)),
                    _ => false,
                };
                if !safety.is_safe_column(id, declared) && !is_column_proved() {
                    wanted.unproved.push(declared.span);
                    wanted.open.columns.insert((id, column));
                    wanted.needs.add_column(task, (id, column));
                }
            }
        }
        wanted.add_texts(phases, &early, &late);
        wanted.add_requires(task, &early);
        wanted
    }

    fn add_texts(&mut self, phases: &Phases<'_, 'a>, early: &Safety<'_, 'a>, late: &Safety<'_, 'a>) {
        let task = phases.task();
        let top = Scope::default();
        let mut texts: Vec<(&'a Expr, Scope)> = Vec::new();
        task.files.iter().for_each(|file| {
            file.content.visit_exprs(file.surrounding_scope(), &mut |_, expr, scope| {
                texts.push((expr, scope));
            })
        });
        let find_safety = |expr: &Expr| match phases.facts_of_expr(expr) {
            (_, []) => (early, [].as_slice()),
            (_, requires) => (late, requires),
        };
        let prompts = [&task.prompt].into_iter().chain(task.iter_ways().map(|way| &way.prompt));
        texts.extend(prompts.flat_map(|prompt| &prompt.wordings).map(|wording| (wording, top)));
        task.iter_expects().for_each(|expect| expect.visit_exprs(&mut |expr| texts.push((expr, top))));
        let is_proved = |expr: &'a Expr, scope: Scope| {
            let (safety, requires) = find_safety(expr);
            is_text_proved(safety, (expr, scope), requires)
        };
        texts.retain(|(expr, scope)| !is_proved(expr, *scope));
        for (expr, scope) in &texts {
            self.unproved.push(expr.span);
            self.needs.add_expr(task, expr, *scope);
        }
        self.texts = texts;
        let is_safe = |file: &&'a File| find_safety(&file.path).0.is_safe_path(&file.path, file.surrounding_scope());
        for file in task.files.iter().filter(|file| !is_safe(file)) {
            self.unproved.push(file.path.span);
            self.needs.add_expr(task, &file.path, file.surrounding_scope());
        }
    }

    /// Adds the `require`s that depend on something imagined, and what they depend on, until nothing is added.
    fn add_requires(&mut self, task: &'a Task, safety: &Safety<'_, 'a>) {
        let mut left: Vec<(usize, Needs)> = Vec::new();
        for (index, require) in task.requires.iter().enumerate() {
            let mut needs = Needs::default();
            needs.add_expr(task, &require.condition, Scope::default());
            if !safety.is_safe_expr(&require.condition, Scope::default()) {
                self.needs.add_expr(task, &require.condition, Scope::default());
            }
            left.push((index, needs));
        }
        loop {
            let (meeting, apart): (Vec<_>, Vec<_>) = left.into_iter().partition(|(_, needs)| needs.meets(&self.needs));
            if meeting.is_empty() {
                return;
            }
            for (index, needs) in meeting {
                self.needs.names.extend(&needs.names);
                self.needs.relations.extend(&needs.relations);
                self.needs.columns.extend(&needs.columns);
                self.requires.push((index, needs));
            }
            left = apart;
        }
    }
}
