//! One line for each diagnostic: `path:line:column: error[E0203] message`.

use std::fmt::Write as _;

use compiler::diagnostics::Diagnostic;
use compiler::sources::Sources;
use disk::show_path;

use super::Tally;

/// Renders all diagnostics, with one line each.
pub fn render_all(diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count_diagnostic(said);
        let span = said.primary.span;
        let path = sources.get(span.file).map_or("", |source| source.path.as_str());
        let at = sources.start_position(span);
        let message = said.message.split_whitespace().collect::<Vec<_>>().join(" ");
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{}] {message}",
            show_path(path),
            at.line,
            at.column,
            said.severity().as_str(),
            said.code.id
        );
    }
    out
}
