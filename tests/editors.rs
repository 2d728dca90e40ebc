//! What editors get: the tree-sitter grammar (`grammar/tree-sitter-pcd`), the extension of VS Code (`bindings/editors/vscode`), and `picardc lsp` in real clients:
//! one of a few lines over the protocol, Neovim, and Emacs.
//!
//! Each test needs tools that a machine for Rust may not have, and says that it skips, and why. `PICARDC_EDITORS=1` lets them install: npm's packages
//! into `bindings/editors/vscode/node_modules`, the `tree-sitter` command into `target/tree-sitter`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use testing::{CommandOutput, Environment, root};

mod sources;

/// Reads parsers of ABI 13 to 15.
const TREE_SITTER: Environment = Environment {
    folder: "tree-sitter-venv",
    packages: &["tree-sitter==0.25.2"],
    probe: "import tree_sitter; tree_sitter.QueryCursor",
};

/// The command's version: another may generate other text.
const TREE_SITTER_CLI: &str = "0.27.1";

fn may_install() -> bool {
    testing::is_switched_on("PICARDC_EDITORS")
}

/// The last words of a tool that does not start, or that fails.
fn tried(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let ran = CommandOutput::from(output);
    if ran.status.success() { Ok(ran.join_output()) } else { Err(ran.join_output()) }
}

/// Runs a tool that must end well.
fn must(command: &mut Command) -> String {
    tried(command).unwrap_or_else(|why| panic!("{command:?}\n{why}"))
}

fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

#[test]
fn the_tree_sitter_grammar_reads_every_right_source() {
    let sources = tempfile::tempdir().expect("a folder");
    let written = sources::write(root(), sources.path());
    assert!(written > 350, "{written} sources only: are they found?");
    let Some(interpreter) = TREE_SITTER.find_interpreter_or_skip("Python's tree_sitter") else { return };
    if let Err(why) = tried(Command::new(std::env::var("CC").unwrap_or("cc".to_owned())).arg("--version")) {
        return skip(&format!("there is no C compiler: {why}"));
    }
    let read = must(
        Command::new(interpreter)
            .arg(root().join("tests/python/parse_pcd.py"))
            .arg(root().join("grammar/tree-sitter-pcd"))
            .arg(root().join("target/tree-sitter-parser"))
            .arg(sources.path())
            .env("PYTHONDONTWRITEBYTECODE", "1"),
    );
    assert!(read.contains(&format!("{written} sources")), "not all {written} were read: {read}");
    eprintln!("{}", read.trim());
}

/// The `tree-sitter` command of the right version: `TREE_SITTER`, in `PATH`, or below `target/`.
fn tree_sitter() -> Result<PathBuf, String> {
    let own = root().join("target/tree-sitter");
    let known = std::env::var_os("TREE_SITTER").map_or("tree-sitter".into(), PathBuf::from);
    let right =
        |path: &PathBuf| tried(Command::new(path).arg("--version")).is_ok_and(|text| text.contains(TREE_SITTER_CLI));
    if let Some(found) = [known, own.join("bin/tree-sitter")].into_iter().find(right) {
        return Ok(found);
    }
    if !may_install() {
        return Err(format!("there is no tree-sitter {TREE_SITTER_CLI}, and PICARDC_EDITORS=1 does not ask for it"));
    }
    tried(
        testing::create_cargo_command()
            .args(["install", "--quiet", "--locked", "--no-default-features", "tree-sitter-cli", "--version"])
            .arg(TREE_SITTER_CLI)
            .arg("--root")
            .arg(&own)
            .arg("--target-dir")
            .arg(own.join("build"))
            // What is set for this package's build is not for that one's.
            .env_remove("RUSTFLAGS"),
    )?;
    Ok(own.join("bin/tree-sitter"))
}

#[test]
fn the_parser_is_made_from_the_grammar_and_the_corpus_holds() {
    let command = match tree_sitter() {
        Ok(command) => command,
        Err(why) => return skip(&why),
    };
    if let Err(why) = tried(Command::new("node").arg("--version")) {
        return skip(&format!("there is no node, which reads grammar.js: {why}"));
    }
    // In a copy, so that nothing here is touched.
    let copy = tempfile::tempdir().expect("a folder");
    let home = root().join("grammar/tree-sitter-pcd");
    let files = testing::read_files(&home);
    for (name, text) in &files {
        testing::write_in_folder(copy.path(), name, text);
    }
    let libraries = copy.path().join("libraries");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&command);
        command
            .args(arguments)
            .current_dir(copy.path())
            .env("TREE_SITTER_LIBDIR", &libraries)
            .env("XDG_CACHE_HOME", copy.path());
        must(&mut command)
    };
    run(&["generate", "--abi", "14"]);
    for (name, text) in files.iter().filter(|(name, _)| name.starts_with("src")) {
        let now = fs::read(copy.path().join(name)).expect("generated");
        if testing::is_switched_on("UPDATE_DOCS") {
            fs::write(home.join(name), now).expect("written");
        } else {
            assert!(now == *text, "{name} is stale: UPDATE_DOCS=1 writes it");
        }
    }
    let told = run(&["test"]);
    assert!(told.contains("failed parses: 0"), "{told}");
    eprintln!("{}", told.lines().rev().find(|line| line.contains("parses")).unwrap_or(""));
}

