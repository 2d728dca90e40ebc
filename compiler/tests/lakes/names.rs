//! What names say: endings of formats, and names that begin with a dot.

use model::format::{Format, Holds};
use testing::compile_with;

fn said(text: &str, files: &[(&str, &[u8])]) -> Vec<(&'static str, String)> {
    compile_with(text, files).diagnostics.iter().map(|said| (said.code.id, said.message.clone())).collect()
}

/// A file of a format, at a path.
fn file(format: Format, path: &str) -> String {
    let content = match format.holds {
        Holds::Cells(_) | Holds::Columns => "{ rows 2 A : int 1..9 }",
        Holds::Database | Holds::Tables => "{ table t { rows 2 A : int 1..9 } }",
        Holds::Tree => "{ a : int 1..9 }",
        Holds::Elements => "root { a : int 1..9 }",
        Holds::Text => "= \"some text\"",
        Holds::Page => "from \"p.html\"",
        Holds::Bytes => "from \"p.bin\"",
    };
    format!("{} f at \"{path}\" {content}", format.word())
}

/// Endings that are none of ours.
const OTHERS: [&str; 15] =
    ["tgz", "zip", "bz2", "xz", "zst", "arrow", "feather", "avro", "orc", "xls", "xlsm", "ods", "pdf", "png", "duckdb"];

/// V16: every format at every ending.
#[test]
fn a_name_that_says_another_format_is_an_error() {
    let files: [(&str, &[u8]); 2] = [("p.html", b"<table><tr><th>A<tr><td>1</table>"), ("p.bin", b"\0\x01")];
    let own: Vec<(&str, Option<Format>)> = Format::ALL
        .iter()
        .flat_map(|format| format.endings.iter().map(move |ending| (*ending, Some(*format))))
        .collect();
    let others = OTHERS.iter().map(|ending| (*ending, None));
    let all: Vec<(&str, Option<Format>)> = own.into_iter().chain(others).collect();
    let (mut right, mut wrong) = (0, 0);
    for format in Format::ALL {
        for (ending, of) in &all {
            let path = format!("data.{ending}");
            let declared = file(*format, &path);
            let text = format!(
                "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntask t {{\n  {declared}\n  prompt \"Which file is <<f>>?\"\n  expect reply text \"none\"\n}}\n"
            );
            let fits = match (format, of) {
                (Format::File, _) => true,
                (format, Some(of)) if format == of => true,
                (Format::Text, Some(of)) => of.text,
                (format, Some(Format::Text)) => format.text,
                _ => false,
            };
            let errors: Vec<(&str, String)> =
                said(&text, &files).into_iter().filter(|(code, _)| code.starts_with('E')).collect();
            if fits {
                assert_eq!(errors, [], "{text}");
                right += 1;
            } else {
                let [(code, message)] = errors.as_slice() else { panic!("{errors:?}\n{text}") };
                let last = ending.rsplit('.').next().expect("an ending");
                assert_eq!(
                    (*code, message.as_str()),
                    ("E0504", format!("`f` is {}, but its name ends in `.{last}`", format.noun).as_str())
                );
                wrong += 1;
            }
        }
    }
    assert!(right > 60 && wrong > 200, "{right} {wrong}");
}

