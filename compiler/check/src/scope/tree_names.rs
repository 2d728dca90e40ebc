//! Paths into JSON, YAML, and XML files: `conf.region`, `conf.db.host`, `conf.services.port`.

use model::Span;
use model::functions;
use model::suite::{FileId, RelationId};

use crate::context::{Checker, Member, Node, Relations, TaskChecker, TaskScope};
use crate::domains::domain::as_bare_path;
use crate::scope::names::Meaning;
use hir::types::{Ty, TyKind};
use hir::{Arg, Entity, Expr, ExprKind};
use syntax::ast::{self, Ident};
use syntax::diagnostics::wording::{join_with_or, suggest_column};
use syntax::diagnostics::{Code, Diagnostic};

impl TaskChecker<'_, '_> {
    /// Resolves a path into a tree file; `path` begins with the name of the file.
    pub fn resolve_tree_path(&mut self, file: FileId, path: &[Ident], span: Span) -> Meaning {
        let Some(root) = self.scope.relations.files[file].tree.clone() else {
            // A computed tree has no declared fields, only the type of its value.
            return self.scope.report_unshaped_tree(self.cx, file, path);
        };
        self.scope.used.insert(Entity::File(file));
        if let Some(first) = path.first() {
            self.scope.refer_entity(self.cx, first.span, Entity::File(file));
        }
        let mut node = &root;
        for (at, key) in path.iter().enumerate().skip(1) {
            // Elements of an array have no names: the path continues with their fields.
            while let Node::Array(_, element) = node {
                node = element;
            }
            let members: &[Member] = match node {
                Node::Object(members) => members,
                // A value that cannot be read. The next arm is for the elements of an array of plain values.
                Node::Cell(relation, column) if self.note_odd_column_read(*relation, *column, span) => {
                    return Meaning::Nothing;
                }
                Node::Cell(relation, column) if at + 1 == path.len() && key.text == crate::files::trees::ELEMENT => {
                    let decl = &self.scope.relations.checked[*relation].columns[*column];
                    if decl.name == crate::files::trees::ELEMENT {
                        return self.resolve_node(node, span);
                    }
                    &[]
                }
                _ => &[],
            };
            match members.iter().find(|member| member.key.text == key.text) {
                Some(member) => {
                    self.cx.record_reference(key.span, member.key.span);
                    node = &member.node;
                }
                None => {
                    let parent = &path[at - 1];
                    self.cx.report_unknown_field(parent, key, members);
                    return Meaning::Nothing;
                }
            }
        }
        self.resolve_node(node, span)
    }

    fn resolve_node(&mut self, node: &Node, span: Span) -> Meaning {
        match node {
            Node::Array(relation, _) => Meaning::Relation(*relation),
            Node::Cell(relation, column) if self.scope.relations.is_single(*relation) => {
                // Inside its own declaration, it is the cell of the row.
                if self.scope.here.row == Some(*relation) {
                    return Meaning::Value(self.resolve_row_column(*relation, *column, span));
                }
                Meaning::Value(self.build_single_cell(*relation, *column, span))
            }
            Node::Cell(relation, column) => self.resolve_qualified_column(*relation, *column, span),
            Node::Object(members) => {
                let mut fields = Vec::new();
                for member in members.iter().filter(|member| !member.helper) {
                    let value = match self.resolve_node(&member.node, span) {
                        Meaning::Value(value) => value,
                        Meaning::Relation(relation) if self.scope.relations.find_element_column(relation).is_some() => {
                            self.build_element_list(relation, span)
                        }
                        _ => {
                            let message = "an object with arrays of objects in it is not a value";
                            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "contains many rows");
                            self.cx.report(said.help("name one of its fields"));
                            return Meaning::Nothing;
                        }
                    };
                    fields.push((member.key.text.clone(), value));
                }
                let types = fields.iter().map(|(key, value)| (key.clone(), value.ty.clone())).collect();
                Meaning::Value(Expr { kind: ExprKind::Object(fields), ty: Ty::new(TyKind::Object(types)), span })
            }
        }
    }

    /// Builds the value of the only cell of a column.
    fn build_single_cell(&mut self, relation: RelationId, column: model::suite::ColumnId, span: Span) -> Expr {
        self.ensure_relation(relation, Some(span));
        self.note_column_read(relation, column, span);
        self.scope.used.insert(Entity::Relation(relation));
        let ty = self.scope.relations.checked[relation].columns[column].ty.clone();
        let arg = Arg::Column { relation, column, filter: None };
        Expr { kind: ExprKind::Call(functions::FIRST, vec![arg]), ty, span }
    }

    /// Builds the list of an array of plain values.
    pub fn build_element_list(&mut self, relation: RelationId, span: Span) -> Expr {
        build_column_list(self, relation, model::suite::ColumnId(0), span)
    }
}

