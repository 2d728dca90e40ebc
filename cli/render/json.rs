//! One JSON object per line, as described in `docs`: columns count characters from 1, and edits are in bytes.

use api::Located;
use compiler::diagnostics::Diagnostic;
use compiler::sources::Sources;

use super::Tally;

/// Renders all diagnostics, with one object per line.
pub fn render_all(diagnostics: &[&Diagnostic], sources: &Sources, tally: &mut Tally) -> String {
    let mut out = String::new();
    for said in diagnostics {
        tally.count_diagnostic(said);
        // The values have text keys and no floats, so they can always be serialized.
        out.push_str(&serde_json::to_string(&Located::new(said, sources)).unwrap_or_default());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use compiler::diagnostics::{Applicability, Code};
    use model::Span;

    use super::*;

    #[test]
    fn a_line() {
        let mut sources = Sources::default();
        let file = sources.add_source("a.pcd", "é \"x\"\nAEG\n");
        let said = Diagnostic::new(Code::UNKNOWN_COLUMN, "no column `AEG`\u{1}", Span::new(file, 7, 10), "")
            .label(Span::new(file, 3, 6), "declared here")
            .fix("replace with `AGE`", Applicability::Safe, Span::new(file, 7, 10), "AGE");
        let mut tally = Tally::default();
        assert_eq!(
            render_all(&[&said], &sources, &mut tally),
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
