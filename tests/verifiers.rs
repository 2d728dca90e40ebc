//! The taskset for verifiers, run by verifiers 0.4.0.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{CommandOutput, VERIFIERS, has_integrations, install_package, root};

/// verifiers with the packages, in a folder of its own.
struct Verifiers {
    home: TempDir,
    packages: TempDir,
    python: PathBuf,
}

impl Verifiers {
    fn new() -> Option<Verifiers> {
        if !has_integrations("verifiers") {
            return None;
        }
        let python = VERIFIERS.find_interpreter_or_skip("verifiers")?;
        let home = TempDir::new().expect("a folder");
        fs::copy(root().join("suites/past.pcd"), home.path().join("past.pcd")).expect("copied");
        Some(Verifiers { home, packages: install_package(&[&root().join("bindings/python/verifiers")]), python })
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(args).current_dir(self.home.path());
        command.env("PYTHONPATH", self.packages.path()).env("PYTHONDONTWRITEBYTECODE", "1");
        // Its agents find `uv` there.
        let programs = self.python.parent().expect("a folder").display().to_string();
        command.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap_or_default()));
        command
    }

    fn run(&self, args: &[&str]) -> CommandOutput {
        CommandOutput::from(self.command(args).output().expect("Python starts"))
    }
}

#[test]
fn both_distributions_have_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let project = fs::read_to_string(root().join("bindings/python/verifiers/pyproject.toml")).expect("read");
    assert!(project.contains(&format!("\nversion = \"{version}\"\n")), "{project}");
    assert!(project.contains(&format!("\"picardc=={version}\"")), "{project}");
}

#[test]
fn all_gold_and_all_noop() {
    let Some(verifiers) = Verifiers::new() else { return };
    let main = "from verifiers.v1.cli.validate import main; main()";
    let flags = ["--taskset.suite", "past.pcd", "--runtime.type", "subprocess", "-n", "20", "-o", "out"];
    let ran = verifiers.run(&[&["-c", main, "picardc-verifiers"], &flags[..]].concat());
    assert!(ran.status.success(), "{}", ran.join_output());
    let (mut folders, out) = (0, verifiers.home.path().join("out"));
    for folder in fs::read_dir(out).expect("results") {
        let folder = folder.expect("an entry").path();
        let summary: Json =
            serde_json::from_slice(&fs::read(folder.join("summary.json")).expect("read")).expect("JSON");
        assert_eq!(
            (&summary["checks"]["gold"]["valid"], &summary["checks"]["noop"]["valid"]),
            (&json!(20), &json!(20)),
            "{summary}"
        );
        let rows = fs::read_to_string(folder.join("results.jsonl")).expect("read");
        assert_eq!(rows.lines().count(), 20);
        folders += 1;
    }
    assert_eq!(folders, 1);
}

#[test]
fn the_stream_is_indexed_and_has_no_keys() {
    let Some(verifiers) = Verifiers::new() else { return };
    let script = root().join("tests/python/verifiers_stream.py").display().to_string();
    let sums = root().join("bindings/python/verifiers/examples/sums.pcd").display().to_string();
    let ran = verifiers.run(&[&script, "past.pcd", &sums]);
    assert!(ran.status.success(), "{}", ran.join_output());
    assert!(ran.out.ends_with("ok\n"), "{}", ran.join_output());
}

/// A mock of a model behind an endpoint replies right to every second instance: rewards are read from the traces. And each prompt reaches it as it is, but for the
/// one with a NUL character, which the harness refuses.
#[test]
fn a_model_is_rewarded_for_what_is_right() {
    let Some(verifiers) = Verifiers::new() else { return };
    let home = verifiers.home.path();
    let hostile = verifiers.run(&[&root().join("tests/python/hostile.py").display().to_string()]);
    fs::write(home.join("hostile.pcd"), &hostile.out).expect("written");
    let script = root().join("tests/python/verifiers_eval.py").display().to_string();
    let ran = verifiers.run(&[&script, "hostile.pcd", "24"]);
    assert!(ran.status.success(), "{}", ran.join_output());
    let found: Json = serde_json::from_str(ran.out.lines().last().unwrap_or_default()).expect("JSON");
    let right: Vec<&Json> = found["right"].as_array().expect("names").iter().collect();
    let rewards = found["rewards"].as_object().expect("rewards");
    assert_eq!((right.len(), rewards.len()), (12, 24));
    for (name, reward) in rewards {
        let expected = f64::from(u8::from(right.contains(&&json!(name))));
        assert_eq!(reward.as_f64(), Some(expected), "{name}: {found}");
        assert!(name == "h10-1" || found["correct"][name].as_f64() == Some(expected), "{name}: {found}");
    }
    assert_eq!((&found["changed"], &found["leaked"]), (&json!(["h10-1"]), &json!([])), "{found}");
    let failed = found["failed"].as_object().expect("errors");
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed["h10-1"][0].as_str().is_some_and(|why| why.contains("null byte")), "{failed:?}");
}

