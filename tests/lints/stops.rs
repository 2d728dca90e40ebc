//! Builds that can stop: each construct next to its safe twin.

use compiler::Why;

use super::compile;

/// The codes that say that a build can stop.
const OWN: [&str; 11] =
    ["E0401", "E0402", "E0405", "E0501", "E0503", "W0405", "W0420", "W0421", "W0422", "W0423", "W0424"];

/// The codes that a task with this body gets, and the words they point at.
fn said(body: &str) -> Vec<(String, String)> {
    let compiled = compile(&format!("{body}\n  prompt \"?\"\n  expect reply number 1\n  allow unused_name \"a test\""));
    let own = compiled.diagnostics.iter().filter(|said| OWN.contains(&said.code.id) || said.code.id.starts_with('E'));
    own.map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned())).collect()
}

#[track_caller]
fn hold(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (code, stops, safe) in cases {
        let found = said(stops);
        if found.len() != 1 || found[0].0 != *code {
            wrong.push(format!("wanted {code}, said {found:?}\n{stops}"));
        }
        let found = said(safe);
        if !found.is_empty() {
            wrong.push(format!("a false alarm: {found:?}\n{safe}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn bounds_that_cross() {
    hold(&[
        ("W0420", "lo : int 1..50  x : int lo..40", "lo : int 1..40  x : int lo..40"),
        ("W0420", "lo : int 1..50  hi : int 3..90  x : int lo..hi", "lo : int 1..50  hi : int 50..90  x : int lo..hi"),
        (
            "W0420",
            "lo : int 1..50  hi : int 3..90  x : int lo..hi",
            "lo : int 1..50  n : int 0..9  hi = lo + n  x : int lo..hi",
        ),
        (
            "W0420",
            "lo : int 1..50  hi : int 3..90  require lo != 7  x : int lo..hi",
            "lo : int 1..50  hi : int 3..90  require lo <= hi  x : int lo..hi",
        ),
        (
            "W0420",
            "d : date 2024-01-01..2024-12-31  e : date d..2024-06-30",
            "d : date 2024-01-01..2024-06-30  e : date d..2024-06-30",
        ),
        (
            "E0401",
            "d : date 2024-01-01..2024-12-31  e : date d..d - 3 days",
            "d : date 2024-01-01..2024-12-31  e : date d - 3 days..d",
        ),
        ("W0420", "p : decimal 1.00..9.99  q : decimal p..5.00", "p : decimal 1.00..4.99  q : decimal p..5.00"),
        (
            "W0420",
            r#"csv t at "t.csv" { rows 9  A : int 1..60  B : int A..40 }"#,
            r#"csv t at "t.csv" { rows 9  A : int 1..40  B : int A..40 }"#,
        ),
        (
            "W0420",
            r#"csv t at "t.csv" { rows 9  A : date 2024-01-01..2024-12-31  B : date A..2024-10-10 }"#,
            r#"csv t at "t.csv" { rows 9  A : date 2024-01-01..2024-10-10  B : date A..2024-10-10 }"#,
        ),
        (
            "W0420",
            r#"a : int 1..9  b : int 5..9  csv t at "t.csv" { rows a..b  A : int 1..9 }"#,
            r#"a : int 1..5  b : int 5..9  csv t at "t.csv" { rows a..b  A : int 1..9 }"#,
        ),
        (
            "W0420",
            r#"a : int 2..9  b : int 2..9  n = a - b  csv t at "t.csv" { rows n  A : int 1..9 }"#,
            r#"a : int 9..19  b : int 2..9  n = a - b  csv t at "t.csv" { rows n  A : int 1..9 }"#,
        ),
        (
            "W0420",
            r#"a : int -5..9  csv t at "t.csv" { rows a  A : int 1..9 }"#,
            r#"a : int 0..9  csv t at "t.csv" { rows a  A : int 1..9 }"#,
        ),
        (
            "W0420",
            "a : int 1..9  b : int 5..9  t : lorem words a..b",
            "a : int 1..5  b : int 5..9  t : lorem words a..b",
        ),
        (
            "W0420",
            r#"a : int 1..9  b : int 1..9  json t at "t.json" { xs: [ { x: int 1..9 } ; a..b ] }"#,
            r#"a : int 1..9  json t at "t.json" { xs: [ { x: int 1..9 } ; a..9 ] }"#,
        ),
    ]);
}

#[test]
fn divisors() {
    hold(&[
        ("W0405", "a : int 2..9  b : int 2..9  x = 7 / (a - b)", "a : int 12..19  b : int 2..9  x = 7 / (a - b)"),
        ("W0405", "a : int 2..9  b : int 2..9  x = 7 / (a - b)", "a, b : distinct int 2..9  x = 7 / (a - b)"),
        (
            "W0405",
            "a : int 2..9  b : int 2..9  x = 7 / (a - b)",
            "a : int 2..9  b : int 2..9  require a != b  x = 7 / (a - b)",
        ),
        (
            "W0405",
            "a, b : int 1..6  require a + b == 8  x = 10 / (a - b)",
            "a, b : int 1..6  require a + b == 7  x = 10 / (a - b)",
        ),
        ("W0405", "a : int 0..6  x = 10 / a", "a : int 0..6  ok = a > 0  x = if ok then 10 / a else 0"),
        (
            "W0405",
            r#"json j at "j.json" { n: int 0..3 }  x = 5 / <<json_value: j, $.n>>"#,
            r#"json j at "j.json" { n: int 1..3 }  x = 5 / <<json_value: j, $.n>>"#,
        ),
        (
            "W0405",
            r#"sqlite s at "s.db" { table u { rows 5  N : int 0..1 } }  x = 5 / <<value: SELECT COUNT(*) FROM s.u WHERE N = 1>>"#,
            r#"sqlite s at "s.db" { table u { rows 5  N : int 0..1 } }  x = 5 / <<value: SELECT COUNT(*) FROM s.u>>"#,
        ),
        ("W0405", "a : int 2..90  x = 7 / mod(a, 7)", "a : int 2..90  x = 7 / (mod(a, 7) + 1)"),
        ("W0405", "a : int 2..90  x = 7 / floor(a / 4)", "a : int 4..90  x = 7 / floor(a / 4)"),
        ("W0405", r#"p : pattern "[a-c]{0,2}"  x = 7 / len(p)"#, r#"p : pattern "[a-c]{1,2}"  x = 7 / len(p)"#),
        (
            "W0405",
            "a : int 2..9  b : int 2..9  x = mod(100, a - b)",
            "a : int 12..19  b : int 2..9  x = mod(100, a - b)",
        ),
        ("W0405", "a : int 2..900  x = 7 / (a - 37)", "a : int 38..900  x = 7 / (a - 37)"),
        (
            "W0405",
            "d : date 2024-01-01..2024-03-31  e : date 2024-03-01..2024-06-30  x = 7 / days_between(d, e)",
            "d : date 2024-01-01..2024-02-28  e : date 2024-03-01..2024-06-30  x = 7 / days_between(d, e)",
        ),
        ("E0903", "axis k = [1, 2, 3]  x = 7 / (k - 1)", "axis k = [1, 2, 3]  x = 7 / (k + 1)"),
        (
            "W0405",
            "axis k = [1, 2, 3]  a : int 1..9  x = 7 / (k - a)",
            "axis k = [1, 2, 3]  a : int 4..9  x = 7 / (k - a)",
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 2  A : int -3..3 }  x = 7 / coalesce(sum(t.A), 1)"#,
            r#"csv t at "t.csv" { rows 2  A : int 1..3 }  x = 7 / coalesce(sum(t.A), 1)"#,
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 2  A : int 1..3 }  x = 7 / coalesce(stdev(t.A), 1)"#,
            r#"csv t at "t.csv" { rows 2  A : unique int 1..3 }  x = 7 / coalesce(stdev(t.A), 1)"#,
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 0..3  A : int 1..3 }  x = 7 / distinct_count(t.A)"#,
            r#"csv t at "t.csv" { rows 1..3  A : int 1..3 }  x = 7 / distinct_count(t.A)"#,
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 5  A : int 0..3 }  x = 7 / <<value: SELECT MIN(A) FROM t>>"#,
            r#"csv t at "t.csv" { rows 5  A : int 1..3 }  x = 7 / <<value: SELECT MIN(A) FROM t>>"#,
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 5  A : int 0..3  B : bool 40% }  x = 7 / count(t where B)"#,
            r#"csv t at "t.csv" { rows 5  A : int 0..3  B : bool 40% }  n = count(t where B)  x = if n > 0 then 7 / n else 1"#,
        ),
        (
            "W0405",
            r#"csv t at "t.csv" { rows 5  A : int 1..9  B : int 1..9  C = 7 / (A - B) }"#,
            r#"csv t at "t.csv" { rows 5  A : int 11..19  B : int 1..9  C = 7 / (A - B) }"#,
        ),
    ]);
}

