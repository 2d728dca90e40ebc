//! The state of checking a whole project: global declarations and the diagnostics so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::Span;

use crate::ast;
use crate::check::model::{DependencyStack, Global};
use crate::constants::NullDiagnostic;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, FixtureColumnData, Reference};
use crate::host::Host;
use crate::load::Project;
use crate::sources::Sources;
use crate::types::Ty;

/// The global declarations, and the results so far.
pub(crate) struct Checker<'a> {
    pub(in crate::check) project: &'a Project,
    pub(in crate::check) host: &'a dyn Host,
    pub(in crate::check) sources: &'a mut Sources,
    pub(in crate::check) globals: Globals<'a>,
    /// Constants checked so far.
    pub(in crate::check) constants: BTreeMap<&'a str, hir::Expr>,
    /// Named domains checked so far.
    pub(in crate::check) domains: BTreeMap<(&'a str, bool), hir::Draw>,
    /// Constants and domains that are being checked: reaching one of them again is a cycle.
    pub(in crate::check) order: DependencyStack<Global<'a>, ()>,
    /// The lints that tables read from files silence, each with the span in which it does.
    pub(in crate::check) allows: Vec<(crate::hir::Allow, model::Span)>,
    /// The files that tables read and no agent gets.
    pub(in crate::check) private: Vec<ReadFile>,
    /// The files that agents get.
    pub(in crate::check) fixtures: Vec<ReadFile>,
    /// The word lists of the project, each with the span of its first use.
    pub(in crate::check) word_lists: Vec<(String, Span)>,
    /// The places of known texts that contain a duration, and of columns that are read with such texts, each with the place of the duration.
    pub(in crate::check) duration_texts: BTreeMap<Span, Span>,
    pub(in crate::check) diagnostics: Vec<Diagnostic>,
    /// Errors that occur only if a value is null, which is not known yet.
    pub(in crate::check) doubts: Vec<NullDiagnostic>,
    /// The number of tasks checked so far.
    pub(in crate::check) tasks: usize,
    pub(in crate::check) references: BTreeSet<Reference>,
}

impl<'a> Checker<'a> {
    /// Records that the name at `at` refers to the declaration at `target`.
    pub(in crate::check) fn record_reference(&mut self, at: Span, target: Span) {
        self.references.insert(Reference { at, target });
    }

    /// Reports a missing part of a block, unless it could be in a part of the block that could not be read.
    pub(in crate::check) fn report_missing(&mut self, block: Span, diagnostic: Diagnostic) {
        if !self.project.has_unread_in(block) {
            self.report(diagnostic);
        }
    }

    /// Reports a diagnostic, unless it could be a consequence of source that could not be read.
    pub(in crate::check) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.project.is_doubtful(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// All global declarations, by name.
#[derive(Default)]
pub(crate) struct Globals<'a> {
    /// The author's domains.
    pub domains: BTreeMap<&'a str, &'a ast::DomainDef>,
    /// The standard library's domains; the author's take precedence.
    pub library_domains: BTreeMap<&'a str, &'a ast::DomainDef>,
    pub tables: BTreeMap<&'a str, &'a ast::TableDef>,
    /// The standard library's tables; the author's take precedence.
    pub library_tables: BTreeMap<&'a str, &'a ast::TableDef>,
    /// Lakes, with their files and views.
    pub lakes: BTreeMap<&'a str, Arc<LakeRead<'a>>>,
    /// Tables that are read from files and never given to agents, with their rows.
    pub read: BTreeMap<&'a str, (&'a ast::TableFrom, ReadTable)>,
    pub constants: BTreeMap<&'a str, &'a ast::Compute>,
}

impl<'a> Globals<'a> {
    /// Finds the shared table with this name: the author's, or else the standard library's.
    pub fn find_shared_table(&self, name: &str) -> Option<&'a ast::TableDef> {
        self.tables.get(name).or_else(|| self.library_tables.get(name)).copied()
    }
}

/// The rows read from a file.
#[derive(Clone, Debug)]
pub(crate) struct ReadTable {
    pub(in crate::check) rows: u32,
    pub(in crate::check) columns: Vec<ReadColumn>,
    /// Proved keys.
    pub(in crate::check) keys: Vec<ReadKey>,
    /// The table cannot be read and its columns are not declared, which has been reported.
    pub(in crate::check) unread: bool,
}

impl ReadTable {
    /// Returns a table of which nothing is known.
    pub(in crate::check) fn new_unread() -> ReadTable {
        ReadTable { rows: 1, columns: Vec::new(), keys: Vec::new(), unread: true }
    }
}

/// A column read from a file.
#[derive(Clone, Debug)]
pub(crate) struct ReadColumn {
    pub(in crate::check) name: String,
    pub(in crate::check) ty: Ty,
    pub(in crate::check) given: FixtureColumnData,
    /// The span of its declaration, if the source declares it.
    pub(in crate::check) span: Option<Span>,
}

/// The indexes of columns whose values together are unique.
#[derive(Clone, Debug)]
pub(crate) struct ReadKey {
    pub(in crate::check) columns: Vec<usize>,
}

/// A lake: real files, some of which are read as tables.
pub(crate) struct LakeRead<'a> {
    pub name: &'a ast::Ident,
    /// Its path in the sandbox.
    pub at: String,
    /// Its folder, relative to the folder of the suite file, and the span where the source names it.
    pub folder: String,
    pub from: Span,
    /// All of its files, sorted by the bytes of their paths.
    pub files: Arc<[LakeFile]>,
    pub views: Vec<ViewRead<'a>>,
}

/// A file of a lake.
#[derive(Clone, Debug)]
pub(crate) struct LakeFile {
    /// The path in the lake.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
}

/// A table that is read from files of a lake.
pub(crate) struct ViewRead<'a> {
    pub name: &'a ast::Ident,
    pub table: ReadTable,
    /// The indexes of its files in [`LakeRead::files`], for code that gives out a lake.
    #[allow(dead_code)]
    pub files: Vec<u32>,
}

/// A file of the project, with the content that was read for a private table or for a fixture.
#[derive(Clone)]
pub(crate) struct ReadFile {
    /// The path relative to the folder of the suite file.
    pub path: String,
    pub bytes: Arc<[u8]>,
    /// The span where the source names it.
    pub at: Span,
}
