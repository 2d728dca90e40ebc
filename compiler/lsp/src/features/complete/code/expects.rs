//! Completion after `expect`: the subject, the matcher, the expected value, and options.

use compiler::ast::Format;
use compiler::syntax::words::{self, Class, Word};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::offer::{Offer, Offers};
use super::cursor::{CursorContext, is_value_end};
use super::statements::list_statement_words;
use super::values::list_operators;

/// The matchers that compare a reply or a file with a value.
pub(super) fn list_matchers() -> impl Iterator<Item = &'static Word> {
    words::iter_class(Class::Matcher).filter(|word| !word.files_only)
}

/// The words that apply only to files.
pub(super) fn list_file_words() -> impl Iterator<Item = &'static Word> {
    words::iter_words().filter(|word| word.files_only)
}

/// The last option of the words whose value is a list.
fn find_last_option<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().rev().copied().find(|word| words::is_any(&[Class::Option], word))
}

impl CursorContext<'_> {
    /// Offers completions after `expect`.
    pub(super) fn offer_in_expect(&self, offers: &mut Offers, words: &[&str]) {
        let words = if let [_, ":", rest @ ..] = words { rest } else { words };
        match words {
            [] => return offers.add_words(words::iter_class(Class::Subject), 0),
            ["reply"] => {
                offers.add_words(words::iter_class(Class::Slice), 0);
                return offers.add_words(list_matchers(), 1);
            }
            ["reply", "last"] => return offers.add_bare_words(["line"], 0),
            ["reply", "after" | "at" | "in"] | ["reply", "in", "\"", ".."] | ["file", _, "at"] => return,
            ["reply", "last", "line"]
            | ["reply", "after" | "at" | "fenced" | "in", "\""]
            | ["reply", "in", "\"", "..", "\""]
            | ["reply", "fenced"]
            | ["file", _, "at", "\""] => return offers.add_words(list_matchers(), 0),
            ["file", _] => {
                offers.add_words(list_matchers(), 0);
                offers.add_words(words::iter_class(Class::Slice).filter(|word| word.text == "at"), 1);
                offers.add_words(words::iter_class(Class::Reading).filter(|word| word.text != "at"), 1);
                return offers.add_words(list_file_words(), 1);
            }
            ["file"] => {
                for file in self.scope.files() {
                    offers.add_offer(Offer::from_name(&file.name, Item::File, 0, "file"));
                }
                return;
            }
            ["files" | "tree", value @ ..] => return self.offer_in_expression(offers, value, &[]),
            _ => {}
        }
        let matcher = |word: &&str| words::is_any(&[Class::Matcher, Class::State], word);
        // Words of the subject are not matchers.
        let Some(at) = words.iter().skip(1).position(matcher).map(|at| at + 1) else {
            if let ["file", _, .., last] = words
                && !words::is_of_class(Class::Reading, last)
            {
                let left = words::iter_class(Class::Reading).filter(|word| !words.contains(&word.text));
                offers.add_words(left, 1);
            }
            return offers.add_words(list_matchers(), 0);
        };
        let mut value = words.get(at + 1..).unwrap_or_default();
        if words.get(at) == Some(&"sql") {
            let Some((_, rest)) = value.split_first() else { return self.offer_databases(offers) };
            value = rest;
        }
        match value {
            [] => {
                self.offer_in_expression(offers, value, &[]);
                offers.add_bare_words(["any_of"], 1);
            }
            ["any_of", rest @ ..] if !is_value_end(rest) => self.offer_in_expression(offers, rest, &[]),
            [.., "graded"] if words.get(at) == Some(&"list") => {
                offers.add_bare_words(["above"], 0);
                offers.add_words(words::iter_class(Class::Option), 1);
            }
            [before @ .., "trap"] => self.offer_traps(offers, before),
            [before @ .., ","] if find_last_option(before) == Some("trap") => self.offer_traps(offers, before),
            [.., "accepts"] => self.offer_in_expression(offers, &[], &[]),
            [.., "rejects"] => {
                self.offer_in_expression(offers, &[], &[]);
                offers.add_bare_words(["others"], 1);
            }
            [.., "ignore"] => offers.add_bare_words(words::list_names(Class::Ignored), 0),
            [before @ .., ","] if find_last_option(before) == Some("ignore") => {
                offers.add_bare_words(words::list_names(Class::Ignored), 0)
            }
            _ if is_value_end(value) => {
                offers.add_words(words::iter_class(Class::Option), 0);
                offers.add_words(list_operators(), 1);
                offers.add_words(list_statement_words(), 2);
            }
            _ => self.offer_in_expression(offers, value, &[]),
        }
    }

    /// Offers names after `trap` whose type fits the expected value, which `words` begins with. Omits names that are already listed.
    pub(super) fn offer_traps(&self, offers: &mut Offers, words: &[&str]) {
        let names = self.scope.names();
        let whole = words.get(1).is_none_or(|next| words::is_any(&[Class::Option], next));
        let expected = words.first().filter(|_| whole).and_then(|name| names.iter().find(|it| it.name == *name));
        for name in names.iter().filter(|name| !words.contains(&name.name.as_str())) {
            if expected.is_none_or(|expected| name.ty.can_stand_for(&expected.ty)) {
                offers.add_offer(Offer::from_name(&name.name, Item::Variable, 0, name.ty.to_string()));
            }
        }
    }

    pub(super) fn offer_databases(&self, offers: &mut Offers) {
        for file in self.scope.files().iter().filter(|file| file.format == Format::Sqlite) {
            offers.add_offer(Offer::from_name(&file.name, Item::File, 0, "database"));
        }
    }
}
