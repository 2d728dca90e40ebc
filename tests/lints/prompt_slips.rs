//! Slips that a sixth blind look found in prompts, goals, and forms, and what only looks like one.

use super::hold_also as hold;

/// A file of sessions.
const SESSIONS: &str = r#"csv log at "log.csv" { rows 90  ID : serial  KIND : one_of ["web", "app", "kiosk"]  LATENCY_MS : unique int 20..900
  SPEED : unique int 20..900  CRASHED : bool 30%  V : int 1..900  AT : unique datetime 2024-01-01T00:00..2024-06-30T23:00 step 1 minutes }
"#;

/// A database of tickets.
const TICKETS: &str = r#"site : ref db.tickets.SITE
sqlite db at "t.db" { table tickets { rows 90  ID : serial  SITE : one_of ["north", "quay"]  STATE : one_of ["new", "open", "closed"]
  PRIO : int 1..5  DUE : date 2024-01-01..2024-12-31 } }
"#;

#[track_caller]
fn hold_with(start: &str, lint: &str, caught: &[&str], right: &[&str]) {
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{start}{body}")).collect::<Vec<_>>();
    let (caught, right) = (with(caught), with(right));
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold(lint, &caught, &right);
}

/// Goals, each with its prompt.
fn with_goals(goals: &[(&str, &str)]) -> Vec<String> {
    let build = |(goal, prompt): &(&str, &str)| {
        format!("goal = <<after: db, {goal}>> prompt \"{prompt}\" expect file db database goal")
    };
    goals.iter().map(build).collect()
}

#[track_caller]
fn hold_goals(lint: &str, caught: &[(&str, &str)], right: &[(&str, &str)]) {
    let (caught, right) = (with_goals(caught), with_goals(right));
    let caught: Vec<&str> = caught.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    hold_with(TICKETS, lint, &caught, &right);
}

#[test]
fn rates() {
    hold_with(
        SESSIONS,
        "other_unit",
        &[
            r#"prompt "How many crashes (CRASHED) does <<log>> have per 1,000 sessions? Round to 1 decimal place. Reply with the number only." expect reply number count(log where CRASHED) * 100 / count(log) rounded 1"#,
            r#"prompt "Crashes (CRASHED) per thousand sessions in <<log>>, rounded to 1 decimal place? Reply with the number only." expect reply number count(log where CRASHED) / count(log) rounded 1"#,
        ],
        &[
            r#"prompt "How many crashes (CRASHED) does <<log>> have per 1,000 sessions? Round to 1 decimal place. Reply with the number only." expect reply number count(log where CRASHED) * 1000 / count(log) rounded 1"#,
            r#"prompt "V is euros per 100 sessions. What is the sum of V in <<log>> divided by the number of its rows, rounded to 1 decimal place? Reply with the number only." expect reply number sum(log.V) * 3 / count(log) rounded 1"#,
            r#"prompt "A session costs 2 euros per 1,000 units of V. What is the sum of V in <<log>>? Reply with the number only." expect reply number sum(log.V)"#,
        ],
    );
}

