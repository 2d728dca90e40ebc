//! The manual says what is so: its suites compile (or fail as they say) and build, its commands print what is shown, its reference pages are
//! made from the compiler's own tables.
//!
//! `UPDATE_DOCS=1 cargo test --test it docs::` rewrites what is generated: `docs/src/reference/{functions,domains,tables,diagnostics}.md`, the diagnostics in
//! `docs/src/SUMMARY.md`, the domains on the language card, drafts of rows for new matchers, and shown output.
//!
//! What the words after a fence mean:
//!
//! | fence | is |
//! | --- | --- |
//! | `pcd` | a whole suite: no diagnostic, and every instance of three samples builds |
//! | `pcd items` | what stands at top level: domains, tables, constants |
//! | `pcd task` | statements of a task; a `prompt` and an `expect` are added where it has none |
//! | `pcd columns` | columns of a CSV file of ten rows |
//! | `pcd task given` | the same as `task`, and in front of every later `pcd task` of its page |
//! | `… fail=E0203` | gives that code and no other, when checked or built |
//! | `… file=NAME` | is saved under NAME for what follows on the page (`text file=NAME` for word lists) |
//! | `sh` | run as a whole, if a line begins with `picardc`; it ends well, or with `exit=N` |
//! | `sh run` | run, though no line begins with `picardc` |
//! | `sh not-run=REASON` | not run, because a test does not have what it needs |
//! | `text output` | what the `sh` above prints on both streams; `output=N`: its first N lines |
//! | `json output` | the same, one JSON value, laid out |

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testing::{list_below, root};

mod blocks;
mod card;
mod cookbook;
mod matchers;
mod reference;
mod registry;
mod shell;
mod suites;

use blocks::{Page, blocks};

fn updating() -> bool {
    testing::is_switched_on("UPDATE_DOCS")
}

/// Every chapter, by path from the root.
fn chapters() -> Vec<PathBuf> {
    let out = list_below(root().join("docs/src"), "md");
    assert!(out.len() > 10, "the chapters are not there");
    out
}

/// What is run: the README, the language card, and every chapter, but the pages of codes, which `tests/codes.rs` runs.
fn pages() -> Vec<PathBuf> {
    let codes = root().join("docs/src/codes");
    let chapters = chapters().into_iter().filter(|path| !path.starts_with(&codes));
    ["README.md", card::PAGE].map(|page| root().join(page)).into_iter().chain(chapters).collect()
}

/// Where links are followed: every page, and what contributors read.
fn followed() -> Vec<PathBuf> {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/llms.txt", card::PAGE];
    let top = top.map(|name| root().join(name));
    top.into_iter().chain(chapters()).collect()
}

