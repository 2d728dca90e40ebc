//! What follows `expect`: the subject, what compares it, the value, and options.

use compiler::ast::Format;
use compiler::syntax::words::{self, Class, Word};
use gen_lsp_types::CompletionItemKind as Item;

use super::super::{Offer, Offers};
use super::statements::statements;
use super::values::operators;
use super::{Here, ends_value, spelled};

/// What compares a reply or a file with a value.
pub(super) fn matchers() -> impl Iterator<Item = &'static Word> {
    words::of(Class::Matcher).filter(|word| !word.files_only)
}

/// What looks at files only.
pub(super) fn of_files() -> impl Iterator<Item = &'static Word> {
    words::all().filter(|word| word.files_only)
}

impl Here<'_> {
    /// After `expect`.
    pub(super) fn expect(&self, offers: &mut Offers, words: &[&str]) {
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

    pub(super) fn databases(&self, offers: &mut Offers) {
        for file in self.scope.task().map(|task| task.files.as_slice()).unwrap_or_default() {
            if file.format == Format::Sqlite {
                offers.add(Offer::new(spelled(&file.name), Item::File, 0).detail("database"));
            }
        }
    }
}
