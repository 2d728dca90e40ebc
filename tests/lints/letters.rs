//! Texts that are ordered or searched by letters that no file has as they are.

use crate::lints::{compile, hold};

/// A table, a file of it with a style, and an answer.
fn body(items: &str, style: &str, answer: &str) -> String {
    format!(
        "table s {{ rows 30 ID : serial T : {items} V : int 1..999 }}\n\
         csv a at \"a.csv\" from s {{ I = ID TT = T {style} W = V }}\n\
         prompt \"Of <<a>>, capitals and blanks do not matter, the asked one: `x`.\"\n{answer}"
    )
}

const MIXED: &str = r#"one_of ["iPhone 15", "Nokia 3310", "eBook reader", "Pixel 8"]"#;
const CASE: &str = "as case 70%";

fn table(rows: &[(&str, &str, &str)]) -> Vec<String> {
    rows.iter().map(|(items, style, answer)| body(items, style, answer)).collect()
}

#[test]
fn letter_case_decides() {
    const NUMBER: &str = "expect reply number coalesce(sum(a.W where TT == min(a.TT)), 0)";
    let caught = table(&[
        (MIXED, CASE, NUMBER),
        (MIXED, CASE, "expect reply number coalesce(sum(s.V where T == max(s.T)), 0)"),
        (MIXED, "as case 70% space 5%", NUMBER),
        (r#"unique pattern "[A-Za-z]{4}[0-9]{4}""#, CASE, "expect reply text min(a.TT) ignore case"),
        (MIXED, CASE, r#"expect reply number count(a where TT >= "J")"#),
        (MIXED, CASE, r#"expect reply number count(a where "e" < TT)"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE TT >= 'J'>>"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE TT BETWEEN 'J' AND 'd'>>"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE TT = (SELECT MAX(TT) FROM a)>>"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE instr(TT, 'b') > 0>>"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE TT GLOB '*b*'>>"#),
        (MIXED, CASE, "expect reply list <<list: SELECT TT FROM a ORDER BY TT, I LIMIT 5>> ignore case"),
        (MIXED, CASE, "expect reply list <<list: SELECT I FROM a ORDER BY TT, I>> ordered"),
        (
            MIXED,
            CASE,
            "expect reply number coalesce(<<value: SELECT I FROM (SELECT I, ROW_NUMBER() OVER (ORDER BY TT, I) AS N FROM a) WHERE N = 3>>, 0)",
        ),
        (MIXED, CASE, "expect reply list sort(list(a.TT)) ordered ignore case"),
        (MIXED, CASE, "expect reply text coalesce(nth(sort(list(a.TT)), 1), \"none\") ignore case"),
        (MIXED, CASE, r#"expect reply text join(sort(list(a.TT)), ", ") ignore case"#),
        ("unique person_name", CASE, r#"expect reply number count(a where contains(TT, "a"))"#),
        (MIXED, CASE, r#"expect reply number count(a where starts_with(TT, "E"))"#),
        (MIXED, CASE, "m = min(a.TT)\nn = count(a where TT == m)\nexpect reply number n"),
    ]);
    let right = table(&[
        // Order and parts are the same in any letters.
        (r#"one_of ["Iphone", "Nokia", "Ebook"]"#, CASE, NUMBER),
        (r#"one_of ["iphone", "nokia 3310", "ebook"]"#, CASE, NUMBER),
        (
            r#"unique pattern "[A-Z]{4}[0-9]{3}""#,
            CASE,
            "expect reply number <<value: SELECT W FROM a ORDER BY TT LIMIT 1>>",
        ),
        (r#"unique pattern "[a-z]{4}""#, CASE, r#"expect reply number count(a where contains(TT, "b"))"#),
        (MIXED, CASE, r#"expect reply number count(a where contains(TT, "oki"))"#),
        (MIXED, CASE, r#"expect reply number <<value: SELECT COUNT(*) FROM a WHERE TT LIKE 'E%'>>"#),
        (MIXED, CASE, r#"expect reply number count(a where TT >= "1" and TT == "Pixel 8")"#),
        (MIXED, CASE, r#"expect reply number count(a where starts_with(TT, "e"))"#),
        // Equality, groups, and counts.
        (MIXED, CASE, r#"expect reply number count(a where TT == "Nokia 3310")"#),
        (MIXED, CASE, "expect reply number distinct_count(a.TT)"),
        (MIXED, CASE, "expect reply rows <<rows: SELECT TT, COUNT(*) AS N FROM a GROUP BY TT>> ignore case"),
        (
            MIXED,
            CASE,
            "expect reply rows <<rows: SELECT TT, COUNT(*) AS N FROM a GROUP BY TT ORDER BY TT>> ignore case",
        ),
        (MIXED, CASE, "expect reply list sort(list(a.TT)) ignore case"),
        (MIXED, CASE, "expect reply list dedupe(sort(list(a.TT))) ignore case"),
        (MIXED, CASE, "expect reply number len(sort(dedupe(list(a.TT))))"),
        (MIXED, CASE, "expect reply text coalesce(mode(a.TT), \"none\") ignore case"),
        // In one letter case.
        (MIXED, CASE, "expect reply number coalesce(sum(a.W where lower(TT) == min(lower(a.TT))), 0)"),
        (MIXED, CASE, r#"expect reply number count(a where contains(lower(TT), "e"))"#),
        (MIXED, CASE, "expect reply list <<list: SELECT I FROM a ORDER BY lower(TT), I>> ordered"),
        (MIXED, CASE, "expect reply list <<list: SELECT I FROM a ORDER BY TT COLLATE NOCASE, I>> ordered"),
        (MIXED, CASE, "expect reply number <<value: SELECT COUNT(*) FROM a WHERE lower(TT) >= 'j'>>"),
        // Nothing is written in other letters.
        (MIXED, "", NUMBER),
        (MIXED, "as space 10%", NUMBER),
        // Clean in another file.
        (
            MIXED,
            CASE,
            "csv b at \"b.csv\" from s { I = ID TT = T }\nexpect reply number coalesce(sum(a.W where TT == min(a.TT)), 0)",
        ),
    ]);
    hold(
        "letter_case_decides",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn the_witness_is_named() {
    let told = |answer: &str| {
        let compiled = compile(&body(MIXED, CASE, answer));
        let found = compiled.diagnostics.iter().find(|said| said.code.name == "letter_case_decides");
        found.map(|said| said.primary.message.clone()).unwrap_or_default()
    };
    assert_eq!(
        told("expect reply number count(a where TT == min(a.TT))"),
        "\"Pixel 8\" comes before \"eBook reader\" only because of capitals"
    );
    assert_eq!(
        told(r#"expect reply number count(a where starts_with(TT, "E"))"#),
        "for \"eBook reader\", the result depends on its letter case"
    );
}
