//! Ten forms byte for byte, and what is lost in files.

use super::super::{LossReason, Quoting, Refusal, Unwritable, build_shape};
use super::*;
use crate::{Encoding, Skip, Until};

#[test]
fn ten_forms_byte_for_byte() {
    let rows = cells(&[&[Some("a b"), Some("1,5")], &[None, Some("")], &[Some("ä\"\n"), None]]);
    let two = || csv(&["X", "Y Z"]);
    let text = |pattern| lines(pattern, &[("X", CellType::Text), ("Y", CellType::Text)]);
    let short = cells(&[&[Some("a"), Some("b")], &[None, Some("ä")]]);
    for (dress, rows, bytes) in [
        (two(), &rows, "X,Y Z\na b,\"1,5\"\n,\"\"\n\"ä\"\"\n\",\n".as_bytes()),
        (
            TableLayout { delimiter: b';', quoted: true, crlf: true, ..two() },
            &rows,
            "\"X\";\"Y Z\"\r\n\"a b\";\"1,5\"\r\n;\"\"\r\n\"ä\"\"\n\";\r\n".as_bytes(),
        ),
        (
            TableLayout { bom: true, header: 0, above: Some("T\n".to_owned()), ..two() },
            &rows,
            "\u{feff}T,\n,\na b,\"1,5\"\n,\"\"\n\"ä\"\"\n\",\n".as_bytes(),
        ),
        (
            TableLayout { below: Some("\nSource: a, b".to_owned()), ..csv(&["N / A", "N / B"]) },
            &rows,
            "N / A,N / B\na b,\"1,5\"\n,\"\"\n\"ä\"\"\n\",\n,\n\"Source: a, b\",\n".as_bytes(),
        ),
        (TableLayout { header: 2, ..csv(&["N / A", "N / B"]) }, &short, "N,\nA,B\na,b\n,ä\n".as_bytes()),
        (
            TableLayout { header: 2, encoding: Encoding::Windows1252, ..csv(&["Day", "N / B, C"]) },
            &short,
            b",N\nDay,\"B, C\"\na,b\n,\xe4\n",
        ),
        (
            TableLayout {
                encoding: Encoding::Utf16Le,
                bom: true,
                ..TableLayout::new(Format::Tsv, vec!["X".to_owned(), "Y".to_owned()])
            },
            &short,
            b"\xff\xfeX\0\t\0Y\0\n\0a\0\t\0b\0\n\0\t\0\xe4\0\n\0",
        ),
        (
            TableLayout { encoding: Encoding::Utf16Be, header: 0, ..csv(&["X", "Y"]) },
            &short,
            b"\0a\0,\0b\0\n\0,\0\xe4\0\n",
        ),
        (
            TableLayout {
                above: Some("Log\n".to_owned()),
                below: Some("-- end --".to_owned()),
                ..text("<<Y>>:  <<X>>! ")
            },
            &short,
            "Log\n\nb:  a! \nä:  ! \n-- end --\n".as_bytes(),
        ),
        (
            TableLayout { crlf: true, bom: true, encoding: Encoding::Utf8, ..text("[<<X>>]<<Y>>") },
            &short,
            "\u{feff}[a]b\r\n[]ä\r\n".as_bytes(),
        ),
    ] {
        let bytes_written = written(&dress, rows).expect("a file");
        assert_eq!(bytes_written, bytes, "{dress:?}: {}", String::from_utf8_lossy(&bytes_written));
    }
    // A null or an empty text that is alone in its record does not make an empty line.
    let one = cells(&[&[None], &[Some("")]]);
    assert_eq!(written(&csv(&["X"]), &one).expect("a file"), b"X\n\"\"\n\"\"\n");
}

#[test]
fn cells_are_quoted_only_where_they_must_be() {
    let plain = Quoting { delimiter: b',', quoted: false };
    for (cell, written) in [
        ("a b", "a b"),
        ("a,b", "\"a,b\""),
        ("a\"b", "\"a\"\"b\""),
        ("a\nb", "\"a\nb\""),
        ("a\r", "\"a\r\""),
        ("ä", "ä"),
        ("", "\"\""),
    ] {
        let mut out = format!("x{cell}");
        plain.quote_text(1, &mut out);
        assert_eq!(out, format!("x{written}"));
        let mut out = cell.to_owned();
        Quoting { quoted: true, ..plain }.quote_text(0, &mut out);
        assert!(out.len() >= 2 && out.starts_with('"') && out.ends_with('"'), "{out}");
    }
    assert!(plain.can_leave_numbers() && !Quoting { delimiter: b'-', ..plain }.can_leave_numbers());
}

