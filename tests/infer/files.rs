//! Files of which `infer` must say what it does not read: rows that do not fit, columns that cannot be read, footers, and marks that may be values.

use std::fs;
use std::io::{Cursor, Write as _};

use compiler::infer::{Form, Wanted, infer_declarations};
use testing::run_picardc;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::declared;

/// What is printed of a file that is a table, after a suite with it was checked.
#[track_caller]
fn printed(name: &str, bytes: &[u8]) -> String {
    declared(name, bytes, Form::Table).expect("it is declared");
    let found =
        infer_declarations(Wanted { form: Form::Table, path: name, sheet: None }, bytes, &api::Memory::default());
    let found = found.expect("it is declared");
    format!("{}{}\n", found.declarations.join(""), found.lost)
}

/// A workbook with one sheet: style 1 is a day, 2 a moment.
fn book(rows: &str) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let link = |kind: &str, target: &str, id: &str| {
        format!("<Relationship Id='{id}' Type='{LINKS}/{kind}' Target='{target}'/>")
    };
    let links = |inside: String| format!("<Relationships xmlns='{PACKAGE}'>{inside}</Relationships>");
    let sheets = "<sheet name='S' sheetId='1' r:id='r1'/>";
    let styles = "<numFmts count='1'><numFmt numFmtId='164' formatCode='yyyy-mm-dd hh:mm:ss'/></numFmts>\
                  <cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/></cellXfs>";
    let parts = [
        ("_rels/.rels", links(link("officeDocument", "xl/workbook.xml", "r1"))),
        ("xl/workbook.xml", format!("<workbook xmlns='{MAIN}' xmlns:r='{LINKS}'><sheets>{sheets}</sheets></workbook>")),
        (
            "xl/_rels/workbook.xml.rels",
            links(link("worksheet", "worksheets/sheet1.xml", "r1") + &link("styles", "styles.xml", "r2")),
        ),
        ("xl/styles.xml", format!("<styleSheet xmlns='{MAIN}'>{styles}</styleSheet>")),
        ("xl/worksheets/sheet1.xml", format!("<worksheet xmlns='{MAIN}'><sheetData>{rows}</sheetData></worksheet>")),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, SimpleFileOptions::default()).expect("started");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("finished").into_inner()
}

/// A row of a sheet: its cells as XML, without their places.
fn row(number: usize, cells: &[&str]) -> String {
    let placed = cells
        .iter()
        .zip(b'A'..)
        .map(|(cell, column)| cell.replacen("<c", &format!("<c r='{}{number}'", char::from(column)), 1));
    format!("<row r='{number}'>{}</row>", placed.collect::<String>())
}

fn text(text: &str) -> String {
    format!("<c t='inlineStr'><is><t>{text}</t></is></c>")
}

#[test]
fn a_row_that_is_too_long_is_told_with_its_line_and_the_header_stays() {
    let home = tempfile::tempdir().expect("temp");
    for (name, content, line, fields) in [
        ("extra.csv", "ID,NAME,NOTE\n1,Ann,ok\n2,Smith, John,vip\n3,Cy,late\n", 3, "4 fields, but its header has 3"),
        ("only.csv", "ID,NAME,NOTE\n2,Smith, John,vip\n", 2, "4 fields, but its header has 3"),
        ("all.csv", "NAME,N\na,1,2\nb,3,4\nc,5,6\n", 2, "3 fields, but its header has 2"),
        ("last.csv", "A;B\n1;2\n3;4\n5;6;7\n", 4, "3 fields, but its header has 2"),
        ("years.csv", "AREA,2001,2002\nKiel,1,2\nUlm,3,4,5\n", 3, "4 fields, but its header has 3"),
    ] {
        fs::write(home.path().join(name), content).expect("written");
        let ran = run_picardc(home.path(), &["infer", name]);
        assert_eq!((ran.status.code(), ran.out.as_str()), (Some(1), ""), "{name}");
        assert!(ran.err.contains(&format!("line {line} of `{name}` has {fields}")), "{}", ran.err);
    }
    // A row of figures below words is no header, whatever comes after the table.
    let found = printed("u.csv", b"Report Type,,,,,\n,,,,,\nReport Type,# of Reports,,,,\nFraud,\"2,600,678\",40%,,,\nOther,\"2,759\",42%,,,\n,,,,,\nTop,,,,,\nRank,Category,N,P,Q,R\n1,a,2,3,4,5\n2,b,2,3,4,5\n3,c,2,3,4,5\n");
    assert!(found.contains("from \"# of Reports\"") && !found.contains("C2_600"), "{found}");
}

