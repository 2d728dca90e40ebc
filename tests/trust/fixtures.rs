//! Files that a suite reads: cells as written, nulls, marks, and limits.

use serde_json::json;
use testing::{CommandOutput, create_folder, run_picardc, write_in_folder};

use crate::trust::support::{key, keys, said, suite};

#[test]
fn b3_cells_of_a_fixture_are_given_as_written() {
    let csv = "A,B,C,D,E\n5,1e3,-0,2024-03-01T10:00,true\n7.25,2.5,4,2024-03-02T10:00:30,\n-0.00,7,12,2024-03-03 09:00,false\n";
    let task = "csv f at \"f.csv\" from \"x.csv\"
        prompt \"<<f>>\"
        expect reply json {
          row1: csv_row(f, 1), row2: csv_row(f, 2), row3: csv_row(f, 3), cell: csv_cell(f, 1, 1), of_two: csv_cell(f where B > 2, 3, 3),
          sum: sum(f.A), value: csv_value(f.A, 1)
        }";
    assert_eq!(
        key(task, &[("x.csv", csv.as_bytes())]),
        json!({
            "row1": ["5", "1e3", "-0", "2024-03-01T10:00", "true"],
            "row2": ["7.25", "2.5", "4", "2024-03-02T10:00:30", ""],
            "row3": ["-0.00", "7", "12", "2024-03-03 09:00", "false"],
            "cell": "5",
            "of_two": "12",
            "sum": {"decimal": "12.25"},
            "value": {"decimal": "5.00"},
        })
    );
}

#[test]
fn b4_decimals_of_json_and_yaml_fixtures_are_exact() {
    let json_file = br#"{"x": [{"value": 0.1}, {"value": 0.2}, {"value": 0.3}], "a": 0.30, "b": 0.3, "e": 3e-1, "long": 0.12345678901234567891}"#;
    let yaml_file = b"x:\n  - {value: 0.1}\n  - {value: 0.2}\n  - {value: 0.3}\na: 0.30\nb: 0.3\ne: 3.0e-1\nlong: 0.12345678901234567891\n";
    for (word, file) in [("json", &json_file[..]), ("yaml", &yaml_file[..])] {
        let task = format!(
            "{word} f at \"f.{word}\" from \"x.{word}\"
            prompt \"<<f>>\"
            expect reply json {{
              sum: sum(f.x.value), path: <<{word}_sum: f, $.x[*].value>>, sql: <<value: SELECT sum(value) FROM f.x>>,
              same: f.a == f.b, a: f.a, at: <<{word}_value: f, $.a>>, e: f.e, long: f.long
            }}"
        );
        assert_eq!(
            key(&task, &[(&format!("x.{word}"), file)]),
            json!({
                "sum": {"decimal": "0.6"}, "path": {"decimal": "0.6"}, "sql": {"decimal": "0.6"}, "same": true,
                "a": {"decimal": "0.30"}, "at": {"decimal": "0.30"}, "e": 0.3, "long": 0.123_456_789_012_345_68,
            }),
            "{word}"
        );
    }
}

#[test]
fn b5_a_null_field_of_xml_is_not_written() {
    let task = "xml feed at \"feed.xml\" cat {
          item : [ { @id : serial  note : word blank 40%  @size : int 1..9 blank 40% } ; 40 ]
          tag  : [ word blank 40% ; 20 ]
          none = null
        }
        prompt \"<<feed>>\"
        expect reply json {
          with: <<xpath_count: feed, /cat/item[note]>>, of_rows: count(feed.item where note != null),
          without: <<xpath_count: feed, /cat/item[not(note)]>>, null_rows: count(feed.item where note == null),
          sized: <<xpath_count: feed, //@size>>, sizes: count(feed.item.size),
          collected: len(<<xpath_collect: feed, /cat/item/note>>), notes: len(list(feed.item.note)),
          tags: <<xpath_count: feed, /cat/tag>>, elements: count(feed.tag), none: <<xpath_exists: feed, /cat/none>>
        }";
    let key = key(task, &[]);
    for (path, rows) in [
        ("with", "of_rows"),
        ("without", "null_rows"),
        ("sized", "sizes"),
        ("collected", "notes"),
        ("tags", "elements"),
    ] {
        assert_eq!(key[path], key[rows], "{path}: {key}");
    }
    assert!(key["without"].as_i64() > Some(0) && key["with"].as_i64() > Some(0), "{key}");
    assert_eq!((&key["tags"], &key["none"]), (&json!(20), &json!(false)));
}

