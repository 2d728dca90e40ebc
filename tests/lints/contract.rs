//! Words of the prompt that contradict the key, and words that only look so.

use super::hold;

/// A file of people.
const HR: &str = r#"csv hr at "hr.csv" {
    rows 20..40
    NAME  : person_name
    DEPT  : one_of ["Sales", "Legal", "Support"]
    PAY   : int 30_000..90_000
    BONUS : int 0..9000
    AGE   : int 18..65
    HIRED : date 2015-01-01..2024-12-31
    CITY  : city
    OPEN  : bool
}
"#;

/// A file of trips.
const TRIPS: &str = r#"csv trips at "trips.csv" {
    rows 30..50
    DIST_M       : int 100..90_000
    SECS_SECONDS : int 30..9000
    DAY          : date 2024-01-01..2024-12-31
    STATUS       : one_of ["open", "closed", "void"]
    COST         : decimal 1.00..99.99
}
"#;

/// Bodies with the files that they name.
fn with_files(bodies: &[&str]) -> Vec<String> {
    let files = |body: &str| {
        [("hr", HR), ("trips", TRIPS)]
            .into_iter()
            .filter(|(name, _)| body.contains(&format!("<<{name}>>")))
            .map(|(_, file)| file)
            .collect::<String>()
    };
    bodies.iter().map(|body| format!("{}{body}", files(body))).collect()
}

fn hold_with_files(lint: &str, caught: &[&str], right: &[&str]) {
    let (caught, right) = (with_files(caught), with_files(right));
    hold(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn other_comparison() {
    hold_with_files(
        "other_comparison",
        &[
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY >= x)"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where PAY > x)"#,
            r#"prompt "How many rows of <<hr>> have a PAY above 50,000? Reply with the number only." expect reply number count(hr where PAY >= 50_000)"#,
            r#"d : date 2018-01-01..2020-01-01 prompt "How many people in <<hr>> were HIRED before <<d>>? Reply with the number only." expect reply number count(hr where HIRED <= d)"#,
            r#"d : date 2018-01-01..2020-01-01 prompt "How many people in <<hr>> were HIRED on or after <<d>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM hr WHERE HIRED > :d>>"#,
            r#"d : date 2018-01-01..2020-01-01 prompt "How many people in <<hr>> were HIRED after <<d>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM hr WHERE HIRED >= :d>>"#,
            r#"d : date 2018-01-01..2020-01-01 prompt "How many people in <<hr>> were HIRED after <<d>>? Reply with the number only." expect reply number count(hr where HIRED < d)"#,
            r#"x : int 20..60 prompt "How many people in <<hr>> have an AGE of <<x>> or more? Reply with the number only." expect reply number count(hr where AGE > x)"#,
            r#"x : int 20..60 prompt "How many people in <<hr>> are <<x>> years old or older? Reply with the number only." expect reply number count(hr where AGE > x)"#,
            r#"x : int 20..60 prompt "How many people in <<hr>> are older than <<x>>? Reply with the number only." expect reply number count(hr where AGE >= x)"#,
            r#"a : int 20..40 b : int 41..60 prompt "How many people in <<hr>> have an AGE between <<a>> and <<b>> (both included)? Reply with the number only." expect reply number count(hr where AGE > a and AGE <= b)"#,
            r#"a : int 20..40 b : int 41..60 prompt "How many people in <<hr>> have an AGE strictly between <<a>> and <<b>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM hr WHERE AGE BETWEEN :a AND :b>>"#,
            r#"n : int 2..5 prompt "How many cities in <<hr>> have no fewer than <<n>> people? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM (SELECT CITY FROM hr GROUP BY CITY HAVING COUNT(*) > :n)>>"#,
            r#"prompt "How many trips in <<trips>> cost under 20? Reply with the number only." expect reply number count(trips where COST <= 20)"#,
            r#"prompt "How many trips in <<trips>> cost up to 20 dollars? Reply with the number only." expect reply number count(trips where COST < 20)"#,
            r#"prompt "How many trips in <<trips>> took place since 2024-06-01? Reply with the number only." expect reply number count(trips where DAY > 2024-06-01)"#,
            r#"prompt "How many trips in <<trips>> do not exceed 20 in COST? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM trips WHERE COST < 20>>"#,
            r#"json cfg at "cfg.json" { services : [ { name : unique word port : int 1000..9000 cpu : int 1..64 } ; 6 ] } prompt "How many services in <<cfg>> have more than 8 in `cpu`? Reply with the number only." expect reply number <<json_count_where: cfg, $.services[?@.cpu >= 8]>>"#,
            r#"sqlite shop at "shop.db" { table orders { rows 40 OID : serial AMOUNT : decimal 1.00..99.99 DAY : date 2024-01-01..2024-12-31 } } low : int 10..50 prompt "In <<shop>>, what is the sum of AMOUNT of the orders of at least <<low>>? Reply with the number only." expect reply number <<sqlite_query: shop, SELECT coalesce(SUM(AMOUNT), 0) FROM orders WHERE AMOUNT > :low>>"#,
            r#"sqlite shop at "shop.db" { table orders { rows 40 OID : serial AMOUNT : decimal 1.00..99.99 DAY : date 2024-01-01..2024-12-31 } } prompt "In <<shop>>, how many orders were placed before 2024-07-01? Reply with the number only." expect reply number <<sqlite_query: shop, SELECT COUNT(*) FROM orders WHERE DAY <= '2024-07-01'>>"#,
            r#"axis k = [3, 4] prompt "How many cities occur more than <<k>> times in <<hr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM (SELECT CITY FROM hr GROUP BY CITY HAVING COUNT(*) >= :k)>>"#,
            r#"lim : int 20..60 prompt "Count the people in <<hr>> whose AGE is no more than <<lim>>. Number only." expect reply number count(hr where AGE < lim)"#,
            r#"lim : int 20..60 prompt "Count the people in <<hr>> whose AGE is greater than or equal to <<lim>>. Number only." expect reply number count(hr where AGE > lim)"#,
            r#"lim : int 20..60 prompt "Count the people in <<hr>> whose AGE exceeds <<lim>>. Number only." expect reply number count(hr where lim <= AGE)"#,
            r#"lim : int 20..60 prompt "Count the people in <<hr>>." variant over { prompt "Only those aged over <<lim>> count. Number only." expect reply number count(hr where AGE > lim) } variant under { prompt "Only those aged under <<lim>> count. Number only." expect reply number count(hr where AGE <= lim) }"#,
            r#"a : date 2018-01-01..2019-01-01 b : date 2020-01-01..2021-01-01 prompt "How many people in <<hr>> were HIRED from <<a>> to <<b>>, both days included? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM hr WHERE HIRED >= :a AND HIRED < :b>>"#,
            r#"lim : int 30..50 prompt "Who in <<hr>> is younger than <<lim>>? List their names, one per line." expect reply list list(hr.NAME where AGE > lim)"#,
            r#"lim : int 40_000..80_000 prompt "How many people earn more than <<lim>> in <<hr>>? Reply with the number only." expect reply number count(hr where PAY < lim)"#,
        ],
        &[
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY > x)"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where PAY >= x)"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where not (PAY < x))"#,
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> do not earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY <= x)"#,
            r#"a : int 20..40 b : int 41..60 prompt "How many people in <<hr>> have an AGE between <<a>> and <<b>>? Reply with the number only." expect reply number count(hr where AGE > a and AGE <= b)"#,
            r#"a : int 20..40 b : int 41..60 prompt "How many people in <<hr>> are older than <<a>> and younger than <<b>>? Reply with the number only." expect reply number count(hr where AGE > a and AGE < b)"#,
            r#"d : date 2018-01-01..2020-01-01 prompt "How many people in <<hr>> were HIRED after <<d>> and before 2022-01-01? Reply with the number only." expect reply number count(hr where HIRED > d and HIRED < 2022-01-01)"#,
            r#"n : int 2..9 prompt "In <<hr>>, what is the NAME in the row before row <<n>>? Reply with the name only." expect reply text csv_value(hr.NAME, n - 1)"#,
            r#"x : int 2..9 prompt "Reply with JSON about <<hr>>: `above`, the number of people with an AGE above <<x>>, and `least`, the number with at least that AGE." expect reply json { above: count(hr where AGE > x), least: count(hr where AGE >= x) }"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> or earn more than <<x>>? Reply with the number only." expect reply number count(hr where DEPT == d or PAY > x)"#,
            r#"prompt "How many days before 2025-01-01 was the most recent HIRED in <<hr>>? Reply with the number only." expect reply number days_between(max(hr.HIRED), 2025-01-01)"#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with yes or no." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no""#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with Yes or No." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no" ignore case"#,
            r#"prompt "What is the highest PAY in <<hr>>? End with `Answer: NUMBER`." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "Give the highest PAY in <<hr>> under the key `top`, in a json code block." expect reply fenced "json" json { top: max(hr.PAY) }"#,
            r#"lim : int 20..60 prompt "How many people in <<hr>> have reached <<lim>>, that is, are <<lim>> or older? Number only." expect reply number count(hr where AGE >= lim)"#,
        ],
    );
}