#[test]
fn every_row_of_random_tables_is_read_or_told() {
    let mut state = 7_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for _ in 0..300 {
        let (columns, rows) = (2 + below(4), 1 + below(8));
        let long = below(3) == 0;
        let at = below(rows);
        let header: Vec<String> =
            (0..columns).map(|column| format!("NAME {}", char::from(b'A' + column as u8))).collect();
        let mut file = header.join(",") + "\n";
        for row in 0..rows {
            let mut cells: Vec<String> = (0..columns)
                .map(|column| if column == 0 { format!("r{row}") } else { below(99).to_string() })
                .collect();
            if long && row == at {
                cells.push("more".to_owned());
            }
            file += &(cells.join(",") + "\n");
        }
        let found = infer_declarations(
            Wanted { form: Form::Table, path: "t.csv", sheet: None },
            file.as_bytes(),
            &api::Memory::default(),
        );
        match found {
            Ok(found) => {
                assert!(!long, "{file}{found:?}");
                assert_eq!(found.lost, "# lost: 0 cells", "{file}");
                let declared = found.declarations.join("");
                assert!(!declared.contains("skip") && !declared.contains("header"), "{file}{declared}");
                assert!(header.iter().all(|name| declared.contains(&format!("from \"{name}\""))), "{file}{declared}");
            }
            Err(error) => {
                assert!(
                    long && error.message.starts_with(&format!("line {} of `t.csv` has", at + 2)),
                    "{file}{error:?}"
                );
            }
        }
    }
}

#[test]
fn footers_are_told_and_marks_that_may_be_values_are_none() {
    for (file, has, has_not) in [
        (
            "DAY,N\n2024-01-01,5\n2024-01-02,7\nMean,6\nMax,7\nMin,5\n",
            &[
                "until \"Mean\"",
                "not read: 3 rows below the table, the first in line 4: Mean, 6",
                "DAY : date",
                "# lost: 6 cells: 6 below the rows",
            ][..],
            &["missing"][..],
        ),
        // A person called Max is no footer.
        ("NAME,N\nAnn,5\nBob,7\nMax,5\n", &["NAME : text", "# lost: 0 cells"], &["until"]),
        (
            "CHR,N\n1,5\n2,7\n3,5\nX,9\n",
            &["CHR : text", "\"X\" (1 cell)", "int as missing [\"X\"]", "# lost: 0 cells"],
            &["CHR : int"],
        ),
        ("N\n5\nNone\n7\n8\n", &["N : text", "\"None\" (1 cell)"], &["N : int"]),
        ("N,M\n5,1\ndog,2\n7,3\n8,4\n", &["N : text", "\"dog\" (1 cell)"], &["N : int"]),
        (
            "N,M\n5,1\nn/a,2\n-,3\nn/a,4\n",
            &[
                "# null: \"-\" (1 cell), \"n/a\" (2 cells)",
                "N : int as missing [\"-\", \"n/a\"]",
                "# lost: 3 cells: 3 null",
            ],
            &[],
        ),
        ("N,M\n5,1\n,2\n7,3\n", &["N : int as missing [\"\"]", "# lost: 0 cells"], &["# null"]),
    ] {
        let found = printed("f.csv", file.as_bytes());
        assert!(has.iter().all(|part| found.contains(part)), "{found}");
        assert!(!has_not.iter().any(|part| found.contains(part)), "{found}");
    }
}

