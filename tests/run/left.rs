//! What programs leave in their sandboxes, what others put where sandboxes are, and what commands that were killed leave.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use records::Status;
use testing::{CommandOutput, expect_success, write_in_folder};

use super::home::{Home, SUITE};

const TIDY: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 1
}

task tidy {
  n : int 1..1_000_000
  prompt "Write <<n>> to out.txt, and nothing else."
  expect file "out.txt" number n
  expect tree only ["out.txt"]
}
"#;

/// Nests folders, one in the other.
const NEST: &str = r#"
import os, sys
os.mkdir("deep"); os.chdir("deep")
for number in range(DEPTH):
    os.mkdir("NAME"); os.chdir("NAME")
print("nested")
"#;

/// A folder for sandboxes, and a program for the agent.
fn agent(home: &Home, source: &str) -> (PathBuf, String) {
    let temporary = home.at("temporary");
    fs::create_dir_all(&temporary).expect("made");
    write_in_folder(home.folder.path(), "program/agent.py", source.as_bytes());
    let python = if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
    (temporary, format!("cmd:{python} '{}'", home.at("program/agent.py").display()))
}

/// Runs the bundle with at most so many open files.
fn run(home: &Home, temporary: &Path, agent: &str, name: &str, files: u32, flags: &[&str]) -> CommandOutput {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")]).arg(testing::find_program());
    command.args(["run", "--quiet", "--agent", agent, "-o"]).args([home.at(name), home.at("bundle")]).args(flags);
    command.env("TMPDIR", temporary).output().expect("it starts").into()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("read").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn s3_folders_of_any_depth_are_taken_for_what_they_are_and_removed() {
    let home = Home::new(TIDY);
    for (number, (depth, name, files)) in
        [(18_000, "d", 1024), (2_000, "d", 64), (3_000, "a name that is long", 1024), (40, "d", 256)].iter().enumerate()
    {
        let source = NEST.replace("DEPTH", &depth.to_string()).replace("NAME", name);
        let (temporary, agent) = agent(&home, &source);
        let run_name = format!("r{number}");
        let output = run(&home, &temporary, &agent, &run_name, *files, &[]);
        assert!(output.status.success(), "{depth}: {:?} {}", output.status, output.err);
        let response = fs::read_to_string(home.at(&run_name).join("responses.jsonl")).expect("a response");
        assert_eq!(response.lines().count(), 1, "{depth}");
        assert!(response.contains("\"reply\":\"nested\""), "{depth}");
        let counted = response.contains("\"kind\":\"too_large\"");
        assert!(counted == (*depth > 2_000 || name.len() > 1 && *depth > 200), "{depth}: whether its paths were kept");
        let left = names(&temporary);
        assert!(left.is_empty(), "{depth}: {left:?}");
    }
}

#[test]
fn s3_one_folder_is_used_again_after_deep_ones() {
    let home = Home::new(TIDY);
    let (temporary, agent) = agent(&home, &NEST.replace("DEPTH", "18000").replace("NAME", "d"));
    for (name, trials) in [("a", "2"), ("b", "1")] {
        let fixed = home.at("fixed");
        let flags = ["--sandbox", &fixed.display().to_string(), "--trials", trials];
        let output = run(&home, &temporary, &agent, name, 256, &flags);
        assert!(output.status.success(), "{:?} {}", output.status, output.err);
    }
    assert_eq!(names(&home.at("fixed")), [".picardc-sandbox", "deep"]);
    disk::remove_folder(&home.at("fixed")).expect("removed");
}

#[test]
fn s3_a_response_is_on_the_disk_before_its_sandbox_is_removed() {
    let home = Home::new(SUITE);
    let source = r#"
import os
for folder in range(60):
    os.mkdir(str(folder))
    for number in range(500):
        open("%d/%d" % (folder, number), "w").close()
print("many")
"#;
    let (temporary, agent) = agent(&home, source);
    let mut command = Command::new(testing::find_program());
    command.args(["run", "--quiet", "--task", "reply", "--agent", &agent, "-o"]);
    command.args([home.at("run"), home.at("bundle")]).env("TMPDIR", &temporary);
    let mut child = command.spawn().expect("it starts");
    let sandbox = || {
        let own = names(&temporary).into_iter().find(|name| name.starts_with("picardc-run-"))?;
        Some(temporary.join(own).join("reply-1.1.1/work"))
    };
    let until = Instant::now() + Duration::from_secs(60);
    let mut full = false;
    while child.try_wait().expect("asked").is_none() && Instant::now() < until {
        let files = sandbox().map_or(0, |sandbox| fs::read_dir(sandbox).map_or(0, Iterator::count));
        let written = fs::read_to_string(home.at("run/responses.jsonl")).map_or(0, |text| text.lines().count());
        // What was looked at first is gone first.
        assert!(!full || files == 60 || written == 1, "{files} folders are left, and no response is there");
        full |= files == 60;
    }
    assert!(child.wait().expect("ended").success());
    assert!(names(&temporary).is_empty());
}

#[test]
fn s3_what_a_killed_run_left_is_removed_by_the_next_whatever_it_is() {
    let home = Home::new(SUITE);
    let source = NEST.replace("DEPTH", "18000").replace("NAME", "d") + "import time\ntime.sleep(100)\n";
    let (temporary, agent) = agent(&home, &source.replace("print(\"nested\")", "print(\"nested\", flush=True)"));
    let mut command = Command::new(testing::find_program());
    command.args(["run", "--quiet", "--task", "reply", "--agent", &agent, "-o"]);
    command.args([home.at("run"), home.at("bundle")]).env("TMPDIR", &temporary).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(30);
    while !names(&temporary).iter().any(|own| temporary.join(own).join("reply-1.1.1/work/deep/d/d/d/d").exists()) {
        assert!(Instant::now() < until, "{:?}", names(&temporary));
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("killed");
    child.wait().expect("ended");
    let left = names(&temporary);
    assert_eq!(left.len(), 1, "{left:?}");
    // Another run finds it, once it is old enough.
    let lock = fs::File::options().write(true).open(temporary.join(&left[0]).join(".lock")).expect("a lock");
    lock.set_modified(SystemTime::now() - Duration::from_secs(100)).expect("set");
    drop(lock);
    std::thread::sleep(Duration::from_millis(500));
    let output = run(&home, &temporary, "null", "other", 256, &[]);
    assert!(output.status.success(), "{}", output.err);
    assert!(names(&temporary).is_empty(), "{:?}", names(&temporary));
}

fn is_root() -> bool {
    let own = tempfile::tempfile().and_then(|file| file.metadata()).expect("a file");
    std::os::unix::fs::MetadataExt::uid(&own) == 0
}

/// Makes a pipe.
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// Ends in time, or is killed.
fn ends(command: &mut Command) -> Option<CommandOutput> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(30);
    while child.try_wait().expect("asked").is_none() {
        if Instant::now() > until {
            child.kill().expect("killed");
            child.wait().expect("ended");
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(child.wait_with_output().expect("its output").into())
}

#[test]
fn s6_what_others_put_where_sandboxes_are_hinders_nobody() {
    let home = Home::new(SUITE);
    let temporary = home.at("temporary");
    let secret = home.at("secret");
    write_in_folder(&secret, ".lock", b"");
    write_in_folder(&secret, "mine", b"mine");
    let old = |path: &Path| {
        let time = SystemTime::now() - Duration::from_secs(1000);
        let _ = fs::File::open(path).and_then(|file| file.set_modified(time));
    };
    let at = |name: &str| temporary.join(name);
    for name in ["picardc-run-pipe", "picardc-run-folder", "picardc-run-link", "picardc-run-foreign"] {
        fs::create_dir_all(at(name)).expect("made");
        fs::write(at(name).join("kept"), "kept").expect("written");
    }
    pipe(&at("picardc-run-pipe/.lock"));
    fs::create_dir(at("picardc-run-folder/.lock")).expect("made");
    std::os::unix::fs::symlink(secret.join(".lock"), at("picardc-run-link/.lock")).expect("linked");
    std::os::unix::fs::symlink(&secret, at("picardc-run-linked")).expect("linked");
    pipe(&at("picardc-run-as-pipe"));
    fs::write(at("picardc-run-as-file"), "kept").expect("written");
    fs::write(at("picardc-run-foreign/.lock"), "").expect("written");
    old(&at("picardc-run-foreign/.lock"));
    old(&secret.join(".lock"));
    let root = is_root();
    if root {
        // Somebody else's.
        std::os::unix::fs::chown(at("picardc-run-foreign"), Some(65534), Some(65534)).expect("given away");
    }
    let before = names(&temporary);
    let mut command = Command::new(testing::find_program());
    command.args(["run", "--quiet", "--agent", "null", "-o"]).args([home.at("run"), home.at("bundle")]);
    let output = ends(command.env("TMPDIR", &temporary)).expect("it does not wait for a pipe");
    assert!(output.status.success(), "{}", output.err);
    let mut expected = before;
    expected.retain(|name| root || name != "picardc-run-foreign");
    assert_eq!(names(&temporary), expected);
    assert_eq!(fs::read_to_string(secret.join("mine")).expect("read"), "mine");
}

#[test]
fn s6_a_lock_that_is_no_file_is_said() {
    let home = Home::new(SUITE);
    for (name, make) in [("pipe", pipe as fn(&Path)), ("folder", |path| fs::create_dir(path).expect("made"))] {
        let run = home.at(name);
        fs::create_dir(&run).expect("made");
        make(&run.join(".lock"));
        let mut command = Command::new(testing::find_program());
        command.args(["run", "--agent", "null", "-o"]).args([run, home.at("bundle")]);
        let output = ends(&mut command).expect("it does not wait");
        assert_eq!(output.status.code(), Some(3), "{}", output.err);
        assert!(output.err.contains(".lock`: it is a "), "{}", output.err);
    }
}

#[test]
fn s12_what_killed_commands_left_is_swept_by_the_next() {
    let home = Home::new(SUITE);
    home.run("oracle", "run", &[]);
    let folder = home.folder.path();
    write_in_folder(folder, "x.pcd", SUITE.replace("samples 1", "samples    1").as_bytes());
    let old = SystemTime::now() - Duration::from_secs(100);
    let leave = |path: &str| {
        let file = fs::File::create(home.at(path)).expect("made");
        file.set_modified(old).expect("set");
    };
    let kept = ["run/.tmp-note", ".picardc-sandbox", ".picardc-reports", ".picardc-fix-1", "run/.tmp-abc_ef"];
    let left = ["run/.tmp-Ab12Cd", ".picardc-Xy12Zw", ".picardc-fix-Ab12Cd", ".picardc-init-Ab12Cd"];
    kept.iter().chain(&left).for_each(|path| leave(path));
    let fresh = home.at(".picardc-fresh0");
    fs::write(&fresh, "").expect("written");
    expect_success(folder, &["score", "bundle", "run"]);
    assert!(!home.at(left[0]).exists(), "score");
    expect_success(folder, &["report", "run", "--html", "report.html"]);
    for path in &left[1..] {
        assert!(!home.at(path).exists(), "report: {path}");
    }
    left[1..].iter().for_each(|path| leave(path));
    expect_success(folder, &["fmt", "x.pcd"]);
    for path in &left[1..] {
        assert!(!home.at(path).exists(), "fmt: {path}");
    }
    for path in kept {
        assert!(home.at(path).exists(), "{path}");
    }
    assert!(fresh.exists(), "another command may be writing it");
}

/// Runs a program as an ordinary user, where that can be done: root becomes one.
fn as_ordinary(program: &Path) -> Option<Command> {
    if !is_root() {
        return Some(Command::new(program));
    }
    let known = Command::new("setpriv").arg("--version").output().is_ok_and(|output| output.status.success());
    known.then(|| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]).arg(program);
        command
    })
}

