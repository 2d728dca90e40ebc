//! SQL of authors, agents, and replies: bounds, clock, and build.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use testing::{CommandOutput, create_folder, expect_success, run_picardc, write_in_folder};

use super::support::lines;

/// One step of SQLite's machine that would take hours.
const HANG: &str = "WITH t(a) AS (SELECT replace(hex(zeroblob(5000000)),'0','a')) SELECT instr(a||a, a||'b') FROM t";

/// The same below the limit of a value's length: a step of seconds, again and again.
const HANG_SHORT: &str = "WITH RECURSIVE t(a) AS (SELECT replace(hex(zeroblob(240000)),'0','a')), \
     n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(instr(a||a, a||'b'||i)) FROM n CROSS JOIN t";

const SORT: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
     SELECT length(x) FROM (SELECT hex(zeroblob(400000))||i AS x FROM n ORDER BY 1)";

const DISTINCT: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
     SELECT count(DISTINCT hex(zeroblob(15000000))||i) FROM n";

/// A suite with one task that asks for SQL.
fn asks_for_sql(samples: u32) -> String {
    format!(
        r#"suite s {{ title "S" version "1.0.0" samples {samples} }}
task t {{
  sqlite shop at "shop.db" {{ table orders {{ rows 9  ID : serial  DAY : date 2024-01-01..2024-12-31 }} }}
  prompt "Write SQL that counts the orders in <<shop>>. Reply with the query only."
  expect reply sql shop <<rows: SELECT count(*) FROM shop.orders>>
}}
"#
    )
}

/// A suite whose key is the result of a query, with what its task declares besides.
fn keyed(declared: &str, query: &str) -> String {
    format!(
        r#"suite s {{ title "S" version "1.0.0" samples 1 }}
task t {{
  {declared}
  sqlite shop at "shop.db" {{ table orders {{ rows 9  ID : serial  DAY : date 2024-01-01..2024-12-31 }} }}
  prompt "<<shop>>?"
  expect reply text <<sqlite_query: shop, SELECT 'x' || coalesce(({query}), '')>>
}}
"#
    )
}