/// Checks a list; a column is the list of its values.
pub fn check_list_or_column<'a>(task: &mut TaskChecker<'_, 'a>, expr: &'a ast::Expr) -> Expr {
    let Some(path) = as_bare_path(expr) else { return task.check_expr(expr) };
    match task.resolve_path(path, expr.span) {
        Meaning::Column(relation, column) => build_column_list(task, relation, column, expr.span),
        other => task.resolve_value(other, expr.span),
    }
}

/// Builds the list of a column's values.
fn build_column_list(
    task: &mut TaskChecker<'_, '_>,
    relation: RelationId,
    column: model::suite::ColumnId,
    span: Span,
) -> Expr {
    task.ensure_relation(relation, Some(span));
    task.scope.used.insert(Entity::Relation(relation));
    task.note_column_read(relation, column, span);
    let item = task.scope.relations.checked[relation].columns[column].ty.clone();
    let ty = Ty::new(TyKind::List(Box::new(Ty { nullable: false, ..item })));
    let arg = Arg::Column { relation, column, filter: None };
    Expr { kind: ExprKind::Call(functions::LIST, vec![arg]), ty, span }
}

impl<'a> TaskScope<'a> {
    fn report_unshaped_tree(&mut self, cx: &mut Checker<'a>, file: FileId, path: &[Ident]) -> Meaning {
        let decl = &self.relations.files[file];
        if decl.broken {
            return Meaning::Nothing;
        }
        let (name, declared) = (decl.ast.name.text.clone(), decl.ast.name.span);
        self.used.insert(Entity::File(file));
        if let Some(key) = path.get(1) {
            let message = format!("`{name}` is computed as a whole, so its fields cannot be named");
            let help = format!(
                "read it by a path: <<json_path: {name}, $.{}>>, or give the value a name of its own",
                key.text
            );
            let said = Diagnostic::new(Code::UNKNOWN_COLUMN, message, key.span, "not a declared field");
            cx.report(said.label(declared, "declared here").help(help));
        }
        Meaning::Nothing
    }
}

impl Relations<'_> {
    /// Checks whether a relation contains the values of a tree that occur once, in a single row.
    fn is_single(&self, relation: RelationId) -> bool {
        self.declared[relation].single
    }

    /// Returns the column of an array of plain values.
    pub fn find_element_column(&self, relation: RelationId) -> Option<model::suite::ColumnId> {
        if !self.is_tree_relation(relation) {
            return None;
        }
        match self.checked[relation].columns.raw.as_slice() {
            [only] if only.name == crate::files::trees::ELEMENT => Some(model::suite::ColumnId(0)),
            _ => None,
        }
    }
}

impl Checker<'_> {
    fn report_unknown_field(&mut self, parent: &Ident, key: &Ident, members: &[Member]) {
        let message = match members {
            [] => format!("`{}` is a single value, which does not have `{}`", parent.text, key.text),
            _ => format!("`{}` has no `{}`", parent.text, key.text),
        };
        let said =
            Diagnostic::new(Code::UNKNOWN_COLUMN, message, key.span, "no such field").with_unknown_name(&key.text);
        let keys: Vec<&str> = members.iter().map(|member| member.key.text.as_str()).collect();
        let fields = keys.iter().map(|field| (*field, parent.text.as_str()));
        self.report(suggest_column(said, key.span, &key.text, fields).with_default_help(match keys.is_empty() {
            true => "end the path here".to_owned(),
            false => format!("it has {}", join_with_or(keys)),
        }));
    }
}
