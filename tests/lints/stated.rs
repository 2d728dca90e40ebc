//! What a prompt states in words, against goals and edits; and limits, leaks, and forms that no number of the prompt explains.

use super::hold_also;

const SHOP: &str = r#"day : date 2024-03-01..2024-10-01 sqlite shop at "shop.db" { table orders { rows 80 ID : serial SENT : date 2024-01-01..2024-12-31 PAID : bool 50%
    STATE : one_of ["new", "waiting", "solved"] NOTE : word blank 30% EUR : int 1..900 } }
    rarest = <<value: SELECT STATE FROM shop.orders ORDER BY ID DESC LIMIT 1>> require rarest != null
"#;

fn hold_goals(lint: &str, caught: &[(&str, &str)], right: &[(&str, &str)]) {
    let build = |(statement, asked): &(&str, &str)| {
        format!(
            r#"{SHOP} goal = <<after: shop, {statement}>> require changed(goal) > 0 prompt "In <<shop>>, {asked}" expect file shop database goal"#
        )
    };
    let (caught, right): (Vec<String>, Vec<String>) =
        (caught.iter().map(build).collect(), right.iter().map(build).collect());
    hold_also(lint, &to_texts(&caught), &to_texts(&right));
}

#[test]
fn conditions_in_words() {
    hold_goals(
        "unasked_change",
        &[
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day",
                "add 1 to EUR of all orders that are not paid (PAID is 0) and were SENT before <<day>>.",
            ),
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day",
                "add 1 to EUR of all unpaid orders SENT before <<day>>.",
            ),
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day",
                "add 1 to EUR of the orders with PAID = 1 that were SENT before <<day>>.",
            ),
            ("DELETE FROM orders WHERE SENT < :day", "delete the paid orders that were SENT before <<day>>."),
            ("DELETE FROM orders WHERE SENT < :day", "delete all orders SENT before <<day>> that have no NOTE."),
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = 'new'",
                "set EUR to 0 for all orders with the STATE new whose NOTE is missing.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = 'new'",
                "set EUR to 0 for the order with the earliest SENT among those with the STATE new.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE SENT >= '2024-06-01'",
                "set EUR to 0 for all orders SENT from 2024-06-01 to 2024-08-31.",
            ),
        ],
        &[
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day AND PAID = 0",
                "add 1 to EUR of all orders that are not paid (PAID is 0) and were SENT before <<day>>.",
            ),
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day AND NOT PAID",
                "add 1 to EUR of all unpaid orders SENT before <<day>>.",
            ),
            // The column is explained.
            (
                "UPDATE orders SET EUR = EUR + 1 WHERE SENT < :day",
                "PAID is 1 if an order is paid. Add 1 to EUR of the orders SENT before <<day>>, paid or not.",
            ),
            // Both are named.
            (
                "DELETE FROM orders WHERE SENT < :day",
                "delete all orders SENT before <<day>>, paid orders and unpaid orders alike.",
            ),
            // It is what changes.
            (
                "UPDATE orders SET PAID = 1 WHERE SENT < :day AND STATE = 'new'",
                "all orders with the STATE new from before <<day>> (SENT) are paid now: PAID = 1.",
            ),
            (
                "DELETE FROM orders WHERE SENT < :day AND NOTE IS NULL",
                "delete all orders SENT before <<day>> that have no NOTE.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE SENT = (SELECT MIN(SENT) FROM orders)",
                "set EUR to 0 for the orders with the earliest SENT.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = :rarest",
                "set EUR to 0 for the orders of the STATE with the highest ID.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE SENT >= '2024-06-01' AND SENT < date('2024-06-01', '+92 days')",
                "set EUR to 0 for all orders SENT from 2024-06-01 to 2024-08-31.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = 'new'",
                "set EUR to 0 for all orders with the STATE new. Reply with the highest EUR of the others.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE SENT >= '2024-06-01' AND SENT <= '2024-08-31'",
                "set EUR to 0 for all orders SENT from 2024-06-01 to 2024-08-31.",
            ),
            (
                "UPDATE orders SET EUR = 0 WHERE SENT >= '2024-06-01' AND SENT < '2024-09-01'",
                "set EUR to 0 for all orders SENT from 2024-06-01 to 2024-08-31.",
            ),
        ],
    );
}

