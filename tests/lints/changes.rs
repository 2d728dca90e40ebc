//! Lints on what the prompt asks to change, against the expected states and files; and on expectations that no data decides.

use super::hold;

#[test]
fn an_answer_that_is_compared_with_nothing() {
    const T: &str = r#"csv t at "t.csv" { rows 30  KEY : unique pattern "[A-Z]{2}[0-9]{2}"  SITE : one_of ["Nord", "Hafen", "West"]  N : int 1..900 }"#;
    let caught = [
        // Any value of the column has this form.
        r#"k : ref t.KEY prompt "Which SITE has the row <<k>> of <<t>>? Reply with the SITE only." expect reply matches "Nord|Hafen|West""#,
        r#"s : ref t.SITE prompt "Which KEY of <<t>> has the largest N of the SITE <<s>>? Reply with the KEY only." expect reply matches "[A-Z]{2}[0-9]{2}""#,
        r#"s : ref t.SITE prompt "Write the KEY with the largest N of the SITE <<s>> in <<t>> to <<sandbox>>/key.txt." expect file "key.txt" matches "[A-Z]{2}\\d{2}\\n?""#,
        // Only that the file is there.
        r#"s : ref t.SITE prompt "Write the sum of N for the SITE <<s>> in <<t>> to <<sandbox>>/out.csv, with the columns SITE and SUM." expect file "out.csv" exists"#,
        r#"s : ref t.SITE prompt "Write the sum of N for the SITE <<s>> in <<t>> to <<sandbox>>/out.csv, with the columns SITE and SUM." expect tree ["out.csv"]"#,
        r#"s : ref t.SITE total = sum(t.N where SITE == s) require total > 10 prompt "Write a report on the SITE <<s>> of <<t>> to <<sandbox>>/out.md." expect file "out.md" exists"#,
        r#"s : ref t.SITE n = count(t where SITE == s) require n > 2 prompt "Count the rows of <<t>> with the SITE <<s>>, write the number to <<sandbox>>/n.txt, and reply with the word finished." expect reply text "finished""#,
        // Only what the prompt gives.
        r#"s : ref t.SITE prompt "Write <<sandbox>>/out.json with the keys `site` (<<s>>) and `total` (the sum of its N in <<t>>)." expect file "out.json" json { site: s } open"#,
        // Every choice.
        r#"a, b : distinct one_of ["Nord", "Hafen", "West"] x = count(t where SITE == a) y = count(t where SITE == b) prompt "Which of <<a>> and <<b>> has more rows in <<t>>? Reply with its name only." expect reply text any_of [if x > y then a else b, if x < y then a else b]"#,
        r#"a, b : distinct one_of ["Nord", "Hafen", "West"] prompt "Which of <<a>> and <<b>> has more rows in <<t>>? Reply with its name only." expect reply text any_of [a, b]"#,
        r#"k : ref t.KEY n = first(t.N where KEY == k) prompt "Is the N of <<k>> in <<t>> small, medium, or large? Reply with one word. Small is below 300, large above 600." require n != null expect reply text any_of ["small", "medium", "large"] ignore case"#,
        r#"a, b : distinct one_of ["Nord", "Hafen", "West"] x = count(t where SITE == a) y = count(t where SITE == b) prompt "Which of <<a>> and <<b>> has more rows in <<t>>? Explain it." expect reply contains if x > y then a else b"#,
    ];
    let right = [
        r#"s : ref t.SITE k = max(t.KEY where SITE == s) require k != null prompt "Which KEY of <<t>> is the last one of the SITE <<s>>? Reply with the KEY only." expect reply matches "[A-Z]{2}[0-9]{2}" expect reply text k"#,
        r#"s : ref t.SITE prompt "Name any KEY of the SITE <<s>> in <<t>>. Reply with the KEY only." expect reply matches "[A-Z]{2}[0-9]{2}""#,
        r#"s : ref t.SITE total = coalesce(sum(t.N where SITE == s), 0) prompt "Write a script <<sandbox>>/sum.py that adds the column N of <<t>>, and reply with the sum for <<s>>." expect file "sum.py" exists expect reply last line number total"#,
        r#"s : ref t.SITE total = coalesce(sum(t.N where SITE == s), 0) prompt "Write <<sandbox>>/out.json with the keys `site` (<<s>>), `total` (the sum of its N in <<t>>), and `note` (any text)." expect file "out.json" json { site: s, total: total } open"#,
        r#"a, b : distinct one_of ["Nord", "Hafen", "West"] x = count(t where SITE == a) y = count(t where SITE == b) prompt "Which of <<a>> and <<b>> has more rows in <<t>>? Reply with its name only." expect reply text if x > y then a else b"#,
        r#"a, b : distinct one_of ["Nord", "Hafen", "West"] x = count(t where SITE == a) y = count(t where SITE == b) prompt "Which of <<a>> and <<b>> has more rows in <<t>>? Reply with its name only." expect reply text any_of [if x > y then a else b, if x > y then "the site <<a>>" else "the site <<b>>"]"#,
        r#"k : ref t.KEY n = first(t.N where KEY == k) prompt "Is the N of <<k>> in <<t>> small, medium, or large? Reply with one word. Small is below 300, large above 600." require n != null expect reply text if n < 300 then "small" else if n > 600 then "large" else "medium""#,
        r#"k : ref t.KEY s = first(t.SITE where KEY == k) require s != null prompt "Which SITE has the row <<k>> of <<t>>?" expect reply contains s"#,
    ];
    let build = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{T} {body}")).collect() };
    let (caught, right) = (build(&caught), build(&right));
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold("vacuous_expectation", &caught, &right);
}

