//! B11: tables that are read and never handed out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;
use testing::{CommandOutput, create_folder, expect_success, read_files, run_picardc, write_in_folder};

/// Appears in every private file, and nowhere else.
const MARKER: &str = "Zyzzyva-7741";

const LIMITS: &str = "STATION;MOST;NOTE\nKiel;40;Zyzzyva-7741\nUlm;25;Zyzzyva-7741\nJena;60;Zyzzyva-7741\n";

/// What uses a private table in all ways: `ref`, SQL, aggregates, `where`, `one_of`.
const SUITE: &str = r#"suite rainfall { title "Rain" version "1.0.0" samples 20 }

table limits from "limits.csv" delimiter ";"

task above {
  csv rain at "rain.csv" { rows 60  STATION : ref limits.STATION  MM : int 0..99 }
  station, most : ref limits.(STATION, MOST)
  n = <<value: SELECT COUNT(*) FROM rain JOIN limits USING (STATION) WHERE STATION = :station AND MM > MOST>>
  own = count(rain where STATION == station and MM > most)
  require n == own
  highest = max(limits.MOST)
  prompt "On how many days in <<rain>> were there more than <<most>> mm at <<station>>? And on how many more than <<highest>> mm, anywhere? Write `a` and `b` to out.json."
  expect file "out.json" json { a: n, b: count(rain where MM > highest) }
}

task known {
  table truth from "truth.json"
  code : ref truth.CODE where KEEP
  text note at "<<code>>.txt" = "See <<code>>."
  worth = <<value: SELECT COALESCE(MAX(WORTH), 0) FROM truth WHERE CODE = :code>>
  stations = count(limits)
  prompt "What is <<note>> worth, times the <<stations>> stations? Number only."
  expect reply number worth * stations
}
"#;

const TRUTH: &str = r#"[
  {"CODE": "A1", "WORTH": 12, "KEEP": true, "NOTE": "Zyzzyva-7741"},
  {"CODE": "B2", "WORTH": 30, "KEEP": true, "NOTE": "Zyzzyva-7741"},
  {"CODE": "C3", "WORTH": 7, "KEEP": false, "NOTE": "Zyzzyva-7741"}
]"#;

fn project() -> tempfile::TempDir {
    create_folder(&[("s.pcd", SUITE), ("limits.csv", LIMITS), ("truth.json", TRUTH)])
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

/// Those of the files whose name or content has a word.
fn with<'f>(files: &'f BTreeMap<String, Vec<u8>>, word: &str) -> Vec<&'f str> {
    let has = |(path, bytes): &(&String, &Vec<u8>)| path.contains(word) || holds(bytes, word);
    files.iter().filter(has).map(|(path, _)| path.as_str()).collect()
}

#[test]
fn b11_what_is_read_in_private_is_in_no_bundle() {
    let home = project();
    for words in [&[][..], &["--inline"], &["--split-keys"]] {
        let mut build = vec!["build", "s.pcd", "--seed", "1", "--quiet", "--force", "-o", "out"];
        build.extend(words);
        expect_success(home.path(), &build);
        let made = read_files(home.path().join("out"));
        assert!(made.keys().any(|path| path.ends_with("instances.jsonl")), "{:?}", made.keys());
        for word in [MARKER, "limits.csv", "truth.json", "limits"] {
            assert_eq!(with(&made, word), Vec::<&str>::new(), "{words:?} {word}");
        }
    }
    // Nor in what is printed of an instance.
    let shown = expect_success(home.path(), &["preview", "s.pcd", "--seed", "1"]);
    assert!(!shown.contains(MARKER) && !shown.contains("limits.csv"), "{shown}");
}

/// An agent that looks at everything it can read.
const SPY: &str = r#"
import json, os, sys
found, beside = [], []
for folder, _, names in os.walk(os.getcwd()):
    for name in names:
        path = os.path.join(folder, name)
        if b"Zyzzyva-7741" in open(path, "rb").read() or name in ("limits.csv", "truth.json"):
            found.append(path)
home = os.path.dirname(os.path.abspath(sys.argv[0]))
for name in ("limits.csv", "truth.json"):
    try:
        beside.append(open(os.path.join(home, name)).read())
    except OSError:
        pass
print(json.dumps({"sandbox": found, "beside": beside}))
"#;

