//! Whether an expected value is one that its matcher can compare.

use model::suite::matchers::{Record, Takes};
use model::suite::{FileId, Matcher};
use model::{Format, Span, Value};

use crate::context::{Checker, Relations, TaskScope};
use hir::Expr;
use hir::types::{Ty, TyKind};
use syntax::ast;
use syntax::diagnostics::{Code, Diagnostic};

/// The size in bytes of the largest database that `database` compares (the same as `sqlite::state::MAX_BYTES`).
const LARGEST_DATABASE: usize = 16 << 20;

impl<'a> TaskScope<'a> {
    /// Checks that an expected state belongs to the database file that the expectation reads.
    pub(super) fn check_expected_state(&self, cx: &mut Checker<'a>, subject: &'a ast::Subject, value: &Expr) {
        let (TyKind::State(of), ast::Subject::File(path)) = (&value.ty.kind, subject) else { return };
        let file = self.find_declared_file(path);
        if file == Some(of.file) {
            return self.reject_too_large_database(cx, path, Matcher::Database);
        }
        let written = cx.sources.quote(value.span);
        let checked = cx.sources.quote(path.span);
        let message = format!(
            "`{written}` is a state of `{}`, but {} is checked",
            of.name,
            if checked.starts_with('"') { checked } else { format!("`{checked}`") }
        );
        let help = format!("write: expect file {} database {written}", of.name);
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, value.span, format!("state of `{}`", of.name));
        cx.report(said.label(path.span, "another file").help(help));
    }

    /// Checks that a database is small enough to be compared with the agent's copy.
    pub(super) fn reject_too_large_database(&self, cx: &mut Checker<'a>, path: &'a ast::Expr, matcher: Matcher) {
        let Some(file) = self.find_declared_file(path) else { return };
        let own = &self.relations.files[file];
        let bytes = own.fixture.as_ref().map_or(0, |fixture| fixture.bytes.0.len());
        if own.format != Format::Sqlite || bytes <= LARGEST_DATABASE {
            return;
        }
        let name = &own.ast.name.text;
        let message = format!("`{name}` is too large for `{}`", matcher.word());
        let label = format!("{} MiB, the limit is {}", bytes >> 20, LARGEST_DATABASE >> 20);
        let said = Diagnostic::new(Code::BAD_OPTION, message, path.span, label);
        cx.report(said.help("use a smaller database"));
    }

    /// Reports a known expected pattern that the scorer cannot compile as a regular expression.
    pub(super) fn check_answer_pattern(&self, cx: &mut Checker<'a>, value: &Expr, matcher: Matcher) {
        if matcher.record().takes != Takes::Pattern {
            return;
        }
        let patterns = self.follow_names(value).as_constant_items().unwrap_or_default();
        let mut patterns = patterns.iter().filter_map(Value::as_text);
        if let Some(why) = patterns.find_map(|pattern| model::pattern::compile_anchored(pattern).err()) {
            let message = format!("the regular expression is not valid: {why}");
            let said = Diagnostic::new(Code::BAD_PATTERN, message, value.span, "here");
            cx.report(said.help("fix it, or use `contains` for plain text"));
        }
    }

    /// Reports an expected text that is known to be empty.
    pub(super) fn check_answer_not_empty(&self, cx: &mut Checker<'a>, value: &Expr, matcher: Matcher) {
        if self.resolve_known_value(value).is_some_and(is_blank_text) {
            cx.report_empty_answer(matcher, value.span, "the expected text is empty");
        }
    }

    /// Reports accepted texts of which one is known to be empty.
    pub(super) fn check_answers_not_empty(&self, cx: &mut Checker<'a>, value: &Expr, matcher: Matcher) {
        let empty = match (self.resolve_known_value(value), &value.kind) {
            (Some(Value::List(items)), _) => items.iter().any(is_blank_text).then_some(value.span),
            (None, hir::ExprKind::List(items)) => {
                let is_blank = |item: &&Expr| self.resolve_known_value(item).is_some_and(is_blank_text);
                items.iter().find(is_blank).map(|item| item.span)
            }
            _ => None,
        };
        if let Some(span) = empty {
            cx.report_empty_answer(matcher, span, "an accepted answer is empty");
        }
    }

    /// Returns the value of an expression if it is a constant, or a name of a constant.
    fn resolve_known_value<'e>(&'e self, value: &'e Expr) -> Option<&'e Value> {
        self.follow_names(value).as_constant()
    }
}