/// A folder with the bundle `b` of a suite.
fn bundle(suite: &str) -> TempDir {
    let place = create_folder(&[("s.pcd", suite)]);
    expect_success(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1", "--quiet"]);
    place
}

/// An agent that replies with this text.
fn replies(place: &Path, text: &str) -> String {
    write_in_folder(place, "reply.sql", text.as_bytes());
    "cmd:cat reply.sql".to_owned()
}

fn start_program(place: &Path, arguments: &[&str]) -> Child {
    Command::new(testing::find_program())
        .args(arguments)
        .current_dir(place)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("picardc starts")
}

/// Waits for its end, and kills it where it takes too long.
fn ends_within(mut child: Child, most: Duration) -> CommandOutput {
    let began = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if began.elapsed() > most {
            child.kill().expect("killed");
            let output = child.wait_with_output().expect("its output");
            panic!("it had not ended after {most:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("its output").into()
}

/// The word of the first verdict of a reply that is this query, and how long the run took.
fn verdict(query: &str) -> (String, Duration) {
    let place = bundle(&asks_for_sql(1));
    let agent = replies(place.path(), query);
    let began = Instant::now();
    let output =
        ends_within(start_program(place.path(), &["run", "b", "--agent", &agent, "-o", "r"]), Duration::from_secs(60));
    let took = began.elapsed();
    assert!(output.status.success(), "{query}: {}", output.err);
    let scores = lines(place.path(), "r/scores.jsonl");
    let verdict = &scores[0]["verdicts"][0];
    let reason = verdict["reason"].as_str().expect("a reason");
    assert_eq!(scores[0]["correct"], serde_json::Value::Bool(reason == "right"), "{scores:?}");
    (format!("{reason} {}", verdict["differences"]), took)
}

#[test]
fn s5_replies_that_would_hang_or_take_all_memory_meet_a_limit() {
    for query in [HANG, HANG_SHORT, SORT, DISTINCT] {
        let (verdict, took) = verdict(query);
        assert!(verdict.starts_with("sql_limit"), "{query}: {verdict}");
        assert!(took < Duration::from_secs(30), "{query}: {took:?}");
    }
}

#[test]
fn s5_honest_replies_are_right() {
    for query in [
        "SELECT count(*) FROM orders",
        "SELECT sum(instr('ab', 'b') - 1) FROM orders WHERE DAY LIKE '2024-%' AND trim(ID, ' ') <> ''",
        "SELECT count(*) FROM orders WHERE date(DAY) >= '2024-01-01' AND date(DAY, '+1 day') > DAY",
        "WITH d AS (SELECT DISTINCT ID FROM orders ORDER BY ID) SELECT count(DISTINCT ID) FROM d",
    ] {
        assert_eq!(verdict(query).0, "right []", "{query}");
    }
}

#[cfg(unix)]
#[test]
fn s5_a_response_is_on_the_disk_before_it_is_scored() {
    // Each of these takes long enough to be seen: 200 million steps.
    let slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let place = bundle(&asks_for_sql(6));
    let agent = replies(place.path(), slow);
    let arguments = ["run", "b", "--agent", &agent, "-o", "r", "--concurrency", "1"];
    let mut child = start_program(place.path(), &arguments);
    let began = Instant::now();
    while lines(place.path(), "r/responses.jsonl").is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no response was written");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.try_wait().expect("a state").is_none(), "it still scores");
    child.kill().expect("killed");
    child.wait().expect("over");
    let before = fs::read(place.path().join("r/responses.jsonl")).expect("responses");
    // The run goes on, and asks nothing again that was answered.
    let output = ends_within(start_program(place.path(), &arguments), Duration::from_secs(200));
    assert!(output.status.success(), "{}", output.err);
    let after = fs::read(place.path().join("r/responses.jsonl")).expect("responses");
    assert!(after.starts_with(&before));
    assert_eq!(lines(place.path(), "r/responses.jsonl").len(), 6);
    assert_eq!(lines(place.path(), "r/scores.jsonl").len(), 6);
}

#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn s5_ctrl_c_ends_a_query_of_a_run_and_of_a_build() {
    let slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let place = bundle(&asks_for_sql(40));
    let agent = replies(place.path(), slow);
    let child = start_program(place.path(), &["run", "b", "--agent", &agent, "-o", "r", "--concurrency", "2"]);
    while lines(place.path(), "r/responses.jsonl").len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    signal(&child, "-INT");
    let output = ends_within(child, Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(3), "{}", output.err);
    assert!(output.err.contains("stopped: "), "{}", output.err);
    assert!(!place.path().join("r/scores.jsonl").exists(), "what is cut short is no verdict");

    let place = create_folder(&[("s.pcd", &keyed("", &slow.replace("count(*)", "printf('%d', max(i))")))]);
    let child = start_program(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1"]);
    std::thread::sleep(Duration::from_millis(1500));
    signal(&child, "-INT");
    let output = ends_within(child, Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(3), "{}", output.err);
    assert!(output.err.contains("interrupted"), "{}", output.err);
    assert!(!place.path().join("b").exists());
}

#[test]
fn s5_queries_of_a_suite_end() {
    let hang = HANG.replace("SELECT instr", "SELECT 'n' || instr");
    let place = create_folder(&[("s.pcd", &keyed("", &hang))]);
    let output = ends_within(
        start_program(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1"]),
        Duration::from_secs(60),
    );
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", output.err);
    let sort = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
         SELECT 'n' || max(length(x)) FROM (SELECT hex(zeroblob(4000000))||i AS x FROM n ORDER BY 1 LIMIT 100000000)";
    let place = create_folder(&[("s.pcd", &keyed("", sort))]);
    let output = ends_within(
        start_program(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1"]),
        Duration::from_secs(60),
    );
    assert_eq!(output.status.code(), Some(1), "{}", output.err);
    assert!(output.err.contains("E0905") && output.err.contains("of memory"), "{}", output.err);
}

/// Every way to ask for the day that names it nowhere.
const HIDDEN: [(&str, &str); 8] = [
    ("", "SELECT date('n' || 'ow')"),
    ("", "SELECT datetime(lower('NOW'))"),
    ("", "SELECT 'x' || coalesce(strftime('%s', replace('n.ow', '.', '')), '')"),
    ("", "SELECT 'x' || coalesce(unixepoch('n' || 'ow'), 0)"),
    ("p : one_of [\"now\"]", "SELECT date(:p)"),
    ("p : one_of [\"now\"]", "SELECT strftime('%s', :p)"),
    ("p : one_of [\"subsec\"]", "SELECT 'x' || coalesce(julianday(:p), '')"),
    ("", "SELECT date(W) FROM (SELECT 'now' AS W)"),
];

#[test]
fn s6_a_hidden_now_stops_the_build() {
    for (declared, query) in HIDDEN {
        let place = create_folder(&[("s.pcd", &keyed(declared, query))]);
        let output = run_picardc(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1"]);
        assert_eq!(output.status.code(), Some(1), "{query}: {}", output.err);
        let said = output.err;
        assert!(said.contains("clock") || said.contains("E0608"), "{query}: {said}");
    }
}

#[test]
fn s6_what_a_column_hides_stops_the_build() {
    let suite = r#"suite s { title "S" version "1.0.0" samples 1 }
task t {
  sqlite shop at "shop.db" { table orders { rows 3  ID : serial  W : one_of ["now"] } }
  prompt "<<shop>>?"
  expect reply text <<sqlite_query: shop, SELECT 'x' || coalesce(max(date(W)), '') FROM orders>>
}
"#;
    let place = create_folder(&[("s.pcd", suite)]);
    let output = run_picardc(place.path(), &["build", "s.pcd", "-o", "b", "--seed", "1"]);
    assert!(output.status.code() == Some(1) && output.err.contains("clock"), "{}", output.err);
}

#[test]
fn s6_the_time_zone_decides_nothing() {
    for modifier in ["'local' || 'time'", "'u' || 'tc'"] {
        let query = format!("SELECT 'x' || coalesce(datetime('2024-07-01 12:00', {modifier}), '')");
        let place = create_folder(&[("s.pcd", &keyed("", &query))]);
        let builds = ["UTC", "Asia/Tokyo", "America/New_York"].map(|zone| {
            let output: CommandOutput = Command::new(testing::find_program())
                .args(["build", "s.pcd", "-o", &format!("b{}", zone.replace('/', "_")), "--seed", "1"])
                .env("TZ", zone)
                .current_dir(place.path())
                .output()
                .expect("picardc starts")
                .into();
            (output.status.code(), output.err.contains("time zone"))
        });
        assert_eq!(builds, [(Some(1), true); 3], "{query}");
    }
}

#[test]
fn s6_check_names_functions_that_are_not_steady() {
    for function in [
        "sqlite_version()",
        "sqlite_source_id()",
        "sqlite_compileoption_get(1)",
        "changes()",
        "total_changes()",
        "last_insert_rowid()",
        "random()",
        "CURRENT_DATE",
    ] {
        let place = create_folder(&[("s.pcd", &keyed("", &format!("SELECT 'x' || {function}")))]);
        let output = run_picardc(place.path(), &["check", "s.pcd"]);
        let said = output.err;
        assert!(output.status.code() == Some(1) && said.contains("E0608"), "{function}: {said}");
    }
}

#[test]
fn s6_two_builds_a_second_apart_are_equal() {
    let query = "SELECT 'x' || count(*) || date(max(DAY)) || strftime('%Y', min(DAY)) FROM orders";
    let place = create_folder(&[("s.pcd", &keyed("", query))]);
    let digest = |out: &str| {
        expect_success(place.path(), &["build", "s.pcd", "-o", out, "--seed", "1", "--quiet"]);
        fs::read(place.path().join(out).join("instances.jsonl")).expect("instances")
    };
    let first = digest("a");
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(first, digest("b"));
}

#[test]
fn b9_a_reply_that_reads_the_clock_or_the_build_is_an_error() {
    for query in [
        "SELECT count(*) FROM orders WHERE DAY < date('now')",
        "SELECT count(*) FROM orders WHERE DAY < date('n' || 'ow')",
        "SELECT count(*) FROM orders WHERE DAY < datetime('now', 'localtime')",
        "SELECT count(*) FROM orders WHERE unixepoch() > 0",
        "SELECT count(*) FROM orders WHERE strftime('%s') > '0'",
        "SELECT count(*) FROM orders WHERE DAY < current_date",
        "SELECT count(*) + 0 * length(sqlite_version()) FROM orders",
        "SELECT count(*) + 0 * changes() FROM orders",
        "SELECT count(*) + 0 * random() FROM orders",
        "SELECT count(*) FROM orders WHERE datetime(DAY, 'localtime') > ''",
    ] {
        let (verdict, _) = verdict(query);
        assert!(verdict.starts_with("sql_error"), "{query}: {verdict}");
        let told = ["not available here", "it reads the clock", "it depends on the time zone of the machine"];
        assert!(told.iter().any(|why| verdict.contains(why)), "{query}: {verdict}");
    }
}
