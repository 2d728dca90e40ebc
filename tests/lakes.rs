//! Lakes handed out: from the source to the sandbox of an agent and its score, and what is said of mistakes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use testing::{CommandOutput, run_picardc};

const SUITE: &str = r#"suite rain {
  title   "Rain"
  version "1.0.0"
}

lake stations at "data/rain" from "lake" {
  csv rain from "monthly/*.csv" {
    STATION = file.stem
    YEAR    : int
    MM      : decimal
    key (STATION, YEAR)
  }
}

task wet {
  samples 3
  axis others = [0, 2, 4]
  least : int 100..900
  lake stations needed + others
  prompt "In <<stations>> are tables of rainfalls, one for each station. How many years had more than <<least>> mm? Number only."
  variant some {
    expect reply number count(stations.rain where MM > least)
  }
  variant every {
    lake stations
    prompt "All of them are there."
    expect reply number count(stations.rain where MM > least)
  }
}
"#;

/// A folder with the suite and its lake: 3 tables that the key reads, and 5 other files.
fn home(suite: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("temp");
    fs::create_dir_all(home.path().join("lake/monthly")).expect("made");
    for (station, rows) in [("a", "2001,120.5\n2002,640\n"), ("b", "2001,333\n"), ("c", "2003,899.5\n2004,5\n")] {
        let text = format!("YEAR,MM\n{rows}");
        fs::write(home.path().join(format!("lake/monthly/{station}.csv")), text).expect("written");
    }
    for number in 1..=5 {
        fs::write(home.path().join(format!("lake/note{number}.txt")), "nothing\n").expect("written");
    }
    fs::write(home.path().join("rain.pcd"), suite).expect("written");
    home
}

fn run(folder: &Path, arguments: &str) -> CommandOutput {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    run_picardc(folder, &arguments)
}

fn done(folder: &Path, arguments: &str) -> String {
    let ran = run(folder, arguments);
    assert_eq!(ran.status.code(), Some(0), "{arguments}: {}", ran.join_output());
    ran.join_output()
}

fn instances(bundle: &Path) -> Vec<serde_json::Value> {
    let lines = fs::read_to_string(bundle.join("instances.jsonl")).expect("lines");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn files(instance: &serde_json::Value) -> BTreeSet<String> {
    instance["files"].as_object().expect("files").keys().cloned().collect()
}

#[test]
fn from_the_source_to_the_score() {
    let home = home(SUITE);
    let at = home.path();
    assert!(done(at, "check rain.pcd").contains("no errors, no warnings"));
    done(at, "build rain.pcd -o out --seed 7");
    let all = instances(&at.join("out"));
    assert_eq!(all.len(), 18);
    let needed: BTreeSet<String> = ["a", "b", "c"].iter().map(|name| format!("data/rain/monthly/{name}.csv")).collect();
    for instance in &all {
        let picard = &instance["metadata"]["picard"];
        let (given, others) = (files(instance), picard["axis"]["others"].as_u64().expect("an axis"));
        assert!(given.is_superset(&needed), "{given:?}");
        let lakes = &picard["lakes"];
        let (count, portion) = match picard["variant"].as_str() {
            Some("every") => (8, serde_json::json!("all")),
            _ => (3 + others as usize, serde_json::json!({"needed": others})),
        };
        assert_eq!(given.len(), count, "{given:?}");
        assert_eq!(*lakes, serde_json::json!([{"name": "stations", "at": "data/rain", "files": portion}]));
        assert_eq!(instance["files"]["data/rain/monthly/a.csv"], "static/lake/monthly/a.csv");
        // The cells of an axis are the same question; more others include fewer.
        let fewer = all.iter().filter(|other| {
            let other = &other["metadata"]["picard"];
            other["sample"] == picard["sample"]
                && other["variant"] == picard["variant"]
                && other["axis"]["others"].as_u64() < Some(others)
        });
        fewer.for_each(|other| {
            assert!(files(other).is_subset(&given));
            assert_eq!(other["target"], instance["target"]);
        });
    }
    let lent: Vec<_> = walk(&at.join("out/static"));
    assert_eq!(lent.len(), 8, "each once: {lent:?}");

    for agent in ["oracle", "null"] {
        done(at, &format!("run out --agent {agent} -o runs/{agent} --quiet"));
        done(at, &format!("score out runs/{agent}"));
    }
    done(at, "report runs/oracle --fail-under 1.0");
    assert_ne!(run(at, "report runs/null --fail-under 0.1").status.code(), Some(0));
    done(at, "selftest rain.pcd --samples 2");
    assert!(done(at, "preview rain.pcd --variant every --cell 4").contains("data/rain/   (8 files"));
    done(at, "analyze rain.pcd");
}

/// Every file below a folder.
fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path.display().to_string());
        }
    }
    found
}