#[test]
fn b11_what_is_read_in_private_is_in_no_sandbox() {
    let home = project();
    write_in_folder(home.path(), "spy.py", SPY.as_bytes());
    expect_success(home.path(), &["build", "s.pcd", "--seed", "1", "--quiet", "-o", "out"]);
    let output = run_picardc(home.path(), &["run", "out", "--agent", "cmd:python3 spy.py", "-o", "r", "--quiet"]);
    assert!(output.status.success(), "{}", output.err);
    let run: Json = serde_json::from_slice(&fs::read(home.path().join("r/run.json")).expect("a run")).expect("JSON");
    // What lies next to the suite is kept from an agent where the kernel can do that.
    let confined = run["sandbox"]["confined"] != "none";
    let lines = fs::read_to_string(home.path().join("r/responses.jsonl")).expect("responses");
    for line in lines.lines() {
        let response: Json = serde_json::from_str(line).expect("JSON");
        let reply: Json = serde_json::from_str(response["reply"].as_str().expect("a reply")).expect("JSON");
        assert_eq!(reply["sandbox"], Json::Array(Vec::new()));
        assert!(!confined || reply["beside"] == Json::Array(Vec::new()), "{reply}");
    }
    assert_eq!(lines.lines().count(), 40);
}

/// Recomputes every answer from the private files, the written files and the drawn values, with Python's own readers.
const VERIFY: &str = r#"
import csv, json, sys
limits = {row["STATION"]: int(row["MOST"]) for row in csv.DictReader(open("limits.csv"), delimiter=";")}
truth = {row["CODE"]: row for row in json.load(open("truth.json"))}
seen, checked = set(), 0
for seed in range(20):
    for line in open(f"out{seed}/instances.jsonl"):
        instance = json.loads(line)
        facts = instance["metadata"]["picard"]
        key, draws = facts["expect"][0]["value"], facts["draws"]
        if facts["task"] == "above":
            rows = list(csv.DictReader(open(f"out{seed}/" + instance["files"]["rain.csv"])))
            assert {row["STATION"] for row in rows} <= set(limits)
            station, most = draws["station"], draws["most"]
            assert limits[station] == most
            a = sum(row["STATION"] == station and int(row["MM"]) > most for row in rows)
            b = sum(int(row["MM"]) > max(limits.values()) for row in rows)
            assert key == {"a": a, "b": b}, (instance["id"], key, a, b)
            seen.add(station)
        else:
            assert truth[draws["code"]]["KEEP"]
            assert key == truth[draws["code"]]["WORTH"] * len(limits), instance["id"]
            seen.add(draws["code"])
        checked += 1
assert seen == {"Kiel", "Ulm", "Jena", "A1", "B2"}, seen
print(checked)
"#;

#[test]
fn b11_answers_are_computed_from_it() {
    let home = project();
    for seed in 0..20 {
        let (seed, out) = (seed.to_string(), format!("out{seed}"));
        expect_success(home.path(), &["build", "s.pcd", "--seed", &seed, "--quiet", "-o", &out]);
    }
    let output = Command::new("python3").args(["-c", VERIFY]).current_dir(home.path()).output();
    let output = CommandOutput::from(output.expect("Python"));
    assert_eq!((output.out.trim(), output.err.as_str()), ("800", ""));
    expect_success(home.path(), &["selftest", "s.pcd"]);
}

#[test]
fn b11_the_same_bytes_each_time_and_others_for_other_files() {
    let home = project();
    let built = |name: &str, words: &[&str]| {
        let mut all = vec!["build", "s.pcd", "--seed", "1", "--quiet", "-o", name];
        all.extend(words);
        let output = run_picardc(home.path(), &all);
        assert!(output.status.success(), "{}", output.err);
        read_files(home.path().join(name))
    };
    let first = built("a", &["--threads", "1"]);
    assert_eq!(first, built("b", &["--threads", "2"]));
    // What it was built from is part of what a bundle says of itself.
    write_in_folder(home.path(), "limits.csv", LIMITS.replace("60", "61").as_bytes());
    let digest = |made: &BTreeMap<String, Vec<u8>>| {
        let manifest: Json = serde_json::from_slice(&made["manifest.json"]).expect("JSON");
        manifest["source_sha256"].clone()
    };
    assert_ne!(digest(&first), digest(&built("c", &[])));
}

