//! Rows in the order of time, ties of values by their places, and conditions that exclude no ties.

use super::list_told;

const LOG: &str = r#"unit : one_of ["A", "B"]
  csv log at "log.csv" {
    rows 60..80
    UNIT  : one_of ["A", "B"]
    AT    : datetime 2024-01-01T00:00..2024-06-30T23:59
    STATE : one_of ["on", "off", "lost"]
    SCORE : int 1..50
  }"#;

/// Checks tasks: these codes are told at these words, and no other of these codes.
fn check(codes: &[&str], cases: &[(&str, &[(&str, &str)])]) {
    let mut wrong = Vec::new();
    for (body, wanted) in cases {
        let found = list_told(body, codes);
        let wanted: Vec<(String, String)> =
            wanted.iter().map(|(code, at)| ((*code).to_owned(), (*at).to_owned())).collect();
        if found != wanted {
            wrong.push(format!("{body}\n  said   {found:?}\n  wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_last_row_of_a_table_in_no_order_of_time() {
    let task = |value: &str, prompt: &str| {
        format!("{LOG}\n  state = {value}\n  require state != null\n  prompt \"{prompt}\"\n  expect reply text state")
    };
    let last = "last(log.STATE where UNIT == unit)";
    let first = "first(log.STATE where UNIT == unit)";
    let caught = [
        (last, "<<log>> has a STATE at each time AT. What is the latest STATE of the unit <<unit>>?"),
        (last, "What is the most recent STATE of the unit <<unit>> in <<log>>?"),
        (last, "Which STATE did the unit <<unit>> of <<log>> have when it was last seen?"),
        (last, "Which STATE was reported last for the unit <<unit>> in <<log>>?"),
        (first, "What is the earliest STATE of the unit <<unit>> in <<log>>?"),
        (first, "In which STATE was the unit <<unit>> first seen, according to <<log>>?"),
        ("coalesce(last(log.STATE), \"none\")", "What is the newest STATE in <<log>>?"),
    ];
    for (value, prompt) in caught {
        let place = value.trim_start_matches("coalesce(").trim_end_matches(", \"none\")");
        check(&["W0234"], &[(&task(value, prompt), &[("W0234", place)])]);
    }
    let sorted = LOG.replace("AT    : datetime", "AT    : sorted datetime");
    let by = LOG.replace("rows 60..80", "rows 60..80\n    rows by AT");
    let newest = "last(log.STATE where AT == max(log.AT))";
    let right = [
        task(last, "What is the latest STATE of the unit <<unit>> in <<log>>?").replace(LOG, &sorted),
        task(last, "What is the latest STATE of the unit <<unit>> in <<log>>?").replace(LOG, &by),
        task(last, "What is the STATE in the last row of the unit <<unit>> in <<log>>?"),
        task(last, "<<log>> is in the order of time. What is the latest STATE of the unit <<unit>>?"),
        task(newest, "What is the latest STATE in <<log>>?"),
        task(last, "What is the last STATE of the unit <<unit>> in <<log>>?"),
        task(first, "What is the latest STATE of the unit <<unit>> in <<log>>?"),
        task(last, "What is the latest STATE of the unit <<unit>> in <<log>>?")
            .replace("AT    : datetime 2024-01-01T00:00..2024-06-30T23:59", "AT    : int 1..1000"),
    ];
    for body in &right {
        check(&["W0234"], &[(body, &[])]);
    }
}

#[test]
fn the_latest_day_can_be_that_of_several_rows() {
    let task = |day: &str, prompt: &str| {
        format!(
            "csv log at \"log.csv\" {{\n rows 60\n DAY : {day}\n STATE : one_of [\"on\", \"off\"]\n }}\n  prompt \"{prompt}\"\n  expect reply text coalesce(last(log.STATE), \"none\")"
        )
    };
    let day = "sorted date 2024-01-01..2024-03-31";
    let ask = "What is the latest STATE in <<log>>?";
    check(
        &["W0304", "W0234"],
        &[
            (&task(day, ask), &[("W0304", "last(log.STATE)")]),
            (&task("sorted unique date 2024-01-01..2024-12-31", ask), &[]),
            (&task("sorted datetime 2024-01-01T00:00..2024-12-31T23:59", ask), &[]),
            (&task(day, "What is the STATE in the last line of <<log>>?"), &[]),
        ],
    );
}

#[test]
fn a_value_by_its_place() {
    let sql = |query: &str, prompt: &str| {
        format!(
            "{LOG}\n  second = <<value: SELECT {query}>>\n  require second != null\n  prompt \"{prompt}\"\n  expect reply number second"
        )
    };
    let list =
        |value: &str, prompt: &str| format!("{LOG}\n  prompt \"{prompt}\"\n  expect reply number coalesce({value}, 0)");
    let ask = "What is the second highest SCORE in <<log>>?";
    let query = "SCORE FROM log ORDER BY SCORE DESC LIMIT 1 OFFSET 1";
    let sorted = "nth(reverse(sort(list(log.SCORE))), 2)";
    check(
        &["W0304"],
        &[
            (&sql(query, ask), &[("W0304", "SCORE")]),
            (
                &sql(
                    "SCORE FROM log WHERE UNIT = :unit ORDER BY SCORE LIMIT 1 OFFSET 2",
                    "The third lowest SCORE of <<unit>> in <<log>>?",
                ),
                &[("W0304", "SCORE")],
            ),
            (
                &sql(
                    "COUNT(*) AS N FROM log GROUP BY STATE ORDER BY N DESC LIMIT 1 OFFSET 1",
                    "How often does the second most common STATE of <<log>> occur?",
                ),
                &[("W0304", "N")],
            ),
            (&list(sorted, ask), &[("W0304", sorted)]),
            (
                &list(
                    "nth(sort(list(log.SCORE where UNIT == unit)), 3)",
                    "The third lowest SCORE of <<unit>> in <<log>>?",
                ),
                &[("W0304", "nth(sort(list(log.SCORE where UNIT == unit)), 3)")],
            ),
            (&sql("DISTINCT SCORE FROM log ORDER BY SCORE DESC LIMIT 1 OFFSET 1", ask), &[]),
            (&sql("SCORE FROM log ORDER BY SCORE DESC LIMIT 1", ask), &[]),
            (&sql(query, "What is the second highest SCORE in <<log>>, if equal ones count separately?"), &[]),
            (&sql(query, "What is the second highest of all SCOREs in <<log>>, with duplicates?"), &[]),
            (&list("nth(reverse(sort(dedupe(list(log.SCORE)))), 2)", ask), &[]),
            (&list("nth(list(log.SCORE), 2)", "What is the SCORE in row 2 of <<log>>?"), &[]),
            (&list(sorted, ask).replace("SCORE : int 1..50", "SCORE : unique int 1..500"), &[]),
            (&sql(query, ask).replace("SCORE : int 1..50", "SCORE : unique int 1..500"), &[]),
        ],
    );
}

#[test]
fn a_number_of_rows_excludes_no_ties() {
    let task = |require: &str| {
        format!(
            "{LOG}\n  states = <<list: SELECT SCORE, UNIT FROM log ORDER BY SCORE>>\n  names = <<list: SELECT STATE FROM log WHERE UNIT = :unit ORDER BY SCORE>>\n  groups = <<rows: SELECT STATE, COUNT(*) AS N FROM log GROUP BY STATE>>\n  require {require}\n  prompt \"List each STATE of <<unit>> in <<log>>, by SCORE, one per line.\"\n  expect reply list names ordered"
        )
        .replace("  states = <<list: SELECT SCORE, UNIT FROM log ORDER BY SCORE>>\n", "")
    };
    let caught = [
        "len(names) > 5",
        "count(log where UNIT == unit) >= 3",
        "3 < len(names)",
        "count(groups) >= 2",
        "names != null",
        "len(names) > 5 and count(log) > 60",
        "len(list(log.SCORE where UNIT == unit)) >= 4",
    ];
    for require in caught {
        check(&["W0304"], &[(&task(require), &[("W0304", "SCORE")])]);
    }
    let right = [
        "len(dedupe(list(log.SCORE where UNIT == unit))) == count(log where UNIT == unit)",
        "count(log where SCORE == max(log.SCORE)) == 1",
        "distinct_count(log.SCORE) >= 10",
        "count(log where SCORE == 3) <= 1",
        "count(log where SCORE < max(log.SCORE)) >= 59",
        "len(<<list: SELECT SCORE FROM log GROUP BY SCORE HAVING COUNT(*) = 1>>) > 5",
    ];
    for require in right {
        check(&["W0304"], &[(&task(require), &[])]);
    }
}

#[test]
fn a_mode_with_a_condition_on_the_number_of_groups() {
    let task = |require: &str| {
        format!(
            "{LOG}\n  groups = <<rows: SELECT STATE, COUNT(*) AS N FROM log GROUP BY STATE>>\n  require {require}\n  prompt \"Which STATE is the most common in <<log>>?\"\n  expect reply text mode(log.STATE)"
        )
    };
    check(
        &["W0304"],
        &[
            (&task("count(groups) >= 2"), &[("W0304", "mode(log.STATE)")]),
            (&task("count(groups where N == max(groups.N)) == 1"), &[]),
        ],
    );
}

#[test]
fn blanks_that_count() {
    let task = |value: &str, prompt: &str| {
        format!(
            "csv sales at \"sales.csv\" {{\n rows 60\n TILL : int 1..5\n CUT : int 1..25 blank 60%\n SELLER : last_name blank 20%\n }}\n  prompt \"{prompt}\"\n  expect reply number coalesce({value}, 0) rounded 2"
        )
    };
    let zero = "In <<sales>>, an empty CUT counts as 0. What is the mean CUT? 2 decimals.";
    let count = "SELLER is empty for some. How many sales are there in <<sales>>?";
    check(
        &["W0523"],
        &[
            (&task("avg(sales.CUT)", zero), &[("W0523", "avg(sales.CUT)")]),
            (&task("avg(sales.CUT where TILL > 2)", zero), &[("W0523", "avg(sales.CUT where TILL > 2)")]),
            (&task("count(sales.SELLER)", count), &[("W0523", "count(sales.SELLER)")]),
            (&task("avg(coalesce(sales.CUT, 0))", zero), &[]),
            (&task("avg(sales.CUT)", "What is the mean CUT in <<sales>>? 2 decimals."), &[]),
            (&task("avg(sales.CUT where CUT != null)", zero), &[]),
            (&task("count(sales)", count), &[]),
            (
                &task("sum(sales.TILL - sales.CUT)", "The sum of TILL minus CUT in <<sales>>?"),
                &[("W0523", "sum(sales.TILL - sales.CUT)")],
            ),
            (&task("sum(sales.TILL * sales.CUT)", "The sum of TILL times CUT in <<sales>>?"), &[]),
            (
                &task(
                    "sum(sales.TILL - sales.CUT)",
                    "The sum of TILL minus CUT in <<sales>>, ignoring sales without CUT?",
                ),
                &[],
            ),
            (&task("count(sales.SELLER)", "How many sales in <<sales>> have a SELLER?"), &[]),
        ],
    );
}

const STAFF: &str = r#"town : ref staff.TOWN
  csv staff at "staff.csv" {
    rows 40
    ID   : serial
    NAME : unique person_name
    TOWN : one_of ["Kiel", "Bonn", "Ulm", "Hof", "Trier"]
    PAY  : unique int 2_000..9_000
  }"#;

#[test]
fn a_row_that_is_looked_up_by_a_value_that_repeats() {
    let task = |value: &str, prompt: &str| {
        format!("{STAFF}\n  prompt \"{prompt}\"\n  expect reply text coalesce({value}, \"none\")")
    };
    let who = "first(staff.NAME where TOWN == town)";
    let ask = "Who in <<staff>> works in <<town>>? Reply with the NAME only.";
    let unique = task(who, ask).replace("rows 40", "rows 4");
    let required = task(who, ask).replace("prompt", "require count(staff where TOWN == town) == 1\n  prompt");
    check(
        &["W0304"],
        &[
            (&task(who, ask), &[("W0304", who)]),
            (
                &task("last(staff.NAME where TOWN == \"Kiel\")", "Who in <<staff>> works in Kiel?"),
                &[("W0304", "last(staff.NAME where TOWN == \"Kiel\")")],
            ),
            (&task(who, "Who in <<staff>> is the first in the file from <<town>>?"), &[]),
            (&task("first(staff.NAME where ID == 3)", "Who in <<staff>> has the ID 3?"), &[]),
            (&task("first(staff.NAME where PAY == max(staff.PAY))", "Who in <<staff>> has the highest PAY?"), &[]),
            (&task("first(staff.NAME where TOWN == town and PAY > 5_000)", ask), &[]),
            (&unique, &[]),
            (&required, &[]),
        ],
    );
}

#[test]
fn sorted_by_another_column() {
    let task =
        |value: &str, prompt: &str| format!("{STAFF}\n  prompt \"{prompt}\"\n  expect reply list {value} ordered");
    let names = "sort(list(staff.NAME where TOWN == town))";
    let query = "<<list: SELECT NAME FROM staff WHERE TOWN = :town ORDER BY NAME>>";
    check(
        &["W0234"],
        &[
            (&task(names, "List each NAME of <<staff>> in <<town>>, sorted by PAY."), &[("W0234", names)]),
            (&task(query, "List each NAME of <<staff>> in <<town>>, in ascending order of PAY."), &[("W0234", query)]),
            (&task(names, "List each NAME of <<staff>> in <<town>>, sorted by NAME."), &[]),
            (&task(names, "List each NAME of <<staff>> in <<town>> in alphabetical order."), &[]),
            (&task(names, "<<staff>> is sorted by PAY. List each NAME in <<town>> in alphabetical order."), &[]),
            (&task(query, "List each NAME of <<staff>> in <<town>>, ordered by the NAME."), &[]),
            (
                &task(
                    &query.replace("ORDER BY NAME", "ORDER BY ID"),
                    "List each NAME of <<staff>> in <<town>>, sorted by PAY.",
                ),
                &[],
            ),
        ],
    );
}
