//! Logs of Inspect AI as runs, from outside: `report` and `compare` over logs that Inspect wrote (`tests/python/inspect_logs.py`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{CommandOutput, expect_status, inspect_or_skip, install_package, root};

fn logs() -> std::path::PathBuf {
    root().join("harness/report/tests/logs")
}

fn report(log: &str) -> Json {
    reported(&logs().join(log))
}

fn reported(log: &Path) -> Json {
    let ran = expect_status(0, root(), &["report", &log.display().to_string(), "--json"]);
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn a_log_is_reported_as_a_run() {
    let run = &report("mixed.eval")["runs"][0];
    assert_eq!((&run["suite"], &run["seed"], &run["trials"]), (&json!("desk"), &json!("7"), &json!(2)));
    assert_eq!((&run["whole"]["correct"], &run["whole"]["of"]), (&json!(8), &json!(12)));
    assert_eq!(run["statuses"], json!({"done": 9, "max_rounds": 1, "timeout": 1, "failed": 1, "missing": 0}));
    assert_eq!(run["failures"].as_array().map(Vec::len), Some(4));
    let table = expect_status(0, logs(), &["report", "mixed.eval"]).out;
    assert!(table.contains("mixed.eval"), "{table}");
}

#[test]
fn a_page_shows_the_failures_of_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    expect_status(0, logs(), &["report", "mixed.eval", "good.eval", "--html", &page]);
    let html = std::fs::read_to_string(page).expect("a page");
    for text in [
        "the tool broke",
        "Reply with the number only.",
        "inspect:mockllm/model",
        "Inspect AI 0.3.285",
        "15 seconds per trial",
    ] {
        assert!(html.contains(text), "the page has no {text:?}");
    }
}

#[test]
fn logs_of_one_suite_and_seed_are_compared_instance_by_instance() {
    let ran = expect_status(0, logs(), &["compare", "mixed.eval", "good.eval", "--json"]);
    let json: Json = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["design"], "paired");
    assert_eq!((&json["whole"]["accuracy_a"], &json["whole"]["accuracy_b"]), (&json!(0.666666667), &json!(1.0)));
}

#[test]
fn a_log_that_is_not_finished_is_refused() {
    let ran = expect_status(2, logs(), &["report", "open.eval"]);
    assert!(ran.err.contains("has 2 of its 12 samples"), "{}", ran.err);
    assert!(ran.err.contains("inspect eval-retry"), "{}", ran.err);
    let text = expect_status(2, Path::new(root()), &["report", "README.md"]);
    assert!(text.err.contains("is not a log of Inspect AI"), "{}", text.err);
}

/// The solver that gives the expected answers.
const ORACLE: &str = "picardc/oracle";

/// Inspect AI with the package, in a folder of its own.
struct Inspect {
    home: TempDir,
    packages: TempDir,
    python: PathBuf,
}

impl Inspect {
    fn new() -> Option<Inspect> {
        let python = inspect_or_skip()?;
        Some(Inspect { home: TempDir::new().expect("a folder"), packages: install_package(&[]), python })
    }

    fn python(&self, args: &[&str]) -> CommandOutput {
        let mut command = Command::new(&self.python);
        command.args(args).current_dir(self.home.path());
        command
            .env("PYTHONPATH", self.packages.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("INSPECT_DISPLAY", "plain");
        // What cannot be scored fails in all of its wording.
        command.env("COLUMNS", "1000");
        CommandOutput::from(command.output().expect("Inspect starts"))
    }

    /// `inspect …`
    fn inspect(&self, args: &[&str]) -> CommandOutput {
        self.python(&[&["-c", "from inspect_ai._cli.main import main; main()"], args].concat())
    }

    /// Runs a suite with a solver and gives the logs.
    fn suite(
        &self,
        command: &str,
        suite: &str,
        samples: &str,
        solver: &str,
        folder: &str,
    ) -> (CommandOutput, Vec<PathBuf>) {
        let (path, samples) = (format!("path={suite}"), format!("samples={samples}"));
        let ran = self.inspect(&[
            command,
            "picardc/suite",
            "-T",
            &path,
            "-T",
            "seed=7",
            "-T",
            &samples,
            "-T",
            "sandbox=local",
            "--solver",
            solver,
            "--model",
            "mockllm/model",
            "--log-dir",
            folder,
        ]);
        let logs = fs::read_dir(self.home.path().join(folder)).into_iter().flatten();
        let logs = logs
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "eval"));
        (ran, logs.collect())
    }
}

