//! Who may import whom (ARCHITECTURE.md), held over `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

use testing::{below, root};

#[test]
fn crates_import_only_what_the_architecture_allows() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("picard-plan", &[][..]),
        ("picard-disk", &["picard-plan"]),
        ("picard-tabular", &["picard-plan"]),
        ("picard-compiler", &["picard-plan", "picard-tabular"]),
        ("picard-sqlite", &["picard-plan"]),
        ("picard-runtime", &["picard-plan", "picard-disk", "picard-sqlite", "picard-tabular"]),
        ("picard-records", &["picard-plan", "picard-disk"]),
        ("picard-lsp", &["picard-plan", "picard-compiler", "picard-runtime"]),
        ("picard-score", &["picard-plan", "picard-records", "picard-sqlite", "picard-tabular"]),
        (
            "picard-api",
            &[
                "picard-plan",
                "picard-disk",
                "picard-sqlite",
                "picard-compiler",
                "picard-runtime",
                "picard-records",
                "picard-score",
            ],
        ),
        ("picard-host", &["picard-disk", "picard-sqlite", "picard-compiler", "picard-runtime", "picard-api"]),
        (
            "picard-python",
            &["picard-plan", "picard-records", "picard-runtime", "picard-api", "picard-analysis", "picard-host"],
        ),
        (
            "picard-wasm",
            &[
                "picard-plan",
                "picard-sqlite",
                "picard-compiler",
                "picard-runtime",
                "picard-score",
                "picard-api",
                "picard-analysis",
                "picard-lsp",
            ],
        ),
        (
            "picard-analysis",
            &[
                "picard-plan",
                "picard-disk",
                "picard-runtime",
                "picard-records",
                "picard-score",
                "picard-api",
                "picard-statistics",
            ],
        ),
        ("picard-statistics", &[]),
        (
            "picard-agent",
            &[
                "picard-plan",
                "picard-disk",
                "picard-records",
                "picard-score",
                "picard-sqlite",
                "picard-statistics",
                "picard-tabular",
            ],
        ),
        ("picard-report", &["picard-plan", "picard-disk", "picard-records", "picard-statistics"]),
        ("picard-testing", &["picard-plan", "picard-compiler", "picard-runtime", "picard-api"]),
        // A tool of the tests, which uses the command as they do.
        ("picard-mutants", &["picard-compiler", "picardc"]),
        (
            "picardc",
            &[
                "picard-plan",
                "picard-disk",
                "picard-sqlite",
                "picard-tabular",
                "picard-compiler",
                "picard-runtime",
                "picard-records",
                "picard-score",
                "picard-api",
                "picard-host",
                "picard-analysis",
                "picard-agent",
                "picard-report",
                "picard-lsp",
                "picard-statistics",
            ],
        ),
    ]);
    let packages = metadata["packages"].as_array().expect("packages");
    assert_eq!(packages.len(), allowed.len(), "a new crate needs a line here and in ARCHITECTURE.md");
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let ours = package["dependencies"].as_array().expect("dependencies").iter();
        // What tests alone need is their business. No list has `picard-testing`, so no product can need it.
        let ours = ours.filter(|dependency| dependency["kind"] != "dev");
        for dependency in
            ours.filter_map(|dependency| dependency["name"].as_str()).filter(|name| name.starts_with("picard"))
        {
            assert!(allowed[name].contains(&dependency), "{name} may not import {dependency}");
        }
    }
}

/// pest stays inside the parser's folder; miette inside the renderer's.
#[test]
fn libraries_stay_in_their_rooms() {
    let root = root();
    for (library, folder, room) in [
        ("pest", "compiler/src", "compiler/src/parse"),
        ("miette", "src", "src/render"),
        ("sqlparser", "compiler/src", "compiler/src/sql"),
    ] {
        for file in below(root.join(folder), "rs") {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let uses = text.lines().any(|line| {
                line.trim_start().starts_with(&format!("use {library}"))
                    || line.contains(&format!("{library}::")) && !line.trim_start().starts_with("//")
            });
            assert!(!uses || file.starts_with(root.join(room)), "{} uses {library}", file.display());
        }
    }
}

/// Who embeds picardc gets neither its command line, nor its network, nor its terminal.
#[test]
fn the_crates_for_embedding_stay_small() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "picard-api",
            "--package",
            "picard-analysis",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(crates.contains("picard-sqlite"), "{tree}");
    for unwanted in ["clap", "ureq", "rustls", "miette", "indicatif", "ctrlc", "landlock", "lsp-server"] {
        assert!(!crates.contains(unwanted), "picard-api or picard-analysis depends on {unwanted}");
    }
}

/// They reach files through the host that they are given, and read no clock; threads are started where samples are made, if the caller says so.
#[test]
fn the_crates_for_embedding_do_no_io() {
    let root = root();
    for file in ["api/src", "analysis/src"].into_iter().flat_map(|folder| below(root.join(folder), "rs")) {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let threads = (!file.ends_with("analysis/src/samples.rs")).then_some("std::thread");
        let words = ["std::fs", "std::io", "std::env", "std::time", "std::net", "std::process", "println"];
        for words in words.into_iter().chain(threads) {
            assert!(!text.contains(words), "{} has {words}", file.display());
        }
        let state = text.lines().find(|line| line.trim_start().trim_start_matches("pub ").starts_with("static "));
        assert!(state.is_none(), "{} has {state:?}", file.display());
    }
}

