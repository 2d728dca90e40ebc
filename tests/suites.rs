//! Every suite that ships compiles without a diagnostic, and its plan is what it was.

use std::process::Command;

fn suites() -> Vec<std::path::PathBuf> {
    let folder = format!("{}/suites", env!("CARGO_MANIFEST_DIR"));
    let mut suites: Vec<_> = std::fs::read_dir(folder)
        .expect("suites/")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pcd"))
        .collect();
    suites.sort();
    assert!(suites.len() >= 2);
    suites
}

#[test]
fn shipped_suites_have_no_diagnostic() {
    for suite in suites() {
        let output = Command::new(env!("CARGO_BIN_EXE_picardc"))
            .args(["check", "--deny-warnings", "--format", "short"])
            .arg(&suite)
            .output()
            .expect("the binary starts");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{}: {said}", suite.display());
        assert!(!said.contains("error") && !said.contains("warning"), "{said}");
    }
}
