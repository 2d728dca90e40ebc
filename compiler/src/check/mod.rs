//! From Ast to Hir: what every name means, what type every expression has, in which order things are made; and everything that can be said
//! against it.
//!
//! [`Checker`] knows what is global (suite, domains, tables, constants, functions). [`task::TaskChecker`] knows one task; it elaborates lazily: asking
//! for the type of a name checks its declaration first, so the order of completion is the order of making, and meeting a declaration that is
//! still being checked is a cycle.

mod axis;
mod beside;
mod bounds;
mod calls;
mod content;
mod csv_options;
mod cycle;
mod data;
mod declare;
mod domain;
mod expect;
mod expr;
mod fixtures;
mod foreign;
mod globals;
mod keys;
mod names;
mod odd;
mod operators;
mod options;
mod paths;
mod private;
mod query;
mod ranges;
mod result_sets;
mod scalar_domains;
mod settings;
mod signature;
mod strings;
mod subject;
mod task;
mod together;
mod tree_names;
mod trees;
mod variant;

pub(crate) use data::{is_primary_key, is_unique, stored_type};
pub(crate) use signature::{Signature, signature_text};

use std::collections::{BTreeMap, BTreeSet};

use plan::Span;

use crate::ast;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::hir;
use crate::host::Host;
use crate::load::Project;
use crate::query::Reference;
use crate::sources::Sources;
use crate::suggest;

/// Checks a loaded project. The Hir is there even when there are errors.
pub fn check(project: &Project, host: &dyn Host, sources: &mut Sources) -> Checked {
    let mut checker = Checker {
        project,
        host,
        sources,
        globals: globals::Globals::default(),
        constants: BTreeMap::new(),
        domains: BTreeMap::new(),
        open: Vec::new(),
        needs: BTreeMap::new(),
        told_deep: false,
        private: Vec::new(),
        fixtures: Vec::new(),
        diagnostics: Vec::new(),
        references: BTreeSet::new(),
    };
    checker.collect_globals();
    let suite = checker.suite();
    checker.handed_out();
    Checked { suite, diagnostics: checker.diagnostics, references: checker.references }
}

/// What became of a project.
pub struct Checked {
    /// The suite, where the root declares one.
    pub suite: Option<hir::Suite>,
    /// What there is to say against it.
    pub diagnostics: Vec<Diagnostic>,
    /// Where names are used, and where what they mean is declared.
    pub references: BTreeSet<Reference>,
}

