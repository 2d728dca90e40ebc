//! From `.pcd` source to plan. No I/O, no clock, no environment: the outside is reached through [`host`] alone.
//!
//! ```text
//! text ─load, parse→ Ast ─check→ Hir ─lint, lower→ Plan
//! ```
//!
//! Every stage gives a value and diagnostics side by side; a broken source still yields what can be known of it.

pub mod ast;
mod check;
pub mod diagnostics;
pub mod facts;
pub mod fixture;
pub mod fmt;
pub mod hir;
pub mod host;
mod library;
mod lint;
mod load;
mod lower;
pub mod parse;
pub mod paths;
pub mod sources;
pub mod sql;
pub mod suggest;
pub mod types;

use std::collections::BTreeSet;

use diagnostics::{Code, Diagnostic, Severity};
pub use host::{Host, Prepared, PreparedColumn, ReadError, SqlError, Sqlite, Stored, StoredColumn, StoredTable};
use plan::Plan;
pub use sources::{Position, Source, Sources};

/// What became of a suite.
#[derive(Debug)]
pub struct Compiled {
    /// Every file read.
    pub sources: Sources,
    /// Everything there is to say, by file and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The checked suite, even where there are errors; `None` where the root could not be read or declares no suite.
    pub hir: Option<hir::Suite>,
    /// The plan, where there is no error.
    pub plan: Option<Plan>,
}

/// Compiles the suite whose root source is at `path`.
pub fn compile(path: &str, host: &dyn Host) -> Compiled {
    let mut sources = Sources::default();
    let (project, mut diagnostics) = load::load(path, host, &mut sources);
    let mut hir = None;
    if let Some(project) = &project {
        let (checked, said) = check::check(project, host, &mut sources);
        // Where a line could not be read, what is checked of the rest of it is an echo of the same mistake.
        let line = |said: &Diagnostic| (said.primary.span.file, sources.start(said.primary.span).line);
        let unread: BTreeSet<_> = diagnostics.iter().map(&line).collect();
        // Nor is a name unknown that such a line probably declares.
        let mut declared = BTreeSet::new();
        for (file, number) in &unread {
            let text =
                sources.get(*file).and_then(|source| source.text.lines().nth((*number as usize).saturating_sub(1)));
            declared
                .extend(text.unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
        }
        let echo = |said: &Diagnostic| {
            (said.code == Code::UNKNOWN_NAME || said.code == Code::UNKNOWN_TABLE)
                && declared.contains(sources.text(said.primary.span))
        };
        let said: Vec<Diagnostic> =
            said.into_iter().filter(|said| !unread.contains(&line(said)) && !echo(said)).collect();
        diagnostics.extend(said);
        if let Some(suite) = &checked {
            lint::lint(suite, &sources, host.sqlite(), &mut diagnostics);
        }
        hir = checked;
    }
    diagnostics.sort_by_key(|said| (said.primary.span, said.code.id));
    diagnostics.dedup();
    let good = diagnostics.iter().all(|said| said.severity() != Severity::Error);
    let plan = hir.as_ref().filter(|_| good).map(lower::lower);
    Compiled { sources, diagnostics, hir, plan }
}

/// The names of the standard library's functions, sorted, each once.
pub fn function_names() -> Vec<String> {
    let mut sources = Sources::default();
    let mut names = Vec::new();
    for (name, text) in library::sources() {
        let id = sources.add(*name, *text, true);
        let (file, _) = parse::parse_library(text, id);
        for item in file.items {
            if let ast::ItemKind::Function(def) = item.kind {
                names.push(def.name.text);
            }
        }
    }
    names.sort();
    names.dedup();
    names
}
