//! Slips that a fifth blind look found in changes, leaks, and empty expectations, and what only looks like one.

use super::hold;

#[test]
fn numbers_that_are_replaced_elsewhere() {
    let suite = |content: &str, prompt: &str, sought: &str, by: &str| {
        format!(
            "old, new : distinct int 2..8 zone : one_of [\"north\", \"quay\"] text conf at \"meters/<<zone>>.ini\" = \"\"\"\n    {}\n    \"\"\"\n prompt \"{prompt}\" expect file conf bytes replace(content(conf), {sought}, {by})",
            content.replace('\n', "\n    ")
        )
    };
    let (old, new) = (r#""<<old>>""#, r#""<<new>>""#);
    let change = "In <<conf>>, change max_hours from <<old>> to <<new>>. Change nothing else.";
    let caught = [
        suite("port = 8052\nmax_hours = <<old>>", change, old, new),
        suite("max_hours = <<old>>\nfree_minutes = 17", change, old, new).replace("int 2..8", "int 15..19"),
        suite("mtu 9<<old>>0\nmax_hours = <<old>>", change, old, new),
        suite("max_hours = <<old>>\nlimit = <<old>>00", change, old, new),
        suite("max_hours = 5\nport = 8052", "In <<conf>>, change max_hours from 5 to <<new>>.", "\"5\"", new),
        suite("# Zone 7, since 2019\nmax_hours = <<old>>", change, old, new),
    ];
    let right = [
        suite("port = 8052\nmax_hours = <<old>>", change, r#""max_hours = <<old>>""#, r#""max_hours = <<new>>""#),
        suite("name = <<zone>>\nmax_hours = <<old>>", change, old, new),
        suite("port = 9010\nmax_hours = <<old>>", change, old, new),
        suite(
            "port = 8052\nmax_hours = <<old>>",
            "In <<conf>>, replace every digit <<old>> by <<new>>, wherever it is.",
            old,
            new,
        ),
        suite("max_hours = 5\nmin_hours = 5", "In <<conf>>, set both limits of 5 hours to <<new>>.", "\"5\"", new),
        suite("rate = <<zone>>-x\nmax_hours = <<old>>", change, old, new),
    ];
    hold("unasked_change", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn rows_that_another_table_spares() {
    const T: &str = r#"class : one_of ["motor", "home", "pet"] points : int 3..12 sqlite ins at "policies.db" {
      table policies { rows 60 ID : serial CLASS : one_of ["motor", "home", "pet"] PREMIUM : int 120..1_900 }
      table claims { rows 45 CID : serial POLICY : ref policies.ID PAID : int 50..5_000 }
    }
    "#;
    let suite = |prompt: &str, condition: &str| {
        format!(
            r#"{T} goal = <<after: ins, UPDATE policies SET PREMIUM = PREMIUM + :points WHERE CLASS = :class{condition}>> require changed(goal) > 3
            prompt "In <<ins>>, raise the PREMIUM of each policy of the CLASS <<class>> by <<points>>{prompt}" expect file ins database goal"#
        )
    };
    let caught = [
        suite(", but not that of policies for which there is a claim. Change nothing else.", ""),
        suite(", except for policies with a claim.", ""),
        suite(" unless there are claims for it.", ""),
        suite(". This is for policies without any claims.", ""),
        suite(" if it has no claims.", ""),
        suite(", excluding those with claims.", ""),
    ];
    let spared = " AND ID NOT IN (SELECT POLICY FROM claims)";
    let right = [
        suite(", but not that of policies for which there is a claim. Change nothing else.", spared),
        suite(", except for policies with a claim.", spared),
        suite(". Change nothing in the table claims.", ""),
        suite(". Change nothing except this, and leave the table claims alone.", ""),
        suite(", but not that of other classes. The claims stay.", ""),
        suite(".", ""),
    ];
    hold("unasked_change", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn rows_that_a_value_spares() {
    const T: &str = r#"sqlite ins at "p.db" { table policies { rows 60 ID : serial CLASS : one_of ["motor", "home", "pet"] STATUS : one_of ["active", "lapsed", "paused"] PREMIUM : int 120..1_900 LOCKED : bool 20% } } class : one_of ["motor", "home", "pet"]
    "#;
    let suite = |spared: &str, condition: &str| {
        format!(
            r#"{T} goal = <<after: ins, UPDATE policies SET PREMIUM = PREMIUM + 5 WHERE CLASS = :class{condition}>> require changed(goal) > 2
            prompt "In <<ins>>, raise the PREMIUM of each policy of the CLASS <<class>> by 5{spared}. Change nothing else." expect file ins database goal"#
        )
    };
    let caught = [
        suite(", but not lapsed ones", ""),
        suite(", except the lapsed ones", ""),
        suite(", except LOCKED ones", ""),
        suite(", excluding those that are paused", ""),
        suite(", apart from lapsed policies", ""),
        suite(", but skip any lapsed one", ""),
    ];
    let right = [
        suite(", but not lapsed ones", " AND STATUS <> 'lapsed'"),
        suite(", except LOCKED ones", " AND NOT LOCKED"),
        suite(", but not the ID", ""),
        suite(", but not more than that", ""),
        suite("", ""),
        suite(", except for lapsed ones", " AND STATUS IN ('active', 'paused')"),
    ];
    hold("unasked_change", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn moved_files_that_stay_and_databases_that_do_not_change() {
    const T: &str = r#"code : pattern "WB[0-9]{5}" other : pattern "WC[0-9]{5}" text waybill at "inbox/<<code>>.txt" : lorem lines 7 text pending at "inbox/<<other>>.txt" : lorem lines 7 folder "archive/2024"
    "#;
    let files = |prompt: &str, old: &str| {
        format!(
            r#"{T} prompt "{prompt}" expect file "archive/2024/<<code>>.txt" bytes waybill expect file pending unchanged {old}"#
        )
    };
    let till = |prompt: &str, expect: &str| {
        format!(
            r#"sqlite till at "till.db" {{ table shifts {{ rows 40 ID : serial WAITER : one_of ["Ada", "Ben", "Cleo"] TIPS : int 0..120 }} }} waiter : ref till.shifts.WAITER bonus : int 2..15
            goal = <<after: till, UPDATE shifts SET TIPS = TIPS + :bonus WHERE WAITER = :waiter>> require changed(goal) > 0
            prompt "{prompt} Reply with the number of shifts, and nothing else." expect reply number changed(goal) expect file till {expect}"#
        )
    };
    let this = "The load of <<waybill>> has arrived. Move this file to the folder archive/2024, under the same name.";
    let it = "<<waybill>> is done. Move it to the folder archive/2024.";
    let plain = "Move <<waybill>> to the folder archive/2024. Leave the other file where it is.";
    let add = "Add <<bonus>> to the TIPS of every shift of <<waiter>> in <<till>>.";
    let caught = [
        files(this, "expect file waybill exists"),
        files(this, "expect file waybill unchanged"),
        files(it, "expect file waybill exists"),
        files(plain, "expect file waybill exists"),
        till(add, "unchanged"),
        till("Raise the TIPS of every shift of <<waiter>> in <<till>> by <<bonus>>.", "unchanged"),
    ];
    let right = [
        files(this, "expect file waybill absent"),
        files(it, "expect file waybill absent"),
        files("Copy <<waybill>> to the folder archive/2024, under the same name.", "expect file waybill exists"),
        till(add, "database goal"),
        till(
            "How many shifts of <<waiter>> in <<till>> would get more if you raised their TIPS by <<bonus>>? Do not change the database.",
            "unchanged",
        ),
        till(
            "We plan to raise the TIPS of every shift of <<waiter>> in <<till>> by <<bonus>>. How many rows is that?",
            "unchanged",
        ),
    ];
    hold("other_change", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn a_constant_that_is_always_accepted() {
    const T: &str = r#"csv cases at "cases.csv" { rows 60 CASE : unique pattern "TC-[0-9]{4}" OUTCOME : one_of ["passed", "failed", "blocked", "skipped"] OWNER : person_name } id, outcome : ref cases.(CASE, OUTCOME)
    "#;
    let suite = |prompt: &str, accepted: &str| {
        format!(
            r#"{T} prompt "What is the OUTCOME of the test case <<id>> in <<cases>>? {prompt}" expect reply last line text any_of {accepted} ignore case"#
        )
    };
    let listed = "The last line of your reply is the outcome alone: passed, failed, blocked, or skipped.";
    let caught = [
        suite(listed, r#"[outcome, "skipped"]"#),
        suite(listed, r#"["failed", outcome]"#),
        suite("Reply with one of passed, failed, blocked, skipped.", r#"[outcome, "blocked"]"#),
        suite("Reply with `passed`, `failed`, `blocked`, or `skipped`.", r#"[outcome, "Skipped"]"#),
        suite(listed, r#"[outcome, "skipped", "failed"]"#),
        suite("Reply with passed/failed/blocked/skipped.", r#"[outcome, "passed"]"#),
    ];
    let right = [
        suite(listed, r#"[outcome, "<<outcome>>."]"#),
        suite(listed, r#"[outcome, "unknown"]"#),
        suite("Reply with the outcome on the last line.", r#"[outcome, "the case <<outcome>>"]"#),
        suite(listed, r#"[outcome, upper(outcome)]"#),
        suite("If you cannot tell, the last line is unknown; else it is the outcome alone.", r#"[outcome, "unknown"]"#),
        suite(listed, r#"[outcome]"#),
    ];
    hold("vacuous_expectation", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn bounds_and_codes_of_the_answer() {
    const LOG: &str = r#"csv log at "alarms.csv" { rows 220 NODE : one_of ["olt", "bras", "core"] SEVERITY : one_of ["minor", "major", "cleared"] WAIT : int 1..90 } node : ref log.NODE
    raised = count(log where NODE == node and SEVERITY != "cleared") limit : int 20..60
    "#;
    const DISCS: &str = r#"csv discs at "discs.csv" { rows 120 _NO : serial SHELF : pattern "[A-D][1-9]" CODE = "<<SHELF>>-<<_NO>>" LABEL : company } code, shelf, label : ref discs.(CODE, SHELF, LABEL)
    "#;
    let log = |hint: &str, answer: &str| {
        format!(
            r#"{LOG} prompt "How many alarms of the node <<node>> are in <<log>>, without cleared ones? {hint} Reply with the number only." expect reply number {answer}"#
        )
    };
    let discs = |prompt: &str, answer: &str| format!(r#"{DISCS} prompt "{prompt}" {answer}"#);
    let caught = [
        log("It is more than <<raised - 1>> and less than <<raised + 1>>.", "raised"),
        log("The answer is between <<raised - 5>> and <<raised + 5>>.", "raised"),
        log("The answer is between <<raised - 5>> and <<5 + raised>>.", "raised"),
        discs(
            "On which SHELF is the disc with the CODE <<code>> in <<discs>>? Reply with the shelf only.",
            "expect reply text shelf",
        ),
        discs(
            "On which SHELF is the disc with the CODE <<code>> in <<discs>>? Reply with the shelf only.",
            "s = first(discs.SHELF where CODE == code) require s != null expect reply text s",
        ),
        discs(
            "On which SHELF is the disc with the CODE <<code>> in <<discs>>, and what is its LABEL? Reply with two lines.",
            r#"expect reply list ["<<shelf>>", label] ordered"#,
        ),
    ];
    let right = [
        log("Rows with a WAIT above <<limit - 1>> and below <<limit + 1>> count as well.", "raised"),
        log("It is less than <<count(log) + 1>>.", "raised"),
        log("", "raised"),
        discs(
            "What is the LABEL of the disc with the CODE <<code>> in <<discs>>? Reply with the label only.",
            "expect reply text label",
        ),
        discs(
            "On which SHELF is the disc of the LABEL <<label>> in <<discs>>? If there are several, take the one with the CODE that ends in the smallest number. Reply with the shelf only.",
            "s = first(discs.SHELF where LABEL == label) require s != null expect reply text s",
        ),
        discs(
            "How many discs of <<discs>> have the SHELF <<shelf>>? Reply with the number only.",
            "expect reply number count(discs where SHELF == shelf)",
        ),
    ];
    hold("leaked_answer", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}

#[test]
fn draws_that_hardly_ever_meet() {
    let racks = |lot: &str, column: &str, answer: &str| {
        format!(
            r#"lot : {lot} csv racks at "racks.csv" {{ rows 60 RACK : unique pattern "R[0-9]{{3}}" LOT : {column} CARTONS : int 1..80 }}
            prompt "How many CARTONS of the lot <<lot>> are in <<racks>> (0 if there are none)? Reply with the number only." expect reply number {answer}"#
        )
    };
    let (many, few) = (r#"pattern "L[0-9]{5}""#, r#"pattern "L[0-2]""#);
    let sum = "coalesce(sum(racks.CARTONS where LOT == lot), 0)";
    let count = "count(racks where LOT == lot)";
    let caught = [
        racks(many, many, sum),
        racks(many, many, count),
        racks(many, many, "count(racks where lot == LOT)"),
        racks("int 1..900_000", "int 1..900_000", sum),
        racks("int 1..900_000", "int 1..900_000", count),
        racks(many, many, "coalesce(sum(racks.CARTONS where LOT == lot and CARTONS > 3), 0)"),
    ];
    let right = [
        racks(few, few, sum),
        racks(few, few, count),
        racks("ref racks.LOT", many, sum),
        racks("ref racks.LOT", many, count),
        racks(many, many, count).replace("prompt \"", "require count(racks where LOT == lot) > 0 prompt \""),
        racks("int 1..30", "int 1..30", sum),
    ];
    hold("likely_answer", &caught.each_ref().map(String::as_str), &right.each_ref().map(String::as_str));
}
