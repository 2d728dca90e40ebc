//! `tree unchanged`: each end of a sandbox is judged as a reader of the prompt would judge it.

use std::path::Path;

use agent::sandbox::{Lazy, Sandbox, capture};
use records::{Bundle, Instance, Reason, Response, Score};
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

const SUITE: &str = r#"
suite s { title "S" version "1.0.0" samples 1 }
task port {
  json conf at "conf.json" = { port: 80, debug: true }
  text note at "in/note.txt" : lorem lines 3
  text kept at "in/kept.txt" : lorem lines 3
  text dots at ".env" : lorem lines 1
  sqlite db at "shop.db" { table t { rows 3  N : int 1..9 } view v = <<rows: SELECT COUNT(*) AS M FROM t>> }
  folder "empty"
  prompt "Set the port in <<conf>> to 443, and write a log to out/log.txt. Leave everything else, <<db>>, <<note>>, <<kept>>, and <<dots>>, as it is."
  expect file conf json edit(conf, "$.port", 443)
  expect tidy: tree unchanged except [conf, "out/"] gate
}
"#;

/// What an agent does in the sandbox, and why that is not correct; `None` if it is.
type Case = (&'static str, fn(&Path), Option<Reason>);

fn make_folder(at: &Path) {
    std::fs::create_dir_all(at).expect("made");
}

fn remove(at: &Path) {
    if at.is_dir() { std::fs::remove_dir_all(at) } else { std::fs::remove_file(at) }.expect("removed");
}

fn rename(from: &Path, to: &Path) {
    std::fs::rename(from, to).expect("renamed");
}

fn run_sql(at: &Path, sql: &str) {
    let script = "import sqlite3, sys\nd = sqlite3.connect(sys.argv[1], isolation_level=None)\nd.executescript(sys.argv[2])\nd.close()";
    let ran = std::process::Command::new("python3").args(["-c", script]).arg(at.join("shop.db")).arg(sql).status();
    assert!(ran.expect("Python").success(), "{sql}");
}

/// Leaves the changes in the log, as a program does that is stopped.
fn run_sql_in_log(at: &Path, sql: &str) {
    let script = "import os, sqlite3, sys\nd = sqlite3.connect(sys.argv[1], isolation_level=None)\nd.execute('PRAGMA journal_mode = WAL')\nd.executescript(sys.argv[2])\nos._exit(0)";
    let ran = std::process::Command::new("python3").args(["-c", script]).arg(at.join("shop.db")).arg(sql).status();
    assert!(ran.expect("Python").success(), "{sql}");
}

#[cfg(unix)]
fn link(to: &str, at: &Path) {
    std::os::unix::fs::symlink(to, at).expect("linked");
}

const CASES: &[Case] = &[
    ("as asked", |_| {}, None),
    ("nothing in the excepted folder", |at| remove(&at.join("out")), None),
    ("a folder in the excepted folder", |at| write_in_folder(at, "out/a/b/c.txt", b"x"), None),
    ("the excepted file gone", |at| remove(&at.join("conf.json")), None),
    (
        "a file in place of the excepted folder",
        |at| {
            remove(&at.join("out"));
            write_in_folder(at, "out", b"");
        },
        None,
    ),
    (
        "a file written again",
        |at| {
            let text = std::fs::read(at.join("in/kept.txt")).expect("read");
            write_in_folder(at, "in/kept.txt", &text);
        },
        None,
    ),
    (
        "what shells and tools leave",
        |at| {
            for path in [
                ".cache/x",
                ".config/y/z",
                ".local/share/a",
                ".npm/b",
                ".ipython/c",
                ".bash_history",
                ".python_history",
                ".viminfo",
                ".lesshst",
                ".wget-hsts",
            ] {
                write_in_folder(at, path, b"");
            }
        },
        None,
    ),
    ("a cache of Python", |at| write_in_folder(at, "in/__pycache__/a.pyc", b""), None),
    (
        "the vandal",
        |at| {
            remove(&at.join("in/note.txt"));
            write_in_folder(at, "in/kept.txt", b"");
            write_in_folder(at, "mine.txt", b"");
        },
        Some(Reason::Changed),
    ),
    (
        "all gone",
        |at| ["in", "empty", "shop.db", ".env"].into_iter().for_each(|path| remove(&at.join(path))),
        Some(Reason::NoFile),
    ),
    (
        "a byte more",
        |at| {
            let mut text = std::fs::read(at.join("in/note.txt")).expect("read");
            text.push(b'\n');
            write_in_folder(at, "in/note.txt", &text);
        },
        Some(Reason::Changed),
    ),
    ("a file gone", |at| remove(&at.join("in/note.txt")), Some(Reason::NoFile)),
    ("a hidden file gone", |at| remove(&at.join(".env")), Some(Reason::NoFile)),
    ("a hidden file changed", |at| write_in_folder(at, ".env", b"x"), Some(Reason::Changed)),
    ("an empty folder gone", |at| remove(&at.join("empty")), Some(Reason::NoFile)),
    ("a file renamed", |at| rename(&at.join("in/note.txt"), &at.join("in/notes.txt")), Some(Reason::NoFile)),
    (
        "two files swapped",
        |at| {
            rename(&at.join("in/note.txt"), &at.join("x"));
            rename(&at.join("in/kept.txt"), &at.join("in/note.txt"));
            rename(&at.join("x"), &at.join("in/kept.txt"));
        },
        Some(Reason::Changed),
    ),
    (
        "a file in another letter case",
        |at| rename(&at.join("in/note.txt"), &at.join("in/Note.txt")),
        Some(Reason::NoFile),
    ),
    ("a backup", |at| write_in_folder(at, "conf.json.bak", b""), Some(Reason::Present)),
    ("a file beside the excepted folder", |at| write_in_folder(at, "output.txt", b""), Some(Reason::Present)),
    ("a hidden file at the root", |at| write_in_folder(at, ".notes", b""), Some(Reason::Present)),
    ("a hidden file below", |at| write_in_folder(at, "in/.x", b""), Some(Reason::Present)),
    ("a repository", |at| write_in_folder(at, ".git/HEAD", b""), Some(Reason::Present)),
    ("a file named as the folder of a tool", |at| write_in_folder(at, ".cache", b""), Some(Reason::Present)),
    (
        "the folder of a tool that is not at the root",
        |at| write_in_folder(at, "in/.cache/x", b""),
        Some(Reason::Present),
    ),
    ("an empty new folder", |at| make_folder(&at.join("more")), Some(Reason::Present)),
    ("a file in the empty folder", |at| write_in_folder(at, "empty/a.txt", b""), Some(Reason::Present)),
    (
        "a file become a folder",
        |at| {
            remove(&at.join("in/note.txt"));
            make_folder(&at.join("in/note.txt"));
        },
        Some(Reason::WrongKind),
    ),
    (
        "a folder become a file",
        |at| {
            remove(&at.join("empty"));
            write_in_folder(at, "empty", b"");
        },
        Some(Reason::WrongKind),
    ),
    #[cfg(unix)]
    ("a new link", |at| link("/", &at.join("root")), Some(Reason::Present)),
    #[cfg(unix)]
    ("a link to nothing", |at| link("nowhere", &at.join("in/x")), Some(Reason::Present)),
    #[cfg(unix)]
    (
        "a link to the same content",
        |at| {
            write_in_folder(at, "out/note.txt", &std::fs::read(at.join("in/note.txt")).expect("read"));
            remove(&at.join("in/note.txt"));
            link("../out/note.txt", &at.join("in/note.txt"));
        },
        Some(Reason::WrongKind),
    ),
    #[cfg(unix)]
    (
        "a link to the same folder",
        |at| {
            rename(&at.join("empty"), &at.join("out/empty"));
            link("out/empty", &at.join("empty"));
        },
        Some(Reason::WrongKind),
    ),
    #[cfg(unix)]
    ("a link in the excepted folder", |at| link("/", &at.join("out/root")), None),
    ("a database read in WAL mode", |at| run_sql_in_log(at, "SELECT * FROM t"), None),
    ("a database written again", |at| run_sql(at, "UPDATE t SET N = N; VACUUM; ANALYZE"), None),
    ("a change taken back", |at| run_sql(at, "INSERT INTO t VALUES (77); DELETE FROM t WHERE N = 77"), None),
    ("a row changed", |at| run_sql(at, "UPDATE t SET N = N + 1"), Some(Reason::Changed)),
    ("a row changed in the log", |at| run_sql_in_log(at, "UPDATE t SET N = N + 1"), Some(Reason::Changed)),
    ("a table added", |at| run_sql(at, "CREATE TABLE x (N)"), Some(Reason::Changed)),
    (
        "a trigger",
        |at| run_sql(at, "CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END"),
        Some(Reason::Changed),
    ),
    ("an index", |at| run_sql(at, "CREATE INDEX i ON t (N)"), Some(Reason::Changed)),
    ("a view gone", |at| run_sql(at, "DROP VIEW v"), Some(Reason::Changed)),
    ("a version", |at| run_sql(at, "PRAGMA user_version = 7"), Some(Reason::Changed)),
    ("an empty journal", |at| write_in_folder(at, "shop.db-journal", b""), None),
    ("a folder named as a log", |at| make_folder(&at.join("shop.db-wal")), Some(Reason::Present)),
    ("a log of no database", |at| write_in_folder(at, "x-wal", b""), Some(Reason::Present)),
    ("a journal of a text", |at| write_in_folder(at, "in/kept.txt-journal", b"x"), Some(Reason::Present)),
    ("a text in place of the database", |at| write_in_folder(at, "shop.db", b"x"), Some(Reason::Changed)),
    ("the database gone", |at| remove(&at.join("shop.db")), Some(Reason::NoFile)),
];

fn build_one(home: &Path) -> (Bundle, Instance) {
    expect_success(home, &["build", "s.pcd", "-o", "out", "--seed", "5", "--quiet"]);
    let bundle = Bundle::open_verified(&home.join("out")).expect("a bundle");
    let instance = bundle.open_instances().expect("instances").next().expect("one").expect("readable");
    (bundle, instance)
}

fn judge(bundle: &Bundle, instance: &Instance, work: &dyn Fn(&Path)) -> Score {
    let sandbox = tempfile::tempdir().expect("a folder");
    for (path, content) in &instance.files {
        write_in_folder(sandbox.path(), path, &bundle.read_content(content).expect("content"));
    }
    instance.folders.iter().for_each(|folder| make_folder(&sandbox.path().join(folder)));
    work(sandbox.path());
    let opened = Sandbox::open_answered(sandbox.path(), bundle).expect("a sandbox");
    let start = Lazy::new(bundle, instance);
    let files = capture::capture_paths(&opened, instance, &start);
    let response = Response { id: instance.id.clone(), trial: 1, files, ..Response::default() };
    score::score_response(instance, Some(&response), 1, &start)
}

fn answer(at: &Path) {
    write_in_folder(at, "conf.json", br#"{"port": 443, "debug": true}"#);
    write_in_folder(at, "out/log.txt", b"done");
}

#[test]
fn everything_else_is_as_at_the_start() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    let (bundle, instance) = build_one(home.path());
    for (name, work, reason) in CASES {
        let score = judge(&bundle, &instance, &|at: &Path| {
            answer(at);
            work(at);
        });
        let verdict = &score.verdicts[1];
        assert_eq!(verdict.reason, reason.unwrap_or(Reason::Right), "{name}: {verdict:?}");
        assert_eq!(verdict.score, f64::from(u8::from(reason.is_none())), "{name}");
        assert_eq!(reason.is_some(), !verdict.differences.is_empty(), "{name}");
        assert!(reason.is_none() || score.score == 0.0, "{name}: it is a gate");
        assert_eq!((verdict.subject.as_str(), verdict.matcher.as_str()), ("tree", "unchanged"), "{name}");
    }
    let nothing = judge(&bundle, &instance, &|_| {});
    assert_eq!((nothing.verdicts[1].reason, nothing.correct), (Reason::Right, false), "doing nothing is no answer");
    let many = judge(&bundle, &instance, &|at: &Path| {
        answer(at);
        (0..9).for_each(|file| write_in_folder(at, &format!("more/{file}.txt"), b""));
    });
    assert_eq!(many.verdicts[1].differences.len(), 5, "the first five are told");
}

/// Runs keep the digests, so that a run is scored again from its files.
#[test]
fn a_run_is_scored_again_from_its_digests() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    let home = home.path();
    expect_success(home, &["build", "s.pcd", "-o", "out", "--quiet"]);
    let agent = r#"
import json, os, sys
conf = json.load(open("conf.json"))
conf["port"] = 443
json.dump(conf, open("conf.json", "w"))
if len(sys.argv) > 1: os.remove("in/note.txt")
print("done")
"#;
    write_in_folder(home, "agent.py", agent.as_bytes());
    for (agent, correct) in
        [("oracle", true), ("null", false), ("cmd:python3 agent.py", true), ("cmd:python3 agent.py x", false)]
    {
        let _ = std::fs::remove_dir_all(home.join("run"));
        expect_success(home, &["run", "out", "--agent", agent, "-o", "run", "--quiet"]);
        let first = std::fs::read_to_string(home.join("run/scores.jsonl")).expect("scores");
        assert_eq!(first.contains("\"correct\":true"), correct, "{agent}: {first}");
        expect_success(home, &["score", "out", "run"]);
        assert_eq!(std::fs::read_to_string(home.join("run/scores.jsonl")).expect("scores"), first, "{agent}");
        let responses = std::fs::read_to_string(home.join("run/responses.jsonl")).expect("responses");
        assert!(responses.contains(r#"["**",{"kind":"paths","paths":["#), "{responses}");
        assert!(!responses.contains("shop.db-wal"), "an unchanged database is not kept: {responses}");
    }
    let idle = run_picardc(home, &["selftest", "s.pcd"]);
    assert!(idle.status.success(), "{}", idle.join_output());
}

#[cfg(unix)]
#[test]
fn a_lake_is_unchanged() {
    let suite = r#"
lake docs from "docs" { }
suite s { title "S" version "1.0.0" samples 1 }
task t {
  lake docs
  prompt "Write 7 to `a.txt`. Leave <<docs>> as it is."
  expect file "a.txt" number 7
  expect tree unchanged except ["a.txt"]
}
"#;
    let home = create_folder(&[("s.pcd", suite), ("docs/a.txt", "aa"), ("docs/b/c.txt", "ccc"), ("docs/b.db", "x")]);
    let home = home.path();
    expect_success(home, &["build", "s.pcd", "-o", "out", "--quiet"]);
    for (work, correct) in
        [("", true), ("rm docs/a.txt; ", false), ("touch docs/n; ", false), ("mv docs d; mkdir docs; ", false)]
    {
        let _ = std::fs::remove_dir_all(home.join("run"));
        let agent = format!("cmd:sh -c '{work}printf 7 > a.txt'");
        expect_success(home, &["run", "out", "--agent", &agent, "-o", "run", "--quiet"]);
        let scores = std::fs::read_to_string(home.join("run/scores.jsonl")).expect("scores");
        assert_eq!(scores.contains("\"correct\":true"), correct, "{work}: {scores}");
    }
}
