//! An object a line, as `docs` describe it: columns count characters from 1, edits are in bytes.

use compiler::diagnostics::{Applicability, Diagnostic, Fix, Label};
use compiler::sources::Sources;
use plan::Span;
use serde::Serialize;

use super::{Tally, severity_word};

/// All of them, an object a line.
pub fn all(diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count(said);
        // What is written has text keys and no floats, so it always serialises.
        out.push_str(&serde_json::to_string(&line(said, sources)).unwrap_or_default());
        out.push('\n');
    }
    out
}

#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    name: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
    /// The words on the place itself, if there are any, and then the other places.
    labels: Vec<Labelled<'a>>,
    help: Option<&'a str>,
    fixes: Vec<FixLine<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Labelled<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct FixLine<'a> {
    message: &'a str,
    applicability: &'a str,
    edits: Vec<EditLine<'a>>,
}

#[derive(Serialize)]
struct EditLine<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    text: &'a str,
}

fn line<'a>(said: &'a Diagnostic, sources: &'a Sources) -> Line<'a> {
    let primary = Some(&said.primary).filter(|label| !label.message.is_empty());
    Line {
        code: said.code.id,
        name: said.code.name,
        severity: severity_word(said.severity()),
        message: &said.message,
        place: place(said.primary.span, sources),
        labels: primary.into_iter().chain(&said.secondary).map(|label| labelled(label, sources)).collect(),
        help: said.help.as_deref(),
        fixes: said.fixes.iter().map(|fix| fix_line(fix, sources)).collect(),
    }
}

fn place(span: Span, sources: &Sources) -> Place<'_> {
    let (start, end) = (sources.start(span), sources.end(span));
    Place {
        file: path(span, sources),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn path(span: Span, sources: &Sources) -> &str {
    sources.get(span.file).map_or("", |source| source.path.as_str())
}

fn labelled<'a>(label: &'a Label, sources: &'a Sources) -> Labelled<'a> {
    Labelled { place: place(label.span, sources), message: &label.message }
}

fn fix_line<'a>(fix: &'a Fix, sources: &'a Sources) -> FixLine<'a> {
    let edit = |edit: &'a compiler::diagnostics::Edit| EditLine {
        file: path(edit.span, sources),
        start: edit.span.start,
        end: edit.span.end,
        text: &edit.text,
    };
    FixLine {
        message: &fix.message,
        applicability: match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Clear | Applicability::Unsafe => "unsafe",
        },
        edits: fix.edits.iter().map(edit).collect(),
    }
}

#[cfg(test)]
mod tests {
    use compiler::diagnostics::Code;

    use super::*;

    #[test]
    fn a_line() {
        let mut sources = Sources::default();
        let file = sources.add("a.pcd", "é \"x\"\nAEG\n", false);
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, "no column `AEG`\u{1}", Span::new(file, 7, 10), "")
            .label(Span::new(file, 3, 6), "declared here")
            .fix("replace with `AGE`", Applicability::Safe, Span::new(file, 7, 10), "AGE");
        let mut tally = Tally::default();
        assert_eq!(
            all(&[&said], &sources, &mut tally),
            concat!(
                r#"{"code":"E0203","name":"unknown_column","severity":"error","message":"no column `AEG`\u0001","#,
                r#""file":"a.pcd","line":2,"column":1,"end_line":2,"end_column":4,"#,
                r#""labels":[{"file":"a.pcd","line":1,"column":3,"end_line":1,"end_column":6,"message":"declared here"}],"#,
                r#""help":null,"fixes":[{"message":"replace with `AGE`","applicability":"safe","#,
                r#""edits":[{"file":"a.pcd","start":7,"end":10,"text":"AGE"}]}]}"#,
                "\n"
            )
        );
        assert_eq!((tally.errors, tally.warnings), (1, 0));
    }
}
