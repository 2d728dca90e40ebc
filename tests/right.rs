//! Unusual but right suites: the compiler says nothing about them, and samples of each can be built.
//!
//! Every `.pcd` file of `tests/mistakes/right/` is one; its name says what is unusual about it. In a folder there, the suite of several
//! files is `suite.pcd`, and what stands beside it is used by it.

use std::path::{Path, PathBuf};

use testing::{root, run_picardc};

/// The suites, and their names for messages.
fn suites() -> Vec<PathBuf> {
    let folder = root().join("tests/mistakes/right");
    let found = testing::list_entries(folder).into_iter();
    found
        .filter_map(|path| match path.is_dir() {
            true => Some(path.join("suite.pcd")),
            false => path.extension().is_some_and(|extension| extension == "pcd").then_some(path),
        })
        .collect()
}

/// What `picardc` says, unless it succeeds in silence.
fn complaint(arguments: &[&str], suite: &Path) -> Option<String> {
    let ran = run_picardc(root(), &[arguments, &[&suite.to_string_lossy()]].concat());
    let said = ran.join_output();
    let spoken = ["error", "warning", "note"].iter().any(|word| said.contains(word));
    (!ran.status.success() || spoken).then(|| format!("{}\n{said}", suite.display()))
}

#[test]
fn right_suites_are_many() {
    let count = suites().len();
    assert!(count >= 150, "{count} suites");
}

#[test]
fn right_suites_have_no_diagnostic() {
    let complaints: Vec<_> = suites()
        .iter()
        .filter_map(|suite| complaint(&["check", "--deny-warnings", "--format", "short"], suite))
        .collect();
    assert!(
        complaints.is_empty(),
        "{} right suites are complained about:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

#[test]
fn right_suites_build_three_samples() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut complaints = Vec::new();
    for (number, suite) in suites().iter().enumerate() {
        let out = folder.path().join(number.to_string());
        let out = out.to_str().expect("a path in UTF-8");
        let arguments = ["build", "--quiet", "--seed", "7", "--samples", "3", "-o", out];
        match complaint(&arguments, suite) {
            Some(said) => complaints.push(said),
            None => assert!(Path::new(out).join("instances.jsonl").is_file(), "{}", suite.display()),
        }
    }
    assert!(complaints.is_empty(), "{} right suites are not built:\n{}", complaints.len(), complaints.join("\n"));
}
