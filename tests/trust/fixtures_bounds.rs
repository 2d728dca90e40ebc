//! What reading a fixture may take: nothing that a few bytes unpack to, repeat, or compute without end.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use compiler::fixture::{Fixture, read_shared};
use model::Format;
use serde_json::json;
use tables::Layout;
use testing::{CommandOutput, create_folder, write_in_folder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::trust::support::{key, said, suite};

/// What `check` says of a task, in 3 GB of memory; and how long it takes.
fn bounded(task: &str, files: &[(&str, &[u8])]) -> (String, Duration) {
    let home = create_folder(&[("s.pcd", &suite(task))]);
    files.iter().for_each(|(path, content)| write_in_folder(home.path(), path, content));
    bounded_in(home.path())
}

fn bounded_in(home: &Path) -> (String, Duration) {
    let begun = Instant::now();
    let run = format!("ulimit -v 3000000; exec '{}' check s.pcd", testing::find_program().display());
    let output = std::process::Command::new("sh").args(["-c", &run]).current_dir(home).output();
    let output = CommandOutput::from(output.expect("started"));
    let said = output.join_output();
    assert!(output.status.code().is_some_and(|code| code <= 1), "{:?}: {said}", output.status);
    (said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" "), begun.elapsed())
}

/// Refused with these words, within a minute.
fn refuses(task: &str, files: &[(&str, &[u8])], words: &str) {
    let (said, took) = bounded(task, files);
    assert!(said.contains("error[E0505]") && said.contains(words), "{words}: {said}");
    assert!(took < Duration::from_secs(60), "{words}: {took:?}");
}

type Row<'t> = (&'t str, &'t str);

/// A workbook of sheets with two columns; a cell is `attributes|value`.
pub fn book(sheets: &[(&str, &[Row<'_>])]) -> Vec<u8> {
    let cell = |at: String, cell: &str| {
        let (attributes, value) = cell.split_once('|').expect("attributes|value");
        format!("<c r='{at}' {attributes}><v>{value}</v></c>")
    };
    let sheets: Vec<(String, String)> = sheets
        .iter()
        .map(|(name, rows)| {
            let row = |(at, (a, b)): (u32, &Row<'_>)| {
                format!("<row r='{at}'>{}{}</row>", cell(format!("A{at}"), a), cell(format!("B{at}"), b))
            };
            ((*name).to_owned(), (1..).zip(rows.iter()).map(row).collect())
        })
        .collect();
    book_of(&sheets, None)
}

/// The same from the XML of rows; with the XML of texts that cells share.
fn book_of(sheets: &[(String, String)], shared: Option<&str>) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let numbered = || (1..).zip(sheets);
    let list: String =
        numbered().map(|(at, (name, _))| format!("<sheet name='{name}' sheetId='{at}' r:id='r{at}'/>")).collect();
    let link = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id='{id}' Type='{LINKS}/{kind}' Target='{target}'/>")
    };
    let mut links: String =
        numbered().map(|(at, _)| link(&format!("r{at}"), "worksheet", &format!("worksheets/sheet{at}.xml"))).collect();
    if shared.is_some() {
        links += &link("shared", "sharedStrings", "sharedStrings.xml");
    }
    let links_of = |links: &str| format!("<Relationships xmlns='{PACKAGE}'>{links}</Relationships>");
    let mut parts = vec![
        ("_rels/.rels".to_owned(), links_of(&link("r1", "officeDocument", "xl/workbook.xml"))),
        (
            "xl/workbook.xml".to_owned(),
            format!("<workbook xmlns='{MAIN}' xmlns:r='{LINKS}'><sheets>{list}</sheets></workbook>"),
        ),
        ("xl/_rels/workbook.xml.rels".to_owned(), links_of(&links)),
    ];
    for (at, (_, rows)) in numbered() {
        let sheet = format!("<worksheet xmlns='{MAIN}'><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/worksheets/sheet{at}.xml"), sheet));
    }
    parts.extend(shared.map(|texts| ("xl/sharedStrings.xml".to_owned(), format!("<sst xmlns='{MAIN}'>{texts}</sst>"))));
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, packed()).expect("started");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("finished").into_inner()
}

fn packed() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

const XLSX: &str = "xlsx f at \"f.xlsx\" from \"x.xlsx\" prompt \"<<f>>\" expect reply text \"y\"";

#[test]
fn s11_wide_tables_and_workbooks_that_explode_are_refused() {
    let names: Vec<String> = (0..100_000).map(|at| format!("C{at}")).collect();
    let wide = format!("{}\n{}\n", names.join(","), vec!["1"; names.len()].join(","));
    let csv = "csv f at \"f.csv\" from \"x.csv\" prompt \"<<f>>\" expect reply number count(f)";
    refuses(csv, &[("x.csv", wide.as_bytes())], "has more than 65,536 cells");

    // 300 MB of blanks in 300 KB.
    let mut bomb = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    bomb.start_file("xl/worksheets/sheet1.xml", packed()).expect("started");
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..300 {
        bomb.write_all(&blanks).expect("written");
    }
    let bomb = bomb.finish().expect("finished").into_inner();
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    refuses(XLSX, &[("x.xlsx", &bomb)], "unpacks to more than 256 MB");
}

