//! What `picardc infer` prints passes `check` on the file: of every file of the shipped lake, and of random dirty files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use compiler::infer::{Form, Wanted, infer_declarations};
use proptest::prelude::*;
use testing::{compile_with, keep_errors, run_picardc};

mod agreement;
mod columns;
mod files;

/// The declarations of a file in a suite of their own.
fn suite(form: Form, declarations: &[String]) -> String {
    let all = declarations.join("\n");
    let task = |inside: &str| format!("task q {{\n prompt \"q\"\n expect reply text \"a\"\n{inside}}}\n");
    let items = match form {
        Form::View => format!("lake l from \"f\" {{\n{all}}}\n{}", task("")),
        Form::Table => format!("{all}\n{}", task("")),
        Form::Fixture => task(&all),
    };
    format!("suite s {{ title \"S\" version \"1\" }}\n{items}")
}

/// What is declared of a file, checked on it by a suite that has all declarations at once.
fn declared(name: &str, bytes: &[u8], form: Form) -> Option<Vec<String>> {
    let found = infer_declarations(Wanted { form, path: name, sheet: None }, bytes, &api::Memory::default()).ok()?;
    assert!(!found.declarations.is_empty() && found.lost.starts_with("# lost: "), "{name}");
    let found = found.declarations;
    let text = suite(form, &found);
    let in_lake = format!("f/{name}");
    let compiled = keep_errors(compile_with(&text, &[(name, bytes), (&in_lake, bytes)]));
    let said: Vec<String> =
        compiled.diagnostics.iter().map(|said| format!("{} {}", said.code.id, said.message)).collect();
    assert!(said.is_empty(), "{name} as {}: {said:?}\n{text}", form.word());
    assert_eq!(compiler::fmt::format_source(&text).map(|_| ()), Ok(()), "{text}");
    Some(found)
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("read").map(|entry| entry.expect("read").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { below(&path, found) } else { found.push(path) }
    }
}

/// How many columns have which type.
#[derive(Default, Debug)]
struct Count {
    files: usize,
    declared: usize,
    tables: usize,
    typed: usize,
    texts: usize,
}

impl Count {
    fn add(&mut self, name: &str, bytes: &[u8]) -> String {
        self.files += 1;
        let mut out = format!("## {name}\n");
        let Some(found) = declared(name, bytes, Form::View) else { return format!("{out}not a table\n") };
        self.declared += 1;
        self.tables += found.iter().filter(|declaration| declaration.contains('{')).count();
        for declaration in &found {
            let columns = declaration.lines().filter(|line| line.starts_with("  ") && line.contains(" : "));
            for column in columns {
                let text = column.split(" : ").nth(1).is_some_and(|ty| ty.starts_with("text"));
                *(if text { &mut self.texts } else { &mut self.typed }) += 1;
            }
            out.push_str(declaration);
        }
        out
    }
}

#[test]
fn every_file_of_the_shipped_lake_is_declared() {
    let folder = testing::root().join("suites/lake");
    let mut files = Vec::new();
    below(&folder, &mut files);
    let mut count = Count::default();
    let mut shown = String::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|ending| ending != "py")) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let bytes = fs::read(path).expect("read");
        shown.push_str(&count.add(name, &bytes));
        for form in [Form::Fixture, Form::Table] {
            declared(name, &bytes, form);
        }
    }
    let _ = writeln!(shown, "## all\n{count:?}");
    insta::assert_snapshot!(shown);
}

#[test]
fn every_real_table_is_declared() {
    let Some(folder) = std::env::var_os("PICARDC_KRAMA") else {
        eprintln!("skipped: PICARDC_KRAMA names no folder of real files");
        return;
    };
    let mut files = Vec::new();
    below(Path::new(&folder), &mut files);
    let mut count = Count::default();
    for path in &files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if !name.starts_with('.') && name.contains('.') {
            println!("{}", count.add(name, &fs::read(path).expect("read")));
        }
    }
    println!("{count:?}");
    assert!(count.declared * 10 >= count.files * 9, "{count:?}");
}