/// Computes the answer from the files of its sandbox, then writes over one of them.
#[cfg(unix)]
const AGENT: &str = r#"import os, re, sys
prompt = sys.stdin.read()
least = float(re.search(r'more than (\d+) mm', prompt).group(1))
folder, ages, count = 'data/rain/monthly', set(), 0
for name in sorted(os.listdir(folder)):
    path = os.path.join(folder, name)
    ages.add(os.stat(path).st_mtime)
    with open(path) as file:
        rows = file.read().split()[1:]
    count += sum(float(row.split(',')[1]) > least for row in rows)
    with open(path, 'a') as file:
        file.write('9999,9999\n')
assert ages == {1577836800.0}, ages
print(count)
"#;

#[cfg(unix)]
#[test]
fn an_agent_works_on_copies() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: no python3");
        return;
    }
    let home = home(SUITE);
    let at = home.path();
    fs::write(at.join("agent.py"), AGENT).expect("written");
    done(at, "build rain.pcd -o out --seed 7 --quiet");
    let agent = format!("cmd:python3 {}", at.join("agent.py").display());
    let ran = run_picardc(
        at,
        &[
            "run",
            "out",
            "--agent",
            &agent,
            "-o",
            "run",
            "--quiet",
            "--allow-read",
            &at.join("agent.py").display().to_string(),
        ],
    );
    let ran = if ran.status.success() {
        ran
    } else {
        run_picardc(at, &["run", "out", "--agent", &agent, "-o", "run", "--quiet"])
    };
    assert_eq!(ran.status.code(), Some(0), "{}", ran.join_output());
    done(at, "report run --fail-under 1.0");
    for name in ["a", "b", "c"] {
        let (source, kept) = (format!("lake/monthly/{name}.csv"), format!("out/static/lake/monthly/{name}.csv"));
        assert_eq!(fs::read(at.join(&source)).expect("source"), fs::read(at.join(kept)).expect("kept"));
        assert!(!fs::read_to_string(at.join(source)).expect("source").contains("9999"));
    }

    // A bundle whose lake was changed is not the one that was built.
    fs::write(at.join("out/static/lake/monthly/a.csv"), "YEAR,MM\n2001,1\n").expect("written");
    let ran = run(at, "run out --agent oracle -o again --quiet");
    assert_ne!(ran.status.code(), Some(0));
    assert!(ran.join_output().contains("it was changed after the build"), "{}", ran.join_output());
}

/// Says whether its lake is a link, and whether it can write to it.
#[cfg(unix)]
const LOOKS: &str = r#"import os, sys
sys.stdin.read()
path = 'data/rain/monthly/a.csv'
with open(path) as file:
    assert file.read().startswith('YEAR,MM')
assert os.path.getsize('data/rain/large.bin') == 65 << 20
try:
    with open(path, 'a') as file:
        file.write('9999,9999')
    can = 'writes'
except OSError:
    can = 'reads'
print('link' if os.path.islink('data/rain') else 'copy', can)
"#;

/// One task that can have its lake as a link, and one that cannot: its answer is a file there.
#[cfg(unix)]
const LARGE: &str = r#"task whole {
  samples 2
  limit : int 100..900
  lake stations
  prompt "In <<stations>> are tables of rainfalls. How many years had more than <<limit>> mm? Number only."
  expect reply number count(stations.rain where MM > limit)
}
task with_result {
  limit : int 100..900
  lake stations
  prompt "In <<stations>> are tables of rainfalls. Write how many years had more than <<limit>> mm to `data/rain/answer.txt`."
  expect file "data/rain/answer.txt" number count(stations.rain where MM > limit)
}
"#;

