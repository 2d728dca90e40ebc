//! Conditions in unusual forms that are never or always true, decided case by case or by the order of their sides, and conditions that come near and
//! are right.

/// Tables for every row.
const DATA: &str = r#"
  here, there : distinct one_of ["Bern", "Basel", "Chur"]
  sqlite shop at "shop.db" {
    table makers { rows 20  ID : serial  NAME : unique person_name }
    table items {
      rows 60
      ID     : serial
      MAKER  : ref makers.ID
      CODE   : pattern "[A-F]{2}-[0-9]{3}"
      TAG    : pattern "[a-z]{2}-[0-9]{2,4}"
      KEY    : pattern "[ABC]{1,2}[0-9]{4}"
      LO     : int 1..40
      HI     : int LO + 1..100
      QTY    : int 1..9
      PRICE  : decimal 5.00..20.00
      TOTAL  = QTY * PRICE
      FLAGS  : int 0..7
      OPEN   : bool
      CITY   : one_of ["Bern", "Basel", "Chur"]
      NOTE   : one_of ["a", "bb"] blank 30%
      KG     : decimal 0.5..20.0 step 0.5
      DAY    : date 2024-01-01..2024-12-01
      DUE    : date DAY..DAY + 30 days
      AT     : sorted datetime 2024-03-01T08:00..2024-03-01T12:00
      UNTIL  : datetime AT..AT + 90 minutes
      MAIL   : email
    }
  }
  ghost : person_name except shop.makers.NAME
"#;

/// The codes of the warnings about values on a task of the tables above and this, with where each begins, and all errors.
fn said(body: &str) -> Vec<(String, String)> {
    let settings = "allow unused_name \"a test\" allow unused_allow \"a test\" allow unmentioned_file \"a test\"";
    let source = testing::build_suite_source(settings, &format!("{DATA}\n{body}\n  prompt \"?\""));
    let compiled = testing::compile_text(&source);
    let own = |id: &str| id.starts_with('E') || ["W0401", "W0402"].contains(&id);
    let found = compiled.diagnostics.iter().filter(|said| own(said.code.id));
    found.map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned())).collect()
}

fn filter(condition: &str) -> String {
    format!("expect reply number count(shop.items where {condition})")
}

fn query(condition: &str) -> String {
    format!("expect reply number <<value: SELECT COUNT(*) FROM shop.items WHERE {condition}>>")
}

