//! Comparisons of queries that do not fit how values stand in the database: `LIKE` without a wildcard, digits in the order of texts, dates in another form, and
//! moments that are subtracted the wrong way round.

/// Tables for every row.
const DATA: &str = r#"
  sqlite shop at "shop.db" {
    table parcels {
      rows 40
      ID    : serial
      TITLE : one_of ["Call Smith", "Call Jones", "Call", "Visit"]
      OWNER : person_name
      CODE  : pattern "[1-9][0-9]{0,3}"
      LOT   : pattern "[0-9]{4}"
      REF   : pattern "[A-Z][0-9]{1,3}"
      GRADE : one_of ["1", "2", "3"]
      SIZE  : one_of ["8", "9", "10", "11"]
      DAY   : date 2020-01-01..2024-12-31
      SENT  : date 2024-01-01..2024-01-31
      CAME  : date 2024-02-01..2024-02-29
      AT    : datetime 2024-01-01T00:00..2024-03-31T23:59
    }
  }
"#;

/// The codes of the warnings of this family, with where each begins, and all errors.
fn said(sql: &str) -> Vec<(String, String)> {
    let settings = "allow unused_name \"a test\" allow unused_allow \"a test\" allow unmentioned_file \"a test\"";
    let body = format!("{DATA}\n  expect reply json <<list: {sql}>>\n  prompt \"?\"");
    let compiled = testing::compile_text(&testing::build_suite_source(settings, &body));
    let own = |id: &str| id.starts_with('E') || id.starts_with("W053") || ["W0401", "W0402"].contains(&id);
    let found = compiled.diagnostics.iter().filter(|said| own(said.code.id));
    found.map(|said| (said.code.id.to_owned(), compiled.sources.text(said.primary.span).to_owned())).collect()
}

