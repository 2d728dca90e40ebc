//! False alarms, false rejections, and what check missed.

use crate::support::{folder, picardc, stderr, stdout, succeeds};

/// What `check` says of one suite, in full.
fn check(suite: &str) -> String {
    check_with(suite, &[])
}

/// The same, with files beside it.
fn check_with(suite: &str, files: &[(&str, &str)]) -> String {
    let here = folder(&[&[("s.pcd", suite)], files].concat());
    let said = picardc(here.path(), &["check", "s.pcd"]);
    format!("{}{}", stdout(&said), stderr(&said))
}

/// A suite of one task.
fn suite(task: &str) -> String {
    format!("suite s {{ title \"S\" version \"1.0.0\" samples 4 }}\ntask t {{\n{task}\n}}\n")
}

/// The suite has nothing to be said against it, and every instance is built.
fn is_good(suite: &str) {
    let said = check(suite);
    assert!(said.contains("no errors, no warnings"), "{suite}\n{said}");
    let here = folder(&[("s.pcd", suite)]);
    succeeds(here.path(), &["build", "s.pcd", "-o", "out"]);
}

/// The suite is refused with these words.
fn is_refused(suite: &str, code: &str, words: &[&str]) {
    let said = check(suite);
    assert!(said.contains(&format!("error[{code}]")), "{code} is not said:\n{suite}\n{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not said:\n{said}");
    }
}

#[test]
fn d1_a_query_needs_what_it_reads_not_what_it_says() {
    // `items` holds `item`, and `' ab '` holds `ab`.
    is_good(&suite(
        r#"csv items at "items.csv" { rows 10  ID : serial  Q : int 1..9 }
        top = <<value: SELECT MAX(Q) FROM items>>
        csv item at "item.csv" { rows 5  X = coalesce(top, 0) }
        prompt "What is the largest Q in <<items>>? See <<item>>. Reply with the number only."
        expect reply number coalesce(top, 0)"#,
    ));
    is_good(
        &suite(
            r#"csv items at "items.csv" { rows 10  NAME : one_of ["ab", "cd"] }
        n = <<value: SELECT COUNT(*) FROM items WHERE NAME LIKE '% ab %' -- ab
        >>
        csv ab at "ab.csv" { rows 5  X = n }
        prompt "How many rows of <<items>> have ab as a word of its own? See <<ab>>. Reply with the number only."
        expect reply number n"#,
        )
        .replace("NAME LIKE", "' ' || NAME || ' ' LIKE"),
    );
    // An alias, a column, and a table of WITH are not tables of the task.
    is_good(&suite(
        r#"csv items at "items.csv" { rows 10  ID : serial  Q : int 1..9 }
        n = <<value: WITH top AS (SELECT MAX(Q) AS low FROM items AS high) SELECT COUNT(*) FROM items, top WHERE Q = low>>
        csv top at "top.csv" { rows 2  A = n }
        csv low at "low.csv" { rows 2  A = n }
        csv high at "high.csv" { rows 2  A = n }
        prompt "How many rows of <<items>> have the largest Q? See <<top>>, <<low>>, and <<high>>. Reply with the number only."
        expect reply number n"#,
    ));
}

#[test]
fn d1_a_circle_through_a_query_names_the_query_and_the_path() {
    is_refused(
        &suite(
            r#"n = <<value: SELECT COUNT(*) FROM ledger>>
            csv ledger at "ledger.csv" { rows 5..20  N : int 1..9  TOTAL = N + n }
            prompt "How many rows has <<ledger>>? Reply with the number only."
            expect reply number n"#,
        ),
        "E0208",
        &["`n` depends on itself through a query: `n` → `ledger` → `ledger.TOTAL` → `n`", "this query reads `ledger`"],
    );
    // A result set that reads itself.
    is_refused(
        &suite(
            r#"csv a at "a.csv" { rows 5  N : int 1..9 }
            r = <<rows: SELECT N FROM r>>
            prompt "How many rows has <<a>>? Reply with the number only."
            expect reply number count(r)"#,
        ),
        "E0208",
        &["`r` depends on itself through a query", "this query reads `r`"],
    );
}

#[test]
fn d2_a_slash_in_a_text_is_not_a_division() {
    let with = |condition: &str, value: &str| {
        suite(&format!(
            r#"csv logs at "logs.csv" {{ rows 40  PATH : one_of ["a/b", "c/d"]  F : normal mean 10 sd 2 0..20 step 0.1 }}
            prompt "What is the value asked for in <<logs>> where PATH is a/b? If there is none, the answer is 0. Reply with it only."
            expect reply number coalesce(<<value: SELECT {value} FROM logs WHERE {condition}>>, 0)"#
        ))
    };
    let said = check(&with("PATH = 'a/b'", "MAX(F)"));
    assert!(!said.contains("W0302"), "{said}");
    let said = check(&with("PATH = 'avg(a' OR PATH = 'a/b' /* avg(x) / 2 */", "MAX(F)"));
    assert!(!said.contains("W0302"), "{said}");
    // A quotient and a mean are, also where the text holds `round(`.
    for value in ["AVG(F)", "MAX(F) / 3", "(SELECT AVG(F) FROM logs)"] {
        let said = check(&with("PATH <> 'round(x)'", value));
        assert!(said.contains("W0302"), "{value}: {said}");
    }
    for value in ["ROUND(AVG(F), 2)", "MAX(F) / 4"] {
        let said = check(&with("PATH = 'a/b'", value));
        assert!(!said.contains("W0302"), "{value}: {said}");
    }
}

/// A table of moments, and an answer that is a list of this query.
fn dates(query: &str) -> String {
    suite(&format!(
        r#"csv logs at "logs.csv" {{ rows 10  AT : datetime 2024-01-01T00:00..2024-12-31T00:00  N : int 1..9  M : int 0..9  W : word }}
        prompt "List what is asked of <<logs>>, with 2 decimals where there are fractions."
        expect reply list <<list: {query}>> ignore order"#
    ))
    .replace("ignore order", "unordered")
}

#[test]
fn d3_days_and_quotients_of_what_is_never_null_are_never_null() {
    for query in [
        "SELECT DISTINCT date(AT) FROM logs",
        "SELECT DISTINCT strftime('%Y-%m', AT) FROM logs",
        "SELECT time(AT, 'start of day') FROM logs",
        "SELECT N / 4.0 FROM logs",
        "SELECT N % 3 FROM logs",
    ] {
        is_good(&dates(query));
    }
}

#[test]
fn d3_the_help_for_nulls_silences_what_it_is_said_of() {
    for (query, guard) in [
        ("SELECT DISTINCT date(AT, '+7 days') FROM logs", "WHERE date(AT, '+7 days') IS NOT NULL"),
        ("SELECT N / M FROM logs", "WHERE N / M IS NOT NULL"),
        ("SELECT MAX(N / M) FROM logs GROUP BY W", "HAVING MAX(N / M) IS NOT NULL"),
    ] {
        let said = check(&dates(query));
        assert!(said.contains("error[E0303]") && said.contains(guard), "{said}");
        let guarded = check(&dates(&format!("{query} {guard}")));
        assert!(!guarded.contains("E0303") && !guarded.contains("W0402"), "{guarded}");
    }
}
