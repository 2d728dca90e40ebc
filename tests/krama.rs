//! KramaBench: `picardc import kramabench` over workloads of our own, and over the benchmark's where `PICARDC_KRAMA` names a folder with `workload/`, `legal/`,
//! and `biomedical/`; the keys and views of its tasks as we write them, against Python.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::suite::ColumnSource;
use serde_json::Value as Json;
use testing::{
    CommandOutput, Environment, FRAMES, READERS, check_snapshots, expect_status, expect_success, root, run_picardc,
};

/// The lake of our own workloads.
const LAKE: [(&str, &str); 6] = [
    ("prices.csv", "fish,price\ncod,10.625\n"),
    ("markets/2023/north.csv", "day,kg\n1,12\n"),
    ("markets/2023/south.csv", "day,kg\n1,14\n"),
    ("markets/2024/north.csv", "day,kg\n1,13\n"),
    ("markets/notes.txt", "nothing\n"),
    ("Old Ledger, 1999.csv", "boat,crew\nAda,3\n"),
];

fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

/// A folder with the lake `data/fish`.
fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("temp");
    for (path, text) in LAKE {
        write(&home.path().join("data/fish").join(path), text);
    }
    home
}

/// The suite passes `check` without a warning, and is laid out; the oracle passes every instance, and doing nothing none.
fn is_sound(home: &Path, suite: &str) {
    let checked = expect_status(0, home, &["check", suite]);
    assert!(checked.join_output().contains("no errors, no warnings"), "{}", checked.join_output());
    expect_status(0, home, &["fmt", "--check", suite]);
    expect_success(home, &["selftest", suite, "--samples", "1"]);
    if fs::read_to_string(home.join(suite)).expect("a suite").contains("\n  stage ") {
        for mode in ["each", "given", "trace"] {
            expect_success(home, &["selftest", suite, "--samples", "1", "--stages", mode]);
        }
    }
}

#[test]
fn workloads_become_suites() {
    let folder = root().join("tests/krama/workloads");
    check_snapshots(&folder, "json", |workload| {
        let home = home();
        let read = workload.display().to_string();
        let ran = run_picardc(home.path(), &["import", "kramabench", &read, "--lake", "data/fish", "-o", "fish.pcd"]);
        let mut shown =
            format!("exit {}\n{}", ran.status.code().expect("a status"), ran.join_output().replace(&read, "WORKLOAD"));
        if let Ok(suite) = fs::read_to_string(home.path().join("fish.pcd")) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\n{suite}");
            is_sound(home.path(), "fish.pcd");
        }
        shown
    });
}

/// Tasks of which every tenth has an answer of another type, and every tenth a file that is not in the lake. Ten tasks have the same id.
fn many_tasks(count: usize) -> Vec<Json> {
    (0..count)
        .map(|at| {
            let answer = if at % 10 == 3 { Json::from("none") } else { Json::from(at) };
            let query = format!("Which number has record {at} of the prices?");
            let sources = [format!("prices {at}.csv"), "all files in markets/".to_owned(), "prices.csv".to_owned()];
            let sources = if at % 10 == 4 { &sources[..1] } else { &sources[1..] };
            serde_json::json!({"id": format!("fish-easy-{}", at / 10), "query": query, "answer": answer, "answer_type": "numeric_exact", "data_sources": sources})
        })
        .collect()
}

/// Finding S10: 20,000 tasks took minutes, because each was compiled with all before it.
#[test]
fn the_time_of_an_import_grows_with_the_number_of_tasks() {
    let home = home();
    testing::assert_linear("tasks", 400, |count| {
        write(&home.path().join("many.json"), Json::from(many_tasks(count)).to_string());
        let flags = ["--lake", "data/fish", "-o", "many.pcd", "--force"];
        expect_status(1, home.path(), &[&["import", "kramabench", "many.json"][..], &flags].concat());
        let suite = fs::read_to_string(home.path().join("many.pcd")).expect("a suite");
        assert_eq!(suite.matches("\ntask ").count(), count - count / 10 * 2);
    });
}

/// Finding S10: sources of many words took minutes, too.
#[test]
fn the_time_of_an_import_grows_with_the_words_of_its_sources() {
    let home = home();
    testing::assert_linear("words", 25_000, |words| {
        // Sources of as many words as one may have; none of them names a file.
        let source = |at: usize| format!("{}{at}.csv", "a.b ".repeat(1_000));
        let sources: Vec<String> = (0..words / 1_000).map(source).collect();
        let task = serde_json::json!({"id": "words", "query": "Which?", "answer": 1, "answer_type": "numeric_exact", "data_sources": sources});
        write(&home.path().join("words.json"), Json::from(vec![task]).to_string());
        let flags = ["--lake", "data/fish", "-o", "words.pcd", "--force"];
        let ran = run_picardc(home.path(), &[&["import", "kramabench", "words.json"][..], &flags].concat());
        assert!(ran.err.contains("the lake has no file for `a.b a.b "), "{}", ran.err);
    });
}

