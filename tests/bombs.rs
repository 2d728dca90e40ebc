//! Files of lakes that take too much, say what is not so, or are not files: each is told clearly, in bounded memory and time, and nothing
//! panics. What is said of each is in the snapshot.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Cursor, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use testing::{CommandOutput, create_folder, find_program};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// How much memory a program may ask for, in kB.
const MEMORY: u32 = 3_000_000;
/// How long it may take, on a machine that does other things too.
const TIME: Duration = Duration::from_secs(240);

/// A suite with a lake of these views.
fn suite(views: &str) -> String {
    format!(
        "suite bombs {{ title \"Bombs\" version \"1.0.0\" }}\n\nlake data from \"lake\" {{\n  {views}\n}}\n\n\
         task t {{\n  prompt \"Reply with one.\"\n  expect reply number 1\n}}\n"
    )
}

/// A folder with the suite and an empty lake.
fn home(views: &str) -> tempfile::TempDir {
    let home = create_folder(&[("s.pcd", &suite(views))]);
    fs::create_dir(home.path().join("lake")).expect("made");
    home
}

/// `picardc` in bounded memory and time. It ends by itself, and without a panic.
fn bounded(home: &Path, arguments: &str) -> CommandOutput {
    let begun = Instant::now();
    let run = format!("ulimit -v {MEMORY}; exec '{}' {arguments}", find_program().display());
    let ran = CommandOutput::from(Command::new("sh").args(["-c", &run]).current_dir(home).output().expect("started"));
    assert!(ran.status.code().is_some_and(|code| code <= 2), "{arguments}: {:?}: {}", ran.status, ran.join_output());
    assert!(!ran.join_output().contains("panicked"), "{}", ran.join_output());
    assert!(begun.elapsed() < TIME, "{arguments}: {:?}", begun.elapsed());
    ran
}

/// The errors that `check` reports of a lake with one file, a line each.
fn errors(home: &Path) -> String {
    let said = bounded(home, "check s.pcd --format short").join_output();
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).collect();
    errors.join("\n")
}

/// A workbook whose one sheet is this, and its other parts.
fn book(sheet: &[u8], times: usize) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let link = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns='{PACKAGE}'><Relationship Id='r1' Type='{LINKS}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let list = "<sheet name='S' sheetId='1' r:id='r1'/>";
    let parts = [
        ("_rels/.rels", link("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", format!("<workbook xmlns='{MAIN}' xmlns:r='{LINKS}'><sheets>{list}</sheets></workbook>")),
        ("xl/_rels/workbook.xml.rels", link("worksheet", "worksheets/sheet1.xml")),
    ];
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, packed).expect("started");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.start_file("xl/worksheets/sheet1.xml", packed).expect("started");
    for _ in 0..times {
        archive.write_all(sheet).expect("written");
    }
    archive.finish().expect("finished").into_inner()
}

fn replaced(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
}

