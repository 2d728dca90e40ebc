//! Values: names, calls, arguments, and what follows a dot.

use compiler::ast::Format;
use compiler::hir::{self, ColumnSource};
use compiler::query::Kind;
use compiler::syntax::words::{self, Class, Word};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::scope::{columns, columns_inside};
use super::super::{Offer, Offers};
use super::{Here, ends_value, spelled};
use crate::context::{Block, Open};

/// The words between two values: operators and filters.
pub(super) fn operators() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| matches!(word.class, Class::Infix | Class::Filter))
}

impl Here<'_> {
    /// Names of relations, and of files that hold some.
    pub(super) fn relation_names(&self, offers: &mut Offers) {
        let inside = self.database_around();
        for relation in self.scope.relations() {
            let (head, detail) = match relation.name.split_once('.') {
                Some((_, _)) if is_of_database(relation, inside) => (relation.table.as_str(), "table of this database"),
                Some((file, _)) => (file, "file with tables"),
                None => (relation.name.as_str(), "table"),
            };
            offers.add(Offer::new(spelled(head), Item::Struct, 0).detail(detail));
        }
    }

    /// The database whose tables are declared around the cursor.
    pub(super) fn database_around(&self) -> Option<&str> {
        let at = self.context.frames.iter().position(|frame| frame.kind == Open::Block(Block::Tables))?;
        let head = self.context.frames.get(at.checked_sub(1)?)?;
        match head.words.as_slice() {
            [word, name, ..] if Format::of(word) == Some(Format::Sqlite) => Some(name),
            _ => None,
        }
    }

    /// The relation whose body the cursor is in.
    pub(super) fn relation_around(&self) -> Option<&hir::Relation> {
        let (at, block) = self.context.block();
        if block != Block::Body {
            return None;
        }
        let head = self.context.frames.get(at.checked_sub(1)?)?;
        match head.words.as_slice() {
            [_, name, ..] => self.scope.relation(&[name], self.database_around()).map(|(_, relation)| relation),
            _ => None,
        }
    }

    /// An argument of a call.
    pub(super) fn argument(&self, offers: &mut Offers, words: &[&str]) {
        if let Some(at) = words.iter().position(|word| *word == "where") {
            let path: Vec<&str> = words.iter().take(at).copied().filter(|word| *word != ".").collect();
            return self.expression(offers, words.get(at + 1..).unwrap_or_default(), &path);
        }
        self.expression(offers, words, &[]);
        if ends_value(words) {
            offers.words(words::of(Class::Filter), 0);
            return;
        }
        // Inside a call, the argument may be a query or a path instead of an expression.
        let Some((name, argument)) = self.context.call() else { return };
        for function in self.analysis.functions().iter().filter(|function| function.name == name) {
            let Some(param) = function.params.get(argument.min(function.params.len().saturating_sub(1))) else {
                continue;
            };
            let raw = |label: &str, insert: &str| Offer {
                snippet: true,
                ..Offer::new(label, Item::Snippet, 0).insert(insert)
            };
            match param.text.rsplit(": ").next() {
                Some("sql") => offers.add(raw("SELECT", "SELECT ${1:COLUMN} FROM ${2:table}").detail("a query")),
                Some("jsonpath") => offers.add(raw("$", "\\$.${1:key}").detail("a JSONPath")),
                Some("xpath") => offers.add(raw("/", "/${1:root}").detail("an XPath")),
                _ => {}
            }
        }
    }

    /// A value; `row` names the relation whose columns are in sight.
    pub(super) fn expression(&self, offers: &mut Offers, words: &[&str], row: &[&str]) {
        if ends_value(words) {
            return offers.words(operators(), 1);
        }
        let of_row = self.scope.relation_of_path(row, self.database_around()).map(|(relation, _)| relation);
        self.columns_around(offers);
        if let Some(relation) = of_row {
            for column in columns(relation, true) {
                offers.add(self.column_offer(column, &column.name, relation));
            }
        }
        if let Some(relation) = self.relation_around() {
            for column in columns_inside(relation) {
                offers.add(self.column_offer(column, &column.name, relation));
            }
        }
        if let Some(task) = self.scope.task() {
            if let Some(each) = &task.each {
                offers.add(Offer::new(spelled(&each.name), Item::Variable, 1).detail("row of `each`"));
            }
            for name in task.names.iter().filter(|name| !matches!(name.source, hir::NameSource::Row)) {
                offers.add(Offer::new(spelled(&name.name), Item::Variable, 1).detail(name.ty.to_string()));
            }
            for file in &task.files {
                offers.add(Offer::new(spelled(&file.name), Item::File, 1).detail(file.format.bare()));
            }
            for relation in task.relations.iter().filter(|relation| relation.file.is_none()) {
                let name: Vec<String> = relation.name.splitn(2, '.').map(spelled).collect();
                let detail = if name.len() > 1 { "view" } else { "table" };
                offers.add(Offer::new(name.join("."), Item::Struct, 1).detail(detail));
            }
        }
        self.items(offers, Kind::Lake, Item::Module, "lake");
        self.constants(offers, 1);
        let placeholder = matches!(self.context.innermost().kind, Open::Placeholder(None));
        for function in self.analysis.functions() {
            let insert = if placeholder && words.is_empty() {
                format!("{}: $1", function.name)
            } else {
                format!("{}($1)", function.name)
            };
            offers.add(Offer {
                snippet: true,
                ..Offer::new(function.name.clone(), Item::Function, 2)
                    .detail(function.signature.clone())
                    .doc(function.doc.clone())
                    .insert(insert)
            });
        }
        let begins = |word: &&Word| matches!(word.class, Class::Prefix | Class::Literal | Class::Name);
        offers.words(words::all().filter(begins), 3);
    }

    /// After a dot: tables, columns, fields.
    pub(super) fn members(&self, offers: &mut Offers) {
        let path = &self.context.path;
        if *path == ["file"] && self.is_reading() {
            return self.of_file(offers);
        }
        if let Some(relation) = self.asked_rows().filter(|(name, _)| *path == [*name]).map(|(_, relation)| relation) {
            for column in columns(relation, true) {
                offers.add(self.column_offer(column, &column.name, relation));
            }
            return;
        }
        let inside = self.database_around();
        if let Some((relation, rest)) = self.scope.relation_of_path(path, inside) {
            let prefix: String = rest.iter().map(|part| format!("{part}.")).collect();
            for column in columns(relation, true) {
                let Some(left) = column.name.strip_prefix(&prefix) else { continue };
                match left.split_once('.') {
                    Some((object, _)) => offers.add(Offer::new(spelled(object), Item::Property, 0).detail("object")),
                    None => offers.add(self.column_offer(column, left, relation)),
                }
            }
        }
        let prefix = format!("{}.", path.join("."));
        for relation in self.scope.relations() {
            if let Some(left) = relation.name.strip_prefix(&prefix) {
                let next = left.split('.').next().unwrap_or(left);
                offers.add(Offer::new(spelled(next), Item::Struct, 0).detail("table"));
            }
        }
    }

    /// The row that `each` asks: its name, and its table.
    pub(super) fn asked_rows(&self) -> Option<(&str, &hir::Relation)> {
        let task = self.scope.task()?;
        let each = task.each.as_ref()?;
        Some((each.name.as_str(), task.relations.get(each.relation)?))
    }

    pub(super) fn column_offer(&self, column: &hir::Column, label: &str, relation: &hir::Relation) -> Offer {
        let mut detail = format!("{} · {}", column.ty, relation.name);
        if column.helper {
            detail.push_str(" · not written");
        }
        if let (ColumnSource::Given(_), Some(_)) = (&column.source, relation.file) {
            detail.push_str(" · of the fixture");
        }
        Offer::new(spelled(label), Item::Field, 0).detail(detail).doc(self.scope.doc(column))
    }
}

/// Whether a relation is a table of the database of this name.
pub(super) fn is_of_database(relation: &hir::Relation, name: Option<&str>) -> bool {
    name.is_some_and(|name| relation.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
