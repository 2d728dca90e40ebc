//! `picardc selftest`: every suite that ships (and the one that `init` writes) can be answered, and is not answered by doing nothing.

use testing::{expect_status, list_sources, root};

/// A suite of one task with this body, in a folder of its own.
fn suite(body: &str) -> tempfile::TempDir {
    let text = format!("suite s {{ title \"S\" version \"1.0.0\" }}\n\ntask t {{\n{body}\n}}\n");
    testing::create_folder(&[("s.pcd", &text)])
}

#[test]
fn every_shipped_suite_is_sound() {
    let suites = list_sources(root().join("suites"));
    assert!(suites.len() >= 5, "{suites:?}");
    for path in suites {
        let ran = expect_status(0, root(), &["selftest", &path.display().to_string(), "--samples", "5", "--json"]);
        let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(document["sound"], true, "{document:#}");
        for task in document["tasks"].as_array().expect("tasks") {
            assert_eq!(task["oracle_correct"], task["instances"], "{task:#}");
            assert_eq!((&task["null_correct"], &task["null_score"]), (&0.into(), &0.0.into()), "{task:#}");
        }
    }
}

#[test]
fn a_key_that_cannot_be_met_is_told() {
    let home = suite("prompt \"yes or no?\"\nexpect reply text \"yes\"\nexpect reply text \"no\"");
    let ran = expect_status(1, home.path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_task_that_is_met_by_doing_nothing_is_told() {
    let body = "allow nothing_expected \"the test wants it\"\ncsv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone.\"\nexpect file \"hr.csv\" unchanged";
    let ran = expect_status(1, suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_part_that_is_met_by_doing_nothing_is_shown_and_no_fault() {
    let body = "csv hr at \"hr.csv\" { rows 3  PAY : int 1..1_000_000 }\n\
                prompt \"Leave <<hr>> alone and reply with the sum of PAY.\"\nexpect file \"hr.csv\" unchanged\n\
                expect reply number sum(hr.PAY) weight 3";
    let ran = expect_status(0, suite(body).path(), &["selftest", "s.pcd", "--samples", "3"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn places_names_and_grades_are_answered_scored_and_reported() {
    let body = "  a, b : int 1..900\n  yaml conf at \"conf.yaml\" { port : int 1..900 }\n\
                prompt \"In <<conf>>, set port to <<a>>. Reply with JSON such as {\\\"total\\\": 5, \\\"items\\\": [1, 2]}: the sum of <<a>> and <<b>>, and both numbers.\"\n\
                expect total: reply at \"$.total\" number a + b graded weight 2\n\
                expect items: reply at \"$.items\" list [a, b] graded above 0.9\n\
                expect port: file conf at \"$.port\" number a";
    let home = suite(body);
    let ran = expect_status(0, home.path(), &["selftest", "s.pcd", "--samples", "3"]);
    assert!(ran.out.contains("100"), "{}", ran.out);
    expect_status(0, home.path(), &["build", "s.pcd", "--samples", "3", "--seed", "7", "-o", "b"]);
    let lines = std::fs::read_to_string(home.path().join("b/instances.jsonl")).expect("instances");
    assert!(lines.contains(r#""name":"total","subject":"reply","slice":{"at":"$.total"},"match":"number""#), "{lines}");
    assert!(
        lines.contains(r#""name":"port","subject":{"file":"conf.yaml"},"slice":{"at":"$.port","yaml":true}"#),
        "{lines}"
    );
    expect_status(0, home.path(), &["run", "b", "--agent", "oracle", "-o", "r"]);
    let scores = std::fs::read_to_string(home.path().join("r/scores.jsonl")).expect("scores");
    assert_eq!(scores.matches(r#""name":"items""#).count(), 3, "{scores}");
    let report = expect_status(0, home.path(), &["report", "r", "--markdown"]).out;
    let section = report.split("Expectations met, by name").nth(1).expect("the section");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).skip(2).take(3).collect();
    for (row, name) in rows.iter().zip(["total", "items", "port"]) {
        assert!(row.contains(name) && row.contains("100"), "{section}");
    }
    assert_eq!(rows.len(), 3, "{section}");
}

#[test]
fn what_init_writes_is_sound() {
    let home = tempfile::tempdir().expect("a folder");
    expect_status(0, home.path(), &["init", "Harbour Desk"]);
    let path = "Harbour Desk/harbour_desk.pcd";
    expect_status(0, home.path(), &["check", "--deny-warnings", path]);
    expect_status(0, home.path(), &["selftest", path]);
    expect_status(0, home.path(), &["analyze", path, "--deny-weak"]);
    let before = std::fs::read(home.path().join(path)).expect("read");
    let again = expect_status(2, home.path(), &["init", "Harbour Desk"]);
    assert!(again.err.contains("is there already"), "{}", again.err);
    assert_eq!(std::fs::read(home.path().join(path)).expect("read"), before);
    assert_eq!(std::fs::read_dir(home.path().join("Harbour Desk")).expect("read").count(), 1);
}

/// A table of towns that no file has as it is; `files` are written from it.
fn towns(files: &str, question: &str) -> tempfile::TempDir {
    suite(&format!(
        "table towns {{\n  rows 30..50\n  CODE : unique pattern \"[A-Z]{{4}}\"\n  STATE : one_of [\"north\", \"south\", \"west\"]\n  \
         MAYOR : person_name\n  HEADS : int 100..90_000 blank 10%\n  OPEN_ : bool\n}}\n{files}\n{question}"
    ))
}

/// The row of the reader in the report for programs.
fn reader(home: &tempfile::TempDir, code: i32) -> serde_json::Value {
    let ran = expect_status(code, home.path(), &["selftest", "s.pcd", "--samples", "6", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(document["sound"], code == 0, "{document:#}");
    document["tasks"][0]["reader"].clone()
}

const ABOUT: &str = "The tables in <<sandbox>>/lake have towns: codes, states (a file each), mayors, and heads. A row that is there twice counts once; \
                     capitals and blanks do not matter; n/a means not known; x means open.";

#[test]
fn the_reader_puts_tables_together() {
    // By state and below each other; joined by a code in other letters; a bool that is written as a mark.
    let files = "csv by_state at \"lake/<<STATE>>.csv\" delimiter \";\" above \"Towns\\n\" from towns { rows repeat 20% rows by HEADS desc\n\
                 Town = CODE as case 30% space 20%\n Heads = HEADS as missing [\"n/a\", \"\"] written \"#,##0\" written \"0 heads\" 20% }\n\
                 csv mayors at \"lake/mayors.csv\" encoding \"utf-16le\" from towns { rows repeat 10%\n\
                 Code = CODE as case 30%\n Mayor = MAYOR as space 30%\n Open = if OPEN_ then \"x\" else null }";
    let question = format!(
        "heads = <<rows: SELECT STATE, SUM(HEADS) AS N FROM towns WHERE HEADS IS NOT NULL AND OPEN_ AND length(MAYOR) > 4 GROUP BY STATE>>\n\
         require count(heads) == 3\n\
         prompt \"{ABOUT} How many heads do open towns of each state have whose mayor's name has more than 4 letters? Reply with a JSON object.\"\n\
         expect reply json object(heads.STATE, heads.N)"
    );
    let home = towns(files, &question);
    let row = reader(&home, 0);
    assert_eq!((&row["instances"], &row["correct"], &row["unjudged"]), (&6.into(), &6.into(), &0.into()), "{row:#}");
    let table = expect_status(0, home.path(), &["selftest", "s.pcd", "--samples", "2"]).out;
    assert!(table.lines().next().is_some_and(|head| head.ends_with("reader    panel")), "{table}");
}

#[test]
fn a_row_that_is_in_a_file_of_a_file_too_counts_once() {
    let suite = "suite x { title \"X\" version \"1.0.0\" samples 8 }\n\
                 task t {\n  table s { rows 60 ID : serial V : int 1..50 }\n\
                 csv a at \"a.csv\" from s { I = ID W = V }\n  csv b at \"b.csv\" from a { I2 = I W2 = W }\n\
                 prompt \"In <<a>> (and <<b>>), what is the sum of W?\" expect reply number sum(a.W) }";
    let row = reader(&testing::create_folder(&[("s.pcd", suite)]), 0);
    assert_eq!((&row["instances"], &row["correct"]), (&6.into(), &6.into()), "{row:#}");
}

#[test]
fn what_no_file_has_is_told() {
    let files = "csv list_ at \"lake/towns.csv\" from towns { rows repeat 10%\n Town = CODE\n State = STATE }";
    let question = format!(
        "allow unwritten_column \"the test wants it\"\nprompt \"{ABOUT} How many heads do the towns have?\"\n\
         expect reply number coalesce(sum(towns.HEADS), 0)"
    );
    let home = towns(files, &question);
    let row = reader(&home, 1);
    assert_eq!(row["correct"], 0, "{row:#}");
    let absent = row["lost"]["absent"].as_array().expect("columns");
    assert!(absent.contains(&"towns.HEADS".into()) && !absent.contains(&"towns.CODE".into()), "{row:#}");
    // `MAYOR` and `OPEN_` are not in a file either, but the answer does not read them.
    assert_eq!(absent.len(), 1, "{row:#}");
    insta::assert_snapshot!(expect_status(1, home.path(), &["selftest", "s.pcd", "--samples", "3"]).out);
}

#[test]
fn columns_of_a_query_that_no_file_has_are_told() {
    let files = "csv list_ at \"lake/towns.csv\" from towns { rows repeat 10%\n Town = CODE\n State = STATE }";
    let question = format!(
        "allow unwritten_column \"the test wants it\"\nprompt \"{ABOUT} How many heads do the towns in the north have?\"\n\
         heads = <<value: SELECT total(HEADS) FROM towns WHERE STATE = 'north'>>\nexpect reply number heads"
    );
    let row = reader(&towns(files, &question), 1);
    assert_eq!(row["lost"]["absent"], serde_json::json!(["towns.HEADS"]), "{row:#}");
}

#[test]
fn letters_of_the_answer_do_not_matter_to_the_reader() {
    // What is compared, grouped, and sorted is clean; what is answered is as it is in the file.
    let files = "csv list_ at \"lake/towns.csv\" from towns {\n Town = CODE as case 40%\n State = STATE as case 40%\n Mayor = MAYOR as space 40%\n Heads = HEADS }";
    let question = format!(
        "who : ref towns.CODE\nstate = <<value: SELECT STATE FROM towns WHERE CODE = :who>>\nrequire state != null\n\
         first_ = <<value: SELECT CODE || '/' || MAYOR FROM towns ORDER BY MAYOR, CODE LIMIT 1>>\nrequire first_ != null\n\
         by_state = <<rows: SELECT STATE, COUNT(*) AS N FROM towns GROUP BY STATE>>\nrequire count(by_state) == 3\n\
         prompt \"{ABOUT} In which state (north, south, or west) is <<who>>? Which town is the first by its mayor (of several, by its code)? How many towns has each state? \
         Reply with a JSON object.\"\n\
         expect reply json {{ state: state, first: first_ ignore case, space, towns: object(by_state.STATE, by_state.N) }}"
    );
    let row = reader(&towns(files, &question), 0);
    assert_eq!((&row["instances"], &row["correct"]), (&6.into(), &6.into()), "{row:#}");
}

#[test]
fn what_only_something_computed_tells_is_not_judged() {
    let files = "csv list_ at \"lake/towns.csv\" from towns { rows repeat 10%\n Town = CODE\n Thousands = coalesce(HEADS, 0) / 1000 }";
    let question = format!(
        "prompt \"{ABOUT} Thousands are heads divided by 1,000. How many heads do the towns have?\"\n\
         expect reply number coalesce(sum(towns.HEADS), 0)"
    );
    let home = towns(files, &question);
    let row = reader(&home, 0);
    assert_eq!((&row["correct"], &row["unjudged"]), (&0.into(), &6.into()), "{row:#}");
    assert_eq!(row["unknown"], serde_json::json!(["towns.HEADS"]), "{row:#}");
    insta::assert_snapshot!(expect_status(0, home.path(), &["selftest", "s.pcd", "--samples", "3"]).out);
}

#[test]
fn an_order_that_files_do_not_keep_is_lost() {
    let files = "csv list_ at \"lake/towns.csv\" from towns { rows repeat 10% rows by _ORDER\n _ORDER : int 1..1_000_000\n Town = CODE }";
    let question = format!(
        "at_first = first(towns.CODE)\nrequire at_first != null\nprompt \"{ABOUT} What is the code of the first town?\"\nexpect reply text at_first"
    );
    let row = reader(&towns(files, &question), 1);
    assert!(row["correct"].as_u64().is_some_and(|right| right < 6), "{row:#}");
    assert!(row["lost"]["why"].as_str().is_some_and(|why| why.contains("expected")), "{row:#}");
}

#[test]
fn who_reads_a_file_alone_is_right() {
    // A table that is drawn in its own file, and one that is computed from columns that are written.
    let body = "csv sales at \"sales.csv\" above \"Sales\\n\" { rows 30 rows repeat 15%\n ID : serial  Q : int 1..90  P : decimal 0.10..99.00 as written \"0,00 EUR\" }\n\
                prompt \"What are all rows of <<sales>> worth, Q times P (in EUR, decimal commas)? A row that is there twice counts once.\"\n\
                expect reply number sum(sales.Q * sales.P) rounded 2";
    let row = reader(&suite(body), 0);
    assert_eq!((&row["instances"], &row["correct"]), (&6.into(), &6.into()), "{row:#}");
}

/// How many variants of the oracle's answer were tried, by kind.
fn variants(body: &str) -> serde_json::Value {
    let ran = expect_status(0, suite(body).path(), &["selftest", "s.pcd", "--samples", "4", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    document["tasks"][0]["variants"].clone()
}

#[test]
fn the_goal_is_also_left_in_other_ways() {
    let body = "csv list_ at \"list.csv\" { rows 3  N : int 1..9 }\n\
                sqlite shop at \"shop.db\" {\n  table orders { rows 30  OID : serial  AMOUNT : decimal 5.00..99.99  OPEN : bool 80% }\n\
                  table refunds { rows 6  REFUND_ID : serial  OID : ref orders.OID  AMOUNT : decimal 1.00..4.99 }\n\
                  table notes { rows 6  CODE : unique pattern \"[a-z]{4}\"  REFUND_ID : ref refunds.REFUND_ID  TEXT : lorem words 3 }\n}\n\
                oid, amount : ref shop.orders.(OID, AMOUNT) where OPEN\n\
                paid = <<after: shop, INSERT INTO refunds (OID, AMOUNT) VALUES (:oid, :amount), (:oid, 1), (:oid, 2)>>\n\
                goal = <<after: paid, INSERT INTO notes (CODE, REFUND_ID, TEXT) SELECT 'new' || REFUND_ID, REFUND_ID, 'refund' FROM refunds WHERE REFUND_ID > 6; UPDATE orders SET OPEN = 0 WHERE OID = :oid>>\n\
                prompt \"Refund order <<oid>> in <<shop>> three times: its whole AMOUNT, 1, and 2, each with a note for it whose TEXT is refund, and set OPEN to 0. Change nothing else.\"\n";
    let ignored = format!(
        "{body}expect file shop database goal schema ignore refunds.REFUND_ID, notes.CODE\nexpect tree unchanged except [shop]"
    );
    let tried = variants(&ignored);
    assert_eq!(
        (&tried["states"], &tried["triggers"], &tried["deletions"]),
        (&12.into(), &4.into(), &4.into()),
        "{tried}"
    );
    let exact = variants(&format!("{body}expect file shop database goal"));
    assert_eq!(
        (&exact["states"], &exact["triggers"], &exact["deletions"]),
        (&8.into(), &4.into(), &0.into()),
        "{exact}"
    );
    // A text that only has to be in a cell has others around it.
    let contained = variants(&format!("{body}expect file shop database goal contains in notes.TEXT"));
    assert_eq!(contained["states"], 12, "{contained}");
    // A database that must not change has no changes for a log.
    let kept = variants(&format!(
        "{body}expect file shop unchanged\nexpect reply number count(shop.orders) + <<value: SELECT COUNT(*) FROM list_ WHERE N > 4>>"
    ));
    assert_eq!((&kept["states"], &kept["triggers"]), (&4.into(), &4.into()), "{kept}");
}

#[test]
fn dates_are_also_written_in_other_ways() {
    let draw = "n : int 1..99\nday = 2024-03-02\nprompt \"<<n>>: which date is the second of March of 2024?\"\n";
    let untold = variants(&format!("{draw}expect reply date day"));
    // Six forms of both orders, each in four instances; of the others, `**V**`, `V.`, and six that are usual.
    assert_eq!((&untold["swapped_days"], &untold["styles"]), (&24.into(), &32.into()), "{untold}");
    // What is told is right, and its opposite stays wrong.
    let told = variants(&format!("{draw}expect reply date day written \"dd.MM.yyyy\""));
    assert_eq!((&told["swapped_days"], &told["styles"]), (&20.into(), &36.into()), "{told}");
    // The same in rows.
    let body = "csv visits at \"visits.csv\" { rows 20  DAY : unique date 2024-02-01..2024-02-12  PAID : bool }\n\
                prompt \"All rows of <<visits>> whose PAID is true, with DAY and PAID.\"\n\
                few = <<rows: SELECT DAY, PAID FROM visits WHERE PAID AND DAY <> '2024-02-02'>>\nrequire count(few) > 0\nexpect reply rows few";
    let rows = variants(&body.replace("rows 20", "rows 12"));
    assert!(rows["swapped_days"].as_u64().is_some_and(|tried| tried >= 24), "{rows}");
}
