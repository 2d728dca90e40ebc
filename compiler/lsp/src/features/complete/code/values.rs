//! Completion of values: names, calls, arguments, and members after a dot.

use compiler::ast::Format;
use compiler::diagnostics::wording::quote_ident;
use compiler::hir::{self, ColumnSource};
use compiler::query::Kind;
use compiler::syntax::words::{self, Class, Word};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::offer::{Offer, Offers};
use super::super::scope::{list_inner_columns, list_visible_columns};
use super::cursor::{CursorContext, is_value_end, list_path_names, split_at_sign};
use crate::context::{Block, Open};

/// The words between two values: operators and filters.
pub(super) fn list_operators() -> impl Iterator<Item = &'static Word> {
    words::iter_words().filter(|word| matches!(word.class, Class::Infix | Class::Filter))
}

impl CursorContext<'_> {
    /// Offers the names of relations, and of files that contain relations.
    pub(super) fn offer_relations(&self, offers: &mut Offers) {
        let inside = self.find_enclosing_database();
        for relation in self.scope.relations() {
            let (head, detail) = match relation.name.split_once('.') {
                Some((_, _)) if is_of_database(relation, inside) => (relation.table.as_str(), "table of this database"),
                Some((file, _)) => (file, "file with tables"),
                None => (relation.name.as_str(), "table"),
            };
            offers.add_offer(Offer::from_name(head, Item::Struct, 0, detail));
        }
    }

    /// The database whose tables are declared around the cursor.
    pub(super) fn find_enclosing_database(&self) -> Option<&str> {
        let (head, _) = self.context.find_around(Block::Tables)?;
        match head.words.as_slice() {
            [word, name, ..] if Format::from_word(word) == Some(Format::Sqlite) => Some(name),
            _ => None,
        }
    }

    /// The relation whose body contains the cursor.
    pub(super) fn find_enclosing_relation(&self) -> Option<&hir::Relation> {
        let head = self.context.find_head().filter(|_| self.context.find_block().1 == Block::Body)?;
        let (_, relation) = self.scope.find_relation(&[head.words.get(1)?], self.find_enclosing_database())?;
        Some(relation)
    }

    /// Completes `TABLE where …`. Returns whether the words contain `where`.
    pub(super) fn offer_in_condition(&self, offers: &mut Offers, words: &[&str]) -> bool {
        let Some((table, _, condition)) = split_at_sign(words, &["where"]) else { return false };
        self.offer_in_expression(offers, condition, &list_path_names(table));
        true
    }

    /// Completes an argument of a call.
    pub(super) fn offer_in_argument(&self, offers: &mut Offers, words: &[&str]) {
        if self.offer_in_condition(offers, words) {
            return;
        }
        self.offer_in_expression(offers, words, &[]);
        if is_value_end(words) {
            offers.add_words(words::iter_class(Class::Filter), 0);
            return;
        }
        // Inside a call, the argument can be a query or a path instead of an expression.
        let Some((name, argument)) = self.context.find_call() else { return };
        for function in self.analysis.list_overloads(name) {
            let param = function.params.get(argument.min(function.params.len().saturating_sub(1)));
            let (label, detail, snippet) = match param.and_then(|param| param.text.rsplit(": ").next()) {
                Some("sql") => ("SELECT", "a query", "SELECT ${1:COLUMN} FROM ${2:table}"),
                Some("jsonpath") => ("$", "a JSONPath", "\\$.${1:key}"),
                Some("xpath") => ("/", "an XPath", "/${1:root}"),
                _ => continue,
            };
            offers.add_offer(Offer::new(label, Item::Snippet, 0).with_detail(detail).with_snippet(snippet));
        }
    }

    /// Completes a value; `row` is the path of the relation whose columns are in scope.
    pub(super) fn offer_in_expression(&self, offers: &mut Offers, words: &[&str], row: &[&str]) {
        if is_value_end(words) {
            return offers.add_words(list_operators(), 1);
        }
        let of_row =
            self.scope.resolve_relation_path(row, self.find_enclosing_database()).map(|(relation, _)| relation);
        self.offer_view_columns(offers);
        if let Some(relation) = of_row {
            self.offer_columns(offers, relation, list_visible_columns(relation));
        }
        if let Some(relation) = self.find_enclosing_relation() {
            self.offer_columns(offers, relation, list_inner_columns(relation));
        }
        if let Some(each) = self.scope.task().and_then(|task| task.each.as_ref()) {
            offers.add_offer(Offer::from_name(&each.name, Item::Variable, 1, "row of `each`"));
        }
        for name in self.scope.names().iter().filter(|name| !matches!(name.source, hir::NameSource::Row)) {
            offers.add_offer(Offer::from_name(&name.name, Item::Variable, 1, name.ty.to_string()));
        }
        for file in self.scope.files() {
            offers.add_offer(Offer::from_name(&file.name, Item::File, 1, file.format.bare_noun()));
        }
        for relation in self.scope.relations().iter().filter(|relation| relation.file.is_none()) {
            let name: Vec<String> = relation.name.splitn(2, '.').map(quote_ident).collect();
            let detail = if name.len() > 1 { "view" } else { "table" };
            offers.add_offer(Offer::new(name.join("."), Item::Struct, 1).with_detail(detail));
        }
        self.offer_items(offers, Kind::Lake, Item::Module, "lake");
        self.offer_constants(offers, 1);
        let placeholder = matches!(self.context.innermost_frame().kind, Open::Placeholder(None));
        for function in self.analysis.functions() {
            let arguments = if placeholder && words.is_empty() { ": $1" } else { "($1)" };
            let offer = Offer::new(&function.name, Item::Function, 2).with_detail(&function.signature);
            offers.add_offer(offer.with_doc(&function.doc).with_snippet(format!("{}{arguments}", function.name)));
        }
        let begins = |word: &&Word| matches!(word.class, Class::Prefix | Class::Literal | Class::Name);
        offers.add_words(words::iter_words().filter(begins), 3);
    }

    /// Offers the members after a dot: tables, columns, and fields.
    pub(super) fn offer_members(&self, offers: &mut Offers) {
        let path = &self.context.path;
        if *path == ["file"] && self.is_reading() {
            return self.offer_file_properties(offers);
        }
        if let Some((_, relation)) = self.find_asked_row().filter(|(name, _)| *path == [*name]) {
            return self.offer_columns(offers, relation, list_visible_columns(relation));
        }
        let inside = self.find_enclosing_database();
        if let Some((relation, rest)) = self.scope.resolve_relation_path(path, inside) {
            let prefix: String = rest.iter().map(|part| format!("{part}.")).collect();
            for column in list_visible_columns(relation) {
                let Some(left) = column.name.strip_prefix(&prefix) else { continue };
                offers.add_offer(match left.split_once('.') {
                    Some((object, _)) => Offer::from_name(object, Item::Property, 0, "object"),
                    None => self.build_column_offer(column, left, relation),
                });
            }
        }
        let prefix = format!("{}.", path.join("."));
        for relation in self.scope.relations() {
            if let Some(left) = relation.name.strip_prefix(&prefix) {
                let next = left.split('.').next().unwrap_or(left);
                offers.add_offer(Offer::from_name(next, Item::Struct, 0, "table"));
            }
        }
    }

    /// The row variable of `each`: its name and its table.
    pub(super) fn find_asked_row(&self) -> Option<(&str, &hir::Relation)> {
        let task = self.scope.task()?;
        let each = task.each.as_ref()?;
        Some((each.name.as_str(), task.relations.get(each.relation)?))
    }

    /// Offers columns of a relation.
    pub(super) fn offer_columns<'c>(
        &self,
        offers: &mut Offers,
        relation: &hir::Relation,
        columns: impl Iterator<Item = &'c hir::Column>,
    ) {
        columns.for_each(|column| offers.add_offer(self.build_column_offer(column, &column.name, relation)));
    }

    fn build_column_offer(&self, column: &hir::Column, label: &str, relation: &hir::Relation) -> Offer {
        let mut detail = format!("{} · {}", column.ty, relation.name);
        if column.helper {
            detail.push_str(" · not written");
        }
        if let (ColumnSource::Given(_), Some(_)) = (&column.source, relation.file) {
            detail.push_str(" · of the fixture");
        }
        Offer::from_name(label, Item::Field, 0, detail).with_doc(self.scope.find_column_doc(column))
    }
}

/// Whether a relation is a table of the database with this name.
pub(super) fn is_of_database(relation: &hir::Relation, name: Option<&str>) -> bool {
    name.is_some_and(|name| relation.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}