#[test]
fn one_of_two_values_or_items() {
    hold_goals(
        "missing_change",
        &[
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = 'new'",
                "set EUR to 0 for all orders whose STATE is `new` or `waiting`.",
            ),
            ("UPDATE orders SET EUR = 0 WHERE STATE = 'waiting'", "set EUR to 0 for all new and waiting orders."),
            (
                "DELETE FROM orders WHERE STATE = 'solved' AND SENT < :day",
                "delete the orders from before <<day>> (SENT) with the STATE \\\"new\\\" or \\\"solved\\\".",
            ),
        ],
        &[
            (
                "UPDATE orders SET EUR = 0 WHERE STATE IN ('new', 'waiting')",
                "set EUR to 0 for all orders whose STATE is `new` or `waiting`.",
            ),
            ("UPDATE orders SET EUR = 0 WHERE STATE <> 'solved'", "set EUR to 0 for all new and waiting orders."),
            (
                "UPDATE orders SET EUR = 0 WHERE STATE = 'solved'",
                "set EUR to 0 for all orders with the STATE solved. Leave new or waiting ones alone.",
            ),
            (
                "UPDATE orders SET STATE = 'waiting' WHERE STATE = 'new'",
                "all orders that are new are waiting now: change STATE.",
            ),
        ],
    );
    const ROOMS: &str = r#"n : int 50..95 yaml hotel at "hotel.yaml" { name : word season = "summer" rooms : [ { beds : int 1..4 price : int 100..200 } ; 4..8 ] }
"#;
    let with = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{ROOMS}{body}")).collect() };
    let caught = with(&[
        r#"prompt "In <<hotel>>, set the price of every room to <<n>>, and `season` to winter." expect file hotel json edit(edit(hotel, "$.rooms[0].price", n), "$.season", "winter")"#,
        r#"prompt "In <<hotel>>, set `price` to <<n>> for all rooms." expect file hotel json edit(hotel, "$.rooms[0].price", n)"#,
    ]);
    let right = with(&[
        r#"prompt "In <<hotel>>, set the price of every room to <<n>>, and `season` to winter." expect file hotel json edit(edit(hotel, "$.rooms[*].price", n), "$.season", "winter")"#,
        r#"prompt "In <<hotel>>, remove the first room and set the price of the last room to <<n>>." expect file hotel json edit(remove(hotel, "$.rooms[0]"), "$.rooms[-1].price", n)"#,
    ]);
    hold_also("missing_change", &to_texts(&caught), &to_texts(&right));
}

fn to_texts(bodies: &[String]) -> Vec<&str> {
    bodies.iter().map(String::as_str).collect()
}

