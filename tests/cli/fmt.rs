//! `fmt`: what is written, listed, shown, and left alone.

use std::fs;

use super::{DONE, Home, NOT_GOOD, OUTSIDE, USAGE, expect};

const UGLY: &str = "task  t{\r\n\r\n\r\na:word # why\r\n  prompt \"<<a>>\"\r\n\texpect reply text a\r\n}";
const CLEAN: &str = "task t {\n  a : word  # why\n  prompt \"<<a>>\"\n  expect reply text a\n}\n";
const WRONG: &str = "task t {\n  a :\n}\n";

fn put(home: &Home, name: &str, text: &str) -> String {
    let path = home.at(name);
    fs::write(&path, text).expect("written");
    path
}

fn stdin(args: &[&str], text: &str) -> (i32, String, String) {
    let ran = testing::run_picardc_with_input(testing::root(), args, text);
    (ran.status.code().expect("not killed"), ran.out, ran.err)
}

#[test]
fn files_are_written_in_canonical_layout_and_then_stay() {
    let home = Home::new();
    let (ugly, clean) = (put(&home, "a.pcd", UGLY), put(&home, "b.pcd", CLEAN));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&ugly, fs::Permissions::from_mode(0o640)).expect("set");
    }
    let permissions = fs::metadata(&ugly).expect("there").permissions();
    let ran = expect(DONE, &["fmt", &ugly, &clean]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "1 file changed, 1 unchanged\n"));
    assert_eq!(fs::read_to_string(&ugly).expect("read"), CLEAN);
    assert_eq!(fs::metadata(&ugly).expect("there").permissions(), permissions);
    let time = |path: &str| fs::metadata(path).expect("there").modified().expect("a time");
    let before = time(&ugly);
    assert_eq!(expect(DONE, &["fmt", &ugly, &clean]).err, "0 files changed, 2 unchanged\n");
    assert_eq!(time(&ugly), before);
    assert_eq!(home.names(), ["a.pcd", "b.pcd"]);
}

#[test]
fn check_lists_and_writes_nothing() {
    let home = Home::new();
    let (ugly, clean) = (put(&home, "a.pcd", UGLY), put(&home, "b.pcd", CLEAN));
    let ran = expect(NOT_GOOD, &["fmt", "--check", &ugly, &clean]);
    assert_eq!((ran.out, ran.err.as_str()), (format!("{ugly}\n"), "1 file would change, 1 unchanged\n"));
    assert_eq!(fs::read_to_string(&ugly).expect("read"), UGLY);
    let ran = expect(DONE, &["fmt", "--check", &clean]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "0 files would change, 1 unchanged\n"));
}

#[test]
fn diff_shows_and_writes_nothing() {
    let home = Home::new();
    let path = put(&home, "a.pcd", &CLEAN.replace("a : word", "a: word"));
    for flags in [&["--diff"][..], &["--diff", "--check"]] {
        let ran = expect(NOT_GOOD, &[&["fmt", &path], flags].concat());
        let wanted = format!(
            "--- {path}\n+++ {path}\n@@ -1,5 +1,5 @@\n task t {{\n-  a: word  # why\n+  a : word  # why\n   prompt \"<<a>>\"\n   \
             expect reply text a\n }}\n"
        );
        assert_eq!(ran.out, wanted);
    }
    assert_ne!(fs::read_to_string(&path).expect("read"), CLEAN);
}

#[test]
fn a_file_with_mistakes_stays_and_the_others_are_written() {
    let home = Home::new();
    let (wrong, ugly) = (put(&home, "a.pcd", WRONG), put(&home, "b.pcd", UGLY));
    let ran = expect(NOT_GOOD, &["fmt", &wrong, &ugly]);
    assert!(ran.err.contains("a domain is missing after `:`"), "{}", ran.err);
    assert!(ran.err.contains("a.pcd:2:"), "{}", ran.err);
    assert!(ran.err.ends_with("1 file changed, 0 unchanged, 1 left as it is, with errors\n"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&wrong).expect("read"), WRONG);
    assert_eq!(fs::read_to_string(&ugly).expect("read"), CLEAN);
    let bytes = home.at("c.pcd");
    fs::write(&bytes, b"# \xff\n").expect("written");
    let ran = expect(NOT_GOOD, &["fmt", &bytes]);
    assert!(ran.err.contains("is not UTF-8 text, from byte 3 on, and stays as it is"), "{}", ran.err);
    assert_eq!(fs::read(&bytes).expect("read"), b"# \xff\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    assert_eq!(stdin(&["fmt", "-"], UGLY), (DONE, CLEAN.to_owned(), String::new()));
    let (status, out, err) = stdin(&["fmt", "-"], WRONG);
    assert_eq!((status, out.as_str()), (NOT_GOOD, ""));
    assert!(err.contains("<stdin>:2:"), "{err}");
    assert_eq!(stdin(&["fmt", "--check", "-"], CLEAN).0, DONE);
    assert_eq!(
        stdin(&["fmt", "--check", "-"], UGLY),
        (NOT_GOOD, "<stdin>\n".into(), "1 file would change, 0 unchanged\n".into())
    );
    assert!(expect(USAGE, &["fmt", "-", "a.pcd"]).err.contains("`-` (standard input) does not go with other files"));
}

#[test]
fn folders_stand_for_the_sources_in_them() {
    let home = Home::new();
    for folder in ["in/deep", "in/.hidden", "empty"] {
        fs::create_dir_all(home.at(folder)).expect("created");
    }
    for name in ["in/a.pcd", "in/deep/b.pcd", "in/.hidden/c.pcd", "in/d.txt"] {
        put(&home, name, UGLY);
    }
    let ran = expect(NOT_GOOD, &["fmt", "--check", &home.at("in/"), &home.at("in/a.pcd")]);
    assert_eq!(ran.out, format!("{}\n{}\n", home.at("in/a.pcd"), home.at("in/deep/b.pcd")));
    assert!(expect(USAGE, &["fmt", &home.at("empty")]).err.contains("no .pcd file in"));
    assert!(expect(USAGE, &["fmt", &home.at("none.pcd")]).err.contains("the file does not exist"));
}

#[test]
#[cfg(unix)]
fn links_stay_links_and_what_is_read_only_stays() {
    let home = Home::new();
    let path = put(&home, "a.pcd", UGLY);
    let link = home.at("link.pcd");
    std::os::unix::fs::symlink(&path, &link).expect("linked");
    expect(DONE, &["fmt", &link]);
    assert!(fs::symlink_metadata(&link).expect("there").file_type().is_symlink());
    assert_eq!(fs::read_to_string(&path).expect("read"), CLEAN);
    fs::write(&path, UGLY).expect("written");
    let mut permissions = fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("set");
    let ran = expect(OUTSIDE, &["fmt", &path]);
    assert!(ran.err.contains("it stays as it was: it is read-only"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&path).expect("read"), UGLY);
}
