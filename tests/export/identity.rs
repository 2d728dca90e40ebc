//! Another suite, seed, or option is another name, version, or digest in every export, so that no cache of another tool takes one for the other.

use std::collections::BTreeSet;
use std::fs;

use super::desk::{Desk, FORMATS, json};
use testing::root;

/// Names of files and identities of an export.
fn marks(desk: &Desk, format: &str) -> (BTreeSet<String>, String) {
    let out = desk.export(format, &[]);
    let sha256 = json(&out.join("picardc.json"))["bundle_sha256"].as_str().expect("a digest").to_owned();
    let digest = &sha256[..12];
    let marked = match format {
        "harbor" => fs::read_to_string(out.join("plus-1/task.toml")).expect("readable"),
        "lm-eval" => fs::read_to_string(out.join(format!("desk_{digest}.yaml"))).expect("named by its digest"),
        "promptfoo" => fs::read_to_string(out.join("tests.jsonl")).expect("readable"),
        "croissant" => fs::read_to_string(out.join("croissant.json")).expect("readable"),
        _ => fs::read_to_string(out.join("README.md")).expect("readable"),
    };
    assert!(
        marked.contains(&sha256)
            && (format == "promptfoo" || format == "hf" || marked.contains(&format!("1.0.0+{digest}"))),
        "{format}"
    );
    (testing::files(&out).into_keys().collect(), sha256)
}

#[test]
fn an_edited_suite_has_another_identity_everywhere() {
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    let edited = source.replace("What is <<a>>", "How much is <<a>>");
    assert_ne!(source, edited);
    for format in FORMATS {
        let desks = [Desk::of(&source, &[]), Desk::of(&edited, &[]), Desk::of(&source, &["--samples", "1"])];
        let found: Vec<_> = desks.iter().map(|desk| marks(desk, format)).collect();
        let digests: BTreeSet<&String> = found.iter().map(|(_, sha256)| sha256).collect();
        assert_eq!(digests.len(), 3, "{format}");
        // Caches that know a dataset by the names of its files see other names.
        if matches!(format, "hf" | "lm-eval") {
            assert_ne!(found[0].0, found[1].0, "{format}");
        }
    }
}