/// Every condition of rows, in `picardc` and in SQLite.
#[test]
fn b6_conditions_have_three_values_as_in_sql() {
    let conditions = [
        ("not F", "not F"),
        ("F and true", "F and 1"),
        ("not (F and true)", "not (F and 1)"),
        ("not (F and G)", "not (F and G)"),
        ("not (G and F)", "not (G and F)"),
        ("not (F or G)", "not (F or G)"),
        ("F or not F", "F or not F"),
        ("not (N > 3)", "not (N > 3)"),
        ("not (N == 3 or F)", "not (N = 3 or F)"),
        ("not (N != 3)", "not (N <> 3)"),
        ("N not in [1, 2]", "N not in (1, 2)"),
        ("not (N in [1, 2])", "not (N in (1, 2))"),
        ("not (not (F and N < 5))", "not (not (F and N < 5))"),
        ("(F == G) == false", "(F = G) = 0"),
        ("F != null and not F", "F is not null and not F"),
        ("not (F == null)", "not (F is null)"),
        ("if F then G else not G", "case when F then G else not G end"),
    ];
    let mut asked = String::new();
    for (at, (ours, sql)) in conditions.iter().enumerate() {
        asked += &format!("c{at}: count(t where {ours}), s{at}: <<value: SELECT count(*) FROM t WHERE {sql}>>,\n");
    }
    let task = format!(
        "csv t at \"t.csv\" {{ rows 120  F : bool blank 30%  G : bool blank 30%  N : int 1..6 blank 30% }}
        allow impossible_predicate \"a test\" allow vacuous_predicate \"a test\"
        prompt \"<<t>>\"
        expect reply json {{ {asked} all: count(t) }}"
    );
    let key = key(&task, &[]);
    for (at, (ours, _)) in conditions.iter().enumerate() {
        assert_eq!(key[format!("c{at}")], key[format!("s{at}")], "{ours}");
    }
}

#[test]
fn b6_what_may_be_null_is_said_outside_of_conditions() {
    let data = "csv t at \"t.csv\" { rows 9  N : int 1..6 blank 30% }\n v = max(t.N)\n prompt \"<<t>>\"\n";
    for (value, refused) in [
        ("v > 3", true),
        ("not (v > 3)", true),
        ("v != null and v > 3", false),
        ("v == null or v > 3", false),
        ("if v > 3 then true else false", false),
        ("if not (v > 3) then v + 1 else 0", false),
        ("if not (v > 3) then 0 else v + 1", true),
        ("count(t where N > 3 and N + 1 > 5)", false),
        ("count(t where not (N > 3 and N + 1 > 5))", true),
        ("coalesce(v > 3, false)", false),
    ] {
        let matcher = if value.contains("+ 1 else") || value.contains("else v") || value.contains("count") {
            "number"
        } else {
            "text"
        };
        let said = said(&format!("{data} expect reply {matcher} {value}"), &[]);
        assert_eq!(said.contains("E0303"), refused, "{value}: {said}");
        assert_eq!(said.contains("error["), refused, "{value}: {said}");
    }
}

#[test]
fn a_column_computed_as_null_is_written() {
    let task = "csv t at \"t.csv\" { rows 2  A : int 1..9  X = null  Y = A }
        sqlite d at \"d.db\" { table u { rows 2  A : int 1..9  X = null } }
        prompt \"<<t>> <<d>>\"
        expect reply json { row: csv_row(t, 1), nulls: <<value: SELECT count(*) FROM t WHERE X IS NULL>>, filled: <<sqlite_query: d, SELECT count(X) FROM u>> }";
    let home = create_folder(&[("s.pcd", &suite(task))]);
    let key = keys(home.path()).remove(0);
    let written = std::fs::read_to_string(home.path().join("out/files/q-1/t.csv")).expect("the file");
    assert_eq!(written.lines().next(), Some("A,X,Y"));
    assert!(written.lines().nth(1).is_some_and(|line| line.split(',').nth(1) == Some("")), "{written}");
    assert_eq!((&key["row"][1], &key["nulls"], &key["filled"]), (&json!(""), &json!(2), &json!(0)));
}

