//! Bundles and runs that were changed, damaged, or killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::support::{folder, succeeds};

/// Every file below a folder.
fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

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
    let home = folder(&[("s.pcd", SUITE)]);
    let begun = Instant::now();
    succeeds(home.path(), &["build", "s.pcd", "--seed", "new", "-o", "whole", "--quiet"]);
    let takes = begun.elapsed().as_micros().max(1) as u64;
    succeeds(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "before", "--quiet"]);
    let (new, old) = (contents(&home.path().join("whole")), contents(&home.path().join("before")));
    let out = home.path().join("out");
    let (mut done, mut tries, mut replaced) = (0, 0u64, 0);
    while done < kills {
        tries += 1;
        assert!(tries < 20 * kills, "{done} of {tries} tries came in time");
        if done == kills / 2 && !out.exists() {
            succeeds(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "out", "--quiet"]);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_picardc"));
        command.args(["build", "s.pcd", "--seed", "new", "-o", "out", "--quiet", "--force"]);
        let mut child = command.current_dir(home.path()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros((tries * 7_919_317) % takes));
        let running = child.try_wait().expect("a status").is_none();
        child.kill().expect("killed");
        child.wait().expect("ended");
        done += u64::from(running);
        if out.exists() {
            let there = contents(&out);
            assert!(there == new || there == old, "OUT holds a part of a bundle after kill {done}");
            if there == new {
                replaced += 1;
                fs::remove_dir_all(&out).expect("removed");
                if done >= kills / 2 {
                    succeeds(home.path(), &["build", "s.pcd", "--seed", "old", "-o", "out", "--quiet"]);
                }
            }
        }
        let left = fs::read_dir(home.path()).expect("a folder").flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(".out.picardc-")).count();
        assert!(left <= 1, "each build removes what the killed one before it left, but {left} are there");
    }
    succeeds(home.path(), &["build", "s.pcd", "--seed", "new", "-o", "out", "--quiet", "--force"]);
    assert_eq!(contents(&out), new);
    let mut names: Vec<String> = fs::read_dir(home.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["before", "out", "s.pcd", "whole"], "nothing is left of killed builds");
    println!("{kills} kills of builds, {tries} starts, {replaced} of them were done before");
}
