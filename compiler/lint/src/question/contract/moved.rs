//! `missing_change`: the prompt asks to move or delete a file, and nothing expects it to be gone. `other_change`: it asks for a copy, and the original is expected to be gone.

use std::ops::Range;

use model::Span;
use model::functions::{Kernel, Reader};
use model::suite::{FileId, Matcher};

use super::super::paths::Template;
use super::super::prompt_content::Way;
use super::tokens::{Kind, Token};
use super::wording::Wording;
use crate::context::report_once;
use hir::{Arg, Expect, ExprKind, Subject, Task};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::changes::{BACK_TO_FILE, BACK_TO_IT};

/// The number of words between a verb and the file.
const NEAR: usize = 4;

pub(super) fn report_moved_files<'a>(wording: &Wording<'_, 'a>, way: &Way<'a>, said: &mut Vec<Diagnostic>) {
    for (at, token) in wording.text.tokens.iter().enumerate() {
        let Kind::Placeholder(expr) = token.kind else { continue };
        let ExprKind::FilePath(file) = expr.kind else { continue };
        let lint = Lint { wording, way, file };
        let new = lint.check_moved(at).or_else(|| lint.check_copied(at)).or_else(|| lint.check_removed(at));
        new.into_iter().for_each(|new| report_once(new, said));
    }
}

struct Lint<'l, 'w, 'a> {
    wording: &'l Wording<'w, 'a>,
    way: &'l Way<'a>,
    /// A file that the prompt names.
    file: FileId,
}

impl<'a> Lint<'_, '_, 'a> {
    /// Reports "Move <<old>> to new.txt" where the new file has the content of the old one, and the old one can stay.
    fn check_moved(&self, at: usize) -> Option<Diagnostic> {
        let words = self.find_request(at, self.wording.language.changes.moving, BACK_TO_IT)?;
        let expects = &self.way.asked.expects;
        let Some(copied) = expects.iter().find(|expect| has_content(expect, self.file) && !self.is_about(expect))
        else {
            return self.check_existence(&words);
        };
        let name = &self.wording.cx.task.files.get(self.file)?.name;
        if let Some(own) = expects.iter().find(|expect| self.is_about(expect)) {
            return matches!(own.matcher, Matcher::Unchanged | Matcher::Exists).then(|| {
                let message = format!("the prompt asks to move `{name}`, but `{name}` is expected to stay");
                Diagnostic::new(Code::OTHER_CHANGE, message, own.span, "is gone after it is moved")
                    .label(self.locate(&words), "asked for here")
                    .help(format!("write `expect file {name} absent`, or ask for a copy"))
            });
        }
        let only = expects.iter().find(|expect| matches!(expect.subject, Subject::Only(_)));
        let message = format!("the prompt asks to move `{name}`, but nothing expects the old file to be gone");
        let label = if only.is_some() { "does not say that an old file is gone" } else { "a copy is enough" };
        Some(
            Diagnostic::new(Code::MISSING_CHANGE, message, only.unwrap_or(copied).span, label)
                .label(self.locate(&words), "asked for here")
                .help(format!("add `expect file {name} absent`")),
        )
    }

    /// Reports a file that is moved, and of which only the existence is expected.
    fn check_existence(&self, words: &Range<usize>) -> Option<Diagnostic> {
        let is_new = |expect: &&&Expect| expect.matcher == Matcher::Exists && !self.is_about(expect);
        let new =
            self.way.asked.expects.iter().find(is_new).filter(|expect| matches!(expect.subject, Subject::File(_)))?;
        let is_content = |expect: &&&Expect| {
            expect.matcher.record().leaves && expect.matcher != Matcher::Exists && !self.is_about(expect)
        };
        if self.way.asked.expects.iter().any(|expect| is_content(&expect)) {
            return None;
        }
        let name = &self.wording.cx.task.files.get(self.file)?.name;
        let message =
            format!("any file at the new place is accepted, also an empty one: it is not compared with `{name}`");
        Some(
            Diagnostic::new(Code::VACUOUS_EXPECTATION, message, new.span, "only has to exist")
                .label(self.locate(words), "asked for here")
                .help(format!("write `bytes {name}` in place of `exists`")),
        )
    }

    /// Reports "Put a copy of <<old>> into …" where the old file is expected to be gone.
    fn check_copied(&self, at: usize) -> Option<Diagnostic> {
        let changes = self.wording.language.changes;
        let words = self.find_request(at, changes.copying, BACK_TO_FILE)?;
        let tokens = &self.wording.text.tokens;
        if tokens.iter().any(|token| token.is_any(changes.moving) || token.is_any(changes.removing)) {
            return None;
        }
        let is_gone = |expect: &&&Expect| expect.matcher == Matcher::Absent && self.is_about(expect);
        let gone = self.way.asked.expects.iter().find(is_gone)?;
        let name = &self.wording.cx.task.files.get(self.file)?.name;
        let message = format!("the prompt asks for a copy of `{name}`, but `{name}` is expected to be gone");
        Some(
            Diagnostic::new(Code::OTHER_CHANGE, message, gone.span, "a copy leaves it there")
                .label(self.locate(&words), "asked for here")
                .help(format!("write `expect file {name} unchanged`, or ask to move it")),
        )
    }