/// 10 GB in 10 MB: fifty parts of 200 MB each.
#[test]
fn s17_a_workbook_of_10_gb_in_10_mb_is_refused() {
    let mut one = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    one.start_file("part", packed()).expect("started");
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..200 {
        one.write_all(&blanks).expect("written");
    }
    let mut one = ZipArchive::new(one.finish().expect("finished")).expect("an archive");
    let mut all = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for at in 0..50 {
        all.raw_copy_file_rename(one.by_index_raw(0).expect("a part"), format!("xl/media/{at}.xml")).expect("copied");
    }
    let all = all.finish().expect("finished").into_inner();
    assert!((9 << 20..12 << 20).contains(&all.len()), "{}", all.len());
    refuses(XLSX, &[("x.xlsx", &all)], "its parts unpack to more than 512 MB");
}

#[test]
fn s17_what_a_workbook_repeats_is_counted() {
    // 500 cells that share one text of a megabyte.
    let rows: String = (1..=500).map(|at| format!("<row r='{at}'><c r='A{at}' t='s'><v>0</v></c></row>")).collect();
    let text = format!("<si><t>{}</t></si>", "x".repeat(1 << 20));
    let shared = book_of(&[("S".to_owned(), rows)], Some(&text));
    let task = "xlsx f at \"f.xlsx\" from \"x.xlsx\" prompt \"<<f>>\" expect reply number count(f.S)";
    refuses(task, &[("x.xlsx", &shared)], "the texts of all cells have more than 256 MB");
    let mut many = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for at in 0..10_001 {
        many.start_file(format!("p{at}"), packed()).expect("started");
    }
    let many = many.finish().expect("finished").into_inner();
    refuses(XLSX, &[("x.xlsx", &many)], "has more than 10,000 parts");
}

/// calamine counts rows and columns with 32 bits, without looking whether they fit.
#[test]
fn a_reference_beyond_the_last_cell_is_refused() {
    let cell = |at: &str| format!("<row r='1'><c r='{at}' t='inlineStr'><is><t>r='ABCDE1' and more</t></is></c></row>");
    for at in ["A99999999999", "A4294967297", "ABCDEFGHIJK1", "XFDA1"] {
        let book = book_of(&[("S".to_owned(), cell(at))], None);
        refuses(XLSX, &[("x.xlsx", &book)], "refers to a cell that no sheet has");
    }
    let spread =
        format!("{}</sheetData><mergeCells><mergeCell ref='A1:B99999999999'/></mergeCells><sheetData>", cell("A1"));
    refuses(XLSX, &[("x.xlsx", &book_of(&[("S".to_owned(), spread)], None))], "refers to a cell that no sheet has");
    let last = book_of(&[("S".to_owned(), cell("XFD1048576"))], None);
    assert_eq!(tables::workbook::Book::open(&last).expect("a workbook").sheets(), ["S"]);
}

#[test]
fn s17_cells_and_values_are_counted() {
    let names: Vec<String> = (0..2000).map(|at| format!("C{at}")).collect();
    let csv = format!("{}\n{}", names.join(","), format!("{}\n", ",".repeat(1999)).repeat(5001));
    let task = "csv f at \"f.csv\" from \"x.csv\" prompt \"<<f>>\" expect reply number count(f)";
    refuses(task, &[("x.csv", csv.as_bytes())], "the table has more than 10,000,000 cells");
    let json = format!("[{}0]", "0,".repeat(4_000_000));
    let task = "json f at \"f.json\" from \"x.json\" prompt \"<<f>>\" expect reply number count(f)";
    refuses(task, &[("x.json", json.as_bytes())], "has more than 4,000,000 values");
    let task = "yaml f at \"f.yaml\" from \"x.yaml\" prompt \"<<f>>\" expect reply number count(f)";
    refuses(task, &[("x.yaml", json.as_bytes())], "4,000,000 values");
}

#[test]
fn s17_trees_that_are_deep_or_repeat_themselves_are_refused() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let task = |word: &str| format!("{word} f at \"f\" from \"x\" prompt \"<<f>>\" expect reply text \"y\"");
    refuses(&task("json"), &[("x", deep.as_bytes())], "nested more than 127 levels");
    refuses(&task("yaml"), &[("x", deep.as_bytes())], "nest less: 128 levels are read");
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        laughs += &format!("a{level}: &a{level} [{aliases}]\n");
    }
    refuses(&task("yaml"), &[("x", laughs.as_bytes())], "too large or too deep");
    // Entities of XML are never expanded, and as a text they stay what they are.
    let mut bomb = "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a0 \"lol\">".to_owned();
    for level in 1..12 {
        bomb += &format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    bomb += "]><l>&a11;</l>";
    refuses(&task("xml"), &[("x", bomb.as_bytes())], "document type with declarations");
    let task = "text f at \"f.xml\" from \"x\" prompt \"<<f>>\" expect reply text <<file_word: f, 1>>";
    assert_eq!(key(task, &[("x", bomb.as_bytes())]), json!("<?xml"));
}

