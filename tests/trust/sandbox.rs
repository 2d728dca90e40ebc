//! What a program under test can reach.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{CommandOutput, create_folder, expect_success, run_picardc, write_in_folder};

const SUITE: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 4
}

task reply {
  n : int 1..1_000_000
  prompt "Reply with <<n>> in out.txt."
  expect file "out.txt" number n
}
"#;

/// A folder with a suite, its bundle, a good run of it, and these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = create_folder(&[("s.pcd", SUITE)]);
    for (path, content) in files {
        write_in_folder(folder.path(), path, content.as_bytes());
    }
    expect_success(folder.path(), &["build", "s.pcd", "-o", "bundle", "--seed", "7", "--quiet"]);
    expect_success(folder.path(), &["run", "bundle", "--agent", "oracle", "-o", "r_oracle", "--quiet"]);
    folder
}

fn json_of(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).expect("read")).expect("JSON")
}

/// The responses of a run, in the order of their ids.
fn responses(run: &Path) -> Vec<Json> {
    let text = fs::read_to_string(run.join("responses.jsonl")).expect("responses");
    let mut all: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    all.sort_by_key(|response| response["id"].as_str().map(str::to_owned));
    all
}

fn replies(run: &Path) -> Vec<String> {
    responses(run).iter().map(|response| response["reply"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Whether the system confines programs in every respect; if not, tests that need it say so.
fn confined(run: &Path) -> bool {
    let sandbox = &json_of(&run.join("run.json"))["sandbox"];
    if sandbox["confined"] != "all" {
        eprintln!("skipped: {sandbox}");
    }
    sandbox["confined"] == "all"
}

fn has_landlock(run: &Path) -> bool {
    json_of(&run.join("run.json"))["sandbox"]["confined"] != "none"
}

const CHEAT: &str = r#"
import glob, json, os, sys
question = json.loads(sys.stdin.readline())
here = os.path.dirname(os.path.abspath(__file__))
for path in [here + "/r_oracle/responses.jsonl"] + glob.glob(here + "/**/*", recursive=True):
    try:
        text = open(path).read()
    except OSError:
        continue
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("id") == question["id"] and "files" in found:
            for name, what in found["files"]:
                open(name, "w").write(what["text"])
            print("cheated by " + path)
            sys.exit()
print("honest")
"#;

#[test]
fn s7a_nothing_next_to_an_agent_is_visible() {
    let home = project(&[("cheat.py", CHEAT)]);
    for flags in [&[][..], &["--read", "."]] {
        let name = format!("r{}", flags.len());
        let mut words = vec!["run", "bundle", "--agent", "cmd:python3 cheat.py", "-o", &name];
        words.extend(flags);
        let output = run_picardc(home.path(), &words);
        assert!(output.status.success(), "{}", output.err);
        if has_landlock(&home.path().join(&name)) {
            assert_eq!(replies(&home.path().join(&name)), ["honest"; 4], "{}", output.err);
        }
    }
}

#[test]
fn s7a_an_agent_imports_the_code_next_to_it() {
    let home = project(&[
        ("agent/main.py", "import helper, package.deep\nprint(helper.WORD + package.deep.WORD)\n"),
        ("agent/helper.py", "WORD = 'some '\n"),
        ("agent/package/__init__.py", ""),
        ("agent/package/deep.py", "WORD = 'words'\n"),
        ("agent/data.py", "import os\nprint(open(os.path.dirname(os.path.abspath(__file__)) + '/words.txt').read())\n"),
        ("agent/words.txt", "from a file"),
    ]);
    let said = |name: &str, words: &[&str]| {
        let mut all = vec!["run", "bundle", "-o", name];
        all.extend(words);
        let output = run_picardc(home.path(), &all);
        (output.err, responses(&home.path().join(name)).remove(0))
    };
    let (err, response) = said("a", &["--agent", "cmd:python3 agent/main.py"]);
    assert_eq!(response["reply"], "some words", "{err}");
    if !has_landlock(&home.path().join("a")) {
        return;
    }
    // Data is not code: it is named, or its folder is.
    let (err, response) = said("b", &["--agent", "cmd:python3 agent/data.py"]);
    assert!(response["error"].as_str().is_some_and(|why| why.contains("--read PATH lets it read more")), "{err}");
    for (name, words) in [
        ("c", ["--agent", "cmd:python3 agent/data.py", "--read", "agent"]),
        ("d", ["--agent", "cmd:python3 agent/data.py agent/words.txt", "--max-rounds", "9"]),
    ] {
        let (err, response) = said(name, &words);
        assert_eq!(response["reply"], "from a file", "{err}");
    }
}

#[test]
fn s7d_shared_memory_counts() {
    let touch = r#"
import ctypes, mmap, os, time
libc = ctypes.CDLL(None)
print(libc.shmget(0x70636464, 4096, 0o1600), flush=True)
shared = mmap.mmap(-1, 600 << 20)
for at in range(0, 600 << 20, 4096):
    shared[at] = 1
time.sleep(2)
print("touched")
"#;
    let file = r#"
import os
memory = os.memfd_create("x")
for _ in range(600):
    os.write(memory, bytes(1 << 20))
print("written")
"#;
    let home = project(&[("touch.py", touch), ("file.py", file)]);
    for name in ["touch", "file"] {
        let agent = format!("cmd:python3 {name}.py");
        run_picardc(home.path(), &["run", "bundle", "--agent", &agent, "-o", name, "--limit", "1", "--memory", "100"]);
        let response = responses(&home.path().join(name)).remove(0);
        assert_eq!(response["status"], "failed", "{response}");
        let why = response["error"].as_str().unwrap_or_default();
        assert!(name == "file" || why.contains("more memory than --memory allows"), "{why}");
    }
    if confined(&home.path().join("touch")) {
        assert!(!segments().contains(&0x7063_6464), "a segment outlived its program");
    }
}

/// The keys of the segments of shared memory there are.
fn segments() -> Vec<u64> {
    let table = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    table.lines().filter_map(|line| line.split_ascii_whitespace().next()?.parse().ok()).collect()
}

#[test]
fn s7g_how_the_agent_was_confined_is_recorded() {
    let home = project(&[("agent.py", "print(1)\n")]);
    let run = |name: &str, flags: &[&str]| {
        let mut words = vec!["run", "bundle", "--quiet", "--agent", "cmd:python3 agent.py", "-o", name];
        words.extend(flags);
        run_picardc(home.path(), &words)
    };
    let output = run("a", &[]);
    let recorded = json_of(&home.path().join("a/run.json"))["sandbox"].clone();
    let missing = recorded["missing"].as_array().expect("a list").len();
    match recorded["confined"].as_str() {
        Some("all") => assert!(missing == 0 && output.err.is_empty(), "{recorded} {}", output.err),
        Some("partly" | "none") => assert!(missing > 0 && output.err.contains("note: the agent is"), "{recorded}"),
        _ => panic!("{recorded}"),
    }
    assert!(json_of(&home.path().join("r_oracle/run.json")).get("sandbox").is_none(), "the oracle runs no program");

    // What the user allows is missing too.
    let output = run("b", &["--allow-unix"]);
    assert!(output.err.contains("--allow-unix is given"), "with --quiet too: {}", output.err);
    let recorded = json_of(&home.path().join("b/run.json"))["sandbox"].clone();
    assert_ne!(recorded["confined"], "all");
    let report = run_picardc(home.path(), &["report", "b"]);
    let said = report.join_output();
    assert!(said.contains("confined") && said.contains("--allow-unix is given"), "{said}");
    let refused = run("b", &[]);
    assert!(
        refused.status.code() == Some(2) && refused.err.contains("the sandbox was"),
        "a run goes on as it was begun: {}",
        refused.err
    );
    let refused = run("c", &["--allow-unix", "--require-sandbox"]);
    assert_eq!(refused.status.code(), Some(3), "{}", refused.err);
    assert!(refused.err.contains("cannot be fully confined") && !home.path().join("c/responses.jsonl").exists());
}

#[test]
fn s7g_without_landlock_it_is_said_and_recorded() {
    let home = project(&[("agent.py", "print(1)\n"), ("without.py", include_str!("../run/without_calls.py"))]);
    let run = |name: &str, flags: &[&str]| {
        let mut command = Command::new("python3");
        command.current_dir(home.path()).args(["without.py", "444", "446"]);
        command.arg(testing::find_program()).args(["run", "bundle", "-q"]);
        command.args(["--agent", "cmd:python3 agent.py", "-o", name]).args(flags);
        CommandOutput::from(command.output().expect("Python starts"))
    };
    let output = run("a", &[]);
    if output.err.contains("no filter") {
        eprintln!("skipped: {}", output.err);
        return;
    }
    assert!(output.status.success(), "{}", output.err);
    assert!(output.err.contains("note: the agent is not confined to its sandbox"), "{}", output.err);
    let recorded = json_of(&home.path().join("a/run.json"))["sandbox"].clone();
    assert_eq!((&recorded["confined"], &recorded["landlock"]), (&json!("none"), &json!(0)));
    let report = run_picardc(home.path(), &["report", "a", "--json"]);
    assert!(report.out.contains("the agent was not confined"), "{}", report.out);
    let refused = run("b", &["--require-sandbox"]);
    assert!(refused.status.code() == Some(3) && refused.err.contains("Landlock"), "{}", refused.err);
}

#[test]
fn s18_a_lock_is_waited_for_a_second() {
    let home = project(&[]);
    let lock = fs::File::options().write(true).open(home.path().join("r_oracle/.lock")).expect("a lock");
    lock.lock().expect("locked");
    let holder = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(lock);
    });
    let output = run_picardc(home.path(), &["run", "bundle", "--agent", "oracle", "-o", "r_oracle"]);
    assert!(output.status.success(), "{}", output.err);
    holder.join().expect("ended");
    let lock = fs::File::options().write(true).open(home.path().join("r_oracle/.lock")).expect("a lock");
    lock.lock().expect("locked");
    let output = run_picardc(home.path(), &["run", "bundle", "--agent", "oracle", "-o", "r_oracle"]);
    assert!(output.err.contains("another picardc is running"), "{}", output.err);
}

/// The way out that a probe found, and the words of the manual that say so.
const LIMITS: [(&str, &str); 7] = [
    ("connect_to_the_network", "The network is open"),
    ("stat_outside", "whether a file exists, and its size, mode, and times"),
    ("see_command_lines", "names and command lines of other processes"),
    ("slow_another_down", "priority and processors of your other processes"),
    ("bind_another_to_a_processor", "priority and processors of your other processes"),
    ("list_outside", "names of the files next to it"),
    ("list_the_sandboxes", "names of the files next to it"),
];

/// Ways out that are open only where the system has no private namespaces.
const WITHOUT_NAMESPACES: [&str; 11] = [
    "list_the_bundle",
    "list_a_run",
    "chmod_outside",
    "chmod_the_run",
    "chmod_the_folder_of_sandboxes",
    "chmod_through_proc",
    "chmod_own_program",
    "chown_outside",
    "utime_outside",
    "set_attributes_outside",
    "remove_attributes_outside",
];

/// Ends with its test.
struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program as this user, or as an ordinary one.
fn command(program: &str, ordinary: bool) -> Command {
    if !ordinary {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]).arg(program);
    command
}

