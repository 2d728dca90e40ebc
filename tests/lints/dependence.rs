//! Lints on what answers depend on, and on what the agent is told: each with what it catches, and what comes near and is right.

use super::{hold, lints};

const SHOP: &str = "csv orders at \"orders.csv\" { rows 40..60 NAME : person_name CITY : one_of [\"Boston\", \"Austin\", \"Denver\"] \
    STATUS : one_of [\"pending\", \"completed\", \"cancelled\"] AMOUNT : int 10..900 NET : decimal 10.00..90.00 DAY : date 2024-01-01..2024-12-31 PAID : bool 40% }\n";

fn hold_with_shop(lint: &str, caught: &[&str], right: &[&str]) {
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{SHOP}{body}")).collect::<Vec<_>>();
    let (caught, right) = (with(caught), with(right));
    hold(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn untold_input() {
    hold_with_shop(
        "untold_input",
        &[
            r#"town : ref orders.CITY prompt "How many orders in <<orders>> are from there?" expect reply number count(orders where CITY == town)"#,
            r#"town : ref orders.CITY prompt "How many orders in <<orders>> are from there?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE CITY = :town>>"#,
            r#"limit : int 100..800 big = count(orders where AMOUNT > limit) require big > 2 prompt "How many big orders are in <<orders>>?" expect reply number big"#,
            r#"axis limit = [200, 400] prompt "How many big orders are in <<orders>>?" expect reply number count(orders where AMOUNT > limit)"#,
            r#"town : ref orders.CITY prompt one_of ["How many orders in <<orders>> are from <<town>>?", "How many orders of that city are in <<orders>>?"] expect reply number count(orders where CITY == town)"#,
            r#"low : int 100..300 high : int low..800 prompt "How many orders in <<orders>> have an AMOUNT up to <<high>>?" expect reply number count(orders where AMOUNT >= low and AMOUNT <= high)"#,
            r#"csv staff at "staff.csv" { rows 30 NAME : person_name _VIP : bool 20% } prompt "How many people in <<staff>> are important, and how many rows has <<orders>>?" expect reply number count(staff where _VIP)"#,
            r#"table rates { rows 5 RATE : int 2..90 } prompt "What is the sum of the rates, and of AMOUNT in <<orders>>?" expect reply number sum(rates.RATE) + sum(orders.AMOUNT)"#,
            r#"town : ref orders.CITY variant a { prompt "How many orders in <<orders>> are from <<town>>?" expect reply number count(orders where CITY == town) }
               variant b { prompt "What is their total AMOUNT in <<orders>>?" expect reply number coalesce(sum(orders.AMOUNT where CITY == town), 0) }"#,
            r#"some : ref orders.DAY where CITY == "Boston" prompt "How many orders in <<orders>> are from that day? They are about Boston." expect reply number count(orders where DAY == some)"#,
        ],
        &[
            r#"town : ref orders.CITY prompt "How many orders in <<orders>> are from <<town>>?" expect reply number count(orders where CITY == town)"#,
            r#"town : ref orders.CITY text note at "note.txt" = "We look at <<town>>." prompt "How many orders in <<orders>> are from the city that <<note>> names?" expect reply number count(orders where CITY == town)"#,
            r#"town : ref orders.CITY shown = "the city of <<town>>" prompt "How many orders in <<orders>> are from <<shown>>?" expect reply number count(orders where CITY == town)"#,
            r#"who, town : ref orders.(NAME, CITY) prompt "In which CITY is the order of <<who>> in <<orders>>?" expect reply text town"#,
            r#"n : int 2..6 name = <<csv_value: orders.NAME, n>> prompt "What is the AMOUNT of the order of <<name>> in <<orders>>?" expect reply number <<csv_value: orders.AMOUNT, n>>"#,
            r#"a, b : distinct word text f at "<<a>>/x.txt" = "old" prompt "Move <<f>> to <<sandbox>>/<<b>>/x.txt. See <<orders>>." expect file "<<b>>/x.txt" text "old""#,
            r#"axis size = [20, 40] csv t at "t.csv" { rows size N : int 1..9 } prompt "How many rows of <<t>> are there, and in <<orders>>?" expect reply number size + count(orders)"#,
            r#"csv staff at "staff.csv" { rows 30 _VIP : bool 20% BADGE = if _VIP then "gold" else "none" } prompt "How many in <<staff>> have a gold BADGE? See <<orders>>." expect reply number count(staff where _VIP)"#,
            r#"limit : int 100..800 json config at "config.json" { most = limit } prompt "How many orders in <<orders>> are over the limit of <<config>>?" expect reply number count(orders where AMOUNT > limit)"#,
            r#"allow untold_input "to be guessed" town : ref orders.CITY prompt "Guess: how many orders in <<orders>> are from there?" expect reply number count(orders where CITY == town)"#,
        ],
    );
}

#[test]
fn unread_condition() {
    hold_with_shop(
        "unread_condition",
        &[
            r#"limit : int 100..800 prompt "How many orders in <<orders>> have an AMOUNT above <<limit>>?" expect reply number count(orders)"#,
            r#"limit : int 100..800 prompt "What is the sum of AMOUNT in <<orders>> of orders of at least <<limit>>?" expect reply number sum(orders.AMOUNT)"#,
            r#"town : ref orders.CITY prompt "How many orders in <<orders>> come from <<town>>?" expect reply number count(orders)"#,
            r#"town : ref orders.CITY prompt "What is the total AMOUNT of the orders in <<town>>, by <<orders>>?" expect reply number sum(orders.AMOUNT)"#,
            r#"town : one_of ["Boston", "Austin", "Denver"] prompt "How many rows of <<orders>> have the CITY <<town>>?" expect reply number count(orders)"#,
            r#"day : date 2024-02-01..2024-10-31 prompt "How many orders in <<orders>> are dated after <<day>>?" expect reply number count(orders)"#,
            r#"town : ref orders.CITY limit : int 100..800 prompt "How many orders in <<orders>> from <<town>> have an AMOUNT over <<limit>>?" expect reply number count(orders where CITY == town)"#,
            r#"axis limit = [200, 400] prompt "How many orders in <<orders>> have an AMOUNT above <<limit>>?" expect reply number count(orders)"#,
        ],
        &[
            r#"limit : int 100..800 prompt "How many orders in <<orders>> have an AMOUNT above <<limit>>?" expect reply number count(orders where AMOUNT > limit)"#,
            r#"boss : person_name prompt "<<boss>> wants to know: how many orders are in <<orders>>?" expect reply number count(orders)"#,
            r#"n : int 20..90 prompt "How many orders are in <<orders>>? Explain it in at most <<n>> words." expect reply contains count(orders)"#,
            r#"limit : int 1000..2000 require sum(orders.AMOUNT) > limit prompt "The orders in <<orders>> sum to more than <<limit>>. How many are there?" expect reply number count(orders)"#,
            r#"town : city prompt "Our office moved to <<town>>. How many orders are in <<orders>>?" expect reply number count(orders)"#,
            r#"dir : word prompt "How many orders are in <<orders>>? Write it to <<sandbox>>/<<dir>>.txt." expect file "<<dir>>.txt" number count(orders)"#,
            r#"day : date 2024-02-01..2024-10-31 prompt "Today is <<day>>. How many orders are in <<orders>>?" expect reply number count(orders)"#,
            r#"limit : int 100..800 prompt "Use <<orders>>."
               variant a { prompt "How many have an AMOUNT above <<limit>>?" expect reply number count(orders where AMOUNT > limit) }
               variant b { prompt "How many are there in all, also those above <<limit>>?" expect reply number count(orders) }"#,
        ],
    );
}

#[test]
fn untold_literal() {
    hold_with_shop(
        "untold_literal",
        &[
            r#"prompt "What is the total AMOUNT of all orders in <<orders>>? Reply with the number only." expect reply number coalesce(sum(orders.AMOUNT where STATUS == "completed"), 0)"#,
            r#"prompt "How many pending orders are in <<orders>>?" expect reply number count(orders where STATUS == "completed")"#,
            r#"prompt "How many orders are in <<orders>>?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE STATUS = 'completed'>>"#,
            r#"prompt "How many orders from Boston are in <<orders>>?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE CITY = 'Denver'>>"#,
            r#"prompt "How many orders in <<orders>> have an AMOUNT above 500?" expect reply number count(orders where AMOUNT > 400)"#,
            r#"prompt "What is the sum of NET of all rows in <<orders>>, in euros?" expect reply number sum(orders.NET) * 1.19 rounded 2"#,
            r#"prompt "What is the sum of AMOUNT in <<orders>>?" expect reply number coalesce(sum(orders.AMOUNT where DAY >= 2024-03-01), 0)"#,
            r#"prompt "What is the sum of AMOUNT in <<orders>>? Reply with the number." expect reply number coalesce(sum(orders.AMOUNT where PAID), 0)"#,
            r#"prompt "How many orders are in <<orders>>?" expect reply number count(orders where AMOUNT > 250)"#,
        ],
        &[
            r#"prompt "What is the total AMOUNT of all completed orders in <<orders>>?" expect reply number coalesce(sum(orders.AMOUNT where STATUS == "completed"), 0)"#,
            r#"prompt "What is the total AMOUNT of the orders in <<orders>> that were finished?" expect reply number coalesce(sum(orders.AMOUNT where STATUS == "completed"), 0)"#,
            r#"prompt "How many orders that went out fine are in <<orders>>?" expect reply number count(orders where STATUS == "completed")"#,
            r#"prompt "How many orders in <<orders>> have an AMOUNT above five hundred?" expect reply number count(orders where AMOUNT > 500)"#,
            r#"prompt "What is the sum of NET in <<orders>> with 19 % tax?" expect reply number sum(orders.NET) * 1.19 rounded 2"#,
            r#"text rules at "rules.txt" = "Add 19% to every price. Only completed orders count." prompt "What is the sum of NET in <<orders>> by <<rules>>?" expect reply number coalesce(sum(orders.NET where STATUS == "completed"), 0) * 1.19 rounded 2"#,
            r#"prompt "What is the sum of AMOUNT in <<orders>> since March?" expect reply number coalesce(sum(orders.AMOUNT where DAY >= 2024-03-01), 0)"#,
            r#"prompt "What is the sum of AMOUNT of the orders in <<orders>> that have been paid?" expect reply number coalesce(sum(orders.AMOUNT where PAID), 0)"#,
            r#"prompt "The year two thousand twenty-four had a leap day. How many orders in <<orders>> are of that DAY?" expect reply number count(orders where DAY == 2024-02-29)"#,
            r#"state = "completed" prompt "How many <<state>> orders are in <<orders>>?" expect reply number count(orders where STATUS == state)"#,
            r#"prompt "How many orders are in <<orders>>, without those that fell through?" expect reply number count(orders where STATUS != "cancelled")"#,
            r#"prompt "What is the total NET of <<orders>> in cents?" expect reply number sum(orders.NET) * 100"#,
        ],
    );
}

#[test]
fn unread_column() {
    hold_with_shop(
        "unread_column",
        &[
            r#"prompt "How many orders in <<orders>> have more than 50 in `NET`?" expect reply number count(orders where AMOUNT > 50)"#,
            r#"prompt "How many orders in <<orders>> have a NET above 50?" expect reply number count(orders where AMOUNT > 50)"#,
            r#"town : ref orders.CITY prompt "How many orders in <<orders>> have <<town>> as NAME?" expect reply number count(orders where CITY == town)"#,
            r#"prompt "List the values of NET in <<orders>>, one a line." expect reply list list(orders.AMOUNT)"#,
            r#"prompt "How many orders in <<orders>> have a NET over 50?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE AMOUNT > 50>>"#,
            r#"prompt "Which value is in the column `NET` of the first row of <<orders>>?" expect reply number first(orders.AMOUNT)"#,
        ],
        &[
            r#"prompt "How many orders in <<orders>> have more than 50 in `AMOUNT`?" expect reply number count(orders where AMOUNT > 50)"#,
            r#"prompt "How many orders in <<orders>> have an amount above 50? NET does not matter." expect reply number count(orders where AMOUNT > 50)"#,
            r#"prompt "<<orders>> has NAME, CITY, and DAY. How many rows have more than 50 as price?" expect reply number count(orders where AMOUNT > 50)"#,
            r#"prompt "How many rows of <<orders>> are there, with a CITY or not?" expect reply number count(orders)"#,
            r#"prompt "Reply with JSON with the key NET: the sum of the price in <<orders>>." expect reply json { NET: sum(orders.AMOUNT) }"#,
            r#"prompt "For which NAME is the price highest in <<orders>>?" expect reply number max(orders.AMOUNT)"#,
        ],
    );
}

#[test]
fn leaks_by_value() {
    hold_with_shop(
        "leaked_answer",
        &[
            r#"prompt "<<orders>> has <<count(orders)>> rows. How many have a NAME?" expect reply number count(orders.NAME)"#,
            r#"csv t at "t.csv" { rows 30..50 N : int 1..9 } prompt "There are <<count(t)>> rows in <<t>>. How many rows are there? See <<orders>>." expect reply number <<value: SELECT COUNT(*) FROM t>>"#,
            r#"n : int 20..90 csv t at "t.csv" { rows n N : int 1..9 } prompt "<<t>> has <<n>> rows. How many rows are in it?" expect reply number count(t)"#,
            r#"q = <<value: SELECT MAX(o.AMOUNT) AS best FROM orders o>> prompt "In <<orders>> the best is <<q>>. What is the highest AMOUNT?" expect reply number <<value: select max(AMOUNT) from orders>>"#,
            r#"text readme at "README.md" = "The total is <<sum(orders.AMOUNT)>>." prompt "What is the sum of AMOUNT in <<orders>>?" expect reply number sum(orders.AMOUNT)"#,
            r#"json meta at "meta.json" = { total: sum(orders.AMOUNT) } prompt "What is the sum of AMOUNT in <<orders>>? See also <<meta>>." expect reply number sum(orders.AMOUNT)"#,
            r#"town : city csv t at "data/<<town>>.csv" { rows 30 N : int 1..9 CITY = town } prompt "Which city is in the column CITY of <<t>>? See <<orders>>." expect reply text town"#,
            r#"total = sum(orders.AMOUNT) text out at "totals/<<total>>.txt" = "x" prompt "What is the sum of AMOUNT in <<orders>>?" expect reply number total"#,
        ],
        &[
            r#"prompt "How many rows of <<orders>> have a NAME?" expect reply number count(orders.NAME)"#,
            r#"text report at "report.txt" = "The total is <<sum(orders.AMOUNT)>>." prompt "Which total does <<report>> state?" expect reply number sum(orders.AMOUNT)"#,
            r#"csv t at "t.csv" { rows 30 N : int 1..9 blank 10% } prompt "<<t>> has <<count(t)>> rows. How many have an N? See <<orders>>." expect reply number count(t.N)"#,
            r#"a, b : distinct word text f at "<<a>>.txt" = "x" text g at "<<b>>.txt" = "y" prompt "Which of <<f>> and <<g>> contains x? Reply with its name without the ending. See <<orders>>." expect reply text a"#,
            r#"prompt "In <<orders>> the lowest AMOUNT is <<min(orders.AMOUNT)>>. What is the highest?" expect reply number max(orders.AMOUNT)"#,
            r#"json meta at "meta.json" = { rows: count(orders) } prompt "What is the sum of AMOUNT in <<orders>>? See also <<meta>>." expect reply number sum(orders.AMOUNT)"#,
        ],
    );
}

/// A slip is told once.
#[test]
fn one_slip_has_one_diagnostic() {
    let with = |body: &str| lints(&format!("{SHOP}{body}")).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(
        with(
            r#"limit : int 100..800 prompt "How many orders in <<orders>> have an AMOUNT above 300?" expect reply number count(orders where AMOUNT > limit)"#
        ),
        ["untold_input"]
    );
    assert_eq!(
        with(
            r#"limit : int 100..800 prompt "How many orders in <<orders>> have an AMOUNT above <<limit>>?" expect reply number count(orders where AMOUNT > 300)"#
        ),
        ["unread_condition"]
    );
}

#[test]
fn names_that_siblings_do_not_tell() {
    let stock = "csv bins at \"bins.csv\" { rows 120 BIN : unique pattern \"[A-D][0-9]{4}\" SITE : one_of [\"Venlo\", \"Gent\", \"Lille\"] ZONE : one_of [\"bulk\", \"pick\", \"cold\"] QTY : int 1..480 }\n";
    let with = |body: &str| format!("{stock}{body}");
    let caught = [
        r#"site, zone : ref bins.(SITE, ZONE) prompt "How many pieces lie in zone <<zone>> of <<bins>> altogether?" expect reply number coalesce(sum(bins.QTY where SITE == site and ZONE == zone), 0)"#,
        r#"site, zone : ref bins.(SITE, ZONE) prompt one_of ["What is the sum of QTY in <<zone>> of <<site>>, by <<bins>>?", "What is the sum of QTY in <<zone>>, by <<bins>>?"] expect reply number coalesce(sum(bins.QTY where SITE == site and ZONE == zone), 0)"#,
    ];
    let right = [
        r#"site, zone : ref bins.(SITE, ZONE) prompt "What is the sum of QTY in <<zone>> of <<site>>, by <<bins>>?" expect reply number coalesce(sum(bins.QTY where SITE == site and ZONE == zone), 0)"#,
        r#"bin, site : ref bins.(BIN, SITE) prompt "How many pieces lie at the site of bin <<bin>>, by <<bins>>?" expect reply number coalesce(sum(bins.QTY where SITE == site), 0)"#,
    ];
    let (caught, right) = (caught.map(with), right.map(with));
    super::hold_also(
        "untold_input",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn terms_that_only_the_suite_knows() {
    let names =
        |text: &str| testing::compile_with(text, &[]).diagnostics.iter().map(|said| said.code.name).collect::<Vec<_>>();
    let with = |constants: &str, body: &str| {
        format!("suite s {{ title \"S\" version \"1\" }}\n{constants}\ntask t {{\n{SHOP}{body}\n}}\n")
    };
    let caught = [
        (
            "REPORTABLE = 700",
            r#"prompt "How many orders of <<orders>> must be reported, by AMOUNT?" expect reply number count(orders where AMOUNT >= REPORTABLE)"#,
        ),
        (
            "CENSUS = 2024-09-19",
            r#"prompt "How many orders of <<orders>> came up to the census?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE DAY <= :CENSUS>>"#,
        ),
        (
            "",
            r#"prompt "How many orders of <<orders>> exceed what their CITY allows, by AMOUNT?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE AMOUNT > CASE CITY WHEN 'Boston' THEN 115 WHEN 'Austin' THEN 160 ELSE 240 END>>"#,
        ),
    ];
    for (constants, body) in caught {
        assert_eq!(names(&with(constants, body)), ["untold_literal"], "{body}");
    }
    let vague = [
        r#"prompt "How many large orders are in <<orders>>, by AMOUNT?" expect reply number count(orders where AMOUNT >= 500)"#,
        r#"prompt "How many orders of <<orders>> are over the limit, by AMOUNT?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE AMOUNT > 500>>"#,
    ];
    for body in vague {
        assert_eq!(names(&with("", body)), ["untold_literal"], "{body}");
    }
    let clear = [
        r#"prompt "How many large orders are in <<orders>>, that is, with an AMOUNT from 500 on?" expect reply number count(orders where AMOUNT >= 500)"#,
        r#"prompt "How large is the AMOUNT of the orders of <<orders>> together?" expect reply number sum(orders.AMOUNT)"#,
    ];
    for body in clear {
        assert_eq!(names(&with("", body)), Vec::<&str>::new(), "{body}");
    }
    let right = [
        (
            "REPORTABLE = 700",
            r#"prompt "How many orders of <<orders>> must be reported, which is from an AMOUNT of <<REPORTABLE>>?" expect reply number count(orders where AMOUNT >= REPORTABLE)"#,
        ),
        (
            "REPORTABLE = 700",
            r#"prompt "How many orders of <<orders>> must be reported, which is from an AMOUNT of 700?" expect reply number count(orders where AMOUNT >= REPORTABLE)"#,
        ),
        (
            "REPORTABLE = 700",
            r#"text note at "rules.txt" = "Orders from 700 are reported." prompt "How many orders of <<orders>> must be reported by <<note>>?" expect reply number count(orders where AMOUNT >= REPORTABLE)"#,
        ),
        (
            "",
            r#"prompt "How many orders of <<orders>> exceed 115 (Boston), 160 (Austin), or 240 (elsewhere) in AMOUNT, by CITY?" expect reply number <<value: SELECT COUNT(*) FROM orders WHERE AMOUNT > CASE CITY WHEN 'Boston' THEN 115 WHEN 'Austin' THEN 160 ELSE 240 END>>"#,
        ),
    ];
    for (constants, body) in right {
        assert_eq!(names(&with(constants, body)), Vec::<&str>::new(), "{body}");
    }
}

#[test]
fn numbers_of_tables_that_no_agent_gets() {
    let names = |rates: &str, body: &str| {
        let text =
            format!("suite s {{ title \"S\" version \"1\" }}\ntable fx from \"fx.csv\"\ntask t {{\n{body}\n}}\n");
        let compiled = testing::compile_with(&text, &[("fx.csv", rates.as_bytes())]);
        compiled.diagnostics.iter().map(|said| said.code.name).collect::<Vec<_>>()
    };
    let rates = "CODE,RATE\nUSD,0.92\nGBP,1.17\nCHF,1.05\n";
    let bills = "csv bills at \"bills.csv\" { rows 60 ID : serial CODE : ref fx.CODE NET : int 100..8000 }\n";
    let drawn = format!("code, rate : ref fx.(CODE, RATE)\n{bills}");
    let sum = "expect reply number coalesce(sum(bills.NET where CODE == code), 0) * rate rounded 2";
    let asks = "Reply with the number only, rounded to 2 decimals.";
    let caught = [
        format!("{drawn}prompt \"What are the <<code>> bills of <<bills>> worth in euros, by NET? {asks}\" {sum}"),
        format!(
            "{bills}prompt \"What are the bills of <<bills>> worth in euros, by NET? {asks}\" expect reply number <<value: SELECT coalesce(SUM(b.NET * f.RATE), 0) FROM bills b JOIN fx f USING (CODE)>> rounded 2"
        ),
    ];
    for body in caught {
        assert_eq!(names(rates, &body), ["untold_input"], "{body}");
    }
    let right = [
        format!(
            "{drawn}prompt \"What are the <<code>> bills of <<bills>> worth in euros, by NET, at a rate of <<rate>>? {asks}\" {sum}"
        ),
        format!(
            "{drawn}prompt \"What are the <<code>> bills of <<bills>> worth in euros, by NET? The rates are 0.92 for USD, 1.17 for GBP, 1.05 for CHF. {asks}\" {sum}"
        ),
        format!(
            "{drawn}csv shown at \"rates.csv\" from fx\nprompt \"What are the <<code>> bills of <<bills>> worth in euros, by NET and the rates of <<shown>>? {asks}\" {sum}"
        ),
    ];
    for body in right {
        assert_eq!(names(rates, &body), Vec::<&str>::new(), "{body}");
    }
}