#[test]
fn other_condition() {
    hold_with_files(
        "other_condition",
        &[
            r#"d : one_of ["Sales", "Legal"] prompt "How many people in <<hr>> are in a DEPT other than <<d>>? Reply with the number only." expect reply number count(hr where DEPT == d)"#,
            r#"d : one_of ["Sales", "Legal"] prompt "How many people of <<d>> are in <<hr>>? Reply with the number only." expect reply number count(hr where DEPT != d)"#,
            r#"prompt "How many trips in <<trips>> are not open? Reply with the number only." expect reply number count(trips where STATUS == "open")"#,
            r#"prompt "How many trips in <<trips>> have the STATUS closed? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM trips WHERE STATUS <> 'closed'>>"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> or earn more than <<x>>? Reply with the number only." expect reply number count(hr where DEPT == d and PAY > x)"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> and earn more than <<x>>? Reply with the number only." expect reply number count(hr where DEPT == d or PAY > x)"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> and earn more than <<x>>? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM hr WHERE DEPT = :d OR PAY > :x>>"#,
            r#"skip : one_of ["Sales", "Legal", "Support"] prompt "What is the highest PAY in <<hr>> among those who are not in <<skip>>? Reply with the number only." expect reply number coalesce(max(hr.PAY where DEPT == skip), 0)"#,
            r#"prompt "How many trips in <<trips>> are void? Reply with the number only." expect reply number count(trips where STATUS != "void")"#,
            r#"prompt "How many trips in <<trips>> are closed and cost more than 50? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM trips WHERE STATUS = 'closed' OR COST > 50>>"#,
            r#"prompt "How many trips in <<trips>> are either void or cost more than 90? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM trips WHERE STATUS = 'void' AND COST > 90>>"#,
            r#"prompt "How many trips in <<trips>> with a STATUS different from open are there? Reply with the number only." expect reply number count(trips where STATUS == "open")"#,
            r#"c : one_of ["Sales", "Legal"] d : int 1..5 csv t at "t.csv" { rows 30 D : one_of ["Sales", "Legal"] PRIO : int 1..5 } prompt "How many rows of <<t>> have <<c>> or <<d>>? Reply with the number only." expect reply number count(t where D == c and PRIO == d)"#,
        ],
        &[
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where not (PAY < x))"#,
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> do not earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY <= x)"#,
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> earn <<x>> or less? Reply with the number only." expect reply number count(hr where x >= PAY)"#,
            r#"d : one_of ["Sales", "Legal"] prompt "How many people in <<hr>> are in a DEPT other than <<d>>? Reply with the number only." expect reply number count(hr where DEPT != d)"#,
            r#"d : one_of ["Sales", "Legal"] prompt "How many people in <<hr>> are left without the DEPT <<d>>? Reply with the number only." expect reply number count(hr) - count(hr where DEPT == d)"#,
            r#"prompt "How many trips in <<trips>> are open or closed? Reply with the number only." expect reply number count(trips where STATUS == "open" or STATUS == "closed")"#,
            r#"prompt "How many trips in <<trips>> are void, and not open? Reply with the number only." expect reply number count(trips where STATUS == "void")"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> or earn more than <<x>>? Reply with the number only." expect reply number count(hr where DEPT == d or PAY > x)"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> and earn <<x>> or more? Reply with the number only." expect reply number count(hr where DEPT == d and PAY >= x)"#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with yes or no." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no""#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with Yes or No." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no" ignore case"#,
            r#"lim : int 20..60 prompt "How many people in <<hr>> have reached <<lim>>, that is, are <<lim>> or older? Number only." expect reply number count(hr where AGE >= lim)"#,
            r#"lim : int 20..60 prompt "How many people in <<hr>> are not older than <<lim>>? Number only." expect reply number count(hr where AGE <= lim)"#,
            r#"prompt "Of the people in <<hr>> over 40, what is the lowest PAY? Number only, or 0 if there is nobody." expect reply number coalesce(min(hr.PAY where AGE > 40), 0)"#,
            r#"prompt "How many people in <<hr>> work in Sales or Legal? Number only." expect reply number count(hr where DEPT in ["Sales", "Legal"])"#,
            r#"prompt "How many people in <<hr>> work neither in Sales nor in Legal? Number only." expect reply number count(hr where DEPT not in ["Sales", "Legal"])"#,
            r#"c : one_of ["Sales", "Legal"] csv t at "t.csv" { rows 30 D : one_of ["Sales", "Legal"] PRIO : int 1..5 } prompt "How many rows of <<t>> have D = <<c>>, PRIO 1 or 2 (3 and up do not count)? Reply with the number only." expect reply number count(t where D == c and PRIO <= 2)"#,
        ],
    );
}

#[test]
fn other_precision() {
    hold_with_files(
        "other_precision",
        &[
            r#"prompt "What is the average PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number avg(hr.PAY) rounded 1"#,
            r#"prompt "What is the average PAY in <<hr>>, to one decimal place? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to the nearest hundredth? Reply with the number only." expect reply number avg(hr.PAY) rounded 1"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded to the nearest whole number? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded half up to three decimals? Reply with the number only." expect reply number round(avg(hr.PAY), 2)"#,
            r#"prompt "What is the average PAY in <<hr>>, rounded half up to three decimals? Reply with the number only." expect reply number <<value: SELECT ROUND(AVG(PAY), 2) FROM hr>>"#,
            r#"prompt "What is the sum of COST in <<trips>>, to 1 decimal place? Reply with the number only." expect reply number sum(trips.COST)"#,
            r#"prompt "What is the average PAY in <<hr>>, with 1 decimal? Reply with the number only." expect reply number avg(hr.PAY) within 0.01"#,
            r#"prompt "How many people in <<hr>> are in Sales? Reply with the number only, with 2 decimals." expect reply number count(hr where DEPT == "Sales")"#,
            r#"prompt "What is the mean COST in <<trips>>? Give it to two decimal places, number only." expect reply number avg(trips.COST) rounded 3"#,
            r#"prompt "What is the mean COST in <<trips>>? Round to the nearest integer. Number only." expect reply number avg(trips.COST) rounded 1"#,
            r#"prompt "What is the sum of PAY in <<hr>>, to the nearest thousand? Number only." expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the median PAY in <<hr>>, as a whole number? Number only." expect reply number median(hr.PAY) rounded 2"#,
        ],
        &[
            r#"prompt "What is the average PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, to the nearest integer? Reply with the number only." expect reply number avg(hr.PAY) rounded 0"#,
            r#"prompt "Reply with JSON: `mean`, the mean PAY in <<hr>> with 2 decimals, and `n`, the number of rows." expect reply json { mean: avg(hr.PAY) rounded 2, n: count(hr) }"#,
            r#"prompt "What is the sum of COST in <<trips>>, with 2 decimals? Reply with the number only." expect reply number sum(trips.COST)"#,
            r#"prompt "How many kilometers do all trips in <<trips>> have together (DIST_M is in meters)? Reply with the number only, with 3 decimals." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What is the total distance in <<trips>>, in km? DIST_M has meters. With 3 decimals, number only." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What percentage of the people in <<hr>> are in Sales, with 1 decimal? Reply with the number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "What share of the people in <<hr>> are in Sales (in percent, 1 decimal)? Reply with the number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "Costs in <<trips>> have 2 decimals. How many trips cost less than 10? Number only." expect reply number count(trips where COST < 10)"#,
            r#"prompt "What is the longest trip in <<trips>>, in kilometres with 1 decimal? Number only." expect reply number max(trips.DIST_M) / 1000 rounded 1"#,
            r#"prompt "How many trips per day were there on average in <<trips>>, over days with a trip (2 decimals)? Number only." expect reply number count(trips) / distinct_count(trips.DAY) rounded 2"#,
            r#"prompt "In <<trips>>, what is the total COST of trips that are not void, with 2 decimals? Number only." expect reply number coalesce(sum(trips.COST where STATUS != "void"), 0)"#,
            r#"prompt "Print the mean PAY of <<hr>> followed by a unit, in EUR, rounded to cents, such as 12.30. Number only." expect reply number avg(hr.PAY) rounded 2 unit "EUR""#,
            r#"prompt "What fraction of the people in <<hr>> are in Sales? Reply with a percentage with 1 decimal, number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "What is the ratio of the highest to the lowest PAY in <<hr>>, with 2 decimals? Number only." expect reply number max(hr.PAY) / min(hr.PAY) rounded 2"#,
            r#"prompt "What is the mean COST of the trips in <<trips>>, taken as a whole? Number only." expect reply number avg(trips.COST) rounded 2"#,
            r#"prompt "What is the mean COST of all trips in <<trips>>? Round the mean to the nearest cent. Number only." expect reply number avg(trips.COST) rounded 2"#,
        ],
    );
}

