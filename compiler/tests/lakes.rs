//! Files that exist, read as their author declares: `table … from` with options and columns, lakes and their views.

mod cells;
mod marks;
mod names;
mod years;

use compiler::Compiled;
use model::Value;
use testing::compile_with;

/// A suite with these items, and a task with these statements and this answer.
fn suite(items: &str, statements: &str, answer: &str) -> String {
    format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{items}\ntask t {{\n{statements}\n  prompt \"What is it? Reply with it only.\"\n  expect reply json {{ it: {answer} }}\n}}\n"
    )
}

fn compiled(text: &str, files: &[(&str, &str)]) -> Compiled {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    testing::keep_errors(compile_with(text, &files))
}

/// What an expression is over these items.
#[track_caller]
fn value(items: &str, answer: &str, files: &[(&str, &str)]) -> String {
    let lake = if items.starts_with("lake stations") { "  lake stations" } else { "" };
    let compiled = compiled(&suite(items, lake, answer), files);
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
    match testing::find_answer(&testing::expect_instances(&compiled)[0]) {
        Value::Object(fields) => match &fields[0].1 {
            Value::List(items) => {
                items.iter().map(|item| item.render_text().into_owned()).collect::<Vec<_>>().join(",")
            }
            single => single.render_text().into_owned(),
        },
        other => panic!("{other:?}"),
    }
}

/// What is said of these items, as `E0507 message / help`.
fn said(items: &str, files: &[(&str, &str)]) -> Vec<String> {
    let compiled = compiled(&suite(items, "", "1"), files);
    let one = |said: &compiler::diagnostics::Diagnostic| {
        let notes: Vec<&str> = said.iter_notes().map(|(_, text)| text).collect();
        format!("{} {} / {}", said.code.id, said.message, notes.join("\n"))
    };
    compiled.diagnostics.iter().map(one).collect()
}

const RAIN: &[(&str, &str)] = &[
    ("d/m/Kiel.csv", "Monthly rain\nYear,Jan,Feb\n2001,1.5,M\n2002,3.0,0.25T\n\nnotes\n"),
    ("d/m/Ulm.csv", "Monthly rain\nYear,Feb,Jan\n2001,7.0,8.0\n\nnotes\n"),
    ("d/readme.txt", "hello"),
];

const STATIONS: &str = r#"lake stations from "d" {
  csv rain from "m/*.csv" skip "Year" until blank missing ["M"] {
    STATION = file.stem
    ROW = file.row
    YEAR : int 1900..2025 from "Year"
    unpivot MONTH, MM : decimal from ["Jan", "Feb"] as written "0.0" written "0.00T" missing ["M"]
    key (STATION, YEAR, MONTH)
  }
}"#;

#[test]
fn a_view_of_several_files_is_one_relation() {
    for (asked, found) in [
        ("count(stations.rain)", "6"),
        ("count(stations.rain where MM == null)", "1"),
        ("list(stations.rain.STATION)", "Kiel,Kiel,Kiel,Kiel,Ulm,Ulm"),
        ("list(stations.rain.MONTH)", "Jan,Feb,Jan,Feb,Jan,Feb"),
        ("list(stations.rain.ROW)", "3,3,4,4,3,3"),
        ("coalesce(sum(stations.rain.MM where STATION == \"Ulm\"), 0.00)", "15.00"),
        (
            "coalesce(<<value: SELECT MM FROM stations.rain WHERE STATION = 'Kiel' AND YEAR = 2002 AND MONTH = 'Feb'>>, 0.00)",
            "0.25",
        ),
    ] {
        assert_eq!(value(STATIONS, asked, RAIN), found, "{asked}");
    }
}

#[test]
fn a_lake_is_drawn_from() {
    let statements = "  station, year : ref stations.rain.(STATION, YEAR)";
    let compiled = compiled(&suite(STATIONS, statements, "{ a: station, b: year }"), RAIN);
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
}

#[test]
fn options_and_places_say_where_cells_are() {
    let files: &[(&str, &str)] = &[
        ("a.csv", "x;y;y\n1;2;3,5\n 4 ;5;6,5\n"),
        ("b.tsv", "1\tone\n2\ttwo\n"),
        ("c.log", "# head\n2024-01-02 GET  /a 200\n-- cut --\n2024-01-03 PUT /b 404\n"),
        ("d.txt", "alpha  12\nbeta    7\n"),
        ("e.csv", "North,,South,\nTag,N,Tag,N\nA,1,B,2\n"),
    ];
    for (items, asked, found) in [
        (
            "table t1 from \"a.csv\" delimiter \";\" { X : int from \"x\" Y : decimal from 3 as written \"0,0\" }",
            "list(t1.Y)",
            "3.5,6.5",
        ),
        (
            "table t1 from \"a.csv\" delimiter \";\" { X : int from \"x\" _Y : int from 2 Z = X * 10 + _Y }",
            "list(t1.Z)",
            "12,45",
        ),
        (
            "table t1 from \"b.tsv\" header 0 { N : int 1..2 from 1 WORD : one_of [\"one\", \"two\"] from 2 }",
            "list(t1.WORD)",
            "one,two",
        ),
        (
            "table t1 from \"c.log\" skip \"#\" { line \"<<DAY>> <<VERB>> <<PATH>> <<CODE>>\" DAY : date VERB, PATH : text CODE : int }",
            "list(t1.PATH where CODE == 404)",
            "/b",
        ),
        ("table t1 from \"d.txt\" { NAME : text from 1..6 N : int from 7..9 }", "list(t1.N)", "12,7"),
        (
            "table t1 from \"e.csv\" header 2 { `N / N` = 1 NORTH : int from \"North / N\" SOUTH : text from \"South / Tag\" }",
            "list(t1.SOUTH)",
            "B",
        ),
        ("table t1 from \"a.csv\" delimiter \";\" skip 1 header 0 { X : int from 1 }", "list(t1.X)", "1,4"),
        ("table t1 from \"b.tsv\" skip 1", "count(t1)", "0"),
        ("table shared { X : int Y : text from 2 } \ntable t1 : shared from \"f.csv\"", "list(t1.Y)", "u"),
    ] {
        let mut files = files.to_vec();
        files.push(("f.csv", "X,Q\n1,u\n"));
        assert_eq!(value(items, asked, &files), found, "{items}");
    }
}

