//! JSON Lines and gzip files: what is written is what Python reads, and what is read is what they hold.

use std::process::Command;

use testing::{compile_with, create_folder, expect_success, has_python};

const SUITE: &str = r#"suite s { title "S" version "1.0.0" samples 4 }
task t {
  allow unmentioned_file "a test"
  jsonl t at "t.jsonl" {
    rows 0..40
    ID : serial
    user : { name : person_name  age : int -9..99 blank 30%  deep : { ok : bool blank 10% } }
    NOTE : one_of ["a\"b", "\\ü\n\t", "null", "7", "\u{1}"] blank 20%
    D : date 2024-01-01..2024-12-31 blank 10%
    AT : datetime 2024-01-01T00:00..2024-12-31T00:00
    X : decimal -9.99..9.99
    F = ID / 7.0
    `user.city` : city
    _h = ID * 2
    H = _h
  }
  jsonl styled at "styled.jsonl" crlf from t {
    ID = ID
    D = D as written "dd.MM.yyyy" missing ["n/a"]
    X = X as written "0,00" 50%
    E : one_of ["", "x"] blank 50%
  }
  jsonl again at "again.ndjson" encoding "utf-16le" bom from t {
    ID = ID
    NOTE = NOTE
    rows repeat 20%
  }
  jsonl down at "down.jsonl" from t { ID = ID  rows by ID desc }
  jsonl each at "parts/<<H>>.jsonl" from t { ID = ID  name = user.name }
  csv c at "t.csv" from t
  csv g at "t.csv.gz" from t
  tsv g2 at "t.tsv.gz" crlf from t { ID = ID  NOTE = NOTE }
  jsonl z at "t.jsonl.gz" from t
  json j at "j.json" { a : word  b : [ int 1..9 ; 3 ] }
  json jz at "j.json.gz" = { a: j.a, n: count(t) }
  yaml yz at "y.yaml.gz" { a = j.a }
  xml xz at "x.xml.gz" root { a = j.a }
  text p at "p.txt" : lorem lines 40
  text pz at "p.txt.gz" encoding "iso-8859-1" = content(p)
  prompt "How many rows of <<t>> have an age above 5?"
  expect reply number count(t where user.age > 5)
}
"#;

/// Compares the files of every instance with each other, as Python reads them.
const COMPARE: &str = r#"
import csv, gzip, io, json, pathlib, sys
def lines(data, encoding="utf-8"):
    text = data.decode(encoding)
    return [json.loads(line) for line in text.split("\n") if line.strip()]
def show(value):
    if value is None: return ""
    if value is True or value is False: return str(value).lower()
    if isinstance(value, float): return repr(value)
    return str(value)
count = 0
for home in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    read = lambda name: (home / name).read_bytes()
    rows = lines(read("t.jsonl"))
    assert all(set(row) == {"ID", "user", "NOTE", "D", "AT", "X", "F", "H"} for row in rows)
    assert all(list(row["user"]) == ["name", "age", "deep", "city"] for row in rows)
    header, *cells = list(csv.reader(io.StringIO(read("t.csv").decode(), newline=""))) 
    assert len(cells) == len(rows)
    for row, cell in zip(rows, cells):
        for name, text in zip(header, cell):
            value = row
            for key in name.split("."): value = value[key]
            if isinstance(value, float) or name == "X":
                assert float(text) == float(value), (name, text, value)
            else:
                assert show(value) == text, (name, text, value)
        assert isinstance(row["ID"], int) and isinstance(row["D"], (str, type(None))) and isinstance(row["X"], (int, float))
        assert row["user"]["deep"]["ok"] in (True, False, None)
    styled = lines(read("styled.jsonl"))
    assert read("styled.jsonl").count(b"\r\n") == len(rows) == len(styled)
    for row, other in zip(rows, styled):
        day = "n/a" if row["D"] is None else ".".join(reversed(row["D"].split("-")))
        assert other["D"] == day and other["E"] in ("", "x", None)
        number = other["X"] if not isinstance(other["X"], str) else float(other["X"].replace(",", "."))
        assert abs(number - row["X"]) < 1e-9
    again = lines(read("again.ndjson"), "utf-16")
    assert {(row["ID"], row["NOTE"]) for row in again} == {(row["ID"], row["NOTE"]) for row in rows}
    assert [row["ID"] for row in lines(read("down.jsonl"))] == [row["ID"] for row in reversed(rows)]
    for row in rows:
        assert lines(read(f"parts/{row['H']}.jsonl")) == [{"ID": row["ID"], "name": row["user"]["name"]}]
    for name in ["t.csv.gz", "t.tsv.gz", "t.jsonl.gz", "j.json.gz", "y.yaml.gz", "x.xml.gz", "p.txt.gz"]:
        assert read(name)[:10] == bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]), name
    assert gzip.decompress(read("t.csv.gz")) == read("t.csv")
    assert gzip.decompress(read("t.jsonl.gz")) == read("t.jsonl")
    assert gzip.decompress(read("p.txt.gz")).decode("latin-1") == read("p.txt").decode()
    assert json.loads(gzip.decompress(read("j.json.gz"))) == {"a": json.loads(read("j.json"))["a"], "n": len(rows)}
    count += 1