fn hold(code: &str, caught: &[(&str, &str)], right: &[&str]) {
    assert!(caught.len() >= 6 && right.len() >= 6, "{code}: too few examples");
    let query = |sql: &str| match sql.starts_with("SELECT") {
        true => sql.to_owned(),
        false => format!("SELECT ID FROM shop.parcels WHERE {sql}"),
    };
    let mut wrong = Vec::new();
    for (at, sql) in caught {
        let found = said(&query(sql));
        if found != [(code.to_owned(), (*at).to_owned())] {
            wrong.push(format!("{sql}\n  said   {found:?}\n  wanted {at}"));
        }
    }
    for sql in right {
        let found = said(&query(sql));
        if !found.is_empty() {
            wrong.push(format!("{sql}\n  said   {found:?}\n  wanted nothing"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn like_without_wildcard() {
    hold(
        "W0530",
        &[
            ("'Call'", "TITLE LIKE 'Call'"),
            ("'call'", "TITLE LIKE 'call'"),
            ("'Call'", "TITLE NOT LIKE 'Call'"),
            ("'Call'", "ID > 3 AND TITLE LIKE 'Call'"),
            ("'Call'", "SELECT SUM(TITLE LIKE 'Call') FROM shop.parcels"),
            ("'1'", "CODE LIKE '1'"),
        ],
        &[
            "TITLE LIKE 'Call%' AND TITLE LIKE '% %'",
            "TITLE LIKE '%smith'",
            "TITLE LIKE 'Visit'",
            "TITLE LIKE 'call smith'",
            "GRADE LIKE '1'",
            "TITLE = 'Call'",
            "REF LIKE 'A_'",
        ],
    );
}

#[test]
fn digits_as_text() {
    hold(
        "W0531",
        &[
            ("CODE", "SELECT CODE FROM shop.parcels ORDER BY CODE, ID LIMIT 3"),
            ("MAX", "SELECT MAX(CODE) FROM shop.parcels"),
            ("MIN", "SELECT MIN(SIZE) FROM shop.parcels"),
            ("CODE > '500'", "CODE > '500'"),
            ("SIZE > '10'", "SIZE > '10' OR ID = 1"),
            ("CODE BETWEEN '10' AND '20'", "CODE BETWEEN '10' AND '20'"),
        ],
        &[
            "SELECT MAX(CAST(CODE AS INTEGER)) FROM shop.parcels",
            "SELECT MAX(LOT) FROM shop.parcels",
            "SELECT MIN(GRADE) FROM shop.parcels",
            "SELECT MAX(REF) FROM shop.parcels",
            "LOT > '0500'",
            "CODE = '500'",
            "CAST(CODE AS INTEGER) > 500",
        ],
    );
}

#[test]
fn date_form() {
    hold(
        "W0532",
        &[
            ("'2022-3-1'", "DAY >= '2022-3-1'"),
            ("'2022/03/01'", "DAY < '2022/03/01' OR ID = 2"),
            ("AT <= '2024-02-29'", "AT <= '2024-02-29'"),
            ("AT > '2024-02-29'", "AT > '2024-02-29'"),
            ("AT BETWEEN '2024-01-15' AND '2024-02-15'", "AT BETWEEN '2024-01-15' AND '2024-02-15'"),
            ("'2024-02-01 10:00:00'", "AT >= '2024-02-01 10:00:00'"),
        ],
        &[
            "DAY >= '2022-03-01'",
            "DAY >= '2022-03'",
            "DAY >= '2022'",
            "AT >= '2024-02-01' AND AT < '2024-03-01'",
            "date(AT) <= '2024-02-29'",
            "AT >= '2024-02-01T10:00:00'",
            "date(AT) BETWEEN '2024-01-15' AND '2024-02-15'",
        ],
    );
    let never = said("SELECT ID FROM shop.parcels WHERE AT = '2024-02-29'");
    assert_eq!(never, [("W0401".to_owned(), "AT = '2024-02-29'".to_owned())]);
}

#[test]
fn negative_time() {
    hold(
        "W0533",
        &[
            ("julianday(SENT) - julianday(CAME)", "SELECT julianday(SENT) - julianday(CAME) FROM shop.parcels"),
            ("julianday(SENT) - julianday(CAME)", "SELECT AVG(julianday(SENT) - julianday(CAME)) FROM shop.parcels"),
            (
                "julianday(SENT) - julianday(CAME)",
                "SELECT MAX(julianday(SENT) - julianday(CAME)) + 0 FROM shop.parcels",
            ),
            (
                "unixepoch(SENT) - unixepoch(CAME)",
                "SELECT (unixepoch(SENT) - unixepoch(CAME)) / 3600.0 FROM shop.parcels",
            ),
            ("julianday(SENT) - julianday(CAME)", "SELECT ROUND(julianday(SENT) - julianday(CAME)) FROM shop.parcels"),
            (
                "julianday(SENT) - julianday('2024-12-31')",
                "SELECT julianday(SENT) - julianday('2024-12-31') FROM shop.parcels",
            ),
        ],
        &[
            "SELECT julianday(CAME) - julianday(SENT) FROM shop.parcels",
            "SELECT ABS(julianday(SENT) - julianday(CAME)) FROM shop.parcels",
            "SELECT -(julianday(SENT) - julianday(CAME)) FROM shop.parcels",
            "SELECT julianday(AT) - julianday(SENT) FROM shop.parcels",
            "SELECT julianday(DAY) - julianday(SENT) FROM shop.parcels",
            "julianday(CAME) - julianday(SENT) > 20",
        ],
    );
}

#[test]
fn one_text_for_two() {
    let body = format!(
        "{DATA}\n  expect reply json <<list: SELECT ID FROM shop.parcels WHERE TITLE IN ('Call, Visit')>>\n  prompt \"?\""
    );
    let compiled = testing::compile_text(&testing::build_suite_source("", &body));
    let said = compiled.diagnostics.iter().find(|said| said.code.id == "W0401").expect("it is told");
    assert_eq!(said.help.as_deref(), Some("this is one text: write `IN ('Call', 'Visit')`"));
}
