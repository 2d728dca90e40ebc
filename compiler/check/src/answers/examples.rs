//! `accepts V, …`, `rejects V, …`, `rejects others`: tests of an expectation.

use model::Span;
use model::answer_key::{Answer, Example, Said, Wanted};
use model::suite::matchers::Takes;
use model::suite::{FileId, Matcher};

use crate::answers::AnswerChecker;
use crate::answers::governed::AnswerOptions;
use hir::types::TyKind;
use hir::{Expr, ExprKind};
use syntax::ast::{self, Examples};
use syntax::diagnostics::{Code, Diagnostic};

/// Where options are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After the whole answer.
    Whole,
    /// After a value in it.
    Inside,
}

/// Explains an example that is written as an item of another list: `accepts ["a", "b"]`, `rejects others, n`.
fn explain_listed(value: &ast::Expr, verdict: Wanted, matcher: Matcher) -> Option<Diagnostic> {
    let word = verdict.word();
    match &value.kind {
        ast::ExprKind::List(_)
            if matches!(matcher.record().takes, Takes::One | Takes::Number | Takes::Date | Takes::Bool) =>
        {
            let message = format!("the answers after `{word}` have no brackets around them");
            let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, "a list, which is one value");
            Some(said.help(format!("separate them with commas: {word} …, …")))
        }
        ast::ExprKind::Path(names) if matches!(names.as_slice(), [name] if !name.quoted && name.text == "others") => {
            let message = format!("`others` is the only word after its `{word}`");
            let said = Diagnostic::new(Code::BAD_OPTION, message, value.span, "in a list of values");
            Some(said.help("write both: rejects others rejects …"))
        }
        _ => None,
    }
}

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks the values after `accepts` or `rejects`, and adds them to `governed`.
    pub(super) fn check_examples(
        &mut self,
        span: Span,
        (verdict, examples): (Wanted, &'a Examples),
        (matcher, place): (Matcher, Place),
        governed: &mut AnswerOptions,
    ) {
        let word = verdict.word();
        if place == Place::Inside {
            let message = format!("`{word}` tests a whole `expect`");
            let said = Diagnostic::new(Code::MISPLACED, message, span, "inside a value");
            return self.task.cx.report(said.help("write it after the closing brace, with the whole answer"));
        }
        let values = match (examples, verdict) {
            (Examples::Values(values), _) => values,
            (Examples::Others, Wanted::Rejected) => {
                return governed.examples.push(Example { verdict, said: Said::Others, span });
            }
            (Examples::Others, Wanted::Accepted) => {
                let message = "the answers of other instances cannot be accepted";
                let said = Diagnostic::new(Code::BAD_OPTION, message, span, "they differ from the expected value");
                return self.task.cx.report(said.help("write: rejects others"));
            }
        };
        for value in values {
            if let Some(said) = explain_listed(value, verdict, matcher) {
                self.task.cx.report(said);
            } else if let Some(said) = self.check_example(value, matcher, span) {
                governed.examples.push(Example { verdict, said, span: value.span });
            }
        }
    }

    /// Checks one value: a text is a whole answer; any other must be a value that the matcher can compare.
    fn check_example(&mut self, written: &'a ast::Expr, matcher: Matcher, option: Span) -> Option<Said<Expr>> {
        let value = match matcher.record().takes {
            Takes::Json | Takes::List => self.check_json(written, String::new(), &mut AnswerOptions::default()),
            Takes::State => self.task.check_expr_or_state(written),
            _ => self.task.check_expr(written),
        };
        if value.ty.is_unknown() {
            return None;
        }
        self.task.scope.check_not_null(self.task.cx, &value, "an example");
        if let ExprKind::FilePath(file) = value.kind {
            self.report_file_as_example(file, matcher, value.span);
            return None;
        }
        match (&value.ty.kind, matcher.record().takes) {
            (TyKind::Text, _) => Some(Said::Text(value)),
            // These matchers read any text, and so any value that is written as one.
            (_, Takes::Pattern | Takes::Content) if value.ty.is_scalar() => Some(Said::Value(value)),
            (_, Takes::Nothing) => {
                let message = format!("`{}` has no value to compare", matcher.word());
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, format!("this is {}", value.ty));
                self.task.cx.report(said.help("write the whole content of the file as a text"));
                None
            }
            _ => {
                let (ty, at) = (&value.ty, value.span);
                self.task.scope.relations.check_answer_type(self.task.cx, ty, matcher, option, at, None);
                Some(Said::Value(value))
            }
        }
    }

    /// Reports a file as an example: it would be its path.
    fn report_file_as_example(&mut self, file: FileId, matcher: Matcher, span: Span) {
        let name = self.task.scope.relations.files[file].ast.name.text.as_str();
        let message = format!("an example is a whole answer, but `{name}` is the path of a file");
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "its path");
        self.task.cx.report(said.help(match matcher.record().takes {
            Takes::State => format!("write a state of it: <<after: {name}, UPDATE …>>"),
            _ => format!("write its content, content({name}), or its path in quotes, \"<<{name}>>\""),
        }));
    }

    /// Reports examples of `files` and `tree`, which have no answer.
    pub(super) fn report_examples_of_files(&mut self, span: Span) {
        let message = "`files` and `tree` have no answer to test";
        let said = Diagnostic::new(Code::MISPLACED, message, span, "not here");
        self.task.cx.report(said.help("test the content of one file: expect file \"…\" text … accepts …"));
    }

    /// Reports examples that cannot hold: the same one is accepted and rejected, or the expected value is rejected.
    pub(super) fn check_example_conflicts(&mut self, examples: &[Example<Expr>], answer: Option<&Answer<Expr>>) {
        let form = |expr: &Expr| {
            let value = self.task.scope.follow_names(expr);
            (value.as_constant().cloned(), value.without_spans())
        };
        let is_same = |a: &Expr, b: &Expr| {
            let ((known, a), (other, b)) = (form(a), form(b));
            a == b || known.is_some_and(|known| !known.is_null() && Some(known) == other)
        };
        let mut conflicts: Vec<Diagnostic> = Vec::new();
        for rejected in examples.iter().filter(|example| example.verdict == Wanted::Rejected) {
            let Some(expr) = rejected.expr() else { continue };
            let twin = examples.iter().find(|example| {
                example.verdict == Wanted::Accepted
                    && std::mem::discriminant(&example.said) == std::mem::discriminant(&rejected.said)
                    && example.expr().is_some_and(|other| is_same(other, expr))
            });
            if let Some(twin) = twin {
                let message = "the same answer is accepted and rejected";
                let said = Diagnostic::new(Code::FAILED_EXAMPLE, message, rejected.span, "rejected here");
                conflicts.push(said.label(twin.span, "accepted here").help("remove one of the two"));
                continue;
            }
            let Some(Answer::One(expected)) = answer else { continue };
            if matches!(rejected.said, Said::Value(_)) && is_same(expected, expr) {
                let message = "the expected value must be rejected";
                let said = Diagnostic::new(Code::FAILED_EXAMPLE, message, rejected.span, "the same value");
                let said = said.label(expected.span, "expected here");
                conflicts.push(said.help("reject another value, such as one that a mistake gives"));
            }
        }
        conflicts.into_iter().for_each(|said| self.task.cx.report(said));
    }
}