/// A table that no task reads changes nothing, wherever it is declared.
#[test]
fn b11_a_table_of_the_suite_is_free_where_it_is_not_read() {
    let task = "task t { csv f at \"f.csv\" { rows 5 A : int 1..9 } prompt \"Sum of A in <<f>>?\" expect reply number sum(f.A) }\n";
    let head = "suite s { title \"S\" version \"1\" samples 3 }\n";
    let plain = create_folder(&[("s.pcd", &format!("{head}{task}"))]);
    let with = create_folder(&[
        ("s.pcd", &format!("use \"shared.pcd\"\n{head}{task}")),
        ("shared.pcd", "table limits from \"limits.csv\" delimiter \";\"\n"),
        ("limits.csv", LIMITS),
    ]);
    let instances = |home: &Path| {
        expect_success(home, &["build", "s.pcd", "--seed", "1", "--quiet", "-o", "out"]);
        fs::read(home.join("out/instances.jsonl")).expect("instances")
    };
    assert_eq!(instances(plain.path()), instances(with.path()));
    assert_eq!(codes(with.path()), Vec::<String>::new());
}

/// The codes that `check` reports, in order.
fn codes(home: &Path) -> Vec<String> {
    said(home).into_iter().map(|[code, ..]| code).collect()
}

fn said(home: &Path) -> Vec<[String; 3]> {
    let checked = run_picardc(home, &["check", "s.pcd", "--format", "json"]).out;
    let field = |json: &Json, name: &str| json[name].as_str().unwrap_or_default().to_owned();
    let lines = checked.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.map(|json: Json| ["code", "message", "help"].map(|name| field(&json, name))).collect()
}

/// What `check` says of a suite with these items and this body of a task, next to these files.
fn of(items: &str, body: &str, given: &[(&str, &str)]) -> Vec<[String; 3]> {
    let source = format!("suite s {{ title \"S\" version \"1\" samples 3 }}\n{items}\ntask q {{\n{body}\n}}\n");
    let mut all = vec![("s.pcd", source.as_str())];
    all.extend(given);
    said(create_folder(&all).path())
}

const ASK: &str = "m : ref limits.MOST prompt \"Say <<m>>.\" expect reply number m + 1";

#[test]
fn b11_a_fixture_may_not_hand_it_out() {
    let limits = "table limits from \"limits.csv\" delimiter \";\"";
    let file = [("limits.csv", LIMITS)];
    let ask = |given: &str| format!("{given} prompt \"How many rows has <<f>>?\" expect reply number count(limits)");
    let leaks = [
        // The same file, as what it is and as bytes.
        (limits, ask("csv f at \"f.csv\" delimiter \";\" from \"limits.csv\"")),
        (limits, ask("file f at \"other/f.txt\" from \"limits.csv\"")),
        ("", ask(&format!("{limits} text f at \"f.txt\" from \"limits.csv\""))),
        // Under another name.
        (limits, ask("text f at \"f.txt\" from \"copy.txt\"")),
    ];
    for (items, body) in leaks {
        let found = of(items, &body, &[file[0], ("copy.txt", LIMITS)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][0], "E0511");
        assert!(found[0][1].starts_with("the agent is given `") && !found[0][2].is_empty(), "{found:?}");
    }
    // Both places are shown.
    let home = create_folder(&[
        (
            "s.pcd",
            &format!(
                "suite s {{ title \"S\" version \"1\" }}\n{limits}\ntask t {{ {} }}\n",
                ask("text f at \"f\" from \"limits.csv\"")
            ),
        ),
        ("limits.csv", LIMITS),
    ]);
    let shown = run_picardc(home.path(), &["check", "s.pcd"]).err;
    let shown = format!("{shown}{}", run_picardc(home.path(), &["check", "s.pcd"]).out);
    assert!(shown.contains("handed out here") && shown.contains("read in private here"), "{shown}");
    // Another file is fine, and so are two that say nothing.
    let other = "STATION;MOST\nBonn;7\n";
    let fine = ask("csv f at \"f.csv\" delimiter \";\" from \"others.csv\"");
    let found = of(limits, &fine, &[file[0], ("others.csv", other)]);
    assert!(found.iter().all(|[code, ..]| code != "E0511"), "{found:?}");
    let blank = of(
        "table none from \"none.txt\"",
        "text f at \"f\" from \"blank.txt\" n = count(none) prompt \"<<f>>\" expect reply number n",
        &[("none.txt", "\n"), ("blank.txt", "\n")],
    );
    assert!(blank.iter().all(|[code, ..]| code != "E0511"), "{blank:?}");
}