/// A connection that is opened elsewhere has no bounds; unsafe code elsewhere has no reason.
#[test]
fn sqlite_is_opened_and_unsafe_code_written_in_one_place() {
    let root = root();
    let mut opens = Vec::new();
    for folder in [
        "agent", "analysis", "api", "compiler", "lsp", "plan", "records", "report", "runtime", "score", "sqlite",
        "wasm", ".",
    ] {
        for file in below(root.join(folder).join("src"), "rs") {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            for words in ["Connection::open", "allow(unsafe_code)", "from_handle("] {
                if product.contains(words) {
                    let place = file.strip_prefix(root).expect("below").display().to_string().replace('\\', "/");
                    opens.push(format!("{words} in {}", place.trim_start_matches("./")));
                }
            }
        }
    }
    opens.sort();
    assert_eq!(opens, ["Connection::open in sqlite/src/database.rs", "allow(unsafe_code) in sqlite/src/ffi.rs"]);
}

/// The functions of the C library differ in the last digit from machine to machine, and with them keys and reports would; `libm` has the same bits
/// everywhere. Those that IEEE 754 defines to the bit (`sqrt`, `round`, `mul_add`, …) are not among them.
#[test]
fn functions_of_real_numbers_come_from_libm() {
    let root = root();
    let mut names: Vec<String> = [
        "ln", "ln_1p", "log2", "log10", "exp", "exp2", "exp_m1", "sin", "cos", "tan", "sin_cos", "asin", "acos",
        "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt",
    ]
    .iter()
    .flat_map(|name| [format!(".{name}()"), format!("f64::{name}"), format!("f32::{name}")])
    .collect();
    names.extend(["powi", "powf", "atan2", "hypot"].map(|name| format!(".{name}(")));
    let mut read = 0;
    for folder in [
        "agent",
        "analysis",
        "api",
        "compiler",
        "disk",
        "host",
        "lsp",
        "plan",
        "python",
        "records",
        "report",
        "runtime",
        "score",
        "sqlite",
        "statistics",
        "tabular",
        "wasm",
        ".",
    ] {
        for file in below(root.join(folder).join("src"), "rs") {
            // Modules of tests alone.
            if file.ends_with("runtime/src/generate/golden.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source file");
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in product.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let found = names.iter().find(|name| line.contains(name.as_str()));
                assert!(found.is_none(), "{}: {}: use libm", file.display(), line.trim());
            }
            read += 1;
        }
    }
    assert!(read > 300, "{read} files");
}

/// The folders of the repository, by name.
fn folders() -> Vec<String> {
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.to_owned()).filter(|_| path.is_dir());
    let mut names: Vec<String> = testing::entries(root()).into_iter().filter_map(name).collect();
    names.retain(|name| !name.starts_with('.') && name != "target");
    names
}

/// What stands twice came from a merge; what is missing was forgotten.
#[test]
fn pages_for_contributors_name_everything_once() {
    let root = root();
    let read = |page: &str| std::fs::read_to_string(root.join(page)).expect("a page");
    for page in ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "tests/README.md"] {
        let text = read(page);
        let mut seen = BTreeSet::new();
        for line in text.lines().filter(|line| line.len() > 30) {
            assert!(seen.insert(line), "{page} has this line twice: {line}");
        }
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let mut named = BTreeSet::new();
        for row in rows {
            assert!(named.insert(row), "{page} has two rows for `{row}`");
        }
    }
    let architecture = read("ARCHITECTURE.md");
    for folder in folders() {
        assert!(architecture.contains(&format!("| `{folder}/` |")), "ARCHITECTURE.md has no row for `{folder}/`");
    }
    let tests = read("tests/README.md");
    for entry in testing::entries(root.join("tests")) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let name = name.trim_end_matches(".rs");
        assert!(
            name == "README.md" || tests.contains(&format!("| `{name}` |")),
            "tests/README.md has no row for `{name}`"
        );
    }
}

/// The tables of tests/README.md name tests that exist.
#[test]
fn named_tests_exist() {
    let text = std::fs::read_to_string(root().join("tests/README.md")).expect("a page");
    let (_, tables) = text.split_once("\n## ").expect("a section");
    let paths = folders()
        .into_iter()
        .flat_map(|folder| ["rs", "py"].map(|ending| testing::below(root().join(&folder), ending)).concat());
    let read = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    let sources: String = paths.map(read).collect();
    let mut checked = 0;
    for line in tables.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let named = line.rsplit('|').nth(1).unwrap_or_default();
        for name in named.split('`').skip(1).step_by(2) {
            let exists = ["fn", "def"].iter().any(|word| sources.contains(&format!("{word} {name}(")));
            assert!(exists, "no test is called `{name}`: {line}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
