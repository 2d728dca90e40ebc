//! Builds that are proved not to stop by what is known of lists, queries, files, and paths, each next to one that can stop.

use super::sure_builds::{is_certain, tell_apart};

/// What is proved, and what is not.
fn pair(proved: &str, open: &str) -> (String, String) {
    (proved.to_owned(), open.to_owned())
}

#[test]
fn lists_of_queries_have_known_items() {
    let db = |rest: &str| {
        format!(
            r#"sqlite d at "d.db" {{ table t {{ rows 4  ID : serial  C : int 1..9  N : int 1..9 blank 20% }} }}  {rest}"#
        )
    };
    tell_apart(&[
        pair(
            &db("u = <<list: SELECT C FROM d.t ORDER BY C>>  expect reply number 100 / (count(u) + 1) rounded 2"),
            &db("u = <<list: SELECT C FROM d.t WHERE C > 4 ORDER BY C>>  expect reply number 100 / count(u) rounded 2"),
        ),
        pair(
            &db("u = <<list: SELECT C FROM d.t ORDER BY C>>  expect reply number 100 / coalesce(max(u), 1) rounded 2"),
            &db(
                "u = <<list: SELECT C - 1 AS K FROM d.t ORDER BY C>>  expect reply number 100 / coalesce(max(u), 1) rounded 2",
            ),
        ),
        pair(
            &db("u = <<list: SELECT N FROM d.t ORDER BY ID>>  expect reply number 100 / coalesce(sum(u), 1) rounded 2"),
            &db("u = <<list: SELECT N FROM d.t ORDER BY ID>>  expect reply number 100 / coalesce(sum(u), 0) rounded 2"),
        ),
        pair(
            "a : int 1..9  b : int 2..9  expect reply number 60 / sum([a, b]) rounded 2",
            "a : int -9..9  b : int 2..9  expect reply number 60 / sum([a, b]) rounded 2",
        ),
        pair(
            "a : int 0..9  b : int 2..9  x : int coalesce(last(sort([a, b])), 1)..9  expect reply number x",
            "a : int 0..9  b : int 2..9  x : int coalesce(last(sort([a, b])), 1)..8  expect reply number x",
        ),
        pair(
            &db(
                "k : int 1..9  g = <<after: d, UPDATE t SET C = 0 WHERE C = :k>>  expect reply number 60 / (changed(g) + 1) rounded 2",
            ),
            &db(
                "k : int 1..9  g = <<after: d, UPDATE t SET C = 0 WHERE C = :k>>  expect reply number 60 / changed(g) rounded 2",
            ),
        ),
    ]);
}

#[test]
fn queries_fail_only_for_some_values() {
    let value = |draw: &str, sql: &str| format!("{draw}  expect reply number coalesce(<<value: {sql}>>, 0)");
    let sum = |draw: &str, second: &str| {
        value(draw, &format!("SELECT SUM(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT {second})"))
    };
    let (k, from_zero) = ("k : int 1..90", "k : int 0..90");
    let case = "CASE WHEN :k = 0 THEN 1 ELSE -1 END";
    let twice = "SELECT SUM(a.x) FROM (SELECT 9223372036854775807 AS x) a JOIN (SELECT 1 AS y UNION ALL SELECT :k) b";
    let format = |zero: &str| value("k : int 1..90", &format!("SELECT length(printf('%0' || {zero} || 'd', 7))"));
    tell_apart(&[
        pair(&sum(k, case), &sum(from_zero, case)),
        // The order of the rows is not known, nor which of them there are.
        pair(&sum("k : int 0..90", "-:k"), &sum(from_zero, ":k")),
        pair(&sum(k, "NULL"), twice),
        pair(&sum(k, "0"), &sum(k, "'1'")),
        pair(&value(k, "SELECT chi2_p(2.5, :k)"), &value(from_zero, "SELECT chi2_p(2.5, :k)")),
        pair(&value(k, "SELECT chi2_p(:k - 1, 3)"), &value(k, "SELECT chi2_p(:k - 2, 3)")),
        pair(
            &value("k : int 1..1_000_000_000", "SELECT chi2_p(2.5, :k)"),
            &value("k : int 1..1_000_000_001", "SELECT chi2_p(2.5, :k)"),
        ),
        pair(
            &format("CASE WHEN :k = 0 THEN '30000000' ELSE '5' END"),
            &format("CASE WHEN :k = 1 THEN '30000000' ELSE '5' END"),
        ),
        pair(
            &value(k, "SELECT length(printf('%d' || ' x', :k))"),
            &value(k, "SELECT length(printf('%*d' || 'x', 90000000, :k))"),
        ),
    ]);
}