#[test]
fn the_oracle_is_right_in_all_samples_also_from_the_log() {
    let Some(inspect) = Inspect::new() else { return };
    let home = inspect.home.path();
    fs::copy(root().join("suites/past.pcd"), home.join("past.pcd")).expect("copied");
    let (ran, logs) = inspect.suite("eval", "past.pcd", "3", ORACLE, "logs");
    let [log] = logs.as_slice() else { panic!("one log, not {}: {}", logs.len(), ran.join_output()) };
    let again = home.join("again.eval").display().to_string();
    let log_name = log.display().to_string();
    let score = |to: &str| {
        inspect.inspect(&[
            "score",
            &log_name,
            "--scorer",
            "picardc/picard",
            "--action",
            "overwrite",
            "--output-file",
            to,
        ])
    };
    let scored = score(&again);
    assert!(scored.status.success(), "{}", scored.join_output());
    for log in [log.as_path(), Path::new(&again)] {
        let run = &reported(log)["runs"][0];
        assert_eq!((&run["whole"]["correct"], &run["whole"]["of"]), (&json!(30), &json!(30)), "{}", log.display());
    }
    // Nothing is scored by another suite than the one that asked.
    let source = fs::read_to_string(home.join("past.pcd")).expect("read");
    fs::write(home.join("past.pcd"), format!("{source}\n# edited\n")).expect("written");
    let stale = home.join("stale.eval").display().to_string();
    let refused = score(&stale);
    assert!(
        refused.join_output().contains("StaleError") && refused.join_output().contains("was edited"),
        "{}",
        refused.join_output()
    );
    assert!(!Path::new(&stale).exists());
}

#[test]
fn an_edited_suite_is_another_task() {
    let Some(inspect) = Inspect::new() else { return };
    let home = inspect.home.path();
    let source = fs::read_to_string(root().join("suites/past.pcd")).expect("read");
    fs::write(home.join("past.pcd"), &source).expect("written");
    for _ in 0..2 {
        let (ran, logs) = inspect.suite("eval-set", "past.pcd", "1", ORACLE, "set");
        assert!(ran.status.success(), "{}", ran.join_output());
        assert_eq!(logs.len(), 1, "the second time, the log is used again: {}", ran.join_output());
    }
    // Only a prompt is another one: not the name of the task, nor its arguments.
    let edited = source.replace("prompt \"Create", "prompt \"Please create");
    assert_ne!(edited, source);
    fs::write(home.join("past.pcd"), edited).expect("written");
    let (ran, logs) = inspect.suite("eval-set", "past.pcd", "1", ORACLE, "set");
    let said = ran.join_output().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("is not associated with a task"), "{said}");
    assert_eq!(logs.len(), 1);
}

/// The logs that other tests read are still those that Inspect writes. `UPDATE_LOGS=1` takes those that it writes now.
#[test]
fn inspect_writes_logs_as_they_are_read() {
    let Some(inspect) = Inspect::new() else { return };
    fs::copy(root().join("tests/inspect/desk.pcd"), inspect.home.path().join("desk.pcd")).expect("copied");
    let script = root().join("tests/python/inspect_logs.py").display().to_string();
    let ran = inspect.python(&[&script, "desk.pcd", "out"]);
    assert!(ran.status.success(), "{}", ran.join_output());
    if testing::is_switched_on("UPDATE_LOGS") {
        for name in ["good.eval", "mixed.eval", "again.eval", "open.eval"] {
            fs::copy(inspect.home.path().join("out").join(name), logs().join(name)).expect("copied");
        }
    }
    for name in ["good.eval", "mixed.eval", "again.eval"] {
        let (now, kept) = (reported(&inspect.home.path().join("out").join(name)), report(name));
        for field in ["bundle_sha256", "statuses", "whole", "tasks", "matchers", "agent"] {
            assert_eq!(now["runs"][0][field], kept["runs"][0][field], "{name}: {field}");
        }
    }
    let open = inspect.home.path().join("out/open.eval").display().to_string();
    expect_status(2, root(), &["report", &open]);
}