#[test]
fn a_tolerance_next_to_a_require_that_nearly_always_holds() {
    hold(
        "vacuous_expectation",
        &[
            r#"csv t at "t.csv" { rows 120  A : int 100..900  B : one_of ["x", "y"] } b : ref t.B m = avg(t.A where B == b) require m != null prompt "The mean of A in <<t>> for B <<b>>? Number only." expect reply number m within 300"#,
            r#"csv t at "t.csv" { rows 120  A : int 100..900 } require count(t where A > 300) > 5 prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 50%"#,
            r#"csv t at "t.csv" { rows 60  A : int 1..99  B : int 1..99 } r = corr(t.A, t.B) require r != null prompt "Pearson's correlation of A and B in <<t>>? Number only." expect reply number r within 1"#,
            r#"csv t at "t.csv" { rows 60  A : int 1..99  B : int 1..99 } r = corr(t.A, t.B) require r != null prompt "Pearson's correlation of A and B in <<t>>? Number only." expect reply number r within 1.5"#,
            r#"csv t at "t.csv" { rows 200  A : int 100..900 } m = avg(t.A) require m > 300 and m < 700 prompt "The mean of A in <<t>>? Number only." expect reply number m within 200"#,
            r#"csv t at "t.csv" { rows 300  A : normal mean 210 sd 25 100..320 step 1  B : one_of ["x", "y"] } m = avg(t.A where B == "x") require m != null prompt "The mean of A in <<t>> where B is x? Number only, with one decimal." expect reply number m within 20%"#,
        ],
        &[
            r#"csv t at "t.csv" { rows 120  A : int 100..900  B : one_of ["x", "y"] } b : ref t.B m = avg(t.A where B == b) require m != null prompt "The mean of A in <<t>> for B <<b>>? Number only." expect reply number m within 0.5"#,
            r#"csv t at "t.csv" { rows 60  A : int 1..99  B : int 1..99 } r = corr(t.A, t.B) require r != null prompt "Pearson's correlation of A and B in <<t>>? Number only." expect reply number r within 0.01"#,
            r#"csv t at "t.csv" { rows 40  A : int 100..900 } require sum(t.A) > 24_000 prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A) within 50%"#,
            r#"csv t at "t.csv" { rows 300  A : normal mean 210 sd 25 100..320 step 1 } m = avg(t.A) require m != null prompt "The mean of A in <<t>>? Number only, with one decimal." expect reply number m rounded 1"#,
            r#"csv t at "t.csv" { rows 120  A : int 100..900 } require count(t where A > 300) > 5 prompt "The sum of A in <<t>>? Number only." expect reply number sum(t.A)"#,
            r#"csv t at "t.csv" { rows 200  A : int 100..900 } m = avg(t.A) require m > 300 and m < 700 prompt "The mean of A in <<t>>? Number only." expect reply number m within 1"#,
        ],
    );
}