#[test]
fn b11_it_has_no_path() {
    let limits = [("limits.csv", LIMITS)];
    let table = "table limits from \"limits.csv\" delimiter \";\"";
    let first = |body: &str| of(table, body, &limits).first().cloned().unwrap_or_default();
    let [code, message, help] = first("prompt \"Look at <<limits>>.\" expect reply number count(limits)");
    assert_eq!((code.as_str(), message.as_str()), ("E0301", "`limits` is a table, not a value"));
    assert!(help.contains("its file is not given to agents") && help.contains("count(limits)"), "{help}");
    let [code, message, _] = first("prompt \"Copy it to a.\" expect file limits unchanged expect reply number 1");
    assert_eq!((code.as_str(), message.as_str()), ("E0202", "`limits` is a table that no agent is given, not a file"));
    let [code, ..] = first("prompt \"Copy it to a.\" expect file \"a\" bytes limits");
    assert_eq!(code, "E0301");
    // One name, one thing.
    assert_eq!(first("limits : word prompt \"<<limits>>\" expect reply text limits")[0], "E0206");
    assert_eq!(of(&format!("{table}\n{table}"), ASK, &limits)[0][0], "E0206");
    assert_eq!(of(&format!("{table}\nlimits = 3"), ASK, &limits)[0][0], "E0206");
    assert_eq!(
        of("", "variant v { table limits from \"limits.csv\" prompt \"x\" } expect reply number 1", &limits)[0][0],
        "E0702"
    );
}

#[test]
fn b11_files_of_all_formats_are_read() {
    let body = |columns: &str| {
        format!(
            "m : ref t.{columns} n = count(t) prompt \"Say <<m>>, and how many there are.\" expect reply text \"<<m>> <<n>>\""
        )
    };
    for (path, content, column) in [
        ("t.csv", "A,B\nx,1\ny,2\n", "A"),
        ("t.tsv", "A\tB\nx\t1\ny\t2\n", "A"),
        ("t.json", "[{\"A\": \"x\"}, {\"A\": \"y\"}]", "A"),
        ("t.json", "[\"x\", \"y\"]", "value"),
        ("t.yaml", "- A: x\n  B: [1, 2]\n- A: y\n  B: [3]\n", "A"),
        ("deep/t.yml", "- {A: x}\n- {A: y}\n", "A"),
        ("t.txt", "\u{feff}x\r\ny\r\n", "line"),
        ("t.words", "x\ny", "line"),
    ] {
        let table = format!("table t from \"{path}\"");
        let found = of(&table, &body(column), &[(path, content)]);
        assert_eq!(found, Vec::<[String; 3]>::new(), "{path}");
        let source =
            format!("suite s {{ title \"S\" version \"1\" samples 9 }}\n{table}\ntask q {{ {} }}\n", body(column));
        let home = create_folder(&[("s.pcd", &source), (path, content)]);
        let keys = super::support::keys(home.path());
        assert!(keys.iter().all(|key| key == "x 2" || key == "y 2"), "{path}: {keys:?}");
        assert!(keys.contains(&"x 2".into()) && keys.contains(&"y 2".into()), "{path}: {keys:?}");
    }
    // A workbook and a database, made by picardc itself.
    let made = "suite m { title \"M\" version \"1\" samples 1 }\ntask m { allow unmentioned_file \"a test\"\n\
                xlsx one at \"one.xlsx\" { rows 3 A : unique word }\n\
                xlsx two at \"two.xlsx\" { table first { rows 3 A : unique word } table second { rows 4 B : unique word } }\n\
                sqlite d at \"one.db\" { table t { rows 5 A : unique word } }\n\
                n : int 1..9 prompt \"Say <<n>>.\" expect reply number n }\n";
    let home = create_folder(&[("m.pcd", made)]);
    expect_success(home.path(), &["build", "m.pcd", "-o", "m", "--seed", "1", "--quiet"]);
    let given = fs::read_dir(home.path().join("m/files")).expect("files").next().expect("one").expect("read").path();
    for name in ["one.xlsx", "two.xlsx", "one.db"] {
        fs::copy(given.join(name), home.path().join(name)).expect("copied");
    }
    for (table, column, rows, code) in [
        ("table t from \"one.xlsx\"", "A", 3, ""),
        ("table t from \"two.xlsx\" sheet \"second\"", "B", 4, ""),
        ("table t from \"two.xlsx\" sheet \"secnod\"", "B", 0, "E0202"),
        ("table t from \"two.xlsx\"", "B", 0, "E0701"),
        ("table t from \"one.db\"", "A", 5, ""),
    ] {
        let source =
            format!("suite s {{ title \"S\" version \"1\" samples 2 }}\n{table}\ntask q {{ {} }}\n", body(column));
        write_in_folder(home.path(), "s.pcd", source.as_bytes());
        if code.is_empty() {
            assert_eq!(said(home.path()), Vec::<[String; 3]>::new(), "{table}");
            let keys = super::support::keys(home.path());
            assert!(
                keys.iter().all(|key| key.as_str().is_some_and(|key| key.ends_with(&format!(" {rows}")))),
                "{keys:?}"
            );
        } else {
            assert_eq!(said(home.path())[0][0], code, "{table}");
        }
    }
}