/// `react()` joins the last message and the submitted answer: the answer is what is scored.
#[test]
fn a_submitted_answer_is_scored() {
    let Some(inspect) = Inspect::new() else { return };
    let suite = r#"suite sums { title "Sums" version "1.0.0" samples 3 }
task sum {
  a, b : distinct int 100..900
  prompt "What is <<a>> + <<b>>? Reply with the number only."
  expect reply number a + b
}
"#;
    fs::write(inspect.home.path().join("sums.pcd"), suite).expect("written");
    let script = root().join("tests/python/inspect_submit.py").display().to_string();
    let ran = inspect.python(&[&script, "sums.pcd", "logs"]);
    assert!(ran.status.success(), "{}", ran.join_output());
    for way in ["joined", "alone", "kept"] {
        for line in [format!("{way} right 3 of 3"), format!("{way} wrong 0 of 3")] {
            assert!(ran.join_output().contains(&line), "{line}\n{}", ran.join_output());
        }
    }
}

/// Databases, `unchanged`, and `tree only` are captured in sandboxes of Inspect as in ours; and who does nothing is wrong.
#[test]
fn changes_of_state_are_captured() {
    let Some(inspect) = Inspect::new() else { return };
    let home = inspect.home.path();
    fs::copy(root().join("suites/state.pcd"), home.join("state.pcd")).expect("copied");
    let nothing = "from inspect_ai.solver import solver\n@solver\ndef nothing():\n    async def solve(state, generate):\n        return state\n    return solve\n";
    fs::write(home.join("nothing.py"), nothing).expect("written");
    for (solver, correct) in [(ORACLE, 12), ("nothing.py@nothing", 0)] {
        let folder = solver.replace(['/', '@', '.'], "-");
        let (ran, logs) = inspect.suite("eval", "state.pcd", "2", solver, &folder);
        let [log] = logs.as_slice() else { panic!("one log, not {}: {}", logs.len(), ran.join_output()) };
        let run = &reported(log)["runs"][0];
        assert_eq!((&run["whole"]["correct"], &run["whole"]["of"]), (&json!(correct), &json!(12)), "{solver}");
    }
}

/// The files of a lake are in each sandbox: a command computes the answer from them, and then writes to them, which no other sandbox sees.
#[test]
fn a_lake_is_in_each_sandbox() {
    let Some(inspect) = Inspect::new() else { return };
    let home = inspect.home.path();
    let suite = r#"suite rain { title "Rain" version "1.0.0" samples 3 }
lake stations at "data/rain" from "lake" {
  csv rain from "monthly/*.csv" { STATION = file.stem  YEAR : int  MM : int  key (STATION, YEAR) }
}
task wet {
  least : int 100..900
  lake stations
  n = sum(stations.rain.MM where MM > least)
  require n != null
  prompt "In <<stations>> are tables of rainfalls. Write the sum of all MM above <<least>> to answer.txt, and reply with it. Number only."
  expect reply number n
  expect file "answer.txt" number n
}
"#;
    fs::write(home.join("rain.pcd"), suite).expect("written");
    for (station, rows) in [("a", "2001,120\n2002,640\n"), ("b", "2001,333\n"), ("c", "2003,899\n2004,5\n")] {
        let path = home.join(format!("lake/monthly/{station}.csv"));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, format!("YEAR,MM\n{rows}")).expect("written");
    }
    let solver = r#"import re
from inspect_ai.solver import solver
from inspect_ai.util import sandbox

