//! The language's own positions: which words, names, domains and values fit.

use compiler::ast::Format;
use compiler::diagnostics::{CODES, Severity};
use compiler::hir::{self, ColumnSource};
use compiler::query::Kind;
use compiler::syntax::words::{self, Class, Head, Word};
use gen_lsp_types::CompletionItemKind as Item;

use super::scope::{Scope, columns};
use super::{Offer, Offers};
use crate::analysis::Analysis;
use crate::context::{Block, Context, Open};

/// Offers what fits at a cursor among names and signs.
pub fn offer(offers: &mut Offers, scope: &Scope, analysis: &Analysis, context: &Context<'_>) {
    let here = Here { scope, analysis, context };
    if !context.path.is_empty() {
        return here.members(offers);
    }
    let frame = context.innermost();
    let words = frame.words.as_slice();
    match frame.kind {
        Open::Block(Block::File) => here.item(offers, words),
        Open::Block(Block::Suite) => here.setting(offers, words),
        Open::Block(Block::Task) => here.statement(offers, words, false),
        Open::Block(Block::Variant) => here.statement(offers, words, true),
        Open::Block(Block::Body) => here.column(offers, words),
        Open::Block(Block::Tables) => match words {
            [] => offers.words(table().chain(words::of(Class::Stored)), 0),
            ["view", _, "=", value @ ..] => {
                here.expression(offers, value, &[]);
            }
            ["table", _, ":"] => here.tables(offers),
            _ => {}
        },
        Open::Array => {
            if words.contains(&";") {
                here.expression(offers, words, &[]);
            } else {
                here.domain(offers, words);
            }
        }
        Open::Object => match words {
            // A key: whatever the author likes.
            [] => {}
            [_, ":", value @ ..] => {
                here.expression(offers, value, &[]);
                if ends_value(value) {
                    offers.words(words::of(Class::Option), 1);
                }
            }
            _ => {}
        },
        Open::List | Open::Call(None) => here.expression(offers, words, &[]),
        Open::Call(Some(_)) | Open::Placeholder(_) => here.argument(offers, words),
        Open::String => {}
    }
}

struct Here<'a> {
    scope: &'a Scope,
    analysis: &'a Analysis,
    context: &'a Context<'a>,
}

/// Whether the words end with a value, so that an operator fits and no operand.
fn ends_value(words: &[&str]) -> bool {
    let Some(last) = words.last() else { return false };
    match *last {
        "\"" | "(" | "[" | "{" | "<<" | "%" => true,
        word => word.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !words::takes(word),
    }
}

/// What begins a statement.
fn statements() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| matches!(word.class, Class::Statement | Class::Format))
}

/// A table of a database or workbook.
fn table() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Statement).filter(|word| word.label == "table")
}

/// The words between two values: operators and filters.
fn operators() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| matches!(word.class, Class::Infix | Class::Filter))
}

/// What the body of a table holds besides columns.
fn body() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Body).chain(words::of(Class::Constraint))
}

/// What compares a reply or a file with a value.
fn matchers() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Matcher).filter(|word| !word.files_only)
}

/// What looks at files only.
fn of_files() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| word.files_only)
}

