//! Items, settings, statements, and the bodies of tables.

use compiler::diagnostics::{CODES, Severity};
use compiler::syntax::words::{self, Class, Head, Word};
use gen_lsp_types::CompletionItemKind as Item;
use model::tools::Tool;

use super::super::scope::columns;
use super::super::{Offer, Offers};
use super::{Here, ends_value, spelled};

/// What begins a statement.
pub(super) fn statements() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| matches!(word.class, Class::Statement | Class::Format))
}

/// A table of a database or workbook.
pub(super) fn table() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Statement).filter(|word| word.label == "table")
}

/// What the body of a table holds besides columns.
pub(super) fn body() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Body).chain(words::of(Class::Constraint))
}

impl Here<'_> {
    pub(super) fn item(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.words(words::of(Class::Item), 0),
            ["domain", _, "=", domain @ ..] => self.domain(offers, domain),
            [_, "=", value @ ..] => {
                self.expression(offers, value, &[]);
            }
            ["table", _] => offers.bare(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                if self.options(offers, words) {
                    offers.words(words::of(Class::Item), 2);
                }
            }
            ["lake", _, ..] if !words.contains(&"{") => self.lake_head(offers, words),
            [first, rest @ ..] if words::is(Class::Item, first) && rest.len() < 2 => {}
            _ => offers.words(words::of(Class::Item), 2),
        }
    }

    pub(super) fn setting(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.words(words::of(Class::Setting), 0),
            ["allow"] => lints(offers),
            [_] => self.constants(offers, 0),
            _ => offers.words(words::of(Class::Setting), 1),
        }
    }

    /// A statement of a task, or of what `takes` some of them.
    pub(super) fn statement(&self, offers: &mut Offers, words: &[&str], takes: &dyn Fn(&Word) -> bool) {
        let starters = |offers: &mut Offers, rank: u8| {
            offers.words(statements().filter(|word| takes(word)), rank);
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
            ["each", _] => offers.bare(["in"], 0),
            ["each", _, "in", rest @ ..] => self.each(offers, rest, &|offers| starters(offers, 2)),
            ["axis", _, "=", value @ ..] => {
                self.expression(offers, value, &[]);
            }
            ["stage", _] => offers.bare(["after"], 0),
            ["stage", own, "after", rest @ ..] if !rest.contains(&"{") => {
                if matches!(rest.last(), None | Some(&",")) {
                    self.stages(offers, own, rest);
                }
            }
            ["table", _] => offers.bare(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                if self.options(offers, words) {
                    starters(offers, 2);
                }
            }
            ["lake", rest @ ..] => {
                if self.lake_use(offers, rest) {
                    starters(offers, 2);
                }
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

    /// `each NAME in`, and these words: a table, the columns of its rows, a condition.
    fn each(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) {
        let end = words.iter().position(|word| matches!(*word, "key" | "by" | "where")).unwrap_or(words.len());
        let (table, rest) = words.split_at_checked(end).unwrap_or((words, &[]));
        let path: Vec<&str> = table.iter().copied().filter(|word| *word != ".").collect();
        if path.is_empty() {
            return self.relation_names(offers);
        }
        if let Some(at) = rest.iter().position(|word| *word == "where") {
            return self.expression(offers, rest.get(at + 1..).unwrap_or_default(), &path);
        }
        if matches!(rest.last(), Some(&("key" | "by"))) {
            let relation = self.scope.relation_of_path(&path, None).map(|(relation, _)| relation);
            if let Some(relation) = relation {
                for column in columns(relation, true) {
                    offers.add(self.column_offer(column, &column.name, relation));
                }
            }
            return;
        }
        offers.bare(["key", "by", "where"].into_iter().filter(|word| !rest.contains(word)), 0);
        next(offers);
    }

    /// The other stages of the task, but those that are named already.
    fn stages(&self, offers: &mut Offers, own: &str, named: &[&str]) {
        let Some(task) = self.scope.task() else { return };
        for stage in &task.stages {
            let name = stage.way.name.as_str();
            if name != own && !named.contains(&name) {
                offers.add(Offer::new(name, Item::Class, 0).detail("stage").insert(spelled(name)));
            }
        }
    }

    /// The tools that are not listed yet.
    pub(super) fn tools(&self, offers: &mut Offers, listed: &[&str]) {
        for tool in Tool::ALL.iter().filter(|tool| !listed.contains(&tool.word())) {
            offers.add(Offer::new(tool.word(), Item::Function, 0).detail("tool").doc(tool.record().description));
        }
    }

    /// `a, b : DOMAIN`, `a = value`.
    pub(super) fn drawn_or_computed(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) {
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
    pub(super) fn data(&self, offers: &mut Offers, words: &[&str]) {
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
                    None if self.of_table(offers, behind) => {}
                    None if behind.contains(&"from") => {
                        if self.options(offers, behind) {
                            offers.words(statements(), 2);
                        }
                    }
                    None => offers.words(words::of(Class::Writing).chain(words::uses("from")), 0),
                }
            }
        }
    }

    pub(super) fn column(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {
                offers.words(body(), 0);
                offers.words(table(), 1);
            }
            ["rows", "by"] => {}
            ["rows", "by", _] => offers.bare(["desc"], 0),
            ["rows", value @ ..] => {
                if value.is_empty() {
                    offers.bare(["repeat", "by"], 1);
                }
                self.expression(offers, value, &[]);
            }
            ["table", _, ":"] => self.tables(offers),
            [word] if words::is(Class::Constraint, word) => {}
            _ if self.written_styles(offers, words) => {}
            _ => self.drawn_or_computed(offers, words, &|offers| offers.words(body(), 2)),
        }
    }
}

/// Lints by name; their code finds them too.
pub(super) fn lints(offers: &mut Offers) {
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
