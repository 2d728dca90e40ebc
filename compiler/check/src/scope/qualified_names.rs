//! Qualified names: RELATION.COLUMN, DATABASE.TABLE, DATABASE.TABLE.COLUMN, and LAKE.VIEW.

use model::Span;
use model::suite::{ColumnId, FileId, RelationId};

use crate::context::{Checker, TaskChecker, TaskScope};
use crate::scope::names::Meaning;
use hir::Entity;
use syntax::ast;
use syntax::diagnostics::wording::{build_unknown_diagnostic, join_with_or, quote_ident, suggest_column};
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> TaskChecker<'_, 'a> {
    pub(super) fn resolve_two_parts(&mut self, first: &'a ast::Ident, second: &'a ast::Ident, span: Span) -> Meaning {
        let Some(relation_or_database) = self.resolve_relation_name(first) else { return Meaning::Nothing };
        match relation_or_database {
            Qualifier::Relation(relation) => self.resolve_last_part(relation, second, span),
            Qualifier::Lake(lake) => {
                self.scope.resolve_view(self.cx, lake, second).map_or(Meaning::Nothing, Meaning::Relation)
            }
            Qualifier::Database(file) => match self.scope.resolve_table(self.cx, file, second) {
                Some(relation) if self.is_unread(relation, span) => Meaning::Nothing,
                Some(relation) => Meaning::Relation(relation),
                None => Meaning::Nothing,
            },
        }
    }

    /// Resolves a path that must name a relation, and reports any other path.
    pub fn resolve_relation_path(&mut self, path: &'a [ast::Ident], span: Span) -> Option<RelationId> {
        if let [first, ..] = path
            && let Some(file) = self.scope.find_file(first)
            && self.scope.relations.is_tree(file)
        {
            return match self.resolve_path(path, span) {
                Meaning::Relation(relation) | Meaning::File(_, Some(relation)) => Some(relation),
                Meaning::Nothing => None,
                _ => {
                    self.cx.report_not_a_table(path, span);
                    None
                }
            };
        }
        let named = self.resolve_relation_name(path.first()?)?;
        match (named, path) {
            (Qualifier::Relation(relation), [_]) => Some(relation),
            (Qualifier::Lake(lake), [_, view]) => self.scope.resolve_view(self.cx, lake, view),
            (Qualifier::Database(file), [_, table]) => self.scope.resolve_table(self.cx, file, table),
            _ => {
                self.cx.report_not_a_table(path, span);
                None
            }
        }
    }

    /// Resolves a column by its full name. In a row of the relation, it is the cell of that row, like the bare name.
    pub fn resolve_qualified_column(&mut self, relation: RelationId, column: ColumnId, span: Span) -> Meaning {
        if self.scope.here.row == Some(relation) {
            Meaning::Value(self.resolve_row_column(relation, column, span))
        } else if self.scope.here.outer == Some(relation) {
            Meaning::Value(self.resolve_outer_column(relation, column, span))
        } else {
            self.note_column_read(relation, column, span);
            Meaning::Column(relation, column)
        }
    }

    pub(super) fn resolve_three_parts(
        &mut self,
        database: &'a ast::Ident,
        table: &'a ast::Ident,
        column: &'a ast::Ident,
        span: Span,
    ) -> Meaning {
        let relation = match self.resolve_relation_name(database) {
            Some(Qualifier::Database(file)) => {
                let table = self.scope.resolve_table(self.cx, file, table);
                table.filter(|relation| !self.is_unread(*relation, span))
            }
            Some(Qualifier::Lake(lake)) => self.scope.resolve_view(self.cx, lake, table),
            Some(Qualifier::Relation(_)) => {
                let message = format!("`{}` is not a database", database.text);
                let help = format!("write `{}.{}`", quote_ident(&database.text), quote_ident(&column.text));
                let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, table.span, "not a database");
                self.cx.report(said.help(help));
                None
            }
            None => None,
        };
        relation.map_or(Meaning::Nothing, |relation| self.resolve_last_part(relation, column, span))
    }

    /// Resolves the column after the name of its relation.
    fn resolve_last_part(&mut self, relation: RelationId, column: &ast::Ident, span: Span) -> Meaning {
        match self.resolve_column(relation, column) {
            Some(column) => self.resolve_qualified_column(relation, column, span),
            None => Meaning::Nothing,
        }
    }

    /// Resolves the name of a relation, lake, or database, and reports any other name. Inside a database, its own tables come first.
    fn resolve_relation_name(&mut self, name: &'a ast::Ident) -> Option<Qualifier> {
        let text = name.text.as_str();
        if let Some(file) = self.scope.here.row.and_then(|row| self.scope.relations.checked[row].file)
            && let Some(relation) = self.scope.relations.find_table(file, text)
            && self.scope.relations.has_tables(file)
        {
            self.scope.refer_entity(self.cx, name.span, Entity::Relation(relation));
            return Some(Qualifier::Relation(relation));
        }
        if let Some(entity) = self.scope.entities.get(text).copied() {
            self.scope.refer_entity(self.cx, name.span, entity);
        }
        match self.scope.entities.get(text).copied() {
            Some(Entity::Relation(relation)) => Some(Qualifier::Relation(relation)),
            Some(Entity::Lake(lake)) => Some(Qualifier::Lake(lake)),
            Some(Entity::File(file)) => match self.ensure_file_relation(file, name.span) {
                Some(relation) => Some(Qualifier::Relation(relation)),
                None if self.scope.relations.has_tables(file) => Some(Qualifier::Database(file)),
                None if self.scope.relations.files[file].broken
                    || self.scope.report_differing_file(self.cx, file, name.span) =>
                {
                    None
                }
                None => {
                    let span = self.scope.relations.files[file].ast.name.span;
                    let message = format!("file `{text}` does not have columns");
                    let help = "CSV and TSV files, tables, sheets, arrays of objects, and result sets have columns; a text file has `line`";
                    let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, name.span, "no relation");
                    self.cx.report(said.with_unknown_name(text).label(span, "declared here").help(help));
                    None
                }
            },
            Some(Entity::Row) => {
                self.scope.report_row_as_value(self.cx, name);
                None
            }
            Some(Entity::Name(id)) if self.scope.is_result_set(self.cx, id) => {
                self.name_value(id, name.span);
                self.scope.ensure_result_set(self.cx, id, name.span).map(Qualifier::Relation)
            }
            Some(Entity::Name(id)) => {
                let decl = &self.scope.names[id];
                let message = format!("`{text}` is a value, which does not have columns");
                let said = Diagnostic::new(Code::UNKNOWN_TABLE, message, name.span, "not a file or table")
                    .with_unknown_name(text)
                    .label(decl.ident.span, "declared here");
                self.cx.report(said);
                None
            }
            None => {
                let tables =
                    self.scope.entities.iter().filter(|(_, entity)| !matches!(entity, Entity::Name(_) | Entity::Row));
                let known: Vec<&str> = tables.map(|(name, _)| *name).collect();
                let message = format!("`{text}` is not a file or table");
                let names = known.iter().copied();
                let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, "not declared", names);
                self.cx.report(match known.is_empty() {
                    true => said,
                    false => said.with_default_help(format!("this task has {}", join_with_or(known))),
                });
                None
            }
        }
    }

    /// Resolves a column of a relation; reports an unknown column with the nearest name.
    pub fn resolve_column(&mut self, relation: RelationId, name: &ast::Ident) -> Option<ColumnId> {
        self.scope.used.insert(Entity::Relation(relation));
        if let Some(column) = self.scope.find_column(relation, &name.text) {
            self.scope.relations.refer_column(self.cx, name.span, relation, column);
            return Some(column);
        }
        if self.is_unread(relation, name.span) {
            return None;
        }
        let decl = &self.scope.relations.checked[relation];
        let message = format!("`{}` has no column `{}`", decl.name, name.text);
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, message, name.span, "no such column")
            .with_unknown_name(&name.text)
            .label(decl.span, format!("`{}` is declared here", decl.name));
        let columns: Vec<&str> = self.scope.list_scope_columns(relation).collect();
        let table = decl.table.as_str();
        let meant = columns.iter().filter(|column| !self.scope.here.is_opposite(column)).map(|column| (*column, table));
        let said = suggest_column(said, name.span, &name.text, meant);
        self.cx.report(said.with_default_help(format!("its columns are {}", join_with_or(columns))));
        None
    }
}

