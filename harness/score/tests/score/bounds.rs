//! Replies that are far too long: each is scored in little memory and time. Every case is measured in a process of its own.

use std::process::Command;
use std::time::Instant;

use records::{Captured, Response};
use serde_json::{Value as Json, json};

use super::common::{Files, files, instance, reply, word};

/// Set for the process that scores one case: its number, and the bytes of the reply.
const CASE: &str = "PICARDC_LONG_REPLY";

/// Set for the size that is promised: 15 MB. Else replies have 1 MB.
const WHOLE: &str = "PICARDC_LONG_REPLIES";

/// A name, an expectation, what the reply begins with, what it repeats, what it ends with, and whether it is a file.
type Case = (&'static str, Json, &'static str, &'static str, &'static str, bool);

fn cases() -> Vec<Case> {
    let of = |matcher: &str, value: Json| json!({"subject": "reply", "match": matcher, "value": value});
    let list = || of("list", json!([1, 2, 3]));
    let rows = || of("rows", json!({"columns": ["A", "B"], "rows": [[1, "x"], [2, "y"]]}));
    let sql = |mut expect: Json| {
        expect["database"] = "t.db".into();
        expect
    };
    let open = |mut expect: Json| {
        expect["options"] = json!({"": {"open": true}});
        expect
    };
    let ignore = |mut expect: Json| {
        expect["options"] = json!({"": {"ignore": ["case", "punctuation"]}});
        expect
    };
    let at = |path: &str| json!({"subject": {"file": "a.txt"}, "slice": {"at": path}, "match": "number", "value": 1});
    vec![
        ("list as JSON", list(), "[1", ",1", "]", false),
        ("list of texts", list(), "[\"a\"", ",\"a\"", "]", false),
        ("list one a line", list(), "1", "\n1", "", false),
        ("list between commas", list(), "1", ",1", "", false),
        ("list with bullets", list(), "- 1", "\n- 1", "", false),
        ("list in quotes", list(), "\"1\"", "\n\"1\"", "", false),
        ("list as Python prints it", list(), "(1", ", 'a'", ")", false),
        ("list of lists", of("list", json!([[1]])), "[[1]", ",[1]", "]", false),
        ("rows as CSV", rows(), "A,B", "\n1,x", "", false),
        ("rows as a wide table", rows(), "A", ",A", "", false),
        ("rows in Markdown", rows(), "|A|B|\n|-|-|", "\n|1|x|", "", false),
        ("rows as a wide table in Markdown", rows(), "|A|B|\n", "|-", "", false),
        ("rows as JSON", rows(), "[[1,2]", ",[1,2]", "]", false),
        ("rows one a line", rows(), "[1,2]", "\n[1,2]", "", false),
        ("JSON array", of("json", json!([1])), "[1", ",1", "]", false),
        ("JSON that is never closed", of("json", json!([1])), "[1", ",1", "", false),
        ("open object", open(of("json", json!({"a": 1}))), "{\"a\":1,\"b\":[0", ",0", "]}", false),
        ("a key twice", of("json", json!({"a": 1})), "{\"b\":[1", ",1", "],\"a\":1,\"a\":1}", false),
        ("place in a file", at("$.a"), "{\"b\":[1", ",1", "],\"a\":1}", true),
        ("last item of a file", at("$[-1]"), "[1", ",1", "]", true),
        ("item of a file", at("$[1]"), "[1", ",1", "]", true),
        ("number of many digits", of("number", json!(1)), "1", "1", "", false),
        ("number in groups", of("number", json!(1)), "1", ",111", "", false),
        ("number with zeros", of("number", json!(1)), "1.", "0", "", false),
        ("query", sql(of("sql", json!({"columns": ["A"], "rows": [[1]]}))), "SELECT 1", " + 1", "", false),
        (
            "query with many rows",
            sql(of("sql", json!({"columns": ["A"], "rows": [[1]]}))),
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 90000) SELECT n, n, n, n, n, n, n FROM c",
            " ",
            "",
            false,
        ),
        ("contains", of("contains", json!("ab")), "a", "a", "", false),
        ("contains, with marks ignored", ignore(of("contains", json!("A.B"))), "a", ".a", "", false),
        ("text", of("text", json!("b")), "a", "a", "", false),
        ("text, with marks ignored", ignore(of("text", json!("b"))), "a", ".É", "", false),
        ("thoughts", of("text", json!("b")), "", "<analysis>a</analysis>", "x", false),
        ("fences", of("text", json!("b")), "", "```\n```\n", "x", false),
    ]
}

/// What repeats often enough for so many bytes.
fn long((_, _, begin, again, end, _): &Case, bytes: usize) -> String {
    format!("{begin}{}{end}", again.repeat(bytes / again.len()))
}

/// The most memory that this process has used, in bytes; `None` where the system does not tell.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kib| kib * 1024)
}

/// Scores one case; not a test of its own.
#[test]
fn one_long_reply() {
    let Some((at, bytes)) = std::env::var(CASE).ok().and_then(|asked| {
        let (at, bytes) = asked.split_once(' ')?;
        Some((at.parse::<usize>().ok()?, bytes.parse::<usize>().ok()?))
    }) else {
        return;
    };
    let case = &cases()[at];
    let text = long(case, bytes);
    let response: Response = match case.5 {
        true => files(&[("a.txt", Captured::Text { text })]),
        false => Response { reply: text, ..reply("") },
    };
    sqlite::init_process().expect("SQLite");
    let start = Files::from([("t.db".to_owned(), Vec::new())]);
    let begun = Instant::now();
    let score = score::score_response(&instance(&case.1), Some(&response), 1, &start);
    println!("\n{} {} {}", word(&score.verdicts[0]), begun.elapsed().as_millis(), peak().unwrap_or_default());
}

#[test]
fn a_long_reply_is_scored_in_little_memory_and_time() {
    if peak().is_none() {
        println!("skipped: the system does not tell how much memory a process uses");
        return;
    }
    let is_whole = std::env::var_os(WHOLE).is_some();
    let bytes = if is_whole { 15_000_000 } else { 1_000_000 };
    // As much again for each copy of the text, and what every process takes.
    let most = 30_000_000 + bytes * 11;
    let mut wrong = Vec::new();
    for (at, case) in cases().iter().enumerate() {
        let ran = Command::new(std::env::current_exe().expect("a program"))
            .args(["--exact", "bounds::one_long_reply", "--nocapture"])
            .env(CASE, format!("{at} {bytes}"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        let line = said.lines().map(|line| line.split(' ').collect::<Vec<&str>>()).find_map(|words| match words[..] {
            [word, time, peak] => Some((word.to_owned(), time.parse::<u64>().ok()?, peak.parse::<usize>().ok()?)),
            _ => None,
        });
        let Some((word, time, peak)) = line else {
            wrong.push(format!("{}: {said}{}", case.0, String::from_utf8_lossy(&ran.stderr)));
            continue;
        };
        println!("{:40} {word:12} {time:6} ms {:4} MB", case.0, peak / 1_000_000);
        let is_right = matches!(
            case.0,
            "open object" | "place in a file" | "last item of a file" | "item of a file" | "number with zeros"
        );
        if (word == "right") != is_right || peak > most || time > if is_whole { 120_000 } else { 20_000 } {
            wrong.push(format!("{}: {word}, {time} ms, {} MB", case.0, peak / 1_000_000));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