/// Name, view, and content of each file.
fn bombs() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let csv = "csv v from \"x\" { A : text }";
    let json = "json v from \"x\" at \"$\" { A : int }";
    let yaml = "yaml v from \"x\" at \"$\" { A : int }";
    let xlsx = "xlsx v from \"x\" { A : text }";
    let header = |count: usize| (0..count).map(|at| format!("A{at}")).collect::<Vec<_>>().join(",");
    let text = |text: String| text.into_bytes();
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..40 {
        let name = format!("*a{}, ", at - 1).repeat(9);
        writeln!(laughs, "a{at}: &a{at} [{}]", name.trim_end_matches(", ")).expect("written");
    }
    let xml = "xml v from \"x\" { A : text }";
    let html = "html v from \"x\" { A : text }";
    let mut entities = "<!DOCTYPE a [<!ENTITY e0 \"x\">".to_owned();
    for at in 1..40 {
        writeln!(entities, "<!ENTITY e{at} \"{}\">", format!("&e{};", at - 1).repeat(9)).expect("written");
    }
    entities.push_str("]><a><b>&e39;</b></a>");
    // A path is as long as the names in it: one for each element would be gigabytes.
    let long: Vec<String> = (0..10).map(|at| format!("{at:x>200}").replacen('x', "n", 1)).collect();
    let open: String = long.iter().map(|name| format!("<{name}>")).collect();
    let close: String = long.iter().rev().map(|name| format!("</{name}>")).collect();
    let deep = text(format!("{open}<y/>{}{close}", "<x/>".repeat(2_000_000)));
    // So is the header of a column: written once, not for each element that has it.
    let long: Vec<String> = (0..100).map(|at| format!("{at:x>200}").replacen('x', "n", 1)).collect();
    let open: String = long.iter().map(|name| format!("<{name}>")).collect();
    let close: String = long.iter().rev().map(|name| format!("</{name}>")).collect();
    let row = format!("<rows>{open}{}{close}</rows>", "<y/>".repeat(1_000_000));
    let spans = "<tr><td colspan=1000 rowspan=65534>x</tr>".repeat(2_000);
    let spans = format!("<table>{spans}</table>");
    let sound = book(b"<worksheet><sheetData/></worksheet>", 1);
    // The directory names a part as another archive does: where it is, and how large, is not so.
    let (mut lying, mut short) = (sound.clone(), sound.clone());
    let directory = lying.windows(4).position(|four| four == b"PK\x01\x02").expect("a directory");
    lying[directory + 24..directory + 28].copy_from_slice(&u32::MAX.to_le_bytes());
    let end = short.len() - 22;
    short[end + 16..end + 20].copy_from_slice(&0xFFFF_FF00_u32.to_le_bytes());
    let mut twice = sound.clone();
    replaced(&mut twice, b"xl/_rels/workbook.xml.rels", b"xl/worksheets/sheet1.xml/x");
    vec![
        ("a cell of 17 MB", csv, text(format!("A\n{}\n", "x".repeat(17 << 20)))),
        ("100,000 columns", csv, text(format!("{}\n", header(100_000)))),
        ("eleven million cells", csv, text(format!("A\n{}", "1\n".repeat(11_000_000)))),
        ("short records under a long header", csv, text(format!("A,{}\n{}", header(60_000), "1\n".repeat(1000)))),
        (
            "columns that become 24 million cells",
            "csv v from \"x\" { A : text  unpivot N, V : text from \"A0\"..\"A19999\" }",
            text(format!("A,{}\n{}", header(20_000), format!("{}\n", ",".repeat(20_000)).repeat(400))),
        ),
        ("a quote that is never closed", csv, text(format!("A\n\"{}\n", "x\n".repeat(100_000)))),
        ("text after a quote", csv, b"A\n\"x\"y\n".to_vec()),
        ("a NUL", csv, b"A\nx\0y\n".to_vec()),
        ("not UTF-8", csv, b"A\ncaf\xe9\n".to_vec()),
        ("UTF-16 of odd length", "csv v from \"x\" encoding \"utf-16le\" { A : text }", b"A\0\n\0x\0\n\0x".to_vec()),
        ("half a character", "csv v from \"x\" encoding \"utf-16be\" { A : text }", b"\0A\0\n\xd8\0\0\n".to_vec()),
        ("not windows-1252", "csv v from \"x\" encoding \"windows-1252\" { A : text }", b"A\n\x81\n".to_vec()),
        ("JSON of a million levels", json, vec![b'['; 1_000_000]),
        ("JSON of five million values", json, text(format!("[{}1]", "1,".repeat(5_000_000)))),
        ("YAML of 100,000 levels", yaml, vec![b'['; 100_000]),
        ("YAML whose aliases are 9^40 values", yaml, text(laughs)),
        ("XML of 200 levels", xml, text(format!("{}{}", "<a>".repeat(200), "</a>".repeat(200)))),
        ("XML of five million elements", xml, text(format!("<a>{}</a>", "<b/>".repeat(5_000_000)))),
        ("XML whose entities are 9^40 texts", xml, text(entities)),
        ("two million elements at a path of 2,000 letters", "xml v from \"x\" at \"/none\" { A : text }", deep.clone()),
        ("the same without a path", xml, deep),
        ("a row of a million elements at a path of 20,000 letters", xml, text(row)),
        ("HTML whose cells span 1,000 columns and 65,534 rows", html, text(spans)),
        ("HTML of 100,000 tables inside each other", html, text("<table><tr><td>".repeat(100_000))),
        ("HTML of a million open elements", html, text("<b>".repeat(1_000_000))),
        ("HTML of a million tables", html, text("<table><tr><td>x</table>".repeat(1_000_000))),
        ("a sheet of 300 MB", xlsx, book(&vec![b' '; 1 << 20], 300)),
        ("a part that is 4 GB by the directory", xlsx, lying),
        ("a directory that is elsewhere", xlsx, short),
        ("a part that is missing", xlsx, twice),
        ("half a workbook", xlsx, sound[..sound.len() / 2].to_vec()),
        ("not a workbook", xlsx, vec![b'P'; 100_000]),
    ]
}

