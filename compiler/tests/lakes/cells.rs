//! Cells exactly as they are: rows with too few fields, blanks at the ends of texts, rows of workbooks that are wider than their header.

use std::fmt::Write as _;
use std::process::Command;

use compiler::diagnostics::{Diagnostic, Severity};
use model::Value;
use serde_json::Value as Json;
use testing::compile_with;

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).expect("small")
    }

    fn one<'o, T: ?Sized>(&mut self, of: &[&'o T]) -> &'o T {
        of[self.below(of.len())]
    }
}

/// What lists of expressions are in a suite with these items and statements.
fn lists(
    items: &str,
    statements: &str,
    lists: &[&str],
    files: &[(&str, &[u8])],
) -> (Vec<Diagnostic>, Option<Vec<Vec<Value>>>) {
    let fields: Vec<String> = lists.iter().enumerate().map(|(at, list)| format!("k{at}: {list}")).collect();
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{items}\ntask t {{\n{statements}\n  prompt \"What is it?\"\n  expect reply json {{ {} }}\n}}\n",
        fields.join(", ")
    );
    let compiled = compile_with(&text, files);
    let said = compiled.diagnostics.clone();
    if compiled.plan.is_none() {
        return (said, None);
    }
    let compiled = testing::keep_errors(compiled);
    let instances = testing::expect_instances(&compiled);
    let Value::Object(found) = testing::find_answer(&instances[0]) else { panic!("an object") };
    let lists = found.iter().map(|(_, value)| match value {
        Value::List(items) => items.clone(),
        other => panic!("{other:?}"),
    });
    let lists = lists.collect();
    (said, Some(lists))
}

fn errors(said: &[Diagnostic]) -> Vec<(&'static str, String)> {
    let errors = said.iter().filter(|said| said.severity() == Severity::Error);
    errors.map(|said| (said.code.id, said.message.clone())).collect()
}

fn codes(said: &[Diagnostic]) -> Vec<(&'static str, String)> {
    said.iter().map(|said| (said.code.id, said.message.clone())).collect()
}

/// V8: with declared columns, without them, and as a fixture, a table is read if every row has enough fields, and else E0505 with its line.
#[test]
fn a_row_with_too_few_fields_is_one_error_however_its_table_is_read() {
    let mut draw = Draw(8);
    let (mut short, mut whole) = (0, 0);
    for round in 0..150 {
        let width = 2 + draw.below(4);
        let rows = 1 + draw.below(6);
        let mut text: String = (0..width).map(|at| format!("{}C{at}", if at > 0 { "," } else { "" })).collect();
        text.push('\n');
        // Where a field is missing at the end of a row, if somewhere.
        let (at, lacks) = (draw.below(rows + 1), 1 + draw.below(width - 1));
        let mut line = 2;
        let mut wrong = None;
        for row in 0..rows {
            // Empty lines count.
            if draw.below(4) == 0 {
                text.push('\n');
                line += 1;
            }
            let fields = if row == at { width - lacks } else { width };
            if row == at {
                wrong = Some((line, fields));
            }
            for field in 0..fields {
                if field > 0 {
                    text.push(',');
                }
                match draw.below(4) {
                    0 => text.push_str("\"a, b\""),
                    // A line break inside of quotes moves the lines below.
                    1 if row != at => {
                        text.push_str("\"x\ny\"");
                        line += 1;
                    }
                    _ => write!(text, "v{row}").expect("written"),
                }
            }
            text.push('\n');
            line += 1;
        }
        let columns: String = (0..width).map(|at| format!("C{at} : text ")).collect();
        let positions: String = (0..width).map(|at| format!("C{at} : text from {} ", at + 1)).collect();
        let forms = [
            ("table v from \"t.csv\" { COLUMNS }".replace("COLUMNS", &columns), ""),
            ("table v from \"t.csv\" { COLUMNS }".replace("COLUMNS", &positions), ""),
            ("table v from \"t.csv\"".to_owned(), ""),
            (String::new(), "  csv v at \"t.csv\" from \"t.csv\""),
        ];
        for (items, statements) in &forms {
            let (said, lists) = lists(items, statements, &["list(v.C1)"], &[("t.csv", text.as_bytes())]);
            let errors = errors(&said);
            match wrong {
                None => {
                    assert_eq!(errors, [], "{round} {items}{statements}\n{text}");
                    assert_eq!(lists.expect("built")[0].len(), rows);
                }
                Some((line, fields)) => {
                    let [(code, message)] = errors.as_slice() else { panic!("{errors:?} {items}{statements}\n{text}") };
                    assert_eq!(*code, "E0505", "{message}");
                    assert!(message.contains(&format!("line {line}")), "{message}\n{text}");
                    assert!(message.contains(&format!("has {fields} ")), "{message}\n{text}");
                    short += 1;
                }
            }
        }
        whole += usize::from(wrong.is_none());
    }
    assert!(short > 200 && whole > 10, "{short} {whole}");
}

#[test]
fn fields_that_are_missing_are_told_with_the_header_and_what_to_do() {
    for (text, layout, message) in [
        ("A,B\n1,2\n3\n", "", "line 3 of `t.csv` has 1 field, but its header has 2"),
        ("1,2\n3\n", "header 0 ", "line 2 of `t.csv` has 1 field, but its first row has 2"),
        ("A,B\n1,2\n3,4,5\n", "", "line 3 of `t.csv` has 3 fields, but its header has 2"),
        // A note below is not a row.
        ("A,B\n1,2\nSource: x\n", "", "line 3 of `t.csv` has 1 field, but its header has 2"),
    ] {
        let items = format!("table v from \"t.csv\" {layout}{{ B : text from 2 }}");
        let (said, _) = lists(&items, "", &["list(v.B)"], &[("t.csv", text.as_bytes())]);
        assert_eq!(errors(&said), [("E0505", message.to_owned())], "{text}");
    }
    // Blank fields beyond the header say nothing, and neither does what `until` leaves out.
    for (text, layout) in
        [("A,B\n1,2,,\n", ""), ("A,B\n1,2\nSource: x\n", "until \"Source\" "), ("A,B\n1,2\n\nx\n", "until blank ")]
    {
        let items = format!("table v from \"t.csv\" {layout}{{ B : int }}");
        let (said, found) = lists(&items, "", &["list(v.B)"], &[("t.csv", text.as_bytes())]);
        assert_eq!(errors(&said), [], "{text}");
        assert_eq!(found.expect("built")[0], [Value::Int(2)]);
    }
}

/// Characters of random texts.
const PARTS: [&str; 16] =
    ["a", "B", "é", "7", "-", " ", "  ", "\t", "\u{a0}", "\u{2003}", ",", ";", "\"", "\n", "x y", "."];

fn text(draw: &mut Draw) -> String {
    // Often the same, so that some differ only in blanks.
    let inner: String = match draw.below(3) {
        0 => draw.one(&["Ann", "Bob", "x y"]).to_owned(),
        _ => (0..draw.below(5)).map(|_| draw.one(&PARTS)).collect(),
    };
    let blanks = |draw: &mut Draw| -> String {
        match draw.below(3) {
            0 => (0..1 + draw.below(2)).map(|_| draw.one(&[" ", "\t", "  ", "\u{a0}", "\u{3000}"])).collect(),
            _ => String::new(),
        }
    };
    let (before, after) = (blanks(draw), blanks(draw));
    format!("{before}{inner}{after}")
}

/// How many random files are read: more for one that asks, so that 20,000 cells and more are.
fn files() -> usize {
    std::env::var("PICARDC_RANDOM_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

/// What Python's `csv` reads: rows of texts, the header apart.
fn python_rows(path: &std::path::Path, delimiter: char) -> Vec<Vec<String>> {
    const SCRIPT: &str = "import csv, json, sys\nrows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), delimiter=sys.argv[2]))\nprint(json.dumps(rows[1:]))";
    let ran =
        Command::new("python3").args(["-c", SCRIPT]).arg(path).arg(delimiter.to_string()).output().expect("python3");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("JSON")
}

/// V9: every text of a CSV file is what Python reads, blanks included: as a view, as a fixture, with columns and without. Numbers, dates, bools, and null
/// marks are read without the blanks around them.
#[test]
fn texts_keep_their_blanks_as_in_python() {
    if !testing::has_python() {
        return;
    }
    let folder = testing::create_folder(&[]);
    let mut draw = Draw(9);
    let (mut cells, mut with_blanks) = (0, 0);
    for round in 0..files() {
        let delimiter = *[',', ';', '|', '\t'].get(draw.below(4)).expect("one");
        let quoted = |cell: &str, always: bool| {
            let needs = cell.contains([delimiter, '"', '\n', '\r']);
            if needs || always { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
        };
        let mut file = ["A", "B", "C", "N", "D", "T"].join(&delimiter.to_string());
        file.push('\n');
        for _ in 0..60 {
            let mut texts = [text(&mut draw), text(&mut draw), text(&mut draw)];
            // A record of one empty cell is an empty line to some readers.
            if texts[0].is_empty() {
                texts[0].push('e');
            }
            let around = |draw: &mut Draw, value: String| {
                format!("{}{value}{}", draw.one(&["", "", " ", "  "]), draw.one(&["", "", " ", "\u{a0}"]))
            };
            let number = draw.below(2000).to_string();
            let day = format!("20{:02}-0{}-1{}", draw.below(40), 1 + draw.below(9), draw.below(9));
            let typed = [number, day, draw.one(&["true", "false"]).to_owned()].map(|value| match draw.below(12) {
                0 => String::new(),
                _ => around(&mut draw, value),
            });
            let row: Vec<String> = texts.iter().chain(&typed).map(|cell| quoted(cell, draw.below(3) == 0)).collect();
            file.push_str(&row.join(&delimiter.to_string()));
            file.push('\n');
        }
        let path = folder.path().join(format!("{round}.csv"));
        std::fs::write(&path, &file).expect("written");
        let rows = python_rows(&path, delimiter);
        assert_eq!(rows.len(), 60);
        let option = match delimiter {
            '\t' => "delimiter \"\\t\"".to_owned(),
            other => format!("delimiter \"{other}\""),
        };
        let items = format!(
            "table v from \"t.csv\" {option} {{ A : text B : text C : text N : int as missing [\"\"] D : date as missing [\"\"] T : bool as missing [\"\"] }}\ntable u from \"t.csv\" {option} skip 0"
        );
        let statements = format!("  csv f at \"t.csv\" {option} from \"t.csv\"");
        let asked = |of: &str| ["A", "B", "C", "N", "D", "T"].map(|at| format!("list({of}.{at})"));
        let files: [(&str, &[u8]); 1] = [("t.csv", file.as_bytes())];
        // A file that agents are given is not private.
        let private: Vec<String> = asked("v").into_iter().chain(asked("u")).collect();
        let private: Vec<&str> = private.iter().map(String::as_str).collect();
        let handed = asked("f");
        let handed: Vec<&str> = handed.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        for (items, statements, asked) in [(items.as_str(), "", &private), ("", statements.as_str(), &handed)] {
            let (said, lists) = lists(items, statements, asked, &files);
            found.extend(lists.unwrap_or_else(|| panic!("{:?}\n{file}", codes(&said))));
        }
        let asked = [private, handed].concat();
        for (at, values) in found.iter().enumerate() {
            let (declared, column) = (at < 6, at % 6);
            let expected = rows.iter().map(|row| {
                let cell = &row[column];
                with_blanks += usize::from(cell.trim() != cell);
                let bare = cell.trim();
                match column {
                    // An empty cell is null where nothing is declared.
                    0..3 if cell.is_empty() && !declared => Value::Null,
                    0..3 => Value::from_text(cell.as_str()),
                    _ if bare.is_empty() => Value::Null,
                    3 => Value::Int(bare.parse().expect("an int")),
                    4 => Value::Date(model::Date::parse_iso(bare).expect("a day")),
                    _ => Value::Bool(bare == "true"),
                }
            });
            // A list leaves out nulls.
            let expected: Vec<Value> = expected.filter(|value| !value.is_null()).collect();
            cells += rows.len();
            assert_eq!(values, &expected, "{}\n{file}", asked[at]);
        }
    }
    assert!(cells >= files() * 1000 && with_blanks * 5 > cells, "{cells} {with_blanks}");
    eprintln!("{cells} cells, {with_blanks} of them with blanks");
}

/// The same of workbooks, which openpyxl writes and reads.
#[test]
fn texts_of_workbooks_keep_their_blanks_as_in_openpyxl() {
    let Some(python) = testing::READERS.find_interpreter_or_skip("workbooks") else { return };
    const SCRIPT: &str = r#"
import json, random, sys, openpyxl
folder, count = sys.argv[1], int(sys.argv[2])
random.seed(11)
blanks = ["", "", " ", "  ", "\t", "\u00a0", "\n"]
books = []
for at in range(count):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["A", "B", "N"])
    for _ in range(60):
        word = lambda: random.choice(blanks) + random.choice(["Ann", "Bob", "x y", "7", "\u00e9", "a" * 3]) + random.choice(blanks)
        number = random.choice([random.randint(0, 99), random.choice(blanks[:4]) + str(random.randint(0, 99))])
        sheet.append([word(), word(), number])
    path = f"{folder}/{at}.xlsx"
    book.save(path)
    rows = list(openpyxl.load_workbook(path).active.iter_rows(values_only=True))[1:]
    books.append(rows)
print(json.dumps(books))
"#;
    let folder = testing::create_folder(&[]);
    let count = files().div_ceil(4);
    let ran =
        Command::new(python).args(["-c", SCRIPT]).arg(folder.path()).arg(count.to_string()).output().expect("python");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let books: Vec<Vec<Vec<Json>>> = serde_json::from_slice(&ran.stdout).expect("JSON");
    let mut cells = 0;
    for (at, rows) in books.iter().enumerate() {
        let bytes = std::fs::read(folder.path().join(format!("{at}.xlsx"))).expect("written");
        let items = "table v from \"b.xlsx\" { A : text B : text N : int }\ntable u from \"b.xlsx\" skip 0";
        let files: [(&str, &[u8]); 1] = [("b.xlsx", &bytes)];
        let private = ["list(v.A)", "list(v.B)", "list(v.N)", "list(u.A)", "list(u.B)"];
        let handed = "  xlsx f at \"b.xlsx\" from \"b.xlsx\" sheet \"Sheet\"";
        let (said, lists_of_views) = lists(items, "", &private, &files);
        let mut found = lists_of_views.unwrap_or_else(|| panic!("{:?}", codes(&said)));
        let (said, lists_of_fixture) = lists("", handed, &["list(f.A)", "list(f.B)"], &files);
        found.extend(lists_of_fixture.unwrap_or_else(|| panic!("{:?}", codes(&said))));
        for (values, column) in found.iter().zip([0, 1, 2, 0, 1, 0, 1]) {
            assert_eq!(values.len(), rows.len());
            for (value, row) in values.iter().zip(rows) {
                cells += 1;
                let expected = match (column, &row[column]) {
                    (2, Json::Number(number)) => Value::Int(number.as_i64().expect("an int")),
                    (2, Json::String(text)) => Value::Int(text.trim().parse().expect("an int")),
                    (_, Json::String(text)) => Value::from_text(text.as_str()),
                    (_, other) => panic!("{other}"),
                };
                assert!(value.is_same(&expected), "{value:?} for {}", row[column]);
            }
        }
    }
    assert!(cells >= count * 400, "{cells}");
}

#[test]
fn what_is_around_a_pattern_of_texts_is_read_without_blanks() {
    let file = "A,B\n [Ann] , 5 km\n[ Bob ],6 km \n";
    let items = "table v from \"t.csv\" { A : text as written \"[@]\"  B : text as written \"@ km\" }";
    let (_, found) = lists(items, "", &["list(v.A)", "list(v.B)"], &[("t.csv", file.as_bytes())]);
    let found = found.expect("built");
    assert_eq!(found[0], ["Ann", " Bob "].map(Value::from_text));
    assert_eq!(found[1], [" 5", "6"].map(Value::from_text));
}

/// W0408: once for a column that the answer reads, and only where texts differ in nothing but blanks at their ends.
#[test]
fn texts_that_differ_only_in_blanks_are_told_where_they_are_read() {
    let file = "NAME,TEAM,PAY\nAnn,a,1\nAnn ,b,2\n Ann,a,3\nBob,a,4\n";
    let view = "table s from \"t.csv\" { NAME : text TEAM : text PAY : int }";
    let trimmed = "table s from \"t.csv\" { _NAME : text from \"NAME\" NAME = trim(_NAME) TEAM : text PAY : int }";
    let handed = "  csv s at \"s.csv\" from \"t.csv\"";
    let warned = |items: &str, statements: &str, answer: &str, file: &str| {
        let text = format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{items}\ntask t {{\n{statements}\n  prompt \"What is the number? Reply with it only.\"\n  expect reply number {answer}\n}}\ntask again {{\n{statements}\n  prompt \"What is the number now? Reply with it only.\"\n  expect reply number {answer} + 1\n}}\n"
        );
        let compiled = compile_with(&text, &[("t.csv", file.as_bytes())]);
        let errors = errors(&compiled.diagnostics);
        assert_eq!(errors, [], "{text}");
        let own = compiled.diagnostics.iter().filter(|said| said.code.name == "outer_blanks");
        own.map(|said| format!("{} / {}", said.message, said.primary.message)).collect::<Vec<_>>()
    };
    let sum = "coalesce(sum(s.PAY where NAME == \"Ann\"), 0)";
    let message = "texts of `s.NAME` differ only in blanks at their ends / 2 fields have such blanks";
    // A view is one table for all tasks; a fixture is one for each.
    assert_eq!(warned(view, "", sum, file), [message]);
    assert_eq!(warned("table s from \"t.csv\"", "", sum, file), [message]);
    assert_eq!(warned("", handed, sum, file), [message, message]);
    assert_eq!(warned(view, "", "<<value: SELECT COUNT(DISTINCT NAME) FROM s>>", file), [message]);
    // What is not read, and what is read without blanks.
    assert_eq!(warned(view, "", "coalesce(sum(s.PAY where TEAM == \"a\"), 0)", file), [""; 0]);
    assert_eq!(warned(trimmed, "", sum, file), [""; 0]);
    assert_eq!(warned(view, "", "coalesce(sum(s.PAY where trim(NAME) == \"Ann\"), 0)", file), [""; 0]);
    assert_eq!(warned("", handed, "coalesce(sum(s.PAY where trim(NAME) == \"Ann\"), 0)", file), [""; 0]);
    assert_eq!(warned(view, "", "coalesce(sum(s.PAY where lower(NAME) == \"ann\"), 0)", file), [message]);
    // Blanks that nothing else has.
    assert_eq!(warned(view, "", sum, "NAME,TEAM,PAY\n Ann,a,1\n Ann,b,2\nBob ,a,3\n"), [""; 0]);
    let allowed = "table s from \"t.csv\" { NAME : text PAY : int allow outer_blanks \"codes\" }";
    assert_eq!(warned(allowed, "", sum, file), [""; 0]);
}
