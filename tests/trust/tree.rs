//! `tree only`: what is new in a sandbox is listed, or the response is not correct.

use std::path::Path;

use agent::sandbox::{Lazy, Sandbox, capture};
use records::{Bundle, Captured, Reason, Response};
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

const SUITE: &str = r#"
suite s { title "S" version "1.0.0" samples 1 }
task tidy {
  text note at "in/note.txt" : lorem lines 3
  text kept at "in/kept.txt" : lorem lines 3
  sqlite db at "shop.db" { table t { rows 3  N : int 1..9 } }
  folder "empty"
  prompt "Move <<note>> to out/<<note>> beside <<kept>> and <<db>>, in a folder logs."
  expect tree only ["out/new.txt", "logs/"]
}
"#;

/// What an agent does in the sandbox, and why that is not correct; `None` if it is.
type Case = (&'static str, fn(&Path), Option<Reason>);

#[test]
fn only_the_listed_paths_can_be_new() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--seed", "5", "--quiet"]);
    let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
    let instance = bundle.open_instances().expect("instances").next().expect("one").expect("readable");
    fn right(at: &Path) {
        write_in_folder(at, "out/new.txt", b"x");
        std::fs::create_dir(at.join("logs")).expect("made");
    }
    let cases: &[Case] = &[
        ("as listed", |_| {}, None),
        ("the old files gone", |at| std::fs::remove_dir_all(at.join("in")).expect("removed"), None),
        ("hidden at the root", |at| write_in_folder(at, ".cache/x", b""), None),
        ("a cache of Python", |at| write_in_folder(at, "in/__pycache__/a.pyc", b""), None),
        ("what SQLite leaves", |at| write_in_folder(at, "shop.db-wal", b""), None),
        ("an empty file that was there", |at| write_in_folder(at, "in/kept.txt", b""), None),
        ("another file", |at| write_in_folder(at, "other.txt", b""), Some(Reason::Present)),
        ("a file in a new folder", |at| write_in_folder(at, "logs/a.log", b""), Some(Reason::Present)),
        ("a file in an old folder", |at| write_in_folder(at, "empty/a.txt", b""), Some(Reason::Present)),
        ("a hidden file below", |at| write_in_folder(at, "in/.x", b""), Some(Reason::Present)),
        ("an empty folder", |at| std::fs::create_dir(at.join("more")).expect("made"), Some(Reason::Present)),
        ("a log of no database", |at| write_in_folder(at, "x-wal", b""), Some(Reason::Present)),
        ("a journal of a text", |at| write_in_folder(at, "in/kept.txt-journal", b"x"), Some(Reason::Present)),
        ("a log of a listed text", |at| write_in_folder(at, "out/new.txt-wal", b"x"), Some(Reason::Present)),
        ("a log of a new file that is hidden", |at| write_in_folder(at, "in/.y-shm", b""), Some(Reason::Present)),
        (
            "a new file, and one named as its journal",
            |at| {
                write_in_folder(at, "notes", b"");
                write_in_folder(at, "notes-journal", b"");
            },
            Some(Reason::Present),
        ),
        (
            "a folder named as a log",
            |at| std::fs::create_dir(at.join("shop.db-wal")).expect("made"),
            Some(Reason::Present),
        ),
        ("a file named as a log of a log", |at| write_in_folder(at, "shop.db-wal-wal", b""), Some(Reason::Present)),
        (
            "the journal and the shared memory",
            |at| {
                write_in_folder(at, "shop.db-journal", b"");
                write_in_folder(at, "shop.db-shm", b"");
            },
            None,
        ),
        (
            "the log of a database in place of the listed text",
            |at| {
                write_in_folder(at, "out/new.txt", b"SQLite format 3\0");
                write_in_folder(at, "out/new.txt-wal", b"");
            },
            None,
        ),
        (
            "a listed file missing",
            |at| std::fs::remove_file(at.join("out/new.txt")).expect("removed"),
            Some(Reason::NoFile),
        ),
        (
            "a file for a folder",
            |at| {
                std::fs::remove_dir(at.join("logs")).expect("removed");
                write_in_folder(at, "logs", b"");
            },
            Some(Reason::WrongKind),
        ),
        #[cfg(unix)]
        ("a link", |at| std::os::unix::fs::symlink("/", at.join("root")).expect("linked"), Some(Reason::Present)),
    ];
    let judged = |work: &dyn Fn(&Path)| {
        let sandbox = tempfile::tempdir().expect("a folder");
        for (path, content) in &instance.files {
            write_in_folder(sandbox.path(), path, &bundle.read_content(content).expect("content"));
        }
        std::fs::create_dir(sandbox.path().join("empty")).expect("made");
        work(sandbox.path());
        let opened = Sandbox::open_answered(sandbox.path(), &bundle).expect("a sandbox");
        let files = capture::capture_paths(&opened, &instance, &Lazy::new(&bundle, &instance));
        let response = Response { id: instance.id.clone(), trial: 1, files, ..Response::default() };
        score::score_response(&instance, Some(&response), 1, &Lazy::new(&bundle, &instance))
    };
    for (name, work, reason) in cases {
        let score = judged(&|at: &Path| {
            right(at);
            work(at);
        });
        let verdict = &score.verdicts[0];
        assert_eq!(score.correct, reason.is_none(), "{name}: {verdict:?}");
        assert_eq!(verdict.reason, reason.unwrap_or(Reason::Right), "{name}: {verdict:?}");
        assert!(reason.is_none() || !verdict.differences.is_empty(), "{name}");
    }
    assert_eq!(judged(&|_| {}).verdicts[0].reason, Reason::NoFile, "doing nothing");
    let many = judged(&|at: &Path| {
        right(at);
        (0..9).for_each(|file| write_in_folder(at, &format!("more/{file}.txt"), b""));
    });
    assert_eq!(many.verdicts[0].differences.len(), 5, "the first five are told");
}