#[test]
fn what_text_around_numbers_says_is_told() {
    for (cells, has, declared) in [
        (&["(1,200.00)", "5.00"][..], "# `(…)` is negative: 1 cell", "V  : decimal as written \"#,##0.00;(#,##0.00)\""),
        (&["100.00-", "5.00"], "# `…-` is negative: 1 cell", "V  : decimal as written \"0.00;0.00-\""),
        (
            &["1.5K", "2M"],
            "# \"K\" is times 1_000: 1 cell, \"M\" is times 1_000_000: 1 cell",
            "V  : int as written \"0.0K\" times 1_000 written \"0.0M\" times 1_000_000",
        ),
        (
            &["5 kg", "700 g"],
            "around the numbers: \"g\" (1 cell), \"kg\" (1 cell)",
            "line \"<<V>> <<V_UNIT>>\" from \"V\"",
        ),
        (&["$5", "€7"], "around the numbers: \"$\" (1 cell), \"€\" (1 cell)", "line \"<<V_TAG>><<V>>\" from \"V\""),
        (&["<0.5", ">100"], "may make it a limit", "line \"<<V_TAG>><<V>>\" from \"V\""),
        (&["127N", "127C"], "may be a sign", "line \"<<V>><<V_UNIT>>\" from \"V\""),
        (&["5%", "0.5"], "around the numbers: nothing (1 cell), \"%\" (1 cell)", "V  : text"),
        (&["5 Cr", "5"], "may be a sign", "V  : text"),
        (&["3.0T", "2.5"], "If that means nothing: decimal as written \"0.0\" written \"0.0T\"", "V  : text"),
    ] {
        let file = format!(
            "ID,V\n{}",
            cells.iter().enumerate().map(|(id, cell)| format!("{id},\"{cell}\"\n")).collect::<String>()
        );
        let found = printed("f.csv", file.as_bytes());
        assert!(found.contains(has) && found.contains(declared), "{has}\n{found}");
        assert!(found.ends_with("# lost: 0 cells\n"), "{found}");
    }
    let found = printed("f.csv", b"ID,V,W\n1,12%,$5\n2,7%,$7\n");
    assert!(
        found.contains("`%` divides by 100: 2 cells")
            && found.contains("written \"0%\"")
            && found.contains("int as written \"$0\""),
        "{found}"
    );
    let found = printed("f.csv", b"ID,LAT\n1,-122.41941550000001\n2,37.7749\n");
    assert!(found.contains("LAT : float") && found.contains("more than 15 digits"), "{found}");
}

#[test]
fn columns_of_a_workbook_that_cannot_be_read_are_told() {
    let head = row(1, &[&text("ID"), &text("SUM"), &text("AT"), &text("E")]);
    let one = row(
        2,
        &["<c><v>1</v></c>", "<c><f>A2+1</f></c>", "<c s='2'><v>45000.5</v></c>", "<c t='e'><v>#DIV/0!</v></c>"],
    );
    let two = row(3, &["<c><v>2</v></c>", "<c><f>A3+1</f></c>", "<c s='2'><v>45001</v></c>", "<c><v>7</v></c>"]);
    let found = printed("b.xlsx", &book(&(head + &one + &two)));
    assert!(found.contains("# left out: SUM, 2 cells cannot be read"), "{found}");
    assert!(
        found.contains("# left out: E, 1 cell cannot be read") && found.contains("as missing [\"#DIV/0!\"]"),
        "{found}"
    );
    assert!(found.contains("AT : datetime"), "{found}");
    assert!(found.contains("# lost: 4 cells: 4 in columns that are left out"), "{found}");
}

#[test]
fn tables_of_pages_and_elements_of_xml_are_declared() {
    let page = "<h1>x</h1><table><caption>Population</caption><tr><th>Area</th><th>N</th></tr><tr><td>Kiel</td><td>246,601</td></tr></table>\
                <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>";
    let found = printed("p.html", page.as_bytes());
    assert!(found.contains("at \"Population\"") && found.contains("at \"2\"") && found.contains("int"), "{found}");
    let feed = "<feed><title>t</title><item id='1'><a>x</a></item><item id='2'><a>y</a></item></feed>";
    let found = printed("f.xml", feed.as_bytes());
    assert!(found.contains("at \"/feed/item\"") && found.contains("from \"@id\""), "{found}");
    assert!(!found.contains("/feed/item/a"), "{found}");
}

