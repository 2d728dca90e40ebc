//! Findings C1 to C3: one run has one number, every number says how sure it is, and arms are compared on what they cost. `runs` has C4 and C5, `money` the rest of C3.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use report::compare::{compare_runs, tables};
use report::render::tables as report_tables;
use report::{RunData, SamplingUnit, build_report};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use testing::{create_folder, expect_success, run_picardc, write_in_folder};

use super::support::lines;
use crate::report::fixtures::{self, run, score};

#[cfg(unix)]
mod money;
mod runs;

/// Two tasks with variants, one with an axis; everything is answered in the reply.
pub const SUITE: &str = r#"
suite t {
  title   "T"
  version "1.0.0"
  samples 6
}

task plain {
  n : int 1..1_000_000
  prompt "Reply with <<n>>."
  expect reply number n
}

task spelled {
  n : int 1..1_000_000
  variant digits {
    prompt "Reply with <<n>>."
    expect reply number n
  }
  variant json {
    prompt "Reply with the object {\"n\": <<n>>}."
    expect reply json { n: n }
  }
}

task sized {
  axis size = [3, 30]
  csv orders at "orders.csv" {
    rows size
    AMT : int 1..1_000
  }
  prompt "What is the sum of AMT in <<orders>>? Reply with the number."
  expect reply number sum(orders.AMT)
}
"#;

/// A bundle of [`SUITE`] in `b`.
pub fn home() -> TempDir {
    let home = create_folder(&[("s.pcd", SUITE)]);
    expect_success(home.path(), &["build", "s.pcd", "-o", "b", "--seed", "7", "--quiet"]);
    home
}

pub fn put(folder: &Path, path: &str, lines: &[Json]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    write_in_folder(folder, path, text.as_bytes());
}

fn json_of(folder: &Path, arguments: &[&str]) -> Json {
    serde_json::from_str(&expect_success(folder, arguments)).expect("JSON")
}

/// Whether the reply at this place, in this line, is the oracle's.
type IsRight = fn(usize, &Json) -> bool;

/// Replies to some instances as the oracle did, and to the others with nothing; by a run of the oracle that is edited and scored again.
fn answered(home: &Path, name: &str, right: impl Fn(usize, &Json) -> bool) -> String {
    expect_success(home, &["run", "b", "--agent", "oracle", "-o", name, "--quiet"]);
    let mut responses = lines(home, &format!("{name}/responses.jsonl"));
    responses.sort_by_key(|line| line["id"].to_string());
    for (at, response) in responses.iter_mut().enumerate() {
        if !right(at, response) {
            response["reply"] = json!("-1");
        }
    }
    put(home, &format!("{name}/responses.jsonl"), &responses);
    let output = run_picardc(home, &["score", "b", name]);
    assert!(output.status.success(), "{}", output.err);
    output.err
}

/// Both ends of an interval as they are printed: per cent with one place.
fn printed(interval: &Json) -> [String; 2] {
    ["low", "high"].map(|end| format!("{:.1}", 100.0 * interval[end].as_f64().expect("a number")))
}

/// The interval that `run` and `score` print.
fn said(text: &str) -> [String; 2] {
    let (_, rest) = text.split_once("(95% CI ").unwrap_or_else(|| panic!("no interval: {text}"));
    let mut words = rest.split(['–', ')', ',']);
    let mut next = || words.next().unwrap_or_else(|| panic!("no interval: {text}")).to_owned();
    [next(), next()]
}

