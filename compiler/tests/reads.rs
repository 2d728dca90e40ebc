//! What is read of existing files: XML by XPaths, numbers that are doubles, datetimes; and what is said of files and queries over them.

use compiler::Compiled;
use model::Value;
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
    testing::keep_errors(compile_with(&text, &[("feed.xml", feed)]))
}

#[track_caller]
fn answer(value: &str) -> String {
    let compiled = compiled(value, &latin(FEED));
    assert!(compiled.diagnostics.is_empty(), "{value}: {:#?}", compiled.diagnostics);
    match testing::find_answer(&testing::expect_instances(&compiled)[0]) {
        Value::Object(fields) => match &fields[0].1 {
            Value::List(items) => {
                items.iter().map(|item| item.render_text().into_owned()).collect::<Vec<_>>().join("|")
            }
            single => single.render_text().into_owned(),
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
        let compiled = testing::keep_errors(compile_with(&text, &[("t.json", numbers.as_bytes())]));
        assert!(compiled.diagnostics.is_empty(), "{numbers}: {:#?}", compiled.diagnostics);
        testing::find_answer(&testing::expect_instances(&compiled)[0]).clone()
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
        let notes: Vec<&str> = said.iter_notes().map(|(_, text)| text).collect();
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

/// A database made by these statements; in its bytes, some texts are replaced by others of the same length.
fn database(sql: &str, replaced: &[(&str, &str)]) -> Vec<u8> {
    sqlite::init_process().expect("started");
    let mut connection = rusqlite::Connection::open_in_memory().expect("opened");
    connection.execute_batch(sql).expect(sql);
    let mut bytes = connection.serialize("main").expect("serialized").to_vec();
    for (from, to) in replaced {
        assert_eq!(from.len(), to.len());
        let places: Vec<usize> = bytes
            .windows(from.len())
            .enumerate()
            .filter(|(_, part)| *part == from.as_bytes())
            .map(|(at, _)| at)
            .collect();
        for at in places {
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        }
    }
    bytes
}

/// What is said of a task over a database, and its answer.
fn of_database(answer: &str, bytes: &[u8]) -> (Vec<String>, Option<String>) {
    let text = format!(
        "suite s {{ title \"S\" version \"1.0.0\" samples 1 }}\ntask t {{\n  sqlite d at \"d.db\" from \"d.db\"\n  prompt \"What is in <<d>>? Reply with it only.\"\n  expect reply json {{ it: {answer} }}\n}}\n"
    );
    let compiled = testing::keep_errors(compile_with(&text, &[("d.db", bytes)]));
    let said = compiled.diagnostics.iter().map(|said| format!("{} {}", said.code.id, said.message)).collect();
    let found = compiled.plan.is_some().then(|| match testing::find_answer(&testing::expect_instances(&compiled)[0]) {
        Value::Object(fields) => fields[0].1.render_text().into_owned(),
        other => panic!("{other:?}"),
    });
    (said, found)
}

/// V26: virtual tables beside plain ones, of modules that SQLite has and of one that it does not. What a task does not read does not matter; a virtual table
/// that is read is E0505 by its name; the tables in which a module keeps its rows are ordinary.
#[test]
fn virtual_tables_hinder_only_those_who_read_them() {
    let mut seed = 26_u64;
    let mut below = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((seed >> 33) % most as u64).expect("small")
    };
    // How each is made, the table in which its module keeps rows, and what is replaced so that nobody has the module.
    let modules = [
        (
            "fts5",
            "CREATE VIRTUAL TABLE NAME USING fts5(a, b); INSERT INTO NAME VALUES ('x y', 'z');",
            Some("content"),
            None,
        ),
        (
            "fts4",
            "CREATE VIRTUAL TABLE NAME USING fts4(a, b); INSERT INTO NAME VALUES ('x y', 'z');",
            Some("content"),
            None,
        ),
        (
            "rtree",
            "CREATE VIRTUAL TABLE NAME USING rtree(id, low, high); INSERT INTO NAME VALUES (1, 2, 3);",
            Some("node"),
            None,
        ),
        (
            "zzz9",
            "CREATE VIRTUAL TABLE NAME USING fts5(a, b); INSERT INTO NAME VALUES ('x y', 'z');",
            Some("content"),
            Some(("USING fts5", "USING zzz9")),
        ),
        (
            "vec00",
            "CREATE VIRTUAL TABLE NAME USING rtree(id, low, high);",
            Some("node"),
            Some(("USING rtree", "USING vec00")),
        ),
    ];
    let names = ["docs", "index_of_docs", "\"od d\"", "\"USING x\"", "Docs2"];
    for round in 0..60 {
        let mut sql = String::new();
        let mut sum = 0;
        let mut virtual_ones: Vec<(&str, &str, Option<&str>)> = Vec::new();
        let mut replaced = Vec::new();
        let plain = below(3);
        for at in 0..=plain {
            let rows: Vec<usize> = (0..below(5)).map(|_| below(100)).collect();
            if at == 0 {
                sum = rows.iter().sum();
            }
            let insert: String = rows.iter().map(|n| format!("INSERT INTO t{at} VALUES ({n});")).collect();
            sql.push_str(&format!("CREATE TABLE t{at} (n INTEGER); {insert}"));
            if let Some(name) =
                names.get(below(8)).filter(|name| !virtual_ones.iter().any(|(known, ..)| *known == **name))
            {
                let (module, made, shadow, instead) = modules[below(modules.len())];
                sql.push_str(&made.replace("NAME", name));
                replaced.extend(instead);
                virtual_ones.push((name, module, shadow));
            }
        }
        // One replacement is of all tables of the module.
        let unknown: Vec<&str> = replaced.iter().map(|(from, _)| from.trim_start_matches("USING ")).collect();
        let bytes = database(&sql, &replaced);
        let (said, found) = of_database("count(d.t0) + coalesce(sum(d.t0.n), 0)", &bytes);
        assert_eq!(said, [""; 0], "{round} {sql}");
        let rows = sql.matches("INSERT INTO t0").count();
        assert_eq!(found, Some((rows + sum).to_string()), "{sql}");
        let (said, found) = of_database("<<value: SELECT COUNT(*) FROM d.t0>>", &bytes);
        assert_eq!((said, found), (Vec::new(), Some(rows.to_string())), "{sql}");
        for (name, module, shadow) in virtual_ones {
            let bare = name.trim_matches('"');
            let module = match unknown.iter().position(|known| *known == module) {
                Some(at) => replaced[at].1.trim_start_matches("USING "),
                None => module,
            };
            let quoted = if name.contains('"') { format!("`{bare}`") } else { bare.to_owned() };
            for answer in [format!("count(d.{quoted})"), format!("<<value: SELECT COUNT(*) FROM d.{name}>>")] {
                let (said, _) = of_database(&answer, &bytes);
                let [one] = said.as_slice() else { panic!("{said:?} {answer} {sql}") };
                assert!(one.starts_with("E0505 "), "{one}");
                assert!(one.contains(&format!("`{bare}` is a virtual table of the module `{module}`")), "{one}\n{sql}");
                assert!(!one.contains("PRAGMA"), "{one}");
            }
            if let Some(shadow) = shadow.filter(|_| !name.contains('"')) {
                let (said, found) = of_database(&format!("count(d.{bare}_{shadow})"), &bytes);
                assert_eq!(said, [""; 0], "{bare}_{shadow} {sql}");
                assert!(found.is_some());
            }
        }
    }
}

#[test]
fn a_view_of_a_virtual_table_hinders_only_those_who_read_it() {
    let sql = "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (3), (4);
               CREATE VIRTUAL TABLE docs USING fts5(body); CREATE VIEW v AS SELECT count(*) AS c FROM docs;
               CREATE VIEW w AS SELECT value AS c FROM json_each('[1, 2]');
               CREATE TRIGGER filled AFTER INSERT ON t BEGIN INSERT INTO docs VALUES (new.n); END;";
    let bytes = database(sql, &[]);
    assert_eq!(of_database("sum(d.t.n)", &bytes), (Vec::new(), Some("7".to_owned())));
    assert_eq!(of_database("sum(d.w.c)", &bytes), (Vec::new(), Some("3".to_owned())));
    let (said, _) = of_database("sum(d.v.c)", &bytes);
    assert!(
        matches!(said.as_slice(), [one] if one.starts_with("E0505 ") && one.contains("no such module: fts5")),
        "{said:?}"
    );
}