#[test]
fn b11_what_cannot_be_read_is_said_once() {
    let limits = [
        ("limits.csv", LIMITS),
        ("l.json", "{\"a\": 1}"),
        ("l.xml", "<a/>"),
        ("ok.json", "[{\"MOST\": 1}]"),
        ("bad.csv", "A,B\n1\n"),
    ];
    for (items, code) in [
        ("table limits from \"none.csv\"", "E0211"),
        ("table limits from \"../limits.csv\"", "E0501"),
        ("table limits from \"<<x>>.csv\"", "E0305"),
        ("table limits from \"bad.csv\"", "E0505"),
        ("table limits from \"l.json\"", "E0504"),
        ("table limits from \"l.xml\"", "E0506"),
        ("table limits from \"limits.csv\" skip 9", "E0506"),
        ("table limits from \"limits.csv\" { NOWHERE : int }", "E0508"),
        ("table limits from \"limits.csv\" delimiter \";\" quoted", "E0702"),
        ("table limits from \"limits.csv\" sheet \"a\"", "E0702"),
        ("table limits from \"limits.csv\" delimiter \";\" delimiter \";\"", "E0206"),
        ("table limits from \"limits.csv\" delimiter \";;\"", "E0504"),
        ("table limits from \"ok.json\" delimiter \";\"", "E0702"),
    ] {
        let found = of(items, "prompt \"Say 1.\" expect reply number 1", &limits);
        let found: Vec<&str> =
            found.iter().map(|[code, ..]| code.as_str()).filter(|code| code.starts_with('E')).collect();
        assert_eq!(found[0], code, "{items}: {found:?}");
        // In a task, too.
        let found = of("", &format!("{items}\nprompt \"Say 1.\" expect reply number 1"), &limits);
        assert!(found.iter().any(|[found, ..]| found == code), "{items}: {found:?}");
    }
    // A misspelt column is found, and one of a task that nothing reads is said.
    let table = "table limits from \"limits.csv\" delimiter \";\"";
    let found = of(table, "m : ref limits.MOTS prompt \"Say <<m>>.\" expect reply number m + 1", &limits);
    assert_eq!((found[0][0].as_str(), found[0][2].as_str()), ("E0203", "did you mean `MOST`?"));
    let found = of("", &format!("{table} n : int 1..9 prompt \"Say <<n>>.\" expect reply number n + 1"), &limits);
    assert_eq!(found[0][..2], ["W0101".to_owned(), "`limits` is read but never used".to_owned()]);
    // Words of its options remain names.
    let found = of(
        "sheet = 3\nquoted = 4\nskip = 5",
        "n : int 1..sheet prompt \"Say <<n>>.\" expect reply number n + quoted + skip",
        &[],
    );
    assert_eq!(found, Vec::<[String; 3]>::new());
    let named = format!("{table}\nquoted = 4\n");
    assert_eq!(of(&named, ASK, &limits), Vec::<[String; 3]>::new());
}

#[test]
fn b11_it_is_laid_out_as_it_is_written() {
    let home = create_folder(&[
        (
            "s.pcd",
            "suite s { title \"S\" version \"1\" }\n\n# Kept.\ntable   limits   from \"limits.csv\"   delimiter   \";\"\ntask q {\n  table  own from   \"limits.csv\" delimiter \";\"\n  m : ref limits.MOST\n  k : ref own.MOST\n  prompt \"Say <<m>> and <<k>>.\"\n  expect reply number m + k\n}\n",
        ),
        ("limits.csv", LIMITS),
    ]);
    expect_success(home.path(), &["fmt", "s.pcd"]);
    let laid_out = fs::read_to_string(home.path().join("s.pcd")).expect("a suite");
    assert!(laid_out.contains("# Kept.\ntable limits from \"limits.csv\" delimiter \";\"\n"), "{laid_out}");
    assert!(laid_out.contains("\n  table own from \"limits.csv\" delimiter \";\"\n"), "{laid_out}");
    assert_eq!(codes(home.path()), Vec::<String>::new());
}
