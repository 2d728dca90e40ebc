//! The graph of a task: from which draws, axes, columns, and numbers of rows a value is made.

use std::collections::{BTreeMap, BTreeSet};

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId, Scope};

use hir::{Arg, ColumnSource, DrawDomain, Expr, ExprKind, FileContent, NameSource, Rows, Task};

/// Something that is drawn, or that differs between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A drawn name or an axis.
    Name(NameId),
    /// A drawn column.
    Column(RelationId, ColumnId),
    /// The number of rows of a relation.
    Rows(RelationId),
}

/// How far a value is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// What must be known to compute the value: not how drawn values are drawn, and not what a file shows.
    Known,
    /// What leaves a trace in the value. The bounds of a drawn value do not: they cannot be read off it. Nor does what is drawn from the same row.
    Traced,
    /// Everything.
    All,
}

/// The inputs of some values.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    task: &'a Task,
    followed: Followed,
    /// The inputs, each with a place that reads it.
    pub inputs: BTreeMap<Input, Span>,
    /// The names that are read.
    pub names: BTreeSet<NameId>,
    /// The columns that are read.
    pub columns: BTreeSet<(RelationId, ColumnId)>,
    /// The relations whose rows are read.
    pub relations: BTreeSet<RelationId>,
    files: BTreeSet<FileId>,
    open: Vec<(&'a Expr, Scope)>,
}

