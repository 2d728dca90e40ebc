//! How files of cells are written.

use testing::read_text;

use super::{codes, compile, instances};

const ROWS: &str = "rows 3 ID : serial NAME : one_of [\"a;b\", \"c d\"] NOTE : word blank 100%";
const TAIL: &str = "prompt \"<<h>>\" expect reply number count(h)";

fn csv(options: &str) -> String {
    format!("csv h at \"h.csv\" {options} {{ {ROWS} }} {TAIL}")
}

#[test]
fn options_stand_in_any_order_and_change_the_text_alone() {
    let plain: Vec<String> = instances(&csv("")).iter().map(|instance| read_text(instance, "h.csv")).collect();
    for (options, start, end, cells) in [
        ("delimiter \";\"", "ID;NAME;NOTE", "\n", ["1;\"a;b\";", "1;c d;"]),
        ("quoted", "\"ID\",\"NAME\",\"NOTE\"", "\n", ["\"1\",\"a;b\",", "\"1\",\"c d\","]),
        ("crlf bom", "\u{FEFF}ID,NAME,NOTE", "\r\n", ["1,a;b,", "1,c d,"]),
        (
            "bom quoted crlf delimiter \"\\t\"",
            "\u{FEFF}\"ID\"\t\"NAME\"\t\"NOTE\"",
            "\r\n",
            ["\"1\"\t\"a;b\"\t", "\"1\"\t\"c d\"\t"],
        ),
    ] {
        for (plain, instance) in plain.iter().zip(instances(&csv(options))) {
            let text = read_text(&instance, "h.csv");
            let lines: Vec<&str> = text.split(end).collect();
            assert_eq!(lines[0], start, "{options}");
            assert_eq!(lines.len(), 5, "{options}: {text:?}");
            let wanted = if plain.contains("\n1,a;b,") { cells[0] } else { cells[1] };
            assert_eq!(lines[1], wanted, "{options}");
        }
    }
}

#[test]
fn functions_see_cells_without_quotes_and_files_as_they_are() {
    let body = "csv h at \"h.csv\" delimiter \";\" quoted crlf bom { rows 2 A : one_of [\"x;y\"] } \
                prompt \"<<h>>\" expect reply json [csv_cell(h, 1, 1), csv_row(h, 2), <<file_line_count: h>>, <<content: h>>]";
    for instance in instances(body) {
        let answer = instance.expects[0].single_value().expect("a value").render_text().into_owned();
        assert!(answer.contains("x;y"), "{answer}");
        let model::Value::List(items) = instance.expects[0].single_value().expect("a value") else { panic!("a list") };
        assert!(items[0].is_same(&model::Value::from_text("x;y")));
        assert!(items[2].is_same(&model::Value::Int(3)));
        assert!(items[3].is_same(&model::Value::from_text("\u{feff}\"A\"\r\n\"x;y\"\r\n\"x;y\"\r\n")));
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    for (options, code) in [
        ("quoted quoted", "E0206"),
        ("delimiter \";\" bom delimiter \",\"", "E0206"),
        ("delimiter \"ab\"", "E0504"),
        ("delimiter \"\"", "E0504"),
        ("delimiter \"x\"", "E0504"),
        ("delimiter \"7\"", "E0504"),
        ("delimiter \"§\"", "E0504"),
        ("delimiter \"\\n\"", "E0504"),
        ("delimiter \"\\\"\"", "E0504"),
        ("quotd", "E0102"),
        ("delimeter \";\"", "E0102"),
        ("delimiter", "E0105"),
    ] {
        assert_eq!(codes(&csv(options)), [code], "{options}");
    }
    let tail = "prompt \"x\" expect reply text \"y\"";
    for (body, code) in [
        ("tsv h at \"h.tsv\" delimiter \";\" { rows 1 A : word }", "E0702"),
        ("text h at \"h.txt\" quoted : lorem lines 3", "E0702"),
        ("sqlite h at \"h.db\" quoted { table t { rows 1 A : word } }", "E0702"),
    ] {
        assert_eq!(codes(&format!("{body} {tail}")), [code], "{body}");
    }
    let twice = compile(&csv("quoted quoted")).diagnostics;
    assert_eq!(twice[0].secondary.len(), 1, "both places are shown");
}

#[test]
fn the_words_are_names_elsewhere() {
    let body = "quoted, crlf : distinct word bom = 3 csv delimiter at \"h.csv\" crlf { rows bom quoted : word bom : int 1..2 } \
                prompt \"<<delimiter>> <<quoted>> <<crlf>>\" expect reply number count(delimiter)";
    assert_eq!(codes(body), [""; 0]);
}
