//! The samples that a check draws: what they show is told once, at its place, and the same on every machine.

use std::fs;

use api::{Memory, Net, Suite};
use compiler::Compiled;
use compiler::observe::list_observations;
use serde_json::Value;
use testing::{CommandOutput, SOURCE, build_suite_source, expect_status, list_places};

/// Compiles a suite and draws up to this number of samples of each task and cell.
fn observe_with(text: &str, samples: u32) -> Compiled {
    let host = Memory::new([(SOURCE, text)]).with_observer(Net::new(samples));
    compiler::compile(SOURCE, &host)
}

/// The same with the default number of samples, for a suite of one task with this body, whose first line is line 3.
fn observe(body: &str) -> Compiled {
    observe_with(&build_suite_source("", body), Net::SAMPLES)
}

/// The codes and places of a task with this body: of what the source shows, and of what samples show in addition.
#[track_caller]
fn hold(body: &str, proved: &[&str], observed: &[&str]) {
    let compiled = observe(body);
    let of = |is_seen: bool| -> Vec<String> {
        let places = list_places(&compiled);
        let both = compiled.diagnostics.iter().zip(places);
        both.filter(|(said, _)| said.observed.is_some() == is_seen).map(|(_, place)| place).collect()
    };
    assert_eq!((of(false), of(true)), (to_texts(proved), to_texts(observed)), "{body}\n{:#?}", compiled.diagnostics);
}

fn to_texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|one| (*one).to_owned()).collect()
}

/// A task that stops if the product is 12, in about 1 of 8 samples.
const STOPS: &str = "a : int 1..4\nb : int 1..4\nprompt \"Say <<a>>, <<b>>, and how often 10 fits into their product less 4, to 2 decimals. Reply with the number only.\"\n\
                     expect reply number 10 / (a * b - 4) rounded 2";

#[test]
fn a_sample_that_stops_is_told_at_its_place() {
    let compiled = observe_with(&build_suite_source("", STOPS), 60);
    let seen: Vec<_> = compiled.diagnostics.iter().filter(|said| said.code.id == "E0903").collect();
    match seen.as_slice() {
        // Another lint may prove it one day.
        [] => assert!(compiled.diagnostics.iter().any(|said| said.code.id == "W0405"), "{:?}", compiled.diagnostics),
        [said] => {
            let at = said.observed.as_ref().expect("a sample");
            assert_eq!((at.task.as_str(), at.seed.as_str()), ("q", "check"));
            let note = said.note.as_deref().expect("a note");
            assert!(note.contains("of 60 drawn samples: task q, sample ") && note.ends_with("seed check"), "{note}");
            assert!(compiled.plan.is_none(), "a suite with errors has no plan");
        }
        more => panic!("once: {more:?}"),
    }
}

#[test]
fn a_key_that_no_answer_meets_is_told() {
    let body = "prompt \"Reply with letters and <<n>>.\"\nn : int 1..9\nexpect reply matches \"[a-z]+ <<n>>\"\nexpect reply matches \"<<n>> [a-z]+\"";
    hold(body, &[], &["E0920 at 5:1"]);
    // The same is fine if one of them is met by the other.
    let body = "n : int 1..9\nprompt \"Reply with the letter a, a blank, and <<n>>.\"\nexpect reply matches \"[a-z] <<n>>\"\nexpect reply matches \"a [0-9]\"";
    hold(body, &[], &[]);
}

#[test]
fn an_idle_agent_that_passes_is_told_and_can_be_allowed() {
    let body = "now : one_of [\"on\", \"off\"]\njson conf at \"conf.json\" { mode = now }\n\
                prompt \"In <<conf>>, set mode to on.\"\nexpect file conf json { mode: \"on\" }";
    let compiled = observe(body);
    assert_eq!(list_places(&compiled), ["W0327 at 2:6"], "{:?}", compiled.diagnostics);
    assert!(compiled.plan.is_some(), "a warning");
    for lint in ["idle_pass", "nothing_expected"] {
        let said = list_places(&observe(&format!("allow {lint} \"restraint\"\n{body}")));
        assert!(said.iter().all(|said| said.starts_with("W0102")), "{said:?}");
        assert_eq!(said.is_empty(), lint == "idle_pass", "{said:?}");
    }
}

#[test]
fn what_a_warning_explains_is_not_told_again() {
    // W0306: nothing is expected. W0405: the divisor may be 0.
    hold(
        "csv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\nprompt \"Leave <<hr>> alone.\"\nexpect file \"hr.csv\" unchanged",
        &["W0306 at 5:1"],
        &[],
    );
    hold(
        "n : int 0..3\nprompt \"12 are shared by <<n>>. How many does each get, to 2 decimals? Reply with the number only.\"\n\
         expect reply number 12 / n rounded 2",
        &["W0405 at 5:26"],
        &[],
    );
}