#[track_caller]
fn hold_database(lint: &str, caught: &[(&str, &str, &str)], right: &[(&str, &str, &str)]) {
    let build = |goals: &[(&str, &str, &str)]| -> Vec<String> {
        let build = |(goal, prompt, options): &(&str, &str, &str)| {
            format!(
                r#"sqlite shop at "shop.db" {{
    table orders {{
      rows 60
      ID : serial
      STATUS : one_of ["open", "paid", "sent"]
      CENTS : int 100..900
    }}
    table audit {{ rows 5  ENTRY : serial  WHAT : one_of ["add", "drop"] }}
  }}
  n : int 20..80
  few : decimal 0.50..0.90 step 0.10
  percent : int 2..4
  a, b : distinct one_of ["open", "paid", "sent"]
  goal = <<after: shop, {goal}>>
  require changed(goal) > 0
  prompt "In the table `orders` of <<shop>>, {prompt} (<<n>>, <<few>>, <<percent>>, <<a>>, <<b>>)"
  expect file shop database goal {options}"#
            )
        };
        goals.iter().map(build).collect()
    };
    let (caught, right) = (build(caught), build(right));
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold(lint, &caught, &right);
}

#[test]
fn statements_that_undo_each_other() {
    const P: &str = "bring the orders in order.";
    hold_database(
        "idle_statement",
        &[
            ("UPDATE orders SET STATUS = :b WHERE STATUS = :a; UPDATE orders SET STATUS = :a WHERE STATUS = :b", P, ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'paid'",
                P,
                "",
            ),
            ("UPDATE orders SET CENTS = 300 WHERE CENTS = 200; UPDATE orders SET CENTS = 400 WHERE CENTS = 300", P, ""),
            (
                "UPDATE orders SET CENTS = CENTS + 1 WHERE CENTS = 200; UPDATE orders SET CENTS = CENTS + 1 WHERE CENTS = 201",
                P,
                "",
            ),
            (
                "UPDATE orders SET CENTS = 500 WHERE STATUS = 'open'; UPDATE orders SET CENTS = 100 WHERE STATUS = 'open' AND CENTS > 400",
                P,
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; UPDATE orders SET STATUS = 'open' WHERE STATUS IN ('paid', 'sent')",
                P,
                "",
            ),
        ],
        &[
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'paid'; UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'",
                P,
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'tmp' WHERE STATUS = :a; UPDATE orders SET STATUS = :a WHERE STATUS = :b; UPDATE orders SET STATUS = :b WHERE STATUS = 'tmp'",
                P,
                "",
            ),
            ("UPDATE orders SET STATUS = CASE STATUS WHEN :a THEN :b ELSE :a END WHERE STATUS IN (:a, :b)", P, ""),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'paid' AND CENTS > 500",
                P,
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'paid' WHERE STATUS = 'open'; UPDATE orders SET CENTS = 100 WHERE STATUS = 'paid'",
                P,
                "",
            ),
            (
                "UPDATE orders SET CENTS = CENTS + 1 WHERE CENTS = 201; UPDATE orders SET CENTS = CENTS + 1 WHERE CENTS = 200",
                P,
                "",
            ),
        ],
    );
}

#[test]
fn a_tolerance_as_large_as_a_drawn_change() {
    const P: &str = "change the CENTS.";
    hold_database(
        "idle_goal",
        &[
            ("UPDATE orders SET CENTS = ROUND(CENTS - :few, 2)", P, "within 1"),
            ("UPDATE orders SET CENTS = ROUND(CENTS * (100 + :percent) / 100.0, 2)", P, "within 5%"),
            ("UPDATE orders SET CENTS = CENTS + :n", P, "within 100"),
            ("UPDATE orders SET CENTS = CENTS + :n", P, "within 60"),
            ("UPDATE orders SET CENTS = CENTS * (1 + :percent / 100.0)", P, "within 50"),
            ("UPDATE orders SET CENTS = -1 * (:n - CENTS)", P, "within 80"),
        ],
        &[
            ("UPDATE orders SET CENTS = ROUND(CENTS - :few, 2)", P, "within 0.01"),
            ("UPDATE orders SET CENTS = ROUND(CENTS * (100 + :percent) / 100.0, 2)", P, "within 1%"),
            ("UPDATE orders SET CENTS = CENTS + :n", P, "within 10"),
            ("UPDATE orders SET CENTS = CENTS * :n", P, "within 1"),
            ("UPDATE orders SET CENTS = :n - CENTS", P, "within 80"),
            ("UPDATE orders SET CENTS = CENTS / :n", P, "within 1"),
        ],
    );
}