/// Finding: each path was compared with each, so that 100,000 of them took minutes.
#[test]
fn many_paths_are_judged_in_time() {
    let home = create_folder(&[("s.pcd", SUITE)]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "out", "--quiet"]);
    let bundle = Bundle::open_verified(&home.path().join("out")).expect("a bundle");
    let mut instance = bundle.open_instances().expect("instances").next().expect("one").expect("readable");
    let old = || (0..50_000).map(|at| format!("old/{}/{at}.txt-wal", at % 100));
    let new = || (0..50_000).map(|at| format!("new/{}/{at}-journal", at % 100));
    let content = instance.files[0].1.clone();
    instance.files.extend(old().map(|path| (path, content.clone())));
    let model::answer_key::Subject::Only(listed) = &mut instance.expects[0].subject else { panic!("tree only") };
    *listed = new().collect();
    let mut files: Vec<(String, Captured)> = new().map(|path| (path, Captured::from_bytes(Vec::new()))).collect();
    let begun = std::time::Instant::now();
    for more in [None, Some("new/7/x-journal")] {
        let paths = old().chain(new()).chain(more.map(str::to_owned)).collect();
        files.retain(|(path, _)| path != "./");
        files.push(("./".to_owned(), Captured::Paths { paths, sha256: Vec::new() }));
        let response = Response { id: instance.id.clone(), trial: 1, files: files.clone(), ..Response::default() };
        let score = score::score_response(&instance, Some(&response), 1, &Lazy::new(&bundle, &instance));
        assert_eq!(score.correct, more.is_none(), "{:?}", score.verdicts[0]);
    }
    let taken = begun.elapsed();
    assert!(taken.as_secs() < 20, "{taken:?}");
}

/// Runs keep the list of paths, so that a run is scored again from its files.
#[test]
fn a_run_with_the_list_of_paths_is_scored_again() {
    let suite = SUITE.replace("\"out/new.txt\", \"logs/\"", "\"out/new.txt\"");
    let home = create_folder(&[("s.pcd", suite.as_str())]);
    let home = home.path();
    expect_success(home, &["build", "s.pcd", "-o", "out", "--quiet"]);
    write_in_folder(home, "agent.py", b"import os, sys\nos.mkdir('out')\nopen('out/new.txt', 'w').write('x')\nif len(sys.argv) > 1: open('more.txt', 'w').write('x')\nprint('done')\n");
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
        assert!(responses.contains(r#"["./",{"kind":"paths","paths":["#), "{responses}");
    }
    let idle = run_picardc(home, &["selftest", "s.pcd"]);
    assert!(idle.status.success(), "{}", idle.join_output());
}
