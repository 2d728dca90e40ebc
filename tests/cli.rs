//! The command line from outside: exit status, what goes to which stream, and what is left on disk.

use std::fs;
use std::path::Path;

use testing::{CommandOutput, read_files, root};

const DONE: i32 = 0;
const NOT_GOOD: i32 = 1;
const USAGE: i32 = 2;
const OUTSIDE: i32 = 3;

const GOOD: &str = "tests/cli/good.pcd";

/// Runs it in the repository.
#[track_caller]
fn expect(status: i32, args: &[&str]) -> CommandOutput {
    testing::expect_status(status, root(), args)
}

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("temp"))
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("readable");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

#[test]
fn check_tells_by_its_status() {
    let clean = expect(DONE, &["check", GOOD]);
    assert_eq!(clean.out, "");
    // The second sentence says whether a build can stop.
    assert!(
        clean.err.starts_with("1 file: no errors, no warnings\n") && clean.err.lines().count() == 2,
        "{}",
        clean.err
    );
    let broken = expect(NOT_GOOD, &["check", "tests/cli/broken.pcd"]);
    assert_eq!(broken.out, "");
    assert!(
        broken.err.contains("error[E0203] unknown_column") && broken.err.contains("tests/cli/broken.pcd:12:"),
        "{}",
        broken.err
    );
    assert!(
        broken.err.contains("fix: replace `P_AEG` with `P_AGE`") && !broken.err.contains('\u{1b}'),
        "{}",
        broken.err
    );
    let lints = expect(DONE, &["check", "tests/cli/lints.pcd"]);
    assert!(
        lints.err.contains("warning[W0101] unused_name")
            && lints.err.trim_end().ends_with("1 warning\nthe build cannot stop"),
        "{}",
        lints.err
    );
    expect(NOT_GOOD, &["check", "--deny-warnings", "tests/cli/lints.pcd"]);
    let both = expect(NOT_GOOD, &["check", "tests/cli/lints.pcd", "tests/cli/broken.pcd"]);
    assert!(both.err.trim_end().ends_with("1 error, 1 warning"), "{}", both.err);
}

#[test]
fn check_writes_data_to_stdout() {
    let short = expect(NOT_GOOD, &["check", "--format", "short", "tests/cli/broken.pcd"]);
    assert_eq!(short.err, "");
    assert!(short.out.lines().all(|line| line.starts_with("tests/cli/broken.pcd:")), "{}", short.out);
    assert!(short.out.contains(": error[E0203] "), "{}", short.out);
    let json = expect(NOT_GOOD, &["check", "--format", "json", "tests/cli/broken.pcd"]);
    assert_eq!(json.err, "");
    for line in json.out.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        assert_eq!(object["file"], "tests/cli/broken.pcd");
        assert!(object["line"].is_u64() && object["fixes"].is_array());
    }
    assert_eq!(expect(DONE, &["check", "--format", "json", GOOD]).out, "");
}

#[test]
fn wrong_use() {
    expect(USAGE, &[]);
    expect(USAGE, &["chekc"]);
    expect(USAGE, &["check"]);
    expect(USAGE, &["check", "--format", "xml", GOOD]);
    expect(USAGE, &["build", GOOD]);
    let none = expect(USAGE, &["check", "tests/cli/none.pcd"]);
    assert_eq!(none.err, "error: cannot read `tests/cli/none.pcd`: the file does not exist\n");
    assert!(expect(USAGE, &["preview", "tests/cli"]).err.contains("it is a folder"));
    assert!(expect(NOT_GOOD, &["check", "tests/cli"]).err.contains("tests/cli/broken.pcd:"));
    let home = Home::new();
    for args in [
        ["--samples", "0"],
        ["--shard", "3/2"],
        ["--shard", "x"],
        ["--seed", ""],
        ["--threads", "0"],
        ["--task", "nothing*"],
    ] {
        expect(USAGE, &["build", GOOD, "-o", &home.at("out"), args[0], args[1]]);
    }
    assert!(home.names().is_empty());
}