/// The bytes of a database made by these statements.
pub fn database(sql: &str) -> Vec<u8> {
    let mut database = picardc::sqlite::Database::new_empty(&picardc::sqlite::TOOL).expect("opened");
    database.connection().execute_batch(sql).expect(sql);
    database.to_bytes().expect("serialized")
}

#[test]
fn s17_a_database_is_bounded_and_its_views_run_for_those_who_read_them() {
    let hostile = database(
        "CREATE TABLE n (X INT); CREATE TABLE good (X INT);
         INSERT INTO n WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 4000) SELECT i FROM r;
         INSERT INTO good VALUES (7);
         CREATE VIEW endless AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i FROM r) SELECT max(i) AS X FROM r;
         CREATE VIEW many AS SELECT a.X FROM n AS a, n AS b;
         CREATE VIEW long AS SELECT replace(hex(zeroblob(500000)), '0', '0123456789') AS X FROM n;
         CREATE VIEW itself AS SELECT * FROM itself;",
    );
    let task = |value: &str| format!("sqlite d at \"d.db\" from \"x.db\" prompt \"<<d>>\" expect reply number {value}");
    let files: [(&str, &[u8]); 1] = [("x.db", &hostile)];
    for (view, words) in [
        ("endless", "takes more than 500 million steps; does it end?"),
        ("many", "has more than 10,000,000 cells"),
        ("long", "has more than 268,435,456 bytes of text"),
        ("itself", "the view `itself` cannot be read: view itself is circularly defined"),
    ] {
        refuses(&task(&format!("count(d.{view})")), &files, words);
    }
    let (said, took) = bounded(&task("sum(d.good.X)"), &files);
    assert!(said.contains("no problems") || !said.contains("error["), "{said}");
    assert!(took < Duration::from_secs(3), "no view is run: {took:?}");
    assert_eq!(key(&task("coalesce(sum(d.good.X), 0)"), &files), json!(7));
    let tables: String = (0..2001).map(|at| format!("CREATE TABLE t{at} (A);")).collect();
    refuses(&task("1"), &[("x.db", &database(&tables))], "2001 tables and views, and may have 2000");
}

/// A file is read once in a process, however many tasks ask for it.
#[test]
fn d9_a_fixture_is_read_once() {
    let sqlite = picardc::sqlite::PreparedSchemas::default();
    let read_as = |format: Format, text: &str| {
        read_shared(&Layout::from_format(format), &Arc::from(text.as_bytes()), &sqlite).expect("read")
    };
    let read = |text: &str| read_as(Format::Csv, text);
    let (first, again, other) = (read("A\n1\n"), read("A\n1\n"), read("A\n2\n"));
    assert!(Arc::ptr_eq(&first, &again) && !Arc::ptr_eq(&first, &other));
    let tabs = read_as(Format::Tsv, "A\n1\n");
    assert!(!Arc::ptr_eq(&first, &tabs));
    // Its cells are read when they are asked for, once.
    let (Fixture::Table(first), Fixture::Table(again)) = (&*first, &*again) else { panic!("tables") };
    assert!(first.columns == ["A"] && first.get_if_read().is_none());
    assert!(Arc::ptr_eq(first.read_once(&sqlite), again.read_once(&sqlite)));
    assert_eq!(first.get_if_read().expect("read").rows, 1);
}

/// Nobody reads the cells of a table that is only copied, or of which only the text is read.
#[test]
fn d9_cells_that_nobody_asks_for_are_not_read() {
    for (value, is_read) in [("<<file_line: f, 2>>", false), ("\"<<count(f)>>\"", true), ("1", false)] {
        // Of a content that no other test reads.
        let file = format!("A,B\n1,{value}\n").replace(['"', '<'], "-").into_bytes();
        let task = format!("csv f at \"f.csv\" from \"x.csv\" prompt \"<<f>>\" expect reply json {{ v: {value} }}");
        assert!(testing::compile_with(&suite(&task), &[("x.csv", &file)]).plan.is_some(), "{value}");
        let sqlite = picardc::sqlite::PreparedSchemas::default();
        let read = read_shared(&Layout::from_format(Format::Csv), &Arc::from(&file[..]), &sqlite).expect("read");
        let Fixture::Table(table) = &*read else { panic!("a table") };
        assert_eq!(table.get_if_read().is_some(), is_read, "{value}");
    }
    let said =
        said("csv f at \"f.csv\" from \"x.csv\" prompt \"<<f>>\" expect reply text \"x\"", &[("x.csv", b"A,B\n1\n")]);
    assert!(!said.contains("error["), "{said}");
}