#[cfg(unix)]
#[test]
fn a_large_lake_is_copied_unless_links_are_asked_for() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: no python3");
        return;
    }
    let home = home(&(SUITE.split("task wet").next().expect("a head").to_owned() + LARGE));
    let at = home.path();
    let large = fs::File::create(at.join("lake/large.bin")).expect("made");
    large.set_len(65 << 20).expect("as long as that");
    fs::write(at.join("looks.py"), LOOKS).expect("written");
    done(at, "build rain.pcd -o out --seed 7 --quiet");
    let agent = format!("cmd:python3 {}", at.join("looks.py").display());
    let replies = |out: &str, more: &[&str]| -> Vec<(String, String)> {
        let ran = run_picardc(at, &[&["run", "out", "--agent", &agent, "-o", out, "--quiet"], more].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", ran.join_output());
        let lines = fs::read_to_string(at.join(out).join("responses.jsonl")).expect("responses");
        let mut replies: Vec<(String, String)> = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .map(|line| (line["id"].to_string(), line["reply"].as_str().expect("text").to_owned()))
            .collect();
        replies.sort();
        replies
    };
    let info = |out: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(at.join(out).join("run.json")).expect("run.json")).expect("JSON")
    };
    let copied = replies("copied", &[]);
    assert_eq!(copied.len(), 3);
    assert!(copied.iter().all(|(_, reply)| reply == "copy writes"), "{copied:?}");
    assert_eq!(info("copied")["lakes"], "copied");

    let held =
        info("copied")["sandbox"]["confined"] != "none" && info("copied")["sandbox"]["landlock"].as_i64() >= Some(3);
    println!("Landlock keeps programs from writing to a lake that they share: {held}");
    if held {
        for (id, reply) in &replies("linked", &["--link-lakes"]) {
            assert_eq!(reply, if id.contains("whole") { "link reads" } else { "copy writes" }, "{id}");
        }
        assert!(info("linked").get("unverified").is_none(), "the copy was not changed");
    } else {
        let ran = run_picardc(at, &["run", "out", "--agent", &agent, "-o", "refused", "--link-lakes"]);
        assert!(ran.join_output().contains("nothing keeps this agent from writing"), "{}", ran.join_output());
        assert!(!at.join("refused").exists());
        done(at, "run out --agent null -o linked --link-lakes --quiet");
    }
    assert_eq!(info("linked")["lakes"], "linked");
    // The copies are removed with the sandboxes; those of the bundle are as they were.
    assert!(fs::read_to_string(at.join("out/static/lake/monthly/a.csv")).expect("kept").ends_with("640\n"));

    // One run has one or the other.
    let ran = run_picardc(at, &["run", "out", "--agent", &agent, "-o", "copied", "--quiet", "--link-lakes"]);
    assert_eq!(ran.status.code(), Some(2), "{}", ran.join_output());
    let why = if held { "--link-lakes was `off` and is `on`" } else { "nothing keeps this agent from writing" };
    assert!(ran.join_output().contains(why), "{}", ran.join_output());
    for compared in ["compare copied linked", "report copied linked"] {
        let said = run(at, compared).join_output();
        assert!(said.contains("sandboxes had copies of lakes in copied and links in linked"), "{compared}: {said}");
    }
    done(at, "run out --agent oracle -o runs/oracle --quiet --link-lakes");
    let said = done(at, "report runs/oracle --fail-under 1.0");
    assert!(!said.contains("links in"), "{said}");
    done(at, "run out --agent oracle -o runs/small --quiet --link-lakes --task with_result");
    assert_eq!(info("runs/small")["lakes"], "copied", "nothing was linked");
    let ran = run(at, "run out --agent oracle -o runs/one --link-lakes --sandbox one");
    assert_eq!(ran.status.code(), Some(2), "{}", ran.join_output());
}

#[test]
fn shards_and_threads_give_the_same_bytes() {
    let home = home(SUITE);
    let at = home.path();
    done(at, "build rain.pcd -o one --seed 7 --threads 1 --quiet");
    done(at, "build rain.pcd -o five --seed 7 --threads 5 --quiet");
    for part in 1..=3 {
        done(at, &format!("build rain.pcd -o part{part} --seed 7 --shard {part}/3 --quiet"));
    }
    done(at, "merge part1 part2 part3 -o whole --quiet");
    for other in ["five", "whole"] {
        for path in walk(&at.join("one")) {
            let twin = path.replace("/one/", &format!("/{other}/"));
            assert_eq!(fs::read(&path).expect("one"), fs::read(&twin).expect("other"), "{twin}");
        }
        assert_eq!(walk(&at.join("one")).len(), walk(&at.join(other)).len());
    }
    done(at, "build rain.pcd -o inline --seed 7 --inline --quiet");
    assert_eq!(walk(&at.join("inline")).len(), 2);
    done(at, "run inline --agent oracle -o runs --quiet");
    done(at, "report runs --fail-under 1.0");
}

/// The codes and messages of a suite like [`SUITE`] with another task.
fn said(task: &str) -> String {
    said_as(task, "short")
}

/// What is said of it in this format.
fn said_as(task: &str, format: &str) -> String {
    let head = SUITE.split("task wet").next().expect("a head");
    let home = home(&format!("{head}{task}"));
    run(home.path(), &format!("check rain.pcd --format {format}")).join_output()
}