#[test]
fn other_count() {
    hold_with_files(
        "other_count",
        &[
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 3>>"#,
            r#"prompt "List the top 5 NAME by PAY in <<hr>> (equal ones by NAME), separated by commas." expect reply list <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 10>>"#,
            r#"prompt "List the 3 cheapest trips of <<trips>> as rows with DAY and COST (equal ones by DAY)." expect reply rows <<rows: SELECT DAY, COST FROM trips ORDER BY COST, DAY LIMIT 5>>"#,
            r#"text note at "note.txt" { rows 12 line "<<W>>" W : word } prompt "Reply with the first 3 lines of <<note>>, as a JSON array." expect reply json [<<file_line: note, 1>>, <<file_line: note, 2>>]"#,
            r#"w : pattern "[A-Z]{12}" prompt "Reply with the first 4 letters of <<w>>." expect reply text slice(w, 1, 3)"#,
            r#"prompt "Name the two most recently hired people in <<hr>> (by HIRED, equal ones by NAME), one per line." expect reply list <<list: SELECT NAME FROM hr ORDER BY HIRED DESC, NAME LIMIT 3>>"#,
        ],
        &[
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 5>>"#,
            r#"prompt "Of the three highest paid people in <<hr>> (equal ones by NAME), who is the oldest? Reply with the name only." expect reply text <<value: SELECT NAME FROM (SELECT NAME, AGE FROM hr ORDER BY PAY DESC, NAME LIMIT 3) ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "How many kilometers do all trips in <<trips>> have together (DIST_M is in meters)? Reply with the number only, with 3 decimals." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What is the total distance in <<trips>>, in km? DIST_M has meters. With 3 decimals, number only." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "Up to 3 wrong tries are allowed. How many people in <<hr>> have an AGE below 30? Reply with the number only." expect reply number count(hr where AGE < 30)"#,
            r#"prompt "What is the PAY of the person in row 3 of <<hr>>? A dash can mean that nothing is known. Number only." expect reply number csv_value(hr.PAY, 3)"#,
            r#"prompt "How much do the three best paid people in <<hr>> earn together? Number only." expect reply number <<value: SELECT SUM(PAY) FROM (SELECT PAY FROM hr ORDER BY PAY DESC LIMIT 3)>>"#,
            r#"prompt "Which 3 places in <<hr>> (CITY) have the most people? Equal ones by name. One per line." expect reply list <<list: SELECT CITY FROM hr GROUP BY CITY ORDER BY COUNT(*) DESC, CITY LIMIT 3>>"#,
            r#"prompt "List the 3 cities with the fewest people in <<hr>> (equal ones by name), one per line." expect reply list <<list: SELECT CITY FROM hr GROUP BY CITY ORDER BY COUNT(*), CITY LIMIT 3>>"#,
            r#"d : date 2024-03-01..2024-09-01 prompt "How many trips are there in <<trips>> up to and including <<d>>? Number only." expect reply number count(trips where DAY <= d)"#,
            r#"d : date 2024-03-01..2024-09-01 prompt "How many trips are there in <<trips>> in the 30 days before <<d>>? Number only." expect reply number count(trips where DAY < d and DAY >= d - 30 days)"#,
            r#"d : date 2024-03-01..2024-09-01 prompt "How many trips are there in <<trips>> before <<d>>, that day included? Number only." expect reply number count(trips where DAY <= d)"#,
            r#"prompt "Print the mean PAY of <<hr>> followed by a unit, in EUR, rounded to cents, such as 12.30. Number only." expect reply number avg(hr.PAY) rounded 2 unit "EUR""#,
            r#"prompt "Of the first 10 rows of <<trips>>, list the 3 cheapest (equal ones by DAY) by their DAY, one per line." expect reply list <<list: SELECT DAY FROM (SELECT DAY, COST FROM trips ORDER BY rowid LIMIT 10) ORDER BY COST, DAY LIMIT 3>>"#,
            r#"prompt "Which cities of <<hr>> are in the last 7 letters of the alphabet, T to Z? List the 3 largest, the most people first (equal ones by name)." expect reply list <<list: SELECT CITY FROM hr WHERE CITY >= 'T' GROUP BY CITY ORDER BY COUNT(*) DESC, CITY LIMIT 3>>"#,
        ],
    );
}

#[test]
fn other_order() {
    hold_with_files(
        "other_order",
        &[
            r#"prompt "List all PAY values of <<hr>> in ascending order, as a JSON array." expect reply json <<list: SELECT PAY FROM hr ORDER BY PAY DESC>>"#,
            r#"prompt "List all different CITY values of <<hr>> in descending order, as a JSON array." expect reply json sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "List all names in <<hr>>, newest first by HIRED (then by NAME), one per line." expect reply list <<list: SELECT NAME FROM hr ORDER BY HIRED, NAME>> ordered"#,
            r#"prompt "List all different cities in <<hr>>, in any order, as a JSON array." expect reply json dedupe(list(hr.CITY))"#,
            r#"prompt "List all different cities in <<hr>>, alphabetically, separated by commas." expect reply list sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "List the NAME of each person in <<hr>> by PAY, highest first (equal ones by NAME), one per line." expect reply list <<list: SELECT NAME FROM hr ORDER BY PAY, NAME>> ordered"#,
            r#"prompt "Which different cities are in <<hr>>? Reply with a JSON array, sorted from Z to A." expect reply json sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "Give the different DEPT values of <<hr>> as a JSON array; the order does not matter." expect reply json <<list: SELECT DISTINCT DEPT FROM hr ORDER BY DEPT>>"#,
        ],
        &[
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 5>>"#,
            r#"prompt "List all different cities in <<hr>>, in any order, separated by commas." expect reply list dedupe(list(hr.CITY))"#,
            r#"prompt "List all different cities in <<hr>>, alphabetically, as a JSON array." expect reply json sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "List all names in <<hr>>, the longest there first by HIRED (then by NAME), one per line." expect reply list <<list: SELECT NAME FROM hr ORDER BY HIRED, NAME>> ordered"#,
            r#"prompt "Who is the oldest person in <<hr>> (the first by NAME if equal)? Reply with the name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "List all DAY values in <<trips>> of void trips, earliest first, as a JSON array (each once)." expect reply json <<list: SELECT DISTINCT DAY FROM trips WHERE STATUS = 'void' ORDER BY DAY>>"#,
            r#"prompt "Sort the different cities of <<hr>> alphabetically and reply with the first one only." expect reply text min(hr.CITY)"#,
            r#"prompt "Who in <<hr>> was hired first (the first by NAME if several)? Name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY HIRED, NAME LIMIT 1>>"#,
            r#"prompt "Of all trips in <<trips>>, list DAY and COST of those over 90, most expensive first (equal ones by DAY), as CSV with columns DAY,COST." expect reply rows <<rows: SELECT DAY, COST FROM trips WHERE COST > 90 ORDER BY COST DESC, DAY>> ordered"#,
            r#"prompt "Give your reasoning first. The last line must be `Answer: ` and the highest PAY in <<hr>>." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"who = <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME>> prompt "List each NAME of <<hr>>, fattest PAY on top, going down; in case of same PAY, NAME alphabetically." expect reply list who ordered"#,
            r#"who = <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME>> prompt "Draw up the NAMEs of <<hr>>, the best paid before the less paid, and where the PAY is equal, in ascending order of NAME." expect reply list who ordered"#,
        ],
    );
}