#[test]
fn c1_run_report_and_compare_print_one_interval() {
    let home = home();
    let home = home.path();
    // Variants and cells that agree with each other; some that do not; all; none.
    let kinds: [(&str, IsRight); 5] = [
        ("by_sample", |_, line| line["id"].as_str().is_some_and(|id| id.ends_with(['1', '2', '3']))),
        ("by_number", |at, _| at * 7919 % 5 < 2),
        ("json", |_, line| line["id"].as_str().is_some_and(|id| id.contains("json"))),
        ("all", |_, _| true),
        ("none", |_, _| false),
    ];
    for (name, right) in kinds {
        let text = answered(home, name, right);
        let told = json_of(home, &["report", name, "--json"]);
        let whole = &told["runs"][0]["whole"];
        assert_eq!(said(&text), printed(&whole["interval"]), "{name}: {text}");
        let compared = json_of(home, &["compare", name, "by_sample", "--json"]);
        assert_eq!(compared["a"]["whole"], *whole, "{name}");
        // Over samples variants and cells of one sample count once: 18 samples cannot tell more than so.
        assert_eq!(whole["samples"], json!(18), "{name}");
    }
    // Several trials have an interval, too, and it is the same.
    let output = run_picardc(home, &["run", "b", "--agent", "null", "--trials", "3", "-o", "trials"]);
    let told = json_of(home, &["report", "trials", "--json"]);
    assert_eq!(said(&output.err), printed(&told["runs"][0]["whole"]["interval"]));
}

#[test]
fn c1_any_run_has_one_interval() {
    let mut bits = 11u64;
    let mut next = |below: u64| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (bits >> 33) % below
    };
    for _ in 0..200 {
        let mut scores = Vec::new();
        for task in 0..1 + next(9) {
            let (samples, variants, trials, kind) = (1 + next(6), next(4), 1 + next(3), next(4));
            for variant in 0..variants.max(1) {
                let name = (variants > 0).then(|| format!("v{variant}"));
                for sample in 1..=samples {
                    for trial in 1..=trials {
                        let right = kind == 0 || kind > 1 && next(3) > 0;
                        scores.push(score(
                            &format!("t{task}"),
                            name.as_deref(),
                            "reply",
                            sample as u32,
                            trial as u32,
                            right,
                        ));
                    }
                }
            }
        }
        let data = run("r", "1", scores);
        for over in [None, Some(SamplingUnit::Tasks), Some(SamplingUnit::Samples)] {
            let told = build_report(std::slice::from_ref(&data), over);
            let compared = compare_runs(&data, &data, over).expect("comparable");
            assert_eq!(compared.a.whole, told.runs[0].whole);
            assert_eq!(compared.b.whole, told.runs[0].whole);
            // What `run` prints is made from rows alone.
            let mut numbering = statistics::accuracy::Numbering::default();
            let rows: Vec<_> = data
                .scores
                .iter()
                .map(|score| numbering.number_row(&score.task, score.sample, score.correct, score.score))
                .collect();
            assert_eq!(statistics::accuracy::Accuracy::from_rows(&rows, over), told.runs[0].whole);
        }
    }
}

/// Every interval of a document, with its place.
fn intervals<'a>(json: &'a Json, place: &str, found: &mut Vec<(String, &'a Json)>) {
    match json {
        Json::Object(fields) if fields.contains_key("low") && fields.contains_key("high") => {
            found.push((place.to_owned(), json));
        }
        Json::Object(fields) => {
            fields.iter().for_each(|(name, value)| intervals(value, &format!("{place}/{name}"), found))
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| intervals(value, &format!("{place}/{at}"), found));
        }
        _ => {}
    }
}

fn no_interval_is_a_point(told: &Json, of: &str) -> usize {
    let mut found = Vec::new();
    intervals(told, "", &mut found);
    for (place, interval) in &found {
        let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().expect("a number"));
        assert!(low.is_finite() && high.is_finite() && high - low > 1e-9, "{of} {place}: {interval}");
    }
    found.len()
}