#[test]
fn i0_too_many_processes_are_told_alike_to_root_and_to_users() {
    let bomb = "import os, time\nfor _ in range(1200):\n    if os.fork() == 0:\n        time.sleep(15)\n        os._exit(0)\ntime.sleep(15)\n";
    let threads = "import threading, time\nfor _ in range(1400):\n    threading.Thread(target=time.sleep, args=(15,), daemon=True).start()\n";
    for (source, limit, words) in [
        (bomb, None, &["processes at once"][..]),
        (bomb, Some(60), &["processes at once", "the system allows this user no more"]),
        (threads, Some(60), &[""]),
    ] {
        let home = Home::new(SUITE);
        let (temporary, agent) = agent(&home, source);
        let program = home.at("picardc");
        fs::copy(testing::find_program(), &program).expect("copied");
        let Some(mut command) = as_ordinary(Path::new("/bin/sh")) else {
            eprintln!("skipped: without setpriv, root cannot become an ordinary user");
            return;
        };
        if is_root() {
            let owned = Command::new("chown").args(["-R", "65534:65534"]).arg(home.folder.path()).status();
            assert!(owned.expect("chown").success());
        }
        // Processes that this user has already count, too.
        let own = is_root();
        let limit = limit
            .filter(|_| own)
            .map_or(String::new(), |limit| format!("ulimit -u {limit} 2>/dev/null || ulimit -p {limit}; "));
        let words = if limit.is_empty() { &words[..1] } else { words };
        command.args(["-c", &format!("{limit}exec \"$0\" \"$@\"")]).arg(&program);
        command.args(["run", "--task", "reply", "--memory", "8192", "--timeout", "60", "--agent", &agent, "-o"]);
        command.args([home.at("run"), home.at("bundle")]).env("TMPDIR", &temporary).current_dir(home.folder.path());
        let output: CommandOutput = command.output().expect("it starts").into();
        let responses: Vec<records::Response> =
            records::jsonl::read_all(&home.at("run/responses.jsonl")).unwrap_or_else(|_| panic!("{}", output.err));
        let error = responses[0].error.as_deref().unwrap_or_default();
        assert_eq!(responses[0].status, Status::Failed, "{limit}: {error}");
        for word in words {
            assert!(error.contains(word), "{limit}: {error}");
        }
    }
}

#[test]
fn s12_a_program_that_wants_to_be_traced_is_told_so() {
    let home = Home::new(SUITE);
    let source = "import ctypes, os, signal\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\nos.kill(os.getpid(), signal.SIGUSR1)\nprint(1)\n";
    let (temporary, agent) = agent(&home, source);
    let output = run(&home, &temporary, &agent, "run", 1024, &["--task", "reply", "--timeout", "30"]);
    let text = fs::read_to_string(home.at("run/responses.jsonl")).unwrap_or_else(|_| panic!("{}", output.err));
    assert!(!text.contains("signal 0"), "{text}");
    assert!(text.contains("asked to be traced (PTRACE_TRACEME)") && text.contains("signal 10"), "{text}");
}
