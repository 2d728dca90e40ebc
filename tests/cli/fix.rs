//! `check --fix`: what is mended, what is left, and what is on disk afterwards.

use std::fs;

use super::{CommandOutput, DONE, Home, NOT_GOOD, OUTSIDE, USAGE, expect, root};

/// A suite whose task has these lines; PAY, REGION and NAME are its columns.
fn suite(lines: &str) -> String {
    format!(
        "suite broken {{ title \"Broken\" version \"1.0.0\" }}\n\ntask pay {{\n  csv staff at \"staff.csv\" {{\n    rows 12\n    \
         PAY    : int 18..80\n    REGION : region\n    NAME   : person_name\n    HIRED_AT : date 2015-01-01..2024-12-31\n    \
         FIRED_AT : date 2015-01-01..2024-12-31\n  }}\n{lines}}}\n"
    )
}

const PROMPT: &str = "  prompt \"In <<staff>>, what is the sum of the PAY column? Reply with the number only.\"\n";

fn answer(key: &str) -> String {
    suite(&format!("{PROMPT}  expect reply number {key}\n"))
}

/// Runs picardc, however it ends.
fn run(args: &[&str]) -> CommandOutput {
    testing::run_picardc(root(), args)
}

struct Kept {
    home: Home,
    path: String,
    before: String,
}

/// Puts a suite on disk.
fn put(text: &str) -> Kept {
    let home = Home::new();
    let path = home.at("a.pcd");
    fs::write(&path, text).expect("written");
    Kept { home, path, before: text.to_owned() }
}

impl Kept {
    fn check(&self, status: i32, flags: &[&str]) -> CommandOutput {
        expect(status, &[&["check", &self.path], flags].concat())
    }

    fn text(&self) -> String {
        assert_eq!(self.home.names(), ["a.pcd"], "nothing else is left in the folder");
        fs::read_to_string(&self.path).expect("readable")
    }

    fn untouched(&self) {
        assert_eq!(self.text(), self.before);
    }
}

#[test]
fn what_is_safe_is_mended_and_said() {
    let kept = put(&answer("sum(staff.PYA)"));
    let ran = kept.check(DONE, &["--fix"]);
    assert_eq!(kept.text(), kept.before.replace("staff.PYA", "staff.PAY"));
    let err = ran.err.replace(&kept.path, "a.pcd");
    let told = "fixed a.pcd:13:33: replace with `PAY` [E0203]\n1 fix in 1 file\n1 file: no errors, no warnings\n";
    assert!(err.starts_with(told), "{err}");
    assert_eq!(ran.out, "");
    // Mended once, it stays as it is, to the byte and the time.
    let time = fs::metadata(&kept.path).expect("there").modified().expect("a time");
    assert!(kept.check(DONE, &["--fix"]).err.contains("0 fixes in 0 files"));
    assert_eq!(fs::metadata(&kept.path).expect("there").modified().expect("a time"), time);
}

#[test]
fn several_mistakes_take_several_rounds() {
    let lines = format!(
        "  most = max(staff.PYA where REGOIN == \"North\" and staff.NMAE != \"\")\n  require mots != null\n{PROMPT}  expct reply number most\n"
    );
    let kept = put(&suite(&lines));
    let ran = kept.check(DONE, &["--fix", "--unsafe-fixes"]);
    let mended = kept
        .before
        .replace("PYA", "PAY")
        .replace("REGOIN", "REGION")
        .replace("NMAE", "NAME")
        .replace("mots", "most")
        .replace("expct", "expect");
    assert_eq!(kept.text(), mended);
    assert!(ran.err.contains("5 fixes in 1 file"), "{}", ran.err);
}

#[test]
fn a_sibling_is_not_written_unasked() {
    let kept = put(&answer("count(staff where HIRED_BY < 2020-01-01)"));
    let ran = kept.check(NOT_GOOD, &["--fix"]);
    kept.untouched();
    assert!(ran.err.contains("did you mean `HIRED_AT`?") && ran.err.contains("0 fixes in 0 files"), "{}", ran.err);
    let asked = kept.check(DONE, &["--fix", "--unsafe-fixes"]);
    assert!(asked.err.contains("HIRED_AT"), "{}", asked.err);
    assert_eq!(kept.text(), kept.before.replace("HIRED_BY", "HIRED_AT"));
}

