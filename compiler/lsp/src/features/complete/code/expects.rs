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

/// The option with a list that the words end in.
fn last_list<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().rev().copied().find(|word| words::is_any(&[Class::Option], word))
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
            [before @ .., "trap"] => self.traps(offers, before),
            [before @ .., ","] if last_list(before) == Some("trap") => self.traps(offers, before),
            [.., "ignore"] => offers.bare(words::names(Class::Ignored), 0),
            [before @ .., ","] if last_list(before) == Some("ignore") => offers.bare(words::names(Class::Ignored), 0),
            _ if ends_value(value) => {
                offers.words(words::of(Class::Option), 0);
                offers.words(operators(), 1);
                offers.words(statements(), 2);
            }
            _ => self.expression(offers, value, &[]),
        }
    }

    /// After `trap`: names that could be given for the expected value, which comes first in `words`, and are not listed yet.
    pub(super) fn traps(&self, offers: &mut Offers, words: &[&str]) {
        let Some(task) = self.scope.task() else { return };
        let whole = words.get(1).is_none_or(|next| words::is_any(&[Class::Option], next));
        let expected = words.first().filter(|_| whole).and_then(|name| task.names.iter().find(|it| it.name == *name));
        for name in task.names.iter().filter(|name| !words.contains(&name.name.as_str())) {
            if expected.is_none_or(|expected| name.ty.can_stand_for(&expected.ty)) {
                offers.add(Offer::new(spelled(&name.name), Item::Variable, 0).detail(name.ty.to_string()));
            }
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
