//! Suites of other tools, imported: what is written, what is left out, and whether it can be used.

mod gold;

use std::fs;
use std::path::Path;

use testing::{CommandOutput, root};

/// Imports a file of `tests/import` into a folder.
fn imported(name: &str, home: &Path) -> (CommandOutput, String) {
    let source = root().join("tests/import").join(format!("{name}.yaml"));
    let out = format!("{name}.pcd");
    let ran = testing::run_picardc(home, &["import", "picard", &source.display().to_string(), "-o", &out]);
    let suite = fs::read_to_string(home.join(&out)).unwrap_or_default();
    (ran, suite)
}

#[test]
fn picard_as_it_is_imported() {
    let home = tempfile::tempdir().expect("temp");
    testing::check_snapshots(&root().join("tests/import"), "yaml", |path| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let (ran, suite) = imported(&name, home.path());
        format!("{}\n{suite}", ran.err)
    });
}

#[test]
fn every_feature_of_picard_is_imported_and_can_be_used() {
    let home = tempfile::tempdir().expect("temp");
    let (ran, suite) = imported("every", home.path());
    assert_eq!((ran.status.code(), suite.matches("\ntask ").count()), (Some(0), 20), "{}", ran.err);
    for command in
        [&["check", "every.pcd", "--deny-warnings"][..], &["fmt", "--check", "every.pcd"], &["selftest", "every.pcd"]]
    {
        testing::expect_status(0, home.path(), command);
    }
}

#[test]
fn what_relies_on_a_defect_is_left_out_with_what_to_do() {
    let home = tempfile::tempdir().expect("temp");
    let (ran, suite) = imported("left_out", home.path());
    assert_eq!((ran.status.code(), suite.matches("\ntask ").count()), (Some(1), 1), "{}", ran.err);
    for number in 2..=33 {
        let line = ran.err.lines().find(|line| line.starts_with(&format!("left out: question {number}: ")));
        assert!(line.is_some(), "{number}: {}", ran.err);
        assert!(suite.contains(&format!("# - question {number}: ")), "{number}");
    }
    for command in [
        &["check", "left_out.pcd", "--deny-warnings"][..],
        &["fmt", "--check", "left_out.pcd"],
        &["selftest", "left_out.pcd"],
    ] {
        testing::expect_status(0, home.path(), command);
    }
}

#[test]
fn nothing_is_overwritten_or_half_written() {
    let home = tempfile::tempdir().expect("temp");
    let at = |name: &str| home.path().join(name);
    let import = |file: &str, more: &[&str]| {
        testing::run_picardc(home.path(), &[&["import", "picard", file, "-o", "out.pcd"], more].concat())
    };
    assert_eq!(import("none.yaml", &[]).status.code(), Some(2));
    for (name, text) in [
        ("not.yaml", "a: [1"),
        ("other.yaml", "a: 1"),
        ("nothing.yaml", "tests: [{question_id: 1}, 5, null]"),
        ("deep.yaml", &format!("tests: {}", "[".repeat(5_000))),
    ] {
        fs::write(at(name), text).expect("written");
        assert_eq!(import(name, &[]).status.code(), Some(1), "{name}");
        assert!(!at("out.pcd").exists(), "{name}");
    }
    let good = "tests: [{question_id: 1, samples: 2, template: 'Reply with {{entity1}}.', scoring_type: stringmatch, expected_response: '{{entity1}}'}]";
    fs::write(at("good.yaml"), good).expect("written");
    fs::write(at("out.pcd"), "precious").expect("written");
    assert_eq!(import("good.yaml", &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(at("out.pcd")).expect("read"), "precious");
    assert_eq!(import("good.yaml", &["--force"]).status.code(), Some(0));
    assert!(fs::read_to_string(at("out.pcd")).expect("read").contains("expect reply text entity1"));
}