print(count)
"#;

#[test]
fn python_reads_what_is_written() {
    if !has_python() {
        return;
    }
    let home = create_folder(&[("s.pcd", SUITE), ("compare.py", COMPARE)]);
    for seed in ["1", "2", "3"] {
        let out = format!("out{seed}");
        expect_success(home.path(), &["build", "s.pcd", "-o", &out, "--seed", seed, "--quiet"]);
        let run = Command::new("python3").arg("compare.py").arg(format!("{out}/files")).current_dir(home.path()).output();
        let run = run.expect("Python");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), "4");
    }
    expect_success(home.path(), &["selftest", "s.pcd"]);
}

const LINES: &str = "{\"at\":\"2024-01-01T10:00:00\",\"user\":{\"name\":\"Ann\"},\"n\":3}\n\n\
                     {\"at\":\"2024-01-02 10:00:00\",\"user\":{\"name\":null},\"n\":1}\r\n\
                     {\"at\":\"2024-01-03 10:00:00\",\"n\":7,\"tags\":[1,2]}";

/// Returns the first error of a suite with these files: its code and its message.
fn find_error(items: &str, files: &[(&str, &[u8])]) -> Option<(&'static str, String)> {
    let text = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n{items}\n");
    let said = compile_with(&text, files).diagnostics;
    said.into_iter().find(|said| said.code.id.starts_with('E')).map(|said| (said.code.id, said.message))
}

const TASK: &str = "task t { lake l prompt \"How many in <<l>>?\" expect reply number count(l.v) }";

#[test]
fn lines_are_read_in_views_and_fixtures_packed_or_not() {
    let more = format!("{LINES}\n{{\"at\":\"2024-01-04 10:00:00\",\"n\":9}}\n");
    let packed = tables::gzip::pack(more.as_bytes());
    let suite = "suite s { title \"S\" version \"1.0.0\" samples 1 }\n\
        lake l from \"log\" {\n  jsonl v from \"*.jsonl*\" { AT : datetime from \"at\"  WHO : text from \"user.name\"  N : int from \"n\" }\n  jsonl raw from \"a.jsonl\"\n}\n\
        task a { lake l prompt \"How many events in <<l>> are above 2?\" expect reply number count(l.v where N > 2) }\n\
        task b { lake l prompt \"How many events in <<l>> have no name?\" expect reply number count(l.v where WHO == null) + count(l.raw where n == 1) }\n\
        task c { jsonl f at \"f.jsonl\" from \"log/a.jsonl\" prompt \"How many rows of <<f>> are above 2?\" expect reply number count(f where n > 2) }\n\
        task d { jsonl f at \"f.jsonl.gz\" from \"log/b.jsonl.gz\" prompt \"How many rows of <<f>> are above 2?\" expect reply number count(f where n > 2) }\n\
        task e { json f at \"f.json.gz\" from \"c.json.gz\" prompt \"What is `a` in <<f>>?\" expect reply number f.a }\n\
        task g { text f at \"f.txt.gz\" from \"d.txt.gz\" prompt \"How many lines has <<f>>?\" expect reply number file_line_count(f) }\n";
    let home = create_folder(&[("s.pcd", suite), ("log/a.jsonl", LINES)]);
    testing::write_in_folder(home.path(), "log/b.jsonl.gz", &packed);
    testing::write_in_folder(home.path(), "c.json.gz", &tables::gzip::pack(b"{\"a\": 12}"));
    testing::write_in_folder(home.path(), "d.txt.gz", &tables::gzip::pack(b"one\ntwo\n"));
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    let lines = std::fs::read_to_string(home.path().join("out/instances.jsonl")).expect("instances");
    let targets: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["target"].as_str().expect("text").to_owned())
        .collect();
    assert_eq!(targets, ["5", "6", "2", "3", "12", "2"]);
    // A fixture is copied as it is.
    let copied = testing::read_files(home.path().join("out/files"));
    assert!(copied.iter().any(|(_, bytes)| *bytes == packed));
    let shown = expect_success(home.path(), &["infer", "log/b.jsonl.gz"]);
    assert!(shown.contains("USER_NAME : text from \"user.name\""), "{shown}");
}