#[test]
fn paces_and_deviations() {
    let list = |order: &str, words: &str| {
        format!(
            r#"slow = <<list: SELECT ID FROM log ORDER BY {order} LIMIT 4>> prompt "Take the four rows of <<log>> {words}. Reply with one ID per line, slowest first." expect reply list slow ordered"#
        )
    };
    let caught = [list("LATENCY_MS", "in question"), list("SPEED DESC", "in question")];
    let right = [list("LATENCY_MS DESC", "in question"), list("SPEED", "in question"), list("V", "in question")];
    hold_with(SESSIONS, "other_order", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
    hold_with(
        SESSIONS,
        "other_aggregate",
        &[
            r#"prompt "What is the population standard deviation of V in <<log>>, rounded to 2 decimal places? Reply with the number only." expect reply number stdev(log.V) rounded 2"#,
        ],
        &[
            r#"prompt "What is the sample standard deviation of V in <<log>>, rounded to 2 decimal places? Reply with the number only." expect reply number stdev(log.V) rounded 2"#,
            r#"prompt "What is the population standard deviation of V in <<log>>, rounded to 2 decimal places? Reply with the number only." d = <<value: SELECT sqrt(AVG(V * V) - AVG(V) * AVG(V)) FROM log>> require d != null expect reply number d rounded 2"#,
        ],
    );
}

#[test]
fn forms_of_times_months_and_json() {
    hold_with(
        SESSIONS,
        "other_form",
        &[
            r#"m = min(log.AT) t = slice("<<m>>", 12, 19) prompt "When is the first AT in <<log>>? Reply with the time only, in the form HH:MM, such as 09:05." expect reply text t"#,
            r#"t = <<value: SELECT strftime('%H:%M', MIN(AT)) FROM log>> require t != null prompt "When is the first AT in <<log>>? Reply with the time only, in the form HH:MM:SS." expect reply text t"#,
            r#"t = <<value: SELECT strftime('%Y-%m', MIN(AT)) FROM log>> require t != null prompt "In which month is the first AT in <<log>>? Reply with the month as MM/YYYY only." expect reply text t"#,
            r#"prompt "Reply with a JSON object: `total` is the sum of V in <<log>> as a string." expect reply json { total: sum(log.V) }"#,
            r#"prompt "What is the sum of V in <<log>>? Reply with a JSON object with the key `sum`." expect reply number sum(log.V)"#,
            r#"prompt "What is the sum of V in <<log>>? Reply with the number only." expect reply json { sum: sum(log.V) }"#,
        ],
        &[
            r#"m = min(log.AT) t = slice("<<m>>", 12, 16) prompt "When is the first AT in <<log>>? Reply with the time only, in the form HH:MM, such as 09:05." expect reply text t"#,
            r#"t = <<value: SELECT strftime('%m/%Y', MIN(AT)) FROM log>> require t != null prompt "In which month is the first AT in <<log>>? Reply with the month as MM/YYYY only." expect reply text t"#,
            r#"prompt "Reply with a JSON object: `total` is the sum of V in <<log>> as a string." expect reply json { total: "<<sum(log.V)>>" }"#,
            r#"prompt "Write {\"n\": …, \"kind\": …} as a JSON object, the kind as a string: how many rows <<log>> has, and its first KIND." expect reply json { n: count(log), kind: first(log.KIND) }"#,
            r#"prompt "Reply with a JSON object with the key `sum`: the sum of V in <<log>>." expect reply at "$.sum" number sum(log.V)"#,
        ],
    );
}

#[test]
fn rows_that_a_view_drops() {
    let suite = |view: &str, words: &str| {
        format!(
            r#"sqlite db at "p.db" {{ table pc {{ rows 90  ID : serial  MODE : one_of ["duel", "raid"]  MINUTES : int 5..40 }}
  table con {{ rows 90  ID : serial  MODE : one_of ["duel", "raid"]  MINUTES : int 5..40 }}
  view played = <<rows: {view}>> }}
n = <<sqlite_query: db, SELECT SUM(MINUTES) FROM played WHERE MODE = 'duel'>> require n != null
prompt "How many minutes (MINUTES) did the {words} of MODE duel in the tables `pc` and `con` of <<db>> take together? Reply with the number only." expect reply number n"#
        )
    };
    let caught = [suite("SELECT MODE, MINUTES FROM pc UNION SELECT MODE, MINUTES FROM con", "games")];
    let right = [
        suite("SELECT MODE, MINUTES FROM pc UNION ALL SELECT MODE, MINUTES FROM con", "games"),
        suite("SELECT ID, MODE, MINUTES FROM pc UNION SELECT ID + 1000, MODE, MINUTES FROM con", "games"),
        suite("SELECT MODE, MINUTES FROM pc UNION SELECT MODE, MINUTES FROM con", "different lengths"),
    ];
    hold("duplicates_dropped", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn flags_that_are_joined_or_explained() {
    hold_with(
        SESSIONS,
        "other_condition",
        &[
            r#"kind : ref log.KIND prompt "How many rows of <<log>> have the KIND <<kind>> and are CRASHED? Reply with the number only." expect reply number count(log where KIND == kind or CRASHED)"#,
        ],
        &[
            r#"kind : ref log.KIND prompt "How many rows of <<log>> have the KIND <<kind>> and are CRASHED? Reply with the number only." expect reply number count(log where KIND == kind and CRASHED)"#,
            r#"kind : ref log.KIND prompt "How many rows of <<log>> have the KIND <<kind>> or are CRASHED? Reply with the number only." expect reply number count(log where KIND == kind or CRASHED)"#,
            r#"prompt "Sessions of <<log>> with CRASHED = 1 did not end. How many ended? Reply with the number only." expect reply number count(log where not CRASHED)"#,
        ],
    );
}

#[test]
fn goals_that_do_something_else() {
    hold_goals(
        "other_change",
        &[
            (
                "UPDATE tickets SET DUE = date(DUE, '-7 days') WHERE PRIO = 5",
                "In <<db>>, make DUE of all tickets with PRIO 5 in SITE north and quay 7 days later.",
            ),
            (
                "INSERT INTO tickets VALUES (91, 'quay', 'open', 2, '2024-03-01')",
                "Add a row to `tickets` of <<db>>: ID 91, SITE quay, STATE new, PRIO 2, DUE 2024-03-01.",
            ),
            (
                "INSERT INTO tickets (ID, SITE, STATE, PRIO, DUE) VALUES (91, 'quay', 'new', 3, '2024-03-01')",
                "Add a row to `tickets` of <<db>> with the ID 91, the SITE quay, the STATE new, the PRIO 2, and the DUE 2024-03-01.",
            ),
            (
                "DELETE FROM tickets WHERE PRIO = 5",
                "Close all tickets of <<db>> with PRIO 5: their STATE becomes closed.",
            ),
            (
                "UPDATE tickets SET STATE = 'new' WHERE PRIO = 5",
                "In <<db>>, touch the tickets that are not of lower PRIO than 5: set STATE to closed.",
            ),
        ],
        &[
            (
                "UPDATE tickets SET DUE = date(DUE, '+7 days') WHERE PRIO = 5",
                "In <<db>>, make DUE of all tickets with PRIO 5 in SITE north and quay 7 days later.",
            ),
            (
                "UPDATE tickets SET DUE = date(DUE, '-7 days') WHERE DUE > '2024-05-01'",
                "In <<db>>, take 7 days from DUE of all tickets with a DUE later than 2024-05-01.",
            ),
            (
                "INSERT INTO tickets VALUES (91, 'quay', 'new', 2, '2024-03-01')",
                "Add a row to `tickets` of <<db>>: ID 91, SITE quay, STATE new, PRIO 2, DUE 2024-03-01.",
            ),
            (
                "DELETE FROM tickets WHERE PRIO = 5",
                "Delete all tickets of <<db>> with PRIO 5; the STATE is to open them no more.",
            ),
        ],
    );
    hold_goals(
        "missing_change",
        &[("UPDATE tickets SET STATE = 'closed' WHERE PRIO = 5", "Remove every ticket with PRIO 5 from <<db>>.")],
        &[
            ("DELETE FROM tickets WHERE PRIO = 5", "Remove every ticket with PRIO 5 from <<db>>."),
            (
                "UPDATE tickets SET STATE = 'closed' WHERE PRIO = 5",
                "Remove every ticket with PRIO 5 from the work list of <<db>>: it gets the STATE closed.",
            ),
        ],
    );
    hold_goals(
        "unasked_change",
        &[(
            "UPDATE tickets SET STATE = 'closed' WHERE PRIO = 5",
            "In <<db>>, set STATE to closed in the rows of `tickets` with PRIO 5 at the site <<site>>.",
        )],
        &[(
            "UPDATE tickets SET STATE = 'closed' WHERE PRIO = 5 AND SITE = :site",
            "In <<db>>, set STATE to closed in the rows of `tickets` with PRIO 5 at the site <<site>>.",
        )],
    );
    let day = |op: &str, words: &str| {
        format!(
            "d : date 2024-03-01..2024-09-30 goal = <<after: db, DELETE FROM tickets WHERE DUE {op} :d>> prompt \"{words}\" expect file db database goal"
        )
    };
    let caught = [day(">", "Delete all rows of `tickets` in <<db>> whose DUE is before <<d>>.")];
    let right = [
        day("<", "Delete all rows of `tickets` in <<db>> whose DUE is before <<d>>."),
        day(">", "Delete all rows of `tickets` in <<db>> but those whose DUE is before <<d>>."),
        day(">=", "Only tickets whose DUE is before <<d>> stay in <<db>>. Delete the other rows."),
    ];
    hold_with(
        TICKETS,
        "other_comparison",
        &caught.each_ref().map(String::as_str),
        &right.each_ref().map(String::as_str),
    );
}

#[test]
fn items_that_the_prompt_chooses() {
    let suite = |index: u32, prompt: &str| {
        format!(
            r#"want : int 13..40 json conf at "v.json" {{ services : [ {{ name : unique word  replicas : int 1..12 }} ; 4..9 ] }}
svc = <<json_value: conf, $.services[2].name>> require svc != null
prompt "{prompt}" expect file conf json edit(conf, "$.services[{index}].replicas", want)"#
        )
    };
    let change = "In <<conf>>, set `replicas` of the service <<svc>> to <<want>>. Change nothing else.";
    let first =
        "In <<conf>>, set `replicas` of the first service to <<want>>, as <<svc>> has too few. Change nothing else.";
    let (caught, right) = ([suite(0, change)], [suite(2, change), suite(0, first)]);
    hold("other_change", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn sorted_files_and_left_out_rows() {
    let suite = |by: &str, prompt: &str| {
        format!(
            r#"table days {{ rows 60  DAY : unique date 2024-01-01..2024-12-31  V : int 1..900 }}
csv log at "s.csv" from days {{ rows by DAY{by}  Day = DAY  Value = V }}
prompt "{prompt} What is the sum of Value? Reply with the number only." expect reply number sum(days.V)"#
        )
    };
    let oldest = "The rows of <<log>> are sorted by Day, oldest first.";
    let caught = [suite(" desc", oldest)];
    let right = [
        suite("", oldest),
        suite(" desc", "The rows of <<log>> are sorted by Day, newest first."),
        suite(" desc", "See <<log>>."),
    ];
    hold("other_order", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
    let orders = |filter: &str, key: &str| {
        format!(
            r#"table orders {{ rows 60  ID : serial  STATE : one_of ["open", "paid"]  EUR : int 1..900 }}
csv log at "s.csv" from orders{filter} {{ Id = ID  State = STATE  Eur = EUR }}
prompt "How many orders in <<log>> have the State open? Reply with the number only." expect reply number {key}"#
        )
    };
    let caught = [orders(" where EUR > 50", "count(orders where STATE == \"open\")")];
    let right = [
        orders("", "count(orders where STATE == \"open\")"),
        orders(" where EUR > 50", "count(log where State == \"open\")"),
    ];
    hold("untold_input", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn empty_expectations_and_weights() {
    hold_with(
        SESSIONS,
        "vacuous_expectation",
        &[
            r#"prompt "Write <<sandbox>>/r.json with an object `log` that has the key `n` (how many rows <<log>> has). It may have more keys." expect file "r.json" json { log: {} } open"#,
            r#"kind : ref log.KIND prompt "Write <<sandbox>>/out/<<kind>>.csv with the columns ID and V, one row for each row of <<log>> with the KIND <<kind>>. Reply with their number only." expect file "out/<<kind>>.csv" exists expect reply number count(log where KIND == kind)"#,
        ],
        &[
            r#"prompt "Write <<sandbox>>/r.json with an object `log` that has the key `n` (how many rows <<log>> has). It may have more keys." expect file "r.json" json { log: { n: count(log) } } open"#,
        ],
    );
    let weights = |items: &str| {
        format!(
            r#"csv feed at "f.csv" {{ rows 90  STATE : weighted [{items}] }} prompt "How many rows of <<feed>> have the STATE late? Reply with the number only." expect reply number count(feed where STATE == "late")"#
        )
    };
    let caught = [weights(r#""on time": 70, "late": 25, "cancelled": 50"#)];
    let right = [
        weights(r#""on time": 70, "late": 25, "cancelled": 5"#),
        weights(r#""on time": 60, "late": 30, "cancelled": 100"#),
        weights(r#""on time": 70, "late": 20, "cancelled": 60"#),
    ];
    hold("odd_weights", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn times_without_seconds() {
    let suite = |step: &str| {
        format!(
            r#"table t {{ rows 40  ID : serial  AT : datetime 2024-12-16T05:00..2024-12-16T23:00{step} }}
csv log at "l.csv" from t {{ Id = ID  At = AT as written "dd.MM.yyyy HH:mm" }}
prompt "How many rows of <<log>> have an At before noon? Reply with the number only." expect reply number count(t where hour(AT) < 12)"#
        )
    };
    let (caught, right) = ([suite("")], [suite(" step 1 minutes"), suite(" step 2 hours")]);
    hold("bad_style", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
