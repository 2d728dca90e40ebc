//! Files that are written from a table: styles that change nothing, traps that are always equal to the answer, and what the prompt says of the form of files.

use super::{hold, hold_also};

const TABLE: &str = r#"table src { rows 60..70 ID : serial TEAM : one_of ["north", "south", "west"] CODE : unique pattern "[0-9]{5}" PLATE : pattern "[A-Z]{2}[0-9]{3}" PAY : int 1000..9000 KG : decimal 1.0..900.0 TEST : bool 20% } team : ref src.TEAM"#;
const SUM: &str = r#"expect reply number coalesce(sum(src.PAY where TEAM == team), 0)"#;

/// Bodies of a file with these columns, after a table.
fn build_styled(columns: &[&str]) -> Vec<String> {
    let build = |columns: &&str| {
        format!(
            r#"{TABLE} csv t at "t.csv" from src {{ {columns} }} prompt "What is the sum of Pay of the Team <<team>> in <<t>>? Capitals and blanks do not matter, repeated rows count once, and a star means nothing. Number only." {SUM}"#
        )
    };
    columns.iter().map(build).collect()
}

fn as_strs(bodies: &[String]) -> Vec<&str> {
    bodies.iter().map(String::as_str).collect()
}

#[test]
fn styles_that_change_nothing() {
    let caught = build_styled(&[
        "Code = CODE as case 30% Team = TEAM Pay = PAY",
        "Code = CODE Team = TEAM as case 0% Pay = PAY",
        "Code = CODE Team = TEAM as space 0% Pay = PAY",
        "rows repeat 0% Code = CODE Team = TEAM Pay = PAY",
        r#"Code = CODE Team = TEAM Pay = PAY as written "0" written "0*" 0%"#,
        r#"Code = "<<CODE>>-<<ID>>" as case 10% Team = TEAM Pay = PAY"#,
    ]);
    let right = build_styled(&[
        "Code = CODE Team = TEAM as case 30% Pay = PAY",
        "Code = CODE as space 30% Team = TEAM Pay = PAY",
        "Plate = PLATE as case 5% Team = TEAM Pay = PAY",
        "rows repeat 5% Code = CODE Team = TEAM Pay = PAY",
        r#"Code = CODE Team = TEAM Pay = PAY as written "0" written "0*" 5%"#,
        r#"Code = "<<CODE>>x" as case 10% Team = TEAM Pay = PAY"#,
    ]);
    hold("idle_style", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn styles_by_an_axis() {
    let with = |cells: &str| {
        format!("axis mess = {cells} {}", build_styled(&["Code = CODE Team = TEAM as case mess% Pay = PAY"])[0])
    };
    let setting = with("{ clean: 0, much: 40 }").replace("axis mess = { clean: 0, much: 40 }", "mess = 0");
    hold_also(
        "idle_style",
        &[],
        &[&with("{ clean: 0, much: 40 }").replace("Code = CODE Team = TEAM", "Team = TEAM"), &setting],
    );
}

#[test]
fn traps_with_the_same_rows() {
    let with = |pairs: &[(&str, &str)]| {
        let build = |(answer, trap): &(&str, &str)| {
            format!(
                r#"{TABLE} csv t at "t.csv" from src {{ Team = TEAM Pay = PAY Test = TEST }} a = {answer} b = {trap} prompt "Look at <<t>> and the Team <<team>>: which number results? Number only." expect reply number a trap b"#
            )
        };
        pairs.iter().map(build).collect::<Vec<_>>()
    };
    let caught = with(&[
        (r#"count(src where TEAM != "west")"#, r#"count(src where TEAM == "north" or TEAM == "south")"#),
        (r#"count(src where TEAM != "west")"#, r#"count(src where TEAM in ["north", "south"])"#),
        ("count(src where PAY > 4999)", "count(src where PAY >= 5000)"),
        ("coalesce(sum(src.PAY where PAY > 4999), 0)", "coalesce(sum(src.PAY where PAY >= 5000), 0)"),
        ("count(src where not TEST)", "count(src where TEST == false)"),
        ("1 + count(src where PAY < 3000)", "1 + count(src where not (PAY >= 3000))"),
    ]);
    let right = with(&[
        (r#"count(src where TEAM != "west")"#, r#"count(src where TEAM == "north")"#),
        ("count(src where PAY > 5000)", "count(src where PAY >= 5000)"),
        ("coalesce(sum(src.PAY where PAY > 4999), 0)", "coalesce(sum(src.ID where PAY >= 5000), 0)"),
        ("count(src where not TEST)", "count(src)"),
        ("count(src where KG > 10)", "count(src where KG >= 10)"),
        ("1 + count(src where PAY < 3000)", "count(src where not (PAY >= 3000))"),
    ]);
    hold("idle_trap", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn several_units_in_a_column() {
    let with = |cases: &[(&str, &str)]| {
        let build = |(styles, words): &(&str, &str)| {
            format!(
                r#"{TABLE} csv t at "t.csv" from src {{ Team = TEAM Weight = KG as {styles} }} prompt "What is the total Weight of the Team <<team>> in <<t>>, in kg? {words} Number only." expect reply number coalesce(sum(src.KG where TEAM == team), 0.0)"#
            )
        };
        cases.iter().map(build).collect::<Vec<_>>()
    };
    let caught = with(&[
        (r#"written "0.0 kg" written "0.0 t" 15%"#, "Some are in kg, some in t."),
        (r#"written "0.0 kg" written "0.0 g" 15%"#, "Some are in kg, some in g."),
        (r##"written "#,##0.0 kg" written "0.0 t" 5%"##, "The unit is kg or t."),
    ]);
    let right = with(&[
        (r#"written "0.0 kg" written "0.0 KG" 15%"#, ""),
        (r#"written "0.0 kg" written "0.0 t" 15%"#, "The clerks wrote t by mistake: all numbers are kg."),
        (r#"written "0.0 kg" written "0.0" 15%"#, ""),
        (r#"written "0.0 kg" written "0.0 kg*" 15%"#, "A star means nothing, and kg is the unit."),
    ]);
    hold_also("other_unit", &as_strs(&caught), &as_strs(&right));
}

/// Bodies of prompts about a file with this form.
fn build_told(cases: &[(&str, &str)]) -> Vec<String> {
    let build = |(form, prompt): &(&str, &str)| {
        format!(
            r#"{TABLE} csv t at "t.csv" {form} from src {{ Team = TEAM Pay = PAY }} prompt "{prompt} What is the sum of Pay of the Team <<team>> in <<t>>? Reply with the number only." {SUM}"#
        )
    };
    cases.iter().map(build).collect()
}

#[test]
fn forms_of_files() {
    let caught = build_told(&[
        (r#"delimiter "|""#, "<<t>> is a CSV file separated by semicolons."),
        ("", "<<t>> is a semicolon-separated file."),
        (r#"delimiter ";""#, "The cells of the file are separated by commas."),
        (r#"encoding "iso-8859-1""#, "The file is encoded in UTF-8."),
        ("", "<<t>> is encoded in Latin-1."),
        ("header 0", "The first row has the names of the columns."),
        ("", "The file has no header."),
    ]);
    let right = build_told(&[
        (r#"delimiter ";""#, "<<t>> is a CSV file separated by semicolons."),
        ("", "<<t>> is a comma-separated file."),
        (r#"delimiter ";""#, "If you list several, write them separated by commas."),
        (r#"encoding "iso-8859-1""#, "The file is encoded in ISO-8859-1."),
        (r#"encoding "iso-8859-1""#, "Write your reply in UTF-8."),
        ("header 0", "The file has no header: the columns are Team and Pay."),
        ("", "The first row has the names of the columns."),
    ]);
    hold_also("other_notation", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn files_for_each_value() {
    let with = |cases: &[(&str, &str)]| {
        let build = |(path, words): &(&str, &str)| {
            format!(
                r#"table src {{ rows 60..70 ID : serial TEAM : one_of ["north", "south", "west"] DAY : date 2024-01-01..2024-12-31 MONTH = month(DAY) PAY : int 1000..9000 }} team : ref src.TEAM csv t at "{path}" from src {{ Id = ID Team = TEAM Pay = PAY }} prompt "In <<sandbox>>/lake is {words}. What is the sum of Pay of the Team <<team>>? Reply with the number only." {SUM}"#
            )
        };
        cases.iter().map(build).collect::<Vec<_>>()
    };
    let caught = with(&[
        ("lake/<<MONTH>>.csv", "a file for each team"),
        ("lake/<<MONTH>>.csv", "one file per team"),
        ("lake/<<TEAM>>.csv", "one file for every month"),
    ]);
    let right = with(&[
        ("lake/<<TEAM>>.csv", "a file for each team"),
        ("lake/<<MONTH>>.csv", "a file for each month"),
        ("lake/<<MONTH>>.csv", "one file per period"),
        ("lake/<<MONTH>>/<<TEAM>>.csv", "a folder for each month, and there a file for each team"),
    ]);
    hold_also("other_place", &as_strs(&caught), &as_strs(&right));
}

#[test]
fn marks_that_are_nothing() {
    hold_also(
        "untold_convention",
        // The prompt asks for the column Copies, and says nothing of repeated rows.
        &[
            r#"kind : one_of ["book", "map"] table src { rows 70 MARK : unique pattern "[A-E][0-9]{4}" KIND : one_of ["book", "map"] COPIES : int 1..9 } csv t at "t.csv" from src { rows repeat 8% Mark = MARK Kind = KIND Copies = COPIES } prompt "How many copies do the holdings of the Kind <<kind>> have together in <<t>>? Number only." expect reply number coalesce(sum(src.COPIES where KIND == kind), 0)"#,
        ],
        &[
            r#"kind : one_of ["book", "map"] table src { rows 70 MARK : unique pattern "[A-E][0-9]{4}" KIND : one_of ["book", "map"] N : int 1..9 } csv t at "t.csv" from src { rows repeat 8% Mark = MARK Kind = KIND N = N } prompt "What is the sum of N of the Kind <<kind>> in <<t>>? Copies of a row do not count. Number only." expect reply number coalesce(sum(src.N where KIND == kind), 0)"#,
        ],
    );
}
