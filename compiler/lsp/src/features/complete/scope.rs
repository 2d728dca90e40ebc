//! The declarations of the task around the cursor: from the current source, or from its last version without errors if that declares more.

use std::sync::Arc;

use compiler::hir;
use compiler::query::Kind;
use model::TiSlice;
use model::suite::{FileId, NameId, RelationId};

use crate::analysis::Analysis;
use crate::context::Context;
use crate::features::Place;
use crate::state::State;

/// The names in scope at the cursor.
pub struct Scope {
    /// The suite that contains the task.
    analysis: Arc<Analysis>,
    task: Option<usize>,
}

impl Scope {
    /// Determines the scope of a position.
    pub fn new(state: &mut State, place: &Place, context: &Context<'_>) -> Scope {
        let now = place.analysis.clone();
        let here = now.find_task_at(place.file, place.to_compiled_offset()).map(|(index, _)| index as usize);
        // The task's name precedes its block, so it is available even if the rest cannot be parsed.
        let name = context.frames.first().and_then(|file| match file.words.as_slice() {
            ["task", name, ..] => Some(*name),
            _ => None,
        });
        let named = |analysis: &Analysis| Some(analysis.find_task(name?)?.0 as usize);
        let current = here.or_else(|| named(&now));
        let scope = Scope { task: current, analysis: now };
        let Some(good) = state.workspace.find_last_good(&place.analysis.root) else { return scope };
        let known = named(&good).or_else(|| Some(good.find_task(&scope.task()?.name)?.0 as usize));
        let before = Scope { task: known, analysis: good };
        if before.count_declarations() > scope.count_declarations() { before } else { scope }
    }

    fn count_declarations(&self) -> usize {
        let columns = |relation: &hir::Relation| 1 + relation.columns.len();
        self.task()
            .map_or(0, |task| task.names.len() + task.files.len() + task.relations.iter().map(columns).sum::<usize>())
    }

    /// The task.
    pub fn task(&self) -> Option<&hir::Task> {
        self.analysis.analysed.compiled.hir.as_ref()?.tasks.get(self.task?)
    }

    /// The task's names.
    pub fn names(&self) -> &TiSlice<NameId, hir::Name> {
        self.task().map_or(TiSlice::from_ref(&[]), |task| task.names.as_slice())
    }

    /// The task's files.
    pub fn files(&self) -> &TiSlice<FileId, hir::File> {
        self.task().map_or(TiSlice::from_ref(&[]), |task| task.files.as_slice())
    }

    /// The doc comment of a column's declaration.
    pub fn find_column_doc(&self, column: &hir::Column) -> String {
        let declared = self.analysis.find_declaration(column.span).filter(|found| found.kind == Kind::Column);
        declared.and_then(|found| found.doc.clone()).unwrap_or_default()
    }

    /// The task's relations.
    pub fn relations(&self) -> &TiSlice<RelationId, hir::Relation> {
        self.task().map_or(TiSlice::from_ref(&[]), |task| task.relations.as_slice())
    }

    /// Finds a relation by path, such as `hr` or `db.orders`. Inside a database, its own tables need no prefix.
    pub fn find_relation(&self, path: &[&str], database: Option<&str>) -> Option<(RelationId, &hir::Relation)> {
        let name = path.join(".");
        let inner = database.map(|database| format!("{database}.{name}"));
        let ids = self.relations().iter_enumerated();
        let mut found = ids.clone().filter(|(_, relation)| Some(&relation.name) == inner.as_ref());
        found.next().or_else(|| ids.clone().find(|(_, relation)| relation.name == name))
    }

    /// Finds the longest prefix of a path that names a relation. Returns it with the remaining names.
    pub fn resolve_relation_path<'p>(
        &self,
        path: &'p [&'p str],
        database: Option<&str>,
    ) -> Option<(&hir::Relation, &'p [&'p str])> {
        (1..=path.len()).rev().find_map(|length| {
            let (head, rest) = path.split_at_checked(length)?;
            Some((self.find_relation(head, database)?.1, rest))
        })
    }

    /// Finds the file with this name.
    pub fn find_file(&self, name: &str) -> Option<(FileId, &hir::File)> {
        self.files().iter_enumerated().find(|(_, file)| file.name == name)
    }

    /// The tables that a query may read: those of one database under their own names, or all.
    pub fn list_tables(&self, database: Option<FileId>) -> Vec<(&str, &hir::Relation)> {
        let all = self.relations().iter().filter(|relation| database.is_none() || relation.file == database);
        let named = all.map(|relation| (if database.is_some() { &relation.table } else { &relation.name }, relation));
        named.map(|(name, relation)| (name.as_str(), relation)).collect()
    }
}

/// The columns of a relation that are visible from outside.
pub fn list_visible_columns(relation: &hir::Relation) -> impl Iterator<Item = &hir::Column> {
    relation.iter_own_columns().map(|(_, column)| column)
}

/// The visible columns of a relation without helper columns, which SQL does not have.
pub fn list_sql_columns(relation: &hir::Relation) -> impl Iterator<Item = &hir::Column> {
    list_visible_columns(relation).filter(|column| !column.helper)
}

/// The columns that can be named in the declaration of a relation. If its rows are taken from another relation, these are the taken columns and the helper
/// columns.
pub fn list_inner_columns(relation: &hir::Relation) -> impl Iterator<Item = &hir::Column> {
    let taken = matches!(relation.rows, hir::Rows::Taken { .. });
    relation.columns.iter().filter(move |column| !taken || column.helper)
}
