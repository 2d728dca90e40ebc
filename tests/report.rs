//! `report` and `compare` from outside, over runs made from counts; and their statistics against statsmodels and scipy.
//!
//! Without `python3`, or where the two packages cannot be had, that test says that it skips.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use report::{RunData, Verification};
use serde_json::{Value as Json, json};
use statistics::Z;
use statistics::bootstrap;
use statistics::clustered::{Cluster, compute_mean, compute_share_interval, compute_standard_error};
use statistics::exact_tests::{compute_fisher_p, compute_mcnemar_p};
use statistics::means::compute_mean_interval;
use statistics::multiple_testing::adjust_by_holm;
use statistics::paired::compute_tango_interval;
use statistics::permutation_test::compute_sign_flip_p;
use statistics::proportion::{compute_newcombe_interval, compute_wilson_interval};
use statistics::sample_size::find_pairs_for;
use statistics::special::compute_t_quantile;
use testing::{CommandOutput, STATISTICS, expect_status, root};

#[path = "../harness/report/tests/fixtures/mod.rs"]
pub mod fixtures;

use fixtures::{TABLE_7, failure_modes, samples};

/// A folder with the runs `good` (20/20, 18/20) and `bad` (20/20, 5/20) of one bundle.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("temp");
    for (name, right) in [("good", 18), ("bad", 5)] {
        let scores = [samples("a", None, "reply", 20, 20), samples("b", None, "reply", right, 20)].concat();
        fixtures::write(&home.path().join(name), &fixtures::run(name, "c0ffee", scores), "about 12");
    }
    let path = home.path().to_owned();
    (home, path)
}

#[test]
fn tables_on_the_terminal_and_in_markdown() {
    let (_home, home) = home();
    let plain = expect_status(0, &home, &["report", "good"]);
    assert!(plain.out.contains("good     95.0%"), "{}", plain.out);
    assert_eq!(plain.err, "");
    let all = expect_status(0, &home, &["report", "good", "--all"]);
    assert!(all.out.lines().count() > plain.out.lines().count(), "{}", all.out);
    let markdown = expect_status(0, &home, &["report", "good", "--markdown"]).out;
    for title in markdown.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(all.out.contains(title), "{title}: {}", all.out);
    }
    let markdown = expect_status(0, &home, &["report", "good", "bad", "--markdown"]);
    assert!(
        markdown.out.starts_with("# desk 1.0.0: Order desk\n\n## Overall\n\n| run | accuracy | 95% CI, samples |"),
        "{}",
        markdown.out
    );
    assert!(markdown.out.contains("| b | 90.0% (69.9–97.2) | 25.0% (11.2–46.9) |"), "{}", markdown.out);
}

/// However many tasks, tags, and matchers there are, three runs fit on about a screen; and the first lines say the most.
#[test]
fn a_terminal_gets_a_summary_of_about_a_screen() {
    for tasks in [1, 3, 12, 13, 40] {
        let home = tempfile::tempdir().expect("temp");
        for (name, right) in [("one", 3), ("two", 2), ("three", 0)] {
            let scores: Vec<_> =
                (0..tasks).flat_map(|task| samples(&format!("t{task}"), None, "reply", right, 3)).collect();
            fixtures::write(&home.path().join(name), &fixtures::run(name, "c0ffee", scores), "about 12");
        }
        let report =
            |more: &[&str]| expect_status(0, home.path(), &[&["report", "one", "two", "three"], more].concat()).out;
        let (plain, all) = (report(&[]), report(&["--all"]));
        assert!(plain.lines().count() <= 42, "{tasks} tasks: {} lines\n{plain}", plain.lines().count());
        assert!(plain.starts_with("Overall\n"), "{plain}");
        assert!(plain.trim_end().ends_with("--html FILE."), "{plain}");
        assert_eq!(plain.contains("more rows: --all"), tasks > 13, "{plain}");
        assert!(all.contains("t0") && all.contains(&format!("t{}", tasks - 1)) && !all.contains("--all"), "{all}");
    }
    let (_home, home) = home();
    assert!(expect_status(2, &home, &["report", "good", "--all", "--json"]).err.contains("cannot be used with"));
}

