//! What the outside does to a build: kills it, fills its disk, stops reading.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{DONE, GOOD, Home, OUTSIDE, expect};

fn program() -> Command {
    Command::new(testing::find_program())
}

/// Starts a long build and waits until it writes.
fn long_build(home: &Home) -> std::process::Child {
    let mut child = program()
        .args(["build", "tests/cli/many.pcd", "-o", &home.at("out"), "--seed", "7", "--samples", "1000000", "--inline"])
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline {
        let begun = home.names().iter().any(|name| {
            fs::metadata(home.at(&format!("{name}/instances.jsonl"))).is_ok_and(|data| data.len() > 100_000)
        });
        if begun {
            return child;
        }
        if let Some(status) = child.try_wait().expect("waits") {
            panic!("the build ended before it was interrupted: {status}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    panic!("the build did not begin");
}

#[test]
#[cfg(unix)]
fn a_killed_build_leaves_nothing_under_outs_name() {
    let home = Home::new();
    let mut child = long_build(&home);
    child.kill().expect("killed"); // SIGKILL
    child.wait().expect("gone");
    assert!(!Path::new(&home.at("out")).exists());
    assert!(home.names().iter().all(|name| name.starts_with(".out.picardc-")), "{:?}", home.names());
    // And the next build is not disturbed by what was left.
    expect(DONE, &["build", GOOD, "-o", &home.at("out"), "--seed", "7", "--quiet"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_nothing_is_left() {
    let home = Home::new();
    let disk = home.at("disk");
    fs::create_dir(&disk).expect("created");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs", &disk]).output();
    if !mounted.is_ok_and(|ran| ran.status.success()) {
        println!("skipped: mounting a small file system is not allowed here");
        return;
    }
    let out = format!("{disk}/out");
    let ran = std::panic::catch_unwind(|| {
        for layout in [&["--inline"][..], &[]] {
            let args =
                [&["build", "tests/cli/many.pcd", "-o", &out, "--seed", "7", "--samples", "500"], layout].concat();
            let full = expect(OUTSIDE, &args);
            assert!(full.err.contains("the disk is full"), "{}", full.err);
            assert_eq!(fs::read_dir(&disk).expect("readable").count(), 0);
        }
    });
    assert!(Command::new("umount").arg(&disk).status().is_ok_and(|status| status.success()));
    if let Err(panic) = ran {
        std::panic::resume_unwind(panic);
    }
}

#[test]
#[cfg(unix)]
fn nobody_reading_is_no_panic() {
    for args in [
        &["build", GOOD, "--emit", "plan"][..],
        &["explain"],
        &["check", "--format", "json", "tests/cli/broken.pcd"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = program().args(args).stdout(writer).stderr(Stdio::piped()).output().expect("runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code().is_some_and(|code| code <= 1) && !err.contains("panicked"),
            "{args:?}: {:?} {err}",
            output.status
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_stdout_that_cannot_be_written_is_the_outsides_fault() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
    let output = program().args(["explain"]).stdout(full).output().expect("runs");
    assert_eq!(output.status.code(), Some(OUTSIDE));
}