#[test]
fn b8_a_byte_order_mark_is_dropped_wherever_text_is_read() {
    let marked = |text: &str| format!("\u{feff}{text}").into_bytes();
    let task = "csv c at \"c.csv\" from \"c.csv\"
        json j at \"j.json\" from \"j.json\"
        yaml y at \"y.yaml\" from \"y.yaml\"
        text t at \"t.txt\" from \"t.txt\"
        file l at \"l.log\" from \"l.log\"
        csv made at \"made.csv\" bom { rows 1  A : int 1..1 }
        w : one_of lines \"w.txt\"
        prompt \"<<c>> <<j>> <<y>> <<t>> <<l>> <<made>> <<w>>\"
        expect reply json {
          csv: first(c.A), json: j.a, yaml: y.a, word: <<file_word: t, 1>>, line: <<file_line: l, 1>>, drawn: len(w),
          made: <<file_line: made, 1>>
        }";
    let files = [
        ("c.csv", marked("A\n1\n")),
        ("j.json", marked("{\"a\": 1}")),
        ("y.yaml", marked("a: 1\n")),
        ("t.txt", marked("first second\n")),
        ("l.log", marked("one\n")),
        ("w.txt", marked("red\n")),
        ("s.pcd", marked(&suite(task))),
    ];
    let home = create_folder(&[]);
    files.iter().for_each(|(path, content)| write_in_folder(home.path(), path, content));
    assert_eq!(
        keys(home.path()).remove(0),
        json!({"csv": 1, "json": 1, "yaml": 1, "word": "first", "line": "one", "drawn": 3, "made": "A"})
    );
    for (path, content) in &files[..5] {
        let copy = std::fs::read(home.path().join("out/files/q-1").join(path)).expect("a copy");
        assert_eq!(copy, *content, "{path}");
    }
}

#[test]
fn b10_a_delimiter_says_how_a_fixture_is_read() {
    let files = [("x.csv", &b"A;B\n1;2,5\n3;x\n"[..])];
    let task = |options: &str| {
        format!(
            "csv f at \"f.csv\" {options} from \"x.csv\"
            prompt \"<<f>>\" expect reply json {{ sum: sum(f.A), b: csv_row(f, 1) }}"
        )
    };
    assert_eq!(key(&task("delimiter \";\""), &files), json!({"sum": 4, "b": ["1", "2,5"]}));
    for option in ["quoted", "crlf", "bom"] {
        let said = said(&task(&format!("delimiter \";\" {option}")), &files);
        assert!(said.contains("E0702") && said.contains(&format!("`{option}` does not apply to a fixture")), "{said}");
    }
}

#[test]
fn b10_a_text_that_is_not_utf_8_is_refused() {
    let task = "text f at \"f.txt\" from \"x.txt\" prompt \"<<f>>\" expect reply text <<file_line: f, 1>>";
    let said = said(task, &[("x.txt", b"good\n\xe4\xf6\n")]);
    assert!(said.contains("E0505") && said.contains("line 2 is not UTF-8"), "{said}");
    // As a file of any kind it is copied.
    let task = "file f at \"f.txt\" from \"x.txt\" prompt \"<<f>>\" expect reply text \"x\"";
    assert_eq!(key(task, &[("x.txt", b"good\n\xe4\xf6\n")]), json!("x"));
}

#[test]
fn d5_an_empty_table_has_no_row_to_ask_for() {
    let task = "csv f at \"f.csv\" from \"x.csv\" prompt \"<<f>>\" expect reply text csv_cell(f, 1, 1)";
    let said = said(task, &[("x.csv", b"A,B\n")]);
    assert!(said.contains("E0503") && said.contains("`x.csv` is empty") && !said.contains("1 to 1"), "{said}");
}