#[test]
fn thousands_of_arrays_take_no_time() {
    let under_keys = |count: usize| {
        let arrays: Vec<String> = (0..count).map(|at| format!("\"a{at}\":[{at}]")).collect();
        format!("{{{}}}", arrays.join(","))
    };
    let in_an_array = |count: usize| {
        let arrays: Vec<String> = (0..count).map(|at| format!("[{at}]")).collect();
        format!("[{}]", arrays.join(","))
    };
    for (what, write) in
        [("arrays under keys", &under_keys as &dyn Fn(usize) -> String), ("arrays in an array", &in_an_array)]
    {
        testing::assert_linear(what, 50_000, |count| {
            let text = write(count);
            let start = std::time::Instant::now();
            let wanted = Wanted { form: Form::View, path: "a.json", sheet: None };
            assert!(infer_declarations(wanted, text.as_bytes(), &api::Memory::default()).is_ok());
            // Seconds for what took minutes; an unoptimized build on a busy machine included.
            assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
        });
    }
}

/// Digits before three digits: the other columns of the file say whether they are a group; else both readings are told.
#[test]
fn grouped_digits_are_read_as_the_other_columns_of_the_file() {
    for (file, column) in [
        ("A;B;C\nx;1,234;1,5\ny;2,500;2,5\nz;13,100;3,75\n", "B : decimal as written \"0,000\""),
        ("A;B;C\nx;1.234;1,5\ny;2.000;2,5\nz;13.100;1.003,7\n", "B : int as written \"#.##0\""),
        ("A;B;C\nx;1,234;1.5\ny;2,500;2.5\nz;13,100;3.75\n", "B : int\n"),
        ("A;B;C\nx;1.234;1,000,000\ny;2.000;5\nz;13.100;7\n", "B : decimal\n"),
        ("A;B;C\nx;1.234 €;1,5\ny;2.000 €;2,5\n", "B : int as written \"#.##0 €\""),
    ] {
        let said = printed("g.csv", file.as_bytes());
        assert!(said.contains(column) && !said.contains("two readings"), "{column}: {said}");
    }
    for (file, comment) in [
        (
            "A;B\nx;1,234\ny;2,500\n",
            "\"1,234\" has two readings: int if digits are grouped, decimal as written \"0,000\" if not",
        ),
        (
            "A;B\nx;1.234\ny;7\n",
            "\"1.234\" has two readings: int as written \"#.##0\" if digits are grouped, decimal if not",
        ),
        // The other columns do not agree.
        ("A;B;C;D\nx;1,234;1,5;2.5\n", "\"1,234\" has two readings"),
    ] {
        let said = printed("g.csv", file.as_bytes());
        assert!(said.contains(comment), "{comment}: {said}");
    }
    let json = printed("g.json", br#"[{"B": 1.234}, {"B": 2.500}]"#);
    assert!(!json.contains("two readings"), "{json}");
}

#[test]
fn words_that_change_a_number_are_told() {
    for (cells, may) in [
        (["minus 5", "minus 6"], "may be a sign"),
        (["5 neg.", "6 neg."], "may be a sign"),
        (["5 overdrawn", "6 overdrawn"], "may be a sign"),
        (["under 5", "under 6"], "may make it a limit"),
        (["5 or less", "6 or less"], "may make it a limit"),
        (["5 percent", "6 percent"], "may multiply it"),
        (["5 %-points", "6 %-points"], "may multiply it"),
    ] {
        let said = printed("w.csv", format!("N,B\nx,{}\ny,{}\n", cells[0], cells[1]).as_bytes());
        assert!(said.contains("B : text") && said.contains(may), "{said}");
    }
}

#[test]
fn cells_of_two_keys_of_one_name_are_lost() {
    for (file, lost) in [
        (&br#"[{"a":{"b":1},"a.b":7},{"a":{"b":2},"a.b":8}]"#[..], "# lost: 2 cells"),
        (br#"[{"a":{"b":1},"a.b":7,"c":1},{"a":{"b":2},"a.b":8,"c":2}]"#, "# lost: 2 cells"),
    ] {
        let found = infer_declarations(
            Wanted { form: Form::Table, path: "j.json", sheet: None },
            file,
            &api::Memory::default(),
        );
        match found {
            Ok(found) => assert!(found.lost.starts_with(lost), "{found:?}"),
            Err(error) => assert!(error.message.contains("cannot be read as a table"), "{error:?}"),
        }
    }
}
