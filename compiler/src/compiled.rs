//! The result of compiling a suite.

use lint::Totality;
use model::Plan;
use model::observe::Drawn;

use syntax::diagnostics::Diagnostic;
use syntax::sources::Sources;

/// The result of compiling a suite.
#[derive(Debug)]
pub struct Compiled {
    /// All source files that were read.
    pub sources: Sources,
    /// All diagnostics, sorted by file and position.
    pub diagnostics: Vec<Diagnostic>,
    /// The checked suite, even if it has errors; `None` if the root cannot be read or does not declare a suite.
    pub hir: Option<hir::Suite>,
    /// The plan; `None` if errors were reported.
    pub plan: Option<Plan>,
    /// What is known of whether a build can stop.
    pub totality: Totality,
    /// The drawn samples; `None` if nothing was drawn, because the suite has errors or the host has no observer.
    pub drawn: Option<Drawn>,
}
