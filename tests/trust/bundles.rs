//! Bundles and runs that were changed, damaged, or killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testing::{CommandOutput, create_folder, expect_success, read_files};

const SUITE: &str = r#"
suite many { title "Many" version "1.0.0" samples 300 }
task sum {
  csv orders at "in/orders.csv" { rows 20  AMT : int 1..1_000 }
  text notes at "notes.txt" : lorem lines 5
  prompt "What is the sum of AMT in <<orders>>, and what does <<notes>> begin with? Sum only."
  expect reply number sum(orders.AMT)
}
"#;

/// `PICARDC_KILLS=200` repeats what is promised of a single build; without it fewer. Half of them replace a bundle that is there.
#[cfg(unix)]
#[test]
fn s18_a_build_killed_many_times_is_whole_or_not_there() {
    let kills: u64 = std::env::var("PICARDC_KILLS").map_or(16, |text| text.parse().expect("a number"));
    let home = create_folder(&[("s.pcd", SUITE)]);
    let begun = Instant::now();
    expect_success(home.path(), &["build", "s.pcd", "--seed", "new", "-o", "whole", "--quiet"]);
    let takes = begun.elapsed().as_micros().max(1) as u64;
    expect_success(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "before", "--quiet"]);
    let (new, old) = (read_files(home.path().join("whole")), read_files(home.path().join("before")));
    let out = home.path().join("out");
    let (mut done, mut tries, mut replaced) = (0, 0u64, 0);
    while done < kills {
        tries += 1;
        assert!(tries < 20 * kills, "{done} of {tries} tries came in time");
        if done == kills / 2 && !out.exists() {
            expect_success(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "out", "--quiet"]);
        }
        let mut command = Command::new(testing::find_program());
        command.args(["build", "s.pcd", "--seed", "new", "-o", "out", "--quiet", "--force"]);
        let mut child = command.current_dir(home.path()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros((tries * 7_919_317) % takes));
        let running = child.try_wait().expect("a status").is_none();
        child.kill().expect("killed");
        child.wait().expect("ended");
        done += u64::from(running);
        if out.exists() {
            let there = read_files(&out);
            assert!(there == new || there == old, "OUT holds a part of a bundle after kill {done}");
            if there == new {
                replaced += 1;
                fs::remove_dir_all(&out).expect("removed");
                if done >= kills / 2 {
                    expect_success(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "out", "--quiet"]);
                }
            }
        }
        let left = fs::read_dir(home.path()).expect("a folder").flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(".out.picardc-")).count();
        assert!(left <= 1, "each build removes what the killed one before it left, but {left} are there");
    }
    expect_success(home.path(), &["build", "s.pcd", "--seed", "new", "-o", "out", "--quiet", "--force"]);
    assert_eq!(read_files(&out), new);
    let mut names: Vec<String> = fs::read_dir(home.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["before", "out", "s.pcd", "whole"], "nothing is left of killed builds");
    println!("{kills} kills of builds, {tries} starts, {replaced} of them were done before");
}

/// A small bundle in `b`, and a run of it in `r`.
#[cfg(unix)]
fn bundle_and_run() -> tempfile::TempDir {
    let home = create_folder(&[("s.pcd", &SUITE.replace("samples 300", "samples 2"))]);
    expect_success(home.path(), &["build", "s.pcd", "--seed", "1", "-o", "b", "--quiet"]);
    expect_success(home.path(), &["run", "b", "--agent", "null", "-o", "r", "--quiet"]);
    home
}

/// Commands that read a bundle or a run, and the file that each of them needs.
#[cfg(unix)]
const READERS: &[(&str, &[&str])] = &[
    ("b/manifest.json", &["run", "b", "--agent", "null", "-o", "new"]),
    ("b/instances.jsonl", &["run", "b", "--agent", "null", "-o", "new"]),
    ("b/instances.jsonl", &["run", "b", "--agent", "null", "-o", "new", "--unverified"]),
    ("b/files/sum-1/in/orders.csv", &["run", "b", "--agent", "null", "-o", "new"]),
    ("b/files/sum-1/in/orders.csv", &["run", "b", "--agent", "null", "-o", "new", "--unverified"]),
    ("b/instances.jsonl", &["score", "b", "r"]),
    ("r/run.json", &["score", "b", "r"]),
    ("r/responses.jsonl", &["score", "b", "r"]),
    ("r/run.json", &["report", "r"]),
    ("r/scores.jsonl", &["report", "r"]),
    ("r/transcripts/sum-1.1.jsonl", &["report", "r", "--html", "r.html"]),
    ("r/scores.jsonl", &["compare", "r", "r"]),
    ("b/manifest.json", &["merge", "b", "b", "-o", "m"]),
];

/// Ends within ten seconds, and gives everything it said.
#[cfg(unix)]
fn ends(home: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("timeout");
    command.arg("10").arg(testing::find_program()).args(arguments).current_dir(home);
    let output = CommandOutput::from(command.output().expect("timeout starts"));
    (output.status.code(), output.join_output())
}

#[cfg(unix)]
#[test]
fn s9_links_of_a_bundle_or_a_run_lead_nowhere() {
    let secret = "root-of-all-secrets";
    for (path, arguments) in READERS {
        let home = bundle_and_run();
        let outside = create_folder(&[("secret", &format!("{{\"x\": \"{secret}\"}}\n"))]);
        let place = home.path().join(path);
        assert!(place.is_file(), "{path} is part of a bundle or run");
        fs::remove_file(&place).expect("removed");
        std::os::unix::fs::symlink(outside.path().join("secret"), &place).expect("linked");
        let (status, said) = ends(home.path(), arguments);
        assert!(matches!(status, Some(1..=3)), "{path}, {arguments:?}: {status:?} {said}");
        assert!(!said.contains(secret), "{path}, {arguments:?}: {said}");
        for kept in ["new", "r.html"] {
            let kept = home.path().join(kept);
            let all = if kept.is_dir() {
                read_files(&kept)
            } else {
                BTreeMap::from([("r.html".into(), fs::read(&kept).unwrap_or_default())])
            };
            assert!(
                all.values().all(|bytes| !String::from_utf8_lossy(bytes).contains(secret)),
                "{path}, {arguments:?}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn s12_pipes_in_bundles_and_runs_are_not_waited_for() {
    for (path, arguments) in READERS {
        let home = bundle_and_run();
        let place = home.path().join(path);
        fs::remove_file(&place).expect("removed");
        assert!(Command::new("mkfifo").arg(&place).status().expect("mkfifo").success());
        let (status, said) = ends(home.path(), arguments);
        assert!(matches!(status, Some(1..=3)), "{path}, {arguments:?}: {status:?} {said}");
        assert!(said.contains("not a file") || said.contains("read"), "{path}, {arguments:?}: {said}");
    }
}
