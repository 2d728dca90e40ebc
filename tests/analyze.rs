//! `picardc analyze`: counts and entropies against brute force over tiny tasks, and the whole report of a suite that ships.

use std::collections::BTreeSet;

use analysis::RunOptions;
use analysis::count::{Count, count_instances};
use analysis::measure::measure_instances;
use analysis::row::{Row, build_rows};
use model::Plan;
use proptest::prelude::*;
use runtime::generate::{Generator, Options};

/// Compiles a task's body.
fn plan(body: &str) -> Plan {
    let text = testing::build_suite_source("samples 5", body);
    let compiled = testing::compile_text(&text);
    compiled.plan.unwrap_or_else(|| {
        let said: Vec<_> = compiled.diagnostics.iter().map(|said| said.message.clone()).collect();
        panic!("{said:?}\n{text}")
    })
}

fn generator(plan: &Plan, samples: u32) -> Generator<'_> {
    let options = Options { samples: Some(samples), ..Options::new("1") };
    Generator::new(plan, options).expect("a task")
}

/// How many different prompts and files there are: at least `wanted`, if so many come in a reasonable time, and more if they come soon after.
fn seen(plan: &Plan, wanted: usize) -> usize {
    const MAX_INSTANCES: u32 = 40_000;
    const AFTER: u64 = 1_000;
    let generator = generator(plan, MAX_INSTANCES);
    let (mut found, mut last_new) = (BTreeSet::new(), 0);
    for index in 0..generator.count_instances() {
        let instance = generator.generate_instance(generator.resolve_address(index).expect("there")).expect("made");
        let files: Vec<_> = instance.files.iter().map(|file| (file.path.clone(), file.bytes.to_vec())).collect();
        if found.insert((instance.prompt, files)) {
            last_new = index;
        }
        if found.len() >= wanted && index > last_new + AFTER {
            break;
        }
    }
    found.len()
}

/// 10 to that power.
fn number(log: f64) -> usize {
    10f64.powf(log).round() as usize
}

fn counted(plan: &Plan) -> Count {
    count_instances(plan, &plan.tasks[0], &[], 1.0)
}

/// What analysis tells, without what samples alone tell of the count.
fn analyzed(plan: &Plan, samples: u32, threads: usize) -> Vec<Row> {
    let generator = generator(plan, samples);
    let (seen, same) = measure_instances(&generator, RunOptions { threads, ..RunOptions::ALONE }).expect("made");
    build_rows(plan, &generator.list_sample_counts(), &seen, &same)
}

/// A column of few values.
fn column() -> impl Strategy<Value = String> {
    let n = 1i64..4;
    prop_oneof![
        n.clone().prop_map(|n| format!("int 0..{n}")),
        n.clone().prop_map(|n| format!("unique int 0..{n}")),
        n.clone().prop_map(|n| format!("sorted int 0..{n}")),
        n.clone().prop_map(|n| format!("unique sorted int 1..{}", n + 1)),
        n.clone().prop_map(|n| format!("int 0..{n} blank 40%")),
        n.prop_map(|n| format!("int 0..{n} except 0")),
        Just("bool 30%".to_owned()),
        Just("weighted [\"a\": 3, \"b\": 2]".to_owned()),
        Just("serial".to_owned()),
        Just("pattern \"[ab][xy]?\"".to_owned()),
    ]
}

fn close(log: f64, number: usize) -> bool {
    (log - (number as f64).log10()).abs() < 1e-6
}