/// What verifiers does not enforce is not ignored without a word.
#[test]
fn tools_of_a_task_are_refused_or_ignored_on_request() {
    let Some(verifiers) = Verifiers::new() else { return };
    fs::copy(root().join("tests/inspect/tools.pcd"), verifiers.home.path().join("tools.pcd")).expect("copied");
    let main = "from verifiers.v1.cli.validate import main; main()";
    let words = [
        "-c",
        main,
        "picardc-verifiers",
        "--taskset.suite",
        "tools.pcd",
        "--runtime.type",
        "subprocess",
        "-n",
        "2",
        "-o",
        "out",
    ];
    let ran = verifiers.run(&words);
    let why = "1 of 2 instances of `desk` (such as `asked-1`) state which tools or how many calls an agent has";
    assert!(!ran.status.success() && ran.join_output().contains(why), "{}", ran.join_output());
    let ran = verifiers.run(&[&words[..], &["--taskset.ignore-tools", "true"]].concat());
    assert!(ran.status.success(), "{}", ran.join_output());
    let stated = "from picardc_verifiers import *; from picardc_verifiers import PicardcConfig as C; \
                  t = PicardcTaskset(C(id='picardc-verifiers', suite='tools.pcd', ignore_tools=True)); print(*(x.data.unenforced for x in t.take(2)))";
    let ran = verifiers.run(&["-c", stated]);
    assert_eq!(ran.out.trim(), "['tools', 'calls'] []", "{}", ran.join_output());
}

/// The blocks of the guide, as they are but for the port, one after the other in a shell: without an account, and with no way to a network but this machine. What the
/// first block installs and fetches is there already, below `target/`.
#[cfg(unix)]
#[test]
fn the_guide_runs_as_it_is_written() {
    let Some(verifiers) = Verifiers::new() else { return };
    let home = verifiers.home.path();
    let page = fs::read_to_string(root().join("docs/src/guides/verifiers.md")).expect("the guide");
    let (_, first) = page.split_once("```pcd file=desk.pcd\n").expect("a suite");
    fs::write(home.join("desk.pcd"), first.split("```").next().expect("a block")).expect("written");
    let harness = verifiers.python.with_file_name("harness");
    if !harness.exists() {
        let (_, fetch) = page.split_once("pip download -d harness ").expect("a command");
        let packages = fetch.lines().next().expect("packages").split_whitespace();
        let mut pip = Command::new(&verifiers.python);
        pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "-d"])
            .arg(&harness)
            .args(packages);
        let ran = CommandOutput::from(pip.output().expect("pip runs"));
        if !ran.status.success() {
            eprintln!("skipped: what agents of verifiers install cannot be fetched: {}", ran.join_output());
            return;
        }
    }
    std::os::unix::fs::symlink(&harness, home.join("harness")).expect("linked");
    let blocks: Vec<&str> = page
        .split("```sh not-run=needs-verifiers\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a block"))
        .collect();
    assert_eq!(blocks.len(), 3, "{blocks:?}");
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let wait = format!(
        "python -c 'import socket, time\nfor _ in range(600):\n    if not socket.socket().connect_ex((\"127.0.0.1\", {port})): break\n    time.sleep(0.1)'\n"
    );
    let script: String =
        blocks.iter().map(|block| format!("{block}{}", if block.contains(" &\n") { &wait } else { "" })).collect();
    let script = format!("trap 'kill $(jobs -p)' EXIT\n{}", script.replace("8000", &port.to_string()));
    let mut shell = Command::new("bash");
    shell.args(["-e", "-c", &script]).current_dir(home).env_clear();
    let programs = verifiers.python.parent().expect("a folder").display();
    shell
        .env("PATH", format!("{programs}:/usr/bin:/bin"))
        .env("HOME", home)
        .env("PYTHONPATH", verifiers.packages.path());
    for proxy in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
        shell.env(proxy, "http://127.0.0.1:9");
    }
    shell.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
    let ran = CommandOutput::from(shell.output().expect("a shell"));
    assert!(ran.status.success(), "{script}\n{}", ran.join_output());
    let traces: Vec<PathBuf> = testing::read_files(home)
        .into_keys()
        .filter(|path| path.ends_with("traces.jsonl"))
        .map(|path| home.join(path))
        .collect();
    assert_eq!(traces.len(), 1, "{}", ran.join_output());
    let rows = fs::read_to_string(&traces[0]).expect("read");
    let rewards: Vec<f64> = rows
        .lines()
        .map(|row| {
            let row: Json = serde_json::from_str(row).expect("JSON");
            let parts = row["traces"][0]["rewards"].as_object().expect("rewards").clone();
            parts
                .values()
                .map(|part| part["weight"].as_f64().expect("a weight") * part["score"].as_f64().expect("a score"))
                .sum()
        })
        .collect();
    assert_eq!(rewards, [1.0; 5], "{rows}");
}