#[test]
fn mistakes_name_the_file_the_line_and_what_to_write() {
    let a = [("a.csv", "AREA,N,N2\nKiel,1,x\nUlm,M,y\nKiel,2.5,z\n"), ("d/x.csv", "A\n1\n"), ("d/y.csv", "B\n1\n")];
    for (items, found) in [
        (
            "table t1 from \"a.csv\" { AREA : text N : int }",
            "E0507 2 fields of `N` are not ints / line 3 of `a.csv` is `M`\nline 4 of `a.csv` is `2.5`",
        ),
        (
            "table t1 from \"a.csv\" { AREA : text N : decimal 2.0..9.9 as missing [\"M\"] }",
            "E0507 a field of `N` is not in its domain / line 2 of `a.csv` is `1`, less than 2.0",
        ),
        (
            "table t1 from \"a.csv\" { AREA : one_of [\"Kiel\"] }",
            "E0507 a field of `AREA` is not in its domain / line 3 of `a.csv` is `Ulm`",
        ),
        ("table t1 from \"a.csv\" { AREA : text TAG : text }", "E0508 `a.csv` has no column headed `TAG`"),
        (
            "table t1 from \"a.csv\" { AREA : text n : text }",
            "E0508 `a.csv` has no column headed `n` / did you mean `N`?",
        ),
        ("table t1 from \"a.csv\" { AREA : text X : text from 9 }", "E0508 `a.csv` has only 3 columns"),
        (
            "table t1 from \"a.csv\" { AREA : text key (AREA) }",
            "E0509 `AREA` is not unique in `t1` / `Kiel` is in line 2 and line 4",
        ),
        ("table t1 from \"a.csv\" { AREA : text key (Z) }", "E0203 `t1` has no column `Z` / its columns are `AREA`"),
        ("table t1 from \"a.csv\" { AREA : unique text }", "E0509 `AREA` is not unique in `t1`"),
        ("table t1 from \"a.csv\" { N : text as missing [\"M\"] key (N) }", "E0509 key column `N` can be null"),
        ("table t1 from \"a.csv\" skip \"Rank\" { AREA : text }", "E0506 no record of `a.csv` has a field `Rank`"),
        ("table t1 from \"a.csv\" until \"Total\" { AREA : text }", "E0506 no record of `a.csv` starts with `Total`"),
        ("table t1 from \"a.csv\" skip 9 { AREA : text }", "E0506 `a.csv` has only 4 records"),
        ("table t1 from \"a.csv\" sheet \"x\" { AREA : text }", "E0702 `sheet` does not apply to a CSV file"),
        ("table t1 from \"a.csv\" above \"x\" { AREA : text }", "E0702"),
        (
            "table t1 from \"a.csv\" encoding \"latin1\" { AREA : text }",
            "E0307 `latin1` is not an encoding / did you mean `\"iso-8859-1\"`?",
        ),
        (
            "table t1 from \"a.csv\" encoding \"cp1252\" { AREA : text }",
            "E0307 `cp1252` is not an encoding / did you mean `\"windows-1252\"`?",
        ),
        (
            "table t1 from \"a.csv\" encoding \"UTF-16\" { AREA : text }",
            "E0307 `UTF-16` is not an encoding / did you mean `\"utf-16le\"`?",
        ),
        ("table t1 from \"a.csv\" encoding \"ebcdic\" { AREA : text }", "E0307 `ebcdic` is not an encoding"),
        (
            "table t1 from \"a.csv\" encoding \"utf8\" { AREA : text }",
            "E0307 `utf8` is not an encoding / did you mean `\"utf-8\"`?",
        ),
        (
            "table t1 from \"a.csv\" skip 3 header 2 { X : text from 1 }",
            "E0506 `a.csv` has only 4 records / its header may have one row: header 1",
        ),
        ("table t1 from \"a.csv\" { AREA : text as case 5% }", "E0702 `case` is not a style of a file that is read"),
        ("table t1 from \"a.csv\" { AREA : distinct text }", "E0702 `distinct` does not apply"),
        ("table t1 from \"a.csv\" { AREA : text  B = 1 / 0.0 }", "E0"),
        ("table t1 from \"a.csv\" { AREA : text  B = nope }", "E0201 `nope` is not defined"),
        ("table t1 from \"a.csv\" { AREA : text  B = file.nope }", "E02"),
        ("lake l from \"none\" { }", "E0211 folder `none` does not exist"),
        ("lake l from \"d\" { csv v from \"z*.csv\" }", "E0211 no file of `d` matches `z*.csv`"),
        ("lake l from \"d\" { csv v from \"*.csv\" { A : int } }", "E0508 `y.csv` has no column headed `A`"),
        ("lake l from \"d\" { csv v from \"*.csv\" }", "E0508 `x.csv` and `y.csv` have different columns"),
        ("lake l from \"d\" { csv v from \"x.csv\" csv V from \"y.csv\" }", "E0206 view `V` is defined twice"),
        ("lake l from \"d\" { sqlite v from \"x.csv\" { A : int } }", "E0702 a database cannot be read as a table"),
        ("lake l at \"../x\" from \"d\" { csv v from \"x.csv\" }", "E0501"),
        (
            "table p from \"d/x.csv\" { A : int }\nlake l from \"d\" { csv v from \"y.csv\" }",
            "E0511 `d/x.csv` is private, but lake `l` includes it",
        ),
    ] {
        let all = said(items, &a);
        assert!(all.len() == 1 && all[0].starts_with(found), "{items}\n{all:#?}\n{found}");
    }
}

