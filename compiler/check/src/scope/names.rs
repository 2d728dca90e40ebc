//! The meanings of names and paths.

use model::Span;
use model::suite::{ColumnId, FileId, NameId, RelationId};

use crate::context::{Checker, Node, Place, Relations, TaskChecker, TaskScope, Unit};
use hir::types::{Ty, TyKind};
use hir::{Entity, Expr, ExprKind};
use syntax::ast;
use syntax::diagnostics::wording::{quote_ident, suggest_column};
use syntax::diagnostics::{Code, Diagnostic};

/// The meaning of a path.
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
    /// Nothing; already reported.
    Nothing,
}

impl<'a> TaskChecker<'_, 'a> {
    /// Resolves a path.
    pub fn resolve_path(&mut self, path: &'a [ast::Ident], span: Span) -> Meaning {
        if let Some(meaning) = self.resolve_inner_field(path, span) {
            return meaning;
        }
        if let [first, _, ..] = path
            && let Some(file) = self.scope.find_file(first)
            && self.scope.relations.is_tree(file)
        {
            return self.resolve_tree_path(file, path, span);
        }
        if let [first, rest @ ..] = path
            && !rest.is_empty()
            && self.scope.entities.get(first.text.as_str()) == Some(&Entity::Row)
        {
            return self.resolve_row_cell(rest, span);
        }
        match path {
            [] => Meaning::Nothing,
            [name] => self.resolve_bare_name(name),
            [first, second] => self.resolve_two_parts(first, second, span),
            [database, table, column] => self.resolve_three_parts(database, table, column, span),
            [_, _, _, fourth, ..] => {
                let message = "a path has at most three parts";
                let said = Diagnostic::new(Code::UNKNOWN_NAME, message, fourth.span, "one too many");
                self.cx.report(said.help("write NAME, RELATION.COLUMN or DATABASE.TABLE.COLUMN"));
                Meaning::Nothing
            }
        }
    }

    fn resolve_bare_name(&mut self, name: &'a ast::Ident) -> Meaning {
        let text = name.text.as_str();
        let (row, outer) = (self.scope.here.row, self.scope.here.outer);
        let in_row = row.and_then(|row| Some((row, self.find_row_column(row, text)?)));
        let in_outer = outer.and_then(|outer| Some((outer, self.scope.find_column(outer, text)?)));
        let entity = self.scope.entities.get(text).copied();
        if let (Some((relation, column)), Some(other)) = (in_row, in_outer.map(|(r, _)| Entity::Relation(r)).or(entity))
        {
            // In a file that is written from a table, the columns in scope are the table's.
            let taken = self.scope.relations.declared[relation].taken.filter(|_| self.scope.here.is_inside(relation));
            let relation_name = self.scope.relations.checked[taken.unwrap_or(relation)].name.clone();
            let column_span = self.scope.relations.checked[relation].columns[column].span;
            let other_span = match in_outer {
                Some((outer, column)) => self.scope.relations.checked[outer].columns[column].span,
                None => self.scope.find_entity_span(other),
            };
            let message = format!(
                "`{text}` is ambiguous: a column of `{relation_name}` or the {} of the task `{text}`",
                crate::scope::declare::describe_entity(other)
            );
            let help = match taken {
                Some(_) => "rename one of the two".to_owned(),
                None => {
                    format!("write `{relation_name}.{}` for the column, or rename one of the two", quote_ident(text))
                }
            };
            let said = Diagnostic::new(Code::AMBIGUOUS_NAME, message, name.span, "which one?");
            self.cx.report(said.label(column_span, "the column").label(other_span, "the other one").help(help));
            return Meaning::Nothing;
        }
        if let Some((relation, column)) = in_row {
            self.scope.relations.refer_column(self.cx, name.span, relation, column);
            return Meaning::Value(self.resolve_row_column(relation, column, name.span));
        }
        if let Some((relation, column)) = in_outer {
            self.scope.relations.refer_column(self.cx, name.span, relation, column);
            return Meaning::Value(self.resolve_outer_column(relation, column, name.span));
        }
        if let Some(entity) = entity {
            self.scope.refer_entity(self.cx, name.span, entity);
        }
        match entity {
            Some(Entity::Name(id)) => {
                let value = self.name_value(id, name.span);
                if self.scope.is_result_set(self.cx, id)
                    && let Some(relation) = self.scope.ensure_result_set(self.cx, id, name.span)
                {
                    Meaning::ResultSet(value, relation)
                } else {
                    Meaning::Value(value)
                }
            }
            Some(Entity::File(file)) => {
                self.ensure_taken_of(file, name.span);
                let relation = self.scope.relations.find_file_relation(file);
                Meaning::File(file, relation)
            }
            Some(Entity::Relation(relation)) => Meaning::Relation(relation),
            Some(Entity::Row) => {
                self.scope.report_row_as_value(self.cx, name);
                Meaning::Nothing
            }
            Some(Entity::Lake(lake)) => match self.scope.find_lake_folder(lake, name.span) {
                Some(folder) => Meaning::Value(folder),
                None => {
                    self.scope.report_lake_as_value(self.cx, lake, name);
                    Meaning::Nothing
                }
            },
            None if text == "sandbox" && !self.scope.in_global => {
                Meaning::Value(Expr { kind: ExprKind::Sandbox, ty: Ty::new(TyKind::Text), span: name.span })
            }
            None => match self.cx.resolve_constant(text, Some(name.span)) {
                Some(constant) => Meaning::Value(Expr { span: name.span, ..constant }),
                // It may be a column of the relation that could not be read.
                None if self.scope.here.row.is_some_and(|relation| self.is_unread(relation, name.span)) => {
                    Meaning::Nothing
                }
                None => {
                    self.report_unknown_name(name);
                    Meaning::Nothing
                }
            },
        }
    }

    pub fn name_value(&mut self, id: NameId, span: Span) -> Expr {
        self.ensure_name(id, Some(span));
        self.scope.used.insert(Entity::Name(id));
        Expr { kind: ExprKind::Name(id), ty: self.scope.narrow_name_type(id), span }
    }

    /// Resolves a column to the cell of the current row.
    pub fn resolve_row_column(&mut self, relation: RelationId, column: ColumnId, span: Span) -> Expr {
        self.ensure_column(relation, column, Some(span));
        match (
            self.scope.relations.declared[relation].taken,
            &self.scope.relations.checked[relation].columns[column].source,
        ) {
            (Some(from), hir::ColumnSource::Taken(of)) => self.note_column_read(from, *of, span),
            _ => self.note_column_read(relation, column, span),
        };
        self.scope.used.insert(Entity::Relation(relation));
        let ty = self.scope.narrow_column_type(relation, column);
        Expr { kind: ExprKind::Column(column), ty, span }
    }

    /// Resolves a column to the cell of the row around the current one.
    pub fn resolve_outer_column(&mut self, relation: RelationId, column: ColumnId, span: Span) -> Expr {
        Expr { kind: ExprKind::OuterColumn(column), ..self.resolve_row_column(relation, column, span) }
    }

    /// Finds the column of a relation's row that a name refers to. In an object of a tree, the object's own fields come first.
    fn find_row_column(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let within = match self.order.innermost() {
            Some(Unit::Column(of, column)) if of == relation => {
                &self.scope.relations.declared[of].columns[column].within
            }
            _ => "",
        };
        let mut within = within;
        loop {
            if let Some(column) = self.scope.find_column(relation, &format!("{within}{name}")) {
                return Some(column);
            }
            let outer = within.strip_suffix('.')?;
            within = outer.rfind('.').map_or("", |at| &outer[..=at]);
        }
    }

    /// Resolves a field of an inner object of the current row: `db.host`.
    fn resolve_inner_field(&mut self, path: &[ast::Ident], span: Span) -> Option<Meaning> {
        let of_file = path.first().is_some_and(|first| first.text == "file");
        let relation = self
            .scope
            .here
            .row
            .filter(|relation| path.len() > 1 && (of_file || self.scope.relations.has_fields(*relation)))?;
        let joined: Vec<&str> = path.iter().map(|part| part.text.as_str()).collect();
        let column = self.find_row_column(relation, &joined.join("."))?;
        if let Some(last) = path.last() {
            self.scope.relations.refer_column(self.cx, last.span, relation, column);
        }
        Some(Meaning::Value(self.resolve_row_column(relation, column, span)))
    }

    fn report_unknown_name(&mut self, name: &ast::Ident) {
        let text = name.text.as_str();
        let said = Diagnostic::new(Code::UNKNOWN_NAME, format!("`{text}` is not defined"), name.span, "not declared")
            .with_unknown_name(text);
        if let Some(help) = self.scope.suggest_column_elsewhere(text) {
            self.cx.report(said.help(help));
            return;
        }
        let is_domain =
            self.cx.globals.domains.contains_key(text) || self.cx.globals.library_domains.contains_key(text);
        let names = self.scope.entities.keys().copied().chain(self.cx.globals.constants.keys().copied());
        let mut candidates: Vec<(&str, &str)> = names.map(|name| (name, "")).collect();
        if let Some(row) = self.scope.here.row {
            let table = self.scope.relations.checked[row].table.as_str();
            candidates.extend(self.scope.list_scope_columns(row).map(|column| (column, table)));
        }
        // A suggestion is useless if it compares a value with itself, or computes a value from itself.
        let declared = match self.order.innermost() {
            Some(Unit::Name(id)) => Some(self.scope.names[id].ident.text.as_str()),
            Some(Unit::Column(relation, id)) => Some(self.scope.relations.checked[relation].columns[id].name.as_str()),
            _ => None,
        };
        candidates.retain(|(candidate, _)| !self.scope.here.is_opposite(candidate) && declared != Some(*candidate));
        let help: &str = match declared {
            Some(own) if is_domain && !self.scope.in_global => {
                &format!("`{text}` is a domain: to draw from it, write `{} : {text}`", quote_ident(own))
            }
            _ if is_domain => &format!("`{text}` is a domain; draw a value from it first: my_{text} : {text}"),
            _ if self.scope.in_global => {
                "outside the tasks, use a constant (NAME = value), or write text in double quotes"
            }
            _ if self.scope.here.row.is_some() => {
                "use a column of the table or a name of the task, or write text in double quotes"
            }
            _ => "declare it in the task (`NAME : DOMAIN` or `NAME = value`), or write text in double quotes",
        };
        self.cx.report(suggest_column(said, name.span, text, candidates).with_default_help(help));
    }
}

