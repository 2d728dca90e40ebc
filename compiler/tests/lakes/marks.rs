//! Marks that change a number or a moment: signs, factors, units, offsets. They are read as they are written.

use std::fmt::Write as _;

use model::Value;
use testing::compile_with;

use super::{compiled, said, suite, value};

/// The values of a column that is read so.
fn read(column: &str, cells: &[&str]) -> String {
    let text = format!("N\n{}\n", cells.join("\n"));
    value(&format!("table t from \"t.csv\" delimiter \";\" {{ N : {column} }}"), "list(t.N)", &[("t.csv", &text)])
}

/// What is said of a column that is read so.
fn refused(column: &str, cells: &[&str]) -> Vec<String> {
    let text = format!("N\n{}\n", cells.join("\n"));
    said(&format!("table r from \"t.csv\" delimiter \";\" {{ N : {column} }}"), &[("t.csv", &text)])
}

#[test]
fn marks_are_read_as_their_patterns_say() {
    for (column, cells, values) in [
        ("decimal as written \"#,##0.00;(#,##0.00)\"", &["1,200.00", "(340.50)"][..], "1200.00,-340.50"),
        ("decimal as written \"0.00;0.00-\"", &["5.00", "340.50-"], "5.00,-340.50"),
        ("int as written \"0 Cr;0 Dr\"", &["5 Cr", "7 Dr"], "5,-7"),
        ("decimal as written \"0.0° N;0.0° S\"", &["3.5° N", "3.5° S"], "3.5,-3.5"),
        ("int as written \"0 AD;0 BC\"", &["14 AD", "44 BC"], "14,-44"),
        ("int as written \"(0);-(0)\"", &["(5)", "-(5)"], "5,-5"),
        (
            "int as written \"0\" written \"0.0K\" times 1_000 written \"0.0M\" times 1_000_000",
            &["7", "1.5K", "2M"],
            "7,1500,2000000",
        ),
        ("decimal as written \"0 kg\" written \"0 g\" times 0.001", &["5 kg", "700 g"], "5.000,0.700"),
        ("int as written \"0K\" times 1", &["5K"], "5"),
        ("int as written \"0%\" times 1", &["12%"], "12"),
        ("decimal as written \"0%\"", &["12%"], "0.12"),
        (
            "datetime as written \"yyyy-MM-dd'T'HH:mm:ssXXX\"",
            &["2024-03-30T23:33:15+02:00", "2024-03-30T23:33:15Z"],
            "2024-03-30T21:33:15,2024-03-30T23:33:15",
        ),
        (
            "datetime as written \"yyyy-MM-dd HH:mmX\"",
            &["2024-03-30 23:33-0530", "2024-03-30 23:33+01"],
            "2024-03-31T05:03:00,2024-03-30T22:33:00",
        ),
    ] {
        assert_eq!(read(column, cells), values, "{column}");
    }
}

#[test]
fn a_mark_without_a_meaning_is_refused() {
    for (column, cell, first) in [
        (
            "int as written \"(0)\"",
            "(5)",
            "E0510 `(0)` reads `(5)` as 5 / if it is negative, write: \"0;(0)\"; if that means nothing: \"(0);-(0)\"",
        ),
        (
            "decimal as written \"$#,##0.00-\"",
            "$5.00-",
            "E0510 `$#,##0.00-` reads `$5.00-` as 5 / if it is negative, write: \"$#,##0.00;$#,##0.00-\"; if that means nothing: \"$#,##0.00-;-$#,##0.00-\"",
        ),
        ("decimal as written \"- 0.0\"", "- 5.0", "E0510 a pattern of numbers cannot begin with `-`"),
        (
            "int as written \"0K\"",
            "5K",
            "E0510 `0K` reads `5K` as 5 / say how much it is: written \"0K\" times 1_000; `times 1` if it means nothing",
        ),
        (
            "int as written \"0 Cr;0bn Dr\"",
            "5 Cr",
            "E0510 `0 Cr;0bn Dr` reads `5 Cr` as 5 / say how much it is: written \"0 Cr;0bn Dr\" times 1_000_000_000",
        ),
        (
            "int as written \"0 kg\" written \"0 g\"",
            "5 kg",
            "E0510 `0 kg` and `0 g` read different texts as one number / say how much one of the other is: written \"0 g\" times 0.001",
        ),
        ("int as written \"0;0\"", "5", "E0510 `0;0` writes numbers above and below 0 alike"),
        ("int as written \"0;(0);0-\"", "5", "E0510 `0;(0);0-` has more than two forms"),
        ("int as written \"0K\" times 0", "5K", "E0510 `times` needs a fixed number above 0"),
        ("date as written \"yyyy\" times 2", "2024", "E0510 `times` needs a number, but the column is a date"),
        ("datetime as written \"yyyy-MM-ddXXX HH:mm:ss\"", "2024", "E0510 `XXX` is before a part of the time"),
        ("int as written \"0K\" times 1_000 written \"0K\" times 1_000_000", "5K", "E0507"),
    ] {
        let found = refused(column, &[cell]);
        assert!(found.iter().any(|said| said.starts_with(first)), "{column}: {found:#?}");
    }
}