impl<'a> TaskScope<'a> {
    /// Resolves a view of a lake; reports an unknown view with the nearest name.
    fn resolve_view(&self, cx: &mut Checker<'a>, lake: u32, name: &ast::Ident) -> Option<RelationId> {
        let decl = self.lakes.get(lake as usize)?;
        let views = || decl.relations.iter().filter_map(|id| Some((*id, self.relations.checked.get(*id)?)));
        if let Some((relation, _)) = views().find(|(_, view)| view.table == name.text) {
            self.refer_entity(cx, name.span, Entity::Relation(relation));
            return Some(relation);
        }
        let own = decl.read.name;
        let known: Vec<&str> = views().map(|(_, view)| view.table.as_str()).collect();
        let message = format!("the lake `{}` does not have a view `{}`", own.text, name.text);
        let names = known.iter().copied();
        let said = build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, "no such view", names)
            .label(own.span, "the lake is declared here");
        cx.report(said.with_default_help(match known.is_empty() {
            true => format!("declare one in the lake: csv {} from \"*.csv\"", name.text),
            false => format!("its views are {}", join_with_or(known)),
        }));
        None
    }

    fn resolve_table(&mut self, cx: &mut Checker<'a>, file: FileId, name: &ast::Ident) -> Option<RelationId> {
        self.used.insert(Entity::File(file));
        if let Some(relation) = self.relations.find_table(file, &name.text) {
            self.refer_entity(cx, name.span, Entity::Relation(relation));
            return Some(relation);
        }
        let decl = &self.relations.files[file];
        let tables = || decl.relations.iter().map(|relation| self.relations.checked[*relation].table.as_str());
        let message = format!("`{}` does not have a table `{}`", decl.ast.name.text, name.text);
        cx.report(
            build_unknown_diagnostic(Code::UNKNOWN_TABLE, name, message, "no such table", tables())
                .label(decl.ast.name.span, "the database is declared here")
                .with_default_help(format!("its tables are {}", join_with_or(tables()))),
        );
        None
    }
}

impl Checker<'_> {
    /// Reports a path that does not name a whole table.
    fn report_not_a_table(&mut self, path: &[ast::Ident], span: Span) {
        let name = path.iter().map(|part| quote_ident(&part.text)).collect::<Vec<_>>().join(".");
        let (message, help) = match path {
            [one] => {
                (format!("`{name}` has several tables"), format!("name one of them: {}.TABLE", quote_ident(&one.text)))
            }
            [table, .., _] => {
                (format!("`{name}` is not a table"), format!("name a table, such as {}", quote_ident(&table.text)))
            }
            [] => return,
        };
        self.report(Diagnostic::new(Code::UNKNOWN_TABLE, message, span, "not one table").help(help));
    }
}

/// The first part of a qualified name.
enum Qualifier {
    Relation(RelationId),
    Lake(u32),
    Database(FileId),
}