impl<'a> TaskScope<'a> {
    /// Records that a name refers to this entity.
    pub fn refer_entity(&self, cx: &mut Checker<'a>, at: Span, entity: Entity) {
        cx.record_reference(at, self.find_entity_span(entity));
    }

    /// Returns the file that a name declares.
    pub fn find_file(&self, name: &ast::Ident) -> Option<FileId> {
        match self.entities.get(name.text.as_str()) {
            Some(Entity::File(file)) => Some(*file),
            _ => None,
        }
    }

    /// Returns the type of a name: not nullable if a condition shows that it is not null.
    pub fn narrow_name_type(&self, id: NameId) -> Ty {
        let decl = &self.names[id];
        let known = self.required.names.contains(&decl.ident.text) || self.here.not_null.contains(&Place::Name(id));
        Ty { nullable: decl.ty.nullable && !known, ..decl.ty.clone() }
    }

    /// Returns the type of a column of the current row: not nullable if a condition shows that it is not null.
    pub fn narrow_column_type(&self, relation: RelationId, column: ColumnId) -> Ty {
        let ty = &self.relations.checked[relation].columns[column].ty;
        Ty { nullable: ty.nullable && !self.here.not_null.contains(&Place::Column(relation, column)), ..ty.clone() }
    }

    /// Reports a lake that is used as a value.
    fn report_lake_as_value(&self, cx: &mut Checker<'a>, lake: u32, name: &ast::Ident) {
        let view = self.lakes.get(lake as usize).and_then(|decl| decl.read.views.first());
        let view = view.map_or("VIEW", |view| view.name.text.as_str());
        let message = format!("`{}` is a lake, not a value", name.text);
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, name.span, "many files");
        cx.report(said.help(format!("write count({}.{view}), or another function of a view", name.text)));
    }

    /// Finds the column of this name.
    pub fn find_column(&self, relation: RelationId, name: &str) -> Option<ColumnId> {
        let columns = &self.relations.checked[relation].columns;
        columns.position(|column| column.name == name && self.is_in_scope(relation, column))
    }

    /// Checks whether a column of a relation is in scope here. If the relation takes its rows from another, the columns of the other one and the
    /// helpers are in scope inside its declaration, and its own columns outside.
    pub fn is_in_scope(&self, relation: RelationId, column: &hir::Column) -> bool {
        if self.here.is_inside(relation) { column.helper } else { !column.is_taken() }
    }

    /// Lists the names of the columns that are in scope here.
    pub fn list_scope_columns(&self, relation: RelationId) -> impl Iterator<Item = &str> {
        let columns = self.relations.checked[relation].columns.iter();
        columns.filter(move |column| self.is_in_scope(relation, column)).map(|column| column.name.as_str())
    }

    /// Explains how to use a column of a table whose rows are not in scope, if the name is exactly that of the column.
    /// Similar names are not suggested then.
    fn suggest_column_elsewhere(&self, text: &str) -> Option<String> {
        let has = |relation: &&hir::Relation| relation.iter_own_columns().any(|(_, column)| column.name == text);
        let table = &self.relations.checked.iter().find(has)?.name;
        Some(match self.here.row {
            None => {
                let spelled = quote_ident(text);
                format!(
                    "`{text}` is a column of `{table}`: write `{table}.{spelled}`, or put the condition after `where`"
                )
            }
            Some(row)
                if let Some((table, like)) = self.relations.find_like_source(row)
                    && self.here.is_inside(row)
                    && self.relations.checked[row].iter_own_columns().any(|(_, own)| own.name == text) =>
            {
                format!("`{table}` does not have a column `{text}`, which `{like}` needs: add it to `{table}`")
            }
            Some(row)
                if self.here.is_inside(row)
                    && self.relations.checked[row].iter_own_columns().any(|(_, own)| own.name == text) =>
            {
                format!(
                    "`{text}` is a column of this file: name what it is computed from, or make it a helper: _{text} = …"
                )
            }
            Some(row) => {
                let own = match self.relations.declared[row].taken.filter(|_| self.here.is_inside(row)) {
                    Some(from) => &self.relations.checked[from].name,
                    None => &self.relations.checked[row].name,
                };
                format!("`{text}` is a column of `{table}`, not of `{own}`: join the two in SQL")
            }
        })
    }
}

