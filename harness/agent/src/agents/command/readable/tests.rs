use std::env;
use std::fs;

use super::super::kinds::is_shared;
use super::*;

/// A folder with an agent, code next to it, and what picardc left there.
fn create_project() -> tempfile::TempDir {
    // Not of the folder for temporary files itself, of which nothing is taken.
    let folder = tempfile::tempdir().expect("a folder");
    for path in [
        "agent.py",
        "helper.py",
        "package/__init__.py",
        "package/deep/more.py",
        "prompts/first.txt",
        "notes.md",
        "suite.pcd",
        "report.html",
        ".git/config",
        "bundle/instances.jsonl",
        "bundle/keys.jsonl",
        "runs/oracle/run.json",
        "runs/oracle/responses.jsonl",
        "runs/oracle/cheat.py",
        "venv/pyvenv.cfg",
        "venv/lib/x.txt",
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, "x").expect("written");
    }
    fs::create_dir(folder.path().join("empty")).expect("made");
    folder
}

fn strip_folder(folder: &Path, paths: &[PathBuf]) -> Vec<String> {
    let folder = folder.canonicalize().expect("a path");
    let inside = paths.iter().filter_map(|path| path.strip_prefix(&folder).ok());
    inside.map(|path| path.display().to_string()).collect()
}

#[test]
fn code_next_to_a_named_file() {
    let folder = create_project();
    let named = [folder.path().join("agent.py")];
    let hidden = [folder.path().join("bundle"), folder.path().join("runs/new")];
    let found = Readable::find_paths(&Sources { named: &named, hidden: &hidden, ..Sources::default() });
    let code = ["agent.py", "helper.py", "package/__init__.py", "package/deep/more.py", "venv/lib", "venv/pyvenv.cfg"];
    assert_eq!(strip_folder(folder.path(), &found.paths), code);
    assert_eq!(strip_folder(folder.path(), &found.listed), ["", "venv"]);
    assert_eq!(strip_folder(folder.path(), &found.ours), ["bundle", "runs/oracle"]);
    // A file of a run is not readable by naming it.
    let named = [folder.path().join("runs/oracle/cheat.py"), folder.path().join("suite.pcd")];
    let found = Readable::find_paths(&Sources { named: &named, ..Sources::default() });
    assert!(strip_folder(folder.path(), &found.paths).is_empty(), "{found:?}");
}

#[test]
fn what_is_given_is_readable_but_for_what_is_ours() {
    let folder = create_project();
    let given = [folder.path().to_owned()];
    let found = Readable::find_paths(&Sources { given: &given, ..Sources::default() });
    assert_eq!(
        strip_folder(folder.path(), &found.paths),
        [".git", "agent.py", "empty", "helper.py", "notes.md", "package", "prompts", "report.html", "venv"]
    );
    let given = [folder.path().join("prompts"), folder.path().join("bundle")];
    let found = Readable::find_paths(&Sources { given: &given, ..Sources::default() });
    assert_eq!(strip_folder(folder.path(), &found.paths), ["prompts/first.txt"]);
    assert!(found.notes.iter().any(|note| note.contains("bundle")), "{found:?}");
}

#[test]
fn a_folder_for_temporary_files_is_not_taken_as_a_whole() {
    let given = [env::temp_dir()];
    let found = Readable::find_paths(&Sources { given: &given, ..Sources::default() });
    let temporary = env::temp_dir().canonicalize().expect("a path");
    assert!(!found.paths.contains(&temporary), "{:?}", found.paths);
    assert!(is_shared(&temporary));
}

#[test]
fn what_is_hidden_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    for path in ["lib", "out/bundle", "out/other"] {
        fs::create_dir_all(root.join(path)).expect("made");
    }
    fs::write(root.join("agent.py"), "").expect("written");
    let mut found = Readable::default();
    let hidden = [root.join("out/bundle"), root.join("runs/not_yet")];
    parts::allow_except(&root, &hidden.into_iter().collect(), parts::Grain::Whole, &mut found);
    found.paths.sort();
    assert_eq!(strip_folder(&root, &found.paths), ["agent.py", "lib", "out/other"]);
}

