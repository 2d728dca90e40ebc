//! Parquet and JSON Lines beside pyarrow, pandas, and polars: they read what is written, and what they write is read, cell by cell; and as answers. Where these
//! cannot be installed, the tests say that they skip.

use std::path::Path;
use std::process::Command;

use testing::{CommandOutput, TABLES, compile_with, create_folder, expect_success, root};

/// Runs the program of the tests; `None` where the libraries are missing.
fn run_program(folder: &Path, arguments: &[&str]) -> Option<String> {
    let python = TABLES.find_interpreter_or_skip("Parquet and data frames")?;
    let program = root().join("tests/python/frames.py");
    let output = Command::new(python).arg(program).args(arguments).current_dir(folder).output().expect("started");
    let ran = CommandOutput::from(output);
    assert!(ran.status.success(), "{}", ran.join_output());
    Some(ran.out.trim().to_owned())
}

const WRITTEN: &str = r#"suite s { title "S"  version "1.0.0"  samples 6 }
task t {
  table truth {
    rows 0..60
    ID : serial
    NAME : person_name blank 20%
    NOTE : one_of ["a\"b", "\\ü\n\t", "null", "7", "Zürich", ""] blank 20%
    N : int -9..9_000_000 blank 10%
    X : decimal -9_999.999..9_999.999
    Y : decimal 0.00..1.00 blank 30%
    F = ID / 7.0
    OK : bool blank 10%
    D : date 1850-01-01..2099-12-31 blank 10%
    AT : datetime 1969-01-01T00:00..2044-12-31T00:00
    _h = ID * 2
  }
  parquet p at "t.parquet" from truth
  jsonl j at "t.jsonl" from truth
  parquet some at "some.parquet" from truth where ID > 9 { ID = ID  X = X }
  prompt "How many rows of <<p>> have N above 5?"
  expect reply number count(truth where N > 5)
}
"#;

#[test]
fn frames_read_what_is_written() {
    let home = create_folder(&[("s.pcd", WRITTEN)]);
    for seed in ["1", "2"] {
        expect_success(home.path(), &["build", "s.pcd", "-o", &format!("out{seed}"), "--seed", seed, "--quiet"]);
        let Some(cells) = run_program(home.path(), &["written", &format!("out{seed}/files")]) else { return };
        assert!(cells.parse::<u32>().expect("a count") > 1500, "{cells}");
    }
    expect_success(home.path(), &["selftest", "s.pcd"]);
}

const VIEWS: &str = r#"suite s { title "S"  version "1.0.0"  samples 1 }
lake l from "data" {
  FORMAT v from "*.ENDING" {
    ID : int  T : text from "a text"  N : int  U : int  F : float as missing ["NaN"]  X : NUMBER  OK : bool  D : date  AT : datetime
  }
}
task t {
  lake l
  prompt "List all rows of <<l>> as JSON."
  expect reply json <<rows: SELECT ID, T, N, U, F, X, OK, D, AT FROM l.v ORDER BY ID>>
}
"#;

#[test]
fn what_frames_write_is_read() {
    // Programs write decimals in JSON Lines as doubles.
    for (kind, format, number) in [("parquet", "parquet", "decimal"), ("lines", "jsonl", "float")] {
        let suite = VIEWS.replace("FORMAT", format).replace("ENDING", format).replace("NUMBER", number);
        let home = create_folder(&[("s.pcd", &suite)]);
        let Some(rows) = run_program(home.path(), &["write", kind, "data"]) else { return };
        assert!(rows.parse::<u32>().expect("a count") > 600, "{rows}");
        expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
        let compared = run_program(home.path(), &["read", "out", "data"]).expect("it ran");
        assert!(compared.parse::<u32>().expect("a count") > 5000, "{compared}");
    }
}

