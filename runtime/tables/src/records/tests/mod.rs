//! What other readers say of random files, and what a layout makes of small ones.

mod krama;
mod typed;

use std::io::Write as _;
use std::process::{Command, Stdio};

use model::Format;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::*;
use crate::limits::{MAX_BYTES, MAX_CELL, MAX_CELLS, MAX_WIDTH};
use crate::{Skip, UnreadRegions, Until};

fn csv(change: impl FnOnce(&mut Layout)) -> Layout {
    let mut layout = Layout::from_format(Format::Csv);
    change(&mut layout);
    layout
}

fn ok<'t>(layout: &Layout, text: &'t str) -> Records<'t> {
    read_records(layout, "a.csv", text.as_bytes()).expect("records")
}

fn wrong(layout: &Layout, bytes: &[u8]) -> (u32, FaultKind) {
    let fault = read_records(layout, "a.csv", bytes).expect_err("a fault");
    (fault.line, fault.kind)
}

/// Rows as `number:line=a|b`.
fn rows(records: &Records<'_>) -> Vec<String> {
    let row = |row: &crate::Record<'_>| {
        let cells: Vec<_> = row.cells.iter().map(Raw::render_cell).collect();
        format!("{}:{}={}", row.number, row.line, cells.join("|"))
    };
    records.rows.iter().map(row).collect()
}

fn above_below(cut: &UnreadRegions) -> (u32, u32) {
    (cut.above.records, cut.below.records)
}

#[test]
fn cells_are_as_rfc_4180_has_them() {
    let read =
        ok(&csv(|_| ()), "a , b  c,\"d\"\"e\"\r\n 1 ,\"x,\ny\" ,2\" long\r\n\r\n\"\",,\r\"p\"\"\"\"q\",\"\"\"\",z");
    assert_eq!(read.header, ["a", "b c", "d\"e"]);
    assert_eq!(rows(&read), ["2:2= 1 |x,\ny |2\" long", "3:5=||", "4:6=p\"\"q|\"|z"]);
}

#[test]
fn an_empty_line_is_no_record_but_is_skipped_and_ends_the_rows() {
    let text = "Title\n\na,b\n1,2\n\n3,4\nSource: x\n";
    let read = ok(&csv(|layout| (layout.skip, layout.until) = (Some(Skip::Records(2)), Some(Until::Blank))), text);
    assert_eq!((rows(&read), above_below(&read.cut)), (vec!["3:4=1|2".to_owned()], (1, 2)));
    let read =
        ok(&csv(|layout| layout.skip = Some(Skip::Cell(" a ".to_owned()))), "Title\n\na,b\n1,2\n\n3,4\nSource: x,\n");
    assert_eq!(rows(&read), ["3:4=1|2", "4:6=3|4", "5:7=Source: x|"]);
    let until = Some(Until::Cell("Sou".to_owned()));
    let read = ok(&csv(|layout| (layout.skip, layout.until) = (Some(Skip::Records(1)), until)), text);
    assert_eq!((read.header.join("|").as_str(), read.header_line, read.rows.len()), ("a|b", 3, 2));
    let below = read.cut.below.shown.first().expect("a record");
    assert_eq!((below.line, below.text.as_str()), (7, "Source: x"));
    // A record of blank cells ends the rows as an empty line does.
    let read = ok(&csv(|layout| layout.until = Some(Until::Blank)), "a,b\n1,2\n , \n3,4");
    assert_eq!(rows(&read), ["2:2=1|2"]);
}

#[test]
fn a_region_that_is_not_there_is_a_fault() {
    let skip = |skip| csv(|layout| layout.skip = Some(skip));
    assert_eq!(wrong(&csv(|_| ()), b""), (0, FaultKind::Empty));
    assert_eq!(wrong(&csv(|_| ()), b"\n\n"), (0, FaultKind::Empty));
    assert_eq!(wrong(&skip(Skip::Records(3)), b"a\n\n"), (0, FaultKind::TooShort { skip: 3, records: 2 }));
    assert_eq!(wrong(&skip(Skip::Records(1)), b"a\n"), (0, FaultKind::TooShort { skip: 1, records: 1 }));
    let first = ["2024 Data Book".to_owned(), "Category, Rank 2".to_owned()];
    let cell = "Rank".to_owned();
    let text = b"2024 Data Book,\n,\nCategory,Rank 2\n";
    let (line, kind) = wrong(&skip(Skip::Cell(cell.clone())), text);
    let FaultKind::NoStart { cell: said, first: shown } = kind else { panic!("{kind:?}") };
    assert_eq!((line, said, shown), (0, cell, vec![first[0].clone(), String::new(), first[1].clone()]));
    let until = csv(|layout| layout.until = Some(Until::Cell("Total".to_owned())));
    assert_eq!(wrong(&until, b"Total\n1\n"), (0, FaultKind::NoEnd { cell: "Total".to_owned() }));
    // Without a header nothing need be there.
    assert_eq!(ok(&csv(|layout| layout.header = 0), "").rows, []);
}