#[test]
fn a_home_is_not_installed() {
    let mut roots = Vec::new();
    roots::add_tool_roots(Path::new("/home/me/.local/bin"), &mut roots);
    assert!(roots.contains(&PathBuf::from("/home/me/.local/lib")), "{roots:?}");
    assert!(!roots.contains(&PathBuf::from("/home/me/.local/share")) && !roots.contains(&PathBuf::from("/home/me")));
}

#[test]
fn a_link_to_an_answer_is_the_answer() {
    let folder = create_project();
    let at = |name: &str| folder.path().join(name);
    fs::hard_link(at("bundle/keys.jsonl"), at("package/helper.py")).expect("linked");
    fs::hard_link(at("suite.pcd"), at("prompts/second.txt")).expect("linked");
    let (named, given) = ([at("agent.py")], [at("prompts")]);
    let hidden = [at("bundle"), at("suite.pcd")];
    let sources = Sources { named: &named, given: &given, hidden: &hidden, ..Sources::default() };
    let found = strip_folder(folder.path(), &Readable::find_paths(&sources).paths);
    assert!(!found.iter().any(|path| path.contains("package/helper.py") || path.contains("second")), "{found:?}");
    assert!(found.contains(&"prompts/first.txt".to_owned()) && found.contains(&"package/__init__.py".to_owned()));
}

/// Finding A2: what is found late counts by its number, too.
#[test]
fn a_link_to_an_answer_anywhere_is_the_answer() {
    let folder = create_project();
    let at = |name: &str| folder.path().join(name);
    for path in
        ["proj/agent.py", "proj/old/run/run.json", "proj/old/run/responses.jsonl", "proj/s.pcd", "rd/x/other.py"]
    {
        write_testing_file(&at(path));
    }
    for path in
        ["proj/old/run/bundle/keys.jsonl", "proj/old/run/bundle/manifest.json", "rd/z/instances.jsonl", "rd/z/run.json"]
    {
        write_testing_file(&at(path));
    }
    for (file, link) in [
        ("proj/old/run/responses.jsonl", "proj/a.py"),
        ("proj/old/run/bundle/keys.jsonl", "proj/b.py"),
        ("proj/s.pcd", "proj/c.py"),
        ("rd/z/instances.jsonl", "rd/a.txt"),
        ("rd/z/run.json", "proj/d.py"),
        ("proj/old/run/run.json", "rd/x/b.txt"),
        ("runs/oracle/cheat.py", "rd/x/c.txt"),
    ] {
        fs::hard_link(at(file), at(link)).expect("linked");
    }
    let (named, given) = ([at("proj/agent.py")], [at("rd"), at("runs")]);
    let sources = Sources { named: &named, given: &given, ..Sources::default() };
    let found = Readable::find_paths(&sources).paths;
    assert_eq!(strip_folder(folder.path(), &found), ["proj/agent.py", "rd/x/other.py"]);
}

#[test]
fn what_is_installed_is_searched() {
    let folder = create_project();
    let at = |name: &str| folder.path().join(name);
    for path in ["x/share/app/s.pcd", "x/share/app/data/gold.csv", "x/share/other/y.txt", "x/lib/deep/er/run.json"] {
        write_testing_file(&at(path));
    }
    write_testing_file(&at("x/lib/deep/er/responses.jsonl"));
    write_testing_file(&at("x/lib/deep/z.txt"));
    let roots = [at("x/share"), at("x/lib")].map(|root| root.canonicalize().expect("a path")).into_iter().collect();
    let ours = protected_paths::ProtectedPaths::from_hidden(&[]);
    let mut found = Readable::default();
    for root in &roots {
        assert!(search::Search::new(&ours, &roots).allow_root(root, Manner::Installed, &mut found));
    }
    found.normalize_paths(&ours);
    assert_eq!(strip_folder(folder.path(), &found.paths), ["x/lib/deep/z.txt", "x/share/other"]);
    assert_eq!(strip_folder(folder.path(), &found.ours), ["x/lib/deep/er"]);
}

fn write_testing_file(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    fs::write(path, "x").expect("written");
}