/// Tries every escape; gives what succeeded, what did not and why, and how the run said it was confined.
fn escapes(ordinary: bool, namespaces: bool) -> (Vec<String>, BTreeMap<String, String>, Json) {
    let home = project(&[
        ("report.html", "42"),
        ("notes.txt", "42"),
        (".git/config", "42"),
        ("outside/secret.txt", "do not touch"),
        ("temporary/picardc-run-other/work/secret.txt", "42"),
    ]);
    let at = |name: &str| home.path().join(name);
    expect_success(home.path(), &["build", "s.pcd", "-o", "copy", "--seed", "7", "--quiet"]);
    let picardc: PathBuf = at("picardc");
    fs::copy(testing::find_program(), &picardc).expect("copied");
    let python = if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };

    let without = if namespaces { String::new() } else { format!("{python} without.py 272 272 ") };
    write_in_folder(home.path(), "without.py", include_str!("../run/without_calls.py").as_bytes());
    let name = format!("picardc-test-{}-{ordinary}-{namespaces}", std::process::id());
    let abstractly = SocketAddr::from_abstract_name(&name).expect("a name");
    let _listening = (
        UnixListener::bind_addr(&abstractly).expect("listens"),
        UnixListener::bind(at("outside/socket")).expect("listens"),
        UnixDatagram::bind(at("outside/datagrams")).expect("listens"),
    );
    let network = TcpListener::bind("127.0.0.1:0").expect("listens");
    let segment = command("ipcmk", ordinary).args(["-M", "4096"]).output().map_or(-1, |output| {
        CommandOutput::from(output).out.trim().rsplit(' ').next().and_then(|id| id.parse::<i64>().ok()).unwrap_or(-1)
    });
    let attributes = "import os, sys; os.setxattr(sys.argv[1], 'user.there', b'x')";
    let _ = Command::new(python).args(["-c", attributes]).arg(at("outside/secret.txt")).output();
    if ordinary {
        let owned = Command::new("chown").args(["-R", "65534:65534"]).arg(home.path()).status().expect("chown");
        assert!(owned.success());
    }
    let waits = "trap 'echo > signalled' URG; while :; do sleep 0.1; done";
    let mut victim = command("sh", ordinary);
    victim.args(["-c", waits]).current_dir(home.path()).env("SECRET", "very-secret");
    let victim = Victim(victim.spawn().expect("it starts"));
    let places = json!({
        "home": home.path(), "outside": at("outside"), "other": at("temporary/picardc-run-other"), "victim": victim.0.id(),
        "abstract": name, "port": network.local_addr().expect("an address").port(), "segment": segment, "disks": [],
    });
    let script = include_str!("../run/escapes.py").replace("PLACES", &places.to_string());
    write_in_folder(home.path(), "escapes.py", script.as_bytes());

    // Descriptor 9 is open for whatever it starts.
    let line = format!(
        "exec 9<'{0}/outside/secret.txt'; cd '{0}' && exec {without}./picardc run bundle --agent 'cmd:{python} escapes.py' -o run --limit 1 --timeout 60",
        home.path().display()
    );
    let output: CommandOutput = command("sh", ordinary)
        .args(["-c", &line])
        .env("SECRET", "very-secret")
        .env("TMPDIR", at("temporary"))
        .stdin(Stdio::null())
        .output()
        .expect("it starts")
        .into();
    assert!(output.status.success(), "{}", output.err);
    if segment >= 0 {
        let _ = command("ipcrm", ordinary).args(["-m", &segment.to_string()]).output();
    }
    let response = responses(&at("run")).remove(0);
    let text = response["files"][0][1]["text"].as_str().unwrap_or_else(|| panic!("{response}"));
    let found: Json = serde_json::from_str(text).expect("JSON");
    let escaped = serde_json::from_value(found["escaped"].clone()).expect("a list");
    let refused = serde_json::from_value(found["refused"].clone()).expect("a map");
    let recorded = json_of(&at("run/run.json"))["sandbox"].clone();

    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(recorded["confined"] == "none" || !at("signalled").exists(), "another process was signalled");

    let mut secret = String::new();
    fs::File::open(at("outside/secret.txt")).and_then(|mut file| file.read_to_string(&mut secret)).expect("read");
    assert_eq!(secret, "do not touch");
    if recorded["confined"] == "all" {
        assert!(!segments().contains(&0x7063_6463), "a segment of shared memory outlived its program");
    }
    (escaped, refused, recorded)
}