#[test]
fn a_fix_that_shows_more_mistakes_is_applied_when_asked_and_only_when_they_can_be_mended_too() {
    let kept = put(&answer("count(stff where PYA > 20 and REGOIN == \"North\")"));
    let ran = kept.check(NOT_GOOD, &["--fix"]);
    assert!(ran.err.contains("0 fixes in 0 files"), "{}", ran.err);
    kept.untouched();
    let ran = kept.check(DONE, &["--fix", "--unsafe-fixes"]);
    assert!(ran.err.contains("3 fixes in 1 file"), "{}", ran.err);
    assert!(kept.text().contains("count(staff where PAY > 20 and REGION == "), "{}", kept.text());
    let kept = put(&answer("count(stff where zzzzz > 20 and yyyyy == 1 and wwwww == 2) + max(staff.PYA)"));
    let ran = kept.check(NOT_GOOD, &["--fix", "--unsafe-fixes"]);
    assert!(ran.err.contains("[E0201]: not applied, it would leave 3 errors in place of 2"), "{}", ran.err);
    assert_eq!(kept.text(), kept.before.replace("PYA", "PAY"));
}

/// The fixes that `check --format json` offers for a file: safe or not.
fn offered(kept: &Kept) -> Vec<(String, bool)> {
    let out = run(&["check", &kept.path, "--format", "json"]).out;
    let said = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let fixes = said.flat_map(|said| said["fixes"].as_array().cloned().unwrap_or_default());
    let of = |fix: &serde_json::Value| {
        let safe = fix["applicability"] == "safe";
        (fix["message"].as_str().expect("a text").to_owned(), safe)
    };
    fixes.map(|fix| of(&fix)).collect()
}

/// V31: of every suite with one mistake, `--fix` applies what JSON calls safe, and nothing else.
#[test]
fn only_what_json_calls_safe_is_applied_unasked() {
    let right = suite(
        "  prompt \"In <<staff>>, what is the highest PAY of the rows with a NAME, plus the number of rows with REGION North? Reply with the number only.\"\n  \
         expect reply number max(staff.PAY where NAME != \"\") + count(staff where REGION == \"North\")\n",
    );
    let mut state = 31_usize;
    let mut below = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let (mut safe, mut unsafe_) = (0, 0);
    let key = right.find("expect").expect("a key");
    for round in 0..80 {
        let mut letters: Vec<char> = right.chars().collect();
        let at = key + below(right.trim_end().len() - 3 - key);
        match round % 4 {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, ['x', ',', '(', '%'][below(4)]),
            2 => letters.swap(at, (at + 1) % right.len()),
            _ => letters[at] = letters[at].to_ascii_uppercase(),
        }
        let kept = put(&letters.into_iter().collect::<String>());
        let fixes = offered(&kept);
        let ran = run(&["check", &kept.path, "--fix"]);
        if fixes.iter().any(|(_, safe)| *safe) {
            safe += 1;
        } else {
            unsafe_ += usize::from(!fixes.is_empty());
            assert_eq!(kept.text(), kept.before, "{fixes:?}\n{}", ran.err);
        }
    }
    assert!(safe > 3 && unsafe_ > 20, "{safe} {unsafe_}");
}

const GOALS: &str = r#"suite s { title "S" version "1.0.0" samples 3 }
task t {
  sqlite shop at "shop.db" { table orders { rows 9  ID : serial  QTY : int 1..9  STATUS : one_of ["open", "paid"] } }
  goal = <<after: shop, SQL>>
  prompt "In <<shop>>, do what is asked of orders by QTY, STATUS, ID."
  expect file shop database goal
}
"#;

/// V31: a condition is proposed only where a sample can meet it, and where it is written the suite can be built.
#[test]
fn a_condition_that_no_sample_meets_is_not_proposed() {
    let mut reasons = 0;
    for (sql, proposed) in [
        ("DELETE FROM orders WHERE QTY = 3", true),
        ("UPDATE orders SET QTY = 1 WHERE ID = 4", true),
        ("UPDATE orders SET STATUS = 'paid' WHERE QTY < 4", true),
        ("UPDATE orders SET QTY = QTY", false),
        ("DELETE FROM orders WHERE QTY > 90", false),
        ("DELETE FROM orders WHERE ID = 10", false),
        ("UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'paid'", false),
        ("INSERT OR IGNORE INTO orders VALUES (1, 1, 'open')", false),
        ("UPDATE orders SET QTY = 2 WHERE ID IN (SELECT ID FROM orders WHERE STATUS = 'gone')", false),
    ] {
        let kept = put(&GOALS.replace("SQL", sql));
        let fixes = offered(&kept);
        let found = fixes.iter().any(|(message, _)| message.contains("require changed(goal) > 0"));
        assert_eq!(found, proposed, "{sql}: {fixes:?}");
        let said = run(&["check", &kept.path]).join_output();
        assert_eq!(said.contains("add `require changed(goal) > 0`"), proposed, "{sql}\n{said}");
        let told = said.contains("no sample can be built if you insert `require changed(goal) > 0`: ");
        assert!(!(told && proposed), "{sql}\n{said}");
        // Where the lint speaks at all, it says why it proposes nothing.
        assert_eq!(told, !proposed && said.contains("W0308"), "{sql}\n{said}");
        reasons += usize::from(told);
        if proposed {
            kept.check(DONE, &["--fix", "--unsafe-fixes"]);
            let out = kept.home.at("out");
            expect(DONE, &["build", &kept.path, "--out", &out, "--seed", "3"]);
            fs::remove_dir_all(out).expect("removed");
        }
    }
    assert!(reasons >= 2, "{reasons} reasons only");
}

