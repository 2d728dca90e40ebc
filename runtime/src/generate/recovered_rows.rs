//! Rows of a relation as read back from the files, joined if they are in several files.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::suite::{
    self, ColumnId, ColumnSource, DomainExpr, Expr, FARTHEST, FileId, OfColumns, Relation, RelationId, Rows, Task,
    find_keys,
};
use model::uses::Uses;
use model::{Val, Value, ValueType};
use tables::write::Folds;

use super::cell::InstanceDraft;
use super::column::{Column, SharedColumn};
use super::context::Eval;
use super::eval::collect_row_columns;
use super::failures::{OrSpan, Res, fail_computation};
use super::readback::{self, find_source_column, push_key};
use super::table::Table;
use super::table_file::{Part, TableFile};

/// Checks whether the rows of a file are read back, because a reader has to know how they are written.
pub(crate) fn is_read(task: &Task, file: FileId) -> bool {
    let content = task.files.get(file).map(|file| &file.content);
    let relation = content.and_then(|content| task.relations.get(*content.relations().first()?));
    let taken = relation.is_some_and(|relation| matches!(relation.rows, Rows::Taken { .. }));
    content.and_then(|content| content.form()).is_some_and(|form| taken || form.is_read_back())
}

/// Clean texts that the files show with other letter case or spaces, each with the form of one cell.
#[derive(Default)]
pub(crate) struct Shown(HashMap<String, String>);

impl Shown {
    /// Returns the form in which the files show a text, if it differs.
    pub fn find_shown(&self, clean: &str) -> Option<&str> {
        self.0.get(clean).map(String::as_str)
    }

    /// Checks whether all texts are shown unchanged.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the texts that a reader knows from elsewhere.
    pub fn remove_known(&mut self, is_known: impl Fn(&str) -> bool) {
        self.0.retain(|clean, _| !is_known(clean));
    }

    fn record_text(&mut self, clean: &Val<'_>, read: &Val<'_>) {
        if let (Some(clean), Some(read)) = (clean.as_text(), read.as_text())
            && clean != read
            && !self.0.contains_key(clean)
        {
            self.0.insert(clean.to_owned(), read.to_owned());
        }
    }
}

/// The part of a relation's rows that a file, or a file group, contains; or all of its rows, joined from all files.
#[derive(Clone, Default)]
pub(crate) struct RecoveredRows {
    /// For each row, the row of the relation that it really is.
    origins: Vec<u32>,
    /// The cells by column of the relation.
    columns: BTreeMap<ColumnId, Vec<Value>>,
    /// Columns of the relation from which something in the file is computed.
    computed: BTreeSet<ColumnId>,
}

impl RecoveredRows {
    /// Reads the rows of a relation from the bytes of a file. The texts are clean; those that the file shows differently are added to `shown`.
    pub fn read_rows<'a>(
        cell: &'a InstanceDraft<'a>,
        file: FileId,
        id: RelationId,
        shown: &mut Shown,
    ) -> Res<RecoveredRows> {
        let Some(of) = TableFile::from_file(cell, file)? else {
            return fail_computation("this file does not have rows");
        };
        let table = readback::read_back_rows(cell, file)?;
        let groups = of.list_groups("")?;
        let own = of.file.content.relations().first() == Some(&id);
        let origin = |column: ColumnId| if own { Some(column) } else { find_source_column(of.relation, column) };

        let mut known: BTreeSet<ColumnId> = of.list_path_columns().into_iter().collect();
        let mut computed: Vec<(&Expr, Option<ColumnId>)> = Vec::new();
        let parts = groups.first().map_or_else(
            || of.relation.iter_written_columns().map(|(id, _)| Part::Column(id)).collect(),
            |group| group.parts.clone(),
        );
        for part in parts {
            match part {
                Part::Column(id) => {
                    known.insert(id);
                }
                Part::Computed(expr) => computed.push((expr, None)),
            }
        }
        let mut columns = BTreeMap::new();
        for column in &known {
            match (origin(*column), of.relation.columns.get(*column).map(|column| &column.source)) {
                (Some(origin), _) => {
                    columns.entry(origin).or_insert_with(|| clean_column(of, *column, &table, shown));
                }
                (None, Some(ColumnSource::Compute(expr))) => computed.push((expr, Some(*column))),
                (None, _) => {}
            }
        }
        let mut reads = BTreeSet::new();
        for (expr, column) in computed {
            let from = collect_sources(of.relation, expr, own);
            if let (Some(column), Some(one)) = (column, find_only_column(&from))
                && !columns.contains_key(&one)
                && is_closed(cell, id, one)
                && let Some(cells) = invert_column(of, one, &table, column)
            {
                columns.insert(one, cells);
            }
            reads.extend(from);
        }
        let path = if of.file.split && !own { of.file.path_parts() } else { &[] };
        for from in path.iter().map(|part| collect_sources(of.relation, part, own)) {
            if let Some(one) =
                find_only_column(&from).filter(|one| !columns.contains_key(one) && is_closed(cell, id, *one))
                && let Some(hidden) = find_taken_column(of.relation, one)
                && let Some(cells) =
                    read_from_paths(of, hidden, &groups.iter().map(|group| group.rows.as_slice()).collect::<Vec<_>>())
            {
                columns.insert(one, cells);
            }
            reads.extend(from);
        }
        let origins = table.origins.iter().map(|row| match own {
            true => *row,
            false => of.table.origins.get(*row as usize).copied().unwrap_or_default(),
        });
        Ok(RecoveredRows { origins: origins.collect(), columns, computed: reads })
    }
}