#[test]
fn fields_that_do_not_fit_have_a_proposal_that_reads_all_of_them() {
    let files = [
        (
            "r.csv",
            "N,D,E,F\n1.5,04.01.2021,03/04/2021,12 km\n0.3T,31.12.2021,05/05/2021,7 km\nM,01.02.2021,06/06/2021,9 km\n",
        ),
        ("s.csv", "N\n1\n2.5\n"),
        ("t.csv", "D\n1/2/2021\n"),
        ("own.csv", "D\n15 05 1934 9:52 AM\n5 05 1934 9:52 AM\n"),
    ];
    let six = "A\n".to_owned() + &"x1\n".repeat(7);
    let files: Vec<(&str, &str)> = files.into_iter().chain([("six.csv", six.as_str())]).collect();
    for (items, found) in [
        (
            "table t1 from \"r.csv\" { N : decimal }",
            "E0507 2 fields of `N` are not decimals / line 3 of `r.csv` is `0.3T`\nline 4 of `r.csv` is `M`\naround the numbers: nothing (1 cell), \"T\" (1 cell). If that means nothing: decimal as written \"0.0\" written \"0.0T\"\nnot numbers: \"M\" (1 cell), of 3 cells. If they mean that nothing is known: decimal as written \"0.0\" written \"0.0T\" missing [\"M\"]\nread the column as it is, and compute from it: N : text",
        ),
        (
            "table t1 from \"r.csv\" missing [\"?\"] { N : decimal as written \"0.0\" written \"0.0T\" }",
            "E0507 a field of `N` is not a decimal / line 4 of `r.csv` is `M`, which is not as `written` says\naround the numbers: nothing (1 cell), \"T\" (1 cell). If that means nothing: decimal as written \"0.0\" written \"0.0T\"\nnot numbers: \"M\" (1 cell), of 3 cells. If they mean that nothing is known: decimal as written \"0.0\" written \"0.0T\" missing [\"?\", \"M\"]\nread the column as it is, and compute from it: N : text",
        ),
        (
            "table t1 from \"s.csv\" { N : int }",
            "E0507 a field of `N` is not an int / line 3 of `s.csv` is `2.5`, which has decimals\ndeclare it as decimal: N : decimal",
        ),
        (
            "table t1 from \"r.csv\" { D : date }",
            "E0507 3 fields of `D` are not dates / line 2 of `r.csv` is `04.01.2021`\nline 3 of `r.csv` is `31.12.2021`\nline 4 of `r.csv` is `01.02.2021`\nwrite how the fields are written: as written \"dd.MM.yyyy\"",
        ),
        (
            "table t1 from \"r.csv\" { E : date }",
            "E0507 3 fields of `E` are not dates / line 2 of `r.csv` is `03/04/2021`\nline 3 of `r.csv` is `05/05/2021`\nline 4 of `r.csv` is `06/06/2021`\n`dd/MM/yyyy` and `MM/dd/yyyy` both read every field, but `03/04/2021` differently\nchoose the one that the file means: as written \"dd/MM/yyyy\" or as written \"MM/dd/yyyy\"",
        ),
        (
            "table t1 from \"t.csv\" { D : date as written \"d/M/yyyy\" written \"M/d/yyyy\" }",
            "E0507 `1/2/2021` has two readings / line 2 of `t.csv` is `1/2/2021`, which two patterns read differently\nremove the pattern that `D` is not written with",
        ),
        (
            "table t1 from \"own.csv\" { D : datetime as written \"dd M yyyy h:mm a\" }",
            "E0507 a field of `D` is not a datetime / line 3 of `own.csv` is `5 05 1934 9:52 AM`, which is not as `written` says\nwrite how the fields are written: as written \"d M yyyy h:mm a\"",
        ),
        (
            "table t1 from \"six.csv\" { A : int }",
            "E0507 7 fields of `A` are not ints / line 2 of `six.csv` is `x1`\nline 3 of `six.csv` is `x1`\nline 4 of `six.csv` is `x1`\nline 5 of `six.csv` is `x1`\nline 6 of `six.csv` is `x1`\nand 2 more\nread the column as it is, and compute from it: A : text",
        ),
    ] {
        let all = said(items, &files);
        assert!(all.len() == 1 && all[0] == found, "{items}\n{all:#?}\n{found}");
    }
}

