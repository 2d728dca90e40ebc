//! How many instances a second one core makes. Run by hand:
//! `cargo test --release -p picard-runtime --test it generate_speed:: -- --ignored --nocapture --test-threads 1`

use crate::generate_support::*;
use model::domain::LoremUnit;
use model::suite::*;
use model::{Domain, Format, Value, ValueType};

/// Seconds of processor time of this thread, which a busy machine does not stretch (Linux only).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn measure(name: &str, suite: &Suite) {
    let generator = suite.generator();
    let make = |index: u64| {
        generator.generate_instance(generator.resolve_address(index % generator.count_instances()).unwrap()).unwrap()
    };
    (0..20).for_each(|index| drop(make(index)));
    let (start, mut made, mut bytes) = (processor_seconds(), 0u64, 0usize);
    while processor_seconds() < start + 1.5 {
        for _ in 0..10 {
            bytes += make(made).files.iter().map(|file| file.bytes.len()).sum::<usize>();
            made += 1;
        }
    }
    let seconds = processor_seconds() - start;
    println!(
        "{name}: {:.0} instances/s, {:.1} MB/s, {} bytes each",
        made as f64 / seconds,
        bytes as f64 / seconds / 1e6,
        bytes as u64 / made
    );
}

fn table(suite: &mut Suite, rows: i64) -> (FileId, RelationId) {
    let person = suite.domain(person());
    let age = suite.domain(ints(18, 70));
    let city = suite.domain(many_words(34));
    let day = suite.domain(Domain::Date {
        low: model::Date::new(2020, 1, 1).unwrap(),
        high: model::Date::new(2025, 12, 28).unwrap(),
        step: 1,
    });
    let id = suite.domain(ints(1, 9999));
    let columns = vec![
        column("C_ID", ValueType::Int, draw(id)),
        column("C_NAME", ValueType::Text, draw(person)),
        column("AGE_YRS", ValueType::Int, draw(age)),
        column("LOC_CD", ValueType::Text, draw(city)),
        column("REG_DT", ValueType::Date, draw(day)),
    ];
    suite.csv("crm", (rows, rows), columns)
}

#[test]
#[ignore = "measures"]
fn csv_75_by_5() {
    let mut suite = Suite::new();
    suite.task().samples = 100_000;
    let (_, crm) = table(&mut suite, 75);
    suite.expect(Matcher::Json, call("avg", vec![of(crm, 2)]));
    measure("csv 75x5 with avg", &suite);
}

#[test]
#[ignore = "measures"]
fn csv_large() {
    let mut suite = Suite::new();
    suite.task().samples = 100_000;
    let (_, crm) = table(&mut suite, 100_000);
    let pay = suite.domain(Domain::Decimal { low: d("1.00"), high: d("999.99"), step: d("0.01"), places: 2 });
    suite.task().relations[RelationId(0)].columns.push(column("PAY", ValueType::Decimal(2), draw(pay)));
    suite.task().relations[RelationId(0)].order.push(ColumnId(5));
    suite.expect(Matcher::Json, call("count", vec![of_where(crm, 0, binary(col(2), Op::Gt, int(50)))]));
    measure("csv 100,000x6 with a filtered count (times 100,000 rows)", &suite);
}

#[test]
#[ignore = "measures"]
fn lorem_100_lines() {
    let mut suite = Suite::new();
    suite.task().samples = 100_000;
    let lines = suite.domain(lorem(LoremUnit::Lines, 100));
    let file = suite.file("notes", text("notes.txt"), FileContent::DrawnText(draw(lines)));
    suite.expect(Matcher::Text, call("file_line", vec![Arg::File(file), Arg::Value(int(34))]));
    measure("lorem 100 lines with file_line", &suite);
}

