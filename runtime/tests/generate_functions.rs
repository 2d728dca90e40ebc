//! What the functions of the standard library give.

use crate::generate_support::*;
use model::suite::*;
use model::{Date, Domain, Value, ValueType};
use runtime::failure::FailureKind;

fn values(name: &str, args: Vec<Expr>) -> Expr {
    call(name, args.into_iter().map(Arg::Value).collect())
}

fn of_values(name: &str, args: Vec<Expr>) -> Value {
    Suite::new().value(values(name, args)).unwrap()
}

fn items(items: &[i64]) -> Expr {
    Expr::List(items.iter().map(|item| int(*item)).collect())
}

fn decimal(text: &str) -> Value {
    Value::Decimal(d(text))
}

/// N: 1 to 5 and a null; P: decimals; T: texts.
fn table() -> (Suite, RelationId) {
    let mut suite = Suite::new();
    let key = serial(&mut suite, "N");
    let row = || col(0);
    let pick = |options: [&str; 5]| {
        options.iter().enumerate().rev().fold(null(), |rest, (at, option)| {
            let value = option
                .parse()
                .map_or_else(|_| text(option), |number: model::Decimal| Expr::Const(Value::Decimal(number)));
            Expr::If(Box::new((binary(row(), Op::Eq, int(at as i64 + 1)), value, rest)))
        })
    };
    let columns = vec![
        key,
        computed("P", ValueType::Decimal(2), pick(["0.10", "0.20", "0.30", "0.30", "10.00"])),
        computed("T", ValueType::Text, pick(["b", "a", "b", "c", "a"])),
        computed("_H", ValueType::Int, row()),
    ];
    let (_, relation) = suite.csv("t", (6, 6), columns);
    (suite, relation)
}

#[test]
fn aggregates_skip_nulls_and_stay_exact() {
    let (suite, t) = table();
    let get = |name: &str, arg: Arg| suite.value(call(name, vec![arg])).unwrap();
    assert_eq!(get("count", rows_of(t)), Value::Int(6));
    assert_eq!(get("count", of(t, 1)), Value::Int(5));
    assert_eq!(get("csv_count", of_where(t, 1, binary(col(2), Op::Eq, text("b")))), Value::Int(2));
    assert_eq!(get("sum", of(t, 0)), Value::Int(21));
    assert_eq!(get("sum", of(t, 1)).render_text(), "10.90");
    assert_eq!(get("avg", of(t, 1)), Value::Float(2.18));
    assert_eq!(get("avg", of(t, 0)), Value::Float(3.5));
    assert_eq!(get("min", of(t, 1)), decimal("0.10"));
    assert_eq!(get("max", of(t, 2)), Value::from_text("c"));
    assert_eq!(get("median", of(t, 1)), Value::Float(0.3));
    assert_eq!(get("median", of(t, 0)), Value::Float(3.5));
    assert_eq!(get("mode", of(t, 1)), decimal("0.30"));
    assert_eq!(get("mode", of(t, 2)), Value::from_text("a"), "of several as common, the least");
    assert_eq!(get("first", of_where(t, 2, binary(col(0), Op::Gt, int(2)))), Value::from_text("b"));
    assert_eq!(get("list", of(t, 2)).render_text(), "b, a, b, c, a");
    assert_eq!(
        get("stdev", of_where(t, 0, binary(col(0), Op::Le, int(2)))),
        Value::Float(std::f64::consts::FRAC_1_SQRT_2)
    );
    let nothing = || of_where(t, 0, binary(col(0), Op::Gt, int(9)));
    for name in ["sum", "avg", "min", "max", "median", "mode", "stdev", "first"] {
        let value = values("coalesce", vec![call(name, vec![nothing()]), int(-1)]);
        assert_eq!(suite.value(value).unwrap(), Value::Int(-1), "{name}");
    }
    assert_eq!(get("count", nothing()), Value::Int(0));
    assert_eq!(get("list", nothing()), Value::List(vec![]));
}

