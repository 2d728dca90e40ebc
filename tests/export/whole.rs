//! All or nothing, the same bytes, and no key where a model or a template could see it.

use std::fs;

use super::desk::{Desk, FORMATS, files, json};

fn names(desk: &Desk) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(desk.path())
        .expect("readable")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_expressed_is_listed_and_nothing_is_written() {
    let desk = Desk::new(&[]);
    let ran = desk.does(1, &["export", "lm-eval", "bundle", "-o", "out"]);
    assert_eq!(
        ran.err,
        "left out: 4 instances (such as `total-1`): the agent begins with files, and lm-eval has no sandbox\n\
         error: 4 of 8 instances cannot be expressed in lm-eval, so `out` is not written\n  help: give --partial to write the others\n"
    );
    assert_eq!(names(&desk), ["bundle", "desk.pcd"]);
    let ran = desk.does(0, &["export", "lm-eval", "bundle", "-o", "out", "--partial"]);
    assert!(ran.err.ends_with("wrote 4 instances to out in the format of lm-eval; 4 left out\n"), "{}", ran.err);
    let about = json(&desk.at("out/picardc.json"));
    assert_eq!((&about["instances"], &about["left_out"][0]["count"]), (&4.into(), &4.into()));
    let ran = desk.does(2, &["export", "lm-eval", "bundle", "-o", "out", "--partial"]);
    assert!(ran.err.contains("`out` exists and is not empty"), "{}", ran.err);
    // `export` does not have the flag that `build` has.
    std::fs::write(desk.at("file"), "x").expect("a file");
    for out in ["out", "file", "file/below"] {
        let ran = desk
            .does(if out == "file/below" { 3 } else { 2 }, &["export", "lm-eval", "bundle", "-o", out, "--partial"]);
        assert!(!ran.err.contains("--force"), "{}", ran.err);
    }
}

#[test]
fn nothing_at_all_is_an_error_even_in_part() {
    let desk = Desk::new(&["--task", "total"]);
    for format in ["lm-eval", "promptfoo"] {
        let ran = desk.does(1, &["export", format, "bundle", "-o", "out", "--partial"]);
        assert!(ran.err.contains("error: nothing can be expressed in"), "{}", ran.err);
    }
    assert_eq!(names(&desk), ["bundle", "desk.pcd"]);
}

