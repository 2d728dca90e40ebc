//! Traps end to end: an agent makes a known mistake, and bundle, scores, report, and analysis name it.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use testing::{create_folder, expect_status, run_picardc};

const SUITE: &str = r#"
suite ledger { title "Ledger" version "1.0.0" samples 12 }

task worth {
  tags ["sums"]
  csv orders at "orders.csv" { rows 20..30  ID : serial  AMOUNT : int 100..900  REFUND : int 0..90 }
  net = sum(orders.AMOUNT) - sum(orders.REFUND)
  gross = sum(orders.AMOUNT)
  number_of = count(orders)
  prompt "What are the orders in <<orders>> worth, the sum of AMOUNT without REFUND? Reply with the number only."
  expect reply number net trap gross, number_of
}

task filed {
  csv orders at "orders.csv" { rows 20..30  ID : serial  AMOUNT : int 100..900  REFUND : int 0..90  OPEN : bool }
  net = sum(orders.AMOUNT) - sum(orders.REFUND)
  gross = sum(orders.AMOUNT)
  opened = count(orders where OPEN)
  prompt """
    Write out.json with the keys `worth`, the sum of AMOUNT without REFUND in <<orders>>, and `opened`, the number of rows in which OPEN is true.
    """
  expect answer: file "out.json" json { worth: net trap gross, opened: opened }
}
"#;

/// A task with a stage, and dirt that only the stage reads.
const STAGED: &str = r#"
suite ledger { title "Ledger" version "1.0.0" samples 6 }

task worth {
  table sales { rows 20..30  ID : serial  AMOUNT : int 100..900  REFUND : int 0..90 }
  csv orders at "orders.csv" from sales { rows repeat 60%  ID = ID  AMOUNT = AMOUNT  REFUND = REFUND }
  csv notes at "notes.csv" { rows 3  N : int 1..9 }
  least = min(notes.N)
  prompt "What is the least N in <<notes>>? Rows that are there twice in <<orders>> count once. Reply with the number only."
  expect reply number least
  stage total {
    allow idle_stage "another question about the same files"
    gross = sum(sales.AMOUNT)
    prompt "What are the orders in <<orders>> worth, the sum of AMOUNT without REFUND? Rows that are there twice count once. Reply with the number only."
    expect reply number sum(sales.AMOUNT) - sum(sales.REFUND) trap gross
  }
  stage counted {
    allow idle_stage "another question about the same files"
    prompt "What is the sum of AMOUNT in <<orders>>? Rows that are there twice count once. Reply with the number only."
    expect reply last line number sum(sales.AMOUNT)
  }
}
"#;

/// Forgets the refunds, always.
const AGENT: &str = r#"
gross=$(awk -F, 'NR > 1 { s += $2 } END { print s }' orders.csv)
opened=$(awk -F, 'NR > 1 && $4 == "true" { n++ } END { print n + 0 }' orders.csv)
printf '{"worth": %s, "opened": %s}' "$gross" "$opened" > out.json
once=$(sort -u orders.csv | awk -F, '$1 != "ID" { s += $2 } END { print s }')
printf '{"total": %s, "counted": %s}' "$once" "$gross" > steps.json
echo "$gross"
"#;

/// A folder with the suite, and its bundle `out`.
fn home() -> tempfile::TempDir {
    let home = create_folder(&[("ledger.pcd", SUITE), ("agent.sh", AGENT)]);
    expect_status(0, home.path(), &["build", "ledger.pcd", "-o", "out", "--seed", "7", "--quiet"]);
    home
}

