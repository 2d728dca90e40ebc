//! Patterns of cells, headers, and lines that cannot be read: what is said of each, and where.

use testing::compile_with;

const FILES: &[(&str, &[u8])] = &[("a.csv", b"A,B x,C x\n1,2,3\n"), ("a.txt", b"1 2\n")];

/// What is said of a table with this body, with the text at fault.
fn said(from: &str, body: &str) -> Vec<String> {
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable t from \"{from}\" {{ {body} }}\ntask q {{\n  prompt \"What is it? Reply with it only.\"\n  expect reply number count(t)\n}}\n"
    );
    let compiled = testing::keep_errors(compile_with(&text, FILES));
    let one = |said: &compiler::diagnostics::Diagnostic| {
        let at = compiled.sources.text(said.primary.span);
        format!("{} {} @ {at} / {}", said.code.id, said.message, said.help.as_deref().unwrap_or_default())
    };
    compiled.diagnostics.iter().map(one).collect()
}

#[test]
fn a_pattern_that_does_not_fit_says_what_to_write() {
    for (from, body, expected) in [
        (
            "a.csv",
            r#"A : date as written "YYYY-MM-DD""#,
            r#"E0510 `YYYY` is not a part of a date @ YYYY / write: written "yyyy-MM-dd""#,
        ),
        (
            "a.csv",
            r#"A : int as written "yyyy""#,
            r##"E0510 `written "yyyy"` needs a date, but the column is an int @ yyyy / write for example: written "#,##0""##,
        ),
        (
            "a.csv",
            r#"A : decimal as written "$1,234.50""#,
            r##"E0510 `1,234.50` does not say how digits are written @ 1,234.50 / write: written "$#,##0.00""##,
        ),
        (
            "a.csv",
            r#"A : date as written "dd.MM.""#,
            "E0510 `dd.MM.` drops the year @ dd.MM. / add `yyyy` to the pattern",
        ),
        (
            "a.csv",
            r#"A : bool as written "yes""#,
            "E0510 `written` does not apply to a bool @ yes / read the column as text, and compute: PAID = lower(_PAID) == \"yes\"",
        ),
        (
            "a.csv",
            r#"A : int  unpivot K, N : int from "B""#,
            "E0510 a pattern of headers needs a `*` @ \"B\" / write what the headers have in common: from \"* / Tag\"; or list the headers: from [\"2001\", \"2002\"]",
        ),
        (
            "a.csv",
            r#"A : int  unpivot K, N : int from "B x".."C x", M : int from "* x""#,
            "E0510 several columns of `unpivot` need patterns with `*` @ N : int from \"B x\"..\"C x\" / write what the headers have in common: from \"* / Tag\"",
        ),
        (
            "a.txt",
            r#"A : text  B : text  line "<<A>><<B>>""#,
            "E0510 nothing separates `A` from `B` @ <<A>><<B>> / write what is between them: <<A>> <<B>>; or cut them by characters: A : text from 1..10",
        ),
        (
            "a.txt",
            r#"A : int  line "<<A>> <<A>>""#,
            "E0510 `line` has the column `A` twice @ <<A>> / remove it: a column has one place in a line",
        ),
    ] {
        assert_eq!(said(from, body), [expected], "{body}");
    }
}