/// V31: a pattern is changed only on request, and an offset from UTC is not made a text that every cell has.
#[test]
fn a_pattern_of_dates_is_changed_only_on_request() {
    for (pattern, wanted) in [
        ("yyyy-MM-ddTHH:mm:ss", Some("yyyy-MM-dd'T'HH:mm:ss")),
        ("YYYY-MM-DD HH:mm:ss", Some("yyyy-MM-dd HH:mm:ss")),
        ("yyyy-MM-dd'T'HH:mm:ssZ", Some("yyyy-MM-dd'T'HH:mm:ss'Z'")),
        ("%Y-%m-%d %H:%M:%S", Some("yyyy-MM-dd HH:mm:ss")),
        ("yyyy-MM-dd'T'HH:mm:ssXX", Some("yyyy-MM-dd'T'HH:mm:ssX")),
        ("yyyy-MM-dd HH:mm:ss xxx", Some("yyyy-MM-dd HH:mm:ss XXX")),
        ("yyyy-MM-dd HH:mm:ss ZZ", Some("yyyy-MM-dd HH:mm:ss XXX")),
        ("yyyy-MM-dd HH:mm:ss z", None),
        ("YYYY-MM-DD HH:mm:ssXXX", Some("yyyy-MM-dd HH:mm:ssXXX")),
    ] {
        let kept = put(&format!(
            "suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{\n  csv log at \"log.csv\" {{\n    rows 9\n    AT : datetime \
             2020-01-01T00:00..2024-01-01T00:00 step 1 seconds as written \"{pattern}\"\n  }}\n  prompt \"How many rows of <<log>> have an AT \
             before 2022-01-01? Reply with the number only.\"\n  expect reply number count(log where AT < 2022-01-01T00:00)\n}}\n"
        ));
        let fixes = offered(&kept);
        assert!(fixes.iter().all(|(_, safe)| !safe), "{pattern}: {fixes:?}");
        assert_eq!(fixes.is_empty(), wanted.is_none(), "{pattern}: {fixes:?}");
        let ran = run(&["check", &kept.path, "--fix"]);
        kept.untouched();
        assert!(ran.err.contains("0 fixes in 0 files"), "{pattern}: {}", ran.err);
        if wanted.is_none() && pattern.starts_with('y') {
            assert!(ran.err.contains("is not a part of a date here"), "{pattern}: {}", ran.err);
            assert!(!ran.err.contains("write: written"), "{pattern} is to be written otherwise: {}", ran.err);
        }
        run(&["check", &kept.path, "--fix", "--unsafe-fixes"]);
        assert_eq!(kept.text(), kept.before.replace(pattern, wanted.unwrap_or(pattern)));
    }
}

/// V31: what is said of a value that never varies does not propose to compare it with the value that it has.
#[test]
fn a_comparison_with_what_never_varies_is_not_made_true() {
    for share in ["100%", "0%"] {
        for key in [
            "count(staff where OK == false)",
            "count(staff where OK == true)",
            "count(staff where OK != false)",
            "count(staff where OK != true)",
            "sum(staff.PAY where OK == true)",
            "<<value: SELECT COUNT(*) FROM staff WHERE OK = TRUE>>",
            "<<value: SELECT COUNT(*) FROM staff WHERE OK = FALSE>>",
            "<<value: SELECT COUNT(*) FROM staff WHERE OK <> FALSE>>",
        ] {
            let text = answer(key).replacen("    PAY    :", &format!("    OK : bool {share}\n    PAY    :"), 1);
            let kept = put(&text);
            let said = run(&["check", &kept.path]).join_output();
            assert!(said.contains("W0401") || said.contains("W0402"), "{share} {key}\n{said}");
            assert!(said.contains("let `OK` have more than one value"), "{share} {key}\n{said}");
            assert!(offered(&kept).is_empty(), "{share} {key}\n{said}");
            run(&["check", &kept.path, "--fix", "--unsafe-fixes"]);
            kept.untouched();
        }
    }
}

