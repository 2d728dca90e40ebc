//! Completion of items, settings, statements, and the bodies of tables.

use compiler::diagnostics::wording::quote_ident;
use compiler::diagnostics::{CODES, Severity};
use compiler::syntax::words::{self, Class, Head, Word};
use gen_lsp_types::CompletionItemKind as Item;
use model::tools::Tool;

use super::super::offer::{Offer, Offers};
use super::super::scope::list_visible_columns;
use super::cursor::{CursorContext, is_value_end, list_path_names, split_at_sign};

/// The words that begin a statement.
pub(super) fn list_statement_words() -> impl Iterator<Item = &'static Word> {
    words::iter_words().filter(|word| matches!(word.class, Class::Statement | Class::Format))
}

/// The words that begin a table of a database or workbook.
pub(super) fn list_table_words() -> impl Iterator<Item = &'static Word> {
    words::iter_class(Class::Statement).filter(|word| word.label == "table")
}

/// The words in the body of a table, besides columns.
pub(super) fn list_body_words() -> impl Iterator<Item = &'static Word> {
    words::iter_class(Class::Body).chain(words::iter_class(Class::Constraint))
}

impl CursorContext<'_> {
    pub(super) fn offer_in_item(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.add_words(words::iter_class(Class::Item), 0),
            ["domain", _, "=", domain @ ..] => self.offer_in_domain(offers, domain),
            [_, "=", value @ ..] => self.offer_in_expression(offers, value, &[]),
            ["table", _] => offers.add_bare_words(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                if self.offer_read_options(offers, words) {
                    offers.add_words(words::iter_class(Class::Item), 2);
                }
            }
            ["lake", _, ..] if !words.contains(&"{") => self.offer_in_lake_head(offers, words),
            [first, rest @ ..] if words::is_of_class(Class::Item, first) && rest.len() < 2 => {}
            _ => offers.add_words(words::iter_class(Class::Item), 2),
        }
    }

    pub(super) fn offer_in_setting(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => offers.add_words(words::iter_class(Class::Setting), 0),
            ["allow"] => offer_lints(offers),
            [_] => self.offer_constants(offers, 0),
            _ => offers.add_words(words::iter_class(Class::Setting), 1),
        }
    }

    /// Completes a statement of a task, or of a block that accepts only the statements in `takes`.
    pub(super) fn offer_in_statement(&self, offers: &mut Offers, words: &[&str], takes: &dyn Fn(&Word) -> bool) {
        let starters = |offers: &mut Offers, rank: u8| {
            offers.add_words(list_statement_words().filter(|word| takes(word)), rank);
        };
        match words {
            [] => starters(offers, 0),
            ["expect", rest @ ..] => self.offer_in_expect(offers, rest),
            ["allow"] => offer_lints(offers),
            ["prompt"] => {
                let offer = Offer::new("one_of", Item::Keyword, 0).with_doc("One of several wordings is drawn.");
                offers.add_offer(offer.with_snippet("one_of [\n  \"${1:text}\",\n]"));
            }
            [word, value @ ..] if words::is_of_class(Class::Statement, word) && words::must_be_followed(word) => {
                self.offer_in_expression(offers, value, &[]);
                if is_value_end(value) {
                    starters(offers, 2);
                }
            }
            ["each", _] => offers.add_bare_words(["in"], 0),
            ["each", _, "in", rest @ ..] => self.offer_in_each(offers, rest, &|offers| starters(offers, 2)),
            ["axis", _, "=", value @ ..] => self.offer_in_expression(offers, value, &[]),
            ["stage", _] => offers.add_bare_words(["after"], 0),
            ["stage", own, "after", rest @ ..] if !rest.contains(&"{") => {
                if matches!(rest.last(), None | Some(&",")) {
                    self.offer_stages(offers, own, rest);
                }
            }
            ["table", _] => offers.add_bare_words(["from"], 0),
            ["table", _, "from", "\"", ..] => {
                if self.offer_read_options(offers, words) {
                    starters(offers, 2);
                }
            }
            ["lake", rest @ ..] => {
                if self.offer_in_lake_use(offers, rest) {
                    starters(offers, 2);
                }
            }
            ["table", _, ":"] => self.offer_reusable_tables(offers),
            [word, rest @ ..]
                if words::find_head(word) == Some(Head::Path)
                    && rest != [":"]
                    && rest != ["="]
                    && rest.first() != Some(&",") =>
            {
                self.offer_in_file(offers, rest);
            }
            [word] if words::is_of_class(Class::Statement, word) => {}
            _ => self.offer_in_binding(offers, words, &|offers| starters(offers, 2)),
        }
    }

    /// Completes the words after `each NAME in`: a table, its key and grouping columns, a condition.
    fn offer_in_each(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) {
        const LINKS: [&str; 3] = ["key", "by", "where"];
        let path = list_path_names(split_at_sign(words, &LINKS).map_or(words, |(table, ..)| table));
        if path.is_empty() {
            self.offer_relations(offers);
        } else if let Some((_, _, condition)) = split_at_sign(words, &["where"]) {
            self.offer_in_expression(offers, condition, &path);
        } else if matches!(words.last(), Some(&("key" | "by"))) {
            if let Some((relation, _)) = self.scope.resolve_relation_path(&path, None) {
                self.offer_columns(offers, relation, list_visible_columns(relation));
            }
        } else {
            offers.add_bare_words(LINKS.into_iter().filter(|word| !words.contains(word)), 0);
            next(offers);
        }
    }

    /// Offers the other stages of the task, except those already named.
    fn offer_stages(&self, offers: &mut Offers, own: &str, named: &[&str]) {
        let Some(task) = self.scope.task() else { return };
        for stage in &task.stages {
            let name = stage.way.name.as_str();
            if name != own && !named.contains(&name) {
                offers.add_offer(Offer::new(name, Item::Class, 0).with_detail("stage").with_insert(quote_ident(name)));
            }
        }
    }

    /// Offers the tools that are not yet listed.
    pub(super) fn offer_tools(&self, offers: &mut Offers, listed: &[&str]) {
        for tool in Tool::ALL.iter().filter(|tool| !listed.contains(&tool.word())) {
            let offer = Offer::new(tool.word(), Item::Function, 0).with_detail("tool");
            offers.add_offer(offer.with_doc(tool.record().description));
        }
    }

    /// Completes `a, b : DOMAIN` and `a = value`.
    pub(super) fn offer_in_binding(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) {
        if !self.offer_after_sign(offers, words, next) && (words.contains(&"{") || words.len() > 2) {
            next(offers);
        }
    }

    /// Completes the domain after `:`, or the value after `=`, with what can follow it. Returns whether there is one of the signs.
    fn offer_after_sign(&self, offers: &mut Offers, words: &[&str], next: &dyn Fn(&mut Offers)) -> bool {
        let Some((_, sign, rest)) = split_at_sign(words, &[":", "="]) else { return false };
        match sign {
            ":" => self.offer_in_domain(offers, rest),
            _ => self.offer_in_expression(offers, rest, &[]),
        }
        if is_value_end(rest) {
            next(offers);
        }
        true
    }

    /// Completes the words after the format of a file.
    pub(super) fn offer_in_file(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {}
            [_] | [_, ":", _] => offers.add_bare_words(["at"], 0),
            [_, ":"] => self.offer_reusable_tables(offers),
            [.., "at"] => {}
            _ => {
                let next = |offers: &mut Offers| offers.add_words(list_statement_words(), 2);
                match split_at_sign(words, &["at"]).map_or(&[][..], |(_, _, behind)| behind) {
                    behind if self.offer_after_sign(offers, behind, &next) => {}
                    behind if behind.contains(&"{") => offers.add_words(list_statement_words(), 0),
                    behind if self.offer_in_from(offers, behind) => {}
                    behind if behind.contains(&"from") => {
                        if self.offer_read_options(offers, behind) {
                            next(offers);
                        }
                    }
                    _ => offers.add_words(words::iter_class(Class::Writing).chain(words::iter_uses("from")), 0),
                }
            }
        }
    }

    pub(super) fn offer_in_body(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {
                offers.add_words(list_body_words(), 0);
                offers.add_words(list_table_words(), 1);
            }
            ["rows", "by"] => {}
            ["rows", "by", _] => offers.add_bare_words(["desc"], 0),
            ["rows", value @ ..] => {
                if value.is_empty() {
                    offers.add_bare_words(["repeat", "by"], 1);
                }
                self.offer_in_expression(offers, value, &[]);
            }
            ["table", _, ":"] => self.offer_reusable_tables(offers),
            [word] if words::is_of_class(Class::Constraint, word) => {}
            _ if self.offer_write_styles(offers, words) => {}
            _ => self.offer_in_binding(offers, words, &|offers| offers.add_words(list_body_words(), 2)),
        }
    }
}

/// Offers lints by name; their codes match too.
pub(super) fn offer_lints(offers: &mut Offers) {
    for code in CODES.iter().filter(|code| code.severity == Severity::Warning) {
        let page = code.page.lines().find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
        let offer = Offer::new(code.name, Item::EnumMember, 0).with_detail(code.id).with_doc(page);
        let offer = offer.with_snippet(format!("{} \"${{1:why}}\"", code.name));
        offers.add_offer(Offer { filter: Some(format!("{} {}", code.name, code.id)), ..offer });
    }
}
