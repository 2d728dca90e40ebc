//! How diagnostics look, and that no place, however odd, breaks the drawing.

use compiler::diagnostics::{Applicability, Code};

use super::*;

#[test]
fn looks() {
    let mut sources = Sources::default();
    let file = sources.add_source(
        "suites/x.pcd",
        "task é {\n  csv crm at \"c.csv\" { AGE : age }\n  expect reply number avg(crm.AEG)\n}\n",
    );
    let library = sources.add_source("pools.pcd", "domain AEG = word\n");
    let at = |text: &str| {
        let start = sources.get(file).expect("added").text.find(text).expect("stands there") as u32;
        Span::new(file, start, start + text.len() as u32)
    };
    let said = Diagnostic::new(Code::UNKNOWN_COLUMN, "`crm` has no column `AEG`", at("AEG"), "not a column of `crm`")
        .label(at("AGE"), "did you mean this?")
        .label(Span::new(library, 7, 10), "a domain of this name is no column")
        .help("columns of `crm`: AGE")
        .fix("replace with `AGE`", Applicability::Safe, at("AEG"), "AGE");
    let mut tally = Tally::default();
    let text = render_all(&[&said], &sources, &Console::PLAIN, &mut tally);
    let expected = "\
error[E0203] unknown_column

  × `crm` has no column `AEG`
   ╭─[suites/x.pcd:3:31]
 1 │ task é {
 2 │   csv crm at \"c.csv\" { AGE : age }
   ·                        ─┬─
   ·                         ╰── did you mean this?
 3 │   expect reply number avg(crm.AEG)
   ·                               ─┬─
   ·                                ╰── not a column of `crm`
 4 │ }
   ╰────
  ☞ see also
   ╭─[pools.pcd:1:8]
 1 │ domain AEG = word
   ·        ─┬─
   ·         ╰── a domain of this name is no column
   ╰────
  help: columns of `crm`: AGE
  fix: replace `AEG` with `AGE`

";
    assert_eq!(text, expected, "\n{text}");
    assert_eq!(tally.render_summary(), "1 error");
}

#[test]
fn no_place_breaks_it() {
    let mut sources = Sources::default();
    for text in ["", "\n", "é", "a\r\nb\r\n", "\t\tx\n", "no end", "tall\n\n\n\n\n\n\n\n\n\n\n\n\n"] {
        let file = sources.add_source("a.pcd", text);
        for start in 0..=text.len() as u32 + 2 {
            for end in 0..=text.len() as u32 + 3 {
                let said = Diagnostic::new(Code::SYNTAX, "m", Span::new(file, start, end), "here")
                    .label(Span::new(file, end, start), "there");
                let drawn = render_all(&[&said], &sources, &Console::PLAIN, &mut Tally::default());
                assert!(
                    drawn.starts_with("error[E0101] syntax\n") && !drawn.contains("Failed to read"),
                    "{text:?} {start} {end}\n{drawn}"
                );
            }
        }
    }
    let nowhere = Diagnostic::new(Code::SYNTAX, "m", Span::new(model::SourceId(99), 0, 1), "here");
    assert!(render_all(&[&nowhere], &sources, &Console::PLAIN, &mut Tally::default()).contains("× m"));
}

#[test]
fn many_are_counted() {
    let mut sources = Sources::default();
    let file = sources.add_source("a.pcd", "x");
    let said = Diagnostic::new(Code::UNUSED_NAME, "m", Span::new(file, 0, 1), "");
    let mut tally = Tally::default();
    let text = render_all(&[&said; 60], &sources, &Console::PLAIN, &mut tally);
    assert_eq!(text.matches("unused_name").count(), 50);
    assert_eq!(tally.render_summary(), "60 warnings (10 not shown; `--format short` shows all)");
}

#[test]
fn long_notes_are_wrapped() {
    let mut out = String::new();
    write_note(&mut out, "help", &"word ".repeat(40), Style::Plain);
    assert!(out.lines().all(|line| line.chars().count() <= WIDTH));
    assert!(out.lines().nth(1).is_some_and(|line| line.starts_with("        word")));
}
