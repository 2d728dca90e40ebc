//! One line for each diagnostic: `path:line:column: error[E0203] message`.

use std::fmt::Write as _;

use api::Place;
use compiler::diagnostics::Diagnostic;
use compiler::sources::Sources;
use disk::show_path;

use super::Tally;

/// Renders all diagnostics, with one line each.
pub fn render_all(diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count_diagnostic(said);
        let Place { file, line, column, .. } = Place::new(said.primary.span, sources);
        let message = said.message.split_whitespace().collect::<Vec<_>>().join(" ");
        // Writing to a String cannot fail.
        let (severity, code) = (said.severity().as_str(), said.code.id);
        let _ = writeln!(out, "{}:{line}:{column}: {severity}[{code}] {message}", show_path(file));
    }
    out
}
