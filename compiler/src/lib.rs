//! The compiler from `.pcd` source to plan. It uses no I/O, clock, or environment; the outside is accessed only through [`host`].
//!
//! ```text
//! text ─load, parse→ Ast ─check→ Hir ─lint, lower→ Plan
//! ```
//!
//! If the host has an observer, samples of a suite without errors are drawn, and what they show is added ([`observe`]).
//!
//! Every stage returns a value together with diagnostics; a broken source still yields everything that can be determined.

mod compiled;
mod fix_check;
pub mod infer;
pub mod observe;
pub mod query;

pub use compiled::Compiled;
pub use hir::{facts, fixture, paths, types};
pub use lint::{OpenPlace, TaskTotality, Totality, Why};
pub use syntax::{ast, bounds, diagnostics, fmt, host, parse, sources};
pub use {hir, sql, syntax};

use std::collections::BTreeSet;

use diagnostics::Diagnostic;
pub use host::{
    Compute, Drawn, Entry, EntryKind, Host, Observations, Observer, Prepared, PreparedColumn, ReadError, SqlError,
    Sqlite, Stored, StoredColumn, StoredTable,
};
pub use sources::{Position, Source, Sources};

/// Compiles the suite whose root source is at `path`.
///
/// ```
/// use api::Memory;
/// use compiler::compile;
/// use compiler::diagnostics::Severity;
///
/// // The host reads files: here from memory.
/// let host = Memory::new([("sums.pcd", "suite sums { title \"Sums\" version \"1\" }\ntask t {\n  a : int 1..9\n}\n")]);
/// let compiled = compile("sums.pcd", &host);
/// // A task without a prompt and an expectation: no plan, but the checked suite and all mistakes.
/// assert!(compiled.plan.is_none() && compiled.hir.is_some());
/// let errors: Vec<_> = compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).collect();
/// assert!(!errors.is_empty() && errors.iter().all(|said| said.help.is_some()), "{errors:?}");
/// // A root that cannot be read is a diagnostic too.
/// assert_eq!(compile("other.pcd", &host).diagnostics.len(), 1);
/// ```
pub fn compile(path: &str, host: &dyn Host) -> Compiled {
    query::compile_with_checked_fixes(path, host).0
}

/// Returns the diagnostics of the suite at `path`, sorted by file and position. Fixes are not tried ([`compile`] tries them).
pub fn diagnose(path: &str, host: &dyn Host) -> Vec<Diagnostic> {
    query::compile_once(path, host).0.diagnostics
}

/// The names of all functions of the standard library, sorted and without duplicates.
///
/// ```
/// let names = compiler::list_function_names();
/// assert!(["sum", "count", "upper"].iter().all(|name| names.iter().any(|known| known == name)));
/// assert!(names.is_sorted());
/// ```
pub fn list_function_names() -> Vec<String> {
    let library = check::library::load_library(model::SourceId(0));
    let names = query::list_functions(library.files.iter()).into_iter().map(|function| function.name);
    names.collect::<BTreeSet<String>>().into_iter().collect()
}