#[test]
fn what_is_no_line_or_no_gzip_file_is_told() {
    let view = |format: &str, path: &str| format!("lake l from \"f\" {{ {format} v from \"{path}\" {{ A : int from \"a\" }} }}\n{TASK}");
    let lines = view("jsonl", "a.jsonl");
    for (content, wanted) in [
        ("{\"a\": 1}\n\n[1]\n", "`a.jsonl` cannot be read: line 3 is not a JSON object: it is an array"),
        ("{\"a\": 1}\n7\n", "`a.jsonl` cannot be read: line 2 is not a JSON object: it is a single value"),
        ("{\"a\": NaN}\n", "`a.jsonl` cannot be read: line 1 is not a JSON object: expected value at column 7"),
        ("{\"a\": 1}\n{\"a\": 1\n", "`a.jsonl` cannot be read: line 2 is not a JSON object: EOF while parsing an object at column 7"),
    ] {
        assert_eq!(find_error(&lines, &[("f/a.jsonl", content.as_bytes())]), Some(("E0505", wanted.to_owned())));
    }
    // A missing key is null, an empty file has no rows, and a key that no line has is a mistake.
    for content in ["{\"a\": 1}\n{}\n", "", "\n\n"] {
        assert_eq!(find_error(&lines, &[("f/a.jsonl", content.as_bytes())]), None, "{content:?}");
    }
    assert_eq!(find_error(&lines, &[("f/a.jsonl", b"{\"b\": 1}\n")]).map(|(code, _)| code), Some("E0508"));
    let packed = view("csv", "a.csv.gz");
    let good = tables::gzip::pack(b"a\n1\n");
    assert_eq!(find_error(&packed, &[("f/a.csv.gz", &good)]), None);
    for broken in [&b"a\n1\n"[..], &good[..good.len() - 3]] {
        let wanted = "`a.csv.gz` cannot be read: it is not a whole gzip file".to_owned();
        assert_eq!(find_error(&packed, &[("f/a.csv.gz", broken)]), Some(("E0505", wanted)));
    }
    let large = tables::gzip::pack(&vec![b'\n'; tables::gzip::MAX_UNPACKED + 1]);
    let wanted = "`a.csv.gz` cannot be read: it has more than 268,435,456 bytes when it is unpacked".to_owned();
    assert_eq!(find_error(&packed, &[("f/a.csv.gz", &large)]), Some(("E0505", wanted)));
}

#[test]
fn names_and_forms_that_do_not_fit_are_told() {
    let files: &[(&str, &[u8])] = &[("a.csv", b"A\n1\n"), ("a.csv.gz", &tables::gzip::pack(b"A\n1\n"))];
    let task = |file: &str| format!("task t {{ {file}\n prompt \"See <<f>>.\" expect reply text \"none\" }}");
    for (file, wanted) in [
        ("csv f at \"f.parquet\" { rows 2 A : word }", "E0504 `f` is a CSV file, but its name ends in `.parquet`"),
        ("csv f at \"f.json.gz\" { rows 2 A : word }", "E0504 `f` is a CSV file, but its name ends in `.json`"),
        ("csv f at \"f.jsonl\" { rows 2 A : word }", "E0504 `f` is a CSV file, but its name ends in `.jsonl`"),
        ("jsonl f at \"f.json\" { rows 2 A : word }", "E0504 `f` is a JSON Lines file, but its name ends in `.json`"),
        ("sqlite f at \"f.db.gz\" { table t { rows 2 A : word } }", "E0504 `f` is a database, but its name ends in `.gz`"),
        ("csv f at \"f.csv\" from \"a.csv.gz\"", "E0504 `f` is a gzip file, but its name does not end in `.gz`"),
        ("csv f at \"f.csv.gz\" from \"a.csv\"", "E0504 `f` is not a gzip file, but its name ends in `.gz`"),
        (
            "text f at \"f.jsonl\" { rows 2 A : word line \"{\\\"a\\\": \\\"<<A>>\\\"}\" }",
            "E0504 the lines of `f` are not JSON where a text has a quote in it",
        ),
        ("jsonl f at \"f.jsonl\" delimiter \";\" { rows 2 A : word }", "E0703 `delimiter` belongs to csv"),
        (
            "jsonl f at \"f.jsonl\" { rows 2 A : word as case 10% }",
            "E0510 `case` does not apply to a JSON Lines file",
        ),
        (
            "jsonl f at \"f.jsonl\" { rows 2 a : word `a.b` : word }",
            "E0504 `a.b` needs an object, but `a` is a single value",
        ),
        (
            "jsonl f at \"f.jsonl\" { rows 2 a : { b : word rows 3 } }",
            "E0504 an object cannot have `rows`",
        ),
    ] {
        let found = find_error(&task(file), files);
        let found = found.map(|(code, message)| format!("{code} {message}"));
        assert_eq!(found.as_deref().map(|found| &found[6..]), Some(&wanted[6..]), "{file}: {found:?}");
    }
    // Without rows, there is nothing to read, and null is not an empty text.
    for file in [
        "jsonl f at \"f.jsonl\" crlf { rows 0..2 A : one_of [\"\", \"a\"] blank 50% rows repeat 10% K : serial }",
        "jsonl f at \"f.jsonl.gz\" { rows 2 a : { b : word  _c : word } D = a.b }",
        "text f at \"f.gz\" = \"x\"",
    ] {
        assert_eq!(find_error(&task(file), files), None, "{file}");
    }
}