#[test]
fn what_is_proposed_leaves_out_nothing_of_what_a_field_says() {
    for (ty, cells, found) in [
        ("int", "5 kg\n7 kg", "write how the fields are written: as written \"0 kg\""),
        ("int", "12%\n7%", "declare it as decimal: N : decimal as written \"0%\""),
        ("int", "5\nn/a", "make `n/a` null: as missing [\"n/a\"]"),
        (
            "int",
            "5 kg\n7 g",
            "around the numbers: \"g\" (1 cell), \"kg\" (1 cell)\nread it as two columns: line \"<<N>> <<N_UNIT>>\" from \"N\"  N : int as written \"0\"  N_UNIT : text",
        ),
        ("int", "(5)\n7", "`(…)` is negative: 1 cell\nwrite how the fields are written: as written \"0;(0)\""),
        (
            "int",
            "5K\n7K",
            "\"K\" is times 1_000: 2 cells\nwrite how the fields are written: as written \"0K\" times 1_000",
        ),
        (
            "int",
            "5 Cr\n7",
            "text around the number, such as \"Cr\", may be a sign: 1 of 2 cells\nread the column as it is",
        ),
        (
            "int",
            "5\ndog\n7",
            "not numbers: \"dog\" (1 cell), of 3 cells. If they mean that nothing is known: int as missing [\"dog\"]",
        ),
        (
            "int",
            "$5\n€7\nn/a",
            "read it as two columns: line \"<<N_TAG>><<N>>\" from \"N\"  N : int as written \"0\" missing [\"n/a\"]  N_TAG : text as missing [\"n/a\"]",
        ),
    ] {
        let file = format!("N\n{cells}\n");
        let all = said(&format!("table t1 from \"n.csv\" {{ N : {ty} }}"), &[("n.csv", &file)]);
        assert!(all.len() == 1 && all[0].contains(found), "{all:#?}\n{found}");
    }
}

#[test]
fn patterns_that_leave_out_a_sign_or_a_multiple_are_refused() {
    let file = [("n.csv", "N\n5\n")];
    for (styles, found) in [
        ("written \"(0)\"", "E0510 `(0)` reads `(5)` as 5"),
        ("written \"0\" written \"($#,##0.00)\"", "E0510 `($#,##0.00)` reads `($5.00)` as 5"),
        ("written \"0-\"", "E0510 `0-` reads `5-` as 5"),
        ("written \"0 -\"", "E0510 `0 -` reads `5 -` as 5"),
        ("written \"$-0\"", "E0510 `$-0` reads `$-5` as 5"),
        ("written \"0K\"", "E0510 `0K` reads `5K` as 5"),
        ("written \"$0.0M\"", "E0510 `$0.0M` reads `$5.0M` as 5"),
        ("written \"0bn\"", "E0510 `0bn` reads `5bn` as 5"),
        ("written \"0 kg\" written \"0 g\"", "E0510 `0 kg` and `0 g` read different texts as one number"),
        ("written \"$0\" written \"0 €\"", "E0510 `$0` and `0 €` read different texts as one number"),
    ] {
        let all = said(&format!("table t1 from \"n.csv\" {{ N : decimal as {styles} }}"), &file);
        assert!(all.len() == 1 && all[0].starts_with(found), "{all:#?}\n{found}");
    }
    // A unit, a mark that an author calls one, a price without cents, a note, and a percent are what they were.
    for (cells, styles) in [
        ("5 kg", "written \"0 kg\""),
        ("5\n5T", "written \"0\" written \"0T\""),
        ("5\n5*", "written \"0\" written \"0*\""),
        ("\"5,-\"", "written \"0,-\""),
        ("5 (est.)", "written \"0 (est.)\""),
        ("5%\n5", "written \"0%\" written \"0\""),
        ("5-day", "written \"0-day\""),
        ("5 K", "written \"0 K\""),
    ] {
        let file = format!("N\n{cells}\n");
        let all = said(&format!("table t1 from \"n.csv\" {{ N : decimal as {styles} }}"), &[("n.csv", &file)]);
        assert!(all.is_empty(), "{all:#?}");
    }
}