#[test]
fn rows_that_the_prompt_says_to_leave() {
    hold_database(
        "unasked_change",
        &[
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS <> 'sent'",
                "send what is open. Leave the paid ones as they are.",
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS IN ('open', 'paid')",
                "send what is open. Leave those that are `paid` as they are.",
                "",
            ),
            ("DELETE FROM orders WHERE STATUS != 'open'", "delete what is sent. Do not touch what is paid.", ""),
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS > :n",
                "set CENTS above <<n>> to 100 in what is open. Keep what is paid.",
                "",
            ),
            ("DELETE FROM orders WHERE STATUS NOT IN ('open')", "delete what is sent. Leave everything paid.", ""),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete the small ones (CENTS below <<n>>). Never change sent ones.",
                "",
            ),
        ],
        &[
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'open'",
                "send what is open. Leave the paid ones as they are.",
                "",
            ),
            ("DELETE FROM orders WHERE STATUS = 'sent'", "delete what is sent. Do not touch what is paid.", ""),
            (
                "DELETE FROM orders WHERE STATUS = 'open' AND CENTS < :n",
                "delete what is open and below <<n>> CENTS. Leave open orders with larger CENTS.",
                "",
            ),
            ("UPDATE orders SET STATUS = 'sent' WHERE STATUS <> 'sent'", "send all. Leave nothing behind.", ""),
            ("UPDATE orders SET STATUS = 'sent' WHERE STATUS <> 'sent'", "send all. Leave what is sent as it is.", ""),
            (
                "UPDATE orders SET CENTS = 100 WHERE ID > 3",
                "overwrite the CENTS of all orders with ID above 3. Keep the rest.",
                "",
            ),
        ],
    );
}