impl<'a> Relations<'a> {
    /// Records that a name refers to this column.
    pub fn refer_column(&self, cx: &mut Checker<'a>, at: Span, relation: RelationId, column: ColumnId) {
        let decl = self.checked.get(relation).and_then(|decl| decl.columns.get(column));
        if let Some(target) = decl.map(|column| column.span) {
            cx.record_reference(at, target);
        }
    }

    /// Checks whether a file is JSON, YAML, or XML.
    pub(super) fn is_tree(&self, file: FileId) -> bool {
        let decl = &self.files[file];
        decl.tree.is_some() || decl.ast.format.is_tree()
    }

    /// Checks whether a file's relations are tables with their own names, as in a database or a workbook of several sheets.
    pub fn has_tables(&self, file: FileId) -> bool {
        let decl = &self.files[file];
        decl.relations.first().is_some_and(|first| {
            let relation = &self.checked[*first];
            decl.tree.is_none() && relation.name != relation.table
        })
    }

    pub fn find_table(&self, file: FileId, name: &str) -> Option<RelationId> {
        let relations = &self.files[file].relations;
        relations.iter().copied().find(|relation| self.checked[*relation].table == name)
    }

    /// Finds the relation of a whole file: a CSV, a TSV, a text, a workbook of one sheet, or an array.
    pub fn find_file_relation(&self, file: FileId) -> Option<RelationId> {
        let decl = &self.files[file];
        if decl.tree.is_some() {
            // The file is a relation only if its root is an array.
            return match decl.tree {
                Some(Node::Array(relation, _)) => Some(relation),
                _ => None,
            };
        }
        decl.relations.first().copied().filter(|_| !self.has_tables(file)).or(decl.lines)
    }

    /// Returns the names of the source table and of the other file, if a relation's file is written like another file.
    fn find_like_source(&self, relation: RelationId) -> Option<(&str, &str)> {
        let file = self.checked.get(relation)?.file?;
        let from = self.declared.get(relation)?.taken?;
        let like = self.files.get(file)?.like?;
        Some((&self.checked[from].name, &self.files[like].ast.name.text))
    }
}
