//! What names and paths mean.

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId};

use crate::ast;
use crate::check::model::{Node, Place, TaskChecker, Unit};
use crate::check::say::{one_of_words, spell, suggest_column, suggest_name};
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
    pub fn meaning(&mut self, path: &'a [ast::Ident], span: Span) -> Meaning {
        if let Some(meaning) = self.inner_field(path, span) {
            return meaning;
        }
        if let [first, _, ..] = path
            && let Some(Entity::File(file)) = self.scope.get(first.text.as_str()).copied()
            && self.is_tree(file)
        {
            return self.tree_path(file, path, span);
        }
        if let [first, rest @ ..] = path
            && !rest.is_empty()
            && self.scope.get(first.text.as_str()) == Some(&Entity::Row)
        {
            return self.row_cell(rest, span);
        }
        match path {
            [] => Meaning::Nothing,
            [name] => self.bare(name),
            [first, second] => self.two(first, second, span),
            [database, table, column] => self.three(database, table, column, span),
            [_, _, _, fourth, ..] => {
                self.cx.say(
                    Diagnostic::new(Code::UNKNOWN_NAME, "a path has at most three parts", fourth.span, "one too many")
                        .help("write NAME, RELATION.COLUMN or DATABASE.TABLE.COLUMN"),
                );
                Meaning::Nothing
            }
        }
    }

    fn bare(&mut self, name: &'a ast::Ident) -> Meaning {
        let text = name.text.as_str();
        let in_row =
            self.here.row().and_then(|relation| self.column_here(relation, text).map(|column| (relation, column)));
        let in_outer =
            self.here.outer().and_then(|relation| self.column_named(relation, text).map(|column| (relation, column)));
        let entity = self.scope.get(text).copied();
        if let (Some((relation, column)), Some(other)) = (in_row, in_outer.map(|(r, _)| Entity::Relation(r)).or(entity))
        {
            // Where a file is written from a table, the columns in sight are that one's.
            let taken = self.declared[relation].taken.filter(|_| self.here.is_inside(relation));
            let relation_name = self.relations[taken.unwrap_or(relation)].name.clone();
            let column_span = self.relations[relation].columns[column].span;
            let other_span = match in_outer {
                Some((outer, column)) => self.relations[outer].columns[column].span,
                None => self.entity_span(other),
            };
            self.cx.say(
                Diagnostic::new(
                    Code::AMBIGUOUS_NAME,
                    format!(
                        "`{text}` is ambiguous: a column of `{relation_name}` or the {} of the task `{text}`",
                        crate::check::scope::declare::entity_word(other)
                    ),
                    name.span,
                    "which one?",
                )
                .label(column_span, "the column")
                .label(other_span, "the other one")
                .help(match taken {
                    Some(_) => "rename one of the two".to_owned(),
                    None => format!("write `{relation_name}.{}` for the column, or rename one of the two", spell(text)),
                }),
            );
            return Meaning::Nothing;
        }
        if let Some((relation, column)) = in_row {
            self.refer_column(name.span, relation, column);
            return Meaning::Value(self.row_column(relation, column, name.span, false));
        }
        if let Some((relation, column)) = in_outer {
            self.refer_column(name.span, relation, column);
            return Meaning::Value(self.row_column(relation, column, name.span, true));
        }
        if let Some(entity) = entity {
            self.refer_entity(name.span, entity);
        }
        match entity {
            Some(Entity::Name(id)) => {
                let value = self.name_value(id, name.span);
                match self.is_result_set(id).then(|| self.result_set(id, name.span)).flatten() {
                    Some(relation) => Meaning::ResultSet(value, relation),
                    None => Meaning::Value(value),
                }
            }
            Some(Entity::File(file)) => {
                self.ensure_taken_of(file, name.span);
                let relation = self.file_relation(file);
                Meaning::File(file, relation)
            }
            Some(Entity::Relation(relation)) => Meaning::Relation(relation),
            Some(Entity::Row) => {
                self.row_is_no_value(name);
                Meaning::Nothing
            }
            Some(Entity::Lake(lake)) => match self.lake_folder(lake, name.span) {
                Some(folder) => Meaning::Value(folder),
                None => {
                    self.no_view(lake, name);
                    Meaning::Nothing
                }
            },
            None if text == "sandbox" && !self.in_global => {
                Meaning::Value(Expr { kind: ExprKind::Sandbox, ty: Ty::of(TyKind::Text), span: name.span })
            }
            None => match self.cx.constant(text, Some(name.span)) {
                Some(constant) => Meaning::Value(Expr { span: name.span, ..constant }),
                // It may be a column of it.
                None if self.here.row().is_some_and(|relation| self.is_unread(relation, name.span)) => Meaning::Nothing,
                None => {
                    self.unknown_name(name);
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
            self.cx.refer(at, target);
        }
    }

    /// Takes note that a name means this column.
    pub fn refer_column(&mut self, at: Span, relation: RelationId, column: ColumnId) {
        let decl = self.relations.get(relation).and_then(|decl| decl.columns.get(column));
        if let Some(target) = decl.map(|column| column.span) {
            self.cx.refer(at, target);
        }
    }

    pub fn name_value(&mut self, id: NameId, span: Span) -> Expr {
        self.ensure_name(id, Some(span));
        self.used.insert(Entity::Name(id));
        Expr { kind: ExprKind::Name(id), ty: self.type_of_name(id), span }
    }

    /// The type of a name, as conditions show it.
    pub fn type_of_name(&self, id: NameId) -> Ty {
        let decl = &self.names[id];
        let known = self.required.shows_name(&decl.ident.text) || self.here.shows(&Place::Name(id));
        Ty { nullable: decl.ty.nullable && !known, ..decl.ty.clone() }
    }

    /// The type of a column of the row whose columns can be named, as conditions show it.
    pub fn type_of_column(&self, relation: RelationId, column: ColumnId) -> Ty {
        let ty = &self.relations[relation].columns[column].ty;
        Ty { nullable: ty.nullable && !self.here.shows(&Place::Column(relation, column)), ..ty.clone() }
    }

    pub fn row_column(&mut self, relation: RelationId, column: ColumnId, span: Span, outer: bool) -> Expr {
        self.ensure_column(relation, column, Some(span));
        match (self.declared[relation].taken, &self.relations[relation].columns[column].source) {
            (Some(from), hir::ColumnSource::Taken(of)) => self.reads_column(from, *of, span),
            _ => self.reads_column(relation, column, span),
        };
        self.used.insert(Entity::Relation(relation));
        let ty = self.type_of_column(relation, column);
        let kind = if outer { ExprKind::OuterColumn(column) } else { ExprKind::Column(column) };
        Expr { kind, ty, span }
    }

    fn two(&mut self, first: &'a ast::Ident, second: &'a ast::Ident, span: Span) -> Meaning {
        let Some(relation_or_database) = self.relation_named(first) else { return Meaning::Nothing };
        match relation_or_database {
            Named::Relation(relation) => match self.known_column(relation, second) {
                Some(column) => self.column_meaning(relation, column, span),
                None => Meaning::Nothing,
            },
            Named::Lake(lake) => self.known_view(lake, second).map_or(Meaning::Nothing, Meaning::Relation),
            Named::Database(file) => match self.known_table(file, second) {
                Some(relation) if self.is_unread(relation, span) => Meaning::Nothing,
                Some(relation) => Meaning::Relation(relation),
                None => Meaning::Nothing,
            },
        }
    }

    /// The relation that a path names, where nothing else would do; says so if there is none.
    pub fn relation_of_path(&mut self, path: &'a [ast::Ident], span: Span) -> Option<RelationId> {
        if let [first, ..] = path
            && let Some(Entity::File(file)) = self.scope.get(first.text.as_str()).copied()
            && self.is_tree(file)
        {
            return match self.meaning(path, span) {
                Meaning::Relation(relation) | Meaning::File(_, Some(relation)) => Some(relation),
                Meaning::Nothing => None,
                _ => {
                    self.no_rows(path, span);
                    None
                }
            };
        }
        let named = self.relation_named(path.first()?)?;
        match (named, path) {
            (Named::Relation(relation), [_]) => Some(relation),
            (Named::Lake(lake), [_, view]) => self.known_view(lake, view),
            (Named::Database(file), [_, table]) => self.known_table(file, table),
            _ => {
                self.no_rows(path, span);
                None
            }
        }
    }

    /// Says that a path does not name a table as a whole.
    fn no_rows(&mut self, path: &[ast::Ident], span: Span) {
        let name = path.iter().map(|part| spell(&part.text)).collect::<Vec<_>>().join(".");
        let (message, help) = match path {
            [one] => (format!("`{name}` has several tables"), format!("name one of them: {}.TABLE", spell(&one.text))),
            [table, .., _] => {
                (format!("`{name}` is not a table"), format!("name a table, such as {}", spell(&table.text)))
            }
            [] => return,
        };
        self.cx.say(Diagnostic::new(Code::UNKNOWN_TABLE, message, span, "not one table").help(help));
    }

    /// A column by its full name: in the relation's own rows the row's cell, like the bare name.
    pub fn column_meaning(&mut self, relation: RelationId, column: ColumnId, span: Span) -> Meaning {
        if self.here.row() == Some(relation) {
            Meaning::Value(self.row_column(relation, column, span, false))
        } else if self.here.outer() == Some(relation) {
            Meaning::Value(self.row_column(relation, column, span, true))
        } else {
            self.reads_column(relation, column, span);
            Meaning::Column(relation, column)
        }
    }

    fn three(
        &mut self,
        database: &'a ast::Ident,
        table: &'a ast::Ident,
        column: &'a ast::Ident,
        span: Span,
    ) -> Meaning {
        let file = match self.relation_named(database) {
            Some(Named::Database(file)) => file,
            Some(Named::Lake(lake)) => {
                let Some(relation) = self.known_view(lake, table) else { return Meaning::Nothing };
                return match self.known_column(relation, column) {
                    Some(column) => self.column_meaning(relation, column, span),
                    None => Meaning::Nothing,
                };
            }
            Some(Named::Relation(_)) => {
                self.cx.say(
                    Diagnostic::new(
                        Code::UNKNOWN_TABLE,
                        format!("`{}` is not a database", database.text),
                        table.span,
                        "not a database",
                    )
                    .help(format!("write `{}.{}`", spell(&database.text), spell(&column.text))),
                );
                return Meaning::Nothing;
            }
            None => return Meaning::Nothing,
        };
        let Some(relation) = self.known_table(file, table) else { return Meaning::Nothing };
        if self.is_unread(relation, span) {
            return Meaning::Nothing;
        }
        match self.known_column(relation, column) {
            Some(column) => self.column_meaning(relation, column, span),
            None => Meaning::Nothing,
        }
    }

    /// The relation or database of this name; says so where there is none. Inside a database its own tables come first.
    fn relation_named(&mut self, name: &'a ast::Ident) -> Option<Named> {
        let text = name.text.as_str();
        if let Some(file) = self.here.row().and_then(|row| self.relations[row].file)
            && let Some(relation) = self.table_named(file, text)
            && self.has_tables(file)
        {
            self.refer_entity(name.span, Entity::Relation(relation));
            return Some(Named::Relation(relation));
        }
        if let Some(entity) = self.scope.get(text).copied() {
            self.refer_entity(name.span, entity);
        }
        match self.scope.get(text).copied() {
            Some(Entity::Relation(relation)) => Some(Named::Relation(relation)),
            Some(Entity::Lake(lake)) => Some(Named::Lake(lake)),
            Some(Entity::File(file)) => match self.taken_relation(file, name.span) {
                Some(relation) => Some(Named::Relation(relation)),
                None if self.has_tables(file) => Some(Named::Database(file)),
                None if self.files[file].broken || self.differs_by_row(file, name.span) => None,
                None => {
                    let span = self.files[file].ast.name.span;
                    self.cx.say(
                        Diagnostic::new(
                            Code::UNKNOWN_TABLE,
                            format!("file `{text}` does not have columns"),
                            name.span,
                            "no relation",
                        )
                        .unknown(text)
                        .label(span, "declared here")
                        .help("CSV and TSV files, tables, sheets, arrays of objects, and result sets have columns; a text file has `line`"),
                    );
                    None
                }
            },
            Some(Entity::Row) => {
                self.row_is_no_value(name);
                None
            }
            Some(Entity::Name(id)) if self.is_result_set(id) => {
                self.name_value(id, name.span);
                self.result_set(id, name.span).map(Named::Relation)
            }
            Some(Entity::Name(id)) => {
                let decl = &self.names[id];
                let said = Diagnostic::new(
                    Code::UNKNOWN_TABLE,
                    format!("`{text}` is a value, which does not have columns"),
                    name.span,
                    "not a file or table",
                )
                .unknown(text)
                .label(decl.ident.span, "declared here");
                self.cx.say(said);
                None
            }
            None => {
                let said = Diagnostic::new(
                    Code::UNKNOWN_TABLE,
                    format!("`{text}` is not a file or table"),
                    name.span,
                    "not declared",
                )
                .unknown(text);
                let known: Vec<&str> = self
                    .scope
                    .iter()
                    .filter(|(_, entity)| !matches!(entity, Entity::Name(_) | Entity::Row))
                    .map(|(name, _)| *name)
                    .collect();
                let mut said = suggest_name(said, name.span, text, known.iter().copied());
                if said.help.is_none() && !known.is_empty() {
                    said = said.help(format!("this task has {}", one_of_words(known)));
                }
                self.cx.say(said);
                None
            }
        }
    }

    /// The column, or a diagnostic that names the nearest.
    pub fn known_column(&mut self, relation: RelationId, name: &ast::Ident) -> Option<ColumnId> {
        self.used.insert(Entity::Relation(relation));
        if let Some(column) = self.column_named(relation, &name.text) {
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
        .unknown(&name.text)
        .label(decl.span, format!("`{}` is declared here", decl.name));
        let columns: Vec<&str> = self.names_in_scope(relation).collect();
        let table = decl.table.as_str();
        let meant = columns.iter().filter(|column| !self.here.is_opposite(column)).map(|column| (*column, table));
        let mut said = suggest_column(said, name.span, &name.text, meant);
        if said.help.is_none() {
            said = said.help(format!("its columns are {}", one_of_words(columns)));
        }
        self.cx.say(said);
        None
    }

    /// The view of this name of a lake, or a diagnostic that names the nearest.
    fn known_view(&mut self, lake: u32, name: &ast::Ident) -> Option<RelationId> {
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
        .unknown(&name.text)
        .label(own.span, "the lake is declared here");
        let known: Vec<&str> = views().map(|(_, view)| view.table.as_str()).collect();
        let mut said = suggest_name(said, name.span, &name.text, known.iter().copied());
        if said.help.is_none() {
            said = said.help(match known.is_empty() {
                true => format!("declare one in the lake: csv {} from \"*.csv\"", name.text),
                false => format!("its views are {}", one_of_words(known)),
            });
        }
        self.cx.say(said);
        None
    }

    /// A lake is named where a value is needed.
    fn no_view(&mut self, lake: u32, name: &ast::Ident) {
        let view = self.lakes.get(lake as usize).and_then(|decl| decl.read.views.first());
        let view = view.map_or("VIEW", |view| view.name.text.as_str());
        let said = Diagnostic::new(
            Code::TYPE_MISMATCH,
            format!("`{}` is a lake, not a value", name.text),
            name.span,
            "many files",
        );
        self.cx.say(said.help(format!("write count({}.{view}), or another function of a view", name.text)));
    }

    fn known_table(&mut self, file: FileId, name: &ast::Ident) -> Option<RelationId> {
        self.used.insert(Entity::File(file));
        if let Some(relation) = self.table_named(file, &name.text) {
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
        .unknown(&name.text)
        .label(decl.ast.name.span, "the database is declared here");
        let tables: Vec<&str> =
            decl.relations.iter().map(|relation| self.relations[*relation].table.as_str()).collect();
        let mut said = suggest_name(said, name.span, &name.text, tables.iter().copied());
        if said.help.is_none() {
            said = said.help(format!("its tables are {}", one_of_words(tables)));
        }
        self.cx.say(said);
        None
    }

    /// The column of this name.
    pub fn column_named(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let columns = &self.relations[relation].columns;
        columns.position(|column| column.name == name && self.is_in_scope(relation, column))
    }

    /// Whether a column of a relation can be named here: of one that takes its rows from another, inside of its declaration that one's columns
    /// and the helpers, and from outside its own.
    pub fn is_in_scope(&self, relation: RelationId, column: &hir::Column) -> bool {
        if self.here.is_inside(relation) { column.helper } else { !column.is_taken() }
    }

    /// The names of the columns that can be named here.
    pub fn names_in_scope(&self, relation: RelationId) -> impl Iterator<Item = &str> {
        let columns = self.relations[relation].columns.iter();
        columns.filter(move |column| self.is_in_scope(relation, column)).map(|column| column.name.as_str())
    }

    /// The column that a name means in a relation's row: inside of an object of a tree, its own fields first.
    fn column_here(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let within = match self.order.innermost() {
            Some(Unit::Column(of, column)) if of == relation => &self.declared[of].columns[column].within,
            _ => "",
        };
        let mut within = within;
        loop {
            if let Some(column) = self.column_named(relation, &format!("{within}{name}")) {
                return Some(column);
            }
            let outer = within.strip_suffix('.')?;
            within = outer.rfind('.').map_or("", |at| &outer[..=at]);
        }
    }

    /// A field of an inner object of the current row: `db.host`.
    fn inner_field(&mut self, path: &[ast::Ident], span: Span) -> Option<Meaning> {
        let of_file = path.first().is_some_and(|first| first.text == "file");
        let relation = self.here.row().filter(|relation| path.len() > 1 && (of_file || self.has_fields(*relation)))?;
        let joined: Vec<&str> = path.iter().map(|part| part.text.as_str()).collect();
        let column = self.column_here(relation, &joined.join("."))?;
        if let Some(last) = path.last() {
            self.refer_column(last.span, relation, column);
        }
        Some(Meaning::Value(self.row_column(relation, column, span, false)))
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

    pub fn table_named(&self, file: FileId, name: &str) -> Option<RelationId> {
        let relations = &self.files[file].relations;
        relations.iter().copied().find(|relation| self.relations[*relation].table == name)
    }

    /// The relation that a file as a whole is: of a CSV, a TSV, a text, a workbook of one sheet, an array.
    pub fn file_relation(&self, file: FileId) -> Option<RelationId> {
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
    fn written_like_of(&self, relation: RelationId) -> Option<(&str, &str)> {
        let file = self.relations.get(relation)?.file?;
        let from = self.declared.get(relation)?.taken?;
        let like = self.files.get(file)?.like?;
        Some((&self.relations[from].name, &self.files[like].ast.name.text))
    }

    /// How to use a name that is exactly a column of a table whose rows are not in scope. Similar names are not
    /// suggested then.
    fn column_elsewhere(&self, text: &str) -> Option<String> {
        let has = |relation: &&hir::Relation| relation.own_columns().any(|(_, column)| column.name == text);
        let table = &self.relations.iter().find(has)?.name;
        Some(match self.here.row() {
            None => {
                let spelled = spell(text);
                format!(
                    "`{text}` is a column of `{table}`: write `{table}.{spelled}`, or put the condition after `where`"
                )
            }
            Some(row)
                if let Some((table, like)) = self.written_like_of(row)
                    && self.here.is_inside(row)
                    && self.relations[row].own_columns().any(|(_, own)| own.name == text) =>
            {
                format!("`{table}` does not have a column `{text}`, which `{like}` needs: add it to `{table}`")
            }
            Some(row)
                if self.here.is_inside(row) && self.relations[row].own_columns().any(|(_, own)| own.name == text) =>
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

    fn unknown_name(&mut self, name: &ast::Ident) {
        let text = name.text.as_str();
        let mut said =
            Diagnostic::new(Code::UNKNOWN_NAME, format!("`{text}` is not defined"), name.span, "not declared")
                .unknown(text);
        if let Some(help) = self.column_elsewhere(text) {
            self.cx.say(said.help(help));
            return;
        }
        let is_domain =
            self.cx.globals.domains.contains_key(text) || self.cx.globals.library_domains.contains_key(text);
        let names = self.scope.keys().copied().chain(self.cx.globals.constants.keys().copied());
        let mut candidates: Vec<(&str, &str)> = names.map(|name| (name, "")).collect();
        if let Some(row) = self.here.row() {
            let table = self.relations[row].table.as_str();
            candidates.extend(self.names_in_scope(row).map(|column| (column, table)));
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
                said.help(format!("`{text}` is a domain: to draw from it, write `{} : {text}`", spell(own)))
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
        self.cx.say(said);
    }
}

/// What can be before a dot.
enum Named {
    Relation(RelationId),
    Lake(u32),
    Database(FileId),
}