#[test]
fn a_field_out_of_its_domain_is_shown_as_it_is_in_the_file() {
    let files = [
        ("a.csv", "N,D,W\n007,2.50,a\n038,\"1,200.0\",\n12,3,b\n"),
        ("d/x.csv", "N\n5\n"),
        ("d/y.csv", "N\n+7\n0091\n"),
    ];
    for (items, found) in [
        (
            "table t1 from \"a.csv\" { N : int 1..20 }",
            "E0507 a field of `N` is not in its domain / line 3 of `a.csv` is `038`, more than 20\nwiden the domain, or correct the file",
        ),
        (
            "table t1 from \"a.csv\" { D : decimal 2.6..9.0 }",
            "E0507 2 fields of `D` are not in its domain / line 2 of `a.csv` is `2.50`, less than 2.6\nline 3 of `a.csv` is `1,200.0`, more than 9.0\nwiden the domain, or correct the file",
        ),
        (
            "lake l from \"d\" { csv v from \"*.csv\" { N : int 6..90 } }",
            "E0507 2 fields of `N` are not in its domain / line 2 of `x.csv` is `5`, less than 6\nline 3 of `y.csv` is `0091`, more than 90\nwiden the domain, or correct the file",
        ),
        (
            "table t1 from \"a.csv\" { W : one_of [\"a\", \"b\"] }",
            "E0507 a field of `W` is not in its domain / line 3 of `a.csv` is empty\nmake empty fields null: as missing [\"\"]",
        ),
        (
            "table t1 from \"a.csv\" { W : one_of [\"a\"] }",
            "E0507 2 fields of `W` are not in its domain / line 3 of `a.csv` is empty\nline 4 of `a.csv` is `b`\nmake empty fields null: as missing [\"\"]; for the others, widen the domain, or correct the file",
        ),
    ] {
        let all = said(items, &files);
        assert!(all.len() == 1 && all[0] == found, "{items}\n{all:#?}\n{found}");
    }
}

/// What uses a table that cannot be read, and whose columns are those of its file, is not told of: neither its columns nor its rows are known.
#[test]
fn a_file_that_cannot_be_read_is_told_once() {
    let files = [("two.csv", "A,A\n1,2\n"), ("d/two.csv", "A,A\n1,2\n"), ("d/one.csv", "N\n1\n"), ("e.json", "[]")];
    for (items, table, code) in [
        ("table x from \"none.csv\"", "x", "E0211"),
        ("table x from \"none.csv\" missing [\"M\"]", "x", "E0211"),
        ("table x from \"two.csv\"", "x", "E0505"),
        ("table x from \"two.csv\" skip \"Rank\"", "x", "E0506"),
        ("lake l from \"d\" { csv x from \"none.csv\" }", "l.x", "E0211"),
        ("lake l from \"d\" { csv x from \"two.csv\" skip \"Rank\" }", "l.x", "E0506"),
    ] {
        for answer in [
            "sum(TABLE.N)",
            "count(TABLE where N > 1)",
            "count(TABLE)",
            "coalesce(min(TABLE.N where N > 2), 0)",
            "<<value: SELECT SUM(N) FROM TABLE>>",
            "<<list: SELECT x.N FROM TABLE x ORDER BY x.N>>",
        ] {
            let lake = if items.starts_with("lake") { "  lake l" } else { "" };
            let text = suite(items, lake, &answer.replace("TABLE", table));
            let codes = testing::list_codes(&compiled(&text, &files));
            assert_eq!(codes, [code], "{text}");
        }
    }
    // An array without rows is read: it has no columns.
    let text = suite("table x from \"e.json\"", "", "sum(x.N)");
    assert_eq!(testing::list_codes(&compiled(&text, &files)), ["E0203"]);
}

#[test]
fn a_lint_is_silenced_in_the_view_that_it_speaks_of() {
    let files: &[(&str, &str)] =
        &[("d/a.csv", "A\n1\n\nB\n2\n3\n4\n"), ("d/b.csv", "A\n1\n\nB\n2\n3\n4\n"), ("d/c.csv", "A\n1\n")];
    let allow = "allow unread_rows \"the second part is not read\"";
    for (items, found) in [
        (
            "lake l from \"d\" { csv a from \"a.csv\" until blank { A : int } }".to_owned(),
            vec!["W0406 4 records of `a.csv`"],
        ),
        (format!("lake l from \"d\" {{ csv a from \"a.csv\" until blank {{ A : int  {allow} }} }}"), vec![]),
        (format!("lake l from \"d\" {{ csv a from \"a.csv\" until blank {{ {allow} }} }}"), vec![]),
        (
            format!(
                "lake l from \"d\" {{ csv a from \"a.csv\" until blank {{ {allow} }} csv b from \"b.csv\" until blank }}"
            ),
            vec!["W0406 4 records of `b.csv`"],
        ),
        (format!("lake l from \"d\" {{ csv c from \"c.csv\" {{ A : int {allow} }} }}"), vec!["W0102"]),
        ("lake l from \"d\" { csv c from \"c.csv\" { allow : int from \"A\" } }".to_owned(), vec![]),
        (
            "lake l from \"d\" { csv c from \"c.csv\" { A : int allow unread_rows } }".to_owned(),
            vec!["E0701 `allow unread_rows` has no reason"],
        ),
    ] {
        let compiled = testing::compile_with(
            &suite(&items, "", "1"),
            &files.iter().map(|(path, text)| (*path, text.as_bytes())).collect::<Vec<_>>(),
        );
        let all: Vec<String> = compiled
            .diagnostics
            .iter()
            .map(|said| format!("{} {}", said.code.id, said.message))
            .filter(|said| !said.starts_with("W03") && !said.starts_with("W02"))
            .collect();
        assert!(
            all.len() == found.len() && all.iter().zip(&found).all(|(said, found)| said.starts_with(found)),
            "{items}\n{all:#?}"
        );
    }
}

