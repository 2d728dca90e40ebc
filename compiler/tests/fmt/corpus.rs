//! Every source in the repository.

use std::fs;
use std::path::PathBuf;

use crate::fmt::hold::hold;

/// The sources below a folder of the repository; what is not text there is not for reading.
pub fn sources(folder: &str) -> Vec<(String, String)> {
    let read = |path: PathBuf| Some((path.display().to_string(), String::from_utf8(fs::read(&path).unwrap()).ok()?));
    testing::list_below(testing::root().join(folder), "pcd").into_iter().filter_map(read).collect()
}

fn holds(sources: &[(String, String)]) -> usize {
    let mut formatted = 0;
    for (name, source) in sources {
        match hold(source) {
            Ok(after) => formatted += usize::from(after.is_some()),
            Err(why) => panic!("{name}: {why}"),
        }
        let windows =
            format!("\u{FEFF}{}", source.trim_start_matches("\u{FEFF}").replace("\r\n", "\n").replace('\n', "\r\n"));
        assert_eq!(
            compiler::fmt::format_source(&windows),
            compiler::fmt::format_source(source),
            "{name}: line ends and byte order mark"
        );
    }
    formatted
}

#[test]
fn what_ships_is_in_canonical_layout() {
    for (name, source) in [sources("suites"), sources("stdlib")].concat() {
        let after = hold(&source).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(after.as_deref() == Some(source.as_str()), "{name} is not formatted: run `picardc fmt suites stdlib`");
    }
}

#[test]
fn every_source_of_the_tests_holds() {
    let formatted = holds(&[sources("tests"), sources("compiler/tests"), sources("runtime")].concat());
    assert!(formatted > 150, "{formatted} sources only: are they found?");
}

/// What stands in `pcd` fences of the manual: whole files, or parts in what holds them.
#[test]
fn every_example_of_the_manual_holds() {
    let mut examples = Vec::new();
    for path in testing::list_below(testing::root().join("docs"), "md") {
        let text = fs::read_to_string(&path).unwrap();
        let mut parts = text.split("```");
        while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
            let Some((fence, code)) = block.split_once('\n') else { continue };
            let words: Vec<&str> = fence.split_whitespace().collect();
            let source = match words.as_slice() {
                ["pcd", rest @ ..] if rest.contains(&"task") => format!("task t {{\n{code}}}\n"),
                ["pcd", rest @ ..] if rest.contains(&"columns") => format!("table t {{\n{code}}}\n"),
                ["pcd", ..] => code.to_owned(),
                _ => continue,
            };
            examples.push((path.display().to_string(), source));
        }
    }
    let formatted = holds(&examples);
    assert!(formatted > 200, "{formatted} of {} examples only: are they found?", examples.len());
}
