//! Lints on expectations that a fixed reply meets, that exclude each other, or that ask for no change.

use super::hold;

#[test]
fn a_tolerance_or_a_form_that_accepts_everything() {
    hold(
        "vacuous_expectation",
        &[
            // A proof: one number is within the tolerance of every answer.
            r#"csv t at "t.csv" { rows 40  A : int 1..9 } prompt "The mean of A in <<t>>? Number only." expect reply number avg(t.A) within 5"#,
            r#"n : int 10..30 prompt "Double <<n>>. Number only." expect reply number n * 2 within 20"#,
            r#"n : int 100..250 prompt "Double <<n>>. Number only." expect reply number n * 2 within 50%"#,
            r#"n : int 1..9 prompt "What is <<n>> + 1? Number only." expect reply number n + 1 within 100%"#,
            r#"n : int 1..5 m : int 1..5 prompt "Write the sum of <<n>> and <<m>> to `out.json` as `sum`." expect file "out.json" json { sum: n + m within 4 }"#,
            r#"x : decimal 0.10..0.45 prompt "What is <<x>> to the nearest whole number? Number only." expect reply number x rounded 0"#,
            // A heuristic: nearly all sums are close to their mean.
            r#"csv t at "t.csv" { rows 40  A : int 100..900 } prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 50%"#,
            r#"csv t at "t.csv" { rows 30..40  A : int 100..900 } prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 4_000"#,
            r#"csv t at "t.csv" { rows 60  A : int 1..9 } prompt "The mean of A in <<t>>, to the nearest whole number? Number only." expect reply number avg(t.A) rounded 0"#,
            r#"csv t at "t.csv" { rows 100  A : int 1..9 } prompt "How many A in <<t>> are above 3? Number only." expect reply number count(t where A > 3) within 10"#,
            r#"sqlite d at "d.db" { table t { rows 50  A : int 1..9 } } prompt "The mean of A in <<d>>? Number only, to within 1." expect reply number <<value: SELECT AVG(A) FROM d.t>> within 1"#,
            // Each item of a list, and each cell of a column.
            r#"csv t at "t.csv" { rows 40  A : int 1..9  B : int 1..99 } prompt "List the A of all rows of <<t>> with B above 50." expect reply list list(t.A where B > 50) within 4"#,
            r#"csv t at "t.csv" { rows 40  A : int 1..9  B : word } prompt "List B and A of <<t>> as CSV." expect reply rows <<rows: SELECT B, A FROM t>> within 50"#,
            // Patterns.
            r#"n : int 1..9 prompt "Describe <<n>>." expect reply matches "(.|\\n)*""#,
            r#"n : int 1..9 prompt "Describe <<n>> in a line." expect reply matches ".+""#,
            r#"n : int 1..9 prompt "What is <<n>> + 1? Number only." expect reply matches "[0-9]+""#,
            r#"n : int 1..9 prompt "Is <<n>> odd? Reply with yes or no." expect reply matches "(?i)yes|no""#,
            r#"n : int 1..9 prompt "Which day is <<n>> days after 2024-01-01?" expect reply matches "\\d{4}-\\d{2}-\\d{2}""#,
            r#"n : int 1..9 prompt "What is <<n>> + 1?" expect reply matches "(<<n>>)?(.|\\n)*""#,
            // One character.
            r#"n : int 1..9 prompt "What is <<n>>?" expect reply contains n"#,
            r#"c : pattern "[A-C]" prompt "Which letter is <<c>>?" expect reply contains c"#,
            // Lists of accepted answers.
            r#"n : int 1..9 prompt "Is <<n>> odd? Reply with yes or no." expect reply text any_of ["yes", "no"]"#,
            r#"c : one_of ["red", "blue"] csv t at "t.csv" { rows 5  A = c } prompt "Which color is in <<t>>?" expect reply text any_of ["red", "blue", "green"]"#,
            r#"csv t at "t.csv" { rows 5  A : unique word  N : unique int 1..99 } prompt "Which A in <<t>> has the largest N?" expect reply text any_of list(t.A)"#,
            // Objects.
            r#"n : int 1..9 prompt "Write <<n>> to `out.json`." expect file "out.json" json {} open"#,
        ],
        &[
            r#"csv t at "t.csv" { rows 40  A : int 1..9 } prompt "The mean of A in <<t>>? Number only." expect reply number avg(t.A) within 0.01"#,
            r#"n : int 10..300 prompt "Double <<n>>. Number only." expect reply number n * 2 within 5"#,
            r#"csv t at "t.csv" { rows 40  A : int 100..900 } prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 1%"#,
            r#"csv t at "t.csv" { rows 20..80  A : int 100..900 } prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 10%"#,
            r#"csv t at "t.csv" { rows 60  A : int 1..9 } prompt "The mean of A in <<t>>? Two decimals." expect reply number avg(t.A) rounded 2"#,
            r#"csv t at "t.csv" { rows 40  A : int 1..900  B : int 1..99 } prompt "List the A of all rows of <<t>> with B above 50." expect reply list list(t.A where B > 50) within 4"#,
            // A `require` changes what is drawn.
            r#"csv t at "t.csv" { rows 40  A : int 100..900 } require sum(t.A) > 30_000 prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 50%"#,
            r#"n : int 1..9 prompt "What is <<n>> + 1? Reply with `sum: ` and the number." expect reply matches "sum: <<n + 1>>""#,
            r#"n : int 1..9 prompt "What is <<n>> + 1? Number only." expect reply matches "[0-9]+" expect reply number n + 1"#,
            r#"prompt "Say that you are ready." expect reply matches "(?i)(.|\\n)*ready(.|\\n)*""#,
            r#"n : int 10..99 prompt "What is <<n>>?" expect reply contains n"#,
            r#"n : int 1..9 b = if n > 4 then ["yes", "y"] else ["no", "n"] prompt "Is <<n>> above 4? Reply with yes or no." expect reply text any_of b"#,
            r#"csv t at "t.csv" { rows 5  A : unique word  N : int 1..99 } prompt "Name any A in <<t>>." expect reply text any_of list(t.A)"#,
            r#"csv t at "t.csv" { rows 50  A : unique word  N : int 1..9 } prompt "Which A in <<t>> has N 3?" expect reply text any_of list(t.A where N == 3)"#,
            r#"n : int 1..9 prompt "Write <<n>> to `out.json` as `n`." expect file "out.json" json { n: n } open"#,
            r#"n : int 1..9 prompt "Write an empty object to `out.json`, <<n>> times." expect file "out.json" json {}"#,
        ],
    );
}