#[test]
fn a_sum_of_ints_must_fit() {
    let suite = Suite::new();
    let failure = suite.value(values("sum", vec![items(&[i64::MAX, 1])])).unwrap_err();
    assert_eq!(failure.message, "the sum 9223372036854775808 overflows the 64 bits of an int");
    assert_eq!(of_values("sum", vec![items(&[i64::MAX, 1, -1])]), Value::Int(i64::MAX));
}

#[test]
fn cells_are_found_by_position_from_1() {
    let (suite, t) = table();
    let get = |name: &str, first: Arg, positions: &[i64]| {
        let mut args = vec![first];
        args.extend(positions.iter().map(|at| Arg::Value(int(*at))));
        suite.value(call(name, args))
    };
    assert_eq!(get("csv_cell", rows_of(t), &[5, 2]).unwrap(), Value::from_text("10.00"));
    assert_eq!(get("csv_row", rows_of(t), &[1]).unwrap().render_text(), "1, 0.10, b");
    assert_eq!(get("csv_value", of(t, 1), &[5]).unwrap(), decimal("10.00"));
    assert_eq!(get("sqlite_value", of(t, 0), &[6]).unwrap(), Value::Int(6));
    for (name, arg, positions) in
        [("csv_cell", rows_of(t), &[7, 1][..]), ("csv_cell", rows_of(t), &[1, 4]), ("csv_value", of(t, 0), &[0])]
    {
        assert_eq!(get(name, arg, positions).unwrap_err().kind, FailureKind::FailedComputation);
    }
    assert_eq!(
        get("csv_cell", rows_of(t), &[1, 4]).unwrap_err().message,
        "`csv_cell` asks for column 4 of 3",
        "helpers do not count"
    );
}

#[test]
fn lines_and_words_of_files_count_from_1() {
    let mut suite = Suite::new();
    let file = Arg::File(suite.file("f", text("f.txt"), FileContent::ComputedText(text("one two,\nthree\n\nfour"))));
    let get = |name: &str, at: Option<i64>| {
        let args = std::iter::once(file.clone()).chain(at.map(|at| Arg::Value(int(at)))).collect();
        suite.value(call(name, args)).map_err(|failure| failure.message)
    };
    assert_eq!(get("file_line", Some(2)), Ok(Value::from_text("three")));
    assert_eq!(get("file_line", Some(3)), Ok(Value::from_text("")));
    assert_eq!(get("file_line", Some(5)), Err("`file_line` asks for line 5 of 4".into()));
    assert_eq!(get("file_line", Some(0)), Err("`file_line` asks for line 0 of 4".into()));
    assert_eq!(get("file_word", Some(2)), Ok(Value::from_text("two,")));
    assert_eq!(get("file_word_count", None), Ok(Value::Int(4)));
    assert_eq!(get("file_line_count", None), Ok(Value::Int(4)));
    assert_eq!(get("content", None), Ok(Value::from_text("one two,\nthree\n\nfour")));
}

#[test]
fn numbers_are_rounded_half_away_from_zero() {
    assert_eq!(of_values("round", vec![dec("2.345"), int(2)]).render_text(), "2.35");
    assert_eq!(of_values("round", vec![int(2), int(2)]).render_text(), "2.00");
    assert_eq!(of_values("round", vec![binary(int(1), Op::Div, int(8)), int(2)]).render_text(), "0.13");
    assert_eq!(of_values("format", vec![dec("-0.5"), int(0)]), Value::from_text("-1"));
    assert_eq!(of_values("mod", vec![int(-1), int(7)]), Value::Int(6));
    assert_eq!(of_values("mod", vec![int(1), int(-7)]), Value::Int(-6));
    assert_eq!(of_values("mod", vec![int(i64::MIN), int(-1)]), Value::Int(0));
    assert_eq!(of_values("abs", vec![dec("-1.50")]).render_text(), "1.50");
    assert!(Suite::new().value(values("mod", vec![int(1), int(0)])).is_err());
    assert!(Suite::new().value(values("abs", vec![int(i64::MIN)])).is_err());
    assert!(Suite::new().value(values("round", vec![int(1), int(19)])).is_err());
}

