//! What of a task must be imagined to find out where its build can stop: the places that are not proved safe, and everything that they and the `require`s
//! around them depend on.

use std::collections::BTreeSet;

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId, Scope};

use super::exhaust::{self, Place};
use super::phases::Phases;
use super::safe::Safety;
use super::sql::is_unread_view;
use super::trees::visit_cells;
use hir::{Arg, ColumnSource, Expr, ExprKind, File, FileContent, Name, NameSource, Rows, Task};

/// What a part of a task depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Names.
    pub names: BTreeSet<NameId>,
    /// Tables, if only for their number of rows.
    pub relations: BTreeSet<RelationId>,
    /// Columns.
    pub columns: BTreeSet<(RelationId, ColumnId)>,
}

impl Needs {
    /// Whether nothing is needed.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.relations.is_empty()
    }

    /// Whether something drawn is needed by both.
    pub(super) fn meets(&self, other: &Needs) -> bool {
        !self.names.is_disjoint(&other.names) || !self.relations.is_disjoint(&other.relations)
    }

    /// Adds everything that an expression depends on.
    pub(super) fn add_expr(&mut self, task: &Task, expr: &Expr, scope: Scope) {
        let mut open = Open::default();
        open.look_at(expr, scope);
        self.add_open(task, open);
    }

    /// Adds a name, and everything that it depends on.
    pub(super) fn add_name(&mut self, task: &Task, name: NameId) {
        self.add_open(task, Open { names: vec![name], ..Open::default() });
    }

    /// Adds a column, and everything that it depends on.
    pub(super) fn add_column(&mut self, task: &Task, column: (RelationId, ColumnId)) {
        self.add_open(task, Open { columns: vec![column], ..Open::default() });
    }

    /// Adds a table without its columns, and everything that its number of rows depends on.
    pub(super) fn add_relation(&mut self, task: &Task, relation: RelationId) {
        self.add_open(task, Open { relations: vec![relation], ..Open::default() });
    }

    fn add_open(&mut self, task: &Task, mut open: Open) {
        loop {
            if let Some(file) = open.files.pop() {
                open.enter_file(task, file);
            } else if let Some(id) = open.names.pop() {
                if self.names.insert(id) {
                    open.enter_name(task, id);
                }
            } else if let Some(id) = open.relations.pop() {
                if self.relations.insert(id) {
                    open.enter_relation(task, id);
                }
            } else if let Some(column) = open.columns.pop() {
                if self.columns.insert(column) {
                    open.enter_column(task, column);
                }
            } else {
                return;
            }
        }
    }
}

/// What is still to be looked at.
#[derive(Default)]
struct Open {
    names: Vec<NameId>,
    relations: Vec<RelationId>,
    columns: Vec<(RelationId, ColumnId)>,
    files: Vec<FileId>,
}

impl Open {
    fn look_at(&mut self, expr: &Expr, scope: Scope) {
        expr.visit_with_scope(scope, &mut |part, scope| match &part.kind {
            ExprKind::Name(id) => self.names.push(*id),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => self.columns.extend(part.find_cell(scope)),
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.look_at_arg(arg)),
            _ => {}
        });
    }

    fn look_at_arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Relation { relation, .. } | Arg::Each { relation, .. } => self.relations.push(*relation),
            Arg::Column { relation, column, .. } => self.columns.push((*relation, *column)),
            Arg::Sql(sql) => {
                self.relations.extend(&sql.analysis.tables);
                self.columns.extend(&sql.analysis.reads);
            }
            Arg::File(file) => self.files.push(*file),
            Arg::Value(_) | Arg::Path(_) => {}
        }
    }

    /// The columns in the structure of a file, which paths read.
    fn enter_file(&mut self, task: &Task, file: FileId) {
        let content = task.files.get(file).map(|file| &file.content);
        if let Some(shape) = content.and_then(FileContent::shape) {
            shape.visit_relations(&mut |relation| self.relations.push(relation));
            visit_cells(shape, &mut |column| self.columns.push(column));
        }
        self.relations.extend(content.into_iter().flat_map(FileContent::relations));
    }

    fn enter_name(&mut self, task: &Task, id: NameId) {
        match task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.look_at(value, Scope::default()),
            Some(NameSource::Draw { draw, .. }) => self.enter_draw(draw, Scope::default()),
            Some(NameSource::Axis | NameSource::Row) | None => {}
        }
    }

    fn enter_draw(&mut self, draw: &hir::Draw, scope: Scope) {
        draw.visit_exprs(scope, &mut |_, expr, scope| self.look_at(expr, scope));
        if let hir::DrawDomain::Ref { relation, column, together, .. } = &draw.domain {
            self.columns.push((*relation, *column));
            self.columns.extend(together.iter().map(|column| (*relation, *column)));
        }
    }

    fn enter_relation(&mut self, task: &Task, id: RelationId) {
        let Some(relation) = task.relations.get(id) else { return };
        match &relation.rows {
            Rows::Count(low, high) => [low, high].into_iter().for_each(|bound| self.look_at(bound, Scope::default())),
            Rows::PerRow { parent, low, high } => {
                self.relations.push(*parent);
                [low, high].into_iter().for_each(|bound| self.look_at(bound, Scope::default()));
            }
            Rows::Query(name) => self.names.push(*name),
            Rows::Taken { from, filter } => {
                self.relations.push(*from);
                filter.iter().for_each(|filter| self.look_at(filter, Scope::default().enter_filter(*from)));
            }
            Rows::Lines(file) | Rows::View(file) => {
                let content = task.files.get(*file).map(|file| &file.content);
                self.relations.extend(content.into_iter().flat_map(FileContent::relations));
            }
            Rows::Given(_) => {}
        }
    }

    fn enter_column(&mut self, task: &Task, (relation, column): (RelationId, ColumnId)) {
        self.relations.push(relation);
        let Some(declared) = task.relations.get(relation) else { return };
        match declared.columns.get(column).map(|column| &column.source) {
            Some(ColumnSource::Draw { draw, .. }) => self.enter_draw(draw, Scope::with_row(relation)),
            Some(ColumnSource::Compute(value)) => self.look_at(value, Scope::with_row(relation)),
            Some(ColumnSource::Taken(of)) => {
                if let Rows::Taken { from, .. } = declared.rows {
                    self.columns.push((from, *of));
                }
            }
            Some(ColumnSource::Given(_) | ColumnSource::Result(_)) | None => {}
        }
    }
}

/// The number of names whose values must differ from each other, one of which this is.
fn count_distinct(task: &Task, name: &Name) -> u128 {
    let group = |name: &Name| match &name.source {
        NameSource::Draw { draw, group, .. } if draw.unique => Some(group.clone()),
        _ => None,
    };
    let own = group(name);
    task.names.iter().filter(|other| own.is_some() && group(other) == own).count().max(1) as u128
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
            safety.is_safe_expr(expr, scope)
                || scope.outer.is_none() && exhaust::is_proved(safety, (Place::Value(expr), scope.row), requires)
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