/// V31: a share without `%` that would make every value the same is not completed.
#[test]
fn a_share_that_draws_nothing_is_not_proposed() {
    for (domain, all) in [
        ("bool 100", "100%"),
        ("bool 100.0", "100.0%"),
        ("bool 1", "1%"),
        ("bool 0", "0%"),
        ("bool (100)", "100%"),
        ("word blank 100", "100%"),
        ("word blank 0", "0%"),
    ] {
        let text = answer("max(staff.PAY)").replacen("    PAY    :", &format!("    OK : {domain}\n    PAY    :"), 1);
        let kept = put(&text);
        let said = run(&["check", &kept.path]).join_output();
        assert!(said.contains("error["), "{domain}\n{said}");
        for proposal in [format!("{domain}%"), format!(": {all}"), format!("bool {all}"), format!("blank {all}")] {
            assert!(!said.contains(&proposal), "{domain} is to be {proposal}\n{said}");
        }
        assert!(offered(&kept).is_empty(), "{domain}\n{said}");
    }
}

/// V31: a fix after which no sample can be built is not offered, and the reason is said in place of its advice.
#[test]
fn a_fix_after_which_nothing_can_be_built_is_not_offered() {
    for (memo, fails) in [
        // E0907: the expected text would be empty.
        ("one_of [\"\", \" \"]", true),
        ("one_of [\"\", \"  \", \"   \"]", true),
        ("one_of [\"a\", \"b\"]", false),
    ] {
        let kept = put(&format!(
            "suite s {{ title \"S\" version \"1.0.0\" }}\ntask t {{\n  kind : one_of [\"overdue\", \"paid\"]\n  memo : {memo}\n  require kind == \
             \"overdue\"\n  prompt \"Which note has <<kind>>? Reply with it only.\"\n  expect reply text if kind == \"overdu\" then memo else \"none of \
             <<kind>>\"\n}}\n"
        ));
        let said = run(&["check", &kept.path]).join_output();
        assert!(said.contains("`kind == \"overdu\"` is never true"), "{said}");
        let fixes = offered(&kept);
        let note = "no sample can be built if you replace with \"overdue\": the expected text came out empty";
        assert_eq!(said.contains(note), fails, "{said}");
        assert_eq!(said.contains("did you mean \"overdue\"?"), !fails, "the advice is gone with the fix: {said}");
        assert_eq!(fixes.is_empty(), fails, "{fixes:?}\n{said}");
        run(&["check", &kept.path, "--fix", "--unsafe-fixes"]);
        let wanted = if fails { kept.before.clone() } else { kept.before.replace("\"overdu\"", "\"overdue\"") };
        assert_eq!(kept.text(), wanted);
    }
}

/// V31: a number without `%` is a share only if it can be one.
#[test]
fn a_share_is_not_made_of_what_is_none() {
    for (number, wanted) in [
        ("80", Some("80%")),
        ("0.8", Some("80%")),
        ("0.05", Some("5%")),
        ("0.125", Some("12.5%")),
        ("12.5", Some("12.5%")),
        ("100", Some("100%")),
        ("250", None),
        ("1", None),
        ("0", None),
    ] {
        let kept = put(&suite(&format!("  text note at \"n.txt\" = \"x\"\n{PROMPT}  expect reply number 3\n"))
            .replacen("    PAY    :", &format!("    rows repeat {number}\n    PAY    :"), 1));
        let fixes = offered(&kept);
        run(&["check", &kept.path, "--fix", "--unsafe-fixes"]);
        match wanted {
            Some(wanted) => assert!(kept.text().contains(&format!("    rows repeat {wanted}\n")), "{}", kept.text()),
            None => assert!(fixes.is_empty(), "{number}: {fixes:?}"),
        }
    }
}

#[test]
fn a_diff_writes_nothing_and_tells_of_the_file_as_it_is() {
    let kept = put(&answer("sum(staff.PYA)"));
    let ran = kept.check(NOT_GOOD, &["--fix", "--diff"]);
    kept.untouched();
    let out = ran.out.replace(&kept.path, "a.pcd");
    assert!(out.starts_with("--- a.pcd\n+++ a.pcd\n@@ -10,5 +10,5 @@\n"), "{out}");
    assert!(
        out.contains("\n-  expect reply number sum(staff.PYA)\n+  expect reply number sum(staff.PAY)\n }\n"),
        "{out}"
    );
    assert!(ran.err.contains("would fix ") && ran.err.contains("1 fix in 1 file, nothing written"), "{}", ran.err);
    let patch = kept.home.at("patch");
    fs::write(&patch, &ran.out).expect("written");
    let patched = std::process::Command::new("patch").args(["-s", &kept.path, &patch]).status();
    fs::remove_file(&patch).expect("removed");
    match patched {
        Ok(status) => {
            assert!(status.success());
            assert_eq!(kept.text(), kept.before.replace("PYA", "PAY"));
        }
        Err(error) => println!("skipped: there is no `patch` here ({error})"),
    }
}