#[test]
fn other_aggregate() {
    hold_with_files(
        "other_aggregate",
        &[
            r#"prompt "What is the lowest PAY in <<hr>>? Reply with the number only." expect reply number max(hr.PAY)"#,
            r#"prompt "What is the median PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>? Reply with the number only." expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the total PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number <<value: SELECT AVG(PAY) FROM hr>> rounded 2"#,
            r#"prompt "How many different cities are there in <<hr>>? Reply with the number only." expect reply number count(hr.CITY)"#,
            r#"prompt "How many distinct CITY values are there in <<hr>>? Reply with the number only." expect reply number <<value: SELECT COUNT(CITY) FROM hr>>"#,
            r#"prompt "Who is the lowest paid person in <<hr>> (the first by NAME if equal)? Reply with the name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 1>>"#,
            r#"prompt "Who was HIRED most recently in <<hr>> (the first by NAME if several)? Reply with the name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY HIRED, NAME LIMIT 1>>"#,
            r#"prompt "What is the oldest HIRED date in <<hr>>? Reply with the date only." expect reply text max(hr.HIRED)"#,
            r#"prompt "How many rows of <<hr>> are there? Reply with the number only." expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the cheapest COST in <<trips>>? Reply with the number only." expect reply number <<value: SELECT MAX(COST) FROM trips>>"#,
            r#"prompt "Which CITY is the most common in <<hr>> (the first by alphabet if equal)? Reply with the city." expect reply text max(hr.CITY)"#,
            r#"prompt "On which DAY was the most expensive trip in <<trips>> (the earliest DAY if equal)? Reply with the date, as 2024-05-31." expect reply text <<value: SELECT DAY FROM trips ORDER BY COST, DAY LIMIT 1>>"#,
            r#"prompt "What is the smallest COST in <<trips>>? Number only." expect reply number <<value: SELECT COST FROM trips ORDER BY COST DESC LIMIT 1>>"#,
            r#"prompt "What is the typical (median) PAY in <<hr>>, with 1 decimal? Number only." expect reply number <<value: SELECT AVG(PAY) FROM hr>> rounded 1"#,
            r#"prompt "What did all trips in <<trips>> cost in total, with 2 decimals? Number only." expect reply number <<value: SELECT AVG(COST) FROM trips>> rounded 2"#,
            r#"json cfg at "cfg.json" { services : [ { name : unique word cpu : int 1..64 } ; 6 ] } prompt "What is the lowest `cpu` of a service in <<cfg>>? Reply with the number only." expect reply number <<json_max: cfg, $.services[*].cpu>>"#,
            r#"prompt "When did the latest trip in <<trips>> take place? Reply with its DAY, as YYYY-MM-DD." expect reply text min(trips.DAY)"#,
            r#"prompt "How many rows of <<hr>> are there? Reply with the number only." expect reply number <<value: SELECT COUNT(DISTINCT CITY) FROM hr>>"#,
            r#"prompt "How many rows of <<hr>> are there? Reply with the number only." expect reply number distinct_count(hr.CITY)"#,
            r#"sqlite s at "s.db" { table customers { rows 40 ID : serial } table orders { rows 60 OID : serial CUST : ref customers.ID } } prompt "How many rows of orders in <<s>> are there? Reply with the number only." expect reply number <<value: SELECT COUNT(DISTINCT CUST) FROM s.orders>>"#,
        ],
        &[
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at most <<x>>? Reply with the number only." expect reply number count(hr) - count(hr where PAY > x)"#,
            r#"prompt "What is the average PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, to the nearest integer? Reply with the number only." expect reply number avg(hr.PAY) rounded 0"#,
            r#"prompt "Reply with JSON: `mean`, the mean PAY in <<hr>> with 2 decimals, and `n`, the number of rows." expect reply json { mean: avg(hr.PAY) rounded 2, n: count(hr) }"#,
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 5>>"#,
            r#"prompt "Of the three highest paid people in <<hr>> (equal ones by NAME), who is the oldest? Reply with the name only." expect reply text <<value: SELECT NAME FROM (SELECT NAME, AGE FROM hr ORDER BY PAY DESC, NAME LIMIT 3) ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "List all different cities in <<hr>>, in any order, separated by commas." expect reply list dedupe(list(hr.CITY))"#,
            r#"prompt "List all different cities in <<hr>>, alphabetically, as a JSON array." expect reply json sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "What is the highest PAY in <<hr>>? Reply with the number only." expect reply number max(hr.PAY)"#,
            r#"prompt "Who is the oldest person in <<hr>> (the first by NAME if equal)? Reply with the name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "What is the lowest PAY in <<hr>> among the DEPT with the highest mean PAY? Reply with the number only." expect reply number <<value: SELECT MIN(PAY) FROM hr GROUP BY DEPT ORDER BY AVG(PAY) DESC, DEPT LIMIT 1>>"#,
            r#"prompt "How many different cities are there in <<hr>>? Reply with the number only." expect reply number distinct_count(hr.CITY)"#,
            r#"prompt "How many days before 2025-01-01 was the most recent HIRED in <<hr>>? Reply with the number only." expect reply number days_between(max(hr.HIRED), 2025-01-01)"#,
            r#"prompt "What is the total distance in <<trips>>, in km? DIST_M has meters. With 3 decimals, number only." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What is the highest PAY in <<hr>>? End with `Answer: NUMBER`." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"sqlite s at "s.db" { table customers { rows 40 ID : serial } table orders { rows 60 OID : serial CUST : ref customers.ID } } prompt "How many rows of customers in <<s>> have an order? Reply with the number only." expect reply number <<value: SELECT COUNT(DISTINCT c.ID) FROM s.customers c JOIN s.orders o ON o.CUST = c.ID>>"#,
            r#"sqlite s at "s.db" { table customers { rows 40 ID : serial } table orders { rows 60 OID : serial CUST : ref customers.ID } } prompt "How many rows of customers in <<s>> have an order? Reply with the number only." expect reply number <<value: SELECT COUNT(DISTINCT CUST) FROM s.orders>>"#,
            r#"sqlite s at "s.db" { table orders { rows 60 OID : serial V : int 1..9 } table old { rows 20 OID : serial V : int 1..9 } } prompt "How many rows of orders and old in <<s>> have V above 4? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM (SELECT V FROM s.orders UNION ALL SELECT V FROM s.old) WHERE V > 4>>"#,
            r#"sqlite s at "s.db" { table parts { rows 40 ID : serial OVER : int 1..9 } } prompt "How many rows of parts in <<s>> are at or below the row with the ID 1, where OVER is the ID of the row above? Reply with the number only." expect reply number <<value: WITH RECURSIVE found(ID) AS (SELECT 1 UNION SELECT p.ID FROM s.parts p JOIN found f ON p.OVER = f.ID) SELECT COUNT(*) FROM found>>"#,
            r#"prompt "Give the highest PAY in <<hr>> under the key `top`, in a json code block." expect reply fenced "json" json { top: max(hr.PAY) }"#,
        ],
    );
}