#[test]
fn places_in_trees_and_encodings_are_said_with_what_there_is() {
    let compiled = |items: &str| {
        let files: &[(&str, &[u8])] = &[
            ("p.json", b"{\"result\": {\"items\": [{\"a\": 1}]}}"),
            ("w.csv", b"A\ncaf\xe9\n"),
            ("e.csv", b"A\n5 \xa4\n"),
            ("d/x.csv", b"A\n5 \xa4\n"),
            ("d/y.csv", b"A\n5 \xa4\n"),
        ];
        testing::compile_with(&suite(items, "", "1"), files)
    };
    for (items, found, fixes) in [
        (
            "table t1 from \"p.json\" at \"$.result.itms\"",
            "E0506 `p.json` has nothing at `$.result.itms` / write where the table is: at \"$.result.items\"",
            1,
        ),
        (
            "table t1 from \"p.json\" at \"$.result\"",
            "E0506 `p.json` has an object at `$.result`, not an array / write where the table is: at \"$.result.items\"",
            1,
        ),
        (
            "table t1 from \"p.json\" at \"$.result.items[*]\"",
            "E0611 `at` needs one place, but `$.result.items[*]` can lead to several / write keys and positions, such as `$.items` or `$.years[0].rows`",
            0,
        ),
        (
            "table t1 from \"w.csv\" { A : text }",
            "E0505 `w.csv` is not UTF-8 / line 2 has the byte 0xE9 after `caf`\nadd `encoding \"windows-1252\"`",
            1,
        ),
        (
            "table t1 from \"e.csv\" { A : text }",
            "E0505 `e.csv` is not UTF-8 / line 2 has the byte 0xA4 after `5 `\n`windows-1252` and `iso-8859-15` read the file, each as another text\nadd the one in which the file was saved: encoding \"windows-1252\" or encoding \"iso-8859-15\"",
            2,
        ),
        (
            "table t1 from \"e.csv\" encoding \"utf-8\"",
            "E0505 `e.csv` is not `utf-8` / line 2 has the byte 0xA4 after `5 `\n`windows-1252` and `iso-8859-15` read the file, each as another text\nadd the one in which the file was saved: encoding \"windows-1252\" or encoding \"iso-8859-15\"",
            2,
        ),
        (
            "lake l from \"d\" { csv v from \"*.csv\" { A : text } }",
            "E0505 `x.csv` is not UTF-8 / line 2 has the byte 0xA4 after `5 `\n`windows-1252` and `iso-8859-15` read the file, each as another text\nthe other file of the view has this fault, too\nadd the one in which the file was saved: encoding \"windows-1252\" or encoding \"iso-8859-15\"",
            2,
        ),
    ] {
        let compiled = compiled(items);
        let errors: Vec<_> = compiled.diagnostics.iter().filter(|said| said.code.id.starts_with('E')).collect();
        let [said] = errors.as_slice() else { panic!("{items}: {errors:#?}") };
        let notes: Vec<&str> = said.iter_notes().map(|(_, text)| text).collect();
        assert_eq!(format!("{} {} / {}", said.code.id, said.message, notes.join("\n")), found, "{items}");
        assert_eq!(said.fixes.len(), fixes, "{items}");
    }
}

#[test]
fn names_of_lakes_and_views_are_checked() {
    for (answer, found) in [
        ("count(stations.rian)", "E0202 the lake `stations` does not have a view `rian` / did you mean `rain`?"),
        ("count(stations.rain.NOPE)", "E0203"),
        ("stations", "E0301 `stations` is a lake, not a value"),
        ("<<value: SELECT COUNT(*) FROM stations.none>>", "E0602"),
        ("<<value: SELECT MM FROM stations.rain WHERE STATION = 'Kiel'>>", "E0605"),
    ] {
        let compiled = compiled(&suite(STATIONS, "", answer), RAIN);
        let all: Vec<String> = compiled
            .diagnostics
            .iter()
            .map(|said| format!("{} {} / {}", said.code.id, said.message, said.help.clone().unwrap_or_default()))
            .collect();
        assert!(all.len() == 1 && all[0].starts_with(found), "{answer}\n{all:#?}");
    }
}

#[test]
fn one_mistake_of_a_file_hides_nothing_and_brings_no_other() {
    let items = "table t1 from \"a.csv\" { AREA : int N : int }";
    let text = suite(items, "", "{ a: sum(t1.N), b: <<value: SELECT COUNT(AREA) FROM t1>> }");
    let compiled = compiled(&text, &[("a.csv", "AREA,N\nKiel,1\n")]);
    assert_eq!(testing::list_codes(&compiled), ["E0507"]);
}