#[test]
fn c2_no_interval_is_a_point() {
    let mut bits = 5u64;
    let mut next = |below: u64| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (bits >> 33) % below
    };
    let mut seen = 0;
    for _ in 0..150 {
        let tasks: Vec<(u64, u64, u64, u64, bool)> =
            (0..1 + next(8)).map(|_| (1 + next(4), next(4), 1 + next(3), next(5), next(2) == 0)).collect();
        let mut runs = Vec::new();
        for side in 0..2 {
            let mut scores = Vec::new();
            for (task, (samples, variants, trials, kind, axis)) in tasks.iter().enumerate() {
                for variant in 0..(*variants).max(1) {
                    let name = (*variants > 0).then(|| format!("v{variant}"));
                    for cell in 0..if *axis { 2 } else { 1 } {
                        for sample in 1..=*samples {
                            for trial in 1..=*trials {
                                // All right, all wrong, all differing alike, or by chance.
                                let right = match kind {
                                    0 => true,
                                    1 => false,
                                    2 => side == 1,
                                    _ => next(2) == 0,
                                };
                                let mut one = score(
                                    &format!("t{task}"),
                                    name.as_deref(),
                                    "reply",
                                    sample as u32,
                                    trial as u32,
                                    right,
                                );
                                if *axis {
                                    one.id = format!("{}-{cell}", one.id);
                                    one.axis = vec![("size".to_owned(), cell.to_string())];
                                }
                                one.tags = vec![format!("tag{}", task % 2)];
                                one.rounds = Some(if *kind == 4 { next(9) as u32 } else { 3 });
                                scores.push(one);
                            }
                        }
                    }
                }
            }
            runs.push(run(&side.to_string(), "1", scores));
        }
        for over in [None, Some(SamplingUnit::Tasks), Some(SamplingUnit::Samples)] {
            seen += no_interval_is_a_point(&serde_json::to_value(build_report(&runs, over)).expect("JSON"), "report");
            let paired = compare_runs(&runs[0], &runs[1], over).expect("comparable");
            seen += no_interval_is_a_point(&serde_json::to_value(&paired).expect("JSON"), "paired");
            let mut other = runs[1].clone();
            other.info.bundle.sha256 = "2".to_owned();
            let two = compare_runs(&runs[0], &other, over).expect("comparable");
            seen += no_interval_is_a_point(&serde_json::to_value(&two).expect("JSON"), "two samples");
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn c2_six_pairs_that_differ_alike() {
    let home = create_folder(&[]);
    let scores = |right: bool| (1..=6).map(|sample| score("t", None, "reply", sample, 1, right)).collect();
    for (name, right) in [("bad", false), ("good", true)] {
        fixtures::write(&home.path().join(name), &run(name, "c0ffee", scores(right)), "x");
    }
    let said = expect_success(home.path(), &["compare", "bad", "good"]);
    // Tango: (6 − z²) / (6 + z²).
    assert!(said.starts_with("good is better than bad by 100.0 points (21.9 to 100.0), p 0.031."), "{said}");
}

/// Two variants of 12 samples each; the second takes twice the tokens and one round more, and says nothing of its SQL.
fn two_arms(name: &str) -> RunData {
    let mut scores = Vec::new();
    for (variant, times) in [("schema", 1), ("none", 2)] {
        for sample in 1..=12u32 {
            let mut one = score("q", Some(variant), "reply", sample, 1, true);
            one.rounds = Some(2 + sample % 3 + (times - 1));
            one.prompt_tokens = Some(u64::from(times * (1000 + sample * 17)));
            one.wall_ms = Some(u64::from(times * (500 + (sample * 7919) % 101)));
            one.sql_retries = (times == 1).then_some(sample % 2);
            scores.push(one);
        }
    }
    run(name, "1", scores)
}

#[test]
fn c3_arms_are_compared_on_what_they_cost() {
    let told = serde_json::to_value(build_report(&[two_arms("r")], None)).expect("JSON");
    let costs: BTreeMap<&str, &Json> = told["runs"][0]["costs"]
        .as_array()
        .expect("costs")
        .iter()
        .map(|cost| (cost["what"].as_str().expect("a word"), cost))
        .collect();
    for what in ["rounds", "prompt_tokens", "wall_ms"] {
        let cost = costs[what];
        assert!(cost["whole"].is_null() && cost["tasks"]["q"].is_null(), "{what} is pooled: {cost}");
        let arms = cost["arms"][0]["arms"].as_array().expect("arms");
        assert_eq!((&arms[0]["name"], &arms[1]["name"]), (&json!("schema"), &json!("none")), "{what}");
        assert_eq!(arms[0]["against"], Json::Null);
        let against = &arms[1]["against"];
        assert_eq!((&against["arm"], &against["pairs"]), (&json!("schema"), &json!(12)));
        // All twelve signs are the same: 2 / 2^12.
        assert!((against["p"].as_f64().expect("p") - 2.0 / 4096.0).abs() < 1e-12, "{against}");
        for spread in ["mean", "median", "p95"] {
            assert!(arms[1]["spread"][spread].as_f64() > arms[0]["spread"][spread].as_f64(), "{what} {spread}");
        }
    }
    // One round more in every sample: no spread, so no interval. Twice the tokens: 1000 and 17 times the mean number of a sample.
    assert!(costs["rounds"]["arms"][0]["arms"][1]["against"]["interval"].is_null());
    let tokens = &costs["prompt_tokens"]["arms"][0]["arms"][1]["against"];
    assert!((tokens["difference"].as_f64().expect("a number") - 1110.5).abs() < 1e-9);
    assert!(tokens["interval"]["low"].as_f64() < Some(1110.5) && tokens["interval"]["high"].as_f64() > Some(1110.5));
    // What an arm does not tell is not 0.
    let silent = &costs["sql_retries"]["arms"][0]["arms"][1];
    assert_eq!((&silent["spread"], &silent["against"]), (&Json::Null, &Json::Null));
}

#[test]
fn c3_every_form_of_the_report_has_the_arms() {
    let home = create_folder(&[]);
    for name in ["one", "two"] {
        fixtures::write(&home.path().join(name), &two_arms(name), "x");
    }
    let plain = expect_success(home.path(), &["report", "one", "--all"]);
    let row = |text: &str, begin: &str| {
        let found = text.lines().find(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(begin));
        found.unwrap_or_else(|| panic!("{begin}: {text}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(plain.contains("Tokens read: q\n"), "{plain}");
    assert!(row(&plain, "none 12 2221.00").contains("schema 12 +1110.50 +"), "{plain}");
    assert!(row(&plain, "none - - - -").ends_with("- - - - -"), "{plain}");
    assert!(row(&plain, "none 12 4.00").contains("+1.00 - < 0.001"), "{plain}");
    let marked = expect_success(home.path(), &["report", "one", "two", "--markdown"]);
    assert!(marked.contains("## Tokens read: q") && marked.contains("| none | two | 12 | 2221.00 |"), "{marked}");
    expect_success(home.path(), &["report", "one", "--html", "r.html"]);
    let page = fs::read_to_string(home.path().join("r.html")).expect("written");
    assert!(page.contains("Tokens read: q") && page.contains("+1110.50"), "{page}");
}

#[test]
fn c3_values_of_an_axis_are_arms() {
    let mut scores = Vec::new();
    for (cell, size) in ["10", "100", "1000"].into_iter().enumerate() {
        for sample in 1..=8u32 {
            let mut one = score("needles", None, "reply", sample, 1, true);
            one.id = format!("needles-{size}-{sample}");
            one.axis = vec![("lines".to_owned(), size.to_owned())];
            one.wall_ms = Some(u64::from(1000 * (cell as u32 + 1) + sample * 13 % 7));
            scores.push(one);
        }
    }
    let data = run("r", "1", scores);
    let told = serde_json::to_value(build_report(std::slice::from_ref(&data), None)).expect("JSON");
    let costs = told["runs"][0]["costs"].as_array().expect("costs");
    let arms = &costs.iter().find(|cost| cost["what"] == "wall_ms").expect("times")["arms"][0];
    assert_eq!((&arms["axis"], &arms["arms"][2]["name"]), (&json!("lines"), &json!("1000")));
    let p = |at: usize| arms["arms"][at]["against"]["p"].as_f64().expect("p");
    // 2 / 2^8 each, twice that after Holm over two arms.
    assert!((p(1) - 4.0 / 256.0).abs() < 1e-12 && (p(2) - 4.0 / 256.0).abs() < 1e-12, "{arms}");
    let sections = report_tables::build_tables(&build_report(&[data], None));
    assert!(sections.iter().any(|section| section.title == "Time, ms: needles by lines"));
    // What the two runs cost is the second table: nobody is right where the other is wrong.
    assert!(tables::build_tables(&compare_runs(&two_arms("a"), &two_arms("b"), None).expect("comparable")).len() == 2);
}
