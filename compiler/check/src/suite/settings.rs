//! `suite NAME { … }`: its settings.

use model::Span;
use model::suite::SuiteInfo;
use model::value::group_digits;

use crate::context::{Checker, TaskChecker};
use syntax::ast::{self, ExprKind};
use syntax::diagnostics::wording::{join_with_or, suggest_name};
use syntax::diagnostics::{CODES, Code, Diagnostic, Severity};
use syntax::words::{self, Class};

/// The maximum number of samples per task.
const MAX_SAMPLES: i64 = 1_000_000;

/// The newest edition.
const NEWEST_EDITION: i64 = 1;

/// The settings of `suite`.
pub(crate) struct Settings {
    pub edition: u32,
    pub info: SuiteInfo,
    pub samples: u32,
    /// Where the number of samples is written.
    pub samples_span: Option<Span>,
    pub allows: Vec<hir::Allow>,
}

impl<'a> Checker<'a> {
    /// Checks the settings. Each can appear once.
    pub(crate) fn check_settings(&mut self, suite: &'a ast::Suite, block: Span) -> Settings {
        let mut settings = Settings {
            edition: 1,
            info: SuiteInfo { name: suite.name.text.clone(), ..SuiteInfo::default() },
            samples: 1,
            samples_span: None,
            allows: Vec::new(),
        };
        let mut seen: Vec<(&str, Span)> = Vec::new();
        // A misspelled setting may be the one that seems to be missing.
        let mut is_misspelled = false;
        for setting in &suite.settings {
            let key = setting.key.text.as_str();
            if let Some(allow) = &setting.allow {
                settings.allows.extend(self.check_allow(allow));
                continue;
            }
            if !words::is_of_class(Class::Setting, key) {
                let known = || words::list_names(Class::Setting);
                let message = format!("`{key}` is not a suite setting");
                let said = Diagnostic::new(Code::UNKNOWN_SETTING, message, setting.key.span, "not a setting");
                let said = suggest_name(said, setting.key.span, key, known());
                is_misspelled |= !said.fixes.is_empty();
                self.report(said.with_default_help(format!("the settings are {}", join_with_or(known()))));
                continue;
            }
            if let Some((_, first)) = seen.iter().find(|(name, _)| *name == key) {
                let message = format!("`{key}` is set twice");
                let said = Diagnostic::new(Code::DUPLICATE, message, setting.key.span, "again here");
                self.report(said.label(*first, "first set here").help("keep one of the two"));
                continue;
            }
            seen.push((key, setting.key.span));
            self.check_setting(key, &setting.value, &mut settings);
        }
        for (key, example) in [("title", "title \"What it measures\""), ("version", "version \"1.0.0\"")] {
            if !seen.iter().any(|(name, _)| *name == key) && !is_misspelled {
                let message = format!("suite `{}` has no {key}", suite.name.text);
                let label = format!("`{key}` is missing");
                let said = Diagnostic::new(Code::MISSING_PART, message, suite.name.span, label);
                self.report_missing(block, said.help(format!("add: {example}")));
            }
        }
        settings
    }

    fn check_setting(&mut self, key: &str, value: &'a ast::Expr, settings: &mut Settings) {
        match key {
            "title" => settings.info.title = self.check_plain_text(key, value).unwrap_or_default(),
            "version" => settings.info.version = self.check_plain_text(key, value).unwrap_or_default(),
            "description" => settings.info.description = self.check_plain_text(key, value),
            "license" => settings.info.license = self.check_plain_text(key, value),
            "canary" => settings.info.canary = self.check_plain_text(key, value),
            "authors" => settings.info.authors = self.check_texts(key, value),
            "tags" => {
                settings.info.tags = TaskChecker::new_global(self).check_tags(value);
            }
            "samples" => {
                let checked = self.check_constant_expr(value);
                settings.samples = self.check_sample_count(&checked).unwrap_or(1);
                settings.samples_span = Some(checked.span);
            }
            _ => {
                let checked = self.check_constant_expr(value);
                if let Some(edition) = self.check_whole_number(key, &checked, 1, NEWEST_EDITION) {
                    settings.edition = edition as u32;
                }
            }
        }
    }

    /// Checks a number of samples.
    pub(crate) fn check_sample_count(&mut self, value: &hir::Expr) -> Option<u32> {
        self.check_whole_number("samples", value, 1, MAX_SAMPLES).map(|samples| samples as u32)
    }

