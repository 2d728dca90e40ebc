//! Shares that the task says, tables with so many true rows, and texts in an encoding.

use model::Value;
use testing::{find_answer, read_text};

use super::{codes, compile, failure, instances};

const TAIL: &str = "prompt \"<<log>>\" expect reply number count(log where BAD)";

fn log(before: &str, rows: &str, domain: &str) -> String {
    format!("{before} csv log at \"log.csv\" {{ rows {rows} ID : serial BAD : {domain} }} {TAIL}")
}

fn counts(body: &str) -> Vec<i64> {
    let count = |value: &Value| value.as_decimal().and_then(model::Decimal::to_int).expect("a number");
    instances(body).iter().map(|instance| count(find_answer(instance))).collect()
}

#[test]
fn exactly_so_many_rows_are_true() {
    for (rows, count) in [("40", 7), ("40", 0), ("40", 40), ("600", 123), ("1", 1)] {
        let body = log("", rows, &format!("bool exactly {count}"));
        assert!(counts(&body).iter().all(|found| *found == count), "{count} of {rows}");
    }
    // Computed, drawn, and of an axis.
    let body = log("k : int 1..5", "20..30", "bool exactly k * 2 + 1");
    let found = counts(&body);
    assert!(found.iter().all(|count| [3, 5, 7, 9, 11].contains(count)), "{found:?}");
    assert!(found.iter().any(|count| *count != found[0]));
    // Sorted, the false ones come first.
    let text = read_text(&instances(&log("", "9", "sorted bool exactly 4"))[0], "log.csv");
    let cells: Vec<&str> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(cells, [["false"; 5].as_slice(), ["true"; 4].as_slice()].concat());
}

#[test]
fn each_row_is_as_likely_and_more_keep_those_before() {
    let rows_of = |count: usize| -> Vec<Vec<bool>> {
        let made = instances(&log("", "300", &format!("bool exactly {count}")));
        made.iter()
            .map(|it| read_text(it, "log.csv").lines().skip(1).map(|line| line.ends_with("true")).collect())
            .collect()
    };
    let (few, many) = (rows_of(30), rows_of(200));
    for (few, many) in few.iter().zip(&many) {
        assert!(few.iter().zip(many).all(|(few, many)| *many || !few));
    }
    let mut hits = vec![0; 300];
    many.iter().flat_map(|rows| rows.iter().enumerate()).filter(|(_, hit)| **hit).for_each(|(row, _)| hits[row] += 1);
    assert!(hits.iter().all(|hits| (12..=39).contains(hits)), "about 27 of 40 each: {hits:?}");
}

#[test]
fn a_file_of_another_table_has_so_many_true_rows_of_its_own() {
    let body = "table all { rows 50 ID : serial N : int 1..9 } \
        csv log at \"log.csv\" from all where N > 3 { Id = ID BAD : bool exactly 5 } \
        prompt \"<<log>>\" expect reply number count(log where BAD)";
    assert!(counts(body).iter().all(|count| *count == 5));
}

#[test]
fn mistakes_with_exactly_are_told() {
    for (body, code) in [
        (log("", "40", "bool exactly 50"), "E0402"),
        (log("", "40", "bool exactly -1"), "E0404"),
        (log("", "40", "bool exactly 5 blank 10%"), "E0404"),
        (log("", "40", "bool exactly 5 except true"), "E0404"),
        (log("", "40", "unique bool exactly 5"), "E0404"),
        (log("", "40", "bool mean 5"), "E0404"),
        (log("", "40", "bool exactly 5 exactly 6"), "E0206"),
        (log("", "40", "bool exactly \"a\""), "E0301"),
        ("a : bool exactly 3 prompt \"<<a>>\" expect reply text \"y\"".to_owned(), "E0404"),
    ] {
        assert_eq!(codes(&body), [code], "{body}");
    }
    let said = &compile(&log("", "40", "bool exactly 50")).diagnostics[0];
    assert_eq!(said.message, "`exactly 50` needs 50 rows, but `log` has 40");
    let said = failure(&log("k : int 40..99", "40", "bool exactly k"));
    assert!(said.contains("needs") && said.contains("rows, but the table has 40"), "{said}");
}

