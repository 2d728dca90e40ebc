//! False alarms, false rejections, and what check missed.

use testing::{create_folder, expect_success, run_picardc};

/// What `check` says of one suite, in full.
fn check(suite: &str) -> String {
    check_with(suite, &[])
}

/// The same, with files beside it.
fn check_with(suite: &str, files: &[(&str, &str)]) -> String {
    let here = create_folder(&[&[("s.pcd", suite)], files].concat());
    let said = run_picardc(here.path(), &["check", "s.pcd"]);
    said.join_output()
}

/// A suite of one task.
fn suite(task: &str) -> String {
    format!("suite s {{ title \"S\" version \"1.0.0\" samples 4 }}\ntask t {{\n{task}\n}}\n")
}

/// The suite has nothing to be said against it, and every instance is built.
fn is_good(suite: &str) {
    let said = check(suite);
    assert!(said.contains("no errors, no warnings"), "{suite}\n{said}");
    let here = create_folder(&[("s.pcd", suite)]);
    expect_success(here.path(), &["build", "s.pcd", "-o", "out"]);
}

/// The suite is refused with these words.
fn is_refused(suite: &str, code: &str, words: &[&str]) {
    let said = check(suite);
    assert!(said.contains(&format!("error[{code}]")), "{code} is not said:\n{suite}\n{said}");
    // Long messages are broken into lines.
    let said = said.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
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
        csv item at "item.csv" { rows 5  X = coalesce(top, 0) + 1 }
        prompt "What is the largest Q in <<items>>? See <<item>>. Reply with the number only."
        expect reply number coalesce(top, 0)"#,
    ));
    is_good(
        &suite(
            r#"csv items at "items.csv" { rows 10  NAME : one_of ["ab", "cd"] }
        n = <<value: SELECT COUNT(*) FROM items WHERE NAME LIKE '% ab %' -- ab
        >>
        csv ab at "ab.csv" { rows 5  X = n + 1 }
        prompt "How many rows of <<items>> have ab as a word of its own? See <<ab>>. Reply with the number only."
        expect reply number n"#,
        )
        .replace("NAME LIKE", "' ' || NAME || ' ' LIKE"),
    );
    // An alias, a column, and a table of WITH are not tables of the task.
    is_good(&suite(
        r#"csv items at "items.csv" { rows 10  ID : serial  Q : int 1..9 }
        n = <<value: WITH top AS (SELECT MAX(Q) AS low FROM items AS high) SELECT COUNT(*) FROM items, top WHERE Q = low>>
        csv top at "top.csv" { rows 2  A = n + 1 }
        csv low at "low.csv" { rows 2  A = n + 1 }
        csv high at "high.csv" { rows 2  A = n + 1 }
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
    for value in ["AVG(F)", "MAX(F) / 3", "MAX(F) * (SELECT AVG(F) FROM logs)"] {
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

/// An XML file, and an answer that is this call.
fn feed(call: &str) -> String {
    suite(&format!(
        r#"xml feed at "feed.xml" cat {{ item: [ {{ @id : serial  name : word  price : int 1..9  tags: {{ tag: [ word ; 2 ] }} }} ; 3 ] }}
        prompt "What is asked of <<feed>>? The name, number, or id."
        expect reply text <<text({call})>>"#
    ))
    .replace("<<text(", "\"<<")
    .replace(")>>", ">>\"")
}

#[test]
fn d4_check_and_build_agree_on_xpath() {
    for call in [
        "xpath_value: feed, (//name)[1]",
        "xpath_value: feed, (//item)[2]/name",
        "xpath_value: feed, (//item/name)[last()]",
        "xpath_value: feed, /cat/item[1]/name",
        "xpath_value: feed, /cat/item[position() = 2]/name",
        "xpath_value: feed, /cat/*[1]/@id",
        "xpath_value: feed, count(//name)",
        "xpath_value: feed, string(/cat/item[1]/name)",
        "xpath_value: feed, sum(//price)",
        "xpath_attr: feed, (//@id)[1]",
        "xpath_count: feed, (//item)[position() < 3]",
        "xpath_count: feed, //name[1]",
    ] {
        is_good(&feed(call));
    }
    for (call, words) in [
        ("xpath_value: feed, //name[1]", "can match several values"),
        ("xpath_value: feed, //tag[2]", "can match several values"),
        ("xpath_value: feed, /cat/item/tags/tag[1]", "can match several values"),
        ("xpath_attr: feed, /cat/item[1]/name", "leads to an element"),
        ("xpath_count: feed, count(//name)", "computes an int, but `xpath_count` needs a path"),
        ("xpath_value: feed, (/cat/item[2]/name)[2]", "element 2 does not exist"),
        ("xpath_value: feed, /cat/item[4]/name", "element 4 does not exist"),
        ("xpath_value: feed, count(//nome)", "`nome`"),
    ] {
        let said = check(&feed(call));
        assert!(said.contains("error[") && said.contains(words), "{call}\n{said}");
    }
}

#[test]
fn d6_a_require_that_no_draw_can_change_stops_at_once() {
    let suite = suite(
        r#"csv c at "c.csv" from "c.csv"
        n : int 1..9
        allow impossible_predicate "on purpose"
        require sum(c.N) > 100
        prompt "How many rows has <<c>>, and <<n>> more? Reply with the number only."
        expect reply number count(c) + n"#,
    );
    let here = create_folder(&[("s.pcd", suite.as_str()), ("c.csv", "N\n1\n2\n")]);
    let before = std::time::Instant::now();
    let said = run_picardc(here.path(), &["build", "s.pcd", "-o", "out"]).err;
    assert!(said.contains("E0902") && said.contains("depends on nothing that is drawn"), "{said}");
    assert!(before.elapsed().as_secs() < 20, "not at once");
}

#[test]
fn d7_numbers_may_have_an_exponent() {
    let with = |value: &str, within: &str| {
        suite(&format!(
            r#"n : int 1..9
            prompt "What is <<n>> times {value}? Reply with the number only."
            expect reply number n * {value} within {within}"#
        ))
    };
    for value in ["1.5e3", "1e-6", "2E+2", "1_0.5e1"] {
        is_good(&with(value, "1e-9"));
    }
    is_refused(&with("1e999", "1"), "E0107", &["too large"]);
    let here = create_folder(&[("s.pcd", &with("1e-6", "1.5e-3"))]);
    expect_success(here.path(), &["fmt", "s.pcd"]);
    let formatted = std::fs::read_to_string(here.path().join("s.pcd")).expect("a file");
    assert!(formatted.contains("n * 1e-6 within 1.5e-3"), "{formatted}");
    expect_success(here.path(), &["build", "s.pcd", "-o", "out"]);
}

#[test]
fn d7_one_of_takes_a_constant() {
    is_good(&format!(
        "CITIES = [\"Kiel\", \"Bonn\", \"Ulm\"]\n{}",
        suite(
            r#"city : one_of CITIES
            csv c at "c.csv" { rows 20  CITY : one_of CITIES except city }
            prompt "Which city comes first in <<c>>, other than <<city>>? Reply with its name only."
            expect reply text first(c.CITY)"#
        )
    ));
    is_refused(&suite("city : one_of CITIES\nprompt \"x <<city>>\"\nexpect reply text city"), "E0201", &["CITIES"]);
    let scalar = format!("N = 3\n{}", suite("n : one_of N\nprompt \"x <<n>>\"\nexpect reply number n"));
    is_refused(&scalar, "E0301", &["`one_of` needs a list, but `N` is an int"]);
}

#[test]
fn d7_an_axis_takes_the_column_of_a_fixture() {
    let suite = suite(
        r#"csv c at "c.csv" from "c.csv"
        axis name = list(c.NAME)
        prompt "What is N of <<name>> in <<c>>? Reply with the number only."
        expect reply number coalesce(first(c.N where NAME == name), 0)"#,
    );
    let here = create_folder(&[("s.pcd", suite.as_str()), ("c.csv", "NAME,N\nann,11\nbob,22\n")]);
    expect_success(here.path(), &["build", "s.pcd", "-o", "out"]);
    let built = std::fs::read_to_string(here.path().join("out/instances.jsonl")).expect("instances");
    // Nothing is drawn: once for each cell.
    assert_eq!(built.lines().count(), 2, "{built}");
    assert!(built.contains("ann") && built.contains("bob"), "{built}");
    let drawn = suite.replace("from \"c.csv\"", "{ rows 3  NAME : word  N : int 1..9 }");
    is_refused(&drawn, "E0305", &["the values of the axis depend on drawn data"]);
}

#[test]
fn d7_a_condition_on_a_call_holds_for_the_same_call() {
    let with = |value: &str| {
        suite(&format!(
            r#"csv c at "c.csv" {{ rows 9  N : int 1..9  W : word }}
            prompt "What is the largest N above 7 in <<c>>? If there is none, reply with 0. Reply with the number only."
            expect reply number {value}"#
        ))
    };
    is_good(&with("if max(c.N where N > 7) == null then 0 else max(c.N where N > 7)"));
    is_good(&with("if max(c.N where N > 7) != null then max(c.N where N > 7) else 0"));
    is_good(&with(
        "if <<value: SELECT MAX(N) FROM c WHERE N > 7>> != null then <<value: SELECT MAX(N) FROM c WHERE N > 7>> else 0",
    ));
    is_refused(&with("if max(c.N where N > 7) == null then 0 else max(c.N where N > 8)"), "E0303", &[]);
    is_refused(&with("if max(c.N where N > 7) == null then max(c.N where N > 7) else 0"), "E0303", &[]);
}

#[test]
fn d7_aggregates_take_a_value_for_each_row() {
    let with = |value: &str| {
        suite(&format!(
            r#"csv a at "a.csv" {{ rows 30  Q : int 1..9  P : decimal 1.00..99.99  F : bool 50%  X : int 1..9 blank 30%  N : word }}
            csv b at "b.csv" {{ rows 30  R : int 1..9 }}
            rate : int 2..9
            prompt "What is asked of <<a>>, <<b>>, and <<rate>>? Reply with 2 decimals."
            expect reply number coalesce({value}, 0) within 0.01"#
        ))
    };
    for value in [
        "sum(a.Q * a.P)",
        "sum(a.Q * rate where F)",
        "avg(a.X * a.Q)",
        "count(a.X + 1)",
        "max(if a.F then a.Q else 0)",
        "sum(a.Q - min(a.Q))",
        "distinct_count(upper(a.N))",
        "csv_sum(a.Q * 2)",
        "sum(a.P - avg(a.P) where Q > 3)",
    ] {
        let said = check(&with(value));
        assert!(!said.contains("error["), "{value}\n{said}");
        let here = create_folder(&[("s.pcd", &with(value))]);
        expect_success(here.path(), &["build", "s.pcd", "-o", "out"]);
    }
    is_refused(&with("sum(a.Q * b.R)"), "E0302", &["this value mixes rows of `a` and `b`", "join them in SQL"]);
    is_refused(&with("count(a.Q > 3)"), "E0302", &["count(a where a.Q > 3)"]);
    is_refused(&with("sum(upper(a.N))"), "E0302", &["text in each row"]);
}

#[test]
fn d7_a_value_for_each_row_gives_what_sql_gives() {
    let twins = [
        ("coalesce(sum(a.Q * a.P), 0)", "SELECT SUM(CAST(Q * ROUND(P * 100) AS INTEGER)) / 100.0 FROM a"),
        ("coalesce(sum(a.Q * a.X where Q > 3), 0)", "SELECT COALESCE(SUM(Q * X), 0) FROM a WHERE Q > 3"),
        ("count(a.X + 1)", "SELECT COUNT(X + 1) FROM a"),
        ("coalesce(max(a.Q - min(a.Q)), 0)", "SELECT MAX(Q) - MIN(Q) FROM a"),
        ("distinct_count(a.Q + a.R)", "SELECT COUNT(DISTINCT Q + R) FROM a"),
        ("coalesce(avg(if a.F then a.Q else 0), 0)", "SELECT AVG(IIF(F, Q, 0)) FROM a"),
    ];
    let keys: Vec<String> = twins
        .iter()
        .enumerate()
        .map(|(at, (ours, sql))| format!("a{at}: {ours}, b{at}: coalesce(<<value: {sql}>>, 0)"))
        .collect();
    let suite = suite(&format!(
        r#"csv a at "a.csv" {{ rows 40  Q : int 1..9  P : decimal 1.00..99.99  F : bool 50%  X : int 1..9 blank 30%  R : int 1..5 }}
        prompt "What is asked of <<a>>?"
        expect reply json {{ {} }} within 0.01"#,
        keys.join(", ")
    ));
    let here = create_folder(&[("s.pcd", suite.as_str())]);
    expect_success(here.path(), &["build", "s.pcd", "-o", "out", "--samples", "25"]);
    let built = std::fs::read_to_string(here.path().join("out/instances.jsonl")).expect("instances");
    assert_eq!(built.lines().count(), 25);
    for line in built.lines() {
        let instance: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let target = instance["target"].as_str().unwrap_or_else(|| panic!("no target: {line}"));
        let value: serde_json::Value = serde_json::from_str(target).expect("JSON");
        for (at, (written, _)) in twins.iter().enumerate() {
            let number = |key: String| value[&key].as_f64().unwrap_or_else(|| panic!("{key}: {value}"));
            let (ours, sql) = (number(format!("a{at}")), number(format!("b{at}")));
            assert!((ours - sql).abs() < 1e-6, "{written}: {ours}, but SQL says {sql}");
        }
    }
}

/// Names that are each computed from the one before.
fn chain(count: usize, line: impl Fn(usize) -> String) -> String {
    (1..count).map(line).collect()
}

#[test]
fn s3_long_chains_end_in_a_message() {
    let names = suite(&format!(
        "n0 : int 1..9\n{}prompt \"Reply with <<n0>>.\"\nexpect reply number n19999",
        chain(20_000, |at| format!("n{at} = n{} + 1\n", at - 1))
    ));
    is_refused(&names, "E0106", &["more than 2,000 values are computed from each other in a row"]);
    let task = suite("n : int 1..9\nprompt \"Reply with <<n>>.\"\nexpect reply number n");
    let constants = format!("N0 = 1\n{}{task}", chain(20_000, |at| format!("N{at} = N{} + 1\n", at - 1)));
    is_refused(&constants, "E0106", &[]);
    let backwards =
        format!("{}N0 = 1\n{task}", chain(20_000, |at| format!("N{} = N{} + 1\n", 20_000 - at, 19_999 - at)));
    is_refused(&backwards, "E0106", &[]);
    let domains =
        format!("domain d0 = int 1..9\n{}{task}", chain(20_000, |at| format!("domain d{at} = d{}\n", at - 1)));
    is_refused(&domains, "E0106", &[]);
    // Each twice: not 2 to the power of 900 looks.
    let doubled = suite(&format!(
        "n0 : int 1..2\n{}prompt \"Reply with <<n0>>.\"\nexpect reply number n0",
        chain(900, |at| format!("n{at} = n{} - n{} + 1\n", at - 1, at - 1))
    ));
    let said = check(&doubled);
    assert!(!said.contains("error["), "{said}");
}

/// Each text has the one before it twice: nothing may hold 2 to the power of 40 characters.
#[test]
fn growing_texts_end_in_a_message() {
    let twice = |name: &str| chain(41, |at| format!("{name}{at} = \"<<{name}{}>><<{name}{}>>\"\n", at - 1, at - 1));
    let task = "prompt \"Reply with <<a40>>.\"\nexpect reply number 3";
    let constants = format!("a0 = \"0123456789abcdef\"\n{}{}", twice("a"), suite(task));
    is_refused(&constants, "E0106", &["more than 100,000 characters or items"]);
    is_refused(&suite(&format!("a0 = \"0123456789abcdef\"\n{}{task}", twice("a"))), "E0903", &["more than 64 MB"]);
    // Of what is drawn, the facts are vague, and a sample shows it.
    let drawn = suite(&format!("a0 : one_of [\"no\", \"yes\"]\n{}{task}", twice("a")));
    is_refused(&drawn, "E0903", &["more than 64 MB", "seen in"]);
}

#[test]
fn s4_filters_inside_of_filters_are_few() {
    let with = |depth: usize| {
        let path = format!("$.a{}@.a{}", "[?@.a".repeat(depth - 1) + "[?", "]".repeat(depth));
        suite(&format!(
            r#"json c at "c.json" = {{ a: [1, 2] }}
            prompt "How many are in <<c>>? Reply with the number only."
            expect reply number <<json_count: c, {path}>>"#
        ))
    };
    let before = std::time::Instant::now();
    is_refused(&with(60), "E0609", &["filters are nested more than 16 deep"]);
    check(&with(12));
    assert!(before.elapsed().as_secs() < 30, "{:?}", before.elapsed());
}

#[test]
fn s15_what_the_build_refuses_check_refuses() {
    let at = |path: &str| {
        suite(&format!(
            "csv c at \"{path}\" {{ rows 3  N : int 1..9 }}\nprompt \"How many rows has <<c>>?\"\nexpect reply number count(c)"
        ))
    };
    for path in [
        "COM¹",
        "conin$.txt",
        "x\u{202e}y.csv",
        "x\u{200b}.csv",
        ".picardc-sandbox",
        ".PICARDC-sandbox/a.csv",
        " a.csv",
    ] {
        is_refused(&at(path), "E0501", &["the path has the "]);
    }
    is_refused(&at(&format!("{}.csv", "x".repeat(252))), "E0501", &["255 bytes"]);
    is_refused(&at(&"x/".repeat(3000)), "E0501", &["800 bytes"]);
    is_refused(
        &at("<<d>>.csv").replace("csv c", "d : one_of [\"com1\", \"a\"]\ncsv c"),
        "E0501",
        &["device on Windows"],
    );
    let said = check(&at("ä b/c.csv"));
    assert!(!said.contains("error["), "{said}");
    for (a, b) in [("\u{e9}.csv", "e\u{301}.csv"), ("straße.csv", "STRASSE.csv"), ("ſ.csv", "s.csv")] {
        let two = at(a).replace("prompt", &format!("csv b at \"{b}\" {{ rows 3  N : int 1..9 }}\nprompt \"<<b>>\"\n#"));
        let said = check(&two);
        assert!(said.contains("have the same path"), "{said}");
    }
}

#[test]
fn an_exponent_without_digits_is_named() {
    for (literal, written) in [("1e", "1e"), ("2.5E", "2.5E"), ("1_000e", "1_000e"), ("1e+", "1e+"), ("7e-", "7e-")] {
        let task = format!("n : int 1..9\n  y = n * ({literal})\n  prompt \"<<n>>\"\n  expect reply number y");
        let help = format!("write {written}3 for a power of ten");
        is_refused(&suite(&task), "E0107", &[&format!("the exponent of `{written}` has no digits"), &help]);
    }
    // A word that runs on is what it was.
    let task = "n : int 1..9\n  y = n * 9x\n  prompt \"<<n>>\"\n  expect reply number y";
    is_refused(&suite(task), "E0107", &["`9x` is not a number", "letters or digits follow it"]);
}

#[test]
fn an_xpath_that_does_not_begin_with_its_path_is_told_so() {
    let xml = "xml feed at \"feed.xml\" list { items { rows 3  PRICE : int 1..9 } }";
    for path in ["2 * count(//items)", "concat('a', //items)", "1 + //items/PRICE"] {
        for (what, used) in [("y", format!("y = <<xpath_value: feed, {path}>>")), ("prompt", String::new())] {
            let said = if what == "y" { "<<y>>".to_owned() } else { format!("<<xpath_value: feed, {path}>>") };
            let task = format!("{xml}\n  {used}\n  prompt \"<<feed>> {said}\"\n  expect reply text \"a\"");
            let words = ["the XPath does not begin with its path", "2 * xpath_value(feed, count(//x))"];
            is_refused(&suite(&task), "E0101", &words);
        }
    }
    // A sign that is doubled is no path.
    let task = "n : int 1..9\n  y = n / / 2\n  prompt \"<<n>>\"\n  expect reply number y";
    assert!(!check(&suite(task)).contains("XPath"));
}

#[test]
fn a_misspelled_title_is_told_once_on_one_line_and_on_several() {
    for suite in [
        "suite s { ttitle \"S\" version \"1.0.0\" }\ntask t { a : word prompt \"Say <<a>>.\" expect reply text a }\n",
        "suite s {\n  ttitle \"S\"\n  version \"1.0.0\"\n}\ntask t { a : word prompt \"Say <<a>>.\" expect reply text a }\n",
    ] {
        let said = check(suite);
        assert!(said.contains("error[E0209]") && !said.contains("E0701"), "{said}");
    }
}