impl Here<'_> {
    fn item(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.words(words::of(Class::Item), 0),
            ["domain", _, "=", domain @ ..] => self.domain(offers, domain),
            [_, "=", value @ ..] => {
                self.expression(offers, value, &[]);
            }
            ["table", _] => offers.bare(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                offers.words(words::of(Class::Reading), 0);
                offers.words(words::of(Class::Item), 2);
            }
            [first, rest @ ..] if words::is(Class::Item, first) && rest.len() < 2 => {}
            _ => offers.words(words::of(Class::Item), 2),
        }
    }

    fn setting(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.words(words::of(Class::Setting), 0),
            ["allow"] => lints(offers),
            [_] => self.constants(offers, 0),
            _ => offers.words(words::of(Class::Setting), 1),
        }
    }

    fn statement(&self, offers: &mut Offers, words: &[&str], variant: bool) {
        let starters = |offers: &mut Offers, rank: u8| {
            offers.words(statements().filter(|word| !variant || word.in_variant), rank);
        };
        match words {
            [] => starters(offers, 0),
            ["expect", rest @ ..] => self.expect(offers, rest),
            ["allow"] => lints(offers),
            ["prompt"] => offers.add(Offer {
                snippet: true,
                ..Offer::new("one_of", Item::Keyword, 0)
                    .insert("one_of [\n  \"${1:text}\",\n]")
                    .doc("One of several wordings is drawn.")
            }),
            [word, value @ ..] if words::is(Class::Statement, word) && words::takes(word) => {
                self.expression(offers, value, &[]);
                if ends_value(value) {
                    starters(offers, 2);
                }
            }
            ["axis", _, "=", value @ ..] => {
                self.expression(offers, value, &[]);
            }
            ["table", _] => offers.bare(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                offers.words(words::of(Class::Reading), 0);
                starters(offers, 2);
            }
            ["table", _, ":"] => self.tables(offers),
            [word, rest @ ..]
                if words::head(word) == Some(Head::Path)
                    && rest != [":"]
                    && rest != ["="]
                    && rest.first() != Some(&",") =>
            {
                self.data(offers, rest);
            }
            [word] if words::is(Class::Statement, word) => {}
            _ => self.drawn_or_computed(offers, words, &|offers| starters(offers, 2)),
        }
    }

    /// `a, b : DOMAIN`, `a = value`.
    fn drawn_or_computed(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) {
        if let Some(at) = words.iter().position(|word| matches!(*word, ":" | "=")) {
            let rest = words.get(at + 1..).unwrap_or_default();
            if words.get(at) == Some(&":") {
                self.domain(offers, rest)
            } else {
                self.expression(offers, rest, &[])
            }
            if ends_value(rest) {
                next(offers);
            }
        } else if words.contains(&"{") || words.len() > 2 {
            next(offers);
        }
    }

    /// After the format of a file.
    fn data(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {}
            [_] | [_, ":", _] => offers.bare(["at"], 0),
            [_, ":"] => self.tables(offers),
            [.., "at"] => {}
            _ => {
                let at = words.iter().position(|word| *word == "at").unwrap_or(words.len());
                let behind = words.get(at + 1..).unwrap_or_default();
                match behind.iter().position(|word| matches!(*word, ":" | "=")) {
                    Some(sign) => {
                        let rest = behind.get(sign + 1..).unwrap_or_default();
                        if behind.get(sign) == Some(&":") {
                            self.domain(offers, rest)
                        } else {
                            self.expression(offers, rest, &[])
                        }
                        if ends_value(rest) {
                            offers.words(statements(), 2);
                        }
                    }
                    None if behind.contains(&"{") => offers.words(statements(), 0),
                    None => offers.words(words::of(Class::Writing).chain(words::uses("from")), 0),
                }
            }
        }
    }

    fn column(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {
                offers.words(body(), 0);
                offers.words(table(), 1);
            }
            ["rows", value @ ..] => {
                self.expression(offers, value, &[]);
            }
            ["table", _, ":"] => self.tables(offers),
            [word] if words::is(Class::Constraint, word) => {}
            _ => self.drawn_or_computed(offers, words, &|offers| offers.words(body(), 2)),
        }
    }

    /// After `expect`.
    fn expect(&self, offers: &mut Offers, words: &[&str]) {
        let words = match words {
            [_, ":", rest @ ..] => rest,
            words => words,
        };
        match words {
            [] => return offers.words(words::of(Class::Subject), 0),
            ["reply"] => {
                offers.words(words::of(Class::Slice), 0);
                return offers.words(matchers(), 1);
            }
            ["reply", "last"] => return offers.bare(["line"], 0),
            ["reply", "last", "line"]
            | ["reply", "after" | "at", "\""]
            | ["reply", "fenced"]
            | ["reply", "fenced", "\""] => {
                return offers.words(matchers(), 0);
            }
            ["file", _, "at"] => return,
            ["file", _, "at", "\""] => return offers.words(matchers(), 0),
            ["file", _] => {
                offers.words(matchers(), 0);
                offers.words(words::of(Class::Slice).filter(|word| word.text == "at"), 1);
                return offers.words(of_files(), 1);
            }
            ["file"] => {
                for file in self.scope.task().map(|task| task.files.as_slice()).unwrap_or_default() {
                    offers.add(Offer::new(spelled(&file.name), Item::File, 0).detail("file"));
                }
                return;
            }
            ["reply", "after" | "at"] => return,
            ["files" | "tree", value @ ..] => return self.expression(offers, value, &[]),
            _ => {}
        }
        let matcher = |word: &&str| words::is_any(&[Class::Matcher, Class::State], word);
        // The subject's own words are not matchers.
        let Some(at) = words.iter().skip(1).position(matcher).map(|at| at + 1) else {
            return offers.words(matchers(), 0);
        };
        let mut value = words.get(at + 1..).unwrap_or_default();
        if words.get(at) == Some(&"sql") {
            let Some((_, rest)) = value.split_first() else { return self.databases(offers) };
            value = rest;
        }
        match value {
            [] => {
                self.expression(offers, value, &[]);
                offers.bare(["any_of"], 1);
            }
            ["any_of", rest @ ..] if !ends_value(rest) => self.expression(offers, rest, &[]),
            [.., "graded"] if words.get(at) == Some(&"list") => {
                offers.bare(["above"], 0);
                offers.words(words::of(Class::Option), 1);
            }
            [.., "ignore"] => offers.bare(words::names(Class::Ignored), 0),
            [.., ","] if value.contains(&"ignore") => offers.bare(words::names(Class::Ignored), 0),
            _ if ends_value(value) => {
                offers.words(words::of(Class::Option), 0);
                offers.words(operators(), 1);
                offers.words(statements(), 2);
            }
            _ => self.expression(offers, value, &[]),
        }
    }

    /// After the `:` of a drawn name or column.
    fn domain(&self, offers: &mut Offers, words: &[&str]) {
        let rest: Vec<&str> = words.iter().copied().skip_while(|word| words::is(Class::Modifier, word)).collect();
        match rest.as_slice() {
            [] => {
                if words.is_empty() {
                    offers.words(words::of(Class::Modifier), 2);
                }
                self.domains(offers);
            }
            ["ref"] => self.relation_names(offers),
            ["lorem"] => offers.bare(words::names(Class::Unit), 0),
            ["one_of"] => offers.bare(["lines"], 0),
            ["ref", path @ .., "where"] | ["ref", path @ .., "where", _] if !path.contains(&"where") => {
                let path: Vec<&str> = path.iter().copied().filter(|word| *word != ".").collect();
                self.expression(offers, &[], &path);
            }
            ["ref", path @ ..] if path.contains(&"where") => {
                let at = path.iter().position(|word| *word == "where").unwrap_or(path.len());
                let names: Vec<&str> = path.iter().take(at).copied().filter(|word| *word != ".").collect();
                self.expression(offers, path.get(at + 1..).unwrap_or_default(), &names);
            }
            rest if ends_value(rest) => {
                offers.words(words::of(Class::Suffix), 0);
                if rest.first() == Some(&"ref") {
                    offers.words(words::of(Class::Filter), 0);
                }
                // What the domain's example is written with.
                let domain =
                    rest.first().and_then(|name| words::of(Class::Constructor).find(|word| word.text == *name));
                let example = domain.map_or("", |word| word.snippet);
                let written = |argument: &&str| example.split(' ').any(|word| word == *argument);
                offers.bare(words::names(Class::Argument).into_iter().filter(written), 0);
            }
            rest => self.expression(offers, rest.get(1..).unwrap_or_default(), &[]),
        }
    }

    fn domains(&self, offers: &mut Offers) {
        for word in words::domains() {
            offers.add(Offer::new(word.text, Item::Keyword, 1).detail(word.snippet));
        }
        self.items(offers, Kind::Domain, Item::Enum, "domain");
    }

    /// Reusable tables.
    fn tables(&self, offers: &mut Offers) {
        self.items(offers, Kind::Columns, Item::Struct, "reusable table");
    }

    fn constants(&self, offers: &mut Offers, rank: u8) {
        let before = offers.all.len();
        self.items(offers, Kind::Constant, Item::Constant, "constant");
        offers.all.iter_mut().skip(before).for_each(|offer| offer.rank = rank);
    }

    /// Items of one kind, the author's before the library's.
    fn items(&self, offers: &mut Offers, kind: Kind, item: Item, what: &str) {
        for library in [false, true] {
            for (file, _) in self.analysis.sources().iter().filter(|(_, source)| source.library == library) {
                for declared in self.analysis.declared(file).iter().filter(|declared| declared.kind == kind) {
                    let detail = if library { format!("{what} of the library") } else { what.to_owned() };
                    let doc = declared.doc.clone().unwrap_or_default();
                    let name = spelled(&declared.name.text);
                    offers.add(Offer::new(name, item, u8::from(library)).detail(detail).doc(doc));
                }
            }
        }
    }

    fn databases(&self, offers: &mut Offers) {
        for file in self.scope.task().map(|task| task.files.as_slice()).unwrap_or_default() {
            if file.format == Format::Sqlite {
                offers.add(Offer::new(spelled(&file.name), Item::File, 0).detail("database"));
            }
        }
    }

    /// Names of relations, and of files that hold some.
    fn relation_names(&self, offers: &mut Offers) {
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
    fn database_around(&self) -> Option<&str> {
        let at = self.context.frames.iter().position(|frame| frame.kind == Open::Block(Block::Tables))?;
        let head = self.context.frames.get(at.checked_sub(1)?)?;
        match head.words.as_slice() {
            [word, name, ..] if Format::of(word) == Some(Format::Sqlite) => Some(name),
            _ => None,
        }
    }

    /// The relation whose body the cursor is in.
    fn relation_around(&self) -> Option<&hir::Relation> {
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
    fn argument(&self, offers: &mut Offers, words: &[&str]) {
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
    fn expression(&self, offers: &mut Offers, words: &[&str], row: &[&str]) {
        if ends_value(words) {
            return offers.words(operators(), 1);
        }
        let of_row = self.scope.relation_of_path(row, self.database_around()).map(|(relation, _)| relation);
        for relation in of_row.into_iter().chain(self.relation_around()) {
            for column in columns(relation, true) {
                offers.add(self.column_offer(column, &column.name, &relation.name));
            }
        }
        if let Some(task) = self.scope.task() {
            for name in &task.names {
                offers.add(Offer::new(spelled(&name.name), Item::Variable, 1).detail(name.ty.to_string()));
            }
            for file in &task.files {
                offers.add(Offer::new(spelled(&file.name), Item::File, 1).detail(file.format.bare()));
            }
            for relation in task.relations.iter().filter(|relation| relation.file.is_none()) {
                offers.add(Offer::new(spelled(&relation.name), Item::Struct, 1).detail("table"));
            }
        }
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
    fn members(&self, offers: &mut Offers) {
        let path = &self.context.path;
        let inside = self.database_around();
        if let Some((relation, rest)) = self.scope.relation_of_path(path, inside) {
            let prefix: String = rest.iter().map(|part| format!("{part}.")).collect();
            for column in columns(relation, true) {
                let Some(left) = column.name.strip_prefix(&prefix) else { continue };
                match left.split_once('.') {
                    Some((object, _)) => offers.add(Offer::new(spelled(object), Item::Property, 0).detail("object")),
                    None => offers.add(self.column_offer(column, left, &relation.name)),
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

    fn column_offer(&self, column: &hir::Column, label: &str, relation: &str) -> Offer {
        let mut detail = format!("{} · {relation}", column.ty);
        if column.helper {
            detail.push_str(" · not written");
        }
        if let ColumnSource::Given(_) = column.source {
            detail.push_str(" · of the fixture");
        }
        Offer::new(spelled(label), Item::Field, 0).detail(detail).doc(self.scope.doc(column))
    }
}

/// Whether a relation is a table of the database of this name.
fn is_of_database(relation: &hir::Relation, name: Option<&str>) -> bool {
    name.is_some_and(|name| relation.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// A name as the language reads it.
fn spelled(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// Lints by name; their code finds them too.
fn lints(offers: &mut Offers) {
    for code in CODES.iter().filter(|code| code.severity == Severity::Warning) {
        let page = code.page.lines().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
        offers.add(Offer {
            snippet: true,
            filter: Some(format!("{} {}", code.name, code.id)),
            ..Offer::new(code.name, Item::EnumMember, 0)
                .detail(code.id)
                .doc(page)
                .insert(format!("{} \"${{1:why}}\"", code.name))
        });
    }
}