#[test]
fn other_column() {
    hold_with_files(
        "other_column",
        &[
            r#"prompt "What is the highest PAY in <<hr>>? Reply with the number only." expect reply number max(hr.BONUS)"#,
            r#"prompt "What is the sum of BONUS over all people in <<hr>>? Reply with the number only." expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the average age in <<hr>>, with 1 decimal? Reply with the number only." expect reply number avg(hr.PAY) rounded 1"#,
            r#"prompt "What is the average BONUS in <<hr>>, with 2 decimals? Number only." expect reply number <<value: SELECT AVG(PAY) FROM hr>> rounded 2"#,
            r#"prompt "Who has the highest bonus in <<hr>> (the first by NAME if equal)? Name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 1>>"#,
            r#"prompt "What is the median of BONUS in <<hr>>, with 1 decimal? Number only." expect reply number median(hr.AGE) rounded 1"#,
            r#"prompt "What is the lowest DIST_M in <<trips>>? Number only." expect reply number min(trips.SECS_SECONDS)"#,
        ],
        &[
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY > x)"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where PAY >= x)"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at least <<x>>? Reply with the number only." expect reply number count(hr where not (PAY < x))"#,
            r#"x : int 40_000..80_000 prompt "How many rows of <<hr>> have a PAY of at most <<x>>? Reply with the number only." expect reply number count(hr) - count(hr where PAY > x)"#,
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> do not earn more than <<x>>? Reply with the number only." expect reply number count(hr where PAY <= x)"#,
            r#"x : int 40_000..80_000 prompt "How many people in <<hr>> earn <<x>> or less? Reply with the number only." expect reply number count(hr where x >= PAY)"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> or earn more than <<x>>? Reply with the number only." expect reply number count(hr where DEPT == d or PAY > x)"#,
            r#"d : one_of ["Sales", "Legal"] x : int 40_000..80_000 prompt "How many people in <<hr>> are in <<d>> and earn <<x>> or more? Reply with the number only." expect reply number count(hr where DEPT == d and PAY >= x)"#,
            r#"prompt "What is the average PAY in <<hr>>, with 2 decimals? Reply with the number only." expect reply number avg(hr.PAY) rounded 2"#,
            r#"prompt "What is the average PAY in <<hr>>, to the nearest integer? Reply with the number only." expect reply number avg(hr.PAY) rounded 0"#,
            r#"prompt "Reply with JSON: `mean`, the mean PAY in <<hr>> with 2 decimals, and `n`, the number of rows." expect reply json { mean: avg(hr.PAY) rounded 2, n: count(hr) }"#,
            r#"prompt "What is the sum of COST in <<trips>>, with 2 decimals? Reply with the number only." expect reply number sum(trips.COST)"#,
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 5>>"#,
            r#"prompt "Of the three highest paid people in <<hr>> (equal ones by NAME), who is the oldest? Reply with the name only." expect reply text <<value: SELECT NAME FROM (SELECT NAME, AGE FROM hr ORDER BY PAY DESC, NAME LIMIT 3) ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "What is the highest PAY in <<hr>>? Reply with the number only." expect reply number max(hr.PAY)"#,
            r#"prompt "What is the lowest PAY in <<hr>> among the DEPT with the highest mean PAY? Reply with the number only." expect reply number <<value: SELECT MIN(PAY) FROM hr GROUP BY DEPT ORDER BY AVG(PAY) DESC, DEPT LIMIT 1>>"#,
        ],
    );
}

#[test]
fn other_unit() {
    hold_with_files(
        "other_unit",
        &[
            r#"prompt "What is the total distance of all trips in <<trips>>, in km, with 3 decimals? Reply with the number only." expect reply number sum(trips.DIST_M)"#,
            r#"prompt "What is the longest distance in <<trips>>, in kilometers? Reply with the number only." expect reply number max(trips.DIST_M)"#,
            r#"prompt "How many minutes do all trips in <<trips>> take together, in minutes with 2 decimals? Reply with the number only." expect reply number <<value: SELECT SUM(SECS_SECONDS) FROM trips>> rounded 2"#,
            r#"prompt "What percentage of the people in <<hr>> are in Sales, with 1 decimal? Reply with the number only." expect reply number count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "What share of the people in <<hr>> are in Sales, between 0 and 1, with 2 decimals? Reply with the number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 2"#,
            r#"prompt "What is the sum of PAY in <<hr>>, in thousands? Reply with the number only." expect reply number sum(hr.PAY)"#,
            r#"prompt "What is the mean distance in <<trips>>, in meters, with 2 decimals? Reply with the number only." expect reply number avg(trips.DIST_M) / 1000 rounded 2"#,
            r#"csv items at "items.csv" { rows 30 NAME : word WEIGHT_G : int 10..5000 PRICE_CENTS : int 100..9999 } prompt "What do all <<items>> weigh together, in kg? Number only." expect reply number sum(items.WEIGHT_G)"#,
            r#"csv items at "items.csv" { rows 30 NAME : word WEIGHT_G : int 10..5000 PRICE_CENTS : int 100..9999 } prompt "What is the highest price in <<items>>, in euros? Number only." expect reply number max(items.PRICE_CENTS)"#,
            r#"csv items at "items.csv" { rows 30 NAME : word WEIGHT_G : int 10..5000 } prompt "What do all <<items>> weigh together, in grams? Number only." expect reply number sum(items.WEIGHT_G) unit "kg""#,
            r#"prompt "What percent of the rows of <<trips>> are void, with 1 decimal? Number only." expect reply number <<value: SELECT SUM(STATUS = 'void') * 1.0 / COUNT(*) FROM trips>> rounded 1"#,
        ],
        &[
            r#"prompt "How many kilometers do all trips in <<trips>> have together (DIST_M is in meters)? Reply with the number only, with 3 decimals." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What is the total distance in <<trips>>, in km? DIST_M has meters. With 3 decimals, number only." expect reply number sum(trips.DIST_M) / 1000 rounded 3"#,
            r#"prompt "What percentage of the people in <<hr>> are in Sales, with 1 decimal? Reply with the number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "What share of the people in <<hr>> are in Sales (in percent, 1 decimal)? Reply with the number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "DIST_M in <<trips>> is in meters. What is the longest trip, in meters? Number only." expect reply number max(trips.DIST_M)"#,
            r#"prompt "What is the longest trip in <<trips>>, in kilometres with 1 decimal? Number only." expect reply number max(trips.DIST_M) / 1000 rounded 1"#,
            r#"prompt "Print the mean PAY of <<hr>> followed by a unit, in EUR, rounded to cents, such as 12.30. Number only." expect reply number avg(hr.PAY) rounded 2 unit "EUR""#,
            r#"prompt "What fraction of the people in <<hr>> are in Sales? Reply with a percentage with 1 decimal, number only." expect reply number 100 * count(hr where DEPT == "Sales") / count(hr) rounded 1"#,
            r#"prompt "What fraction of the people in <<hr>> are OPEN? As a decimal between 0 and 1, correct to three places, no percent." expect reply number count(hr where OPEN) / count(hr) rounded 3"#,
            r#"prompt "Give the share of the people in <<hr>> that are OPEN (0.25, not as a percentage), with three places." expect reply number count(hr where OPEN) / count(hr) rounded 3"#,
        ],
    );
}