#[test]
fn texts_lists_and_days() {
    assert_eq!(of_values("len", vec![text("äö")]), Value::Int(2));
    assert_eq!(of_values("len", vec![items(&[1, 2, 3])]), Value::Int(3));
    assert_eq!(of_values("join", vec![items(&[1, 2]), text(" and ")]), Value::from_text("1 and 2"));
    assert_eq!(of_values("lines", vec![items(&[1, 2])]), Value::from_text("1\n2"));
    assert_eq!(of_values("sort", vec![items(&[2, 1, 3])]).render_text(), "1, 2, 3");
    assert_eq!(of_values("dedupe", vec![items(&[2, 1, 2])]).render_text(), "2, 1");
    assert_eq!(of_values("upper", vec![text("aä")]), Value::from_text("AÄ"));
    for (name, part) in [("contains", "b"), ("starts_with", "ab"), ("ends_with", "bc")] {
        assert_eq!(of_values(name, vec![text("abc"), text(part)]), Value::Bool(true));
    }
    let day = || Expr::Const(Value::Date(Date::new(2024, 3, 4).unwrap()));
    assert_eq!(of_values("weekday", vec![day()]), Value::Int(1));
    assert_eq!(of_values("year", vec![day()]), Value::Int(2024));
    assert_eq!(of_values("month", vec![day()]), Value::Int(3));
}

#[test]
fn sorting_values_without_an_order_does_not_panic() {
    let mixed: Vec<Expr> = (0..60)
        .map(|at| match at % 5 {
            0 => int(60 - at),
            1 => text(&at.to_string()),
            2 => Expr::List(vec![]),
            3 => Expr::Const(Value::Float(at as f64 / 7.0)),
            _ => dec("9007199254740993"),
        })
        .collect();
    assert_eq!(list_of(&of_values("sort", vec![Expr::List(mixed)])).len(), 60);
}

#[test]
fn comparisons_with_null_are_null_except_in_words() {
    let truth = |expr: Expr| Suite::new().value(expr).unwrap() == Value::Bool(true);
    let unknown = || binary(int(1), Op::Add, null());
    // A null answer stops the build.
    assert!(Suite::new().value(binary(unknown(), Op::Eq, int(1))).is_err());
    assert!(Suite::new().value(binary(unknown(), Op::Ne, int(1))).is_err());
    assert!(truth(binary(unknown(), Op::Eq, null())) && !truth(binary(unknown(), Op::Ne, null())));
    assert!(truth(binary(int(1), Op::Ne, null())));
    assert!(!truth(binary(int(1), Op::In, Expr::List(vec![null()]))));
    assert!(truth(binary(int(1), Op::In, Expr::List(vec![null(), dec("1.0")]))));
    // The right side is not evaluated: it would fail.
    let bad = || binary(binary(int(1), Op::Div, int(0)), Op::Gt, int(0));
    assert!(!truth(binary(binary(int(1), Op::Gt, int(2)), Op::And, bad())));
    assert!(truth(binary(binary(int(1), Op::Lt, int(2)), Op::Or, bad())));
}

#[test]
fn arithmetic_keeps_to_types() {
    let get = |a: Expr, op: Op, b: Expr| Suite::new().value(binary(a, op, b)).unwrap();
    assert_eq!(get(int(1), Op::Add, dec("0.10")).render_text(), "1.10");
    assert_eq!(get(dec("1.5"), Op::Mul, dec("1.5")).render_text(), "2.25");
    assert_eq!(get(int(6), Op::Div, int(3)), Value::Float(2.0));
    let day = |y, m, d| Expr::Const(Value::Date(Date::new(y, m, d).unwrap()));
    assert_eq!(get(day(2024, 3, 1), Op::Sub, day(2024, 2, 1)), Value::Int(29));
    let month = || Expr::Const(Value::Duration(model::Duration { months: 1, seconds: 0 }));
    assert_eq!(get(day(2024, 1, 31), Op::Add, month()).render_text(), "2024-02-29");
    let forever = Expr::Const(Value::Duration(model::Duration { months: 0, seconds: i64::MAX }));
    let moment = Expr::Const(Value::DateTime(model::DateTime::parse_iso("2024-01-01T00:00").unwrap()));
    assert!(Suite::new().value(binary(moment, Op::Add, forever)).is_err());
}

