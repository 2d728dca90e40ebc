//! Queries of an editor: the suite with all results of its analysis, the declarations and uses of names, and the declaration at a position.
//!
//! `references` are recorded by the checker; `declared` lists declarations; `library` describes functions; `tables` lists the tables that are read from files,
//! and `preview` previews their files.

mod declared;
mod library;
mod preview;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::Span;

use crate::compiled::Compiled;
use crate::{fix_check, observe};
use check::{constants, load};
use hir::Reference;
use hir::lower;
use lint::Totality;
use syntax::ast::{self, Node, visit_nodes};
use syntax::diagnostics::{Diagnostic, Severity};
use syntax::host::Host;
use syntax::sources::Sources;

pub use hir::lower::lower_expr;

pub use declared::{Declaration, Kind, list_declarations};
pub use library::{Function, FunctionParam, find_library_source, list_functions};
pub use preview::{CutOff, Heading, TablePreview, read_glimpse};
pub use tables::{ReadTable, TableLocation, list_lake_folders, read_tables};

/// A compiled suite, with further information about its source.
#[derive(Debug)]
pub struct Analysed {
    /// The compiled suite, which others may share.
    pub compiled: Arc<Compiled>,
    /// The parsed files; `None` if the root could not be read.
    project: Option<load::Project>,
    /// The uses of names, by position.
    pub references: BTreeSet<Reference>,
}

/// The calls of known functions, each with its first overload.
fn collect_calls(project: Option<&load::Project>) -> BTreeSet<Reference> {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    for item in iter_files(project).flat_map(|file| &file.items) {
        if let ast::ItemKind::Function(def) = &item.kind {
            known.entry(&def.name.text).or_insert(def.name.span);
        }
    }
    let mut found = BTreeSet::new();
    for file in iter_files(project) {
        visit_nodes(file, &mut |node| {
            if let Node::Call(call, _) = node
                && let Some(target) = known.get(call.callee.text.as_str())
            {
                found.insert(Reference { at: call.callee.span, target: *target });
            }
        });
    }
    found
}

impl Analysed {
    /// The parsed files of the author and of the standard library.
    pub fn iter_files(&self) -> impl Iterator<Item = &ast::File> {
        iter_files(self.project.as_ref())
    }
}

fn iter_files(project: Option<&load::Project>) -> impl Iterator<Item = &ast::File> {
    project.into_iter().flat_map(|project| project.files.iter().chain(&project.library.files))
}

/// A compiled suite, its parsed files, and the uses of names.
pub(crate) type Parts = (Compiled, Option<load::Project>, BTreeSet<Reference>);

/// Compiles the suite whose root source is at `path`, and keeps the intermediate results.
pub fn analyse_suite(path: &str, host: &dyn Host) -> Analysed {
    let (compiled, project, mut references) = compile_with_checked_fixes(path, host);
    references.extend(collect_calls(project.as_ref()));
    Analysed { compiled: Arc::new(compiled), project, references }
}

/// Like [`analyse_suite`], but without calls among the references. If the host has an observer, samples are drawn.
pub(crate) fn compile_with_checked_fixes(path: &str, host: &dyn Host) -> Parts {
    let mut parts = compile_once(path, host);
    fix_check::check_fixes(&mut parts.0, host, &|changed| compile_once(path, changed).0);
    if let Some(observer) = host.observer() {
        host.check_cancellation();
        observe::observe_suite(&mut parts.0, observer);
    }
    parts
}

/// Like [`compile_with_checked_fixes`], but without trials of the fixes.
pub(crate) fn compile_once(path: &str, host: &dyn Host) -> Parts {
    let mut sources = Sources::default();
    let (project, mut diagnostics) = load::load_project(path, host, &mut sources);
    let (mut hir, mut references, mut plan) = (None, BTreeSet::new(), None);
    let mut totality = Totality::default();
    let is_good = |said: &[Diagnostic]| said.iter().all(|said| said.severity() != Severity::Error);
    if let Some(project) = &project {
        host.check_cancellation();
        let checked = check::check_project(project, host, &mut sources);
        (hir, references) = (checked.suite, checked.references);
        diagnostics.extend(checked.diagnostics);
        if let Some(suite) = &hir {
            host.check_cancellation();
            totality = lint::lint_suite(suite, &sources, host, &mut diagnostics);
            plan = is_good(&diagnostics).then(|| lint::turn_panels_off(suite, lower::lower_suite(suite)));
            constants::check_constants(suite, plan.as_ref(), checked.doubts, host, &mut diagnostics);
        }
    }
    diagnostics.sort_by_key(|said| (said.primary.span, said.code.id));
    diagnostics.dedup();
    let plan = plan.filter(|_| is_good(&diagnostics));
    (Compiled { sources, diagnostics, hir, plan, totality, drawn: None }, project, references)
}