#[test]
fn what_a_name_may_say_all_the_same() {
    let of = |declared: &str, files: &[(&str, &[u8])]| {
        let text = format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntask t {{\n  a : word\n  {declared}\n  prompt \"Which file is <<f>>, and what is <<a>>?\"\n  expect reply text \"none\"\n}}\n"
        );
        let errors = said(&text, files).into_iter().filter(|(code, _)| code.starts_with('E'));
        errors.map(|(code, message)| format!("{code} {message}")).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    // Tabs between its fields make a CSV file a TSV file; not the other way round.
    assert_eq!(of("csv f at \"a.tsv\" delimiter \"\\t\" { rows 2 A : int 1..9 }", &[]), none);
    assert_eq!(
        of("csv f at \"a.tsv\" { rows 2 A : int 1..9 }", &[]),
        ["E0504 `f` is a CSV file, but its name ends in `.tsv`"]
    );
    // An unknown ending, none, one of a folder, and one that a value may bring.
    for path in ["a.dat", "a", "b.arrow/a", "x.geojson.md", "<<a>>"] {
        assert_eq!(of(&format!("csv f at \"{path}\" {{ rows 2 A : int 1..9 }}"), &[]), none, "{path}");
    }
    assert_eq!(of("csv f at \"<<a>>.json\" { rows 2 A : int 1..9 }", &[]).len(), 1);
    assert_eq!(of("csv f at \"a.csv.gz\" from \"b.csv\"", &[("b.csv", b"A\n1\n")]).len(), 1);
    assert_eq!(of("file f at \"a.csv.gz\" from \"b.bin\"", &[("b.bin", b"\x1f\x8b")]), none);
    // Lines that begin as JSON does.
    let lines =
        |path: &str, line: &str| of(&format!("text f at \"{path}\" {{ rows 2 line \"{line}\" A : word }}"), &[]);
    let object = "{ \\\"a\\\": \\\"<<A>>\\\" }";
    for path in ["a.json", "a.jsonl", "a.NDJSON", "x/<<a>>.jsonl"] {
        assert_eq!(
            lines(path, object),
            ["E0504 the lines of `f` are not JSON where a text has a quote in it"],
            "{path}"
        );
        assert_eq!(lines(path, "[<<A>>]").len(), 1, "{path}");
        assert_eq!(lines(path, "<<A>>"), none, "{path}");
    }
    for path in ["a.txt", "a.log", "a.md"] {
        assert_eq!(lines(path, object), none, "{path}");
    }
}

/// X5: what is hidden stays out, and is counted once for a lake.
#[test]
fn names_with_a_dot_are_left_out_of_a_lake_and_counted_once() {
    let suite = |settings: &str| {
        format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 {settings} }}\nlake d from \"d\" {{ csv t from \"*.csv\" {{ A : int }} csv all from \"**/*.csv\" {{ A : int }} }}\ntask t {{\n  lake d\n  prompt \"What is the sum of A in <<d>>? Reply with the number only.\"\n  expect reply number sum(d.t.A) + 0 * count(d.all)\n}}\ntask u {{\n  lake d\n  prompt \"What is the highest A in <<d>>? Reply with the number only.\"\n  expect reply number max(d.t.A)\n}}\n"
        )
    };
    let visible: &[(&str, &[u8])] = &[("d/a.csv", b"A\n1\n"), ("d/x/b.csv", b"A\n2\n")];
    let hidden: &[(&str, &[u8])] = &[
        ("d/.env", b"KEY=1"),
        ("d/.git/config", b"x"),
        ("d/.git/objects/1", b"x"),
        ("d/x/.hidden.csv", b"A\n9\n"),
        ("d/x/.y/z/c.csv", b"A\n9\n"),
    ];
    let own = |settings: &str, files: &[(&str, &[u8])]| {
        let compiled = compile_with(&suite(settings), files);
        let own = compiled.diagnostics.iter().filter(|said| {
            said.code.name == "left_out" || said.code.id.starts_with('E') || said.code.name == "unused_allow"
        });
        let own: Vec<String> = own
            .map(|said| {
                let notes: Vec<&str> = said.iter_notes().map(|(_, text)| text).collect();
                format!("{} {} / {}", said.code.id, said.message, notes.first().copied().unwrap_or_default())
            })
            .collect();
        own
    };
    assert_eq!(own("", visible), [""; 0]);
    let all = [visible, hidden].concat();
    assert_eq!(
        own("", &all),
        [
            "W0410 4 files and folders of `d` are not in the lake / left out: `.env`, `.git`, `x/.hidden.csv`, and `x/.y`"
        ]
    );
    let one = [visible, &hidden[..1]].concat();
    assert_eq!(own("", &one), ["W0410 1 file or folder of `d` is not in the lake / left out: `.env`"]);
    assert_eq!(own("allow left_out \"no question is about the history\"", &all), [""; 0]);
    assert_eq!(own("allow left_out \"none\"", visible).len(), 1, "an `allow` without effect");
    // Views do not match them.
    let compiled = testing::keep_errors(compile_with(&suite(""), &all));
    let instances = testing::expect_instances(&compiled);
    assert_eq!(testing::find_answer(&instances[0]).render_text(), "1");
}