#[test]
fn another_change_of_a_file() {
    hold_also(
        "other_change",
        &[
            r#"a, b : distinct int 100..999 text t at "t.txt" = "mark <<a>>" prompt "In <<t>>, replace the mark <<a>> with <<b>>, and change nothing else. Then reply `done`." expect file t unchanged expect reply text "done""#,
            r#"csv t at "t.csv" { rows 30 NAME : word PAY : int 20..90 } n = count(t) prompt "Remove the column PAY from <<t>> and keep everything else. Then reply with the number of rows." expect file t unchanged expect reply number n"#,
            r#"p : int 9000..9999 json c at "c.json" { host : word port : int 80..99 admin_port : int 70..79 } prompt "In <<c>>, set `port` to <<p>>." expect file c json edit(c, "$.admin_port", p)"#,
            r#"p : word yaml c at "c.yaml" { server : { host : word owner : word } } prompt "In <<c>>, set the `host` of the server to <<p>>." expect file c json edit(c, "$.server.owner", p)"#,
            r#"id : int 1..20 sqlite d at "d.db" { table drafts { rows 20 ID : serial T : word } table posts { rows 20 ID : serial T : word } } goal = <<after: d, DELETE FROM posts WHERE ID = :id>> prompt "Delete the row with the ID <<id>> from the table `drafts` of <<d>>." expect file d database goal"#,
            r#"who : word text t at "t.txt" = "Call <<who>>" prompt "Delete <<t>> and write the name in it to <<sandbox>>/name.txt." expect file t exists expect file "name.txt" text who"#,
            r#"who : word text t at "t.txt" = "Call <<who>>" prompt "Remove the file <<t>>, and write the name in it to <<sandbox>>/name.txt." expect file t unchanged expect file "name.txt" text who"#,
        ],
        &[
            r#"a, b : distinct int 100..999 text t at "t.txt" = "mark <<a>>" prompt "In <<t>>, replace the mark <<a>> with <<b>>, and change nothing else." expect file t bytes replace(content(t), "<<a>>", "<<b>>")"#,
            r#"csv t at "t.csv" { rows 30 NAME : word PAY : int 20..90 } s = sum(t.PAY) prompt "What is the sum of PAY in <<t>>? Do not change the file." expect file t unchanged expect reply number s"#,
            r#"csv t at "t.csv" { rows 30 NAME : word PAY : int 20..90 } s = sum(t.PAY) prompt "Add up PAY of <<t>>, write the sum to <<sandbox>>/sum.txt, and change nothing else." expect file t unchanged expect file "sum.txt" number s"#,
            r#"p : int 9000..9999 json c at "c.json" { host : word port : int 80..99 admin_port : int 70..79 } prompt "In <<c>>, set `admin_port` to <<p>>; `port` stays." expect file c json edit(c, "$.admin_port", p)"#,
            r#"p : int 9000..9999 json c at "c.json" { host : word port : int 80..99 admin_port : int 70..79 } prompt "In <<c>>, set the port of the admin to <<p>>; `port` stays." expect file c json edit(c, "$.admin_port", p)"#,
            r#"id : int 1..20 sqlite d at "d.db" { table drafts { rows 20 ID : serial T : word } table posts { rows 20 ID : serial T : word } } goal = <<after: d, DELETE FROM posts WHERE ID = :id>> prompt "Delete the post with the ID <<id>> from <<d>>; `drafts` stays as it is." expect file d database goal"#,
            r#"id : int 1..20 sqlite d at "d.db" { table drafts { rows 20 ID : serial T : word } table posts { rows 20 ID : serial T : word } } goal = <<after: d, DELETE FROM drafts WHERE ID = :id>> prompt "Delete the row with the ID <<id>> from the table `drafts` of <<d>>." expect file d database goal"#,
            r#"id : int 1..20 sqlite d at "d.db" { table slots { rows 20 ID : serial ROOM : int 1..9 } table audit { rows 20 ID : serial T : word } } goal = <<after: d, UPDATE slots SET ROOM = 10 WHERE ID = :id>> prompt "Move the hearing <<id>> of <<d>> to the ROOM 10, and add a row about it to `audit`, in words of your own." expect file d database goal ignore audit"#,
            r#"who : word text t at "t.txt" = "Call <<who>>" prompt "Do not delete <<t>>; write the name in it to <<sandbox>>/name.txt." expect file t unchanged expect file "name.txt" text who"#,
        ],
    );
}

const ROWS: &str = r#"csv t at "t.csv" { rows 90 NO : serial TOWN : one_of ["Ulm", "Bonn"] AGE : int 18..67 SENT : date 2023-01-01..2026-12-31 AT : datetime 2024-07-01T00:00..2024-07-07T23:59
    SIZE : one_of ["S", "M", "L"] _EUR = if SIZE == "S" then 14 else if SIZE == "M" then 23 else 37 _DUE = if TOWN == "Ulm" then 8 else 48 }