fn named(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn suites_and_commands_of_the_manual_do_what_it_says() {
    let mut wrong = Vec::new();
    let mut suites = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let mut page = Page::new(&text);
        // Behind a command whose tool is missing, a page's commands have nothing to stand on.
        let mut skipped = false;
        for block in blocks(&text) {
            if block.language() == "sh" && !skipped && shell::lacks_python(&block) {
                eprintln!(
                    "skipped: the commands of {} from line {} on: python3 is not installed",
                    named(&path),
                    block.line
                );
                skipped = true;
            }
            if skipped && matches!(block.language(), "sh" | "text" | "json") {
                continue;
            }
            let place = format!("{}:{}", named(&path), block.line);
            let said = match block.language() {
                "pcd" => {
                    suites += 1;
                    suites::hold(&mut page, &block)
                }
                "sh" => shell::run(&mut page, &block),
                "python" => shell::save(&mut page, &block),
                "text" => shell::compare(&mut page, &block),
                "json" => shell::compare_json(&mut page, &block),
                _ => Ok(()),
            };
            wrong.extend(said.err().map(|why| format!("{place}: {why}")));
        }
        if updating() && page.text() != text {
            fs::write(&path, page.text()).expect("written");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(suites > 50, "{suites} blocks only: are they found?");
}

/// Compares a generated page with the committed one, or rewrites it.
fn fresh(path: &str, text: &str) {
    let file = root().join(path);
    if updating() {
        fs::write(&file, text).expect("written");
        return;
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    let first = there
        .lines()
        .zip(text.lines())
        .position(|(a, b)| a != b)
        .unwrap_or(there.lines().count().min(text.lines().count()));
    assert!(
        there == text,
        "{path} is stale from line {}:\n  is     {:?}\n  wanted {:?}\nUPDATE_DOCS=1 cargo test --test it docs:: rewrites it",
        first + 1,
        there.lines().nth(first).unwrap_or(""),
        text.lines().nth(first).unwrap_or(""),
    );
}

#[test]
fn the_generated_pages_are_fresh() {
    fresh("docs/src/reference/functions.md", &reference::functions());
    fresh("docs/src/reference/domains.md", &reference::domains());
    fresh("docs/src/reference/tables.md", &reference::tables());
    fresh("docs/src/reference/diagnostics.md", &reference::diagnostics());
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).expect("the summary");
    fresh("docs/src/SUMMARY.md", &reference::summary(&summary));
}

#[test]
fn every_recipe_of_the_cookbook_is_short_sound_and_not_weak() {
    let pages = cookbook::pages();
    let wrong: Vec<String> = pages.iter().flat_map(|path| cookbook::faults(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(pages.len() >= 20, "{} recipes", pages.len());
    let index = fs::read_to_string(root().join("docs/src/cookbook/index.md")).expect("the index");
    let listed: BTreeSet<String> = blocks::links(&index).into_iter().collect();
    let unlisted = pages.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| !listed.contains(*name));
    assert_eq!(unlisted.collect::<Vec<_>>(), Vec::<&str>::new(), "they are not in the index");
}

#[test]
fn the_language_card_is_short_and_has_every_word() {
    if updating() {
        card::write_missing();
    }
    let text = card::text();
    let tokens = model::tokens::count_tokens(&text);
    assert!(tokens <= card::TOKENS, "{tokens} tokens of cl100k_base, more than {}", card::TOKENS);
    assert_eq!(card::faults(&text), Vec::<String>::new());
    let wrong: Vec<String> = card::suites(&text).iter().flat_map(|source| card::weak(source)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_for_models_has_the_form_of_llmstxt() {
    let text = fs::read_to_string(root().join("docs/llms.txt")).expect("the list");
    let mut lines = text.lines().filter(|line| !line.is_empty());
    assert_eq!(lines.next(), Some("# picardc"), "the name of the project");
    assert!(lines.next().is_some_and(|line| line.starts_with("> ")), "a summary in one quoted line");
    let mut in_lists = false;
    for line in lines {
        in_lists |= line.starts_with("## ");
        assert!(!in_lists || line.starts_with("## ") || line.starts_with("- ["), "a heading or a link: {line}");
        assert!(!line.starts_with("### "), "headings have one level: {line}");
    }
}

#[test]
fn every_cell_of_the_table_of_matchers_is_so() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3, which changes a database for one row, is not installed");
        return;
    }
    let (count, wrong) = matchers::run();
    assert!(wrong.is_empty(), "{} of {count} cells\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 100, "{count} cells");
    assert_eq!(matchers::missing(), Vec::<String>::new(), "matchers without a row");
}

#[test]
fn every_matcher_has_a_row_in_the_tables_of_matchers() {
    assert_eq!(matchers::unlisted(), Vec::<String>::new(), "UPDATE_DOCS=1 drafts the rows: read them, and say more");
}

#[test]
fn every_functions_example_compiles_and_has_a_value() {
    let mut wrong = Vec::new();
    for (name, example) in reference::examples() {
        let tried = [include_str!("docs/relations.pcd"), include_str!("docs/values.pcd")]
            .map(|given| suites::holds(&format!("{given}\n  it = {example}\n}}\n")));
        if let [Err(with_relations), Err(with_values)] = tried {
            wrong.push(format!("{name}: {example}\nwith relations: {with_relations}\nwith values: {with_values}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_chapter_is_in_the_summary_and_no_link_is_broken() {
    let folder = root().join("docs/src");
    let mut linked = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in followed() {
        let text = fs::read_to_string(&path).expect("a page");
        let home = path.parent().expect("a folder");
        for target in blocks::links(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let there = if file.is_empty() { path.clone() } else { home.join(file) };
            let Ok(there) = there.canonicalize() else {
                wrong.push(format!("{}: no such file: {target}", named(&path)));
                continue;
            };
            if !anchor.is_empty() && !blocks::anchors(&fs::read_to_string(&there).unwrap_or_default()).contains(anchor)
            {
                wrong.push(format!("{}: no such heading: {target}", named(&path)));
            }
            if path == folder.join("SUMMARY.md") {
                linked.insert(there);
            }
        }
    }
    for path in chapters() {
        let real = path.canonicalize().expect("it is there");
        if !path.ends_with("SUMMARY.md") && !linked.contains(&real) {
            wrong.push(format!("{} is not in SUMMARY.md", named(&path)));
        }
        let is_code = path.starts_with(folder.join("codes"));
        if is_code && !fs::read_to_string(&path).expect("a page").contains("\n## Guide\n\n[") {
            wrong.push(format!("{} has no link to its guide", named(&path)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
