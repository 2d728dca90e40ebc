//! Every source of this repository that is right, as far as a grammar can tell: suites, the standard library, unusual suites, and what stands in
//! the manual and in the pages of codes.

use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder, by path from it, with their bytes.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    fn walk(folder: &Path, root: &Path, out: &mut Vec<(PathBuf, Vec<u8>)>) {
        let mut entries: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, root, out);
            } else {
                let name = path.strip_prefix(root).expect("below").to_owned();
                out.push((name, fs::read(&path).expect("a file")));
            }
        }
    }
    let mut out = Vec::new();
    walk(folder, folder, &mut out);
    out
}

/// Writes each as a file of its own into a folder; how many there are.
pub fn write(root: &Path, folder: &Path) -> usize {
    let mut written = 0;
    let mut save = |name: &Path, text: &[u8]| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
        written += 1;
    };
    for part in ["suites", "stdlib", "tests/mistakes/right"] {
        for (name, text) in files(&root.join(part)) {
            if name.extension().is_some_and(|extension| extension == "pcd") {
                save(&Path::new(part).join(name), &text);
            }
        }
    }
    let manual = Path::new("docs/src");
    for (name, text) in files(&root.join(manual)) {
        if name.extension().is_some_and(|extension| extension == "md") {
            let page = String::from_utf8(text).expect("UTF-8");
            for (line, source) in blocks(&page, syntactic(&name)) {
                save(&manual.join(name.with_extension(format!("{line}.pcd"))), source.as_bytes());
            }
        }
    }
    written
}

/// Whether what fails on a page of a code fails because it cannot be read: codes E01…
fn syntactic(name: &Path) -> bool {
    name.starts_with("codes") && name.file_name().is_some_and(|name| name.to_string_lossy().starts_with("E01"))
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