/// Many tasks, sources of many words, and many steps are imported, or meet a limit that has a name. `PICARDC_KRAMA_TASKS` is the number of tasks.
#[test]
fn large_workloads_are_imported() {
    let home = home();
    let count: usize = std::env::var("PICARDC_KRAMA_TASKS").map_or(600, |count| count.parse().expect("a number"));
    let words = |count: usize| "word ".repeat(count);
    let mut tasks = many_tasks(count);
    let odd = |id: &str, sources: Json, steps: usize| {
        let step = |number: usize| serde_json::json!({"id": format!("{id}-{number}"), "step": "Look.", "query": "How many?", "answer": number, "answer_type": "numeric_exact"});
        let steps: Vec<Json> = (1..=steps).map(step).collect();
        serde_json::json!({"id": id, "query": "Which?", "answer": 1, "answer_type": "numeric_exact", "data_sources": sources, "subtasks": steps})
    };
    tasks.push(odd("words", format!("{}x.csv", words(100_000)).into(), 0));
    tasks.push(odd("paths", format!("{}x.csv", "a.b ".repeat(1000)).into(), 0));
    tasks.push(odd("many", vec!["x.csv"; 100_000].into(), 0));
    tasks.push(odd("steps", "prices.csv".into(), 100_000));
    write(&home.path().join("large.json"), Json::from(tasks).to_string());
    let begun = std::time::Instant::now();
    let ran = expect_status(
        1,
        home.path(),
        &["import", "kramabench", "large.json", "--lake", "data/fish", "-o", "large.pcd"],
    );
    eprintln!("{count} tasks in {:?}", begun.elapsed());
    for said in [
        "left out: words: `data_sources` has an item of 500005 bytes, and at most 4096 are read; name a file, a folder, or a glob",
        "left out: paths: the lake has no file for `a.b a.b ",
        "left out: many: `data_sources` has 100000 items, and at most 10000 are read; name folders or globs",
        "left out: the last 99800 subtasks of steps: a task has at most 200 steps; ask the others as tasks of their own",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    assert!(ran.err.lines().all(|line| line.len() < 400), "{}", ran.err);
    let suite = fs::read_to_string(home.path().join("large.pcd")).expect("a suite");
    assert_eq!(suite.matches("\ntask ").count(), count - count / 10 * 2 + 1);
    assert_eq!(suite.matches("\n  stage ").count(), 200);
    expect_status(0, home.path(), &["check", "large.pcd"]);
}

/// V27: an answer that is a long list is a step like any other, and no other step is lost with it.
#[test]
fn a_step_with_a_long_list_is_imported() {
    const ITEMS: usize = 80_000;
    let home = home();
    let step = |number: usize, answer: Json, kind: &str| serde_json::json!({"id": format!("fish-{number}"), "step": "Look.", "query": "Which numbers are there?", "answer": answer, "answer_type": kind});
    let mut steps: Vec<Json> = (1..=7).map(|number| step(number, number.into(), "numeric_exact")).collect();
    steps[3] = step(4, (0..ITEMS).collect::<Vec<_>>().into(), "list_exact");
    let task = serde_json::json!({"id": "fish", "query": "Which?", "answer": 1, "answer_type": "numeric_exact", "data_sources": "prices.csv", "subtasks": steps});
    write(&home.path().join("long.json"), Json::from(vec![task]).to_string());
    let ran =
        expect_status(0, home.path(), &["import", "kramabench", "long.json", "--lake", "data/fish", "-o", "long.pcd"]);
    assert!(!ran.join_output().contains("left out"), "{}", ran.join_output());
    let suite = fs::read_to_string(home.path().join("long.pcd")).expect("a suite");
    assert_eq!(suite.matches("\n  stage ").count(), 7);
    let list = suite.split_once("reply list [").expect("the list").1.split_once(']').expect("closed").0;
    let items: Vec<usize> = list.split(',').filter_map(|item| item.trim().parse().ok()).collect();
    assert_eq!(items, (0..ITEMS).collect::<Vec<_>>());
    expect_status(0, home.path(), &["check", "long.pcd"]);
}

#[test]
fn what_is_no_workload_or_no_lake_is_told() {
    let home = home();
    let at = home.path();
    let good = r#"[{"id": "a", "query": "Which?", "answer": 1, "answer_type": "numeric_exact"}]"#;
    write(&at.join("good.json"), good);
    write(&at.join("data/fish/inside.json"), good);
    write(&at.join("object.json"), "{}");
    write(&at.join("nan.json"), "[NaN]");
    write(&at.join("there.pcd"), "");
    fs::create_dir(at.join("empty")).expect("made");
    for (workload, lake, out, exit, said) in [
        ("none.json", "data/fish", "a.pcd", 2, "cannot read `none.json`: the file does not exist"),
        (
            "object.json",
            "data/fish",
            "a.pcd",
            2,
            "`object.json` is not a workload of KramaBench: a workload is a JSON list of tasks",
        ),
        ("nan.json", "data/fish", "a.pcd", 2, "`nan.json` is not JSON"),
        ("good.json", "none", "a.pcd", 2, "cannot read the folder `none`"),
        ("good.json", "good.json", "a.pcd", 2, "`good.json` is not a folder"),
        ("good.json", "empty", "a.pcd", 2, "the lake `empty` has no files"),
        ("good.json", ".", "a.pcd", 2, "the lake `.` is not below the folder of `a.pcd`"),
        ("good.json", "data", "data/fish/a.pcd", 2, "the lake `data` is not below the folder of `data/fish/a.pcd`"),
        ("data/fish/inside.json", "data/fish", "a.pcd", 2, "`data/fish/inside.json` is inside the lake"),
        ("good.json", "data/fish", "there.pcd", 2, "`there.pcd` already exists"),
        ("good.json", "data/fish", "a.pcd", 0, "wrote a.pcd: 1 question\n"),
    ] {
        let ran = expect_status(exit, at, &["import", "kramabench", workload, "--lake", lake, "-o", out]);
        assert!(ran.err.contains(said), "{workload} {lake} {out}: {}", ran.err);
        assert_eq!(at.join("a.pcd").exists(), exit == 0, "{workload} {lake} {out}");
    }
    expect_status(0, at, &["import", "kramabench", "good.json", "--lake", "data/fish", "-o", "there.pcd", "--force"]);
    is_sound(at, "there.pcd");
    // The suite may be in another folder than the one where the command runs.
    fs::create_dir(at.join("other")).expect("made");
    let out = at.join("b.pcd").display().to_string();
    expect_status(0, at.join("other"), &["import", "kramabench", "../good.json", "--lake", "../data/fish", "-o", &out]);
    is_sound(at, "b.pcd");
}

#[cfg(unix)]
#[test]
fn a_lake_with_a_link_is_refused() {
    let home = home();
    let at = home.path();
    write(&at.join("good.json"), r#"[{"id": "a", "query": "Which?", "answer": 1, "answer_type": "numeric_exact"}]"#);
    std::os::unix::fs::symlink(at.join("good.json"), at.join("data/fish/link.json")).expect("linked");
    let ran = expect_status(2, at, &["import", "kramabench", "good.json", "--lake", "data/fish", "-o", "a.pcd"]);
    assert!(ran.err.contains("`link.json` in the lake `data/fish` is not a regular file"), "{}", ran.err);
}

/// The folder of the benchmark; says that the test is skipped where there is none.
fn krama() -> Option<PathBuf> {
    let folder = std::env::var_os("PICARDC_KRAMA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: PICARDC_KRAMA names no folder");
    }
    folder
}

/// The ids of all tasks and steps of a workload.
fn ids(workload: &Path) -> BTreeSet<String> {
    let tasks: Json = serde_json::from_slice(&fs::read(workload).expect("a workload")).expect("JSON");
    let id = |question: &Json| question["id"].as_str().expect("an id").to_owned();
    let steps = |task: &Json| task["subtasks"].as_array().expect("a list").iter().map(id).collect::<Vec<_>>();
    tasks.as_array().expect("a list").iter().flat_map(|task| [vec![id(task)], steps(task)].concat()).collect()
}

#[test]
fn every_question_of_the_benchmark_is_imported_or_listed() {
    let Some(krama) = krama() else { return };
    for (domain, questions) in [("legal", 216), ("biomedical", 40)] {
        let home = tempfile::tempdir().expect("temp");
        testing::copy_folder(krama.join(domain), home.path().join(domain));
        let workload = krama.join("workload").join(format!("{domain}.json"));
        let (read, suite) = (workload.display().to_string(), format!("{domain}.pcd"));
        let ran = expect_status(1, home.path(), &["import", "kramabench", &read, "--lake", domain, "-o", &suite]);
        let ids = ids(&workload);
        let text = fs::read_to_string(home.path().join(&suite)).expect("a suite");
        let imported: BTreeSet<String> = ids
            .iter()
            .filter(|id| [". ", ", "].iter().any(|next| text.contains(&format!("## {id}{next}"))))
            .cloned()
            .collect();
        let listed: BTreeSet<String> =
            ids.iter().filter(|id| ran.err.contains(&format!("left out: {id}: "))).cloned().collect();
        eprintln!("{domain}: {} questions, {} imported\n{}", ids.len(), imported.len(), ran.err);
        assert_eq!(imported.len(), questions, "{domain}");
        assert!(imported.is_disjoint(&listed));
        assert_eq!(&imported | &listed, ids, "{domain}");
        is_sound(home.path(), &suite);
    }
}

/// A suite of `tests/krama` next to the files of the benchmark, as `data/legal` and `data/biomedical`.
fn at_the_benchmark(krama: &Path, suite: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("temp");
    for domain in ["legal", "biomedical"] {
        testing::copy_folder(krama.join(domain).join("input"), home.path().join("data").join(domain));
    }
    fs::copy(root().join("tests/krama").join(suite), home.path().join(suite)).expect("copied");
    home
}

/// What `tests/python/krama.py` prints; `None` if no interpreter has the packages.
fn python(packages: Environment, what: &str, krama: &Path, input: &Path) -> Option<CommandOutput> {
    let interpreter = packages.find_interpreter_or_skip(&format!("{what} of the benchmark"))?;
    let script = root().join("tests/python/krama.py");
    let mut command = Command::new(interpreter);
    command.arg(script).arg(what).arg(krama).stdin(fs::File::open(input).expect("input"));
    Some(command.env("PYTHONDONTWRITEBYTECODE", "1").output().expect("it starts").into())
}

/// A number of an answer key, as JSON has it.
fn number(json: &Json) -> Option<f64> {
    json.as_f64().or_else(|| json["decimal"].as_str()?.parse().ok())
}

#[test]
fn computed_keys_are_those_that_python_computes() {
    let Some(krama) = krama() else { return };
    let Some(ran) = python(READERS, "keys", &krama, &root().join("Cargo.toml")) else { return };
    assert!(ran.status.success(), "{}", ran.err);
    let answers: Json = serde_json::from_str(&ran.out).expect("JSON");
    // Two tasks of biomedical are left out: hard-1 asks for the workbook mmc2, and hard-8 for mmc6, which the folder does not have.
    for (suite, tasks) in [("legal", 30), ("biomedical", 7)] {
        let source = fs::read_to_string(root().join("tests/krama").join(suite).with_extension("pcd")).expect("a suite");
        assert!(!source.contains("needed ["), "{suite}: a key names its files, so nothing computes it");
        let home = at_the_benchmark(&krama, &format!("{suite}.pcd"));
        expect_success(home.path(), &["build", &format!("{suite}.pcd"), "-o", "out", "--seed", "1", "--quiet"]);
        let lines = fs::read_to_string(home.path().join("out/instances.jsonl")).expect("instances");
        let mut agreed = 0;
        for line in lines.lines() {
            let instance = &serde_json::from_str::<Json>(line).expect("JSON");
            let facts = &instance["metadata"]["picard"];
            // The files of a lake that is `needed` are those that the key reads: a literal key would have none.
            let (lake, files) = (&facts["lakes"][0]["files"], &instance["files"]);
            assert!(lake == "needed" && files.as_object().is_some_and(|files| !files.is_empty()), "{suite}: {facts}");
            let (task, ours) = (facts["task"].as_str().expect("a task"), &facts["expect"][0]["value"]);
            let theirs = &answers[suite][task];
            let same = match (number(ours), number(theirs)) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() <= 1e-9 * theirs.abs(),
                _ => ours == theirs,
            };
            assert!(same, "{suite} {task}: {ours}, and Python computes {theirs}");
            agreed += 1;
        }
        assert_eq!(agreed, tasks, "{suite}");
        eprintln!("{suite}: {agreed} of {tasks} keys are computed from the files, and agree with Python's");
    }
}

