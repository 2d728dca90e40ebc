//! Words of prompts that contradict the key: lengths of stays, keys of an object, replied columns, flags, and units that only the prompt tells.

use super::{hold_also, list_told};

const STAFF: &str = r#"csv staff at "staff.csv" {
  rows 60
  NAME : unique person_name
  DEPT : one_of ["IT", "HR", "Ops"]
  GUIDE : first_name
  HIRED : unique date 2010-01-01..2024-12-31
  ENDS : unique date 2025-01-01..2029-12-31
  PLANNED_KM : int 10..500
  DRIVEN_KM : int 10..500
  MINUTES : unique int 60..900
  DRIVER : one_of ["Ana", "Ben"]
  HOME : one_of ["Oslo", "Bonn"]
  HOME_GOALS : int 0..5
  AWAY_GOALS : int 0..5
  LIST_PRICE : decimal 1.00..9.00
  SALE_PRICE : decimal 1.00..9.00
  USE_KWH : decimal 1.0..900.0
  LOAD : decimal 1.0..900.0
  SHIPPED : bool 40%
}
d : one_of ["IT", "HR", "Ops"]
"#;

fn hold(lint: &str, caught: &[&str], right: &[&str]) {
    let with = |bodies: &[&str]| bodies.iter().map(|body| format!("{STAFF}{body}")).collect::<Vec<_>>();
    let (caught, right) = (with(caught), with(right));
    hold_also(
        lint,
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn orders_of_stays_and_from_one_end_to_the_other() {
    hold(
        "other_order",
        &[
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>>, one per line, the person who has been with us longest first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED DESC>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>> by the day on which they were HIRED, from the latest to the earliest, one per line." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>> from the lowest to the highest MINUTES, one per line." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>> in the order of the file, one per line." expect reply list sort(list(staff.NAME where DEPT == d)) ordered"#,
        ],
        &[
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>>, one per line, the person who has been with us longest first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>>, one per line, the contract that runs longest first (ENDS)." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY ENDS DESC>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>> by HIRED from the latest to the earliest, one per line." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED DESC>> ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>> in the order of the file, one per line." expect reply list list(staff.NAME where DEPT == d) ordered"#,
            r#"prompt "List the NAMEs of the DEPT <<d>> in <<staff>>, longest MINUTES first, one per line." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC>> ordered"#,
        ],
    );
}

#[test]
fn aggregates_of_stays_and_of_described_keys() {
    hold(
        "other_aggregate",
        &[
            r#"name = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED DESC LIMIT 1>> require name != null prompt "Who has been in the DEPT <<d>> of <<staff>> the longest? Reply with the NAME only." expect reply text name"#,
            r#"prompt "Reply with a JSON object about the DEPT <<d>> in <<staff>> with the keys `guides` (how many different guides there are) and `km` (the sum of DRIVEN_KM)." expect reply json { guides: count(staff.GUIDE where DEPT == d), km: coalesce(sum(staff.DRIVEN_KM where DEPT == d), 0) }"#,
            r#"prompt "Reply with a JSON object about the DEPT <<d>> in <<staff>>: `least` is the lowest MINUTES, `most` the highest MINUTES." expect reply json { least: coalesce(min(staff.MINUTES where DEPT == d), 0), most: coalesce(min(staff.MINUTES where DEPT == d), 0) }"#,
            r#"prompt "Which DEPT in <<staff>> has the lowest mean MINUTES? Equal ones by DEPT. Reply with the name only." expect reply text <<value: SELECT DEPT FROM staff GROUP BY DEPT ORDER BY AVG(MINUTES) DESC, DEPT LIMIT 1>>"#,
        ],
        &[
            r#"name = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY HIRED LIMIT 1>> require name != null prompt "Who has been in the DEPT <<d>> of <<staff>> the longest? Reply with the NAME only." expect reply text name"#,
            r#"name = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY ENDS DESC LIMIT 1>> require name != null prompt "Whose contract in the DEPT <<d>> of <<staff>> runs longest (ENDS)? Reply with the NAME only." expect reply text name"#,
            r#"prompt "Reply with a JSON object about the DEPT <<d>> in <<staff>> with the keys `guides` (how many different guides there are) and `km` (the sum of DRIVEN_KM)." expect reply json { guides: distinct_count(staff.GUIDE where DEPT == d), km: coalesce(sum(staff.DRIVEN_KM where DEPT == d), 0) }"#,
            r#"prompt "Reply with a JSON object about the DEPT <<d>> in <<staff>>: `least` is the lowest MINUTES, `most` the highest MINUTES." expect reply json { least: coalesce(min(staff.MINUTES where DEPT == d), 0), most: coalesce(max(staff.MINUTES where DEPT == d), 0) }"#,
            r#"prompt "Which DEPT in <<staff>> has the highest mean MINUTES? Equal ones by DEPT. Reply with the name only." expect reply text <<value: SELECT DEPT FROM staff GROUP BY DEPT ORDER BY AVG(MINUTES) DESC, DEPT LIMIT 1>>"#,
        ],
    );
}

#[test]
fn columns_that_are_replied() {
    hold(
        "other_column",
        &[
            r#"g = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 1>> require g != null prompt "Who led the longest tour (MINUTES) of the DEPT <<d>> in <<staff>>? Reply with the guide only." expect reply text g"#,
            r#"g = first(staff.NAME where MINUTES == max(staff.MINUTES)) require g != null prompt "Take the longest tour (MINUTES) in <<staff>>. Reply with its GUIDE." expect reply text g"#,
            r#"g = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES LIMIT 1>> require g != null prompt "Who led the shortest tour (MINUTES) of the DEPT <<d>> in <<staff>>? Reply with the name of the guide only." expect reply text g"#,
        ],
        &[
            r#"g = <<value: SELECT GUIDE FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 1>> require g != null prompt "Who led the longest tour (MINUTES) of the DEPT <<d>> in <<staff>>? Reply with the name of the guide only." expect reply text g"#,
            r#"g = <<value: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 1>> require g != null prompt "Which tour of the DEPT <<d>> in <<staff>> has the most MINUTES? Reply with its NAME, without the guide." expect reply text g"#,
            r#"g = <<value: SELECT NAME FROM staff WHERE GUIDE = 'Ann' ORDER BY MINUTES DESC LIMIT 1>> require g != null prompt "Which tour of the guide Ann in <<staff>> has the most MINUTES? Reply with the guide's tour only." expect reply text g"#,
        ],
    );
}

#[test]
fn numbers_with_names_that_differ_in_one_word() {
    let told = |prompt: &str, key: &str| {
        let body = format!(
            "{STAFF}prompt \"{prompt} Reply with the number only.\" expect reply number coalesce(sum({key}), 0)"
        );
        list_told(&body, &["W0223"]).len()
    };
    for (prompt, key, count) in [
        ("How many kilometers were driven in the DEPT <<d>> of <<staff>>?", "staff.PLANNED_KM where DEPT == d", 1),
        ("What do the articles of <<d>> in <<staff>> cost on sale, added up?", "staff.LIST_PRICE where DEPT == d", 1),
        ("How many kilometers were driven in the DEPT <<d>> of <<staff>>?", "staff.DRIVEN_KM where DEPT == d", 0),
        (
            "How many kilometers were planned, not driven, in the DEPT <<d>> of <<staff>>?",
            "staff.PLANNED_KM where DEPT == d",
            0,
        ),
        ("List the articles of <<d>> in <<staff>> and add up what they cost.", "staff.SALE_PRICE where DEPT == d", 0),
        (
            "How many goals were scored against the team that plays at home in Oslo, in <<staff>>?",
            "staff.AWAY_GOALS where HOME == \"Oslo\"",
            0,
        ),
    ] {
        assert_eq!(told(prompt, key), count, "{prompt} {key}");
    }
}

#[test]
fn flags_in_the_prompt_and_in_the_key() {
    hold(
        "other_condition",
        &[
            r#"prompt "How many rows of <<staff>> are still here (SHIPPED is false)? Reply with the number only." expect reply number count(staff where SHIPPED)"#,
            r#"prompt "How many rows of the DEPT <<d>> in <<staff>> have SHIPPED = 1? Look where SHIPPED is true. Reply with the number only." expect reply number count(staff where not SHIPPED and DEPT == d)"#,
            r#"prompt "How many rows of <<staff>> have been sent (SHIPPED is 1)? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM staff WHERE SHIPPED = 0>>"#,
        ],
        &[
            r#"prompt "How many rows of <<staff>> are still here (SHIPPED is false)? Reply with the number only." expect reply number count(staff where not SHIPPED)"#,
            r#"prompt "How many rows of <<staff>> are left if you ignore those where SHIPPED is true? Reply with the number only." expect reply number count(staff where not SHIPPED)"#,
            r#"prompt "SHIPPED is true or false. How many rows of <<staff>> were SHIPPED? Reply with the number only." expect reply number count(staff where SHIPPED)"#,
            r#"prompt "How many rows of <<staff>> have been sent (SHIPPED is 1)? Reply with the number only." expect reply number <<value: SELECT COUNT(*) FROM staff WHERE SHIPPED = 1>>"#,
        ],
    );
}

#[test]
fn units_that_only_the_prompt_tells() {
    hold(
        "other_unit",
        &[
            r#"prompt "<<staff>> has in LOAD what each one used, in kWh. How many kWh did the DEPT <<d>> use? Reply with the number only, rounded to 1 decimal place." expect reply number coalesce(sum(staff.LOAD where DEPT == d), 0) / 1000 rounded 1"#,
            r#"prompt "How much energy did the DEPT <<d>> use according to <<staff>>, in MWh? Reply with the number only, rounded to 3 decimal places." expect reply number coalesce(sum(staff.USE_KWH where DEPT == d), 0) rounded 3"#,
        ],
        &[
            r#"prompt "<<staff>> has in LOAD what each one used, in kWh. How many MWh did the DEPT <<d>> use? Reply with the number only, rounded to 1 decimal place." expect reply number coalesce(sum(staff.LOAD where DEPT == d), 0) / 1000 rounded 1"#,
            r#"prompt "<<staff>> has in LOAD what each one used, in kWh. How many thousand kWh did the DEPT <<d>> use? Reply with the number only, rounded to 1 decimal place." expect reply number coalesce(sum(staff.LOAD where DEPT == d), 0) / 1000 rounded 1"#,
            r#"prompt "How much energy did the DEPT <<d>> use according to <<staff>>, in MWh? Reply with the number only, rounded to 3 decimal places." expect reply number coalesce(sum(staff.USE_KWH where DEPT == d), 0) / 1000 rounded 3"#,
        ],
    );
}

#[test]
fn three_things_with_the_largest_value() {
    hold(
        "other_count",
        &[
            r#"prompt "Which three people of the DEPT <<d>> in <<staff>> have the most MINUTES? One NAME per line, most first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 5>> ordered"#,
            r#"prompt "Reply with the NAMEs of the three tours of the DEPT <<d>> in <<staff>> with the largest MINUTES, one per line, largest first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 5>> ordered"#,
        ],
        &[
            r#"prompt "Reply with the NAMEs of the five tours of the DEPT <<d>> in <<staff>> with the largest MINUTES, one per line, largest first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 5>> ordered"#,
            r#"prompt "Of the three departments in <<staff>>, take <<d>>. Reply with the NAMEs of the five longest tours (MINUTES), one per line, largest first." expect reply list <<list: SELECT NAME FROM staff WHERE DEPT = :d ORDER BY MINUTES DESC LIMIT 5>> ordered"#,
        ],
    );
}
