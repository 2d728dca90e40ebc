//! Who imports whom: ARCHITECTURE.md, held against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use testing::{list_below, root};

/// A crate as cargo knows it.
struct Package {
    /// As other crates name it.
    name: String,
    /// Below the root; empty for the root itself.
    folder: String,
    /// Our crates that it imports, but for its tests.
    imports: BTreeSet<String>,
}

/// The crates of the workspace.
fn list_packages() -> Vec<Package> {
    let output = testing::create_cargo_command()
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let short = |name: &serde_json::Value| name.as_str().expect("a name").trim_start_matches("picard-").to_owned();
    let read = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        // What tests alone need is their business.
        let product = dependencies.filter(|dependency| dependency["kind"] != "dev");
        let ours =
            product.filter(|dependency| dependency["name"].as_str().is_some_and(|name| name.starts_with("picard")));
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder").strip_prefix(root()).expect("below the root");
        Package {
            name: short(&package["name"]),
            folder: folder.to_string_lossy().replace('\\', "/"),
            imports: ours.map(|dependency| short(&dependency["name"])).collect(),
        }
    };
    metadata["packages"].as_array().expect("packages").iter().map(read).collect()
}

/// The page that describes them.
fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a page")
}

#[test]
fn crates_import_only_what_stands_above_them() {
    let page = architecture();
    let picture = page.split_once("## Rooms").and_then(|(_, rest)| rest.split("```").nth(1)).expect("a picture");
    // Without the names of the folders.
    let lines = picture.trim_start_matches('\n').lines().skip(1);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, names) in lines.enumerate() {
        for name in names.split_whitespace() {
            assert_eq!(places.insert(name, line), None, "{name} stands twice in the picture");
        }
    }
    let packages = list_packages();
    assert_eq!(packages.len(), places.len(), "the picture of ARCHITECTURE.md has each crate once");
    for package in packages {
        // The crate of what tests share has another name than its folder.
        let name = if package.folder == "tests/support" { "support" } else { &package.name };
        let own = *places.get(name).unwrap_or_else(|| panic!("{name} is not in the picture"));
        for other in &package.imports {
            assert!(places.get(other.as_str()).is_some_and(|place| *place < own), "{name} may not import {other}");
        }
    }
}

#[test]
fn crates_import_what_the_table_says() {
    let page = architecture();
    for package in list_packages() {
        let folder = if package.folder.is_empty() { "cli" } else { &package.folder };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{folder}/` |")));
        let cell = row.and_then(|row| row.rsplit('|').nth(1)).unwrap_or_default();
        if cell.trim() == "everything above it" {
            continue;
        }
        let told: BTreeSet<String> = cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(told, package.imports, "the row of `{folder}/` in ARCHITECTURE.md");
    }
}

/// pest stays inside the parser's folder; miette inside the renderer's.
#[test]
fn libraries_stay_in_their_rooms() {
    let root = root();
    for (library, folder, room) in [
        ("pest", "compiler", "compiler/syntax/src/parse"),
        ("miette", "cli", "cli/render"),
        ("sqlparser", "compiler", "compiler/sql/src"),
    ] {
        for file in list_below(root.join(folder), "rs") {
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
    let output = testing::create_cargo_command()
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
    for file in
        ["bindings/api/src", "harness/analysis/src"].into_iter().flat_map(|folder| list_below(root.join(folder), "rs"))
    {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let threads = (!file.ends_with("harness/analysis/src/samples.rs")).then_some("std::thread");
        let words = ["std::fs", "std::io", "std::env", "std::time", "std::net", "std::process", "println"];
        for words in words.into_iter().chain(threads) {
            assert!(!text.contains(words), "{} has {words}", file.display());
        }
        let state = text.lines().find(|line| line.trim_start().trim_start_matches("pub ").starts_with("static "));
        assert!(state.is_none(), "{} has {state:?}", file.display());
    }
}

/// The folders with sources of the product.
fn product_folders() -> impl Iterator<Item = String> {
    testing::source_folders().into_iter().filter(|folder| !folder.starts_with("tests/"))
}

/// A connection that is opened elsewhere has no bounds; unsafe code elsewhere has no reason.
#[test]
fn sqlite_is_opened_and_unsafe_code_written_in_one_place() {
    let root = root();
    let mut opens = Vec::new();
    for folder in product_folders() {
        for file in list_below(root.join(folder), "rs") {
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
    assert_eq!(
        opens,
        ["Connection::open in runtime/sqlite/src/database.rs", "allow(unsafe_code) in runtime/sqlite/src/ffi.rs"]
    );
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
    for folder in product_folders() {
        for file in list_below(root.join(folder), "rs") {
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
    let mut names: Vec<String> = testing::list_entries(root()).into_iter().filter_map(name).collect();
    names.retain(|name| !name.starts_with('.'));
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
    let architecture = architecture();
    let crates = testing::source_folders().into_iter().map(|folder| folder.trim_end_matches("/src").to_owned());
    for folder in folders().into_iter().chain(crates) {
        assert!(architecture.contains(&format!("| `{folder}/` |")), "ARCHITECTURE.md has no row for `{folder}/`");
    }
    let tests = read("tests/README.md");
    for entry in testing::list_entries(root.join("tests")) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let name = name.trim_end_matches(".rs");
        assert!(
            name == "README.md" || tests.contains(&format!("| `{name}` |")),
            "tests/README.md has no row for `{name}`"
        );
    }
}

/// A path in a page for contributors is that of a file, or its end (`lex/sql.rs`); a path of a folder begins with one of the rooms.
#[test]
fn named_paths_exist() {
    let folders = folders();
    let list =
        |folder: &String| ["rs", "md", "pest", "pcd"].map(|ending| testing::list_below(root().join(folder), ending));
    let paths: Vec<PathBuf> = folders.iter().flat_map(|folder| list(folder).concat()).collect();
    let name = |path: &PathBuf| format!("/{}", path.strip_prefix(root()).expect("below").display()).replace('\\', "/");
    let files: Vec<String> = paths.iter().map(name).collect();
    let mut checked = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "grammar/README.md", "stdlib/README.md"] {
        let text = std::fs::read_to_string(root().join(page)).expect("a page");
        for path in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|path| path.contains('/') && !path.contains("NAME") && !path.contains('{'))
        {
            let is_file = [".rs", ".md", ".pest", ".pcd"].iter().any(|ending| path.ends_with(ending));
            let is_folder = path.ends_with('/') && folders.iter().any(|folder| path.starts_with(&format!("{folder}/")));
            if is_file || is_folder {
                let exists = |file: &String| {
                    if is_file { file.ends_with(&format!("/{path}")) } else { file.starts_with(&format!("/{path}")) }
                };
                assert!(files.iter().any(exists), "{page} names `{path}`, which does not exist");
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

/// The tables of tests/README.md name tests that exist.
#[test]
fn named_tests_exist() {
    let text = std::fs::read_to_string(root().join("tests/README.md")).expect("a page");
    let (_, tables) = text.split_once("\n## ").expect("a section");
    let paths = folders()
        .into_iter()
        .flat_map(|folder| ["rs", "py"].map(|ending| testing::list_below(root().join(&folder), ending)).concat());
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
