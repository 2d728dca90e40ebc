//! The Python package, run by Python: each module of `tests/python_package/` against the tree as it is, without an installation.

use std::path::Path;

use testing::{Ran, has_python, program, root, with_package};

/// Runs a module of tests.
#[track_caller]
fn passes(module: &str) {
    if !has_python() {
        return;
    }
    let mut python = with_package(Path::new("python3"));
    let newer = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !python.args(["-c", newer]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 is older than 3.10");
        return;
    }
    let mut python = with_package(Path::new("python3"));
    python.args(["-m", "unittest", "-v", module]).current_dir(root().join("tests/python_package"));
    python.env("PICARDC", program()).env("PICARDC_ROOT", root());
    let ran = Ran::from(python.output().expect("python3 runs"));
    assert!(ran.status.success(), "{}", ran.said());
    assert!(ran.err.contains("\nOK"), "no test ran: {}", ran.said());
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