/// What is not a file is refused at once, wherever it is named.
#[cfg(unix)]
#[test]
fn s12_what_is_not_a_file_is_refused_without_waiting() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::time::{Duration, Instant};

    let tail = "prompt \"x\" expect reply text \"y\"";
    for (source, at) in [
        (suite(&format!("csv f at \"f.csv\" from \"odd\" {tail}")), "odd"),
        (suite(&format!("file f at \"f\" from \"odd\" {tail}")), "odd"),
        (suite(&format!("w : one_of lines \"odd\" {tail}")), "odd"),
        (format!("use \"odd\"\n{}", suite(tail)), "odd"),
        (String::new(), "s.pcd"),
    ] {
        for kind in ["pipe", "device", "folder"] {
            let home = create_folder(&[]);
            if at != "s.pcd" {
                write_in_folder(home.path(), "s.pcd", source.as_bytes());
            }
            let odd = home.path().join(at);
            match kind {
                "pipe" => assert!(Command::new("mkfifo").arg(&odd).status().expect("mkfifo").success()),
                // A link out of the project's folder is refused as such, but for the source itself.
                "device" => symlink("/dev/zero", &odd).expect("a link"),
                _ => std::fs::create_dir(&odd).expect("a folder"),
            }
            let begun = Instant::now();
            let mut child = Command::new(testing::find_program())
                .args(["check", "s.pcd"])
                .current_dir(home.path())
                .stderr(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("started");
            while child.try_wait().expect("waits").is_none() {
                if begun.elapsed() > Duration::from_secs(20) {
                    child.kill().expect("killed");
                    panic!("{kind} as {at} of {source:?}: still waiting");
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let output = CommandOutput::from(child.wait_with_output().expect("its output"));
            let said = output.join_output();
            let words = match (kind, at) {
                ("pipe", _) => "it is a pipe, not a file",
                ("device", "odd") => "it lies outside the project folder",
                ("device", _) => "it is a device, not a file",
                // `check` takes folders.
                _ if at == "s.pcd" => "no .pcd file in `s.pcd`",
                _ => "it is a folder",
            };
            assert!(said.contains(words), "{kind} as {at}: {said}");
            assert_eq!(output.status.code(), Some(if at == "odd" { 1 } else { 2 }), "{kind} as {at}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn s12_sizes_are_looked_at_before_a_file_is_read() {
    let sparse = |path: &std::path::Path, size: u64| {
        std::fs::File::create(path).and_then(|file| file.set_len(size)).expect("a sparse file");
    };
    let tail = "prompt \"x\" expect reply text \"y\"";
    for (source, size, words) in [
        (suite(&format!("file f at \"f\" from \"odd\" {tail}")), 3 << 30, "it has 3,072 MiB, and may have 1,024 MiB"),
        (suite(&format!("w : one_of lines \"odd\" {tail}")), 65 << 20, "it has 65 MiB, and may have 64 MiB"),
        (format!("use \"odd\"\n{}", suite(tail)), 65 << 20, "it has 65 MiB, and may have 64 MiB"),
    ] {
        let home = create_folder(&[("s.pcd", &source)]);
        sparse(&home.path().join("odd"), size);
        let checked = run_picardc(home.path(), &["check", "s.pcd"]);
        let said = checked.join_output();
        assert!(
            said.contains("E0211") && said.replace("\n", " ").contains(words.split(", ").next().expect("words")),
            "{said}"
        );
        assert_eq!(checked.status.code(), Some(1));
    }
}

#[test]
fn s17_a_file_of_more_than_2_gb_is_not_begun() {
    let task = "csv f at \"f.csv\" { rows 10_000_000  ID : serial  NOTE : lorem paragraphs 1000 }
        k : int 1..9 prompt \"<<f>> <<k>>\" expect reply number count(f where ID > k)";
    let home = create_folder(&[("s.pcd", &suite(task))]);
    let built = run_picardc(home.path(), &["build", "--seed", "7", "-o", "out", "s.pcd"]);
    let said = built.err;
    assert!(said.contains("E0908") && said.contains("2 GB"), "{said}");
    assert_eq!(built.status.code(), Some(1));
    assert_eq!(std::fs::read_dir(home.path()).expect("a folder").count(), 1, "nothing is left");
}