#[test]
fn a_suite_with_errors_is_not_drawn() {
    let compiled = observe("prompt \"Say <<a>>\"\nexpect reply text a");
    assert!(compiled.plan.is_none() && compiled.drawn.is_none());
    let compiled = testing::compile_text(&build_suite_source("", STOPS));
    assert!(compiled.plan.is_some() && compiled.drawn.is_none(), "nor one whose host has no observer");
}

#[test]
fn every_cell_variant_and_stage_is_drawn_once_at_least() {
    // Each of them is wrong: in one cell, one variant, and one stage.
    let body = "axis size = [1, 2, 3]\nn : int 1..9\nprompt \"Say <<n>> and <<size>>.\"\n\
                expect reply matches \"[0-9] [0-9]\"\n\
                variant plain { prompt \"Now.\" expect reply matches \"<<n>> <<size>>\" }\n\
                variant odd { prompt \"Later.\" expect reply matches if size == 3 then \"x\" else \"<<n>> <<size>>\" }\n\
                stage one { prompt \"Say <<n>>.\" expect reply number n }\n\
                stage two { prompt \"Say <<n>> twice.\" expect reply number n  expect reply text \"<<n>> <<n>>\" }";
    let compiled = observe_with(&build_suite_source("", body), 1);
    let at: Vec<_> = compiled.diagnostics.iter().filter_map(|said| said.observed.as_deref()).collect();
    let named = |name: Option<&str>| at.iter().any(|at| at.variant.as_deref() == name || at.stage.as_deref() == name);
    assert!(named(Some("odd")) && named(Some("two")), "{:#?}", compiled.diagnostics);
    assert!(!named(Some("plain")) && !named(Some("one")), "{:#?}", compiled.diagnostics);
    assert_eq!(at.iter().find(|at| at.variant.is_some()).and_then(|at| at.cell.as_deref()), Some("3"));
    let drawn = compiled.drawn.expect("drawn");
    assert_eq!((drawn.samples, drawn.tasks, drawn.left_out.len()), (3 * 2 + 3 * 2, 1, 0));
}

#[test]
fn a_task_without_draws_is_drawn_once() {
    let body = "prompt \"Reply with the sum of 1 and 2.\"\nexpect reply number 1 + 2";
    assert_eq!(observe_with(&build_suite_source("", body), 50).drawn.expect("drawn").samples, 1);
}

/// A task with this number of rows.
fn build_table_task(name: &str, rows: &str) -> String {
    format!(
        "task {name} {{\n  csv hr at \"hr.csv\" {{ rows {rows}  PAY : int 1..1_000_000 }}\n  prompt \"What is the sum of PAY in <<hr>>? Reply with the number only.\"\n  \
         expect reply number sum(hr.PAY)\n}}\n"
    )
}

#[test]
fn what_is_too_large_is_left_out_and_said() {
    let axis = "task wide {\n  axis size = [10, 3_000_000]\n  csv hr at \"hr.csv\" { rows size  PAY : int 1..1_000_000 }\n  \
                prompt \"What is the sum of PAY in <<hr>>? Reply with the number only.\"\n  expect reply number sum(hr.PAY)\n}\n";
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\n{}{}{axis}",
        build_table_task("big", "2_000_000"),
        build_table_task("small", "20")
    );
    let drawn = observe_with(&text, Net::SAMPLES).drawn.expect("drawn");
    assert_eq!(
        drawn.describe_left_out().as_deref(),
        Some("drawn: 8 samples of 2 tasks; not drawn: `big` (2,000,000 rows), 1 of 2 cells of `wide` (3,000,000 rows)")
    );
}

#[test]
fn queries_that_take_too_many_steps_are_left_out() {
    let body = "n : int 1..9\nsqlite db at \"d.db\" { table t { rows 3  A : int 1..9 } }\n\
                k = <<value: WITH RECURSIVE c(x) AS (SELECT :n UNION ALL SELECT x + 1 FROM c WHERE x < 3000000) \
                SELECT MAX(x) + MAX((SELECT MAX(A) FROM db.t)) FROM c>>\n\
                prompt \"Say <<n>> and count in <<db>>.\"\nexpect reply number k";
    let compiled = testing::keep_errors(observe(body));
    assert_eq!(list_places(&compiled), Vec::<String>::new());
    let left_out = compiled.drawn.expect("drawn").describe_left_out().expect("left out");
    assert!(left_out.contains("steps of SQLite"), "{left_out}");
}

