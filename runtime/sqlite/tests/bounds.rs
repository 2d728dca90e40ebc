//! Queries that would take all the time or memory there is: each ends, by the rules of replies and of tools, alone and many at once.

use std::time::{Duration, Instant};

use sqlite::{Database, QueryError, REPLY, Rules, TOOL, limit_of, read_value};

const A: &str = "WITH t(a) AS (SELECT replace(hex(zeroblob(450000)), '0', 'a')) ";
/// As many as fit into memory.
const SOME: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 400000) ";
const N: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";

/// Name, query, and whether it gives something after all: it is not endless, only long.
fn bombs() -> Vec<(&'static str, String, bool)> {
    let twice = |levels: usize| {
        let mut sql = "WITH c0 AS (SELECT 1 AS x)".to_owned();
        for level in 1..=levels {
            sql += &format!(", c{level} AS (SELECT a.x FROM c{0} a, c{0} b)", level - 1);
        }
        format!("{sql} SELECT count(*) FROM c{levels}")
    };
    let straight = |what: &str, times: usize| format!("{A} SELECT {} FROM t", vec![what; times].join(","));
    vec![
        (
            "instr",
            "WITH t(a) AS (SELECT replace(hex(zeroblob(5000000)),'0','a')) SELECT instr(a||a, a||'b') FROM t".into(),
            false,
        ),
        ("instr within", format!("{A} SELECT instr(a, substr(a, 1, 449999) || 'b') FROM t"), true),
        (
            "instr often",
            format!(
                "{A}, n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(instr(a, substr(a, 1, 449999) || i)) FROM n CROSS JOIN t"
            ),
            false,
        ),
        ("replace", format!("{A} SELECT length(replace(a, substr(a, 1, 449999) || 'b', '')) FROM t"), true),
        ("replace grows", format!("{A} SELECT length(replace(a, 'a', a)) FROM t"), false),
        ("trim", format!("{A} SELECT length(trim(a, replace(a, 'a', 'b') || 'a')) FROM t"), false),
        ("unhex", format!("{A} SELECT length(unhex(replace(a, 'a', 'z'), replace(a, 'a', 'y') || 'z')) FROM t"), false),
        (
            "like",
            format!(
                "{A} SELECT sum(a LIKE '%' || substr(a, 1, 900) || 'b%') FROM t, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5)"
            ),
            false,
        ),
        ("like many wild", format!("{A} SELECT a LIKE '%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b' FROM t"), true),
        ("like long pattern", format!("{A} SELECT a LIKE a || '%' FROM t"), false),
        ("glob", format!("{A} SELECT a GLOB '*' || substr(a, 1, 900) || 'b*' FROM t"), true),
        ("like in a row", straight(&format!("a LIKE '%{}b%'", "a".repeat(40)), 1500), false),
        (
            "sorted",
            format!("{N} SELECT length(x) FROM (SELECT hex(zeroblob(400000)) || i AS x FROM n ORDER BY 1)"),
            false,
        ),
        ("sorted small", format!("{N} SELECT i FROM n ORDER BY i DESC"), false),
        ("distinct", format!("{N} SELECT count(DISTINCT hex(zeroblob(400000)) || i) FROM n"), false),
        ("distinct small", format!("{N} SELECT count(DISTINCT i) FROM n"), false),
        ("group_concat", format!("{N} SELECT length(group_concat(i)) FROM n"), false),
        (
            "group_concat many",
            format!("{N} SELECT count(*) FROM (SELECT group_concat(hex(zeroblob(100000))) FROM n GROUP BY i / 4)"),
            false,
        ),
        ("json_group_array", format!("{N} SELECT length(json_group_array(hex(zeroblob(10000)))) FROM n"), false),
        ("grouped", format!("{N} SELECT count(*) FROM (SELECT i, count(*) FROM n GROUP BY i)"), false),
        ("endless", format!("{N} SELECT count(*) FROM n"), false),
        ("endless rows", format!("{N} SELECT max(i) FROM n WHERE i < 0"), false),
        (
            "doubling",
            "WITH RECURSIVE d(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM d) SELECT count(*) FROM d".into(),
            false,
        ),
        ("printf", format!("{N} SELECT count(printf('%*d', 900000, i)) FROM n"), false),
        ("printf precise", format!("{N} SELECT count(printf('%.900000f', i)) FROM n"), false),
        ("zeroblob", "SELECT length(hex(zeroblob(1000000000)))".into(), false),
        ("zeroblob often", format!("{N} SELECT count(hex(zeroblob(499999))) FROM n"), false),
        (
            "upper often",
            format!(
                "{A}, n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(length(upper(a))) FROM n CROSS JOIN t"
            ),
            false,
        ),
        (
            "length often",
            format!(
                "{A}, n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(length(a) + i) FROM n CROSS JOIN t"
            ),
            false,
        ),
        (
            "window",
            format!(
                "{SOME} SELECT sum(x) FROM (SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN 1000000 PRECEDING AND CURRENT ROW) AS x FROM n)"
            ),
            true,
        ),
        ("window all", format!("{N} SELECT count(*) FROM (SELECT rank() OVER (ORDER BY i) FROM n)"), false),
        (
            "window text",
            format!(
                "{SOME} SELECT sum(length(x)) FROM (SELECT group_concat(i) OVER (ORDER BY i ROWS BETWEEN 100000 PRECEDING AND CURRENT ROW) AS x FROM n LIMIT 10000000)"
            ),
            false,
        ),
        (
            "window json",
            format!(
                "{SOME} SELECT sum(length(x)) FROM (SELECT json_group_array(i) OVER (ORDER BY i ROWS BETWEEN 90000 PRECEDING AND CURRENT ROW) AS x FROM n LIMIT 10000000)"
            ),
            false,
        ),
        ("percentile", format!("{SOME} SELECT percentile(i, 50) FROM n"), true),
        (
            "joined",
            format!("{SOME}, m AS (SELECT i FROM n LIMIT 100000) SELECT count(*) FROM m a, m b WHERE a.i * b.i = 7"),
            false,
        ),
        (
            "json_each",
            format!(
                "{SOME} SELECT count(*) FROM json_each('[' || (SELECT group_concat(i) FROM (SELECT i FROM n LIMIT 100000)) || ']') a, json_each('[' || (SELECT group_concat(i) FROM (SELECT i FROM n LIMIT 100000)) || ']') b"
            ),
            false,
        ),
        ("json_patch", "SELECT json_patch('{}', '{}')".into(), false),
        ("names twice", twice(30), false),
        ("names twice, deep", twice(200), false),
        ("length in a row", straight("length(a)", 1900), true),
        (
            "window small frame",
            format!(
                "{SOME} SELECT max(x) FROM (SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS x FROM n)"
            ),
            true,
        ),
        (
            "numbers in a row",
            format!(
                "{A}, u(d) AS (SELECT replace(a, 'a', '1') FROM t) SELECT {} FROM u",
                vec![vec!["d"; 900].join("+"); 40].join(",")
            ),
            false,
        ),
        ("nocase in a row", straight("a = a COLLATE NOCASE", 1900), false),
        (
            "length in a row, long",
            format!("{A} SELECT {} FROM t", vec![vec!["length(a)"; 890].join("+"); 11].join(",")),
            false,
        ),
        (
            "nocase in a row, long",
            format!(
                "{A}, u(b) AS (SELECT upper(a) FROM t) SELECT {} FROM t, u",
                vec!["a=b COLLATE NOCASE"; 1900].join(",")
            ),
            true,
        ),
        ("many terms", format!("SELECT {}", vec!["1"; 50_000].join("+")), false),
        ("long", format!("SELECT '{}'", "a".repeat(1_500_000)), false),
    ]
}