fn judge(ordinary: bool, namespaces: bool) {
    let (escaped, refused, recorded) = escapes(ordinary, namespaces);
    eprintln!("{} escaped: {escaped:?}; {} refused: {refused:#?}; {recorded}", escaped.len(), refused.len());
    assert!(escaped.len() + refused.len() >= 80, "{}", escaped.len() + refused.len());
    if recorded["confined"] == "none" {
        eprintln!("skipped: this system confines nothing: {recorded}");
        return;
    }
    let manual = include_str!("../../docs/src/guides/sandbox.md");
    let whole = recorded["confined"] == "all";
    for name in &escaped {
        let limit = LIMITS.iter().find(|(known, _)| known == name);
        let excused = WITHOUT_NAMESPACES.contains(&name.as_str());
        assert!(!(excused && whole), "{name} is open, though everything is said to hold");
        assert!(excused || limit.is_some(), "{name} is open, and not known as a limit");
        assert!(limit.is_none_or(|(_, words)| manual.contains(words)), "the manual does not speak of {name}");
    }
}

#[test]
fn s7_every_escape_is_refused_or_a_known_limit() {
    judge(false, true);
}

#[test]
fn s7_every_escape_of_an_ordinary_user_is_refused_or_a_known_limit() {
    let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let available = Command::new("setpriv").arg("--version").output().is_ok_and(|output| output.status.success());
    if !root || !available {
        eprintln!("skipped: only root, with setpriv, can become an ordinary user");
        return;
    }
    judge(true, true);
}

#[test]
fn s7_every_escape_without_namespaces_is_refused_or_a_known_limit() {
    if cfg!(target_arch = "x86_64") {
        judge(false, false);
    }
}