#[test]
fn tools_that_a_task_states_are_not_lost_without_a_word() {
    let source = "suite s { title \"S\" version \"1\" }\ntask q {\n  n : int 100..900\n  tools [run_sql]\n  calls 3\n  prompt \"What is <<n>> + 1?\"\n  expect reply number n + 1\n}\n";
    let desk = Desk::of(source, &[]);
    for (format, why) in [
        ("harbor", "the task states which tools or how many calls the agent has, and Harbor cannot enforce it"),
        ("lm-eval", "the task states tools, and lm-eval cannot hand them to the agent"),
    ] {
        let ran = desk.does(1, &["export", format, "bundle", "-o", "out"]);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    // A table has a column for it.
    desk.does(0, &["export", "hf", "bundle", "-o", "out"]);
}

#[test]
fn the_same_bundle_gives_the_same_bytes() {
    let desk = Desk::new(&[]);
    for format in FORMATS {
        let once = files(&desk.export(format, &[]));
        fs::rename(desk.at(format), desk.at("first")).expect("moved");
        assert_eq!(once, files(&desk.export(format, &[])), "{format}");
        fs::remove_dir_all(desk.at("first")).expect("removed");
    }
}

#[test]
fn a_bundle_with_split_keys_gives_the_same_public_files() {
    let (whole, split) = (Desk::new(&[]), Desk::new(&["--split-keys"]));
    for desk in [&whole, &split] {
        desk.export("lm-eval", &[]);
        desk.export("promptfoo", &[]);
    }
    // The digest of the bundle is another one.
    let read = |desk: &Desk| {
        let sha256 = json(&desk.at("lm-eval/picardc.json"))["bundle_sha256"].as_str().expect("a digest").to_owned();
        fs::read_to_string(desk.at("lm-eval/instances.jsonl")).expect("readable").replace(&sha256, "…")
    };
    assert_eq!(read(&whole), read(&split));
    let id = whole.instances()[0]["id"].as_str().expect("an id").to_owned();
    for desk in [&whole, &split] {
        let key = desk.at("promptfoo/keys").display().to_string();
        let target = whole.instances()[0]["target"].as_str().expect("a target").to_owned();
        let ran = testing::run_picardc_with_input(desk.path(), &["grade", &key, &id], &target);
        assert_eq!(ran.status.code(), Some(0), "{}", ran.join_output());
    }
}

/// What only the key has: every expected value, in all formats that publish nothing of keys.
#[test]
fn keys_are_only_where_scorers_read_them() {
    let desk = Desk::new(&[]);
    let secrets: Vec<String> = desk
        .instances()
        .iter()
        .filter(|line| line["metadata"]["picard"]["task"] == "plus")
        .map(|line| line["target"].as_str().expect("a target").to_owned())
        .collect();
    let holds = |bytes: &[u8], secret: &str| bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
    for format in FORMATS {
        let mut seen = false;
        for (path, bytes) in files(&desk.export(format, &[])) {
            let is_key = path.contains("keys/") || path.contains("/tests/bundle/") || path.contains("/solution/");
            // Digests are hexadecimal, so three digits can be in them by chance.
            let is_digest =
                path.ends_with("picardc.json") || path.ends_with("task.toml") || path.ends_with("croissant.json");
            if is_digest {
                continue;
            }
            for secret in &secrets {
                let held = holds(&bytes, &format!("\"value\":{secret}")) || holds(&bytes, &format!("\"{secret}\""));
                seen |= held;
                assert!(!held || is_key, "{format}: {path} has {secret}");
            }
            assert!(is_key || !holds(&bytes, "\"expect\""), "{format}: {path}");
        }
        assert_eq!(seen, matches!(format, "harbor" | "lm-eval" | "promptfoo"), "{format}");
    }
    // Asked for, they are there, in files of their own.
    for (format, place) in [("hf", "keys/test-"), ("croissant", "data/keys")] {
        desk.does(0, &["export", format, "bundle", "-o", &format!("{format}-keys"), "--keys"]);
        for (path, bytes) in files(&desk.at(&format!("{format}-keys"))) {
            let held = secrets.iter().all(|secret| holds(&bytes, secret)) && holds(&bytes, "\"match\"");
            assert_eq!(held, path.starts_with(place), "{format}: {path}");
        }
    }
}

#[test]
fn the_canary_is_in_metadata_and_in_no_prompt() {
    let desk = Desk::new(&[]);
    let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("desk-canary-4c1f");
    for format in FORMATS {
        let all = files(&desk.export(format, &[]));
        assert!(has(&all["picardc.json"]), "{format}");
        let prompts = all.iter().filter(|(path, _)| path.ends_with("instruction.md") || path.ends_with("tests.jsonl"));
        assert!(prompts.clone().all(|(_, bytes)| !has(bytes)), "{format}");
    }
    let card = fs::read_to_string(desk.at("hf/README.md")).expect("readable");
    assert!(card.contains("- canary: `desk-canary-4c1f`"), "{card}");
}

#[test]
fn wrong_use() {
    let desk = Desk::new(&[]);
    for (args, why) in [
        (&["export", "hf", "none", "-o", "out"][..], "cannot read"),
        (&["export", "hf", "bundle", "-o", "desk.pcd"], "is not a folder"),
        (&["export", "zip", "bundle", "-o", "out"], "unrecognized subcommand"),
        (&["export", "harbor", "bundle", "-o", "out", "--org", "a/b"], "letters, digits"),
        (&["export", "harbor", "bundle", "-o", "out", "--image", "a b"], "not the name of an image"),
    ] {
        let ran = desk.does(2, args);
        assert!(ran.err.contains(why), "{args:?}: {}", ran.err);
    }
    fs::write(desk.at("bundle/instances.jsonl"), "{}\n").expect("written");
    desk.does(2, &["export", "hf", "bundle", "-o", "out"]);
    assert_eq!(names(&desk), ["bundle", "desk.pcd"]);
}