#[test]
fn every_cell_of_a_view_is_that_of_the_file() {
    let Some(krama) = krama() else { return };
    let home = at_the_benchmark(&krama, "files.pcd");
    let path = home.path().join("files.pcd").display().to_string();
    let suite = api::Suite::compile(&path, &picardc::host::Disk::new(&path));
    assert_eq!(suite.count_errors(), 0, "{:?}", suite.diagnostics().first());
    let mut views = serde_json::Map::new();
    for relation in suite.tasks().iter().flat_map(|task| &task.relations) {
        let columns: Vec<Json> = relation
            .columns
            .iter()
            .map(|column| match &column.source {
                ColumnSource::Given(given) => given.values.iter().map(model::Value::to_key_json).collect(),
                _ => panic!("{} is not read", column.name),
            })
            .collect();
        views.insert(relation.table.clone(), columns.into());
    }
    assert_eq!(views.len(), 60, "views");
    let read = home.path().join("views.json");
    fs::write(&read, Json::from(views).to_string()).expect("written");
    for (packages, what) in [(READERS, "cells"), (FRAMES, "frames")] {
        let Some(ran) = python(packages, what, &krama, &read) else { continue };
        assert!(ran.status.success(), "{}", ran.join_output());
        eprintln!("{}", ran.out);
    }
}