#[test]
fn json_has_what_the_tables_have() {
    let (_home, home) = home();
    let ran = expect_status(0, &home, &["report", "good", "--json"]);
    let json: Json = serde_json::from_str(&ran.out).expect("JSON");
    let run = &json["runs"][0];
    assert_eq!(
        (&run["whole"]["correct"], &run["whole"]["of"], &run["whole"]["accuracy"]),
        (&json!(38), &json!(40), &json!(0.95))
    );
    assert_eq!(run["tasks"][1]["name"], "b");
    assert_eq!(run["failures"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["statuses"], json!({"done": 40, "max_rounds": 0, "timeout": 0, "failed": 0, "missing": 0}));
    assert_eq!(ran.out, expect_status(0, &home, &["report", "good", "--json"]).out);
}

#[test]
fn the_papers_models_side_by_side() {
    let home = tempfile::tempdir().expect("temp");
    let mut args = vec!["report".to_owned(), "--all".to_owned()];
    for (model, counts) in TABLE_7 {
        fixtures::write(&home.path().join(model), &failure_modes(model, counts), "x");
        args.push(model.to_owned());
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = expect_status(0, home.path(), &args);
    let row = "Amazon Nova Premier 100.0% 12.5% 56.3% direct output";
    let found = ran.out.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") == row);
    assert!(found, "{}", ran.out);
}

#[test]
fn files_are_written_whole() {
    let (_home, home) = home();
    expect_status(0, &home, &["report", "good", "bad", "--html", "r.html", "--junit", "r.xml"]);
    let html = fs::read_to_string(home.join("r.html")).expect("written");
    assert!(html.ends_with("</html>\n") && html.contains("How many of b-19? Reply with the number only."));
    let junit = fs::read_to_string(home.join("r.xml")).expect("written");
    assert!(junit.contains(r#"<testsuites tests="80" failures="17" errors="0""#), "{junit}");
    let wrong = expect_status(3, &home, &["report", "good", "--html", "no/such/r.html"]);
    assert!(wrong.err.contains("cannot write `no/such/r.html`"), "{}", wrong.err);
    let mut names: Vec<_> = fs::read_dir(&home).expect("read").map(|entry| entry.expect("entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["bad", "good", "r.html", "r.xml"]);
}

#[test]
fn a_gate_holds_the_lower_end() {
    let (_home, home) = home();
    expect_status(0, &home, &["report", "good", "--fail-under", "80"]);
    let ran = expect_status(1, &home, &["report", "good", "--fail-under", "90"]);
    assert!(
        ran.err.contains("good: 95.0% (95% CI ") && ran.err.contains("is below 90% at its lower end"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("more samples make the interval narrower"), "{}", ran.err);
    let both = expect_status(1, &home, &["report", "good", "bad", "--fail-under", "80"]);
    assert!(both.err.contains("bad: 62.5%") && !both.err.contains("good:"), "{}", both.err);
    expect_status(2, &home, &["report", "good", "--fail-under", "101"]);
    // Over tasks two are too few, and it says what the other interval is.
    let over = expect_status(1, &home, &["report", "good", "--fail-under", "80", "--over", "tasks"]);
    assert!(over.err.contains("use `--over samples` for that one"), "{}", over.err);
}

#[test]
fn what_is_not_scored_is_refused_with_advice() {
    let (_home, home) = home();
    let score = home.join("good/scores.jsonl");
    let whole = fs::read_to_string(&score).expect("read");
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(&score, format!("{}\n", lines[..39].join("\n"))).expect("written");
    let short = expect_status(2, &home, &["report", "good"]);
    assert!(short.err.contains("has 39 of the 40 lines that `run.json` promises"), "{}", short.err);
    assert!(short.err.contains("help: run `picardc score BUNDLE good`"), "{}", short.err);
    fs::write(&score, format!("{whole}{}\n", lines[0])).expect("written");
    assert!(expect_status(2, &home, &["report", "good"]).err.contains("has two lines for `a-1`, trial 1"));
    fs::remove_file(&score).expect("removed");
    let none = expect_status(2, &home, &["compare", "good", "bad"]);
    assert!(
        none.err.contains("its responses have not been scored") && none.err.contains("picardc score BUNDLE good"),
        "{}",
        none.err
    );
    let nothing = expect_status(2, &home, &["report", "nowhere"]);
    assert!(nothing.err.contains("give a folder that `picardc run … -o` wrote"), "{}", nothing.err);
}

#[test]
fn responses_that_came_later_are_told() {
    let (_home, home) = home();
    let path = home.join("bad/scores.jsonl");
    let text = fs::read_to_string(&path).expect("read");
    let (first, rest) = text.split_once('\n').expect("lines");
    let mut score: Json = serde_json::from_str(first).expect("JSON");
    (score["status"], score["correct"], score["score"]) = (json!("missing"), json!(false), json!(0.0));
    for verdict in score["verdicts"].as_array_mut().expect("verdicts") {
        (verdict["score"], verdict["reason"]) = (json!(0.0), json!("no_response"));
    }
    fs::write(&path, format!("{score}\n{rest}")).expect("written");
    let ran = expect_status(0, &home, &["report", "bad"]);
    assert!(ran.err.contains("warning: bad: 1 response has come since it was scored"), "{}", ran.err);
}

#[test]
fn a_pair_of_runs() {
    let (_home, home) = home();
    let ran = expect_status(0, &home, &["compare", "bad", "good"]);
    assert!(ran.out.starts_with("good is better than bad by 32.5 points ("), "{}", ran.out);
    let json: Json =
        serde_json::from_str(&expect_status(0, &home, &["compare", "bad", "good", "--json"]).out).expect("JSON");
    assert_eq!(
        (&json["design"], &json["verdict"], &json["whole"]["only_b"]),
        (&json!("paired"), &json!("b_better"), &json!(13))
    );
    assert_eq!(json["discordant"].as_array().map(Vec::len), Some(13));
    let markdown = expect_status(0, &home, &["compare", "bad", "good", "--markdown"]);
    assert!(markdown.out.starts_with("# good against bad\n\ngood is better"), "{}", markdown.out);
    let same = expect_status(0, &home, &["compare", "bad", "bad"]);
    assert!(same.out.contains("no significant difference"), "{}", same.out);
}

/// Small numbers that look like chance, the same everywhere.
/// Finding X6: `compare` always ended with 0. Runs of `of` instances of which A has `a` right and B `b`, each time the first ones, so that all that differ
/// differ in one direction; and whether B is worse is what Tango's interval of these counts says.
#[test]
fn compare_fails_if_the_second_run_is_worse() {
    let home = tempfile::tempdir().expect("temp");
    let home = home.path();
    let write = |name: &str, bundle: &str, right: u32, of: u32| {
        fixtures::write(
            &home.join(name),
            &fixtures::run(name, bundle, samples("a", None, "reply", right, of)),
            "about 12",
        );
    };
    let mut ends = [0, 0];
    for (of, a, b) in [
        (20, 18, 5),
        (20, 5, 18),
        (20, 18, 18),
        (20, 18, 17),
        (20, 18, 14),
        (20, 20, 15),
        (20, 20, 0),
        (60, 57, 51),
        (60, 57, 50),
        (200, 160, 152),
        (200, 160, 154),
        (200, 160, 159),
    ] {
        write("a", "c0ffee", a, of);
        write("b", "c0ffee", b, of);
        let (won, lost) = (b.saturating_sub(a), a.saturating_sub(b));
        let high = compute_tango_interval(f64::from(won), f64::from(lost), f64::from(of), Z).high;
        for margin in [None, Some(0.0), Some(1.0), Some(2.5), Some(20.0), Some(60.0), Some(100.0)] {
            let flags = margin.map(|margin| ["--margin".to_owned(), margin.to_string()]);
            let flags: Vec<&str> = flags.iter().flatten().map(String::as_str).collect();
            let worse = high < -margin.unwrap_or(0.0) / 100.0;
            let ran = expect_status(
                i32::from(worse),
                home,
                &[&["compare", "a", "b", "--fail-if", "worse"][..], &flags[..]].concat(),
            );
            ends[usize::from(worse)] += 1;
            assert_eq!(ran.err.contains("error: b is worse than a by "), worse, "{of} {a} {b} {margin:?}: {}", ran.err);
            assert!(ran.out.contains("Difference"), "the tables are printed all the same");
        }
        assert_eq!(expect_status(0, home, &["compare", "a", "b"]).err, "");
    }
    assert!(ends[0] > 20 && ends[1] > 10, "{ends:?}");
    // JSON and Markdown end the same way, and runs of other bundles are compared as two samples.
    write("a", "c0ffee", 18, 20);
    write("b", "c0ffee", 5, 20);
    write("c", "facade", 5, 20);
    let json = expect_status(1, home, &["compare", "a", "b", "--json", "--fail-if", "worse"]);
    assert!(serde_json::from_str::<Json>(&json.out).is_ok());
    expect_status(1, home, &["compare", "a", "b", "--markdown", "--fail-if", "worse"]);
    let other = expect_status(1, home, &["compare", "a", "c", "--fail-if", "worse", "--margin", "5"]);
    assert!(
        other.err.contains("c is worse than a by 65.0 points (95% CI ") && other.err.contains("--margin allows 5"),
        "{}",
        other.err
    );
    expect_status(0, home, &["compare", "c", "a", "--fail-if", "worse"]);
    for flags in [
        &["--margin", "2"][..],
        &["--fail-if", "better"],
        &["--fail-if", "worse", "--margin", "101"],
        &["--fail-if", "worse", "--margin", "-1"],
    ] {
        expect_status(2, home, &[&["compare", "a", "b"][..], flags].concat());
    }
}

fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

fn cases() -> Vec<Json> {
    let mut next = numbers(7);
    let mut cases = Vec::new();
    for _ in 0..300 {
        let (n, m) = (1 + next(300), 1 + next(300));
        let (a, b) = (next(n + 1), next(m + 1));
        let interval = compute_wilson_interval(a, n);
        cases.push(json!({"check": "wilson", "times": a, "n": n, "interval": [interval.low, interval.high]}));
        let interval = compute_newcombe_interval((a, n), (b, m));
        cases.push(
            json!({"check": "newcombe", "first": [a, n], "second": [b, m], "interval": [interval.low, interval.high]}),
        );
        cases
            .push(json!({"check": "fisher", "first": [a, n], "second": [b, m], "p": compute_fisher_p((a, n), (b, m))}));
        cases.push(json!({"check": "mcnemar_exact", "first": a, "second": b, "p": compute_mcnemar_p(a, b)}));
        let p: Vec<f64> = (0..1 + next(9)).map(|_| next(1000) as f64 / 1000.0).collect();
        cases.push(json!({"check": "holm", "values": p, "adjusted": adjust_by_holm(&p)}));
    }
    for freedom in (1..=40).chain([99, 250, 999]) {
        cases.push(json!({"check": "student", "freedom": freedom, "quantile": compute_t_quantile(freedom)}));
    }
    for _ in 0..60 {
        let count = 2 + next(12);
        let clusters: Vec<Vec<u64>> =
            (0..count).map(|_| (0..1 + next(25)).map(|_| u64::from(next(3) > 0)).collect()).collect();
        let summed: Vec<Cluster> = clusters
            .iter()
            .map(|values| Cluster { sum: values.iter().sum::<u64>() as f64, n: values.len() as u64 })
            .collect();
        let (error, mean) = (compute_standard_error(&summed), compute_mean(&summed));
        cases.push(json!({"check": "clustered", "clusters": clusters, "error": error, "mean": mean}));
        let interval = compute_share_interval(&summed);
        cases.push(json!({"check": "share", "clusters": clusters, "interval": [interval.low, interval.high]}));
        let differences: Vec<i64> = (0..2 + next(6)).map(|_| next(9) as i64 - 3).collect();
        cases.push(json!({"check": "sign_flip", "differences": differences, "p": compute_sign_flip_p(&differences).0}));
    }
    for (won, lost, same) in [(0, 0, 9), (6, 0, 0), (0, 1, 0), (1, 0, 43), (7, 25, 18), (3, 3, 0)]
        .into_iter()
        .chain((0..60).map(|_| (next(40), next(40), 1 + next(60))))
    {
        let n = won + lost + same;
        let interval = compute_tango_interval(won as f64, lost as f64, n as f64, Z);
        cases.push(
            json!({"check": "tango", "won": won, "lost": lost, "n": n, "interval": [interval.low, interval.high]}),
        );
    }
    for _ in 0..60 {
        let values: Vec<u64> = (0..2 + next(30)).map(|_| next(5_000)).collect();
        let each: Vec<Cluster> = values.iter().map(|value| Cluster { sum: *value as f64, n: 1 }).collect();
        let interval = compute_mean_interval(&each).expect("values that differ");
        cases.push(json!({"check": "student_mean", "values": values, "interval": [interval.low, interval.high]}));
        let many: Vec<u64> = (0..40 + next(200)).map(|_| next(5_000)).collect();
        let each: Vec<Cluster> = many.iter().map(|value| Cluster { sum: *value as f64, n: 1 }).collect();
        let drawn = bootstrap::compute_mean_interval(&each).expect("values that differ");
        cases.push(json!({"check": "bootstrap_scipy", "values": many, "interval": [drawn.low, drawn.high]}));
        let discordant = (1 + next(60)) as f64 / 100.0;
        let difference = discordant * (1 + next(9)) as f64 / 10.0;
        let pairs = find_pairs_for(difference, discordant).expect("few enough");
        cases
            .push(json!({"check": "pairs_needed", "difference": difference, "discordant": discordant, "pairs": pairs}));
    }
    for at in 0..40 {
        // Six are the fewest that are resampled, and more have too many draws to go through all of them.
        let count = if at % 20 == 0 { 6 } else { 2 + next(4) };
        let pairs: Vec<Vec<(u64, u64)>> =
            (0..count).map(|_| (0..1 + next(4)).map(|_| (next(90), next(90))).collect()).collect();
        let seconds: Vec<Vec<u64>> = pairs.iter().map(|pairs| pairs.iter().map(|pair| pair.1).collect()).collect();
        let summed: Vec<Cluster> = seconds
            .iter()
            .map(|values| Cluster { sum: values.iter().sum::<u64>() as f64, n: values.len() as u64 })
            .collect();
        let exact: Vec<Vec<(f64, f64)>> =
            pairs.iter().map(|pairs| pairs.iter().map(|(a, b)| (*a as f64, *b as f64)).collect()).collect();
        for (check, clusters, interval) in [
            (
                if count < 6 { "clustered_mean" } else { "bootstrap_mean" },
                json!(seconds),
                bootstrap::compute_mean_interval(&summed),
            ),
            ("bootstrap_median", json!(pairs), bootstrap::compute_median_interval(&exact)),
        ] {
            // None where all draws give the same, and for medians of few clusters.
            let Some(ends) = interval else { continue };
            cases.push(json!({"check": check, "clusters": clusters, "interval": [ends.low, ends.high]}));
        }
    }
    cases
}

#[test]
fn statistics_agree_with_statsmodels_and_scipy() {
    let Some(interpreter) = STATISTICS.find_interpreter_or_skip("what statsmodels and SciPy say") else { return };
    let mut child = Command::new(interpreter)
        .arg(root().join("tests/python/report_statistics.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let lines: String = cases().iter().map(|case| format!("{case}\n")).collect();
    let mut input = child.stdin.take().expect("piped");
    // Written beside the reading, so that neither waits for the other.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = CommandOutput::from(child.wait_with_output().expect("ended"));
    writer.join().expect("no panic").expect("written");
    assert!(output.status.success(), "{}", output.join_output());
    assert!(output.join_output().contains(" compared, 0 wrong"), "{}", output.join_output());
}

#[test]
fn what_is_written_is_read_again() {
    let (_home, home) = home();
    let run = RunData::read_run(&home.join("good"), "good".to_owned(), Verification::Required).expect("read");
    assert_eq!((run.scores.len(), run.warnings.len()), (40, 0));
}