#[test]
fn records_of_another_length() {
    let read = ok(&csv(|_| ()), "a,b\n1,\n1,2,, \n");
    assert_eq!(rows(&read), ["2:2=1|", "3:3=1|2"]);
    assert_eq!(wrong(&csv(|_| ()), b"a,b\n\n1\n"), (3, FaultKind::TooFew { cells: 1, header: 2 }));
    assert_eq!(wrong(&csv(|_| ()), b"a,b\n1,2\n1,2,,3,\n"), (3, FaultKind::TooLong { cells: 4, header: 2 }));
    let headless = csv(|layout| layout.header = 0);
    let read = ok(&headless, "1,2\n3,\n");
    assert_eq!((read.header.len(), rows(&read)), (2, vec!["1:1=1|2".to_owned(), "2:2=3|".to_owned()]));
    assert_eq!(wrong(&headless, b"1,2\n3\n"), (2, FaultKind::TooFew { cells: 1, header: 2 }));
    assert_eq!(wrong(&headless, b"1\n2,3"), (2, FaultKind::TooLong { cells: 2, header: 1 }));
}

#[test]
fn a_header_of_two_rows_is_filled_to_the_right() {
    let two = |skip| csv(|layout| (layout.header, layout.skip) = (2, skip));
    let text = ",North,,South  Bay,,\nDay,Tag,No,Tag,No,\n1,2,3,4,5,6\n";
    let names = ["Day", "North / Tag", "North / No", "South Bay / Tag", "South Bay / No", ""];
    let read = ok(&two(None), text);
    assert_eq!(
        (read.header.as_slice(), rows(&read)),
        (&names.map(str::to_owned)[..], vec!["3:3=1|2|3|4|5|6".to_owned()])
    );
    let below = format!("Title\n{text}");
    assert_eq!(ok(&two(Some(Skip::Cell("Day".to_owned()))), &below).header, names);
    assert_eq!(ok(&two(Some(Skip::Records(1))), &below).header, names);
    // An empty line is between the title and the lower row: it has no upper one.
    let read = ok(&two(Some(Skip::Cell("Day".to_owned()))), "Title\n\nDay,Tag\n1,2\n");
    assert_eq!((read.header.join("|").as_str(), read.cut.above.records), ("Day|Tag", 1));
    let read = ok(&two(Some(Skip::Cell("Day".to_owned()))), "Day,Tag\n1,2\n");
    assert_eq!((read.header.join("|").as_str(), read.rows.len()), ("Day|Tag", 1));
    assert_eq!(wrong(&two(None), b"a\n"), (0, FaultKind::TooShort { skip: 0, records: 1 }));
    // An upper name without a lower one is the name.
    assert_eq!(ok(&two(None), "Date,North,\n,a,b\n").header, ["Date", "North / a", "North / b"]);
}

#[test]
fn columns_are_asked_for_by_their_header() {
    let headers = ["a b", "", "x", "x", "X"].map(str::to_owned);
    assert_eq!(crate::header::find_header(&headers, "  a   b "), Ok(0));
    assert_eq!(crate::header::find_header(&headers, "X"), Ok(4));
    let twice = FaultKind::TwoHeaders { header: "x".to_owned(), positions: vec![3, 4] };
    assert_eq!(crate::header::find_header(&headers, "x"), Err(twice));
    assert!(matches!(crate::header::find_header(&headers, "y"), Err(FaultKind::NoHeader { .. })));
}

#[test]
fn broken_files_are_faults_with_their_line() {
    let plain = csv(|_| ());
    assert_eq!(wrong(&plain, b"a\n\"x\n\ny"), (2, FaultKind::OpenQuote));
    assert_eq!(wrong(&plain, b"a\n\"x\ny\"z"), (3, FaultKind::AfterQuote));
    assert_eq!(wrong(&plain, b"a\nb\0"), (2, FaultKind::Nul));
    // The others read the same text.
    let fitting = vec![Encoding::Windows1252];
    let kind = FaultKind::Undecodable { encoding: Encoding::Utf8, byte: 0xe9, before: "1,caf".to_owned(), fitting };
    assert_eq!(wrong(&plain, b"a,b\n1,caf\xe9"), (2, kind));
    let fitting = vec![Encoding::Windows1252, Encoding::Iso8859_15];
    let kind = FaultKind::Undecodable { encoding: Encoding::Utf8, byte: 0xa4, before: "1,".to_owned(), fitting };
    assert_eq!(wrong(&plain, b"a,b\n1,\xa4"), (2, kind));
    let latin = csv(|layout| layout.encoding = Encoding::Iso8859_1);
    let read = read_records(&latin, "a.csv", b"a,b\n1,caf\xe9").expect("records");
    assert_eq!(rows(&read), ["2:2=1|café"]);
}

