//! The Python package, run by Python: each module of `tests/python_package/` against the tree as it is, without an installation; or against the wheels in
//! the folder `PICARDC_WHEELS`.

use std::path::Path;
use std::process::Command;

use testing::{CommandOutput, ENGINES, TABLES, find_package_command, has_integrations, has_python, root, with_package};

/// Runs a module of tests with `python3`, where it is new enough.
#[track_caller]
fn passes(module: &str) {
    if !has_python() {
        return;
    }
    let newer = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !Command::new("python3").args(["-c", newer]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 is older than 3.10");
        return;
    }
    passes_with(Path::new("python3"), module);
}

/// Runs a module of tests.
#[track_caller]
fn passes_with(python: &Path, module: &str) {
    let mut python = with_package(python);
    python.args(["-m", "unittest", "-v", module]).current_dir(root().join("tests/python_package"));
    let suites = std::env::join_paths(testing::list_sources(root().join("suites"))).expect("no path has a colon");
    python.env("PICARDC", find_package_command()).env("PICARDC_ROOT", root()).env("PICARDC_SUITES", suites);
    let ran = CommandOutput::from(python.output().expect("python runs"));
    assert!(ran.status.success(), "{}", ran.join_output());
    assert!(ran.err.contains("\nOK"), "no test ran: {}", ran.join_output());
}

/// Runs a module of tests where the engines are, if they are wanted.
#[track_caller]
fn passes_on_engines(what: &str, module: &str) {
    if has_integrations(what)
        && let Some(python) = ENGINES.find_interpreter_or_skip(what)
    {
        passes_with(&python, module);
    }
}

#[test]
fn suites_instances_and_diagnostics() {
    passes("test_suite");
}

#[test]
fn instances_are_those_of_a_bundle() {
    passes("test_bytes");
}

#[test]
fn responses_are_scored_as_by_the_command_line() {
    passes("test_score");
}

#[test]
fn pickles_are_addresses() {
    passes("test_pickle");
}

#[test]
fn edited_lakes_are_not_served() {
    passes("test_lakes");
}

#[test]
fn help_and_the_manual_say_what_holds() {
    passes("test_manual");
}

#[test]
fn the_manual_holds_with_engines() {
    passes_on_engines("the manual's blocks for engines", "test_manual");
}

#[test]
fn parquet_files_are_the_same_by_any_number_of_workers() {
    if let Some(python) = TABLES.find_interpreter_or_skip("Parquet files") {
        passes_with(&python, "test_parquet");
    }
}

#[test]
fn datasets_of_hugging_face_have_the_rows_of_a_bundle() {
    passes_on_engines("datasets of Hugging Face", "test_hf");
}

#[test]
fn ray_writes_the_same_files_where_a_worker_is_killed() {
    passes_on_engines("Ray", "test_ray");
}

#[test]
fn spark_writes_the_same_files_where_a_worker_is_killed() {
    passes_on_engines("Spark", "test_spark");
}

#[test]
fn the_library_names_the_command_of_its_version() {
    let project = std::fs::read_to_string(root().join("bindings/python/pyproject.toml")).expect("the project");
    let wanted = format!("dependencies = [\"picardc-cli=={}\"]", env!("CARGO_PKG_VERSION"));
    assert!(project.lines().any(|line| line == wanted), "bindings/python/pyproject.toml needs the line {wanted}");
}
