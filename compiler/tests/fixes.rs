//! What is offered where a file is not as it is declared: each edit is applied, and what the suite is then has to be said of it.

#![allow(clippy::disallowed_methods)] // tests read fixtures and the environment; the compiler does not

use std::fmt::Write as _;

use compiler::Compiled;
use compiler::diagnostics::{Applicability, apply};
use testing::compile_with;

const FILES: &[(&str, &[u8])] = &[
    ("latin.csv", b"AREA,N\nF\xe4hre,1\n"),
    ("wide.csv", "AREA,N\nKiel,1\nFähre,2\n".as_bytes()),
    ("half.csv", b"AREA;N\nKiel;1,5\nUlm;2,5\n"),
    ("a.csv", b"Area Name,N,Tag,Tag\nKiel,1,x,y\nUlm,2,x,y\n"),
    ("d/a.csv", b"Area,N\nKiel,1\n"),
    ("d/b.csv", b"Areas,N\nKiel,1\n"),
    ("marks.csv", b"AREA,MM,DAY\nKiel,1.5,03/04/2021\nUlm,0.3T,05/06/2021\nBonn,M,07/08/2021\n"),
    ("tree.json", br#"{"result": {"items": [{"a": 1}], "notes": [{"a": 2}]}}"#),
    ("w/tree.xml", b"<all><site><id>1</id></site><note><id>2</id></note></all>"),
    ("w/page.html", b"<table><caption>One</caption><tr><th>A</th></tr><tr><td>1</td></tr></table><table><tr><th>A</th></tr><tr><td>2</td></tr></table>"),
    ("top.csv", b"Ranking of 2024\nRank,Name\n1,x\n"),
];

fn compiled(text: &str) -> Compiled {
    let mut files: Vec<(&str, &[u8])> = FILES.to_vec();
    let book = std::fs::read(testing::root().join("suites/lake/data/survey.xlsx")).expect("a workbook");
    files.push(("survey.xlsx", &book));
    testing::errors(compile_with(text, &files))
}

#[test]
fn what_is_offered_for_a_file_that_is_not_as_declared() {
    let mut out = String::new();
    for items in [
        "table t from \"latin.csv\" { AREA : text  N : int }",
        "table t from \"latin.csv\" encoding \"utf-16le\" { AREA : text  N : int }",
        "table t from \"wide.csv\" encoding \"utf-16be\" { AREA : text  N : int }",
        "table t from \"half.csv\" { AREA : text  N : decimal as written \"0,0\" }",
        "table t from \"half.csv\" delimiter \"|\" { AREA : text  N : decimal as written \"0,0\" }",
        "table t from \"half.csv\" { AREA : text from 1  N : text from 2 }",
        "table t from \"half.csv\" skip \"N\" { AREA : text  N : decimal as written \"0,0\" }",
        "table t from \"a.csv\" { AREA : text from \"Area name\"  N : int }",
        "table t from \"a.csv\" { AREA : text from \"Area Name\"  n : int }",
        "table t from \"a.csv\" { A, B : text  N : int }",
        "table t from \"a.csv\" { AREA : text from \"Area Name\"  TAG : one_of [\"x\", \"y\"] from \"Tag\" }",
        "table t from \"a.csv\" { AREA : text from \"Area Name\"  Tag : text }",
        "lake l from \"d\" { csv v from \"*.csv\" { A : text from \"Area\"  N : int } }",
        "table t from \"marks.csv\" { AREA : text  MM : decimal  }",
        "table t from \"marks.csv\" missing [\"\"] { AREA : text  MM : decimal as missing [\"x\"] }",
        "table t from \"marks.csv\" { AREA : text  MM : float  as  written \"0.0\" }",
        "table t from \"marks.csv\" { AREA : text  DAY : date }",
        "table t from \"marks.csv\" { AREA : text  DAY : date from \"DAY\" as written \"dd/MM/yyyy\" written \"MM/dd/yyyy\" }",
        "table t from \"a.csv\" { AREA : text from \"Area Name\"  N : bool }",
        "table t from \"half.csv\" delimiter \";\" { AREA : text  N : int }",
        "lake l from \"d\" { csv v from \"a.csv\" { unpivot W, V : int from [\"Area\", \"N\"] } }",
        "table t from \"tree.json\" { a : int }",
        "table t from \"tree.json\" at \"$.items\" { a : int }",
        "lake l from \"w\" { xml v from \"tree.xml\" { id : int } }",
        "lake l from \"w\" { xml v from \"tree.xml\" at \"/all/sites\" { id : int } }",
        "lake l from \"w\" { html v from \"page.html\" { A : int } }",
        "lake l from \"w\" { html v from \"page.html\" at \"Three\" { A : int } }",
        "table t from \"survey.xlsx\" { A : text from 1 }",
        "table t from \"survey.xlsx\" sheet \"Survey\" { A : text from 1 }",
        "table t from \"top.csv\" skip \"Ranking\" { RANK : int from \"Rank\" }",
    ] {
        let text = format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{items}\ntask q {{\n  prompt \"What is it? Reply with it only.\"\n  expect reply text \"a\"\n}}\n"
        );
        let before = compiled(&text);
        let _ = writeln!(out, "═══ {items}");
        for said in &before.diagnostics {
            let _ = writeln!(out, "{} {}", said.code.id, said.message);
            for (word, text) in said.notes() {
                let _ = writeln!(out, "  {word}: {}", text.replace('\n', "\n        "));
            }
            for fix in &said.fixes {
                let texts = apply(&[fix], &before.sources).expect("inside of the text");
                let after = texts.values().next().expect("one file");
                let line = after.lines().nth(1).expect("the items");
                let left: Vec<String> = compiled(after)
                    .diagnostics
                    .iter()
                    .map(|said| format!("\n      leaves {} {}", said.code.id, said.message))
                    .collect();
                let sure = if fix.applicability == Applicability::Safe { " (safe)" } else { "" };
                let _ = writeln!(out, "  fix: {}{sure}\n    → {line}{}", fix.message, left.concat());
                assert!(!left.iter().any(|left| left.contains(&said.message)), "{items}\n{}", fix.message);
            }
        }
    }
    insta::assert_snapshot!(out);
}
