//! Leaks through paths, folders, texts, examples, columns, and stages, and what only looks like one.

use super::hold;

/// Notes of which some are late.
const NOTES: &str = r#"late : int 5..30 csv notes at "inbound/notes.csv" { rows 90 NOTE : serial PROMISED : date 2024-02-01..2024-03-15 _LATE : bool exactly late
    ARRIVED = if _LATE then PROMISED + 3 days else PROMISED - 1 days PALLETS : int 1..26 }
"#;

fn with_notes(path: &str, body: &str) -> String {
    format!("{}{body}", NOTES.replace("inbound/notes.csv", path))
}

#[test]
fn paths_and_folders() {
    let asked = r#"prompt "How many rows of <<notes>> have an ARRIVED after PROMISED? Reply with the number only." expect reply number count(notes where ARRIVED > PROMISED)"#;
    let caught = [
        with_notes("inbound/<<late>>/notes.csv", asked),
        with_notes("inbound/<<late>>.csv", asked),
        r#"hurt : int 9..60 csv cases at "list_<<hurt>>.csv" { rows 100 NO : serial HURT : bool exactly hurt } prompt "In <<cases>>, how many rows have HURT true? Reply with the number only." expect reply number hurt"#.to_owned(),
        r#"bad : username csv log at "logs/<<bad>>/a.csv" { rows 40 _HIT : bool exactly 9 _U : username except bad USER_ = if _HIT then bad else _U } prompt "Which USER_ has most rows in <<log>>? Reply with it only." expect reply text bad"#.to_owned(),
        r#"missed : int 3..40 table places { rows missed ROW : unique int 1..300 } text log at "missed-<<missed>>.log" { rows 300 line "<<NO>> <<EVENT>>" NO : serial EVENT = if NO in list(places.ROW) then "missed" else "reached" } prompt "How many lines of <<log>> say missed? Reply with the number only." expect reply number missed"#.to_owned(),
        r#"csv points at "houses.csv" { rows 60 PUPIL : unique person_name HOUSE : one_of ["ash", "elm"] POINTS : int 1..50 } winner = coalesce(first(<<list: SELECT HOUSE FROM points GROUP BY HOUSE ORDER BY SUM(POINTS) DESC, HOUSE>>), "none") text note at "note.txt" = "x" folder "filed/<<winner>>" prompt "Move <<note>> to the folder filed/HOUSE of the house with the most POINTS in <<points>>." expect file "filed/<<winner>>/note.txt" bytes note expect file note absent"#.to_owned(),
    ];
    let right = [
        with_notes("inbound/notes.csv", asked),
        with_notes("inbound/<<late>>.csv", r#"prompt "How many PALLETS are in <<notes>>? Reply with the number only." expect reply number sum(notes.PALLETS)"#),
        with_notes("inbound/<<late>>.csv", r#"prompt "How many rows of <<notes>> have more than 20 PALLETS? Reply with the number only." expect reply number count(notes where PALLETS > 20)"#),
        r#"town : city csv t at "data/<<town>>.csv" { rows 30 N : int 1..9 } prompt "What is the sum of N in <<t>>? Reply with the number only." expect reply number sum(t.N)"#.to_owned(),
        r#"bad : username a : username csv log at "logs/<<a>>/a.csv" { rows 40 _HIT : bool exactly 9 _U : username except bad USER_ = if _HIT then bad else _U } prompt "Which USER_ has most rows in <<log>>? Reply with it only." expect reply text bad"#.to_owned(),
        r#"csv points at "houses.csv" { rows 60 PUPIL : unique person_name HOUSE : one_of ["ash", "elm"] POINTS : int 1..50 } winner = coalesce(first(<<list: SELECT HOUSE FROM points GROUP BY HOUSE ORDER BY SUM(POINTS) DESC, HOUSE>>), "none") text note at "note.txt" = "x" folder "filed/ash" folder "filed/elm" prompt "Move <<note>> to the folder filed/HOUSE of the house with the most POINTS in <<points>>." expect file "filed/<<winner>>/note.txt" bytes note expect file note absent"#.to_owned(),
    ];
    hold("leaked_answer", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

/// Hosts, and payments.
const DATA: &str = r#"csv pay at "pay.csv" { rows 250 ID : serial CARD : one_of ["gold", "classic"] USUAL : int 20..150 AMOUNT : int 5..900 ODD = AMOUNT > 3 * USUAL }
"#;

#[test]
fn texts_examples_and_columns() {
    let caught = [
        format!(r#"{DATA} prompt "AMOUNT is odd in <<pay>> if it is more than three times USUAL. Which ID are odd? Reply with a JSON list." expect reply list list(pay.ID where ODD)"#),
        format!(r#"{DATA} prompt "How many rows of <<pay>> have an AMOUNT of more than three times USUAL? Reply with the number only." expect reply number count(pay where ODD)"#),
        r#"least : int 3..8 csv staff at "staff.csv" { rows 40 NAME : unique person_name YEARS : int 0..20 LISTED = YEARS >= least } prompt "Who in <<staff>> has at least <<least>> YEARS? Reply with the names, one per line." expect reply list <<list: SELECT NAME FROM staff WHERE YEARS >= :least ORDER BY NAME>>"#.to_owned(),
        format!(r#"{DATA} top = max(pay.AMOUNT) low = min(pay.AMOUNT) prompt "Reply with the highest and the lowest AMOUNT in <<pay>>, such as <<top>>:<<low>>." expect reply text "<<top>>:<<low>>""#),
        r#"bad : username csv log at "log.csv" { rows 40 _HIT : bool exactly 19 _U : unique username except bad USER_ = if _HIT then bad else _U } prompt "Which USER_ has most rows in <<log>>? Reply with it only, for example `<<bad>>`." expect reply text bad"#.to_owned(),
        r#"table scan { rows 60..90 HOST : unique hostname PATCHED : bool 70% } n = count(scan where not PATCHED) text report at "report.txt" = """
            <<lines(list("<<scan.HOST>> patched=<<scan.PATCHED>>"))>>
            Not patched: <<n>>
            """ prompt "<<report>> has a line for each host. How many hosts have not been patched (patched=false)? Reply with the number only." expect reply number n"#.to_owned(),
        r#"least : int 60..140 sqlite pos at "pos.db" { table baskets { rows 240 BASKET : serial STORE : one_of ["a", "b"] PAID : int 3..220 } } gold = <<rows: SELECT STORE, COUNT(*) AS N FROM pos.baskets WHERE PAID >= :least GROUP BY STORE>>
            text notes at "notes.sql" = "-- Counts. SELECT STORE, COUNT(*) AS N FROM baskets WHERE PAID >= <<least>> GROUP BY STORE;" prompt "<<pos>> has baskets; see <<notes>>. Write a query for the number of baskets of each STORE that PAID at least <<least>>. Reply with the query in a sql block." expect reply fenced "sql" sql pos gold"#.to_owned(),
    ];
    let right = [
        format!(r#"{DATA} prompt "Which ID of <<pay>> have ODD, which is true if AMOUNT is more than three times USUAL? Reply with a JSON list." expect reply list list(pay.ID where ODD)"#),
        format!(r#"{DATA} prompt "What is the sum of AMOUNT in <<pay>>? Reply with the number only." expect reply number sum(pay.AMOUNT)"#),
        r#"least : int 3..8 csv staff at "staff.csv" { rows 40 NAME : unique person_name YEARS : int 0..20 _LISTED = YEARS >= least } prompt "Who in <<staff>> has at least <<least>> YEARS? Reply with the names, one per line." expect reply list list(staff.NAME where _LISTED)"#.to_owned(),
        format!(r#"{DATA} top = max(pay.AMOUNT) low = min(pay.AMOUNT) prompt "Reply with the highest and the lowest AMOUNT in <<pay>>, such as 12:3." expect reply text "<<top>>:<<low>>""#),
        format!(r#"{DATA} card : ref pay.CARD prompt "How many rows of <<pay>> have the CARD <<card>>? Reply such as <<card>>: 3." expect reply text "<<card>>: <<count(pay where CARD == card)>>""#),
        r#"table scan { rows 60..90 HOST : unique hostname PATCHED : bool 70% } n = count(scan where not PATCHED) text report at "report.txt" = """
            <<lines(list("<<scan.HOST>> patched=<<scan.PATCHED>>"))>>
            Hosts: <<count(scan)>>
            """ prompt "<<report>> has a line for each host. How many hosts have not been patched (patched=false)? Reply with the number only." expect reply number n"#.to_owned(),
    ];
    hold("leaked_answer", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn stages() {
    let trains = r#"csv trains at "trains.csv" { rows 100 TRAIN : unique pattern "[A-Z]{2} [1-9][0-9]{2}" MINUTES : int -3..25 } late = count(trains where MINUTES > 0) lost = coalesce(sum(trains.MINUTES where MINUTES > 0), 0) require late > 0
        prompt "What is the mean of the MINUTES above 0 in <<trains>>, to one decimal? Reply with the number only." expect reply number lost / late rounded 1
        "#;
    let stage = |prompt: &str| {
        format!(
            r#"{trains} stage filter {{ prompt "How many rows of <<trains>> have MINUTES above 0? Reply with the number only." expect reply number late }}
            stage total after filter {{ prompt "{prompt} Reply with the number only." expect reply number lost }}"#
        )
    };
    let caught = [
        stage("<<late>> rows of <<trains>> have MINUTES above 0. What is their sum?"),
        stage("What is the sum of the MINUTES above 0 in <<trains>>? There are <<late>> rows of them."),
        stage(
            "What is the sum of MINUTES in the <<count(trains where MINUTES > 0)>> rows of <<trains>> with MINUTES above 0?",
        ),
        stage("The mean of the MINUTES above 0 in <<trains>> is <<lost / late>>. What is their sum?"),
        stage("In <<trains>>, <<late>> MINUTES are above 0. What is their sum?"),
        stage("Add up the MINUTES above 0 of <<trains>> (<<late>> rows)."),
    ];
    let right = [
        stage("What is the sum of the MINUTES above 0 in <<trains>>?"),
        stage("<<trains>> has <<count(trains)>> rows. What is the sum of the MINUTES above 0?"),
        stage("Add up the MINUTES of the rows of <<trains>> that have MINUTES above 0."),
        stage("What do the MINUTES above 0 in <<trains>> sum up to?"),
        stage("In <<trains>>, what is the sum of all MINUTES that are above 0?"),
        stage("Of <<trains>>, add up what is above 0 in MINUTES."),
    ];
    hold("leaked_answer", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
