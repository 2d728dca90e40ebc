//! Lints that need no proof: what is declared and never used.

use super::task::TaskChecker;
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::hir;

impl TaskChecker<'_, '_> {
    /// Says what is drawn, computed or generated and never used. Not where there are errors: what is used by a broken statement is not known.
    pub fn lints(&mut self, task: &hir::Task, suite_allows: &[hir::Allow]) {
        let allowed = |name: &str| task.allows.iter().chain(suite_allows).any(|allow| allow.lint == name);
        if self.cx.project.has_syntax_errors
            || allowed(Code::UNUSED_NAME.name)
            || self.cx.diagnostics.iter().any(|said| said.severity() == Severity::Error)
        {
            return;
        }
        for name in task.names.iter().filter(|name| !name.used && !name.name.starts_with('_')) {
            let what = match name.source {
                hir::NameSource::Draw { .. } => "drawn",
                hir::NameSource::Axis => "an axis",
                hir::NameSource::Compute(_) | hir::NameSource::Variant(_) => "computed",
            };
            self.unused(&name.name, name.span, what);
        }
        for file in task.files.iter().filter(|file| !file.used) {
            self.unused(&file.name, file.span, "generated");
        }
        let own = |relation: &&hir::Relation| relation.file.is_none() && !matches!(relation.rows, hir::Rows::Query(_));
        for relation in task.relations.iter().filter(own).filter(|relation| !relation.used) {
            self.unused(&relation.name, relation.span, "generated");
        }
    }

    fn unused(&mut self, name: &str, span: plan::Span, what: &str) {
        self.cx.say(
            Diagnostic::new(Code::UNUSED_NAME, format!("`{name}` is {what} and never used"), span, "never used")
                .help("mention it in the prompt or the answer, or remove it"),
        );
    }
}