/// A task with a table `o` and a file with another one, of this number of rows, which has this column, too.
fn build_pairs(rows: &str, column: &str) -> String {
    format!(
        "table o {{ rows {rows}  K : int 1..1_000_000 }}\ncsv hr at \"hr.csv\" {{ rows {rows}  N : int 1..99  {column} }}\n\
         prompt \"What is the sum of N in <<hr>>? Reply with the number only.\"\nexpect reply number sum(hr.N)"
    )
}

/// A task whose value is computed from a file with this number of items.
fn build_tree(file: &str, value: &str) -> String {
    format!(
        "{file}\nx = <<{value}>>\nprompt \"How many items of <<f>> are meant? Reply with the number only.\"\nexpect reply number x"
    )
}

#[test]
fn expressions_that_look_at_too_much_are_left_out() {
    let xml = |items: &str| format!("xml f at \"f.xml\" root {{ item : [ {{ k : int 1..99 }} ; {items} ] }}");
    let json =
        |items: &str| format!("json f at \"f.json\" {{ items : [ {{ k : int 1..99 n : int 1..9 }} ; {items} ] }}");
    let count = "M = count(o where K < N * 10000 + 1)";
    let all = "M = sum(o.K)";
    let each = "M = sum(o.K - N)";
    let reference = "M : ref o.K where K > N * 100";
    let nested = "xpath_count: f, //item[count(//item[k > 5]) > 3]";
    let pairs = "xpath_count: f, //item[//k > //k]";
    let filter = "json_count_where: f, $.items[?@.k == $.items[9].n && $..k]";
    let lists = "ks = <<json_collect: f, $.items[*].k>>\ncsv hr at \"hr.csv\" { rows 5_000  N : int 1..99  M = N in ks }\n\
                 prompt \"What is the sum of N in <<hr>> and <<f>>? Reply with the number only.\"\nexpect reply number sum(hr.N)";
    let small = [
        build_pairs("60", count),
        build_pairs("60", all),
        build_pairs("60", each),
        build_pairs("60", reference),
        build_tree(&xml("20"), nested),
        build_tree(&xml("20"), pairs),
        build_tree(&json("20"), filter),
        format!("{}\n{lists}", json("20")),
    ];
    for body in small {
        let drawn = observe(&body).drawn.unwrap_or_else(|| panic!("{body}: {:#?}", observe(&body).diagnostics));
        assert_eq!((drawn.samples, drawn.left_out.len()), (4, 0), "{body}: {:?}", drawn.describe_left_out());
    }
    let large = [
        build_pairs("50_000", count),
        build_pairs("50_000", all),
        build_pairs("50_000", each),
        build_pairs("50_000", reference),
        build_tree(&xml("3000"), nested),
        build_tree(&xml("3000"), "xpath_count: f, //item[count(//item[count(//item[k > 5]) > 3]) > 3]"),
        build_tree(&xml("3000"), "xpath_count: f, //item[//item[k > 98]/k > //item[k > 97]/k]"),
        build_tree(&json("10_000"), filter),
        format!("{}\n{lists}", json("10_000")),
    ];
    for body in large {
        let began = std::time::Instant::now();
        let look = || observe(&body).drawn.unwrap_or_else(|| panic!("{body}: {:#?}", observe(&body).diagnostics));
        let first = look();
        let said = first.describe_left_out().unwrap_or_default();
        assert!(
            said.ends_with("not drawn: `q` (its expressions look at too many rows, nodes, or items)"),
            "{body}: {said}"
        );
        assert_eq!(look().describe_left_out().as_deref(), Some(said.as_str()), "{body}");
        // Without a bound, each takes many seconds or minutes.
        assert!(began.elapsed().as_secs() < 60, "{body}: {:?}", began.elapsed());
    }
}

#[test]
fn the_result_is_the_same_from_any_thread_and_at_any_time() {
    let compiled = testing::compile_text(&build_suite_source("", STOPS));
    let look = || list_observations(&compiled, &Net::new(20), &|| false).expect("drawn");
    let first = look();
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..2).map(|_| scope.spawn(look)).collect();
        others.into_iter().for_each(|other| assert_eq!(other.join().expect("no panic"), first));
    });
    assert_eq!(list_observations(&compiled, &Net::new(20), &|| true), None, "stopped at once");
}

#[test]
fn shipped_suites_show_nothing() {
    for path in testing::list_entries(testing::root().join("suites")) {
        if path.extension().is_none_or(|extension| extension != "pcd") {
            continue;
        }
        let path = path.to_str().expect("UTF-8");
        let disk = picardc::host::Disk::new(path).with_observer(picardc::host::build_net(path, Net::SAMPLES));
        let suite = Suite::compile(path, &disk);
        let said: Vec<_> = suite.diagnostics().iter().filter(|said| said.observed.is_some()).collect();
        assert!(said.is_empty() && suite.drawn().is_some(), "{path}: {said:?}");
    }
}

