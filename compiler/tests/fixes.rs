//! What is offered where a file is not as it is declared: each edit is applied, and what the suite is then has to be said of it.

use std::fmt::Write as _;

use compiler::Compiled;
use compiler::diagnostics::{Applicability, Code, Diagnostic, apply_fixes};
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
    testing::keep_errors(compile_with(text, &files))
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
            for (word, text) in said.iter_notes() {
                let _ = writeln!(out, "  {word}: {}", text.replace('\n', "\n        "));
            }
            for fix in &said.fixes {
                let texts = apply_fixes(&[fix], &before.sources).expect("inside of the text");
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

/// What other languages write, and other slips: the body of a task, what is said, and the text that its fix leaves, or the help.
const SLIPS: &[(&str, &str, &str)] = &[
    (
        r##"  csv o at "o.csv" { rows 3..9  A : int 1..99 }
  n : count(o)
  prompt "How many rows has <<o>>? Reply with the number only."
  expect reply number n"##,
        "`count` is a function, not a domain",
        r##"help: a name is computed with `=`: NAME = count(…)"##,
    ),
    (
        r##"  a : one_of("x", "y")
  prompt "Reply with <<a>>."
  expect reply text a"##,
        "`one_of` takes a list in `[ ]`, not in `( )`",
        r##"one_of["x", "y"]"##,
    ),
    (
        r##"  k : zipf 1..10
  prompt "Reply with <<k>> times 3. Reply with the number only."
  expect reply number k * 3"##,
        "domain `zipf` does not accept a range",
        r##"help: write, for example: zipf 100"##,
    ),
    (
        r##"  a : word
  prompt "Reply with <<a>> or with the word b."
  expect reply text any_of ("b", a)"##,
        "a list is written in `[ ]`, not in `( )`",
        r##"any_of ["b", a]"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" {
    rows: 75
    A : int 1..99
  }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where A > t)"##,
        "`rows` does not take `:`",
        "    rows 75\n",
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" {
    rows = 75
    A : int 1..99
  }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where A > t)"##,
        "`o` does not define its number of rows",
        r##"help: write the number directly after the word"##,
    ),
    (
        r##"  t : city
  csv o at "o.csv" { rows 30  CITY = city }
  prompt "How often is <<t>> in <<o>>? Reply with the number only."
  expect reply number count(o where CITY == t)"##,
        "`city` is not defined",
        r##"help: `city` is a domain: to draw from it, write `CITY : city`"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where A > t AND A < 99 OR A == 1)"##,
        "`AND` is written in small letters",
        r##"count(o where A > t and A < 99 or A == 1)"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  require t > 20 AND t != 30
  expect reply number count(o where A > t)"##,
        "`AND` is written in small letters",
        r##"require t > 20 and t != 30"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where A between 10 and 20)"##,
        "`between` is not an operator in `.pcd`",
        r##"help: compare with both bounds: `A >= 10 and A <= 20`"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where A IN [t, 5])"##,
        "`IN` is written in small letters",
        r##"count(o where A in [t, 5])"##,
    ),
    (
        r##"  csv o at "o.csv" { rows 30  CITY : city blank 20% }
  prompt "How many cities in <<o>> are missing? Reply with the number only."
  expect reply number count(o where CITY is null)"##,
        "`is null` is not a comparison in `.pcd`",
        r##"count(o where CITY == null)"##,
    ),
    (
        r##"  csv o at "o.csv" { rows 30  CITY : city }
  prompt "How many cities in <<o>> begin with B? Reply with the number only."
  expect reply number count(o where CITY like "B%")"##,
        "`like` is not an operator in `.pcd`",
        r##"help: use a function: `contains(CITY, …)`"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number count(o where NOT A > t)"##,
        "`NOT` is written in small letters",
        r##"count(o where not A > t)"##,
    ),
    (
        r##"  t : int 10..90
  csv o at "o.csv" { rows 30  A : int 1..99 }
  n = <<value: SELECT COUNT(*) FROM o WHERE A > <<t>>>>
  prompt "How many A in <<o>> are above <<t>>? Reply with the number only."
  expect reply number n"##,
        "a query cannot contain `<<t>>`",
        r##"WHERE A > :t>>"##,
    ),
];

