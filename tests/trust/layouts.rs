//! S2, S4: wherever people put agents, suites, bundles, and runs, an agent reads nothing of what is picardc's.
//!
//! A layout is a place (a folder as images and people have them) times an arrangement (what is where in it). In each, a program tries to read every file
//! of ours by its path, and looks in everything else there that it can list for a word that is in what is ours.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{CommandOutput, create_folder, expect_success, read_files, write_in_folder};

/// In what is asked, and in no file that is not ours.
const WORD: &str = "Quagmire-5519";

const SUITE: &str = r#"
suite t {
  title   "Quagmire-5519"
  version "1.0.0"
  samples 1
}

task reply {
  table gold from "data/gold.csv"
  n : ref gold.N
  prompt "Quagmire-5519: what is it?"
  expect reply number n
}
"#;

const GOLD: &str = "N,NOTE\n4711,Quagmire-5519\n815,Quagmire-5519\n";

/// Tries everything that `PROBE` names, and says what it read.
const AGENT: &str = r#"#!/usr/bin/env python3
import json, os, sys
sys.dont_write_bytecode = True
try:
    import helper
except ImportError:
    helper = None
probe = json.loads(os.environ["PROBE"])
word = probe["word"].encode()
read = set()
def try_file(path, word):
    try:
        with open(path, "rb") as file:
            if word in file.read(1 << 20):
                read.add(path)
    except OSError:
        pass
for path in probe["ours"]:
    try_file(path, b"")
    try_file("/proc/self/root" + path, b"")
for root in probe["roots"]:
    for folder, folders, names in os.walk(root):
        for name in names:
            try_file(os.path.join(folder, name), word)
print(json.dumps({"reply": json.dumps({"read": sorted(read), "helper": helper and helper.WORD})}))
"#;

/// The kinds of places. Those of the system are for root, and are removed in the end.
const PLACES: [&str; 15] = [
    "TMP/project",
    "TMP/a path with blanks/and ä ö 中",
    "TMP/home",
    "TMP/home/me/project",
    "TMP/temporary",
    "TMP/temporary/project",
    "/usr/src/app-ID",
    "/app-ID",
    "/opt/x-ID",
    "/srv/x-ID/deep/er",
    "/usr/share/x-ID",
    "/usr/lib/x-ID",
    "/usr/local/share/x-ID/app",
    "/usr/local/x-ID",
    "/etc/x-ID",
];

/// What is where in a place. `@` is the place.
struct Arrangement {
    name: &'static str,
    /// Where the agent and its helper are.
    agent: &'static str,
    suite: &'static str,
    bundle: &'static str,
    /// Of the oracle.
    old_run: &'static str,
    run: &'static str,
    /// A folder of `PATH`.
    path: Option<&'static str>,
    /// Whether the suite is run, and not its bundle.
    of_suite: bool,
    read: Option<&'static str>,
    /// Links, and where they lead to; hard ones begin with `=`.
    links: &'static [(&'static str, &'static str)],
    /// Empty files that make folders what they are.
    marks: &'static [&'static str],
}

const FLAT: Arrangement = Arrangement {
    name: "all next to each other",
    agent: "@",
    suite: "@",
    bundle: "@/bundle",
    old_run: "@/r_oracle",
    run: "@/run",
    path: None,
    of_suite: false,
    read: None,
    links: &[],
    marks: &[],
};

const ARRANGEMENTS: [Arrangement; 10] = [
    FLAT,
    Arrangement {
        name: "a folder of code only, and what is made in it",
        agent: "@/agent",
        suite: "@/suites",
        bundle: "@/agent/bundle",
        old_run: "@/agent/lib/r_oracle",
        run: "@/agent/run",
        marks: &["@/agent/lib/code.py"],
        ..FLAT
    },
    Arrangement {
        name: "what is installed below a folder of PATH",
        agent: "@/bin",
        suite: "@/share/suites",
        bundle: "@/lib/out/bundle",
        old_run: "@/etc/r_oracle",
        run: "@/share/runs/run",
        path: Some("@/bin"),
        marks: &["@/lib/code.py", "@/share/code.py", "@/etc/code.conf"],
        ..FLAT
    },
    Arrangement {
        name: "a suite next to a folder of PATH",
        agent: "@/bin",
        suite: "@",
        bundle: "@/lib/bundle",
        old_run: "@/libexec/r_oracle",
        run: "@/include/run",
        path: Some("@/bin"),
        links: &[("@/share", "@/data")],
        ..FLAT
    },
    Arrangement {
        name: "a manager of versions",
        agent: "@/shims",
        suite: "@/versions/suites",
        bundle: "@/plugins/bundle",
        old_run: "@/r_oracle",
        run: "@/versions/1/run",
        path: Some("@/shims"),
        marks: &["@/versions/1/bin/x"],
        ..FLAT
    },
    Arrangement {
        name: "installed code that holds what is ours",
        agent: "@",
        suite: "@/.venv/share/suites",
        bundle: "@/node_modules/out/bundle",
        old_run: "@/.venv/lib/python3/site-packages/r_oracle",
        run: "@/.venv/run",
        marks: &["@/.venv/pyvenv.cfg", "@/node_modules/a/index.js"],
        ..FLAT
    },
    Arrangement {
        name: "links to what is ours",
        agent: "@/agent",
        suite: "@/suites",
        bundle: "@/bundle",
        old_run: "@/runs/r_oracle",
        run: "@/runs/run",
        links: &[
            ("@/agent/answers.py", "@/bundle/instances.jsonl"),
            ("@/agent/package", "@/runs"),
            ("=@/agent/same.py", "@/bundle/instances.jsonl"),
            ("=@/agent/old.js", "@/runs/r_oracle/responses.jsonl"),
        ],
        ..FLAT
    },
    Arrangement { name: "all is given", read: Some("@"), of_suite: true, ..FLAT },
    Arrangement {
        name: "a given folder of data",
        agent: "@/agent",
        suite: "@/suites",
        bundle: "@/data/deep/bundle",
        old_run: "@/data/r_oracle",
        run: "@/data/run",
        read: Some("@/data"),
        links: &[("=@/data/same.txt", "@/data/deep/bundle/instances.jsonl")],
        ..FLAT
    },
    Arrangement {
        name: "a suite that is run",
        agent: "@/bin",
        suite: "@/share",
        bundle: "@/share/out/bundle",
        old_run: "@/lib/r_oracle",
        run: "@/lib/run",
        path: Some("@/bin"),
        of_suite: true,
        ..FLAT
    },
];