/// Cells of every kind, some of them dirty.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-2000i32..2000).prop_map(|number| number.to_string()),
        2 => (0u32..99999, 0u32..100).prop_map(|(whole, part)| format!("{whole}.{part:02}")),
        2 => (0u32..99999, 0u32..100).prop_map(|(whole, part)| format!("{whole},{part:02}")),
        2 => (1u32..29, 1u32..13, 1990u32..2030).prop_map(|(day, month, year)| format!("{day:02}.{month:02}.{year}")),
        2 => (1u32..29, 1u32..13).prop_map(|(day, month)| format!("{month}/{day}/2024")),
        1 => (0u32..100).prop_map(|share| format!("{share}%")),
        3 => "[A-Za-zÄéß ]{0,9}",
        1 => Just("N/A".to_owned()),
        1 => Just(String::new()),
        1 => Just("1.5e3".to_owned()),
        1 => Just("007".to_owned()),
        1 => Just("1,234".to_owned()),
        1 => Just("TRUE".to_owned()),
        1 => "[ -~]{0,12}",
        1 => Just("a\"b,c;d\te\nf <<x>> `y` \\".to_owned()),
    ]
}

/// A file: titles, a header, rows that are columns of few kinds, notes.
fn file() -> impl Strategy<Value = (String, char, bool, bool)> {
    let column = (prop::collection::vec(cell(), 1..3), "[A-Za-z_ `#%äÖ0-9]{0,8}");
    let parts = (
        prop::collection::vec(column, 1..6),
        0usize..9,
        prop::collection::vec("[A-Za-z ,;:]{0,20}", 0..3),
        prop::collection::vec("[A-Za-z ,;:]{0,20}", 0..3),
        prop::sample::select(vec![',', ';', '\t', '|']),
        any::<bool>(),
        any::<bool>(),
        any::<u64>(),
    );
    parts.prop_map(|(columns, rows, above, below, delimiter, crlf, latin, seed)| {
        let quoted = |cell: &str| {
            let odd = cell.contains([delimiter, '"', '\n', '\r']);
            if odd { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
        };
        let mut lines: Vec<String> = above;
        let joined = |cells: Vec<String>| cells.join(&delimiter.to_string());
        lines.push(joined(columns.iter().map(|(_, header)| quoted(header)).collect()));
        for row in 0..rows as u64 {
            let cells = columns.iter().zip(1u64..).map(|((cells, _), at)| {
                let pick = seed.wrapping_mul(row + 7).wrapping_add(at * row) >> 7;
                quoted(&cells[(pick as usize) % cells.len()])
            });
            lines.push(joined(cells.collect()));
        }
        lines.extend(below);
        (lines.join(if crlf { "\r\n" } else { "\n" }), delimiter, crlf, latin)
    })
}

proptest! {
    // A failure names its seed; nothing is written into the sources.
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_of_a_dirty_file_passes_check((text, delimiter, _crlf, latin) in file()) {
        let one_byte = latin && text.chars().all(|char| u32::from(char) < 256);
        let bytes: Arc<[u8]> = match one_byte {
            true => text.chars().map(|char| char as u8).collect(),
            false => Arc::from(text.as_bytes()),
        };
        let name = if delimiter == '\t' { "dirty.tsv" } else { "dirty.csv" };
        for form in [Form::View, Form::Fixture, Form::Table] {
            let found = declared(name, &bytes, form);
            let refused = infer_declarations(Wanted { form, path: name, sheet: None }, &bytes, &api::Memory::default());
            // A row that does not fit the header is the author's to correct.
            let told = refused.is_err_and(|error| error.message.contains(" fields, but its header has "));
            prop_assert!(form == Form::Table || found.is_some() || told, "{text}");
        }
    }

    #[test]
    fn bytes_of_any_kind_are_declared_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), ending in 0usize..6) {
        let name = ["a.csv", "a.json", "a.yaml", "a.xlsx", "a.txt", "a.db"][ending];
        for form in [Form::View, Form::Fixture, Form::Table] {
            declared(name, &bytes, form);
        }
    }

    #[test]
    fn arrays_of_json_are_declared(values in prop::collection::vec(("[a-zA-Z .`'é]{1,6}", prop::collection::vec(cell(), 0..4)), 1..4)) {
        let mut fields: Vec<String> = Vec::new();
        for (key, cells) in &values {
            let items: Vec<String> = cells.iter().map(|cell| format!("{{\"n\":{}, \"x y\":1}}", serde_json::json!(cell))).collect();
            fields.push(format!("{}:[{}]", serde_json::json!(key), items.join(",")));
        }
        let text = format!("{{{}}}", fields.join(","));
        for form in [Form::View, Form::Fixture, Form::Table] {
            declared("tree.json", text.as_bytes(), form);
        }
    }
}

