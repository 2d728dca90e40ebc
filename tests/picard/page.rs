//! The chapter `docs/src/reference/picard.md`: it has a row for each function, type and defect, each names a test that is there, and what it tells
//! to write compiles.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use compiler::diagnostics::CODES;

use super::{compile, compile_with};

const FUNCTIONS: &str = "file_line file_word file_line_count file_word_count \
    csv_cell csv_value csv_row csv_column csv_count csv_sum csv_avg csv_count_where csv_sum_where csv_avg_where sqlite_query sqlite_value \
    json_path json_value json_count json_keys json_sum json_avg json_max json_min json_collect json_count_where json_filter \
    yaml_path yaml_value yaml_count yaml_keys yaml_sum yaml_avg yaml_max yaml_min yaml_collect yaml_count_where yaml_filter \
    xpath_value xpath_attr xpath_count xpath_exists xpath_collect xpath_sum xpath_avg xpath_max xpath_min";

const TYPES: &str = "first_name last_name person_name email city company product age salary currency price phone date experience score id status \
    department region category course semester boolean entity_pool lorem_word lorem_words";

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn page() -> String {
    read("docs/src/reference/picard.md")
}

/// The rows of all tables below a heading, cell by cell, without heads.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let start = format!("## {heading}");
    let section = page.split("\n## ").find(|section| format!("## {section}").starts_with(&start));
    let lines: Vec<&str> = section.unwrap_or_else(|| panic!("no heading {heading}")).lines().collect();
    let is_rule = |line: Option<&&str>| line.is_some_and(|line| line.starts_with("| ---"));
    (0..lines.len())
        .filter(|at| lines[*at].starts_with("| ") && !is_rule(lines.get(*at)) && !is_rule(lines.get(at + 1)))
        .map(|at| {
            lines[at]
                .strip_prefix('|')
                .and_then(|row| row.strip_suffix('|'))
                .expect("a row")
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect()
        })
        .collect()
}

/// What stands between backticks.
fn code(cell: &str) -> &str {
    cell.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or_else(|| panic!("no code: {cell}"))
}

/// Where the tests are that the page names.
const TESTED: [&str; 8] = [
    "tests/picard/defects_data.rs",
    "tests/picard/defects_keys.rs",
    "tests/picard/defects_running.rs",
    "tests/picard/domains.rs",
    "tests/picard/forms.rs",
    "tests/picard/functions.rs",
    "tests/run/defects.rs",
    "harness/score/tests/score/defects.rs",
];

/// The names of all of them.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in TESTED {
        let text = read(file);
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next())
                && is_test
            {
                assert!(names.insert(name.to_owned()), "two tests named {name}");
            }
            is_test = line == "#[test]";
        }
    }
    names
}

#[test]
fn every_row_names_a_test_that_is_there() {
    let (page, tests) = (page(), tests());
    let mut named = BTreeSet::new();
    for heading in
        ["Functions", "Semantic types", "Variables and numbers", "File generators", "Scoring types", "55 defects"]
    {
        for row in rows(&page, heading) {
            let test = code(row.last().expect("cells"));
            assert!(tests.contains(test), "{heading}: there is no test `{test}`");
            named.insert(test.to_owned());
        }
    }
    // And no test of a row is forgotten.
    for test in
        tests.iter().filter(|test| test.starts_with("defect_") || test.starts_with("csv_") || test.starts_with("json_"))
    {
        assert!(named.contains(test), "no row names `{test}`");
    }
}

#[test]
fn there_are_47_functions_26_types_and_55_defects() {
    let page = page();
    let first = |heading: &str| -> Vec<String> {
        rows(&page, heading)
            .iter()
            .map(|row| row[0].split(',').next().expect("a cell").trim_matches('`').to_owned())
            .collect()
    };
    assert_eq!(first("Functions"), FUNCTIONS.split_whitespace().collect::<Vec<_>>());
    assert_eq!(first("Functions").len(), 47);
    assert_eq!(first("Semantic types"), TYPES.split_whitespace().collect::<Vec<_>>());
    assert_eq!(first("Semantic types").len(), 26);
    assert_eq!(first("55 defects"), (1..=55).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn what_the_page_tells_to_write_compiles() {
    let page = page();
    let given = page.split("```pcd task given\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the files");
    for row in rows(&page, "Functions") {
        let compiled = compile(&format!("{given}prompt \"x\"\nexpect reply json [{}]", code(&row[1])));
        assert!(compiled.diagnostics.is_empty(), "{}: {:#?}", row[1], compiled.diagnostics);
    }
    let numbers = rows(&page, "Variables and numbers");
    assert_eq!(numbers.len(), 9 + 5, "number types and pools");
    for row in rows(&page, "Semantic types").iter().chain(&numbers) {
        let compiled = compile(&format!("x : {}\nprompt \"<<x>>\"\nexpect reply text \"y\"", code(&row[1])));
        assert!(compiled.diagnostics.is_empty(), "{}: {:#?}", row[1], compiled.diagnostics);
    }
    let (files, expects) = (rows(&page, "File generators"), rows(&page, "Scoring types"));
    assert_eq!((files.len(), expects.len()), (6, 6));
    for row in files.iter() {
        let compiled =
            compile_with(&format!("task q {{\n{}\nprompt \"x\"\nexpect reply text \"y\"\n}}", code(&row[1])), &[]);
        assert!(compiled.diagnostics.is_empty(), "{}: {:#?}", row[1], compiled.diagnostics);
    }
    for row in expects.iter() {
        let compiled = compile(&format!("prompt \"x\"\n{}", code(&row[1])));
        assert!(compiled.diagnostics.is_empty(), "{}: {:#?}", row[1], compiled.diagnostics);
    }
}

#[test]
fn verdicts_are_of_three_kinds_and_refusals_have_codes() {
    for row in rows(&page(), "55 defects") {
        let (number, verdict, how) = (&row[0], row[2].as_str(), &row[3]);
        assert!(["impossible", "refused", "handled right"].contains(&verdict), "{number}: {verdict}");
        let codes: Vec<String> =
            how.split("[E").skip(1).filter_map(|rest| Some(format!("E{}", rest.get(..4)?))).collect();
        assert!(codes.iter().all(|id| CODES.iter().any(|code| code.id == id.as_str())), "{number}: {codes:?}");
        assert!(verdict != "refused" || !codes.is_empty(), "{number} names no code");
        // The test of a refusal holds just these codes.
        let source = TESTED.map(read).concat();
        let body = source
            .split(&format!("fn {}(", code(&row[4])))
            .nth(1)
            .and_then(|rest| rest.split("\n}\n").next())
            .expect("the test");
        for id in codes {
            let is_tested = body.contains(&format!("\"{id}\"")) || id == "E0903" && body.contains("FailedComputation");
            assert!(is_tested, "{number}: `{}` does not hold {id}", row[4]);
        }
    }
}
