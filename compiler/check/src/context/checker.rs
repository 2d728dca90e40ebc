//! The state of checking a whole project: global declarations and the diagnostics so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::Span;

use crate::constants::NullDiagnostic;
use crate::context::{DependencyStack, Global};
use crate::load::Project;
use hir::types::Ty;
use hir::{FixtureColumnData, Reference};
use syntax::ast;
use syntax::diagnostics::Diagnostic;
use syntax::host::Host;
use syntax::sources::Sources;

/// The global declarations, and the results so far.
pub(crate) struct Checker<'a> {
    pub(crate) project: &'a Project,
    pub(crate) host: &'a dyn Host,
    pub(crate) sources: &'a mut Sources,
    pub(crate) globals: Globals<'a>,
    /// Constants checked so far.
    pub(crate) constants: BTreeMap<&'a str, hir::Expr>,
    /// Named domains checked so far.
    pub(crate) domains: BTreeMap<(&'a str, bool), hir::Draw>,
    /// Constants and domains that are being checked: reaching one of them again is a cycle.
    pub(crate) order: DependencyStack<Global<'a>, ()>,
    /// The lints that tables read from files silence, each with the span in which it does.
    pub(crate) allows: Vec<(hir::Allow, model::Span)>,
    /// The files that tables read and no agent gets.
    pub(crate) private: Vec<ReadFile>,
    /// The files that agents get.
    pub(crate) fixtures: Vec<ReadFile>,
    /// The word lists of the project, each with the span of its first use.
    pub(crate) word_lists: Vec<(String, Span)>,
    /// The places of known texts that contain a duration, and of columns that are read with such texts, each with the place of the duration.
    pub(crate) duration_texts: BTreeMap<Span, Span>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Errors that occur only if a value is null, which is not known yet.
    pub(crate) doubts: Vec<NullDiagnostic>,
    /// The number of tasks checked so far.
    pub(crate) tasks: usize,
    pub(crate) references: BTreeSet<Reference>,
}

impl<'a> Checker<'a> {
    /// Records that the name at `at` refers to the declaration at `target`.
    pub(crate) fn record_reference(&mut self, at: Span, target: Span) {
        self.references.insert(Reference { at, target });
    }

    /// Reports a missing part of a block, unless it could be in a part of the block that could not be read.
    pub(crate) fn report_missing(&mut self, block: Span, diagnostic: Diagnostic) {
        if !self.project.has_unread_in(block) {
            self.report(diagnostic);
        }
    }

    /// Reports a diagnostic, unless it could be a consequence of source that could not be read.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
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
    pub(crate) rows: u32,
    pub(crate) columns: Vec<ReadColumn>,
    /// Proved keys: the indexes of columns whose values together are unique.
    pub(crate) keys: Vec<Vec<usize>>,
    /// The table cannot be read and its columns are not declared, which has been reported.
    pub(crate) unread: bool,
}

impl ReadTable {
    /// Returns a table with these columns, of which no keys are proved.
    pub(crate) fn new(rows: usize, columns: impl IntoIterator<Item = ReadColumn>) -> ReadTable {
        ReadTable { rows: rows as u32, columns: columns.into_iter().collect(), keys: Vec::new(), unread: false }
    }

    /// Returns a table of which nothing is known.
    pub(crate) fn new_unread() -> ReadTable {
        ReadTable { rows: 1, columns: Vec::new(), keys: Vec::new(), unread: true }
    }
}

/// A column read from a file.
#[derive(Clone, Debug)]
pub(crate) struct ReadColumn {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    pub(crate) given: FixtureColumnData,
    /// The span of its declaration, if the source declares it.
    pub(crate) span: Option<Span>,
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
    /// The indexes of its files in [`LakeRead::files`].
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