#[test]
fn a_slip_is_told_once_and_its_fix_is_right() {
    let mut wrong = String::new();
    for (body, message, right) in SLIPS {
        let before = compiled(&testing::build_suite_source("samples 3", body));
        let said: Vec<&str> = before.diagnostics.iter().map(|said| said.message.as_str()).collect();
        let [only] = before.diagnostics.as_slice() else {
            let _ = writeln!(wrong, "{body}\n   {said:?}");
            continue;
        };
        let helps = right.strip_prefix("help: ");
        let good = match (helps, only.fixes.as_slice()) {
            (Some(help), []) => only.help.as_deref().is_some_and(|own| own.starts_with(help)),
            (None, [fix]) => {
                let texts = apply_fixes(&[fix], &before.sources).expect("inside of the text");
                texts.values().all(|text| text.contains(right) && compiled(text).diagnostics.is_empty())
            }
            _ => false,
        };
        if only.message != *message || !good {
            let fixes: Vec<_> = only.fixes.iter().map(|fix| &fix.edits).collect();
            let _ = writeln!(wrong, "{body}\n   {said:?} {:?} {fixes:?}", only.help);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What the chapter on the command line promises: after a fix of the only mistake, its line can be read.
#[test]
fn after_a_fix_of_the_only_mistake_its_line_can_be_read() {
    let (mut tried, mut wrong) = (0, String::new());
    for path in testing::list_below(testing::root().join("tests/mistakes/wrong"), "pcd") {
        let files = testing::read_files(path.parent().expect("a folder"));
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        let text = std::fs::read_to_string(&path).expect("a suite");
        let before = compile_with(&text, &files);
        let [only] = before.diagnostics.as_slice() else { continue };
        for fix in &only.fixes {
            let texts = apply_fixes(&[fix], &before.sources).expect("inside of the text");
            let Some(after) = texts.values().next().filter(|_| texts.len() == 1) else { continue };
            let after = testing::keep_errors(compile_with(after, &files));
            tried += 1;
            let line = before.sources.start_position(fix.edits[0].span).line;
            let is_there = |left: &Diagnostic| after.sources.start_position(left.primary.span).line == line;
            if after.diagnostics.iter().any(|left| left.code == Code::SYNTAX && is_there(left)) {
                let _ = writeln!(wrong, "{}: {}: {:?}", path.display(), fix.message, testing::list_places(&after));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tried > 100, "{tried} fixes");
}

/// The cells of a column, its declared type, and how often the diagnostic says what `%` does.
const PERCENTAGES: &[(&str, &str, usize)] = &[
    ("12%\n7%\n", "int", 1),
    ("12%\n7%\n", "decimal", 1),
    ("12%\n7%\n", "float", 1),
    ("12.5%\n7.0%\n", "int", 1),
    ("12%\n7%\n\n", "int", 1),
    ("12%\n7%\nn/a\n", "decimal", 1),
    ("% 12\n% 7\n", "int", 1),
    // With and without the sign: nothing is proposed, and nothing is read.
    ("12%\n7\n", "int", 0),
    ("12%\nmuch\n", "int", 1),
    ("12\nmuch\n", "int", 0),
    ("12 kg\n7 kg\n", "int", 0),
];

#[test]
fn what_a_percent_sign_does_is_said_once() {
    let mut wrong = Vec::new();
    for (cells, ty, wanted) in PERCENTAGES {
        let text = format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable t from \"p.csv\" {{ N : {ty} }}\ntask q {{\n  prompt \"What is it? \
             Reply with it only.\"\n  expect reply text \"a\"\n}}\n"
        );
        let file = format!("N\n{cells}");
        let compiled = testing::keep_errors(compile_with(&text, &[("p.csv", file.as_bytes())]));
        let codes = testing::list_codes(&compiled);
        let texts: Vec<&str> =
            compiled.diagnostics.iter().flat_map(Diagnostic::iter_notes).map(|(_, text)| text).collect();
        let told = texts.iter().map(|text| text.matches("divides by 100").count()).sum::<usize>();
        if codes != ["E0507"] || told != *wanted {
            wrong.push(format!("{cells:?} {ty}: said {told} times, not {wanted}: {codes:?} {texts:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