/// A folder of the system that is removed with all in it.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A bundle, a good run of it, and what both are made from.
fn made() -> TempDir {
    let home = create_folder(&[("s.pcd", SUITE), ("data/gold.csv", GOLD)]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "bundle", "--seed", "7", "--quiet"]);
    expect_success(home.path(), &["run", "bundle", "--agent", "oracle", "-o", "r_oracle", "--quiet"]);
    home
}

fn copy(from: &Path, to: &Path) -> Vec<PathBuf> {
    let mut copied = Vec::new();
    for (path, bytes) in read_files(from) {
        let place = to.join(&path);
        fs::create_dir_all(place.parent().expect("a parent")).expect("made");
        fs::write(&place, &bytes).expect("written");
        copied.push(place);
    }
    copied
}

/// One layout. `None`, in words, where this user may not make it, or this system does not confine programs.
fn read_in(made: &Path, place: &str, arrangement: &Arrangement, namespaces: bool) -> Option<()> {
    let home = tempfile::tempdir().expect("a folder");
    let top = home.path().canonicalize().expect("a path");
    let id = format!("picardc-{}", std::process::id());
    let base = match place.strip_prefix("TMP/") {
        Some(below) => top.join(below),
        None => PathBuf::from(place.replace("ID", &id)),
    };
    let what = format!("{place}: {}, namespaces {namespaces}", arrangement.name);
    // The outermost folder that is not there is the one to remove.
    let outermost = base.ancestors().take_while(|above| !above.exists()).last().unwrap_or(&base).to_owned();
    if let Err(error) = fs::create_dir_all(&base) {
        eprintln!("skipped: {what}: {error}");
        return None;
    }
    let _removed = Removed(outermost);
    let at = |path: &str| PathBuf::from(path.trim_start_matches('=').replace('@', &base.display().to_string()));
    for (path, text) in [("agent", AGENT), ("helper.py", "WORD = 'helped'\n")] {
        fs::create_dir_all(at(arrangement.agent)).expect("made");
        fs::write(at(arrangement.agent).join(path), text).expect("written");
    }
    fs::set_permissions(at(arrangement.agent).join("agent"), fs::Permissions::from_mode(0o755)).expect("changed");
    let suite = at(arrangement.suite);
    let mut ours = copy(&made.join("bundle"), &at(arrangement.bundle));
    ours.extend(copy(&made.join("r_oracle"), &at(arrangement.old_run)));
    write_in_folder(&suite, "s.pcd", SUITE.as_bytes());
    write_in_folder(&suite, "data/gold.csv", GOLD.as_bytes());
    ours.extend([suite.join("s.pcd"), suite.join("data/gold.csv")]);
    arrangement
        .marks
        .iter()
        .for_each(|mark| write_in_folder(Path::new("/"), &at(mark).display().to_string()[1..], b""));
    for (link, to) in arrangement.links {
        let made = if link.starts_with('=') { fs::hard_link(at(to), at(link)) } else { symlink(at(to), at(link)) };
        made.unwrap_or_else(|error| panic!("{what}: {link}: {error}"));
        ours.push(at(link));
    }
    // What will be in the run.
    for name in ["run.json", "instances.jsonl", "bundle/instances.jsonl", "transcripts/reply-1.1.jsonl"] {
        ours.push(at(arrangement.run).join(name));
    }
    let probe = json!({"word": WORD, "ours": ours, "roots": [&base]});

    let mut command = Command::new(if namespaces { testing::find_program() } else { "python3".into() });
    if !namespaces {
        write_in_folder(&top, "without.py", include_str!("../run/without_calls.py").as_bytes());
        command.arg(top.join("without.py")).args(["272", "272"]).arg(testing::find_program());
    }
    let agent = match arrangement.path {
        Some(_) => "cmd:agent".to_owned(),
        None => format!("cmd:'{}'", at(arrangement.agent).join("agent").display()),
    };
    let what_is_run = if arrangement.of_suite { suite.join("s.pcd") } else { at(arrangement.bundle) };
    command.arg("run").arg(what_is_run).args(["--quiet", "--env", "PROBE", "--agent", &agent, "-o"]);
    command.arg(at(arrangement.run)).env("PROBE", probe.to_string());
    if let Some(read) = arrangement.read {
        command.arg("--read").arg(at(read));
    }
    if let Some(path) = arrangement.path {
        let others = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{others}", at(path).display()));
    }
    for (name, folder) in [("HOME", "home"), ("TMPDIR", "temporary")] {
        fs::create_dir_all(top.join(folder)).expect("made");
        command.env(name, top.join(folder));
    }
    let output: CommandOutput = command.current_dir(&base).output().expect("it starts").into();
    assert!(output.status.success(), "{what}: {}", output.err);
    let run = at(arrangement.run);
    let info: Json = serde_json::from_slice(&fs::read(run.join("run.json")).expect("read")).expect("JSON");
    let sandbox = &info["sandbox"];
    if sandbox["confined"] == "none" {
        eprintln!("skipped: {what}: {sandbox}");
        return None;
    }
    assert!(namespaces || sandbox["confined"] == "partly", "{what}: {sandbox}");
    let response = fs::read_to_string(run.join("responses.jsonl")).expect("read");
    let response: Json = serde_json::from_str(&response).expect("JSON");
    // In a folder where many things are, what is next to an agent is not its code.
    let shared =
        ["TMP/home", "TMP/temporary"].contains(&place) && arrangement.agent == "@" && arrangement.read.is_none();
    let helper = if shared { Json::Null } else { json!("helped") };
    let reply: Json = serde_json::from_str(response["reply"].as_str().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{what}: {error}: {response}"));
    assert_eq!(reply, json!({"read": [], "helper": helper}), "{what}: {:?}", output.err);
    Some(())
}

/// Every layout is in one of these parts, by turns with and without namespaces; with `PICARDC_LAYOUTS=all`, both ways.
fn judge(part: usize) {
    let made = made();
    let all = std::env::var_os("PICARDC_LAYOUTS").is_some();
    let (mut judged, mut layouts) = (0, 0);
    for (number, place) in PLACES.iter().enumerate() {
        for (other, arrangement) in ARRANGEMENTS.iter().enumerate() {
            // A third of them by default, so that each place and each arrangement is met both ways.
            if number % 2 != part || !all && (number + other) % 3 != 0 {
                continue;
            }
            layouts += 1;
            for namespaces in [true, false] {
                if all || namespaces == ((number / 2 + other) % 2 == 0) {
                    judged += usize::from(read_in(made.path(), place, arrangement, namespaces).is_some());
                }
            }
        }
    }
    println!("{judged} judged of {layouts} layouts");
    // Both parts have 50.
    assert!(layouts >= 23, "{layouts}");
}

#[test]
fn s2_s4_nothing_of_ours_is_readable_in_any_layout() {
    judge(0);
}

#[test]
fn s2_s4_nothing_of_ours_is_readable_in_any_other_layout() {
    judge(1);
}

#[test]
fn s4_what_is_not_confined_in_every_respect_is_refused_where_that_was_asked_for() {
    let made = made();
    write_in_folder(made.path(), "agent.py", b"print(1)\n");
    write_in_folder(made.path(), "without.py", include_str!("../run/without_calls.py").as_bytes());
    let run = |flags: &[&str]| -> CommandOutput {
        let mut command = Command::new("python3");
        command.args(["without.py", "272", "272"]).arg(testing::find_program()).current_dir(made.path());
        command.args(["run", "bundle", "--quiet", "--agent", "cmd:python3 agent.py", "-o", "run"]).args(flags);
        command.output().expect("it starts").into()
    };
    let refused = run(&["--require-sandbox"]);
    assert_eq!(refused.status.code(), Some(3), "{}", refused.err);
    assert!(refused.err.contains("cannot be fully confined") && !made.path().join("run").exists(), "{}", refused.err);
    let output = run(&[]);
    assert!(output.status.success(), "{}", output.err);
    let said = output.err;
    if said.contains("not confined") {
        eprintln!("skipped: {said}");
        return;
    }
    assert!(said.contains("of names in bundles and runs"), "{said}");
    let names = "the agent can list the names of the files in";
    assert!(said.contains(names) && said.contains("/bundle`") && said.contains("/r_oracle`"), "{said}");
}