COMMAND = """cat data/rain/monthly/*.csv | awk -F, -v least=$1 '$2 + 0 > least { n += $2 } END { print n }' > answer.txt
echo 2005,9000 >> data/rain/monthly/a.csv; cat answer.txt"""

@solver
def add():
    async def solve(state, generate):
        least = re.search(r"above (\d+)", state.input_text).group(1)
        state.output.completion = (await sandbox().exec(["sh", "-c", COMMAND, "sh", least])).stdout
        return state
    return solve
"#;
    fs::write(home.join("add.py"), solver).expect("written");
    let (ran, logs) = inspect.suite("eval", "rain.pcd", "3", "add.py@add", "logs");
    let [log] = logs.as_slice() else { panic!("one log, not {}: {}", logs.len(), ran.join_output()) };
    assert_eq!(reported(log)["runs"][0]["whole"]["correct"], 3, "{}", ran.join_output());
    assert_eq!(fs::read_to_string(home.join("lake/monthly/a.csv")).expect("kept"), "YEAR,MM\n2001,120\n2002,640\n");
}

/// Each prompt reaches the model as it is, and is in the log as it is; what is right is right, also when the log is scored again.
#[test]
fn hostile_prompts_are_unchanged() {
    let Some(inspect) = Inspect::new() else { return };
    let suite = CommandOutput::from(
        Command::new(&inspect.python).arg(root().join("tests/python/hostile.py")).output().expect("Python starts"),
    );
    fs::write(inspect.home.path().join("hostile.pcd"), &suite.out).expect("written");
    let script = root().join("tests/python/inspect_hostile.py").display().to_string();
    let ran = inspect.python(&[&script, "hostile.pcd"]);
    assert!(ran.status.success(), "{}", ran.join_output());
    let found: Json = serde_json::from_str(ran.out.lines().last().unwrap_or_default()).expect("JSON");
    assert_eq!((&found["changed"], &found["leaked"]), (&json!([]), &json!([])), "{found}");
    let right: Vec<&Json> = found["right"].as_array().expect("ids").iter().collect();
    assert_eq!(right.len(), 12);
    for scored in found["correct"].as_array().expect("two") {
        let scored = scored.as_object().expect("scores");
        assert_eq!(scored.len(), 24);
        for (id, correct) in scored {
            assert_eq!(*correct == 1, right.contains(&&json!(id)), "{id}");
        }
    }
}

/// What Inspect does not enforce is not ignored without a word.
#[test]
fn tools_of_a_task_are_refused_or_ignored_on_request() {
    let Some(inspect) = Inspect::new() else { return };
    fs::copy(root().join("tests/inspect/tools.pcd"), inspect.home.path().join("tools.pcd")).expect("copied");
    let (ran, logs) = inspect.suite("eval", "tools.pcd", "2", ORACLE, "logs");
    let why = "2 of 4 instances of `desk` (such as `asked-1`) state which tools or how many calls an agent has";
    assert!(!ran.status.success() && logs.is_empty() && ran.join_output().contains(why), "{}", ran.join_output());
    let words = ["eval", "picardc/suite", "-T", "path=tools.pcd", "-T", "ignore_tools=true", "-T", "samples=2"];
    let words = [&words[..], &["--solver", ORACLE, "--model", "mockllm/model", "--log-dir", "logs"]].concat();
    let ran = inspect.inspect(&words);
    assert!(ran.status.success() && ran.join_output().contains("which is ignored"), "{}", ran.join_output());
    let log = fs::read_dir(inspect.home.path().join("logs")).expect("logs").next().expect("a log").expect("an entry");
    assert_eq!(reported(&log.path())["runs"][0]["whole"]["correct"], 4);
    let read = "import sys; from inspect_ai.log import read_eval_log as r; print(r(sys.argv[1]).eval.metadata['picard']['tools_ignored'])";
    let ran = inspect.python(&["-c", read, &log.path().display().to_string()]);
    assert_eq!(ran.out.trim(), "2", "{}", ran.join_output());
}