fn shop() -> (Suite, FileId, RelationId, RelationId) {
    let mut suite = Suite::new();
    let key = serial(&mut suite, "SKU");
    let price = suite.domain(Domain::Decimal { low: d("0.10"), high: d("0.10"), step: d("0.01"), places: 2 });
    let day = suite.domain(Domain::Date {
        low: Date::new(2024, 1, 1).unwrap(),
        high: Date::new(2024, 1, 31).unwrap(),
        step: 1,
    });
    let items = suite.relation(
        "shop.items",
        (3, 3),
        vec![key, column("PRICE", ValueType::Decimal(2), draw(price)), column("order", ValueType::Date, draw(day))],
    );
    let to = DomainExpr::Ref { relation: items, column: ColumnId(0), together: vec![], filter: None };
    let key = serial(&mut suite, "ID");
    let mut reference = column("SKU", ValueType::Int, draw(to));
    reference.references = Some((items, ColumnId(0)));
    let flag = suite.domain(Domain::Bool { per_million: 500_000 });
    let sales = suite.relation(
        "shop.sales",
        (30, 30),
        vec![key, reference, column("OPEN", ValueType::Bool, draw(flag)), computed("_H", ValueType::Int, int(1))],
    );
    let db = suite.file(
        "shop",
        text("shop.db"),
        FileContent::Sqlite { tables: vec![items, sales], order: vec![items, sales], views: Vec::new() },
    );
    (suite, db, items, sales)
}

#[test]
fn queries_of_a_database_come_back_with_their_types() {
    let (suite, db, ..) = shop();
    let ask = |query: &str, params: Vec<(&str, Expr)>, wanted: Option<ValueType>| {
        suite.value(call("sqlite_query", vec![Arg::File(db), sql(query, SqlScope::Database(db), params, vec![wanted])]))
    };
    assert_eq!(ask("SELECT COUNT(*) FROM sales", vec![], None), Ok(Value::Int(30)));
    assert_eq!(ask("SELECT SUM(PRICE) FROM items", vec![], Some(ValueType::Decimal(2))), Ok(decimal("0.30")));
    assert_eq!(ask("SELECT SUM(PRICE) FROM items", vec![], None), Ok(Value::Float(0.1 + 0.1 + 0.1)));
    assert!(matches!(ask("SELECT \"order\" FROM items LIMIT 1", vec![], Some(ValueType::Date)), Ok(Value::Date(_))));
    assert!(matches!(ask("SELECT OPEN FROM sales LIMIT 1", vec![], Some(ValueType::Bool)), Ok(Value::Bool(_))));
    assert_eq!(ask("SELECT COUNT(*) FROM items WHERE PRICE = :p", vec![("p", dec("0.1"))], None), Ok(Value::Int(3)));
    let kind = |query: &str| ask(query, vec![], None).unwrap_err().kind;
    assert_eq!(kind("SELECT SKU FROM items"), FailureKind::SqlAtBuild);
    assert_eq!(kind("SELECT SKU, PRICE FROM items LIMIT 1"), FailureKind::SqlAtBuild);
    assert_eq!(kind("SELECT x'00'"), FailureKind::SqlAtBuild);
    assert_eq!(kind("SELECT \"nope\" FROM items"), FailureKind::SqlAtBuild);
    assert_eq!(kind("DELETE FROM items"), FailureKind::SqlAtBuild);
    assert_eq!(kind("SELECT SKU FROM items WHERE SKU > 99"), FailureKind::NullAtBuild, "no row is null");
    assert_eq!(kind("SELECT _H FROM sales"), FailureKind::SqlAtBuild);
    let schema = suite.value(call("schema", vec![Arg::File(db)])).unwrap();
    assert!(schema.render_text().contains("SKU INTEGER NOT NULL REFERENCES items(SKU)"), "{}", schema.render_text());
}