#[test]
#[ignore = "measures"]
fn sqlite_50_rows() {
    let mut suite = Suite::new();
    suite.task().samples = 100_000;
    let key = serial(&mut suite, "EMP_ID");
    let person = suite.domain(person());
    let dept =
        suite.domain(words(&["Engineering", "Sales", "Marketing", "Finance", "HR", "Operations", "IT", "Legal"]));
    let pay = suite.domain(ints(30_000, 150_000));
    let status = suite.domain(words(&["active", "inactive", "pending"]));
    let columns = vec![
        key,
        column("EMP_NM", ValueType::Text, draw(person)),
        column("DEPT_CD", ValueType::Text, draw(dept)),
        column("SAL_AMT", ValueType::Int, draw(pay)),
        column("STAT_FLG", ValueType::Text, draw(status)),
    ];
    let table = suite.relation("db.employees", (50, 50), columns);
    let db = suite.file(
        "db",
        text("x.db"),
        FileContent::Sqlite { tables: vec![table], order: vec![table], views: Vec::new() },
    );
    let query = sql(
        "SELECT COUNT(*) FROM employees WHERE DEPT_CD = :dept",
        SqlScope::Database(db),
        vec![("dept", Expr::Const(Value::from_text("Sales")))],
        vec![Some(ValueType::Int)],
    );
    suite.expect(Matcher::Number, call("sqlite_query", vec![Arg::File(db), query]));
    measure("sqlite 50 rows with a query", &suite);
}

#[test]
#[ignore = "measures"]
fn names_only() {
    let mut suite = Suite::new();
    suite.task().samples = 100_000;
    let pool = suite.domain(many_words(154));
    let name = suite.draw("a", draw(pool));
    suite.expect(Matcher::Text, Expr::Name(name));
    measure("one word", &suite);
}

#[test]
#[ignore = "measures"]
fn trees_with_five_paths() {
    trees_of(50);
    trees_of(5_000);
}

/// So many services of three fields, five paths.
fn trees_of(rows: i64) {
    let json = ["$.services[7].port", "$.services[*].port", "$..name", "$.services[?@.port > 8000].name", "$.services"];
    let functions = ["json_path", "json_sum", "json_count", "json_collect", "json_count"];
    let xpath = ["//service[8]/port", "//port", "//name", "//service[port > 8000]/name", "/root/service"];
    let of_xml = ["xpath_value", "xpath_sum", "xpath_count", "xpath_collect", "xpath_count"];
    for (name, format, functions, paths) in [
        ("json", Format::Json, functions, json),
        ("yaml", Format::Yaml, functions, json),
        ("xml", Format::Xml, of_xml, xpath),
    ] {
        for asked in [false, true] {
            let mut suite = Suite::new();
            suite.task().samples = 100_000;
            let (names, ports) = (suite.domain(many_words(154)), suite.domain(ints(1024, 9999)));
            let pay = suite.domain(Domain::Decimal { low: d("1.00"), high: d("999.99"), step: d("0.01"), places: 2 });
            let columns = vec![
                column("name", ValueType::Text, draw(names)),
                column("port", ValueType::Int, draw(ports)),
                column("cost", ValueType::Decimal(2), draw(pay)),
            ];
            let services = suite.relation("f.services", (rows, rows), columns);
            let field = |key: &str, shape| Field { key: key.into(), attribute: false, shape };
            let fields = ["name", "port", "cost"].iter().zip(0..);
            let fields = fields.map(|(key, at)| field(key, Shape::Cell(services, ColumnId(at)))).collect();
            let key = if name == "xml" { "service" } else { "services" };
            let shape = Shape::Object(vec![field(key, Shape::Array(services, Box::new(Shape::Object(fields))))]);
            let root = (format == Format::Xml).then(|| "root".into());
            let file = suite.file_as(format, "f", text("f.txt"), FileContent::Tree { root, shape });
            for (function, path) in functions.iter().zip(paths).filter(|_| asked) {
                let path = PathQuery { text: path.into(), value_type: None, span: span() };
                suite.expect(Matcher::Json, call(function, vec![Arg::File(file), Arg::Path(path)]));
            }
            measure(&format!("{name} of {rows} objects, {} paths", if asked { 5 } else { 0 }), &suite);
        }
    }
}
