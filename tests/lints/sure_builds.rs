//! Builds that are proved not to stop by what `require`s and conditions tell, each next to one that can stop.

use compiler::Why;

use super::compile;

/// Whether it is proved that no draw can stop the build, but for `require`s, which drawn samples judge.
fn is_proved(body: &str) -> bool {
    let tasks = compile(&format!("{body}\n  prompt \"?\"\n  allow unused_name \"a test\"")).totality.tasks;
    let mut open = tasks.iter().flat_map(|task| &task.open);
    !tasks.is_empty() && tasks.iter().all(|task| task.stops == 0) && open.all(|open| open.why == Why::Require)
}

/// The same, with the `require`s, without drawn samples.
pub(super) fn is_certain(body: &str) -> bool {
    let tasks = compile(&format!("{body}\n  prompt \"?\"\n  allow unused_name \"a test\"")).totality.tasks;
    !tasks.is_empty() && tasks.iter().all(|task| task.is_proved())
}

/// The first of each pair is proved, the second is not.
#[track_caller]
pub(super) fn tell_apart<T: AsRef<str>>(cases: &[(T, T)]) {
    let mut wrong = Vec::new();
    for (proved, open) in cases.iter().map(|(proved, open)| (proved.as_ref(), open.as_ref())) {
        if !is_proved(proved) {
            wrong.push(format!("not proved: {proved}"));
        }
        if is_proved(open) {
            wrong.push(format!("proved: {open}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn requires_hold_for_what_is_computed_after_them() {
    tell_apart(&[
        (
            "a : int 31..61  b : int 1..31  require a - b > 0  table t { rows 1..least(a - b, 4)  C : int 1..9 }  expect reply number count(t)",
            "a : int 31..61  b : int 1..31  require a - b >= 0  table t { rows 1..least(a - b, 4)  C : int 1..9 }  expect reply number count(t)",
        ),
        (
            "k : int 0..999  require k not in [0]  x : int 10 - least(k, 9)..9  expect reply number x",
            "k : int 0..999  require k not in [1]  x : int 10 - least(k, 9)..9  expect reply number x",
        ),
        // Null is not true, and not false either.
        (
            "k : int 0..9 blank 10%  require not (k <= 0)  x : int 1..coalesce(k, 0)  expect reply number x",
            "k : int 0..9 blank 10%  require not (k > 5) or k == null  x : int 1..coalesce(k, 0)  expect reply number x",
        ),
        (
            "a : int 0..9  b : int 0..4  require a * b > 0  x : int 1..a  expect reply number x",
            "a : int -9..9  b : int -4..4  require a * b > 0  x : int 1..a  expect reply number x",
        ),
        (
            r#"w : weighted ["p": 9, "q": 1]  n = if w == "q" then 0 else 3  require n * 2 > 1  x : int 1..n  expect reply number x"#,
            r#"w : weighted ["p": 9, "q": 1]  n = if w == "q" then 0 else 3  require n * 2 >= 0  x : int 1..n  expect reply number x"#,
        ),
        // What a `require` needs is made before it holds.
        (
            "k : int 0..9  require k > 0  x = 60 / k  expect reply number x rounded 2",
            "k : int 0..9  x = 60 / k  require k > 0 and x > 1  expect reply number x rounded 2",
        ),
        (
            r#"csv t at "t.csv" { rows 3  C : int 1..20 }  k : int 1..18  require max(t.C) > k  x : ref t.C where C > k  expect reply number x"#,
            r#"csv t at "t.csv" { rows 3  C : int 1..20 }  k : int 1..18  require max(t.C) >= k  x : ref t.C where C > k  expect reply number x"#,
        ),
        (
            r#"csv t at "t.csv" { rows 3  C : int 1..20 }  k : int 1..18  require count(t where C > k) > 0  x : ref t.C where C > k  expect reply number x"#,
            r#"csv t at "t.csv" { rows 3  C : int 1..20 }  k : int 1..18  require count(t where C > k) > 0  x : ref t.C where C > k + 1  expect reply number x"#,
        ),
        (
            r#"json j at "j.json" { n : [ int 1..9 ; 0..9 ] }  require count(j.n) - 1 >= 0  x : ref j.n.value  expect reply number x"#,
            r#"json j at "j.json" { n : [ int 1..9 ; 0..9 ] }  require count(j.n) + 1 >= 0  x : ref j.n.value  expect reply number x"#,
        ),
    ]);
}

#[test]
fn conditions_hold_in_their_branches() {
    tell_apart(&[
        (
            r#"k : int 0..6  text t at "t.txt" : lorem lines 4  expect reply text if k != 0 then file_line(t, least(k, 4)) else "none""#,
            r#"k : int 0..6  text t at "t.txt" : lorem lines 4  expect reply text if k == 0 then file_line(t, least(k, 4)) else "none""#,
        ),
        (
            r#"k : int 0..6  text t at "t.txt" : lorem lines 4  expect reply text if k < 1 then "none" else file_line(t, least(k, 4))"#,
            r#"k : int 0..6 blank 5%  text t at "t.txt" : lorem lines 4  expect reply text if k < 1 then "none" else file_line(t, least(coalesce(k, 0), 4))"#,
        ),
        (
            r#"csv t at "t.csv" { rows 4  C : weighted ["12": 8, "900": 2, "n/a": 1] }  expect reply number count(t where C != "n/a" and to_int(C) > 100)"#,
            r#"csv t at "t.csv" { rows 4  C : weighted ["12": 8, "900": 2, "n/a": 1] }  expect reply number count(t where to_int(C) > 100 and C != "n/a")"#,
        ),
        (
            r#"k : int 0..9  csv t at "t.csv" { rows 4  C : int 1..99 }  expect reply number if k <= 0 then 0 else count(t where mod(C, k) == 0)"#,
            r#"k : int 0..9  csv t at "t.csv" { rows 4  C : int 0..99 }  expect reply number if k <= 0 then 0 else count(t where mod(k, C) == 0)"#,
        ),
    ]);
}

#[test]
fn draws_have_enough_values() {
    tell_apart(&[
        (
            "lo : int 1..30  hi : int lo + 1..lo + 9  x : int lo..hi except lo  expect reply number x",
            "lo : int 1..30  hi : int lo..lo + 9  x : int lo..hi except lo  expect reply number x",
        ),
        (
            "k : int 4..900  a, b, c : distinct int 1..3 except k  expect reply number a + b + c",
            "k : int 3..900  a, b, c : distinct int 1..3 except k  expect reply number a + b + c",
        ),
        (
            r#"z : int 1..4  csv t at "t.csv" { rows 9  C : unique int 1..8 + z }  expect reply number sum(t.C)"#,
            r#"z : int 0..4  csv t at "t.csv" { rows 9  C : unique int 1..8 + z }  expect reply number sum(t.C)"#,
        ),
        (
            r#"k : int 9..20  csv t at "t.csv" { rows 8  C : unique int 1..8 except k }  expect reply number sum(t.C)"#,
            r#"k : int 8..20  csv t at "t.csv" { rows 8  C : unique int 1..8 except k }  expect reply number sum(t.C)"#,
        ),
        (
            r#"csv t at "t.csv" { rows 2  C : unique int 1..2 }  a : ref t.C  b : ref t.C except a  expect reply number a + b"#,
            r#"csv t at "t.csv" { rows 2  C : int 1..2 }  a : ref t.C  b : ref t.C except a  expect reply number a + b"#,
        ),
        (
            r#"k : int 3..30  csv t at "t.csv" { rows 6  A : one_of ["x", "y"]  B : int 1..k  unique (A, B) }  expect reply number sum(t.B)"#,
            r#"k : int 2..30  csv t at "t.csv" { rows 6  A : one_of ["x", "y"]  B : int 1..k  unique (A, B) }  expect reply number sum(t.B)"#,
        ),
        (
            r#"k : int 1..900  csv t at "t.csv" { rows 4  ID : serial  C : int 1..99 }  a, b : ref t.(ID, C) where ID <= k  expect reply number a + b"#,
            r#"k : int 1..900  csv t at "t.csv" { rows 4  ID : serial  C : int 1..99 }  a, b : ref t.(ID, C) where ID >= k  expect reply number a + b"#,
        ),
        (
            r#"table t { rows 6  ID : serial  C : int 1..20 }  k : int 1..5  csv u at "u.csv" from t where ID >= k  expect reply number csv_value(u.C, 2)"#,
            r#"table t { rows 6  ID : serial  C : int 1..20 }  k : int 1..5  csv u at "u.csv" from t where ID >= k  expect reply number csv_value(u.C, 3)"#,
        ),
    ]);
}

#[test]
fn values_are_related() {
    tell_apart(&[
        (
            "a, b : distinct int 1..20  expect reply number 60 / (a - b) rounded 2",
            "a, b : int 1..20  expect reply number 60 / (a - b) rounded 2",
        ),
        (
            "a, b : distinct int 1..20  expect reply number 60 / (2 * a - 2 * b) rounded 2",
            "a, b : distinct int 1..20  expect reply number 60 / (2 * a - b) rounded 2",
        ),
        (
            r#"csv t at "t.csv" { rows 5  C : int 1..40 }  x : int ceil(median(t.C))..max(t.C)  expect reply number x"#,
            r#"csv t at "t.csv" { rows 5  C : int 1..40 }  x : int ceil(median(t.C))..floor(median(t.C))  expect reply number x"#,
        ),
        (
            r#"csv t at "t.csv" { rows 5  C : int 1..40 }  x : int min(t.C)..floor(avg(t.C))  expect reply number x"#,
            r#"csv t at "t.csv" { rows 5  C : decimal 1.0..40.0 }  x : int ceil(min(t.C))..floor(avg(t.C))  expect reply number x"#,
        ),
        (
            r#"csv t at "t.csv" { rows 3  C : sorted int 1..40 }  x : int first(t.C)..last(t.C)  expect reply number x"#,
            r#"csv t at "t.csv" { rows 3  C : int 1..40 }  x : int first(t.C)..last(t.C)  expect reply number x"#,
        ),
        (
            r#"csv t at "t.csv" { rows 9  A : date 2024-01-01..2024-06-30  B : date A + 1 day..A + 9 days  C : int 1..9 }  expect reply number count(t where C / days_between(A, B) > 1)"#,
            r#"csv t at "t.csv" { rows 9  A : date 2024-01-01..2024-06-30  B : date A..A + 9 days  C : int 1..9 }  expect reply number count(t where C / days_between(A, B) > 1)"#,
        ),
        // A difference of dates is a number of days.
        (
            "a : date 2024-01-01..2024-06-30  b : date a + 2 days..a + 9 days  x : int 2..b - a  expect reply number x",
            "a : date 2024-01-01..2024-06-30  b : date a + 2 days..a + 9 days  x : int 3..b - a  expect reply number x",
        ),
        (
            r#"csv t at "t.csv" { rows 4..9  C : int 1..9 }  n : int 1..count(t)  expect reply number csv_value(t.C, n)"#,
            r#"csv t at "t.csv" { rows 4..9  C : int 1..9 }  n : int 0..count(t)  expect reply number csv_value(t.C, n)"#,
        ),
        (
            r#"xml x at "x.xml" x { n : int 1..9  tag : [ color ; 2..7 ] }  expect reply number floor(x.n / <<xpath_count: x, /x/tag>>)"#,
            r#"xml x at "x.xml" x { n : int 1..9  tag : [ color ; 0..7 ] }  expect reply number floor(x.n / <<xpath_count: x, /x/tag>>)"#,
        ),
        (
            r#"csv t at "t.csv" { rows 2  C : int 1..2 }  expect reply number 100 / (coalesce(stdev(t.C), 1.0e0) + 1) rounded 2"#,
            r#"csv t at "t.csv" { rows 2  C : int 1..2 }  expect reply number 100 / coalesce(stdev(t.C), 1.0e0) rounded 2"#,
        ),
    ]);
}

#[test]
fn texts_have_known_characters() {
    tell_apart(&[
        (
            r#"csv t at "t.csv" { rows 4  C : int 1..99  D : word }  expect reply number to_int(csv_cell(t, 2, 1))"#,
            r#"csv t at "t.csv" { rows 4  C : int 1..99 blank 5%  D : word }  expect reply number to_int(csv_cell(t, 2, 1))"#,
        ),
        (
            r#"csv t at "t.csv" { rows 4  C : int 1..99  D : word }  expect reply number to_int(csv_cell(t, 2, 1))"#,
            r#"csv t at "t.csv" { rows 4  C : int 1..99  D : word }  expect reply number to_int(csv_cell(t, 2, 2))"#,
        ),
        (
            "w : word  k : int 1..900  expect reply text slice(w, 1, k)",
            "w : word  k : int 0..900  expect reply text slice(w, 1, k)",
        ),
        (
            r#"s : weighted ["ok": 2, "\u{e9}": 1]  text t at "t.txt" encoding "iso-8859-1" = "Sign <<s>>\n"  expect reply number len(content(t))"#,
            r#"s : weighted ["ok": 2, "\u{20ac}": 1]  text t at "t.txt" encoding "iso-8859-1" = "Sign <<s>>\n"  expect reply number len(content(t))"#,
        ),
        (
            r#"k : int 1..200  text t at "d/<<k>>" : lorem words 5  text u at "d/0/x.txt" : lorem words 6  expect reply text file_word(t, 2)"#,
            r#"k : int 0..200  text t at "d/<<k>>" : lorem words 5  text u at "d/0/x.txt" : lorem words 6  expect reply text file_word(t, 2)"#,
        ),
        (
            r#"table t { rows 8  C : pattern "[a-z]{4}" }  csv u at "u.csv" from t { Code = C as space 20% }  expect reply number distinct_count(t.C)"#,
            r#"table t { rows 8  C : pattern "[a-zA-Z]{4}" }  csv u at "u.csv" from t { Code = C as case 20% }  expect reply number distinct_count(t.C)"#,
        ),
        // A row of blanks only looks like the blank line before what is below.
        (
            r#"csv t at "t.csv" delimiter "|" below "\nThe end" { rows 3  A : int 1..9  B : int 1..9 blank 5% }  expect reply number count(t where A > 2)"#,
            r#"csv t at "t.csv" delimiter "|" below "\nThe end" { rows 3  A : int 1..9 blank 5%  B : int 1..9 blank 5% }  expect reply number count(t where A > 2)"#,
        ),
    ]);
}
