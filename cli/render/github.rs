//! Workflow commands of GitHub Actions: `::error file=…,line=…::message`, which are shown next to the changed lines.

use std::fmt::Write as _;

use api::Place;
use compiler::diagnostics::Diagnostic;
use compiler::sources::Sources;
use disk::show_path;

use super::Tally;

/// Renders all diagnostics, with one command each.
pub fn render_all(diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count_diagnostic(said);
        let Place { file, line, column, end_line, end_column } = Place::new(said.primary.span, sources);
        let mut place = format!("file={},line={line}", escape_property(file.strip_prefix("./").unwrap_or(file)));
        if line == end_line {
            let _ = write!(place, ",col={column},endLine={end_line},endColumn={end_column}");
        } else {
            // GitHub rejects columns if the place has several lines.
            let _ = write!(place, ",endLine={end_line}");
        }
        let help = said.iter_notes().map(|(word, text)| format!("\n{word}: {text}")).collect::<String>();
        let title = escape_property(&format!("{} {}", said.code.id, said.code.name));
        let message = escape_data(&format!("{}{help}", said.message));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "::{} {place},title={title}::{message}", said.severity().as_str());
    }
    out
}

/// Escapes the text of a command, which ends at the end of the line.
fn escape_data(text: &str) -> String {
    // People read the log, too, so characters that control a terminal are escaped.
    show_path(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).to_string()
}

/// Escapes a property, which ends at a comma, or at a colon if it is the last.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use compiler::diagnostics::Code;
    use model::Span;

    use super::*;

    #[test]
    fn commands_are_escaped() {
        let mut sources = Sources::default();
        let file = sources.add_source("./a,b:c%.pcd", "é AEG\nx\n");
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, "no 100%\r\ncolumn: a, b", Span::new(file, 3, 6), "")
            .help("did you\nmean `AGE`?");
        let tall = Diagnostic::new(Code::UNUSED_NAME, "tall", Span::new(file, 3, 8), "");
        let mut tally = Tally::default();
        assert_eq!(
            render_all(&[&said, &tall], &sources, &mut tally),
            "::error file=a%2Cb%3Ac%25.pcd,line=1,col=3,endLine=1,endColumn=6,title=E0203 unknown_column\
             ::no 100%25%0D%0Acolumn: a, b%0Ahelp: did you%0Amean `AGE`?\n\
             ::warning file=a%2Cb%3Ac%25.pcd,line=1,endLine=2,title=W0101 unused_name::tall\n"
        );
        assert_eq!((tally.errors, tally.warnings), (1, 1));
    }
}