#[test]
fn computations() {
    hold(&[
        ("W0421", r#"p : pattern "[0-9A]{3}"  x = to_int(p)"#, r#"p : pattern "[0-9]{3}"  x = to_int(p)"#),
        ("W0421", r#"p : pattern "[0-9]{0,2}"  x = to_int(p)"#, r#"p : pattern "-?[0-9]{1,2}"  x = to_int(p)"#),
        ("W0421", r#"p : pattern "[1-9][0-9]{19}"  x = to_int(p)"#, r#"p : pattern "[1-9][0-9]{17}"  x = to_int(p)"#),
        (
            "W0421",
            r#"p : pattern "[0-9]{2}\\.[0-9]{1,3}"  x = to_decimal(p, 2)"#,
            r#"p : pattern "[0-9]{2}\\.[0-9]{1,2}"  x = to_decimal(p, 2)"#,
        ),
        ("W0421", "a, b, c : int 1_000_000..9_000_000  x = a * b * c", "a, b, c : int 1_000..9_000  x = a * b * c"),
        (
            "W0421",
            r#"csv t at "t.csv" { rows 50  A : int 1_000_000_000_000_000_000..2_000_000_000_000_000_000 }  x = sum(t.A)"#,
            r#"csv t at "t.csv" { rows 50  A : int 1_000_000_000_000_000..2_000_000_000_000_000 }  x = sum(t.A)"#,
        ),
        (
            "W0421",
            "d : date 2024-01-01..2024-12-31  n : int 1..9_000_000  e = d + n * 1 days",
            "d : date 2024-01-01..2024-12-31  n : int 1..9_000  e = d + n * 1 days",
        ),
        (
            "W0421",
            "a : int 1..9  n : int 0..40  x = round(a / 7, n)",
            "a : int 1..9  n : int 0..10  x = round(a / 7, n)",
        ),
        (
            "W0421",
            "a : int 1..9  n : int -3..3  x = round(a / 7, n)",
            "a : int 1..9  n : int 0..3  x = round(a / 7, n)",
        ),
        (
            "W0421",
            "a : int 1..9  n : int -3..3  x = format(a / 7, n)",
            "a : int 1..9  n : int 0..3  x = format(a / 7, n)",
        ),
        (
            "W0421",
            r#"f : one_of ["x", "yy"]  x = pad_left("a", 5, f)"#,
            r#"f : one_of ["x", "y"]  x = pad_left("a", 5, f)"#,
        ),
        (
            "W0421",
            r#"f : pattern "[a-c]{0,2}"  x = replace("abc", f, "-")"#,
            r#"f : pattern "[a-c]{1,2}"  x = replace("abc", f, "-")"#,
        ),
        ("W0421", r#"f : one_of ["", ","]  x = split("a,b", f)"#, r#"f : one_of [";", ","]  x = split("a,b", f)"#),
        (
            "W0421",
            r#"csv t at "t.csv" { rows 9  K : one_of ["a", "b", "c"]  V : int 1..9 }  x = object(t.K, t.V)"#,
            r#"csv t at "t.csv" { rows 3  K : unique one_of ["a", "b", "c"]  V : int 1..9 }  x = object(t.K, t.V)"#,
        ),
        (
            "W0421",
            r#"csv t at "t.csv" { rows 1..9  A : int 1..20 }  x = csv_value(t.A, csv_value(t.A, 1))"#,
            r#"csv t at "t.csv" { rows 9  A : int 1..9 }  x = csv_value(t.A, csv_value(t.A, 1))"#,
        ),
        ("E0404", "n : int 50..150  b : bool n%", "n : int 50..100  b : bool n%"),
    ]);
}

#[test]
fn draws_without_a_value() {
    hold(&[
        (
            "W0422",
            r#"c : int 1..30  csv t at "t.csv" { rows 5  C : int 1..9  N : word }  x : ref t.N where C == c"#,
            r#"csv t at "t.csv" { rows 5  C : int 1..9  N : word }  c : ref t.C  x : ref t.N where C == c"#,
        ),
        (
            "W0422",
            r#"csv t at "t.csv" { rows 0..3  N : word }  x : ref t.N"#,
            r#"csv t at "t.csv" { rows 1..3  N : word }  x : ref t.N"#,
        ),
        (
            "W0422",
            r#"csv t at "t.csv" { rows 2  N : word blank 30% }  x : ref t.N"#,
            r#"csv t at "t.csv" { rows 2  N : word blank 30%  M : word }  x : ref t.M"#,
        ),
        (
            "W0422",
            r#"a, b, c : one_of ["x", "y", "z"]  d : one_of ["x", "y", "z"] except [a, b, c]"#,
            r#"a, b : one_of ["x", "y", "z"]  d : one_of ["x", "y", "z"] except [a, b]"#,
        ),
        (
            "W0422",
            r#"csv t at "t.csv" { rows 3  N : one_of ["x", "y", "z"] }  d : one_of ["x", "y", "z"] except list(t.N)"#,
            r#"csv t at "t.csv" { rows 3  N : one_of ["x", "y", "z"] }  d : one_of ["x", "y", "z", "w"] except list(t.N)"#,
        ),
    ]);
}

#[test]
fn paths() {
    let csv = |path: &str| format!(r#"csv t at "{path}" {{ rows 3  A : int 1..9 }}"#);
    let cases = [
        (r#"p : one_of ["..", "log"]"#, r#"p : one_of ["lag", "log"]"#, "<<p>>/t.csv"),
        (r#"p : one_of ["con", "log"]"#, r#"p : one_of ["can", "log"]"#, "<<p>>.csv"),
        (r#"p : one_of ["a.", "b"]"#, r#"p : one_of ["a.x", "b"]"#, "<<p>>/t.csv"),
        (r#"p : pattern "[a-c]{0,2}""#, r#"p : pattern "[a-c]{1,2}""#, "<<p>>/t.csv"),
        (r#"p : pattern "[a-c]{1,2}\\.?""#, r#"p : pattern "[a-c]{1,2}\\.?x""#, "<<p>>/t.csv"),
        (r#"p : pattern "(nul|aux|log)""#, r#"p : pattern "(nil|aug|log)""#, "<<p>>.csv"),
        (r#"p : pattern "[a-z]{3}""#, r#"p : pattern "[d-k]{3}""#, "<<p>>.csv"),
        (r#"p : pattern "[a-z]{300}""#, r#"p : pattern "[a-z]{200}""#, "<<p>>.csv"),
        (
            r#"a : int 1..3  p = if a == 1 then ".." else "log""#,
            r#"a : int 1..3  p = if a == 1 then "x" else "log""#,
            "<<p>>/t.csv",
        ),
        (r#"p, q : one_of [".", "a"]"#, r#"p, q : one_of ["b", "a"]"#, "<<p>><<q>>/t.csv"),
    ];
    let cases: Vec<(String, String)> =
        cases.map(|(stops, safe, path)| (format!("{stops} {}", csv(path)), format!("{safe} {}", csv(path)))).into();
    let mut wrong = Vec::new();
    for (stops, safe) in &cases {
        let found = said(stops);
        if found.len() != 1 || !["W0423", "E0501"].contains(&found[0].0.as_str()) {
            wrong.push(format!("said {found:?}\n{stops}"));
        }
        let found = said(safe);
        if !found.is_empty() {
            wrong.push(format!("a false alarm: {found:?}\n{safe}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn requires() {
    hold(&[
        ("E0902", "a : int 1..9  require a > 5  require a < 4", "a : int 1..9  require a > 3  require a < 6"),
        (
            "E0902",
            "a, b : int 1..9  require a > b  require b >= a",
            "a, b : int 1..9  require a > b  require b + 5 >= a",
        ),
        (
            "E0902",
            "a, b : int 1..9  require a - b > 5  require a < b + 2",
            "a, b : int 1..9  require a - b > 2  require a < b + 6",
        ),
        (
            "E0902",
            r#"d : one_of ["x", "y", "z"]  require d == "x"  require d == "y""#,
            r#"d : one_of ["x", "y", "z"]  e : one_of ["x", "y", "z"]  require d == "x"  require e == "y""#,
        ),
        ("W0424", "a, b : int 1..1_000_000  require a == b", "a, b : int 1..100  require a == b"),
        ("W0424", "a : int 1..1_000_000  require a == 5", "a : int 1..100  require a == 5"),
        (
            "W0424",
            "a, b, c : int 1..90  require a == 5 and b == 6 and c == 7",
            "a, b, c : int 1..90  require a == 5 or b == 6",
        ),
        (
            "W0424",
            "a, b, c : int 1..90  require a == 5  require b == 6",
            "a, b, c : int 1..90  require a == 5  require b < 60",
        ),
        (
            "W0424",
            r#"csv t at "t.csv" { rows 20  A : int 1..9 }  require count(t where A == 5) == 20"#,
            r#"csv t at "t.csv" { rows 20  A : int 1..9 }  require count(t where A == 5) >= 3"#,
        ),
        (
            "W0424",
            r#"csv t at "t.csv" { rows 30  A : bool 10% }  require count(t where A) > 20"#,
            r#"csv t at "t.csv" { rows 30  A : bool 70% }  require count(t where A) > 20"#,
        ),
    ]);
}

#[test]
fn limits_of_a_query_are_not_reached() {
    let body = r#"csv t at "t.csv" { rows 9  G : word  A : int 1..9 }  top = <<rows: SELECT G, COUNT(*) AS N FROM t GROUP BY G>>  n = sum(top.N)"#;
    assert_eq!(said(body), []);
}

/// The part of the totality that matters: places that stop, and whether all is proved but that each `require` holds, which drawn samples judge.
fn judge(body: &str) -> (usize, bool) {
    let tasks = compile(&format!("{body}\n  prompt \"?\"\n  allow unused_name \"a test\"")).totality.tasks;
    let stops = tasks.iter().map(|task| task.stops).sum();
    let mut open = tasks.iter().flat_map(|task| &task.open);
    (stops, stops == 0 && !tasks.is_empty() && open.all(|open| open.why == Why::Require))
}

#[test]
fn builds_that_are_proved_to_succeed() {
    for body in [
        "a, b : int 1..9  expect reply number a + b",
        "a, b : int 1..9  expect reply number a / b rounded 2",
        "a : int 1..9  b : int 20..30  expect reply number a / (b - a) rounded 2",
        "a, b : int -9..9  x = if a != b then 1 / (a - b) else 0  expect reply number x rounded 2",
        "lo : int 1..50  n : int 0..9  x : int lo..lo + n  expect reply number x",
        r#"csv t at "t.csv" { rows 5..9  A : int 1..9 }  expect reply number sum(t.A) / count(t) rounded 2"#,
        r#"n : int 1..5  csv t at "t.csv" { rows 5..9  A : int 1..9 }  expect reply number csv_value(t.A, n)"#,
        r#"csv t at "t.csv" { rows 5..9  A : int 1..9 }  x : ref t.A  expect reply number x"#,
    ] {
        assert_eq!(judge(body), (0, true), "{body}");
    }
    for (body, stops) in [
        ("a, b : int 0..9  expect reply number a / b rounded 2", 1),
        ("lo : int 1..50  x : int lo..40  y : int lo..30  expect reply number x + y", 1),
        (
            r#"csv t at "t.csv" { rows 5..9  A : int 1..9 }  expect reply number <<value: SELECT json(A) FROM db.t LIMIT 1>>"#,
            0,
        ),
        ("a, b : int 1..9_999  require a == b  expect reply number a + b", 0),
    ] {
        let (found, proved) = judge(body);
        assert!(found >= stops && !proved, "{body}: {found}");
    }
}

/// What is proved next to what is not: a build of the second can stop, or nobody has proved that it cannot.
#[track_caller]
pub(super) fn tell_apart(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (safe, open) in cases {
        if judge(safe) != (0, true) {
            wrong.push(format!("not proved: {safe}"));
        }
        if judge(open).1 {
            wrong.push(format!("proved: {open}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn queries_that_have_a_result() {
    let sum = |column: &str, query: &str| {
        format!(
            "sqlite db at \"a.db\" {{ table t {{ rows 9  ID : serial  {column} }} }}  expect reply number coalesce(<<value: {query}>>, 0) within 1"
        )
    };
    let cases = [
        // Sums that fit, and those that may not.
        ("A : int 1..99", "SELECT SUM(A) FROM db.t", "A : int 1..4_000_000_000_000_000_000", "SELECT SUM(A) FROM db.t"),
        ("A : int 1..99", "SELECT COUNT(*) FROM db.t WHERE A > 5", "A : int 1..99", "SELECT A FROM db.t WHERE A > 5"),
        ("A : int 1..99", "SELECT A FROM db.t ORDER BY A LIMIT 1", "A : int 1..99", "SELECT json(A) FROM db.t LIMIT 1"),
        (
            "A : int 1..99",
            "SELECT abs(MIN(A)) FROM db.t",
            "A : int -9_223_372_036_854_775_807..9",
            "SELECT abs(MIN(A) - 1) FROM db.t",
        ),
        (
            "A : int 1..99",
            "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM db.t GROUP BY A)",
            "A : int 1..99",
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + A FROM n, db.t WHERE x < 9) SELECT MAX(x) FROM n",
        ),
    ];
    for (column, query, other_column, other) in cases {
        tell_apart(&[(&sum(column, query), &sum(other_column, other))]);
    }
    // The fact of a query is one of what is computed from it.
    tell_apart(&[(
        &sum("A : int 1..99", "SELECT COUNT(*) FROM db.t WHERE A > 5")
            .replace("coalesce(", "9 / (1 + coalesce(")
            .replace("0) within", "0)) within"),
        &sum("A : int 1..99", "SELECT COUNT(*) FROM db.t WHERE A > 5")
            .replace("coalesce(", "9 / (coalesce(")
            .replace("0) within", "0)) within"),
    )]);
}

#[test]
fn few_values_are_all_tried() {
    tell_apart(&[
        (
            "a : int 2..3  b : int 1..2  r = slice(\"ABCDEFGH\", 1, a - b)  expect reply text if a > b then r else \"none\"",
            "a : int 2..3  b : int 1..2  r = slice(\"ABCDEFGH\", 1, a - b)  expect reply text r",
        ),
        (
            "k : one_of [7, 0]  q : int 10..90  r = if k > 0 then format(q / 7, if k == 0 then 99 else 2) else \"none\"  expect reply text r",
            "k : one_of [7, 0]  q : int 10..90  r = if k >= 0 then format(q / 7, if k == 0 then 99 else 2) else \"none\"  expect reply text r",
        ),
        (
            r#"k : one_of ["0", "4"]  z = to_int(k) + 1  csv t at "t.csv" { rows 6  ID : serial  N : int 1..99 }  y : ref t.N where ID <= z  expect reply number y"#,
            r#"k : one_of ["0", "4"]  z = to_int(k)  csv t at "t.csv" { rows 6  ID : serial  N : int 1..99 }  y : ref t.N where ID <= z  expect reply number y"#,
        ),
        (
            r#"csv t at "t.csv" { rows 6  A : int 1..9  B = 10 / (A - 10) }  expect reply number sum(t.B) within 1"#,
            r#"csv t at "t.csv" { rows 6  A : int 1..9  B = 10 / (mod(A, 5) - 3) }  expect reply number sum(t.B) within 1"#,
        ),
    ]);
}

#[test]
fn files_that_can_be_read_and_written() {
    tell_apart(&[
        (
            r#"w : word  csv t at "data/<<w>>_all.csv" { rows 5  A : int 1..9 }  csv u at "u.csv" { rows 5  A : int 1..9 }  expect reply number sum(t.A)"#,
            r#"w, v : word  csv t at "<<w>>.csv" { rows 5  A : int 1..9 }  csv u at "<<v>>.csv" { rows 5  A : int 1..9 }  expect reply number sum(t.A)"#,
        ),
        (
            r#"xml f at "a.xml" root { item : [ { n : int 1..9  who : person_name } ; 5 ] }  expect reply number sum(f.item.n)"#,
            r#"c : one_of ["a", "\u{1}"]  xml f at "a.xml" root { item : [ { n : int 1..9  who = "<<c>>" } ; 5 ] }  expect reply number sum(f.item.n)"#,
        ),
        (
            r#"json f at "a.json" { parts : [ { n : int 1..9 } ; 2..5 ] }  expect reply number <<json_count: f, $.parts>>"#,
            r#"json f at "a.json" { parts : [ { marks : [ int 1..9 ; 2 ] } ; 0..5 ] }  expect reply number <<json_count: f, $.parts[0].marks>>"#,
        ),
        (
            r#"k : int 1..3  text log at "a.log" { rows 3  line "<<N>>"  N : int 1..9 }  expect reply number len(file_line(log, k))"#,
            r#"k : int 1..4  text log at "a.log" { rows 3  line "<<N>>"  N : int 1..9 }  expect reply number len(file_line(log, k))"#,
        ),
        ("w : word  expect reply text upper(w)", "w : word  expect reply text slice(w, 5, 9)"),
        ("w : pattern \"[a-z]{2,4}\"  expect reply text \"<<w>> 1\"", "w : pattern \" {2,4}\"  expect reply text w"),
        (
            "s : pattern \"[1-8][0-9]{17}\"  expect reply number to_int(s)",
            "s : pattern \"[1-9][0-9]{18}\"  expect reply number to_int(s)",
        ),
    ]);
}

/// Each of these stops in some samples, rarely, for a reason that no lint looks for, so it must not be proved.
#[test]
fn filler_texts_have_known_parts() {
    let text = |draw: &str, answer: &str| {
        format!("lo : int 1..20  hi : int 20..38  text t at \"t.txt\" : lorem {draw}  expect reply {answer}")
    };
    for (safe, open) in [
        (("lines 9", "text file_line(t, 9)"), ("lines 8", "text file_line(t, 9)")),
        (("words 9", "text file_word(t, 9)"), ("words 8..9", "text file_word(t, 9)")),
        // A text without words has no line.
        (("words 1..2", "number len(file_line(t, 1))"), ("words 0..2", "number len(file_line(t, 1))")),
        // The bounds of a draw of a file can cross, too.
        (("words lo..hi", "number file_word_count(t)"), ("words hi..lo + 30", "number file_word_count(t)")),
    ] {
        tell_apart(&[(&text(safe.0, safe.1), &text(open.0, open.1))]);
    }
    tell_apart(&[(
        r#"text t at "t.txt" { rows 9  N : int 1..9  W : lorem words 1..3  line "<<N>> <<W>>" }  expect reply number count(t where N > 3)"#,
        r#"text t at "t.txt" { rows 9  W : weighted ["a": 1, "b\nc": 1]  line "<<W>>" }  expect reply number count(t where W == "a")"#,
    )]);
}

#[test]
fn paths_and_trees_of_one_folder() {
    tell_apart(&[
        (
            r#"d : word  text a at "<<d>>/a.txt" : lorem lines 3  text b at "<<d>>/b.json.txt" : lorem lines 3  expect reply number 1"#,
            r#"d, e : word  text a at "<<d>>/a.txt" : lorem lines 3  text b at "<<e>>/a.txt" : lorem lines 3  expect reply number 1"#,
        ),
        (
            r#"a, b : word  all = ["<<a>>/", "<<a>>/<<b>>/", "<<a>>/<<b>>/x.log"]  expect tree all"#,
            r#"a : word  b : one_of ["x", "con"]  all = ["<<a>>/", "<<a>>/<<b>>/", "<<a>>/<<b>>/x.log"]  expect tree all"#,
        ),
    ]);
}

#[test]
fn keys_of_queries_and_of_references() {
    let object = |columns: &str| {
        format!(
            "csv t at \"t.csv\" {{ rows 9  G : one_of [\"a\", \"b\"]  N : int 1..9 blank 10%  M : int 1..9 }}  g = <<rows: SELECT G, COUNT(*) AS C, MAX(N) AS N, SUM(M) AS S FROM t GROUP BY G>>  o = object({columns})  expect reply json o"
        )
    };
    // Each group has a key of its own; a value can be null.
    tell_apart(&[(&object("g.G, g.C"), &object("g.G, g.N")), (&object("g.G, g.S"), &object("t.G, t.M"))]);
    let pairs = |rows: u32| {
        format!(
            "sqlite db at \"a.db\" {{ table p {{ rows 9  ID : serial }}  table t {{ rows {rows}  P : ref p.ID  N : int 1..5  key (P, N) }} }}  expect reply number sum(db.t.N)"
        )
    };
    tell_apart(&[(&pairs(45), &pairs(46))]);
}

#[test]
fn rare_stops_are_not_proved_away() {
    let table = |column: &str| {
        format!("csv hr at \"hr.csv\" {{ rows 30  N : int 1..99  {column} }}  expect reply number sum(hr.N)")
    };
    let encoded = |column: &str| table(column).replace("at \"hr.csv\"", "at \"hr.csv\" encoding \"windows-1252\"");
    let unproved = [
        // A letter that an encoding does not have, a line break in a line, a control character in XML.
        format!("w : weighted [\"a\": 200, \"Ω\": 1]  {}", encoded("T = \"<<w>>x\"")),
        "text log at \"a.log\" { rows 3\n line \"<<N>> <<M>>\"\n N : int 1..9\n M : weighted [\"a\\nb\": 1, \"c\": 300] }  expect reply number sum(log.N)".to_owned(),
        "c : weighted [\"a\": 200, \"\\u{1}\": 1]  xml f at \"a.xml\" root { item : [ { n : int 1..9  t = \"<<c>>x\" } ; 5 ] }  expect reply number sum(f.item.n)".to_owned(),
        // Letter case that makes two values equal.
        table("T : weighted [\"bo\": 300, \"BO\": 1] as case 5%"),
        // A number of noise files below 0, and paths of answers.
        format!("n : weighted [3: 200, -1: 1]  clutter n  {}", table("M : int 1..9")),
        "n : pattern \"[cx][oy][nz]\"  expect file \"<<n>>.txt\" number 7".to_owned(),
        "n : weighted [\"txt\": 200, \"xlsx\": 1]  expect file \"a.<<n>>\" number 7".to_owned(),
        // Draws and keys without a value left.
        "y : weighted [1: 100, 2: 1]  z : weighted [1: 100, 3: 1]  a, b, c : distinct int 1..4 except [y, z]  expect reply number a + b + c".to_owned(),
        table("M = N * 2\n unique (M)"),
        table("M = mod(N, 40)\n unique (M)"),
        // Texts that are no answers.
        "w : weighted [\" \": 1, \"a\": 200]  expect reply text w".to_owned(),
        "w : weighted [\" \": 1, \"a\": 200]  expect reply text any_of [w, \"<<w>> \"]".to_owned(),
        "n : weighted [\"a\": 200, \"(\": 1]  expect reply matches \"<<n>>+\"".to_owned(),
        "a : one_of [\"Ab\", \"x\"]  b : one_of [\"aB\", \"y\"]  expect reply list [a, b] ignore case".to_owned(),
        // Numbers that do not fit, and a null that is neither more nor less.
        "x : int -9_223_372_036_854_775_807..9  y = x - 1  expect reply number -y".to_owned(),
        "a : int 1..9 blank 50%  x, y : int 1..9  r = if a > x or y > a then 1 else 10 / (x - y + 1)  expect reply number r".to_owned(),
        "w : weighted [\"ab\": 200, \"con\": 1]  n : int 1..9  csv hr at \"<<w>> .x<<n>>.csv\" { rows 3  N : int 1..99 }  expect reply number sum(hr.N)".to_owned(),
    ];
    for body in &unproved {
        assert!(!judge(body).1, "{body}");
    }
}

#[test]
fn decimals_are_exact() {
    for body in [
        "x : decimal 1.00..9.00  y : decimal x + 0.1 + 0.2..x + 0.3",
        "vat : decimal 1.00..9.00  y : decimal vat * 1.1 - vat..vat * 0.1",
        "a, b : decimal 1.0..2.0  require b >= a + 0.1 + 0.2  require b <= a + 0.3",
    ] {
        assert_eq!(said(body), [], "{body}");
    }
    let (found, proved) = judge(
        "x, y : decimal 1.00..9.00  d = if x >= y then 10 / (x + 0.1 + 0.2 - (y + 0.3)) else 5  expect reply number d within 0.01",
    );
    assert!(found == 1 && !proved);
}

#[test]
fn rows_of_a_key_are_not_independent() {
    for body in [
        "csv t at \"t.csv\" { rows 5  A : int 1..5  N : int 1..9\n unique (A) }  x : int 1..5  d = 10 / count(t where A == x)",
        "csv t at \"t.csv\" { rows 10  A : int 1..2  B : int 1..5\n unique (A, B) }  x : int 1..5  y : int 1..2  d = 10 / count(t where A == y and B == x)",
        "csv t at \"t.csv\" { rows 10  A : int 1..2  B : int 1..5  N : int 1..9\n unique (A, B) }  x : int 1..5  v : ref t.N where A == 1 and B == x",
    ] {
        assert_eq!(said(body), [], "{body}");
    }
}

#[test]
fn names_that_double_are_followed_within_limits() {
    let doubling = |start: &str, step: &dyn Fn(usize) -> String| {
        let lines: Vec<String> = (0..60).map(step).collect();
        format!("{start}\n{}\n  d = 10 / x60", lines.join("\n"))
    };
    let sums = doubling("  x0 : int 1..2", &|at| format!("  x{} = x{at} + x{at} - x{at}", at + 1));
    let bools = doubling("  x0 : bool", &|at| format!("  x{} = (x{at} and not x{at}) or (x{at} or x{at})", at + 1))
        .replace("d = 10 / x60", "d = if x60 then 1 else 2");
    let choices = doubling("  x0 : int 1..9", &|at| {
        format!("  x{} = if x{at} > 5 then x{at} + x{at} - x{at} else x{at} + 1", at + 1)
    });
    for body in [sums, bools, choices] {
        said(&body);
    }
}

#[test]
fn lists_of_queries_have_items() {
    let list = |query: &str| {
        format!(
            "k : int 1..3  sqlite db at \"a.db\" {{ table t {{ rows 9  ID : serial  N : unique word  A : int 1..99 }} }}  expect reply list <<list: {query}>>"
        )
    };
    let sum = |query: &str| list(query).replace("reply list", "reply number").replace("<<list", "<<value");
    tell_apart(&[
        (&list("SELECT N FROM db.t WHERE A > 5 ORDER BY N"), &list("SELECT json(N) FROM db.t")),
        (&list("SELECT N FROM db.t ORDER BY A LIMIT :k"), &list("SELECT printf('%*d', A, A) FROM db.t LIMIT :k")),
        (&sum("SELECT COUNT(*) FROM db.t GROUP BY A > 100 LIMIT 1"), &sum("SELECT A FROM db.t LIMIT 2")),
    ]);
}

#[test]
fn paths_into_files_have_an_answer() {
    let xml = |question: &str| {
        format!(
            "xml f at \"a.xml\" shop {{ item : [ {{ @sku : sku  price : int 1..9  note : int 1..4 blank 20% }} ; 2..5 ] }}  expect reply number coalesce(<<{question}>>, 0)"
        )
    };
    let json = |question: &str| {
        format!(
            "json f at \"a.json\" {{ items : [ {{ qty : int 1..9  note : int 1..9 blank 20% }} ; 2..5 ] }}  expect reply number coalesce(<<{question}>>, 0)"
        )
    };
    tell_apart(&[
        (
            &xml("xpath_count: f, //item[contains(@sku, 'A') and not(note)]"),
            &xml("xpath_value: f, //item[contains(@sku, 'A')]/price"),
        ),
        (
            &xml("xpath_sum: f, /shop/item[position() < last()]/price"),
            &xml("xpath_sum: f, /shop/item[position() < last()]/note"),
        ),
        (&xml("xpath_sum: f, //item[price > 2]/price"), &xml("xpath_sum: f, //item[price > 2]")),
        (&json("json_sum: f, $.items[1:].qty"), &json("json_sum: f, $.items[1:].note")),
        (&json("json_sum: f, $.items[?@.note == 3].qty"), &json("json_sum: f, $.items[*].*")),
    ]);
}

#[test]
fn edits_of_places_that_are_there() {
    let json = |more: &str| {
        format!(
            "json f at \"a.json\" {{ on : bool  tags = [\"a\", \"b\"]  items : [ {{ kind : one_of [\"x\", \"y\"]  qty : int 1..9  kept : bool exactly 2 }} ; 3..5 ] }}  {more}"
        )
    };
    let goal = |edit: &str| json(&format!("expect file f json {edit}"));
    let required = |require: &str, path: &str| {
        json(&format!("require {require}  goal = remove(f, \"{path}\")  expect file f json goal"))
    };
    let x = "$.items[?@.kind == 'x']";
    tell_apart(&[
        (&goal("edit(f, \"$.items[*].qty\", 7)"), &goal("edit(f, \"$.items[3].qty\", 7)")),
        (&goal("edit(f, \"$.items[-3].qty\", 7)"), &goal("edit(f, \"$.items[-4].qty\", 7)")),
        (&goal("remove(f, \"$.tags[1]\")"), &goal("remove(f, \"$.items[?@.qty > 3]\")")),
        (&goal("remove(f, \"$.items[?@.kept == true]\")"), &goal("remove(f, \"$.items[?@.kept == false]\")")),
        (
            &required("count(f.items where kind == \"x\" and qty > 1) > 0", x),
            &required("count(f.items where kind == \"y\") > 0", x),
        ),
        (
            &required("count(f.items where kind == \"x\") >= 1", x),
            &required("count(f.items where kind == \"x\") >= 0", x),
        ),
        // What the condition itself depends on is computed before it.
        (
            &json(&format!(
                "n = count(f.items where kind == \"x\")  require n > 0  goal = remove(f, \"{x}\")  expect file f json goal"
            )),
            &json(&format!(
                "goal = remove(f, \"{x}\")  require count(f.items where kind == \"x\") > 0 and goal != null  expect file f json goal"
            )),
        ),
        // After other edits.
        (
            &goal("append(edit(f, \"$.on\", true), \"$.tags\", \"c\")"),
            &goal("append(edit(f, \"$.tags\", 1), \"$.tags\", \"c\")"),
        ),
        (
            &goal("edit(append(f, \"$.tags\", \"c\"), \"$.tags[0]\", \"d\")"),
            &goal("edit(remove(f, \"$.tags[0]\"), \"$.tags[1]\", \"d\")"),
        ),
        (
            &goal("remove(edit(f, \"$.items[*].qty\", 1), \"$.on\")"),
            &goal("remove(edit(f, \"$.items[*].kept\", false), \"$.items[?@.kept == true]\")"),
        ),
    ]);
    // Not each item of an array has as many items of its own.
    tell_apart(&[(
        r#"json f at "a.json" { a : [ { b : [ int 1..9 ; 2..3 ] } ; 3 ] }  expect file f json edit(f, "$.a[0].b[1]", 7)"#,
        r#"json f at "a.json" { a : [ { b : [ int 1..9 ; 0..3 ] } ; 3 ] }  expect file f json edit(f, "$.a[0].b[1]", 7)"#,
    )]);
}

#[test]
fn answers_that_are_texts() {
    let table = |columns: &str, answer: &str| {
        format!("k : int 1..4  csv t at \"t.csv\" {{ rows 9  ID : serial  {columns} }}  {answer}")
    };
    let word = "N : unique word  A : unique int 1..99  D : datetime 2024-01-01T00:00..2024-12-31T00:00";
    let blank = "N : weighted [\" \": 1, \"a\": 200]  A : unique int 1..99";
    let nth = "r = <<list: SELECT N FROM t ORDER BY A>>  expect reply text coalesce(nth(r, k), \"?\")";
    let value = "x = <<value: SELECT N FROM t ORDER BY A LIMIT 1>>  require x != null  expect reply text x";
    let first = "r = <<rows: SELECT N, A FROM t>>  expect reply text coalesce(first(r.N where A > 5), \"?\")";
    let time = "x = <<value: SELECT strftime('%d/%m %H:%M', MAX(D)) FROM t>>  require x != null  expect reply text x";
    let padded = "expect reply text \"<<pad_left(\"<<k>>\", 3, \"0\")>>\"";
    tell_apart(&[
        (&table(word, nth), &table(blank, nth)),
        (&table(word, value), &table(blank, value)),
        (&table(word, first), &table(blank, first)),
        (&table(word, time), &table(word, &time.replace("%d/%m %H:%M", " "))),
        (&table(word, padded), &table(word, "expect reply text pad_left(\"\", k - 1, \" \")")),
        (
            &table(word, "x = max(t.D)  expect reply text slice(\"<<x>>\", 12, 16)"),
            &table(word, "x = max(t.D)  expect reply text slice(\"<<x>>\", 22, 26)"),
        ),
    ]);
    // What `ignore` makes equal.
    let code = |domain: &str| {
        let answer =
            "x = <<value: SELECT C FROM t ORDER BY ID LIMIT 1>>  require x != null  expect reply text x ignore case";
        table(&format!("C : {domain}"), answer)
    };
    tell_apart(&[
        (&code("pattern \"[A-Z]{3}[0-9]{3}\""), &code("pattern \"[A-Za-z]{3}[0-9]{3}\"")),
        (
            &table(word, "n = count(t where A > 50)  expect reply text if n > 3 then \"yes\" else \"no\" ignore case"),
            &table("P : pattern \"[A-Za-z]{5}\"", "x = first(t.P)  require x != null  expect reply text x ignore case"),
        ),
    ]);
}

#[test]
fn texts_that_are_replaced() {
    let text = |content: &str, by: &str| {
        format!(
            "a, b : distinct word  text f at \"f.txt\" {content}  expect file f bytes replace(content(f), \"x<<a>>\", {by})"
        )
    };
    tell_apart(&[
        (&text("= \"a <<a>> x<<a>>\\n\"", "\"<<b>>\""), &text("= \"a <<a>> x<<a>>\\n\"", "json(content(f))")),
        (
            &text("{ rows 9  line \"x<<a>> <<W>>\"  W : word }", "b"),
            &text("{ rows 9  line \"x<<a>> <<W>>\"  W : word }", "replace(content(f), b, content(f))")
                .replace("rows 9", "rows 9_000"),
        ),
        (
            "a : word  text f at \"f.txt\" = \"<<a>>\"  expect file f bytes replace(content(f), a, \"b\")",
            "a : pattern \"[a-c]{0,2}\"  text f at \"f.txt\" = \"<<a>>\"  expect file f bytes replace(content(f), a, \"b\")",
        ),
    ]);
}

#[test]
fn paths_of_different_names() {
    let files = |one: &str, other: &str| {
        format!("text a at \"{one}\" : lorem lines 3  text b at \"{other}\" : lorem lines 3  expect reply number 1")
    };
    let distinct = |one: &str, other: &str| format!("x, y : distinct word  {}", files(one, other));
    tell_apart(&[
        (&distinct("in/<<x>>.txt", "in/<<y>>.txt"), &format!("x, y : word  {}", files("in/<<x>>.txt", "in/<<y>>.txt"))),
        // Martin and Martinez.
        (
            &distinct("in/<<x>>/a.txt", "in/<<y>>.txt"),
            &format!("x, y : distinct last_name  {}", files("in/<<x>>ez.txt", "in/<<y>>.txt")),
        ),
        (
            &distinct("<<x>>", "<<y>>/a.txt"),
            &format!("x, y : distinct one_of [\"ab\", \"AB\"]  {}", files("<<x>>", "<<y>>/a.txt")),
        ),
        (
            &format!("x, y : word  {}", files("in/<<x>>.py", "in/<<y>>.txt")),
            &format!("x : word  y : pattern \"[a-z]{{2}}/[a-z]{{2}}\"  {}", files("in/<<x>>", "in/<<y>>.txt")),
        ),
    ]);
}

#[test]
fn texts_in_an_encoding() {
    let log = |names: &str, encoding: &str| {
        format!(
            "text log at \"a.log\" encoding \"{encoding}\" crlf {{ rows 9  line \"[<<W>>] <<N>>\"  W : one_of {names}  N : int 1..9 }}  expect reply number sum(log.N)"
        )
    };
    tell_apart(&[
        (&log("[\"Zoé\", \"Søren\"]", "windows-1252"), &log("[\"Zoé\", \"Łukasz\"]", "windows-1252")),
        (&log("[\"5 €\", \"a\"]", "windows-1252"), &log("[\"5 €\", \"a\"]", "iso-8859-1")),
    ]);
}

#[test]
fn rows_that_are_surely_found() {
    let who = |rows: u32, column: &str, filter: &str| {
        format!("x : ref t.N{filter}  csv t at \"t.csv\" {{ rows {rows}  N : word  {column} }}  expect reply text x")
    };
    let refs = |rows: u32| {
        format!(
            "csv t at \"t.csv\" {{ rows {rows}  N : unique word  A : int 1..9 }}  a : ref t.N  b : ref t.N where N != a  expect reply text b"
        )
    };
    tell_apart(&[
        (&who(80, "B : bool 40%", " where not B"), &who(20, "B : bool 40%", " where not B")),
        (
            &who(300, "R : weighted [\"a\": 70, \"b\": 30]", " where R == \"b\""),
            &who(300, "R : weighted [\"a\": 999, \"b\": 1]", " where R == \"b\""),
        ),
        (&who(60, "A : int 1..100", " where A > 40"), &who(60, "A : int 1..100", " where A > 90")),
        (
            &who(60, "A : int 1..9 blank 20%", " where A != null"),
            &who(60, "A : int 1..9 blank 80%", " where A != null"),
        ),
        // Rows of a key, and a column that is read twice, are not independent.
        (
            &who(200, "A : int 1..9  C : bool", " where A > 4 and C"),
            &who(200, "A : int 1..9", " where A > 5 and A < 5"),
        ),
        (&who(90, "B : bool 50%", " where B"), &who(90, "B : bool 50%  A = if B then 1 else 0", " where A == 1")),
        (&refs(2), &refs(1)),
    ]);
}

#[test]
fn inserted_rows_that_no_key_forbids() {
    let insert = |names: &str, table: &str, row: &str| {
        format!(
            "{names}  sqlite db at \"a.db\" {{ table t {{ {table} }} }}  goal = <<after: db, {row}>>  expect file db database goal"
        )
    };
    let plain = "rows 12  ID : serial  A : int 1..9  W : word";
    let unique = "rows 12  ID : serial  A : unique int 1..90  W : word";
    let word = "rows 12  ID : serial  A : int 1..9  W : unique word";
    let row = "INSERT INTO t (ID, A, W) VALUES (13, :a, 'x')";
    let of_word = "INSERT INTO t (ID, A, W) VALUES (13, :a, :w)";
    tell_apart(&[
        (&insert("a : int 1..9", plain, row), &insert("a : int 1..9", &plain.replace("rows 12", "rows 12..13"), row)),
        (&insert("a : int 91..99", unique, row), &insert("a : int 90..99", unique, row)),
        (
            &insert("a : int 1..9  w : word except db.t.W", word, of_word),
            &insert("a : int 1..9  w : word", word, of_word),
        ),
        (&insert("a : int 1..9", plain, row), &insert("a : int 1..9 blank 10%", plain, row)),
        (
            &insert("a : int 1..9", plain, row),
            &insert("a : int 1..9", &plain.replace("word", "word  B : int 1..3"), row),
        ),
    ]);
    let update = |value: &str| insert("a : int 1..9", plain, &format!("UPDATE t SET A = {value}"));
    tell_apart(&[
        (&update("CASE WHEN A < :a THEN A + 2 ELSE A END"), &update("CASE WHEN A < :a THEN A + 2 END")),
        (&update("A + CAST(A * :a / 100 AS INTEGER)"), &update("A / (A - :a)")),
    ]);
}

#[test]
fn cells_in_other_letters() {
    let table = |column: &str, written: &str| {
        format!(
            "table s {{ rows 9  ID : serial  {column} }}  csv t at \"t.csv\" from s {{ {written} }}  expect reply number count(s)"
        )
    };
    let case = "C = C as case 20%";
    tell_apart(&[
        (&table("C : one_of [\"ab\", \"cd\"]", case), &table("C : pattern \"[a-zA-Z]{5}\"", case)),
        (&table("C : one_of [\"ab\", \"cd\"]", case), &table("C : one_of [\"ab\", \"\"]", case)),
        // Rows that are written twice must differ from others.
        (
            &table("C : unique pattern \"[A-Z]{5}\"  D : int 1..9", "rows repeat 8%  C = C  D = D as written \"0 kg\""),
            &table("C : pattern \"[A-Z]{5}\"  D : int 1..9", "rows repeat 8%  C = C  D = D as written \"0 kg\""),
        ),
        (
            &table("C : unique word  D : one_of [\"x\", \"y\"]", "rows repeat 8%  C = C  D = D as case 9% space 9%"),
            &table("C : word  D : one_of [\"x\", \"y\"]", "rows repeat 8%  C = C  D = D as case 9% space 9%"),
        ),
        (
            &table("C : unique word  D : one_of [\"x\", \"y\"]", "rows repeat 8%  D = D as case 9%  C = C as case 9%"),
            &table("C : unique pattern \"[a-zA-Z]{5}\"", "rows repeat 8%  C = C as case 9%"),
        ),
    ]);
}

#[test]
fn views_that_can_be_read() {
    let view = |column: &str, view: &str, answer: &str| {
        format!(
            "sqlite db at \"a.db\" {{ table t {{ rows 9  ID : serial  {column} }}  view v = <<rows: {view}>> }}  expect reply number {answer}"
        )
    };
    let (small, large) = ("A : int 1..99", "A : int 1..4_000_000_000_000_000_000");
    tell_apart(&[
        (
            &view(small, "SELECT ID, A FROM t WHERE A > 5", "count(db.v where A > 9)"),
            &view(small, "SELECT ID, json('{' || A) AS A FROM t", "count(db.v where ID > 9)"),
        ),
        (
            &view(small, "SELECT SUM(A) AS S FROM t", "coalesce(<<value: SELECT COUNT(S) FROM db.v>>, 0)"),
            &view(large, "SELECT SUM(A) AS S FROM t", "coalesce(<<value: SELECT COUNT(S) FROM db.v>>, 0)"),
        ),
        // A view that nothing reads is never made.
        (
            &view(small, "SELECT ID, A FROM t", "count(db.t where A > 9)"),
            &view(small, "SELECT ID, A FROM t", "9 / count(db.t where A > 9)"),
        ),
    ]);
}

#[test]
fn sums_of_each_row_and_cells_of_the_last() {
    let table = |rows: &str, answer: &str| {
        format!("csv t at \"t.csv\" {{ rows {rows}  A : int 1..99  B : int 1..9 blank 30% }}  {answer}")
    };
    let sum = |factor: &str| format!("x = coalesce(sum(t.A * {factor}), 0)  expect reply number x * 3");
    let last = "expect reply number csv_value(t.A, count(t))";
    let pair = "b, a : ref t.(B, A)  expect reply number a + b";
    tell_apart(&[
        (&table("9", &sum("7")), &table("9", &sum("9_000_000_000_000_000"))),
        (&table("1..9", last), &table("0..9", last)),
        (&table("1..9", last), &table("1..9", &last.replace("count(t)", "count(t where A > 5)"))),
        (&table("60", pair), &table("6", pair)),
    ]);
}