impl<'a> Flow<'a> {
    /// Creates a flow without values.
    pub fn new(task: &'a Task, followed: Followed) -> Flow<'a> {
        Flow {
            task,
            followed,
            inputs: BTreeMap::new(),
            names: BTreeSet::new(),
            columns: BTreeSet::new(),
            relations: BTreeSet::new(),
            files: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    /// Adds the inputs of a value of the task.
    pub fn add_expr(&mut self, expr: &'a Expr) {
        self.open.push((expr, Scope::default()));
        self.follow_open();
    }

    /// Adds the inputs of what an expectation compares: of its value, and of the place where it looks for it.
    pub fn add_expect(&mut self, expect: &'a hir::Expect) {
        if expect.answer.is_some() || expect.matcher.record().leaves {
            expect.visit_exprs(&mut |expr| self.open.push((expr, Scope::default())));
        }
        self.follow_open();
    }

    /// Adds the inputs of everything that the agent is given besides the prompt.
    pub fn add_given(&mut self) {
        let task = self.task;
        task.files.keys().for_each(|file| self.note_file(file));
        for extra in &task.extras {
            extra.visit_exprs(&mut |_, expr, scope| self.open.push((expr, scope)));
        }
        for lake in task.lakes.iter().chain(task.iter_ways().flat_map(|way| &way.lakes)) {
            lake.visit_exprs(&mut |_, expr, scope| self.open.push((expr, scope)));
        }
        self.follow_open();
    }

    /// Adds the inputs of what a file contains, without those of its path.
    pub fn add_content(&mut self, id: FileId) {
        if let Some(file) = self.task.files.get(id).filter(|_| self.files.insert(id)) {
            self.note_content(file);
        }
        self.follow_open();
    }

    /// Adds a name and what it is made from.
    pub fn add_name(&mut self, id: NameId) {
        self.note_name(id, Span::default());
        self.follow_open();
    }

    fn follow_open(&mut self) {
        while let Some((expr, scope)) = self.open.pop() {
            expr.visit_with_scope(scope, &mut |part, scope| self.note_part(part, scope));
        }
    }

    fn note_part(&mut self, part: &'a Expr, scope: Scope) {
        match &part.kind {
            ExprKind::Name(id) => self.note_name(*id, part.span),
            ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
                part.find_cell(scope).into_iter().for_each(|place| self.note_column(place, part.span));
            }
            ExprKind::FilePath(file) if self.followed != Followed::Known => {
                let path = self.task.files.get(*file).filter(|_| !self.files.contains(file)).map(|file| &file.path);
                self.open.extend(path.map(|path| (path, Scope::default())));
            }
            ExprKind::Call(_, args) => args.iter().for_each(|arg| self.note_arg(arg, part.span)),
            _ => {}
        }
    }

    fn note_arg(&mut self, arg: &'a Arg, span: Span) {
        match arg {
            Arg::Relation { relation, .. } | Arg::Each { relation, .. } => {
                self.note_rows(*relation, span);
                // All of a table with known rows may be written.
                let given = self.task.relations.get(*relation).filter(|_| self.followed != Followed::Known);
                let given = given.filter(|own| matches!(own.rows, Rows::Given(_)));
                let columns: Vec<ColumnId> = given.iter().flat_map(|own| own.columns.keys()).collect();
                columns.into_iter().for_each(|column| self.note_column((*relation, column), span));
            }
            Arg::Column { relation, column, .. } => {
                self.note_rows(*relation, span);
                self.note_column((*relation, *column), span);
            }
            Arg::Sql(sql) => self.note_query(sql),
            Arg::File(file) if self.followed != Followed::Known => self.note_file(*file),
            Arg::File(_) | Arg::Value(_) | Arg::Path(_) => {}
        }
    }

    fn note_name(&mut self, id: NameId, span: Span) {
        if !self.names.insert(id) {
            return;
        }
        match self.task.names.get(id).map(|name| &name.source) {
            Some(NameSource::Compute(value)) => self.open.push((value, Scope::default())),
            Some(NameSource::Draw { draw, group, .. }) => {
                self.inputs.insert(Input::Name(id), span);
                if self.followed != Followed::Known {
                    self.note_draw(draw, Scope::default());
                    if draw.is_together() && self.followed == Followed::All {
                        // Values of one row: one of them can determine the others.
                        let task = self.task;
                        let is_sibling = |name: &hir::Name| matches!(&name.source, NameSource::Draw { group: other, .. } if other == group);
                        let siblings = task.names.iter_enumerated().filter(|(_, name)| is_sibling(name));
                        siblings.for_each(|(sibling, _)| self.note_name(sibling, span));
                    }
                }
            }
            Some(NameSource::Axis) => {
                self.inputs.insert(Input::Name(id), span);
            }
            Some(NameSource::Row) | None => {}
        }
    }

    /// Follows what a drawn value is drawn from.
    fn note_draw(&mut self, draw: &'a hir::Draw, scope: Scope) {
        if let DrawDomain::Ref { relation, column, together, .. } = &draw.domain {
            self.note_rows(*relation, draw.span);
            let together = together.iter().filter(|_| self.followed == Followed::All);
            let columns: Vec<&ColumnId> = [column].into_iter().chain(together).collect();
            columns.into_iter().for_each(|column| self.note_column((*relation, *column), draw.span));
        }
        // One value does not show the range from which it is drawn, but many values do.
        let is_hidden = scope == Scope::default() && self.followed == Followed::Traced;
        if is_hidden && matches!(draw.domain, DrawDomain::Range { .. }) {
            self.open.extend(draw.except.iter().map(|value| (value, scope)));
        } else {
            draw.visit_exprs(scope, &mut |_, expr, scope| self.open.push((expr, scope)));
        }
    }

    fn note_column(&mut self, place: (RelationId, ColumnId), span: Span) {
        let (relation, column) = place;
        if !self.columns.insert((relation, column)) {
            return;
        }
        let Some(own) = self.task.relations.get(relation) else { return };
        let Some(declared) = own.columns.get(column) else { return };
        if self.followed == Followed::Known && is_readable(self.task, own, declared) {
            return;
        }
        match &declared.source {
            ColumnSource::Draw { draw, .. } => {
                if !draw.is_serial() {
                    self.inputs.insert(Input::Column(relation, column), span);
                }
                if self.followed != Followed::Known {
                    self.note_draw(draw, Scope::with_row(relation));
                }
            }
            ColumnSource::Compute(value) => self.open.push((value, Scope::with_row(relation))),
            ColumnSource::Taken(of) => {
                if let Rows::Taken { from, .. } = &own.rows {
                    self.note_column((*from, *of), span);
                }
            }
            ColumnSource::Result(_) => self.note_rows(relation, span),
            ColumnSource::Given(_) if own.file.is_none() => {
                self.inputs.insert(Input::Column(relation, column), span);
            }
            ColumnSource::Given(_) => {}
        }
    }

    fn note_rows(&mut self, id: RelationId, span: Span) {
        if !self.relations.insert(id) {
            return;
        }
        let Some(relation) = self.task.relations.get(id) else { return };
        if self.followed == Followed::Known && relation.file.is_some() {
            return;
        }
        match &relation.rows {
            Rows::Count(low, high) | Rows::PerRow { low, high, .. } => {
                self.open.extend([(low, Scope::default()), (high, Scope::default())]);
                if low.without_spans() != high.without_spans() {
                    self.inputs.insert(Input::Rows(id), span);
                }
                if let Rows::PerRow { parent, .. } = &relation.rows {
                    self.note_rows(*parent, span);
                }
            }
            Rows::Query(name) => self.note_result(*name, span),
            Rows::Lines(file) | Rows::View(file) if self.followed != Followed::Known => self.note_file(*file),
            Rows::Taken { from, filter } => {
                self.note_rows(*from, span);
                self.open.extend(filter.iter().map(|filter| (filter, Scope::default().enter_filter(*from))));
            }
            Rows::Lines(_) | Rows::View(_) | Rows::Given(_) => {}
        }
    }

    /// Follows the query of a result set.
    fn note_result(&mut self, id: NameId, span: Span) {
        let query = self.task.find_computed(id).and_then(|value| value.resolve_name(self.task).find_query());
        match query.filter(|sql| self.followed == Followed::Known && sql.analysis.tables.len() > 1) {
            // A parameter can choose rows of one table and leave the columns of the others as they are.
            Some(sql) if self.names.insert(id) => self.note_query(sql),
            Some(_) => {}
            None => self.note_name(id, span),
        }
    }

    /// Follows the tables and columns of a query.
    fn note_query(&mut self, sql: &'a hir::Sql) {
        sql.analysis.tables.iter().for_each(|relation| self.note_rows(*relation, sql.span));
        for place in &sql.analysis.reads {
            let named = sql.analysis.places.iter().find(|(_, of, column)| (*of, *column) == *place);
            self.note_column(*place, named.map_or(sql.span, |(span, ..)| *span));
        }
    }

    /// Follows what a file shows.
    fn note_file(&mut self, id: FileId) {
        let Some(file) = self.task.files.get(id) else { return };
        if !self.files.insert(id) {
            return;
        }
        self.open.push((&file.path, file.surrounding_scope()));
        self.note_content(file);
    }

    fn note_content(&mut self, file: &'a hir::File) {
        file.content.visit_exprs(file.surrounding_scope(), &mut |_, expr, scope| self.open.push((expr, scope)));
        if let Some(draw) = file.content.draw() {
            self.note_draw(draw, Scope::default());
        }
        let mut relations: Vec<RelationId> = file.content.relations().to_vec();
        if let Some(shape) = file.content.shape() {
            shape.visit_relations(&mut |relation| relations.push(relation));
        }
        for relation in relations {
            self.note_rows(relation, file.span);
            let Some(own) = self.task.relations.get(relation) else { continue };
            let ordered = own.by.map(|by| by.column);
            let written = own.iter_written_columns().filter(|(_, column)| is_readable(self.task, own, column));
            let columns: Vec<ColumnId> = written.map(|(id, _)| id).chain(ordered).collect();
            columns.into_iter().for_each(|column| self.note_column((relation, column), file.span));
        }
    }
}

/// Checks whether a file that the agent is given has a column as it is.
pub fn is_readable(task: &Task, relation: &hir::Relation, column: &hir::Column) -> bool {
    let Some(file) = relation.file.and_then(|file| task.files.get(file)) else { return false };
    // The line of a text says which of the columns it shows.
    !column.helper && !column.is_taken() && !matches!(file.content, FileContent::TextLines { .. })
}