"#;

#[test]
fn limits_without_any_number() {
    let with = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{ROWS}{body}")).collect() };
    let caught = with(&[
        r#"least = 27 n = count(t where TOWN == "Ulm" and AGE >= least) prompt "How many people from Ulm in <<t>> may rent a car?" expect reply number n"#,
        r#"n = <<value: SELECT COUNT(*) FROM t WHERE AGE >= 27 AND AGE < 45 AND TOWN = 'Ulm'>> prompt "How many people from Ulm in <<t>> count as our core group?" expect reply number n"#,
        r#"n = count(t where hour(AT) >= 17 and hour(AT) <= 20) prompt "How many rows of <<t>> are in the peak hours?" expect reply number n"#,
        r#"n = count(t where AGE > 30 and weekday(SENT) != 7) prompt "How many rows of <<t>> have an AGE above 30?" expect reply number n"#,
        r#"n = count(t where AGE > 30 and not starts_with(TOWN, "Ul")) prompt "How many rows of <<t>> have an AGE above 30?" expect reply number n"#,
        r#"n = count(t where SENT < 2024-10-15) prompt "How many memberships in <<t>> have ended (SENT)?" expect reply number n"#,
        r#"n = sum(t._EUR) prompt "What is the revenue of all orders in <<t>>?" expect reply number n"#,
        r#"n = <<value: SELECT SUM(CASE SIZE WHEN 'S' THEN 14 WHEN 'M' THEN 23 ELSE 37 END) FROM t>> require n != null prompt "What is the revenue of all orders in <<t>>?" expect reply number n"#,
        r#"n = count(t where AGE > _DUE) prompt "How many rows of <<t>> took longer than they were allowed to?" expect reply number n"#,
    ]);
    let right = with(&[
        r#"least = 27 n = count(t where TOWN == "Ulm" and AGE >= least) prompt "How many people from Ulm in <<t>> may rent a car, which takes an AGE of at least <<least>>?" expect reply number n"#,
        r#"full_age = 18 n = count(t where AGE >= full_age and TOWN == "Ulm") prompt "How many people from Ulm in <<t>> may vote?" expect reply number n"#,
        r#"n = count(t where AGE >= 20 and AGE < 30) prompt "How many people in <<t>> are in their twenties (AGE)?" expect reply number n"#,
        r#"n = count(t where hour(AT) >= 18 and hour(AT) <= 21) prompt "How many rows of <<t>> are in the evening?" expect reply number n"#,
        r#"n = count(t where hour(AT) >= 17 and hour(AT) <= 20) prompt "How many rows of <<t>> are in the peak hours, from 17:00 to 20:59?" expect reply number n"#,
        r#"text note at "note.md" = "Peak hours are from 17:00 to 20:59." n = count(t where hour(AT) >= 17 and hour(AT) <= 20) prompt "How many rows of <<t>> are in the peak hours? See <<note>>." expect reply number n"#,
        r#"n = count(t where SENT < 2024-10-15) prompt "It is 2024-10-15. How many memberships in <<t>> have ended (SENT)?" expect reply number n"#,
        r#"n = sum(t._EUR) prompt "What is the revenue of all orders in <<t>>? An S is 14 EUR, an M 23 EUR, an L 37 EUR." expect reply number n"#,
        r#"n = <<list: SELECT SIZE FROM t GROUP BY SIZE ORDER BY CASE SIZE WHEN 'S' THEN 14 WHEN 'M' THEN 23 ELSE 37 END>> prompt "List the sizes in <<t>> from the smallest to the largest." expect reply list n"#,
    ]);
    hold_also("untold_literal", &to_texts(&caught), &to_texts(&right));
}