#[test]
fn a_share_by_name_draws_what_the_number_does() {
    let cells = |before: &str, domain: &str| -> Vec<String> {
        instances(&log(before, "60", domain)).iter().map(|instance| read_text(instance, "log.csv")).collect()
    };
    for domain in ["bool SHARE", "bool 40% blank SHARE"] {
        let fixed = cells("", &domain.replace("SHARE", "30%"));
        assert_eq!(cells("p = 3 * 10", &domain.replace("SHARE", "p%")), fixed);
        let drawn = cells("p : int 30..30", &domain.replace("SHARE", "p%"));
        assert_eq!(drawn, fixed);
    }
    // More leaves blank what was blank.
    let body = |share: i64| log(&format!("p = {share}"), "60", "bool 40% blank p%");
    let blanks = |share| -> Vec<Vec<bool>> {
        let made = instances(&body(share));
        made.iter()
            .map(|it| read_text(it, "log.csv").lines().skip(1).map(|line| line.ends_with(',')).collect())
            .collect()
    };
    for (less, more) in blanks(10).iter().zip(&blanks(60)) {
        assert!(less.iter().zip(more).all(|(less, more)| *more || !less));
        assert!(less.iter().filter(|blank| **blank).count() < more.iter().filter(|blank| **blank).count());
    }
    let axis = log("axis mess = { clean: 0, all: 100 }", "5", "bool blank mess%");
    let texts: Vec<String> = instances(&axis).iter().map(|instance| read_text(instance, "log.csv")).collect();
    assert!(texts.iter().any(|text| text.contains("true")) && texts.iter().any(|text| text.contains("5,\n")));
    for (before, domain, code) in [
        ("p : int 1..900", "bool p%", "E0404"),
        ("p : word", "bool p%", "E0301"),
        ("p : int 1..9 blank 5%", "bool blank p%", "E0303"),
    ] {
        assert_eq!(codes(&log(before, "5", domain)), [code], "{before} {domain}");
    }
}

#[test]
fn a_text_without_rows_is_written_in_its_encoding() {
    let tail = "prompt \"<<h>>\" expect reply json [file_line(h, 2), content(h)]";
    let body = |options: &str| format!("text h at \"h.txt\" {options} = \"caf\u{e9}\\nzwei\\u{{d}}\\ndrei\" {tail}");
    let bytes = |options: &str| instances(&body(options))[0].files[0].bytes.to_vec();
    let text = "caf\u{e9}\nzwei\r\ndrei";
    assert_eq!(bytes(""), text.as_bytes());
    assert_eq!(bytes("encoding \"windows-1252\""), b"caf\xe9\nzwei\r\ndrei");
    assert_eq!(bytes("crlf bom"), "\u{feff}caf\u{e9}\r\nzwei\r\ndrei".as_bytes());
    let wide: Vec<u8> = "\u{feff}caf\u{e9}\r\nzwei\r\ndrei".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(bytes("encoding \"utf-16be\" bom crlf"), wide);
    // What is asked of the file is asked of its text, which has the byte order mark and the line ends as they are written.
    let Value::List(asked) = find_answer(&instances(&body("encoding \"utf-16be\" bom crlf"))[0]).clone() else {
        panic!("a list")
    };
    assert_eq!(asked, [Value::from_text("zwei"), Value::from_text("\u{feff}caf\u{e9}\r\nzwei\r\ndrei")]);
    let drawn = format!("text h at \"h.txt\" crlf : lorem lines 3 {tail}");
    let drawn = &instances(&drawn)[0];
    assert_eq!(read_text(drawn, "h.txt").matches("\r\n").count(), read_text(drawn, "h.txt").matches('\n').count());
    // What is fixed is known when the suite is checked, what is drawn only then.
    let latin = "encoding \"iso-8859-1\"";
    assert_eq!(codes(&body(latin).replace('\u{e9}', "\u{142}")), ["E0510"]);
    let drawn = format!("k : one_of [\"\u{142}\", \"\u{144}\"] text h at \"h.txt\" {latin} = k {tail}");
    let said = failure(&drawn);
    assert!(said.contains("iso-8859-1 does not have `\u{142}`") || said.contains("have `\u{144}`"), "{said}");
    for (options, code) in
        [("encoding \"utf8\"", "E0307"), ("above \"x\"", "E0702"), (format!("bom {latin}").as_str(), "E0510")]
    {
        assert_eq!(codes(&body(options)), [code], "{options}");
    }
}
