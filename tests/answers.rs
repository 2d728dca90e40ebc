//! Every form of an answer in one suite: it has no diagnostic, its oracle is right in every form, and its examples hold.

use runtime::generate::Options;
use testing::{compile_text, expect_status, make_instances, root};

/// The forms in which an answer may have dates besides the usual ones, by the pointer of its options.
fn list_forms(body: &str) -> Vec<String> {
    let compiled = compile_text(&testing::build_suite_source("samples 1", body));
    let plan = compiled.plan.as_ref().unwrap_or_else(|| panic!("{body}: {:#?}", compiled.diagnostics));
    let instances = make_instances(plan, Options::new("7")).expect("instances");
    let options = instances[0].expects.iter().flat_map(|expect| &expect.options);
    let forms = options.flat_map(|(at, own)| own.written.iter().map(move |told| format!("{at} {}", told.pattern)));
    forms.collect()
}

#[test]
fn files_add_their_forms_of_dates() {
    let days = "unique date 2020-01-01..2024-12-31";
    let one = |styles: &str, answer: &str| {
        list_forms(&format!(
            "csv a at \"a.csv\" {{ rows 30  DAY : {days} {styles}  N : int 1..9 }} prompt \"About <<a>>.\" expect reply {answer}"
        ))
    };
    let german = "as written \"dd.MM.yyyy\"";
    assert_eq!(one(german, "date max(a.DAY)"), [" dd.MM.yyyy"]);
    assert_eq!(one(german, "list list(a.DAY where N > 3)"), [" dd.MM.yyyy"]);
    assert_eq!(
        one(
            "as written \"M/d/yyyy\" written \"d MMM yyyy\" 20%",
            "rows <<rows: SELECT N, DAY AS D FROM a>> within 1 in N"
        ),
        ["/*/D M/d/yyyy", "/*/D d MMM yyyy"]
    );
    assert_eq!(one(german, "date <<value: SELECT MAX(DAY) FROM a>>"), [" dd.MM.yyyy"]);
    // A form of the author comes first, and no form of a file may contradict it.
    assert_eq!(one("as written \"M/d/yyyy\"", "date max(a.DAY) written \"d/M/yyyy\""), [" d/M/yyyy"]);
    assert_eq!(one(german, "date max(a.DAY) written \"d MMM yyyy\""), [" d MMM yyyy", " dd.MM.yyyy"]);
    // In JSON, with the options of what is around it.
    assert_eq!(one(german, "json { day: max(a.DAY), n: sum(a.N) }"), ["/day dd.MM.yyyy"]);
    assert_eq!(
        one(german, "json { of: { day: max(a.DAY) written \"d MMM yyyy\" } }"),
        ["/of/day d MMM yyyy", "/of/day dd.MM.yyyy"]
    );
    assert_eq!(one(german, "json <<rows: SELECT N, DAY FROM a>>"), [" dd.MM.yyyy"]);
    assert_eq!(one(german, "json list(a.DAY)"), [" dd.MM.yyyy"]);
    // Computed days, usual forms, guessed years, other matchers, and columns that are not copied.
    for (styles, answer) in [
        (german, "date max(a.DAY) + 1 day"),
        (german, "number count(a where N > 3)"),
        ("as written \"yyyy/MM/dd\"", "date max(a.DAY)"),
        ("as written \"yyyy/dd/MM\"", "date max(a.DAY)"),
        ("as written \"dd.MM.yy\"", "date max(a.DAY)"),
        ("", "date max(a.DAY)"),
    ] {
        assert_eq!(one(styles, answer), [""; 0], "{styles} {answer}");
    }
    let two = |first: &str, second: &str| {
        list_forms(&format!(
            "table t {{ rows 30  DAY : {days} }} csv a at \"a.csv\" from t {{ A = DAY as written \"{first}\" }} csv b at \"b.csv\" from t {{ B = DAY as written \"{second}\" }}
             prompt \"About <<a>> and <<b>>.\" expect reply date max(t.DAY)"
        ))
    };
    assert_eq!(two("dd/MM/yyyy", "MM/dd/yyyy"), [""; 0]);
    assert_eq!(two("dd/MM/yyyy", "MM-dd-yyyy"), [" dd/MM/yyyy", " MM-dd-yyyy"]);
}

#[test]
fn every_form_is_checked_formatted_and_sound() {
    let suite = "tests/answers/forms.pcd";
    let checked = expect_status(0, root(), &["check", suite, "--format", "short"]);
    assert_eq!(checked.out, "", "{}", checked.err);
    expect_status(0, root(), &["fmt", "--check", suite]);
    let ran = expect_status(0, root(), &["selftest", suite, "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    for task in document["tasks"].as_array().expect("tasks") {
        assert_eq!(task["sound"], true, "{task:#}");
    }
    // Rebuilt in one's own folder, a bundle holds no example.
    let home = tempfile::tempdir().expect("a folder");
    let out = home.path().join("out").display().to_string();
    expect_status(0, root(), &["build", suite, "-o", &out]);
    let bundle = std::fs::read_to_string(home.path().join("out/instances.jsonl")).expect("a bundle");
    assert!(bundle.contains("\"among\":") && bundle.contains("\"/*/MEAN\"") && !bundle.contains("I do not know"));
}

/// A program in `tests/python/` that runs picardc and judges what it does; returns its last line.
fn run_judge(python: &std::path::Path, program: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let program = root().join("tests/python").join(program);
    let judge = std::process::Command::new(python)
        .arg(program)
        .arg(testing::find_program())
        .arg(folder.path())
        .args(arguments)
        .output();
    let ran = testing::CommandOutput::from(judge.expect("started"));
    assert!(ran.status.success(), "{}", ran.join_output());
    ran.out.trim().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn workbooks_of_other_programs_are_answers() {
    let Some(python) = testing::TABLES.find_interpreter_or_skip("workbooks of other programs") else { return };
    eprintln!("{}", run_judge(&python, "books.py", &["7"]));
}

/// Columns with signs in brackets, scales, units, and dates in many forms, written by picardc and read by Python, and the other way round. PICARDC_MARKS is another number of
/// columns.
#[test]
fn marks_that_change_a_value_go_both_ways() {
    if testing::has_python() {
        let columns = std::env::var("PICARDC_MARKS").unwrap_or_else(|_| "1000".to_owned());
        eprintln!("{}", run_judge(std::path::Path::new("python3"), "marks.py", &[&columns, "7"]));
    }
}
