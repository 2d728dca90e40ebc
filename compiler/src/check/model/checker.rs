//! What is global, and what has been said so far.

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

/// What is global, and what has been said so far.
pub(crate) struct Checker<'a> {
    pub(in crate::check) project: &'a Project,
    pub(in crate::check) host: &'a dyn Host,
    pub(in crate::check) sources: &'a mut Sources,
    pub(in crate::check) globals: Globals<'a>,
    /// Constants checked so far.
    pub(in crate::check) constants: BTreeMap<&'a str, hir::Expr>,
    /// Named domains checked so far.
    pub(in crate::check) domains: BTreeMap<(&'a str, bool), hir::Draw>,
    /// Constants and domains being checked: meeting one again is a cycle.
    pub(in crate::check) order: DependencyStack<Global<'a>, ()>,
    /// Lints that tables which are read silence, each with its range.
    pub(in crate::check) allows: Vec<(crate::hir::Allow, model::Span)>,
    /// What tables read that no agent is given.
    pub(in crate::check) private: Vec<ReadFile>,
    /// What agents are given.
    pub(in crate::check) fixtures: Vec<ReadFile>,
    /// The word lists of the project, and where each is first named.
    pub(in crate::check) word_lists: Vec<(String, Span)>,
    pub(in crate::check) diagnostics: Vec<Diagnostic>,
    /// What is wrong only where values are null, which is not known yet.
    pub(in crate::check) doubts: Vec<NullDiagnostic>,
    /// How many tasks have been checked.
    pub(in crate::check) tasks: usize,
    pub(in crate::check) references: BTreeSet<Reference>,
}

impl<'a> Checker<'a> {
    /// Takes note of what a name means.
    pub(in crate::check) fn record_reference(&mut self, at: Span, target: Span) {
        self.references.insert(Reference { at, target });
    }

    /// Takes note that a part of a block is missing, unless it may be what could not be read there.
    pub(in crate::check) fn report_missing(&mut self, block: Span, diagnostic: Diagnostic) {
        if !self.project.has_unread_in(block) {
            self.report(diagnostic);
        }
    }

    /// Takes note of a diagnostic, unless it may follow only from what could not be read.
    pub(in crate::check) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.project.is_doubtful(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// Everything global, by name.
#[derive(Default)]
pub(crate) struct Globals<'a> {
    /// The author's domains.
    pub domains: BTreeMap<&'a str, &'a ast::DomainDef>,
    /// The standard library's, shadowed by the author's.
    pub library_domains: BTreeMap<&'a str, &'a ast::DomainDef>,
    pub tables: BTreeMap<&'a str, &'a ast::TableDef>,
    /// The standard library's, shadowed by the author's.
    pub library_tables: BTreeMap<&'a str, &'a ast::TableDef>,
    /// Lakes, with their files and views.
    pub lakes: BTreeMap<&'a str, Arc<LakeRead<'a>>>,
    /// Tables that are read and never handed out, with their rows.
    pub read: BTreeMap<&'a str, (&'a ast::TableFrom, ReadTable)>,
    pub constants: BTreeMap<&'a str, &'a ast::Compute>,
}

impl<'a> Globals<'a> {
    /// The table outside of tasks that has this name: the author's, else the standard library's.
    pub fn find_shared_table(&self, name: &str) -> Option<&'a ast::TableDef> {
        self.tables.get(name).or_else(|| self.library_tables.get(name)).copied()
    }
}

/// The rows of a file.
#[derive(Clone, Debug)]
pub(crate) struct ReadTable {
    pub(in crate::check) rows: u32,
    pub(in crate::check) columns: Vec<ReadColumn>,
    /// Proved.
    pub(in crate::check) keys: Vec<ReadKey>,
    /// It cannot be read, and nothing says what its columns are; that has been said.
    pub(in crate::check) unread: bool,
}

impl ReadTable {
    /// A table of which nothing is known.
    pub(in crate::check) fn new_unread() -> ReadTable {
        ReadTable { rows: 1, columns: Vec::new(), keys: Vec::new(), unread: true }
    }
}

/// A column of a file that is read.
#[derive(Clone, Debug)]
pub(crate) struct ReadColumn {
    pub(in crate::check) name: String,
    pub(in crate::check) ty: Ty,
    pub(in crate::check) given: FixtureColumnData,
    /// Where it is declared, if the source does that.
    pub(in crate::check) span: Option<Span>,
}

/// Columns of which no two rows have the same, by their places.
#[derive(Clone, Debug)]
pub(crate) struct ReadKey {
    pub(in crate::check) columns: Vec<usize>,
}

/// A lake: real files, some of which are read as tables.
pub(crate) struct LakeRead<'a> {
    pub name: &'a ast::Ident,
    /// Where it is in the sandbox.
    pub at: String,
    /// Its folder, below that of the suite's own file; where the source names it.
    pub folder: String,
    pub from: Span,
    /// All of its files, by the bytes of their paths.
    pub files: Arc<[LakeFile]>,
    pub views: Vec<ViewRead<'a>>,
}

/// A file of a lake.
#[derive(Clone, Debug)]
pub(crate) struct LakeFile {
    /// In the lake.
    pub path: String,
    /// In bytes.
    pub size: u64,
}

/// A table that is read from files of a lake.
pub(crate) struct ViewRead<'a> {
    pub name: &'a ast::Ident,
    pub table: ReadTable,
    /// The files, by their places among those of the lake: what hands out a lake asks for them.
    #[allow(dead_code)]
    pub files: Vec<u32>,
}

/// A file of the project, as it was read for a table that no agent is given, or for a fixture.
#[derive(Clone)]
pub(crate) struct ReadFile {
    /// Below the folder of the suite's own file.
    pub path: String,
    pub bytes: Arc<[u8]>,
    /// Where the source names it.
    pub at: Span,
}