#[test]
fn the_reader_follows_from_the_form() {
    let dress = |above: Option<&str>, below: Option<&str>| TableLayout {
        above: above.map(str::to_owned),
        below: below.map(str::to_owned),
        ..csv(&["A"])
    };
    for (above, below, skip, until) in [
        (None, None, None, None),
        (Some("T"), Some(""), Some(1), Some(Until::Blank)),
        (Some("T\n\n"), Some("\nSource"), Some(3), Some(Until::Blank)),
        (Some(""), Some("Source: x\n2"), Some(1), Some(Until::Cell("Source: x".to_owned()))),
        (None, Some(" \t"), None, Some(Until::Blank)),
    ] {
        let shape = build_shape(&dress(above, below), &[Reading::from_type(CellType::Text)]);
        assert_eq!((shape.layout.skip, shape.layout.until), (skip.map(Skip::Records), until), "{above:?} {below:?}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_with_its_place() {
    let ascii = cells(&[&[Some("a"), Some("b")]]);
    let at = |row, column, why| Unwritable { row, column, why };
    let latin = |dress| TableLayout { encoding: Encoding::Windows1252, ..dress };
    let text = lines("<<A>> <<B>>", &[("A", CellType::Text), ("B", CellType::Text)]);
    let two = || csv(&["A", "B"]);
    let polish = cells(&[&[Some("ä"), Some("b")], &[Some("a"), Some("\"ł")]]);
    let broken = cells(&[&[Some("a"), Some("b\rc")]]);
    for (dress, rows, refused) in [
        (latin(two()), &polish, at(Some(1), Some(1), Refusal::Lacks('ł'))),
        (latin(text.clone()), &polish, at(Some(1), Some(1), Refusal::Lacks('ł'))),
        (latin(csv(&["A", "ł"])), &ascii, at(None, Some(1), Refusal::Lacks('ł'))),
        (TableLayout { above: Some("a\nł".to_owned()), ..latin(two()) }, &ascii, at(None, None, Refusal::Lacks('ł'))),
        (TableLayout { below: Some("ł".to_owned()), ..latin(two()) }, &ascii, at(None, None, Refusal::Lacks('ł'))),
        (TableLayout { bom: true, ..latin(two()) }, &ascii, at(None, None, Refusal::Lacks('\u{feff}'))),
        (text.clone(), &broken, at(Some(0), Some(1), Refusal::LineBreak)),
        (TableLayout { below: Some("a\rb".to_owned()), ..text.clone() }, &ascii, at(None, None, Refusal::LineBreak)),
        (TableLayout { line: None, ..text }, &ascii, at(None, None, Refusal::NoLine)),
        (TableLayout { header: 2, ..csv(&["N / A", "B"]) }, &ascii, at(None, Some(1), Refusal::Joins)),
        (csv(&["A"]), &ascii, at(Some(0), None, Refusal::Width(2))),
    ] {
        assert_eq!(written(&dress, rows), Err(refused), "{dress:?}");
    }
}

#[test]
fn what_a_reader_would_not_see_is_lost_and_said_where() {
    let exact = Folds::default();
    let one = || csv(&["A"]);
    let two = || csv(&["A", "B"]);
    let below = |text: &str, dress: TableLayout| TableLayout { below: Some(text.to_owned()), ..dress };
    let text = |pattern| lines(pattern, &[("A", CellType::Text), ("B", CellType::Text)]);
    let reads = |text: &str| LossReason::Reads(Value::from_text(text));
    for (dress, rows, lost) in [
        (two(), &[&[Some("a"), Some("b")][..], &[Some("a"), Some(" b")]][..], None),
        (two(), &[&[Some("a\n"), None]], None),
        (two(), &[&[Some(""), None]], Some((Some(0), Some(0), LossReason::Reads(Value::Null)))),
        (two(), &[&[Some("a\r\nb\"\""), Some("a;\nb")]], None),
        (two(), &[&[None, None], &[None, None]], None),
        (below("\nSource", one()), &[&[Some("a")], &[None], &[Some("b")]], Some((Some(1), None, LossReason::Unread))),
        (below("Source", one()), &[&[Some("a")], &[None], &[Some("b")]], None),
        (below("Source", one()), &[&[Some("a")], &[Some("Sources")]], Some((Some(1), None, LossReason::Unread))),
        (below("Source", two()), &[&[None, Some("Source")]], Some((Some(0), None, LossReason::Unread))),
        (two(), &[&[Some("a"), Some("b\0")]], Some((Some(0), Some(1), LossReason::Nul))),
        (TableLayout { header: 0, ..one() }, &[&[Some("\u{feff}a")]], Some((Some(0), Some(0), reads("a")))),
        (TableLayout { header: 0, bom: true, ..one() }, &[&[Some("\u{feff}a")]], None),
        (csv(&["A", "A "]), &[&[None, None]], Some((None, Some(1), LossReason::Header("A".to_owned())))),
        (
            TableLayout { header: 2, ..csv(&["A / ", "B / x"]) },
            &[&[None, None]],
            Some((None, Some(0), LossReason::Header("A".to_owned()))),
        ),
        (text("<<A>>: <<B>>"), &[&[Some("a"), Some("b: c")]], None),
        (text("<<A>>: <<B>>"), &[&[Some("a: b"), Some("c")]], Some((Some(0), Some(0), reads("a")))),
        (text("<<A>>"), &[&[Some("x"), None], &[Some(" x"), None]], Some((Some(1), None, LossReason::Unread))),
        (below("", text("<<A>>")), &[&[Some("x"), None], &[None, None]], Some((Some(1), None, LossReason::Unread))),
        (text("<<A>>"), &[&[Some("x"), Some("y")]], Some((Some(0), Some(1), LossReason::Reads(Value::Null)))),
    ] {
        let found = back(&dress, &cells(rows), exact).err().map(|lost| (lost.row, lost.column, lost.why));
        assert_eq!(found, lost, "{dress:?} {rows:?}");
    }
}

#[test]
fn a_text_that_is_not_a_table_is_dressed_too() {
    let dress = TableLayout { crlf: true, bom: true, ..TableLayout::new(Format::Text, Vec::new()) };
    assert_eq!(dress.render_text("a\nb\r\n\n").expect("a text"), "\u{feff}a\r\nb\r\n\r\n");
    let latin = TableLayout { encoding: Encoding::Iso8859_1, ..TableLayout::new(Format::Text, Vec::new()) };
    assert_eq!(latin.render_text("a\r\nä").expect("a text"), "a\r\nä");
    assert_eq!(latin.render_text("a€").map_err(|refused| refused.why), Err(Refusal::Lacks('€')));
}