#[test]
fn files_that_are_too_much_or_are_not_what_they_say() {
    let mut all = String::new();
    for (name, view, content) in bombs() {
        let home = home(view);
        fs::write(home.path().join("lake/x"), content).expect("written");
        let said = errors(home.path());
        assert!(!said.is_empty(), "{name} is taken");
        writeln!(all, "{name}\n  {}", said.replace('\n', "\n  ")).expect("written");
    }
    insta::assert_snapshot!("what_is_said_of_bombs", all);
}

#[test]
fn files_of_5_gb_that_take_no_place() {
    let mut all = String::new();
    for view in [
        "csv v from \"x\" { A : text }",
        "text v from \"x\" { L : text from 1..3 }",
        "json v from \"x\" at \"$\" { A : int }",
        "xlsx v from \"x\" { A : text }",
    ] {
        let home = home(view);
        File::create(home.path().join("lake/x")).and_then(|file| file.set_len(5 << 30)).expect("made");
        writeln!(all, "{}", errors(home.path())).expect("written");
    }
    insta::assert_snapshot!("what_is_said_of_5_gb", all);
}

#[test]
fn what_is_not_a_file_is_not_opened() {
    type Make = fn(&Path);
    let made: [(&str, Make); 4] = [
        ("a pipe", |at| assert!(Command::new("mkfifo").arg(at).status().expect("mkfifo").success())),
        ("a socket", |at| drop(UnixListener::bind(at).expect("bound"))),
        ("a link", |at| symlink("../s.pcd", at).expect("linked")),
        ("a link to itself", |at| symlink(at, at).expect("linked")),
    ];
    let mut all = String::new();
    for (name, make) in made {
        let home = home("csv v from \"*\" { A : text }");
        make(&home.path().join("lake/x"));
        let said = errors(home.path());
        assert!(!said.is_empty(), "{name} is taken");
        writeln!(all, "{name}\n  {said}").expect("written");
    }
    insta::assert_snapshot!("what_is_said_of_no_files", all);
}

#[test]
fn ten_thousand_files_are_one_view() {
    let home = home("csv v from \"**/*.csv\" { A : int  FILE = file.stem  key (FILE, A) }");
    for number in 0..10_000 {
        let folder = home.path().join(format!("lake/{}", number % 100));
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join(format!("{number}.csv")), format!("A\n{number}\n")).expect("written");
    }
    assert_eq!(errors(home.path()), "");
    fs::write(home.path().join("lake/7/7.csv"), "B\n7\n").expect("written");
    let said = errors(home.path());
    assert!(said.contains("E0508") && said.contains("7/7.csv"), "{said}");
}

/// A file is as long as it was when it was looked at, or it is told; what was half written is told too.
#[test]
fn files_that_change_while_they_are_read() {
    let home = home("csv v from \"x.csv\" { A : int }");
    let path = home.path().join("lake/x.csv");
    let row = "123456789\n";
    fs::write(&path, format!("A\n{}", row.repeat(1000))).expect("written");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut rows = 1;
            while !done.load(Ordering::Relaxed) {
                rows = rows * 7 % 99_991;
                fs::write(&path, format!("A\n{}", row.repeat(rows))).expect("written");
            }
        });
        for _ in 0..5 {
            let said = errors(home.path());
            let known = ["E0211", "E0505", "E0506", "E0507", "E0508"];
            assert!(said.lines().all(|line| known.iter().any(|code| line.contains(code))), "{said}");
        }
        done.store(true, Ordering::Relaxed);
    });
}
