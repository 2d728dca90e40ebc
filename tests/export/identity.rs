//! Another suite, seed, or option is another name, version, or digest in every export, so that no cache of another tool takes one for the other.

use std::collections::BTreeSet;
use std::fs;

use super::desk::{Desk, FORMATS, json, lines};
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
    (testing::read_files(&out).into_keys().collect(), sha256)
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

#[test]
fn a_bundle_that_was_edited_is_another_one() {
    let (desk, same) = (Desk::new(&[]), Desk::new(&[]));
    let edited = Desk::new(&[]).with_prompts(&["Another prompt"]);
    let other_file = Desk::new(&[]);
    fs::write(other_file.at("bundle/files/tidy-1/old/kept.txt"), "edited").expect("written");
    let identity = |desk: &Desk| {
        desk.export("hf", &["--unverified", "-q"]);
        let about = json(&desk.at("hf/picardc.json"));
        assert_eq!(about["unverified"], true);
        about["bundle_sha256"].as_str().expect("a digest").to_owned()
    };
    let stated =
        |desk: &Desk| json(&desk.at("hf/picardc.json"))["bundle_sha256"].as_str().expect("a digest").to_owned();
    assert_eq!(identity(&desk), identity(&same));
    let all: BTreeSet<String> = [&edited, &other_file].map(identity).into_iter().chain([stated(&desk)]).collect();
    assert_eq!(all.len(), 3);
}

#[test]
fn runs_of_an_edited_suite_are_other_records() {
    let source = fs::read_to_string(root().join("tests/export/desk.pcd")).expect("readable");
    let edited = source.replace("What is <<a>>", "How much is <<a>>");
    let records: BTreeSet<String> = [&source, &source, &edited]
        .into_iter()
        .flat_map(|source| {
            let desk = Desk::of(source, &["--task", "plus"]);
            desk.does(0, &["run", "bundle", "--agent", "null", "-o", "run", "-q"]);
            // The same second, and the same times.
            let path = desk.at("run/run.json");
            let mut info = json(&path);
            info["started"] = 1_767_225_600.into();
            fs::write(&path, info.to_string()).expect("written");
            let scores = desk.at("run/scores.jsonl");
            let timed = lines(&scores).into_iter().map(|mut line| {
                line["wall_ms"] = 5.into();
                format!("{line}\n")
            });
            fs::write(&scores, timed.collect::<String>()).expect("written");
            desk.does(0, &["export", "eee", "run", "-o", "eee", "-q"]);
            testing::read_files(desk.at("eee/data")).into_keys().collect::<Vec<_>>()
        })
        .collect();
    // The same run has the same two files, and the other one has others.
    assert_eq!(records.len(), 4, "{records:?}");
}