#[test]
fn what_is_too_much_is_a_fault() {
    let plain = csv(|_| ());
    let wide = ",".repeat(100_000);
    assert_eq!(wrong(&plain, wide.as_bytes()), (1, FaultKind::TooMuch { of: SizeLimit::Columns, most: MAX_WIDTH }));
    let long = format!("a\n{}", "x".repeat(MAX_CELL + 1));
    assert_eq!(wrong(&plain, long.as_bytes()), (2, FaultKind::TooMuch { of: SizeLimit::Cell, most: MAX_CELL }));
    // Short records would become long ones.
    let bomb = format!("{}\n{}", ",".repeat(60_000), "1\n".repeat(1000));
    assert_eq!(wrong(&plain, bomb.as_bytes()), (0, FaultKind::TooMuch { of: SizeLimit::Cells, most: MAX_CELLS }));
    let large = vec![b'x'; MAX_BYTES + 1];
    assert_eq!(
        wrong(&Layout::from_format(Format::Text), &large),
        (0, FaultKind::TooMuch { of: SizeLimit::Bytes, most: MAX_BYTES })
    );
}

#[test]
fn lines_of_texts_keep_their_blanks() {
    let mut layout = Layout::from_format(Format::Text);
    (layout.skip, layout.until) = (Some(Skip::Cell("---".to_owned())), Some(Until::Cell("END".to_owned())));
    let read = ok(&layout, "head\r\n--- x\r\n  a \r\n\r\nb\rEND of it\n");
    assert_eq!(rows(&read), ["3:3=  a ", "4:4=", "5:5=b"]);
    assert_eq!(above_below(&read.cut), (2, 1));
    layout.until = Some(Until::Blank);
    assert_eq!(rows(&ok(&layout, "---\na\n \nb")), ["2:2=a"]);
    (layout.skip, layout.until) = (Some(Skip::Records(1)), None);
    assert_eq!(rows(&ok(&layout, "x\n\ny")), ["2:2=", "3:3=y"]);
    assert_eq!(ok(&Layout::from_format(Format::Text), "").rows, []);
}

/// Python's reader over each line of its input, which is a file in hexadecimal: the records, or why there are none.
const PYTHON: &str = r#"
import csv, io, json, sys
csv.field_size_limit(1 << 30)
for line in sys.stdin:
    text = bytes.fromhex(line.strip()).decode()
    try:
        print(json.dumps([r for r in csv.reader(io.StringIO(text, newline=''), strict=True)]))
    except csv.Error as error:
        print(json.dumps(str(error)))
"#;

#[test]
fn random_files_are_read_as_python_reads_them() {
    let piece =
        prop::sample::select(vec!["a", "é", "1", ",", ",", "\"", "\"", "\"\"", " ", "\n", "\r\n", "\r", "\n\n", "x y"]);
    let files = prop::collection::vec(prop::collection::vec(piece, 0..14), 4000);
    let files = files.new_tree(&mut TestRunner::deterministic()).expect("files").current();
    let files: Vec<String> = files.into_iter().map(|pieces| pieces.concat()).collect();
    let spawned = Command::new("python3").args(["-c", PYTHON]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = spawned else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let hex: String =
        files.iter().map(|file| file.bytes().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n").collect();
    let mut stdin = python.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || stdin.write_all(hex.as_bytes()));
    let output = python.wait_with_output().expect("python ends");
    writer.join().expect("no panic").expect("written");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let (mut same, mut both_refuse) = (0, 0);
    assert_eq!(said.lines().count(), files.len());
    for (file, said) in files.iter().zip(said.lines()) {
        let own = delimited::read_grid(file, b',');
        let theirs: serde_json::Value = serde_json::from_str(said).expect("JSON");
        match (&own, theirs.as_array()) {
            (Ok(grid), Some(theirs)) => {
                let mut all: Vec<Vec<String>> = Vec::new();
                for entry in &grid.entries {
                    all.extend((0..entry.gap).map(|_| Vec::new()));
                    all.push(entry.cells.iter().map(|cell| cell.render_cell().into_owned()).collect());
                }
                all.extend((0..grid.gap).map(|_| Vec::new()));
                assert_eq!(
                    serde_json::to_value(&all).expect("JSON"),
                    serde_json::Value::from(theirs.clone()),
                    "{file:?}"
                );
                same += 1;
            }
            (Err((_, FaultKind::OpenQuote | FaultKind::AfterQuote)), None) => both_refuse += 1,
            // Blanks after a closing quote, which Python refuses, are none of a cell.
            (Ok(_), None) => assert!(file.contains("\" "), "{file:?}: {theirs}"),
            (own, _) => panic!("{file:?}: {own:?}, {theirs}"),
        }
    }
    assert!(same > 1000 && both_refuse > 200, "{same} read, {both_refuse} refused");
}

proptest! {
    #[test]
    fn any_bytes_are_records_or_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..200), header in 0..3_u8) {
        for encoding in Encoding::ALL {
            for format in [Format::Csv, Format::Text] {
                let mut layout = Layout::from_format(format);
                (layout.encoding, layout.header) = (*encoding, header);
                if let Ok(read) = read_records(&layout, "a", &bytes) {
                    prop_assert!(read.rows.iter().all(|row| row.cells.len() == read.header.len()));
                    prop_assert!(read.rows.is_sorted_by_key(|row| row.line));
                }
            }
        }
    }
}
