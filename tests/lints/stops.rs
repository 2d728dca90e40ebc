//! Builds that can stop: each construct next to its safe twin.

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

/// The part of the totality that matters: places that stop, and whether all is proved.
fn judge(body: &str) -> (usize, bool) {
    let totality = compile(&format!("{body}\n  prompt \"?\"\n  allow unused_name \"a test\"")).totality;
    (totality.count_stops(), totality.is_proved())
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
        (r#"csv t at "t.csv" { rows 5..9  A : int 1..9 }  expect reply number <<value: SELECT MAX(A) FROM t>>"#, 0),
        ("a, b : int 1..9  require a != b  expect reply number a + b", 0),
    ] {
        let (found, proved) = judge(body);
        assert!(found >= stops && !proved, "{body}: {found}");
    }
}