const GOODS: &str = r#"csv t at "t.csv" { rows 14 NAME : unique pattern "[A-Z][a-z]{4}" CITY : one_of ["Rome", "Oslo", "Bern"] PRICE : unique int 3..900 }
    best = <<value: SELECT NAME FROM t ORDER BY PRICE DESC LIMIT 1>> require best != null
"#;

#[test]
fn answers_by_their_place_or_parts() {
    let with = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{GOODS}{body}")).collect() };
    let caught = with(&[
        r#"names = <<list: SELECT NAME FROM t ORDER BY PRICE DESC>> prompt "We sell <<join(names, ", ")>>. Which of them has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"names = <<list: SELECT NAME FROM t ORDER BY PRICE>> prompt "We sell <<names>>. Which of them has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"others = list(t.NAME where NAME != best) prompt "Which has the highest PRICE in <<t>>: <<best>>, <<join(others, ", ")>>?" expect reply text best"#,
        r#"a = sum(t.PRICE where CITY == "Rome") b = sum(t.PRICE where CITY == "Oslo") require a != null and b != null prompt "In <<t>>, Rome has <<a>> and Oslo <<b>>. What is the difference?" expect reply number a - b"#,
        r#"folder "winners/<<best>>" prompt "Which NAME has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"table songs { rows 9..16 NO : serial SECONDS : int 100..420 } total = sum(songs.SECONDS) require total != null json album at "album.json" = { length: total, tracks: <<rows: SELECT NO, SECONDS FROM songs ORDER BY NO>> } prompt "How many seconds do all tracks of <<album>> last?" expect reply number total"#,
    ]);
    let right = with(&[
        r#"names = sort(list(t.NAME)) prompt "We sell <<join(names, ", ")>>. Which of them has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"names = <<list: SELECT NAME FROM t ORDER BY NAME>> prompt "We sell <<join(names, ", ")>>. Which of them has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"names = <<list: SELECT NAME FROM t ORDER BY PRICE DESC>> prompt "How many names does <<t>> have? Count <<join(names, ", ")>>." expect reply number count(t) + 1"#,
        r#"others = list(t.NAME where NAME != best) prompt one_of ["Which has the highest PRICE in <<t>>: <<best>>, <<join(others, ", ")>>?", "Which has the highest PRICE in <<t>>: <<join(others, ", ")>>, <<best>>?"] expect reply text best"#,
        r#"a = sum(t.PRICE where CITY == "Rome") b = sum(t.PRICE where CITY == "Oslo") require a != null and b != null prompt "What is the difference of Rome and Oslo in <<t>>? Rome has <<a>>." expect reply number a - b"#,
        r#"folder "winners" prompt "Which NAME has the highest PRICE in <<t>>?" expect reply text best"#,
        r#"table songs { rows 9..16 NO : serial SECONDS : int 100..420 } total = sum(songs.SECONDS) require total != null json album at "album.json" = { tracks: <<rows: SELECT NO, SECONDS FROM songs ORDER BY NO>> } prompt "How many seconds do all tracks of <<album>> last?" expect reply number total"#,
    ]);
    hold_also("leaked_answer", &to_texts(&caught), &to_texts(&right));
}