#[test]
fn words_of_files_are_counted() {
    let text = |of: &str, at: u32| {
        format!(
            r#"w : lorem words 2..4  k : int 1..9  text t at "t.txt" = "{of}"  expect reply json {{ a: file_word(t, {at}) }}"#
        )
    };
    let lines = |line: &str, at: u32| {
        format!(
            r#"text t at "t.txt" {{ rows 3  line "{line}"  C : int 10..99  W : word }}  expect reply json {{ a: file_word(t, {at}) }}"#
        )
    };
    let number = |of: &str, line: &str| {
        format!(
            r#"text t at "t.txt" {{ rows 3  line "{line}"  C : {of} }}  expect reply number to_int(file_word(t, 2))"#
        )
    };
    tell_apart(&[
        pair(&text(r"<<w>>\n", 2), &text(r"<<w>>\n", 3)),
        pair(&text(r"<<k>> <<w>>", 3), &text(r"<<k>><<w>>", 3)),
        pair(&text(r"n: <<w>>, <<k>>\n", 4), &text(r"n: <<w>>,<<k>>\n", 4)),
        pair(&lines("<<C>>", 3), &lines("<<C>>", 4)),
        pair(&lines("<<C>> <<W>>", 6), &lines("<<C>>-<<W>>", 6)),
        pair(&number("int 10..99", "<<C>>"), &number("int 10..99", "<<C>> m")),
        pair(&number("int 10..99", "<<C>>"), &number("int -10..99", "<<C>>")),
    ]);
}

#[test]
fn sums_of_paths_are_between_known_ends() {
    let xml = |n: &str, path: &str| {
        format!(
            r#"xml x at "x.xml" root {{ kind : gem  item : [ {{ @id : serial  n : {n} }} ; 0..3 ] }}  expect reply number 60 / coalesce({path}, 1) rounded 2"#
        )
    };
    tell_apart(&[
        pair(&xml("int 1..200", "<<xpath_sum: x, //item/n>>"), &xml("int 0..200", "<<xpath_sum: x, //item/n>>")),
        pair(
            &xml("int 1..200", "<<xpath_max: x, /root/item/n>>"),
            &xml("int -1..200", "<<xpath_max: x, /root/item/n>>"),
        ),
    ]);
}