/// How a query ends, in a word.
fn ends(rules: &'static Rules, sql: &str) -> String {
    ends_within(rules, sql, Duration::from_secs(600))
}

/// The same, for one that has so long.
fn ends_within(rules: &'static Rules, sql: &str, time: Duration) -> String {
    let database = Database::from_bytes(&[], rules).expect("opens");
    let deadline = Instant::now() + time;
    let ended = database.run_bounded(Some(deadline), |connection| {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            read_value(row, 0)?;
            count += 1;
        }
        Ok::<u64, rusqlite::Error>(count)
    });
    match ended {
        Ok(rows) => format!("{rows} rows"),
        Err(QueryError::Over(over)) => format!("over {over}"),
        Err(QueryError::Refused(_, why)) => why,
        Err(QueryError::Failed(error)) => match limit_of(&error, rules) {
            Some(over) => format!("over {over}"),
            None => sqlite::describe_error(&error),
        },
        Err(other) => format!("{other:?}"),
    }
}

/// The most memory that this process has held, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The time that this thread has computed for: on a busy machine less than went by.
fn spent() -> Duration {
    #[cfg(unix)]
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into();
    #[cfg(not(unix))]
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.expect("a time since the start")
}

#[test]
fn every_bomb_ends() {
    many_at_once_end_as_one_does();
    let slow: Vec<String> = std::thread::scope(|scope| {
        let all =
            [(&REPLY, "reply"), (&TOOL, "tool")].map(|(rules, whose)| scope.spawn(move || judge_bombs(rules, whose)));
        all.into_iter().flat_map(|thread| thread.join().expect("ends")).collect()
    });
    assert_eq!(slow, Vec::<String>::new());
    assert!(peak() < 512 << 20, "{} MB", peak() >> 20);
    every_bomb_ends_soon_after_its_deadline();
}

