//! Prompts that other tools could take for something else come through unchanged, or are left out with a reason. Here, the files are read as the tools say that
//! they read them; `tools` asks the tools themselves.

use std::fs;

use super::desk::{Desk, json, lines};

/// Prompts that each export, Inspect AI, verifiers, and tests of the Python package take: eight for the eight instances of a suite.
pub fn prompts() -> Vec<String> {
    serde_json::from_str(include_str!("hostile.json")).expect("a list of texts")
}

/// A long prompt, over what a command line takes.
pub fn long() -> String {
    "ab{{c ".repeat(50_000)
}

/// Those that a format must leave out.
pub fn is_refused(format: &str, prompt: &str) -> bool {
    match format {
        "harbor" => prompt.contains(['\0', '\r']) || prompt.starts_with('\n') || prompt.starts_with("<!-- my"),
        "promptfoo" => prompt.starts_with(['{', '[']) || prompt.starts_with("- role:"),
        _ => false,
    }
}

/// Bundles with these prompts, until all have been used.
pub fn bundles() -> Vec<(Desk, Vec<String>)> {
    let all: Vec<String> = prompts().into_iter().chain([long()]).collect();
    all.chunks(8)
        .map(|part| {
            let texts: Vec<&str> = part.iter().map(String::as_str).collect();
            (Desk::new(&["--samples", "8", "--task", "plus"]).with_prompts(&texts), part.to_vec())
        })
        .collect()
}

#[test]
fn every_prompt_is_unchanged_or_left_out() {
    for (desk, prompts) in bundles() {
        for format in ["harbor", "lm-eval", "promptfoo"] {
            let out = desk.export(format, &["--unverified"]);
            let about = json(&out.join("picardc.json"));
            let refused = prompts.iter().filter(|prompt| is_refused(format, prompt)).count();
            let counted: u64 = about["left_out"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|one| one["count"].as_u64().expect("a number"))
                .sum();
            assert_eq!(counted, refused as u64, "{format}: {about}");
            for (number, prompt) in prompts.iter().enumerate() {
                let id = format!("plus-{}", number + 1);
                let found = match format {
                    "harbor" => fs::read_to_string(out.join(&id).join("instruction.md")).ok().map(|text| {
                        text.split_once("\n\n---\n\nWhen you are done").expect("the paragraph").0.to_owned()
                    }),
                    "lm-eval" => lines(&out.join("instances.jsonl"))
                        .iter()
                        .find(|line| line["id"] == *id)
                        .and_then(|line| line["input"].as_str().map(str::to_owned)),
                    _ => lines(&out.join("tests.jsonl"))
                        .iter()
                        .find(|line| line["description"] == *id)
                        .map(|line| rendered(line["vars"]["prompt"].as_str().expect("text"))),
                };
                assert_eq!(found.as_ref(), (!is_refused(format, prompt)).then_some(prompt), "{format}");
            }
        }
    }
}

/// What a template of promptfoo renders to: a string of Nunjucks, with a character that is replaced by `{`.
fn rendered(template: &str) -> String {
    let inner = template.strip_prefix("{% raw %}{% endraw %}{{ (\"").and_then(|rest| rest.strip_suffix(") | safe }}"));
    let inner = inner.expect("the frame");
    let (text, mark) = match inner.rsplit_once("\" | replace(\"") {
        Some((text, filter)) => (text, filter.chars().next()),
        None => (inner.strip_suffix('"').expect("the end of the string"), None),
    };
    let (mut out, mut chars) = (String::new(), text.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next().expect("an escape") {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                't' => out.push('\t'),
                other => out.push(other),
            },
            c => out.push(if Some(c) == mark { '{' } else { c }),
        }
    }
    out
}

#[test]
fn prompts_of_runs_are_unchanged() {
    for (desk, prompts) in bundles() {
        desk.does(0, &["run", "bundle", "--agent", "null", "-o", "run", "-q", "--unverified"]);
        desk.does(0, &["export", "eee", "run", "-o", "eee", "-q", "--unverified"]);
        let all = testing::read_files(desk.at("eee"));
        let samples = all.keys().find(|path| path.ends_with("_samples.jsonl")).expect("samples");
        let found = lines(&desk.at("eee").join(samples));
        for (sample, prompt) in found.iter().zip(&prompts) {
            assert_eq!(sample["input"]["raw"], prompt.as_str());
        }
        assert!(found.len() >= prompts.len());
    }
}

#[test]
fn paths_that_lead_out_of_the_folder_are_refused() {
    let desk = Desk::new(&["--inline", "--task", "total"]);
    let path = desk.at("bundle/instances.jsonl");
    let text = fs::read_to_string(&path).expect("readable").replace("in/it's orders.csv", "../../../../../out.csv");
    fs::write(&path, text).expect("written");
    for format in ["harbor", "croissant"] {
        let ran = desk.does(2, &["export", format, "bundle", "-o", "x/y/z", "--unverified"]);
        assert!(ran.err.contains("leads out of the folder"), "{}", ran.err);
    }
    assert!(!desk.at("x/y/z").exists() && !desk.at("out.csv").exists());
}

#[test]
fn ids_become_names_of_folders() {
    let desk = Desk::new(&["--task", "plus"]);
    let path = desk.at("bundle/instances.jsonl");
    let text = fs::read_to_string(&path).expect("readable").replace("\"plus-1\"", "\"../../it's {{x}}\"");
    fs::write(&path, text).expect("written");
    let out = desk.export("harbor", &["--unverified"]);
    let names: Vec<_> = testing::read_files(&out).into_keys().filter(|path| path.ends_with("task.toml")).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for name in names {
        let task = out.join(name).parent().expect("a folder").to_owned();
        assert_eq!(super::plain::reward(&task, true)["reward"], 1);
    }
}