    pub(crate) fn check_whole_number(&mut self, key: &str, checked: &hir::Expr, least: i64, most: i64) -> Option<i64> {
        match checked.as_constant() {
            Some(model::Value::Int(number)) if (least..=most).contains(number) => Some(*number),
            _ if checked.ty.is_unknown() => None,
            _ => {
                let range = if least == most {
                    format!("{least}")
                } else {
                    format!("a whole number from {least} to {}", group_digits(most.unsigned_abs()))
                };
                let is = match checked.as_constant() {
                    Some(value) if checked.ty.is_number() => format!("this is {}", value.render_text()),
                    _ => format!("this is {}", checked.ty),
                };
                let said = Diagnostic::new(Code::BAD_SETTING, format!("`{key}` needs {range}"), checked.span, is);
                self.report(said.help(format!("write: {key} {}", if least == most { least } else { 20 })));
                None
            }
        }
    }

    fn check_plain_text(&mut self, key: &str, value: &'a ast::Expr) -> Option<String> {
        let checked = self.check_constant_expr(value);
        let text = checked.as_constant().and_then(model::Value::as_text);
        if text.is_none() && !checked.ty.is_unknown() {
            let label = format!("this is {}", checked.ty);
            let said = Diagnostic::new(Code::BAD_SETTING, format!("`{key}` needs a text"), value.span, label);
            self.report(said.help(format!("write: {key} \"…\"")));
        }
        text.map(str::to_owned)
    }

    fn check_texts(&mut self, key: &str, value: &'a ast::Expr) -> Vec<String> {
        match &value.kind {
            ExprKind::List(items) => items.iter().filter_map(|item| self.check_plain_text(key, item)).collect(),
            _ => self.check_plain_text(key, value).into_iter().collect(),
        }
    }

    /// Reports that a value must be known before anything is drawn. `declared` is the declaration that it depends on.
    pub(crate) fn report_not_fixed(&mut self, value: &hir::Expr, what: &str, declared: Option<Span>) {
        let message = format!("{what} depends on a drawn value");
        let help = "use a fixed value, or a constant declared outside the tasks";
        let said = Diagnostic::new(Code::NOT_CONSTANT, message, value.span, "known only when the suite is built");
        self.report(said.with_labels(declared.map(|declared| (declared, "declared here"))).help(help));
    }

    /// Checks a list of tags and removes duplicates.
    pub(crate) fn check_tag_words(&mut self, value: &ast::Expr, words: Vec<(String, Span)>) -> Vec<String> {
        if !matches!(value.kind, ExprKind::List(_) | ExprKind::Missing) {
            let said = Diagnostic::new(Code::BAD_SETTING, "`tags` needs a list", value.span, "not a list");
            self.report(said.help("write: tags [csv, easy]"));
        }
        let mut tags: Vec<String> = Vec::new();
        for (tag, span) in words {
            if tags.contains(&tag) {
                let said = Diagnostic::new(Code::DUPLICATE, format!("tag `{tag}` appears twice"), span, "again here");
                self.report(said.help("keep one of the two"));
            } else {
                tags.push(tag);
            }
        }
        tags
    }

    /// Checks `allow LINT "reason"`: the lint must exist, and the reason must be given.
    pub(crate) fn check_allow(&mut self, allow: &ast::Allow) -> Option<hir::Allow> {
        let name = allow.lint.text.as_str();
        let lints = || CODES.iter().filter(|code| code.severity == Severity::Warning).map(|code| code.name);
        if !lints().any(|lint| lint == name) {
            let error = CODES.iter().find(|code| code.name == name || code.id == name);
            let message = match error {
                Some(code) => format!("`{}` is an error, which cannot be allowed", code.name),
                None => format!("`{name}` is not a lint"),
            };
            let said = Diagnostic::new(Code::UNKNOWN_LINT, message, allow.lint.span, "not a lint")
                .help("`picardc explain` lists the lints");
            self.report(suggest_name(said, allow.lint.span, name, lints()));
            return None;
        }
        let is_blank = |piece: &ast::Cooked<'_>| matches!(piece, ast::Cooked::Text(text) if text.trim().is_empty());
        if allow.reason.as_ref().is_none_or(|reason| reason.cook().iter().all(is_blank)) {
            let message = format!("`allow {name}` has no reason");
            let said = Diagnostic::new(Code::MISSING_PART, message, allow.span, "reason missing");
            self.report(said.help(format!("write: allow {name} \"the reason\"")));
        }
        Some(hir::Allow { lint: name.to_owned(), span: allow.span })
    }
}