#[test]
fn every_command_helps() {
    for command in ["check", "build", "preview", "analyze", "infer", "explain", "merge"] {
        let help = expect(DONE, &[command, "--help"]);
        assert!(help.out.contains("Example:") && help.err.is_empty(), "{}", help.out);
    }
    let version = expect(DONE, &["--version"]);
    assert_eq!(version.out, format!("picardc {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn explain() {
    assert!(expect(DONE, &["explain", "e0203"]).out.contains("E0203"));
    assert_eq!(expect(DONE, &["explain", "unknown_column"]).out, expect(DONE, &["explain", "E0203"]).out);
    assert!(expect(DONE, &["explain"]).out.contains("W0101  warning  unused_name"));
    let unknown = expect(USAGE, &["explain", "unknown_colum"]);
    assert_eq!((unknown.out.as_str(), unknown.err.contains("did you mean `unknown_column`?")), ("", true));
}

#[test]
fn build_writes_a_bundle() {
    let home = Home::new();
    let built = expect(DONE, &["build", GOOD, "-o", &home.at("out"), "--seed", "7"]);
    assert_eq!(built.out, "");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(home.at("out/manifest.json")).expect("manifest")).expect("JSON");
    assert_eq!((&manifest["instances"], &manifest["seed"]), (&15.into(), &"7".into()));
    let sha = manifest["bundle_sha256"].as_str().expect("a digest");
    assert!(
        built.err.starts_with("wrote 15 instances with 5 files to ")
            && built.err.contains(sha)
            && built.err.contains("seed 7"),
        "{}",
        built.err
    );
    assert_eq!(home.names(), ["out"]);
    let lines = fs::read_to_string(home.at("out/instances.jsonl")).expect("lines");
    for line in lines.lines() {
        let instance: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for path in instance["files"].as_object().expect("object").values() {
            assert!(Path::new(&home.at("out")).join(path.as_str().expect("path")).is_file(), "{path}");
        }
    }
    assert_eq!(expect(DONE, &["build", GOOD, "-o", &home.at("quiet"), "--quiet"]).err, "");
}

#[test]
fn a_fresh_seed_is_told_and_repeats_the_bundle() {
    let home = Home::new();
    let err = expect(DONE, &["build", GOOD, "-o", &home.at("one")]).err;
    let seed = err
        .lines()
        .find_map(|line| line.strip_prefix("seed "))
        .and_then(|line| line.split(' ').next())
        .expect("told")
        .to_owned();
    expect(DONE, &["build", GOOD, "-o", &home.at("two"), "--seed", &seed]);
    assert!(read_files(home.at("one")) == read_files(home.at("two")));
}

#[test]
fn shards_merge_to_the_same_bytes() {
    let home = Home::new();
    let build = |out: &str, more: &[&str]| {
        let out = home.at(out);
        expect(DONE, &[&["build", GOOD, "-o", &out, "--seed", "7", "--quiet"], more].concat());
        out
    };
    let whole = build("whole", &["--split-keys", "--threads", "1"]);
    let one = build("one", &["--split-keys", "--shard", "1/2", "--threads", "3"]);
    let two = build("two", &["--split-keys", "--shard", "2/2"]);
    expect(DONE, &["merge", &two, &one, "-o", &home.at("merged")]);
    assert!(read_files(&whole) == read_files(home.at("merged")));
    let other = build("other", &["--shard", "2/2"]);
    let refused = |parts: &[&str], why: &str| {
        let bad = home.at("bad");
        let ran = expect(USAGE, &[&["merge"], parts, &["-o", &bad]].concat());
        assert!(ran.err.contains(why), "{}", ran.err);
        assert!(!Path::new(&bad).exists());
    };
    refused(&[&one], "missing: shard 2/2");
    refused(&[&one, &one, &two], "both shard 1/2");
    refused(&[&one, &other], "--split-keys");
    refused(&[&one, &whole], "is a whole bundle");
    refused(&[&one, &home.at("nowhere")], "is not a bundle");
    fs::write(Path::new(&two).join("instances.jsonl"), "{}\n").expect("written");
    refused(&[&one, &two], "was changed after it was built");
}

#[test]
fn out_is_never_overwritten_unasked() {
    let home = Home::new();
    let out = home.at("out");
    fs::create_dir(&out).expect("created");
    expect(DONE, &["build", GOOD, "-o", &out, "--seed", "1", "--quiet"]);
    let first = read_files(&out);
    let refused = expect(USAGE, &["build", GOOD, "-o", &out, "--seed", "2"]);
    assert!(refused.err.contains("exists and is not empty") && refused.err.contains("--force"), "{}", refused.err);
    assert!(read_files(&out) == first);
    expect(DONE, &["build", GOOD, "-o", &out, "--seed", "2", "--force", "--quiet"]);
    assert!(read_files(&out) != first);
    fs::write(home.at("out/notes.txt"), "mine").expect("written");
    expect(USAGE, &["build", GOOD, "-o", &out, "--force"]);
    assert_eq!(fs::read_to_string(home.at("out/notes.txt")).expect("kept"), "mine");
    fs::create_dir(home.at("precious")).expect("created");
    fs::write(home.at("precious/thesis.txt"), "mine").expect("written");
    expect(USAGE, &["build", GOOD, "-o", &home.at("precious"), "--force"]);
    fs::write(home.at("file"), "mine").expect("written");
    expect(USAGE, &["build", GOOD, "-o", &home.at("file"), "--force"]);
    assert_eq!(home.names(), ["file", "out", "precious"]);
}

#[test]
fn out_is_not_the_folder_of_the_shell() {
    let home = Home::new();
    let here = home.at("here");
    std::fs::create_dir(&here).expect("made");
    let past = testing::root().join("suites/past.pcd").display().to_string();
    for out in [".", "../here", here.as_str()] {
        let ran = testing::expect_status(USAGE, &here, &["build", &past, "-o", out, "--samples", "1"]);
        assert!(ran.err.contains(&format!("`{out}` is the folder in which `picardc` was started")), "{}", ran.err);
    }
    let ran = testing::expect_status(USAGE, &here, &["build", &past, "-o", "out", "--sandbox-root", ""]);
    assert!(ran.err.contains("--sandbox-root"), "{}", ran.err);
    assert_eq!(std::fs::read_dir(&here).expect("readable").count(), 0);
}

#[test]
fn emit_plan_builds_nothing() {
    let home = Home::new();
    let plan = expect(DONE, &["build", GOOD, "--emit", "plan", "-o", &home.at("out")]);
    let json: serde_json::Value = serde_json::from_str(&plan.out).expect("JSON");
    assert_eq!(json["suite"]["name"], "good");
    assert!(home.names().is_empty());
}

#[test]
fn a_failing_build_tells_how_to_see_it_again_and_leaves_nothing() {
    let home = Home::new();
    let failed =
        expect(NOT_GOOD, &["build", "tests/cli/fails.pcd", "-o", &home.at("out"), "--seed", "7", "--threads", "3"]);
    assert!(failed.err.contains("error[E0902] require_never_held"), "{}", failed.err);
    let again = failed.err.lines().find_map(|line| line.trim().strip_prefix("again: ")).expect("told");
    assert_eq!(again, "picardc preview tests/cli/fails.pcd --task never --sample 1 --seed 7");
    assert!(home.names().is_empty());
    let seen = expect(NOT_GOOD, &again.split(' ').skip(1).collect::<Vec<_>>());
    assert!(seen.out.is_empty() && seen.err.contains("error[E0902]"), "{}", seen.err);
}

#[test]
fn preview_shows_one_instance() {
    let first = expect(DONE, &["preview", GOOD]);
    assert!(
        first.out.starts_with("word_back-1\n") && first.err.contains("other tasks (--task): rows_of_people"),
        "{}{}",
        first.out,
        first.err
    );
    assert_eq!(first.out, expect(DONE, &["preview", GOOD]).out);
    let people = expect(
        DONE,
        &["preview", GOOD, "--task", "rows_of_people", "--variant", "oldest", "--sample", "9", "--seed", "x"],
    );
    for part in ["rows_of_people-oldest-9\n", "(12 rows, ", "P_ID,P_NAME,P_AGE", "reply number"] {
        assert!(people.out.contains(part), "{part}\n{}", people.out);
    }
    for wrong in [["--task", "word_bakc"], ["--variant", "none"], ["--cell", "x"], ["--sample", "0"]] {
        let ran = expect(USAGE, &["preview", GOOD, wrong[0], wrong[1]]);
        assert_eq!(ran.out, "");
    }
    assert!(expect(USAGE, &["preview", GOOD, "--task", "word_bakc"]).err.contains("did you mean `word_back`?"));
}

/// The lists of `tree only` are shown, and an empty one is explained.
#[test]
fn preview_shows_which_paths_may_be_new() {
    for (list, shown) in [
        ("[]", "tree only [] (no new files or folders)"),
        ("[\"out.txt\"]", "tree only out.txt"),
        ("[\"out.txt\", \"logs/\"]", "tree only out.txt, logs/"),
    ] {
        for (name, begin) in [("", ""), ("tidy: ", "tidy: ")] {
            let suite = format!(
                "suite t {{ title \"T\" version \"1.0.0\" samples 1 }}\ntask t {{\n  n : int 1..9\n  prompt \"Reply with <<n>>.\"\n  \
                 expect reply number n\n  expect {name}tree only {list} gate\n}}\n"
            );
            let home = testing::create_folder(&[("s.pcd", suite.as_str())]);
            let ran = testing::run_picardc(home.path(), &["preview", "s.pcd"]);
            let line = format!("  {begin}{shown}, gate");
            assert!(ran.status.success() && ran.out.lines().any(|one| one == line), "{list}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
#[cfg(unix)]
fn unreadable_files_are_the_outsides_fault() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let path = home.at("locked.pcd");
    fs::copy(GOOD, &path).expect("copied");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("locked");
    if fs::read(&path).is_ok() {
        println!("skipped: this user reads files whatever their mode");
        return;
    }
    assert!(expect(OUTSIDE, &["check", &path]).err.contains("permission denied"));
}

mod fix;
mod fmt;
mod formats;
mod grade;
mod outside;