    /// Reports "Delete <<old>>" where no expectation is about the file.
    fn check_removed(&self, at: usize) -> Option<Diagnostic> {
        let words = self.find_request(at, self.wording.language.changes.removing, BACK_TO_FILE)?;
        let expects = &self.way.asked.expects;
        let is_kept =
            |expect: &&&Expect| matches!(expect.matcher, Matcher::Exists | Matcher::Unchanged) && self.is_about(expect);
        if let Some(kept) = expects.iter().find(is_kept).filter(|expect| matches!(expect.subject, Subject::File(_))) {
            let name = &self.wording.cx.task.files.get(self.file)?.name;
            let message = format!("the prompt asks to delete `{name}`, but `{name}` is expected to stay");
            return Some(
                Diagnostic::new(Code::OTHER_CHANGE, message, kept.span, "is gone after it is deleted")
                    .label(self.locate(&words), "asked for here")
                    .help(format!("write `expect file {name} absent`")),
            );
        }
        let is_list = |expect: &Expect| matches!(expect.subject, Subject::Files(_) | Subject::Tree(_));
        if expects.iter().any(|expect| self.is_about(expect) || is_list(expect)) {
            return None;
        }
        let (name, first) = (&self.wording.cx.task.files.get(self.file)?.name, expects.first()?);
        let message = format!("the prompt asks to delete `{name}`, but nothing expects it to be gone");
        Some(
            Diagnostic::new(Code::MISSING_CHANGE, message, first.span, "says nothing of this file")
                .label(self.locate(&words), "asked for here")
                .help(format!("add `expect file {name} absent`")),
        )
    }

    /// Finds the words of a verb and the file: the verb is right before the file, or the next sentence says "move this file".
    fn find_request(&self, at: usize, verbs: &[&str], back: &[&str]) -> Option<Range<usize>> {
        self.find_verb_before(at, verbs).map(|verb| verb..at + 1).or_else(|| self.find_verb_behind(at, verbs, back))
    }

    /// Finds a verb right before the file.
    fn find_verb_before(&self, at: usize, verbs: &[&str]) -> Option<usize> {
        let tokens = &self.wording.text.tokens;
        let mut place = at;
        for _ in 0..NEAR {
            place = place.checked_sub(1)?;
            let token = tokens.get(place)?;
            if token.is_any(verbs) {
                return (!self.is_negated(place)).then_some(place);
            }
            if !token.is_any(self.wording.language.changes.articles) {
                return None;
            }
        }
        None
    }

    /// Finds a verb that refers to the file, which is the only one in its sentence.
    fn find_verb_behind(&self, at: usize, verbs: &[&str], back: &[&str]) -> Option<Range<usize>> {
        let text = &self.wording.text;
        let sentence = text.tokens.get(at)?.sentence;
        let is_file = |token: &Token<'_>| matches!(token.kind, Kind::Placeholder(expr) if matches!(expr.kind, ExprKind::FilePath(_)));
        let near = text.tokens.iter().filter(|token| (sentence..=sentence + 1).contains(&token.sentence));
        if near.filter(|token| is_file(token)).count() > 1 {
            return None;
        }
        let end_of = |verb: usize| back.iter().find_map(|phrase| text.match_phrase(verb + 1, phrase));
        (at + 1..text.tokens.len())
            .take_while(|verb| text.tokens.get(*verb).is_some_and(|token| token.sentence <= sentence + 1))
            .filter(|verb| text.tokens.get(*verb).is_some_and(|token| token.is_any(verbs)) && !self.is_negated(*verb))
            .find_map(|verb| Some(verb..end_of(verb)?))
    }

    fn is_negated(&self, verb: usize) -> bool {
        let before = verb.checked_sub(1).and_then(|at| self.wording.text.tokens.get(at));
        before.is_some_and(|token| token.is_any(self.wording.language.negations))
    }

    fn locate(&self, words: &Range<usize>) -> Span {
        self.wording.locate(words.start, words.end)
    }

    /// Whether an expectation is about the file at its place.
    fn is_about(&self, expect: &Expect) -> bool {
        let task = self.wording.cx.task;
        let Subject::File(path) = &expect.subject else { return false };
        let own = task.files.get(self.file).map(|file| Template::from_expr(task, &file.path));
        own.is_some_and(|own| is_maybe_same(task, &own, path))
    }
}

fn is_maybe_same(task: &Task, own: &Template, path: &hir::Expr) -> bool {
    let other = Template::from_expr(task, path);
    own.is_same_file(&other) || own.components == other.components
}

/// Whether an expectation compares a file with the content of another.
fn has_content(expect: &Expect, file: FileId) -> bool {
    let of_call = || match expect.answer_expr().map(|answer| &answer.kind) {
        Some(ExprKind::Call(function, args)) => {
            matches!(function.kernel, Kernel::Reads(Reader::Content))
                && matches!(args.as_slice(), [Arg::File(of)] if *of == file)
        }
        _ => false,
    };
    matches!(expect.subject, Subject::File(_)) && (expect.content_file() == Some(&file) || of_call())
}
