//! Every code has a page; the page's wrong example (or a fixture in `tests/codes/<CODE>_…/main.pcd`, where one file cannot show it) gives
//! exactly that code, its right example gives nothing, and a snapshot shows source and message side by side. Each page has the same sections.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use compiler::diagnostics::{CODES, Code, Severity};

/// A fenced block of a page: the words behind the fence, and the text.
struct Block {
    kind: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some(Block { kind: kind.trim().to_owned(), text: String::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "an unclosed block:\n{page}");
    blocks
}

/// Lints whose names are reserved so that suites can already `allow` them: their pages say so.
fn is_planned(code: &Code) -> bool {
    code.page.contains("**Planned.**")
}

struct Said {
    codes: Vec<String>,
    human: String,
}

/// Checks (and, for what only a build can find, builds) a file in its own folder.
fn run(folder: &Path, file: &str, build: bool) -> Said {
    let picardc = |args: &[&str]| {
        let output = Command::new(testing::find_program()).current_dir(folder).args(args).output().expect("it starts");
        assert!(output.status.code().is_some_and(|code| code <= 2), "{args:?}: {output:?}");
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    if build {
        let (_, stderr) = picardc(&["build", file, "-o", "out", "--seed", "docs", "--quiet", "--threads", "1"]);
        let codes =
            stderr.lines().filter_map(|line| line.strip_prefix("error[")?.get(..5)).map(str::to_owned).collect();
        return Said { codes, human: stderr };
    }
    let (json, _) = picardc(&["check", file, "--format", "json"]);
    let codes = json
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["code"].as_str().expect("a code").to_owned()
        })
        .collect();
    let (out, err) = picardc(&["check", file]);
    Said { codes, human: format!("{out}{err}") }
}

fn fixture(code: &Code) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/codes");
    testing::list_entries(folder)
        .into_iter()
        .find(|path| path.is_dir() && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(code.id)))
}

#[test]
fn every_code_has_a_page_a_wrong_example_that_gives_it_and_a_right_one_that_gives_nothing() {
    let mut wrong = Vec::new();
    for code in CODES {
        let head = format!("# {} {}", code.id, code.name);
        if code.page.lines().next() != Some(head.as_str()) {
            wrong.push(format!("{}: the page does not begin with `{head}`", code.id));
            continue;
        }
        // `selftest` alone says a weak answer: `examples` tests it.
        if is_planned(code) || code.name == "weak_answer" {
            continue;
        }
        let temp = tempfile::tempdir().expect("temp");
        let blocks = blocks(code.page);
        let said = match (
            fixture(code),
            blocks.iter().find(|block| block.kind.starts_with("pcd ") && block.kind.ends_with("fail")),
        ) {
            (Some(fixture), _) => run(&fixture, "main.pcd", false),
            (None, Some(block)) => {
                fs::write(temp.path().join("wrong.pcd"), &block.text).expect("written");
                run(temp.path(), "wrong.pcd", block.kind == "pcd build-fail")
            }
            (None, None) => {
                wrong.push(format!("{}: no wrong example", code.id));
                continue;
            }
        };
        if said.codes.is_empty() || said.codes.iter().any(|said| said != code.id) {
            wrong.push(format!("{}: the wrong example gives {:?}\n{}", code.id, said.codes, said.human));
        }
        let shown = match blocks.iter().find(|block| block.kind.ends_with("fail")) {
            Some(block) => format!("{}\n────\n{}", block.text, said.human),
            None => said.human,
        };
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("codes/snapshots");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(format!("{}_{}", code.id, code.name), shown));
        let rights: Vec<&Block> = blocks.iter().filter(|block| block.kind == "pcd").collect();
        if rights.is_empty() {
            wrong.push(format!("{}: no right example", code.id));
        }
        for right in rights {
            fs::write(temp.path().join("right.pcd"), &right.text).expect("written");
            let said = run(temp.path(), "right.pcd", false);
            if !said.codes.is_empty() {
                wrong.push(format!("{}: the right example gives {:?}\n{}", code.id, said.codes, said.human));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The headings of a page and the text below each, without fenced blocks.
fn sections(page: &str) -> Vec<(&str, String)> {
    let mut sections: Vec<(&str, String)> = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        match (line.strip_prefix("## "), sections.last_mut()) {
            (Some(heading), _) if !fenced => sections.push((heading, String::new())),
            (_, Some((_, text))) if !fenced && !is_fence => text.push_str(line.trim()),
            _ => {}
        }
    }
    sections
}

#[test]
fn every_page_says_how_to_fix_the_mistake_and_when_to_allow_a_lint() {
    let mut wrong = Vec::new();
    for code in CODES {
        let sections = sections(code.page);
        let headings: Vec<&str> = sections.iter().map(|(heading, _)| *heading).collect();
        let wanted: &[&str] = match code.severity {
            Severity::Error => &["What", "Why", "Wrong", "Right", "How to fix it", "Guide"],
            Severity::Warning => &["What", "Why", "Wrong", "Right", "How to fix it", "When to allow it", "Guide"],
        };
        if headings != wanted {
            wrong.push(format!("{}: the sections are {headings:?}, not {wanted:?}", code.id));
        }
        let is_example = |heading: &str| matches!(heading, "Wrong" | "Right");
        for (heading, _) in sections.iter().filter(|(heading, text)| !is_example(heading) && text.is_empty()) {
            wrong.push(format!("{}: \"{heading}\" is empty", code.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ids_and_names_are_unique_and_pages_have_codes() {
    for (index, code) in CODES.iter().enumerate() {
        assert!(CODES[..index].iter().all(|other| other.id < code.id && other.name != code.name), "{}", code.id);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/codes");
    for entry in testing::list_entries(folder) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let id = name.strip_suffix(".md").unwrap_or(&name).to_owned();
        assert!(CODES.iter().any(|code| code.id == id), "docs/src/codes/{name} has no code");
    }
}
