//! Lowers Ast to Hir: resolves every name, infers the type of every expression and the order in which declarations are generated, and reports errors.
//!
//! [`Checker`] contains the global declarations (suite, domains, tables, constants, functions). [`TaskChecker`] contains those of one task.
//! It works lazily: asking for the type of a name checks its declaration first. The order in which checks end is therefore the order of generation,
//! and reaching a declaration that is still being checked is a cycle.

mod answers;
mod calls;
pub mod constants;
mod context;
mod domains;
mod expr;
mod files;
mod fixtures;
mod lakes;
pub mod library;
pub mod load;
mod scope;
mod suite;
mod task;

use std::collections::{BTreeMap, BTreeSet};

use model::Span;

use crate::constants::NullDiagnostic;
use crate::context::{Checker, DependencyStack, Globals, TaskChecker};
use crate::load::Project;
use hir::Reference;
use syntax::ast;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::host::Host;
use syntax::sources::Sources;

/// Checks a loaded project. Returns the Hir even if there are errors.
pub fn check_project(project: &Project, host: &dyn Host, sources: &mut Sources) -> Checked {
    let mut checker = Checker {
        project,
        host,
        sources,
        globals: Globals::default(),
        constants: BTreeMap::new(),
        domains: BTreeMap::new(),
        order: DependencyStack::default(),
        private: Vec::new(),
        allows: Vec::new(),
        fixtures: Vec::new(),
        word_lists: Vec::new(),
        duration_texts: BTreeMap::new(),
        diagnostics: Vec::new(),
        doubts: Vec::new(),
        tasks: 0,
        references: BTreeSet::new(),
    };
    checker.collect_globals();
    let suite = checker.check_suite();
    checker.check_exposed_fixtures();
    checker.check_exposed_lakes();
    Checked { suite, diagnostics: checker.diagnostics, doubts: checker.doubts, references: checker.references }
}

/// The result of checking a project.
pub struct Checked {
    /// The suite, if the root file declares one.
    pub suite: Option<hir::Suite>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors that occur only if values are null, by task.
    pub doubts: Vec<NullDiagnostic>,
    /// The places where names are used, with their declarations.
    pub references: BTreeSet<Reference>,
}

impl<'a> Checker<'a> {
    /// Checks the suite and then its tasks, one by one.
    fn check_suite(&mut self) -> Option<hir::Suite> {
        let root = self.project.root();
        let mut suites = root.items.iter().filter_map(|item| match &item.kind {
            ast::ItemKind::Suite(suite) => Some((suite, item.span)),
            _ => None,
        });
        let Some((suite, first)) = suites.next() else {
            self.report_missing_suite(root);
            return None;
        };
        for (second, _) in suites {
            let message = "a file can have only one `suite`";
            let help = "move one of them to its own file, and what both need to a third file that they `use`";
            let said = Diagnostic::new(Code::DUPLICATE, message, second.name.span, "a second one");
            self.report(said.label(first, "the first one").help(help));
        }
        let settings = self.check_settings(suite, first);
        let mut tasks = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for item in &root.items {
            let ast::ItemKind::Task(task) = &item.kind else { continue };
            // Ids must differ even on file systems that ignore letter case.
            let folded = task.name.text.to_lowercase();
            if let Some(first) = seen.get(&folded).copied() {
                let message = format!("task `{}` is defined twice", task.name.text);
                let said = Diagnostic::new(Code::DUPLICATE, message, task.name.span, "the second one");
                self.report(said.label(first, "the first one").help("rename one of them; letter case is ignored"));
            } else {
                seen.insert(folded, task.name.span);
            }
            let before = self.diagnostics.len();
            let checked = TaskChecker::check_task(self, task, item.span, item.doc.as_ref(), &settings);
            mark_conflicting_fixes(self.diagnostics.get_mut(before..).unwrap_or_default());
            tasks.push(checked);
            self.tasks += 1;
        }
        if tasks.is_empty()
            && self.project.is_whole()
            && self.diagnostics.iter().all(|d| d.severity() != syntax::diagnostics::Severity::Error)
        {
            let message = format!("suite `{}` has no task", suite.name.text);
            let said = Diagnostic::new(Code::MISSING_PART, message, suite.name.span, "no task in it");
            self.report(said.help("add at least one `task NAME { … }` with a `prompt` and an `expect`"));
        }
        Some(hir::Suite {
            edition: settings.edition,
            info: settings.info,
            lakes: self.collect_used_lakes(&mut tasks),
            tasks,
            allows: settings.allows,
            samples: settings.samples_span,
            of_tables: std::mem::take(&mut self.allows),
        })
    }

    fn report_missing_suite(&mut self, root: &ast::File) {
        // The suite might be in the part that could not be read.
        if !self.project.is_whole() {
            return;
        }
        let at = Span::new(root.id, 0, 0);
        let said = Diagnostic::new(Code::MISSING_PART, "the file does not declare a suite", at, "suite expected");
        self.report(said.help("begin with: suite NAME { title \"…\" version \"1.0.0\" samples 20 }"));
    }
}

/// Marks fixes as unsafe if one task gets several different suggestions for the same name.
fn mark_conflicting_fixes(said: &mut [Diagnostic]) {
    // The parameter of a query starts with a colon.
    let suggested = |said: &Diagnostic| {
        let is_name = [Code::UNKNOWN_NAME, Code::SQL_PARAMETER].contains(&said.code);
        let unknown = said.unknown.clone().filter(|_| is_name)?;
        let text = said.fixes.first()?.edits.first()?.text.trim_start_matches(':').to_owned();
        Some((unknown, text))
    };
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (unknown, text) in said.iter().filter_map(suggested) {
        all.entry(unknown).or_default().insert(text);
    }
    for one in said {
        if suggested(one).is_some_and(|(unknown, _)| all.get(&unknown).is_some_and(|texts| texts.len() > 1)) {
            one.fixes.iter_mut().for_each(|fix| fix.applicability = Applicability::Unsafe);
        }
    }
}