#[test]
fn a_view_without_columns_loses_no_field_that_cannot_be_read() {
    let odd = [
        ("a.json", r#"[{"a":1,"a":2},{"a":3}]"#),
        ("a.json", r#"[{"a":99999999999999999999},{"a":3}]"#),
        ("a.json", r#"[{"a":1e400}]"#),
        ("a.json", r#"[{"a.b":1,"a":{"b":2}}]"#),
        ("a.yaml", "- {a: 1, a: 2}\n- {a: 3}\n"),
        ("a.yaml", "- a: no\n"),
    ];
    for (file, text) in odd {
        let format = file.trim_start_matches("a.");
        let items = format!("lake l from \"d\" {{ {format} v from \"{file}\" }}");
        let found = said(&items, &[(&format!("d/{file}"), text)]);
        assert!(matches!(&found[..], [one] if one.starts_with("E0505 a field of `a")), "{text}: {found:#?}");
    }
}

#[test]
fn a_view_without_columns_over_no_rows_says_so() {
    let found = said("lake l from \"d\" { json v from \"a.json\" }", &[("d/a.json", "[]")]);
    assert_eq!(
        found,
        ["E0506 `a.json` has no rows from which its columns could be known / declare the columns: { AREA : text }"]
    );
}

#[test]
fn a_lake_does_not_hand_out_a_copy_of_a_private_table() {
    let items = "table p from \"p.csv\"\nlake l from \"d\" {}";
    let found = said(items, &[("p.csv", "A,B\n1,2\n"), ("d/a.csv", "A,B\n1,3\n"), ("d/b.csv", "A,B\n1,2\n")]);
    assert_eq!(
        found,
        ["E0511 `p.csv` is private, but lake `l` has a copy of it / remove the copy, or read it as a view of the lake"]
    );
}

/// What is kept for the process belongs to the values that it was made from: of suites that differ in one thing only, each has its own.
#[test]
fn what_is_kept_is_of_the_same_table() {
    let files = [("d/k.csv", "A,B\n1,20\n2,10\n")];
    let of = |body: &str, answer: &str| {
        let items = format!("lake stations from \"d\" {{ csv v from \"k.csv\" {{ {body} }} }}");
        value(&items, answer, &files)
    };
    let all = "list(stations.v.C)";
    for _ in 0..2 {
        assert_eq!(of("A : int  B : int  C = A * 100 + B", all), "120,210");
        assert_eq!(of("B : int  A : int  C = A * 100 + B", all), "120,210", "in another order");
        assert_eq!(of("B : int  C = A * 100 + B  A : int", all), "120,210", "the computed one in between");
        assert_eq!(of("A : int from \"B\"  B : int from \"A\"  C = A * 100 + B", all), "2001,1002", "of other fields");
        assert_eq!(of("A : int  B : int  C = B * 100 + A", all), "2001,1002", "another expression");
        assert_eq!(of("A : text  B : int  C = A", all), "1,2");
        assert_eq!(of("C : int from \"A\"  B : int", all), "1,2");
        assert_eq!(of("C : int from \"B\"  A : int", all), "20,10");
    }
    let said_of = |body: &str| said(&format!("lake l from \"d\" {{ csv v from \"k.csv\" {{ {body} }} }}"), &files);
    for _ in 0..2 {
        assert_eq!(said_of("A : int 1..2  B : int"), Vec::<String>::new());
        assert!(said_of("A : int 1..1  B : int")[0].starts_with("E0507"), "a domain is proved again");
        assert_eq!(said_of("A : int  B : int  key (A)"), Vec::<String>::new());
        assert!(said_of("A : int  B : int  C = A / A  key (C)")[0].starts_with("E0509"), "so is a key");
        assert!(
            said_of("A : int as missing [\"x\"]  B : int  key (A)")[0].starts_with("E0509"),
            "which may not be null"
        );
    }
}

#[test]
fn a_lake_does_not_hand_out_what_gives_answers_away() {
    let lake = "lake l from \"d\" {}";
    let list = "domain place = one_of lines \"d/places.txt\"\n";
    for (items, files, wanted) in [
        (
            format!("{list}{lake}"),
            &[("d/places.txt", "Kiel\nUlm\n")][..],
            "`d/places.txt` is a word list, but lake `l` includes it / move the word list",
        ),
        (
            lake.to_owned(),
            &[("d/out/manifest.json", "{}"), ("d/out/instances.jsonl", "")],
            "`d/out` is a bundle, but lake `l` includes it / move the bundle",
        ),
        (
            lake.to_owned(),
            &[("d/manifest.json", "{}"), ("d/instances.jsonl", "")],
            "`d` is a bundle, but lake `l` includes it",
        ),
        (
            lake.to_owned(),
            &[("d/a/b/run.json", "{}"), ("d/a/b/responses.jsonl", "")],
            "`d/a/b` is a run, but lake `l` includes it / move the run",
        ),
    ] {
        let found = said(&items, files);
        assert!(matches!(&found[..], [one] if one.starts_with(&format!("E0511 {wanted}"))), "{found:#?}");
    }
    // Next to each other, or nothing but one of the two: neither a bundle nor a run.
    for files in [
        &[("d/manifest.json", "{}"), ("d/x.csv", "A\n1\n")][..],
        &[("d/a/manifest.json", "{}"), ("d/b/instances.jsonl", "")],
        &[("d/run.json", "{}"), ("d/instances.jsonl", "")],
    ] {
        assert_eq!(said(lake, files), Vec::<String>::new(), "{files:?}");
    }
    // A word list elsewhere, and files without content, which are alike and give nothing away.
    assert_eq!(
        said(&format!("{list}lake l from \"e\" {{}}"), &[("d/places.txt", "Kiel\nUlm\n"), ("e/a.txt", "")]),
        Vec::<String>::new()
    );
}

#[test]
fn two_copies_of_a_private_table_are_told_once_and_its_own_file_is_no_copy() {
    let items = "table p from \"p.csv\"\nlake l from \"d\" {}\nlake m from \"e\" {}";
    let found = said(
        items,
        &[("p.csv", "A,B\n1,2\n"), ("d/a.csv", "A,B\n1,2\n"), ("d/b.csv", "A,B\n1,2\n"), ("e/x", "A,B\n1,2\n")],
    );
    assert_eq!(found.len(), 2, "one for each lake: {found:#?}");
    let inside =
        said("table p from \"d/p.csv\"\nlake l from \"d\" {}", &[("d/p.csv", "A\n1\n"), ("d/q.csv", "A\n2\n")]);
    assert!(
        matches!(&inside[..], [one] if one.starts_with("E0511 `d/p.csv` is private, but lake `l` includes it")),
        "{inside:#?}"
    );
}

/// Databases with given tables go from instance to instance: each query must see them whole, and nothing that was drawn for another instance.
#[test]
fn queries_over_given_and_drawn_tables_are_of_their_own_instance() {
    let text = r#"suite s { title "S" version "1.0.0" samples 12 }
lake stations from "d" {
  csv v from "k.csv" { A : int  B : int }
  csv w from "k.csv" { A : int }
}
task t {
  csv extra at "x.csv" { rows 2..6  ID : serial  N : int 1..3 }
  least : int 1..3
  lake stations
  joined = <<value: SELECT count(*) FROM stations.v AS v JOIN extra AS e ON v.A = e.N>>
  given = <<value: SELECT coalesce(sum(B), 0) FROM stations.v JOIN stations.w USING (A) WHERE A >= :least>>
  prompt "Look into <<extra>> and <<stations>>, from <<least>> on. Reply with the number only."
  variant both { expect reply number joined * 1000 + given }
  variant drawn { expect reply number count(extra) }
  variant fixed { expect reply number given }
}
"#;
    let compiled = compiled(text, &[("d/k.csv", "A,B\n1,20\n2,10\n3,5\n")]);
    assert!(compiled.diagnostics.is_empty(), "{:#?}", compiled.diagnostics);
    let all = testing::expect_instances(&compiled);
    assert_eq!(all.len(), 36);
    for instance in &all {
        let drawn: Vec<i64> = testing::read_text(instance, "x.csv")
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(1).expect("two fields").parse().expect("a number"))
            .collect();
        let Value::Int(least) = testing::find_draw(instance, "least") else { panic!("an int") };
        let given: i64 = [(1, 20), (2, 10), (3, 5)].iter().filter(|(a, _)| a >= least).map(|(_, b)| b).sum();
        let right = match instance.variant.as_deref() {
            Some("both") => drawn.len() as i64 * 1000 + given,
            Some("drawn") => drawn.len() as i64,
            _ => given,
        };
        assert_eq!(testing::find_answer(instance), &Value::Int(right), "{}", instance.id);
    }
}

/// What depends on no draw is kept for the process: it is known again only where nothing that it is computed from is different.
#[test]
fn fixed_values_are_of_their_own_suite() {
    let text = |head: &str, axis: &str, lines: &str| {
        format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{head}\nlake stations from \"d\" {{ csv v from \"k.csv\" {{ A : int  B : int }} }}\ntask t {{\n  axis k = [{axis}]\n  lake stations\n{lines}\n  prompt \"What is it in <<stations>> for <<k>>? Reply with it only.\"\n  expect reply number count(stations.v) + k\n}}\n"
        )
    };
    let three = "A,B\n1,20\n2,10\n3,5\n";
    let is_false = |head: &str, axis: &str, lines: &str, file: &str| {
        let compiled = compiled(&text(head, axis, lines), &[("d/k.csv", file)]);
        let codes: Vec<&str> = compiled.diagnostics.iter().map(|said| said.code.id).collect();
        assert!(codes.is_empty() || codes == ["E0902"], "{:#?}", compiled.diagnostics);
        !codes.is_empty()
    };
    let by_name = "  n = count(stations.v where A > 1)\n  require n == 2";
    let by_sql = "  require <<value: SELECT sum(B) FROM stations.v WHERE A >= :k>> > 10";
    let by_rows = "  m = max(stations.v.A)\n  n = m + k\n  require n < 6";
    for _ in 0..2 {
        for head in ["", "# a comment, after which all is elsewhere"] {
            assert!(!is_false(head, "1, 2", by_name, three));
            assert!(is_false(head, "1, 2", by_name, "A,B\n1,20\n2,10\n"), "another file");
            assert!(
                is_false(head, "1, 2", "  n = count(stations.v where A > 2)\n  require n == 2", three),
                "another name"
            );
            assert!(is_false(head, "1, 2", "  n = count(stations.v where A > 1)\n  require n == 3", three));
            assert!(!is_false(head, "1, 2", by_sql, three));
            assert!(is_false(head, "1, 3", by_sql, three), "false in one cell");
            assert!(is_false(head, "1, 2", by_sql, "A,B\n1,20\n2,5\n3,5\n"));
            assert!(!is_false(head, "1, 2", by_rows, three));
            assert!(is_false(head, "1, 2, 3", by_rows, three), "more cells");
            assert!(
                is_false(head, "1, 2", "  m = max(stations.v.B)\n  n = m + k\n  require n < 6", three),
                "a name of a name"
            );
        }
    }
}