fn lines(path: impl AsRef<Path>) -> Vec<Json> {
    let text = fs::read_to_string(path).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The first `expect` of every instance.
fn keys(instances: &[Json]) -> Vec<&Json> {
    instances.iter().map(|line| &line["metadata"]["picard"]["expect"][0]).collect()
}

#[test]
fn bundles_have_the_values_of_traps() {
    let home = home();
    let instances = lines(home.path().join("out/instances.jsonl"));
    for key in keys(&instances) {
        let traps = key["traps"].as_array().expect("traps");
        let names: Vec<&Json> = traps.iter().map(|trap| &trap["name"]).collect();
        match key["match"].as_str() {
            Some("number") => {
                assert_eq!(names, ["gross", "number_of"]);
                assert!(traps[0]["at"] == "" && traps[0]["value"].as_i64() > key["value"].as_i64());
            }
            _ => assert!(names == ["gross"] && traps[0]["at"] == "/worth" && traps[0]["value"].is_i64()),
        }
    }

    // They are answers: where keys are split, they are there.
    let build = |out: &str, more: &[&str]| {
        let arguments = [&["build", "ledger.pcd", "-o", out, "--seed", "7", "--quiet"], more].concat();
        expect_status(0, home.path(), &arguments);
    };
    build("split", &["--split-keys"]);
    assert!(!fs::read_to_string(home.path().join("split/instances.jsonl")).expect("a file").contains("\"traps\""));
    let split = lines(home.path().join("split/keys.jsonl"));
    let split: Vec<&Json> = split.iter().map(|line| &line["expect"][0]).collect();
    assert_eq!(split, keys(&instances));

    // Without traps all else is the same, and the manifest says so.
    build("bare", &["--no-traps"]);
    let bare = lines(home.path().join("bare/instances.jsonl"));
    let without: Vec<Json> = instances
        .iter()
        .cloned()
        .map(|mut line| {
            line["metadata"]["picard"]["expect"][0].as_object_mut().expect("a key").remove("traps");
            line
        })
        .collect();
    assert_eq!(bare, without);
    let manifest = |out: &str| lines_of_manifest(&home.path().join(out));
    assert_eq!(manifest("bare")["options"]["no_traps"], true);
    assert_eq!(manifest("out")["options"].get("no_traps"), None);

    // Parts join to the same bytes, whatever the number of threads, and only if both have traps.
    build("a", &["--shard", "1/2", "--threads", "1"]);
    build("b", &["--shard", "2/2", "--threads", "4"]);
    expect_status(0, home.path(), &["merge", "a", "b", "-o", "joined", "--quiet"]);
    let read = |out: &str| fs::read(home.path().join(out).join("instances.jsonl")).expect("a file");
    assert_eq!(read("joined"), read("out"));
    build("c", &["--shard", "2/2", "--no-traps"]);
    let refused = run_picardc(home.path(), &["merge", "a", "c", "-o", "other"]);
    assert!(!refused.status.success() && refused.join_output().contains("--no-traps"), "{}", refused.join_output());
}

fn lines_of_manifest(bundle: &Path) -> Json {
    serde_json::from_slice(&fs::read(bundle.join("manifest.json")).expect("a manifest")).expect("JSON")
}

#[cfg(unix)]
#[test]
fn a_mistake_is_named_in_scores_and_reports() {
    let home = home();
    let at = home.path();
    expect_status(0, at, &["run", "out", "--agent", "cmd:/bin/sh agent.sh", "-o", "run", "--quiet"]);
    let scores = lines(at.join("run/scores.jsonl"));
    assert_eq!(scores.len(), 24);
    for score in &scores {
        let verdict = &score["verdicts"][0];
        assert_eq!((&verdict["reason"], &verdict["trap"]), (&json!("trapped"), &json!("gross")), "{score}");
        assert_eq!((score["correct"].as_bool(), score["score"].as_f64()), (Some(false), Some(0.0)));
    }

    let report = expect_status(0, at, &["report", "run", "--json"]).out;
    let report: Json = serde_json::from_str(&report).expect("JSON");
    let traps = report["runs"][0]["traps"].as_array().expect("traps");
    let told: Vec<Json> = traps
        .iter()
        .map(|trap| json!([trap["trap"], trap["task"], trap["times"], trap["wrong"], trap["share"]]))
        .collect();
    assert_eq!(told, [json!(["gross", "worth", 12, 12, 1.0]), json!(["gross", "filed", 12, 12, 1.0])]);

    let title = "Wrong answers that known mistakes give";
    let sentence = "evidence of that mistake, not proof";
    let terminal = expect_status(0, at, &["report", "run"]).out;
    assert!(terminal.contains(title) && terminal.contains(sentence), "{terminal}");
    let markdown = expect_status(0, at, &["report", "run", "--markdown"]).out;
    assert!(markdown.contains("| gross | worth | 12 | 12 | 100.0% | 75.8–100.0 |"), "{markdown}");
    expect_status(0, at, &["report", "run", "--html", "report.html", "--junit", "report.xml"]);
    let html = fs::read_to_string(at.join("report.html")).expect("a page");
    assert!(html.contains(title));
    assert!(html.contains(
        "The answer is equal to the value of trap <code>gross</code>, which is evidence of that mistake, not proof."
    ));
    let junit = fs::read_to_string(at.join("report.xml")).expect("a file");
    assert!(junit.contains("trap `gross`"), "{junit}");

    // An agent that is right falls into none, and what compares runs says what it said.
    expect_status(0, at, &["run", "out", "--agent", "oracle", "-o", "right", "--quiet"]);
    assert!(lines(at.join("right/scores.jsonl")).iter().all(|score| score["verdicts"][0].get("trap").is_none()));
    let both = expect_status(0, at, &["report", "run", "right", "--markdown"]).out;
    assert!(both.contains("| gross | worth | 100.0% (12 of 12) | - |"), "{both}");
    expect_status(0, at, &["build", "ledger.pcd", "-o", "bare", "--seed", "7", "--no-traps", "--quiet"]);
    expect_status(0, at, &["run", "bare", "--agent", "cmd:/bin/sh agent.sh", "-o", "untold", "--quiet"]);
    let untold = lines(at.join("untold/scores.jsonl"));
    assert!(untold.iter().all(|score| score["verdicts"][0]["reason"] == "differs"));
    let compared = expect_status(0, at, &["compare", "run", "right", "--json"]).out;
    assert!(!compared.contains("trap"), "{compared}");
}

#[cfg(unix)]
#[test]
fn mistakes_in_stages_are_named_too() {
    let home = create_folder(&[("ledger.pcd", STAGED), ("agent.sh", AGENT)]);
    let at = home.path();
    expect_status(0, at, &["build", "ledger.pcd", "-o", "out", "--seed", "7", "--stages", "trace", "--quiet"]);
    for line in lines(at.join("out/instances.jsonl")) {
        let picard = &line["metadata"]["picard"];
        let names = |stage: usize| -> Vec<&str> {
            let traps = picard["stages"][stage]["expect"][0]["traps"].as_array().map_or(&[][..], Vec::as_slice);
            traps.iter().filter_map(|trap| trap["name"].as_str()).collect()
        };
        assert_eq!((names(0), names(1)), (vec!["gross", "orders.repeat"], vec!["orders.repeat"]), "{line}");
        assert_eq!(picard["expect"][0].get("traps"), None, "{line}");
    }
    expect_status(0, at, &["run", "out", "--agent", "cmd:/bin/sh agent.sh", "-o", "run", "--quiet"]);
    for score in lines(at.join("run/scores.jsonl")) {
        let said = |stage: usize| (&score["stages"][stage]["reason"], &score["stages"][stage]["trap"]);
        assert_eq!(said(0), (&json!("trapped"), &json!("gross")), "{score}");
        assert_eq!(said(1), (&json!("trapped"), &json!("orders.repeat")), "{score}");
    }
    let report = expect_status(0, at, &["report", "run", "--markdown"]).out;
    for row in [
        "| gross | worth, stage total | 6 | 6 |",
        "| repeated rows of \\`orders\\` counted | worth, stage counted | 6 | 6 |",
    ] {
        assert!(report.contains(row), "{row}: {report}");
    }
    expect_status(
        0,
        at,
        &["build", "ledger.pcd", "-o", "bare", "--seed", "7", "--stages", "trace", "--no-traps", "--quiet"],
    );
    assert!(!fs::read_to_string(at.join("bare/instances.jsonl")).expect("a file").contains("\"traps\""));
    // What only stages read is not dirt of the task.
    let analyzed =
        expect_status(0, at, &["analyze", "ledger.pcd", "--samples", "30", "--stages", "trace", "--json"]).out;
    let analyzed: Json = serde_json::from_str(&analyzed).expect("JSON");
    assert_eq!(analyzed["tasks"][0].get("dirt"), None, "{analyzed:#}");
}

#[test]
fn analysis_tells_how_often_a_trap_differs() {
    let suite = r#"
suite ledger { title "Ledger" version "1.0.0" samples 10 }
task most {
  csv orders at "orders.csv" { rows 20..30  ID : serial  A : int 1..900_000  B : int 1..90 }
  best = max(orders.A)
  last = max(orders.A where B > 0)
  close = max(orders.A where B > 60)
  prompt "Which is the greatest A in <<orders>>? Reply with the number only."
  expect reply number best trap close, last
}
"#;
    let home = create_folder(&[("s.pcd", suite)]);
    let said = expect_status(0, home.path(), &["analyze", "s.pcd", "--samples", "200"]).out;
    assert!(said.contains("trap `last` differs from the answer in 0.0% of instances"), "{said}");
    let json: Json =
        serde_json::from_str(&expect_status(0, home.path(), &["analyze", "s.pcd", "--samples", "200", "--json"]).out)
            .expect("JSON");
    let traps = json["tasks"][0]["traps"].as_array().expect("traps");
    let names: Vec<&Json> = traps.iter().map(|trap| &trap["name"]).collect();
    assert_eq!(names, ["close", "last"]);
    // A third of the rows has a B above 60, the greatest A among them.
    let differs = traps[0]["differs"].as_f64().expect("a share");
    assert!((0.55..0.78).contains(&differs), "{differs}");
    assert_eq!(traps[1]["differs"], 0.0);
}

/// Tasks over dirty files, and one kind of dirt each that changes the answer.
const DIRTY: &str = r#"
suite shop { title "Shop" version "1.0.0" samples 8 }

task doubled {
  axis mess = { clean: 0, much: 40 }
  table sales { rows 30..40  ID : serial  AMOUNT : int 100..900 }
  csv till at "doubled.csv" from sales { rows repeat mess%  Id = ID  Amount = AMOUNT }
  prompt "What is the sum of Amount in <<till>>? A row that is there twice counts once. Reply with the number only."
  expect reply number sum(sales.AMOUNT)
}

task letters {
  axis mess = { clean: 0, much: 40 }
  table visits { rows 60..80  ID : serial  TOWN : one_of ["Carrow", "Maldon", "Ostrey", "Pellan", "Quill", "Saltby"]  GUIDE : first_name }
  csv book at "letters.csv" from visits { Id = ID  Town = TOWN as case mess%  Guide = GUIDE as case mess% }
  prompt "How many different towns are in <<book>>, whatever their capitals? Reply with the number only."
  expect reply number distinct_count(visits.TOWN)
}

task decoy {
  table taken_ { rows 30..40  ID : serial  AMOUNT : int 100..900 }
  table older { rows 10  ID : serial  AMOUNT : int 100..900 }
  csv now at "till/now.csv" from taken_ { Id = ID  Amount = AMOUNT }
  csv before : now at "till/before.csv" from older
  prompt "What is the sum of Amount in <<now>> (<<before>> is of another year)? Reply with the number only."
  expect reply number sum(taken_.AMOUNT)
}

task nulls {
  table pay { rows 30..40  ID : serial  WAGE : int 100..900 blank 30% }
  csv wages at "nulls.csv" from pay { Id = ID  Wage = WAGE as missing ["", "n/a"] }
  mean = avg(pay.WAGE)
  require mean != null
  prompt "What is the mean of the known values of Wage in <<wages>> (an empty field and n/a are not known)? Reply with the number only, with 3 decimals."
  expect reply number mean rounded 3
}
"#;

/// Cleans nothing.
const CARELESS: &str = r#"
if [ -e doubled.csv ]; then awk -F, 'NR > 1 { s += $2 } END { print s }' doubled.csv; fi
if [ -e letters.csv ]; then awk -F, 'NR > 1 { print $2 }' letters.csv | LC_ALL=C sort -u | awk 'END { print NR }'; fi
if [ -e till ]; then awk -F, 'FNR > 1 { s += $2 } END { print s }' till/*.csv; fi
if [ -e nulls.csv ]; then awk -F, 'NR > 1 { n++; s += $2 } END { printf "%.9f\n", s / n }' nulls.csv; fi
"#;

#[cfg(unix)]
#[test]
fn who_does_not_clean_falls_into_the_trap_of_that_dirt() {
    let home = create_folder(&[("shop.pcd", DIRTY), ("agent.sh", CARELESS)]);
    let at = home.path();
    expect_status(0, at, &["build", "shop.pcd", "-o", "out", "--seed", "7", "--quiet"]);
    let instances = lines(at.join("out/instances.jsonl"));
    let mut told: Vec<(String, Vec<String>)> = Vec::new();
    for (line, key) in instances.iter().zip(keys(&instances)) {
        let traps = key["traps"].as_array().map_or(&[][..], Vec::as_slice);
        let names = traps.iter().map(|trap| trap["name"].as_str().expect("a name").to_owned()).collect();
        told.push((line["id"].as_str().expect("an id").to_owned(), names));
    }
    let of = |task: &str| {
        told.iter().filter(|(id, _)| id.starts_with(task)).map(|(_, names)| names.as_slice()).collect::<Vec<_>>()
    };
    // Where nothing is dirty, there is no trap. Guides are dirty, but nothing asks for them.
    assert!(of("doubled-clean").iter().chain(&of("letters-clean")).all(|names| names.is_empty()), "{told:?}");
    assert!(of("doubled-much").iter().all(|names| *names == ["till.repeat"]), "{told:?}");
    assert!(of("letters-much").iter().all(|names| *names == ["book.Town.case"]), "{told:?}");
    assert!(of("decoy").iter().all(|names| *names == ["before"]), "{told:?}");
    assert!(of("nulls").iter().all(|names| *names == ["wages.Wage.missing"]), "{told:?}");

    expect_status(0, at, &["run", "out", "--agent", "cmd:/bin/sh agent.sh", "-o", "run", "--quiet"]);
    let scores = lines(at.join("run/scores.jsonl"));
    assert_eq!(scores.len(), told.len());
    for score in &scores {
        let id = score["id"].as_str().expect("an id");
        let (_, names) = told.iter().find(|(other, _)| other == id).expect("its instance");
        assert_eq!(score["verdicts"][0]["trap"].as_str(), names.first().map(String::as_str), "{score}");
        assert_eq!(score["correct"], names.is_empty(), "{score}");
    }
    let report = expect_status(0, at, &["report", "run"]).out;
    for said in
        ["repeated rows of `till` counted", "letter case of `Town` of `book`", "missing values in `Wage` of `wages`"]
    {
        assert!(report.contains(said), "{said}: {report}");
    }
}

#[test]
fn analysis_tells_how_often_dirt_matters_in_each_cell() {
    let home = create_folder(&[("shop.pcd", DIRTY)]);
    let analyzed = expect_status(0, home.path(), &["analyze", "shop.pcd", "--samples", "30", "--json"]).out;
    let analyzed: Json = serde_json::from_str(&analyzed).expect("JSON");
    let dirt = |task: usize| analyzed["tasks"][task]["dirt"].as_array().expect("dirt");
    // Files of the cell `clean` are clean.
    assert_eq!(
        dirt(0).as_slice(),
        [json!({
            "name": "till.repeat",
            "verdict": "good",
            "cells": [{ "axis": ["much"], "instances": 30, "changes": 1.0, "surely": 1.0 }],
        })]
    );
    let names: Vec<&Json> = dirt(1).iter().map(|dirt| &dirt["name"]).collect();
    let verdicts: Vec<&Json> = dirt(1).iter().map(|dirt| &dirt["verdict"]).collect();
    assert_eq!(
        (names, verdicts),
        (vec![&json!("book.Town.case"), &json!("book.Guide.case")], vec![&json!("good"), &json!("toothless")])
    );
    // Each town is also there in other rows, so it is not missed where some are left out.
    assert_eq!(dirt(1)[0]["cells"][0]["surely"], json!(0.0));
    assert_eq!(dirt(2)[0]["name"], json!("before"));
    assert_eq!(dirt(3)[0]["cells"][0]["axis"], json!([]));
    let of =
        |task: usize| analyzed["tasks"][task]["reasons"].as_array().expect("reasons").contains(&json!("toothless"));
    assert!(!of(0) && !of(1) && !of(2) && !of(3), "{analyzed:#}");

    let text = expect_status(0, home.path(), &["analyze", "shop.pcd", "--samples", "30"]).out;
    assert!(
        text.contains("  repeated rows of `till` counted: would change the answer in 100.0% of instances\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "letter case of `Guide` of `book` not evened out: would change the answer in 0.0% of instances; toothless\n"
        ),
        "{text}"
    );
}

#[test]
fn a_task_whose_dirt_never_matters_is_toothless() {
    let body = DIRTY.replace("distinct_count(visits.TOWN)", "count(visits where ID > 7)");
    let home = create_folder(&[("shop.pcd", &body)]);
    let analyzed =
        expect_status(0, home.path(), &["analyze", "shop.pcd", "--samples", "30", "--task", "letters", "--json"]).out;
    let analyzed: Json = serde_json::from_str(&analyzed).expect("JSON");
    assert!(analyzed["tasks"][0]["reasons"].as_array().expect("reasons").contains(&json!("toothless")), "{analyzed:#}");
}