/// The text of the file `o.csv` that a task writes, and the values of its column `N`.
fn write(column: &str, rows: usize) -> Result<(String, Vec<Value>), Vec<String>> {
    let statements = format!("  csv o at \"o.csv\" delimiter \";\" {{ rows {rows}  N : {column} }}");
    let made = compile_with(&suite("", &statements, "list(o.N)"), &[]);
    if made.plan.is_none() {
        return Err(made.diagnostics.iter().map(|said| format!("{} {}", said.code.id, said.message)).collect());
    }
    let instances = testing::expect_instances(&testing::keep_errors(made));
    let Value::Object(fields) = testing::find_answer(&instances[0]) else { panic!("an object") };
    let Value::List(values) = fields[0].1.clone() else { panic!("a list") };
    Ok((String::from_utf8(instances[0].files[0].bytes.to_vec()).expect("UTF-8"), values))
}

#[test]
fn the_first_pattern_that_holds_a_number_writes_it() {
    let (text, values) =
        write("int 0..4_000_000 step 50_000 as written \"0.0M\" times 1_000_000 written \"0.0K\" times 1_000", 300)
            .expect("a file");
    let mut seen = [0, 0];
    for (cell, value) in text.lines().skip(1).zip(&values) {
        let Value::Int(number) = value else { panic!("{value:?}") };
        let (text, kind) = match number % 100_000 {
            0 => (format!("{}.{}M", number / 1_000_000, number / 100_000 % 10), 0),
            _ => (format!("{}.{}K", number / 1_000, number / 100 % 10), 1),
        };
        assert_eq!(cell, text);
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
    for (column, said) in [
        ("int 0..9_999 as written \"0.0K\" times 1_000", "E0510 `\"0.0K\"` cannot write "),
        (
            "int 0..9_999 as written \"0.0K\" times 1_000 written \"0.0M\" times 1_000_000",
            "E0510 none of the patterns of `N` can write ",
        ),
        ("decimal 0.00..9.99 as written \"0 kg\" written \"0 g\" times 0.001 written \"0 t\"", "E0206 "),
    ] {
        let found = write(column, 10).expect_err(column);
        assert!(found.iter().any(|found| found.starts_with(said)), "{column}: {found:#?}");
    }
    // What is written means what its author says.
    assert!(write("int 0..9 as written \"(0)\"", 10).is_ok());
}

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn one<'o>(&mut self, of: &[&'o str]) -> &'o str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        of[usize::try_from((self.0 >> 33) % of.len() as u64).expect("small")]
    }
}