fn find_only_column(columns: &BTreeSet<ColumnId>) -> Option<ColumnId> {
    columns.first().copied().filter(|_| columns.len() == 1)
}

/// Returns the column of a file's relation that takes its cells from a column of the source relation.
fn find_taken_column(relation: &Relation, of: ColumnId) -> Option<ColumnId> {
    relation.columns.position(|column| matches!(column.source, ColumnSource::Taken(other) if other == of))
}

/// Returns the columns of the source relation (or of the file's own) from which an expression over a row is computed.
fn collect_sources(relation: &Relation, expr: &Expr, own: bool) -> BTreeSet<ColumnId> {
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut next: Vec<ColumnId> = collect_row_columns(expr).into_iter().collect();
    while let Some(id) = next.pop() {
        if !seen.insert(id) {
            continue;
        }
        match relation.columns.get(id).map(|column| &column.source) {
            Some(ColumnSource::Taken(of)) if !own => {
                found.insert(*of);
            }
            Some(ColumnSource::Compute(expr)) => next.extend(collect_row_columns(expr)),
            _ if own => {
                found.insert(id);
            }
            _ => {}
        }
    }
    found
}

/// Checks whether the set of values that a column can have is public.
fn is_closed(cell: &InstanceDraft<'_>, mut relation: RelationId, mut column: ColumnId) -> bool {
    for _ in 0..FARTHEST {
        let Some(of) = cell.task.relations.get(relation) else { return false };
        let Some(own) = of.columns.get(column) else { return false };
        if own.cells.value_type == ValueType::Bool {
            return true;
        }
        (relation, column) = match (&own.source, &of.rows) {
            (ColumnSource::Taken(other), Rows::Taken { from, .. }) => (*from, *other),
            (ColumnSource::Compute(Expr::Column(other)), _) => (relation, *other),
            (ColumnSource::Draw { draw, .. }, _) => match &draw.domain {
                DomainExpr::Fixed(domain) => {
                    return cell.domains.get(*domain).is_some_and(|domain| domain.list_values().is_some());
                }
                DomainExpr::Ref { relation, column, .. } => (*relation, *column),
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}

/// Returns a key that identifies a value among others.
fn build_key(value: &Val<'_>, folds: Folds) -> String {
    let mut key = String::new();
    push_key(value, folds, &mut key);
    key
}

/// Returns the cells of a column as they are read. A cell with other letter case or more spaces becomes the first clean value with the same key.
fn clean_column(of: TableFile<'_>, id: ColumnId, table: &Table, shown: &mut Shown) -> Vec<Value> {
    let Some(cells) = table.columns.get(id) else { return Vec::new() };
    let read = (0..table.rows).map(|row| cells.get(row));
    let folds = readback::collect_folds(of.form.find_styles(id));
    let Some(clean) = of.table.columns.get(id).filter(|_| folds != Folds::default()) else {
        return read.map(Val::into_value).collect();
    };
    let mut values: HashMap<String, Value> = HashMap::new();
    for row in 0..of.table.rows {
        let value = clean.get(row);
        if let Entry::Vacant(slot) = values.entry(build_key(&value, folds)) {
            slot.insert(value.into_value());
        }
    }
    let clean = |value: Val<'_>| match values.get(&build_key(&value, folds)) {
        Some(clean) => {
            shown.record_text(&Val::Ref(clean), &value);
            clean.clone()
        }
        None => value.into_value(),
    };
    read.map(clean).collect()
}

/// Recovers the cells of `one`, a column with a small, public set of values, from a column that is computed only from it. Returns `None` if two of
/// its values look the same.
fn invert_column(of: TableFile<'_>, one: ColumnId, table: &Table, column: ColumnId) -> Option<Vec<Value>> {
    let (from, to) = (of.table.columns.get(column)?, of.table.columns.get(find_taken_column(of.relation, one)?)?);
    let folds = readback::collect_folds(of.form.find_styles(column));
    let mut values: HashMap<String, Value> = HashMap::new();
    for row in 0..of.table.rows {
        let value = to.get(row).into_value();
        let other = values.entry(build_key(&from.get(row), folds)).or_insert_with(|| value.clone());
        if !other.is_same(&value) {
            return None;
        }
    }
    let read = table.columns.get(column)?;
    (0..table.rows).map(|row| values.get(&build_key(&read.get(row), folds)).cloned()).collect()
}

/// Recovers the cells of a column from the paths of the files; `None` if one file contains two values of it.
fn read_from_paths(of: TableFile<'_>, column: ColumnId, files: &[&[u32]]) -> Option<Vec<Value>> {
    let cells = of.table.columns.get(column)?;
    let mut read = Vec::new();
    for rows in files {
        let first = cells.get(*rows.first()? as usize).into_value();
        if !rows.iter().all(|row| cells.get(*row as usize).as_value().is_some_and(|value| value.is_same(&first))) {
            return None;
        }
        read.extend(std::iter::repeat_n(first, rows.len()));
    }
    Some(read)
}

/// Properties of columns in the plan.
struct Compiled;

impl OfColumns<suite::Compiled> for Compiled {
    fn is_unique(&self, column: &suite::Column) -> bool {
        column.cells.unique
    }

    fn is_nullable(&self, column: &suite::Column) -> bool {
        column.cells.nullable
    }

    fn find_copied_column(&self, source: &ColumnSource) -> Option<ColumnId> {
        match source {
            ColumnSource::Compute(Expr::Column(of)) => Some(*of),
            _ => None,
        }
    }

    fn list_proved_sets(&self, _: RelationId) -> Vec<Vec<ColumnId>> {
        Vec::new()
    }
}

impl RecoveredRows {
    /// Joins the portions: files with the same columns are concatenated, with rows of the same key merged; others are joined by a key that both
    /// contain. Columns computed from known ones are computed. With `shown`, texts have the form that they have in the files.
    pub fn from_portions<'a>(
        cell: &'a InstanceDraft<'a>,
        (id, relation): (RelationId, &'a Relation),
        portions: Vec<RecoveredRows>,
        shown: Option<&Shown>,
    ) -> Res<RecoveredRows> {
        let keys = find_keys(&cell.task.relations, id, &Compiled);
        let computed = portions.iter().flat_map(|portion| portion.computed.iter().copied()).collect();
        let mut kinds: Vec<RecoveredRows> = Vec::new();
        for portion in portions {
            let same = kinds.iter_mut().find(|kind| kind.columns.keys().eq(portion.columns.keys()));
            match same {
                Some(kind) => {
                    let key = keys.iter().find(|key| key.iter().all(|column| kind.columns.contains_key(column)));
                    kind.merge_rows(&portion, key.map(Vec::as_slice));
                }
                None => kinds.push(portion),
            }
        }
        // The portion with the most columns comes first; ties keep their order.
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.columns.len()));
        let mut kinds = kinds.into_iter();
        let mut all = RecoveredRows { computed, ..kinds.next().unwrap_or_default() };
        let mut left: Vec<RecoveredRows> = kinds.collect();
        // A file that cannot be joined with the others is left out.
        while let Some((at, key)) = left.iter().enumerate().find_map(|(at, kind)| {
            let both = |column: &ColumnId| kind.columns.contains_key(column) && all.columns.contains_key(column);
            Some((at, keys.iter().find(|key| key.iter().all(both))?))
        }) {
            let kind = left.remove(at);
            all.merge_rows(&kind, Some(key));
        }
        if let Some(shown) = shown {
            for value in all.columns.values_mut().flatten() {
                if let Value::Text(text) = value
                    && let Some(other) = shown.find_shown(text)
                {
                    *text = other.to_owned();
                }
            }
        }
        all.compute_columns(cell, id, relation)?;
        Ok(all)
    }

    /// Checks whether the cells of a column are known.
    pub fn has_column(&self, column: ColumnId) -> bool {
        self.columns.contains_key(&column)
    }

    /// Checks whether something in a file is computed from a column.
    pub fn is_computed_from(&self, column: ColumnId) -> bool {
        self.computed.contains(&column)
    }

    /// Computes the columns that depend only on known ones.
    fn compute_columns<'a>(&mut self, cell: &'a InstanceDraft<'a>, id: RelationId, relation: &'a Relation) -> Res<()> {
        for column in &relation.order {
            let Some(declared) = relation.columns.get(*column).filter(|_| !self.has_column(*column)) else { continue };
            let ColumnSource::Compute(expr) = &declared.source else { continue };
            let reads = collect_row_columns(expr);
            if reads.is_empty()
                || !reads.iter().all(|column| self.has_column(*column))
                || Uses::from_computation(cell.task, expr).relations.contains(&id)
            {
                continue;
            }
            let table = self.build_table(relation, None);
            let value = |row| Ok(Eval::new(cell).with_row(&table, row).evaluate(expr)?.into_value());
            let cells = (0..table.rows).map(value).collect::<Res<Vec<Value>>>().or_span(declared.span)?;
            self.columns.insert(*column, cells);
        }
        Ok(())
    }

    /// Builds the table. Unknown cells are null; with `truth`, columns from which others are computed are copied from there.
    pub fn build_table(&self, relation: &Relation, truth: Option<&Table>) -> Table {
        let column = |(id, column): (ColumnId, &model::suite::Column)| {
            let mut made = Column::new(column.cells.value_type, self.origins.len());
            let told = truth.and_then(|truth| truth.columns.get(id)).filter(|_| self.is_computed_from(id));
            for (row, origin) in self.origins.iter().enumerate() {
                match (self.columns.get(&id), told) {
                    (Some(cells), _) => made.push_value(cells.get(row).map_or(Val::NULL, Val::Ref)),
                    (None, Some(told)) => made.push_value(told.get(*origin as usize)),
                    (None, None) => made.push_null(),
                }
            }
            SharedColumn::from(made)
        };
        Table::new(self.origins.len(), relation.columns.iter_enumerated().map(column).collect())
    }

    /// Adds the rows of another file. With a key, a matching row gets the cells that it lacks.
    fn merge_rows(&mut self, other: &RecoveredRows, key: Option<&[ColumnId]>) {
        let mut rows: HashMap<String, usize> = HashMap::new();
        if let Some(key) = key {
            for row in 0..self.origins.len() {
                rows.entry(self.build_row_key(key, row)).or_insert(row);
            }
        }
        for column in other.columns.keys() {
            let length = self.origins.len();
            self.columns.entry(*column).or_insert_with(|| vec![Value::Null; length]);
        }
        for (row, origin) in other.origins.iter().enumerate() {
            let at = key.and_then(|key| rows.get(&other.build_row_key(key, row)).copied());
            if at.is_none() {
                self.origins.push(*origin);
            }
            for (column, cells) in &mut self.columns {
                let value = other.columns.get(column).and_then(|cells| cells.get(row));
                match at {
                    None => cells.push(value.cloned().unwrap_or(Value::Null)),
                    Some(at) => {
                        if let (Some(slot), Some(value)) = (cells.get_mut(at).filter(|slot| slot.is_null()), value) {
                            *slot = value.clone();
                        }
                    }
                }
            }
        }
    }

    fn build_row_key(&self, key: &[ColumnId], row: usize) -> String {
        let mut text = String::new();
        for column in key {
            let value = self.columns.get(column).and_then(|cells| cells.get(row)).unwrap_or(&Value::Null);
            push_key(&Val::Ref(value), Folds::default(), &mut text);
        }
        text
    }
}