/// What an agent leaves is read as its name says: values on lines, and what is in a gzip file.
#[test]
fn answers_in_lines_and_gzip_files_are_read() {
    let suite = "suite s { title \"S\" version \"1.0.0\" samples 2 }\ntask t {\n  csv t at \"t.csv\" { rows 3..5  ID : serial  N : int 1..99  W : word }\n\
        prompt \"Write the rows of <<t>> to a.jsonl (objects `ID`, `N`), the values of N to b.ndjson and c.jsonl.gz, the rows `ID`, `W` to d.csv.gz, \
        the sum of N to e.txt.gz, and an array of the first and the sum of N to f.jsonl.\"\n\
        expect file \"a.jsonl\" json <<rows: SELECT ID, N FROM t ORDER BY ID>>\n\
        expect file \"b.ndjson\" list t.N ordered\n\
        expect file \"c.jsonl.gz\" json t.N\n\
        expect file \"d.csv.gz\" rows <<rows: SELECT ID, W FROM t>>\n\
        expect file \"e.txt.gz\" number sum(t.N)\n\
        expect f: file \"f.jsonl\" at \"$[1]\" number sum(t.N)\n\
        expect rows: file \"a.jsonl\" rows <<rows: SELECT ID, N FROM t>>\n}\n";
    let agent = "import csv, gzip, json, sys\nrows = list(csv.DictReader(open('t.csv')))\n\
        N = [int(row['N']) for row in rows]\nmode = sys.argv[1]\nend = '\\r\\n\\n' if mode == 'odd' else '\\n'\n\
        lines = lambda values: ''.join(json.dumps(value) + end for value in values)\n\
        pack = gzip.compress if mode != 'plain' else lambda data: data\n\
        open('a.jsonl', 'w', newline='').write(lines({'ID': int(row['ID']), 'N': n} for row, n in zip(rows, N)))\n\
        open('b.ndjson', 'w', newline='').write(lines(N))\n\
        open('c.jsonl.gz', 'wb').write(pack(lines(N).encode()))\n\
        open('d.csv.gz', 'wb').write(pack(('ID,W\\n' + ''.join(f\"{row['ID']},{row['W']}\\n\" for row in rows)).encode()))\n\
        open('e.txt.gz', 'wb').write(pack(f'{sum(N)}\\n'.encode()))\n\
        open('f.jsonl', 'w').write(lines([N[0], sum(N)]) if mode != 'array' else json.dumps([N[0], sum(N)]))\n";
    let home = create_folder(&[("s.pcd", suite), ("agent.py", agent)]);
    expect_success(home.path(), &["selftest", "s.pcd"]);
    if !has_python() {
        return;
    }
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "1", "--quiet"]);
    for (mode, wrong) in [("right", &[][..]), ("odd", &[]), ("plain", &[2, 3, 4]), ("array", &[5])] {
        let agent = format!("cmd:python3 agent.py {mode}");
        expect_success(home.path(), &["run", "out", "--agent", &agent, "-o", mode, "--quiet"]);
        let scores = std::fs::read_to_string(home.path().join(mode).join("scores.jsonl")).expect("scores");
        for line in scores.lines() {
            let score: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let verdicts = score["expect"].as_array().expect("verdicts");
            for (at, verdict) in verdicts.iter().enumerate() {
                assert_eq!(verdict["score"] == 1.0, !wrong.contains(&at), "{mode} {at}: {verdict}");
            }
        }
    }
}