/// Checks a suite with the command.
fn check(status: i32, text: &str, flags: &[&str]) -> CommandOutput {
    let home = tempfile::tempdir().expect("temp");
    fs::write(home.path().join("s.pcd"), text).expect("written");
    expect_status(status, home.path(), &[&["check", "s.pcd"], flags].concat())
}

#[test]
fn the_command_tells_it_in_every_format() {
    let body = "n : int 1..9\nprompt \"Reply with letters and <<n>>.\"\nexpect reply matches \"[a-z]+ <<n>>\"\nexpect reply matches \"<<n>> [a-z]+\"";
    let text = build_suite_source("", body);
    let human = check(1, &text, &[]);
    assert!(
        human.err.contains("error[E0920] unmet_key") && human.err.contains("seen in 4 of 4 drawn samples: task q"),
        "{}",
        human.err
    );
    let json = check(1, &text, &["--format", "json"]).out;
    let said: Value = serde_json::from_str(json.trim_end()).expect("one object");
    assert_eq!(
        (&said["code"], &said["observed"]["seed"], &said["observed"]["task"]),
        (&"E0920".into(), &"check".into(), &"q".into())
    );
    assert!(check(1, &text, &["--format", "short"]).out.contains("error[E0920]"));
    let sarif: Value = serde_json::from_str(&check(1, &text, &["--format", "sarif"]).out).expect("a document");
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["observed"]["sample"], said["observed"]["sample"]);
    assert!(check(1, &text, &["--format", "github"]).out.contains("seed check"));
    for flags in [&["--no-draw"][..], &["--draw", "0"]] {
        let ran = check(0, &text, flags);
        assert_eq!(ran.err, "1 file: no errors, no warnings\nthe build cannot stop\n");
    }
    check(2, &text, &["--no-draw", "--draw", "3"]);
    assert!(check(1, &text, &["--draw", "9"]).err.contains("of 9 drawn samples"));
    // With --fix, what is drawn is the result.
    assert!(check(1, &text, &["--fix"]).err.contains("E0920"));
}

#[test]
fn drawn_samples_judge_how_often_a_require_holds() {
    let draws = [
        // Too many pairs to count.
        ("a, b : int 1..90  require a != b", "a, b : int 1..90  require a == b"),
        (
            r#"a = 2  b = 3  csv t at "t.csv" { rows 9  A : int 1..9 }  require count(t where A > 3) > 2"#,
            r#"a = 2  b = 3  csv t at "t.csv" { rows 9  A : int 1..9 }  require count(t where A > 6) > 5"#,
        ),
        // In all cells of an axis.
        ("axis b = [1, 2, 3]  a : int 1..9  require a > b", "axis b = [1, 2, 38]  a : int 1..40  require a > b"),
    ];
    for (often, rarely) in draws {
        for (draws, is_often) in [(often, true), (rarely, false)] {
            let prompt = "prompt \"Add <<a>> and <<b>>. Reply with the number only.\"  expect reply number a + b";
            let text = build_suite_source("", &format!("{draws}  {prompt}"));
            let drawn = observe_with(&text, Net::SAMPLES);
            assert_eq!(drawn.totality.is_proved(), is_often, "{text}\n{:?}", drawn.totality);
            assert!(drawn.totality.tasks.iter().all(|task| task.is_observed == is_often), "{text}");
            let proved = compiler::compile(SOURCE, &Memory::new([(SOURCE, text.as_str())]));
            assert!(!proved.totality.is_proved(), "nothing was drawn: {text}");
        }
    }
    let text = build_suite_source(
        "",
        "a, b : int 1..90  require a != b  prompt \"Add <<a>> and <<b>>. Reply with the number only.\"  expect reply number a + b",
    );
    let sentence = "the build cannot stop (in 1 task, each `require` held often in drawn samples)";
    assert_eq!(check(0, &text, &[]).err, format!("1 file: no errors, no warnings\n{sentence}\n"));
}

#[test]
fn the_last_line_says_what_was_not_drawn() {
    let text = format!(
        "suite s {{ title \"S\" version \"1\" }}\n{}{}",
        build_table_task("big", "2_000_000"),
        build_table_task("small", "20")
    );
    let ran = check(0, &text, &[]);
    assert_eq!(
        ran.err,
        "1 file: no errors, no warnings\n1 of 2 tasks cannot stop; not proved for task `big`: s.pcd:3:7 (value)\ndrawn: 4 samples of 1 task; not drawn: `big` (2,000,000 rows)\n"
    );
    assert_eq!(check(0, &text, &["--format", "json"]).join_output(), "");
}