#[test]
fn forms_next_to_what_the_prompt_gives() {
    let with = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{GOODS}{body}")).collect() };
    let caught = with(&[
        r#"prompt "Which NAME has the highest PRICE in <<t>>? Reply with the NAME, such as Abcde." expect reply matches "[A-Z][a-z]{4}""#,
        r#"week : int 1..50 prompt "Which CITY has the row with the highest PRICE in <<t>>? Write it to <<sandbox>>/city.txt, for week <<week>>, and reply with the week." expect file "city.txt" matches "[A-Z][a-z]+" expect reply number week"#,
        r#"n = distinct_count(t.CITY) prompt "Write <<sandbox>>/sums.csv from <<t>> with the columns CITY and PRICE, a row for each CITY with the sum of its PRICE. Reply with the number of rows." expect file "sums.csv" exists expect reply number n"#,
        r#"n = distinct_count(t.CITY) prompt "From <<t>>, make <<sandbox>>/sums.md, one line for each CITY with the sum of its PRICE. Reply with the number of lines." expect file "sums.md" exists expect reply number n"#,
    ]);
    let right = with(&[
        r#"prompt "Which NAME has the highest PRICE in <<t>>? Reply with the NAME, such as Abcde." expect reply text best"#,
        r#"prompt "Invent a NAME for <<t>>, such as Abcde. Reply with the NAME." expect reply matches "[A-Z][a-z]{4}""#,
        r#"s = <<rows: SELECT CITY, SUM(PRICE) AS PRICE FROM t GROUP BY CITY>> prompt "Write <<sandbox>>/sums.csv from <<t>> with the columns CITY and PRICE, a row for each CITY with the sum of its PRICE. Reply with the number of rows." expect file "sums.csv" exists expect file "sums.csv" rows s expect reply number count(s)"#,
        r#"n = distinct_count(t.CITY) prompt "Note your steps in <<sandbox>>/notes.txt; <<t>> has the columns NAME, CITY and PRICE. How many different CITY are there?" expect file "notes.txt" exists expect reply number n"#,
        r#"n = distinct_count(t.CITY) prompt "<<t>> has the columns NAME, CITY and PRICE. How many different CITY are there? Note how you found it in <<sandbox>>/notes.txt." expect file "notes.txt" exists expect reply number n"#,
    ]);
    hold_also("vacuous_expectation", &to_texts(&caught), &to_texts(&right));
}

#[test]
fn nearly_always_yes() {
    hold_also(
        "likely_answer",
        &[
            r#"book : ref books.BOOK csv books at "books.csv" { rows 15 BOOK : serial } csv loans at "loans.csv" { rows 1_500 LOAN : serial BOOK : ref books.BOOK } prompt "Was <<book>> of <<books>> ever lent, in <<loans>>?" expect reply text if count(loans where BOOK == book) > 0 then "yes" else "no""#,
            r#"who : ref people.NAME csv people at "p.csv" { rows 10 NAME : unique username } csv visits at "v.csv" { rows 800 NAME : ref people.NAME KIND : one_of ["walk", "swim"] } prompt "Did <<who>> of <<people>> ever swim, in <<visits>>?" expect reply text if count(visits where NAME == who and KIND == "swim") > 0 then "yes" else "no""#,
            r#"csv t at "t.csv" { rows 500 SHOP : one_of ["a1", "b2"] KG : int 1..90 } yes = <<value: SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END FROM t WHERE SHOP = 'a1' AND KG > 50>> require yes != null prompt "Does SHOP a1 of <<t>> have any KG above 50?" expect reply text yes"#,
        ],
        &[
            r#"book : ref books.BOOK csv books at "books.csv" { rows 15 BOOK : serial } csv loans at "loans.csv" { rows 14 LOAN : serial BOOK : ref books.BOOK } prompt "Was <<book>> of <<books>> ever lent, in <<loans>>?" expect reply text if count(loans where BOOK == book) > 0 then "yes" else "no""#,
            r#"who : ref people.NAME csv people at "p.csv" { rows 40 NAME : unique username } csv visits at "v.csv" { rows 60 NAME : ref people.NAME KIND : one_of ["walk", "swim"] } prompt "Did <<who>> of <<people>> ever swim, in <<visits>>?" expect reply text if count(visits where NAME == who and KIND == "swim") > 0 then "yes" else "no""#,
            r#"csv t at "t.csv" { rows 12 SHOP : one_of ["a1", "b2"] KG : int 1..90 } yes = <<value: SELECT CASE WHEN COUNT(*) > 2 THEN 'yes' ELSE 'no' END FROM t WHERE SHOP = 'a1' AND KG > 50>> require yes != null prompt "Does SHOP a1 of <<t>> have more than two KG above 50?" expect reply text yes"#,
        ],
    );
}