#[test]
fn a_change_that_nothing_requires() {
    const FILES: &str = r#"w : word text note at "in/<<w>>.txt" : lorem paragraphs 2 text other at "in/b.txt" : lorem paragraphs 1 folder "old" "#;
    const LEGS: &str =
        r#"w : city json route at "r.json" { legs : [ { to : one_of ["Bern", "Genf"]  km : int 1..9 } ; 4..6 ] } "#;
    let caught = [
        format!(r#"{FILES} prompt "Move <<note>> to old/<<w>>.txt." expect file "old/<<w>>.txt" bytes note"#),
        format!(r#"{FILES} prompt "Rename the file <<note>> to old/x.txt, and leave <<other>> alone." expect file "old/x.txt" bytes note expect file other unchanged"#),
        format!(r#"{FILES} prompt "Move <<note>> to old/<<w>>.txt and make no other files." expect file "old/<<w>>.txt" bytes note expect tree only ["old/<<w>>.txt"]"#),
        format!(r#"{FILES} prompt "Delete <<note>>, and leave <<other>> as it is." expect file other unchanged expect reply contains "done""#),
        format!(r#"{LEGS} prompt "In <<route>>, set `to` of every leg to <<w>>." expect file route json edit(route, "$.legs[0].to", w)"#),
        format!(r#"{LEGS} prompt "In <<route>>, set `to` of all legs to <<w>>." expect file route json edit(route, "$.legs[1].to", w)"#),
        r#"n : int 1..9 m : int 10..19 json c at "c.json" { low : int 20..30  high : int 40..50 } prompt "In <<c>>, set `low` to <<n>> and `high` to <<m>>." expect file c json edit(c, "$.low", n)"#.to_owned(),
    ];
    let right = [
        format!(r#"{FILES} prompt "Move <<note>> to old/<<w>>.txt." expect file "old/<<w>>.txt" bytes note expect file note absent"#),
        format!(r#"{FILES} prompt "Copy <<note>> to old/<<w>>.txt." expect file "old/<<w>>.txt" bytes note"#),
        format!(r#"{FILES} prompt "Copy <<note>> to old/<<w>>.txt. Do not move <<note>>." expect file "old/<<w>>.txt" bytes note expect file note unchanged"#),
        format!(r#"{FILES} prompt "Delete <<note>>, and leave <<other>> as it is." expect file other unchanged expect file note absent"#),
        format!(r#"{LEGS} prompt "In <<route>>, set `to` of every leg to <<w>>." expect file route json edit(route, "$.legs[*].to", w)"#),
        format!(r#"{LEGS} prompt "In <<route>>, set `to` of the first leg to <<w>>." expect file route json edit(route, "$.legs[0].to", w)"#),
        r#"n : int 1..9 m : int 10..19 json c at "c.json" { low : int 20..30  high : int 40..50 } prompt "In <<c>>, set `low` to <<n>> and `high` to <<m>>." expect file c json edit(edit(c, "$.low", n), "$.high", m)"#.to_owned(),
    ];
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold("missing_change", &caught, &right);
    hold_database(
        "missing_change",
        &[
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS < :n",
                "set CENTS below <<n>> to 100. Also add one row to the table `audit`, with WHAT add.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS < :n",
                "set CENTS below <<n>> to 100, and insert a record into `audit`.",
                "",
            ),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete those with CENTS below <<n>>. Append an entry to the table audit.",
                "",
            ),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete those with CENTS below <<n>>. Then enter a row in `audit` with WHAT drop.",
                "",
            ),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete those with CENTS below <<n>>; add a new row, with WHAT drop, to the table `audit`.",
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'paid'",
                "set STATUS paid to sent, and add an entry about it to `audit`.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = 100 WHERE STATUS = 'open'",
                "set CENTS to 100 where STATUS is open, and then delete the orders whose STATUS is sent.",
                "",
            ),
            (
                "DELETE FROM orders WHERE STATUS = 'sent'",
                "delete the orders whose STATUS is sent, and set CENTS to 100 in all others.",
                "",
            ),
        ],
        &[
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS < :n; INSERT INTO audit VALUES (6, 'add')",
                "set CENTS below <<n>> to 100. Also add one row to the table `audit`, with ENTRY 6 and WHAT add.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS < :n",
                "set CENTS below <<n>> to 100. Do not add a row to the table `audit`.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = 100 WHERE CENTS < :n",
                "set CENTS below <<n>> to 100, and add a row in your own words to `audit`.",
                "ignore audit",
            ),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete those with CENTS below <<n>>. The table `audit` has the rows that others add.",
                "",
            ),
            (
                "DELETE FROM orders WHERE CENTS < :n",
                "delete those with CENTS below <<n>>. Without a row in `audit`.",
                "",
            ),
            ("DELETE FROM orders WHERE CENTS < :n", "delete those with CENTS below <<n>>. Add nothing.", ""),
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'open'",
                "delete the orders that are open as usual: their STATUS becomes sent.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = 100 WHERE STATUS = 'open'",
                "set CENTS to 100 where STATUS is open. Do not delete any orders.",
                "",
            ),
        ],
    );
}

#[test]
fn another_change_than_the_prompt_asks_for() {
    hold_database(
        "other_change",
        &[
            (
                "UPDATE orders SET CENTS = CENTS + 50; DELETE FROM orders WHERE CENTS > 700",
                "first delete those with CENTS above 700, then raise the CENTS of all others by 50.",
                "",
            ),
            (
                "DELETE FROM orders WHERE CENTS > 700; UPDATE orders SET CENTS = CENTS + 50",
                "raise all CENTS by 50, and then delete those with CENTS above 700.",
                "",
            ),
            ("UPDATE orders SET CENTS = CENTS - :n", "raise all CENTS by <<n>>.", ""),
            ("UPDATE orders SET CENTS = CENTS + :n", "reduce all CENTS by <<n>>.", ""),
            ("UPDATE orders SET CENTS = ROUND(CENTS * 0.9, 0)", "increase all CENTS by 10 percent.", ""),
            (
                "UPDATE orders SET STATUS = 'open' WHERE STATUS = 'paid'",
                "set the STATUS of every order that is paid to sent; open ones stay.",
                "",
            ),
            (
                "UPDATE orders SET STATUS = 'open' WHERE STATUS = 'paid'",
                "change the STATUS of paid orders to sent.",
                "",
            ),
        ],
        &[
            (
                "DELETE FROM orders WHERE CENTS > 700; UPDATE orders SET CENTS = CENTS + 50",
                "first delete those with CENTS above 700, then raise the CENTS of all others by 50.",
                "",
            ),
            (
                "UPDATE orders SET CENTS = CENTS + 50; DELETE FROM orders WHERE CENTS > 700",
                "raise all CENTS by 50, and then delete those with CENTS above 700.",
                "",
            ),
            ("UPDATE orders SET CENTS = CENTS + :n", "raise all CENTS by <<n>>.", ""),
            ("UPDATE orders SET CENTS = CENTS - :n", "reduce all CENTS by <<n>>.", ""),
            ("UPDATE orders SET CENTS = CENTS - :n", "a discount of <<n>> is to be booked for all CENTS.", ""),
            (
                "UPDATE orders SET STATUS = 'sent' WHERE STATUS = 'paid'",
                "set the STATUS of every order that is paid to sent; open ones stay.",
                "",
            ),
        ],
    );
}

#[test]
fn a_change_of_more_than_one_section_or_item() {
    const CONF: &str = r#"old, new : distinct int 20..90 text conf at "c.ini" = "[day]\nstep = <<old>>\n[night]\nstep = <<old>>\nlimit = 7\nmax limit = 75\n" "#;
    const LIST: &str = r#"n : int 10..99 json conf at "c.json" { sensors : [ { kind : one_of ["ph", "redox"]  limit : int 100..999 } ; 8..9 ] } "#;
    let caught = [
        format!(
            r#"{CONF} prompt "In <<conf>>, set the step of the section [night] to <<new>>. Leave all else." expect file conf bytes replace(content(conf), "step = <<old>>", "step = <<new>>")"#
        ),
        format!(
            r#"{CONF} prompt "In <<conf>>, the step at day becomes <<new>>. Leave all else." expect file conf bytes replace(content(conf), "step = <<old>>", "step = <<new>>")"#
        ),
        format!(
            r#"{CONF} prompt "In <<conf>>, set the limit to <<new>>. Leave all else." expect file conf bytes replace(content(conf), "limit = 7", "limit = <<new>>")"#
        ),
        format!(
            r#"{LIST} prompt "In <<conf>>, set the `limit` of each sensor of the kind `ph` to <<n>>." expect file conf json edit(conf, "$.sensors[*].limit", n)"#
        ),
        format!(
            r#"{LIST} prompt "In <<conf>>, set `limit` to <<n>> for every sensor whose kind is redox." expect file conf json edit(conf, "$.sensors[*].limit", n)"#
        ),
        format!(
            r#"{LIST} prompt "In <<conf>>, the ph sensors get the limit <<n>>." expect file conf json edit(conf, "$.sensors[*].limit", n)"#
        ),
    ];
    let right = [
        format!(
            r#"{CONF} prompt "In <<conf>>, set the step of both sections to <<new>>. Leave all else." expect file conf bytes replace(content(conf), "step = <<old>>", "step = <<new>>")"#
        ),
        format!(
            r#"{CONF} prompt "In <<conf>>, set the step in [day] and in [night] to <<new>>." expect file conf bytes replace(content(conf), "step = <<old>>", "step = <<new>>")"#
        ),
        format!(
            r#"{CONF} prompt "In <<conf>>, set the step of the section [night] to <<new>>." expect file conf bytes replace(content(conf), "[night]\nstep = <<old>>", "[night]\nstep = <<new>>")"#
        ),
        format!(
            r#"{CONF} prompt "In <<conf>>, set the max limit to <<new>>." expect file conf bytes replace(content(conf), "max limit = 75", "max limit = <<new>>")"#
        ),
        format!(
            r#"{LIST} prompt "In <<conf>>, set the `limit` of each sensor of the kind `ph` to <<n>>." expect file conf json edit(conf, "$.sensors[?@.kind == 'ph'].limit", n)"#
        ),
        format!(
            r#"{LIST} prompt "In <<conf>>, set the `limit` of every sensor to <<n>>, whether its kind is ph or redox." expect file conf json edit(conf, "$.sensors[*].limit", n)"#
        ),
    ];
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold("unasked_change", &caught, &right);
}

#[test]
fn files_that_nothing_looks_at() {
    const FILES: &str = r#"json conf at "conf.json" { port : int 1..9  log = "all" } text notes at "notes.txt" = "Ask Ada.\n"
  port : int 20..90
  prompt "Set the port in <<conf>> to <<port>>. Change nothing else.""#;
    let caught = [
        r#"expect file conf json edit(conf, "$.port", port)"#,
        r#"expect file conf json edit(conf, "$.port", port) expect reply text "done""#,
    ];
    let right = [
        r#"expect file conf json edit(conf, "$.port", port) expect tree unchanged except [conf]"#,
        r#"expect file conf json edit(conf, "$.port", port) expect file notes unchanged"#,
    ];
    let build = |bodies: &[&str]| -> Vec<String> { bodies.iter().map(|body| format!("{FILES} {body}")).collect() };
    let (caught, right) = (build(&caught), build(&right));
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    super::hold_also("unprotected", &caught, &right);
}
