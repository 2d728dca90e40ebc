//! Every source of this repository that is right, as far as a grammar can tell: suites, the standard library, unusual suites, and what stands in
//! the manual and in the pages of codes.

use std::fs;
use std::path::Path;

use testing::list_below;

/// Writes each as a file of its own into a folder; how many there are.
pub fn write(root: &Path, folder: &Path) -> usize {
    let mut written = 0;
    let mut save = |path: &Path, text: &[u8]| {
        testing::write_in_folder(folder, &path.strip_prefix(root).expect("below").to_string_lossy(), text);
        written += 1;
    };
    for path in ["suites", "stdlib", "tests/mistakes/right"].iter().flat_map(|part| list_below(root.join(part), "pcd"))
    {
        save(&path, &fs::read(&path).expect("a source"));
    }
    for path in list_below(root.join("docs/src"), "md") {
        let page = fs::read_to_string(&path).expect("a page");
        for (line, source) in blocks(&page, syntactic(&path)) {
            save(&path.with_extension(format!("{line}.pcd")), source.as_bytes());
        }
    }
    written
}

/// Whether what fails on a page of a code fails because it cannot be read: codes E01…
fn syntactic(page: &Path) -> bool {
    page.parent().is_some_and(|folder| folder.ends_with("codes"))
        && page.file_name().is_some_and(|name| name.to_string_lossy().starts_with("E01"))
}

/// The blocks of a page that can be read, with their lines; excerpts are wrapped in what stands around them.
fn blocks(page: &str, failures_are_unreadable: bool) -> Vec<(usize, String)> {
    let mut out = Vec::new();
    let mut open: Option<(usize, Vec<&str>, String)> = None;
    for (index, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => open = Some((index + 1, words.split_whitespace().collect(), String::new())),
            (Some((_, _, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (Some(_), Some(_)) => {
                let Some((line, words, text)) = open.take() else { continue };
                let unreadable = words.contains(&"fail") && failures_are_unreadable
                    || words.iter().any(|word| word.starts_with("fail=E01"));
                if words.first() == Some(&"pcd") && !unreadable {
                    out.push((line, wrapped(&words, &text)));
                }
            }
            (None, None) => {}
        }
    }
    out
}

fn wrapped(words: &[&str], text: &str) -> String {
    if words.contains(&"task") {
        format!("task example {{\n{text}}}\n")
    } else if words.contains(&"columns") {
        format!("table example {{\n{text}}}\n")
    } else {
        text.to_owned()
    }
}