/// An instance that cannot be made ends the stream, or is left out and counted.
#[test]
fn what_cannot_be_made_is_left_out_of_the_stream() {
    let Some(verifiers) = Verifiers::new() else { return };
    let source = "suite rare { title \"Rare\" version \"1\" samples 60 }\ntask seldom {\n  n : int 1..480\n  m : int 1..9\n  require n == 7\n  \
                  prompt \"What is <<m>> + <<n>>?\"\n  expect reply number m + n\n}\ntask never { n : int 1..1_000_000  require n == 7 or n > 999_990  prompt \"<<n>>\" expect reply number n }\n";
    fs::write(verifiers.home.path().join("rare.pcd"), source).expect("written");
    let program = r#"
import itertools, picardc
from picardc_verifiers import PicardcConfig as C, PicardcTaskset as T
def stream(**options): return T(C(id="picardc-verifiers", suite="rare.pcd", samples=60, **options))
good, bad = [], 0
for number in range(2):
    for index in range(60):
        try: good.append(picardc.compile("rare.pcd").instances(f"0/{number}", samples=60, task="seldom")[index].identity)
        except picardc.BuildError: bad += 1
assert 2 < bad < 40, bad
tasks = stream(only="seldom", rounds=2, on_error="skip")
found = [task.key for task in tasks.load()]
assert (found, tasks.skipped) == (good, bad), (len(found), tasks.skipped)
try: list(stream(only="seldom", rounds=2).load())
except picardc.BuildError as error: print(error.code)
# A stream of nothing ends.
only = stream(only="never", on_error="skip")
try: next(iter(only.load()))
except picardc.BuildError: assert only.skipped >= 60
print("ends")
"#;
    let ran = verifiers.run(&["-c", program]);
    assert!(ran.status.success(), "{}", ran.join_output());
    assert_eq!(ran.out, "E0902\nends\n", "{}", ran.join_output());
}

/// A process that is killed when the value goes.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The example of the manual, with a mock of a policy that learns to add up more and more numbers.
#[test]
fn difficulty_follows_the_policy() {
    let Some(verifiers) = Verifiers::new() else { return };
    let port = verifiers.home.path().join("port");
    let script = root().join("tests/python/mock_policy.py").display().to_string();
    let mut mock = verifiers.command(&[&script, "port", "12"]);
    let _mock = Killed(mock.stdout(Stdio::null()).spawn().expect("the mock starts"));
    let begun = Instant::now();
    while !port.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(200));
    let url = format!("http://127.0.0.1:{}/v1", fs::read_to_string(&port).expect("a port"));
    let example = |name: &str| Path::new("bindings/python/verifiers/examples").join(name);
    let path = |name: &str| root().join(example(name)).display().to_string();
    let ran = verifiers.run(&[&path("adaptive.py"), &path("sums.pcd"), "terms", &url, "mock", "8", "6"]);
    assert!(ran.status.success(), "{}", ran.join_output());
    let steps: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<(i64, f64)> = steps
        .iter()
        .map(|step| (step["terms"][0].as_i64().expect("a value"), step["reward"].as_f64().expect("a reward")))
        .collect();
    // It adds up 2 numbers in its first 12 replies, 3 in the next 12, and so on: six replies a step.
    assert_eq!(told, [(2, 1.0), (3, 0.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 0.0), (4, 1.0), (5, 1.0)]);
    assert!(steps.iter().all(|step| step["terms"].as_array().is_some_and(|values| values.len() == 1)), "{}", ran.out);
}