#[test]
fn ends_and_keys_are_those_of_some_rows() {
    let csv = |rest: &str| {
        format!(
            r#"csv t at "t.csv" {{ rows 5  C : int 1..9  G : one_of ["elm", "oak"]  B : bool exactly 1  N : word  ID : serial }}  {rest}"#
        )
    };
    let range = |low: &str, high: &str| csv(&format!("x : int {low}..{high}  expect reply number x"));
    let object =
        |filter: &str| csv(&format!("k : int 1..9  expect reply json {{ a: object(t.N where {filter}, t.C), k: k }}"));
    tell_apart(&[
        pair(
            &range(r#"coalesce(sum(t.C where G == "elm"), 0)"#, "sum(t.C)"),
            &range(r#"coalesce(sum(t.C where G == "elm"), 6)"#, "sum(t.C)"),
        ),
        pair(
            &range("min(t.C)", r#"coalesce(max(t.C where G == "elm"), 9)"#),
            &range("min(t.C)", r#"coalesce(min(t.C where G == "elm"), 8)"#),
        ),
        pair(&object("B"), &object("not B")),
        pair(&object("ID == k"), &object("C == k")),
        pair(
            r#"csv t at "t.csv" { rows 3  N : unique pattern "[a-z]{4}" blank 50%  C : int 1..9 }  expect reply json { a: object(t.N where N != null, t.C) }"#,
            r#"csv t at "t.csv" { rows 3  N : unique pattern "[a-z]{4}" blank 50%  C : int 1..9 }  expect reply json { a: object(t.N where N != null or C > 1, t.C) }"#,
        ),
        pair(
            r#"csv t at "t.csv" { rows 3  N : unique word  C : int 1..9 blank 5% }  expect reply json { a: object(t.N where C != null, t.C) }"#,
            r#"csv t at "t.csv" { rows 3  N : unique word  C : int 1..9 blank 5% }  expect reply json { a: object(t.N where N != null, t.C) }"#,
        ),
        pair(
            r#"x : decimal 0.000..9.999  expect reply number to_decimal("<<x>>", 3)"#,
            r#"x : decimal 0.000..9.999  expect reply number to_decimal("<<x>>", 2)"#,
        ),
        pair(
            r#"x : decimal 0.000..9.999  expect reply number to_decimal("<<x>>", 3)"#,
            r#"x : decimal 0.000..9.999  expect reply number to_decimal("1<<x>>e", 3)"#,
        ),
        pair(&object("B and C > 2"), &object("B or C > 2")),
        pair(
            r#"csv t at "t.csv" { rows 2..3  C : word }  expect reply text join(list(t.C where len(C) > 0), " ")"#,
            r#"csv t at "t.csv" { rows 0..3  C : word }  expect reply text join(list(t.C where len(C) > 0), " ")"#,
        ),
        pair(
            r#"csv t at "t.csv" { rows 2  C : word }  expect reply text join(list(t.C), "-")"#,
            r#"csv t at "t.csv" { rows 2  C : word blank 10% }  expect reply text join(list(t.C), "-")"#,
        ),
        pair(
            r#"json j at "j.json" { p : [ { id : int 6..9  n : int 1..9 } ; 1..2 ] }  expect file j json remove(j, "$.p[?@.id > 5]")"#,
            r#"json j at "j.json" { p : [ { id : int 5..9  n : int 1..9 } ; 1..2 ] }  expect file j json remove(j, "$.p[?@.id > 5]")"#,
        ),
        pair(
            r#"json j at "j.json" { p : [ { id : int 6..9  n : int 1..9 } ; 1..2 ] }  expect file j json remove(j, "$.p[?@.id > 5]")"#,
            r#"json j at "j.json" { p : [ { id : int 6..9  n : int 1..9 } ; 0..2 ] }  expect file j json remove(j, "$.p[?@.id > 5]")"#,
        ),
        // Each field depends on fewer values than all of them.
        pair(
            "a : int -500..500  b : int -500..500  expect reply json { x: mod(100, if a == 0 then 1 else a), y: mod(100, if b == 0 then 1 else b) }",
            "a : int -500..500  b : int -500..500  expect reply json { x: mod(100, if a == 0 then 1 else a), y: mod(100, if b == 1 then 1 else b) }",
        ),
    ]);
}

#[test]
fn paths_differ_in_more_than_their_case() {
    let two = |draws: &str, a: &str, b: &str| {
        format!(
            r#"{draws}  text t at "d/<<{a}>>.txt" : lorem words 5  text u at "d/<<{b}>>.txt" : lorem words 5  expect reply json {{ x: file_word(t, 3) }}"#
        )
    };
    tell_apart(&[
        pair(
            &two(r#"a : pattern "[a-z]{2}"  b : pattern "[0-9]{2}""#, "a", "b"),
            &two(r#"a : pattern "[a-m]{2}"  b : pattern "[K-Z]{2}""#, "a", "b"),
        ),
        pair(&two("a : int 1..200  b : int 201..400", "a", "b"), &two("a : int 1..200  b : int 200..400", "a", "b")),
        pair(
            &two(r#"a, b : distinct one_of ["rose quartz", "opal"]"#, "a", "b"),
            &two(r#"a, b : distinct one_of ["rose quartz", "Rose quartz", "opal"]"#, "a", "b"),
        ),
        pair(
            r#"a : int 1..200  b : int 201..400  text t at "<<a>>" : lorem words 5  text u at "<<b>>/x" : lorem words 5  expect reply json { x: file_word(t, 3) }"#,
            r#"a : int 1..200  b : int 200..400  text t at "<<a>>" : lorem words 5  text u at "<<b>>/x" : lorem words 5  expect reply json { x: file_word(t, 3) }"#,
        ),
    ]);
}

#[test]
fn shares_of_draws_are_counted() {
    let cases = [
        ("a : int 1..20  b : int 1..40  require a > b  expect reply number a + b", true),
        // No draw meets it, or hardly any, or the cells of an axis decide.
        ("a : int 1..60  b : int 1..60  require a + b > 118  expect reply number a + b", false),
        ("a : int 1..9_000_000  require a < 2_000_000  expect reply number a", true),
        ("a : int 1..9_000_000  require a < 90_000  expect reply number a", false),
        (r#"w : word  require starts_with(w, "m")  expect reply text w"#, true),
        ("a : int 1..9  b : int 1..9  require a < 2  require b < 2  expect reply number a + b", false),
        ("a : int 1..9  b : int 1..9  require a < 2  require b < 8  expect reply number a + b", true),
        ("a : zipf 30  require a > 8  expect reply number a", false),
        ("a : int 1..9 blank 50%  require a != null  expect reply number coalesce(a, 1)", false),
        ("a, b : distinct int 1..9  require a > b  expect reply number a + b", false),
        (r#"csv t at "t.csv" { rows 3  C : int 1..9 }  require max(t.C) > 3  expect reply number max(t.C)"#, false),
        ("axis n { one = 1  ten = 10 }  a : int 1..9  require a < n  expect reply number a", false),
    ];
    let wrong: Vec<&str> =
        cases.iter().filter(|(body, sure)| is_certain(body) != *sure).map(|(body, _)| *body).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