proptest! {
    // Each case draws thousands of samples. Nothing is to be left behind by a failure: its input is printed.
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every column alone, its rows fixed or drawn: the count is exact, and brute force finds it.
    #[test]
    fn tables_are_counted(first in column(), second in column(), low in 1u32..3, more in 0u32..2) {
        let rows = if more == 0 { low.to_string() } else { format!("{low}..{}", low + more) };
        // Drawn row counts and a domain of just as many: too few for the most rows is an error of the source.
        prop_assume!(!(low + more > 2 && (first.contains("unique") || second.contains("unique"))));
        let plan = plan(&format!(
            "csv c at \"c.csv\" {{\n rows {rows}\n A : {first}\n B : {second}\n}}\nprompt \"Count <<c>>\"\nexpect reply number count(c)"
        ));
        let count = counted(&plan);
        prop_assert!(count.is_exact(), "{count:?}");
        prop_assume!(count.least < 2.0);
        let found = seen(&plan, number(count.least));
        prop_assert!(close(count.least, found), "{count:?}, seen {found}");
    }

    /// Names in prompts and paths, alone, distinct, and where texts around them may be taken for them.
    #[test]
    fn names_are_counted(a in 1i64..4, b in 2i64..5, between in "[ .0-]{0,2}", n in 0usize..3) {
        let plan = plan(&format!(
            "a : int 0..{a}\nb, c : distinct int 0..{b}\nd = \"<<a>>{between}<<b>>\"\ntext f at \"f-<<c>>.txt\" : one_of [\"x\", \"y\"]\n\
             prompt \"{}\"\nexpect reply number a",
            ["Say <<d>>", "Say <<a>>{between}<<b>> of <<f>>", "Say <<upper(d)>>, <<b>>"][n].replace("{between}", &between)
        ));
        let count = counted(&plan);
        let most = count.most.expect("all is closed");
        let found = seen(&plan, number(count.least));
        prop_assert!(most < 2.3);
        prop_assert!(10f64.powf(count.least) <= found as f64 + 1e-6 && found as f64 <= 10f64.powf(most) + 1e-6, "{count:?}, seen {found}");
        prop_assert!(!count.is_exact() || close(most, found));
    }

    /// `require` leaves a bound, which brute force never contradicts.
    #[test]
    fn conditions_are_bounded(a in 2i64..8, b in 2i64..8, least in 1i64..4) {
        let plan = plan(&format!(
            "a : int 0..{a}\nb : int 0..{b}\nrequire a + b >= {least}\nprompt \"<<a>> and <<b>>\"\nexpect reply number a + b"
        ));
        let row = &analyzed(&plan, 3000, 2)[0];
        prop_assert!(!row.count.is_exact());
        let there = (0..=a).flat_map(|a| (0..=b).map(move |b| a + b)).filter(|sum| *sum >= least).count();
        let share = there as f64 / ((a + 1) * (b + 1)) as f64;
        // With the true share it is no estimate; samples know the share to within some hundredths.
        let sure = count_instances(&plan, &plan.tasks[0], &[], share);
        prop_assert!(10f64.powf(sure.least) <= there as f64 + 1e-6, "{sure:?} {there}");
        prop_assert!(10f64.powf(row.count.least) <= there as f64 * 1.1, "{:?} {there}", row.count);
        prop_assert!((row.acceptance.expect("conditional") - share).abs() < 0.05);
    }

    /// A uniform answer has the entropy of its domain, however many threads made it.
    #[test]
    fn answers_have_their_entropy(n in 1i64..64) {
        let plan = plan(&format!("a : int 1..{n}\nprompt \"Say <<a>>\"\nexpect reply number a"));
        let row = &analyzed(&plan, 2000, 1)[0];
        prop_assert!((row.entropy - (n as f64).log2()).abs() < 0.05, "{} {}", row.entropy, (n as f64).log2());
        prop_assert_eq!(row.answers, n as u64);
        prop_assert!(row.count.is_exact() && close(row.count.least, n as usize));
        prop_assert_eq!(row.duplicates, 2000 - n as u64);
        let more = &analyzed(&plan, 2000, 3)[0];
        prop_assert_eq!((more.entropy.to_bits(), &more.commonest), (row.entropy.to_bits(), &row.commonest));
    }
}

#[test]
fn columns_of_one_statement_and_references_are_counted() {
    for (table, wanted) in [
        ("rows 2\n A, B : distinct int 1..3", 36),
        ("rows 2\n A : serial\n _H : int 1..3\n B = \"<<_H>>!\"", 9),
        ("rows 2\n A : int 1..3\n B = A * 2", 9),
    ] {
        let plan =
            plan(&format!("csv c at \"c.csv\" {{ {table} }}\nprompt \"Count <<c>>\"\nexpect reply number count(c)"));
        assert_eq!(seen(&plan, wanted), wanted, "{table}");
        assert!(counted(&plan).is_exact() && close(counted(&plan).least, wanted), "{table}: {:?}", counted(&plan));
    }
    let database = plan(
        "sqlite d at \"d.db\" {\n table p { rows 3  ID : serial  K : int 1..2 }\n table s { rows 2  P : ref p.ID }\n}\n\
         prompt \"Count <<d>>\"\nexpect reply number count(d.s)",
    );
    assert_eq!(seen(&database, 72), 72);
    assert!(counted(&database).is_exact() && close(counted(&database).least, 72), "{:?}", counted(&database));
}

