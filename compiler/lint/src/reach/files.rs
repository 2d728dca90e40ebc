//! The files that are written from a table, and the columns of the table that they contain.

use std::collections::{BTreeMap, BTreeSet};

use model::suite::{ColumnId, FileId, RelationId, Scope};

use super::needed::{self, collect_columns};
use hir::{ColumnSource, DrawDomain, Expr, ExprKind, FileContent, Rows};

/// A file that is written from another table.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    /// The file.
    pub file: FileId,
    /// The relation of the file.
    pub relation: RelationId,
    /// The table from which it is written.
    pub from: RelationId,
    /// The columns of the table that the file shows, with how it shows them.
    pub columns: BTreeMap<ColumnId, Vec<Shown>>,
}

/// How a file shows a column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// As this column of the file, with the same values.
    As(ColumnId),
    /// As part of a computed value: in this column of the file, or in its path or a line.
    Through(Option<ColumnId>),
}

/// Collects all files of a task that are written from another table.
pub(crate) fn collect_renderings(task: &hir::Task) -> Vec<Rendering> {
    let of = |(relation, own): (RelationId, &hir::Relation)| {
        let (Some(id), Rows::Taken { from, .. }) = (own.file, &own.rows) else { return None };
        let file = task.files.get(id)?;
        let mut columns: BTreeMap<ColumnId, Vec<Shown>> = BTreeMap::new();
        let mut show = |expr: &Expr, as_column: Option<ColumnId>| {
            for (column, same) in collect_taken_columns(own, relation, expr) {
                let shown = match as_column {
                    Some(own) if same => Shown::As(own),
                    _ => Shown::Through(as_column),
                };
                columns.entry(column).or_default().push(shown);
            }
        };
        match &file.content {
            FileContent::TextLines { line, .. } => {
                for column in collect_columns(line, Scope::with_row(relation), relation) {
                    if let Some(ColumnSource::Compute(value)) = own.columns.get(column).map(|own| &own.source) {
                        show(value, Some(column));
                    } else {
                        show(&Expr { kind: ExprKind::Column(column), ..line.clone() }, None);
                    }
                }
            }
            _ => {
                for (column, written) in own.iter_written_columns() {
                    if let ColumnSource::Compute(value) = &written.source {
                        show(value, Some(column));
                    }
                }
            }
        }
        if file.split {
            show(&file.path, None);
            let form = file.content.form();
            form.into_iter().flat_map(|form| form.above.iter().chain(&form.below)).for_each(|text| show(text, None));
        }
        Some(Rendering { file: id, relation, from: *from, columns })
    };
    task.relations.iter_enumerated().filter_map(of).collect()
}

/// Collects the columns of the table that an expression over a row of the file's relation shows, and whether it consists of nothing else.
fn collect_taken_columns(own: &hir::Relation, relation: RelationId, expr: &Expr) -> Vec<(ColumnId, bool)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let list = |expr: &Expr| {
        let columns = collect_columns(expr, Scope::with_row(relation), relation).into_iter();
        columns.map(|column| (column, expr.as_column_id() == Some(column))).collect::<Vec<_>>()
    };
    let mut open = list(expr);
    while let Some((column, same)) = open.pop() {
        if !seen.insert(column) {
            continue;
        }
        match own.columns.get(column).map(|own| &own.source) {
            Some(ColumnSource::Taken(of)) => found.push((*of, same)),
            Some(ColumnSource::Compute(value)) => {
                open.extend(list(value).into_iter().map(|(column, alone)| (column, same && alone)));
            }
            _ => {}
        }
    }
    found
}

/// Columns of tables that the agent knows in another way: from a prompt, from computed files, or as values of other tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownColumns {
    values: BTreeSet<(RelationId, ColumnId)>,
    /// Columns whose exact texts are known, too.
    texts: BTreeSet<(RelationId, ColumnId)>,
}

impl KnownColumns {
    /// Collects the columns that are known in a task.
    pub fn from_task(task: &hir::Task) -> KnownColumns {
        let mut known = KnownColumns::default();
        let prompts = std::iter::once(&task.prompt).chain(task.iter_ways().map(|way| &way.prompt));
        let wordings = prompts.flat_map(|prompt| &prompt.wordings);
        wordings.for_each(|wording| known.add_read_columns(task, wording));
        for file in &task.files {
            file.visit_exprs(&mut |_, expr, _| known.add_read_columns(task, expr));
        }
        for relation in task.relations.iter().filter(|relation| relation.file.is_some()) {
            let form = relation.file.and_then(|file| task.files.get(file)?.content.form());
            // A column that is written in a style of texts does not reveal the exact texts of another.
            let is_dirty = |id: ColumnId| {
                form.is_some_and(|form| form.find_styles(id).iter().any(|style| style.text_style().is_some()))
            };
            for (id, column) in relation.iter_written_columns() {
                match &column.source {
                    ColumnSource::Compute(value) => known.add_read_columns(task, value),
                    ColumnSource::Draw { draw, .. } => {
                        if let DrawDomain::Ref { relation, column, together, .. } = &draw.domain {
                            let from = [column].into_iter().chain(together).map(|column| (*relation, *column));
                            known.values.extend(from.clone());
                            if !is_dirty(id) {
                                known.texts.extend(from);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        known
    }

    /// Adds the columns that an expression reads, if the agent gets its value.
    fn add_read_columns(&mut self, task: &hir::Task, expr: &Expr) {
        for reading in needed::collect_readings(task, expr) {
            let columns = reading.columns.iter().map(|column| (reading.relation, *column));
            self.values.extend(columns.clone());
            self.texts.extend(columns);
        }
    }

    /// Checks whether this column is known.
    pub fn has_column(&self, relation: RelationId, column: ColumnId) -> bool {
        self.values.contains(&(relation, column))
    }

    /// Checks whether the exact texts of this column are known.
    pub fn has_texts(&self, relation: RelationId, column: ColumnId) -> bool {
        self.texts.contains(&(relation, column))
    }
}
