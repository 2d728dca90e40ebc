//! The names of expectations, and the place in a JSON value that an expectation reads.

use std::collections::BTreeMap;

use model::answer_key::At;
use model::format::Holds;
use model::singular::{NotSingular, Singular};
use model::suite::matchers::{Reads, Takes};
use model::suite::{FileId, Matcher};
use model::{Span, Value};

use crate::answers::AnswerChecker;
use crate::context::{Checker, TaskScope};
use crate::domains::domain::as_bare_path;
use syntax::ast::{self, ExprKind, Format};
use syntax::diagnostics::wording::build_duplicate_diagnostic;
use syntax::diagnostics::{Code, Diagnostic};

impl<'a> AnswerChecker<'_, '_, 'a> {
    /// Resolves `at "$.path"` to a place. Returns `None` after reporting an error.
    pub fn check_json_place(
        &mut self,
        expect: &'a ast::Expect,
        path: &'a ast::StringLit,
        matcher: (Matcher, Span),
    ) -> Option<At> {
        let (matcher, matcher_span) = matcher;
        if matcher.record().reads == Reads::File {
            let word = matcher.word();
            let whole = if matches!(expect.subject, ast::Subject::Reply { .. }) { "reply" } else { "file" };
            let message = format!("`{word}` looks at the whole {whole}, not at a place in it");
            let said = Diagnostic::new(Code::MISPLACED, message, path.span, "a place in JSON");
            self.task.cx.report(said.label(matcher_span, "this matcher").help("remove `at` and its path"));
            return None;
        }
        let yaml = match &expect.subject {
            ast::Subject::File(file) => self.task.scope.check_place_format(self.task.cx, file, path.span)?,
            _ => false,
        };
        let checked = self.task.check_string(path);
        let Some(value) = checked.as_constant() else {
            self.task.scope.report_not_fixed(self.task.cx, &checked, "the path after `at`");
            return None;
        };
        let Value::Text(text) = value else { return None };
        match Singular::parse(text) {
            Ok(path) => Some(At { path, yaml }),
            Err(why) => {
                let text = text.clone();
                let plain = "write keys and positions, such as `$.total` or `$.items[0].name`";
                let help = match why {
                    NotSingular::Several(_) => {
                        format!("{plain}; expect a list of values with `list`, at the place of the array")
                    }
                    NotSingular::Unreadable(_) => plain.to_owned(),
                };
                self.task.cx.report_not_singular(path, &text, why, help);
                None
            }
        }
    }
}

impl<'a> TaskScope<'a> {
    /// Checks whether a file is YAML. Reports a file whose declared format has no places, and returns `None`.
    fn check_place_format(&self, cx: &mut Checker<'a>, path: &'a ast::Expr, place: Span) -> Option<bool> {
        let Some(file) = self.find_declared_file(path) else { return Some(false) };
        let decl = &self.relations.files[file];
        let (format, name) = (decl.format, &decl.ast.name);
        match format.holds {
            Holds::Tree => Some(format == Format::Yaml),
            // The lines of JSON Lines are read as one array.
            Holds::Text | Holds::Bytes | Holds::Cells(0) => Some(false),
            _ => {
                let message =
                    format!("`at` reads JSON and YAML, but `{}` has the format `{}`", name.text, format.word());
                let said = Diagnostic::new(Code::MISPLACED, message, place, "a place in JSON")
                    .label(name.span, "declared here")
                    .help("remove `at` and its path");
                cx.report(said);
                None
            }
        }
    }

    /// Returns the root of a file that is declared as YAML, for matchers of JSON: they read the whole file as YAML.
    pub fn find_yaml_root(&self, expect: &ast::Expect, matcher: Matcher) -> Option<At> {
        let ast::Subject::File(path) = &expect.subject else { return None };
        let file = self.find_declared_file(path).filter(|_| matcher.record().takes == Takes::Json)?;
        let path = Singular::parse("$").ok()?;
        (self.relations.files[file].format == Format::Yaml).then_some(At { path, yaml: true })
    }

    /// Returns the declared file that a subject names: `conf`, or `"<<conf>>"`.
    pub fn find_declared_file(&self, path: &ast::Expr) -> Option<FileId> {
        let names = match &path.kind {
            ExprKind::Path(names) => names,
            ExprKind::String(text) => match text.pieces.as_slice() {
                [ast::Piece::Placeholder(inner)] => as_bare_path(inner)?,
                _ => return None,
            },
            _ => return None,
        };
        self.find_file(names.first()?)
    }
}

impl<'a> Checker<'a> {
    /// Reports duplicate names of expectations in one instance: among those of the task, or of the task and a variant.
    pub fn check_duplicate_labels(&mut self, of_task: &[(&'a ast::Expect, Span)], own: &[(&'a ast::Expect, Span)]) {
        let labels = |expects: &[(&'a ast::Expect, Span)]| -> Vec<&'a ast::Ident> {
            expects.iter().filter_map(|(expect, _)| expect.label.as_ref()).collect()
        };
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for label in labels(of_task) {
            seen.entry(&label.text).or_insert(label.span);
        }
        for label in labels(own) {
            match seen.get(label.text.as_str()) {
                Some(first) => {
                    let said = build_duplicate_diagnostic(label, "expectation", *first, "expectation");
                    self.report(said.help("rename one of the two: scores are listed by these names"));
                }
                None => {
                    seen.insert(&label.text, label.span);
                }
            }
        }
    }

    /// Reports a path after `at` that does not lead to exactly one place.
    pub(crate) fn report_not_singular(&mut self, path: &'a ast::StringLit, text: &str, why: NotSingular, help: String) {
        let (NotSingular::Unreadable(at) | NotSingular::Several(at)) = why;
        // The string is written without escapes, so offsets in its text are offsets in the source.
        let inside = self.sources.text(path.span).get(1..).is_some_and(|rest| rest.starts_with(text));
        let start = path.span.start + 1 + at as u32;
        let spot = Span::new(path.span.file, start, path.span.end.saturating_sub(1).max(start));
        let span = if inside { spot } else { path.span };
        let (code, message, label) = match why {
            NotSingular::Several(_) => {
                (Code::PATH_SHAPE, format!("`at` needs one place, but `{text}` can lead to several"), "several places")
            }
            NotSingular::Unreadable(_) => {
                (Code::PATH_SYNTAX, format!("`{text}` is not a JSONPath"), "not readable from here")
            }
        };
        self.report(Diagnostic::new(code, message, span, label).help(help));
    }
}