#[test]
fn flags_that_need_each_other() {
    let kept = put(&answer("sum(staff.PAY)"));
    kept.check(USAGE, &["--diff"]);
    kept.check(USAGE, &["--unsafe-fixes"]);
    kept.check(USAGE, &["--fix", "--diff", "--format", "json"]);
    kept.untouched();
}

#[test]
fn files_that_are_used_are_mended_once_and_the_rest_is_as_it_was() {
    let home = Home::new();
    let write = |name: &str, text: &str| fs::write(home.at(name), text).expect("written");
    write("common.pcd", "table person {\r\n  NAME : persn_name\r\n  PAY : int 10..90\r\n}\r\n");
    for name in ["a", "b"] {
        let text = format!(
            "use \"common.pcd\"\nsuite {name} {{ title \"T\" version \"1.0.0\" }}\ntask pay {{\n  csv staff : person at \"staff.csv\" {{ rows 12 }}\n{PROMPT}  \
             expect reply number sum(staff.PAY)\n}}\n"
        );
        write(&format!("{name}.pcd"), &text);
    }
    let args = |more: &[&str]| {
        let files = [home.at("a.pcd"), home.at("b.pcd")];
        [&["check"], &files.each_ref().map(String::as_str)[..], more]
            .concat()
            .iter()
            .map(|a| (*a).to_owned())
            .collect::<Vec<_>>()
    };
    let run = |status: i32, more: &[&str]| expect(status, &args(more).iter().map(String::as_str).collect::<Vec<_>>());
    // The mistake is in a file of both, and said once.
    assert!(run(NOT_GOOD, &[]).err.trim_end().ends_with("\n1 error"));
    let diff = run(NOT_GOOD, &["--fix", "--diff"]);
    assert_eq!(diff.out.matches("+  NAME : person_name\r\n").count(), 1, "{}", diff.out);
    let fixed = run(DONE, &["--fix"]);
    assert!(fixed.err.contains("1 fix in 1 file\n"), "{}", fixed.err);
    let common = fs::read_to_string(home.at("common.pcd")).expect("readable");
    assert_eq!(common, "table person {\r\n  NAME : person_name\r\n  PAY : int 10..90\r\n}\r\n");
    assert_eq!(home.names(), ["a.pcd", "b.pcd", "common.pcd"]);
}

#[test]
#[cfg(unix)]
fn links_and_permissions_are_kept_and_what_is_read_only_is_not_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let kept = put(&answer("sum(staff.PYA)"));
    let link = kept.home.at("link.pcd");
    std::os::unix::fs::symlink(&kept.path, &link).expect("linked");
    fs::set_permissions(&kept.path, fs::Permissions::from_mode(0o444)).expect("set");
    let refused = expect(OUTSIDE, &["check", "--fix", &link]);
    assert!(refused.err.contains("cannot write `") && refused.err.contains("read-only"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&kept.path).expect("readable"), kept.before);
    fs::set_permissions(&kept.path, fs::Permissions::from_mode(0o640)).expect("set");
    expect(DONE, &["check", "--fix", &link]);
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    fs::remove_file(&link).expect("removed");
    assert_eq!(kept.text(), kept.before.replace("PYA", "PAY"));
    assert_eq!(fs::metadata(&kept.path).expect("there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn what_is_left_can_be_had_in_every_format() {
    for (format, mark) in [
        ("short", ": error[E0201] "),
        ("json", "\"code\":\"E0201\""),
        ("sarif", "\"ruleId\":\"E0201\""),
        ("github", "::error file="),
    ] {
        let kept = put(&answer("sum(staff.PYA) + zzzzz"));
        let ran = kept.check(NOT_GOOD, &["--fix", "--format", format]);
        assert!(ran.out.contains(mark) && !ran.out.contains("E0203"), "{}", ran.out);
        assert!(ran.err.contains("1 fix in 1 file"), "{}", ran.err);
        assert!(kept.text().contains("sum(staff.PAY) + zzzzz"));
    }
}