/// Runs all bombs by these rules, one after the other, and lists those that end otherwise than they should, or late.
fn judge_bombs(rules: &'static Rules, whose: &str) -> Vec<String> {
    let mut slow = Vec::new();
    for (name, sql, gives) in bombs() {
        let began = Instant::now();
        let ended = ends(rules, &sql);
        let took = began.elapsed();
        println!("{whose:6} {name:20} {:7.3} s  {:4} MB  {ended}", took.as_secs_f64(), peak() >> 20);
        if gives != ended.ends_with(" rows") {
            slow.push(format!("{name}: {ended}"));
        }
        if took > Duration::from_secs(20) {
            slow.push(format!("{name}: {took:?}"));
        }
    }
    slow
}

/// Whatever a query does when its time is up, it ends soon: what one instruction does is short, or looks at the clock itself.
fn every_bomb_ends_soon_after_its_deadline() {
    let mut late = Vec::new();
    for (name, sql, _) in bombs() {
        let began = spent();
        let ended = ends_within(&TOOL, &sql, Duration::from_millis(200));
        let took = spent().saturating_sub(began);
        println!("after 200 ms {name:20} {:7.3} s  {ended}", took.as_secs_f64());
        // One LIKE or GLOB may do half of all the work that a query has, between two looks at the clock.
        if took > Duration::from_millis(4_200) {
            late.push(format!("{name}: {took:?}, {ended}"));
        }
    }
    assert_eq!(late, Vec::<String>::new());
}

/// Ordinary queries, as a run scores them: each on a database of its own.
#[test]
fn ten_thousand_small_queries() {
    let began = Instant::now();
    for at in 0..10_000 {
        let sql = format!(
            "WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y'), ({at}, 'z')) SELECT count(*), max(length(b)), sum(a) FROM t WHERE a > 1"
        );
        assert_eq!(ends(&REPLY, &sql), "1 rows");
    }
    println!("10,000 small queries: {:.3} s", began.elapsed().as_secs_f64());
}

/// In the same test, so that nothing else runs meanwhile: eight at once, and forty, take no more than the process may, and none ends otherwise than alone.
fn many_at_once_end_as_one_does() {
    let bombs: Vec<_> = bombs()
        .into_iter()
        .filter(|(name, ..)| ["sorted", "sorted small", "distinct", "grouped", "endless", "instr often"].contains(name))
        .collect();
    for (name, sql, _) in bombs {
        let began = Instant::now();
        let alone = ends(&REPLY, &sql);
        // Those that take memory and little time are asked more often.
        let times = if name.starts_with("sorted") || name == "distinct" { 40 } else { 8 };
        let together: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..times).map(|_| scope.spawn(|| ends(&REPLY, &sql))).collect();
            threads.into_iter().map(|thread| thread.join().expect("ends")).collect()
        });
        println!("{times:2} x {name:20} {:7.3} s  {:4} MB", began.elapsed().as_secs_f64(), peak() >> 20);
        assert!(together.iter().all(|ended| *ended == alone), "{name}: {alone}; {together:?}");
    }
    assert!(peak() < 512 << 20, "{} MB", peak() >> 20);
}
