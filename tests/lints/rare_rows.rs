//! Rows that are missing in rare samples, and conditions that leave exactly one row, or name the values that are left.

use super::hold_also;

#[test]
fn references_without_a_row_in_rare_samples() {
    let with = |cases: &[(&str, &str)]| {
        let build = |(table, filter): &(&str, &str)| {
            format!(
                r#"csv t at "t.csv" {{ {table} }} who, id : ref t.(NAME, ID) where {filter} prompt "What is the ID of <<who>> in <<t>>? Number only." expect reply number id"#
            )
        };
        cases.iter().map(build).collect::<Vec<_>>()
    };
    let caught = with(&[
        ("rows 45..60 ID : serial NAME : unique person_name NIGHTS : int 1..14", "NIGHTS > 12"),
        ("rows 12..14 ID : serial NAME : unique person_name OK : bool 60%", "not OK"),
        ("rows 30..34 ID : serial NAME : unique person_name OK : bool 20%", "OK"),
        (r#"rows 40 ID : serial NAME : unique person_name KIND : weighted ["a": 80, "b": 20]"#, r#"KIND == "b""#),
    ]);
    let right = with(&[
        ("rows 45..60 ID : serial NAME : unique person_name NIGHTS : int 1..14", "NIGHTS > 7"),
        ("rows 60 ID : serial NAME : unique person_name OK : bool 60%", "not OK"),
        ("rows 30..34 ID : serial NAME : unique person_name OK : bool exactly 4", "OK"),
        (r#"rows 200 ID : serial NAME : unique person_name KIND : weighted ["a": 80, "b": 20]"#, r#"KIND == "b""#),
    ]);
    let mut right: Vec<String> = right;
    right.push(format!("{} require count(t where NIGHTS > 12) > 0", caught[0]));
    hold_also(
        "may_exhaust",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn the_values_that_are_left_are_named() {
    const RUNS: &str = r#"sqlite db at "d.db" { table runs { rows 40..60 ID : serial STATE : one_of ["completed", "testing", "aborted"] AGE : int 1..99 } }"#;
    let with = |prompt: &str, answer: &str| {
        format!(
            r#"{RUNS} prompt "How many rows of the table `runs` in <<db>> have an AGE above 60 in {prompt} runs? Number only." expect reply number {answer}"#
        )
    };
    let by_where = "count(db.runs where AGE > 60 and STATE != \"aborted\")";
    let by_sql = "<<value: SELECT COUNT(*) FROM db.runs WHERE AGE > 60 AND STATE <> 'aborted'>>";
    let right = [with("completed or testing", by_where), with("completed or testing", by_sql)];
    let caught = [
        with("completed", by_where),
        with("completed or testing", "count(db.runs where AGE > 60 and STATE == \"aborted\")"),
    ];
    hold_also(
        "untold_literal",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn one_row_has_no_order() {
    const TASK: &str = r#"lim : int 90..97 sqlite db at "d.db" { table t { rows 40..60 NAME : person_name AGE : int 1..99 } } r = <<rows: SELECT NAME, AGE FROM db.t>>"#;
    let with = |require: &str| {
        format!(
            r#"{TASK} require {require} who = first(r.NAME where AGE > lim) require who != null prompt "Who in the table `t` of <<db>> is older than <<lim>>? Reply with the NAME only." expect reply text who"#
        )
    };
    let caught = [with("count(r where AGE > lim) > 0"), with("count(r where AGE > 90) == 1")];
    let right = [
        with("count(r where AGE > lim) == 1"),
        with("count(r where AGE > lim) <= 1"),
        with("count(r) > 3 and count(r where AGE > lim) == 1"),
    ];
    hold_also(
        "ambiguous_order",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}