#[test]
fn the_command_prints_a_declaration_and_explains_what_it_cannot_do() {
    let home = tempfile::tempdir().expect("temp");
    fs::create_dir_all(home.path().join("data")).expect("made");
    fs::write(home.path().join("data/rain.csv"), "Rain\n\nYear,Rain (mm)\n2001,3.5\n2002,n/a\n2003,0.0\n")
        .expect("written");
    fs::write(home.path().join("data/odd.csv"), b"\0\0").expect("written");
    let ran = run_picardc(home.path(), &["infer", "data/rain.csv", "--as", "table"]);
    let expected = "table rain from \"data/rain.csv\" skip \"Year\" {\n  # not read: 1 row above the header, the first in line 1: Rain\n  YEAR    : int from \
                    \"Year\"\n  # null: \"n/a\" (1 cell)\n  RAIN_MM : decimal from \"Rain (mm)\" as missing [\"n/a\"]\n  key (YEAR)\n}\n\n\
                    # lost: 2 cells: 1 null, 1 above the header\n";
    assert_eq!(ran.out, expected, "{}", ran.err);
    let ran = run_picardc(home.path(), &["infer", "data/odd.csv"]);
    assert_eq!((ran.status.code(), ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    let ran = run_picardc(home.path(), &["infer", "data/none.csv"]);
    assert_eq!(ran.status.code(), Some(2), "{}", ran.err);
}

/// The path that is declared is that of the file in a suite of the current folder, however the file is named; of a file outside, there is only its name.
#[test]
fn the_path_of_a_declaration_is_that_of_a_suite_in_the_current_folder() {
    let rows = "YEAR,MM\n2001,3\n2002,4\n";
    let home = testing::create_folder(&[("data/rain.csv", rows), ("other/note.txt", ""), ("rain.csv", rows)]);
    // A temporary folder can be named through a link.
    let at = fs::canonicalize(home.path()).expect("a path");
    let whole = at.join("data/rain.csv").display().to_string();
    for (folder, given, path) in [
        ("", "data/rain.csv", "data/rain.csv"),
        ("", "./data/rain.csv", "data/rain.csv"),
        ("", "rain.csv", "rain.csv"),
        ("", whole.as_str(), "data/rain.csv"),
        ("data", "rain.csv", "rain.csv"),
        ("data", whole.as_str(), "rain.csv"),
        ("other", "../data/rain.csv", "rain.csv"),
        ("other", whole.as_str(), "rain.csv"),
    ] {
        let folder = at.join(folder);
        for (form, begin) in [
            ("fixture", format!("csv rain at \"rain.csv\" from \"{path}\" {{\n")),
            ("table", format!("table rain from \"{path}\" {{\n")),
            ("view", "csv rain from \"rain.csv\" {\n".to_owned()),
        ] {
            let ran = run_picardc(&folder, &["infer", given, "--as", form]);
            assert!(ran.status.success() && ran.out.starts_with(&begin), "{given} as {form}: {}{}", ran.out, ran.err);
            if form == "view" {
                assert_eq!(run_picardc(&folder, &["infer", given]).out, ran.out, "views are the default");
            }
            // What is printed is checked in a suite there; a file outside is first copied, as the help says.
            if form != "view" && folder.join(path).exists() {
                let form = if form == "fixture" { Form::Fixture } else { Form::Table };
                fs::write(folder.join("s.pcd"), suite(form, &[ran.out])).expect("written");
                let checked = run_picardc(&folder, &["check", "s.pcd"]);
                assert!(checked.status.success(), "{given}: {}", checked.join_output());
            }
        }
    }
    let help = run_picardc(&at, &["infer", "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("A file outside this folder is printed without its folders"), "{help}");
}
