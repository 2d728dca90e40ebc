//! Answer keys: subject, matcher, value, options.

use model::answer_key::{Answer, Panel, Tests};
use model::pointer::escape_step;

use model::suite::matchers::{Reads, Takes};
use model::suite::{FileId, Matcher};
use model::{Decimal, Span, Value};

use crate::answers::AnswerChecker;

use crate::answers::governed::AnswerOptions;

use crate::answers::subject::Listed;

use crate::expr::build_object;

use hir::Expr;
use hir::types::{Ty, TyKind};
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::{Code, Diagnostic};

/// Options apply to the whole answer key and to its parts, identified by JSON pointer.
impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Checks one `expect`. Returns `None` if a required part is missing or its matcher cannot read the subject.
    pub fn check_expect(&mut self, expect: &'a ast::Expect, span: Span) -> Option<hir::Expect> {
        let (subject, of_reply, of_files) = match &expect.subject {
            ast::Subject::Reply { slice, .. } => {
                let slice = slice.as_ref().map(|slice| self.check_slice(slice));
                (hir::Subject::Reply(slice), true, false)
            }
            ast::Subject::File(path) => (hir::Subject::File(self.check_expected_file(path)), false, false),
            ast::Subject::Files(paths) => (hir::Subject::Files(self.check_paths(paths, Listed::Files)), false, true),
            ast::Subject::Tree(paths) => (hir::Subject::Tree(self.check_paths(paths, Listed::Tree)), false, true),
            ast::Subject::Only(paths) => (hir::Subject::Only(self.check_paths(paths, Listed::Only)), false, true),
            ast::Subject::Unchanged { span, except } => {
                let except = match except {
                    Some(paths) => self.check_paths(paths, Listed::Except),
                    None => Expr::constant(
                        Value::List(Vec::new()),
                        Ty::new(TyKind::List(Box::new(Ty::new(TyKind::Text)))),
                        *span,
                    ),
                };
                (hir::Subject::Unchanged(except), false, true)
            }
        };
        let (matcher, matcher_span) = match (&expect.matcher, of_files) {
            (Some((matcher, at)), false) => (*matcher, *at),
            (Some((_, at)), true) => {
                let message = "`files` and `tree` ask for existence only";
                let said = Diagnostic::new(Code::MISPLACED, message, *at, "no matcher here");
                self.task.cx.report(said.help("for the content of one file write: expect file \"…\" text …"));
                (Matcher::Exists, *at)
            }
            (None, true) if matches!(subject, hir::Subject::Unchanged(_)) => (Matcher::Unchanged, span),
            (None, true) => (Matcher::Exists, span),
            // The parser has already reported the missing part.
            (None, false) => return None,
        };
        let read = self.check_reading(expect, &subject, (matcher, matcher_span));
        let at = match &expect.at {
            // A cell of a workbook.
            Some(_) if self.task.scope.relations.is_workbook(&subject) => None,
            Some(path) => self.check_json_place(expect, path, (matcher, matcher_span)),
            None => self.task.scope.find_yaml_root(expect, matcher),
        };
        if matcher.needs_file() && of_reply {
            self.task.cx.report(build_needs_file_diagnostic(matcher, matcher_span));
            return None;
        }
        self.task.scope.relations.reject_unreadable_file(self.task.cx, expect, &subject, (matcher, matcher_span));
        if matcher.record().reads == Reads::Query && !of_reply {
            let said = Diagnostic::new(Code::MISPLACED, "`sql` reads the reply", matcher_span, "not a file's content");
            self.task.cx.report(said.help("write: expect reply sql db <<rows: SELECT …>>"));
        }
        let several = expect.answer.as_ref().filter(|answer| answer.any_of).map(|answer| answer.value.span);
        let mut governed = AnswerOptions { several, ..AnswerOptions::default() };
        let content = match &expect.answer {
            Some(answer) if matcher.record().takes == Takes::Content && !answer.any_of => {
                let file = self.resolve_copied_file(&answer.value);
                if let Some(file) = file.filter(|_| of_reply) {
                    self.report_file_as_reply(file, answer.value.span, matcher_span);
                    return None;
                }
                file
            }
            _ => None,
        };
        let any_of = several.is_some();
        let value = match &expect.answer {
            Some(answer) if matcher.record().takes != Takes::Nothing && content.is_none() => {
                Some(self.check_answer(answer, matcher, matcher_span, &mut governed))
            }
            _ => None,
        };
        if let Some(value) = &value {
            let relations = &self.task.scope.relations;
            relations.reject_value_of_an_array(self.task.cx, expect, &subject, (matcher, value));
        }
        self.check_options(&expect.options, matcher, "", value.as_ref(), &mut governed);
        let database = expect.database.as_ref().and_then(|name| self.task.scope.resolve_database(self.task.cx, name));
        match (matcher, &expect.subject) {
            (Matcher::Unchanged, ast::Subject::File(path)) => {
                self.task.scope.reject_too_large_database(self.task.cx, path, matcher)
            }
            _ if matcher.record().takes == Takes::State => match &value {
                Some(states) if any_of => self.check_accepted_states(&expect.subject, states),
                Some(state) => self.task.scope.check_expected_state(self.task.cx, &expect.subject, state),
                None => {}
            },
            _ => {}
        }
        let answer = match (value, content) {
            (Some(accepted), _) if any_of => Some(Answer::AnyOf(accepted)),
            (Some(value), _) => Some(Answer::One(value)),
            (None, content) => content.map(Answer::Content),
        };
        if let (hir::Subject::File(path), Matcher::Bytes, Some(answer)) = (&subject, matcher, &answer) {
            self.task.scope.relations.reject_packed_text(self.task.cx, path, answer, matcher_span);
        }
        if let Some(example) = governed.examples.first().filter(|_| of_files) {
            self.report_examples_of_files(example.span);
        }
        let expected = answer.as_ref().filter(|_| matcher.record().takes != Takes::Texts);
        self.check_example_conflicts(&governed.examples, expected);
        Some(hir::Expect {
            name: expect.label.as_ref().map(|label| label.text.clone()),
            subject,
            at,
            matcher,
            answer,
            options: governed.options,
            weight: governed.weight.unwrap_or(Decimal::from_int(1)),
            gate: governed.gate,
            database,
            among: governed.among,
            read,
            columns: Vec::new(),
            tests: Tests { examples: governed.examples, panel: Panel::Open },
            traps: governed.traps,
            span,
        })
    }

    /// Reports `reply bytes NAME`: a reply is a text.
    fn report_file_as_reply(&mut self, file: FileId, span: Span, matcher_span: Span) {
        let name = self.task.scope.relations.files[file].ast.name.text.as_str();
        let message = format!("`bytes` compares a reply with a text, but `{name}` is a file");
        let said = Diagnostic::new(Code::MISPLACED, message, span, "a file");
        let said = said.label(matcher_span, "of the reply").help(format!("expect its text: content({name})"));
        self.task.cx.report(said);
    }

    /// Returns the file whose content `bytes NAME` expects, or `None` if a value is written.
    fn resolve_copied_file(&mut self, value: &'a ast::Expr) -> Option<FileId> {
        let file = self.task.scope.resolve_file_name(self.task.cx, value)?;
        self.task.use_file(file, value.span);
        Some(file)
    }

    /// Checks the expected value and the options inside it.
    fn check_answer(
        &mut self,
        answer: &'a ast::Answer,
        matcher: Matcher,
        matcher_span: Span,
        governed: &mut AnswerOptions,
    ) -> Expr {
        let value = match matcher.record().takes {
            Takes::Json | Takes::List => self.check_json(&answer.value, String::new(), governed),
            // Accepted results can have different columns, one beside the other.
            Takes::Rows if answer.any_of => self.check_json(&answer.value, String::new(), governed),
            Takes::State if answer.any_of => self.check_states(&answer.value),
            Takes::State => self.task.check_expr_or_state(&answer.value),
            _ => self.task.check_expr(&answer.value),
        };
        if self.report_duration(&value, matcher_span) || value.ty.is_unknown() {
            return value;
        }
        if answer.any_of && matcher.record().takes == Takes::Texts {
            let message = "`any_of` does not work with `lacks`: none of the values may be there";
            let said = Diagnostic::new(Code::BAD_OPTION, message, value.span, "all of them are looked for");
            self.task.cx.report(said.label(matcher_span, "this matcher").help("remove `any_of`: `lacks [a, b]`"));
            return value;
        }
        if answer.any_of {
            let TyKind::List(item) = value.ty.kind.clone() else {
                let message = "`any_of` takes a list of accepted answers";
                let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, format!("this is {}", value.ty));
                self.task.cx.report(said.help("write: any_of [a, b]"));
                return value;
            };
            // Where the list is not written out, its value stands for its items.
            let items = match &value.kind {
                hir::ExprKind::List(items) => items.as_slice(),
                _ => std::slice::from_ref(&value),
            };
            if items.is_empty() || matches!(value.as_constant(), Some(Value::List(items)) if items.is_empty()) {
                let said = Diagnostic::new(Code::MISSING_PART, "`any_of` does not list an answer", value.span, "empty");
                self.task.cx.report(said.help("write: any_of [a, b]"));
            }
            self.task.scope.check_not_null(self.task.cx, &value, "an answer");
            if item.nullable {
                self.task.scope.check_not_null(
                    self.task.cx,
                    &Expr { ty: (*item).clone(), ..value.clone() },
                    "an accepted answer",
                );
            }
            let mut check_type = |ty: Ty, span: Span| {
                let ty = Ty { nullable: false, ..ty };
                self.task.scope.relations.check_answer_type(self.task.cx, &ty, matcher, matcher_span, span, None);
            };
            match &value.kind {
                // Items of several types are checked one by one.
                hir::ExprKind::List(items) if item.is_unknown() => {
                    items.iter().for_each(|item| check_type(item.ty.clone(), item.span));
                }
                _ => check_type(*item, value.span),
            }
            self.task.scope.check_answers_not_empty(self.task.cx, &value, matcher);
            self.task.scope.relations.reject_file_paths(self.task.cx, &value, matcher, matcher_span);
            items.iter().for_each(|item| self.task.scope.check_answer_pattern(self.task.cx, item, matcher));
            return value;
        }
        // The leaves of a written-out value have been checked one by one, and a written `null` is intended.
        let takes = matcher.record().takes;
        let written = takes == Takes::List && matches!(value.kind, hir::ExprKind::List(_));
        if !(takes == Takes::Json || written) || value.ty.nullable {
            self.task.scope.check_not_null(self.task.cx, &value, "an answer");
        }
        let file = match value.kind {
            hir::ExprKind::FilePath(file) => Some(file),
            _ => None,
        };
        self.task.scope.relations.check_answer_type(self.task.cx, &value.ty, matcher, matcher_span, value.span, file);
        self.task.scope.check_answer_not_empty(self.task.cx, &value, matcher);
        self.task.scope.check_answer_pattern(self.task.cx, &value, matcher);
        value
    }

    /// Checks a JSON value. Values inside of objects and lists can be followed by options.
    pub(super) fn check_json(&mut self, expr: &'a ast::Expr, pointer: String, governed: &mut AnswerOptions) -> Expr {
        match &expr.kind {
            ExprKind::Object(fields) => {
                let mut checked: Vec<(String, Expr)> = Vec::new();
                for field in fields {
                    let inner = format!("{pointer}/{}", escape_step(&field.key.text));
                    let value = self.check_json(&field.value, inner.clone(), governed);
                    self.check_options(&field.options, Matcher::Json, &inner, Some(&value), governed);
                    self.task.cx.add_field(&mut checked, field, value);
                }
                build_object(checked, expr.span)
            }
            ExprKind::List(items) => {
                let checked: Vec<Expr> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.check_json(item, format!("{pointer}/{index}"), governed))
                    .collect();
                // JSON arrays may contain values of several types.
                let types = checked.iter().map(|item| item.ty.clone());
                let ty = types.reduce(|so_far, ty| ty.find_common_type(&so_far).unwrap_or(Ty::UNKNOWN));
                let ty = Ty::new(TyKind::List(Box::new(ty.unwrap_or(Ty::UNKNOWN))));
                Expr { kind: hir::ExprKind::List(checked), ty, span: expr.span }
            }
            ExprKind::Paren(inner) | ExprKind::Placeholder(inner)
                if matches!(inner.kind, ExprKind::Object(_) | ExprKind::List(_)) =>
            {
                self.check_json(inner, pointer, governed)
            }
            _ => {
                let value = self.task.check_expr(expr);
                // A written `null` is intended.
                if expr.kind != ExprKind::Null && !pointer.is_empty() {
                    self.task.scope.check_not_null(self.task.cx, &value, "a value of the answer");
                }
                value
            }
        }
    }
}

/// Builds the diagnostic for a file matcher that is applied to the reply.
fn build_needs_file_diagnostic(matcher: Matcher, at: Span) -> Diagnostic {
    let word = matcher.word();
    let help = match matcher.record().takes {
        Takes::Nothing => format!("write: expect file \"…\" {word}"),
        Takes::State => format!("write the database: expect file DATABASE {word} …"),
        _ => format!("ask for a file: expect file \"…\" {word} …"),
    };
    let message = format!("`{word}` needs a file, not the reply");
    Diagnostic::new(Code::MISPLACED, message, at, "for files only").help(help)
}
