//! Answers that are the same in one cell of an axis, axes of data that nobody sees, and ways that differ in nothing.

use super::{hold, hold_also};

/// Bodies of a table of 50 rows with these columns, an axis, a question, and an answer.
fn build_bodies(cases: &[(&str, &str, &str)]) -> Vec<String> {
    let build = |(axis, columns, answer): &(&str, &str, &str)| {
        format!(
            "axis {axis} csv t at \"t.csv\" {{ rows 50..60 ID : serial {columns} }} \
             prompt \"In <<t>>, and with <<lim>>: how many? Number only.\" expect reply number {answer}"
        )
    };
    cases.iter().map(build).collect()
}

fn as_strs(bodies: &[String]) -> Vec<&str> {
    bodies.iter().map(String::as_str).collect()
}

#[test]
fn one_cell_with_a_constant_answer() {
    let caught = build_bodies(&[
        ("lim = { some: 20, all: 100 }", "PHONE : phone blank lim%", "count(t where PHONE != null)"),
        ("lim = { some: 20, all: 100 }", "LATE : bool lim%", "count(t where not LATE)"),
        ("lim = { some: 20, all: 100 }", "AGE : int 1..99 blank lim%", "coalesce(sum(t.AGE), 0)"),
        ("lim = { low: 1, mid: 5, most: 20 }", "AGE : int 1..99", "count(t where AGE > lim * 10)"),
        ("lim = { narrow: 10, wide: 500 }", "AGE : int 10..lim", "max(t.AGE)"),
        ("lim = { low: 1, mid: 5, most: 20 }", "AGE : int 1..99", "count(t where AGE > lim * 10 and ID > 5)"),
    ]);
    let right = build_bodies(&[
        ("lim = { all: 1, some: 50 }", "AGE : int 18..99", "count(t where AGE >= lim)"),
        // Of a cell of 0 the author knows that nothing is there.
        ("lim = { none: 0, some: 20 }", "LATE : bool lim%", "count(t where LATE)"),
        ("lim = { some: 20, most: 90 }", "PHONE : phone blank lim%", "count(t where PHONE != null)"),
        ("lim = { low: 1, mid: 5, most: 9 }", "AGE : int 1..99", "count(t where AGE > lim * 10)"),
        ("lim = { some: 20, all: 100 }", "LATE : bool lim%", "coalesce(sum(t.ID where LATE or ID > 20), 0)"),
        ("lim = { narrow: 11, wide: 500 }", "AGE : int 10..lim", "max(t.AGE)"),
        ("lim = { low: 5, high: 9 }", "AGE : int 1..99", "lim + count(t) - count(t)"),
    ]);
    hold("constant_answer", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn axes_outside_of_the_data() {
    let caught = build_bodies(&[
        ("lim = { half: 50, over: 110 }", "LOAD : int 5..100", "count(t where LOAD > lim)"),
        ("lim = { half: 50, none: 1 }", "LOAD : int 5..100", "count(t where LOAD < lim)"),
        ("lim = { half: 50, over: 110 }", "LOAD : int 5..100", "count(t where lim <= LOAD)"),
        ("lim = { half: 50, over: 110 }", "LOAD : int 5..100", "<<value: SELECT COUNT(*) FROM t WHERE LOAD > :lim>>"),
        (
            "lim = { spring: 2024-04-01, later: 2025-02-01 }",
            "DUE : date 2024-01-01..2024-12-31",
            "count(t where DUE > lim)",
        ),
        ("lim = { a: 1.5, b: 12.5 }", "KG : decimal 0.5..9.5", "count(t where KG >= lim)"),
    ]);
    let right = build_bodies(&[
        ("lim = { half: 50, most: 99 }", "LOAD : int 5..100", "count(t where LOAD > lim)"),
        ("lim = { half: 50, top: 100 }", "LOAD : int 5..100", "count(t where LOAD >= lim)"),
        ("lim = { week: 7, year: 365 }", "DAYS : int 1..300", "count(t where DAYS <= lim)"),
        ("lim = { half: 50, top: 99 }", "LOAD : int 5..100", "<<value: SELECT COUNT(*) FROM t WHERE LOAD > :lim>>"),
        (
            "lim = { spring: 2024-04-01, later: 2024-12-02 }",
            "DUE : date 2024-01-01..2024-12-31",
            "count(t where DUE > lim)",
        ),
        ("lim = { a: 1, b: 2 }", "LOAD : int 5..100", "count(t where LOAD > 50 * lim - 20)"),
    ]);
    hold("impossible_predicate", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn axes_of_data_that_nobody_sees() {
    const ASKED: &str = r#"a : int 10..90 prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number count(t where A > a)"#;
    let with = |parts: &[&str]| {
        parts.iter().map(|part| format!("axis gaps = {{ few: 5, many: 60 }} {part} {ASKED}")).collect::<Vec<_>>()
    };
    let caught = with(&[
        r#"csv t at "t.csv" { rows 40..60 A : int 1..99 _NOTE : lorem words 3 blank gaps% }"#,
        r#"table _pool { rows gaps W : word } csv t at "t.csv" { rows 40..60 A : int 1..99 }"#,
        r#"table s { rows 40..60 A : int 1..99 B : word blank gaps% } csv t at "t.csv" from s { A = A }"#,
        r#"csv t at "t.csv" { rows 40..60 A : int 1..99 _K : int 1..gaps }"#,
    ]);
    let right = with(&[
        // A column that is written is noise that an agent sees.
        r#"csv t at "t.csv" { rows 40..60 A : int 1..99 NOTE : lorem words 3 blank gaps% }"#,
        r#"csv t at "t.csv" { rows gaps A : int 1..99 }"#,
        r#"csv t at "t.csv" { rows 40..60 A : int 1..99 _B : int 1..gaps C = _B * 2 }"#,
        r#"table s { rows 40..60 A : int 1..99 B : int 1..gaps } csv t at "t.csv" from s where B > 2 { A = A }"#,
        r#"table s { rows 40..60 A : int 1..99 B : int 1..gaps } csv t at "t.csv" from s { rows by _B _B = B A = A }"#,
        r#"csv t at "t.csv" { rows 40..60 A : int 1..99 _B : int 1..gaps } require max(t._B) > 1"#,
    ]);
    hold_also("idle_axis", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn ways_that_differ_in_nothing() {
    const TASK: &str = r#"a : int 10..90 csv t at "t.csv" { rows 40..60 A : int 1..99 } n = count(t where A > a) m = count(t where A <= a)"#;
    const ASKED: &str = r#"prompt "How many A in <<t>> are above <<a>>? Number only." expect reply number n"#;
    const BOTH: &str = r#"prompt "Count the A above <<a>> in <<t>>, and the others, into <<sandbox>>/a.txt and <<sandbox>>/b.txt, a number each.""#;
    let caught = [
        format!(
            "{TASK} {ASKED} variant one {{ tools [list_files, read_file] }} variant two {{ tools [list_files, read_file] }}"
        ),
        format!(
            "{TASK} {ASKED} variant one {{ tools [list_files, read_file] }} variant two {{ tools [read_file, list_files] }}"
        ),
        format!(
            r#"{TASK} variant one {{ {BOTH} expect file "a.txt" number n expect file "b.txt" number m }} variant two {{ {BOTH} expect file "b.txt" number m expect file "a.txt" number n }}"#
        ),
    ];
    let right = [
        format!(
            "{TASK} {ASKED} variant one {{ tools [list_files, read_file] }} variant two {{ tools [list_files, read_file, run_sql] }}"
        ),
        format!("{TASK} {ASKED} variant one {{ calls 3 }} variant two {{ calls 30 }}"),
        format!(
            r#"{TASK} variant one {{ {BOTH} expect file "a.txt" number n expect file "b.txt" number m }} variant two {{ {BOTH} expect file "b.txt" number m }}"#
        ),
    ];
    hold_also("equal_ways", &as_strs(&caught), &as_strs(&right));
}
