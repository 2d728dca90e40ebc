//! What is read of existing files: XML by XPaths, numbers that are doubles, datetimes; and what is said of files and queries over them.

use compiler::Compiled;
use plan::Value;
use testing::compile_with;

const FEED: &str = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<feed xmlns:t='urn:t' made='2024-05-01'>\n  \
     <item id='1'><name>Ren\u{e9}</name><price>1.50</price><on/></item>\n  \
     <item id='2'><name> B&amp;b </name><price>12</price><on>2024-02-29</on><t:tag>x</t:tag></item>\n\
     </feed>\n";

/// FEED in its encoding: all of its characters are those of ISO-8859-1.
fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("ISO-8859-1")).collect()
}

fn compiled(value: &str, feed: &[u8]) -> Compiled {
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntask t {{\n  xml feed at \"feed.xml\" from \"feed.xml\"\n  \
         prompt \"What is in <<feed>>? Reply with it only.\"\n  expect reply json {{ it: {value} }}\n}}\n"
    );
    testing::errors(compile_with(&text, &[("feed.xml", feed)]))
}

#[track_caller]
fn answer(value: &str) -> String {
    let compiled = compiled(value, &latin(FEED));
    assert!(compiled.diagnostics.is_empty(), "{value}: {:#?}", compiled.diagnostics);
    match testing::answer(&testing::instances(&compiled)[0]) {
        Value::Object(fields) => match &fields[0].1 {
            Value::List(items) => items.iter().map(|item| item.render().into_owned()).collect::<Vec<_>>().join("|"),
            single => single.render().into_owned(),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_function_reads_a_fixture() {
    for (value, is) in [
        ("<<xpath_count: feed, //item>>", "2"),
        ("<<xpath_exists: feed, /feed/item[t:tag]>>", "true"),
        ("<<xpath_value: feed, /feed/item[1]/name>>", "Ren\u{e9}"),
        ("<<xpath_value: feed, (//name)[last()]>>", " B&b "),
        ("<<xpath_value: feed, count(//price[. > 10])>>", "1"),
        ("<<xpath_attr: feed, /feed/@made>>", "2024-05-01"),
        ("<<xpath_sum: feed, //price>>", "13.50"),
        ("<<xpath_max: feed, /feed/item/@id>>", "2"),
        ("<<xpath_collect: feed, //price>>", "1.50|12.00"),
        ("<<xpath_collect: feed, //t:tag>>", "x"),
        // Typed as all that is at the place: a date, which is missing once.
        ("coalesce(<<xpath_value: feed, /feed/item[1]/on>>, 1999-01-01)", "1999-01-01"),
        ("year(coalesce(<<xpath_value: feed, /feed/item[2]/on>>, 1999-01-01))", "2024"),
        ("<<xpath_attr: feed, /feed/item[1]/@id>> + 1", "2"),
        // The rows are there too.
        ("<<value: SELECT SUM(price) FROM feed>> + <<xpath_count: feed, //item>>", "15.50"),
    ] {
        assert_eq!(answer(value), is, "{value}");
    }
}

#[test]
fn a_path_that_leads_nowhere_in_a_fixture_is_told() {
    let said = |value: &str, feed: &[u8]| -> Vec<String> {
        let one = |said: &compiler::diagnostics::Diagnostic| format!("{} {}", said.code.id, said.message);
        compiled(value, feed).diagnostics.iter().map(one).collect()
    };
    let of_feed = |value: &str| said(value, &latin(FEED));
    assert_eq!(of_feed("<<xpath_count: feed, /feed/itm>>"), ["E0610 element `itm` does not exist here"]);
    assert_eq!(of_feed("<<xpath_count: feed, /feed/item[3]>>").len(), 1);
    assert_eq!(
        of_feed("<<xpath_value: feed, //name>>"),
        ["E0611 the path can match several values, but `xpath_value` needs one"]
    );
    assert_eq!(
        of_feed("<<xpath_sum: feed, //name>>"),
        ["E0611 `xpath_sum` needs numbers, but the path leads to a text"]
    );
    assert_eq!(
        said("<<xpath_count: feed, //a>>", b"<a><t:b/><t:b/></a>"),
        ["E0505 `feed.xml` cannot be read: line 1 uses the prefix `t`, which is not declared"]
    );
    // What is wrong with the file as a whole is said once.
    let broken = said("<<xpath_count: feed, //a>>", b"<a><b></a>");
    assert_eq!(broken.len(), 1, "{broken:?}");
}

/// What is said of a view of a JSON file without columns, and the type of its column `N`.
#[test]
fn numbers_with_more_digits_than_a_double_keeps_are_floats() {
    let answer = |numbers: &str, value: &str| {
        let text = format!(
            "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntable t from \"t.json\" at \"$.rows\"\ntask a {{\n  \
             prompt \"What is it? Reply with it only.\"\n  expect reply number {value} within 1e-9\n}}\n"
        );
        let compiled = testing::errors(compile_with(&text, &[("t.json", numbers.as_bytes())]));
        assert!(compiled.diagnostics.is_empty(), "{numbers}: {:#?}", compiled.diagnostics);
        testing::answer(&testing::instances(&compiled)[0]).clone()
    };
    let noisy = "{\"rows\": [{\"N\": 0.30000000000000004}, {\"N\": 12345678901234.5}, {\"N\": 0.1}]}";
    let sum = answer(noisy, "<<value: SELECT SUM(N) FROM t>>");
    assert!(matches!(sum, Value::Float(sum) if (sum - 12_345_678_901_234.9).abs() < 1e-2), "{sum:?}");
    assert!(matches!(answer(noisy, "max(t.N)"), Value::Float(_)));
    let exact = "{\"rows\": [{\"N\": 0.25}, {\"N\": 1234567890123.5}, {\"N\": 7}]}";
    assert!(matches!(answer(exact, "max(t.N)"), Value::Decimal(_)));
}

/// What is said of a task that reads a table `t` of a file.
fn said(table: &str, answer: &str, file: (&str, &str)) -> Vec<String> {
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\n{table}\ntask a {{\n  \
         prompt \"What is it? Reply with it only.\"\n  expect reply {answer}\n}}\n"
    );
    let one = |said: &compiler::diagnostics::Diagnostic| {
        let notes: Vec<&str> = said.notes().map(|(_, text)| text).collect();
        format!("{} {} / {}", said.code.id, said.message, notes.join(" / "))
    };
    compile_with(&text, &[(file.0, file.1.as_bytes())]).diagnostics.iter().map(one).collect()
}

#[test]
fn records_of_texts_are_lines() {
    let of =
        |options: &str| said(&format!("table t from \"a.txt\" {options}"), "number count(t)", ("a.txt", "one\ntwo\n"));
    for (options, words) in [
        ("skip \"tw0\"", "E0506 no line of `a.txt` starts with `tw0`"),
        ("until \"thr\"", "E0506 no line of `a.txt` starts with `thr`"),
        ("skip 3", "E0506 `a.txt` has only 2 lines"),
    ] {
        let said = of(options);
        assert!(said.iter().any(|said| said.starts_with(words) && !said.contains("record")), "{options}: {said:?}");
    }
}

#[test]
fn rows_that_are_read_are_ordered_by_their_key() {
    const FILE: (&str, &str) = ("a.csv", "AREA,PART,N\nx,1,5\ny,1,6\n");
    let list = "list <<list: SELECT N FROM t>> ordered";
    let limit = "number coalesce(<<value: SELECT N FROM t WHERE N > 1 LIMIT 1>>, 0)";
    let tied = "number coalesce(<<value: SELECT N FROM t ORDER BY PART LIMIT 1>>, 0)";
    // No column of these is unique.
    const PAIRS: (&str, &str) = ("a.csv", "AREA,PART,N\nx,1,5\ny,1,5\nx,2,5\n");
    let ordered = |keys: &str, answer: &str| {
        let table = format!("table t from \"a.csv\" {{ AREA : text  PART : int  N : int  {keys} }}");
        let said = said(&table, answer, if keys == "key (AREA)" { FILE } else { PAIRS });
        let found = said.iter().find(|said| said.starts_with("W0303") || said.starts_with("W0304"));
        found.unwrap_or_else(|| panic!("{said:?}")).clone()
    };
    for answer in [list, limit] {
        assert!(ordered("key (AREA)", answer).contains("`ORDER BY AREA`"), "{answer}");
        assert!(ordered("key (AREA, PART)", answer).contains("`ORDER BY AREA, PART`"), "{answer}");
        assert!(!ordered("", answer).contains("rowid"), "{answer}");
    }
    assert!(ordered("key (AREA, PART)", tied).contains("`…, AREA, PART`"));
    assert!(!ordered("", tied).contains("rowid"));
    // SQLite's own number is refused.
    let by_row = said("table t from \"a.csv\"", "list <<list: SELECT N FROM t ORDER BY rowid>> ordered", FILE);
    assert!(by_row.iter().any(|said| said.starts_with("E0203")), "{by_row:?}");
}

#[test]
fn datetimes_have_whole_seconds() {
    let of = |at: &str| {
        let file = format!("AT\n{at}\n");
        said("table t from \"a.csv\" { AT : datetime }", "number hour(max(t.AT))", ("a.csv", &file))
    };
    assert_eq!(of("2024-05-01T10:00:00.000"), [""; 0]);
    assert_eq!(of("2024-05-01 10:00"), [""; 0]);
    let said = of("2024-05-01T10:00:00.250");
    assert!(said[0].contains("a datetime has whole seconds") && said[0].contains("read `AT` as text"), "{said:?}");
    assert!(of("2024-05-01T10:00:00.x")[0].starts_with("E0507"));
}