#[test]
fn queries_over_relations_see_databases_by_name_and_files_beside_them() {
    let (mut suite, _, items, sales) = shop();
    let n = suite.domain(ints(1, 3));
    let (_, extra) = suite.csv("extra", (5, 5), vec![column("N", ValueType::Int, draw(n))]);
    let scope = || SqlScope::Relations(vec![items, sales, extra]);
    let joined = sql(
        "SELECT COUNT(*) FROM shop.sales s JOIN shop.items i USING (SKU) JOIN extra e ON e.N = i.SKU",
        scope(),
        vec![],
        vec![],
    );
    let rows = sql("SELECT SKU, COUNT(*) n FROM shop.sales GROUP BY SKU ORDER BY SKU", scope(), vec![], vec![]);
    let list = sql("SELECT N FROM extra", SqlScope::Relations(vec![extra]), vec![], vec![]);
    let value = suite.value(Expr::List(vec![
        call("value", vec![joined]),
        call("rows", vec![rows]),
        call("list", vec![list]),
        call("list", vec![of(extra, 0)]),
    ]));
    let value = list_of(&value.unwrap());
    assert!(matches!(value[0], Value::Int(n) if n > 0));
    assert!(matches!(&value[1], Value::Rows(set) if set.columns == ["SKU", "n"] && set.rows.len() == 3));
    assert_eq!(value[2], value[3]);
}

#[test]
fn databases_are_the_same_bytes_and_sound() {
    let (suite, ..) = shop();
    let bytes = suite.instance().unwrap().files[0].bytes.to_vec();
    assert!(bytes.starts_with(b"SQLite format 3\0"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(*suite.instance().unwrap().files[0].bytes, *bytes));
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    std::fs::write(&path, &bytes).unwrap();
    sqlite::init_process().unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let text = |query: &str| connection.query_row(query, [], |row| row.get::<_, String>(0));
    assert_eq!(text("PRAGMA integrity_check").unwrap(), "ok");
    assert!(connection.prepare("PRAGMA foreign_key_check").unwrap().query([]).unwrap().next().unwrap().is_none());
    assert_eq!(text("SELECT group_concat(name) FROM sqlite_master").unwrap(), "items,sales");
}

#[test]
fn csv_files_read_back() {
    let mut suite = Suite::new();
    let odd = suite.domain(words(&["plain", "with, comma", "with \"quotes\"", "two\nlines", "", "ünï"]));
    let v = suite.domain(ints(-5, 5));
    let columns = vec![
        column("TEXT, odd", ValueType::Text, Draw { blank_per_million: 200_000, ..draw(odd) }),
        column("V", ValueType::Int, draw(v)),
    ];
    let (_, relation) = suite.csv("t", (200, 200), columns);
    let bytes = suite.instance().unwrap().files[0].bytes.to_vec();
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    assert_eq!(reader.headers().unwrap(), vec!["TEXT, odd", "V"]);
    let read: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    assert_eq!(read.len(), 200);
    let texts = list_of(&suite.value(call("list", vec![of(relation, 0)])).unwrap());
    let texts: Vec<String> =
        texts.iter().map(|value| value.render_text().into_owned()).filter(|text| !text.is_empty()).collect();
    assert_eq!(read.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(), texts);
    assert!(
        String::from_utf8(bytes.to_vec()).unwrap().lines().any(|line| line.starts_with("\"\",")),
        "an empty text is no null"
    );
}

#[test]
fn text_lines_are_a_relation_and_a_file() {
    let mut suite = Suite::new();
    let level = suite.domain(words(&["INFO", "ERROR"]));
    let relation = suite.relation("log", (20, 20), vec![column("LEVEL", ValueType::Text, draw(level))]);
    let line = Expr::Concat(vec![text("["), col(0), text("] x")]);
    suite.file("log", text("app.log"), FileContent::TextLines { relation, line, form: None });
    let content = String::from_utf8(suite.instance().unwrap().files[0].bytes.to_vec()).unwrap();
    let errors = suite
        .value(call("count", vec![Arg::Relation { relation, filter: Some(binary(col(0), Op::Eq, text("ERROR"))) }]))
        .unwrap();
    assert_eq!(Value::Int(content.lines().filter(|line| line.starts_with("[ERROR] x")).count() as i64), errors);
    assert!(content.ends_with("x\n") && content.lines().count() == 20);
}
