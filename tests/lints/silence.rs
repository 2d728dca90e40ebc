//! V30: what was said of suites that are right, and is still said of those next to them.

use super::{compile, lints};

/// Checks bodies: whether each gets the lint.
#[track_caller]
fn told(lint: &str, cases: &[(String, bool)]) {
    let mut wrong = Vec::new();
    for (body, is_told) in cases {
        let compiled = compile(body);
        let errors = compiled.diagnostics.iter().filter(|said| said.code.id.starts_with('E')).count();
        let found = lints(body).iter().any(|(name, _)| *name == lint);
        if found != *is_told || errors > 0 {
            wrong.push(format!("{lint}: told {found}, wanted {is_told}\n{body}\n{:#?}", compiled.diagnostics));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn ranks_that_the_prompt_settles() {
    let hr = r#"csv hr at "hr.csv" { rows 30 NAME : unique person_name PAY : int 30_000..90_000 }"#;
    let mut cases = Vec::new();
    for rank in ["DENSE_RANK", "RANK"] {
        for filter in ["r <= 3", "r = 2", "r < 4"] {
            for (prompt, is_told) in [
                ("Who earns one of the three highest values of PAY in <<hr>>?", false),
                ("Whose PAY is among the three highest in <<hr>>?", false),
                ("Who earns the three highest distinct values of PAY in <<hr>>?", false),
                ("Which people in <<hr>> have the three highest different values of PAY?", false),
                ("Who is on the first places by PAY in <<hr>>? People with one PAY share a place.", false),
                ("List everybody in <<hr>> with the three highest values of PAY.", false),
                ("Who are the three best paid people in <<hr>>?", true),
                ("Name the people with the top 3 PAY in <<hr>>.", true),
                ("Who is ranked third in <<hr>>?", true),
            ] {
                let list = format!(
                    "<<list: SELECT NAME FROM (SELECT NAME, {rank}() OVER (ORDER BY PAY DESC) AS r FROM hr) WHERE {filter}>>"
                );
                cases.push((format!("{hr} prompt \"{prompt}\" expect reply list {list}"), is_told));
            }
        }
    }
    told("tied_answer", &cases);
}

#[test]
fn joins_that_the_prompt_explains() {
    let shop = r#"sqlite shop at "shop.db" {
        table customers { rows 20  CUST_ID : serial  NAME : person_name }
        table orders { rows 90  ORD_ID : serial  CUST_ID : ref customers.CUST_ID  QTY : int 1..9 } }"#;
    let mut cases = Vec::new();
    for join in ["orders o JOIN customers c ON o.ORD_ID = c.CUST_ID", "orders o, customers c WHERE c.CUST_ID = o.QTY"] {
        let column = if join.contains("QTY") { "QTY" } else { "ORD_ID" };
        for (prompt, is_told) in [
            (format!("Match orders and customers of <<shop>> where {column} equals CUST_ID"), false),
            (
                format!(
                    "Pair each customer of <<shop>> with the orders whose {column} is the same number as its CUST_ID"
                ),
                false,
            ),
            (format!("Join orders and customers of <<shop>> on {column} and CUST_ID"), false),
            ("Join orders and customers of <<shop>>".to_owned(), true),
            (format!("In <<shop>>, look at {column} of the orders and at the customers"), true),
            (format!("In <<shop>>, look at {column} and CUST_ID"), true),
        ] {
            let answer = format!("<<sqlite_query: shop, SELECT COUNT(*) FROM {join}>>");
            cases.push((
                format!("{shop} prompt \"{prompt}: how many pairs are there?\" expect reply number {answer}"),
                is_told,
            ));
        }
    }
    told("join_on_no_key", &cases);
}

#[test]
fn goals_that_a_count_of_changes_fixes() {
    let body = |requires: &str| {
        format!(
            r#"few : int 0..3  some : int 1..4
               sqlite shop at "shop.db" {{ table orders {{ rows 30  ID : serial  QTY : int 1..9  STATUS : one_of ["open", "paid"] }} }}
               open = count(shop.orders where QTY == 1)
               late = count(shop.orders where QTY == 2)
               goal = <<after: shop, DELETE FROM orders WHERE QTY < 3>>
               {requires}
               prompt "In <<shop>>, delete <<few>> or <<some>> orders with a QTY below 3."
               expect file shop database goal"#
        )
    };
    let cases: Vec<(String, bool)> = [
        ("require changed(goal) == open + late", false),
        ("require open + late == changed(goal)", false),
        ("require changed(goal) >= open and open > 0", false),
        ("require changed(goal) > open", false),
        ("require changed(goal) == some", false),
        ("require changed(goal) == few + some", false),
        ("require changed(goal) > few", false),
        ("require changed(goal) > 0", false),
        ("require changed(goal) != 0", false),
        ("", true),
        ("require open > 0", true),
        ("require changed(goal) >= 0", true),
        ("require changed(goal) == few", true),
        ("require changed(goal) >= few", true),
        ("require changed(goal) < open + late", true),
        ("require changed(goal) != open", true),
        ("require changed(goal) == some or open > 0", true),
    ]
    .into_iter()
    .map(|(requires, is_told)| (body(requires), is_told))
    .collect();
    told("idle_goal", &cases);
}

#[test]
fn repeated_rows_that_the_prompt_explains() {
    let cases: Vec<(String, bool)> = [
        ("Deduplicate it first.", false),
        ("De-duplicate the lines before you add them up.", false),
        ("Please dedupe the rows.", false),
        ("Identical lines are the same booking.", false),
        ("Lines that are identical stand for one sale.", false),
        ("The export has copies of some rows; ignore them.", false),
        ("Ignore duplicates.", false),
        ("A sale counts once.", false),
        ("A line can come back a second time.", false),
        ("Count the same row one time.", false),
        ("Reply with the number only.", true),
        ("Add all lines.", true),
        ("The lines are in no order.", true),
        ("Do this at the same time for all.", true),
    ]
    .into_iter()
    .map(|(words, is_told)| {
        let body = format!(
            r#"table sales {{ rows 40  ID : serial  AMOUNT : int 100..999 }}
               csv export_ at "export.csv" from sales {{
                 rows repeat 10%
                 ID = ID
                 AMOUNT = AMOUNT
               }}
               prompt "What is the sum of AMOUNT in <<export_>>? {words}"
               expect reply number sum(sales.AMOUNT)"#
        );
        (body, is_told)
    })
    .collect();
    told("untold_convention", &cases);
}

#[test]
fn columns_that_follow_from_written_ones() {
    let cases: Vec<(String, bool)> = [
        ("LOCAL = UTC + OFFSET * 1 hours", "LOCAL = LOCAL  OFFSET = OFFSET", false),
        ("LOCAL = OFFSET * 1 hours + UTC", "LOCAL = LOCAL  OFFSET = OFFSET", false),
        ("LOCAL = UTC - OFFSET * 1 hours", "LOCAL = LOCAL  OFFSET = OFFSET", false),
        ("LOCAL = UTC + 2 hours", "LOCAL = LOCAL  OFFSET = OFFSET", false),
        ("LOCAL = UTC", "LOCAL = LOCAL  OFFSET = OFFSET", false),
        ("LOCAL = UTC + OFFSET * 1 hours", "LOCAL = LOCAL", true),
        ("LOCAL = UTC + OFFSET * 1 hours", "OFFSET = OFFSET", true),
        ("LOCAL = date(UTC)", "LOCAL = LOCAL  OFFSET = OFFSET", true),
        ("LOCAL = if OFFSET > 2 then UTC else UTC + 1 hours", "LOCAL = LOCAL  OFFSET = OFFSET", true),
    ]
    .into_iter()
    .map(|(local, written, is_told)| {
        let body = format!(
            r#"table calls {{ rows 20  ID : serial  UTC : datetime 2024-01-01T00:00..2024-12-31T23:00 step 1 hours  OFFSET : int 0..5  {local} }}
               csv log at "log.csv" from calls {{ ID = ID  {written} }}
               prompt "How many calls in <<log>> are before 2024-07-01 in UTC? Local time is UTC and the offset."
               expect reply number count(calls where UTC < 2024-07-01T00:00)"#
        );
        (body, is_told)
    })
    .collect();
    told("unwritten_column", &cases);
}

#[test]
fn values_that_are_rounded_by_a_rule_that_is_told_or_does_not_matter() {
    let hr = r#"csv hr at "hr.csv" { rows 40 NAME : person_name PAY : int 30_000..90_000 FEE : decimal 1.00..9.99 }"#;
    let cases: Vec<(String, bool)> = [
        // No number of cents by 12 is a half: there is one way to round.
        ("What is the sum of PAY in <<hr>> a month, rounded to cents?", "round(sum(hr.PAY) / 12, 2)", false),
        ("What is the sum of PAY in <<hr>> a week, rounded to 2 decimals?", "round(sum(hr.PAY) / 52, 2)", false),
        ("What is a quarter of the sum of PAY in <<hr>>, rounded to 2 decimals?", "round(sum(hr.PAY) / 4, 2)", false),
        ("What is a third of all FEE in <<hr>>, to cents?", "round(sum(hr.FEE) / 3, 2)", false),
        ("What is the average PAY in <<hr>>? Use banker's rounding, 2 places.", "round(avg(hr.PAY), 2)", false),
        ("What is the average PAY in <<hr>>? Round commercially to 2 places.", "round(avg(hr.PAY), 2)", false),
        ("What is the average PAY in <<hr>>, 2 places? Ties go away from zero.", "round(avg(hr.PAY), 2)", false),
        ("What is the average PAY in <<hr>>, rounded to 2 places?", "round(avg(hr.PAY), 2) within 0.005", false),
        ("What is an eighth of the sum of PAY in <<hr>>, rounded to 2 decimals?", "round(sum(hr.PAY) / 8, 2)", true),
        ("What is the sum of FEE in <<hr>> divided by two, to cents?", "round(sum(hr.FEE) / 2, 2)", true),
        ("What is a quarter of the sum of PAY in <<hr>>, rounded to 1 decimal?", "round(sum(hr.PAY) / 4, 1)", true),
        ("What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2)", true),
    ]
    .into_iter()
    .map(|(prompt, answer, is_told)| (format!("{hr} prompt \"{prompt}\" expect reply number {answer}"), is_told))
    .collect();
    told("unshared_rounding", &cases);
}

#[test]
fn values_that_are_never_halfway_or_whose_rule_is_told() {
    let right = [
        // Means of a fixed number of rows, medians, and shares of a fixed number of rows.
        (12, "What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2)"),
        (30, "What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2)"),
        (30, "What is the average PAY in <<hr>>, rounded to 1 decimal?", "round(avg(hr.PAY), 1)"),
        (25, "What is the average PAY in <<hr>>, rounded to a whole number?", "round(avg(hr.PAY), 0)"),
        (9, "What is the average FEE in <<hr>>, rounded to cents?", "round(avg(hr.FEE), 2)"),
        (40, "What is the average FEE in <<hr>>, rounded to 5 decimals?", "round(avg(hr.FEE), 5)"),
        (40, "What is the median PAY in <<hr>>, rounded to 1 decimal?", "round(median(hr.PAY), 1)"),
        (
            40,
            "What is the median PAY above 40000 in <<hr>>, to 2 decimals?",
            "round(coalesce(median(hr.PAY where PAY > 40_000), 0), 2)",
        ),
        (40, "What is the median FEE in <<hr>>, rounded to 3 decimals?", "round(median(hr.FEE), 3)"),
        (
            30,
            "Which share of <<hr>> earns over 50000, in percent with 1 decimal?",
            "round(100 * count(hr where PAY > 50_000) / count(hr), 1)",
        ),
        (
            30,
            "What is the sum of PAY in <<hr>> by its number of rows, rounded to 2 decimals?",
            "round(sum(hr.PAY) / count(hr), 2)",
        ),
        (12, "What is the sum of FEE in <<hr>> by 3, rounded to cents?", "round(sum(hr.FEE) / 3, 2)"),
        // The rule is in the prompt.
        (40, "What is the average PAY in <<hr>>, to 2 decimals? Round .5 up.", "round(avg(hr.PAY), 2)"),
        (40, "What is the average PAY in <<hr>>, to 2 decimals, where a 5 rounds up?", "round(avg(hr.PAY), 2)"),
        (40, "What is the average PAY in <<hr>>, to 2 decimals? Ties round up.", "round(avg(hr.PAY), 2)"),
        (40, "What is the average PAY in <<hr>>, to 2 decimals? Ties are rounded up.", "round(avg(hr.PAY), 2)"),
        (40, "What is the average PAY in <<hr>>, to 2 decimals (ROUND_HALF_UP)?", "round(avg(hr.PAY), 2)"),
        (40, "What is the average PAY in <<hr>>, to 2 decimals as Excel's ROUND does?", "round(avg(hr.PAY), 2)"),
        // Another matcher option, or no rounding of the answer.
        (40, "What is the average PAY in <<hr>>, to 2 decimals?", "avg(hr.PAY) rounded 2"),
        (40, "What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2) within 0.011"),
        (40, "How much is the average PAY in <<hr>>, rounded down?", "floor(avg(hr.PAY))"),
    ];
    let wrong = [
        (40, "What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2)"),
        (8, "What is the average PAY in <<hr>>, rounded to 2 decimals?", "round(avg(hr.PAY), 2)"),
        (30, "What is the average PAY in <<hr>>, rounded to a whole number?", "round(avg(hr.PAY), 0)"),
        (30, "What is the average FEE in <<hr>>, rounded to cents?", "round(avg(hr.FEE), 2)"),
        (
            30,
            "What is the average PAY above 40000 in <<hr>>, rounded to 2 decimals?",
            "round(coalesce(avg(hr.PAY where PAY > 40_000), 0), 2)",
        ),
        (30, "What is the average BONUS in <<hr>>, rounded to 2 decimals?", "round(coalesce(avg(hr.BONUS), 0), 2)"),
        (40, "What is the median PAY in <<hr>>, rounded to a whole number?", "round(median(hr.PAY), 0)"),
        (
            40,
            "Which share of <<hr>> earns over 50000, in percent with 1 decimal?",
            "round(100 * count(hr where PAY > 50_000) / count(hr), 1)",
        ),
        (40, "What is the average PAY in <<hr>>, to 2 decimals? If people tie, all count.", "round(avg(hr.PAY), 2)"),
    ];
    let body = |(rows, prompt, answer): &(u32, &str, &str)| {
        format!(
            r#"csv hr at "hr.csv" {{ rows {rows} NAME : person_name PAY : int 30_000..90_000 FEE : decimal 1.00..9.99 BONUS : int 1..9 blank 20% }} prompt "{prompt}" expect reply number {answer}"#
        )
    };
    let cases = right.iter().map(|case| (body(case), false)).chain(wrong.iter().map(|case| (body(case), true)));
    told("unshared_rounding", &cases.collect::<Vec<_>>());
}