#[test]
fn what_only_an_answer_depends_on_makes_no_instance_different() {
    let plan = plan("a : int 1..3\nb : int 1..100\nprompt \"Say <<a>>\"\nexpect reply number a + b");
    assert!(counted(&plan).is_exact() && close(counted(&plan).least, 3));
}

fn printed(args: &[&str], status: i32) -> String {
    testing::expect_status(status, testing::root(), args).join_output()
}

#[test]
fn the_report_of_past() {
    let of = |more: &[&str]| {
        let all = ["analyze", "suites/past.pcd", "--samples", "60", "--seed", "7"];
        printed(&[&all[..], more].concat(), 0)
    };
    let json = of(&["--json", "--threads", "1"]);
    assert!(json == of(&["--json", "--threads", "3"]));
    insta::assert_snapshot!("past_json", json);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"(?m) +[0-9.]+ ms$", "  0.10 ms");
    settings.add_filter(r"(?m) +time$", "     time");
    settings.bind(|| insta::assert_snapshot!("past_table", of(&[])));
}

#[test]
fn weak_tasks_are_denied() {
    let home = tempfile::tempdir().expect("temp");
    let path = home.path().join("weak.pcd").display().to_string();
    let task = |name: &str, body: &str| format!("task {name} {{\n{body}\n}}\n");
    let text = [
        "suite weak { title \"Weak\" version \"1.0.0\" }\n".to_owned(),
        task("fixed", "csv c at \"c.csv\" { rows 9  A : int 1..9 }\nprompt \"Count <<c>>\"\nexpect reply number count(c)"),
        task("rare", "a, b : int 1..1_000_000\nrequire mod(a, 50) == 0\nprompt \"Add <<a>> and <<b>>\"\nexpect reply number a + b"),
        task("none", "a, b : int 1..1_000_000\nt = if mod(a, 4) == 0 then \"\" else \"<<a>>\"\nprompt \"<<a>> <<b>>\"\nexpect reply json t"),
    ]
    .concat();
    std::fs::write(&path, text).expect("written");
    let json: serde_json::Value =
        serde_json::from_str(printed(&["analyze", &path, "--samples", "200", "--json"], 0).trim()).expect("JSON");
    let reasons = |at: usize| json["tasks"][at]["reasons"].to_string();
    assert_eq!(reasons(0), r#"["constant"]"#);
    assert_eq!(reasons(1), r#"["rejects_often"]"#);
    assert_eq!(reasons(2), r#"["guessable","empties"]"#);
    assert!(json.to_string().find("\"ms\"").is_none() && json["good"] == false);
    assert!(printed(&["analyze", &path, "--samples", "30", "--deny-weak"], 1).contains("rejects often"));
    let timed = printed(&["analyze", &path, "--samples", "30", "--json", "--timing"], 0);
    assert!(timed.contains("\"ms\":"));
}

#[test]
fn wrong_use_and_failing_samples() {
    for wrong in [["--samples", "29"], ["--task", "nothing*"], ["--seed", ""], ["--threads", "0"]] {
        printed(&["analyze", "tests/cli/good.pcd", wrong[0], wrong[1]], 2);
    }
    printed(&["analyze", "tests/cli/good.pcd", "--timing"], 2);
    printed(&["analyze", "tests/cli/none.pcd"], 2);
    printed(&["analyze", "tests/cli/broken.pcd"], 1);
    let failed = printed(&["analyze", "tests/cli/fails.pcd", "--seed", "7", "--threads", "3"], 1);
    assert!(failed.contains("E0902") && failed.contains("again: picardc preview"), "{failed}");
}