/// What is global, and what has been said so far.
pub(crate) struct Checker<'a> {
    project: &'a Project,
    host: &'a dyn Host,
    sources: &'a mut Sources,
    globals: globals::Globals<'a>,
    /// Constants checked so far.
    constants: BTreeMap<&'a str, hir::Expr>,
    /// Named domains checked so far.
    domains: BTreeMap<(&'a str, bool), hir::Draw>,
    /// Constants and domains being checked, innermost last, and how long a row of others each needs so far: meeting one again is a cycle.
    open: Vec<(cycle::Global<'a>, u32)>,
    /// How long a row of others leads to what is done.
    needs: BTreeMap<cycle::Global<'a>, u32>,
    /// Too long a row of needs has been reported.
    told_deep: bool,
    /// What tables read that no agent is given.
    private: Vec<private::ReadFile>,
    /// What agents are given.
    fixtures: Vec<private::ReadFile>,
    diagnostics: Vec<Diagnostic>,
    references: BTreeSet<Reference>,
}

impl<'a> Checker<'a> {
    /// Takes note of what a name means.
    fn refer(&mut self, at: Span, target: Span) {
        self.references.insert(Reference { at, target });
    }

    /// Takes note of a diagnostic.
    fn say(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The suite, its tasks checked one by one.
    fn suite(&mut self) -> Option<hir::Suite> {
        let root = self.project.root();
        let mut suites = root.items.iter().filter_map(|item| match &item.kind {
            ast::ItemKind::Suite(suite) => Some((suite, item.span)),
            _ => None,
        });
        let Some((suite, first)) = suites.next() else {
            self.missing_suite(root);
            return None;
        };
        for (second, _) in suites {
            self.say(
                Diagnostic::new(Code::DUPLICATE, "a file has one `suite`", second.name.span, "a second one")
                    .label(first, "the first one")
                    .help(
                        "put the other suite into a file of its own, and what both need into a third that they `use`",
                    ),
            );
        }
        let settings = self.settings(suite);
        let mut tasks = Vec::new();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for item in &root.items {
            let ast::ItemKind::Task(task) = &item.kind else { continue };
            // Ids are compared on file systems that fold case.
            let folded = task.name.text.to_lowercase();
            if let Some(first) = seen.get(&folded) {
                let first = *first;
                self.say(
                    Diagnostic::new(
                        Code::DUPLICATE,
                        format!("there are two tasks named `{}`", task.name.text),
                        task.name.span,
                        "the second one",
                    )
                    .label(first, "the first one")
                    .help("give each task a name of its own; names that differ in case only count as equal"),
                );
            } else {
                seen.insert(folded, task.name.span);
            }
            let checked = task::TaskChecker::task(self, task, item.span, item.doc.as_ref(), &settings);
            tasks.push(checked);
        }
        if tasks.is_empty()
            && !self.project.has_syntax_errors
            && self.diagnostics.iter().all(|d| d.severity() != crate::diagnostics::Severity::Error)
        {
            self.say(
                Diagnostic::new(
                    Code::MISSING_PART,
                    format!("suite `{}` has no task", suite.name.text),
                    suite.name.span,
                    "nothing to ask",
                )
                .help("add at least one `task NAME { … }` with a `prompt` and an `expect`"),
            );
        }
        Some(hir::Suite { edition: settings.edition, info: settings.info, tasks, allows: settings.allows })
    }

    fn missing_suite(&mut self, root: &ast::File) {
        // A file that did not parse has been told so already.
        if self.project.has_syntax_errors {
            return;
        }
        let at = Span::new(root.id, 0, 0);
        self.say(
            Diagnostic::new(Code::MISSING_PART, "this file declares no suite", at, "a compiled file needs one")
                .help("begin with: suite NAME { title \"…\" version \"1.0.0\" samples 20 }"),
        );
    }
}

/// Adds what is nearest to a misspelt name: always as help, and as a fix that is safe only where one candidate is clearly meant.
pub(crate) fn suggest_name<'n>(
    diagnostic: Diagnostic,
    span: Span,
    word: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    suggest_column(diagnostic, span, word, candidates.into_iter().map(|candidate| (candidate, "")))
}

/// The same among columns, each with its table's name ("" where there is none), which may stand in front of a column's.
pub(crate) fn suggest_column<'n>(
    diagnostic: Diagnostic,
    span: Span,
    word: &str,
    columns: impl IntoIterator<Item = (&'n str, &'n str)>,
) -> Diagnostic {
    match suggest::best_column(word, columns) {
        Some((name, clear)) => {
            let applicability = if clear { Applicability::Safe } else { Applicability::Unsafe };
            let spelled = spell(&name);
            diagnostic.help(format!("did you mean `{spelled}`?")).fix(
                format!("replace with `{spelled}`"),
                applicability,
                span,
                spelled,
            )
        }
        None => diagnostic,
    }
}

/// A name as it is written in source: in backticks where it is no plain name.
pub(crate) fn spell(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// `a`, `b` or `c` (at most ten of them).
pub(crate) fn one_of_words<'n>(words: impl IntoIterator<Item = &'n str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    let shown: Vec<String> = words.iter().take(10).map(|word| format!("`{word}`")).collect();
    match shown.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        _ if words.len() > 10 => format!("{}, …", shown.join(", ")),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// `1 row`, `3 rows`.
pub(crate) fn counted(n: impl std::fmt::Display + PartialEq<u32>, unit: &str) -> String {
    if n == 1 { format!("{n} {unit}") } else { format!("{n} {unit}s") }
}