#[test]
fn an_answer_that_is_nearly_always_the_same() {
    hold(
        "likely_answer",
        &[
            r#"csv t at "t.csv" { rows 500  A : int 1..5 } prompt "The largest A in <<t>>? Number only." expect reply number max(t.A)"#,
            r#"csv t at "t.csv" { rows 200  A : int 1..5 } prompt "How many different A are in <<t>>? Number only." expect reply number distinct_count(t.A)"#,
            r#"b : bool 97% json j at "j.json" { ok = b } prompt "Is `ok` true in <<j>>? Reply with true or false." expect reply text b"#,
            r#"csv t at "t.csv" { rows 100  A : bool 10% } prompt "Is any A true in <<t>>? Reply with yes or no." expect reply text if count(t where A) > 0 then "yes" else "no""#,
            r#"now : weighted ["open": 96, "paid": 4] json j at "j.json" { state = now } prompt "What is `state` in <<j>>?" expect reply text now"#,
            r#"n : int 1..100 csv t at "t.csv" { rows 3  A = n } prompt "Is the A of <<t>> above 4? Reply with yes or no." expect reply text if n > 4 then "yes" else "no""#,
            r#"csv t at "t.csv" { rows 60  A : int 1..900 } prompt "Is the sum of A in <<t>> above 5000? Reply with yes or no." expect reply text if sum(t.A) > 5_000 then "yes" else "no""#,
            r#"csv t at "t.csv" { rows 60  A : int 1..9 } prompt "The smallest A in <<t>> above 2? Number only." expect reply number coalesce(min(t.A where A > 2), 0)"#,
        ],
        &[
            r#"csv t at "t.csv" { rows 20  A : int 1..500 } prompt "The largest A in <<t>>? Number only." expect reply number max(t.A)"#,
            r#"b : bool 60% json j at "j.json" { ok = b } prompt "Is `ok` true in <<j>>? Reply with true or false." expect reply text b"#,
            r#"csv t at "t.csv" { rows 10  A : bool 10% } prompt "Is any A true in <<t>>? Reply with yes or no." expect reply text if count(t where A) > 0 then "yes" else "no""#,
            r#"csv t at "t.csv" { rows 5  A : unique int 1..5 } prompt "The first A in <<t>>? Number only." expect reply number first(t.A)"#,
            r#"csv t at "t.csv" { rows 10..20  A : int 1..5 } prompt "How many rows has <<t>>? Number only." expect reply number count(t)"#,
            r#"now : weighted ["open": 60, "paid": 40] json j at "j.json" { state = now } prompt "What is `state` in <<j>>?" expect reply text now"#,
            r#"csv t at "t.csv" { rows 100  A : bool 10% } n = count(t where A) require n < 3 prompt "Is any A true in <<t>>? Reply with yes or no." expect reply text if n > 0 then "yes" else "no""#,
        ],
    );
}