impl<'a> Relations<'a> {
    /// Rejects file names among the items of `bytes any_of`, where they would be paths.
    pub(super) fn reject_file_paths(&self, cx: &mut Checker<'a>, value: &Expr, matcher: Matcher, matcher_span: Span) {
        let hir::ExprKind::List(items) = &value.kind else { return };
        if matcher.record().takes != Takes::Content {
            return;
        }
        let path = items.iter().find_map(|item| match item.kind {
            hir::ExprKind::FilePath(file) => Some((file, item.span)),
            _ => None,
        });
        let Some((file, span)) = path else { return };
        let name = &self.files[file].ast.name.text;
        let help = format!("expect one file, `bytes {name}`, or list its text: content({name})");
        let message = "`any_of` lists texts, but this is a file";
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, "its path, as a value");
        cx.report(said.label(matcher_span, "this matcher").help(help));
    }

    /// Reports a type that a matcher cannot compare.
    pub(super) fn check_answer_type(
        &self,
        cx: &mut Checker<'a>,
        ty: &Ty,
        matcher: Matcher,
        matcher_span: Span,
        span: Span,
        file: Option<FileId>,
    ) {
        use TyKind as K;
        if ty.is_unknown() {
            return;
        }
        let (fits, wants) = match matcher.record().takes {
            Takes::One => {
                if matches!(ty.kind, K::Decimal(_) | K::Float) {
                    let message = format!("{ty} compared as text: `0.5`, `0.50` and `.5` would be three answers");
                    let help = "use `number`, with `within` or `rounded` as precise as the prompt asks";
                    let said = Diagnostic::new(Code::TEXT_OF_FRACTION, message, span, format!("this is {ty}"));
                    cx.report(said.label(matcher_span, "compares letter by letter").help(help));
                    return;
                }
                (ty.is_scalar(), "a single value")
            }
            Takes::Texts => {
                let item = if let K::List(item) = &ty.kind { item } else { ty };
                (
                    matches!(item.kind, K::Text | K::Int | K::Bool | K::Unknown),
                    "a text, an int, a bool, or a list of them",
                )
            }
            Takes::Pattern => (ty.kind == K::Text, "a regular expression, a text"),
            Takes::Content => (ty.kind == K::Text, "a text, or the content of a declared file"),
            Takes::Number => (ty.is_number(), "a number"),
            Takes::Date => (matches!(ty.kind, K::Date | K::DateTime), "a date or datetime"),
            Takes::Bool => (ty.kind == K::Bool, "true or false"),
            Takes::List => (matches!(ty.kind, K::List(_) | K::Rows(_)), "a list"),
            Takes::Rows => (matches!(ty.kind, K::Rows(_)), "a result set: <<rows: SELECT …>>"),
            Takes::State => (matches!(ty.kind, K::State(_)), "a state: <<after: DATABASE, UPDATE …>>"),
            Takes::Json | Takes::Nothing => (true, ""),
        };
        if fits {
            return;
        }
        let rows = file.and_then(|file| self.find_file_relation(file)).map(|relation| &self.checked[relation].name);
        let (label, help) = match rows {
            Some(name) => {
                ("this is a file: its path, as a value".to_owned(), format!("the number of its rows is count({name})"))
            }
            None => (format!("this is {ty}"), suggest_matcher(cx, ty, matcher, span)),
        };
        let message = format!("`{}` compares {wants}", matcher.word());
        let said = Diagnostic::new(Code::TYPE_MISMATCH, message, span, label);
        cx.report(said.label(matcher_span, "this matcher").help(help));
    }
}

impl Checker<'_> {
    /// Reports an empty text, which is never correct, if the matcher compares one text.
    pub(super) fn report_empty_answer(&mut self, matcher: Matcher, span: Span, message: &str) {
        if !matcher.is_of_one_text() {
            return;
        }
        let message = match matcher.record() {
            Record { loose: true, takes: Takes::One | Takes::Texts, .. } => "every reply contains an empty text",
            _ => message,
        };
        let help = "an empty text is never correct: expect a word such as \"none\" and name it in the prompt";
        let said = Diagnostic::new(Code::MISSING_PART, message, span, "empty text");
        self.report(said.help(help));
    }
}

/// Suggests what to do about a value that a matcher cannot compare.
fn suggest_matcher(cx: &Checker<'_>, ty: &Ty, matcher: Matcher, value: Span) -> String {
    use TyKind as K;
    let instead = match ty.kind {
        _ if matcher.record().takes == Takes::Content => {
            return format!("put the value into a string: \"<<{}>>\"", cx.sources.quote(value));
        }
        K::Date | K::DateTime => "`date`",
        K::Bool => "`bool`",
        K::Text => "`text`",
        K::List(_) => "`list`",
        K::Object(_) | K::Map(_) => "`json`",
        K::Rows(_) => "`rows`",
        _ => "`number` or `text`",
    };
    format!("use {instead}")
}

fn is_blank_text(value: &Value) -> bool {
    matches!(value, Value::Text(text) if model::value::is_blank(text))
}
