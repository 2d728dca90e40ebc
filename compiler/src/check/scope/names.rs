//! What names and paths mean.

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId};

use crate::ast;
use crate::check::model::{Node, Place, TaskChecker, Unit};
use crate::check::wording::{join_with_or, quote_ident, suggest_column, suggest_name};
use crate::diagnostics::{Code, Diagnostic};
use crate::hir::{self, Entity, Expr, ExprKind};
use crate::types::{Ty, TyKind};

/// What a path refers to.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A value.
    Value(Expr),
    /// A file; a CSV or line-by-line text is a relation too.
    File(FileId, Option<RelationId>),
    /// A relation.
    Relation(RelationId),
    /// A result set: a value, and a relation.
    ResultSet(Expr, RelationId),
    /// A column of a relation.
    Column(RelationId, ColumnId),
    /// Nothing; it has been said.
    Nothing,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Resolves a path.
    pub fn resolve_path(&mut self, path: &'a [ast::Ident], span: Span) -> Meaning {
        if let Some(meaning) = self.resolve_inner_field(path, span) {
            return meaning;
        }
        if let [first, _, ..] = path
            && let Some(Entity::File(file)) = self.scope.get(first.text.as_str()).copied()
            && self.is_tree(file)
        {
            return self.resolve_tree_path(file, path, span);
        }
        if let [first, rest @ ..] = path
            && !rest.is_empty()
            && self.scope.get(first.text.as_str()) == Some(&Entity::Row)
        {
            return self.resolve_row_cell(rest, span);
        }
        match path {
            [] => Meaning::Nothing,
            [name] => self.resolve_bare_name(name),
            [first, second] => self.resolve_two_parts(first, second, span),
            [database, table, column] => self.resolve_three_parts(database, table, column, span),
            [_, _, _, fourth, ..] => {
                self.cx.report(
                    Diagnostic::new(Code::UNKNOWN_NAME, "a path has at most three parts", fourth.span, "one too many")
                        .help("write NAME, RELATION.COLUMN or DATABASE.TABLE.COLUMN"),
                );
                Meaning::Nothing
            }
        }
    }

    fn resolve_bare_name(&mut self, name: &'a ast::Ident) -> Meaning {
        let text = name.text.as_str();
        let in_row =
            self.here.row().and_then(|relation| self.find_row_column(relation, text).map(|column| (relation, column)));
        let in_outer =
            self.here.outer().and_then(|relation| self.find_column(relation, text).map(|column| (relation, column)));
        let entity = self.scope.get(text).copied();
        if let (Some((relation, column)), Some(other)) = (in_row, in_outer.map(|(r, _)| Entity::Relation(r)).or(entity))
        {
            // Where a file is written from a table, the columns in sight are that one's.
            let taken = self.declared[relation].taken.filter(|_| self.here.is_inside(relation));
            let relation_name = self.relations[taken.unwrap_or(relation)].name.clone();
            let column_span = self.relations[relation].columns[column].span;
            let other_span = match in_outer {
                Some((outer, column)) => self.relations[outer].columns[column].span,
                None => self.find_entity_span(other),
            };
            self.cx.report(
                Diagnostic::new(
                    Code::AMBIGUOUS_NAME,
                    format!(
                        "`{text}` is ambiguous: a column of `{relation_name}` or the {} of the task `{text}`",
                        crate::check::scope::declare::describe_entity(other)
                    ),
                    name.span,
                    "which one?",
                )
                .label(column_span, "the column")
                .label(other_span, "the other one")
                .help(match taken {
                    Some(_) => "rename one of the two".to_owned(),
                    None => format!(
                        "write `{relation_name}.{}` for the column, or rename one of the two",
                        quote_ident(text)
                    ),
                }),
            );
            return Meaning::Nothing;
        }
        if let Some((relation, column)) = in_row {
            self.refer_column(name.span, relation, column);
            return Meaning::Value(self.resolve_row_column(relation, column, name.span, false));
        }
        if let Some((relation, column)) = in_outer {
            self.refer_column(name.span, relation, column);
            return Meaning::Value(self.resolve_row_column(relation, column, name.span, true));
        }
        if let Some(entity) = entity {
            self.refer_entity(name.span, entity);
        }
        match entity {
            Some(Entity::Name(id)) => {
                let value = self.name_value(id, name.span);
                match self.is_result_set(id).then(|| self.ensure_result_set(id, name.span)).flatten() {
                    Some(relation) => Meaning::ResultSet(value, relation),
                    None => Meaning::Value(value),
                }
            }
            Some(Entity::File(file)) => {
                self.ensure_taken_of(file, name.span);
                let relation = self.find_file_relation(file);
                Meaning::File(file, relation)
            }
            Some(Entity::Relation(relation)) => Meaning::Relation(relation),
            Some(Entity::Row) => {
                self.report_row_as_value(name);
                Meaning::Nothing
            }
            Some(Entity::Lake(lake)) => match self.find_lake_folder(lake, name.span) {
                Some(folder) => Meaning::Value(folder),
                None => {
                    self.report_lake_as_value(lake, name);
                    Meaning::Nothing
                }
            },
            None if text == "sandbox" && !self.in_global => {
                Meaning::Value(Expr { kind: ExprKind::Sandbox, ty: Ty::new(TyKind::Text), span: name.span })
            }
            None => match self.cx.resolve_constant(text, Some(name.span)) {
                Some(constant) => Meaning::Value(Expr { span: name.span, ..constant }),
                // It may be a column of it.
                None if self.here.row().is_some_and(|relation| self.is_unread(relation, name.span)) => Meaning::Nothing,
                None => {
                    self.report_unknown_name(name);
                    Meaning::Nothing
                }
            },
        }
    }

    /// Takes note that a name means this.
    pub fn refer_entity(&mut self, at: Span, entity: Entity) {
        let target = match entity {
            Entity::Name(id) => self.names.get(id).map(|decl| decl.ident.span),
            Entity::File(id) => self.files.get(id).map(|decl| decl.ast.name.span),
            Entity::Relation(id) => self.relations.get(id).map(|relation| relation.span),
            Entity::Lake(at) => self.lakes.get(at as usize).map(|lake| lake.read.name.span),
            Entity::Row => self.each.as_ref().map(|each| each.ast.name.span),
        };
        if let Some(target) = target {
            self.cx.record_reference(at, target);
        }
    }

    /// Takes note that a name means this column.
    pub fn refer_column(&mut self, at: Span, relation: RelationId, column: ColumnId) {
        let decl = self.relations.get(relation).and_then(|decl| decl.columns.get(column));
        if let Some(target) = decl.map(|column| column.span) {
            self.cx.record_reference(at, target);
        }
    }

    pub fn name_value(&mut self, id: NameId, span: Span) -> Expr {
        self.ensure_name(id, Some(span));
        self.used.insert(Entity::Name(id));
        Expr { kind: ExprKind::Name(id), ty: self.narrow_name_type(id), span }
    }

    /// The type of a name, as conditions show it.
    pub fn narrow_name_type(&self, id: NameId) -> Ty {
        let decl = &self.names[id];
        let known = self.required.is_name_shown(&decl.ident.text) || self.here.is_known_not_null(&Place::Name(id));
        Ty { nullable: decl.ty.nullable && !known, ..decl.ty.clone() }
    }

    /// The type of a column of the row whose columns can be named, as conditions show it.
    pub fn narrow_column_type(&self, relation: RelationId, column: ColumnId) -> Ty {
        let ty = &self.relations[relation].columns[column].ty;
        Ty { nullable: ty.nullable && !self.here.is_known_not_null(&Place::Column(relation, column)), ..ty.clone() }
    }

    pub fn resolve_row_column(&mut self, relation: RelationId, column: ColumnId, span: Span, outer: bool) -> Expr {
        self.ensure_column(relation, column, Some(span));
        match (self.declared[relation].taken, &self.relations[relation].columns[column].source) {
            (Some(from), hir::ColumnSource::Taken(of)) => self.note_column_read(from, *of, span),
            _ => self.note_column_read(relation, column, span),
        };
        self.used.insert(Entity::Relation(relation));
        let ty = self.narrow_column_type(relation, column);
        let kind = if outer { ExprKind::OuterColumn(column) } else { ExprKind::Column(column) };
        Expr { kind, ty, span }
    }

    fn resolve_two_parts(&mut self, first: &'a ast::Ident, second: &'a ast::Ident, span: Span) -> Meaning {
        let Some(relation_or_database) = self.resolve_relation_name(first) else { return Meaning::Nothing };
        match relation_or_database {
            Qualifier::Relation(relation) => match self.resolve_column(relation, second) {
                Some(column) => self.resolve_qualified_column(relation, column, span),
                None => Meaning::Nothing,
            },
            Qualifier::Lake(lake) => self.resolve_view(lake, second).map_or(Meaning::Nothing, Meaning::Relation),
            Qualifier::Database(file) => match self.resolve_table(file, second) {
                Some(relation) if self.is_unread(relation, span) => Meaning::Nothing,
                Some(relation) => Meaning::Relation(relation),
                None => Meaning::Nothing,
            },
        }
    }

    /// The relation that a path names, where nothing else would do; says so if there is none.
    pub fn resolve_relation_path(&mut self, path: &'a [ast::Ident], span: Span) -> Option<RelationId> {
        if let [first, ..] = path
            && let Some(Entity::File(file)) = self.scope.get(first.text.as_str()).copied()
            && self.is_tree(file)
        {
            return match self.resolve_path(path, span) {
                Meaning::Relation(relation) | Meaning::File(_, Some(relation)) => Some(relation),
                Meaning::Nothing => None,
                _ => {
                    self.report_not_a_table(path, span);
                    None
                }
            };
        }
        let named = self.resolve_relation_name(path.first()?)?;
        match (named, path) {
            (Qualifier::Relation(relation), [_]) => Some(relation),
            (Qualifier::Lake(lake), [_, view]) => self.resolve_view(lake, view),
            (Qualifier::Database(file), [_, table]) => self.resolve_table(file, table),
            _ => {
                self.report_not_a_table(path, span);
                None
            }
        }
    }

    /// Says that a path does not name a table as a whole.
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
        self.cx.report(Diagnostic::new(Code::UNKNOWN_TABLE, message, span, "not one table").help(help));
    }

    /// A column by its full name: in the relation's own rows the row's cell, like the bare name.
    pub fn resolve_qualified_column(&mut self, relation: RelationId, column: ColumnId, span: Span) -> Meaning {
        if self.here.row() == Some(relation) {
            Meaning::Value(self.resolve_row_column(relation, column, span, false))
        } else if self.here.outer() == Some(relation) {
            Meaning::Value(self.resolve_row_column(relation, column, span, true))
        } else {
            self.note_column_read(relation, column, span);
            Meaning::Column(relation, column)
        }
    }

    fn resolve_three_parts(
        &mut self,
        database: &'a ast::Ident,
        table: &'a ast::Ident,
        column: &'a ast::Ident,
        span: Span,
    ) -> Meaning {
        let file = match self.resolve_relation_name(database) {
            Some(Qualifier::Database(file)) => file,
            Some(Qualifier::Lake(lake)) => {
                let Some(relation) = self.resolve_view(lake, table) else { return Meaning::Nothing };
                return match self.resolve_column(relation, column) {
                    Some(column) => self.resolve_qualified_column(relation, column, span),
                    None => Meaning::Nothing,
                };
            }
            Some(Qualifier::Relation(_)) => {
                self.cx.report(
                    Diagnostic::new(
                        Code::UNKNOWN_TABLE,
                        format!("`{}` is not a database", database.text),
                        table.span,
                        "not a database",
                    )
                    .help(format!(
                        "write `{}.{}`",
                        quote_ident(&database.text),
                        quote_ident(&column.text)
                    )),
                );
                return Meaning::Nothing;
            }
            None => return Meaning::Nothing,
        };
        let Some(relation) = self.resolve_table(file, table) else { return Meaning::Nothing };
        if self.is_unread(relation, span) {
            return Meaning::Nothing;
        }
        match self.resolve_column(relation, column) {
            Some(column) => self.resolve_qualified_column(relation, column, span),
            None => Meaning::Nothing,
        }
    }

    /// The relation or database of this name; says so where there is none. Inside a database its own tables come first.
    fn resolve_relation_name(&mut self, name: &'a ast::Ident) -> Option<Qualifier> {
        let text = name.text.as_str();
        if let Some(file) = self.here.row().and_then(|row| self.relations[row].file)
            && let Some(relation) = self.find_table(file, text)
            && self.has_tables(file)
        {
            self.refer_entity(name.span, Entity::Relation(relation));
            return Some(Qualifier::Relation(relation));
        }
        if let Some(entity) = self.scope.get(text).copied() {
            self.refer_entity(name.span, entity);
        }
        match self.scope.get(text).copied() {
            Some(Entity::Relation(relation)) => Some(Qualifier::Relation(relation)),
            Some(Entity::Lake(lake)) => Some(Qualifier::Lake(lake)),
            Some(Entity::File(file)) => match self.ensure_file_relation(file, name.span) {
                Some(relation) => Some(Qualifier::Relation(relation)),
                None if self.has_tables(file) => Some(Qualifier::Database(file)),
                None if self.files[file].broken || self.report_differing_file(file, name.span) => None,
                None => {
                    let span = self.files[file].ast.name.span;
                    self.cx.report(
                        Diagnostic::new(
                            Code::UNKNOWN_TABLE,
                            format!("file `{text}` does not have columns"),
                            name.span,
                            "no relation",
                        )
                        .with_unknown_name(text)
                        .label(span, "declared here")
                        .help("CSV and TSV files, tables, sheets, arrays of objects, and result sets have columns; a text file has `line`"),
                    );
                    None
                }
            },
            Some(Entity::Row) => {
                self.report_row_as_value(name);
                None
            }
            Some(Entity::Name(id)) if self.is_result_set(id) => {
                self.name_value(id, name.span);
                self.ensure_result_set(id, name.span).map(Qualifier::Relation)
            }
            Some(Entity::Name(id)) => {
                let decl = &self.names[id];
                let said = Diagnostic::new(
                    Code::UNKNOWN_TABLE,
                    format!("`{text}` is a value, which does not have columns"),
                    name.span,
                    "not a file or table",
                )
                .with_unknown_name(text)
                .label(decl.ident.span, "declared here");
                self.cx.report(said);
                None
            }
            None => {
                let said = Diagnostic::new(
                    Code::UNKNOWN_TABLE,
                    format!("`{text}` is not a file or table"),
                    name.span,
                    "not declared",
                )
                .with_unknown_name(text);
                let known: Vec<&str> = self
                    .scope
                    .iter()
                    .filter(|(_, entity)| !matches!(entity, Entity::Name(_) | Entity::Row))
                    .map(|(name, _)| *name)
                    .collect();
                let mut said = suggest_name(said, name.span, text, known.iter().copied());
                if said.help.is_none() && !known.is_empty() {
                    said = said.help(format!("this task has {}", join_with_or(known)));
                }
                self.cx.report(said);
                None
            }
        }
    }

    /// The column, or a diagnostic that names the nearest.
    pub fn resolve_column(&mut self, relation: RelationId, name: &ast::Ident) -> Option<ColumnId> {
        self.used.insert(Entity::Relation(relation));
        if let Some(column) = self.find_column(relation, &name.text) {
            self.refer_column(name.span, relation, column);
            return Some(column);
        }
        if self.is_unread(relation, name.span) {
            return None;
        }
        let decl = &self.relations[relation];
        let said = Diagnostic::new(
            Code::UNKNOWN_COLUMN,
            format!("`{}` has no column `{}`", decl.name, name.text),
            name.span,
            "no such column",
        )
        .with_unknown_name(&name.text)
        .label(decl.span, format!("`{}` is declared here", decl.name));
        let columns: Vec<&str> = self.list_scope_columns(relation).collect();
        let table = decl.table.as_str();
        let meant = columns.iter().filter(|column| !self.here.is_opposite(column)).map(|column| (*column, table));
        let mut said = suggest_column(said, name.span, &name.text, meant);
        if said.help.is_none() {
            said = said.help(format!("its columns are {}", join_with_or(columns)));
        }
        self.cx.report(said);
        None
    }

    /// The view of this name of a lake, or a diagnostic that names the nearest.
    fn resolve_view(&mut self, lake: u32, name: &ast::Ident) -> Option<RelationId> {
        let decl = self.lakes.get(lake as usize)?;
        let views = || decl.relations.iter().filter_map(|id| Some((*id, self.relations.get(*id)?)));
        if let Some((relation, _)) = views().find(|(_, view)| view.table == name.text) {
            self.refer_entity(name.span, Entity::Relation(relation));
            return Some(relation);
        }
        let own = decl.read.name;
        let said = Diagnostic::new(
            Code::UNKNOWN_TABLE,
            format!("the lake `{}` does not have a view `{}`", own.text, name.text),
            name.span,
            "no such view",
        )
        .with_unknown_name(&name.text)
        .label(own.span, "the lake is declared here");
        let known: Vec<&str> = views().map(|(_, view)| view.table.as_str()).collect();
        let mut said = suggest_name(said, name.span, &name.text, known.iter().copied());
        if said.help.is_none() {
            said = said.help(match known.is_empty() {
                true => format!("declare one in the lake: csv {} from \"*.csv\"", name.text),
                false => format!("its views are {}", join_with_or(known)),
            });
        }
        self.cx.report(said);
        None
    }

    /// A lake is named where a value is needed.
    fn report_lake_as_value(&mut self, lake: u32, name: &ast::Ident) {
        let view = self.lakes.get(lake as usize).and_then(|decl| decl.read.views.first());
        let view = view.map_or("VIEW", |view| view.name.text.as_str());
        let said = Diagnostic::new(
            Code::TYPE_MISMATCH,
            format!("`{}` is a lake, not a value", name.text),
            name.span,
            "many files",
        );
        self.cx.report(said.help(format!("write count({}.{view}), or another function of a view", name.text)));
    }

    fn resolve_table(&mut self, file: FileId, name: &ast::Ident) -> Option<RelationId> {
        self.used.insert(Entity::File(file));
        if let Some(relation) = self.find_table(file, &name.text) {
            self.refer_entity(name.span, Entity::Relation(relation));
            return Some(relation);
        }
        let decl = &self.files[file];
        let said = Diagnostic::new(
            Code::UNKNOWN_TABLE,
            format!("`{}` does not have a table `{}`", decl.ast.name.text, name.text),
            name.span,
            "no such table",
        )
        .with_unknown_name(&name.text)
        .label(decl.ast.name.span, "the database is declared here");
        let tables: Vec<&str> =
            decl.relations.iter().map(|relation| self.relations[*relation].table.as_str()).collect();
        let mut said = suggest_name(said, name.span, &name.text, tables.iter().copied());
        if said.help.is_none() {
            said = said.help(format!("its tables are {}", join_with_or(tables)));
        }
        self.cx.report(said);
        None
    }

    /// The column of this name.
    pub fn find_column(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let columns = &self.relations[relation].columns;
        columns.position(|column| column.name == name && self.is_in_scope(relation, column))
    }

    /// Whether a column of a relation can be named here: of one that takes its rows from another, inside of its declaration that one's columns
    /// and the helpers, and from outside its own.
    pub fn is_in_scope(&self, relation: RelationId, column: &hir::Column) -> bool {
        if self.here.is_inside(relation) { column.helper } else { !column.is_taken() }
    }

    /// The names of the columns that can be named here.
    pub fn list_scope_columns(&self, relation: RelationId) -> impl Iterator<Item = &str> {
        let columns = self.relations[relation].columns.iter();
        columns.filter(move |column| self.is_in_scope(relation, column)).map(|column| column.name.as_str())
    }

    /// The column that a name means in a relation's row: inside of an object of a tree, its own fields first.
    fn find_row_column(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let within = match self.order.innermost() {
            Some(Unit::Column(of, column)) if of == relation => &self.declared[of].columns[column].within,
            _ => "",
        };
        let mut within = within;
        loop {
            if let Some(column) = self.find_column(relation, &format!("{within}{name}")) {
                return Some(column);
            }
            let outer = within.strip_suffix('.')?;
            within = outer.rfind('.').map_or("", |at| &outer[..=at]);
        }
    }

    /// A field of an inner object of the current row: `db.host`.
    fn resolve_inner_field(&mut self, path: &[ast::Ident], span: Span) -> Option<Meaning> {
        let of_file = path.first().is_some_and(|first| first.text == "file");
        let relation = self.here.row().filter(|relation| path.len() > 1 && (of_file || self.has_fields(*relation)))?;
        let joined: Vec<&str> = path.iter().map(|part| part.text.as_str()).collect();
        let column = self.find_row_column(relation, &joined.join("."))?;
        if let Some(last) = path.last() {
            self.refer_column(last.span, relation, column);
        }
        Some(Meaning::Value(self.resolve_row_column(relation, column, span, false)))
    }

    /// Whether a file is JSON, YAML or XML.
    fn is_tree(&self, file: FileId) -> bool {
        let decl = &self.files[file];
        decl.tree.is_some() || decl.ast.format.is_tree()
    }

    /// Whether a file's relations are tables with names of their own: a database, a workbook of several sheets.
    pub fn has_tables(&self, file: FileId) -> bool {
        let decl = &self.files[file];
        decl.relations.first().is_some_and(|first| {
            let relation = &self.relations[*first];
            decl.tree.is_none() && relation.name != relation.table
        })
    }

    pub fn find_table(&self, file: FileId, name: &str) -> Option<RelationId> {
        let relations = &self.files[file].relations;
        relations.iter().copied().find(|relation| self.relations[*relation].table == name)
    }

    /// The relation that a file as a whole is: of a CSV, a TSV, a text, a workbook of one sheet, an array.
    pub fn find_file_relation(&self, file: FileId) -> Option<RelationId> {
        let decl = &self.files[file];
        if decl.tree.is_some() {
            // The array that the whole file is.
            return match decl.tree {
                Some(Node::Array(relation, _)) => Some(relation),
                _ => None,
            };
        }
        decl.relations.first().copied().filter(|_| !self.has_tables(file)).or(decl.lines)
    }

    /// Of a file that is written like another: the table that its rows are taken from, and that other file.
    fn find_like_source(&self, relation: RelationId) -> Option<(&str, &str)> {
        let file = self.relations.get(relation)?.file?;
        let from = self.declared.get(relation)?.taken?;
        let like = self.files.get(file)?.like?;
        Some((&self.relations[from].name, &self.files[like].ast.name.text))
    }

    /// How to use a name that is exactly a column of a table whose rows are not in scope. Similar names are not
    /// suggested then.
    fn suggest_column_elsewhere(&self, text: &str) -> Option<String> {
        let has = |relation: &&hir::Relation| relation.iter_own_columns().any(|(_, column)| column.name == text);
        let table = &self.relations.iter().find(has)?.name;
        Some(match self.here.row() {
            None => {
                let spelled = quote_ident(text);
                format!(
                    "`{text}` is a column of `{table}`: write `{table}.{spelled}`, or put the condition after `where`"
                )
            }
            Some(row)
                if let Some((table, like)) = self.find_like_source(row)
                    && self.here.is_inside(row)
                    && self.relations[row].iter_own_columns().any(|(_, own)| own.name == text) =>
            {
                format!("`{table}` does not have a column `{text}`, which `{like}` needs: add it to `{table}`")
            }
            Some(row)
                if self.here.is_inside(row)
                    && self.relations[row].iter_own_columns().any(|(_, own)| own.name == text) =>
            {
                format!(
                    "`{text}` is a column of this file: name what it is computed from, or make it a helper: _{text} = …"
                )
            }
            Some(row) => {
                let own = match self.declared[row].taken.filter(|_| self.here.is_inside(row)) {
                    Some(from) => &self.relations[from].name,
                    None => &self.relations[row].name,
                };
                format!("`{text}` is a column of `{table}`, not of `{own}`: join the two in SQL")
            }
        })
    }

    fn report_unknown_name(&mut self, name: &ast::Ident) {
        let text = name.text.as_str();
        let mut said =
            Diagnostic::new(Code::UNKNOWN_NAME, format!("`{text}` is not defined"), name.span, "not declared")
                .with_unknown_name(text);
        if let Some(help) = self.suggest_column_elsewhere(text) {
            self.cx.report(said.help(help));
            return;
        }
        let is_domain =
            self.cx.globals.domains.contains_key(text) || self.cx.globals.library_domains.contains_key(text);
        let names = self.scope.keys().copied().chain(self.cx.globals.constants.keys().copied());
        let mut candidates: Vec<(&str, &str)> = names.map(|name| (name, "")).collect();
        if let Some(row) = self.here.row() {
            let table = self.relations[row].table.as_str();
            candidates.extend(self.list_scope_columns(row).map(|column| (column, table)));
        }
        // Compared with itself, a value would say nothing; made of itself, it would have none.
        let declared = match self.order.innermost() {
            Some(Unit::Name(id)) => self.names.get(id).map(|own| own.ident.text.as_str()),
            Some(Unit::Column(relation, id)) => {
                self.relations.get(relation).and_then(|own| own.columns.get(id)).map(|own| own.name.as_str())
            }
            _ => None,
        };
        candidates.retain(|(candidate, _)| !self.here.is_opposite(candidate) && declared != Some(*candidate));
        said = suggest_column(said, name.span, text, candidates);
        if said.help.is_none() {
            said = if let Some(own) = declared.filter(|_| is_domain && !self.in_global) {
                said.help(format!("`{text}` is a domain: to draw from it, write `{} : {text}`", quote_ident(own)))
            } else if is_domain {
                said.help(format!("`{text}` is a domain; draw a value from it first: my_{text} : {text}"))
            } else if self.in_global {
                said.help("outside the tasks, use a constant (NAME = value), or write text in double quotes")
            } else if self.here.row().is_some() {
                said.help("use a column of the table or a name of the task, or write text in double quotes")
            } else {
                said.help("declare it in the task (`NAME : DOMAIN` or `NAME = value`), or write text in double quotes")
            };
        }
        self.cx.report(said);
    }
}

/// What can be before a dot.
enum Qualifier {
    Relation(RelationId),
    Lake(u32),
    Database(FileId),
}