const ANSWERS: &str = r#"suite s { title "S"  version "1.0.0"  samples 2 }
task t {
  parquet sold at "in/sold.parquet" { rows 40  SKU : unique pattern "[A-Z]{2}[0-9]{4}"  N : int 1..99  PRICE : decimal 1.00..99.99  DAY : date 2024-01-01..2024-12-31  OK : bool }
  low = <<rows: SELECT SKU, N, PRICE, DAY, OK FROM sold WHERE N < 60>>
  require count(low) > 2
  prompt "Write the rows of <<sold>> with N below 60 to <<sandbox>>/low.parquet, with the columns SKU, N, PRICE, DAY and OK."
  expect file "low.parquet" rows low
}
"#;

#[test]
fn files_of_frames_are_answers() {
    let home = create_folder(&[("s.pcd", ANSWERS)]);
    expect_success(home.path(), &["check", "--deny-warnings", "s.pcd"]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    let Some(made) = run_program(home.path(), &["answers", "out"]) else { return };
    for (line, count) in made.lines().zip(1..) {
        let (folder, wanted) = line.split_once(' ').expect("a folder and a verdict");
        let said = testing::run_picardc(home.path(), &["grade", "out", "t-1", "--sandbox", folder, "--json"]);
        let score: serde_json::Value =
            serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.join_output()));
        assert_eq!(score["correct"].as_bool(), Some(wanted == "right"), "{count} {folder}: {score}");
    }
    assert!(made.lines().count() >= 14, "{made}");
}

#[test]
fn what_is_said_of_parquet() {
    let said = |items: &str, files: &[(&str, &[u8])]| -> Vec<String> {
        let text = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n{items}\n");
        let errors = compile_with(&text, files).diagnostics.into_iter();
        errors
            .filter(|said| said.code.id.starts_with('E'))
            .map(|said| format!("{} {}", said.code.id, said.message))
            .collect()
    };
    let task =
        |file: &str| format!("task t {{ {file} prompt \"How many rows has <<p>>?\" expect reply number count(p) }}");
    for (items, files, wanted) in [
        (task("csv p at \"p.parquet\" { rows 3  A : int 1..9 }"), &[][..], "E0504"),
        (task("parquet p at \"p.csv\" { rows 3  A : int 1..9 }"), &[][..], "E0504"),
        (task("parquet p at \"p.parquet\" { table a { rows 3  A : int 1..9 } }"), &[][..], "E0504"),
        (
            "task t { table r { rows 3  A : int 1..9 } parquet p at \"<<A>>.parquet\" from r prompt \"q\" expect reply number count(r) }".to_owned(),
            &[][..],
            "E0702",
        ),
        (
            "task t { table r { rows 3  A : int 1..9 } parquet p at \"p.parquet\" from r { A = A rows repeat 5% } prompt \"How many in <<p>>?\" expect reply number count(r) }".to_owned(),
            &[][..],
            "E0702",
        ),
        (
            "task t { table r { rows 3  A : int 1..9 } parquet p at \"p.parquet\" from r { A = A rows by A } prompt \"How many in <<p>>?\" expect reply number count(r) }".to_owned(),
            &[][..],
            "E0702",
        ),
        (task("parquet p at \"p.parquet\" delimiter \";\" { rows 3  A : int 1..9 }"), &[][..], "E0702"),
        (
            "lake l from \"d\" { parquet v from \"*.parquet\" { A : int } }\ntask t { lake l prompt \"How many in <<l>>?\" expect reply number count(l.v) }".to_owned(),
            &[("d/a.parquet", &b"PAR1 no file PAR1"[..])][..],
            "E0505",
        ),
        (
            "task t { prompt \"Write <<sandbox>>/a.parquet.\" expect file \"a.parquet\" number 5 }".to_owned(),
            &[][..],
            "E0702",
        ),
    ] {
        let found = said(&items, files);
        assert!(found.first().is_some_and(|first| first.starts_with(wanted)), "{items}\n{found:?}");
    }
}