/// Whether npm's packages are there; installs them if asked to.
fn packages() -> Result<(), String> {
    tried(Command::new("npm").arg("--version")).map_err(|why| format!("there is no npm: {why}"))?;
    let folder = root().join("bindings/editors/vscode");
    if may_install() {
        tried(Command::new("npm").arg("ci").current_dir(&folder)).map_err(|why| format!("npm ci: {why}"))?;
    }
    if folder.join("node_modules/.package-lock.json").exists() {
        Ok(())
    } else {
        Err("bindings/editors/vscode/node_modules is not there (`npm ci` makes it), and PICARDC_EDITORS=1 does not ask for it"
            .to_owned())
    }
}

fn npm_run(script: &str) -> String {
    must(
        Command::new("npm")
            .args(["run", "--silent", script])
            .current_dir(root().join("bindings/editors/vscode"))
            .env("PICARDC", testing::find_program()),
    )
}

/// How many tests node's runner closes with; all of them held, since it ended well.
fn counted(told: &str) -> usize {
    let lines = told.lines().filter_map(|line| line.trim_start_matches(['#', 'ℹ', ' ']).strip_prefix("pass "));
    lines.filter_map(|count| count.trim().parse::<usize>().ok()).sum()
}

/// One test: they share `node_modules` and `dist`.
#[test]
fn the_extension_of_vs_code_and_a_client_over_the_protocol() {
    if let Err(why) = packages() {
        return skip(&why);
    }
    let grammar = counted(&npm_run("test:grammar"));
    let extension = counted(&npm_run("test:extension"));
    assert!(grammar > 200 && extension > 10, "{grammar} and {extension} tests only");
    eprintln!("{grammar} tests of the highlighting and {extension} of the extension hold");
    if !has_server() {
        return skip("the client over the protocol: this picardc has no `lsp`");
    }
    let server = counted(&npm_run("test:server"));
    assert!(server >= 6, "{server} tests only");
    eprintln!("{server} tests over the protocol hold");
}

/// Whether the workspace has a language server at all.
fn has_server() -> bool {
    root().join("compiler/lsp/Cargo.toml").exists()
}

#[test]
fn neovim_shows_a_slip_and_fixes_it() {
    if !has_server() {
        return skip("this picardc has no `lsp`");
    }
    if let Err(why) = tried(Command::new("nvim").arg("--version")) {
        return skip(&format!("there is no Neovim: {why}"));
    }
    let home = tempfile::tempdir().expect("a folder");
    let told = must(
        Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-S"])
            .arg(root().join("bindings/editors/neovim/test/fix.lua"))
            .env("PICARDC", testing::find_program())
            // Logs and state of this run are its own.
            .envs(["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map(|name| (name, home.path()))),
    );
    for step in ["seen: ", "fixed by: ", "gone", "previewed"] {
        assert!(told.contains(step), "no `{step}` in {told}");
    }
}

#[test]
fn emacs_shows_a_slip_and_fixes_it() {
    if !has_server() {
        return skip("this picardc has no `lsp`");
    }
    let emacs = |arguments: &[&str]| {
        let mut command = Command::new("emacs");
        command.args(["--batch", "-f", "package-initialize"]).args(arguments);
        command
    };
    if let Err(why) = tried(&mut emacs(&["--eval", "(require 'eglot)"])) {
        return skip(&format!("there is no Emacs with Eglot: {why}"));
    }
    let test = root().join("bindings/editors/emacs/test/fix.el");
    let home = tempfile::tempdir().expect("a folder");
    let told = must(emacs(&["-l"]).arg(test).env("PICARDC", testing::find_program()).env("HOME", home.path()));
    for step in ["coloured", "seen: ", "fixed", "gone", "previewed"] {
        assert!(told.contains(step), "no `{step}` in {told}");
    }
}