/// Columns with signs, factors, units, shares, and offsets, written to files and read back from their text: each cell is the same value.
#[test]
fn columns_with_marks_are_read_back() {
    let mut draw = Draw(22);
    let mut cells = 0;
    for round in 0..60 {
        let (domain, read, styles) = match round % 4 {
            0 => {
                let form = draw.one(&["#;(#)", "#;#-", "# Cr;# Dr", "#° N;#° S", "$#;($#)", "(#);-(#)", "#"]);
                let body = draw.one(&["#,##0.00", "0.00", "#.##0,00", "0.000"]);
                (
                    "decimal -9_999.00..9_999.00",
                    "decimal",
                    format!("written \"{}\"", form.replace('#', body).replace(&body.replace('#', body), body)),
                )
            }
            1 => {
                let share = draw.one(&["", " 20%", " 100%"]);
                let step = draw.one(&["0.0M", "0.00M", "0M"]);
                (
                    "int -5_000_000..5_000_000 step 1_000",
                    "int",
                    format!("written \"{step}\" times 1_000_000{share} written \"0K\" times 1_000"),
                )
            }
            2 => {
                let small = draw.one(&["0 g", "#,##0 g", "0.0 g;(0.0 g)"]);
                let large = draw.one(&["0 kg", "0.0 kg", "0.00 kg"]);
                ("decimal 0.000..20.000", "decimal", format!("written \"{large}\" written \"{small}\" times 0.001"))
            }
            _ => {
                let form = draw.one(&["yyyy-MM-dd'T'HH:mm:ssXXX", "d MMM yyyy HH:mm:ss X", "MM/dd/yyyy h:mm:ss aXXX"]);
                (
                    "datetime 1999-01-01T00:00..2024-12-31T00:00 step 1 seconds",
                    "datetime",
                    format!("written \"{form}\""),
                )
            }
        };
        let (text, values) = write(&format!("{domain} as {styles}"), 250)
            .unwrap_or_else(|said| panic!("{domain} as {styles}: {said:#?}"));
        let patterns = styles.replace(" 20%", "").replace(" 100%", "");
        let mut items = String::new();
        let _ = write!(items, "table t from \"o.csv\" delimiter \";\" {{ N : {read} as {patterns} }}");
        let back = compiled(&suite(&items, "", "list(t.N)"), &[("o.csv", &text)]);
        assert!(back.plan.is_some(), "{styles}: {:#?}", back.diagnostics);
        let instances = testing::expect_instances(&back);
        let Value::Object(fields) = testing::find_answer(&instances[0]) else { panic!("an object") };
        let Value::List(found) = &fields[0].1 else { panic!("a list") };
        assert_eq!(found.len(), values.len());
        for (at, (read, value)) in found.iter().zip(&values).enumerate() {
            assert!(read.is_same(value), "{styles}: {:?} is read as {read:?}, not {value:?}", text.lines().nth(at + 1));
            cells += 1;
        }
    }
    assert_eq!(cells, 15_000);
}

/// The columns of a table with these declarations, read from cells `Count` and `ID`.
fn split(columns: &str, cells: &[&str], answer: &str) -> String {
    let rows: Vec<String> = cells.iter().enumerate().map(|(at, cell)| format!("{at};{cell}")).collect();
    let text = format!("ID;Count\n{}\n", rows.join("\n"));
    value(&format!("table t from \"t.csv\" delimiter \";\" {{ ID : int {columns} }}"), answer, &[("t.csv", &text)])
}

#[test]
fn one_cell_is_several_columns() {
    let limits = "line \"<<TAG>><<N>>\" from \"Count\" TAG : one_of [\"\", \"<\", \">\"] N : decimal";
    let cells = &["5", "<10", ">1,000.5", "-3"];
    assert_eq!(split(limits, cells, "list(t.TAG)"), ",<,>,");
    assert_eq!(split(limits, cells, "list(t.N)"), "5.0,10.0,1000.5,-3.0");
    assert_eq!(split(limits, cells, "list(t.ID)"), "0,1,2,3");
    let units = "N : decimal UNIT : text line \"<<N>> <<UNIT>>\" from 2 KG = if UNIT == \"g\" then N / 1000 else N";
    assert_eq!(split(units, &["5 kg", "700 g"], "list(t.KG)"), "5.0,0.7");
    // A cell that is null in each of its columns.
    let nulls = "line \"<<N>> <<UNIT>>\" from \"Count\" N : int as missing [\"n/a\"] UNIT : text as missing [\"n/a\"]";
    assert_eq!(split(nulls, &["5 kg", "n/a"], "list(t.UNIT where UNIT != null)"), "kg");
    let local = "LOCAL : datetime OFFSET : text line \"<<LOCAL>><<OFFSET>>\" from \"Count\"";
    assert_eq!(split(local, &["2024-03-30T23:33:15+02:00", "2024-03-30T23:33:15Z"], "list(t.OFFSET)"), "+02:00,Z");
    // The cells of a JSON file have keys.
    let json = "json t from \"t.json\" { line \"<<N>> <<UNIT>>\" from \"w\" N : int UNIT : text }"
        .replace("json t", "table t");
    assert_eq!(value(&json, "list(t.N)", &[("t.json", "[{\"w\": \"5 kg\"}, {\"w\": \"7 g\"}]")]), "5,7");
}

