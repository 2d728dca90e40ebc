//! Slips that a fourth blind look found, and what only looks like one.

use super::hold_also;

/// A file of calls.
const CALLS: &str = r#"csv calls at "calls.csv" { rows 60 TEAM : one_of ["A", "B", "C"] SECS : int 10..900 WAIT_ARCMIN : decimal 0.10..9.00
  LAP_TIME : unique int 50..900 TOP_SPEED : unique int 50..900 LATE : bool 30% OPENED : date 2024-01-01..2024-06-30 CLOSED : date OPENED + 1 days..OPENED + 60 days } team : ref calls.TEAM
"#;

fn hold(lint: &str, caught: &[&str], right: &[&str]) {
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{CALLS}{body}")).collect::<Vec<_>>();
    let (caught, right) = (with(caught), with(right));
    hold_also(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn units_of_described_columns_and_keys() {
    hold(
        "other_unit",
        &[
            r#"prompt "In <<calls>>, `secs` is how many seconds a call took. How many minutes did the calls of the TEAM <<team>> take in total? Reply with the number only, rounded to one decimal place." expect reply number coalesce(sum(calls.SECS where TEAM == team), 0) rounded 1"#,
            r#"mean = avg(calls.WAIT_ARCMIN where TEAM == team) require mean != null prompt "What is the mean WAIT_ARCMIN of the TEAM <<team>> in <<calls>>, in arcseconds? Reply with the number only, rounded to one decimal place." expect reply number mean rounded 1"#,
            r#"prompt "For <<calls>>, reply with a JSON object with two keys: `calls`, the number of all calls, and `late`, the share of LATE ones in percent, rounded to one decimal place." expect reply at "$.calls" number count(calls) expect reply at "$.late" number count(calls where LATE) / count(calls) rounded 1"#,
            r#"prompt "For <<calls>>, reply with a JSON object that has the keys `calls` (how many there are) and `late` (the percentage of LATE ones, rounded to one decimal place)." expect reply json { calls: count(calls), late: count(calls where LATE) / count(calls) rounded 1 }"#,
        ],
        &[
            r#"prompt "In <<calls>>, `secs` is how many seconds a call took. How many minutes did the calls of the TEAM <<team>> take in total? Reply with the number only, rounded to one decimal place." expect reply number coalesce(sum(calls.SECS where TEAM == team), 0) / 60 rounded 1"#,
            r#"mean = avg(calls.WAIT_ARCMIN where TEAM == team) require mean != null prompt "What is the mean WAIT_ARCMIN of the TEAM <<team>> in <<calls>>, in arcseconds? Reply with the number only, rounded to one decimal place." expect reply number mean * 60 rounded 1"#,
            r#"prompt "For <<calls>>, reply with a JSON object with two keys: `calls`, the number of all calls, and `late`, the share of LATE ones in percent, rounded to one decimal place." expect reply at "$.calls" number count(calls) expect reply at "$.late" number 100 * count(calls where LATE) / count(calls) rounded 1"#,
            r#"prompt "For <<calls>>, reply with a JSON object that has the keys `calls` (how many there are) and `late` (the share of LATE ones, from 0 to 1, rounded to 3 decimal places)." expect reply json { calls: count(calls), late: count(calls where LATE) / count(calls) rounded 3 }"#,
        ],
    );
}

#[test]
fn decimals_next_to_counts() {
    let prompt = r#"mean = avg(calls.SECS where TEAM == team) require mean != null prompt "For the TEAM <<team>> in <<calls>>, reply with a JSON object that has the keys `calls` (how many there are) and `mean` (the mean SECS, rounded to one decimal place)." expect reply json { calls: count(calls where TEAM == team), mean: mean rounded"#;
    let (caught, right) = (format!("{prompt} 2 }}"), format!("{prompt} 1 }}"));
    hold("other_precision", &[&caught], &[&right]);
}

#[test]
fn the_fastest_and_the_quantiles() {
    hold(
        "other_aggregate",
        &[
            r#"who = <<list: SELECT LAP_TIME FROM calls WHERE TEAM = :team ORDER BY LAP_TIME DESC LIMIT 4>> require len(who) == 4 prompt "Which are the LAP_TIME of the four fastest calls of the TEAM <<team>> in <<calls>>? Reply with one per line, the fastest first." expect reply list who ordered"#,
            r#"prompt "What is the LAP_TIME of the slowest call in <<calls>>? Reply with the number only." expect reply number min(calls.LAP_TIME)"#,
            r#"prompt "What is the TOP_SPEED of the fastest call in <<calls>>? Reply with the number only." expect reply number min(calls.TOP_SPEED)"#,
            r#"prompt "What is the 95th percentile of SECS in <<calls>>, linear between ranks as NumPy computes it, rounded to 1 decimal place? Reply with the number only." expect reply number quantile(calls.SECS, 0.9) rounded 1"#,
            r#"prompt "What is the upper quartile of SECS in <<calls>>, linear between ranks as NumPy computes it, rounded to 1 decimal place? Reply with the number only." expect reply number quantile(calls.SECS, 0.25) rounded 1"#,
        ],
        &[
            r#"who = <<list: SELECT LAP_TIME FROM calls WHERE TEAM = :team ORDER BY LAP_TIME LIMIT 4>> require len(who) == 4 prompt "Which are the LAP_TIME of the four fastest calls of the TEAM <<team>> in <<calls>>? Reply with one per line, the fastest first." expect reply list who ordered"#,
            r#"prompt "What is the LAP_TIME of the slowest call in <<calls>>? Reply with the number only." expect reply number max(calls.LAP_TIME)"#,
            r#"prompt "What is the TOP_SPEED of the fastest call in <<calls>>? Reply with the number only." expect reply number max(calls.TOP_SPEED)"#,
            r#"prompt "What is the 95th percentile of SECS in <<calls>>, linear between ranks as NumPy computes it, rounded to 1 decimal place? Reply with the number only." expect reply number quantile(calls.SECS, 0.95) rounded 1"#,
            r#"prompt "What is the ninth decile of SECS in <<calls>>, linear between ranks as NumPy computes it, rounded to 1 decimal place? Reply with the number only." expect reply number quantile(calls.SECS, 0.9) rounded 1"#,
            // The largest sum of a team.
            r#"sums = <<rows: SELECT TEAM, SUM(SECS) AS TOTAL FROM calls GROUP BY TEAM>> best = max(sums.TOTAL) require best != null require count(sums where TOTAL == best) == 1 name = first(sums.TEAM where TOTAL == best) require name != null prompt "Which TEAM has the most SECS in <<calls>>? Write <<sandbox>>/answer.json, a JSON object: `name` (the TEAM) and `secs` (the sum)." expect file "answer.json" at "$.name" text name expect file "answer.json" at "$.secs" number best"#,
            // A median in other words.
            r#"prompt "Sort the SECS of the TEAM <<team>> in <<calls>>, and take the middle one or, should there be two in the middle, their average, rounded to one decimal place. End with it after the marker \"Median:\"." mid = median(calls.SECS where TEAM == team) require mid != null expect reply after "Median:" number mid rounded 1"#,
        ],
    );
}

#[test]
fn limits_some_days_later() {
    hold(
        "other_comparison",
        &[
            r#"prompt "How many rows of <<calls>> have a CLOSED no later than 30 days after OPENED? Reply with the number only." expect reply number count(calls where CLOSED < OPENED + 30 days)"#,
            r#"prompt "How many rows of <<calls>> have a CLOSED more than 14 days after OPENED? Reply with the number only." expect reply number count(calls where CLOSED >= OPENED + 14 days)"#,
            r#"prompt "How many rows of <<calls>> have a CLOSED no later than 30 days after OPENED? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM calls WHERE CLOSED < date(OPENED, '+30 days')>>"#,
        ],
        &[
            r#"prompt "How many rows of <<calls>> have a CLOSED no later than 30 days after OPENED? Reply with the number only." expect reply number count(calls where CLOSED <= OPENED + 30 days)"#,
            r#"prompt "How many rows of <<calls>> have a CLOSED more than 14 days after OPENED? Reply with the number only." expect reply number count(calls where CLOSED > OPENED + 14 days)"#,
            r#"prompt "How many rows of <<calls>> have a CLOSED no later than 30 days after OPENED? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM calls WHERE CLOSED <= date(OPENED, '+30 days')>>"#,
        ],
    );
}

#[test]
fn what_no_file_shows() {
    hold_also(
        "untold_input",
        &[
            r#"table stock { rows 150 ITEM : unique pattern "B[0-9]{5}" YEAR : int 1940..2022 GONE : bool 20% } csv list at "list.csv" from stock where not GONE { ITEM = ITEM YEAR = YEAR } prompt "How many rows of <<list>> have a YEAR before 1990? Reply with the number only." expect reply number count(stock where YEAR < 1990)"#,
            r#"house : ref places.BUILDING table places { rows 9 WARD : unique pattern "[ABC][1-9]" BUILDING : one_of ["Main", "Annex"] } csv beds at "beds.csv" { rows 90 WARD : ref places.WARD USED : bool 60% } prompt "How many rows of <<beds>> are USED in the building <<house>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM beds JOIN places USING (WARD) WHERE BUILDING = :house AND USED = 1>>"#,
        ],
        &[
            r#"table stock { rows 150 ITEM : unique pattern "B[0-9]{5}" YEAR : int 1940..2022 GONE : bool 20% } csv list at "list.csv" from stock where not GONE { ITEM = ITEM YEAR = YEAR } prompt "How many rows of <<list>> have a YEAR before 1990? Reply with the number only." expect reply number count(list where YEAR < 1990)"#,
            r#"table stock { rows 150 ITEM : unique pattern "B[0-9]{5}" YEAR : int 1940..2022 GONE : bool 20% } csv list at "list.csv" from stock where not GONE { ITEM = ITEM YEAR = YEAR } csv rest at "rest.csv" from stock where GONE { ITEM = ITEM YEAR = YEAR } prompt "How many rows of <<list>> and <<rest>> have a YEAR before 1990? Reply with the number only." expect reply number count(stock where YEAR < 1990)"#,
            r#"house : ref places.BUILDING csv places at "places.csv" { rows 9 WARD : unique pattern "[ABC][1-9]" BUILDING : one_of ["Main", "Annex"] } csv beds at "beds.csv" { rows 90 WARD : ref places.WARD USED : bool 60% } prompt "How many rows of <<beds>> are USED in the building <<house>> of <<places>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM beds JOIN places USING (WARD) WHERE BUILDING = :house AND USED = 1>>"#,
        ],
    );
}

#[test]
fn a_limit_from_a_table_that_no_agent_gets() {
    let compile = |prompt: &str| {
        let body = format!(
            "suite s {{ title \"S\" version \"1\" }}\ntable grace_of from \"grace.csv\"\ntask q {{\nroute, grace : ref grace_of.(ROUTE, GRACE)\n\
            csv trips at \"trips.csv\" {{ rows 240 ROUTE : ref grace_of.ROUTE DELAY : int 0..15 }}\nprompt \"{prompt} Reply with the number only.\"\n\
            expect reply number count(trips where ROUTE == route and DELAY > grace)\n}}\n"
        );
        let files: [(&str, &[u8]); 1] = [("grace.csv", b"ROUTE,GRACE\nU1,2\nU4,3\nT11,5\n")];
        testing::compile_with(&body, &files).diagnostics.iter().map(|said| said.code.name).collect::<Vec<_>>()
    };
    let late = "How many rows of <<trips>> with the ROUTE <<route>> were later than granted?";
    assert_eq!(compile(late), ["untold_input"]);
    let told = "How many rows of <<trips>> with the ROUTE <<route>> have a DELAY above <<grace>>?";
    assert_eq!(compile(told), Vec::<&str>::new());
}

#[test]
fn ends_of_a_range_of_dates() {
    hold(
        "untold_literal",
        &[
            r#"SALE_FROM = 2024-03-18 SALE_TO = 2024-04-07 prompt "How many rows of <<calls>> have an OPENED in the spring sale? The sale began on <<SALE_FROM>>. Reply with the number only." expect reply number count(calls where OPENED >= SALE_FROM and OPENED <= SALE_TO)"#,
        ],
        &[
            r#"SALE_FROM = 2024-03-18 SALE_TO = 2024-04-07 prompt "How many rows of <<calls>> have an OPENED in the spring sale? The sale began on <<SALE_FROM>> and ended on <<SALE_TO>>. Reply with the number only." expect reply number count(calls where OPENED >= SALE_FROM and OPENED <= SALE_TO)"#,
            r#"SALE_FROM = 2024-03-18 SALE_TO = 2024-04-07 prompt "How many rows of <<calls>> have an OPENED in the spring sale? The sale began on <<SALE_FROM>> and took three weeks. Reply with the number only." expect reply number count(calls where OPENED >= SALE_FROM and OPENED <= SALE_TO)"#,
            r#"prompt "How many rows of <<calls>> were OPENED in February 2024? Write the date of today as 2024-03-09, say, in the first line, and the number in the last line." expect reply last line number <<value: SELECT COUNT(*) FROM calls WHERE OPENED >= '2024-02-01' AND OPENED < '2024-03-01'>>"#,
        ],
    );
}

#[test]
fn leaks_by_paths_views_and_flags() {
    const TABLE: &str = r#"table marks { rows 140 NO : serial ROUTE : one_of ["U1", "U2", "U3"] } tally = <<rows: SELECT ROUTE, COUNT(*) AS N FROM marks GROUP BY ROUTE ORDER BY N DESC, ROUTE>> top = max(tally.N) require count(tally where N == top) == 1 worst = first(tally.ROUTE where N == top) require worst != null"#;
    const ASKED: &str = r#"prompt "The folder <<sandbox>>/marks has a file of marks for each route. Which route has the most marks? Reply with its name only." expect reply text worst"#;
    let only =
        format!(r#"{TABLE} csv one at "marks/<<ROUTE>>.csv" from marks where ROUTE == worst {{ NO = NO }} {ASKED}"#);
    let all = format!(r#"{TABLE} csv one at "marks/<<ROUTE>>.csv" from marks {{ NO = NO }} {ASKED}"#);
    let season = |path: &str| {
        format!(
            r#"champion : one_of ["Falcons", "Otters", "Herons"] csv season at "{path}" {{ rows 90 NO : serial WINNER : one_of ["Falcons", "Otters", "Herons"] }} tally = <<rows: SELECT WINNER, COUNT(*) AS WINS FROM season GROUP BY WINNER>> own = count(season where WINNER == champion) require count(tally where WINS >= own) == 1 prompt "Which WINNER is in the most rows of <<season>>? Reply with the name only." expect reply text champion"#
        )
    };
    let league = |view: &str| {
        format!(
            r#"sqlite league at "league.db" {{ table players {{ rows 25 ID : serial NAME : unique person_name }} table goals {{ rows 300 PLAYER : ref players.ID GOALS : int 0..3 }} {view} }} sums = <<rows: SELECT p.NAME, SUM(a.GOALS) AS TOTAL FROM league.goals a JOIN league.players p ON p.ID = a.PLAYER GROUP BY p.ID>> best = max(sums.TOTAL) require count(sums where TOTAL == best) == 1 name = first(sums.NAME where TOTAL == best) require name != null prompt "Who scored the most GOALS in total in <<league>>? Reply with the NAME only." expect reply text name"#
        )
    };
    let flag = |column: &str| {
        format!(
            r#"csv orders at "orders.csv" {{ rows 400 CENTS : int 1_000..90_000 CARD : one_of ["DE", "AT"] SHIP_TO : one_of ["DE", "AT"] AGE_DAYS : int 0..60 {column} }} prompt "An order is suspect if it is worth more than 50000 CENTS, its CARD was issued in another country than SHIP_TO, and AGE_DAYS is below 14. How many orders in <<orders>> are suspect? Reply with the number only." expect reply number count(orders where CENTS > 50_000 and CARD != SHIP_TO and AGE_DAYS < 14)"#
        )
    };
    let (caught, right) = (
        [
            only,
            season("<<champion>>.csv"),
            league(
                "view top = <<rows: SELECT p.NAME, SUM(a.GOALS) AS TOTAL FROM goals a JOIN players p ON p.ID = a.PLAYER GROUP BY p.ID ORDER BY TOTAL DESC, p.NAME LIMIT 1>>",
            ),
            flag("SUSPECT = CENTS > 50_000 and CARD != SHIP_TO and AGE_DAYS < 14"),
        ],
        [
            all,
            season("season.csv"),
            league("view scorers = <<rows: SELECT p.NAME, a.GOALS FROM goals a JOIN players p ON p.ID = a.PLAYER>>"),
            flag("OLD = AGE_DAYS > 40"),
        ],
    );
    hold_also(
        "leaked_answer",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn weak_parts_next_to_an_answer() {
    hold(
        "vacuous_expectation",
        &[
            r#"prompt "Make the file <<sandbox>>/late.csv with a header and the columns TEAM and SECS: the rows of <<calls>> that are LATE. Reply with their number only." expect files ["late.csv"] expect reply number count(calls where LATE)"#,
            r#"prompt "Write <<sandbox>>/out.json, a JSON object with `status` (the text done), `late` (how many rows of <<calls>> are LATE), and `rest` (how many are not). Reply with the number of rows." expect file "out.json" json { status: "done" } open expect reply number count(calls)"#,
            r#"csv load at "load.csv" { rows 30 HOST : unique hostname LOAD : unique decimal 0.01..64.00 } busiest = <<value: SELECT HOST FROM load ORDER BY LOAD DESC LIMIT 1>> require busiest != null prompt "Which HOST has the highest LOAD in <<load>>? Reply with its full name only. Write its LOAD, as a number only, to <<sandbox>>/load.txt." expect reply matches "[a-z]+-[0-9]{2}\\.example\\.(com|net|org)" expect file "load.txt" number max(load.LOAD)"#,
        ],
        &[
            r#"late = <<rows: SELECT TEAM, SECS FROM calls WHERE LATE>> prompt "Make the file <<sandbox>>/late.csv with a header and the columns TEAM and SECS: the rows of <<calls>> that are LATE. Reply with their number only." expect file "late.csv" rows late expect reply number count(calls where LATE)"#,
            r#"prompt "Write <<sandbox>>/out.json, a JSON object with `status` (the text done), `late` (how many rows of <<calls>> are LATE), and `note` (any text). Reply with the number of rows." expect file "out.json" json { status: "done", late: count(calls where LATE) } open expect reply number count(calls)"#,
            r#"csv load at "load.csv" { rows 30 HOST : unique hostname LOAD : unique decimal 0.01..64.00 } busiest = <<value: SELECT HOST FROM load ORDER BY LOAD DESC LIMIT 1>> require busiest != null prompt "Which HOST has the highest LOAD in <<load>>? Reply with its full name only. Write its LOAD, as a number only, to <<sandbox>>/load.txt." expect reply text busiest expect file "load.txt" number max(load.LOAD)"#,
        ],
    );
}

#[test]
fn rows_that_stay_as_they_are() {
    let renew = |condition: &str, rest: &str| {
        format!(
            r#"reader : ref lib.loans.READER sqlite lib at "lib.db" {{ table readers {{ rows 12 ID : serial NAME : person_name }} table loans {{ rows 80 ID : serial READER : ref readers.ID DUE : date 2024-05-01..2024-06-30 RENEWED : int 0..2 }} }} goal = <<after: lib, UPDATE loans SET DUE = date(DUE, '+14 days'), RENEWED = RENEWED + 1 WHERE READER = :reader{condition}>> require changed(goal) > 2 prompt "In <<lib>>, renew the loans of the reader with the ID <<reader>>: put DUE 14 days later and add 1 to RENEWED. {rest} Change nothing else." expect file lib database goal"#
        )
    };
    let kept = "Loans that were renewed twice already (RENEWED is 2) stay as they are.";
    let (caught, right) =
        (renew("", kept), [renew(" AND RENEWED < 2", kept), renew("", "Loans of other readers stay as they are.")]);
    hold_also("unasked_change", &[&caught], &right.iter().map(String::as_str).collect::<Vec<_>>());
}
