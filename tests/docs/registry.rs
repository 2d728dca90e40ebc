//! No command installs what is on no registry: somebody else could put anything there under that name.

use std::fs;
use std::path::{Path, PathBuf};

use testing::root;

/// Folders and files with texts that people and programs follow.
const TEXTS: [&str; 5] = ["README.md", "bindings", "cli", "docs/src", "suites"];

/// Our distributions.
const OURS: [&str; 3] = ["picardc", "picardc-cli", "picardc-verifiers"];

fn walk(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        let endings = ["md", "rs", "py", "pyi", "toml", "json", "sh", "cjs"];
        if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
            found.push(path.to_owned());
        }
        return;
    }
    for entry in fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with('.') && !["node_modules", "target", "__pycache__"].contains(&name) {
            walk(&path, found);
        }
    }
}

/// The first of our distributions that an installation on this line names.
fn installed_by_name(line: &str) -> Option<&'static str> {
    let (_, words) = line.split_once("pip install").or_else(|| line.split_once("uv add"))?;
    let words = words.split(" #").next()?;
    if words.contains("--no-index") {
        return None;
    }
    let names = words
        .split(|c: char| c.is_whitespace() || "'\"`,;()".contains(c))
        .map(|word| word.split(['[', '=', '<', '>', '~']).next());
    names.flatten().find_map(|name| OURS.into_iter().find(|ours| *ours == name))
}

#[test]
fn nothing_is_installed_by_a_name_of_ours() {
    for (line, expected) in [
        ("pip install picardc", Some("picardc")),
        ("RUN pip install --no-cache-dir \"picardc-cli==0.1.0\"", Some("picardc-cli")),
        ("    raise ImportError(\"use: pip install 'picardc[hf]'\")", Some("picardc")),
        ("pip install target/dist/*.whl ./bindings/python/verifiers", None),
        ("pip install --no-index --find-links /tests picardc-cli==0.1.0", None),
        ("picardc needs pyarrow: pip install pyarrow", None),
        ("pip install target/dist/*.whl  # the command `picardc`", None),
    ] {
        assert_eq!(installed_by_name(line), expected, "{line}");
    }
    let mut files = Vec::new();
    TEXTS.iter().for_each(|path| walk(&root().join(path), &mut files));
    assert!(files.len() > 300, "{}", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            assert_eq!(installed_by_name(line), None, "{}:{number}: {line}", path.display());
        }
    }
}