#[test]
fn expectations_that_exclude_each_other() {
    const T: &str = r#"csv t at "t.csv" { rows 30..40  A : int 100..900  B : int 1..9 }"#;
    let caught = [
        r#"prompt "How many rows has <<t>>, and what is the largest A? Numbers only." expect reply number count(t) expect reply number max(t.A)"#,
        r#"prompt "Read <<t>>. Remove `out.txt`. Write the largest A to `out.txt`." expect file "out.txt" number max(t.A) expect file "out.txt" absent"#,
        r#"prompt "Read <<t>>. Reply with JSON that has the keys `rows` and `top`." expect reply json { rows: count(t) } expect reply json { top: max(t.A) }"#,
        r#"x : one_of ["red", "blue"] y : one_of ["high", "low"] prompt "<<t>>: say <<x>> and <<y>>." expect reply text x expect reply text y"#,
        r#"x : one_of ["red", "blue"] prompt "How many rows has <<t>>? Say <<x>>, too." expect reply number count(t) expect reply text x"#,
        r#"prompt "How many rows has <<t>>? Number only. Say finished, too." expect reply number count(t) expect reply contains "finished""#,
        r#"prompt "Write the number of rows of <<t>> to `a.txt` and to `b.txt`, and make no other file." expect file "a.txt" number count(t) expect file "b.txt" number count(t) expect tree only ["a.txt"]"#,
        r#"prompt "How many rows has <<t>>? Number only. After `Answer:`, the largest A." expect reply number count(t) expect reply after "Answer:" number max(t.A)"#,
        r#"x : one_of ["red", "blue"] prompt "<<t>>: say <<x>>." expect reply text x expect reply matches "[0-9]+|none""#,
        r#"prompt "The sum of A in <<t>>? Number only. The last line is the largest B." expect reply number sum(t.A) expect reply last line number max(t.B)"#,
        r#"csv u at "u.csv" { rows 9  N : unique word } prompt "Which N are in <<u>>, and how many rows has <<t>>?" expect reply list list(u.N) expect reply number count(t)"#,
        r#"x, y : distinct word prompt "<<t>>: say <<x>> and <<y>>." expect reply text x expect reply text y"#,
        r#"sqlite d at "d.db" { table u { rows 9  N : int 1..9 } } g = <<after: d, UPDATE u SET N = N + 10>> require changed(g) > 0 prompt "<<t>>: add 10 to every N in <<d>>." expect file d database g expect file d unchanged"#,
        r#"prompt "Write the number of rows of <<t>> to `a.txt`, and change nothing else." expect file "a.txt" number count(t) expect tree unchanged"#,
        r#"prompt "Write the number of rows of <<t>> to `out/a.txt`, and change nothing else." expect file "out/a.txt" number count(t) expect tree unchanged except ["a.txt", "log/"]"#,
        r#"text u at "u.txt" = "old" prompt "Delete <<u>>, and change nothing else. Keep <<t>>." expect file u absent expect tree unchanged except ["v.txt"]"#,
    ];
    let right = [
        r#"prompt "How many rows has <<t>>? Number only. Write the largest A to `out.txt`." expect reply number count(t) expect file "out.txt" number max(t.A)"#,
        r#"prompt "Read <<t>>. Explain the number of rows. The last line is the number only. Say `rows`." expect reply last line number count(t) expect reply contains "rows""#,
        r#"prompt "Read <<t>>. Reply with JSON that has the keys `rows` and `top`." expect reply json { rows: count(t) } open expect reply json { top: max(t.A) } open"#,
        r#"prompt "How many rows has <<t>>? Number only." expect close: reply number count(t) within 5 expect exact: reply number count(t)"#,
        r#"prompt "Write the number of rows of <<t>> to `a.txt`, and make no other file." expect file "a.txt" number count(t) expect tree only ["a.txt"]"#,
        r#"prompt "Read <<t>>. After `Rows:`, the number of rows, after `Top:`, the largest A. The last line is the number after `Top:` only." expect reply after "Top:" number max(t.A) expect reply contains "Rows""#,
        r#"x : one_of ["red", "blue"] prompt "<<t>>: say <<x>>." expect reply text x expect reply matches "[a-z]+""#,
        r#"prompt "Write the number of rows of <<t>> to `out/a.txt`, and change nothing else." expect file "out/a.txt" number count(t) expect tree unchanged except ["out/"]"#,
        r#"prompt "Write the number of rows of <<t>> to `a.txt`, and change nothing else." expect file "a.txt" number count(t) expect tree unchanged except ["a.txt"]"#,
    ];
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{T} {body}")).collect::<Vec<_>>();
    let (caught, right) = (with(&caught), with(&right));
    hold(
        "contradicting_expectations",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn an_expectation_that_appears_twice() {
    const T: &str = r#"csv t at "t.csv" { rows 30..40  A : int 100..900 } n = count(t) prompt "Read <<t>>. The last line is the number of rows only. Write the largest A to `a.txt`, and to `b.txt`. Say `done`.""#;
    let caught = [
        "expect reply last line number n expect reply last line number n",
        "expect reply last line number n expect reply last line number count(t)",
        "expect one: reply last line number n expect two: reply last line number n weight 2",
        r#"expect file "a.txt" number max(t.A) expect reply last line number n expect file "a.txt" number max(t.A)"#,
        r#"expect reply contains "done" expect reply contains "done" expect reply last line number n"#,
        "expect file t unchanged expect reply last line number n expect file t unchanged",
    ];
    let right = [
        r#"expect file "a.txt" number max(t.A) expect file "b.txt" number max(t.A)"#,
        "expect reply last line number n expect reply last line number n within 1",
        r#"expect reply contains "done" expect reply contains "rows" expect reply last line number n"#,
        r#"expect reply last line number n weight 2 expect file "a.txt" number max(t.A)"#,
        r#"expect file "a.txt" exists expect file "a.txt" number max(t.A) expect reply last line number n"#,
        r#"expect reply last line number n expect reply last line matches "[0-9]+""#,
    ];
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{T} {body}")).collect::<Vec<_>>();
    let (caught, right) = (with(&caught), with(&right));
    hold(
        "repeated_expectation",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

/// Bodies of tasks with a database, each a goal, a prompt, and perhaps options of the expectation.
fn build_goals(goals: &[(&str, &str, &str)]) -> Vec<String> {
    let build = |(goal, prompt, options): &(&str, &str, &str)| {
        format!(
            r#"sqlite shop at "shop.db" {{
    table orders {{
      rows 40
      ID : serial
      STATUS : one_of ["open", "paid", "sent"]
      CITY : one_of ["Kiel", "Bonn"]
      AMOUNT : int 10..90
      DAY : date 2024-01-01..2024-12-31
    }}
    table log {{ rows 5  ENTRY : word }}
  }}
  id : ref shop.orders.ID
  town : ref shop.orders.CITY
  limit : int 20..80
  goal = <<after: shop, {goal}>>
  require changed(goal) > 0
  prompt "In <<shop>>, {prompt}"
  expect file shop database goal {options}"#
        )
    };
    goals.iter().map(build).collect()
}

#[track_caller]
fn hold_goals(lint: &str, caught: &[(&str, &str, &str)], right: &[(&str, &str, &str)]) {
    let (caught, right) = (build_goals(caught), build_goals(right));
    hold(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn a_goal_that_changes_more_than_the_prompt_asks_for() {
    hold_goals(
        "unasked_change",
        &[
            ("DELETE FROM orders", "delete all orders with STATUS sent.", ""),
            ("UPDATE orders SET AMOUNT = AMOUNT * 2", "double the AMOUNT of all open orders.", ""),
            ("UPDATE orders SET STATUS = 'sent'", "set STATUS to sent in every order whose STATUS is paid.", ""),
            (
                "UPDATE orders SET AMOUNT = 0 WHERE CITY = 'Kiel'",
                "set AMOUNT to 0 in all open orders with CITY Kiel.",
                "",
            ),
            ("UPDATE orders SET STATUS = 'sent'", "set STATUS to sent in all orders with AMOUNT above 50.", ""),
            ("DELETE FROM orders", "delete the orders with DAY before 2024-03-01.", ""),
            ("DELETE FROM orders", "delete all orders of the city <<town>>.", ""),
            ("DELETE FROM orders", "delete all orders with AMOUNT below <<limit>>.", ""),
            ("UPDATE orders SET AMOUNT = 0", "set AMOUNT to 0 in the order with ID <<id>>.", ""),
        ],
        &[
            ("DELETE FROM orders WHERE STATUS = 'sent'", "delete all orders with STATUS sent.", ""),
            ("UPDATE orders SET STATUS = 'sent'", "set STATUS to sent in every order.", ""),
            (
                "UPDATE orders SET AMOUNT = AMOUNT + 5",
                "add 5 to the AMOUNT of every order. Open the database with any tool.",
                "",
            ),
            ("DELETE FROM orders WHERE AMOUNT > 50", "delete all orders with AMOUNT above 50.", ""),
            ("DELETE FROM orders WHERE AMOUNT < :limit", "delete all orders with AMOUNT below <<limit>>.", ""),
            ("DELETE FROM orders WHERE CITY = :town", "delete all orders of the city <<town>>.", ""),
            ("UPDATE orders SET AMOUNT = 0 WHERE ID = :id", "set AMOUNT to 0 in the order with ID <<id>>.", ""),
            (
                "UPDATE orders SET AMOUNT = 0 WHERE ID = :id",
                "set AMOUNT to 0 in the order with ID <<id>>, which may be one of the open orders.",
                "",
            ),
            ("DELETE FROM orders WHERE STATUS NOT IN ('open', 'sent')", "delete all paid orders (STATUS paid).", ""),
        ],
    );
}

#[test]
fn a_statement_that_changes_nothing() {
    const P: &str = "clean the orders up as usual: sent, paid, open, Kiel, Bonn.";
    hold_goals(
        "idle_statement",
        &[
            ("DELETE FROM orders WHERE STATUS = 'sent'; UPDATE orders SET AMOUNT = 0 WHERE STATUS = 'sent'", P, ""),
            ("DELETE FROM orders; UPDATE orders SET AMOUNT = 0 WHERE STATUS = 'sent'", P, ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; DELETE FROM orders WHERE STATUS = 'open'",
                P,
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = 0 WHERE CITY = 'Kiel'; UPDATE orders SET STATUS = 'open' WHERE STATUS = 'open'",
                P,
                "",
            ),
            ("UPDATE orders SET AMOUNT = AMOUNT; DELETE FROM orders WHERE ID = 3", P, ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE ID = :id; UPDATE orders SET STATUS = 'sent' WHERE ID = :id",
                P,
                "",
            ),
            (
                "DELETE FROM orders WHERE ID = :id; UPDATE orders SET STATUS = 'sent' WHERE ID = :id AND CITY = 'Kiel'",
                P,
                "",
            ),
        ],
        &[
            ("UPDATE orders SET AMOUNT = 0 WHERE STATUS = 'sent'; DELETE FROM orders WHERE STATUS = 'open'", P, ""),
            ("DELETE FROM orders WHERE STATUS = 'sent'; UPDATE orders SET AMOUNT = 0 WHERE STATUS = 'paid'", P, ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; DELETE FROM orders WHERE STATUS = 'paid'",
                P,
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = AMOUNT + 1 WHERE ID = :id; UPDATE orders SET AMOUNT = AMOUNT * 2 WHERE ID = :id",
                P,
                "",
            ),
            (
                "DELETE FROM orders WHERE STATUS = 'sent' AND CITY = 'Kiel'; UPDATE orders SET AMOUNT = 0 WHERE STATUS = 'sent'",
                P,
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE ID = :id; UPDATE orders SET STATUS = 'sent' WHERE ID <> :id",
                P,
                "",
            ),
            (
                "DELETE FROM orders WHERE ID = 3; INSERT INTO orders VALUES (3, 'open', 'Kiel', 5, '2024-01-01'); UPDATE orders SET AMOUNT = 6 WHERE ID = 3",
                P,
                "",
            ),
        ],
    );
}

#[test]
fn a_change_that_is_not_compared() {
    const P: &str = "change the orders as usual: sent, paid, open.";
    hold_goals(
        "idle_goal",
        &[
            ("UPDATE orders SET STATUS = 'sent' WHERE ID = :id", P, "ignore orders.STATUS"),
            ("UPDATE orders SET STATUS = 'sent', AMOUNT = 3 WHERE ID = :id", P, "ignore orders.STATUS, orders.AMOUNT"),
            ("INSERT INTO log VALUES ('sent')", P, "ignore log"),
            ("DELETE FROM orders WHERE ID = :id", P, "ignore orders"),
            ("UPDATE orders SET AMOUNT = AMOUNT + 1 WHERE ID = :id", P, "within 1"),
            ("UPDATE orders SET AMOUNT = AMOUNT * 1.05", P, "within 10%"),
            ("UPDATE orders SET AMOUNT = ROUND(AMOUNT * 1.02, 2)", P, "within 5"),
        ],
        &[
            ("UPDATE orders SET STATUS = 'sent' WHERE ID = :id", P, "ignore orders.DAY"),
            ("UPDATE orders SET STATUS = 'sent', AMOUNT = 3 WHERE ID = :id", P, "ignore orders.STATUS"),
            ("INSERT INTO log VALUES ('sent'); DELETE FROM orders WHERE ID = :id", P, "ignore log"),
            ("UPDATE orders SET AMOUNT = AMOUNT + 10 WHERE ID = :id", P, "within 1"),
            ("UPDATE orders SET AMOUNT = AMOUNT * 1.2", P, "within 1%"),
            ("UPDATE orders SET AMOUNT = ROUND(AMOUNT * 1.1, 2)", P, "within 0.01"),
        ],
    );
}

#[test]
fn a_text_that_the_prompt_does_not_tell() {
    hold_goals(
        "untold_value",
        &[
            ("UPDATE orders SET STATUS = 'archived' WHERE ID = :id", "put the order with ID <<id>> away.", ""),
            (
                "UPDATE orders SET STATUS = 'lost' WHERE ID = :id",
                "the order with ID <<id>> never came: change its STATUS.",
                "",
            ),
            (
                "UPDATE orders SET CITY = 'Hamburg' WHERE CITY = :town",
                "every customer in <<town>> moves north: change CITY.",
                "",
            ),
            (
                "UPDATE log SET ENTRY = 'checked'; DELETE FROM orders WHERE ID = :id",
                "delete the order with ID <<id>>, and mark the log.",
                "",
            ),
            ("UPDATE orders SET STATUS = 'void' WHERE ID = :id", "undo the order with ID <<id>>.", ""),
            (
                "UPDATE orders SET STATUS = 'paid', DAY = '2024-12-31' WHERE ID = :id",
                "set STATUS to paid for the order with ID <<id>>.",
                "",
            ),
            ("UPDATE orders SET AMOUNT = 50 WHERE ID = :id", "the order with ID <<id>> now has the STATUS paid.", ""),
            (
                "UPDATE orders SET AMOUNT = AMOUNT * 1.2 WHERE ID = :id",
                "raise the AMOUNT of the order with ID <<id>> by 10%.",
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = AMOUNT + 15 WHERE ID = :id",
                "add five to the AMOUNT of the order with ID <<id>>.",
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'refused', AMOUNT = 0 WHERE ID = :id",
                "the bank does not pay the order with ID <<id>>: set AMOUNT to 0 and change STATUS.",
                "",
            ),
        ],
        &[
            (
                "UPDATE orders SET STATUS = 'archived' WHERE ID = :id",
                "set the STATUS of the order with ID <<id>> to archived.",
                "",
            ),
            ("UPDATE orders SET STATUS = 'archived' WHERE ID = :id", "archive the order with ID <<id>>.", ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE ID = :id",
                "the bill of the order with ID <<id>> is settled: change STATUS.",
                "",
            ),
            ("UPDATE orders SET CITY = 'Bonn' WHERE ID = :id", "the order with ID <<id>> goes to the other city.", ""),
            ("UPDATE orders SET CITY = :town WHERE ID = :id", "the order with ID <<id>> goes to <<town>>.", ""),
            (
                "UPDATE orders SET STATUS = 'paid', DAY = '2024-12-31' WHERE ID = :id",
                "set STATUS to paid for the order with ID <<id>>, on the day 2024-12-31.",
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = AMOUNT * 1.2 WHERE ID = :id",
                "raise the AMOUNT of the order with ID <<id>> by 20%.",
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = AMOUNT * 2 WHERE ID = :id",
                "double the AMOUNT of the order with ID <<id>>.",
                "",
            ),
            (
                "UPDATE orders SET AMOUNT = AMOUNT + 15 WHERE ID = :id",
                "add 15 to the AMOUNT of the order with ID <<id>>, in 1 step.",
                "",
            ),
            ("UPDATE orders SET AMOUNT = 5 WHERE ID = :id", "the order with ID <<id>> costs five.", ""),
        ],
    );
}