#[test]
fn a_cell_that_is_not_as_its_pattern_is_told() {
    let wrong = |columns: &str, cells: &str| {
        said(
            &format!("table r from \"t.csv\" delimiter \";\" {{ {columns} }}"),
            &[("t.csv", &format!("Count\n{cells}\n"))],
        )
    };
    let units = "line \"<<N>> <<UNIT>>\" from \"Count\" N : int UNIT : text";
    for (columns, cells, first) in [
        (
            units,
            "5 kg\nmany",
            "E0507 a field with `N` does not match `line` / line 3 of `t.csv` is `many`, which does not match `line`\nchange `line`",
        ),
        ("line \"<<N>>\" from \"Total\" N : int", "5", "E0508 "),
        ("line \"<<N>><<M>>\" from \"Count\" N : int M : int", "5", "E0510 nothing separates `N` from `M`"),
        ("line \"<<N>> <<X>>\" from \"Count\" N : int", "5", "E0203 `line` names columns that are read"),
        (
            "line \"<<N>>\" from \"Count\" N : int from \"Count\"",
            "5",
            "E0702 a column in `line` is a part of its cell, and of no other",
        ),
        ("line \"only\" from \"Count\" N : int from \"Count\"", "5", "E0510 `line` does not have a column"),
        ("line \"<<N>>\" N : int", "5", "E0702 `line` works only in a text file"),
    ] {
        let found = wrong(columns, cells);
        assert!(found.iter().any(|said| said.starts_with(first)), "{columns}: {found:#?}");
    }
    let found = said("", &[]);
    assert!(found.is_empty(), "{found:#?}");
    let written =
        compile_with(&suite("", "  csv o at \"o.csv\" { rows 3 line \"<<N>>\" from \"A\" N : int 1..9 }", "o.N"), &[]);
    assert!(
        written.diagnostics.iter().any(|said| said.message == "`line … from` splits the cells of a file that is read")
    );
}

/// A text that is computed from columns, and the columns that are read from it.
#[test]
fn a_computed_text_is_read_back_as_its_columns() {
    let mut cells = 0;
    for (columns, text, line, read) in [
        ("N : decimal 0.00..99.99 U : one_of [\"kg\", \"g\"]", "<<N>> <<U>>", "<<N>> <<U>>", "N : decimal U : text"),
        (
            "N : int -500..500 U : one_of [\"\", \"<\", \">\"]",
            "<<U>><<N>>",
            "<<U>><<N>>",
            "N : int U : one_of [\"\", \"<\", \">\"]",
        ),
        ("N : int 1..500 U : one_of [\"$\", \"€\"]", "<<U>><<N>>", "<<U>><<N>>", "N : int U : text as written \"@\""),
        (
            "N : datetime 2024-01-01T00:00..2024-12-31T00:00 step 1 seconds U : one_of [\"Z\", \"+02:00\", \"-05:30\"]",
            "<<N>><<U>>",
            "<<N>><<U>>",
            "N : datetime U : text",
        ),
    ] {
        // In usual numbers, a currency sign is a part of the number.
        let read = if columns.contains('$') { "N : int as written \"0\" U : text" } else { read };
        let statements = format!("  csv o at \"o.csv\" delimiter \";\" {{ rows 400 {columns} Both = \"{text}\" }}");
        let all = "list(o.N) + list(o.U)".to_owned();
        let answer = |of: &str| all.replace("o.", of).replace(" + ", ", b: ");
        let made = testing::keep_errors(compile_with(&suite("", &statements, &answer("o.")), &[]));
        assert!(made.plan.is_some(), "{:#?}", made.diagnostics);
        let instances = testing::expect_instances(&made);
        let file = String::from_utf8(instances[0].files[0].bytes.to_vec()).expect("UTF-8");
        let items = format!("table t from \"o.csv\" delimiter \";\" {{ line \"{line}\" from \"Both\" {read} }}");
        let back = compiled(&suite(&items, "", &answer("t.")), &[("o.csv", &file)]);
        assert!(back.plan.is_some(), "{:#?}", back.diagnostics);
        let found = testing::find_answer(&testing::expect_instances(&back)[0]).clone();
        assert_eq!(found.render_text(), testing::find_answer(&instances[0]).render_text(), "{columns}");
        cells += 800;
    }
    assert_eq!(cells, 3_200);
}
