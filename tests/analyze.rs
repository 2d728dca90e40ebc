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

/// The row of a suite with one task, and the reasons against it.
fn judged(body: &str, samples: u32) -> (Row, Vec<&'static str>) {
    let plan = plan(body);
    let row = analyzed(&plan, samples, 2).remove(0);
    let reasons = analysis::verdict::find_reasons(&row).into_iter().map(|reason| reason.label()).collect();
    (row, reasons)
}

#[test]
fn the_best_constant_reply_is_that_of_the_scorer() {
    let draws = "csv hr at \"hr.csv\" { rows 200  PAY : int 30_000..90_000  AGE : int 1..9 }\n";
    for (what, reply, share) in [
        // `echo 5` is always right.
        ("number avg(hr.AGE) within 3", Some("5"), 1.0),
        ("number sum(hr.PAY) within 50%", None, 1.0),
        ("text \"<<mod(sum(hr.PAY), 97)>>\"", None, 0.0),
        ("matches \"[0-9<<mod(sum(hr.PAY), 7)>>]+\"", None, 1.0),
        ("contains one", None, 1.0),
        ("json { age: avg(hr.AGE), pay: avg(hr.PAY) } within 20%", None, 1.0),
        ("number any_of [mod(sum(hr.PAY), 2), mod(sum(hr.PAY), 2) + 1]", Some("1"), 1.0),
    ] {
        let one = "one : one_of [\"Ulm\", \"Bonn\", \"Kiel\", \"Jena\", \"Trier\", \"Mainz\", \"Köln\", \"Essen\", \"Aue\", \"Hof\"]\n";
        let (row, reasons) = judged(&format!("{one}{draws}prompt \"<<one>> <<hr>>?\"\nexpect reply {what}"), 100);
        let best = row.trials.best.as_ref();
        assert_eq!(row.guess_share() >= 0.2, share > 0.0, "{what}: {best:?}");
        if share > 0.0 {
            assert_eq!(row.guess_share(), share, "{what}: {best:?}");
            assert!(reasons.iter().any(|reason| matches!(*reason, "shortcut" | "guessable")), "{what}: {reasons:?}");
        }
        if let Some(reply) = reply {
            assert_eq!(best.map(|best| best.name.as_str()), Some(reply), "{what}");
        }
    }
}

#[test]
fn files_and_several_answers_are_guessed_together() {
    let (row, reasons) = judged(
        "a : int 1..50\nb : int 100..900\nprompt \"Write <<a>> to a.txt and say <<b>>\"\n\
         expect file \"a.txt\" number a within 30\nexpect reply number b within 500",
        200,
    );
    assert_eq!(row.guess_share(), 1.0, "{:?}", row.trials.best);
    assert_eq!(reasons, ["shortcut", "too small"]);
    // The state of a file is no text to guess.
    let (row, _) = judged(
        "a : int 1..5\ntext t at \"t.txt\" = \"<<a>>\"\nprompt \"Copy <<t>> to u.txt\"\nexpect file \"u.txt\" bytes t",
        60,
    );
    assert!(row.trials.best.is_none());
}

#[test]
fn shortcuts_are_told_from_questions() {
    let table = "csv hr at \"hr.csv\" { rows 9..60  PAY : int 30_000..90_000  DONE : bool 3% }\n";
    let of = |body: &str| {
        let (row, reasons) = judged(&format!("{table}{body}"), 100);
        (row.trials.shortcuts.iter().map(|one| one.name.clone()).collect::<Vec<_>>(), reasons)
    };
    // Most files have no row that the filter leaves out.
    let (names, reasons) =
        of("prompt \"Sum of PAY not done in <<hr>>?\"\nexpect reply number coalesce(sum(hr.PAY where not DONE), 0)");
    assert_eq!((names, reasons), (vec!["the sum of `hr.PAY`".to_owned()], vec!["shortcut"]));
    // The question itself is not a shortcut, also if a draw chooses it.
    assert_eq!(of("prompt \"Sum of PAY in <<hr>>?\"\nexpect reply number sum(hr.PAY)"), (vec![], vec![]));
    let drawn = "how : one_of [\"sum\", \"largest\"]\nprompt \"<<how>> of PAY in <<hr>>?\"\n\
                 expect reply number if how == \"sum\" then sum(hr.PAY) else max(hr.PAY)";
    assert_eq!(of(drawn), (vec![], vec![]));
}

#[test]
fn misreadings_that_the_data_does_not_test_are_told() {
    let of = |body: &str| {
        let (row, _) = judged(body, 60);
        row.trials.misreadings.into_iter().map(|one| (one.name, one.differs, one.of, one.open)).collect::<Vec<_>>()
    };
    let table = "csv hr at \"hr.csv\" { rows 50  AGE : int 1..9  PAY : int 30_000..90_000 blank 10% }\n";
    let told = of(&format!(
        "{table}n = 3\ntotal = coalesce(sum(hr.PAY where AGE > n and PAY > 29_000), 0)\nprompt \"<<hr>> <<n>>\"\nexpect reply number total"
    ));
    let differs = |name: &str| told.iter().find(|one| one.0 == name).unwrap_or_else(|| panic!("{name}: {told:?}")).1;
    // No pay is so low that the second condition could matter.
    assert_eq!(differs("`PAY > 29000` read as `PAY >= 29000`"), 0);
    assert_eq!((differs("`AGE > n` read as `AGE >= n`"), differs("`AGE > n` left out")), (60, 60));
    assert_eq!(differs("`sum` read as `avg`"), 60);
    let told = of(&format!("{table}prompt \"<<hr>>\"\nexpect reply number coalesce(avg(hr.PAY), 0)"));
    assert!(told.iter().any(|one| one.0 == "missing values of `PAY` read as 0" && one.1 > 50), "{told:?}");
    let told = of(&format!(
        "{table}prompt \"How many in <<hr>> are between 3 and 5?\"\nexpect reply number <<value: SELECT COUNT(*) FROM hr WHERE AGE BETWEEN 3 AND 5>>"
    ));
    let ends = told.iter().find(|one| one.0 == "`AGE BETWEEN 3 AND 5` read without its ends").expect("told");
    assert!(ends.1 > 50 && ends.3 == ends.1, "{told:?}");
    assert!(told.iter().any(|one| one.0 == "`AGE BETWEEN 3 AND 5` left out"), "{told:?}");
}

#[test]
fn difficulty_is_measured() {
    let (row, _) = judged(
        "csv a at \"a.csv\" { rows 40  K : int 1..9  N : int 1_000..2_000 }\ncsv b at \"b.csv\" { rows 10  K : serial }\n\
         prompt \"<<a>> <<b>>\"\nexpect reply number coalesce(<<value: SELECT SUM(N) FROM a JOIN b ON a.K = b.K WHERE a.N > 1100 AND b.K < 9>>, 0)",
        60,
    );
    let found = row.trials.difficulty;
    assert_eq!((found.rows, found.filters, found.joins), (50.0, 2, 1));
    assert!(found.magnitude.is_some_and(|size| (3.5..5.0).contains(&size)) && found.nearest.is_some(), "{found:?}");
}