#[test]
fn other_form() {
    hold_with_files(
        "other_form",
        &[
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with yes or no." expect reply text count(hr where PAY > x) > 0"#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with true or false." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no""#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with Yes or No." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no""#,
            r#"prompt "When was the first person in <<hr>> hired (the earliest HIRED)? Reply with the date only, as DD.MM.YYYY." expect reply text min(hr.HIRED)"#,
            r#"prompt "When was the first person in <<hr>> hired (the earliest HIRED)? Reply with the date as YYYY-MM-DD." expect reply text <<value: SELECT strftime('%d.%m.%Y', MIN(HIRED)) FROM hr>>"#,
            r#"d : one_of ["Sales", "Legal"] prompt "What comes after <<d>>? Reply with its name in upper case." expect reply text d"#,
            r#"prompt "List the three best paid of <<hr>> (equal ones by NAME), separated by semicolons, the best paid first." expect reply text join(<<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 3>>, ", ")"#,
            r#"prompt "Reply with a JSON array that has the highest PAY of <<hr>> under the key `top`." expect reply json { top: max(hr.PAY) }"#,
            r#"prompt "Who is best paid in <<hr>> (the first by NAME if equal)? Reply with the name only." expect reply number max(hr.PAY)"#,
            r#"prompt "Is anybody in <<hr>> older than 60? Answer yes or no." expect reply text <<value: SELECT CASE WHEN MAX(AGE) > 60 THEN 'true' ELSE 'false' END FROM hr>>"#,
            r#"prompt "Is anybody in <<hr>> older than 60? Answer Yes or No." expect reply text <<value: SELECT CASE WHEN MAX(AGE) > 60 THEN 'YES' ELSE 'NO' END FROM hr>>"#,
            r#"prompt "Is anybody in <<hr>> older than 60? Answer yes or no." expect reply number count(hr where AGE > 60)"#,
            r#"prompt "What is the latest HIRED in <<hr>>? Answer in the form MM/DD/YYYY." expect reply text max(hr.HIRED)"#,
            r#"prompt "Which DEPT has most people in <<hr>> (the first by alphabet if equal)? Reply in lower case." expect reply text mode(hr.DEPT)"#,
        ],
        &[
            r#"n : int 2..9 prompt "In <<hr>>, what is the NAME in the row before row <<n>>? Reply with the name only." expect reply text csv_value(hr.NAME, n - 1)"#,
            r#"x : int 2..9 prompt "Reply with JSON about <<hr>>: `above`, the number of people with an AGE above <<x>>, and `least`, the number with at least that AGE." expect reply json { above: count(hr where AGE > x), least: count(hr where AGE >= x) }"#,
            r#"prompt "Reply with JSON: `mean`, the mean PAY in <<hr>> with 2 decimals, and `n`, the number of rows." expect reply json { mean: avg(hr.PAY) rounded 2, n: count(hr) }"#,
            r#"prompt "List the names of the five highest paid people in <<hr>>, the highest first (equal ones by NAME). Reply with a JSON array." expect reply json <<list: SELECT NAME FROM hr ORDER BY PAY DESC, NAME LIMIT 5>>"#,
            r#"prompt "Of the three highest paid people in <<hr>> (equal ones by NAME), who is the oldest? Reply with the name only." expect reply text <<value: SELECT NAME FROM (SELECT NAME, AGE FROM hr ORDER BY PAY DESC, NAME LIMIT 3) ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"prompt "List all different cities in <<hr>>, alphabetically, as a JSON array." expect reply json sort(dedupe(list(hr.CITY)))"#,
            r#"prompt "Who is the oldest person in <<hr>> (the first by NAME if equal)? Reply with the name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY AGE DESC, NAME LIMIT 1>>"#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with yes or no." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no""#,
            r#"x : int 40_000..80_000 prompt "Does anybody in <<hr>> earn more than <<x>>? Reply with Yes or No." expect reply text if count(hr where PAY > x) > 0 then "yes" else "no" ignore case"#,
            r#"prompt "What is the earliest HIRED in <<hr>>? Reply with the date only, as YYYY-MM-DD." expect reply text min(hr.HIRED)"#,
            r#"d : one_of ["Sales", "Legal"] prompt "Reply with <<d>> in upper case." expect reply text upper(d)"#,
            r#"prompt "Look at <<hr>>. Is the oldest person also the best paid? Reply with yes or no, nothing else." expect reply text if max(hr.PAY where AGE == max(hr.AGE)) == max(hr.PAY) then "yes" else "no""#,
            r#"prompt "Reply with a JSON object with the keys `oldest` (highest AGE) and `youngest` (lowest AGE) of <<hr>>." expect reply json { oldest: max(hr.AGE), youngest: min(hr.AGE) }"#,
            r#"prompt "List all DAY values in <<trips>> of void trips, earliest first, as a JSON array (each once)." expect reply json <<list: SELECT DISTINCT DAY FROM trips WHERE STATUS = 'void' ORDER BY DAY>>"#,
            r#"prompt "Who in <<hr>> was hired first (the first by NAME if several)? Name only." expect reply text <<value: SELECT NAME FROM hr ORDER BY HIRED, NAME LIMIT 1>>"#,
            r#"prompt "Does <<hr>> have anybody under 20? Your answer must be True or False." expect reply text count(hr where AGE < 20) > 0"#,
        ],
    );
}

#[test]
fn other_place() {
    hold_with_files(
        "other_place",
        &[
            r#"prompt "What is the highest PAY in <<hr>>? End with `Result: NUMBER`." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in <<hr>>? Reply with the number." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "Write a query for the highest PAY in <<hr>>. Reply with JSON that has the key `top`." expect reply fenced "json" json { top: max(hr.PAY) }"#,
            r#"prompt "Give the highest PAY in <<hr>> under the key `top`, in a yaml code block." expect reply fenced "json" json { top: max(hr.PAY) }"#,
            r#"prompt "Explain how you find the highest PAY in <<hr>>. Write the number on the first line of your reply." expect reply last line number max(hr.PAY)"#,
            r#"prompt "Explain how you find the highest PAY in <<hr>>. Write the number on the last line." expect reply number max(hr.PAY)"#,
            r#"prompt "List each DEPT of <<hr>> with its number of people as CSV with the columns N, DEPT." expect reply rows <<rows: SELECT DEPT, COUNT(*) AS N FROM hr GROUP BY DEPT>>"#,
            r#"prompt "How many people are in <<hr>>? Think first. Then write `FINAL: ` and the number." expect reply after "Final:" number count(hr where AGE > 0)"#,
            r#"prompt "What is the highest PAY in <<hr>>? Explain it, and put the number between <answer> and </answer>." expect reply last line number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in <<hr>>? End with \\boxed{NUMBER}." expect reply number max(hr.PAY)"#,
            r#"prompt "List DAY, COST and STATUS of the 3 cheapest trips of <<trips>> (equal ones by DAY) as a Markdown table with the columns DAY, COST, STATUS." expect reply rows <<rows: SELECT COST, DAY, STATUS FROM trips ORDER BY COST, DAY LIMIT 3>>"#,
        ],
        &[
            r#"prompt "What is the highest PAY in <<hr>>? End with `Answer: NUMBER`." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "Give the highest PAY in <<hr>> under the key `top`, in a json code block." expect reply fenced "json" json { top: max(hr.PAY) }"#,
            r#"prompt "Explain how you find the highest PAY in <<hr>>. Write the number on the last line." expect reply last line number max(hr.PAY)"#,
            r#"prompt "List each DEPT of <<hr>> with its number of people as CSV with the columns DEPT and N." expect reply rows <<rows: SELECT DEPT, COUNT(*) AS N FROM hr GROUP BY DEPT>>"#,
            r#"prompt "Of all trips in <<trips>>, list DAY and COST of those over 90, most expensive first (equal ones by DAY), as CSV with columns DAY,COST." expect reply rows <<rows: SELECT DAY, COST FROM trips WHERE COST > 90 ORDER BY COST DESC, DAY>> ordered"#,
            r#"prompt "Summarize <<trips>> in SQL. Put one query in a ```sql block that returns the mean COST." expect reply fenced "sql" text "x""#,
            r#"prompt "Give your reasoning first. The last line must be `Answer: ` and the highest PAY in <<hr>>." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in <<hr>>? Put the number between <answer> and </answer>." expect reply in "answer" number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in <<hr>>? Reason between <think> and </think>, then give the number only." expect reply number max(hr.PAY)"#,
            r#"prompt "What is the highest PAY in <<hr>>? End with \\boxed{NUMBER}." expect reply in "\\boxed{".."}" number max(hr.PAY)"#,
            r#"prompt "Which word is on the last line of <<note>>? Reply with the word only." text note at "note.txt" { rows 5 line "<<W>>" W : word } expect reply text <<file_line: note, 5>>"#,
            r#"prompt "What is the highest PAY in <<hr>>? Begin the last line with the word Answer and a colon." expect reply after "Answer:" number max(hr.PAY)"#,
            r#"prompt "Write <<sandbox>>/kinds.csv from <<hr>> with\n- column 1: DEPT\n- column 2: how many people of this dept (rows, not pay!)\n- column 3: their PAY in sum" expect file "kinds.csv" rows <<rows: SELECT DEPT, COUNT(*) AS PEOPLE, SUM(PAY) AS ROWS FROM hr GROUP BY DEPT>>"#,
        ],
    );
}