/// Checks that each of these conditions gets this code at itself, and no other warning.
fn hold(code: &str, body: fn(&str) -> String, conditions: &[&str]) {
    let wrong: Vec<String> = conditions
        .iter()
        .filter_map(|condition| {
            let said = said(&body(condition));
            let wanted = [(code.to_owned(), (*condition).to_owned())];
            (said != wanted).then(|| format!("{condition}\n  said   {said:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} {code}:\n{}", wrong.len(), conditions.len(), wrong.join("\n"));
}

/// Checks that none of these conditions gets a warning.
fn is_silent(body: fn(&str) -> String, conditions: &[&str]) {
    let wrong: Vec<String> = conditions
        .iter()
        .filter_map(|condition| {
            let said = said(&body(condition));
            (!said.is_empty()).then(|| format!("{condition}\n  said   {said:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} told:\n{}", wrong.len(), conditions.len(), wrong.join("\n"));
}

#[test]
fn filters_that_are_never_true() {
    hold(
        "W0401",
        filter,
        &[
            "starts_with(lower(CODE), \"g\")",
            "slice(CODE, 4, 4) == \"-\"",
            "days_between(DUE, DAY) > 14",
            "HI - LO < 1",
            "HI < LO",
            "TOTAL < PRICE",
            "mod(ID, 100) == 0",
            "QTY > max(shop.items.QTY)",
            "QTY < min(shop.items.QTY)",
            "OPEN == (not OPEN)",
            "NOTE == null and len(coalesce(NOTE, \"\")) > 0",
            "KG * 2 != floor(KG * 2)",
            "greatest(QTY, LO) < LO",
            "least(QTY, LO) > QTY",
            "CODE < \"A\"",
            "UNTIL - AT > 2 hours",
            "starts_with(CITY, \"C\") and ends_with(CITY, \"l\")",
            "CITY == here and CITY == there",
            "len(split(CODE, \"-\")) == 3",
            "abs(LO - QTY) < LO - QTY",
            "hour(UNTIL) > 14",
            "upper(TAG) == TAG",
        ],
    );
}

#[test]
fn filters_that_are_always_true() {
    hold(
        "W0402",
        filter,
        &[
            "HI > LO",
            "DUE >= DAY",
            "OPEN or not OPEN",
            "LO < 20 or not (LO < 20)",
            "len(replace(CODE, \"-\", \"\")) == 5",
            "len(pad_left(\"<<shop.items.ID>>\", 4, \"0\")) == 4",
            "contains(CODE, \"-\")",
        ],
    );
}

#[test]
fn filters_that_come_near() {
    is_silent(
        filter,
        &[
            "starts_with(lower(CODE), \"f\")",
            "slice(CODE, 3, 4) == \"-0\"",
            "days_between(DAY, DUE) > 14",
            "HI - LO < 2",
            "TOTAL <= PRICE",
            "mod(ID, 30) == 0",
            "QTY == max(shop.items.QTY)",
            "QTY > avg(shop.items.QTY)",
            "QTY >= max(shop.items.QTY where OPEN)",
            "not (QTY < 5 or not (QTY < 7))",
            "NOTE == null or len(coalesce(NOTE, \"\")) > 1",
            "KG != floor(KG)",
            "greatest(QTY, LO) == LO",
            "CODE < \"B\"",
            "UNTIL - AT > 1 hours",
            "starts_with(CITY, \"B\") and ends_with(CITY, \"l\")",
            "CITY == here or CITY == there",
            "starts_with(coalesce(nth(split(MAIL, \"@\"), 1), \"\"), \"a\")",
            "hour(UNTIL) > 10",
            "LO < 20 or not (LO < 30)",
            "len(TAG) == 7",
        ],
    );
}

#[test]
fn queries_that_are_never_true() {
    hold(
        "W0401",
        query,
        &[
            "substr(CODE, 0, 2) = 'AB'",
            "ID NOT IN (SELECT ID FROM shop.items)",
            "MAKER NOT IN (SELECT ID FROM shop.makers)",
            "NOT EXISTS (SELECT COUNT(*) FROM shop.makers)",
            "length(TAG) - length(replace(TAG, '-', '')) = 2",
            "date(AT) = AT",
            "unicode(CODE) > 70",
            "min(QTY, LO) > LO",
            "FLAGS & 8",
            "(QTY, LO) < (1, 0)",
            "ltrim(KEY, 'ABC') = KEY",
            "HI < LO",
            "TOTAL < PRICE",
            "QTY > (SELECT MAX(QTY) FROM shop.items)",
            "QTY % 2 = 0 AND (QTY + 1) % 2 = 0",
            "HI - LO < 1",
        ],
    );
}

#[test]
fn queries_that_come_near() {
    is_silent(
        query,
        &[
            "substr(CODE, 1, 2) = 'AB'",
            "ID NOT IN (SELECT MAKER FROM shop.items)",
            "ID NOT IN (SELECT ID FROM shop.items WHERE OPEN)",
            "NOT EXISTS (SELECT ID FROM shop.makers WHERE NAME LIKE 'A%')",
            "length(TAG) - length(replace(TAG, '0', '')) = 2",
            "unicode(CODE) > 69",
            "min(QTY, LO) = LO",
            "FLAGS & 4",
            "(QTY, LO) < (2, 0)",
            "ltrim(KEY, 'AB') = KEY",
            "TOTAL <= PRICE",
            "QTY >= (SELECT MAX(QTY) FROM shop.items WHERE OPEN)",
            "QTY % 2 = 0 AND (QTY + 1) % 3 = 0",
            "HI - LO < 2",
        ],
    );
}

#[test]
fn groups_and_windows() {
    let told = [
        ("<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING MIN(QTY) > MAX(QTY)>>", "MIN(QTY) > MAX(QTY)"),
        ("<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING AVG(QTY) < MIN(QTY)>>", "AVG(QTY) < MIN(QTY)"),
        (
            "<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING COUNT(DISTINCT QTY) > COUNT(*)>>",
            "COUNT(DISTINCT QTY) > COUNT(*)",
        ),
        ("<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING SUM(QTY) < MAX(QTY)>>", "SUM(QTY) < MAX(QTY)"),
        (
            "<<list: WITH s AS (SELECT ID, LAG(ID) OVER (ORDER BY ID) AS PREV FROM shop.items) SELECT ID FROM s WHERE ID < PREV>>",
            "ID < PREV",
        ),
    ];
    for (answer, wanted) in told {
        let said = said(&format!("expect reply list {answer}"));
        assert_eq!(said, [("W0401".to_owned(), wanted.to_owned())], "{answer}");
    }
    for answer in [
        "<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING MIN(QTY) = MAX(QTY)>>",
        "<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING MIN(QTY) > MAX(FLAGS)>>",
        "<<list: SELECT CITY FROM shop.items GROUP BY CITY HAVING COUNT(DISTINCT QTY) < COUNT(*)>>",
        "<<list: WITH s AS (SELECT ID, LAG(QTY) OVER (ORDER BY ID) AS PREV, QTY FROM shop.items) SELECT ID FROM s WHERE QTY < PREV>>",
    ] {
        let said = said(&format!("expect reply list {answer}"));
        assert!(said.is_empty(), "{answer}\n{said:?}");
    }
}

#[test]
fn values_of_the_task() {
    for (body, wanted) in [
        (
            "start = first(shop.items.AT)  end = last(shop.items.AT)\n  expect reply text if start > end then \"back\" else \"on\"",
            "start > end",
        ),
        ("expect reply number count(shop.makers where NAME == ghost)", "NAME == ghost"),
        ("require count(shop.items where OPEN) > count(shop.items)\n  expect reply number 1", ""),
    ] {
        let said = said(body);
        assert!(said.iter().any(|(_, words)| words == wanted || wanted.is_empty()), "{body}\n{said:?}");
    }
    let kinds = "kinds = dedupe(list(shop.items.CITY))\n  require len(kinds) <= 3\n  expect reply number len(kinds)";
    assert_eq!(said(kinds), [("W0402".to_owned(), "len(kinds) <= 3".to_owned())]);
    let fewer = "kinds = dedupe(list(shop.items.CITY))\n  require len(kinds) <= 2\n  expect reply number len(kinds)";
    assert_eq!(said(fewer), []);
}

#[test]
fn queries_that_must_stop() {
    for (answer, code) in [
        ("text coalesce(<<value: SELECT CAST(CODE AS BLOB) FROM shop.items WHERE ID = 3>>, \"\")", "E0605"),
        ("number coalesce(<<value: SELECT quantile(QTY, 95) FROM shop.items>>, 0)", "E0503"),
    ] {
        let said = said(&format!("expect reply {answer}"));
        assert_eq!(said.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), [code], "{answer}");
    }
    assert_eq!(said("expect reply number coalesce(<<value: SELECT quantile(QTY, 0.95) FROM shop.items>>, 0)"), []);
}