#[test]
fn mistakes_are_told() {
    let key = "expect reply number count(stations.rain where MM > 300)";
    for (task, wanted) in [
        (
            format!("task t {{ prompt \"How many?\" {key} }}"),
            "the answer reads `stations.rain`, but task `t` has no lake `stations`",
        ),
        (
            "task t { lake stations needed\n prompt \"What is in <<stations>>?\" expect reply text \"x\" }".to_owned(),
            "`needed` finds no view in the answer",
        ),
        (
            format!("task t {{ lake stations needed + 9\n prompt \"Look into <<stations>>. How many?\" {key} }}"),
            "lake `stations` has only 5 other files",
        ),
        (
            format!("task t {{ lake station\n prompt \"How many?\" {key} }}"),
            "lake `station` is not declared",
        ),
        (
            "task t { lake stations needed [\"x/*.csv\"]\n prompt \"Look into <<stations>>.\" expect reply text \"x\" }".to_owned(),
            "no file of lake `stations` matches `x/*.csv`",
        ),
        (
            format!("task t {{ lake stations\n lake stations\n prompt \"Look into <<stations>>. How many?\" {key} }}"),
            "`lake stations` appears twice",
        ),
        (
            format!("task t {{ lake stations\n text note at \"data/rain/NOTE1.txt\" = \"x\"\n prompt \"Look into <<stations>> and <<note>>. How many?\" {key} }}"),
            "the file `note` and a file of lake `stations` have the same path",
        ),
        (format!("task t {{ lake stations\n prompt \"How many?\" {key} }}"), "the prompt does not mention lake `stations`"),
    ] {
        let said = said(&task);
        assert!(said.contains(wanted), "{task}\n{said}");
    }
    // A view has no path, whether its lake is handed out or not.
    let path = format!("task t {{ lake stations\n prompt \"Look into <<stations.rain>>. How many?\" {key} }}");
    let said_of_path = said_as(&path, "json");
    assert!(said_of_path.contains("or name its files in words, and their folder as `<<stations>>`"), "{said_of_path}");
    // Literal keys: the files are listed.
    let literal = "task t { lake stations needed [\"monthly/a.csv\"] + 1\n prompt \"Look into <<stations>>.\" expect reply text \"x\" }";
    assert!(!said(literal).contains("error"), "{}", said(literal));
    // What is drawn from a view is told in the prompt: nobody needs the file.
    let drawn = "task t { year : ref stations.rain.YEAR\n prompt \"Which year comes after <<year>>?\" expect reply number year + 1 }";
    assert!(!said(drawn).contains("error"), "{}", said(drawn));
}

/// Names with a leading `.` are in a lake that asks for them, wherever they are; without it, they are counted once.
#[test]
fn hidden_names_are_in_a_lake_that_asks_for_them() {
    let suite = |word: &str| {
        format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\nlake p from \"p\" {word} {{\n  text v from \"**/*.log\" {{ LINE : text }}\n}}\n\
             task t {{ lake p prompt \"How many lines have the logs in <<p>>? Number only.\" expect reply number count(p.v) }}\n"
        )
    };
    let home = testing::create_folder(&[
        ("hidden.pcd", &suite("hidden")),
        ("plain.pcd", &suite("")),
        ("p/a.log", "1\n"),
        ("p/.git/x/b.log", "2\n3\n"),
        ("p/.git/.more/c.log", "4\n"),
        ("p/b/.d.log", "5\n6\n7\n"),
    ]);
    assert!(!run(home.path(), "check hidden.pcd").join_output().contains("W0410"));
    let told = run(home.path(), "check plain.pcd").join_output();
    assert!(told.contains("2 files and folders of `p` are not in the lake") && told.contains("hidden"), "{told}");
    for (name, lines, files) in [("hidden", "7", 4), ("plain", "1", 1)] {
        done(home.path(), &format!("build {name}.pcd -o {name} --seed 1 --quiet"));
        let line = fs::read_to_string(home.path().join(name).join("instances.jsonl")).expect("instances");
        let instance: serde_json::Value = serde_json::from_str(line.trim()).expect("JSON");
        assert_eq!(
            (instance["target"].as_str(), instance["files"].as_object().map(|all| all.len())),
            (Some(lines), Some(files))
        );
        done(home.path(), &format!("selftest {name}.pcd"));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(home.path().join("p/a.log"), home.path().join("p/.link")).expect("linked");
        let told = run(home.path(), "check hidden.pcd").join_output();
        assert!(told.contains("`.link` is a link"), "{told}");
    }
}