#[test]
fn questions_of_data_sets_are_compared_with_their_sql() {
    let suite = r#"suite mini { title "Mini" version "1.0.0" }
table dev from "dev.json"
task ask {
  each q in dev key id
  sqlite db at "db.sqlite" { table orders { rows 30  OID : serial  NAME : unique word  AMOUNT : int 1..99 } }
  prompt "<<q.question>> The database is <<db>>. Reply with one SQLite query in a sql block."
  expect reply fenced "sql" sql db query(db, q.SQL)
}"#;
    let rows = [
        (
            "How many orders have an amount above 50?",
            "SELECT COUNT(*) FROM orders WHERE AMOUNT >= 50",
            "other_comparison",
        ),
        (
            "How many orders have an amount of 20 or more?",
            "SELECT COUNT(*) FROM orders WHERE AMOUNT > 20",
            "other_comparison",
        ),
        (
            "What are the top 5 orders by amount?",
            "SELECT NAME FROM orders ORDER BY AMOUNT DESC, OID LIMIT 3",
            "other_count",
        ),
        ("What is the lowest amount of an order?", "SELECT MAX(AMOUNT) FROM orders", "other_aggregate"),
        (
            "What is the name of the cheapest order?",
            "SELECT NAME FROM orders ORDER BY AMOUNT DESC, OID LIMIT 1",
            "other_aggregate",
        ),
        ("How many orders have an amount above 50?", "SELECT COUNT(*) FROM orders WHERE AMOUNT > 50", ""),
        ("How many orders do not have an amount above 50?", "SELECT COUNT(*) FROM orders WHERE AMOUNT <= 50", ""),
        ("What are the top 5 orders by amount?", "SELECT NAME FROM orders ORDER BY AMOUNT DESC, OID LIMIT 5", ""),
        ("What is the highest amount of an order?", "SELECT MAX(AMOUNT) FROM orders", ""),
        (
            "What is the range from the lowest to the highest amount?",
            "SELECT MAX(AMOUNT) - MIN(AMOUNT) FROM orders",
            "",
        ),
    ];
    for (question, sql, lint) in rows {
        let data = format!(r#"[{{"id": 1, "question": "{question}", "SQL": "{sql}"}}]"#);
        let compiled = testing::compile_with(suite, &[("dev.json", data.as_bytes())]);
        let names: Vec<&str> = compiled.diagnostics.iter().map(|said| said.code.name).collect();
        let expected: Vec<&str> = Some(lint).filter(|lint| !lint.is_empty()).into_iter().collect();
        assert_eq!(names, expected, "{question} {sql}");
    }
}

/// Policies with claims, and results with units.
const CLAIMS: &str = r#"csv policies at "policies.csv" { rows 60 POLICY : unique pattern "HH[0-9]{6}" CITY : city }
csv claims at "claims.csv" { rows 200 CLAIM : serial POLICY : ref policies.POLICY PERIL : one_of ["hail", "fire"] PAID : int 50..9000 }
"#;
/// Stock, with its range in days.
const STOCK: &str = r#"csv stock at "stock.csv" { rows 90 SKU : unique sku ON_HAND : int 0..120 SOLD : int 1..12 VALUE : int 20..110 AT : datetime 2024-05-14T00:00..2024-05-14T23:50 step 10 minutes }
"#;

fn hold_after(before: &str, lint: &str, caught: &[&str], right: &[&str]) {
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{before}{body}")).collect::<Vec<_>>();
    let (caught, right) = (with(caught), with(right));
    super::hold_also(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn comparisons_of_products_and_of_ends() {
    hold_after(
        STOCK,
        "other_comparison",
        &[
            r#"days : int 3..9 prompt "How many articles of <<stock>> have cover for fewer than <<days>> days (ON_HAND divided by SOLD)? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM stock WHERE ON_HAND <= :days * SOLD>>"#,
            r#"days : int 3..9 prompt "How many articles of <<stock>> have cover for at least <<days>> days (ON_HAND divided by SOLD)? Reply with the number only." expect reply number count(stock where ON_HAND > days * SOLD)"#,
            r#"lim : int 42..64 prompt "How many rows of <<stock>> have a VALUE of <<lim>> mmol/mol or more? Reply with the number only." expect reply number count(stock where VALUE > lim)"#,
            r#"low : datetime 2024-05-14T02:00..2024-05-14T09:00 step 1 hour high = low + 6 hours prompt "How many rows of <<stock>> are from <<low>> up to, but not including, <<high>>? Reply with the number only." expect reply number count(stock where AT >= low and AT <= high)"#,
            r#"a : int 20..40 b : int 50..90 prompt "How many rows of <<stock>> have a VALUE from <<a>> (inclusive) to <<b>> (exclusive)? Reply with the number only." expect reply number count(stock where VALUE >= a and VALUE <= b)"#,
        ],
        &[
            r#"days : int 3..9 prompt "How many articles of <<stock>> have cover for fewer than <<days>> days (ON_HAND divided by SOLD)? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM stock WHERE ON_HAND < :days * SOLD>>"#,
            r#"days : int 3..9 prompt "How many articles of <<stock>> do not have cover for fewer than <<days>> days (ON_HAND divided by SOLD)? Reply with the number only." expect reply number count(stock where ON_HAND >= days * SOLD)"#,
            r#"lim : int 42..64 prompt "How many rows of <<stock>> have a VALUE of <<lim>> mmol/mol or more? Reply with the number only." expect reply number count(stock where VALUE >= lim)"#,
            r#"low : datetime 2024-05-14T02:00..2024-05-14T09:00 step 1 hour high = low + 6 hours prompt "How many rows of <<stock>> are from <<low>> up to, but not including, <<high>>? Reply with the number only." expect reply number count(stock where AT >= low and AT < high)"#,
            r#"a : int 20..40 b : int 50..90 prompt "How many rows of <<stock>> have a VALUE from <<a>> (inclusive) to <<b>> (exclusive)? Reply with the number only." expect reply number count(stock where VALUE >= a and VALUE < b)"#,
        ],
    );
}

#[test]
fn things_that_occur_in_several_rows() {
    hold_after(
        CLAIMS,
        "other_aggregate",
        &[
            r#"p : one_of ["hail", "fire"] prompt "In <<claims>>, how many policies had at least one <<p>> claim? Reply with the number only. <<policies>> has the policies." expect reply number count(claims where PERIL == p)"#,
            r#"p : one_of ["hail", "fire"] prompt "By <<claims>>, how many of the policies had a <<p>> claim? Reply with the number only. <<policies>> has the policies." expect reply number <<value: SELECT COUNT(*) FROM claims WHERE PERIL = :p>>"#,
        ],
        &[
            r#"p : one_of ["hail", "fire"] prompt "In <<claims>>, how many policies had at least one <<p>> claim? Reply with the number only. <<policies>> has the policies." expect reply number distinct_count(claims.POLICY where PERIL == p)"#,
            r#"p : one_of ["hail", "fire"] prompt "In <<claims>>, how many claims of policies were for <<p>>? Reply with the number only. <<policies>> has the policies." expect reply number count(claims where PERIL == p)"#,
            r#"p : one_of ["hail", "fire"] prompt "How many policies does <<policies>> have? Reply with the number only." expect reply number count(policies)"#,
        ],
    );
}

#[test]
fn keys_that_read_like_another_column() {
    let before =
        "csv log_ at \"log.csv\" { rows 90 TEAM : one_of [\"a\", \"b\"] ACK_MIN : int 1..60 FIX_MIN : int 30..900 }\n";
    hold_after(
        before,
        "other_column",
        &[
            r#"prompt "In <<log_>>, ACK_MIN are minutes to acknowledge, FIX_MIN to resolve. Reply with JSON: `mean_ack`, the mean time to acknowledge, and `n`, the number of rows." expect reply json { mean_ack: avg(log_.FIX_MIN) rounded 1, n: count(log_) }"#,
            r#"prompt "In <<log_>>, ACK_MIN are minutes to acknowledge, FIX_MIN to resolve. Reply with JSON: `longest_fix`, the most minutes to resolve, and `n`, the number of rows." expect reply json { longest_fix: max(log_.ACK_MIN), n: count(log_) }"#,
        ],
        &[
            r#"prompt "In <<log_>>, ACK_MIN are minutes to acknowledge, FIX_MIN to resolve. Reply with JSON: `mean_ack`, the mean time to acknowledge, and `n`, the number of rows." expect reply json { mean_ack: avg(log_.ACK_MIN) rounded 1, n: count(log_) }"#,
            r#"prompt "In <<log_>>, ACK_MIN are minutes to acknowledge, FIX_MIN to resolve. Reply with JSON: `mean_fix_of_slow_ack`, the mean time to resolve of rows with ACK_MIN over 30, and `n`, the number of rows." expect reply json { mean_fix_of_slow_ack: coalesce(avg(log_.FIX_MIN where ACK_MIN > 30), 0) rounded 1, n: count(log_) }"#,
            r#"prompt "In <<log_>>, FIX_MIN are minutes to resolve. Reply with JSON: `worst`, the most minutes to resolve, and `n`, the number of rows. ACK_MIN does not matter." expect reply json { worst: max(log_.FIX_MIN), n: count(log_) }"#,
        ],
    );
}

#[test]
fn units_that_functions_and_prompts_show() {
    let before = r#"csv spans at "spans.csv" { rows 90 OP : one_of ["a", "b"] DURATION_US : int 400..950_000 KG : int 20..900 LENGTH : int 1..90 BALANCE : int -9000..24_000
        GOT : datetime 2024-05-01T00:00..2024-05-30T12:00 step 5 minutes SENT : datetime GOT + 20 minutes..GOT + 9 hours step 5 minutes }
"#;
    hold_after(
        before,
        "other_unit",
        &[
            r#"prompt "What is the mean DURATION_US in <<spans>>, in milliseconds? Round to 2 decimal places and reply with the number only." expect reply number avg(spans.DURATION_US) rounded 2"#,
            r#"prompt "How many tonnes do the rows of <<spans>> weigh together, by KG? Reply with the number only, rounded to two decimal places." expect reply number sum(spans.KG) rounded 2"#,
            r#"prompt "What is the mean time from GOT to SENT in <<spans>>, in minutes, rounded to one decimal place? Reply with the number only." expect reply number <<value: SELECT AVG((unixepoch(SENT) - unixepoch(GOT)) / 3600.0) FROM spans>> rounded 1"#,
            r#"prompt "What is the mean time from GOT to SENT in <<spans>>, in hours, rounded to one decimal place? Reply with the number only." expect reply number <<value: SELECT AVG(julianday(SENT) - julianday(GOT)) FROM spans>> rounded 1"#,
            r#"prompt "LENGTH is how long a row of <<spans>> took, in minutes. What is the sum of all rows, in hours? Reply with the number only, rounded to 1 decimal." expect reply number sum(spans.LENGTH) rounded 1"#,
            r#"owed = -coalesce(sum(spans.BALANCE where BALANCE < 0), 0) prompt "Add up the negative BALANCE values of <<spans>>, and give the sum as a positive number in thousands, rounded to one decimal. Reply with the number only." expect reply number owed rounded 1"#,
        ],
        &[
            r#"prompt "What is the mean DURATION_US in <<spans>>, in milliseconds? Round to 2 decimal places and reply with the number only." expect reply number avg(spans.DURATION_US) / 1000 rounded 2"#,
            r#"prompt "How many tonnes do the rows of <<spans>> weigh together, by KG? Reply with the number only, rounded to two decimal places." expect reply number sum(spans.KG) / 1000 rounded 2"#,
            r#"prompt "What is the mean time from GOT to SENT in <<spans>>, in minutes, rounded to one decimal place? Reply with the number only." expect reply number <<value: SELECT AVG((unixepoch(SENT) - unixepoch(GOT)) / 60.0) FROM spans>> rounded 1"#,
            r#"prompt "What is the mean time from GOT to SENT in <<spans>>, in hours, rounded to one decimal place? Reply with the number only." expect reply number <<value: SELECT AVG(julianday(SENT) - julianday(GOT)) * 24 FROM spans>> rounded 1"#,
            r#"prompt "LENGTH is how long a row of <<spans>> took, in minutes. What is the sum of all rows, in hours? Reply with the number only, rounded to 1 decimal." expect reply number sum(spans.LENGTH) / 60 rounded 1"#,
            r#"prompt "How many hours of <<spans>> have a LENGTH above 30 minutes? Count the rows, and reply with the number only." expect reply number count(spans where LENGTH > 30)"#,
        ],
    );
}

#[test]
fn orders_in_other_words() {
    let before =
        "csv plans at \"plans.csv\" { rows 24 PLAN : unique sku FEE : unique decimal 4.99..79.99 step 0.50 }\n";
    hold_after(
        before,
        "other_order",
        &[
            r#"prompt "List the plans of <<plans>>, the cheapest (lowest FEE) first. Reply with one PLAN per line." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE DESC>> ordered"#,
            r#"prompt "List the plans of <<plans>>, the plan with the highest fee first. Reply with one PLAN per line." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE>> ordered"#,
            r#"prompt "Which three plans of <<plans>> have the lowest FEE? Reply with one PLAN per line, the winner first, then the second, then the third." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE LIMIT 3>>"#,
        ],
        &[
            r#"prompt "List the plans of <<plans>>, the cheapest (lowest FEE) first. Reply with one PLAN per line." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE>> ordered"#,
            r#"prompt "Which three plans of <<plans>> have the lowest FEE? Reply with one PLAN per line, the winner first, then the second, then the third." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE LIMIT 3>> ordered"#,
            r#"prompt "Which three plans of <<plans>> have the lowest FEE? Reply with one PLAN per line." expect reply list <<list: SELECT PLAN FROM plans ORDER BY FEE LIMIT 3>>"#,
        ],
    );
}

#[test]
fn times_and_described_columns() {
    let before =
        "csv log_ at \"log.csv\" { rows 90 BRANCH : one_of [\"a\", \"b\"] AMOUNT : int 1..60 MINS : int 3..90 }\n";
    hold_after(
        before,
        "other_form",
        &[
            r#"prompt "How long are all rows of <<log_>> together, by MINS? Reply with hours and minutes in the form h:mm, and nothing else." expect reply number sum(log_.MINS)"#,
        ],
        &[
            r#"prompt "How many minutes are all rows of <<log_>> together, by MINS? Reply with the number only." expect reply number sum(log_.MINS)"#,
        ],
    );
    hold_after(
        before,
        "other_place",
        &[
            r#"prompt "Reply with a CSV table of <<log_>>. Its columns are the branch, the number of rows, and the total of AMOUNT, in this order." expect reply rows <<rows: SELECT BRANCH, SUM(AMOUNT) AS TOTAL, COUNT(*) AS N FROM log_ GROUP BY BRANCH>>"#,
        ],
        &[
            r#"prompt "Reply with a CSV table of <<log_>>. Its columns are the branch, the number of rows, and the total of AMOUNT, in this order." expect reply rows <<rows: SELECT BRANCH, COUNT(*) AS N, SUM(AMOUNT) AS TOTAL FROM log_ GROUP BY BRANCH>>"#,
            r#"prompt "Reply with a CSV table of <<log_>>. Its columns are the branch, the lowest AMOUNT, and the highest AMOUNT, in this order." expect reply rows <<rows: SELECT BRANCH, MIN(AMOUNT) AS BOTTOM, MAX(AMOUNT) AS TOP FROM log_ GROUP BY BRANCH>>"#,
        ],
    );
}
